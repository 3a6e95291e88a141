/*
 * tracecmd.c -- trace.dat by libtracecmd and libtraceevent (import/kernel/datLibrary.h).
 *
 *      buffers x processors -> the earliest record (a heap) -> its kind -> fields at known places -> tacKernelRecord
 *
 * A kind is made when the first record of an event comes: it has the places of the fields that record.h wants. The
 * library never prints known events, which takes ten times as long as reading their bytes; the bits of a state and the
 * names of softirqs come from the format's own tables.
 *
 * trace-cmd report prints a record in a line of its own, and a loss before it; lines are counted like that here.
 *
 * Times are differences within a page, which begins with a time of its own. A wild one moves all records behind it on
 * its page, so a record far ahead of the one before it waits until the next page of its processor is seen:
 *
 *      time  5  6  900 901 |  8  9        left out, told as a loss: the next page goes on before them
 *      time  5  6  900 901 |  902         taken: a pause
 */
#include "base/port.h"

#include "base/decimal.h"
#include "import/kernel/datLibrary.h"
#include "import/kernel/field.h"
#include "import/kernel/pack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd.h>

enum {
    EVENT_IDS = 1 << 16, /* an id has 16 bits */
    MOST_PROCESSORS = UINT16_MAX,
    LEAST_PROCESSORS = 1024, /* that are asked for their data, even if the header's number is lower */
    MOST_BUFFERS = 250,      /* instances beside the main one; the worker may copy the open file so often (dat.c) */
    COMMON = 8,              /* bytes that every record has: type, flags, pid */
    MOST_NAMED = 32,         /* values of a table in a format */
    LONGEST_TEXT = 4096,
    THREADS = 4096,           /* whose names are remembered by pid; a power of two */
    PROGRESS_EVERY = 1 << 15, /* records */
    FAR = 1000000000          /* ns: further ahead of the record before, a time is doubted */
};

/* ---- kinds of events --------------------------------------------------------------------------------------------- */

/* Place of a row's slot in the bytes of a record. */
typedef struct Place {
    tacSlotType type;
    size_t at;                        /* in tacKernelRecord */
    int offset, size;                 /* in the bytes; size 0: to their end */
    bool isSigned, dynamic, relative; /* dynamic: the word at offset has the place; relative: from that word's end */
    const char *name;                 /* of the field; for system calls */
} Place;

typedef enum Manner {
    MANNER_FIELDS,  /* by its places */
    MANNER_SYSCALL, /* all its places as text: "name: 0x..., ..."; "0x..." on exit */
    MANNER_PRINTED, /* text as the library prints it */
    MANNER_BARE     /* only its header, which tells the thread that runs: the event is not wanted */
} Manner;

typedef struct Kind {
    struct tep_event *event;
    const tacKernelFields *row; /* NULL: not of the table */
    tacKernelEvent kind;
    Manner manner;
    bool copied; /* it comes as its text, too */
    tacKernelText name;
    Place places[TAC_KERNEL_SLOTS];
    int nPlaces;
    struct {
        uint64_t value;
        const char *text;
    } named[MOST_NAMED]; /* bits of a state, or numbers */
    int nNamed;
    uint64_t bits; /* all named bits; a bit above them: preempted */
} Kind;

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct Ahead { /* records that were read before their turn */
    TAC_ARRAY(struct tep_record *) records;
    size_t at; /* of the next one */
} Ahead;

typedef struct Cursor { /* of one processor in one buffer */
    struct tracecmd_input *buffer;
    int processor;
    uint32_t order;            /* among the cursors: decides where times are equal */
    struct tep_record *record; /* the next */
    Ahead *ahead;              /* those behind it; NULL: there were none so far */
} Cursor;

typedef struct Known {
    int32_t pid;
    bool filled, unknown;
    const char *name;
    size_t length;
} Known;

