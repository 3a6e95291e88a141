/*
 * fuzzLog.c -- libFuzzer's target over logs in rows and columns: mappings, guesses, lines, jobs, store, replay.
 *
 * An input is a mapping, a form feed, and the log; without a form feed the mapping is guessed. It may be as wrong as it
 * likes: what counts is that opening comes back and leaves no error for the sanitizers.
 *
 *      make fuzz FUZZ=fuzzLog FUZZ_SECONDS=1800
 */

#include "fuzzTcl.h"
#include "import/kernel/kernel.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static max_align_t records[64];
    const tacFormat *kernel = tacFormats;
    while (strcmp(kernel->name, "kernel") != 0) kernel++;
    tacKernelOptions *own = (tacKernelOptions *) (void *) ((char *) records + tacFormatRecord(kernel));
    const uint8_t *log = memchr(data, '\f', size);
    char *map = log ? tacCopyText((const char *) data, (size_t) (log - data)) : NULL;
    own->mapText = map;
    log = log ? log + 1 : data;
    openAndClose(log, size - (size_t) (log - data), "log", records);
    own->mapText = NULL;
    tacFree(map);
    return 0;
}
