/*
 * column.c -- growing, reordering and freeing the event columns.
 */
#include "base/port.h"

#include "base/sort.h"
#include "trace/column.h"

#include <string.h>

/* A column of a store. One list has them all, so that no function forgets one; the widest goes first. */
typedef struct Column {
    void **at;                /* its elements */
    size_t *count, *capacity; /* in elements */
    size_t size;              /* bytes of an element */
} Column;

enum { COLUMNS = 6 };

#define COLUMN(array) \
    { (void **) &(array).at, &(array).count, &(array).capacity, sizeof *(array).at }
#define LIST_COLUMNS(s, list)                                                                                \
    Column list[COLUMNS] = {COLUMN((s)->time), COLUMN((s)->subject), COLUMN((s)->object), COLUMN((s)->line), \
        COLUMN((s)->processor), COLUMN((s)->event)}

bool tacColumnsGrow(tacStore *store) {
    LIST_COLUMNS(store, columns);
    for (int i = 0; i < COLUMNS; i++)
        if (*columns[i].capacity == *columns[i].count
            && !tacArrayGrow(columns[i].at, columns[i].capacity, *columns[i].count, 1, columns[i].size))
            return false;
    return true;
}

void tacColumnsTrim(tacStore *store) {
    LIST_COLUMNS(store, columns);
    for (int i = 0; i < COLUMNS; i++)
        tacArrayFit(columns[i].at, columns[i].capacity, *columns[i].count, columns[i].size);
    tacArrayTrim(&store->numbers);
    tacArrayTrim(&store->options);
    tacArrayTrim(&store->jobTask);
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        tacInternTrim(&store->ids[kind], kind == TAC_JOB);
        tacProgressStep(store->progress, 0);
    }
    tacInternTrim(&store->strings, false);
}

void tacColumnsFree(tacStore *store) {
    LIST_COLUMNS(store, columns);
    for (int i = 0; i < COLUMNS; i++) {
        tacFree(*columns[i].at);
        *columns[i].at = NULL;
        *columns[i].count = *columns[i].capacity = 0;
    }
    tacFree(store->delta);
    tacFree(store->base);
    store->delta = NULL;
    store->base = NULL;
}

void tacColumnsPack(tacStore *store) {
    size_t n = store->time.count, named = 0;
    const int64_t *time = store->time.at;
    while (named < n && store->processor.at[named] == TAC_NO_PROCESSOR) named++;
    if (named == n) tacArrayFree(&store->processor);
    for (size_t first = 0; first < n; first += TAC_PACK) {
        size_t last = first + TAC_PACK < n ? first + TAC_PACK - 1 : n - 1;
        if ((uint64_t) time[last] - (uint64_t) time[first] > UINT32_MAX) return;
    }
    int64_t *base = n ? tacAlloc((n / TAC_PACK + 1) * sizeof *base) : NULL;
    if (!base) return;
    for (size_t i = 0; i < n; i += TAC_PACK) base[i / TAC_PACK] = time[i];
    /* Times are packed in place, from the front: the 32 bits of row i never reach the 64 bits of a row after it. */
    char *packed = (char *) store->time.at;
    for (size_t i = 0; i < n; i++) {
        if (i % TAC_PACK == 0) tacProgressAt(store->progress, i); /* not stopped here: half of them would be packed */
        int64_t ticks;
        memcpy(&ticks, packed + i * sizeof ticks, sizeof ticks);
        uint32_t since = (uint32_t) (ticks - base[i / TAC_PACK]);
        memcpy(packed + i * sizeof since, &since, sizeof since);
    }
    void *fitted = tacRealloc(packed, n * sizeof *store->delta);
    store->delta = fitted ? fitted : (void *) packed;
    store->base = base;
    store->time.at = NULL;
    store->time.count = store->time.capacity = 0;
}

/* Sets to[i] = from[rows[i]] for elements first .. end - 1 of `size` bytes. */
static void gatherSome(void *to, const void *from, const uint32_t *rows, uint32_t first, uint32_t end, size_t size) {
    switch (size) {
    case 1:
        for (uint32_t i = first; i < end; i++) ((uint8_t *) to)[i] = ((const uint8_t *) from)[rows[i]];
        break;
    case 2:
        for (uint32_t i = first; i < end; i++) ((uint16_t *) to)[i] = ((const uint16_t *) from)[rows[i]];
        break;
    case 4:
        for (uint32_t i = first; i < end; i++) ((uint32_t *) to)[i] = ((const uint32_t *) from)[rows[i]];
        break;
    default:
        for (uint32_t i = first; i < end; i++) ((uint64_t *) to)[i] = ((const uint64_t *) from)[rows[i]];
    }
}

