/*
 * auditJob.c -- facts about single jobs: their deadlines, how long they executed, and where they ran.
 *
 * deadline:
 *      late        completed after its deadline: from the deadline to the completion, `amount` late
 *      unfinished  not completed at its deadline nor later in the recording (or until its id arrives anew)
 *      due         not completed at the end of the recording, which is its deadline
 *      open        `count` jobs not completed at the end of the recording, with a later deadline: one fact for all, of
 *                  the one that is due first. They alone do not make the rule applicable
 *      abandoned   its id arrives anew (end) before it was seen to complete, and no completion of its task is
 *                  recorded, or its deadline was still to come
 *      unknown     perhaps completed in an unknown stretch, which ends (end) after its deadline
 *      noRelease   `count` jobs of a task with a relative deadline that were not seen to be released
 * A job's deadline is its own one (jobDeadline, -D). Where the jobs of a task have none, each taskDeadline is the
 * deadline of the first job released since the taskDeadline before.
 *
 * execution, of tasks with -C:
 *      over        executed for `amount`, without interrupts that ran on top (net execution), which is more than
 * `limit` unknown     `count` jobs of the task that were in an unknown state for some time, and not seen to exceed it;
 * the first of them A job that is under way at the end, and within its limit so far, is not judged.
 *
 * affinity:
 *      elsewhere   ran on `processor` from begin to end, while it is assigned to `elsewhere` (newJob -processor, else
 *                  that of its task), or, where this is none, to the -cpus of its task, which come before that
 * In recordings of running systems a thread is bound only after it was made, so -cpus do not count for its first job;
 * nor do they for the kernel's own threads, of which names tell them.
 */
#include "base/port.h"

#include "analysis/audit.h"
#include "model/jobTimes.h"
#include "trace/kernelThread.h"
#include "trace/scheduling.h"

/* Row of a job's event at t that is one of `events` (tacAuditRow); the job's first row if there is none. */
static uint32_t rowOf(const tacTrace *trace, const tacJob *job, int64_t t, uint64_t events) {
    uint32_t row = tacAuditRow(&trace->store, job->id, t, events);
    return row != TAC_NONE ? row : job->row;
}

/* ---- deadlines -------------------------------------------------------------------------------------------------- */

typedef struct Deadlines {
    const tacTrace *trace;
    tacFacts *facts;
    const bool *completes; /* by task: some job completes. If none does, completions may just not be recorded */
    tacFact open;          /* "open", with the number of jobs so far */
} Deadlines;

/* Counts a job that is due after the end of the recording, and is not over then. */
static bool noteOpen(Deadlines *d, const tacFact *fact) {
    int64_t count = d->open.count + 1;
    if (count == 1 || fact->limit < d->open.limit) d->open = *fact;
    d->open.count = count;
    return true;
}

/* Notes a fact if the job does not keep the deadline, which may be one of its task. */
static bool judge(Deadlines *d, uint32_t index, int64_t deadline) {
    const tacModel *model = &d->trace->model;
    const tacJob *job = &model->jobs.at[index];
    tacFact fact = TAC_FACT(
        "late", .begin = deadline, .limit = deadline, .job = job->id, .task = job->task, .row = job->row);
    bool abandoned = (job->flags & TAC_JOB_ABANDONED) != 0;
    if (job->completion == TAC_UNKNOWN && !abandoned && deadline > model->end) {
        fact.fact = "open";
        fact.begin = tacJobBegin(model, job);
        fact.end = model->end;
        return noteOpen(d, &fact);
    }
    d->facts->applicable = true;
    if (job->completion != TAC_UNKNOWN) {
        if (job->completion <= deadline) return true;
        fact.end = job->completion;
        fact.amount = tacElapsed(deadline, job->completion);
        fact.row = rowOf(d->trace, job, job->completion, TAC_EVENT_BIT(TAC_EV_JOB_COMPLETED));
        return tacFactAdd(d->facts, fact);
    }
    if (job->flags & TAC_JOB_NO_COMPLETION) { /* it ended in an unknown stretch, or is in one at the end */
        fact.end = tacJobOver(model, job);
        if (fact.end <= deadline && abandoned) return true;
        fact.fact = fact.end > deadline ? "unknown" : "due";
        fact.begin = tacJobBegin(model, job);
        return tacFactAdd(d->facts, fact);
    }
    fact.end = abandoned ? tacNextArrival(model, index) : model->end;
    if (abandoned && (!d->completes[job->task] || fact.end < deadline)) {
        fact.fact = "abandoned";
        fact.begin = tacJobBegin(model, job);
    } else if (abandoned || model->end > deadline) {
        fact.fact = "unfinished";
    } else {
        fact.fact = "due";
        fact.begin = tacJobBegin(model, job);
    }
    return tacFactAdd(d->facts, fact);
}

