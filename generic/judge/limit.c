/*
 * limit.c -- reads limits digit by digit, and writes what was reckoned with them.
 */
#include "base/port.h"

#include "judge/limit.h"

#include <string.h>

const char *const tacComparisonWords[] = {"==", "!=", "<", "<=", ">", ">=", NULL};

const char *tacComparisonAt(const char *at, const char *end, tacComparison *comparison) {
    for (size_t length = 2; length > 0; length--)
        for (int i = 0; tacComparisonWords[i]; i++) {
            const char *word = tacComparisonWords[i];
            if (strlen(word) != length || (size_t) (end - at) < length || memcmp(at, word, length) != 0) continue;
            *comparison = (tacComparison) i;
            return at + length;
        }
    return NULL;
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

/* The number as it is written: digits d1 d2 ... dn, of which `whole` stand before the point (it may be below 0 or above
 * n, by the exponent). */
typedef struct Written {
    const char *at, *end; /* digits and perhaps a point */
    bool negative;
    long whole;
} Written;

static bool parse(const char *text, size_t length, Written *written) {
    const char *at = text, *end = text + length, *point = NULL;
    long count = 0, exponent = 0;
    written->negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    written->at = at;
    for (; at < end && (isDigit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') point = at;
        else count++;
    }
    written->end = at;
    if (!count) return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        bool below = ++at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) at++;
        if (end - at < 1 || end - at > 2) return false;
        for (; at < end && isDigit(*at); at++) exponent = exponent * 10 + (*at - '0');
        if (below) exponent = -exponent;
    }
    written->whole = (point ? point - written->at : count) + exponent;
    return at == end;
}

/* Below 0 the largest tick that is not above the limit is one further down, unless it is the limit. */
static void negate(tacLimit *limit) {
    limit->ticks = -limit->ticks;
    if (!limit->part && !limit->rest) return;
    limit->ticks--;
    limit->part = TAC_LIMIT_PARTS - limit->part - limit->rest;
}

bool tacLimitParse(const char *text, size_t length, int digits, tacLimit *limit) {
    enum { PART_DIGITS = 19 };
    Written written;
    uint64_t ticks = 0, part = 0;
    bool rest = false, huge = false;
    if (!parse(text, length, &written)) return false;
    long place = written.whole + digits; /* digits that belong to the ticks from here on */
    const char *at = written.at;
    for (long left = place; left > 0 && !huge; left--) {
        while (at < written.end && *at == '.') at++;
        huge = ticks > (uint64_t) (TAC_TIME_LIMIT / 10 - 1);
        ticks = ticks * 10 + (at < written.end ? (uint64_t) (*at++ - '0') : 0);
        if (!ticks && at == written.end) break;
    }
    for (int k = 0; k < PART_DIGITS && !huge; k++) {
        while (at < written.end && *at == '.') at++;
        bool leading = place < 0 && k < -place;
        part = part * 10 + (!leading && at < written.end ? (uint64_t) (*at++ - '0') : 0);
    }
    for (; at < written.end && !huge; at++) rest |= *at != '.' && *at != '0';
    *limit = huge ? (tacLimit){INT64_MAX, 0, false} : (tacLimit){(int64_t) ticks, part, rest};
    if (written.negative && huge) *limit = (tacLimit){INT64_MIN, 0, true};
    else if (written.negative) negate(limit);
    return true;
}

bool tacFineParse(const char *text, size_t length, int digits, tacFine *fine, bool *exact) {
    Written written;
    tacFine all = 0;
    if (!parse(text, length, &written)) return false;
    const char *at = written.at;
    for (long left = written.whole + digits + TAC_FINE_DIGITS; left > 0 && all < TAC_FINE_LIMIT; left--) {
        while (at < written.end && *at == '.') at++;
        if (!all && at == written.end) break;
        all = all * 10 + (at < written.end ? *at++ - '0' : 0);
    }
    *exact = all < TAC_FINE_LIMIT;
    for (; at < written.end; at++) *exact &= *at == '.' || *at == '0';
    if (all > TAC_FINE_LIMIT) all = TAC_FINE_LIMIT;
    *fine = written.negative ? -all - !*exact : all;
    return true;
}

size_t tacFineFormat(tacFine fine, int digits, char buffer[TAC_FINE_SIZE]) {
    char reversed[TAC_FINE_SIZE];
    size_t n = 0, length = 0;
    tacFine value = fine < 0 ? -fine : fine;
    digits += TAC_FINE_DIGITS;
    while (digits > 0 && value % 10 == 0) value /= 10, digits--;
    do {
        reversed[n++] = (char) ('0' + (int) (value % 10));
        value /= 10;
        if (--digits == 0) reversed[n++] = '.';
    } while (value || digits >= 0);
    if (fine < 0) buffer[length++] = '-';
    while (n) buffer[length++] = reversed[--n];
    buffer[length] = '\0';
    return length;
}
