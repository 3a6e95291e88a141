/*
 * tasks.h -- from the records of a kernel trace to tasks, jobs and marks of a store.
 *
 *      record -> the thread that runs (loss.c) -> thread (by pid) and its event (switch.c) -> rows of a store
 *
 * A thread is a task, its pid the task's id. A job begins with the wake-up that ends a waiting and is completed when
 * the thread waits again:
 *
 *                  wake-up              switch to it                 switch away, runnable
 *      sleeping -------------> ready ---------------> running <-------------------------------> preempted
 *         ^                                           |    ^               switch to it             ^
 *         +------ switch away, waits for its next job +    |                                        | wake-up
 *                                                     +--------- switch away, for a resource ----> blocked
 *
 * block.c tells the two kinds of waiting apart. Where the trace has lost events, the state of threads and
 * processors is unknown until the next event that tells it (loss.c). The idle thread is no task. An interrupt is a task
 * of kind isr or softirq on each processor, and each handling of it is a job (interrupt.c). Marks and system
 * calls are intervals above their thread (mark.c).
 *
 * tactus_kernel(5) tells the user all this.
 */
#ifndef TAC_IMPORT_KERNEL_TASKS_H
#define TAC_IMPORT_KERNEL_TASKS_H

#include "import/kernel/map.h"
#include "trace/store.h"

/* Destination of the records, and the options for their way there. */
typedef struct tacKernelTarget {
    tacStore *store;
    tacDiag *diag;
    const char *const *keep;  /* glob patterns of names of events that are kept as messages; NULL-terminated, or NULL */
    const tacKernelMap *map;  /* says which threads are tasks, and more; or NULL */
    tacKernelBlocked blocked; /* takes precedence over the mapping's rule */
    bool all;                 /* threads of other programs than those that were recorded have rows, too */
} tacKernelTarget;

typedef struct tacKernelTasks tacKernelTasks;

/* Makes the state for reading; from now on the store's times are nanoseconds. NULL: no memory. */
tacKernelTasks *tacKernelTasksNew(tacKernelTarget *target);
/* Takes a record; tasks: a tacKernelTasks. Errors: MEMORY, LIMIT ...; everything else is a remark. */
tacKernelTake tacKernelTasksAdd;
/* Is an event of this name, which has no kind of its own, wanted? A mapping may want any. tasks: a tacKernelTasks. */
bool tacKernelTasksWants(void *tasks, tacKernelText name, bool known);
/* After the last record: defines tasks and processors, and adds the remarks on the whole. */
tacStatus tacKernelTasksFinish(tacKernelTasks *tasks, tacError *err);
void tacKernelTasksFree(tacKernelTasks *tasks); /* NULL is fine */

#endif
