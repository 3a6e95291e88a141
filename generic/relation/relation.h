/*
 * relation.h -- a view of a table: filtered, sorted, searched and measured without a copy of its cells.
 *
 *   tacTable (rows) --filter--> rows shown, ascending --sort--> places: row of each place
 *
 * A place is the position at which a row is shown, 0 at the top. Unfiltered and unsorted, place i is row i and there is
 * no index; else the index takes 4 bytes per row shown. Memory for sorting (24 bytes per row shown) is freed
 * afterwards.
 *
 * Invariants:
 *   1. places is NULL exactly when the relation is neither filtered nor sorted; then count is the table's.
 *   2. places ascend unless the relation is sorted.
 *   3. an operation that fails or is cancelled leaves the relation as it was; until it is done, the relation can be
 * read as it was.
 *
 * Sorted either way, empty cells stand behind all others, and equal cells keep the order of their rows. Texts
 * are in natural order: job2 before job10, upper and lower case beside each other.
 */
#ifndef TAC_RELATION_RELATION_H
#define TAC_RELATION_RELATION_H

#include "base/progress.h"
#include "relation/filter.h"

/* A column to sort by; rows that are equal in it are sorted by the next key. */
typedef struct tacSortKey {
    int column;
    bool decreasing;
} tacSortKey;
enum { TAC_SORT_KEYS = 64 };

typedef struct tacRelation {
    tacTable table;   /* owned */
    uint32_t *places; /* row at each place */
    uint64_t count;   /* number of places */
    bool filtered;
    int nKeys; /* sorted by; 0: not sorted */
    tacSortKey keys[TAC_SORT_KEYS];
} tacRelation;

/* Takes the table over. Tables have less than 2^32 rows. */
void tacRelationInit(tacRelation *relation, const tacTable *table);
void tacRelationFree(tacRelation *relation);

static inline uint64_t tacRelationRow(const tacRelation *relation, uint64_t place) {
    return relation->places ? relation->places[place] : place;
}
/* Number of the thing that the row at a place is about, and the reverse: place of that thing, UINT64_MAX: not shown. */
uint64_t tacRelationId(const tacRelation *relation, uint64_t place);
uint64_t tacRelationPlace(const tacRelation *relation, uint64_t id);
/* Finds the places of n things in one pass: ascending, each once, without those that are not shown. `places` has room
 * for n. TAC_ERROR: MEMORY. */
tacStatus tacRelationPlaces(
    const tacRelation *relation, const uint64_t *ids, uint64_t n, uint64_t *places, uint64_t *found, tacError *err);

/* Shows the rows that the filter (made for the relation's table) wants, sorted as before. NULL: all rows. TAC_ERROR:
 * MEMORY, CANCELLED. */
tacStatus tacRelationFilter(tacRelation *relation, const tacFilter *filter, tacProgress *progress, tacError *err);
/* Sorts by n columns, at most TAC_SORT_KEYS; 0: in the order of the table. TAC_ERROR: MEMORY, CANCELLED. */
tacStatus tacRelationSort(tacRelation *relation, const tacSortKey *keys, int n, tacProgress *progress, tacError *err);
/* Finds the first place from `from` on (backwards: at or before it) whose row the filter wants; UINT64_MAX: none. */
tacStatus tacRelationFind(const tacRelation *relation, uint64_t from, bool backwards, const tacFilter *filter,
    uint64_t *place, tacProgress *progress, tacError *err);
/* Counts the rows shown that the filter wants, without showing them alone. TAC_ERROR: MEMORY, CANCELLED. */
tacStatus tacRelationCount(
    const tacRelation *relation, const tacFilter *filter, uint64_t *count, tacProgress *progress, tacError *err);
/* Makes a table of the rows shown, in their order, that refers to the relation. */
void tacRelationTable(const tacRelation *relation, tacTable *table);
/* Makes such a table of the columns that people read. */
void tacRelationReadable(const tacRelation *relation, tacTable *table);

/* Figures of one column over the rows shown: exact for ticks and counts, percentiles by nearest rank (stats.h). */
enum { TAC_RELATION_RANKS = 7 }; /* minimum, p50, p90, p95, p99, p999, maximum */
extern const char *const tacRelationRanks[TAC_RELATION_RANKS];
typedef struct tacRelationFigures {
    uint64_t count; /* cells that are not empty; 0: there are no figures */
    tacCell ranks[TAC_RELATION_RANKS];
    __int128 sum;      /* of ticks or counts */
    long double total; /* sum of numbers */
} tacRelationFigures;
/* Measures a column that is no text. TAC_ERROR: MEMORY, CANCELLED. */
tacStatus tacRelationMeasure(
    const tacRelation *relation, int column, tacRelationFigures *figures, tacProgress *progress, tacError *err);

/* ---- between the files relation*.c ---- */

/* Compares texts of a column: in natural order, or in that of its words (tacColumnWords), which come before others. */
int tacColumnCompare(const char *const *words, const char *left, const char *right);
/* Sorts n rows, which ascend, by the keys; false: no memory or stopped. */
bool tacRelationSortRows(
    const tacTable *table, uint32_t *rows, uint64_t n, const tacSortKey *keys, int nKeys, tacProgress *progress);

#endif
