/*
 * digits.h -- sorts very many things by numbers and names without comparing them: by 8 bits at a time, from the lowest.
 *
 *      places 0 .. n-1 -> by the least important number -> ... -> by the most important one -> the places in order
 *
 * Each sort keeps the order of equal ones, so the things come in the order of their places where all else is alike.
 */
#ifndef TAC_BASE_DIGITS_H
#define TAC_BASE_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tacDigits {
    size_t n;         /* things; less than 2^32 */
    uint64_t *keys;   /* of each thing: to be filled before a sort by numbers */
    uint32_t *places; /* in the order so far */
    uint32_t *spare;  /* room for another order */
} tacDigits;

bool tacDigitsInit(tacDigits *d, size_t n); /* in the order of their places; false: no memory, and nothing to free */
void tacDigitsFree(tacDigits *d);

/* Sorts the places by their keys. */
void tacDigitsSort(tacDigits *d);

/* Sorts the places by names, one for each thing, as strcmp does. Overwrites the keys. */
void tacDigitsSortNames(tacDigits *d, const char *const *names);

/* Puts the n things, of `size` bytes each, into the order of the places, where they stand: no memory is needed. The
 * places are those of this order then. */
enum { TAC_DIGITS_SIZE_MOST = 64 };
void tacDigitsApply(tacDigits *d, void *things, size_t size);

/* Keys that have the order of numbers, which are not NaN; -0 is 0. */
uint64_t tacDigitsNumber(double number);
static inline uint64_t tacDigitsInteger(int64_t integer) { return (uint64_t) integer ^ UINT64_C(1) << 63; }

#endif
