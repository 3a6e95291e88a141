/*
 * jobs.c -- threads that mark the beginnings and ends of their jobs, for tests of how these are found in recordings of
 * the kernel (tests/kernelJobs.test).
 *
 *      jobs NAME:POLICY:PRIORITY:CPU:HOW:RUN:BUDGET:PERIOD:JOBS ...
 *
 * POLICY is d (SCHED_DEADLINE, with a budget and a period), f (SCHED_FIFO) or r (SCHED_RR, both with a priority). CPU
 * is the processor to which the thread is bound, -1 for none. A job runs for RUN microseconds and ends by HOW: y it
 * yields, s it sleeps until its next period. Marks, "begin 2.5" and "end 2.5" for the fifth job of the second thread,
 * go to the file that $MARKER names.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 32, DEADLINE = 6 /* SCHED_DEADLINE, which C libraries do not have */ };

typedef struct Thread {
    char name[16], policy, how;
    int priority, cpu, number, jobs;
    int64_t run, budget, period; /* ns */
    pthread_t thread;
} Thread;

typedef struct Attributes { /* struct sched_attr of the kernel */
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
} Attributes;

static pthread_barrier_t all;
static int marker;
static int failed;

static void mark(const char *what, const Thread *thread, int job) {
    char text[64];
    int n = snprintf(text, sizeof text, "%s %d.%d", what, thread->number, job);
    if (write(marker, text, (size_t) n) != n) failed = 1;
}

static int64_t executed(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void work(int64_t ns) {
    int64_t end = executed() + ns;
    while (executed() < end) continue;
}

/* Sets the thread's policy, before the others go on; but a deadline thread must not lose its budget by waiting. */
static void prepare(const Thread *thread) {
    Attributes attributes = {.size = sizeof attributes};
    attributes.policy = thread->policy == 'd' ? DEADLINE : thread->policy == 'f' ? SCHED_FIFO : SCHED_RR;
    if (thread->policy == 'd') {
        attributes.runtime = (uint64_t) thread->budget;
        attributes.deadline = attributes.period = (uint64_t) thread->period;
    } else {
        attributes.priority = (uint32_t) thread->priority;
    }
    if (thread->cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(thread->cpu, &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0) failed = 1;
    }
    if (syscall(SYS_sched_setattr, 0, &attributes, 0) != 0) {
        fprintf(stderr, "%s: %s\n", thread->name, strerror(errno));
        failed = 1;
    }
}

static void sleepUntil(struct timespec *next, int64_t period) {
    int64_t ns = next->tv_nsec + period;
    next->tv_sec += ns / 1000000000;
    next->tv_nsec = ns % 1000000000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
}

static void *run(void *data) {
    Thread *thread = data;
    struct timespec next;
    prctl(PR_SET_NAME, thread->name);
    prepare(thread);
    pthread_barrier_wait(&all);
    if (failed) return NULL;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int job = 1; job <= thread->jobs; job++) {
        mark("begin", thread, job);
        work(thread->run);
        mark("end", thread, job);
        if (thread->how == 'y') sched_yield();
        else sleepUntil(&next, thread->period);
    }
    return NULL;
}

int main(int count, char **words) {
    static Thread threads[MOST];
    const char *file = getenv("MARKER");
    if (!file || (marker = open(file, O_WRONLY)) < 0 || count < 2 || count > MOST) return 2;
    for (int i = 1; i < count; i++) {
        Thread *thread = &threads[i];
        long times[3];
        if (sscanf(words[i], "%15[^:]:%c:%d:%d:%c:%ld:%ld:%ld:%d", thread->name, &thread->policy, &thread->priority,
                &thread->cpu, &thread->how, &times[0], &times[1], &times[2], &thread->jobs)
            != 9)
            return 2;
        thread->number = i;
        thread->run = times[0] * 1000;
        thread->budget = times[1] * 1000;
        thread->period = times[2] * 1000;
    }
    pthread_barrier_init(&all, NULL, (unsigned) count - 1);
    for (int i = 1; i < count; i++)
        if (pthread_create(&threads[i].thread, NULL, run, &threads[i]) != 0) return 2;
    for (int i = 1; i < count; i++) pthread_join(threads[i].thread, NULL);
    return failed;
}
