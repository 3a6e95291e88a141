/*
 * worker.c -- no worker process on this platform: scripts are evaluated in this process, within the sandbox' own
 * limits.
 */
#include "base/port.h"

#include "read/worker.h"

bool tacWorkerAvailable(void) { return false; }

tacStatus tacWorkerRun(
    tacWorkerBody *body, void *bodyData, const tacReadOptions *options, const tacSink *sink, tacError *err) {
    (void) body, (void) bodyData, (void) options, (void) sink;
    return tacFail(err, "LIMIT PROCESS", "there are no worker processes on this platform");
}

void tacWorkerLine(uint32_t line) { (void) line; }

double tacWorkerSeconds(void) { return -1; }

void tacWorkerWait(bool wait) { (void) wait; }

void tacWorkerServe(tacWorkerEvent *event, void *data) { (void) event, (void) data; }

void tacWorkerOutOfMemory(void) {}
