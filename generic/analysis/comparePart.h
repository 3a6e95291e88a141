/*
 * comparePart.h -- what the tables of a comparison have in common, for the files compare*.c.
 */
#ifndef TAC_ANALYSIS_COMPARE_PART_H
#define TAC_ANALYSIS_COMPARE_PART_H

#include "analysis/compare.h"

typedef struct tacTaskPair {
    uint32_t base, other; /* tasks of the profiles; TAC_NONE: there is none */
} tacTaskPair;

typedef struct tacTaskPairs {
    const tacProfile *base, *other;
    TAC_ARRAY(tacTaskPair) all; /* those of OTHER without a partner come last */
    size_t partners;            /* pairs of two tasks */
    tacTimeScale scale;         /* of both sides */
    void (*release)(void *data);
    void *data; /* of `release`, which frees what the profiles are part of; NULL: the caller does */
} tacTaskPairs;

/* Pairs the tasks: by name, then by id. Free the pairs in any case. TAC_ERROR: MEMORY, LIMIT TIME. */
tacStatus tacPairTasks(tacTaskPairs *pairs, tacProfile *base, tacProfile *other, tacError *err);
void tacPairsFree(tacTaskPairs *pairs);

static inline bool tacPairIsWhole(tacTaskPair pair) { return pair.base != TAC_NONE && pair.other != TAC_NONE; }
/* The name of the task, or its id where it was found by that. */
const char *tacPairTask(const tacTaskPairs *pairs, size_t i);
/* Index of the pair at a row of a table whose pairs begin at the rows first[0], first[1] ..., `last` being a guess. */
size_t tacPairAt(const uint32_t *first, size_t count, size_t last, uint64_t row);

/* Sets the bits of pairs whose response times are told to be higher or lower, or are too few to tell. The pairs stay
 * the caller's. TAC_ERROR: as tacCompareTable. */
tacStatus tacCompareTold(tacTaskPairs *pairs, double alpha, uint64_t *told, tacProgress *progress, tacError *err);

/* ---- the table of figures as people read it (compareText.c) ---- */

enum {
    TAC_COMPARE_BASE,
    TAC_COMPARE_OTHER,
    TAC_COMPARE_DIFFERENCE,
    TAC_COMPARE_CHANGE,
    TAC_COMPARE_LOW,
    TAC_COMPARE_HIGH,
    TAC_COMPARE_P,
    TAC_COMPARE_DELTA,
    TAC_COMPARE_NUMBERS
};
enum { TAC_COMPARE_COUNTS, TAC_COMPARE_OF_P, TAC_COMPARE_OF_DELTA, TAC_COMPARE_SHARED };
enum { TAC_AMOUNT_SIZE = 64 };
typedef struct tacCompareText {
    size_t length; /* 0: not made yet, or empty */
    char text[TAC_AMOUNT_SIZE];
} tacCompareText;
typedef struct tacCompareRow {                             /* a row of figures */
    const char *task, *measure, *figure, *verdict, *shift; /* NULL: empty */
    bool isCount, isShare;                                 /* of misses */
    double numbers[TAC_COMPARE_NUMBERS];                   /* in the unit of the table's times; NAN: empty */
    int64_t baseN, otherN;
    char text[160];                            /* of a cell that is made of these */
    tacCompareText shared[TAC_COMPARE_SHARED]; /* that of cells that are alike in all rows of a measure */
} tacCompareRow;
/* A row; valid until the next one is asked for. */
tacCompareRow *tacCompareRowAt(const tacTable *table, uint64_t row);
extern const tacTableReadable tacCompareReadable;

/* Writes a time, or without a unit a number, for people: with four digits, or six. sign: it is a difference. */
size_t tacCompareAmount(double number, const char *unit, bool sign, char text[TAC_AMOUNT_SIZE]);

#endif
