/*
 * number.h -- numbers as text, the very text of printf and Tcl, in a tenth of their time: where the digits of a number
 * are few, they are found by one multiplication; where rounding is close, printf decides.
 */
#ifndef TAC_BASE_NUMBER_H
#define TAC_BASE_NUMBER_H

#include "base/decimal.h"

/* All of these return the length of the text, which ends with a zero and is cut off at the size. */
/* As by "%.6g"; sign: "%+.6g". Never -0 or +0. */
size_t tacNumberShort(double number, bool sign, char text[TAC_DECIMAL_SIZE]);
/* As by "%.*f" with at most 9 decimals; sign: "%+.*f". */
size_t tacNumberFixed(double number, int decimals, bool sign, char text[TAC_DECIMAL_SIZE]);
/* The shortest decimal that reads back as the same number, as Tcl 8.6 writes it: "0.1", "2.0", "1e-5". */
size_t tacNumberExact(double number, char text[TAC_DECIMAL_SIZE]);
/* A length of time with four significant digits in the unit that suits it, as by tacLengthText. exponent: of the unit
 * of the number. */
size_t tacNumberLength(double number, int exponent, char text[TAC_DECIMAL_SIZE]);

#endif
