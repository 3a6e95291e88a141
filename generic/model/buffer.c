/*
 * buffer.c -- the contents of buffers: pushes, pops, inserts, drops, and checkpoints from which any moment is found.
 *
 * An element that is pushed beyond the capacity is kept: the trace says that it was pushed, and recorders write the
 * capacity late or not at all.
 */
#include "base/port.h"

#include "base/search.h"
#include "model/buffer.h"
#include "model/replayState.h"

#include <string.h>

enum { CHECKPOINT_EVENTS = 64 }; /* at least so many events from one checkpoint to the next */

/* ---- contents ---- */

/* Adds an element at the end. */
static tacBufferOutcome push(tacBufferContents *contents, uint32_t element) {
    if (contents->head > 64 && contents->head > contents->data.count / 2) { /* reuse the room before the head */
        memmove(contents->data.at, contents->data.at + contents->head,
            tacBufferCount(contents) * sizeof *contents->data.at);
        contents->data.count -= contents->head;
        contents->head = 0;
    }
    if (tacBufferCount(contents) >= TAC_BUFFER_MOST) return TAC_BUFFER_FULL;
    return tacArrayPush(&contents->data, element) ? TAC_BUFFER_FINE : TAC_BUFFER_NO_MEMORY;
}

static tacBufferOutcome insert(tacBufferContents *contents, uint32_t element, int64_t index) {
    int64_t count = (int64_t) tacBufferCount(contents), nearest = index < 0 ? 0 : index > count ? count : index;
    tacBufferOutcome outcome = push(contents, element);
    if (outcome != TAC_BUFFER_FINE) return outcome;
    uint32_t *at = contents->data.at + contents->head + nearest;
    memmove(at + 1, at, (size_t) (count - nearest) * sizeof *at);
    *at = element;
    return nearest == index ? TAC_BUFFER_FINE : TAC_BUFFER_NO_ELEMENT;
}

static tacBufferOutcome drop(tacBufferContents *contents, int64_t index) {
    int64_t count = (int64_t) tacBufferCount(contents);
    if (index < 0 || index >= count) return TAC_BUFFER_NO_ELEMENT;
    uint32_t *at = contents->data.at + contents->head + index;
    memmove(at, at + 1, (size_t) (count - index - 1) * sizeof *at);
    contents->data.count--;
    return TAC_BUFFER_FINE;
}

tacBufferOutcome tacBufferApplyAs(tacBufferContents *contents, const tacStore *store, uint32_t row, uint32_t element) {
    int64_t index = 0;
    switch (tacRowEvent(store, row)) {
    case TAC_EV_BUFFER_PUSH: return push(contents, element);
    case TAC_EV_BUFFER_POP:
        if (tacBufferCount(contents) == 0) return TAC_BUFFER_UNDERFLOW;
        contents->head++;
        return TAC_BUFFER_FINE;
    case TAC_EV_BUFFER_INSERT:
        tacRowOption(store, row, TAC_OPT_ARGUMENT3, &index);
        return insert(contents, element, index);
    case TAC_EV_BUFFER_DROP: return drop(contents, (int32_t) tacRowObject(store, row));
    case TAC_EV_BUFFER_RESIZE: contents->capacity = (int32_t) tacRowObject(store, row); return TAC_BUFFER_FINE;
    default: /* reset */ contents->head = contents->data.count = 0; return TAC_BUFFER_FINE;
    }
}

tacBufferOutcome tacBufferApply(tacBufferContents *contents, const tacStore *store, uint32_t row) {
    return tacBufferApplyAs(contents, store, row, tacRowObject(store, row));
}

/* ---- checkpoints ---- */

