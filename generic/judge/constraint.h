/*
 * constraint.h -- what an instance of a model has used since a variable was started, and whether a constraint holds.
 *
 * What happened since a variable was started is the difference of a gauge (judge/gauge.h) and what the variable
 * remembers. Where the state was unknown, a constraint is judged with the least and the most that may have been.
 */
#ifndef TAC_JUDGE_CONSTRAINT_H
#define TAC_JUDGE_CONSTRAINT_H

#include "analysis/finding.h"
#include "judge/expression.h"
#include "judge/gauge.h"

typedef struct tacVariable {
    bool started, set;
    int64_t time;    /* of its start */
    int64_t unknown; /* set from something of which so many ticks are unknown; */
    tacNoValue why;  /* or for another reason (TAC_HAS_VALUE: this one) */
    tacFraction value;
} tacVariable;

typedef struct tacAsking { /* a moment of an instance */
    tacVariable *variables;
    __int128 *memories; /* what they remember: tacAsks.memories */
    const tacAsks *asks;
    const tacPlace *places; /* by memory */
    tacGauges *all;
    const tacGauge *gauges;     /* of them */
    const tacBlocksOf *blocks;  /* of the instance */
    const tacModel *model;      /* of the replay */
    uint32_t task;              /* of the instance, or TAC_NONE */
    const tacOccurrence *event; /* that is handled; NULL: none */
    int64_t entered;            /* when its state was entered */
    int64_t now;
    bool most; /* what may have been more in unknown time is as much as it can be */
    int digits;
} tacAsking;

typedef struct tacSides { /* of a comparison */
    tacFraction left, right;
    int order;  /* -1, 0, 1 */
    bool share; /* shares of time are compared */
} tacSides;

typedef struct tacOutcome {
    tacVerdict verdict;
    tacNoValue why;         /* UNCERTAIN: there is no value; TAC_HAS_VALUE: too much is unknown: */
    const tacNode *missing; /* the variable or field */
    int64_t unknown;
    tacSides sides;
    bool ranges; /* UNCERTAIN, of a limit that is to be found: the left side is between that of `sides` and `most` */
    tacFraction most;
    bool beyond; /* INVALID: the left side is more than its value from the next moment on */
} tacOutcome;

/* Starts a variable, or gives it a value. */
void tacVariableStart(const tacAsking *asking, uint32_t slot);
void tacVariableLet(tacAsking *asking, uint32_t slot, const tacExpression *expression);

/* Does a plain test hold for certain? False: it does not, it is no plain one, or it takes more to tell. */
bool tacConstraintHolds(const tacRelationTest *test, const tacAsking *asking);
/* Of a limit that is to be found: valid, with the sides, where what is compared with it is known. */
tacOutcome tacConstraintJudge(const tacRelationTest *test, tacAsking *asking);
/* Of a function of a variable that was started, or the time in a state: ticks or a count; and what it grows by in a
 * tick, as things are. */
__int128 tacAmount(const tacAsking *asking, const tacNode *node);
int64_t tacAmountSlope(const tacAsking *asking, const tacNode *node);
/* The same of what a memory is of, from the begin of the recording. */
__int128 tacMemoryAmount(const tacAsking *asking, uint32_t memory);
int64_t tacMemorySlope(const tacAsking *asking, uint32_t memory);
/* May there be more of it, since a state was unknown, or is? */
bool tacMayBeMore(const tacAsking *asking, const tacNode *node);
/* Values of both sides as they were seen. */
tacNoValue tacConstraintSides(const tacRelationTest *test, tacAsking *asking, tacSides *sides);
/* Adds "was VALUE" of the left side of a constraint that is invalid, or "is not known (REASON)". names: of variables.
 */
void tacOutcomeSay(const tacOutcome *outcome, const tacAsking *asking, const tacRelationTest *test,
    const tacInternTable *names, tacText *text);

#endif
