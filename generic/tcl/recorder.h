/*
 * recorder.h -- parts of a recorder (recordCmd.c): the kernel as a source, elements that a script reads, and what came
 * last, as a recording.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_RECORDER_H
#define TAC_TCL_RECORDER_H

#include "base/error.h"
#include "record/collect.h"
#include "record/follow.h"
#include "record/kernel.h"
#include "record/recent.h"

/*
 * Adds the kernel to a collector that does not run yet. events: as tacCaptureOptions has them; pid: of the process
 * that will run the recorded program, as the source of the kernel says it; 0: there is none. Until the collector is
 * freed its thread writes the losses into *counts, to be read by tacRecordKernelCounts.
 */
tacStatus tacRecordKernel(
    tacrec_collector *collector, const char *events, uint32_t pid, tacCaptureCounts *counts, tacError *err);
tacCaptureCounts tacRecordKernelCounts(const tacCaptureCounts *counts);

/* Elements between the collector's thread and a script. */
typedef struct tacRecordTail tacRecordTail;
/* Takes elements of sensors whose names fit one of the patterns (NULL: all). NULL: no memory. */
tacRecordTail *tacRecordTailNew(tacrec_collector *collector, const char *const *patterns);
/* Frees it; the collector must be freed before, or have been left. NULL is fine. */
void tacRecordTailFree(tacRecordTail *tail);
/*
 * What has come since the last call, in order of time: a list of dicts with time (exact seconds of CLOCK_MONOTONIC),
 * source, pid, sensor, number and values, a list of names and values. *lost: elements that came while too many waited.
 */
Tcl_Obj *tacRecordTailRead(tacRecordTail *tail, uint64_t *lost);
/* Holds the packets that come last: so many bytes, for so long. NULL: no memory; else for tacRecentFree, after the
 * collector was freed. */
tacRecent *tacRecordRecent(tacrec_collector *collector, int64_t bytes, double seconds);
/* What is held, as keys of a dict. */
void tacRecordRecentCounts(tacRecent *recent, Tcl_Obj *dict);
/* Subcommand `write file ?-last seconds?`, whose words these are. */
int tacRecordRecentWrite(tacRecent *recent, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);

/* A name of a source or sensor: bytes that some program has written, of which no one knows whether they are UTF-8. */
Tcl_Obj *tacRecordName(const char *bytes, size_t most);

#endif
