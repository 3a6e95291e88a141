/*
 * scheduling.c -- policies and affinity in the definitions of a trace: written by importers, read by the rules.
 */
#include "base/port.h"

#include "trace/scheduling.h"

#include <string.h>

/* ---- policies ---------------------------------------------------------------------------------------------------- */

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

bool tacCpuReaderInit(tacCpuReader *reader, const tacStore *store) {
    uint32_t n = tacStoreObjects(store, TAC_PROCESSOR);
    *reader = (tacCpuReader){
        store, tacAlloc((n + 1) * sizeof *reader->numbers), tacAllocZero(n / 64 + 1, sizeof *reader->bits), n};
    if (!reader->numbers || !reader->bits) return false;
    for (uint32_t i = 0; i < n; i++) {
        const char *id = tacObjectId(store, TAC_PROCESSOR, i), *end = id + strlen(id), *at = end;
        while (at > id && at[-1] >= '0' && at[-1] <= '9') at--;
        bool defined = store->objects[TAC_PROCESSOR].at[i].line != 0;
        reader->numbers[i] = defined ? readNumber(at, end) : TAC_NONE;
    }
    return true;
}

void tacCpuReaderFree(tacCpuReader *reader) {
    tacFree(reader->numbers);
    tacFree(reader->bits);
}

/* Adds the processors of a word; false: it fits none. */
static bool addWord(tacCpuReader *reader, const char *word, size_t length) {
    uint32_t index = tacInternFind(&reader->store->ids[TAC_PROCESSOR], word, length);
    if (index != TAC_NONE && reader->store->objects[TAC_PROCESSOR].at[index].line)
        return reader->bits[index >> 6] |= (uint64_t) 1 << (index & 63), true;
    const char *end = word + length, *dash = memchr(word, '-', length);
    uint32_t first = readNumber(word, dash ? dash : end), last = dash ? readNumber(dash + 1, end) : first;
    bool found = false;
    if (first == TAC_NONE || last == TAC_NONE) return false;
    for (uint32_t i = 0; i < reader->nProcessors; i++) {
        if (reader->numbers[i] < first || reader->numbers[i] > last) continue;
        reader->bits[i >> 6] |= (uint64_t) 1 << (i & 63);
        found = true;
    }
    return found;
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
