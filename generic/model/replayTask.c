/*
 * replayTask.c -- the job of each task that goes on and ranks highest, for those who ask for it during a replay.
 *
 * The jobs of a task that go on are a heap; so a question costs nothing, and each change of a state O(log n). There are
 * no heaps until the first question, at which all jobs that go on get into them.
 */
#include "base/port.h"

#include "model/query.h"
#include "model/replayState.h"

/* Does the job of the live record a rank before that of b? A tacHeapKind's `before`. */
static bool before(const void *data, uint32_t a, uint32_t b) {
    const tacLive *lives = ((const tacReplayState *) data)->lives.at;
    int difference = tacStateRanks[lives[a].state] - tacStateRanks[lives[b].state];
    return difference ? difference > 0 : lives[a].job < lives[b].job;
}

static tacHeapKind kindOf(const tacReplayState *r) { return (tacHeapKind){r->nodes, sizeof *r->nodes, before, r}; }

/* The heap of a live record. */
static uint32_t *heapOf(tacReplayState *r, uint32_t live) {
    return &r->ranked[r->model->jobs.at[r->lives.at[live].job].task];
}

void tacReplayLeaveRank(tacReplayState *r, uint32_t live) {
    if (r->lacksMemory || !tacStateRanks[r->lives.at[live].state]) return;
    tacHeapKind kind = kindOf(r);
    uint32_t *heap = heapOf(r, live);
    *heap = tacHeapRemove(&kind, *heap, live);
}

void tacReplayEnterRank(tacReplayState *r, uint32_t live) {
    if (r->lacksMemory || !tacStateRanks[r->lives.at[live].state]) return;
    r->lacksMemory = !tacHeapNodes(&r->nodes, &r->nNodes, live, r->finished ? r->finished->jobs.count : 0);
    if (r->lacksMemory) return;
    tacHeapKind kind = kindOf(r);
    uint32_t *heap = heapOf(r, live);
    *heap = tacHeapAdd(&kind, *heap, live);
}

/* Makes the heaps of all tasks. False: no memory. */
static bool rankAll(tacReplayState *r) {
    uint32_t nTasks = tacStoreObjects(r->store, TAC_TASK);
    for (uint32_t id = 0; r->finished && id < tacStoreObjects(r->store, TAC_JOB); id++)
        if (!tacReplayThaw(r, id)) return false;
    r->ranked = tacAlloc(nTasks * sizeof *r->ranked);
    if (!r->ranked) return false;
    for (uint32_t i = 0; i < nTasks; i++) r->ranked[i] = TAC_NONE;
    for (uint32_t i = 0; i < r->lives.count; i++)
        if (r->lives.at[i].job != TAC_NONE) tacReplayEnterRank(r, i);
    return !r->lacksMemory;
}

uint32_t tacNowTaskJob(const struct tacReplay *replay, uint32_t task) {
    tacReplayState *r = (tacReplayState *) replay;
    if (!r->ranked && !rankAll(r)) r->lacksMemory = true;
    uint32_t first = r->lacksMemory ? TAC_NONE : r->ranked[task];
    return first == TAC_NONE ? TAC_NONE : r->lives.at[first].job;
}
