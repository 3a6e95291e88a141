/*
 * plan.h -- guaranteed processing: how many elements a monitor has to process in each of its periods so that each
 * element is processed in time, and how large a buffer has to be.
 *
 *      stream (T, D, early, late) + monitor (period, deadline) + demand -> tacPlan
 *
 * Source: Riegel, "A Generalized Approach to Runtime Monitoring for Real-Time Systems" (GRTMon, 2005), section 4.2. The
 * streams are those of Hamann, "On the quantitative specification of jitter constrained periodic streams" (1997):
 * element i is written in [t0 + iT - early, t0 + iT + late], and two successive ones are at least D apart. Only the sum
 * of both, the jitter J, matters to a monitor, which does not know t0: element 0 may be as late as possible, and all
 * others as early as possible.
 *
 * The monitor's jobs are released every period. A job takes, in order of time, up to R elements that had been written
 * before its release, and has processed them by its deadline. An element is taken from its buffer when its job ends. An
 * element that is written at the very moment of a release waits for the next one.
 *
 * Times are nanoseconds. Everything is exact, in 64 bits, and a result that these do not hold is told; those of a plan
 * always fit.
 * This is plain C without any library.
 */
#ifndef TAC_RECORD_PLAN_H
#define TAC_RECORD_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times that are given are at most so long (36 years). */
#define TAC_PLAN_LONGEST ((int64_t) 1 << 60)

typedef struct tacPlanStream { /* how a sensor's elements are written, in nanoseconds */
    int64_t period;            /* T > 0: of the regular sequence */
    int64_t distance;          /* D, 0 .. T: of two successive elements, at least */
    int64_t early, late;       /* how far an element may be from its place in the sequence */
} tacPlanStream;

typedef struct tacPlanMonitor {
    int64_t period;   /* T_M > 0 */
    int64_t deadline; /* d >= 0, relative to the release */
} tacPlanMonitor;

typedef enum tacPlanStatus {
    TAC_PLAN_DONE,
    TAC_PLAN_TOO_SHORT, /* no such latency is possible: the plan is that of the shortest */
    TAC_PLAN_TOO_FEW,   /* so few elements pile up for ever: the plan is that of the fewest */
    TAC_PLAN_TOO_LONG,  /* a time is beyond TAC_PLAN_LONGEST, or a result of the first two beyond 64 bits; no plan */
    TAC_PLAN_NO_STREAM, /* T is not above 0, D is not in 0 .. T, early or late is below 0; there is no plan */
    TAC_PLAN_NO_MONITOR /* its period is not above 0, or its deadline is below 0; there is no plan */
} tacPlanStatus;

typedef struct tacPlan {
    int64_t burst;    /* L: most elements one after the other at distance D; 0: no bound, since D = T */
    int64_t least;    /* R_min: with fewer elements in each period they pile up for ever */
    int64_t most;     /* R_max: with so many all that is there is processed in each period */
    int64_t longest;  /* latency with R_min, in nanoseconds */
    int64_t shortest; /* l_min: latency with R_max */
    int64_t elements; /* R: to be processed in each period, R_min .. R_max */
    int64_t latency;  /* l(R): from when an element is written until it is processed, at most */
    int64_t buffer;   /* B: elements that are written within a latency, at most */
    int64_t backlog;  /* elements that are written and not yet processed, at most */
} tacPlan;

/* E(t): the most elements that are written in any interval of a length, its end not included. (Also for tests.) */
tacPlanStatus tacPlanWritten(const tacPlanStream *stream, int64_t length, int64_t *elements);

/* t_S(e): the least time between an element and the e-th one behind it, e >= 0. (Also for tests.) */
tacPlanStatus tacPlanEarliest(const tacPlanStream *stream, int64_t element, int64_t *time);

/* The plan with so many elements in each period; more than R_max are taken as R_max. */
tacPlanStatus tacPlanByElements(
    const tacPlanStream *stream, const tacPlanMonitor *monitor, int64_t elements, tacPlan *plan);

/* The plan with the fewest elements in each period that has at most this latency. */
tacPlanStatus tacPlanByLatency(
    const tacPlanStream *stream, const tacPlanMonitor *monitor, int64_t latency, tacPlan *plan);

/* What the sensors of one monitor need of each of its periods, in all; begins with zeros. */
typedef struct tacPlanLoad {
    int64_t elements;  /* sum of R */
    int64_t work;      /* nanoseconds for them */
    int64_t leastWork; /* the same with R_min of each sensor */
    int64_t mostWork;  /* and with R_max */
} tacPlanLoad;

/* Adds a sensor whose elements take `cost` nanoseconds each; false, and nothing is added: a sum is beyond 64 bits. */
bool tacPlanAdd(tacPlanLoad *load, const tacPlan *plan, int64_t cost);

#endif
