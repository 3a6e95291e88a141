/*
 * relationList.c -- a table of values that come from Tcl.
 *
 * Each value is read once, by its column's type, into a cell of 8 bytes. Texts are kept once each, and their number is
 * that of tacTable.group. All times of a table have the same number of decimals: the most that one of them has.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/intern.h"
#include "base/search.h"
#include "base/sort.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/relationList.h"

#include <math.h>
#include <string.h>

typedef union Value {
    int64_t ticks; /* TIME, COUNT; TAC_UNKNOWN: empty */
    double number; /* NUMBER; not finite: empty */
    uint32_t text; /* TEXT: in `texts`; TAC_NONE: empty */
} Value;

typedef struct List {
    tacColumn *columns;     /* their texts are in `labels` */
    tacColumnTrait *traits; /* by column */
    const char ***words;    /* by column: of its trait; NULL: none */
    int nColumns;
    Tcl_Obj *labels;      /* a list that keeps names, helps, units and words alive */
    tacInternTable texts; /* of cells */
    Value *values;        /* row by row */
    int64_t *ids;         /* by row; NULL: the row */
    uint32_t *rowsById;   /* rows in the order of their ids */
    uint64_t nRows;
    char timeUnit[16];
} List;

/* ---- the table -------------------------------------------------------------------------------------------------- */

static void listCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    const List *list = table->data;
    const Value *value = &list->values[row * (uint64_t) list->nColumns + (uint64_t) column];
    switch (list->columns[column].type) {
    case TAC_COLUMN_TEXT:
        if (value->text == TAC_NONE) return;
        cell->known = true;
        cell->text = tacInternName(&list->texts, value->text, &cell->length);
        break;
    case TAC_COLUMN_NUMBER: tacCellNumber(cell, value->number); break;
    default: tacCellTime(cell, value->ticks); break;
    }
}

static bool listGroup(const tacTable *table, uint64_t row, int column, uint64_t *number) {
    const List *list = table->data;
    if (list->columns[column].type != TAC_COLUMN_TEXT) return false;
    *number = list->values[row * (uint64_t) list->nColumns + (uint64_t) column].text;
    return true;
}

static tacColumnTrait listTrait(const tacTable *table, int column) {
    return ((const List *) table->data)->traits[column];
}

static uint64_t listId(const tacTable *table, uint64_t row) {
    const List *list = table->data;
    return (uint64_t) list->ids[row];
}

static uint64_t listRowOfId(const tacTable *table, uint64_t id) {
    const List *list = table->data;
    uint64_t i = tacPast(uint64_t, 0, list->nRows, at, (uint64_t) list->ids[list->rowsById[at]] < id);
    return i < list->nRows && (uint64_t) list->ids[list->rowsById[i]] == id ? list->rowsById[i] : UINT64_MAX;
}

