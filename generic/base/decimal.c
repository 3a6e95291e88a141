/*
 * decimal.c -- decimals to ticks and back, exactly; where digits are lost, the value is rounded half to even, and a
 * flag says so.
 */
#include "base/port.h"

#include "base/decimal.h"

#include <stdio.h>
#include <string.h>

static const uint64_t powers[] = {1ULL, 10ULL, 100ULL, 1000ULL, 10000ULL, 100000ULL, 1000000ULL, 10000000ULL,
    100000000ULL, 1000000000ULL, 10000000000ULL, 100000000000ULL, 1000000000000ULL, 10000000000000ULL,
    100000000000000ULL, 1000000000000000ULL, 10000000000000000ULL, 100000000000000000ULL, 1000000000000000000ULL,
    10000000000000000000ULL};

enum { MOST = 19 }; /* decimal digits that a uint64 holds whatever they are */

/* A number that is being read. */
typedef struct Scan {
    const char *at, *end; /* what is not read yet */
    uint64_t value;       /* of the first MOST significant digits */
    int digits;           /* of them after the point; may be negative: dropped digits before the point */
    int significant;      /* digits in value, leading zeros not counted */
    int next;             /* first dropped digit, -1: none */
    bool anyDigit, tail;  /* tail: a dropped digit after `next` is not 0 */
} Scan;

/* Reads digits; fraction: they stand behind the point. */
static void scanDigits(Scan *s, bool fraction) {
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
        int digit = *s->at - '0';
        s->anyDigit = true;
        if (s->significant < MOST) {
            s->value = 10 * s->value + (uint64_t) digit;
            if (s->value) s->significant++;
            s->digits += fraction;
            continue;
        }
        if (s->next < 0) s->next = digit;
        else if (digit) s->tail = true;
        s->digits -= !fraction;
    }
}

/* Reads the exponent behind e or E, if there is one; false: it has no digits. Huge exponents are cut: the number
 * is too large or 0 in any case. */
static bool scanExponent(Scan *s) {
    if (s->at == s->end || (*s->at != 'e' && *s->at != 'E')) return true;
    s->at++;
    int sign = 1, value = 0;
    if (s->at < s->end && (*s->at == '+' || *s->at == '-')) sign = *s->at++ == '-' ? -1 : 1;
    if (s->at == s->end || *s->at < '0' || *s->at > '9') return false;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
        if (value < 100000) value = 10 * value + (*s->at - '0');
    s->digits -= sign * value;
    return true;
}

/* value / 10^n, half to even; tail: the digits behind the value, dropped before, are not all 0. */
static uint64_t roundOff(uint64_t value, int n, bool tail, bool *rounded) {
    if (n > MOST) {
        *rounded |= value != 0;
        return 0;
    }
    uint64_t quotient = value / powers[n], rest = value % powers[n], half = powers[n] / 2;
    if (rest || tail) *rounded = true;
    if (rest > half || (rest == half && n > 0 && (tail || quotient % 2))) quotient++;
    return quotient;
}

/* The value without its last n digits, rounded once: digits that were dropped while reading count as well. */
static uint64_t shorten(const Scan *s, int n, bool *rounded) {
    bool tail = s->next > 0 || s->tail;
    if (n > 0) return roundOff(s->value, n, tail, rounded);
    *rounded |= tail;
    return s->value + (s->next > 5 || (s->next == 5 && (s->tail || s->value % 2)));
}

tacStatus tacDecimalParse(const char *text, size_t length, tacDecimal *result) {
    Scan s = {.at = text, .end = text + length, .next = -1};
    bool negative = false, rounded = false;
    if (s.at < s.end && (*s.at == '-' || *s.at == '+')) negative = *s.at++ == '-';
    scanDigits(&s, false);
    if (s.at < s.end && *s.at == '.') {
        s.at++;
        scanDigits(&s, true);
    }
    if (!s.anyDigit || !scanExponent(&s) || s.at != s.end) return result->beyond = false, TAC_ERROR;
    int drop = s.digits > TAC_MAX_DIGITS ? s.digits - TAC_MAX_DIGITS : 0;
    uint64_t value = shorten(&s, drop, &rounded);
    if (value > INT64_MAX && s.digits > drop) value = shorten(&s, ++drop, &rounded); /* 19 digits above 2^63 */
    int digits = value ? s.digits - drop : 0;
    for (; digits > 0 && value % 10 == 0; digits--) value /= 10;
    for (; digits < 0; digits++) {
        if (value > INT64_MAX / 10) return result->beyond = true, TAC_ERROR;
        value *= 10;
    }
    if (value > INT64_MAX) return result->beyond = true, TAC_ERROR;
    *result = (tacDecimal){negative ? -(int64_t) value : (int64_t) value, digits, rounded, false};
    return TAC_OK;
}

