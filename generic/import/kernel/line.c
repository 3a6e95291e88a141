/*
 * line.c -- one line of kernel trace text to a record.
 *
 *                names-25725   [001] d..4.   926.601954: sched_waking: comm=python3 pid=25627 prio=120 target_cpu=000
 *      |------ who, where, when (begin.c) ------------|  |- event -|  |--------------- words (words.c) ------------|
 *
 * This file reads the name of the event, the events without a row in the table of words.c (marks, system calls, those
 * of the old switch tracer and of perf), and the lines without any event.
 */
#include "base/port.h"

#include "import/kernel/line.h"

#include <limits.h>

/* ---- the name of an event ---------------------------------------------------------------------------------------- */

/* The bytes of event names: letters, digits, and some others. */
static const bool nameBytes[UCHAR_MAX + 1] = {
    ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true, ['_'] = true, ['-'] = true, ['.'] = true};

/* Skips "+0x91/0x170" and " <ffffffff8119a281>", the place of a print in its function, which ftrace writes with its
 * options sym-offset and sym-addr. */
static const char *skipPlace(const char *at, const char *end) {
    tacScan text = {at, end};
    int64_t ignored;
    if (tacScanText(&text, "+0x") && tacScanHex(&text, &ignored) && tacScanText(&text, "/0x")
        && tacScanHex(&text, &ignored))
        at = text.at;
    text.at = at;
    return tacScanText(&text, " <") && tacScanHex(&text, &ignored) && tacScanText(&text, ">") ? text.at : at;
}

/* Reads the event's name, which ends at a colon followed by a blank or the end; perf's subsystem before it is dropped.
 */
static bool readName(tacScan *text, tacKernelText *name) {
    tacScanBlanks(text);
    const char *start = text->at, *at = start, *end = text->end, *nameEnd;
    for (;; at++) {
        while (at < end && nameBytes[(unsigned char) *at]) at++;
        nameEnd = at;
        if (TAC_UNLIKELY(at < end && *at != ':')) at = skipPlace(at, end);
        if (at == end || *at != ':') return false;
        if (at + 1 == end || tacScanIsBlank(at[1])) break;
        start = at + 1;
    }
    if (nameEnd == start) return false;
    *name = (tacKernelText){start, (size_t) (nameEnd - start)};
    text->at = at + 1;
    if (end - text->at > 8 && tacScanSame8(text->at, "        ")) text->at += 8; /* trace-cmd's column */
    tacScanBlanks(text);
    return true;
}

static inline bool isNamed(const tacKernelText *name, const char *text, size_t length) {
    return name->length == length && tacScanSame(name->at, text, length);
}

#define NAME_IS(name, literal) isNamed(name, literal, sizeof literal - 1)

static bool nameBegins(const tacKernelText *name, const char *text) {
    return name->length > strlen(text) && memcmp(text, name->at, strlen(text)) == 0;
}

/* ---- marks and system calls -------------------------------------------------------------------------------------- */

/* Reads a mark: "tracing_mark_write: text"; trace-cmd writes "print: tracing_mark_write: text", or "print: function:
 * text" for trace_printk. */
static bool readMark(tacScan text, tacKernelRecord *record) {
    bool print = NAME_IS(&record->name, "print") || NAME_IS(&record->name, "bprint") || NAME_IS(&record->name, "bputs");
    if (!print && !NAME_IS(&record->name, "tracing_mark_write")) return false;
    if (print) {
        const char *colon = memchr(text.at, ':', (size_t) (text.end - text.at));
        const char *blank = memchr(text.at, ' ', (size_t) (text.end - text.at));
        if (colon && (!blank || colon < blank)) text.at = colon + 1;
        tacScanBlanks(&text);
    }
    record->event = TAC_KERNEL_MARK;
    record->text = tacScanRest(&text);
    return true;
}

/* Reads a system call by its event "sys_enter_futex", "sys_exit_futex"; or by raw_syscalls, with a number as the name:
 * "sys_enter: NR 202 (7f00, 80, ...)" is a call named "NR 202", and with the option `fields` "sys_enter: id=0xca (202)
 * ..." is one named "id=0xca (202)". */
static bool readSyscall(tacKernelRecord *record) {
    tacKernelText *name = &record->name;
    bool enters = nameBegins(name, "sys_enter_");
    if (enters || nameBegins(name, "sys_exit_")) {
        size_t prefix = strlen(enters ? "sys_enter_" : "sys_exit_");
        *name = (tacKernelText){name->at + prefix, name->length - prefix};
    } else {
        tacScan text = {record->text.at, record->text.at + record->text.length};
        int64_t number;
        enters = NAME_IS(name, "sys_enter");
        if (!enters && !NAME_IS(name, "sys_exit")) return false;
        if ((!tacScanText(&text, "NR ") && !tacScanText(&text, "id=")) || !tacScanNumber(&text, &number)) return false;
        *name = (tacKernelText){record->text.at, (size_t) (text.at - record->text.at)};
    }
    record->event = enters ? TAC_KERNEL_SYSCALL_ENTRY : TAC_KERNEL_SYSCALL_EXIT;
    return true;
}

