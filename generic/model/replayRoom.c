/*
 * replayRoom.c -- sizes of the model's arrays, counted in a pass of its own, so that each array is allocated once.
 * Growing them side by side would leave holes in the heap that nothing fills.
 *
 * The counts are estimates: what is not used is given back (tacModelTrim), and an array that is too small grows. Those
 * of an object get what was counted and no more: 16 items, as an array that grows has at least, take twice the memory
 * where each of 10^5 tasks has a few.
 */
#include "base/port.h"

#include "model/replayState.h"

typedef struct TaskRoom {
    uint32_t slices, arrows, notes, holds;
} TaskRoom;

typedef struct RoomCounts {
    uint32_t events[TAC_EVENTS]; /* rows of each event */
    TaskRoom *tasks;
    uint32_t *servers, *mutexes, *acquired; /* rows of each server and each mutex; of these: acquisitions */
} RoomCounts;

/* Array that a row's handler appends to (trace/events.def, column room). */
typedef enum RoomKind {
    ROOM_NONE,
    ROOM_RELEASE, /* the arrows of the task that the row names */
    ROOM_TASK_ARROW,
    ROOM_JOB_ARROW,
    ROOM_SLICE,
    ROOM_HOLD,
    ROOM_MUTEX_EVENT,
    ROOM_NOTE,
    ROOM_POINT /* of a server's curve */
} RoomKind;
static const uint8_t roomKinds[TAC_EVENTS] = {
#define EVENT(code, name, arguments, options, traits, replay, room, ...) [TAC_EV_##code] = ROOM_##room,
#include "trace/events.def"
};

/*
 * Bytes that the replay of a row takes at most, by its room, and those of an object: measured for traces that have as
 * many objects as rows and leave everything open.
 */
enum {
    BYTES_NONE = 20,
    BYTES_RELEASE = 100,
    BYTES_TASK_ARROW = 24,
    BYTES_JOB_ARROW = 40,
    BYTES_SLICE = 64,
    BYTES_HOLD = 120,
    BYTES_MUTEX_EVENT = 24,
    BYTES_NOTE = 24,
    BYTES_POINT = 40,
    BYTES_CLOCKS = 80 /* of a synchronization message, in addition: while clocks are solved */
};

static const uint16_t rowBytes[TAC_EVENTS] = {
#define T(trait) TAC_TRAIT_##trait
#define EVENT(code, name, arguments, options, traits, replay, room, ...) \
    [TAC_EV_##code] = BYTES_##room + ((traits) &TAC_TRAIT_SYNC ? BYTES_CLOCKS : 0),
#include "trace/events.def"
#undef T
};

static const uint16_t objectBytes[TAC_KINDS] = {
    [TAC_PROCESSOR] = 600,
    [TAC_TASK] = 500,
    [TAC_JOB] = 70,
    [TAC_SERVER] = 500,
    [TAC_MUTEX] = 320,
    [TAC_SEMAPHORE] = 330,
    [TAC_BUFFER] = 340,
};

const tacStoreWeights tacReplayWeights = {rowBytes, objectBytes};

/* Counts a row for the array of its room. */
static void countRow(RoomCounts *counts, const tacStore *store, uint32_t row, RoomKind kind) {
    uint32_t subject = tacRowSubject(store, row);
    switch (kind) {
    case ROOM_RELEASE: counts->tasks[tacRowObject(store, row)].arrows++; break;
    case ROOM_SLICE: counts->tasks[store->jobTask.at[subject]].slices++; break;
    case ROOM_JOB_ARROW: counts->tasks[store->jobTask.at[subject]].arrows++; break;
    case ROOM_TASK_ARROW: counts->tasks[subject].arrows++; break;
    case ROOM_NOTE: counts->tasks[subject].notes++; break;
    case ROOM_POINT: counts->servers[subject]++; break;
    case ROOM_HOLD:
        counts->tasks[store->jobTask.at[subject]].holds++;
        counts->acquired[tacRowObject(store, row)]++;
        counts->mutexes[tacRowObject(store, row)]++;
        break;
    case ROOM_MUTEX_EVENT: counts->mutexes[tacRowObject(store, row)]++; break;
    default: break;
    }
}

static bool reserveTasks(tacModel *model, const RoomCounts *counts) {
    for (uint32_t i = 0; i < tacStoreObjects(model->store, TAC_TASK); i++) {
        tacTaskModel *task = &model->tasks[i];
        const TaskRoom *room = &counts->tasks[i];
        if (!tacProgressObject(model->store->progress, i)) return false;
        if (!tacArrayHold(&task->slices, room->slices) || !tacArrayHold(&task->arrows, room->arrows)
            || !tacArrayHold(&task->arrowBlocks, room->arrows / TAC_SPAN_BLOCK + 1)
            || !tacArrayHold(&task->notes, room->notes) || !tacArrayHold(&task->holds, room->holds))
            return false;
    }
    return true;
}

static bool reserveOthers(tacModel *model, const RoomCounts *counts) {
    const uint32_t *n = counts->events;
    uint32_t arrived = n[TAC_EV_JOB_ARRIVED], nIds = tacStoreObjects(model->store, TAC_JOB);
    uint32_t runs = 0, points = 0;
    for (int event = 0; event < TAC_EVENTS; event++) {
        if (tacEventIs((tacEvent) event, TAC_TRAIT_RUNS)) runs += n[event];
        if (roomKinds[event] == ROOM_POINT) points += n[event];
    }
    if (!tacArrayHold(&model->jobs, arrived > nIds ? arrived : nIds) || !tacArrayHold(&model->serverMarks, points))
        return false;
    for (uint32_t i = 0; i < tacStoreObjects(model->store, TAC_SERVER); i++)
        if (!tacArrayHold(&model->servers[i].points, (size_t) counts->servers[i] + 1)) return false;
    for (uint32_t i = 0; i < tacStoreObjects(model->store, TAC_MUTEX); i++)
        if (!tacArrayHold(&model->mutexes[i].events, counts->mutexes[i])
            || !tacArrayHold(&model->mutexes[i].holds, counts->acquired[i]))
            return false;
    for (uint32_t i = 0; i + 1 < model->nProcessors; i++) /* which job runs where is not known yet: evenly */
        if (!tacArrayHold(&model->processors[i].runs, runs / (model->nProcessors - 1))) return false;
    return true;
}

bool tacReplayReserve(tacModel *model) {
    const tacStore *store = model->store;
    uint32_t n = tacStoreCount(store), nMutexes = tacStoreObjects(store, TAC_MUTEX);
    RoomCounts counts = {.tasks = tacAllocZero(tacStoreObjects(store, TAC_TASK), sizeof *counts.tasks),
        .servers = tacAllocZero(tacStoreObjects(store, TAC_SERVER), sizeof *counts.servers),
        .mutexes = tacAllocZero(nMutexes, sizeof *counts.mutexes),
        .acquired = tacAllocZero(nMutexes, sizeof *counts.acquired)};
    bool room = counts.tasks && counts.servers && counts.mutexes && counts.acquired;
    for (uint32_t row = 0; room && row < n; row++) {
        room = tacProgressAt(store->progress, row);
        tacEvent event = tacRowEvent(store, row);
        counts.events[event]++;
        if (roomKinds[event] != ROOM_NONE) countRow(&counts, store, row, (RoomKind) roomKinds[event]);
    }
    room = room && reserveTasks(model, &counts) && reserveOthers(model, &counts);
    tacFree(counts.tasks);
    tacFree(counts.servers);
    tacFree(counts.mutexes);
    tacFree(counts.acquired);
    return room;
}
