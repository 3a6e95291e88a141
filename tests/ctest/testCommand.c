/*
 * testCommand.c -- the trace command of this library's own copy of the core, whose allocations can be made to fail.
 *
 *   testCommandOpen file ?-option value ...?, testCommandText text ?-option value ...? as tactus::open and openText
 *   testCommandFail n  the nth allocation from now on and all later ones fail; 0: none
 *
 * The package's own library does not know of failures that are asked for here.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/mem.h"
#include "tcl/commands.h"

static int failCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_WideInt n;
    (void) data;
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "n"), TCL_ERROR;
    if (Tcl_GetWideIntFromObj(interp, objv[1], &n) != TCL_OK) return TCL_ERROR;
    tacMemFailAt((uint64_t) n);
    return TCL_OK;
}

TAC_EXPORT int TacTestCommand_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testCommandOpen", tacOpenCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testCommandText", tacOpenTextCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testCommandFail", failCommand, NULL, NULL);
    return TCL_OK;
}
