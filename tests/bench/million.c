/*
 * million.c -- a thread that writes ready-made events at a steady rate, for the question of how many a recorder loses:
 *
 *      cc -O2 -pthread tests/bench/million.c $(pkg-config --cflags --libs tactusrec) -o million
 *      tactus record ./million [EVENTS a second, 1000000] [SECONDS, 10]
 *
 * After a pause (the processor was taken away) it catches up, so the rate is kept on the average.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactusrec_trace.h>
#include <time.h>

static double rate = 1e6, seconds = 10;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

static void *writeAll(void *data) {
    uint32_t task = tacrec_newTask("busy", NULL);
    tacrec_thisTask(task);
    uint64_t all = (uint64_t) (rate * seconds), n = 0;
    double begin = now(), last = begin, longest = 0;
    while (n < all) {
        double time = now();
        uint64_t due = (uint64_t) ((time - begin) * rate);
        if (time - last > longest) longest = time - last;
        last = time;
        if (due > n + 10) due = n + 10;
        for (; n < due && n < all; n++) tacrec_jobStarted(tacrec_jobOf(task, (uint32_t) n + 1));
    }
    fprintf(
        stderr, "%.0f events in %.3f s; the longest pause was %.1f ms\n", (double) n, now() - begin, 1000 * longest);
    return data;
}

int main(int count, char **words) {
    static tacrec_directory directory;
    pthread_t thread;
    if (count > 1) rate = atof(words[1]);
    if (count > 2) seconds = atof(words[2]);
    tacrec_openDefault(&directory, "million", TACREC_TRACE_BYTES);
    tacrec_traceOpen(&directory, NULL);
    if (pthread_create(&thread, NULL, writeAll, NULL)) return 1;
    pthread_join(thread, NULL);
    tacrec_traceClose();
    tacrec_close(&directory, false);
    return 0;
}
