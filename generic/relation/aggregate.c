/*
 * aggregate.c -- histograms and grids: one pass over the rows shown puts each value into its bin. Samples need sorted
 * values and are taken in sort.c.
 */
#include "base/port.h"

#include "relation/aggregate.h"

#include <math.h>

/* Index of the bin of a value: 0 .. n - 1; -1: below all bins, n: above them. */
static int binOf(const tacBins *bins, long double value) {
    if (!(value >= bins->from)) return -1; /* or no number */
    if (value > bins->to) return bins->n;
    /* Multiplied before it is divided: values on an edge of whole numbers fall where they belong. */
    long double place = bins->log ? logl(value / bins->from) * bins->n / logl(bins->to / bins->from)
                                  : (value - bins->from) * bins->n / (bins->to - bins->from);
    int bin = (int) floorl(place);
    return bin < 0 ? 0 : bin < bins->n ? bin : bins->n - 1;
}

/* Reads the value of a cell; false: the cell is empty. */
static bool valueAt(const tacTable *table, uint64_t row, int column, long double *value) {
    tacCell cell = {0};
    table->cell(table, row, column, &cell);
    *value = table->columns[column].type == TAC_COLUMN_NUMBER ? (long double) cell.number : (long double) cell.ticks;
    return cell.known;
}

tacStatus tacRelationHistogram(const tacRelation *relation, int column, const tacBins *bins, tacHistogram *histogram,
    tacProgress *progress, tacError *err) {
    *histogram = (tacHistogram){.counts = tacAllocZero((size_t) bins->n, sizeof *histogram->counts)};
    bool done = histogram->counts != NULL;
    for (uint64_t place = 0; done && place < relation->count; place++) {
        long double value;
        done = tacProgressAt(progress, place);
        if (!valueAt(&relation->table, tacRelationRow(relation, place), column, &value)) continue;
        int bin = binOf(bins, value);
        histogram->total++;
        if (bin < 0) histogram->below++;
        else if (bin == bins->n) histogram->above++;
        else histogram->counts[bin]++;
    }
    if (done) return TAC_OK;
    tacHistogramFree(histogram);
    return tacFailStopped(err, progress);
}

void tacHistogramFree(tacHistogram *histogram) {
    tacFree(histogram->counts);
    *histogram = (tacHistogram){.total = 0};
}

/* ---- two columns ------------------------------------------------------------------------------------------------ */

tacStatus tacRelationGrid(const tacRelation *relation, int xColumn, const tacBins *x, int yColumn, const tacBins *y,
    tacGrid *grid, tacProgress *progress, tacError *err) {
    const tacTable *table = &relation->table;
    *grid = (tacGrid){.cells = tacAllocZero((size_t) x->n * (size_t) y->n, sizeof *grid->cells)};
    bool done = grid->cells != NULL;
    for (uint64_t place = 0; done && place < relation->count; place++) {
        uint64_t row = tacRelationRow(relation, place);
        long double xValue, yValue;
        done = tacProgressAt(progress, place);
        if (!valueAt(table, row, xColumn, &xValue) || !valueAt(table, row, yColumn, &yValue)) continue;
        int column = binOf(x, xValue), cell = binOf(y, yValue);
        grid->total++;
        if (column < 0 || cell < 0 || column == x->n || cell == y->n) grid->outside++;
        else grid->cells[(size_t) column * (size_t) y->n + (size_t) cell]++;
    }
    if (done) return TAC_OK;
    tacGridFree(grid);
    return tacFailStopped(err, progress);
}

void tacGridFree(tacGrid *grid) {
    tacFree(grid->cells);
    *grid = (tacGrid){.total = 0};
}

void tacSampleFree(tacSample *sample) {
    tacFree(sample->values);
    tacFree(sample->ranks);
    *sample = (tacSample){.count = 0};
}
