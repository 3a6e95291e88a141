/*
 * look.c -- $trace look: one handler for each kind of thing, and the entries that lookJob.c and lookObject.c share.
 */
#include <tcl.h>

#include "base/port.h"

#include "model/ask.h"
#include "model/buffer.h"
#include "model/query.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/look.h"
#include "tcl/optionTable.h"
#include "tcl/tableValue.h"
#include "tcl/timeValue.h"
#include "tcl/traceRecord.h"
#include "tcl/traceSubcommands.h"

#include <stdio.h>
#include <string.h>

/* ---- entries ---------------------------------------------------------------------------------------------------- */

/* Puts a value under the key with a suffix. */
static void putKey(Tcl_Obj *dict, const char *key, const char *suffix, Tcl_Obj *value) {
    Tcl_DictObjPut(NULL, dict, Tcl_ObjPrintf("%s%s", key, suffix), value);
}

void tacLookPutJob(tacDetails *look, const char *key, uint32_t job) {
    tacPutText(look->dict, key,
        job == TAC_NONE ? NULL : tacObjectId(look->model->store, TAC_JOB, look->model->jobs.at[job].id));
    putKey(look->dict, key, "_index", job == TAC_NONE ? Tcl_NewObj() : Tcl_NewWideIntObj(job));
}

void tacLookPutJobs(tacDetails *look, const char *key, const uint32_t *jobs, uint32_t count) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < count && i < TAC_LOOK_MOST; i++) tacAppend(list, Tcl_NewWideIntObj(jobs[i]));
    tacPut(look->dict, key, list);
    if (count > TAC_LOOK_MOST) putKey(look->dict, key, "_count", Tcl_NewWideIntObj(count));
}

void tacLookPutProcessor(tacDetails *look, const char *key, uint32_t processor) {
    tacPutText(look->dict, key,
        processor == TAC_NO_PROCESSOR || processor >= look->model->nProcessors
            ? NULL
            : tacProcessorId(look->model, processor));
}

void tacLookPutRow(tacDetails *look, const tacTable *table, uint64_t row) {
    for (int column = 0; column < table->nColumns; column++)
        tacPut(look->dict, table->columns[column].name, tacTableText(table, row, column));
    look->failed |= table->failed && *table->failed;
}

void tacLookPutDefinition(tacDetails *look, tacKind kind, uint32_t index) {
    const tacStore *store = look->model->store;
    if (index >= tacStoreObjects(store, kind)) return;
    tacPutText(look->dict, "name", tacObjectName(store, kind, index));
    tacPutCount(look->dict, "line", store->objects[kind].at[index].line);
}

/* ---- kinds of things -------------------------------------------------------------------------------------------- */

/* The handlers fill a tacDetails, which is their data. */

static int lookEvent(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDetails *look = data;
    uint32_t row;
    (void) objc;
    if (tacNeedIndex(interp, "event", objv[3], tacStoreCount(look->model->store), &row) != TCL_OK) return TCL_ERROR;
    tacLookEvent(look, row);
    return TCL_OK;
}

static int lookJob(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDetails *look = data;
    uint32_t job;
    (void) objc;
    if (tacNeedIndex(interp, "job", objv[3], look->model->jobs.count, &job) != TCL_OK) return TCL_ERROR;
    tacLookJob(look, job);
    return TCL_OK;
}

static int lookSlice(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDetails *look = data;
    uint32_t task, slice;
    (void) objc;
    if (tacNeedObject(interp, look->model, TAC_TASK, Tcl_GetString(objv[3]), &task) != TCL_OK
        || tacNeedIndex(interp, "slice", objv[4], look->model->tasks[task].slices.count, &slice) != TCL_OK)
        return TCL_ERROR;
    tacLookSlice(look, task, slice);
    return TCL_OK;
}

static int lookRun(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDetails *look = data;
    uint32_t processor, index;
    (void) objc;
    if (tacNeedObject(interp, look->model, TAC_PROCESSOR, Tcl_GetString(objv[3]), &processor) != TCL_OK
        || tacNeedIndex(interp, "run", objv[4], look->model->processors[processor].runs.count, &index) != TCL_OK)
        return TCL_ERROR;
    tacRun run = look->model->processors[processor].runs.at[index];
    tacLookSlice(look, run.task, run.slice);
    tacPutIndex(look->dict, "slice", run.slice);
    tacPutIndex(look->dict, "index", index);
    return TCL_OK;
}

