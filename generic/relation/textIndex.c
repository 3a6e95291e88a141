/*
 * textIndex.c -- numbers the texts of a column, counts the rows of each, and puts the rows in their places.
 */
#include "base/port.h"

#include "relation/textIndex.h"

#include <string.h>

typedef struct Numbering { /* of texts */
    tacTextIndex *index;
    tacInternTable groups;    /* numbers of cells (tacTable.group), 8 bytes each ... */
    TAC_ARRAY(uint32_t) text; /* ... and the text of each; TAC_NONE: it is empty */
    uint64_t group;           /* of the cell before */
    uint32_t last;            /* its text */
    bool any;                 /* there was one */
} Numbering;

/* Number of a cell's text; TAC_NONE: it is empty. False: no memory. */
static bool textOf(Numbering *all, const tacTable *table, uint64_t row, int column, uint32_t *text) {
    tacCell cell = {0};
    table->cell(table, row, column, &cell);
    *text = cell.known ? tacIntern(&all->index->texts, cell.text, cell.length) : TAC_NONE;
    return !cell.known || *text != TAC_NONE;
}

/* The same, looked at once for all cells with the same number. */
static bool numberOf(Numbering *all, const tacTable *table, uint64_t row, int column, uint32_t *text) {
    uint64_t group;
    if (!table->group || !table->group(table, row, column, &group)) return textOf(all, table, row, column, text);
    if (all->any && group == all->group) return *text = all->last, true;
    uint32_t k = tacIntern(&all->groups, (const char *) &group, sizeof group);
    if (k == TAC_NONE) return false;
    if (k < all->text.count) *text = all->text.at[k];
    else if (!textOf(all, table, row, column, text) || !tacArrayPush(&all->text, *text)) return false;
    all->any = true;
    all->group = group;
    all->last = *text;
    return true;
}

/* Puts rows into their places; texts: that of each row. False: no memory. */
static bool place(tacTextIndex *index, const uint32_t *texts, uint64_t nRows) {
    size_t n = tacInternCount(&index->texts);
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
    *index = (tacTextIndex){.starts = NULL};
    uint32_t *texts = tacAlloc((table->nRows + 1) * sizeof *texts);
    bool fine = texts != NULL;
    for (uint64_t row = 0; fine && row < table->nRows; row++)
        fine = tacProgressAt(progress, row) && numberOf(&all, table, row, column, &texts[row]);
    fine = fine && place(index, texts, table->nRows);
    tacFree(texts);
    tacInternFree(&all.groups);
    tacArrayFree(&all.text);
    if (fine) return TAC_OK;
    tacTextIndexFree(index);
    return tacFailStopped(err, progress);
}

const uint32_t *tacTextIndexRows(const tacTextIndex *index, const char *text, size_t length, uint32_t *count) {
    uint32_t id = tacInternFind(&index->texts, text, length);
    *count = id == TAC_NONE ? 0 : index->starts[id + 1] - index->starts[id];
    return *count ? index->rows + index->starts[id] : NULL;
}

void tacTextIndexFree(tacTextIndex *index) {
    tacInternFree(&index->texts);
    tacFree(index->starts);
    tacFree(index->rows);
    *index = (tacTextIndex){.starts = NULL};
}
