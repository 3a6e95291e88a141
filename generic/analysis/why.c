/*
 * why.c -- takes the response time of one job apart.
 *
 * explain() goes along the slices of a job and hands each stretch to the function that cuts it; the last cut is put(),
 * which adds the piece to its part. Where a job is blocked, the holder of the mutex is explained for as long as it
 * holds. The holders on the way down are the chain: every part of the chain gets the piece.
 *
 * Invariants:
 *   1. Every cut covers its stretch without gap or overlap, which makes the parts add up.
 *   2. Time goes forward over the whole walk, whatever is in the chain. So the state of a processor (Sweep) and of a
 *      job (Course) is carried on, and a holder that is met in very many pieces costs no more than one met once.
 */
#include "base/port.h"

#include "analysis/auditWait.h"
#include "analysis/why.h"
#include "base/search.h"
#include "model/jobTimes.h"
#include "model/neighbour.h"

#include <string.h>

enum {
    CHAIN = 16, /* holders that are followed */
    RANKS = 3   /* on a processor: threads below softirqs below interrupts */
};

const char *const tacWhyNames[TAC_WHY_KINDS] = {"running", "interrupt", "softirq", "preempted", "blocked", "waiting",
    "wakeup", "migration", "idle", "depleted", "unknown", "over", "deadlock"};
const char *const tacWhyEnds[] = {"completed", "abandoned", "recording"};

typedef struct Holder {  /* a link of the chain */
    tacWhyPart identity; /* the part of being blocked on its mutex */
    uint64_t source;     /* the slice of the blocked job */
    uint32_t job;        /* the holder */
} Holder;

/* A stretch of a job that is ready or runs. */
typedef struct Stretch {
    tacWhyKind kind; /* RUNNING, PREEMPTED or WAITING */
    uint32_t job;
    uint64_t source;
    int64_t begin, end;     /* the whole stretch, of which a holder may need a part only */
    uint16_t queue;         /* ready: the processor in whose queue it stands at first */
    uint16_t ranOn, goesOn; /* ready: processor before and right after; TAC_NO_PROCESSOR: none, or not known which */
    bool woken;             /* ready: it begins with the release or after being blocked */
} Stretch;

typedef struct Course {   /* how far along a job the walk is */
    uint32_t next;        /* its slices before this one have ended */
    int64_t unblocked;    /* end of the slice before it, which was BLOCKED; TAC_UNKNOWN: it was another one */
    uint32_t slice;       /* the BLOCKED or PREEMPTED slice that the fields below describe; TAC_NONE */
    uint32_t mutex, note; /* BLOCKED: the mutex, or the event's -message */
    Stretch stretch;      /* else: of a slice, or while it waits for its start */
    int64_t ready;        /* end of its wake-up; TAC_UNKNOWN: it has none */
    uint16_t queue;       /* processor in whose queue it stands before `row` */
    uint32_t row;         /* the first row that is not looked at yet */
} Course;

typedef struct Sweep {                 /* how far along a processor the walk is */
    TAC_ARRAY(uint32_t) stacks[RANKS]; /* runs that have begun, by rank */
    uint32_t next;                     /* the first run that has not */
} Sweep;

typedef struct Walk {
    const tacModel *model;
    tacWhy *why;
    tacWhyShared *shared;
    tacProgress *progress;
    uint64_t steps;
    Holder chain[CHAIN];
    uint32_t depth;                      /* links in the chain now */
    uint32_t latest[CHAIN + 1], nLatest; /* parts of the latest piece, by depth */
    int64_t since[CHAIN + 1];            /* begin of the stretch without a break that they are in */
    tacInternTable jobs;                 /* 4 bytes each */
    TAC_ARRAY(Course) courses;           /* by id in jobs */
    tacInternTable processors;           /* those that were met: 4 bytes each */
    TAC_ARRAY(Sweep) sweeps;             /* by id in processors */
    uint32_t processor, sweep;           /* the one that was met last, and its id; TAC_NONE: none */
    tacInternTable tasks;                /* those whose server was looked for: 4 bytes each */
    TAC_ARRAY(uint32_t) servers;         /* by id in tasks: TAC_NONE: none */
    bool failed;                         /* no memory, or stopped */
} Walk;

