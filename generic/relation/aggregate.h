/*
 * aggregate.h -- the values of a column in bins, of two columns in a grid, and a sample of the sorted values: what a
 * histogram, a scatter over time and a cumulative distribution of a million jobs are drawn from.
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
    uint64_t *counts;      /* one a bin */
    uint64_t below, above; /* values outside */
    uint64_t total;        /* values, wherever they are */
} tacHistogram;

/* TAC_ERROR: MEMORY, CANCELLED. */
tacStatus tacRelationHistogram(const tacRelation *relation, int column, const tacBins *bins, tacHistogram *histogram,
    tacProgress *progress, tacError *err);
void tacHistogramFree(tacHistogram *histogram);

typedef struct tacGrid {
    uint32_t *cells;         /* bin of x * n of y + bin of y: how many rows */
    uint64_t outside, total; /* rows with both values: outside the grid; all */
} tacGrid;

tacStatus tacRelationGrid(const tacRelation *relation, int xColumn, const tacBins *x, int yColumn, const tacBins *y,
    tacGrid *grid, tacProgress *progress, tacError *err);
void tacGridFree(tacGrid *grid);

/*
 * At most n of the sorted values: all of them when there are no more than n, else those at ranks 1 .. count, n of them
 * evenly spread, with the least and the largest. ranks[i]: how many values are not behind values[i] in order.
 */
typedef struct tacSample {
    tacCell *values;
    uint64_t *ranks;
    uint64_t n, count; /* sampled; values there are */
} tacSample;

tacStatus tacRelationSample(
    const tacRelation *relation, int column, uint64_t n, tacSample *sample, tacProgress *progress, tacError *err);
void tacSampleFree(tacSample *sample);

#endif
