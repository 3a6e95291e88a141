/*
 * logGuess.h -- a mapping for a log, guessed from its first lines.
 */
#ifndef TAC_IMPORT_LOG_LOG_GUESS_H
#define TAC_IMPORT_LOG_LOG_GUESS_H

#include "base/error.h"
#include "base/mem.h"

/* How sure a guess is. */
typedef enum tacLogSure {
    TAC_LOG_NOT, /* there is no column of times */
    TAC_LOG_PERHAPS,
    TAC_LOG_SURE /* its names or words say what the columns are, and its lines are alike */
} tacLogSure;

/* Adds the mapping to *mapping (NULL: only asks how sure it is). blanks: columns may be parted by blanks. */
tacStatus tacLogGuessText(
    const char *text, size_t length, bool blanks, const char *name, tacText *mapping, tacLogSure *sure, tacError *err);

#endif
