/*
 * limit.h -- the numbers of an expectation, compared with a trace's times without loss.
 *
 * A trace counts ticks; a limit may have more digits than a tick, or be larger than any time. So it is kept as the
 * largest number of ticks that is not above it, and what is beyond that.
 */
#ifndef TAC_JUDGE_LIMIT_H
#define TAC_JUDGE_LIMIT_H

#include "base/decimal.h"
#include "relation/filter.h"

#define TAC_LIMIT_PARTS 10000000000000000000ull /* parts of a tick: 10^19 */

typedef struct tacLimit {
    int64_t ticks; /* not above the limit; beyond +-TAC_TIME_LIMIT where the limit is larger than any time */
    uint64_t part; /* of a tick that follows, below TAC_LIMIT_PARTS */
    bool rest;     /* and something beyond that */
} tacLimit;

/* How the comparisons of numbers are written: by tacComparison up to TAC_AT_LEAST; NULL at the end. */
extern const char *const tacComparisonWords[];
/* The comparison at the beginning of a text, the longest one: what stands behind it. NULL: there is none. */
const char *tacComparisonAt(const char *at, const char *end, tacComparison *comparison);

/* Reads a decimal of any length, with or without an exponent of at most two digits. digits: of the ticks. False: it is
 * none. */
bool tacLimitParse(const char *text, size_t length, int digits, tacLimit *limit);

/* -1, 0, 1: the ticks are less than, equal to, more than the limit. */
static inline int tacLimitCompare(int64_t ticks, const tacLimit *limit) {
    if (ticks != limit->ticks) return ticks < limit->ticks ? -1 : 1;
    return limit->part || limit->rest ? -1 : 0;
}
/* The least number of ticks that is not below the limit. */
static inline int64_t tacLimitCeiling(const tacLimit *limit) {
    return limit->ticks == INT64_MAX ? INT64_MAX : limit->ticks + (limit->part || limit->rest);
}
/* Is it one that a value breaks by being too large? */
static inline bool tacIsUpperBound(tacComparison op) { return op == TAC_BELOW || op == TAC_AT_MOST; }
/* Does `order` (-1, 0, 1) fulfil the comparison? */
static inline bool tacComparisonHolds(tacComparison op, int order) {
    enum { LESS = 1, SAME = 2, MORE = 4 };
    static const uint8_t fulfil[] = {[TAC_BELOW] = LESS,
        [TAC_AT_MOST] = LESS | SAME,
        [TAC_EQUAL] = SAME,
        [TAC_UNEQUAL] = LESS | MORE,
        [TAC_ABOVE] = MORE,
        [TAC_AT_LEAST] = SAME | MORE};
    return fulfil[op] >> (order + 1) & 1;
}
static inline bool tacLimitHolds(int64_t ticks, tacComparison op, const tacLimit *limit) {
    return tacComparisonHolds(op, tacLimitCompare(ticks, limit));
}

/* A time in millionths of a tick, for multiples of a period, which may be a part of a tick. 2^32 periods, each as long
 * as any time, stay far below TAC_FINE_LIMIT. */
typedef __int128 tacFine;
enum { TAC_FINE_DIGITS = 6, TAC_FINE_TICK = 1000000, TAC_FINE_SIZE = 64 };
#define TAC_FINE_LIMIT (1000000000000000000 * (tacFine) 1000000000000000000)

/* Reads a decimal as tacLimitParse does, and rounds it down; one beyond +-TAC_FINE_LIMIT becomes this limit. *exact: it
 * is what is written. */
bool tacFineParse(const char *text, size_t length, int digits, tacFine *fine, bool *exact);
/* Writes the shortest exact decimal; digits: of the ticks. Returns its length. */
size_t tacFineFormat(tacFine fine, int digits, char buffer[TAC_FINE_SIZE]);

#endif
