/*
 * traceInfo.h -- what a trace contains and what its clocks said, as Tcl dicts. Files that include this include <tcl.h>
 * first.
 */
#ifndef TAC_TCL_TRACE_INFO_H
#define TAC_TCL_TRACE_INFO_H

#include "open/open.h"

Tcl_Obj *tacTraceInfo(const tacTrace *trace, const char *name);
Tcl_Obj *tacSyncInfo(const tacTrace *trace); /* NULL: no memory */

#endif
