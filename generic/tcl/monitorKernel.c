/*
 * monitorKernel.c -- the kernel as a source of an evaluator (tcl/monitor.h): each kind of event is an input.
 *
 *      tacCaptureRead, once in each step -> a queue for each sensor, in order of time -> next of its input
 *
 * Invariants:
 *   1. When the first input is asked in a step, all that was written before the time of the step comes into the queues.
 *      So an input that has none then brings nothing older later, as evaluators need it.
 *   2. Where the kernel lost events, of kinds that nobody knows, the next element of each sensor has missed one at
 *      least. Numbers count what was missed, as those of programs do.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/mem.h"
#include "record/kernel.h"
#include "tcl/monitor.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 1 << 17 }; /* elements of a queue; what finds no room is missed */

typedef struct Waiting { /* an element; its bytes follow */
    uint64_t time, number, missed;
} Waiting;

typedef struct Queue { /* of a sensor: a ring */
    struct Kernel *kernel;
    uint8_t *places;
    uint32_t size, stride; /* bytes of an element, and of its place */
    uint32_t room, first, count;
    int threadAt;            /* place of the thread's number in an element; -1: it has none */
    bool losses;             /* the sensor says that events were lost, and misses none itself */
    uint64_t number, missed; /* of the next element */
} Queue;

typedef struct Kernel {
    tacCapture *capture;
    uint64_t step;         /* time of the step that the queues were filled for */
    tacrec_pair begin, at; /* the clocks in the beginning, and at the step */
    double slope;          /* nanoseconds in a tick of the capture's clock; 0: they are the same */
    uint32_t users;        /* inputs that are not closed, and the one that makes them */
    Queue queues[];
} Kernel;

/* ---- queues ------------------------------------------------------------------------------------------------------ */

/* Doubles the room of a queue. False: it is as large as can be, or there is no memory. */
static bool grow(Queue *q) {
    uint32_t room = q->room ? 2 * q->room : 64;
    uint8_t *places = room <= LONGEST ? tacAlloc((size_t) room * q->stride) : NULL;
    if (!places) return false;
    for (uint32_t i = 0; i < q->count; i++)
        memcpy(places + (size_t) i * q->stride, q->places + (size_t) ((q->first + i) & (q->room - 1)) * q->stride,
            q->stride);
    tacFree(q->places);
    q->places = places;
    q->room = room;
    q->first = 0;
    return true;
}

static void noteLoss(Kernel *k) {
    for (uint32_t i = 0; i < tacCaptureSensors(k->capture); i++) k->queues[i].missed += !k->queues[i].losses;
}

/* Nanoseconds of CLOCK_MONOTONIC: on the line through the pair of the beginning and that of the step. */
static uint64_t timeOf(const Kernel *k, uint64_t time) {
    if (k->slope == 0) return time;
    return k->at.nanoseconds + (uint64_t) (int64_t) ((double) (int64_t) (time - k->at.counter) * k->slope);
}

static bool take(void *data, uint32_t sensor, uint64_t number, uint64_t time, const void *bytes) {
    Kernel *k = data;
    Queue *q = &k->queues[sensor];
    (void) number;
    if (q->losses) noteLoss(k);
    if (q->count == q->room && !grow(q)) {
        q->missed++;
        return true;
    }
    uint8_t *place = q->places + (size_t) ((q->first + q->count++) & (q->room - 1)) * q->stride;
    q->number += q->missed;
    Waiting waiting = {timeOf(k, time), q->number++, q->missed};
    memcpy(place, &waiting, sizeof waiting);
    memcpy(place + sizeof waiting, bytes, q->size);
    q->missed = 0;
    return true;
}

/* Reads what the kernel has written until now. */
static void fill(Kernel *k, uint64_t now) {
    k->step = now;
    if (tacCaptureClock(k->capture) == TACREC_CLOCK_TSC) {
        k->at = tacCapturePair(k->capture);
        if (k->at.counter > k->begin.counter)
            k->slope = (double) (k->at.nanoseconds - k->begin.nanoseconds)
                / (double) (k->at.counter - k->begin.counter);
    }
    tacCaptureRead(k->capture, take, k);
}

