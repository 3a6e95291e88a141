/*
 * noKernel.c -- stands in the place of kernel.c where the program is built without libtracefs.
 */
#include "record/kernel.h"

#include <stddef.h>

bool tacCaptureBegin(const tacCaptureOptions *options, tacCapture **capture, tacCaptureProblem *problem) {
    static const tacCaptureProblem none = {"RECORD KERNEL",
        "the kernel cannot be recorded: this program was built without libtracefs; install libtracefs-dev and build it "
        "again, or record with trace-cmd"};
    (void) options;
    *capture = NULL;
    *problem = none;
    return false;
}

void tacCaptureFree(tacCapture *capture) { (void) capture; }

uint32_t tacCaptureSensors(const tacCapture *capture) { return (void) capture, 0; }

const tacrec_sensorSaid *tacCaptureSensor(const tacCapture *capture, uint32_t sensor) {
    return (void) capture, (void) sensor, NULL;
}

tacrec_clock tacCaptureClock(const tacCapture *capture) { return (void) capture, TACREC_CLOCK_HOOK; }

tacrec_pair tacCapturePair(const tacCapture *capture) { return (void) capture, (tacrec_pair){0, 0}; }

bool tacCaptureRead(tacCapture *capture, tacCaptureTake *take, void *data) {
    return (void) capture, (void) take, (void) data, true;
}

void tacCaptureStop(tacCapture *capture) { (void) capture; }

tacCaptureCounts tacCaptureCount(const tacCapture *capture) { return (void) capture, (tacCaptureCounts){0, 0, 0}; }
