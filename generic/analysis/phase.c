/*
 * phase.c -- slices of a job, split by the runs of its processor.
 *
 * Runs of one processor may overlap (an interrupt on top of a thread): each moment goes to the run that began last
 * among those that have not ended, that is to who interrupted; what is left goes to the one below.
 */
#include "base/port.h"

#include "analysis/phase.h"
#include "model/neighbour.h"
#include "model/query.h"

typedef struct Splitting {
    const tacModel *model;
    tacJobPhaseList *phases;
    size_t most;
} Splitting;

static void add(Splitting *s, int64_t begin, int64_t end, tacJobState state, uint32_t other) {
    tacJobPhase *last = s->phases->list.count ? &s->phases->list.at[s->phases->list.count - 1] : NULL;
    if (last && last->end == begin && last->state == state && last->other == other && other != TAC_NONE
        && end > begin) {
        last->end = end;
        return;
    }
    if (s->phases->list.count >= s->most) s->phases->cut = true;
    else if (!tacArrayPush(&s->phases->list, (tacJobPhase){begin, end, state, other})) s->phases->failed = true;
}

/* ---- who ran meanwhile ------------------------------------------------------------------------------------------ */

enum { ON_TOP = 8 }; /* runs at once that are told apart: interrupts nest no deeper */

typedef struct Stack { /* runs that have begun and not ended, the latest on top */
    const tacSlice *runs[ON_TOP];
    int n;
} Stack;

/* Gives the time from `at` up to `end` to the runs on the stack, and takes off those that end; returns how far it got.
 */
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

static void push(Stack *stack, const tacSlice *run) {
    if (stack->n == ON_TOP) stack->n--;
    stack->runs[stack->n++] = run;
}

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
        push(&stack, run);
    }
    runDown(s, &stack, at, end, state);
}

/* ---- a job ------------------------------------------------------------------------------------------------------ */

/* An abandoned one is seen no more from its last slice on; another arrival of the id may have come at any time behind.
 */
int64_t tacJobPhaseEnd(const tacModel *model, uint32_t index) {
    const tacJob *job = &model->jobs.at[index];
    if (job->completion != TAC_UNKNOWN) return job->completion;
    if (!(job->flags & TAC_JOB_ABANDONED)) return model->end;
    return job->firstSlice != TAC_NONE ? tacJobOver(model, job) : tacJobBegin(model, job);
}

/* Where it waits to run first: where it did, else where it was assigned, or the only processor there is. */
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
        else add(&s, slice->begin, slice->end, (tacJobState) slice->state, TAC_NONE);
    }
}
