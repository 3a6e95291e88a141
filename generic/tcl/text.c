/*
 * text.c -- text between Tcl and the core.
 */
#include <tcl.h>

#include "tcl/text.h"

#include <string.h>

void tacTextFromObj(Tcl_Obj *object, Tcl_DString *text) {
    Tcl_Size length;
    const char *utf = Tcl_GetStringFromObj(object, &length);
    Tcl_Encoding encoding = Tcl_GetEncoding(NULL, "utf-8");
    Tcl_UtfToExternalDString(encoding, utf, length, text);
    Tcl_FreeEncoding(encoding);
}

bool tacSameText(Tcl_Obj *a, Tcl_Obj *b) { return a == b || strcmp(Tcl_GetString(a), Tcl_GetString(b)) == 0; }

Tcl_Obj *tacTextToObj(const char *text, size_t length) {
    Tcl_DString utf;
    Tcl_Encoding encoding = Tcl_GetEncoding(NULL, "utf-8");
    Tcl_ExternalToUtfDString(encoding, text, (int) length, &utf);
    Tcl_FreeEncoding(encoding);
    Tcl_Obj *object = Tcl_NewStringObj(Tcl_DStringValue(&utf), Tcl_DStringLength(&utf));
    Tcl_DStringFree(&utf);
    return object;
}

const char *tacPathFromObj(Tcl_Interp *interp, Tcl_Obj *file, Tcl_DString *path) {
    Tcl_DString translated;
    const char *name = Tcl_TranslateFileName(interp, Tcl_GetString(file), &translated);
    if (!name) return NULL;
    const char *native = Tcl_UtfToExternalDString(NULL, name, -1, path);
    Tcl_DStringFree(&translated);
    return native;
}
