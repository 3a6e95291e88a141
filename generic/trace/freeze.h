/*
 * freeze.h -- from appended commands to a store that can be read: the scale of times (trace/times.h), ids, clocks
 * (trace/clock.h), order.
 */
#ifndef TAC_TRACE_FREEZE_H
#define TAC_TRACE_FREEZE_H

#include "trace/clock.h"

/* ---- the steps, called by tacStoreFreeze ---- */

/* Resolves the ids (resolve.c). Rows that name unknown objects are dropped with an error, rows of hidden ids silently.
 * TAC_ERROR: memory, cancelled. */
tacStatus tacResolve(tacStore *store, tacDiag *diag, tacError *err);
/* Sorts the rows (order.c). *rows: the row numbers in order of time, equal times in order of rows, which the caller
 * frees (tacFree); NULL: the rows are in order already. TAC_ERROR: memory, cancelled. */
tacStatus tacOrderRows(const tacStore *store, uint32_t **rows, tacError *err);

/* Takes all steps; everything wrong in the trace becomes a remark in diag. TAC_ERROR: memory, or cancelled by
 * store->progress. */
tacStatus tacStoreFreeze(tacStore *store, tacDiag *diag, const char *reference, tacClocks *clocks, tacError *err);

#endif
