/*
 * rankSums.h -- the exact distribution of a sum of ranks: in how many ways some of up to TAC_RANK_EXACT values can be
 * chosen, by the sum of their ranks, ties included (Streitberg and Roehmel, Statistical Software Newsletter 12, 1986,
 * 10-17).
 *
 *      ranks -> lower and upper half -> ways of each by number and sum -> pairs of ways whose sums are small together
 *
 * Halves are as few sums as whole samples are many: those of 60 values have 9000 each, with counts that fit into 32
 * bits. They are kept, since samples without ties, or with the same ones, have the same.
 */
#ifndef TAC_ANALYSIS_RANK_SUMS_H
#define TAC_ANALYSIS_RANK_SUMS_H

#include "base/mem.h"

enum {
    TAC_RANK_EXACT = 60,
    TAC_RANK_HALF = TAC_RANK_EXACT / 2,
    /* Sums of as many values of a half, at most: their doubled ranks differ by less than 3 / 2 of all values, also
     * where the last ones are equal to some of the other half, and sums of k of them, or of all but k, by k times that.
     */
    TAC_RANK_WIDTH = 3 * TAC_RANK_EXACT / 2 * TAC_RANK_HALF / 2
};

typedef struct tacRankHalf {
    uint32_t n, most;                  /* values; the greatest number of them that is chosen; n 0: nothing is known */
    uint32_t ranks[TAC_RANK_HALF];     /* above the first one, in units of `step`, ascending */
    uint32_t step;                     /* 1 or 2 */
    uint32_t least[TAC_RANK_HALF + 1]; /* by number of values chosen: their least sum */
    uint32_t width[TAC_RANK_HALF + 1]; /* their sums: least, least + 1 ... */
    uint32_t start[TAC_RANK_HALF + 2]; /* place of the first one in `ways` */
    TAC_ARRAY(uint32_t) ways;
} tacRankHalf;

typedef struct tacRankSums {  /* all zero at first */
    tacRankHalf lower, upper; /* of the upper half ways have sums up to, not equal to, and from the greatest one down */
} tacRankSums;

/*
 * Share of the ways to choose m of n values in which the sum of their doubled ranks, which ascend, is at least `far`,
 * which is above 0, from its mean m (n + 1). False: no memory.
 */
bool tacRankSumsFar(tacRankSums *sums, const uint32_t *ranks, uint32_t n, uint32_t m, int64_t far, double *share);
void tacRankSumsFree(tacRankSums *sums);

#endif
