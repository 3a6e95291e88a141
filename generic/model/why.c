/*
 * why.c -- takes one job apart.
 *
 * explain() goes along the slices of a job and hands each stretch to what cuts it; the last cut is put(), which adds the
 * piece to its part. Of a blocked job, the holder is explained for as long as it holds: the way down is the chain, whose
 * parts all get the piece. Every cut covers its stretch without gap or overlap, which makes the parts add up.
 */
#include "base/port.h"
#include "base/search.h"
#include "model/why.h"

#include <string.h>

#include "model/auditWait.h"
#include "model/jobTimes.h"
#include "model/neighbour.h"

enum {
    CHAIN = 16,			/* holders that are followed */
    RANKS = 3,			/* on a processor: threads below softirqs below interrupts */
    SERVED_SLICES = 1024	/* that are asked for whether a server serves a task */
};

const char *const tacWhyNames[TAC_WHY_KINDS] = {
    "running", "interrupt", "softirq", "preempted", "blocked", "waiting", "wakeup", "migration", "idle", "depleted", "unknown", "over", "deadlock"
};
const char *const tacWhyEnds[] = {"completed", "abandoned", "recording"};

typedef struct tacWhyKeys { tacInternTable table; } tacWhyKeys;	/* the identity of part i, as bytes, is name i */

typedef struct Holder {		/* a link of the chain: */
    tacWhyPart identity;	/* blocked on its mutex */
    uint64_t source;		/* the blocked slice above */
    uint32_t job;		/* itself */
} Holder;

typedef struct Served { uint32_t task, server; } Served;

typedef struct Walk {
    const tacModel *model;
    tacWhy *why;
    Holder chain[CHAIN];
    uint32_t depth;		/* links there are now */
    TAC_ARRAY(uint32_t) stacks[RANKS];	/* runs of a processor that began already, by rank (sweep) */
    TAC_ARRAY(Served) served;	/* tasks whose server was looked for */
    bool failed;		/* no memory */
} Walk;

static const tacSlice *sliceOf(const tacModel *model, tacRun run) { return &model->tasks[run.task].slices.at[run.slice]; }
static uint64_t sourceOf(uint32_t task, uint32_t slice) { return (uint64_t) task << 32 | slice; }
static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- parts ------------------------------------------------------------------------------------------------------ */

#define PART(what, ...) (tacWhyPart) {.kind = (what), .parent = TAC_NONE, .task = TAC_NONE, .mutex = TAC_NONE, .server = TAC_NONE, \
    .processor = TAC_NONE, .note = TAC_NONE, .at = TAC_UNKNOWN, .longest = TAC_UNKNOWN, .job = TAC_NONE, .until = TAC_UNKNOWN, __VA_ARGS__}

uint32_t tacWhyFind(tacWhy *why, const tacWhyPart *part) {
    uint32_t key[] = {part->kind, part->parent, part->task, part->mutex, part->server, part->processor, part->note};
    uint32_t index = tacIntern(&why->keys->table, (const char *) key, sizeof key);
    if (index == TAC_NONE || index < why->parts.count) return index;
    return tacArrayPush(&why->parts, *part) ? index : TAC_NONE;
}

/* A piece of a part: `job` is the other one's. */
static void tally(tacWhyPart *part, int64_t from, int64_t to, uint64_t source, uint32_t job) {
    bool goesOn = part->own.times && part->source == source;
    if (!goesOn) part->own.times++;
    if (!goesOn || part->until != from) part->since = from;
    part->until = to;
    part->source = source;
    part->own.ticks = tacLengths(part->own.ticks, tacElapsed(from, to));
    int64_t length = tacElapsed(part->since, to);
    if (part->longest != TAC_UNKNOWN && length <= part->longest) return;
    part->at = part->since;
    part->longest = length;
    part->job = job;
}

/* Adds a piece to its part, and to those of the chain above it. */
static void put(Walk *w, tacWhyPart part, int64_t from, int64_t to, uint64_t source, uint32_t job) {
    uint32_t parent = TAC_NONE;
    if (to <= from || w->failed) return;
    for (uint32_t i = 0; i <= w->depth; i++) {
	tacWhyPart identity = i < w->depth ? w->chain[i].identity : part;
	identity.parent = parent;
	parent = tacWhyFind(w->why, &identity);
	if (parent == TAC_NONE) {
	    w->failed = true;
	    return;
	}
	if (i < w->depth) tally(&w->why->parts.at[parent], from, to, w->chain[i].source, w->chain[i].job);
	else tally(&w->why->parts.at[parent], from, to, source, job);
    }
}

