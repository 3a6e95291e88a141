/*
 * textIndex.h -- the rows of each text of a column: found at once instead of by looking at all cells.
 */
#ifndef TAC_RELATION_TEXT_INDEX_H
#define TAC_RELATION_TEXT_INDEX_H

#include "base/intern.h"
#include "base/progress.h"
#include "relation/table.h"

typedef struct tacTextIndex {
    tacInternTable texts; /* all that occur, numbered */
    uint32_t *starts;     /* of each text: index of its first row; one more at the end */
    uint32_t *rows;       /* by text, ascending; rows with an empty cell are left out */
} tacTextIndex;

/* Makes the index of a column of texts: 4 bytes a row, 8 while it is made. TAC_ERROR: MEMORY, CANCELLED. */
tacStatus tacTextIndexMake(
    tacTextIndex *index, const tacTable *table, int column, tacProgress *progress, tacError *err);
/* The rows of a text, *count of them. */
const uint32_t *tacTextIndexRows(const tacTextIndex *index, const char *text, size_t length, uint32_t *count);
void tacTextIndexFree(tacTextIndex *index); /* also of one that is all zero */

#endif
