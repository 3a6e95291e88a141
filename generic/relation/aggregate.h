/*
 * aggregate.h -- histograms of a column, grids of two columns, and samples of the sorted values: from these a
 * histogram, a scatter plot over time and a cumulative distribution of a million jobs are drawn.
 *
 * Only rows that the relation shows count, and of these only those whose cells are not empty. Values and bounds are in
 * the column's own unit: ticks (TIME), counts, numbers; long double holds every tick exactly. Texts have no values.
 *
 * Bins: bin i of n holds from + i * (to - from) / n <= value < from + (i + 1) * (to - from) / n; the last one holds
 * `to` as well, so that bins from the least to the largest value hold all. Logarithmic bins have equal factors instead
 * of equal widths; from > 0 then.
 */
#ifndef TAC_RELATION_AGGREGATE_H
#define TAC_RELATION_AGGREGATE_H

#include "relation/relation.h"

typedef struct tacBins {
    long double from, to; /* to > from */
    int n;                /* > 0 */
    bool log;
} tacBins;

typedef struct tacHistogram {
    uint64_t *counts;      /* one per bin */
    uint64_t below, above; /* values outside */
    uint64_t total;        /* all values, also those outside */
} tacHistogram;

/* Counts the values of a column by bins. TAC_ERROR: MEMORY, CANCELLED. */
tacStatus tacRelationHistogram(const tacRelation *relation, int column, const tacBins *bins, tacHistogram *histogram,
    tacProgress *progress, tacError *err);
void tacHistogramFree(tacHistogram *histogram);

typedef struct tacGrid {
    uint32_t *cells;         /* numbers of rows, at index (bin of x) * (bins of y) + (bin of y) */
    uint64_t outside, total; /* rows with both values: those outside the grid; all */
} tacGrid;

/* Counts the rows by the bins of two columns. TAC_ERROR: MEMORY, CANCELLED. */
tacStatus tacRelationGrid(const tacRelation *relation, int xColumn, const tacBins *x, int yColumn, const tacBins *y,
    tacGrid *grid, tacProgress *progress, tacError *err);
void tacGridFree(tacGrid *grid);

/*
 * A sample of at most n of the sorted values: all of them when there are no more than n, else n of them whose ranks are
 * spread evenly over 1 .. count, with the least and the largest.
 */
typedef struct tacSample {
    tacCell *values;
    uint64_t *ranks;   /* of each value: its place among all sorted values, counted from 1 */
    uint64_t n, count; /* values in the sample; values in all */
} tacSample;

tacStatus tacRelationSample(
    const tacRelation *relation, int column, uint64_t n, tacSample *sample, tacProgress *progress, tacError *err);
void tacSampleFree(tacSample *sample);

#endif
