/*
 * trigger.h -- what a transition of a model waits for: an event, or a change of a job's state.
 *
 *      {jobStarted job1.1}     {enters running}     {leaves blocked task1}
 *
 * Things that happen are sorted into cells: kinds of events, states that are entered, states that are left. A trigger
 * has the cells of all that may fit it. So what happens is compared with the triggers of its own cell, and something
 * in a cell that nobody waits for costs nothing.
 */
#ifndef TAC_JUDGE_TRIGGER_H
#define TAC_JUDGE_TRIGGER_H

#include "judge/expectation.h"
#include "model/replay.h"

typedef enum tacEach { TAC_EACH_TRACE, TAC_EACH_PROCESSOR, TAC_EACH_TASK, TAC_EACH_JOB } tacEach;
/* The kind of the instances' objects, which the trace as a whole has none of; and the id of one. */
static inline tacKind tacEachKind(tacEach each) {
    return each == TAC_EACH_PROCESSOR ? TAC_PROCESSOR : each == TAC_EACH_TASK ? TAC_TASK : TAC_JOB;
}
static inline const char *tacEachId(const tacModel *model, tacEach each, uint32_t object) {
    return each == TAC_EACH_PROCESSOR ? tacProcessorId(model, object)
                                      : tacObjectId(model->store, tacEachKind(each), object);
}

typedef enum tacTriggerKind { TAC_TRIGGER_ROW, TAC_TRIGGER_ENTERS, TAC_TRIGGER_LEAVES } tacTriggerKind;

typedef struct tacTrigger {
    tacTriggerKind kind;
    tacWord text;            /* as written */
    tacEventPattern pattern; /* ROW */
    tacJobState state;       /* ENTERS, LEAVES */
    bool own;                /* only what is of the instance itself */
    tacWho who;              /* ENTERS, LEAVES, unless own */
} tacTrigger;

/* Cells: first the events of rows, each its own. */
enum {
    TAC_CELL_ENTERS = TAC_EVENTS, /* and the state */
    TAC_CELL_LEAVES = TAC_CELL_ENTERS + TAC_STATES,
    TAC_CELLS = TAC_CELL_LEAVES + TAC_STATES
};
enum { TAC_TRIGGER_CELLS = 1 }; /* of a trigger, at most */

/* Reads an event of a model, the text of which must outlive it; with a model, looks up what it names. TAC_ERROR:
 * USAGE, MEMORY. Free it in any case. */
tacStatus tacTriggerRead(const tacModel *model, const tacWord *text, tacTrigger *trigger, tacError *err);
void tacTriggerFree(tacTrigger *trigger);
/* The cells of all that may fit; how many. */
int tacTriggerCells(const tacTrigger *trigger, uint32_t cells[TAC_TRIGGER_CELLS]);

/* Something that happens: an event of a row, or a change of a job's state. */
typedef struct tacOccurrence {
    const tacModel *model;        /* of the replay */
    const tacStateChange *change; /* NULL: the row itself */
    uint32_t row, job, task;      /* TAC_NONE: it has none */
    uint16_t processor;           /* TAC_NO_PROCESSOR: the same */
    uint32_t cell;
    int64_t now;
} tacOccurrence;

tacOccurrence tacOccurrenceOfRow(const tacModel *model, const struct tacReplay *replay, uint32_t row);
/* The part of a change by this row by which the job leaves its old state, or enters the new one. */
tacOccurrence tacOccurrenceOfChange(const tacOccurrence *row, const tacStateChange *change, bool enters);

/* An instance of a model, as far as events are its own. */
typedef struct tacOwner {
    tacEach each;
    uint32_t object; /* index of the processor or task */
    uint32_t job;    /* of a job: index of tacModel.jobs */
} tacOwner;

/* Does it fit a trigger that has its cell, for this instance? */
bool tacTriggerFits(const tacTrigger *trigger, const tacOccurrence *occurrence, const tacOwner *owner);

#endif
