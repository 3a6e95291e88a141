/*
 * auditWait.c -- collects the changes of states that jobs wait for, and finds the mutex that a job is blocked on.
 *
 * No event names that mutex. It is (1) the one that the job acquires when it is woken, if another job held it when it
 * was blocked; else (2) the last acquired one of those that the -target of jobBlocked holds then. Otherwise the job
 * waits for something else than a mutex.
 */
#include "base/port.h"

#include "analysis/auditWait.h"
#include "base/search.h"
#include "base/sort.h"
#include "model/query.h"

enum { LOOK = 256 }; /* most rows, slices or holds that are looked at for one answer */

/* Adds the two changes of a stretch. */
static bool add(tacChanges *changes, int64_t begin, int64_t end, uint32_t job, uint32_t what, tacChangeKind first,
    tacChangeKind last) {
    if (end <= begin) return true;
    return tacArrayPush(&changes->all, (tacChange){begin, job, what, first})
        && tacArrayPush(&changes->all, (tacChange){end, job, what, last});
}

/* ---- the mutex of a blocked job --------------------------------------------------------------------------------- */

/* Time at which the job of slice i runs next; TAC_UNKNOWN: not within the next LOOK slices. */
static int64_t nextRun(const tacTaskModel *task, size_t i) {
    uint32_t job = task->slices.at[i].job;
    size_t last = i + LOOK < task->slices.count ? i + LOOK : task->slices.count;
    for (size_t k = i + 1; k < last; k++)
        if (task->slices.at[k].job == job && task->slices.at[k].state == TAC_STATE_RUNNING)
            return task->slices.at[k].begin;
    return TAC_UNKNOWN;
}

/* Does another job hold the mutex while this one is blocked? Of several holders the first one counts. */
static bool heldByAnother(const tacModel *model, uint32_t mutex, const tacSlice *blocked) {
    const tacMutexModel *record = &model->mutexes[mutex];
    uint32_t i = blocked->end > blocked->begin ? tacQueryMutexHold(model, mutex, 0, blocked->begin + 1) : TAC_NONE;
    if (i >= record->holds.count) return false;
    const tacHold *hold = &model->tasks[record->holds.at[i].task].holds.at[record->holds.at[i].hold];
    return hold->begin <= blocked->begin && hold->job != blocked->job;
}

/* (1) The mutex that the job acquires when it is woken, and another job held when it was blocked. */
static uint32_t acquiredNext(const tacModel *model, const tacTaskModel *task, size_t slice) {
    const tacSlice *blocked = &task->slices.at[slice];
    int64_t run = nextRun(task, slice);
    size_t first = tacPast(size_t, 0, task->holds.count, i, task->holds.at[i].begin < blocked->end);
    for (size_t i = first; i < task->holds.count && i - first < LOOK; i++) {
        const tacHold *hold = &task->holds.at[i];
        if (hold->job != blocked->job) continue;
        if (hold->begin != blocked->end && hold->begin != run) return TAC_NONE;
        return heldByAnother(model, hold->mutex, blocked) ? hold->mutex : TAC_NONE;
    }
    return TAC_NONE;
}

/* The -target of the event that blocked the job, TAC_NONE: none. */
static uint32_t targetAt(const tacStore *store, uint32_t id, int64_t t) {
    uint32_t first = tacStoreFind(store, t), n = tacStoreCount(store);
    for (uint32_t row = first; row < n && row - first < LOOK && tacRowTime(store, row) == t; row++)
        if (tacRowEvent(store, row) == TAC_EV_JOB_BLOCKED && tacRowSubject(store, row) == id)
            return tacRowObject(store, row);
    return TAC_NONE;
}

/* (2) The mutex that the target acquired last and holds. */
static uint32_t heldByTarget(const tacModel *model, const tacSlice *blocked) {
    uint32_t target = targetAt(model->store, model->jobs.at[blocked->job].id, blocked->begin);
    uint32_t job = target == TAC_NONE ? TAC_NONE : tacQueryJob(model, target, blocked->begin);
    if (job == TAC_NONE || job == blocked->job) return TAC_NONE;
    uint32_t task = model->jobs.at[job].task, i = TAC_NONE;
    const tacHold *holds = model->tasks[task].holds.at;
    for (int looks = 0; looks < LOOK; looks++) {
        i = tacQueryLastHold(model, task, i, blocked->begin);
        if (i == TAC_NONE || holds[i].job == job) break;
    }
    return i != TAC_NONE && holds[i].job == job ? holds[i].mutex : TAC_NONE;
}

uint32_t tacBlockedOn(const tacModel *model, uint32_t index, size_t slice) {
    const tacTaskModel *task = &model->tasks[index];
    if (tacStoreObjects(model->store, TAC_MUTEX) == 0) return TAC_NONE;
    uint32_t mutex = acquiredNext(model, task, slice);
    return mutex != TAC_NONE ? mutex : heldByTarget(model, &task->slices.at[slice]);
}

/* ---- servers ---------------------------------------------------------------------------------------------------- */

typedef struct Consumptions {
    TAC_ARRAY(tacStretch) all; /* by begin, not touching one another */
} Consumptions;

/* Finds the stretches in which the server consumes; false: no memory. */
static bool consumptions(const tacModel *model, uint32_t server, Consumptions *found) {
    const tacServerModel *one = &model->servers[server];
    found->all.count = 0;
    for (size_t i = 0; i < one->points.count; i++) {
        int64_t begin = one->points.at[i].time,
                end = i + 1 < one->points.count ? one->points.at[i + 1].time : model->end;
        if (one->points.at[i].consumers == 0 || end <= begin) continue;
        size_t n = found->all.count;
        if (n && found->all.at[n - 1].end == begin) found->all.at[n - 1].end = end;
        else if (!tacArrayPush(&found->all, ((tacStretch){begin, end}))) return false;
    }
    return true;
}

