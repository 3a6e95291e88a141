/*
 * gaugeState.h -- the running totals of a check, shared by gauge.c (blocks, states of jobs), gaugeThings.c (mutexes,
 * servers, processors), gaugeInterrupts.c and past.c (events, system calls).
 */
#ifndef TAC_JUDGE_GAUGE_STATE_H
#define TAC_JUDGE_GAUGE_STATE_H

#include "judge/gauge.h"

typedef struct tacGaugeColumn {
    tacSince since;
    uint32_t what; /* as in tacQuantity; of events: index of tacGauges.counters, of pairs */
} tacGaugeColumn;

typedef struct tacGaugeEffect { /* of a change of a state, on a column */
    uint32_t column;
    int8_t slope;  /* what its slope grows by */
    int8_t count;  /* what it grows by at once */
    bool migrated; /* only if the job has migrated */
} tacGaugeEffect;

typedef struct tacGaugeEffects {
    TAC_ARRAY(tacGaugeEffect) list;
    size_t begin[TAC_STATES * TAC_STATES + 1]; /* by from * TAC_STATES + to */
} tacGaugeEffects;

typedef struct tacGaugeSlot { /* the block of a job */
    uint32_t job;             /* index of tacModel.jobs; TAC_NONE: it is free */
    size_t begin;             /* of its block */
    uint32_t older;           /* the slot of an earlier job of the same id, which ends with this row; or TAC_NONE */
} tacGaugeSlot;

enum { /* what is kept of an event */
    TAC_COUNTER_COUNT,
    TAC_COUNTER_LAST,
    TAC_COUNTER_TIMES,
    TAC_COUNTER_WITHIN, /* the time in system calls */
    TAC_COUNTERS
};

/* An event of which something is kept, by whose it is. */
typedef struct tacCounter {
    const tacTrigger *trigger;
    tacEach each;                               /* the owners of what is counted; TRACE: everybody's */
    tacWord key;                                /* of TAC_EACH_KEY: the field */
    int64_t window;                             /* ticks: times of the last ones are kept so long; -1: none are */
    uint32_t columns[TAC_BLOCKS][TAC_COUNTERS]; /* or TAC_NONE */
} tacCounter;

typedef struct tacPair { /* of events: how many of the first since the last one of the second */
    const tacTrigger *counted, *last;
    tacEach each;
    tacWord key;
    uint32_t columns[TAC_BLOCKS]; /* or TAC_NONE */
} tacPair;

typedef struct tacTimes { /* the last times of an event: a ring */
    int64_t *at;
    size_t first, count, room; /* a power of two */
    int64_t dropped;           /* time of the last one that was forgotten though it may be asked for; TAC_UNKNOWN */
} tacTimes;

typedef struct tacInterrupting { /* interrupts that fit a glob */
    bool *fits;                  /* by task */
    uint32_t *on;                /* by processor: jobs of them that run there */
} tacInterrupting;
typedef TAC_ARRAY(uint32_t) tacWorking; /* the jobs that run on a processor */

struct tacGauges {
    const tacModel *model; /* of which objects and times are known */
    tacKinds *kinds;
    TAC_ARRAY(tacGaugeColumn) columns[TAC_BLOCKS];
    tacInternTable columnKeys[TAC_BLOCKS]; /* the columns, as bytes */
    tacGaugeEffects effects[TAC_BLOCKS];
    tacGauge *gauges;         /* the blocks of each kind in their order; those of jobs grow */
    uint32_t *levels;         /* of the same: how much there is at once of what is timed; NULL: not asked for */
    size_t nGauges, room;     /* gauges */
    size_t begin[TAC_BLOCKS]; /* of the first block of a kind */
    TAC_ARRAY(tacGaugeSlot) slots;
    TAC_ARRAY(uint32_t) free; /* slots */
    tacInternTable keys;      /* fields with their values, each with a block that begins at: */
    TAC_ARRAY(size_t) keyBegins;
    uint32_t *byId;   /* the slot of the newest job of an id, or TAC_NONE; NULL: none are asked for */
    uint16_t *runsOn; /* by job id: the processor on which it runs; NULL: nobody asks for processors */
    bool asks[TAC_SINCES];
    bool *haveJobs; /* by task; NULL: not known yet */

