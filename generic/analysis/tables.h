/*
 * tables.h -- the tables of a trace by name: what $trace relation can be over.
 */
#ifndef TAC_ANALYSIS_TABLES_H
#define TAC_ANALYSIS_TABLES_H

#include "analysis/trace.h"
#include "base/progress.h"
#include "relation/table.h"

typedef struct tacRelationKind {
    const char *name;
    const char *help; /* a clause without period */
    bool windowed;    /* -from and -to mean something */
    /* from, to: ticks, TAC_UNKNOWN: not given. The table refers to the trace. */
    tacStatus (*make)(
        const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err);
} tacRelationKind;

extern const tacRelationKind tacRelationKinds[]; /* ends with name NULL */

#endif