/* Reads a system call as ftrace itself writes it, "sys_futex(uaddr: ...)" and "sys_futex -> 0x0". */
static bool readBareSyscall(tacScan text, tacKernelRecord *record) {
    if (!tacScanText(&text, "sys_")) return false;
    const char *start = text.at;
    while (text.at < text.end && *text.at != '(' && !tacScanIsBlank(*text.at)) text.at++;
    record->name = (tacKernelText){start, (size_t) (text.at - start)};
    if (!record->name.length) return false;
    record->text = tacScanRest(&text);
    record->event = tacScanText(&text, "(") ? TAC_KERNEL_SYSCALL_ENTRY
        : tacScanText(&text, " -> ")        ? TAC_KERNEL_SYSCALL_EXIT
                                            : TAC_KERNEL_OTHER;
    return record->event != TAC_KERNEL_OTHER;
}

/* ---- the tracer sched_switch of kernels before 2.6.38 ------------------------------------------------------------ */

static bool readOldThread(tacScan *text, tacKernelThread *thread, char *letter) { /* "22492:120:S" */
    int64_t priority;
    tacScanBlanks(text);
    *thread = (tacKernelThread) TAC_KERNEL_NO_THREAD;
    if (!tacScanPid(text, &thread->pid) || !tacScanText(text, ":") || !tacScanDigits(text, &priority, NULL)
        || priority > INT32_MAX || !tacScanText(text, ":") || text->at == text->end)
        return false;
    thread->priority = (int32_t) priority;
    *letter = *text->at++;
    return true;
}

/* Reads "22492:120:S ==> [001] 10167:120:R name", "10167:120:R + [001] 22492:120:S name". */
static bool readOldSwitch(tacScan text, tacKernelRecord *record) {
    static const struct {
        const char *sign, *name;
        tacKernelEvent event;
    } signs[] = {{"==>", "sched_switch", TAC_KERNEL_SWITCH}, {"+", "sched_wakeup", TAC_KERNEL_WAKEUP}};
    tacKernelThread first, second;
    char letter, otherLetter;
    if (!readOldThread(&text, &first, &letter) || !tacScanBlanks(&text)) return false;
    for (int i = 0; i < 2; i++) {
        tacScan after = text;
        int32_t target;
        if (!tacScanText(&after, signs[i].sign) || !tacScanBlanks(&after)) continue;
        if (tacScanText(&after, "[") && tacScanProcessor(&after, &target) && tacScanText(&after, "]"))
            record->target = target;
        if (!readOldThread(&after, &second, &otherLetter)) return false;
        tacScanBlanks(&after);
        if (after.at < after.end) second.name = tacScanRest(&after);
        record->event = signs[i].event;
        record->name = (tacKernelText){signs[i].name, strlen(signs[i].name)};
        record->state = tacKernelStateOf(letter);
        if (i == 0) record->thread = first, record->other = second;
        else record->thread = second;
        return true;
    }
    return false;
}

/* ---- an event ---------------------------------------------------------------------------------------------------- */

/* Reads an event without a name and a colon before it: the old switch tracer, ftrace's system calls, stack traces
 * (whose words are the lines below), and perf's own events, "PERF_RECORD_LOST lost 34". */
static tacKernelLine readNameless(tacScan text, tacKernelRecord *record) {
    tacScanBlanks(&text);
    if (readOldSwitch(text, record) || readBareSyscall(text, record)) return TAC_LINE_EVENT;
    record->event = TAC_KERNEL_OTHER;
    if (tacScanText(&text, "<stack trace") || tacScanText(&text, "<user stack trace")) {
        record->name = (tacKernelText){"kernel_stack", strlen("kernel_stack")};
        return TAC_LINE_EVENT;
    }
    record->name = tacScanRest(&text);
    if (tacScanText(&text, "UNKNOWN TYPE ")) return TAC_LINE_WORDS; /* a print, with the option fields */
    if (!tacScanText(&text, "PERF_RECORD_")) return TAC_LINE_UNKNOWN;
    if (!tacScanText(&text, "LOST lost ") || !tacScanDigits(&text, &record->number, NULL)) return TAC_LINE_EMPTY;
    record->event = TAC_KERNEL_LOST;
    return TAC_LINE_EVENT;
}

/* Skips "(+1164)" before the event, which trace-cmd report --ts-diff adds. */
static bool skipDifference(tacScan *text) {
    int64_t ignored;
    tacScanBlanks(text);
    return tacScanText(text, "(+") && tacScanDigits(text, &ignored, NULL) && tacScanText(text, ")");
}

/* Reads everything behind the beginning of a line. The compiler makes readName a part of this function, its only
 * caller.
 */
