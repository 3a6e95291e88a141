/*
 * words.c -- the words of an event of a kernel trace, by a table of events and their fields.
 *
 *      sched_waking: comm=python3 pid=25627 prio=120 target_cpu=000         as the kernel writes it, and perf
 *      sched_waking: python3:25627 [120] CPU:000                            as trace-cmd report does
 *
 * Thread names are any 15 bytes, "==>" and "prev_pid=" included. So a name ends where the next field begins and all
 * others fit up to the end of the line, not at the first text that looks like the next field.
 */
#include "base/port.h"

#include "import/kernel/line.h"

#include <limits.h>

/* ---- fields, as the kernel writes them --------------------------------------------------------------------------- */

typedef enum FieldType {
    FIELD_END,     /* of the fields of an event */
    FIELD_TEXT,    /* a tacKernelText, up to the next field or the end of the line */
    FIELD_INT32,   /* a number, into an int32_t */
    FIELD_INT64,   /* a number, into an int64_t */
    FIELD_STATE,   /* state of a thread that leaves, into record->state and preempted */
    FIELD_ADDRESS, /* hexadecimal digits, with or without 0x, into an int64_t */
    FIELD_SKIP     /* a word that is not used */
} FieldType;

typedef struct Field {
    const char *key;  /* with its "=" */
    size_t keyLength; /* bytes of the key */
    FieldType type;
    size_t offset; /* of the value in the record; TEXT, INT32, INT64 */
    bool optional; /* some kernels leave it out */
} Field;

enum { MOST_FIELDS = 8 };     /* of an event, and its end */
enum { LONGEST_TEXT = 4200 }; /* bytes of a text that is not the last field: the path of an exec */

/* ---- states ---- */

