/*
 * optionTable.c -- parses options by a table of rows, and describes the rows.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/names.h"
#include "base/print.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/optionTable.h"
#include "tcl/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const tacUnit tacUnits[] = {
    {"pt", 1.0}, {"in", 72.0}, {"mm", 72.0 / 25.4}, {"cm", 720.0 / 25.4}, {"px", 0.75}, {NULL, 0}};

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* The parsers store the value of a word in its place; false: the word is no such value. */

static bool parseTime(Tcl_Obj *word, void *at) {
    tacTimeValue *value = at;
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    value->given = tacDecimalParse(text, (size_t) length, &value->decimal) == TAC_OK;
    return value->given;
}

static bool parseNumber(Tcl_Obj *word, void *at) {
    double *value = at;
    return Tcl_GetDoubleFromObj(NULL, word, value) == TCL_OK && isfinite(*value) && *value >= 0;
}

static bool parseCount(Tcl_Obj *word, void *at) {
    Tcl_WideInt wide;
    if (Tcl_GetWideIntFromObj(NULL, word, &wide) != TCL_OK || wide < 0) return false;
    *(int64_t *) at = wide;
    return true;
}

static bool parseBytes(Tcl_Obj *word, void *at) {
    static const struct {
        const char *name;
        int64_t bytes;
    } factors[] = {{"", 1}, {"k", 1 << 10}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}};
    const char *text = Tcl_GetString(word);
    char *end;
    if (*text < '0' || *text > '9') return false;
    long long number = strtoll(text, &end, 10);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        if (strcmp(end, factors[i].name) == 0 && number <= INT64_MAX / factors[i].bytes)
            return *(int64_t *) at = number * factors[i].bytes, true;
    return false;
}

static bool parseLength(Tcl_Obj *word, void *at) {
    tacLengthValue *value = at;
    const char *text = Tcl_GetString(word);
    size_t digits = strspn(text, "0123456789.");
    char number[32];
    if (digits == 0 || digits >= sizeof number) return false;
    memcpy(number, text, digits);
    number[digits] = '\0';
    char *end;
    value->number = tacNumberRead(number, &end);
    value->pointsPerUnit = 0;
    const char *unit = text + digits;
    for (const tacUnit *known = tacUnits; known->name; known++)
        if (strcmp(unit, known->name) == 0) value->pointsPerUnit = known->points;
    value->given = *end == '\0' && (*unit == '\0' || value->pointsPerUnit > 0);
    return value->given;
}

static bool parseFlag(Tcl_Obj *word, void *at) {
    int flag;
    if (Tcl_GetBooleanFromObj(NULL, word, &flag) != TCL_OK) return false;
    *(bool *) at = flag != 0;
    return true;
}

static bool parseList(Tcl_Obj *word, void *at) {
    const char *const **value = at;
    Tcl_Size count;
    const char **words;
    if (Tcl_SplitList(NULL, Tcl_GetString(word), &count, &words) != TCL_OK) return false;
    if (*value) Tcl_Free((char *) *value);
    *value = words;
    return true;
}

static bool parseNames(Tcl_Obj *word, void *at) {
    const char *const **value = at;
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    ptrdiff_t count = tacNames(text, NULL, NULL);
    if (count < 0) return false;
    size_t table = ((size_t) count + 1) * sizeof(char *);
    const char **names = (const char **) (void *) Tcl_Alloc((unsigned) (table + (size_t) length + 1));
    tacNames(text, names, (char *) names + table);
    if (*value) Tcl_Free((char *) *value);
    *value = names;
    return true;
}

/* Stores a copy of a text in the place of the one before. */
static void storeCopy(const char *text, size_t length, char **value) {
    if (*value) Tcl_Free(*value);
    *value = Tcl_Alloc((unsigned) length + 1);
    memcpy(*value, text, length);
    (*value)[length] = '\0';
}

static bool parseUtf8(Tcl_Obj *word, void *at) {
    Tcl_DString text;
    tacTextFromObj(word, &text);
    storeCopy(Tcl_DStringValue(&text), (size_t) Tcl_DStringLength(&text), at);
    Tcl_DStringFree(&text);
    return true;
}

