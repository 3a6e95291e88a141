/*
 * auditUrgency.c -- policies of tasks, and urgencies of jobs by them.
 *
 * On the scale of urgencies: deadlines are ticks, between -2^62 and 2^62; then edf jobs without a deadline; then fixed
 * priorities, 32 bits around PRIORITY_0; then fair jobs.
 */
#include "base/port.h"

#include "analysis/audit.h"
#include "analysis/auditUrgency.h"
#include "base/search.h"

#include <stdlib.h>

#define NO_DEADLINE TAC_TIME_LIMIT
#define PRIORITY_0 (TAC_TIME_LIMIT + ((int64_t) 1 << 32))
#define FAIR (TAC_TIME_LIMIT + ((int64_t) 1 << 34))

/* ---- policies ---------------------------------------------------------------------------------------------------- */

int64_t tacUrgencyFairFrom(const tacStore *store) {
    const char *text = tacStoreSetting(store, "priority.fair");
    char *end = NULL;
    long long value = text ? strtoll(text, &end, 10) : 0;
    return text && end != text && *end == '\0' ? value : INT64_MAX;
}

tacScheduler tacUrgencyOwn(const tacStore *store, uint32_t task, int64_t fairFrom) {
    tacScheduler scheduler = tacSchedulerOf(store, TAC_TASK, task);
    bool fair = store->objects[TAC_TASK].at[task].priority >= fairFrom;
    return scheduler == TAC_SCHEDULER_NONE && fair ? TAC_SCHEDULER_FAIR : scheduler;
}

/* What the trace states of a task's policy. */
static tacScheduler statedPolicy(const tacStore *store, const tacPlaces *places, uint32_t task, int64_t fairFrom) {
    tacScheduler scheduler = tacUrgencyOwn(store, task, fairFrom);
    uint32_t set = places->ofTask[task], n = set == TAC_NONE ? 0 : tacPlaceSize(places, set);
    for (uint32_t i = 0; scheduler == TAC_SCHEDULER_NONE && i < n; i++)
        scheduler = tacSchedulerOf(store, TAC_PROCESSOR, tacPlaceProcessor(places, set, i));
    return scheduler;
}

/* Is it stated that jobs of the task are not preempted? */
static bool statedNonpreemptive(const tacStore *store, const tacPlaces *places, uint32_t task) {
    int64_t flag;
    uint32_t first = tacPlaceProcessor(places, places->ofTask[task], 0);
    return tacObjectOption(store, TAC_TASK, task, TAC_OPT_NONPREEMPTIVE, &flag)
        || tacObjectOption(store, TAC_PROCESSOR, first, TAC_OPT_NONPREEMPTIVE, &flag);
}

int64_t tacUrgencyFixed(const tacUrgencies *urgencies, uint32_t index) {
    const tacTaskUrgency *task = &urgencies->tasks[index];
    if (task->scheduler == TAC_SCHEDULER_FAIR) return FAIR;
    if (task->scheduler == TAC_SCHEDULER_EDF) return NO_DEADLINE;
    int64_t priority = urgencies->trace->store.objects[TAC_TASK].at[index].priority;
    return PRIORITY_0 + (urgencies->highFirst ? -priority : priority);
}

/* The urgency of a job of a task that has started. */
static int64_t thresholdOf(const tacUrgencies *urgencies, uint32_t task) {
    if (urgencies->thresholds) return urgencies->thresholds[task];
    return urgencies->tasks[task].nonpreemptive ? TAC_URGENCY_ALL : tacUrgencyFixed(urgencies, task);
}

/* Sets the threshold of a task. False: no memory. */
static bool setThreshold(tacUrgencies *urgencies, uint32_t task, int64_t threshold) {
    if (threshold == thresholdOf(urgencies, task)) return true;
    if (!urgencies->thresholds) {
        uint32_t n = tacStoreObjects(&urgencies->trace->store, TAC_TASK);
        int64_t *thresholds = tacAlloc(n * sizeof *thresholds);
        for (uint32_t i = 0; thresholds && i < n; i++) thresholds[i] = thresholdOf(urgencies, i);
        urgencies->thresholds = thresholds;
    }
    if (!urgencies->thresholds) return false;
    urgencies->thresholds[task] = threshold;
    return true;
}

/* The threshold of a task by its definition. Under edf no order of thresholds is known: they excuse. */
static int64_t statedThreshold(const tacUrgencies *urgencies, uint32_t index) {
    const tacTaskUrgency *task = &urgencies->tasks[index];
    int64_t value, threshold = thresholdOf(urgencies, index);
    if (!tacObjectOption(&urgencies->trace->store, TAC_TASK, index, TAC_OPT_THRESHOLD, &value)) return threshold;
    if (task->scheduler == TAC_SCHEDULER_EDF) return TAC_URGENCY_ALL;
    int64_t stated = PRIORITY_0 + (urgencies->highFirst ? -value : value);
    return task->scheduler != TAC_SCHEDULER_FAIR && stated < threshold ? stated : threshold;
}

