/*
 * jobTimes.c -- wake-up, unknown and stolen time of jobs.
 *
 * Each of the three is found in two passes: the first marks the jobs that have a value, the second adds up. For stolen
 * time the interrupts of a processor are first united to stretches that lie apart, with the sum of those before each;
 * the time stolen from a run is then the difference of two sums.
 */
#include "base/port.h"

#include "base/search.h"
#include "model/jobTimes.h"

/* ---- values of some jobs ---------------------------------------------------------------------------------------- */

/* Makes room for a mark of each job; none is marked. */
static bool startMarks(tacJobTicks *some, size_t nJobs) {
    some->nJobs = nJobs;
    some->has = tacAllocZero(nJobs / 64 + 1, sizeof *some->has);
    return some->has != NULL;
}

static inline void mark(tacJobTicks *some, uint32_t job) { some->has[job / 64] |= (uint64_t) 1 << (job % 64); }

/* Makes room for the values after the last mark; all are `value` at first. */
static bool startValues(tacJobTicks *some, int64_t value) {
    size_t nWords = some->nJobs / 64 + 1;
    some->before = tacAlloc(nWords * sizeof *some->before);
    if (!some->before) return false;
    for (size_t i = 0; i < nWords; i++) {
        some->before[i] = (uint32_t) some->count;
        some->count += (size_t) __builtin_popcountll(some->has[i]);
    }
    some->ticks = tacAlloc((some->count + 1) * sizeof *some->ticks);
    if (!some->ticks) return false;
    for (size_t i = 0; i < some->count; i++) some->ticks[i] = value;
    return true;
}

/* The job's value; NULL: it has none. */
static int64_t *valueOf(const tacJobTicks *some, uint32_t job) {
    if (!some->has) return NULL;
    uint64_t word = some->has[job / 64], bit = (uint64_t) 1 << (job % 64);
    if (!(word & bit)) return NULL;
    return &some->ticks[some->before[job / 64] + (uint32_t) __builtin_popcountll(word & (bit - 1))];
}

static void freeTicks(tacJobTicks *some) {
    tacFree(some->has);
    tacFree(some->before);
    tacFree(some->ticks);
}

static uint64_t ticksBytes(const tacJobTicks *some) {
    return some->has
        ? (some->nJobs / 64 + 1) * (sizeof *some->has + sizeof *some->before) + some->count * sizeof *some->ticks
        : 0;
}

/* ---- wake-up ---------------------------------------------------------------------------------------------------- */

/* The first row at or after `row` with a jobReady; the number of rows: none. */
static uint32_t nextReady(const tacStore *store, uint32_t row) {
    uint32_t n = tacStoreCount(store);
    while (row < n && tacRowEvent(store, row) != TAC_EV_JOB_READY) row++;
    return row;
}

/* The job whose wake-up this row ends; TAC_NONE: it started already, or its release is not known. */
static uint32_t jobWoken(const tacModel *model, uint32_t row) {
    uint32_t n;
    const uint32_t *jobs = tacIdJobs(model, tacRowSubject(model->store, row), &n);
    uint32_t begun = jobs ? tacPast(uint32_t, 0, n, i, model->jobs.at[jobs[i]].row <= row) : 0;
    if (begun == 0) return TAC_NONE;
    const tacJob *job = &model->jobs.at[jobs[begun - 1]];
    int64_t t = tacRowTime(model->store, row);
    return job->release != TAC_UNKNOWN && job->release <= t && t <= tacJobWaitEnd(model, job) ? jobs[begun - 1]
                                                                                              : TAC_NONE;
}

