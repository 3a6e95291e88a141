/*
 * relationPart.h -- the record of a relation command, and work on it that takes long, for the relation*.c files.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_RELATION_PART_H
#define TAC_TCL_RELATION_PART_H

#include "analysis/tables.h"
#include "tcl/dispatch.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/relationFilter.h"
#include "tcl/timeValue.h"
#include "tcl/traceRecord.h"

typedef struct tacRelationCmd {
    Tcl_Interp *interp;
    Tcl_Command token;
    bool own;           /* a table of values from Tcl; then user, held and kind are NULL */
    tacTraceUser *user; /* NULL: the trace has gone */
    tacTraceBody *held; /* the trace that `relation` is about */
    const tacRelationKind *kind;
    tacWindowValue window; /* as it was written */
    tacRelation relation;  /* valid while `made` */
    bool made, stale;      /* stale: the trace is another one by now */
    bool working;          /* a filter, sort, search or measurement is under way */
    Tcl_Obj *tasks;        /* -tasks, as it was written; referenced; NULL: not given */
    tacWanted wanted;      /* the filter, as it was written; referenced */
    Tcl_Obj *columns;      /* to sort by, as they were written; referenced; NULL: not sorted */
    bool decreasing;
} tacRelationCmd;

/* Work that may call a -progress script: between begin and end the table and its trace stay as they are. */
typedef struct tacWork {
    tacRelationCmd *r;
    tacProgressScript script;
    tacError err;
} tacWork;

int tacWorkBegin(tacWork *work, tacRelationCmd *r, Tcl_Interp *interp, Tcl_Obj *prefix, const char *phase);
/* Ends it, with the error in the interpreter if there is one. Afterwards the relation may be no longer made. */
int tacWorkEnd(tacWork *work, tacStatus status);

/* Parses `-progress prefix`, the only option of the measures; NULL: not given. */
int tacProgressOption(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], Tcl_Obj **prefix);

/* Makes a relation of a table that refers to no trace, with the command as the result; the table is taken over. */
int tacOwnRelation(Tcl_Interp *interp, tacTable *table, const tacWanted *wanted);

/* The relation that a command of this name is; NULL: it is none. */
tacRelationCmd *tacRelationOfCommand(Tcl_Interp *interp, const char *name);

/*
 * Makes a table of some columns of `of`, which lives longer. names: a list of them; NULL: all. before: a list of name
 * and text of a column more, which stands where `names` has it, without names before the others; NULL: none. Both
 * lists live longer, too.
 */
int tacChosenFromObj(Tcl_Interp *interp, const tacTable *of, Tcl_Obj *names, Tcl_Obj *before, tacTable *table);

/* Reads the name of a column without texts. lack: the end of the message about one with texts. */
int tacNumberColumnFromObj(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *name, const char *lack, int *column);

tacSubcommandProc tacRelationCopySub, tacRelationFirstSub, tacRelationGridSub, tacRelationGroupSub,
    tacRelationHistogramSub, tacRelationSampleSub, tacRelationStatisticsSub, tacRelationWriteSub;

#endif
