/*
 * logTime.c -- numbers, dates and times of day as decimals.
 */
#include "base/port.h"

#include "import/log/logTime.h"

#include <string.h>

/* Reads so many digits; -1: there are none. */
static int64_t digitsAt(const char **at, const char *end, int least, int most) {
    int64_t value = 0;
    int n = 0;
    for (; n < most && *at < end && **at >= '0' && **at <= '9'; n++, (*at)++) value = value * 10 + (**at - '0');
    return n < least ? -1 : value;
}

static bool passes(const char **at, const char *end, char c) {
    if (*at >= end || **at != c) return false;
    return (*at)++, true;
}

/* Days from 1970-01-01 to a date of the Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms",
 * 2013, days_from_civil). */
static int64_t daysOf(int64_t year, int64_t month, int64_t day) {
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400, inEra = year - era * 400;
    int64_t inYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + inEra * 365 + inEra / 4 - inEra / 100 + inYear - 719468;
}

/* Reads YYYY-MM-DD and what parts it from the time. */
static bool readDate(const char **at, const char *end, int64_t *days) {
    int64_t year = digitsAt(at, end, 4, 4);
    if (year < 0 || !passes(at, end, '-')) return false;
    int64_t month = digitsAt(at, end, 2, 2);
    if (month < 1 || month > 12 || !passes(at, end, '-')) return false;
    int64_t day = digitsAt(at, end, 2, 2);
    if (day < 1 || day > 31 || !(passes(at, end, 'T') || passes(at, end, ' '))) return false;
    return *days = daysOf(year, month, day), true;
}

/* Reads an offset from UTC, in seconds: Z, +HH:MM, +HHMM, or nothing. */
static bool readZone(const char **at, const char *end, int64_t *seconds) {
    *seconds = 0;
    if (*at == end || passes(at, end, 'Z')) return *at == end;
    bool east = passes(at, end, '+');
    if (!east && !passes(at, end, '-')) return false;
    int64_t hours = digitsAt(at, end, 2, 2);
    passes(at, end, ':');
    int64_t minutes = digitsAt(at, end, 2, 2);
    if (hours < 0 || minutes < 0 || *at != end) return false;
    *seconds = (hours * 60 + minutes) * (east ? 60 : -60);
    return true;
}

/* Reads a clock's time, and puts it in seconds into the buffer. False, too: it is so far from 1970 that its nanoseconds
 * have no number. */
static bool readClock(const tacWord *word, char buffer[TAC_DECIMAL_SIZE], tacWord *time) {
    const char *at = word->at, *end = at + word->length;
    int64_t days = 0, zone, ticks = 0;
    if (word->length > 10 && at[4] == '-' && !readDate(&at, end, &days)) return false;
    int64_t hours = digitsAt(&at, end, 1, 2);
    if (hours < 0 || hours > 24 || !passes(&at, end, ':')) return false;
    int64_t minutes = digitsAt(&at, end, 2, 2), seconds = 0;
    if (minutes < 0 || minutes > 59) return false;
    if (passes(&at, end, ':') && ((seconds = digitsAt(&at, end, 2, 2)) < 0 || seconds > 60)) return false;
    if (passes(&at, end, '.') || passes(&at, end, ',')) {
        const char *begin = at;
        ticks = digitsAt(&at, end, 1, TAC_LOG_DIGITS);
        for (int64_t n = at - begin; ticks > 0 && n < TAC_LOG_DIGITS; n++) ticks *= 10;
        while (at < end && *at >= '0' && *at <= '9') at++; /* finer than is kept */
    }
    if (ticks < 0 || !readZone(&at, end, &zone)) return false;
    int64_t whole = days * 86400 + hours * 3600 + minutes * 60 + seconds - zone;
    if (__builtin_mul_overflow(whole, INT64_C(1000000000), &whole) || __builtin_add_overflow(whole, ticks, &whole)
        || whole == TAC_UNKNOWN)
        return false;
    *time = (tacWord){buffer, tacDecimalFormat(whole, TAC_LOG_DIGITS, buffer)};
    return true;
}

bool tacLogIsClock(const tacWord *word) {
    char buffer[TAC_DECIMAL_SIZE];
    tacWord time;
    return memchr(word->at, ':', word->length) && readClock(word, buffer, &time);
}

bool tacLogTime(const tacWord *word, char buffer[TAC_DECIMAL_SIZE], tacWord *time) {
    tacDecimal number;
    char plain[TAC_DECIMAL_SIZE];
    const char *comma = memchr(word->at, ',', word->length);
    *time = *word;
    if (comma && word->length < sizeof plain) {
        memcpy(plain, word->at, word->length);
        plain[comma - word->at] = '.';
        *time = (tacWord){plain, word->length};
    }
    if (tacDecimalParse(time->at, time->length, &number) != TAC_OK) return readClock(word, buffer, time);
    if (number.digits <= TAC_LOG_DIGITS && !comma) return true;
    bool rounded = false;
    int64_t ticks = number.mantissa;
    int digits = number.digits;
    if (digits > TAC_LOG_DIGITS && !tacDecimalShift(ticks, TAC_LOG_DIGITS - digits, &ticks, &rounded)) return false;
    if (digits > TAC_LOG_DIGITS) digits = TAC_LOG_DIGITS;
    *time = (tacWord){buffer, tacDecimalFormat(ticks, digits, buffer)};
    return true;
}
