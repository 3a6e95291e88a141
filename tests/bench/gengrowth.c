/*
 * gengrowth.c -- writes traces that have very many of one thing, to see how the cost of a question grows with it.
 *
 *      gengrowth SHAPE EVENTS
 *
 * processors   4096 processors, each with two tasks, one of which preempts the other
 * global       4096 processors, half of them idle, and as many tasks, whose jobs run on any of them
 * blocked      a chain: each job holds a mutex and is blocked on that of the job before it (EVENTS / 6 jobs)
 * preempted    a job that is preempted by EVENTS / 3 others, each of another task (on one processor)
 * tasks        EVENTS / 3 tasks, one job each, one after the other
 * long         EVENTS / 147 tasks of 49 jobs each, one after the other
 * slower       the same tasks, of which every second one takes longer
 * samples      EVENTS / 90 tasks of 30 jobs each, one after the other, which take 1 to 40
 * others       the same tasks, of which each job takes another time
 * delayed      the same tasks, of which each job starts 1 to 40 after its release
 * delayedOthers  these, of which each job starts after another time, and takes another
 * buffer       the first half of the events pushes elements, the second one inserts and drops at the head
 * shuffled     jobs of four tasks, lines in random order
 * ready        EVENTS / 3 jobs of 50 tasks that are released first, and then run one after the other
 * toggle       a chain of 50 blocked jobs, and the most urgent job, which is blocked and woken EVENTS / 4 times
 * nested       jobs that acquire 64 mutexes, one within the other, and release them
 * servers      EVENTS / 10 servers, each with a task whose jobs run when it has a budget
 * idle         EVENTS / 8 servers, which consume, and as many tasks, which run on the budget of none
 * threads      text of ftrace: EVENTS / 2 threads, each woken and run once
 *
 * The same arguments give the same bytes.
 */
#include "random.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSORS = 4096 };

/* On each processor a job is preempted by a more urgent one, all processors in step. */
static void processors(uint32_t n) {
    static const char *const events[] = {"jobArrived l%u.%u l%u", "jobStarted l%u.%u", "jobArrived h%u.%u h%u",
        "jobPreempted l%u.%u", "jobStarted h%u.%u", "jobCompleted h%u.%u", "jobResumed l%u.%u", "jobCompleted l%u.%u"};
    uint32_t count = n / 80 < PROCESSORS ? n / 80 + 1 : PROCESSORS;
    for (uint32_t i = 0; i < count; i++)
        printf("newProcessor p%u\nnewTask h%u -priority 1 -processor p%u\nnewTask l%u -priority 2 -processor p%u\n", i,
            i, i, i, i);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t step = i / count, processor = i % count;
        static const uint32_t times[] = {0, 0, 2, 2, 2, 5, 5, 8};
        printf("plot %u ", step / 8 * 10 + times[step % 8]);
        printf(events[step % 8], processor, step / 8, processor);
        putchar('\n');
    }
}

/* All jobs run on any of the processors, half of which are idle. */
static void global(uint32_t n) {
    uint32_t count = n / 60 < PROCESSORS ? n / 60 + 2 : PROCESSORS, jobs = n / 3;
    for (uint32_t i = 0; i < count; i++) printf("newProcessor p%u\nnewTask t%u -priority %u\n", i, i, i % 99);
    for (uint32_t i = 0; i < jobs; i++) {
        printf("plot %u jobArrived j%u t%u\nplot %u jobStarted j%u -processor p%u\n", i, i, i % count, i, i,
            (i + i / count) % count);
        if (i >= count / 2) printf("plot %u jobCompleted j%u\n", i, i - count / 2);
    }
}

static void blocked(uint32_t n) {
    uint32_t jobs = n / 6;
    for (uint32_t i = 0; i < jobs; i++) printf("newTask t%u -priority %u\nnewMutex m%u\n", i, jobs - i, i);
    for (uint32_t i = 0; i < jobs; i++) {
        uint32_t t = 4 * i;
        printf("plot %u jobArrived j%u t%u\nplot %u jobStarted j%u\n", t, i, i, t, i);
        printf("plot %u jobAcquiredMutex j%u m%u\n", t + 1, i, i);
        if (i + 1 < jobs) printf("plot %u jobPreempted j%u -target j%u\n", t + 4, i, i + 1);
        if (i) printf("plot %u jobResumed j%u\nplot %u jobBlocked j%u -target j%u\n", t + 5, i, t + 6, i, i - 1);
    }
}

static void preempted(uint32_t n) {
    uint32_t count = n / 3, t = 1;
    printf("newTask low -priority %u\n", count + 1);
    for (uint32_t i = 0; i < count; i++) printf("newTask t%u -priority 1\n", i);
    printf("plot 0 jobArrived low1 low\nplot 0 jobStarted low1\nplot 1 jobPreempted low1\n");
    for (uint32_t i = 0; i < count; i++, t += 2) {
        printf("plot %u jobArrived j%u t%u\nplot %u jobStarted j%u\n", t, i, i, t, i);
        printf("plot %u jobCompleted j%u\n", t + 2, i);
    }
    printf("plot %u jobResumed low1\nplot %u jobCompleted low1\n", t, t + 1);
}