typedef struct Place { /* a run of a processor; processor TAC_NO_PROCESSOR: none */
    uint32_t processor;
    size_t run;
} Place;

/* The most urgent threshold that allows what ran in a stretch in which a job was preempted: between the priority of the
 * least urgent of them and the next one. TAC_URGENCY_NONE: it is not understood. *last: where an earlier stretch began;
 * becomes that of this one. */
static int64_t thresholdBy(const tacUrgencies *urgencies, const tacSlice *preempted, Place *last) {
    enum { MANY = 64 };
    const tacModel *model = &urgencies->trace->model;
    int64_t threshold = TAC_URGENCY_ALL;
    if (preempted->processor >= model->nProcessors) return TAC_URGENCY_NONE;
    const tacProcessorModel *processor = &model->processors[preempted->processor];
    size_t n = processor->runs.count, from = last->processor == preempted->processor ? last->run : 0;
    size_t first = tacPastNear(size_t, from, n, i, tacRunSlice(model, processor->runs.at[i])->begin < preempted->begin);
    *last = (Place){preempted->processor, first};
    for (size_t i = first; i < n; i++) {
        const tacSlice *slice = tacRunSlice(model, processor->runs.at[i]);
        uint32_t task = processor->runs.at[i].task;
        if (slice->begin >= preempted->end) break;
        if (i - first == MANY) return TAC_URGENCY_NONE;
        if (slice->end <= slice->begin || tacIsInterrupt(model, task)) continue;
        int64_t above = tacUrgencyFixed(urgencies, task) + 1;
        if (above > threshold) threshold = above;
    }
    return threshold;
}

/* The most urgent threshold of a task that allows all its preemptions; its own urgency where one is not understood. */
static int64_t thresholdSeen(const tacUrgencies *urgencies, uint32_t task) {
    const tacTaskModel *model = &urgencies->trace->model.tasks[task];
    int64_t threshold = TAC_URGENCY_ALL, own = tacUrgencyFixed(urgencies, task);
    Place last = {TAC_NO_PROCESSOR, 0};
    for (size_t i = 0; i < model->slices.count && threshold < own; i++) {
        const tacSlice *slice = &model->slices.at[i];
        if (slice->state != TAC_STATE_PREEMPTED || slice->end <= slice->begin) continue;
        int64_t above = thresholdBy(urgencies, slice, &last);
        if (above > threshold) threshold = above;
    }
    return threshold < own ? threshold : own;
}

/* Notes what a task tells of its cluster. */
static void noteCluster(tacClusterPolicy *cluster, const tacTaskUrgency *urgency, int64_t fixed) {
    if (cluster->nTasks++ == 0) {
        cluster->scheduler = urgency->scheduler;
        cluster->first = fixed;
    }
    cluster->mixed |= cluster->scheduler != urgency->scheduler;
    cluster->timed |= urgency->scheduler == TAC_SCHEDULER_EDF && urgency->timed;
    cluster->differs |= cluster->first != fixed || (cluster->timed && (cluster->stated || cluster->nTasks > 1))
        || urgency->scheduler == TAC_SCHEDULER_FIFO;
}

/* Notes the deadline of a job that has it of a taskDeadline. False: no memory. */
static bool takeDeadline(void *data, uint32_t job, int64_t deadline) {
    tacUrgencies *urgencies = data;
    const tacModel *model = &urgencies->trace->model;
    if (!urgencies->deadlines) {
        urgencies->deadlines = tacAlloc(model->jobs.count * sizeof *urgencies->deadlines);
        for (size_t i = 0; urgencies->deadlines && i < model->jobs.count; i++) urgencies->deadlines[i] = TAC_UNKNOWN;
    }
    if (!urgencies->deadlines) return false;
    urgencies->deadlines[job] = deadline;
    urgencies->tasks[model->jobs.at[job].task].timed = true;
    return true;
}

void tacUrgenciesFree(tacUrgencies *urgencies) {
    tacFree(urgencies->tasks);
    tacFree(urgencies->thresholds);
    tacFree(urgencies->deadlines);
    *urgencies = (tacUrgencies){0};
}

