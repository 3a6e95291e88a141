/*
 * clean.c -- line ends and encoding of the raw bytes.
 */
#include "base/port.h"

#include "read/clean.h"

#include <string.h>

typedef unsigned char Bytes16 __attribute__((vector_size(16)));

/* Characters of Windows-1252 at 80..9F; the five places that it leaves free stay the control characters of Latin-1. */
static const uint16_t windows1252[32] = {0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030,
    0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

/* Lead bytes, the length they announce, and the range of the byte that may follow (Unicode, table 3-7). */
static const struct {
    unsigned char first, last, low, high;
    int length;
} leads[] = {
    {0xC2, 0xDF, 0x80, 0xBF, 2},
    {0xE0, 0xE0, 0xA0, 0xBF, 3},
    {0xE1, 0xEC, 0x80, 0xBF, 3},
    {0xED, 0xED, 0x80, 0x9F, 3},
    {0xEE, 0xEF, 0x80, 0xBF, 3},
    {0xF0, 0xF0, 0x90, 0xBF, 4},
    {0xF1, 0xF3, 0x80, 0xBF, 4},
    {0xF4, 0xF4, 0x80, 0x8F, 4},
};

int tacCharacterLength(const unsigned char *at, const unsigned char *end) {
    if (*at < 0x80) return 1;
    size_t row = 0;
    while (row < sizeof leads / sizeof *leads && (*at < leads[row].first || *at > leads[row].last)) row++;
    if (row == sizeof leads / sizeof *leads) return 0;
    unsigned char low = leads[row].low, high = leads[row].high;
    for (int i = 1; i < leads[row].length; i++, low = 0x80, high = 0xBF) {
        if (at + i >= end) return -1;
        if (at[i] < low || at[i] > high) return 0;
    }
    return leads[row].length;
}

size_t tacCharacterPut(uint32_t code, char *out) {
    if (code == 0 || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) code = 0xFFFD;
    if (code < 0x80) return out[0] = (char) code, 1;
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6) out[i] = (char) (0x80 | (code & 0x3F));
    out[0] = (char) ((0xF00 >> length) | code); /* as many ones as bytes; the cast drops the rest */
    return length;
}

bool tacIsClean(const tacCleaner *cleaner, const char *bytes, size_t length) {
    if (cleaner->nHeld || cleaner->afterReturn) return false;
    Bytes16 found = {0};
    size_t i = 0;
    for (; i + sizeof found <= length; i += sizeof found) {
        Bytes16 x;
        memcpy(&x, bytes + i, sizeof x);
        found |= (Bytes16) (x == '\r') | (x & 0x80);
    }
    unsigned char any = 0;
    for (size_t k = 0; k < sizeof found; k++) any |= found[k];
    for (; i < length; i++) any |= bytes[i] == '\r' || (bytes[i] & 0x80);
    return !any;
}

/* Cleans one byte above 7F and those that belong to it. Returns the bytes taken; 0: the end cuts the character. */
static size_t cleanWide(const unsigned char *at, const unsigned char *end, bool last, char **out) {
    int length = tacCharacterLength(at, end);
    if (length < 0 && !last) return 0;
    if (length > 0) {
        memcpy(*out, at, (size_t) length);
        *out += length;
        return (size_t) length;
    }
    *out += tacCharacterPut(*at < 0xA0 ? windows1252[*at - 0x80] : *at, *out);
    return 1;
}

/* Copies bytes that need no cleaning, 16 at a time; returns where it stopped. */
static const unsigned char *copyClean(const unsigned char *at, const unsigned char *end, char **out) {
    for (Bytes16 x; (size_t) (end - at) >= sizeof x; at += sizeof x, *out += sizeof x) {
        memcpy(&x, at, sizeof x);
        Bytes16 special = (Bytes16) (x == '\r') | (x & 0x80);
        uint64_t half[2];
        memcpy(half, &special, sizeof half);
        if (half[0] | half[1]) break;
        memcpy(*out, &x, sizeof x);
    }
    return at;
}