/* Finds the wake-up times. False: no memory, or stopped; so too findUnknown and findStolen. */
static bool findWakeups(const tacModel *model, tacJobTicks *wakeup) {
    const tacStore *store = model->store;
    uint32_t n = tacStoreCount(store), first = nextReady(store, 0), job;
    if (first == n) return true;
    if (!startMarks(wakeup, model->jobs.count)) return false;
    for (uint32_t row = first; row < n; row = nextReady(store, row + 1)) {
        if (!tacProgressAt(store->progress, row)) return false;
        if ((job = jobWoken(model, row)) != TAC_NONE) mark(wakeup, job);
    }
    if (!startValues(wakeup, TAC_UNKNOWN)) return false;
    for (uint32_t row = first; row < n; row = nextReady(store, row + 1)) {
        if (!tacProgressAt(store->progress, row)) return false;
        int64_t *value = (job = jobWoken(model, row)) != TAC_NONE ? valueOf(wakeup, job) : NULL;
        if (value && *value == TAC_UNKNOWN) *value = tacElapsed(model->jobs.at[job].release, tacRowTime(store, row));
    }
    return true;
}

/* ---- unknown ---------------------------------------------------------------------------------------------------- */

static bool findUnknown(const tacModel *model, tacJobTicks *unknown) {
    uint32_t nTasks = tacStoreObjects(model->store, TAC_TASK), task = 0;
    while (task < nTasks && model->tasks[task].unknown == 0) task++;
    if (task == nTasks) return true;
    if (!startMarks(unknown, model->jobs.count)) return false;
    for (size_t i = 0; i < model->jobs.count; i++)
        if (model->jobs.at[i].flags & TAC_JOB_UNKNOWN) mark(unknown, (uint32_t) i);
    if (!startValues(unknown, 0)) return false;
    for (; task < nTasks; task++) {
        const tacTaskModel *one = &model->tasks[task];
        for (size_t i = 0; one->unknown && i < one->slices.count; i++) {
            const tacSlice *slice = &one->slices.at[i];
            if (!tacProgressAt(model->store->progress, i)) return false;
            if (slice->state != TAC_STATE_UNKNOWN) continue;
            int64_t *value = valueOf(unknown, slice->job);
            *value = tacAddTicks(*value, tacElapsed(slice->begin, slice->end));
        }
    }
    return true;
}

/* ---- stolen ----------------------------------------------------------------------------------------------------- */

typedef struct Handling { /* a stretch in which an interrupt is handled */
    int64_t begin, end;
    int64_t before; /* ticks of all stretches before it */
} Handling;

typedef struct Handlings {
    TAC_ARRAY(Handling) all;
} Handlings;

/* The handlings of a processor: its interrupts' runs, united to stretches that lie apart. */
static bool unite(const tacModel *model, const tacProcessorModel *processor, Handlings *found) {
    found->all.count = 0;
    for (size_t i = 0; i < processor->runs.count; i++) {
        tacRun run = processor->runs.at[i];
        if (!tacProgressAt(model->store->progress, i)) return false;
        if (!tacIsInterrupt(model, run.task)) continue;
        const tacSlice *slice = tacRunSlice(model, run);
        Handling *last = found->all.count ? &found->all.at[found->all.count - 1] : NULL;
        if (last && slice->begin <= last->end) {
            if (slice->end > last->end) last->end = slice->end;
        } else {
            int64_t before = last ? tacAddTicks(last->before, tacElapsed(last->begin, last->end)) : 0;
            if (!tacArrayPush(&found->all, (Handling){slice->begin, slice->end, before})) return false;
        }
    }
    return true;
}

/* The first handling that ends after t, from `first` on. */
static size_t handlingAfter(const Handlings *found, size_t first, int64_t t) {
    return tacPastNear(size_t, first, found->all.count, i, found->all.at[i].end <= t);
}

/* Ticks of handlings up to t, when `i` is the first that ends after t. */
static int64_t handledUntil(const Handlings *found, size_t i, int64_t t) {
    if (i == found->all.count)
        return i
            ? tacAddTicks(found->all.at[i - 1].before, tacElapsed(found->all.at[i - 1].begin, found->all.at[i - 1].end))
            : 0;
    const Handling *next = &found->all.at[i];
    return t > next->begin ? tacAddTicks(next->before, tacElapsed(next->begin, t)) : next->before;
}

