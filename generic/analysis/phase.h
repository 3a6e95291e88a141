/*
 * phase.h -- the life of a job as phases: its state, from when to when, and the job that ran meanwhile.
 *
 * A job's phases begin with its release (or first mention) and end with its completion, its abandonment or the
 * recording: waiting up to its first slice, then its slices. While it waits or is preempted, the phase is split by the
 * jobs that run on the processor where it ran last, or is to run first; while it is blocked, by the holders of the
 * mutex that it waits for. Phases are in order of begin and do not overlap. There are no gaps from release to
 * completion, unless the model has such (of a job with several slices at once).
 */
#ifndef TAC_ANALYSIS_PHASE_H
#define TAC_ANALYSIS_PHASE_H

#include "model/model.h"

typedef struct tacJobPhase {
    int64_t begin, end; /* ticks; end >= begin */
    tacJobState state;  /* WAITING or that of a slice */
    uint32_t other;     /* WAITING and PREEMPTED: job that runs meanwhile; BLOCKED: the holder of the mutex, as far as
                         * the trace tells; TAC_NONE: none, or unknown */
} tacJobPhase;

typedef struct tacJobPhaseList {
    TAC_ARRAY(tacJobPhase) list;
    bool cut;    /* there are more than were asked for */
    bool failed; /* no memory for some */
} tacJobPhaseList;

/* Adds the phases of a job, `most` of them at most. */
void tacJobPhases(const tacModel *model, uint32_t job, size_t most, tacJobPhaseList *phases);
static inline void tacJobPhasesFree(tacJobPhaseList *phases) { tacArrayFree(&phases->list); }

/* Time at which the phases of a job end: its completion, the end of an abandoned one's last slice, or the recording's.
 */
int64_t tacJobPhaseEnd(const tacModel *model, uint32_t job);

#endif
