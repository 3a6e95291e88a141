/*
 * doubt.c -- jobs that stood somewhere while events were lost: they may have run then.
 *
 *      processors are lossy --> losses, as stretches of time, apart from one another
 *      at the end: all rows, job by job: does a loss lie within a time where the job stood? --> rows that say so
 *
 *      ready, preempted   unknown from the beginning of the loss on; if its next event is that it resumes, it stood in
 *                         the queue again from the loss's end on, for a wake-up would have been seen
 *      blocked            unknown from the beginning of the loss on, until it is woken
 *      sleeping           it sleeps, as far as is known: jobs whose events are all lost are not shown
 *
 * This is done at the end, because a loss is reported only with the next event of its processor, and other processors
 * may have had events of the thread before that. A reported loss, a clock that goes back, and the beginning of a
 * processor whose older events are overwritten count; a single missing switch does not, since the next event shows
 * which thread ran.
 *
 * A recording of marks and calls alone is a single doubt: what runs between them is unknown from beginning to end.
 */
#include "base/port.h"

#include "base/search.h"
#include "import/kernel/state.h"

#include <stdlib.h>

#define BEGINNING (INT64_MIN + 1) /* before all times; not TAC_UNKNOWN */

/* ---- losses ---- */

void tacKernelLossy(tacKProcessor *p) {
    if (p->lossySince == TAC_UNKNOWN) p->lossySince = p->unknownSince != TAC_UNKNOWN ? p->unknownSince : BEGINNING;
}

bool tacKernelLossEnds(tacKernelTasks *k, tacKProcessor *p, int64_t time) {
    /* at least a tick, within which much may happen */
    tacKLoss loss = {p->lossySince, time > p->lossySince ? time : p->lossySince + 1};
    p->lossySince = TAC_UNKNOWN;
    return tacArrayPush(&k->losses, loss);
}

static int byBegin(const void *a, const void *b) {
    int64_t first = ((const tacKLoss *) a)->begin, second = ((const tacKLoss *) b)->begin;
    return (first > second) - (first < second);
}

/* Merges the losses of all processors; open ones last to the end. */
static bool mergeLosses(tacKernelTasks *k) {
    for (size_t i = 0; i < k->processors.count; i++)
        if (k->processors.at[i].lossySince != TAC_UNKNOWN && !tacKernelLossEnds(k, &k->processors.at[i], INT64_MAX))
            return false;
    if (k->losses.count == 0) return true;
    qsort(k->losses.at, k->losses.count, sizeof *k->losses.at, byBegin);
    size_t n = 1;
    for (size_t i = 1; i < k->losses.count; i++) {
        tacKLoss *before = &k->losses.at[n - 1], loss = k->losses.at[i];
        if (loss.begin > before->end) k->losses.at[n++] = loss;
        else if (loss.end > before->end) before->end = loss.end;
    }
    k->losses.count = n;
    return true;
}

/* Index of the first loss that ends after a time. */
static size_t lossAfter(const tacKernelTasks *k, int64_t time) {
    return tacPast(size_t, 0, k->losses.count, i, k->losses.at[i].end <= time);
}

/* ---- jobs ---- */

typedef struct Job { /* a job after its last row */
    int64_t since;   /* ns: of the row since which it stands (ready, preempted, blocked); TAC_UNKNOWN: it does not */
    uint32_t row;
    bool blocked; /* by that row */
    bool doubted; /* unknown up to that row, from which on it stands in a queue */
    bool woken;   /* it was woken while it stood: it need not have stood there since a loss */
    bool over;    /* it is completed, or no job of a thread */
} Job;

static bool addRow(tacKernelTasks *k, int64_t time, tacEvent event, uint32_t job, uint32_t row) {
    return tacStoreAppend(k->store, time, event, job, TAC_NONE, TAC_NO_PROCESSOR, tacRowLine(k->store, row), k->err)
        != TAC_NONE;
}

/* Adds the rows about losses between job->since and `time`. next: event of the row at `time`. Added rows come after
 * others of the same time. */
static bool standsUntil(tacKernelTasks *k, uint32_t index, Job *job, int64_t time, tacEvent next) {
    if (time <= job->since) return true;
    if (job->doubted && !addRow(k, job->since, TAC_EV_JOB_PREEMPTED, index, job->row)) return false;
    job->doubted = false;
    size_t first = lossAfter(k, job->since), after = lossAfter(k, time);
    if (first == k->losses.count || k->losses.at[first].begin >= time) return true;
    int64_t begin = k->losses.at[first].begin > job->since ? k->losses.at[first].begin : job->since;
    if (!addRow(k, begin, TAC_EV_JOB_UNKNOWN, index, job->row)) return false;
    job->doubted = next == TAC_EV_JOB_READY;
    if (next != TAC_EV_JOB_RESUMED || job->blocked || job->woken) return true;
    if (after < k->losses.count && k->losses.at[after].begin <= time)
        return true; /* it may have been woken in this one */
    return k->losses.at[after - 1].end >= time
        || addRow(k, k->losses.at[after - 1].end, TAC_EV_JOB_PREEMPTED, index, job->row);
}

