/*
 * statementList.c -- makes statements of Tcl lists.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/statementList.h"
#include "tcl/text.h"

void tacListWordsFree(tacListWords *words) {
    for (Tcl_Size i = 0; i < words->count; i++) Tcl_DStringFree(&words->texts[i]);
    tacFree(words->texts);
    tacFree(words->words);
    *words = (tacListWords){0};
}

int tacListWordsRead(Tcl_Interp *interp, Tcl_Obj *list, tacListWords *words) {
    Tcl_Size n;
    Tcl_Obj **elements;
    *words = (tacListWords){0};
    if (Tcl_ListObjGetElements(interp, list, &n, &elements) != TCL_OK) return TCL_ERROR;
    words->texts = tacAllocZero((size_t) n + 1, sizeof *words->texts);
    words->words = tacAllocZero((size_t) n + 1, sizeof *words->words);
    if (!words->texts || !words->words) {
        tacListWordsFree(words);
        return tacTclMemory(interp);
    }
    for (words->count = 0; words->count < n; words->count++) {
        Tcl_DString *text = &words->texts[words->count];
        tacTextFromObj(elements[words->count], text);
        words->words[words->count] = (tacWord){Tcl_DStringValue(text), (size_t) Tcl_DStringLength(text)};
    }
    return TCL_OK;
}

void tacStatementListFree(tacStatementList *statements) {
    for (Tcl_Size i = 0; statements->words && i < statements->count; i++) tacListWordsFree(&statements->words[i]);
    tacFree(statements->words);
    tacFree(statements->all);
    if (statements->list) Tcl_DecrRefCount(statements->list);
    *statements = (tacStatementList){0};
}

int tacStatementListRead(Tcl_Interp *interp, Tcl_Obj *list, tacStatementList *statements) {
    Tcl_Obj **pairs, **parts;
    Tcl_Size n, two;
    *statements = (tacStatementList){0};
    if (Tcl_ListObjGetElements(interp, list, &n, &pairs) != TCL_OK) return TCL_ERROR;
    *statements = (tacStatementList){.all = tacAllocZero((size_t) n + 1, sizeof *statements->all),
        .words = tacAllocZero((size_t) n + 1, sizeof *statements->words),
        .count = n,
        .list = tacKept(list)};
    if (!statements->all || !statements->words) return tacTclMemory(interp);
    for (Tcl_Size i = 0; i < n; i++) {
        if (Tcl_ListObjGetElements(interp, pairs[i], &two, &parts) != TCL_OK) return TCL_ERROR;
        if (two != 2) return tacTclFail(interp, "USAGE", "a statement must be a place and a list of words");
        tacListWords *words = &statements->words[i];
        if (tacListWordsRead(interp, parts[1], words) != TCL_OK) return TCL_ERROR;
        statements->all[i] = (tacStatement){words->words, (int) words->count, Tcl_GetString(parts[0])};
    }
    return TCL_OK;
}
