/*
 * invariant.h -- what must hold as long as an instance of a model is in a state.
 *
 *      during work require running(v) <= 5ms        during work require time < 10ms        during work never preempted
 *
 * Such a constraint is judged just before each row, after it, and when the state is entered. To look at every instance
 * at each row would be slow, so it is only looked at when something may have changed: those that compare a time of the
 * instance with a number are due at the moment at which they would be violated; others at changes of the instance's
 * jobs. Only constraints of another form are looked at always.
 */
#ifndef TAC_JUDGE_INVARIANT_H
#define TAC_JUDGE_INVARIANT_H

#include "judge/constraint.h"
#include "judge/learn.h"

typedef struct tacInvariant {
    uint32_t state;
    bool never; /* no job of the instance is in, or enters: */
    tacJobState jobState;
    uint32_t memory; /* of the number of jobs that are in it, */
    uint32_t doubt;  /* and of the time in which it is unknown in which one they are */
    tacRelationTest test;
    const tacStatement *statement;
    bool timed; /* a time (timer) that must stay below a number (limit): it is violated at an exact moment */
    const tacNode *timer;
    tacFraction limit; /* ticks */
    bool atMost;       /* the limit itself is fine */
    enum { TAC_LOOK_ALWAYS, TAC_LOOK_WHEN_DUE, TAC_LOOK_AT_CHANGES } look;
} tacInvariant;

/* Notes when to look at it; whole: changes of the instance's jobs are told (tacStaysTouch). digits: of the ticks. */
void tacInvariantPrepare(tacInvariant *invariant, const tacAsks *asks, bool whole, int digits);

/* The stays of the instances of a model in states, by the instances' places. */
typedef struct tacStays tacStays;

typedef struct tacStaysHost { /* the instances */
    void *data;
    tacAsking (*asking)(void *data, uint32_t place, const tacOccurrence *o);
    /* Tells a sentence, which it takes over, about an instance. */
    tacStatus (*tell)(void *data, uint32_t place, tacVerdict verdict, const tacOccurrence *o,
        const tacStatement *statement, tacText *sentence, tacError *err);
    /* A stay is over, in which a limit is to be found. Where value is not known, it is at least or at most this one;
     * NULL: nothing is known. False: no memory. */
    bool (*seek)(void *data, uint32_t place, size_t invariant, tacSoughtValue *value, bool known);
} tacStaysHost;

/* The stays of all models, so that only those are looked at in which something may have changed. */
typedef struct tacAgenda {
    TAC_ARRAY(tacStays *) all;
    TAC_ARRAY(tacStays *) waiting; /* those that are to be looked at with the next row */
    int64_t due;                   /* the first of their moments is not before */
} tacAgenda;
/* Looks at those that may have changed. TAC_ERROR: MEMORY, or what the hosts say. */
tacStatus tacAgendaLook(tacAgenda *agenda, const tacOccurrence *o, tacError *err);

/* Adds stays to the agenda, which has to live as long. states, variables: names. NULL: no memory. */
tacStays *tacStaysNew(const tacInvariant *invariants, size_t n, const tacInternTable *states,
    const tacInternTable *variables, tacStaysHost host, tacAgenda *agenda);
void tacStaysFree(tacStays *stays); /* NULL is fine */

/* An instance begins in a state; o: NULL if nothing of its jobs was unknown before. False: no memory. */
bool tacStaysBegin(tacStays *stays, uint32_t place, uint32_t state, int64_t now, const tacOccurrence *o);
/* It goes over to another state. TAC_ERROR: MEMORY; so with the others. */
tacStatus tacStaysEnter(tacStays *stays, uint32_t place, uint32_t state, const tacOccurrence *o, tacError *err);
/* It has ended. */
tacStatus tacStaysEnd(tacStays *stays, uint32_t place, const tacOccurrence *o, tacError *err);
/* Its variables have changed, or its jobs: it is looked at next time. False: no memory. */
bool tacStaysTouch(tacStays *stays, uint32_t place, bool jobs);
/* A job of an instance enters a state. */
tacStatus tacStaysJob(tacStays *stays, uint32_t place, tacJobState state, const tacOccurrence *o, tacError *err);
#endif
