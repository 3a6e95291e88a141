/*
 * auditUrgency.c -- policies of tasks, and urgencies of jobs by them.
 *
 * On the scale of urgencies: deadlines are ticks, between -2^62 and 2^62; then edf jobs without a deadline; then fixed
 * priorities, 32 bits around PRIORITY_0; then fair jobs.
 */
#include "base/port.h"

#include "analysis/audit.h"
#include "analysis/auditUrgency.h"
#include "model/query.h"

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

/* Is it stated of some processor that jobs are not preempted there? */
static bool someNonpreemptive(const tacStore *store) {
    int64_t flag;
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_PROCESSOR); i++)
        if (tacObjectOption(store, TAC_PROCESSOR, i, TAC_OPT_NONPREEMPTIVE, &flag)) return true;
    return false;
}

/* Is it stated that jobs of the task are not preempted? `some`: of a processor; it counts for a task without a set. */
static bool statedNonpreemptive(const tacStore *store, const tacPlaces *places, uint32_t task, bool some) {
    int64_t flag;
    if (tacObjectOption(store, TAC_TASK, task, TAC_OPT_NONPREEMPTIVE, &flag)) return true;
    if (!some || places->ofTask[task] == TAC_NONE) return some;
    uint32_t first = tacPlaceProcessor(places, places->ofTask[task], 0);
    return tacObjectOption(store, TAC_PROCESSOR, first, TAC_OPT_NONPREEMPTIVE, &flag);
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

/* Makes the list of thresholds. False: no memory. */
static bool makeThresholds(tacUrgencies *urgencies) {
    if (urgencies->thresholds) return true;
    uint32_t n = tacStoreObjects(&urgencies->trace->store, TAC_TASK);
    int64_t *thresholds = tacAlloc(((size_t) n + 1) * sizeof *thresholds);
    for (uint32_t i = 0; thresholds && i < n; i++) thresholds[i] = thresholdOf(urgencies, i);
    urgencies->thresholds = thresholds;
    return thresholds != NULL;
}

/* Sets the threshold of a task. False: no memory. */
static bool setThreshold(tacUrgencies *urgencies, uint32_t task, int64_t threshold) {
    if (threshold == thresholdOf(urgencies, task)) return true;
    if (!makeThresholds(urgencies)) return false;
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

/* ---- thresholds that explain preemptions --------------------------------------------------------------------------
 *
 * Each task gets the most urgent threshold that allows what ran while its jobs were preempted. A job that began then
 * has to be more urgent than that; one that had begun before (and was preempted, too, or ran on another processor) must
 * not have a less urgent threshold. This is a least solution, in rounds: a threshold only becomes less urgent. */

enum {
    LOOK = 64,   /* most slices that are looked at for the last one of a job */
    SHARE = 16,  /* runs that are looked at, for each slice */
    ROUNDS = 16, /* after which it is not understood */
    HOLDS = 16   /* holds of a task that are looked at for a run */
};

typedef struct Seeker {
    tacUrgencies *urgencies;
    const tacPlaces *places;
    int64_t looks;           /* runs that may still be looked at */
    uint32_t processor, run; /* of the first run in the last stretch; TAC_NONE: none was looked for */
} Seeker;

/* Has the job of a slice run since it became ready? */
static bool hasRun(const tacTaskModel *task, size_t index) {
    for (size_t i = index; i-- > 0 && index - i < LOOK;) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->job != task->slices.at[index].job) continue;
        if (slice->state == TAC_STATE_RUNNING || slice->state == TAC_STATE_BLOCKED)
            return slice->state == TAC_STATE_RUNNING;
    }
    return false;
}

typedef enum Holding { NEVER, AT_FIRST, ALWAYS } Holding;

