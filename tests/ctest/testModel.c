/*
 * testModel.c -- a model for the tests to look into: `testModel TEXT ?-option value ...?` opens the trace and returns a
 * command with the subcommands of modelCommands[]. Times go in and out as decimals in time units, jobs as indices in
 * order of release, slices and others as lists.
 *
 * Options: -strict b, -ignore list, -reference id, -eventlimit n, -watch 1 (a consumer compares, at the last event of
 * every instant, all that model/replay.h answers with what model/query.h answers afterwards: subcommand `watch`;
 * subcommand `follow`: with what it answers at each row when the complete model is followed),
 * -stopat n (a consumer that fails at row n), -file 1 (TEXT is a path).
 */
#include <tcl.h>

#include "base/port.h"

#include "model/buffer.h"
#include "model/lod.h"
#include "model/query.h"
#include "model/replay.h"
#include "open/open.h"

#include <math.h>
#include <string.h>

/* What a consumer was told at one instant. */
typedef struct Snapshot {
    int64_t t;
    Tcl_Obj *now; /* list, as describeNow or describeThen make it */
} Snapshot;

typedef TAC_ARRAY(Tcl_Obj *) ValueList;

typedef struct TestedModel {
    Tcl_Interp *interp;
    tacTrace *trace;
    const tacModel *model;
    const tacStore *store;
    TAC_ARRAY(Snapshot) snapshots;
    ValueList rows;   /* what was told at each row while the model was made */
    uint32_t differs; /* first row at which something else is told when the model is followed, TAC_NONE: none */
    Tcl_Obj *other;   /* what is told there */
    int64_t stopAt;
} TestedModel;

/* ---- values ---- */

static void add(Tcl_Obj *list, Tcl_Obj *value) { Tcl_ListObjAppendElement(NULL, list, value); }
static void addNumber(Tcl_Obj *list, int64_t value) { add(list, Tcl_NewWideIntObj(value)); }
static void addText(Tcl_Obj *list, const char *text) { add(list, Tcl_NewStringObj(text, -1)); }

static Tcl_Obj *timeValue(const tacStore *store, int64_t ticks) {
    char buffer[TAC_DECIMAL_SIZE];
    size_t length = tacDecimalFormat(ticks, store->digits, buffer);
    return Tcl_NewStringObj(buffer, (int) length);
}

static void addTime(const TestedModel *m, Tcl_Obj *list, int64_t ticks) { add(list, timeValue(m->store, ticks)); }

static int getTime(const TestedModel *m, Tcl_Obj *value, int64_t *ticks) {
    int length;
    const char *text = Tcl_GetStringFromObj(value, &length);
    tacDecimal number;
    bool rounded = false;
    if (tacDecimalParse(text, (size_t) length, &number) == TAC_OK
        && tacDecimalShift(number.mantissa, m->store->digits - number.digits, ticks, &rounded))
        return TCL_OK;
    Tcl_SetObjResult(m->interp, Tcl_ObjPrintf("bad time \"%s\"", text));
    return TCL_ERROR;
}

static int getObject(const TestedModel *m, tacKind kind, Tcl_Obj *value, uint32_t *index) {
    int length;
    const char *text = Tcl_GetStringFromObj(value, &length);
    *index = tacInternFind(&m->store->ids[kind], text, (size_t) length);
    if (kind == TAC_PROCESSOR && *index == TAC_NONE && strcmp(text, "default") == 0) *index = m->model->nProcessors - 1;
    if (*index != TAC_NONE) return TCL_OK;
    Tcl_SetObjResult(m->interp, Tcl_ObjPrintf("no %s \"%s\"", tacKindNames[kind], text));
    return TCL_ERROR;
}

static const char *processorName(const TestedModel *m, uint16_t processor) {
    return processor == TAC_NO_PROCESSOR ? "" : tacProcessorId(m->model, processor);
}

static const char *const stateNames[TAC_STATES] = {
    "none", "waiting", "running", "preempted", "blocked", "completed", "between", "unknown"};

/* ---- lists ---- */

static int64_t difference(int64_t a, int64_t b) { return a == TAC_UNKNOWN || b == TAC_UNKNOWN ? TAC_UNKNOWN : a - b; }

static Tcl_Obj *jobRow(const TestedModel *m, const tacJob *job) {
    Tcl_Obj *row = Tcl_NewListObj(0, NULL);
    addText(row, tacObjectId(m->store, TAC_JOB, job->id));
    addText(row, tacObjectId(m->store, TAC_TASK, job->task));
    addText(row, processorName(m, job->processor));
    const int64_t times[] = {job->release, job->start, job->completion, difference(job->completion, job->release),
        job->execution, job->preempted, job->blocked};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) addTime(m, row, times[i]);
    addNumber(row, job->preemptions);
    addNumber(row, job->migrations);
    addTime(m, row, job->deadline);
    addTime(m, row, difference(job->completion, job->deadline));
    addText(row, stateNames[job->state]);
    addNumber(row, job->flags);
    return row;
}

static int listJobs(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    (void) args;
    for (size_t i = 0; i < m->model->jobs.count; i++) add(list, jobRow(m, &m->model->jobs.at[i]));
    return TCL_OK;
}

static Tcl_Obj *sliceRow(const TestedModel *m, const tacSlice *slice) {
    Tcl_Obj *row = Tcl_NewListObj(0, NULL);
    addTime(m, row, slice->begin);
    addTime(m, row, slice->end);
    addText(row, stateNames[slice->state]);
    addNumber(row, slice->job);
    addText(row, processorName(m, slice->processor));
    addNumber(row, slice->open);
    return row;
}

static int listSlices(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t task;
    if (getObject(m, TAC_TASK, args[0], &task) != TCL_OK) return TCL_ERROR;
    for (size_t i = 0; i < m->model->tasks[task].slices.count; i++)
        add(list, sliceRow(m, &m->model->tasks[task].slices.at[i]));
    return TCL_OK;
}

