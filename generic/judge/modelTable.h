/*
 * modelTable.h -- what the models of a trace did: how often each transition was taken, how its constraints were judged,
 * and where single instances were.
 *
 *   instances.c: an instance begins, takes a transition, has judged a constraint, ends
 *     -> tacModelTables -> a tally for each model, a strip for each instance that was asked for
 *
 * A tally costs the same however many instances there are, but for one bit a transition and living instance. A strip
 * has at most twice as many stretches as were asked for: where there would be more, short ones are joined.
 */
#ifndef TAC_JUDGE_MODEL_TABLE_H
#define TAC_JUDGE_MODEL_TABLE_H

#include "analysis/finding.h"
#include "judge/automaton.h"

typedef struct tacEdgeTally {
    uint64_t taken, instances; /* how often; by how many instances */
} tacEdgeTally;

typedef struct tacModelTally {
    uint64_t instances;               /* all that began */
    uint64_t verdicts[TAC_VERDICTS];  /* instances that ended with it */
    tacEdgeTally *edges;              /* by transition */
    uint64_t (*judged)[TAC_VERDICTS]; /* by constraint: how often it had each verdict */
    uint64_t (*stays)[TAC_VERDICTS];  /* by invariant: stays in its state in which it was violated, or not known */
} tacModelTally;

/* Instances that are wanted: the numbers of their rows in tacInstancesTable, in ascending order, each once. */
typedef struct tacStripWish {
    const uint64_t *indices;
    size_t n;
    int64_t from, to; /* ticks: only stretches that touch this; TAC_UNKNOWN: no such end */
    size_t most;      /* stretches of a strip, at least 2 */
} tacStripWish;

typedef struct tacStateStretch {
    int64_t begin, end;
    uint32_t state; /* of the automaton; TAC_NONE: several short ones */
} tacStateStretch;

typedef struct tacStrip { /* of an instance: its states in the order of time */
    uint64_t index;
    size_t automaton;
    uint32_t object;    /* as in tacVerdictNote */
    char *key;          /* value of the field that the instances are of; NULL: they are not */
    int64_t begin, end; /* of the instance */
    tacVerdict verdict;
    TAC_ARRAY(tacStateStretch) stretches;
    int64_t grain; /* a shorter stretch is not told by itself; 0: all are */
    uint32_t state;
    int64_t since; /* begin of `state` */
} tacStrip;

typedef struct tacModelTables tacModelTables;

/* Tallies for automata, which stay the caller's. NULL: no memory. */
tacModelTables *tacModelTablesNew(const tacAutomaton *automata, size_t n);
void tacModelTablesFree(tacModelTables *tables); /* NULL is fine */
/* Asks for strips, before the first step. firsts: by automaton, the row of its first instance. wish and firsts stay
 * the caller's. False: no memory. */
bool tacModelTablesWish(tacModelTables *tables, const tacStripWish *wish, const uint64_t *firsts);

/* Steps of the instance in a place of the kth automaton. */
void tacModelBegins(
    tacModelTables *tables, size_t k, uint32_t place, uint32_t object, const tacWord *key, int64_t time);
void tacModelTakes(tacModelTables *tables, size_t k, uint32_t place, uint32_t transition, int64_t time);
void tacModelJudges(tacModelTables *tables, size_t k, uint32_t constraint, tacVerdict verdict);
/* Something is told of an invariant, which is one of the automaton's. */
void tacModelStays(tacModelTables *tables, size_t k, const tacStatement *invariant, tacVerdict verdict);
void tacModelEnds(tacModelTables *tables, size_t k, uint32_t place, tacVerdict verdict, int64_t time);

/* The tally of the kth automaton; the strips, in the order of the wish: of an instance that there is not, `automaton`
 * is SIZE_MAX. NULL: there was no memory. */
const tacModelTally *tacModelTallyOf(const tacModelTables *tables, size_t k);
const tacStrip *tacModelStrips(const tacModelTables *tables, size_t *count);

#endif