static tacKernelLine readEvent(tacScan text, tacKernelRecord *record) {
    tacScan words = text;
    for (bool skipped = false; TAC_UNLIKELY(!readName(&words, &record->name)); skipped = true) {
        words = text;
        if (skipped || !skipDifference(&words)) return readNameless(text, record);
    }
    if (readMark(words, record)) return TAC_LINE_EVENT;
    if (TAC_UNLIKELY(*record->name.at == 'P' && nameBegins(&record->name, "PERF_RECORD_")))
        return TAC_LINE_EMPTY; /* of processes that were there before, at time 0 */
    record->words = tacScanRest(&words);
    tacKernelLine line = tacKernelWords(words, record);
    if (line != TAC_LINE_UNKNOWN) return line;
    record->text = record->words;
    record->words.at = NULL;
    if (!readSyscall(record)) record->event = TAC_KERNEL_OTHER;
    return TAC_LINE_EVENT;
}

/* ---- lines without an event -------------------------------------------------------------------------------------- */

/* Reads a loss: "CPU:1 [LOST 34 EVENTS]"; of trace-cmd "CPU:1 [34 EVENTS DROPPED]" or "CPU:1 [EVENTS DROPPED]". */
static bool readLost(tacScan text, tacKernelRecord *record) {
    int64_t lost = 0;
    int32_t processor;
    if (!tacScanText(&text, "CPU:") || !tacScanProcessor(&text, &processor) || !tacScanText(&text, " [")) return false;
    bool counted = tacScanText(&text, "LOST ");
    if (!tacScanDigits(&text, &lost, NULL) && counted) return false; /* it reads nothing where there are none */
    if (!tacScanText(&text, " EVENTS") && !tacScanText(&text, "EVENTS")) return false;
    record->event = TAC_KERNEL_LOST;
    record->processor = processor;
    record->number = lost;
    return true;
}

/* The same behind the name of a buffer: "late: CPU:1 [92 EVENTS DROPPED]". */
static bool readBufferLost(tacScan text, tacKernelRecord *record) {
    static const char sign[] = ": CPU:";
    for (; text.end - text.at > (ptrdiff_t) sizeof sign; text.at++)
        if (*text.at == ':' && memcmp(text.at, sign, sizeof sign - 1) == 0)
            return readLost((tacScan){text.at + 2, text.end}, record);
    return false;
}

/* Reads "# entries-in-buffer/entries-written: 2567/46124   #P:2": the older events were overwritten. */
static bool readOverwritten(tacScan text, tacKernelRecord *record) {
    int64_t kept, written;
    if (!tacScanText(&text, "# entries-in-buffer/entries-written: ") || !tacScanDigits(&text, &kept, NULL)
        || !tacScanText(&text, "/") || !tacScanDigits(&text, &written, NULL) || written <= kept)
        return false;
    record->event = TAC_KERNEL_LOST;
    record->number = written - kept;
    return true;
}

/* Is it a message of a tool? These are "CPU 1 is empty" of older trace-cmd, the last lines of trace-cmd report -w, and
 * the calls that led to the event above, "   ffffffff81a0 schedule+0x12 ([kernel.kallsyms])" or " => schedule". */
static bool isTalk(tacScan text) {
    static const char *const talk[] = {
        "=> ", "Average wakeup latency: ", "Maximum Latency: ", "Minimum Latency: ", "RT task timings:"};
    tacScan address = text;
    int64_t number;
    for (size_t i = 0; i < sizeof talk / sizeof *talk; i++)
        if (tacScanText(&text, talk[i])) return true;
    if (tacScanHex(&address, &number) && tacScanBlanks(&address) && address.at < address.end && address.end[-1] == ')')
        return true;
    return tacScanText(&text, "CPU ") && tacScanDigits(&text, &number, NULL) && tacScanText(&text, " is empty")
        && text.at == text.end;
}

/* ---- a line ------------------------------------------------------------------------------------------------------ */

tacKernelLine tacKernelParse(tacKernelLines *lines, const char *line, size_t length, tacKernelRecord *record) {
    static const tacKernelRecord nothing = {.processor = -1,
        .target = -1,
        .current = TAC_KERNEL_NO_THREAD,
        .thread = TAC_KERNEL_NO_THREAD,
        .other = TAC_KERNEL_NO_THREAD};
    tacScan text = {line, line + length};
    while (text.end > text.at && (text.end[-1] == '\r' || text.end[-1] == '\n')) text.end--;
    *record = nothing;
    const char *after = tacKernelBeginAsBefore(lines, text, record);
    if (TAC_LIKELY(after != NULL)) return readEvent((tacScan){after, text.end}, record);
    *record = nothing;
    tacScan all = text;
    tacScanBlanks(&text);
    if (text.at == text.end) return TAC_LINE_EMPTY;
    if (*text.at == '#') return readOverwritten(text, record) ? TAC_LINE_EVENT : TAC_LINE_EMPTY;
    if (tacScanText(&text, "cpus=") || tacScanText(&text, "version = ")) return TAC_LINE_EMPTY;
    if (*text.at == 'C' && readLost(text, record)) return TAC_LINE_EVENT;
    after = tacKernelBegin(lines, all, record);
    if (after) return readEvent((tacScan){after, all.end}, record);
    if (readBufferLost(text, record)) return TAC_LINE_EVENT;
    return isTalk(text) ? TAC_LINE_EMPTY : TAC_LINE_UNKNOWN;
}