static int listRuns(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t processor;
    if (getObject(m, TAC_PROCESSOR, args[0], &processor) != TCL_OK) return TCL_ERROR;
    for (size_t i = 0; i < m->model->processors[processor].runs.count; i++) {
        tacRun run = m->model->processors[processor].runs.at[i];
        add(list, sliceRow(m, &m->model->tasks[run.task].slices.at[run.slice]));
    }
    return TCL_OK;
}

/* When nothing is known of a processor: pairs of times. */
static int listUnknown(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t processor;
    if (getObject(m, TAC_PROCESSOR, args[0], &processor) != TCL_OK) return TCL_ERROR;
    for (size_t i = 0; i < m->model->processors[processor].unknown.count; i++) {
        Tcl_Obj *row = Tcl_NewListObj(0, NULL);
        addTime(m, row, m->model->processors[processor].unknown.at[i].begin);
        addTime(m, row, m->model->processors[processor].unknown.at[i].end);
        add(list, row);
    }
    return TCL_OK;
}

static int listHolds(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t task;
    if (getObject(m, TAC_TASK, args[0], &task) != TCL_OK) return TCL_ERROR;
    for (size_t i = 0; i < m->model->tasks[task].holds.count; i++) {
        const tacHold *hold = &m->model->tasks[task].holds.at[i];
        Tcl_Obj *row = Tcl_NewListObj(0, NULL);
        addTime(m, row, hold->begin);
        addTime(m, row, hold->end);
        addText(row, tacObjectId(m->store, TAC_MUTEX, hold->mutex));
        addNumber(row, hold->job);
        addNumber(row, hold->depth);
        addNumber(row, hold->open);
        add(list, row);
    }
    return TCL_OK;
}

static int listPoints(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t server;
    if (getObject(m, TAC_SERVER, args[0], &server) != TCL_OK) return TCL_ERROR;
    for (size_t i = 0; i < m->model->servers[server].points.count; i++) {
        const tacBudgetPoint *point = &m->model->servers[server].points.at[i];
        Tcl_Obj *row = Tcl_NewListObj(0, NULL);
        addTime(m, row, point->time);
        addTime(m, row, point->remainder);
        addNumber(row, point->consumers);
        add(list, row);
    }
    return TCL_OK;
}

static void addLines(const TestedModel *m, Tcl_Obj *list, const uint32_t *rows, size_t n) {
    for (size_t i = 0; i < n; i++) addNumber(list, tacRowLine(m->store, rows[i]));
}

/* Lines of the rows of a list of marks: messages, intervals, serverMarks, arrows TASK, notes TASK, migrations PROCESSOR
 * ... */
static int listMarks(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    static const char *const names[] = {"messages", "intervals", "servers", "arrows", "notes", "migrations", NULL};
    int which;
    uint32_t index = 0;
    const tacModel *model = m->model;
    if (Tcl_GetIndexFromObj(m->interp, args[0], names, "list", 0, &which) != TCL_OK) return TCL_ERROR;
    if (which >= 3 && getObject(m, which == 5 ? TAC_PROCESSOR : TAC_TASK, args[1], &index) != TCL_OK) return TCL_ERROR;
    switch (which) {
    case 0: addLines(m, list, model->messages.at, model->messages.count); break;
    case 1: addLines(m, list, model->intervals.at, model->intervals.count); break;
    case 2: addLines(m, list, model->serverMarks.at, model->serverMarks.count); break;
    case 3: addLines(m, list, model->tasks[index].arrows.at, model->tasks[index].arrows.count); break;
    case 4: addLines(m, list, model->tasks[index].notes.at, model->tasks[index].notes.count); break;
    default: addLines(m, list, model->processors[index].migrations.at, model->processors[index].migrations.count);
    }
    return TCL_OK;
}

static int listDiag(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    (void) args;
    for (size_t i = 0; i < m->trace->diag.remarks.count; i++) {
        tacText text = {0};
        tacDiagFormat(&m->trace->diag, &m->trace->diag.remarks.at[i], m->trace->file, &text);
        addText(list, text.at);
        tacTextFree(&text);
    }
    return TCL_OK;
}

/* ---- figures of one object ---- */

static int getSpan(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    (void) args;
    addTime(m, list, m->model->begin);
    addTime(m, list, m->model->end);
    addTime(m, list, m->model->firstMark);
    addTime(m, list, m->model->lastMark);
    return TCL_OK;
}

static int getTask(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t index;
    if (getObject(m, TAC_TASK, args[0], &index) != TCL_OK) return TCL_ERROR;
    const tacTaskModel *task = &m->model->tasks[index];
    addText(list, "jobs");
    Tcl_Obj *jobs = Tcl_NewListObj(0, NULL);
    for (uint32_t k = 0; k < task->nJobs; k++) addNumber(jobs, tacTaskJob(m->model, index, k));
    add(list, jobs);
    addText(list, "longest"), addTime(m, list, task->longest);
    addText(list, "longestHold"), addTime(m, list, task->longestHold);
    addText(list, "overlap"), addNumber(list, task->overlap);
    return TCL_OK;
}

static int getProcessor(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t index;
    if (getObject(m, TAC_PROCESSOR, args[0], &index) != TCL_OK) return TCL_ERROR;
    const tacProcessorModel *processor = &m->model->processors[index];
    addText(list, "busy"), addTime(m, list, processor->busy);
    addText(list, "switches"), addNumber(list, (int64_t) processor->switches);
    addText(list, "longest"), addTime(m, list, processor->longest);
    addText(list, "overlap"), addNumber(list, processor->overlap);
    addText(list, "migrations"), addNumber(list, (int64_t) processor->migrations.count);
    return TCL_OK;
}

static int getServer(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t index;
    if (getObject(m, TAC_SERVER, args[0], &index) != TCL_OK) return TCL_ERROR;
    const tacServerModel *server = &m->model->servers[index];
    addText(list, "consumed"), addTime(m, list, server->consumed);
    addText(list, "overrun"), addTime(m, list, server->overrun);
    addText(list, "depletions"), addNumber(list, server->depletions);
    addText(list, "overruns"), addNumber(list, server->overruns);
    addText(list, "replenishments"), addNumber(list, server->replenishments);
    addText(list, "aboveCapacity"), addNumber(list, server->aboveCapacity);
    addText(list, "highest"), addTime(m, list, server->highest);
    return TCL_OK;
}

