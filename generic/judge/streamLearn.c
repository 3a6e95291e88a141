/*
 * streamLearn.c -- the tightest terms of a stream that recordings satisfy.
 *
 *   events --at most `gap`, at least `distance` apart--> series --upper and lower hull of (i, time)--> period, jitter
 *
 * With a period T, a series needs the jitter max(a_i - i * T) - min(a_i - i * T), and several series need the largest
 * of theirs. Both extremes lie on corners of the convex hull of the points (i, a_i), and the jitter is a convex
 * function of T: its least value is found by bisection, exactly, over all T that a statement can have.
 */
#include "base/port.h"

#include "judge/pattern.h"
#include "judge/stream.h"

typedef struct Point {
    int64_t index, time; /* ticks since the first event of the series */
} Point;

typedef TAC_ARRAY(Point) Hull; /* of all series, one after the other */

typedef struct Series {
    size_t upper, lower; /* its first corner in either hull */
    uint32_t count;      /* events */
} Series;

typedef struct Learning {
    tacStreamLearned *learned;
    Hull upper, lower;
    TAC_ARRAY(Series) all;
    int64_t scale; /* ticks here that a tick of the recording is */
    int64_t begin; /* of the last series: ticks of the recording */
    bool moves;    /* some events of a series are apart */
    bool outOfRange;
} Learning;

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Ticks of the recording between two times, in ticks here. */
static int64_t scaled(Learning *learning, int64_t begin, int64_t end) {
    int64_t ticks;
    if (__builtin_mul_overflow(end - begin, learning->scale, &ticks)) learning->outOfRange = true;
    return learning->outOfRange ? 0 : ticks;
}

/* Above 0: c lies to the left of the line from a to b. */
static __int128 turn(const Point *a, const Point *b, const Point *c) {
    return (__int128) (b->index - a->index) * (c->time - a->time)
        - (__int128) (c->index - a->index) * (b->time - a->time);
}

/* Adds the next point to the hull that begins at a corner; side 1: the upper one, -1: the lower one. */
static bool addPoint(Hull *hull, size_t first, Point point, int side) {
    while (hull->count - first >= 2) {
        __int128 left = turn(&hull->at[hull->count - 2], &hull->at[hull->count - 1], &point);
        if (side > 0 ? left < 0 : left > 0) break;
        hull->count--;
    }
    return tacArrayPush(hull, point);
}

/* Adds an event to the last series, or, if it begins one, to a new one. */
static bool addEvent(Learning *learning, int64_t t, bool begins) {
    if (begins) {
        learning->begin = t;
        if (!tacArrayPush(&learning->all, (Series){learning->upper.count, learning->lower.count, 0})) return false;
    }
    Series *series = &learning->all.at[learning->all.count - 1];
    Point point = {series->count++, scaled(learning, learning->begin, t)};
    return addPoint(&learning->upper, series->upper, point, 1) && addPoint(&learning->lower, series->lower, point, -1);
}

/* Notes the distance between two events, or between one and an end of the recording. */
static void addDistance(Learning *learning, int64_t begin, int64_t end, bool isEnd, bool unknown) {
    tacStreamLearned *learned = learning->learned;
    int64_t ticks = scaled(learning, begin, end);
    if (ticks < 0) ticks = 0; /* an event outside of the recording, such as a deadline */
    if (ticks > learned->gap) learned->gap = ticks;
    learned->unknown += unknown;
    learned->ends += isEnd;
    if (isEnd) return;
    if (!learned->distances++ || ticks < learned->distance) learned->distance = ticks;
    learning->moves |= ticks > 0;
}

static tacStatus walk(Learning *learning, const tacModel *model, const tacEventPattern *pattern, tacError *err) {
    tacStreamLearned *learned = learning->learned;
    const tacStore *store = model->store;
    tacUnknowns unknowns = {0};
    size_t nextUnknown = 0;
    uint64_t count = 0;
    int64_t last = model->begin;
    bool enough = tacUnknownsFind(model, pattern, &unknowns);
    for (uint32_t row = 0; row < tacStoreCount(store) && enough; row++) {
        if (tacRowEvent(store, row) != pattern->event || !tacEventPatternFits(pattern, model, row)) continue;
        int64_t t = tacRowTime(store, row);
        bool unknown = tacUnknownBetween(&unknowns, &nextUnknown, last, t);
        addDistance(learning, last, t, !count, unknown);
        enough = addEvent(learning, t, !count);
        if (enough && count && unknown) enough = addEvent(learning, t, true); /* ends a series and begins another */
        last = t;
        count++;
    }
    if (count)
        addDistance(learning, last, model->end, true, tacUnknownBetween(&unknowns, &nextUnknown, last, model->end));
    learned->without += !count;
    learned->events += count;
    learned->periodic += count > 1 ? count : 0;
    tacArrayFree(&unknowns);
    return enough ? TAC_OK : tacFailMemory(err);
}

