/*
 * testCapture.c -- recording of the kernel by itself, for tests/capture.test:
 *
 *      captureKernel EVENTS BYTES FILE SCRIPT ?ROUNDS?
 *
 * records while the script runs, and writes everything as packets into a file; ROUNDS: reads before the end. Returns a
 * dictionary of counts.
 */
#include <tcl.h>

#include "base/port.h"

#include "record/kernel.h"

#include <stdio.h>
#include <string.h>

typedef struct Writing {
    tacrec_writer *writer;
    FILE *file;
    uint64_t elements, back, last;
} Writing;

static bool takePacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    const Writing *w = data;
    return fwrite(bytes, 1, head->size, w->file) == head->size;
}

static bool takeElement(void *data, uint32_t sensor, uint64_t number, uint64_t time, const void *bytes) {
    Writing *w = data;
    w->elements++;
    w->back += time < w->last;
    w->last = time;
    return tacrec_writerElement(w->writer, sensor, number, time, bytes);
}

static int failed(Tcl_Interp *interp, const tacCaptureProblem *problem) {
    Tcl_SetObjResult(interp, Tcl_NewStringObj(problem->message, -1));
    Tcl_SetErrorCode(interp, "TACTUS", problem->code, NULL);
    return TCL_ERROR;
}

static void putPair(const tacCapture *capture, Writing *w) {
    tacrec_pair pair = tacCapturePair(capture);
    tacrec_writerPair(w->writer, &pair);
}

static void put(Tcl_Interp *interp, Tcl_Obj *dict, const char *key, uint64_t value) {
    Tcl_DictObjPut(interp, dict, Tcl_NewStringObj(key, -1), Tcl_NewWideIntObj((Tcl_WideInt) value));
}

static int record(Tcl_Interp *interp, tacCapture *capture, Tcl_Obj *const objv[], int rounds) {
    tacrec_source source = {.kind = TACREC_SOURCE_KERNEL, .clock = tacCaptureClock(capture), .name = "kernel"};
    Writing w = {.file = fopen(Tcl_GetString(objv[3]), "wb")};
    w.writer = tacrec_writerNew(&source, 0, takePacket, &w);
    for (uint32_t i = 0; i < tacCaptureSensors(capture); i++)
        tacrec_writerSensor(w.writer, i, tacCaptureSensor(capture, i));
    putPair(capture, &w);
    int code = TCL_OK;
    for (int i = 0; i < rounds && code == TCL_OK; i++) {
        code = Tcl_EvalObjEx(interp, objv[4], 0);
        if (i < rounds - 1) tacCaptureRead(capture, takeElement, &w);
    }
    tacCaptureStop(capture);
    tacCaptureRead(capture, takeElement, &w);
    putPair(capture, &w);
    tacrec_writerFlush(w.writer, UINT32_MAX);
    tacrec_writerEnd(w.writer, TACREC_END_CLOSED, 0, "");
    fclose(w.file);
    tacrec_writerFree(w.writer);
    if (code != TCL_OK) return code;
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacCaptureCounts counts = tacCaptureCount(capture);
    put(interp, dict, "events", counts.events);
    put(interp, dict, "lost", counts.lost);
    put(interp, dict, "unknown", counts.unknown);
    put(interp, dict, "elements", w.elements);
    put(interp, dict, "back", w.back);
    put(interp, dict, "sensors", tacCaptureSensors(capture));
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}

static int captureCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacCapture *capture;
    tacCaptureProblem problem;
    Tcl_WideInt bytes;
    int rounds = 1;
    (void) data;
    if (objc < 5 || objc > 6) {
        Tcl_WrongNumArgs(interp, 1, objv, "events bytes file script ?rounds?");
        return TCL_ERROR;
    }
    if (Tcl_GetWideIntFromObj(interp, objv[2], &bytes) != TCL_OK) return TCL_ERROR;
    if (objc == 6 && Tcl_GetIntFromObj(interp, objv[5], &rounds) != TCL_OK) return TCL_ERROR;
    const char *events = Tcl_GetString(objv[1]);
    tacCaptureOptions options = {*events ? events : NULL, (uint64_t) bytes};
    if (!tacCaptureBegin(&options, &capture, &problem)) return failed(interp, &problem);
    int code = record(interp, capture, objv, rounds);
    tacCaptureFree(capture);
    return code;
}

int TacTestCapture_Init(Tcl_Interp *interp);
int TacTestCapture_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "captureKernel", captureCmd, NULL, NULL);
    return TCL_OK;
}