static int getMutex(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t index;
    if (getObject(m, TAC_MUTEX, args[0], &index) != TCL_OK) return TCL_ERROR;
    const tacMutexModel *mutex = &m->model->mutexes[index];
    addText(list, "acquisitions"), addNumber(list, (int64_t) mutex->acquisitions);
    addText(list, "contended"), addNumber(list, (int64_t) mutex->contended);
    addText(list, "held"), addTime(m, list, mutex->held);
    addText(list, "longestHeld"), addTime(m, list, mutex->longestHeld);
    return TCL_OK;
}

static int getBuffer(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t index;
    if (getObject(m, TAC_BUFFER, args[0], &index) != TCL_OK) return TCL_ERROR;
    const tacBufferModel *buffer = &m->model->buffers[index];
    addText(list, "pushed"), addNumber(list, (int64_t) buffer->pushed);
    addText(list, "popped"), addNumber(list, (int64_t) buffer->popped);
    addText(list, "dropped"), addNumber(list, (int64_t) buffer->dropped);
    addText(list, "overflows"), addNumber(list, (int64_t) buffer->overflows);
    addText(list, "underflows"), addNumber(list, (int64_t) buffer->underflows);
    addText(list, "highest"), addNumber(list, (int64_t) buffer->highest);
    addText(list, "capacity"), addNumber(list, buffer->finalCapacity);
    return TCL_OK;
}

/* ---- queries ---- */

/* {state processor job} of a job id at a time. */
static void addState(const TestedModel *m, Tcl_Obj *list, uint32_t id, int64_t t) {
    uint16_t processor = TAC_NO_PROCESSOR;
    uint32_t job = tacQueryJob(m->model, id, t);
    tacJobState state = job == TAC_NONE ? TAC_STATE_NONE : tacQueryJobState(m->model, job, t, &processor);
    addText(list, stateNames[state]);
    addText(list, processorName(m, processor));
    add(list, job == TAC_NONE ? Tcl_NewObj() : Tcl_NewWideIntObj(job));
}

static int queryState(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t id;
    int64_t t;
    if (getObject(m, TAC_JOB, args[0], &id) != TCL_OK || getTime(m, args[1], &t) != TCL_OK) return TCL_ERROR;
    addState(m, list, id, t);
    return TCL_OK;
}

/* {state processor} of a job by index. */
static int queryJobState(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    Tcl_WideInt job;
    int64_t t;
    uint16_t processor;
    if (Tcl_GetWideIntFromObj(m->interp, args[0], &job) != TCL_OK || getTime(m, args[1], &t) != TCL_OK)
        return TCL_ERROR;
    addText(list, stateNames[tacQueryJobState(m->model, (uint32_t) job, t, &processor)]);
    addText(list, processorName(m, processor));
    return TCL_OK;
}

static int queryTaskJob(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t task, job;
    int64_t t;
    if (getObject(m, TAC_TASK, args[0], &task) != TCL_OK || getTime(m, args[1], &t) != TCL_OK) return TCL_ERROR;
    job = tacQueryTaskJob(m->model, task, t);
    if (job != TAC_NONE) addNumber(list, job);
    return TCL_OK;
}

static void addJobs(Tcl_Obj *list, const uint32_t *jobs, uint32_t n) {
    addNumber(list, n);
    for (uint32_t i = 0; i < n && i < 16; i++) addNumber(list, jobs[i]);
}

static int queryRunning(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t index, jobs[16];
    int64_t t;
    if (getObject(m, TAC_PROCESSOR, args[0], &index) != TCL_OK || getTime(m, args[1], &t) != TCL_OK) return TCL_ERROR;
    addJobs(list, jobs, tacQueryRunning(m->model, index, t, jobs, 16));
    return TCL_OK;
}

static int queryHolders(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t index, jobs[16];
    int64_t t;
    if (getObject(m, TAC_MUTEX, args[0], &index) != TCL_OK || getTime(m, args[1], &t) != TCL_OK) return TCL_ERROR;
    addJobs(list, jobs, tacQueryHolders(m->model, index, t, jobs, 16));
    return TCL_OK;
}

static int queryBudget(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t index, consumers;
    int64_t t;
    if (getObject(m, TAC_SERVER, args[0], &index) != TCL_OK || getTime(m, args[1], &t) != TCL_OK) return TCL_ERROR;
    addTime(m, list, tacQueryBudget(m->model, index, t, &consumers));
    addNumber(list, consumers);
    return TCL_OK;
}

static int querySemaphore(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t index;
    int64_t t;
    if (getObject(m, TAC_SEMAPHORE, args[0], &index) != TCL_OK || getTime(m, args[1], &t) != TCL_OK) return TCL_ERROR;
    addNumber(list, tacQuerySemaphore(m->model, index, t));
    return TCL_OK;
}

/* capacity, then the elements. */
static void addContents(const TestedModel *m, Tcl_Obj *list, const uint32_t *data, uint32_t count, int64_t capacity) {
    addNumber(list, capacity);
    for (uint32_t i = 0; i < count; i++) addText(list, tacString(m->store, data[i]));
}

static int queryBuffer(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t index, *data, count;
    int64_t t, capacity;
    tacError err = {0};
    if (getObject(m, TAC_BUFFER, args[0], &index) != TCL_OK || getTime(m, args[1], &t) != TCL_OK) return TCL_ERROR;
    if (tacQueryBuffer(m->model, index, t, &data, &count, &capacity, &err) != TAC_OK) {
        Tcl_SetObjResult(m->interp, Tcl_NewStringObj(err.message, -1));
        return TCL_ERROR;
    }
    addContents(m, list, data, count, capacity);
    tacFree(data);
    return TCL_OK;
}

