/*
 * store.c -- rows and objects of a trace: appending and looking up.
 */
#include "base/port.h"

#include "base/search.h"
#include "trace/column.h"

#include <string.h>

void tacStoreInit(tacStore *store) { *store = (tacStore){.sorted = true, .misfitsMost = TAC_MISFITS}; }

void tacStoreFree(tacStore *store) {
    tacColumnsFree(store);
    tacArrayFree(&store->numbers);
    tacArrayFree(&store->misfits);
    tacArrayFree(&store->options);
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        tacInternFree(&store->ids[kind]);
        tacArrayFree(&store->objects[kind]);
        tacArrayFree(&store->objectOptions[kind]);
        for (int by = 0; by < 2; by++) tacFree(store->named[kind][by]);
    }
    tacArrayFree(&store->jobTask);
    tacArrayFree(&store->jobDefinitions);
    tacInternFree(&store->strings);
    tacArrayFree(&store->settings);
    tacArrayFree(&store->ignored);
}

void tacStoreProgress(tacStore *store, tacProgress *progress) {
    store->progress = store->strings.progress = progress;
    for (int kind = 0; kind < TAC_KINDS; kind++) store->ids[kind].progress = progress;
}

uint64_t tacStoreBytes(const tacStore *s) {
    uint64_t bytes = s->time.capacity * 8 + (s->delta ? tacStoreCount(s) * 4ULL : 0)
        + s->line.capacity * (1 + 4 + 4 + 4) + s->processor.capacity * 2 + s->numbers.capacity * sizeof *s->numbers.at
        + s->misfits.capacity * sizeof *s->misfits.at + s->options.capacity * sizeof *s->options.at
        + s->jobTask.capacity * sizeof(uint32_t) + s->jobDefinitions.capacity * sizeof(tacJobDefinition)
        + (s->settings.capacity + s->ignored.capacity) * sizeof(uint32_t) + tacInternBytes(&s->strings);
    for (int kind = 0; kind < TAC_KINDS; kind++)
        bytes += tacInternBytes(&s->ids[kind]) + s->objects[kind].capacity * sizeof(tacObject)
            + s->objectOptions[kind].capacity * sizeof(tacOptionValue);
    return bytes;
}

uint64_t tacStoreNeed(tacStore *s) {
    /* The slots of the strings count twice, since for a moment there are two tables of them when they grow. */
    uint64_t bytes = tacStoreBytes(s) + s->besides + s->readerBytes + s->strings.nSlots * sizeof *s->strings.slots;
    if (!s->weights) return bytes;
    for (; s->weighed < tacStoreCount(s); s->weighed++) s->rowBytes += s->weights->rows[tacRowEvent(s, s->weighed)];
    bytes += s->rowBytes;
    for (int kind = 0; kind < TAC_KINDS; kind++)
        bytes += tacInternCount(&s->ids[kind]) * (uint64_t) s->weights->objects[kind];
    return bytes;
}

uint64_t tacStoreRoom(const tacStore *s, bool before) {
    enum { LEAST = 32 << 20 };
    if (!s->byteLimit) return 0;
    uint64_t taken = tacStoreBytes(s), room = s->byteLimit / 4;
    for (int kind = 0; kind < TAC_KINDS && s->weights && !before; kind++)
        taken += tacInternCount(&s->ids[kind]) * (uint64_t) s->weights->objects[kind];
    if (!before) taken += s->rowBytes;
    if (taken < s->byteLimit && s->byteLimit - taken > room) room = s->byteLimit - taken;
    return room > LEAST ? room : LEAST;
}

/* ---- options ---- */

/* Index behind the last value of an owner. */
static size_t afterOwner(const tacOptionArray *options, uint32_t owner) {
    return tacPast(size_t, 0, options->count, i, options->at[i].owner <= owner);
}

/* The last value of an owner for an option; false: there is none. */
static bool optionOf(const tacOptionArray *options, uint32_t owner, tacOption option, int64_t *value) {
    for (size_t i = afterOwner(options, owner); i-- > 0 && options->at[i].owner == owner;)
        if (options->at[i].option == (uint32_t) option) return *value = options->at[i].value, true;
    return false;
}

const char *tacStoreSetting(const tacStore *store, const char *name) {
    const char *value = NULL;
    for (size_t i = 0; i + 1 < store->settings.count; i += 2)
        if (strcmp(tacString(store, store->settings.at[i]), name) == 0)
            value = tacString(store, store->settings.at[i + 1]);
    return value;
}

