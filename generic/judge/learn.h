/*
 * learn.h -- limits that are to be found (`require EXPRESSION OP ?`): the values that the expression had.
 *
 *   automatonRun.c: a value --tacSoughtAdd--> tacSought --> values that are far from the others; the least and largest
 *
 * Far is what has a modified z-score of more than 3.5: 0.6745 * (value - median) / MAD, with the median absolute
 * deviation MAD; where that is 0, (value - median) / (1.253314 * mean absolute deviation). Source: B. Iglewicz and
 * D. Hoaglin, "How to Detect and Handle Outliers" (ASQC Quality Press 1993), section 3.3.
 */
#ifndef TAC_JUDGE_LEARN_H
#define TAC_JUDGE_LEARN_H

#include "judge/expression.h"

enum {
    TAC_SOUGHT_FEWEST = 8,     /* of fewer values none is called far */
    TAC_SOUGHT_MOST = 1000000, /* values that are kept, 8 bytes each; of more, so many at random */
    TAC_SOUGHT_EXTREMES = 1000 /* values that are kept with where they were, at either end */
};

typedef struct tacSoughtValue {
    tacFraction value;
    double number; /* the same, rounded */
    int64_t time;
    uint32_t row, object; /* of the trace, TAC_NONE: none; of the instance */
    uint64_t order;       /* values before it */
} tacSoughtValue;

typedef TAC_ARRAY(tacSoughtValue) tacSoughtValues;

typedef struct tacSought {
    uint64_t count;             /* values */
    bool whole;                 /* all of them are whole numbers */
    uint64_t unknown;           /* times that there was none: it was not known */
    tacFraction least, largest; /* where there is a value */
    bool hasFloor, hasCeiling;  /* values that are not known for certain forbid limits below or above these: */
    tacFraction floor, ceiling;
    TAC_ARRAY(double) numbers;
    tacSoughtValues extremes[2]; /* the least and the largest: heaps, with the least extreme one on top */
    uint64_t random;             /* state of the choice of those that are kept */
} tacSought;

/* Adds a value. op: side on which it may be far: <= and < above, >= and > below, == on both. Sets number and order.
 * False: no memory. */
bool tacSoughtAdd(tacSought *sample, tacComparison op, tacSoughtValue *value);
/* Adds a value that is not known: between what was seen, and the most that it can be (maybe without bound). */
void tacSoughtDoubt(tacSought *sample, tacComparison op, const tacFraction *seen, const tacFraction *most);
void tacSoughtFree(tacSought *sample);

typedef struct tacSoughtSpread {
    double median;
    double scale; /* difference from the median that is a score of 1; 0: all values are the same but a few, or all */
    double low, high;      /* what is beyond these is far */
    uint64_t below, above; /* values that are; of more than are kept: about */
} tacSoughtSpread;

/* False: there are too few values. Reorders the numbers. *failed: no memory. */
bool tacSoughtSpreadOf(tacSought *sample, tacComparison op, tacSoughtSpread *spread, bool *failed);
/* The kept values that are far, in the order in which they came, at most 2 * TAC_SOUGHT_EXTREMES. False: no memory.
 */
bool tacSoughtFar(const tacSought *sample, const tacSoughtSpread *spread, tacSoughtValues *far);

/* Adds what is to be said, without the model: of a value that is far; of all values (spread NULL: they are too few).
 * digits: of the trace's ticks. */
void tacSoughtSayFar(const tacSought *sample, const tacSoughtSpread *spread, const tacSoughtValue *value,
    const tacRelationTest *test, int digits, tacText *text);
void tacSoughtSay(
    const tacSought *sample, const tacSoughtSpread *spread, const tacRelationTest *test, int digits, tacText *text);

#endif
