/*
 * dump.h -- writing a frozen store as the canonical trace: definitions, then one flat literal command per line, in
 * order of time on the reference clock. Reading it gives the same store, except for line numbers; the ends of
 * synchronization messages are then on one clock already.
 */
#ifndef TAC_TRACE_DUMP_H
#define TAC_TRACE_DUMP_H

#include "base/mem.h"
#include "trace/store.h"

/*
 * A part of a frozen store: the rows of a stretch of time, of some tasks or other objects (select.c).
 *
 * A part is a trace by itself: jobs that have an event within the stretch, or hold a mutex in it, are whole, from their
 * release on, so that their states and times are those of the whole trace. Of servers and buffers the rows that make
 * the budget and the contents at `from` are in it, too, of annotations those that reach into the stretch, the interval
 * in which it begins, and all synchronization messages. Any other event belongs to the part when it is in the stretch.
 * Counts of semaphores are those of the whole, since a row says the count (-state) where it would be another; before
 * the first one in the part they are not known.
 */
typedef struct tacSelection {
    int64_t from, to;         /* ticks, both included; TAC_UNKNOWN: no limit */
    const char *const *tasks; /* patterns of ids or names of the tasks in it, NULL-terminated; NULL: all tasks */
    /* The same of objects of any kind: those of a processor are the tasks that ran there, of a mutex or semaphore the
     * tasks that used it. Both together: what fits either. */
    const char *const *rows;
    bool whole;       /* jobs are whole, and what was before counts; else each row counts by its own time */
    uint32_t nChosen; /* objects that fit the patterns, once it has begun */
    /* private */
    bool *chosen[TAC_KINDS];      /* by object: is in the part; NULL: all are */
    bool *job;                    /* by job: has an event in the stretch; NULL: jobs are not whole */
    uint32_t *unknown;            /* by processor: the row that made it unknown, if it is at `from`; else TAC_NONE */
    uint32_t *carried[TAC_KINDS]; /* by server, by buffer: its first row that matters at `from`; TAC_NONE: none */
    uint32_t *resized;            /* by buffer: the last row before `from` that changes its capacity, or TAC_NONE */
    uint32_t interval;            /* the last interval before `from`, or TAC_NONE */
    uint32_t begin;               /* the first row of the stretch */
} tacSelection;

/* Finds the tasks and jobs of the part. false: no memory. Free with tacSelectionFree in any case. */
bool tacSelectionBegin(tacSelection *selection, const tacStore *store);
void tacSelectionFree(tacSelection *selection);

bool tacSelectedObject(const tacSelection *selection, tacKind kind, uint32_t object);
bool tacSelectedJob(const tacSelection *selection, const tacStore *store, uint32_t job);
bool tacSelectedRow(const tacSelection *selection, const tacStore *store, uint32_t row);

/* Writes a part, whose selection has begun: calls write(data, bytes, n) with pieces of the text; false stops it. */
tacStatus tacDumpPart(const tacStore *store, const tacSelection *part,
    bool (*write)(void *data, const char *bytes, size_t n), void *data, tacError *err);

/* for tests: writes the whole store (from and to TAC_UNKNOWN) or the events of a stretch of time. */
tacStatus tacDump(const tacStore *store, int64_t from, int64_t to,
    bool (*write)(void *data, const char *bytes, size_t n), void *data, tacError *err);

#endif
