/*
 * lookObject.c -- the facts of events, and of processors, servers, mutexes and buffers at a time.
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/stats.h"
#include "base/search.h"
#include "model/neighbour.h"
#include "tcl/dictValue.h"
#include "tcl/look.h"
#include "trace/scheduling.h"

/* ---- events ----------------------------------------------------------------------------------------------------- */

/* Puts the objects that the event names, each under the name of its kind. */
static void putObjects(tacDetails *look, uint32_t row) {
    const tacStore *store = look->model->store;
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, row)];
    for (int i = 0; i < spec->nArguments && i < 2; i++) {
        uint32_t index = i == 0 ? tacRowSubject(store, row) : tacRowObject(store, row);
        if ((int) spec->arguments[i] >= TAC_KINDS || spec->arguments[i] == (tacType) TAC_JOB || index == TAC_NONE)
            continue;
        tacPutText(
            look->dict, tacKindNames[spec->arguments[i]], tacObjectId(store, (tacKind) spec->arguments[i], index));
    }
}

/* Puts the end of an event that lasts: an annotation has it, unless it is of a call that did not return; an interval
 * lasts until the next one. */
static void putEnd(tacDetails *look, uint32_t row) {
    const tacModel *model = look->model;
    int event = tacRowEvent(model->store, row);
    if (event == TAC_EV_TASK_ANNOTATION) {
        bool open = tacRowFrom(model->store, row) == TAC_FROM_CALL && !tacRowReturns(model->store, row);
        tacPutTime(look->dict, "end", model, open ? TAC_UNKNOWN : tacRowNumber(model->store, row));
    }
    if (event != TAC_EV_INTERVAL) return;
    size_t next = tacPast(size_t, 0, model->intervals.count, i, model->intervals.at[i] <= row);
    bool last = next == model->intervals.count;
    tacPutTime(look->dict, "end", model, last ? TAC_UNKNOWN : tacRowTime(model->store, model->intervals.at[next]));
}

/* Puts the slice of the job in which the event happened, or which it ended; and the one that it began. */
static void putSlicesAround(tacDetails *look, uint32_t job, int64_t time) {
    const tacModel *model = look->model;
    uint32_t task = model->jobs.at[job].task, before = TAC_NONE, after = TAC_NONE;
    const tacTaskModel *record = &model->tasks[task];
    for (uint32_t i = tacQuerySlice(model, task, 0, time);
         i < record->slices.count && record->slices.at[i].begin <= time; i = tacQuerySlice(model, task, i + 1, time)) {
        const tacSlice *slice = &record->slices.at[i];
        if (slice->job != job) continue;
        if (slice->begin < time) before = i;
        else after = i;
    }
    tacPutIndex(look->dict, "previous_slice", before);
    tacPutIndex(look->dict, "next_slice", after);
}

/* Puts where a synchronization message is received or sent, and how long it was under way. */
static void putOtherEnd(tacDetails *look, uint32_t row) {
    const tacStore *store = look->model->store;
    uint32_t other = tacSyncOtherEnd(&look->trace->clocks, row);
    if (other == TAC_NONE) return;
    bool isSent = tacRowEvent(store, row) == TAC_EV_SYNC_SENT;
    tacPutIndex(look->dict, "other_end", other);
    tacPutTime(look->dict, "transit", look->model,
        tacElapsed(tacRowTime(store, isSent ? row : other), tacRowTime(store, isSent ? other : row)));
}

