/*
 * save.h -- writing a file of the user: it is written beside its place and moved there at the end, so that a failure
 * leaves the old file.
 *
 * A pipe or a device is written directly. Implemented by unix/save.c.
 */
#ifndef TAC_BASE_SAVE_H
#define TAC_BASE_SAVE_H

#include "base/error.h"

#include <stdio.h>

typedef struct tacSave {
    FILE *file;
    char *target;  /* path of the file, links followed; NULL: it is written directly */
    char *beside;  /* its name while it is written, in the same folder; NULL: it has none, or its final one */
    int slot;      /* index of `beside` for the signal handler; negative: none */
    bool nameless; /* it has no name yet; `beside` is the name that it gets first */
    bool borrowed; /* standard output: not closed */
    bool guarded;  /* signals are watched for until tacSaveEnd */
} tacSave;

/* Readers of a new file; a file that replaces another takes over its permissions. */
typedef enum tacSaveReaders { TAC_SAVE_AS_USUAL, TAC_SAVE_PRIVATE } tacSaveReaders;

/* Begins to write a file. "-" and "/dev/stdout" are standard output. */
tacStatus tacSaveBegin(tacSave *save, const char *path, tacSaveReaders readers, tacError *err);
/* Writes out what is buffered and puts the file in its place; throws it away when that fails or `keep` is false. */
tacStatus tacSaveEnd(tacSave *save, bool keep, const char *path, tacError *err);

/* Removes all files that are being written, for a process that ends at once. */
void tacSaveAbandon(void);

/* For tests: true gives files a name from the start, as on file systems without nameless files. */
void tacSaveNamed(bool named);

#endif
