/*
 * import.h -- the one door for recordings of every format: what a format says of itself (tacFormat), and what its
 * reader is given (tacImport).
 *
 *      source -> tacImportFormat: which of tacFormats is it? -> tacFormat.read -> rows and definitions of the store
 *
 * A reader takes the source to its end, appends to the store what the recording says (trace/store.h), and says in the
 * diagnostics what is wrong with it. What comes afterwards (clocks, sorting, states) is not its business. A new format
 * is a folder here and a row of tacFormats (formats.c).
 *
 * Invariants:
 *   1. A reader gets a record of its own options and of nobody else's, zeroed where nothing was given.
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

/* What only the trace language, which is code, has a use for. */
typedef struct tacImportCode {
    const char *const *events;        /* names of events that plugins have defined; NULL-terminated, or NULL */
    const tacExtraCommands *commands; /* that plugins have given to traces; may be NULL */
    tacHandlers **handlers;  /* where to put the handlers that the trace has registered; NULL: nobody runs them */
    tacInternTable *handled; /* where to put the events that they want */
} tacImportCode;

/* What a reader is given. */
typedef struct tacImport {
    tacSource *source;            /* at its beginning, as far as it has come */
    tacStore *store;              /* gets definitions and rows; NULL for tacFormat.guess */
    tacDiag *diag;                /* gets what is to be said about the recording; NULL: nobody wants to know */
    tacProgress *progress;        /* is told how far the reading is; NULL: nobody wants to know */
    const void *options;          /* the format's own record (tacFormat.options) */
    const tacReadOptions *limits; /* for code that the recording, or a file beside it, brings along */
    const char *name;             /* of the recording, in texts */
    tacImportCode *code;          /* for the trace language */
    const char *unit;             /* set by the reader: the time unit that a time of 1 means ("s"); NULL: not known */
    /* Opens the same recording once more, from its beginning; for tacSourceClose. Error FILE TWICE: it can be read only
     * once. */
    tacStatus (*again)(const struct tacImport *import, tacSource *source, tacError *err);
    const void *againData;
} tacImport;

typedef struct tacFormat {
    const char *name, *help; /* "kernel"; a clause without period. NULL: the list's end */
    /* Is this its first text? NULL: by name, or when it is nothing else. A recording that is not text is asked for as
     * cleaned text, too. */
    bool (*recognize)(const char *text, size_t length);
    bool binary;                 /* the reader takes the file as it is (tacSourceFile) */
    const tacOptionRow *options; /* its own, into a record of optionsSize bytes; formats with the same rows share a
                                    record. NULL: none */
    size_t optionsSize;
    tacStatus (*read)(tacImport *import, tacError *err);
    /* Adds the text of a mapping that fits the recording to *mapping (tactus_map(5)). NULL: mappings have no meaning
     * for it. */
    tacStatus (*guess)(tacImport *import, tacText *mapping, tacError *err);
    /* What to say when these options were given and the recording is of another format; NULL: nothing. May be NULL. */
    const char *(*unused)(const void *options);
} tacFormat;

extern const tacFormat tacFormats[]; /* the trace language first; in the order of trying */

/*
 * The format of a recording: the one of that name, or, where name is NULL, found out from the first text. Waits for no
 * more of it than its first line. Errors: LOOKUP FORMAT (no format of that name; the message lists all); those of
 * tacSourceNext.
 */
tacStatus tacImportFormat(tacImport *import, const char *name, const tacFormat **format, tacError *err);

/* The records of all formats' own options lie in one block of memory: its size, and where a format's record begins in
 * it. */
size_t tacFormatRecordsSize(void);
size_t tacFormatRecord(const tacFormat *format);

/* A sink that takes remarks and progress only, for readers of records. It lives as long as the import. */
tacSink tacImportSink(tacImport *import);

#endif