/* Counts a step, and asks now and then whether to stop. The number of steps is not known beforehand. */
static bool goOn(Walk *w) {
    if ((++w->steps & (TAC_PROGRESS_STEPS - 1)) == 0 && !tacProgressStep(w->progress, 0)) w->failed = true;
    return !w->failed;
}

static uint64_t sourceOf(uint32_t task, uint32_t slice) { return (uint64_t) task << 32 | slice; }
static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- parts ------------------------------------------------------------------------------------------------------ */

#define PART(what, ...)                                                                              \
    (tacWhyPart) {                                                                                   \
        .kind = (what), .parent = TAC_NONE, .task = TAC_NONE, .mutex = TAC_NONE, .server = TAC_NONE, \
        .processor = TAC_NONE, .note = TAC_NONE, __VA_ARGS__                                         \
    }

/* Counts a piece of the part at a depth. source: the slice behind it; job: the one that caused it. A stretch has no
 * break while the part is behind one piece after the other, since pieces follow one another without gaps. */
static void tally(Walk *w, uint32_t depth, uint32_t index, int64_t from, int64_t to, uint64_t source, uint32_t job) {
    tacWhyPart part = tacWhyPartAt(w->why, index);
    bool goesOn = part.own.times && part.source == (uint32_t) source;
    if (!goesOn) part.own.times++;
    if (!goesOn || depth >= w->nLatest || w->latest[depth] != index) w->since[depth] = from;
    w->latest[depth] = index;
    part.source = (uint32_t) source;
    part.own.ticks = tacAddTicks(part.own.ticks, tacElapsed(from, to));
    int64_t length = tacElapsed(w->since[depth], to);
    if (part.longest == TAC_UNKNOWN || length > part.longest) {
        part.at = w->since[depth];
        part.longest = length;
        part.job = job;
    }
    if (!tacWhySet(w->why, index, &part)) w->failed = true;
}

/* Adds a piece to its part, and to those of the chain above it. */
static void put(Walk *w, tacWhyPart part, int64_t from, int64_t to, uint64_t source, uint32_t job) {
    uint32_t parent = TAC_NONE;
    if (to <= from || !goOn(w)) return;
    for (uint32_t i = 0; i <= w->depth; i++) {
        tacWhyPart identity = i < w->depth ? w->chain[i].identity : part;
        identity.parent = parent;
        parent = tacWhyFind(w->why, &identity);
        if (parent == TAC_NONE) {
            w->failed = true;
            return;
        }
        if (i < w->depth) tally(w, i, parent, from, to, w->chain[i].source, w->chain[i].job);
        else tally(w, i, parent, from, to, source, job);
    }
    w->nLatest = w->depth + 1;
}

/* ---- the runs of a processor ------------------------------------------------------------------------------------ */

/* Rank of the runs of a task (RANKS). */
static int rankOf(const tacModel *model, uint32_t task) {
    const tacObject *object = &model->store->objects[TAC_TASK].at[task];
    return object->softirq ? 1 : object->isr ? 2 : 0;
}

/* The sweep of a processor, made if need be; NULL: no memory. It is valid until another processor is asked for. */
static Sweep *sweepOf(Walk *w, uint32_t processor) {
    if (processor != w->processor) {
        uint32_t id = tacInternAmongFew(&w->processors, (const char *) &processor, sizeof processor);
        if (id == TAC_NONE || (id == w->sweeps.count && !tacArrayPush(&w->sweeps, (Sweep){.next = 0}))) {
            w->failed = true;
            return NULL;
        }
        w->processor = processor;
        w->sweep = id;
    }
    return &w->sweeps.at[w->sweep];
}

