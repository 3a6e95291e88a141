/*
 * gaugeInterrupts.c -- interrupts of jobs: how many began on their processor while they ran there, and for how long.
 *
 * Of each processor it is known which jobs run there, so that what begins or ends there changes the totals of those.
 */
#include "base/port.h"

#include "base/glob.h"
#include "judge/gaugeState.h"

#include <string.h>

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static bool fitsTask(const tacStore *store, const char *glob, uint32_t task) {
    const char *id = tacObjectId(store, TAC_TASK, task), *name = tacObjectName(store, TAC_TASK, task);
    return store->objects[TAC_TASK].at[task].isr
        && (tacGlob(glob, id, strlen(id)) || tacGlob(glob, name, strlen(name)));
}

bool tacGaugesAskInterrupts(tacGauges *g, const char *glob, uint32_t *index) {
    const tacStore *store = g->model->store;
    uint32_t nTasks = tacStoreObjects(store, TAC_TASK), n = (uint32_t) g->interrupting.count;
    *index = tacIntern(&g->interruptingGlobs, glob, strlen(glob));
    if (*index < n || *index == TAC_NONE) return *index < n;
    if (!tacArrayPush(&g->interrupting, (tacInterrupting){NULL})) return false;
    tacInterrupting *new = &g->interrupting.at[n];
    new->fits = tacAllocZero((size_t) nTasks + 1, sizeof *new->fits);
    new->on = tacAllocZero((size_t) tacStoreObjects(store, TAC_PROCESSOR) + 1, sizeof *new->on);
    if (!new->fits || !new->on) return false;
    for (uint32_t task = 0; task < nTasks; task++) new->fits[task] = fitsTask(store, glob, task);
    return true;
}

bool tacGaugesPrepareInterrupts(tacGauges *g) {
    const tacStore *store = g->model->store;
    uint32_t ids = tacStoreObjects(store, TAC_JOB);
    if (!g->interrupting.count) return true;
    g->nWorking = tacStoreObjects(store, TAC_PROCESSOR) + 1;
    g->working = tacAllocZero(g->nWorking, sizeof *g->working);
    g->worksOn = tacAlloc(((size_t) ids + 1) * sizeof *g->worksOn);
    g->beganLast = tacAlloc(((size_t) ids + 1) * sizeof *g->beganLast);
    for (uint32_t i = 0; g->worksOn && i < ids; i++) g->worksOn[i] = TAC_NO_PROCESSOR;
    for (uint32_t i = 0; g->beganLast && i < ids; i++) g->beganLast[i] = TAC_NONE;
    return g->working && g->worksOn && g->beganLast;
}

void tacGaugesFreeInterrupts(tacGauges *g) {
    for (size_t i = 0; i < g->interrupting.count; i++) {
        tacFree(g->interrupting.at[i].fits);
        tacFree(g->interrupting.at[i].on);
    }
    for (uint32_t i = 0; g->working && i < g->nWorking; i++) tacArrayFree(&g->working[i]);
    tacArrayFree(&g->interrupting);
    tacInternFree(&g->interruptingGlobs);
    tacFree(g->working);
    tacFree(g->worksOn);
    tacFree(g->beganLast);
}

/* ---- the totals of a job ----------------------------------------------------------------------------------------- */

/* The gauge of a job, or of its task, for interrupts of an index; SIZE_MAX: it is not asked for. */
static size_t gaugeOf(
    const tacGauges *g, const tacModel *model, tacBlockKind kind, uint32_t job, tacSince since, uint32_t index) {
    uint32_t column = tacGaugeColumnOf(g, kind, since, index);
    uint32_t object = kind == TAC_BLOCK_TASK ? model->jobs.at[job].task : tacGaugeSlotOf(g, model, job);
    return column == TAC_NONE || object == TAC_NONE ? SIZE_MAX : tacGaugeBlock(g, kind, object) + column;
}

static void countIn(tacGauges *g, const tacModel *model, tacBlockKind kind, uint32_t job, uint32_t index) {
    size_t at = gaugeOf(g, model, kind, job, TAC_SINCE_INTERRUPTS, index);
    if (at != SIZE_MAX) g->gauges[at].base++;
}

