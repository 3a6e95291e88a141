/*
 * dump.h -- writes a frozen store as the canonical trace: definitions, then one flat literal command a line in time
 * order on the reference clock; reading it gives the same store (but for line numbers and sync events, which are
 * written as messages' ends on one clock and fit to the identity).
 */
#ifndef TAC_TRACE_DUMP_H
#define TAC_TRACE_DUMP_H

#include "base/mem.h"
#include "trace/store.h"

/*
 * Which rows of a frozen store belong to a part of it: to a stretch of time, to some tasks (select.c).
 *
 * A part is a trace by itself: jobs that have anything within the stretch are whole, from their release on, so that
 * their states and times are those of the whole trace. All else is there when it happens within the stretch.
 */
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

/* Calls write(data, bytes, n) with pieces of the text of a part, whose selection has begun; write returns false to
 * stop. */
tacStatus tacDumpPart(const tacStore *store, const tacSelection *part,
    bool (*write)(void *data, const char *bytes, size_t n), void *data, tacError *err);

/* for tests: all of it, from and to TAC_UNKNOWN, or the events of a window. */
tacStatus tacDump(const tacStore *store, int64_t from, int64_t to,
    bool (*write)(void *data, const char *bytes, size_t n), void *data, tacError *err);

#endif
