/*
 * replayJob.c -- the life of a job: released, started, preempted, blocked, migrated, completed; and runs on processors.
 *
 *            arrived          run             preempted
 *   (NONE) ---------> WAITING ----> RUNNING <-----------> PREEMPTED      completed, from any of them: COMPLETED
 *                        ^             |   run                 ^
 *                        |  preempted  v   (run: RUNNING)      |         run, when COMPLETED: BETWEEN, which ends by
 *                        +--------- BLOCKED -------------------+         preempted, blocked, completed or an arrival
 *                     (never started)   preempted (ready again)
 *
 * jobUnknown leads from each of these to UNKNOWN, and every event of the job leads out of it again as from PREEMPTED; a
 * job that was WAITING may have started in between. jobReady: like preempted of a BLOCKED or UNKNOWN job, else nothing.
 *
 * "run" is jobStarted or jobResumed. An id that arrives while its job is not completed abandons that job. Recorders of
 * several processors write a migration as run on the new one, then preempted on the old one, at one instant: that
 * preemption is the old processor's and changes nothing (tacLive.migratedAt).
 */
#include "base/port.h"

#include "base/search.h"
#include "model/query.h"
#include "model/replayState.h"

static inline tacJob *jobOf(tacReplayState *r, const tacLive *live) {
    return TAC_UNLIKELY(r->finished != NULL) ? tacReplayPresent(r, live) : &r->model->jobs.at[live->job];
}
static inline uint32_t placeOf(const tacReplayState *r, const tacLive *live) { return (uint32_t) (live - r->lives.at); }

/* A remark about a job of the task, at the row under way. */
static void remark(tacReplayState *r, tacSeverity severity, const char *kind, const char *what, uint32_t task) {
    tacDiagAdd(r->diag, severity, tacRowLine(r->store, r->row), kind, "a job of task \"%.80s\" %s",
        tacObjectId(r->store, TAC_TASK, task), what);
}

/* Sets the state of a job, and notes the change for consumers. */
static inline void become(tacReplayState *r, tacLive *live, tacJob *job, tacJobState state) {
    bool changes = job->state != state || tacStateRuns(state);
    if (TAC_UNLIKELY(r->watched) && changes && r->nChanges < TAC_REPLAY_CHANGES)
        r->changes[r->nChanges++] = (tacStateChange){
            live->job, (uint8_t) job->state, (uint8_t) state, r->migrates && tacStateRuns(state)};
    if (TAC_UNLIKELY(r->ranked != NULL)) tacReplayLeaveRank(r, placeOf(r, live));
    job->state = live->state = (uint8_t) state;
    if (TAC_UNLIKELY(r->ranked != NULL)) tacReplayEnterRank(r, placeOf(r, live));
}

/* ---- runs on processors ---- */

/* Ends the stretch in which it is unknown which job runs on the processor, if there is one; false: no memory. */
static bool endUnknown(tacReplayState *r, uint32_t processor, int64_t t) {
    int64_t since = r->on[processor].unknownSince;
    r->on[processor].unknownSince = TAC_UNKNOWN;
    return r->finished || since == TAC_UNKNOWN || since == t
        || tacArrayPush(&r->model->processors[processor].unknown, ((tacStretch){since, t}));
}

/* Begins a run: the job of `live` runs on the processor of its open slice from now on, as the last in its list. */
static bool beginRun(tacReplayState *r, tacLive *live, const tacSlice *slice, uint32_t task) {
    tacProcessorModel *processor = &r->model->processors[slice->processor];
    tacOnProcessor *on = &r->on[slice->processor];
    uint32_t self = placeOf(r, live);
    bool interrupt = tacIsInterrupt(r->model, task);
    if (on->unknownSince != TAC_UNKNOWN && !interrupt && !endUnknown(r, slice->processor, slice->begin)) return false;
    if (!r->finished && !tacArrayPush(&processor->runs, (tacRun){task, live->slice})) return false;
    live->before = on->last;
    live->after = TAC_NONE;
    *(on->last == TAC_NONE ? &on->first : &r->lives.at[on->last].after) = self;
    on->last = self;
    if (on->count++ == 0) on->busySince = slice->begin;
    if (r->finished) return true;
    if (interrupt) return processor->interrupted = true;
    tacOverlapChange(&on->overlap, slice->begin, 1);
    if (on->lastJob != slice->job) processor->switches++;
    on->lastJob = slice->job;
    return true;
}

