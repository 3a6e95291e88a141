/*
 * order.c -- sorting rows by time, fast for the disorder that traces usually have: processors slightly interleaved, or
 * one after the other, or late events at the end.
 *
 * A natural merge sort over row numbers: ascending runs are found, and neighbours merged so that lengths stay balanced
 * (the stack rule of Tim Peters' sort). When two runs are merged, the beginning of the first that is not after
 * the second and the end of the second that is not before the first stay in place, found by search from the border
 * outward; so local disorder costs only the rows that move.
 *
 * If merging moves several times as many rows as there are, nothing is where it belongs (a shuffled file). Then all
 * rows are sorted anew by radix: words of time and row number, digit by digit, which reads memory in order. Both are
 * stable.
 */
#include "base/port.h"

#include "base/search.h"
#include "trace/freeze.h"

#include <string.h>

/* A stretch of Sort.rows whose times ascend. */
typedef struct Run {
    uint32_t start, length;
} Run;

typedef struct Sort {
    const int64_t *time;   /* by row, ticks */
    uint32_t *rows;        /* row numbers that are sorted */
    uint32_t *spare;       /* room for the shorter part of a merge */
    Run runs[64];          /* a stack; lengths grow at least like Fibonacci numbers, so 64 are enough for 2^32 rows */
    int nRuns;             /* runs on the stack */
    uint64_t moved;        /* rows that took part in merges; once they are too many, nothing more is merged */
    uint64_t most;         /* that may */
    tacProgress *progress; /* once it is stopped, nothing more is merged */
} Sort;

enum { MOVES = 4, DIGIT = 11 }; /* moves of a row before all are sorted by radix; bits of a digit */

/* Merges two parts that overlap in time, of which the left one is the shorter and moves to the spare room. */
static void mergeLeft(Sort *s, uint32_t start, uint32_t nLeft, uint32_t nRight) {
    memcpy(s->spare, s->rows + start, nLeft * sizeof *s->rows);
    uint32_t i = 0, j = start + nLeft, end = j + nRight, to = start;
    while (i < nLeft && j < end && tacProgressAt(s->progress, to))
        s->rows[to++] = s->time[s->rows[j]] < s->time[s->spare[i]] ? s->rows[j++] : s->spare[i++];
    memcpy(s->rows + to, s->spare + i, (nLeft - i) * sizeof *s->rows);
}

/* The same where the right one is the shorter. */
static void mergeRight(Sort *s, uint32_t start, uint32_t nLeft, uint32_t nRight) {
    memcpy(s->spare, s->rows + start + nLeft, nRight * sizeof *s->rows);
    uint32_t i = nLeft, j = nRight, to = start + nLeft + nRight;
    while (i > 0 && j > 0 && tacProgressAt(s->progress, to))
        s->rows[--to] = s->time[s->spare[j - 1]] < s->time[s->rows[start + i - 1]] ? s->rows[start + --i]
                                                                                   : s->spare[--j];
    memcpy(s->rows + start, s->spare, j * sizeof *s->rows);
}

/* Merges runs k and k + 1 of the stack. */
static void mergeAt(Sort *s, int k) {
    Run left = s->runs[k], right = s->runs[k + 1];
    s->runs[k].length += right.length;
    memmove(&s->runs[k + 1], &s->runs[k + 2], (size_t) (s->nRuns - k - 2) * sizeof *s->runs);
    s->nRuns--;
    int64_t firstRight = s->time[s->rows[right.start]], lastLeft = s->time[s->rows[right.start - 1]];
    if (lastLeft <= firstRight || s->moved > s->most || tacProgressStopped(s->progress)) return;
    /* Rows in place stay: in the right run those from lastLeft on, in the left run those up to firstRight. Few others
     * are expected, so both limits are searched from the border outward. */
    const uint32_t *rows = s->rows + right.start;
    right.length = tacPastNear(uint32_t, 0, right.length, i, s->time[rows[i]] < lastLeft);
    rows = s->rows + left.start;
    uint32_t moves = tacPastNear(uint32_t, 0, left.length, i, s->time[rows[left.length - 1 - i]] > firstRight);
    left.start += left.length - moves;
    left.length = moves;
    s->moved += (uint64_t) left.length + right.length;
    if (left.length <= right.length) mergeLeft(s, left.start, left.length, right.length);
    else mergeRight(s, left.start, left.length, right.length);
}

/* Puts a run on the stack, and merges until lengths are balanced again. */
static void pushRun(Sort *s, Run run) {
    s->runs[s->nRuns++] = run;
    while (s->nRuns > 1) {
        int k = s->nRuns - 2;
        Run *r = s->runs;
        bool deep = (k > 0 && r[k - 1].length <= r[k].length + r[k + 1].length)
            || (k > 1 && r[k - 2].length <= r[k - 1].length + r[k].length);
        if (deep && k > 0 && r[k - 1].length < r[k + 1].length) mergeAt(s, k - 1);
        else if (deep || r[k].length <= r[k + 1].length) mergeAt(s, k);
        else break;
    }
}

