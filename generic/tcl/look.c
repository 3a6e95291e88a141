/*
 * look.c -- $trace look: what is looked at, and the pieces that the lookers at jobs, events and objects share.
 */
#include <tcl.h>

#include "base/port.h"

#include "model/ask.h"
#include "model/buffer.h"
#include "model/query.h"
#include "tcl/dictValue.h"
#include "tcl/look.h"
#include "tcl/optionTable.h"
#include "tcl/tableValue.h"
#include "tcl/traceRecord.h"

#include <stdio.h>
#include <string.h>

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

static void putKey(Tcl_Obj *dict, const char *key, const char *suffix, Tcl_Obj *value) {
    Tcl_DictObjPut(NULL, dict, Tcl_ObjPrintf("%s%s", key, suffix), value);
}

void tacLookPutJob(tacLook *look, const char *key, uint32_t job) {
    tacPutText(look->dict, key,
        job == TAC_NONE ? NULL : tacObjectId(look->model->store, TAC_JOB, look->model->jobs.at[job].id));
    putKey(look->dict, key, "_index", job == TAC_NONE ? Tcl_NewObj() : Tcl_NewWideIntObj(job));
}

void tacLookPutJobs(tacLook *look, const char *key, const uint32_t *jobs, uint32_t count) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < count && i < TAC_LOOK_MOST; i++)
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewWideIntObj(jobs[i]));
    tacPut(look->dict, key, list);
    if (count > TAC_LOOK_MOST) putKey(look->dict, key, "_count", Tcl_NewWideIntObj(count));
}

void tacLookPutProcessor(tacLook *look, const char *key, uint32_t processor) {
    tacPutText(look->dict, key,
        processor == TAC_NO_PROCESSOR || processor >= look->model->nProcessors
            ? NULL
            : tacProcessorId(look->model, processor));
}

void tacLookPutRow(tacLook *look, const tacTable *table, uint64_t row) {
    for (int column = 0; column < table->nColumns; column++)
        tacPut(look->dict, table->columns[column].name, tacTableText(table, row, column));
    look->failed |= table->failed && *table->failed;
}

void tacLookPutDefinition(tacLook *look, tacKind kind, uint32_t index) {
    const tacStore *store = look->model->store;
    if (index >= tacStoreObjects(store, kind)) return;
    tacPutText(look->dict, "name", tacObjectName(store, kind, index));
    tacPutCount(look->dict, "line", store->objects[kind].at[index].line);
}

/* ---- what is looked at ------------------------------------------------------------------------------------------ */

static int needObject(Tcl_Interp *interp, const tacLook *look, tacKind kind, Tcl_Obj *word, uint32_t *index) {
    Tcl_Size length;
    const char *id = Tcl_GetStringFromObj(word, &length);
    *index = tacAskFind(look->model, kind, id, (size_t) length);
    if (*index != TAC_NONE) return TCL_OK;
    return tacTclFail(interp, "LOOKUP OBJECT", "there is no %s \"%.100s\"", tacKindNames[kind], id);
}

static int needIndex(Tcl_Interp *interp, const char *what, Tcl_Obj *word, uint64_t count, uint32_t *index) {
    Tcl_WideInt wide;
    if (Tcl_GetWideIntFromObj(interp, word, &wide) != TCL_OK) return TCL_ERROR;
    *index = (uint32_t) wide;
    if (wide >= 0 && (uint64_t) wide < count) return TCL_OK;
    return tacTclFail(interp, "LOOKUP INDEX", "there is no %s %s", what, Tcl_GetString(word));
}

typedef int Looker(Tcl_Interp *interp, tacLook *look, Tcl_Obj *const words[]);

static int lookEvent(Tcl_Interp *interp, tacLook *look, Tcl_Obj *const words[]) {
    uint32_t row;
    if (needIndex(interp, "event", words[0], tacStoreCount(look->model->store), &row) != TCL_OK) return TCL_ERROR;
    tacLookEvent(look, row);
    return TCL_OK;
}

static int lookJob(Tcl_Interp *interp, tacLook *look, Tcl_Obj *const words[]) {
    uint32_t job;
    if (needIndex(interp, "job", words[0], look->model->jobs.count, &job) != TCL_OK) return TCL_ERROR;
    tacLookJob(look, job);
    return TCL_OK;
}

static int lookSlice(Tcl_Interp *interp, tacLook *look, Tcl_Obj *const words[]) {
    uint32_t task, slice;
    if (needObject(interp, look, TAC_TASK, words[0], &task) != TCL_OK
        || needIndex(interp, "slice", words[1], look->model->tasks[task].slices.count, &slice) != TCL_OK)
        return TCL_ERROR;
    tacLookSlice(look, task, slice);
    return TCL_OK;
}

