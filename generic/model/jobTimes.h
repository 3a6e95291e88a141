/*
 * jobTimes.h -- figures that only some jobs of some traces have, beside tacJob: wake-up, unknown and stolen time.
 *
 *      wakeup  from the release to the first jobReady of the job, which comes before its start
 *      unknown ticks of all its UNKNOWN slices
 *      stolen  ticks that it was RUNNING on a processor while interrupts (jobs of tasks of kind isr or softirq) were
 *              handled there; handlings that nest or overlap count once. Interrupts themselves have none
 *
 * Built at the end of the replay, and only where the trace has a jobReady, an unknown slice or an interrupt. A job
 * without a value takes a bit and a half: a bit says which have one, and the bits before it say which value it is.
 */
#ifndef TAC_MODEL_JOB_TIMES_H
#define TAC_MODEL_JOB_TIMES_H

#include "model/model.h"

typedef struct tacJobTicks {
    uint64_t *has;       /* by job: bit job % 64 of word job / 64; NULL: no job has a value */
    uint32_t *before;    /* by word: values of the jobs before it */
    int64_t *ticks;      /* the values, in order of their jobs */
    size_t nJobs, count; /* jobs, values */
} tacJobTicks;

typedef struct tacJobTimes {
    tacJobTicks wakeup, unknown, stolen;
} tacJobTimes;

/* Makes model->times, or leaves it NULL if no job has any. False: no memory, or stopped. */
bool tacJobTimesBuild(tacModel *model);
void tacJobTimesFree(tacJobTimes *times); /* NULL is fine */
uint64_t tacJobTimesBytes(const tacJobTimes *times);

/* The times of a job (index of tacModel.jobs). */
int64_t tacJobWakeup(const tacModel *model, uint32_t job); /* TAC_UNKNOWN: it has none */
int64_t tacJobUnknown(const tacModel *model, uint32_t job);
int64_t tacJobStolen(const tacModel *model, uint32_t job);
/* Its net execution: without the interrupts that ran on top; TAC_UNKNOWN where something of it is not known. */
int64_t tacJobNetExecution(const tacModel *model, uint32_t job);
/* Does no job have stolen time, so that net execution is execution? */
bool tacNothingStolen(const tacModel *model);

#endif
