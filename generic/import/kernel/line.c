/*
 * line.c -- one line of kernel trace text to a record: the beginning by its shape, the event's words by a table.
 *
 *                names-25725   [001] d..4.   926.601954: sched_waking: comm=python3 pid=25627 prio=120 target_cpu=000
 *      |------ who, where, when (a shape) -----------|  |- event -|  |----------- words (a row of the table) ------|
 *
 * Thread names are any 15 bytes: blanks, brackets, "==>", "prev_pid=". So a name never ends where something that looks
 * like its end comes first, but where the whole rest of the line fits. In the beginning of a line the name stands in a
 * column of fixed width, padded on the left (16, in the latency shape 8), so that its end is known; only in lines that
 * somebody has trimmed it is searched.
 */
#include "base/port.h"

#include "base/decimal.h"
#include "import/kernel/record.h"

#include <limits.h>
#include <string.h>

/* The part of a line that is not read yet. */
typedef struct Text {
    const char *at, *end;
} Text;

/* ---- words ------------------------------------------------------------------------------------------------------ */

static inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
static inline bool isBlank(char c) { return c == ' ' || c == '\t'; }

static inline bool skipBlanks(Text *text) { /* false: there were none */
    const char *start = text->at, *at = start, *end = text->end;
    while (at < end && isBlank(*at)) at++;
    text->at = at;
    return at > start;
}

static inline bool isSame8(const char *a, const char *b) {
    return memcmp(a, b, 8) == 0;
} /* one load each, as those below */
static inline bool isSame4(const char *a, const char *b) { return memcmp(a, b, 4) == 0; }

/* n bytes: keys and names are short and many, and a call costs more than it does. */
static inline bool isSame(const char *a, const char *b, size_t n) {
    if (n > 16) return memcmp(a, b, n) == 0;
    if (n >= 8) return isSame8(a, b) && isSame8(a + n - 8, b + n - 8);
    if (n >= 4) return isSame4(a, b) && isSame4(a + n - 4, b + n - 4);
    while (n && a[n - 1] == b[n - 1]) n--;
    return n == 0;
}

static inline bool skipBytes(Text *text, const char *bytes, size_t n) {
    if ((size_t) (text->end - text->at) < n || *text->at != *bytes || !isSame(text->at, bytes, n)) return false;
    text->at += n;
    return true;
}

static inline bool skip(Text *text, const char *literal) {
    return skipBytes(text, literal, strlen(literal));
} /* not empty */

static inline bool skipByte(Text *text, char byte) {
    if (text->at == text->end || *text->at != byte) return false;
    text->at++;
    return true;
}

/* Digits, at most 18 of them. */
static inline bool readDigits(Text *text, int64_t *value, int *count) {
    const char *start = text->at, *at = start, *end = text->end - at > 18 ? at + 18 : text->end;
    uint64_t sum = 0;
    for (unsigned digit; at < end && (digit = (unsigned) (unsigned char) *at - '0') < 10; at++) sum = 10 * sum + digit;
    *value = (int64_t) sum;
    text->at = at;
    if (count) *count = (int) (at - start);
    return at > start && (at == text->end || !isDigit(*at));
}

/* Eight digits at once (each nibble pair is checked, then pairs are joined thrice); false: they are not all digits, or
 * this machine has its bytes in another order. */
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

/* The digits behind the point: nine, where they are nanoseconds. */
static inline bool readFraction(Text *text, int64_t *value, int *digits) {
    uint32_t eight;
    if (!readEight(text->at, text->end, &eight) || text->end - text->at < 9 || !isDigit(text->at[8]))
        return readDigits(text, value, digits);
    *value = (int64_t) eight * 10 + (text->at[8] - '0');
    *digits = 9;
    text->at += 9;
    return text->at == text->end || !isDigit(*text->at);
}

static bool readHex(Text *text, int64_t *value) {
    const char *start = text->at;
    uint64_t sum = 0;
    for (; text->at < text->end && text->at - start < 16; text->at++) {
        char c = *text->at;
        int digit = isDigit(c)     ? c - '0'
            : c >= 'a' && c <= 'f' ? c - 'a' + 10
            : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                   : -1;
        if (digit < 0) break;
        sum = sum << 4 | (unsigned) digit;
    }
    *value = (int64_t) sum;
    return text->at > start;
}

/* " (120)" behind a number in hexadecimal, which the option fields of ftrace writes. */
static bool readDecimal(Text *text, int64_t *value) {
    Text word = *text;
    if (!skip(&word, " (")) return false;
    bool negative = skip(&word, "-");
    if (!readDigits(&word, value, NULL) || !skip(&word, ")")) return false;
    if (negative) *value = -*value;
    *text = word;
    return true;
}

/* "-12", "0x78", "0x78 (120)" */
static bool readNumber(Text *text, int64_t *value) {
    if (skip(text, "0x")) {
        if (!readHex(text, value)) return false;
        readDecimal(text, value);
        return true;
    }
    bool negative = skip(text, "-");
    if (!readDigits(text, value, NULL)) return false;
    if (negative) *value = -*value;
    return true;
}

static tacKernelText rest(const Text *text) { return (tacKernelText){text->at, (size_t) (text->end - text->at)}; }

/* ---- the beginning: who, where, when ----------------------------------------------------------------------------- */

static const int64_t toNanos[10] = {
    1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1}; /* by
                                                                                   decimals
                                                                                 */

/* "926.601954" (seconds), or an integer of a clock that counts something else; the colon behind it is taken. */
static inline bool readSeconds(Text *text, int64_t *nanos, int *decimals) {
    int64_t whole, fraction = 0;
    int digits = 0;
    if (!readDigits(text, &whole, NULL)) return false;
    if (!skipByte(text, '.')) {
        *decimals = 0;
        *nanos = whole;
        return tacIsTime(whole) && skipByte(text, ':');
    }
    if (!readFraction(text, &fraction, &digits) || digits > 9 || whole > TAC_TIME_LIMIT / 1000000000 - 1) return false;
    *decimals = digits;
    *nanos = whole * 1000000000 + fraction * toNanos[digits];
    return skipByte(text, ':');
}

