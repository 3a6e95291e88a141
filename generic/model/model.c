/*
 * model.c -- common to all readers of a model: names, jobs by id and by task, memory.
 */
#include "base/port.h"

#include "base/search.h"
#include "model/buffer.h"
#include "model/jobTimes.h"
#include "model/lod.h"
#include "model/query.h"

const char *const tacStateNames[TAC_STATES] = {[TAC_STATE_NONE] = "none",
    [TAC_STATE_WAITING] = "waiting",
    [TAC_STATE_RUNNING] = "running",
    [TAC_STATE_PREEMPTED] = "preempted",
    [TAC_STATE_BLOCKED] = "blocked",
    [TAC_STATE_COMPLETED] = "completed",
    [TAC_STATE_BETWEEN] = "between",
    [TAC_STATE_UNKNOWN] = "unknown"};

const char *tacProcessorId(const tacModel *model, uint32_t processor) {
    return processor < tacStoreObjects(model->store, TAC_PROCESSOR)
        ? tacObjectId(model->store, TAC_PROCESSOR, processor)
        : "default";
}

const char *tacProcessorName(const tacModel *model, uint32_t processor) {
    return processor < tacStoreObjects(model->store, TAC_PROCESSOR)
        ? tacObjectName(model->store, TAC_PROCESSOR, processor)
        : "default";
}

const uint32_t *tacIdJobs(const tacModel *model, uint32_t jobId, uint32_t *count) {
    const uint32_t *jobs = model->idJobs ? model->idJobs + model->idStarts[jobId] : &model->lastJob.at[jobId];
    *count = model->idJobs ? model->idStarts[jobId + 1] - model->idStarts[jobId] : *jobs != TAC_NONE;
    if (*count && jobs[*count - 1] >= model->jobs.count) /* a view of a model that is followed: it does not know all */
        *count = tacPast(uint32_t, 0, *count, i, jobs[i] < model->jobs.count);
    return *count ? jobs : NULL;
}

uint32_t tacTaskJob(const tacModel *model, uint32_t task, uint32_t k) {
    uint32_t job = model->tasks[task].jobMarks.at[k / TAC_SPAN_BLOCK];
    for (uint32_t i = k % TAC_SPAN_BLOCK; i > 0; i--) job = model->jobs.at[job].next;
    return job;
}

uint32_t tacRowTask(const tacModel *model, uint32_t row) {
    const tacStore *store = model->store;
    tacEvent event = tacRowEvent(store, row);
    uint32_t subject = tacRowSubject(store, row);
    if (event == TAC_EV_JOB_ARRIVED) return tacRowObject(store, row);
    if (event == TAC_EV_MESSAGE) return tacMessageTask(store, row);
    if (tacEvents[event].arguments[0] == TAC_TYPE_TASK) return subject;
    if (tacEvents[event].arguments[0] != TAC_TYPE_JOB) return TAC_NONE;
    uint32_t job = model->idsChangeTask ? tacQueryJob(model, subject, tacRowTime(store, row)) : TAC_NONE;
    return job == TAC_NONE ? store->jobTask.at[subject] : model->jobs.at[job].task;
}

int64_t tacJobWaitEnd(const tacModel *model, const tacJob *job) {
    if (job->start != TAC_UNKNOWN) return job->start;
    if (job->flags & TAC_JOB_NO_START) {
        const tacSlice *slice = &model->tasks[job->task].slices.at[job->firstSlice];
        for (uint32_t index = slice->job; slice->job != index || slice->state != TAC_STATE_UNKNOWN; slice++)
            ;
        return slice->begin;
    }
    return job->completion != TAC_UNKNOWN ? job->completion : INT64_MAX;
}

/* There may be gaps between the slices of a job before its start (it is blocked, and waits again), none from there on.
 */
int64_t tacJobOver(const tacModel *model, const tacJob *job) {
    const tacTaskModel *task = &model->tasks[job->task];
    const tacSlice *last = &task->slices.at[job->firstSlice], *end = task->slices.at + task->slices.count;
    uint32_t index = last->job;
    int64_t start = tacJobWaitEnd(model, job);
    for (const tacSlice *slice = last + 1; slice < end && (slice->begin <= last->end || slice->begin <= start); slice++)
        if (slice->job == index) last = slice;
    return last->end;
}

int64_t tacNextArrival(const tacModel *model, uint32_t job) {
    uint32_t n;
    const uint32_t *jobs = tacIdJobs(model, model->jobs.at[job].id, &n);
    uint32_t next = tacPast(uint32_t, 0, n, i, jobs[i] <= job);
    return next < n ? tacJobBegin(model, &model->jobs.at[jobs[next]]) : model->end;
}

/* ---- memory ---- */

/*
 * All arrays of the model, as X(array): trimming, freeing and measuring go over this one list. `one` is the model of a
 * single object.
 */
#define TASK_ARRAYS(X, one) \
    X(&(one)->slices) X(&(one)->holds) X(&(one)->arrows) X(&(one)->arrowBlocks) X(&(one)->notes) X(&(one)->jobMarks)
