/*
 * who.h -- the jobs and tasks that a word of an expectation names: by an id, a name, or patterns of both.
 *
 *      a job's id, else a task's id, else the name of tasks, else what a thread's job is called (trace/called.h), else
 *      patterns and names, separated by blanks or commas
 *
 * A recording of a program has other process numbers each time, so names are what a file of expectations can rely on.
 */
#ifndef TAC_JUDGE_WHO_H
#define TAC_JUDGE_WHO_H

#include "model/model.h"
#include "read/sink.h"

typedef struct tacWho {
    tacWord id;     /* as written */
    tacKind kind;   /* TAC_JOB or TAC_TASK */
    uint32_t index; /* of the job id, or the first task; TAC_NONE: the trace has neither */
    TAC_ARRAY(uint32_t)
    tasks; /* TAC_TASK: all that are named, in the order of the trace; patterns name only those with
            * jobs, as far as there are any */
} tacWho;

/* Finds whom a word names. TAC_ERROR: LOOKUP OBJECT (what is not in the trace), MEMORY. Free it in any case. */
tacStatus tacWhoFind(const tacModel *model, const tacWord *word, tacWho *who, tacError *err);
/* The same for tasks alone. */
tacStatus tacWhoFindTasks(const tacModel *model, const tacWord *word, tacWho *who, tacError *err);
void tacWhoFree(tacWho *who);

/* One of the tasks, without a list of its own. */
static inline tacWho tacWhoOne(const tacWho *who, size_t i) {
    return (tacWho){.id = who->id, .kind = TAC_TASK, .index = who->tasks.at[i]};
}

#endif
