/*
 * model.h -- what the events mean: jobs, states over time, holds, budgets, buffer contents, marks.
 *
 * Built by one replay over the frozen store (model/replay.c); then only read. Every array that is drawn or searched is
 * sorted by begin time. All times are ticks on the reference clock; TAC_UNKNOWN where not known.
 *
 * Terms: a *job id* is a name in the trace; a *job* (tacJob) is one release of it - an id that arrives again has
 * several jobs. The recording ends with its last event other than deadlines (which announce, and do not say that the
 * system still ran) and annotations.
 */
#ifndef TAC_MODEL_MODEL_H
#define TAC_MODEL_MODEL_H

#include "model/span.h"
#include "trace/diag.h"
#include "trace/store.h"

typedef enum tacJobState {
    TAC_STATE_NONE,    /* not released yet, or abandoned (TAC_JOB_ABANDONED) */
    TAC_STATE_WAITING, /* released, not started */
    TAC_STATE_RUNNING,
    TAC_STATE_PREEMPTED, /* ready after its first start, not running */
    TAC_STATE_BLOCKED,   /* waits for a resource */
    TAC_STATE_COMPLETED,
    TAC_STATE_BETWEEN, /* runs after its completion: the task's work in between jobs */
    TAC_STATE_UNKNOWN, /* the recording does not say: jobUnknown */
    TAC_STATES
} tacJobState;

extern const char *const tacStateNames[TAC_STATES]; /* "none", "waiting" ... */

enum {                             /* tacJob.flags */
    TAC_JOB_NO_RELEASE = 1,        /* used without jobArrived: release unknown */
    TAC_JOB_EXPLICIT_DEADLINE = 2, /* by jobDeadline, not by the task's -D */
    TAC_JOB_MISSED = 4,            /* completed after its deadline, or not at all though the recording is longer */
    TAC_JOB_ABANDONED = 8,         /* over without a completion: its id arrived anew, or jobAbandoned */
    TAC_JOB_UNKNOWN = 16,          /* its state is unknown in some stretch */
    TAC_JOB_NO_START = 32,         /* it started in such a stretch, or may have: start unknown */
    TAC_JOB_NO_COMPLETION = 64     /* it was completed in the last such stretch, or may have been: completion unknown */
};

typedef struct tacJob { /* one release; jobs are in order of release (no release: first mention), ties in file order */
    int64_t release, start, completion, deadline;
    int64_t execution, preempted, blocked; /* ticks; up to the end of the recording when not completed */
    uint32_t id, task;                     /* job index, task index */
    uint32_t preemptions, migrations;
    uint32_t row;        /* event that began it */
    uint32_t firstSlice; /* in its task's slices, or TAC_NONE; its later slices follow, mixed with other jobs' */
    uint32_t next;       /* next job of the same task in order of release, or TAC_NONE */
    uint16_t processor;  /* where it ran last (or was to run), or TAC_NO_PROCESSOR */
    uint8_t state;       /* at the end of the recording */
    uint8_t flags;
} tacJob;

/* A stretch of time in which a job is RUNNING, PREEMPTED, BLOCKED, BETWEEN or UNKNOWN. */
typedef struct tacSlice {
    int64_t begin, end; /* end == begin: zero length, still drawn; open at the end: recording end */
    uint32_t job;       /* index into jobs */
    uint16_t processor; /* of RUNNING and BETWEEN: where; else where it ran last */
    uint8_t state;      /* tacJobState */
    uint8_t open;       /* 1: cut by the end of the recording */
} tacSlice;

typedef struct tacHold { /* a job holds a mutex */
    int64_t begin, end;  /* end: recording end while still held (open) */
    uint32_t job, mutex; /* indices of tacModel.jobs and of the mutex */
    uint32_t depth;      /* mutexes the job held already when it acquired this: 0 outermost */
    uint32_t open;       /* 1: never released */
} tacHold;

typedef struct tacMutexHold { /* a hold of a mutex, found from the mutex */
    uint32_t task, hold;      /* model's tasks[task].holds.at[hold] */
} tacMutexHold;

