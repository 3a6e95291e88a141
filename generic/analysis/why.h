/*
 * why.h -- why a job took as long as it did: its response time taken apart, exactly and completely.
 *
 *      job -> its stretches (waiting, running, preempted, blocked, unknown) -> each cut by what explains it -> parts
 *
 * Every tick from the job's release to its completion belongs to one part of the top level, so these add up to the
 * response time; the parts under a part add up to it. A job that is not completed is taken apart up to the end of the
 * recording (an abandoned one, to where it was seen last), one without release from its first mention.
 *
 * What a stretch is cut by:
 *   running    interrupts and softirqs that were handled on its processor meanwhile; what nests counts for the one on
 *              top: isr before softirq, then the one that began last. Interrupts themselves are not cut
 *   preempted  and
 *   waiting    (1) after the release, or after being blocked, the wake-up up to jobReady is a part of its own. Then
 *              (2) the server of the job's task has no budget: depleted; (3) who runs on the processor in whose queue
 *              it stands: preempted by, or waiting behind, the one on top; (4) of the processor nothing is known:
 *              unknown; (5) nobody runs there: migration, if the job was sent to another processor than it ran on
 *              last, or runs on another one right after this; else idle. It stands in the queue of the processor that
 *              the last event of the job names, else where it ran last; before its first start, else where it starts.
 *              After being blocked a job waits, though its state is preempted (model.h)
 *   blocked    who holds the mutex (auditWait.h says which one it is) meanwhile, the first of several; under it, what
 *              this holder does, cut in the same way, and so on along the chain of up to 16 holders; of the 17th,
 *              that it holds
 *
 * What has no length is no part; what is longer than 2^63 ticks counts as the largest number there is. `times` counts
 * what stands behind a part: runs of the other one, stretches of the job. The server of a task is found as in
 * auditWait.h, but only over SERVED_SLICES of its slices around the job.
 *
 * The cost is what happens between the release and the completion, for each link of the chain; jobs of one task that
 * overlap cost more. Who cannot wait has it stopped (base/progress.h).
 *
 * The median job of a task is the first one with the median response time (by nearest rank), the best one the first
 * with the shortest, of its completed jobs that have a release and nothing unknown.
 */
#ifndef TAC_ANALYSIS_WHY_H
#define TAC_ANALYSIS_WHY_H

#include "base/progress.h"
#include "model/model.h"

typedef enum tacWhyKind { /* in the order in which parts of one length are told */
    TAC_WHY_RUNNING,
    TAC_WHY_INTERRUPT,
    TAC_WHY_SOFTIRQ,   /* was handled on its processor while it ran; task: whose job */
    TAC_WHY_PREEMPTED, /* task: who ran instead */
    TAC_WHY_BLOCKED,   /* mutex: on which (TAC_NONE: not known); task: who held it (TAC_NONE, with a mutex: nobody) */
    TAC_WHY_WAITING,   /* for its first start, or after being blocked; task: who ran meanwhile */
    TAC_WHY_WAKEUP,    /* its wake-up was under way */
    TAC_WHY_MIGRATION, /* processor: where nobody ran */
    TAC_WHY_IDLE,      /* it was ready, and nobody ran on this processor */
    TAC_WHY_DEPLETED,  /* server: which had no budget */
    TAC_WHY_UNKNOWN,   /* what it did; with a processor: it was ready, and who ran there is not known */
    TAC_WHY_OVER,      /* of holders: it had ended already, and still held the mutex */
    TAC_WHY_DEADLOCK,  /* of holders: it is one of those that wait for it */
    TAC_WHY_KINDS
} tacWhyKind;
extern const char *const tacWhyNames[TAC_WHY_KINDS]; /* "running", "interrupt" ... */

typedef struct tacWhyTally {
    int64_t ticks;
    uint32_t times;
} tacWhyTally;

typedef struct tacWhyPart {
    uint32_t kind;   /* tacWhyKind */
    uint32_t parent; /* the part that this is one of: BLOCKED, what its holder did; TAC_NONE: top level */
    uint32_t task, mutex, server, processor; /* by kind; else TAC_NONE */
    uint32_t note;                           /* BLOCKED: string id of what the event says (-message), or TAC_NONE */
    tacWhyTally own, median, best;           /* of this job, of the task's median job, of its best */
    int64_t at, longest;  /* its longest stretch without a break: begin and ticks; TAC_UNKNOWN: this job has none */
    uint32_t job;         /* of that stretch: the job of `task`, or TAC_NONE */
    int64_t since, until; /* the latest stretch */
    uint64_t source;      /* ... and what stood behind it */
} tacWhyPart;

typedef enum tacWhyEnd { TAC_WHY_COMPLETED, TAC_WHY_ABANDONED, TAC_WHY_RECORDING } tacWhyEnd;
extern const char *const tacWhyEnds[]; /* "completed", "abandoned", "recording" */

typedef struct tacWhy {
    uint32_t job;
    int64_t begin, end;          /* what is taken apart */
    int64_t response;            /* end - begin */
    tacWhyEnd ended;             /* what ends it */
    int64_t states[TAC_STATES];  /* ticks of it in each state of the model */
    TAC_ARRAY(tacWhyPart) parts; /* parents before their children */
    TAC_ARRAY(uint32_t)
    order; /* the parts as they are to be told: each before its children, the longest first, running before all */
    uint32_t compared;                    /* jobs of the task that are compared with */
    uint32_t median, best;                /* of these; TAC_NONE: there is none */
    int64_t medianResponse, bestResponse; /* TAC_UNKNOWN */
    struct tacWhyKeys *keys;              /* parts by what they are of */
} tacWhy;

/* Takes a job apart. TAC_ERROR: no memory, or stopped. tacWhyFree in both cases. */
tacStatus tacWhyJob(const tacModel *model, uint32_t job, tacWhy *why, tacProgress *progress, tacError *err);
/* Puts the median and the best job of its task beside it, and all parts in order. */
tacStatus tacWhyCompare(const tacModel *model, tacWhy *why, tacProgress *progress, tacError *err);
tacStatus tacWhyOrder(tacWhy *why, tacError *err); /* the latter alone */
void tacWhyFree(tacWhy *why);

/* The job of a task that took longest: completed, or still on its way when the recording ended; it has a release if any
 * has. TAC_NONE. */
uint32_t tacWhyWorst(const tacModel *model, uint32_t task);
/* The same among the jobs of an id. */
uint32_t tacWhyWorstOfId(const tacModel *model, uint32_t jobId);

/* What the part is of, as words: "preemption by task1". */
void tacWhyPhrase(const tacModel *model, const tacWhyPart *part, tacText *out);
/* The sentence: how long it took, beside the median, and what makes most of the difference. */
void tacWhySentence(const tacModel *model, const tacWhy *why, tacText *out);

/* Between why.c and whyCompare.c: the part with this identity (kind, parent, task ...), made when it is new; TAC_NONE:
 * no memory. */
uint32_t tacWhyFind(tacWhy *why, const tacWhyPart *identity);

#endif
