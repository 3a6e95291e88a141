/*
 * list.h -- the elements of a Tcl list, without an interpreter: conditions, events and other words that hold words.
 */
#ifndef TAC_JUDGE_LIST_H
#define TAC_JUDGE_LIST_H

#include "read/sink.h"

typedef struct tacList {
    TAC_ARRAY(tacWord) words; /* in the text that was split, or in `built` */
    char *built;              /* elements that differ from the text by backslash sequences */
} tacList;

/*
 * Splits a text by the rules of lists (Tcl_SplitList); the text has to outlive the list. TAC_ERROR: "LIST" (it is
 * none), MEMORY. A list that is all zero is empty; tacListFree releases it, also after an error.
 */
tacStatus tacListSplit(tacList *list, const char *text, size_t length, tacError *err);
void tacListFree(tacList *list);

#endif