/* The first run of a processor that ends after t. Where the job before began is often near. */
static uint32_t firstRun(Walk *w, uint16_t processor, int64_t t) {
    tacWhyShared *shared = w->shared;
    bool isNear = shared->near == processor + 1u && shared->time <= t;
    shared->run = tacQueryRun(w->model, processor, isNear ? shared->run : 0, t);
    shared->near = processor + 1u;
    shared->time = t;
    return shared->run;
}

/* Brings the stacks of a processor up to t. */
static void advance(Walk *w, Sweep *sweep, uint16_t processor, int64_t t) {
    const tacProcessorModel *p = &w->model->processors[processor];
    uint32_t i = sweep->next ? tacQueryRun(w->model, processor, sweep->next, t) : firstRun(w, processor, t);
    for (; i < p->runs.count && tacRunSlice(w->model, p->runs.at[i])->begin <= t && goOn(w);
         i = tacQueryRun(w->model, processor, i + 1, t))
        if (!tacArrayPush(&sweep->stacks[rankOf(w->model, p->runs.at[i].task)], i)) w->failed = true;
    sweep->next = i;
}

/* The run on top at t, of this rank or above it, or TAC_NONE. Ended runs stay in a stack until they come to its top. */
static uint32_t onTop(const Walk *w, Sweep *sweep, uint16_t processor, int lowest, int64_t t) {
    const tacRun *runs = w->model->processors[processor].runs.at;
    for (int rank = RANKS; rank-- > lowest;) {
        uint32_t *at = sweep->stacks[rank].at;
        size_t n = sweep->stacks[rank].count;
        while (n && tacRunSlice(w->model, runs[at[n - 1]])->end <= t) n--;
        sweep->stacks[rank].count = n;
        if (n) return at[n - 1];
    }
    return TAC_NONE;
}

/* Explains a ready piece in which no job runs on the processor: the job migrates, or the processor is idle or unknown.
 */
static void notRunning(Walk *w, const Stretch *s, uint16_t processor, int64_t from, int64_t to) {
    const tacProcessorModel *p = &w->model->processors[processor];
    uint32_t real = tacStoreObjects(w->model->store, TAC_PROCESSOR);
    size_t next = tacPast(size_t, 0, p->unknown.count, i, p->unknown.at[i].end <= from);
    while (from < to && !w->failed) {
        const tacStretch *gap = next < p->unknown.count && p->unknown.at[next].begin < to ? &p->unknown.at[next++]
                                                                                          : NULL;
        int64_t known = gap ? later(gap->begin, from) : to, until = gap ? earlier(gap->end, to) : to;
        bool sent = s->ranOn < real && processor != s->ranOn,
             leaves = known == s->end && s->goesOn < real && processor != s->goesOn;
        tacWhyKind kind = processor < real && (sent || leaves) ? TAC_WHY_MIGRATION : TAC_WHY_IDLE;
        put(w, PART(kind, .processor = processor), from, known, s->source, TAC_NONE);
        put(w, PART(TAC_WHY_UNKNOWN, .processor = processor), known, until, s->source, TAC_NONE);
        from = until;
    }
}

/* Explains a piece of a stretch with the run `top` on the processor, or none (TAC_NONE). */
static void behind(Walk *w, const Stretch *s, uint16_t processor, uint32_t top, int64_t from, int64_t to) {
    if (top == TAC_NONE) {
        if (s->kind == TAC_WHY_RUNNING) put(w, PART(TAC_WHY_RUNNING), from, to, s->source, TAC_NONE);
        else notRunning(w, s, processor, from, to);
        return;
    }
    tacRun run = w->model->processors[processor].runs.at[top];
    int rank = rankOf(w->model, run.task);
    tacWhyKind kind = s->kind != TAC_WHY_RUNNING ? s->kind : rank == 2 ? TAC_WHY_INTERRUPT : TAC_WHY_SOFTIRQ;
    put(w, PART(kind, .task = run.task), from, to, sourceOf(run.task, run.slice), tacRunSlice(w->model, run)->job);
}

