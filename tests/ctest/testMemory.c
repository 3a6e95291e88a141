/*
 * testMemory.c -- operations with the Nth allocation failing (base/mem.h): `testMemory OPERATION TEXT N ?script?`.
 *
 * The result is {outcome calls}: outcome is "same" (as without failures), "remark" (a usable trace whose diagnostics
 * have an error more), the error's code, or what is wrong; calls counts the allocations asked for, so that the test knows
 * when N is beyond the last one. With `script` true the trace goes through the sandbox, in this process. Leaks are not
 * looked for here, but by the sanitizers and valgrind when they run the tests.
 */
#include <tcl.h>
#include "base/port.h"
#include "model/query.h"
#include "model/stats.h"
#include "model/trace.h"
#include "trace/dump.h"

#include <stdio.h>
#include <string.h>

/* What of a trace must not differ silently. */
static void sign(const tacTrace *trace, char *text, size_t size) {
    const tacModel *model = &trace->model;
    size_t slices = 0, holds = 0, points = 0, marks = 0;
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_TASK); i++) {
	slices += model->tasks[i].slices.count;
	holds += model->tasks[i].holds.count;
	marks += model->tasks[i].arrows.count + model->tasks[i].notes.count;
    }
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_SERVER); i++) points += model->servers[i].points.count;
    snprintf(text, size, "%u rows %zu jobs %zu slices %zu holds %zu points %zu marks %zu messages %zu remarks %d digits", tacStoreCount(&trace->store),
	model->jobs.count, slices, holds, points, marks, model->messages.count, trace->diag.remarks.count, trace->store.digits);
}

typedef struct outcome {
    char text[256];
    uint64_t errors;
    tacError err;
} outcome;

static tacTrace *openText(const char *text, size_t length, bool script, tacError *err) {
    tacOpenOptions options = {.read = {.scriptOnly = script, .inProcess = true}};
    return tacTraceOpenText("text", text, length, &options, err);
}

static void runOpen(const char *text, size_t length, bool script, outcome *result) {
    tacTrace *trace = openText(text, length, script, &result->err);
    if (!trace) return;
    sign(trace, result->text, sizeof result->text);
    result->errors = tacDiagErrors(&trace->diag);
    tacTraceClose(trace);
}

static bool discard(void *data, const char *bytes, size_t n) {
    (void) data, (void) bytes, (void) n;
    return true;
}

/* Every query and table that needs memory; the failures begin after the opening. */
static tacStatus queryAll(const tacTrace *trace, tacError *err) {
    const tacModel *model = &trace->model;
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_BUFFER); i++) {
	uint32_t *data, count;
	int64_t capacity;
	if (tacQueryBuffer(model, i, model->end, &data, &count, &capacity, err) != TAC_OK) return TAC_ERROR;
	tacFree(data);
    }
    for (int of = 0; of < TAC_STATS_KINDS; of++) {
	tacTable table;
	if (tacStats(model, (tacStatsOf) of, TAC_UNKNOWN, TAC_UNKNOWN, NULL, &table, err) != TAC_OK) return TAC_ERROR;
	tacTableFree(&table);
    }
    return tacDump(&trace->store, TAC_UNKNOWN, TAC_UNKNOWN, discard, NULL, err);
}

static uint64_t failFrom;	/* of runQuery: set by the command */

static void runQuery(const char *text, size_t length, bool script, outcome *result) {
    tacTrace *trace = openText(text, length, script, &result->err);
    if (!trace) return;
    tacMemFailAt(failFrom);
    if (queryAll(trace, &result->err) == TAC_OK) strcpy(result->text, "answered");
    tacTraceClose(trace);
}

static const char *judge(const outcome *expected, const outcome *got) {
    if (!got->text[0]) return got->err.code[0] ? got->err.code : "no error said";
    if (strcmp(expected->text, got->text) == 0) return "same";
    return got->errors > expected->errors ? "remark" : got->text;
}

static int memoryCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const names[] = {"open", "query", NULL};
    int which, length, script = 0;
    Tcl_WideInt n;
    outcome expected = {0}, got = {0};
    (void) data;
    if (objc < 4 || objc > 5) return Tcl_WrongNumArgs(interp, 1, objv, "operation text n ?script?"), TCL_ERROR;
    if (Tcl_GetIndexFromObj(interp, objv[1], names, "operation", 0, &which) != TCL_OK
	|| Tcl_GetWideIntFromObj(interp, objv[3], &n) != TCL_OK
	|| (objc == 5 && Tcl_GetBooleanFromObj(interp, objv[4], &script) != TCL_OK)) return TCL_ERROR;
    const char *text = Tcl_GetStringFromObj(objv[2], &length);
    void (*run)(const char *, size_t, bool, outcome *) = which == 0 ? runOpen : runQuery;
    failFrom = 0;
    run(text, (size_t) length, script, &expected);
    failFrom = (uint64_t) n;
    tacMemFailAt(which == 0 ? failFrom : 0);
    run(text, (size_t) length, script, &got);
    uint64_t calls = tacMemCalls();
    tacMemFailAt(0);
    Tcl_SetObjResult(interp, Tcl_ObjPrintf("{%s} %d", judge(&expected, &got), (int) calls));
    return TCL_OK;
}

TAC_EXPORT int TacTestMemory_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testMemory", memoryCommand, NULL, NULL);
    return TCL_OK;
}
