/*
 * tables.h -- the tables of a trace by name ($trace relation), and those of its diagnostics and its clocks.
 */
#ifndef TAC_ANALYSIS_TABLES_H
#define TAC_ANALYSIS_TABLES_H

#include "analysis/trace.h"
#include "base/progress.h"
#include "relation/table.h"
#include "trace/clock.h"

typedef struct tacRelationKind {
    const char *name;
    const char *help; /* a clause without period */
    bool windowed;    /* -from and -to mean something */
    /* from, to: ticks, TAC_UNKNOWN: not given. The table refers to the trace. */
    tacStatus (*make)(
        const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err);
} tacRelationKind;

extern const tacRelationKind tacRelationKinds[]; /* ends with name NULL */

/* The diagnostics as a table that refers to them: line, severity, kind, text, count. TAC_ERROR: MEMORY. */
tacStatus tacDiagTable(const tacDiag *diag, tacTable *table, tacError *err);
const tacColumn *tacDiagColumns(int *nColumns);

/* The clocks' report as tables: a row for each pair of processors, and for each message that contradicts the fit. */
typedef enum tacSyncOf { TAC_SYNC_PAIRS, TAC_SYNC_MESSAGES, TAC_SYNC_KINDS } tacSyncOf;
extern const char *const tacSyncNames[TAC_SYNC_KINDS + 1]; /* "pairs", "messages", NULL */
tacStatus tacSyncTable(const tacStore *store, const tacClocks *clocks, tacSyncOf of, tacTable *table, tacError *err);
const tacColumn *tacSyncColumns(tacSyncOf of, int *nColumns);

#endif
