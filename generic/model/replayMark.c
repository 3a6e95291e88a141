/*
 * replayMark.c -- events that are drawn and change no state: arrows of arrivals and deadlines, annotations, messages,
 * intervals; and semaphores, whose count is kept.
 */
#include "base/port.h"

#include "model/replayState.h"

bool tacReplayArrow(tacTaskModel *task, const tacStore *store, uint32_t row) {
    size_t place = task->arrows.count % TAC_SPAN_BLOCK;
    tacEvent event = tacRowEvent(store, row);
    bool deadline = tacEventIs(event, TAC_TRAIT_DEADLINE);
    bool special = tacRowHasOptions(store, row) || event == TAC_EV_TASK_ARRIVED_AND_IGNORED;
    if (place == 0 && !tacArrayPush(&task->arrowBlocks, (tacArrowBlock){.time = tacRowTime(store, row)})) return false;
    tacArrowBlock *block = &task->arrowBlocks.at[task->arrowBlocks.count - 1];
    block->deadlines |= (uint16_t) (deadline << place);
    block->special |= (uint16_t) (special << place);
    return tacArrayPush(&task->arrows, row);
}

bool tacReplayTaskArrow(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t task = tacRowSubject(r->store, row);
    (void) t;
    if (r->finished) return true;
    tacReplayTouch(r, task);
    return tacReplayArrow(&r->model->tasks[task], r->store, row);
}

bool tacReplayAnnotation(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t task = tacRowSubject(r->store, row);
    int64_t end = tacRowNumber(r->store, row);
    (void) t;
    if (r->finished || !tacRowDrawn(r->store, row)) return true;
    if (end > r->model->lastMark) r->model->lastMark = end;
    if (end < r->model->firstMark) r->model->firstMark = end;
    tacReplayTouch(r, task);
    return tacArrayPush(&r->model->tasks[task].notes, row);
}

bool tacReplayMessage(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t task;
    (void) t;
    if (r->finished) return true;
    if (tacRowEvent(r->store, row) == TAC_EV_MESSAGE) { /* the other events do not have these options */
        if (!tacMessageDrawn(r->store, row)) return true;
        if ((task = tacMessageTask(r->store, row)) != TAC_NONE) tacReplayTouch(r, task);
    }
    return tacArrayPush(&r->model->messages, row);
}

bool tacReplayInterval(tacReplayState *r, uint32_t row, int64_t t) {
    (void) t;
    return r->finished || tacArrayPush(&r->model->intervals, row);
}

bool tacReplayNothing(tacReplayState *r, uint32_t row, int64_t t) {
    (void) r, (void) row, (void) t;
    return true;
}

bool tacReplaySemaphore(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t index = tacReplayLive(r, tacRowSubject(r->store, row), row);
    tacSemaphoreModel *semaphore = &r->model->semaphores[tacRowObject(r->store, row)];
    (void) t;
    if (index == TAC_NONE) return false;
    tacReplayTouch(r, r->model->jobs.at[r->lives.at[index].job].task);
    tacReplaySettle(r, index);
    if (r->finished) return r->counts[tacRowObject(r->store, row)]++, true;
    int64_t count = semaphore->counts.count ? semaphore->counts.at[semaphore->counts.count - 1] : 0;
    count = tacSemaphoreCount(r->store, row, count);
    return tacArrayPush(&semaphore->rows, row) && tacArrayPush(&semaphore->counts, count)
        && tacArrayPush(&r->model->messages, row);
}

int64_t tacNowSemaphore(const struct tacReplay *r, uint32_t semaphore) {
    const tacSemaphoreModel *model = &r->model->semaphores[semaphore];
    size_t n = r->finished ? r->counts[semaphore] : model->counts.count;
    return n ? model->counts.at[n - 1] : 0;
}
