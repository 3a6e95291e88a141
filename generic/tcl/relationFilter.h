/*
 * relationFilter.h -- filters (relation/filter.h) from the words by which Tcl commands say which rows are wanted.
 *
 *      -where expression       the filter language, tactus(1), FILTERS
 *      -any text               some cell of the row contains the text
 *      conditions              a list of {column operator value}: the operators =, !=, <, <=, >, >= and match, a glob
 *                              pattern of the whole cell; = {} and != {}: the cell is empty, is not. Or {where
 *                              expression}
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_RELATION_FILTER_H
#define TAC_TCL_RELATION_FILTER_H

#include "relation/relation.h"
#include "tcl/tableValue.h"

/* The row of -where in a table of options; `where` is the member, a Tcl_Obj *. */
#define TAC_WHERE_ROW(Record, where)                                                   \
    {                                                                                  \
        "-where", TAC_VALUE_OBJECT, offsetof(Record, where), NULL, "expression", NULL, \
            "only rows that fit an expression of the filter language"                  \
    }

typedef struct tacWanted { /* the words of a filter; NULL or empty: not given */
    Tcl_Obj *conditions, *any, *where;
    Tcl_Obj *before; /* name and text of a column more, for them */
} tacWanted;

static inline bool tacWantsAll(const tacWanted *wanted) {
    return !wanted->conditions && !wanted->any && !wanted->where;
}

/* Makes the filter, which refers to the table; NULL: the error is in the interpreter. */
tacFilter *tacFilterFromWords(Tcl_Interp *interp, const tacTable *table, const tacWanted *wanted);

/* Leaves the rows that are wanted in the interpreter, or writes them, as tacTableResult does. Frees the table. */
int tacWhereResult(
    Tcl_Interp *interp, tacTable *table, const tacWanted *wanted, tacResultFormat format, Tcl_Obj *channel);

/* Index of a column by its name; unique abbreviations will do. */
int tacColumnFromObj(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *name, int *column);

#endif
