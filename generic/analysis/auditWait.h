/*
 * auditWait.h -- all changes of the states that jobs wait for, in order of time: for the rule about priorities.
 *
 * Each stretch of the model (waiting, preempted, running, blocked, holding; servers without budget) becomes two
 * changes. Stretches without length are left out, since the order within an instant is not trusted. Ends come before
 * begins.
 */
#ifndef TAC_ANALYSIS_AUDIT_WAIT_H
#define TAC_ANALYSIS_AUDIT_WAIT_H

#include "analysis/audit.h"

typedef enum tacChangeKind { /* in the order in which those of one instant are to be applied */
    TAC_CHANGE_HOLD_END,
    TAC_CHANGE_RUN_END,
    TAC_CHANGE_READY_END,
    TAC_CHANGE_BLOCK_END,
    TAC_CHANGE_EMPTY_END,
    TAC_CHANGE_HOLD,
    TAC_CHANGE_BLOCK,
    TAC_CHANGE_RUN,
    TAC_CHANGE_READY,
    TAC_CHANGE_EMPTY
} tacChangeKind;

typedef struct tacChange {
    int64_t time;
    uint32_t job;  /* index of tacModel.jobs; EMPTY: TAC_NONE */
    uint32_t what; /* HOLD: mutex; RUN: processor; BLOCK: mutex, or TAC_NONE: something else; EMPTY: server */
    tacChangeKind kind;
} tacChange;

typedef struct tacChanges {
    TAC_ARRAY(tacChange) all;
} tacChanges;

/* The mutex that a job waits for in a BLOCKED slice of its task, by the rules of auditWait.c; TAC_NONE: something else,
 * or not known. */
uint32_t tacBlockedOn(const tacModel *model, uint32_t task, size_t slice);

/* Finds the server on whose budget the jobs of each task run, or TAC_NONE. No event names it: it is one that consumes
 * whenever a job of the task runs. */
bool tacServersOfTasks(const tacTrace *trace, uint32_t *servers, tacProgress *progress);

/* False: no memory, or stopped. The array is the caller's in both cases. */
bool tacChangesCollect(const tacTrace *trace, tacChanges *changes, tacProgress *progress);

#endif
