/*
 * relation.c -- the rows of a table that are shown, and their places.
 *
 * Filtering goes through all rows of the table in their order and asks the filter (filter.c) about each.
 */
#include "base/port.h"

#include "base/search.h"
#include "relation/relation.h"

#include <string.h>

void tacRelationInit(tacRelation *relation, const tacTable *table) {
    *relation = (tacRelation){.table = *table, .count = table->nRows};
}

void tacRelationFree(tacRelation *relation) {
    tacFree(relation->places);
    tacTableFree(&relation->table);
    *relation = (tacRelation){.nKeys = 0};
}

/* ---- things and places ------------------------------------------------------------------------------------------ */

static uint64_t idOfRow(const tacTable *table, uint64_t row) { return table->id ? table->id(table, row) : row; }

uint64_t tacRelationId(const tacRelation *relation, uint64_t place) {
    return idOfRow(&relation->table, tacRelationRow(relation, place));
}

/* Row of a thing; UINT64_MAX: there is none. */
static uint64_t rowOfId(const tacTable *table, uint64_t id) {
    if (table->rowOfId) return table->rowOfId(table, id);
    uint64_t low = tacPast(uint64_t, 0, table->nRows, i, idOfRow(table, i) < id);
    return low < table->nRows && idOfRow(table, low) == id ? low : UINT64_MAX;
}

uint64_t tacRelationPlace(const tacRelation *relation, uint64_t id) {
    uint64_t row = rowOfId(&relation->table, id);
    if (row == UINT64_MAX || !relation->places) return row;
    if (!relation->nKeys) { /* places ascend */
        uint64_t low = tacPast(uint64_t, 0, relation->count, i, relation->places[i] < row);
        return low < relation->count && relation->places[low] == row ? low : UINT64_MAX;
    }
    for (uint64_t place = 0; place < relation->count; place++)
        if (relation->places[place] == row) return place;
    return UINT64_MAX;
}

/* Marks the rows wanted in a set of bits, and goes over the places from the top until all of them were met. */
tacStatus tacRelationPlaces(
    const tacRelation *relation, const uint64_t *ids, uint64_t n, uint64_t *places, uint64_t *found, tacError *err) {
    uint64_t *wanted = tacAllocZero(relation->table.nRows / 64 + 1, sizeof *wanted), left = 0;
    *found = 0;
    if (!wanted) return tacFailMemory(err);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t row = rowOfId(&relation->table, ids[i]);
        if (row == UINT64_MAX || wanted[row / 64] >> row % 64 & 1) continue;
        wanted[row / 64] |= UINT64_C(1) << row % 64;
        left++;
    }
    for (uint64_t place = 0; left && place < relation->count; place++) {
        uint64_t row = tacRelationRow(relation, place);
        if (!(wanted[row / 64] >> row % 64 & 1)) continue;
        places[(*found)++] = place;
        left--;
    }
    tacFree(wanted);
    return TAC_OK;
}

/* ---- filtering -------------------------------------------------------------------------------------------------- */

typedef TAC_ARRAY(uint32_t) Rows;

/* Lists all rows of the table. False: no memory. */
static bool allRows(const tacTable *table, Rows *rows) {
    if (!tacArrayReserve(rows, table->nRows + 1)) return false;
    for (uint64_t row = 0; row < table->nRows; row++) rows->at[row] = (uint32_t) row;
    rows->count = table->nRows;
    return true;
}

/* Shows these rows instead of those before; the relation takes over the array. */
static void showRows(tacRelation *relation, Rows *rows) {
    if (rows->count) tacArrayTrim(rows); /* an empty array stays as it is: trimming would free it */
    tacFree(relation->places);
    relation->places = rows->at;
    relation->count = rows->count;
}

static void showAll(tacRelation *relation) {
    tacFree(relation->places);
    relation->places = NULL;
    relation->count = relation->table.nRows;
}

/* Lists the rows that the filter wants (NULL: all), in the order of the relation. False: no memory or stopped. */
static bool filterRows(const tacRelation *relation, const tacFilter *filter, Rows *rows, tacProgress *progress) {
    const tacTable *table = &relation->table;
    tacFilterRun *run = filter ? tacFilterBegin(filter) : NULL;
    bool done = filter ? run != NULL : allRows(table, rows);
    for (uint64_t row = 0; done && run && row < table->nRows; row++) {
        if ((row & 0xff) == 0) done = tacProgressStep(progress, row);
        if (done && tacFilterFits(run, row)) done = tacArrayPush(rows, (uint32_t) row);
    }
    tacFilterEnd(run);
    /* A filtered relation has an array of places even when no row fits. */
    return done && !tacTableFailed(table) && tacArrayReserve(rows, 1)
        && tacRelationSortRows(table, rows->at, rows->count, relation->keys, relation->nKeys, progress);
}

tacStatus tacRelationFilter(tacRelation *relation, const tacFilter *filter, tacProgress *progress, tacError *err) {
    Rows rows = {0};
    if (filter && tacFilterWantsAll(filter)) filter = NULL;
    if (!filter && !relation->nKeys) showAll(relation);
    else if (filterRows(relation, filter, &rows, progress)) showRows(relation, &rows);
    else {
        tacArrayFree(&rows);
        return tacFailStopped(err, progress);
    }
    relation->filtered = filter != NULL;
    return TAC_OK;
}

