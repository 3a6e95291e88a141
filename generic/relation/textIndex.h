/*
 * textIndex.h -- the rows of each text of a column: found at once instead of by looking at all cells.
 *
 * Texts are not kept: the first row of each stands for it. So 4 bytes a row and some 10 for a text that occurs once are
 * all that an index takes.
 */
#ifndef TAC_RELATION_TEXT_INDEX_H
#define TAC_RELATION_TEXT_INDEX_H

#include "base/intern.h"
#include "base/progress.h"
#include "relation/table.h"

typedef struct tacTextIndex {
    const tacTable *table;
    int column;
    uint32_t *slots;  /* numbers of texts, by hash; TAC_NONE: free. At most 2/3 are taken */
    uint32_t nSlots;  /* a power of two */
    uint32_t nTexts;  /* all that occur, numbered in order of their first rows */
    uint64_t seed;    /* of the hashes */
    uint32_t *starts; /* of each text: index of its first row in `rows`; one more at the end */
    uint32_t *rows;   /* by text, ascending; rows with an empty cell are left out */
} tacTextIndex;

/* Makes the index of a column of texts of a table, which stays in its place. TAC_ERROR: MEMORY, CANCELLED. */
tacStatus tacTextIndexMake(
    tacTextIndex *index, const tacTable *table, int column, tacProgress *progress, tacError *err);
/* The rows of a text, *count of them. */
const uint32_t *tacTextIndexRows(const tacTextIndex *index, const char *text, size_t length, uint32_t *count);
void tacTextIndexFree(tacTextIndex *index); /* also of one that is all zero */

#endif
