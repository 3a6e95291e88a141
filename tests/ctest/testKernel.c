/*
 * testKernel.c -- text of kernel traces to records.
 *
 *   testkernel ?-chunk n? text      {records reports recognized}: of each event {line event key value ...} with what
 * the record says, of each line that was not understood {line text}, and whether the text is recognized testkerneldat
 * ?-keep pattern? path   the same two lists for a trace.dat; an error's code is in errorCode. -keep: events that have
 * no kind of their own and whose name fits
 */
#include <tcl.h>

#include "base/port.h"

#include "import/kernel/dat.h"
#include "import/kernel/record.h"

#include <string.h>

static const char *const events[TAC_KERNEL_EVENTS] = {"other", "switch", "waking", "wakeup", "wakeupNew", "migrate",
    "fork", "exec", "exit", "new", "setPriority", "irqEntry", "irqExit", "softirqRaise", "softirqEntry", "softirqExit",
    "timerEntry", "timerExit", "hrtimerEntry", "hrtimerExit", "mark", "syscallEntry", "syscallExit", "lost"};
static const char *const states[] = {"runnable", "sleeping", "disk", "stopped", "dead"};

static void put(Tcl_Obj *dict, const char *key, Tcl_Obj *value) {
    Tcl_ListObjAppendElement(NULL, dict, Tcl_NewStringObj(key, -1));
    Tcl_ListObjAppendElement(NULL, dict, value);
}

static void putText(Tcl_Obj *dict, const char *key, const tacKernelText *text) {
    Tcl_DString utf;
    if (!text->at) return;
    Tcl_ExternalToUtfDString(Tcl_GetEncoding(NULL, "utf-8"), text->at, (int) text->length, &utf);
    put(dict, key, Tcl_NewStringObj(Tcl_DStringValue(&utf), Tcl_DStringLength(&utf)));
    Tcl_DStringFree(&utf);
}

/* {name pid priority}, without what is not said. */
static void putThread(Tcl_Obj *dict, const char *key, const tacKernelThread *thread) {
    if (thread->pid < 0) return;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    Tcl_DString utf;
    Tcl_ExternalToUtfDString(
        Tcl_GetEncoding(NULL, "utf-8"), thread->name.at ? thread->name.at : "", (int) thread->name.length, &utf);
    Tcl_ListObjAppendElement(NULL, list, Tcl_NewStringObj(Tcl_DStringValue(&utf), Tcl_DStringLength(&utf)));
    Tcl_ListObjAppendElement(NULL, list, Tcl_NewWideIntObj(thread->pid));
    if (thread->priority != TAC_KERNEL_NO_PRIORITY)
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewWideIntObj(thread->priority));
    Tcl_DStringFree(&utf);
    put(dict, key, list);
}

typedef struct Out {
    Tcl_Obj *records, *reports;
    const char *keep; /* pattern, or NULL */
} Out;

static tacStatus take(void *data, const tacKernelRecord *r, uint32_t line, tacError *err) {
    Out *out = data;
    Tcl_Obj *entry = Tcl_NewListObj(0, NULL);
    (void) err;
    Tcl_ListObjAppendElement(NULL, entry, Tcl_NewWideIntObj(line));
    Tcl_ListObjAppendElement(NULL, entry, Tcl_NewStringObj(events[r->event], -1));
    if (r->event != TAC_KERNEL_LOST) put(entry, "time", Tcl_NewWideIntObj(r->time));
    if (r->processor >= 0) put(entry, "cpu", Tcl_NewWideIntObj(r->processor));
    putThread(entry, "current", &r->current);
    putThread(entry, "thread", &r->thread);
    if (r->event == TAC_KERNEL_SWITCH) put(entry, "state", Tcl_NewStringObj(states[r->state], -1));
    if (r->preempted) put(entry, "preempted", Tcl_NewIntObj(1));
    if (r->event == TAC_KERNEL_SETPRIO) put(entry, "new", Tcl_NewWideIntObj(r->other.priority));
    putThread(entry, "other", &r->other);
    if (r->target >= 0) put(entry, "target", Tcl_NewWideIntObj(r->target));
    if (r->number) put(entry, "number", Tcl_NewWideIntObj(r->number));
    if (r->event == TAC_KERNEL_OTHER || r->event == TAC_KERNEL_SYSCALL_ENTRY || r->event == TAC_KERNEL_SYSCALL_EXIT)
        putText(entry, "name", &r->name);
    putText(entry, "text", &r->text);
    Tcl_ListObjAppendElement(NULL, out->records, entry);
    return TAC_OK;
}

