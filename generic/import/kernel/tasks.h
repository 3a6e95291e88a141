/*
 * tasks.h -- from the records of a kernel trace to tasks, jobs and marks of a store.
 *
 *      record -> the thread that runs (loss.c) -> thread (by pid) and what happens to it (switch.c) -> rows of the
 * store
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
 * block.c decides which of the two a switch away is. Where the trace has lost events, the state of threads and
 * processors is unknown until the next event that tells it (loss.c). The idle thread is no task. An interrupt is a task
 * of kind isr or softirq, one for each processor, and each time it is handled a job (interrupt.c). Marks and system
 * calls are intervals above their thread (mark.c).
 *
 * tactus_kernel(5) has all this for the user.
 */
#ifndef TAC_IMPORT_KERNEL_TASKS_H
#define TAC_IMPORT_KERNEL_TASKS_H

#include "import/kernel/map.h"
#include "trace/store.h"

/* Where the records go, and how. */
typedef struct tacKernelTarget {
    tacStore *store;
    tacDiag *diag;
    const char *const *keep;  /* glob patterns of names of events that are kept as messages; NULL-terminated, or NULL */
    const tacKernelMap *map;  /* says which threads are tasks, and more; or NULL */
    tacKernelBlocked blocked; /* goes before what the mapping says */
} tacKernelTarget;

typedef struct tacKernelTasks tacKernelTasks;

tacKernelTasks *tacKernelTasksNew(tacKernelTarget *target); /* NULL: no memory. Times of the store are nanoseconds from
                                                               now on. */
/* A record of this line (or number of event). TAC_ERROR: MEMORY or LIMIT ...; all else is a remark. */
tacStatus tacKernelTasksAdd(tacKernelTasks *tasks, const tacKernelRecord *record, uint32_t line, tacError *err);
/* Is an event of this name, which has no kind of its own, of use? A mapping may have a use for any. tasks: a
 * tacKernelTasks. */
bool tacKernelTasksWants(void *tasks, tacKernelText name);
/* After the last record: defines tasks and processors, and says what was missing. */
tacStatus tacKernelTasksFinish(tacKernelTasks *tasks, tacError *err);
void tacKernelTasksFree(tacKernelTasks *tasks); /* NULL is fine */

#endif
