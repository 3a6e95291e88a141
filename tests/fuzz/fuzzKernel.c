/*
 * fuzzKernel.c -- libFuzzer's target over the whole way of a kernel trace's text: lines, tasks, store, order, replay.
 *
 * An input is opened as text of a kernel trace, whatever it looks like, with all other events kept; an input that begins with a
 * newline is first to be recognized as one. It may be as wrong as it likes: what counts is that opening comes back and leaves
 * no error for the sanitizers.
 *
 *	make fuzz FUZZ=fuzzKernel FUZZ_SECONDS=1800
 */

/* The fuzzer is a program: it calls libtcl itself, while the core calls it through the stub table set up here. */
#undef USE_TCL_STUBS
#include <tcl.h>
#undef Tcl_InitStubs
extern const char *Tcl_InitStubs(Tcl_Interp *interp, const char *version, int exact);

#include "base/port.h"
#include "model/trace.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void) argc;
    Tcl_FindExecutable((*argv)[0]);
    return Tcl_InitStubs(Tcl_CreateInterp(), "8.6-", 0) ? 0 : 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const all[] = {"*", NULL};
    tacOpenOptions options = {
	.read = {.timeLimit = 0.05, .commandLimit = 2000, .memoryLimit = 256 << 20, .inProcess = true,
	    .format = size && data[0] == '\n' ? NULL : "kernel"},
	.eventLimit = 10000,
	.byteLimit = 64 << 20,
	.keep = all,
    };
    tacError err = {0};
    tacTrace *trace = tacTraceOpenText("fuzz", (const char *) data, size, &options, &err);
    if (trace) tacTraceClose(trace);
    return 0;
}
