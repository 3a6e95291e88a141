/*
 * traceCmd.h -- an opened trace as a Tcl command (::tactus::trace1 ...) with subcommands.
 */
#ifndef TAC_TCL_TRACE_CMD_H
#define TAC_TCL_TRACE_CMD_H

#include "open/open.h"

/*
 * A user of a trace, such as the widget that shows it. It keeps the trace by a reference, not by its command, so that
 * $trace close while it is drawn does no harm. `changed` is called, in the thread of the interpreter and never while
 * the trace is being read, when the command's trace was replaced by another one ($trace reload: `trace` is the new one;
 * the old one is freed when `changed` returns), and when the command has gone (`trace` is NULL; the old one stays until
 * tacTraceRelease).
 */
typedef struct tacTraceUser tacTraceUser;
typedef void tacTraceChanged(void *data, const tacTrace *trace);

/* The trace behind a trace command; NULL with an error TACTUS TRACE NAME in the interpreter when it is none. */
const tacTrace *tacTraceFromName(Tcl_Interp *interp, Tcl_Obj *name);
/* The same trace, kept until tacTraceRelease. *user is set; NULL: as above, or no memory. */
const tacTrace *tacTraceUse(
    Tcl_Interp *interp, Tcl_Obj *name, tacTraceChanged *changed, void *data, tacTraceUser **user);
/* The trace that this user has now: from tacTraceUse, or from the last `changed`; NULL: none any more. */
const tacTrace *tacTraceOf(const tacTraceUser *user);
void tacTraceRelease(tacTraceUser *user); /* NULL is fine */

#endif
