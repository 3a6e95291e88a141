/*
 * phaseCmd.h -- $trace phases JOBS ...: what jobs went through, relative to a time of each; $trace style ...: how
 * things look.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_PHASE_CMD_H
#define TAC_TCL_PHASE_CMD_H

#include "tcl/dispatch.h"

/*
 * phases {INDEX ...} ?-base release|start|deadline|completion? ?-mark PATTERN? ?-most N?
 *      a dict for each job: index, task, base, release, start, completion, deadline, end (relative but `base`; {}
 *      unknown), missed, abandoned, cut; phases: {state who {begin end ...} ...}, stretches of one state and one
 *      other task together, relative. who is the task that runs meanwhile. With -mark times are relative to the first
 *      message in the job's life that the pattern (glob) matches. A base that is not known leaves `base` and
 *      everything relative empty.
 */
tacSubcommandProc tacPhasesSub;

/*
 * style ?-dark flag? ?-grayscale flag? ?-settings list? ?-tasks ids?
 *      a dict: ink paper faint grid, running preempted blocked between unknown isr (colours as figures draw them), line
 *(points), and tasks: id -> dict of name, color (in its own row), other (told apart from all), pattern.
 */
tacSubcommandProc tacStyleSub;

#endif
