/*
 * replayState.h -- the running state of a replay, shared by replay*.c and buffer.c.
 *
 * replay.c gives every row to the handler of its event: replayJob.c (states of jobs, runs on processors, with
 * replayPresent.c for a complete model that is followed and replayTask.c for the jobs of a task that go on),
 * replayMutex.c (holds), replayServer.c (budgets), replayMark.c (arrows, messages, semaphores and other marks),
 * buffer.c (contents). Handlers append to the model what ended or began and keep here what goes on.
 *
 * Invariants, between two rows:
 *   1. A job has a live record from its begin until it is completed; the record stays while it runs between jobs or
 *      its id holds a mutex. live[id] and lives[live[id]] belong together; live[id] is TAC_NONE otherwise.
 *   2. lives[i].slice is the open slice of the job, whose state is the job's; TAC_NONE when it is WAITING or COMPLETED.
 *   3. The list of on[p] has exactly the records with an open RUNNING or BETWEEN slice on processor p.
 *   4. An open hold is in the list of its id (lives[].holds) and in that of its mutex (holders[]). An id has at most
 *      one on a mutex.
 *   5. While a complete model is followed (tacReplay.finished), nothing is added to it: what is over is there already,
 *      so only what goes on is kept. The latest job of an id that has no live record is now as it is in the end; so the
 *      record of a job that is over stays for as long as that is not so. What a job is now is made of its record, the
 *      end's, and the slices that have begun (replayPresent.c); one that waits for its start is TAC_UNSTARTED and has
 * none.
 */
#ifndef TAC_MODEL_REPLAY_STATE_H
#define TAC_MODEL_REPLAY_STATE_H

#include "base/heap.h"
#include "model/buffer.h"
#include "model/replay.h"

typedef struct tacLive {    /* a job id that has an open slice or hold, or waits */
    uint32_t job;           /* its latest job, index of tacModel.jobs; TAC_NONE: a free record */
    uint32_t slice;         /* open slice in its task's slices, or TAC_NONE */
    uint32_t holds, nHolds; /* its open holds: the latest, index of tacReplay.open, or TAC_NONE; how many */
    uint32_t before, after; /* others that run on the same processor, in the order in which they began; a free record's
                               `after`: the next free one */
    uint32_t sums;          /* followed: index of tacReplay.sums, TAC_NONE: they follow from its slices, TAC_FINAL */
    uint16_t goesTo;        /* processor of its next run as announced or defined, or TAC_NO_PROCESSOR */
    uint16_t ranOn;         /* processor of its last run, or TAC_NO_PROCESSOR */
    bool hasRun;            /* its latest job was seen to run */
    bool migrated;          /* its open slice began by a migration, whose old processor may still say "preempted" */
    uint8_t state;          /* tacJobState of its latest job */
    uint8_t flags;          /* followed: those of its latest job */
} tacLive;

enum {
    TAC_UNSTARTED = TAC_NONE - 1, /* of tacReplay.live, followed: its latest job waits for its start, as it was released
                                   */
    TAC_FINAL = TAC_NONE - 1      /* of tacLive.sums: those of the end */
};

typedef struct tacJobSums { /* what a job has come to when a complete model is followed, without its open slice */
    int64_t execution, preempted, blocked, deadline;
    uint32_t preemptions; /* a free one: the next free one */
    uint32_t migrations;
} tacJobSums;

typedef struct tacOpenHold { /* a mutex that is held */
    uint32_t job;
    uint32_t mutex;          /* TAC_NONE: a free record */
    uint32_t hold;           /* index of its task's holds */
    uint32_t earlier, later; /* holds of the same id; a free record's `earlier`: the next free one */
    uint32_t before, after;  /* holds of the same mutex */
} tacOpenHold;

typedef struct tacHolders {      /* the open holds of a mutex, in order of acquisition */
    uint32_t first, last, count; /* indices of tacReplay.open, or TAC_NONE */
} tacHolders;

