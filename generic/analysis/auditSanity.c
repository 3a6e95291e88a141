/*
 * auditSanity.c -- what no system can have done: facts from runs, slices and the order of the file.
 *
 *      twoJobs          `job` and `other` run on `processor` at once, from begin to end; `count` such pairs adjoin
 *      twoProcessors    `job` is resumed on `processor` while it runs on `elsewhere`, and not preempted there at that
 *                       instant
 *      beforeRelease    `job` is used at begin, and released at end
 *      noRelease        `count` jobs of `task` were not seen to be released; `job` is the first
 *      afterCompletion  `job` runs from begin to end, after its completion at `limit`
 *      afterCompletionAtOnce  ... beginning at that instant
 *      completedTwice   `job` completes once more
 *      jobBack          the file tells of `job` on `processor` at end, and further on of what it did there at begin
 *      clockBack        the same of a processor with a synchronized clock: its recorder's clock went back. The first of
 *                       `count`
 *      fileBack         the same of any other processor: the file is not in the order of time
 *
 * Order is judged by events of execution only, since deadlines are announced and arrivals are often written in a block.
 * It is not judged in traces that are computed, where a line is no place in the file: some line tells of two times.
 * Work between jobs is no run here, since recorders write no end of it; nor is the handling of an interrupt, which runs
 * on top of a job.
 */
#include "base/port.h"

#include "analysis/audit.h"

enum { ROWS_AT_ONCE = 4096 }; /* looked at for the event of an instant, at most */

static bool isRun(tacEvent event) { return tacEventIs(event, TAC_TRAIT_RUNS); }
static bool isStop(tacEvent event) { return event == TAC_EV_JOB_PREEMPTED || event == TAC_EV_JOB_BLOCKED; }

/* The first row at t of the job id whose event fits; TAC_NONE. */
static uint32_t rowAt(const tacStore *store, uint32_t id, int64_t t, bool (*fits)(tacEvent event)) {
    uint32_t first = tacStoreFind(store, t), n = tacStoreCount(store);
    for (uint32_t row = first; row < n && row - first < ROWS_AT_ONCE && tacRowTime(store, row) == t; row++)
        if (fits(tacRowEvent(store, row)) && tacRowSubject(store, row) == id) return row;
    return TAC_NONE;
}

/* ---- two jobs on one processor ---------------------------------------------------------------------------------- */

/* Goes over the runs of a processor by begin, and remembers the one that ends last so far. */
static bool twoJobs(const tacTrace *trace, uint32_t index, tacFacts *facts) {
    const tacModel *model = &trace->model;
    const tacProcessorModel *processor = &model->processors[index];
    const tacSlice *longest = NULL;
    tacFact fact = {.fact = NULL};
    if (processor->overlap < 2) return true;
    for (size_t i = 0; i < processor->runs.count; i++) {
        tacRun run = processor->runs.at[i];
        const tacSlice *slice = tacRunSlice(model, run);
        if (!tacProgressAt(facts->progress, i)) return false;
        if (slice->state != TAC_STATE_RUNNING || slice->end == slice->begin || tacIsInterrupt(model, run.task))
            continue;
        if (longest && slice->begin < longest->end && slice->job != longest->job) {
            int64_t end = slice->end < longest->end ? slice->end : longest->end;
            uint32_t id = model->jobs.at[slice->job].id;
            if (fact.fact && slice->begin > fact.end) {
                if (!tacFactAdd(facts, fact)) return false;
                fact.fact = NULL;
            }
            if (!fact.fact)
                fact = TAC_FACT("twoJobs", .begin = slice->begin, .end = end, .processor = index, .job = id,
                    .other = model->jobs.at[longest->job].id, .row = rowAt(&trace->store, id, slice->begin, isRun));
            if (end > fact.end) fact.end = end;
            fact.count++;
        }
        if (!longest || slice->end > longest->end) longest = slice;
    }
    return !fact.fact || tacFactAdd(facts, fact);
}

/* ---- slices ----------------------------------------------------------------------------------------------------- */

typedef struct Last { /* slice of a job */
    int64_t end;
    uint16_t processor;
    bool running;
} Last;

/* Compares a slice with the one before it of the same job. */
static bool lookAtSlice(const tacTrace *trace, const tacSlice *slice, Last *last, tacFacts *facts) {
    const tacStore *store = &trace->store;
    const tacJob *job = &trace->model.jobs.at[slice->job];
    int64_t t = slice->begin;
    if (slice->state == TAC_STATE_BETWEEN
        && !tacFactAdd(facts,
            TAC_FACT(t == job->completion ? "afterCompletionAtOnce" : "afterCompletion", .begin = t, .end = slice->end,
                .job = job->id, .task = job->task, .limit = job->completion, .processor = slice->processor,
                .row = rowAt(store, job->id, t, isRun))))
        return false;
    bool running = slice->state == TAC_STATE_RUNNING;
    if (running && last->running && last->end == t && last->processor != slice->processor
        && rowAt(store, job->id, t, isStop) == TAC_NONE
        && !tacFactAdd(facts,
            TAC_FACT("twoProcessors", .begin = t, .job = job->id, .task = job->task, .processor = slice->processor,
                .elsewhere = last->processor, .row = rowAt(store, job->id, t, isRun))))
        return false;
    *last = (Last){slice->end, slice->processor, running};
    return true;
}

