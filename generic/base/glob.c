/*
 * glob.c -- matching from left to right: where the text does not fit, the last star takes one character more. Earlier
 * stars need no second try, since what follows them was matched as early as possible.
 */
#include "base/port.h"

#include "base/glob.h"

#include <string.h>

/* Takes the character at *at, which is before end, and moves behind it; a byte that is no UTF-8 is a character by
 * itself. escape: a backslash makes the next character mean itself. */
static uint32_t take(const char **at, const char *end, bool escape) {
    if (escape && **at == '\\' && *at + 1 < end) ++*at;
    const unsigned char *p = (const unsigned char *) *at;
    size_t n = p[0] < 0xC2 ? 1 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 1, taken = 1;
    uint32_t value = n == 1 ? p[0] : p[0] & (0x7Fu >> n);
    for (; taken < n && *at + taken < end && (p[taken] & 0xC0) == 0x80; taken++) value = value << 6 | (p[taken] & 0x3F);
    bool whole = taken == n;
    *at += whole ? n : 1;
    return whole ? value : p[0];
}

/* Letters from `first` to `last` with their lower case at a fixed distance above them. step 2: only every second one
 * is a capital, since upper and lower case alternate. */
typedef struct Letters {
    uint16_t first, last, distance, step;
} Letters;

static const Letters letters[] = {
    {'A', 'Z', 32, 1},
    {0xC0, 0xD6, 32, 1},
    {0xD8, 0xDE, 32, 1},
    {0x100, 0x12E, 1, 2},
    {0x132, 0x136, 1, 2},
    {0x139, 0x147, 1, 2},
    {0x14A, 0x176, 1, 2},
    {0x179, 0x17D, 1, 2},
    {0x388, 0x38A, 37, 1},
    {0x386, 0x386, 38, 1},
    {0x38C, 0x38C, 64, 1},
    {0x38E, 0x38F, 63, 1},
    {0x391, 0x3A1, 32, 1},
    {0x3A3, 0x3AB, 32, 1},
    {0x400, 0x40F, 80, 1},
    {0x410, 0x42F, 32, 1},
    {0x460, 0x480, 1, 2},
    {0x48A, 0x4BE, 1, 2},
    {0x4D0, 0x52E, 1, 2},
    {0x531, 0x556, 48, 1},
    {0x1E00, 0x1E94, 1, 2},
    {0x1EA0, 0x1EFE, 1, 2},
    {0xFF21, 0xFF3A, 32, 1},
};

/* The character in lower case, for letters of Latin, Greek, Cyrillic and Armenian and those of full width; any other
 * is returned as it is. */
static uint32_t lowerCase(uint32_t character) {
    if (character < 0xC0) return character >= 'A' && character <= 'Z' ? character + 32 : character;
    for (size_t i = 1; i < sizeof letters / sizeof *letters; i++) {
        const Letters *row = &letters[i];
        if (character >= row->first && character <= row->last && (character - row->first) % row->step == 0)
            return character + row->distance;
    }
    return character;
}

/* True when the character is in the set that begins at the bracket at *at, which moves behind the set. A set that is
 * not closed ends with the pattern. */
static bool inSet(const char **at, const char *end, uint32_t value, bool caseless) {
    bool found = false;
    for (const char *p = *at + 1;;) {
        if (p >= end) return *at = end, found;
        if (*p == ']') return *at = p + 1, found;
        uint32_t first = take(&p, end, true), last = first;
        if (p + 1 < end && *p == '-' && p[1] != ']') p++, last = take(&p, end, true);
        if (caseless) first = lowerCase(first), last = lowerCase(last);
        if (first > last) {
            uint32_t other = first;
            first = last, last = other;
        }
        if (value >= first && value <= last) found = true;
    }
}

/* True when one character of the text fits the part of the pattern at *pattern, which moves behind that part. */
static bool fitsOne(const char **pattern, const char *end, uint32_t value, bool caseless) {
    if (*pattern == end) return false;
    if (**pattern == '?') return ++*pattern, true;
    if (caseless) value = lowerCase(value);
    if (**pattern == '[') return inSet(pattern, end, value, caseless);
    uint32_t wanted = take(pattern, end, true);
    return (caseless ? lowerCase(wanted) : wanted) == value;
}

/* True when the whole text fits the pattern. */
static bool globs(const char *pattern, const char *text, size_t length, bool caseless) {
    const char *patternEnd = pattern + strlen(pattern), *end = text + length;
    const char *star = NULL, *from = NULL; /* the pattern behind the last star, and the text that the star leaves */
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
        if (fitsOne(&pattern, patternEnd, value, caseless)) {
            text = next;
            continue;
        }
        if (!star) return false;
        take(&from, end, false);
        pattern = star, text = from;
    }
}

/* Is the text the pattern itself, letter for letter? */
static bool isItself(const char *pattern, const char *text, size_t length) {
    return strncmp(pattern, text, length) == 0 && pattern[length] == '\0';
}

bool tacGlob(const char *pattern, const char *text, size_t length) {
    return globs(pattern, text, length, false) || isItself(pattern, text, length);
}

bool tacGlobFits(const char *pattern, const char *text) { return tacGlob(pattern, text, strlen(text)); }

bool tacGlobCaseless(const char *pattern, const char *text, size_t length) {
    return globs(pattern, text, length, true);
}
