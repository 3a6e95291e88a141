/*
 * order.h -- the stable order of rows by time.
 */
#ifndef TAC_TRACE_ORDER_H
#define TAC_TRACE_ORDER_H

#include "trace/store.h"

/* *rows: the row numbers in order of time, equal times in order of rows (the caller's, tacFree), or NULL when they are
 * in order already. TAC_ERROR: memory, cancelled. */
tacStatus tacOrderRows(const tacStore *store, uint32_t **rows, tacError *err);

#endif
