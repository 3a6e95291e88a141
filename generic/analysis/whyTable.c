/*
 * whyTable.c -- the parts of a response time as a table, in the order in which they are shown: for values and JSON.
 *
 *      place in tacWhy.order -> part, its words, names of what it names, what the median and the best job have of it
 */
#include "base/port.h"

#include "analysis/audit.h"
#include "analysis/why.h"
#include "trace/called.h"

enum {
    P_KIND,
    P_DEPTH,
    P_PHRASE,
    P_TASK,
    P_TASK_NAME,
    P_MUTEX,
    P_MUTEX_NAME,
    P_SERVER,
    P_SERVER_NAME,
    P_PROCESSOR,
    P_PROCESSOR_NAME,
    P_NOTE,
    P_TIME,
    P_TIMES,
    P_AT,
    P_LONGEST,
    P_JOB,
    P_JOB_NAME,
    P_JOB_INDEX,
    P_LINE,
    P_MEDIAN_TIME,
    P_MEDIAN_TIMES,
    P_BEST_TIME,
    P_BEST_TIMES,
    P_COLUMNS
};

static const tacColumn columns[P_COLUMNS] = {
    [P_KIND] = {"kind", TAC_COLUMN_TEXT, NULL, 0},
    [P_DEPTH] = {"depth", TAC_COLUMN_COUNT, NULL, 0},
    [P_PHRASE] = {"phrase", TAC_COLUMN_TEXT, NULL, 0},
    [P_TASK] = {"task", TAC_COLUMN_TEXT, NULL, 0},
    [P_TASK_NAME] = {"task_name", TAC_COLUMN_TEXT, NULL, 0},
    [P_MUTEX] = {"mutex", TAC_COLUMN_TEXT, NULL, 0},
    [P_MUTEX_NAME] = {"mutex_name", TAC_COLUMN_TEXT, NULL, 0},
    [P_SERVER] = {"server", TAC_COLUMN_TEXT, NULL, 0},
    [P_SERVER_NAME] = {"server_name", TAC_COLUMN_TEXT, NULL, 0},
    [P_PROCESSOR] = {"processor", TAC_COLUMN_TEXT, NULL, 0},
    [P_PROCESSOR_NAME] = {"processor_name", TAC_COLUMN_TEXT, NULL, 0},
    [P_NOTE] = {"note", TAC_COLUMN_TEXT, NULL, 0},
    [P_TIME] = {"time", TAC_COLUMN_TIME, NULL, 0},
    [P_TIMES] = {"times", TAC_COLUMN_COUNT, NULL, 0},
    [P_AT] = {"at", TAC_COLUMN_TIME, NULL, 0},
    [P_LONGEST] = {"longest", TAC_COLUMN_TIME, NULL, 0},
    [P_JOB] = {"job", TAC_COLUMN_TEXT, NULL, 0},
    [P_JOB_NAME] = {"job_name", TAC_COLUMN_TEXT, NULL, 0},
    [P_JOB_INDEX] = {"job_index", TAC_COLUMN_COUNT, NULL, 0},
    [P_LINE] = {"line", TAC_COLUMN_COUNT, NULL, 0},
    [P_MEDIAN_TIME] = {"median_time", TAC_COLUMN_TIME, NULL, 0},
    [P_MEDIAN_TIMES] = {"median_times", TAC_COLUMN_COUNT, NULL, 0},
    [P_BEST_TIME] = {"best_time", TAC_COLUMN_TIME, NULL, 0},
    [P_BEST_TIMES] = {"best_times", TAC_COLUMN_COUNT, NULL, 0},
};

typedef struct Parts {
    const tacWhy *why;
    uint64_t row; /* the one whose part is `part` */
    tacWhyPart part;
    tacText text; /* of the last cell that had to be put together */
} Parts;

unsigned tacWhyLine(const tacModel *model, int64_t t, uint32_t first, uint32_t second) {
    const tacStore *store = model->store;
    if (t == TAC_UNKNOWN) return 0;
    uint32_t row = first == TAC_NONE ? TAC_NONE : tacAuditRow(store, model->jobs.at[first].id, t, tacAuditJobEvents());
    if (row == TAC_NONE) row = tacAuditRowNear(store, second == TAC_NONE ? TAC_NONE : model->jobs.at[second].id, t);
    return row == TAC_NONE ? 0 : tacRowLine(store, row);
}

/* A text that is empty is no value. */
static void putText(const char *text, tacCell *cell) { tacCellString(cell, text && *text ? text : NULL); }

