/*
 * confine.h -- takes from a worker process, before it evaluates anything, memory beyond a limit, files, sockets,
 * processes, and every system call that evaluation does not need.
 */
#ifndef TAC_UNIX_CONFINE_H
#define TAC_UNIX_CONFINE_H

#include "base/port.h"

#include <sys/types.h>

/*
 * Confines this process for the rest of its life. memoryLimit: bytes beyond those it has now; INT64_MAX: no limit.
 * copies: of open files that it may still make; it can open none. Limits that the system does not offer are left out:
 * the sandbox alone is safe, this is a second wall.
 */
void tacConfine(int64_t memoryLimit, int copies);

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

/* Lets this process end when its parent does, as far as the system offers that. */
void tacConfineToParent(pid_t parent);

#endif
