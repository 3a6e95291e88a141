/*
 * quantity.h -- how much of something there has been up to now: times in states, counts of changes.
 *
 *   functions of expressions -> quantities that a model asks for -> gauges, each kept once for all models of a check
 *
 * A gauge is a running total of one object: a task, a job. A variable that is started remembers the gauges that
 * expressions ask of it, and no others; what happened since is a difference. What nobody asks for is not kept.
 */
#ifndef TAC_JUDGE_QUANTITY_H
#define TAC_JUDGE_QUANTITY_H

#include "judge/trigger.h"

/* Functions of a variable that was started. */
typedef enum tacSince {
    TAC_SINCE_ELAPSED,
    TAC_SINCE_RUNNING,
    TAC_SINCE_READY, /* waiting and preempted */
    TAC_SINCE_WAITING,
    TAC_SINCE_PREEMPTED,
    TAC_SINCE_BLOCKED,
    TAC_SINCE_BETWEEN,
    TAC_SINCE_UNKNOWN,
    TAC_SINCE_PREEMPTIONS,
    TAC_SINCE_MIGRATIONS,
    TAC_SINCE_STARTS,
    TAC_SINCE_RELEASES,
    TAC_SINCE_COMPLETIONS,
    TAC_SINCES
} tacSince;

typedef struct tacSinceSpec {
    const char *name;
    bool time;  /* a time, no count */
    bool exact; /* even where a state is unknown */
} tacSinceSpec;
extern const tacSinceSpec tacSinces[TAC_SINCES];

/* Gauges stand in blocks: one for each object of a kind, with the same columns. */
typedef enum tacBlockKind { TAC_BLOCK_TASK, TAC_BLOCK_JOB, TAC_BLOCKS } tacBlockKind;

typedef struct tacQuantity { /* of a model */
    tacSince since;
    tacBlockKind block;
} tacQuantity;

/* Is it one of the instance's own task or job? */
static inline bool tacQuantityIsOwn(const tacQuantity *quantity) {
    return quantity->block == TAC_BLOCK_TASK || quantity->block == TAC_BLOCK_JOB;
}

/* What a variable remembers of the moment at which it was started. */
typedef struct tacMemory {
    uint32_t variable;
    tacQuantity quantity;
    uint32_t next; /* of the same variable, or TAC_NONE */
} tacMemory;

/* What the expressions of a model ask for. */
typedef struct tacAsks {
    TAC_ARRAY(tacMemory) memories;
    TAC_ARRAY(uint32_t) first; /* by variable: its first memory, or TAC_NONE; it may be shorter */
} tacAsks;

enum { TAC_MOST_MEMORIES = 4096 }; /* of a model */

/* The memory of a quantity by a variable, which is added if there is none. TAC_ERROR: USAGE (there are too many),
 * MEMORY. */
tacStatus tacAsksAdd(tacAsks *asks, uint32_t variable, const tacQuantity *quantity, uint32_t *memory, tacError *err);
void tacAsksFree(tacAsks *asks);

/* A running total: at a time t it is base + slope * t. */
typedef struct tacGauge {
    __int128 base;
    int64_t slope;
} tacGauge;

static inline __int128 tacGaugeAt(const tacGauge *gauge, int64_t t) {
    return gauge->base + (__int128) gauge->slope * t;
}

/* The gauge of a memory: that of the instance's own block, or one that is the same for all. */
typedef struct tacPlace {
    uint32_t at;
    bool own; /* `at` counts from the begin of the block */
} tacPlace;

/* The gauges of a check. First what models ask for is added, then they are made. */
typedef struct tacQuantities tacQuantities;
tacQuantities *tacQuantitiesNew(const tacStore *store);                /* NULL: no memory */
bool tacQuantitiesAsk(tacQuantities *quantities, const tacAsks *asks); /* false: no memory */
bool tacQuantitiesMake(tacQuantities *quantities);                     /* false: no memory */
void tacQuantitiesFree(tacQuantities *quantities);                     /* NULL is fine */

/* Writes the places of the memories of a model. */
void tacQuantitiesPlaces(const tacQuantities *quantities, const tacAsks *asks, tacPlace *places);
/* Begin of the block of an instance: of a task, of a job that is not over (index of tacModel.jobs); 0: it has none. */
uint32_t tacQuantitiesBlock(const tacQuantities *quantities, const tacOwner *owner, const tacModel *model);
/* All gauges; valid until the next row. */
const tacGauge *tacQuantitiesGauges(const tacQuantities *quantities);

/* Counts the changes that a row has made. False: no memory. */
bool tacQuantitiesCount(
    tacQuantities *quantities, const tacModel *model, const tacStateChange *changes, uint32_t n, int64_t now);
/* The row is over: forgets the jobs that ended with it. */
bool tacQuantitiesForget(tacQuantities *quantities, const tacModel *model, const tacStateChange *changes, uint32_t n);

#endif
