/*
 * number.c -- numbers as text.
 */
#include "base/port.h"

#include "base/number.h"
#include "base/print.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
enum { MOST_POWER = 15 };

/* Length of what snprintf has written, or would have. */
static size_t written(int length) {
    return length < 0 ? 0 : length < TAC_DECIMAL_SIZE ? (size_t) length : TAC_DECIMAL_SIZE - 1;
}

/* Rounds size * 10^decimals; false: it is too great, or so near the middle of two integers that digits which are not
 * computed decide. */
static bool roundAt(double size, int decimals, int64_t *rounded) {
    if (abs(decimals) > MOST_POWER) return false;
    double near = decimals < 0 ? size / powers[-decimals] : size * powers[decimals];
    if (near < 1e9 && near == (double) (int64_t) near) return *rounded = (int64_t) near, true;
    long double scaled = decimals < 0 ? (long double) size / powers[-decimals] : (long double) size * powers[decimals];
    if (!(scaled < 1e9L)) return false;
    *rounded = (int64_t) scaled;
    long double rest = scaled - (long double) *rounded;
    if (fabsl(rest - 0.5L) < 1e-4L) return false;
    *rounded += rest > 0.5L;
    return true;
}

/* Rounds to so many significant digits, the last of which is the decimals-th behind the point; false: as above. */
static bool roundSignificant(double size, int digits, int64_t *rounded, int *decimals) {
    double first = size;
    for (*decimals = digits - 1; first >= 10; first /= 10) --*decimals;
    for (; first < 1; first *= 10) ++*decimals;
    return roundAt(size, *decimals, rounded) && (double) *rounded >= powers[digits - 1]
        && (double) *rounded < powers[digits];
}

/* Writes the sign of a number, if it has one. */
static size_t putSign(double number, bool sign, char *text) {
    if (!signbit(number) && !sign) return 0;
    *text = signbit(number) ? '-' : '+';
    return 1;
}

size_t tacNumberShort(double number, bool sign, char text[TAC_DECIMAL_SIZE]) {
    int64_t rounded;
    int decimals;
    double size = fabs(number);
    if (size == 0) return strcpy(text, "0"), 1;
    if (size < 999999 && size == (double) (int32_t) size) {
        size_t length = putSign(number, sign, text);
        return length + tacDecimalFormat((int32_t) size, 0, text + length);
    }
    if (size >= 1e-4 && size < 999999 && roundSignificant(size, 6, &rounded, &decimals)) {
        size_t length = putSign(number, sign, text);
        return length + tacDecimalFormat(rounded, decimals, text + length);
    }
    return written(tacPrint(text, TAC_DECIMAL_SIZE, sign ? "%+.6g" : "%.6g", number));
}

size_t tacNumberFixed(double number, int decimals, bool sign, char text[TAC_DECIMAL_SIZE]) {
    int64_t rounded;
    if (!roundAt(fabs(number), decimals, &rounded))
        return written(tacPrint(text, TAC_DECIMAL_SIZE, sign ? "%+.*f" : "%.*f", decimals, number));
    char reversed[TAC_DECIMAL_SIZE];
    size_t n = 0, length = putSign(number, sign, text);
    for (int place = 0; place <= decimals || rounded; place++, rounded /= 10) {
        if (place && place == decimals) reversed[n++] = '.';
        reversed[n++] = (char) ('0' + rounded % 10);
    }
    while (n) text[length++] = reversed[--n];
    text[length] = '\0';
    return length;
}

/* Writes a number of few decimals, at most nine; 0: it has more. */
static size_t exactFew(double number, char text[TAC_DECIMAL_SIZE]) {
    if (fabs(number) < 1e-4 || fabs(number) >= 1e15) return 0;
    for (int decimals = 0; decimals <= 9; decimals += 3) {
        double scaled = number * powers[decimals];
        if (fabs(scaled) >= 1e15) return 0;
        int64_t ticks = llrint(scaled);
        if ((double) ticks / powers[decimals] != number) continue;
        size_t length = tacDecimalFormat(ticks, decimals, text);
        if (memchr(text, '.', length)) return length;
        strcpy(text + length, ".0");
        return length + 2;
    }
    return 0;
}

/* Writes digits and an exponent of ten as Tcl does. */
static size_t exactDigits(bool negative, const char *digits, int exponent, char text[TAC_DECIMAL_SIZE]) {
    const char *sign = negative ? "-" : "";
    int n = (int) strlen(digits);
    if (exponent < -4 || exponent > 16)
        return written(
            snprintf(text, TAC_DECIMAL_SIZE, "%s%c%s%se%+d", sign, *digits, n > 1 ? "." : "", digits + 1, exponent));
    if (exponent < 0)
        return written(snprintf(text, TAC_DECIMAL_SIZE, "%s0.%.*s%s", sign, -exponent - 1, "000", digits));
    if (n <= exponent + 1)
        return written(
            snprintf(text, TAC_DECIMAL_SIZE, "%s%s%.*s.0", sign, digits, exponent + 1 - n, "0000000000000000"));
    return written(snprintf(text, TAC_DECIMAL_SIZE, "%s%.*s.%s", sign, exponent + 1, digits, digits + exponent + 1));
}

size_t tacNumberExact(double number, char text[TAC_DECIMAL_SIZE]) {
    char digits[TAC_DECIMAL_SIZE];
    if (number == 0) return written(snprintf(text, TAC_DECIMAL_SIZE, signbit(number) ? "-0.0" : "0.0"));
    size_t length = exactFew(number, text);
    if (length) return length;
    /* 15 digits are never too many, but for numbers that have fewer bits */
    for (int precision = fabs(number) < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
        tacPrint(digits, sizeof digits, "%.*e", precision - 1, fabs(number));
        if (precision == 17 || tacNumberRead(digits, NULL) == fabs(number)) break;
    }
    char *e = strchr(digits, 'e');
    int exponent = atoi(e + 1);
    while (e[-1] == '0') e--;
    *e = '\0';
    memmove(digits + 1, digits + 2, strlen(digits + 1)); /* the point */
    return exactDigits(signbit(number), digits, exponent, text);
}

size_t tacNumberLength(double number, int exponent, char text[TAC_DECIMAL_SIZE]) {
    enum { DIGITS = 4 };
    int64_t rounded;
    int decimals;
    tacDecimal decimal;
    double size = fabs(number);
    if (size >= 1e-9 && size < 1e9 && roundSignificant(size, DIGITS, &rounded, &decimals))
        return tacLengthText(number < 0 ? -rounded : rounded, decimals, exponent, 0, text);
    char digits[400];
    int length = tacPrint(digits, sizeof digits, "%.18f", number);
    if (tacDecimalParse(digits, (size_t) length, &decimal) != TAC_OK) return tacNumberShort(number, false, text);
    return tacLengthText(decimal.mantissa, decimal.digits, exponent, DIGITS, text);
}
