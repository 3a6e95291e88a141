/*
 * lookJob.c -- the facts of jobs, slices, holds and tasks.
 *
 * The preempter of a job is the job that runs on the processor on which it ran last; while nobody runs there yet, the
 * one that the event names by -target. Which mutex a blocked one waits for is the answer of tacBlockedOn, which `why`
 * and the checks have, too.
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/auditWait.h"
#include "analysis/stats.h"
#include "base/search.h"
#include "model/neighbour.h"
#include "tcl/dictValue.h"
#include "tcl/look.h"
#include "trace/scheduling.h"

enum { SLICES_LOOKED = 1 << 16 }; /* of one job: a panel does not wait for more */

/* ---- jobs ------------------------------------------------------------------------------------------------------- */

/* Puts the jobs of the same task before and after it in order of release, and the job's place among them. */
static void putPlace(tacDetails *look, uint32_t index) {
    const tacModel *model = look->model;
    const tacJob *job = &model->jobs.at[index];
    uint32_t low = tacPast(uint32_t, 0, model->tasks[job->task].nJobs, i, tacTaskJob(model, job->task, i) < index);
    tacPutCount(look->dict, "place", low + 1);
    tacPutCount(look->dict, "jobs_of_task", model->tasks[job->task].nJobs);
    tacPutIndex(look->dict, "previous", low ? tacTaskJob(model, job->task, low - 1) : TAC_NONE);
    tacPutIndex(look->dict, "next", job->next);
}

/* True when the number is in the list. */
static bool isThere(const uint32_t *numbers, uint32_t count, uint32_t number) {
    for (uint32_t i = 0; i < count; i++)
        if (numbers[i] == number) return true;
    return false;
}

/* Another job that runs on the processor at t, or TAC_NONE. */
static uint32_t otherOn(const tacModel *model, uint16_t processor, int64_t t, uint32_t job) {
    uint32_t running[4], n;
    if (processor == TAC_NO_PROCESSOR || processor >= model->nProcessors) return TAC_NONE;
    n = tacQueryRunning(model, processor, t, running, 4);
    for (uint32_t i = 0; i < n && i < 4; i++)
        if (running[i] != job) return running[i];
    return TAC_NONE;
}

/* The job for which a slice of being preempted made room: slice `before` is the one before it, or TAC_NONE. */
static uint32_t preempterOf(const tacModel *model, uint32_t task, uint32_t before, const tacSlice *slice) {
    uint32_t other = otherOn(model, slice->processor, slice->begin, slice->job);
    tacArrowTo to;
    if (other != TAC_NONE || before == TAC_NONE || !tacArrowForward(model, task, before, &to)
        || to.kind != TAC_ARROW_TARGET)
        return other;
    return model->tasks[to.task].slices.at[to.slice].job;
}

/* Puts the number of the job's slices, and the jobs that ran when it was preempted. */
static void putSlices(tacDetails *look, uint32_t index) {
    const tacModel *model = look->model;
    const tacJob *job = &model->jobs.at[index];
    const tacSlice *slices = model->tasks[job->task].slices.at;
    uint32_t preempters[TAC_LOOK_MOST], n = 0, count = 0, i = job->firstSlice, before = TAC_NONE;
    for (; i != TAC_NONE && count < SLICES_LOOKED; before = i, i = tacNextSlice(model, job->task, i), count++) {
        uint32_t other = slices[i].state == TAC_STATE_PREEMPTED ? preempterOf(model, job->task, before, &slices[i])
                                                                : TAC_NONE;
        if (other != TAC_NONE && n < TAC_LOOK_MOST && !isThere(preempters, n, other)) preempters[n++] = other;
    }
    tacPutCount(look->dict, "slices", count);
    tacPutIndex(look->dict, "first_slice", job->firstSlice);
    tacLookPutJobs(look, "preempters", preempters, n);
}

/* Puts the ids of the mutexes that the job held, each once. */
static void putMutexes(tacDetails *look, uint32_t index) {
    const tacModel *model = look->model;
    const tacJob *job = &model->jobs.at[index];
    const tacTaskModel *task = &model->tasks[job->task];
    int64_t begin = tacJobBegin(model, job), end = job->completion == TAC_UNKNOWN ? model->end : job->completion;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    uint32_t held[TAC_LOOK_MOST], n = 0;
    for (uint32_t i = tacQueryHold(model, job->task, 0, begin);
         i < task->holds.count && task->holds.at[i].begin <= end && n < TAC_LOOK_MOST;
         i = tacQueryHold(model, job->task, i + 1, begin)) {
        const tacHold *hold = &task->holds.at[i];
        if (hold->job != index || isThere(held, n, hold->mutex)) continue;
        held[n++] = hold->mutex;
        tacAppend(list, Tcl_NewStringObj(tacObjectId(model->store, TAC_MUTEX, hold->mutex), -1));
    }
    tacPut(look->dict, "mutexes", list);
}

