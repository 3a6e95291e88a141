/*
 * statsTask.c -- the table of tasks: distributions over their jobs, and how much of the window they run.
 *
 * A task's jobs are in order of release, so those of the window are found by halving and walked through once. Each
 * measure gathers its values in an array, of which only the parts with percentiles are sorted. So a table costs what
 * lies in the window, as statistics that follow a dragged selection need it.
 *
 * A job with an unknown stretch (jobUnknown) has no execution and no blocked time. Columns of their own tell how many
 * such jobs there are, and for how long.
 */
#include "base/port.h"

#include "analysis/measure.h"
#include "analysis/statsPart.h"
#include "base/search.h"
#include "model/jobTimes.h"
#include "model/query.h"
#include "trace/scheduling.h"

#include <math.h>
#include <stdlib.h>

typedef struct Summary { /* of one measure; unknown when no job has it */
    int64_t least, most;
    int64_t p50, p95, p99; /* percentiles by nearest rank */
    double mean;           /* time units */
} Summary;

enum { MEASURES = TAC_TASK_MEASURE_NET_EXECUTION + 1 };

typedef struct TaskRow {
    tacStatsObject object;
    int64_t priority, releases, completions;
    Summary measures[MEASURES]; /* the first of tacTaskMeasure, up to net execution */
    int64_t preemptions, migrations, misses;
    double utilization;
    int64_t stolen, unknown, unknownJobs;
    const char *scheduler, *cpus;
    int64_t activeJobs;
    int64_t running, waiting, preempted, blocked; /* cut to the window */
} TaskRow;

#define SUMMARY(word, measure, what)                                                                            \
    {word "_min", TAC_COLUMN_TIME, "shortest " what, offsetof(TaskRow, measures[measure].least)},               \
        {word "_mean", TAC_COLUMN_NUMBER, "mean " what, offsetof(TaskRow, measures[measure].mean)},             \
        {word "_max", TAC_COLUMN_TIME, "longest " what, offsetof(TaskRow, measures[measure].most)},             \
        {word "_p50", TAC_COLUMN_TIME, "median " what, offsetof(TaskRow, measures[measure].p50)},               \
        {word "_p95", TAC_COLUMN_TIME, "95th percentile of " what, offsetof(TaskRow, measures[measure].p95)}, { \
        word "_p99", TAC_COLUMN_TIME, "99th percentile of " what, offsetof(TaskRow, measures[measure].p99)      \
    }

static const tacColumn taskColumns[] = {
    {"task", TAC_COLUMN_TEXT, "id of the task", offsetof(TaskRow, object.id)},
    {"name", TAC_COLUMN_TEXT, "its name", offsetof(TaskRow, object.name)},
    {"priority", TAC_COLUMN_COUNT, "its priority", offsetof(TaskRow, priority)},
    {"releases", TAC_COLUMN_COUNT, "jobs that arrived", offsetof(TaskRow, releases)},
    {"completions", TAC_COLUMN_COUNT, "jobs of the window that completed", offsetof(TaskRow, completions)},
    SUMMARY("response", TAC_TASK_MEASURE_RESPONSE, "response time (completion - release) of completed jobs"),
    SUMMARY("execution", TAC_TASK_MEASURE_EXECUTION, "execution time of completed jobs"),
    SUMMARY("latency", TAC_TASK_MEASURE_LATENCY, "start latency (start - release)"),
    SUMMARY("jitter", TAC_TASK_MEASURE_JITTER,
        "distance of a release from the task's period -T, counted from its first release"),
    {"preemptions", TAC_COLUMN_COUNT, "preemptions of all its jobs", offsetof(TaskRow, preemptions)},
    {"migrations", TAC_COLUMN_COUNT, "migrations of all its jobs", offsetof(TaskRow, migrations)},
    {"misses", TAC_COLUMN_COUNT, "jobs that missed their deadline", offsetof(TaskRow, misses)},
    {"utilization", TAC_COLUMN_NUMBER, "time running in the window / length of the window; unknown time may add to it",
        offsetof(TaskRow, utilization)},
    SUMMARY("blocked", TAC_TASK_MEASURE_BLOCKED, "blocked time of completed jobs"),
    SUMMARY("interarrival", TAC_TASK_MEASURE_INTERARRIVAL, "time from the release of the job before to a release"),
    SUMMARY("wakeup", TAC_TASK_MEASURE_WAKEUP, "wake-up time (release to jobReady)"),
    {"stolen", TAC_COLUMN_TIME,
        "time of all its jobs, while they ran, in which interrupts and softirqs were handled on their processor",
        offsetof(TaskRow, stolen)},
    {"unknown", TAC_COLUMN_TIME, "time of its jobs in the window in an unknown state", offsetof(TaskRow, unknown)},
    {"unknown_jobs", TAC_COLUMN_COUNT, "jobs with time in an unknown state: they are not in execution and blocked",
        offsetof(TaskRow, unknownJobs)},
    SUMMARY("net_execution", TAC_TASK_MEASURE_NET_EXECUTION,
        "net execution time (without interrupts on top) of completed jobs"),
    {"scheduler", TAC_COLUMN_TEXT, "its -scheduler", offsetof(TaskRow, scheduler)},
    {"cpus", TAC_COLUMN_TEXT, "its -cpus", offsetof(TaskRow, cpus)},
    {"active_jobs", TAC_COLUMN_COUNT, "jobs that were under way in the window, also those released before it",
        offsetof(TaskRow, activeJobs)},
    {"time_running", TAC_COLUMN_TIME, "time that its jobs ran in the window", offsetof(TaskRow, running)},
    {"time_waiting", TAC_COLUMN_TIME, "time of its jobs in the window from release to start",
        offsetof(TaskRow, waiting)},
    {"time_preempted", TAC_COLUMN_TIME, "time of its jobs in the window preempted", offsetof(TaskRow, preempted)},
    {"time_blocked", TAC_COLUMN_TIME, "time of its jobs in the window blocked", offsetof(TaskRow, blocked)},
};
enum { TASK_COLUMNS = sizeof taskColumns / sizeof *taskColumns };

