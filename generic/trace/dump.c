/*
 * dump.c -- the canonical trace: settings, definitions in their order, events in time order; each a literal line.
 *
 * The spelling comes from the vocabulary table; words are quoted by trace/quote. Reading the text again gives the same
 * store: definitions keep their order, rows theirs, and the setting clocks.mapped says that times are on one clock.
 */
#include "base/port.h"

#include "base/search.h"
#include "trace/dump.h"
#include "trace/quote.h"
#include "trace/rowWords.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH = 1 << 16 }; /* bytes that are written at once */

/* A dump under way. */
typedef struct Dump {
    const tacStore *store;
    const tacSelection *part; /* the part of it that is written */
    tacText text;             /* to be written */
    bool (*write)(void *data, const char *bytes, size_t n);
    void *data;   /* of write */
    bool stopped; /* write wants no more */
    uint32_t row; /* the row that is written */
    /* By semaphore; NULL: there are none, or all rows are written. */
    int64_t *counts;        /* in the whole store, after the row */
    int64_t *writtenCounts; /* as who reads what was written counts */
    int64_t *countAtFrom;   /* at the begin of the stretch */
    uint32_t *lastBefore;   /* its last row before the stretch that is written; TAC_NONE: none is */
    bool leavesOut;         /* the next value belongs to an option that is left out */
} Dump;

/* Writes the text when it has more than `least` bytes. */
static void flush(Dump *d, size_t least) {
    if (d->text.failed || d->text.length <= least || d->stopped) return;
    d->stopped = !d->write(d->data, d->text.at, d->text.length);
    d->text.length = 0;
}

static void endLine(Dump *d) {
    tacTextAdd(&d->text, "\n", 1);
    flush(d, FLUSH);
}

/* Adds a blank and a text as it is. */
static void addText(Dump *d, const char *text) {
    tacTextAdd(&d->text, " ", 1);
    tacTextAddString(&d->text, text);
}

/* Adds a blank and a name or text, quoted. */
static void addWord(Dump *d, const tacInternTable *table, uint32_t id) {
    size_t length;
    const char *word = tacInternName(table, id, &length);
    tacTextAdd(&d->text, " ", 1);
    tacQuoteWord(&d->text, word, length);
}

/* Adds a blank and a time. */
static void addTicks(Dump *d, int64_t ticks) {
    char buffer[TAC_DECIMAL_SIZE];
    size_t n = tacDecimalFormat(ticks, d->store->digits, buffer);
    tacTextAdd(&d->text, " ", 1);
    tacTextAdd(&d->text, buffer, n);
}

/* Adds a blank and a value by its type. */
static void addValue(Dump *d, tacType type, int64_t value) {
    if (type < (tacType) TAC_KINDS) addWord(d, &d->store->ids[type], (uint32_t) value);
    else if (type == TAC_TYPE_TIME) addTicks(d, value);
    else if (type == TAC_TYPE_INTEGER) tacTextPrintf(&d->text, " %lld", (long long) value);
    else if (type == TAC_TYPE_REST) addText(d, tacString(d->store, (uint32_t) value));
    else if (type != TAC_TYPE_FLAG) addWord(d, &d->store->strings, (uint32_t) value);
}

/* ---- definitions ---- */

/* A definition that is to be written. */
typedef struct Definition {
    uint32_t order; /* among all definitions */
    uint32_t kind;  /* tacKind */
    uint32_t index; /* of the object */
} Definition;
typedef TAC_ARRAY(Definition) Definitions;

