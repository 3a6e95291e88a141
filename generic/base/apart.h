/*
 * apart.h -- a piece of work done in a copy of this process, while this one goes on: for what takes long, changes
 * nothing that is kept, and whose result is a few bytes (a file that it writes may be more).
 *
 * tacApartStart forks; the copy calls work(data, &length), whose result it sends, and ends without exit handlers. The
 * memory is shared until either writes to it. Read *fd to its end, then tacApartEnd, which ends the copy wherever it
 * is: so a result that nobody wants any more costs nothing. Both processes must leave alone what they have in common
 * outside (the X connection, open files).
 */
#ifndef TAC_BASE_APART_H
#define TAC_BASE_APART_H

#include "base/error.h"

typedef struct tacApart {
    int fd; /* to read from, the caller's to close; -1: none */
    long process;
} tacApart;

typedef const char *tacApartWork(void *data, size_t *length);

/* APART: no process could be made, or there is no such thing on this platform; the work may be done here then. */
tacStatus tacApartStart(tacApart *apart, tacApartWork *work, void *data, tacError *err);
void tacApartEnd(const tacApart *apart);

#endif
