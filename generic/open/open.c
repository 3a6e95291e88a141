/*
 * open.c -- from a file to a model: read, freeze, replay, sum up; each stage once, in this order.
 *
 * What is wrong with a trace becomes a remark, and what could be read is used: so also a limit that ended the reading.
 * Only what leaves nothing to show (a file that cannot be read, a cancelled reading, no memory, a consumer that says
 * stop) fails as a whole.
 */
#include "base/port.h"

#include "import/kernel/dat.h"
#include "import/kernel/mapFile.h"
#include "import/kernel/tasks.h"
#include "model/lod.h"
#include "open/carried.h"
#include "open/open.h"
#include "trace/freeze.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_EVENT_LIMIT ((uint64_t) 1 << 31)
#define DEFAULT_BYTE_LIMIT ((uint64_t) 16 << 30)

/* Where the text comes from: a file, or memory when text is not NULL. */
typedef struct Input {
    const char *name, *text;
    size_t length;
} Input;

static tacStatus hideIds(tacStore *store, const char *const *ignore, tacError *err) {
    for (; ignore && *ignore; ignore++) {
        if (!**ignore) continue;
        uint32_t id = tacIntern(&store->strings, *ignore, strlen(*ignore));
        if (id == TAC_NONE || !tacArrayPush(&store->ignored, id)) return tacFailMemory(err);
    }
    return TAC_OK;
}

static bool defineEvents(tacApply *apply, const char *const *events) {
    for (; events && *events; events++)
        if (!tacApplyDefineEvent(apply, *events, strlen(*events))) return false;
    return true;
}

/* ---- formats ---- */

/* What is read besides the trace language, in the order of trying. */
static const tacFormat formats[] = {
    {"kernel", "text of a Linux kernel trace: the trace file of ftrace, trace-cmd report, perf script",
        tacKernelRecognize, tacKernelReadTextInto},
    {"trace.dat", "binary trace of a Linux kernel, as trace-cmd records it", tacKernelIsDat, tacKernelReadDatInto},
    {NULL, NULL, NULL, NULL},
};

const tacFormat *tacTraceFormats(void) { return formats; }

/* What the trace's own handlers are and want; both are empty when it has none. */
typedef struct Own {
    tacHandlers *handlers;
    tacInternTable events;
} Own;

/* A mapping that is wrong fails the opening: rows and numbers would be wrong without a word in them that says so. */
static tacStatus readMap(tacTrace *trace, const tacOpenOptions *options, tacKernelMap **map, tacError *err) {
    *map = NULL;
    if (options->mapText)
        return tacMapTextRead(
            "mapping", options->mapText, strlen(options->mapText), &options->read, &trace->diag, map, err);
    return options->map ? tacMapFileRead(options->map, &options->read, &trace->diag, map, err) : TAC_OK;
}

static tacStatus readMapped(tacTrace *trace, const Input *from, const tacOpenOptions *options, const tacKernelMap *map,
    Own *own, tacError *err) {
    tacApply apply;
    tacSink sink;
    tacReadOptions read = options->read;
    tacKernelTarget target = {&trace->store, &trace->diag, options->keep, map, false};
    read.handlers = &own->handlers;
    read.formats = formats;
    read.formatData = &target;
    tacApplyInit(&apply, &trace->store, &trace->diag);
    tacStatus status = TAC_OK;
    if (!defineEvents(&apply, options->events) || !tacApplySink(&apply, options->commands, &sink))
        status = tacFailMemory(err);
    else if (!tacProgressPhase(trace->store.progress, TAC_PHASE_READING, 0))
        status = tacFailStopped(err, trace->store.progress);
    else
        status = from->text ? tacReadText(from->text, from->length, &read, &sink, err)
                            : tacReadFile(from->name, &read, &sink, err);
    trace->kernel = target.used;
    own->events = apply.handled;
    apply.handled = (tacInternTable){0};
    tacApplyFree(&apply);
    if (map && !target.used)
        tacDiagAdd(
            &trace->diag, TAC_SEVERITY_WARNING, 0, "MAPPING", "this is no kernel trace: the mapping is not used");
    return status;
}

