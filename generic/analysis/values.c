/*
 * values.c -- samples of values: making, joining and reducing them, and their quantiles.
 */
#include "base/port.h"

#include "analysis/values.h"
#include "base/search.h"

#include <math.h>
#include <string.h>

/* ---- making ----------------------------------------------------------------------------------------------------- */

/* Sorts by the bytes of the values, the least one first; bytes that are alike in all are left out. */
static void sortValues(int64_t *values, int64_t *room, size_t n) {
    const uint64_t sign = (uint64_t) 1 << 63; /* makes the order of signed values that of unsigned ones */
    for (int shift = 0; shift < 64; shift += 8) {
        size_t places[256] = {0}, place = 0;
        for (size_t i = 0; i < n; i++) places[(((uint64_t) values[i] ^ sign) >> shift) & 255]++;
        if (places[(((uint64_t) values[0] ^ sign) >> shift) & 255] == n) continue;
        for (int byte = 0; byte < 256; byte++) {
            size_t count = places[byte];
            places[byte] = place;
            place += count;
        }
        for (size_t i = 0; i < n; i++) room[places[(((uint64_t) values[i] ^ sign) >> shift) & 255]++] = values[i];
        memcpy(values, room, n * sizeof *values);
    }
}

bool tacValuesAdd(tacValues *sample, int64_t value, uint64_t count) {
    tacValuesRun *last = sample->runs.count ? &sample->runs.at[sample->runs.count - 1] : NULL;
    if (count > UINT32_MAX - sample->n) return false;
    sample->n += count;
    if (!count) return true;
    if (last && last->value == value) return last->upTo = sample->n, true;
    return tacArrayPush(&sample->runs, (tacValuesRun){value, sample->n});
}

enum { FEW = 64, LANES = 8 };

/* Sorts up to FEW values: each goes behind those that are less, which are counted without a branch. */
TAC_CLONES static void sortFew(int64_t *values, size_t n) {
    int64_t of[FEW];
    uint8_t equal[FEW] = {0}; /* by place: of the values there, those that have been put */
    size_t padded = (n + LANES - 1) / LANES * LANES;
    memcpy(of, values, n * sizeof *of);
    for (size_t i = n; i < padded; i++) of[i] = INT64_MAX; /* less than none */
    for (size_t i = 0; i < n; i++) {
        int64_t less = 0;
        for (size_t k = 0; k < padded; k += LANES)
            for (size_t lane = 0; lane < LANES; lane++) less += of[k + lane] < of[i];
        values[less + equal[less]++] = of[i];
    }
}

bool tacValuesMake(tacValues *sample, int64_t *values, size_t n) {
    tacValuesClear(sample);
    if (n <= FEW) sortFew(values, n);
    else {
        int64_t *room = tacAlloc(n * sizeof *room);
        if (!room) return false;
        sortValues(values, room, n);
        tacFree(room);
    }
    for (size_t i = 0; i < n; i++)
        if (!tacValuesAdd(sample, values[i], 1)) return tacValuesFree(sample), false;
    return true;
}

/* Values in a run. */
static uint64_t countOf(const tacValues *sample, size_t run) {
    return sample->runs.at[run].upTo - (run ? sample->runs.at[run - 1].upTo : 0);
}

bool tacValuesJoin(tacValues *sample, const tacValues *other) {
    tacValues joined = {.n = 0};
    size_t i = 0, j = 0;
    while (i < sample->runs.count || j < other->runs.count) {
        bool own = j == other->runs.count
            || (i < sample->runs.count && sample->runs.at[i].value <= other->runs.at[j].value);
        const tacValues *from = own ? sample : other;
        size_t run = own ? i++ : j++;
        if (!tacValuesAdd(&joined, from->runs.at[run].value, countOf(from, run))) return tacValuesFree(&joined), false;
    }
    tacValuesFree(sample);
    *sample = joined;
    return true;
}

