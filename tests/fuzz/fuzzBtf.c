/*
 * fuzzBtf.c -- libFuzzer's target over the whole way of a trace in the Best Trace Format: header, tables, rows, store,
 * replay.
 *
 *      make fuzz FUZZ=fuzzBtf FUZZ_SECONDS=600
 */

#include "fuzzTcl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return openAndClose(data, size, "btf", NULL); }
