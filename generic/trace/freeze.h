/*
 * freeze.h -- from appended commands to a store that can be read: the scale of times (trace/times.h), ids, clocks
 * (trace/clock.h), order.
 */
#ifndef TAC_TRACE_FREEZE_H
#define TAC_TRACE_FREEZE_H

#include "trace/clock.h"

/* The steps, each called once by tacStoreFreeze: */

/* (resolve.c) Ids become objects. Rows that name what does not exist are dropped, with an error each (grouped); so are
 * rows of hidden ids, silently. TAC_ERROR: memory, cancelled. */
tacStatus tacResolve(tacStore *store, tacDiag *diag, tacError *err);
/* (order.c) *rows: the row numbers in order of time, equal times in order of rows (the caller's, tacFree), or NULL when
 * they are in order already. TAC_ERROR: memory, cancelled. */
tacStatus tacOrderRows(const tacStore *store, uint32_t **rows, tacError *err);

/* All steps; everything wrong in the trace is a remark in diag. TAC_ERROR: memory, or cancelled by
 * store->progress. */
tacStatus tacStoreFreeze(tacStore *store, tacDiag *diag, const char *reference, tacClocks *clocks, tacError *err);

#endif
