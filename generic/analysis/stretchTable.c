/*
 * stretchTable.c -- slices of jobs and holds of mutexes as tables.
 *
 * Rows are those of the model, task by task: nothing is copied but, for each task, the number of the rows before it. A
 * cell finds its task near the one of the cell before.
 */
#include "base/port.h"

#include "analysis/tables.h"
#include "base/search.h"
#include "model/query.h"

typedef struct Stretches {
    const tacModel *model;
    uint32_t nTasks;
    uint64_t *begins; /* of each task: its first row; one more at the end */
    uint32_t task;    /* of the cell before */
} Stretches;

/* The task of a row. */
static uint32_t taskOf(const tacTable *table, uint64_t row) {
    Stretches *all = table->data;
    const uint64_t *begins = all->begins;
    if (row < begins[all->task] || row >= begins[all->task + 1])
        all->task = tacPast(uint32_t, 0, all->nTasks, i, begins[i + 1] <= row);
    return all->task;
}

static uint64_t countStretches(const tacTable *table) { return ((const Stretches *) table->data)->nTasks; }

static uint64_t beginOf(const tacTable *table, uint64_t stretch) {
    return ((const Stretches *) table->data)->begins[stretch];
}

static void freeStretches(void *data) {
    Stretches *all = data;
    tacFree(all->begins);
    tacFree(all);
}

/* Makes the table, of which `count` says how many rows a task has. */
static tacStatus make(const tacModel *model, size_t (*count)(const tacTaskModel *task), const tacTable *like,
    tacTable *table, tacError *err) {
    uint32_t nTasks = tacStoreObjects(model->store, TAC_TASK);
    Stretches *all = tacAllocZero(1, sizeof *all);
    uint64_t *begins = all ? tacAllocZero((size_t) nTasks + 1, sizeof *begins) : NULL;
    *table = (tacTable){.nRows = 0};
    if (!begins) return tacFree(all), tacFailMemory(err);
    for (uint32_t i = 0; i < nTasks; i++) begins[i + 1] = begins[i] + count(&model->tasks[i]);
    *all = (Stretches){model, nTasks, begins, 0};
    *table = *like;
    table->nRows = begins[nTasks];
    table->digits = model->store->digits;
    table->data = all;
    table->release = freeStretches;
    return TAC_OK;
}

/* ---- slices ------------------------------------------------------------------------------------------------------ */

enum { S_TASK, S_TASK_NAME, S_JOB, S_JOB_NUMBER, S_PROCESSOR, S_STATE, S_BEGIN, S_END, S_LENGTH, S_COLUMNS };

static const tacColumn sliceColumns[S_COLUMNS] = {
    [S_TASK] = {"task", TAC_COLUMN_TEXT, "id of the task", 0},
    [S_TASK_NAME] = {"task_name", TAC_COLUMN_TEXT, "its name", 0},
    [S_JOB] = {"job", TAC_COLUMN_TEXT, "id of the job", 0},
    [S_JOB_NUMBER] = {"job_number", TAC_COLUMN_COUNT, "number of the job in the table of jobs, from 0", 0},
    [S_PROCESSOR] = {"processor", TAC_COLUMN_TEXT, "where it runs, or ran last", 0},
    [S_STATE] = {"state", TAC_COLUMN_TEXT, "running, preempted, blocked, between (runs after its completion), unknown",
        0},
    [S_BEGIN] = {"begin", TAC_COLUMN_TIME, "when it begins", 0},
    [S_END] = {"end", TAC_COLUMN_TIME, "when it ends; the end of the recording if that cuts it", 0},
    [S_LENGTH] = {"length", TAC_COLUMN_TIME, "end - begin", 0},
};

static size_t countSlices(const tacTaskModel *task) { return task->slices.count; }

static const tacSlice *sliceOf(const tacTable *table, uint64_t row) {
    const Stretches *all = table->data;
    uint32_t task = taskOf(table, row);
    return &all->model->tasks[task].slices.at[row - all->begins[task]];
}

static void sliceCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    const tacModel *model = ((const Stretches *) table->data)->model;
    const tacSlice *slice = sliceOf(table, row);
    switch (column) {
    case S_TASK: tacCellString(cell, tacObjectId(model->store, TAC_TASK, taskOf(table, row))); break;
    case S_TASK_NAME: tacCellString(cell, tacObjectName(model->store, TAC_TASK, taskOf(table, row))); break;
    case S_JOB: tacCellString(cell, tacObjectId(model->store, TAC_JOB, model->jobs.at[slice->job].id)); break;
    case S_JOB_NUMBER: tacCellCount(cell, slice->job); break;
    case S_PROCESSOR:
        if (slice->processor != TAC_NO_PROCESSOR) tacCellString(cell, tacProcessorId(model, slice->processor));
        break;
    case S_STATE: tacCellString(cell, tacStateNames[slice->state]); break;
    case S_BEGIN: tacCellTime(cell, slice->begin); break;
    case S_END: tacCellTime(cell, slice->end); break;
    default: tacCellTime(cell, tacElapsed(slice->begin, slice->end)); break;
    }
}

static bool sliceGroup(const tacTable *table, uint64_t row, int column, uint64_t *number) {
    const tacModel *model = ((const Stretches *) table->data)->model;
    switch (column) {
    case S_TASK:
    case S_TASK_NAME: return *number = taskOf(table, row), true;
    case S_JOB: return *number = model->jobs.at[sliceOf(table, row)->job].id, true;
    case S_PROCESSOR: return *number = sliceOf(table, row)->processor, true;
    case S_STATE: return *number = sliceOf(table, row)->state, true;
    default: return false;
    }
}

