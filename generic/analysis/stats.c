/*
 * stats.c -- the tables of statistics by name, their window, and the table of jobs.
 *
 * Jobs are not copied: a row is a job of the model. Those of a window are neighbours, since jobs are in order of
 * release. The other tables have a row for each task, server ... only (statsTask.c, statsServer.c, statsProcessor.c,
 * statsResource.c). Those that take long to measure are measured at once and held as records, so records take few bytes
 * an event however many tasks there are; others are measured when their cells are asked for.
 */
#include "base/port.h"

#include "analysis/statsPart.h"
#include "base/search.h"
#include "model/jobTimes.h"

#include <math.h>
#include <string.h>

const char *const tacStatsNames[TAC_STATS_KINDS + 1] = {
    "jobs", "tasks", "servers", "mutexes", "processors", "buffers", NULL};

/* Tables with a row for each object. Jobs have a table of their own. */
static const tacStatsPart *const parts[TAC_STATS_KINDS] = {[TAC_STATS_TASKS] = &tacTaskStats,
    [TAC_STATS_SERVERS] = &tacServerStats,
    [TAC_STATS_MUTEXES] = &tacMutexStats,
    [TAC_STATS_PROCESSORS] = &tacProcessorStats,
    [TAC_STATS_BUFFERS] = &tacBufferStats};

static tacStatus makeJobs(const tacModel *model, const tacStatsWindow *window, tacTable *table, tacError *err);

/* ---- objects ---------------------------------------------------------------------------------------------------- */

typedef struct Objects {
    const tacModel *model;
    const tacStatsPart *part;
    tacStatsWindow window;
    uint32_t *index;         /* by row: its object */
    uint32_t *kept;          /* by row: its record; TAC_NONE: it is measured whenever it is asked for */
    TAC_ARRAY(char) records; /* those that are kept */
    char *last;              /* the record that was measured last */
    uint64_t lastRow;        /* UINT64_MAX: none was */
    bool failed;             /* no memory to measure a row */
} Objects;

/* Measures an object into a record. False: no memory, or stopped. */
static bool measureObject(const Objects *all, uint32_t i, void *record) {
    const tacStore *store = all->model->store;
    tacKind kind = all->part->kind;
    memset(record, 0, all->part->rowSize);
    *(tacStatsObject *) record = kind == TAC_PROCESSOR
        ? (tacStatsObject){tacProcessorId(all->model, i), tacProcessorName(all->model, i)}
        : (tacStatsObject){tacObjectId(store, kind, i), tacObjectName(store, kind, i)};
    return all->part->measure(all->model, &all->window, i, record);
}

static void objectCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    Objects *all = table->data;
    const char *record = all->last;
    if (all->kept[row] != TAC_NONE) record = all->records.at + all->kept[row] * all->part->rowSize;
    else if (all->lastRow != row) {
        all->lastRow = row;
        if (!measureObject(all, all->index[row], all->last)) all->failed = true;
    }
    tacTableRecordCell(&table->columns[column], record, cell);
}

static void freeObjects(void *data) {
    Objects *all = data;
    tacFree(all->index);
    tacFree(all->kept);
    tacArrayFree(&all->records);
    tacFree(all->last);
    tacFree(all);
}

/* Adds a row for an object, and measures it now unless that is done quickly whenever it is asked for. */
static bool addObject(Objects *all, uint64_t row, uint32_t i) {
    size_t size = all->part->rowSize, at = all->records.count;
    all->index[row] = i;
    all->kept[row] = TAC_NONE;
    if (all->part->isQuick && all->part->isQuick(all->model, i)) return true;
    if (!tacArrayReserve(&all->records, size)) return false;
    all->records.count += size;
    all->kept[row] = (uint32_t) (at / size);
    return measureObject(all, i, all->records.at + at);
}

/* Makes a table with a row for each object of a kind. Ids that were only mentioned (an error of the trace) have none.
 */