bool tacTaskDeadlines(const tacModel *model, uint32_t task, tacProgress *progress, tacDeadlineTaker *take, void *data) {
    const tacTaskModel *one = &model->tasks[task];
    int64_t before = INT64_MIN;
    uint32_t job = one->firstJob;
    for (size_t i = 0; i < one->arrows.count; i++) {
        uint32_t row = one->arrows.at[i];
        int64_t t = tacRowTime(model->store, row);
        if (!tacProgressAt(progress, i)) return false;
        if (tacRowEvent(model->store, row) != TAC_EV_TASK_DEADLINE || t == before) continue;
        while (job != TAC_NONE && tacJobBegin(model, &model->jobs.at[job]) < before) job = model->jobs.at[job].next;
        before = t;
        if (job == TAC_NONE || tacJobBegin(model, &model->jobs.at[job]) >= t) continue;
        if (model->jobs.at[job].deadline == TAC_UNKNOWN && !take(data, job, t)) return false;
        job = model->jobs.at[job].next;
    }
    return true;
}

static bool judgeTaken(void *data, uint32_t job, int64_t deadline) { return judge(data, job, deadline); }

/* Notes the jobs of a task with -D that have no deadline because their release is not recorded. */
static bool countUnreleased(const Deadlines *d, uint32_t task) {
    const tacModel *model = &d->trace->model;
    tacFact fact = TAC_FACT("noRelease", .begin = 0, .task = task, .limit = model->store->objects[TAC_TASK].at[task].D);
    if (fact.limit == TAC_UNKNOWN) return true;
    for (uint32_t job = model->tasks[task].firstJob; job != TAC_NONE; job = model->jobs.at[job].next) {
        const tacJob *one = &model->jobs.at[job];
        if (!(one->flags & TAC_JOB_NO_RELEASE) || one->deadline != TAC_UNKNOWN || fact.count++) continue;
        d->facts->applicable = true;
        fact.job = one->id;
        fact.row = one->row;
        fact.begin = tacJobBegin(model, one);
    }
    return fact.count == 0 || tacFactAdd(d->facts, fact);
}

bool tacAuditDeadline(const tacTrace *trace, tacFacts *facts) {
    const tacModel *model = &trace->model;
    bool *completes = tacAllocZero(tacStoreObjects(&trace->store, TAC_TASK), sizeof *completes),
         fine = completes != NULL;
    Deadlines d = {trace, facts, completes, {0}};
    for (size_t i = 0; fine && i < model->jobs.count; i++)
        if (model->jobs.at[i].completion != TAC_UNKNOWN) completes[model->jobs.at[i].task] = true;
    for (uint32_t i = 0; fine && i < model->jobs.count; i++) {
        int64_t deadline = model->jobs.at[i].deadline;
        fine = tacProgressAt(facts->progress, i) && (deadline == TAC_UNKNOWN || judge(&d, i, deadline));
    }
    for (uint32_t task = 0; fine && task < tacStoreObjects(&trace->store, TAC_TASK); task++)
        fine = tacTaskDeadlines(model, task, facts->progress, judgeTaken, &d) && countUnreleased(&d, task);
    if (fine && d.open.count) fine = tacFactAdd(facts, d.open);
    tacFree(completes);
    return fine;
}

/* ---- worst-case execution times --------------------------------------------------------------------------------- */

/* Notes a fact if a job executed for longer than `limit`; counts it in `unknown` if that cannot be told. */
static bool judgeExecution(const tacTrace *trace, tacFacts *facts, uint32_t index, int64_t limit, tacFact *unknown) {
    const tacModel *model = &trace->model;
    const tacJob *job = &model->jobs.at[index];
    int64_t amount = job->execution - tacJobStolen(model, index); /* what is known of it */
    bool completed = job->completion != TAC_UNKNOWN, over = amount > limit;
    if (!over && !completed && !(job->flags & TAC_JOB_ABANDONED)) return true;
    facts->applicable = true;
    if (over) {
        tacFact fact = TAC_FACT("over", .begin = tacJobBegin(model, job), .amount = amount, .limit = limit,
            .job = job->id, .task = job->task, .row = job->row);
        fact.end = completed ? job->completion : model->end;
        if (completed) fact.row = rowOf(trace, job, job->completion, TAC_EVENT_BIT(TAC_EV_JOB_COMPLETED));
        return tacFactAdd(facts, fact);
    }
    if (!(job->flags & TAC_JOB_UNKNOWN) || unknown->count++) return true;
    unknown->begin = tacJobBegin(model, job);
    unknown->job = job->id;
    unknown->row = job->row;
    return true;
}