static void putTaskFacts(tacDetails *look, uint32_t task) {
    const tacStore *store = look->model->store;
    const tacObject *object = &store->objects[TAC_TASK].at[task];
    int64_t threshold, flag;
    tacPut(look->dict, "priority", Tcl_NewWideIntObj(object->priority));
    tacPutText(look->dict, "scheduler", tacSchedulerWord(tacSchedulerOf(store, TAC_TASK, task)));
    if (tacObjectOption(store, TAC_TASK, task, TAC_OPT_THRESHOLD, &threshold))
        tacPut(look->dict, "threshold", Tcl_NewWideIntObj(threshold));
    tacPutFlag(look->dict, "nonpreemptive", tacObjectOption(store, TAC_TASK, task, TAC_OPT_NONPREEMPTIVE, &flag));
    tacPutText(look->dict, "cpus", tacObjectText(store, TAC_TASK, task, TAC_OPT_CPUS));
    tacPutTime(look->dict, "period", look->model, object->T);
    tacPutTime(look->dict, "wcet", look->model, object->C);
    tacPutTime(look->dict, "relative_deadline", look->model, object->D);
}

void tacLookJob(tacDetails *look, uint32_t index) {
    const tacModel *model = look->model;
    const tacJob *job = &model->jobs.at[index];
    int64_t slack; /* deadline - completion */
    tacTable table;
    if (job->completion == TAC_UNKNOWN || job->deadline == TAC_UNKNOWN
        || __builtin_sub_overflow(job->deadline, job->completion, &slack))
        slack = TAC_UNKNOWN;
    if (tacStats(model, TAC_STATS_JOBS, TAC_UNKNOWN, TAC_UNKNOWN, NULL, &table, NULL) == TAC_OK) {
        tacLookPutRow(look, &table, index);
        tacTableFree(&table);
    } else look->failed = true;
    tacPutIndex(look->dict, "index", index);
    tacPutText(look->dict, "name", tacObjectName(model->store, TAC_JOB, job->id));
    tacPutText(look->dict, "task_name", tacObjectName(model->store, TAC_TASK, job->task));
    tacPutText(look->dict, "state", tacStateNames[job->state]);
    if (job->release == TAC_UNKNOWN) tacPutTime(look->dict, "begin", model, tacJobBegin(model, job));
    tacPutTime(look->dict, "slack", model, slack);
    tacPutFlag(look->dict, "missed", (job->flags & TAC_JOB_MISSED) != 0);
    tacPutFlag(look->dict, "abandoned", (job->flags & TAC_JOB_ABANDONED) != 0);
    putTaskFacts(look, job->task);
    putPlace(look, index);
    putSlices(look, index);
    putMutexes(look, index);
    tacPutIndex(look->dict, "row", job->row);
    tacPutCount(look->dict, "line", tacRowLine(model->store, job->row));
}

/* ---- slices ----------------------------------------------------------------------------------------------------- */

/* Puts the mutex for which a blocked job waits, and its holder. */
static void putBlocker(tacDetails *look, uint32_t task, uint32_t index) {
    const tacModel *model = look->model;
    const tacSlice *slice = &model->tasks[task].slices.at[index];
    uint32_t holders[2], n, mutex = tacBlockedOn(model, task, index);
    if (mutex == TAC_NONE) return;
    tacPutText(look->dict, "mutex", tacObjectId(model->store, TAC_MUTEX, mutex));
    n = tacQueryHolders(model, mutex, slice->begin, holders, 2);
    for (uint32_t k = 0; k < n && k < 2; k++)
        if (holders[k] != slice->job) return tacLookPutJob(look, "holder", holders[k]);
}

