/*
 * fuzzAnswers.c -- libFuzzer's target over everything that is asked of a trace: tables, checks, reasons, SQL, figures.
 *
 * An input is a file of any format that a trace may have; tests/fuzz/answers.tcl asks. Whatever the trace is, each
 * question has an answer or an error of Tactus, and nothing is left for the sanitizers. fuzzFiles is the same program
 * with tests/fuzz/files.tcl, which reads the small files that people write.
 *
 *      make fuzz FUZZ='fuzzAnswers fuzzFiles' FUZZ_SECONDS=600
 */
#define _GNU_SOURCE /* memfd_create */
#undef USE_TCL_STUBS
#include <tcl.h>
#undef Tcl_InitStubs
extern const char *Tcl_InitStubs(Tcl_Interp *interp, const char *version, int exact);

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int Tactus_Init(Tcl_Interp *interp);

static Tcl_Interp *interp;

static void need(int status) {
    if (status == TCL_OK) return;
    fprintf(stderr, "%s\n", Tcl_GetVar(interp, "errorInfo", TCL_GLOBAL_ONLY));
    abort();
}

/* TACTUS_FUZZ is the script that has ::fuzz::open; what it writes goes into the current folder. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void) argc;
    Tcl_FindExecutable((*argv)[0]);
    interp = Tcl_CreateInterp();
    if (!Tcl_InitStubs(interp, "8.6-", 0)) return 1;
    need(Tcl_Init(interp));
    need(Tactus_Init(interp));
    need(Tcl_Eval(interp, "source -encoding utf-8 $env(TACTUS_FUZZ)"));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char command[80];
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t) size) abort();
    snprintf(command, sizeof command, "::fuzz::open /proc/self/fd/%d .", fd);
    need(Tcl_Eval(interp, command));
    close(fd);
    return 0;
}
