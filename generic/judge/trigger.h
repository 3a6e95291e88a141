/*
 * trigger.h -- what a transition of a model waits for: an event, or a change of a job's state.
 *
 *      {jobStarted job1.1}     {enters running}     {leaves blocked task1}     {mark frame* id==17}
 *      {event sched_waking pid==12}     {syscall write}     {sysreturn * -of worker*}
 *
 * A trigger has the cells (judge/occurrence.h) of all that may fit it, so what happens is compared with the triggers of
 * its own cell.
 */
#ifndef TAC_JUDGE_TRIGGER_H
#define TAC_JUDGE_TRIGGER_H

#include "judge/expectation.h"
#include "judge/occurrence.h"

typedef enum tacEach { TAC_EACH_TRACE, TAC_EACH_PROCESSOR, TAC_EACH_TASK, TAC_EACH_JOB } tacEach;
/* The kind of the instances' objects, which the trace as a whole has none of; and the id of one. */
static inline tacKind tacEachKind(tacEach each) {
    return each == TAC_EACH_PROCESSOR ? TAC_PROCESSOR : each == TAC_EACH_TASK ? TAC_TASK : TAC_JOB;
}
static inline const char *tacEachId(const tacModel *model, tacEach each, uint32_t object) {
    return each == TAC_EACH_PROCESSOR ? tacProcessorId(model, object)
                                      : tacObjectId(model->store, tacEachKind(each), object);
}

typedef enum tacTriggerKind {
    TAC_TRIGGER_ROW,
    TAC_TRIGGER_ENTERS,
    TAC_TRIGGER_LEAVES,
    TAC_TRIGGER_MARK,
    TAC_TRIGGER_EVENT,
    TAC_TRIGGER_SYSCALL,
    TAC_TRIGGER_SYSRETURN
} tacTriggerKind;

/* FIELD OP VALUE: only what has the field, and in it such a value. */
typedef struct tacFieldTest {
    tacWord name;
    tacComparison op;
    char *glob;            /* EQUAL, UNEQUAL: of the value's text */
    tacFieldNumber number; /* the others */
} tacFieldTest;

typedef struct tacTrigger {
    tacTriggerKind kind;
    tacEventPattern pattern; /* its words; ROW: the event */
    tacJobState state;       /* ENTERS, LEAVES */
    bool own;                /* only what is of the instance itself */
    bool named;              /* ENTERS, LEAVES: only of this job or task: */
    tacWho who;
    char *of;   /* glob of the id or name of a task, only of which it is; NULL: none */
    char *glob; /* MARK, EVENT, SYSCALL, SYSRETURN: of the text, the name */
    TAC_ARRAY(tacFieldTest) tests;
} tacTrigger;

enum { TAC_TRIGGER_CELLS = 3 }; /* of a trigger, at most */

/* Reads an event of a model, the text of which must outlive it; with a model, looks up what it names. TAC_ERROR:
 * USAGE, MEMORY. Free it in any case. */
tacStatus tacTriggerRead(const tacModel *model, const tacWord *text, tacTrigger *trigger, tacError *err);
void tacTriggerFree(tacTrigger *trigger);
/* Does any event of its cell fit that is the instance's own? */
bool tacTriggerIsPlain(const tacTrigger *trigger);
/* The only task of which an event may be that fits; TAC_NONE: any. */
uint32_t tacTriggerTask(const tacTrigger *trigger);
/* The cells of all that may fit; how many. */
int tacTriggerCells(const tacTrigger *trigger, uint32_t cells[TAC_TRIGGER_CELLS]);

/* Does it wait for rows with a single subject (by 0), or of a single task (by 1)? TAC_NONE: the trace has none. */
bool tacTriggerValue(const tacTrigger *trigger, const tacStore *store, int *by, uint32_t *value);

/* An instance of a model, as far as events are its own. */
typedef struct tacOwner {
    tacEach each;
    uint32_t object; /* index of the processor or task */
    uint32_t job;    /* of a job: index of tacModel.jobs */
} tacOwner;

/* Does it fit a trigger that has its cell, for this instance? */
bool tacTriggerFits(const tacTrigger *trigger, const tacOccurrence *occurrence, const tacOwner *owner);

#endif
