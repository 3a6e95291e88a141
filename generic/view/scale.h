/*
 * scale.h -- time to place and back, and the ticks of an axis.
 *
 * A scale is a few segments of time laid side by side, all with the same points per tick; between two of them an idle
 * gap is cut out and a break mark stands. Without cuts there is one segment. Invariants:
 *   1. segments ascend in time and in x and do not touch in x: a cut is `breakWidth` points wide.
 *   2. times are kept relative to the scale's begin, so that nanosecond epochs lose nothing in doubles.
 */
#ifndef TAC_VIEW_SCALE_H
#define TAC_VIEW_SCALE_H

#include "base/decimal.h"

enum { TAC_SCALE_SEGMENTS = 24 }; /* most segments */

typedef struct tacSegment {
    int64_t from, to; /* ticks */
    double x0, x1;    /* points */
} tacSegment;

typedef struct tacScale {
    tacSegment segments[TAC_SCALE_SEGMENTS];
    int nSegments;    /* at least 1 */
    int64_t from, to; /* ticks: the window; to > from */
    double x0, x1;    /* points */
    double perTick;   /* points a tick */
} tacScale;

typedef struct tacGap {
    int64_t from, to;
} tacGap; /* a stretch of time to leave out */

/* Lays the window [from, to] on [x0, x1] without the gaps, which ascend, lie inside and do not touch; each becomes
 * breakWidth points wide. */
void tacScaleInit(
    tacScale *scale, int64_t from, int64_t to, double x0, double x1, const tacGap *gaps, int nGaps, double breakWidth);

/* Place of a time: x0 before the window, x1 after it, within its break in a cut. */
double tacScaleX(const tacScale *scale, int64_t time);
/* Place of a time in ticks since scale->from, which need not be whole. */
double tacScaleXAt(const tacScale *scale, double since);
/* The time at a place: rounded down, within the window; in a break the begin of the next segment. */
int64_t tacScaleTime(const tacScale *scale, double x);

/* b - a in ticks, also beyond 63 bits. */
static inline double tacTicksBetween(int64_t a, int64_t b) {
    int64_t difference;
    return __builtin_sub_overflow(b, a, &difference) ? (double) b - (double) a : (double) difference;
}

/*
 * Ticks of an axis: labels stand at base + j * step for whole j; the step is 1, 2 or 5 times a power of ten of the
 * axis' unit. Between two labels there are `middle` - 1 middle and `minor` - 1 short ticks (1: none).
 */
typedef struct tacTicks {
    int mantissa, exponent; /* step in units of the axis: mantissa * 10^exponent */
    int middle, minor;      /* parts of a step */
    int shift;              /* labels are in units of 10^shift of the axis, which is written once */
    double perUnit;         /* ticks a unit of the axis */
    double step;            /* ticks */
    int64_t base;           /* ticks: the time of the label 0, which is 0 or a round time shown once */
    double first, last;     /* smallest and largest j that may be in [from, to] */
} tacTicks;

enum { TAC_LABEL_SIZE = 64 };

/* Chooses the finest step of at least `least` ticks, for times from .. to of 10^-digits units, labelled with
 * time * axisScale. */
void tacTicksInit(tacTicks *ticks, int64_t from, int64_t to, int digits, double axisScale, double least);
void tacTicksCoarser(tacTicks *ticks, int64_t from, int64_t to); /* takes the next larger step */
/* Splits the steps as finely as parts stay at least `least` ticks apart. */
void tacTicksSplit(tacTicks *ticks, double least);
/* Chooses `shift`: a multiple of three that makes long labels short, else 0. */
void tacTicksShift(tacTicks *ticks);
/* Writes the label j, an exact decimal with as many digits behind the point as the step has, and returns its length. */
size_t tacTicksLabel(const tacTicks *ticks, int64_t j, char buffer[TAC_LABEL_SIZE]);
/* Writes a time in units of the axis, exactly when axisScale is a power of ten, and returns the length. */
size_t tacAxisFormat(int64_t time, int digits, double axisScale, char buffer[TAC_LABEL_SIZE]);

#endif
