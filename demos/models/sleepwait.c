/*
 * sleepwait.c -- sleeping as synchronization: nearly every command takes a fraction of a millisecond, one of
 * hundreds a tenth of a second.
 *
 * client gives commands to worker, on the other processor, one after the other. It expects that a command is done
 * within 0.2 ms, and looks for it so long. Then it sleeps for 100 ms and looks again, since somebody thought that
 * this would never happen. But every 150th command takes 0.3 ms. Repaired, it waits for a semaphore, and is woken
 * when the command is done.
 *
 * client writes a mark where a command begins and where it ends.
 *
 *  cc -O2 -pthread -o sleepwait sleepwait.c
 *  ./sleepwait ?--repaired? ?MARKER?
 *
 * MARKER is the trace_marker of the buffer that records; default: that of the kernel's own.
 *
 * To record it, as root (record.sh does the same, and then leaves out other programs by others.awk):
 *
 *  trace-cmd record -B models -d -k -C mono -o trace.dat -e sched_switch -e sched_waking -e sched_wakeup \
 *      -e syscalls:sys_enter_clock_nanosleep -e syscalls:sys_exit_clock_nanosleep \
 *      -e syscalls:sys_enter_futex -e syscalls:sys_exit_futex \
 *      ./sleepwait /sys/kernel/tracing/instances/models/trace_marker
 *  rmdir /sys/kernel/tracing/instances/models
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS = 400, SHORT = 50, LONG = 300, LONG_EVERY = 150, PATIENCE = 200, NAP = 100000 }; /* us */

static int marker = -1, repaired;
static sem_t given, finished;
static atomic_int done; /* the last command that is done */

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

static void beThread(const char *name, int processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
    pthread_setname_np(pthread_self(), name);
    if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &(struct sched_param){.sched_priority = 50}))
        fprintf(stderr, "%s: no real-time priority: try as root\n", name);
}

static void *worker(void *unused) {
    beThread("worker", 1);
    for (int i = 1; i <= COMMANDS; i++) {
        while (sem_wait(&given))
            ;
        compute(i % LONG_EVERY ? SHORT : LONG);
        done = i;
        if (repaired) sem_post(&finished);
    }
    return unused;
}

/* Looks for a while, then sleeps and looks again. */
static void sleepUntilDone(int command) {
    for (;;) {
        for (long long end = now(CLOCK_MONOTONIC) + PATIENCE * 1000; now(CLOCK_MONOTONIC) < end;) {
            if (done == command) return;
        }
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = NAP * 1000}, NULL);
    }
}

static void *client(void *unused) {
    char text[40];
    beThread("client", 0);
    usleep(1000); /* a switch tells the recording its name */
    for (int i = 1; i <= COMMANDS; i++) {
        snprintf(text, sizeof text, "command:begin number=%d", i);
        mark(text);
        sem_post(&given);
        if (repaired)
            while (sem_wait(&finished))
                ;
        else sleepUntilDone(i);
        snprintf(text, sizeof text, "command:end number=%d", i);
        mark(text);
        compute(100);
    }
    return unused;
}

int main(int count, char **words) {
    pthread_t ids[2];
    if (count > 1 && !strcmp(words[1], "--repaired")) repaired = 1, count--, words++;
    marker = open(count > 1 ? words[1] : "/sys/kernel/tracing/trace_marker", O_WRONLY);
    sem_init(&given, 0, 0);
    sem_init(&finished, 0, 0);
    pthread_create(&ids[0], NULL, worker, NULL);
    usleep(20000);
    pthread_create(&ids[1], NULL, client, NULL);
    for (int i = 0; i < 2; i++) pthread_join(ids[i], NULL);
    return 0;
}