/* Cuts a stretch by the runs that are on top on a processor meanwhile: if the job itself runs, those of interrupts. */
static void sweep(Walk *w, const Stretch *s, uint16_t processor, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    const tacProcessorModel *p = &model->processors[processor];
    while (from < to && !w->failed) {
        Sweep *sweep = sweepOf(w, processor);
        if (!sweep) return;
        advance(w, sweep, processor, from);
        uint32_t next = sweep->next, top = onTop(w, sweep, processor, s->kind == TAC_WHY_RUNNING ? 1 : 0, from);
        int64_t until = next < p->runs.count ? earlier(tacRunSlice(model, p->runs.at[next])->begin, to) : to;
        if (top != TAC_NONE) until = earlier(until, tacRunSlice(model, p->runs.at[top])->end);
        behind(w, s, processor, top, from, until);
        from = until;
    }
}

/* ---- servers ---------------------------------------------------------------------------------------------------- */

/* The server of the job's task, or TAC_NONE. */
static uint32_t serverOf(Walk *w, uint32_t job) {
    const tacModel *model = w->model;
    uint32_t task = model->jobs.at[job].task, first = model->jobs.at[job].firstSlice, server;
    if (tacStoreObjects(model->store, TAC_SERVER) == 0) return TAC_NONE;
    uint32_t id = tacInternAmongFew(&w->tasks, (const char *) &task, sizeof task);
    if (id < w->servers.count) return w->servers.at[id];
    size_t around = first == TAC_NONE ? model->tasks[task].slices.count : first;
    if (!tacWhyServer(w->shared, model, task, around, &server, w->progress) || id == TAC_NONE
        || !tacArrayPush(&w->servers, server)) {
        w->failed = true;
        return TAC_NONE;
    }
    return server;
}

/* Time at which the budget of a point is used up. */
static int64_t emptyFrom(const tacBudgetPoint *point) {
    int64_t lasts, empty;
    if (point->remainder <= 0) return point->time;
    if (point->consumers == 0) return INT64_MAX;
    lasts = point->remainder / point->consumers + (point->remainder % point->consumers != 0);
    return __builtin_add_overflow(point->time, lasts, &empty) ? INT64_MAX : empty;
}

/* Cuts a ready stretch by whether the job's server has budget. */
static void served(Walk *w, const Stretch *s, uint16_t processor, int64_t from, int64_t to) {
    uint32_t index = serverOf(w, s->job);
    const tacServerModel *server = index == TAC_NONE ? NULL : &w->model->servers[index];
    size_t i = server ? tacWhyPoint(server, from) : 0;
    while (from < to && !w->failed) {
        int64_t until = server && i + 1 < server->points.count ? earlier(to, server->points.at[i + 1].time) : to;
        int64_t empty = server ? earlier(until, later(from, emptyFrom(&server->points.at[i]))) : until;
        if (from < empty) sweep(w, s, processor, from, empty);
        put(w, PART(TAC_WHY_DEPLETED, .server = index), empty, until, s->source, TAC_NONE);
        from = later(from, until);
        i++;
    }
}

/* ---- ready ------------------------------------------------------------------------------------------------------ */

/* Explains a ready piece in the queue of a processor. */
static void inQueue(Walk *w, const Stretch *s, uint16_t processor, int64_t from, int64_t to) {
    if (processor < w->model->nProcessors) served(w, s, processor, from, to);
    else put(w, PART(TAC_WHY_UNKNOWN), from, to, s->source, TAC_NONE);
}

/* Processor that an event of the job sends it to, or TAC_NO_PROCESSOR. */
static uint16_t sentTo(const tacStore *store, uint32_t row, uint32_t jobId) {
    if (tacRowSubject(store, row) != jobId) return TAC_NO_PROCESSOR;
    switch (tacRowEvent(store, row)) {
    case TAC_EV_JOB_ARRIVED:
    case TAC_EV_JOB_PREEMPTED:
    case TAC_EV_JOB_BLOCKED:
    case TAC_EV_JOB_READY: return tacRowProcessor(store, row);
    default: return TAC_NO_PROCESSOR;
    }
}