static tacColumnTrait sliceTrait(const tacTable *table, int column) {
    static const char *const words[] = {"running", "preempted", "blocked", "between", "unknown", NULL};
    (void) table;
    return (tacColumnTrait){NULL, column == S_STATE ? words : NULL};
}

static int64_t sliceTime(const tacTable *table, uint64_t row) { return sliceOf(table, row)->begin; }

static uint64_t sliceReach(const tacTable *table, uint64_t stretch, int64_t from) {
    const Stretches *all = table->data;
    return all->begins[stretch] + tacQuerySlice(all->model, (uint32_t) stretch, 0, from);
}

const tacColumn *tacSliceColumns(int *nColumns) {
    *nColumns = S_COLUMNS;
    return sliceColumns;
}

tacStatus tacSliceTable(const tacModel *model, tacTable *table, tacError *err) {
    static const tacTableOrder order = {S_BEGIN, S_END, true, countStretches, beginOf, sliceTime, sliceReach};
    static const tacTable like = {.title = "slices",
        .columns = sliceColumns,
        .nColumns = S_COLUMNS,
        .trait = sliceTrait,
        .cell = sliceCell,
        .group = sliceGroup,
        .order = &order};
    return make(model, countSlices, &like, table, err);
}

/* ---- holds ------------------------------------------------------------------------------------------------------- */

enum { H_MUTEX, H_TASK, H_TASK_NAME, H_JOB, H_JOB_NUMBER, H_BEGIN, H_END, H_LENGTH, H_DEPTH, H_OPEN, H_COLUMNS };

static const tacColumn holdColumns[H_COLUMNS] = {
    [H_MUTEX] = {"mutex", TAC_COLUMN_TEXT, "id of the mutex", 0},
    [H_TASK] = {"task", TAC_COLUMN_TEXT, "id of the task", 0},
    [H_TASK_NAME] = {"task_name", TAC_COLUMN_TEXT, "its name", 0},
    [H_JOB] = {"job", TAC_COLUMN_TEXT, "id of the job", 0},
    [H_JOB_NUMBER] = {"job_number", TAC_COLUMN_COUNT, "number of the job in the table of jobs, from 0", 0},
    [H_BEGIN] = {"begin", TAC_COLUMN_TIME, "when it was acquired", 0},
    [H_END] = {"end", TAC_COLUMN_TIME, "when it was released; the end of the recording if that did not happen", 0},
    [H_LENGTH] = {"length", TAC_COLUMN_TIME, "end - begin", 0},
    [H_DEPTH] = {"depth", TAC_COLUMN_COUNT, "mutexes that the job held already when it acquired this one", 0},
    [H_OPEN] = {"open", TAC_COLUMN_COUNT, "1: it was never released", 0},
};

static size_t countHolds(const tacTaskModel *task) { return task->holds.count; }

static const tacHold *holdOf(const tacTable *table, uint64_t row) {
    const Stretches *all = table->data;
    uint32_t task = taskOf(table, row);
    return &all->model->tasks[task].holds.at[row - all->begins[task]];
}

static void holdCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    const tacModel *model = ((const Stretches *) table->data)->model;
    const tacHold *hold = holdOf(table, row);
    switch (column) {
    case H_MUTEX: tacCellString(cell, tacObjectId(model->store, TAC_MUTEX, hold->mutex)); break;
    case H_TASK: tacCellString(cell, tacObjectId(model->store, TAC_TASK, taskOf(table, row))); break;
    case H_TASK_NAME: tacCellString(cell, tacObjectName(model->store, TAC_TASK, taskOf(table, row))); break;
    case H_JOB: tacCellString(cell, tacObjectId(model->store, TAC_JOB, model->jobs.at[hold->job].id)); break;
    case H_JOB_NUMBER: tacCellCount(cell, hold->job); break;
    case H_BEGIN: tacCellTime(cell, hold->begin); break;
    case H_END: tacCellTime(cell, hold->end); break;
    case H_LENGTH: tacCellTime(cell, tacElapsed(hold->begin, hold->end)); break;
    case H_DEPTH: tacCellCount(cell, hold->depth); break;
    default: tacCellCount(cell, hold->open); break;
    }
}

static bool holdGroup(const tacTable *table, uint64_t row, int column, uint64_t *number) {
    const tacModel *model = ((const Stretches *) table->data)->model;
    switch (column) {
    case H_MUTEX: return *number = holdOf(table, row)->mutex, true;
    case H_TASK:
    case H_TASK_NAME: return *number = taskOf(table, row), true;
    case H_JOB: return *number = model->jobs.at[holdOf(table, row)->job].id, true;
    default: return false;
    }
}

static int64_t holdTime(const tacTable *table, uint64_t row) { return holdOf(table, row)->begin; }

static uint64_t holdReach(const tacTable *table, uint64_t stretch, int64_t from) {
    const Stretches *all = table->data;
    return all->begins[stretch] + tacQueryHold(all->model, (uint32_t) stretch, 0, from);
}

const tacColumn *tacHoldColumns(int *nColumns) {
    *nColumns = H_COLUMNS;
    return holdColumns;
}

tacStatus tacHoldTable(const tacModel *model, tacTable *table, tacError *err) {
    static const tacTableOrder order = {H_BEGIN, H_END, true, countStretches, beginOf, holdTime, holdReach};
    static const tacTable like = {.title = "holds",
        .columns = holdColumns,
        .nColumns = H_COLUMNS,
        .cell = holdCell,
        .group = holdGroup,
        .order = &order};
    return make(model, countHolds, &like, table, err);
}
