/*
 * packed.c -- rows of cells in blocks of values as narrow as they can be.
 *
 * Invariants:
 *   1. Row `row` of a column is in blocks.at[row / BLOCK] if there is such a block, else in `open`, at row % BLOCK.
 *   2. A block has BLOCK values. It is made when the next row begins, so that a row that fails leaves nothing half.
 *   3. All of `open`, `least` and `most` of a column of times have the table's present decimals; a block keeps its own.
 */
#include "base/port.h"

#include "base/error.h"
#include "base/intern.h"
#include "relation/packed.h"

#include <string.h>

enum { BLOCK = 4096 };

typedef struct Block {
    int64_t least;     /* of its values that are known */
    void *above;       /* BLOCK numbers of `width` bytes; NULL: all values are the least one */
    uint64_t *unknown; /* a bit for each value; NULL: all are known */
    uint8_t width;     /* 0, 1, 2, 4, 8 */
    uint8_t digits;    /* of times */
} Block;

typedef struct Column {
    TAC_ARRAY(Block) blocks;
    TAC_ARRAY(int64_t) open; /* ticks, count, bits of a number, id of a text; the count is not used */
    uint64_t unknown[BLOCK / 64];
    int64_t least, most; /* of all known times; least > most: there are none */
} Column;

struct tacPacked {
    int nColumns;
    tacColumn *columns; /* with their texts copied */
    tacColumnTrait *traits;
    TAC_ARRAY(void *) copies; /* of names, helps, units, lists of words */
    const char *timeUnit;
    Column *data; /* by column */
    tacInternTable texts;
    uint64_t nRows;
    int digits;    /* of times */
    int rowDigits; /* of the times of the row that is begun, before they are brought to `digits` */
};

/* ---- columns ---------------------------------------------------------------------------------------------------- */

/* Keeps an allocation as long as the table; NULL: no memory. */
static void *kept(tacPacked *p, void *block) {
    if (block && tacArrayPush(&p->copies, block)) return block;
    tacFree(block);
    return NULL;
}

static bool copyText(tacPacked *p, const char *text, const char **copy) {
    *copy = text ? kept(p, tacCopyText(text, strlen(text))) : NULL;
    return *copy || !text;
}

static bool copyWords(tacPacked *p, const char *const *words, const char *const **copy) {
    size_t n = 0;
    *copy = NULL;
    if (!words) return true;
    while (words[n]) n++;
    const char **list = kept(p, tacAllocZero(n + 1, sizeof *list));
    bool done = list != NULL;
    for (size_t i = 0; done && i < n; i++) done = copyText(p, words[i], &list[i]);
    *copy = list;
    return done;
}

static bool copyColumn(tacPacked *p, const tacTable *like, int column) {
    tacColumnTrait trait = like->trait ? like->trait(like, column) : (tacColumnTrait){NULL, NULL};
    p->columns[column] = (tacColumn){.type = like->columns[column].type};
    p->data[column].least = INT64_MAX;
    p->data[column].most = INT64_MIN;
    if (trait.unit == tacUnitOfTimes) p->traits[column].unit = tacUnitOfTimes;
    else if (!copyText(p, trait.unit, &p->traits[column].unit)) return false;
    return copyText(p, like->columns[column].name, &p->columns[column].name)
        && copyText(p, like->columns[column].help, &p->columns[column].help)
        && copyWords(p, trait.words, &p->traits[column].words);
}

tacPacked *tacPackedNew(const tacTable *like, tacError *err) {
    tacPacked *p = tacAllocZero(1, sizeof *p);
    size_t n = (size_t) like->nColumns;
    if (!p) return tacFailMemory(err), NULL;
    p->nColumns = like->nColumns;
    p->columns = tacAllocZero(n + 1, sizeof *p->columns);
    p->traits = tacAllocZero(n + 1, sizeof *p->traits);
    p->data = tacAllocZero(n + 1, sizeof *p->data);
    bool done = p->columns && p->traits && p->data && copyText(p, like->timeUnit, &p->timeUnit);
    for (int i = 0; done && i < like->nColumns; i++) done = copyColumn(p, like, i);
    if (done) return p;
    tacPackedFree(p);
    return tacFailMemory(err), NULL;
}

void tacPackedFree(tacPacked *p) {
    for (int i = 0; p->data && i < p->nColumns; i++) {
        Column *c = &p->data[i];
        for (size_t b = 0; b < c->blocks.count; b++) {
            tacFree(c->blocks.at[b].above);
            tacFree(c->blocks.at[b].unknown);
        }
        tacArrayFree(&c->blocks);
        tacArrayFree(&c->open);
    }
    for (size_t i = 0; i < p->copies.count; i++) tacFree(p->copies.at[i]);
    tacArrayFree(&p->copies);
    tacInternFree(&p->texts);
    tacFree(p->columns);
    tacFree(p->traits);
    tacFree(p->data);
    tacFree(p);
}

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

