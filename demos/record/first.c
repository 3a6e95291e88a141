/* first.c -- a control loop of 10 ms and a logger that share a mutex: now and then the loop is late. */
#include <pthread.h>
#include <stdint.h>
#include <tactusrec_trace.h>
#include <time.h>

static const uint64_t ms = 1000000; /* nanoseconds */
static tacrec_directory directory;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t control, logger, state; /* numbers of two tasks and the mutex */
static tacrec_job holder;
static uint64_t start;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000 * ms + (uint64_t) t.tv_nsec;
}

/* What a job does: it takes the mutex and computes. */
static void work(tacrec_job job, uint64_t length) {
    if (pthread_mutex_trylock(&mutex)) {
        tacrec_jobBlocked(job, holder);
        pthread_mutex_lock(&mutex);
        tacrec_jobResumed(job);
    }
    holder = job;
    tacrec_jobAcquiredMutex(job, state);
    for (uint64_t end = now() + length; now() < end;) continue;
    tacrec_jobReleasedMutex(job, state);
    pthread_mutex_unlock(&mutex);
}

static void loop(uint32_t task, uint32_t jobs, uint64_t first, uint64_t period, uint64_t length) {
    tacrec_thisTask(task);
    for (uint32_t n = 1; n <= jobs; n++) {
        uint64_t release = start + first + (n - 1) * period;
        struct timespec at = {(time_t) (release / (1000 * ms)), (long) (release % (1000 * ms))};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
        tacrec_job job = tacrec_jobOf(task, n);
        tacrec_jobArrivedAt(job, release);
        tacrec_jobStarted(job);
        work(job, length);
        tacrec_jobCompleted(job);
    }
}

static void *logging(void *unused) {
    loop(logger, 5, 9 * ms, 50 * ms, 6 * ms);
    return unused;
}

int main(void) {
    pthread_t thread;
    tacrec_openDefault(&directory, NULL, TACREC_TRACE_BYTES);
    tacrec_traceOpen(&directory, NULL);
    control = tacrec_newTask("control", &(tacrec_said){.period = 10 * ms, .deadline = 4 * ms, .priority = 1});
    logger = tacrec_newTask("logger", &(tacrec_said){.period = 50 * ms, .priority = 2});
    state = tacrec_newMutex("state", NULL);
    start = now();
    pthread_create(&thread, NULL, logging, NULL);
    loop(control, 25, 0, 10 * ms, ms);
    pthread_join(thread, NULL);
    tacrec_traceClose();
    tacrec_close(&directory, false);
    return 0;
}
