/*
 * measure.h -- what is measured of each job of a task: response time, execution, latency ... (stats.h defines them).
 *
 * The table of tasks and comparisons of traces walk along the jobs of a task, in order of release, and ask for the
 * measures of each.
 */
#ifndef TAC_ANALYSIS_MEASURE_H
#define TAC_ANALYSIS_MEASURE_H

#include "model/model.h"

typedef enum tacTaskMeasure {
    TAC_TASK_MEASURE_RESPONSE,
    TAC_TASK_MEASURE_EXECUTION,
    TAC_TASK_MEASURE_LATENCY,
    TAC_TASK_MEASURE_JITTER,
    TAC_TASK_MEASURE_BLOCKED,
    TAC_TASK_MEASURE_INTERARRIVAL,
    TAC_TASK_MEASURE_WAKEUP,
    TAC_TASK_MEASURE_NET_EXECUTION,
    TAC_TASK_MEASURE_PREEMPTED,
    TAC_TASK_MEASURE_LATENESS,
    TAC_TASK_MEASURES
} tacTaskMeasure;
extern const char *const tacTaskMeasureNames[TAC_TASK_MEASURES + 1]; /* "response" ..., NULL */

typedef struct tacMeasureWalk { /* along the jobs of a task */
    int64_t first, before;      /* releases: the task's first, that of the job before; TAC_UNKNOWN */
    int64_t period;             /* TAC_UNKNOWN: it has none */
    uint32_t job;               /* index of tacModel.jobs; TAC_NONE behind the last */
} tacMeasureWalk;

/* Begins at the kth job of the task in order of release. */
void tacMeasureBegin(tacMeasureWalk *walk, const tacModel *model, uint32_t task, uint32_t k);
void tacMeasureNext(tacMeasureWalk *walk, const tacModel *model);
/* Ticks; TAC_UNKNOWN: the job does not have this measure. */
int64_t tacMeasureOf(const tacModel *model, const tacMeasureWalk *walk, tacTaskMeasure measure);

#endif
