/*
 * ending.c -- tactus::atEnd: a Tcl command prefix is told that the program is to end, so that it can keep what would be
 * lost.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tk/ending.h"

/* A process ends once: so this is global. */
static Tcl_Interp *told; /* the interpreter of the prefix; NULL: there is none */
static Tcl_Obj *prefix;

static void tell(const char *how) {
    if (!told) return;
    Tcl_Interp *interp = told;
    Tcl_Obj *command = Tcl_DuplicateObj(prefix);
    Tcl_Preserve(interp);
    Tcl_IncrRefCount(command);
    int code = Tcl_ListObjAppendElement(interp, command, Tcl_NewStringObj(how, -1));
    if (code == TCL_OK) code = Tcl_EvalObjEx(interp, command, TCL_EVAL_GLOBAL);
    if (code != TCL_OK) Tcl_BackgroundException(interp, code);
    Tcl_DecrRefCount(command);
    Tcl_Release(interp);
}

static void forget(ClientData data, Tcl_Interp *interp) {
    (void) data;
    if (interp != told) return;
    Tcl_DecrRefCount(prefix);
    told = NULL;
}

int tacAtEndCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "prefix");
        return TCL_ERROR;
    }
    if (told) Tcl_DecrRefCount(prefix);
    prefix = objv[1];
    Tcl_IncrRefCount(prefix);
    if (told != interp) Tcl_CallWhenDeleted(interp, forget, NULL);
    told = interp;
    tacEndingWatch(tell);
    return TCL_OK;
}
