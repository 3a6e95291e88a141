/*
 * merge.c -- elements of many sensors in the order of time.
 *
 * Each sensor has a cursor, which holds one of its packets; a heap has the cursors by the time of their next element.
 * The packets of a sensor are read in the order of their first numbers, so it does not matter how files were put
 * together. Elements whose numbers were delivered already are passed over: descriptions repeat lasting ones.
 *
 * A sensor of the kernel has events of all processors, so an element with a wild time must not hold up those behind it:
 * where a time is far ahead of the one before, and the sensor goes on before it, the element is left out.
 */
#include "base/port.h"

#include "base/sort.h"
#include "import/record/state.h"

#include <string.h>

enum {
    TICK_SIZE = 4,    /* bytes before an element, */
    BEFORE = 8,       /* and before the first one of a packet */
    BEGIN_AT = 40,    /* in the head of a packet: the time of its first element */
    FAR = 1000000000, /* ns: further ahead of the element before, a time is doubted */
    NEAR = 16         /* elements of the packet that are looked at then, */
};
#define NEXT 2 /* and the first ones of so many packets behind it */

typedef struct Cursor {
    tacRecordSensor *sensor;
    size_t packet;            /* the next one: index into packets */
    uint8_t *bytes;           /* the present packet */
    size_t room;              /* of bytes */
    uint32_t at, count;       /* index of the next element in it, number of elements */
    uint64_t first;           /* of the packet: number of its first element, */
    uint64_t begin;           /* its time */
    uint64_t clock;           /* time of the next element by the source's clock */
    uint64_t expected;        /* number that continues those delivered */
    uint64_t seen;            /* number behind those that were looked at */
    uint64_t skipped;         /* elements without a time since the last one that was delivered */
    int64_t last;             /* ticks of the element that was delivered last; TAC_UNKNOWN: none */
    tacRecordElement element; /* the next one */
} Cursor;

typedef struct Merge {
    tacRecord *r;
    const tacRecordTaker *taker;
    Cursor *cursors;
    Cursor **heap; /* the earliest first */
    size_t count;
    uint64_t bytes; /* of packets so far, for progress */
    tacError *err;
} Merge;

/* ---- a sensor ---------------------------------------------------------------------------------------------------- */

static uint64_t stepOf(const Cursor *c) { return TICK_SIZE + (uint64_t) c->sensor->said.size; }

/* Reads a packet. False: an error. A file that has become shorter meanwhile ends here. */
static bool readPacket(Merge *m, Cursor *c, const tacRecordPacket *packet) {
    tacRecord *r = m->r;
    size_t length = 0;
    c->at = c->count = 0;
    if (packet->size - TACREC_PACKET_HEAD - BEFORE < packet->count * stepOf(c)) return r->misfits++, true;
    if (c->room < packet->size) {
        tacFree(c->bytes);
        c->bytes = tacAlloc(c->room = packet->size);
        if (!c->bytes) return c->room = 0, tacFailMemory(m->err), false;
    }
    if (tacFileSeek(&r->file, packet->at, m->err) != TAC_OK) return false;
    for (size_t got = 1; length < packet->size && got > 0; length += got)
        if (tacFileRead(&r->file, c->bytes + length, packet->size - length, &got, m->err) != TAC_OK) return false;
    if (length < packet->size) return r->misfits++, true;
    c->first = packet->first;
    c->begin = tacRecordBytes(c->bytes + BEGIN_AT, 8);
    c->count = packet->count;
    c->element.thread = packet->thread;
    m->bytes += packet->size;
    return true;
}

/* Time of an element by the sensor's clock as ticks; false: it is none. */
static bool timeOf(
    const Merge *m, const Cursor *c, uint64_t begin, const uint8_t *tick, uint64_t *clock, int64_t *time) {
    return !__builtin_add_overflow(begin, tacRecordBytes(tick, TICK_SIZE), clock)
        && tacRecordTime(m->r, tacRecordSourceOf(m->r, c->sensor), *clock, time);
}

static const uint8_t *tickAt(const Cursor *c, uint32_t index) {
    return c->bytes + TACREC_PACKET_HEAD + BEFORE + index * stepOf(c);
}

