/*
 * testSandbox.c -- the sandbox and the worker process with a sink that only writes down what it gets.
 *
 *   testsandbox ?-worker 0|1? ?-timelimit s? ?-commandlimit n? ?-memorylimit bytes? ?-cancel n? ?-quiet 0|1? script
 *
 * evaluates the commands of a script one by one and returns a dict:
 *   commands   {line {words}} ... in order (with -quiet only their number)
 *   reports    {line severity kind text} ...
 *   status     OK, or the code and message of what ended the reading
 *   redefined  names of the vocabulary that the script redefined (without a worker)
 *
 * The vocabulary: newTask, plot. A plot whose second word is `bad` fails (TEST BAD), one with `limit` fails with LIMIT
 * TEST. Objects: every task of a newTask answers `name` (the words after its id) and refuses other methods.
 * -cancel n: progress says stop when it is called the nth time.
 *
 *   testworker ?-timelimit s? ?-memorylimit bytes? what ?n?
 *
 * runs a C body in a worker: send n (commands), long n (one word of n bytes), crash n (writes to address n), abort,
 * exit n, loop, allocate n, share n (megabytes), stack, fail; open, socket, fork, stat, code, protect, signal, i386,
 * call n (what is forbidden; n: any system call); files, sockets (how many are open, of the sockets besides its own);
 * and what a child does that somebody has taken over: silent (says that it has ended, and stays), gone (closes its
 * stream, and stays), unclean n (a word that is no text), deaf (asks and does not listen), garbage n (records made of
 * noise, by a seed). Returns the same dict.
 *
 *   testknows name     whether tacSandboxKnows it
 */
#include <tcl.h>

#include "base/port.h"

#include "evaluate.h"
#include "read/worker.h"

#include <string.h>

/* ---- the sink ---------------------------------------------------------------------------------------------------- */

typedef struct Recorder {
    Tcl_Obj *commands, *reports; /* lists */
    Tcl_Obj *names;              /* dict: id of a task -> its name */
    uint64_t count;              /* of commands */
    int quiet, cancel;
} Recorder;

static Tcl_Obj *wordObj(const tacWord *word) { return Tcl_NewStringObj(word->at, (int) word->length); }

static bool wordIs(const tacWord *words, int count, int i, const char *text) {
    return i < count && words[i].length == strlen(text) && memcmp(words[i].at, text, words[i].length) == 0;
}

static tacStatus recordCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Recorder *r = data;
    r->count++;
    if (wordIs(words, count, 1, "bad")) return tacFail(err, "TEST BAD", "this plot is bad");
    if (wordIs(words, count, 1, "limit")) return tacFail(err, "LIMIT TEST", "this plot is one too many");
    if (count > 1 && wordIs(words, count, 0, "newTask"))
        Tcl_DictObjPut(NULL, r->names, wordObj(&words[1]), count > 2 ? wordObj(&words[2]) : wordObj(&words[1]));
    if (r->quiet) return TAC_OK;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL), *entry = Tcl_NewListObj(0, NULL);
    for (int i = 0; i < count; i++) Tcl_ListObjAppendElement(NULL, list, wordObj(&words[i]));
    Tcl_ListObjAppendElement(NULL, entry, Tcl_NewWideIntObj(line));
    Tcl_ListObjAppendElement(NULL, entry, list);
    Tcl_ListObjAppendElement(NULL, r->commands, entry);
    return TAC_OK;
}

static const char *const vocabulary[] = {"newTask", "plot", NULL};

static bool recordIsCommand(void *data, const char *name, size_t length) {
    (void) data;
    for (int i = 0; vocabulary[i]; i++)
        if (strlen(vocabulary[i]) == length && memcmp(vocabulary[i], name, length) == 0) return true;
    return false;
}

