/*
 * gentrace.c -- writes a large valid trace for measurements: a partitioned fixed-priority system at work.
 *
 *      gentrace EVENTS [-p PROCESSORS] [-t TASKS] [-s SEED] [-c] [-i]
 *
 * Task i belongs to processor i mod PROCESSORS; on each processor priorities are rate monotonic (-i: the inverse, so
 * that the task with the most jobs is the one that waits for all others and misses deadlines), execution times vary
 * from job to job, the most urgent task runs on the budget of a deferrable server, and the two least urgent ones share
 * a mutex, in whose critical sections they are not preempted. Times are whole microseconds.
 *
 * Every processor is simulated by itself, window by window, into a buffer of its own. Without -c the buffers are
 * written in turn after each window, so that times ascend except within a window, as in a recording that is flushed per
 * processor. With -c the whole buffers are written one after the other, each on its own drifting clock, with messages
 * to and from the first processor from which the clocks can be found again; the truth is in comments at the end.
 *
 * The same arguments give the same bytes.
 */
#include "random.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROCESSORS = 64, MAX_TASKS = 256, WINDOW = 200, MESSAGE_EVERY = 100000, SECTION = 4 };

typedef struct Task {
    int number;
    int64_t period, budget; /* us; the budget is the most a job executes */
    int64_t release;        /* of the next job, us */
    int64_t left, done;     /* of the current job, us; left 0: no job */
    int64_t lockAt;         /* how long it has executed when it takes the mutex, or -1 */
    uint32_t job;           /* number of the current job, from 1 */
    bool started, served;
} Task;

typedef struct Processor {
    int number;
    Task *tasks[MAX_TASKS]; /* most urgent first */
    int nTasks;
    Task *running;
    int64_t now, replenish; /* us */
    uint64_t random;
    double offset, drift; /* local time = offset + drift * time */
    char *text;           /* what it recorded and was not written yet */
    size_t length, capacity;
} Processor;

static Processor processors[MAX_PROCESSORS];
static Task tasks[MAX_TASKS];
static int nProcessors = 2, nTasks = 10;
static bool ownClocks, inverse;
static int64_t nEvents, wanted;

/* ---- recording ---- */

static void reserve(Processor *p, size_t extra) {
    if (p->capacity - p->length >= extra) return;
    p->capacity = 2 * p->capacity + extra;
    p->text = realloc(p->text, p->capacity);
    if (!p->text) {
        perror("gentrace");
        exit(1);
    }
}

/* Records an event of processor p; the rest are printf's. Nothing more once there are enough. */
#define record(p, time, ...)                                                                                   \
    do {                                                                                                       \
        if (nEvents < wanted) {                                                                                \
            reserve(p, 128);                                                                                   \
            (p)->length += (size_t) sprintf((p)->text + (p)->length, "plot %" PRId64 " ", localTime(p, time)); \
            (p)->length += (size_t) sprintf((p)->text + (p)->length, __VA_ARGS__);                             \
            (p)->text[(p)->length++] = '\n';                                                                   \
            nEvents++;                                                                                         \
        }                                                                                                      \
    } while (0)

static int64_t localTime(const Processor *p, int64_t time) {
    if (!ownClocks) return time;
    double local = p->offset + p->drift * (double) time;
    return (int64_t) (local < 0 ? local - 0.5 : local + 0.5);
}

static void flush(Processor *p) {
    fwrite(p->text, 1, p->length, stdout);
    p->length = 0;
}

/* ---- the scheduler ---- */

#define JOB "job%d.%" PRIu32
#define job(t) (t)->number, (t)->job

static void release(Processor *p, Task *t) {
    t->job++;
    t->left = between(&p->random, t->budget / 2 + 1, t->budget);
    t->done = 0;
    t->started = false;
    record(p, t->release, "jobArrived " JOB " task%d", job(t), t->number);
    t->release += t->period;
}

/* What the clock alone brings: replenishments and new jobs. */
static void releaseDue(Processor *p) {
    const Task *served = p->tasks[0];
    for (; p->replenish <= p->now; p->replenish += served->period)
        record(p, p->replenish, "serverReplenished server%d %" PRId64, p->number, served->budget);
    for (int i = 0; i < p->nTasks; i++)
        if (p->tasks[i]->left == 0 && p->tasks[i]->release <= p->now) release(p, p->tasks[i]);
}

static Task *mostUrgent(const Processor *p) {
    for (int i = 0; i < p->nTasks; i++)
        if (p->tasks[i]->left > 0) return p->tasks[i];
    return NULL;
}

static void dispatch(Processor *p, Task *t) {
    if (p->running == t) return;
    if (p->running) {
        record(p, p->now, "jobPreempted " JOB " -target " JOB, job(p->running), job(t));
        if (p->running->served) record(p, p->now, "serverPreempted server%d", p->number);
    }
    record(p, p->now, "%s " JOB, t->started ? "jobResumed" : "jobStarted", job(t));
    if (t->served) record(p, p->now, "serverResumed server%d", p->number);
    t->started = true;
    p->running = t;
}

static void execute(Processor *p, int64_t span) {
    p->now += span;
    p->running->left -= span;
    p->running->done += span;
}

static void criticalSection(Processor *p) {
    Task *t = p->running;
    record(p, p->now, "jobAcquiredMutex " JOB " mutex%d", job(t), p->number);
    execute(p, t->left < SECTION ? t->left : SECTION);
    record(p, p->now, "jobReleasedMutex " JOB " mutex%d", job(t), p->number);
}

