/*
 * chainRun.h -- the running state of chains.
 *
 *   row -> what it is for which step (chainRun.c) -> the way from step to step (chainFlow.c) -> times, verdicts and
 *   sentences (chainTell.c); `synchronize` is a file of its own (synchronize.c)
 *
 * An occurrence of a step is a *part*: a job, which reads when it starts and writes when it is completed, or an event,
 * which reads and writes at one moment. Two ways lead through the parts:
 *
 *   backward   each part has at most one cause, found when it reads: so the immediate backward chain of a part is the
 *              way along `cause` to its origin in the first step.
 *   forward    what a part of the first step has written is carried on by the first part of the next step that reads
 *              then, and so on: the immediate forward chain. Chains that meet in a part go on together; only the
 *              longest of them, the one that began first, is kept.
 *
 * A part lives while something may still go on from it. So the memory is that of jobs under way and messages under way.
 */
#ifndef TAC_JUDGE_CHAIN_RUN_H
#define TAC_JUDGE_CHAIN_RUN_H

#include "judge/chain.h"
#include "model/buffer.h"

/* Forward chains from the read before (the very first part of the recording has none) and from the read itself. */
enum { TAC_FORWARD_FULL, TAC_FORWARD_REDUCED, TAC_FORWARDS };

typedef struct tacPart {
    uint32_t refs; /* holders; 0: it is free, and `next` is the next free one */
    uint32_t step;
    uint32_t job;                   /* index of tacModel.jobs; TAC_NONE: an event */
    uint32_t row;                   /* of the read */
    int64_t read, write;            /* write: TAC_UNKNOWN until then */
    int64_t before;                 /* first step: the read of the part before it, TAC_UNKNOWN: none; */
    uint64_t beforeNumber;          /* ... and its number */
    uint64_t number;                /* among the parts of its step, in the order of their reads, from 1 */
    uint32_t cause, origin;         /* parts, or TAC_NONE; the cause is held */
    uint32_t carrier[TAC_FORWARDS]; /* part of the step before that handed the forward chain over, which is held; */
    uint32_t first[TAC_FORWARDS];   /* ... and its part of the first step; TAC_NONE: no forward chain goes through */
    bool handed[TAC_FORWARDS];      /* its forward chain went on */
    bool used;                      /* it is the cause of some part */
    bool arrived;                   /* first step: its data had an effect */
    bool completed, due;            /* -let: the job is completed; its deadline has come */
    int64_t deadline;               /* -let: TAC_UNKNOWN: not known yet */
    tacWord key;                    /* value of the field by which it is linked; length 0: none */
    char *written;                  /* ... which stands here, not in the trace; or NULL */
    uint32_t elements;              /* of its own in the buffer that leads to the next step */
    uint32_t next;                  /* in its bucket of the table; free: the next free part */
    uint32_t older, newer;          /* live jobs of the first step, in order of their reads */
    uint32_t below, above;          /* running jobs of the step, in the order in which they began to run */
    bool runs;
    bool gone;        /* it was abandoned */
    uint32_t members; /* a group of `synchronize`: bit k: event k has come; */
    bool unknown;     /* ... something may be missing in it */
} tacPart;

typedef struct tacStepState {
    uint64_t count;                 /* parts so far */
    uint64_t taken;                 /* number of the latest part that went on to the next step; 0: none did */
    uint32_t latest;                /* the part that was written last, which is held; or TAC_NONE */
    uint32_t waiting[TAC_FORWARDS]; /* parts whose forward chain waits for the next read, held; or TAC_NONE */
    int64_t lastRead;               /* first step; TAC_UNKNOWN: none */
    uint64_t lastNumber;
    uint32_t newest;            /* first step: the live job that read last, or TAC_NONE */
    uint32_t top;               /* the job that began to run last, of those that run; or TAC_NONE */
    tacBufferContents contents; /* of the buffer that leads to the next step: parts that pushed, held; TAC_NONE */
    uint32_t popped;            /* the part whose element the row under way has popped, held; or TAC_NONE */
} tacStepState;

/* Parts by step and job, or by step and key. */
typedef struct tacPartTable {
    uint32_t *heads, *tails; /* by bucket: first and last part, or TAC_NONE */
    size_t nBuckets, count;
    uint64_t seed;
} tacPartTable;

typedef struct tacDue { /* a deadline to come */
    int64_t time;
    uint64_t number; /* in the order in which they became known */
    uint32_t part;   /* held */
} tacDue;

