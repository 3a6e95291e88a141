/*
 * writer.c -- buffered output with a status that stays, and numbers in the form of figures.
 */
#include "base/port.h"

#include "view/writer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tacWriterInit(tacWriter *w, tacOut *out, void *data) {
    w->out = out;
    w->data = data;
    w->status = TAC_OK;
    w->used = 0;
}

static void pass(tacWriter *w, const void *bytes, size_t n) {
    if (w->status == TAC_OK && n) w->status = w->out(w->data, bytes, n);
}

void tacWriterBytes(tacWriter *w, const void *bytes, size_t n) {
    if (n > sizeof w->buffer - w->used) {
        pass(w, w->buffer, w->used);
        w->used = 0;
    }
    if (n > sizeof w->buffer) {
        pass(w, bytes, n);
        return;
    }
    memcpy(w->buffer + w->used, bytes, n);
    w->used += n;
}

void tacWriterString(tacWriter *w, const char *string) { tacWriterBytes(w, string, strlen(string)); }

size_t tacNumber(double value, char text[TAC_NUMBER_SIZE]) {
    if (!(fabs(value) < 1e7)) value = isnan(value) ? 0 : value < 0 ? -1e7 : 1e7;
    long hundredths = lround(value * 100);
    char *at = text;
    if (hundredths < 0) *at++ = '-', hundredths = -hundredths;
    at += snprintf(at, TAC_NUMBER_SIZE - 1, "%ld", hundredths / 100);
    long rest = hundredths % 100;
    if (rest) *at++ = '.', *at++ = (char) ('0' + rest / 10);
    if (rest % 10) *at++ = (char) ('0' + rest % 10);
    *at = '\0';
    return (size_t) (at - text);
}

void tacWriterPut(tacWriter *w, const char *format, ...) {
    char text[TAC_NUMBER_SIZE];
    size_t n = 0;
    va_list args;
    va_start(args, format);
    for (const char *next; *format; format = next) {
        next = format + strcspn(format, "%");
        tacWriterBytes(w, format, (size_t) (next - format));
        if (!*next) break;
        switch (next[1]) {
        case 's': tacWriterString(w, va_arg(args, const char *)); break;
        case 'n': n = tacNumber(va_arg(args, double), text); break;
        case 'c': n = (size_t) snprintf(text, sizeof text, "%06X", va_arg(args, uint32_t) & 0xFFFFFF); break;
        case 'u': n = (size_t) snprintf(text, sizeof text, "%u", va_arg(args, unsigned)); break;
        default: tacWriterBytes(w, "%", 1); break;
        }
        tacWriterBytes(w, text, n);
        n = 0;
        next += 2;
    }
    va_end(args);
}

tacStatus tacWriterEnd(tacWriter *w) {
    pass(w, w->buffer, w->used);
    w->used = 0;
    return w->status;
}
