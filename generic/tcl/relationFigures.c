/*
 * relationFigures.c -- the subcommands of a relation that measure its columns: words to bins and columns, work that may
 * call a -progress script, and the results as dicts.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/print.h"
#include "relation/aggregate.h"
#include "tcl/dictValue.h"
#include "tcl/relationPart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BINS = 1 << 20, MOST_CELLS = 1 << 24 };

/* ---- figures ---------------------------------------------------------------------------------------------------- */

static Tcl_Obj *numberValue(long double number) {
    char text[40];
    int length = tacPrint(text, sizeof text, "%.15Lg", number == 0 ? 0 : number);
    return Tcl_NewStringObj(text, length);
}

static Tcl_Obj *figuresDict(const tacTable *table, int column, const tacRelationFigures *figures) {
    char buffer[TAC_CELL_SIZE];
    size_t length;
    Tcl_Obj *dict = Tcl_NewDictObj();
    bool isNumber = table->columns[column].type == TAC_COLUMN_NUMBER;
    int digits = table->columns[column].type == TAC_COLUMN_TIME ? table->digits : 0;
    tacPut(dict, "count", Tcl_NewWideIntObj((Tcl_WideInt) figures->count));
    for (int i = 0; i < TAC_RELATION_RANKS; i++) {
        const char *text = figures->count ? tacCellText(table, column, &figures->ranks[i], buffer, &length) : "";
        tacPut(dict, tacRelationRanks[i], Tcl_NewStringObj(text, figures->count ? (Tcl_Size) length : 0));
    }
    long double sum = isNumber ? figures->total : (long double) figures->sum / powl(10, digits);
    bool exact = !isNumber && figures->sum > INT64_MIN && figures->sum <= INT64_MAX;
    tacPut(dict, "average", figures->count ? numberValue(sum / figures->count) : Tcl_NewObj());
    if (figures->count && exact) {
        length = tacDecimalFormat((int64_t) figures->sum, digits, buffer);
        tacPut(dict, "sum", Tcl_NewStringObj(buffer, (Tcl_Size) length));
    } else tacPut(dict, "sum", figures->count ? numberValue(sum) : Tcl_NewObj());
    return dict;
}

/* Ends work with a value as its result. The value was made before, since ending may let go of the table. */
static int endWith(tacWork *work, Tcl_Interp *interp, tacStatus status, Tcl_Obj *value) {
    Tcl_IncrRefCount(value);
    int result = tacWorkEnd(work, status);
    if (result == TCL_OK) Tcl_SetObjResult(interp, value);
    Tcl_DecrRefCount(value);
    return result;
}

int tacNumberColumnFromObj(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *name, const char *lack, int *column) {
    if (tacColumnFromObj(interp, table, name, column) != TCL_OK) return TCL_ERROR;
    if (table->columns[*column].type != TAC_COLUMN_TEXT) return TCL_OK;
    return tacTclFail(interp, "USAGE COLUMN", "column \"%.60s\" has texts, %s", table->columns[*column].name, lack);
}

int tacRelationStatisticsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Tcl_Obj *progress;
    tacRelationFigures figures;
    tacWork work;
    int column;
    if (tacNumberColumnFromObj(interp, &r->relation.table, objv[2], "of which there are no figures", &column) != TCL_OK
        || tacProgressOption(interp, objc - 3, objv + 3, &progress) != TCL_OK
        || tacWorkBegin(&work, r, interp, progress, "measuring") != TCL_OK)
        return TCL_ERROR;
    tacStatus status = tacRelationMeasure(&r->relation, column, &figures, &work.script.progress, &work.err);
    return endWith(&work, interp, status, figuresDict(&r->relation.table, column, &figures));
}

/* Reads a bound of bins in the unit of the column, for times ticks, which need not be whole. False: it is none. */
static bool boundOf(const tacTable *table, int column, Tcl_Obj *word, long double *bound) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    tacDecimal decimal;
    double number;
    int digits = table->columns[column].type == TAC_COLUMN_TIME ? table->digits : 0;
    if (tacDecimalParse(text, (size_t) length, &decimal) == TAC_OK) {
        /* Rounded once at most: powers of ten are exact up to 10^27. */
        int more = digits - decimal.digits;
        *bound = more >= 0 ? decimal.mantissa * powl(10, more) : decimal.mantissa / powl(10, -more);
        return true;
    }
    if (Tcl_GetDoubleFromObj(NULL, word, &number) != TCL_OK || !isfinite(number)) return false;
    *bound = number * powl(10, digits);
    return true;
}

/* Reads a column, which has no texts, and its bins: `response {0 20 10}`, from, to, their number, and perhaps log. */
static int needBins(tacRelationCmd *r, Tcl_Interp *interp, Tcl_Obj *const pair[2], int *column, tacBins *bins) {
    Tcl_Size count;
    Tcl_Obj **word, *words = pair[1];
    const tacTable *table = &r->relation.table;
    if (tacNumberColumnFromObj(interp, table, pair[0], "which have no bins", column) != TCL_OK) return TCL_ERROR;
    if (Tcl_ListObjGetElements(interp, words, &count, &word) != TCL_OK) return TCL_ERROR;
    bool log = count == 4 && strcmp(Tcl_GetString(word[3]), "log") == 0;
    if (count < 3 || count > 4 || (count == 4 && !log) || !boundOf(table, *column, word[0], &bins->from)
        || !boundOf(table, *column, word[1], &bins->to) || Tcl_GetIntFromObj(NULL, word[2], &bins->n) != TCL_OK)
        return tacTclFail(interp, "USAGE BINS",
            "bad bins \"%.100s\": must be from, to, how many, and perhaps the word log", Tcl_GetString(words));
    bins->log = log;
    if (!(bins->from < bins->to) || (log && !(bins->from > 0)))
        return tacTclFail(interp, "USAGE BINS", "bad bins \"%.100s\": must end after they begin%s",
            Tcl_GetString(words), log ? ", and begin above 0" : "");
    if (bins->n >= 1 && bins->n <= MOST_BINS) return TCL_OK;
    return tacTclFail(
        interp, "USAGE BINS", "bad bins \"%.100s\": there can be 1 to %d", Tcl_GetString(words), MOST_BINS);
}