/* The id or the name of an object, if there is one. */
static void putObject(const tacModel *model, tacKind kind, uint32_t object, bool name, tacCell *cell) {
    if (object == TAC_NONE) return;
    if (kind == TAC_PROCESSOR) putText((name ? tacProcessorName : tacProcessorId)(model, object), cell);
    else putText((name ? tacObjectName : tacObjectId)(model->store, kind, object), cell);
}

/* The text that was put together. */
static void putMade(const Parts *parts, tacCell *cell) {
    if (!parts->text.failed) putText(parts->text.at, cell);
}

/* Fills a cell about what the part is. */
static void putIdentity(Parts *parts, uint32_t index, int column, tacCell *cell) {
    const tacModel *model = parts->why->model;
    const tacWhyPart *part = &parts->part;
    switch (column) {
    case P_KIND: tacCellString(cell, tacWhyNames[part->kind]); break;
    case P_DEPTH: tacCellCount(cell, tacWhyDepth(parts->why, index)); break;
    case P_PHRASE:
        tacWhyPhrase(model, part, &parts->text);
        putMade(parts, cell);
        break;
    case P_TASK:
    case P_TASK_NAME: putObject(model, TAC_TASK, part->task, column == P_TASK_NAME, cell); break;
    case P_MUTEX:
    case P_MUTEX_NAME: putObject(model, TAC_MUTEX, part->mutex, column == P_MUTEX_NAME, cell); break;
    case P_SERVER:
    case P_SERVER_NAME: putObject(model, TAC_SERVER, part->server, column == P_SERVER_NAME, cell); break;
    case P_PROCESSOR:
    case P_PROCESSOR_NAME: putObject(model, TAC_PROCESSOR, part->processor, column == P_PROCESSOR_NAME, cell); break;
    default: putText(part->note == TAC_NONE ? NULL : tacString(model->store, part->note), cell); break;
    }
}

/* Fills a cell about its longest stretch. */
static void putLongest(Parts *parts, int column, tacCell *cell) {
    const tacModel *model = parts->why->model;
    const tacWhyPart *part = &parts->part;
    uint32_t id = part->job == TAC_NONE ? TAC_NONE : model->jobs.at[part->job].id;
    switch (column) {
    case P_AT: tacCellTime(cell, part->at); break;
    case P_LONGEST: tacCellTime(cell, part->longest); break;
    case P_JOB: putObject(model, TAC_JOB, id, false, cell); break;
    case P_JOB_NAME:
        if (id == TAC_NONE) break;
        tacCalled(model->store, TAC_JOB, id, &parts->text);
        putMade(parts, cell);
        break;
    case P_JOB_INDEX:
        if (part->job != TAC_NONE) tacCellCount(cell, part->job);
        break;
    default: tacCellCount(cell, tacWhyLine(model, part->at, part->job, parts->why->job)); break;
    }
}

static void partCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    Parts *parts = table->data;
    uint32_t index = parts->why->order.at[row];
    parts->text.length = 0;
    if (parts->row != row) {
        parts->row = row;
        parts->part = tacWhyPartAt(parts->why, index);
    }
    switch (column) {
    case P_TIME: tacCellTime(cell, parts->part.own.ticks); break;
    case P_TIMES: tacCellCount(cell, parts->part.own.times); break;
    case P_MEDIAN_TIME: tacCellTime(cell, tacWhyOther(parts->why, index, false).ticks); break;
    case P_MEDIAN_TIMES: tacCellCount(cell, tacWhyOther(parts->why, index, false).times); break;
    case P_BEST_TIME: tacCellTime(cell, tacWhyOther(parts->why, index, true).ticks); break;
    case P_BEST_TIMES: tacCellCount(cell, tacWhyOther(parts->why, index, true).times); break;
    default:
        if (column < P_TIME) putIdentity(parts, index, column, cell);
        else putLongest(parts, column, cell);
        break;
    }
}

static void freeParts(void *data) {
    Parts *parts = data;
    tacTextFree(&parts->text);
    tacFree(parts);
}

tacStatus tacWhyTable(const tacWhy *why, uint64_t most, tacTable *table, tacError *err) {
    Parts *parts = tacAllocZero(1, sizeof *parts);
    *table = (tacTable){.nRows = 0};
    if (!parts) return tacFailMemory(err);
    parts->why = why;
    parts->row = UINT64_MAX;
    *table = (tacTable){.title = "parts",
        .columns = columns,
        .nColumns = P_COLUMNS,
        .nRows = most < why->order.count ? most : why->order.count,
        .digits = why->model->store->digits,
        .cell = partCell,
        .data = parts,
        .release = freeParts,
        .failed = &parts->text.failed};
    return TAC_OK;
}