static int next(void *data, uint64_t now, tacrec_read *read) {
    Queue *q = data;
    Waiting waiting;
    int32_t thread = 0;
    if (q->kernel->step != now) fill(q->kernel, now);
    if (!q->count) return 0;
    const uint8_t *place = q->places + (size_t) q->first * q->stride;
    q->first = (q->first + 1) & (q->room - 1);
    q->count--;
    memcpy(&waiting, place, sizeof waiting);
    memcpy(read->data, place + sizeof waiting, q->size);
    if (q->threadAt >= 0) memcpy(&thread, place + sizeof waiting + q->threadAt, sizeof thread);
    read->time = waiting.time;
    read->number = waiting.number;
    read->missed = waiting.missed;
    read->thread = thread > 0 ? (uint32_t) thread : 0;
    return 1;
}

/* ---- from begin to end ------------------------------------------------------------------------------------------- */

static void leave(Kernel *k) {
    if (--k->users) return;
    for (uint32_t i = 0; i < tacCaptureSensors(k->capture); i++) tacFree(k->queues[i].places);
    tacCaptureFree(k->capture);
    tacFree(k);
}

static void closeQueue(void *data) { leave(((Queue *) data)->kernel); }

static bool hasLater(const tacrec_sensorSaid *said, uint32_t field) {
    for (uint32_t i = field + 1; i < said->fieldCount; i++)
        if (!strcmp(said->fields[i].name, said->fields[field].name)) return true;
    return false;
}

/*
 * Describes a sensor. Elements begin with the thread that ran, `pid`; where the event has a field of its own of this
 * name, as that of a wake-up is, there is only that one.
 */
static void describe(const tacrec_sensorSaid *said, tacrec_entry *entry, Queue *q) {
    memset(entry, 0, sizeof *entry);
    entry->state = TACREC_READY;
    entry->kind = said->kind;
    entry->size = said->size;
    entry->priority = said->priority;
    snprintf(entry->name, sizeof entry->name, "%.*s", (int) sizeof entry->name - 1, said->name);
    q->threadAt = -1;
    for (uint32_t i = 0; i < said->fieldCount; i++) {
        const tacrec_fieldEntry *field = &said->fields[i];
        if (q->threadAt < 0 && !strcmp(field->name, "pid") && field->size == 4) q->threadAt = field->offset;
        if (!hasLater(said, i)) entry->fields[entry->fieldCount++] = *field;
    }
    q->size = said->size;
    q->stride = ((uint32_t) sizeof(Waiting) + said->size + 7) & ~7u;
    q->losses = !strcmp(said->name, "kernel:lost");
}

static bool addInput(tacrec_evaluator *evaluator, Kernel *k, uint32_t sensor) {
    tacrec_entry entry;
    Queue *q = &k->queues[sensor];
    const tacrec_input input = {.entry = &entry, .program = "kernel", .next = next, .close = closeQueue, .data = q};
    q->kernel = k;
    describe(tacCaptureSensor(k->capture, sensor), &entry, q);
    if (!tacrec_evaluatorInput(evaluator, &input)) return false;
    k->users++;
    return true;
}

tacStatus tacMonitorKernel(tacrec_evaluator *evaluator, const char *events, tacError *err) {
    const tacCaptureOptions options = {*events ? events : NULL, 0};
    tacCaptureProblem problem;
    tacCapture *capture;
    if (!tacCaptureBegin(&options, &capture, &problem)) return tacFail(err, problem.code, "%s", problem.message);
    uint32_t sensors = tacCaptureSensors(capture);
    Kernel *k = tacAllocZero(1, sizeof *k + sensors * sizeof *k->queues);
    if (!k) {
        tacCaptureFree(capture);
        return tacFailMemory(err);
    }
    k->capture = capture;
    k->begin = tacCapturePair(capture);
    k->users = 1;
    bool added = true;
    for (uint32_t i = 0; added && i < sensors; i++) added = addInput(evaluator, k, i);
    leave(k);
    return added ? TAC_OK : tacFailMemory(err);
}
