/*
 * kernel.c -- events of the kernel in a recording: tasks, jobs and marks are made of them as of any kernel trace.
 *
 *      elements of kernel:EVENT, merged -> tacKernelRecord -> import/kernel
 *
 * record/kernel.h tells what the elements are. An element has the number of its event among all of its processor, so
 * events that were lost, wherever that happened, are told by import/kernel as a loss of that processor.
 *
 * Only one source is read so: the first one of the first machine. Events of others are kept as they are.
 */
#include "base/port.h"

#include "import/kernel/pack.h"
#include "import/record/kernelState.h"

#include <stdio.h>
#include <string.h>

enum {
    HEAD = 10,         /* bytes that begin each element but those of kernel:thread: number, pid, processor */
    PROCESSORS = 8192, /* numbers of processors are below */
    PIDS = 1 << 22     /* likewise */
};

static const char prefix[] = "kernel:";

/* ---- bytes of elements ------------------------------------------------------------------------------------------- */

static uint32_t number16(const uint8_t *at) { return at[0] | (uint32_t) at[1] << 8; }
static uint32_t number32(const uint8_t *at) { return number16(at) | number16(at + 2) << 16; }

/* The number in a field, with its sign if it has one. */
static int64_t numberOf(const tacrec_fieldEntry *field, const uint8_t *data) {
    const uint8_t *at = data + field->offset;
    bool hasSign = field->type == TACREC_SIGNED;
    switch (field->size) {
    case 1: return hasSign ? (int8_t) at[0] : at[0];
    case 2: return hasSign ? (int16_t) number16(at) : (int64_t) number16(at);
    case 4: return hasSign ? (int32_t) number32(at) : (int64_t) number32(at);
    default: return (int64_t) (number32(at) | (uint64_t) number32(at + 4) << 32);
    }
}

/* The text in a field, up to its NUL; what is no clean text is cleaned into `room`. */
static tacKernelText textOf(const tacrec_fieldEntry *field, const uint8_t *data, char room[TACREC_ELEMENT + 1]) {
    const char *at = (const char *) data + field->offset;
    size_t length = 0;
    bool clean = true;
    for (; length < field->size && at[length]; length++) clean &= at[length] >= ' ' && at[length] <= '~';
    if (TAC_LIKELY(clean)) return (tacKernelText){at, length};
    memcpy(room, at, length);
    room[length] = 0;
    tacRecordClean(room, length + 1);
    return (tacKernelText){room, strlen(room)};
}

/* ---- sensors ----------------------------------------------------------------------------------------------------- */

/* The field of this name that begins at this offset or behind it: an event may have a `pid`, as the head has. */
static const tacrec_fieldEntry *fieldOf(const tacRecordSensor *sensor, const char *name, uint32_t offset) {
    for (uint32_t i = 0; i < sensor->said.fieldCount; i++) {
        const tacrec_fieldEntry *field = &sensor->said.fields[i];
        if (field->offset >= offset && strcmp(field->name, name) == 0) return field;
    }
    return NULL;
}

/* Is there a field of this type there? size 0: any. */
static bool hasField(const tacRecordSensor *sensor, const char *name, tacrec_type type, uint16_t offset, int size) {
    const tacrec_fieldEntry *field = fieldOf(sensor, name, offset);
    return field && field->type == (uint32_t) type && field->offset == offset && (size == 0 || field->size == size);
}

/* Does the sensor's element begin as those of events do? */
static bool hasHead(const tacRecordSensor *sensor) {
    return hasField(sensor, "number", TACREC_UNSIGNED, 0, 4) && hasField(sensor, "pid", TACREC_SIGNED, 4, 4)
        && hasField(sensor, "cpu", TACREC_UNSIGNED, 8, 2);
}

/* Finds the places of the fields that a kind of event must have; false: it lacks one. */
static bool placeFields(tacRecordKernelKind *kind) {
    for (const tacKernelSlot *slot = kind->row->slots; slot->type != TAC_SLOT_END; slot++) {
        const tacrec_fieldEntry *field = fieldOf(kind->sensor, slot->field, HEAD);
        bool isText = slot->type == TAC_SLOT_TEXT || slot->type == TAC_SLOT_STATE || slot->type == TAC_SLOT_FUNCTION;
        bool fits = field && isText == (field->type == TACREC_TEXT) && field->type != TACREC_REAL;
        if (fits) kind->places[kind->nPlaces++] = (tacRecordKernelPlace){field, slot->type, slot->at};
        else if (!slot->optional) return false;
    }
    return true;
}

