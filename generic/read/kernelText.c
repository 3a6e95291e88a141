/*
 * kernelText.c -- text of a kernel trace, line by line, to records: what it is recognized by, and what is no event.
 *
 * A line is never longer than LONGEST bytes: what is, is not of this world and said as such.
 */
#include "base/port.h"

#include <stdio.h>
#include <string.h>

#include "read/kernel.h"

enum {
    LONGEST = 1 << 16,		/* bytes of a line */
    LINES_TRIED = 200,		/* to recognize a trace */
    EVENTS_WANTED = 3
};

/* ---- recognition ------------------------------------------------------------------------------------------------------ */

/* A few lines that are events, and more of them than lines that are not, say what it is. */
bool tacKernelRecognize(const char *text, size_t length) {
    tacKernelLines lines = {0};
    tacKernelRecord record;
    const char *at = text, *end = text + length;
    int events = 0, others = 0;
    for (int line = 0; line < LINES_TRIED && at < end && events < EVENTS_WANTED; line++) {
	const char *newline = memchr(at, '\n', (size_t) (end - at));
	if (!newline) break;
	tacKernelLine kind = tacKernelParse(&lines, at, (size_t) (newline - at), &record);
	events += kind == TAC_LINE_EVENT && record.event != TAC_KERNEL_LOST;
	others += kind == TAC_LINE_UNKNOWN;
	at = newline + 1;
    }
    return events > others;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

typedef struct Reading {
    tacSource *source;
    const tacSink *sink;
    tacKernelTake *take;
    void *data;
    tacKernelLines lines;
    uint32_t line;		/* number of the line at hand */
} Reading;

static void lineReport(const Reading *r, const char *text, size_t length) {
    char message[200];
    snprintf(message, sizeof message, "not a line of a kernel trace: \"%.*s%s\"", (int) (length < 80 ? length : 80), text, length > 80 ? "..." : "");
    tacWholeCharacters(message);
    r->sink->report(r->sink->data, TAC_SEVERITY_ERROR, r->line, "SYNTAX", message);
}

static tacStatus takeLine(Reading *r, const char *text, size_t length, tacError *err) {
    tacKernelRecord record;
    r->line += r->line < UINT32_MAX;
    tacKernelLine kind = tacKernelParse(&r->lines, text, length, &record);
    if (kind == TAC_LINE_EVENT) return r->take(r->data, &record, r->line, err);
    if (kind == TAC_LINE_UNKNOWN) lineReport(r, text, length);
    return TAC_OK;
}

/* All whole lines of the window. */
static tacStatus takeLines(Reading *r, tacError *err) {
    tacSource *source = r->source;
    for (;;) {
	const char *newline = memchr(source->at, '\n', (size_t) (source->end - source->at));
	if (!newline) return TAC_OK;
	const char *line = source->at;
	source->at = newline + 1;
	if (takeLine(r, line, (size_t) (newline - line), err) != TAC_OK) return TAC_ERROR;
    }
}

/* A line without an end fills the window: it is taken as it is, in pieces. */
static tacStatus takeLong(Reading *r, tacError *err) {
    size_t length = (size_t) (r->source->end - r->source->at);
    if (length < LONGEST) return TAC_OK;
    const char *line = r->source->at;
    r->source->at = r->source->end;
    return takeLine(r, line, length, err);
}

static bool goesOn(const Reading *r) {
    return !r->sink->progress || r->sink->progress(r->sink->data, r->source->bytesRead, r->source->total);
}

tacStatus tacKernelReadText(tacSource *source, const tacSink *sink, tacKernelTake *take, void *data, tacError *err) {
    Reading r = {.source = source, .sink = sink, .take = take, .data = data};
    while (takeLines(&r, err) == TAC_OK && takeLong(&r, err) == TAC_OK) {
	if (!goesOn(&r)) return tacFail(err, "CANCELLED", "opening was cancelled");
	if (source->ended) {
	    size_t left = (size_t) (source->end - source->at);
	    return left ? takeLine(&r, source->at, left, err) : TAC_OK;
	}
	if (tacSourceMore(source, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_ERROR;
}