/* A job of each task; `more`: those of every second one take longer by it. */
static void tasksOf(uint32_t n, uint32_t more) {
    uint32_t count = n / 3;
    for (uint32_t i = 0; i < count; i++) printf("newTask t%u -priority %u\n", i, i % 7);
    for (uint32_t i = 0; i < count; i++) {
        printf("plot %u jobArrived j%u t%u\nplot %u jobStarted j%u\n", 4 * i, i, i, 4 * i + 1, i);
        printf("plot %u jobCompleted j%u\n", 4 * i + 2 + (i % 2 ? 1 : more), i);
    }
}

static void longTasks(uint32_t n) {
    enum { JOBS = 49 };
    uint32_t count = n / (3 * JOBS) + 1;
    for (uint32_t i = 0; i < count; i++) printf("newTask t%u -priority %u\n", i, i % 7);
    for (uint32_t i = 0; i < count * JOBS; i++)
        printf("plot %u jobArrived j%u t%u\nplot %u jobStarted j%u\nplot %u jobCompleted j%u\n", 4 * i, i, i % count,
            4 * i + 1, i, 4 * i + 2 + i % 2, i);
}

/* Jobs of a task take one of 40 times; isDelayed: and so long to start. */
static void samplesOf(uint32_t n, uint64_t seed, bool isDelayed) {
    enum { JOBS = 30, SLOT = 100 };
    uint32_t count = n / (3 * JOBS) + 1;
    for (uint32_t i = 0; i < count; i++) printf("newTask t%u -priority %u\n", i, i % 7);
    for (uint32_t i = 0; i < count * JOBS; i++) {
        int64_t t = (int64_t) SLOT * i, start = t + (isDelayed ? between(&seed, 1, 40) : 0);
        printf("plot %" PRId64 " jobArrived j%u t%u\nplot %" PRId64 " jobStarted j%u\nplot %" PRId64 " jobCompleted "
               "j%u\n",
            t, i, i % count, start, i, start + between(&seed, 1, 40), i);
    }
}

static void samples(uint32_t n) { samplesOf(n, 1, false); }
static void others(uint32_t n) { samplesOf(n, 2, false); }
static void delayed(uint32_t n) { samplesOf(n, 1, true); }
static void delayedOthers(uint32_t n) { samplesOf(n, 2, true); }
static void tasks(uint32_t n) { tasksOf(n, 0); }
static void slower(uint32_t n) { tasksOf(n, 1); }

static void ready(uint32_t n) {
    uint32_t count = n / 3;
    for (uint32_t i = 0; i < 50; i++) printf("newTask t%u -priority %u\n", i, i);
    for (uint32_t i = 0; i < count; i++) printf("plot %u jobArrived j%u t%u\n", i, i, i % 50);
    for (uint32_t k = 0, t = count; k < 50; k++)
        for (uint32_t i = k; i < count; i += 50, t += 2)
            printf("plot %u jobStarted j%u\nplot %u jobCompleted j%u\n", t, i, t + 2, i);
}

static void toggle(uint32_t n) {
    enum { LINKS = 50 };
    uint32_t t = 1;
    printf("newTask high -priority 1\nnewTask low -priority 99\n");
    for (uint32_t i = 0; i < LINKS; i++) printf("newTask t%u -priority %u\nnewMutex m%u\n", i, 60 - i, i);
    for (uint32_t i = 0; i < LINKS; i++, t += 4) {
        printf("plot %u jobArrived j%u t%u\nplot %u jobStarted j%u\n", t, i, i, t, i);
        printf("plot %u jobAcquiredMutex j%u m%u\n", t + 1, i, i);
        if (i) printf("plot %u jobBlocked j%u -target j%u\n", t + 2, i, i - 1);
        else printf("plot %u jobPreempted j%u\n", t + 2, i);
    }
    printf("plot %u jobArrived high1 high\nplot %u jobStarted high1\nplot %u jobArrived low1 low\n", t, t, t);
    for (uint32_t i = 0; i < n / 4; i++, t += 4) {
        printf("plot %u jobBlocked high1 -target j%d\nplot %u job%s low1\n", t + 1, LINKS - 1, t + 1,
            i ? "Resumed" : "Started");
        printf("plot %u jobPreempted low1\nplot %u jobResumed high1\n", t + 3, t + 3);
    }
}

static void nested(uint32_t n) {
    enum { DEEP = 64 };
    uint32_t jobs = n / (2 * DEEP + 3) + 1, t = 0;
    for (uint32_t i = 0; i < 10; i++) printf("newTask t%u -priority %u\n", i, i);
    for (uint32_t i = 0; i < DEEP; i++) printf("newMutex m%u\n", i);
    for (uint32_t i = 0; i < jobs; i++) {
        printf("plot %u jobArrived j%u t%u\nplot %u jobStarted j%u\n", t, i, i % 10, t, i);
        for (uint32_t k = 0; k < DEEP; k++) printf("plot %u jobAcquiredMutex j%u m%u\n", ++t, i, k);
        for (uint32_t k = DEEP; k-- > 0;) printf("plot %u jobReleasedMutex j%u m%u\n", ++t, i, k);
        printf("plot %u jobCompleted j%u\n", ++t, i);
    }
}