static tacStatus makeObjects(
    const tacModel *model, tacStatsOf of, const tacStatsWindow *window, tacTable *table, tacError *err) {
    const tacStatsPart *part = parts[of];
    const tacStore *store = model->store;
    uint32_t stored = tacStoreObjects(store, part->kind), n = part->kind == TAC_PROCESSOR ? model->nProcessors : stored;
    Objects *all = tacAllocZero(1, sizeof *all);
    if (window->progress) window->progress->total = n;
    if (!all) return tacFailMemory(err);
    *all = (Objects){.model = model, .part = part, .window = *window, .lastRow = UINT64_MAX};
    all->index = tacAlloc(((size_t) n + 1) * sizeof *all->index);
    all->kept = tacAlloc(((size_t) n + 1) * sizeof *all->kept);
    all->last = tacAllocZero(1, part->rowSize);
    *table = (tacTable){.title = tacStatsNames[of],
        .columns = part->columns,
        .nColumns = part->nColumns,
        .digits = store->digits,
        .trait = part->trait,
        .cell = objectCell,
        .data = all,
        .release = freeObjects,
        .failed = &all->failed};
    bool fine = all->index && all->kept && all->last;
    for (uint32_t i = 0; fine && i < n; i++) {
        if (i < stored && !store->objects[part->kind].at[i].line) continue; /* not stored: the default processor */
        fine = tacProgressAt(window->progress, i) && addObject(all, table->nRows++, i);
    }
    all->window.progress = NULL; /* it is the caller's */
    if (fine) return TAC_OK;
    tacTableFree(table);
    return tacFailStopped(err, window->progress);
}

tacStatus tacStats(const tacModel *model, tacStatsOf of, int64_t from, int64_t to, tacProgress *progress,
    tacTable *table, tacError *err) {
    tacStatsWindow window = {.from = from == TAC_UNKNOWN ? model->begin : from,
        .to = to == TAC_UNKNOWN ? model->end : to,
        .whole = from == TAC_UNKNOWN && to == TAC_UNKNOWN,
        .firstRelease = from == TAC_UNKNOWN ? INT64_MIN : from,
        .lastRelease = to == TAC_UNKNOWN ? INT64_MAX : to,
        .progress = progress};
    *table = (tacTable){.nRows = 0};
    if (from != TAC_UNKNOWN && to != TAC_UNKNOWN && from > to)
        return tacFail(err, "USAGE WINDOW", "the window ends before it begins");
    if (window.to < window.from) window.to = window.from; /* wholly before or after the recording */
    return of == TAC_STATS_JOBS ? makeJobs(model, &window, table, err) : makeObjects(model, of, &window, table, err);
}

/* ---- the window ------------------------------------------------------------------------------------------------- */

double tacStatsWindowShare(const tacStatsWindow *window, long double part) {
    int64_t length = tacElapsed(window->from, window->to);
    return length > 0 ? (double) (part / (long double) length) : NAN;
}

double tacTicksNumber(long double ticks, int digits) { return (double) (ticks / powl(10, digits)); }

/* ---- jobs ------------------------------------------------------------------------------------------------------- */

enum {
    JOB,
    TASK,
    TASK_NAME,
    PROCESSOR,
    RELEASE,
    START,
    COMPLETION,
    RESPONSE,
    EXECUTION,
    PREEMPTED,
    BLOCKED,
    PREEMPTIONS,
    MIGRATIONS,
    DEADLINE,
    LATENESS,
    LATENCY,
    INTERARRIVAL,
    WAKEUP,
    UNKNOWN,
    STOLEN,
    NET_EXECUTION,
    JOB_COLUMNS
};

