/*
 * logRow.h -- rows of a log to commands of the trace language.
 */
#ifndef TAC_IMPORT_LOG_LOG_ROW_H
#define TAC_IMPORT_LOG_LOG_ROW_H

#include "import/log/logMap.h"
#include "trace/apply.h"

typedef struct tacLogRow {
    tacWord field[TAC_LOG_COLUMNS]; /* length 0: the row has none */
    uint32_t line;
} tacLogRow;

typedef struct tacLogRows tacLogRows;

/* Nothing of the arguments is copied: they must live as long. NULL: no memory. */
/* Bytes that it has, and later: those that its stretches will need in the store. */
uint64_t tacLogRowsBytes(const tacLogRows *rows, bool later);
tacLogRows *tacLogRowsNew(const tacLogMap *map, const tacSink *sink, tacDiag *diag);
/* Takes a row. What is wrong with it is a remark; TAC_ERROR ends the reading: codes LIMIT, MEMORY. */
tacStatus tacLogRowsAdd(tacLogRows *rows, const tacLogRow *row, tacError *err);
/* Ends: what stretches make, and remarks about words without a meaning. TAC_ERROR: as above. */
tacStatus tacLogRowsEnd(tacLogRows *rows, tacError *err);
void tacLogRowsFree(tacLogRows *rows);

#endif
