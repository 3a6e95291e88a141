/*
 * save.h -- the one way to write a file of the user: beside its place first, then put there, so that a failure leaves
 * the old one.
 *
 * What is no ordinary file (a pipe, a device) is written directly. Implemented by unix/save.c.
 */
#ifndef TAC_BASE_SAVE_H
#define TAC_BASE_SAVE_H

#include "base/error.h"

#include <stdio.h>

typedef struct tacSave {
    FILE *file;
    char *target;  /* where it goes, links followed; NULL: written directly */
    char *beside;  /* name it is written under meanwhile, in the same folder; NULL: it has none, or its own already */
    int slot;      /* where the signal handler finds `beside`; negative: nowhere */
    bool nameless; /* it has no name yet: `beside` is the one that it will have */
    bool borrowed; /* standard output: not closed */
    bool guarded;  /* signals are watched for until tacSaveEnd */
} tacSave;

/* Who may read a new file; one that replaces another has the permissions of that. */
typedef enum tacSaveReaders { TAC_SAVE_AS_USUAL, TAC_SAVE_PRIVATE } tacSaveReaders;

/* "-" and "/dev/stdout" are standard output. */
tacStatus tacSaveBegin(tacSave *save, const char *path, tacSaveReaders readers, tacError *err);
/* Writes out what is buffered and puts the file in its place; or, if `keep` is false or that fails, throws it away. */
tacStatus tacSaveEnd(tacSave *save, bool keep, const char *path, tacError *err);

/* For tests: from now on all files have names while they are written, as on file systems that know no others. */
void tacSaveNamed(bool named);

#endif