static tacStatus recordQuery(
    void *data, const tacWord *words, int count, uint32_t line, tacText *result, tacError *err) {
    Recorder *r = data;
    Tcl_Obj *id = wordObj(&words[0]), *name = NULL;
    (void) line;
    Tcl_IncrRefCount(id);
    Tcl_DictObjGet(NULL, r->names, id, &name);
    Tcl_DecrRefCount(id);
    if (!name) return tacFail(err, "LOOKUP OBJECT", "no such object");
    if (!wordIs(words, count, 1, "name")) return tacFail(err, "TEST METHOD", "a task has no such method");
    if (result) tacTextAddString(result, Tcl_GetString(name));
    return TAC_OK;
}

static void recordReport(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    static const char *const names[] = {"note", "warning", "error"};
    Recorder *r = data;
    Tcl_Obj *entry = Tcl_NewListObj(0, NULL);
    Tcl_ListObjAppendElement(NULL, entry, Tcl_NewWideIntObj(line));
    Tcl_ListObjAppendElement(NULL, entry, Tcl_NewStringObj(names[severity], -1));
    Tcl_ListObjAppendElement(NULL, entry, Tcl_NewStringObj(kind, -1));
    Tcl_ListObjAppendElement(NULL, entry, Tcl_NewStringObj(text, -1));
    Tcl_ListObjAppendElement(NULL, r->reports, entry);
}

static bool recordProgress(void *data, uint64_t bytesRead, uint64_t total) {
    Recorder *r = data;
    (void) bytesRead, (void) total;
    return r->cancel == 0 || --r->cancel > 0;
}

static void startRecorder(Recorder *r) {
    r->commands = Tcl_NewListObj(0, NULL);
    r->reports = Tcl_NewListObj(0, NULL);
    r->names = Tcl_NewDictObj();
    Tcl_IncrRefCount(r->commands);
    Tcl_IncrRefCount(r->reports);
    Tcl_IncrRefCount(r->names);
}

static void stopRecorder(Recorder *r) {
    Tcl_DecrRefCount(r->commands);
    Tcl_DecrRefCount(r->reports);
    Tcl_DecrRefCount(r->names);
}

static void put(Tcl_Obj *dict, const char *key, Tcl_Obj *value) {
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), value);
}

static Tcl_Obj *recorded(Recorder *r, const tacError *err) {
    Tcl_Obj *dict = Tcl_NewDictObj(), *status = Tcl_NewListObj(0, NULL);
    Tcl_ListObjAppendElement(NULL, status, Tcl_NewStringObj(err->code[0] ? err->code : "OK", -1));
    if (err->code[0]) Tcl_ListObjAppendElement(NULL, status, Tcl_NewStringObj(err->message, -1));
    put(dict, "commands", r->quiet ? Tcl_NewWideIntObj((Tcl_WideInt) r->count) : r->commands);
    put(dict, "reports", r->reports);
    put(dict, "status", status);
    return dict;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

typedef struct TestOptions {
    tacReadOptions read;
    Recorder recorder;
    int worker;
} TestOptions;

/* Index of the first word that is no option; -1: an error. */
static int getOptions(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], TestOptions *o) {
    static const char *const names[] = {
        "-worker", "-timelimit", "-commandlimit", "-memorylimit", "-cancel", "-quiet", NULL};
    int i = 1, which;
    for (; i + 1 < objc && Tcl_GetString(objv[i])[0] == '-'; i += 2) {
        Tcl_WideInt wide = 0;
        if (Tcl_GetIndexFromObj(interp, objv[i], names, "option", TCL_EXACT, &which) != TCL_OK) return -1;
        if (which == 1 && Tcl_GetDoubleFromObj(interp, objv[i + 1], &o->read.timeLimit) != TCL_OK) return -1;
        if (which != 1 && Tcl_GetWideIntFromObj(interp, objv[i + 1], &wide) != TCL_OK) return -1;
        if (which == 0) o->worker = wide != 0;
        if (which == 2) o->read.commandLimit = wide;
        if (which == 3) o->read.memoryLimit = wide;
        if (which == 4) o->recorder.cancel = (int) wide;
        if (which == 5) o->recorder.quiet = wide != 0;
    }
    if (i < objc) return i;
    Tcl_WrongNumArgs(interp, 1, objv, "?options? what");
    return -1;
}

