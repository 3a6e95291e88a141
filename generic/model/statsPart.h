/*
 * statsPart.h -- between the files that make the tables of stats.h: the window, and one maker for each table.
 */
#ifndef TAC_STATS_PART_H
#define TAC_STATS_PART_H

#include "model/stats.h"

typedef struct tacWindow {
    int64_t from, to;           /* ticks: what is cut is cut to [from, to] */
    bool whole;                 /* neither was given */
    int64_t firstRelease, lastRelease;  /* ticks: jobs count when released in between, which an end that was not given does not limit */
} tacWindow;

/* One table: its columns and its maker. */
typedef struct tacStatsPart {
    const tacColumn *columns;
    int nColumns;
    tacStatus (*make)(const tacModel *model, const tacWindow *window, tacTable *table, tacError *err);
} tacStatsPart;

extern const tacStatsPart tacJobStats, tacTaskStats, tacServerStats, tacMutexStats, tacProcessorStats, tacBufferStats;

static inline bool tacWindowHas(const tacWindow *window, int64_t time) {
    return window->from <= time && time <= window->to;
}

/* Length of [begin, end] within the window, ticks. */
static inline int64_t tacWindowCut(const tacWindow *window, int64_t begin, int64_t end) {
    if (begin < window->from) begin = window->from;
    if (end > window->to) end = window->to;
    return end > begin ? tacElapsed(begin, end) : 0;
}

/* part / window length; NAN for a window without length. */
double tacWindowShare(const tacWindow *window, int64_t part);

/* later - earlier; TAC_UNKNOWN when one of them is; the largest number where it does not fit. */
static inline int64_t tacDifference(int64_t later, int64_t earlier) {
    int64_t difference;
    if (later == TAC_UNKNOWN || earlier == TAC_UNKNOWN) return TAC_UNKNOWN;
    if (!__builtin_sub_overflow(later, earlier, &difference)) return difference;
    return later > earlier ? INT64_MAX : -INT64_MAX;
}

/* Ids that were only mentioned (an error of the trace) have no row. */
static inline bool tacIsDefined(const tacStore *store, tacKind kind, uint32_t index) {
    return store->objects[kind].at[index].line != 0;
}

/* ticks (a sum or a part of one) in time units. */
double tacTicksNumber(long double ticks, int digits);

#endif