/* Finds the system call in the name of an event, and its arguments: all fields behind the head. */
static bool isCall(tacRecordKernelKind *kind) {
    static const struct {
        const char *begins;
        tacKernelEvent event;
    } calls[] = {{"sys_enter_", TAC_KERNEL_SYSCALL_ENTRY}, {"sys_exit_", TAC_KERNEL_SYSCALL_EXIT}};
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(calls[i].begins);
        if (kind->name.length <= length || memcmp(kind->name.at, calls[i].begins, length) != 0) continue;
        kind->event = calls[i].event;
        kind->name = (tacKernelText){kind->name.at + length, kind->name.length - length};
        return true;
    }
    return false;
}

/* Finds the manner in which the elements of a sensor are read; false: in none. */
static bool findManner(tacRecordKernelKind *kind) {
    const tacRecordSensor *sensor = kind->sensor;
    const char *name = kind->name.at;
    if (strcmp(name, "thread") == 0) {
        kind->manner = TAC_MANNER_THREAD;
        return hasField(sensor, "pid", TACREC_SIGNED, 0, 4) && hasField(sensor, "name", TACREC_TEXT, 8, 0);
    }
    if (!hasHead(sensor)) return false;
    if (strcmp(name, "lost") == 0) {
        kind->manner = TAC_MANNER_LOST;
        return hasField(sensor, "count", TACREC_UNSIGNED, 12, 4);
    }
    if (strcmp(name, "print") == 0) {
        kind->manner = TAC_MANNER_PRINT;
        kind->event = TAC_KERNEL_MARK;
        return hasField(sensor, "at", TACREC_UNSIGNED, 10, 2) && hasField(sensor, "length", TACREC_UNSIGNED, 12, 2)
            && hasField(sensor, "text", TACREC_TEXT, 14, 0);
    }
    kind->manner = TAC_MANNER_TEXT;
    kind->row = tacKernelFieldsOf(name);
    if (kind->row && placeFields(kind)) {
        kind->manner = TAC_MANNER_FIELDS;
        kind->event = kind->row->event;
    } else if (isCall(kind)) {
        kind->manner = TAC_MANNER_CALL;
    }
    return true;
}

bool tacRecordKernelBegin(tacRecord *r) {
    tacRecordKernel *k = r->kernel = tacAllocZero(1, sizeof *k);
    if (!k) return tacFailMemory(r->err), false;
    k->r = r;
    k->source = TAC_NONE;
    return true;
}

bool tacRecordKernelSensor(tacRecord *r, tacRecordSensor *sensor) {
    tacRecordKernel *k = r->kernel;
    const char *name = sensor->said.name + sizeof prefix - 1;
    tacRecordKernelKind kind = {.sensor = sensor, .name = {name, strlen(name)}};
    const tacRecordMeaning *meaning = sensor->meaning;
    sensor->meaning = NULL;
    bool first = k->source == TAC_NONE && tacRecordSourceOf(r, sensor)->machine == 0;
    if (first) k->source = sensor->source;
    tacRecordSourceOf(r, sensor)->kept = k->source != sensor->source;
    if (k->source != sensor->source) return true;
    if (!findManner(&kind)) return true;
    sensor->meaning = meaning;
    sensor->own[0] = (uint32_t) k->kinds.count;
    return tacArrayPush(&k->kinds, kind) || (tacFailMemory(r->err), false);
}

void tacRecordKernelFree(tacRecord *r) {
    tacRecordKernel *k = r->kernel;
    if (!k) return;
    tacRecordKernelJobsFree(k);
    tacArrayFree(&k->kinds);
    tacArrayFree(&k->processors);
    tacArrayFree(&k->nameOf);
    tacInternFree(&k->names);
    tacFree(k);
    r->kernel = NULL;
}

