/*
 * expected.c -- judges that follow the opening of a trace.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dispatch.h"
#include "tcl/expected.h"
#include "tcl/statementList.h"
#include "tcl/text.h"

#include <string.h>

typedef struct Entry {
    tacStatementList statements;
    tacJudge *judge;
} Entry;

struct tacExpected {
    Entry *entries;
    Tcl_Size count;
    TAC_ARRAY(tacConsumer) consumers;
};

void tacExpectedFree(tacExpected *expected) {
    if (!expected) return;
    for (Tcl_Size i = 0; i < expected->count; i++) {
        tacJudgeFree(expected->entries[i].judge);
        tacStatementListFree(&expected->entries[i].statements);
    }
    tacArrayFree(&expected->consumers);
    tacFree(expected->entries);
    tacFree(expected);
}

/* Adds a judge for a list. */
static int addEntry(Tcl_Interp *interp, tacExpected *expected, Tcl_Obj *list) {
    Entry *entry = &expected->entries[expected->count++];
    if (tacStatementListRead(interp, list, &entry->statements) != TCL_OK) return TCL_ERROR;
    entry->judge = tacJudgeNew(entry->statements.all, (size_t) entry->statements.count);
    if (!entry->judge) return tacTclMemory(interp);
    if (tacJudgeFollows(entry->judge) && !tacArrayPush(&expected->consumers, tacJudgeConsumer(entry->judge)))
        return tacTclMemory(interp);
    return TCL_OK;
}

tacExpected *tacExpectedNew(Tcl_Interp *interp, Tcl_Obj *lists) {
    Tcl_Size n;
    Tcl_Obj **elements;
    if (Tcl_ListObjGetElements(interp, lists, &n, &elements) != TCL_OK) return NULL;
    tacExpected *expected = tacAllocZero(1, sizeof *expected);
    if (expected) expected->entries = tacAllocZero((size_t) n + 1, sizeof *expected->entries);
    int code = expected && expected->entries ? TCL_OK : tacTclMemory(interp);
    for (Tcl_Size i = 0; i < n && code == TCL_OK; i++) code = addEntry(interp, expected, elements[i]);
    if (code == TCL_OK) return expected;
    tacExpectedFree(expected);
    return NULL;
}

const tacConsumer *tacExpectedConsumers(const tacExpected *expected, int *count) {
    *count = (int) expected->consumers.count;
    return expected->consumers.at;
}

tacJudge *tacExpectedFind(const tacExpected *expected, Tcl_Obj *list) {
    for (Tcl_Size i = 0; expected && i < expected->count; i++) {
        const Entry *entry = &expected->entries[i];
        if (!tacJudgeFollows(entry->judge)) continue;
        if (entry->statements.list == list || strcmp(Tcl_GetString(entry->statements.list), Tcl_GetString(list)) == 0)
            return entry->judge;
    }
    return NULL;
}
