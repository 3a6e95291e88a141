/*
 * error.c -- errors of the core: the first one stays.
 */
#include "base/port.h"
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Where a text that was cut at `length` bytes ends so that no UTF-8 character is broken. */
static size_t wholeCharacters(const char *text, size_t length) {
    size_t end = length;
    while (end > 0 && ((unsigned char) text[end - 1] & 0xC0) == 0x80) end--;
    if (end == 0) return length;	/* not UTF-8 at all */
    unsigned char lead = (unsigned char) text[end - 1];
    size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    return end - 1 + size <= length ? end - 1 + size : end - 1;
}

tacStatus tacFail(tacError *err, const char *code, const char *format, ...) {
    if (!err || err->code[0]) return TAC_ERROR;
    snprintf(err->code, sizeof err->code, "%s", code);
    va_list args;
    va_start(args, format);
    int length = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (length >= (int) sizeof err->message) err->message[wholeCharacters(err->message, sizeof err->message - 1)] = '\0';
    return TAC_ERROR;
}

tacStatus tacFailMemory(tacError *err) {
    return tacFail(err, "MEMORY", "not enough memory");
}

void tacErrorClear(tacError *err) {
    err->code[0] = err->message[0] = '\0';
}
