/*
 * kinds.h -- which kinds of things a trace records. A kind of which it has not a single row is not recorded, so that
 * nothing is known of it: no system call was seen, which does not mean that there was none.
 *
 * The rows are looked through when it is asked for the first time, once for all models of a check.
 */
#ifndef TAC_JUDGE_KINDS_H
#define TAC_JUDGE_KINDS_H

#include "judge/trigger.h"

typedef struct tacKinds {
    const tacStore *store;
    bool known, namesKnown;        /* the rows were looked through: for all but names, for names */
    bool events[TAC_EVENTS];       /* by tacEvent */
    bool marks, calls, interrupts; /* interrupts: jobs of them */
    tacInternTable names;          /* of kept events */
} tacKinds;

/* Is the kind of what fits the trigger recorded? States of jobs always are. False: no memory. */
bool tacKindsHas(tacKinds *kinds, const tacTrigger *trigger, bool *has);
/* Are there jobs of interrupts? */
bool tacKindsInterrupts(tacKinds *kinds);
void tacKindsFree(tacKinds *kinds);

/* Adds what the trace does not record: "marks", "event sched_waking". */
void tacKindSay(const tacTrigger *trigger, tacText *text);

/* Finds the name in the first {event NAME ...} of a word at or after *at, which moves behind it; false: there is none.
 * So a recording can be read with the events that a file speaks of. */
bool tacKindNamed(const tacWord *word, size_t *at, tacWord *name);

#endif
