/*
 * syncTable.h -- the clocks' report as tables: one row a pair of processors, one row a message that breaks the fit.
 */
#ifndef TAC_ANALYSIS_SYNC_TABLE_H
#define TAC_ANALYSIS_SYNC_TABLE_H

#include "relation/table.h"
#include "trace/clock.h"

typedef enum tacSyncOf { TAC_SYNC_PAIRS, TAC_SYNC_MESSAGES, TAC_SYNC_KINDS } tacSyncOf;
extern const char *const tacSyncNames[TAC_SYNC_KINDS + 1]; /* "pairs", "messages", NULL */

const tacColumn *tacSyncColumns(tacSyncOf of, int *nColumns);
tacStatus tacSyncTable(const tacStore *store, const tacClocks *clocks, tacSyncOf of, tacTable *table, tacError *err);

#endif
