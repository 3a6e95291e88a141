/*
 * statsTask.c -- the table of tasks: distributions over their jobs, and how much of the window they run.
 *
 * A task's jobs stand in order of release, so those of the window are found by halving and gone through once; each
 * measure gathers its values into a scratch array of its own, of which only the percentiles are put in their places. So
 * a table costs what lies in the window: statistics that follow a dragged selection need that.
 */
#include "base/port.h"

#include <math.h>
#include <stdlib.h>

#include "model/query.h"
#include "model/statsPart.h"

typedef struct Summary {        /* of one measure; unknown when no job has it */
    int64_t least, most;
    int64_t p50, p95, p99;      /* percentiles by nearest rank */
    double mean;                /* time units */
} Summary;

typedef enum Measure { RESPONSE, EXECUTION, LATENCY, JITTER, MEASURES } Measure;

typedef struct TaskRow {
    const char *task, *name;
    int64_t priority, releases, completions;
    Summary measures[MEASURES];
    int64_t preemptions, migrations, misses;
    double utilization;
} TaskRow;

#define SUMMARY(word, measure, what) \
    {word "_min", TAC_COLUMN_TIME, "shortest " what, offsetof(TaskRow, measures[measure].least)}, \
    {word "_mean", TAC_COLUMN_NUMBER, "mean " what, offsetof(TaskRow, measures[measure].mean)}, \
    {word "_max", TAC_COLUMN_TIME, "longest " what, offsetof(TaskRow, measures[measure].most)}, \
    {word "_p50", TAC_COLUMN_TIME, "median " what, offsetof(TaskRow, measures[measure].p50)}, \
    {word "_p95", TAC_COLUMN_TIME, "95th percentile of " what, offsetof(TaskRow, measures[measure].p95)}, \
    {word "_p99", TAC_COLUMN_TIME, "99th percentile of " what, offsetof(TaskRow, measures[measure].p99)}

static const tacColumn taskColumns[] = {
    {"task", TAC_COLUMN_TEXT, "id of the task", offsetof(TaskRow, task)},
    {"name", TAC_COLUMN_TEXT, "its name", offsetof(TaskRow, name)},
    {"priority", TAC_COLUMN_COUNT, "its priority", offsetof(TaskRow, priority)},
    {"releases", TAC_COLUMN_COUNT, "jobs that arrived", offsetof(TaskRow, releases)},
    {"completions", TAC_COLUMN_COUNT, "jobs of the window that completed", offsetof(TaskRow, completions)},
    SUMMARY("response", RESPONSE, "response time (completion - release) of completed jobs"),
    SUMMARY("execution", EXECUTION, "execution time of completed jobs"),
    SUMMARY("latency", LATENCY, "start latency (start - release)"),
    SUMMARY("jitter", JITTER, "distance of a release from the task's period -T, counted from its first release"),
    {"preemptions", TAC_COLUMN_COUNT, "preemptions of all its jobs", offsetof(TaskRow, preemptions)},
    {"migrations", TAC_COLUMN_COUNT, "migrations of all its jobs", offsetof(TaskRow, migrations)},
    {"misses", TAC_COLUMN_COUNT, "jobs that missed their deadline", offsetof(TaskRow, misses)},
    {"utilization", TAC_COLUMN_NUMBER, "time running in the window / length of the window", offsetof(TaskRow, utilization)}
};
enum { TASK_COLUMNS = sizeof taskColumns / sizeof *taskColumns };

/* ---- one value of a job ----------------------------------------------------------------------------------------- */

/* Distance of a release from the nearest multiple of the period after the first release. */
static int64_t jitter(int64_t release, int64_t first, int64_t period) {
    if (release == TAC_UNKNOWN || first == TAC_UNKNOWN || period == TAC_UNKNOWN || period <= 0) return TAC_UNKNOWN;
    int64_t after = tacElapsed(first, release) % period;        /* releases ascend */
    return after <= period - after ? after : period - after;
}

static int64_t measureOf(const tacJob *job, Measure measure, int64_t first, int64_t period) {
    switch (measure) {
    case RESPONSE: return tacDifference(job->completion, job->release);
    case EXECUTION: return job->completion == TAC_UNKNOWN ? TAC_UNKNOWN : job->execution;
    case LATENCY: return tacDifference(job->start, job->release);
    default: return jitter(job->release, first, period);
    }
}

