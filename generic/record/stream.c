/*
 * stream.c -- writes the packets of a source, and finds packets in bytes.
 *
 * An element is copied once, to its place in the packet that its sensor gathers; only the head is made when the packet
 * is full. Nothing depends on the processor's order of bytes, or on how the compiler lays structures out.
 *
 * Invariants:
 *   1. Packets of elements are handed over behind the description of the source and of their sensor.
 *   2. Elements of a packet have successive numbers, and times from `first` on, by no more than 32 bits.
 */
#include "record/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FULL = 16 << 10,   /* bytes of a packet of elements; it is handed over when the next one does not fit */
    SENSORS = 1 << 16, /* numbers of sensors are below */
    SOURCE_SIZE = 176,
    SENSOR_SIZE = 184, /* without fields */
    FIELD_SIZE = 48,
    FIELD_NAME = 40,
    END_SIZE = 72,
    TICK_SIZE = 4 /* before each element */
};

static const uint8_t magic[8] = TACREC_STREAM_MAGIC;
static const uint64_t LASTING_MOST = 64 << 20; /* bytes of elements of lasting sensors that are kept */

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void put(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t) (value >> 8 * i);
}

static uint64_t get(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t) at[i] << 8 * i;
    return value;
}

/* Place of a number in bytes: it has as many there as in its structure, 2, 4 or 8. */
typedef struct Slot {
    uint8_t at, bytes;
    uint16_t member; /* offset in the structure */
} Slot;

#define SLOT(structure, name, at) \
    { at, sizeof(((structure *) 0)->name), offsetof(structure, name) }
#define SLOTS(slots) slots, sizeof(slots) / sizeof *(slots)

static const Slot headSlots[] = {SLOT(tacrec_packet, size, 8), SLOT(tacrec_packet, check, 12),
    SLOT(tacrec_packet, version, 16), SLOT(tacrec_packet, kind, 18), SLOT(tacrec_packet, sensor, 20),
    SLOT(tacrec_packet, source, 24), SLOT(tacrec_packet, sequence, 32), SLOT(tacrec_packet, first, 40),
    SLOT(tacrec_packet, last, 48), SLOT(tacrec_packet, count, 56), SLOT(tacrec_packet, priority, 60)};
static const Slot sourceSlots[] = {SLOT(tacrec_source, kind, 0), SLOT(tacrec_source, clock, 4),
    SLOT(tacrec_source, pid, 8), SLOT(tacrec_source, processors, 12), SLOT(tacrec_source, realtime, 16),
    SLOT(tacrec_source, monotonic, 24)};
static const Slot sensorSlots[] = {SLOT(tacrec_sensorSaid, kind, 0), SLOT(tacrec_sensorSaid, size, 4),
    SLOT(tacrec_sensorSaid, fieldCount, 8), SLOT(tacrec_sensorSaid, priority, 12), SLOT(tacrec_sensorSaid, thread, 16),
    SLOT(tacrec_sensorSaid, flags, 20), SLOT(tacrec_sensorSaid, rate.period, 24),
    SLOT(tacrec_sensorSaid, rate.distance, 32), SLOT(tacrec_sensorSaid, rate.late, 40),
    SLOT(tacrec_sensorSaid, rate.early, 48)};
static const Slot fieldSlots[] = {SLOT(tacrec_fieldEntry, type, FIELD_NAME),
    SLOT(tacrec_fieldEntry, offset, FIELD_NAME + 4), SLOT(tacrec_fieldEntry, size, FIELD_NAME + 6)};

static void putSlots(uint8_t *at, const void *structure, const Slot *slots, size_t count) {
    for (const Slot *slot = slots; slot < slots + count; slot++) {
        const uint8_t *from = (const uint8_t *) structure + slot->member;
        uint64_t eight = 0;
        uint32_t four = 0;
        uint16_t two = 0;
        switch (slot->bytes) {
        case 2: memcpy(&two, from, 2), eight = two; break;
        case 4: memcpy(&four, from, 4), eight = four; break;
        default: memcpy(&eight, from, 8);
        }
        put(at + slot->at, eight, slot->bytes);
    }
}

