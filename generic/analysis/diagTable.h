/*
 * diagTable.h -- the diagnostics of a trace as a table: severity, line, kind, text, count.
 */
#ifndef TAC_ANALYSIS_DIAG_TABLE_H
#define TAC_ANALYSIS_DIAG_TABLE_H

#include "relation/table.h"
#include "trace/diag.h"

/* Refers to the diagnostics. TAC_ERROR: MEMORY. */
tacStatus tacDiagTable(const tacDiag *diag, tacTable *table, tacError *err);
const tacColumn *tacDiagColumns(int *nColumns);

#endif