void tacLookSlice(tacDetails *look, uint32_t task, uint32_t index) {
    const tacModel *model = look->model;
    const tacSlice *slice = &model->tasks[task].slices.at[index];
    uint32_t row = tacRowOfJobAt(model, model->jobs.at[slice->job].id, slice->begin); /* by which it began */
    tacArrowTo to;
    tacPutText(look->dict, "state", tacStateNames[slice->state]);
    tacLookPutJob(look, "job", slice->job);
    tacPutText(look->dict, "task", tacObjectId(model->store, TAC_TASK, task));
    tacPutText(look->dict, "task_name", tacObjectName(model->store, TAC_TASK, task));
    tacPutIndex(look->dict, "slice", index);
    tacPutTime(look->dict, "begin", model, slice->begin);
    tacPutTime(look->dict, "end", model, slice->end);
    tacPutTime(look->dict, "length", model, tacElapsed(slice->begin, slice->end));
    tacPutFlag(look->dict, "open", slice->open);
    tacLookPutProcessor(look, "processor", slice->processor);
    uint32_t before = tacPreviousSlice(model, task, index);
    tacPutIndex(look->dict, "previous_slice", before);
    tacPutIndex(look->dict, "next_slice", tacNextSlice(model, task, index));
    if (slice->state == TAC_STATE_PREEMPTED)
        tacPutIndex(look->dict, "preempter", preempterOf(model, task, before, slice));
    if (slice->state == TAC_STATE_BLOCKED) putBlocker(look, task, index);
    if (tacArrowBack(model, task, index, &to) && to.kind == TAC_ARROW_TARGET)
        tacPutIndex(look->dict, "source", model->tasks[to.task].slices.at[to.slice].job);
    if (tacArrowForward(model, task, index, &to) && to.kind == TAC_ARROW_TARGET)
        tacPutIndex(look->dict, "target", model->tasks[to.task].slices.at[to.slice].job);
    tacPutIndex(look->dict, "row", row);
    if (row != TAC_NONE) tacPutCount(look->dict, "line", tacRowLine(model->store, row));
}

/* ---- holds ------------------------------------------------------------------------------------------------------ */

/* Row of the event by which a hold began: among those of its job at that time, the one about the mutex. */
static uint32_t rowOfHold(const tacModel *model, const tacHold *hold) {
    const tacStore *store = model->store;
    uint32_t job = model->jobs.at[hold->job].id, first = tacRowOfJobAt(model, job, hold->begin);
    if (first == TAC_NONE) return TAC_NONE;
    for (uint32_t row = first; row < tacStoreCount(store) && tacRowTime(store, row) == hold->begin; row++)
        if (tacRowEvent(store, row) == TAC_EV_JOB_ACQUIRED_MUTEX && tacRowSubject(store, row) == job
            && tacRowObject(store, row) == hold->mutex)
            return row;
    return first;
}

void tacLookHold(tacDetails *look, uint32_t task, uint32_t index) {
    const tacModel *model = look->model;
    const tacHold *hold = &model->tasks[task].holds.at[index];
    tacPutText(look->dict, "mutex", tacObjectId(model->store, TAC_MUTEX, hold->mutex));
    tacLookPutJob(look, "job", hold->job);
    tacPutText(look->dict, "task", tacObjectId(model->store, TAC_TASK, task));
    tacPutIndex(look->dict, "index", index);
    tacPutTime(look->dict, "begin", model, hold->begin);
    tacPutTime(look->dict, "end", model, hold->end);
    tacPutTime(look->dict, "length", model, tacElapsed(hold->begin, hold->end));
    tacPutFlag(look->dict, "open", hold->open != 0);
    tacPutCount(look->dict, "depth", hold->depth);
    uint32_t row = rowOfHold(model, hold);
    tacPutIndex(look->dict, "row", row);
    if (row != TAC_NONE) tacPutCount(look->dict, "line", tacRowLine(model->store, row));
}

/* ---- tasks ------------------------------------------------------------------------------------------------------ */

void tacLookTask(tacDetails *look, uint32_t task, int64_t time) {
    const tacModel *model = look->model;
    const tacTaskModel *record = &model->tasks[task];
    uint32_t job = tacQueryTaskJob(model, task, time);
    uint16_t processor = TAC_NO_PROCESSOR;
    tacJobState state = job == TAC_NONE ? TAC_STATE_NONE : tacQueryJobState(model, job, time, &processor);
    tacLookPutDefinition(look, TAC_TASK, task);
    putTaskFacts(look, task);
    tacPutText(look->dict, "state", tacStateNames[state]);
    tacLookPutJob(look, "job", job);
    tacLookPutProcessor(look, "processor",
        processor != TAC_NO_PROCESSOR ? processor : model->store->objects[TAC_TASK].at[task].processor);
    tacPutCount(look->dict, "jobs_of_task", record->nJobs);
    tacPutCount(look->dict, "slices", record->slices.count);
    tacPutIndex(look->dict, "first_job", record->firstJob);
    tacPutIndex(look->dict, "previous_event", tacQueryPrevious(model, task, time));
    tacPutIndex(look->dict, "next_event", tacQueryNext(model, task, time));
}