/* Line of the next or previous event of a task. */
static int queryEvent(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    static const char *const directions[] = {"next", "previous", NULL};
    int which;
    uint32_t task, row;
    int64_t t;
    if (Tcl_GetIndexFromObj(m->interp, args[0], directions, "direction", 0, &which) != TCL_OK
        || getObject(m, TAC_TASK, args[1], &task) != TCL_OK || getTime(m, args[2], &t) != TCL_OK)
        return TCL_ERROR;
    row = which == 0 ? tacQueryNext(m->model, task, t) : tacQueryPrevious(m->model, task, t);
    if (row != TAC_NONE) addNumber(list, tacRowLine(m->store, row));
    return TCL_OK;
}

/* Indices of slices (holds, runs) that touch [from, to], by the walk of query.h. */
static int queryWindow(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    static const char *const kinds[] = {"slices", "holds", "runs", NULL};
    int which;
    uint32_t owner, i = 0;
    int64_t from, to;
    if (Tcl_GetIndexFromObj(m->interp, args[0], kinds, "kind", 0, &which) != TCL_OK
        || getObject(m, which == 2 ? TAC_PROCESSOR : TAC_TASK, args[1], &owner) != TCL_OK
        || getTime(m, args[2], &from) != TCL_OK || getTime(m, args[3], &to) != TCL_OK)
        return TCL_ERROR;
    const tacTaskModel *task = which == 2 ? NULL : &m->model->tasks[owner];
    const tacProcessorModel *processor = which == 2 ? &m->model->processors[owner] : NULL;
    for (;; i++) {
        int64_t begin;
        i = which == 0   ? tacQuerySlice(m->model, owner, i, from)
            : which == 1 ? tacQueryHold(m->model, owner, i, from)
                         : tacQueryRun(m->model, owner, i, from);
        if (i >= (which == 0 ? task->slices.count : which == 1 ? task->holds.count : processor->runs.count)) break;
        if (which == 0) begin = task->slices.at[i].begin;
        else if (which == 1) begin = task->holds.at[i].begin;
        else begin = m->model->tasks[processor->runs.at[i].task].slices.at[processor->runs.at[i].slice].begin;
        if (begin > to) break;
        addNumber(list, i);
    }
    return TCL_OK;
}

/* ---- bins ---- */

static void addBin(const TestedModel *m, Tcl_Obj *list, const tacBin *bin) {
    Tcl_Obj *row = Tcl_NewListObj(0, NULL);
    addNumber(row, bin->count);
    addNumber(row, bin->first == TAC_NONE ? -1 : (int64_t) bin->first);
    for (int state = TAC_STATE_RUNNING; state < TAC_STATES; state++)
        if (state != TAC_STATE_COMPLETED && (state != TAC_STATE_UNKNOWN || bin->time[state]))
            addTime(m, row, bin->time[state]);
    add(list, row);
}

/* tasks|processors ID FROM TO N: a list of {count first running preempted blocked between}. */
static int queryBins(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    static const char *const kinds[] = {"task", "processor", NULL};
    int which, n;
    uint32_t owner;
    int64_t from, to;
    if (Tcl_GetIndexFromObj(m->interp, args[0], kinds, "kind", 0, &which) != TCL_OK
        || getObject(m, which ? TAC_PROCESSOR : TAC_TASK, args[1], &owner) != TCL_OK
        || getTime(m, args[2], &from) != TCL_OK || getTime(m, args[3], &to) != TCL_OK
        || Tcl_GetIntFromObj(m->interp, args[4], &n) != TCL_OK)
        return TCL_ERROR;
    tacBin *bins = tacAllocZero((size_t) n, sizeof *bins);
    (which ? tacLodProcessor : tacLodTask)(m->model, owner, from, to, (uint32_t) n, bins);
    for (int i = 0; i < n; i++) addBin(m, list, &bins[i]);
    tacFree(bins);
    return TCL_OK;
}

/* The same, summed slice by slice. */
static void naiveBin(const TestedModel *m, int which, uint32_t owner, int64_t a, int64_t b, tacBin *bin) {
    const tacTaskModel *task = which ? NULL : &m->model->tasks[owner];
    const tacProcessorModel *processor = which ? &m->model->processors[owner] : NULL;
    uint32_t n = (uint32_t) (which ? processor->runs.count : task->slices.count);
    uint32_t nTasks = 0;
    const uint32_t *tasks = which ? tacLodTasks(m->model, owner, &nTasks) : NULL;
    *bin = (tacBin){.first = TAC_NONE};
    for (uint32_t i = 0; i < n; i++) {
        const tacSlice *s = which ? &m->model->tasks[processor->runs.at[i].task].slices.at[processor->runs.at[i].slice]
                                  : &task->slices.at[i];
        int64_t begin = s->begin > a ? s->begin : a, end = s->end < b ? s->end : b;
        if (end > begin)
            bin->time[s->state] = (int64_t) ((uint64_t) bin->time[s->state] + (uint64_t) end - (uint64_t) begin);
        for (uint32_t k = 0; which && k < nTasks && end > begin && s->state == TAC_STATE_RUNNING; k++)
            if (tasks[k] == processor->runs.at[i].task) bin->parts[k] += end - begin;
        if (!(s->begin >= a && s->begin < b) && !(s->begin < a && s->end > a)) continue;
        bin->begun += s->begin >= a;
        if (bin->count++ == 0) bin->first = i;
    }
}

static bool sameBin(const tacBin *a, const tacBin *b) {
    return memcmp(a->time, b->time, sizeof a->time) == 0 && memcmp(a->parts, b->parts, sizeof a->parts) == 0
        && a->count == b->count && a->begun == b->begun && a->first == b->first;
}

/* How long the slices of a row run within [a, b) that are of this outcome, or on this processor; looked at one by one.
 */
static int64_t naiveShare(
    const TestedModel *m, int which, uint32_t owner, int outcome, uint16_t processor, int64_t a, int64_t b) {
    uint32_t n = (uint32_t) (which ? m->model->processors[owner].runs.count : m->model->tasks[owner].slices.count);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tacSlice *s = which ? tacRunSlice(m->model, m->model->processors[owner].runs.at[i])
                                  : &m->model->tasks[owner].slices.at[i];
        int64_t begin = s->begin > a ? s->begin : a, end = s->end < b ? s->end : b;
        if (s->state != TAC_STATE_RUNNING || end <= begin) continue;
        const tacJob *job = &m->model->jobs.at[s->job];
        int of = job->flags & TAC_JOB_MISSED ? 0 : job->deadline == TAC_UNKNOWN ? 1 : 2;
        if (processor == TAC_NO_PROCESSOR ? of == outcome : s->processor == processor)
            sum += (uint64_t) end - (uint64_t) begin;
    }
    return (int64_t) sum;
}

