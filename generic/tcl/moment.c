/*
 * moment.c -- the state of everything at one time, as a Tcl dict: one describer for each kind of object.
 */
#include <tcl.h>

#include "base/port.h"

#include "model/query.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/timeValue.h"
#include "tcl/traceSubcommands.h"

#include <string.h>

static Tcl_Obj *jobId(const tacModel *model, uint32_t job) {
    return Tcl_NewStringObj(tacObjectId(model->store, TAC_JOB, model->jobs.at[job].id), -1);
}

/* ---- describers -------------------------------------------------------------------------------------------------- */

/* Describes an object at a time as a dict; NULL: it has no state then. Sets *failed when there is no memory. */
typedef Tcl_Obj *Describer(const tacModel *model, uint32_t index, int64_t t, bool *failed);

static Tcl_Obj *stateOfJob(const tacModel *model, uint32_t job, int64_t t) {
    uint16_t processor = TAC_NO_PROCESSOR;
    tacJobState state = tacQueryJobState(model, job, t, &processor);
    if (state == TAC_STATE_NONE) return NULL;
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutText(dict, "state", tacStateNames[state]);
    tacPut(dict, "processor",
        processor == TAC_NO_PROCESSOR ? Tcl_NewObj() : Tcl_NewStringObj(tacProcessorId(model, processor), -1));
    return dict;
}

static Tcl_Obj *describeJob(const tacModel *model, uint32_t index, int64_t t, bool *failed) {
    (void) failed;
    uint32_t job = tacQueryJob(model, index, t);
    return job == TAC_NONE ? NULL : stateOfJob(model, job, t);
}

static Tcl_Obj *describeTask(const tacModel *model, uint32_t index, int64_t t, bool *failed) {
    (void) failed;
    uint32_t job = tacQueryTaskJob(model, index, t);
    Tcl_Obj *dict = job == TAC_NONE ? NULL : stateOfJob(model, job, t);
    if (!dict) {
        dict = Tcl_NewDictObj();
        tacPutText(dict, "state", tacStateNames[TAC_STATE_NONE]);
        tacPut(dict, "processor", Tcl_NewObj());
        job = TAC_NONE;
    }
    tacPut(dict, "job", job == TAC_NONE ? Tcl_NewObj() : jobId(model, job));
    return dict;
}

static Tcl_Obj *describeServer(const tacModel *model, uint32_t index, int64_t t, bool *failed) {
    uint32_t consumers;
    (void) failed;
    int64_t budget = tacQueryBudget(model, index, t, &consumers);
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutTime(dict, "budget", model, budget);
    tacPutTime(dict, "capacity", model, model->store->objects[TAC_SERVER].at[index].capacity);
    tacPut(dict, "consumers", Tcl_NewWideIntObj(consumers));
    return dict;
}

/* Finds the jobs of a mutex or a processor: stores up to max of them, and returns how many there are. */
typedef uint32_t JobFinder(const tacModel *model, uint32_t index, int64_t t, uint32_t *jobs, uint32_t max);

static Tcl_Obj *jobList(const tacModel *model, JobFinder *find, uint32_t index, int64_t t, bool *failed) {
    enum { FEW = 16 };
    uint32_t few[FEW], *jobs = few, count = find(model, index, t, few, FEW);
    if (count > FEW) {
        jobs = tacAlloc(count * sizeof *jobs);
        if (!jobs) return *failed = true, Tcl_NewObj();
        find(model, index, t, jobs, count);
    }
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < count; i++) tacAppend(list, jobId(model, jobs[i]));
    if (jobs != few) tacFree(jobs);
    return list;
}

static Tcl_Obj *describeMutex(const tacModel *model, uint32_t index, int64_t t, bool *failed) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "holders", jobList(model, tacQueryHolders, index, t, failed));
    return dict;
}

static Tcl_Obj *describeProcessor(const tacModel *model, uint32_t index, int64_t t, bool *failed) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "running", jobList(model, tacQueryRunning, index, t, failed));
    return dict;
}

static Tcl_Obj *describeSemaphore(const tacModel *model, uint32_t index, int64_t t, bool *failed) {
    (void) failed;
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "count", Tcl_NewWideIntObj(tacQuerySemaphore(model, index, t)));
    return dict;
}