/* ---- sorting ---------------------------------------------------------------------------------------------------- */

/* Lists the rows shown in ascending order, by way of a set of bits. False: no memory. */
static bool shownRows(const tacRelation *relation, Rows *rows) {
    if (!relation->filtered) return allRows(&relation->table, rows);
    uint64_t *bits = tacAllocZero((size_t) (relation->table.nRows / 64) + 1, sizeof *bits);
    if (!bits || !tacArrayReserve(rows, relation->count + 1)) {
        tacFree(bits);
        return false;
    }
    for (uint64_t i = 0; i < relation->count; i++)
        bits[relation->places[i] / 64] |= UINT64_C(1) << relation->places[i] % 64;
    for (uint64_t row = 0; row < relation->table.nRows; row++)
        if (bits[row / 64] >> row % 64 & 1) rows->at[rows->count++] = (uint32_t) row;
    tacFree(bits);
    return true;
}

tacStatus tacRelationSort(tacRelation *relation, const tacSortKey *keys, int n, tacProgress *progress, tacError *err) {
    Rows rows = {0};
    if (!n && !relation->filtered) showAll(relation);
    else if (shownRows(relation, &rows)
        && tacRelationSortRows(&relation->table, rows.at, rows.count, keys, n, progress))
        showRows(relation, &rows);
    else {
        tacArrayFree(&rows);
        return tacFailStopped(err, progress);
    }
    relation->nKeys = n;
    for (int i = 0; i < n; i++) relation->keys[i] = keys[i];
    return TAC_OK;
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

tacStatus tacRelationFind(const tacRelation *relation, uint64_t from, bool backwards, const tacFilter *filter,
    uint64_t *place, tacProgress *progress, tacError *err) {
    tacFilterRun *run = tacFilterBegin(filter);
    bool done = run != NULL;
    uint64_t at = from;
    *place = UINT64_MAX;
    if (backwards && from >= relation->count) at = relation->count - 1; /* without places: beyond all of them */
    for (uint64_t steps = 0; done && at < relation->count; at += backwards ? UINT64_MAX : 1, steps++) {
        if ((steps & 0xff) == 0) done = tacProgressStep(progress, steps);
        if (!done || !tacFilterFits(run, tacRelationRow(relation, at))) continue;
        *place = at;
        break;
    }
    tacFilterEnd(run);
    /* A row found is not the first one, perhaps, when another could not be looked at. */
    return done && !tacTableFailed(&relation->table) ? TAC_OK : tacFailStopped(err, progress);
}

tacStatus tacRelationCount(
    const tacRelation *relation, const tacFilter *filter, uint64_t *count, tacProgress *progress, tacError *err) {
    tacFilterRun *run = tacFilterBegin(filter);
    bool done = run != NULL;
    *count = 0;
    for (uint64_t at = 0; done && at < relation->count; at++) {
        if ((at & 0xff) == 0) done = tacProgressStep(progress, at);
        *count += done && tacFilterFits(run, tacRelationRow(relation, at));
    }
    tacFilterEnd(run);
    return done && !tacTableFailed(&relation->table) ? TAC_OK : tacFailStopped(err, progress);
}

/* ---- as a table ------------------------------------------------------------------------------------------------- */

static void shownCell(const tacTable *table, uint64_t place, int column, tacCell *cell) {
    const tacRelation *relation = table->data;
    relation->table.cell(&relation->table, tacRelationRow(relation, place), column, cell);
}

static tacColumnTrait shownTrait(const tacTable *table, int column) {
    const tacRelation *relation = table->data;
    return relation->table.trait(&relation->table, column);
}

static bool shownGroup(const tacTable *table, uint64_t place, int column, uint64_t *number) {
    const tacRelation *relation = table->data;
    return relation->table.group(&relation->table, tacRelationRow(relation, place), column, number);
}

static void readableCell(const tacTable *table, uint64_t place, int column, tacCell *cell) {
    const tacRelation *relation = table->data;
    relation->table.readable->cell(&relation->table, tacRelationRow(relation, place), column, cell);
}

void tacRelationReadable(const tacRelation *relation, tacTable *table) {
    const tacTableReadable *readable = relation->table.readable;
    tacRelationTable(relation, table);
    if (!readable) return;
    table->columns = readable->columns;
    table->nColumns = readable->nColumns;
    table->trait = NULL;
    table->right = readable->right;
    table->group = NULL;
    table->cell = readableCell;
    table->wide = true;
}

void tacRelationTable(const tacRelation *relation, tacTable *table) {
    const tacTable *all = &relation->table;
    *table = (tacTable){.title = all->title,
        .columns = all->columns,
        .nColumns = all->nColumns,
        .nRows = relation->count,
        .digits = all->digits,
        .timeUnit = all->timeUnit,
        .trait = all->trait ? shownTrait : NULL,
        .cell = shownCell,
        .data = (void *) relation,
        .failed = all->failed,
        .group = all->group ? shownGroup : NULL};
}