static void report(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    Out *out = data;
    Tcl_Obj *words[2] = {Tcl_NewWideIntObj(line), Tcl_NewStringObj(text, -1)};
    (void) severity, (void) kind;
    Tcl_ListObjAppendElement(NULL, out->reports, Tcl_NewListObj(2, words));
}

/* Bytes in pieces. */
typedef struct Pieces {
    const char *at;
    size_t left, size;
} Pieces;

static tacStatus nextPiece(void *data, void *buffer, size_t size, size_t *got, tacError *err) {
    Pieces *p = data;
    size_t n = p->size < size ? p->size : size;
    if (n > p->left) n = p->left;
    (void) err;
    memcpy(buffer, p->at, n);
    p->at += n;
    p->left -= n;
    *got = n;
    return TAC_OK;
}

static int testKernel(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int length, chunk = 0;
    (void) data;
    if (objc != 2
        && (objc != 4 || strcmp(Tcl_GetString(objv[1]), "-chunk") != 0
            || Tcl_GetIntFromObj(interp, objv[2], &chunk) != TCL_OK || chunk < 1)) {
        Tcl_WrongNumArgs(interp, 1, objv, "?-chunk n? text");
        return TCL_ERROR;
    }
    const char *utf = Tcl_GetStringFromObj(objv[objc - 1], &length);
    Tcl_DString bytes;
    Tcl_UtfToExternalDString(Tcl_GetEncoding(NULL, "utf-8"), utf, length, &bytes);
    size_t n = (size_t) Tcl_DStringLength(&bytes);
    Pieces pieces = {Tcl_DStringValue(&bytes), n, chunk ? (size_t) chunk : n + 1};
    Out out = {Tcl_NewListObj(0, NULL), Tcl_NewListObj(0, NULL), NULL};
    tacSink sink = {.data = &out, .report = report};
    tacSource source;
    tacError err = {{0}, {0}};
    bool recognized = tacKernelRecognize(Tcl_DStringValue(&bytes), n);
    tacStatus status = tacSourceFrom(&source, nextPiece, &pieces, &err);
    if (status == TAC_OK) {
        status = tacKernelReadText(&source, &sink, take, &out, &err);
        tacSourceClose(&source);
    }
    Tcl_DStringFree(&bytes);
    Tcl_Obj *result[3] = {out.records, out.reports, Tcl_NewBooleanObj(recognized)};
    Tcl_SetObjResult(interp, status == TAC_OK ? Tcl_NewListObj(3, result) : Tcl_NewStringObj(err.message, -1));
    return status == TAC_OK ? TCL_OK : TCL_ERROR;
}

static bool wants(void *data, tacKernelText name, bool known) {
    const char *keep = ((const Out *) data)->keep;
    char text[100];
    size_t length = name.length < sizeof text ? name.length : sizeof text - 1;
    memcpy(text, name.at, length);
    text[length] = '\0';
    return known ? strcmp(text, keep) == 0 : Tcl_StringMatch(text, keep);
}

static int testKernelDat(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 2 && (objc != 4 || strcmp(Tcl_GetString(objv[1]), "-keep") != 0)) {
        Tcl_WrongNumArgs(interp, 1, objv, "?-keep pattern? path");
        return TCL_ERROR;
    }
    Out out = {Tcl_NewListObj(0, NULL), Tcl_NewListObj(0, NULL), objc == 4 ? Tcl_GetString(objv[2]) : NULL};
    tacSink sink = {.data = &out, .report = report};
    tacSource source;
    tacError err = {{0}, {0}};
    tacStatus status = tacSourceOpen(&source, Tcl_GetString(objv[objc - 1]), &err);
    if (status == TAC_OK) {
        status = tacSourceMore(&source, &err);
        if (status == TAC_OK) status = tacKernelReadDat(&source, &sink, take, out.keep ? wants : NULL, &out, &err);
        tacSourceClose(&source);
    }
    Tcl_Obj *result[2] = {out.records, out.reports};
    Tcl_SetObjResult(interp, status == TAC_OK ? Tcl_NewListObj(2, result) : Tcl_NewStringObj(err.message, -1));
    if (status != TAC_OK) Tcl_SetErrorCode(interp, "TACTUS", err.code, NULL);
    return status == TAC_OK ? TCL_OK : TCL_ERROR;
}

int TacTestKernel_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testkernel", testKernel, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testkerneldat", testKernelDat, NULL, NULL);
    return TCL_OK;
}
