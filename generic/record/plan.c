/*
 * plan.c -- guaranteed processing (plan.h). Numbers of equations are avoided: the printed paper's brackets are partly
 * illegible, so each formula is derived where it stands, and tests/plan.test simulates it.
 *
 * The worst case is always the same: element 0 is written as late as possible and at the moment of a release, which so
 * misses it, and element e as early as possible, t_S(e) = max(eD, eT - J) behind it.
 *
 * Times are at most 2^60, and there are 64 bits, so products of two of them do not fit. Each formula is therefore
 * written with differences that are small: for R_min <= R < R_max, R D < T_M <= R T, from which the bounds beside each
 * product follow. No latency is above T_M + d + J < 2^63, and a backlog's elements are of one latency.
 */
#include "record/plan.h"

/* a / b rounded up; b > 0. (C rounds towards 0.) */
static int64_t ceiling(int64_t a, int64_t b) { return a / b + (a > 0 && a % b > 0); }

/* a b / c rounded down, and *rest, where a b has up to 128 bits and the result 63; a, b >= 0, 0 < c <= 2^61. */
static int64_t divideProduct(int64_t a, int64_t b, int64_t c, int64_t *rest) {
    int64_t quotient = 0, left = 0;
    for (int bit = 62; bit >= 0; bit--) { /* what is done so far: the upper bits of a, times b */
        int64_t added = a >> bit & 1 ? b : 0;
        left = 2 * left + added % c;
        quotient = 2 * quotient + added / c + left / c;
        left %= c;
    }
    return *rest = left, quotient;
}

static int64_t jitterOf(const tacPlanStream *s) { return s->early + s->late; }

static bool isLong(int64_t time) { return time > TAC_PLAN_LONGEST; }

static tacPlanStatus checkStream(const tacPlanStream *s) {
    if (s->period <= 0 || s->distance < 0 || s->distance > s->period || s->early < 0 || s->late < 0)
        return TAC_PLAN_NO_STREAM;
    return isLong(s->period) || isLong(s->early) || isLong(s->late) ? TAC_PLAN_TOO_LONG : TAC_PLAN_DONE;
}

static tacPlanStatus checkMonitor(const tacPlanMonitor *m) {
    if (m->period <= 0 || m->deadline < 0) return TAC_PLAN_NO_MONITOR;
    return isLong(m->period) || isLong(m->deadline) ? TAC_PLAN_TOO_LONG : TAC_PLAN_DONE;
}

/* A result that is at most INT64_MAX; false: it is more. */
static bool narrow(uint64_t value, int64_t *result) {
    if (value > INT64_MAX) return false;
    *result = (int64_t) value;
    return true;
}

/* E(t), the number of e with t_S(e) < t: eD < t and eT - J < t. */
static uint64_t written(const tacPlanStream *s, int64_t length) {
    if (length <= 0) return 0;
    uint64_t period = (uint64_t) s->period, distance = (uint64_t) s->distance, time = (uint64_t) length;
    uint64_t regular = (time + (uint64_t) jitterOf(s) - 1) / period + 1;
    uint64_t dense = distance ? (time - 1) / distance + 1 : regular;
    return dense < regular ? dense : regular;
}

tacPlanStatus tacPlanWritten(const tacPlanStream *stream, int64_t length, int64_t *elements) {
    tacPlanStatus status = checkStream(stream);
    if (status != TAC_PLAN_DONE) return status;
    return narrow(written(stream, length), elements) ? TAC_PLAN_DONE : TAC_PLAN_TOO_LONG;
}

tacPlanStatus tacPlanEarliest(const tacPlanStream *stream, int64_t element, int64_t *time) {
    tacPlanStatus status = checkStream(stream);
    if (status != TAC_PLAN_DONE) return status;
    uint64_t e = (uint64_t) element, jitter = (uint64_t) jitterOf(stream);
    if (e > UINT64_MAX / (uint64_t) stream->period) return TAC_PLAN_TOO_LONG; /* eT - J > 2^64 - T - J > 2^63 */
    uint64_t dense = e * (uint64_t) stream->distance, even = e * (uint64_t) stream->period;
    uint64_t regular = even > jitter ? even - jitter : 0;
    return narrow(dense > regular ? dense : regular, time) ? TAC_PLAN_DONE : TAC_PLAN_TOO_LONG;
}

/* L, the number of e with eD >= eT - J; only where D < T. */
static int64_t burstOf(const tacPlanStream *s) { return 1 + jitterOf(s) / (s->period - s->distance); }

/* Does a monitor that processes so many elements in each period process all that there can be? */
static bool takesAll(const tacPlanStream *s, const tacPlanMonitor *m, int64_t elements) {
    return (uint64_t) elements >= written(s, m->period);
}

/*
 * l(R), for R >= R_min. Element e is processed by job 1 + floor(e/R), so that it waits longest where e = qR: T_M + d +
 * min(q(T_M - RD), q(T_M - RT) + J). For R < R_max the first term grows with q, and the second does not: the largest is
 * beside where both are the same. With R_max (which D = T always has, as its R_min is the same) it is q = 0.
 *
 * q R (T - D) <= J, so q (T_M - RD) <= J. The second term counts only where it is above 0, as the first one is then.
 */