/* Cleans until the end or a cut character; returns where it stopped. */
static const unsigned char *cleanRun(
    tacCleaner *cleaner, const unsigned char *at, const unsigned char *end, bool last, char **out) {
    while (at < end) {
        bool afterReturn = cleaner->afterReturn;
        cleaner->afterReturn = *at == '\r';
        if (*at >= 0x80) {
            size_t taken = cleanWide(at, end, last, out);
            if (taken == 0) break;
            at += taken;
        } else {
            char c = (char) *at++;
            if (c != '\n' || !afterReturn) *(*out)++ = c == '\r' ? '\n' : c;
            if (c == '\n') at = copyClean(at, end, out);
        }
    }
    return at;
}

/* Completes the held bytes, one byte of the block after the other. Returns how many of the block they took. */
static size_t cleanHeld(tacCleaner *cleaner, const char *bytes, size_t length, bool last, char **out) {
    size_t taken = 0;
    while (cleaner->nHeld > 0) {
        bool more = taken < length;
        if (more) cleaner->held[cleaner->nHeld++] = (unsigned char) bytes[taken++];
        const unsigned char *end = cleaner->held + cleaner->nHeld;
        const unsigned char *stop = cleanRun(cleaner, cleaner->held, end, last && !more, out);
        cleaner->nHeld = (uint8_t) (end - stop);
        memmove(cleaner->held, stop, cleaner->nHeld);
        if (!more) break;
    }
    return taken;
}

size_t tacClean(tacCleaner *cleaner, const char *bytes, size_t length, bool last, char *out) {
    char *from = out;
    size_t taken = cleanHeld(cleaner, bytes, length, last, &out);
    const unsigned char *end = (const unsigned char *) bytes + length;
    const unsigned char *stop = cleanRun(cleaner, (const unsigned char *) bytes + taken, end, last, &out);
    if (stop < end) {
        cleaner->nHeld = (uint8_t) (end - stop);
        memcpy(cleaner->held, stop, cleaner->nHeld);
    }
    size_t n = (size_t) (out - from);
    bool mark = !cleaner->begun && n >= 3 && memcmp(from, "\xEF\xBB\xBF", 3) == 0;
    if (mark) memmove(from, from + 3, n -= 3);
    cleaner->begun |= n > 0 || mark;
    return n;
}

bool tacIsCleanText(const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *) text, *end = at + length;
    while (at < end) {
        uint64_t eight = UINT64_MAX;
        if (end - at >= (ptrdiff_t) sizeof eight) memcpy(&eight, at, sizeof eight);
        if (!(eight & 0x8080808080808080u)) {
            at += sizeof eight;
            continue;
        }
        int n = *at < 0x80 ? 1 : tacCharacterLength(at, end);
        if (n <= 0) return false;
        at += n;
    }
    return true;
}

bool tacIsCleanName(const char *text, size_t length) {
    return (length == 0 || !memchr(text, '\0', length)) && tacIsCleanText(text, length);
}

/* The half of a character that stands there, as Tcl writes it; 0: none. */
static uint32_t halfAt(const unsigned char *at, const unsigned char *end) {
    bool is = end - at >= 3 && at[0] == 0xED && at[1] >= 0xA0 && at[1] < 0xC0 && (at[2] & 0xC0) == 0x80;
    return is ? 0xD000u | (uint32_t) (at[1] & 0x3F) << 6 | (at[2] & 0x3F) : 0;
}

size_t tacCleanWord(const char *text, size_t length, char *out) {
    const unsigned char *at = (const unsigned char *) text, *end = at + length;
    char *to = out;
    while (at < end) {
        int n = *at ? tacCharacterLength(at, end) : 0;
        if (n > 0) {
            memcpy(to, at, (size_t) n);
            at += n;
            to += n;
            continue;
        }
        uint32_t half = halfAt(at, end), low = half && half < 0xDC00 ? halfAt(at + 3, end) : 0;
        bool whole = low >= 0xDC00, isNul = end - at >= 2 && at[0] == 0xC0 && at[1] == 0x80;
        to += tacCharacterPut(whole ? 0x10000 + ((half & 0x3FF) << 10) + (low & 0x3FF) : 0, to);
        at += whole ? 6 : half ? 3 : isNul ? 2 : 1;
    }
    return (size_t) (to - out);
}
