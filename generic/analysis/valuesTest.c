/*
 * valuesTest.c -- whether two samples differ: intervals of differences, and tests by ranks.
 */
#include "base/port.h"

#include "analysis/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- intervals -------------------------------------------------------------------------------------------------- */

/* The value that a standard normal variable exceeds with probability q < 0.5: halves the range of it. */
static double normalQuantile(double q) {
    double low = 0, high = 40;
    for (int i = 0; i < 64; i++) {
        double middle = (low + high) / 2;
        if (erfc(middle / sqrt(2)) / 2 > q) low = middle;
        else high = middle;
    }
    return low;
}

tacInterval tacShare(uint64_t count, uint64_t n, double alpha, tacBounds *known) {
    if (!n) return (tacInterval){NAN, NAN, NAN};
    if (known->alpha != alpha) known->alpha = alpha, known->normal = normalQuantile(alpha / 2);
    double z = known->normal, size = (double) n, p = (double) count / size;
    double middle = (p + z * z / (2 * size)) / (1 + z * z / size);
    double half = z / (1 + z * z / size) * sqrt(p * (1 - p) / size + z * z / (4 * size * size));
    return (tacInterval){p, fmin(p, middle - half), fmax(p, middle + half)};
}

/*
 * MOVER, the method of variance estimates recovery: each bound of the difference is as far from it as the distances of
 * the two bounds that make it are, as squares (Zou and Donner, Statistics in Medicine 27, 2008, 1693-1702; Donner and
 * Zou, Statistical Methods in Medical Research 21, 2012, 347-359). Of two shares it is Newcombe's method 10 (Statistics
 * in Medicine 17, 1998, 873-890).
 */
tacInterval tacIntervalDifference(tacInterval base, tacInterval other) {
    double difference = other.at - base.at;
    if ((isnan(other.low) || isnan(base.high)) && (isnan(other.high) || isnan(base.low)))
        return (tacInterval){difference, NAN, NAN};
    return (tacInterval){difference, difference - hypot(other.at - other.low, base.high - base.at),
        difference + hypot(other.high - other.at, base.at - base.low)};
}

/* ---- the rank test ---------------------------------------------------------------------------------------------- */

enum {
    RANK_MANY = 40, /* values of which an exact p takes long, if some are alike */
    RANK_SIDE = 10, /* values of a sample, with more of which the approximation is near, */
    RANK_APART = 10 /* ... if so many of both differ, and no more than half are alike */
};

typedef struct Ties {                /* values of both samples, equal ones together */
    uint32_t groups[TAC_RANK_EXACT]; /* sizes, of samples that are small */
    size_t count;                    /* of groups */
    uint64_t most;                   /* size of the largest one */
    uint64_t step;                   /* sums of doubled ranks differ by multiples of it; 0: all values are equal */
    long double cubes;               /* sum of t^3 - t over groups of t */
    unsigned __int128 twice;         /* twice the pairs in which the value of OTHER is greater; equal ones count once */
} Ties;

static uint64_t runSize(const tacValues *sample, size_t run) {
    return sample->runs.at[run].upTo - (run ? sample->runs.at[run - 1].upTo : 0);
}

static uint64_t commonDivisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Walks along both samples in order of value. */
static void countPairs(const tacValues *base, const tacValues *other, Ties *ties) {
    bool small = base->n + other->n <= TAC_RANK_EXACT;
    size_t i = 0, j = 0;
    uint64_t last = 0;
    ties->count = 0;
    ties->most = 0;
    ties->step = 0;
    ties->cubes = 0;
    ties->twice = 0;
    while (i < base->runs.count || j < other->runs.count) {
        bool takeBase = j == other->runs.count
            || (i < base->runs.count && base->runs.at[i].value <= other->runs.at[j].value);
        bool takeOther = i == base->runs.count
            || (j < other->runs.count && other->runs.at[j].value <= base->runs.at[i].value);
        uint64_t below = i ? base->runs.at[i - 1].upTo : 0;
        uint64_t a = takeBase ? runSize(base, i) : 0, b = takeOther ? runSize(other, j) : 0;
        long double t = (long double) (a + b);
        ties->twice += (unsigned __int128) b * (2 * below + a);
        ties->cubes += t * t * t - t;
        if (last && (!ties->step || (last + a + b) % ties->step)) ties->step = commonDivisor(last + a + b, ties->step);
        last = a + b;
        if (last > ties->most) ties->most = last;
        if (small) ties->groups[ties->count++] = (uint32_t) (a + b);
        i += takeBase;
        j += takeOther;
    }
}