tacKernelState tacKernelStateOf(char letter) {
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

/* Reads "S", "R+", "D|K", "0x2 (2)" or "1". The kernel's bits: 1 S, 2 D, 4 T, 8 t, 16 X, 32 Z, 64 P, 128 I; a bit above
 * them: preempted. */
static bool readState(tacScan *text, tacKernelRecord *record) {
    int64_t bits;
    if (text->at == text->end) return false;
    if (tacScanIsDigit(*text->at)) {
        if (!tacScanNumber(text, &bits)) return false;
        record->state = !(bits & 0xff) ? TAC_KERNEL_RUNNABLE
            : bits & 0x30              ? TAC_KERNEL_DEAD
            : bits & 0x4c              ? TAC_KERNEL_STOPPED
            : bits & 2                 ? TAC_KERNEL_DISK
                                       : TAC_KERNEL_SLEEPING;
        record->preempted = bits > 0xff && record->state == TAC_KERNEL_RUNNABLE;
        return true;
    }
    const char *start = text->at;
    while (text->at < text->end && !tacScanIsBlank(*text->at)) text->at++;
    if (text->at == start) return false;
    record->state = tacKernelStateOf(*start);
    record->preempted = text->at[-1] == '+';
    return true;
}

/* ---- values ---- */

static bool readFields(tacScan *text, const Field *field, tacKernelRecord *record);

/* Reads a text and all fields behind it. It ends where the next field begins and all others fit; the last text takes
 * the rest of the line. */
static bool readTextField(tacScan *text, const Field *field, tacKernelRecord *record) {
    tacKernelText *value = (tacKernelText *) (void *) ((char *) record + field->offset);
    if (field[1].type == FIELD_END) {
        *value = tacScanRest(text);
        text->at = text->end;
        return true;
    }
    const char *start = text->at, *limit = text->end - start > LONGEST_TEXT ? start + LONGEST_TEXT : text->end;
    for (const char *at = start; at < limit; at++) {
        tacScan after = {at, text->end};
        if (!tacScanIsBlank(*at) || (at + 1 < text->end && tacScanIsBlank(at[1]))
            || !readFields(&after, field + 1, record))
            continue; /* a name may end with blanks */
        *value = (tacKernelText){start, (size_t) (at - start)};
        *text = after;
        return true;
    }
    return false;
}

static bool readValue(tacScan *text, const Field *field, tacKernelRecord *record) {
    int64_t number;
    void *value = (char *) record + field->offset;
    const char *start = text->at;
    switch (field->type) {
    case FIELD_TEXT: return readTextField(text, field, record);
    case FIELD_STATE: return readState(text, record);
    case FIELD_ADDRESS:
        if (!tacScanText(text, "0x")) text->at = start;
        if (!tacScanHex(text, value)) return false;
        tacScanDecimal(text, &number);
        return true;
    case FIELD_SKIP:
        while (text->at < text->end && !tacScanIsBlank(*text->at)) text->at++;
        tacScanDecimal(text, &number);
        return true;
    case FIELD_INT32:
        if (!tacScanNumber(text, &number) || number < INT32_MIN || number > INT32_MAX) return false;
        *(int32_t *) value = (int32_t) number;
        return true;
    default: return tacScanNumber(text, (int64_t *) value);
    }
}

/* Reads blanks and key=value to the end of the table, with the arrow of a switch between two of them. */
static bool readFields(tacScan *text, const Field *field, tacKernelRecord *record) {
    for (; field->type != FIELD_END; field++) {
        tacScan next = *text;
        bool apart = tacScanBlanks(&next) && (TAC_LIKELY(!tacScanText(&next, "==>")) || tacScanBlanks(&next));
        if (!apart || !tacScanBytes(&next, field->key, field->keyLength)) {
            if (field->optional) continue;
            return false;
        }
        if (!readValue(&next, field, record)) return false;
        *text = next;
        if (field->type == FIELD_TEXT) return true; /* it has read all others */
    }
    return true;
}

/* ---- the manner of trace-cmd ------------------------------------------------------------------------------------- */

/* Reads "name:pid [priority]", from its end; it must be the whole text. */
static bool readThread(const char *start, const char *end, tacKernelThread *thread) {
    while (end > start && tacScanIsBlank(end[-1])) end--;
    if (end == start || end[-1] != ']') return false;
    const char *at = end - 1;
    while (at > start && (tacScanIsDigit(at[-1]) || at[-1] == '-')) at--;
    tacScan number = {at, end - 1};
    int64_t priority, pid;
    if (!tacScanNumber(&number, &priority) || number.at != number.end || priority < INT32_MIN / 2
        || priority > INT32_MAX)
        return false;
    if (at - start < 2 || at[-1] != '[' || at[-2] != ' ') return false;
    const char *pidEnd = at -= 2;
    while (at > start && tacScanIsDigit(at[-1])) at--;
    number = (tacScan){at, pidEnd};
    if (!tacScanDigits(&number, &pid, NULL) || pid > INT32_MAX || at == start || at[-1] != ':') return false;
    *thread = (tacKernelThread){(int32_t) pid, (int32_t) priority, {start, (size_t) (at - 1 - start)}};
    return true;
}

/* End of the text without " Latency: 3.986 usecs", which trace-cmd report -w adds. */
static const char *beforeLatency(const tacScan *text) {
    static const char unit[] = " usecs", key[] = " Latency: ";
    size_t nUnit = sizeof unit - 1, nKey = sizeof key - 1;
    const char *at = text->end;
    if ((size_t) (at - text->at) < nUnit || memcmp(at - nUnit, unit, nUnit) != 0) return text->end;
    for (at -= nUnit; at > text->at && (tacScanIsDigit(at[-1]) || at[-1] == '.');) at--;
    return (size_t) (at - text->at) >= nKey && memcmp(at - nKey, key, nKey) == 0 ? at - nKey : text->end;
}

/* Reads "name:pid [priority] S ==> name:pid [priority]". */
static bool readSwitch(tacScan *text, tacKernelRecord *record) {
    text->end = beforeLatency(text);
    for (const char *at = text->at; text->end - at > 5; at++) {
        if (memcmp(at, " ==> ", 5) != 0) continue;
        const char *state = at;
        while (state > text->at && !tacScanIsBlank(state[-1])) state--;
        tacScan letters = {state, at};
        if (readThread(text->at, state, &record->thread) && readThread(at + 5, text->end, &record->other)
            && readState(&letters, record))
            return true;
    }
    return false;
}

/* Reads "name:pid [priority] CPU:001", with or without "success=1". */
static bool readWakeup(tacScan *text, tacKernelRecord *record) {
    const char *at = text->end;
    while (at > text->at && tacScanIsDigit(at[-1])) at--;
    tacScan number = {at, text->end};
    int64_t target;
    if (!tacScanDigits(&number, &target, NULL) || target > UINT16_MAX - 1 || at - text->at < 5
        || memcmp(at - 4, "CPU:", 4) != 0)
        return false;
    const char *end = at - 4;
    while (end > text->at && tacScanIsBlank(end[-1])) end--;
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
#define ADDRESS(key, member) \
    { KEY(key), FIELD_ADDRESS, AT(member), false }
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
    size_t nameLength; /* bytes of the name */
    tacKernelEvent event;
    Field fields[MOST_FIELDS];                             /* ends with FIELD_END */
    bool (*other)(tacScan *text, tacKernelRecord *record); /* reads trace-cmd's manner of writing; may be NULL */
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
    {NAME("softirq_raise"), TAC_KERNEL_SOFTIRQ_RAISE, {INT64("vec", number)}, NULL}, /* option fields: without the
                                                                                        action */
    {NAME("softirq_entry"), TAC_KERNEL_SOFTIRQ_ENTRY, {INT64("vec", number)}, NULL},
    {NAME("softirq_exit"), TAC_KERNEL_SOFTIRQ_EXIT, {INT64("vec", number)}, NULL},
    {NAME("local_timer_entry"), TAC_KERNEL_TIMER_ENTRY, {INT64("vector", number)}, NULL},
    {NAME("local_timer_exit"), TAC_KERNEL_TIMER_EXIT, {INT64("vector", number)}, NULL},
    {NAME("hrtimer_expire_entry"), TAC_KERNEL_HRTIMER_ENTRY,
        {ADDRESS("hrtimer", timer), TEXT("function", text), SKIP("now")}, NULL},
    {NAME("hrtimer_expire_entry"), TAC_KERNEL_HRTIMER_ENTRY,
        {ADDRESS("hrtimer", timer), SKIP("now"), TEXT("function", text)}, NULL}, /* as trace-cmd writes it */
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
    {NAME("task_newtask"), TAC_KERNEL_NEW,
        {INT32("pid", thread.pid), TEXT("comm", thread.name), ADDRESS("clone_flags", number), SKIP("oom_score_adj")},
        NULL},
    {NAME("sched_pi_setprio"), TAC_KERNEL_SETPRIO,
        {TEXT("comm", thread.name), INT32("pid", thread.pid), INT32("oldprio", thread.priority),
            INT32("newprio", other.priority)},
        NULL},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The first row of this name from `row` on, or NULL. */
static const EventRow *findRow(const EventRow *row, const tacKernelText *name) {
    for (; row < rows + ROWS; row++) {
        if (row->nameLength == name->length && tacScanSame(row->name, name->at, name->length)) return row;
    }
    return NULL;
}

const char *tacKernelActionOf(int64_t number) {
    static const char *const actions[] = {
        "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"};
    return number >= 0 && number < (int64_t) (sizeof actions / sizeof *actions) ? actions[number] : NULL;
}

/* Names a softirq: by the action in the text, without the bracket behind it, else by the kernel's name of its number.
 */
static void nameAction(tacKernelRecord *record) {
    tacKernelText *text = &record->text;
    const char *action = tacKernelActionOf(record->number);
    if (text->length) text->length -= text->at[text->length - 1] == ']';
    else if (action) *text = (tacKernelText){action, strlen(action)};
}

/* Reads the words of an event in the manner of the kernel, or else in that of trace-cmd. A timer's function may have an
 * offset behind it: trace-cmd writes "hrtimer_wakeup/0x0", the option `fields` "hrtimer_wakeup+0x0/0x30 (-212624)". */
static bool readEvent(const EventRow *row, tacScan words, tacKernelRecord *record) {
    tacScan text = {words.at - 1, words.end}; /* each field has a blank before it, and so has the first one */
    record->event = row->event;
    if (words.at < words.end && readFields(&text, row->fields, record)) {
        if (TAC_KERNEL_SOFTIRQ_RAISE <= row->event && row->event <= TAC_KERNEL_SOFTIRQ_EXIT) nameAction(record);
        if (row->event != TAC_KERNEL_HRTIMER_ENTRY) return true;
        const char *name = record->text.at;
        size_t n = 0;
        while (n < record->text.length && name[n] != '+' && name[n] != '/' && !tacScanIsBlank(name[n])) n++;
        record->text.length = n;
        return true;
    }
    record->thread = record->other = (tacKernelThread) TAC_KERNEL_NO_THREAD;
    record->target = -1;
    return row->fields[0].type == FIELD_END || (row->other && row->other(&words, record));
}

tacKernelLine tacKernelWords(tacScan words, tacKernelRecord *record) {
    const EventRow *row = findRow(rows, &record->name), *known = row;
    for (; row; row = findRow(row + 1, &record->name))
        if (readEvent(row, words, record)) return TAC_LINE_EVENT;
    return known ? TAC_LINE_WORDS : TAC_LINE_UNKNOWN;
}
