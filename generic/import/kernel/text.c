/*
 * text.c -- text of a kernel trace, line by line, to records: its recognition, and remarks on lines without an event.
 *
 * One wrong time must not spoil what comes after: a processor's time never goes back, and threads and processors have
 * no events before their last one. So an event far ahead of all before it waits for the next one:
 *
 *      time  5  6  900     8  9          left out, with a warning: its processor goes on before it
 *      time  5  6     900 901  902       taken: the next event is there, too, on whichever processor
 */
#include "base/port.h"

#include "base/decimal.h"
#include "base/mem.h"
#include "import/kernel/record.h"
#include "import/lines.h"

#include <stdio.h>
#include <string.h>

enum {
    LINES_TRIED = 200, /* to recognize a trace */
    EVENTS_WANTED = 3,
    FAR = 1000000000 /* ns: further ahead of all others an event's time is doubted */
};

/* ---- recognition ------------------------------------------------------------------------------------------------- */

/* Is it a line as "18986 1 2346213723747 type: 366", by ftrace's options raw and hex? Events are numbers there, and
 * their meaning is in other files. */
static bool isRaw(const char *text, size_t length) {
    char line[80];
    unsigned long long pid, processor, time, type;
    if (length >= sizeof line) return false;
    memcpy(line, text, length);
    line[length] = 0;
    return line[0] != ' ' && sscanf(line, "%llx %llx %llx type: %llu", &pid, &processor, &time, &type) == 4;
}

static bool beginsWith(const char *text, size_t length, const char *beginning) {
    size_t n = strlen(beginning);
    return length >= n && memcmp(text, beginning, n) == 0;
}

static const char *skipDigits(const char *at, const char *end) {
    while (at < end && *at >= '0' && *at <= '9') at++;
    return at;
}

/*
 * Does a line name a pid and a processor, "12345   [001] ", or begin with a processor, " 1) ", as the tracer
 * function_graph writes it? The trace language has nothing like it.
 */
static bool namesProcessor(const char *text, size_t length) {
    const char *end = text + length, *at = text;
    while (at < end && *at == ' ') at++;
    const char *number = at;
    at = skipDigits(at, end);
    if (at > number && end - at > 1 && at[0] == ')' && at[1] == ' ') return true;
    for (at = text; (at = memchr(at, '[', (size_t) (end - at))); at++) {
        const char *before = at, *digit = skipDigits(at + 1, end);
        while (before > text && before[-1] == ' ') before--;
        if (before > text && before < at && ((before[-1] >= '0' && before[-1] <= '9') || before[-1] == ')')
            && digit > at + 1 && end - digit > 1 && digit[0] == ']' && digit[1] == ' ')
            return true;
    }
    return false;
}

/*
 * A kernel trace has more lines that are events, or look like some that cannot be read, than others; the reader tells
 * their faults. A heading alone is a trace without events; ftrace's heading before other lines is a form that cannot be
 * read.
 */