/* Compares shares of what runs, of an outcome or on a processor of a task, with naive sums: what differs first. */
static void compareShare(const TestedModel *m, int which, uint32_t owner, int outcome, uint16_t processor, int64_t from,
    int64_t to, uint32_t n, Tcl_Obj *list) {
    tacBin *bins = tacAllocZero(n, sizeof *bins);
    if (processor != TAC_NO_PROCESSOR) tacLodPart(m->model, owner, processor, from, to, n, bins);
    else
        tacLodOutcome(m->model, which ? TAC_NONE : owner, which ? (uint16_t) owner : TAC_NO_PROCESSOR,
            (tacJobOutcome) outcome, from, to, n, bins);
    for (uint32_t i = 0; i < n; i++) {
        int64_t a = tacLodBorder(from, to, n, i), b = tacLodBorder(from, to, n, i + 1),
                expected = naiveShare(m, which, owner, outcome, processor, a, b);
        if (expected == bins[i].time[TAC_STATE_RUNNING]) continue;
        addText(list, "share"), addNumber(list, outcome), addNumber(list, processor), addNumber(list, i);
        addNumber(list, bins[i].time[TAC_STATE_RUNNING]), addNumber(list, expected);
        break;
    }
    tacFree(bins);
}

static void compareShares(
    const TestedModel *m, int which, uint32_t owner, int64_t from, int64_t to, uint32_t n, Tcl_Obj *list) {
    uint16_t processors[TAC_LOD_TASKS];
    bool ready = false, made = true;
    while (made && !ready)
        made = tacLodSumOutcomes(
            m->model, which ? TAC_NONE : owner, which ? (uint16_t) owner : TAC_NO_PROCESSOR, 7, &ready);
    for (int outcome = 0; ready && outcome < TAC_OUTCOMES_SUMMED; outcome++)
        compareShare(m, which, owner, outcome, TAC_NO_PROCESSOR, from, to, n, list);
    uint32_t count = which ? 0 : tacLodProcessors(m->model, owner, processors, TAC_LOD_TASKS);
    for (uint32_t k = 0; k < count && k < TAC_LOD_TASKS; k++)
        if (processors[k] != TAC_NO_PROCESSOR) compareShare(m, which, owner, -1, processors[k], from, to, n, list);
}

/* tasks|processors ID FROM TO N: the first bin in which tacLod and the naive sum differ, or nothing. */
static int compareBins(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    static const char *const kinds[] = {"task", "processor", NULL};
    int which, n;
    uint32_t owner;
    int64_t from, to;
    if (Tcl_GetIndexFromObj(m->interp, args[0], kinds, "kind", 0, &which) != TCL_OK
        || getObject(m, which ? TAC_PROCESSOR : TAC_TASK, args[1], &owner) != TCL_OK
        || getTime(m, args[2], &from) != TCL_OK || getTime(m, args[3], &to) != TCL_OK
        || Tcl_GetIntFromObj(m->interp, args[4], &n) != TCL_OK)
        return TCL_ERROR;
    tacBin *bins = tacAllocZero((size_t) n, sizeof *bins), whole, expected;
    (which ? tacLodProcessor : tacLodTask)(m->model, owner, from, to, (uint32_t) n, bins);
    for (int i = 0; i < n; i++) {
        naiveBin(m, which, owner, tacLodBorder(from, to, (uint32_t) n, (uint32_t) i),
            tacLodBorder(from, to, (uint32_t) n, (uint32_t) i + 1), &expected);
        if (sameBin(&expected, &bins[i])) continue;
        addNumber(list, i), addBin(m, list, &bins[i]), addBin(m, list, &expected);
        break;
    }
    tacFree(bins);
    naiveBin(m, which, owner, from, to, &whole);
    uint32_t count = (which ? tacLodProcessorCount : tacLodTaskCount)(m->model, owner, from, to);
    if (count != whole.count) addText(list, "count"), addNumber(list, count), addNumber(list, whole.count);
    compareShares(m, which, owner, from, to, (uint32_t) n, list);
    return TCL_OK;
}

/* task ID FROM TO N: the first bin of arrows that is not what looking at each arrow gives, or nothing. */
static int compareArrows(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t task;
    int64_t from, to;
    int n;
    if (getObject(m, TAC_TASK, args[0], &task) != TCL_OK || getTime(m, args[1], &from) != TCL_OK
        || getTime(m, args[2], &to) != TCL_OK || Tcl_GetIntFromObj(m->interp, args[3], &n) != TCL_OK)
        return TCL_ERROR;
    const tacTaskModel *of = &m->model->tasks[task];
    tacArrowBin *bins = tacAllocZero((size_t) n, sizeof *bins);
    tacLodArrows(m->model, task, from, to, (uint32_t) n, bins);
    for (int i = 0; i < n; i++) {
        uint32_t total = 0, deadlines = 0, special = 0;
        for (size_t k = 0; k < of->arrows.count; k++) {
            uint32_t row = of->arrows.at[k];
            tacEvent event = tacRowEvent(m->store, row);
            int64_t t = tacRowTime(m->store, row);
            if (t < tacLodBorder(from, to, (uint32_t) n, (uint32_t) i)
                || t >= tacLodBorder(from, to, (uint32_t) n, (uint32_t) i + 1))
                continue;
            bool other = tacRowHasOptions(m->store, row) || event == TAC_EV_TASK_ARRIVED_AND_IGNORED;
            total++;
            special += other;
            deadlines += !other && tacEventIs(event, TAC_TRAIT_DEADLINE);
        }
        if (bins[i].end - bins[i].first == total && bins[i].deadlines == deadlines && bins[i].special == special)
            continue;
        addNumber(list, i), addNumber(list, bins[i].end - bins[i].first), addNumber(list, total);
        addNumber(list, bins[i].deadlines), addNumber(list, deadlines), addNumber(list, bins[i].special),
            addNumber(list, special);
        break;
    }
    tacFree(bins);
    return TCL_OK;
}