/* Makes a checkpoint of the contents after the latest event, if it is time for one; false: no memory. */
static bool remember(tacBufferModel *buffer, tacBufferContents *contents) {
    size_t count = tacBufferCount(contents);
    if (++contents->sinceCheckpoint < CHECKPOINT_EVENTS || contents->sinceCheckpoint < count) return true;
    if (!buffer->history && !(buffer->history = tacAllocZero(1, sizeof *buffer->history))) return false;
    tacBufferHistory *history = buffer->history;
    tacBufferCheckpoint checkpoint = {
        (uint32_t) buffer->rows.count, (uint32_t) count, history->data.count, contents->capacity};
    if (!tacArrayReserve(&history->data, count) || !tacArrayPush(&history->checkpoints, checkpoint)) return false;
    if (count)
        memcpy(history->data.at + history->data.count, contents->data.at + contents->head,
            count * sizeof *contents->data.at);
    history->data.count += count;
    contents->sinceCheckpoint = 0;
    return true;
}

/* The last checkpoint with at most so many events, or NULL. */
static const tacBufferCheckpoint *findCheckpoint(const tacBufferHistory *history, uint32_t events) {
    size_t low = tacPast(
        size_t, 0, history ? history->checkpoints.count : 0, i, history->checkpoints.at[i].events <= events);
    return low ? &history->checkpoints.at[low - 1] : NULL;
}

bool tacBufferRecall(const tacModel *model, uint32_t index, uint32_t events, tacBufferContents *contents) {
    const tacBufferModel *buffer = &model->buffers[index];
    const tacBufferCheckpoint *checkpoint = findCheckpoint(buffer->history, events);
    *contents = (tacBufferContents){.capacity = model->store->objects[TAC_BUFFER].at[index].capacity};
    if (checkpoint) {
        contents->capacity = checkpoint->capacity;
        if (!tacArrayReserve(&contents->data, checkpoint->count)) return false;
        if (checkpoint->count)
            memcpy(contents->data.at, buffer->history->data.at + checkpoint->first,
                checkpoint->count * sizeof *contents->data.at);
        contents->data.count = checkpoint->count;
    }
    for (uint32_t i = checkpoint ? checkpoint->events : 0; i < events; i++)
        if (tacBufferApply(contents, model->store, buffer->rows.at[i]) == TAC_BUFFER_NO_MEMORY) return false;
    return true;
}

/* ---- where an element comes from ---- */

/* Number that stands for the first element of a checkpoint, in contents of rows: no row has so large a number. */
static const uint32_t firstPlace = UINT32_MAX - TAC_BUFFER_MOST;

/* Makes the contents with rows in place of strings; elements older than the checkpoint are numbered by their places in
 * it. */
static bool recallRows(const tacModel *model, const tacBufferModel *buffer, const tacBufferCheckpoint *checkpoint,
    uint32_t events, tacBufferContents *contents) {
    for (uint32_t place = 0; checkpoint && place < checkpoint->count; place++)
        if (!tacArrayPush(&contents->data, firstPlace + place)) return false;
    for (uint32_t i = checkpoint ? checkpoint->events : 0; i < events; i++)
        if (tacBufferApplyAs(contents, model->store, buffer->rows.at[i], buffer->rows.at[i]) == TAC_BUFFER_NO_MEMORY)
            return false;
    return true;
}

uint32_t tacBufferOrigin(const tacModel *model, uint32_t index, uint32_t events, uint32_t place) {
    const tacBufferModel *buffer = &model->buffers[index];
    while (events) { /* fewer each time: the checkpoint is before them */
        const tacBufferCheckpoint *checkpoint = findCheckpoint(buffer->history, events - 1);
        tacBufferContents contents = {0};
        bool fine = recallRows(model, buffer, checkpoint, events, &contents) && place < tacBufferCount(&contents);
        uint32_t element = fine ? contents.data.at[contents.head + place] : TAC_NONE;
        tacArrayFree(&contents.data);
        if (!fine || element < firstPlace) return element;
        place = element - firstPlace;
        events = checkpoint->events;
    }
    return TAC_NONE;
}

