/*
 * aggregate.c -- one pass over the rows shown, each value into its bin. The sample needs sorted values, and stands
 * where they are sorted (sort.c).
 */
#include "base/port.h"

#include "relation/aggregate.h"

#include <math.h>

/* The bin of a value: 0 .. n - 1, -1 below, n above. */
static int binOf(const tacBins *bins, long double value) {
    if (!(value >= bins->from)) return -1; /* no number neither */
    if (value > bins->to) return bins->n;
    /* Multiplied before it is divided: values on an edge of whole numbers fall where they belong. */
    long double place = bins->log ? logl(value / bins->from) * bins->n / logl(bins->to / bins->from)
                                  : (value - bins->from) * bins->n / (bins->to - bins->from);
    int bin = (int) floorl(place);
    return bin < 0 ? 0 : bin < bins->n ? bin : bins->n - 1;
}

/* False: the cell is empty. */
static bool valueAt(const tacTable *table, uint64_t row, int column, long double *value) {
    tacCell cell = {0};
    table->cell(table, row, column, &cell);
    *value = table->columns[column].type == TAC_COLUMN_NUMBER ? (long double) cell.number : (long double) cell.ticks;
    return cell.known;
}

static bool countBins(
    const tacRelation *relation, int column, const tacBins *bins, tacHistogram *histogram, tacProgress *progress) {
    for (uint64_t place = 0; place < relation->count; place++) {
        long double value;
        if (!tacProgressAt(progress, place)) return false;
        if (!valueAt(&relation->table, tacRelationRow(relation, place), column, &value)) continue;
        int bin = binOf(bins, value);
        histogram->total++;
        if (bin < 0) histogram->below++;
        else if (bin == bins->n) histogram->above++;
        else histogram->counts[bin]++;
    }
    return true;
}

tacStatus tacRelationHistogram(const tacRelation *relation, int column, const tacBins *bins, tacHistogram *histogram,
    tacProgress *progress, tacError *err) {
    *histogram = (tacHistogram){.counts = tacAllocZero((size_t) bins->n, sizeof *histogram->counts)};
    if (histogram->counts && countBins(relation, column, bins, histogram, progress)) return TAC_OK;
    tacHistogramFree(histogram);
    return tacFailStopped(err, progress);
}

void tacHistogramFree(tacHistogram *histogram) {
    tacFree(histogram->counts);
    *histogram = (tacHistogram){.total = 0};
}

/* ---- two columns ------------------------------------------------------------------------------------------------ */

typedef struct Axes {
    int xColumn, yColumn;
    const tacBins *x, *y;
} Axes;

static bool countCells(const tacRelation *relation, const Axes *axes, tacGrid *grid, tacProgress *progress) {
    for (uint64_t place = 0; place < relation->count; place++) {
        uint64_t row = tacRelationRow(relation, place);
        long double x, y;
        if (!tacProgressAt(progress, place)) return false;
        if (!valueAt(&relation->table, row, axes->xColumn, &x) || !valueAt(&relation->table, row, axes->yColumn, &y))
            continue;
        int column = binOf(axes->x, x), cell = binOf(axes->y, y);
        grid->total++;
        if (column < 0 || cell < 0 || column == axes->x->n || cell == axes->y->n) grid->outside++;
        else grid->cells[(size_t) column * (size_t) axes->y->n + (size_t) cell]++;
    }
    return true;
}

tacStatus tacRelationGrid(const tacRelation *relation, int xColumn, const tacBins *x, int yColumn, const tacBins *y,
    tacGrid *grid, tacProgress *progress, tacError *err) {
    Axes axes = {xColumn, yColumn, x, y};
    *grid = (tacGrid){.cells = tacAllocZero((size_t) x->n * (size_t) y->n, sizeof *grid->cells)};
    if (grid->cells && countCells(relation, &axes, grid, progress)) return TAC_OK;
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