static tacStatus readInto(tacTrace *trace, const Input *from, const tacOpenOptions *options, Own *own, tacError *err) {
    tacKernelMap *map;
    if (readMap(trace, options, &map, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = readMapped(trace, from, options, map, own, err);
    tacKernelMapFree(map);
    return status;
}

/* A limit ends the reading, and what came before it is good. */
static tacStatus acceptLimit(tacTrace *trace, tacError *failure, tacError *err) {
    if (strncmp(failure->code, "LIMIT", 5) != 0) return tacFail(err, failure->code, "%s", failure->message);
    const char *text = failure->message;
    unsigned line = 0;
    int prefix = 0;
    if (sscanf(text, "line %u: %n", &line, &prefix) == 1 && prefix > 0) text += prefix;
    else line = 0;
    tacDiagAdd(&trace->diag, TAC_SEVERITY_ERROR, line, "LIMIT", "%s; what comes after is not read", text);
    return TAC_OK;
}

static tacStatus replayWith(tacTrace *trace, const tacOpenOptions *options, tacCarried *carried, tacError *err) {
    int n = options->nConsumers;
    tacConsumer *all = tacAlloc(((size_t) n + 1) * sizeof *all);
    if (!all) return tacFailMemory(err);
    for (int i = 0; i < n; i++) all[i] = options->consumers[i];
    all[n] = tacCarriedConsumer(carried);
    tacStatus status = tacCarriedBegin(carried, err);
    if (status == TAC_OK) status = tacReplay(&trace->model, &trace->store, &trace->diag, all, n + 1, err);
    if (status == TAC_OK) status = tacCarriedEnd(carried, &trace->model, err);
    tacFree(all);
    return status;
}

/* With the trace's own handlers as one more consumer, if it has any. */
static tacStatus replay(tacTrace *trace, const tacOpenOptions *options, Own *own, tacError *err) {
    if (!own->handlers)
        return tacReplay(&trace->model, &trace->store, &trace->diag, options->consumers, options->nConsumers, err);
    tacCarried *carried = tacCarriedNew(own->handlers, &own->events, &trace->store, &trace->diag, err);
    own->handlers = NULL;
    tacStatus status = carried ? replayWith(trace, options, carried, err) : TAC_ERROR;
    tacCarriedFree(carried);
    return status;
}

static tacStatus fillTrace(tacTrace *trace, const Input *from, const tacOpenOptions *options, Own *own, tacError *err) {
    tacError failure = {0};
    trace->file = tacCopyText(from->name, strlen(from->name));
    if (!trace->file) return tacFailMemory(err);
    if (!from->text) trace->mark = tacFileMarkOf(from->name);
    trace->diag.strict = options->strict;
    trace->store.digits = options->decimals;
    trace->store.eventLimit = options->eventLimit ? options->eventLimit : DEFAULT_EVENT_LIMIT;
    trace->store.byteLimit = options->byteLimit ? options->byteLimit : DEFAULT_BYTE_LIMIT;
    if (hideIds(&trace->store, options->ignore, err) != TAC_OK) return TAC_ERROR;
    if (readInto(trace, from, options, own, &failure) != TAC_OK && acceptLimit(trace, &failure, err) != TAC_OK)
        return TAC_ERROR;
    if (tacStoreFreeze(&trace->store, &trace->diag, options->reference, &trace->clocks, err) != TAC_OK
        || replay(trace, options, own, err) != TAC_OK || tacLodBuild(&trace->model, err) != TAC_OK)
        return TAC_ERROR;
    if (trace->diag.failed)
        return tacFailMemory(err); /* a remark got lost: better no trace than one that looks clean */
    tacDiagSort(&trace->diag);
    return TAC_OK;
}

/* Who is told how far the opening is. */
typedef struct Watch {
    const tacOpenOptions *options;
    const tacTrace *trace;
} Watch;

static bool report(void *data, const tacProgress *progress) {
    const Watch *watch = data;
    return watch->options->progress(watch->options->progressData, progress, watch->trace);
}

static tacStatus fillWatched(tacTrace *trace, const Input *from, const tacOpenOptions *options, tacError *err) {
    Watch watch = {options, trace};
    tacProgress progress = {.report = report, .data = &watch};
    trace->store.progress = options->progress ? &progress : NULL;
    Own own = {0};
    tacStatus status = fillTrace(trace, from, options, &own, err);
    tacHandlersFree(own.handlers);
    tacInternFree(&own.events);
    trace->store.progress = NULL;
    return status;
}

static tacTrace *openTrace(const Input *from, const tacOpenOptions *options, tacError *err) {
    static const tacOpenOptions defaults;
    tacTrace *trace = tacAllocZero(1, sizeof *trace);
    if (!trace) {
        tacFailMemory(err);
        return NULL;
    }
    tacStoreInit(&trace->store);
    if (fillWatched(trace, from, options ? options : &defaults, err) == TAC_OK) return trace;
    tacTraceClose(trace);
    return NULL;
}

tacTrace *tacTraceOpen(const char *file, const tacOpenOptions *options, tacError *err) {
    Input from = {file, NULL, 0};
    return openTrace(&from, options, err);
}

tacTrace *tacTraceOpenText(
    const char *name, const char *text, size_t length, const tacOpenOptions *options, tacError *err) {
    Input from = {name, text ? text : "", text ? length : 0};
    return openTrace(&from, options, err);
}

void tacTraceClose(tacTrace *trace) {
    if (!trace) return;
    tacFindingsFree(&trace->findings);
    tacModelFree(&trace->model);
    tacClocksFree(&trace->clocks);
    tacDiagFree(&trace->diag);
    tacStoreFree(&trace->store);
    tacFree(trace->file);
    tacFree(trace);
}