static inline bool readPid(Text *text, tacKernelRecord *record) {
    int64_t pid;
    if (!readDigits(text, &pid, NULL) || pid > INT32_MAX) return false;
    record->current.pid = (int32_t) pid;
    return true;
}

static inline bool readProcessor(Text *text, tacKernelRecord *record) { /* "[001]" */
    int64_t processor;
    if (!skipByte(text, '[') || !readDigits(text, &processor, NULL) || processor > UINT16_MAX - 1
        || !skipByte(text, ']'))
        return false;
    record->processor = (int32_t) processor;
    return true;
}

/* "(  25725)" or "(-------)", where the thread group is recorded. */
static inline void skipGroup(Text *text) {
    Text group = *text;
    if (TAC_LIKELY(!skipByte(&group, '('))) return;
    while (group.at < group.end && (isBlank(*group.at) || isDigit(*group.at) || *group.at == '-')) group.at++;
    if (!skip(&group, ")")) return;
    skipBlanks(&group);
    *text = group;
}

/* "d..2." before the time. */
static void skipFlags(Text *text) {
    const char *at = text->at, *end = text->end;
    while (at < end && !isBlank(*at)) at++;
    Text flags = {at, end};
    bool time = at > text->at && at[-1] == ':'; /* there are none, and what follows may begin with a number, too */
    if (!time && skipBlanks(&flags)) *text = flags;
}

static inline bool ftraceWho(Text *text, tacKernelRecord *record) {
    if (!skipByte(text, '-') || !readPid(text, record)) return false;
    skipBlanks(text);
    skipGroup(text);
    return readProcessor(text, record);
}

static inline bool ftraceWhen(Text *text, tacKernelRecord *record, int *decimals) {
    if (!skipBlanks(text)) return false;
    Text flags = *text;
    skipFlags(text);
    if (TAC_LIKELY(readSeconds(text, &record->time, decimals))) return true;
    *text = flags;
    return readSeconds(text, &record->time, decimals);
}

static bool ftraceBegin(Text *text, tacKernelRecord *record, int *decimals) {
    return ftraceWho(text, record) && ftraceWhen(text, record, decimals);
}

/* "123us+:" */
static bool readMicroseconds(Text *text, int64_t *nanos, int *decimals) {
    int64_t whole;
    if (!readDigits(text, &whole, NULL) || whole > INT64_MAX / 1000 || !skip(text, "us")) return false;
    *nanos = whole * 1000;
    *decimals = 6;
    if (text->at < text->end && *text->at != ':') text->at++; /* a mark for a long delay, or a blank */
    return skip(text, ":");
}

static bool latencyBegin(Text *text, tacKernelRecord *record, int *decimals) {
    int64_t processor;
    if (!skip(text, "-") || !readPid(text, record) || !skipBlanks(text)) return false;
    const char *start = text->at;
    while (text->at < text->end && isDigit(*text->at)) text->at++;
    Text number = {start, text->at};
    if (!readDigits(&number, &processor, NULL) || processor > UINT16_MAX - 1 || text->at == text->end
        || isBlank(*text->at))
        return false;
    record->processor = (int32_t) processor;
    skipFlags(text);
    Text time = *text;
    if (readMicroseconds(text, &record->time, decimals)) return true;
    *text = time;
    return readSeconds(text, &record->time, decimals);
}

/* " 25725 1 37 00000005 00000004 [8bd861f4] 3037.805ms (+0.005ms):" */
static bool verboseBegin(Text *text, tacKernelRecord *record, int *decimals) {
    int64_t processor, ignored, whole, fraction;
    int digits;
    if (!skipBlanks(text) || !readPid(text, record) || !skipBlanks(text) || !readDigits(text, &processor, NULL)
        || !skipBlanks(text))
        return false;
    for (int i = 0; i < 3; i++) {
        if (!readHex(text, &ignored) || !skipBlanks(text)) return false;
    }
    if (!skip(text, "[") || !readHex(text, &ignored) || !skip(text, "]") || !skipBlanks(text)) return false;
    if (!readDigits(text, &whole, NULL) || !skip(text, ".") || !readDigits(text, &fraction, &digits) || digits != 3)
        return false;
    if (!skip(text, "ms (") || whole > INT64_MAX / 1000000 - 1 || processor > UINT16_MAX - 1) return false;
    text->at = memchr(text->at, ')', (size_t) (text->end - text->at));
    if (!text->at) return false;
    record->processor = (int32_t) processor;
    record->time = whole * 1000000 + fraction * 1000;
    *decimals = 6;
    return skip(text, "):");
}

/* perf writes ":-1 -1" for a thread that is no more. */
static bool readPerfPid(Text *text, tacKernelRecord *record) {
    bool none = skip(text, "-1 ");
    if (!none) return readPid(text, record);
    text->at--;
    record->current.pid = -1;
    return true;
}

/* "          1 " before the event: how many of them the sample stands for. */
static void skipPeriod(Text *text) {
    Text period = *text;
    int64_t ignored;
    if (skipBlanks(&period) && readDigits(&period, &ignored, NULL) && skipBlanks(&period)) *text = period;
}

static bool perfBegin(Text *text, tacKernelRecord *record, int *decimals) {
    if (!skipBlanks(text) || !readPerfPid(text, record)) return false;
    if (skip(text, "/") && !readPid(text, record)) return false;
    if (!skipBlanks(text)) return false;
    if (readProcessor(text, record) && !skipBlanks(text)) return false;
    if (!readSeconds(text, &record->time, decimals)) return false;
    skipPeriod(text);
    return true;
}