/* Means are numbers in the unit of the times. */
static tacColumnTrait taskTrait(const tacTable *table, int column) {
    tacColumnTrait trait = {NULL, NULL};
    for (int measure = 0; measure < MEASURES; measure++)
        if (table->columns[column].offset == offsetof(TaskRow, measures[0].mean) + (size_t) measure * sizeof(Summary))
            trait.unit = tacUnitOfTimes;
    return trait;
}

/* ---- many values ------------------------------------------------------------------------------------------------ */

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *) left, b = *(const int64_t *) right;
    return (a > b) - (a < b);
}

enum { FEW = 256, BUCKETS = 1024 }; /* values that are simply sorted; parts that more are put into */

/* Number of the bucket that a value is in, counted from that of `least`; each is 2^shift wide. */
static inline size_t bucketOf(int64_t value, int64_t least, int shift) {
    return (size_t) (((uint64_t) value - (uint64_t) least) >> shift);
}

/* Brings the values of a bucket to the front, and returns how many there are. */
static size_t gather(const tacStatsWindow *window, int64_t *values, size_t n, int64_t least, int shift, size_t bucket) {
    size_t count = 0;
    for (size_t i = 0; i < n && tacStatsAt(window, i); i++) {
        int64_t value = values[i];
        if (TAC_LIKELY(bucketOf(value, least, shift) != bucket)) continue;
        values[i] = values[count];
        values[count++] = value;
    }
    return count;
}

/*
 * Picks the values at some ascending places of the ascending order. Counts how many values are in each bucket of their
 * range, then goes on in the buckets that have these places; each step makes the range BUCKETS times smaller. The
 * values change their places. Nothing is picked when stopped.
 */
static void pick(const tacStatsWindow *window, int64_t *values, size_t n, int64_t least, int64_t most,
    const size_t *places, int nPlaces, int64_t *picked) {
    uint32_t counts[BUCKETS] = {0};
    int shift = 0;
    while (((uint64_t) most - (uint64_t) least) >> shift >= BUCKETS) shift++;
    if (n <= FEW || least == most) {
        if (least != most) qsort(values, n, sizeof *values, ascending);
        for (int i = 0; i < nPlaces; i++) picked[i] = values[places[i]];
        return;
    }
    for (size_t i = 0; i < n && tacStatsAt(window, i); i++) counts[bucketOf(values[i], least, shift)]++;
    size_t before = 0, bucket = 0;
    for (int i = 0; i < nPlaces && !tacProgressStopped(window->progress);) {
        size_t inside[3];
        int nInside = 0;
        for (; before + counts[bucket] <= places[i]; bucket++) before += counts[bucket];
        for (; i + nInside < nPlaces && places[i + nInside] < before + counts[bucket]; nInside++)
            inside[nInside] = places[i + nInside] - before;
        size_t count = gather(window, values, n, least, shift, bucket);
        int64_t from = (int64_t) ((uint64_t) least + ((uint64_t) bucket << shift));
        int64_t to = shift ? (int64_t) ((uint64_t) from + (((uint64_t) 1 << shift) - 1)) : from;
        if (count == counts[bucket])
            pick(window, values, count, from, to < most ? to : most, inside, nInside, picked + i);
        i += nInside;
    }
}

