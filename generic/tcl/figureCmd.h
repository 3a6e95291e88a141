/*
 * figureCmd.h -- the options of figures and the making of a figure's file, for trace commands and the program alike.
 */
#ifndef TAC_TCL_FIGURE_CMD_H
#define TAC_TCL_FIGURE_CMD_H

#include "open/open.h"
#include "tcl/optionTable.h"

extern const tacOptionRow tacFigureOptionRows[];

/* Checks that each name of -settings has a value. */
int tacSettingsCheck(Tcl_Interp *interp, const char *const *settings);

/* The layers (tacShow) of a list of names; the error names all. */
int tacLayersFromObj(Tcl_Interp *interp, Tcl_Obj *list, unsigned *layers);

/* The names of all formats of figures, with ", " between them and `last` before the last one. */
Tcl_Obj *tacFormatNames(const char *last);

/* Draws into a file by the options; the result is the list of remarks made on the way. */
int tacFigureExport(Tcl_Interp *interp, const tacTrace *trace, Tcl_Obj *file, int objc, Tcl_Obj *const objv[]);

#endif
