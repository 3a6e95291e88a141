/*
 * fuzzRecord.c -- libFuzzer's target over the whole way of a recording of sensors: packets, clocks, merging, meanings,
 * store, replay.
 *
 * Mutations would mostly end at the checksums, so these are mostly made right again behind them.
 *
 *      make fuzz FUZZ=fuzzRecord FUZZ_SECONDS=1800
 */
#include "fuzzTcl.h"
#include "record/stream.h"

#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static uint64_t numberAt(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t) at[i] << 8 * i;
    return value;
}

/* Makes the checksum of a packet right. */
static void seal(uint8_t *at, uint32_t size) {
    tacrec_packet head = {.size = size,
        .version = (uint16_t) numberAt(at + 16, 2),
        .kind = (uint16_t) numberAt(at + 18, 2),
        .sensor = (uint32_t) numberAt(at + 20, 4),
        .source = numberAt(at + 24, 8),
        .sequence = numberAt(at + 32, 8),
        .first = numberAt(at + 40, 8),
        .last = numberAt(at + 48, 8),
        .count = (uint32_t) numberAt(at + 56, 4),
        .priority = (uint32_t) numberAt(at + 60, 4)};
    tacrec_packetSeal(at, &head);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    static const uint8_t magic[8] = TACREC_STREAM_MAGIC;
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 8 == 0) return size;
    for (size_t i = 0; i + TACREC_PACKET_HEAD <= size;) {
        uint32_t packet = (uint32_t) numberAt(data + i + 8, 4);
        bool whole = memcmp(data + i, magic, sizeof magic) == 0 && packet >= TACREC_PACKET_HEAD && packet % 8 == 0
            && packet <= size - i;
        if (whole) seal(data + i, packet);
        i += whole ? packet : 1;
    }
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tacOpenOptions options = {.format = "tactusrec", .eventLimit = 10000, .byteLimit = 64 << 20};
    tacError err = {0};
    tacTrace *trace = tacTraceOpenText("fuzz", (const char *) data, size, &options, &err);
    if (trace) tacTraceClose(trace);
    return 0;
}
