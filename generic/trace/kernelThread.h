/*
 * kernelThread.h -- threads of the kernel itself (kworker/0:1, rcu_preempt ...), which are rarely what one looks for.
 */
#ifndef TAC_TRACE_KERNEL_THREAD_H
#define TAC_TRACE_KERNEL_THREAD_H

#include "base/port.h"

/* Is this the name of a thread of the kernel, as far as names tell? */
bool tacKernelThreadName(const char *name);

#endif
