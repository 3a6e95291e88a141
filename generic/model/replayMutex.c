/*
 * replayMutex.c -- holds of mutexes: by which job, from when to when.
 *
 * A hold belongs to a job, but is found by the job's id: a later job of the same id (the same thread) may release what
 * an earlier one acquired. Completion ends no hold; when an id acquires a mutex that its earlier job never gave back,
 * the old hold ends there. Events that do not fit (released without holding, acquired twice) are noted and change
 * nothing.
 */
#include "base/port.h"

#include "model/replayState.h"

static void note(tacReplayState *r, uint32_t mutex, const char *what) {
    tacDiagAdd(r->diag, TAC_SEVERITY_NOTE, tacRowLine(r->store, r->row), "MUTEX", "mutex \"%.80s\" %s",
        tacObjectId(r->store, TAC_MUTEX, mutex), what);
}

/* Index of the open hold of this id on the mutex, or TAC_NONE. It stands in two lists; the shorter one is searched. */
static uint32_t findHold(const tacReplayState *r, const tacLive *live, uint32_t mutex) {
    bool byId = live->nHolds <= r->holders[mutex].count;
    uint32_t at = byId ? live->holds : r->holders[mutex].first;
    const tacJob *jobs = r->model->jobs.at;
    if (byId)
        while (at != TAC_NONE && r->open.at[at].mutex != mutex) at = r->open.at[at].earlier;
    else
        while (at != TAC_NONE && jobs[r->open.at[at].job].id != jobs[live->job].id) at = r->open.at[at].after;
    return at;
}

/* Sets the end of a hold, and counts its length. */
static void measureHold(tacReplayState *r, const tacOpenHold *open, int64_t t) {
    if (r->finished) return;
    tacTaskModel *task = &r->model->tasks[r->model->jobs.at[open->job].task];
    tacMutexModel *mutex = &r->model->mutexes[open->mutex];
    tacHold *hold = &task->holds.at[open->hold];
    hold->end = t;
    int64_t length = tacElapsed(hold->begin, t);
    if (length > task->longestHold) task->longestHold = length;
    if (length > mutex->longestHeld) mutex->longestHeld = length;
    mutex->held = tacAddTicks(mutex->held, length);
}

/* Ends an open hold and takes it out of both lists. */
static void endHold(tacReplayState *r, tacLive *live, uint32_t at, int64_t t) {
    tacOpenHold *open = r->open.at, *hold = &open[at];
    tacHolders *holders = &r->holders[hold->mutex];
    r->holdEnded = hold->job;
    measureHold(r, hold, t);
    if (hold->earlier != TAC_NONE) open[hold->earlier].later = hold->later;
    *(hold->later == TAC_NONE ? &live->holds : &open[hold->later].earlier) = hold->earlier;
    live->nHolds--;
    *(hold->before == TAC_NONE ? &holders->first : &open[hold->before].after) = hold->after;
    *(hold->after == TAC_NONE ? &holders->last : &open[hold->after].before) = hold->before;
    holders->count--;
    hold->mutex = TAC_NONE;
    hold->earlier = r->freeHold;
    r->freeHold = at;
}

/* Adds a hold that begins to the model. False: no memory. */
static bool addHold(tacReplayState *r, const tacLive *live, uint32_t taskIndex, uint32_t mutexIndex, int64_t t) {
    tacTaskModel *task = &r->model->tasks[taskIndex];
    tacMutexModel *mutex = &r->model->mutexes[mutexIndex];
    tacHold hold = {t, t, live->job, mutexIndex, live->nHolds, 0};
    mutex->acquisitions++;
    return tacArrayPush(&mutex->holds, (tacMutexHold){taskIndex, (uint32_t) task->holds.count})
        && tacArrayPush(&task->holds, hold);
}

/* Begins a hold: adds it to the model, takes a record of open holds, and puts that into the lists of its id and its
 * mutex. False: no memory. */
