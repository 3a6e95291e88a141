/*
 * kernel.h -- events of the Linux kernel as sensors: what it writes into its ring buffers, read while it writes.
 *
 *      ring buffer of each processor -> pages -> events, in order of time -> elements of a sensor for each kind
 *
 * The kernel writes into an instance of its tracing that is made for this and removed afterwards, so other recordings
 * on the machine go on. Should the program be killed, the kernel gives up the buffers at once; the empty instance is
 * removed by the next program that records.
 *
 * Sensors are named "kernel:EVENT". An element begins with
 *      number u32      of the event among all of its processor, from 0; those that were lost are counted
 *      pid i32         thread that ran
 *      cpu u16
 * and has the event's own fields behind these: numbers as the kernel has them, texts cut to their room. `prev_state` of
 * sched_switch is a text ("S", "R+"), `function` of a timer is its name. Some sensors are not of one kind of event:
 *      kernel:lost     count u32   events were lost before this place; 0: an unknown number
 *      kernel:print    at, length u16, text    a mark in pieces: from byte `at` of `length`; all have one number
 *      kernel:thread   pid, process i32, name  threads that were there at the beginning; without the three above
 *
 * Built without libtracefs (noKernel.c), tacCaptureBegin fails and says so.
 */
#ifndef TAC_RECORD_KERNEL_H
#define TAC_RECORD_KERNEL_H

#include "record/stream.h"

typedef struct tacCaptureOptions {
    const char *events; /* patterns to be added to the usual events, or taken away ("-irq:*,syscalls:*futex*"); NULL */
    uint64_t bytes;     /* of buffer for each processor; 0: the usual 4 MiB */
} tacCaptureOptions;

typedef struct tacCaptureProblem {
    char code[32]; /* "RECORD KERNEL": there is no tracing, it fails; "RECORD KERNEL PERMISSION"; "LOOKUP EVENT": no
                      event fits a pattern; "MEMORY" */
    char message[440];
} tacCaptureProblem;

typedef struct tacCapture tacCapture;

/* Begins to record. options may be NULL. False: *problem says why. */
bool tacCaptureBegin(const tacCaptureOptions *options, tacCapture **capture, tacCaptureProblem *problem);
/* Ends the recording and removes its instance; what was not read is gone. NULL is fine. */
void tacCaptureFree(tacCapture *capture);

/* Sensors, which are known from the beginning on: as many as there are kinds of events, and some. */
uint32_t tacCaptureSensors(const tacCapture *capture);
const tacrec_sensorSaid *tacCaptureSensor(const tacCapture *capture, uint32_t sensor);
/* Clock of all times: TACREC_CLOCK_TSC, or TACREC_CLOCK_HOOK for nanoseconds of CLOCK_MONOTONIC. */
tacrec_clock tacCaptureClock(const tacCapture *capture);
/* The clock and CLOCK_MONOTONIC now. */
tacrec_pair tacCapturePair(const tacCapture *capture);

/* Takes an element, its number among all of the sensor, and its time. False: the reading stops. */
typedef bool tacCaptureTake(void *data, uint32_t sensor, uint64_t number, uint64_t time, const void *bytes);
/*
 * Hands on what has been written until now, all processors merged in order of time. Waits for nothing. False: `take`
 * said so, and this element is lost.
 */
bool tacCaptureRead(tacCapture *capture, tacCaptureTake *take, void *data);
/* Stops the kernel's writing; the next tacCaptureRead hands on the rest. */
void tacCaptureStop(tacCapture *capture);

typedef struct tacCaptureCounts {
    uint64_t events;  /* handed on */
    uint64_t lost;    /* overwritten before they were read, as far as the kernel has counted them */
    uint64_t unknown; /* places where it has not */
} tacCaptureCounts;
tacCaptureCounts tacCaptureCount(const tacCapture *capture);

#endif
