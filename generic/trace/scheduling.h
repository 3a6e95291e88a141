/*
 * scheduling.h -- what the definitions of a trace say of its scheduling: policies, clusters, thresholds, affinity.
 *
 * All of it is kept as options of the definitions (tacStore.objectOptions), so traces without it pay nothing. Importers
 * add them as text (TAC_OPT_CPUS), or by tacStoreSetScheduler.
 */
#ifndef TAC_TRACE_SCHEDULING_H
#define TAC_TRACE_SCHEDULING_H

#include "trace/store.h"

/* Policies: the words of -scheduler in their order, behind none. */
typedef enum tacScheduler {
    TAC_SCHEDULER_NONE, /* nothing is said */
    TAC_SCHEDULER_FP,   /* fixed priorities; no order among equal ones */
    TAC_SCHEDULER_FIFO, /* fixed priorities; of equal ones the job that is ready longest */
    TAC_SCHEDULER_RR,   /* fixed priorities; equal ones by turns */
    TAC_SCHEDULER_EDF,  /* earliest absolute deadline; above all fixed priorities */
    TAC_SCHEDULER_FAIR, /* no order; below all fixed priorities */
    TAC_SCHEDULERS
} tacScheduler;

/* Was a running system recorded: the setting scheduler.recorded? */
bool tacSchedulingRecorded(const tacStore *store);

/* The word of a policy; NULL of NONE. */
const char *tacSchedulerWord(tacScheduler scheduler);
/* The -scheduler of a task or processor. */
tacScheduler tacSchedulerOf(const tacStore *store, tacKind kind, uint32_t index);
/* States the -scheduler of a task or processor. False: no memory. */
bool tacStoreSetScheduler(tacStore *store, tacKind kind, uint32_t index, tacScheduler scheduler);

/*
 * Reads lists of processors ("cpu0 cpu2", "0-3,6"), whose words are separated by blanks and commas. A word is the id of
 * a processor; or a number, or a range of numbers, which means the processors whose ids end in such a number.
 */
typedef struct tacCpuReader {
    const tacStore *store;
    uint32_t *numbers; /* by rank: the number at the end of the processor's id, ascending; TAC_NONE: none */
    uint32_t *ranks;   /* by processor: its place in the order of these numbers */
    uint64_t *bits;    /* by rank: it is in the list that was read last */
    uint32_t nProcessors;
} tacCpuReader;

/* False: no memory; tacCpuReaderFree in both cases. */
bool tacCpuReaderInit(tacCpuReader *reader, const tacStore *store);
void tacCpuReaderFree(tacCpuReader *reader);
/* Reads a list into reader->bits; words that fit no defined processor are left out. Returns the place of the first such
 * word in the text, or NULL. */
const char *tacCpusRead(tacCpuReader *reader, const char *text);
static inline bool tacCpusHave(const tacCpuReader *reader, uint32_t processor) {
    return (reader->bits[reader->ranks[processor] >> 6] >> (reader->ranks[processor] & 63) & 1) != 0;
}

#endif