/* Stores a path as the system takes it, or one of the words that stand for no file. */
static int storeFile(Tcl_Interp *interp, const tacOptionRow *row, Tcl_Obj *word, char **value) {
    Tcl_DString path;
    const char *text = Tcl_GetString(word);
    for (const char *const *known = row->words; known && *known; known++)
        if (strcmp(text, *known) == 0) return storeCopy(text, strlen(text), value), TCL_OK;
    if (Tcl_IsSafe(interp)) return tacTclFail(interp, "SAFE", "a safe interpreter cannot open files: %s", row->name);
    if (!tacPathFromObj(interp, word, &path)) return TCL_ERROR;
    storeCopy(Tcl_DStringValue(&path), (size_t) Tcl_DStringLength(&path), value);
    Tcl_DStringFree(&path);
    return TCL_OK;
}

static bool parseText(Tcl_Obj *word, void *at) {
    *(const char **) at = Tcl_GetString(word);
    return true;
}

static bool parseObject(Tcl_Obj *word, void *at) {
    *(Tcl_Obj **) at = word;
    return true;
}

static const struct ValueType {
    const char *name;                       /* in descriptions of options */
    bool (*parse)(Tcl_Obj *word, void *at); /* NULL: storeValue, which has the interpreter */
    const char *expected;                   /* a description of good values, for messages */
    bool owned;                             /* the record has a copy, which tacOptionsFree frees */
} types[] = {
    [TAC_VALUE_TIME] = {"time", parseTime, "a number in the trace's time units", false},
    [TAC_VALUE_LENGTH] = {"length", parseLength, "a number with pt, in, mm, cm or px", false},
    [TAC_VALUE_NUMBER] = {"number", parseNumber, "a number that is not negative", false},
    [TAC_VALUE_COUNT] = {"count", parseCount, "an integer that is not negative", false},
    [TAC_VALUE_BYTES] = {"bytes", parseBytes, "an integer that is not negative, which k, M or G may follow", false},
    [TAC_VALUE_FLAG] = {"flag", parseFlag, "a boolean", false},
    [TAC_VALUE_WORD] = {"word", NULL, NULL, false},
    [TAC_VALUE_TEXT] = {"text", parseText, NULL, false},
    [TAC_VALUE_UTF8] = {"text", parseUtf8, NULL, true},
    [TAC_VALUE_FILE] = {"text", NULL, NULL, true},
    [TAC_VALUE_LIST] = {"list", parseList, "a list", true},
    [TAC_VALUE_NAMES] = {"names", parseNames, "names, with blanks or commas between them", true},
    [TAC_VALUE_OBJECT] = {"script", parseObject, NULL, false},
};

static int storeValue(Tcl_Interp *interp, const tacOptionRow *row, Tcl_Obj *word, void *record) {
    void *at = (char *) record + row->offset;
    if (row->type == TAC_VALUE_WORD) {
        char what[64] = "value of ";
        strncat(what, row->name, sizeof what - strlen(what) - 1);
        return Tcl_GetIndexFromObjStruct(interp, word, row->words, sizeof *row->words, what, TCL_EXACT, at);
    }
    if (row->type == TAC_VALUE_FILE) return storeFile(interp, row, word, at);
    if (types[row->type].parse(word, at)) return TCL_OK;
    return tacTclFail(interp, "USAGE VALUE", "bad value \"%.100s\" of %s: must be %s", Tcl_GetString(word), row->name,
        types[row->type].expected);
}

/* ---- parsing ---------------------------------------------------------------------------------------------------- */

/* Index of the row of an option, which may have two dashes. */
static int findOption(Tcl_Interp *interp, const tacOptionRow *rows, Tcl_Obj *word, int *index) {
    const char *text = Tcl_GetString(word);
    if (text[0] != '-' || text[1] != '-')
        return Tcl_GetIndexFromObjStruct(interp, word, rows, sizeof *rows, "option", 0, index);
    Tcl_Obj *single = Tcl_NewStringObj(text + 1, -1);
    Tcl_IncrRefCount(single);
    int status = Tcl_GetIndexFromObjStruct(interp, single, rows, sizeof *rows, "option", 0, index);
    Tcl_DecrRefCount(single);
    return status;
}