static void getSlots(const uint8_t *at, void *structure, const Slot *slots, size_t count) {
    for (const Slot *slot = slots; slot < slots + count; slot++) {
        uint8_t *to = (uint8_t *) structure + slot->member;
        uint64_t eight = get(at + slot->at, slot->bytes);
        uint32_t four = (uint32_t) eight;
        uint16_t two = (uint16_t) eight;
        switch (slot->bytes) {
        case 2: memcpy(to, &two, 2); break;
        case 4: memcpy(to, &four, 4); break;
        default: memcpy(to, &eight, 8);
        }
    }
}

/* A name of at most `room` - 1 bytes, cut at a whole character, and zeros behind it. */
static void putText(uint8_t *at, const char *text, size_t room) {
    const char *end = memchr(text, 0, room);
    size_t n = end ? (size_t) (end - text) : room - 1;
    while (!end && n > 0 && ((unsigned char) text[n] & 0xc0) == 0x80) n--;
    memcpy(at, text, n);
    memset(at + n, 0, room - n);
}

static void getText(char *to, const uint8_t *at, size_t room) {
    memcpy(to, at, room);
    to[room - 1] = 0;
}

/* ---- checksum ---------------------------------------------------------------------------------------------------- */

/* Remainders of CRC-32 (polynomial edb88320, bits reversed): [k][b] of byte b with k bytes of zeros behind it, so that
 * 8 bytes are taken at once. Made before main, since writers are of several threads. */
static uint32_t remainders[8][256];

__attribute__((constructor)) static void makeRemainders(void) {
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t value = b;
        for (int i = 0; i < 8; i++) value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0);
        remainders[0][b] = value;
    }
    for (int k = 1; k < 8; k++)
        for (uint32_t b = 0; b < 256; b++)
            remainders[k][b] = remainders[k - 1][b] >> 8 ^ remainders[0][remainders[k - 1][b] & 255];
}

static uint32_t checksum(const uint8_t *at, size_t length) {
    uint32_t value = UINT32_MAX;
    for (; length >= 8; at += 8, length -= 8) {
        uint64_t word = get(at, 8) ^ value;
        value = 0;
        for (int i = 0; i < 8; i++) value ^= remainders[7 - i][word >> 8 * i & 255];
    }
    for (; length > 0; at++, length--) value = value >> 8 ^ remainders[0][(value ^ *at) & 255];
    return ~value;
}

/* ---- a writer ---------------------------------------------------------------------------------------------------- */

typedef struct Buffer {
    uint8_t *at; /* NULL: none yet */
    size_t used, room;
} Buffer;

/* Makes room for so many bytes more. */
static bool reserve(Buffer *buffer, size_t more) {
    if (buffer->room - buffer->used >= more) return true;
    size_t room = 2 * buffer->room > buffer->used + more ? 2 * buffer->room : buffer->used + more;
    uint8_t *at = realloc(buffer->at, room);
    if (!at) return false;
    buffer->at = at;
    buffer->room = room;
    return true;
}

typedef struct Sensor {
    tacrec_sensorSaid said;
    bool described;              /* as `said` says, and the description was taken */
    uint64_t sequence;           /* of its next packet of elements or losses */
    uint64_t next;               /* number of the element that would continue the packet */
    uint64_t begin, first, last; /* number of the packet's first element; least and largest time */
    uint32_t count;              /* elements of the packet; 0: it has not begun */
    Buffer packet;               /* with room for the head */
    uint64_t lostPackets, lostElements, lostBytes, lostFirst, lostLast; /* since the last LOST */
    uint64_t lostSequence;                                              /* of the first of them */
    Buffer lasting; /* u64 number, u64 time, data of each element of a lasting sensor */
} Sensor;