static int64_t latencyOf(const tacPlanStream *s, const tacPlanMonitor *m, int64_t elements) {
    int64_t shortest = m->period + m->deadline, jitter = jitterOf(s);
    if (takesAll(s, m, elements)) return shortest;
    int64_t q = (burstOf(s) - 1) / elements, spare = elements * s->period - m->period;
    int64_t before = q * (m->period - elements * s->distance);
    int64_t behind = spare == 0 || q + 1 <= jitter / spare ? jitter - (q + 1) * spare : 0;
    return shortest + (before > behind ? before : behind);
}

/* The last job that ends within the burst: the largest k with k T_M + d < L D; below 1: there is none. */
static int64_t lastInBurst(const tacPlanStream *s, const tacPlanMonitor *m) {
    int64_t rest, jobs = divideProduct(burstOf(s), s->distance, m->period, &rest);
    return jobs + ceiling(rest - m->deadline, m->period) - 1;
}

/*
 * What is written and not processed just before the end of job k, when k - 1 jobs have processed R elements each:
 * E(k T_M + d) - R(k - 1). The backlog grows as long as job k ends within the burst, and not behind that. With R_max it
 * never grows: then the end of job 1 is the worst moment.
 *
 * Within the burst E(t) is ceil(t/D), and k (T_M - RD) < L (T - D) <= J + T. Behind it E(t) is ceil((t + J)/T); where k
 * jobs could process more than all the others leave, the backlog is not there any more.
 */
static int64_t backlogOf(const tacPlanStream *s, const tacPlanMonitor *m, int64_t elements) {
    int64_t first = (int64_t) written(s, m->period + m->deadline);
    if (takesAll(s, m, elements)) return first;
    int64_t k = lastInBurst(s, m);
    if (k < 1) return first;
    int64_t dense = elements * s->distance, regular = elements * s->period, spare = regular - m->period;
    int64_t within = ceiling(k * (m->period - dense) + m->deadline + dense, s->distance);
    int64_t left = regular + m->deadline + jitterOf(s);
    bool isEmpty = spare > 0 && k + 1 > left / spare;
    int64_t behind = isEmpty ? 0 : ceiling(left - (k + 1) * spare, s->period);
    return within > behind ? within : behind;
}

/* Fills in what does not depend on R. */
static tacPlanStatus frame(const tacPlanStream *s, const tacPlanMonitor *m, tacPlan *plan) {
    tacPlanStatus status = checkStream(s);
    if (status == TAC_PLAN_DONE) status = checkMonitor(m);
    if (status != TAC_PLAN_DONE) return status;
    plan->burst = s->distance == s->period ? 0 : burstOf(s);
    plan->least = ceiling(m->period, s->period);
    plan->most = (int64_t) written(s, m->period);
    plan->longest = latencyOf(s, m, plan->least);
    plan->shortest = m->period + m->deadline;
    return TAC_PLAN_DONE;
}

/* Fills in what depends on R. */
static void complete(const tacPlanStream *s, const tacPlanMonitor *m, int64_t elements, tacPlan *plan) {
    plan->elements = elements;
    plan->latency = latencyOf(s, m, elements);
    plan->buffer = (int64_t) written(s, plan->latency);
    plan->backlog = backlogOf(s, m, elements);
}

tacPlanStatus tacPlanByElements(
    const tacPlanStream *stream, const tacPlanMonitor *monitor, int64_t elements, tacPlan *plan) {
    tacPlanStatus status = frame(stream, monitor, plan);
    if (status != TAC_PLAN_DONE) return status;
    int64_t possible = elements < plan->least ? plan->least : elements > plan->most ? plan->most : elements;
    complete(stream, monitor, possible, plan);
    return elements < plan->least ? TAC_PLAN_TOO_FEW : TAC_PLAN_DONE;
}

tacPlanStatus tacPlanByLatency(
    const tacPlanStream *stream, const tacPlanMonitor *monitor, int64_t latency, tacPlan *plan) {
    tacPlanStatus status = frame(stream, monitor, plan);
    if (status != TAC_PLAN_DONE) return status;
    int64_t low = plan->least, high = plan->most; /* a latency never grows with R; that of `high` is short enough */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (latencyOf(stream, monitor, middle) <= latency) high = middle;
        else low = middle + 1;
    }
    complete(stream, monitor, high, plan);
    return latency < plan->shortest ? TAC_PLAN_TOO_SHORT : TAC_PLAN_DONE;
}

/* Adds n times the cost; false: 64 bits do not hold the sum. All are at least 0. */
static bool addCost(int64_t *sum, int64_t n, int64_t cost) {
    if (cost > 0 && n > (INT64_MAX - *sum) / cost) return false;
    *sum += n * cost;
    return true;
}

bool tacPlanAdd(tacPlanLoad *load, const tacPlan *plan, int64_t cost) {
    tacPlanLoad sum = *load;
    bool fits = addCost(&sum.elements, plan->elements, 1) && addCost(&sum.work, plan->elements, cost)
        && addCost(&sum.leastWork, plan->least, cost) && addCost(&sum.mostWork, plan->most, cost);
    if (fits) *load = sum;
    return fits;
}
