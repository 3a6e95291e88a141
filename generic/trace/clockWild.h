/*
 * clockWild.h -- messages whose times are too wild to fit clocks by.
 *
 * Least squares follow a single wrong point as far as it is away. So a first line is found that half of the points
 * cannot move, by repeated medians:
 *
 *   A. F. Siegel: Robust regression using repeated medians. Biometrika 69(1), 1982, 242-244: the slope is the median
 * over all points of the median slope to all others.
 *
 * Points that are far from it, measured by the distances of most, are left out, and a line is fitted by least squares
 * to the others (P. J. Rousseeuw, A. M. Leroy: Robust Regression and Outlier Detection, 1987, section 1.4, has this
 * second step and how the measure grows where there are few points). A clock that was set anew, or that drifts
 * otherwise half way, puts many messages far from any line: where they are more than a quarter, nobody can say which
 * are wrong, and all are kept.
 */
#ifndef TAC_TRACE_CLOCK_WILD_H
#define TAC_TRACE_CLOCK_WILD_H

#include "base/port.h"

/* A matched message of a pair of processors. */
typedef struct tacClockPoint {
    int64_t a, b;   /* when it was on each of them, ticks of its clock */
    size_t message; /* the caller's number of it */
    bool fromA;
    bool kept; /* it is fitted */
} tacClockPoint;

/* b = originB + shift + drift * (a - originA) */
typedef struct tacClockLine {
    int64_t originA, originB;
    double shift, drift;
} tacClockLine;

/* Finds the line that few wild points do not move; false: there is none, or there are too few points. */
bool tacClockSteady(const tacClockPoint *points, size_t n, tacClockLine *line);
/* Keeps the points near the line, and all if too many are far. scratch: room for n numbers. True: not the same as
 * before.
 */
bool tacClockKeepNear(tacClockPoint *points, size_t n, const tacClockLine *line, double *scratch);

#endif
