/*
 * directory.c -- a directory of sensors as a recording: the file of a program that runs, that has ended or was killed,
 * or the memory of a bare machine.
 *
 *      file -> copy in memory -> monitor.c -> elements -> packets in a temporary file -> record.c
 *
 * The program may write meanwhile. A ring's counter lies before its elements, so a copy has all elements that its
 * counter says; which of them were overwritten while they were copied, the counter of the file says afterwards.
 */
#include "base/port.h"

#include "import/record/record.h"
#include "import/record/state.h"
#include "read/worker.h"

#include <stdio.h>
#include <string.h>

static const uint64_t LARGEST = (uint64_t) 4 << 30; /* bytes of a directory */

typedef struct Directory {
    tacImport *import;
    tacFile file;
    tacrec_head *head; /* the copy, of as many bytes as the file has of it */
    uint64_t whole;    /* bytes that the directory has in all */
    uint64_t copied;   /* that the file has of it */
    uint64_t room;     /* bytes that rings of further sensors may have */
    uint32_t folded;   /* sensors that are left out, since their rings would have more */
    tacFile packets;
    tacrec_writer *writer;
    bool failed; /* err says why */
    tacError *err;
} Directory;

bool tacRecordIsDirectory(const char *bytes, size_t length) {
    static const char magic[8] = "TACTREC";
    return length >= sizeof(tacrec_head) && memcmp(bytes, magic, sizeof magic) == 0;
}

/* ---- the copy ---------------------------------------------------------------------------------------------------- */

/* Reads up to `length` bytes of the file from an offset on; *got: how many there were. */
static tacStatus readAt(Directory *d, uint64_t at, void *to, uint64_t length, uint64_t *got) {
    *got = 0;
    if (tacFileSeek(&d->file, at, d->err) != TAC_OK) return TAC_ERROR;
    for (size_t n = 1; *got < length && n > 0; *got += n) {
        size_t rest = length - *got < (1 << 20) ? (size_t) (length - *got) : 1 << 20;
        if (tacFileRead(&d->file, (uint8_t *) to + *got, rest, &n, d->err) != TAC_OK) return TAC_ERROR;
        if (!tacProgressStep(d->import->progress, at + *got)) return tacFailStopped(d->err, d->import->progress);
    }
    return TAC_OK;
}

/* Checks the limit of memory with what the copy takes. */
static tacStatus checkRoom(const Directory *d, uint64_t size) {
    tacStore *store = d->import->store;
    if (!store) return TAC_OK;
    store->besides = size;
    return tacStoreCheck(store, 0, d->err);
}

/* Copies the directory into memory. Where the file ends before it does, its head says so in the copy, and sensors that
 * lie beyond are none. */
