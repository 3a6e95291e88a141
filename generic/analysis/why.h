/*
 * why.h -- why a job took as long as it did: its response time taken apart, exactly and completely.
 *
 *      job -> its stretches (waiting, running, preempted, blocked, unknown) -> each cut by what explains it -> parts
 *
 * Every tick from the job's release to its completion belongs to one part of the top level, so these add up to the
 * response time; the parts under a part add up to it. A job that is not completed is taken apart up to the end of the
 * recording (an abandoned one, to where it was seen last), one without release from its first mention.
 *
 * Each kind of stretch is cut by its own causes:
 *   running    interrupts and softirqs that were handled on its processor meanwhile. Where they nest, the one on top
 *              counts: isr before softirq, then the one that began last. Interrupts themselves are not cut
 *   preempted  and
 *   waiting    (1) after the release, or after being blocked, the wake-up up to jobReady is a part of its own. Then
 *              (2) the server of the job's task has no budget: depleted; (3) a job runs on the processor in whose
 *              queue it stands: preempted by, or waiting behind, the one on top; (4) it is unknown what runs there:
 *              unknown; (5) nothing runs there: migration, if the job was sent to another processor than it ran on
 *              last, or runs on another one right after this; else idle. It stands in the queue of the processor that
 *              the last event of the job names, else where it ran last; before its first start, else where it starts.
 *              After being blocked a job waits, though its state is preempted (model.h)
 *   blocked    the holder of the mutex meanwhile (auditWait.h says which mutex), the first of several. The part of this
 *              holder is cut by its own stretches in the same way, and so on along a chain of up to 16 holders; a 17th
 *              is not taken apart
 *
 * A part has a length; one longer than 2^63 ticks counts as the largest number there is. `times` counts the runs of the
 * other job behind a part, or the stretches of this one. The server of a task is found as in auditWait.h, but only over
 * SERVED_SLICES of its slices around the job.
 *
 * The cost is what happens between the release and the completion, for each link of the chain; jobs of one task that
 * overlap cost more. It can be stopped (base/progress.h).
 *
 * The median job of a task is the first one with the median response time (by nearest rank), the best one the first
 * with the shortest, of its completed jobs that have a release and nothing unknown.
 */
#ifndef TAC_ANALYSIS_WHY_H
#define TAC_ANALYSIS_WHY_H

#include "base/progress.h"
#include "model/model.h"
#include "relation/table.h"

typedef enum tacWhyKind { /* in the order in which parts of one length are listed */
    TAC_WHY_RUNNING,
    TAC_WHY_INTERRUPT,
    TAC_WHY_SOFTIRQ,   /* handled on its processor while it ran; task: the handler */
    TAC_WHY_PREEMPTED, /* task: the one that ran instead */
    TAC_WHY_BLOCKED,   /* mutex: TAC_NONE: unknown; task: the holder's, TAC_NONE with a mutex: no job held it */
    TAC_WHY_WAITING,   /* for its first start, or after being blocked; task: the one that ran meanwhile */
    TAC_WHY_WAKEUP,    /* its wake-up was under way */
    TAC_WHY_MIGRATION, /* processor: the one it went to, on which nothing ran */
    TAC_WHY_IDLE,      /* processor: the one it was ready on, while nothing ran there */
    TAC_WHY_DEPLETED,  /* server: the one without budget */
    TAC_WHY_UNKNOWN,   /* its state is unknown; with a processor: it was ready, and it is unknown which job ran there */
    TAC_WHY_OVER,      /* of holders: over already, but still holding the mutex */
    TAC_WHY_DEADLOCK,  /* of holders: waiting for the job that is blocked */
    TAC_WHY_KINDS
} tacWhyKind;
extern const char *const tacWhyNames[TAC_WHY_KINDS]; /* "running", "interrupt" ... */

typedef struct __attribute__((packed, aligned(4))) tacWhyTally {
    int64_t ticks;
    uint32_t times;
} tacWhyTally;

