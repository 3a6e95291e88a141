/*
 * late.h -- libraries of Tactus that are loaded when they are needed: their dependencies are many, and most commands
 * need none of them.
 */
#ifndef TAC_BASE_LATE_H
#define TAC_BASE_LATE_H

#include "base/port.h"

enum { TAC_LATE_TEXT = 512 };

/* The path of a file beside the library or program that this code is in. False: it is not known, or too long. */
bool tacBeside(const char *file, char *path, size_t size);
/* What a library beside that one calls `symbol`; it stays loaded. NULL: `why` says why not. */
const void *tacLate(const char *library, const char *symbol, char why[TAC_LATE_TEXT]);

#endif
