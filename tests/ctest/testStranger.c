/*
 * testStranger.c -- opens a recording in this process or apart, by the tests' program of workers (workerBodies.c).
 *
 *   teststranger ?-untrusted 0|1? ?-eventlimit n? ?-memory 0|1? file
 *
 * (-memory: the bytes of the file, as they are in memory) returns a dict: events, dump (its text), remarks, or the
 * error's code and message as `failed`. Names of files say what a worker does besides reading: one with "violation"
 * asks for what it may not do, once it has 1000 rows; one with "noise-N" changes what it sends, by the seed N.
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/stats.h"
#include "open/open.h"
#include "read/worker.h"
#include "trace/dump.h"

#include <string.h>

static bool addText(void *data, const char *bytes, size_t n) {
    Tcl_AppendToObj(data, bytes, (int) n);
    return true;
}

static void put(Tcl_Obj *dict, const char *key, Tcl_Obj *value) {
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), value);
}

/* What there is of a trace; its figures are made, too, since these go over everything. */
static Tcl_Obj *contentsOf(const tacTrace *trace) {
    Tcl_Obj *dict = Tcl_NewDictObj(), *text = Tcl_NewObj(), *remarks = Tcl_NewListObj(0, NULL);
    tacError err = {"", ""};
    for (int of = 0; of < TAC_STATS_KINDS; of++) {
        tacTable table;
        if (tacStats(&trace->model, (tacStatsOf) of, TAC_UNKNOWN, TAC_UNKNOWN, NULL, &table, &err) == TAC_OK)
            tacTableFree(&table);
    }
    tacDump(&trace->store, TAC_UNKNOWN, TAC_UNKNOWN, addText, text, &err);
    for (size_t i = 0; i < trace->diag.remarks.count; i++) {
        tacText line = {0};
        tacDiagFormat(&trace->diag, &trace->diag.remarks.at[i], "trace", &line);
        Tcl_ListObjAppendElement(NULL, remarks, Tcl_NewStringObj(line.at, (int) line.length));
        tacTextFree(&line);
    }
    put(dict, "events", Tcl_NewWideIntObj(tacStoreCount(&trace->store)));
    put(dict, "dump", text);
    put(dict, "remarks", remarks);
    return dict;
}

static int strangerCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const names[] = {"-untrusted", "-eventlimit", "-memory", NULL};
    tacOpenOptions options = {.byteLimit = (uint64_t) 1 << 30};
    tacError err = {"", ""};
    tacText bytes = {0};
    bool memory = false;
    (void) data;
    for (int i = 1; i + 2 < objc; i += 2) {
        Tcl_WideInt number;
        int which;
        if (Tcl_GetIndexFromObj(interp, objv[i], names, "option", TCL_EXACT, &which) != TCL_OK
            || Tcl_GetWideIntFromObj(interp, objv[i + 1], &number) != TCL_OK)
            return TCL_ERROR;
        if (which == 0) options.read.apart = number != 0;
        else if (which == 1) options.eventLimit = (uint64_t) number;
        else memory = number != 0;
    }
    if (objc % 2) return Tcl_WrongNumArgs(interp, 1, objv, "?-option value ...? file"), TCL_ERROR;
    const char *file = Tcl_GetString(objv[objc - 1]);
    if (memory && tacFileContents(file, "file", 1 << 20, &bytes, &err) != TAC_OK) return TCL_ERROR;
    tacTrace *trace = memory ? tacTraceOpenText(file, bytes.at, bytes.length, &options, &err)
                             : tacTraceOpen(file, &options, &err);
    tacTextFree(&bytes);
    Tcl_Obj *result = trace ? contentsOf(trace) : Tcl_NewDictObj();
    if (!trace) put(result, "failed", Tcl_ObjPrintf("{%s} {%s}", err.code, err.message));
    Tcl_SetObjResult(interp, result);
    tacTraceClose(trace);
    return TCL_OK;
}

TAC_EXPORT int TacTestStranger_Init(Tcl_Interp *interp) {
    tacWorkerProgram = "tactus-worker-test";
    Tcl_CreateObjCommand(interp, "teststranger", strangerCmd, NULL, NULL);
    return TCL_OK;
}
