/*
 * compareText.c -- the table of a comparison as people read it: times in the unit that suits them, an interval in one
 * column, numbers rounded.
 */
#include "base/port.h"

#include "analysis/comparePart.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    T_TASK,
    T_MEASURE,
    T_FIGURE,
    T_BASE,
    T_OTHER,
    T_DIFFERENCE,
    T_CHANGE,
    T_INTERVAL,
    T_VERDICT,
    T_N,
    T_SHIFT,
    T_P,
    T_DELTA,
    COLUMNS
};
static const tacColumn columns[COLUMNS] = {
    [T_TASK] = {"task", TAC_COLUMN_TEXT, "", 0},
    [T_MEASURE] = {"measure", TAC_COLUMN_TEXT, "", 0},
    [T_FIGURE] = {"figure", TAC_COLUMN_TEXT, "", 0},
    [T_BASE] = {"base", TAC_COLUMN_TEXT, "", 0},
    [T_OTHER] = {"other", TAC_COLUMN_TEXT, "", 0},
    [T_DIFFERENCE] = {"difference", TAC_COLUMN_TEXT, "", 0},
    [T_CHANGE] = {"change", TAC_COLUMN_TEXT, "", 0},
    [T_INTERVAL] = {"interval", TAC_COLUMN_TEXT, "", 0},
    [T_VERDICT] = {"verdict", TAC_COLUMN_TEXT, "", 0},
    [T_N] = {"n", TAC_COLUMN_TEXT, "", 0},
    [T_SHIFT] = {"shift", TAC_COLUMN_TEXT, "", 0},
    [T_P] = {"p", TAC_COLUMN_TEXT, "", 0},
    [T_DELTA] = {"delta", TAC_COLUMN_TEXT, "", 0},
};

enum { RIGHT = 1 << T_BASE | 1 << T_OTHER | 1 << T_DIFFERENCE | 1 << T_CHANGE | 1 << T_N | 1 << T_P | 1 << T_DELTA };

size_t tacCompareAmount(double number, const char *unit, bool sign, char text[TAC_AMOUNT_SIZE]) {
    int exponent;
    if (!unit || number == 0 || !tacTimeUnit(unit, strlen(unit), &exponent)) return tacNumberShort(number, sign, text);
    bool plus = sign && number > 0;
    if (plus) *text = '+';
    return plus + tacNumberLength(number, exponent, text + plus);
}

/* Writes an amount of a row: a time, a number of misses, or their share. */
static size_t amount(const tacTable *table, const tacCompareRow *row, int number, bool sign, char *text) {
    const char *unit = row->isCount || row->isShare ? NULL : table->timeUnit;
    size_t length = tacCompareAmount(row->numbers[number], unit, sign, text);
    if (row->isShare) text[length++] = '%';
    return length;
}

/* Writes the bounds of the difference; plain numbers have no plus. */
static size_t interval(const tacTable *table, const tacCompareRow *row, char *text) {
    size_t length = 0;
    bool plus = row->isShare || (table->timeUnit && !row->isCount);
    for (int bound = TAC_COMPARE_LOW; bound <= TAC_COMPARE_HIGH; bound++) {
        memcpy(text + length, bound == TAC_COMPARE_LOW ? "[" : ", ", 2);
        length += bound == TAC_COMPARE_LOW ? 1 : 2;
        if (isnan(row->numbers[bound])) text[length++] = '?';
        else length += amount(table, row, bound, plus, text + length);
    }
    text[length++] = ']';
    return length;
}

/* Writes a number, which is not empty, as one that a column shows. */
static size_t number(const tacTable *table, const tacCompareRow *row, int column, int from, char *text) {
    double value = row->numbers[from];
    size_t length;
    switch (column) {
    case T_CHANGE:
        length = tacNumberFixed(value, 1, true, text);
        text[length] = '%';
        return length + 1;
    default: return amount(table, row, from, column == T_DIFFERENCE, text);
    }
}

/* Writes the numbers of values of both sides. */
static size_t counts(const tacCompareRow *row, char *text) {
    size_t length = tacDecimalFormat(row->baseN, 0, text);
    text[length++] = ' ';
    return length + tacDecimalFormat(row->otherN, 0, text + length);
}

/* The text of a cell that is alike in all rows of a measure. */
static const tacCompareText *sharedText(tacCompareRow *row, int which) {
    tacCompareText *text = &row->shared[which];
    double p = row->numbers[TAC_COMPARE_P], delta = row->numbers[TAC_COMPARE_DELTA];
    if (text->length) return text;
    if (which == TAC_COMPARE_COUNTS) text->length = counts(row, text->text);
    else if (which == TAC_COMPARE_OF_P && p < 0.0001) text->length = strlen(strcpy(text->text, "<0.0001"));
    else if (which == TAC_COMPARE_OF_P && !isnan(p)) text->length = tacNumberFixed(p, 4, false, text->text);
    else if (which == TAC_COMPARE_OF_DELTA && !isnan(delta)) text->length = tacNumberFixed(delta, 2, true, text->text);
    return text;
}

static void readCell(const tacTable *table, uint64_t at, int column, tacCell *cell) {
    static const int from[COLUMNS] = {[T_BASE] = TAC_COMPARE_BASE,
        [T_OTHER] = TAC_COMPARE_OTHER,
        [T_DIFFERENCE] = TAC_COMPARE_DIFFERENCE,
        [T_CHANGE] = TAC_COMPARE_CHANGE,
        [T_N] = TAC_COMPARE_COUNTS,
        [T_P] = TAC_COMPARE_OF_P,
        [T_DELTA] = TAC_COMPARE_OF_DELTA};
    const tacCompareText *shared;
    tacCompareRow *row = tacCompareRowAt(table, at);
    cell->known = true;
    cell->text = row->text;
    switch (column) {
    case T_TASK: tacCellString(cell, row->task); break;
    case T_MEASURE: tacCellString(cell, row->measure); break;
    case T_FIGURE: tacCellString(cell, row->figure); break;
    case T_VERDICT: tacCellString(cell, row->verdict); break;
    case T_SHIFT: tacCellString(cell, row->shift); break;
    case T_N:
    case T_P:
    case T_DELTA:
        shared = sharedText(row, from[column]);
        cell->known = shared->length > 0;
        cell->text = shared->text;
        cell->length = shared->length;
        break;
    case T_INTERVAL:
        cell->known = !isnan(row->numbers[TAC_COMPARE_LOW]) || !isnan(row->numbers[TAC_COMPARE_HIGH]);
        if (cell->known) cell->length = interval(table, row, row->text);
        break;
    default:
        cell->known = !isnan(row->numbers[from[column]]);
        if (cell->known) cell->length = number(table, row, column, from[column], row->text);
        break;
    }
}

const tacTableReadable tacCompareReadable = {columns, COLUMNS, RIGHT, readCell};