/* Ends a run: the job of `live` no longer runs on the processor of the slice, which ends. */
static void endRun(tacReplayState *r, const tacLive *live, const tacSlice *slice, uint32_t task) {
    tacProcessorModel *processor = &r->model->processors[slice->processor];
    tacOnProcessor *on = &r->on[slice->processor];
    *(live->before == TAC_NONE ? &on->first : &r->lives.at[live->before].after) = live->after;
    *(live->after == TAC_NONE ? &on->last : &r->lives.at[live->after].before) = live->before;
    on->count--;
    if (r->finished) return;
    if (!tacIsInterrupt(r->model, task)) tacOverlapChange(&on->overlap, slice->end, -1);
    if (on->count == 0) processor->busy = tacAddTicks(processor->busy, tacElapsed(on->busySince, slice->end));
    int64_t length = tacElapsed(slice->begin, slice->end);
    if (length > processor->longest) processor->longest = length;
}

/* ---- slices ---- */

/* The open slice of a job. */
static inline tacSlice *openOf(const tacReplayState *r, const tacLive *live) {
    return &r->model->tasks[r->model->jobs.at[live->job].task].slices.at[live->slice];
}

/* Begins a slice in a new state of the job. */
static bool openSlice(tacReplayState *r, tacLive *live, tacJobState state, int64_t t, uint16_t processor) {
    tacJob *job = jobOf(r, live);
    tacTaskModel *task = &r->model->tasks[job->task];
    uint32_t index = r->finished ? r->slices[job->task]++ : (uint32_t) task->slices.count;
    tacSlice slice = {t, t, live->job, processor, (uint8_t) state, 0};
    if (!r->finished && !tacArrayPush(&task->slices, slice)) return false;
    live->slice = index;
    live->hasRun |= state == TAC_STATE_RUNNING;
    become(r, live, job, state);
    if (job->firstSlice == TAC_NONE) job->firstSlice = index;
    if (state != TAC_STATE_BETWEEN && !r->finished) tacOverlapChange(&r->overlap[job->task], t, 1);
    return !tacStateRuns(state) || beginRun(r, live, &slice, job->task);
}

/* Sets the end of a slice of a task, and counts its length. */
static void endSlice(tacReplayState *r, uint32_t index, tacSlice *slice, int64_t t) {
    tacTaskModel *task = &r->model->tasks[index];
    slice->end = t;
    int64_t length = tacElapsed(slice->begin, t);
    if (length > task->longest) task->longest = length;
    if (slice->state == TAC_STATE_UNKNOWN) task->unknown = tacAddTicks(task->unknown, length);
    if (slice->state != TAC_STATE_BETWEEN) tacOverlapChange(&r->overlap[index], t, -1);
}

/* Ends the open slice, if there is one; the job's state is the caller's to set. */
static void closeSlice(tacReplayState *r, tacLive *live, int64_t t) {
    if (live->slice == TAC_NONE) return;
    tacJob *job = jobOf(r, live);
    tacSlice *slice = &r->model->tasks[job->task].slices.at[live->slice];
    live->slice = TAC_NONE;
    if (!r->finished) endSlice(r, job->task, slice, t);
    int64_t length = tacElapsed(slice->begin, t);
    if (slice->state == TAC_STATE_RUNNING) job->execution = tacAddTicks(job->execution, length);
    else if (slice->state == TAC_STATE_PREEMPTED) job->preempted = tacAddTicks(job->preempted, length);
    else if (slice->state == TAC_STATE_BLOCKED) job->blocked = tacAddTicks(job->blocked, length);
    if (tacStateRuns(slice->state)) endRun(r, live, slice, job->task);
}

/* ---- jobs and their records ---- */

/* Sets or clears the flag MISSED: called whenever the deadline or the completion changes. */
static void updateMissed(const tacReplayState *r, tacJob *job) {
    int64_t reached = job->completion != TAC_UNKNOWN ? job->completion : r->model->end;
    bool missed = job->deadline != TAC_UNKNOWN && reached > job->deadline && !(job->flags & TAC_JOB_NO_COMPLETION);
    job->flags = (uint8_t) (missed ? job->flags | TAC_JOB_MISSED : job->flags & ~TAC_JOB_MISSED);
}

/* Of a job that no event assigns: newJob's, else its task's, else the only one there is. */
uint16_t tacReplayHome(const tacReplayState *r, uint32_t id, uint32_t task, uint16_t announced) {
    const tacStore *store = r->store;
    int64_t value;
    if (announced != TAC_NO_PROCESSOR) return announced;
    if (store->objectOptions[TAC_JOB].count && tacObjectOption(store, TAC_JOB, id, TAC_OPT_PROCESSOR, &value)
        && store->objects[TAC_PROCESSOR].at[value].line)
        return (uint16_t) value;
    uint16_t processor = store->objects[TAC_TASK].at[task].processor;
    return processor != TAC_NO_PROCESSOR ? processor : r->onlyProcessor;
}

