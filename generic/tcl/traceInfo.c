/*
 * traceInfo.c -- the contents of a trace and the fit of its clocks as Tcl dicts.
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/tables.h"
#include "model/ask.h"
#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tcl/tableValue.h"
#include "tcl/traceSubcommands.h"
#include "trace/called.h"
#include "trace/scheduling.h"

/* ---- contents --------------------------------------------------------------------------------------------------- */

static bool isDefined(const tacStore *store, tacKind kind, uint32_t index) {
    if (kind != TAC_JOB) return store->objects[kind].at[index].line != 0;
    return store->jobTask.at[index] != TAC_NONE && isDefined(store, TAC_TASK, store->jobTask.at[index]);
}

/* Counts of the objects of each kind that the trace defines; of jobs, the ids that it uses, of defined tasks. */
static Tcl_Obj *objectCounts(const tacStore *store) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        uint64_t count = 0;
        for (uint32_t i = 0; i < tacStoreObjects(store, (tacKind) kind); i++)
            count += isDefined(store, (tacKind) kind, i);
        tacPutCount(dict, tacKindNames[kind], count);
    }
    return dict;
}

static Tcl_Obj *eventCounts(const tacStore *store) {
    uint64_t counts[TAC_EVENTS] = {0};
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (uint32_t row = 0; row < tacStoreCount(store); row++) counts[tacRowEvent(store, row)]++;
    for (int event = 0; event < TAC_EVENTS; event++)
        if (counts[event]) tacPutCount(dict, *tacEvents[event].name ? tacEvents[event].name : "other", counts[event]);
    return dict;
}

/* ---- processors and clocks -------------------------------------------------------------------------------------- */

/* True when the processor is defined, or is the default one, which the model adds. */
static bool isShown(const tacTrace *trace, uint32_t processor) {
    return processor >= tacStoreObjects(&trace->store, TAC_PROCESSOR)
        || trace->store.objects[TAC_PROCESSOR].at[processor].line != 0;
}

static Tcl_Obj *processorList(const tacTrace *trace) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < trace->model.nProcessors; i++) {
        if (!isShown(trace, i)) continue;
        const tacClock *clock = i < trace->clocks.clocks.count ? &trace->clocks.clocks.at[i] : NULL;
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPutText(dict, "id", tacProcessorId(&trace->model, i));
        tacPutText(dict, "name", tacProcessorName(&trace->model, i));
        tacPut(dict, "cluster", clock ? Tcl_NewWideIntObj(clock->cluster) : Tcl_NewObj());
        tacPutFlag(dict, "mapped", clock && clock->mapped);
        tacPutText(dict, "scheduler", tacSchedulerWord(tacSchedulerOf(&trace->store, TAC_PROCESSOR, i)));
        tacAppend(list, dict);
    }
    return list;
}

static void putReference(Tcl_Obj *dict, const tacTrace *trace) {
    uint32_t reference = trace->clocks.reference;
    tacPutText(dict, "reference",
        reference == TAC_NONE || reference >= trace->model.nProcessors ? "" : tacProcessorId(&trace->model, reference));
}

int tacInfoSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTraceCall *call = data;
    const tacTrace *trace = call->trace;
    const tacModel *model = &trace->model;
    (void) objc, (void) objv;
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutText(dict, "file", call->record->name);
    tacPutFlag(dict, "kernel", trace->kernel);
    tacPutFlag(dict, "programs", trace->programs);
    tacPutTime(dict, "begin", &trace->model, model->begin);
    tacPutTime(dict, "end", &trace->model, model->end);
    tacPutTime(dict, "length", &trace->model, tacElapsed(model->begin, model->end));
    tacPutCount(dict, "decimals", (uint64_t) trace->store.digits);
    tacPutText(dict, "unit", trace->store.unit);
    if (trace->store.sourceLines) tacPutFlag(dict, "source_lines", true);
    tacPutCount(dict, "events", tacStoreCount(&trace->store));
    tacPutCount(dict, "jobs", model->jobs.count);
    tacPut(dict, "objects", objectCounts(&trace->store));
    tacPut(dict, "eventCounts", eventCounts(&trace->store));
    tacPut(dict, "processors", processorList(trace));
    tacPutCount(dict, "clusters", trace->clocks.nClusters);
    putReference(dict, trace);
    tacPutCount(dict, "messages", trace->clocks.messages);
    tacPutCount(dict, "lost", trace->clocks.lost);
    tacPutCount(dict, "errors", trace->diag.totals[TAC_SEVERITY_ERROR]);
    tacPutCount(dict, "warnings", trace->diag.totals[TAC_SEVERITY_WARNING]);
    tacPutCount(dict, "notes", trace->diag.totals[TAC_SEVERITY_NOTE]);
    tacPutCount(dict, "bytes", tacStoreBytes(&trace->store) + tacModelBytes(model));
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}

