/*
 * values.h -- samples of values, and what can be said of the difference of two.
 *
 *      values -> sorted, equal ones together (tacValues) -> values at ranks, intervals of them, the rank test
 *
 * A sample has runs: a value and how many values there are up to it. One that was read from a baseline may be reduced:
 * a run then stands for a block of neighbours in rank, with the value of the middle one.
 *
 * All of this treats values as drawn independently of one another, which jobs of one trace are not: a late job delays
 * the next one. tactus_compare(n) says what to make of that.
 */
#ifndef TAC_ANALYSIS_VALUES_H
#define TAC_ANALYSIS_VALUES_H

#include "analysis/rankSums.h"
#include "base/mem.h"

typedef struct tacValuesRun {
    int64_t value;
    uint64_t upTo; /* values of the sample up to this one, which is the rank of the last of them */
} tacValuesRun;

typedef struct tacValues {
    TAC_ARRAY(tacValuesRun) runs; /* values ascend */
    uint64_t n;                   /* values */
} tacValues;

/* Makes a sample of values, which it sorts, in the place of those that it has. False: no memory. */
bool tacValuesMake(tacValues *sample, int64_t *values, size_t n);
/* Adds `count` times a value that is not less than those before. False: no memory, or more than UINT32_MAX values. */
bool tacValuesAdd(tacValues *sample, int64_t value, uint64_t count);
/* Adds the values of another sample. False: no memory; the sample is then as it was. */
bool tacValuesJoin(tacValues *sample, const tacValues *other);
/*
 * Keeps of a sample of many values (over TAC_VALUES_FEW) a run for each block of ranks. m being the distance of a
 * block from the nearer end of the sample, it has 1 rank up to m = TAC_VALUES_TAIL, then sqrt(m): since the rank of a
 * quantile has a standard deviation of nearly sqrt(m) by chance alone, that costs little. False: no memory.
 */
enum { TAC_VALUES_FEW = 4096, TAC_VALUES_TAIL = 128 };
bool tacValuesReduce(tacValues *sample);
void tacValuesClear(tacValues *sample); /* leaves no values, but their memory for others */
void tacValuesFree(tacValues *sample);

int64_t tacValuesAt(const tacValues *sample, uint64_t rank); /* 1 <= rank <= n */
/* Number of values above a value, and below it. */
uint64_t tacValuesAbove(const tacValues *sample, int64_t value);
uint64_t tacValuesBelow(const tacValues *sample, int64_t value);

/* An estimate with the bounds of its interval; a bound that is not known is NAN. */
typedef struct tacInterval {
    double at, low, high;
} tacInterval;
/* Bounds of ranks that were worked out before, since very many samples may be of one size; all zero at first. */
enum { TAC_BOUNDS = 1024 };
typedef struct tacBounds {
    struct tacRankBounds {
        uint64_t n, low, high;
        double alpha;
        unsigned thousandths;
    } ranks[TAC_BOUNDS];
    double alpha, normal; /* the bound of a standard normal variable for alpha */
} tacBounds;
/*
 * The quantile by nearest rank, ceil(n p), p in thousandths, and the values between which that of the distribution lies
 * with a confidence of at least 1 - alpha: the number of values below it is binomial, so no distribution is assumed
 * (David and Nagaraja, Order Statistics, 3rd ed. 2003, section 7.1). With too few values there is no bound.
 */
tacInterval tacQuantile(const tacValues *sample, unsigned thousandths, double alpha, tacBounds *known);
/* Interval of a share, count of n: Wilson's (J. Am. Stat. Assoc. 22, 1927, 209-212). */
tacInterval tacShare(uint64_t count, uint64_t n, double alpha, tacBounds *known);
/* Interval of other - base. */
tacInterval tacIntervalDifference(tacInterval base, tacInterval other);

/*
 * Whether the values of one sample tend to be greater: the test of Mann and Whitney (Ann. Math. Stat. 18, 1947, 50-60).
 * Up to TAC_RANK_EXACT values in both p is exact, over all ways to deal the values (rankSums.h); else by the normal
 * approximation with the correction for ties and for continuity (Lehmann, Nonparametrics, 1975, section 1.4), which is
 * half of the gap between sums of ranks where all of these are wide.
 */
typedef struct tacRankTest {
    double u;     /* pairs in which the value of OTHER is the greater one; equal ones count half */
    double p;     /* two-sided; NAN: a sample is empty */
    double delta; /* share of pairs in which OTHER is greater - in which it is less (Cliff, Psych. Bull. 114, 1993) */
    double least; /* the least p that samples of these sizes can have */
    bool isRough; /* p is an approximation, though there are TAC_RANK_EXACT values at most */
} tacRankTest;
/*
 * exact false: p is approximated where the exact one takes long, that is as reading forty events: of more than 40
 * values, more than 10 on each side, of which some are alike, but at most half, and 10 differ. It is less than 0.03 off
 * (tests/compare.test). False: no memory.
 */
bool tacRankTestOf(const tacValues *base, const tacValues *other, bool exact, tacRankSums *sums, tacRankTest *test);

/*
 * Probability that at least `beyond` of the values of a sample of n exceed all m of another, when both are of one
 * distribution without ties (Rosenbaum, Ann. Math. Stat. 25, 1954, 146-150).
 */
double tacBeyond(uint64_t beyond, uint64_t n, uint64_t m);

#endif