typedef struct tacStretch { /* of time */
    int64_t begin, end;     /* end > begin */
} tacStretch;

typedef struct tacRun {   /* a running slice, found from its processor */
    uint32_t task, slice; /* models' tasks[task].slices.at[slice] */
} tacRun;

/* A point of a budget curve: until the next one, remainder(t) = remainder - consumers * (t - time), which goes on below
 * 0 where a server consumes more than its budget; what there is to consume is max(0, remainder(t)). */
typedef struct tacBudgetPoint {
    int64_t time, remainder; /* ticks */
    uint32_t consumers;
    uint32_t row;
} tacBudgetPoint;

/* TAC_SPAN_BLOCK arrows of a task, by kind as far as that is known without their options. */
typedef struct tacArrowBlock {
    int64_t time;       /* of the first */
    uint16_t deadlines; /* bit k: the kth is a deadline */
    uint16_t special;   /* bit k: it has options, or was ignored */
} tacArrowBlock;

typedef struct tacTaskModel {
    TAC_ARRAY(tacSlice) slices;           /* by begin */
    TAC_ARRAY(tacHold) holds;             /* by begin */
    TAC_ARRAY(uint32_t) arrows;           /* rows of its arrivals and deadlines (job and task ones), by time */
    TAC_ARRAY(tacArrowBlock) arrowBlocks; /* over arrows, which are drawn from these when they are many (model/lod.h) */
    TAC_ARRAY(uint32_t) notes;            /* rows of its annotations, by time */
    TAC_ARRAY(uint32_t) jobMarks;         /* every TAC_SPAN_BLOCKth job in release order: tacTaskJob */
    uint32_t firstJob, nJobs;             /* first in release order, TAC_NONE */
    int64_t longest;                      /* longest slice, ticks */
    int64_t longestHold;
    int64_t unknown;  /* ticks of all its UNKNOWN slices */
    uint32_t overlap; /* most jobs with slices (but BETWEEN) at once, for longer than an instant; > 1 needs lanes */
    tacSpan sliceSpan, holdSpan; /* over slices and holds: what reaches into a window (model/query.h) */
    tacSpan waitSpan;            /* over its jobs in release order: from release to start */
} tacTaskModel;

typedef struct tacServerModel {
    TAC_ARRAY(tacBudgetPoint) points; /* by time; the first is at the begin of the recording with the initial budget */
    int64_t consumed;                 /* budget consumed in the recording, without the overrun: ticks */
    int64_t overrun;                  /* consumption beyond the budget: ticks */
    uint32_t depletions;              /* times the budget came to 0, by consumption or by serverDepleted from above 0 */
    uint32_t overruns;                /* stretches of consumption with budget 0 */
    uint32_t replenishments;
    uint32_t aboveCapacity; /* replenishments above the capacity */
    int64_t highest;        /* largest budget of the curve (for its axis) */
} tacServerModel;

typedef struct tacProcessorModel {
    TAC_ARRAY(tacRun) runs;         /* by begin */
    TAC_ARRAY(uint32_t) migrations; /* rows of events by which a job came here from another processor */
    int64_t busy;                   /* ticks with at least one job running, interrupts included */
    /* Context switches: how often a job began to run here that was not the last one here, the first one included.
     * Interrupts switch nothing, since the job below them goes on. */
    uint64_t switches;
    /* Stretches in which it is unknown which job runs here (processorUnknown), by begin, apart from each other.
     * Interrupts may be seen in them. */
    TAC_ARRAY(tacStretch) unknown;
    int64_t longest;  /* longest run, ticks */
    uint32_t overlap; /* most jobs running at once, for longer than an instant; interrupts are not counted */
    bool interrupted; /* some run is that of an interrupt: runs overlap though `overlap` is 1 */
    tacSpan runSpan;  /* over runs */
} tacProcessorModel;

typedef struct tacBufferModel {
    TAC_ARRAY(uint32_t) rows; /* of its events (push pop insert drop resize, and every reset of contents), by time */
    uint64_t pushed, popped, dropped; /* elements: by push and insert; by pop; by drop and reset */
    uint64_t overflows;               /* pushes beyond the capacity; the element is kept */
    uint64_t underflows;              /* pops of an empty buffer */
    uint64_t highest;                 /* most elements at once */
    int64_t finalCapacity;
    struct tacBufferHistory *history; /* model/buffer.c: contents at some events */
} tacBufferModel;

