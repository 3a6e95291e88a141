/*
 * gaugeThings.c -- running totals of what jobs hold, servers give and processors do.
 *
 * They follow what the replay says, so that they agree with the model's holds, budgets and runs.
 */
#include "base/port.h"

#include "judge/gaugeState.h"

/* ---- holds, budgets, processors ---------------------------------------------------------------------------------- */

void tacGaugesChangeLevel(tacGauges *g, size_t at, int delta, int64_t now) {
    g->levels[at] += (uint32_t) delta;
    tacGaugeSetSlope(&g->gauges[at], g->levels[at] > 0, now);
}

/* Counts that a job acquires or releases a mutex, in the blocks of a kind. */
static void holdIn(tacGauges *g, tacBlockKind kind, size_t block, uint32_t mutex, int delta, int64_t now) {
    const uint32_t whats[] = {TAC_NONE, mutex};
    for (int i = 0; i < 2; i++) {
        uint32_t column = tacGaugeColumnOf(g, kind, TAC_SINCE_HOLDING, whats[i]);
        if (column != TAC_NONE) tacGaugesChangeLevel(g, block + column, delta, now);
    }
}

static void hold(tacGauges *g, const tacModel *model, uint32_t job, uint32_t mutex, int delta, int64_t now) {
    if (job == TAC_NONE) return;
    uint32_t slot = tacGaugeSlotOf(g, model, job);
    holdIn(g, TAC_BLOCK_TASK, tacGaugeBlock(g, TAC_BLOCK_TASK, model->jobs.at[job].task), mutex, delta, now);
    if (slot != TAC_NONE) holdIn(g, TAC_BLOCK_JOB, tacGaugeBlock(g, TAC_BLOCK_JOB, slot), mutex, delta, now);
}

static void consume(tacGauges *g, const struct tacReplay *replay, uint32_t server) {
    uint32_t consumers, column = tacGaugeColumnOf(g, TAC_BLOCK_ALL, TAC_SINCE_CONSUMING, server);
    if (column == TAC_NONE) return;
    tacNowBudget(replay, server, &consumers);
    tacGaugeSetSlope(&g->gauges[column], consumers, tacNow(replay));
}

/* Times what is the case on a processor from now on. */
static void timeProcessor(tacGauges *g, const struct tacReplay *replay, uint16_t processor) {
    if (processor == TAC_NO_PROCESSOR) return;
    bool busy = tacNowRunning(replay, processor, NULL, 0) > 0;
    bool lost = !busy && tacNowProcessorUnknown(replay, processor);
    size_t block = tacGaugeBlock(g, TAC_BLOCK_PROCESSOR, processor);
    for (uint32_t column = 0; column < g->columns[TAC_BLOCK_PROCESSOR].count; column++) {
        tacSince since = g->columns[TAC_BLOCK_PROCESSOR].at[column].since;
        if (since != TAC_SINCE_BUSY && since != TAC_SINCE_IDLE && since != TAC_SINCE_LOST) continue;
        bool timed = since == TAC_SINCE_BUSY ? busy : since == TAC_SINCE_LOST ? lost : !busy && !lost;
        tacGaugeSetSlope(&g->gauges[block + column], timed, tacNow(replay));
    }
}

void tacGaugesMove(tacGauges *g, const struct tacReplay *replay, const tacStateChange *change) {
    const tacJob *job = tacNowRecord(replay, change->job);
    uint16_t *runsOn = &g->runsOn[job->id];
    if (tacStateRuns(change->from)) {
        timeProcessor(g, replay, *runsOn);
        *runsOn = TAC_NO_PROCESSOR;
    }
    if (!tacStateRuns(change->to)) return;
    *runsOn = job->processor;
    timeProcessor(g, replay, *runsOn);
}

void tacGaugesFollow(tacGauges *g, const tacModel *model, const struct tacReplay *replay, uint32_t row) {
    uint32_t ended, begun;
    switch (tacRowEvent(model->store, row)) {
    case TAC_EV_JOB_ACQUIRED_MUTEX:
    case TAC_EV_JOB_RELEASED_MUTEX:
        if (!g->asks[TAC_SINCE_HOLDING]) break;
        tacNowHoldChange(replay, &ended, &begun);
        hold(g, model, ended, tacRowObject(model->store, row), -1, tacNow(replay));
        hold(g, model, begun, tacRowObject(model->store, row), 1, tacNow(replay));
        break;
    case TAC_EV_SERVER_RESUMED:
    case TAC_EV_SERVER_PREEMPTED:
        if (g->asks[TAC_SINCE_CONSUMING]) consume(g, replay, tacRowSubject(model->store, row));
        break;
    case TAC_EV_PROCESSOR_UNKNOWN:
    case TAC_EV_PROCESSOR_IDLE:
        if (g->runsOn) timeProcessor(g, replay, (uint16_t) tacRowSubject(model->store, row));
        break;
    default: break;
    }
}
