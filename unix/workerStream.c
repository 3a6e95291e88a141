/*
 * workerStream.c -- a worker of which the bytes are read by and by: records wait in the parent until they are wanted.
 */
#include "base/port.h"

#include "parent.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

struct tacWorkerStream {
    tacParentWorker *worker;
    tacSink sink;
    tacWord rest; /* of the record that is read; it stays in the worker's buffer until the next one is taken */
    bool over;    /* the end was told */
};

/* Keeps the bytes, and stops taking records. */
static tacStatus keepBytes(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    tacWorkerStream *stream = data;
    (void) count, (void) line, (void) err;
    stream->rest = words[0];
    stream->worker->paused = true;
    return TAC_OK;
}

static bool goOn(void *data, uint64_t bytesRead, uint64_t total) {
    (void) data, (void) bytesRead, (void) total;
    return true;
}

tacStatus tacWorkerOpen(const tacWorkerJob *job, tacWorkerStream **out, tacError *err) {
    int page;
    tacWorkerStream *stream = tacAllocZero(1, sizeof *stream);
    *out = NULL;
    if (!stream) return tacFailMemory(err);
    stream->sink = (tacSink){.data = stream, .command = keepBytes, .progress = goOn};
    stream->worker = tacParentNew(NULL, &stream->sink, &page, err);
    if (!stream->worker) return tacFree(stream), TAC_ERROR;
    tacStatus status = tacParentStart(stream->worker, job, page);
    close(page);
    if (status == TAC_OK) return *out = stream, TAC_OK;
    tacWorkerClose(stream);
    return TAC_ERROR;
}

/* Takes records up to the next one with bytes; TAC_OK without any: the end. */
static tacStatus nextRecord(tacWorkerStream *stream, tacError *err) {
    tacParentWorker *w = stream->worker;
    w->err = err;
    w->paused = false;
    tacStatus status = tacParentTake(w);
    if (status == TAC_OK) status = tacParentServe(w);
    if (status == TAC_OK && w->paused) return TAC_OK;
    stream->over = true;
    return tacParentFinish(w, status);
}

tacStatus tacWorkerNext(tacWorkerStream *stream, void *buffer, size_t size, size_t *got, tacError *err) {
    *got = 0;
    while (stream->rest.length == 0) {
        if (stream->over) return TAC_OK;
        if (nextRecord(stream, err) != TAC_OK) return TAC_ERROR;
    }
    *got = size < stream->rest.length ? size : stream->rest.length;
    memcpy(buffer, stream->rest.at, *got);
    stream->rest.at += *got;
    stream->rest.length -= *got;
    return TAC_OK;
}

bool tacWorkerReady(const tacWorkerStream *stream, int milliseconds) {
    struct pollfd socket = {.fd = stream->worker->reader.fd, .events = POLLIN};
    bool has = stream->over || stream->rest.length > 0 || stream->worker->reader.end > stream->worker->reader.begin;
    return has || poll(&socket, 1, milliseconds) != 0;
}

uint64_t tacWorkerBytes(const tacWorkerStream *stream) { return stream->worker->bytesRead; }

void tacWorkerClose(tacWorkerStream *stream) {
    if (!stream) return;
    tacParentFree(stream->worker);
    tacFree(stream);
}
