/*
 * compareCauses.c -- the table of causes: what the mean jobs of the two sides are made of.
 *
 *      pair of tasks -> even samples of jobs of both sides, taken apart (why.h) -> means by the words of a part ->
 * rows, the greatest difference first
 *
 * As for figures (compare.c), the rows of a pair with few jobs are made again when they are asked for.
 */
#include "base/port.h"

#include "analysis/comparePart.h"
#include "base/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 32 }; /* jobs of a pair whose rows are kept */

enum { C_TASK, C_CAUSE, C_BASE, C_OTHER, C_DIFFERENCE, C_BASE_N, C_OTHER_N, C_TEXT, COLUMNS };

static const tacColumn columns[COLUMNS] = {
    [C_TASK] = {"task", TAC_COLUMN_TEXT, "name of the task, or its id where it was found by that", 0},
    [C_CAUSE] = {"cause", TAC_COLUMN_TEXT, "a part of the response time in words; empty: all of it", 0},
    [C_BASE] = {"base", TAC_COLUMN_NUMBER, "the part of the mean job of BASE", 0},
    [C_OTHER] = {"other", TAC_COLUMN_NUMBER, "the part of the mean job of OTHER", 0},
    [C_DIFFERENCE] = {"difference", TAC_COLUMN_NUMBER, "other - base", 0},
    [C_BASE_N] = {"base_n", TAC_COLUMN_COUNT, "completed jobs of BASE", 0},
    [C_OTHER_N] = {"other_n", TAC_COLUMN_COUNT, "completed jobs of OTHER", 0},
    [C_TEXT] = {"text", TAC_COLUMN_TEXT, "all of it, with the greatest parts, as a sentence; empty: a part", 0},
};

const tacColumn *tacCauseColumns(int *nColumns) {
    *nColumns = COLUMNS;
    return columns;
}

static tacColumnTrait traitOf(const tacTable *table, int column) {
    bool isTime = column >= C_BASE && column <= C_DIFFERENCE;
    (void) table;
    return (tacColumnTrait){isTime ? tacUnitOfTimes : NULL, NULL};
}

/* ---- the rows of a pair ----------------------------------------------------------------------------------------- */

typedef struct Cause {
    char *cause; /* NULL: the response time as a whole */
    double base, other, difference;
    int64_t baseN, otherN;
} Cause;
typedef struct Causes {
    TAC_ARRAY(Cause) rows;
    bool borrowed; /* texts are those of Table.words */
} Causes;

static void clearCauses(Causes *causes) {
    for (size_t i = 0; i < causes->rows.count && !causes->borrowed; i++) tacFree(causes->rows.at[i].cause);
    causes->rows.count = 0;
    causes->borrowed = false;
}

static void freeCauses(Causes *causes) {
    clearCauses(causes);
    tacArrayFree(&causes->rows);
}

static double meanOf(const tacCauses *causes, const char *word, size_t length) {
    uint32_t index = tacInternFind(&causes->words, word, length);
    return index == TAC_NONE ? 0 : causes->means.at[index];
}

/* The whole first, then the greatest differences; a tie in the order of the words. */
static int byDifference(const void *left, const void *right) {
    const Cause *a = left, *b = right;
    if (!a->cause || !b->cause) return (a->cause != NULL) - (b->cause != NULL);
    double x = fabs(a->difference), y = fabs(b->difference);
    return x != y ? (x < y) - (x > y) : strcmp(a->cause, b->cause);
}

/* Makes rows of the causes that either side has. False: no memory. */
static bool addRows(Causes *rows, const tacCauses *base, const tacCauses *other, double unit) {
    const tacCauses *sides[2] = {base, other};
    Cause row = {.baseN = (int64_t) base->jobs, .otherN = (int64_t) other->jobs};
    if (!tacArrayPush(&rows->rows, row)) return false;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < sides[side]->means.count; i++) {
            size_t length;
            const char *word = tacInternName(&sides[side]->words, i, &length);
            if (side == 1 && tacInternFind(&base->words, word, length) != TAC_NONE) continue;
            row.base = meanOf(base, word, length) / unit;
            row.other = meanOf(other, word, length) / unit;
            row.difference = row.other - row.base;
            row.cause = tacCopyText(word, length);
            if (!row.cause || !tacArrayPush(&rows->rows, row)) return tacFree(row.cause), false;
            rows->rows.at[0].base += row.base;
            rows->rows.at[0].other += row.other;
        }
    rows->rows.at[0].difference = rows->rows.at[0].other - rows->rows.at[0].base;
    qsort(rows->rows.at, rows->rows.count, sizeof row, byDifference);
    return true;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

