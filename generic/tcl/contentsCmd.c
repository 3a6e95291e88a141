/*
 * contentsCmd.c -- tactus::contents: the bytes of a small plain file, for the library's own files and those that users
 * write. The name is taken as it is: neither ~ nor | at its beginning means anything. tactus::isMarked: is a file from
 * elsewhere? tactus::hasAccessList: may others than its owner and group have permissions?
 */
#include <tcl.h>

#include "base/port.h"

#include "read/file.h"
#include "tcl/commands.h"
#include "tcl/dispatch.h"
#include "tcl/text.h"

#include <limits.h>

int tacContentsCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_WideInt most = TAC_PLAIN_MOST;
    Tcl_DString native;
    tacText bytes = {0};
    tacError err = {0};
    (void) data;
    if (objc != 3 && objc != 4) {
        Tcl_WrongNumArgs(interp, 1, objv, "path noun ?bytes?");
        return TCL_ERROR;
    }
    if (objc == 4 && Tcl_GetWideIntFromObj(interp, objv[3], &most) != TCL_OK) return TCL_ERROR;
    if (most < 0 || most > INT_MAX / 2) most = INT_MAX / 2;
    const char *path = Tcl_UtfToExternalDString(NULL, Tcl_GetString(objv[1]), -1, &native);
    tacStatus status = tacFileContents(path, Tcl_GetString(objv[2]), (uint64_t) most, &bytes, &err);
    if (status == TAC_OK)
        Tcl_SetObjResult(interp, Tcl_NewByteArrayObj((const unsigned char *) bytes.at, (int) bytes.length));
    Tcl_DStringFree(&native);
    tacTextFree(&bytes);
    return status == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
}

/* Answers a question about the file of the only argument. */
static int answerOfFile(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], bool (*question)(const char *path)) {
    Tcl_DString native;
    if (objc != 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "path");
        return TCL_ERROR;
    }
    const char *path = tacPathFromObj(interp, objv[1], &native);
    if (!path) return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewBooleanObj(question(path)));
    Tcl_DStringFree(&native);
    return TCL_OK;
}

int tacIsMarkedCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    return answerOfFile(interp, objc, objv, tacFileIsMarked);
}

int tacHasAccessListCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    return answerOfFile(interp, objc, objv, tacFileHasAccessList);
}
