/*
 * fuzzDat.c -- libFuzzer's target over trace.dat: the library's reading, our look at its records, packing and
 * unpacking.
 *
 * It runs in this process, not in a worker, so that the fuzzer sees what happens. The library was not written for such
 * files and crashes: `make fuzz` goes on then, and what it keeps as fuzz/crash-* is to be looked at: is the place in
 * the library (the worker process contains that; doc/robustness.md has what is known) or in tracecmd.c?
 *
 *      make fuzz FUZZ=fuzzDat FUZZ_SECONDS=1800
 */
#define _GNU_SOURCE /* memfd_create */
#include "base/port.h"

#include "import/kernel/datLibrary.h"
#include "import/kernel/pack.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { MOST_RECORDS = 20000 };

typedef struct Run {
    tacKernelUnpacker unpacker;
    uint64_t seen;
} Run;

/* Looks at every byte of a record's texts. */
static tacStatus take(void *data, const tacKernelRecord *record, uint32_t line, tacError *err) {
    Run *run = data;
    const tacKernelText *texts[] = {
        &record->current.name, &record->thread.name, &record->other.name, &record->name, &record->text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t k = 0; k < texts[i]->length; k++) run->seen += (unsigned char) texts[i]->at[k];
    run->seen += line;
    return run->unpacker.records < MOST_RECORDS ? TAC_OK : tacFail(err, "LIMIT EVENTS", "enough");
}

static tacStatus unpack(void *data, const char *bytes, size_t length, uint32_t line, tacError *err) {
    Run *run = data;
    (void) line;
    return tacKernelUnpack(&run->unpacker, bytes, length, take, run, err);
}

static void report(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    (void) data, (void) severity, (void) line, (void) kind, (void) text;
}

static bool all(void *data, tacKernelText name) {
    (void) data;
    return name.length % 2;
}

/* Mostly only the events change, which begin at a page: a changed header makes the library give up, or crash, before it
 * reads any. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    enum { PAGE = 4096 };
    size_t begin = seed % 4 && size > PAGE ? (size - 1 - seed / 4 % 3 * PAGE % size) / PAGE * PAGE : 0;
    size_t changed = begin + LLVMFuzzerMutate(data + begin, size - begin, most - begin);
    while (begin && changed < size) data[changed++] = 0;
    return changed;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void) argc, (void) argv;
    tacDatLibraryPrepare(NULL);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Run run = {0};
    tacError err = {0};
    tacFile file = {.handle = memfd_create("fuzz", 0), .size = size, .regular = true};
    tacSink sink = {.report = report};
    tacKernelPacker *packer = tacKernelPackerNew(unpack, &run);
    if (packer && tacFileWrite(&file, data, size, &err) == TAC_OK && tacFileSeek(&file, 0, &err) == TAC_OK) {
        tacDatRequest request = {&file, &sink, tacKernelPack, packer, all, NULL};
        if (tacDatLibraryRead(&request, &err) == TAC_OK) tacKernelPackerFlush(packer, &err);
    }
    tacKernelPackerFree(packer);
    tacKernelUnpackerFree(&run.unpacker);
    if (fcntl((int) file.handle, F_GETFD) >= 0) close((int) file.handle); /* the library closes it, or forgets to */
    return 0;
}