/* Makes a record for an id that has none. Returns its index, or TAC_NONE. */
static uint32_t newLive(tacReplayState *r, uint32_t id) {
    uint32_t index = r->freeLive;
    if (index != TAC_NONE) r->freeLive = r->lives.at[index].after;
    else {
        index = (uint32_t) r->lives.count;
        if (!tacArrayPush(&r->lives, (tacLive){0})) return TAC_NONE;
    }
    r->lives.at[index] = (tacLive){.job = TAC_NONE,
        .slice = TAC_NONE,
        .holds = TAC_NONE,
        .before = TAC_NONE,
        .after = TAC_NONE,
        .sums = TAC_NONE,
        .goesTo = TAC_NO_PROCESSOR,
        .ranOn = TAC_NO_PROCESSOR};
    r->live[id] = index;
    return index;
}

/* Is the record of a job now as it is in the end? The order of jobs and slices is not asked for meanwhile. */
static bool isFinal(tacReplayState *r, const tacLive *live) {
    const tacJob *now = jobOf(r, live), *end = &r->finished->jobs.at[live->job];
    return now->release == end->release && now->start == end->start && now->completion == end->completion
        && now->deadline == end->deadline && now->execution == end->execution && now->preempted == end->preempted
        && now->blocked == end->blocked && now->preemptions == end->preemptions && now->migrations == end->migrations
        && now->processor == end->processor && now->state == end->state && now->flags == end->flags;
}

void tacReplaySettle(tacReplayState *r, uint32_t index) {
    tacLive *live = &r->lives.at[index];
    bool over = live->state == TAC_STATE_COMPLETED || live->state == TAC_STATE_NONE;
    if (!over || live->holds != TAC_NONE || (r->finished && !isFinal(r, live))) return;
    if (r->finished) tacReplayForget(r, index);
    r->live[r->model->jobs.at[live->job].id] = TAC_NONE;
    live->job = TAC_NONE;
    live->after = r->freeLive;
    r->freeLive = index;
}

/* Puts a job at the end of its task's list. */
static bool appendToTask(tacReplayState *r, uint32_t task, uint32_t index) {
    tacTaskModel *model = &r->model->tasks[task];
    if (model->nJobs % TAC_SPAN_BLOCK == 0 && !tacArrayPush(&model->jobMarks, index)) return false;
    if (model->nJobs++ == 0) model->firstJob = index;
    else r->model->jobs.at[r->lastOfTask[task]].next = index;
    r->lastOfTask[task] = index;
    return true;
}

int64_t tacReplayImplied(const tacReplayState *r, uint32_t task, int64_t release) {
    int64_t relative = r->store->objects[TAC_TASK].at[task].D;
    if (relative == TAC_UNKNOWN || release == TAC_UNKNOWN) return TAC_UNKNOWN;
    return tacIsTime(release + relative) ? release + relative : TAC_UNKNOWN;
}

/* Sets the job's release, and the deadline that follows from it and its task's -D. */
static void setRelease(const tacReplayState *r, tacJob *job, int64_t release) {
    job->release = release;
    job->flags &= (uint8_t) ~TAC_JOB_NO_RELEASE;
    job->deadline = tacReplayImplied(r, job->task, release);
    if (job->deadline != TAC_UNKNOWN || r->store->objects[TAC_TASK].at[job->task].D == TAC_UNKNOWN) return;
    tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, tacRowLine(r->store, r->row), "TIME RANGE",
        "the deadline of job \"%.80s\" is too far away for 64 bits: it has none",
        tacObjectId(r->store, TAC_JOB, job->id));
}

/* Adds a new job to the model, the latest one of its id. False: no memory. */
static bool addJob(tacReplayState *r, uint32_t live, const tacJob *job) {
    tacModel *model = r->model;
    uint32_t index = (uint32_t) model->jobs.count, *last = &model->lastJob.at[job->id];
    model->idsChangeTask |= job->task != r->store->jobTask.at[job->id];
    if (r->finished) {
        tacReplayBegins(r, live, job);
        model->jobs.count++;
        return true;
    }
    if (!tacArrayPush(&model->jobs, *job) || !appendToTask(r, job->task, index)) return false;
    r->idsRepeat |= *last != TAC_NONE;
    *last = index;
    return true;
}

/* Begins a new job of an id. release: TAC_UNKNOWN if it was not announced. Returns the index of the id's record, or
 * TAC_NONE. */
