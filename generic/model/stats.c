/*
 * stats.c -- the tables of statistics by name, their window, and the table of jobs.
 *
 * Jobs are not copied: a row is a job of the model, found directly or, with a window, through a list of indices. The
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

tacStatus tacStats(const tacModel *model, tacStatsOf of, int64_t from, int64_t to, tacTable *table, tacError *err) {
    tacWindow window = {
	.from = from == TAC_UNKNOWN ? model->begin : from, .to = to == TAC_UNKNOWN ? model->end : to,
	.whole = from == TAC_UNKNOWN && to == TAC_UNKNOWN,
	.firstRelease = from == TAC_UNKNOWN ? INT64_MIN : from, .lastRelease = to == TAC_UNKNOWN ? INT64_MAX : to
    };
    *table = (tacTable) {.nRows = 0};
    if (from != TAC_UNKNOWN && to != TAC_UNKNOWN && from > to)
	return tacFail(err, "USAGE WINDOW", "the window ends before it begins");
    if (window.to < window.from) window.to = window.from;       /* wholly before or after the recording */
    return parts[of]->make(model, &window, table, err);
}

/* ---- the window ------------------------------------------------------------------------------------------------- */

bool tacWindowHasJob(const tacModel *model, const tacWindow *window, const tacJob *job) {
    int64_t time = job->release != TAC_UNKNOWN ? job->release : tacJobBegin(model, job);
    return window->firstRelease <= time && time <= window->lastRelease;
}

double tacWindowShare(const tacWindow *window, int64_t part) {
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
    uint32_t *chosen;           /* indices of the window's jobs; NULL: all */
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
    const tacJob *job = &model->jobs.at[jobs->chosen ? jobs->chosen[row] : row];
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

static void freeJobs(void *data) {
    Jobs *jobs = data;
    tacFree(jobs->chosen);
    tacFree(jobs);
}

/* The indices of the window's jobs, into a list that is as long as there are jobs. */
static bool chooseJobs(const tacModel *model, const tacWindow *window, Jobs *jobs, uint64_t *count) {
    *count = model->jobs.count;
    if (window->whole) return true;
    jobs->chosen = tacAlloc((model->jobs.count + 1) * sizeof *jobs->chosen);
    if (!jobs->chosen) return false;
    *count = 0;
    for (size_t i = 0; i < model->jobs.count; i++)
	if (tacWindowHasJob(model, window, &model->jobs.at[i])) jobs->chosen[(*count)++] = (uint32_t) i;
    return true;
}

static tacStatus makeJobs(const tacModel *model, const tacWindow *window, tacTable *table, tacError *err) {
    Jobs *jobs = tacAllocZero(1, sizeof *jobs);
    uint64_t count;
    if (!jobs) return tacFailMemory(err);
    jobs->model = model;
    if (!chooseJobs(model, window, jobs, &count)) {
	freeJobs(jobs);
	return tacFailMemory(err);
    }
    *table = (tacTable) {
	.title = "jobs", .columns = jobColumns, .nColumns = JOB_COLUMNS, .nRows = count, .digits = model->store->digits,
	.cell = jobCell, .data = jobs, .release = freeJobs
    };
    return TAC_OK;
}

const tacStatsPart tacJobStats = {jobColumns, JOB_COLUMNS, makeJobs};