static int lookHold(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDetails *look = data;
    uint32_t task, hold;
    (void) objc;
    if (tacNeedObject(interp, look->model, TAC_TASK, Tcl_GetString(objv[3]), &task) != TCL_OK
        || tacNeedIndex(interp, "hold", objv[4], look->model->tasks[task].holds.count, &hold) != TCL_OK)
        return TCL_ERROR;
    tacLookHold(look, task, hold);
    return TCL_OK;
}

/* Looks at an object (objv[3]) at a time (objv[4]). */
static int lookAt(tacDetails *look, Tcl_Interp *interp, Tcl_Obj *const objv[], tacKind kind,
    void (*facts)(tacDetails *look, uint32_t index, int64_t time)) {
    uint32_t index;
    int64_t time;
    if (tacNeedObject(interp, look->model, kind, Tcl_GetString(objv[3]), &index) != TCL_OK
        || tacTimeFromObj(interp, objv[4], look->model->store->digits, &time) != TCL_OK)
        return TCL_ERROR;
    tacPutText(look->dict, "id", Tcl_GetString(objv[3]));
    tacPutTime(look->dict, "time", look->model, time);
    facts(look, index, time);
    return TCL_OK;
}

#define AT(function, kind, facts)                                                          \
    static int function(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) { \
        (void) objc;                                                                       \
        return lookAt(data, interp, objv, kind, facts);                                    \
    }
AT(lookTask, TAC_TASK, tacLookTask)
AT(lookProcessor, TAC_PROCESSOR, tacLookProcessor)
AT(lookServer, TAC_SERVER, tacLookServer)
AT(lookMutex, TAC_MUTEX, tacLookMutex)
AT(lookBuffer, TAC_BUFFER, tacLookBuffer)
#undef AT

/* Looks at an element of a buffer at a time, by its place from the head. */
static int lookElement(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDetails *look = data;
    uint32_t buffer, place, row;
    int64_t time;
    (void) objc;
    if (tacNeedObject(interp, look->model, TAC_BUFFER, Tcl_GetString(objv[3]), &buffer) != TCL_OK
        || tacNeedIndex(interp, "element", objv[4], TAC_BUFFER_MOST, &place) != TCL_OK
        || tacTimeFromObj(interp, objv[5], look->model->store->digits, &time) != TCL_OK)
        return TCL_ERROR;
    row = tacQueryElement(look->model, buffer, time, place);
    if (row == TAC_NONE)
        return tacTclFail(interp, "LOOKUP INDEX", "there is no element %s at this time", Tcl_GetString(objv[4]));
    tacPutTime(look->dict, "time", look->model, time);
    tacPutCount(look->dict, "place", place);
    tacLookElement(look, buffer, time, row);
    return TCL_OK;
}

const tacSubcommand tacLookSubcommands[] = {
    {"buffer", lookBuffer, 2, 2, "id time", "a buffer at a time"},
    {"element", lookElement, 3, 3, "buffer place time", "an element of a buffer at a time, by its place from the head"},
    {"event", lookEvent, 1, 1, "row", "an event"},
    {"hold", lookHold, 2, 2, "task index", "a stretch in which a task held a mutex"},
    {"job", lookJob, 1, 1, "index", "a job"},
    {"mutex", lookMutex, 2, 2, "id time", "a mutex at a time"},
    {"processor", lookProcessor, 2, 2, "id time", "a processor at a time"},
    {"run", lookRun, 2, 2, "processor index", "the slice that is a processor's run"},
    {"server", lookServer, 2, 2, "id time", "a server at a time"},
    {"slice", lookSlice, 2, 2, "task index", "a slice of a task"},
    {"task", lookTask, 2, 2, "id time", "a task at a time"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

int tacLookSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTraceCall *call = data;
    tacDetails look = {call->trace, &call->trace->model, Tcl_NewDictObj(), false};
    Tcl_IncrRefCount(look.dict);
    int result = tacDispatchAt(&look, interp, 2, "kind", objc, objv, tacLookSubcommands);
    if (result == TCL_OK && look.failed) result = tacTclMemory(interp);
    if (result == TCL_OK) Tcl_SetObjResult(interp, look.dict);
    Tcl_DecrRefCount(look.dict);
    return result;
}