/* Does the task run, and only while the server consumes? */
static bool isServed(const tacTaskModel *task, const Consumptions *found) {
    bool runs = false;
    for (size_t i = 0; i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->state != TAC_STATE_RUNNING || slice->end <= slice->begin) continue;
        size_t k = tacPast(size_t, 0, found->all.count, n, found->all.at[n].end <= slice->begin);
        if (k == found->all.count || slice->begin < found->all.at[k].begin || slice->end > found->all.at[k].end)
            return false;
        runs = true;
    }
    return runs;
}

bool tacServersOfTasks(const tacTrace *trace, uint32_t *servers, tacProgress *progress) {
    Consumptions found = {{0}};
    bool fine = true;
    uint32_t nTasks = tacStoreObjects(&trace->store, TAC_TASK);
    for (uint32_t i = 0; i < nTasks; i++) servers[i] = TAC_NONE;
    for (uint32_t server = 0; fine && server < tacStoreObjects(&trace->store, TAC_SERVER); server++) {
        fine = consumptions(&trace->model, server, &found) && tacProgressAt(progress, 0);
        if (!fine || found.all.count == 0) continue;
        for (uint32_t i = 0; i < nTasks; i++)
            if (servers[i] == TAC_NONE && isServed(&trace->model.tasks[i], &found)) servers[i] = server;
    }
    tacArrayFree(&found.all);
    return fine;
}

/* Adds the stretches in which the server has no budget. */
static bool addEmpty(tacChanges *changes, const tacModel *model, uint32_t server) {
    const tacServerModel *one = &model->servers[server];
    for (size_t i = 0; i < one->points.count; i++) {
        const tacBudgetPoint *point = &one->points.at[i];
        int64_t end = i + 1 < one->points.count ? one->points.at[i + 1].time : model->end, empty = point->time;
        if (point->remainder > 0 && point->consumers == 0) continue;
        if (point->remainder > 0 && __builtin_add_overflow(point->time, point->remainder / point->consumers, &empty))
            continue;
        if (empty < end
            && !(tacArrayPush(&changes->all, (tacChange){empty, TAC_NONE, server, TAC_CHANGE_EMPTY})
                && tacArrayPush(&changes->all, (tacChange){end, TAC_NONE, server, TAC_CHANGE_EMPTY_END})))
            return false;
    }
    return true;
}

/* ---- collecting ------------------------------------------------------------------------------------------------- */

/* Adds the changes of a slice. */
static bool addSlice(tacChanges *changes, const tacModel *model, uint32_t task, size_t i) {
    const tacSlice *slice = &model->tasks[task].slices.at[i];
    if (slice->end <= slice->begin) return true;
    switch (slice->state) {
    case TAC_STATE_RUNNING:
        return add(changes, slice->begin, slice->end, slice->job, slice->processor, TAC_CHANGE_RUN, TAC_CHANGE_RUN_END);
    case TAC_STATE_PREEMPTED:
        return add(changes, slice->begin, slice->end, slice->job, TAC_NONE, TAC_CHANGE_READY, TAC_CHANGE_READY_END);
    case TAC_STATE_BLOCKED:
        return add(changes, slice->begin, slice->end, slice->job, tacBlockedOn(model, task, i), TAC_CHANGE_BLOCK,
            TAC_CHANGE_BLOCK_END);
    default: return true;
    }
}

/* Adds the wait of a job from its release to its start, or to where it may have started. One that never starts waits to
 * the end, unless it is completed or abandoned. */
static bool addWait(tacChanges *changes, const tacModel *model, uint32_t index) {
    const tacJob *job = &model->jobs.at[index];
    if (job->release == TAC_UNKNOWN
        || (!tacJobStarted(job) && (job->completion != TAC_UNKNOWN || (job->flags & TAC_JOB_ABANDONED))))
        return true;
    int64_t end = tacJobStarted(job) ? tacJobWaitEnd(model, job) : model->end;
    return add(changes, job->release, end, index, TAC_NONE, TAC_CHANGE_READY, TAC_CHANGE_READY_END);
}

static int inOrder(const void *left, const void *right, const void *data) {
    const tacChange *a = left, *b = right;
    (void) data;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return (int) a->kind - (int) b->kind;
}

bool tacChangesCollect(const tacTrace *trace, tacChanges *changes, tacProgress *progress) {
    const tacModel *model = &trace->model;
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_TASK); i++) {
        const tacTaskModel *task = &model->tasks[i];
        for (size_t k = 0; k < task->slices.count; k++)
            if (!addSlice(changes, model, i, k) || !tacProgressAt(progress, k)) return false;
        for (size_t k = 0; k < task->holds.count; k++) {
            const tacHold *hold = &task->holds.at[k];
            if (!add(changes, hold->begin, hold->end, hold->job, hold->mutex, TAC_CHANGE_HOLD, TAC_CHANGE_HOLD_END))
                return false;
        }
    }
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_SERVER); i++)
        if (!addEmpty(changes, model, i)) return false;
    for (uint32_t i = 0; i < model->jobs.count; i++)
        if (!addWait(changes, model, i) || !tacProgressAt(progress, i)) return false;
    return tacSort(changes->all.at, changes->all.count, sizeof *changes->all.at, inOrder, NULL, progress);
}
