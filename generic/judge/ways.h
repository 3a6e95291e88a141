/*
 * ways.h -- an index of the transitions that lead out of a state at something of a cell, for states with many of them.
 *
 *      on wait {jobCompleted x1} a      on wait {jobCompleted x2} b     ...     on wait {mark "step 128"} z
 *
 * Those that wait for one object, task or text are found by it, however many others there are. The rest stands in a
 * list, and both are walked together in the order of the file.
 */
#ifndef TAC_JUDGE_WAYS_H
#define TAC_JUDGE_WAYS_H

#include "judge/automaton.h"

/* Makes the index of an automaton whose table is made. False: no memory. */
bool tacWayIndexMake(tacAutomaton *automaton, const tacModel *model);
void tacWayIndexFree(tacWayIndex *index);

/* Transitions that may fit, in the order of the file. */
enum { TAC_WAY_LISTS = 3 };
typedef struct tacWayWalk {
    const tacAutomaton *automaton;
    uint32_t lists[TAC_WAY_LISTS]; /* the next way of each, or TAC_NONE */
} tacWayWalk;

/* The walk of a state that is indexed for what happens. */
tacWayWalk tacWaysIndexed(const tacAutomaton *automaton, uint32_t place, const tacOccurrence *occurrence);
/* state: number of states: all transitions, one of each event. */
static inline tacWayWalk tacWaysOf(const tacAutomaton *automaton, uint32_t state, const tacOccurrence *occurrence) {
    uint32_t place = state * TAC_CELLS + occurrence->cell;
    if (TAC_UNLIKELY(automaton->index.rest != NULL)) return tacWaysIndexed(automaton, place, occurrence);
    return (tacWayWalk){automaton, {automaton->cells[place], TAC_NONE, TAC_NONE}};
}
/* The next transition; NULL: there are no more. */
const tacTransition *tacWaysMerge(tacWayWalk *walk);
static inline const tacTransition *tacWaysNext(tacWayWalk *walk) {
    const tacAutomaton *a = walk->automaton;
    uint32_t way = walk->lists[0];
    if (TAC_UNLIKELY(walk->lists[1] != TAC_NONE || walk->lists[2] != TAC_NONE)) return tacWaysMerge(walk);
    if (way == TAC_NONE) return NULL;
    walk->lists[0] = a->ways.at[way].next;
    return &a->transitions.at[a->ways.at[way].transition];
}

#endif
