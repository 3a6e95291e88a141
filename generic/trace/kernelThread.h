/*
 * kernelThread.h -- threads of the kernel itself (kworker/0:1, rcu_preempt ...), which are rarely what one looks for.
 */
#ifndef TAC_TRACE_KERNEL_THREAD_H
#define TAC_TRACE_KERNEL_THREAD_H

#include "trace/store.h"

/* Is this the name of a thread of the kernel, as far as names tell? */
bool tacKernelThreadName(const char *name);
/* What the process of a task says: 1 it is one, -1 it is none, 0 it does not tell. */
int tacKernelThreadTold(const tacStore *store, uint32_t task);
int tacKernelThreadBy(const tacStore *store, uint32_t task, const char *process); /* the same; process NULL: none */
/* Is a task a thread of the kernel, by its process or else by its name? */
bool tacIsKernelThread(const tacStore *store, uint32_t task);

#endif
