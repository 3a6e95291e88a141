/*
 * pattern.h -- which events are meant: a name, and as many of the first words as matter.
 *
 *      {jobStarted job1.1}     {jobAcquiredMutex job1.1 m}     {jobArrived task1}: of any job of the task     {message}
 *      {jobArrived control*}: of any job of those tasks (judge/who.h)
 */
#ifndef TAC_JUDGE_PATTERN_H
#define TAC_JUDGE_PATTERN_H

#include "analysis/finding.h"
#include "judge/list.h"
#include "model/model.h"

typedef enum tacMatchKind {
    TAC_MATCH_ANY,
    TAC_MATCH_VALUE, /* the column has this value */
    TAC_MATCH_TASK,  /* the job in the column is one of this task */
    TAC_MATCH_TASKS, /* the task in the column, or the task of the job in it, is one of several */
    TAC_MATCH_TICKS, /* the number that the column leads to is this one */
    TAC_MATCH_NEVER  /* the trace has no such thing */
} tacMatchKind;

typedef struct tacMatch {
    tacMatchKind kind;
    int64_t value;
    bool *tasks; /* TASKS: by task, whether it is one of them; owned by the pattern */
} tacMatch;

typedef struct tacEventPattern {
    tacWord text; /* as written, without braces around it */
    tacList words;
    tacEvent event;
    tacMatch subject, object; /* of the row's columns */
} tacEventPattern;

/* Reads a pattern; with a model, looks up what it names. TAC_ERROR: USAGE, MEMORY. Free it in any case. */
tacStatus tacEventPatternRead(const tacModel *model, const tacWord *text, tacEventPattern *pattern, tacError *err);
/* The two steps of that: splitting the text, and giving a meaning to the words. */
tacStatus tacEventPatternSplit(const tacWord *text, tacEventPattern *pattern, tacError *err);
tacStatus tacEventPatternFind(const tacModel *model, tacEventPattern *pattern, tacError *err);
void tacEventPatternFree(tacEventPattern *pattern);

/* Does the row, which is of the pattern's event, fit? */
bool tacEventPatternFits(const tacEventPattern *pattern, const tacModel *model, uint32_t row);

/* The first object that has this id, among jobs, tasks, servers, mutexes and buffers, else this name; false: none has.
 */
bool tacFindObject(const tacModel *model, const tacWord *word, tacFindingName *object);

#endif
