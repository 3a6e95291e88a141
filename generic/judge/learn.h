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
    TAC_SOUGHT_FEWEST = 8,      /* of fewer values none is called far */
    TAC_SOUGHT_MOST = 1000000,  /* values that are kept, 8 bytes each; of more, so many at random */
    TAC_SOUGHT_EXTREMES = 1000, /* values that are kept with where they were, at either end */
    TAC_SOUGHT_ALL = 1 << 24    /* values of all limits together that are kept: with very many limits, less of each */
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
    uint64_t far;               /* values that tacSoughtTell has found to be far: */
    double low, high;           /* beyond these */
    tacFraction least, largest; /* where there is a value */
    bool hasFloor, hasCeiling;  /* values that are not known for certain forbid limits below or above these: */
    tacFraction floor, ceiling;
    TAC_ARRAY(double) numbers;
    tacSoughtValues extremes[2];      /* the least and the largest: heaps, with the least extreme one on top */
    size_t mostNumbers, mostExtremes; /* that are kept */
    uint64_t random;                  /* state of the choice of those that are kept */
} tacSought;

/* Begins n of the limits, which are zero, among so many of a check. */
void tacSoughtBegin(tacSought *sought, size_t n, size_t all);
/* Adds a value. op: side on which it may be far: <= and < above, >= and > below, == on both. Sets number and order.
 * False: no memory. */
bool tacSoughtAdd(tacSought *sought, tacComparison op, tacSoughtValue *value);
/* Adds a value that is not known: between what was seen, and the most that it can be (maybe without bound). */
void tacSoughtDoubt(tacSought *sought, tacComparison op, const tacFraction *seen, const tacFraction *most);
void tacSoughtFree(tacSought *sought);

/* How a constraint is called. */
typedef struct tacSoughtSaid {
    const char *left, *right; /* as written */
    tacComparison op;
    bool share;
    int digits;            /* of the trace's ticks */
    const tacStore *store; /* times are told in its unit; NULL: they are no times */
} tacSoughtSaid;
/* Receives a sentence, without the name of the model: about a value that is far; value NULL: about all. */
typedef tacStatus tacSoughtTaker(void *data, const tacSoughtValue *value, const char *sentence, tacError *err);
/* Tells what is far, in the order in which it came, and then how much there was. *more: how much else is far. Reorders
 * the numbers. TAC_ERROR: MEMORY, or the taker's. */
tacStatus tacSoughtTell(
    tacSought *sought, const tacSoughtSaid *said, tacSoughtTaker *take, void *data, uint64_t *more, tacError *err);

#endif
