/*
 * automaton.h -- a model of expected behaviour: states, transitions between them at events, and what they require.
 *
 *   statements (model, state, shared, on, start, let, require, end)
 *     -> tacAutomaton (automatonRead.c) -> instances that follow a replay (automatonRun.c) -> judgements
 *
 * Source: Beamonte and Dagenais, "Detection of Common Problems in Real-Time and Multicore Systems Using Model-Based
 * Constraints" (2016). tactus_model(n) describes the language.
 */
#ifndef TAC_JUDGE_AUTOMATON_H
#define TAC_JUDGE_AUTOMATON_H

#include "judge/expression.h"
#include "judge/invariant.h"
#include "judge/trigger.h"

typedef struct tacAction {
    enum { TAC_ACTION_START, TAC_ACTION_LET, TAC_ACTION_REQUIRE, TAC_ACTION_UNEXPECTED } kind;
    uint32_t slot;            /* START, LET: the variable */
    uint32_t constraint;      /* REQUIRE: its number in the model */
    tacRelationTest test;     /* REQUIRE */
    tacExpression expression; /* LET */
    const tacStatement *statement;
} tacAction;

typedef struct tacTransition {
    uint32_t from, to; /* states */
    bool sure;         /* any event of its cell fits that is the instance's own, and there is no guard */
    bool guarded;
    TAC_ARRAY(tacAction) actions;
    tacTrigger trigger;
    tacRelationTest guard;
    const tacStatement *statement;
} tacTransition;

typedef struct tacSharedVariable { /* a variable that the instances of a model have in common */
    uint32_t slot;
    bool valued; /* its value at the begin of the recording: */
    tacExpression expression;
    const tacStatement *statement;
} tacSharedVariable;

/* A transition in the table of those that lead out of a state at something of a cell. */
typedef struct tacWay {
    uint32_t transition;
    uint32_t next; /* the next one of the same state and cell, in the order of the file; or TAC_NONE */
} tacWay;

/* Transitions by the values that they wait for (judge/ways.h). */
typedef struct tacWaySlot tacWaySlot;
typedef struct tacWayIndex {
    uint32_t *rest;    /* as `cells` below: the first way without such a value; NULL: there is no index */
    tacWaySlot *slots; /* nSlots, a power of two */
    size_t nSlots;
} tacWayIndex;

typedef struct tacAutomaton {
    tacWord name;
    tacEach each;
    char *of;     /* glob pattern of ids, or NULL */
    tacWord key;  /* the field with a value for each instance; length 0: there is none */
    bool overlap; /* an instance may begin while another lives */
    bool strict;
    bool byPriority; /* only tasks whose priority fits: */
    tacComparison priorityOp;
    int64_t priority;
    tacWord unjudged; /* why not all of it can be judged; length 0: all can */
    uint32_t initial;
    const tacStatement *statement;
    tacInternTable states, variables;
    tacAsks asks; /* of the variables */
    TAC_ARRAY(tacSharedVariable) shared;
    TAC_ARRAY(bool) final; /* by state */
    bool anyFinal;
    uint32_t nConstraints;
    uint32_t seeks; /* limits that are to be found */
    TAC_ARRAY(tacTransition) transitions;
    TAC_ARRAY(tacInvariant) invariants;
    TAC_ARRAY(tacWay) ways;
    uint32_t *cells; /* by state * TAC_CELLS + cell: its first way, or TAC_NONE. Behind the states, as of one more:
                      * the transitions of any state, one of each event */
    tacWayIndex index;
    uint8_t touched[TAC_CELLS]; /* is there any transition of this cell? 3: one that is not only of the instance's own
                                 */
} tacAutomaton;

/* Do instances begin with a transition, and end in a final state? */
static inline bool tacBeginsLater(const tacAutomaton *automaton) {
    return automaton->overlap || automaton->key.length > 0;
}
enum { TAC_MOST_LIVING = 1000000 }; /* of these, at once */

/*
 * Reads the statements of a model, the first of which is `model`; *used: how many they are, `end` included. model NULL:
 * only whether they are well written. TAC_ERROR: USAGE, LOOKUP, MEMORY; *fault: the statement that the error is about.
 * Free it in any case.
 */
tacStatus tacAutomatonRead(const tacModel *model, const tacStatement *statements, size_t n, tacAutomaton *automaton,
    size_t *used, size_t *fault, tacError *err);
void tacAutomatonFree(tacAutomaton *automaton);

/* A finding of an automaton; the sentence is without the place of the statement. */
typedef struct tacVerdictNote {
    tacVerdict verdict;
    int64_t time;
    uint32_t line;   /* of the trace */
    uint32_t object; /* index of the instance's processor, task, job id; TAC_NONE: none */
    const tacStatement *statement;
    char *sentence;
} tacVerdictNote;

/* Automata that follow a replay together. */
typedef struct tacAutomata tacAutomata;
/* The record in which they write their instances down (judge/instances.h). */
typedef struct tacInstances tacInstances;

/* Makes the instances that begin with the recording. The automata, the model and the record stay the caller's.
 * written: NULL: nothing of an instance is kept when it is over. NULL: with an error, LIMIT or MEMORY. */
tacAutomata *tacAutomataStart(
    const tacAutomaton *automata, size_t n, const tacModel *model, tacInstances *written, tacError *err);
/* Follows a row of a replay of the same store. */
tacStatus tacAutomataRow(
    tacAutomata *automata, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err);
/* The recording has ended. TAC_ERROR: MEMORY. */
tacStatus tacAutomataEnd(tacAutomata *automata, tacError *err);
/* Findings of the kth one, in the order in which they arose. */
const tacVerdictNote *tacAutomataNotes(const tacAutomata *automata, size_t k, size_t *count);
/* By verdict: number of further findings of the kth one, when all together had TAC_MOST_NOTES already. */
enum { TAC_MOST_NOTES = 1000000 };
const uint64_t *tacAutomataOnlyCounted(const tacAutomata *automata, size_t k);
/* By constraint: the values of those with a limit that is to be found (judge/learn.h); NULL: the kth one has none. */
const struct tacSought *tacAutomataSought(const tacAutomata *automata, size_t k);
void tacAutomataFree(tacAutomata *automata); /* NULL is fine */

#endif