/* A row of a pair, kept: 20 bytes, as long as pairs have few causes, and these few words. Then rows are made again. */
typedef struct __attribute__((packed, aligned(4))) Brief {
    uint32_t word; /* of Table.words; TAC_NONE: the response time as a whole */
    double base, other;
} Brief;
enum { BRIEFS = 3, WORDS = 4096 }; /* most of them: briefs for each pair of tasks; words */

typedef struct Table {
    tacTaskPairs pairs;
    uint64_t most;
    tacCauses base, other;      /* of the pair that was taken apart last */
    TAC_ARRAY(Brief) briefs;    /* rows of the first pairs in listed, */
    TAC_ARRAY(uint32_t) counts; /* ... and the jobs of these, of BASE and OTHER in turn */
    tacInternTable words;
    TAC_ARRAY(uint32_t) listed; /* pairs with rows */
    TAC_ARRAY(uint32_t) first;  /* by place in listed: the first row; behind the last one: all */
    TAC_ARRAY(Causes) kept;     /* rows of pairs with many jobs */
    TAC_ARRAY(uint32_t) keptAt; /* their places in listed */
    size_t place;               /* in listed, of the row that was asked for last */
    size_t made;                /* place in listed of `causes`; SIZE_MAX: none */
    Causes causes;
    tacText text; /* of the cell that was asked for last */
    bool failed;  /* no memory for rows */
} Table;

/* Takes the jobs of a pair apart; no rows: a side has no completed jobs. */
static tacStatus takeApart(Table *t, uint32_t index, Causes *rows, tacProgress *progress, tacError *err) {
    const tacTaskPairs *pairs = &t->pairs;
    tacTaskPair pair = pairs->all.at[index];
    tacStatus status = tacProfileCauses(pairs->base, pair.base, t->most, &pairs->scale, &t->base, progress, err);
    if (status == TAC_OK)
        status = tacProfileCauses(pairs->other, pair.other, t->most, &pairs->scale, &t->other, progress, err);
    clearCauses(rows);
    if (status == TAC_OK && t->base.jobs > 0 && t->other.jobs > 0
        && !addRows(rows, &t->base, &t->other, pow(10, pairs->scale.digits)))
        status = tacFailMemory(err);
    return status;
}

/* Keeps the rows of the pair that comes next in `listed` as briefs, if those of all before are and there is room.
 * False: no memory. */
static bool pack(Table *t, const Causes *causes) {
    size_t n = causes->rows.count;
    const Cause *rows = causes->rows.at;
    bool fits = t->counts.count == 2 * t->listed.count && t->briefs.count + n <= BRIEFS * t->pairs.all.count
        && tacInternCount(&t->words) + n <= WORDS && rows[0].baseN <= UINT32_MAX && rows[0].otherN <= UINT32_MAX;
    if (!fits) return true;
    for (size_t i = 0; i < n; i++) {
        Brief brief = {TAC_NONE, rows[i].base, rows[i].other};
        if (rows[i].cause) brief.word = tacIntern(&t->words, rows[i].cause, strlen(rows[i].cause));
        if ((rows[i].cause && brief.word == TAC_NONE) || !tacArrayPush(&t->briefs, brief)) return false;
    }
    return tacArrayPush(&t->counts, (uint32_t) rows[0].baseN) && tacArrayPush(&t->counts, (uint32_t) rows[0].otherN);
}

/* Makes the rows of a pair from its briefs. NULL: no memory. */
static const Causes *unpack(Table *t, size_t place) {
    clearCauses(&t->causes);
    t->causes.borrowed = true;
    t->made = SIZE_MAX;
    for (uint32_t i = t->first.at[place]; i < t->first.at[place + 1]; i++) {
        Brief brief = t->briefs.at[i];
        Cause cause = {.base = brief.base,
            .other = brief.other,
            .difference = brief.other - brief.base,
            .baseN = t->counts.at[2 * place],
            .otherN = t->counts.at[2 * place + 1]};
        if (brief.word != TAC_NONE) cause.cause = (char *) tacInternName(&t->words, brief.word, NULL);
        if (!tacArrayPush(&t->causes.rows, cause)) return t->failed = true, NULL;
    }
    t->made = place;
    return &t->causes;
}

