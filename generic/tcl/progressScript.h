/*
 * progressScript.h -- the -progress option of commands that take long: a command prefix that is called during the work.
 *
 * The script is called with a dict (phase, done, total; of openings also events, tasks, errors, lines). It may do
 * anything, update included. break or an error cancels the work, and the error becomes that of the command. Without a
 * script the work can still be cancelled (interp cancel), and ends when the interpreter is deleted. Files that include
 * this include <tcl.h> first.
 */
#ifndef TAC_TCL_PROGRESS_SCRIPT_H
#define TAC_TCL_PROGRESS_SCRIPT_H

#include "open/open.h"

/* The row of -progress in a table of options; `progress` is the member, a Tcl_Obj *. */
#define TAC_PROGRESS_ROW(Record, progress)                                                      \
    {                                                                                           \
        "-progress", TAC_VALUE_OBJECT, offsetof(Record, progress), NULL, "prefix", NULL,        \
            "called now and then with a dict of how far the work is; an error or break cancels" \
    }

typedef struct tacProgressScript {
    tacProgress progress; /* for the work; but tacTraceOpen has its own */
    Tcl_Interp *interp;   /* preserved by the caller */
    Tcl_Obj *prefix;      /* NULL: none; referenced by the caller's words */
    const char *phase;    /* name of the work; NULL: the phase of the progress */
    bool failed;          /* the script's error is kept in `state` */
    Tcl_InterpState state;
} tacProgressScript;

void tacProgressScriptInit(
    tacProgressScript *script, Tcl_Interp *interp, Tcl_Obj *prefix, const char *phase, uint64_t total);
/* The function for tacOpenOptions.progress; data is the tacProgressScript. */
bool tacProgressScriptOpening(void *data, const tacProgress *progress, const tacTrace *trace);
/* Ends the work. TCL_ERROR: the script's error, or err, is in the interpreter. */
int tacProgressScriptEnd(tacProgressScript *script, tacStatus status, const tacError *err);

#endif