static uint32_t beginJob(
    tacReplayState *r, uint32_t id, uint32_t task, uint32_t row, int64_t release, uint16_t goesTo) {
    uint32_t index = (uint32_t) r->model->jobs.count;
    uint32_t at = r->live[id] != TAC_NONE ? r->live[id] : newLive(r, id);
    if (at == TAC_NONE) return TAC_NONE;
    goesTo = tacReplayHome(r, id, task, goesTo);
    tacJob job = {.release = TAC_UNKNOWN,
        .start = TAC_UNKNOWN,
        .completion = TAC_UNKNOWN,
        .deadline = TAC_UNKNOWN,
        .id = id,
        .task = task,
        .row = row,
        .firstSlice = TAC_NONE,
        .next = TAC_NONE,
        .processor = goesTo,
        .state = TAC_STATE_NONE,
        .flags = TAC_JOB_NO_RELEASE};
    if (release != TAC_UNKNOWN) setRelease(r, &job, release);
    if (!addJob(r, at, &job)) return TAC_NONE;
    tacLive *live = &r->lives.at[at];
    live->job = index;
    live->slice = TAC_NONE;
    live->hasRun = live->migrated = false;
    live->goesTo = goesTo;
    live->ranOn = TAC_NO_PROCESSOR;
    become(r, live, jobOf(r, live), TAC_STATE_WAITING);
    return at;
}

/* The latest job of an id so far; TAC_NONE: none. */
static inline uint32_t latestOf(const tacReplayState *r, uint32_t id) {
    uint32_t live = r->live[id], n;
    if (!r->finished) return r->model->lastJob.at[id];
    if (live < TAC_UNSTARTED) return r->lives.at[live].job;
    const uint32_t *jobs = tacIdJobs(r->model, id, &n);
    return jobs ? jobs[n - 1] : TAC_NONE;
}

/* State of the latest job of an id, which has one (invariant 5). */
static inline tacJobState latestState(const tacReplayState *r, uint32_t id) {
    uint32_t live = r->live[id];
    if (live == TAC_UNSTARTED) return TAC_STATE_WAITING;
    return live != TAC_NONE ? r->lives.at[live].state : r->model->jobs.at[latestOf(r, id)].state;
}

bool tacReplayThaw(tacReplayState *r, uint32_t id) {
    if (r->live[id] != TAC_UNSTARTED) return true;
    uint32_t job = latestOf(r, id), index = newLive(r, id);
    if (index == TAC_NONE) return r->live[id] = TAC_UNSTARTED, false;
    const tacJob *record = &r->model->jobs.at[job];
    tacLive *live = &r->lives.at[index];
    live->job = job;
    live->state = TAC_STATE_WAITING;
    live->goesTo = tacReplayHome(r, id, record->task, tacRowProcessor(r->store, record->row));
    return true;
}

uint32_t tacReplayLive(tacReplayState *r, uint32_t id, uint32_t row) {
    if (!tacReplayThaw(r, id)) return TAC_NONE;
    uint32_t index = r->live[id], job = latestOf(r, id);
    if (job == TAC_NONE || latestState(r, id) == TAC_STATE_NONE)
        return beginJob(r, id, r->store->jobTask.at[id], row, TAC_UNKNOWN, TAC_NO_PROCESSOR);
    if (index != TAC_NONE) return index;
    index = newLive(r, id);
    if (index == TAC_NONE) return TAC_NONE;
    const tacJob *last = &r->model->jobs.at[job];
    tacLive *live = &r->lives.at[index];
    live->job = job;
    live->state = last->state;
    live->flags = last->flags;
    live->sums = TAC_FINAL;
    live->hasRun = r->finished && tacQueryHasRun(r->finished, job, r->now);
    live->goesTo = last->processor;
    if (last->start != TAC_UNKNOWN) live->ranOn = last->processor;
    return index;
}

/* ---- handlers ---- */

/* Ends a job that was not seen to complete. */
static void abandon(tacReplayState *r, tacLive *live, int64_t t) {
    tacJob *job = jobOf(r, live);
    closeSlice(r, live, t);
    job->flags |= job->state == TAC_STATE_UNKNOWN ? TAC_JOB_ABANDONED | TAC_JOB_NO_COMPLETION : TAC_JOB_ABANDONED;
    become(r, live, job, TAC_STATE_NONE);
    updateMissed(r, job);
}

/* Notes the processor on which the job will go on, if one is named. */
static void announce(tacLive *live, tacJob *job, uint16_t processor) {
    if (processor == TAC_NO_PROCESSOR) return;
    live->goesTo = processor;
    if (job->start == TAC_UNKNOWN && live->ranOn == TAC_NO_PROCESSOR) job->processor = processor;
}

