/*
 * eventTable.c -- the events as a table, in the words of the trace language.
 *
 * The types of an event's arguments come from the vocabulary; no event is known by name here.
 */
#include "base/port.h"

#include "analysis/stats.h"
#include "trace/quote.h"
#include "trace/rowWords.h"

enum { TIME, EVENT, SUBJECT, OBJECT, PROCESSOR, OPTIONS, LINE, EVENT_COLUMNS };

static const tacColumn eventColumns[EVENT_COLUMNS] = {
    [TIME] = {"time", TAC_COLUMN_TIME, "when, on the reference clock", 0},
    [EVENT] = {"event", TAC_COLUMN_TEXT, "name of the event", 0},
    [SUBJECT] = {"subject", TAC_COLUMN_TEXT, "its first argument: a job, task, server, buffer ... by id, or a text", 0},
    [OBJECT] = {"object", TAC_COLUMN_TEXT, "its second argument", 0},
    [PROCESSOR] = {"processor", TAC_COLUMN_TEXT,
        "its -processor, or where a synchronization message was sent or received", 0},
    [OPTIONS] = {"options", TAC_COLUMN_TEXT, "its other options and a third argument, as a Tcl list", 0},
    [LINE] = {"line", TAC_COLUMN_COUNT, "line of the trace", 0},
};

typedef struct Events {
    const tacModel *model;
    uint32_t first;                /* row of the store that is row 0 of the table */
    char number[TAC_DECIMAL_SIZE]; /* of the last cell that is a number */
    tacText text;                  /* of the last cell that had to be put together */
} Events;

const tacColumn *tacEventColumns(int *nColumns) {
    *nColumns = EVENT_COLUMNS;
    return eventColumns;
}

/* ---- values as text --------------------------------------------------------------------------------------------- */

/* Text of a value by its type; NULL: a flag. The buffer is for numbers; every other text is the store's. */
static const char *valueText(const tacStore *store, tacType type, int64_t value, char buffer[TAC_DECIMAL_SIZE]) {
    if ((int) type < TAC_KINDS) return tacObjectId(store, (tacKind) type, (uint32_t) value);
    switch (type) {
    case TAC_TYPE_TIME: tacDecimalFormat(value, store->digits, buffer); return buffer;
    case TAC_TYPE_INTEGER: tacDecimalFormat(value, 0, buffer); return buffer;
    case TAC_TYPE_FLAG: return NULL;
    default: return tacString(store, (uint32_t) value);
    }
}

/* ---- the parts of an event -------------------------------------------------------------------------------------- */

/* The first (0) or second (1) argument of a row; NULL: none. */
static const char *argumentText(const tacStore *store, uint32_t row, int argument, char buffer[TAC_DECIMAL_SIZE]) {
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, row)];
    if (argument >= spec->nArguments) return NULL;
    tacType type = spec->arguments[argument];
    if (argument == 0)
        return tacRowSubject(store, row) == TAC_NONE ? NULL : valueText(store, type, tacRowSubject(store, row), buffer);
    if (type == TAC_TYPE_INTEGER) return valueText(store, type, (int32_t) tacRowObject(store, row), buffer);
    if (tacRowObject(store, row) == TAC_NONE) return NULL;
    int64_t value = type == TAC_TYPE_TIME ? tacRowNumber(store, row) : tacRowObject(store, row);
    return valueText(store, type, value, buffer);
}

/* The options of a message that are visited, and the text that they are appended to. */
typedef struct Appended {
    const tacStore *store;
    tacText *out;
} Appended;

static bool appendName(void *data, tacOption option) {
    const Appended *appended = data;
    tacQuoteElement(appended->out, tacOptions[option].name);
    return true;
}

static bool appendValue(void *data, tacType type, int64_t value) {
    const Appended *appended = data;
    tacQuoteElement(appended->out, valueText(appended->store, type, value, NULL));
    return true;
}

