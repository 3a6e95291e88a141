/*
 * packed.h -- a table of its own that rows are added to: copies of rows of other tables, for when those have gone.
 *
 *   a row, cell by cell -> 4096 values of a column -> a block: the least of them, and how far each is above it
 *
 * A block keeps each value in 0, 1, 2, 4 or 8 bytes, as the values need, and the texts of all columns stand once each
 * in one table of names. So a row of a trace's jobs takes some 50 bytes, for its 21 columns, where the cells of a list
 * would take 600.
 *
 * Times of tables with different decimals are brought to the most decimals, exactly. Where that does not fit into 64
 * bits, the rows are refused (TIME RANGE), and those before them stay.
 */
#ifndef TAC_RELATION_PACKED_H
#define TAC_RELATION_PACKED_H

#include "base/progress.h"
#include "relation/table.h"

typedef struct tacPacked tacPacked;

/* Makes a table without rows that has the columns of this one (copied). NULL: no memory. */
tacPacked *tacPackedNew(const tacTable *like, tacError *err);
void tacPackedFree(tacPacked *packed);

/* Begins a row, whose times have so many decimals. TAC_ERROR: MEMORY, TIME RANGE, LIMIT ROWS. */
tacStatus tacPackedBegin(tacPacked *packed, int digits, tacError *err);
/* Sets a cell of it; each is to be set, or the row begun again. TAC_ERROR: MEMORY, TIME RANGE. */
tacStatus tacPackedSet(tacPacked *packed, int column, const tacCell *cell, tacError *err);
/* Ends the row; before that it is not there. */
void tacPackedEnd(tacPacked *packed);

/* Adds the first `most` rows of a table with as many columns, of the same types. What was added stays when it fails.
 * TAC_ERROR: MEMORY, CANCELLED, TIME RANGE, LIMIT ROWS. */
tacStatus tacPackedAdd(tacPacked *packed, const tacTable *table, uint64_t most, tacProgress *progress, tacError *err);

/* Fills in the table, which owns the rows from now on. After rows were added it is to be filled in again. */
void tacPackedTable(tacPacked *packed, tacTable *table);
/* The rows of such a table; NULL: it is another one. */
tacPacked *tacPackedOf(const tacTable *table);

#endif
