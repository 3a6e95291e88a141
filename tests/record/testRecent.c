/*
 * testRecent.c -- the packets that came last: what is held is always the end of the stream, within its bounds, and
 * can be read by itself.
 *
 * Packets of random sizes go into a ring; a list of all of them says what must be held. Prints a line for each test, as
 * testRecord.c does. Argument: a file that is written.
 */
#include "record/recent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACKETS = 3000, MOST = 4000, ROUNDS = 12, HOUR = 3600 };

static int failures;
static const char *path;
static uint64_t state = 1;

static void check(const char *name, bool fine, const char *why) {
    if (fine) printf("ok %s\n", name);
    else printf("FAILED %s: %s\n", name, why);
    failures += !fine;
}

static uint32_t randomBelow(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t) (state >> 33) % n;
}

/* A packet of elements of an unknown sensor, as a stranger may send it; number: in its sequence. */
static uint32_t makePacket(uint8_t *bytes, uint64_t number) {
    tacrec_packet head = {.size = TACREC_PACKET_HEAD + 8 * (1 + randomBelow(MOST / 8)),
        .version = TACREC_STREAM_VERSION,
        .kind = TACREC_PACKET_ELEMENTS,
        .sensor = 1,
        .source = 7,
        .sequence = number,
        .count = 1 + randomBelow(5)};
    memset(bytes, (int) (number & 0xff), head.size);
    tacrec_packetSeal(bytes, &head);
    return head.size;
}

static tacrec_packet headOf(const uint8_t *bytes, uint32_t size) {
    tacrec_packet head;
    const uint8_t *end;
    if (tacrec_packetFind(bytes, bytes + size, &head, &end) != bytes) abort();
    return head;
}

static uint8_t *readFile(size_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(64 << 20);
    if (!file || !bytes) abort();
    *size = fread(bytes, 1, 64 << 20, file);
    fclose(file);
    return bytes;
}

/* Makes the file of what the ring holds. */
static int writeFile(tacRecent *recent, uint64_t nanoseconds) {
    FILE *file = fopen(path, "wb");
    if (!file) abort();
    int problem = tacRecentWrite(recent, nanoseconds, fileno(file));
    fclose(file);
    return problem;
}

/* Counts the packets of elements of the file; -1 unless they are successive, up to the last one, and undamaged. */
static long countWritten(uint64_t last) {
    size_t size;
    uint8_t *bytes = readFile(&size);
    const uint8_t *at = bytes, *end;
    tacrec_packet head;
    uint64_t sequence = 0;
    long count = 0;
    for (const uint8_t *next; (next = tacrec_packetFind(at, bytes + size, &head, &end)); at = end) {
        if (next != at) count = -1;
        if (head.kind != TACREC_PACKET_ELEMENTS) continue;
        if (count > 0 && head.sequence != sequence + 1) count = -1;
        sequence = head.sequence;
        if (count >= 0) count++;
    }
    if (at != bytes + size || (count > 0 && sequence != last)) count = -1;
    free(bytes);
    return count;
}

/* Rings of several sizes. */
static void tryRings(void) {
    static uint32_t sizes[PACKETS];
    static uint8_t bytes[MOST + TACREC_PACKET_HEAD];
    bool suffix = true, bounded = true, enough = true, counted = true;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint64_t room = MOST + TACREC_PACKET_HEAD + randomBelow(round % 2 ? 3 * MOST : 40 * MOST);
        tacRecent *recent = tacRecentNew(room, UINT64_C(1000000000) * HOUR);
        uint64_t taken = 0;
        if (!recent) abort();
        for (uint32_t i = 0; i < PACKETS; i++) {
            sizes[i] = makePacket(bytes, i);
            tacrec_packet head = headOf(bytes, sizes[i]);
            if (!tacRecentTake(recent, &head, bytes)) abort();
            taken += head.count;
            tacRecentCount count;
            tacRecentCounts(recent, &count);
            uint64_t held = 0;
            for (uint32_t k = 0; k < count.packets && k <= i; k++) held += sizes[i - k];
            bounded = bounded && count.bytes <= room && count.packets >= 1;
            counted = counted && held == count.bytes && count.taken == taken;
            /* A packet is at most MOST bytes, and as many may be lost at the end of the ring. */
            enough = enough && (count.packets == i + 1 || count.bytes + 2 * (MOST + TACREC_PACKET_HEAD) >= room);
            if (i % 500 != 499) continue;
            suffix = suffix && writeFile(recent, UINT64_MAX) == 0 && countWritten(i) == (long) count.packets;
        }
        tacRecentFree(recent);
    }
    check("the last packets", suffix, "what is written is not the end of the stream");
    check("within its size", bounded, "more is held than there is room for");
    check("as many as have room", enough, "less is held than there is room for");
    check("counts", counted, "the counts are wrong");
}

