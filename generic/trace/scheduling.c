/*
 * scheduling.c -- policies and affinity in the definitions of a trace: written by importers, read by the rules.
 */
#include "base/port.h"

#include "base/search.h"
#include "base/sort.h"
#include "trace/scheduling.h"

#include <string.h>

/* ---- policies ---------------------------------------------------------------------------------------------------- */

bool tacSchedulingRecorded(const tacStore *store) {
    const char *text = tacStoreSetting(store, "scheduler.recorded");
    return text && strcmp(text, "1") == 0;
}

const char *tacSchedulerWord(tacScheduler scheduler) {
    return scheduler == TAC_SCHEDULER_NONE ? NULL : tacTypeWords(TAC_TYPE_SCHEDULER)[scheduler - 1];
}

tacScheduler tacSchedulerOf(const tacStore *store, tacKind kind, uint32_t index) {
    const char *text = tacObjectText(store, kind, index, TAC_OPT_SCHEDULER);
    for (int i = TAC_SCHEDULER_NONE + 1; text && i < TAC_SCHEDULERS; i++)
        if (strcmp(text, tacSchedulerWord((tacScheduler) i)) == 0) return (tacScheduler) i;
    return TAC_SCHEDULER_NONE;
}

bool tacStoreSetScheduler(tacStore *store, tacKind kind, uint32_t index, tacScheduler scheduler) {
    const char *word = tacSchedulerWord(scheduler);
    if (!word) return true;
    uint32_t string = tacStoreString(store, word, strlen(word));
    return string != TAC_NONE
        && tacArrayPush(&store->objectOptions[kind], (tacOptionValue){index, TAC_OPT_SCHEDULER, string});
}

/* ---- affinity ---------------------------------------------------------------------------------------------------- */

enum { MOST = 1 << 20 }; /* larger numbers are none of a processor */

/* Reads digits up to `end`; TAC_NONE: there are none, or something else, or it is too large. */
static uint32_t readNumber(const char *at, const char *end) {
    uint32_t number = 0;
    if (at == end) return TAC_NONE;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9' || number > MOST) return TAC_NONE;
        number = 10 * number + (uint32_t) (*at - '0');
    }
    return number;
}

/* The number at the end of the id of a defined processor. */
static uint32_t numberOf(const tacStore *store, uint32_t processor) {
    const char *id = tacObjectId(store, TAC_PROCESSOR, processor), *end = id + strlen(id), *at = end;
    while (at > id && at[-1] >= '0' && at[-1] <= '9') at--;
    return store->objects[TAC_PROCESSOR].at[processor].line ? readNumber(at, end) : TAC_NONE;
}

static int byNumber(const void *left, const void *right, const void *data) {
    const uint32_t *numbers = data;
    uint32_t a = numbers[*(const uint32_t *) left], b = numbers[*(const uint32_t *) right];
    return a < b ? -1 : a > b;
}

bool tacCpuReaderInit(tacCpuReader *reader, const tacStore *store) {
    uint32_t n = tacStoreObjects(store, TAC_PROCESSOR);
    uint32_t *numbers = tacAlloc((n + 1) * sizeof *numbers), *order = tacAlloc((n + 1) * sizeof *order);
    *reader = (tacCpuReader){store, tacAlloc((n + 1) * sizeof *reader->numbers),
        tacAlloc((n + 1) * sizeof *reader->ranks), tacAllocZero(n / 64 + 1, sizeof *reader->bits), n};
    bool fine = numbers && order && reader->numbers && reader->ranks && reader->bits;
    for (uint32_t i = 0; fine && i < n; i++) {
        numbers[i] = numberOf(store, i);
        order[i] = i;
    }
    fine = fine && tacSort(order, n, sizeof *order, byNumber, numbers, NULL);
    for (uint32_t rank = 0; fine && rank < n; rank++) {
        reader->numbers[rank] = numbers[order[rank]];
        reader->ranks[order[rank]] = rank;
    }
    tacFree(numbers);
    tacFree(order);
    return fine;
}

void tacCpuReaderFree(tacCpuReader *reader) {
    tacFree(reader->numbers);
    tacFree(reader->ranks);
    tacFree(reader->bits);
}

/* Sets the bits from `first` to the one before `end`, which is after it. */
static void setBits(uint64_t *bits, uint32_t first, uint32_t end) {
    for (uint32_t word = first >> 6; word <= (end - 1) >> 6; word++) {
        uint64_t mask = ~(uint64_t) 0;
        if (word == first >> 6) mask &= ~(uint64_t) 0 << (first & 63);
        if (word == (end - 1) >> 6) mask &= ~(uint64_t) 0 >> (63 - ((end - 1) & 63));
        bits[word] |= mask;
    }
}

/* Adds the processors of a word; false: it fits none. */
static bool addWord(tacCpuReader *reader, const char *word, size_t length) {
    uint32_t index = tacInternFind(&reader->store->ids[TAC_PROCESSOR], word, length), n = reader->nProcessors;
    if (index != TAC_NONE && reader->store->objects[TAC_PROCESSOR].at[index].line)
        return setBits(reader->bits, reader->ranks[index], reader->ranks[index] + 1), true;
    const char *end = word + length, *dash = memchr(word, '-', length);
    uint32_t from = readNumber(word, dash ? dash : end), to = dash ? readNumber(dash + 1, end) : from;
    if (from == TAC_NONE || to == TAC_NONE) return false;
    uint32_t first = tacPast(uint32_t, 0, n, rank, reader->numbers[rank] < from);
    uint32_t behind = tacPast(uint32_t, first, n, rank, reader->numbers[rank] <= to);
    if (behind > first) setBits(reader->bits, first, behind);
    return behind > first;
}

const char *tacCpusRead(tacCpuReader *reader, const char *text) {
    const char *unknown = NULL;
    memset(reader->bits, 0, (reader->nProcessors / 64 + 1) * sizeof *reader->bits);
    for (;;) {
        text += strspn(text, ", \t\n");
        size_t length = strcspn(text, ", \t\n");
        if (length == 0) return unknown;
        if (!addWord(reader, text, length) && !unknown) unknown = text;
        text += length;
    }
}
