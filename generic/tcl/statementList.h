/*
 * statementList.h -- statements of what is expected, from Tcl: a list of {place words}.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_STATEMENT_LIST_H
#define TAC_TCL_STATEMENT_LIST_H

#include "judge/judge.h"

typedef struct tacListWords { /* of a statement, in plain UTF-8 */
    Tcl_DString *texts;
    tacWord *words;
    Tcl_Size count;
} tacListWords;
/* TCL_ERROR: it is no list, or no memory; there is nothing to free then. */
int tacListWordsRead(Tcl_Interp *interp, Tcl_Obj *list, tacListWords *words);
void tacListWordsFree(tacListWords *words);

typedef struct tacStatementList {
    tacStatement *all;   /* they point into the words and the list: */
    tacListWords *words; /* by statement */
    Tcl_Size count;
    Tcl_Obj *list; /* held */
} tacStatementList;
/* TCL_ERROR: USAGE, MEMORY. Free it in any case. */
int tacStatementListRead(Tcl_Interp *interp, Tcl_Obj *list, tacStatementList *statements);
void tacStatementListFree(tacStatementList *statements);

#endif
