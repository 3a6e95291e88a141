/*
 * logCmd.c -- tactus::sample: the beginning of a file as text, unpacked; tactus::logTable: that text as a mapping takes
 * it apart. With both a window shows a log while its mapping is written.
 */
#include <tcl.h>

#include "base/port.h"

#include "import/firstLines.h"
#include "import/logLook.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/optionTable.h"
#include "tcl/text.h"

#include <string.h>

/* ---- the beginning of a file ------------------------------------------------------------------------------------- */

static Tcl_Obj *sampleDict(const tacFirstLines *sample) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    const tacText *text = &sample->text;
    tacPut(dict, "text", tacTextToObj(text->at ? text->at : "", text->length));
    tacPutFlag(dict, "whole", sample->whole);
    tacPutFlag(dict, "binary", text->length > 0 && memchr(text->at, 0, text->length) != NULL);
    tacPutText(dict, "damage", sample->damage.at ? sample->damage.at : "");
    return dict;
}

int tacSampleCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    bool confined;
    Tcl_DString bytes;
    tacFirstLines sample = {.whole = false};
    tacError err = {{0}, {0}};
    (void) data;
    const char *path = tacConfinedPath(interp, objc, objv, &bytes, &confined);
    if (!path) return TCL_ERROR;
    tacStatus status = tacFirstLinesTake(path, confined, &sample, &err);
    Tcl_DStringFree(&bytes);
    if (status == TAC_OK) Tcl_SetObjResult(interp, sampleDict(&sample));
    tacFirstLinesFree(&sample);
    return status == TAC_OK ? TCL_OK : tacTclFail(interp, err.code, "%s", err.message);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

typedef struct Options {
    char *map;
    int64_t rows, columns;
    bool confined;
} Options;

static const tacOptionRow rows[] = {
    {"-map", TAC_VALUE_UTF8, offsetof(Options, map), NULL, "text", NULL, "the mapping's text; default: it is empty"},
    {"-rows", TAC_VALUE_COUNT, offsetof(Options, rows), NULL, "n", "200", "lines that are in the result, at most"},
    {"-columns", TAC_VALUE_COUNT, offsetof(Options, columns), NULL, "n", "100",
        "fields of a line that are in the result, at most"},
    TAC_CONFINED_ROW(Options),
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

typedef struct Table {
    Tcl_Obj *lines, *names, *columns, *words, *dict;
    int64_t rowsLeft, mostColumns;
    size_t widest; /* most fields of a line */
} Table;

enum { SHOWN = 200 }; /* bytes of a field that are in the result */

static Tcl_Obj *shownText(const tacWord *word) {
    size_t n = word->length < SHOWN ? word->length : SHOWN;
    while (n > 0 && n < word->length && ((unsigned char) word->at[n] & 0xC0) == 0x80) n--;
    return tacTextToObj(word->at, n);
}

static Tcl_Obj *wordObj(const tacWord *word) { return tacTextToObj(word->at, word->length); }

/* Takes a line: its part, error, text, fields. */
static void takeLine(Table *t, const tacWord *words, int count, uint32_t number) {
    bool names = tacWordIs(&words[0], "names");
    size_t fieldCount = (size_t) count - 3;
    if (fieldCount > t->widest) t->widest = fieldCount;
    if (!names && t->rowsLeft-- <= 0) return;
    Tcl_Obj *fields = names ? t->names : Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < fieldCount && (int64_t) i < t->mostColumns; i++) tacAppend(fields, shownText(&words[3 + i]));
    if (names) return;
    if (!fieldCount) tacAppend(fields, shownText(&words[2]));
    Tcl_Obj *row[4] = {Tcl_NewWideIntObj(number), wordObj(&words[0]), fields, wordObj(&words[1])};
    tacAppend(t->lines, Tcl_NewListObj(4, row));
}

static void takeName(Table *t, const tacWord *name) {
    Tcl_Size count;
    Tcl_ListObjLength(NULL, t->names, &count);
    if (count < t->mostColumns) tacAppend(t->names, shownText(name));
}

static void takeWord(Table *t, const tacWord *words, int count) {
    Tcl_Obj *all = Tcl_NewListObj(0, NULL);
    for (int i = 3; i < count; i++) tacAppend(all, wordObj(&words[i]));
    Tcl_Obj *row[3] = {wordObj(&words[1]), wordObj(&words[2]), all};
    tacAppend(t->words, Tcl_NewListObj(3, row));
}

/* Takes what a look finds: tacSink.command. */
static tacStatus take(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Table *t = data;
    (void) err;
    if (tacWordIs(&words[0], "setting")) {
        Tcl_DictObjPut(NULL, t->dict, wordObj(&words[1]), wordObj(&words[2]));
    } else if (tacWordIs(&words[0], "column")) {
        Tcl_Obj *pair[2] = {wordObj(&words[2]), wordObj(&words[3])};
        Tcl_DictObjPut(NULL, t->columns, wordObj(&words[1]), Tcl_NewListObj(2, pair));
    } else if (tacWordIs(&words[0], "word")) {
        takeWord(t, words, count);
    } else if (tacWordIs(&words[0], "name")) {
        takeName(t, &words[1]);
    } else {
        takeLine(t, words, count, line);
    }
    return TAC_OK;
}

/* Puts the parts of a table into its dict. */
static void finishTable(Table *t) {
    tacPut(t->dict, "names", t->names);
    tacPut(t->dict, "lines", t->lines);
    tacPut(t->dict, "columns", t->columns);
    tacPut(t->dict, "words", t->words);
    tacPutCount(t->dict, "fields", t->widest);
}

int tacLogTableCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Options options = {NULL, 200, 100, false};
    Tcl_DString text;
    tacError err = {{0}, {0}};
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "text ?-option value ...?");
        return TCL_ERROR;
    }
    if (tacOptionsParse(interp, rows, objc - 2, objv + 2, &options) != TCL_OK) {
        tacOptionsFree(rows, &options);
        return TCL_ERROR;
    }
    Table t = {Tcl_NewListObj(0, NULL), Tcl_NewListObj(0, NULL), Tcl_NewDictObj(), Tcl_NewListObj(0, NULL),
        Tcl_NewDictObj(), options.rows, options.columns, 0};
    const tacSink sink = {.data = &t, .command = take};
    const char *map = options.map ? options.map : "";
    tacTextFromObj(objv[1], &text);
    const tacLogLook look = {
        {Tcl_DStringValue(&text), (size_t) Tcl_DStringLength(&text)}, {map, strlen(map)}, options.confined};
    tacStatus status = tacLogLookAt(&look, &sink, &err);
    Tcl_DStringFree(&text);
    tacOptionsFree(rows, &options);
    finishTable(&t);
    Tcl_SetObjResult(interp, t.dict); /* freed with the result where the look failed */
    return status == TAC_OK ? TCL_OK : tacTclFail(interp, err.code, "%s", err.message);
}
