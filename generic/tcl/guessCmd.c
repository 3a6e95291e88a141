/*
 * guessCmd.c -- tactus::guessMap: makes the mapping that `tactus map` prints and -map auto uses; tactus::recognize: the
 * format of a file.
 */
#include <tcl.h>

#include "base/port.h"

#include "open/open.h"
#include "tcl/commands.h"
#include "tcl/dispatch.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/text.h"

#include <string.h>

typedef struct Options {
    const char *format;
    bool text, confined;
    Tcl_Obj *progress;
} Options;

static const tacOptionRow rows[] = {
    {"-format", TAC_VALUE_TEXT, offsetof(Options, format), NULL, "format", NULL,
        "format of the file; default: found out from its first bytes"},
    {"-text", TAC_VALUE_FLAG, offsetof(Options, text), NULL, NULL, "no", "the word is the trace's text, not its file"},
    {"-progress", TAC_VALUE_OBJECT, offsetof(Options, progress), NULL, "prefix", NULL,
        "as of tactus::open; the phase is guessing"},
    TAC_CONFINED_ROW(Options),
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* Guesses the mapping of a recording, a text or a file. */
static tacStatus guess(
    Tcl_Interp *interp, Tcl_Obj *what, const Options *options, tacProgress *progress, tacText *mapping, tacError *err) {
    const char *said = Tcl_GetString(what), *slash = options->text ? NULL : strrchr(said, '/');
    tacGlance look = {.format = options->format,
        .name = options->text ? "text"
            : slash           ? slash + 1
                              : said,
        .confined = options->confined,
        .progress = progress};
    Tcl_DString bytes;
    if (options->text) {
        tacTextFromObj(what, &bytes);
        look.text = Tcl_DStringValue(&bytes);
        look.length = (size_t) Tcl_DStringLength(&bytes);
    } else if (!(look.file = tacPathFromObj(interp, what, &bytes))) {
        return tacFail(err, "FILE NAME", "%s", Tcl_GetStringResult(interp));
    }
    tacStatus status = tacMappingGuess(&look, mapping, err);
    Tcl_DStringFree(&bytes);
    return status;
}

int tacGuessMapCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Options options = {NULL, false, false, NULL};
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "file ?-option value ...?");
        return TCL_ERROR;
    }
    if (tacOptionsParse(interp, rows, objc - 2, objv + 2, &options) != TCL_OK) return TCL_ERROR;
    tacText mapping = {0};
    tacError err = {{0}, {0}};
    tacProgressScript script;
    tacProgressScriptInit(&script, interp, options.progress, "guessing", 0);
    Tcl_Preserve(interp);
    tacStatus status = guess(interp, objv[1], &options, &script.progress, &mapping, &err);
    int code = tacProgressScriptEnd(&script, status, &err);
    if (code == TCL_OK) Tcl_SetObjResult(interp, tacTextToObj(mapping.at ? mapping.at : "", mapping.length));
    Tcl_Release(interp);
    tacTextFree(&mapping);
    return code;
}

int tacRecognizeCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_DString bytes;
    tacGlance look = {.file = NULL};
    tacError err = {{0}, {0}};
    const char *format = NULL;
    (void) data;
    look.file = tacConfinedPath(interp, objc, objv, &bytes, &look.confined);
    if (!look.file) return TCL_ERROR;
    tacStatus status = tacTraceRecognize(&look, &format, &err);
    Tcl_DStringFree(&bytes);
    if (status != TAC_OK) return tacTclFail(interp, err.code, "%s", err.message);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(format ? format : "", -1));
    return TCL_OK;
}
