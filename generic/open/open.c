/*
 * open.c -- makes a model from a file: read, freeze, replay, sum up; each stage once, in this order.
 *
 * Problems of a trace become remarks, and the part that could be read is used; so also after a limit that ended the
 * reading. Opening fails only where nothing is left to show: a file that cannot be read, a cancelled reading, no
 * memory, a consumer that says stop.
 */
#include "base/port.h"

#include "import/import.h"
#include "import/taskRules.h"
#include "model/lod.h"
#include "open/carried.h"
#include "open/open.h"
#include "read/worker.h"
#include "trace/freeze.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_EVENT_LIMIT ((uint64_t) 1 << 31)

/* The place of the recording: a file, or memory when text is not NULL. */
typedef struct Input {
    const char *name, *text;
    size_t length;
} Input;

/* Opens the recording from its beginning. */
static tacStatus openSource(const Input *from, tacSource *source, tacError *err) {
    return from->text ? tacSourceText(source, from->text, from->length, err) : tacSourceOpen(source, from->name, err);
}

/* Fails because a mapping is guessed in a first pass, and this recording cannot be read again. */
static tacStatus failTwice(tacError *err) {
    return tacFail(err, "FILE TWICE",
        "a mapping cannot be guessed from standard input or a pipe, which can be read only once: write the trace to a "
        "file");
}

