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
 * exit n, loop, allocate n, stack, fail, open, socket, fork; sockets (how many are open besides its own); and what a
 * child does that somebody has taken over: silent (says that it has ended, and stays), deaf (asks and does not listen),
 * garbage n (records made of noise, by a seed). Returns the same dict.
 *
 *   testknows name     whether tacSandboxKnows it
 */
#include <tcl.h>

#include "base/port.h"

#include "../../unix/wire.h"
#include "read/sandbox.h"
#include "read/worker.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

/* ---- testsandbox ------------------------------------------------------------------------------------------------- */

typedef struct ScriptBody {
    const char *script;
    size_t length;
    const tacReadOptions *options;
    Tcl_Obj *redefined; /* list, without a worker */
} ScriptBody;

/* Length of the first complete command with its newline, or all there is. */
static size_t oneCommand(const char *at, size_t length) {
    for (size_t end = 0; end < length;) {
        const char *newline = memchr(at + end, '\n', length - end);
        end = newline ? (size_t) (newline - at) + 1 : length;
        if (length > 100000) return length; /* one giant command */
        Tcl_Obj *text = Tcl_NewStringObj(at, (int) end);
        int complete = Tcl_CommandComplete(Tcl_GetString(text));
        Tcl_DecrRefCount(text);
        if (complete) return end;
    }
    return length;
}

static tacStatus evaluate(void *data, const tacSink *sink, tacError *err) {
    ScriptBody *body = data;
    tacSandbox *sandbox;
    uint32_t line = 1;
    tacStatus status = tacSandboxCreate(body->options, sink, &sandbox, err);
    const char *at = body->script, *end = at + body->length;
    while (status == TAC_OK && at < end) {
        size_t n = oneCommand(at, (size_t) (end - at));
        status = tacSandboxEval(sandbox, at, n, line, err);
        for (; n; n--) line += *at++ == '\n';
    }
    for (int i = 0; sandbox && body->redefined && vocabulary[i]; i++)
        if (tacSandboxAnyRedefined(sandbox) && tacSandboxRedefined(sandbox, vocabulary[i], strlen(vocabulary[i])))
            Tcl_ListObjAppendElement(NULL, body->redefined, Tcl_NewStringObj(vocabulary[i], -1));
    tacSandboxFree(sandbox);
    return status;
}

static int sandboxCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TestOptions o = {.worker = 0};
    tacError err = {"", ""};
    int first = getOptions(interp, objc, objv, &o), length;
    (void) data;
    if (first < 0) return TCL_ERROR;
    startRecorder(&o.recorder);
    tacSink sink = sinkOf(&o.recorder);
    const char *script = Tcl_GetStringFromObj(objv[first], &length);
    ScriptBody body = {script, (size_t) length, &o.read, o.worker ? NULL : Tcl_NewListObj(0, NULL)};
    tacStatus status = o.worker ? tacWorkerRun(evaluate, &body, &o.read, &sink, &err) : evaluate(&body, &sink, &err);
    Tcl_Obj *result = recorded(&o.recorder, &err);
    if (body.redefined) put(result, "redefined", body.redefined);
    if ((status == TAC_OK) != (err.code[0] == '\0')) put(result, "status", Tcl_NewStringObj("INCONSISTENT", -1));
    Tcl_SetObjResult(interp, result);
    stopRecorder(&o.recorder);
    return TCL_OK;
}

/* ---- testworker -------------------------------------------------------------------------------------------------- */

typedef struct WorkerBody {
    const char *what;
    long n;
} WorkerBody;

