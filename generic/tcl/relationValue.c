/*
 * relationValue.c -- from words to bins, and from what was counted to dicts.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/relationValue.h"

#include <math.h>
#include <string.h>

/* A bound in the unit of the column: of a time its ticks, which need not be whole. */
static bool boundOf(const tacTable *table, int column, Tcl_Obj *word, long double *bound) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    tacDecimal decimal;
    double number;
    int digits = table->columns[column].type == TAC_COLUMN_TIME ? table->digits : 0;
    if (tacDecimalParse(text, (size_t) length, &decimal) == TAC_OK) { /* rounded once at most: powers of ten are exact
                                                                         up to 10^27 */
        int more = digits - decimal.digits;
        *bound = more >= 0 ? decimal.mantissa * powl(10, more) : decimal.mantissa / powl(10, -more);
        return true;
    }
    if (Tcl_GetDoubleFromObj(NULL, word, &number) != TCL_OK || !isfinite(number)) return false;
    *bound = number * powl(10, digits);
    return true;
}

int tacBinsFromObj(Tcl_Interp *interp, const tacTable *table, int column, Tcl_Obj *words, tacBins *bins) {
    Tcl_Size count;
    Tcl_Obj **word;
    if (table->columns[column].type == TAC_COLUMN_TEXT)
        return tacTclFail(
            interp, "USAGE COLUMN", "column \"%.60s\" has texts, which have no bins", table->columns[column].name);
    if (Tcl_ListObjGetElements(interp, words, &count, &word) != TCL_OK) return TCL_ERROR;
    bool log = count == 4 && strcmp(Tcl_GetString(word[3]), "log") == 0;
    if (count < 3 || count > 4 || (count == 4 && !log) || !boundOf(table, column, word[0], &bins->from)
        || !boundOf(table, column, word[1], &bins->to) || Tcl_GetIntFromObj(NULL, word[2], &bins->n) != TCL_OK)
        return tacTclFail(interp, "USAGE BINS",
            "bad bins \"%.100s\": must be from, to, how many, and perhaps the word log", Tcl_GetString(words));
    bins->log = log;
    if (!(bins->from < bins->to) || (log && !(bins->from > 0)))
        return tacTclFail(interp, "USAGE BINS", "bad bins \"%.100s\": must end after they begin%s",
            Tcl_GetString(words), log ? ", and begin above 0" : "");
    if (bins->n >= 1 && bins->n <= TAC_MOST_BINS) return TCL_OK;
    return tacTclFail(
        interp, "USAGE BINS", "bad bins \"%.100s\": there can be 1 to %d", Tcl_GetString(words), TAC_MOST_BINS);
}

static Tcl_Obj *countValue(uint64_t count) { return Tcl_NewWideIntObj((Tcl_WideInt) count); }

static void add(Tcl_Obj *list, Tcl_Obj *value) { Tcl_ListObjAppendElement(NULL, list, value); }

Tcl_Obj *tacHistogramValue(const tacHistogram *histogram, int n) {
    Tcl_Obj *dict = Tcl_NewDictObj(), *counts = Tcl_NewListObj(0, NULL);
    for (int i = 0; i < n; i++) add(counts, countValue(histogram->counts[i]));
    tacPut(dict, "counts", counts);
    tacPutCount(dict, "below", histogram->below);
    tacPutCount(dict, "above", histogram->above);
    tacPutCount(dict, "total", histogram->total);
    return dict;
}

Tcl_Obj *tacGridValue(const tacGrid *grid, int columns, int rows) {
    Tcl_Obj *dict = Tcl_NewDictObj(), *cells = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < (size_t) columns * (size_t) rows; i++) {
        if (!grid->cells[i]) continue;
        add(cells, countValue(i / (size_t) rows));
        add(cells, countValue(i % (size_t) rows));
        add(cells, countValue(grid->cells[i]));
    }
    tacPut(dict, "cells", cells);
    tacPutCount(dict, "outside", grid->outside);
    tacPutCount(dict, "total", grid->total);
    return dict;
}

Tcl_Obj *tacSampleValue(const tacTable *table, int column, const tacSample *sample) {
    char buffer[TAC_CELL_SIZE];
    size_t length;
    Tcl_Obj *dict = Tcl_NewDictObj(), *values = Tcl_NewListObj(0, NULL);
    for (uint64_t i = 0; i < sample->n; i++) {
        const char *text = tacCellText(table, column, &sample->values[i], buffer, &length);
        add(values, Tcl_NewStringObj(text, (Tcl_Size) length));
        add(values, countValue(sample->ranks[i]));
    }
    tacPut(dict, "values", values);
    tacPutCount(dict, "count", sample->count);
    return dict;
}
