/*
 * neighbour.c -- the next and the previous slice of a job, ends of arrows, and events of an object.
 */
#include "base/port.h"

#include "base/search.h"
#include "model/neighbour.h"

const char *const tacArrowNames[TAC_ARROW_KINDS] = {"target", "migration", "same job"};

/* ---- slices of a job -------------------------------------------------------------------------------------------- */

/* Has the job no more slices from `other`, a slice of its task, on? After its completion there is work between jobs
 * until another job of the task runs. */
static bool endsBefore(const tacModel *model, uint32_t job, const tacSlice *other) {
    const tacJob *record = &model->jobs.at[job];
    return record->completion != TAC_UNKNOWN && other->begin > record->completion && other->job > job
        && other->state == TAC_STATE_RUNNING;
}

uint32_t tacNextSlice(const tacModel *model, uint32_t task, uint32_t i) {
    const tacTaskModel *record = &model->tasks[task];
    uint32_t job = record->slices.at[i].job;
    for (uint32_t k = i + 1; k < record->slices.count; k++) {
        if (record->slices.at[k].job == job) return k;
        if (endsBefore(model, job, &record->slices.at[k])) return TAC_NONE;
    }
    return TAC_NONE;
}

uint32_t tacPreviousSlice(const tacModel *model, uint32_t task, uint32_t i) {
    const tacTaskModel *record = &model->tasks[task];
    uint32_t job = record->slices.at[i].job, first = model->jobs.at[job].firstSlice;
    for (uint32_t k = i; first != TAC_NONE && k > first;)
        if (record->slices.at[--k].job == job) return k;
    return TAC_NONE;
}

/* The first slice of a job that reaches to or beyond t and is RUNNING or BETWEEN; TAC_NONE. */
static uint32_t runsFrom(const tacModel *model, uint32_t job, int64_t t) {
    const tacJob *record = &model->jobs.at[job];
    const tacTaskModel *task = &model->tasks[record->task];
    if (record->firstSlice == TAC_NONE) return TAC_NONE;
    uint32_t i = tacQuerySlice(model, record->task, record->firstSlice, t);
    for (; i < task->slices.count; i = tacQuerySlice(model, record->task, i + 1, t)) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->job == job && tacStateRuns(slice->state) && (slice->end > t || slice->begin == t)) return i;
        if (endsBefore(model, job, slice)) return TAC_NONE;
    }
    return TAC_NONE;
}

/* ---- events of a moment ----------------------------------------------------------------------------------------- */

static bool isAboutJob(const tacStore *store, uint32_t row) {
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, row)];
    return spec->nArguments > 0 && spec->arguments[0] == (tacType) TAC_JOB;
}

uint32_t tacRowOfJobAt(const tacModel *model, uint32_t jobId, int64_t t) {
    const tacStore *store = model->store;
    for (uint32_t row = tacStoreFind(store, t); row < tacStoreCount(store) && tacRowTime(store, row) == t; row++)
        if (isAboutJob(store, row) && tacRowSubject(store, row) == jobId) return row;
    return TAC_NONE;
}

uint32_t tacRowJob(const tacModel *model, uint32_t row) {
    if (!isAboutJob(model->store, row)) return TAC_NONE;
    return tacQueryJob(model, tacRowSubject(model->store, row), tacRowTime(model->store, row));
}

/* The -target of an event, a job id, or TAC_NONE. */
static uint32_t targetOf(const tacStore *store, uint32_t row) {
    return tacEventHasTarget(tacRowEvent(store, row)) ? tacRowObject(store, row) : TAC_NONE;
}

/* ---- arrows ----------------------------------------------------------------------------------------------------- */

/* Arrow to the next (previous) running slice of the job. */
static bool alongJob(const tacModel *model, uint32_t task, uint32_t from, bool forward, tacArrowTo *to) {
    const tacSlice *slices = model->tasks[task].slices.at;
    uint32_t i = from;
    do i = forward ? tacNextSlice(model, task, i) : tacPreviousSlice(model, task, i);
    while (i != TAC_NONE && !tacStateRuns(slices[i].state));
    if (i == TAC_NONE) return false;
    bool migrated = tacStateRuns(slices[from].state) && slices[i].processor != slices[from].processor;
    *to = (tacArrowTo){
        migrated ? TAC_ARROW_MIGRATION : TAC_ARROW_SAME, task, i, forward ? slices[i].begin : slices[i].end};
    return true;
}

bool tacArrowForward(const tacModel *model, uint32_t task, uint32_t index, tacArrowTo *to) {
    const tacStore *store = model->store;
    const tacSlice *slice = &model->tasks[task].slices.at[index];
    uint32_t id = model->jobs.at[slice->job].id, row = tacStoreFind(store, slice->end);
    bool stops = tacStateRuns(slice->state) && !slice->open;
    for (; stops && row < tacStoreCount(store) && tacRowTime(store, row) == slice->end; row++) {
        uint32_t target = isAboutJob(store, row) && tacRowSubject(store, row) == id ? targetOf(store, row) : TAC_NONE;
        uint32_t job = target == TAC_NONE ? TAC_NONE : tacQueryJob(model, target, slice->end);
        uint32_t there = job == TAC_NONE || job == slice->job ? TAC_NONE : runsFrom(model, job, slice->end);
        if (there == TAC_NONE) continue;
        *to = (tacArrowTo){TAC_ARROW_TARGET, model->jobs.at[job].task, there, slice->end};
        return true;
    }
    return alongJob(model, task, index, true, to);
}

