/*
 * fuzzBtf.c -- libFuzzer's target over the whole way of a trace in the Best Trace Format: header, tables, rows, store,
 * replay.
 *
 *      make fuzz FUZZ=fuzzBtf FUZZ_SECONDS=600
 */

#include "fuzzTcl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tacOpenOptions options = {
        .read = {.timeLimit = 0.05, .commandLimit = 2000, .memoryLimit = 256 << 20, .inProcess = true},
        .format = "btf",
        .eventLimit = 10000,
        .byteLimit = 64 << 20,
    };
    tacError err = {0};
    tacTrace *trace = tacTraceOpenText("fuzz", (const char *) data, size, &options, &err);
    if (trace) tacTraceClose(trace);
    return 0;
}