/* ---- who runs on a processor ------------------------------------------------------------------------------------ */

/* A stretch of a job that is ready or runs. */
typedef struct Stretch {
    tacWhyKind kind;		/* RUNNING, PREEMPTED or WAITING */
    uint32_t job;
    uint64_t source;
    int64_t begin, end;		/* the whole stretch, of which a holder may need a part only */
    uint16_t queue;		/* ready: where it stands at first */
    uint16_t ranOn, goesOn;	/* ready: processor before and right after; TAC_NO_PROCESSOR: none, or not known which */
} Stretch;

static int rankOf(const tacModel *model, uint32_t task) {
    const tacObject *object = &model->store->objects[TAC_TASK].at[task];
    return object->softirq ? 1 : object->isr ? 2 : 0;
}

static void push(Walk *w, uint16_t processor, uint32_t run, const Stretch *s) {
    tacRun it = w->model->processors[processor].runs.at[run];
    int rank = rankOf(w->model, it.task);
    if (sliceOf(w->model, it)->job == s->job || (s->kind == TAC_WHY_RUNNING && rank == 0)) return;
    if (!tacArrayPush(&w->stacks[rank], run)) w->failed = true;
}

/* The run on top at t of those that were pushed, or TAC_NONE. What ended under it stays until it comes to the top. */
static uint32_t onTop(Walk *w, uint16_t processor, int64_t t) {
    const tacRun *runs = w->model->processors[processor].runs.at;
    for (int rank = RANKS; rank-- > 0;) {
	while (w->stacks[rank].count && sliceOf(w->model, runs[w->stacks[rank].at[w->stacks[rank].count - 1]])->end <= t) w->stacks[rank].count--;
	if (w->stacks[rank].count) return w->stacks[rank].at[w->stacks[rank].count - 1];
    }
    return TAC_NONE;
}

/* Nobody runs there: is that known? */
static void nobody(Walk *w, const Stretch *s, uint16_t processor, int64_t from, int64_t to) {
    const tacProcessorModel *p = &w->model->processors[processor];
    uint32_t real = tacStoreObjects(w->model->store, TAC_PROCESSOR);
    size_t next = tacPast(size_t, 0, p->unknown.count, i, p->unknown.at[i].end <= from);
    while (from < to && !w->failed) {
	const tacStretch *gap = next < p->unknown.count && p->unknown.at[next].begin < to ? &p->unknown.at[next++] : NULL;
	int64_t known = gap ? later(gap->begin, from) : to, until = gap ? earlier(gap->end, to) : to;
	bool sent = s->ranOn < real && processor != s->ranOn, leaves = known == s->end && s->goesOn < real && processor != s->goesOn;
	tacWhyKind kind = processor < real && (sent || leaves) ? TAC_WHY_MIGRATION : TAC_WHY_IDLE;
	put(w, PART(kind, .processor = processor), from, known, s->source, TAC_NONE);
	put(w, PART(TAC_WHY_UNKNOWN, .processor = processor), known, until, s->source, TAC_NONE);
	from = until;
    }
}

static void behind(Walk *w, const Stretch *s, uint16_t processor, uint32_t top, int64_t from, int64_t to) {
    if (top == TAC_NONE) {
	if (s->kind == TAC_WHY_RUNNING) put(w, PART(TAC_WHY_RUNNING), from, to, s->source, TAC_NONE);
	else nobody(w, s, processor, from, to);
	return;
    }
    tacRun run = w->model->processors[processor].runs.at[top];
    int rank = rankOf(w->model, run.task);
    tacWhyKind kind = s->kind != TAC_WHY_RUNNING ? s->kind : rank == 2 ? TAC_WHY_INTERRUPT : TAC_WHY_SOFTIRQ;
    put(w, PART(kind, .task = run.task), from, to, sourceOf(run.task, run.slice), sliceOf(w->model, run)->job);
}

