/*
 * sandboxGuard.c -- estimates of how large a result will be, made before the command is called.
 */
#include <tcl.h>

#include "base/port.h"

#include "read/sandboxParts.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENT = 16 }; /* bytes that an element of a list takes in any case, roughly */

/* The positive number that an object is, or 0. */
static int64_t wide(Tcl_Obj *object) {
    Tcl_WideInt value;
    return Tcl_GetWideIntFromObj(NULL, object, &value) == TCL_OK && value > 0 ? value : 0;
}

static int64_t bytes(Tcl_Obj *object) {
    int length;
    Tcl_GetStringFromObj(object, &length);
    return length;
}

/* The product of two numbers >= 0, or the largest number if it is larger. */
static int64_t product(int64_t a, int64_t b) { return a && b > INT64_MAX / a ? INT64_MAX : a * b; }

static int64_t repeatSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return objc == 3 ? product(bytes(objv[1]), wide(objv[2])) : -1;
}

static int64_t lrepeatSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return objc > 2 ? product(product(ELEMENT, objc - 2), wide(objv[1])) : -1;
}

/* Reads the number at *at, or takes that of the next argument for `*`. */
static int64_t formatNumber(const char **at, int objc, Tcl_Obj *const objv[], int *argument) {
    if (**at == '*') {
        (*at)++;
        int i = (*argument)++;
        Tcl_WideInt value = 0; /* negative widths adjust to the left */
        if (i >= objc || Tcl_GetWideIntFromObj(NULL, objv[i], &value) != TCL_OK) return 0;
        return value < 0 ? -value : value;
    }
    int64_t n = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        if (n < INT64_MAX / 20) n = 10 * n + (**at - '0');
    return n;
}

/* Sum of all widths and precisions. %n$ counts its number as a width: too much by a little, never too little. */
static int64_t formatSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    if (objc < 2) return -1;
    int64_t size = 0;
    int argument = 2;
    for (const char *at = strchr(Tcl_GetString(objv[1]), '%'); at; at = strchr(at, '%')) {
        if (*++at == '%') {
            at++;
            continue;
        }
        for (; *at && strchr("0123456789*.$ +-#", *at);) {
            if ((*at < '0' || *at > '9') && *at != '*') at++;
            else if (size < INT64_MAX / 2) size += formatNumber(&at, objc, objv, &argument);
            else return size;
        }
        argument++;
    }
    return size;
}

static int64_t appendSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int64_t size = 0;
    for (int i = 2; i < objc; i++) size += bytes(objv[i]);
    Tcl_Obj *value = objc > 2 ? Tcl_ObjGetVar2(interp, objv[1], NULL, 0) : NULL;
    return value ? size + bytes(value) : size;
}

/* Counts elements and not bytes: a list that grows one by one must not be turned into a string each time. */
static int64_t lappendSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int length = 0;
    Tcl_Obj *value = objc > 2 ? Tcl_ObjGetVar2(interp, objv[1], NULL, 0) : NULL;
    if (value && Tcl_ListObjLength(NULL, value, &length) != TCL_OK) return -1;
    return product(ELEMENT, (int64_t) length + objc);
}

/* The guarded commands. */
static const struct {
    const char *name;
    const char *shown; /* in messages */
    int64_t (*size)(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);
    bool variable; /* only when variables are guarded as well */
} guarded[TAC_GUARDS] = {
    {"::tcl::string::repeat", "string repeat", repeatSize, false},
    {"::format", "format", formatSize, false},
    {"::lrepeat", "lrepeat", lrepeatSize, false},
    {"::append", "append", appendSize, true},
    {"::lappend", "lappend", lappendSize, true},
};

/* Calls the guarded command unless its result would be too large. */
static int guardedCommand(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacGuard *guard = data;
    int64_t size = guard->size(interp, objc, objv);
    if (size <= guard->limit) return guard->original.objProc(guard->original.objClientData, interp, objc, objv);
    Tcl_SetObjResult(interp,
        Tcl_ObjPrintf("%s: the result would be larger than %ld MB; raise the limit with -memorylimit", guard->name,
            (long) (guard->limit >> 20)));
    Tcl_SetErrorCode(interp, "TACTUS", "SCRIPT", "SIZE", NULL);
    return TCL_ERROR;
}

tacStatus tacGuardCommands(
    Tcl_Interp *interp, tacGuard guards[TAC_GUARDS], int64_t limit, bool alsoVariables, tacError *err) {
    for (int i = 0; i < TAC_GUARDS; i++) {
        if (guarded[i].variable && !alsoVariables) continue;
        guards[i].limit = limit;
        guards[i].size = guarded[i].size;
        guards[i].name = guarded[i].shown;
        if (!Tcl_GetCommandInfo(interp, guarded[i].name, &guards[i].original))
            return tacFail(
                err, "SCRIPT SANDBOX", "cannot prepare the interpreter for the trace: no %s", guarded[i].name);
        Tcl_CreateObjCommand(interp, guarded[i].name, guardedCommand, &guards[i], NULL);
    }
    return TAC_OK;
}
