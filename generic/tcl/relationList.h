/*
 * relationList.h -- a table of values that come from Tcl: what tactus::relation makes a relation of.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_RELATION_LIST_H
#define TAC_TCL_RELATION_LIST_H

#include "relation/table.h"

/*
 * columns: dicts of name, type (text), unit, words, help, all but the name optional; rows: lists with a value for each
 * column, {} is empty; ids: a number for each row, all different, or NULL: rows are numbered; unit of times: NULL: not
 * known. Nothing of the lists is needed afterwards. On error the message is in the interpreter.
 */
int tacListTable(
    Tcl_Interp *interp, Tcl_Obj *columns, Tcl_Obj *rows, Tcl_Obj *ids, const char *timeUnit, tacTable *table);

#endif