/* The rows of a pair, by its place in listed; NULL: no memory. */
static const Causes *rowsAt(Table *t, size_t place) {
    tacError err = {{0}, {0}};
    if (t->made == place) return &t->causes;
    if (2 * place < t->counts.count) return unpack(t, place);
    size_t kept = tacPast(size_t, 0, t->keptAt.count, i, t->keptAt.at[i] < place);
    if (kept < t->keptAt.count && t->keptAt.at[kept] == place) return &t->kept.at[kept];
    t->made = SIZE_MAX;
    if (takeApart(t, t->listed.at[place], &t->causes, NULL, &err) != TAC_OK) return t->failed = true, NULL;
    t->made = place;
    return &t->causes;
}

/* Adds a time, or the difference of two. */
static void addAmount(tacText *text, double number, const char *unit, bool sign) {
    char amount[TAC_AMOUNT_SIZE];
    tacTextAdd(text, amount, tacCompareAmount(number, unit, sign, amount));
}

static void addString(tacText *text, const char *string) { tacTextAdd(text, string, strlen(string)); }

/* Adds a part of the difference; n: those before. */
static void addPart(tacText *text, int n, double difference, const char *unit, const char *cause) {
    addString(text, n ? ", " : ": ");
    addAmount(text, difference, unit, true);
    addString(text, " ");
    addString(text, cause);
}

/* Writes why the mean response time differs: "control: mean response +1.2 ms (8 ms -> 9.2 ms): +1 ms preemption by
 * logger, +200 us other things". */
static void writeSentence(tacText *text, const char *task, const Causes *causes, const char *unit) {
    enum { PARTS = 4 };
    const Cause *rows = causes->rows.at;
    double difference = rows[0].difference, rest = difference;
    int n = 0;
    text->length = 0;
    addString(text, task);
    addString(text, ": mean response ");
    addAmount(text, difference, unit, true);
    addString(text, " (");
    addAmount(text, rows[0].base, unit, false);
    addString(text, " -> ");
    addAmount(text, rows[0].other, unit, false);
    addString(text, ")");
    for (size_t i = 1; i < causes->rows.count; i++) {
        if (fabs(rows[i].difference) <= 0.05 * fabs(difference) || n == PARTS) break;
        addPart(text, n++, rows[i].difference, unit, rows[i].cause);
        rest -= rows[i].difference;
    }
    if (fabs(rest) > 0.005 * fabs(difference)) addPart(text, n, rest, unit, "other things");
}

static void rowCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    Table *t = table->data;
    t->place = tacPairAt(t->first.at, t->listed.count, t->place, row);
    size_t i = row - t->first.at[t->place];
    const char *task = tacPairTask(&t->pairs, t->listed.at[t->place]);
    if (column == C_TASK) return tacCellString(cell, task);
    if (column == C_TEXT && i) return;
    const Causes *causes = rowsAt(t, t->place);
    if (!causes || i >= causes->rows.count) return;
    const Cause *cause = &causes->rows.at[i];
    switch (column) {
    case C_CAUSE: tacCellString(cell, cause->cause); break;
    case C_BASE: tacCellNumber(cell, cause->base); break;
    case C_OTHER: tacCellNumber(cell, cause->other); break;
    case C_DIFFERENCE: tacCellNumber(cell, cause->difference); break;
    case C_BASE_N: tacCellCount(cell, cause->baseN); break;
    case C_OTHER_N: tacCellCount(cell, cause->otherN); break;
    default:
        writeSentence(&t->text, task, causes, table->timeUnit);
        t->failed |= t->text.failed;
        *cell = (tacCell){.known = !t->text.failed, .text = t->text.at, .length = t->text.length};
        break;
    }
}

/* People read the sentences. */
static void readCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    (void) column;
    rowCell(table, row, C_TEXT, cell);
}
static const tacTableReadable readable = {&columns[C_TEXT], 1, 0, readCell};