/* Goes over the runs of a processor that interrupts stole time from: marks their jobs, or adds up the time (`add`). */
static bool findStolenOn(
    const tacModel *model, const tacProcessorModel *processor, const Handlings *found, tacJobTicks *stolen, bool add) {
    size_t first = 0;
    for (size_t i = 0; i < processor->runs.count; i++) {
        tacRun run = processor->runs.at[i];
        const tacSlice *slice = tacRunSlice(model, run);
        if (!tacProgressAt(model->store->progress, i)) return false;
        if (slice->state != TAC_STATE_RUNNING || tacIsInterrupt(model, run.task)) continue;
        first = handlingAfter(found, first, slice->begin);
        int64_t before = handledUntil(found, first, slice->begin);
        int64_t ticks = handledUntil(found, handlingAfter(found, first, slice->end), slice->end) - before;
        if (ticks == 0) continue;
        if (!add) mark(stolen, slice->job);
        else {
            int64_t *value = valueOf(stolen, slice->job);
            *value = tacAddTicks(*value, ticks);
        }
    }
    return true;
}

static bool findStolen(const tacModel *model, tacJobTicks *stolen) {
    uint32_t nTasks = tacStoreObjects(model->store, TAC_TASK), task = 0;
    while (task < nTasks && !(tacIsInterrupt(model, task) && model->tasks[task].slices.count)) task++;
    if (task == nTasks) return true;
    Handlings found = {{0}};
    bool fine = startMarks(stolen, model->jobs.count);
    for (int pass = 0; fine && pass < 2; pass++) {
        for (uint32_t p = 0; fine && p < model->nProcessors; p++)
            fine = unite(model, &model->processors[p], &found)
                && (!found.all.count || findStolenOn(model, &model->processors[p], &found, stolen, pass == 1));
        if (pass == 0) fine = fine && startValues(stolen, 0);
    }
    tacArrayFree(&found.all);
    return fine;
}

/* ---- all three -------------------------------------------------------------------------------------------------- */

bool tacJobTimesBuild(tacModel *model) {
    tacJobTimes times = {.wakeup = {0}};
    bool fine = findWakeups(model, &times.wakeup) && findUnknown(model, &times.unknown)
        && findStolen(model, &times.stolen);
    if (fine && (times.wakeup.has || times.unknown.has || times.stolen.has)) {
        model->times = tacAlloc(sizeof *model->times);
        fine = model->times != NULL;
        if (fine) return *model->times = times, true;
    }
    freeTicks(&times.wakeup);
    freeTicks(&times.unknown);
    freeTicks(&times.stolen);
    return fine;
}

void tacJobTimesFree(tacJobTimes *times) {
    if (!times) return;
    freeTicks(&times->wakeup);
    freeTicks(&times->unknown);
    freeTicks(&times->stolen);
    tacFree(times);
}

uint64_t tacJobTimesBytes(const tacJobTimes *times) {
    return times ? sizeof *times + ticksBytes(&times->wakeup) + ticksBytes(&times->unknown) + ticksBytes(&times->stolen)
                 : 0;
}

static int64_t ticksOf(const tacJobTicks *some, uint32_t job, int64_t none) {
    const int64_t *value = valueOf(some, job);
    return value ? *value : none;
}

int64_t tacJobWakeup(const tacModel *model, uint32_t job) {
    return model->times ? ticksOf(&model->times->wakeup, job, TAC_UNKNOWN) : TAC_UNKNOWN;
}
int64_t tacJobUnknown(const tacModel *model, uint32_t job) {
    return model->times ? ticksOf(&model->times->unknown, job, 0) : 0;
}
int64_t tacJobStolen(const tacModel *model, uint32_t job) {
    return model->times ? ticksOf(&model->times->stolen, job, 0) : 0;
}

int64_t tacJobNetExecution(const tacModel *model, uint32_t job) {
    const tacJob *one = &model->jobs.at[job];
    return one->flags & TAC_JOB_UNKNOWN ? TAC_UNKNOWN : one->execution - tacJobStolen(model, job);
}

bool tacNothingStolen(const tacModel *model) { return !model->times || !model->times->stolen.count; }
