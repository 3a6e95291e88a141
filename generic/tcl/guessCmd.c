/*
 * guessCmd.c -- tactus::guessMap: what `tactus map` prints and -map auto uses.
 */
#include <tcl.h>

#include "base/port.h"

#include "open/open.h"
#include "tcl/dispatch.h"
#include "tcl/guessCmd.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"

#include <string.h>

typedef struct Options {
    const char *format;
    bool text;
    Tcl_Obj *progress;
} Options;

static const tacOptionRow rows[] = {
    {"-format", TAC_VALUE_TEXT, offsetof(Options, format), NULL, "format", NULL,
        "format of the file; default: found out from its first bytes"},
    {"-text", TAC_VALUE_FLAG, offsetof(Options, text), NULL, NULL, "no", "the word is the trace's text, not its file"},
    {"-progress", TAC_VALUE_OBJECT, offsetof(Options, progress), NULL, "prefix", NULL,
        "as of tactus::open; the phase is guessing"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

static tacStatus guessFile(
    Tcl_Interp *interp, Tcl_Obj *file, const char *format, tacProgress *progress, tacText *mapping, tacError *err) {
    Tcl_DString translated, native;
    const char *path = Tcl_TranslateFileName(interp, Tcl_GetString(file), &translated);
    if (!path) return tacFail(err, "FILE NAME", "%s", Tcl_GetStringResult(interp));
    const char *slash = strrchr(Tcl_GetString(file), '/');
    const char *name = slash ? slash + 1 : Tcl_GetString(file);
    tacStatus status = tacMappingGuess(
        Tcl_UtfToExternalDString(NULL, path, -1, &native), NULL, 0, format, name, progress, mapping, err);
    Tcl_DStringFree(&native);
    Tcl_DStringFree(&translated);
    return status;
}

static tacStatus guessText(Tcl_Obj *text, const char *format, tacProgress *progress, tacText *mapping, tacError *err) {
    Tcl_DString bytes;
    Tcl_Size length;
    const char *utf = Tcl_GetStringFromObj(text, &length);
    Tcl_Encoding encoding = Tcl_GetEncoding(NULL, "utf-8");
    Tcl_UtfToExternalDString(encoding, utf, length, &bytes);
    tacStatus status = tacMappingGuess(
        "text", Tcl_DStringValue(&bytes), (size_t) Tcl_DStringLength(&bytes), format, "text", progress, mapping, err);
    Tcl_DStringFree(&bytes);
    Tcl_FreeEncoding(encoding);
    return status;
}

/* UTF-8 of the world into Tcl's. */
static Tcl_Obj *textObject(const tacText *text) {
    Tcl_DString utf;
    Tcl_Encoding encoding = Tcl_GetEncoding(NULL, "utf-8");
    Tcl_ExternalToUtfDString(encoding, text->at ? text->at : "", (int) text->length, &utf);
    Tcl_FreeEncoding(encoding);
    Tcl_Obj *object = Tcl_NewStringObj(Tcl_DStringValue(&utf), Tcl_DStringLength(&utf));
    Tcl_DStringFree(&utf);
    return object;
}

static int guess(Tcl_Interp *interp, Tcl_Obj *what, const Options *options) {
    tacText mapping = {0};
    tacError err = {{0}, {0}};
    tacProgressScript script;
    tacProgressScriptInit(&script, interp, options->progress, "guessing", 0);
    Tcl_Preserve(interp);
    tacStatus status = options->text ? guessText(what, options->format, &script.progress, &mapping, &err)
                                     : guessFile(interp, what, options->format, &script.progress, &mapping, &err);
    int code = tacProgressScriptEnd(&script, status, &err);
    if (code == TCL_OK) Tcl_SetObjResult(interp, textObject(&mapping));
    Tcl_Release(interp);
    tacTextFree(&mapping);
    return code;
}

int tacGuessMapCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Options options = {NULL, false, NULL};
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "file ?-option value ...?");
        return TCL_ERROR;
    }
    int result = tacOptionsParse(interp, rows, objc - 2, objv + 2, &options);
    if (result == TCL_OK) result = guess(interp, objv[1], &options);
    tacOptionsFree(rows, &options);
    return result;
}

/* Safe interpreters have no files. */
int tacGuessMapRefusedCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data, (void) objc, (void) objv;
    return tacTclFail(interp, "SAFE", "a safe interpreter cannot open files");
}
