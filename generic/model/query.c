/*
 * query.c -- answers about a moment or a window.
 *
 * Lists by begin are searched by halving; what began before a moment and still goes on is found by the spans over their
 * ends (model/span.h), so that one stretch that lasts for ever costs nothing.
 */
#include "base/port.h"

#include "base/search.h"
#include "model/buffer.h"
#include "model/query.h"

/* ---- searching ---- */

/* Number of rows, in order of time, that are not after t. */
static uint32_t rowsUntil(const tacModel *model, const uint32_t *rows, size_t n, int64_t t) {
    return tacPast(uint32_t, 0, n, i, tacRowTime(model->store, rows[i]) <= t);
}

typedef enum StretchKind { SLICES, HOLDS, RUNS, MUTEX_HOLDS } StretchKind;

/* A list of stretches of one kind: slices or holds of a task, runs of a processor, holds of a mutex. */
typedef struct Stretches {
    const tacModel *model;
    StretchKind kind;
    uint32_t owner; /* task, processor or mutex */
    const tacSpan *span;
} Stretches;

typedef struct Stretch {
    int64_t begin, end;
    bool open; /* it goes on after its end, which is the recording's */
} Stretch;

static Stretches stretchesOf(const tacModel *model, StretchKind kind, uint32_t owner) {
    const tacSpan *span = kind == SLICES ? &model->tasks[owner].sliceSpan
        : kind == HOLDS                  ? &model->tasks[owner].holdSpan
        : kind == RUNS                   ? &model->processors[owner].runSpan
                                         : &model->mutexes[owner].holdSpan;
    return (Stretches){model, kind, owner, span};
}

static const tacHold *mutexHold(const tacModel *model, tacMutexHold held) {
    return &model->tasks[held.task].holds.at[held.hold];
}

static inline Stretch stretchAt(const Stretches *these, uint32_t i) {
    const tacModel *model = these->model;
    if (these->kind == SLICES || these->kind == RUNS) {
        const tacSlice *slice = these->kind == SLICES ? &model->tasks[these->owner].slices.at[i]
                                                      : tacRunSlice(model, model->processors[these->owner].runs.at[i]);
        return (Stretch){slice->begin, slice->end, slice->open};
    }
    const tacHold *hold = these->kind == HOLDS ? &model->tasks[these->owner].holds.at[i]
                                               : mutexHold(model, model->mutexes[these->owner].holds.at[i]);
    return (Stretch){hold->begin, hold->end, hold->open};
}

static int64_t endAt(const void *these, uint32_t i) { return stretchAt(these, i).end; }

static inline int64_t justBefore(int64_t t) { return t == INT64_MIN ? t : t - 1; }

/* Index of the first stretch, from `start` on, that does not end before `from`. */
static uint32_t nextTouching(const tacModel *model, StretchKind kind, uint32_t owner, uint32_t start, int64_t from) {
    Stretches these = stretchesOf(model, kind, owner);
    return tacSpanNext(these.span, start, these.span->count, justBefore(from), endAt, &these);
}

/* Number of stretches that begin at or before t. */
static uint32_t begunAt(const Stretches *these, int64_t t) {
    return tacPast(uint32_t, 0, these->span->count, i, stretchAt(these, i).begin <= t);
}

/* Index of the first stretch, from `start` on, that goes on at t: it ends after t, or not at all. `n`: how many began
 * at or before t (begunAt); it is returned if there is none. */
static uint32_t nextAt(const Stretches *these, uint32_t start, uint32_t n, int64_t t) {
    int64_t reach = t < these->model->end ? t : justBefore(these->model->end); /* open ones end with the recording */
    for (uint32_t i = start;; i++) {
        i = tacSpanNext(these->span, i, n, reach, endAt, these);
        if (i >= n) return n;
        Stretch found = stretchAt(these, i);
        if (t < found.end || found.open) return i;
    }
}

/* ---- windows ---- */

uint32_t tacQuerySlice(const tacModel *model, uint32_t task, uint32_t start, int64_t from) {
    return nextTouching(model, SLICES, task, start, from);
}

uint32_t tacQueryHold(const tacModel *model, uint32_t task, uint32_t start, int64_t from) {
    return nextTouching(model, HOLDS, task, start, from);
}

uint32_t tacQueryRun(const tacModel *model, uint32_t processor, uint32_t start, int64_t from) {
    return nextTouching(model, RUNS, processor, start, from);
}

uint32_t tacQueryMutexHold(const tacModel *model, uint32_t mutex, uint32_t start, int64_t from) {
    return nextTouching(model, MUTEX_HOLDS, mutex, start, from);
}

uint32_t tacQueryLastHold(const tacModel *model, uint32_t task, uint32_t limit, int64_t t) {
    Stretches these = stretchesOf(model, HOLDS, task);
    uint32_t n = begunAt(&these, t);
    return tacSpanPrevious(these.span, n < limit ? n : limit, t, endAt, &these);
}