/* Does the job of a run hold a mutex from `begin` on, or up to `end`, so that it may be more urgent than by itself? */
static Holding holding(const tacModel *model, uint32_t task, const tacSlice *run, int64_t begin, int64_t end) {
    const tacTaskModel *one = &model->tasks[task];
    Holding found = NEVER;
    uint32_t i = one->holds.count ? tacQueryHold(model, task, 0, begin) : 0;
    for (int looks = 0; i < one->holds.count && one->holds.at[i].begin <= begin; looks++) {
        const tacHold *hold = &one->holds.at[i];
        if (hold->job == run->job) found = AT_FIRST;
        if (looks == HOLDS || (hold->job == run->job && hold->end >= end)) return ALWAYS;
        i = tacQueryHold(model, task, i + 1, begin);
    }
    return found;
}

/* Did the job of a run begin while the other one was preempted? At one instant the order of the file tells. */
static bool beginsIn(const tacModel *model, const tacSlice *preempted, const tacSlice *run) {
    const uint64_t runs = TAC_EVENT_BIT(TAC_EV_JOB_STARTED) | TAC_EVENT_BIT(TAC_EV_JOB_RESUMED);
    const uint64_t stops = TAC_EVENT_BIT(TAC_EV_JOB_PREEMPTED);
    if (run->begin != preempted->begin) return run->begin > preempted->begin;
    return tacAuditRow(model->store, model->jobs.at[run->job].id, run->begin, runs)
        >= tacAuditRow(model->store, model->jobs.at[preempted->job].id, run->begin, stops);
}

/* The first run of a processor, from `start` on, that ends after t; that at `start`, mostly. */
static uint32_t runAfter(const tacModel *model, uint32_t processor, uint32_t start, int64_t t) {
    const tacProcessorModel *one = &model->processors[processor];
    if (start < one->runs.count && tacRunSlice(model, one->runs.at[start])->end > t) return start;
    return tacQueryRun(model, processor, start, t + 1);
}

/* Raises *threshold, that of a task, by what ran on a processor while its job was preempted. The stretches of a task
 * are taken in their order. */
static void raiseBy(Seeker *seeker, const tacSlice *preempted, uint32_t processor, int64_t *threshold) {
    const tacUrgencies *urgencies = seeker->urgencies;
    const tacModel *model = &urgencies->trace->model;
    const tacProcessorModel *one = &model->processors[processor];
    uint32_t start = seeker->processor == processor ? seeker->run : 0;
    seeker->processor = processor;
    seeker->run = runAfter(model, processor, start, preempted->begin);
    for (uint32_t i = seeker->run; i < one->runs.count && seeker->looks > 0;
         i = runAfter(model, processor, i + 1, preempted->begin), seeker->looks--) {
        const tacSlice *run = tacRunSlice(model, one->runs.at[i]);
        uint32_t task = one->runs.at[i].task;
        if (run->begin >= preempted->end) break;
        if (run->end <= run->begin || run->job == preempted->job || tacIsInterrupt(model, task)) continue;
        int64_t first = tacUrgencyFixed(urgencies, task) + 1, later = urgencies->thresholds[task];
        if (first <= *threshold && later <= *threshold) continue; /* whichever holds, nothing is learned */
        int64_t begin = run->begin > preempted->begin ? run->begin : preempted->begin;
        Holding holds = holding(model, task, run, begin, run->end < preempted->end ? run->end : preempted->end);
        bool begins = !holds && beginsIn(model, preempted, run) && !hasRun(&model->tasks[task], one->runs.at[i].slice);
        int64_t least = begins ? first : later;
        if (least > *threshold && holds != ALWAYS) *threshold = least;
    }
}

/* Raises the threshold of a task by what ran where its jobs could run while they were preempted. The result: it has
 * changed. */
static bool raiseThreshold(Seeker *seeker, uint32_t index) {
    const tacTaskModel *task = &seeker->urgencies->trace->model.tasks[index];
    int64_t before = seeker->urgencies->thresholds[index], own = tacUrgencyFixed(seeker->urgencies, index);
    int64_t threshold = before;
    seeker->processor = TAC_NONE;
    uint32_t set = seeker->places->ofTask[index], n = tacPlaceSize(seeker->places, set);
    for (size_t i = 0; i < task->slices.count && threshold < own; i++) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->state != TAC_STATE_PREEMPTED || slice->end <= slice->begin || !hasRun(task, i)) continue;
        for (uint32_t k = 0; k < n && seeker->looks-- > 0; k++)
            raiseBy(seeker, slice, tacPlaceProcessor(seeker->places, set, k), &threshold);
    }
    seeker->urgencies->thresholds[index] = threshold < own ? threshold : own;
    return threshold > before;
}