    TAC_ARRAY(tacInterrupting) interrupting;
    tacInternTable interruptingGlobs;
    tacWorking *working; /* by processor; NULL: nobody asks for interrupts */
    uint32_t nWorking;   /* entries in that: the model may be freed before the gauges are */
    uint16_t *worksOn;   /* by job id: the processor on which it runs, not between jobs */
    uint32_t *beganLast; /* by job id: its job that ran for the first time last, or TAC_NONE */

    TAC_ARRAY(tacCounter) counters;
    tacInternTable counterKeys;
    TAC_ARRAY(tacPair) pairs;
    tacInternTable pairKeys;
    TAC_ARRAY(uint32_t) counting[TAC_CELLS]; /* counters */
    TAC_ARRAY(uint32_t) pairing[TAC_CELLS];  /* pairs */
    TAC_ARRAY(tacTimes) times;
    TAC_ARRAY(uint32_t) freeTimes;
    uint64_t nTimes; /* in all rings */
    bool failed;     /* there was no memory */
};

static inline size_t tacGaugeBlock(const tacGauges *g, tacBlockKind kind, uint32_t object) {
    if (kind == TAC_BLOCK_JOB) return g->slots.at[object].begin;
    if (kind == TAC_BLOCK_KEY) return g->keyBegins.at[object];
    return g->begin[kind] + object * g->columns[kind].count;
}
/* TAC_NONE: nobody asks for it. */
static inline uint32_t tacGaugeColumnOf(const tacGauges *g, tacBlockKind kind, tacSince since, uint32_t what) {
    tacGaugeColumn column = {since, what};
    return tacInternFind(&g->columnKeys[kind], (const char *) &column, sizeof column);
}
/* Makes room for so many gauges more, which are 0. False: no memory. */
bool tacGaugesAdd(tacGauges *g, size_t n);
/* The slot of a job, or TAC_NONE. */
uint32_t tacGaugeSlotOf(const tacGauges *g, const tacModel *model, uint32_t job);
static inline void tacGaugeSetSlope(tacGauge *gauge, int64_t slope, int64_t now) {
    gauge->base -= (__int128) (slope - gauge->slope) * now;
    gauge->slope = slope;
}

/* ---- gaugeThings.c ---- */

/* Times what is the case on processors after a change of a job's state. */
void tacGaugesMove(tacGauges *g, const struct tacReplay *replay, const tacStateChange *change);
/* The index of interrupts that fit a glob, which is added if it is new. False: no memory. */
bool tacGaugesAskInterrupts(tacGauges *g, const char *glob, uint32_t *index);
/* Prepares for interrupts, when all that is asked for is known. False: no memory. */
bool tacGaugesPrepareInterrupts(tacGauges *g);
/* Follows a change of a job's state as far as interrupts go. False: no memory. */
bool tacGaugesInterrupt(
    tacGauges *g, const tacModel *model, const struct tacReplay *replay, const tacStateChange *change, int64_t now);
void tacGaugesFreeInterrupts(tacGauges *g);
/* One more or one less of what is timed while there is any. */
void tacGaugesChangeLevel(tacGauges *g, size_t at, int delta, int64_t now);
/* Follows an event of a mutex, a server or a processor. */
void tacGaugesFollow(tacGauges *g, const tacModel *model, const struct tacReplay *replay, uint32_t row);

/* ---- past.c ---- */

/* Is it one of events? */
static inline bool tacIsOfEvents(tacSince since) {
    return since == TAC_SINCE_COUNT || since == TAC_SINCE_INSYSCALL || since >= TAC_SINCE_LAST;
}
/* Adds what a quantity of events needs, if it is new; *what: of its column. False: no memory. */
bool tacGaugesAskEvent(tacGauges *g, const tacAsks *asks, const tacQuantity *quantity, uint32_t *what);
/* Finds the columns of events, when all are known. False: no memory. */
bool tacGaugesPrepareEvents(tacGauges *g);
/* Copies to the block of a new job what happened before it. */
void tacGaugesInherit(tacGauges *g, uint32_t task, size_t block);
/* Frees the times that the block of a job has. False: no memory. */
bool tacGaugesFreeTimes(tacGauges *g, size_t block);
void tacGaugesFreePast(tacGauges *g);

#endif
