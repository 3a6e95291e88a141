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
#include "import/logLook.h"
#include "open/open.h"
#include "read/worker.h"
#include "trace/dump.h"

#include <string.h>
#include <sys/xattr.h>

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
        if (which == 0) options.read.confined = number != 0;
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

/* testlook text mapping: what a worker makes of the lines of a log, as a list of commands with their lines, or the
 * error. A mapping with "noise-N" in it changes what comes. */

static tacStatus takeLook(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Tcl_Obj *command = Tcl_NewListObj(0, NULL);
    (void) err;
    Tcl_ListObjAppendElement(NULL, command, Tcl_NewWideIntObj(line));
    for (int i = 0; i < count; i++)
        Tcl_ListObjAppendElement(NULL, command, Tcl_NewStringObj(words[i].at, (int) words[i].length));
    Tcl_ListObjAppendElement(NULL, data, command);
    return TAC_OK;
}

static int lookCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_Obj *all = Tcl_NewListObj(0, NULL);
    tacSink sink = {.data = all, .command = takeLook};
    tacError err = {"", ""};
    (void) data;
    if (objc != 3) return Tcl_WrongNumArgs(interp, 1, objv, "text mapping"), TCL_ERROR;
    Tcl_Size lengths[2];
    tacLogLook look = {.confined = true};
    look.text.at = Tcl_GetStringFromObj(objv[1], &lengths[0]);
    look.mapping.at = Tcl_GetStringFromObj(objv[2], &lengths[1]);
    look.text.length = (size_t) lengths[0];
    look.mapping.length = (size_t) lengths[1];
    tacStatus status = tacLogLookAt(&look, &sink, &err);
    Tcl_SetObjResult(interp, all);
    return status == TAC_OK ? TCL_OK
                            : (Tcl_SetObjResult(interp, Tcl_ObjPrintf("%s: %s", err.code, err.message)), TCL_ERROR);
}

/* testmark file: marks the file as one that was downloaded; 0: the file system has no such marks.
 * testmark file attribute bytes: gives it another extended attribute. */
static int markCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int size;
    (void) data;
    if (objc != 2 && objc != 4) return Tcl_WrongNumArgs(interp, 1, objv, "file ?attribute bytes?"), TCL_ERROR;
    const char *name = objc == 4 ? Tcl_GetString(objv[2]) : "user.xdg.origin.url";
    const void *bytes = objc == 4 ? (void *) Tcl_GetByteArrayFromObj(objv[3], &size) : (void *) "https://x";
    int failed = setxattr(Tcl_GetString(objv[1]), name, bytes, objc == 4 ? (size_t) size : 9, 0);
    Tcl_SetObjResult(interp, Tcl_NewIntObj(failed == 0));
    return TCL_OK;
}

TAC_EXPORT int TacTestStranger_Init(Tcl_Interp *interp) {
    tacWorkerProgram = "tactus-worker-test";
    Tcl_CreateObjCommand(interp, "teststranger", strangerCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testlook", lookCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testmark", markCmd, NULL, NULL);
    return TCL_OK;
}
