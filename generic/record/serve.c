/*
 * serve.c -- a monitor that runs as a reserved server: so much time in each period, if the system grants it.
 */
#define _GNU_SOURCE
#include "record/tactusrec_evaluate.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    POLICY_DEADLINE = 6, /* the kernel's SCHED_DEADLINE */
    FIFO_PRIORITY = 10,
    SHORTEST = 1000,  /* period in nanoseconds, of a service without one */
    LOOKS = 100000000 /* nanoseconds between two looks for sensors */
};

typedef struct Attributes { /* the kernel's struct sched_attr, in its first version */
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period; /* nanoseconds */
} Attributes;

tacrec_reserved tacrec_reserve(tacrec_service *service) {
    Attributes wanted = {.size = sizeof wanted, .policy = POLICY_DEADLINE};
    wanted.runtime = service->budget;
    wanted.deadline = service->deadline ? service->deadline : service->period;
    wanted.period = service->period;
    service->reserved = TACREC_BEST_EFFORT;
    service->problem = 0;
    if (!service->budget) return service->reserved;
    if (!syscall(SYS_sched_setattr, 0, &wanted, 0)) return service->reserved = TACREC_DEADLINE;
    service->problem = errno;
    struct sched_param fifo = {.sched_priority = service->priority ? service->priority : FIFO_PRIORITY};
    if (!sched_setscheduler(0, SCHED_FIFO, &fifo)) service->reserved = TACREC_FIFO;
    return service->reserved;
}

static void sleepUntil(uint64_t time) {
    struct timespec t = {.tv_sec = (time_t) (time / 1000000000u), .tv_nsec = (long) (time % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) continue;
}

/* Periods that were missed as a whole are left out. */
void tacrec_evaluatorServe(tacrec_evaluator *evaluator, tacrec_service *service, const uint32_t *stop) {
    uint64_t period = service->period ? service->period : SHORTEST, look = service->look ? service->look : LOOKS;
    uint64_t deadline = service->deadline ? service->deadline : period, looked = 0;
    uint64_t release = tacrec_evaluatorNow();
    for (bool last = false; !last;) {
        last = __atomic_load_n(stop, __ATOMIC_ACQUIRE) != 0;
        uint64_t begin = tacrec_evaluatorNow();
        if (begin - looked >= look) {
            tacrec_evaluatorLook(evaluator);
            looked = begin;
        }
        tacrec_evaluatorStep(evaluator, begin, service->most ? service->most : UINT64_MAX);
        uint64_t end = tacrec_evaluatorNow();
        service->periods++;
        service->overruns += end > release + deadline;
        if (end - begin > service->longest) service->longest = end - begin;
        do release += period;
        while (release + period <= tacrec_evaluatorNow());
        if (!last) sleepUntil(release);
    }
}