bool tacReplayJobArrived(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t id = tacRowSubject(r->store, row), task = tacRowObject(r->store, row);
    tacReplayTouch(r, task);
    if (!r->finished && !tacReplayArrow(&r->model->tasks[task], r->store, row)) return false;
    if (!tacReplayThaw(r, id)) return false;
    if (r->live[id] != TAC_NONE) {
        tacLive *live = &r->lives.at[r->live[id]];
        tacJob *job = jobOf(r, live);
        bool goesOn = job->state != TAC_STATE_NONE && job->state != TAC_STATE_COMPLETED
            && job->state != TAC_STATE_BETWEEN;
        if (goesOn && (job->flags & TAC_JOB_NO_RELEASE) && tacJobBegin(r->model, job) == t) {
            /* The job was used just before, at the same time: this is its arrival. */
            setRelease(r, job, t);
            if (job->state != TAC_STATE_RUNNING) announce(live, job, tacRowProcessor(r->store, row));
            return true;
        }
        if (job->completion == TAC_UNKNOWN) {
            abandon(r, live, t);
            remark(r, TAC_SEVERITY_NOTE, "JOB ABANDONED", "is not completed when its id arrives anew", job->task);
        } else closeSlice(r, live, t);
        if (job->state == TAC_STATE_BETWEEN) become(r, live, job, TAC_STATE_COMPLETED);
    }
    return beginJob(r, id, task, row, t, tacRowProcessor(r->store, row)) != TAC_NONE;
}

/* Processor on which the job runs from now on: as the event says, as announced, where it ran last, its home, or the
 * default one. */
static uint16_t whereTo(tacReplayState *r, const tacLive *live, uint32_t row) {
    uint16_t processor = tacRowProcessor(r->store, row);
    if (processor == TAC_NO_PROCESSOR) processor = live->goesTo;
    if (processor == TAC_NO_PROCESSOR) processor = live->ranOn;
    if (processor != TAC_NO_PROCESSOR) return processor;
    r->usesDefault = true;
    return (uint16_t) r->defaultProcessor;
}

/* Notes the processor that a job begins to run on. If it is another one than before, and both are known, the job has
 * migrated. */
static bool arriveOn(tacReplayState *r, tacLive *live, uint16_t processor, uint32_t row) {
    tacJob *job = jobOf(r, live);
    uint16_t before = live->ranOn;
    live->goesTo = TAC_NO_PROCESSOR;
    live->ranOn = processor;
    job->processor = processor;
    if (before == processor || before == TAC_NO_PROCESSOR || job->completion != TAC_UNKNOWN) return true;
    if (before == r->defaultProcessor || processor == r->defaultProcessor) return true;
    job->migrations++;
    r->migrates = true;
    return r->finished || tacArrayPush(&r->model->processors[processor].migrations, row);
}

/* Ends the work between jobs of a record, and the record if nothing keeps it. */
static void endBetween(tacReplayState *r, uint32_t index, int64_t t) {
    tacLive *live = &r->lives.at[index];
    closeSlice(r, live, t);
    become(r, live, jobOf(r, live), TAC_STATE_COMPLETED);
    tacReplaySettle(r, index);
}

/* Ends the work between jobs of another job of the task when this one runs: some recorders note no other end of it. */
static void endOtherBetween(tacReplayState *r, uint32_t index, int64_t t) {
    const tacJob *jobs = r->model->jobs.at;
    uint32_t task = jobs[r->lives.at[index].job].task, other = r->between ? r->between[task] : TAC_NONE;
    if (other == TAC_NONE || other == index) return;
    r->between[task] = TAC_NONE;
    const tacLive *live = &r->lives.at[other];
    if (live->job != TAC_NONE && jobs[live->job].task == task && live->state == TAC_STATE_BETWEEN)
        endBetween(r, other, t);
}

/* Notes that the record works between jobs, and begins the slice. False: no memory. */
static bool openBetween(tacReplayState *r, uint32_t index, uint32_t task, int64_t t, uint16_t processor) {
    uint32_t nTasks = tacStoreObjects(r->store, TAC_TASK);
    if (!r->between) {
        r->between = tacAlloc(nTasks * sizeof *r->between);
        for (uint32_t i = 0; r->between && i < nTasks; i++) r->between[i] = TAC_NONE;
    }
    if (!r->between) return false;
    r->between[task] = index;
    return openSlice(r, &r->lives.at[index], TAC_STATE_BETWEEN, t, processor);
}

bool tacReplayJobRuns(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t index = tacReplayLive(r, tacRowSubject(r->store, row), row);
    if (index == TAC_NONE) return false;
    tacLive *live = &r->lives.at[index];
    tacJob *job = jobOf(r, live);
    tacReplayTouch(r, job->task);
    uint16_t processor = whereTo(r, live, row);
    bool running = tacStateRuns(job->state);
    if (running && live->ranOn == processor) return true;
    live->migrated = running;
    endOtherBetween(r, index, t);
    closeSlice(r, live, t);
    if (job->state == TAC_STATE_COMPLETED) {
        int64_t forced;
        if (!tacRowOption(r->store, row, TAC_OPT_FORCE, &forced))
            remark(r, TAC_SEVERITY_WARNING, "RESUMED COMPLETED", "is resumed after its completion: work between jobs",
                job->task);
    } else if (!tacJobStarted(job) && job->completion == TAC_UNKNOWN) job->start = t;
    if (!arriveOn(r, live, processor, row)) return false;
    if (job->completion == TAC_UNKNOWN) return openSlice(r, live, TAC_STATE_RUNNING, t, processor);
    return openBetween(r, index, job->task, t, processor);
}