#define SERVER_ARRAYS(X, one) X(&(one)->points)
#define PROCESSOR_ARRAYS(X, one) X(&(one)->runs) X(&(one)->unknown) X(&(one)->migrations)
#define BUFFER_ARRAYS(X, one) X(&(one)->rows)
#define MUTEX_ARRAYS(X, one) X(&(one)->events) X(&(one)->holds)
#define SEMAPHORE_ARRAYS(X, one) X(&(one)->rows) X(&(one)->counts)
#define MODEL_ARRAYS(X, one) \
    X(&(one)->jobs)          \
    X(&(one)->lastJob) X(&(one)->messages) X(&(one)->intervals) X(&(one)->serverMarks) X(&(one)->rowTasks)

#define EACH(list, n, ARRAYS, X)             \
    if (list)                                \
        for (uint32_t i = 0; i < (n); i++) { \
            ARRAYS(X, &(list)[i])            \
        }
#define ALL_BUT_TASKS(model, X)                                                                        \
    EACH((model)->servers, tacStoreObjects((model)->store, TAC_SERVER), SERVER_ARRAYS, X)              \
    EACH((model)->processors, tacStoreObjects((model)->store, TAC_PROCESSOR) + 1, PROCESSOR_ARRAYS, X) \
    EACH((model)->buffers, tacStoreObjects((model)->store, TAC_BUFFER), BUFFER_ARRAYS, X)              \
    EACH((model)->mutexes, tacStoreObjects((model)->store, TAC_MUTEX), MUTEX_ARRAYS, X)                \
    EACH((model)->semaphores, tacStoreObjects((model)->store, TAC_SEMAPHORE), SEMAPHORE_ARRAYS, X)     \
    MODEL_ARRAYS(X, model)
#define EVERYTHING(model, X)                                                        \
    EACH((model)->tasks, tacStoreObjects((model)->store, TAC_TASK), TASK_ARRAYS, X) \
    ALL_BUT_TASKS(model, X)

void tacModelTrim(tacModel *model) {
    uint64_t n = 0;
#define TRIM(array)      \
    tacArrayTrim(array); \
    tacProgressObject(model->store->progress, ++n);
    EVERYTHING(model, TRIM)
}

static void freeSpans(tacModel *model) {
    const tacStore *store = model->store;
    for (uint32_t i = 0; model->processors && i <= tacStoreObjects(store, TAC_PROCESSOR); i++)
        tacSpanFree(&model->processors[i].runSpan);
    for (uint32_t i = 0; model->mutexes && i < tacStoreObjects(store, TAC_MUTEX); i++)
        tacSpanFree(&model->mutexes[i].holdSpan);
    for (uint32_t i = 0; model->buffers && i < tacStoreObjects(store, TAC_BUFFER); i++)
        tacBufferHistoryFree(model->buffers[i].history);
}

#define FREE(array) tacArrayFree(array);

/* Frees what is kept of a task. */
static void freeTask(tacModel *model, uint32_t task) {
    tacTaskModel *t = &model->tasks[task];
    TASK_ARRAYS(FREE, t)
    tacSpanFree(&t->sliceSpan);
    tacSpanFree(&t->holdSpan);
    tacSpanFree(&t->waitSpan);
    tacLodFreeTask(model->lod, task);
}

bool tacModelFreeTasks(tacModel *model, uint32_t n) {
    uint32_t tasks = model->tasks ? tacStoreObjects(model->store, TAC_TASK) : 0;
    for (; n > 0 && model->freed < tasks; n--) freeTask(model, model->freed++);
    return model->freed < tasks;
}

void tacModelFree(tacModel *model) {
    if (!model->store) return;
    tacModelFreeTasks(model, UINT32_MAX);
    tacLodFree(model->lod);
    tacJobTimesFree(model->times);
    freeSpans(model);
    ALL_BUT_TASKS(model, FREE)
    tacFree(model->tasks);
    tacFree(model->servers);
    tacFree(model->processors);
    tacFree(model->buffers);
    tacFree(model->mutexes);
    tacFree(model->semaphores);
    tacFree(model->idJobs);
    tacFree(model->idStarts);
    *model = (tacModel){0};
}

static uint64_t spanBytes(const tacModel *model) {
    const tacStore *store = model->store;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_TASK); i++) {
        const tacTaskModel *task = &model->tasks[i];
        bytes += sizeof *task + tacSpanBytes(&task->sliceSpan) + tacSpanBytes(&task->holdSpan)
            + tacSpanBytes(&task->waitSpan);
        tacProgressObject(store->progress, i);
    }
    for (uint32_t i = 0; i < model->nProcessors; i++)
        bytes += sizeof *model->processors + tacSpanBytes(&model->processors[i].runSpan);
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_MUTEX); i++)
        bytes += sizeof *model->mutexes + tacSpanBytes(&model->mutexes[i].holdSpan);
    return bytes;
}

void tacModelMeasure(tacModel *model) {
    uint64_t bytes = spanBytes(model);
#define MEASURE(array) bytes += (array)->capacity * sizeof *(array)->at;
    EVERYTHING(model, MEASURE)
    model->bytes = bytes;
}

uint64_t tacModelBytes(const tacModel *model) {
    if (!model->store) return 0;
    uint64_t bytes = model->bytes + tacLodBytes(model->lod) + tacJobTimesBytes(model->times);
    for (uint32_t i = 0; i < tacStoreObjects(model->store, TAC_BUFFER); i++)
        bytes += sizeof *model->buffers + tacBufferHistoryBytes(model->buffers[i].history);
    if (model->idJobs) bytes += (model->jobs.count + model->lastJob.count + 1) * sizeof(uint32_t);
    return bytes;
}
