/*
 * select.h -- which rows of a frozen store belong to a part of it: to a stretch of time, to some tasks.
 *
 * A part is a trace by itself: jobs that have anything within the stretch are whole, from their release on, so that
 * their states and times are those of the whole trace. All else is there when it happens within the stretch.
 */
#ifndef TAC_TRACE_SELECT_H
#define TAC_TRACE_SELECT_H

#include "trace/store.h"

typedef struct tacSelection {
    int64_t from, to;         /* ticks, both included; TAC_UNKNOWN: all */
    const char *const *tasks; /* patterns of ids or names of the tasks that belong to it; NULL-terminated; NULL: all */
    bool whole;               /* jobs are whole; else each row is judged by its time */
    uint32_t nTasks;          /* how many tasks fit the patterns, when it has begun */
    /* private */
    bool *task;        /* by task: belongs to it; NULL: all do */
    bool *job;         /* by job: is within the stretch; NULL: not asked */
    uint32_t *unknown; /* by processor: the row from which on it is unknown at `from`; TAC_NONE */
} tacSelection;

/* Finds out what belongs to it. false: no memory. Free with tacSelectionFree in any case. */
bool tacSelectionBegin(tacSelection *selection, const tacStore *store);
void tacSelectionFree(tacSelection *selection);

bool tacSelectedTask(const tacSelection *selection, uint32_t task); /* TAC_NONE: true */
bool tacSelectedJob(const tacSelection *selection, const tacStore *store, uint32_t job);
bool tacSelectedRow(const tacSelection *selection, const tacStore *store, uint32_t row);

#endif
