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

/* ---- parts ---- */

static size_t countOf(const tacBufferPart *part) { return part->data.count - part->head; }
static uint32_t *elementsOf(const tacBufferPart *part) { return part->data.at + part->head; }

/* Finds the part with the element at a place below the count; *place: its place there. */
static size_t partOf(const tacBufferContents *contents, size_t *place) {
    size_t i = 0;
    for (; *place >= countOf(&contents->parts.at[i]); i++) *place -= countOf(&contents->parts.at[i]);
    return i;
}

uint32_t tacBufferAt(const tacBufferContents *contents, size_t place) {
    size_t i = partOf(contents, &place);
    return elementsOf(&contents->parts.at[i])[place];
}

void tacBufferCopy(const tacBufferContents *contents, uint32_t *to) {
    for (size_t i = 0; i < contents->parts.count; to += countOf(&contents->parts.at[i++]))
        memcpy(to, elementsOf(&contents->parts.at[i]), countOf(&contents->parts.at[i]) * sizeof *to);
}

static void clear(tacBufferContents *contents) {
    for (size_t i = 0; i < contents->parts.count; i++) tacArrayFree(&contents->parts.at[i].data);
    contents->parts.count = contents->count = 0;
}

void tacBufferFree(tacBufferContents *contents) {
    clear(contents);
    tacArrayFree(&contents->parts);
}

/* Adds elements at the end of a part. False: no memory. */
static bool addTo(tacBufferPart *part, const uint32_t *elements, size_t count) {
    if (part->head > 64 && part->head > part->data.count / 2) { /* reuse the room before the head */
        memmove(part->data.at, elementsOf(part), countOf(part) * sizeof *part->data.at);
        part->data.count -= part->head;
        part->head = 0;
    }
    if (!tacArrayReserve(&part->data, count)) return false;
    memcpy(part->data.at + part->data.count, elements, count * sizeof *elements);
    part->data.count += count;
    return true;
}

/* Makes an empty part at a place among the parts. False: no memory. */
static bool makePart(tacBufferContents *contents, size_t i) {
    if (!tacArrayReserve(&contents->parts, 1)) return false;
    tacBufferPart *at = contents->parts.at + i;
    memmove(at + 1, at, (contents->parts.count++ - i) * sizeof *at);
    *at = (tacBufferPart){{0}, 0};
    return true;
}

static void removePart(tacBufferContents *contents, size_t i) {
    tacBufferPart *at = contents->parts.at + i;
    tacArrayFree(&at->data);
    memmove(at, at + 1, (--contents->parts.count - i) * sizeof *at);
}

/* Puts the second half of a part into a part of its own. False: no memory. */
static bool split(tacBufferContents *contents, size_t i) {
    if (!makePart(contents, i + 1)) return false;
    tacBufferPart *part = &contents->parts.at[i];
    size_t half = countOf(part) / 2;
    if (!addTo(part + 1, elementsOf(part) + half, countOf(part) - half)) return removePart(contents, i + 1), false;
    part->data.count = part->head + half;
    return true;
}

/* Removes a part if it is empty, and joins small neighbours, so that few parts are searched. False: no memory. */
static bool tidy(tacBufferContents *contents, size_t i) {
    tacBufferPart *part = &contents->parts.at[i];
    if (countOf(part) == 0) return removePart(contents, i), true;
    if (i + 1 == contents->parts.count || countOf(part) + countOf(part + 1) > TAC_BUFFER_PART / 2) return true;
    if (!addTo(part, elementsOf(part + 1), countOf(part + 1))) return false;
    removePart(contents, i + 1);
    return true;
}

/* ---- contents ---- */

/* Adds an element at the end. */
static tacBufferOutcome push(tacBufferContents *contents, uint32_t element) {
    size_t n = contents->parts.count;
    if (contents->count >= TAC_BUFFER_MOST) return TAC_BUFFER_FULL;
    if ((n == 0 || countOf(&contents->parts.at[n - 1]) == TAC_BUFFER_PART) && !makePart(contents, n++))
        return TAC_BUFFER_NO_MEMORY;
    if (!addTo(&contents->parts.at[n - 1], &element, 1)) return TAC_BUFFER_NO_MEMORY;
    contents->count++;
    return TAC_BUFFER_FINE;
}

