/*
 * stats.c -- the tables of statistics by name, their window, and the table of jobs.
 *
 * Jobs are not copied: a row is a job of the model; those of a window stand together, since jobs are in order of release. The
 * other tables (statsTask.c, statsObject.c) are computed once and held as records, since there is one row a task,
 * server ... only.
 */
#include "base/port.h"

#include <math.h>

#include "model/statsPart.h"

const char *const tacStatsNames[TAC_STATS_KINDS + 1] = {"jobs", "tasks", "servers", "mutexes", "processors", "buffers", NULL};

static const tacStatsPart *const parts[TAC_STATS_KINDS] = {
    [TAC_STATS_JOBS] = &tacJobStats, [TAC_STATS_TASKS] = &tacTaskStats, [TAC_STATS_SERVERS] = &tacServerStats,
    [TAC_STATS_MUTEXES] = &tacMutexStats, [TAC_STATS_PROCESSORS] = &tacProcessorStats, [TAC_STATS_BUFFERS] = &tacBufferStats
};

const tacColumn *tacStatsColumns(tacStatsOf of, int *nColumns) {
    *nColumns = parts[of]->nColumns;
    return parts[of]->columns;
}

/* How many a table has at most. */
static uint64_t nRows(const tacModel *model, tacStatsOf of) {
    static const tacKind kinds[TAC_STATS_KINDS] = {
	[TAC_STATS_TASKS] = TAC_TASK, [TAC_STATS_SERVERS] = TAC_SERVER, [TAC_STATS_MUTEXES] = TAC_MUTEX, [TAC_STATS_BUFFERS] = TAC_BUFFER
    };
    if (of == TAC_STATS_JOBS) return model->jobs.count;
    return of == TAC_STATS_PROCESSORS ? model->nProcessors : tacStoreObjects(model->store, kinds[of]);
}

tacStatus tacStats(const tacModel *model, tacStatsOf of, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err) {
    tacStatsWindow window = {
	.from = from == TAC_UNKNOWN ? model->begin : from, .to = to == TAC_UNKNOWN ? model->end : to,
	.whole = from == TAC_UNKNOWN && to == TAC_UNKNOWN,
	.firstRelease = from == TAC_UNKNOWN ? INT64_MIN : from, .lastRelease = to == TAC_UNKNOWN ? INT64_MAX : to,
	.progress = progress
    };
    *table = (tacTable) {.nRows = 0};
    if (from != TAC_UNKNOWN && to != TAC_UNKNOWN && from > to)
	return tacFail(err, "USAGE WINDOW", "the window ends before it begins");
    if (window.to < window.from) window.to = window.from;       /* wholly before or after the recording */
    if (progress) progress->total = nRows(model, of);
    return parts[of]->make(model, &window, table, err);
}

tacStatus tacStatsEnd(const tacStatsWindow *window, tacTable *table, uint64_t rows, bool done, tacError *err) {
    table->nRows = rows;
    if (done) return TAC_OK;
    tacTableFree(table);
    return tacFailStopped(err, window->progress);
}

/* ---- the window ------------------------------------------------------------------------------------------------- */

/* When the job counts. */
static int64_t releaseOf(const tacModel *model, const tacJob *job) {
    return job->release != TAC_UNKNOWN ? job->release : tacJobBegin(model, job);
}

double tacStatsWindowShare(const tacStatsWindow *window, int64_t part) {
    int64_t length = tacElapsed(window->from, window->to);
    return length > 0 ? (double) part / (double) length : NAN;
}

double tacTicksNumber(long double ticks, int digits) {
    return (double) (ticks / powl(10, digits));
}

/* ---- jobs ------------------------------------------------------------------------------------------------------- */

enum {
    JOB, TASK, PROCESSOR, RELEASE, START, COMPLETION, RESPONSE, EXECUTION, PREEMPTED, BLOCKED, PREEMPTIONS, MIGRATIONS,
    DEADLINE, LATENESS, JOB_COLUMNS
};

