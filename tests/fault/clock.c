/*
 * clock.c -- a library that is loaded before all others (LD_PRELOAD) and lets the clock of limits go a hundred times as
 * fast, so that a test need not wait for a limit of a minute (tests/sql.test).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *t) {
    enum { SPEED = 100, BILLION = 1000000000 };
    static int (*next)(clockid_t, struct timespec *);
    static int64_t begin;
    if (!next) *(void **) &next = dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, t);
    if (result != 0 || clock != CLOCK_MONOTONIC) return result;
    int64_t now = t->tv_sec * INT64_C(1000000000) + t->tv_nsec;
    if (!begin) begin = now;
    now = begin + SPEED * (now - begin);
    *t = (struct timespec){now / BILLION, now % BILLION};
    return 0;
}