/* Cuts a stretch by who is on top on a processor meanwhile. */
static void sweep(Walk *w, const Stretch *s, uint16_t processor, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    const tacProcessorModel *p = &model->processors[processor];
    uint32_t n = (uint32_t) p->runs.count, i = tacQueryRun(model, processor, 0, from);
    for (int rank = 0; rank < RANKS; rank++) w->stacks[rank].count = 0;
    while (from < to && !w->failed) {
	for (; i < n && sliceOf(model, p->runs.at[i])->begin <= from; i = tacQueryRun(model, processor, i + 1, from)) push(w, processor, i, s);
	int64_t until = i < n ? earlier(sliceOf(model, p->runs.at[i])->begin, to) : to;
	uint32_t top = onTop(w, processor, from);
	if (top != TAC_NONE) until = earlier(until, sliceOf(model, p->runs.at[top])->end);
	behind(w, s, processor, top, from, until);
	from = until;
    }
}

/* ---- servers ---------------------------------------------------------------------------------------------------- */

/* The last point of the curve that is not after t. There is always one: the first is at the begin of the recording. */
static size_t pointAt(const tacServerModel *server, int64_t t) {
    return tacPast(size_t, 1, server->points.count, i, server->points.at[i].time <= t) - 1;
}

static bool consumes(const tacServerModel *server, int64_t from, int64_t to) {
    for (size_t i = pointAt(server, from); i < server->points.count && server->points.at[i].time < to; i++) {
	bool counts = i + 1 == server->points.count || server->points.at[i + 1].time > from;
	if (counts && server->points.at[i].consumers == 0) return false;
    }
    return true;
}

/* Does it consume whenever the task runs, around this slice? */
static bool serves(const tacModel *model, uint32_t server, uint32_t task, size_t around) {
    const tacTaskModel *one = &model->tasks[task];
    uint16_t home = model->store->objects[TAC_SERVER].at[server].processor;
    size_t first = around > SERVED_SLICES / 2 ? around - SERVED_SLICES / 2 : 0;
    bool runs = false;
    for (size_t i = first; i < one->slices.count && i - first < SERVED_SLICES; i++) {
	const tacSlice *slice = &one->slices.at[i];
	if (slice->state != TAC_STATE_RUNNING || slice->end <= slice->begin) continue;
	if ((home != TAC_NO_PROCESSOR && home != slice->processor) || !consumes(&model->servers[server], slice->begin, slice->end)) return false;
	runs = true;
    }
    return runs;
}

/* The server of the job's task, or TAC_NONE. */
static uint32_t serverOf(Walk *w, uint32_t job) {
    const tacModel *model = w->model;
    uint32_t task = model->jobs.at[job].task, first = model->jobs.at[job].firstSlice, n = tacStoreObjects(model->store, TAC_SERVER);
    if (n == 0) return TAC_NONE;
    for (size_t i = 0; i < w->served.count; i++)
	if (w->served.at[i].task == task) return w->served.at[i].server;
    Served found = {task, 0};
    while (found.server < n && (model->servers[found.server].points.count == 0
	|| !serves(model, found.server, task, first == TAC_NONE ? model->tasks[task].slices.count : first))) found.server++;
    if (found.server == n) found.server = TAC_NONE;
    if (!tacArrayPush(&w->served, found)) w->failed = true;
    return found.server;
}

/* When the budget is gone, from point i on. */
static int64_t emptyFrom(const tacBudgetPoint *point) {
    int64_t lasts, empty;
    if (point->budget <= 0) return point->time;
    if (point->consumers == 0) return INT64_MAX;
    lasts = point->budget / point->consumers + (point->budget % point->consumers != 0);
    return __builtin_add_overflow(point->time, lasts, &empty) ? INT64_MAX : empty;
}