struct tacrec_writer {
    tacrec_source source;
    uint64_t identity;
    tacrec_take *take;
    void *data;
    bool described;
    uint64_t sequence; /* of the next packet that is about no elements */
    uint64_t latest;   /* largest time of an element or pair so far */
    Sensor **sensors;  /* by number; NULL: not described */
    uint32_t sensorCount;
    uint64_t kept;              /* bytes of elements of lasting sensors */
    tacrec_pair oldest, newest; /* pairs that were written */
    uint32_t pairs;             /* 0, 1, 2: how many of them there are */
    tacrec_written written;
};

/* Receiver of packets: the writer's own, or another one, which is told and not counted. */
typedef struct Receiver {
    tacrec_writer *writer;
    tacrec_take *take;
    void *data;
    bool own;
} Receiver;

static Receiver ownReceiver(tacrec_writer *w) { return (Receiver){w, w->take, w->data, true}; }

void tacrec_packetSeal(uint8_t *bytes, tacrec_packet *head) {
    memcpy(bytes, magic, sizeof magic);
    putSlots(bytes, head, SLOTS(headSlots));
    head->check = checksum(bytes + 16, head->size - 16);
    put(bytes + 12, head->check, 4);
}

/* Makes the head of a packet, whose body is written, and hands it over. False: it was not taken. */
static bool hand(const Receiver *to, tacrec_packet *head, uint8_t *bytes, uint32_t elements) {
    tacrec_writer *w = to->writer;
    head->version = TACREC_STREAM_VERSION;
    head->source = w->identity;
    tacrec_packetSeal(bytes, head);
    bool taken = to->take(to->data, head, bytes);
    if (!to->own) return taken;
    w->written.packets += taken;
    w->written.bytes += taken ? head->size : 0;
    w->written.elements += taken ? elements : 0;
    w->written.lostPackets += !taken;
    w->written.lostElements += taken ? 0 : elements;
    return taken;
}

/* Hands over a packet about the source, or what describes a sensor. */
static bool handSaid(
    const Receiver *to, tacrec_packetKind kind, uint32_t sensor, uint32_t count, uint8_t *bytes, uint32_t bodySize) {
    tacrec_writer *w = to->writer;
    tacrec_packet head = {.size = TACREC_PACKET_HEAD + bodySize,
        .kind = (uint16_t) kind,
        .sensor = sensor,
        .sequence = w->sequence,
        .first = w->latest,
        .last = w->latest,
        .count = count,
        .priority = UINT32_MAX};
    w->sequence += to->own;
    return hand(to, &head, bytes, 0);
}

/* ---- what describes ---------------------------------------------------------------------------------------------- */

static bool handSource(const Receiver *to) {
    const tacrec_source *source = &to->writer->source;
    uint8_t bytes[TACREC_PACKET_HEAD + SOURCE_SIZE], *at = bytes + TACREC_PACKET_HEAD;
    putSlots(at, source, SLOTS(sourceSlots));
    memcpy(at + 32, source->boot, 16);
    putText(at + 48, source->name, TACREC_STREAM_TEXT);
    putText(at + 112, source->machine, TACREC_STREAM_TEXT);
    return handSaid(to, TACREC_PACKET_SOURCE, 0, 0, bytes, SOURCE_SIZE);
}

static bool handSensor(const Receiver *to, uint32_t number, const tacrec_sensorSaid *said) {
    uint8_t bytes[TACREC_PACKET_HEAD + SENSOR_SIZE + TACREC_FIELDS * FIELD_SIZE], *at = bytes + TACREC_PACKET_HEAD;
    putSlots(at, said, SLOTS(sensorSlots));
    putText(at + 56, said->name, TACREC_STREAM_TEXT);
    putText(at + 120, said->storage, TACREC_STREAM_TEXT);
    at += SENSOR_SIZE;
    for (uint32_t i = 0; i < said->fieldCount; i++, at += FIELD_SIZE) {
        putText(at, said->fields[i].name, FIELD_NAME);
        putSlots(at, &said->fields[i], SLOTS(fieldSlots));
    }
    return handSaid(to, TACREC_PACKET_SENSOR, number, 0, bytes, SENSOR_SIZE + said->fieldCount * FIELD_SIZE);
}