static bool beginHold(tacReplayState *r, tacLive *live, uint32_t mutexIndex, int64_t t) {
    uint32_t taskIndex = r->model->jobs.at[live->job].task;
    uint32_t index = (uint32_t) r->model->tasks[taskIndex].holds.count;
    if (!r->finished && !addHold(r, live, taskIndex, mutexIndex, t)) return false;
    r->holdBegun = live->job;

    uint32_t at = r->freeHold;
    if (at != TAC_NONE) r->freeHold = r->open.at[at].earlier;
    else if (!tacArrayPush(&r->open, (tacOpenHold){0})) return false;
    else at = (uint32_t) (r->open.count - 1);
    tacOpenHold *open = r->open.at;
    tacHolders *holders = &r->holders[mutexIndex];
    open[at] = (tacOpenHold){live->job, mutexIndex, index, .earlier = live->holds, .later = TAC_NONE,
        .before = holders->last, .after = TAC_NONE};

    if (live->holds != TAC_NONE) open[live->holds].later = at;
    live->holds = at;
    live->nHolds++;
    *(holders->last == TAC_NONE ? &holders->first : &open[holders->last].after) = at;
    holders->last = at;
    holders->count++;
    return true;
}

/* Adds an event of a mutex to the model. False: no memory. */
static bool addEvent(tacReplayState *r, uint32_t mutex, uint32_t row) {
    return r->finished || tacArrayPush(&r->model->mutexes[mutex].events, row);
}

bool tacReplayAcquired(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t mutex = tacRowObject(r->store, row), index = tacReplayLive(r, tacRowSubject(r->store, row), row);
    r->holdEnded = r->holdBegun = TAC_NONE;
    if (index == TAC_NONE || !addEvent(r, mutex, row)) return false;
    tacLive *live = &r->lives.at[index];
    tacReplayTouch(r, r->model->jobs.at[live->job].task);
    uint32_t held = findHold(r, live, mutex);
    if (held != TAC_NONE) {
        if (r->open.at[held].job == live->job)
            return note(r, mutex, "is acquired by a job that holds it already"), true;
        note(r, mutex, "is acquired anew by a job id whose earlier job did not release it");
        endHold(r, live, held, t);
    }
    if (r->holders[mutex].count) {
        note(r, mutex, "is acquired while another job holds it");
        if (!r->finished) r->model->mutexes[mutex].contended++;
    }
    return beginHold(r, live, mutex, t);
}

bool tacReplayReleased(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t mutex = tacRowObject(r->store, row), index = tacReplayLive(r, tacRowSubject(r->store, row), row);
    r->holdEnded = r->holdBegun = TAC_NONE;
    if (index == TAC_NONE || !addEvent(r, mutex, row)) return false;
    tacLive *live = &r->lives.at[index];
    tacReplayTouch(r, r->model->jobs.at[live->job].task);
    uint32_t held = findHold(r, live, mutex);
    if (held == TAC_NONE) note(r, mutex, "is released by a job that does not hold it");
    else endHold(r, live, held, t);
    tacReplaySettle(r, index);
    return true;
}

/* Ends all open holds at the end of the recording. */
void tacReplayFinishHolds(tacReplayState *r) {
    for (size_t i = 0; i < r->open.count; i++) {
        tacOpenHold *open = &r->open.at[i];
        if (open->mutex == TAC_NONE) continue;
        r->model->tasks[r->model->jobs.at[open->job].task].holds.at[open->hold].open = 1;
        measureHold(r, open, r->model->end);
    }
}

uint32_t tacNowHolders(const struct tacReplay *r, uint32_t mutex, uint32_t *jobs, uint32_t max) {
    uint32_t n = 0;
    for (uint32_t at = r->holders[mutex].first; at != TAC_NONE && n < max; at = r->open.at[at].after)
        jobs[n++] = r->open.at[at].job;
    return r->holders[mutex].count;
}

uint32_t tacNowHeld(const struct tacReplay *r, uint32_t jobId, uint32_t *mutexes, uint32_t max) {
    uint32_t index = r->live[jobId], n = 0;
    if (index == TAC_NONE || index == TAC_UNSTARTED) return 0;
    const tacLive *live = &r->lives.at[index];
    for (uint32_t at = live->holds; at != TAC_NONE && n < max; at = r->open.at[at].earlier)
        mutexes[n++] = r->open.at[at].mutex;
    return live->nHolds;
}

void tacNowHoldChange(const struct tacReplay *r, uint32_t *ended, uint32_t *begun) {
    *ended = r->holdEnded;
    *begun = r->holdBegun;
}