static void complete(Processor *p) {
    Task *t = p->running;
    record(p, p->now, "jobCompleted " JOB, job(t));
    if (t->served) record(p, p->now, "serverPreempted server%d", p->number);
    if (next(&p->random) % 512 == 0)
        record(p, p->now, "message {" JOB " took %" PRId64 "} -color blue", job(t), t->done);
    p->running = NULL;
}

static int64_t nextRelease(const Processor *p) {
    int64_t earliest = p->replenish;
    for (int i = 0; i < p->nTasks; i++)
        if (p->tasks[i]->left == 0 && p->tasks[i]->release < earliest) earliest = p->tasks[i]->release;
    return earliest;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* One stretch in which nothing changes, not beyond the end of the window. */
static void step(Processor *p, int64_t end) {
    releaseDue(p);
    Task *t = mostUrgent(p);
    if (!t) {
        p->now = least(nextRelease(p), end);
        return;
    }
    dispatch(p, t);
    int64_t until = least(least(p->now + t->left, nextRelease(p)), end);
    if (t->lockAt > t->done) until = least(until, p->now + t->lockAt - t->done);
    execute(p, until - p->now);
    if (t->done == t->lockAt && t->left > 0) criticalSection(p);
    if (t->left == 0) complete(p);
}

static void simulate(Processor *p, int64_t end) {
    while (p->now < end && nEvents < wanted) step(p, end);
}

/* ---- clocks ---- */

/* A message from one processor to another, under way for a few microseconds. */
static void exchange(Processor *from, Processor *to, int64_t time, char direction, int number) {
    int64_t arrival = time + between(&from->random, 2, 5);
    int p = from->number ? from->number : to->number;
    record(from, time, "syncSent core%d core%d %c%d.%d", from->number, to->number, direction, p, number);
    record(to, arrival, "syncReceived core%d core%d %c%d.%d", from->number, to->number, direction, p, number);
}

static void exchangeAll(int64_t time, int number) {
    for (int i = 1; i < nProcessors; i++) {
        exchange(&processors[0], &processors[i], time, 's', number);
        exchange(&processors[i], &processors[0], time + 10, 'r', number);
    }
}

/* ---- the whole ---- */

static void defineProcessor(int i, uint64_t *random) {
    Processor *p = &processors[i];
    p->number = i;
    p->random = next(random);
    p->offset = i ? (double) between(random, -500000, 500000) : 0;
    p->drift = i ? 1 + (double) between(random, -1000, 1000) * 1e-7 : 1;
    printf("newProcessor core%d -name \"Core %d\"\n", i, i);
    printf("newMutex mutex%d -name \"Mutex %d\" -color red -pattern lines_up\n", i, i);
}

static void defineTask(int i, uint64_t *random) {
    Task *t = &tasks[i];
    Processor *p = &processors[i % nProcessors];
    int level = i / nProcessors, onCore = (nTasks - 1 - p->number) / nProcessors + 1;
    t->number = i;
    t->period = 100 + 107 * (inverse ? onCore - 1 - level : level) + 10 * p->number;
    t->budget = t->period * 7 / 10 / onCore;
    if (t->budget < 2 * SECTION) t->budget = 2 * SECTION;
    t->release = between(random, 0, 49);
    t->served = level == 0;
    t->lockAt = level >= onCore - 2 ? 2 : -1;
    p->tasks[p->nTasks++] = t;
    printf("newTask task%d -name \"Task %d\" -priority %d -processor core%d -T %" PRId64 " -D %" PRId64 " -C %" PRId64
           "\n",
        i, i, level + 1, p->number, t->period, t->period, t->budget);
    if (t->served)
        printf("newServer server%d -name \"Server %d\" -capacity %" PRId64 " -budget %" PRId64 " -processor core%d\n",
            p->number, p->number, t->budget, t->budget, p->number);
}

static void generate(void) {
    int messages = 0;
    for (int64_t end = WINDOW; nEvents < wanted; end += WINDOW) {
        for (int i = 0; i < nProcessors; i++) {
            simulate(&processors[i], end);
            if (!ownClocks) flush(&processors[i]);
        }
        if (ownClocks && end >= (int64_t) messages * MESSAGE_EVERY) exchangeAll(end, messages++);
    }
    for (int i = 0; ownClocks && i < nProcessors; i++) {
        printf("# recorded by core%d on its own clock\n", i);
        flush(&processors[i]);
    }
    for (int i = 0; ownClocks && i < nProcessors; i++)
        printf("# core%d: offset %.17g drift %.17g\n", i, processors[i].offset, processors[i].drift);
}

static int usage(void) {
    fprintf(stderr,
        "usage: gentrace EVENTS [-p PROCESSORS] [-t TASKS] [-s SEED] [-c] [-i]\n"
        "1 to %d processors, 3 to %d tasks, at least 3 for each processor\n",
        MAX_PROCESSORS, MAX_TASKS);
    return 2;
}

int main(int argc, char **argv) {
    uint64_t seed = 1;
    wanted = argc > 1 ? strtoll(argv[1], NULL, 10) : 0;
    for (int i = 2; i < argc; i++) {
        if (!strcmp(argv[i], "-c")) ownClocks = true;
        else if (!strcmp(argv[i], "-i")) inverse = true;
        else if (i + 1 == argc) return usage();
        else if (!strcmp(argv[i], "-p")) nProcessors = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-t")) nTasks = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-s")) seed = strtoull(argv[++i], NULL, 10);
        else return usage();
    }
    if (wanted <= 0 || nProcessors < 1 || nProcessors > MAX_PROCESSORS || nTasks < 3 * nProcessors
        || nTasks > MAX_TASKS)
        return usage();
    for (int i = 0; i < nProcessors; i++) defineProcessor(i, &seed);
    for (int i = 0; i < nTasks; i++) defineTask(i, &seed);
    generate();
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
