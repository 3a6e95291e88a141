/*
 * confine.h -- takes from a worker process, before it evaluates anything, memory beyond a limit, files, sockets,
 * processes, privileges, and every system call that evaluation does not need.
 *
 * Each of these is a wall. The result of every call that raises one is checked: a process that lacks a wall which the
 * system should have offered evaluates nothing.
 */
#ifndef TAC_UNIX_CONFINE_H
#define TAC_UNIX_CONFINE_H

#include "base/error.h"
#include "read/walls.h"

#include <sys/types.h>

/* What a confined process may still have. */
typedef struct tacConfineNeeds {
    int64_t memory;     /* bytes beyond those it has now; INT64_MAX: no limit */
    int64_t seconds;    /* of processor time in all; 0: no limit */
    int copies;         /* of open files that it may still make; it can open none */
    int files[2];       /* descriptors that stay open; -1: none */
    int (*watch)(void); /* begins to watch limits that are no matter of the kernel: an error number, or 0; NULL: none */
} tacConfineNeeds;

/*
 * Confines this process for the rest of its life, and tells the walls' states. Error LIMIT CONFINE: a wall could not be
 * raised, and nothing may be evaluated here.
 */
tacStatus tacConfine(const tacConfineNeeds *needs, tacWallStates *states, tacError *err);

/* Tells whether this process runs under a sanitizer or valgrind, which need what the walls forbid. */
bool tacConfineWatched(void);

/*
 * Tells whether resident memory has grown beyond the limit. It is asked from time to time where the address space
 * cannot be limited (sanitizers and valgrind reserve terabytes of it); elsewhere always false. Safe in a signal
 * handler.
 */
bool tacConfineExceeded(void);

/* Bytes of memory that this process has beyond those it had when it was confined. Safe in a signal handler. */
int64_t tacConfineGrowth(void);

/* Tells whether this process has used more than half of its limit, which then is why it got no more memory. */
bool tacConfineTight(void);

/*
 * Closes the sockets that were open when this process was forked, except `keep` and the standard ones. The connection
 * of a window to its display is one: through it, keys could be pressed in other programs.
 */
void tacConfineSockets(int keep);

/* Lets this process end when its parent does, as far as the system offers that; an error number, or 0. */
int tacConfineEnds(void);
/* The same; where it cannot, or the parent has ended, this process ends. */
void tacConfineToParent(pid_t parent);

#endif