typedef struct tacWhyPart {
    tacWhyKind kind;
    uint32_t parent;                         /* the BLOCKED part whose holder did this; TAC_NONE: top level */
    uint32_t task, mutex, server, processor; /* by kind; else TAC_NONE */
    uint32_t note;                           /* BLOCKED: string id of the event's -message, or TAC_NONE */
    uint32_t source;     /* slice behind its latest piece: of the task that the part, or those above it, name */
    int64_t at, longest; /* its longest stretch without a break: begin and ticks; TAC_UNKNOWN: this job has none */
    tacWhyTally own;     /* of this job */
    uint32_t job;        /* of its longest stretch: the job of `task`, or TAC_NONE */
} tacWhyPart;

/*
 * A part as it is kept, since there may be one for every three events: 28 bytes. Most are a single stretch, and the job
 * of that follows from its slice. Other parts, and those with two objects, have what is missing in tacWhyMore.
 */
enum { TAC_WHY_PARTS = (1 << 27) - 1 }; /* most parts of a job; as a parent: none */
typedef struct __attribute__((packed, aligned(4))) tacWhyCell {
    int64_t at;           /* of tacWhyPart; TAC_UNKNOWN: this job has none, and ticks are 0 */
    int64_t ticks;        /* own.ticks */
    uint32_t object;      /* task, mutex, server, processor, or note (kind TAC_WHY_NOTED); TAC_NONE */
    uint32_t source;      /* of tacWhyPart; `more`: place in tacWhy.more */
    uint32_t kind : 4;    /* tacWhyKind, or TAC_WHY_NOTED */
    uint32_t more : 1;    /* there is a tacWhyMore of it */
    uint32_t parent : 27; /* TAC_WHY_PARTS: top level */
} tacWhyCell;
enum { TAC_WHY_NOTED = TAC_WHY_KINDS, TAC_WHY_BLOCK = 1024 }; /* BLOCKED on no known mutex */

typedef struct __attribute__((packed, aligned(4))) tacWhyMore {
    int64_t longest;
    uint32_t times, source, job;
    uint32_t task; /* BLOCKED: the holder's */
} tacWhyMore;

typedef struct tacWhyShare { /* what another job has of a part */
    uint32_t part;
    tacWhyTally tally;
} tacWhyShare;
typedef TAC_ARRAY(tacWhyShare) tacWhyShares; /* by part */

typedef enum tacWhyEnd { TAC_WHY_COMPLETED, TAC_WHY_ABANDONED, TAC_WHY_RECORDING } tacWhyEnd;
extern const char *const tacWhyEnds[]; /* "completed", "abandoned", "recording" */

typedef struct tacWhy {
    const tacModel *model;
    uint32_t job;
    int64_t begin, end;             /* of the time that is taken apart */
    int64_t response;               /* end - begin */
    tacWhyEnd ended;                /* how it ends */
    int64_t states[TAC_STATES];     /* ticks in each state of the model */
    TAC_ARRAY(tacWhyCell *) blocks; /* of TAC_WHY_BLOCK parts, parents before their children; tacWhyPartAt */
    uint32_t nParts;
    TAC_ARRAY(tacWhyMore) more;
    /* The parts in the order in which they are shown: each before its children, running first, then the longest. */
    TAC_ARRAY(uint32_t) order;
    uint32_t compared;                    /* jobs of the task from which the median and the best are chosen */
    uint32_t median, best;                /* of these; TAC_NONE: there is none */
    int64_t medianResponse, bestResponse; /* TAC_UNKNOWN */
    bool chosen;                          /* `median` is another job that was chosen to compare with */
    tacWhyShares shares[2];               /* of the median and of the best, if these are other jobs */
    uint32_t *index, nIndex; /* parts by identity: a hash table of part + 1, 0: free; its size is a power of 2 */
    uint32_t seed;           /* of the hashes: the file must not know it */
} tacWhy;

typedef struct tacWhyStretch { /* in which a server consumes: whyServer.c */
    int64_t begin, end, latest;
    uint32_t server;
} tacWhyStretch;
typedef struct tacWhyChoice { /* the jobs that those of a task are compared with */
    uint32_t task;            /* counted from 1; 0: none */
    uint32_t compared, median, best;
    int64_t medianResponse, bestResponse;
} tacWhyChoice;
enum { TAC_WHY_CHOICES = 64 };
typedef struct tacWhyShared { /* by the jobs of a model that are taken apart one after the other; all zero at first */
    TAC_ARRAY(tacWhyStretch) all; /* of all servers, `made` when a job may have waited for one */
    bool made;
    tacWhyChoice choices[TAC_WHY_CHOICES]; /* that of a task is in the place task % TAC_WHY_CHOICES, or of another one
                                            */
    uint32_t near, run; /* a processor, counted from 1 (0: none), and its first run that ends after `time` */
    int64_t time;
} tacWhyShared;
void tacWhySharedFree(tacWhyShared *shared);