/* tacImport.again. */
static tacStatus openAgain(const tacImport *import, tacSource *source, tacError *err) {
    const Input *from = import->againData;
    if (!from->text && !import->source->file.regular) return failTwice(err);
    if (openSource(from, source, err) != TAC_OK) return TAC_ERROR;
    source->growing = import->source->growing;
    source->strange = import->source->strange;
    return TAC_OK;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The trace's own handlers and the events that they want; both are empty when it has none. */
typedef struct Own {
    tacHandlers *handlers;
    tacInternTable events;
} Own;

/* The record of a format's own options; NULL: none are given. */
static const void *recordOf(const tacFormat *format, const void *records) {
    return records && format->options ? (const char *) records + tacFormatRecord(format) : NULL;
}

/* Warns of options that are not used because the recording has another format, where that may surprise. */
static void remarkUnused(const tacFormat *format, const void *records, tacDiag *diag) {
    for (const tacFormat *f = tacFormats; f->name; f++) {
        const void *record = tacFormatIsFirst(f) && f->options != format->options ? recordOf(f, records) : NULL;
        const char *remark = record && f->unused ? f->unused(record) : NULL;
        if (remark) tacDiagAdd(diag, TAC_SEVERITY_WARNING, 0, "MAPPING", "%s", remark);
    }
}

/* Reads the recording by the reader of its format. */
static tacStatus readFormat(
    tacTrace *trace, tacImport *import, const tacOpenOptions *options, const tacFormat *format, tacError *err) {
    void *none = tacAllocZero(1, format->optionsSize + 1);
    const void *record = recordOf(format, options->formatOptions);
    if (!none) return tacFailMemory(err);
    import->options = record ? record : none;
    if (!format->binary) tacSourceSettle(import->source);
    tacStatus status = tacImportRead(import, format, err);
    trace->store.readerBytes = 0; /* its tables are gone */
    tacFree(none);
    if (status == TAC_OK) status = tacTaskRulesApply(import, options->formatOptions, err);
    trace->store.unit = import->unit;
    trace->kernel = import->kernel;
    trace->programs = import->programs;
    remarkUnused(format, options->formatOptions, &trace->diag);
    return status;
}

/* Is there anything that the trace has defined or that happened in it? */
static bool hasContents(const tacStore *store) {
    if (tacStoreCount(store)) return true;
    for (int kind = 0; kind < TAC_KINDS; kind++) /* jobs have no records of their own */
        for (size_t i = 0; i < store->objects[kind].count; i++)
            if (store->objects[kind].at[i].line) return true;
    return false;
}

/* Do all errors only say that a line makes no sense, without a guess at what it was meant to be? Binary data do not,
 * whatever their first line looks like. */
static bool isNonsense(const tacDiag *diag) {
    bool odd = false, binary = false;
    for (size_t i = 0; i < diag->remarks.count; i++) {
        const tacRemark *remark = &diag->remarks.at[i];
        const char *text = tacInternName(&diag->texts, remark->text, NULL);
        if (remark->severity != TAC_SEVERITY_ERROR) continue;
        if (strstr(text, "did you mean")) return false;
        binary |= strstr(text, "binary data") != NULL;
        odd |= i == 0 && !strstr(text, "unknown command");
    }
    return binary || !odd;
}

/* Says what was expected instead of what is wrong with each line, where a file is no trace at all. */
static void remarkUnknown(const Input *from, const Own *own, bool plugins, tacTrace *trace) {
    tacDiag *diag = &trace->diag;
    bool strict = diag->strict, failed = diag->failed;
    char known[200] = "";
    if (from->text || own->handlers || plugins || !tacDiagErrors(diag) || hasContents(&trace->store)
        || !isNonsense(diag))
        return;
    for (const tacFormat *f = tacFormats + 1; f->name; f++) {
        size_t n = strlen(known);
        snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", f->name);
    }
    tacDiagFree(diag);
    *diag = (tacDiag){.strict = strict, .failed = failed};
    tacDiagAdd(diag, TAC_SEVERITY_ERROR, 0, "FORMAT UNKNOWN",
        "no format of traces is recognized: expected commands of the trace language (tactus_trace(5)), or %s; a log in "
        "rows and columns opens with a mapping (--map), which \"tactus map --format log FILE\" guesses (tactus_log(5))",
        known);
}

/* Says that the file was cut or written to while it was read, unless it was expected to grow. A file that took its name
 * meanwhile does not matter: the one that was opened was read. */
static void remarkChanged(const tacSource *source, tacDiag *diag) {
    const tacFileMark *then = &source->file.mark;
    tacFileMark now = then->known && !source->growing ? tacFileMarkNow(&source->file) : *then;
    unsigned long long all = then->size, there = source->readEnded ? source->bytesRead : now.size;
    if (source->readEnded && there < all)
        tacDiagAdd(diag, TAC_SEVERITY_ERROR, 0, "FILE CUT",
            "the file was cut while it was read: %llu of its %llu bytes were read, the last %llu are missing", there,
            all, all - there);
    else if (there < all)
        tacDiagAdd(diag, TAC_SEVERITY_ERROR, 0, "FILE CUT",
            "the file was cut while it was read: %llu of its %llu bytes are there now, and what was read of the last "
            "%llu is not known",
            there, all, all - there);
    else if (now.size > then->size)
        tacDiagAdd(diag, TAC_SEVERITY_WARNING, 0, "FILE GROWN",
            "the file was written to while it was read, and has %llu more bytes now: its end may be missing (a "
            "recording that is still being written can be followed in the window)",
            (unsigned long long) (now.size - then->size));
    else if (now.size < then->size || now.modified != then->modified)
        tacDiagAdd(diag, TAC_SEVERITY_ERROR, 0, "FILE CHANGED",
            "the file was written to while it was read: what was read may be partly old and partly new; read it again");
}

/* Says it also where nothing could be read for that reason, perhaps. */
static void explainChanged(const tacSource *source, tacError *err) {
    tacError why = *err;
    tacFileMark now = tacFileMarkNow(&source->file);
    bool changed = source->file.mark.known && tacFileCompare(&source->file.mark, &now) != TAC_FILE_SAME;
    if (!changed || strncmp(why.code, "FORMAT", 6) != 0) return;
    tacErrorClear(err);
    tacFail(err, why.code, "the file was written to while it was read, and cannot be read now: %s", why.message);
}

/* Recognizes the format of the recording and reads it into the trace. */
static tacStatus readInto(tacTrace *trace, const Input *from, const tacOpenOptions *options, Own *own, tacError *err) {
    tacSource source;
    tacStore *store = &trace->store;
    tacImportCode code = {options->events, options->commands, &own->handlers, &own->events};
    tacImport import = {&source, store, &trace->diag, store->progress, .limits = &options->read, .name = from->name,
        .code = &code, .again = openAgain, .againData = from};
    const tacFormat *format;
    if (!tacProgressPhase(store->progress, TAC_PHASE_READING, 0)) return tacFailStopped(err, store->progress);
    if (openSource(from, &source, err) != TAC_OK) return TAC_ERROR;
    source.growing = options->read.growing;
    source.strange = options->read.confined && !options->read.inProcess && tacWorkerAvailable();
    tacStatus status = tacImportFormat(&import, options->format, &format, err);
    bool unknown = status == TAC_OK && format == tacFormats && !options->format && !import.likely;
    const tacFormat *mapped = unknown ? tacImportMapped(&import, options->formatOptions) : NULL;
    if (mapped) format = mapped;
    if (status == TAC_OK) status = readFormat(trace, &import, options, format, err);
    if (status == TAC_OK && format == tacFormats && !options->format)
        remarkUnknown(from, own, options->commands != NULL, trace);
    remarkChanged(&source, &trace->diag);
    if (status != TAC_OK && !source.growing) explainChanged(&source, err);
    tacSourceClose(&source);
    return status;
}

/* Opens a recording that is looked at, and finds its format. On error the source is closed. */
static tacStatus beginLook(const tacGlance *at, tacImport *import, const tacFormat **format, tacError *err) {
    Input from = {at->file, at->text, at->length};
    import->progress = at->progress;
    import->name = at->name ? at->name : at->file;
    if (openSource(&from, import->source, err) != TAC_OK) return TAC_ERROR;
    import->source->strange = at->confined && tacWorkerAvailable();
    if (tacImportFormat(import, at->format, format, err) == TAC_OK) return TAC_OK;
    tacSourceClose(import->source);
    return TAC_ERROR;
}

tacStatus tacTraceRecognize(const tacGlance *at, const char **format, tacError *err) {
    tacSource source;
    tacImport import = {.source = &source};
    const tacFormat *found;
    *format = NULL;
    if (beginLook(at, &import, &found, err) != TAC_OK) return TAC_ERROR;
    if (found != tacFormats || import.likely) *format = found->name;
    tacSourceClose(&source);
    return TAC_OK;
}

tacStatus tacMappingGuess(const tacGlance *at, tacText *mapping, tacError *err) {
    tacSource source;
    tacImport import = {.source = &source};
    const tacFormat *found;
    if (!at->text && strcmp(at->file, "-") == 0) return failTwice(err);
    if (beginLook(at, &import, &found, err) != TAC_OK) return TAC_ERROR;
    if (!found->binary) tacSourceSettle(&source);
    tacStatus status = tacImportGuess(&import, found, mapping, err);
    tacSourceClose(&source);
    return status;
}

/* Notes the strings whose ids are hidden. */
static tacStatus hideIds(tacStore *store, const char *const *ignore, tacError *err) {
    for (; ignore && *ignore; ignore++) {
        if (!**ignore) continue;
        uint32_t id = tacIntern(&store->strings, *ignore, strlen(*ignore));
        if (id == TAC_NONE || !tacArrayPush(&store->ignored, id)) return tacFailMemory(err);
    }
    return TAC_OK;
}

/* Turns a limit that ended the reading into a remark: everything before it is good. */
static tacStatus acceptLimit(tacTrace *trace, tacError *failure, tacError *err) {
    if (strncmp(failure->code, "LIMIT", 5) != 0) return tacFail(err, failure->code, "%s", failure->message);
    unsigned line;
    const char *text = tacErrorText(failure, &line);
    tacDiagAdd(&trace->diag, TAC_SEVERITY_ERROR, line, "LIMIT", "%s; what comes after is not read", text);
    return TAC_OK;
}

/* Replays the trace; its own handlers, if it has any, are one more consumer. */
static tacStatus replay(tacTrace *trace, const tacOpenOptions *options, Own *own, tacError *err) {
    int n = options->nConsumers;
    if (!own->handlers) return tacReplay(&trace->model, &trace->store, &trace->diag, options->consumers, n, err);
    tacCarried *carried = tacCarriedNew(own->handlers, &own->events, &trace->store, &trace->diag, err);
    own->handlers = NULL;
    if (!carried) return TAC_ERROR;
    tacConsumer *all = tacAlloc(((size_t) n + 1) * sizeof *all);
    tacStatus status = all ? tacCarriedBegin(carried, err) : tacFailMemory(err);
    if (status == TAC_OK) {
        for (int i = 0; i < n; i++) all[i] = options->consumers[i];
        all[n] = tacCarriedConsumer(carried);
        status = tacReplay(&trace->model, &trace->store, &trace->diag, all, n + 1, err);
    }
    if (status == TAC_OK) status = tacCarriedEnd(carried, &trace->model, err);
    tacFree(all);
    tacCarriedFree(carried);
    return status;
}

/* Limit of bytes of the trace, its script and its model: the user's, else half of the memory that is free. 0: none. */
static uint64_t byteLimit(const tacOpenOptions *options) {
    if (options->byteLimit) return options->byteLimit;
    if (options->read.memoryLimit) return options->read.memoryLimit < 0 ? 0 : (uint64_t) options->read.memoryLimit;
    return tacFreeMemory() / 2;
}

/* Takes the trace through all stages. */
static tacStatus fillTrace(tacTrace *trace, const Input *from, const tacOpenOptions *options, Own *own, tacError *err) {
    tacError failure = {0};
    trace->file = tacCopyText(from->name, strlen(from->name));
    if (!trace->file) return tacFailMemory(err);
    if (!from->text) trace->mark = tacFileMarkOf(from->name);
    trace->diag.strict = options->strict;
    trace->store.digits = trace->store.wantedDigits = options->decimals;
    trace->store.eventLimit = options->eventLimit ? options->eventLimit : DEFAULT_EVENT_LIMIT;
    trace->store.byteLimit = byteLimit(options);
    trace->store.weights = &tacReplayWeights;
    if (readInto(trace, from, options, own, &failure) != TAC_OK && acceptLimit(trace, &failure, err) != TAC_OK)
        return TAC_ERROR;
    if (hideIds(&trace->store, options->ignore, err) != TAC_OK
        || tacStoreFreeze(&trace->store, &trace->diag, options->reference, &trace->clocks, err) != TAC_OK
        || replay(trace, options, own, err) != TAC_OK || tacLodBuild(&trace->model, err) != TAC_OK)
        return TAC_ERROR;
    if (trace->diag.failed)
        return tacFailMemory(err); /* a remark got lost: better no trace than one that looks clean */
    tacDiagSort(&trace->diag);
    return TAC_OK;
}

/* The data of `report`, which passes the progress of opening on to the caller. */
typedef struct Watch {
    const tacOpenOptions *options;
    const tacTrace *trace;
} Watch;

/* tacProgress.report. */
static bool report(void *data, const tacProgress *progress) {
    const Watch *watch = data;
    return watch->options->progress(watch->options->progressData, progress, watch->trace);
}

static tacTrace *openTrace(const Input *from, const tacOpenOptions *options, tacError *err) {
    static const tacOpenOptions defaults;
    if (!options) options = &defaults;
    tacTrace *trace = tacAllocZero(1, sizeof *trace);
    if (!trace) return tacFailMemory(err), NULL;
    tacStoreInit(&trace->store);
    Watch watch = {options, trace};
    tacProgress progress = {.report = report, .data = &watch};
    tacStoreProgress(&trace->store, options->progress ? &progress : NULL);
    Own own = {0};
    tacStatus status = fillTrace(trace, from, options, &own, err);
    tacHandlersFree(own.handlers);
    tacInternFree(&own.events);
    tacStoreProgress(&trace->store, NULL);
    if (status == TAC_OK) return trace;
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

bool tacTraceCloseSome(tacTrace *trace, uint32_t tasks) {
    bool more = tacModelFreeTasks(&trace->model, tasks);
    tacMemSettle();
    return more;
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
