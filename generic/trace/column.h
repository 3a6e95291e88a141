/*
 * column.h -- memory of the event columns: they all have the same number of rows and grow together, with one check a
 * row.
 */
#ifndef TAC_TRACE_COLUMN_H
#define TAC_TRACE_COLUMN_H

#include "trace/store.h"

bool tacColumnsGrow(tacStore *store); /* room for at least one more row; false: no memory, store as it was */
void tacColumnsTrim(tacStore *store); /* gives back what growth took too much */
/* New row i is old row rows[i], for i < count <= tacStoreCount; options follow their rows, those of rows left out go.
 */
tacStatus tacColumnsPick(tacStore *store, const uint32_t *rows, uint32_t count, tacError *err);
/* Drops the rows that `keeps` says no to; it is asked for every row in order. */
tacStatus tacColumnsKeep(tacStore *store, bool (*keeps)(void *data, uint32_t row), void *data, tacError *err);
/* Makes the columns of a sorted store small (see store.h); without memory they stay as they are. */
void tacColumnsPack(tacStore *store);
void tacOptionsSort(tacOptionArray *options, tacProgress *progress); /* stable, by owner */
void tacColumnsFree(tacStore *store);

#endif