uint64_t tacRecordKernelBytes(const tacRecord *r) {
    const tacRecordKernel *k = r->kernel;
    return k ? k->kinds.capacity * sizeof *k->kinds.at + k->processors.capacity * sizeof *k->processors.at
            + k->nameOf.capacity * sizeof *k->nameOf.at + tacInternBytes(&k->names)
            + k->tasks.capacity * sizeof *k->tasks.at + k->tasks.count * sizeof **k->tasks.at
            + tacInternBytes(&k->taskKeys) + tacInternBytes(&k->threadKeys) + k->jobs.capacity * sizeof *k->jobs.at
             : 0;
}

/* ---- sides of threads -------------------------------------------------------------------------------------------- */

static bool tellSide(tacRecordKernel *k, uint32_t pid, tacKernelSide side, uint32_t process) {
    tacKernelRecord record = {.event = TAC_KERNEL_PROGRAM,
        .processor = -1,
        .current = TAC_KERNEL_NO_THREAD,
        .thread = TAC_KERNEL_NO_THREAD,
        .other = TAC_KERNEL_NO_THREAD,
        .target = -1,
        .number = side};
    if (pid == 0 || pid > INT32_MAX || process > INT32_MAX) return true;
    record.thread.pid = (int32_t) pid;
    record.other.pid = (int32_t) process;
    return k->take(k->takeData, &record, 1, k->err) == TAC_OK;
}

/* Tells which threads are those of recorded programs: the first ones of these, and those that have sensors. */
static bool tellSides(tacRecordKernel *k) {
    tacRecord *r = k->r;
    const tacRecordSource *kernel = &r->sources.at[k->source];
    if (!tellSide(k, kernel->said.pid, TAC_SIDE_RECORDER, 0)) return false;
    for (size_t i = 0; i < r->sources.count; i++) {
        const tacRecordSource *source = &r->sources.at[i];
        bool here = source->described && source->said.kind == TACREC_SOURCE_PROGRAM && source->machine == 0;
        if (here && !tellSide(k, source->said.pid, TAC_SIDE_PROGRAM, 0)) return false;
    }
    for (size_t i = 0; i < r->sensors.count; i++) {
        const tacRecordSensor *sensor = &r->sensors.at[i];
        const tacRecordSource *source = tacRecordSourceOf(r, sensor);
        bool here = source->described && source->said.kind == TACREC_SOURCE_PROGRAM && source->machine == 0;
        if (here && !tellSide(k, sensor->thread, TAC_SIDE_PROGRAM, 0)) return false;
    }
    return true;
}

/* ---- names of threads -------------------------------------------------------------------------------------------- */

/* Takes the name of a thread that was there at the beginning. */
static bool takeThread(tacRecordKernel *k, const tacRecordElement *e) {
    int32_t pid = (int32_t) number32(e->data);
    if (pid <= 0 || pid >= PIDS) return k->bad++, true;
    tacKernelText name = textOf(fieldOf(e->sensor, "name", 0), e->data, k->cleaned[0]);
    while (k->nameOf.count <= (size_t) pid)
        if (!tacArrayPush(&k->nameOf, TAC_NONE)) return false;
    k->nameOf.at[pid] = tacIntern(&k->names, name.at, name.length);
    return k->nameOf.at[pid] != TAC_NONE && tellSide(k, (uint32_t) pid, TAC_SIDE_OTHER, number32(e->data + 4));
}

