/*
 * cyclic.c -- two cyclic tasks with a mutex, which record themselves: control is late once.
 *
 *      control     every 10 ms, due after 4 ms; needs the mutex for a moment
 *      logger      every 20 ms; its third job has the mutex for long, since it writes to a slow card
 *
 *      cc cyclic.c -pthread $(pkg-config --cflags --libs tactusrec) -o cyclic
 *      tactus record -o cyclic.tacs ./cyclic
 *
 * `./cyclic FOLDER` leaves its directory of sensors there, which tactus opens as well; `./cyclic FOLDER kill` ends by a
 * signal, in the middle of a job.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <tactusrec_trace.h>
#include <time.h>

enum { JOBS = 12, SLOW_JOB = 3, MS = 1000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic tacrec_job holder; /* of the mutex; 0: none */
static atomic_bool someoneWaits;
static uint32_t control, logger, state, card, queueLength;
static uint64_t begin;
static bool dies;

static uint64_t now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

static void sleepUntil(uint64_t time) {
    struct timespec t = {(time_t) (time / 1000000000), (long) (time % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL)) continue;
}

/* Computes for so long, in processor time of its own. */
static void compute(uint64_t nanoseconds) {
    uint64_t end = now(CLOCK_THREAD_CPUTIME_ID) + nanoseconds;
    while (now(CLOCK_THREAD_CPUTIME_ID) < end) continue;
}

/* Takes the mutex. Only the program knows that a job waits for it, and for whom. */
static void take(tacrec_job job) {
    if (pthread_mutex_trylock(&lock)) {
        tacrec_jobBlocked(job, holder);
        someoneWaits = true;
        pthread_mutex_lock(&lock);
        someoneWaits = false;
        tacrec_jobResumed(job);
    }
    holder = job;
    tacrec_jobAcquiredMutex(job, state);
}

static void giveBack(tacrec_job job) {
    tacrec_jobReleasedMutex(job, state);
    holder = 0;
    pthread_mutex_unlock(&lock);
}

static void controlJob(tacrec_job job, uint32_t number) {
    (void) number;
    compute(MS / 2);
    take(job);
    compute(MS / 5);
    giveBack(job);
    compute(MS / 2);
}

static void loggerJob(tacrec_job job, uint32_t number) {
    tacrec_count(queueLength, number % 4);
    compute(MS / 2);
    take(job);
    tacrec_begin(card);
    while (number == SLOW_JOB && !someoneWaits) continue; /* long enough, however fast the machine is */
    compute(number == SLOW_JOB ? 5 * MS : MS / 5);
    if (dies && number == SLOW_JOB) raise(SIGKILL);
    tacrec_end(card);
    giveBack(job);
}

typedef struct Cycle {
    const uint32_t *task;
    uint64_t period, offset;
    uint32_t jobs;
    void (*work)(tacrec_job job, uint32_t number);
} Cycle;

static void *run(void *data) {
    const Cycle *cycle = data;
    tacrec_thisTask(*cycle->task);
    for (uint32_t number = 1; number <= cycle->jobs; number++) {
        uint64_t release = begin + cycle->offset + (number - 1) * cycle->period;
        tacrec_job job = tacrec_jobOf(*cycle->task, number);
        sleepUntil(release);
        tacrec_jobArrivedAt(job, release);
        tacrec_jobStarted(job);
        cycle->work(job, number);
        tacrec_jobCompleted(job);
    }
    return NULL;
}

static void nameAll(void) {
    control = tacrec_newTask("control", &(tacrec_said){.priority = 1, .period = 10 * MS, .deadline = 4 * MS});
    logger = tacrec_newTask("logger", &(tacrec_said){.priority = 2, .period = 20 * MS, .deadline = 20 * MS});
    state = tacrec_newMutex("state", NULL);
    card = tacrec_newMark("write to the card");
    queueLength = tacrec_newMark("queue");
}

int main(int count, char **words) {
    static const Cycle cycles[] = {
        {&control, 10 * MS, 0, JOBS, controlJob}, {&logger, 20 * MS, 8 * MS, JOBS / 2, loggerJob}};
    static tacrec_directory directory;
    pthread_t threads[2];
    if (count > 1) tacrec_open(&directory, words[1], "cyclic", TACREC_TRACE_BYTES, 0);
    else tacrec_openDefault(&directory, "cyclic", TACREC_TRACE_BYTES);
    dies = count > 2 && strcmp(words[2], "kill") == 0;
    tacrec_traceOpen(&directory, NULL);
    nameAll();
    begin = now(CLOCK_MONOTONIC) + 5 * MS;
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, (void *) &cycles[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    tacrec_message("done");
    tacrec_traceClose();
    tacrec_close(&directory, count > 1);
    return 0;
}
