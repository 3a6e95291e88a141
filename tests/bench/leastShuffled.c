/*
 * leastShuffled.c -- the least that any reader of shuffled lines has to do: leastShuffled EVENTS prints its seconds of
 * CPU time (the least of three runs).
 *
 * Each event's job is looked up in a hash table of numbers, the events are put in the order of their times, which are
 * all different and known, and each touches a number of its job. Nothing is read or written besides; so what grows here
 * faster than the events is memory, which answers the more slowly the more of it is in use.
 */
#include "random.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct Slot {
    uint64_t job; /* and 1 */
    uint32_t id;  /* from 1; 0: the slot is free */
} Slot;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void *zeros(size_t count, size_t size) {
    void *at = calloc(count, size);
    if (!at) exit(1);
    return at;
}

/* Seconds for events with these times, three to a job; *sum keeps the compiler from doing nothing. */
static double run(const uint32_t *times, uint32_t n, uint64_t *sum) {
    size_t nSlots = 64;
    while (nSlots < n / 2) nSlots *= 2;
    Slot *slots = zeros(nSlots, sizeof *slots);
    uint32_t *ids = zeros(n, sizeof *ids), *rows = zeros(n, sizeof *rows), *states = zeros(n / 3 + 2, sizeof *states);
    uint32_t nJobs = 0;
    double begin = seconds();
    for (uint32_t i = 0; i < n; i++) {
        uint64_t job = times[i] / 3 + 1;
        size_t at = (job * 0x9E3779B97F4A7C15ULL >> 20) & (nSlots - 1);
        while (slots[at].id && slots[at].job != job) at = (at + 1) & (nSlots - 1);
        if (!slots[at].id) slots[at] = (Slot){job, ++nJobs};
        ids[i] = slots[at].id;
    }
    for (uint32_t i = 0; i < n; i++) rows[times[i]] = i;
    for (uint32_t t = 0; t < n; t++) *sum += states[ids[rows[t]]]++;
    double took = seconds() - begin;
    free(slots);
    free(ids);
    free(rows);
    free(states);
    return took;
}

int main(int argc, char **argv) {
    uint32_t n = argc == 2 ? (uint32_t) strtoul(argv[1], NULL, 10) : 0;
    if (n == 0) return fprintf(stderr, "usage: leastShuffled EVENTS\n"), 2;
    uint32_t *times = zeros(n, sizeof *times);
    uint64_t random = 1;
    shuffle(&random, times, n);
    double least = 0;
    uint64_t sum = 0;
    for (int i = 0; i < 3; i++) {
        double took = run(times, n, &sum);
        if (i == 0 || took < least) least = took;
    }
    free(times);
    printf("%.6f\n", least);
    return sum == 0;
}