/* Cuts a ready piece by the queues that the job stands in. */
static void queues(Walk *w, Course *course, int64_t from, int64_t to) {
    const tacStore *store = w->model->store;
    const Stretch *s = &course->stretch;
    uint32_t n = tacStoreCount(store), id = w->model->jobs.at[s->job].id;
    for (; course->row < n && tacRowTime(store, course->row) < to && goOn(w); course->row++) {
        uint16_t next = sentTo(store, course->row, id);
        if (next == TAC_NO_PROCESSOR || next == course->queue) continue;
        int64_t t = tacRowTime(store, course->row);
        if (t > from) {
            inQueue(w, s, course->queue, from, t);
            from = t;
        }
        course->queue = next;
    }
    inQueue(w, s, course->queue, from, to);
}

/* Time at which the wake-up of a stretch is done; TAC_UNKNOWN: it has none. After being blocked, that is the first
 * jobReady of the job. */
static int64_t readyAt(Walk *w, const Stretch *s) {
    const tacModel *model = w->model;
    const tacStore *store = model->store;
    const tacJob *job = &model->jobs.at[s->job];
    if (!s->woken || !model->times || !model->times->wakeup.has) return TAC_UNKNOWN;
    if (s->begin == job->release) {
        int64_t wakeup = tacJobWakeup(model, s->job);
        return wakeup == TAC_UNKNOWN ? TAC_UNKNOWN : tacAddTicks(job->release, wakeup);
    }
    for (uint32_t row = tacStoreFind(store, s->begin);
         row < tacStoreCount(store) && tacRowTime(store, row) <= s->end && goOn(w); row++)
        if (tacRowEvent(store, row) == TAC_EV_JOB_READY && tacRowSubject(store, row) == job->id)
            return tacRowTime(store, row);
    return TAC_UNKNOWN;
}

/* Begins a stretch in which the job is ready. */
static void beginReady(Walk *w, Course *course, const Stretch *s) {
    const tacStore *store = w->model->store;
    course->stretch = *s;
    course->queue = s->queue;
    course->row = store->processor.at ? tacStoreFind(store, s->begin) : tacStoreCount(store);
    course->ready = readyAt(w, s);
}

/* Explains a piece of the stretch in which the course's job is ready. */
static void ready(Walk *w, Course *course, int64_t from, int64_t to) {
    if (course->ready != TAC_UNKNOWN && course->ready > from) {
        int64_t done = earlier(course->ready, to);
        put(w, PART(TAC_WHY_WAKEUP), from, done, course->stretch.source, TAC_NONE);
        from = done;
    }
    if (from < to) queues(w, course, from, to);
}

/* Processor of a job that no event has sent anywhere. */
static uint16_t homeOf(const tacModel *model, const tacJob *job) {
    uint16_t home = model->store->objects[TAC_TASK].at[job->task].processor;
    if (job->start == TAC_UNKNOWN && job->processor != TAC_NO_PROCESSOR) return job->processor;
    return home != TAC_NO_PROCESSOR || model->nProcessors != 1 ? home : 0;
}

/* ---- blocked ---------------------------------------------------------------------------------------------------- */

static void explain(Walk *w, uint32_t index, int64_t from, int64_t to);

/* The -message of the event that blocked the job, a string id; TAC_NONE. */
static uint32_t noteOf(const tacStore *store, uint32_t jobId, int64_t t) {
    int64_t value;
    for (uint32_t row = tacStoreFind(store, t); row < tacStoreCount(store) && tacRowTime(store, row) == t; row++)
        if (tacRowEvent(store, row) == TAC_EV_JOB_BLOCKED && tacRowSubject(store, row) == jobId)
            return tacRowHasOptions(store, row) && tacRowOption(store, row, TAC_OPT_MESSAGE, &value) ? (uint32_t) value
                                                                                                     : TAC_NONE;
    return TAC_NONE;
}

