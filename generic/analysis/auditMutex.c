/*
 * auditMutex.c -- facts about mutexes, from one pass over the rows that keeps its own lists of holders.
 *
 *      acquiredTwice      by `job`, which holds it already
 *      contended          by `job` while `other` holds it; contendedAtOnce: `other` releases it at the same instant,
 *                         later in the file
 *      foreignRelease     released by `job`, while `other` holds it; it is free from then on
 *      freeRelease        released by `job`, while no job holds it; unseenRelease: the job began before the recording,
 *                         and this is the first event of the mutex
 *      crossed            released while `inner`, acquired after it, is still held
 *      heldAtCompletion   `job` completes and holds it since begin; heldAtCompletionAtOnce: it releases it at that
 *                         instant, later in the file; heldAtArrival: its id arrives anew
 *      neverReleased      held until the end of the recording (end) by a job that is completed; stillHeld: by one that
 *                         is not
 *      deadlock           `job` is blocked by `other`, in a cycle of `count` jobs that each hold a mutex, and have
 *                         given none back since the one before was blocked
 *      stuck              `job` holds it and is blocked until the end of the recording, as are others: `count` jobs in
 *                         all
 */
#include "base/port.h"

#include "analysis/audit.h"

enum { CHAIN = 1000 }; /* jobs in a chain of blocking that are followed */

typedef struct Hold { /* a mutex that is held, in the lists of its job and of its mutex */
    uint32_t id, mutex;
    uint32_t row;            /* event that acquired it */
    uint32_t before, after;  /* of the same job, by time; a free record's `before`: the next free one */
    uint32_t earlier, later; /* of the same mutex */
    bool taken;              /* another job released it: it is held in name only */
} Hold;

typedef struct Owner {    /* by job id */
    uint32_t last, count; /* its holds */
    uint32_t blockedBy;   /* job id it waits for, or TAC_NONE */
    uint32_t blockedRow;  /* TAC_NONE: not blocked */
    uint32_t gaveRow;     /* when it gave a mutex back last; 0: never */
} Owner;

typedef struct State {
    const tacTrace *trace;
    const tacStore *store;
    tacFacts *facts;
    TAC_ARRAY(Hold) holds;
    uint32_t freeHold;
    Owner *owners;
    uint32_t *firsts, *counts;   /* by mutex: its holds */
    bool *seen;                  /* by mutex: had an event */
    TAC_ARRAY(uint32_t) pending; /* facts of this instant that a release at the same instant excuses */
    int64_t now;
    uint32_t row;
} State;

#define FACT(s, name, jobId, ...) \
    tacFactAdd((s)->facts, TAC_FACT(name, .begin = (s)->now, .row = (s)->row, .job = (jobId), __VA_ARGS__))

/* ---- the lists -------------------------------------------------------------------------------------------------- */

/* The job's hold of the mutex; TAC_NONE. It stands in two lists; the shorter one is searched. */
static uint32_t findHold(const State *s, uint32_t id, uint32_t mutex) {
    bool byJob = s->owners[id].count <= s->counts[mutex];
    uint32_t at = byJob ? s->owners[id].last : s->firsts[mutex];
    while (at != TAC_NONE && (s->holds.at[at].id != id || s->holds.at[at].mutex != mutex))
        at = byJob ? s->holds.at[at].before : s->holds.at[at].later;
    return at;
}

/* The hold of the job that has the mutex now; TAC_NONE. */
static uint32_t holderOf(const State *s, uint32_t mutex) {
    uint32_t at = s->firsts[mutex];
    while (at != TAC_NONE && s->holds.at[at].taken) at = s->holds.at[at].later;
    return at;
}

/* Adds a hold to the lists of the job and of the mutex. */
static bool begin(State *s, uint32_t id, uint32_t mutex) {
    uint32_t at = s->freeHold;
    if (at != TAC_NONE) s->freeHold = s->holds.at[at].before;
    else if (!tacArrayPush(&s->holds, (Hold){0})) return false;
    else at = (uint32_t) (s->holds.count - 1);
    Owner *owner = &s->owners[id];
    s->holds.at[at] = (Hold){id, mutex, s->row, owner->last, TAC_NONE, TAC_NONE, s->firsts[mutex], false};
    if (owner->last != TAC_NONE) s->holds.at[owner->last].after = at;
    if (s->firsts[mutex] != TAC_NONE) s->holds.at[s->firsts[mutex]].earlier = at;
    owner->last = at;
    owner->count++;
    s->firsts[mutex] = at;
    s->counts[mutex]++;
    return true;
}