typedef struct tacMutexModel {
    TAC_ARRAY(uint32_t) events;    /* rows of acquire/release, by time */
    TAC_ARRAY(tacMutexHold) holds; /* by begin */
    tacSpan holdSpan;              /* over holds */
    uint64_t acquisitions;         /* holds that began */
    uint64_t contended;            /* ... while another job held it already */
    int64_t held, longestHeld;     /* ticks; held: all holds together */
} tacMutexModel;

typedef struct tacSemaphoreModel {
    TAC_ARRAY(uint32_t) rows; /* of its events, by time */
    /* The count after each event: its -state, else one less (acquired) or more (released); 0 at first. */
    TAC_ARRAY(int64_t) counts;
} tacSemaphoreModel;

typedef struct tacModel {
    const tacStore *store;
    int64_t begin, end;          /* of the recording: first and last event but deadlines and annotations */
    int64_t firstMark, lastMark; /* the same with deadlines and annotations: the time that a whole figure shows */
    TAC_ARRAY(tacJob) jobs;      /* in order of release */
    TAC_ARRAY(uint32_t) lastJob; /* by job id index: its last tacJob, or TAC_NONE */
    uint32_t *idJobs, *idStarts; /* jobs by id: those of id i are idJobs[idStarts[i] .. idStarts[i + 1]), in order of
                                  * release; both NULL when no id has two (tacIdJobs) */
    tacTaskModel *tasks;         /* by task index */
    tacServerModel *servers;
    tacProcessorModel *processors; /* nProcessors of them */
    tacBufferModel *buffers;
    tacMutexModel *mutexes;
    tacSemaphoreModel *semaphores;
    uint32_t nProcessors;            /* those of the store, and one more if some job ran on none of them */
    TAC_ARRAY(uint32_t) messages;    /* rows of all events with a mark (trace/events.def), but of servers, by time */
    TAC_ARRAY(uint32_t) intervals;   /* rows, by time */
    TAC_ARRAY(uint32_t) serverMarks; /* rows of server events, by time */
    TAC_ARRAY(uint64_t) rowTasks;    /* by block of TAC_ROW_BLOCK rows: which tasks they are about, bit task % 64 */
    uint32_t mostLives, mostHolds;   /* records of the replay's at once: of job ids that go on, and of held mutexes */
    uint64_t bytes;                  /* of arrays and spans, none of which changes any more: tacModelMeasure */
    uint32_t freed;                  /* tasks of which all is freed already */
    bool idsChangeTask;              /* some id arrived for one task, and for another one later */
    struct tacLod *lod;              /* model/lod.h: summaries per row */
    struct tacJobTimes *times; /* model/jobTimes.h: wake-up, unknown and stolen time of jobs; NULL: no job has any */
} tacModel;

enum { TAC_ROW_BLOCK = 4096 };

/* Ticks from begin to end (begin <= end). Exact for times of a trace; TAC_MORE where 64 bits do not hold the
 * difference, as from INT64_MIN to INT64_MAX. */
static inline int64_t tacElapsed(int64_t begin, int64_t end) {
    uint64_t ticks = (uint64_t) end - (uint64_t) begin;
    return ticks > INT64_MAX ? TAC_MORE : (int64_t) ticks;
}
/* Sum of the lengths of two stretches, which may overlap; TAC_MORE where 64 bits do not hold it. */
static inline int64_t tacAddTicks(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? TAC_MORE : sum;
}

