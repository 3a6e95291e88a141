/*
 * rankSums.c -- the exact distribution of a sum of ranks.
 */
#include "base/port.h"

#include "analysis/rankSums.h"

#include <string.h>

/* ---- a half ----------------------------------------------------------------------------------------------------- */

enum { LANES = 16 };

/* Adds n numbers to others, and up to LANES - 1 more, which are zero. */
static TAC_INLINE void addWays(uint32_t *restrict to, const uint32_t *restrict from, size_t n) {
    for (size_t i = 0; i < n; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++) to[i + lane] += from[i + lane];
}

/* Writes n numbers in reverse order. */
static TAC_INLINE void turn(uint32_t *restrict to, const uint32_t *restrict from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = from[n - 1 - i];
}

/* The greatest number of values of which the ways are counted: to choose k is to leave n - k, so those of more than
 * half of the values are those of the others, from the greatest sum down. */
static uint32_t counted(const tacRankHalf *half) { return half->most < half->n / 2 ? half->most : half->n / 2; }

/* Lays out the ways: for each number of values their sums, and zeros behind these that addWays may read. False: no
 * memory. */
static bool layOut(tacRankHalf *half) {
    uint32_t least = 0, greatest = 0, start = 0;
    for (uint32_t k = 0; k <= half->most; k++) {
        half->least[k] = least;
        half->width[k] = greatest - least + 1;
        half->start[k] = start;
        start += half->width[k] + LANES - 1;
        if (k == half->n) break;
        least += half->ranks[k];
        greatest += half->ranks[half->n - 1 - k];
    }
    half->ways.count = 0;
    if (!tacArrayReserve(&half->ways, start + LANES)) return false;
    half->ways.count = start + LANES;
    return true;
}

/* Counts the ways, value by value: each is chosen on top of k before it, or not. Of the values so far only the ways of
 * up to half are counted, too. */
TAC_CLONES static void countWays(tacRankHalf *half) {
    uint32_t below[TAC_RANK_HALF + 1] = {0}; /* sums of the first ranks */
    uint32_t *ways = half->ways.at, most = counted(half);
    memset(ways, 0, (half->start[most] + half->width[most] + LANES) * sizeof *ways);
    for (uint32_t i = 0; i < half->n; i++) below[i + 1] = below[i] + half->ranks[i];
    ways[0] = 1;
    for (uint32_t i = 1; i < half->n; i++) {
        uint32_t top = (i + 1) / 2;
        if (top > most) top = most;
        else if (i % 2) {
            uint32_t *others = ways + half->start[top - 1], *own = ways + half->start[top];
            turn(own, others, below[i] - below[i - top] - below[top] + 1);
        }
        for (uint32_t k = top; k-- > 0;) {
            uint32_t sums = below[i] - below[i - k] - below[k] + 1;
            addWays(ways + half->start[k + 1] + half->ranks[i] - half->ranks[k], ways + half->start[k], sums);
        }
    }
}

/* Writes the ways of more than half of the values. */
TAC_CLONES static void mirror(tacRankHalf *half) {
    for (uint32_t k = counted(half) + 1; k <= half->most; k++)
        turn(half->ways.at + half->start[k], half->ways.at + half->start[half->n - k], half->width[k]);
}

/* Makes the ways ones to reach at most a sum, from the greatest sum down. */
TAC_CLONES static void addUp(tacRankHalf *half) {
    uint32_t upTo[TAC_RANK_WIDTH], most = counted(half);
    for (uint32_t k = 0; k <= most; k++) {
        uint32_t *ways = half->ways.at + half->start[k], sum = 0;
        size_t width = half->width[k];
#pragma GCC unroll 8
        for (size_t i = 0; i < width; i++) upTo[i] = sum += ways[i];
        turn(ways, upTo, width);
        if (half->n - k == k || half->n - k > half->most) continue;
        uint32_t *others = half->ways.at + half->start[half->n - k];
        others[0] = sum;
        for (size_t i = 1; i < width; i++) others[i] = sum - upTo[i - 1];
    }
}