/* A table of the synchronization as a list; NULL: no memory. */
static Tcl_Obj *syncList(const tacTrace *trace, tacSyncOf of) {
    tacTable table;
    if (tacSyncTable(&trace->store, &trace->clocks, of, &table, NULL) != TAC_OK) return NULL;
    Tcl_Obj *list = tacTableList(&table, NULL, NULL, -1);
    tacTableFree(&table);
    return list;
}

/* A list of clusters by number, each a list of processor ids. */
static Tcl_Obj *clusterList(const tacTrace *trace) {
    Tcl_Obj *clusters = Tcl_NewListObj(0, NULL), *ids;
    for (uint32_t cluster = 0; cluster < trace->clocks.nClusters; cluster++)
        tacAppend(clusters, Tcl_NewListObj(0, NULL));
    for (uint32_t i = 0; i < trace->clocks.clocks.count; i++) {
        if (!isShown(trace, i)) continue;
        Tcl_ListObjIndex(NULL, clusters, (Tcl_Size) trace->clocks.clocks.at[i].cluster, &ids);
        if (ids) tacAppend(ids, Tcl_NewStringObj(tacProcessorId(&trace->model, i), -1));
    }
    return clusters;
}

/* The fit of the clocks as a dict; NULL: no memory. */
static Tcl_Obj *syncInfo(const tacTrace *trace) {
    Tcl_Obj *pairs = syncList(trace, TAC_SYNC_PAIRS), *messages = pairs ? syncList(trace, TAC_SYNC_MESSAGES) : NULL;
    if (!messages) {
        if (pairs) Tcl_DecrRefCount(pairs);
        return NULL;
    }
    Tcl_Obj *dict = Tcl_NewDictObj();
    putReference(dict, trace);
    tacPutCount(dict, "messages", trace->clocks.messages);
    tacPutCount(dict, "lost", trace->clocks.lost);
    tacPut(dict, "clusters", clusterList(trace));
    tacPut(dict, "pairs", pairs);
    tacPut(dict, "violations", messages);
    return dict;
}

typedef struct SyncOptions {
    int of, format;
    Tcl_Obj *channel;
} SyncOptions;

static const tacOptionRow syncRows[] = {
    {"-of", TAC_VALUE_WORD, offsetof(SyncOptions, of), tacSyncNames, NULL, "pairs", "which table, with -format"},
    TAC_FORMAT_ROW(SyncOptions, format), TAC_CHANNEL_ROW(SyncOptions, channel), {NULL, 0, 0, NULL, NULL, NULL, NULL}};

int tacSyncSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTrace *trace = ((tacTraceCall *) data)->trace;
    SyncOptions options = {.channel = NULL};
    tacTable table;
    tacError err = {{0}, {0}};
    if (tacOptionsParse(interp, syncRows, objc - 2, objv + 2, &options) != TCL_OK) return TCL_ERROR;
    if (options.format == TAC_RESULT_LIST && !options.channel) {
        Tcl_Obj *dict = syncInfo(trace);
        if (!dict) return tacTclMemory(interp);
        Tcl_SetObjResult(interp, dict);
        return TCL_OK;
    }
    if (tacSyncTable(&trace->store, &trace->clocks, (tacSyncOf) options.of, &table, &err) != TAC_OK)
        return tacErrorToTcl(interp, &err);
    return tacTableResult(interp, &table, (tacResultFormat) options.format, options.channel);
}

/* Runs `called ID`: what people call the job or thread of this id. */
int tacCalledSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTraceCall *call = data;
    const tacModel *model = &call->trace->model;
    Tcl_Size length;
    const char *id = Tcl_GetStringFromObj(objv[2], &length);
    tacText text = {0};
    (void) objc;
    for (int i = 0; i < 2 && !text.length; i++) {
        tacKind kind = i ? TAC_TASK : TAC_JOB;
        uint32_t index = tacAskFind(model, kind, id, (size_t) length);
        if (index != TAC_NONE) tacCalled(model->store, kind, index, &text);
    }
    bool failed = text.failed;
    if (failed) tacTclMemory(interp);
    else Tcl_SetObjResult(interp, text.length ? Tcl_NewStringObj(text.at, (Tcl_Size) text.length) : objv[2]);
    tacTextFree(&text);
    return failed ? TCL_ERROR : TCL_OK;
}
