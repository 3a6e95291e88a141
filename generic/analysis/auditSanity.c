/*
 * auditSanity.c -- facts that no system can have produced, from runs, slices and the order of the file.
 *
 *      twoJobs          `job` and `other` run on `processor` at once, from begin to end; `count` such pairs adjoin
 *      twoProcessors    `job` is resumed on `processor` while it runs on `elsewhere`, and not preempted there at that
 *                       instant
 *      beforeRelease    `job` is used at begin, and released at end
 *      noRelease        `count` jobs of `task` were not seen to be released; `job` is the first
 *      afterCompletion  `job` runs from begin to end, after its completion at `limit`
 *      afterCompletionAtOnce  ... beginning at that instant
 *      completedTwice   `job` completes once more
 *      jobBack          the file has an event of `job` on `processor` at end, and further on one there at begin, which
 *                       is earlier
 *      clockBack        the same of a processor with a synchronized clock: its recorder's clock went back. The first of
 *                       `count`
 *      fileBack         the same of any other processor: the file is not in the order of time
 *
 * Order is judged by events of execution only, since deadlines are announced and arrivals are often written in a block.
 * It is not judged in traces that a script computes, where one line makes events of several times.
 * Work between jobs is no run here, since recorders write no end of it; nor is the handling of an interrupt, which runs
 * on top of a job.
 */
#include "base/port.h"

#include "analysis/audit.h"

/* Events by which a job begins to run, and by which it stops; completions are looked at apart. */
static const uint64_t runs = TAC_EVENT_BIT(TAC_EV_JOB_STARTED) | TAC_EVENT_BIT(TAC_EV_JOB_RESUMED),
                      stops = TAC_EVENT_BIT(TAC_EV_JOB_PREEMPTED) | TAC_EVENT_BIT(TAC_EV_JOB_BLOCKED);

/* ---- two jobs on one processor ---------------------------------------------------------------------------------- */

/* Notes stretches with two jobs on a processor: each run is compared with the one of those before it that ends last. */
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
                    .other = model->jobs.at[longest->job].id,
                    .row = tacAuditRow(&trace->store, id, slice->begin, runs));
            if (end > fact.end) fact.end = end;
            fact.count++;
        }
        if (!longest || slice->end > longest->end) longest = slice;
    }
    return !fact.fact || tacFactAdd(facts, fact);
}

/* ---- slices ----------------------------------------------------------------------------------------------------- */

typedef struct Last { /* the latest slice of a job */
    int64_t end;
    uint16_t processor;
    bool running;
} Last;

/* Compares a slice with the one before it of the same job. */
static bool lookAtSlice(const tacTrace *trace, const tacSlice *slice, Last *last, tacFacts *facts) {
    const tacStore *store = &trace->store;
    const tacJob *job = &trace->model.jobs.at[slice->job];
    int64_t t = slice->begin, forced;
    bool between = slice->state == TAC_STATE_BETWEEN;
    uint32_t row = between ? tacAuditRow(store, job->id, t, runs) : TAC_NONE;
    if (row != TAC_NONE && tacRowOption(store, row, TAC_OPT_FORCE, &forced)) between = false; /* it is meant */
    if (between
        && !tacFactAdd(facts,
            TAC_FACT(t == job->completion ? "afterCompletionAtOnce" : "afterCompletion", .begin = t, .end = slice->end,
                .job = job->id, .task = job->task, .limit = job->completion, .processor = slice->processor,
                .row = row)))
        return false;
    bool running = slice->state == TAC_STATE_RUNNING;
    if (running && last->running && last->end == t && last->processor != slice->processor
        && tacAuditRow(store, job->id, t, stops) == TAC_NONE
        && !tacFactAdd(facts,
            TAC_FACT("twoProcessors", .begin = t, .job = job->id, .task = job->task, .processor = slice->processor,
                .elsewhere = last->processor, .row = tacAuditRow(store, job->id, t, runs))))
        return false;
    *last = (Last){slice->end, slice->processor, running};
    return true;
}

/* Looks at all slices, each beside the one before it of the same job. */
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

/* Notes the jobs of a task that were used before their release, or without one. */
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

typedef struct Latest { /* event of a job id or processor that stands furthest down in the file, of those so far */
    uint32_t row, line; /* line 0: none yet */
    uint16_t processor;
    bool completed, noted; /* of job ids */
} Latest;

