/*
 * nosyscall.c -- a loop that should never enter the kernel, but does.
 *
 * spin is a loop of 0.4 ms on a processor of its own. Its time would be constant if it were left alone. But every
 * 50th time it writes a line to a log, and an interval timer, which a library has left behind, sends it a signal
 * every 60 ms. Repaired, it keeps the lines until it is done, and stops the timer before it begins.
 *
 * A mark would be a system call of its own. So the beginning of a turn is recorded by a probe at the function
 * turn(), without any change of the program.
 *
 *  cc -O2 -o nosyscall nosyscall.c
 *  ./nosyscall ?--repaired?
 *
 * To record it, as root (record.sh does the same, and then leaves out other programs by others.awk):
 *
 *  at=$(nm nosyscall | sed -n 's/^0*\([0-9a-f]*\) T turn$/\1/p')
 *  echo "p:models/turn $PWD/nosyscall:0x$at number=%di:s32" >> /sys/kernel/tracing/uprobe_events
 *  trace-cmd record -B models -d -k -C mono -o trace.dat -e sched_switch -e sched_waking -e sched_wakeup \
 *      -e models:turn -e signal:signal_deliver -e syscalls \
 *      -e irq -e irq_vectors:local_timer_entry -e irq_vectors:local_timer_exit ./nosyscall
 *  rmdir /sys/kernel/tracing/instances/models
 *  echo "-:models/turn" >> /sys/kernel/tracing/uprobe_events
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 1000, LOG_EVERY = 50, TIMER = 60000 }; /* us */

static char kept[TURNS / LOG_EVERY * 40]; /* lines for the log that are not written yet */
static size_t keptBytes;
static volatile unsigned ticks, noise;

static void tick(int number) {
    (void) number;
    ticks++;
}

static void setTimer(int us) {
    struct itimerval interval = {.it_interval.tv_usec = us, .it_value.tv_usec = us};
    setitimer(ITIMER_REAL, &interval, NULL);
}

/* A turn of the loop begins: the place of the probe. */
__attribute__((noinline)) void turn(int number) { __asm__ volatile("" : : "r"(number)); }

/* Computes without asking what time it is. */
static void work(int rounds) {
    for (int i = 0; i < rounds; i++) noise = noise * 1664525 + 1013904223;
}

/* Rounds of work() that take so many microseconds: the least of several attempts. */
static int roundsOf(int us) {
    long long best = 0;
    for (int i = 0; i < 50; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        work(20000);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        long long ns = (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec;
        if (!best || ns < best) best = ns;
    }
    return (int) (20000LL * us * 1000 / best);
}

int main(int count, char **words) {
    int repaired = count > 1 && !strcmp(words[1], "--repaired");
    int file = open("/dev/null", O_WRONLY);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 50}))
        perror("nosyscall: no real-time priority");
    mlockall(MCL_CURRENT | MCL_FUTURE);
    int rounds = roundsOf(400);
    signal(SIGALRM, tick);
    setTimer(TIMER);
    prctl(PR_SET_NAME, "spin");
    if (repaired) setTimer(0);
    raise(SIGALRM); /* one signal for the recording, so that none in the loop means none, and not that they are not
                       recorded */
    usleep(1000);   /* and a switch with the thread's name */

    for (int i = 1; i <= TURNS; i++) {
        turn(i);
        work(rounds);
        if (i % LOG_EVERY) continue;
        keptBytes += (size_t) snprintf(kept + keptBytes, sizeof kept - keptBytes, "%d turns\n", i);
        if (repaired) continue;
        if (write(file, kept, keptBytes) < 0) break;
        keptBytes = 0;
    }
    turn(0);
    if (write(file, kept, keptBytes) < 0) perror("nosyscall");
    return 0;
}
