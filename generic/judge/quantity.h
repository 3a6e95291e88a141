/*
 * quantity.h -- how much of something there has been since a variable was started: times in states, counts of changes.
 *
 *      running(v)    preemptions(v, task1)    holding(v, m)    busy(v, cpu0)
 *
 * A function with its arguments, but without its variable, is a quantity. A model has a list of what its expressions
 * ask of each variable; a variable that is started remembers that, and nothing else. The running totals are in
 * judge/gauge.h.
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
    TAC_SINCE_SWITCHES,
    TAC_SINCE_HOLDING,
    TAC_SINCE_CONSUMING,
    TAC_SINCE_BUSY,
    TAC_SINCE_IDLE,
    TAC_SINCE_LOST, /* time in which it is not known what runs on a processor; a model cannot write it */
    TAC_SINCES
} tacSince;

/* The second argument of a function. */
typedef enum tacArgument {
    TAC_ARGUMENT_NONE,
    TAC_ARGUMENT_TASK,      /* id or name; without it, the instance's task or job */
    TAC_ARGUMENT_PROCESSOR, /* without it, the instance's */
    TAC_ARGUMENT_MUTEX,     /* without it, any */
    TAC_ARGUMENT_SERVER     /* always */
} tacArgument;

typedef struct tacSinceSpec {
    const char *name;
    bool time;   /* a time, no count */
    bool exact;  /* even where a state is unknown */
    bool ofJobs; /* nothing can be said of a task of which the trace has no jobs */
    tacArgument argument;
} tacSinceSpec;
extern const tacSinceSpec tacSinces[TAC_SINCES];
/* The function of this name; TAC_SINCES: there is none. */
tacSince tacSinceFind(const char *name, size_t length);

/* Totals stand in blocks: one for each object of a kind, with the same columns. */
typedef enum tacBlockKind {
    TAC_BLOCK_ALL, /* a single one */
    TAC_BLOCK_TASK,
    TAC_BLOCK_PROCESSOR,
    TAC_BLOCK_JOB,
    TAC_BLOCKS
} tacBlockKind;

typedef struct tacQuantity {
    tacSince since;
    tacBlockKind block;
    uint32_t object; /* of that kind; TAC_NONE: the instance's own */
    uint32_t what;   /* mutex, server; TAC_NONE: any */
} tacQuantity;

/* Is it one of the instance's own task, job or processor? */
static inline bool tacQuantityIsOwn(const tacQuantity *quantity) { return quantity->object == TAC_NONE; }

/*
 * The quantity of a function, in a model that has an instance for each of these; word: its second argument, or NULL.
 * *doubt: the unknown time by which there may be more of it; block TAC_BLOCKS: it is exact. model NULL: only whether it
 * is well written. TAC_ERROR: USAGE, LOOKUP (the trace has no such object).
 */
tacStatus tacQuantityRead(const tacModel *model, tacEach each, tacSince since, const tacWord *word,
    tacQuantity *quantity, tacQuantity *doubt, tacError *err);

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

#endif
