/*
 * fuzzReader.c -- libFuzzer's target over the whole way in: reading, definitions, events, clocks, order, replay.
 *
 * An input is a trace script, opened as text. Scripts are evaluated in this process with small limits, so that an
 * endless loop costs milliseconds; the worker process is left out because the fuzzer could not see into it. A trace may
 * be as wrong as it likes: what counts is that opening comes back and leaves no error for the sanitizers.
 *
 *      make fuzz FUZZ_SECONDS=1800
 */

#include "fuzzTcl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tacOpenOptions options = {
        .read = {.timeLimit = 0.05, .commandLimit = 2000, .memoryLimit = 256 << 20, .inProcess = true},
        .eventLimit = 10000,
        .byteLimit = 64 << 20,
    };
    tacError err = {0};
    tacTrace *trace = tacTraceOpenText("fuzz", (const char *) data, size, &options, &err);
    if (trace) tacTraceClose(trace);
    return 0;
}
