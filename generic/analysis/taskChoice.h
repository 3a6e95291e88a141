/*
 * taskChoice.h -- tasks as users name them in views of jobs: a list of ids, names and glob patterns.
 *
 * An id stands for its task, whatever else is spelled so; any other word for all tasks whose id or name fits. A pattern
 * for all, *, leaves out hidden tasks, which have no row of their own, unless all are. The cost is that of the
 * tasks and the words, and of each pattern with each task.
 */
#ifndef TAC_ANALYSIS_TASK_CHOICE_H
#define TAC_ANALYSIS_TASK_CHOICE_H

#include "model/model.h"

typedef struct tacTaskChoice {
    uint32_t *tasks;     /* owned; in the order of the words, of each word the one with the most jobs first, but
                            interrupts and hidden ones last */
    uint32_t count;      /* of them */
    const char *missing; /* the first word that fits no task, one of those given; NULL: all do */
} tacTaskChoice;

/* Chooses the tasks of a list of words that ends with NULL. NULL or no words: the task with the most jobs. False: no
 * memory. */
bool tacChooseTasks(const tacModel *model, const char *const *words, tacTaskChoice *choice);
void tacTaskChoiceFree(tacTaskChoice *choice);

/* The words of such a list that fit no task, each once, in the order of the list: *count of them in `missing`, which
 * has room for all words, and may be their own place. False: no memory. */
bool tacTaskWordsMissing(const tacModel *model, const char *const *words, const char **missing, size_t *count);

#endif
