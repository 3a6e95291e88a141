/*
 * sort.c -- sorting the rows of a relation by columns, and the figures of a column.
 *
 * Every cell becomes a key of 64 bits that compares as the cell does: ticks and counts with the sign turned, numbers by
 * their bits, texts by their rank among all different texts of the column. Then keys are distributed by 8 bits at a
 * time from the lowest (R. Sedgewick, Algorithms, "LSD radix sort"), leaving out bits in which all are alike; this is
 * stable and takes the same time for any order. Rows with an empty cell are set apart and follow.
 */
#include "base/port.h"

#include "base/digits.h"
#include "base/intern.h"
#include "base/sort.h"
#include "relation/aggregate.h"

#include <math.h>
#include <string.h>

/* ---- natural order ---------------------------------------------------------------------------------------------- */

static inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
static inline int lower(char c) { return (unsigned char) c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0); }

/* Compares runs of digits by value: without leading zeros the longer is the larger. Both move behind their run. */
static int compareDigits(const char **left, const char **right) {
    const char *a = *left, *b = *right;
    while (*a == '0') a++;
    while (*b == '0') b++;
    size_t nA = strspn(a, "0123456789"), nB = strspn(b, "0123456789");
    *left = a + nA;
    *right = b + nB;
    if (nA != nB) return nA < nB ? -1 : 1;
    return memcmp(a, b, nA);
}

/* Compares in natural order, job2 before job10: < 0, 0 (the same text) or > 0. */
static int naturalCompare(const char *left, const char *right) {
    const char *a = left, *b = right;
    while (*a && *b) {
        int order;
        if (isDigit(*a) && isDigit(*b)) order = compareDigits(&a, &b);
        else order = lower(*a++) - lower(*b++);
        if (order) return order;
    }
    if (*a || *b) return *a ? 1 : -1;
    return strcmp(left, right);
}

/* Index of a text among the words; their number when it is none of them. */
static int rankOf(const char *const *words, const char *text) {
    int rank = 0;
    while (words[rank] && strcmp(words[rank], text) != 0) rank++;
    return rank;
}

int tacColumnCompare(const char *const *words, const char *left, const char *right) {
    int order = words ? rankOf(words, left) - rankOf(words, right) : 0;
    return order ? order : naturalCompare(left, right);
}

/* ---- keys of texts ---------------------------------------------------------------------------------------------- */

typedef struct Slot {
    uint64_t number;
    uint32_t text;
} Slot; /* text TAC_NONE: free */

typedef struct Texts { /* the different texts of a column; one with a number may be there several times */
    const tacTable *table;
    int column;
    const char *const *words;       /* the column's own order of texts; NULL: natural order */
    TAC_ARRAY(const char *) texts;  /* all of them; NULL until they are ranked: one of `others` */
    TAC_ARRAY(uint32_t) otherTexts; /* by id in `others`: index in texts */
    tacInternTable others;          /* texts of cells without a number */
    Slot *slots; /* texts by their number (tacTable.group), nSlots slots of which at most half are taken */
    size_t nSlots, nNumbers;
    uint32_t *ranks; /* by text; equal texts have the same rank */
    tacProgress *progress;
} Texts;