/* Takes a row of the store: updates the state of its job, and adds the rows about losses before it. */
static bool takeRow(tacKernelTasks *k, Job *jobs, uint32_t row) {
    tacEvent event = tacRowEvent(k->store, row);
    uint32_t index = tacRowSubject(k->store, row);
    int64_t time = tacRowTime(k->store, row);
    bool stands = event == TAC_EV_JOB_ARRIVED || event == TAC_EV_JOB_PREEMPTED || event == TAC_EV_JOB_BLOCKED;
    bool ends = event == TAC_EV_JOB_COMPLETED || event == TAC_EV_JOB_ABANDONED;
    if (!stands && !ends && event != TAC_EV_JOB_READY && event != TAC_EV_JOB_RESUMED && event != TAC_EV_JOB_UNKNOWN)
        return true;
    Job *job = &jobs[index];
    if (job->over) return true;
    bool stood = job->since != TAC_UNKNOWN;
    if (stood && !standsUntil(k, index, job, time, event)) return false;
    job->over = ends;
    job->blocked = event == TAC_EV_JOB_BLOCKED;
    job->since = stands || (stood && event == TAC_EV_JOB_READY) ? time : TAC_UNKNOWN;
    job->doubted = job->doubted && event == TAC_EV_JOB_READY;
    job->row = row;
    return true;
}

bool tacKernelWokenAgain(tacKernelTasks *k, uint32_t job) { return tacArrayPush(&k->wokenAgain, job); }

static bool doubtJobs(tacKernelTasks *k, Job *jobs, uint8_t *interrupts) {
    uint32_t rows = tacStoreCount(k->store), count = (uint32_t) k->store->jobTask.count;
    for (size_t i = 0; i < k->threads.count; i++) interrupts[k->threads.at[i].task] = k->threads.at[i].interrupt;
    for (size_t i = 0; i < count; i++) {
        uint32_t task = k->store->jobTask.at[i];
        bool ofThread = task != TAC_NONE && !interrupts[task]; /* interrupts do not wait for processors */
        jobs[i] = (Job){.since = TAC_UNKNOWN, .over = !ofThread};
    }
    for (size_t i = 0; i < k->wokenAgain.count; i++) jobs[k->wokenAgain.at[i]].woken = true;
    for (uint32_t row = 0; row < rows; row++)
        if (!takeRow(k, jobs, row)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (jobs[i].since != TAC_UNKNOWN && !standsUntil(k, i, &jobs[i], k->last, TAC_EV_JOB_UNKNOWN)) return false;
    return true;
}

bool tacKernelDoubt(tacKernelTasks *k) {
    if (!mergeLosses(k)) return false;
    if (k->losses.count == 0 || k->store->jobTask.count == 0) return true;
    Job *jobs = tacAllocZero(k->store->jobTask.count, sizeof *jobs);
    uint8_t *interrupts = tacAllocZero(tacStoreObjects(k->store, TAC_TASK), 1);
    bool done = jobs && interrupts && doubtJobs(k, jobs, interrupts);
    tacFree(jobs);
    tacFree(interrupts);
    return done;
}

/* ---- recordings of marks and calls alone ---- */

/* Takes out of a row what only a switch can tell: work between jobs is none, a job that runs is unknown. */
static void forgetRunning(tacStore *store, uint32_t row) {
    tacEvent event = tacRowEvent(store, row);
    bool runs = event == TAC_EV_JOB_RESUMED && !tacRowHasOptions(store, row);
    if (event != TAC_EV_JOB_RESUMED && event != TAC_EV_JOB_PREEMPTED && event != TAC_EV_PROCESSOR_IDLE) return;
    store->event.at[row] = runs ? TAC_EV_JOB_UNKNOWN : TAC_EV_NOP;
    if (!runs) store->subject.at[row] = TAC_NONE;
    store->object.at[row] = TAC_NONE;
    store->processor.at[row] = TAC_NO_PROCESSOR;
}

/* With wake-ups or interrupts the rows stay as they are, since these tell more. */
bool tacKernelUnswitched(tacKernelTasks *k) {
    if (k->switches || k->wakeups || k->interrupts.count || k->threads.count == 0) return true;
    for (uint32_t row = 0; row < tacStoreCount(k->store); row++) forgetRunning(k->store, row);
    for (size_t i = 0; i < k->processors.count; i++) {
        tacKProcessor *p = &k->processors.at[i];
        if (p->line == 0) continue;
        p->missed = 0;
        p->unknown = 0;
        p->unknownSince = k->first;
        if (!tacKernelRow(k, k->first, TAC_EV_PROCESSOR_UNKNOWN, p->object, TAC_NONE, -1)) return false;
    }
    tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "SWITCHES",
        "the trace has no switches (sched_switch): it is unknown which threads run");
    return true;
}
