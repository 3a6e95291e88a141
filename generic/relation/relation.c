/*
 * relation.c -- which rows of a table are shown, and where.
 *
 * Filtering goes through all rows of the table in their order and tests one condition after the other. The verdict
 * about a text is remembered by the text's number (tacTable.group) in a small table where the latest one of a slot
 * stays.
 */
#include "base/port.h"

#include "base/search.h"
#include "relation/relation.h"

#include <string.h>

void tacRelationInit(tacRelation *relation, const tacTable *table) {
    *relation = (tacRelation){.table = *table, .count = table->nRows, .column = -1};
}

void tacRelationFree(tacRelation *relation) {
    tacFree(relation->places);
    tacTableFree(&relation->table);
    *relation = (tacRelation){.column = -1};
}

/* ---- things and places ------------------------------------------------------------------------------------------ */

static uint64_t idOfRow(const tacTable *table, uint64_t row) { return table->id ? table->id(table, row) : row; }

uint64_t tacRelationId(const tacRelation *relation, uint64_t place) {
    return idOfRow(&relation->table, tacRelationRow(relation, place));
}

/* The row of a thing; UINT64_MAX: there is none. */
static uint64_t rowOfId(const tacTable *table, uint64_t id) {
    uint64_t low = tacPast(uint64_t, 0, table->nRows, i, idOfRow(table, i) < id);
    return low < table->nRows && idOfRow(table, low) == id ? low : UINT64_MAX;
}

static uint64_t placeByHalving(const tacRelation *relation, uint64_t row) {
    uint64_t low = tacPast(uint64_t, 0, relation->count, i, relation->places[i] < row);
    return low < relation->count && relation->places[low] == row ? low : UINT64_MAX;
}

uint64_t tacRelationPlace(const tacRelation *relation, uint64_t id) {
    uint64_t row = rowOfId(&relation->table, id);
    if (row == UINT64_MAX || !relation->places) return row;
    if (relation->column < 0) return placeByHalving(relation, row);
    for (uint64_t place = 0; place < relation->count; place++)
        if (relation->places[place] == row) return place;
    return UINT64_MAX;
}

/* The rows wanted as bits; then the places from the top until all of them were met. */
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

/* ---- conditions ------------------------------------------------------------------------------------------------- */

enum { SLOTS = 1 << 12 };

typedef struct Verdict {
    uint64_t number; /* tacTable.group */
    int column;      /* and the column, counted from 1; 0: a free slot */
    bool fits;
} Verdict;

typedef struct Test { /* one condition, with the verdicts about its texts */
    const tacCondition *condition;
    Verdict *known; /* SLOTS of them; NULL: nothing is remembered */
} Test;

static bool fitsText(const tacTable *table, const tacCondition *condition, uint64_t row, int column) {
    char buffer[TAC_CELL_SIZE];
    size_t length;
    tacCell cell = {0};
    if (condition->noNumbers && table->columns[column].type != TAC_COLUMN_TEXT) return false;
    table->cell(table, row, column, &cell);
    return cell.known && condition->test(condition->data, tacCellText(table, column, &cell, buffer, &length));
}

static bool textFits(const Test *test, const tacTable *table, uint64_t row, int column) {
    uint64_t number;
    if (!test->known || !table->group || !table->group(table, row, column, &number))
        return fitsText(table, test->condition, row, column);
    uint64_t hash = (number + (uint64_t) column) * UINT64_C(0x9E3779B97F4A7C15);
    Verdict *verdict = &test->known[hash >> 52]; /* 12 bits: SLOTS */
    if (verdict->number != number || verdict->column != column + 1)
        *verdict = (Verdict){number, column + 1, fitsText(table, test->condition, row, column)};
    return verdict->fits;
}

static bool cellFits(const tacTable *table, const tacCondition *condition, uint64_t row) {
    tacCell cell = {0};
    table->cell(table, row, condition->column, &cell);
    switch (condition->kind) {
    case TAC_WHEN_RANGE: return cell.known && condition->low <= cell.ticks && cell.ticks <= condition->high;
    case TAC_WHEN_NUMBER:
        return cell.known && condition->lowNumber <= cell.number && cell.number <= condition->highNumber;
    default: return !cell.known;
    }
}

static bool holds(const Test *test, const tacTable *table, uint64_t row) {
    const tacCondition *condition = test->condition;
    bool fits = false;
    if (condition->kind != TAC_WHEN_TEXT) fits = cellFits(table, condition, row);
    else if (condition->column != TAC_ANY_COLUMN) fits = textFits(test, table, row, condition->column);
    else
        for (int column = 0; column < table->nColumns && !fits; column++) fits = textFits(test, table, row, column);
    return fits != condition->negated;
}

static bool allHold(const Test *tests, int n, const tacTable *table, uint64_t row) {
    for (int i = 0; i < n; i++)
        if (!holds(&tests[i], table, row)) return false;
    return true;
}

static void freeTests(Test *tests, int n) {
    for (int i = 0; tests && i < n; i++) tacFree(tests[i].known);
    tacFree(tests);
}

