/*
 * recordKernel.c -- the kernel as a source of a collector (tcl/recorder.h): what record/kernel.h reads becomes
 * elements.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/mem.h"
#include "tcl/recorder.h"

#include <string.h>

typedef struct Kernel {
    tacCapture *capture;
    tacCaptureCounts *counts;
} Kernel;

static bool take(void *data, uint32_t sensor, uint64_t number, uint64_t time, const void *bytes) {
    tacrec_collectElement(data, sensor, number, time, bytes);
    return true;
}

static void note(const Kernel *kernel) {
    tacCaptureCounts counts = tacCaptureCount(kernel->capture);
    __atomic_store_n(&kernel->counts->events, counts.events, __ATOMIC_RELAXED);
    __atomic_store_n(&kernel->counts->lost, counts.lost, __ATOMIC_RELAXED);
    __atomic_store_n(&kernel->counts->unknown, counts.unknown, __ATOMIC_RELAXED);
}

static bool roundOfKernel(void *data, tacrec_collected *source) {
    const Kernel *kernel = data;
    tacCaptureRead(kernel->capture, take, source);
    note(kernel);
    return true;
}

static void endOfKernel(void *data, tacrec_collected *source) {
    const Kernel *kernel = data;
    tacCaptureStop(kernel->capture);
    tacCaptureRead(kernel->capture, take, source);
    note(kernel);
}

static void freeKernel(void *data) {
    Kernel *kernel = data;
    tacCaptureFree(kernel->capture);
    tacFree(kernel);
}

tacStatus tacRecordKernel(
    tacrec_collector *collector, const char *events, uint32_t pid, tacCaptureCounts *counts, tacError *err) {
    static const tacrec_sourceClass calls = {roundOfKernel, endOfKernel, freeKernel};
    const tacCaptureOptions options = {events && *events ? events : NULL, 0};
    tacCaptureProblem problem;
    tacrec_source said;
    Kernel *kernel = tacAllocZero(1, sizeof *kernel);
    if (!kernel) return tacFailMemory(err);
    if (!tacCaptureBegin(&options, &kernel->capture, &problem)) {
        tacFree(kernel);
        return tacFail(err, problem.code, "%s", problem.message);
    }
    tacCapture *capture = kernel->capture;
    kernel->counts = counts;
    memset(&said, 0, sizeof said);
    said.kind = TACREC_SOURCE_KERNEL;
    said.clock = tacCaptureClock(capture);
    said.pid = pid;
    memcpy(said.name, "kernel", sizeof "kernel");
    tacrec_collectHere(&said);
    tacrec_pair pair = tacCapturePair(capture);
    tacrec_collected *source = tacrec_collectorAdd(collector, &said, &calls, kernel);
    bool fine = source && tacrec_collectPair(source, &pair);
    for (uint32_t k = 0; fine && k < tacCaptureSensors(capture); k++)
        fine = tacrec_collectSensor(source, k, tacCaptureSensor(capture, k));
    return fine ? TAC_OK : tacFailMemory(err);
}

tacCaptureCounts tacRecordKernelCounts(const tacCaptureCounts *counts) {
    return (tacCaptureCounts){__atomic_load_n(&counts->events, __ATOMIC_RELAXED),
        __atomic_load_n(&counts->lost, __ATOMIC_RELAXED), __atomic_load_n(&counts->unknown, __ATOMIC_RELAXED)};
}