/* The slot of a number, or the free one that it would take. */
static Slot *findSlot(const Texts *t, uint64_t number) {
    size_t i = (size_t) (number * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (t->nSlots - 1);
    while (t->slots[i].text != TAC_NONE && t->slots[i].number != number) i = (i + 1) & (t->nSlots - 1);
    return &t->slots[i];
}

/* Doubles the slots. False: no memory or stopped. */
static bool growSlots(Texts *t) {
    Texts larger = {.nSlots = t->nSlots ? 2 * t->nSlots : 256};
    larger.slots = tacAlloc(larger.nSlots * sizeof *larger.slots);
    bool grown = larger.slots != NULL;
    for (size_t i = 0; grown && i < larger.nSlots; i++) larger.slots[i].text = TAC_NONE;
    for (size_t i = 0; grown && i < t->nSlots; i++) {
        if (t->slots[i].text != TAC_NONE) *findSlot(&larger, t->slots[i].number) = t->slots[i];
        if (!tacProgressAt(t->progress, i)) grown = false;
    }
    tacFree(grown ? t->slots : larger.slots);
    if (grown) t->slots = larger.slots, t->nSlots = larger.nSlots;
    return grown;
}

/* Finds or adds the text of a cell without a number. False: no memory. */
static bool addOther(Texts *t, const tacCell *cell, uint32_t *text) {
    uint32_t id = tacIntern(&t->others, cell->text, cell->length);
    if (id == TAC_NONE) return false;
    if (id == t->otherTexts.count
        && (!tacArrayPush(&t->otherTexts, (uint32_t) t->texts.count) || !tacArrayPush(&t->texts, NULL)))
        return false;
    *text = t->otherTexts.at[id];
    return true;
}

/* Finds or adds the text of a row; TAC_NONE: its cell is empty. False: no memory or stopped. */
static bool textOfRow(Texts *t, uint64_t row, uint32_t *text) {
    uint64_t number;
    tacCell cell = {0};
    bool numbered = t->table->group && t->table->group(t->table, row, t->column, &number);
    if (numbered && 2 * (t->nNumbers + 1) > t->nSlots && !growSlots(t)) return false;
    Slot *slot = numbered ? findSlot(t, number) : NULL;
    if (slot && slot->text != TAC_NONE) return *text = slot->text, true;
    t->table->cell(t->table, row, t->column, &cell);
    *text = TAC_NONE;
    if (!cell.known) return true; /* not worth a slot */
    if (!slot) return addOther(t, &cell, text);
    if (!tacArrayPush(&t->texts, cell.text)) return false;
    *slot = (Slot){number, *text = (uint32_t) t->texts.count - 1};
    t->nNumbers++;
    return true;
}

static int compareTexts(const void *left, const void *right, const void *data) {
    const Texts *t = data;
    return tacColumnCompare(t->words, t->texts.at[*(const uint32_t *) left], t->texts.at[*(const uint32_t *) right]);
}

/* Sorts the texts and gives each its rank. False: no memory or stopped. */
static bool rankTexts(Texts *t) {
    uint32_t n = (uint32_t) t->texts.count;
    uint32_t *order = tacAlloc(((size_t) n + 1) * sizeof *order);
    t->ranks = tacAlloc(((size_t) n + 1) * sizeof *t->ranks);
    for (uint32_t id = 0; id < t->otherTexts.count; id++)
        t->texts.at[t->otherTexts.at[id]] = tacInternName(&t->others, id, NULL);
    for (uint32_t i = 0; order && i < n; i++) order[i] = i;
    bool done = order && t->ranks && tacSort(order, n, sizeof *order, compareTexts, t, t->progress);
    for (uint32_t i = 0, rank = 0; done && i < n; i++) {
        done = tacProgressAt(t->progress, i);
        if (i && compareTexts(&order[i - 1], &order[i], t) != 0) rank++;
        t->ranks[order[i]] = rank;
    }
    tacFree(order);
    return done;
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

typedef struct Keys {
    uint64_t *keys, *spareKeys;
    uint32_t *rows, *spareRows; /* beside the keys; NULL: only keys are sorted */
    uint64_t n;                 /* rows with a key */
    tacProgress *progress;
} Keys;

/* The number of a key by tacDigitsNumber. */
static double keyNumber(uint64_t key) {
    uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline uint64_t ticksKey(int64_t ticks) { return (uint64_t) ticks ^ UINT64_C(1) << 63; }
static inline int64_t keyTicks(uint64_t key) { return (int64_t) (key ^ UINT64_C(1) << 63); }

/* Makes the key of a cell that is no text; false: the cell is empty. */
static inline bool cellKey(const tacTable *table, uint64_t row, int column, uint64_t *key) {
    tacCell cell = {0};
    table->cell(table, row, column, &cell);
    if (!cell.known) return false;
    *key = table->columns[column].type == TAC_COLUMN_NUMBER ? tacDigitsNumber(cell.number) : ticksKey(cell.ticks);
    return true;
}

/* Makes the keys of the rows: rows with a key go to the front, beside their keys, those with an empty cell to the back.
 * False: stopped. */
static bool takeKeys(Keys *k, const tacTable *table, int column, const uint32_t *rows, uint64_t n) {
    uint64_t empty = n;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t key;
        if (!tacProgressAt(k->progress, i)) return false;
        if (cellKey(table, rows[i], column, &key)) k->keys[k->n] = key, k->rows[k->n++] = rows[i];
        else k->rows[--empty] = rows[i];
    }
    return true;
}

/* The same for a column of texts, whose keys are their ranks. False: no memory or stopped. */
static bool takeTexts(Keys *k, const tacTable *table, int column, const uint32_t *rows, uint64_t n) {
    Texts texts = {.table = table, .column = column, .words = tacColumnWords(table, column), .progress = k->progress};
    bool done = true;
    uint64_t empty = n;
    for (uint64_t i = 0; done && i < n; i++) {
        uint32_t text = TAC_NONE;
        done = tacProgressAt(k->progress, i) && textOfRow(&texts, rows[i], &text);
        if (text != TAC_NONE) k->keys[k->n] = text, k->rows[k->n++] = rows[i];
        else k->rows[--empty] = rows[i];
    }
    done = done && rankTexts(&texts);
    for (uint64_t i = 0; done && i < k->n; i++) {
        done = tacProgressAt(k->progress, i);
        k->keys[i] = texts.ranks[k->keys[i]];
    }
    tacArrayFree(&texts.texts);
    tacArrayFree(&texts.otherTexts);
    tacInternFree(&texts.others);
    tacFree(texts.slots);
    tacFree(texts.ranks);
    return done && !tacProgressStopped(k->progress) && !tacTableFailed(table);
}

/* ---- distributing ----------------------------------------------------------------------------------------------- */

enum { BITS = 8, DIGITS = 1 << BITS };

/* Counts the digits, and says where the keys of each begin when sorted by it; false: all keys have the same digit. */
static bool countDigits(const Keys *k, int shift, uint64_t starts[DIGITS]) {
    uint64_t sum = 0;
    memset(starts, 0, DIGITS * sizeof *starts);
    for (uint64_t i = 0; i < k->n; i++) starts[k->keys[i] >> shift & (DIGITS - 1)]++;
    if (k->n == 0 || starts[k->keys[0] >> shift & (DIGITS - 1)] == k->n) return false;
    for (int digit = 0; digit < DIGITS; digit++) {
        uint64_t count = starts[digit];
        starts[digit] = sum;
        sum += count;
    }
    return true;
}

/* Moves the keys, and rows, to the spare arrays in order of a digit. False: stopped. */
static bool distribute(Keys *k, int shift, uint64_t starts[DIGITS]) {
    enum { PIECE = 1 << 15 };
    for (uint64_t first = 0; first < k->n; first += PIECE) {
        uint64_t end = k->n - first < PIECE ? k->n : first + PIECE;
        if (!tacProgressStep(k->progress, first)) return false;
        if (!k->rows) {
            for (uint64_t i = first; i < end; i++)
                k->spareKeys[starts[k->keys[i] >> shift & (DIGITS - 1)]++] = k->keys[i];
            continue;
        }
        for (uint64_t i = first; i < end; i++) {
            uint64_t to = starts[k->keys[i] >> shift & (DIGITS - 1)]++;
            k->spareKeys[to] = k->keys[i];
            k->spareRows[to] = k->rows[i];
        }
    }
    return true;
}

/* Sorts the keys, and rows beside them. False: stopped. */
static bool sortKeys(Keys *k) {
    uint64_t starts[DIGITS], differ = 0;
    for (uint64_t i = 1; i < k->n; i++) differ |= k->keys[i] ^ k->keys[0];
    for (int shift = 0; shift < 64; shift += BITS) {
        if (!(differ >> shift & (DIGITS - 1)) || !countDigits(k, shift, starts)) continue;
        if (!distribute(k, shift, starts)) return false;
        uint64_t *keys = k->keys;
        uint32_t *rows = k->rows;
        k->keys = k->spareKeys, k->spareKeys = keys;
        k->rows = k->spareRows, k->spareRows = rows;
    }
    return true;
}

/* Makes room for n keys, and rows beside them. False: no memory; freeKeys in any case. */
static bool makeKeys(Keys *k, uint64_t n, bool withRows, tacProgress *progress) {
    size_t room = (size_t) n + 1;
    *k = (Keys){
        .keys = tacAlloc(room * sizeof *k->keys), .spareKeys = tacAlloc(room * sizeof *k->keys), .progress = progress};
    if (withRows) {
        k->rows = tacAlloc(room * sizeof *k->rows);
        k->spareRows = tacAlloc(room * sizeof *k->rows);
    }
    return k->keys && k->spareKeys && (!withRows || (k->rows && k->spareRows));
}

static void freeKeys(Keys *k) {
    tacFree(k->keys);
    tacFree(k->spareKeys);
    tacFree(k->rows);
    tacFree(k->spareRows);
}

/* ---- sorting rows ----------------------------------------------------------------------------------------------- */

/* Sorts the rows by one key, those with empty cells behind the others; equal ones keep their order. */
static bool sortByKey(const tacTable *table, uint32_t *rows, uint64_t n, tacSortKey key, tacProgress *progress) {
    Keys k;
    bool isText = table->columns[key.column].type == TAC_COLUMN_TEXT;
    bool done = makeKeys(&k, n, true, progress) && (isText ? takeTexts : takeKeys)(&k, table, key.column, rows, n);
    /* Rows with empty cells stand at the back in reverse; they are taken now, since sorting exchanges k.rows. */
    for (uint64_t i = k.n; done && i < n; i++) rows[i] = k.rows[n - 1 - (i - k.n)];
    for (uint64_t i = 0; done && key.decreasing && i < k.n; i++) k.keys[i] = ~k.keys[i];
    done = done && sortKeys(&k);
    if (done) memcpy(rows, k.rows, (size_t) k.n * sizeof *rows);
    freeKeys(&k);
    return done;
}

bool tacRelationSortRows(
    const tacTable *table, uint32_t *rows, uint64_t n, const tacSortKey *keys, int nKeys, tacProgress *progress) {
    for (int i = nKeys - 1; i >= 0; i--)
        if (!sortByKey(table, rows, n, keys[i], progress)) return false;
    return true;
}

/* ---- figures ---------------------------------------------------------------------------------------------------- */

const char *const tacRelationRanks[TAC_RELATION_RANKS] = {"minimum", "p50", "p90", "p95", "p99", "p999", "maximum"};
static const uint64_t permilles[TAC_RELATION_RANKS] = {0, 500, 900, 950, 990, 999, 1000};

/* Makes the keys of the rows shown, and sorts them. False: stopped. */
static bool collectKeys(Keys *k, const tacRelation *relation, int column) {
    for (uint64_t place = 0; place < relation->count; place++) {
        if (!tacProgressAt(k->progress, place)) return false;
        k->n += cellKey(&relation->table, tacRelationRow(relation, place), column, &k->keys[k->n]);
    }
    return sortKeys(k);
}

tacStatus tacRelationMeasure(
    const tacRelation *relation, int column, tacRelationFigures *figures, tacProgress *progress, tacError *err) {
    Keys k;
    bool isNumber = relation->table.columns[column].type == TAC_COLUMN_NUMBER;
    *figures = (tacRelationFigures){.count = 0};
    bool done = makeKeys(&k, relation->count, false, progress) && collectKeys(&k, relation, column);
    if (done) figures->count = k.n;
    for (uint64_t i = 0; i < figures->count; i++) {
        if (isNumber) figures->total += keyNumber(k.keys[i]);
        else figures->sum += keyTicks(k.keys[i]);
    }
    for (int i = 0; figures->count && i < TAC_RELATION_RANKS; i++) {
        uint64_t rank = (uint64_t) (((unsigned __int128) k.n * permilles[i] + 999) / 1000),
                 key = k.keys[rank ? rank - 1 : 0];
        figures->ranks[i].known = true;
        if (isNumber) figures->ranks[i].number = keyNumber(key);
        else figures->ranks[i].ticks = keyTicks(key);
    }
    freeKeys(&k);
    return done ? TAC_OK : tacFailStopped(err, progress);
}

/* ---- a sample of the sorted values ------------------------------------------------------------------------------ */

/* Takes at most so many values, evenly spread over the sorted keys. False: no memory. */
static bool takeSample(const Keys *k, bool isNumber, uint64_t most, tacSample *sample) {
    uint64_t n = k->n < most ? k->n : most;
    sample->count = k->n;
    sample->values = tacAllocZero((size_t) n + 1, sizeof *sample->values);
    sample->ranks = tacAllocZero((size_t) n + 1, sizeof *sample->ranks);
    if (!sample->values || !sample->ranks) return false;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t rank = n == k->n || n < 2 ? i : (uint64_t) ((unsigned __int128) i * (k->n - 1) / (n - 1));
        sample->ranks[i] = rank + 1;
        sample->values[i].known = true;
        if (isNumber) sample->values[i].number = keyNumber(k->keys[rank]);
        else sample->values[i].ticks = keyTicks(k->keys[rank]);
    }
    sample->n = n;
    return true;
}

tacStatus tacRelationSample(
    const tacRelation *relation, int column, uint64_t n, tacSample *sample, tacProgress *progress, tacError *err) {
    Keys keys;
    *sample = (tacSample){.count = 0};
    bool done = makeKeys(&keys, relation->count, false, progress) && collectKeys(&keys, relation, column)
        && takeSample(&keys, relation->table.columns[column].type == TAC_COLUMN_NUMBER, n, sample);
    freeKeys(&keys);
    if (done) return TAC_OK;
    tacSampleFree(sample);
    return tacFailStopped(err, progress);
}
