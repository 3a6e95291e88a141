/*
 * testLocale.c -- a program with a locale of its own, into which Tactus is loaded (tests/locale.test).
 */
#include <tcl.h>

#include "base/port.h"

#include <locale.h>
#include <stdio.h>

/* `testLocale name`: sets the locale of numbers of the whole process, as a host program does. The result is 1.5 as
 * printf writes it then; an empty one says that there is no such locale. */
static int localeCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    char text[16];
    (void) data;
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "name"), TCL_ERROR;
    if (!setlocale(LC_NUMERIC, Tcl_GetString(objv[1]))) return TCL_OK;
    snprintf(text, sizeof text, "%.1f", 1.5);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(text, -1));
    return TCL_OK;
}

TAC_EXPORT int TacTestLocale_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testLocale", localeCommand, NULL, NULL);
    return TCL_OK;
}
