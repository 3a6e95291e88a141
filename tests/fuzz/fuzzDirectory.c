/*
 * fuzzDirectory.c -- libFuzzer's target over directories of sensors as files: what their head, entries, rings and
 * counters say, the packets that are made of them, and the whole way of these.
 *
 * Mutations would mostly end at the first bytes, or at a size that is not the file's, so these are mostly made right.
 *
 *      make fuzz FUZZ=fuzzDirectory FUZZ_SECONDS=1800
 */
#include "fuzzTcl.h"
#include "record/tactusrec.h"

#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    tacrec_head head;
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 8 == 0 || size < sizeof head) return size;
    memcpy(&head, data, sizeof head);
    memcpy(head.magic, "TACTREC", sizeof head.magic);
    head.version = TACREC_VERSION;
    head.headSize = (sizeof head + TACREC_LINE - 1) / TACREC_LINE * TACREC_LINE;
    if (seed % 8 != 1 || head.size < head.headSize) head.size = size;
    if (head.size >= head.headSize && head.entries > (head.size - head.headSize) / sizeof(tacrec_entry))
        head.entries = (uint32_t) ((head.size - head.headSize) / sizeof(tacrec_entry));
    memcpy(data, &head, sizeof head);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tacOpenOptions options = {.format = "tacrec", .eventLimit = 10000, .byteLimit = 64 << 20};
    tacError err = {0};
    tacTrace *trace = tacTraceOpenText("fuzz", (const char *) data, size, &options, &err);
    if (trace) tacTraceClose(trace);
    return 0;
}