uint32_t tacQueryFirstSlice(const tacModel *model, uint32_t task, int64_t from) {
    return tacQuerySlice(model, task, 0, from);
}
uint32_t tacQueryFirstHold(const tacModel *model, uint32_t task, int64_t from) {
    return tacQueryHold(model, task, 0, from);
}
uint32_t tacQueryFirstRun(const tacModel *model, uint32_t processor, int64_t from) {
    return tacQueryRun(model, processor, 0, from);
}

/* ---- jobs ---- */

uint32_t tacQueryJob(const tacModel *model, uint32_t jobId, int64_t t) {
    uint32_t count;
    const uint32_t *jobs = tacIdJobs(model, jobId, &count);
    uint32_t n = tacPast(uint32_t, 0, count, i, tacJobBegin(model, &model->jobs.at[jobs[i]]) <= t);
    return n ? jobs[n - 1] : TAC_NONE;
}

/* The slice of a job that goes on at t, or NULL. */
static const tacSlice *jobSliceAt(const tacModel *model, uint32_t job, int64_t t) {
    const tacJob *record = &model->jobs.at[job];
    if (record->firstSlice == TAC_NONE) return NULL;
    Stretches these = stretchesOf(model, SLICES, record->task);
    const tacSlice *slices = model->tasks[record->task].slices.at;
    uint32_t n = begunAt(&these, t);
    for (uint32_t i = nextAt(&these, record->firstSlice, n, t); i < n; i = nextAt(&these, i + 1, n, t))
        if (slices[i].job == job) return &slices[i];
    return NULL;
}

/* The slices are searched only if the job may have started unseen (TAC_JOB_NO_START). */
bool tacQueryHasRun(const tacModel *model, uint32_t job, int64_t t) {
    const tacJob *record = &model->jobs.at[job];
    if (!(record->flags & TAC_JOB_NO_START)) return record->start != TAC_UNKNOWN && record->start <= t;
    const tacTaskModel *task = &model->tasks[record->task];
    for (size_t i = record->firstSlice; i < task->slices.count && task->slices.at[i].begin <= t; i++)
        if (task->slices.at[i].job == job && task->slices.at[i].state == TAC_STATE_RUNNING) return true;
    return false;
}

tacJobState tacQueryJobState(const tacModel *model, uint32_t job, int64_t t, uint16_t *processor) {
    const tacJob *record = &model->jobs.at[job];
    uint16_t dummy, *where = processor ? processor : &dummy;
    bool abandoned = (record->flags & TAC_JOB_ABANDONED) != 0;
    *where = TAC_NO_PROCESSOR;
    if (t < tacJobBegin(model, record)) return TAC_STATE_NONE;
    if (abandoned && tacQueryJob(model, record->id, t) != job) return TAC_STATE_NONE; /* its id arrived anew */
    const tacSlice *slice = jobSliceAt(model, job, t);
    if (slice) {
        if (tacStateRuns(slice->state) || tacQueryHasRun(model, job, t)) *where = slice->processor;
        return (tacJobState) slice->state;
    }
    /* A job that has started has no gaps between its slices: jobAbandoned ended it. */
    if (abandoned && tacJobStarted(record) && tacJobWaitEnd(model, record) <= t) return TAC_STATE_NONE;
    if (record->completion == TAC_UNKNOWN || t < record->completion) return TAC_STATE_WAITING;
    if (tacQueryHasRun(model, job, t)) *where = record->processor;
    return TAC_STATE_COMPLETED;
}

const uint8_t tacStateRanks[TAC_STATES] = {[TAC_STATE_RUNNING] = 6,
    [TAC_STATE_BETWEEN] = 5,
    [TAC_STATE_PREEMPTED] = 4,
    [TAC_STATE_BLOCKED] = 3,
    [TAC_STATE_UNKNOWN] = 2,
    [TAC_STATE_WAITING] = 1};

typedef struct TaskJobs {
    const tacModel *model;
    uint32_t task;
} TaskJobs;

static int64_t waitEndAt(const void *data, uint32_t k) {
    const TaskJobs *these = data;
    return tacJobWaitEnd(these->model, &these->model->jobs.at[tacTaskJob(these->model, these->task, k)]);
}

uint32_t tacQueryWait(const tacModel *model, uint32_t task, uint32_t start, uint32_t limit, int64_t from) {
    TaskJobs these = {model, task};
    return tacSpanNext(&model->tasks[task].waitSpan, start, limit, from, waitEndAt, &these);
}

/* The job of the task that has waited longest at t, or TAC_NONE. */
static uint32_t waitingJob(const tacModel *model, uint32_t task, int64_t t) {
    const tacTaskModel *record = &model->tasks[task];
    uint32_t n = tacPast(
        uint32_t, 0, record->nJobs, k, tacJobBegin(model, &model->jobs.at[tacTaskJob(model, task, k)]) <= t);
    for (uint32_t k = tacQueryWait(model, task, 0, n, t); k < n; k = tacQueryWait(model, task, k + 1, n, t)) {
        uint32_t job = tacTaskJob(model, task, k);
        if (tacQueryJobState(model, job, t, NULL) == TAC_STATE_WAITING) return job;
    }
    return TAC_NONE;
}

