/*
 * apart.h -- work done in a copy of this process while this one goes on: for work that takes long, changes nothing
 * that is kept, and has a result of a few bytes (files that it writes may be larger).
 *
 * tacApartStart forks; the copy calls work(data, &length), sends its result and ends without exit handlers. Memory is
 * shared until one of the two writes to it. Read `fd` to its end, then call tacApartEnd, which ends the copy wherever
 * it is; so a result that is no longer wanted costs nothing. Both processes must leave alone what they share outside
 * of memory (the X connection, open files).
 */
#ifndef TAC_BASE_APART_H
#define TAC_BASE_APART_H

#include "base/error.h"

typedef struct tacApart {
    int fd; /* to read from, the caller's to close; -1: none */
    long process;
} tacApart;

typedef const char *tacApartWork(void *data, size_t *length);

/* Starts the work. TAC_ERROR: code APART, no process could be made or the platform has none; the caller may do the
 * work itself then. */
tacStatus tacApartStart(tacApart *apart, tacApartWork *work, void *data, tacError *err);
/* Ends the copy, whether it is done or not. */
void tacApartEnd(const tacApart *apart);

#endif