bool tacUrgenciesFind(tacUrgencies *urgencies, const tacTrace *trace, const tacPlaces *places,
    const tacSupposed *supposed, tacClusterPolicy *clusters) {
    const tacStore *store = &trace->store;
    uint32_t nTasks = tacStoreObjects(store, TAC_TASK);
    int64_t fairFrom = tacUrgencyFairFrom(store);
    bool fair = false;
    *urgencies = (tacUrgencies){.trace = trace,
        .tasks = tacAllocZero((size_t) nTasks + 1, sizeof *urgencies->tasks),
        .highFirst = supposed->highFirst};
    if (!urgencies->tasks) return false;
    for (size_t i = 0; i < trace->model.jobs.count; i++)
        if (trace->model.jobs.at[i].deadline != TAC_UNKNOWN)
            urgencies->tasks[trace->model.jobs.at[i].task].timed = true;
    for (uint32_t i = 0; i < nTasks; i++)
        if (!tacTaskDeadlines(&trace->model, i, NULL, takeDeadline, urgencies)) return false;
    for (uint32_t i = 0; i < nTasks; i++) {
        tacTaskUrgency *urgency = &urgencies->tasks[i];
        urgency->scheduler = statedPolicy(store, places, i, fairFrom);
        fair |= urgency->scheduler == TAC_SCHEDULER_FAIR && trace->model.tasks[i].nJobs > 0;
        if (places->ofTask[i] != TAC_NONE && urgency->scheduler != TAC_SCHEDULER_NONE)
            clusters[tacPlaceCluster(places, i)].stated = true;
    }
    for (uint32_t i = 0; i < nTasks; i++) {
        tacTaskUrgency *urgency = &urgencies->tasks[i];
        tacClusterPolicy *cluster = places->ofTask[i] != TAC_NONE ? &clusters[tacPlaceCluster(places, i)] : NULL;
        bool supposes = cluster && !cluster->stated;
        if (supposes) urgency->scheduler = supposed->scheduler;
        urgency->nonpreemptive = (supposes && supposed->nonpreemptive)
            || (cluster && statedNonpreemptive(store, places, i));
        if (cluster && urgency->scheduler != TAC_SCHEDULER_NONE && trace->model.tasks[i].nJobs)
            noteCluster(cluster, urgency, tacUrgencyFixed(urgencies, i));
    }
    for (uint32_t i = 0; i < nTasks; i++) {
        bool supposes = supposed->thresholds && places->ofTask[i] != TAC_NONE
            && !clusters[tacPlaceCluster(places, i)].stated;
        int64_t threshold = supposes ? thresholdSeen(urgencies, i) : statedThreshold(urgencies, i);
        if (!setThreshold(urgencies, i, threshold)) return false;
    }
    for (uint32_t i = 0; fair && i < places->nProcessors; i++)
        clusters[i].differs |= clusters[i].nTasks && clusters[i].scheduler != TAC_SCHEDULER_FAIR;
    return true;
}

/* ---- urgencies --------------------------------------------------------------------------------------------------- */

/* The deadline of a job: its own, -D, or a taskDeadline. */
static int64_t deadlineOf(const tacUrgencies *urgencies, uint32_t index) {
    int64_t own = urgencies->trace->model.jobs.at[index].deadline;
    return own == TAC_UNKNOWN && urgencies->deadlines ? urgencies->deadlines[index] : own;
}

int64_t tacUrgencyWaiting(const tacUrgencies *urgencies, uint32_t index, bool started) {
    const tacJob *job = &urgencies->trace->model.jobs.at[index];
    const tacTaskUrgency *task = &urgencies->tasks[job->task];
    if (task->scheduler == TAC_SCHEDULER_NONE || task->scheduler == TAC_SCHEDULER_FAIR) return TAC_URGENCY_NONE;
    if (task->scheduler != TAC_SCHEDULER_EDF)
        return started ? thresholdOf(urgencies, job->task) : tacUrgencyFixed(urgencies, job->task);
    if (started && task->nonpreemptive) return TAC_URGENCY_ALL;
    int64_t deadline = deadlineOf(urgencies, index);
    if (deadline != TAC_UNKNOWN) return deadline;
    return task->timed ? TAC_URGENCY_NONE : NO_DEADLINE;
}

int64_t tacUrgencyRunning(const tacUrgencies *urgencies, uint32_t index, bool started) {
    const tacJob *job = &urgencies->trace->model.jobs.at[index];
    const tacTaskUrgency *task = &urgencies->tasks[job->task];
    if (task->scheduler == TAC_SCHEDULER_NONE || (started && thresholdOf(urgencies, job->task) == TAC_URGENCY_ALL))
        return TAC_URGENCY_ALL;
    if (task->scheduler != TAC_SCHEDULER_EDF)
        return started ? thresholdOf(urgencies, job->task) : tacUrgencyFixed(urgencies, job->task);
    int64_t deadline = deadlineOf(urgencies, index);
    if (deadline != TAC_UNKNOWN) return deadline;
    return task->timed ? TAC_URGENCY_ALL : NO_DEADLINE;
}
