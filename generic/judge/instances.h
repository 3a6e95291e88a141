/*
 * instances.h -- the instances of models, written down while their automata run, and the table of them.
 *
 *   automatonRun.c: an instance begins, is in a state, has judged a constraint, ends
 *     -> tacInstances -> table (tactus_model(n), INSTANCES)
 *
 * Nothing is written down unless an automaton is given such a record; a check gives it none.
 */
#ifndef TAC_JUDGE_INSTANCES_H
#define TAC_JUDGE_INSTANCES_H

#include "analysis/finding.h"
#include "judge/automaton.h"
#include "judge/modelTable.h"
#include "relation/table.h"

/* Begins a record of automata whose statements are among those of a file, at `statements`. All of it stays the
 * caller's. NULL: no memory. */
tacInstances *tacInstancesNew(
    const tacModel *model, const tacStatement *statements, const tacAutomaton *automata, size_t n);
void tacInstancesFree(tacInstances *instances); /* NULL is fine */

/* Has tallies kept besides, which stay the caller's. rows: false: nothing but these; the table has no rows then. */
void tacInstancesTally(tacInstances *instances, tacModelTables *tallies, bool rows);

/* Steps of the instance in a place of the kth automaton. key: its value of the model's field; NULL: it has an object. A
 * lack of memory is told by tacInstancesTable. */
void tacInstanceBegins(
    tacInstances *instances, size_t k, uint32_t place, uint32_t object, const tacWord *key, int64_t time);
/* Takes a transition, of that index in the automaton. */
void tacInstanceTakes(tacInstances *instances, size_t k, uint32_t place, uint32_t transition, int64_t time);
/* A constraint was judged; value: of its left side, NAN where it is not known. */
void tacInstanceJudges(
    tacInstances *instances, size_t k, uint32_t place, uint32_t constraint, tacVerdict verdict, double value);
/* Something is told of an invariant of the state in which it is. */
void tacInstanceStays(tacInstances *instances, size_t k, const tacStatement *invariant, tacVerdict verdict);
/* The same of a limit that is to be found: of several values of an instance, the largest (side 1) or the least one (-1)
 * counts. At the end, those beyond low and high are far from the others, and uncertain. */
void tacInstanceSeeks(tacInstances *instances, size_t k, uint32_t place, uint32_t constraint, double value, int side);
void tacInstancesFar(tacInstances *instances, size_t k, uint32_t constraint, double low, double high);
void tacInstanceEnds(tacInstances *instances, size_t k, uint32_t place, tacVerdict verdict, int64_t time);

/* Writes down that a model cannot be judged: a row with nothing but its name, uncertain. */
void tacInstancesMissing(tacInstances *instances, const tacStatement *statement);

/*
 * Makes the table: model by model, each in the order in which its instances began. verdict: only instances that have
 * it; TAC_VERDICTS: all. The table owns the record, in any case, and refers to
 * nothing else. TAC_ERROR: MEMORY.
 */
tacStatus tacInstancesTable(tacInstances *instances, tacVerdict verdict, tacTable *table, tacError *err);

#endif
