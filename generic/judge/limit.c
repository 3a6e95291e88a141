/*
 * limit.c -- reads limits digit by digit.
 */
#include "base/port.h"

#include "judge/limit.h"

#include <string.h>

const char *const tacComparisonWords[] = {"==", "!=", "<", "<=", ">", ">=", NULL};

bool tacComparisonHolds(tacComparison op, int order) {
    switch (op) {
    case TAC_BELOW: return order < 0;
    case TAC_AT_MOST: return order <= 0;
    case TAC_EQUAL: return order == 0;
    case TAC_UNEQUAL: return order != 0;
    case TAC_ABOVE: return order > 0;
    default: return order >= 0; /* TAC_AT_LEAST */
    }
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