static void freeList(void *data) {
    List *list = data;
    for (int i = 0; list->words && i < list->nColumns; i++) tacFree(list->words[i]);
    tacFree(list->words);
    tacFree(list->traits);
    tacFree(list->columns);
    tacInternFree(&list->texts);
    tacFree(list->values);
    tacFree(list->ids);
    tacFree(list->rowsById);
    if (list->labels) Tcl_DecrRefCount(list->labels);
    tacFree(list);
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

/* A text that lives as long as the list. */
static const char *keptText(List *list, Tcl_Obj *value) {
    Tcl_Obj *copy = Tcl_NewStringObj(Tcl_GetString(value), -1);
    tacAppend(list->labels, copy);
    return Tcl_GetString(copy);
}

static int readWords(Tcl_Interp *interp, List *list, int column, Tcl_Obj *value) {
    Tcl_Size n;
    Tcl_Obj **words;
    if (Tcl_ListObjGetElements(interp, value, &n, &words) != TCL_OK) return TCL_ERROR;
    if (!n) return TCL_OK;
    list->words[column] = tacAllocZero((size_t) n + 1, sizeof **list->words);
    if (!list->words[column]) return tacTclMemory(interp);
    for (Tcl_Size i = 0; i < n; i++) list->words[column][i] = keptText(list, words[i]);
    list->traits[column].words = list->words[column];
    return TCL_OK;
}

/* Reads one entry of a column's dict. */
static int readEntry(Tcl_Interp *interp, List *list, int column, Tcl_Obj *key, Tcl_Obj *value) {
    static const char *const keys[] = {"name", "type", "unit", "words", "help", NULL};
    int which, type;
    if (Tcl_GetIndexFromObjStruct(interp, key, keys, sizeof *keys, "key of a column", TCL_EXACT, &which) != TCL_OK)
        return TCL_ERROR;
    switch (which) {
    case 0: list->columns[column].name = keptText(list, value); return TCL_OK;
    case 1:
        if (Tcl_GetIndexFromObjStruct(
                interp, value, tacColumnTypeNames, sizeof *tacColumnTypeNames, "type", TCL_EXACT, &type)
            != TCL_OK)
            return TCL_ERROR;
        list->columns[column].type = (tacColumnType) type;
        return TCL_OK;
    case 2:
        if (*Tcl_GetString(value)) list->traits[column].unit = keptText(list, value);
        return TCL_OK;
    case 3: return readWords(interp, list, column, value);
    default: list->columns[column].help = keptText(list, value); return TCL_OK;
    }
}

static int readColumn(Tcl_Interp *interp, List *list, int column, Tcl_Obj *dict) {
    Tcl_Size n;
    Tcl_Obj **words;
    if (Tcl_ListObjGetElements(interp, dict, &n, &words) != TCL_OK) return TCL_ERROR;
    list->columns[column] = (tacColumn){.help = ""};
    if (n % 2)
        return tacTclFail(interp, "USAGE COLUMN",
            "bad column \"%.100s\": must be a dict with the keys name, type, unit, words and help",
            Tcl_GetString(dict));
    for (Tcl_Size i = 0; i < n; i += 2)
        if (readEntry(interp, list, column, words[i], words[i + 1]) != TCL_OK) return TCL_ERROR;
    const char *name = list->columns[column].name;
    if (!name || !*name) return tacTclFail(interp, "USAGE COLUMN", "column %d has no name", column);
    for (int i = 0; i < column; i++)
        if (strcmp(list->columns[i].name, name) == 0)
            return tacTclFail(interp, "USAGE COLUMN", "there are two columns \"%.100s\"", name);
    return TCL_OK;
}

static int readColumns(Tcl_Interp *interp, List *list, Tcl_Obj *columns) {
    enum { MOST = 10000 };
    Tcl_Size n;
    Tcl_Obj **dicts;
    if (Tcl_ListObjGetElements(interp, columns, &n, &dicts) != TCL_OK) return TCL_ERROR;
    if (!n || n > MOST) return tacTclFail(interp, "USAGE COLUMN", "a relation has 1 to %d columns", MOST);
    list->nColumns = (int) n;
    list->columns = tacAllocZero((size_t) n, sizeof *list->columns);
    list->traits = tacAllocZero((size_t) n, sizeof *list->traits);
    list->words = tacAllocZero((size_t) n, sizeof *list->words);
    if (!list->columns || !list->traits || !list->words) return tacTclMemory(interp);
    for (int i = 0; i < list->nColumns; i++)
        if (readColumn(interp, list, i, dicts[i]) != TCL_OK) return TCL_ERROR;
    return TCL_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* Reads a time in ticks of so many decimals; false: it is no time, or does not fit. */
static bool readTime(Tcl_Obj *word, int digits, int64_t *ticks) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    tacDecimal decimal;
    bool rounded = false;
    return tacDecimalParse(text, (size_t) length, &decimal) == TAC_OK && !decimal.rounded
        && tacDecimalShift(decimal.mantissa, digits - decimal.digits, ticks, &rounded) && !rounded
        && *ticks != TAC_UNKNOWN;
}

/* Reads the value of a cell. */
static int readValue(Tcl_Interp *interp, List *list, uint64_t row, int column, Tcl_Obj *word, int digits) {
    Value *value = &list->values[row * (uint64_t) list->nColumns + (uint64_t) column];
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    Tcl_WideInt count = 0;
    bool good = true;
    switch (list->columns[column].type) {
    case TAC_COLUMN_TEXT:
        value->text = length ? tacIntern(&list->texts, text, (size_t) length) : TAC_NONE;
        return value->text == TAC_NONE && length ? tacTclMemory(interp) : TCL_OK;
    case TAC_COLUMN_TIME:
        value->ticks = TAC_UNKNOWN;
        good = !length || readTime(word, digits, &value->ticks);
        break;
    case TAC_COLUMN_COUNT:
        good = !length || Tcl_GetWideIntFromObj(NULL, word, &count) == TCL_OK;
        value->ticks = length ? count : TAC_UNKNOWN;
        good &= !length || count != TAC_UNKNOWN;
        break;
    case TAC_COLUMN_NUMBER:
        value->number = NAN;
        good = !length || (Tcl_GetDoubleFromObj(NULL, word, &value->number) == TCL_OK && isfinite(value->number));
        break;
    }
    if (good) return TCL_OK;
    return tacTclFail(interp, "USAGE VALUE", "row %llu, column \"%.60s\": bad value \"%.100s\": must be a %s",
        (unsigned long long) row, list->columns[column].name, text, tacColumnTypeNames[list->columns[column].type]);
}

/* Raises *digits to the number of decimals of a row's times; more than TAC_MAX_DIGITS is an error when they are read.
 */
static void countDigits(const List *list, Tcl_Obj *const *words, int *digits) {
    for (int column = 0; column < list->nColumns; column++) {
        Tcl_Size length;
        tacDecimal decimal;
        if (list->columns[column].type != TAC_COLUMN_TIME) continue;
        const char *text = Tcl_GetStringFromObj(words[column], &length);
        if (tacDecimalParse(text, (size_t) length, &decimal) == TAC_OK && decimal.digits > *digits)
            *digits = decimal.digits;
    }
}

/* Gets the words of a row, which must be as many as there are columns. */
static int rowWords(Tcl_Interp *interp, const List *list, Tcl_Obj *rows, uint64_t row, Tcl_Obj ***words) {
    Tcl_Obj *values;
    Tcl_Size n;
    if (Tcl_ListObjIndex(interp, rows, (Tcl_Size) row, &values) != TCL_OK
        || Tcl_ListObjGetElements(interp, values, &n, words) != TCL_OK)
        return TCL_ERROR;
    if (n == list->nColumns) return TCL_OK;
    return tacTclFail(interp, "USAGE ROW", "row %llu has %d values, and there are %d columns", (unsigned long long) row,
        (int) n, list->nColumns);
}

/* Reads all rows, twice: the number of decimals must be known before times can be read. */
static int readRows(Tcl_Interp *interp, List *list, Tcl_Obj *rows, int *digits) {
    Tcl_Size n;
    Tcl_Obj **words;
    if (Tcl_ListObjLength(interp, rows, &n) != TCL_OK) return TCL_ERROR;
    list->nRows = (uint64_t) n;
    list->values = tacAllocZero((size_t) n * (size_t) list->nColumns + 1, sizeof *list->values);
    if (!list->values) return tacTclMemory(interp);
    *digits = 0;
    for (uint64_t row = 0; row < list->nRows; row++) {
        if (rowWords(interp, list, rows, row, &words) != TCL_OK) return TCL_ERROR;
        countDigits(list, words, digits);
    }
    for (uint64_t row = 0; row < list->nRows; row++) {
        if (rowWords(interp, list, rows, row, &words) != TCL_OK) return TCL_ERROR;
        for (int column = 0; column < list->nColumns; column++)
            if (readValue(interp, list, row, column, words[column], *digits) != TCL_OK) return TCL_ERROR;
    }
    return TCL_OK;
}

/* ---- ids -------------------------------------------------------------------------------------------------------- */

static int compareIds(const void *left, const void *right, const void *data) {
    const List *list = data;
    int64_t a = list->ids[*(const uint32_t *) left], b = list->ids[*(const uint32_t *) right];
    return a < b ? -1 : a > b;
}

static int readIds(Tcl_Interp *interp, List *list, Tcl_Obj *ids) {
    Tcl_Size n;
    Tcl_Obj **words;
    if (Tcl_ListObjGetElements(interp, ids, &n, &words) != TCL_OK) return TCL_ERROR;
    if ((uint64_t) n != list->nRows)
        return tacTclFail(interp, "USAGE IDS", "there must be as many ids as rows, and there are %d and %llu", (int) n,
            (unsigned long long) list->nRows);
    list->ids = tacAlloc(((size_t) n + 1) * sizeof *list->ids);
    list->rowsById = tacAlloc(((size_t) n + 1) * sizeof *list->rowsById);
    if (!list->ids || !list->rowsById) return tacTclMemory(interp);
    for (Tcl_Size i = 0; i < n; i++) {
        Tcl_WideInt id;
        if (Tcl_GetWideIntFromObj(interp, words[i], &id) != TCL_OK) return TCL_ERROR;
        if (id < 0) return tacTclFail(interp, "USAGE IDS", "bad id %s: must be 0 or more", Tcl_GetString(words[i]));
        list->ids[i] = id;
        list->rowsById[i] = (uint32_t) i;
    }
    if (!tacSort(list->rowsById, (size_t) n, sizeof *list->rowsById, compareIds, list, NULL))
        return tacTclMemory(interp);
    for (Tcl_Size i = 1; i < n; i++)
        if (compareIds(&list->rowsById[i - 1], &list->rowsById[i], list) == 0)
            return tacTclFail(interp, "USAGE IDS", "two rows have the id %s", Tcl_GetString(words[list->rowsById[i]]));
    return TCL_OK;
}

int tacListTable(
    Tcl_Interp *interp, Tcl_Obj *columns, Tcl_Obj *rows, Tcl_Obj *ids, const char *timeUnit, tacTable *table) {
    List *list = tacAllocZero(1, sizeof *list);
    int digits = 0;
    if (!list) return tacTclMemory(interp);
    list->labels = tacKept(Tcl_NewListObj(0, NULL));
    snprintf(list->timeUnit, sizeof list->timeUnit, "%s", timeUnit ? timeUnit : "");
    /* Copies, since rows and columns may be the same object, or stop being lists while others are read. */
    columns = tacKept(Tcl_DuplicateObj(columns));
    rows = tacKept(Tcl_DuplicateObj(rows));
    int result = readColumns(interp, list, columns);
    if (result == TCL_OK) result = readRows(interp, list, rows, &digits);
    if (result == TCL_OK && ids) result = readIds(interp, list, ids);
    Tcl_DecrRefCount(columns);
    Tcl_DecrRefCount(rows);
    if (result != TCL_OK) return freeList(list), TCL_ERROR;
    *table = (tacTable){.title = "relation",
        .columns = list->columns,
        .nColumns = list->nColumns,
        .nRows = list->nRows,
        .digits = digits,
        .timeUnit = *list->timeUnit ? list->timeUnit : NULL,
        .trait = listTrait,
        .cell = listCell,
        .data = list,
        .release = freeList,
        .group = listGroup,
        .id = list->ids ? listId : NULL,
        .rowOfId = list->ids ? listRowOfId : NULL};
    return TCL_OK;
}