void tacLookEvent(tacDetails *look, uint32_t row) {
    const tacModel *model = look->model;
    const tacStore *store = model->store;
    int64_t time = tacRowTime(store, row);
    uint32_t task = tacRowTask(model, row), job = tacRowJob(model, row);
    tacTable table;
    if (tacEventTable(model, row, 1, &table, NULL) == TAC_OK) { /* the words of the event */
        tacLookPutRow(look, &table, 0);
        tacTableFree(&table);
    } else look->failed = true;
    tacPutIndex(look->dict, "row", row);
    putObjects(look, row);
    if (job != TAC_NONE) tacLookPutJob(look, "job", job);
    if (task != TAC_NONE) tacPutText(look->dict, "task", tacObjectId(store, TAC_TASK, task));
    uint16_t processor = tacRowProcessor(store, row); /* as the event says, else where its job was */
    if (processor == TAC_NO_PROCESSOR && job != TAC_NONE) tacQueryJobState(model, job, time, &processor);
    tacLookPutProcessor(look, "processor", processor);
    if (processor < look->trace->clocks.clocks.count && look->trace->clocks.clocks.at[processor].mapped)
        tacPutTime(look->dict, "localtime", model, tacClockLocal(&look->trace->clocks, processor, time));
    if (job != TAC_NONE) {
        tacPutText(look->dict, "state", tacStateNames[tacQueryJobState(model, job, time, NULL)]);
        putSlicesAround(look, job, time);
    }
    if (tacEventHasTarget(tacRowEvent(store, row)) && tacRowObject(store, row) != TAC_NONE)
        tacPutIndex(look->dict, "target", tacQueryJob(model, tacRowObject(store, row), time)); /* the job that takes
                                                                                                  over */
    putEnd(look, row);
    putOtherEnd(look, row);
    tacPutIndex(look->dict, "previous_event",
        task == TAC_NONE ? row ? row - 1 : TAC_NONE : tacQueryPrevious(model, task, time));
    tacPutIndex(look->dict, "next_event",
        task != TAC_NONE                     ? tacQueryNext(model, task, time)
            : row + 1 < tacStoreCount(store) ? row + 1
                                             : TAC_NONE);
}

/* ---- objects at a time ------------------------------------------------------------------------------------------ */

typedef uint32_t JobFinder(const tacModel *model, uint32_t index, int64_t t, uint32_t *jobs, uint32_t max);

/* Puts the jobs that a query finds. */
static void putFound(tacDetails *look, const char *key, JobFinder *find, uint32_t index, int64_t time) {
    uint32_t jobs[TAC_LOOK_MOST], count = find(look->model, index, time, jobs, TAC_LOOK_MOST);
    tacLookPutJobs(look, key, jobs, count);
}

void tacLookProcessor(tacDetails *look, uint32_t processor, int64_t time) {
    const tacModel *model = look->model;
    const tacProcessorModel *record = &model->processors[processor];
    tacLookPutDefinition(look, TAC_PROCESSOR, processor);
    tacPutText(look->dict, "scheduler", tacSchedulerWord(tacSchedulerOf(model->store, TAC_PROCESSOR, processor)));
    tacPutText(look->dict, "cluster", tacObjectText(model->store, TAC_PROCESSOR, processor, TAC_OPT_CLUSTER));
    putFound(look, "running", tacQueryRunning, processor, time);
    tacPutCount(look->dict, "runs", record->runs.count);
    tacPutTime(look->dict, "busy", model, record->busy);
    tacPutCount(look->dict, "switches", record->switches);
    tacPutCount(look->dict, "migrations", record->migrations.count);
    if (processor < look->trace->clocks.clocks.count && look->trace->clocks.clocks.at[processor].mapped)
        tacPutTime(look->dict, "localtime", model, tacClockLocal(&look->trace->clocks, processor, time));
    tacPutIndex(look->dict, "previous_event", tacProcessorPrevious(model, processor, time));
    tacPutIndex(look->dict, "next_event", tacProcessorNext(model, processor, time));
}

/* Time at which the server is replenished next, or TAC_UNKNOWN. */
static int64_t nextReplenishment(const tacModel *model, uint32_t server, int64_t time) {
    enum { LOOKED = 1 << 12 };
    uint32_t row = tacServerNext(model, server, time);
    for (int i = 0; i < LOOKED && row != TAC_NONE; i++) {
        if (tacRowEvent(model->store, row) == TAC_EV_SERVER_REPLENISHED) return tacRowTime(model->store, row);
        row = tacServerNext(model, server, tacRowTime(model->store, row));
    }
    return TAC_UNKNOWN;
}

