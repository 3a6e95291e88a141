/*
 * late.c -- a control loop that is late now and then, to be recorded: the example of doc/late-job.md.
 *
 * Three threads share one processor under SCHED_FIFO: control every 10 ms, urgent; vision every 37 ms, less urgent, long;
 * logger every 25 ms, the least urgent. control and logger share a lock - an ordinary one, without priority inheritance. When
 * vision comes while logger has the lock and control waits for it, control waits for vision: priority inversion.
 *
 * Taking and giving back the lock is marked in the kernel's trace, since an ordinary lock does not enter the kernel when it is free.
 *
 *	cc -O2 -pthread -o late late.c
 *	./late ?MARKER?		MARKER: trace_marker of the buffer that records; default: that of the kernel's own
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TENTHS = 2 };	/* it runs for so many tenths of a second */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int marker = -1;

static long long now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Computes for so many microseconds of its own processor time. */
static void compute(int us) {
    for (long long end = now(CLOCK_THREAD_CPUTIME_ID) + us * 1000LL; now(CLOCK_THREAD_CPUTIME_ID) < end;);
}

static void mark(const char *text) {
    if (marker >= 0 && write(marker, text, strlen(text)) < 0) marker = -1;
}

static void locked(int us) {
    pthread_mutex_lock(&lock);
    mark("lock state");
    compute(us);
    mark("unlock state");
    pthread_mutex_unlock(&lock);
}

static void control(void) { compute(1200); locked(300); compute(500); }
static void vision(void) { compute(4500); }
static void logger(void) { compute(600); locked(1500); compute(400); }

static const struct Thread { const char *name; int priority, period, offset; void (*work)(void); } threads[] = {
    {"control", 80, 10000, 5000, control}, {"vision", 50, 37000, 18500, vision}, {"logger", 20, 25000, 13700, logger}
};

static void *run(void *data) {
    const struct Thread *me = data;
    static long long begin;
    struct sched_param param = {.sched_priority = me->priority};
    pthread_setname_np(pthread_self(), me->name);
    if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &param)) fprintf(stderr, "%s: no real-time priority: try as root\n", me->name);
    if (!begin) begin = now(CLOCK_MONOTONIC);
    for (long long next = begin + me->offset * 1000LL; next < begin + TENTHS * 100000000LL; next += me->period * 1000LL) {
	struct timespec t = {.tv_sec = next / 1000000000, .tv_nsec = next % 1000000000};
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	me->work();
    }
    return NULL;
}

int main(int count, char **words) {
    cpu_set_t one;
    pthread_t ids[3];
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param) {.sched_priority = 10});	/* not behind others while it begins */
    marker = open(count > 1 ? words[1] : "/sys/kernel/tracing/trace_marker", O_WRONLY);
    for (int i = 0; i < 3; i++) pthread_create(&ids[i], NULL, run, (void *) &threads[i]);
    for (int i = 0; i < 3; i++) pthread_join(ids[i], NULL);
    return 0;
}
