/*
 * group.c -- groups of rows, and their figures.
 *
 *   row -> its cells in the columns `by` as bytes -> number of its group
 *       -> rows group by group, in their order (counting sort) -> figures of each group, which is a relation of its own
 *       -> how many rows of its group were before it -> the first of each group are left
 */
#include "base/port.h"

#include "base/error.h"
#include "base/intern.h"
#include "relation/group.h"
#include "relation/packed.h"

const char *const tacGroupFigures[] = {[TAC_GROUP_ROWS] = "rows",
    [TAC_GROUP_COUNT] = "count",
    [TAC_GROUP_MIN] = "min",
    [TAC_GROUP_P50] = "p50",
    [TAC_GROUP_P90] = "p90",
    [TAC_GROUP_P95] = "p95",
    [TAC_GROUP_P99] = "p99",
    [TAC_GROUP_P999] = "p999",
    [TAC_GROUP_MAX] = "max",
    [TAC_GROUP_MEAN] = "mean",
    [TAC_GROUP_SUM] = "sum",
    [TAC_GROUP_AVERAGE] = "average",
    NULL};

typedef struct Grouping {
    const tacRelation *relation;
    const int *by;
    int nBy, nMeasures;
    const tacGroupMeasure *measures;
    uint32_t *groups; /* by place: number of its group */
    uint32_t *rows;   /* of the table, group by group */
    uint64_t *ends;   /* by group: index in rows behind its last one */
    uint32_t nGroups;
    tacPacked *result;
    tacProgress *progress;
    tacError *err;
} Grouping;

/* ---- finding groups --------------------------------------------------------------------------------------------- */

/* Adds the bytes of a cell: all cells that are equal have the same, and none has the beginning of another's. */
static void addCell(const tacTable *table, uint64_t row, int column, tacText *key) {
    tacCell cell = {0};
    table->cell(table, row, column, &cell);
    bool isText = table->columns[column].type == TAC_COLUMN_TEXT;
    bool isNumber = table->columns[column].type == TAC_COLUMN_NUMBER;
    size_t length = !cell.known ? SIZE_MAX : isText ? cell.length : 8;
    tacTextAdd(key, (const char *) &length, sizeof length);
    if (!cell.known) return;
    if (isText) tacTextAdd(key, cell.text, cell.length);
    else tacTextAdd(key, isNumber ? (const char *) &cell.number : (const char *) &cell.ticks, 8);
}

/* Gives each place the number of its group. False: no memory or stopped. */
static bool number(Grouping *g) {
    const tacRelation *relation = g->relation;
    tacInternTable keys = {0};
    tacText key = {0};
    bool done = true;
    for (uint64_t place = 0; done && place < relation->count; place++) {
        done = tacProgressAt(g->progress, place);
        key.length = 0;
        for (int i = 0; i < g->nBy; i++) addCell(&relation->table, tacRelationRow(relation, place), g->by[i], &key);
        g->groups[place] = key.failed ? TAC_NONE : tacIntern(&keys, key.at ? key.at : "", key.length);
        done = done && g->groups[place] != TAC_NONE;
    }
    g->nGroups = (uint32_t) tacInternCount(&keys);
    tacTextFree(&key);
    tacInternFree(&keys);
    return done && !tacTableFailed(&relation->table);
}

/* Lists the rows group by group. False: no memory. */
static bool distribute(Grouping *g) {
    uint64_t sum = 0;
    g->ends = tacAllocZero((size_t) g->nGroups + 1, sizeof *g->ends);
    if (!g->ends) return false;
    for (uint64_t place = 0; place < g->relation->count; place++) g->ends[g->groups[place]]++;
    for (uint32_t i = 0; i < g->nGroups; i++) {
        uint64_t n = g->ends[i];
        g->ends[i] = sum;
        sum += n;
    }
    for (uint64_t place = 0; place < g->relation->count; place++)
        g->rows[g->ends[g->groups[place]]++] = (uint32_t) tacRelationRow(g->relation, place);
    return true;
}

/* ---- figures ---------------------------------------------------------------------------------------------------- */

static void sumCell(const tacTable *table, int column, const tacRelationFigures *f, bool mean, tacCell *cell) {
    bool isNumber = table->columns[column].type == TAC_COLUMN_NUMBER;
    long double sum = isNumber ? f->total : (long double) f->sum;
    cell->known = f->count != 0;
    if (mean) {
        for (int i = 0; table->columns[column].type == TAC_COLUMN_TIME && i < table->digits; i++) sum /= 10;
        if (cell->known) tacCellNumber(cell, (double) (sum / (long double) f->count));
    } else if (isNumber) {
        if (cell->known) tacCellNumber(cell, (double) sum);
    } else {
        cell->known &= f->sum > INT64_MIN && f->sum <= INT64_MAX;
        if (cell->known) cell->ticks = (int64_t) f->sum;
    }
}

static void measureCell(
    const tacTable *table, const tacGroupMeasure *measure, const tacRelationFigures *f, uint64_t rows, tacCell *cell) {
    switch (measure->figure) {
    case TAC_GROUP_ROWS: tacCellCount(cell, (int64_t) rows); break;
    case TAC_GROUP_COUNT: tacCellCount(cell, (int64_t) f->count); break;
    case TAC_GROUP_MEAN:
    case TAC_GROUP_SUM: sumCell(table, measure->column, f, measure->figure == TAC_GROUP_MEAN, cell); break;
    default: *cell = f->ranks[measure->figure - TAC_GROUP_MIN]; break;
    }
}

