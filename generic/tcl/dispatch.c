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

int tacTclMemory(Tcl_Interp *interp) { return tacTclFail(interp, "MEMORY", "not enough memory"); }

int tacDispatchAt(void *data, Tcl_Interp *interp, int at, const char *what, int objc, Tcl_Obj *const objv[],
    const tacSubcommand *table) {
    int index, given = objc - at - 1;
    if (given < 0) {
        Tcl_WrongNumArgs(interp, at, objv, "subcommand ?arg ...?");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObjStruct(interp, objv[at], table, sizeof *table, what, 0, &index) != TCL_OK) return TCL_ERROR;
    const tacSubcommand *chosen = &table[index];
    if (given >= chosen->least && (chosen->most < 0 || given <= chosen->most))
        return chosen->proc(data, interp, objc, objv);
    Tcl_WrongNumArgs(interp, at + 1, objv, chosen->usage);
    return TCL_ERROR;
}

int tacDispatch(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], const tacSubcommand *table) {
    return tacDispatchAt(data, interp, 1, "subcommand", objc, objv, table);
}

void tacNewCommandName(Tcl_Interp *interp, const char *prefix, char name[40]) {
    uintptr_t number = (uintptr_t) Tcl_GetAssocData(interp, prefix, NULL);
    Tcl_CmdInfo info;
    do snprintf(name, 40, "%s%lu", prefix, (unsigned long) ++number);
    while (Tcl_GetCommandInfo(interp, name, &info));
    Tcl_SetAssocData(interp, prefix, NULL, (ClientData) number);
}
