/*
 * decimal.h -- exact times.
 *
 * A time is an int64 count of ticks; a tick is 10^-digits time units, and one trace has one `digits` for all its times
 * (trace/times.h says which). Times of a trace are less than TAC_TIME_LIMIT ticks from 0, so that the difference of any
 * two, and a release plus a relative deadline, fit into 64 bits.
 */
#ifndef TAC_BASE_DECIMAL_H
#define TAC_BASE_DECIMAL_H

#include "base/error.h"

#define TAC_UNKNOWN INT64_MIN /* a time that is not known; no parsed time has this value */
#define TAC_TIME_LIMIT ((int64_t) 1 << 62)
#define TAC_MORE \
    INT64_MAX /* a length or sum too large for 64 bits; -TAC_MORE: one below 0. No two times differ so much */
#define TAC_MAX_DIGITS 19

/* A parsed number: mantissa * 10^-digits; digits >= 0 and without trailing zeros. */
typedef struct tacDecimal {
    int64_t mantissa;
    int digits;   /* 0 .. TAC_MAX_DIGITS */
    bool rounded; /* had more digits than the mantissa holds */
    bool beyond;  /* a number, but larger than any mantissa: the parsing failed */
} tacDecimal;

/* Reads [+-]digits[.digits][(e|E)[+-]digits], which must be the whole text. TAC_ERROR for anything else (hex, inf,
 * nan, an empty text) and for numbers that are too large. */
tacStatus tacDecimalParse(const char *text, size_t length, tacDecimal *result);

/* Writes ticks of 10^-digits as the shortest exact decimal ("0.1", "20", "-3.5"; TAC_UNKNOWN gives ""); returns the
 * length. */
enum { TAC_DECIMAL_SIZE = 48 };
size_t tacDecimalFormat(int64_t ticks, int digits, char buffer[TAC_DECIMAL_SIZE]);

/*
 * Writes ticks of 10^-digits units, the unit being 10^exponent seconds, in the largest of s, ms, us, ns and ps of which
 * they are at least one: "1.25 ms". most: significant digits, half to even; 0: exactly. Returns the length.
 */
size_t tacLengthPlain(int64_t ticks, int digits, int most, char buffer[TAC_DECIMAL_SIZE]); /* without a unit */
size_t tacLengthText(int64_t ticks, int digits, int exponent, int most, char buffer[TAC_DECIMAL_SIZE]);

/* Multiplies by 10^shift (shift may be negative), rounding half to even; false when the result does not fit into 63
 * bits. Sets *rounded when digits got lost, else leaves it alone. */
bool tacDecimalShift(int64_t value, int shift, int64_t *result, bool *rounded);

/* True when |ticks| is below the limit; false for TAC_UNKNOWN. */
static inline bool tacIsTime(int64_t ticks) { return ticks > -TAC_TIME_LIMIT && ticks < TAC_TIME_LIMIT; }

/* True for a length or sum that is known and that 64 bits hold. */
static inline bool tacIsKnown(int64_t ticks) { return ticks > -TAC_MORE && ticks < TAC_MORE; }

/* The power of ten that a unit of time ("s", "ms", "us", "\xc2\xb5s", "ns", "ps") is of a second; false: it is none. */
bool tacTimeUnit(const char *name, size_t length, int *exponent);

double tacDecimalDouble(int64_t ticks, int digits); /* in time units */

#endif
