/*
 * tasksValue.h -- tasks from words of commands: ids, names and patterns (analysis/taskChoice.h).
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_TASKS_VALUE_H
#define TAC_TCL_TASKS_VALUE_H

#include "analysis/taskChoice.h"
#include "tcl/dispatch.h"

/* Chooses the tasks that a list means, of which each must fit some task; the choice is the caller's to free.
 * TCL_ERROR: {TACTUS LOOKUP TASK word}, MEMORY. */
int tacTasksFromObj(Tcl_Interp *interp, const tacModel *model, Tcl_Obj *words, tacTaskChoice *choice);

#endif