static Tcl_Obj *countValue(uint64_t count) { return Tcl_NewWideIntObj((Tcl_WideInt) count); }

static Tcl_Obj *histogramValue(const tacHistogram *histogram, int n) {
    Tcl_Obj *dict = Tcl_NewDictObj(), *counts = Tcl_NewListObj(0, NULL);
    for (int i = 0; i < n; i++) tacAppend(counts, countValue(histogram->counts[i]));
    tacPut(dict, "counts", counts);
    tacPutCount(dict, "below", histogram->below);
    tacPutCount(dict, "above", histogram->above);
    tacPutCount(dict, "total", histogram->total);
    return dict;
}

/* The counts of a grid; empty cells are left out. */
static Tcl_Obj *gridValue(const tacGrid *grid, int columns, int rows) {
    Tcl_Obj *dict = Tcl_NewDictObj(), *cells = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < (size_t) columns * (size_t) rows; i++) {
        if (!grid->cells[i]) continue;
        tacAppend(cells, countValue(i / (size_t) rows));
        tacAppend(cells, countValue(i % (size_t) rows));
        tacAppend(cells, countValue(grid->cells[i]));
    }
    tacPut(dict, "cells", cells);
    tacPutCount(dict, "outside", grid->outside);
    tacPutCount(dict, "total", grid->total);
    return dict;
}

static Tcl_Obj *sampleValue(const tacTable *table, int column, const tacSample *sample) {
    char buffer[TAC_CELL_SIZE];
    size_t length;
    Tcl_Obj *dict = Tcl_NewDictObj(), *values = Tcl_NewListObj(0, NULL);
    for (uint64_t i = 0; i < sample->n; i++) {
        const char *text = tacCellText(table, column, &sample->values[i], buffer, &length);
        tacAppend(values, Tcl_NewStringObj(text, (Tcl_Size) length));
        tacAppend(values, countValue(sample->ranks[i]));
    }
    tacPut(dict, "values", values);
    tacPutCount(dict, "count", sample->count);
    return dict;
}

int tacRelationHistogramSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Tcl_Obj *progress;
    tacHistogram histogram;
    tacBins bins;
    tacWork work;
    int column;
    if (needBins(r, interp, objv + 2, &column, &bins) != TCL_OK
        || tacProgressOption(interp, objc - 4, objv + 4, &progress) != TCL_OK
        || tacWorkBegin(&work, r, interp, progress, "measuring") != TCL_OK)
        return TCL_ERROR;
    tacStatus status = tacRelationHistogram(&r->relation, column, &bins, &histogram, &work.script.progress, &work.err);
    Tcl_Obj *dict = status == TAC_OK ? histogramValue(&histogram, bins.n) : Tcl_NewObj();
    if (status == TAC_OK) tacHistogramFree(&histogram);
    return endWith(&work, interp, status, dict);
}

int tacRelationGridSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Tcl_Obj *progress;
    tacGrid grid;
    tacBins x, y;
    tacWork work;
    int xColumn, yColumn;
    if (needBins(r, interp, objv + 2, &xColumn, &x) != TCL_OK || needBins(r, interp, objv + 4, &yColumn, &y) != TCL_OK
        || tacProgressOption(interp, objc - 6, objv + 6, &progress) != TCL_OK)
        return TCL_ERROR;
    if ((int64_t) x.n * y.n > MOST_CELLS)
        return tacTclFail(interp, "USAGE BINS", "a grid has at most %d cells", MOST_CELLS);
    if (tacWorkBegin(&work, r, interp, progress, "measuring") != TCL_OK) return TCL_ERROR;
    tacStatus status = tacRelationGrid(&r->relation, xColumn, &x, yColumn, &y, &grid, &work.script.progress, &work.err);
    Tcl_Obj *dict = status == TAC_OK ? gridValue(&grid, x.n, y.n) : Tcl_NewObj();
    if (status == TAC_OK) tacGridFree(&grid);
    return endWith(&work, interp, status, dict);
}

int tacRelationSampleSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Tcl_Obj *progress;
    tacSample sample;
    Tcl_WideInt n;
    tacWork work;
    int column;
    if (tacNumberColumnFromObj(interp, &r->relation.table, objv[2], "of which there is no sample", &column) != TCL_OK
        || Tcl_GetWideIntFromObj(interp, objv[3], &n) != TCL_OK
        || tacProgressOption(interp, objc - 4, objv + 4, &progress) != TCL_OK)
        return TCL_ERROR;
    if (n < 1) return tacTclFail(interp, "USAGE VALUE", "a sample has at least 1 value");
    if (tacWorkBegin(&work, r, interp, progress, "measuring") != TCL_OK) return TCL_ERROR;
    tacStatus status = tacRelationSample(&r->relation, column, (uint64_t) n, &sample, &work.script.progress, &work.err);
    Tcl_Obj *dict = status == TAC_OK ? sampleValue(&r->relation.table, column, &sample) : Tcl_NewObj();
    if (status == TAC_OK) tacSampleFree(&sample);
    return endWith(&work, interp, status, dict);
}
