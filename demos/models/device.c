/*
 * device.c -- a loop that waits for an external resource.
 *
 * Every 5 ms, reader asks a device for a value, and waits for the answer. The device is another process, behind two
 * pipes. It mostly answers after 0.2 ms; every 40th time it is busy with itself, and answers after 12 ms. Repaired,
 * reader waits for 1 ms at most. Where the answer has not come, it goes on with the value that it had, and takes
 * the late one before it asks again.
 *
 * There are no marks: what the loop does is seen in its system calls.
 *
 *  cc -O2 -o device device.c
 *  ./device ?--repaired?
 *
 * To record it, as root (record.sh does the same, and then leaves out other programs):
 *
 *  perf record -a -k CLOCK_MONOTONIC -c 1 -o perf.data \
 *      -e sched:sched_switch -e sched:sched_waking -e sched:sched_wakeup \
 *      -e syscalls:sys_enter_read -e syscalls:sys_exit_read -e syscalls:sys_enter_write -e syscalls:sys_exit_write \
 *      -e syscalls:sys_enter_poll -e syscalls:sys_exit_poll \
 *      -e syscalls:sys_enter_clock_nanosleep -e syscalls:sys_exit_clock_nanosleep ./device
 *  perf script -i perf.data
 */
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { CYCLES = 100, PERIOD = 5000, ANSWER = 200, BUSY = 12000, BUSY_EVERY = 40, PATIENCE = 1 }; /* us; PATIENCE: ms */

static long long now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Computes for so many microseconds of its own processor time. */
static void compute(int us) {
    for (long long end = now(CLOCK_PROCESS_CPUTIME_ID) + us * 1000LL; now(CLOCK_PROCESS_CPUTIME_ID) < end;)
        ;
}

static void beProcess(const char *name, int processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    prctl(PR_SET_NAME, name);
    if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 50})) perror(name);
}

static void device(int in, int out) {
    int request;
    beProcess("device", 1);
    while (read(in, &request, sizeof request) == sizeof request) {
        compute(request % BUSY_EVERY ? ANSWER : BUSY);
        if (write(out, &request, sizeof request) < 0) return;
    }
}

/* Whether an answer can be read within so many milliseconds. */
static int answered(int in, int ms) { return poll(&(struct pollfd){.fd = in, .events = POLLIN}, 1, ms) > 0; }

static void reader(int in, int out, int repaired) {
    int value = 0, asked = 0;
    beProcess("reader", 0);
    long long next = now(CLOCK_MONOTONIC) + PERIOD * 1000;
    for (int i = 1; i <= CYCLES; i++, next += PERIOD * 1000) {
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &(struct timespec){next / 1000000000, next % 1000000000}, NULL);
        if (repaired && value < asked && answered(in, 0) && read(in, &value, sizeof value) < 0) return;
        if (value == asked) {
            asked = i;
            if (write(out, &asked, sizeof asked) < 0) return;
        }
        if ((!repaired || answered(in, PATIENCE)) && read(in, &value, sizeof value) < 0) return;
        compute(300);
    }
    usleep(1000); /* the last cycle ends like the others */
}

int main(int count, char **words) {
    int to[2], from[2];
    if (pipe(to) || pipe(from)) return 1;
    if (!fork()) {
        close(to[1]);
        device(to[0], from[1]);
    } else {
        close(to[0]);
        usleep(20000);
        reader(from[0], to[1], count > 1 && !strcmp(words[1], "--repaired"));
    }
    return 0;
}
