/*
 * stats.h -- statistics: a table for each kind of object, over the whole recording or a window of it.
 *
 * response = completion - release; execution = time running; preempted = ready after the first start; blocked = waiting
 * for a resource after release; lateness = completion - deadline; start latency = start - release; release jitter: how
 * far releases stray from the period (with -T: |release - nearest multiple of T from the first release|; unknown
 * without -T); inter-arrival time = release - release of the task's job before; wake-up = jobReady - release; stolen =
 * taken by interrupts while it ran (jobTimes.h). Figures of tasks about response, execution and blocked time are over
 * completed jobs, those about latency over started ones, those about jitter and inter-arrival time over released ones.
 * Percentiles are by nearest rank: the p-th of n values in ascending order is the one at place ceil(n * p / 100), so it
 * is always a value that occurred.
 *
 * Time in an unknown state (jobUnknown, processorUnknown) is in no figure: a job with an unknown stretch has neither
 * execution nor preempted nor blocked time, one that started in such a stretch has no latency, and a processor is not
 * idle then. Columns of their own tell how much time is unknown, and of how many jobs. Preemptions and migrations are
 * those that were seen.
 *
 * Interrupts (tasks of kind isr and softirq) run on top of the job that they interrupt: its execution includes what
 * they took, its net execution does not.
 *
 * With a window [from, to], jobs (and tasks' job figures) are those released in it, both ends included (a job without
 * release: first used in it), and are measured whole; utilizations, busy times, budgets and holds are cut to it; what
 * happens at an instant (replenishments, switches, acquisitions, pushes ...) counts when the instant is in it.
 */
#ifndef TAC_ANALYSIS_STATS_H
#define TAC_ANALYSIS_STATS_H

#include "base/progress.h"
#include "model/model.h"
#include "relation/table.h"

typedef enum tacStatsOf {
    TAC_STATS_JOBS,
    TAC_STATS_TASKS,
    TAC_STATS_SERVERS,
    TAC_STATS_MUTEXES,
    TAC_STATS_PROCESSORS,
    TAC_STATS_BUFFERS,
    TAC_STATS_KINDS
} tacStatsOf;
extern const char *const tacStatsNames[TAC_STATS_KINDS + 1]; /* "jobs" ..., NULL */

/* The columns of a table, for the manual and for programs that want to know them beforehand. */
const tacColumn *tacStatsColumns(tacStatsOf of, int *nColumns);

/*
 * from, to: ticks or TAC_UNKNOWN (begin, end of the recording). progress counts rows of the table; the jobs, slices or
 * events behind a row are many, so it is asked between those too. TAC_ERROR: MEMORY, CANCELLED, or USAGE WINDOW when
 * the window ends before it begins. The table refers to the model; free it (tacTableFree) before the model.
 */
tacStatus tacStats(const tacModel *model, tacStatsOf of, int64_t from, int64_t to, tacProgress *progress,
    tacTable *table, tacError *err);

/* The events as a table (time, event, subject, object, processor, options, line), rows [first, first + count) of the
 * store. */
tacStatus tacEventTable(const tacModel *model, uint32_t first, uint32_t count, tacTable *table, tacError *err);
const tacColumn *tacEventColumns(int *nColumns);

#endif