typedef bool Begin(Text *text, tacKernelRecord *record, int *decimals);
static const struct ShapeRow {
    Begin *begin;
    size_t width;
} shapes[TAC_SHAPES] = {
    /* width: of the name's column */
    [TAC_SHAPE_FTRACE] = {ftraceBegin, 16},
    [TAC_SHAPE_LATENCY] = {latencyBegin, 8},
    [TAC_SHAPE_VERBOSE] = {verboseBegin, 16},
    [TAC_SHAPE_PERF] = {perfBegin, 16},
};
enum { LONGEST_NAME = 40 }; /* bytes that a name, or that of a buffer before its column, may be longer than it */

static tacKernelText nameIn(const char *start, const char *end) { /* its column is filled up with blanks before it */
    Text name = {start, end};
    if (end - start > 8 && isSame8(start, "        ")) name.at += 8; /* mostly so */
    skipBlanks(&name);
    return rest(&name);
}

/* The beginning in this shape with the name ending at `place`, in a column that begins at `prefix`. */
static bool beginAt(tacKernelShape shape, const Text *line, size_t prefix, size_t place, Text *after,
    tacKernelRecord *record, int *decimals) {
    if (place >= (size_t) (line->end - line->at)) return false;
    Text text = {line->at + place, line->end};
    record->processor = -1;
    if (!shapes[shape].begin(&text, record, decimals)) return false;
    record->current.name = nameIn(line->at + prefix, line->at + place);
    *after = text;
    return true;
}

/* "buffer: " before a whole column, or a place where a name may end without one: its length. */
static size_t prefixOf(tacKernelShape shape, const Text *line, size_t place) {
    if (place < shapes[shape].width + 3) return 0;
    size_t length = place - shapes[shape].width;
    return line->at[length - 2] == ':' && line->at[length - 1] == ' ' ? length : 0;
}

static bool beginIn(tacKernelLines *lines, tacKernelShape shape, const Text *line, Text *after, tacKernelRecord *record,
    int *decimals) {
    size_t width = shapes[shape].width;
    if (beginAt(shape, line, lines->prefix, lines->prefix + width, after, record, decimals)) return true;
    for (size_t place = 0; place <= width + LONGEST_NAME; place++) {
        if (!beginAt(shape, line, 0, place, after, record, decimals)) continue;
        size_t prefix = prefixOf(shape, line, place);
        if (prefix) lines->prefix = prefix;
        record->current.name = nameIn(line->at + prefix, line->at + place);
        return true;
    }
    return false;
}

static bool begin(tacKernelLines *lines, const Text *line, Text *after, tacKernelRecord *record) {
    int decimals = 0;
    tacKernelShape found = lines->shape;
    if (found == TAC_SHAPE_UNKNOWN || !beginIn(lines, found, line, after, record, &decimals)) {
        for (found = TAC_SHAPE_FTRACE; found < TAC_SHAPES; found++) {
            if (beginIn(lines, found, line, after, record, &decimals)) break;
        }
        if (found == TAC_SHAPES) return false;
    }
    lines->shape = found;
    if (decimals > lines->decimals) lines->decimals = decimals;
    return true;
}

/* ---- an event's words, as the kernel writes them ----------------------------------------------------------------- */

typedef enum FieldType { FIELD_END, FIELD_TEXT, FIELD_INT32, FIELD_INT64, FIELD_STATE, FIELD_SKIP } FieldType;
typedef struct Field {
    const char *key; /* with its "=" */
    size_t keyLength;
    FieldType type;
    size_t offset; /* in the record */
    bool optional;
} Field;

enum { MOST_FIELDS = 8, LONGEST_TEXT = 4200 }; /* bytes: the path of an exec */

static tacKernelState stateOfLetter(char letter) {
    switch (letter) {
    case 'R': return TAC_KERNEL_RUNNABLE;
    case 'D': return TAC_KERNEL_DISK;
    case 'T':
    case 't':
    case 'P': return TAC_KERNEL_STOPPED;
    case 'X':
    case 'Z':
    case 'x': return TAC_KERNEL_DEAD;
    default: return TAC_KERNEL_SLEEPING;
    }
}

/* A state as the bits of the kernel: 1 S, 2 D, 4 T, 8 t, 16 X, 32 Z, 64 P, 128 I; a bit above them: preempted. */
static tacKernelState stateOfBits(int64_t bits) {
    if (!(bits & 0xff)) return TAC_KERNEL_RUNNABLE;
    return bits & 0x30 ? TAC_KERNEL_DEAD
        : bits & 0x4c  ? TAC_KERNEL_STOPPED
        : bits & 2     ? TAC_KERNEL_DISK
                       : TAC_KERNEL_SLEEPING;
}

/* "S", "R+", "D|K", "0x2 (2)", "1" */
static bool readState(Text *text, tacKernelRecord *record) {
    int64_t bits;
    if (text->at == text->end) return false;
    if (isDigit(*text->at)) {
        if (!readNumber(text, &bits)) return false;
        record->state = stateOfBits(bits);
        record->preempted = bits > 0xff && record->state == TAC_KERNEL_RUNNABLE;
        return true;
    }
    const char *start = text->at;
    while (text->at < text->end && !isBlank(*text->at)) text->at++;
    if (text->at == start) return false;
    record->state = stateOfLetter(*start);
    record->preempted = text->at[-1] == '+';
    return true;
}

/* Between two fields: blanks, and the arrow of a switch. */
static inline bool between(Text *text) {
    if (!skipBlanks(text)) return false;
    return TAC_LIKELY(!skip(text, "==>")) || skipBlanks(text);
}

static bool readFields(Text *text, const Field *field, tacKernelRecord *record);

