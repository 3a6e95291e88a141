/*
 * clockWild.c -- the line of most messages of a pair, and which are far from it (clockWild.h).
 */
#include "base/port.h"

#include "trace/clockWild.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEAST = 4,    /* points: of three, one that is wrong looks like any other */
    SAMPLE = 101, /* points at most of which medians of slopes are taken */
    FAR = 20,     /* times the usual distance: delays in networks are often ten times as long as most */
    PARTS = 4     /* all points but one of so many are near, or none is left out */
};

static inline double difference(int64_t a, int64_t b) { return (double) ((__int128) a - b); }

static double distance(const tacClockPoint *point, const tacClockLine *line) {
    return difference(point->b, line->originB) - line->shift - line->drift * difference(point->a, line->originA);
}

static int byValue(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The value of this rank, from 0; the values are sorted. */
static double ranked(double *values, size_t n, size_t rank) {
    qsort(values, n, sizeof *values, byValue);
    return values[rank];
}

static double median(double *values, size_t n) { return ranked(values, n, (n - 1) / 2); }

/* A point of the sample, which is spread evenly. */
static const tacClockPoint *sampled(const tacClockPoint *points, size_t n, size_t count, size_t i) {
    return &points[(size_t) ((unsigned __int128) i * n / count)];
}

/* The repeated median of the slopes; false: all points are at one time. */
static bool steadySlope(const tacClockPoint *points, size_t n, size_t count, double *slope) {
    double slopes[SAMPLE], medians[SAMPLE];
    size_t nMedians = 0;
    for (size_t i = 0; i < count; i++) {
        const tacClockPoint *p = sampled(points, n, count, i);
        size_t nSlopes = 0;
        for (size_t j = 0; j < count; j++) {
            const tacClockPoint *q = sampled(points, n, count, j);
            if (q->a != p->a) slopes[nSlopes++] = difference(q->b, p->b) / difference(q->a, p->a);
        }
        if (nSlopes) medians[nMedians++] = median(slopes, nSlopes);
    }
    if (nMedians) *slope = median(medians, nMedians);
    return nMedians > 0;
}

/* Half of the sample is farther above the line than this. */
static double middle(const tacClockPoint *points, size_t n, size_t count, const tacClockLine *line) {
    double distances[SAMPLE];
    for (size_t i = 0; i < count; i++) distances[i] = distance(sampled(points, n, count, i), line);
    return median(distances, count);
}

/* Begins the line at the sample's point nearest to the middle: from there the differences of all that are near it are
 * exact. */
static void beginNear(const tacClockPoint *points, size_t n, size_t count, tacClockLine *line) {
    const tacClockPoint *nearest = points;
    double least = INFINITY;
    line->shift = middle(points, n, count, line);
    for (size_t i = 0; i < count; i++) {
        const tacClockPoint *p = sampled(points, n, count, i);
        double off = fabs(distance(p, line));
        if (off < least) least = off, nearest = p;
    }
    line->originA = nearest->a;
    line->originB = nearest->b;
    line->shift = 0;
}

bool tacClockSteady(const tacClockPoint *points, size_t n, tacClockLine *line) {
    size_t count = n < SAMPLE ? n : SAMPLE;
    if (n < LEAST) return false;
    *line = (tacClockLine){.originA = points[0].a, .originB = points[0].b};
    if (!steadySlope(points, n, count, &line->drift) || !(line->drift > 1e-6 && line->drift < 1e6)) return false;
    beginNear(points, n, count, line);
    line->shift = middle(points, n, count, line);
    return true;
}

/* The usual distance from the line, at least a tick: half of all points are as near, and half of those of each way,
 * since the line may run through those of one way. */
static double usual(const tacClockPoint *points, size_t n, const tacClockLine *line, double *distances) {
    double most = 1;
    for (int way = 0; way < 3; way++) { /* from b, from a, both */
        size_t count = 0;
        for (size_t i = 0; i < n; i++)
            if (way == 2 || points[i].fromA == (way == 1)) distances[count++] = fabs(distance(&points[i], line));
        double value = count ? ranked(distances, count, way == 2 ? count / 2 : (count - 1) / 2) : 0;
        if (value > most) most = value;
    }
    return most;
}

bool tacClockKeepNear(tacClockPoint *points, size_t n, const tacClockLine *line, double *scratch) {
    double limit = FAR * (1 + 5 / (double) (n - 2)) * usual(points, n, line, scratch);
    size_t far = 0, kept[2] = {0, 0};
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        if (fabs(distance(&points[i], line)) > limit) far++;
        else kept[points[i].fromA]++;
    }
    bool all = far > n / PARTS || !kept[0] || !kept[1];
    for (size_t i = 0; i < n; i++) {
        bool keep = all || fabs(distance(&points[i], line)) <= limit;
        changed |= keep != points[i].kept;
        points[i].kept = keep;
    }
    return changed;
}