/* Sorts all rows by merging natural runs; stops when too many rows have moved. */
static void mergeRuns(Sort *s, uint32_t n) {
    for (uint32_t i = 0; i < n && tacProgressAt(s->progress, i); i++) s->rows[i] = i;
    for (uint32_t i = 0; i < n && s->moved <= s->most && !tacProgressStopped(s->progress);) {
        uint32_t start = i++;
        while (i < n && s->time[i] >= s->time[i - 1] && tacProgressAt(s->progress, i)) i++;
        pushRun(s, (Run){start, i - start});
    }
    while (s->nRuns > 1) mergeAt(s, s->nRuns - 2);
}

/* ---- by radix --------------------------------------------------------------------------------------------------- */

static int bitsOf(uint64_t number) { return number ? 64 - __builtin_clzll(number) : 0; }

/* Distributes words by the digit at `shift`. */
static void distribute(Sort *s, const uint64_t *from, uint64_t *to, uint32_t n, int shift) {
    uint32_t places[1 << DIGIT] = {0}, before = 0;
    for (uint32_t i = 0; i < n; i++) places[from[i] >> shift & ((1 << DIGIT) - 1)]++;
    for (size_t digit = 0; digit < 1 << DIGIT; digit++) {
        uint32_t count = places[digit];
        places[digit] = before;
        before += count;
    }
    for (uint32_t i = 0; i < n && tacProgressAt(s->progress, i); i++)
        to[places[from[i] >> shift & ((1 << DIGIT) - 1)]++] = from[i];
}

/* Sorts all rows by words of time, since the earliest one, and row number. False: no memory. */
static bool sortWords(Sort *s, uint32_t n, int64_t earliest, int timeBits) {
    int rowBits = bitsOf(n);
    uint64_t *words = tacAlloc(n * sizeof *words), *others = tacAlloc(n * sizeof *others);
    bool room = words && others;
    for (uint32_t i = 0; room && i < n && tacProgressAt(s->progress, i); i++)
        words[i] = ((uint64_t) s->time[i] - (uint64_t) earliest) << rowBits | i;
    for (int bit = 0; room && bit < timeBits && !tacProgressStopped(s->progress); bit += DIGIT) {
        distribute(s, words, others, n, rowBits + bit);
        uint64_t *sorted = others;
        others = words;
        words = sorted;
    }
    uint32_t mask = (uint32_t) (((uint64_t) 1 << rowBits) - 1);
    for (uint32_t i = 0; room && i < n && tacProgressAt(s->progress, i); i++) s->rows[i] = (uint32_t) words[i] & mask;
    tacFree(words);
    tacFree(others);
    return room;
}

/* Sorts all rows. False: no memory. */
static bool sort(Sort *s, uint32_t n) {
    int64_t earliest = s->time[0], latest = s->time[0];
    for (uint32_t i = 1; i < n && tacProgressAt(s->progress, i); i++) {
        if (s->time[i] < earliest) earliest = s->time[i];
        if (s->time[i] > latest) latest = s->time[i];
    }
    int timeBits = bitsOf((uint64_t) latest - (uint64_t) earliest);
    s->most = timeBits + bitsOf(n) <= 64 ? (uint64_t) MOVES * n : UINT64_MAX;
    mergeRuns(s, n);
    return s->moved <= s->most || tacProgressStopped(s->progress) || sortWords(s, n, earliest, timeBits);
}

tacStatus tacOrderRows(const tacStore *store, uint32_t **rows, tacError *err) {
    uint32_t n = tacStoreCount(store);
    *rows = NULL;
    Sort s = {.time = store->time.at, .progress = store->progress};
    uint32_t ascending = n > 0;
    while (ascending < n && s.time[ascending] >= s.time[ascending - 1] && tacProgressAt(s.progress, ascending))
        ascending++;
    if (tacProgressStopped(s.progress)) return tacFailStopped(err, s.progress);
    if (ascending == n) return TAC_OK;
    s.rows = tacAlloc(n * sizeof *s.rows);
    s.spare = tacAlloc((n / 2 + 1) * sizeof *s.spare);
    if (!s.rows || !s.spare) {
        tacFree(s.rows);
        tacFree(s.spare);
        return tacFailMemory(err);
    }
    bool room = sort(&s, n);
    tacFree(s.spare);
    *rows = s.rows;
    if (!room) return tacFailMemory(err);
    return tacProgressStopped(s.progress) ? tacFailStopped(err, s.progress) : TAC_OK;
}