static Tcl_Obj *describeBuffer(const tacModel *model, uint32_t index, int64_t t, bool *failed) {
    uint32_t *data = NULL, count = 0;
    int64_t capacity = 0;
    Tcl_Obj *dict = Tcl_NewDictObj(), *contents = Tcl_NewListObj(0, NULL);
    *failed |= tacQueryBuffer(model, index, t, &data, &count, &capacity, NULL) != TAC_OK;
    for (uint32_t i = 0; data && i < count; i++)
        tacAppend(contents, Tcl_NewStringObj(tacString(model->store, data[i]), -1));
    tacFree(data);
    tacPut(dict, "capacity", Tcl_NewWideIntObj(capacity));
    tacPut(dict, "contents", contents);
    return dict;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------ */

typedef struct Kind {
    const char *name;
    tacKind kind;
    Describer *describe;
} Kind;

static const Kind kinds[] = {
    {"jobs", TAC_JOB, describeJob},
    {"tasks", TAC_TASK, describeTask},
    {"processors", TAC_PROCESSOR, describeProcessor},
    {"servers", TAC_SERVER, describeServer},
    {"mutexes", TAC_MUTEX, describeMutex},
    {"semaphores", TAC_SEMAPHORE, describeSemaphore},
    {"buffers", TAC_BUFFER, describeBuffer},
    {NULL, 0, NULL},
};

/* Number of objects of a kind. The model may have one processor more than the store: the default one. */
static uint32_t countOf(const tacModel *model, const Kind *kind) {
    return kind->kind == TAC_PROCESSOR ? model->nProcessors : tacStoreObjects(model->store, kind->kind);
}

static const char *idOf(const tacModel *model, const Kind *kind, uint32_t index) {
    return kind->kind == TAC_PROCESSOR ? tacProcessorId(model, index) : tacObjectId(model->store, kind->kind, index);
}

/* True when the object is defined; jobs and the default processor need no definition. */
static bool isThere(const tacModel *model, const Kind *kind, uint32_t index) {
    if (kind->kind == TAC_JOB || index >= tacStoreObjects(model->store, kind->kind)) return true;
    return model->store->objects[kind->kind].at[index].line != 0;
}

/* Adds the state of an object that is there and has one, under its id. */
static void addObject(const tacModel *model, const Kind *kind, uint32_t index, int64_t t, Tcl_Obj *dict, bool *failed) {
    if (!isThere(model, kind, index)) return;
    Tcl_Obj *value = kind->describe(model, index, t, failed);
    if (value) tacPut(dict, idOf(model, kind, index), value);
}

/* The states of all objects of a kind, by id. */
static Tcl_Obj *allOf(const tacModel *model, const Kind *kind, int64_t t, bool *failed) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (uint32_t i = 0; i < countOf(model, kind) && !*failed; i++) addObject(model, kind, i, t, dict, failed);
    return dict;
}

/* Index of the object with an id, or TAC_NONE. */
static uint32_t findId(const tacModel *model, const Kind *kind, Tcl_Obj *word) {
    Tcl_Size length;
    const char *id = Tcl_GetStringFromObj(word, &length);
    uint32_t index = tacInternFind(&model->store->ids[kind->kind], id, (size_t) length);
    if (index != TAC_NONE) return isThere(model, kind, index) ? index : TAC_NONE;
    for (index = tacStoreObjects(model->store, kind->kind); index < countOf(model, kind); index++)
        if (strcmp(id, idOf(model, kind, index)) == 0) return index;
    return TAC_NONE;
}

/* Runs `state TIME ?KIND ?ID ...??`: all kinds, each with a dict by id; or the dict of one kind, of all ids or some. */
int tacStateSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacModel *model = &((tacTraceCall *) data)->trace->model;
    bool failed = false;
    int index = 0, result = TCL_OK;
    int64_t time;
    if (tacTimeFromObj(interp, objv[2], model->store->digits, &time) != TCL_OK
        || (objc > 3 && Tcl_GetIndexFromObjStruct(interp, objv[3], kinds, sizeof *kinds, "kind", 0, &index) != TCL_OK))
        return TCL_ERROR;
    Tcl_Obj *dict = objc == 4 ? allOf(model, &kinds[index], time, &failed) : Tcl_NewDictObj();
    if (objc == 3) {
        tacPutTime(dict, "time", model, time);
        for (const Kind *kind = kinds; kind->name; kind++) tacPut(dict, kind->name, allOf(model, kind, time, &failed));
    }
    for (int i = 4; i < objc && result == TCL_OK; i++) {
        uint32_t object = findId(model, &kinds[index], objv[i]);
        if (object != TAC_NONE) addObject(model, &kinds[index], object, time, dict, &failed);
        else
            result = tacTclFail(interp, "LOOKUP OBJECT", "no %s \"%.200s\" in the trace",
                tacKindNames[kinds[index].kind], Tcl_GetString(objv[i]));
    }
    if (result == TCL_OK && failed) result = tacTclMemory(interp);
    if (result == TCL_OK) Tcl_SetObjResult(interp, dict);
    else Tcl_DecrRefCount(dict);
    return result;
}