/* A text ends where the next field begins and all others fit; the last one has the rest of the line. */
static bool readTextField(Text *text, const Field *field, tacKernelRecord *record) {
    tacKernelText *value = (tacKernelText *) (void *) ((char *) record + field->offset);
    if (field[1].type == FIELD_END) {
        *value = rest(text);
        text->at = text->end;
        return true;
    }
    const char *start = text->at, *limit = text->end - start > LONGEST_TEXT ? start + LONGEST_TEXT : text->end;
    for (const char *at = start; at < limit; at++) {
        Text after = {at, text->end};
        if (!isBlank(*at) || (at + 1 < text->end && isBlank(at[1])) || !readFields(&after, field + 1, record))
            continue; /* a name may end with blanks */
        *value = (tacKernelText){start, (size_t) (at - start)};
        *text = after;
        return true;
    }
    return false;
}

static bool readValue(Text *text, const Field *field, tacKernelRecord *record) {
    int64_t number;
    void *value = (char *) record + field->offset;
    switch (field->type) {
    case FIELD_TEXT: return readTextField(text, field, record);
    case FIELD_STATE: return readState(text, record);
    case FIELD_SKIP:
        while (text->at < text->end && !isBlank(*text->at)) text->at++;
        readDecimal(text, &number);
        return true;
    case FIELD_INT32:
        if (!readNumber(text, &number) || number < INT32_MIN || number > INT32_MAX) return false;
        *(int32_t *) value = (int32_t) number;
        return true;
    default: return readNumber(text, (int64_t *) value);
    }
}

/* Blanks, key=value, and so on to the end of the table. */
static bool readFields(Text *text, const Field *field, tacKernelRecord *record) {
    for (; field->type != FIELD_END; field++) {
        Text next = *text;
        if (!between(&next) || !skipBytes(&next, field->key, field->keyLength)) {
            if (field->optional) continue;
            return false;
        }
        if (!readValue(&next, field, record)) return false;
        *text = next;
        if (field->type == FIELD_TEXT) return true; /* it has read all others */
    }
    return true;
}

/* ---- words in the manner of trace-cmd ---------------------------------------------------------------------------- */

/* "name:pid [priority]" at the end of the text, which must be all of it. */
static bool readThread(const char *start, const char *end, tacKernelThread *thread) {
    while (end > start && isBlank(end[-1])) end--;
    if (end == start || end[-1] != ']') return false;
    const char *at = end - 1;
    while (at > start && (isDigit(at[-1]) || at[-1] == '-')) at--;
    Text number = {at, end - 1};
    int64_t priority, pid;
    if (!readNumber(&number, &priority) || number.at != number.end || priority < INT32_MIN / 2 || priority > INT32_MAX)
        return false;
    if (at - start < 2 || at[-1] != '[' || at[-2] != ' ') return false;
    const char *pidEnd = at -= 2;
    while (at > start && isDigit(at[-1])) at--;
    number = (Text){at, pidEnd};
    if (!readDigits(&number, &pid, NULL) || pid > INT32_MAX || at == start || at[-1] != ':') return false;
    *thread = (tacKernelThread){(int32_t) pid, (int32_t) priority, {start, (size_t) (at - 1 - start)}};
    return true;
}

/* Where the text ends without " Latency: 3.986 usecs", which trace-cmd report -w adds. */
static const char *beforeLatency(const Text *text) {
    static const char unit[] = " usecs", key[] = " Latency: ";
    size_t nUnit = sizeof unit - 1, nKey = sizeof key - 1;
    const char *at = text->end;
    if ((size_t) (at - text->at) < nUnit || memcmp(at - nUnit, unit, nUnit) != 0) return text->end;
    for (at -= nUnit; at > text->at && (isDigit(at[-1]) || at[-1] == '.');) at--;
    return (size_t) (at - text->at) >= nKey && memcmp(at - nKey, key, nKey) == 0 ? at - nKey : text->end;
}

/* "name:pid [priority] S ==> name:pid [priority]" */
static bool readSwitch(Text *text, tacKernelRecord *record) {
    text->end = beforeLatency(text);
    for (const char *at = text->at; text->end - at > 5; at++) {
        if (memcmp(at, " ==> ", 5) != 0) continue;
        const char *state = at;
        while (state > text->at && !isBlank(state[-1])) state--;
        Text letters = {state, at};
        if (readThread(text->at, state, &record->thread) && readThread(at + 5, text->end, &record->other)
            && readState(&letters, record))
            return true;
    }
    return false;
}

/* "name:pid [priority] CPU:001", with or without "success=1" */
static bool readWakeup(Text *text, tacKernelRecord *record) {
    const char *at = text->end;
    while (at > text->at && isDigit(at[-1])) at--;
    Text number = {at, text->end};
    int64_t target;
    if (!readDigits(&number, &target, NULL) || target > UINT16_MAX - 1 || at - text->at < 5
        || memcmp(at - 4, "CPU:", 4) != 0)
        return false;
    const char *end = at - 4;
    while (end > text->at && isBlank(end[-1])) end--;
    if (end - text->at > 9 && memcmp(end - 9, "success=", 8) == 0) end -= 9;
    record->target = (int32_t) target;
    return readThread(text->at, end, &record->thread);
}

/* ---- the table of events ----------------------------------------------------------------------------------------- */

#define AT(member) offsetof(tacKernelRecord, member)
#define KEY(key) key "=", sizeof key
#define TEXT(key, member) \
    { KEY(key), FIELD_TEXT, AT(member), false }
#define INT32(key, member) \
    { KEY(key), FIELD_INT32, AT(member), false }
#define INT64(key, member) \
    { KEY(key), FIELD_INT64, AT(member), false }
#define STATE(key) \
    { KEY(key), FIELD_STATE, 0, false }
#define SKIP(key) \
    { KEY(key), FIELD_SKIP, 0, false }
#define MAYBE(key) \
    { KEY(key), FIELD_SKIP, 0, true }
