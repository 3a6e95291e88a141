/*
 * confine.h -- what a worker process gives up before it evaluates anything: memory beyond a limit, files, sockets,
 * processes, and every system call that evaluation does not need.
 */
#ifndef TAC_UNIX_CONFINE_H
#define TAC_UNIX_CONFINE_H

#include "base/port.h"

#include <sys/types.h>

/*
 * Confines this process for the rest of its life. memoryLimit: bytes beyond what it has now; INT64_MAX: any. copies: of
 * open files that it may still make; it can open none. What the system does not offer is left out: the sandbox alone is
 * safe, this is the second wall.
 */
void tacConfine(int64_t memoryLimit, int copies);

/*
 * Where the address space cannot be limited (sanitizers and valgrind reserve terabytes of it), resident memory is
 * looked at instead, from time to time: has this process grown beyond the limit? Safe in a signal handler.
 */
bool tacConfineExceeded(void);

/* Bytes of memory that this process has beyond what it had when it was confined. Safe in a signal handler. */
int64_t tacConfineGrowth(void);

/* Has this process used more than half of what it may? Then that is why memory could not be had. */
bool tacConfineTight(void);

/*
 * Closes the sockets that were open when this process was forked, but for `keep` and the standard ones: a window's
 * connection to its display is one, through which keys could be pressed for others.
 */
void tacConfineSockets(int keep);

/* From now on this process ends when its parent does, as far as the system offers that. */
void tacConfineToParent(pid_t parent);

#endif
