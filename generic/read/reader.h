/*
 * reader.h -- drives the reading of one trace script: source -> split -> literal -> (sandbox) -> sink.
 *
 * A ladder: a command made of literal words goes straight to the sink; an object call in a word ([6679 name]) is asked
 * from the sink; the first command that needs more starts the sandbox, which evaluates it and everything after it,
 * command by command, with literal commands still taken the short way unless the script redefined the command.
 *
 * Files of other programs are recognized by their first text (tacFormat), and have readers of their own.
 */
#ifndef TAC_READ_READER_H
#define TAC_READ_READER_H

#include "base/mem.h"
#include "read/handlers.h"
#include "read/sink.h"
#include "read/source.h"

/* Options of reading; NULL instead of them means all defaults. */
typedef struct tacReadOptions {
    double timeLimit;     /* seconds of evaluation of script commands; 0: default 60; negative: none */
    int64_t commandLimit; /* Tcl commands a script may run; 0: default 10^9 ; negative: none */
    int64_t memoryLimit;  /* bytes that the evaluation of script commands may use; 0: default 1 GiB; negative: none */
    uint64_t wholeLimit;  /* bytes of that and of what the sink makes of the commands; 0: none */
    bool scriptOnly;      /* every command goes through the sandbox, even literal ones (for tests and comparison) */
    bool growing;         /* the file is still being written: an incomplete command at its end is not there yet */
    const tacWord *variables; /* that a script finds: name, value, name, value ... */
    int nVariables;           /* words */
    bool inProcess;           /* no worker process for the sandbox (platforms without one; debugging) */
    bool confined;            /* workers parse all there is, not only what a script evaluates */
    bool tellCut; /* a text whose last line has no newline is told by a note of the kind TAC_READ_CUT, after the line */
    /*
     * Place for the handlers that the script has registered, if any, when all was read: *handlers is then for
     * tacHandlersFree. NULL: nobody runs them.
     */
    tacHandlers **handlers;
} tacReadOptions;

/*
 * Reads the whole file ("-": standard input; plain, gzip, xz or zstd by content) into the sink. TAC_OK: read to the
 * end, whatever was reported on the way. TAC_ERROR: codes "FILE ..." (cannot be opened or read: nothing came),
 * "CANCELLED", "LIMIT ..." and "MEMORY" (all that was read so far is in the sink). Damage in a compressed file is
 * reported to the sink as an error, and is TAC_OK.
 */
tacStatus tacReadFile(const char *path, const tacReadOptions *options, const tacSink *sink, tacError *err);

/* Reads text in memory in the same way. */
tacStatus tacReadText(
    const char *text, size_t length, const tacReadOptions *options, const tacSink *sink, tacError *err);

/* Reads what `read` delivers as time goes by (source.h): each command is in the sink when its line has come. */
tacStatus tacReadFrom(/* for tests */
    tacReadBytes *read, void *data, const tacReadOptions *options, const tacSink *sink, tacError *err);

/*
 * Reads a source that is open, and stays open; its text begins with the script. tacSourceFile works no more afterwards.
 * options->growing becomes the source's.
 */
tacStatus tacReadSource(tacSource *source, const tacReadOptions *options, const tacSink *sink, tacError *err);

#endif