/* Explains a piece in which a job is blocked by the holder of a mutex, who becomes a link of the chain. */
static void heldUp(Walk *w, uint64_t source, uint32_t mutex, uint32_t holder, int64_t from, int64_t to) {
    uint32_t task = w->model->jobs.at[holder].task;
    tacWhyPart part = PART(TAC_WHY_BLOCKED, .mutex = mutex, .task = task);
    bool again = holder == w->why->job;
    for (uint32_t i = 0; i < w->depth; i++) again |= w->chain[i].job == holder;
    if (w->depth == CHAIN) return put(w, part, from, to, source, holder);
    w->chain[w->depth++] = (Holder){part, source, holder};
    if (again) put(w, PART(TAC_WHY_DEADLOCK, .task = task), from, to, source, holder);
    else explain(w, holder, from, to);
    w->depth--;
}

/* Cuts a blocked piece by the holders of the mutex; of several at once the first one counts. */
static void holders(Walk *w, uint32_t job, uint64_t source, uint32_t mutex, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    const tacMutexModel *record = &model->mutexes[mutex];
    for (uint32_t i = tacQueryMutexHold(model, mutex, 0, from); i < record->holds.count && from < to && !w->failed;
         i = tacQueryMutexHold(model, mutex, i + 1, from)) {
        const tacHold *hold = &model->tasks[record->holds.at[i].task].holds.at[record->holds.at[i].hold];
        if (hold->begin >= to) break;
        if (hold->job == job || hold->end <= from) continue;
        int64_t begin = later(hold->begin, from), end = earlier(hold->end, to);
        put(w, PART(TAC_WHY_BLOCKED, .mutex = mutex), from, begin, source, TAC_NONE);
        heldUp(w, source, mutex, hold->job, begin, end);
        from = end;
    }
    put(w, PART(TAC_WHY_BLOCKED, .mutex = mutex), from, to, source, TAC_NONE);
}

/* Explains a piece of a blocked slice. Explaining holders may move the array of courses, so `course` is not used after
 * that. */
static void blocked(Walk *w, Course *course, uint32_t index, uint32_t slice, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    const tacJob *job = &model->jobs.at[index];
    uint64_t source = sourceOf(job->task, slice);
    if (course->slice != slice) {
        course->slice = slice;
        course->mutex = tacBlockedOn(model, job->task, slice);
        course->note = course->mutex == TAC_NONE
            ? noteOf(model->store, job->id, model->tasks[job->task].slices.at[slice].begin)
            : TAC_NONE;
    }
    if (course->mutex != TAC_NONE) holders(w, index, source, course->mutex, from, to);
    else put(w, PART(TAC_WHY_BLOCKED, .note = course->note), from, to, source, TAC_NONE);
}

/* ---- along a job ------------------------------------------------------------------------------------------------ */

/* Time of the end of the job, and what ended it. */
static int64_t endOf(const tacModel *model, uint32_t index, tacWhyEnd *ended) {
    const tacJob *job = &model->jobs.at[index];
    *ended = job->completion != TAC_UNKNOWN ? TAC_WHY_COMPLETED
        : job->flags & TAC_JOB_ABANDONED    ? TAC_WHY_ABANDONED
                                            : TAC_WHY_RECORDING;
    if (*ended != TAC_WHY_ABANDONED)
        return *ended == TAC_WHY_COMPLETED ? job->completion : later(model->end, tacJobBegin(model, job));
    if (!tacJobStarted(job)) return tacNextArrival(model, index); /* it waited until then */
    return job->firstSlice != TAC_NONE ? tacJobOver(model, job) : tacJobBegin(model, job);
}

/* Processor on which a slice runs; TAC_NO_PROCESSOR: it does not run, or there is none (TAC_NONE). */
static uint16_t runsOn(const tacModel *model, uint32_t task, uint32_t slice) {
    const tacSlice *one = slice == TAC_NONE ? NULL : &model->tasks[task].slices.at[slice];
    return one && one->state == TAC_STATE_RUNNING ? one->processor : TAC_NO_PROCESSOR;
}

