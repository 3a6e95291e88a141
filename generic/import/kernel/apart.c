/*
 * apart.c -- both sides of a reading of kernel records in a worker: pieces go out by its sink, and are unpacked here.
 */
#include "base/port.h"

#include "import/kernel/apart.h"

#include <string.h>

/* ---- in the worker ----------------------------------------------------------------------------------------------- */

tacStatus tacKernelSendPiece(void *data, const char *bytes, size_t length, uint32_t line, tacError *err) {
    const tacSink *sink = data;
    return sink->command(sink->data, &(tacWord){bytes, length}, 1, line, err);
}

bool tacKernelAskWants(void *data, tacKernelText name, bool known) {
    const tacSink *sink = data;
    tacError no;
    tacWord words[] = {{name.at, name.length}, {"known", 5}};
    return sink->query(sink->data, words, known ? 2 : 1, 1, NULL, &no) == TAC_OK;
}

/* ---- in the program ---------------------------------------------------------------------------------------------- */

static tacStatus passRecord(void *data, const tacKernelRecord *record, uint32_t line, tacError *err) {
    tacKernelApart *r = data;
    if (record->processor >= r->processors) r->processors = record->processor + 1;
    if (record->target >= r->processors) r->processors = record->target + 1;
    return r->take(r->data, record, line, err);
}

/* Unpacks a piece. The error is kept in r->stopped, since only errors that begin with LIMIT end a worker. */
static tacStatus takePiece(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    tacKernelApart *r = data;
    (void) count, (void) line;
    if (tacKernelUnpack(&r->unpacker, words[0].at, words[0].length, passRecord, r, &r->stopped) == TAC_OK)
        return TAC_OK;
    return tacFail(err, "LIMIT", "stopped");
}

static void passReport(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    const tacKernelApart *r = data;
    r->sink->report(r->sink->data, severity, line, kind, text);
}

static bool passProgress(void *data, uint64_t bytesRead, uint64_t total) {
    const tacKernelApart *r = data;
    return !r->sink->progress || r->sink->progress(r->sink->data, bytesRead, total);
}

/* Answers whether an event is wanted. */
static tacStatus onQuery(void *data, const tacWord *words, int count, uint32_t line, tacText *result, tacError *err) {
    const tacKernelApart *r = data;
    tacKernelText name = {words[0].at, words[0].length};
    (void) line, (void) result;
    return r->wants && r->wants(r->data, name, count > 1) ? TAC_OK : tacFail(err, "UNWANTED", "it is not wanted");
}

tacStatus tacKernelApartRun(
    tacKernelApart *apart, const tacWorkerJob *job, const tacReadOptions *limits, tacError *why) {
    tacSink sink = {
        .data = apart, .command = takePiece, .query = onQuery, .report = passReport, .progress = passProgress};
    tacErrorClear(why);
    return tacWorkerRun(job, limits, &sink, why);
}
