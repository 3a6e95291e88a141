/*
 * freeze.h -- from appended commands to a store that can be read: resolve ids, map clocks, sort.
 */
#ifndef TAC_TRACE_FREEZE_H
#define TAC_TRACE_FREEZE_H

#include "trace/clock.h"

/* Resolves, maps, sorts; everything wrong in the trace is a remark in diag. TAC_ERROR: memory, or cancelled by
 * store->progress. */
tacStatus tacStoreFreeze(tacStore *store, tacDiag *diag, const char *reference, tacClocks *clocks, tacError *err);

#endif