/* Appends -target, the options and a third argument. */
static void addOptions(const tacStore *store, uint32_t row, tacText *out) {
    static const tacRowVisitor visitor = {appendName, appendValue};
    char buffer[TAC_DECIMAL_SIZE];
    Appended appended = {store, out};
    if (tacRowEvent(store, row) == TAC_EV_MESSAGE) tacMessageWords(store, row, &visitor, &appended);
    if (tacEventHasTarget(tacRowEvent(store, row)) && tacRowObject(store, row) != TAC_NONE) {
        tacQuoteElement(out, tacOptions[TAC_OPT_TARGET].name);
        tacQuoteElement(out, tacObjectId(store, TAC_JOB, tacRowObject(store, row)));
    }
    if (!tacRowHasOptions(store, row)) return;
    for (size_t i = tacRowFirstOption(store, row); i < store->options.count && store->options.at[i].owner == row; i++) {
        const tacOptionValue *value = &store->options.at[i];
        tacType type = tacOptions[value->option].type;
        if (value->option == TAC_OPT_ARGUMENT3) type = tacEvents[tacRowEvent(store, row)].arguments[2];
        else tacQuoteElement(out, tacOptions[value->option].name);
        const char *text = valueText(store, type, value->value, buffer);
        if (text) tacQuoteElement(out, text);
    }
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

static void eventCell(const tacTable *table, uint64_t index, int column, tacCell *cell) {
    Events *events = table->data;
    const tacStore *store = events->model->store;
    uint32_t row = events->first + (uint32_t) index;
    const char *name = tacEvents[tacRowEvent(store, row)].name;
    switch (column) {
    case TIME: tacCellTime(cell, tacRowTime(store, row)); break;
    case EVENT: /* a plugin's event has its name as its subject */
        tacCellString(cell, *name ? name : tacString(store, tacRowSubject(store, row)));
        break;
    case SUBJECT: tacCellString(cell, argumentText(store, row, 0, events->number)); break;
    case OBJECT: tacCellString(cell, argumentText(store, row, 1, events->number)); break;
    case PROCESSOR:
        if (tacRowProcessor(store, row) != TAC_NO_PROCESSOR)
            tacCellString(cell, tacObjectId(store, TAC_PROCESSOR, tacRowProcessor(store, row)));
        break;
    case OPTIONS:
        events->text.length = 0;
        addOptions(store, row, &events->text);
        if (events->text.length && !events->text.failed) tacCellString(cell, events->text.at);
        break;
    default: tacCellCount(cell, tacRowLine(store, row)); break;
    }
}

/* ---- texts by number (tacTable.group) ---- */

/* Finds the number of an argument that is an object or a string: its kind and index. Two numbers may have one text. */
static bool argumentNumber(const tacStore *store, uint32_t row, int argument, uint64_t *number) {
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, row)];
    uint32_t value = argument == 0 ? tacRowSubject(store, row) : tacRowObject(store, row);
    if (argument >= spec->nArguments || value == TAC_NONE) return false;
    tacType type = spec->arguments[argument];
    if (type == TAC_TYPE_TIME || type == TAC_TYPE_INTEGER || type == TAC_TYPE_FLAG) return false;
    *number = (uint64_t) ((int) type < TAC_KINDS ? type : TAC_KINDS) << 32 | value;
    return true;
}

static bool eventGroup(const tacTable *table, uint64_t index, int column, uint64_t *number) {
    const Events *events = table->data;
    const tacStore *store = events->model->store;
    uint32_t row = events->first + (uint32_t) index;
    tacEvent event = tacRowEvent(store, row);
    switch (column) {
    case EVENT:
        *number = *tacEvents[event].name ? event : (uint64_t) TAC_EVENTS + tacRowSubject(store, row);
        return true;
    case SUBJECT: return argumentNumber(store, row, 0, number);
    case OBJECT: return argumentNumber(store, row, 1, number);
    case PROCESSOR: return *number = tacRowProcessor(store, row), true;
    default: return false;
    }
}

static uint64_t eventId(const tacTable *table, uint64_t index) {
    const Events *events = table->data;
    return events->first + index;
}

static int64_t eventTime(const tacTable *table, uint64_t index) {
    const Events *events = table->data;
    return tacRowTime(events->model->store, events->first + (uint32_t) index);
}

static void freeEvents(void *data) {
    Events *events = data;
    tacTextFree(&events->text);
    tacFree(events);
}

tacStatus tacEventTable(const tacModel *model, uint32_t first, uint32_t count, tacTable *table, tacError *err) {
    static const tacTableOrder order = {.column = TIME, .endColumn = -1, .full = true, .time = eventTime};
    Events *events = tacAllocZero(1, sizeof *events);
    *table = (tacTable){.nRows = 0};
    if (!events) return tacFailMemory(err);
    events->model = model;
    events->first = first;
    *table = (tacTable){.title = "events",
        .columns = eventColumns,
        .nColumns = EVENT_COLUMNS,
        .nRows = count,
        .digits = model->store->digits,
        .cell = eventCell,
        .data = events,
        .release = freeEvents,
        .failed = &events->text.failed,
        .group = eventGroup,
        .id = eventId,
        .order = &order};
    return TAC_OK;
}
