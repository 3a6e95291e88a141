/*
 * progress.h -- progress of long work: now and then a report says how far it is, and answers whether to go on.
 *
 * The worker calls tacProgressAt at every step, or tacProgressStep every few thousand: they look at the clock, and
 * report when TAC_PROGRESS_INTERVAL has passed since the last report returned. The report may do anything that takes
 * time (a script, the event loop) but must not touch the data that is worked on. Once it has said stop, every step says
 * stop. A progress of NULL means that no reports are wanted.
 */
#ifndef TAC_BASE_PROGRESS_H
#define TAC_BASE_PROGRESS_H

#include "base/error.h"

enum {
    TAC_PROGRESS_INTERVAL = 20,  /* milliseconds: a window handles its events every 50 ms even when steps are slow */
    TAC_PROGRESS_STEPS = 1 << 12 /* steps between two looks at the clock; a power of two */
};

/* Phases of opening a trace; work that has no phases stays in the first. */
typedef enum tacPhase {
    TAC_PHASE_GUESSING, /* finding out what the reader of a recording must know */
    TAC_PHASE_READING,
    TAC_PHASE_CLOCKS,
    TAC_PHASE_SORTING,
    TAC_PHASE_STATES,
    TAC_PHASE_SUMMARIES,
    TAC_PHASES
} tacPhase;
extern const char *const tacPhaseNames[TAC_PHASES + 1]; /* "reading" ..., NULL */

typedef struct tacProgress {
    bool (*report)(void *data, const struct tacProgress *progress); /* false: stop */
    void *data;
    tacPhase phase;
    uint64_t done, total; /* bytes while reading, else rows or the like; total 0: unknown */
    int64_t due;          /* nanoseconds of the clock: no report before */
    bool stopped;
} tacProgress;

/* Begins a phase and reports it at once. False: stop. */
bool tacProgressPhase(tacProgress *progress, tacPhase phase, uint64_t total);
/* Begins work without phases: no report before the first interval has passed. */
void tacProgressDelay(tacProgress *progress);
/* Says how much is done, and looks at the clock. False: stop. */
bool tacProgressStep(tacProgress *progress, uint64_t done);
/* The same for each step of a loop; looks at the clock every TAC_PROGRESS_STEPS. */
static inline bool tacProgressAt(tacProgress *progress, uint64_t done) {
    return TAC_LIKELY((done & (TAC_PROGRESS_STEPS - 1)) != 0) || !progress || tacProgressStep(progress, done);
}
/* The same for each of many objects, for which memory is made or freed: looks at the clock for every 1024th of them. */
static inline bool tacProgressObject(tacProgress *progress, uint64_t i) {
    return TAC_LIKELY((i & 1023) != 0) || !progress || tacProgressStep(progress, 0);
}
static inline bool tacProgressStopped(const tacProgress *progress) { return progress && progress->stopped; }

/* The error of work that failed: CANCELLED when it was stopped, else MEMORY. */
tacStatus tacFailStopped(tacError *err, const tacProgress *progress);

#endif
