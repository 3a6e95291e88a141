/*
 * traceCmd.h -- an opened trace as a Tcl command (::tactus::trace1 ...) with subcommands.
 */
#ifndef TAC_TRACE_CMD_H
#define TAC_TRACE_CMD_H

#include "model/trace.h"

/* Makes a command for the trace, which it owns from now on, and leaves its name in the interpreter. name: as in diagnostics. */
int tacTraceCommand(Tcl_Interp *interp, tacTrace *trace, const char *name);

#endif
