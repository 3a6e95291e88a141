/*
 * text.c -- text between Tcl and the core.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/print.h"
#include "tcl/commands.h"
#include "tcl/text.h"
#include "view/maths.h"

#include <string.h>

void tacTextFromObj(Tcl_Obj *object, Tcl_DString *text) {
    Tcl_Size length;
    const char *utf = Tcl_GetStringFromObj(object, &length);
    Tcl_Encoding encoding = Tcl_GetEncoding(NULL, "utf-8");
    Tcl_UtfToExternalDString(encoding, utf, length, text);
    Tcl_FreeEncoding(encoding);
}

bool tacSameText(Tcl_Obj *a, Tcl_Obj *b) { return a == b || strcmp(Tcl_GetString(a), Tcl_GetString(b)) == 0; }

/* Is this text the same in Tcl's form? */
static bool isSame(const char *text, size_t length) {
    unsigned char other = 0; /* of no character: looking at all of them is faster than ending at the first */
    for (size_t i = 0; i < length; i++) other |= (unsigned char) (text[i] | (text[i] - 1)) & 0x80;
    return !other;
}

Tcl_Obj *tacTextToObj(const char *text, size_t length) {
    if (isSame(text, length)) return Tcl_NewStringObj(text, (Tcl_Size) length);
    Tcl_DString utf;
    Tcl_Encoding encoding = Tcl_GetEncoding(NULL, "utf-8");
    Tcl_ExternalToUtfDString(encoding, text, (int) length, &utf);
    Tcl_FreeEncoding(encoding);
    Tcl_Obj *object = Tcl_NewStringObj(Tcl_DStringValue(&utf), Tcl_DStringLength(&utf));
    Tcl_DStringFree(&utf);
    return object;
}

int tacShownTextCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    Tcl_Size length;
    tacText shown = {0};
    if (objc != 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "text");
        return TCL_ERROR;
    }
    const char *text = Tcl_GetStringFromObj(objv[1], &length);
    bool other = tacMathsPlain(text, (size_t) length, false, &shown);
    Tcl_SetObjResult(interp, other ? Tcl_NewStringObj(shown.at, (Tcl_Size) shown.length) : objv[1]);
    tacTextFree(&shown);
    return TCL_OK;
}

int tacFormatCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "formatString ?arg ...?");
        return TCL_ERROR;
    }
    tacPointLocale locale = tacPointEnter();
    Tcl_Obj *text = Tcl_Format(interp, Tcl_GetString(objv[1]), objc - 2, objv + 2);
    tacPointLeave(locale);
    if (text) Tcl_SetObjResult(interp, text);
    return text ? TCL_OK : TCL_ERROR;
}

const char *tacPathFromObj(Tcl_Interp *interp, Tcl_Obj *file, Tcl_DString *path) {
    Tcl_DString translated;
    const char *name = Tcl_TranslateFileName(interp, Tcl_GetString(file), &translated);
    if (!name) return NULL;
    const char *native = Tcl_UtfToExternalDString(NULL, name, -1, path);
    Tcl_DStringFree(&translated);
    return native;
}
