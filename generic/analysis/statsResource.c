/*
 * statsResource.c -- the tables of resources that jobs share: mutexes and buffers.
 *
 * Holds are cut to the window; a buffer's events are applied again from its contents at the begin of the window.
 */
#include "base/port.h"

#include "analysis/statsPart.h"
#include "base/search.h"
#include "model/buffer.h"

#include <math.h>

/* ---- mutexes ---------------------------------------------------------------------------------------------------- */

typedef struct MutexRow {
    tacStatsObject object;
    int64_t acquisitions, contended, held, longest;
    double mean;
} MutexRow;

static const tacColumn mutexColumns[] = {
    {"mutex", TAC_COLUMN_TEXT, "id of the mutex", offsetof(MutexRow, object.id)},
    {"name", TAC_COLUMN_TEXT, "its name", offsetof(MutexRow, object.name)},
    {"acquisitions", TAC_COLUMN_COUNT, "times it was acquired", offsetof(MutexRow, acquisitions)},
    {"contended", TAC_COLUMN_COUNT, "times it was acquired while another job held it", offsetof(MutexRow, contended)},
    {"held", TAC_COLUMN_TIME, "time in the window that it was held, all holds together", offsetof(MutexRow, held)},
    {"held_max", TAC_COLUMN_TIME, "longest hold, as far as it lies in the window", offsetof(MutexRow, longest)},
    {"held_mean", TAC_COLUMN_NUMBER, "mean of the holds, as far as they lie in the window", offsetof(MutexRow, mean)},
};
enum { MUTEX_COLUMNS = sizeof mutexColumns / sizeof *mutexColumns };

static tacColumnTrait mutexTrait(const tacTable *table, int column) {
    bool isMean = table->columns[column].offset == offsetof(MutexRow, mean);
    return (tacColumnTrait){isMean ? tacUnitOfTimes : NULL, NULL};
}

/* Measures the holds of the mutex that reach into the window. */
static bool measureMutex(const tacModel *model, const tacStatsWindow *window, uint32_t mutex, void *data) {
    MutexRow *row = data;
    const tacMutexModel *m = &model->mutexes[mutex];
    int64_t count = 0, heldUntil = INT64_MIN;
    row->longest = TAC_UNKNOWN;
    for (size_t i = 0; i < m->holds.count; i++) {
        const tacHold *hold = &model->tasks[m->holds.at[i].task].holds.at[m->holds.at[i].hold];
        if (hold->begin > window->to) break;
        if (!tacStatsAt(window, i)) return false;
        if (hold->begin >= window->from) {
            row->acquisitions++;
            row->contended += heldUntil > hold->begin;
        }
        if (hold->end > heldUntil) heldUntil = hold->end;
        if (hold->end < window->from) continue;
        int64_t length = tacStatsWindowCut(window, hold->begin, hold->end);
        row->held = tacAddTicks(row->held, length);
        if (row->longest == TAC_UNKNOWN || length > row->longest) row->longest = length;
        count++;
    }
    row->mean = count && row->held != TAC_MORE
        ? tacTicksNumber((long double) row->held / (long double) count, model->store->digits)
        : NAN;
    if (window->whole) row->contended = (int64_t) m->contended; /* the model knows the order within an instant */
    return true;
}

const tacStatsPart tacMutexStats = {
    mutexColumns, MUTEX_COLUMNS, TAC_MUTEX, sizeof(MutexRow), mutexTrait, measureMutex, NULL};

/* ---- buffers ---------------------------------------------------------------------------------------------------- */

typedef struct BufferRow {
    tacStatsObject object;
    int64_t capacity, pushed, popped, dropped, overflows, underflows, highest, final;
} BufferRow;

static const tacColumn bufferColumns[] = {
    {"buffer", TAC_COLUMN_TEXT, "id of the buffer", offsetof(BufferRow, object.id)},
    {"name", TAC_COLUMN_TEXT, "its name", offsetof(BufferRow, object.name)},
    {"capacity", TAC_COLUMN_COUNT, "its capacity at the end of the window, in elements", offsetof(BufferRow, capacity)},
    {"pushed", TAC_COLUMN_COUNT, "elements pushed or inserted", offsetof(BufferRow, pushed)},
    {"popped", TAC_COLUMN_COUNT, "elements popped", offsetof(BufferRow, popped)},
    {"dropped", TAC_COLUMN_COUNT, "elements dropped, by drop or by reset", offsetof(BufferRow, dropped)},
    {"overflows", TAC_COLUMN_COUNT, "elements added beyond the capacity", offsetof(BufferRow, overflows)},
    {"underflows", TAC_COLUMN_COUNT, "pops of the empty buffer", offsetof(BufferRow, underflows)},
    {"highest", TAC_COLUMN_COUNT, "most elements at once", offsetof(BufferRow, highest)},
    {"final", TAC_COLUMN_COUNT, "elements at the end of the window", offsetof(BufferRow, final)},
};
enum { BUFFER_COLUMNS = sizeof bufferColumns / sizeof *bufferColumns };

/* Applies an event to the contents and counts it. False: no memory. */
static bool addEvent(const tacModel *model, tacBufferContents *contents, uint32_t event, BufferRow *row) {
    int64_t before = (int64_t) tacBufferCount(contents);
    tacBufferOutcome outcome = tacBufferApply(contents, model->store, event);
    int64_t after = (int64_t) tacBufferCount(contents);
    if (outcome == TAC_BUFFER_NO_MEMORY) return false;
    row->underflows += outcome == TAC_BUFFER_UNDERFLOW;
    row->overflows += after > before && after > contents->capacity;
    if (after > before) row->pushed += after - before;
    else if (tacRowEvent(model->store, event) == TAC_EV_BUFFER_POP) row->popped += before - after;
    else row->dropped += before - after;
    if (after > row->highest) row->highest = after;
    return true;
}

/* Applies the buffer's events in the window. */
static bool measureBuffer(const tacModel *model, const tacStatsWindow *window, uint32_t buffer, void *data) {
    BufferRow *row = data;
    const tacBufferModel *b = &model->buffers[buffer];
    tacBufferContents contents = {0};
    uint32_t n = window->whole ? 0 : (uint32_t) b->rows.count; /* the whole recording: from the first event on */
    uint32_t first = tacPast(uint32_t, 0, n, i, tacRowTime(model->store, b->rows.at[i]) < window->from);
    bool ok = tacBufferRecall(model, buffer, first, &contents);
    row->highest = (int64_t) tacBufferCount(&contents);
    for (size_t i = first; ok && i < b->rows.count; i++) {
        if (!window->whole && tacRowTime(model->store, b->rows.at[i]) > window->to) break;
        ok = tacStatsAt(window, i) && addEvent(model, &contents, b->rows.at[i], row);
    }
    row->final = (int64_t) tacBufferCount(&contents);
    row->capacity = contents.capacity;
    tacBufferFree(&contents);
    return ok;
}

const tacStatsPart tacBufferStats = {
    bufferColumns, BUFFER_COLUMNS, TAC_BUFFER, sizeof(BufferRow), NULL, measureBuffer, NULL};