/* The running slice of a job that ends at t; TAC_NONE. */
static uint32_t ranUntil(const tacModel *model, uint32_t job, int64_t t) {
    const tacJob *record = &model->jobs.at[job];
    const tacTaskModel *task = &model->tasks[record->task];
    if (record->firstSlice == TAC_NONE) return TAC_NONE;
    uint32_t i = tacQuerySlice(model, record->task, record->firstSlice, t);
    for (; i < task->slices.count && task->slices.at[i].begin <= t; i = tacQuerySlice(model, record->task, i + 1, t))
        if (task->slices.at[i].job == job && tacStateRuns(task->slices.at[i].state) && task->slices.at[i].end == t)
            return i;
    return TAC_NONE;
}

bool tacArrowBack(const tacModel *model, uint32_t task, uint32_t index, tacArrowTo *to) {
    const tacStore *store = model->store;
    const tacSlice *slice = &model->tasks[task].slices.at[index];
    uint32_t id = model->jobs.at[slice->job].id, row = tacStoreFind(store, slice->begin);
    bool runs = tacStateRuns(slice->state);
    for (; runs && row < tacStoreCount(store) && tacRowTime(store, row) == slice->begin; row++) {
        if (!isAboutJob(store, row) || targetOf(store, row) != id) continue;
        uint32_t job = tacQueryJob(model, tacRowSubject(store, row), slice->begin);
        uint32_t there = job == TAC_NONE || job == slice->job ? TAC_NONE : ranUntil(model, job, slice->begin);
        if (there == TAC_NONE) continue;
        *to = (tacArrowTo){TAC_ARROW_TARGET, model->jobs.at[job].task, there, slice->begin};
        return true;
    }
    return alongJob(model, task, index, false, to);
}

/* ---- events of an object ---------------------------------------------------------------------------------------- */

/* Number of points of a server's curve that are not after t (before: that are before t). */
static uint32_t pointsUntil(const tacServerModel *server, int64_t t, bool before) {
    const tacBudgetPoint *points = server->points.at;
    return tacPast(uint32_t, 0, server->points.count, i, before ? points[i].time < t : points[i].time <= t);
}

uint32_t tacServerNext(const tacModel *model, uint32_t server, int64_t t) {
    const tacServerModel *record = &model->servers[server];
    for (uint32_t i = pointsUntil(record, t, false); i < record->points.count; i++)
        if (record->points.at[i].row != TAC_NONE) return record->points.at[i].row;
    return TAC_NONE;
}

uint32_t tacServerPrevious(const tacModel *model, uint32_t server, int64_t t) {
    const tacServerModel *record = &model->servers[server];
    for (uint32_t i = pointsUntil(record, t, true); i-- > 0;)
        if (record->points.at[i].row != TAC_NONE) return record->points.at[i].row;
    return TAC_NONE;
}

/* Row of an event of the slice's job at t, else of any event at t. */
static uint32_t rowAt(const tacModel *model, const tacSlice *slice, int64_t t) {
    uint32_t row = tacRowOfJobAt(model, model->jobs.at[slice->job].id, t);
    return row != TAC_NONE ? row : tacStoreFind(model->store, t);
}

uint32_t tacProcessorNext(const tacModel *model, uint32_t processor, int64_t t) {
    const tacRun *runs = model->processors[processor].runs.at;
    uint32_t n = (uint32_t) model->processors[processor].runs.count;
    const tacSlice *best = NULL;
    int64_t at = INT64_MAX;
    if (t == INT64_MAX) return TAC_NONE;
    for (uint32_t i = tacQueryRun(model, processor, 0, t + 1); i < n; i = tacQueryRun(model, processor, i + 1, t + 1)) {
        const tacSlice *slice = tacRunSlice(model, runs[i]);
        int64_t time = slice->begin > t ? slice->begin : slice->end;
        if (time < at) at = time, best = slice;
        if (slice->begin > t) break; /* those after it begin later still */
    }
    return best ? rowAt(model, best, at) : TAC_NONE;
}

uint32_t tacProcessorPrevious(const tacModel *model, uint32_t processor, int64_t t) {
    const tacRun *runs = model->processors[processor].runs.at;
    uint32_t n = tacPast(
        uint32_t, 0, model->processors[processor].runs.count, i, tacRunSlice(model, runs[i])->begin < t);
    if (n == 0) return TAC_NONE;
    const tacSlice *slice = tacRunSlice(model, runs[n - 1]);
    return rowAt(model, slice, slice->end < t ? slice->end : slice->begin);
}

/* Time of the last event that the job may have. */
static int64_t lastOfJob(const tacModel *model, uint32_t job) {
    const tacJob *record = &model->jobs.at[job];
    int64_t last = record->completion == TAC_UNKNOWN ? model->lastMark : record->completion;
    return record->deadline != TAC_UNKNOWN && record->deadline > last ? record->deadline : last;
}

uint32_t tacJobNext(const tacModel *model, uint32_t job, int64_t t) {
    const tacStore *store = model->store;
    const tacJob *record = &model->jobs.at[job];
    int64_t begin = tacJobBegin(model, record), last = lastOfJob(model, job);
    if (t < begin) return record->row;
    uint32_t row = t == INT64_MAX ? tacStoreCount(store) : tacStoreFind(store, t + 1);
    for (; row < tacStoreCount(store) && tacRowTime(store, row) <= last; row++)
        if (isAboutJob(store, row) && tacRowSubject(store, row) == record->id) return row;
    return TAC_NONE;
}

uint32_t tacJobPrevious(const tacModel *model, uint32_t job, int64_t t) {
    const tacStore *store = model->store;
    const tacJob *record = &model->jobs.at[job];
    int64_t last = lastOfJob(model, job);
    uint32_t row = t > last && last < INT64_MAX ? tacStoreFind(store, last + 1) : tacStoreFind(store, t);
    while (row-- > record->row)
        if (isAboutJob(store, row) && tacRowSubject(store, row) == record->id) return row;
    return TAC_NONE;
}
