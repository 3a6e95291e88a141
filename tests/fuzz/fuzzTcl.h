/*
 * fuzzTcl.h -- the beginning of a target that opens whole traces: libtcl, for the program and for the core. Included by
 * the target's one file.
 */
#ifndef TAC_FUZZ_TCL_H
#define TAC_FUZZ_TCL_H

/* The fuzzer is a program: it calls libtcl itself, while the core calls it through the stub table set up here. */
#undef USE_TCL_STUBS
#include <tcl.h>
#undef Tcl_InitStubs
extern const char *Tcl_InitStubs(Tcl_Interp *interp, const char *version, int exact);

#include "base/port.h"

#include "open/open.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void) argc;
    Tcl_FindExecutable((*argv)[0]);
    return Tcl_InitStubs(Tcl_CreateInterp(), "8.6-", 0) ? 0 : 1;
}

/* Opens the input as a trace, within small limits, and closes it; format NULL: as it is recognized, records: its
 * options or NULL. */
static inline int openAndClose(const uint8_t *data, size_t size, const char *format, void *records) {
    tacOpenOptions options = {
        .read = {.timeLimit = 0.05, .commandLimit = 2000, .memoryLimit = 256 << 20, .inProcess = true},
        .format = format,
        .formatOptions = records,
        .eventLimit = 10000,
        .byteLimit = 64 << 20,
    };
    tacError err = {0};
    tacTrace *trace = tacTraceOpenText("fuzz", (const char *) data, size, &options, &err);
    if (trace) tacTraceClose(trace);
    return 0;
}

#endif
