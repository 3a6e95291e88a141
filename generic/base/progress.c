/*
 * progress.c -- reports of progress, and when one is due.
 */
#include "base/port.h"

#include "base/progress.h"

#include <time.h>

const char *const tacPhaseNames[TAC_PHASES + 1] = {
    "guessing", "reading", "clocks", "sorting", "states", "summaries", NULL};

/* The time of the clock. */
static int64_t nanoseconds(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) ? (int64_t) now.tv_sec * 1000000000 + now.tv_nsec : 0;
}

void tacProgressDelay(tacProgress *progress) {
    progress->due = nanoseconds() + TAC_PROGRESS_INTERVAL * INT64_C(1000000);
}

/* Reports. The interval to the next report begins at the end of this one, whose own time is not part of the work. */
static bool report(tacProgress *progress) {
    if (!progress->report(progress->data, progress)) progress->stopped = true;
    tacProgressDelay(progress);
    return !progress->stopped;
}

bool tacProgressPhase(tacProgress *progress, tacPhase phase, uint64_t total) {
    if (!progress) return true;
    progress->phase = phase;
    progress->done = 0;
    progress->total = total;
    return !progress->stopped && report(progress);
}

bool tacProgressStep(tacProgress *progress, uint64_t done) {
    if (!progress) return true;
    if (progress->stopped) return false;
    if (done > progress->done) progress->done = done; /* a phase may go through its rows several times */
    int64_t now = nanoseconds();
    bool setBack = now < progress->due - TAC_PROGRESS_INTERVAL * INT64_C(1000000); /* the clock was: report, do not wait
                                                                                      for it */
    return (now < progress->due && !setBack) || report(progress);
}

tacStatus tacFailStopped(tacError *err, const tacProgress *progress) {
    return tacProgressStopped(progress) ? tacFail(err, "CANCELLED", "cancelled") : tacFailMemory(err);
}
