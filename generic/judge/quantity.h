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
    TAC_SINCE_COUNT,
    TAC_SINCE_SYSCALLS,
    TAC_SINCE_INSYSCALL,
    TAC_SINCE_INTERRUPTS,
    TAC_SINCE_INTERRUPTED,
    TAC_SINCE_LOST, /* time in which it is not known what runs on a processor; a model cannot write this and the next */
    TAC_SINCE_OVER, /* jobs that are completed, */
    TAC_SINCE_GONE, /* or abandoned; */
    TAC_SINCE_ACTIVE, /* or released, and not done */
    TAC_SINCE_LAST,   /* time of the last event */
    TAC_SINCE_TIMES,  /* times of the last ones */
    TAC_SINCE_AFTER,  /* events after the last one of another kind */
    TAC_SINCES
} tacSince;

/* The second argument of a function. */
typedef enum tacArgument {
    TAC_ARGUMENT_NONE,
    TAC_ARGUMENT_TASK,      /* id or name; without it, the instance's task or job */
    TAC_ARGUMENT_PROCESSOR, /* without it, the instance's */
    TAC_ARGUMENT_MUTEX,     /* without it, any */
    TAC_ARGUMENT_SERVER,    /* always */
    TAC_ARGUMENT_EVENT,     /* always */
    TAC_ARGUMENT_CALL,      /* glob of names of system calls; without it, any */
    TAC_ARGUMENT_INTERRUPT  /* glob of ids or names of tasks; without it, any */
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

enum { TAC_EACH_KEY = TAC_EACH_JOB + 1 }; /* for each value of a field */

/* Totals stand in blocks: one for each object of a kind, with the same columns. */
typedef enum tacBlockKind {
    TAC_BLOCK_ALL, /* a single one */
    TAC_BLOCK_TASK,
    TAC_BLOCK_PROCESSOR,
    TAC_BLOCK_JOB,
    TAC_BLOCK_KEY, /* of the value of a field */
    TAC_BLOCKS
} tacBlockKind;

typedef struct tacQuantity {
    tacSince since;
    tacBlockKind block;
    uint32_t object; /* of that kind; TAC_NONE: the instance's own */
    uint32_t what;   /* mutex, server; TAC_NONE: any; of events and interrupts: index in tacAsks */
    uint32_t than;   /* AFTER: the other event */
    tacEach whose;   /* of events: whose they are; TRACE: anybody's, TAC_EACH_KEY: those with the field's value */
} tacQuantity;

/* Is it one of the instance's own task, job or processor? */
static inline bool tacQuantityIsOwn(const tacQuantity *quantity) { return quantity->object == TAC_NONE; }

/* What a variable remembers of the moment at which it was started. */
typedef struct tacMemory {
    uint32_t variable; /* TAC_NONE: nothing is remembered; it is for questions about the past */
    tacQuantity quantity;
    uint32_t next; /* of the same variable, or TAC_NONE */
    uint32_t also; /* its amount is added: an event may be the instance's own, or everybody's; or TAC_NONE */
} tacMemory;

typedef struct tacAskedEvent {
    char *text; /* as written, without braces around it */
    tacTrigger trigger;
    int64_t window;   /* ticks: the longest time of the past in which it is counted; -1: it is not */
    uint8_t recorded; /* does the trace record such things? 0: not known yet, 1: no, 2: yes */
} tacAskedEvent;

/* What the expressions of a model ask for. */
typedef struct tacAsks {
    const tacModel *model; /* NULL: there is no trace */
    tacEach each;
    tacWord key; /* the field by whose value there are instances; length 0: none */
    TAC_ARRAY(tacMemory) memories;
    TAC_ARRAY(uint32_t) first; /* by variable: its first memory, or TAC_NONE; it may be shorter */
    uint32_t past;             /* the first one of no variable, or TAC_NONE */
    TAC_ARRAY(tacAskedEvent *) events;
    TAC_ARRAY(char *) interrupts; /* globs */
} tacAsks;

enum { TAC_MOST_MEMORIES = 4096, TAC_MOST_ASKED_EVENTS = 1024 }; /* of a model */

/*
 * Notes what a function asks of a variable. word: its second argument, or NULL. *memory: of its amount; *doubt: of the
 * unknown time by which there may be more of it, TAC_NONE: it is exact. TAC_ERROR: USAGE, LOOKUP (the trace has no such
 * object), MEMORY.
 */
tacStatus tacAsksFunction(tacAsks *asks, tacSince since, uint32_t variable, const tacWord *word, uint32_t *memory,
    uint32_t *doubt, tacError *err);
/* Notes a question about past events; since: LAST, TIMES (which looks back for so many ticks) or AFTER (`than`). */
tacStatus tacAsksPast(tacAsks *asks, tacSince since, const tacWord *event, const tacWord *than, int64_t window,
    uint32_t *memory, tacError *err);
/* Asks for the jobs that are in a state: the instance's own, or all. since: the one that times it. */
tacStatus tacAsksJobs(tacAsks *asks, tacSince since, uint32_t *memory, tacError *err);
tacStatus tacAsksState(tacAsks *asks, tacJobState state, uint32_t *memory, tacError *err);
void tacAsksFree(tacAsks *asks);

#endif