/* server ID: of all stretches of points that begin and end at multiples of STEP, the first whose range is not right, or
 * nothing. */
static int compareBudgets(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t server;
    int step;
    if (getObject(m, TAC_SERVER, args[0], &server) != TCL_OK || Tcl_GetIntFromObj(m->interp, args[1], &step) != TCL_OK)
        return TCL_ERROR;
    const tacServerModel *of = &m->model->servers[server];
    for (uint32_t first = 0; first < of->points.count; first += (uint32_t) step) {
        for (uint32_t end = first + 1; end <= of->points.count; end += (uint32_t) step) {
            int64_t from = of->points.at[first].time,
                    to = end < of->points.count ? of->points.at[end].time : m->model->end;
            double least, largest, trueLeast = INFINITY, trueLargest = 0;
            for (uint32_t i = first; i < end; i++) {
                double begin = tacLodBudgetAt(&of->points.at[i], of->points.at[i].time);
                double after = tacLodBudgetAt(&of->points.at[i], i + 1 < end ? of->points.at[i + 1].time : to);
                trueLeast = fmin(trueLeast, fmin(begin, after)), trueLargest = fmax(trueLargest, fmax(begin, after));
            }
            tacLodBudgets(m->model, server, first, end, from, to, &least, &largest);
            if (least == trueLeast && largest == trueLargest) continue;
            addNumber(list, first), addNumber(list, end);
            return TCL_OK;
        }
    }
    return TCL_OK;
}

/* task ID FROM TO N: {count first} of its arrows by bin. */
static int queryMarkBins(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    uint32_t task;
    int64_t from, to;
    int n;
    if (getObject(m, TAC_TASK, args[0], &task) != TCL_OK || getTime(m, args[1], &from) != TCL_OK
        || getTime(m, args[2], &to) != TCL_OK || Tcl_GetIntFromObj(m->interp, args[3], &n) != TCL_OK)
        return TCL_ERROR;
    tacMarkBin *bins = tacAllocZero((size_t) n, sizeof *bins);
    tacLodMarks(m->model, m->model->tasks[task].arrows.at, (uint32_t) m->model->tasks[task].arrows.count, from, to,
        (uint32_t) n, bins);
    for (int i = 0; i < n; i++) {
        addNumber(list, bins[i].count);
        addNumber(list, bins[i].first == TAC_NONE ? -1 : (int64_t) bins[i].first);
    }
    tacFree(bins);
    return TCL_OK;
}

/* ---- the consumer that compares ---- */

/* All that can be asked about an instant, one way or the other: from the replay under way, or afterwards (replay NULL).
 */
static Tcl_Obj *describe(const TestedModel *m, const struct tacReplay *replay, int64_t t) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    uint32_t jobs[16], n, consumers, *data = NULL;
    int64_t capacity;
    for (uint32_t id = 0; id < tacStoreObjects(m->store, TAC_JOB); id++) {
        uint16_t processor = TAC_NO_PROCESSOR;
        uint32_t job = replay ? tacNowJob(replay, id) : tacQueryJob(m->model, id, t);
        tacJobState state = replay ? tacNowJobState(replay, id, &processor)
            : job == TAC_NONE      ? TAC_STATE_NONE
                                   : tacQueryJobState(m->model, job, t, &processor);
        if (state == TAC_STATE_COMPLETED)
            processor = TAC_NO_PROCESSOR; /* afterwards: where its work between jobs ran last */
        addText(list, stateNames[state]), addNumber(list, processor), addNumber(list, job);
    }
    for (uint32_t i = 0; i < tacStoreObjects(m->store, TAC_PROCESSOR); i++) {
        n = replay ? tacNowRunning(replay, i, jobs, 16) : tacQueryRunning(m->model, i, t, jobs, 16);
        addJobs(list, jobs, n);
    }
    for (uint32_t i = 0; i < tacStoreObjects(m->store, TAC_MUTEX); i++) {
        n = replay ? tacNowHolders(replay, i, jobs, 16) : tacQueryHolders(m->model, i, t, jobs, 16);
        addJobs(list, jobs, n);
    }
    for (uint32_t i = 0; i < tacStoreObjects(m->store, TAC_SERVER); i++) {
        addNumber(list, replay ? tacNowBudget(replay, i, &consumers) : tacQueryBudget(m->model, i, t, &consumers));
        addNumber(list, consumers);
    }
    for (uint32_t i = 0; i < tacStoreObjects(m->store, TAC_SEMAPHORE); i++)
        addNumber(list, replay ? tacNowSemaphore(replay, i) : tacQuerySemaphore(m->model, i, t));
    for (uint32_t i = 0; i < tacStoreObjects(m->store, TAC_BUFFER); i++) {
        const tacBufferContents *now = replay ? tacNowBuffer(replay, i) : NULL;
        if (now) {
            capacity = now->capacity;
            n = (uint32_t) now->count;
            if ((data = tacAlloc(n * sizeof *data))) tacBufferCopy(now, data);
        } else if (tacQueryBuffer(m->model, i, t, &data, &n, &capacity, NULL) != TAC_OK) n = 0;
        addContents(m, list, data, n, capacity);
        tacFree(data);
        data = NULL;
    }
    return list;
}