typedef struct Reading {
    const tacDatRequest *request;
    struct tracecmd_input *input;
    struct tep_handle *tep;
    bool native;                                /* the file's byte order is this machine's */
    int typeAt, pidAt;                          /* of 2 and 4 bytes, in every record; -1: the library is asked */
    TAC_ARRAY(struct tracecmd_input *) buffers; /* but for the main one */
    TAC_ARRAY(Cursor) heap;                     /* the earliest first */
    Kind *kinds[EVENT_IDS];                     /* by id; NULL: not met so far */
    Known threads[THREADS];                     /* by the pid's last bits */
    struct trace_seq printed;
    char text[LONGEST_TEXT];
    uint32_t line;
    uint64_t records;
    uint64_t bad; /* records left out: too short for their event, or of none that the file describes */
} Reading;

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

/* First table of a print format: __print_flags or __print_symbolic. */
static struct tep_print_flag_sym *findTable(const struct tep_print_arg *arg) {
    struct tep_print_flag_sym *found = NULL;
    for (; arg && !found; arg = arg->next) {
        switch (arg->type) {
        case TEP_PRINT_FLAGS: found = arg->flags.flags; break;
        case TEP_PRINT_SYMBOL: found = arg->symbol.symbols; break;
        case TEP_PRINT_TYPE: found = findTable(arg->typecast.item); break;
        case TEP_PRINT_OP:
            found = findTable(arg->op.left);
            if (!found) found = findTable(arg->op.right);
            break;
        default: break;
        }
    }
    return found;
}

static void addNamed(Kind *kind, uint64_t value, const char *text) {
    kind->named[kind->nNamed].value = value;
    kind->named[kind->nNamed++].text = text;
    kind->bits |= value;
}

/* Finds the bits of a state, or the names of numbers, in the first table of the format. A state without a table that
 * can be read has the bits of kernels since 4.14. */
static void findNamed(Kind *kind, tacSlotType type) {
    static const char *const letters[] = {"S", "D", "T", "t", "X", "Z", "P", "I"};
    struct tep_print_flag_sym *s = findTable(kind->event->print_fmt.args);
    for (; s && kind->nNamed < MOST_NAMED; s = s->next)
        if (s->value && s->str) addNamed(kind, strtoull(s->value, NULL, 0), s->str);
    if (type != TAC_SLOT_STATE || kind->nNamed) return;
    for (int i = 0; i < 8; i++) addNamed(kind, UINT64_C(1) << i, letters[i]);
}

static bool addPlace(Kind *kind, const struct tep_format_field *field, tacSlotType type, size_t at) {
    if (!field || field->offset < 0 || field->size < 0 || kind->nPlaces == TAC_KERNEL_SLOTS) return false;
    kind->places[kind->nPlaces++] = (Place){.type = type,
        .at = at,
        .offset = field->offset,
        .size = field->size,
        .isSigned = field->flags & TEP_FIELD_IS_SIGNED,
        .dynamic = field->flags & TEP_FIELD_IS_DYNAMIC,
        .relative = field->flags & TEP_FIELD_IS_RELATIVE,
        .name = field->name};
    return true;
}

/* Finds the places of the row's slots; false: the format lacks a field, as in a kernel of another time. */
static bool placeFields(Kind *kind) {
    for (const tacKernelSlot *slot = kind->row->slots; slot->type != TAC_SLOT_END; slot++) {
        struct tep_format_field *field = tep_find_field(kind->event, slot->field);
        if (!addPlace(kind, field, slot->type, slot->at) && !slot->optional) return false;
        if (slot->type == TAC_SLOT_STATE || slot->type == TAC_SLOT_NAMED) findNamed(kind, slot->type);
    }
    return true;
}

/* Takes an event as a system call if its name is like "sys_enter_futex": all its fields but the number of the call. */
static bool isSyscall(Kind *kind) {
    static const struct {
        const char *prefix;
        tacKernelEvent event;
    } calls[] = {{"sys_enter_", TAC_KERNEL_SYSCALL_ENTRY}, {"sys_exit_", TAC_KERNEL_SYSCALL_EXIT}};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(calls[i].prefix);
        if (strncmp(kind->name.at, calls[i].prefix, length) != 0 || kind->name.length == length) continue;
        kind->kind = calls[i].event;
        kind->name = (tacKernelText){kind->name.at + length, kind->name.length - length};
        for (struct tep_format_field *f = kind->event->format.fields; f; f = f->next)
            if (strcmp(f->name, "__syscall_nr") != 0 && strcmp(f->name, "nr") != 0)
                addPlace(kind, f, TAC_SLOT_INT64, 0);
        return true;
    }
    return false;
}

