/*
 * expression.h -- arithmetic of models: numbers with units, variables, and what happened since a variable was started.
 *
 *      elapsed(begin) <= 45ms        running(begin) == 100%        2 * blocked(v) + 1 < max(elapsed(v), limit)
 *
 * All values are exact fractions, in time units of the trace or as counts.
 */
#ifndef TAC_JUDGE_EXPRESSION_H
#define TAC_JUDGE_EXPRESSION_H

#include "base/intern.h"
#include "judge/quantity.h"
#include "relation/filter.h"

typedef struct tacFraction {
    __int128 over, under; /* under > 0; in lowest terms where they are large; under 0: without bound, over 1 or -1 */
} tacFraction;

/* over / under, which is without bound where under is 0. False: more than 128 bits hold; so with the others. */
bool tacFractionMake(__int128 over, __int128 under, tacFraction *result);
bool tacFractionSubtract(const tacFraction *left, const tacFraction *right, tacFraction *result);
/* -1, 0, 1; at most one of the two is without bound. */
bool tacFractionCompare(const tacFraction *left, const tacFraction *right, int *order);
/* Adds it for a sentence, rounded down: share: in %; else with at most three decimals more than `digits`, and where it
 * is a time, with the unit of the trace `times`; NULL: it is none. */
void tacFractionSay(const tacFraction *value, bool share, int digits, const tacStore *times, tacText *out);

enum { TAC_MOST_NODES = 256 }; /* parts of an expression */

/* Questions about past events. */
typedef enum tacPastKind {
    TAC_PAST_COUNT,
    TAC_PAST_ONCE,
    TAC_PAST_LAST,
    TAC_PAST_SINCE,
    TAC_PAST_STAY, /* time since the state was entered */
    TAC_PAST_JOBS  /* jobs that are in a state now */
} tacPastKind;

typedef enum tacNodeKind {
    TAC_NODE_NUMBER,
    TAC_NODE_NOW,
    TAC_NODE_VARIABLE, /* `slot`: the variable */
    TAC_NODE_FIELD,    /* a field of the event: `name` */
    TAC_NODE_SINCE,    /* `since` of variable `slot` */
    TAC_NODE_PAST,     /* a question about past events */
    TAC_NODE_ADD,
    TAC_NODE_SUBTRACT,
    TAC_NODE_MULTIPLY,
    TAC_NODE_DIVIDE,
    TAC_NODE_MIN,
    TAC_NODE_MAX,
    TAC_NODE_NEGATE
} tacNodeKind;

typedef struct tacNode {
    tacNodeKind kind;
    tacFraction number;
    bool percent; /* NUMBER: written with % */
    uint32_t slot;
    tacSince since;   /* SINCE: */
    uint32_t memory;  /* of the quantity by the variable; TAC_NONE: of none, elapsed */
    tacPastKind past; /* PAST: with `memory`; COUNT and ONCE look back for `number` ticks */
    uint32_t doubt;   /* of the unknown time by which there may be more of it; TAC_NONE: it is exact */
    char *name;       /* FIELD */
} tacNode;

typedef struct tacExpression {
    TAC_ARRAY(tacNode) nodes; /* operands before operators */
    char *text;               /* as written, without blanks around it */
} tacExpression;

/* left op right; what a plain test needs stands together */
typedef struct tacRelationTest {
    tacComparison op;
    bool sought; /* the right side is "?" or "?%": a limit that is to be found (judge/learn.h); the number 0 stands for
                    it */
    /* Most tests compare what happened since a variable was started (left) with a number (right): */
    bool plain;
    bool share;                   /* its share of the elapsed time is compared */
    bool whole;                   /* the limit has no fraction and fits into 64 bits */
    bool direct;                  /* so does one with a limit that is to be found; the values are so many parts of
                                     limit.under */
    bool ofJobs, ofEvents;        /* as tacSinceSpec says of the function */
    uint32_t slot, memory, doubt; /* as in its tacNode */
    tacFraction limit;            /* the number; of a time in ticks */
    tacExpression left, right;
} tacRelationTest;

/* How to read them: the unit of the trace's times, NULL if it is not known or there is no trace; names of variables. */
typedef struct tacExpressionReader {
    const char *unit;
    bool anyUnit;              /* there is no trace: every unit will do */
    tacInternTable *variables; /* those that are met are added; */
    tacAsks *asks;             /* and what is asked of them */
    bool staying;              /* `time` is that since the state was entered */
} tacExpressionReader;

/* TAC_ERROR: USAGE, which says what was expected where; MEMORY. Free them in any case. */
tacStatus tacExpressionRead(
    const tacExpressionReader *reader, const char *text, size_t length, tacExpression *expression, tacError *err);
tacStatus tacRelationTestRead(
    const tacExpressionReader *reader, const char *text, size_t length, tacRelationTest *test, tacError *err);
/* Is the one nothing but a timer, and the other nothing but a number written with %? Then shares of time are compared.
 */
bool tacComparesShares(const tacExpression *timers, const tacExpression *number);
/* Is the value of the expression a time for certain: of times alone, added, subtracted, compared? */
bool tacExpressionIsTime(const tacExpression *expression);
/* Notes whether it is plain, for a trace whose ticks have so many digits. */
void tacRelationTestPrepare(tacRelationTest *test, int digits);
void tacExpressionFree(tacExpression *expression);
void tacRelationTestFree(tacRelationTest *test);

/* Why an expression has no value. */
typedef enum tacNoValue {
    TAC_HAS_VALUE,
    TAC_NOT_STARTED, /* of variable `slot` */
    TAC_NOT_SET,
    TAC_NO_FIELD, /* the event has no such number */
    TAC_BY_ZERO,
    TAC_TOO_LARGE,
    TAC_NO_JOBS,      /* of the task of the function */
    TAC_NOT_RECORDED, /* events of the kind that it asks for */
    TAC_NO_EVENT,     /* before now */
    TAC_NOT_BACK,     /* it looks back to before the recording, */
    TAC_TOO_MANY      /* or to more events than are kept */
} tacNoValue;

typedef struct tacEvaluation { /* where values come from */
    void *data;
    tacNoValue (*now)(void *data, tacFraction *value); /* the time */
    /* A function of the variable; or its value. */
    tacNoValue (*since)(void *data, const tacNode *node, tacFraction *value);
    tacNoValue (*past)(void *data, const tacNode *node, tacFraction *value);
    tacNoValue (*variable)(void *data, uint32_t slot, tacFraction *value);
    bool (*field)(void *data, const char *name, tacFraction *value); /* of the event; false: it has no such number */
    const tacNode *missing;                                          /* what has no value */
} tacEvaluation;

tacNoValue tacExpressionValue(const tacExpression *expression, tacEvaluation *from, tacFraction *value);

#endif