static int byOrder(const void *left, const void *right) {
    const Definition *a = left, *b = right;
    if (a->order != b->order) return a->order < b->order ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static void dumpDefinition(Dump *d, tacKind kind, uint32_t index) {
    tacTextAddString(&d->text, tacDefinitions[kind].name);
    addWord(d, &d->store->ids[kind], index);
    if (kind == TAC_JOB) addWord(d, &d->store->ids[TAC_TASK], d->store->jobTask.at[index]);
    const tacOptionArray *options = &d->store->objectOptions[kind];
    size_t at = tacPast(size_t, 0, options->count, i, options->at[i].owner < index);
    for (; at < options->count && options->at[at].owner == index; at++) {
        const tacOptionSpec *option = &tacOptions[options->at[at].option];
        addText(d, option->name);
        addValue(d, option->type, options->at[at].value);
    }
    endLine(d);
}

/* Writes the definitions in their order, those of jobs last. */
static tacStatus dumpDefinitions(Dump *d, tacError *err) {
    const tacStore *store = d->store;
    Definitions list = {0};
    bool room = true;
    for (uint32_t kind = 0; kind < TAC_KINDS; kind++)
        for (uint32_t i = 0; i < store->objects[kind].count && room; i++)
            if (store->objects[kind].at[i].line && tacSelectedObject(d->part, (tacKind) kind, i))
                room = tacArrayPush(&list, (Definition){store->objects[kind].at[i].order, kind, i});
    if (room && list.count) qsort(list.at, list.count, sizeof *list.at, byOrder);
    for (size_t i = 0; i < list.count && room && !d->stopped; i++)
        dumpDefinition(d, (tacKind) list.at[i].kind, list.at[i].index);
    for (size_t i = 0; i < store->jobDefinitions.count && room && !d->stopped; i++)
        if (tacSelectedJob(d->part, store, store->jobDefinitions.at[i].job))
            dumpDefinition(d, TAC_JOB, store->jobDefinitions.at[i].job);
    tacArrayFree(&list);
    return room ? TAC_OK : tacFailMemory(err);
}

/* Writes the settings, and adds that clocks are mapped when there are messages between them. */
static void dumpSettings(Dump *d) {
    const tacStore *store = d->store;
    bool mapped = false;
    for (size_t i = 0; i + 1 < store->settings.count; i += 2) {
        mapped |= strcmp(tacString(store, store->settings.at[i]), "clocks.mapped") == 0;
        tacTextAddString(&d->text, tacString(store, store->settings.at[i]));
        addWord(d, &store->strings, store->settings.at[i + 1]);
        endLine(d);
    }
    uint32_t row = 0;
    while (!mapped && row < tacStoreCount(store) && !tacEventIs(tacRowEvent(store, row), TAC_TRAIT_SYNC)) row++;
    if (!mapped && row < tacStoreCount(store)) {
        tacTextAddString(&d->text, "clocks.mapped 1");
        endLine(d);
    }
}

/* ---- events ---- */

/* Adds the name of an option; a -target outside the part is left out. */
static bool addOptionName(void *data, tacOption option) {
    Dump *d = data;
    d->leavesOut = option == TAC_OPT_TARGET && !tacSelectedJob(d->part, d->store, tacRowObject(d->store, d->row));
    if (!d->leavesOut) addText(d, tacOptions[option].name);
    return true;
}

/* Adds an argument, or the value of an option. */
static bool addRowValue(void *data, tacType type, int64_t value) {
    Dump *d = data;
    if (!d->leavesOut) addValue(d, type, value);
    d->leavesOut = false;
    return true;
}

static bool isOfSemaphore(const tacStore *store, uint32_t row) {
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, row)];
    return spec->nArguments > 1 && spec->arguments[1] == TAC_TYPE_SEMAPHORE && tacRowObject(store, row) != TAC_NONE;
}

/* Counts along the rows before the stretch. False: no memory. */
static bool beginCounts(Dump *d) {
    const tacStore *store = d->store;
    uint32_t n = tacStoreObjects(store, TAC_SEMAPHORE);
    if (!n || !d->part->whole) return true;
    d->counts = tacAllocZero(n, sizeof *d->counts);
    d->writtenCounts = tacAllocZero(n, sizeof *d->writtenCounts);
    d->countAtFrom = tacAllocZero(n, sizeof *d->countAtFrom);
    d->lastBefore = tacAlloc(n * sizeof *d->lastBefore);
    if (!d->counts || !d->writtenCounts || !d->countAtFrom || !d->lastBefore) return false;
    for (uint32_t i = 0; i < n; i++) d->lastBefore[i] = TAC_NONE;
    for (uint32_t row = 0; row < d->part->begin; row++) {
        if (!isOfSemaphore(store, row)) continue;
        uint32_t semaphore = tacRowObject(store, row);
        d->countAtFrom[semaphore] = tacSemaphoreCount(store, row, d->countAtFrom[semaphore]);
        if (tacSelectedRow(d->part, store, row)) d->lastBefore[semaphore] = row;
    }
    return true;
}

