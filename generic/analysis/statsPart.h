/*
 * statsPart.h -- shared by the files that make the tables of stats.h: the window, and the maker of each table.
 */
#ifndef TAC_ANALYSIS_STATS_PART_H
#define TAC_ANALYSIS_STATS_PART_H

#include "analysis/stats.h"

typedef struct tacStatsWindow {
    int64_t from, to;                  /* ticks: to this, times are cut */
    bool whole;                        /* neither was given */
    int64_t firstRelease, lastRelease; /* ticks: jobs released in between are counted; not limited where not given */
    tacProgress *progress;             /* or NULL */
} tacStatsWindow;

/* One table: its columns and its maker. */
typedef struct tacStatsPart {
    const tacColumn *columns;
    int nColumns;
    tacStatus (*make)(const tacModel *model, const tacStatsWindow *window, tacTable *table, tacError *err);
} tacStatsPart;

extern const tacStatsPart tacTaskStats, tacServerStats, tacMutexStats, tacProcessorStats, tacBufferStats;

/* For each step (job, slice, event) behind a row, and for each row that is done. False: stop. */
static inline bool tacStatsAt(const tacStatsWindow *window, uint64_t step) {
    return TAC_LIKELY((step & (TAC_PROGRESS_STEPS - 1)) != 0) || !window->progress
        || tacProgressStep(window->progress, 0);
}
static inline bool tacStatsRow(const tacStatsWindow *window, uint64_t rows) {
    return tacProgressAt(window->progress, rows);
}

/* The end of a table whose rows have all been measured, or have not: then it is freed. */
tacStatus tacStatsEnd(const tacStatsWindow *window, tacTable *table, uint64_t rows, bool done, tacError *err);

static inline bool tacStatsWindowHas(const tacStatsWindow *window, int64_t time) {
    return window->from <= time && time <= window->to;
}

/* Length of [begin, end] within the window, ticks. */
static inline int64_t tacStatsWindowCut(const tacStatsWindow *window, int64_t begin, int64_t end) {
    if (begin < window->from) begin = window->from;
    if (end > window->to) end = window->to;
    return end > begin ? tacElapsed(begin, end) : 0;
}

/* part / window length; NAN for a window without length. */
double tacStatsWindowShare(const tacStatsWindow *window, long double part);

/* later - earlier, two times; TAC_UNKNOWN when one of them is. */
static inline int64_t tacDifference(int64_t later, int64_t earlier) {
    return later == TAC_UNKNOWN || earlier == TAC_UNKNOWN ? TAC_UNKNOWN : later - earlier;
}

/* Ids that were only mentioned (an error of the trace) have no row. */
static inline bool tacIsDefined(const tacStore *store, tacKind kind, uint32_t index) {
    return store->objects[kind].at[index].line != 0;
}

/* ticks (a sum or a part of one) in time units. */
double tacTicksNumber(long double ticks, int digits);

#endif
