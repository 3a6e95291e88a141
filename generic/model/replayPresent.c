/*
 * replayPresent.c -- jobs as they are now, while a complete model is followed.
 *
 * The complete model has the times at which a job began, started and was completed; whether that has happened is in its
 * live record. Its execution and the like are the sums of its slices that have begun: those among the FEW slices of its
 * task from its first one on are looked at; a job that has more keeps sums of its own. The same for a deadline that
 * does not follow from its release.
 *
 *      row's handler -> tacReplayPresent: the whole record, to be changed -> tacReplayKeep: what has to be kept of it
 */
#include "base/port.h"

#include "model/replayState.h"

enum { FEW = 16 }; /* slices of a task */

/* ---- now --------------------------------------------------------------------------------------------------------- */

/* Has a job that is to run on the processor migrated, when it ran on another one before? Default ones do not count. */
static bool migrates(const tacReplayState *r, uint16_t before, uint16_t processor) {
    return before != TAC_NO_PROCESSOR && before != processor && before != r->defaultProcessor
        && processor != r->defaultProcessor;
}

/* Index behind the slices that are looked at for the sums of a job; 0: none of its slices has begun. */
static uint32_t endOfFew(const tacReplayState *r, const tacJob *job) {
    uint32_t begun = r->slices[job->task];
    if (job->firstSlice == TAC_NONE || job->firstSlice >= begun) return 0;
    return begun - job->firstSlice > FEW ? job->firstSlice + FEW : begun;
}

/* Sets the sums of a job (an index) to those of its slices among the first FEW. */
static void sumUp(const tacReplayState *r, uint32_t index, const tacLive *live, tacJob *job) {
    uint16_t before = TAC_NO_PROCESSOR;
    uint8_t last = TAC_STATE_NONE;
    job->execution = job->preempted = job->blocked = 0;
    job->preemptions = job->migrations = 0;
    for (uint32_t i = job->firstSlice, end = endOfFew(r, job); i < end; i++) {
        const tacSlice *slice = &r->model->tasks[job->task].slices.at[i];
        if (slice->job != index) continue;
        if (slice->state == TAC_STATE_RUNNING) {
            job->migrations += migrates(r, before, slice->processor);
            before = slice->processor;
        }
        job->preemptions += last == TAC_STATE_RUNNING && slice->state == TAC_STATE_PREEMPTED;
        last = slice->state;
        int64_t length = live->slice == i ? 0 : tacElapsed(slice->begin, slice->end);
        if (last == TAC_STATE_RUNNING) job->execution = tacAddTicks(job->execution, length);
        else if (last == TAC_STATE_PREEMPTED) job->preempted = tacAddTicks(job->preempted, length);
        else if (last == TAC_STATE_BLOCKED) job->blocked = tacAddTicks(job->blocked, length);
    }
}

/* Sets sums and deadline of a job. */
static void setSums(const tacReplayState *r, uint32_t index, const tacLive *live, tacJob *job) {
    if (live->sums == TAC_FINAL) return;
    if (live->sums == TAC_NONE) {
        job->deadline = tacReplayImplied(r, job->task, job->release);
        sumUp(r, index, live, job);
        return;
    }
    const tacJobSums *sums = &r->sums.at[live->sums];
    job->execution = sums->execution;
    job->preempted = sums->preempted;
    job->blocked = sums->blocked;
    job->deadline = sums->deadline;
    job->preemptions = sums->preemptions;
    job->migrations = sums->migrations;
}

tacJob tacReplayNow(const tacReplayState *r, uint32_t index, const tacLive *live) {
    tacJob job = r->model->jobs.at[index]; /* of the end */
    tacLive fresh = {.sums = TAC_NONE, .slice = TAC_NONE, .ranOn = TAC_NO_PROCESSOR, .state = TAC_STATE_WAITING};
    if (!live) {
        fresh.goesTo = tacReplayHome(r, job.id, job.task, tacRowProcessor(r->store, job.row));
        live = &fresh;
    }
    bool completed = live->state == TAC_STATE_COMPLETED || live->state == TAC_STATE_BETWEEN;
    job.state = live->state;
    job.flags = live->flags;
    job.processor = live->ranOn != TAC_NO_PROCESSOR ? live->ranOn : live->goesTo;
    if (job.flags & TAC_JOB_NO_RELEASE) job.release = TAC_UNKNOWN;
    if (!live->hasRun || (job.flags & TAC_JOB_NO_START)) job.start = TAC_UNKNOWN;
    if (!completed) job.completion = TAC_UNKNOWN;
    setSums(r, index, live, &job);
    return job;
}