/* Makes the half of n of these ranks, of which at most m are chosen, unless it is known. False: no memory. */
static bool makeHalf(tacRankHalf *half, const uint32_t *ranks, uint32_t n, uint32_t m, bool upTo) {
    uint32_t own[TAC_RANK_HALF], odd = 0, most = n < m ? n : m;
    for (uint32_t i = 0; i < n; i++) odd |= own[i] = ranks[i] - ranks[0];
    uint32_t step = odd & 1 ? 1 : 2;
    for (uint32_t i = 0; i < n; i++) own[i] /= step;
    if (half->n == n && half->most >= most && half->step == step && memcmp(half->ranks, own, n * sizeof *own) == 0)
        return true;
    memcpy(half->ranks, own, n * sizeof *own);
    half->step = step;
    half->n = n;
    half->most = most;
    if (!layOut(half)) return half->n = 0, false;
    countWays(half);
    (upTo ? addUp : mirror)(half);
    return true;
}

/* ---- both halves ------------------------------------------------------------------------------------------------ */

TAC_CLONES static uint64_t sumOf(const uint32_t *ways, int64_t n) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++) sum += ways[i];
    return sum;
}

/* Sum of the products of numbers. */
TAC_CLONES static uint64_t pairsOf(const uint32_t *ways, const uint32_t *others, int64_t n) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++) sum += (uint64_t) ways[i] * others[i];
    return sum;
}

/* Number of ways in which k values of the lower half and j of the upper one have a sum up to `room` above the least. */
static uint64_t pairsUpTo(const tacRankSums *sums, uint32_t k, uint32_t j, int64_t room) {
    const tacRankHalf *lower = &sums->lower, *upper = &sums->upper;
    const uint32_t *ways = lower->ways.at + lower->start[k], *upTo = upper->ways.at + upper->start[j];
    const int64_t step = lower->step, last = upper->width[j] - 1, width = lower->width[k];
    const unsigned shift = upper->step - 1;
    int64_t end = room / step + 1; /* of the sums of the lower half that leave room */
    int64_t whole = room < last << shift ? 0 : (room - (last << shift)) / step + 1; /* they leave room for all */
    if (end > width) end = width;
    if (whole > end) whole = end;
    uint64_t all = sumOf(ways, whole) * upTo[0], sum = 0;
    room -= step * whole;
    if (lower->step == upper->step) return all + pairsOf(ways + whole, upTo + last - (room >> shift), end - whole);
    for (int64_t i = whole; i < end; i++, room -= step) sum += (uint64_t) ways[i] * upTo[last - (room >> shift)];
    return all + sum;
}

/* Number of ways to choose m values with a sum of their doubled ranks up to a limit. */
static uint64_t waysUpTo(const tacRankSums *sums, const uint32_t *ranks, uint32_t m, int64_t limit) {
    const tacRankHalf *lower = &sums->lower, *upper = &sums->upper;
    uint64_t all = 0;
    for (uint32_t k = m > upper->n ? m - upper->n : 0; k <= m && k <= lower->n; k++) {
        uint32_t j = m - k;
        int64_t least = (int64_t) k * ranks[0] + (int64_t) lower->step * lower->least[k];
        if (j) least += (int64_t) j * ranks[lower->n] + (int64_t) upper->step * upper->least[j];
        if (limit >= least) all += pairsUpTo(sums, k, j, limit - least);
    }
    return all;
}

/* Number of ways to choose m of n values. */
static uint64_t waysOf(uint32_t n, uint32_t m) {
    unsigned __int128 all = 1;
    for (uint32_t i = 1; i <= m; i++) all = all * (n - m + i) / i;
    return (uint64_t) all;
}

/* Are the ranks as far apart seen from above as seen from below? */
static bool isEven(const uint32_t *ranks, uint32_t n) {
    for (uint32_t i = 0; i < n / 2; i++)
        if (ranks[i] + ranks[n - 1 - i] != 2 * (n + 1)) return false;
    return true;
}

bool tacRankSumsFar(tacRankSums *sums, const uint32_t *ranks, uint32_t n, uint32_t m, int64_t far, double *share) {
    uint32_t half = n / 2;
    int64_t mean = (int64_t) m * (n + 1);
    if (!makeHalf(&sums->lower, ranks, half, m, false) || !makeHalf(&sums->upper, ranks + half, n - half, m, true))
        return false;
    uint64_t all = waysOf(n, m), below = waysUpTo(sums, ranks, m, mean - far);
    /* To choose half of the values is to leave the others, whose sum is as far on the other side. */
    bool even = 2 * m == n || isEven(ranks, n);
    uint64_t above = even ? below : all - waysUpTo(sums, ranks, m, mean + far - 1);
    *share = (double) ((long double) (below + above) / (long double) all); /* rounded once */
    return true;
}

void tacRankSumsFree(tacRankSums *sums) {
    tacArrayFree(&sums->lower.ways);
    tacArrayFree(&sums->upper.ways);
}
