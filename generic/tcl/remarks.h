/*
 * remarks.h -- diagnostics as Tcl values. Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_REMARKS_H
#define TAC_TCL_REMARKS_H

#include "trace/diag.h"

/* The diagnostics as a list of dicts with the keys severity, line (0: none), kind, text, count. */
Tcl_Obj *tacRemarkList(const tacDiag *diag);

#endif
