/*
 * relationList.h -- a table of values that come from Tcl, of which tactus::relation makes a relation.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_RELATION_LIST_H
#define TAC_TCL_RELATION_LIST_H

#include "relation/table.h"

/*
 * Makes the table. columns: dicts of name, type (default: text), unit, words, help, all but the name optional. rows:
 * lists with a value for each column; {} is empty. ids: a number for each row, all different; NULL: rows are numbered.
 * timeUnit: of all times; NULL: not known. Nothing of the lists is needed afterwards.
 */
int tacListTable(
    Tcl_Interp *interp, Tcl_Obj *columns, Tcl_Obj *rows, Tcl_Obj *ids, const char *timeUnit, tacTable *table);

#endif
