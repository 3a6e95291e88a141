/*
 * rankSums.c -- the exact distribution of a sum of ranks.
 */
#include "base/port.h"

#include "analysis/rankSums.h"

#include <string.h>

/* ---- a half ----------------------------------------------------------------------------------------------------- */

typedef uint32_t Four __attribute__((vector_size(16), aligned(4), may_alias));
enum { LANES = 4 };

/* Adds n numbers to others, and up to three more, which are zero. */
static void addWays(uint32_t *to, const uint32_t *from, size_t n) {
    for (size_t i = 0; i < n; i += LANES) *(Four *) (to + i) += *(const Four *) (from + i);
}

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
    memset(half->ways.at, 0, half->ways.count * sizeof *half->ways.at);
    return true;
}

/* Counts the ways, value by value: each is chosen on top of k before it, or not. To choose k is to leave n - k, so
 * those of more than half of the values are those of the others, from the greatest sum down. */
static void countWays(tacRankHalf *half) {
    uint32_t below[TAC_RANK_HALF + 1] = {0}; /* sums of the first ranks */
    uint32_t *ways = half->ways.at, most = (half->n + 1) / 2 < half->most ? (half->n + 1) / 2 : half->most;
    for (uint32_t i = 0; i < half->n; i++) below[i + 1] = below[i] + half->ranks[i];
    ways[0] = 1;
    for (uint32_t i = 0; i < half->n; i++)
        for (uint32_t k = (i < most ? i : most - 1) + 1; k-- > 0;) {
            uint32_t sums = below[i] - below[i - k] - below[k] + 1;
            addWays(ways + half->start[k + 1] + half->ranks[i] - half->ranks[k], ways + half->start[k], sums);
        }
    for (uint32_t k = most + 1; k <= half->most; k++) {
        const uint32_t *others = ways + half->start[half->n - k] + half->width[k];
        uint32_t *own = ways + half->start[k], width = half->width[k];
        for (uint32_t i = 0; i < width; i++) own[i] = *--others;
    }
}

/* Makes the ways ones to reach at most a sum. */
static void addUp(tacRankHalf *half) {
    for (uint32_t k = 0; k <= half->most; k++) {
        uint32_t *ways = half->ways.at + half->start[k], width = half->width[k], sum = 0;
        for (uint32_t i = 0; i < width; i++) ways[i] = sum += ways[i];
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
    if (upTo) addUp(half);
    return true;
}

/* ---- both halves ------------------------------------------------------------------------------------------------ */

/* Number of ways in which k values of the lower half and j of the upper one have a sum up to `room` above the least. */
static uint64_t pairsUpTo(const tacRankSums *sums, uint32_t k, uint32_t j, int64_t room) {
    const tacRankHalf *lower = &sums->lower, *upper = &sums->upper;
    const uint32_t *ways = lower->ways.at + lower->start[k], *upTo = upper->ways.at + upper->start[j];
    const int64_t step = lower->step, last = upper->width[j] - 1, width = lower->width[k];
    const unsigned shift = upper->step - 1;
    int64_t end = room / step + 1, i = 0; /* of the sums of the lower half that leave room */
    int64_t whole = room < last << shift ? 0 : (room - (last << shift)) / step + 1; /* they leave room for all */
    uint64_t all = 0, sum = 0;
    if (end > width) end = width;
    if (whole > end) whole = end;
    for (; i < whole; i++) all += ways[i];
    all *= upTo[last];
    room -= step * whole;
    for (; i < end; i++, room -= step) sum += (uint64_t) ways[i] * upTo[room >> shift];
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
    uint64_t above = isEven(ranks, n) ? below : all - waysUpTo(sums, ranks, m, mean + far - 1);
    *share = (double) ((long double) (below + above) / (long double) all); /* rounded once */
    return true;
}

void tacRankSumsFree(tacRankSums *sums) {
    tacArrayFree(&sums->lower.ways);
    tacArrayFree(&sums->upper.ways);
}