/* ---- many values ------------------------------------------------------------------------------------------------ */

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *) left, b = *(const int64_t *) right;
    return (a > b) - (a < b);
}

static void swap(int64_t *a, int64_t *b) {
    int64_t value = *a;
    *a = *b;
    *b = value;
}

/* The middle one of the first, middle and last value, which is brought to the first place. */
static int64_t pivot(int64_t *values, size_t n) {
    int64_t *first = &values[0], *middle = &values[n / 2], *last = &values[n - 1];
    if (*middle < *first) swap(middle, first);
    if (*last < *middle) swap(last, middle);
    if (*middle < *first) swap(middle, first);
    return *middle;
}

/* Brings the value of place k of the ascending order there: all before it are not larger, all after it not smaller. Not when stopped. */
static void place(const tacStatsWindow *window, int64_t *values, size_t n, size_t k) {
    int patience = 64;		/* halvings of 2^32 values, twice; unlucky (or malicious) orders are sorted then */
    while (n > 16 && patience-- > 0 && (n < TAC_PROGRESS_STEPS || tacStatsAt(window, 0))) {
	int64_t middle = pivot(values, n);
	size_t i = 0, j = n - 1;
	for (;; i++, j--) {
	    while (values[i] < middle) i++;
	    while (values[j] > middle) j--;
	    if (i >= j) break;
	    swap(&values[i], &values[j]);
	}
	/* [0, j] are not larger, [j + 1, n) not smaller; neither is everything */
	if (k <= j) {
	    n = j + 1;
	} else {
	    values += j + 1;
	    n -= j + 1;
	    k -= j + 1;
	}
    }
    if (!tacProgressStopped(window->progress)) qsort(values, n, sizeof *values, ascending);
}

/* Nearest rank: place ceil(n * percent / 100), counted from 1. The places before `from` are filled already. */
static int64_t percentile(const tacStatsWindow *window, int64_t *values, size_t n, unsigned percent, size_t *from) {
    size_t k = (n * percent + 99) / 100 - 1;
    if (k >= *from) place(window, values + *from, n - *from, k - *from);
    *from = k + 1;
    return values[k];
}

static Summary summarize(const tacStatsWindow *window, int64_t *values, size_t n, int digits) {
    Summary summary = {TAC_UNKNOWN, TAC_UNKNOWN, TAC_UNKNOWN, TAC_UNKNOWN, TAC_UNKNOWN, NAN};
    if (!n) return summary;
    long double sum = 0;        /* exact up to 2^63 where long double has 64 bits of mantissa */
    int64_t least = values[0], most = values[0];
    for (size_t i = 0; i < n; i++) {
	sum += (long double) values[i];
	if (values[i] < least) least = values[i];
	if (values[i] > most) most = values[i];
    }
    size_t from = 0;
    summary = (Summary) {.least = least, .most = most, .mean = tacTicksNumber(sum / (long double) n, digits)};
    summary.p50 = percentile(window, values, n, 50, &from);
    summary.p95 = percentile(window, values, n, 95, &from);
    summary.p99 = percentile(window, values, n, 99, &from);
    return summary;
}

/* ---- tasks ------------------------------------------------------------------------------------------------------ */

static int64_t firstRelease(const tacModel *model, uint32_t task) {
    for (uint32_t i = model->tasks[task].firstJob; i != TAC_NONE; i = model->jobs.at[i].next)
	if (model->jobs.at[i].release != TAC_UNKNOWN) return model->jobs.at[i].release;
    return TAC_UNKNOWN;
}

/* How many of the task's jobs come before a time (`after`: or at it), in their order. */
static uint32_t jobsBefore(const tacModel *model, uint32_t task, int64_t time, bool after) {
    uint32_t low = 0, high = model->tasks[task].nJobs;
    while (low < high) {
	uint32_t middle = low + (high - low) / 2;
	const tacJob *job = &model->jobs.at[tacTaskJob(model, task, middle)];
	int64_t begin = job->release != TAC_UNKNOWN ? job->release : tacJobBegin(model, job);
	if (begin < time || (after && begin == time)) low = middle + 1;
	else high = middle;
    }
    return low;
}

typedef struct Range { uint32_t first, count; } Range;	/* of a task's jobs, in order of release */