bool tacAuditExecution(const tacTrace *trace, tacFacts *facts) {
    const tacModel *model = &trace->model;
    for (uint32_t task = 0; task < tacStoreObjects(&trace->store, TAC_TASK); task++) {
        int64_t limit = trace->store.objects[TAC_TASK].at[task].C;
        tacFact unknown = TAC_FACT("unknown", .begin = 0, .limit = limit, .task = task);
        uint32_t job = limit == TAC_UNKNOWN ? TAC_NONE : model->tasks[task].firstJob;
        for (; job != TAC_NONE; job = model->jobs.at[job].next)
            if (!tacProgressAt(facts->progress, job) || !judgeExecution(trace, facts, job, limit, &unknown))
                return false;
        if (unknown.count && !tacFactAdd(facts, unknown)) return false;
    }
    return true;
}

/* ---- affinity --------------------------------------------------------------------------------------------------- */

typedef struct Affinity { /* of a task */
    const tacTrace *trace;
    tacFacts *facts;
    tacCpuReader *cpus; /* the processors of its -cpus */
    bool listed;        /* these name one */
    bool recorded;      /* tacSchedulingRecorded */
} Affinity;

/* Processor that newJob assigns a job to, or TAC_NO_PROCESSOR. */
static uint16_t jobsOwn(const tacStore *store, const tacJob *job) {
    int64_t value;
    bool own = store->objectOptions[TAC_JOB].count
        && tacObjectOption(store, TAC_JOB, job->id, TAC_OPT_PROCESSOR, &value);
    return own ? (uint16_t) value : TAC_NO_PROCESSOR;
}

/* Reads the -cpus of a task, if they count. */
static void readCpus(Affinity *a, uint32_t task) {
    bool counts = !(a->recorded && tacIsKernelThread(&a->trace->store, task));
    const char *text = counts ? tacObjectText(&a->trace->store, TAC_TASK, task, TAC_OPT_CPUS) : NULL;
    a->listed = false;
    if (text) tacCpusRead(a->cpus, text);
    for (uint32_t i = 0; text && !a->listed && i < a->cpus->nProcessors; i++) a->listed = tacCpusHave(a->cpus, i);
}

/* May a job run on a processor? *home: where it is assigned; TAC_NO_PROCESSOR: by -cpus. */
static bool mayRun(const Affinity *a, const tacJob *job, uint32_t processor, uint16_t *home) {
    *home = jobsOwn(&a->trace->store, job);
    bool byTask = *home == TAC_NO_PROCESSOR,
         first = a->trace->model.tasks[job->task].firstJob == job - a->trace->model.jobs.at;
    if (byTask && a->listed) {
        a->facts->applicable |= !(a->recorded && first);
        return tacCpusHave(a->cpus, processor) || (a->recorded && first);
    }
    if (byTask) *home = a->trace->store.objects[TAC_TASK].at[job->task].processor;
    a->facts->applicable |= *home != TAC_NO_PROCESSOR;
    return *home == TAC_NO_PROCESSOR || *home == processor;
}

/* Notes the runs of a task's jobs where they may not. */
static bool lookAtTask(Affinity *a, uint32_t task) {
    const tacModel *model = &a->trace->model;
    readCpus(a, task);
    for (size_t i = 0; i < model->tasks[task].slices.count; i++) {
        const tacSlice *slice = &model->tasks[task].slices.at[i];
        if (!tacProgressAt(a->facts->progress, i)) return false;
        if (slice->state != TAC_STATE_RUNNING || slice->processor >= a->cpus->nProcessors) continue;
        const tacJob *job = &model->jobs.at[slice->job];
        uint16_t home;
        if (mayRun(a, job, slice->processor, &home)) continue;
        uint32_t row = rowOf(
            a->trace, job, slice->begin, TAC_EVENT_BIT(TAC_EV_JOB_STARTED) | TAC_EVENT_BIT(TAC_EV_JOB_RESUMED));
        if (!tacFactAdd(a->facts,
                TAC_FACT("elsewhere", .begin = slice->begin, .end = slice->end, .job = job->id, .task = task,
                    .processor = slice->processor, .elsewhere = home == TAC_NO_PROCESSOR ? TAC_NONE : home,
                    .row = row)))
            return false;
    }
    return true;
}

bool tacAuditAffinity(const tacTrace *trace, tacFacts *facts) {
    tacCpuReader cpus;
    Affinity a = {trace, facts, &cpus, false, tacSchedulingRecorded(&trace->store)};
    bool fine = tacCpuReaderInit(&cpus, &trace->store);
    for (uint32_t task = 0; fine && task < tacStoreObjects(&trace->store, TAC_TASK); task++)
        fine = lookAtTask(&a, task);
    uint32_t nDefined = 0;
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_PROCESSOR); i++)
        nDefined += trace->store.objects[TAC_PROCESSOR].at[i].line != 0;
    if (nDefined < 2) facts->applicable = false;
    tacCpuReaderFree(&cpus);
    return fine;
}
