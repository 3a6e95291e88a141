/*
 * auditWait.h -- all changes of the states that jobs wait for, in order of time: for the rule about priorities.
 *
 * Each stretch of the model (waiting, preempted, running, blocked, holding; servers without budget) becomes two
 * changes. Stretches without length are left out, since the order within an instant is not trusted; that a job ran or
 * was blocked for no time is one change (GLIMPSE). Within an instant ends come before begins of the same job, mutex or
 * server; otherwise there is no order. Changes at the end of the recording are left out. They are made one by one, from
 * cursors over the arrays of the model, so memory grows with the tasks and with what goes on at once.
 */
#ifndef TAC_ANALYSIS_AUDIT_WAIT_H
#define TAC_ANALYSIS_AUDIT_WAIT_H

#include "analysis/audit.h"

typedef enum tacChangeKind { /* ends first */
    TAC_CHANGE_HOLD_END,
    TAC_CHANGE_RUN_END,
    TAC_CHANGE_READY_END,
    TAC_CHANGE_BLOCK_END,
    TAC_CHANGE_EMPTY_END,
    TAC_CHANGE_GLIMPSE,
    TAC_CHANGE_HOLD,
    TAC_CHANGE_BLOCK,
    TAC_CHANGE_RUN,
    TAC_CHANGE_READY,
    TAC_CHANGE_EMPTY,
    TAC_CHANGE_NONE
} tacChangeKind;

typedef struct tacChange {
    int64_t time;
    uint32_t job;  /* index of tacModel.jobs; EMPTY: TAC_NONE */
    uint32_t what; /* HOLD: mutex; RUN: processor; BLOCK: mutex, or TAC_NONE: something else; EMPTY: server; READY: the
                    * processor where it runs next, unless it was preempted on another one; TAC_NONE: not known;
                    * GLIMPSE: tacJobState, RUNNING or BLOCKED */
    tacChangeKind kind;
} tacChange;

typedef struct tacPending { /* a change that is known already, or a cursor's next one */
    int64_t time;
    uint32_t subject; /* job; server; cursor */
    union {
        struct {
            uint32_t what : 28; /* as of a change; all bits: TAC_NONE */
            uint32_t kind : 4;  /* tacChangeKind */
        };
        uint32_t place; /* of a cursor: its next slice, hold, point of a budget, or job */
    };
} tacPending;
typedef TAC_ARRAY(tacPending) tacPendings; /* a heap, the earliest one first */

typedef struct tacChanges {
    const tacTrace *trace;
    tacPendings ends;    /* of stretches that have begun; and jobs that get into the queue after their release */
    tacPendings cursors; /* by the begin of their next stretch */
    uint32_t nTasks;     /* cursors: slices by task, holds by task, points by server, all jobs */
    uint32_t nServers;
    uint32_t *previous; /* by job: the one before it, of a task whose jobs follow one another; else TAC_NONE. NULL:
                         * there is no such task */
    uint32_t row;       /* first row of the last blocked slice that asked for it */
    tacChange then;     /* the next change, if there is `more` than the last one at this instant */
    bool more;
    bool recorded; /* tacSchedulingRecorded: READY tells where jobs run next */
    bool failed;   /* no memory */
} tacChanges;

/* False: no memory; tacChangesFree in both cases. */
bool tacChangesBegin(tacChanges *changes, const tacTrace *trace);
/* The next change; false: there is none, or no memory (changes->failed). */
bool tacChangesNext(tacChanges *changes, tacChange *change);
void tacChangesFree(tacChanges *changes);

/* The mutex that a job waits for in a BLOCKED slice of its task, by the rules of auditWait.c; TAC_NONE: something else,
 * or not known. */
uint32_t tacBlockedOn(const tacModel *model, uint32_t task, size_t slice);
/* The same, but not a mutex that it may just have acquired after it slept, or that the job holds which took over. */
uint32_t tacSurelyBlockedOn(const tacModel *model, uint32_t task, size_t slice);

/* Finds the server on whose budget the jobs of each task run, or TAC_NONE. No event names it: it is one that consumes
 * whenever a job of the task runs. Where very many consume at once, it may be TAC_SERVER_UNKNOWN: none was found with
 * the work that is spent on that. */
#define TAC_SERVER_UNKNOWN (TAC_NONE - 1)
bool tacServersOfTasks(const tacTrace *trace, uint32_t *servers, tacProgress *progress);

#endif