/* All that a replay tells at a row: what describe() has, records of jobs, jobs of tasks, changes and holds. */
static Tcl_Obj *describeRow(const TestedModel *m, const tacModel *model, const struct tacReplay *replay) {
    Tcl_Obj *list = describe(m, replay, 0);
    uint32_t n, ended, begun;
    for (uint32_t id = 0; id < tacStoreObjects(m->store, TAC_JOB); id++) {
        uint32_t index = tacNowJob(replay, id);
        if (index == TAC_NONE) continue;
        const tacJob *job = tacNowRecord(replay, index);
        int64_t fields[] = {job->release, job->start, job->completion, job->deadline, job->execution, job->preempted,
            job->blocked, job->id, job->task, job->preemptions, job->migrations, job->row, job->processor, job->state,
            job->flags, tacNowHasRun(replay, index)};
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) addNumber(list, fields[i]);
    }
    for (uint32_t i = 0; i < tacStoreObjects(m->store, TAC_TASK); i++) addNumber(list, tacNowTaskJob(replay, i));
    for (uint32_t i = 0; i < model->nProcessors; i++) addNumber(list, tacNowProcessorUnknown(replay, i));
    const tacStateChange *changes = tacNowChanges(replay, &n);
    for (uint32_t i = 0; i < n; i++) {
        addNumber(list, changes[i].job), addNumber(list, changes[i].from), addNumber(list, changes[i].to);
        addNumber(list, changes[i].migrated), addNumber(list, model->jobs.at[changes[i].job].id);
    }
    tacNowHoldChange(replay, &ended, &begun);
    addNumber(list, ended), addNumber(list, begun), addNumber(list, model->idsChangeTask);
    return list;
}

static tacStatus watchEvent(
    void *data, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    TestedModel *m = data;
    m->model = model;
    m->store = model->store;
    if (row == m->stopAt) return tacFail(err, "CONSUMER STOP", "the consumer stopped at row %u", row);
    Tcl_Obj *told = describeRow(m, model, replay);
    Tcl_IncrRefCount(told);
    if (!tacArrayPush(&m->rows, told)) return tacFailMemory(err);
    if (row + 1 < tacStoreCount(m->store) && tacRowTime(m->store, row + 1) == tacRowTime(m->store, row)) return TAC_OK;
    Snapshot taken = {tacNow(replay), describe(m, replay, 0)};
    Tcl_IncrRefCount(taken.now);
    return tacArrayPush(&m->snapshots, taken) ? TAC_OK : tacFailMemory(err);
}

static tacStatus followEvent(
    void *data, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    TestedModel *m = data;
    (void) err;
    if (m->differs != TAC_NONE) return TAC_OK;
    Tcl_Obj *told = describeRow(m, model, replay);
    Tcl_IncrRefCount(told);
    if (strcmp(Tcl_GetString(told), Tcl_GetString(m->rows.at[row])) == 0) Tcl_DecrRefCount(told);
    else m->differs = row, m->other = told;
    return TAC_OK;
}