bool tacKernelRecognize(const char *text, size_t length) {
    tacKernelLines lines = {0};
    tacKernelRecord record;
    const char *at = text, *end = text + length;
    int events = 0, alike = 0, others = 0;
    bool heading = false, script = false, ftrace = beginsWith(text, length, "# tracer: ");
    for (int line = 0; line < LINES_TRIED && at < end && events < EVENTS_WANTED; line++) {
        const char *newline = memchr(at, '\n', (size_t) (end - at));
        size_t n = (size_t) ((newline ? newline : end) - at);
        if (!newline && (events || alike || others)) break;
        if (isRaw(at, n)) return true;
        tacKernelLine kind = tacKernelParse(&lines, at, n, &record);
        events += kind == TAC_LINE_EVENT && record.event != TAC_KERNEL_LOST;
        if (kind == TAC_LINE_WORDS || (kind != TAC_LINE_EVENT && !beginsWith(at, n, "#") && namesProcessor(at, n)))
            alike++;
        else others += kind == TAC_LINE_UNKNOWN;
        heading |= beginsWith(at, n, "# tracer: ") || beginsWith(at, n, "cpus=") || beginsWith(at, n, "version = ");
        script |= beginsWith(at, n, "plot ") || beginsWith(at, n, "new"); /* in every script of the trace language */
        at = newline ? newline + 1 : end;
    }
    return events + alike > others || (heading && others == 0 && at == end) || (ftrace && others > 0 && !script);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct Reading {
    const tacSink *sink;
    tacKernelTake *take;
    void *data;
    tacKernelLines lines;
    uint32_t line; /* number of the line at hand */
    bool readable; /* there was an event */
    bool raw;      /* there was a line of the raw form, whose report says why the text cannot be read */
    uint32_t odd;  /* the first line that is no event; 0: none */
    int64_t high;  /* ns: largest time of an event that was taken; INT64_MIN */
    struct {
        TAC_ARRAY(char) text;
        tacKernelLines lines; /* with which it is read once more */
        uint32_t line;        /* its number; 0: none is held */
        int32_t processor;
        int64_t time;
    } held; /* a line whose event is far ahead */
} Reading;

enum { SHOWN = 80 }; /* bytes of a line in a remark */

/* Reports a line that is no event. */
static void lineReport(const Reading *r, const char *what, const char *text, size_t length) {
    char message[240];
    snprintf(message, sizeof message, "%s: \"%.*s%s\"", what, (int) (length < SHOWN ? length : SHOWN), text,
        length > SHOWN ? "..." : "");
    tacWholeCharacters(message);
    r->sink->report(r->sink->data, TAC_SEVERITY_ERROR, r->line, "SYNTAX", message);
}

/* Reports an event with unknown words; the sink takes each such message once. */
static void wordsReport(const Reading *r, const tacKernelText *name) {
    char message[160];
    snprintf(message, sizeof message,
        "%.*s without the words that belong to it, in the order of today's kernels; such events are left out",
        (int) (name->length < 48 ? name->length : 48), name->at);
    r->sink->report(r->sink->data, TAC_SEVERITY_ERROR, r->line, "FIELDS", message);
}

static void rawReport(Reading *r) {
    r->raw = true;
    r->sink->report(r->sink->data, TAC_SEVERITY_ERROR, r->line, "FORMAT",
        "the raw form of a trace has numbers instead of the names of events and cannot be read; write it with the "
        "options "
        "raw and hex off");
}

/* Reports on the whole text: no line is an event, and no other report has told why; or the clock is counter, uptime,
 * x86-tsc or ppc-tb, whose step the text does not tell. */
static void wholeReport(const Reading *r) {
    char message[320];
    if (r->readable && r->lines.decimals == 0)
        r->sink->report(r->sink->data, TAC_SEVERITY_WARNING, 0, "CLOCK",
            "times are whole numbers, of a clock that does not count seconds (counter, uptime, x86-tsc, ...): "
            "each of its steps is shown as a nanosecond");
    if (r->readable || r->raw || !r->odd) return;
    snprintf(message, sizeof message,
        "no line can be read as an event; the first that should be one is line %u. Tactus reads the text that "
        "trace-cmd report and perf script print, and ftrace's file trace with the tracer nop and the option "
        "context-info, "
        "without the options raw, hex and bin",
        r->odd);
    r->sink->report(r->sink->data, TAC_SEVERITY_ERROR, 0, "FORMAT", message);
}

/* ---- times that are far ahead ---- */

static inline tacStatus give(Reading *r, const tacKernelRecord *record, uint32_t line, tacError *err) {
    bool isEvent = record->event != TAC_KERNEL_LOST;
    r->readable |= isEvent;
    if (isEvent && record->time > r->high) r->high = record->time;
    return r->take(r->data, record, line, err);
}

static tacStatus hold(Reading *r, const tacKernelRecord *record, const tacLine *line, tacError *err) {
    r->held.text.count = 0;
    if (!tacArrayReserve(&r->held.text, line->length)) return tacFailMemory(err);
    memcpy(r->held.text.at, line->at, line->length);
    r->held.text.count = line->length;
    r->held.lines = r->lines;
    r->held.line = line->number;
    r->held.processor = record->processor;
    r->held.time = record->time;
    return TAC_OK;
}

static tacStatus giveHeld(Reading *r, tacError *err) {
    tacKernelRecord record;
    uint32_t line = r->held.line;
    if (!line) return TAC_OK;
    r->held.line = 0;
    tacKernelLine kind = tacKernelParse(&r->held.lines, r->held.text.at, r->held.text.count, &record);
    return kind == TAC_LINE_EVENT ? give(r, &record, line, err) : TAC_OK;
}

/* Leaves out the event that is held. What contradicts that, such as a switch that is missing, is found as ever
 * (loss.c).
 */
static void dropHeld(Reading *r) {
    char time[TAC_DECIMAL_SIZE], message[160];
    tacDecimalFormat(r->held.time, 9, time);
    snprintf(message, sizeof message,
        "the time %s s is far ahead of the events before and after it; this event is left out", time);
    r->sink->report(r->sink->data, TAC_SEVERITY_WARNING, r->held.line, "CLOCK", message);
    r->held.line = 0;
}

/* Takes an event while another one is held, or one that is far ahead itself. A loss has no time: the one of the same
 * processor comes behind the event that is held. */
static tacStatus giveDoubted(Reading *r, const tacKernelRecord *record, const tacLine *line, tacError *err) {
    bool isLoss = record->event == TAC_KERNEL_LOST, isSame = record->processor == r->held.processor;
    tacStatus status = TAC_OK;
    if (!r->held.line) return isLoss ? give(r, record, line->number, err) : hold(r, record, line, err);
    if (isLoss ? isSame : record->time >= r->held.time - FAR) status = giveHeld(r, err);
    else if (isSame) dropHeld(r);
    return status == TAC_OK ? give(r, record, line->number, err) : TAC_ERROR;
}

/* ---- lines ---- */

static tacStatus takeLine(void *data, const tacLine *line, tacError *err) {
    Reading *r = data;
    tacKernelRecord record;
    r->line = line->number;
    tacKernelLine kind = tacKernelParse(&r->lines, line->at, line->length, &record);
    /* Also of an event that can be read: its last number or text may be a part of one. */
    if (line->half && kind != TAC_LINE_EMPTY) lineReport(r, "the file ends within a line", line->at, line->length);
    if (TAC_LIKELY(kind == TAC_LINE_EVENT)) {
        bool isDoubted = r->held.line || record.time - FAR > r->high;
        return TAC_LIKELY(!isDoubted) ? give(r, &record, r->line, err) : giveDoubted(r, &record, line, err);
    }
    if (kind != TAC_LINE_EMPTY && !r->odd) r->odd = r->line;
    if (line->half) return TAC_OK;
    if (kind == TAC_LINE_WORDS) wordsReport(r, &record.name);
    else if (kind == TAC_LINE_UNKNOWN && isRaw(line->at, line->length)) rawReport(r);
    else if (kind == TAC_LINE_UNKNOWN && !r->raw) lineReport(r, "not a line of a kernel trace", line->at, line->length);
    return TAC_OK;
}

tacStatus tacKernelReadText(tacSource *source, const tacSink *sink, tacKernelTake *take, void *data, tacError *err) {
    Reading r = {.sink = sink, .take = take, .data = data, .high = INT64_MIN};
    tacStatus status = tacLinesRead(source, sink, takeLine, &r, err);
    if (status == TAC_OK) status = giveHeld(&r, err);
    tacArrayFree(&r.held.text);
    if (status == TAC_OK) wholeReport(&r);
    return status;
}