static int lookRun(Tcl_Interp *interp, tacLook *look, Tcl_Obj *const words[]) {
    uint32_t processor, index;
    if (needObject(interp, look, TAC_PROCESSOR, words[0], &processor) != TCL_OK
        || needIndex(interp, "run", words[1], look->model->processors[processor].runs.count, &index) != TCL_OK)
        return TCL_ERROR;
    tacRun run = look->model->processors[processor].runs.at[index];
    tacLookSlice(look, run.task, run.slice);
    tacPutIndex(look->dict, "slice", run.slice);
    tacPutIndex(look->dict, "index", index);
    return TCL_OK;
}

static int lookHold(Tcl_Interp *interp, tacLook *look, Tcl_Obj *const words[]) {
    uint32_t task, hold;
    if (needObject(interp, look, TAC_TASK, words[0], &task) != TCL_OK
        || needIndex(interp, "hold", words[1], look->model->tasks[task].holds.count, &hold) != TCL_OK)
        return TCL_ERROR;
    tacLookHold(look, task, hold);
    return TCL_OK;
}

/* An object at a time. */
static int lookAt(Tcl_Interp *interp, tacLook *look, Tcl_Obj *const words[], tacKind kind,
    void (*facts)(tacLook *look, uint32_t index, int64_t time)) {
    uint32_t index;
    int64_t time;
    if (needObject(interp, look, kind, words[0], &index) != TCL_OK
        || tacTimeFromObj(interp, words[1], look->model->store->digits, &time) != TCL_OK)
        return TCL_ERROR;
    tacPutText(look->dict, "id", Tcl_GetString(words[0]));
    tacPutTime(look->dict, "time", look->model, time);
    facts(look, index, time);
    return TCL_OK;
}

#define AT(function, kind, facts)                                                    \
    static int function(Tcl_Interp *interp, tacLook *look, Tcl_Obj *const words[]) { \
        return lookAt(interp, look, words, kind, facts);                             \
    }
AT(lookTask, TAC_TASK, tacLookTask)
AT(lookProcessor, TAC_PROCESSOR, tacLookProcessor)
AT(lookServer, TAC_SERVER, tacLookServer)
AT(lookMutex, TAC_MUTEX, tacLookMutex)
AT(lookBuffer, TAC_BUFFER, tacLookBuffer)
#undef AT

/* An element of a buffer at a time, by its place from the head. */
static int lookElement(Tcl_Interp *interp, tacLook *look, Tcl_Obj *const words[]) {
    uint32_t buffer, place, row;
    int64_t time;
    if (needObject(interp, look, TAC_BUFFER, words[0], &buffer) != TCL_OK
        || needIndex(interp, "element", words[1], TAC_BUFFER_MOST, &place) != TCL_OK
        || tacTimeFromObj(interp, words[2], look->model->store->digits, &time) != TCL_OK)
        return TCL_ERROR;
    row = tacQueryElement(look->model, buffer, time, place);
    if (row == TAC_NONE)
        return tacTclFail(interp, "LOOKUP INDEX", "there is no element %s at this time", Tcl_GetString(words[1]));
    tacPutTime(look->dict, "time", look->model, time);
    tacPutCount(look->dict, "place", place);
    tacLookElement(look, buffer, time, row);
    return TCL_OK;
}

static const struct LookKind {
    const char *name;
    Looker *look;
    int words;
    const char *usage;
} kinds[] = {
    {"buffer", lookBuffer, 2, "id time"},
    {"element", lookElement, 3, "buffer place time"},
    {"event", lookEvent, 1, "row"},
    {"hold", lookHold, 2, "task index"},
    {"job", lookJob, 1, "index"},
    {"mutex", lookMutex, 2, "id time"},
    {"processor", lookProcessor, 2, "id time"},
    {"run", lookRun, 2, "processor index"},
    {"server", lookServer, 2, "id time"},
    {"slice", lookSlice, 2, "task index"},
    {"task", lookTask, 2, "id time"},
    {NULL, NULL, 0, NULL},
};

int tacLookSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTraceCall *call = data;
    int kind;
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], kinds, sizeof *kinds, "kind", 0, &kind) != TCL_OK) return TCL_ERROR;
    if (objc - 3 != kinds[kind].words) {
        Tcl_WrongNumArgs(interp, 3, objv, kinds[kind].usage);
        return TCL_ERROR;
    }
    tacLook look = {call->trace, &call->trace->model, Tcl_NewDictObj(), false};
    Tcl_IncrRefCount(look.dict);
    int result = kinds[kind].look(interp, &look, objv + 3);
    if (result == TCL_OK && look.failed) result = tacTclFail(interp, "MEMORY", "not enough memory");
    if (result == TCL_OK) Tcl_SetObjResult(interp, look.dict);
    Tcl_DecrRefCount(look.dict);
    return result;
}
