/*
 * sandboxGuard.h -- Tcl commands whose one call can make a value of gigabytes get a look at the size first.
 *
 * `string repeat`, `format` and `lrepeat` then fail like any command, and the trace is read on; in a process of its own
 * (read/worker.h) the memory limit would end the whole script. What no single argument tells - doubling a variable,
 * 10**100000000 - is left to that limit; where there is no worker, `append` and `lappend` are guarded as well.
 */
#ifndef TAC_READ_SANDBOX_GUARD_H
#define TAC_READ_SANDBOX_GUARD_H

#include <tcl.h>

#include "base/error.h"

typedef struct tacGuard {
    Tcl_CmdInfo original; /* the command that is guarded */
    const char *name;     /* of the command, in messages */
    int64_t limit;        /* bytes of the largest value */
    /* Bytes that the result would have, at least roughly; negative: cannot tell. */
    int64_t (*size)(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);
} tacGuard;

enum { TAC_GUARDS = 5 };

/* Puts the guards into an interpreter; guards[] lives as long as it does. */
tacStatus tacGuardCommands(
    Tcl_Interp *interp, tacGuard guards[TAC_GUARDS], int64_t limit, bool alsoVariables, tacError *err);

#endif