static const tacColumn jobColumns[JOB_COLUMNS] = {
    [JOB] = {"job", TAC_COLUMN_TEXT, "id of the job", 0},
    [TASK] = {"task", TAC_COLUMN_TEXT, "id of its task", 0},
    [PROCESSOR] = {"processor", TAC_COLUMN_TEXT, "where it ran last, or was to run", 0},
    [RELEASE] = {"release", TAC_COLUMN_TIME, "when it arrived; empty for a job that is used without arrival", 0},
    [START] = {"start", TAC_COLUMN_TIME, "when it ran first", 0},
    [COMPLETION] = {"completion", TAC_COLUMN_TIME, "when it completed", 0},
    [RESPONSE] = {"response", TAC_COLUMN_TIME, "completion - release", 0},
    [EXECUTION] = {"execution", TAC_COLUMN_TIME, "time running, up to completion or the end of the recording", 0},
    [PREEMPTED] = {"preempted", TAC_COLUMN_TIME, "time ready, not running, after the first start", 0},
    [BLOCKED] = {"blocked", TAC_COLUMN_TIME, "time waiting for a resource", 0},
    [PREEMPTIONS] = {"preemptions", TAC_COLUMN_COUNT, "times it was preempted while running", 0},
    [MIGRATIONS] = {"migrations", TAC_COLUMN_COUNT, "times it went on to run on another processor than it ran on last", 0},
    [DEADLINE] = {"deadline", TAC_COLUMN_TIME, "absolute deadline: the last jobDeadline, else release + the task's -D", 0},
    [LATENESS] = {"lateness", TAC_COLUMN_TIME, "completion - deadline; negative when early", 0}
};

typedef struct Jobs {
    const tacModel *model;
    uint32_t first;             /* the window's first job: they are in order of release, so it has a range of them */
} Jobs;

static int64_t jobTime(const tacJob *job, int column) {
    switch (column) {
    case RELEASE: return job->release;
    case START: return job->start;
    case COMPLETION: return job->completion;
    case RESPONSE: return tacDifference(job->completion, job->release);
    case EXECUTION: return job->execution;
    case PREEMPTED: return job->preempted;
    case BLOCKED: return job->blocked;
    case DEADLINE: return job->deadline;
    default: return tacDifference(job->completion, job->deadline);
    }
}

static void jobCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    const Jobs *jobs = table->data;
    const tacModel *model = jobs->model;
    const tacJob *job = &model->jobs.at[jobs->first + row];
    switch (column) {
    case JOB: tacCellString(cell, tacObjectId(model->store, TAC_JOB, job->id)); break;
    case TASK: tacCellString(cell, tacObjectId(model->store, TAC_TASK, job->task)); break;
    case PROCESSOR:
	if (job->processor != TAC_NO_PROCESSOR) tacCellString(cell, tacProcessorId(model, job->processor));
	break;
    case PREEMPTIONS: tacCellCount(cell, job->preemptions); break;
    case MIGRATIONS: tacCellCount(cell, job->migrations); break;
    default: tacCellTime(cell, jobTime(job, column)); break;
    }
}

static bool jobGroup(const tacTable *table, uint64_t row, int column, uint64_t *number) {
    const Jobs *jobs = table->data;
    const tacJob *job = &jobs->model->jobs.at[jobs->first + row];
    switch (column) {
    case JOB: return *number = job->id, true;
    case TASK: return *number = job->task, true;
    case PROCESSOR: return *number = job->processor, true;
    default: return false;
    }
}

static uint64_t jobId(const tacTable *table, uint64_t row) {
    const Jobs *jobs = table->data;
    return jobs->first + row;
}

/* How many jobs are released before `time`, or at it (`included`). */
static uint32_t countReleased(const tacModel *model, int64_t time, bool included) {
    uint32_t low = 0, high = (uint32_t) model->jobs.count;
    while (low < high) {
	uint32_t middle = low + (high - low) / 2;
	int64_t release = releaseOf(model, &model->jobs.at[middle]);
	if (included ? release <= time : release < time) low = middle + 1;
	else high = middle;
    }
    return low;
}

static tacStatus makeJobs(const tacModel *model, const tacStatsWindow *window, tacTable *table, tacError *err) {
    Jobs *jobs = tacAllocZero(1, sizeof *jobs);
    if (!jobs) return tacFailMemory(err);
    jobs->model = model;
    jobs->first = window->whole ? 0 : countReleased(model, window->firstRelease, false);
    uint32_t end = window->whole ? (uint32_t) model->jobs.count : countReleased(model, window->lastRelease, true);
    *table = (tacTable) {
	.title = "jobs", .columns = jobColumns, .nColumns = JOB_COLUMNS, .nRows = end > jobs->first ? end - jobs->first : 0, .digits = model->store->digits,
	.cell = jobCell, .data = jobs, .release = tacFree, .group = jobGroup, .id = jobId
    };
    return TAC_OK;
}

const tacStatsPart tacJobStats = {jobColumns, JOB_COLUMNS, makeJobs};
