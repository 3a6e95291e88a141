/*
 * plan.c -- guaranteed processing (plan.h). Numbers of equations are avoided: the printed paper's brackets are partly
 * illegible, so each formula is derived where it stands, and tests/plan.test simulates it.
 *
 * The worst case is always the same: element 0 is written as late as possible and at the moment of a release, which so
 * misses it, and element e as early as possible, t_S(e) = max(eD, eT - J) behind it.
 *
 * With times up to 2^60 all that is computed here is below 2^126, and what a plan says below 2^63: R_min T >= T_M, so
 * no latency is above T_M + d + J; the backlog's elements are of one latency.
 */
#include "record/plan.h"

__extension__ typedef __int128 Wide;

/* a / b rounded up; b > 0. (C rounds towards 0.) */
static Wide ceiling(Wide a, Wide b) { return a > 0 ? (a + b - 1) / b : a / b; }

static Wide jitterOf(const tacPlanStream *s) { return (Wide) s->early + s->late; }

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

/* A result in 64 bits; false: they do not hold it. */
static bool narrow(Wide value, int64_t *result) {
    if (value > INT64_MAX) return false;
    *result = (int64_t) value;
    return true;
}

/* E(t), the number of e with t_S(e) < t: eD < t and eT - J < t. */
static Wide written(const tacPlanStream *s, Wide length) {
    if (length <= 0) return 0;
    Wide regular = ceiling(length + jitterOf(s), s->period);
    Wide dense = s->distance ? ceiling(length, s->distance) : regular;
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
    Wide dense = (Wide) element * stream->distance, regular = (Wide) element * stream->period - jitterOf(stream);
    return narrow(dense > regular ? dense : regular, time) ? TAC_PLAN_DONE : TAC_PLAN_TOO_LONG;
}

/* L, the number of e with eD >= eT - J; only where D < T. */
static Wide burstOf(const tacPlanStream *s) { return 1 + jitterOf(s) / (s->period - s->distance); }

/*
 * l(R), for R >= R_min. Element e is processed by job 1 + floor(e/R), so that it waits longest where e = qR: T_M + d +
 * min(q(T_M - RD), q(T_M - RT) + J). For R < R_max the first term grows with q, and the second does not: the largest is
 * beside where both are the same. With R_max (which D = T always has, as its R_min is the same) it is q = 0.
 */
static Wide latencyOf(const tacPlanStream *s, const tacPlanMonitor *m, Wide elements) {
    Wide shortest = (Wide) m->period + m->deadline;
    if (elements >= written(s, m->period)) return shortest;
    Wide q = (burstOf(s) - 1) / elements;
    Wide before = q * m->period - q * elements * s->distance;
    Wide behind = (q + 1) * m->period - (q + 1) * elements * s->period + jitterOf(s);
    return shortest + (before > behind ? before : behind);
}

/* What is written and not processed just before the end of job k, when k - 1 jobs have processed R elements each. */
static Wide backlogAt(const tacPlanStream *s, const tacPlanMonitor *m, Wide elements, Wide k) {
    return written(s, k * m->period + m->deadline) - elements * (k - 1);
}

/* The backlog grows as long as job k ends within the burst, k T_M + d < L D, and not behind that. With R_max it never
 * grows: then the end of job 1 is the worst moment. */
static Wide backlogOf(const tacPlanStream *s, const tacPlanMonitor *m, Wide elements) {
    Wide first = backlogAt(s, m, elements, 1);
    if (elements >= written(s, m->period)) return first;
    Wide last = ceiling(burstOf(s) * s->distance - m->deadline, m->period) - 1;
    if (last < 1) return first;
    Wide within = backlogAt(s, m, elements, last), behind = backlogAt(s, m, elements, last + 1);
    return within > behind ? within : behind;
}

/* Fills in what does not depend on R. */
static tacPlanStatus frame(const tacPlanStream *s, const tacPlanMonitor *m, tacPlan *plan) {
    tacPlanStatus status = checkStream(s);
    if (status == TAC_PLAN_DONE) status = checkMonitor(m);
    if (status != TAC_PLAN_DONE) return status;
    plan->burst = s->distance == s->period ? 0 : (int64_t) burstOf(s);
    plan->least = (int64_t) ceiling(m->period, s->period);
    plan->most = (int64_t) written(s, m->period);
    plan->longest = (int64_t) latencyOf(s, m, plan->least);
    plan->shortest = m->period + m->deadline;
    return TAC_PLAN_DONE;
}

/* Fills in what depends on R. */
static void complete(const tacPlanStream *s, const tacPlanMonitor *m, int64_t elements, tacPlan *plan) {
    plan->elements = elements;
    plan->latency = (int64_t) latencyOf(s, m, elements);
    plan->buffer = (int64_t) written(s, plan->latency);
    plan->backlog = (int64_t) backlogOf(s, m, elements);
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

bool tacPlanAdd(tacPlanLoad *load, const tacPlan *plan, int64_t cost) {
    tacPlanLoad sum;
    bool fits = narrow((Wide) load->elements + plan->elements, &sum.elements)
        && narrow(load->work + (Wide) plan->elements * cost, &sum.work)
        && narrow(load->leastWork + (Wide) plan->least * cost, &sum.leastWork)
        && narrow(load->mostWork + (Wide) plan->most * cost, &sum.mostWork);
    if (fits) *load = sum;
    return fits;
}