bool tacValuesReduce(tacValues *sample) {
    tacValues reduced = {.n = 0};
    if (sample->n <= TAC_VALUES_FEW) return true;
    for (uint64_t rank = 1; rank <= sample->n;) {
        uint64_t left = sample->n - rank + 1, far = rank < left ? rank : left, block = 1;
        if (far > TAC_VALUES_TAIL) block = (uint64_t) sqrt((double) far);
        if (block > 1 && left > TAC_VALUES_TAIL && block > left - TAC_VALUES_TAIL) block = left - TAC_VALUES_TAIL;
        if (!tacValuesAdd(&reduced, tacValuesAt(sample, rank + (block - 1) / 2), block))
            return tacValuesFree(&reduced), false;
        rank += block;
    }
    tacValuesFree(sample);
    *sample = reduced;
    return true;
}

void tacValuesClear(tacValues *sample) {
    sample->runs.count = 0;
    sample->n = 0;
}

void tacValuesFree(tacValues *sample) {
    tacArrayFree(&sample->runs);
    sample->n = 0;
}

/* ---- ranks ------------------------------------------------------------------------------------------------------ */

int64_t tacValuesAt(const tacValues *sample, uint64_t rank) {
    return sample->runs.at[tacPast(size_t, 0, sample->runs.count, i, sample->runs.at[i].upTo < rank)].value;
}

uint64_t tacValuesAbove(const tacValues *sample, int64_t value) {
    size_t past = tacPast(size_t, 0, sample->runs.count, i, sample->runs.at[i].value <= value);
    return sample->n - (past ? sample->runs.at[past - 1].upTo : 0);
}

uint64_t tacValuesBelow(const tacValues *sample, int64_t value) {
    size_t past = tacPast(size_t, 0, sample->runs.count, i, sample->runs.at[i].value < value);
    return past ? sample->runs.at[past - 1].upTo : 0;
}

/* Nearest rank. */
static uint64_t rankOf(uint64_t n, unsigned thousandths) {
    uint64_t rank = (n * thousandths + 999) / 1000;
    return rank ? rank : 1;
}

/* Natural logarithm of the probability of k successes in n trials. */
static long double logBinomial(uint64_t n, uint64_t k, long double p) {
    return lgammal((long double) n + 1) - lgammal((long double) k + 1) - lgammal((long double) (n - k) + 1)
        + (long double) k * logl(p) + (long double) (n - k) * log1pl(-p);
}

/* The greatest l with P(B < l) <= alpha, B binomial: adds up from where probabilities do not count. */
static uint64_t lowerRank(uint64_t n, long double p, long double alpha) {
    long double sum = 0, odds = p / (1 - p), spread = 12 * sqrtl((long double) n * p * (1 - p)) + 40;
    long double mean = (long double) n * p;
    uint64_t k = mean > spread ? (uint64_t) (mean - spread) : 0;
    long double term = expl(logBinomial(n, k, p));
    for (; k < n; k++) {
        sum += term;
        if (sum > alpha) return k;
        term *= (long double) (n - k) / (long double) (k + 1) * odds;
    }
    return n;
}

/* Ranks of the bounds: low 0, high n + 1: there is none. */
static const struct tacRankBounds *boundRanks(tacBounds *known, uint64_t n, unsigned thousandths, double alpha) {
    uint64_t bits;
    memcpy(&bits, &alpha, sizeof bits);
    uint64_t hash = (bits ^ n * 1009 ^ thousandths) * UINT64_C(0x9e3779b97f4a7c15);
    struct tacRankBounds *ranks = &known->ranks[(hash >> 32) % TAC_BOUNDS];
    if (ranks->n == n && ranks->thousandths == thousandths && ranks->alpha == alpha) return ranks;
    double p = thousandths / 1000.0;
    *ranks = (struct tacRankBounds){.n = n, .alpha = alpha, .thousandths = thousandths};
    ranks->low = lowerRank(n, p, alpha / 2);
    ranks->high = n + 1 - lowerRank(n, 1 - (long double) p, alpha / 2);
    return ranks;
}

tacInterval tacQuantile(const tacValues *sample, unsigned thousandths, double alpha, tacBounds *known) {
    tacInterval interval = {NAN, NAN, NAN};
    if (!sample->n) return interval;
    const struct tacRankBounds *ranks = boundRanks(known, sample->n, thousandths, alpha);
    interval.at = (double) tacValuesAt(sample, rankOf(sample->n, thousandths));
    if (ranks->low >= 1) interval.low = (double) tacValuesAt(sample, ranks->low);
    if (ranks->high <= sample->n) interval.high = (double) tacValuesAt(sample, ranks->high);
    return interval;
}