/* Adds an element before that of a place, which is there. */
static tacBufferOutcome insertBefore(tacBufferContents *contents, uint32_t element, size_t place) {
    size_t i = partOf(contents, &place), n = countOf(&contents->parts.at[i]);
    if (contents->count >= TAC_BUFFER_MOST) return TAC_BUFFER_FULL;
    if (n == TAC_BUFFER_PART) {
        if (!split(contents, i)) return TAC_BUFFER_NO_MEMORY;
        if (place > n / 2) place -= n / 2, i++;
        n = countOf(&contents->parts.at[i]);
    }
    if (!addTo(&contents->parts.at[i], &element, 1)) return TAC_BUFFER_NO_MEMORY;
    uint32_t *at = elementsOf(&contents->parts.at[i]) + place;
    memmove(at + 1, at, (n - place) * sizeof *at);
    *at = element;
    contents->count++;
    return TAC_BUFFER_FINE;
}

static tacBufferOutcome insert(tacBufferContents *contents, uint32_t element, int64_t index) {
    int64_t count = (int64_t) contents->count, nearest = index < 0 ? 0 : index > count ? count : index;
    tacBufferOutcome outcome = nearest == count ? push(contents, element)
                                                : insertBefore(contents, element, (size_t) nearest);
    return outcome == TAC_BUFFER_FINE && nearest != index ? TAC_BUFFER_NO_ELEMENT : outcome;
}

static tacBufferOutcome drop(tacBufferContents *contents, int64_t index) {
    if (index < 0 || index >= (int64_t) contents->count) return TAC_BUFFER_NO_ELEMENT;
    size_t place = (size_t) index, i = partOf(contents, &place);
    tacBufferPart *part = &contents->parts.at[i];
    uint32_t *at = elementsOf(part) + place;
    if (place == 0) part->head++;
    else memmove(at, at + 1, (countOf(part) - place - 1) * sizeof *at), part->data.count--;
    contents->count--;
    return tidy(contents, i) ? TAC_BUFFER_FINE : TAC_BUFFER_NO_MEMORY;
}

tacBufferOutcome tacBufferApplyAs(tacBufferContents *contents, const tacStore *store, uint32_t row, uint32_t element) {
    int64_t index = 0;
    switch (tacRowEvent(store, row)) {
    case TAC_EV_BUFFER_PUSH: return push(contents, element);
    case TAC_EV_BUFFER_POP: return contents->count ? drop(contents, 0) : TAC_BUFFER_UNDERFLOW;
    case TAC_EV_BUFFER_INSERT:
        tacRowOption(store, row, TAC_OPT_ARGUMENT3, &index);
        return insert(contents, element, index);
    case TAC_EV_BUFFER_DROP: return drop(contents, (int32_t) tacRowObject(store, row));
    case TAC_EV_BUFFER_RESIZE: contents->capacity = (int32_t) tacRowObject(store, row); return TAC_BUFFER_FINE;
    default: /* reset */ clear(contents); return TAC_BUFFER_FINE;
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
    if (count) tacBufferCopy(contents, history->data.at + history->data.count);
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
        const uint32_t *elements = buffer->history->data.at + checkpoint->first;
        for (uint32_t i = 0; i < checkpoint->count; i++)
            if (push(contents, elements[i]) != TAC_BUFFER_FINE) return false;
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
        if (push(contents, firstPlace + place) != TAC_BUFFER_FINE) return false;
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
        uint32_t element = fine ? tacBufferAt(&contents, place) : TAC_NONE;
        tacBufferFree(&contents);
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

/* Adds the row to the model of a buffer; counts the elements that come and go. */
static bool addRow(tacReplayState *r, uint32_t index, uint32_t row, tacBufferOutcome outcome, size_t before) {
    tacBufferModel *buffer = &r->model->buffers[index];
    tacBufferContents *contents = &r->contents[index];
    size_t after = tacBufferCount(contents);
    if (!tacArrayPush(&buffer->rows, row)) return false;
    noteOutcome(r, index, outcome, before);
    if (after > before) buffer->pushed += after - before;
    else if (tacRowEvent(r->store, row) == TAC_EV_BUFFER_POP) buffer->popped += before - after;
    else buffer->dropped += before - after;
    if (after > buffer->highest) buffer->highest = after;
    buffer->finalCapacity = contents->capacity;
    return remember(buffer, contents);
}

/* Applies the row to one buffer. */
static bool applyTo(tacReplayState *r, uint32_t index, uint32_t row) {
    tacBufferContents *contents = &r->contents[index];
    size_t before = tacBufferCount(contents);
    tacBufferOutcome outcome = tacBufferApply(contents, r->store, row);
    if (outcome == TAC_BUFFER_NO_MEMORY) return false;
    if (tacBufferCount(contents) > before && !contents->listed) {
        if (!tacArrayPush(&r->filled, index)) return false;
        contents->listed = true;
    }
    return r->finished || addRow(r, index, row, outcome, before);
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

const tacBufferContents *tacNowBuffer(const struct tacReplay *r, uint32_t buffer) { return &r->contents[buffer]; }
