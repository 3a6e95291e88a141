/*
 * kernelJob.c -- what programs say of their tasks and jobs (tactus_trace's sensors), for threads of which the kernel's
 * events tell as well.
 *
 *      tactus.objects: task -> its first thread    tactus.events: its jobs -> records in the order of time
 *
 * The time of a release may be said later than it was; so all records are gathered and sorted before any is delivered.
 */
#include "base/port.h"

#include "base/sort.h"
#include "import/record/kernelState.h"
#include "record/tactusrec_trace.h"

#include <string.h>

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

/* The task of a source by its number; NULL: it has no thread. */
static tacRecordSaidTask *taskOf(tacRecordKernel *k, const tacRecordSource *source, uint32_t number) {
    const uint32_t key[2] = {(uint32_t) (source - k->r->sources.at), number};
    uint32_t id = tacInternFind(&k->taskKeys, (const char *) key, sizeof key);
    return id == TAC_NONE ? NULL : k->tasks.at[id];
}

/* Takes a thread of a task: both are for each other if they are the first. */
static bool takeThread(tacRecordKernel *k, const tacRecordSource *source, uint32_t task, uint32_t thread) {
    const uint32_t key[2] = {(uint32_t) (source - k->r->sources.at), task};
    static const tacKernelRule rule = {.T = TAC_UNKNOWN,
        .D = TAC_UNKNOWN,
        .C = TAC_UNKNOWN,
        .priority = TAC_KERNEL_NO_PRIORITY,
        .boundary = TAC_BOUNDARY_PROGRAM};
    if (thread == 0 || thread > INT32_MAX || task == 0 || taskOf(k, source, task)) return true;
    if (tacInternFind(&k->threadKeys, (const char *) &thread, sizeof thread) != TAC_NONE) return true;
    tacRecordSaidTask *said = tacAllocZero(1, sizeof *said);
    if (!said || !tacArrayPush(&k->tasks, said)) return tacFree(said), false;
    said->pid = (int32_t) thread;
    said->kernel.rule = rule;
    said->kernel.index = TAC_NONE;
    return tacIntern(&k->taskKeys, (const char *) key, sizeof key) != TAC_NONE
        && tacIntern(&k->threadKeys, (const char *) &thread, sizeof thread) != TAC_NONE;
}

