/*
 * replay.c -- one pass over the rows in time order, which builds the model.
 *
 * Each row goes to the handler of its event (replayState.h says in which file it is), then to the consumers. Before the
 * pass the recording's begin and end are found: the times of the first and of the last row that is no announcement.
 * After it, open slices and holds are cut at the end, and the indexes for queries are made.
 */
#include "base/port.h"

#include "model/jobTimes.h"
#include "model/replayState.h"

static tacReplayHandler *const handlers[TAC_EVENTS] = {
#define EVENT(code, name, arguments, options, traits, replay, ...) [TAC_EV_##code] = tacReplay##replay,
#include "trace/events.def"
};

int64_t tacNow(const struct tacReplay *r) { return r->now; }

const tacStateChange *tacNowChanges(const struct tacReplay *r, uint32_t *count) {
    *count = r->nChanges;
    return r->changes;
}

/* ---- before ---- */

static bool announces(const tacStore *store, uint32_t row) {
    return tacEventIs(tacRowEvent(store, row), TAC_TRAIT_ANNOUNCES);
}

/* Sets begin and end of the recording, with and without announcements. */
static void findSpan(tacModel *model, const tacStore *store) {
    uint32_t n = tacStoreCount(store), first = 0, last = n;
    while (first < n && announces(store, first)) first++;
    while (last > first && announces(store, last - 1)) last--;
    if (n == 0) return;
    model->firstMark = tacRowTime(store, 0);
    model->lastMark = tacRowTime(store, n - 1);
    model->begin = first < last ? tacRowTime(store, first) : model->firstMark;
    model->end = first < last ? tacRowTime(store, last - 1) : model->firstMark;
}

static bool startModel(tacModel *model, const tacStore *store) {
    uint32_t nTasks = tacStoreObjects(store, TAC_TASK), nJobs = tacStoreObjects(store, TAC_JOB);
    model->tasks = tacAllocZero(nTasks, sizeof *model->tasks);
    model->servers = tacAllocZero(tacStoreObjects(store, TAC_SERVER), sizeof *model->servers);
    model->processors = tacAllocZero((size_t) tacStoreObjects(store, TAC_PROCESSOR) + 1, sizeof *model->processors);
    model->buffers = tacAllocZero(tacStoreObjects(store, TAC_BUFFER), sizeof *model->buffers);
    model->mutexes = tacAllocZero(tacStoreObjects(store, TAC_MUTEX), sizeof *model->mutexes);
    model->semaphores = tacAllocZero(tacStoreObjects(store, TAC_SEMAPHORE), sizeof *model->semaphores);
    if (!model->tasks || !model->servers || !model->processors || !model->buffers || !model->mutexes
        || !model->semaphores || !tacArrayReserve(&model->lastJob, nJobs))
        return false;
    /* The default processor is taken away at the end if nothing ran on it. */
    model->nProcessors = tacStoreObjects(store, TAC_PROCESSOR) + 1;
    for (uint32_t i = 0; i < nTasks; i++) model->tasks[i].firstJob = TAC_NONE;
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_BUFFER); i++)
        model->buffers[i].finalCapacity = store->objects[TAC_BUFFER].at[i].capacity;
    for (uint32_t i = 0; i < nJobs; i++) model->lastJob.at[i] = TAC_NONE;
    model->lastJob.count = nJobs;
    return true;
}

/* The only processor that is defined, or TAC_NO_PROCESSOR. */
static uint16_t onlyProcessor(const tacStore *store) {
    uint16_t only = TAC_NO_PROCESSOR;
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_PROCESSOR); i++) {
        if (!store->objects[TAC_PROCESSOR].at[i].line) continue;
        if (only != TAC_NO_PROCESSOR) return TAC_NO_PROCESSOR;
        only = (uint16_t) i;
    }
    return only;
}