static bool handPair(const Receiver *to, const tacrec_pair *pair) {
    uint8_t bytes[TACREC_PACKET_HEAD + 16];
    put(bytes + TACREC_PACKET_HEAD, pair->counter, 8);
    put(bytes + TACREC_PACKET_HEAD + 8, pair->nanoseconds, 8);
    return handSaid(to, TACREC_PACKET_PAIRS, 0, 1, bytes, 16);
}

/* Describes the source and the sensor, as far as that has not been taken yet (invariant 1). */
static void describeFirst(tacrec_writer *w, uint32_t number) {
    Receiver own = ownReceiver(w);
    Sensor *s = w->sensors[number];
    if (!w->described) w->described = handSource(&own);
    if (w->described && !s->described) s->described = handSensor(&own, number, &s->said);
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static uint32_t padded(size_t bytes) { return (uint32_t) ((bytes + 7) / 8 * 8); }

/* Tells what of the sensor was lost since this was told last, if anything. */
static void handLost(const Receiver *to, uint32_t number, Sensor *s) {
    uint8_t bytes[TACREC_PACKET_HEAD + 16];
    if (s->lostPackets == 0) return;
    uint32_t packets = s->lostPackets < UINT32_MAX ? (uint32_t) s->lostPackets : UINT32_MAX;
    tacrec_packet head = {.size = sizeof bytes,
        .kind = TACREC_PACKET_LOST,
        .sensor = number,
        .sequence = s->lostSequence,
        .first = s->lostFirst,
        .last = s->lostLast,
        .count = packets,
        .priority = UINT32_MAX};
    put(bytes + TACREC_PACKET_HEAD, s->lostElements, 8);
    put(bytes + TACREC_PACKET_HEAD + 8, s->lostBytes, 8);
    if (!hand(to, &head, bytes, 0)) return;
    s->lostPackets = s->lostElements = s->lostBytes = 0;
}

static void countLost(Sensor *s, const tacrec_packet *head) {
    bool none = s->lostPackets++ == 0;
    if (none) s->lostSequence = head->sequence;
    s->lostElements += head->count;
    s->lostBytes += head->size;
    if (none || head->first < s->lostFirst) s->lostFirst = head->first;
    if (none || head->last > s->lostLast) s->lostLast = head->last;
}

/* Hands over the elements that are gathered in the packet. */
static void handElements(tacrec_writer *w, uint32_t number) {
    Sensor *s = w->sensors[number];
    Receiver own = ownReceiver(w);
    if (s->count == 0) return;
    describeFirst(w, number);
    if (s->described) handLost(&own, number, s);
    uint32_t size = padded(s->packet.used);
    memset(s->packet.at + s->packet.used, 0, size - s->packet.used);
    tacrec_packet head = {.size = size,
        .kind = TACREC_PACKET_ELEMENTS,
        .sensor = number,
        .sequence = s->sequence++,
        .first = s->first,
        .last = s->last,
        .count = s->count,
        .priority = s->said.priority};
    put(s->packet.at + TACREC_PACKET_HEAD, s->begin, 8);
    if (!hand(&own, &head, s->packet.at, s->count)) countLost(s, &head);
    s->count = 0;
}

/* Hands over all elements of a lasting sensor once more. */
static void handLasting(const Receiver *to, uint32_t number, const Sensor *s) {
    const uint32_t size = s->said.size, step = 16 + size;
    uint8_t bytes[FULL];
    for (size_t i = 0; i < s->lasting.used;) {
        tacrec_packet head = {
            .kind = TACREC_PACKET_ELEMENTS, .sensor = number, .sequence = TACREC_REPEATED, .priority = UINT32_MAX};
        uint64_t begin = get(s->lasting.at + i, 8);
        size_t used = TACREC_PACKET_HEAD + 8;
        head.first = head.last = get(s->lasting.at + i + 8, 8);
        for (; i < s->lasting.used; i += step, head.count++) {
            const uint8_t *at = s->lasting.at + i;
            uint64_t time = get(at + 8, 8);
            if (get(at, 8) != begin + head.count || used + TICK_SIZE + size > FULL) break;
            if (time < head.first || time - head.first > UINT32_MAX) break;
            put(bytes + used, time - head.first, TICK_SIZE);
            memcpy(bytes + used + TICK_SIZE, at + 16, size);
            used += TICK_SIZE + size;
            if (time > head.last) head.last = time;
        }
        head.size = padded(used);
        memset(bytes + used, 0, head.size - used);
        put(bytes + TACREC_PACKET_HEAD, begin, 8);
        hand(to, &head, bytes, 0);
    }
}

/* Keeps an element of a lasting sensor, unless a program writes far too many. False: no memory. */
static bool keepElement(tacrec_writer *w, Sensor *s, uint64_t number, uint64_t time, const void *data) {
    size_t step = 16 + s->said.size;
    if (w->kept + step > LASTING_MOST) return true;
    if (!reserve(&s->lasting, step)) return false;
    uint8_t *at = s->lasting.at + s->lasting.used;
    put(at, number, 8);
    put(at + 8, time, 8);
    memcpy(at + 16, data, s->said.size);
    s->lasting.used += step;
    w->kept += step;
    return true;
}

/* Begins the sensor's packet with this element. */
static bool beginPacket(Sensor *s, uint64_t number, uint64_t time) {
    s->packet.used = 0;
    if (!reserve(&s->packet, FULL + 8)) return false;
    s->packet.used = TACREC_PACKET_HEAD + 8;
    s->begin = s->next = number;
    s->first = s->last = time;
    return true;
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

static uint64_t makeIdentity(const tacrec_source *source) {
    uint64_t identity = 0;
    FILE *file = fopen("/dev/urandom", "rb");
    if (file) {
        if (fread(&identity, sizeof identity, 1, file) != 1) identity = 0;
        fclose(file);
    }
    if (identity) return identity;
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return ((uint64_t) now.tv_sec << 30 ^ (uint64_t) now.tv_nsec ^ (uint64_t) source->pid << 40) | 1;
}

tacrec_writer *tacrec_writerNew(const tacrec_source *source, uint64_t identity, tacrec_take *take, void *data) {
    tacrec_writer *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->source = *source;
    w->identity = identity ? identity : makeIdentity(source);
    w->take = take;
    w->data = data;
    return w;
}

void tacrec_writerFree(tacrec_writer *w) {
    if (!w) return;
    for (uint32_t i = 0; i < w->sensorCount; i++) {
        if (!w->sensors[i]) continue;
        free(w->sensors[i]->packet.at);
        free(w->sensors[i]->lasting.at);
        free(w->sensors[i]);
    }
    free(w->sensors);
    free(w);
}

static bool isFineField(const tacrec_fieldEntry *field, uint32_t size) {
    bool number = field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
    if (!field->size || (uint32_t) field->offset + field->size > size) return false;
    if (field->type == TACREC_REAL) return field->size == 4 || field->size == 8;
    return field->type == TACREC_TEXT || (number && (field->type == TACREC_UNSIGNED || field->type == TACREC_SIGNED));
}

static bool isFine(const tacrec_sensorSaid *said) {
    if (said->kind < TACREC_SIMPLE || said->kind > TACREC_PER_THREAD) return false;
    if (said->size > TACREC_ELEMENT || said->fieldCount > TACREC_FIELDS) return false;
    for (uint32_t i = 0; i < said->fieldCount; i++)
        if (!isFineField(&said->fields[i], said->size)) return false;
    return true;
}

/* The sensor of this number, made where there is none. NULL: no memory. */
static Sensor *sensorOf(tacrec_writer *w, uint32_t number) {
    if (number >= w->sensorCount) {
        uint32_t count = number + 16 < 2 * w->sensorCount ? 2 * w->sensorCount : number + 16;
        Sensor **sensors = realloc(w->sensors, count * sizeof(Sensor *));
        if (!sensors) return NULL;
        for (uint32_t i = w->sensorCount; i < count; i++) sensors[i] = NULL;
        w->sensors = sensors;
        w->sensorCount = count;
    }
    if (!w->sensors[number]) w->sensors[number] = calloc(1, sizeof(Sensor));
    return w->sensors[number];
}

bool tacrec_writerSensor(tacrec_writer *w, uint32_t number, const tacrec_sensorSaid *said) {
    bool known = number < w->sensorCount && w->sensors[number];
    if (number >= SENSORS || !isFine(said)) return false;
    if (known && w->sensors[number]->said.size != said->size) return false;
    if (known) handElements(w, number);
    Sensor *s = sensorOf(w, number);
    if (!s) return false;
    s->said = *said;
    s->described = false;
    describeFirst(w, number);
    return true;
}

bool tacrec_writerElement(tacrec_writer *w, uint32_t number, uint64_t elementNumber, uint64_t time, const void *data) {
    Sensor *s = number < w->sensorCount ? w->sensors[number] : NULL;
    if (!s) return false;
    uint32_t size = s->said.size;
    if (s->count
        && (elementNumber != s->next || time < s->first || time - s->first > UINT32_MAX
            || s->packet.used + TICK_SIZE + size > FULL))
        handElements(w, number);
    if (s->count == 0 && !beginPacket(s, elementNumber, time)) return false;
    if ((s->said.flags & TACREC_SENSOR_LASTING) && !keepElement(w, s, elementNumber, time, data)) return false;
    uint8_t *at = s->packet.at + s->packet.used;
    put(at, time - s->first, TICK_SIZE);
    if (size) memcpy(at + TICK_SIZE, data, size);
    s->packet.used += TICK_SIZE + size;
    s->count++;
    s->next++;
    if (time > s->last) s->last = time;
    if (time > w->latest) w->latest = time;
    return true;
}

bool tacrec_writerPair(tacrec_writer *w, const tacrec_pair *pair) {
    Receiver own = ownReceiver(w);
    if (w->pairs == 0) w->oldest = *pair;
    w->newest = *pair;
    w->pairs = w->pairs ? 2 : 1;
    if (pair->counter > w->latest) w->latest = pair->counter;
    if (!w->described) w->described = handSource(&own);
    return handPair(&own, pair);
}

void tacrec_writerFlush(tacrec_writer *w, uint32_t number) {
    for (uint32_t i = 0; i < w->sensorCount; i++)
        if (w->sensors[i] && (number == i || number == UINT32_MAX)) handElements(w, i);
}

void tacrec_writerDescribe(tacrec_writer *w, tacrec_take *take, void *data) {
    Receiver to = take ? (Receiver){w, take, data, false} : ownReceiver(w);
    bool taken = handSource(&to);
    if (to.own) w->described = taken;
    if (w->pairs > 0) handPair(&to, &w->oldest);
    if (w->pairs > 1) handPair(&to, &w->newest);
    for (uint32_t i = 0; i < w->sensorCount; i++) {
        Sensor *s = w->sensors[i];
        if (!s) continue;
        taken = handSensor(&to, i, &s->said);
        if (to.own) s->described = taken;
        handLasting(&to, i, s);
    }
}

void tacrec_writerEnd(tacrec_writer *w, tacrec_endKind how, uint32_t status, const char *text) {
    uint8_t bytes[TACREC_PACKET_HEAD + END_SIZE], *at = bytes + TACREC_PACKET_HEAD;
    Receiver own = ownReceiver(w);
    tacrec_writerFlush(w, UINT32_MAX);
    if (!w->described) w->described = handSource(&own);
    for (uint32_t i = 0; i < w->sensorCount; i++)
        if (w->sensors[i] && w->sensors[i]->described) handLost(&own, i, w->sensors[i]);
    put(at, how, 4);
    put(at + 4, status, 4);
    putText(at + 8, text ? text : "", TACREC_STREAM_TEXT);
    handSaid(&own, TACREC_PACKET_END, 0, 0, bytes, END_SIZE);
}

tacrec_written tacrec_writerCount(const tacrec_writer *w) { return w->written; }

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The next place where a packet's first bytes stand, or as many of them as there are before the end. */
static const uint8_t *nextMagic(const uint8_t *at, const uint8_t *end) {
    for (; at < end; at++) {
        at = memchr(at, magic[0], (size_t) (end - at));
        if (!at) break;
        size_t there = (size_t) (end - at) < sizeof magic ? (size_t) (end - at) : sizeof magic;
        if (memcmp(at, magic, there) == 0) return at;
    }
    return end;
}

const uint8_t *tacrec_packetFindWithin(
    const uint8_t *at, const uint8_t *end, uint64_t *budget, tacrec_packet *packet, const uint8_t **packetEnd) {
    const uint8_t *cut = NULL; /* the first that may only be incomplete */
    for (at = nextMagic(at, end); at < end && budget[0] > 0; at = nextMagic(at + 1, end)) {
        size_t there = (size_t) (end - at);
        if (there >= TACREC_PACKET_HEAD) getSlots(at, packet, SLOTS(headSlots));
        if (there >= TACREC_PACKET_HEAD
            && (packet->size < TACREC_PACKET_HEAD || packet->size > TACREC_PACKET_MOST || packet->size % 8))
            continue;
        if (there < TACREC_PACKET_HEAD || there < packet->size) {
            if (!cut) cut = at;
            continue;
        }
        if (checksum(at + 16, packet->size - 16) == packet->check) return *packetEnd = at + packet->size, at;
        *budget -= packet->size < *budget ? packet->size : *budget;
    }
    *packetEnd = cut ? cut : at;
    return NULL;
}

const uint8_t *tacrec_packetFind(
    const uint8_t *at, const uint8_t *end, tacrec_packet *packet, const uint8_t **packetEnd) {
    uint64_t budget = UINT64_MAX;
    return tacrec_packetFindWithin(at, end, &budget, packet, packetEnd);
}

bool tacrec_packetSource(const uint8_t *bytes, const tacrec_packet *packet, tacrec_source *source) {
    const uint8_t *at = bytes + TACREC_PACKET_HEAD;
    if (packet->kind != TACREC_PACKET_SOURCE || packet->size < TACREC_PACKET_HEAD + SOURCE_SIZE) return false;
    getSlots(at, source, SLOTS(sourceSlots));
    memcpy(source->boot, at + 32, 16);
    getText(source->name, at + 48, TACREC_STREAM_TEXT);
    getText(source->machine, at + 112, TACREC_STREAM_TEXT);
    return source->clock == TACREC_CLOCK_HOOK || source->clock == TACREC_CLOCK_TSC;
}

bool tacrec_packetSensor(const uint8_t *bytes, const tacrec_packet *packet, tacrec_sensorSaid *said) {
    const uint8_t *at = bytes + TACREC_PACKET_HEAD;
    if (packet->kind != TACREC_PACKET_SENSOR || packet->size < TACREC_PACKET_HEAD + SENSOR_SIZE) return false;
    memset(said, 0, sizeof *said);
    getSlots(at, said, SLOTS(sensorSlots));
    getText(said->name, at + 56, TACREC_STREAM_TEXT);
    getText(said->storage, at + 120, TACREC_STREAM_TEXT);
    if (said->fieldCount > TACREC_FIELDS || packet->sensor >= SENSORS
        || packet->size < TACREC_PACKET_HEAD + SENSOR_SIZE + said->fieldCount * FIELD_SIZE)
        return false;
    at += SENSOR_SIZE;
    for (uint32_t i = 0; i < said->fieldCount; i++, at += FIELD_SIZE) {
        tacrec_fieldEntry *field = &said->fields[i];
        getText(field->name, at, FIELD_NAME);
        getSlots(at, field, SLOTS(fieldSlots));
    }
    return isFine(said);
}
