/*
 * limitsCmd.c -- what models are learned from, as Tcl commands.
 *
 *      $trace limits STATEMENTS ...        of each `require EXPRESSION OP ?`: how many values, the least, the largest
 *      $trace marks PATTERN                the marks of tasks, by what they have in common
 *
 * Several traces are put together in Tcl: library/cli/learn*.tcl.
 */
#include <tcl.h>

#include "base/port.h"

#include "judge/learn.h"
#include "judge/learnMarks.h"
#include "judge/limit.h"
#include "tcl/dictValue.h"
#include "tcl/expected.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/statementList.h"
#include "tcl/text.h"
#include "tcl/traceSubcommands.h"

typedef struct Options {
    Tcl_Obj *progress;
} Options;

static const tacOptionRow limitsRows[] = {
    {"-progress", TAC_VALUE_OBJECT, offsetof(Options, progress), NULL, "prefix", NULL,
        "command prefix that is called now and then with a dict of how far it is; break or an error cancels"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* A whole number of 128 bits. */
static Tcl_Obj *wholeObj(__int128 value) {
    char text[44], *at = text + sizeof text - 1;
    bool negative = value < 0;
    *at = '\0';
    do {
        int digit = (int) (value % 10);
        *--at = (char) ('0' + (digit < 0 ? -digit : digit));
    } while ((value /= 10) != 0);
    if (negative) *--at = '-';
    return Tcl_NewStringObj(at, -1);
}

/* Numerator and denominator. */
static Tcl_Obj *fractionObj(const tacFraction *value) {
    Tcl_Obj *parts[2] = {wholeObj(value->over), wholeObj(value->under)};
    return Tcl_NewListObj(2, parts);
}

static const char *kindOf(const tacJudgeLimit *limit) {
    if (limit->kind == TAC_LIMIT_SHARE) return "share";
    if (limit->kind == TAC_LIMIT_TIME) return "time";
    return limit->values->whole ? "count" : "number";
}

typedef struct Listing {
    Tcl_Obj *list;
    const char *unit;
} Listing;

static tacStatus takeLimit(void *data, const tacJudgeLimit *limit, tacError *err) {
    const Listing *listing = data;
    Tcl_Obj *dict = Tcl_NewDictObj();
    const tacSought *values = limit->values;
    (void) err;
    tacPutCount(dict, "statement", limit->statement);
    tacPutText(dict, "said", limit->left);
    tacPutText(dict, "op", tacComparisonWords[limit->op]);
    tacPutText(dict, "kind", kindOf(limit));
    tacPutCount(dict, "values", values->count);
    tacPutCount(dict, "unknown", values->unknown);
    tacPutCount(dict, "far", values->far);
    tacPut(dict, "least", values->count ? fractionObj(&values->least) : Tcl_NewObj());
    tacPut(dict, "largest", values->count ? fractionObj(&values->largest) : Tcl_NewObj());
    tacPut(dict, "floor", values->hasFloor ? fractionObj(&values->floor) : Tcl_NewObj());
    tacPut(dict, "ceiling", values->hasCeiling ? fractionObj(&values->ceiling) : Tcl_NewObj());
    tacPutText(dict, "unit", listing->unit);
    tacAppend(listing->list, dict);
    return TAC_OK;
}

static int ask(Tcl_Interp *interp, const tacTrace *trace, tacJudge *judge, Tcl_Obj *prefix) {
    tacError err = {{0}, {0}};
    tacProgressScript script;
    Listing listing = {tacKept(Tcl_NewListObj(0, NULL)), trace->store.unit};
    tacProgressScriptInit(&script, interp, prefix, "judging", tacStoreCount(&trace->store));
    Tcl_Preserve(interp);
    tacStatus status = tacJudgeLimits(judge, &trace->model, &script.progress, takeLimit, &listing, &err);
    int code = tacProgressScriptEnd(&script, status, &err);
    if (code == TCL_OK) Tcl_SetObjResult(interp, listing.list);
    Tcl_Release(interp);
    Tcl_DecrRefCount(listing.list);
    return code;
}

int tacLimitsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTraceCall *call = data;
    Options options = {NULL};
    tacStatementList statements;
    if (tacOptionsParse(interp, limitsRows, objc - 3, objv + 3, &options) != TCL_OK) return TCL_ERROR;
    tacJudge *followed = tacExpectedFind(call->body->expected, objv[2]);
    if (followed) return ask(interp, call->trace, followed, options.progress);
    int code = tacStatementListRead(interp, objv[2], &statements);
    tacJudge *judge = code == TCL_OK ? tacJudgeNew(statements.all, (size_t) statements.count) : NULL;
    if (code == TCL_OK) code = judge ? ask(interp, call->trace, judge, options.progress) : tacTclMemory(interp);
    tacJudgeFree(judge);
    tacStatementListFree(&statements);
    return code;
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* Patterns of the texts of a form, each with how often it comes; empty: there are too many. */
static Tcl_Obj *textsObj(const tacStore *store, const tacMarkForm *form) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (uint32_t i = 0; form->nTexts <= TAC_MARK_TEXTS && i < form->nTexts; i++) {
        tacText glob = {0};
        size_t length;
        const char *text = tacInternName(&store->strings, form->texts[i], &length);
        tacMarkGlob(text, length, false, &glob);
        Tcl_Obj *key = tacTextToObj(glob.at ? glob.at : "", glob.length);
        Tcl_DictObjPut(NULL, dict, key, Tcl_NewWideIntObj((Tcl_WideInt) form->counts[i]));
        tacTextFree(&glob);
    }
    return dict;
}

static Tcl_Obj *marksObj(const tacStore *store, const tacMarks *marks) {
    Tcl_Obj *result = Tcl_NewDictObj(), *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < marks->forms.count; i++) {
        Tcl_Obj *dict = Tcl_NewDictObj();
        size_t length;
        const char *glob = tacInternName(&marks->globs, i, &length);
        tacPut(dict, "mark", tacTextToObj(glob, length));
        tacPutCount(dict, "count", marks->forms.at[i].count);
        tacPut(dict, "texts", textsObj(store, &marks->forms.at[i]));
        tacAppend(list, dict);
    }
    tacPutCount(result, "tasks", marks->tasks);
    tacPutCount(result, "jobs", marks->jobs);
    tacPut(result, "marks", list);
    tacPutCount(result, "others", marks->others);
    return result;
}

int tacMarksSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTrace *trace = ((tacTraceCall *) data)->trace;
    Tcl_DString pattern;
    tacMarks marks;
    tacError err = {{0}, {0}};
    (void) objc;
    tacTextFromObj(objv[2], &pattern);
    tacStatus status = tacMarksFind(&trace->model, Tcl_DStringValue(&pattern), &marks, &err);
    if (status == TAC_OK) Tcl_SetObjResult(interp, marksObj(&trace->store, &marks));
    tacMarksFree(&marks);
    Tcl_DStringFree(&pattern);
    return status == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
}
