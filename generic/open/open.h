/*
 * open.h -- an opened trace: store, clocks, diagnostics and model together. The one way from a file to a model.
 */
#ifndef TAC_OPEN_OPEN_H
#define TAC_OPEN_OPEN_H

#include "analysis/trace.h"
#include "model/replay.h"

typedef struct tacOpenOptions {
    tacReadOptions read;
    uint64_t eventLimit;   /* 0: default 2^31; events after it are not read, which is an error LIMIT EVENTS */
    uint64_t byteLimit;    /* of the store and the model; 0: read.memoryLimit, or else by the machine's memory */
    const char *reference; /* processor id of the reference clock, or NULL */
    bool strict;           /* warnings are errors */
    int decimals; /* times are kept with at least so many, for questions about finer times; 0 .. TAC_MAX_DIGITS */
    const char *const *ignore; /* strings: ids that contain one are hidden; NULL-terminated, or NULL */
    /*
     * Called at the begin of each phase and every 20 ms of work (base/progress.h), with the unfinished trace: its
     * counts may be read, nothing else. false: cancel. May be NULL.
     */
    bool (*progress)(void *data, const tacProgress *progress, const tacTrace *trace);
    void *progressData;
    const tacConsumer *consumers;
    int nConsumers;
    const char *const *events;        /* names of events that plugins have defined; NULL-terminated, or NULL */
    const tacExtraCommands *commands; /* commands for traces that plugins have defined; may be NULL */
    const char *format;        /* name of the recording's format; NULL: recognized. Unknown: error LOOKUP FORMAT */
    const void *formatOptions; /* records of all formats' own options (tacFormatRecord); NULL: none are given */
} tacOpenOptions;

/*
 * Opens a trace. NULL with err only when nothing can be used (unreadable file, cancelled, no memory); all problems of
 * the trace, limits included, are in trace->diag, and the part that could be read is usable. options may be NULL. Free
 * with tacTraceClose.
 */
tacTrace *tacTraceOpen(const char *file, const tacOpenOptions *options, tacError *err);
tacTrace *tacTraceOpenText(
    const char *name, const char *text, size_t length, const tacOpenOptions *options, tacError *err);
void tacTraceClose(tacTrace *trace);
/* Frees a part of a trace, which can only be closed then: what is kept of so many tasks. False: nothing is left that
 * takes long. */
bool tacTraceCloseSome(tacTrace *trace, uint32_t tasks);

/* A recording that is looked at, but not opened. */
typedef struct tacGlance {
    const char *file; /* "-": standard input */
    const char *text; /* in place of the file; NULL: none */
    size_t length;
    const char *format;    /* as of tacOpenOptions */
    const char *name;      /* of the recording, in a mapping */
    bool confined;         /* as of tacReadOptions */
    tacProgress *progress; /* of bytes read, or NULL */
} tacGlance;

/* Finds out the format of a recording from its beginning; NULL: it does not look like a trace. Errors: those of
 * tacReadFile. */
tacStatus tacTraceRecognize(const tacGlance *at, const char **format, tacError *err);

/*
 * Guesses a mapping from a recording and adds it to *mapping; adds nothing if mappings have no meaning for the
 * recording's format. Nothing of the recording is kept. Errors: those of tacReadFile; FILE TWICE for standard input.
 */
tacStatus tacMappingGuess(const tacGlance *at, tacText *mapping, tacError *err);

#endif