/* Takes a hold out of both lists. */
static void end(State *s, uint32_t at) {
    Hold *holds = s->holds.at, *hold = &holds[at];
    Owner *owner = &s->owners[hold->id];
    if (hold->before != TAC_NONE) holds[hold->before].after = hold->after;
    *(hold->after == TAC_NONE ? &owner->last : &holds[hold->after].before) = hold->before;
    owner->count--;
    if (hold->later != TAC_NONE) holds[hold->later].earlier = hold->earlier;
    *(hold->earlier == TAC_NONE ? &s->firsts[hold->mutex] : &holds[hold->earlier].later) = hold->later;
    s->counts[hold->mutex]--;
    hold->before = s->freeHold;
    s->freeHold = at;
}

/* ---- excuses: the order within an instant ----------------------------------------------------------------------- */

/* Adds a fact that a later event of this instant may excuse. */
static bool pend(State *s, tacFact fact) {
    return tacArrayPush(&s->pending, (uint32_t) s->facts->facts.count) && tacFactAdd(s->facts, fact);
}

/* Renames the facts of this instant that are excused because the job gives the mutex back now. True: there were some.
 */
static bool excuse(State *s, uint32_t id, uint32_t mutex) {
    bool found = false;
    for (size_t i = 0; i < s->pending.count; i++) {
        if (s->pending.at[i] >= s->facts->facts.count) continue;
        tacFact *fact = &s->facts->facts.at[s->pending.at[i]];
        bool completed = fact->other == TAC_NONE;
        if ((completed ? fact->job : fact->other) != id || fact->mutex != mutex) continue;
        fact->fact = completed ? "heldAtCompletionAtOnce" : "contendedAtOnce";
        found = true;
    }
    return found;
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static bool acquired(State *s, uint32_t id, uint32_t mutex) {
    uint32_t own = findHold(s, id, mutex), at = holderOf(s, mutex);
    s->seen[mutex] = true;
    s->owners[id].blockedRow = TAC_NONE; /* that is what it waited for, though it may run only later */
    if (own != TAC_NONE && !s->holds.at[own].taken) return FACT(s, "acquiredTwice", id, .mutex = mutex);
    if (own != TAC_NONE) end(s, own);
    if (at != TAC_NONE
        && !pend(s,
            TAC_FACT(
                "contended", .begin = s->now, .row = s->row, .job = id, .mutex = mutex, .other = s->holds.at[at].id)))
        return false;
    return begin(s, id, mutex);
}

/* Notes the release of a mutex that the job does not hold, unless it excuses a fact of this instant. */
static bool releasedUnheld(State *s, uint32_t id, uint32_t mutex) {
    uint32_t at = holderOf(s, mutex), job = s->trace->model.lastJob.at[id];
    bool seen = s->seen[mutex];
    s->seen[mutex] = true;
    if (excuse(s, id, mutex)) return true;
    if (at != TAC_NONE) {
        s->holds.at[at].taken = true;
        return FACT(s, "foreignRelease", id, .mutex = mutex, .other = s->holds.at[at].id);
    }
    bool early = !seen && job != TAC_NONE && (s->trace->model.jobs.at[job].flags & TAC_JOB_NO_RELEASE);
    return FACT(s, early ? "unseenRelease" : "freeRelease", id, .mutex = mutex);
}

static bool released(State *s, uint32_t id, uint32_t mutex) {
    uint32_t at = findHold(s, id, mutex);
    if (at == TAC_NONE) return releasedUnheld(s, id, mutex);
    const Hold *hold = &s->holds.at[at];
    uint32_t inner = hold->after;
    while (inner != TAC_NONE && s->holds.at[inner].taken) inner = s->holds.at[inner].after;
    excuse(s, id, mutex);
    if (!hold->taken && inner != TAC_NONE && !FACT(s, "crossed", id, .mutex = mutex, .inner = s->holds.at[inner].mutex))
        return false;
    s->owners[id].gaveRow = s->row;
    end(s, at);
    return true;
}

/* Ends all holds of a job that is over. */
static bool over(State *s, uint32_t id, const char *fact) {
    while (s->owners[id].last != TAC_NONE) {
        uint32_t at = s->owners[id].last;
        Hold hold = s->holds.at[at];
        if (!hold.taken
            && !pend(s,
                TAC_FACT(fact, .begin = tacRowTime(s->store, hold.row), .end = s->now, .job = id, .mutex = hold.mutex,
                    .row = s->row)))
            return false;
        end(s, at);
    }
    return true;
}

/* Number of jobs in the cycle of blocking that a job is part of, each of which holds a mutex; 0: there is none. */
static uint32_t cycleOf(const State *s, uint32_t id) {
    uint32_t n = 1, at = s->owners[id].blockedBy;
    for (; at != id; at = s->owners[at].blockedBy, n++) {
        const Owner *owner = at == TAC_NONE ? NULL : &s->owners[at];
        if (!owner || n > CHAIN || owner->blockedRow == TAC_NONE || owner->count == 0) return 0;
        /* What its holder gave back meanwhile may be what it waited for: then it is ready, though nothing tells. */
        if (owner->blockedBy != TAC_NONE && s->owners[owner->blockedBy].gaveRow > owner->blockedRow) return 0;
    }
    return s->owners[id].count ? n : 0;
}

static bool blocked(State *s, uint32_t id, uint32_t target) {
    Owner *owner = &s->owners[id];
    owner->blockedBy = target;
    owner->blockedRow = s->row;
    uint32_t n = target == id ? 0 : cycleOf(s, id);
    return n < 2 || FACT(s, "deadlock", id, .other = target, .count = n, .mutex = s->holds.at[owner->last].mutex);
}

static bool event(State *s) {
    uint32_t row = s->row, id = tacRowSubject(s->store, row);
    switch (tacRowEvent(s->store, row)) {
    case TAC_EV_JOB_ACQUIRED_MUTEX: return acquired(s, id, tacRowObject(s->store, row));
    case TAC_EV_JOB_RELEASED_MUTEX: return released(s, id, tacRowObject(s->store, row));
    case TAC_EV_JOB_COMPLETED: s->owners[id].blockedRow = TAC_NONE; return over(s, id, "heldAtCompletion");
    case TAC_EV_JOB_ARRIVED: s->owners[id].blockedRow = TAC_NONE; return over(s, id, "heldAtArrival");
    case TAC_EV_JOB_BLOCKED: return blocked(s, id, tacRowObject(s->store, row));
    case TAC_EV_JOB_STARTED:
    case TAC_EV_JOB_RESUMED:
    case TAC_EV_JOB_READY:
    case TAC_EV_JOB_PREEMPTED: s->owners[id].blockedRow = TAC_NONE; return true;
    default: return true;
    }
}

/* ---- begin, pass and end ---------------------------------------------------------------------------------------- */

static bool start(State *s) {
    uint32_t nJobs = tacStoreObjects(s->store, TAC_JOB), nMutexes = tacStoreObjects(s->store, TAC_MUTEX);
    s->owners = tacAlloc(nJobs * sizeof *s->owners);
    s->firsts = tacAlloc(nMutexes * sizeof *s->firsts);
    s->counts = tacAllocZero(nMutexes, sizeof *s->counts);
    s->seen = tacAllocZero(nMutexes, sizeof *s->seen);
    if (!s->owners || !s->firsts || !s->counts || !s->seen) return false;
    for (uint32_t i = 0; i < nJobs; i++) s->owners[i] = (Owner){TAC_NONE, 0, TAC_NONE, TAC_NONE, 0};
    for (uint32_t i = 0; i < nMutexes; i++) s->firsts[i] = TAC_NONE;
    return true;
}

/* Notes what is held at the end of the recording. */
static bool finish(State *s) {
    int64_t last = s->trace->model.end;
    uint32_t nStuck = 0;
    for (uint32_t id = 0; id < tacStoreObjects(s->store, TAC_JOB); id++)
        nStuck += s->owners[id].count && s->owners[id].blockedRow != TAC_NONE;
    for (uint32_t mutex = 0; mutex < tacStoreObjects(s->store, TAC_MUTEX); mutex++) {
        uint32_t at = holderOf(s, mutex);
        if (at == TAC_NONE) continue;
        const Hold *hold = &s->holds.at[at];
        bool stuck = nStuck > 1 && s->owners[hold->id].blockedRow != TAC_NONE;
        uint32_t job = s->trace->model.lastJob.at[hold->id];
        bool done = job != TAC_NONE && s->trace->model.jobs.at[job].state == TAC_STATE_COMPLETED;
        if (!tacFactAdd(s->facts,
                TAC_FACT(stuck ? "stuck"
                        : done ? "neverReleased"
                               : "stillHeld",
                    .begin = tacRowTime(s->store, hold->row), .end = last, .job = hold->id, .mutex = mutex,
                    .row = hold->row, .count = nStuck)))
            return false;
    }
    return true;
}

bool tacAuditMutex(const tacTrace *trace, tacFacts *facts) {
    State s = {.trace = trace, .store = &trace->store, .facts = facts, .freeHold = TAC_NONE, .now = INT64_MIN};
    for (uint32_t i = 0; i < tacStoreObjects(s.store, TAC_MUTEX); i++)
        facts->applicable |= trace->model.mutexes[i].events.count > 0;
    if (!facts->applicable) return true;
    bool fine = start(&s);
    for (uint32_t n = tacStoreCount(s.store); fine && s.row < n; s.row++) {
        int64_t t = tacRowTime(s.store, s.row);
        if (t != s.now) s.pending.count = 0;
        s.now = t;
        fine = event(&s) && tacProgressAt(facts->progress, s.row);
    }
    fine = fine && finish(&s);
    tacArrayFree(&s.holds);
    tacArrayFree(&s.pending);
    tacFree(s.owners);
    tacFree(s.firsts);
    tacFree(s.counts);
    tacFree(s.seen);
    return fine;
}