/* ---- changing ---------------------------------------------------------------------------------------------------- */

/* The place of a record's job among those of the row, or a free one. */
static int placeFor(const tacReplayState *r, uint32_t live) {
    int place = 0;
    for (int i = 0; i < TAC_REPLAY_PRESENT; i++) {
        if (r->present[i].live == live) return i;
        if (r->present[i].live == TAC_NONE) place = i;
    }
    return place;
}

tacJob *tacReplayPresent(tacReplayState *r, const tacLive *live) {
    uint32_t index = (uint32_t) (live - r->lives.at);
    int i = placeFor(r, index);
    if (r->present[i].live != index) r->present[i].job = tacReplayNow(r, live->job, live);
    r->present[i].live = index;
    return &r->present[i].job;
}

/* Frees the sums of a record, which follow from its slices from now on. */
static void freeSums(tacReplayState *r, tacLive *live) {
    if (live->sums < TAC_FINAL) {
        r->sums.at[live->sums].preemptions = r->freeSums;
        r->freeSums = live->sums;
    }
    live->sums = TAC_NONE;
}

void tacReplayBegins(tacReplayState *r, uint32_t live, const tacJob *job) {
    int i = placeFor(r, live);
    freeSums(r, &r->lives.at[live]);
    r->present[i].live = live;
    r->present[i].job = *job;
    r->present[i].job.firstSlice = r->model->jobs.at[r->model->jobs.count].firstSlice;
}

void tacReplayForget(tacReplayState *r, uint32_t live) {
    int i = placeFor(r, live);
    if (r->present[i].live == live) r->present[i].live = TAC_NONE;
    freeSums(r, &r->lives.at[live]);
}

/* ---- keeping ----------------------------------------------------------------------------------------------------- */

/* Do sums and deadline of the job follow from its record without sums of its own? */
static bool follow(const tacReplayState *r, const tacLive *live, const tacJob *job) {
    if (live->sums == TAC_NONE && !(job->flags & TAC_JOB_EXPLICIT_DEADLINE)
        && (job->firstSlice == TAC_NONE || r->slices[job->task] <= job->firstSlice + FEW))
        return true;
    if (live->sums < TAC_FINAL) return false;
    tacJob now = tacReplayNow(r, live->job, live);
    return now.execution == job->execution && now.preempted == job->preempted && now.blocked == job->blocked
        && now.deadline == job->deadline && now.preemptions == job->preemptions && now.migrations == job->migrations;
}

/* Keeps the sums of a job. False: no memory. */
static bool keepSums(tacReplayState *r, tacLive *live, const tacJob *job) {
    if (live->sums >= TAC_FINAL) {
        uint32_t index = r->freeSums;
        if (index != TAC_NONE) r->freeSums = r->sums.at[index].preemptions;
        else if (!tacArrayPush(&r->sums, (tacJobSums){0})) return false;
        else index = (uint32_t) (r->sums.count - 1);
        live->sums = index;
    }
    r->sums.at[live->sums] = (tacJobSums){
        job->execution, job->preempted, job->blocked, job->deadline, job->preemptions, job->migrations};
    return true;
}

/* Does the job wait for its start, as it was released? */
static bool isFresh(const tacReplayState *r, const tacLive *live, const tacJob *job) {
    return live->state == TAC_STATE_WAITING && live->flags == 0 && live->sums == TAC_NONE && live->holds == TAC_NONE
        && live->ranOn == TAC_NO_PROCESSOR && endOfFew(r, job) == 0
        && live->goesTo == tacReplayHome(r, job->id, job->task, tacRowProcessor(r->store, job->row));
}

/* Keeps what has become of the job of a record. False: no memory. */
static bool keep(tacReplayState *r, uint32_t index, const tacJob *job) {
    tacLive *live = &r->lives.at[index];
    live->flags = job->flags;
    if (!follow(r, live, job)) return keepSums(r, live, job);
    if (r->ranked || !isFresh(r, live, job)) return true;
    r->live[job->id] = TAC_UNSTARTED;
    live->job = TAC_NONE;
    live->after = r->freeLive;
    r->freeLive = index;
    return true;
}

bool tacReplayKeep(tacReplayState *r) {
    bool kept = true;
    for (int i = 0; i < TAC_REPLAY_PRESENT && kept; i++) {
        if (r->present[i].live != TAC_NONE) kept = keep(r, r->present[i].live, &r->present[i].job);
        r->present[i].live = TAC_NONE;
    }
    return kept;
}