/* Stretches in which something may have happened that is not recorded. */
typedef struct tacUnknownTime {
    uint32_t open;        /* stretches that are under way */
    int64_t since;        /* begin of the first of these */
    int64_t begin, until; /* of the latest one that is over */
} tacUnknownTime;

typedef struct tacChainRun {
    const tacChain *chain;
    const tacModel *model; /* of the trace; definitions and ids are its */
    tacStepState *steps;
    TAC_ARRAY(tacPart) parts;
    uint32_t freePart; /* TAC_NONE: none */
    size_t inUse;
    tacPartTable table;
    TAC_ARRAY(tacDue) due; /* a heap, the earliest one first */
    uint64_t nDue;
    TAC_ARRAY(uint32_t) groups; /* of `synchronize`: parts, held, by begin; those before `firstGroup` are over */
    size_t firstGroup;
    tacUnknownTime unknown;        /* of jobs of the steps */
    const tacUnknownTime *missing; /* of processors */
    struct tacSought *sought;      /* by requirement: of those with a limit that is to be found; NULL: there is none */
    bool *judged;                  /* by requirement: some value was judged */
    bool lets;                     /* some step is -let */
    bool stopped;                  /* too much is under way: it is no longer followed */
    bool failed;                   /* no memory */
    int64_t now;                   /* the moment under way */
    uint32_t row;                  /* TAC_NONE: none */
    const tacModel *live;          /* of the replay */
    const struct tacReplay *replay;
    TAC_ARRAY(tacChainNote) notes;
    uint64_t *kept; /* notes of all chains */
    uint64_t onlyCounted[TAC_VERDICTS];
} tacChainRun;

enum { TAC_MOST_PARTS = 1 << 22 }; /* that are under way at once in a chain */

/* ---- chainFlow.c ---- */

/* A new part that reads now, which the caller holds. TAC_NONE: no memory, or too many. */
uint32_t tacPartBegin(tacChainRun *run, uint32_t step, uint32_t job);
void tacPartRelease(tacChainRun *run, uint32_t part); /* TAC_NONE is fine */
static inline uint32_t tacPartHold(tacChainRun *run, uint32_t part) {
    run->parts.at[part].refs++;
    return part;
}
/* Puts a part into the table, which takes it over; the oldest one with this key, which leaves the table to the caller
 * if it is to be taken. */
void tacPartPut(tacChainRun *run, uint32_t part);
uint32_t tacPartOfKey(tacChainRun *run, uint32_t step, const tacWord *key, bool take);
/* The part of a live job, or TAC_NONE. */
uint32_t tacPartOfJob(const tacChainRun *run, uint32_t step, uint32_t job);
/* Puts the part of a job into the table, which takes it over; takes it out, to the caller. */
void tacPartKeepJob(tacChainRun *run, uint32_t part);
void tacPartDropJob(tacChainRun *run, uint32_t part);
/* The part reads: it finds its cause, by order or by `key`. */
void tacPartReads(tacChainRun *run, uint32_t part, const tacWord *key);
/* It pops an element that another part has pushed (TAC_NONE: it is not known who did): the first one is its cause. */
void tacPartPops(tacChainRun *run, uint32_t part, uint32_t pusher);
/* The part writes at the moment under way. */
void tacPartWrites(tacChainRun *run, uint32_t part);
/* It will never write. */
void tacPartVanishes(tacChainRun *run, uint32_t part);
void tacChainFlowFree(tacChainRun *run);

/* ---- chainTell.c ---- */

/* Judges what there is to judge when a part writes, before it becomes the latest one. */
void tacChainTellWrite(tacChainRun *run, uint32_t part);
/* The requirement on the link to a part's step is broken; what: a clause with %.*s for the other step;
 * since: the time from which on something may be missing. */
void tacChainTellLink(
    tacChainRun *run, tacChainMeasure measure, uint32_t step, uint32_t part, int64_t since, const char *what);
/* What goes on at the end of the recording, and what was never judged. */
void tacChainTellEnd(tacChainRun *run);
/* Adds a finding; takes the text over. */
void tacChainNoteAdd(tacChainRun *run, tacChainNote note, tacText *text);
void tacChainSayTime(const tacChainRun *run, int64_t ticks, tacText *text); /* a point in time */

/* ---- synchronize.c ---- */

/* An event comes; key: of its group, which may stand in *written, which is taken over then. */
void tacTogetherMeets(tacChainRun *run, uint32_t event, const tacWord *key, char **written);
/* An unknown stretch begins, or has ended. */
void tacTogetherUnknown(tacChainRun *run);
void tacTogetherEnd(tacChainRun *run);

#endif