/* Cuts a ready stretch by whether the job's server has budget. */
static void served(Walk *w, const Stretch *s, uint16_t processor, int64_t from, int64_t to) {
    uint32_t index = serverOf(w, s->job);
    const tacServerModel *server = index == TAC_NONE ? NULL : &w->model->servers[index];
    size_t i = server ? pointAt(server, from) : 0;
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

static void inQueue(Walk *w, const Stretch *s, uint16_t processor, int64_t from, int64_t to) {
    if (processor < w->model->nProcessors) served(w, s, processor, from, to);
    else put(w, PART(TAC_WHY_UNKNOWN), from, to, s->source, TAC_NONE);
}

/* The processor that an event of the job sends it to, or TAC_NO_PROCESSOR. */
static uint16_t sentTo(const tacStore *store, uint32_t row, uint32_t jobId) {
    if (tacRowSubject(store, row) != jobId) return TAC_NO_PROCESSOR;
    switch (tacRowEvent(store, row)) {
    case TAC_EV_JOB_ARRIVED: case TAC_EV_JOB_PREEMPTED: case TAC_EV_JOB_BLOCKED: case TAC_EV_JOB_READY: return tacRowProcessor(store, row);
    default: return TAC_NO_PROCESSOR;
    }
}

/* Cuts by the queues it stands in. */
static void queues(Walk *w, const Stretch *s, int64_t from, int64_t to) {
    const tacStore *store = w->model->store;
    uint32_t row = store->processor.at ? tacStoreFind(store, s->begin) : tacStoreCount(store), id = w->model->jobs.at[s->job].id;
    uint16_t queue = s->queue;
    for (; row < tacStoreCount(store) && tacRowTime(store, row) < to; row++) {
	uint16_t next = sentTo(store, row, id);
	if (next == TAC_NO_PROCESSOR || next == queue) continue;
	int64_t t = tacRowTime(store, row);
	if (t > from) {
	    inQueue(w, s, queue, from, t);
	    from = t;
	}
	queue = next;
    }
    inQueue(w, s, queue, from, to);
}

/* The first jobReady of the job in [begin, end]; TAC_UNKNOWN: none. */
static int64_t readyAt(const tacModel *model, const tacJob *job, int64_t begin, int64_t end) {
    const tacStore *store = model->store;
    if (!model->times || !model->times->wakeup.has) return TAC_UNKNOWN;
    for (uint32_t row = tacStoreFind(store, begin); row < tacStoreCount(store) && tacRowTime(store, row) <= end; row++)
	if (tacRowEvent(store, row) == TAC_EV_JOB_READY && tacRowSubject(store, row) == job->id) return tacRowTime(store, row);
    return TAC_UNKNOWN;
}

/* A ready stretch; `woken`: it begins with the release or after being blocked. */
static void ready(Walk *w, const Stretch *s, bool woken, int64_t from, int64_t to) {
    const tacJob *job = &w->model->jobs.at[s->job];
    int64_t done = TAC_UNKNOWN;
    if (woken && s->begin == job->release) {
	int64_t wakeup = tacJobWakeup(w->model, s->job);
	if (wakeup != TAC_UNKNOWN) done = tacLengths(job->release, wakeup);
    } else if (woken) done = readyAt(w->model, job, s->begin, s->end);
    if (done != TAC_UNKNOWN && done > from) {
	put(w, PART(TAC_WHY_WAKEUP), from, earlier(done, to), s->source, TAC_NONE);
	from = earlier(done, to);
    }
    if (from < to) queues(w, s, from, to);
}

/* Where a job is at home that no event has sent anywhere. */
static uint16_t homeOf(const tacModel *model, const tacJob *job) {
    uint16_t home = model->store->objects[TAC_TASK].at[job->task].processor;
    if (job->start == TAC_UNKNOWN && job->processor != TAC_NO_PROCESSOR) return job->processor;
    return home != TAC_NO_PROCESSOR || model->nProcessors != 1 ? home : 0;
}

/* ---- blocked ---------------------------------------------------------------------------------------------------- */

static void explain(Walk *w, uint32_t index, int64_t from, int64_t to);

/* What the event says by which the job was blocked, a string id; TAC_NONE: nothing. */
static uint32_t noteOf(const tacStore *store, uint32_t jobId, int64_t t) {
    int64_t value;
    for (uint32_t row = tacStoreFind(store, t); row < tacStoreCount(store) && tacRowTime(store, row) == t; row++)
	if (tacRowEvent(store, row) == TAC_EV_JOB_BLOCKED && tacRowSubject(store, row) == jobId)
	    return tacRowHasOptions(store, row) && tacRowOption(store, row, TAC_OPT_MESSAGE, &value) ? (uint32_t) value : TAC_NONE;
    return TAC_NONE;
}

static bool isInChain(const Walk *w, uint32_t job) {
    bool found = job == w->why->job;
    for (uint32_t i = 0; !found && i < w->depth; i++) found = w->chain[i].job == job;
    return found;
}

/* For a while, the job is held up by the holder of a mutex. */
static void heldUp(Walk *w, uint64_t source, uint32_t mutex, uint32_t holder, int64_t from, int64_t to) {
    uint32_t task = w->model->jobs.at[holder].task;
    bool again = isInChain(w, holder);
    w->chain[w->depth++] = (Holder) {PART(TAC_WHY_BLOCKED, .mutex = mutex, .task = task), source, holder};
    if (again) put(w, PART(TAC_WHY_DEADLOCK, .task = task), from, to, source, holder);
    else explain(w, holder, from, to);
    w->depth--;
}

/* Cuts by who holds the mutex: of several, the one that acquired it first. */
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

static void blocked(Walk *w, uint32_t index, uint32_t slice, int64_t from, int64_t to) {
    const tacJob *job = &w->model->jobs.at[index];
    uint64_t source = sourceOf(job->task, slice);
    uint32_t mutex = tacBlockedOn(w->model, job->task, slice);
    if (mutex != TAC_NONE && w->depth < CHAIN) holders(w, index, source, mutex, from, to);
    else put(w, PART(TAC_WHY_BLOCKED, .note = noteOf(w->model->store, job->id, w->model->tasks[job->task].slices.at[slice].begin)),
	from, to, source, TAC_NONE);
}

/* ---- along a job ------------------------------------------------------------------------------------------------ */

/* When nothing of the job is to be seen any more. */
static int64_t endOf(const tacModel *model, uint32_t index, tacWhyEnd *ended) {
    const tacJob *job = &model->jobs.at[index];
    *ended = job->completion != TAC_UNKNOWN ? TAC_WHY_COMPLETED : job->flags & TAC_JOB_ABANDONED ? TAC_WHY_ABANDONED : TAC_WHY_RECORDING;
    if (*ended != TAC_WHY_ABANDONED) return *ended == TAC_WHY_COMPLETED ? job->completion : later(model->end, tacJobBegin(model, job));
    if (!tacJobStarted(job)) return tacNextArrival(model, index);	/* it waited until then */
    return job->firstSlice != TAC_NONE ? tacJobOver(model, job) : tacJobBegin(model, job);
}

/* Where a slice runs; TAC_NO_PROCESSOR: it does not, or there is none (TAC_NONE). */
static uint16_t runsOn(const tacModel *model, uint32_t task, uint32_t slice) {
    const tacSlice *one = slice == TAC_NONE ? NULL : &model->tasks[task].slices.at[slice];
    return one && one->state == TAC_STATE_RUNNING ? one->processor : TAC_NO_PROCESSOR;
}

/* No slice: it waits for its start (slice `next` comes then, TAC_NONE: none), or has ended. */
static void gap(Walk *w, uint32_t index, uint32_t next, bool wasBlocked, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    const tacJob *job = &model->jobs.at[index];
    tacWhyEnd ended;
    int64_t over = earlier(later(endOf(model, index, &ended), from), to);
    uint16_t goesOn = runsOn(model, job->task, next);
    Stretch s = {
	TAC_WHY_WAITING, index, sourceOf(job->task, TAC_NONE), wasBlocked ? from : tacJobBegin(model, job),
	next == TAC_NONE ? over : model->tasks[job->task].slices.at[next].begin,
	goesOn != TAC_NO_PROCESSOR ? goesOn : homeOf(model, job), TAC_NO_PROCESSOR, goesOn
    };
    if (w->depth == 0) w->why->states[TAC_STATE_WAITING] = tacLengths(w->why->states[TAC_STATE_WAITING], tacElapsed(from, over));
    if (from < over) ready(w, &s, true, from, over);
    put(w, PART(TAC_WHY_OVER), over, to, s.source, TAC_NONE);
}

static void preempted(Walk *w, uint32_t index, uint32_t slice, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    uint32_t task = model->jobs.at[index].task, before = tacPreviousSlice(model, task, slice);
    const tacSlice *slices = model->tasks[task].slices.at, *one = &slices[slice];
    bool woken = before != TAC_NONE && slices[before].state == TAC_STATE_BLOCKED;
    Stretch s = {
	woken ? TAC_WHY_WAITING : TAC_WHY_PREEMPTED, index, sourceOf(task, slice), one->begin, one->end, one->processor, one->processor,
	runsOn(model, task, tacNextSlice(model, task, slice))
    };
    ready(w, &s, woken, from, to);
}

static void running(Walk *w, uint32_t index, uint32_t slice, int64_t from, int64_t to) {
    uint32_t task = w->model->jobs.at[index].task;
    const tacSlice *one = &w->model->tasks[task].slices.at[slice];
    Stretch s = {TAC_WHY_RUNNING, index, sourceOf(task, slice), one->begin, one->end, one->processor, one->processor, TAC_NO_PROCESSOR};
    if (rankOf(w->model, task) > 0 || one->processor >= w->model->nProcessors) put(w, PART(TAC_WHY_RUNNING), from, to, s.source, TAC_NONE);
    else sweep(w, &s, one->processor, from, to);
}

static void slice(Walk *w, uint32_t index, uint32_t i, int64_t from, int64_t to) {
    const tacTaskModel *task = &w->model->tasks[w->model->jobs.at[index].task];
    uint8_t state = task->slices.at[i].state;
    if (w->depth == 0) w->why->states[state] = tacLengths(w->why->states[state], tacElapsed(from, to));
    switch (state) {
    case TAC_STATE_RUNNING: case TAC_STATE_BETWEEN: running(w, index, i, from, to); break;
    case TAC_STATE_PREEMPTED: preempted(w, index, i, from, to); break;
    case TAC_STATE_BLOCKED: blocked(w, index, i, from, to); break;
    default: put(w, PART(TAC_WHY_UNKNOWN), from, to, sourceOf(w->model->jobs.at[index].task, i), TAC_NONE); break;
    }
}

/* What a job does in [from, to). */
static void explain(Walk *w, uint32_t index, int64_t from, int64_t to) {
    const tacModel *model = w->model;
    const tacJob *job = &model->jobs.at[index];
    const tacTaskModel *task = &model->tasks[job->task];
    uint32_t n = (uint32_t) task->slices.count, i = job->firstSlice == TAC_NONE ? n : tacQuerySlice(model, job->task, job->firstSlice, from);
    bool wasBlocked = false;
    for (; i < n && task->slices.at[i].begin < to && !w->failed; i = tacQuerySlice(model, job->task, i + 1, from)) {
	const tacSlice *one = &task->slices.at[i];
	if (one->job != index) continue;
	if (one->begin > from) gap(w, index, i, wasBlocked, from, one->begin);
	int64_t begin = later(from, one->begin), end = earlier(one->end, to);
	if (begin < end) slice(w, index, i, begin, end);
	wasBlocked = one->state == TAC_STATE_BLOCKED;
	from = later(from, end);
    }
    bool starts = job->firstSlice != TAC_NONE && task->slices.at[job->firstSlice].begin >= to;
    if (from < to && !w->failed) gap(w, index, starts ? job->firstSlice : TAC_NONE, wasBlocked, from, to);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

tacStatus tacWhyJob(const tacModel *model, uint32_t job, tacWhy *why, tacError *err) {
    Walk walk = {.model = model, .why = why};
    *why = (tacWhy) {.job = job, .begin = tacJobBegin(model, &model->jobs.at[job]), .median = TAC_NONE, .best = TAC_NONE,
	.medianResponse = TAC_UNKNOWN, .bestResponse = TAC_UNKNOWN};
    why->end = endOf(model, job, &why->ended);
    why->response = tacElapsed(why->begin, why->end);
    why->keys = tacAllocZero(1, sizeof *why->keys);
    if (!why->keys) return tacFailMemory(err);
    explain(&walk, job, why->begin, why->end);
    for (int rank = 0; rank < RANKS; rank++) tacArrayFree(&walk.stacks[rank]);
    tacArrayFree(&walk.served);
    return walk.failed ? tacFailMemory(err) : TAC_OK;
}

void tacWhyFree(tacWhy *why) {
    tacArrayFree(&why->parts);
    tacArrayFree(&why->order);
    if (why->keys) tacInternFree(&why->keys->table);
    tacFree(why->keys);
    why->keys = NULL;
}
