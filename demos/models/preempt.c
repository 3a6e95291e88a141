/*
 * preempt.c -- a task of 1000 Hz that is late because a thread of higher priority comes in between.
 *
 * control is released every millisecond, computes for 0.3 ms, and has to be done within 1 ms. All threads have one
 * processor and real-time priorities. Every 97 ms filter computes for 0.9 ms. It should not be in a hurry, but
 * somebody gave it a higher priority than control. Repaired, it has a lower one.
 *
 * control writes a mark to the kernel's trace where a cycle begins and where it ends.
 *
 *  cc -O2 -pthread -o preempt preempt.c
 *  ./preempt ?--repaired? ?MARKER?
 *
 * MARKER is the trace_marker of the buffer that records; default: that of the kernel's own.
 *
 * To record it, as root (record.sh does the same, and then leaves out other programs by others.awk):
 *
 *  trace-cmd record -B models -d -k -C mono -o trace.dat -e sched_switch -e sched_waking -e sched_wakeup \
 *      ./preempt /sys/kernel/tracing/instances/models/trace_marker
 *  rmdir /sys/kernel/tracing/instances/models
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RUN = 500000, CONTROL = 50, FILTER_BAD = 60, FILTER_GOOD = 40 }; /* us; priorities */

static int marker = -1, repaired;
static long long begin; /* of all periods, ns */

static long long now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Computes for so many microseconds of its own processor time. */
static void compute(int us) {
    for (long long end = now(CLOCK_THREAD_CPUTIME_ID) + us * 1000LL; now(CLOCK_THREAD_CPUTIME_ID) < end;)
        ;
}

static void mark(const char *text) {
    if (marker >= 0 && write(marker, text, strlen(text)) < 0) marker = -1;
}

static void beThread(const char *name, int priority) {
    struct sched_param param = {.sched_priority = priority};
    pthread_setname_np(pthread_self(), name);
    if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &param))
        fprintf(stderr, "%s: no real-time priority: try as root\n", name);
}

static void sleepUntil(long long us) {
    long long at = begin + us * 1000;
    struct timespec t = {.tv_sec = at / 1000000000, .tv_nsec = at % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void *control(void *unused) {
    char text[40];
    beThread("control", CONTROL);
    for (int us = 1000, cycle = 1; us < RUN; us += 1000, cycle++) {
        sleepUntil(us);
        snprintf(text, sizeof text, "control:begin cycle=%d", cycle);
        mark(text);
        compute(300);
        mark("control:end");
    }
    return unused;
}

static void *filter(void *unused) {
    beThread("filter", repaired ? FILTER_GOOD : FILTER_BAD);
    for (int us = 50100; us < RUN; us += 97000) {
        sleepUntil(us);
        compute(900);
    }
    return unused;
}

int main(int count, char **words) {
    cpu_set_t one;
    pthread_t ids[2];
    if (count > 1 && !strcmp(words[1], "--repaired")) repaired = 1, count--, words++;
    marker = open(count > 1 ? words[1] : "/sys/kernel/tracing/trace_marker", O_WRONLY);
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    begin = now(CLOCK_MONOTONIC) + 10000000;
    pthread_create(&ids[0], NULL, control, NULL);
    pthread_create(&ids[1], NULL, filter, NULL);
    for (int i = 0; i < 2; i++) pthread_join(ids[i], NULL);
    return 0;
}