/* A waiting job is looked for only if there is no other. */
uint32_t tacQueryTaskJob(const tacModel *model, uint32_t task, int64_t t) {
    Stretches these = stretchesOf(model, SLICES, task);
    const tacSlice *slices = model->tasks[task].slices.at, *best = NULL;
    uint32_t n = begunAt(&these, t);
    for (uint32_t i = nextAt(&these, 0, n, t); i < n; i = nextAt(&these, i + 1, n, t)) {
        int difference = best ? tacStateRanks[slices[i].state] - tacStateRanks[best->state] : 1;
        if (difference > 0 || (difference == 0 && slices[i].job < best->job)) best = &slices[i];
    }
    return best ? best->job : waitingJob(model, task, t);
}

/* ---- processors, mutexes, servers, semaphores, buffers ---- */

uint32_t tacQueryRunning(const tacModel *model, uint32_t processor, int64_t t, uint32_t *jobs, uint32_t max) {
    Stretches these = stretchesOf(model, RUNS, processor);
    uint32_t n = begunAt(&these, t), found = 0;
    for (uint32_t i = nextAt(&these, 0, n, t); i < n; i = nextAt(&these, i + 1, n, t), found++)
        if (found < max) jobs[found] = tacRunSlice(model, model->processors[processor].runs.at[i])->job;
    return found;
}

uint32_t tacQueryHolders(const tacModel *model, uint32_t mutex, int64_t t, uint32_t *jobs, uint32_t max) {
    Stretches these = stretchesOf(model, MUTEX_HOLDS, mutex);
    uint32_t n = begunAt(&these, t), found = 0;
    for (uint32_t i = nextAt(&these, 0, n, t); i < n; i = nextAt(&these, i + 1, n, t), found++)
        if (found < max) jobs[found] = mutexHold(model, model->mutexes[mutex].holds.at[i])->job;
    return found;
}

int64_t tacQueryBudget(const tacModel *model, uint32_t server, int64_t t, uint32_t *consumers) {
    const tacServerModel *record = &model->servers[server];
    uint32_t n = tacPast(uint32_t, 0, record->points.count, i, record->points.at[i].time <= t);
    const tacBudgetPoint *point = &record->points.at[n ? n - 1 : 0];
    if (consumers) *consumers = n ? point->consumers : 0;
    return n ? tacPointRemainder(point, t) : point->remainder;
}

int64_t tacQuerySemaphore(const tacModel *model, uint32_t semaphore, int64_t t) {
    const tacSemaphoreModel *record = &model->semaphores[semaphore];
    uint32_t n = rowsUntil(model, record->rows.at, record->rows.count, t);
    return n ? record->counts.at[n - 1] : 0;
}

tacStatus tacQueryBuffer(const tacModel *model, uint32_t buffer, int64_t t, uint32_t **data, uint32_t *count,
    int64_t *capacity, tacError *err) {
    const tacBufferModel *record = &model->buffers[buffer];
    tacBufferContents contents;
    uint32_t n = rowsUntil(model, record->rows.at, record->rows.count, t);
    bool recalled = tacBufferRecall(model, buffer, n, &contents);
    *count = (uint32_t) tacBufferCount(&contents);
    *data = recalled ? tacAlloc(*count * sizeof **data) : NULL;
    if (*data) tacBufferCopy(&contents, *data);
    *capacity = contents.capacity;
    tacBufferFree(&contents);
    return *data ? TAC_OK : tacFailMemory(err);
}

uint32_t tacQueryElement(const tacModel *model, uint32_t buffer, int64_t t, uint32_t place) {
    const tacBufferModel *record = &model->buffers[buffer];
    return tacBufferOrigin(model, buffer, rowsUntil(model, record->rows.at, record->rows.count, t), place);
}

/* ---- events of a task ---- */

/* Is a row of the block perhaps about the task? */
static bool blockHasTask(const tacModel *model, uint32_t row, uint32_t task) {
    return model->rowTasks.at[row / TAC_ROW_BLOCK] >> (task & 63) & 1;
}

/* Is the row an event of the task that can be seen? */
static bool isSeenOf(const tacModel *model, uint32_t row, uint32_t task) {
    return tacRowTask(model, row) == task && tacRowDrawn(model->store, row);
}

uint32_t tacQueryNext(const tacModel *model, uint32_t task, int64_t t) {
    uint32_t n = tacStoreCount(model->store), row = t == INT64_MAX ? n : tacStoreFind(model->store, t + 1);
    while (row < n) {
        if (!blockHasTask(model, row, task)) row = row / TAC_ROW_BLOCK * TAC_ROW_BLOCK + TAC_ROW_BLOCK;
        else if (isSeenOf(model, row, task)) return row;
        else row++;
    }
    return TAC_NONE;
}

uint32_t tacQueryPrevious(const tacModel *model, uint32_t task, int64_t t) {
    uint32_t row = tacStoreFind(model->store, t);
    while (row > 0) {
        if (!blockHasTask(model, row - 1, task)) row = (row - 1) / TAC_ROW_BLOCK * TAC_ROW_BLOCK;
        else if (isSeenOf(model, row - 1, task)) return row - 1;
        else row--;
    }
    return TAC_NONE;
}
