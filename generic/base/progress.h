/*
 * progress.h -- long work says now and then how far it is, and is told whether to go on.
 *
 * Who works calls tacProgressAt every step, or tacProgressStep every few thousand: they look at the clock, and when
 * TAC_PROGRESS_INTERVAL has passed since the last report returned, they report. The report may do anything that takes
 * time (a script, the event loop); it must not touch what is worked on. Once it said stop, every step says stop.
 * Everywhere NULL means that nobody wants to know.
 */
#ifndef TAC_BASE_PROGRESS_H
#define TAC_BASE_PROGRESS_H

#include "base/error.h"

enum {
    TAC_PROGRESS_INTERVAL = 20,  /* milliseconds; a window is to handle its events every 50 ms also when steps are slow
                                  */
    TAC_PROGRESS_STEPS = 1 << 12 /* between two looks at the clock; a power of two */
};

/* The phases of opening a trace; work of one phase leaves it at the first. */
typedef enum tacPhase {
    TAC_PHASE_GUESSING, /* what a recording needs to know before it is read */
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
    int64_t due;          /* nanoseconds of the clock: not before that is reported again */
    bool stopped;
} tacProgress;

/* Begins a phase, which is reported in any case. False: stop. */
bool tacProgressPhase(tacProgress *progress, tacPhase phase, uint64_t total);
/* Work without phases: nothing is reported before the first interval has passed. */
void tacProgressDelay(tacProgress *progress);
/* So much is done: looks at the clock. False: stop. */
bool tacProgressStep(tacProgress *progress, uint64_t done);
/* The same, for each step of a loop. */
static inline bool tacProgressAt(tacProgress *progress, uint64_t done) {
    return TAC_LIKELY((done & (TAC_PROGRESS_STEPS - 1)) != 0) || !progress || tacProgressStep(progress, done);
}
static inline bool tacProgressStopped(const tacProgress *progress) { return progress && progress->stopped; }

/* The error of work that failed: CANCELLED when it was stopped, else MEMORY. */
tacStatus tacFailStopped(tacError *err, const tacProgress *progress);

#endif
