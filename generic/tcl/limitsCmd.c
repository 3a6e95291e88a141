/*
 * limitsCmd.c -- the values of constraints whose limit is to be found, as a Tcl command.
 *
 *      $trace limits STATEMENTS ...        of each `require EXPRESSION OP ?`: how many values, the least, the largest
 *
 * The limits themselves are made of the values of several traces, in library/cli/learnLimit.tcl.
 */
#include <tcl.h>

#include "base/port.h"

#include "judge/learn.h"
#include "judge/limit.h"
#include "tcl/dictValue.h"
#include "tcl/expected.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/statementList.h"
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

static const char *kindOf(const tacRelationTest *test, const tacSought *values) {
    if (tacComparesShares(&test->left, &test->right)) return "share";
    if (tacExpressionIsTime(&test->left)) return "time";
    return values->whole ? "count" : "number";
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
    tacPutText(dict, "said", limit->test->left.text);
    tacPutText(dict, "op", tacComparisonWords[limit->test->op]);
    tacPutText(dict, "kind", kindOf(limit->test, values));
    tacPutCount(dict, "values", values->count);
    tacPutCount(dict, "unknown", values->unknown);
    tacPut(dict, "least", values->count ? fractionObj(&values->least) : Tcl_NewObj());
    tacPut(dict, "largest", values->count ? fractionObj(&values->largest) : Tcl_NewObj());
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