/* The record of the row's job. NULL and *done: the job is over (completed and forgotten, or abandoned), so that a stop
 * changes nothing; NULL alone: no memory. */
static inline tacLive *liveOf(tacReplayState *r, uint32_t row, bool *done) {
    uint32_t id = tacRowSubject(r->store, row), last = latestOf(r, id);
    *done = last != TAC_NONE && (r->live[id] == TAC_NONE || latestState(r, id) == TAC_STATE_NONE);
    if (*done) {
        tacReplayTouch(r, r->model->jobs.at[last].task);
        return NULL;
    }
    uint32_t index = tacReplayLive(r, id, row);
    if (index == TAC_NONE) return NULL;
    tacLive *live = &r->lives.at[index];
    tacReplayTouch(r, r->model->jobs.at[live->job].task);
    return live;
}

/* Is the job blocked, or may it be? */
static bool mayBeBlocked(const tacJob *job) {
    return job->state == TAC_STATE_BLOCKED || job->state == TAC_STATE_UNKNOWN;
}

/* Makes the job ready without running: preempted, or waiting when it never started. */
static bool becomeReady(tacReplayState *r, tacLive *live, int64_t t) {
    tacJob *job = jobOf(r, live);
    closeSlice(r, live, t);
    if (tacJobStarted(job)) return openSlice(r, live, TAC_STATE_PREEMPTED, t, job->processor);
    become(r, live, job, TAC_STATE_WAITING);
    return true;
}

bool tacReplayJobPreempted(tacReplayState *r, uint32_t row, int64_t t) {
    bool done;
    tacLive *live = liveOf(r, row, &done);
    if (!live) return done;
    tacJob *job = jobOf(r, live);
    if (tacStateRuns(job->state) && live->migrated && openOf(r, live)->begin == t) return live->migrated = false, true;
    if (job->state == TAC_STATE_BETWEEN) return endBetween(r, placeOf(r, live), t), true;
    if (job->state == TAC_STATE_COMPLETED) return true;
    announce(live, job, tacRowProcessor(r->store, row));
    if (job->state == TAC_STATE_RUNNING) job->preemptions++;
    return job->state != TAC_STATE_RUNNING && !mayBeBlocked(job) ? true : becomeReady(r, live, t);
}

bool tacReplayJobReady(tacReplayState *r, uint32_t row, int64_t t) {
    bool done;
    tacLive *live = liveOf(r, row, &done);
    if (!live) return done;
    tacJob *job = jobOf(r, live);
    if (job->completion == TAC_UNKNOWN) announce(live, job, tacRowProcessor(r->store, row));
    return mayBeBlocked(job) ? becomeReady(r, live, t) : true;
}

bool tacReplayJobUnknown(tacReplayState *r, uint32_t row, int64_t t) {
    bool done;
    tacLive *live = liveOf(r, row, &done);
    if (!live) return done;
    tacJob *job = jobOf(r, live);
    if (job->state == TAC_STATE_BETWEEN) return endBetween(r, placeOf(r, live), t), true;
    if (job->state == TAC_STATE_COMPLETED || job->state == TAC_STATE_UNKNOWN) return true;
    announce(live, job, tacRowProcessor(r->store, row));
    closeSlice(r, live, t);
    job->flags |= job->start == TAC_UNKNOWN ? TAC_JOB_UNKNOWN | TAC_JOB_NO_START : TAC_JOB_UNKNOWN;
    return openSlice(r, live, TAC_STATE_UNKNOWN, t, job->processor);
}

/* A job that never had a slice gets an empty one, from which tacQueryJobState sees when it was over. */
bool tacReplayJobAbandoned(tacReplayState *r, uint32_t row, int64_t t) {
    if (!tacReplayJobUnknown(r, row, t)) return false;
    uint32_t index = r->live[tacRowSubject(r->store, row)];
    if (index == TAC_NONE || r->lives.at[index].state != TAC_STATE_UNKNOWN) return true;
    abandon(r, &r->lives.at[index], t);
    tacReplaySettle(r, index);
    return true;
}