static inline bool isUnknown(const uint64_t *bits, size_t i) { return bits[i / 64] >> i % 64 & 1; }

static void store(const Block *b, size_t i, uint64_t above) {
    switch (b->width) {
    case 1: ((uint8_t *) b->above)[i] = (uint8_t) above; break;
    case 2: ((uint16_t *) b->above)[i] = (uint16_t) above; break;
    case 4: ((uint32_t *) b->above)[i] = (uint32_t) above; break;
    case 8: ((uint64_t *) b->above)[i] = above; break;
    }
}

static uint64_t load(const Block *b, size_t i) {
    switch (b->width) {
    case 1: return ((const uint8_t *) b->above)[i];
    case 2: return ((const uint16_t *) b->above)[i];
    case 4: return ((const uint32_t *) b->above)[i];
    case 8: return ((const uint64_t *) b->above)[i];
    default: return 0;
    }
}

/* Makes a block of the open values of a column. False: no memory; then they are as before. */
static bool seal(Column *c, int digits) {
    Block b = {.digits = (uint8_t) digits};
    bool some = false, all = true;
    int64_t most = 0;
    for (size_t i = 0; i < BLOCK; i++) {
        int64_t value = c->open.at[i];
        if (isUnknown(c->unknown, i)) {
            all = false;
            continue;
        }
        if (!some || value < b.least) b.least = value;
        if (!some || value > most) most = value;
        some = true;
    }
    uint64_t range = some ? (uint64_t) most - (uint64_t) b.least : 0;
    b.width = range == 0 ? 0 : range <= UINT8_MAX ? 1 : range <= UINT16_MAX ? 2 : range <= UINT32_MAX ? 4 : 8;
    b.above = b.width ? tacAlloc((size_t) BLOCK * b.width) : NULL;
    b.unknown = all ? NULL : tacAlloc(sizeof c->unknown);
    if ((b.width && !b.above) || (!all && !b.unknown) || !tacArrayPush(&c->blocks, b)) {
        tacFree(b.above);
        tacFree(b.unknown);
        return false;
    }
    if (!all) memcpy(b.unknown, c->unknown, sizeof c->unknown);
    for (size_t i = 0; i < BLOCK; i++)
        store(&b, i, isUnknown(c->unknown, i) ? 0 : (uint64_t) c->open.at[i] - (uint64_t) b.least);
    return true;
}

/* Makes blocks where the open values are as many as one has, before the next row comes among them. */
static bool sealAll(tacPacked *p) {
    for (int i = 0; i < p->nColumns; i++) {
        Column *c = &p->data[i];
        if (c->blocks.count < p->nRows / BLOCK && !seal(c, p->digits)) return false;
    }
    return true;
}

/* Reads a value; false: it is unknown. */
static bool valueAt(const tacPacked *p, int column, uint64_t row, int64_t *value) {
    const Column *c = &p->data[column];
    size_t i = row % BLOCK;
    if (row / BLOCK >= c->blocks.count) {
        *value = c->open.at[i];
        return !isUnknown(c->unknown, i);
    }
    const Block *b = &c->blocks.at[row / BLOCK];
    if (b->unknown && isUnknown(b->unknown, i)) return false;
    *value = (int64_t) ((uint64_t) b->least + load(b, i));
    if (b->digits != p->digits && p->columns[column].type == TAC_COLUMN_TIME)
        tacDecimalShift(*value, p->digits - b->digits, value, &(bool){false}); /* fits: see raise */
    return true;
}

/* ---- adding ----------------------------------------------------------------------------------------------------- */

static tacStatus failRange(tacError *err) {
    return tacFail(err, "TIME RANGE",
        "the times of these traces do not fit beside one another: the finest and the largest need more than 64 bits; "
        "ask for fewer traces at once, or for some columns");
}

/* Brings the times that are there to more decimals. */
static tacStatus raise(tacPacked *p, int digits, tacError *err) {
    int64_t shifted;
    bool rounded = false;
    for (int i = 0; i < p->nColumns; i++) {
        const Column *c = &p->data[i];
        if (p->columns[i].type != TAC_COLUMN_TIME || c->least > c->most) continue;
        if (!tacDecimalShift(c->least, digits - p->digits, &shifted, &rounded)
            || !tacDecimalShift(c->most, digits - p->digits, &shifted, &rounded))
            return failRange(err);
    }
    for (int i = 0; i < p->nColumns; i++) {
        Column *c = &p->data[i];
        if (p->columns[i].type != TAC_COLUMN_TIME || c->least > c->most) continue;
        tacDecimalShift(c->least, digits - p->digits, &c->least, &rounded);
        tacDecimalShift(c->most, digits - p->digits, &c->most, &rounded);
        for (size_t row = 0; row < p->nRows - c->blocks.count * BLOCK; row++)
            if (!isUnknown(c->unknown, row))
                tacDecimalShift(c->open.at[row], digits - p->digits, &c->open.at[row], &rounded);
    }
    p->digits = digits;
    return TAC_OK;
}

