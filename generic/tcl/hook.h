/*
 * hook.h -- the replay that calls handlers of trace events, which are Tcl commands.
 *
 * Handlers are registered per interpreter (hookRegistry.h; used by library/plugin); those of
 * the group "" run when a trace is opened with -handlers yes, others when asked for ($trace replay -groups). A replay
 * is a pass of its own over an open trace, so that a handler has the whole trace command to ask, and one that is
 * cancelled costs the trace nothing. Where no handler is wanted there is no pass.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_HOOK_H
#define TAC_TCL_HOOK_H

#include "tcl/traceRecord.h"

/*
 * Runs the handlers of the group "" over the trace, as $trace replay without options does. progress: a command prefix,
 * or NULL. The result is the number of calls. Errors of handlers become remarks of the trace; TCL_ERROR: the progress
 * or the interpreter cancelled the replay (TACTUS CANCELLED), or there is not enough memory.
 */
int tacHookReplay(Tcl_Interp *interp, tacTraceCall *call, Tcl_Obj *progress);

/* True while a replay of the trace is under way: then it can neither be closed nor read again. */
bool tacHookBusy(Tcl_Interp *interp, const tacTrace *trace);

#endif