/* The jobs of the window: released in it, or, without release, first used. */
static Range windowJobs(const tacModel *model, const tacStatsWindow *window, uint32_t task) {
    uint32_t first = jobsBefore(model, task, window->firstRelease, false), end = jobsBefore(model, task, window->lastRelease, true);
    return (Range) {first, end > first ? end - first : 0};
}

static void countJob(const tacJob *job, TaskRow *row) {
    row->releases += job->release != TAC_UNKNOWN;
    row->completions += job->completion != TAC_UNKNOWN;
    row->preemptions += job->preemptions;
    row->migrations += job->migrations;
    row->misses += (job->flags & TAC_JOB_MISSED) != 0;
}

/* values: room for the jobs, once for each measure. False: stop. */
static bool measureJobs(const tacModel *model, const tacStatsWindow *window, uint32_t task, TaskRow *row, int64_t *values) {
    Range jobs = windowJobs(model, window, task);
    int64_t first = firstRelease(model, task), period = model->store->objects[TAC_TASK].at[task].T;
    size_t counts[MEASURES] = {0};
    uint32_t i = jobs.count ? tacTaskJob(model, task, jobs.first) : TAC_NONE;
    for (uint32_t left = jobs.count; left > 0; left--, i = model->jobs.at[i].next) {
	const tacJob *job = &model->jobs.at[i];
	if (!tacStatsAt(window, left)) return false;
	countJob(job, row);
	for (int measure = 0; measure < MEASURES; measure++) {
	    int64_t value = measureOf(job, (Measure) measure, first, period);
	    if (value != TAC_UNKNOWN) values[(size_t) measure * jobs.count + counts[measure]++] = value;
	}
    }
    for (int measure = 0; measure < MEASURES; measure++)
	row->measures[measure] = summarize(window, values + (size_t) measure * jobs.count, counts[measure], model->store->digits);
    return !tacProgressStopped(window->progress);
}

static bool utilization(const tacModel *model, const tacStatsWindow *window, uint32_t task, double *share) {
    int64_t running = 0;
    for (size_t i = tacQuerySlice(model, task, 0, window->from); i < model->tasks[task].slices.count; i++) {
	const tacSlice *slice = &model->tasks[task].slices.at[i];
	if (slice->begin > window->to) break;
	if (!tacStatsAt(window, i)) return false;
	if (slice->state == TAC_STATE_RUNNING || slice->state == TAC_STATE_BETWEEN)
	    running = tacLengths(running, tacStatsWindowCut(window, slice->begin, slice->end));
    }
    *share = tacStatsWindowShare(window, running);
    return true;
}

static uint32_t mostJobs(const tacModel *model, const tacStatsWindow *window) {
    uint32_t most = 0;
    for (uint32_t task = 0; task < tacStoreObjects(model->store, TAC_TASK); task++) {
	uint32_t count = windowJobs(model, window, task).count;
	if (most < count) most = count;
    }
    return most;
}

static bool makeRow(const tacModel *model, const tacStatsWindow *window, uint32_t task, TaskRow *row, int64_t *values) {
    row->task = tacObjectId(model->store, TAC_TASK, task);
    row->name = tacObjectName(model->store, TAC_TASK, task);
    row->priority = model->store->objects[TAC_TASK].at[task].priority;
    return measureJobs(model, window, task, row, values) && utilization(model, window, task, &row->utilization);
}

static tacStatus makeTasks(const tacModel *model, const tacStatsWindow *window, tacTable *table, tacError *err) {
    const tacStore *store = model->store;
    int64_t *values = tacAlloc(((size_t) mostJobs(model, window) * MEASURES + 1) * sizeof *values);
    if (!values) return tacFailMemory(err);
    tacStatus status = tacTableRecords(table, "tasks", taskColumns, TASK_COLUMNS, sizeof(TaskRow),
	tacStoreObjects(store, TAC_TASK), store->digits, err);
    uint64_t rows = 0;
    bool done = true;
    for (uint32_t task = 0; status == TAC_OK && done && task < table->nRows; task++) {
	done = tacStatsRow(window, task);
	if (done && tacIsDefined(store, TAC_TASK, task)) done = makeRow(model, window, task, tacTableRecord(table, rows++), values);
    }
    tacFree(values);
    return status == TAC_OK ? tacStatsEnd(window, table, rows, done, err) : status;
}

const tacStatsPart tacTaskStats = {taskColumns, TASK_COLUMNS, makeTasks};
