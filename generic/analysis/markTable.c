/*
 * markTable.c -- what was written into a trace, as tables: marks in the strip under the axis, and annotations of tasks.
 */
#include "base/port.h"

#include "analysis/tables.h"
#include "base/search.h"
#include "model/query.h"
#include "trace/rowWords.h"

/* ---- marks ------------------------------------------------------------------------------------------------------- */

enum { M_TIME, M_EVENT, M_TEXT, M_TASK, M_PROCESSOR, M_FROM, M_DRAWN, M_LINE, M_COLUMNS };

static const tacColumn markColumns[M_COLUMNS] = {
    [M_TIME] = {"time", TAC_COLUMN_TIME, "when", 0},
    [M_EVENT] = {"event", TAC_COLUMN_TEXT, "name of the event: message, jobAcquiredSemaphore ...", 0},
    [M_TEXT] = {"text", TAC_COLUMN_TEXT, "text of a message, else what the event is about", 0},
    [M_TASK] = {"task", TAC_COLUMN_TEXT, "id of the task that wrote it, or whose job did it", 0},
    [M_PROCESSOR] = {"processor", TAC_COLUMN_TEXT, "where it was written", 0},
    [M_FROM] = {"source", TAC_COLUMN_TEXT,
        "mark: a program wrote it; event, call: another event or a system call of a recording; empty: it is an event "
        "of "
        "the trace itself",
        0},
    [M_DRAWN] = {"drawn", TAC_COLUMN_COUNT, "0: a figure does not show it", 0},
    [M_LINE] = {"line", TAC_COLUMN_COUNT, "line of the trace", 0},
};

/* Text of what recorded a row; NULL: it is an event of the trace itself. */
static const char *sourceOf(const tacStore *store, uint32_t row) {
    tacFrom from = tacRowFrom(store, row);
    return from == TAC_FROM_NOTHING ? NULL : tacTypeWords(TAC_TYPE_FROM)[from - 1];
}

/* The first argument that is a text, else the second one that is the id of an object: of a message its text, of an
 * event of a semaphore the semaphore. */
static const char *textOf(const tacStore *store, uint32_t row) {
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, row)];
    uint32_t subject = tacRowSubject(store, row), object = tacRowObject(store, row);
    if (spec->nArguments > 0 && (int) spec->arguments[0] >= TAC_KINDS)
        return subject == TAC_NONE ? NULL : tacString(store, subject);
    if (spec->nArguments < 2 || (int) spec->arguments[1] >= TAC_KINDS || object == TAC_NONE) return NULL;
    return tacObjectId(store, (tacKind) spec->arguments[1], object);
}

static void markCell(const tacTable *table, uint64_t index, int column, tacCell *cell) {
    const tacModel *model = table->data;
    const tacStore *store = model->store;
    uint32_t row = model->messages.at[index], task;
    switch (column) {
    case M_TIME: tacCellTime(cell, tacRowTime(store, row)); break;
    case M_EVENT: tacCellString(cell, tacRowName(store, row)); break;
    case M_TEXT: tacCellString(cell, textOf(store, row)); break;
    case M_TASK:
        task = tacRowTask(model, row);
        if (task != TAC_NONE) tacCellString(cell, tacObjectId(store, TAC_TASK, task));
        break;
    case M_PROCESSOR:
        if (tacRowProcessor(store, row) != TAC_NO_PROCESSOR)
            tacCellString(cell, tacObjectId(store, TAC_PROCESSOR, tacRowProcessor(store, row)));
        break;
    case M_FROM: tacCellString(cell, sourceOf(store, row)); break;
    case M_DRAWN: tacCellCount(cell, tacRowDrawn(store, row)); break;
    default: tacCellCount(cell, tacRowLine(store, row)); break;
    }
}

static bool markGroup(const tacTable *table, uint64_t index, int column, uint64_t *number) {
    const tacModel *model = table->data;
    const tacStore *store = model->store;
    uint32_t row = model->messages.at[index];
    switch (column) {
    case M_EVENT: return *number = tacRowEvent(store, row), tacRowEvent(store, row) != TAC_EV_CUSTOM;
    case M_TASK: return *number = tacRowTask(model, row), true;
    case M_PROCESSOR: return *number = tacRowProcessor(store, row), true;
    case M_FROM: return *number = tacRowFrom(store, row), true;
    default: return false;
    }
}

/* Number of a mark: that of its event. */
static uint64_t markId(const tacTable *table, uint64_t index) {
    return ((const tacModel *) table->data)->messages.at[index];
}

static int64_t markTime(const tacTable *table, uint64_t index) {
    const tacModel *model = table->data;
    return tacRowTime(model->store, model->messages.at[index]);
}

const tacColumn *tacMarkColumns(int *nColumns) {
    *nColumns = M_COLUMNS;
    return markColumns;
}

tacStatus tacMarkTable(const tacModel *model, tacTable *table, tacError *err) {
    static const tacTableOrder order = {.column = M_TIME, .endColumn = -1, .full = true, .time = markTime};
    *table = (tacTable){.title = "marks",
        .columns = markColumns,
        .nColumns = M_COLUMNS,
        .nRows = model->messages.count,
        .digits = model->store->digits,
        .cell = markCell,
        .data = (tacModel *) model,
        .group = markGroup,
        .id = markId,
        .order = &order};
    (void) err;
    return TAC_OK;
}