static const tacColumn jobColumns[JOB_COLUMNS] = {
    [JOB] = {"job", TAC_COLUMN_TEXT, "id of the job", 0},
    [TASK] = {"task", TAC_COLUMN_TEXT, "id of its task", 0},
    [TASK_NAME] = {"task_name", TAC_COLUMN_TEXT, "name of its task", 0},
    [PROCESSOR] = {"processor", TAC_COLUMN_TEXT, "where it ran last, or was to run", 0},
    [RELEASE] = {"release", TAC_COLUMN_TIME, "when it arrived; empty for a job that is used without arrival", 0},
    [START] = {"start", TAC_COLUMN_TIME, "when it ran first", 0},
    [COMPLETION] = {"completion", TAC_COLUMN_TIME, "when it completed", 0},
    [RESPONSE] = {"response", TAC_COLUMN_TIME, "completion - release", 0},
    [EXECUTION] = {"execution", TAC_COLUMN_TIME,
        "time running, up to completion or the end of the recording; empty where something is unknown", 0},
    [PREEMPTED] = {"preempted", TAC_COLUMN_TIME,
        "time ready, not running, after the first start; empty where something is unknown", 0},
    [BLOCKED] = {"blocked", TAC_COLUMN_TIME, "time waiting for a resource; empty where something is unknown", 0},
    [PREEMPTIONS] = {"preemptions", TAC_COLUMN_COUNT, "times it was preempted while running", 0},
    [MIGRATIONS] = {"migrations", TAC_COLUMN_COUNT, "times it went on to run on another processor than it ran on last",
        0},
    [DEADLINE] = {"deadline", TAC_COLUMN_TIME, "absolute deadline: the last jobDeadline, else release + the task's -D",
        0},
    [LATENESS] = {"lateness", TAC_COLUMN_TIME, "completion - deadline; negative when early", 0},
    [LATENCY] = {"latency", TAC_COLUMN_TIME, "start - release", 0},
    [INTERARRIVAL] = {"interarrival", TAC_COLUMN_TIME,
        "release - release of the job before, of the same task; empty where that one has none", 0},
    [WAKEUP] = {"wakeup", TAC_COLUMN_TIME, "wake-up: time from the release to jobReady; empty without such an event",
        0},
    [UNKNOWN] = {"unknown", TAC_COLUMN_TIME, "time in an unknown state", 0},
    [STOLEN] = {"stolen", TAC_COLUMN_TIME,
        "time while it ran in which interrupts and softirqs were handled on its processor, nested ones once (part of "
        "execution)",
        0},
    [NET_EXECUTION] = {"net_execution", TAC_COLUMN_TIME,
        "execution - stolen: without the interrupts and softirqs that ran on top; empty where something is unknown", 0},
};

typedef struct Jobs {
    const tacModel *model;
    uint32_t first;   /* the window's first job; the others follow */
    uint32_t *blocks; /* by task: the block in which jobBefore found a job last */
    uint32_t far;     /* how often that was neither the block before nor the next one */
    uint32_t *before; /* by job: the one before it in its task, TAC_NONE: none. NULL until far is MOST_FAR */
} Jobs;

enum { MOST_FAR = 256 };

/* Notes for each job the one before it, if there is memory for that. */
static void noteBefore(Jobs *jobs) {
    const tacModel *model = jobs->model;
    jobs->before = tacAlloc((model->jobs.count + 1) * sizeof *jobs->before);
    for (size_t i = 0; jobs->before && i < model->jobs.count; i++) jobs->before[i] = TAC_NONE;
    for (size_t i = 0; jobs->before && i < model->jobs.count; i++)
        if (model->jobs.at[i].next != TAC_NONE) jobs->before[model->jobs.at[i].next] = (uint32_t) i;
}

/* The job before in the same task; TAC_NONE: there is none. The block of jobs (tacTaskModel.jobMarks) is searched from
 * the one that was found last, since jobs are mostly asked for one after the other; who asks in another order, as for
 * sorted rows, gets notes. */
static uint32_t jobBefore(Jobs *jobs, uint32_t index) {
    if (jobs->before) return jobs->before[index];
    const tacJob *all = jobs->model->jobs.at;
    const tacTaskModel *task = &jobs->model->tasks[all[index].task];
    const uint32_t *marks = task->jobMarks.at;
    uint32_t *block = &jobs->blocks[all[index].task], last = *block, from = marks[last] < index ? last : 0;
    *block = tacPastNear(uint32_t, from + 1, task->jobMarks.count, i, marks[i] < index) - 1;
    if ((*block > last + 1 || *block + 1 < last) && ++jobs->far == MOST_FAR) noteBefore(jobs);
    uint32_t before = marks[*block];
    if (before >= index) return TAC_NONE;
    while (all[before].next != index) before = all[before].next;
    return before;
}

/* Release of the job before in the same task; TAC_UNKNOWN: none. */
static int64_t releaseBefore(Jobs *jobs, uint32_t index) {
    uint32_t before = jobBefore(jobs, index);
    return before == TAC_NONE ? TAC_UNKNOWN : jobs->model->jobs.at[before].release;
}

/* The time of a job in a column of times. */
static int64_t jobTime(Jobs *jobs, uint32_t index, int column) {
    const tacModel *model = jobs->model;
    const tacJob *job = &model->jobs.at[index];
    bool known = !(job->flags & TAC_JOB_UNKNOWN);
    switch (column) {
    case RELEASE: return job->release;
    case START: return job->start;
    case COMPLETION: return job->completion;
    case RESPONSE: return tacDifference(job->completion, job->release);
    case EXECUTION: return known ? job->execution : TAC_UNKNOWN;
    case PREEMPTED: return known ? job->preempted : TAC_UNKNOWN;
    case BLOCKED: return known ? job->blocked : TAC_UNKNOWN;
    case DEADLINE: return job->deadline;
    case LATENESS: return tacDifference(job->completion, job->deadline);
    case LATENCY: return tacDifference(job->start, job->release);
    case INTERARRIVAL: return tacDifference(job->release, releaseBefore(jobs, index));
    case WAKEUP: return tacJobWakeup(model, index);
    case UNKNOWN: return tacJobUnknown(model, index);
    case NET_EXECUTION: return tacJobNetExecution(model, index);
    default: return tacJobStolen(model, index);
    }
}

