/*
 * compare.h -- two sides of a comparison, BASE and OTHER, as tables (tactus_compare(n)).
 *
 *      two profiles -> tasks paired by name, then by id -> for each measure: quantiles of both, the interval of their
 *      difference, the rank test -> a row for each task, measure and figure
 *
 * What is said of a figure (its verdict):
 *      p50 p95 p99 p999   higher or lower when the interval of the difference does not hold 0; else noise; few when it
 *                         needs more values than there are
 *      min max            by how many values of one side are beyond all of the other (Rosenbaum's test)
 *      share of misses    by the interval of the difference of two shares
 *      count of misses    higher or lower: they happened
 *
 * What is said of one measure and figure is said of many tasks, so it is judged over all of them (Holm): that any is
 * told to be higher or lower by chance alone has at most the probability alpha. Intervals are those of each row alone.
 */
#ifndef TAC_ANALYSIS_COMPARE_H
#define TAC_ANALYSIS_COMPARE_H

#include "analysis/profile.h"

typedef struct tacCompareOptions {
    double alpha;                     /* 1 - the confidence */
    bool measures[TAC_TASK_MEASURES]; /* that are wanted */
    bool misses;
} tacCompareOptions;

/* The table of figures. TAC_ERROR: MEMORY, CANCELLED, LIMIT TIME. It refers to the profiles. */
tacStatus tacCompareTable(tacProfile *base, tacProfile *other, const tacCompareOptions *options, tacTable *table,
    tacProgress *progress, tacError *err);
const tacColumn *tacCompareColumns(int *nColumns);

typedef enum tacCausesOf {
    TAC_CAUSES_ALL,
    TAC_CAUSES_DIFFERENT, /* tasks whose mean response time differs */
    TAC_CAUSES_TOLD       /* of these, those with response times that are told to be higher or lower, or are too few */
} tacCausesOf;

/* The table of causes: what the mean jobs are made of, the greatest difference of each task first. `most`: jobs of
 * each task and trace that are taken apart. It refers to the profiles, too. */
tacStatus tacCompareCauses(tacProfile *base, tacProfile *other, tacCausesOf of, double alpha, uint64_t most,
    tacTable *table, tacProgress *progress, tacError *err);
const tacColumn *tacCauseColumns(int *nColumns);

/* Makes one of these tables own what the profiles are part of: `release` is called with `data` when the table is freed.
 */
void tacCompareOwn(tacTable *table, void (*release)(void *data), void *data);

#endif