/* NULL: no memory. Without memory for verdicts things only take longer, but it would not be there for the rest either.
 */
static Test *makeTests(const tacCondition *conditions, int n) {
    Test *tests = tacAllocZero((size_t) n + 1, sizeof *tests);
    for (int i = 0; tests && i < n; i++) {
        tests[i].condition = &conditions[i];
        if (conditions[i].kind != TAC_WHEN_TEXT) continue;
        tests[i].known = tacAllocZero(SLOTS, sizeof *tests[i].known);
        if (tests[i].known) continue;
        freeTests(tests, n);
        return NULL;
    }
    return tests;
}

static bool tableFailed(const tacTable *table) { return table->failed && *table->failed; }

/* ---- filtering -------------------------------------------------------------------------------------------------- */

typedef TAC_ARRAY(uint32_t) Rows;

/* The rows for which all tests hold. */
static bool chooseRows(const tacTable *table, const Test *tests, int n, Rows *rows, tacProgress *progress) {
    for (uint64_t row = 0; row < table->nRows; row++) {
        if ((row & 0xff) == 0 && !tacProgressStep(progress, row)) return false;
        if (allHold(tests, n, table, row) && !tacArrayPush(rows, (uint32_t) row)) return false;
    }
    return !tableFailed(table);
}

static bool allRows(const tacTable *table, Rows *rows) {
    if (!tacArrayReserve(rows, table->nRows + 1)) return false;
    for (uint64_t row = 0; row < table->nRows; row++) rows->at[row] = (uint32_t) row;
    rows->count = table->nRows;
    return true;
}

/* Puts the rows (an array of the relation's from now on) in the place of those before. */
static void showRows(tacRelation *relation, Rows *rows) {
    if (rows->count) tacArrayTrim(rows); /* an index of no rows is there all the same */
    tacFree(relation->places);
    relation->places = rows->at;
    relation->count = rows->count;
}

static void showAll(tacRelation *relation) {
    tacFree(relation->places);
    relation->places = NULL;
    relation->count = relation->table.nRows;
}

static bool filterRows(
    const tacRelation *relation, const tacCondition *conditions, int n, Rows *rows, tacProgress *progress) {
    Test *tests = makeTests(conditions, n);
    bool done = tests && (n ? chooseRows(&relation->table, tests, n, rows, progress) : allRows(&relation->table, rows));
    freeTests(tests, n);
    /* An index that is there tells it from none: a filter through which nothing comes has one too. */
    return done && tacArrayReserve(rows, 1)
        && (relation->column < 0
            || tacRelationSortRows(
                &relation->table, rows->at, rows->count, relation->column, relation->decreasing, progress));
}

tacStatus tacRelationFilter(
    tacRelation *relation, const tacCondition *conditions, int n, tacProgress *progress, tacError *err) {
    Rows rows = {0};
    if (n == 0 && relation->column < 0) showAll(relation);
    else if (filterRows(relation, conditions, n, &rows, progress)) showRows(relation, &rows);
    else {
        tacArrayFree(&rows);
        return tacFailStopped(err, progress);
    }
    relation->filtered = n > 0;
    return TAC_OK;
}

/* ---- sorting ---------------------------------------------------------------------------------------------------- */

/* The rows shown in ascending order: through a set of bits. */
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

tacStatus tacRelationSort(tacRelation *relation, int column, bool decreasing, tacProgress *progress, tacError *err) {
    Rows rows = {0};
    bool natural = column < 0;
    if (natural && !relation->filtered) showAll(relation);
    else if (shownRows(relation, &rows)
        && (natural || tacRelationSortRows(&relation->table, rows.at, rows.count, column, decreasing, progress)))
        showRows(relation, &rows);
    else {
        tacArrayFree(&rows);
        return tacFailStopped(err, progress);
    }
    relation->column = natural ? -1 : column;
    relation->decreasing = decreasing;
    return TAC_OK;
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

static tacStatus findPlace(const tacRelation *relation, uint64_t from, bool backwards, const Test *tests, int n,
    uint64_t *place, tacProgress *progress) {
    for (uint64_t at = from, steps = 0; at < relation->count; at += backwards ? UINT64_MAX : 1, steps++) {
        if ((steps & 0xff) == 0 && !tacProgressStep(progress, steps)) return TAC_ERROR;
        if (!allHold(tests, n, &relation->table, tacRelationRow(relation, at))) continue;
        *place = at;
        return TAC_OK;
    }
    return tableFailed(&relation->table) ? TAC_ERROR : TAC_OK;
}

tacStatus tacRelationFind(const tacRelation *relation, uint64_t from, bool backwards, const tacCondition *conditions,
    int n, uint64_t *place, tacProgress *progress, tacError *err) {
    *place = UINT64_MAX;
    if (backwards && from >= relation->count)
        from = relation->count - 1; /* none: the largest number, which no place is */
    Test *tests = makeTests(conditions, n);
    tacStatus status = tests ? findPlace(relation, from, backwards, tests, n, place, progress) : TAC_ERROR;
    freeTests(tests, n);
    return status == TAC_OK ? TAC_OK : tacFailStopped(err, progress);
}
