/*
 * textIndex.c -- numbers the texts of a column, counts the rows of each, and puts the rows in their places.
 */
#include "base/port.h"

#include "relation/textIndex.h"

#include <string.h>

enum { FIRST_SLOTS = 64, KEPT = 256 };

typedef struct Numbering { /* of texts */
    tacTextIndex *index;
    TAC_ARRAY(uint32_t) first; /* row of each text */
    tacText text;              /* of the row under way */
    struct {
        uint64_t group; /* number of a cell (tacTable.group) */
        uint32_t text;  /* number of its text; TAC_NONE: it is empty */
        bool any;
    } kept[KEPT]; /* by group % KEPT, so that a text that is frequent is looked at seldom */
} Numbering;

/* The slot of a text, or the free one that it would take; first: the row that stands for each text, or NULL when the
 * index is complete. */
static uint32_t slotOf(const tacTextIndex *index, const uint32_t *first, const char *text, size_t length) {
    uint32_t at = (uint32_t) tacInternHash(index->seed, text, length) & (index->nSlots - 1);
    for (; index->slots[at] != TAC_NONE; at = (at + 1) & (index->nSlots - 1)) {
        uint32_t number = index->slots[at];
        tacCell cell = {0};
        index->table->cell(
            index->table, first ? first[number] : index->rows[index->starts[number]], index->column, &cell);
        if (cell.length == length && memcmp(cell.text, text, length) == 0) break;
    }
    return at;
}

/* Copies the text of a cell, since it need not outlast the next one; *known: it has one. False: no memory. */
static bool readText(Numbering *all, uint64_t row, bool *known) {
    const tacTextIndex *index = all->index;
    tacCell cell = {0};
    index->table->cell(index->table, row, index->column, &cell);
    *known = cell.known;
    all->text.length = 0;
    tacTextAdd(&all->text, cell.known ? cell.text : "", cell.known ? cell.length : 0);
    return !all->text.failed && !tacTableFailed(index->table);
}

/* Twice as many slots. False: no memory. */
static bool grow(Numbering *all) {
    tacTextIndex *index = all->index;
    uint32_t n = index->nSlots ? 2 * index->nSlots : FIRST_SLOTS;
    uint32_t *slots = n ? tacAlloc(n * sizeof *slots) : NULL;
    if (!slots) return false;
    tacFree(index->slots);
    index->slots = slots;
    index->nSlots = n;
    memset(slots, 0xff, n * sizeof *slots);
    for (uint32_t number = 0; number < index->nTexts; number++) {
        tacCell cell = {0};
        index->table->cell(index->table, all->first.at[number], index->column, &cell);
        uint32_t at = (uint32_t) tacInternHash(index->seed, cell.text, cell.length) & (n - 1);
        while (slots[at] != TAC_NONE) at = (at + 1) & (n - 1);
        slots[at] = number;
    }
    return true;
}

/* Number of a cell's text; TAC_NONE: it is empty. False: no memory. */
static bool textOf(Numbering *all, uint64_t row, uint32_t *number) {
    tacTextIndex *index = all->index;
    bool known;
    *number = TAC_NONE;
    if (!readText(all, row, &known)) return false;
    if (!known) return true;
    if (3 * (uint64_t) index->nTexts >= 2 * (uint64_t) index->nSlots && !grow(all)) return false;
    uint32_t *slot = &index->slots[slotOf(index, all->first.at, all->text.at, all->text.length)];
    if (*slot == TAC_NONE) {
        if (!tacArrayPush(&all->first, (uint32_t) row)) return false;
        *slot = index->nTexts++;
    }
    *number = *slot;
    return true;
}

/* The same, without a look at a text that was found shortly before. */
static bool numberOf(Numbering *all, uint64_t row, uint32_t *number) {
    const tacTextIndex *index = all->index;
    uint64_t group;
    if (!index->table->group || !index->table->group(index->table, row, index->column, &group))
        return textOf(all, row, number);
    unsigned at = (unsigned) (group % KEPT);
    if (all->kept[at].any && all->kept[at].group == group) return *number = all->kept[at].text, true;
    if (!textOf(all, row, number)) return false;
    all->kept[at].any = true;
    all->kept[at].group = group;
    all->kept[at].text = *number;
    return true;
}

/* Puts rows into their places; texts: that of each row. False: no memory. */
static bool place(tacTextIndex *index, const uint32_t *texts, uint64_t nRows) {
    size_t n = index->nTexts;
    index->starts = tacAllocZero(n + 2, sizeof *index->starts);
    index->rows = tacAllocZero(nRows + 1, sizeof *index->rows);
    if (!index->starts || !index->rows) return false;
    uint32_t *next = index->starts + 1; /* next free place of each text; at the end, the start of the text behind */
    for (uint64_t row = 0; row < nRows; row++)
        if (texts[row] != TAC_NONE) next[texts[row] + 1]++;
    for (size_t i = 1; i <= n; i++) next[i] += next[i - 1];
    for (uint64_t row = 0; row < nRows; row++)
        if (texts[row] != TAC_NONE) index->rows[next[texts[row]]++] = (uint32_t) row;
    return true;
}

tacStatus tacTextIndexMake(
    tacTextIndex *index, const tacTable *table, int column, tacProgress *progress, tacError *err) {
    Numbering all = {.index = index};
    *index = (tacTextIndex){.table = table, .column = column};
    uint32_t *texts = tacAlloc((table->nRows + 1) * sizeof *texts);
    index->seed = tacInternSeed(texts);
    bool fine = texts != NULL && grow(&all);
    for (uint64_t row = 0; fine && row < table->nRows; row++)
        fine = tacProgressAt(progress, row) && numberOf(&all, row, &texts[row]);
    tacArrayFree(&all.first);
    tacTextFree(&all.text);
    fine = fine && place(index, texts, table->nRows);
    tacFree(texts);
    if (fine) return TAC_OK;
    tacTextIndexFree(index);
    return tacFailStopped(err, progress);
}

const uint32_t *tacTextIndexRows(const tacTextIndex *index, const char *text, size_t length, uint32_t *count) {
    uint32_t id = index->slots[slotOf(index, NULL, text, length)];
    *count = id == TAC_NONE ? 0 : index->starts[id + 1] - index->starts[id];
    return *count ? index->rows + index->starts[id] : NULL;
}

void tacTextIndexFree(tacTextIndex *index) {
    tacFree(index->slots);
    tacFree(index->starts);
    tacFree(index->rows);
    *index = (tacTextIndex){.starts = NULL};
}