/* Nearest rank: place ceil(n * percent / 100), counted from 1. */
static size_t rankOf(size_t n, unsigned percent) { return (n * percent + 99) / 100 - 1; }

static Summary summarize(const tacStatsWindow *window, int64_t *values, size_t n, int digits) {
    Summary summary = {TAC_UNKNOWN, TAC_UNKNOWN, TAC_UNKNOWN, TAC_UNKNOWN, TAC_UNKNOWN, NAN};
    if (!n) return summary;
    long double sum = 0; /* exact up to 2^63 where long double has 64 bits of mantissa */
    int64_t least = values[0], most = values[0];
    for (size_t i = 0; i < n; i++) {
        sum += (long double) values[i];
        if (values[i] < least) least = values[i];
        if (values[i] > most) most = values[i];
    }
    const size_t places[3] = {rankOf(n, 50), rankOf(n, 95), rankOf(n, 99)};
    int64_t picked[3] = {TAC_UNKNOWN, TAC_UNKNOWN, TAC_UNKNOWN};
    pick(window, values, n, least, most, places, 3, picked);
    return (Summary){least, most, picked[0], picked[1], picked[2], tacTicksNumber(sum / (long double) n, digits)};
}

/* ---- tasks ------------------------------------------------------------------------------------------------------ */

/* Time of the kth job of the task that decides whether it is in the window. */
static int64_t releaseOf(const tacModel *model, uint32_t task, uint32_t k) {
    return tacStatsRelease(model, &model->jobs.at[tacTaskJob(model, task, k)]);
}

typedef struct Range { /* of a task's jobs, in order of release */
    uint32_t first, count;
} Range;

/* The jobs of the window: released in it, or, without release, first used. */
static Range windowJobs(const tacModel *model, const tacStatsWindow *window, uint32_t task) {
    uint32_t n = model->tasks[task].nJobs;
    uint32_t first = tacPast(uint32_t, 0, n, i, releaseOf(model, task, i) < window->firstRelease);
    uint32_t end = tacPast(uint32_t, 0, n, i, releaseOf(model, task, i) <= window->lastRelease);
    return (Range){first, end > first ? end - first : 0};
}

/* Adds the time in the window from a job's release to its start. */
static void addWait(const tacModel *model, const tacStatsWindow *window, const tacJob *job, TaskRow *row) {
    if (job->release == TAC_UNKNOWN) return;
    int64_t end = tacJobWaitEnd(model, job);
    row->waiting = tacAddTicks(
        row->waiting, tacStatsWindowCut(window, job->release, end < model->end ? end : model->end));
}

static void countJob(const tacModel *model, const tacStatsWindow *window, uint32_t index, TaskRow *row) {
    const tacJob *job = &model->jobs.at[index];
    addWait(model, window, job, row);
    row->releases += job->release != TAC_UNKNOWN;
    row->completions += job->completion != TAC_UNKNOWN;
    row->preemptions += job->preemptions;
    row->migrations += job->migrations;
    row->misses += (job->flags & TAC_JOB_MISSED) != 0;
    row->unknownJobs += (job->flags & TAC_JOB_UNKNOWN) != 0;
    row->stolen = tacAddTicks(row->stolen, tacJobStolen(model, index));
}

/* Measures the jobs of a task. values: room for the jobs, once for each measure. False: stop. */
static bool measureJobs(
    const tacModel *model, const tacStatsWindow *window, uint32_t task, Range jobs, TaskRow *row, int64_t *values) {
    tacMeasureWalk walk;
    size_t counts[MEASURES] = {0};
    int measures = tacNothingStolen(model) ? TAC_TASK_MEASURE_NET_EXECUTION : MEASURES; /* then it is the execution */
    tacMeasureBegin(&walk, model, task, jobs.first);
    for (uint32_t left = jobs.count; left > 0; left--) {
        if (!tacStatsAt(window, left)) return false;
        countJob(model, window, walk.job, row);
        for (int measure = 0; measure < measures; measure++) {
            int64_t value = tacMeasureOf(model, &walk, (tacTaskMeasure) measure);
            if (value != TAC_UNKNOWN) values[(size_t) measure * jobs.count + counts[measure]++] = value;
        }
        tacMeasureNext(&walk, model);
    }
    for (int measure = 0; measure < measures; measure++)
        row->measures[measure] = summarize(
            window, values + (size_t) measure * jobs.count, counts[measure], model->store->digits);
    if (measures == TAC_TASK_MEASURE_NET_EXECUTION)
        row->measures[TAC_TASK_MEASURE_NET_EXECUTION] = row->measures[TAC_TASK_MEASURE_EXECUTION];
    return !tacProgressStopped(window->progress);
}