static void servers(uint32_t n) {
    uint32_t count = n / 10, t = 0;
    for (uint32_t i = 0; i < count; i++)
        printf("newServer s%u -capacity 4 -budget 4 -priority %u\nnewTask t%u -priority %u\n", i, i % 7, i, i % 7);
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < count; i++, t += 10) {
            printf("plot %u serverReplenished s%u 4\nplot %u jobArrived j%u.%u t%u\n", t, i, t, i, k, i);
            printf("plot %u serverResumed s%u\nplot %u jobStarted j%u.%u\n", t + 1, i, t + 1, i, k);
            printf("plot %u jobCompleted j%u.%u\n", t + 5, i, k);
            if (k) printf("plot %u serverPreempted s%u\n", t + 5, i);
        }
}

/* Tells that each second server begins or ceases to consume. */
static void tellServers(uint32_t first, uint32_t count, uint32_t t, const char *event) {
    for (uint32_t i = first; i < count; i += 2) printf("plot %u %s s%u\n", t, event, i);
}

/* Half of the servers consume while the first jobs run, the other half while the second jobs do, and all in the end. */
static void idle(uint32_t n) {
    uint32_t count = n / 8;
    for (uint32_t i = 0; i < count; i++)
        printf("newServer s%u -capacity %u -budget %u\nnewTask t%u -priority %u\n", i, 4 * count, 4 * count, i, i % 7);
    for (uint32_t k = 0; k < 2; k++) {
        if (k) tellServers(0, count, count, "serverPreempted");
        tellServers(k, count, k * count, "serverResumed");
        for (uint32_t i = 0, t = k * count; i < count; i++, t++) {
            printf("plot %u jobArrived j%u.%u t%u\nplot %u jobStarted j%u.%u\n", t, i, k, i, t, i, k);
            printf("plot %u jobCompleted j%u.%u\n", t + 1, i, k);
        }
    }
    tellServers(0, count, 2 * count, "serverResumed");
    printf("plot %u serverPreempted s0\n", 3 * count);
}

static void buffer(uint32_t n) {
    uint64_t random = 1;
    printf("newBuffer b\n");
    for (uint32_t i = 0; i < n / 2; i++) printf("bufferplot %u push b e%u\n", i, i % 100);
    for (uint32_t i = n / 2; i < n; i++) {
        uint32_t at = (uint32_t) between(&random, 0, 3);
        if (i % 2) printf("bufferplot %u drop b %u\n", i, at);
        else printf("bufferplot %u insert b e%u %u\n", i, i % 100, at);
    }
}

static void shuffled(uint32_t n) {
    static const char *const words[] = {"jobArrived", "jobStarted", "jobCompleted"};
    uint64_t random = 1;
    uint32_t *order = malloc(n * sizeof *order);
    if (!order) exit(1);
    shuffle(&random, order, n);
    for (int i = 0; i < 4; i++) printf("newTask t%d\n", i);
    for (uint32_t i = 0; i < n; i++) {
        printf("plot %u %s j%u", order[i], words[order[i] % 3], order[i] / 3);
        if (order[i] % 3 == 0) printf(" t%u", order[i] / 3 % 4);
        putchar('\n');
    }
    free(order);
}

static void threads(uint32_t n) {
    printf("# tracer: nop\n#\n");
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t at = 10 * i, before = i ? i + 999 : 0;
        printf("          <...>-%u       [000] d..2. %u.%06u: sched_switch: prev_comm=w%u prev_pid=%u prev_prio=120 "
               "prev_state=S ==> next_comm=w%u next_pid=%u next_prio=120\n",
            before, at / 1000000, at % 1000000, before, before, i + 1000, i + 1000);
        printf("          <...>-%u       [000] d..2. %u.%06u: sched_wakeup: comm=w%u pid=%u prio=120 target_cpu=000\n",
            i + 1000, (at + 5) / 1000000, (at + 5) % 1000000, i + 1001, i + 1001);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*write)(uint32_t n);
    } shapes[] = {{"processors", processors}, {"global", global}, {"blocked", blocked}, {"preempted", preempted},
        {"tasks", tasks}, {"long", longTasks}, {"slower", slower}, {"samples", samples}, {"others", others},
        {"delayed", delayed}, {"delayedOthers", delayedOthers}, {"ready", ready}, {"toggle", toggle},
        {"nested", nested}, {"servers", servers}, {"idle", idle}, {"buffer", buffer}, {"shuffled", shuffled},
        {"threads", threads}};
    uint32_t n = argc > 2 ? (uint32_t) strtoul(argv[2], NULL, 10) : 0;
    for (size_t i = 0; n && i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(argv[1], shapes[i].name) != 0) continue;
        shapes[i].write(n);
        return ferror(stdout) || fflush(stdout) ? 1 : 0;
    }
    fprintf(stderr, "usage: gengrowth SHAPE EVENTS; shapes:");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) fprintf(stderr, " %s", shapes[i].name);
    fprintf(stderr, "\n");
    return 2;
}