/* Reads the time of the first element of a packet; false: it has none, or an error. */
static bool firstTime(Merge *m, const Cursor *c, const tacRecordPacket *packet, int64_t *time) {
    uint8_t bytes[TACREC_PACKET_HEAD + BEFORE + TICK_SIZE];
    size_t length = 0;
    uint64_t clock;
    if (packet->count == 0 || packet->size < sizeof bytes) return false;
    if (tacFileSeek(&m->r->file, packet->at, m->err) != TAC_OK) return false;
    for (size_t got = 1; length < sizeof bytes && got > 0; length += got)
        if (tacFileRead(&m->r->file, bytes + length, sizeof bytes - length, &got, m->err) != TAC_OK) return false;
    return length == sizeof bytes
        && timeOf(m, c, tacRecordBytes(bytes + BEGIN_AT, 8), bytes + TACREC_PACKET_HEAD + BEFORE, &clock, time);
}

/* Is the next element's time far ahead of the one that was delivered last, if any? */
static inline bool isFar(const Cursor *c) { return c->last == TAC_UNKNOWN || c->element.time - c->last > FAR; }

/*
 * Is it also far ahead of two of those behind it, or of the only one? With two, a time that is far too early does no
 * harm.
 */
static bool isWild(Merge *m, const Cursor *c) {
    int64_t time = c->element.time, behind[NEAR + NEXT];
    size_t n = 0, i = 0;
    uint64_t clock;
    for (uint32_t at = c->at + 1; at < c->count && at - c->at <= NEAR; at++)
        n += timeOf(m, c, c->begin, tickAt(c, at), &clock, &behind[n]);
    for (size_t next = c->packet; next < c->sensor->end && next < c->packet + NEXT; next++)
        n += firstTime(m, c, &m->r->packets.at[next], &behind[n]);
    while (i < n && behind[i] >= time - FAR) i++;
    return i < n && (i + 1 < n ? behind[i + 1] < time - FAR : c->last == TAC_UNKNOWN || behind[i] >= c->last);
}

/* Finds the next element that was not delivered. False: an error. c->at == c->count: there is none. */
static bool goOn(Merge *m, Cursor *c) {
    tacRecord *r = m->r;
    bool kernel = tacRecordSourceOf(r, c->sensor)->said.kind == TACREC_SOURCE_KERNEL;
    for (;; c->at++) {
        while (c->at == c->count) {
            if (c->packet == c->sensor->end) return true;
            if (!readPacket(m, c, &r->packets.at[c->packet++])) return false;
        }
        c->element.number = c->first + c->at;
        if (c->element.number < c->seen) continue;
        c->seen = c->element.number + 1;
        const uint8_t *at = tickAt(c, c->at);
        bool is = timeOf(m, c, c->begin, at, &c->clock, &c->element.time);
        c->element.data = at + TICK_SIZE;
        if (TAC_LIKELY(is && !(kernel && isFar(c) && isWild(m, c)))) return true;
        if (is) c->sensor->wild++;
        else c->sensor->beyond++;
        c->skipped++;
    }
}

/* Tells of elements that are missing before the next one. */
static bool tellGap(Merge *m, Cursor *c) {
    uint64_t gap = c->element.number - c->expected - c->skipped;
    tacRecordSensor *sensor = c->sensor;
    c->skipped = 0;
    if (TAC_LIKELY(gap == 0)) return true;
    if (c->last == TAC_UNKNOWN) {
        sensor->before += gap;
    } else {
        sensor->missing += gap;
        sensor->places++;
    }
    tacRecordLoss loss = {sensor, gap, c->last, c->element.time};
    return !m->taker->lost || m->taker->lost(m->taker->data, &loss);
}

/* Tells of elements that are missing behind the last one, as LOST packets say. */
static bool tellEnd(Merge *m, const Cursor *c) {
    tacRecordSensor *sensor = c->sensor;
    uint64_t sequence = 0, count = 0;
    for (size_t i = sensor->begin; i < sensor->end; i++) {
        uint64_t this = m->r->packets.at[i].sequence;
        if (this != TACREC_REPEATED && this >= sequence) sequence = this + 1;
    }
    for (size_t i = sensor->lossBegin; i < sensor->lossEnd; i++)
        if (m->r->losses.at[i].sequence >= sequence
            && __builtin_add_overflow(count, m->r->losses.at[i].elements, &count))
            count = UINT64_MAX;
    if (count == 0) return true;
    if (__builtin_add_overflow(sensor->missing, count, &sensor->missing)) sensor->missing = UINT64_MAX;
    sensor->places++;
    tacRecordLoss loss = {sensor, count, c->last, TAC_UNKNOWN};
    return !m->taker->lost || m->taker->lost(m->taker->data, &loss);
}

