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
#include <string.h>

/* Reads the file of `path noun ?bytes?` into a text that the caller frees. */
static int readFile(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], tacText *bytes) {
    Tcl_WideInt most = TAC_PLAIN_MOST;
    Tcl_DString native;
    tacError err = {0};
    if (objc != 3 && objc != 4) {
        Tcl_WrongNumArgs(interp, 1, objv, "path noun ?bytes?");
        return TCL_ERROR;
    }
    if (objc == 4 && Tcl_GetWideIntFromObj(interp, objv[3], &most) != TCL_OK) return TCL_ERROR;
    if (most < 0 || most > INT_MAX / 2) most = INT_MAX / 2;
    const char *path = Tcl_UtfToExternalDString(NULL, Tcl_GetString(objv[1]), -1, &native);
    tacStatus status = tacFileContents(path, Tcl_GetString(objv[2]), (uint64_t) most, bytes, &err);
    Tcl_DStringFree(&native);
    return status == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
}

int tacContentsCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacText bytes = {0};
    (void) data;
    int code = readFile(interp, objc, objv, &bytes);
    if (code == TCL_OK)
        Tcl_SetObjResult(interp, Tcl_NewByteArrayObj((const unsigned char *) bytes.at, (int) bytes.length));
    tacTextFree(&bytes);
    return code;
}

/* ---- pieces of a text ---- */

/* Is this line, which ends with a newline, a comment or empty? */
static bool isComment(const char *line) {
    line += strspn(line, " \t\v\f\r");
    return *line == '#' || *line == '\n';
}

/* Has this text a NUL, in either of its forms? */
static bool hasNul(const tacText *text) {
    const char *at = text->at, *end = text->at + text->length;
    if (memchr(at, 0, text->length)) return true;
    while ((at = memchr(at, 0xC0, (size_t) (end - at)))) /* in Tcl's own form a NUL is C0 80 */
        if (++at < end && *at == '\x80') return true;
    return false;
}

/* Replaces line ends of two characters. */
static void plainLineEnds(tacText *text) {
    char *to = memchr(text->at, '\r', text->length);
    if (!to) return;
    for (const char *from = to, *end = text->at + text->length; from < end; from++)
        if (*from != '\r' || from + 1 == end || from[1] != '\n') *to++ = *from;
    text->length = (size_t) (to - text->at);
}

/* Adds the pieces of a text that ends with a newline: the number of the line where one begins, and itself, without the
 * newline; of one that is not complete at the end, or after very many lines, the number alone. */
static void addPieces(Tcl_Obj *list, tacText *text) {
    enum { LINES = 10000 }; /* of a piece at most: each time all of it is looked at */
    const char *begin = text->at;
    int64_t number = 1, first = 1;
    for (char *line = text->at, *next; line < text->at + text->length; line = next, number++) {
        next = (char *) memchr(line, '\n', (size_t) (text->at + text->length - line)) + 1;
        char after = *next;
        *next = 0;
        bool complete = (begin == line && isComment(line)) || Tcl_CommandComplete(begin);
        *next = after;
        if (!complete && number - first < LINES) continue;
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewWideIntObj(first));
        if (!complete) return;
        Tcl_ListObjAppendElement(NULL, list, tacTextToObj(begin, (size_t) (next - 1 - begin)));
        begin = next;
        first = number + 1;
    }
    if (begin < text->at + text->length) Tcl_ListObjAppendElement(NULL, list, Tcl_NewWideIntObj(first));
}

int tacPiecesCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacText text = {0};
    (void) data;
    if (readFile(interp, objc, objv, &text) != TCL_OK) return TCL_ERROR;
    if (text.length && text.at[text.length - 1] != '\n') tacTextAddString(&text, "\n");
    int code = text.failed ? tacTclMemory(interp) : TCL_OK;
    if (code == TCL_OK && text.length && hasNul(&text)) code = tacTclFail(interp, "FILE TEXT", "not a text");
    if (code == TCL_OK && text.length) {
        Tcl_Obj *list = Tcl_NewListObj(0, NULL);
        plainLineEnds(&text);
        addPieces(list, &text);
        Tcl_SetObjResult(interp, list);
    }
    tacTextFree(&text);
    return code;
}

/* ---- what else is known of a file ---- */

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
