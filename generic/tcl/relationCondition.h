/*
 * relationCondition.h -- conditions as they are written in Tcl: {column op value} ..., or -any text.
 *
 *      =  !=  <  <=  >  >=     by the column's type: times, counts and numbers by value, texts in natural order
 *      match                   glob pattern, upper and lower case alike, over the cell as it is shown
 *      = {}, != {}             the cell is empty, is not
 *
 * -any text: some cell of the row contains the text, upper and lower case alike.
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_RELATION_CONDITION_H
#define TAC_TCL_RELATION_CONDITION_H

#include "relation/relation.h"

typedef struct tacConditionList {
    int count;
    tacCondition *conditions;
    Tcl_Obj **texts; /* by condition: what its test compares with, or NULL; referenced */
} tacConditionList;

/* words: a list of conditions, or NULL; any: a text, or NULL. On error the message is in the interpreter. Free it in
 * any case. */
int tacConditionsParse(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *words, Tcl_Obj *any, tacConditionList *list);
void tacConditionsFree(tacConditionList *list);

/* Index of a column by its name; unique abbreviations will do. */
int tacColumnFromObj(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *name, int *column);

#endif