static void jobCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    Jobs *jobs = table->data;
    const tacModel *model = jobs->model;
    const tacJob *job = &model->jobs.at[jobs->first + row];
    switch (column) {
    case JOB: tacCellString(cell, tacObjectId(model->store, TAC_JOB, job->id)); break;
    case TASK: tacCellString(cell, tacObjectId(model->store, TAC_TASK, job->task)); break;
    case TASK_NAME: tacCellString(cell, tacObjectName(model->store, TAC_TASK, job->task)); break;
    case PROCESSOR:
        if (job->processor != TAC_NO_PROCESSOR) tacCellString(cell, tacProcessorId(model, job->processor));
        break;
    case PREEMPTIONS: tacCellCount(cell, job->preemptions); break;
    case MIGRATIONS: tacCellCount(cell, job->migrations); break;
    default: tacCellTime(cell, jobTime(jobs, (uint32_t) (jobs->first + row), column)); break;
    }
}

static bool jobGroup(const tacTable *table, uint64_t row, int column, uint64_t *number) {
    const Jobs *jobs = table->data;
    const tacJob *job = &jobs->model->jobs.at[jobs->first + row];
    switch (column) {
    case JOB: return *number = job->id, true;
    case TASK:
    case TASK_NAME: return *number = job->task, true;
    case PROCESSOR: return *number = job->processor, true;
    default: return false;
    }
}

static uint64_t jobId(const tacTable *table, uint64_t row) {
    const Jobs *jobs = table->data;
    return jobs->first + row;
}

static int64_t jobBegin(const tacTable *table, uint64_t row) {
    const Jobs *jobs = table->data;
    return tacStatsRelease(jobs->model, &jobs->model->jobs.at[jobs->first + row]);
}

/* Number of jobs released before `time`, or at it (`included`). */
static uint32_t countReleased(const tacModel *model, int64_t time, bool included) {
    const tacJob *jobs = model->jobs.at;
    return tacPast(uint32_t, 0, model->jobs.count, i,
        included ? tacStatsRelease(model, &jobs[i]) <= time : tacStatsRelease(model, &jobs[i]) < time);
}

static void freeJobs(void *data) {
    Jobs *jobs = data;
    tacFree(jobs->blocks);
    tacFree(jobs->before);
    tacFree(jobs);
}

static tacStatus makeJobs(const tacModel *model, const tacStatsWindow *window, tacTable *table, tacError *err) {
    static const tacTableOrder order = {.column = RELEASE, .endColumn = -1, .time = jobBegin};
    Jobs *jobs = tacAllocZero(1, sizeof *jobs);
    if (!jobs) return tacFailMemory(err);
    if (window->progress) window->progress->total = model->jobs.count;
    jobs->blocks = tacAllocZero(tacStoreObjects(model->store, TAC_TASK), sizeof *jobs->blocks);
    if (!jobs->blocks) return tacFree(jobs), tacFailMemory(err);
    jobs->model = model;
    jobs->first = window->whole ? 0 : countReleased(model, window->firstRelease, false);
    uint32_t end = window->whole ? (uint32_t) model->jobs.count : countReleased(model, window->lastRelease, true);
    *table = (tacTable){.title = "jobs",
        .columns = jobColumns,
        .nColumns = JOB_COLUMNS,
        .nRows = end > jobs->first ? end - jobs->first : 0,
        .digits = model->store->digits,
        .cell = jobCell,
        .data = jobs,
        .release = freeJobs,
        .group = jobGroup,
        .id = jobId,
        .order = &order};
    return TAC_OK;
}

const tacColumn *tacStatsColumns(tacStatsOf of, int *nColumns) {
    *nColumns = of == TAC_STATS_JOBS ? JOB_COLUMNS : parts[of]->nColumns;
    return of == TAC_STATS_JOBS ? jobColumns : parts[of]->columns;
}
