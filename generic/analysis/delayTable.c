/*
 * delayTable.c -- the parts of a job's response time (why.h) as a table.
 */
#include "base/port.h"

#include "analysis/tables.h"
#include "analysis/why.h"

enum {
    D_JOB,
    D_JOB_NUMBER,
    D_TASK,
    D_TASK_NAME,
    D_DEPTH,
    D_KIND,
    D_CAUSE,
    D_BY,
    D_MUTEX,
    D_SERVER,
    D_PROCESSOR,
    D_TIME,
    D_TIMES,
    D_LONGEST,
    D_AT,
    D_COLUMNS
};

static const tacColumn delayColumns[D_COLUMNS] = {
    [D_JOB] = {"job", TAC_COLUMN_TEXT, "id of the job", 0},
    [D_JOB_NUMBER] = {"job_number", TAC_COLUMN_COUNT, "its number in the table of jobs, from 0", 0},
    [D_TASK] = {"task", TAC_COLUMN_TEXT, "id of its task", 0},
    [D_TASK_NAME] = {"task_name", TAC_COLUMN_TEXT, "name of its task", 0},
    [D_DEPTH] = {"depth", TAC_COLUMN_COUNT,
        "0: a part of the response time, as all of which it adds up; 1: a part of that part, and so on", 0},
    [D_KIND] = {"kind", TAC_COLUMN_TEXT,
        "running, interrupt, softirq, preempted, blocked, waiting, wakeup, migration, idle, depleted, unknown, over, "
        "deadlock",
        0},
    [D_CAUSE] = {"cause", TAC_COLUMN_TEXT, "the part in words", 0},
    [D_BY] = {"by_task", TAC_COLUMN_TEXT, "id of the task behind it: that ran instead, or holds the mutex", 0},
    [D_MUTEX] = {"mutex", TAC_COLUMN_TEXT, "id of the mutex, of blocked", 0},
    [D_SERVER] = {"server", TAC_COLUMN_TEXT, "id of the server without budget, of depleted", 0},
    [D_PROCESSOR] = {"processor", TAC_COLUMN_TEXT, "id of the processor, of migration, idle and unknown", 0},
    [D_TIME] = {"time", TAC_COLUMN_TIME, "how long it took, all in all", 0},
    [D_TIMES] = {"times", TAC_COLUMN_COUNT, "how many times", 0},
    [D_LONGEST] = {"longest", TAC_COLUMN_TIME, "its longest stretch without a break", 0},
    [D_AT] = {"at", TAC_COLUMN_TIME, "when that began", 0},
};

const tacColumn *tacDelayColumns(int *nColumns) {
    *nColumns = D_COLUMNS;
    return delayColumns;
}

typedef struct Delays {
    const tacModel *model;
    tacWhy why;
    tacText text; /* of the last cell that had to be put together */
} Delays;

static void putObject(const Delays *delays, tacKind kind, uint32_t object, tacCell *cell) {
    if (object == TAC_NONE) return;
    tacCellString(cell,
        kind == TAC_PROCESSOR ? tacProcessorId(delays->model, object)
                              : tacObjectId(delays->model->store, kind, object));
}

static void delayCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    Delays *delays = table->data;
    const tacStore *store = delays->model->store;
    const tacJob *job = &delays->model->jobs.at[delays->why.job];
    uint32_t index = delays->why.order.at[row];
    tacWhyPart part = tacWhyPartAt(&delays->why, index);
    switch (column) {
    case D_JOB: tacCellString(cell, tacObjectId(store, TAC_JOB, job->id)); break;
    case D_JOB_NUMBER: tacCellCount(cell, delays->why.job); break;
    case D_TASK: tacCellString(cell, tacObjectId(store, TAC_TASK, job->task)); break;
    case D_TASK_NAME: tacCellString(cell, tacObjectName(store, TAC_TASK, job->task)); break;
    case D_DEPTH: tacCellCount(cell, tacWhyDepth(&delays->why, index)); break;
    case D_KIND: tacCellString(cell, tacWhyNames[part.kind]); break;
    case D_CAUSE:
        delays->text.length = 0;
        tacWhyPhrase(delays->model, &part, &delays->text);
        if (!delays->text.failed) tacCellString(cell, delays->text.at);
        break;
    case D_BY: putObject(delays, TAC_TASK, part.task, cell); break;
    case D_MUTEX: putObject(delays, TAC_MUTEX, part.mutex, cell); break;
    case D_SERVER: putObject(delays, TAC_SERVER, part.server, cell); break;
    case D_PROCESSOR: putObject(delays, TAC_PROCESSOR, part.processor, cell); break;
    case D_TIME: tacCellTime(cell, part.own.ticks); break;
    case D_TIMES: tacCellCount(cell, part.own.times); break;
    case D_LONGEST: tacCellTime(cell, part.longest); break;
    default: tacCellTime(cell, part.at); break;
    }
}

static void freeDelays(void *data) {
    Delays *delays = data;
    tacWhyFree(&delays->why);
    tacTextFree(&delays->text);
    tacFree(delays);
}

tacStatus tacDelayTable(const tacModel *model, uint32_t job, tacProgress *progress, tacTable *table, tacError *err) {
    Delays *delays = tacAllocZero(1, sizeof *delays);
    *table = (tacTable){.nRows = 0};
    if (!delays) return tacFailMemory(err);
    delays->model = model;
    tacWhyShared shared = {.made = false};
    tacStatus status = tacWhyJob(model, job, &shared, &delays->why, progress, err);
    tacWhySharedFree(&shared);
    if (status != TAC_OK || tacWhyOrder(&delays->why, err) != TAC_OK) return freeDelays(delays), TAC_ERROR;
    *table = (tacTable){.title = "delays",
        .columns = delayColumns,
        .nColumns = D_COLUMNS,
        .nRows = delays->why.order.count,
        .digits = model->store->digits,
        .cell = delayCell,
        .data = delays,
        .release = freeDelays,
        .failed = &delays->text.failed};
    return TAC_OK;
}
