/*
 * recordEffect.c -- how much a program is slowed down by a million events a second, without and with a recorder.
 *
 *      recordEffect                                    the events alone
 *      tactus record -o FILE -- recordEffect           with a recorder beside
 *
 * The program computes; an event is written about each microsecond of it. Stretches with and without events take turns,
 * so that what else the machine does is in both; each pair of them gives a ratio, and the medians of these ratios are
 * told: of time as it passes, and of time of this thread.
 */
#define _GNU_SOURCE
#include "record/tactusrec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAIRS = 201, EVENTS = 20000 /* of a stretch: 20 ms */, TABLE = 512 };

typedef struct Sample {
    uint64_t passed, own; /* nanoseconds of a stretch: as they pass, of this thread */
} Sample;

static uint64_t clockOf(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

static uint32_t table[TABLE];

/* Something that keeps the processor busy in proportion to `amount`: four sums that do not wait for one another, so
 * that events find no room between the instructions. */
static uint32_t compute(uint32_t amount, uint32_t x) {
    uint32_t a = x, b = x + 1, c = x + 2, d = x + 3;
    for (uint32_t i = 0; i < amount; i++) {
        a = a * 1664525u + 1013904223u;
        b = b * 22695477u + 1u;
        c = (c ^ c >> 7) + i;
        d = (d << 3 | d >> 29) + table[i % TABLE];
        table[i % TABLE] = a ^ b;
    }
    return a ^ b ^ c ^ d;
}

typedef struct Event {
    uint64_t value;
} Event;

/* A stretch of computing, with or without an event at each step. */
static Sample stretch(tacrec_sensor *sensor, uint32_t amount, bool events) {
    static volatile uint32_t sink;
    uint32_t x = sink;
    Sample begin = {clockOf(CLOCK_MONOTONIC), clockOf(CLOCK_THREAD_CPUTIME_ID)};
    for (uint32_t i = 0; i < EVENTS; i++) {
        x = compute(amount, x);
        if (!events) continue;
        Event *event = tacrec_write(sensor);
        event->value = x;
        tacrec_commit(sensor, event);
    }
    Sample end = {clockOf(CLOCK_MONOTONIC), clockOf(CLOCK_THREAD_CPUTIME_ID)};
    sink = x;
    return (Sample){end.passed - begin.passed, end.own - begin.own};
}

/* How much is computed in a microsecond: the fastest of some stretches, so that it is the machine's own speed. */
static uint32_t calibrate(tacrec_sensor *sensor) {
    const uint32_t amount = 200;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 20; i++) {
        uint64_t own = stretch(sensor, amount, false).own;
        if (own < least) least = own;
    }
    return (uint32_t) ((uint64_t) amount * EVENTS * 1000 / least);
}

static int byValue(const void *a, const void *b) {
    double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

static void tell(const char *what, double *ratios) {
    qsort(ratios, PAIRS, sizeof *ratios, byValue);
    printf("%s: %+.2f %% (half of the pairs between %+.2f %% and %+.2f %%)\n", what, 100 * (ratios[PAIRS / 2] - 1),
        100 * (ratios[PAIRS / 4] - 1), 100 * (ratios[PAIRS * 3 / 4] - 1));
}

int main(void) {
    static const tacrec_field field = {"value", TACREC_UNSIGNED, 0, 8};
    const tacrec_layout layout = {.name = "effect",
        .kind = TACREC_SIMPLE,
        .size = sizeof(Event),
        .capacity = 1 << 17,
        .fields = &field,
        .fieldCount = 1};
    static tacrec_directory directory;
    static tacrec_sensor sensor;
    static double passed[PAIRS], own[PAIRS];
    uint64_t all = 0;
    int problem = tacrec_openDefault(&directory, NULL, 8 << 20);
    if (problem || !tacrec_add(&directory, &sensor, &layout)) {
        fprintf(stderr, "recordEffect: no sensor: %s\n", strerror(problem));
        return 1;
    }
    uint32_t amount = calibrate(&sensor);
    for (int i = 0; i < PAIRS; i++) {
        bool first = i % 2; /* each comes first as often */
        Sample one = stretch(&sensor, amount, first), other = stretch(&sensor, amount, !first);
        Sample with = first ? one : other, without = first ? other : one;
        passed[i] = (double) with.passed / (double) without.passed;
        own[i] = (double) with.own / (double) without.own;
        all += with.passed;
    }
    printf("%.0f events in a second\n", (double) PAIRS * EVENTS * 1e9 / (double) all);
    tell("time of the thread", own);
    tell("time as it passes ", passed);
    tacrec_close(&directory, false);
    return 0;
}