static tacKernelText nameOf(const tacRecordKernel *k, int32_t pid) {
    tacKernelText name = {NULL, 0};
    if (pid <= 0 || (size_t) pid >= k->nameOf.count || k->nameOf.at[pid] == TAC_NONE) return name;
    name.at = tacInternName(&k->names, k->nameOf.at[pid], &name.length);
    return name;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static const tacKernelThread nobody = TAC_KERNEL_NO_THREAD;

/* Reads "S", "R+", "D|K"; false: it is empty. */
static bool readState(tacKernelText text, tacKernelRecord *record) {
    if (text.length == 0) return false;
    record->state = tacKernelStateOf(text.at[0]);
    record->preempted = text.at[text.length - 1] == '+';
    return true;
}

static bool readFields(
    tacRecordKernel *k, const tacRecordKernelKind *kind, const uint8_t *data, tacKernelRecord *record) {
    for (int i = 0; i < kind->nPlaces; i++) {
        const tacRecordKernelPlace *place = &kind->places[i];
        void *to = (char *) record + place->at;
        const char *name;
        switch (place->type) {
        case TAC_SLOT_INT32: *(int32_t *) to = (int32_t) numberOf(place->field, data); break;
        case TAC_SLOT_INT64: *(int64_t *) to = numberOf(place->field, data); break;
        case TAC_SLOT_STATE:
            if (!readState(textOf(place->field, data, k->cleaned[i]), record)) return false;
            break;
        case TAC_SLOT_NAMED:
            name = tacKernelActionOf(numberOf(place->field, data));
            *(tacKernelText *) to = name ? (tacKernelText){name, strlen(name)} : (tacKernelText){"", 0};
            break;
        default: *(tacKernelText *) to = textOf(place->field, data, k->cleaned[i]);
        }
    }
    return true;
}

/* Writes the arguments of a system call, "uaddr: 0x7f00, op: 0x80", or its result, "0x0". */
static void readCall(
    tacRecordKernel *k, const tacRecordKernelKind *kind, const uint8_t *data, tacKernelRecord *record) {
    char *to = k->text;
    bool exits = kind->event == TAC_KERNEL_SYSCALL_EXIT;
    for (uint32_t i = 0; i < kind->sensor->said.fieldCount; i++) { /* 16 at most: they fit into the text */
        const tacrec_fieldEntry *field = &kind->sensor->said.fields[i];
        if (field->offset < HEAD || (field->type != TACREC_SIGNED && field->type != TACREC_UNSIGNED)) continue;
        uint64_t value = (uint64_t) numberOf(field, data);
        if (field->size < 8) value &= UINT64_MAX >> (64 - 8 * field->size);
        if (!exits && to > k->text) *to++ = ',', *to++ = ' ';
        to = tacKernelPutArgument(to, exits ? NULL : field->name, value);
    }
    record->text = (tacKernelText){k->text, (size_t) (to - k->text)};
}

static bool hand(tacRecordKernel *k, const tacKernelRecord *record) {
    return k->take(k->takeData, record, k->r->line, k->err) == TAC_OK;
}

/* Hands on a record; of an event whose own text is wanted besides, that comes first. */
static bool handAll(
    tacRecordKernel *k, const tacRecordKernelKind *kind, const tacRecordElement *e, const tacKernelRecord *record) {
    tacKernelRecord copy = *record;
    if (!tacKernelSound(record)) return k->bad++, true;
    if (TAC_UNLIKELY(kind->copied)) {
        copy.event = TAC_KERNEL_OTHER;
        copy.number = 1;
        copy.thread = copy.other = nobody;
        copy.text = (tacKernelText){k->text, tacRecordFields(e, HEAD, k->text, sizeof k->text)};
        if (!hand(k, &copy)) return false;
    }
    return hand(k, record);
}

/* The text of a mark, up to its NUL, as clean UTF-8. */
static tacKernelText cleanMark(tacRecordKernel *k, size_t length) {
    tacCleaner cleaner = {.begun = true};
    if (length > TAC_RECORD_MARK) length = TAC_RECORD_MARK;
    length = strnlen(k->mark.text, length);
    return (tacKernelText){k->clean, tacClean(&cleaner, k->mark.text, length, true, k->clean)};
}

/* Takes a piece of a mark; the last piece, whose field may have more bytes than the mark, makes it a record. Marks of
 * which a piece is missing are left out. */
static bool takePiece(
    tacRecordKernel *k, const tacRecordKernelKind *kind, const tacRecordElement *e, tacKernelRecord *record) {
    const tacrec_fieldEntry *field = fieldOf(e->sensor, "text", 0);
    uint32_t number = number32(e->data), at = number16(e->data + 10), length = number16(e->data + 12);
    if (at == 0) k->mark.number = number, k->mark.processor = record->processor, k->mark.have = 0;
    bool continues = k->mark.number == number && k->mark.processor == record->processor && k->mark.have == at;
    if (!continues || at > length) return k->bad++, true;
    for (uint32_t i = 0; i < field->size && at + i < TAC_RECORD_MARK; i++)
        k->mark.text[at + i] = (char) e->data[field->offset + i];
    k->mark.have = at + field->size;
    if (k->mark.have < length) return true;
    record->text = cleanMark(k, length);
    return handAll(k, kind, e, record);
}

/* Compares the event's number with those of its processor so far. Those that are missing are told as lost. */
static bool follow(tacRecordKernel *k, const tacKernelRecord *record, uint32_t number, uint32_t count) {
    size_t which = (size_t) record->processor;
    while (k->processors.count <= which)
        if (!tacArrayPush(&k->processors, (tacRecordKernelProcessor){0, false})) return false;
    tacRecordKernelProcessor *p = &k->processors.at[which];
    uint32_t ahead = p->begun ? number - p->expected : 0;
    if (ahead > INT32_MAX) return true; /* pieces of a mark have one number */
    p->begun = true;
    p->expected = number + count;
    if (TAC_LIKELY(ahead == 0)) return true;
    tacKernelRecord lost = *record;
    lost.event = TAC_KERNEL_LOST;
    lost.number = ahead;
    return hand(k, &lost);
}

static bool takeEvent(tacRecordKernel *k, const tacRecordElement *e) {
    const tacRecordKernelKind *kind = &k->kinds.at[e->sensor->own[0]];
    uint32_t number = number32(e->data);
    int32_t pid = (int32_t) number32(e->data + 4);
    tacKernelRecord record = {.event = kind->event,
        .time = e->time,
        .processor = (int32_t) number16(e->data + 8),
        .current = {pid, TAC_KERNEL_NO_PRIORITY, nameOf(k, pid)},
        .thread = nobody,
        .other = nobody,
        .target = -1,
        .name = kind->name};
    if (record.processor >= PROCESSORS) return k->bad++, true;
    if (kind->manner == TAC_MANNER_LOST) {
        uint32_t count = number32(e->data + 12);
        record.event = TAC_KERNEL_LOST;
        record.number = count;
        return follow(k, &record, number, count ? count : 1) && hand(k, &record);
    }
    if (!follow(k, &record, number, 1)) return false;
    switch (kind->manner) {
    case TAC_MANNER_FIELDS:
        if (!readFields(k, kind, e->data, &record)) return k->bad++, true;
        break;
    case TAC_MANNER_CALL: readCall(k, kind, e->data, &record); break;
    case TAC_MANNER_PRINT: return takePiece(k, kind, e, &record);
    default:
        if (!kind->copied) return true;
        record.text = (tacKernelText){k->text, tacRecordFields(e, HEAD, k->text, sizeof k->text)};
        return !tacKernelSound(&record) || hand(k, &record);
    }
    return handAll(k, kind, e, &record);
}

static bool takeElement(void *data, const tacRecordElement *e) {
    tacRecordKernel *k = data;
    if (TAC_UNLIKELY(e->time >= k->due) && !tacRecordKernelTellJobs(k, e->time)) return false;
    if (k->kinds.at[e->sensor->own[0]].manner == TAC_MANNER_THREAD) return takeThread(k, e);
    return takeEvent(k, e);
}

/* ---- delivery ---------------------------------------------------------------------------------------------------- */

static bool isOurs(void *data, const tacRecordSensor *sensor) {
    (void) data;
    return sensor->meaning && sensor->meaning->read == tacRecordKernelRead;
}

void tacRecordKernelAgain(tacRecordKernel *k, bool (*wants)(void *data, const tacRecordSensor *sensor)) {
    tacRecord *r = k->r;
    for (size_t i = 0; i < r->sensors.count; i++) {
        tacRecordSensor *sensor = &r->sensors.at[i];
        if (!wants(k, sensor)) continue;
        sensor->elements = sensor->before = sensor->missing = sensor->places = sensor->beyond = sensor->wild = 0;
    }
    r->line = 0;
    r->delivered = 0;
    r->misfits = k->misfits;
}

/* Lets a delivery begin as if it were the first one. */
static void beginAgain(tacRecordKernel *k, tacKernelWants *wants) {
    for (size_t i = 0; i < k->kinds.count; i++) {
        tacRecordKernelKind *kind = &k->kinds.at[i];
        bool known = kind->manner == TAC_MANNER_FIELDS;
        kind->copied = wants && (known || kind->manner == TAC_MANNER_TEXT) && wants(k->takeData, kind->name, known);
    }
    tacRecordKernelAgain(k, isOurs);
    k->processors.count = 0;
    k->mark.number = k->mark.have = 0;
    k->mark.processor = -1;
    k->bad = 0;
    k->told = 0;
    k->due = k->jobs.count ? k->jobs.at[0].time : INT64_MAX;
}

static void reportBad(const tacRecordKernel *k, const tacSink *sink) {
    char text[100];
    if (!k->bad) return;
    bool one = k->bad == 1;
    snprintf(text, sizeof text, "%llu event%s of the kernel %s left out: what %s cannot be",
        (unsigned long long) k->bad, one ? "" : "s", one ? "is" : "are", one ? "it says" : "they say");
    sink->report(sink->data, TAC_SEVERITY_ERROR, 0, "EVENT", text);
}

static tacStatus deliver(
    void *data, const tacSink *sink, tacKernelTake *take, tacKernelWants *wants, void *takeData, tacError *err) {
    tacRecordKernel *k = data;
    tacRecord *r = k->r;
    tacRecordTaker taker = {isOurs, takeElement, NULL, k};
    k->take = take;
    k->takeData = takeData;
    k->err = err;
    beginAgain(k, wants);
    bool done = tellSides(k) && tacRecordKernelTellTasks(k) && tacRecordMerge(r, &taker)
        && tacRecordKernelTellJobs(k, INT64_MAX);
    if (!done) return tacFailStopped(err, r->import->progress);
    reportBad(k, sink);
    return TAC_OK;
}

/* Gathers what programs say; their packets are read again afterwards. */
static bool gather(tacRecordKernel *k, tacError *err) {
    k->err = err;
    k->misfits = k->r->misfits;
    return tacRecordKernelJobs(k);
}

tacStatus tacRecordKernelRead(tacRecord *r, tacError *err) {
    if (r->kernel->kinds.count == 0) return TAC_OK;
    if (!gather(r->kernel, err)) return tacFailStopped(err, r->import->progress);
    return tacKernelImportFrom(r->import, deliver, r->kernel, err);
}

/* Says that the events of a kernel are not made into tasks, since those of another one are. */
static void remarkKept(tacRecord *r, const tacRecordSource *source) {
    if (source->machine == 0)
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "KERNEL",
            "the kernel was recorded more than once: tasks are made of the first recording, and the events of another "
            "one are kept as messages");
    else
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "KERNEL",
            "%s: its kernel's events are kept as messages, since tasks are made of those of one machine only; what was "
            "recorded on it alone shows its tasks",
            r->machines.at[source->machine].name);
}

