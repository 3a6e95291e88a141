/*
 * baseline.h -- what comparisons need of traces, as a small text (tactus_compare(n), BASELINES, describes each line).
 *
 *      tactus-baseline 1
 *      unit ms                         left out where it is not known
 *      decimals 3
 *      task control Control%20loop     id, name; % and two hexadecimal digits stand for a byte
 *      jobs 3 deadlines 3 misses 1
 *      measure response 3              number of values, which follow in ascending order, equal ones together
 *      1.5*2 2.25
 *      causes 3                        jobs whose mean is taken apart
 *      0.5 preemption%20by%20logger
 *      end
 *
 * It is read as data: each number is checked, and a mistake is told with its line.
 */
#ifndef TAC_ANALYSIS_BASELINE_H
#define TAC_ANALYSIS_BASELINE_H

#include "analysis/profile.h"

/* Reads the text of a baseline, behind which stands a NUL. Free it in any case. TAC_ERROR: MEMORY, BASELINE SYNTAX:
 * "line N: ...". */
tacStatus tacBaselineRead(const char *text, size_t length, tacBaseline *baseline, tacError *err);
void tacBaselineFree(tacBaseline *baseline);
/* Does a text begin as a baseline? */
bool tacBaselineIs(const char *text, size_t length);

/* Writes the baseline of a profile; `most`: jobs of each task that are taken apart. TAC_ERROR: MEMORY, CANCELLED. */
tacStatus tacBaselineWrite(
    const tacProfile *profile, uint64_t most, tacText *out, tacProgress *progress, tacError *err);

/* For the reader and profile.c: adds to the mean of a cause. False: no memory. */
bool tacCausesAdd(tacCauses *causes, const char *word, size_t length, double ticks);

#endif
