/*
 * condition.h -- conditions about stretches of time: {running task1}, {and {holds job1 m} {not {consuming s}}} ...
 *
 * A condition is a tree: its leaves are stretches of a job, a task or a server, in order of time and apart from each
 * other; a walk goes over the recording from one change of a leaf to the next. So it costs what the objects' slices
 * cost, and keeps nothing.
 */
#ifndef TAC_JUDGE_CONDITION_H
#define TAC_JUDGE_CONDITION_H

#include "judge/list.h"
#include "model/model.h"

typedef enum tacConditionKind {
    TAC_CONDITION_SLICES,    /* leaf: slices with a state of `states` */
    TAC_CONDITION_WAITING,   /* leaf: from the release of jobs to their start */
    TAC_CONDITION_HOLDS,     /* leaf: of mutex `index` */
    TAC_CONDITION_CONSUMING, /* leaf: of server `index` */
    TAC_CONDITION_DEPLETED,  /* the same */
    TAC_CONDITION_NOT,
    TAC_CONDITION_AND,
    TAC_CONDITION_OR
} tacConditionKind;

typedef struct tacConditionNode {
    tacConditionKind kind;
    uint32_t children; /* of NOT, AND, OR: the nodes right before it that are not another's */
    uint32_t task, id; /* leaves of jobs: the task, and the job id or TAC_NONE for all of the task */
    uint32_t index;
    unsigned states;    /* bits 1 << tacJobState */
    size_t next;        /* what of the model comes next: slice, hold, point, job */
    int64_t begin, end; /* the stretch now: the first that ends after the time of the walk */
    tacStretch ahead;   /* the one after it, as the model has it; begin TAC_MORE: none */
} tacConditionNode;

typedef struct tacCondition {
    tacWord text;                      /* as written */
    TAC_ARRAY(tacConditionNode) nodes; /* children before parents; the last one is the root */
} tacCondition;

/* Reads a condition; with a model, finds its objects. TAC_ERROR: USAGE, LOOKUP, MEMORY. Free it in any case. */
tacStatus tacConditionRead(const tacModel *model, const tacWord *text, tacCondition *condition, tacError *err);
/* The condition that both are true (while NULL or without text: the first alone); negated: that the first is not. Takes
 * the nodes of both over. TAC_ERROR: MEMORY. */
tacStatus tacConditionJoin(tacCondition *condition, tacCondition *during, bool negated, tacError *err);
void tacConditionFree(tacCondition *condition);

/* Begins a walk at a time. */
void tacConditionStart(const tacModel *model, tacCondition *condition);
/* Is it true right after t? *until: up to when nothing changes, at most `end`. Times of a walk ascend. */
bool tacConditionAt(const tacModel *model, tacCondition *condition, int64_t t, int64_t end, int64_t *until);

#endif