/* Says what was not read as the rest was. */
bool tacRecordKernelFinish(tacRecord *r) {
    const void *options = r->import->options;
    const char *unused = r->kernel || !options ? NULL : tacKernelUnused(options);
    if (unused) tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "OPTION", "%s", unused);
    for (size_t i = 0; i < r->sources.count; i++)
        if (r->sources.at[i].kept) remarkKept(r, &r->sources.at[i]);
    return true;
}

/* ---- the guess of a mapping -------------------------------------------------------------------------------------- */

static bool beginGuess(tacRecord *r) {
    bool done = tacRecordKernelBegin(r);
    for (size_t i = 0; i < r->sensors.count && done; i++)
        if (isOurs(NULL, &r->sensors.at[i])) done = tacRecordKernelSensor(r, &r->sensors.at[i]);
    return done;
}

tacStatus tacRecordGuess(tacImport *import, tacText *mapping, tacError *err) {
    tacFile file;
    tacRecord r;
    if (tacSourceFile(import->source, &file, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = tacRecordOpen(&r, import, &file, err);
    if (status == TAC_OK && !beginGuess(&r)) status = TAC_ERROR;
    if (status == TAC_OK && r.kernel->kinds.count == 0)
        status = tacFail(err, "FORMAT UNSUPPORTED",
            "there is nothing to guess: this recording has no events of the kernel (tactus record --kernel)");
    if (status == TAC_OK && !gather(r.kernel, err)) status = tacFailStopped(err, import->progress);
    if (status == TAC_OK) status = tacKernelGuessFrom(import, deliver, r.kernel, mapping, err);
    tacRecordFree(&r);
    tacFileClose(&file);
    return status;
}