typedef struct tacOverlap { /* counts what is open at once; only what lasts longer than an instant */
    int64_t since;          /* time of the last change */
    uint32_t now, most;
} tacOverlap;

typedef struct tacOnProcessor {
    uint32_t first, last, count; /* running jobs, in the order in which they began: indices of lives, or TAC_NONE */
    tacOverlap overlap;
    int64_t busySince;
    uint32_t lastJob;     /* job that ran here last, or TAC_NONE */
    int64_t unknownSince; /* begin of the open processorUnknown stretch; TAC_UNKNOWN: there is none */
} tacOnProcessor;

enum {
    TAC_REPLAY_CHANGES = 8, /* of states by one row: no handler makes more than five */
    TAC_REPLAY_PRESENT = 2  /* jobs that a row is about, at most: its own, and one whose work between jobs it ends */
};

struct tacReplay {
    tacModel *model; /* that is made; or a view of `finished`, with jobs and ids as far as they are known now */
    const tacModel *finished; /* the complete model that is followed (invariant 5); NULL: it is made */
    const tacStore *store;
    tacDiag *diag;
    int64_t now; /* time of the row */
    uint32_t row;

    uint32_t *live; /* by job id: index of lives, TAC_NONE or TAC_UNSTARTED */
    TAC_ARRAY(tacLive) lives;
    uint32_t freeLive;          /* first free record, or TAC_NONE */
    TAC_ARRAY(tacJobSums) sums; /* followed */
    uint32_t freeSums;          /* the first free ones, or TAC_NONE */
    struct {
        uint32_t live; /* index of lives, or TAC_NONE */
        tacJob job;
    } present[TAC_REPLAY_PRESENT]; /* followed: the jobs that the row under way is about, as they are now */
    tacJob told;                   /* followed: the job that was asked for last, as it is now */
    TAC_ARRAY(tacOpenHold) open;
    uint32_t freeHold;
    uint32_t *lastOfTask; /* by task: its latest job, or TAC_NONE */
    uint32_t *between;    /* by task: last record of lives that worked between jobs (it may have stopped), or TAC_NONE;
                           * NULL: none did */
    uint32_t *ranked;   /* by task: its job that goes on and ranks highest, a heap of lives (base/heap.h); NULL: no one
                         * has asked for it yet */
    tacHeapNode *nodes; /* of these heaps, by index of lives */
    size_t nNodes;
    bool lacksMemory;            /* of these heaps */
    tacOverlap *overlap;         /* by task */
    tacOnProcessor *on;          /* by processor, one more than the store has */
    tacHolders *holders;         /* by mutex */
    bool *starving;              /* by server: the stretch up to its last point ended in consumption without budget */
    uint32_t *slices;            /* followed, by task: how many of its slices have begun, */
    uint32_t *points;            /* ... by server: index of the last point of its curve, */
    uint32_t *counts;            /* ... and by semaphore: how many of its events there were */
    tacBufferContents *contents; /* by buffer */
    TAC_ARRAY(uint32_t) filled;  /* buffers that got an element since the last reset */

    uint32_t defaultProcessor; /* index of the processor for jobs that run on no known one */
    uint16_t onlyProcessor;    /* the one that is defined when there is exactly one, else TAC_NO_PROCESSOR */
    bool usesDefault;
    uint32_t holdEnded, holdBegun;     /* by the row, if it is about a mutex: jobs, or TAC_NONE */
    bool idsRepeat;                    /* some id has several jobs */
    TAC_ARRAY(uint32_t) lateDeadlines; /* rows of jobDeadline to be given to a job when all jobs are known */
    uint64_t rowTasks;                 /* of the block of rows under way: tacModel.rowTasks */

