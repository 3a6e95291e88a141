/*
 * measure.c -- measures of jobs, one by one.
 */
#include "base/port.h"

#include "analysis/measure.h"
#include "analysis/statsPart.h"
#include "model/jobTimes.h"

const char *const tacTaskMeasureNames[TAC_TASK_MEASURES + 1] = {"response", "execution", "latency", "jitter", "blocked",
    "interarrival", "wakeup", "net_execution", "preempted", "lateness", NULL};

/* The first release of a task that is known. */
static int64_t firstRelease(const tacModel *model, uint32_t task) {
    for (uint32_t i = model->tasks[task].firstJob; i != TAC_NONE; i = model->jobs.at[i].next)
        if (model->jobs.at[i].release != TAC_UNKNOWN) return model->jobs.at[i].release;
    return TAC_UNKNOWN;
}

void tacMeasureBegin(tacMeasureWalk *walk, const tacModel *model, uint32_t task, uint32_t k) {
    bool has = k < model->tasks[task].nJobs;
    *walk = (tacMeasureWalk){.first = firstRelease(model, task),
        .before = TAC_UNKNOWN,
        .period = model->store->objects[TAC_TASK].at[task].T,
        .job = !has ? TAC_NONE
            : k     ? tacTaskJob(model, task, k)
                    : model->tasks[task].firstJob};
    if (has && k) walk->before = model->jobs.at[tacTaskJob(model, task, k - 1)].release;
}

void tacMeasureNext(tacMeasureWalk *walk, const tacModel *model) {
    walk->before = model->jobs.at[walk->job].release;
    walk->job = model->jobs.at[walk->job].next;
}

/* Distance of a release from the nearest multiple of the period after the first release. */
static int64_t jitter(int64_t release, int64_t first, int64_t period) {
    if (release == TAC_UNKNOWN || first == TAC_UNKNOWN || period == TAC_UNKNOWN || period <= 0) return TAC_UNKNOWN;
    int64_t after = tacElapsed(first, release) % period; /* releases ascend */
    return after <= period - after ? after : period - after;
}

/* The value of a job that is completed and was in no unknown state; of others TAC_UNKNOWN. */
static int64_t whole(const tacJob *job, int64_t ticks) {
    return job->completion == TAC_UNKNOWN || (job->flags & TAC_JOB_UNKNOWN) ? TAC_UNKNOWN : ticks;
}

int64_t tacMeasureOf(const tacModel *model, const tacMeasureWalk *walk, tacTaskMeasure measure) {
    const tacJob *job = &model->jobs.at[walk->job];
    switch (measure) {
    case TAC_TASK_MEASURE_RESPONSE: return tacDifference(job->completion, job->release);
    case TAC_TASK_MEASURE_EXECUTION: return whole(job, job->execution);
    case TAC_TASK_MEASURE_LATENCY: return tacDifference(job->start, job->release);
    case TAC_TASK_MEASURE_JITTER: return jitter(job->release, walk->first, walk->period);
    case TAC_TASK_MEASURE_BLOCKED: return whole(job, job->blocked);
    case TAC_TASK_MEASURE_NET_EXECUTION: return whole(job, tacJobNetExecution(model, walk->job));
    case TAC_TASK_MEASURE_INTERARRIVAL: return tacDifference(job->release, walk->before);
    case TAC_TASK_MEASURE_PREEMPTED: return whole(job, job->preempted);
    case TAC_TASK_MEASURE_LATENESS: return tacDifference(job->completion, job->deadline);
    default: return tacJobWakeup(model, walk->job);
    }
}