size_t tacRowFirstOption(const tacStore *store, uint32_t row) { return row ? afterOwner(&store->options, row - 1) : 0; }

bool tacRowOption(const tacStore *store, uint32_t row, tacOption option, int64_t *value) {
    return tacRowHasOptions(store, row) && optionOf(&store->options, row, option, value);
}

bool tacObjectOption(const tacStore *store, tacKind kind, uint32_t index, tacOption option, int64_t *value) {
    return optionOf(&store->objectOptions[kind], index, option, value);
}

int64_t tacSemaphoreCount(const tacStore *store, uint32_t row, int64_t before) {
    tacEvent event = tacRowEvent(store, row);
    int64_t given;
    if (tacRowHasOptions(store, row) && tacRowOption(store, row, TAC_OPT_STATE, &given)) return given;
    return before + (event == TAC_EV_JOB_RELEASED_SEMAPHORE) - (event == TAC_EV_JOB_ACQUIRED_SEMAPHORE);
}

const char *tacRowText(const tacStore *store, uint32_t row, tacOption option) {
    int64_t value;
    return tacRowOption(store, row, option, &value) ? tacString(store, (uint32_t) value) : NULL;
}

const char *tacObjectText(const tacStore *store, tacKind kind, uint32_t index, tacOption option) {
    int64_t value;
    return tacObjectOption(store, kind, index, option, &value) ? tacString(store, (uint32_t) value) : NULL;
}

tacFrom tacRowFrom(const tacStore *store, uint32_t row) {
    tacEvent event = tacRowEvent(store, row);
    if (event == TAC_EV_MESSAGE) return tacMessageFrom(store, row);
    const char *word = event == TAC_EV_TASK_ANNOTATION ? tacRowText(store, row, TAC_OPT_STRETCH_FROM) : NULL;
    return !word ? TAC_FROM_NOTHING : *word == 'm' ? TAC_FROM_MARK : TAC_FROM_CALL;
}

bool tacRowReturns(const tacStore *store, uint32_t row) {
    const char *word = tacRowText(store, row, TAC_OPT_STRETCH_FROM);
    return word && *word == 'c';
}

/* ---- objects ---- */

const char *tacObjectName(const tacStore *store, tacKind kind, uint32_t index) {
    if (store->frozen && index < store->objects[kind].count)
        return tacString(store, store->objects[kind].at[index].name);
    const char *name = tacObjectText(store, kind, index, TAC_OPT_NAME);
    return name ? name : tacObjectId(store, kind, index);
}

/* Makes sure that the object of an id has a record; returns its index, TAC_NONE: no memory. */
static uint32_t withRecord(tacStore *store, tacKind kind, uint32_t index, size_t length) {
    size_t known = kind == TAC_JOB ? store->jobTask.count : store->objects[kind].count;
    if (TAC_LIKELY(index < known) || index == TAC_NONE) return index;
    tacStoreCharge(store, length + sizeof(tacObject));
    /* Earlier ids may lack records, when memory failed between both; they are made here. */
    tacObject object = {.name = TAC_NONE,
        .processor = TAC_NO_PROCESSOR,
        .order = UINT32_MAX,
        .capacity = kind == TAC_SERVER ? TAC_UNKNOWN : 1,
        .C = TAC_UNKNOWN,
        .D = TAC_UNKNOWN,
        .T = TAC_UNKNOWN};
    for (; known <= index; known++)
        if (kind == TAC_JOB ? !tacArrayPush(&store->jobTask, TAC_NONE) : !tacArrayPush(&store->objects[kind], object))
            return TAC_NONE;
    return index;
}

uint32_t tacStoreString(tacStore *store, const char *text, size_t length) {
    tacStoreCharge(store, length);
    return tacIntern(&store->strings, text, length);
}

uint32_t tacStoreObject(tacStore *store, tacKind kind, const char *id, size_t length) {
    return withRecord(store, kind, tacIntern(&store->ids[kind], id, length), length);
}

uint32_t tacStoreNewJob(tacStore *store, const char *id, size_t length) {
    return withRecord(store, TAC_JOB, tacInternNew(&store->ids[TAC_JOB], id, length), length);
}

/* ---- rows ---- */