/*
 * Counts a row of a semaphore. True: whoever reads the part counts otherwise, since rows before are not in it, and is
 * to be told *state: the count after the row, or where the row is the last one before the stretch, that at its begin.
 */
static bool correctsCount(Dump *d, uint32_t row, bool written, int64_t *state) {
    if (!d->counts || !isOfSemaphore(d->store, row)) return false;
    uint32_t semaphore = tacRowObject(d->store, row);
    int64_t *count = &d->counts[semaphore], *told = &d->writtenCounts[semaphore];
    *count = tacSemaphoreCount(d->store, row, *count);
    if (!written) return false;
    *told = tacSemaphoreCount(d->store, row, *told);
    if (row < d->part->begin && row != d->lastBefore[semaphore]) return false;
    *state = row < d->part->begin ? d->countAtFrom[semaphore] : *count;
    bool corrects = *told != *state;
    *told = *state;
    return corrects && !tacRowOption(d->store, row, TAC_OPT_STATE, &(int64_t){0});
}

static void endCounts(Dump *d) {
    tacFree(d->counts);
    tacFree(d->writtenCounts);
    tacFree(d->countAtFrom);
    tacFree(d->lastBefore);
}

static void dumpRow(Dump *d, uint32_t row, const int64_t *state) {
    static const tacRowVisitor visitor = {addOptionName, addRowValue};
    tacEvent event = tacRowEvent(d->store, row);
    d->row = row;
    tacTextAddString(&d->text, tacEventIs(event, TAC_TRAIT_BUFFER) ? "bufferplot" : "plot");
    addTicks(d, tacRowTime(d->store, row));
    if (tacEventIs(event, TAC_TRAIT_NAMED)) addWord(d, &d->store->strings, tacRowSubject(d->store, row));
    else addText(d, tacEvents[event].name);
    tacRowWords(d->store, row, &visitor, d);
    if (state) tacTextPrintf(&d->text, " -state %" PRId64, *state);
    endLine(d);
}

tacStatus tacDumpPart(const tacStore *store, const tacSelection *part,
    bool (*write)(void *data, const char *bytes, size_t n), void *data, tacError *err) {
    Dump d = {.store = store, .part = part, .write = write, .data = data};
    dumpSettings(&d);
    tacStatus status = dumpDefinitions(&d, err);
    uint32_t row = part->whole || part->from == TAC_UNKNOWN ? 0 : tacStoreFind(store, part->from);
    if (status == TAC_OK && !beginCounts(&d)) status = tacFailMemory(err);
    for (; status == TAC_OK && row < tacStoreCount(store) && !d.stopped && !d.text.failed; row++) {
        bool written = tacSelectedRow(part, store, row);
        int64_t state;
        bool corrects = correctsCount(&d, row, written, &state);
        if (written) dumpRow(&d, row, corrects ? &state : NULL);
    }
    endCounts(&d);
    flush(&d, 0);
    if (status == TAC_OK && d.text.failed) status = tacFailMemory(err);
    if (status == TAC_OK && d.stopped) status = tacFail(err, "FILE WRITE", "the text could not be written");
    tacTextFree(&d.text);
    return status;
}

tacStatus tacDump(const tacStore *store, int64_t from, int64_t to,
    bool (*write)(void *data, const char *bytes, size_t n), void *data, tacError *err) {
    tacSelection all = {.from = from, .to = to};
    return tacDumpPart(store, &all, write, data, err);
}