/* Finds out how to read a kind: by its row if all fields are there, else as a system call, or as the library prints it.
 */
static Manner mannerOf(Reading *r, Kind *kind) {
    const tacDatRequest *request = r->request;
    kind->row = tacKernelFieldsOf(kind->name.at);
    if (kind->row && placeFields(kind)) {
        kind->kind = kind->row->event;
        kind->copied = kind->kind != TAC_KERNEL_MARK && request->wants
            && request->wants(request->wantsData, kind->name, true);
        return MANNER_FIELDS;
    }
    kind->row = NULL;
    kind->nPlaces = 0;
    kind->kind = TAC_KERNEL_MARK;
    if (strcmp(kind->name.at, "bprint") == 0 || strcmp(kind->name.at, "bputs") == 0) return MANNER_PRINTED;
    if (isSyscall(kind)) return MANNER_SYSCALL;
    kind->kind = TAC_KERNEL_OTHER;
    return request->wants && request->wants(request->wantsData, kind->name, false) ? MANNER_PRINTED : MANNER_BARE;
}

/* Offset of a field that all events have, if it has this size and the machine's byte order; else -1. */
static int commonAt(const Reading *r, const char *name, int size) {
    struct tep_event *event = tep_get_first_event(r->tep);
    struct tep_format_field *field = event ? tep_find_common_field(event, name) : NULL;
    return r->native && field && field->size == size && field->offset >= 0 && field->offset < 64 ? field->offset : -1;
}

/* Type of a record, without a call where that is possible: every record needs it. */
static int typeOf(const Reading *r, struct tep_record *record) {
    uint16_t type;
    if (r->typeAt < 0 || r->typeAt + (int) sizeof type > record->size) return tep_data_type(r->tep, record);
    memcpy(&type, (const char *) record->data + r->typeAt, sizeof type);
    return type;
}

/* Pid of a record, likewise. */
static int32_t pidOf(const Reading *r, struct tep_record *record) {
    int32_t pid;
    if (r->pidAt < 0 || r->pidAt + (int) sizeof pid > record->size) return tep_data_pid(r->tep, record);
    memcpy(&pid, (const char *) record->data + r->pidAt, sizeof pid);
    return pid;
}