/* Does a job of this state run on a processor? */
static inline bool tacStateRuns(int state) { return state == TAC_STATE_RUNNING || state == TAC_STATE_BETWEEN; }
/* The slice of a run. */
static inline const tacSlice *tacRunSlice(const tacModel *model, tacRun run) {
    return &model->tasks[run.task].slices.at[run.slice];
}
/* Time of the first event of a job: its release, or where it is first used. */
static inline int64_t tacJobBegin(const tacModel *model, const tacJob *job) {
    return tacRowTime(model->store, job->row);
}
/* The jobs of an id in order of release, *count of them; NULL: none. */
const uint32_t *tacIdJobs(const tacModel *model, uint32_t jobId, uint32_t *count);
/* The kth job of a task in order of release, k < nJobs. */
uint32_t tacTaskJob(const tacModel *model, uint32_t task, uint32_t k);
/* Time at which a job stops waiting for its start: it starts, may have started, or is completed without a start. The
 * largest time if none is recorded. */
int64_t tacJobWaitEnd(const tacModel *model, const tacJob *job);
/* The time at which a job with TAC_JOB_NO_COMPLETION was over at the latest: the end of its last slice. */
int64_t tacJobOver(const tacModel *model, const tacJob *job);
/* The time at which the id of a job (index of jobs) arrives anew after it, or the recording's end. */
int64_t tacNextArrival(const tacModel *model, uint32_t job);
/* Has the job started, or may it have? */
static inline bool tacJobStarted(const tacJob *job) {
    return job->start != TAC_UNKNOWN || (job->flags & TAC_JOB_NO_START);
}
/* Does the task handle interrupts (-kind isr, softirq)? Its jobs run on top of the one that runs on their processor. */
static inline bool tacIsInterrupt(const tacModel *model, uint32_t task) {
    return model->store->objects[TAC_TASK].at[task].isr;
}
/* Task that an event is about (its job's, its own; of a message: that wrote it), or TAC_NONE. */
uint32_t tacRowTask(const tacModel *model, uint32_t row);
/* Remainder of a server's budget at t, which may be below 0; `point` is the last point of its curve that is not after
 * t.
 */
int64_t tacPointRemainder(const tacBudgetPoint *point, int64_t t);
/* Budget at a point that is there to be consumed: the remainder, 0 where that is below 0. */
static inline int64_t tacPointBudget(const tacBudgetPoint *point) {
    return point->remainder > 0 ? point->remainder : 0;
}

/* Id of a processor of the model: of the store, or "default" for the one that exists when none is defined / known. */
const char *tacProcessorId(const tacModel *model, uint32_t processor);
const char *tacProcessorName(const tacModel *model, uint32_t processor);

/*
 * A consumer of the replay pass: called for every row in order, after the row's effect is in the model's running state.
 * Plugins, checks and models of behaviour are consumers; with none registered they cost nothing. `begin`, where it is
 * not NULL, is called before the first row: objects, begin and end of the recording are known then, jobs are not, and
 * the processors include "default", which is taken away at the end if nothing runs on it. It may put another `event`
 * and its data into the consumer, which is the replay's own copy.
 */
struct tacReplay;
typedef struct tacConsumer {
    void *data;
    tacStatus (*event)(void *data, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err);
    tacStatus (*begin)(struct tacConsumer *consumer, const tacModel *model, tacError *err);
    bool quick; /* each of its calls takes microseconds, so the clock need not be looked at so often */
} tacConsumer;

/* TAC_ERROR: memory, a consumer's, or cancelled by store->progress. */
tacStatus tacReplay(
    tacModel *model, const tacStore *store, tacDiag *diag, const tacConsumer *consumers, int nConsumers, tacError *err);
/* Plays the rows of a complete model once more. Consumers get a view of it: what does not change, and jobs and ids as
 * far as they are known; how jobs are now is asked (replay.h). Only what goes on takes memory. */
tacStatus tacReplayFollow(const tacModel *model, const tacConsumer *consumers, int nConsumers, tacError *err);
void tacModelFree(tacModel *model); /* also of a model that is all zero */
/* Frees what is kept of so many tasks, and leaves a model that can only be freed. False: that of all tasks is freed. */
bool tacModelFreeTasks(tacModel *model, uint32_t n);
void tacModelTrim(tacModel *model);    /* gives back the memory that growth took too much */
void tacModelMeasure(tacModel *model); /* when all arrays and spans are there; tacModelBytes need not go over them */
uint64_t tacModelBytes(const tacModel *model);

#endif
