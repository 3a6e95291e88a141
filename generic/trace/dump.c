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

#include <stdlib.h>
#include <string.h>

enum { FLUSH = 1 << 16 }; /* bytes that are written at once */

/* A dump under way. */
typedef struct Dump {
    const tacStore *store;
    const tacSelection *part; /* the part of it that is written */
    tacText text;             /* to be written */
    bool (*write)(void *data, const char *bytes, size_t n);
    void *data;        /* of write */
    bool stopped;      /* write wants no more */
    size_t nextOption; /* index of the first event option of this row or of one after it; options are sorted by row */
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

static void addWord(Dump *d, const tacInternTable *table, uint32_t id) {
    size_t length;
    const char *word = tacInternName(table, id, &length);
    tacTextAdd(&d->text, " ", 1);
    tacQuoteWord(&d->text, word, length);
}

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
    else if (type == TAC_TYPE_REST) tacTextPrintf(&d->text, " %s", tacString(d->store, (uint32_t) value));
    else if (type != TAC_TYPE_FLAG) addWord(d, &d->store->strings, (uint32_t) value);
}

static void addOption(Dump *d, tacOption option, int64_t value) {
    tacTextPrintf(&d->text, " %s", tacOptions[option].name);
    addValue(d, tacOptions[option].type, value);
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
    for (; at < options->count && options->at[at].owner == index; at++)
        addOption(d, (tacOption) options->at[at].option, options->at[at].value);
    endLine(d);
}

/* Writes the definitions in their order, those of jobs last. */
static tacStatus dumpDefinitions(Dump *d, tacError *err) {
    const tacStore *store = d->store;
    Definitions list = {0};
    bool room = true;
    for (uint32_t kind = 0; kind < TAC_KINDS; kind++)
        for (uint32_t i = 0; i < store->objects[kind].count && room; i++)
            if (store->objects[kind].at[i].line && (kind != TAC_TASK || tacSelectedTask(d->part, i)))
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

/* Adds the first two arguments; an optional one that was not given is left out. */
static void addArguments(Dump *d, uint32_t row, const tacEventSpec *spec) {
    for (int i = 0; i < spec->nArguments && i < 2; i++) {
        uint32_t value = i == 0 ? tacRowSubject(d->store, row) : tacRowObject(d->store, row);
        tacType type = spec->arguments[i];
        if (i >= spec->nRequired && value == TAC_NONE) continue;
        if (type == TAC_TYPE_TIME) addTicks(d, d->store->numbers.at[value]);
        else addValue(d, type, type == TAC_TYPE_INTEGER ? (int64_t) (int32_t) value : (int64_t) value);
    }
}

/* Adds the options of a row; a third argument stands among them and goes first. */
static void addRowOptions(Dump *d, uint32_t row, const tacEventSpec *spec) {
    const tacOptionArray *options = &d->store->options;
    while (d->nextOption < options->count && options->at[d->nextOption].owner < row) d->nextOption++;
    size_t first = d->nextOption;
    for (size_t i = first; i < options->count && options->at[i].owner == row; i++)
        if (options->at[i].option == TAC_OPT_ARGUMENT3) addValue(d, spec->arguments[2], options->at[i].value);
    for (size_t i = first; i < options->count && options->at[i].owner == row; i++)
        if (options->at[i].option != TAC_OPT_ARGUMENT3)
            addOption(d, (tacOption) options->at[i].option, options->at[i].value);
}

static void dumpRow(Dump *d, uint32_t row) {
    const tacStore *store = d->store;
    tacEvent event = tacRowEvent(store, row);
    const tacEventSpec *spec = &tacEvents[event];
    uint32_t object = tacRowObject(store, row);
    tacTextAddString(&d->text, tacEventIs(event, TAC_TRAIT_BUFFER) ? "bufferplot" : "plot");
    addTicks(d, tacRowTime(store, row));
    if (!tacEventIs(event, TAC_TRAIT_NAMED)) tacTextPrintf(&d->text, " %s", spec->name);
    addArguments(d, row, spec);
    if (tacRowHasOptions(store, row)) addRowOptions(d, row, spec);
    if (tacEventHasTarget(event) && object != TAC_NONE && tacSelectedJob(d->part, store, object))
        addOption(d, TAC_OPT_TARGET, object);
    if (tacRowProcessor(store, row) != TAC_NO_PROCESSOR && (spec->options & TAC_OPTION_BIT(TAC_OPT_PROCESSOR)))
        addOption(d, TAC_OPT_PROCESSOR, tacRowProcessor(store, row));
    endLine(d);
}

tacStatus tacDumpPart(const tacStore *store, const tacSelection *part,
    bool (*write)(void *data, const char *bytes, size_t n), void *data, tacError *err) {
    Dump d = {.store = store, .part = part, .write = write, .data = data};
    dumpSettings(&d);
    tacStatus status = dumpDefinitions(&d, err);
    uint32_t row = part->whole || part->from == TAC_UNKNOWN ? 0 : tacStoreFind(store, part->from);
    for (; status == TAC_OK && row < tacStoreCount(store) && !d.stopped && !d.text.failed; row++)
        if (tacSelectedRow(part, store, row)) dumpRow(&d, row);
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
