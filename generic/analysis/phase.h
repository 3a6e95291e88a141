/*
 * phase.h -- the life of one job as phases: what state it was in from when to when, and who ran meanwhile.
 *
 * A job's phases begin with its release (or first mention) and end with its completion, its abandonment or the
 * recording: waiting up to its first slice, then its slices. While it waits or is preempted, the phase is split by who
 * runs on the processor in question: where the job ran last, or is to run first. Phases are in order of begin, do not
 * overlap, and leave no gap between release and completion but where the model has none (a job of several slices at
 * once does).
 */
#ifndef TAC_ANALYSIS_PHASE_H
#define TAC_ANALYSIS_PHASE_H

#include "model/model.h"

typedef struct tacJobPhase {
    int64_t begin, end; /* ticks; end >= begin */
    tacJobState state;  /* WAITING or that of a slice */
    uint32_t other;     /* job that runs meanwhile, of WAITING and PREEMPTED; TAC_NONE: nobody, or it is not known */
} tacJobPhase;

typedef struct tacJobPhaseList {
    TAC_ARRAY(tacJobPhase) list;
    bool cut;    /* there are more, which were not asked for */
    bool failed; /* no memory for some */
} tacJobPhaseList;

/* Adds the phases of a job, `most` of them at most. */
void tacJobPhases(const tacModel *model, uint32_t job, size_t most, tacJobPhaseList *phases);
static inline void tacJobPhasesFree(tacJobPhaseList *phases) { tacArrayFree(&phases->list); }

/* When the phases of a job end: its completion, the end of an abandoned one's last slice, or the end of the recording.
 */
int64_t tacJobPhaseEnd(const tacModel *model, uint32_t job);

#endif