/* What is kept of a model while it is made; or of a complete one that is followed: how much of it there is already. */
static bool startArrays(tacReplayState *r) {
    uint32_t nTasks = tacStoreObjects(r->store, TAC_TASK), nServers = tacStoreObjects(r->store, TAC_SERVER);
    if (r->finished) {
        r->slices = tacAllocZero(nTasks, sizeof *r->slices);
        r->points = tacAllocZero(nServers, sizeof *r->points);
        r->counts = tacAllocZero(tacStoreObjects(r->store, TAC_SEMAPHORE), sizeof *r->counts);
        return r->slices && r->points && r->counts && tacArrayReserve(&r->lives, r->finished->mostLives)
            && tacArrayReserve(&r->open, r->finished->mostHolds);
    }
    r->lastOfTask = tacAlloc(nTasks * sizeof *r->lastOfTask);
    r->overlap = tacAllocZero(nTasks, sizeof *r->overlap);
    r->starving = tacAllocZero(nServers, sizeof *r->starving);
    return r->lastOfTask && r->overlap && r->starving;
}

static bool startState(
    tacReplayState *r, tacModel *model, const tacModel *finished, const tacStore *store, tacDiag *diag) {
    uint32_t nJobs = tacStoreObjects(store, TAC_JOB), nMutexes = tacStoreObjects(store, TAC_MUTEX);
    *r = (tacReplayState){.model = model,
        .finished = finished,
        .store = store,
        .diag = diag,
        .now = model->begin,
        .freeLive = TAC_NONE,
        .freeSums = TAC_NONE,
        .freeHold = TAC_NONE};
    for (int i = 0; i < TAC_REPLAY_PRESENT; i++) r->present[i].live = TAC_NONE;
    r->defaultProcessor = tacStoreObjects(store, TAC_PROCESSOR);
    r->onlyProcessor = onlyProcessor(store);
    r->live = tacAlloc(nJobs * sizeof *r->live);
    r->on = tacAllocZero(model->nProcessors, sizeof *r->on);
    r->holders = tacAlloc(nMutexes * sizeof *r->holders);
    r->contents = tacAllocZero(tacStoreObjects(store, TAC_BUFFER), sizeof *r->contents);
    if (!r->live || !r->on || !r->holders || !r->contents || !startArrays(r)) return false;
    for (uint32_t i = 0; i < nJobs; i++) r->live[i] = TAC_NONE;
    for (uint32_t i = 0; i < model->nProcessors; i++)
        r->on[i] = (tacOnProcessor){
            .first = TAC_NONE, .last = TAC_NONE, .lastJob = TAC_NONE, .unknownSince = TAC_UNKNOWN};
    for (uint32_t i = 0; i < nMutexes; i++) r->holders[i] = (tacHolders){TAC_NONE, TAC_NONE, 0};
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_BUFFER); i++)
        r->contents[i].capacity = store->objects[TAC_BUFFER].at[i].capacity;
    return true;
}

static void freeState(tacReplayState *r) {
    if (r->contents)
        for (uint32_t i = 0; i < tacStoreObjects(r->store, TAC_BUFFER); i++) tacBufferFree(&r->contents[i]);
    tacFree(r->live);
    tacFree(r->lastOfTask);
    tacFree(r->between);
    tacFree(r->overlap);
    tacFree(r->on);
    tacFree(r->holders);
    tacFree(r->starving);
    tacFree(r->contents);
    tacFree(r->slices);
    tacFree(r->points);
    tacFree(r->counts);
    tacFree(r->ranked);
    tacFree(r->nodes);
    tacArrayFree(&r->sums);
    tacArrayFree(&r->lives);
    tacArrayFree(&r->open);
    tacArrayFree(&r->filled);
    tacArrayFree(&r->lateDeadlines);
}

/* ---- the pass ---- */

/* Ends a block of rows: notes which tasks they were about. */
static bool endBlock(tacReplayState *r) {
    if (r->finished) return true;
    bool pushed = tacArrayPush(&r->model->rowTasks, r->rowTasks);
    r->rowTasks = 0;
    return pushed;
}

static tacStatus playRows(tacReplayState *r, const tacConsumer *consumers, int nConsumers, tacError *err) {
    const tacStore *store = r->store;
    uint32_t n = tacStoreCount(store), watch = TAC_PROGRESS_STEPS - 1;
    for (int i = 0; i < nConsumers; i++) watch &= (consumers[i].quick ? 128 : 16) - 1;
    for (uint32_t row = 0; row < n; row++) {
        r->row = row;
        r->now = tacRowTime(store, row);
        r->nChanges = r->migrates = 0;
        if (!handlers[tacRowEvent(store, row)](r, row, r->now) || (r->finished && !tacReplayKeep(r)))
            return tacFailMemory(err);
        for (int i = 0; i < nConsumers; i++)
            if (consumers[i].event(consumers[i].data, r->model, r, row, err) != TAC_OK) return TAC_ERROR;
        if (r->lacksMemory) return tacFailMemory(err);
        if ((row + 1) % TAC_ROW_BLOCK == 0 && !endBlock(r)) return tacFailMemory(err);
        if ((row & watch) == 0 && !tacProgressStep(store->progress, row)) return tacFailStopped(err, store->progress);
    }
    return n % TAC_ROW_BLOCK == 0 || endBlock(r) ? TAC_OK : tacFailMemory(err);
}