tacStatus tacPackedBegin(tacPacked *p, int digits, tacError *err) {
    if (p->nRows == UINT32_MAX - 1) return tacFail(err, "LIMIT ROWS", "a table has less than 2^32 rows");
    if (p->nRows % BLOCK == 0 && !sealAll(p)) return tacFailMemory(err);
    if (digits > p->digits && raise(p, digits, err) != TAC_OK) return TAC_ERROR;
    p->rowDigits = digits;
    return TAC_OK;
}

/* The value of a time in the table's decimals. */
static tacStatus timeValue(const tacPacked *p, Column *c, int64_t ticks, int64_t *value, tacError *err) {
    bool rounded = false;
    if (!tacDecimalShift(ticks, p->digits - p->rowDigits, value, &rounded)) return failRange(err);
    if (*value < c->least) c->least = *value;
    if (*value > c->most) c->most = *value;
    return TAC_OK;
}

/* The value that stands for a cell that is not empty. */
static tacStatus cellValue(tacPacked *p, int column, const tacCell *cell, int64_t *value, tacError *err) {
    switch (p->columns[column].type) {
    case TAC_COLUMN_TEXT:
        *value = tacIntern(&p->texts, cell->text, cell->length);
        return *value == TAC_NONE ? tacFailMemory(err) : TAC_OK;
    case TAC_COLUMN_TIME: return timeValue(p, &p->data[column], cell->ticks, value, err);
    case TAC_COLUMN_NUMBER: memcpy(value, &cell->number, sizeof *value); return TAC_OK;
    default: *value = cell->ticks; return TAC_OK;
    }
}

tacStatus tacPackedSet(tacPacked *p, int column, const tacCell *cell, tacError *err) {
    Column *c = &p->data[column];
    size_t i = p->nRows % BLOCK;
    uint64_t bit = UINT64_C(1) << i % 64;
    int64_t value = 0;
    c->open.count = i;
    if (!tacArrayReserve(&c->open, 1)) return tacFailMemory(err);
    if (cell->known && cellValue(p, column, cell, &value, err) != TAC_OK) return TAC_ERROR;
    c->open.at[i] = value;
    c->unknown[i / 64] = cell->known ? c->unknown[i / 64] & ~bit : c->unknown[i / 64] | bit;
    return TAC_OK;
}

void tacPackedEnd(tacPacked *p) { p->nRows++; }

tacStatus tacPackedAdd(tacPacked *packed, const tacTable *table, uint64_t most, tacProgress *progress, tacError *err) {
    uint64_t n = most < table->nRows ? most : table->nRows;
    for (uint64_t row = 0; row < n; row++) {
        if (!tacProgressAt(progress, row)) return tacFailStopped(err, progress);
        if (tacPackedBegin(packed, table->digits, err) != TAC_OK) return TAC_ERROR;
        for (int column = 0; column < packed->nColumns; column++) {
            tacCell cell = {0};
            table->cell(table, row, column, &cell);
            if (tacPackedSet(packed, column, &cell, err) != TAC_OK) return TAC_ERROR;
        }
        if (tacTableFailed(table)) return tacFailMemory(err);
        tacPackedEnd(packed);
    }
    return TAC_OK;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

static void packedCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    const tacPacked *p = table->data;
    int64_t value;
    if (!valueAt(p, column, row, &value)) return;
    cell->known = true;
    switch (p->columns[column].type) {
    case TAC_COLUMN_TEXT: cell->text = tacInternName(&p->texts, (uint32_t) value, &cell->length); break;
    case TAC_COLUMN_NUMBER: memcpy(&cell->number, &value, sizeof value); break;
    default: cell->ticks = value; break;
    }
}

static bool packedGroup(const tacTable *table, uint64_t row, int column, uint64_t *number) {
    const tacPacked *p = table->data;
    int64_t value;
    if (p->columns[column].type != TAC_COLUMN_TEXT || !valueAt(p, column, row, &value)) return false;
    *number = (uint64_t) value;
    return true;
}

static tacColumnTrait packedTrait(const tacTable *table, int column) {
    return ((const tacPacked *) table->data)->traits[column];
}

static void release(void *data) { tacPackedFree(data); }

void tacPackedTable(tacPacked *p, tacTable *table) {
    *table = (tacTable){.title = "relation",
        .columns = p->columns,
        .nColumns = p->nColumns,
        .nRows = p->nRows,
        .digits = p->digits,
        .timeUnit = p->timeUnit,
        .trait = packedTrait,
        .cell = packedCell,
        .data = p,
        .release = release,
        .group = packedGroup};
}

tacPacked *tacPackedOf(const tacTable *table) { return table->release == release ? table->data : NULL; }
