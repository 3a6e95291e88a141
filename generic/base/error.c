/*
 * error.c -- errors of the core: the first one stays.
 */
#include "base/port.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tacWholeCharacters(char *text) {
    char *to = text;
    for (const char *at = text; *at;) {
        unsigned char c = (unsigned char) *at;
        size_t size = c < 0x80 ? 1 : c < 0xC0 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF8 ? 4 : 0, n = 1;
        while (n < size && (at[n] & 0xC0) == 0x80) n++;
        if (n != size) { /* a part of a character */
            at++;
            continue;
        }
        while (n--) *to++ = *at++;
    }
    *to = '\0';
}

size_t tacWholeLength(const char *text, size_t length, size_t most) {
    if (length <= most) return length;
    while (most > 0 && ((unsigned char) text[most] & 0xC0) == 0x80) most--;
    return most;
}

void tacSentence(char *text, size_t size, const char *format, va_list args) {
    static const char ellipsis[] = "\xe2\x80\xa6";
    va_list again;
    va_copy(again, args);
    int length = tacPrintList(text, size, format, args);
    char *whole = length >= (int) size ? tacAlloc((size_t) length + 1) : NULL;
    if (whole) {
        size_t end = size / 4, begin = size - end - sizeof ellipsis;
        tacPrintList(whole, (size_t) length + 1, format, again);
        memcpy(text + begin, ellipsis, sizeof ellipsis - 1);
        memcpy(text + begin + sizeof ellipsis - 1, whole + (size_t) length - end, end + 1);
    }
    tacFree(whole);
    va_end(again);
    tacWholeCharacters(text);
}

tacStatus tacFail(tacError *err, const char *code, const char *format, ...) {
    if (!err || err->code[0]) return TAC_ERROR;
    snprintf(err->code, sizeof err->code, "%s", code);
    va_list args;
    va_start(args, format);
    tacSentence(err->message, sizeof err->message, format, args);
    va_end(args);
    return TAC_ERROR;
}

tacStatus tacFailMemory(tacError *err) {
    uint64_t allowed = tacMemBoundRefused();
    if (!allowed) return tacFail(err, "MEMORY", "not enough memory");
    return tacFail(err, "LIMIT MEMORY",
        "this takes more than the %.0f MB of memory that are left for it; raise the limit with -memorylimit",
        (double) allowed / (1 << 20));
}

void tacErrorClear(tacError *err) { err->code[0] = err->message[0] = '\0'; }

const char *tacErrorText(const tacError *err, unsigned *line) {
    int prefix = 0;
    if (sscanf(err->message, "line %u: %n", line, &prefix) != 1 || prefix == 0) *line = 0;
    return err->message + prefix;
}
