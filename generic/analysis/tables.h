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
    const tacColumn *(*columns)(int *nColumns);
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

/* Slices and holds, task by task, and marks, which refer to the model. TAC_ERROR: MEMORY. */
const tacColumn *tacSliceColumns(int *nColumns);
const tacColumn *tacHoldColumns(int *nColumns);
const tacColumn *tacMarkColumns(int *nColumns);
const tacColumn *tacMessageColumns(int *nColumns);
tacStatus tacSliceTable(const tacModel *model, tacTable *table, tacError *err);
tacStatus tacHoldTable(const tacModel *model, tacTable *table, tacError *err);
tacStatus tacMarkTable(const tacModel *model, tacTable *table, tacError *err);
tacStatus tacMessageTable(const tacModel *model, tacTable *table, tacError *err); /* TAC_ERROR: MEMORY */

/* The parts of the response time of one job (why.h), each before its own parts. TAC_ERROR: MEMORY, CANCELLED. */
tacStatus tacDelayTable(const tacModel *model, uint32_t job, tacProgress *progress, tacTable *table, tacError *err);
const tacColumn *tacDelayColumns(int *nColumns);

#endif