typedef struct Order {
    const tacTrace *trace;
    tacFacts *facts;
    Latest *jobs;       /* by id */
    Latest *processors; /* noted: index of the fact in `first` counts */
    tacFact *first;     /* by processor: its first step back; fact NULL: none */
} Order;

/* Processor on which a row's job runs or ran: named by the event, else as before, else as the model has it. */
static uint16_t whereIs(const Order *o, uint32_t row, tacEvent event, const Latest *latest, uint32_t id) {
    uint16_t named = (runs & TAC_EVENT_BIT(event)) ? tacRowProcessor(&o->trace->store, row) : TAC_NO_PROCESSOR;
    if (named != TAC_NO_PROCESSOR) return named;
    if (latest->line) return latest->processor;
    uint32_t job = o->trace->model.lastJob.at[id];
    return job == TAC_NONE ? TAC_NO_PROCESSOR : o->trace->model.jobs.at[job].processor;
}

/* Does the row stand further up in the file than an event that was earlier? */
static bool isBack(const tacStore *store, const Latest *latest, uint32_t row) {
    return latest->line > tacRowLine(store, row) && tacRowTime(store, latest->row) < tacRowTime(store, row);
}

/* Notes the row if it stands further down than all before. */
static void keepLatest(const tacStore *store, Latest *latest, uint32_t row) {
    if (tacRowLine(store, row) < latest->line) return;
    latest->row = row;
    latest->line = tacRowLine(store, row);
}

/* Notes a row's place in the file for its processor, and the first step back. */
static void noteProcessor(Order *o, uint32_t row, uint16_t processor) {
    const tacStore *store = &o->trace->store;
    Latest *latest = &o->processors[processor];
    if (isBack(store, latest, row)) {
        tacFact *fact = &o->first[processor];
        bool mapped = processor < o->trace->clocks.clocks.count && o->trace->clocks.messages
            && o->trace->clocks.clocks.at[processor].mapped;
        if (!fact->fact)
            *fact = TAC_FACT(mapped ? "clockBack" : "fileBack", .begin = tacRowTime(store, latest->row),
                .end = tacRowTime(store, row), .processor = processor, .row = latest->row);
        fact->count++;
    }
    keepLatest(store, latest, row);
}

/* Looks at an event of execution. */
static bool lookAtRow(Order *o, uint32_t row, tacEvent event) {
    const tacStore *store = &o->trace->store;
    uint32_t id = tacRowSubject(store, row);
    Latest *latest = &o->jobs[id];
    uint16_t processor = whereIs(o, row, event, latest, id);
    if (event == TAC_EV_JOB_COMPLETED) {
        if (latest->completed
            && !tacFactAdd(
                o->facts, TAC_FACT("completedTwice", .begin = tacRowTime(store, row), .job = id, .row = row)))
            return false;
        latest->completed = true;
    } else if (runs & TAC_EVENT_BIT(event)) {
        latest->completed = false;
    }
    if (!latest->noted && processor == latest->processor && isBack(store, latest, row)) {
        latest->noted = true;
        if (!tacFactAdd(o->facts,
                TAC_FACT("jobBack", .begin = tacRowTime(store, latest->row), .end = tacRowTime(store, row), .job = id,
                    .processor = processor == TAC_NO_PROCESSOR ? TAC_NONE : processor, .row = latest->row)))
            return false;
    }
    keepLatest(store, latest, row);
    latest->processor = processor;
    if (processor != TAC_NO_PROCESSOR) noteProcessor(o, row, processor);
    return true;
}

/* Goes over all events of execution. */
static bool lookAtRows(Order *o) {
    const tacStore *store = &o->trace->store;
    const uint64_t execution = runs | stops | TAC_EVENT_BIT(TAC_EV_JOB_COMPLETED);
    for (uint32_t row = 0; row < tacStoreCount(store); row++) {
        tacEvent event = tacRowEvent(store, row);
        if (!tacProgressAt(o->facts->progress, row)) return false;
        if (event == TAC_EV_JOB_ARRIVED)
            o->jobs[tacRowSubject(store, row)] = (Latest){0, 0, TAC_NO_PROCESSOR, false, false};
        else if ((execution & TAC_EVENT_BIT(event)) && !lookAtRow(o, row, event)) return false;
    }
    for (uint32_t i = 0; i < o->trace->model.nProcessors; i++)
        if (o->first[i].fact && !tacFactAdd(o->facts, o->first[i])) return false;
    return true;
}

/* Do the events of each line have one time, so that lines are places in the file? *fine: false when there is no memory.
 */
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