bool tacReplayJobBlocked(tacReplayState *r, uint32_t row, int64_t t) {
    bool done;
    tacLive *live = liveOf(r, row, &done);
    if (!live) return done;
    const tacJob *job = jobOf(r, live);
    if (job->state == TAC_STATE_BETWEEN) return endBetween(r, placeOf(r, live), t), true;
    if (job->state == TAC_STATE_BLOCKED || job->state == TAC_STATE_COMPLETED) return true;
    closeSlice(r, live, t);
    return openSlice(r, live, TAC_STATE_BLOCKED, t, job->processor);
}

/* Notes about completions, by the state in which the job was; NULL: none. */
static const char *const completionNotes[TAC_STATES] = {
    [TAC_STATE_WAITING] = "is completed while not running (not started)",
    [TAC_STATE_PREEMPTED] = "is completed while not running (preempted)",
    [TAC_STATE_BLOCKED] = "is completed while it is blocked",
    [TAC_STATE_COMPLETED] = "is completed once more",
};

/* Notes a completion that does not fit the state of the job of a task. */
static void noteCompletion(tacReplayState *r, tacJobState state, uint32_t task) {
    if (completionNotes[state]) remark(r, TAC_SEVERITY_NOTE, "COMPLETION", completionNotes[state], task);
}

bool tacReplayJobCompleted(tacReplayState *r, uint32_t row, int64_t t) {
    bool done;
    tacLive *live = liveOf(r, row, &done);
    uint32_t id = tacRowSubject(r->store, row);
    if (!live && done) noteCompletion(r, latestState(r, id), r->model->jobs.at[latestOf(r, id)].task);
    if (!live) return done;
    tacJob *job = jobOf(r, live);
    if (job->state == TAC_STATE_BETWEEN) return endBetween(r, placeOf(r, live), t), true;
    noteCompletion(r, job->state, job->task);
    if (job->state == TAC_STATE_COMPLETED) return true;
    if (live->holds != TAC_NONE)
        remark(r, TAC_SEVERITY_NOTE, "COMPLETION", "is completed while it holds a mutex", job->task);
    closeSlice(r, live, t);
    become(r, live, job, TAC_STATE_COMPLETED);
    job->completion = t;
    live->goesTo = job->processor; /* an announced processor is forgotten, as in a record made anew (tacReplayLive) */
    updateMissed(r, job);
    tacReplaySettle(r, placeOf(r, live));
    return true;
}

/* ---- processors in an unknown state ---- */

bool tacReplayProcessorUnknown(tacReplayState *r, uint32_t row, int64_t t) {
    tacOnProcessor *on = &r->on[tacRowSubject(r->store, row)];
    if (on->unknownSince == TAC_UNKNOWN) on->unknownSince = t;
    return true;
}

bool tacReplayProcessorIdle(tacReplayState *r, uint32_t row, int64_t t) {
    return endUnknown(r, tacRowSubject(r->store, row), t);
}

/* ---- deadlines ---- */

/* Gives a job an explicit deadline; the latest one counts. */
static void setDeadline(const tacReplayState *r, tacJob *job, int64_t t) {
    if ((job->flags & TAC_JOB_EXPLICIT_DEADLINE) && job->deadline > t) return;
    job->deadline = t;
    job->flags |= TAC_JOB_EXPLICIT_DEADLINE;
    updateMissed(r, job);
}

/* The same while a complete model is followed: a job without a live record has this deadline already, and one that
 * began later never gets it. */
static bool followDeadline(tacReplayState *r, uint32_t id, int64_t t) {
    bool thawed = tacReplayThaw(r, id);
    uint32_t at = thawed ? r->live[id] : TAC_NONE;
    tacJob *job = at == TAC_NONE ? NULL : jobOf(r, &r->lives.at[at]);
    if (!job || tacJobBegin(r->model, job) >= t) return thawed;
    setDeadline(r, job, t);
    tacReplaySettle(r, at);
    return true;
}

/* A deadline belongs to the id's job that was released last before it. If that is not the latest one so far, the job is
 * found when all are known (tacReplayFinishJobs). */
bool tacReplayJobDeadline(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t id = tacRowSubject(r->store, row);
    if (r->finished) return followDeadline(r, id, t);
    uint32_t last = latestOf(r, id), task = last == TAC_NONE ? r->store->jobTask.at[id] : r->model->jobs.at[last].task;
    tacReplayTouch(r, task);
    if (!tacReplayArrow(&r->model->tasks[task], r->store, row)) return false;
    if (last == TAC_NONE || tacJobBegin(r->model, &r->model->jobs.at[last]) >= t)
        return tacArrayPush(&r->lateDeadlines, row);
    setDeadline(r, &r->model->jobs.at[last], t);
    return true;
}

/* ---- the end ---- */

