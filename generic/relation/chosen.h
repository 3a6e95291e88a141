/*
 * chosen.h -- some columns of a table as a table: in any order, each as often as wanted, and among them one that has
 * the same text in each row (of which trace the rows are).
 */
#ifndef TAC_RELATION_CHOSEN_H
#define TAC_RELATION_CHOSEN_H

#include "base/error.h"
#include "relation/table.h"

/*
 * Makes the table of n columns of `of`, which lives longer; -1 is the column `name` with this text. Texts are not
 * copied. tacTableFree frees what was made. TAC_ERROR: MEMORY.
 */
tacStatus tacTableChoose(
    const tacTable *of, const int *columns, int n, const char *name, const char *text, tacTable *table, tacError *err);

#endif
