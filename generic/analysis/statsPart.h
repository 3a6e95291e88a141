/*
 * statsPart.h -- shared by the files that make the tables of stats.h: the window, and how each table is made.
 *
 * All tables but that of jobs have a row for each object of a kind. stats.c makes the rows with ids and names; a
 * table's own file measures the objects.
 */
#ifndef TAC_ANALYSIS_STATS_PART_H
#define TAC_ANALYSIS_STATS_PART_H

#include "analysis/stats.h"

typedef struct tacStatsWindow {
    int64_t from, to;                  /* ticks: times are cut to this */
    bool whole;                        /* neither was given */
    int64_t firstRelease, lastRelease; /* ticks: jobs released in between are counted; not limited where not given */
    tacProgress *progress;             /* or NULL */
} tacStatsWindow;

typedef struct tacStatsObject { /* begin of each row */
    const char *id, *name;
} tacStatsObject;

/* A table with a row for each object of a kind. */
typedef struct tacStatsPart {
    const tacColumn *columns;
    int nColumns;
    tacKind kind;
    size_t rowSize;                                             /* bytes of a row */
    tacColumnTrait (*trait)(const tacTable *table, int column); /* or NULL */
    bool (*measure)(const tacModel *model, const tacStatsWindow *window, uint32_t index, void *row); /* false: no
                                                                       memory, or stopped */
    bool (*isQuick)(const tacModel *model, uint32_t index); /* takes a few steps to measure; NULL: none does */
} tacStatsPart;

extern const tacStatsPart tacTaskStats, tacServerStats, tacMutexStats, tacProcessorStats, tacBufferStats;

/* Asks whether to go on: at each step (job, slice, event) behind a row. False: stop. */
static inline bool tacStatsAt(const tacStatsWindow *window, uint64_t step) {
    return TAC_LIKELY((step & (TAC_PROGRESS_STEPS - 1)) != 0) || !window->progress
        || tacProgressStep(window->progress, 0);
}

static inline bool tacStatsWindowHas(const tacStatsWindow *window, int64_t time) {
    return window->from <= time && time <= window->to;
}

/* Time that decides whether a job is in the window: its release, or its first event. */
static inline int64_t tacStatsRelease(const tacModel *model, const tacJob *job) {
    return job->release != TAC_UNKNOWN ? job->release : tacJobBegin(model, job);
}

/* Length of [begin, end] within the window, ticks. */
static inline int64_t tacStatsWindowCut(const tacStatsWindow *window, int64_t begin, int64_t end) {
    if (begin < window->from) begin = window->from;
    if (end > window->to) end = window->to;
    return end > begin ? tacElapsed(begin, end) : 0;
}

/* Share of the window that `part` ticks are; NAN for a window without length. */
double tacStatsWindowShare(const tacStatsWindow *window, long double part);

/* Difference of two times; TAC_UNKNOWN when one of them is. */
static inline int64_t tacDifference(int64_t later, int64_t earlier) {
    return later == TAC_UNKNOWN || earlier == TAC_UNKNOWN ? TAC_UNKNOWN : later - earlier;
}

/* Time units of a number of ticks (a sum, or a part of one). */
double tacTicksNumber(long double ticks, int digits);

#endif