static tacStatus bodySend(const tacSink *sink, long n, tacError *err) {
    for (long i = 0; i < n; i++) {
        char time[24];
        int length = snprintf(time, sizeof time, "%ld", i);
        tacWord words[] = {{"plot", 4}, {time, (size_t) length}, {"jobResumed", 10}, {"task1.1", 7}};
        if (sink->command(sink->data, words, 4, (uint32_t) (i + 1), err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

static tacStatus bodyLong(const tacSink *sink, long n, tacError *err) {
    char *text = tacAlloc((size_t) n + 1);
    if (!text) return tacFailMemory(err);
    memset(text, 'x', (size_t) n);
    tacWord words[] = {{"plot", 4}, {text, (size_t) n}, {"end", 3}};
    tacStatus status = sink->command(sink->data, words, 3, 1, err);
    tacFree(text);
    return status;
}

static tacStatus bodyCrash(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n, (void) err;
    *(volatile char *) (uintptr_t) n = 1;
    return TAC_OK;
}

static tacStatus bodyAbort(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n, (void) err;
    abort();
}

static tacStatus bodyExit(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) err;
    _exit((int) n);
}

static tacStatus bodyLoop(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n, (void) err;
    for (volatile long i = 0; i < LONG_MAX; i++) {}
    return TAC_OK;
}

/* Keeps hold of all the blocks, each of which points to the one before. */
static tacStatus bodyAllocate(const tacSink *sink, long n, tacError *err) {
    static void **newest;
    (void) sink;
    for (long i = 0; i < n; i++) {
        void **block = tacAlloc(1 << 20);
        if (!block) return tacFailMemory(err);
        memset(block, 1, 1 << 20);
        *block = newest;
        newest = block;
    }
    return TAC_OK;
}

static volatile char sinkhole;

static int recurse(int depth) {
    volatile char frame[4096];
    frame[depth % 4096] = (char) depth;
    int below = depth < INT_MAX ? recurse(depth + 1) : 0;
    sinkhole = frame[below % 4096];
    return below;
}

static tacStatus bodyStack(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n, (void) err;
    recurse(0);
    return TAC_OK;
}

static tacStatus bodyFail(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n;
    return tacFail(err, "TEST FAIL", "the body failed");
}

static tacStatus denied(tacError *err, int result) {
    return result < 0 ? tacFail(err, "TEST DENIED", "denied") : tacFail(err, "TEST ALLOWED", "allowed");
}

static tacStatus bodyOpen(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n;
    return denied(err, open("/etc/passwd", O_RDONLY));
}

static tacStatus bodySocket(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n;
    return denied(err, socket(AF_INET, SOCK_STREAM, 0));
}

static tacStatus bodyFork(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n;
    return denied(err, fork());
}

/* The sockets of this process but for the standard ones; *last is one of them. */
static int countSockets(int *last) {
    struct stat stat;
    int n = 0;
    for (int fd = 3; fd < 1024; fd++)
        if (fstat(fd, &stat) == 0 && S_ISSOCK(stat.st_mode)) n++, *last = fd;
    return n;
}

static tacStatus bodySockets(const tacSink *sink, long n, tacError *err) {
    int last = -1;
    (void) sink, (void) n;
    return tacFail(err, "TEST SOCKETS", "%d", countSockets(&last) - 1);
}

static void wait20(void) { nanosleep(&(struct timespec){20, 0}, NULL); }

static tacStatus bodySilent(const tacSink *sink, long n, tacError *err) {
    struct {
        tacWireHeader header;
        uint32_t length;
        tacError err;
    } record = {{sizeof record, TAC_WIRE_DONE, 0, 0, 1}, sizeof(tacError), {"", ""}};
    int fd = -1;
    (void) sink, (void) n, (void) err;
    countSockets(&fd);
    send(fd, &record, sizeof record, MSG_NOSIGNAL);
    wait20();
    return TAC_OK;
}

static tacStatus bodyDeaf(const tacSink *sink, long n, tacError *err) {
    struct {
        tacWireHeader header;
        uint32_t length;
        char id[4];
    } record = {{sizeof record, TAC_WIRE_QUERY, 0, 0, 1}, 4, "none"};
    int fd = -1;
    (void) sink, (void) n, (void) err;
    countSockets(&fd);
    for (time_t end = time(NULL) + 20; time(NULL) < end;) send(fd, &record, sizeof record, MSG_NOSIGNAL | MSG_DONTWAIT);
    return TAC_OK;
}

/* Mostly headers that are nearly right, since others end the stream at once. */
static tacStatus bodyGarbage(const tacSink *sink, long n, tacError *err) {
    uint32_t noise = (uint32_t) n * 2654435761u + 1, bytes[64];
    int fd = -1;
    (void) sink, (void) err;
    countSockets(&fd);
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 64; k++)
            noise = noise * 1664525u + 1013904223u, bytes[k] = (noise >> 8) % 7 ? noise >> 28 : noise;
        tacWireHeader header = {bytes[0] % 5 ? 4 * (4 + bytes[1] % 60) : bytes[1], (uint16_t) (bytes[2] % 8),
            (uint16_t) (bytes[3] % 4), bytes[4], bytes[5] % 9};
        memcpy(bytes, &header, sizeof header);
        if (send(fd, bytes, bytes[6] % 50 ? header.size % 257 : 13, MSG_NOSIGNAL) < 0) break;
    }
    _exit(0);
}

static const struct {
    const char *what;
    tacStatus (*run)(const tacSink *sink, long n, tacError *err);
} bodies[] = {
    {"send", bodySend},
    {"long", bodyLong},
    {"crash", bodyCrash},
    {"abort", bodyAbort},
    {"exit", bodyExit},
    {"loop", bodyLoop},
    {"allocate", bodyAllocate},
    {"stack", bodyStack},
    {"fail", bodyFail},
    {"open", bodyOpen},
    {"socket", bodySocket},
    {"fork", bodyFork},
    {"sockets", bodySockets},
    {"silent", bodySilent},
    {"deaf", bodyDeaf},
    {"garbage", bodyGarbage},
};

/* Every body first sends three commands, then does what it is for while line 7 is evaluated. */
static tacStatus runBody(void *data, const tacSink *sink, tacError *err) {
    WorkerBody *body = data;
    if (strcmp(body->what, "send") != 0 && bodySend(sink, 3, err) != TAC_OK) return TAC_ERROR;
    tacWorkerLine(7);
    tacStatus status = tacFail(NULL, "TEST", "no such body");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (strcmp(bodies[i].what, body->what) == 0) status = bodies[i].run(sink, body->n, err);
    tacWorkerLine(0);
    return status;
}

static int workerCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TestOptions o = {.worker = 1};
    tacError err = {"", ""};
    int first = getOptions(interp, objc, objv, &o);
    (void) data;
    if (first < 0) return TCL_ERROR;
    WorkerBody body = {Tcl_GetString(objv[first]), 0};
    if (first + 1 < objc && Tcl_GetLongFromObj(interp, objv[first + 1], &body.n) != TCL_OK) return TCL_ERROR;
    startRecorder(&o.recorder);
    tacSink sink = sinkOf(&o.recorder);
    tacWorkerRun(runBody, &body, &o.read, &sink, &err);
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
    Tcl_CreateObjCommand(interp, "testsandbox", sandboxCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testworker", workerCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testknows", knowsCmd, NULL, NULL);
    return TCL_OK;
}
