/*
 * markTable.c -- what was written into a trace, as tables: marks in the strip under the axis, messages,
 * and annotations of tasks.
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

static void cellOf(const tacModel *model, uint32_t row, int column, tacCell *cell) {
    const tacStore *store = model->store;
    uint32_t task;
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

static bool groupOf(const tacModel *model, uint32_t row, int column, uint64_t *number) {
    const tacStore *store = model->store;
    switch (column) {
    case M_EVENT: return *number = tacRowEvent(store, row), tacRowEvent(store, row) != TAC_EV_CUSTOM;
    case M_TASK: return *number = tacRowTask(model, row), true;
    case M_PROCESSOR: return *number = tacRowProcessor(store, row), true;
    case M_FROM: return *number = tacRowFrom(store, row), true;
    default: return false;
    }
}

static void markCell(const tacTable *table, uint64_t index, int column, tacCell *cell) {
    const tacModel *model = table->data;
    cellOf(model, model->messages.at[index], column, cell);
}

static bool markGroup(const tacTable *table, uint64_t index, int column, uint64_t *number) {
    const tacModel *model = table->data;
    return groupOf(model, model->messages.at[index], column, number);
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

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* Columns of messages are those of marks but for the event. */
enum { MESSAGE_COLUMNS = M_COLUMNS - 1 };

typedef struct Messages { /* those that are not drawn, too */
    const tacModel *model;
    TAC_ARRAY(uint32_t) rows;
} Messages;

static int ofMark(int column) { return column < M_EVENT ? column : column + 1; }

static void messageCell(const tacTable *table, uint64_t index, int column, tacCell *cell) {
    const Messages *messages = table->data;
    cellOf(messages->model, messages->rows.at[index], ofMark(column), cell);
}

static bool messageGroup(const tacTable *table, uint64_t index, int column, uint64_t *number) {
    const Messages *messages = table->data;
    return groupOf(messages->model, messages->rows.at[index], ofMark(column), number);
}

static uint64_t messageId(const tacTable *table, uint64_t index) {
    return ((const Messages *) table->data)->rows.at[index];
}

static int64_t messageTime(const tacTable *table, uint64_t index) {
    const Messages *messages = table->data;
    return tacRowTime(messages->model->store, messages->rows.at[index]);
}

static void freeMessages(void *data) {
    tacArrayFree(&((Messages *) data)->rows);
    tacFree(data);
}

const tacColumn *tacMessageColumns(int *nColumns) {
    static tacColumn columns[MESSAGE_COLUMNS];
    *nColumns = MESSAGE_COLUMNS;
    for (int i = 0; i < MESSAGE_COLUMNS; i++) columns[i] = markColumns[ofMark(i)];
    return columns;
}

tacStatus tacMessageTable(const tacModel *model, tacTable *table, tacError *err) {
    static const tacTableOrder order = {.column = M_TIME, .endColumn = -1, .full = true, .time = messageTime};
    int nColumns;
    Messages *messages = tacAllocZero(1, sizeof *messages);
    if (!messages) return tacFailMemory(err);
    messages->model = model;
    for (uint32_t row = 0; row < tacStoreCount(model->store); row++) {
        if (tacRowEvent(model->store, row) != TAC_EV_MESSAGE) continue;
        if (!tacArrayPush(&messages->rows, row)) return freeMessages(messages), tacFailMemory(err);
    }
    *table = (tacTable){.title = "messages",
        .columns = tacMessageColumns(&nColumns),
        .nColumns = MESSAGE_COLUMNS,
        .nRows = messages->rows.count,
        .digits = model->store->digits,
        .cell = messageCell,
        .data = messages,
        .release = freeMessages,
        .group = messageGroup,
        .id = messageId,
        .order = &order};
    return TAC_OK;
}