/* Counts the jobs that were released before the window and still wait for their start when it begins. False: stop. */
static bool measureWaits(
    const tacModel *model, const tacStatsWindow *window, uint32_t task, uint32_t limit, TaskRow *row) {
    for (uint32_t k = tacQueryWait(model, task, 0, limit, window->from); k < limit;
         k = tacQueryWait(model, task, k + 1, limit, window->from)) {
        const tacJob *job = &model->jobs.at[tacTaskJob(model, task, k)];
        if (!tacStatsAt(window, k)) return false;
        addWait(model, window, job, row);
        row->activeJobs += job->release != TAC_UNKNOWN;
    }
    return true;
}

/* Adds the part of a slice in the window to the time of its state. A job that is blocked or unknown before its start
 * does not wait meanwhile. */
static void addSlice(const tacModel *model, const tacStatsWindow *window, const tacSlice *slice, TaskRow *row) {
    const tacJob *job = &model->jobs.at[slice->job];
    int64_t part = tacStatsWindowCut(window, slice->begin, slice->end);
    bool waits = slice->state != TAC_STATE_RUNNING && slice->state != TAC_STATE_PREEMPTED
        && slice->state != TAC_STATE_BETWEEN && job->release != TAC_UNKNOWN && slice->begin < tacJobWaitEnd(model, job);
    int64_t *time = tacStateRuns(slice->state) ? &row->running
        : slice->state == TAC_STATE_PREEMPTED  ? &row->preempted
        : slice->state == TAC_STATE_BLOCKED    ? &row->blocked
                                               : &row->unknown;
    *time = tacAddTicks(*time, part);
    if (waits) row->waiting -= part;
    row->activeJobs += slice->begin <= window->from && slice->end > window->from && slice->state != TAC_STATE_BETWEEN
        && !waits && tacStatsRelease(model, job) < window->firstRelease;
}

/* Adds up the time in each state in the window, and the jobs that go on when it begins. False: stop. */
static bool measureSlices(const tacModel *model, const tacStatsWindow *window, uint32_t task, TaskRow *row) {
    long double running = 0; /* of several jobs at once, perhaps */
    for (size_t i = tacQuerySlice(model, task, 0, window->from); i < model->tasks[task].slices.count; i++) {
        const tacSlice *slice = &model->tasks[task].slices.at[i];
        if (slice->begin > window->to) break;
        if (!tacStatsAt(window, i)) return false;
        addSlice(model, window, slice, row);
        if (tacStateRuns(slice->state)) running += (long double) tacStatsWindowCut(window, slice->begin, slice->end);
    }
    row->utilization = tacStatsWindowShare(window, running);
    return true;
}

static bool measureTask(const tacModel *model, const tacStatsWindow *window, uint32_t task, void *data) {
    TaskRow *row = data;
    Range jobs = windowJobs(model, window, task);
    int64_t *values = tacAlloc(((size_t) jobs.count * MEASURES + 1) * sizeof *values);
    if (!values) return false;
    row->priority = model->store->objects[TAC_TASK].at[task].priority;
    row->scheduler = tacSchedulerWord(tacSchedulerOf(model->store, TAC_TASK, task));
    row->cpus = tacObjectText(model->store, TAC_TASK, task, TAC_OPT_CPUS);
    row->activeJobs = jobs.count;
    bool fine = measureJobs(model, window, task, jobs, row, values)
        && measureWaits(model, window, task, jobs.first, row) && measureSlices(model, window, task, row);
    tacFree(values);
    return fine;
}

/* Has the task so few jobs and slices that measuring it is quick? A record has the bytes of many of them. */
static bool isQuick(const tacModel *model, uint32_t task) {
    enum { FEW_STEPS = 48 };
    return model->tasks[task].nJobs + model->tasks[task].slices.count <= FEW_STEPS;
}

const tacStatsPart tacTaskStats = {
    taskColumns, TASK_COLUMNS, TAC_TASK, sizeof(TaskRow), taskTrait, measureTask, isQuick};
