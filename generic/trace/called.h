/*
 * called.h -- what people call the threads of a kernel trace and their jobs.
 *
 * Their ids are numbers: the thread 21277 and its 17th job, 21277.17. With the name control they are called control and
 * control.17; where several threads have the name, with the number behind it: control.17 (21277). Anything else is
 * called by its id.
 */
#ifndef TAC_TRACE_CALLED_H
#define TAC_TRACE_CALLED_H

#include "trace/store.h"

/* Adds what a task or job (kind, index) is called. */
void tacCalled(const tacStore *store, tacKind kind, uint32_t index, tacText *out);
/* The task or job that is called so, where only one is, or with its thread's number in parentheses behind; TAC_NONE:
 * none, or it is the id of one. */
uint32_t tacCalledFind(const tacStore *store, tacKind kind, const char *text, size_t length);

#endif
