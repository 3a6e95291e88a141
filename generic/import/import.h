/*
 * import.h -- the one door for recordings of every format: the description of a format (tacFormat), and the arguments
 * of its reader (tacImport).
 *
 *      source -> tacImportFormat: which of tacFormats is it? -> tacFormat.read -> rows and definitions of the store
 *
 * A reader takes the source to its end, appends the contents of the recording to the store (trace/store.h), and adds
 * remarks on its faults to the diagnostics. Clocks, sorting and states come afterwards, elsewhere. A new format
 * is a folder here and a row of tacFormats (formats.c).
 *
 * Invariants:
 *   1. A reader gets a record of its own format's options only, zeroed where nothing was given.
 *   2. Damage is no failure: what could be read is in the store, and a remark says what is missing. A reader fails only
 * when nothing can be made of the recording (codes as of tacReadFile), or when it is stopped.
 *   3. No recognizer takes a script of the trace language for its own.
 */
#ifndef TAC_IMPORT_IMPORT_H
#define TAC_IMPORT_IMPORT_H

#include "base/option.h"
#include "read/reader.h"
#include "trace/apply.h"
#include "trace/diag.h"
#include "trace/store.h"

/* Arguments for the trace language alone, which is code. */
typedef struct tacImportCode {
    const char *const *events;        /* names of events that plugins have defined; NULL-terminated, or NULL */
    const tacExtraCommands *commands; /* commands that plugins have given to traces; may be NULL */
    tacHandlers **handlers;           /* gets the handlers that the trace has registered; NULL: they will not run */
    tacInternTable *handled;          /* gets the events that these handlers want */
} tacImportCode;

/* Arguments of a reader. */
typedef struct tacImport {
    tacSource *source;            /* at its beginning; more of it may still arrive */
    tacStore *store;              /* gets definitions and rows; NULL for tacFormat.guess */
    tacDiag *diag;                /* gets remarks about the recording; NULL: not wanted */
    tacProgress *progress;        /* is told how far the reading is; NULL: not wanted */
    const void *options;          /* the format's own record (tacFormat.options) */
    const tacReadOptions *limits; /* for code in the recording, or in a file beside it */
    const char *name;             /* of the recording, in texts */
    tacImportCode *code;          /* for the trace language */
    bool kernel;                  /* set by the reader: it has threads of a Linux kernel, so a mapping has a meaning */
    bool programs;                /* set by the reader: jobs are as their programs tell (tacTrace.programs) */
    bool likely;      /* set by tacImportFormat: what has no other format looks like a script of the trace language */
    const char *unit; /* set by the reader: the time unit that a time of 1 means ("s"); NULL: not known */
    /* Opens the same recording once more, from its beginning; the caller closes it (tacSourceClose). Error FILE TWICE:
     * it can be read only once. */
    tacStatus (*again)(const struct tacImport *import, tacSource *source, tacError *err);
    const void *againData;
} tacImport;

typedef struct tacFormat {
    const char *name, *help; /* "kernel"; a clause without period. NULL: the list's end */
    /* Is this the beginning of such a recording? Binary formats are shown the bytes as they are, others cleaned text.
     * NULL: the format is chosen by name, or when no other fits. */
    bool (*recognize)(const char *text, size_t length);
    bool binary;                 /* the reader takes the file as it is (tacSourceFile) */
    const tacOptionRow *options; /* its own options, for a record of optionsSize bytes; formats with the same rows share
                                a record. NULL: none */
    size_t optionsSize;
    tacStatus (*read)(tacImport *import, tacError *err);
    /* Adds the text of a mapping that fits the recording to *mapping (tactus_map(5)). NULL: mappings have no meaning
     * for it. */
    tacStatus (*guess)(tacImport *import, tacText *mapping, tacError *err);
    /* Returns the remark for options that were given with a recording of another format; NULL: none. May be NULL. */
    const char *(*unused)(const void *options);
    bool apart; /* of strangers: the reader itself has a worker that parses; else all of it runs in one (stranger.h) */
} tacFormat;

extern const tacFormat tacFormats[]; /* the trace language first; in the order of trying */

/* Recognizes a format by the beginning of a recording, as it is and as clean text; NULL: none. */
const tacFormat *tacImportRecognize(const char *raw, size_t rawLength, const char *text, size_t length);
/*
 * Finds the format of a recording: by its name, or, where name is NULL, by its beginning. Waits for no more than the
 * first line. Errors: LOOKUP FORMAT (no format of that name; the message lists all); those of
 * tacSourceNext.
 */
tacStatus tacImportFormat(tacImport *import, const char *name, const tacFormat **format, tacError *err);
/* The format that a mapping among the records of options tells: it has the columns of a log. NULL: none. */
const tacFormat *tacImportMapped(const tacImport *import, const void *records);
/* Reads a recording of a format; guesses its mapping: in a worker process where it is a stranger's (tacSource.strange).
 */
tacStatus tacImportRead(tacImport *import, const tacFormat *format, tacError *err);
tacStatus tacImportGuess(tacImport *import, const tacFormat *format, tacText *mapping, tacError *err);

/* Size of the block of memory for the option records of all formats, and offset of a format's record in it. */
size_t tacFormatRecordsSize(void);
size_t tacFormatRecord(const tacFormat *format);
/* Is it the first in the table of those that share its options? */
bool tacFormatIsFirst(const tacFormat *format);

/* Sink for remarks and progress only, for readers of records. It lives as long as the import. */
tacSink tacImportSink(tacImport *import);

#endif
