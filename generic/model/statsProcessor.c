/*
 * statsProcessor.c -- the table of processors: busy and idle time, context switches, migrations.
 */
#include "base/port.h"

#include "model/statsPart.h"

typedef struct ProcessorRow {
    const char *processor, *name;
    int64_t busy, idle;
    double utilization;
    int64_t switches, migrations;
} ProcessorRow;

static const tacColumn processorColumns[] = {
    {"processor", TAC_COLUMN_TEXT, "id of the processor", offsetof(ProcessorRow, processor)},
    {"name", TAC_COLUMN_TEXT, "its name", offsetof(ProcessorRow, name)},
    {"busy", TAC_COLUMN_TIME, "time in the window with a job running", offsetof(ProcessorRow, busy)},
    {"idle", TAC_COLUMN_TIME, "the rest of the window", offsetof(ProcessorRow, idle)},
    {"utilization", TAC_COLUMN_NUMBER, "busy / length of the window", offsetof(ProcessorRow, utilization)},
    {"switches", TAC_COLUMN_COUNT, "context switches: a job begins to run here that is not the one that ran before", offsetof(ProcessorRow, switches)},
    {"migrations", TAC_COLUMN_COUNT, "jobs that came here from another processor", offsetof(ProcessorRow, migrations)}
};
enum { PROCESSOR_COLUMNS = sizeof processorColumns / sizeof *processorColumns };

/* Time and switches. Runs stand in order of begin; where they overlap, the time counts once. False: stop. */
static bool addRuns(const tacModel *model, const tacStatsWindow *window, uint32_t processor, ProcessorRow *row) {
    const tacProcessorModel *p = &model->processors[processor];
    int64_t covered = INT64_MIN;
    uint32_t before = TAC_NONE;
    for (size_t i = 0; i < p->runs.count; i++) {
	const tacSlice *slice = &model->tasks[p->runs.at[i].task].slices.at[p->runs.at[i].slice];
	if (slice->begin > window->to) break;
	if (!tacStatsAt(window, i)) return false;
	row->switches += slice->job != before && tacStatsWindowHas(window, slice->begin);
	before = slice->job;
	row->busy = tacLengths(row->busy, tacStatsWindowCut(window, slice->begin > covered ? slice->begin : covered, slice->end));
	if (slice->end > covered) covered = slice->end;
    }
    return true;
}

static bool addMigrations(const tacModel *model, const tacStatsWindow *window, uint32_t processor, ProcessorRow *row) {
    const tacProcessorModel *p = &model->processors[processor];
    for (size_t i = 0; i < p->migrations.count; i++) {
	if (!tacStatsAt(window, i)) return false;
	row->migrations += tacStatsWindowHas(window, tacRowTime(model->store, p->migrations.at[i]));
    }
    return true;
}

/* The model may have one processor more than the store: the default one. */
static bool isShown(const tacModel *model, uint32_t processor) {
    return processor >= tacStoreObjects(model->store, TAC_PROCESSOR) || tacIsDefined(model->store, TAC_PROCESSOR, processor);
}

static tacStatus makeProcessors(const tacModel *model, const tacStatsWindow *window, tacTable *table, tacError *err) {
    tacStatus status = tacTableRecords(table, "processors", processorColumns, PROCESSOR_COLUMNS, sizeof(ProcessorRow),
	model->nProcessors, model->store->digits, err);
    uint64_t rows = 0;
    bool done = true;
    for (uint32_t processor = 0; status == TAC_OK && done && processor < table->nRows; processor++) {
	if (!isShown(model, processor)) continue;
	ProcessorRow *row = tacTableRecord(table, rows++);
	row->processor = tacProcessorId(model, processor);
	row->name = tacProcessorName(model, processor);
	done = tacStatsRow(window, processor) && addRuns(model, window, processor, row) && addMigrations(model, window, processor, row);
	row->idle = tacElapsed(window->from, window->to) - row->busy;
	row->utilization = tacStatsWindowShare(window, row->busy);
    }
    return status == TAC_OK ? tacStatsEnd(window, table, rows, done, err) : status;
}

const tacStatsPart tacProcessorStats = {processorColumns, PROCESSOR_COLUMNS, makeProcessors};