/* Is the threshold of the task not known, and can it be found? */
static bool isSought(const tacUrgencies *urgencies, uint32_t task) {
    return urgencies->tasks[task].veiled && urgencies->tasks[task].scheduler != TAC_SCHEDULER_EDF;
}

/* Finds thresholds of the tasks whose clusters state nothing. They stay unknown under edf, and where that would take
 * too long. False: no memory. */
static bool findThresholds(tacUrgencies *urgencies, const tacPlaces *places, const tacClusterPolicy *clusters) {
    Seeker seeker = {urgencies, places, LOOK, TAC_NONE, 0};
    uint32_t n = tacStoreObjects(&urgencies->trace->store, TAC_TASK);
    bool changes = true;
    if (!makeThresholds(urgencies)) return false;
    for (uint32_t i = 0; i < n; i++) {
        tacTaskUrgency *task = &urgencies->tasks[i];
        task->veiled = places->ofTask[i] != TAC_NONE && !clusters[tacPlaceCluster(places, i)].stated;
        if (!isSought(urgencies, i)) continue;
        urgencies->thresholds[i] = TAC_URGENCY_ALL;
        seeker.looks += SHARE * (int64_t) urgencies->trace->model.tasks[i].slices.count;
    }
    for (int round = 0; round < ROUNDS && changes; round++) {
        changes = false;
        for (uint32_t i = 0; i < n; i++)
            if (isSought(urgencies, i)) changes |= raiseThreshold(&seeker, i);
    }
    for (uint32_t i = 0; i < n && !changes && seeker.looks > 0; i++)
        if (isSought(urgencies, i)) urgencies->tasks[i].veiled = false;
    return true;
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
    bool fair = false, some = someNonpreemptive(store);
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
        urgency->nonpreemptive = (supposes && supposed->nonpreemptive) || statedNonpreemptive(store, places, i, some);
        if (cluster && urgency->scheduler != TAC_SCHEDULER_NONE && trace->model.tasks[i].nJobs)
            noteCluster(cluster, urgency, tacUrgencyFixed(urgencies, i));
    }
    for (uint32_t i = 0; i < nTasks; i++) {
        if (!setThreshold(urgencies, i, statedThreshold(urgencies, i))) return false;
    }
    if (supposed->thresholds && !findThresholds(urgencies, places, clusters)) return false;
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
        return started && !task->veiled ? thresholdOf(urgencies, job->task) : tacUrgencyFixed(urgencies, job->task);
    if (started && task->nonpreemptive) return TAC_URGENCY_ALL;
    int64_t deadline = deadlineOf(urgencies, index);
    if (deadline != TAC_UNKNOWN) return deadline;
    return task->timed ? TAC_URGENCY_NONE : NO_DEADLINE;
}

int64_t tacUrgencyRunning(const tacUrgencies *urgencies, uint32_t index, bool started) {
    const tacJob *job = &urgencies->trace->model.jobs.at[index];
    const tacTaskUrgency *task = &urgencies->tasks[job->task];
    bool excused = task->veiled || thresholdOf(urgencies, job->task) == TAC_URGENCY_ALL;
    if (task->scheduler == TAC_SCHEDULER_NONE || (started && excused)) return TAC_URGENCY_ALL;
    if (task->scheduler != TAC_SCHEDULER_EDF)
        return started ? thresholdOf(urgencies, job->task) : tacUrgencyFixed(urgencies, job->task);
    int64_t deadline = deadlineOf(urgencies, index);
    if (deadline != TAC_UNKNOWN) return deadline;
    return task->timed ? TAC_URGENCY_ALL : NO_DEADLINE;
}