/* Adds the row of a group, whose rows are shown by `part`. */
static tacStatus addGroup(Grouping *g, const tacRelation *part) {
    const tacTable *table = &g->relation->table;
    tacRelationFigures figures = {0};
    int measured = -1;
    if (tacPackedBegin(g->result, table->digits, g->err) != TAC_OK) return TAC_ERROR;
    for (int i = 0; i < g->nBy; i++) {
        tacCell cell = {0};
        table->cell(table, part->places[0], g->by[i], &cell);
        if (tacPackedSet(g->result, i, &cell, g->err) != TAC_OK) return TAC_ERROR;
    }
    for (int i = 0; i < g->nMeasures; i++) {
        tacCell cell = {0};
        const tacGroupMeasure *measure = &g->measures[i];
        bool isNew = measure->figure != TAC_GROUP_ROWS && measure->column != measured;
        if (isNew && tacRelationMeasure(part, measure->column, &figures, g->progress, g->err) != TAC_OK)
            return TAC_ERROR;
        if (isNew) measured = measure->column;
        measureCell(table, measure, &figures, part->count, &cell);
        if (tacPackedSet(g->result, g->nBy + i, &cell, g->err) != TAC_OK) return TAC_ERROR;
    }
    if (tacTableFailed(table)) return tacFailMemory(g->err);
    tacPackedEnd(g->result);
    return TAC_OK;
}

static tacStatus addGroups(Grouping *g) {
    tacRelation part = {.table = g->relation->table};
    uint64_t begin = 0;
    for (uint32_t i = 0; i < g->nGroups; begin = g->ends[i++]) {
        part.places = g->rows + begin;
        part.count = g->ends[i] - begin;
        if (!tacProgressObject(g->progress, i)) return tacFailStopped(g->err, g->progress);
        if (addGroup(g, &part) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

/* Makes the table of the result, without rows; its columns are copied. */
static tacStatus makeResult(Grouping *g) {
    const tacTable *table = &g->relation->table;
    int n = g->nBy + g->nMeasures;
    tacColumn *columns = tacAllocZero((size_t) n + 1, sizeof *columns);
    if (!columns) return tacFailMemory(g->err);
    for (int i = 0; i < g->nBy; i++) columns[i] = table->columns[g->by[i]];
    for (int i = 0; i < g->nMeasures; i++) {
        const tacGroupMeasure *m = &g->measures[i];
        bool isCount = m->figure == TAC_GROUP_ROWS || m->figure == TAC_GROUP_COUNT;
        tacColumnType type = isCount      ? TAC_COLUMN_COUNT
            : m->figure == TAC_GROUP_MEAN ? TAC_COLUMN_NUMBER
                                          : table->columns[m->column].type;
        columns[g->nBy + i] = (tacColumn){.name = m->name, .type = type, .help = ""};
    }
    tacTable like = {.columns = columns, .nColumns = n, .timeUnit = table->timeUnit};
    g->result = tacPackedNew(&like, g->err);
    tacFree(columns);
    return g->result ? TAC_OK : TAC_ERROR;
}

tacStatus tacRelationGroup(const tacRelation *relation, const int *by, int n, const tacGroupMeasure *measures,
    int nMeasures, tacTable *table, tacProgress *progress, tacError *err) {
    size_t room = (size_t) relation->count + 1;
    Grouping g = {.relation = relation,
        .by = by,
        .nBy = n,
        .measures = measures,
        .nMeasures = nMeasures,
        .groups = tacAlloc(room * sizeof *g.groups),
        .rows = tacAlloc(room * sizeof *g.rows),
        .progress = progress,
        .err = err};
    tacStatus status = g.groups && g.rows && number(&g) && distribute(&g) ? TAC_OK : tacFailStopped(err, progress);
    if (status == TAC_OK) status = makeResult(&g);
    if (status == TAC_OK) status = addGroups(&g);
    if (status == TAC_OK) tacPackedTable(g.result, table);
    else if (g.result) tacPackedFree(g.result);
    tacFree(g.groups);
    tacFree(g.rows);
    tacFree(g.ends);
    return status;
}

/* ---- the first rows of groups ------------------------------------------------------------------------------------ */

/* Shows the rows of which fewer than `most` of their group are before them. False: no memory. */
static bool showFirst(tacRelation *relation, const Grouping *g, uint64_t most) {
    uint64_t room = g->nBy || most > relation->count ? relation->count : most, count = 0;
    uint32_t *seen = tacAllocZero((size_t) g->nGroups + 1, sizeof *seen);
    uint32_t *places = tacAlloc(((size_t) room + 1) * sizeof *places);
    bool done = seen && places;
    for (uint64_t place = 0; done && place < (g->nBy ? relation->count : room); place++)
        if (!g->nBy || seen[g->groups[place]]++ < most) places[count++] = (uint32_t) tacRelationRow(relation, place);
    tacFree(seen);
    if (!done) return tacFree(places), false;
    tacFree(relation->places);
    relation->places = places;
    relation->count = count;
    relation->filtered = true;
    return true;
}

tacStatus tacRelationFirst(
    tacRelation *relation, const int *by, int n, uint64_t most, tacProgress *progress, tacError *err) {
    Grouping g = {.relation = relation, .by = by, .nBy = n, .progress = progress, .err = err};
    if (n) g.groups = tacAlloc(((size_t) relation->count + 1) * sizeof *g.groups);
    bool done = (!n || (g.groups && number(&g))) && showFirst(relation, &g, most);
    tacFree(g.groups);
    return done ? TAC_OK : tacFailStopped(err, progress);
}