static tacStatus copyAll(Directory *d) {
    tacrec_head head;
    uint64_t got;
    if (readAt(d, 0, &head, sizeof head, &got) != TAC_OK) return TAC_ERROR;
    d->whole = got == sizeof head ? head.size : 0;
    uint64_t size = d->whole < d->file.size ? d->whole : d->file.size;
    if (size < sizeof head) return tacFail(d->err, "FORMAT", "this is no directory of sensors: its head is damaged");
    if (size > LARGEST)
        return tacFail(d->err, "LIMIT SIZE", "the directory has %llu bytes; at most %llu can be read",
            (unsigned long long) size, (unsigned long long) LARGEST);
    if (checkRoom(d, size) != TAC_OK) return TAC_ERROR;
    d->head = tacAllocZero(1, size);
    if (!d->head) return tacFailMemory(d->err);
    if (readAt(d, 0, d->head, size, &got) != TAC_OK) return TAC_ERROR;
    d->head->size = d->copied = got;
    if (!tacrec_isDirectory(d->head, got))
        return tacFail(
            d->err, "FORMAT", "this is no directory of sensors of version %d, or its head is damaged", TACREC_VERSION);
    return TAC_OK;
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

static bool take(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    Directory *d = data;
    if (d->failed) return true;
    d->failed = tacFileWrite(&d->packets, bytes, head->size, d->err) != TAC_OK;
    if (!d->failed && !tacProgressStep(d->import->progress, d->copied))
        d->failed = tacFailStopped(d->err, d->import->progress) != TAC_OK;
    return true;
}

static void describeSource(const Directory *d, tacrec_source *source) {
    *source = (tacrec_source){.kind = TACREC_SOURCE_PROGRAM,
        .clock = d->head->clock == TACREC_CLOCK_TSC ? TACREC_CLOCK_TSC : TACREC_CLOCK_HOOK,
        .pid = d->head->pid};
    memcpy(source->boot, d->head->boot, sizeof source->boot);
    memcpy(source->name, d->head->program, sizeof d->head->program - 1);
}

/* Hands over the pairs of clocks that the program has kept, and one of now where both clocks still go on. */
static void putPairs(Directory *d) {
    uint32_t count = d->head->pairCount;
    tacrec_pair pair;
    if (d->head->clock != TACREC_CLOCK_TSC) return;
    for (uint32_t n = count < TACREC_PAIRS ? 0 : count - TACREC_PAIRS + 1; n != count; n++)
        if (tacrec_readPair(d->head, n, &pair)) tacrec_writerPair(d->writer, &pair);
    /* A worker process can ask nobody whether this machine is the recorded one. */
    if (tacWorkerSeconds() < 0 && tacrec_pairHere(d->head, &pair)) tacrec_writerPair(d->writer, &pair);
}

static bool describe(Directory *d, uint32_t k, const tacrec_entry *entry, uint32_t thread) {
    tacrec_sensorSaid said = {.kind = entry->kind,
        .size = entry->size,
        .fieldCount = entry->fieldCount,
        .priority = entry->priority,
        .thread = thread,
        .flags = entry->lasting ? TACREC_SENSOR_LASTING : 0,
        .rate = entry->rate};
    snprintf(said.name, sizeof said.name, "%s", entry->name);
    snprintf(said.storage, sizeof said.storage, "%s", entry->storage);
    memcpy(said.fields, entry->fields, entry->fieldCount * sizeof *said.fields);
    return tacrec_writerSensor(d->writer, k, &said);
}

/* The first element that was surely not overwritten while it was copied. */
static tacStatus firstWhole(Directory *d, const tacrec_entry *entry, uint64_t *first) {
    tacrec_ring ring;
    uint64_t got;
    *first = 0;
    if (readAt(d, entry->ring, &ring, sizeof ring, &got) != TAC_OK) return TAC_ERROR;
    if (got < sizeof ring) return TAC_OK;
    bool many = entry->kind == TACREC_CONCURRENT;
    uint64_t written = tacrec_published(&ring, entry->twoWords && !many), kept = entry->capacity - (many ? 0 : 1);
    if (written > kept) *first = written - kept;
    return TAC_OK;
}

/* Hands over the elements of the kth sensor. */
static tacStatus putElements(Directory *d, uint32_t k, const tacrec_entry *entry) {
    uint64_t data[TACREC_ELEMENT / 8], time, first;
    uint32_t thread = 0;
    tacrec_reader reader;
    if (firstWhole(d, entry, &first) != TAC_OK) return TAC_ERROR;
    if (!tacrec_readerBegin(&reader, d->head, d->head->size, k)) return TAC_OK;
    for (;;) {
        uint64_t missed = reader.missed;
        if (!tacrec_readerNext(&reader, &time, data)) {
            if (reader.missed == missed && !tacrec_readerSkip(&reader)) return TAC_OK;
            continue;
        }
        if (reader.at - 1 < first) continue;
        if (tacrec_readerThread(&reader) != thread) {
            thread = tacrec_readerThread(&reader);
            if (!describe(d, k, entry, thread)) return tacFailMemory(d->err);
        }
        if (!tacrec_writerElement(d->writer, k, reader.at - 1, time, data)) return tacFailMemory(d->err);
        if (d->failed) return TAC_ERROR;
    }
}

/* Takes the ring of a sensor from the room. False: rings lie within one another, and would have the more elements the
 * more sensors there are; a program makes none that do. */
static bool takeRoom(Directory *d, const tacrec_entry *entry) {
    uint64_t bytes = sizeof(tacrec_ring) + (uint64_t) entry->capacity * entry->stride;
    if (bytes > d->room) return d->folded++, false;
    d->room -= bytes;
    return true;
}

/* Hands over all sensors. */
static tacStatus putSensors(Directory *d) {
    d->room = d->head->size - d->head->headSize;
    for (uint32_t k = 0; k < tacrec_sensors(d->head); k++) {
        tacrec_entry entry;
        if (!tacrec_describe(d->head, d->head->size, k, &entry) || !takeRoom(d, &entry)) continue;
        if (!describe(d, k, &entry, 0)) continue; /* what it says cannot be */
        if (putElements(d, k, &entry) != TAC_OK) return TAC_ERROR;
    }
    tacrec_writerFlush(d->writer, UINT32_MAX);
    return d->failed ? TAC_ERROR : TAC_OK;
}

static tacStatus putAll(Directory *d) {
    tacrec_source source;
    describeSource(d, &source);
    d->writer = tacrec_writerNew(&source, 1, take, d);
    if (!d->writer) return tacFailMemory(d->err);
    tacrec_writerDescribe(d->writer, NULL, NULL);
    putPairs(d);
    tacStatus status = putSensors(d);
    tacrec_writerFree(d->writer);
    return status;
}

/* ---- the format -------------------------------------------------------------------------------------------------- */

/* Makes the packets of the directory and reads them. The copy is not needed any more then. */
static tacStatus readPackets(Directory *d) {
    if (tacFileTemporary(&d->packets, d->err) != TAC_OK) return TAC_ERROR;
    tacStatus status = putAll(d);
    tacFree(d->head);
    d->head = NULL;
    if (status == TAC_OK) status = tacFileSeek(&d->packets, 0, d->err);
    if (status == TAC_OK) status = tacRecordReadFile(d->import, &d->packets, d->err);
    tacFileClose(&d->packets);
    return status;
}

static void remark(const Directory *d) {
    if (d->copied < d->whole)
        tacDiagAdd(d->import->diag, TAC_SEVERITY_WARNING, 0, "CUT",
            "the file has %llu of %llu bytes: sensors that lie beyond its end are left out",
            (unsigned long long) d->copied, (unsigned long long) d->whole);
    if (d->folded)
        tacDiagAdd(d->import->diag, TAC_SEVERITY_ERROR, 0, "DAMAGE",
            "%u sensors are left out: together they would be larger than the directory, so they lie within one another",
            d->folded);
}

tacStatus tacRecordReadDirectory(tacImport *import, tacError *err) {
    Directory d = {.import = import, .err = err};
    import->options = NULL; /* packets have some */
    if (tacSourceFile(import->source, &d.file, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = copyAll(&d);
    if (status == TAC_OK) status = readPackets(&d);
    if (status == TAC_OK && import->diag) remark(&d);
    tacFree(d.head);
    tacFileClose(&d.file);
    return status;
}