/* ---- the heap ---------------------------------------------------------------------------------------------------- */

/* Processor and number of the kernel's event: in the order of these it tells of events of the same time. */
static uint64_t eventOf(const Cursor *c) {
    bool has = c->sensor->said.size >= 10;
    return has ? tacRecordBytes(c->element.data + 8, 2) << 32 | tacRecordBytes(c->element.data, 4) : 0;
}

static bool isBefore(const tacRecord *r, const Cursor *a, const Cursor *b) {
    if (a->element.time != b->element.time) return a->element.time < b->element.time;
    if (a->sensor->source == b->sensor->source) {
        if (a->clock != b->clock) return a->clock < b->clock;
        bool kernel = r->sources.at[a->sensor->source].said.kind == TACREC_SOURCE_KERNEL;
        uint64_t left = kernel ? eventOf(a) : 0, right = kernel ? eventOf(b) : 0;
        if (left != right) return left < right;
    }
    return a->sensor < b->sensor;
}

/* Moves the cursor at this place down to where it belongs. */
static void sink(Merge *m, size_t i) {
    Cursor *c = m->heap[i];
    for (size_t child; (child = 2 * i + 1) < m->count; i = child) {
        child += child + 1 < m->count && isBefore(m->r, m->heap[child + 1], m->heap[child]);
        if (!isBefore(m->r, m->heap[child], c)) break;
        m->heap[i] = m->heap[child];
    }
    m->heap[i] = c;
}

static bool deliver(Merge *m, Cursor *c) {
    tacRecord *r = m->r;
    r->line += r->line < UINT32_MAX;
    if (!tellGap(m, c) || !m->taker->element(m->taker->data, &c->element)) return false;
    c->expected = c->element.number + 1;
    c->last = c->element.time;
    c->at++;
    c->sensor->elements++;
    if (TAC_UNLIKELY(!tacProgressAt(r->import->progress, ++r->delivered))) return false;
    return r->delivered % TAC_READER_LINES || tacRecordRoom(r, r->err) == TAC_OK;
}

/* Delivers the elements of all sensors that are lasting, or of all others. */
static bool mergeSome(Merge *m, bool lasting) {
    tacRecord *r = m->r;
    m->count = 0;
    for (size_t i = 0; i < r->sensors.count; i++) {
        Cursor *c = &m->cursors[i];
        if (!c->sensor || ((c->sensor->said.flags & TACREC_SENSOR_LASTING) != 0) != lasting) continue;
        if (!goOn(m, c)) return false;
        if (c->at < c->count) m->heap[m->count++] = c;
        else if (!tellEnd(m, c)) return false;
    }
    for (size_t i = m->count; i-- > 0;) sink(m, i);
    while (m->count > 0) {
        Cursor *c = m->heap[0];
        if (!deliver(m, c) || !goOn(m, c)) return false;
        if (TAC_UNLIKELY(c->at == c->count)) {
            if (!tellEnd(m, c)) return false;
            tacFree(c->bytes);
            c->bytes = NULL;
            c->room = 0;
            m->heap[0] = m->heap[--m->count];
            if (m->count == 0) break;
        }
        sink(m, 0);
    }
    return true;
}

bool tacRecordMerge(tacRecord *r, const tacRecordTaker *taker) {
    size_t n = r->sensors.count;
    Merge m = {.r = r, .taker = taker, .err = r->err};
    m.cursors = tacAllocZero(n + 1, sizeof *m.cursors);
    m.heap = tacAllocZero(n + 1, sizeof *m.heap);
    bool done = m.cursors && m.heap;
    for (size_t i = 0; i < n && done; i++) {
        tacRecordSensor *sensor = &r->sensors.at[i];
        if (!sensor->described || !tacRecordSourceOf(r, sensor)->described) continue;
        if (!taker->wants(taker->data, sensor)) continue;
        sensor->elements = sensor->before = sensor->missing = sensor->places = sensor->beyond = sensor->wild = 0;
        m.cursors[i] = (Cursor){.sensor = sensor, .packet = sensor->begin, .last = TAC_UNKNOWN};
        m.cursors[i].element.sensor = sensor;
    }
    done = done && mergeSome(&m, true) && mergeSome(&m, false);
    for (size_t i = 0; i < n && m.cursors; i++) tacFree(m.cursors[i].bytes);
    tacFree(m.cursors);
    tacFree(m.heap);
    return done;
}
