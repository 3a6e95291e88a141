/*
 * figureApart.h -- $trace exporting: a figure made while the program goes on.
 */
#ifndef TAC_TCL_FIGURE_APART_H
#define TAC_TCL_FIGURE_APART_H

#include <tcl.h>

/* $trace exporting FILE ?-option value ...?: the name of a channel; see figureApart.c. */
int tacExportingSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);

#endif