int tacOptionsParse(Tcl_Interp *interp, const tacOptionRow *rows, int objc, Tcl_Obj *const objv[], void *record) {
    for (int i = 0; i < objc; i++) {
        int index, ignored;
        if (findOption(interp, rows, objv[i], &index) != TCL_OK) return TCL_ERROR;
        const tacOptionRow *row = &rows[index];
        Tcl_Obj *next = i + 1 < objc ? objv[i + 1] : NULL;
        /* A flag without value stands at the end or before another option. */
        if (row->type == TAC_VALUE_FLAG
            && (!next || (*Tcl_GetString(next) == '-' && Tcl_GetBooleanFromObj(NULL, next, &ignored) != TCL_OK))) {
            *(bool *) ((char *) record + row->offset) = true;
            continue;
        }
        if (!next) return tacTclFail(interp, "USAGE MISSING", "value of \"%s\" missing", row->name);
        if (storeValue(interp, row, next, record) != TCL_OK) return TCL_ERROR;
        i++;
    }
    return TCL_OK;
}

void tacOptionsFree(const tacOptionRow *rows, void *record) {
    for (const tacOptionRow *row = rows; row->name; row++) {
        if (!types[row->type].owned) continue;
        char **value = (char **) (void *) ((char *) record + row->offset);
        if (*value) Tcl_Free(*value);
        *value = NULL;
    }
}

/* ---- lists of names --------------------------------------------------------------------------------------------- */

Tcl_Obj *tacNamesList(Tcl_Interp *interp, Tcl_Obj *text) {
    const char *const *names = NULL;
    if (!parseNames(text, &names)) {
        tacTclFail(interp, "USAGE VALUE", "bad list \"%.100s\": must be %s", Tcl_GetString(text),
            types[TAC_VALUE_NAMES].expected);
        return NULL;
    }
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (const char *const *name = names; *name; name++) tacAppend(list, Tcl_NewStringObj(*name, -1));
    Tcl_Free((char *) names);
    return list;
}

int tacNamesCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "text");
        return TCL_ERROR;
    }
    Tcl_Obj *list = tacNamesList(interp, objv[1]);
    if (!list) return TCL_ERROR;
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* ---- describing ------------------------------------------------------------------------------------------------- */

Tcl_Obj *tacOptionsDescribe(const tacOptionRow *rows) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (const tacOptionRow *row = rows; row->name; row++) {
        const char *type = types[row->type].name;
        Tcl_Obj *dict = Tcl_NewDictObj(), *words = Tcl_NewListObj(0, NULL);
        for (const char *const *word = row->type == TAC_VALUE_WORD ? row->words : NULL; word && *word; word++)
            tacAppend(words, Tcl_NewStringObj(*word, -1));
        tacPutText(dict, "name", row->name);
        tacPutText(dict, "type", type);
        tacPutText(dict, "argument", row->argument ? row->argument : row->type == TAC_VALUE_FLAG ? "" : type);
        tacPut(dict, "words", words);
        tacPutText(dict, "default", row->initial);
        tacPutText(dict, "help", row->help);
        tacAppend(list, dict);
    }
    return list;
}

/* ---- a file that is looked at ----------------------------------------------------------------------------------- */

typedef struct LookOptions {
    bool confined;
} LookOptions;

static const tacOptionRow lookRows[] = {
    TAC_CONFINED_ROW(LookOptions),
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

const char *tacConfinedPath(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], Tcl_DString *path, bool *confined) {
    LookOptions options = {false};
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "file ?-option value ...?");
        return NULL;
    }
    if (tacOptionsParse(interp, lookRows, objc - 2, objv + 2, &options) != TCL_OK) return NULL;
    *confined = options.confined;
    return tacPathFromObj(interp, objv[1], path);
}
