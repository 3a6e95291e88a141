/*
 * dispatch.c -- the runner of subcommand tables, the one way by which errors of the core become errors of Tcl, and the
 * calls of command prefixes.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/dispatch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int tacErrorToTcl(Tcl_Interp *interp, const tacError *error) {
    Tcl_SetObjResult(interp, Tcl_NewStringObj(error->message, -1));
    Tcl_SetObjErrorCode(interp, Tcl_ObjPrintf("TACTUS %s", error->code));
    return TCL_ERROR;
}

int tacTclFail(Tcl_Interp *interp, const char *code, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    tacSentence(message, sizeof message, format, args);
    va_end(args);
    tacError error = {{0}, {0}};
    tacFail(&error, code, "%s", message);
    return tacErrorToTcl(interp, &error);
}

int tacTclMemory(Tcl_Interp *interp) {
    tacError err = {{0}, {0}};
    tacFailMemory(&err);
    return tacErrorToTcl(interp, &err);
}

bool tacTclFailedWith(Tcl_Interp *interp, const char *code) {
    Tcl_Obj *options = tacKept(Tcl_GetReturnOptions(interp, TCL_ERROR)), *value = tacDictValue(options, "-errorcode");
    bool is = value && strncmp(Tcl_GetString(value), code, strlen(code)) == 0;
    Tcl_DecrRefCount(options);
    return is;
}

int tacTclCall(Tcl_Interp *interp, Tcl_Obj *prefix, Tcl_Obj *word) {
    Tcl_Obj *call = tacKept(Tcl_DuplicateObj(prefix));
    Tcl_IncrRefCount(word);
    int code = Tcl_ListObjAppendElement(interp, call, word);
    if (code == TCL_OK) code = Tcl_EvalObjEx(interp, call, TCL_EVAL_GLOBAL);
    Tcl_DecrRefCount(word);
    Tcl_DecrRefCount(call);
    return code;
}

int64_t tacMicroseconds(void) {
    Tcl_Time now;
    Tcl_GetTime(&now);
    return (int64_t) now.sec * 1000000 + now.usec;
}

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