/* Gathers a whole column, in pieces between which progress is reported; once stopped, leaves the rest. */
static void gather(
    void *to, const void *from, const uint32_t *rows, uint32_t count, size_t size, tacProgress *progress) {
    enum { PIECE = 1 << 16 };
    for (uint32_t first = 0; first < count && tacProgressStep(progress, first); first += PIECE)
        gatherSome(to, from, rows, first, count - first < PIECE ? count : first + PIECE, size);
}

/* Gives options the new numbers of their rows, and drops those of dropped rows. Options are not sorted afterwards. */
static tacStatus moveOptions(tacStore *store, const uint32_t *rows, uint32_t count, tacError *err) {
    if (store->options.count == 0) return TAC_OK;
    uint32_t total = tacStoreCount(store);
    uint32_t *newRow = tacAlloc(total * sizeof *newRow);
    if (!newRow) return tacFailMemory(err);
    memset(newRow, 0xFF, total * sizeof *newRow);
    for (uint32_t i = 0; i < count && tacProgressAt(store->progress, i); i++) newRow[rows[i]] = i;
    size_t kept = 0;
    for (size_t i = 0; i < store->options.count && tacProgressAt(store->progress, i); i++) {
        tacOptionValue value = store->options.at[i];
        value.owner = newRow[value.owner];
        if (value.owner != TAC_NONE) store->options.at[kept++] = value;
    }
    store->options.count = kept;
    tacFree(newRow);
    return TAC_OK;
}

/*
 * Gathers each column into a spare block, which then is the column; its old block becomes the spare one of the next,
 * narrower column. So a single block is allocated, and columns go from the widest to the narrowest.
 */
tacStatus tacColumnsPick(tacStore *store, const uint32_t *rows, uint32_t count, tacError *err) {
    LIST_COLUMNS(store, columns);
    size_t spareBytes = (count + 1) * columns[0].size;
    void *spare = tacAlloc(spareBytes);
    if (!spare || moveOptions(store, rows, count, err) != TAC_OK) {
        tacFree(spare);
        return tacFailMemory(err);
    }
    for (int i = 0; i < COLUMNS; i++) {
        void *old = *columns[i].at;
        size_t oldBytes = *columns[i].capacity * columns[i].size;
        gather(spare, old, rows, count, columns[i].size, store->progress);
        *columns[i].at = spare;
        *columns[i].count = count;
        *columns[i].capacity = spareBytes / columns[i].size;
        tacArrayFit(columns[i].at, columns[i].capacity, count, columns[i].size);
        spare = old;
        spareBytes = oldBytes; /* holds at least `count` elements of this width, so of the next column's as well */
    }
    tacFree(spare);
    tacOptionsSort(&store->options, store->progress);
    return tacProgressStopped(store->progress) ? tacFailStopped(err, store->progress) : TAC_OK;
}

tacStatus tacColumnsKeep(tacStore *store, bool (*keeps)(void *data, uint32_t row), void *data, tacError *err) {
    uint32_t n = tacStoreCount(store), kept = 0, *rows = tacAlloc(((size_t) n + 1) * sizeof *rows);
    if (!rows) return tacFailMemory(err);
    for (uint32_t row = 0; row < n && tacProgressAt(store->progress, row); row++)
        if (keeps(data, row)) rows[kept++] = row;
    tacStatus status = TAC_OK;
    if (tacProgressStopped(store->progress)) status = tacFailStopped(err, store->progress);
    else if (kept < n) status = tacColumnsPick(store, rows, kept, err);
    tacFree(rows);
    return status;
}

static int byOwner(const void *left, const void *right, const void *data) {
    const tacOptionValue *a = left, *b = right;
    (void) data;
    return (a->owner > b->owner) - (a->owner < b->owner);
}

void tacOptionsSort(tacOptionArray *options, tacProgress *progress) {
    if (tacSort(options->at, options->count, sizeof *options->at, byOwner, NULL, progress)) return;
    /* Without memory options are sorted by insertion, which is slow. */
    for (size_t i = 1; i < options->count && tacProgressStep(progress, 0); i++) {
        tacOptionValue value = options->at[i];
        size_t j = i;
        for (; j > 0 && options->at[j - 1].owner > value.owner; j--) options->at[j] = options->at[j - 1];
        options->at[j] = value;
    }
}