void tacLookServer(tacDetails *look, uint32_t server, int64_t time) {
    const tacModel *model = look->model;
    const tacServerModel *record = &model->servers[server];
    const tacObject *object = &model->store->objects[TAC_SERVER].at[server];
    uint32_t consumers;
    tacLookPutDefinition(look, TAC_SERVER, server);
    tacPutTime(look->dict, "budget", model, tacQueryBudget(model, server, time, &consumers));
    tacPutTime(look->dict, "capacity", model, object->capacity);
    tacPutCount(look->dict, "consumers", consumers);
    tacPut(look->dict, "priority", Tcl_NewWideIntObj(object->priority));
    tacLookPutProcessor(look, "processor", object->processor);
    tacPutTime(look->dict, "replenishment", model, nextReplenishment(model, server, time));
    tacPutTime(look->dict, "consumed", model, record->consumed);
    tacPutTime(look->dict, "overrun", model, record->overrun);
    tacPutCount(look->dict, "depletions", record->depletions);
    tacPutCount(look->dict, "replenishments", record->replenishments);
    tacPutIndex(look->dict, "previous_event", tacServerPrevious(model, server, time));
    tacPutIndex(look->dict, "next_event", tacServerNext(model, server, time));
}

void tacLookMutex(tacDetails *look, uint32_t mutex, int64_t time) {
    const tacModel *model = look->model;
    const tacMutexModel *record = &model->mutexes[mutex];
    tacLookPutDefinition(look, TAC_MUTEX, mutex);
    putFound(look, "holders", tacQueryHolders, mutex, time);
    tacLookPutProcessor(look, "processor", model->store->objects[TAC_MUTEX].at[mutex].processor);
    tacPutCount(look->dict, "acquisitions", record->acquisitions);
    tacPutCount(look->dict, "contended", record->contended);
    tacPutTime(look->dict, "held", model, record->held);
    tacPutTime(look->dict, "longest_held", model, record->longestHeld);
}

void tacLookBuffer(tacDetails *look, uint32_t buffer, int64_t time) {
    const tacModel *model = look->model;
    const tacBufferModel *record = &model->buffers[buffer];
    uint32_t *data = NULL, count = 0;
    int64_t capacity = 0;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    tacLookPutDefinition(look, TAC_BUFFER, buffer);
    look->failed |= tacQueryBuffer(model, buffer, time, &data, &count, &capacity, NULL) != TAC_OK;
    for (uint32_t i = 0; data && i < count && i < TAC_LOOK_MOST; i++)
        tacAppend(list, Tcl_NewStringObj(tacString(model->store, data[i]), -1));
    tacFree(data);
    tacPut(look->dict, "capacity", Tcl_NewWideIntObj(capacity));
    tacPut(look->dict, "contents", list);
    tacPutCount(look->dict, "elements", count);
    tacPutCount(look->dict, "pushed", record->pushed);
    tacPutCount(look->dict, "popped", record->popped);
    tacPutCount(look->dict, "dropped", record->dropped);
    tacPutCount(look->dict, "overflows", record->overflows);
    tacPutCount(look->dict, "underflows", record->underflows);
    tacPutCount(look->dict, "highest", record->highest);
}

void tacLookElement(tacDetails *look, uint32_t buffer, int64_t time, uint32_t row) {
    const tacStore *store = look->model->store;
    tacLookBuffer(look, buffer, time);
    tacPutText(look->dict, "buffer", tacObjectId(store, TAC_BUFFER, buffer));
    tacPutText(look->dict, "data", tacString(store, tacRowObject(store, row)));
    tacPutTime(look->dict, "since", look->model, tacRowTime(store, row));
    tacPutIndex(look->dict, "row", row);
    tacPutCount(look->dict, "line", tacRowLine(store, row));
}
