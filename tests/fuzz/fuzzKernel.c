/*
 * fuzzKernel.c -- libFuzzer's target over the whole way of a kernel trace's text: lines, tasks, store, order, replay.
 *
 * An input is opened as text of a kernel trace, whatever it looks like, with all other events kept; an input that
 * begins with a newline is first to be recognized as one. It may be as wrong as it likes: what counts is that opening
 * comes back and leaves no error for the sanitizers.
 *
 *      make fuzz FUZZ=fuzzKernel FUZZ_SECONDS=1800
 */

#include "fuzzTcl.h"
#include "import/kernel/kernel.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const all[] = {"*", NULL};
    static max_align_t records[64];
    const tacFormat *kernel = tacFormats;
    while (strcmp(kernel->name, "kernel") != 0) kernel++;
    ((tacKernelOptions *) (void *) ((char *) records + tacFormatRecord(kernel)))->keep = all;
    return openAndClose(data, size, size && data[0] == '\n' ? NULL : "kernel", records);
}
