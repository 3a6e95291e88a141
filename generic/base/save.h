/*
 * save.h -- a file that is written beside its place and then put there, so that a failure leaves the old one.
 *
 * Written by unix/ and win/. What is no ordinary file (a pipe, a device) is written directly.
 */
#ifndef TAC_BASE_SAVE_H
#define TAC_BASE_SAVE_H

#include "base/error.h"

#include <stdio.h>

typedef struct tacSave {
    FILE *file;
    char *target;  /* where it goes, links followed; NULL: written directly */
    char *beside;  /* name it is written under meanwhile, in the same folder; NULL: it has none, or its own already */
    bool nameless; /* it has no name yet: `beside` is the one that it will have */
    bool borrowed; /* standard output: not closed */
} tacSave;

/* "-" and "/dev/stdout" are standard output. */
tacStatus tacSaveBegin(tacSave *save, const char *path, tacError *err);
/* Writes out what is buffered and puts the file in its place; or, if `keep` is false or that fails, throws it away. */
tacStatus tacSaveEnd(tacSave *save, bool keep, const char *path, tacError *err);

#endif
