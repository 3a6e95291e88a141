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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return openAndClose(data, size, NULL, NULL); }