static void freeTable(void *data) {
    Table *t = data;
    for (size_t i = 0; i < t->kept.count; i++) freeCauses(&t->kept.at[i]);
    tacArrayFree(&t->kept);
    tacArrayFree(&t->keptAt);
    tacArrayFree(&t->listed);
    tacArrayFree(&t->first);
    freeCauses(&t->causes);
    tacCausesFree(&t->base);
    tacCausesFree(&t->other);
    tacArrayFree(&t->briefs);
    tacArrayFree(&t->counts);
    tacInternFree(&t->words);
    tacTextFree(&t->text);
    tacPairsFree(&t->pairs);
    tacFree(t);
}

/* Lists a pair with its rows, which are kept as briefs, or else if they are of many jobs. */
static bool list(Table *t, uint32_t pair, Causes *causes) {
    uint64_t last = t->first.at[t->first.count - 1], n = causes->rows.count;
    int64_t jobs = causes->rows.at[0].baseN + causes->rows.at[0].otherN;
    bool fine = last + n < UINT32_MAX && pack(t, causes) && tacArrayPush(&t->listed, pair)
        && tacArrayPush(&t->first, (uint32_t) (last + n));
    if (!fine || t->counts.count == 2 * t->listed.count || jobs < MANY) return fine;
    fine = tacArrayPush(&t->keptAt, (uint32_t) t->listed.count - 1) && tacArrayPush(&t->kept, *causes);
    if (fine) *causes = (Causes){.borrowed = false};
    return fine;
}

/* Takes a pair apart and lists it, if it is wanted. */
static tacStatus addPair(Table *t, uint32_t index, tacCausesOf of, tacProgress *progress, tacError *err) {
    tacTaskPair pair = t->pairs.all.at[index];
    const tacTaskPairs *p = &t->pairs;
    Causes *causes = &t->causes;
    if (of != TAC_CAUSES_ALL && tacProfileSameMeans(p->base, pair.base, p->other, pair.other, t->most)) return TAC_OK;
    tacStatus status = takeApart(t, index, causes, progress, err);
    bool wanted = status == TAC_OK && causes->rows.count
        && (of == TAC_CAUSES_ALL || causes->rows.at[0].difference != 0);
    if (wanted && !list(t, index, causes)) status = tacFailMemory(err);
    return status;
}

static tacStatus addPairs(Table *t, tacCausesOf of, double alpha, tacProgress *progress, tacError *err) {
    size_t n = t->pairs.all.count;
    uint64_t *told = tacAllocZero(n / 64 + 1, sizeof *told);
    tacStatus status = told && tacArrayPush(&t->first, 0) ? TAC_OK : tacFailMemory(err);
    if (status == TAC_OK && of == TAC_CAUSES_TOLD) status = tacCompareTold(&t->pairs, alpha, told, progress, err);
    for (uint32_t i = 0; status == TAC_OK && i < n; i++) {
        if (!tacPairIsWhole(t->pairs.all.at[i]) || (of == TAC_CAUSES_TOLD && !(told[i / 64] >> i % 64 & 1))) continue;
        status = addPair(t, i, of, progress, err);
        if (status == TAC_OK && !tacProgressAt(progress, i)) status = tacFailStopped(err, progress);
    }
    tacFree(told);
    return status;
}

tacStatus tacCompareCauses(tacProfile *base, tacProfile *other, tacCausesOf of, double alpha, uint64_t most,
    tacTable *table, tacProgress *progress, tacError *err) {
    Table *t = tacAllocZero(1, sizeof *t);
    if (!t) return tacFailMemory(err);
    t->most = most;
    t->made = SIZE_MAX;
    if (tacPairTasks(&t->pairs, base, other, err) != TAC_OK || addPairs(t, of, alpha, progress, err) != TAC_OK)
        return freeTable(t), TAC_ERROR;
    *table = (tacTable){.title = "causes",
        .columns = columns,
        .nColumns = COLUMNS,
        .nRows = t->first.at[t->first.count - 1],
        .digits = t->pairs.scale.digits,
        .timeUnit = tacScaleUnit(&t->pairs.scale),
        .trait = traitOf,
        .cell = rowCell,
        .data = t,
        .release = freeTable,
        .failed = &t->failed,
        .readable = &readable};
    return TAC_OK;
}
