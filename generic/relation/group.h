/*
 * group.h -- rows by groups: those whose cells in some columns are equal, and figures of other columns over the rows of
 * each group. The result is a table with a row for each group, in the order of their first rows; or the first rows of
 * each group are left.
 */
#ifndef TAC_RELATION_GROUP_H
#define TAC_RELATION_GROUP_H

#include "relation/relation.h"

/* What is told of a group. All but the first are of a column that is no text, over its cells that are not empty:
 * exact for ticks and counts, percentiles by nearest rank; without such cells there is none. A sum that 64 bits do not
 * hold is left empty. */
typedef enum tacGroupFigure {
    TAC_GROUP_ROWS, /* how many rows there are */
    TAC_GROUP_COUNT,
    TAC_GROUP_MIN,
    TAC_GROUP_P50,
    TAC_GROUP_P90,
    TAC_GROUP_P95,
    TAC_GROUP_P99,
    TAC_GROUP_P999,
    TAC_GROUP_MAX,
    TAC_GROUP_MEAN,
    TAC_GROUP_SUM,
    TAC_GROUP_AVERAGE /* as a word only: TAC_GROUP_MEAN */
} tacGroupFigure;
extern const char *const tacGroupFigures[]; /* "rows" "count" "min" "p50" ..., NULL */

typedef struct tacGroupMeasure {
    tacGroupFigure figure;
    int column;       /* not of TAC_GROUP_ROWS */
    const char *name; /* of the result's column */
} tacGroupMeasure;

/*
 * Makes the table of the groups of the rows shown: the n columns `by`, and the measures. For a row shown it takes 8
 * bytes, and as many as its cells of `by` have while groups are found; for a group what its row takes in
 * relation/packed.h. TAC_ERROR: MEMORY, CANCELLED.
 */
tacStatus tacRelationGroup(const tacRelation *relation, const int *by, int n, const tacGroupMeasure *measures,
    int nMeasures, tacTable *table, tacProgress *progress, tacError *err);

/*
 * Leaves of the rows shown the first `most` of each group: those that are equal in the n columns `by`, so without
 * columns of all. They stay in their order. For a row shown it takes 8 bytes, and what finding groups takes. TAC_ERROR:
 * MEMORY, CANCELLED.
 */
tacStatus tacRelationFirst(
    tacRelation *relation, const int *by, int n, uint64_t most, tacProgress *progress, tacError *err);

#endif