static bool lookAtSlices(const tacTrace *trace, tacFacts *facts) {
    const tacModel *model = &trace->model;
    Last *last = tacAllocZero(model->jobs.count, sizeof *last);
    bool fine = last != NULL;
    for (uint32_t task = 0; fine && task < tacStoreObjects(&trace->store, TAC_TASK); task++)
        for (size_t i = 0; fine && i < model->tasks[task].slices.count; i++) {
            const tacSlice *slice = &model->tasks[task].slices.at[i];
            fine = lookAtSlice(trace, slice, &last[slice->job], facts) && tacProgressAt(facts->progress, i);
        }
    tacFree(last);
    return fine;
}

/* ---- releases --------------------------------------------------------------------------------------------------- */

/*
 * The job that is the release of a job which was used before it: their id has these two only. An id that arrives
 * several times may have been there before the recording, and so may one that completed before it arrived, unless
 * nothing more is seen of it. NULL: there is no such job.
 */
static const tacJob *laterRelease(const tacModel *model, uint32_t index) {
    uint32_t n;
    const tacJob *job = &model->jobs.at[index];
    const uint32_t *jobs = tacIdJobs(model, job->id, &n);
    if (n != 2 || jobs[0] != index) return NULL;
    const tacJob *next = &model->jobs.at[jobs[1]];
    bool unused = next->firstSlice == TAC_NONE && next->completion == TAC_UNKNOWN;
    return (job->flags & TAC_JOB_ABANDONED) || unused ? next : NULL;
}

static bool lookAtReleases(const tacTrace *trace, uint32_t task, tacFacts *facts) {
    const tacModel *model = &trace->model;
    tacFact none = TAC_FACT("noRelease", .begin = 0, .task = task);
    for (uint32_t i = model->tasks[task].firstJob; i != TAC_NONE; i = model->jobs.at[i].next) {
        const tacJob *job = &model->jobs.at[i];
        if (!tacProgressAt(facts->progress, i)) return false;
        if (!(job->flags & TAC_JOB_NO_RELEASE)) continue;
        const tacJob *release = laterRelease(model, i);
        if (release) {
            if (!tacFactAdd(facts,
                    TAC_FACT("beforeRelease", .begin = tacJobBegin(model, job), .end = release->release, .job = job->id,
                        .task = task, .row = job->row)))
                return false;
        } else if (none.count++ == 0) {
            none.begin = tacJobBegin(model, job);
            none.job = job->id;
            none.row = job->row;
        }
    }
    return none.count == 0 || tacFactAdd(facts, none);
}

/* ---- the order of the file -------------------------------------------------------------------------------------- */

typedef struct Told {   /* of a job id or processor: the event furthest down in the file, of those up to now */
    uint32_t row, line; /* line 0: none yet */
    uint16_t processor;
    bool completed, noted; /* of job ids */
} Told;

typedef struct Order {
    const tacTrace *trace;
    tacFacts *facts;
    Told *jobs;       /* by id */
    Told *processors; /* noted: index of the fact in `first` counts */
    tacFact *first;   /* by processor: its first step back; fact NULL: none */
} Order;

/* Processor on which a row's job runs or ran: as the run says, else as before, else as the model has it. */
static uint16_t whereIs(const Order *o, uint32_t row, tacEvent event, const Told *told, uint32_t id) {
    uint16_t named = isRun(event) ? tacRowProcessor(&o->trace->store, row) : TAC_NO_PROCESSOR;
    if (named != TAC_NO_PROCESSOR) return named;
    if (told->line) return told->processor;
    uint32_t job = o->trace->model.lastJob.at[id];
    return job == TAC_NONE ? TAC_NO_PROCESSOR : o->trace->model.jobs.at[job].processor;
}

/* Does the file tell of this row before an earlier event? */
static bool isBack(const tacStore *store, const Told *told, uint32_t row) {
    return told->line > tacRowLine(store, row) && tacRowTime(store, told->row) < tacRowTime(store, row);
}

static void tell(const tacStore *store, Told *told, uint32_t row) {
    if (tacRowLine(store, row) < told->line) return;
    told->row = row;
    told->line = tacRowLine(store, row);
}