/* Makes the index of jobs by id (tacModel.idJobs) by counting, if some id has several. */
static bool indexIds(tacReplayState *r) {
    tacModel *model = r->model;
    if (!r->idsRepeat) return true;
    uint32_t nIds = (uint32_t) model->lastJob.count, nJobs = (uint32_t) model->jobs.count;
    model->idJobs = tacAlloc(nJobs * sizeof *model->idJobs);
    model->idStarts = tacAllocZero((size_t) nIds + 1, sizeof *model->idStarts);
    if (!model->idJobs || !model->idStarts) return false;
    uint32_t *starts = model->idStarts;
    for (uint32_t i = 0; i < nJobs; i++) starts[model->jobs.at[i].id]++;
    for (uint32_t id = 0, sum = 0; id <= nIds; id++) { /* to where each id's part ends */
        sum += starts[id];
        starts[id] = sum;
    }
    for (uint32_t i = nJobs; i-- > 0;) model->idJobs[--starts[model->jobs.at[i].id]] = i;
    return true;
}

bool tacReplayFinishJobs(tacReplayState *r) {
    tacModel *model = r->model;
    for (size_t i = 0; i < r->lives.count; i++) {
        tacLive *live = &r->lives.at[i];
        if (live->job == TAC_NONE) continue;
        tacJob *job = jobOf(r, live);
        if (live->slice != TAC_NONE) model->tasks[job->task].slices.at[live->slice].open = 1;
        closeSlice(r, live, model->end);
        if (job->state == TAC_STATE_UNKNOWN) job->flags |= TAC_JOB_NO_COMPLETION;
        updateMissed(r, job);
    }
    for (uint32_t i = 0; i < model->nProcessors; i++)
        if (!endUnknown(r, i, model->end)) return false;
    if (!indexIds(r)) return false;
    for (size_t i = 0; i < r->lateDeadlines.count; i++) { /* of the id's latest job that began before, or its first */
        uint32_t row = r->lateDeadlines.at[i], n;
        int64_t t = tacRowTime(r->store, row);
        const uint32_t *jobs = tacIdJobs(model, tacRowSubject(r->store, row), &n);
        if (!jobs) continue;
        uint32_t begun = tacPast(uint32_t, 1, n, k, tacJobBegin(model, &model->jobs.at[jobs[k]]) < t);
        setDeadline(r, &model->jobs.at[jobs[begun - 1]], t);
    }
    return true;
}

/* ---- now ---- */

uint32_t tacNowJob(const struct tacReplay *r, uint32_t jobId) { return latestOf(r, jobId); }

/* Is the job (of tacModel.jobs) of a model that is followed not over, so that it may be otherwise than in the end? Its
 * live record; NULL: it is TAC_UNSTARTED. */
static bool goesOn(const tacReplayState *r, uint32_t job, const tacLive **live) {
    uint32_t id = r->model->jobs.at[job].id, at = r->finished ? r->live[id] : TAC_NONE;
    *live = at < TAC_UNSTARTED ? &r->lives.at[at] : NULL;
    return at != TAC_NONE && latestOf(r, id) == job;
}

const tacJob *tacNowRecord(const struct tacReplay *r, uint32_t job) {
    const tacLive *live;
    if (!goesOn(r, job, &live)) return &r->model->jobs.at[job];
    tacJob *told = (tacJob *) &r->told;
    *told = tacReplayNow(r, job, live);
    return told;
}

bool tacNowHasRun(const struct tacReplay *r, uint32_t job) {
    const tacLive *live;
    if (!goesOn(r, job, &live)) return tacQueryHasRun(r->model, job, r->now);
    return live && live->hasRun;
}

tacJobState tacNowJobState(const struct tacReplay *r, uint32_t jobId, uint16_t *processor) {
    uint32_t index = latestOf(r, jobId);
    const tacJob *job = index == TAC_NONE ? NULL : tacNowRecord(r, index);
    bool ran = job && job->state != TAC_STATE_NONE
        && (job->state == TAC_STATE_BETWEEN || (processor && tacNowHasRun(r, index)));
    if (processor) *processor = ran ? job->processor : TAC_NO_PROCESSOR;
    return job ? (tacJobState) job->state : TAC_STATE_NONE;
}

uint32_t tacNowRunning(const struct tacReplay *r, uint32_t processor, uint32_t *jobs, uint32_t max) {
    uint32_t n = 0;
    for (uint32_t at = r->on[processor].first; at != TAC_NONE && n < max; at = r->lives.at[at].after)
        jobs[n++] = r->lives.at[at].job;
    return r->on[processor].count;
}

bool tacNowProcessorUnknown(const struct tacReplay *r, uint32_t processor) {
    return r->on[processor].unknownSince != TAC_UNKNOWN;
}