/* What describes is written though it came long ago; a source that ended is forgotten with its end. */
static void tryDescriptions(void) {
    static const tacrec_source said = {.kind = TACREC_SOURCE_PROGRAM, .clock = TACREC_CLOCK_HOOK, .name = "p"};
    static uint8_t bytes[MOST + TACREC_PACKET_HEAD];
    uint32_t kinds[8] = {0};
    tacRecent *recent = tacRecentNew(2 * (MOST + TACREC_PACKET_HEAD), UINT64_C(1000000000) * HOUR);
    tacrec_writer *writer = tacrec_writerNew(&said, 9, tacRecentTake, recent);
    if (!recent || !writer) abort();
    tacrec_sensorSaid sensor = {.kind = TACREC_SIMPLE, .size = 8, .name = "s"};
    if (!tacrec_writerSensor(writer, 0, &sensor)) abort();
    for (int ends = 0; ends < 2; ends++) {
        if (ends) tacrec_writerEnd(writer, TACREC_END_CLOSED, 0, "");
        for (uint32_t i = 0; i < 40; i++) {
            tacrec_packet head = headOf(bytes, makePacket(bytes, i));
            if (!tacRecentTake(recent, &head, bytes)) abort();
        }
        memset(kinds, 0, sizeof kinds);
        if (writeFile(recent, UINT64_MAX)) abort();
        if (!ends) check("a descriptor that is none", tacRecentWrite(recent, UINT64_MAX, -1) != 0, "was written");
        size_t size;
        uint8_t *file = readFile(&size);
        const uint8_t *at = file, *end;
        tacrec_packet head;
        for (; tacrec_packetFind(at, file + size, &head, &end); at = end) kinds[head.kind]++;
        free(file);
        if (ends) check("a source that is over", !kinds[TACREC_PACKET_SOURCE] && !kinds[TACREC_PACKET_SENSOR], "told");
        else check("descriptions", kinds[TACREC_PACKET_SOURCE] == 1 && kinds[TACREC_PACKET_SENSOR] == 1, "missing");
    }
    tacrec_writerFree(writer);
    tacRecentFree(recent);
}

static void tryTimes(void) {
    static uint8_t bytes[MOST + TACREC_PACKET_HEAD];
    tacRecent *recent = tacRecentNew(1 << 20, 1);
    tacRecentCount count;
    for (uint32_t i = 0; i < 20; i++) {
        tacrec_packet head = headOf(bytes, makePacket(bytes, i));
        if (!recent || !tacRecentTake(recent, &head, bytes)) abort();
    }
    tacRecentCounts(recent, &count);
    check("for so long", count.packets <= 1, "old packets are held");
    check("what is too old", writeFile(recent, 0) == 0 && countWritten(19) <= 1, "is written");
    tacrec_packet head = {.size = 2 << 20, .kind = TACREC_PACKET_ELEMENTS};
    check("what is too large", !tacRecentTake(recent, &head, bytes), "was taken");
    tacRecentFree(recent);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    path = argv[1];
    tryRings();
    tryDescriptions();
    tryTimes();
    return failures > 0;
}
