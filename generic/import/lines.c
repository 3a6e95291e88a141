/*
 * lines.c -- goes through the window of a source (read/source.h) line by line. A NUL, which no name may have, becomes
 * U+FFFD, as in the trace language.
 */
#include "base/port.h"

#include "import/lines.h"

#include <string.h>

typedef struct Reading {
    tacSource *source;
    tacTakeLine *take;
    void *data;
    uint32_t line; /* number of the last line */
    bool passing;  /* the window begins within a line that is too long, whose beginning has been taken */
    bool nul;      /* there is a NUL in the window */
    tacText clean; /* a line without them */
} Reading;

/* Replaces the NULs of a line; at and length: the line that is without. False: no memory. */
static bool cleanLine(Reading *r, const char **at, size_t *length) {
    if (!memchr(*at, '\0', *length)) return true;
    r->clean.length = 0;
    if (!tacTextGrow(&r->clean, 3 * *length)) return false;
    *length = tacCleanWord(*at, *length, r->clean.at);
    *at = r->clean.at;
    return true;
}

static tacStatus takeLine(Reading *r, const char *at, size_t length, bool half, tacError *err) {
    r->line += r->line < UINT32_MAX;
    if (TAC_UNLIKELY(r->nul) && !cleanLine(r, &at, &length)) return tacFailMemory(err);
    return r->take(r->data, &(tacLine){at, length, r->line, half}, err);
}

/* Takes all whole lines of the window, and the beginning of a line that is too long. */
static tacStatus takeWindow(Reading *r, tacError *err) {
    tacSource *source = r->source;
    const char *newline;
    r->nul = source->at < source->end && memchr(source->at, '\0', (size_t) (source->end - source->at));
    while ((newline = memchr(source->at, '\n', (size_t) (source->end - source->at)))) {
        const char *line = source->at;
        source->at = newline + 1;
        if (TAC_LIKELY(!r->passing) && takeLine(r, line, (size_t) (newline - line), false, err) != TAC_OK)
            return TAC_ERROR;
        r->passing = false;
    }
    if (source->end - source->at < TAC_LINE_LONGEST) return TAC_OK;
    const char *line = source->at;
    bool begins = !r->passing;
    source->at = source->end;
    r->passing = true;
    return begins ? takeLine(r, line, (size_t) (source->end - line), false, err) : TAC_OK;
}

static tacStatus readAll(Reading *r, const tacSink *sink, tacError *err) {
    tacSource *source = r->source;
    for (;;) {
        if (takeWindow(r, err) != TAC_OK) return TAC_ERROR;
        if (source->ended) break;
        if (tacSourceNext(source, sink->progress, sink->data, err) != TAC_OK) return TAC_ERROR;
    }
    const char *half = source->at;
    const tacError *damage = &source->damage;
    source->at = source->end;
    if (half < source->end && !r->passing && !source->growing && !*damage->code
        && takeLine(r, half, (size_t) (source->end - half), true, err) != TAC_OK)
        return TAC_ERROR;
    if (*damage->code && !(source->growing && source->cut))
        sink->report(sink->data, TAC_SEVERITY_ERROR, r->line, damage->code, damage->message);
    return TAC_OK;
}

tacStatus tacLinesRead(tacSource *source, const tacSink *sink, tacTakeLine *take, void *data, tacError *err) {
    Reading r = {.source = source, .take = take, .data = data};
    tacStatus status = readAll(&r, sink, err);
    tacTextFree(&r.clean);
    return status;
}