/* Kind of a record, which is made when it is new; NULL: its event has no format, or there is no memory. */
static Kind *kindOf(Reading *r, struct tep_record *record) {
    if (record->size < COMMON || !record->data) return NULL;
    int id = typeOf(r, record);
    if (id < 0 || id >= EVENT_IDS) return NULL;
    if (TAC_LIKELY(r->kinds[id] != NULL)) return r->kinds[id];
    struct tep_event *event = tep_find_event(r->tep, id);
    Kind *kind = event && event->name ? tacAllocZero(1, sizeof *kind) : NULL;
    if (!kind) return NULL;
    kind->event = event;
    kind->name = (tacKernelText){event->name, strlen(event->name)};
    kind->manner = mannerOf(r, kind);
    return r->kinds[id] = kind;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static bool numberAt(const Reading *r, const struct tep_record *bytes, const Place *place, int64_t *value) {
    if (place->offset > bytes->size || place->size > bytes->size - place->offset) return false;
    const char *at = (const char *) bytes->data + place->offset;
    uint32_t word;
    if (place->size == sizeof word && r->native) { /* nearly always: without a call */
        memcpy(&word, at, sizeof word);
        *value = place->isSigned ? (int64_t) (int32_t) word : (int64_t) word;
        return true;
    }
    uint64_t number = tep_read_number(r->tep, at, place->size);
    if (place->size == 4) *value = place->isSigned ? (int64_t) (int32_t) number : (int64_t) (uint32_t) number;
    else if (place->size == 2) *value = place->isSigned ? (int64_t) (int16_t) number : (int64_t) (uint16_t) number;
    else *value = (int64_t) number;
    return true;
}

static bool textAt(const Reading *r, const struct tep_record *bytes, const Place *place, tacKernelText *text) {
    int64_t offset = place->offset, size = place->size;
    if (place->dynamic) {
        int64_t where;
        if (place->size != 4 || !numberAt(r, bytes, place, &where)) return false;
        offset = (where & 0xffff) + (place->relative ? place->offset + place->size : 0);
        size = where >> 16 & 0xffff;
    }
    if (size == 0 && !place->dynamic) size = bytes->size - offset;
    if (offset > bytes->size || size < 0 || size > bytes->size - offset) return false;
    const char *at = (const char *) bytes->data + offset;
    *text = (tacKernelText){at, strnlen(at, (size_t) size)};
    return true;
}

/* The first bit that has a name decides, as in the kernel's text ("D|K"). */
static void setState(const Kind *kind, uint64_t value, tacKernelRecord *record) {
    record->state = TAC_KERNEL_RUNNABLE;
    record->preempted = (value & kind->bits) == 0 && value > kind->bits;
    if (!(value & kind->bits)) return;
    for (int i = 0; i < kind->nNamed; i++) {
        if (!(value & kind->named[i].value)) continue;
        record->state = tacKernelStateOf(kind->named[i].text[0]);
        return;
    }
}

static bool readPlace(
    Reading *r, const Kind *kind, const struct tep_record *bytes, const Place *place, tacKernelRecord *record) {
    void *to = (char *) record + place->at;
    const char *name = "";
    int64_t number;
    if (place->type == TAC_SLOT_TEXT) return textAt(r, bytes, place, to);
    if (!numberAt(r, bytes, place, &number)) return false;
    switch (place->type) {
    case TAC_SLOT_INT32: *(int32_t *) to = (int32_t) number; break;
    case TAC_SLOT_INT64: *(int64_t *) to = number; break;
    case TAC_SLOT_STATE: setState(kind, (uint64_t) number, record); break;
    case TAC_SLOT_FUNCTION:
        name = tep_find_function(r->tep, (uint64_t) number);
        if (!name) snprintf(r->text, sizeof r->text, "0x%" PRIx64, (uint64_t) number);
        if (!name) name = r->text;
        *(tacKernelText *) to = (tacKernelText){name, strlen(name)};
        break;
    default: /* TAC_SLOT_NAMED */
        for (int i = kind->nNamed; i-- > 0;)
            if (kind->named[i].value == (uint64_t) number) name = kind->named[i].text;
        *(tacKernelText *) to = (tacKernelText){name, strlen(name)};
    }
    return true;
}

/* Cuts blanks and newlines at the end: programs mostly end a mark with one. */
static void trimEnd(tacKernelText *text) {
    while (text->length && (text->at[text->length - 1] == '\n' || text->at[text->length - 1] == ' ')) text->length--;
}

static bool readFields(Reading *r, const Kind *kind, const struct tep_record *bytes, tacKernelRecord *record) {
    for (int i = 0; i < kind->nPlaces; i++)
        if (!readPlace(r, kind, bytes, &kind->places[i], record)) return false;
    if (kind->kind == TAC_KERNEL_MARK) trimEnd(&record->text);
    return true;
}

/* Writes the arguments in the kernel's own format, "uaddr: 0x7f00, op: 0x80", or the result, "0x0". */
static bool readSyscall(Reading *r, const Kind *kind, const struct tep_record *bytes, tacKernelRecord *record) {
    char *to = r->text, *end = r->text + sizeof r->text - 2 - TAC_KERNEL_ARGUMENT;
    bool exits = kind->kind == TAC_KERNEL_SYSCALL_EXIT;
    for (int i = 0; i < kind->nPlaces && to < end; i++) {
        int64_t value;
        const Place *place = &kind->places[i];
        if (place->dynamic || place->size > 8) continue;
        if (!numberAt(r, bytes, place, &value)) return false;
        if (place->size == 4) value &= UINT32_MAX;
        if (!exits && to > r->text) *to++ = ',', *to++ = ' ';
        to = tacKernelPutArgument(to, exits ? NULL : place->name, (uint64_t) value);
    }
    record->text = (tacKernelText){r->text, (size_t) (to - r->text)};
    return true;
}

/* Prints the record by the library. A mark's text stands behind the name of the function that wrote it. */
static bool readPrinted(Reading *r, const Kind *kind, struct tep_record *bytes, tacKernelRecord *record) {
    trace_seq_reset(&r->printed);
    tep_print_event(r->tep, &r->printed, bytes, "%s", TEP_PRINT_INFO);
    trace_seq_terminate(&r->printed);
    record->text = (tacKernelText){r->printed.buffer, strlen(r->printed.buffer)};
    const char *colon = kind->kind == TAC_KERNEL_MARK ? strstr(record->text.at, ": ") : NULL;
    if (colon) record->text.length -= (size_t) (colon + 2 - record->text.at), record->text.at = colon + 2;
    trimEnd(&record->text);
    return true;
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static Known *knownThread(Reading *r, int32_t pid) {
    Known *known = &r->threads[(uint32_t) pid % THREADS];
    if (known->filled && known->pid == pid) return known;
    const char *name = tep_data_comm_from_pid(r->tep, pid);
    if (!name) name = "";
    *known = (Known){pid, true, pid != 0 && !tep_is_pid_registered(r->tep, pid), name, strlen(name)};
    return known;
}

/* Gives the library the name of a thread that it does not know, and asks for it again next time. The library may move
 * its list of names then, but not the names. */
static void learnName(Reading *r, const tacKernelThread *thread) {
    char name[64];
    Known *known = knownThread(r, thread->pid);
    if (!known->unknown || !thread->name.at || thread->name.length >= sizeof name) return;
    memcpy(name, thread->name.at, thread->name.length);
    name[thread->name.length] = '\0';
    tep_register_comm(r->tep, name, thread->pid);
    known->filled = false;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static const tacKernelThread nobody = TAC_KERNEL_NO_THREAD;

static bool readRecord(Reading *r, const Kind *kind, struct tep_record *bytes, tacKernelRecord *record) {
    int32_t pid = pidOf(r, bytes);
    const Known *known = knownThread(r, pid);
    *record = (tacKernelRecord){.event = kind->kind,
        .time = (int64_t) bytes->ts,
        .processor = bytes->cpu,
        .current = {pid, TAC_KERNEL_NO_PRIORITY, {known->name, known->length}},
        .thread = nobody,
        .other = nobody,
        .target = -1,
        .name = kind->name};
    switch (kind->manner) {
    case MANNER_FIELDS: return readFields(r, kind, bytes, record);
    case MANNER_SYSCALL: return readSyscall(r, kind, bytes, record);
    case MANNER_BARE: return true;
    default: return readPrinted(r, kind, bytes, record);
    }
}

static tacStatus takeLost(Reading *r, const struct tep_record *bytes, tacError *err) {
    tacKernelRecord record = {.event = TAC_KERNEL_LOST,
        .processor = bytes->cpu,
        .current = nobody,
        .thread = nobody,
        .other = nobody,
        .target = -1,
        .number = bytes->missed_events > 0 ? bytes->missed_events : 0};
    r->line++;
    return r->request->take(r->request->takeData, &record, r->line, err);
}

/* Hands on the text of a record that is known. */
static tacStatus takeCopy(Reading *r, const Kind *kind, struct tep_record *bytes, tacKernelRecord copy, tacError *err) {
    copy.event = TAC_KERNEL_OTHER;
    copy.number = 1;
    copy.thread = copy.other = nobody;
    return readPrinted(r, kind, bytes, &copy) ? r->request->take(r->request->takeData, &copy, r->line, err) : TAC_OK;
}

static tacStatus takeRecord(Reading *r, struct tep_record *bytes, tacError *err) {
    tacKernelRecord record;
    if (bytes->missed_events && takeLost(r, bytes, err) != TAC_OK) return TAC_ERROR;
    r->line++;
    const Kind *kind = kindOf(r, bytes);
    if (!kind || bytes->ts >= (uint64_t) TAC_TIME_LIMIT || !readRecord(r, kind, bytes, &record)
        || !tacKernelSound(&record))
        return r->bad++, TAC_OK;
    if (kind->copied && takeCopy(r, kind, bytes, record, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = r->request->take(r->request->takeData, &record, r->line, err);
    if (kind->row && kind->row->naming) {
        learnName(r, &record.thread);
        learnName(r, &record.other);
    }
    return status;
}

/* ---- times that are far ahead ------------------------------------------------------------------------------------ */

static struct tep_record *readNext(const Cursor *c) {
    Ahead *ahead = c->ahead;
    if (TAC_UNLIKELY(ahead && ahead->at < ahead->records.count)) return ahead->records.at[ahead->at++];
    return tracecmd_read_data(c->buffer, c->processor);
}

static void freeAhead(Cursor *c) {
    if (!c->ahead) return;
    for (size_t i = c->ahead->at; i < c->ahead->records.count; i++) tracecmd_free_record(c->ahead->records.at[i]);
    tacArrayFree(&c->ahead->records);
    tacFree(c->ahead);
}

/* The record that is `place` records behind the cursor's; `before` is the one before it. NULL: the data end, or the
 * library does not get on in them. */
static tacStatus peek(
    Cursor *c, size_t place, const struct tep_record *before, struct tep_record **record, tacError *err) {
    if (!c->ahead && !(c->ahead = tacAllocZero(1, sizeof *c->ahead))) return tacFailMemory(err);
    Ahead *ahead = c->ahead;
    if (ahead->at == ahead->records.count) ahead->at = ahead->records.count = 0;
    if (ahead->at + place > ahead->records.count) {
        if (!tacArrayReserve(&ahead->records, 1)) return tacFailMemory(err);
        *record = tracecmd_read_data(c->buffer, c->processor);
        if (*record) ahead->records.at[ahead->records.count++] = *record;
    } else *record = ahead->records.at[ahead->at + place - 1];
    if (*record && (*record)->offset <= before->offset) *record = NULL;
    return TAC_OK;
}

/* Is the time far behind the one of the first record? */
static bool isBehind(const struct tep_record *record, const struct tep_record *first) {
    return first->ts > FAR && record->ts < first->ts - FAR;
}

/* Finds the first record of the next page behind the one at *place, which becomes its place. */
static tacStatus findPage(Cursor *c, size_t *place, struct tep_record **record, tacError *err) {
    const struct tep_record *before = *record, *page = before;
    do {
        if (peek(c, ++*place, before, record, err) != TAC_OK) return TAC_ERROR;
        before = *record;
    } while (before && before->priv == page->priv);
    return TAC_OK;
}

/*
 * Counts the records from the cursor's on that a wild time moved ahead: all before a page that goes on where the last
 * record was, at `before`. Of the first page (before NULL), and one behind it that is far earlier, the one is wrong
 * with which the page behind them does not agree.
 */
static tacStatus countWild(Cursor *c, const uint64_t *before, size_t *wild, tacError *err) {
    struct tep_record *first = c->record, *record = first, *later;
    size_t place = 0, behind;
    *wild = 0;
    for (int page = 0; page < 2; page++) {
        if (findPage(c, &place, &record, err) != TAC_OK) return TAC_ERROR;
        if (!record) return TAC_OK;
        if (!isBehind(record, first)) continue;
        behind = place, later = record;
        if (!before && findPage(c, &behind, &later, err) != TAC_OK) return TAC_ERROR;
        bool isEarly = before ? record->ts < *before : later && !isBehind(later, first);
        if (!isEarly) *wild = place;
        return TAC_OK;
    }
    return TAC_OK;
}

static inline bool isFar(const struct tep_record *record, uint64_t before) {
    return record->ts > before && record->ts - before > FAR;
}

/* Leaves out the cursor's record and those behind it that a wild time moved ahead, if there is one. */
static tacStatus leaveWild(Reading *r, Cursor *c, const uint64_t *before, tacError *err) {
    size_t wild = 1;
    while (wild > 0 && (!before || isFar(c->record, *before))) {
        char text[160];
        uint64_t time = c->record->ts;
        struct tep_record lost = {.cpu = c->record->cpu};
        if (countWild(c, before, &wild, err) != TAC_OK) return TAC_ERROR;
        if (wild == 0) break;
        for (size_t i = 0; i < wild; i++) {
            lost.missed_events += 1 + (c->record->missed_events > 0 ? c->record->missed_events : 0);
            tracecmd_free_record(c->record);
            c->record = readNext(c);
        }
        snprintf(text, sizeof text,
            "cpu%d: the time %" PRIu64 ".%09" PRIu64 " s is far ahead of the events before and after it; %zu event%s "
            "left out",
            lost.cpu, time / FAR, time % FAR, wild, wild == 1 ? " is" : "s are");
        r->request->sink->report(r->request->sink->data, TAC_SEVERITY_WARNING, r->line, "CLOCK", text);
        if (takeLost(r, &lost, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* ---- merging ----------------------------------------------------------------------------------------------------- */

static bool isBefore(const Cursor *a, const Cursor *b) {
    return a->record->ts != b->record->ts ? a->record->ts < b->record->ts : a->order < b->order;
}

/* Moves the cursor at `place` down to its place in the heap. */
static void sink(Reading *r, size_t place) {
    Cursor *heap = r->heap.at, moving = heap[place];
    for (size_t below; (below = 2 * place + 1) < r->heap.count; place = below) {
        if (below + 1 < r->heap.count && isBefore(&heap[below + 1], &heap[below])) below++;
        if (!isBefore(&heap[below], &moving)) break;
        heap[place] = heap[below];
    }
    heap[place] = moving;
}

/* Goes on to the next record of the first cursor. It must stand behind the one before in the file: else the library
 * does not get on in damaged data, and would deliver the same records for ever. */
static tacStatus advance(Reading *r, tacError *err) {
    Cursor *first = r->heap.at;
    tacStatus status = TAC_OK;
    unsigned long long place = first->record->offset;
    uint64_t time = first->record->ts;
    tracecmd_free_record(first->record);
    first->record = readNext(first);
    if (first->record && first->record->offset <= place) {
        const struct tep_record nothing = {.cpu = first->processor};
        char text[120];
        tracecmd_free_record(first->record);
        first->record = NULL;
        snprintf(text, sizeof text, "the data of cpu%d are damaged; the rest of them is left out", first->processor);
        r->request->sink->report(r->request->sink->data, TAC_SEVERITY_ERROR, r->line, "DAMAGE", text);
        status = takeLost(r, &nothing, err);
    } else if (TAC_UNLIKELY(first->record && isFar(first->record, time))) status = leaveWild(r, first, &time, err);
    if (!first->record) {
        freeAhead(first);
        *first = r->heap.at[--r->heap.count];
    }
    if (r->heap.count) sink(r, 0);
    return status;
}

static tacStatus readAll(Reading *r, tacError *err) {
    const tacSink *told = r->request->sink;
    r->line = 1; /* "cpus=2" */
    for (size_t i = 0; i < r->heap.count; i++)
        if (leaveWild(r, &r->heap.at[i], NULL, err) != TAC_OK) return TAC_ERROR;
    for (size_t i = r->heap.count; i-- > 0;) sink(r, i);
    while (r->heap.count) {
        if (takeRecord(r, r->heap.at[0].record, err) != TAC_OK) return TAC_ERROR;
        r->records++;
        if (r->records % PROGRESS_EVERY == 0 && told->progress && !told->progress(told->data, 0, 0))
            return tacFail(err, "CANCELLED", "opening was cancelled");
        if (advance(r, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* Unbuffered, so that the last message before a crash is complete. */
void tacDatLibraryPrepare(char *said) {
    FILE *to = said ? fmemopen(said, TAC_WORKER_SAID - 1, "w") : NULL;
    if (!to) to = fopen("/dev/null", "w");
    if (!to) return;
    setvbuf(to, NULL, _IONBF, 0);
    stdout = stderr = to;
}

static bool addCursors(Reading *r, struct tracecmd_input *buffer) {
    int processors = tep_get_cpus(r->tep);
    if (processors < LEAST_PROCESSORS) processors = LEAST_PROCESSORS;
    if (processors > MOST_PROCESSORS) processors = MOST_PROCESSORS;
    for (int i = 0; i < processors; i++) {
        struct tep_record *record = tracecmd_read_data(buffer, i);
        if (record && !tacArrayPush(&r->heap, (Cursor){buffer, i, (uint32_t) r->heap.count, record, NULL}))
            return false;
    }
    return true;
}

static bool addBuffers(Reading *r) {
    if (!addCursors(r, r->input)) return false;
    for (int i = 0; i < tracecmd_buffer_instances(r->input) && i < MOST_BUFFERS; i++) {
        struct tracecmd_input *buffer = tracecmd_buffer_instance_handle(r->input, i);
        if (buffer) {
            if (!tacArrayPush(&r->buffers, buffer) || !addCursors(r, buffer)) return false;
            continue;
        }
        char text[200];
        const char *name = tracecmd_buffer_instance_name(r->input, i);
        snprintf(text, sizeof text, "the buffer \"%.60s\" cannot be read and is left out", name ? name : "");
        for (char *c = text; *c; c++)
            if ((unsigned char) *c < ' ' || (unsigned char) *c > '~') *c = '?';
        r->request->sink->report(r->request->sink->data, TAC_SEVERITY_ERROR, 0, "DAMAGE", text);
    }
    return true;
}

static void reportBad(const Reading *r) {
    char text[120];
    if (!r->bad) return;
    if (r->bad == 1)
        snprintf(text, sizeof text, "a record is left out: it does not fit the format of its event, or has none");
    else
        snprintf(text, sizeof text,
            "%" PRIu64 " records are left out: they do not fit the format of their event, or have none", r->bad);
    r->request->sink->report(r->request->sink->data, TAC_SEVERITY_WARNING, 0, "SYNTAX", text);
}

bool tacDatLibraryAvailable(void) { return true; }

tacStatus tacDatLibraryRead(const tacDatRequest *request, tacError *err) {
    Reading *r = tacAllocZero(1, sizeof *r);
    if (!r) return tacFailMemory(err);
    r->request = request;
    r->input = tracecmd_open_fd((int) request->file->handle, TRACECMD_FL_LOAD_NO_PLUGINS);
    if (!r->input) {
        tacFree(r);
        return tacFail(err, "FORMAT DAMAGED",
            "this trace.dat is damaged, cut off before its events, or packed in a way that libtracecmd does not know; "
            "record again, or use \"trace-cmd restore\" where files trace.dat.cpu0 ... are left");
    }
    r->tep = tracecmd_get_tep(r->input);
    r->native = tep_is_file_bigendian(r->tep) == tep_is_local_bigendian(r->tep);
    r->typeAt = commonAt(r, "common_type", 2);
    r->pidAt = commonAt(r, "common_pid", 4);
    trace_seq_init(&r->printed);
    tacStatus status = addBuffers(r) ? readAll(r, err) : tacFailMemory(err);
    reportBad(r);
    for (size_t i = 0; i < r->heap.count; i++) {
        tracecmd_free_record(r->heap.at[i].record);
        freeAhead(&r->heap.at[i]);
    }
    for (size_t i = 0; i < r->buffers.count; i++) tracecmd_close(r->buffers.at[i]);
    tracecmd_close(r->input);
    for (int i = 0; i < EVENT_IDS; i++) tacFree(r->kinds[i]);
    trace_seq_destroy(&r->printed);
    tacArrayFree(&r->heap);
    tacArrayFree(&r->buffers);
    tacFree(r);
    return status;
}