/* ---- after ---- */

static bool indexTask(tacTaskModel *task) {
    if (!tacSpanInit(&task->sliceSpan, (uint32_t) task->slices.count)
        || !tacSpanInit(&task->holdSpan, (uint32_t) task->holds.count) || !tacSpanInit(&task->waitSpan, task->nJobs))
        return false;
    for (uint32_t i = 0; i < task->slices.count; i++) tacSpanPut(&task->sliceSpan, i, task->slices.at[i].end);
    for (uint32_t i = 0; i < task->holds.count; i++) tacSpanPut(&task->holdSpan, i, task->holds.at[i].end);
    tacSpanFinish(&task->sliceSpan);
    tacSpanFinish(&task->holdSpan);
    return true;
}

/* Fills the spans over the waits of all jobs. */
static void indexWaits(tacReplayState *r) {
    tacModel *model = r->model;
    uint32_t nTasks = tacStoreObjects(r->store, TAC_TASK);
    uint32_t *position = r->lastOfTask; /* used anew: how many jobs of the task were seen */
    for (uint32_t i = 0; i < nTasks; i++) position[i] = 0;
    for (size_t i = 0; i < model->jobs.count && tacProgressAt(r->store->progress, i); i++) {
        const tacJob *job = &model->jobs.at[i];
        tacSpanPut(&model->tasks[job->task].waitSpan, position[job->task]++, tacJobWaitEnd(model, job));
    }
    for (uint32_t i = 0; i < nTasks; i++) tacSpanFinish(&model->tasks[i].waitSpan);
}

/* Makes the spans of all tasks, processors and mutexes. False: no memory, or cancelled. */
static bool makeIndexes(tacReplayState *r) {
    tacModel *model = r->model;
    tacProgress *progress = r->store->progress;
    for (uint32_t i = 0; i < tacStoreObjects(r->store, TAC_TASK); i++)
        if (!tacProgressStep(progress, 0) || !indexTask(&model->tasks[i])) return false;
    for (uint32_t i = 0; i < model->nProcessors; i++) {
        tacProcessorModel *processor = &model->processors[i];
        if (!tacProgressStep(progress, 0) || !tacSpanInit(&processor->runSpan, (uint32_t) processor->runs.count))
            return false;
        for (uint32_t k = 0; k < processor->runs.count; k++)
            tacSpanPut(&processor->runSpan, k, tacRunSlice(model, processor->runs.at[k])->end);
        tacSpanFinish(&processor->runSpan);
    }
    for (uint32_t i = 0; i < tacStoreObjects(r->store, TAC_MUTEX); i++) {
        tacMutexModel *mutex = &model->mutexes[i];
        if (!tacProgressStep(progress, 0) || !tacSpanInit(&mutex->holdSpan, (uint32_t) mutex->holds.count))
            return false;
        for (uint32_t k = 0; k < mutex->holds.count; k++) {
            tacMutexHold held = mutex->holds.at[k];
            tacSpanPut(&mutex->holdSpan, k, model->tasks[held.task].holds.at[held.hold].end);
        }
        tacSpanFinish(&mutex->holdSpan);
    }
    indexWaits(r);
    return !tacProgressStopped(progress);
}

/* Says that a sum of times does not fit, if that is so. */
static void sayLarge(tacReplayState *r, tacKind kind, uint32_t index, int64_t sum, const char *what) {
    if (sum == TAC_MORE)
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, r->store->objects[kind].at[index].line, "TIME RANGE",
            "%s \"%.80s\": %s is more than 64 bits hold, and is left empty", tacKindNames[kind],
            tacObjectId(r->store, kind, index), what);
}