    bool watched;                               /* by consumers, for which changes of states are noted: */
    bool migrates;                              /* the row's job begins to run on another processor than before */
    uint32_t nChanges;                          /* of the row under way */
    tacStateChange changes[TAC_REPLAY_CHANGES]; /* these */
};

typedef struct tacReplay tacReplayState;

/* A handler applies a row; false: no memory. The events name theirs in trace/events.def. */
typedef bool tacReplayHandler(tacReplayState *r, uint32_t row, int64_t t);
#define EVENT(code, name, arguments, options, traits, replay, ...) tacReplayHandler tacReplay##replay;
#include "trace/events.def"

/* ---- replayJob.c ---- */

/* Index of the record of an id, which is made if there is none. An id that was never released begins a job here.
 * TAC_NONE: no memory. */
uint32_t tacReplayLive(tacReplayState *r, uint32_t id, uint32_t row);
/* Frees the record when nothing keeps it (invariant 1). */
void tacReplaySettle(tacReplayState *r, uint32_t live);
/* Cuts all open slices at the end of the recording, settles all deadlines. */
bool tacReplayFinishJobs(tacReplayState *r);
/* Gives an id that is TAC_UNSTARTED its record, as tacReplayJobArrived made it. False: no memory. */
bool tacReplayThaw(tacReplayState *r, uint32_t id);
/* Deadline that follows from the release of a job and its task's -D; TAC_UNKNOWN: there is none. */
int64_t tacReplayImplied(const tacReplayState *r, uint32_t task, int64_t release);
/* Processor of a job when it begins: announced by the row of its arrival, or defined; TAC_NO_PROCESSOR. */
uint16_t tacReplayHome(const tacReplayState *r, uint32_t id, uint32_t task, uint16_t announced);

/* ---- replayPresent.c: while a complete model is followed ---- */

/* The latest job of a live record as it is now, to be changed by the row under way. */
tacJob *tacReplayPresent(tacReplayState *r, const tacLive *live);
/* Makes `job`, which has just begun, the latest job of a live record. */
void tacReplayBegins(tacReplayState *r, uint32_t live, const tacJob *job);
/* Forgets the record, which is free from now on. */
void tacReplayForget(tacReplayState *r, uint32_t live);
/* Keeps what has become of the jobs of the row. False: no memory. */
bool tacReplayKeep(tacReplayState *r);
/* The job of a record, or of an id that is TAC_UNSTARTED (live NULL), as it is now. */
tacJob tacReplayNow(const tacReplayState *r, uint32_t job, const tacLive *live);

/* ---- replayTask.c ---- */

/* Puts the job of a live record among those of its task that go on, or takes it out of them, if anyone asks for them:
 * before and after its state changes. */
void tacReplayLeaveRank(tacReplayState *r, uint32_t live);
void tacReplayEnterRank(tacReplayState *r, uint32_t live);

/* ---- replayRoom.c ---- */

/* Reserves room in the large arrays for what the rows will bring; false: no memory, or cancelled. */
bool tacReplayReserve(tacModel *model);

/* ---- replayMark.c, replayMutex.c, replayServer.c ---- */

/* Adds an arrow of a task. */
bool tacReplayArrow(tacTaskModel *task, const tacStore *store, uint32_t row);

void tacReplayFinishHolds(tacReplayState *r);
/* Room for the points of a server's curve, the first one in it. */
bool tacReplayStartServers(tacReplayState *r);
void tacReplayFinishServers(tacReplayState *r);

/* ---- for all of them ---- */

/* Counts one more or one less from t on. */
static inline void tacOverlapChange(tacOverlap *overlap, int64_t t, int delta) {
    if (t > overlap->since && overlap->now > overlap->most) overlap->most = overlap->now;
    overlap->since = t;
    overlap->now += (uint32_t) delta;
}

/* Notes that the row under way is about the task. */
static inline void tacReplayTouch(tacReplayState *r, uint32_t task) { r->rowTasks |= (uint64_t) 1 << (task & 63); }

#endif
