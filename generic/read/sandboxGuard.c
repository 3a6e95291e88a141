/*
 * sandboxGuard.c -- estimates of how large a result will be, made before the command is called.
 */
#include <tcl.h>

#include "base/port.h"

#include "read/sandboxParts.h"

#include <stdlib.h>
#include <string.h>

enum {
    ELEMENT = 16, /* bytes that an element of a list takes in any case, roughly */
    VALUE = 64    /* the same of an element with a value of its own */
};

/* The number that an object is; 0 where it is negative or none. */
static int64_t wide(Tcl_Obj *object) {
    Tcl_WideInt value;
    return Tcl_GetWideIntFromObj(NULL, object, &value) == TCL_OK && value > 0 ? value : 0;
}

static int64_t bytes(Tcl_Obj *object) {
    int length;
    Tcl_GetStringFromObj(object, &length);
    return length;
}

/* The product and the sum of two numbers >= 0, or the largest number if they are larger. */
static int64_t product(int64_t a, int64_t b) {
    int64_t result;
    return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}
static int64_t sum(int64_t a, int64_t b) {
    int64_t result;
    return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

static int64_t repeatSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return objc == 3 ? product(bytes(objv[1]), wide(objv[2])) : -1;
}

static int64_t lrepeatSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return objc > 2 ? product(product(ELEMENT, objc - 2), wide(objv[1])) : -1;
}

/* Reads the digits at *at. */
static int64_t digits(const char **at) {
    int64_t n = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++) n = sum(product(n, 10), **at - '0');
    return n;
}

/* The width or precision that `*` takes from an argument, whose index is *argument; negative ones adjust to the left.
 */
static int64_t starNumber(int objc, Tcl_Obj *const objv[], int *argument) {
    Tcl_WideInt value = 0;
    int i = *argument;
    if (i >= objc) return 0;
    *argument = i + 1;
    if (Tcl_GetWideIntFromObj(NULL, objv[i], &value) != TCL_OK) return 0;
    return value == INT64_MIN ? INT64_MAX : value < 0 ? -value : value;
}

/* Sum of all widths and precisions: too much by a little, never too little. */
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
        while (*at && strchr("0123456789*.$ +-#", *at)) {
            bool isDigit = *at >= '0' && *at <= '9';
            int64_t number = isDigit ? digits(&at) : *at++ == '*' ? starNumber(objc, objv, &argument) : 0;
            /* %n$: the argument, and those of its stars, which follow it */
            if (isDigit && *at == '$') argument = number > 0 && number < objc - 1 ? (int) number + 1 : objc;
            else size = sum(size, number);
        }
        if (argument < objc) argument++;
    }
    return size;
}

/* `scan` without variables makes a list with room for the largest n of %n$. */
static int64_t scanSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    int64_t most = 0;
    if (objc != 3) return -1;
    for (const char *at = strchr(Tcl_GetString(objv[2]), '%'); at; at = strchr(at, '%')) {
        at++;
        int64_t number = digits(&at);
        if (*at == '$' && number > most) most = number;
    }
    return product(VALUE, most);
}

static int64_t joinSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    int length;
    if (objc != 3 || Tcl_ListObjLength(NULL, objv[1], &length) != TCL_OK) return -1;
    return sum(bytes(objv[1]), product(length > 0 ? length - 1 : 0, bytes(objv[2])));
}

/* Each character may become the longest text of the mapping. */
static int64_t mapSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    int length, longest = 1;
    Tcl_Obj **words;
    if (objc < 3 || Tcl_ListObjGetElements(NULL, objv[objc - 2], &length, &words) != TCL_OK) return -1;
    for (int i = 1; i < length; i += 2) {
        int64_t size = bytes(words[i]);
        if (size > longest) longest = (int) size;
    }
    return product(bytes(objv[objc - 1]), longest);
}

/* At most one match more than there are characters, and matches have no more characters together than the text. */
static int64_t regsubSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    bool all = false;
    int i = 1;
    (void) interp;
    for (; i < objc && *Tcl_GetString(objv[i]) == '-' && strcmp(Tcl_GetString(objv[i]), "--") != 0; i++) {
        all |= strcmp(Tcl_GetString(objv[i]), "-all") == 0;
        i += strcmp(Tcl_GetString(objv[i]), "-start") == 0;
    }
    i += i < objc && strcmp(Tcl_GetString(objv[i]), "--") == 0;
    if (objc - i < 3) return -1;
    int64_t text = bytes(objv[i + 1]), parts = 0;
    for (const char *at = Tcl_GetString(objv[i + 2]); *at; at++) parts += *at == '&' || *at == '\\';
    return sum(product(text, parts + 1), product(all ? text + 1 : 1, bytes(objv[i + 2])));
}

static int64_t appendSize(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int64_t size = 0;
    for (int i = 2; i < objc; i++) size = sum(size, bytes(objv[i]));
    Tcl_Obj *value = objc > 2 ? Tcl_ObjGetVar2(interp, objv[1], NULL, 0) : NULL;
    return value ? sum(size, bytes(value)) : size;
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
    {"::scan", "scan", scanSize, false},
    {"::append", "append", appendSize, true},
    {"::lappend", "lappend", lappendSize, true},
    {"::join", "join", joinSize, true},
    {"::tcl::string::map", "string map", mapSize, true},
    {"::regsub", "regsub", regsubSize, true},
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