/* Reports the sums of times (of stretches that may overlap) that do not fit. */
static void sayLargeSums(tacReplayState *r) {
    const tacModel *model = r->model;
    for (uint32_t i = 0; i < tacStoreObjects(r->store, TAC_TASK); i++)
        sayLarge(r, TAC_TASK, i, model->tasks[i].unknown, "the time in an unknown state");
    for (uint32_t i = 0; i < tacStoreObjects(r->store, TAC_MUTEX); i++)
        sayLarge(r, TAC_MUTEX, i, model->mutexes[i].held, "the time it is held");
    for (uint32_t i = 0; i < tacStoreObjects(r->store, TAC_SERVER); i++) {
        sayLarge(r, TAC_SERVER, i, model->servers[i].consumed, "the budget consumed");
        sayLarge(r, TAC_SERVER, i, model->servers[i].overrun, "what is consumed beyond the budget");
    }
}

static bool finish(tacReplayState *r) {
    tacModel *model = r->model;
    model->mostLives = (uint32_t) r->lives.count;
    model->mostHolds = (uint32_t) r->open.count;
    tacReplayFinishHolds(r);
    tacReplayFinishServers(r);
    if (!tacReplayFinishJobs(r) || !tacProgressPhase(r->store->progress, TAC_PHASE_SUMMARIES, tacStoreCount(r->store)))
        return false;
    for (uint32_t i = 0; i < tacStoreObjects(r->store, TAC_TASK); i++) model->tasks[i].overlap = r->overlap[i].most;
    for (uint32_t i = 0; i < model->nProcessors; i++) model->processors[i].overlap = r->on[i].overlap.most;
    sayLargeSums(r);
    tacModelTrim(model);
    if (!r->usesDefault) model->nProcessors--;
    if (!makeIndexes(r)) return false;
    tacModelMeasure(model);
    return tacJobTimesBuild(model);
}

/* Lets the consumers begin, and plays the rows. */
static tacStatus play(tacReplayState *r, const tacConsumer *consumers, int nConsumers, tacError *err) {
    tacStatus status = TAC_OK;
    tacConsumer *own = tacAlloc(((size_t) nConsumers + 1) * sizeof *own);
    r->watched = nConsumers > 0;
    if (!own) return tacFailMemory(err);
    for (int i = 0; i < nConsumers && status == TAC_OK; i++) {
        own[i] = consumers[i];
        if (own[i].begin) status = own[i].begin(&own[i], r->model, err);
    }
    if (status == TAC_OK) status = playRows(r, own, nConsumers, err);
    tacFree(own);
    return status;
}

tacStatus tacReplay(tacModel *model, const tacStore *store, tacDiag *diag, const tacConsumer *consumers, int nConsumers,
    tacError *err) {
    tacReplayState r = {0};
    *model = (tacModel){.store = store};
    findSpan(model, store);
    tacStatus status = TAC_OK;
    if (!tacProgressPhase(store->progress, TAC_PHASE_STATES, tacStoreCount(store)) || !startModel(model, store)
        || !tacReplayReserve(model) || !startState(&r, model, NULL, store, diag) || !tacReplayStartServers(&r))
        status = tacFailStopped(err, store->progress);
    if (status == TAC_OK) status = play(&r, consumers, nConsumers, err);
    if (status == TAC_OK && !finish(&r)) status = tacFailStopped(err, store->progress);
    freeState(&r);
    if (status != TAC_OK) tacModelFree(model);
    return status;
}

/* The view of a complete model: no job is known yet (tacIdJobs), and there is a processor "default". */
static tacModel startView(const tacModel *model) {
    tacModel view = *model;
    view.nProcessors = tacStoreObjects(model->store, TAC_PROCESSOR) + 1;
    view.times = NULL;
    view.idsChangeTask = false;
    view.jobs.count = 0;
    return view;
}

tacStatus tacReplayFollow(const tacModel *model, const tacConsumer *consumers, int nConsumers, tacError *err) {
    const tacStore *store = model->store;
    tacReplayState r = {0};
    tacModel view = startView(model);
    tacDiag remarks = {0}; /* made when the model was made */
    tacStatus status = TAC_OK;
    if (!tacProgressPhase(store->progress, TAC_PHASE_STATES, tacStoreCount(store))
        || !startState(&r, &view, model, store, &remarks))
        status = tacFailStopped(err, store->progress);
    if (status == TAC_OK) status = play(&r, consumers, nConsumers, err);
    freeState(&r);
    tacDiagFree(&remarks);
    return status;
}