/* Writes a number in front of `end` with at least so many digits; returns where it begins. */
static char *writeDigits(char *end, uint64_t value, int least) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    char *at = end;
    for (; value >= 10; value /= 100) memcpy(at -= 2, pairs + 2 * (value % 100), 2);
    if (value || at == end) *--at = (char) ('0' + value);
    while (end - at < least) *--at = '0';
    return at;
}

size_t tacDecimalFormat(int64_t ticks, int digits, char buffer[TAC_DECIMAL_SIZE]) {
    char written[TAC_DECIMAL_SIZE], *end = written + sizeof written, *at = end;
    buffer[0] = '\0';
    if (ticks == TAC_UNKNOWN) return 0;
    uint64_t value = ticks < 0 ? -(uint64_t) ticks : (uint64_t) ticks;
    while (digits > 0 && value % 10 == 0) value /= 10, digits--;
    if (digits > 0) {
        uint64_t whole = digits <= TAC_MAX_DIGITS ? value / powers[digits] : 0;
        at = writeDigits(end, whole ? value % powers[digits] : value, digits);
        *--at = '.';
        value = whole;
    }
    at = writeDigits(at, value, 1);
    if (ticks < 0) *--at = '-';
    memcpy(buffer, at, (size_t) (end - at));
    buffer[end - at] = '\0';
    return (size_t) (end - at);
}

bool tacDecimalShift(int64_t value, int shift, int64_t *result, bool *rounded) {
    if (shift <= 0) {
        uint64_t size = roundOff(value < 0 ? -(uint64_t) value : (uint64_t) value, -shift, false, rounded);
        *result = value < 0 ? -(int64_t) size : (int64_t) size;
        return true;
    }
    if (value == 0) return *result = 0, true;
    if (shift >= MOST) return false;
    return !__builtin_mul_overflow(value, (int64_t) powers[shift], result) && *result != INT64_MIN;
}

static int decimalsOf(int64_t ticks) {
    int count = 0;
    for (uint64_t rest = ticks < 0 ? -(uint64_t) ticks : (uint64_t) ticks; rest; rest /= 10) count++;
    return count;
}

/* Rounds ticks of 10^-digits to so many significant digits; not below the point. most 0: leaves them. */
static void roundTo(int most, int64_t *ticks, int *digits) {
    bool rounded = false;
    int excess = most > 0 ? decimalsOf(*ticks) - most : 0;
    if (excess > *digits) excess = *digits;
    if (excess > 0 && tacDecimalShift(*ticks, -excess, ticks, &rounded)) *digits -= excess;
}

size_t tacLengthPlain(int64_t ticks, int digits, int most, char buffer[TAC_DECIMAL_SIZE]) {
    roundTo(most, &ticks, &digits);
    return tacDecimalFormat(ticks, digits, buffer);
}

size_t tacLengthText(int64_t ticks, int digits, int exponent, int most, char buffer[TAC_DECIMAL_SIZE]) {
    static const char *const names[] = {"s", "ms", "\xc2\xb5s", "ns", "ps"};
    bool rounded = false;
    buffer[0] = '\0';
    if (ticks == TAC_UNKNOWN) return 0;
    int excess = most > 0 ? decimalsOf(ticks) - most : 0;
    if (excess > 0 && tacDecimalShift(ticks, -excess, &ticks, &rounded)) digits -= excess;
    int order = ticks ? decimalsOf(ticks) - 1 + exponent - digits : exponent, unit = 0; /* of its first digit */
    while (unit < 4 && -3 * unit > order) unit++;
    digits += -3 * unit - exponent; /* behind the point, in that unit */
    if (digits < 0 && tacDecimalShift(ticks, -digits, &ticks, &rounded)) digits = 0;
    size_t length = tacDecimalFormat(ticks, digits, buffer);
    return length + (size_t) snprintf(buffer + length, TAC_DECIMAL_SIZE - length, " %s", names[unit]);
}

bool tacTimeUnit(const char *name, size_t length, int *exponent) {
    static const struct {
        const char *name;
        int exponent;
    } units[] = {{"s", 0}, {"ms", -3}, {"us", -6}, {"\xc2\xb5s", -6}, {"\xce\xbcs", -6}, {"ns", -9}, {"ps", -12}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) != length || memcmp(units[i].name, name, length) != 0) continue;
        *exponent = units[i].exponent;
        return true;
    }
    return false;
}

double tacDecimalDouble(int64_t ticks, int digits) {
    return digits ? (double) ticks / (double) powers[digits] : (double) ticks;
}