/* Counts an interrupt to the jobs that run on a processor, and once to each of their tasks. */
static void countOne(tacGauges *g, const tacModel *model, const tacWorking *working, uint32_t index) {
    for (size_t k = 0; k < working->count; k++) {
        uint32_t task = model->jobs.at[working->at[k]].task;
        size_t first = 0;
        while (model->jobs.at[working->at[first]].task != task) first++;
        if (first == k) countIn(g, model, TAC_BLOCK_TASK, working->at[k], index);
        countIn(g, model, TAC_BLOCK_JOB, working->at[k], index);
    }
}

static void timeOne(tacGauges *g, const tacModel *model, uint32_t job, uint32_t index, int delta, int64_t now) {
    for (tacBlockKind kind = TAC_BLOCK_TASK; kind < TAC_BLOCKS; kind++) {
        if (kind == TAC_BLOCK_PROCESSOR) continue;
        size_t at = gaugeOf(g, model, kind, job, TAC_SINCE_INTERRUPTED, index);
        if (at != SIZE_MAX) tacGaugesChangeLevel(g, at, delta, now);
    }
}

/* Interrupts on a processor that are another job than this one. */
static uint32_t others(const tacInterrupting *interrupting, const tacModel *model, uint32_t job, uint16_t processor) {
    return interrupting->on[processor] - interrupting->fits[model->jobs.at[job].task];
}

/* ---- what happens on a processor --------------------------------------------------------------------------------- */

/* A job begins to run: for the first time, an interrupt to the others there; and it may itself be interrupted at once.
 */
static bool begin(tacGauges *g, const tacModel *model, uint32_t job, uint16_t processor, int64_t now) {
    tacWorking *working = &g->working[processor];
    uint32_t task = model->jobs.at[job].task, *last = &g->beganLast[model->jobs.at[job].id];
    bool first = *last != job;
    *last = job;
    for (uint32_t i = 0; i < g->interrupting.count; i++) {
        tacInterrupting *interrupting = &g->interrupting.at[i];
        if (interrupting->fits[task] && first) countOne(g, model, working, i);
        for (size_t k = 0; interrupting->fits[task] && k < working->count; k++) {
            if (others(interrupting, model, working->at[k], processor) == 0)
                timeOne(g, model, working->at[k], i, 1, now);
        }
        interrupting->on[processor] += interrupting->fits[task];
        if (others(interrupting, model, job, processor) > 0) timeOne(g, model, job, i, 1, now);
    }
    return tacArrayPush(working, job);
}

static void end(tacGauges *g, const tacModel *model, uint32_t job, uint16_t processor, int64_t now) {
    tacWorking *working = &g->working[processor];
    uint32_t task = model->jobs.at[job].task;
    size_t at = 0;
    while (at < working->count && working->at[at] != job) at++;
    if (at == working->count) return;
    working->at[at] = working->at[--working->count];
    for (uint32_t i = 0; i < g->interrupting.count; i++) {
        tacInterrupting *interrupting = &g->interrupting.at[i];
        if (others(interrupting, model, job, processor) > 0) timeOne(g, model, job, i, -1, now);
        interrupting->on[processor] -= interrupting->fits[task];
        for (size_t k = 0; interrupting->fits[task] && k < working->count; k++)
            if (others(interrupting, model, working->at[k], processor) == 0)
                timeOne(g, model, working->at[k], i, -1, now);
    }
}

bool tacGaugesInterrupt(
    tacGauges *g, const tacModel *model, const struct tacReplay *replay, const tacStateChange *change, int64_t now) {
    const tacJob *job = tacNowRecord(replay, change->job);
    uint16_t *worksOn = &g->worksOn[job->id];
    if (change->from == TAC_STATE_RUNNING && *worksOn != TAC_NO_PROCESSOR) {
        end(g, model, change->job, *worksOn, now);
        *worksOn = TAC_NO_PROCESSOR;
    }
    if (change->to != TAC_STATE_RUNNING) return true;
    *worksOn = job->processor;
    return job->processor == TAC_NO_PROCESSOR || begin(g, model, change->job, job->processor, now);
}