/* True when a table of names is nearly full: its 32-bit places must hold all names until the next check. */
static bool isFull(const tacInternTable *names) { return names->text.count > UINT32_MAX - ((size_t) 64 << 20); }

tacStatus tacStoreCheck(tacStore *store, uint32_t line, tacError *err) {
    store->fresh = 0;
    if (store->byteLimit && tacStoreNeed(store) > store->byteLimit)
        return tacFail(err, "LIMIT MEMORY",
            "line %u: the trace needs more than %g MB of memory; raise the limit with -memorylimit", line,
            (double) store->byteLimit / (1 << 20));
    bool full = isFull(&store->strings);
    for (int kind = 0; kind < TAC_KINDS; kind++) full |= isFull(&store->ids[kind]);
    if (!full) return TAC_OK;
    return tacFail(err, "LIMIT MEMORY", "line %u: the names and texts of the trace take more than 4 GB", line);
}

tacStatus tacStoreReader(tacStore *store, uint64_t bytes, uint32_t line, tacError *err) {
    bool due = bytes > store->readerBytes && tacStoreCharge(store, (size_t) (bytes - store->readerBytes));
    store->readerBytes = bytes;
    return due ? tacStoreCheck(store, line, err) : TAC_OK;
}

/* Checks the limits before another row. */
static tacStatus checkRow(tacStore *store, uint32_t line, tacError *err) {
    if (store->eventLimit && tacStoreCount(store) >= store->eventLimit)
        return tacFail(err, "LIMIT EVENTS", "the trace has more than %llu events; raise the limit with -eventlimit",
            (unsigned long long) store->eventLimit);
    if (tacStoreCount(store) >= TAC_NONE - 1)
        return tacFail(err, "LIMIT EVENTS", "the trace has more events than a store can hold (%u)", TAC_NONE - 1);
    return tacStoreCheck(store, line, err);
}

uint32_t tacStoreAppend(tacStore *store, int64_t ticks, tacEvent event, uint32_t subject, uint32_t object,
    uint16_t processor, uint32_t line, tacError *err) {
    uint32_t row = tacStoreCount(store);
    if (TAC_UNLIKELY(row == store->eventLimit || (row & 0xfff) == 0 || tacStoreCharge(store, 0))
        && checkRow(store, line, err) != TAC_OK)
        return TAC_NONE;
    if (TAC_UNLIKELY(row == store->time.capacity || row == store->line.capacity || row == store->event.capacity
            || row == store->processor.capacity || row == store->subject.capacity || row == store->object.capacity)
        && !tacColumnsGrow(store))
        return tacFailMemory(err), TAC_NONE;
    store->time.at[row] = ticks;
    store->event.at[row] = (uint8_t) event;
    store->processor.at[row] = processor;
    store->subject.at[row] = subject;
    store->object.at[row] = object;
    store->line.at[row] = line;
    store->time.count = store->event.count = row + 1;
    store->subject.count = store->object.count = row + 1;
    store->processor.count = store->line.count = row + 1;
    return row;
}

bool tacStoreAddOption(tacStore *store, uint32_t row, tacOption option, int64_t value) {
    if (!tacArrayPush(&store->options, (tacOptionValue){row, option, value})) return false;
    store->event.at[row] |= TAC_HAS_OPTIONS;
    store->hasHidden |= option == TAC_OPT_STRETCH_HIDDEN;
    return true;
}

static uint32_t findWithin(const tacStore *store, int64_t time, uint32_t low, uint32_t high) {
    return tacPast(uint32_t, low, high, i, tacRowTime(store, i) < time);
}

uint32_t tacStoreFind(const tacStore *store, int64_t time) { return findWithin(store, time, 0, tacStoreCount(store)); }

/* Searches from the guess on, to the right or to the left, in steps of growing size. */
uint32_t tacStoreFindFrom(const tacStore *store, int64_t time, uint32_t low, uint32_t step) {
    uint32_t high = tacStoreCount(store), guess = step < high - low ? low + step : high, by = 1;
    if (guess < high && tacRowTime(store, guess) < time) {
        for (low = guess + 1; by < high - low && tacRowTime(store, low + by) < time; by *= 2) low += by + 1;
        return findWithin(store, time, low, by < high - low ? low + by : high);
    }
    for (high = guess; by <= high - low && tacRowTime(store, high - by) >= time; by *= 2) high -= by;
    return findWithin(store, time, by <= high - low ? high - by + 1 : low, high);
}