/* Explains a piece without a slice: the job waits for its start, or is over. next: the slice after it, or TAC_NONE. */
static void gap(Walk *w, Course *course, uint32_t index, uint32_t next, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    const tacJob *job = &model->jobs.at[index];
    tacWhyEnd ended;
    int64_t over = earlier(later(endOf(model, index, &ended), from), to);
    uint16_t goesOn = runsOn(model, job->task, next);
    Stretch s = {TAC_WHY_WAITING, index, sourceOf(job->task, TAC_NONE),
        course->unblocked != TAC_UNKNOWN ? course->unblocked : tacJobBegin(model, job),
        next == TAC_NONE ? over : model->tasks[job->task].slices.at[next].begin,
        goesOn != TAC_NO_PROCESSOR ? goesOn : homeOf(model, job), TAC_NO_PROCESSOR, goesOn, true};
    if (w->depth == 0)
        w->why->states[TAC_STATE_WAITING] = tacAddTicks(w->why->states[TAC_STATE_WAITING], tacElapsed(from, over));
    if (from < over) {
        bool same = course->stretch.source == s.source && course->stretch.begin == s.begin
            && course->stretch.queue == s.queue;
        if (!same) beginReady(w, course, &s);
        ready(w, course, from, over);
    }
    put(w, PART(TAC_WHY_OVER), over, to, s.source, TAC_NONE);
}

/* Explains a piece of a preempted slice. */
static void preempted(Walk *w, Course *course, uint32_t index, uint32_t slice, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    uint32_t task = model->jobs.at[index].task;
    if (course->slice != slice) {
        uint32_t before = tacPreviousSlice(model, task, slice);
        const tacSlice *slices = model->tasks[task].slices.at, *one = &slices[slice];
        bool woken = before != TAC_NONE && slices[before].state == TAC_STATE_BLOCKED;
        Stretch s = {woken ? TAC_WHY_WAITING : TAC_WHY_PREEMPTED, index, sourceOf(task, slice), one->begin, one->end,
            one->processor, one->processor, runsOn(model, task, tacNextSlice(model, task, slice)), woken};
        course->slice = slice;
        beginReady(w, course, &s);
    }
    ready(w, course, from, to);
}

/* Explains a piece of a running slice. */
static void running(Walk *w, uint32_t index, uint32_t slice, int64_t from, int64_t to) {
    uint32_t task = w->model->jobs.at[index].task;
    const tacSlice *one = &w->model->tasks[task].slices.at[slice];
    Stretch s = {TAC_WHY_RUNNING, index, sourceOf(task, slice), one->begin, one->end, one->processor, one->processor,
        TAC_NO_PROCESSOR, false};
    if (rankOf(w->model, task) > 0 || one->processor >= w->model->nProcessors)
        put(w, PART(TAC_WHY_RUNNING), from, to, s.source, TAC_NONE);
    else sweep(w, &s, one->processor, from, to);
}

/* Explains a piece of a slice. */
static void slice(Walk *w, Course *course, uint32_t index, uint32_t i, int64_t from, int64_t to) {
    const tacTaskModel *task = &w->model->tasks[w->model->jobs.at[index].task];
    uint8_t state = task->slices.at[i].state;
    if (w->depth == 0) w->why->states[state] = tacAddTicks(w->why->states[state], tacElapsed(from, to));
    switch (state) {
    case TAC_STATE_RUNNING:
    case TAC_STATE_BETWEEN: running(w, index, i, from, to); break;
    case TAC_STATE_PREEMPTED: preempted(w, course, index, i, from, to); break;
    case TAC_STATE_BLOCKED: blocked(w, course, index, i, from, to); break;
    default: put(w, PART(TAC_WHY_UNKNOWN), from, to, sourceOf(w->model->jobs.at[index].task, i), TAC_NONE); break;
    }
}