/* Gives a task that has a thread its name. */
static bool nameTask(tacRecordKernel *k, const tacRecordElement *e) {
    tacRecordSaidTask *said = taskOf(
        k, tacRecordSourceOf(k->r, e->sensor), (uint32_t) TAC_RECORD_FIELD(e, tacrec_object, id));
    if (!said || said->name[0]) return true;
    memcpy(said->name, e->data + offsetof(tacrec_object, name), sizeof said->name);
    tacRecordClean(said->name, sizeof said->name);
    if (said->name[0]) said->kernel.rule.name = said->name;
    return true;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static const tacKernelEvent events[] = {
    [TACREC_JOB_ARRIVED] = TAC_KERNEL_JOB_ARRIVED,
    [TACREC_JOB_STARTED] = TAC_KERNEL_JOB_STARTED,
    [TACREC_JOB_RESUMED] = TAC_KERNEL_JOB_RESUMED,
    [TACREC_JOB_BLOCKED] = TAC_KERNEL_JOB_BLOCKED,
    [TACREC_JOB_COMPLETED] = TAC_KERNEL_JOB_COMPLETED,
    [TACREC_JOB_ABANDONED] = TAC_KERNEL_JOB_ABANDONED,
    [TACREC_JOB_ACQUIRED_MUTEX] = TAC_KERNEL_MUTEX_ACQUIRED,
    [TACREC_JOB_RELEASED_MUTEX] = TAC_KERNEL_MUTEX_RELEASED,
};

static bool takeEvent(tacRecordKernel *k, const tacRecordElement *e) {
    const tacRecordSource *source = tacRecordSourceOf(k->r, e->sensor);
    uint64_t code = TAC_RECORD_FIELD(e, tacrec_event, code), job = TAC_RECORD_FIELD(e, tacrec_event, subject),
             value = TAC_RECORD_FIELD(e, tacrec_event, value);
    if (code >= sizeof events / sizeof *events || !events[code]) return true;
    const tacRecordSaidTask *task = taskOf(k, source, (uint32_t) (job >> 32));
    if (!task) return true;
    tacRecordSaidJob said = {.time = e->time,
        .order = (uint32_t) k->jobs.count,
        .event = events[code],
        .pid = task->pid,
        .number = (uint32_t) job,
        .other = -1,
        .mutex = TAC_NONE};
    if (code == TACREC_JOB_ARRIVED && value && !tacRecordNanoseconds(k->r, source, value, &said.time)) return true;
    if (code == TACREC_JOB_BLOCKED && value) {
        const tacRecordSaidTask *other = taskOf(k, source, (uint32_t) (value >> 32));
        if (other) said.other = other->pid;
        said.otherNumber = (uint32_t) value;
    }
    if (code == TACREC_JOB_ACQUIRED_MUTEX || code == TACREC_JOB_RELEASED_MUTEX) {
        if (!k->r->store) return true;
        said.mutex = tacRecordObject(
            k->r, source, TAC_MUTEX, (uint32_t) TAC_RECORD_FIELD(e, tacrec_event, object), NULL);
        if (said.mutex == TAC_NONE) return false;
    }
    return tacArrayPush(&k->jobs, said);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool isObjects(const tacRecordSensor *sensor) { return tacRecordVocabularyIs(sensor, "tactus.objects"); }

static bool isEvents(const tacRecordSensor *sensor) { return tacRecordVocabularyIs(sensor, "tactus.events"); }

static bool isOfPrograms(void *data, const tacRecordSensor *sensor) {
    const tacRecordKernel *k = data;
    const tacRecordSource *source = &k->r->sources.at[sensor->source];
    return source->said.kind == TACREC_SOURCE_PROGRAM && source->machine == 0
        && (isObjects(sensor) || isEvents(sensor));
}

static bool takeThreads(void *data, const tacRecordElement *e) {
    tacRecordKernel *k = data;
    if (TAC_RECORD_FIELD(e, tacrec_object, kind) != TACREC_THREAD_OF_TASK) return true;
    return takeThread(k, tacRecordSourceOf(k->r, e->sensor), (uint32_t) TAC_RECORD_FIELD(e, tacrec_object, of),
        (uint32_t) TAC_RECORD_FIELD(e, tacrec_object, thread));
}

static bool wantsObjects(void *data, const tacRecordSensor *sensor) {
    return isOfPrograms(data, sensor) && isObjects(sensor);
}

static bool takeAll(void *data, const tacRecordElement *e) {
    tacRecordKernel *k = data;
    if (strcmp(e->sensor->said.name, "tactus.events") == 0) return takeEvent(k, e);
    uint64_t kind = TAC_RECORD_FIELD(e, tacrec_object, kind);
    if (kind == TACREC_TASK) return nameTask(k, e);
    if (kind != TACREC_MUTEX || !k->r->store) return true;
    const char *name = (const char *) e->data + offsetof(tacrec_object, name);
    return tacRecordObject(k->r, tacRecordSourceOf(k->r, e->sensor), TAC_MUTEX,
               (uint32_t) TAC_RECORD_FIELD(e, tacrec_object, id), name)
        != TAC_NONE;
}

static int byTime(const void *left, const void *right, const void *data) {
    const tacRecordSaidJob *a = left, *b = right;
    (void) data;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

bool tacRecordKernelJobs(tacRecordKernel *k) {
    tacRecordTaker threads = {wantsObjects, takeThreads, NULL, k}, all = {isOfPrograms, takeAll, NULL, k};
    if (!tacRecordMerge(k->r, &threads)) return false;
    tacRecordKernelAgain(k, wantsObjects);
    if (k->tasks.count == 0) return true;
    if (!tacRecordMerge(k->r, &all)) return false;
    tacRecordKernelAgain(k, isOfPrograms);
    return tacSort(k->jobs.at, k->jobs.count, sizeof *k->jobs.at, byTime, NULL, k->r->import->progress);
}

void tacRecordKernelJobsFree(tacRecordKernel *k) {
    for (size_t i = 0; i < k->tasks.count; i++) tacFree(k->tasks.at[i]);
    tacArrayFree(&k->tasks);
    tacArrayFree(&k->jobs);
    tacInternFree(&k->taskKeys);
    tacInternFree(&k->threadKeys);
}

/* ---- delivery ---------------------------------------------------------------------------------------------------- */

static const tacKernelThread nobody = TAC_KERNEL_NO_THREAD;

bool tacRecordKernelTellTasks(tacRecordKernel *k) {
    for (size_t i = 0; i < k->tasks.count; i++) {
        tacRecordSaidTask *task = k->tasks.at[i];
        tacKernelRecord record = {.event = TAC_KERNEL_TASK,
            .processor = -1,
            .current = nobody,
            .thread = nobody,
            .other = nobody,
            .target = -1,
            .said = &task->kernel};
        record.thread.pid = task->pid;
        if (k->take(k->takeData, &record, 1, k->err) != TAC_OK) return false;
    }
    return true;
}

bool tacRecordKernelTellJobs(tacRecordKernel *k, int64_t time) {
    tacStore *store = k->r->store;
    for (; k->told < k->jobs.count && k->jobs.at[k->told].time < time; k->told++) {
        const tacRecordSaidJob *job = &k->jobs.at[k->told];
        tacKernelRecord record = {.event = job->event,
            .time = job->time,
            .processor = -1,
            .current = nobody,
            .thread = nobody,
            .other = nobody,
            .number = job->number,
            .target = (int32_t) job->otherNumber};
        record.thread.pid = job->pid;
        record.other.pid = job->other;
        if (job->mutex != TAC_NONE)
            record.name.at = tacInternName(&store->ids[TAC_MUTEX], job->mutex, &record.name.length);
        if (k->take(k->takeData, &record, k->r->line ? k->r->line : 1, k->err) != TAC_OK) return false;
    }
    k->due = k->told < k->jobs.count ? k->jobs.at[k->told].time : INT64_MAX;
    return true;
}

bool tacRecordKernelTask(tacRecord *r, const tacRecordSource *source, uint32_t number, uint32_t *index, bool *mapped) {
    const tacRecordSaidTask *task = r->kernel && source->machine == 0 ? taskOf(r->kernel, source, number) : NULL;
    if (!task || task->kernel.index == TAC_NONE) return false;
    *index = task->kernel.index;
    *mapped = task->kernel.mapped;
    return true;
}