/* Takes a job apart. TAC_ERROR: no memory, or stopped. tacWhyFree in both cases. */
tacStatus tacWhyJob(
    const tacModel *model, uint32_t job, tacWhyShared *shared, tacWhy *why, tacProgress *progress, tacError *err);
/* Adds the tallies of the median and the best job of its task, and puts all parts in order. */
tacStatus tacWhyCompare(const tacModel *model, tacWhyShared *shared, tacWhy *why, tacProgress *progress, tacError *err);
/* The same with one other job, chosen by the caller, in the place of the median; there is no best one. */
tacStatus tacWhyCompareWith(
    const tacModel *model, tacWhyShared *shared, tacWhy *why, uint32_t other, tacProgress *progress, tacError *err);
tacStatus tacWhyOrder(tacWhy *why, tacError *err); /* puts the parts in order, without a comparison */
void tacWhyFree(tacWhy *why);

tacWhyPart tacWhyPartAt(const tacWhy *why, uint32_t part);
static inline tacWhyCell *tacWhyCellAt(const tacWhy *why, uint32_t part) {
    return &why->blocks.at[part / TAC_WHY_BLOCK][part % TAC_WHY_BLOCK];
}
static inline uint32_t tacWhyParent(const tacWhy *why, uint32_t part) {
    uint32_t parent = tacWhyCellAt(why, part)->parent;
    return parent == TAC_WHY_PARTS ? TAC_NONE : parent;
}
uint32_t tacWhyDepth(const tacWhy *why, uint32_t part); /* 0: top level */
/* What the best or the median job has of a part. */
tacWhyTally tacWhyOther(const tacWhy *why, uint32_t part, bool best);

/* The job of a task that took longest: completed, or not yet at the end of the recording. Jobs with a release go before
 * those without. TAC_NONE: there is none. */
uint32_t tacWhyWorst(const tacModel *model, uint32_t task);
/* The same among the jobs of an id. */
uint32_t tacWhyWorstOfId(const tacModel *model, uint32_t jobId);

/* Adds the part in words: "preemption by task1". */
void tacWhyPhrase(const tacModel *model, const tacWhyPart *part, tacText *out);
/* The same with names of tasks alone, which other traces of the system have, too, where ids are process numbers. */
void tacWhyPhraseNamed(const tacModel *model, const tacWhyPart *part, tacText *out);
/* Adds a sentence: the job's response time, that of the median job, and the part that makes most of the difference. */
void tacWhySentence(const tacModel *model, const tacWhy *why, tacText *out);

/* The parts in their order, `most` of them at most, as a table that refers to `why`. TAC_ERROR: MEMORY. */
tacStatus tacWhyTable(const tacWhy *why, uint64_t most, tacTable *table, tacError *err);
/* Line of an event at t, if possible one of the first of two jobs (TAC_NONE: none) that has any, else the last before;
 * 0: there is none. */
unsigned tacWhyLine(const tacModel *model, int64_t t, uint32_t first, uint32_t second);

/* ---- between the files why*.c ---- */

/* Index of the last point of a server's curve that is not after t; the first one is at the begin of the recording. */
size_t tacWhyPoint(const tacServerModel *server, int64_t t);
/* Finds the server of a task, around a slice; TAC_NONE: it has none. False: no memory, or stopped. */
bool tacWhyServer(tacWhyShared *servers, const tacModel *model, uint32_t task, size_t around, uint32_t *server,
    tacProgress *progress);
/* Index of the part with this identity (kind, parent, task ...), which is made when it is new, as one that this job has
 * not; TAC_NONE: no memory. */
uint32_t tacWhyFind(tacWhy *why, const tacWhyPart *identity);
/* Sets what this job has of a part, and its source; its identity stays. False: no memory. */
bool tacWhySet(tacWhy *why, uint32_t index, const tacWhyPart *part);
void tacWhyForget(tacWhy *why); /* frees the index of parts, which tacWhyFind makes anew */

#endif
