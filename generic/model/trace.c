/*
 * trace.c -- from a file to a model: read, freeze, replay, sum up; each stage once, in this order.
 *
 * What is wrong with a trace becomes a remark, and what could be read is used: so also a limit that ended the reading.
 * Only what leaves nothing to show (a file that cannot be read, a cancelled reading, no memory, a consumer that says
 * stop) fails as a whole.
 */
#include "base/port.h"
#include "model/lod.h"
#include "model/trace.h"
#include "trace/freeze.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_EVENT_LIMIT ((uint64_t) 1 << 31)
#define DEFAULT_BYTE_LIMIT ((uint64_t) 16 << 30)

/* Where the text comes from: a file, or memory when text is not NULL. */
typedef struct input {
    const char *name, *text;
    size_t length;
} input;

static tacStatus hideIds(tacStore *store, const char *const *ignore, tacError *err) {
    for (; ignore && *ignore; ignore++) {
	if (!**ignore) continue;
	uint32_t id = tacIntern(&store->strings, *ignore, strlen(*ignore));
	if (id == TAC_NONE || !tacArrayPush(&store->ignored, id)) return tacFailMemory(err);
    }
    return TAC_OK;
}

static tacStatus readInto(tacTrace *trace, const input *from, const tacOpenOptions *options, tacError *err) {
    tacApply apply;
    tacSink sink;
    tacApplyInit(&apply, &trace->store, &trace->diag);
    apply.progress = options->progress;
    apply.progressData = options->progressData;
    tacApplySink(&apply, &sink);
    tacStatus status = from->text ? tacReadText(from->text, from->length, &options->read, &sink, err)
	: tacReadFile(from->name, &options->read, &sink, err);
    tacApplyFree(&apply);
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

static tacStatus fillTrace(tacTrace *trace, const input *from, const tacOpenOptions *options, tacError *err) {
    tacError failure = {0};
    trace->file = tacCopyText(from->name, strlen(from->name));
    if (!trace->file) return tacFailMemory(err);
    trace->diag.strict = options->strict;
    trace->store.digits = options->decimals;
    trace->store.eventLimit = options->eventLimit ? options->eventLimit : DEFAULT_EVENT_LIMIT;
    trace->store.byteLimit = options->byteLimit ? options->byteLimit : DEFAULT_BYTE_LIMIT;
    if (hideIds(&trace->store, options->ignore, err) != TAC_OK) return TAC_ERROR;
    if (readInto(trace, from, options, &failure) != TAC_OK && acceptLimit(trace, &failure, err) != TAC_OK) return TAC_ERROR;
    if (tacStoreFreeze(&trace->store, &trace->diag, options->reference, &trace->clocks, err) != TAC_OK
	|| tacReplay(&trace->model, &trace->store, &trace->diag, options->consumers, options->nConsumers, err) != TAC_OK
	|| tacLodBuild(&trace->model, err) != TAC_OK) return TAC_ERROR;
    if (trace->diag.failed) return tacFailMemory(err);	/* a remark got lost: better no trace than one that looks clean */
    tacDiagSort(&trace->diag);
    return TAC_OK;
}

static tacTrace *openTrace(const input *from, const tacOpenOptions *options, tacError *err) {
    static const tacOpenOptions defaults;
    tacTrace *trace = tacAllocZero(1, sizeof *trace);
    if (!trace) {
	tacFailMemory(err);
	return NULL;
    }
    tacStoreInit(&trace->store);
    if (fillTrace(trace, from, options ? options : &defaults, err) == TAC_OK) return trace;
    tacTraceClose(trace);
    return NULL;
}

tacTrace *tacTraceOpen(const char *file, const tacOpenOptions *options, tacError *err) {
    input from = {file, NULL, 0};
    return openTrace(&from, options, err);
}

tacTrace *tacTraceOpenText(const char *name, const char *text, size_t length, const tacOpenOptions *options, tacError *err) {
    input from = {name, text ? text : "", text ? length : 0};
    return openTrace(&from, options, err);
}

void tacTraceClose(tacTrace *trace) {
    if (!trace) return;
    tacModelFree(&trace->model);
    tacClocksFree(&trace->clocks);
    tacDiagFree(&trace->diag);
    tacStoreFree(&trace->store);
    tacFree(trace->file);
    tacFree(trace);
}