/* Bytes of the model's arrays, summed up with their places: has anything changed? */
static uint64_t checksum(const tacModel *model) {
    uint64_t sum = tacModelBytes(model);
    const struct {
        const void *at;
        size_t size;
    } parts[] = {{model->jobs.at, model->jobs.count * sizeof *model->jobs.at},
        {model->tasks, tacStoreObjects(model->store, TAC_TASK) * sizeof *model->tasks},
        {model->servers, tacStoreObjects(model->store, TAC_SERVER) * sizeof *model->servers},
        {model->processors, model->nProcessors * sizeof *model->processors},
        {model->buffers, tacStoreObjects(model->store, TAC_BUFFER) * sizeof *model->buffers},
        {model->mutexes, tacStoreObjects(model->store, TAC_MUTEX) * sizeof *model->mutexes},
        {model->semaphores, tacStoreObjects(model->store, TAC_SEMAPHORE) * sizeof *model->semaphores},
        {model, sizeof *model}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (size_t k = 0; k < parts[i].size; k++) sum = sum * 31 + ((const uint8_t *) parts[i].at)[k];
    for (uint32_t i = 0; i < tacStoreObjects(model->store, TAC_TASK); i++)
        for (size_t k = 0; k < model->tasks[i].slices.count; k++)
            sum = sum * 31 + (uint64_t) model->tasks[i].slices.at[k].end;
    return sum;
}

/* Follows the complete model: how many rows there are, and the first one at which something else is told than while the
 * model was made, with both answers; or that following has changed the model. */
static int compareFollow(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    tacConsumer follower = {.data = m, .event = followEvent};
    tacError err = {0};
    uint64_t before = checksum(m->model);
    (void) args;
    m->differs = TAC_NONE;
    if (tacReplayFollow(m->model, &follower, 1, &err) != TAC_OK) addText(list, err.message);
    addNumber(list, (int64_t) m->rows.count);
    if (m->differs != TAC_NONE) addNumber(list, m->differs), add(list, m->rows.at[m->differs]), add(list, m->other);
    if (before != checksum(m->model)) addText(list, "the model has changed");
    return TCL_OK;
}

/* The first instant at which the replay and the queries disagree, and both answers; and how many instants there were.
 */
static int compareWatch(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    (void) args;
    addNumber(list, (int64_t) m->snapshots.count);
    for (size_t i = 0; i < m->snapshots.count; i++) {
        Tcl_Obj *then = describe(m, NULL, m->snapshots.at[i].t);
        Tcl_IncrRefCount(then);
        bool equal = strcmp(Tcl_GetString(then), Tcl_GetString(m->snapshots.at[i].now)) == 0;
        if (!equal) addTime(m, list, m->snapshots.at[i].t), add(list, m->snapshots.at[i].now), add(list, then);
        Tcl_DecrRefCount(then);
        if (!equal) break;
    }
    return TCL_OK;
}

static int getBytes(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list) {
    (void) args;
    addNumber(list, (int64_t) tacModelBytes(m->model));
    addNumber(list, (int64_t) tacLodBytes(m->model->lod));
    return TCL_OK;
}

/* ---- the command ---- */

static const struct ModelCommand {
    const char *name;
    int nArgs; /* -1: one or two */
    int (*run)(TestedModel *m, Tcl_Obj *const args[], Tcl_Obj *list);
} modelCommands[] = {
    {"jobs", 0, listJobs},
    {"slices", 1, listSlices},
    {"runs", 1, listRuns},
    {"unknown", 1, listUnknown},
    {"holds", 1, listHolds},
    {"points", 1, listPoints},
    {"marks", -1, listMarks},
    {"diag", 0, listDiag},
    {"span", 0, getSpan},
    {"task", 1, getTask},
    {"processor", 1, getProcessor},
    {"server", 1, getServer},
    {"mutex", 1, getMutex},
    {"bufferModel", 1, getBuffer},
    {"state", 2, queryState},
    {"jobState", 2, queryJobState},
    {"taskJob", 2, queryTaskJob},
    {"running", 2, queryRunning},
    {"holders", 2, queryHolders},
    {"budget", 2, queryBudget},
    {"semaphore", 2, querySemaphore},
    {"buffer", 2, queryBuffer},
    {"event", 3, queryEvent},
    {"window", 4, queryWindow},
    {"bins", 5, queryBins},
    {"compareBins", 5, compareBins},
    {"markBins", 4, queryMarkBins},
    {"compareArrows", 4, compareArrows},
    {"compareBudgets", 2, compareBudgets},
    {"watch", 0, compareWatch},
    {"follow", 0, compareFollow},
    {"bytes", 0, getBytes},
    {NULL, 0, NULL},
};

static int modelCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TestedModel *m = data;
    int which;
    if (objc < 2) return Tcl_WrongNumArgs(interp, 1, objv, "subcommand ?arg ...?"), TCL_ERROR;
    if (strcmp(Tcl_GetString(objv[1]), "close") == 0) return Tcl_DeleteCommand(interp, Tcl_GetString(objv[0])), TCL_OK;
    if (Tcl_GetIndexFromObjStruct(
            interp, objv[1], modelCommands, sizeof *modelCommands, "subcommand", TCL_EXACT, &which)
        != TCL_OK)
        return TCL_ERROR;
    const struct ModelCommand *command = &modelCommands[which];
    if (command->nArgs >= 0 ? objc - 2 != command->nArgs : objc < 3 || objc > 4) {
        Tcl_SetObjResult(interp, Tcl_ObjPrintf("wrong # args to %s", command->name));
        return TCL_ERROR;
    }
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    if (command->run(m, objv + 2, list) != TCL_OK) {
        Tcl_DecrRefCount(list);
        return TCL_ERROR;
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static void deleteModel(void *data) {
    TestedModel *m = data;
    for (size_t i = 0; i < m->snapshots.count; i++) Tcl_DecrRefCount(m->snapshots.at[i].now);
    tacArrayFree(&m->snapshots);
    for (size_t i = 0; i < m->rows.count; i++) Tcl_DecrRefCount(m->rows.at[i]);
    tacArrayFree(&m->rows);
    if (m->other) Tcl_DecrRefCount(m->other);
    tacTraceClose(m->trace);
    Tcl_Free((char *) m);
}

/* ---- opening ---- */

typedef struct OpenArgs {
    tacOpenOptions options;
    const char *ignore[16];
    bool watch, file;
} OpenArgs;

static int readOption(TestedModel *m, OpenArgs *args, const char *name, Tcl_Obj *value) {
    static const char *const names[] = {
        "-strict", "-ignore", "-reference", "-eventlimit", "-watch", "-stopat", "-file", NULL};
    int which, n, flag = 0;
    Tcl_WideInt wide = 0;
    Tcl_Obj *nameObj = Tcl_NewStringObj(name, -1), **words;
    Tcl_IncrRefCount(nameObj);
    int status = Tcl_GetIndexFromObj(m->interp, nameObj, names, "option", TCL_EXACT, &which);
    Tcl_DecrRefCount(nameObj);
    if (status != TCL_OK) return TCL_ERROR;
    if (which != 1 && which != 2 && Tcl_GetWideIntFromObj(m->interp, value, &wide) != TCL_OK) return TCL_ERROR;
    flag = wide != 0;
    switch (which) {
    case 0: args->options.strict = flag; break;
    case 1:
        if (Tcl_ListObjGetElements(m->interp, value, &n, &words) != TCL_OK) return TCL_ERROR;
        for (int i = 0; i < n && i < 15; i++) args->ignore[i] = Tcl_GetString(words[i]);
        args->options.ignore = args->ignore;
        break;
    case 2: args->options.reference = Tcl_GetString(value); break;
    case 3: args->options.eventLimit = (uint64_t) wide; break;
    case 4: args->watch = flag; break;
    case 5: m->stopAt = wide, args->watch = true; break;
    default: args->file = flag;
    }
    return TCL_OK;
}

static int failOpen(Tcl_Interp *interp, TestedModel *m, const tacError *err) {
    if (err) {
        Tcl_SetObjResult(interp, Tcl_NewStringObj(err->message, -1));
        Tcl_SetErrorCode(interp, "TACTUS", err->code, NULL);
    }
    deleteModel(m);
    return TCL_ERROR;
}

static int openCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static int count;
    TestedModel *m = (TestedModel *) Tcl_Alloc(sizeof *m);
    OpenArgs args = {0};
    tacError err = {0};
    int length;
    (void) data;
    *m = (TestedModel){.interp = interp, .stopAt = -1};
    if (objc < 2 || objc % 2)
        return Tcl_WrongNumArgs(interp, 1, objv, "text ?-option value ...?"), failOpen(interp, m, NULL);
    for (int i = 2; i < objc; i += 2)
        if (readOption(m, &args, Tcl_GetString(objv[i]), objv[i + 1]) != TCL_OK) return failOpen(interp, m, NULL);
    tacConsumer watcher = {.data = m, .event = watchEvent};
    args.options.consumers = &watcher;
    args.options.nConsumers = args.watch;
    const char *text = Tcl_GetStringFromObj(objv[1], &length);
    m->trace = args.file ? tacTraceOpen(text, &args.options, &err)
                         : tacTraceOpenText("text", text, (size_t) length, &args.options, &err);
    if (!m->trace) return failOpen(interp, m, &err);
    m->model = &m->trace->model;
    m->store = &m->trace->store;
    Tcl_Obj *name = Tcl_ObjPrintf("testModel%d", ++count);
    Tcl_CreateObjCommand(interp, Tcl_GetString(name), modelCommand, m, deleteModel);
    Tcl_SetObjResult(interp, name);
    return TCL_OK;
}

TAC_EXPORT int TacTestModel_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testModel", openCommand, NULL, NULL);
    return TCL_OK;
}