void tacBufferHistoryFree(tacBufferHistory *history) {
    if (!history) return;
    tacArrayFree(&history->checkpoints);
    tacArrayFree(&history->data);
    tacFree(history);
}

uint64_t tacBufferHistoryBytes(const tacBufferHistory *history) {
    if (!history) return 0;
    return sizeof *history + history->checkpoints.capacity * sizeof *history->checkpoints.at
        + history->data.capacity * sizeof *history->data.at;
}

/* ---- handlers of the replay ---- */

static void note(tacReplayState *r, uint32_t buffer, const char *what) {
    tacDiagAdd(r->diag, TAC_SEVERITY_NOTE, tacRowLine(r->store, r->row), "BUFFER", "buffer \"%.80s\": %s",
        tacObjectId(r->store, TAC_BUFFER, buffer), what);
}

/* Counts and notes overflows and underflows of an event before which there were `before` elements. */
static void noteOutcome(tacReplayState *r, uint32_t index, tacBufferOutcome outcome, size_t before) {
    tacBufferModel *buffer = &r->model->buffers[index];
    size_t after = tacBufferCount(&r->contents[index]);
    if (after > before && (int64_t) after > r->contents[index].capacity) {
        buffer->overflows++;
        note(r, index, "an element is added beyond the capacity");
    }
    if (outcome == TAC_BUFFER_UNDERFLOW) {
        buffer->underflows++;
        note(r, index, "an element is taken though there is none");
    }
    if (outcome == TAC_BUFFER_NO_ELEMENT) note(r, index, "there is no such index at this time");
    if (outcome == TAC_BUFFER_FULL)
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, tacRowLine(r->store, r->row), "BUFFER",
            "buffer \"%.80s\" has %d elements: more are not kept", tacObjectId(r->store, TAC_BUFFER, index),
            TAC_BUFFER_MOST);
}

/* Applies the row to one buffer; counts the elements that come and go. */
static bool applyTo(tacReplayState *r, uint32_t index, uint32_t row) {
    tacBufferModel *buffer = &r->model->buffers[index];
    tacBufferContents *contents = &r->contents[index];
    size_t before = tacBufferCount(contents);
    tacBufferOutcome outcome = tacBufferApply(contents, r->store, row);
    size_t after = tacBufferCount(contents);
    if (outcome == TAC_BUFFER_NO_MEMORY || !tacArrayPush(&buffer->rows, row)) return false;
    noteOutcome(r, index, outcome, before);
    if (after > before) {
        buffer->pushed += after - before;
        if (!contents->listed && !tacArrayPush(&r->filled, index)) return false;
        contents->listed = true;
    } else if (tacRowEvent(r->store, row) == TAC_EV_BUFFER_POP) buffer->popped += before - after;
    else buffer->dropped += before - after;
    if (after > buffer->highest) buffer->highest = after;
    buffer->finalCapacity = contents->capacity;
    return remember(buffer, contents);
}

bool tacReplayBuffer(tacReplayState *r, uint32_t row, int64_t t) {
    (void) t;
    return applyTo(r, tacRowSubject(r->store, row), row);
}

bool tacReplayBufferReset(tacReplayState *r, uint32_t row, int64_t t) {
    (void) t;
    for (size_t i = 0; i < r->filled.count; i++) {
        tacBufferContents *contents = &r->contents[r->filled.at[i]];
        if (tacBufferCount(contents) && !applyTo(r, r->filled.at[i], row)) return false;
        contents->listed = false;
    }
    r->filled.count = 0;
    return true;
}

const uint32_t *tacNowBuffer(const struct tacReplay *r, uint32_t buffer, uint32_t *count, int64_t *capacity) {
    const tacBufferContents *contents = &r->contents[buffer];
    *count = (uint32_t) tacBufferCount(contents);
    if (capacity) *capacity = contents->capacity;
    return *count ? contents->data.at + contents->head : NULL;
}