static tacSink sinkOf(Recorder *r) {
    return (tacSink){r, recordCommand, recordIsCommand, recordQuery, recordReport, recordProgress, vocabulary, NULL,
        NULL, NULL, NULL};
}

static tacWord wordOf(Tcl_Obj *object) {
    int length;
    const char *text = Tcl_GetStringFromObj(object, &length);
    return (tacWord){text, (size_t) length};
}

/* ---- testsandbox ------------------------------------------------------------------------------------------------- */

static int sandboxCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TestOptions o = {.worker = 0};
    tacError err = {"", ""};
    int first = getOptions(interp, objc, objv, &o), length;
    tacSandbox *sandbox = NULL;
    Tcl_Obj *redefined = Tcl_NewListObj(0, NULL);
    (void) data;
    if (first < 0) return TCL_ERROR;
    startRecorder(&o.recorder);
    tacSink sink = sinkOf(&o.recorder);
    const char *script = Tcl_GetStringFromObj(objv[first], &length);
    tacWord word = {script, (size_t) length};
    tacWorkerJob job = {.body = "evaluate", .words = &word, .count = 1};
    tacStatus status = o.worker ? tacWorkerRun(&job, &o.read, &sink, &err)
                                : evaluateScript(script, (size_t) length, &o.read, &sink, &sandbox, &err);
    for (int i = 0; sandbox && vocabulary[i]; i++)
        if (tacSandboxAnyRedefined(sandbox) && tacSandboxRedefined(sandbox, vocabulary[i], strlen(vocabulary[i])))
            Tcl_ListObjAppendElement(NULL, redefined, Tcl_NewStringObj(vocabulary[i], -1));
    tacSandboxFree(sandbox);
    Tcl_Obj *result = recorded(&o.recorder, &err);
    if (!o.worker) put(result, "redefined", redefined);
    if ((status == TAC_OK) != (err.code[0] == '\0')) put(result, "status", Tcl_NewStringObj("INCONSISTENT", -1));
    Tcl_SetObjResult(interp, result);
    stopRecorder(&o.recorder);
    return TCL_OK;
}

/* ---- testworker -------------------------------------------------------------------------------------------------- */

static int workerCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TestOptions o = {.worker = 1};
    tacError err = {"", ""};
    int first = getOptions(interp, objc, objv, &o);
    (void) data;
    if (first < 0) return TCL_ERROR;
    long n = 0;
    if (first + 1 < objc && Tcl_GetLongFromObj(interp, objv[first + 1], &n) != TCL_OK) return TCL_ERROR;
    tacWord words[] = {wordOf(objv[first]), {(const char *) &n, sizeof n}};
    tacWorkerJob job = {.body = "run", .words = words, .count = 2};
    startRecorder(&o.recorder);
    tacSink sink = sinkOf(&o.recorder);
    tacWorkerRun(&job, &o.read, &sink, &err);
    Tcl_SetObjResult(interp, recorded(&o.recorder, &err));
    stopRecorder(&o.recorder);
    return TCL_OK;
}

static int knowsCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int length;
    (void) data;
    if (objc != 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "name");
        return TCL_ERROR;
    }
    const char *name = Tcl_GetStringFromObj(objv[1], &length);
    Tcl_SetObjResult(interp, Tcl_NewBooleanObj(tacSandboxKnows(name, (size_t) length)));
    return TCL_OK;
}

TAC_EXPORT int TacTestSandbox_Init(Tcl_Interp *interp) {
    tacWorkerProgram = "tactus-worker-test"; /* tests/ctest/workerBodies.c */
    Tcl_CreateObjCommand(interp, "testsandbox", sandboxCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testworker", workerCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testknows", knowsCmd, NULL, NULL);
    return TCL_OK;
}
