/*
 * phase.c -- slices of a job, split by the runs of its processor and by the holders of mutexes.
 *
 * Runs of one processor may overlap (an interrupt on top of a thread): each moment belongs to the run that began last
 * among those that have not ended, that is, to the interrupting one.
 */
#include "base/port.h"

#include "analysis/auditWait.h"
#include "analysis/phase.h"
#include "model/neighbour.h"
#include "model/query.h"

typedef struct Splitting {
    const tacModel *model;
    tacJobPhaseList *phases;
    size_t most;
} Splitting;

/* Adds a phase, or makes the last one longer. */
static void add(Splitting *s, int64_t begin, int64_t end, tacJobState state, uint32_t other) {
    tacJobPhase *last = s->phases->list.count ? &s->phases->list.at[s->phases->list.count - 1] : NULL;
    if (last && last->end == begin && last->state == state && last->other == other && other != TAC_NONE) {
        last->end = end;
        return;
    }
    if (s->phases->list.count >= s->most) s->phases->cut = true;
    else if (!tacArrayPush(&s->phases->list, (tacJobPhase){begin, end, state, other})) s->phases->failed = true;
}

/* ---- splitting by the runs of a processor ----------------------------------------------------------------------- */

enum { ON_TOP = 8 }; /* runs at once; interrupts nest no deeper */

typedef struct Stack { /* runs that have begun and not ended, the latest on top */
    const tacSlice *runs[ON_TOP];
    int n;
} Stack;

/* Divides the time from `at` up to `end` among the runs on the stack, and takes off those that end. Returns the later
 * of `at` and `end`. */
static int64_t runDown(Splitting *s, Stack *stack, int64_t at, int64_t end, tacJobState state) {
    while (at < end) {
        while (stack->n && stack->runs[stack->n - 1]->end <= at) stack->n--;
        const tacSlice *top = stack->n ? stack->runs[stack->n - 1] : NULL;
        int64_t until = top && top->end < end ? top->end : end;
        add(s, at, until, state, top ? top->job : TAC_NONE);
        at = until;
    }
    return at;
}

/* Splits a stretch of the job by the other runs of a processor. */
static void split(Splitting *s, uint32_t job, uint16_t processor, int64_t begin, int64_t end, tacJobState state) {
    Stack stack = {.n = 0};
    int64_t at = begin;
    if (processor >= s->model->nProcessors || begin >= end) {
        add(s, begin, end, state, TAC_NONE);
        return;
    }
    const tacProcessorModel *record = &s->model->processors[processor];
    uint32_t n = (uint32_t) record->runs.count;
    for (uint32_t i = tacQueryRun(s->model, processor, 0, begin); i < n && !s->phases->cut;
         i = tacQueryRun(s->model, processor, i + 1, begin)) {
        const tacSlice *run = tacRunSlice(s->model, record->runs.at[i]);
        if (run->begin >= end) break;
        if (run->job == job || run->end <= begin || run->end == run->begin) continue;
        at = runDown(s, &stack, at, run->begin > at ? run->begin : at, state);
        if (stack.n == ON_TOP) stack.n--;
        stack.runs[stack.n++] = run;
    }
    runDown(s, &stack, at, end, state);
}

/* ---- splitting by the holders of a mutex ------------------------------------------------------------------------- */

/* Splits a blocked stretch of the job by the holders of the mutex that it waits for; of several at once the first one
 * counts. */
static void splitBlocked(Splitting *s, uint32_t job, const tacSlice *slice, uint32_t mutex) {
    int64_t from = slice->begin, to = slice->end;
    uint32_t n = mutex == TAC_NONE ? 0 : (uint32_t) s->model->mutexes[mutex].holds.count;
    for (uint32_t i = n ? tacQueryMutexHold(s->model, mutex, 0, from) : 0; i < n && from < to && !s->phases->cut;
         i = tacQueryMutexHold(s->model, mutex, i + 1, from)) {
        const tacMutexHold *at = &s->model->mutexes[mutex].holds.at[i];
        const tacHold *hold = &s->model->tasks[at->task].holds.at[at->hold];
        if (hold->begin >= to) break;
        if (hold->job == job || hold->end <= from) continue;
        int64_t begin = hold->begin > from ? hold->begin : from, end = hold->end < to ? hold->end : to;
        if (begin > from) add(s, from, begin, TAC_STATE_BLOCKED, TAC_NONE);
        add(s, begin, end, TAC_STATE_BLOCKED, hold->job);
        from = end;
    }
    if (from < to || from == slice->begin) add(s, from, to, TAC_STATE_BLOCKED, TAC_NONE);
}

/* ---- a job ------------------------------------------------------------------------------------------------------ */

/* An abandoned job ends with its last slice: its id may arrive anew at any time after that. */
int64_t tacJobPhaseEnd(const tacModel *model, uint32_t index) {
    const tacJob *job = &model->jobs.at[index];
    if (job->completion != TAC_UNKNOWN) return job->completion;
    if (!(job->flags & TAC_JOB_ABANDONED)) return model->end;
    return job->firstSlice != TAC_NONE ? tacJobOver(model, job) : tacJobBegin(model, job);
}

/* Processor that a job waits for before its first run: that of the run, else the one it is assigned to, or the only
 * one.
 */
static uint16_t firstProcessor(const tacModel *model, const tacJob *job) {
    if (job->firstSlice != TAC_NONE) return model->tasks[job->task].slices.at[job->firstSlice].processor;
    uint16_t assigned = job->processor != TAC_NO_PROCESSOR ? job->processor
                                                           : model->store->objects[TAC_TASK].at[job->task].processor;
    return assigned == TAC_NO_PROCESSOR && model->nProcessors == 1 ? 0 : assigned;
}

void tacJobPhases(const tacModel *model, uint32_t index, size_t most, tacJobPhaseList *phases) {
    Splitting s = {model, phases, most};
    const tacJob *job = &model->jobs.at[index];
    const tacSlice *slices = model->tasks[job->task].slices.at;
    int64_t begin = tacJobBegin(model, job);
    int64_t waited = job->firstSlice != TAC_NONE ? slices[job->firstSlice].begin : tacJobPhaseEnd(model, index);
    if (waited > begin) split(&s, index, firstProcessor(model, job), begin, waited, TAC_STATE_WAITING);
    for (uint32_t i = job->firstSlice; i != TAC_NONE && !phases->cut; i = tacNextSlice(model, job->task, i)) {
        const tacSlice *slice = &slices[i];
        if (slice->state == TAC_STATE_PREEMPTED)
            split(&s, index, slice->processor, slice->begin, slice->end, TAC_STATE_PREEMPTED);
        else if (slice->state == TAC_STATE_BLOCKED) splitBlocked(&s, index, slice, tacBlockedOn(model, job->task, i));
        else add(&s, slice->begin, slice->end, (tacJobState) slice->state, TAC_NONE);
    }
}
