/*
 * scan.c -- the first reading of a file: finds its packets, and notes what they say and where their elements stand.
 *
 * The file passes through a window of a few packets. What lies between packets is damaged, or was never finished; its
 * cost is bounded (tacrec_packetFindWithin), however often it pretends to be a packet.
 */
#include "base/port.h"

#include "import/record/record.h"
#include "import/record/state.h"
#include "read/clean.h"

#include <string.h>

enum {
    WINDOW = 4 << 20, /* bytes; some packets at least */
    HEADS = 24,       /* bytes of a packet that a recognizer looks at: magic, size, check, version, kind, sensor */
    DAMAGE_BYTE = 16  /* bytes of false packets that may be looked at for each byte of the file, */
};
static const uint64_t DAMAGE_LEAST = 256 << 20; /* and for any file */

/* ---- recognition ------------------------------------------------------------------------------------------------- */

bool tacRecordRecognize(const char *bytes, size_t length) {
    static const char magic[8] = TACREC_STREAM_MAGIC;
    const char *at = bytes, *end = bytes + length;
    for (; (at = memchr(at, magic[0], (size_t) (end - at))) && end - at >= HEADS; at++) {
        const uint8_t *head = (const uint8_t *) at;
        uint64_t size = tacRecordBytes(head + 8, 4);
        if (memcmp(at, magic, sizeof magic) == 0 && size >= TACREC_PACKET_HEAD && size <= TACREC_PACKET_MOST)
            return true;
    }
    return false;
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

void tacRecordClean(char *text, size_t room) {
    char in[256], out[TAC_CLEAN_GROWTH * (sizeof in + TAC_CLEAN_HELD)];
    size_t length = strnlen(text, room < sizeof in ? room : sizeof in);
    tacCleaner cleaner = {.begun = true};
    memcpy(in, text, length);
    size_t n = tacClean(&cleaner, in, length, true, out);
    n = tacWholeLength(out, n, room - 1);
    for (size_t i = 0; i < n; i++) text[i] = (unsigned char) out[i] < ' ' || out[i] == 127 ? ' ' : out[i];
    memset(text + n, 0, room - n);
}

/* ---- sources and sensors ----------------------------------------------------------------------------------------- */

/* Index of the source of a packet; TAC_NONE: no memory, or the limit. */
static uint32_t sourceOf(tacRecord *r, const tacrec_packet *packet) {
    uint32_t id = tacIntern(&r->sourceKeys, (const char *) &packet->source, sizeof packet->source);
    if (id == r->sources.count && !tacRecordPush(r, &r->sources, (tacRecordSource){.identity = packet->source}))
        return TAC_NONE;
    return id;
}

/* Index of the sensor of a packet; TAC_NONE: no memory, or the limit. */
static uint32_t sensorOf(tacRecord *r, const tacrec_packet *packet) {
    const uint32_t key[2] = {sourceOf(r, packet), packet->sensor};
    if (key[0] == TAC_NONE) return TAC_NONE;
    uint32_t id = tacIntern(&r->sensorKeys, (const char *) key, sizeof key);
    tacRecordSensor sensor = {.source = key[0], .number = packet->sensor};
    if (id == r->sensors.count && !tacRecordPush(r, &r->sensors, sensor)) return TAC_NONE;
    return id;
}

/* Makes a name of a field one word, which can stand before a =. */
static void cleanField(char name[]) {
    for (; *name; name++)
        if (strchr(" =:\"", *name)) *name = '_';
}

static bool takeSource(tacRecord *r, const tacrec_packet *packet, const uint8_t *bytes) {
    uint32_t id = sourceOf(r, packet);
    if (id == TAC_NONE) return false;
    tacRecordSource *source = &r->sources.at[id];
    if (source->described) return true;
    if (!tacrec_packetSource(bytes, packet, &source->said)) return r->misfits++, true;
    source->described = true;
    tacRecordClean(source->said.name, sizeof source->said.name);
    tacRecordClean(source->said.machine, sizeof source->said.machine);
    return true;
}

/* Takes a description. A later one of the same sensor may name another thread, and nothing else. */
static bool takeSensor(tacRecord *r, const tacrec_packet *packet, const uint8_t *bytes) {
    uint32_t id = sensorOf(r, packet);
    tacrec_sensorSaid said;
    if (id == TAC_NONE) return false;
    tacRecordSensor *sensor = &r->sensors.at[id];
    if (!tacrec_packetSensor(bytes, packet, &said)) return r->misfits++, true;
    if (sensor->described && said.size != sensor->said.size) return r->misfits++, true;
    sensor->thread = said.thread;
    if (sensor->described) return true;
    sensor->described = true;
    sensor->said = said;
    tacRecordClean(sensor->said.name, sizeof sensor->said.name);
    for (uint32_t i = 0; i < said.fieldCount; i++) {
        tacRecordClean(sensor->said.fields[i].name, sizeof sensor->said.fields[i].name);
        cleanField(sensor->said.fields[i].name);
    }
    return true;
}

/* ---- other packets ----------------------------------------------------------------------------------------------- */

static bool takeElements(tacRecord *r, const tacrec_packet *packet, const uint8_t *bytes, uint64_t at) {
    uint32_t id = sensorOf(r, packet);
    if (id == TAC_NONE) return false;
    if (packet->size < TACREC_PACKET_HEAD + 8 || packet->count == 0) return r->misfits++, true;
    uint64_t first = tacRecordBytes(bytes + TACREC_PACKET_HEAD, 8);
    if (first > UINT64_MAX - packet->count) return r->misfits++, true;
    tacRecordPacket place = {at, first, packet->sequence, id, r->sensors.at[id].thread, packet->size, packet->count};
    return tacRecordPush(r, &r->packets, place);
}

static bool takePairs(tacRecord *r, const tacrec_packet *packet, const uint8_t *bytes) {
    uint32_t id = sourceOf(r, packet);
    if (id == TAC_NONE) return false;
    if ((packet->size - TACREC_PACKET_HEAD) / 16 < packet->count) return r->misfits++, true;
    for (uint32_t i = 0; i < packet->count; i++) {
        const uint8_t *at = bytes + TACREC_PACKET_HEAD + 16 * (size_t) i;
        tacRecordPair pair = {id, {tacRecordBytes(at, 8), tacRecordBytes(at + 8, 8)}};
        if (!tacRecordPush(r, &r->pairs, pair)) return false;
    }
    return true;
}

static bool takeLost(tacRecord *r, const tacrec_packet *packet, const uint8_t *bytes) {
    uint32_t id = sensorOf(r, packet);
    if (id == TAC_NONE) return false;
    if (packet->size < TACREC_PACKET_HEAD + 16) return r->misfits++, true;
    tacRecordLost lost = {id, packet->count, packet->sequence, tacRecordBytes(bytes + TACREC_PACKET_HEAD, 8)};
    return tacRecordPush(r, &r->losses, lost);
}

static bool takeEnd(tacRecord *r, const tacrec_packet *packet, const uint8_t *bytes) {
    uint32_t id = sourceOf(r, packet);
    if (id == TAC_NONE) return false;
    if (packet->size < TACREC_PACKET_HEAD + 8) return r->misfits++, true;
    r->sources.at[id].ended = true;
    r->sources.at[id].how = (tacrec_endKind) tacRecordBytes(bytes + TACREC_PACKET_HEAD, 4);
    r->sources.at[id].status = (uint32_t) tacRecordBytes(bytes + TACREC_PACKET_HEAD + 4, 4);
    return true;
}

/* Notes what a packet says; at: its place in the file. Packets of unknown kinds are passed over. */
static bool takePacket(tacRecord *r, const tacrec_packet *packet, const uint8_t *bytes, uint64_t at) {
    switch (packet->kind) {
    case TACREC_PACKET_SOURCE: return takeSource(r, packet, bytes);
    case TACREC_PACKET_SENSOR: return takeSensor(r, packet, bytes);
    case TACREC_PACKET_ELEMENTS: return takeElements(r, packet, bytes, at);
    case TACREC_PACKET_PAIRS: return takePairs(r, packet, bytes);
    case TACREC_PACKET_LOST: return takeLost(r, packet, bytes);
    case TACREC_PACKET_END: return takeEnd(r, packet, bytes);
    }
    return true;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

typedef struct Scan {
    tacRecord *r;
    uint8_t *window, *at, *end; /* bytes that are not taken yet */
    uint64_t offset;            /* in the file, of `end` */
    uint64_t packets, newer;    /* found; of them, of a later version */
    uint64_t damaged;           /* bytes in the present gap between packets */
    uint64_t budget;            /* for false packets */
    bool ended;
} Scan;

static uint64_t placeOf(const Scan *s, const uint8_t *at) { return s->offset - (uint64_t) (s->end - at); }

/* Ends a gap behind a packet, up to this place in the file: `what` is there. */
static void sayDamage(Scan *s, uint64_t end, const char *what) {
    if (s->damaged)
        tacDiagAdd(s->r->diag, TAC_SEVERITY_ERROR, 0, "DAMAGE", "byte %llu: %llu bytes up to %s are damaged",
            (unsigned long long) (end - s->damaged), (unsigned long long) s->damaged, what);
    s->damaged = 0;
}

/* Moves what is left to the front of the window and reads as much as fits behind it. */
static tacStatus fill(Scan *s, tacError *err) {
    size_t left = (size_t) (s->end - s->at), got = 1;
    memmove(s->window, s->at, left);
    s->at = s->window;
    s->end = s->window + left;
    while (got > 0 && s->end < s->window + WINDOW) {
        if (tacFileRead(&s->r->file, s->end, (size_t) (s->window + WINDOW - s->end), &got, err) != TAC_OK)
            return TAC_ERROR;
        s->end += got;
        s->offset += got;
    }
    s->ended = got == 0;
    return TAC_OK;
}

/* Takes all whole packets of the window; what may become one with more bytes is left there. */
static bool takeWindow(Scan *s) {
    tacrec_packet packet;
    const uint8_t *at, *next;
    while ((at = tacrec_packetFindWithin(s->at, s->end, &s->budget, &packet, &next))) {
        s->damaged += (uint64_t) (at - s->at);
        sayDamage(s, placeOf(s, at), "the next whole packet");
        s->packets++;
        s->newer += packet.version != TACREC_STREAM_VERSION;
        if (packet.version == TACREC_STREAM_VERSION && !takePacket(s->r, &packet, at, placeOf(s, at))) return false;
        s->at = s->window + (next - s->window);
    }
    s->damaged += (uint64_t) (next - s->at);
    s->at = s->window + (next - s->window);
    return true;
}

/* Says what is wrong at the end of the file, and that nothing in it is whole. */
static tacStatus sayEnd(Scan *s, tacError *err) {
    tacRecord *r = s->r;
    uint64_t cut = (uint64_t) (s->end - s->at);
    if (s->packets == 0 && !s->damaged && cut && r->import->source->growing)
        return TAC_OK; /* the first one is on its way */
    sayDamage(s, placeOf(s, s->at), cut ? "what may be a packet" : "the end");
    if (s->packets == 0)
        return tacFail(err, "FORMAT DAMAGED", "this recording of sensors is damaged: no packet in it is whole");
    if (s->newer == s->packets)
        return tacFail(err, "FORMAT VERSION",
            "this recording of sensors is of a newer version than %d, which can be read", TACREC_STREAM_VERSION);
    if (s->newer)
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "VERSION", "%llu packets of a newer version are left out",
            (unsigned long long) s->newer);
    if (s->budget == 0)
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, 0, "DAMAGE",
            "the file is so damaged that looking for further packets would take too long: it is read up to byte %llu",
            (unsigned long long) placeOf(s, s->at));
    else if (cut && !r->import->source->growing)
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "CUT", "the file ends within a packet, which begins at byte %llu",
            (unsigned long long) placeOf(s, s->at));
    return TAC_OK;
}

static tacStatus scan(Scan *s, tacError *err) {
    tacRecord *r = s->r;
    while (!s->ended && s->budget > 0) {
        if (fill(s, err) != TAC_OK) return TAC_ERROR;
        if (!takeWindow(s)) return tacFailMemory(err);
        if (!tacProgressStep(r->import->progress, s->offset / 2)) return tacFailStopped(err, r->import->progress);
    }
    r->size = s->offset;
    return sayEnd(s, err);
}

tacStatus tacRecordScan(tacRecord *r, tacError *err) {
    Scan s = {.r = r, .window = tacAlloc(WINDOW)};
    if (!s.window) return tacFailMemory(err);
    s.at = s.end = s.window;
    r->window = WINDOW;
    s.budget = DAMAGE_LEAST + DAMAGE_BYTE * r->file.size;
    tacStatus status = tacFileSeek(&r->file, 0, err);
    if (status == TAC_OK) status = scan(&s, err);
    tacFree(s.window);
    r->window = 0;
    return status;
}
