/*
 * logCmd.c -- tactus::sample: the beginning of a file as text, unpacked; tactus::logTable: that text as a mapping takes
 * it apart. With both a window shows a log while its mapping is written.
 */
#include <tcl.h>

#include "base/port.h"

#include "import/logLook.h"
#include "read/source.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/optionTable.h"
#include "tcl/text.h"

#include <string.h>

/* ---- the beginning of a file ------------------------------------------------------------------------------------- */

enum { SAMPLE_BYTES = 1 << 18, SAMPLE_LINES = 2000 };

/* The length of the first lines; *whole: there are no more, and the last one has its newline or the file's end. */
static size_t firstLines(const tacSource *source, size_t length, int lines, bool *whole) {
    const char *at = source->at, *end = source->at + length;
    *whole = source->ended && source->at + length == source->end;
    for (int i = 0; i < lines; i++) {
        const char *newline = memchr(at, '\n', (size_t) (end - at));
        if (!newline) { /* a half line belongs to the sample where it is the file's last, or the only one */
            if (*whole || i == 0) at = end;
            break;
        }
        at = newline + 1;
    }
    *whole = *whole && at == end;
    return (size_t) (at - source->at);
}

static Tcl_Obj *sampleDict(const tacSource *source) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    bool whole;
    size_t all = (size_t) (source->end - source->at), length = all < SAMPLE_BYTES ? all : SAMPLE_BYTES;
    length = firstLines(source, length, SAMPLE_LINES, &whole);
    tacPut(dict, "text", tacTextToObj(source->at, length));
    tacPutFlag(dict, "whole", whole);
    tacPutFlag(dict, "binary", length > 0 && memchr(source->at, 0, length) != NULL);
    tacPutText(dict, "damage", *source->damage.code ? source->damage.message : "");
    return dict;
}

int tacSampleCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_DString bytes;
    tacSource source;
    tacError err = {{0}, {0}};
    (void) data;
    if (objc != 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "file");
        return TCL_ERROR;
    }
    const char *path = tacPathFromObj(interp, objv[1], &bytes);
    if (!path) return TCL_ERROR;
    tacStatus status = tacSourceOpen(&source, path, &err);
    Tcl_DStringFree(&bytes);
    if (status == TAC_OK) {
        tacSourceSettle(&source);
        while (status == TAC_OK && !source.ended && source.end - source.at < SAMPLE_BYTES)
            status = tacSourceNext(&source, NULL, NULL, &err);
        if (status == TAC_OK) Tcl_SetObjResult(interp, sampleDict(&source));
        tacSourceClose(&source);
    }
    return status == TAC_OK ? TCL_OK : tacTclFail(interp, err.code, "%s", err.message);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

typedef struct Options {
    char *map;
    int64_t rows, columns;
} Options;

static const tacOptionRow rows[] = {
    {"-map", TAC_VALUE_UTF8, offsetof(Options, map), NULL, "text", NULL, "the mapping's text; default: it is empty"},
    {"-rows", TAC_VALUE_COUNT, offsetof(Options, rows), NULL, "n", "200", "lines that are in the result, at most"},
    {"-columns", TAC_VALUE_COUNT, offsetof(Options, columns), NULL, "n", "100",
        "fields of a line that are in the result, at most"},
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
    return word->at ? tacTextToObj(word->at, n) : Tcl_NewObj();
}

static void takeLine(void *data, const tacLogLookLine *line) {
    Table *t = data;
    bool names = strcmp(line->part, "names") == 0;
    if (line->count > t->widest) t->widest = line->count;
    if (!names && t->rowsLeft-- <= 0) return;
    Tcl_Obj *fields = names ? t->names : Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < line->count && (int64_t) i < t->mostColumns; i++)
        tacAppend(fields, shownText(&line->fields[i]));
    if (names) return;
    if (!line->count) tacAppend(fields, shownText(&line->text));
    Tcl_Obj *row[4] = {Tcl_NewWideIntObj(line->number), Tcl_NewStringObj(line->part, -1), fields,
        Tcl_NewStringObj(line->why ? line->why : "", -1)};
    tacAppend(t->lines, Tcl_NewListObj(4, row));
}

static void takeName(void *data, const tacWord *name) {
    Table *t = data;
    Tcl_Size count;
    Tcl_ListObjLength(NULL, t->names, &count);
    if (count < t->mostColumns) tacAppend(t->names, shownText(name));
}

static void takeSetting(void *data, const char *name, const char *value) {
    tacPutText(((Table *) data)->dict, name, value);
}

static void takeColumn(void *data, const char *meaning, const char *name, uint32_t number) {
    Tcl_Obj *pair[2] = {
        tacTextToObj(name, strlen(name)), number == TAC_NONE ? Tcl_NewObj() : Tcl_NewWideIntObj(number)};
    tacPut(((Table *) data)->columns, meaning, Tcl_NewListObj(2, pair));
}

static void takeWord(void *data, const tacWord *word, uint64_t count, const char *const *meanings) {
    Tcl_Obj *all = Tcl_NewListObj(0, NULL);
    for (; *meanings; meanings++) tacAppend(all, Tcl_NewStringObj(*meanings, -1));
    Tcl_Obj *row[3] = {tacTextToObj(word->at, word->length), Tcl_NewWideIntObj((Tcl_WideInt) count), all};
    tacAppend(((Table *) data)->words, Tcl_NewListObj(3, row));
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
    Options options = {NULL, 200, 100};
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
    const tacLogLooker looker = {&t, takeLine, takeName, takeSetting, takeColumn, takeWord};
    const char *map = options.map ? options.map : "";
    tacTextFromObj(objv[1], &text);
    tacStatus status = tacLogLook(
        Tcl_DStringValue(&text), (size_t) Tcl_DStringLength(&text), map, strlen(map), &looker, &err);
    Tcl_DStringFree(&text);
    tacOptionsFree(rows, &options);
    finishTable(&t);
    Tcl_SetObjResult(interp, t.dict); /* freed with the result where the look failed */
    return status == TAC_OK ? TCL_OK : tacTclFail(interp, err.code, "%s", err.message);
}