/* Notes a row's place in the file for its processor, and the first step back. */
static void noteProcessor(Order *o, uint32_t row, uint16_t processor) {
    const tacStore *store = &o->trace->store;
    Told *told = &o->processors[processor];
    if (isBack(store, told, row)) {
        tacFact *fact = &o->first[processor];
        bool mapped = processor < o->trace->clocks.clocks.count && o->trace->clocks.messages
            && o->trace->clocks.clocks.at[processor].mapped;
        if (!fact->fact)
            *fact = TAC_FACT(mapped ? "clockBack" : "fileBack", .begin = tacRowTime(store, told->row),
                .end = tacRowTime(store, row), .processor = processor, .row = told->row);
        fact->count++;
    }
    tell(store, told, row);
}

/* Looks at an event of execution. */
static bool execution(Order *o, uint32_t row, tacEvent event) {
    const tacStore *store = &o->trace->store;
    uint32_t id = tacRowSubject(store, row);
    Told *told = &o->jobs[id];
    uint16_t processor = whereIs(o, row, event, told, id);
    if (event == TAC_EV_JOB_COMPLETED) {
        if (told->completed
            && !tacFactAdd(
                o->facts, TAC_FACT("completedTwice", .begin = tacRowTime(store, row), .job = id, .row = row)))
            return false;
        told->completed = true;
    } else if (isRun(event)) {
        told->completed = false;
    }
    if (!told->noted && processor == told->processor && isBack(store, told, row)) {
        told->noted = true;
        if (!tacFactAdd(o->facts,
                TAC_FACT("jobBack", .begin = tacRowTime(store, told->row), .end = tacRowTime(store, row), .job = id,
                    .processor = processor == TAC_NO_PROCESSOR ? TAC_NONE : processor, .row = told->row)))
            return false;
    }
    tell(store, told, row);
    told->processor = processor;
    if (processor != TAC_NO_PROCESSOR) noteProcessor(o, row, processor);
    return true;
}

static bool lookAtRows(Order *o) {
    const tacStore *store = &o->trace->store;
    for (uint32_t row = 0; row < tacStoreCount(store); row++) {
        tacEvent event = tacRowEvent(store, row);
        if (!tacProgressAt(o->facts->progress, row)) return false;
        if (event == TAC_EV_JOB_ARRIVED)
            o->jobs[tacRowSubject(store, row)] = (Told){0, 0, TAC_NO_PROCESSOR, false, false};
        else if ((isRun(event) || isStop(event) || event == TAC_EV_JOB_COMPLETED) && !execution(o, row, event))
            return false;
    }
    for (uint32_t i = 0; i < o->trace->model.nProcessors; i++)
        if (o->first[i].fact && !tacFactAdd(o->facts, o->first[i])) return false;
    return true;
}

/* Are lines places in the file, so that each tells of one time only? *fine: false when there is no memory. */
static bool linesAreOrder(const tacStore *store, bool *fine) {
    uint32_t last = 0, n = tacStoreCount(store);
    for (uint32_t row = 0; row < n; row++)
        if (tacRowLine(store, row) > last) last = tacRowLine(store, row);
    int64_t *times = tacAlloc(((size_t) last + 1) * sizeof *times);
    bool order = *fine = times != NULL;
    for (uint32_t line = 0; order && line <= last; line++) times[line] = TAC_UNKNOWN;
    for (uint32_t row = 0; order && row < n; row++) {
        int64_t *time = &times[tacRowLine(store, row)];
        order = *time == TAC_UNKNOWN || *time == tacRowTime(store, row);
        *time = tacRowTime(store, row);
    }
    tacFree(times);
    return order;
}

static bool lookAtOrder(const tacTrace *trace, tacFacts *facts) {
    bool enough = true;
    if (!linesAreOrder(&trace->store, &enough)) return enough;
    size_t nProcessors = (size_t) tacStoreObjects(&trace->store, TAC_PROCESSOR) + 1;
    Order o = {trace, facts, tacAllocZero(tacStoreObjects(&trace->store, TAC_JOB), sizeof *o.jobs),
        tacAllocZero(nProcessors, sizeof *o.processors), tacAllocZero(nProcessors, sizeof *o.first)};
    bool fine = o.jobs && o.processors && o.first && lookAtRows(&o);
    tacFree(o.jobs);
    tacFree(o.processors);
    tacFree(o.first);
    return fine;
}

bool tacAuditSanity(const tacTrace *trace, tacFacts *facts) {
    facts->applicable = trace->model.jobs.count > 0;
    for (uint32_t i = 0; i < trace->model.nProcessors; i++)
        if (!twoJobs(trace, i, facts)) return false;
    for (uint32_t task = 0; task < tacStoreObjects(&trace->store, TAC_TASK); task++)
        if (!lookAtReleases(trace, task, facts)) return false;
    return lookAtSlices(trace, facts) && lookAtOrder(trace, facts);
}