/* Two-sided p by the normal approximation. Groups of one size and the like leave wide gaps between the sums of ranks;
 * half of one is the correction for continuity then. */
static double approximateP(const Ties *ties, long double n, long double m) {
    long double N = n + m, mean = n * m / 2, u = (long double) ties->twice / 2;
    long double variance = n * m / 12 * (N + 1 - ties->cubes / (N * (N - 1)));
    if (variance <= 0) return 1; /* all values are equal */
    long double far = fabsl(u - mean) - fmaxl(0.5L, (long double) ties->step / 4);
    return far <= 0 ? 1 : (double) erfcl(far / sqrtl(2 * variance));
}

/* Lists the doubled ranks of the values, ascending. */
static void listRanks(const Ties *ties, uint32_t *ranks) {
    uint32_t before = 0;
    for (size_t i = 0; i < ties->count; i++) {
        uint32_t size = ties->groups[i];
        for (uint32_t k = 0; k < size; k++) ranks[before + k] = 2 * before + size + 1; /* twice the group's mean rank */
        before += size;
    }
}

/* Exact two-sided p: share of the ways to deal the values in which the ranks of OTHER are as far from their mean. */
static bool exactP(const Ties *ties, uint64_t n, uint64_t m, tacRankSums *sums, double *p) {
    uint32_t ranks[TAC_RANK_EXACT];
    uint64_t few = n < m ? n : m; /* the ranks of BASE are as far from their mean as those of OTHER */
    int64_t far = llabs((int64_t) ties->twice - (int64_t) (n * m));
    *p = 1;
    if (far == 0) return true;
    listRanks(ties, ranks);
    return tacRankSumsFar(sums, ranks, (uint32_t) (n + m), (uint32_t) few, far, p);
}

/* Is the approximation of p near, and the exact one dear? Where no values are alike, the ways are those of the sample
 * before. */
static bool isNear(const Ties *ties, uint64_t n, uint64_t m) {
    uint64_t all = n + m;
    return all > RANK_MANY && n > RANK_SIDE && m > RANK_SIDE && ties->most > 1 && ties->most <= all / 2
        && ties->count >= RANK_APART;
}

/* The least p: all values of the one sample are above those of the other, or below. */
static double leastP(uint64_t n, uint64_t m) { return fmin(1, 2 * tacBeyond(m, m, n)); }

bool tacRankTestOf(const tacValues *base, const tacValues *other, bool exact, tacRankSums *sums, tacRankTest *test) {
    uint64_t n = base->n, m = other->n;
    *test = (tacRankTest){NAN, NAN, NAN, 1, false};
    if (!n || !m) return true;
    if (n == 1 && m == 1) { /* for a value each, chance alone makes any difference */
        int64_t a = tacValuesAt(base, 1), b = tacValuesAt(other, 1);
        *test = (tacRankTest){(b > a) + (b == a) / 2.0, 1, (b > a) - (b < a), 1, false};
        return true;
    }
    Ties ties;
    countPairs(base, other, &ties);
    test->u = (double) ties.twice / 2;
    test->delta = (double) ((long double) ties.twice / ((long double) n * (long double) m) - 1);
    test->least = leastP(n, m);
    bool small = n + m <= TAC_RANK_EXACT;
    test->isRough = small && !exact && isNear(&ties, n, m);
    if (small && !test->isRough) return exactP(&ties, n, m, sums, &test->p);
    test->p = approximateP(&ties, (long double) n, (long double) m);
    return true;
}

/* The product over the values beyond, or, which is the same, over those of the other sample, if these are fewer. */
double tacBeyond(uint64_t beyond, uint64_t n, uint64_t m) {
    double p = 1;
    uint64_t all = n + m, steps = beyond < m ? beyond : m;
    for (uint64_t i = 0; i < steps && p > 0; i++)
        p *= (double) (beyond < m ? n - i : all - beyond - i) / (double) (all - i);
    return p;
}
