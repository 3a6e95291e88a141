/*
 * begin.c -- the beginning of a line of kernel trace text, by its shape: thread, processor and time.
 *
 *                names-25725   [001] d..4.   926.601954: sched_waking: ...       TAC_SHAPE_FTRACE
 *      |---- column ---||--- the rest, by shape -------|
 *
 * Thread names are any 15 bytes, blanks, brackets and digits included, so a name may contain what looks like its end.
 * It stands in a column of fixed width, padded on the left (16, in the latency shape 8), which gives its end. Only in
 * lines that were trimmed, or with a longer name, the end is searched: the first place behind which the whole rest
 * fits.
 */
#include "base/port.h"

#include "base/decimal.h"
#include "import/kernel/line.h"

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* Reads eight digits at once (checks each pair of nibbles, then joins pairs thrice); false: they are not all digits, or
 * this machine is not little-endian. */
static inline bool readEight(const char *at, const char *end, uint32_t *value) {
    uint64_t v;
    if (!TAC_LITTLE_ENDIAN || end - at < 8) return false;
    memcpy(&v, at, sizeof v);
    if (((v & UINT64_C(0xf0f0f0f0f0f0f0f0)) | ((v + UINT64_C(0x0606060606060606)) & UINT64_C(0xf0f0f0f0f0f0f0f0)) >> 4)
        != UINT64_C(0x3333333333333333))
        return false;
    v = (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) * 2561 >> 8;
    v = (v & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;
    *value = (uint32_t) ((v & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001) >> 32);
    return true;
}

/* Reads the digits behind the point, quickly where they are nine. */
static inline bool readFraction(tacScan *scan, int64_t *value, int *digits) {
    uint32_t eight;
    if (!readEight(scan->at, scan->end, &eight) || scan->end - scan->at < 9 || !tacScanIsDigit(scan->at[8]))
        return tacScanDigits(scan, value, digits);
    *value = (int64_t) eight * 10 + (scan->at[8] - '0');
    *digits = 9;
    scan->at += 9;
    return scan->at == scan->end || !tacScanIsDigit(*scan->at);
}

/* Reads "926.601954:" (seconds), or an integer of a clock that does not count seconds. */
static inline bool readSeconds(tacScan *scan, int64_t *nanos, int *decimals) {
    static const int64_t toNanos[10] = {/* by decimals */
        1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
    int64_t whole, fraction = 0;
    int digits = 0;
    if (!tacScanDigits(scan, &whole, NULL)) return false;
    if (!tacScanByte(scan, '.')) {
        *decimals = 0;
        *nanos = whole;
        return tacIsTime(whole) && tacScanByte(scan, ':');
    }
    if (!readFraction(scan, &fraction, &digits) || digits > 9 || whole > TAC_TIME_LIMIT / 1000000000 - 1) return false;
    *decimals = digits;
    *nanos = whole * 1000000000 + fraction * toNanos[digits];
    return tacScanByte(scan, ':');
}

static inline bool readBracketed(tacScan *scan, tacKernelRecord *record) { /* "[001]" */
    return tacScanByte(scan, '[') && tacScanProcessor(scan, &record->processor) && tacScanByte(scan, ']');
}

/* Skips "d..2." before the time. */
static void skipFlags(tacScan *scan) {
    const char *at = scan->at, *end = scan->end;
    while (at < end && !tacScanIsBlank(*at)) at++;
    tacScan flags = {at, end};
    bool time = at > scan->at && at[-1] == ':'; /* there are no flags, and the event may begin with a number, too */
    if (!time && tacScanBlanks(&flags)) *scan = flags;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* "-25725 (  25725) [001]"; in parentheses is the thread group, or dashes for it, where groups are recorded. */
static inline bool ftraceWho(tacScan *scan, tacKernelRecord *record) {
    if (!tacScanByte(scan, '-') || !tacScanPid(scan, &record->current.pid)) return false;
    tacScanBlanks(scan);
    tacScan group = *scan;
    if (TAC_UNLIKELY(tacScanByte(&group, '('))) {
        tacScanBlanks(&group);
        bool known = tacScanPid(&group, &record->process);
        while (!known && group.at < group.end && *group.at == '-') group.at++;
        if (tacScanText(&group, ")")) {
            tacScanBlanks(&group);
            *scan = group;
        }
    }
    return readBracketed(scan, record);
}

/* " d..4. 926.601954:", or without the flags. */
static inline bool ftraceWhen(tacScan *scan, tacKernelRecord *record, int *decimals) {
    if (!tacScanBlanks(scan)) return false;
    tacScan flags = *scan;
    skipFlags(scan);
    if (TAC_LIKELY(readSeconds(scan, &record->time, decimals))) return true;
    *scan = flags;
    return readSeconds(scan, &record->time, decimals);
}

static bool ftraceBegin(tacScan *scan, tacKernelRecord *record, int *decimals) {
    return ftraceWho(scan, record) && ftraceWhen(scan, record, decimals);
}

/* "123us+:" */
static bool readMicroseconds(tacScan *scan, int64_t *nanos, int *decimals) {
    int64_t whole;
    if (!tacScanDigits(scan, &whole, NULL) || whole > TAC_TIME_LIMIT / 1000 || !tacScanText(scan, "us")) return false;
    *nanos = whole * 1000;
    *decimals = 6;
    if (scan->at < scan->end && *scan->at != ':') scan->at++; /* a mark for a long delay, or a blank */
    return tacScanText(scan, ":");
}

/* "-25725 1d..2. 123us+:", or with seconds. */
static bool latencyBegin(tacScan *scan, tacKernelRecord *record, int *decimals) {
    if (!tacScanText(scan, "-") || !tacScanPid(scan, &record->current.pid) || !tacScanBlanks(scan)) return false;
    const char *start = scan->at;
    while (scan->at < scan->end && tacScanIsDigit(*scan->at)) scan->at++;
    tacScan number = {start, scan->at};
    if (!tacScanProcessor(&number, &record->processor) || scan->at == scan->end || tacScanIsBlank(*scan->at))
        return false;
    skipFlags(scan);
    tacScan time = *scan;
    if (readMicroseconds(scan, &record->time, decimals)) return true;
    *scan = time;
    return readSeconds(scan, &record->time, decimals);
}

/* " 25725 1 37 00000005 00000004 [8bd861f4] 3037.805ms (+0.005ms):" */
static bool verboseBegin(tacScan *scan, tacKernelRecord *record, int *decimals) {
    int64_t ignored, whole, fraction;
    int digits;
    if (!tacScanBlanks(scan) || !tacScanPid(scan, &record->current.pid) || !tacScanBlanks(scan)
        || !tacScanProcessor(scan, &record->processor) || !tacScanBlanks(scan))
        return false;
    for (int i = 0; i < 3; i++)
        if (!tacScanHex(scan, &ignored) || !tacScanBlanks(scan)) return false;
    if (!tacScanText(scan, "[") || !tacScanHex(scan, &ignored) || !tacScanText(scan, "]") || !tacScanBlanks(scan))
        return false;
    if (!tacScanDigits(scan, &whole, NULL) || !tacScanText(scan, ".") || !tacScanDigits(scan, &fraction, &digits)
        || digits != 3 || !tacScanText(scan, "ms (") || whole > TAC_TIME_LIMIT / 1000000 - 1)
        return false;
    scan->at = memchr(scan->at, ')', (size_t) (scan->end - scan->at));
    if (!scan->at) return false;
    record->time = whole * 1000000 + fraction * 1000;
    *decimals = 6;
    return tacScanText(scan, "):");
}

/* " 25725 [001] 926.601954:", "25725/25726" for a process and its thread, without the processor; "-1" is a thread that
 * has ended. A number may stand before the event: the period of the sample. */
static bool perfBegin(tacScan *scan, tacKernelRecord *record, int *decimals) {
    int64_t ignored;
    if (!tacScanBlanks(scan)) return false;
    if (tacScanText(scan, "-1 ")) {
        scan->at--;
        record->current.pid = -1;
    } else if (!tacScanPid(scan, &record->current.pid)) {
        return false;
    }
    int32_t process = record->current.pid;
    if (tacScanText(scan, "/")) {
        if (!tacScanPid(scan, &record->current.pid)) return false;
        record->process = process;
    }
    if (!tacScanBlanks(scan)) return false;
    if (readBracketed(scan, record) && !tacScanBlanks(scan)) return false;
    if (!readSeconds(scan, &record->time, decimals)) return false;
    tacScan period = *scan;
    if (tacScanBlanks(&period) && tacScanDigits(&period, &ignored, NULL) && tacScanBlanks(&period)) *scan = period;
    return true;
}

typedef struct ShapeRow {
    bool (*begin)(tacScan *scan, tacKernelRecord *record, int *decimals); /* reads the part behind the name */
    size_t width;                                                         /* of the name's column */
} ShapeRow;

static const ShapeRow shapes[TAC_SHAPES] = {
    [TAC_SHAPE_FTRACE] = {ftraceBegin, 16},
    [TAC_SHAPE_LATENCY] = {latencyBegin, 8},
    [TAC_SHAPE_VERBOSE] = {verboseBegin, 16},
    [TAC_SHAPE_PERF] = {perfBegin, 16},
};

/* ---- a beginning ------------------------------------------------------------------------------------------------- */

/* The name in a column, without the blanks before it. */
static tacKernelText nameIn(const char *start, const char *end) {
    tacScan name = {start, end};
    if (end - start > 8 && tacScanSame8(start, "        ")) name.at += 8; /* the usual case */
    tacScanBlanks(&name);
    return tacScanRest(&name);
}

/* Reads a beginning of this shape whose name ends at `place`, in a column that begins at `prefix`. Returns its end;
 * NULL: it has not this shape. */
static const char *beginAt(
    tacKernelShape shape, tacScan line, size_t prefix, size_t place, tacKernelRecord *record, int *decimals) {
    if (place >= (size_t) (line.end - line.at)) return NULL;
    tacScan scan = {line.at + place, line.end};
    record->processor = -1;
    record->process = 0;
    if (!shapes[shape].begin(&scan, record, decimals)) return NULL;
    record->current.name = nameIn(line.at + prefix, line.at + place);
    return scan.at;
}

/* The same for any end of the name. "buffer: " may stand before the column, the same in all lines of that buffer. */
static const char *beginIn(
    tacKernelLines *lines, tacKernelShape shape, tacScan line, tacKernelRecord *record, int *decimals) {
    enum { LONGER = 40 }; /* bytes by which a name, or a buffer's name before the column, may exceed the column */
    size_t width = shapes[shape].width;
    const char *after = beginAt(shape, line, lines->prefix, lines->prefix + width, record, decimals);
    if (after) return after;
    for (size_t place = 0; place <= width + LONGER; place++) {
        if (!(after = beginAt(shape, line, 0, place, record, decimals))) continue;
        size_t prefix = place < width + 3 ? 0 : place - width;
        if (prefix && line.at[prefix - 2] == ':' && line.at[prefix - 1] == ' ') lines->prefix = prefix;
        else prefix = 0;
        record->current.name = nameIn(line.at + prefix, line.at + place);
        return after;
    }
    return NULL;
}

const char *tacKernelBegin(tacKernelLines *lines, tacScan line, tacKernelRecord *record) {
    int decimals = 0;
    tacKernelShape found = lines->shape;
    const char *after = found == TAC_SHAPE_UNKNOWN ? NULL : beginIn(lines, found, line, record, &decimals);
    for (int shape = TAC_SHAPE_FTRACE; !after && shape < TAC_SHAPES; shape++) {
        found = (tacKernelShape) shape;
        after = beginIn(lines, found, line, record, &decimals);
    }
    if (!after) return NULL;
    lines->shape = found;
    if (decimals > lines->decimals) lines->decimals = decimals;
    return after;
}

static void learnWho(tacKernelLines *lines, const char *line, const char *after, const tacKernelRecord *record) {
    size_t length = (size_t) (after - line);
    lines->whoLength = length <= TAC_KERNEL_WHO ? length : 0;
    memcpy(lines->who, line, lines->whoLength);
    lines->nameAt = (size_t) (record->current.name.at - line);
    lines->nameLength = record->current.name.length;
    lines->pid = record->current.pid;
    lines->process = record->process;
    lines->processor = record->processor;
}

/* Reads thread and processor of TAC_SHAPE_FTRACE, with the name in its column. Mostly they are the bytes of the line
 * before. */
static inline bool whoAsBefore(tacKernelLines *lines, tacScan *line, tacKernelRecord *record) {
    const char *start = line->at;
    size_t n = lines->whoLength, width = lines->prefix + shapes[TAC_SHAPE_FTRACE].width;
    if (n && n <= (size_t) (line->end - start) && memcmp(start, lines->who, n) == 0) {
        record->current = (tacKernelThread){
            lines->pid, TAC_KERNEL_NO_PRIORITY, {start + lines->nameAt, lines->nameLength}};
        record->process = lines->process;
        record->processor = lines->processor;
        line->at += n;
        return true;
    }
    if (width >= (size_t) (line->end - start)) return false;
    line->at += width;
    if (!ftraceWho(line, record)) return false;
    record->current.name = nameIn(start + lines->prefix, start + width);
    learnWho(lines, start, line->at, record);
    return true;
}

const char *tacKernelBeginAsBefore(tacKernelLines *lines, tacScan line, tacKernelRecord *record) {
    int decimals = 0;
    const char *after = NULL;
    if (TAC_LIKELY(lines->shape == TAC_SHAPE_FTRACE)) {
        if (whoAsBefore(lines, &line, record) && ftraceWhen(&line, record, &decimals)) after = line.at;
    } else if (lines->shape != TAC_SHAPE_UNKNOWN) {
        after = beginAt(
            lines->shape, line, lines->prefix, lines->prefix + shapes[lines->shape].width, record, &decimals);
    }
    if (decimals > lines->decimals && after) lines->decimals = decimals;
    return after;
}
