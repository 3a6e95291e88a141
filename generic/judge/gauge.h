/*
 * gauge.h -- running totals of tasks, jobs, processors and servers, kept once for all models of a check.
 *
 *   changes of states, holds, budgets --> gauges --> what a variable remembers --> what there has been since then
 *
 * Only what some model asks for is kept.
 */
#ifndef TAC_JUDGE_GAUGE_H
#define TAC_JUDGE_GAUGE_H

#include "judge/kinds.h"
#include "judge/quantity.h"

/* A running total: at a time t it is base + slope * t, up to the time at which it stops. */
typedef struct tacGauge {
    __int128 base;
    int64_t slope;
    int64_t until; /* INT64_MAX: it does not stop */
} tacGauge;

static inline __int128 tacGaugeAt(const tacGauge *gauge, int64_t t) {
    return gauge->base + (__int128) gauge->slope * (t < gauge->until ? t : gauge->until);
}

typedef struct tacBlocksOf { /* an instance: where its blocks begin; */
    uint32_t begin[TAC_BLOCKS];
} tacBlocksOf;
typedef struct tacPlace { /* and the gauge of a memory: in which block, at which place */
    uint32_t block, at;
    uint32_t also, next; /* as in tacMemory */
} tacPlace;

enum {
    TAC_MOST_GAUGES = 1 << 22, /* of tasks and processors, in a check */
    TAC_MOST_TIMES = 1000000   /* of events, at which a check may look back */
};

/* The gauges of a check. First what models ask for is added, then they are made. */
typedef struct tacGauges tacGauges;
tacGauges *tacGaugesNew(const tacModel *model, tacKinds *kinds); /* NULL: no memory */
bool tacGaugesAsk(tacGauges *gauges, const tacAsks *asks);       /* false: no memory */
tacStatus tacGaugesMake(tacGauges *gauges, tacError *err);       /* TAC_ERROR: LIMIT (they are too many), MEMORY */
void tacGaugesFree(tacGauges *gauges);                           /* NULL is fine */

/* Writes the places of the memories of a model. False: no memory. */
bool tacGaugesPlaces(tacGauges *gauges, const tacAsks *asks, tacPlace *places);
/* The blocks of an instance; those of a job that is not over. */
tacBlocksOf tacGaugesBlocks(const tacGauges *gauges, const tacOwner *owner, const tacModel *model);
/* Sets the block of an instance of the value of a field. False: no memory. */
bool tacGaugesKey(tacGauges *gauges, const tacWord *field, const tacWord *value, tacBlocksOf *blocks);
/* All gauges; valid until the next row. */
const tacGauge *tacGaugesAll(const tacGauges *gauges);

/* Marks the cells of events that gauges follow: true where any counts events. They follow changes of states in any
 * case. */
bool tacGaugesListen(const tacGauges *gauges, bool listens[TAC_CELLS]);
/* Counts what a row has changed: n changes of states, holds, servers. False: no memory. */
bool tacGaugesRow(tacGauges *gauges, const tacModel *model, const struct tacReplay *replay, uint32_t row,
    const tacStateChange *changes, uint32_t n);
/* Are all gauges those of tasks, and of changes of states alone? Then tacGaugesChange does for tacGaugesRow, */
bool tacGaugesOfTasks(const tacGauges *gauges);
void tacGaugesChange(tacGauges *gauges, const tacModel *model, const tacStateChange *changes, uint32_t n, int64_t now);
/* ... and it counts changes from one state to another, or does nothing for them. */
bool tacGaugesCount(const tacGauges *gauges, unsigned from, unsigned to);
/* Counts that something happens, before models see it. False: no memory. */
bool tacGaugesHappen(tacGauges *gauges, const tacOccurrence *occurrence);
/* How many of the events whose times this gauge keeps were at this time or later; were some of them forgotten? */
uint64_t tacGaugeTimes(const tacGauges *gauges, const tacGauge *gauge, int64_t from);
bool tacGaugeForgot(const tacGauges *gauges, const tacGauge *gauge, int64_t from);
/* The event (index of tacAsks.events) or interrupts that a quantity asks for, but the trace does not record; TAC_NONE:
 * it does. */
uint32_t tacGaugesUnrecorded(tacGauges *gauges, const tacAsks *asks, const tacQuantity *quantity);
/* Has the trace any job of the task, be it later? */
bool tacGaugesTaskHasJobs(tacGauges *gauges, uint32_t task);
/* Are there gauges of jobs? */
bool tacGaugesOfJobs(const tacGauges *gauges);
/* The row is over: forgets the jobs that ended with it. False: no memory. */
bool tacGaugesForget(tacGauges *gauges, const tacModel *model, const tacStateChange *changes, uint32_t n);

#endif