/* ---- the period -------------------------------------------------------------------------------------------------- */

static tacFine residual(const Point *point, tacFine period) {
    return (tacFine) point->time * TAC_FINE_TICK - point->index * period;
}

/* The largest (side 1) or least (side -1) residual of a hull of n corners, over which they rise and then fall. */
static tacFine extreme(const Point *corners, size_t n, tacFine period, int side) {
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        tacFine rise = residual(&corners[middle + 1], period) - residual(&corners[middle], period);
        if (side > 0 ? rise > 0 : rise < 0) low = middle + 1;
        else high = middle;
    }
    return residual(&corners[low], period);
}

static tacFine jitterOf(const Learning *learning, tacFine period) {
    tacFine most = 0;
    for (size_t i = 0; i < learning->all.count; i++) {
        const Series *series = &learning->all.at[i], *next = series + 1;
        bool isLast = i + 1 == learning->all.count;
        size_t upper = isLast ? learning->upper.count : next->upper,
               lower = isLast ? learning->lower.count : next->lower;
        tacFine jitter = extreme(&learning->upper.at[series->upper], upper - series->upper, period, 1)
            - extreme(&learning->lower.at[series->lower], lower - series->lower, period, -1);
        if (jitter > most) most = jitter;
    }
    return most;
}

/* Of the multiples of `step`, finds the period with the least jitter; then, among those with the same jitter in whole
 * ticks, the one with the fewest digits. */
static void findPeriod(Learning *learning, tacFine step) {
    tacStreamLearned *learned = learning->learned;
    const tacFine longest = (tacFine) TAC_TIME_LIMIT * TAC_FINE_TICK / step; /* all here are in steps */
    tacFine low = 1, high = longest, unit = 1;
    while (low < high) { /* the first one from which on it does not fall */
        tacFine middle = (low + high) / 2;
        if (jitterOf(learning, middle * step) > jitterOf(learning, (middle + 1) * step)) low = middle + 1;
        else high = middle;
    }
    const tacFine best = low;
    learned->jitter = (jitterOf(learning, best * step) + TAC_FINE_TICK - 1) / TAC_FINE_TICK * TAC_FINE_TICK;
    while (unit <= longest / 10) unit *= 10;
    for (; unit >= 1 && !learned->period; unit /= 10) { /* the multiples of 10^k that are next to the best */
        tacFine below = best / unit * unit, above = below == best ? best : below + unit;
        bool hasBelow = below > 0 && jitterOf(learning, below * step) <= learned->jitter;
        bool hasAbove = above <= longest && jitterOf(learning, above * step) <= learned->jitter;
        if (hasBelow && (!hasAbove || best - below <= above - best)) learned->period = below * step;
        else if (hasAbove) learned->period = above * step;
    }
}

tacStatus tacStreamLearn(
    const tacModel *const *models, size_t n, const tacWord *event, tacStreamLearned *learned, tacError *err) {
    Learning learning = {.learned = learned};
    tacFine step = 1; /* so that the period has at most as many digits as the recording with the fewest allows */
    tacStatus status = TAC_OK;
    int fewest = n ? models[0]->store->digits : 0;
    *learned = (tacStreamLearned){0};
    for (size_t i = 0; i < n; i++) {
        int digits = models[i]->store->digits;
        if (digits > learned->digits) learned->digits = digits;
        if (digits < fewest) fewest = digits;
    }
    for (int i = fewest; i < learned->digits; i++) step *= 10;
    for (size_t i = 0; i < n && status == TAC_OK; i++) {
        tacEventPattern pattern = {0};
        learning.scale = 1;
        for (int k = models[i]->store->digits; k < learned->digits; k++)
            learning.outOfRange |= __builtin_mul_overflow(learning.scale, 10, &learning.scale);
        status = tacEventPatternRead(models[i], event, &pattern, err);
        if (status == TAC_OK) status = walk(&learning, models[i], &pattern, err);
        tacEventPatternFree(&pattern);
    }
    if (status == TAC_OK && learning.outOfRange)
        status = tacFail(
            err, "RANGE", "the times of the recordings do not fit into 64 bits with %d decimals", learned->digits);
    for (size_t i = 0; i < learning.all.count; i++) learned->series += learning.all.at[i].count > 1;
    if (status == TAC_OK && learning.moves) findPeriod(&learning, step);
    tacArrayFree(&learning.upper);
    tacArrayFree(&learning.lower);
    tacArrayFree(&learning.all);
    return status;
}