/* Place of the job's course; TAC_NONE: no memory. */
static uint32_t courseOf(Walk *w, uint32_t index) {
    uint32_t place = tacInternAmongFew(&w->jobs, (const char *) &index, sizeof index),
             first = w->model->jobs.at[index].firstSlice;
    if (place == TAC_NONE || place < w->courses.count) return place;
    Course course = {
        .next = first == TAC_NONE ? (uint32_t) w->model->tasks[w->model->jobs.at[index].task].slices.count : first,
        .unblocked = TAC_UNKNOWN,
        .slice = TAC_NONE,
        .stretch = {.source = UINT64_MAX},
        .ready = TAC_UNKNOWN};
    return tacArrayPush(&w->courses, course) ? place : TAC_NONE;
}

/* Notes that the walk has passed a slice. */
static void pass(Course *course, const tacSlice *slice) {
    course->unblocked = slice->state == TAC_STATE_BLOCKED ? slice->end : TAC_UNKNOWN;
}

/* The first slice of the job that ends after `from` and begins before `to`; TAC_NONE: none. */
static uint32_t nextOf(Walk *w, Course *course, uint32_t index, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    uint32_t task = model->jobs.at[index].task, n = (uint32_t) model->tasks[task].slices.count, i = course->next;
    const tacSlice *slices = model->tasks[task].slices.at;
    for (i = i < n ? tacQuerySlice(model, task, i, from) : n; i < n && slices[i].begin < to && goOn(w);
         i = tacQuerySlice(model, task, i + 1, from)) {
        if (slices[i].job != index) continue;
        course->next = i;
        if (slices[i].end > from) return i;
        pass(course, &slices[i]);
    }
    course->next = i;
    return TAC_NONE;
}

/* Takes apart what a job does in [from, to). */
static void explain(Walk *w, uint32_t index, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    const tacJob *job = &model->jobs.at[index];
    const tacSlice *slices = model->tasks[job->task].slices.at;
    uint32_t place = courseOf(w, index);
    if (place == TAC_NONE) w->failed = true;
    while (from < to && !w->failed) {
        Course *course = &w->courses.at[place];
        uint32_t i = nextOf(w, course, index, from, to);
        if (i == TAC_NONE) {
            bool starts = job->firstSlice != TAC_NONE && slices[job->firstSlice].begin >= to;
            return gap(w, course, index, starts ? job->firstSlice : TAC_NONE, from, to);
        }
        if (slices[i].begin > from) gap(w, course, index, i, from, slices[i].begin);
        int64_t begin = later(from, slices[i].begin), end = earlier(slices[i].end, to);
        slice(w, course, index, i, begin, end);
        pass(&w->courses.at[place], &slices[i]);
        from = end;
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

tacStatus tacWhyJob(
    const tacModel *model, uint32_t job, tacWhyShared *shared, tacWhy *why, tacProgress *progress, tacError *err) {
    Walk walk = {.model = model, .why = why, .shared = shared, .progress = progress, .processor = TAC_NONE};
    *why = (tacWhy){.model = model,
        .job = job,
        .begin = tacJobBegin(model, &model->jobs.at[job]),
        .median = TAC_NONE,
        .best = TAC_NONE,
        .medianResponse = TAC_UNKNOWN,
        .bestResponse = TAC_UNKNOWN};
    why->end = endOf(model, job, &why->ended);
    why->response = tacElapsed(why->begin, why->end);
    explain(&walk, job, why->begin, why->end);
    for (size_t i = 0; i < walk.sweeps.count; i++)
        for (int rank = 0; rank < RANKS; rank++) tacArrayFree(&walk.sweeps.at[i].stacks[rank]);
    tacArrayFree(&walk.sweeps);
    tacArrayFree(&walk.servers);
    tacInternFree(&walk.processors);
    tacInternFree(&walk.tasks);
    tacInternFree(&walk.jobs);
    tacArrayFree(&walk.courses);
    return walk.failed ? tacFailStopped(err, progress) : TAC_OK;
}
