/*
 * glob.c -- matches from left to right; where the text does not fit, the last star takes one character more. Stars
 * before the last need no second look: what follows them fitted as early as it could.
 */
#include "base/port.h"

#include "base/glob.h"

#include <string.h>

/* The character at `at` (which is before end), and how many bytes it has. */
static uint32_t character(const char *at, const char *end, size_t *bytes) {
    const unsigned char *p = (const unsigned char *) at;
    size_t n = p[0] < 0xC2 ? 1 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 1;
    uint32_t value = n == 1 ? p[0] : p[0] & (0x7Fu >> n);
    *bytes = 1;
    if (n > (size_t) (end - at)) return p[0];
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80) return p[0];
        value = value << 6 | (p[i] & 0x3F);
    }
    *bytes = n;
    return value;
}

/* The character at *at, which moves behind it; escape: a backslash makes the next one mean itself. */
static uint32_t take(const char **at, const char *end, bool escape) {
    size_t bytes;
    if (escape && **at == '\\' && *at + 1 < end) ++*at;
    uint32_t value = character(*at, end, &bytes);
    *at += bytes;
    return value;
}

/* Is the character in the set that begins behind the bracket at *at? Moves it behind the set. One that is not closed
 * ends with the pattern. */
static bool inSet(const char **at, const char *end, uint32_t value) {
    bool found = false;
    for (const char *p = *at + 1;;) {
        if (p >= end) return *at = end, found;
        if (*p == ']') return *at = p + 1, found;
        uint32_t first = take(&p, end, true), last = first;
        if (p + 1 < end && *p == '-' && p[1] != ']') p++, last = take(&p, end, true);
        if (first > last) {
            uint32_t other = first;
            first = last, last = other;
        }
        if (value >= first && value <= last) found = true;
    }
}

/* One character of the text against one of the pattern, which moves on. */
static bool fitsOne(const char **pattern, const char *end, uint32_t value) {
    if (*pattern == end) return false;
    if (**pattern == '?') return ++*pattern, true;
    if (**pattern == '[') return inSet(pattern, end, value);
    return take(pattern, end, true) == value;
}

bool tacGlob(const char *pattern, const char *text, size_t length) {
    const char *patternEnd = pattern + strlen(pattern), *end = text + length;
    const char *star = NULL, *from = NULL; /* behind the last star, and what it leaves of the text */
    for (;;) {
        if (pattern < patternEnd && *pattern == '*') {
            while (pattern < patternEnd && *pattern == '*') pattern++;
            if (pattern == patternEnd) return true;
            star = pattern, from = text;
            continue;
        }
        if (text == end) return pattern == patternEnd;
        const char *next = text;
        uint32_t value = take(&next, end, false);
        if (fitsOne(&pattern, patternEnd, value)) {
            text = next;
            continue;
        }
        if (!star) return false;
        take(&from, end, false);
        pattern = star, text = from;
    }
}
