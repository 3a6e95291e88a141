/*
 * column.h -- memory of the event columns, which all have the same number of rows and grow together, with one check per
 * row.
 */
#ifndef TAC_TRACE_COLUMN_H
#define TAC_TRACE_COLUMN_H

#include "trace/store.h"

bool tacColumnsGrow(tacStore *store); /* room for at least one more row; false: no memory, store as it was */
void tacColumnsTrim(tacStore *store); /* gives back unused memory */
/* Makes old row rows[i] the new row i, for i < count <= tacStoreCount. Options follow their rows; those of dropped rows
 * are dropped. */
tacStatus tacColumnsPick(tacStore *store, const uint32_t *rows, uint32_t count, tacError *err);
/* Drops the rows for which `keeps` is false; it is called for every row in order. */
tacStatus tacColumnsKeep(tacStore *store, bool (*keeps)(void *data, uint32_t row), void *data, tacError *err);
/* Packs the columns of a sorted store (see store.h); without memory they stay as they are. */
void tacColumnsPack(tacStore *store);
void tacOptionsSort(tacOptionArray *options, tacProgress *progress); /* stable, by owner */
void tacColumnsFree(tacStore *store);

#endif