#define THREAD(nameKey, pidKey, priorityKey) \
    TEXT(nameKey, thread.name), INT32(pidKey, thread.pid), INT32(priorityKey, thread.priority)
#define WAKEUP \
    { THREAD("comm", "pid", "prio"), MAYBE("success"), INT32("target_cpu", target) }

typedef struct EventRow {
    const char *name;
    size_t nameLength;
    tacKernelEvent event;
    Field fields[MOST_FIELDS];                          /* ends with FIELD_END */
    bool (*other)(Text *text, tacKernelRecord *record); /* another manner of writing it; may be NULL */
} EventRow;

#define NAME(name) name, sizeof name - 1

static const EventRow rows[] = {
    /* the most frequent ones first */
    {NAME("sched_switch"), TAC_KERNEL_SWITCH,
        {THREAD("prev_comm", "prev_pid", "prev_prio"), STATE("prev_state"), TEXT("next_comm", other.name),
            INT32("next_pid", other.pid), INT32("next_prio", other.priority)},
        readSwitch},
    {NAME("sched_waking"), TAC_KERNEL_WAKING, WAKEUP, readWakeup},
    {NAME("sched_wakeup"), TAC_KERNEL_WAKEUP, WAKEUP, readWakeup},
    {NAME("sched_wakeup_new"), TAC_KERNEL_WAKEUP_NEW, WAKEUP, readWakeup},
    {NAME("sched_migrate_task"), TAC_KERNEL_MIGRATE,
        {THREAD("comm", "pid", "prio"), SKIP("orig_cpu"), INT32("dest_cpu", target)}, NULL},
    {NAME("softirq_raise"), TAC_KERNEL_SOFTIRQ_RAISE, {INT64("vec", number), TEXT("[action", text)}, NULL},
    {NAME("softirq_entry"), TAC_KERNEL_SOFTIRQ_ENTRY, {INT64("vec", number), TEXT("[action", text)}, NULL},
    {NAME("softirq_exit"), TAC_KERNEL_SOFTIRQ_EXIT, {INT64("vec", number), TEXT("[action", text)}, NULL},
    {NAME("softirq_raise"), TAC_KERNEL_SOFTIRQ_RAISE, {INT64("vec", number)}, NULL}, /* fields: without the action */
    {NAME("softirq_entry"), TAC_KERNEL_SOFTIRQ_ENTRY, {INT64("vec", number)}, NULL},
    {NAME("softirq_exit"), TAC_KERNEL_SOFTIRQ_EXIT, {INT64("vec", number)}, NULL},
    {NAME("local_timer_entry"), TAC_KERNEL_TIMER_ENTRY, {INT64("vector", number)}, NULL},
    {NAME("local_timer_exit"), TAC_KERNEL_TIMER_EXIT, {INT64("vector", number)}, NULL},
    {NAME("hrtimer_expire_entry"), TAC_KERNEL_HRTIMER_ENTRY, {SKIP("hrtimer"), TEXT("function", text), SKIP("now")},
        NULL},
    {NAME("hrtimer_expire_entry"), TAC_KERNEL_HRTIMER_ENTRY, {SKIP("hrtimer"), SKIP("now"), TEXT("function", text)},
        NULL}, /* trace-cmd */
    {NAME("hrtimer_expire_exit"), TAC_KERNEL_HRTIMER_EXIT, {SKIP("hrtimer")}, NULL},
    {NAME("irq_handler_entry"), TAC_KERNEL_IRQ_ENTRY, {INT64("irq", number), TEXT("name", text)}, NULL},
    {NAME("irq_handler_exit"), TAC_KERNEL_IRQ_EXIT, {INT64("irq", number)}, NULL},
    {NAME("sched_process_fork"), TAC_KERNEL_FORK,
        {TEXT("comm", thread.name), INT32("pid", thread.pid), TEXT("child_comm", other.name),
            INT32("child_pid", other.pid)},
        NULL},
    {NAME("sched_process_fork"), TAC_KERNEL_FORK,
        {TEXT("parent_comm", thread.name), INT32("parent_pid", thread.pid), TEXT("child_comm", other.name),
            INT32("child_pid", other.pid)},
        NULL},
    {NAME("sched_process_exec"), TAC_KERNEL_EXEC, {TEXT("filename", text), INT32("pid", thread.pid)}, NULL},
    {NAME("sched_process_exit"), TAC_KERNEL_EXIT, {THREAD("comm", "pid", "prio")}, NULL},
    {NAME("sched_pi_setprio"), TAC_KERNEL_SETPRIO,
        {TEXT("comm", thread.name), INT32("pid", thread.pid), INT32("oldprio", thread.priority),
            INT32("newprio", other.priority)},
        NULL},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The first row of this name from `row` on, or NULL. */
static const EventRow *findRow(const EventRow *row, const tacKernelText *name) {
    for (; row < rows + ROWS; row++) {
        if (row->nameLength == name->length && isSame(row->name, name->at, name->length)) return row;
    }
    return NULL;
}

static void forgetThreads(tacKernelRecord *record) {
    static const tacKernelThread nobody = {-1, TAC_KERNEL_NO_PRIORITY, {NULL, 0}};
    record->thread = record->other = nobody;
    record->target = -1;
}

/* A softirq's action ends with a bracket; where the text has none, it is what the kernel calls its number. */
static void nameAction(tacKernelRecord *record) {
    static const char *const actions[] = {
        "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"};
    tacKernelText *text = &record->text;
    if (text->length) text->length -= text->at[text->length - 1] == ']';
    else if (record->number >= 0 && record->number < (int64_t) (sizeof actions / sizeof *actions))
        *text = (tacKernelText){actions[record->number], strlen(actions[record->number])};
}

/* A function may be written with how far into it: by trace-cmd "hrtimer_wakeup/0x0", as fields "hrtimer_wakeup+0x0/0x30
 * (-2126241248)". */
static void cutOffset(tacKernelText *text) {
    size_t n = 0;
    while (n < text->length && text->at[n] != '+' && text->at[n] != '/' && !isBlank(text->at[n])) n++;
    text->length = n;
}

static bool readEvent(const EventRow *row, const Text *words, tacKernelRecord *record) {
    Text text = {words->at - 1, words->end}; /* each field has a blank before it, and so has the first one */
    record->event = row->event;
    if (words->at < words->end && readFields(&text, row->fields, record)) {
        if (TAC_KERNEL_SOFTIRQ_RAISE <= row->event && row->event <= TAC_KERNEL_SOFTIRQ_EXIT) nameAction(record);
        if (row->event == TAC_KERNEL_HRTIMER_ENTRY) cutOffset(&record->text);
        return true;
    }
    text = *words;
    forgetThreads(record);
    return row->fields[0].type == FIELD_END || (row->other && row->other(&text, record));
}

/* ---- events without a table row: marks, system calls, the old switch tracer -------------------------------------- */

static inline bool isNamed(const tacKernelText *name, const char *text, size_t length) {
    return name->length == length && isSame(name->at, text, length);
}

#define nameIs(name, literal) isNamed(name, literal, sizeof literal - 1)

static bool nameBegins(const tacKernelText *name, const char *text) {
    return name->length > strlen(text) && memcmp(text, name->at, strlen(text)) == 0;
}

/* A mark: "tracing_mark_write: text"; trace-cmd writes "print: tracing_mark_write: text", with trace_printk's function
 * instead. */
static bool readMark(const Text *words, tacKernelRecord *record) {
    Text text = *words;
    bool print = nameIs(&record->name, "print") || nameIs(&record->name, "bprint") || nameIs(&record->name, "bputs");
    if (!print && !nameIs(&record->name, "tracing_mark_write")) return false;
    if (print) {
        const char *colon = memchr(text.at, ':', (size_t) (text.end - text.at));
        const char *blank = memchr(text.at, ' ', (size_t) (text.end - text.at));
        if (colon && (!blank || colon < blank)) text.at = colon + 1;
        skipBlanks(&text);
    }
    record->event = TAC_KERNEL_MARK;
    record->text = rest(&text);
    return true;
}

/* raw_syscalls: "sys_enter: NR 202 (7f00, 80, ...)", a call called "NR 202"; as fields "sys_enter: id=0xca (202) ...":
 * one called "id=0xca (202)". */
static bool readRawSyscall(tacKernelRecord *record) {
    bool enters = nameIs(&record->name, "sys_enter");
    Text text = {record->text.at, record->text.at + record->text.length};
    int64_t number;
    if (!enters && !nameIs(&record->name, "sys_exit")) return false;
    if ((!skip(&text, "NR ") && !skip(&text, "id=")) || !readNumber(&text, &number)) return false;
    record->event = enters ? TAC_KERNEL_SYSCALL_ENTRY : TAC_KERNEL_SYSCALL_EXIT;
    record->name = (tacKernelText){record->text.at, (size_t) (text.at - record->text.at)};
    return true;
}

static bool readSyscall(tacKernelRecord *record) {
    size_t prefix = strlen("sys_enter_");
    if (nameBegins(&record->name, "sys_enter_")) record->event = TAC_KERNEL_SYSCALL_ENTRY;
    else if (nameBegins(&record->name, "sys_exit_")) record->event = TAC_KERNEL_SYSCALL_EXIT, prefix--;
    else return false;
    record->name.at += prefix;
    record->name.length -= prefix;
    return true;
}

/* ftrace itself writes "sys_futex(uaddr: ...)" and "sys_futex -> 0x0". */
static bool readSyscallWords(Text text, tacKernelRecord *record) {
    if (!skip(&text, "sys_")) return false;
    const char *start = text.at;
    while (text.at < text.end && *text.at != '(' && !isBlank(*text.at)) text.at++;
    record->name = (tacKernelText){start, (size_t) (text.at - start)};
    if (!record->name.length) return false;
    record->text = rest(&text);
    record->event = skip(&text, "(") ? TAC_KERNEL_SYSCALL_ENTRY
        : skip(&text, " -> ")        ? TAC_KERNEL_SYSCALL_EXIT
                                     : TAC_KERNEL_OTHER;
    return record->event != TAC_KERNEL_OTHER;
}

static bool readOldThread(Text *text, tacKernelThread *thread, char *letter) { /* "22492:120:S" */
    int64_t pid, priority;
    skipBlanks(text);
    if (!readDigits(text, &pid, NULL) || !skip(text, ":") || !readDigits(text, &priority, NULL) || !skip(text, ":")
        || text->at == text->end)
        return false;
    if (pid > INT32_MAX || priority > INT32_MAX) return false;
    *thread = (tacKernelThread){(int32_t) pid, (int32_t) priority, {NULL, 0}};
    *letter = *text->at++;
    return true;
}

/* "22492:120:S ==> [001] 10167:120:R name", "10167:120:R + [001] 22492:120:S name": the tracer sched_switch of kernels
 * before 2.6.38. */
static bool readOldSwitch(Text text, tacKernelRecord *record) {
    static const struct {
        const char *sign, *name;
        tacKernelEvent event;
    } signs[] = {{"==>", "sched_switch", TAC_KERNEL_SWITCH}, {"+", "sched_wakeup", TAC_KERNEL_WAKEUP}};
    tacKernelThread first, second;
    char letter, otherLetter;
    if (!readOldThread(&text, &first, &letter) || !skipBlanks(&text)) return false;
    for (int i = 0; i < 2; i++) {
        Text after = text;
        int64_t target;
        if (!skip(&after, signs[i].sign) || !skipBlanks(&after)) continue;
        if (skip(&after, "[") && readDigits(&after, &target, NULL) && target < UINT16_MAX && skip(&after, "]"))
            record->target = (int32_t) target;
        if (!readOldThread(&after, &second, &otherLetter)) return false;
        skipBlanks(&after);
        if (after.at < after.end) second.name = rest(&after);
        record->event = signs[i].event;
        record->name = (tacKernelText){signs[i].name, strlen(signs[i].name)};
        record->state = stateOfLetter(letter);
        if (i == 0) record->thread = first, record->other = second;
        else record->thread = second;
        return true;
    }
    return false;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* What names of events are made of: letters, digits, and these. */
static const bool nameBytes[UCHAR_MAX + 1] = {
    ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true, ['_'] = true, ['-'] = true, ['.'] = true};

/* "+0x91/0x170", " <ffffffff8119a281>": where in a function a print stands, by the options sym-offset and sym-addr of
 * ftrace. */
static const char *skipPlace(const char *at, const char *end) {
    Text text = {at, end};
    int64_t ignored;
    if (skip(&text, "+0x") && readHex(&text, &ignored) && skip(&text, "/0x") && readHex(&text, &ignored)) at = text.at;
    text.at = at;
    return skip(&text, " <") && readHex(&text, &ignored) && skip(&text, ">") ? text.at : at;
}

/* The event's name ends at a colon that a blank (or the end) follows; perf's subsystem before it is dropped. */
static bool readName(Text *text, tacKernelText *name) {
    skipBlanks(text);
    const char *start = text->at, *at = start, *end = text->end, *nameEnd;
    for (;; at++) {
        while (at < end && nameBytes[(unsigned char) *at]) at++;
        nameEnd = at;
        if (TAC_UNLIKELY(at < end && *at != ':')) at = skipPlace(at, end);
        if (at == end || *at != ':') return false;
        if (at + 1 == end || isBlank(at[1])) break;
        start = at + 1;
    }
    if (nameEnd == start) return false;
    *name = (tacKernelText){start, (size_t) (nameEnd - start)};
    text->at = at + 1;
    if (end - text->at > 8 && isSame8(text->at, "        ")) text->at += 8; /* trace-cmd's column */
    skipBlanks(text);
    return true;
}

/* What perf writes of itself: "PERF_RECORD_LOST lost 34"; all others are no events of the kernel. */
static tacKernelLine readPerfRecord(Text text, tacKernelRecord *record) {
    if (!skip(&text, "PERF_RECORD_")) return TAC_LINE_UNKNOWN;
    if (!skip(&text, "LOST lost ") || !readDigits(&text, &record->number, NULL)) return TAC_LINE_EMPTY;
    record->event = TAC_KERNEL_LOST;
    return TAC_LINE_EVENT;
}

/* "<stack trace>", "<user stack trace>": an event, whose words are the lines below. */
static bool readStack(Text text, tacKernelRecord *record) {
    if (!skip(&text, "<stack trace") && !skip(&text, "<user stack trace")) return false;
    record->name = (tacKernelText){"kernel_stack", strlen("kernel_stack")};
    record->event = TAC_KERNEL_OTHER;
    return true;
}

/* "(+1164)" before the event, which trace-cmd report --ts-diff adds. */
static bool skipDifference(Text *text) {
    int64_t ignored;
    skipBlanks(text);
    return skip(text, "(+") && readDigits(text, &ignored, NULL) && skip(text, ")");
}

/* Events that do not begin with their name and a colon. */
static tacKernelLine readNameless(Text text, tacKernelRecord *record) {
    skipBlanks(&text);
    if (readOldSwitch(text, record) || readSyscallWords(text, record) || readStack(text, record)) return TAC_LINE_EVENT;
    record->name = rest(&text);
    return skip(&text, "UNKNOWN TYPE ") ? TAC_LINE_WORDS : readPerfRecord(text, record); /* a print, with the option
                                                                                            fields */
}

static tacKernelLine readWords(Text text, tacKernelRecord *record) {
    Text words = text;
    for (bool skipped = false; TAC_UNLIKELY(!readName(&words, &record->name)); skipped = true) {
        words = text;
        if (skipped || !skipDifference(&words)) return readNameless(text, record);
    }
    if (readMark(&words, record)) return TAC_LINE_EVENT;
    if (TAC_UNLIKELY(*record->name.at == 'P' && nameBegins(&record->name, "PERF_RECORD_")))
        return TAC_LINE_EMPTY; /* of processes that were there before, at time 0 */
    const EventRow *row = findRow(rows, &record->name), *known = row;
    for (; row; row = findRow(row + 1, &record->name)) {
        if (readEvent(row, &words, record)) return TAC_LINE_EVENT;
    }
    if (known) return TAC_LINE_WORDS;
    record->text = rest(&words);
    if (!readSyscall(record) && !readRawSyscall(record)) record->event = TAC_KERNEL_OTHER;
    return TAC_LINE_EVENT;
}

/* "CPU:1 [LOST 34 EVENTS]", trace-cmd: "CPU:1 [34 EVENTS DROPPED]", "CPU:1 [EVENTS DROPPED]" */
static bool readLost(Text text, tacKernelRecord *record) {
    int64_t processor, lost = 0;
    if (!skip(&text, "CPU:") || !readDigits(&text, &processor, NULL) || processor > UINT16_MAX - 1
        || !skip(&text, " ["))
        return false;
    if (skip(&text, "LOST ") ? !readDigits(&text, &lost, NULL)
                             : text.at < text.end && isDigit(*text.at) && !readDigits(&text, &lost, NULL))
        return false;
    if (!skip(&text, " EVENTS") && !skip(&text, "EVENTS")) return false;
    record->event = TAC_KERNEL_LOST;
    record->processor = (int32_t) processor;
    record->number = lost;
    return true;
}

/* The same of a buffer: "late: CPU:1 [92 EVENTS DROPPED]" */
static bool readBufferLost(Text text, tacKernelRecord *record) {
    static const char sign[] = ": CPU:";
    for (; text.end - text.at > (ptrdiff_t) sizeof sign; text.at++) {
        if (*text.at == ':' && memcmp(text.at, sign, sizeof sign - 1) == 0)
            return readLost((Text){text.at + 2, text.end}, record);
    }
    return false;
}

static bool begins(const Text *text, const char *word) {
    return (size_t) (text->end - text->at) >= strlen(word) && memcmp(text->at, word, strlen(word)) == 0;
}

/* "CPU 1 is empty", which older trace-cmd says before it begins, and what trace-cmd report -w says at the end. */
static bool isTalk(Text text) {
    static const char *const talk[] = {
        "Average wakeup latency: ", "Maximum Latency: ", "Minimum Latency: ", "RT task timings:"};
    int64_t processor;
    for (size_t i = 0; i < sizeof talk / sizeof *talk; i++)
        if (begins(&text, talk[i])) return true;
    return skip(&text, "CPU ") && readDigits(&text, &processor, NULL) && skip(&text, " is empty")
        && text.at == text.end;
}

/* A line of the calls that led to the event above: "   ffffffff81a0 schedule+0x12 ([kernel.kallsyms])", " => schedule".
 */
static bool isCall(Text text) {
    int64_t address;
    if (skip(&text, "=> ")) return true;
    return readHex(&text, &address) && skipBlanks(&text) && text.at < text.end && text.end[-1] == ')';
}

/* "# entries-in-buffer/entries-written: 2567/46124   #P:2": the older ones are gone. */
static bool readOverwritten(Text text, tacKernelRecord *record) {
    int64_t kept, written;
    if (!skip(&text, "# entries-in-buffer/entries-written: ") || !readDigits(&text, &kept, NULL) || !skip(&text, "/")
        || !readDigits(&text, &written, NULL) || written <= kept)
        return false;
    record->event = TAC_KERNEL_LOST;
    record->number = written - kept;
    return true;
}

static void learnWho(tacKernelLines *lines, const Text *line, const Text *rest, const tacKernelRecord *record) {
    size_t length = (size_t) (rest->at - line->at);
    lines->whoLength = length <= TAC_KERNEL_WHO ? length : 0;
    memcpy(lines->who, line->at, lines->whoLength);
    lines->nameAt = (size_t) (record->current.name.at - line->at);
    lines->nameLength = record->current.name.length;
    lines->pid = record->current.pid;
    lines->processor = record->processor;
}

/* Who, of TAC_SHAPE_FTRACE with the name in its column. */
static inline bool whoAsBefore(tacKernelLines *lines, const Text *line, Text *rest, tacKernelRecord *record) {
    size_t n = lines->whoLength, width = lines->prefix + shapes[TAC_SHAPE_FTRACE].width;
    if (n && n <= (size_t) (line->end - line->at) && memcmp(line->at, lines->who, n) == 0) {
        record->current = (tacKernelThread){
            lines->pid, TAC_KERNEL_NO_PRIORITY, {line->at + lines->nameAt, lines->nameLength}};
        record->processor = lines->processor;
        *rest = (Text){line->at + n, line->end};
        return true;
    }
    if (width >= (size_t) (line->end - line->at)) return false;
    *rest = (Text){line->at + width, line->end};
    if (!ftraceWho(rest, record)) return false;
    record->current.name = nameIn(line->at + lines->prefix, line->at + width);
    learnWho(lines, line, rest, record);
    return true;
}

/* A line in the shape of the one before, as nearly all are; it cannot be a comment, whatever its name. */
static bool beginAsBefore(tacKernelLines *lines, const Text *line, Text *after, tacKernelRecord *record) {
    int decimals = 0;
    if (TAC_LIKELY(lines->shape == TAC_SHAPE_FTRACE)) {
        if (!whoAsBefore(lines, line, after, record) || !ftraceWhen(after, record, &decimals)) return false;
    } else if (lines->shape == TAC_SHAPE_UNKNOWN
        || !beginAt(
            lines->shape, line, lines->prefix, lines->prefix + shapes[lines->shape].width, after, record, &decimals))
        return false;
    if (decimals > lines->decimals) lines->decimals = decimals;
    return true;
}

tacKernelLine tacKernelParse(tacKernelLines *lines, const char *line, size_t length, tacKernelRecord *record) {
    static const tacKernelRecord nothing = {.processor = -1,
        .target = -1,
        .current = {-1, TAC_KERNEL_NO_PRIORITY, {NULL, 0}},
        .thread = {-1, TAC_KERNEL_NO_PRIORITY, {NULL, 0}},
        .other = {-1, TAC_KERNEL_NO_PRIORITY, {NULL, 0}}};
    Text text = {line, line + length}, after;
    while (text.end > text.at && (text.end[-1] == '\r' || text.end[-1] == '\n')) text.end--;
    *record = nothing;
    if (TAC_LIKELY(beginAsBefore(lines, &text, &after, record))) return readWords(after, record);
    *record = nothing;
    Text all = text;
    skipBlanks(&text);
    if (text.at == text.end) return TAC_LINE_EMPTY;
    if (*text.at == '#') return readOverwritten(text, record) ? TAC_LINE_EVENT : TAC_LINE_EMPTY;
    if (skip(&text, "cpus=") || skip(&text, "version = ")) return TAC_LINE_EMPTY;
    if (*text.at == 'C' && readLost(text, record)) return TAC_LINE_EVENT;
    if (begin(lines, &all, &after, record)) return readWords(after, record);
    if (readBufferLost(text, record)) return TAC_LINE_EVENT;
    return isCall(text) || isTalk(text) ? TAC_LINE_EMPTY : TAC_LINE_UNKNOWN;
}
