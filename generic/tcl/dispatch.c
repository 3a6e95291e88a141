/*
 * dispatch.c -- the runner of subcommand tables, and the one way by which errors of the core become errors of Tcl.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dispatch.h"

#include <stdarg.h>
#include <stdio.h>

int tacErrorToTcl(Tcl_Interp *interp, const tacError *error) {
    Tcl_SetObjResult(interp, Tcl_NewStringObj(error->message, -1));
    Tcl_SetObjErrorCode(interp, Tcl_ObjPrintf("TACTUS %s", error->code));
    return TCL_ERROR;
}

int tacTclFail(Tcl_Interp *interp, const char *code, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    tacError error = {{0}, {0}};
    tacFail(&error, code, "%s", message);
    return tacErrorToTcl(interp, &error);
}

int tacDispatch(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], const tacSubcommand *table) {
    int index;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "subcommand ?arg ...?");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObjStruct(interp, objv[1], table, sizeof *table, "subcommand", 0, &index) != TCL_OK)
        return TCL_ERROR;
    const tacSubcommand *chosen = &table[index];
    if (objc - 2 < chosen->least || (chosen->most >= 0 && objc - 2 > chosen->most)) {
        Tcl_WrongNumArgs(interp, 2, objv, chosen->usage);
        return TCL_ERROR;
    }
    return chosen->proc(data, interp, objc, objv);
}

void tacNewCommandName(Tcl_Interp *interp, const char *prefix, char name[40]) {
    uintptr_t number = (uintptr_t) Tcl_GetAssocData(interp, prefix, NULL);
    Tcl_CmdInfo info;
    do snprintf(name, 40, "%s%lu", prefix, (unsigned long) ++number);
    while (Tcl_GetCommandInfo(interp, name, &info));
    Tcl_SetAssocData(interp, prefix, NULL, (ClientData) number);
}
