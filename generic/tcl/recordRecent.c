/*
 * recordRecent.c -- what came last, of a recorder: a ring of packets (record/recent.h), which is written as a recording
 * while more comes.
 *
 * The collector's thread hands packets to the ring; a script asks the ring, so it waits for nothing but a packet that
 * is being copied.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/save.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/optionTable.h"
#include "tcl/recorder.h"
#include "tcl/text.h"

#include <string.h>

enum { NANO = 1000000000, LONGEST = 1000000000 };

/* Seconds as nanoseconds, at least 1. */
static uint64_t nanoseconds(double seconds) {
    double time = seconds * NANO;
    return !(time >= 1) ? 1 : seconds > LONGEST ? (uint64_t) LONGEST * NANO : (uint64_t) time;
}

/* Puts the recorder itself in front, so that a recording in which nothing has happened yet is one, and its times are
 * those of this machine. */
static bool tellRecorder(tacRecent *recent) {
    tacrec_source said = {.kind = TACREC_SOURCE_RECORDER, .clock = TACREC_CLOCK_HOOK, .name = "tactus"};
    tacrec_collectHere(&said);
    tacrec_writer *writer = tacrec_writerNew(&said, 0, tacRecentTake, recent);
    if (!writer) return false;
    tacrec_writerDescribe(writer, NULL, NULL);
    tacrec_writerFree(writer);
    return true;
}

tacRecent *tacRecordRecent(tacrec_collector *collector, int64_t bytes, double seconds) {
    tacRecent *recent = tacRecentNew((uint64_t) bytes, nanoseconds(seconds));
    const tacrec_taker taker = {.packet = tacRecentTake, .data = recent};
    if (recent && tellRecorder(recent) && tacrec_collectorTake(collector, &taker)) return recent;
    tacRecentFree(recent);
    return NULL;
}

void tacRecordRecentCounts(tacRecent *recent, Tcl_Obj *dict) {
    tacRecentCount count;
    tacRecentCounts(recent, &count);
    tacPut(dict, "now", tacTimeValueObj((int64_t) count.now, 9));
    tacPutCount(dict, "taken", count.taken);
    tacPutCount(dict, "held", count.elements);
    tacPutCount(dict, "heldBytes", count.bytes);
    tacPut(dict, "heldSeconds", Tcl_NewDoubleObj((double) count.nanoseconds / NANO));
    tacPut(dict, "silence", count.taken ? Tcl_NewDoubleObj((double) count.silence / NANO) : Tcl_NewObj());
}

typedef struct WriteOptions {
    double last; /* seconds; below 0: all */
} WriteOptions;

static const tacOptionRow writeRows[] = {
    {"-last", TAC_VALUE_NUMBER, offsetof(WriteOptions, last), NULL, "seconds", NULL,
        "what came in so many last seconds; default: all that is held"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

int tacRecordRecentWrite(tacRecent *recent, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    WriteOptions options = {-1};
    Tcl_DString bytes;
    tacSave save;
    tacError err = {0};
    if (tacOptionsParse(interp, writeRows, objc - 3, objv + 3, &options) != TCL_OK) return TCL_ERROR;
    const char *path = tacPathFromObj(interp, objv[2], &bytes);
    if (!path) return TCL_ERROR;
    tacStatus status = tacSaveBegin(&save, path, TAC_SAVE_PRIVATE, &err);
    if (status == TAC_OK) {
        uint64_t since = options.last < 0 ? UINT64_MAX : nanoseconds(options.last);
        int problem = tacRecentWrite(recent, since, fileno(save.file));
        if (problem)
            tacFail(&err, "FILE WRITE", "cannot write \"%.300s\": %s", Tcl_GetString(objv[2]), strerror(problem));
        status = tacSaveEnd(&save, !problem, path, &err);
        if (problem) status = TAC_ERROR;
    }
    Tcl_DStringFree(&bytes);
    return status == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
}
