/*
 * zygote.h -- starts worker processes: a small program (unix/program/worker.c), which is started once and becomes a new
 * worker by each request.
 *
 *   this process --- fork, exec ---> the program, in namespaces of its own --- fork ---> a worker, and another
 *        |   <----- control ------>       |   waits for requests, and tells how workers ended
 *
 * The program begins with nothing of this process: neither memory nor open files. It is as ready as can be (its
 * libraries are there, an interpreter is made), so that a worker costs a fork of a small process.
 */
#ifndef TAC_UNIX_ZYGOTE_H
#define TAC_UNIX_ZYGOTE_H

#include "base/error.h"

/* ---- in this process --------------------------------------------------------------------------------------------- */

typedef uint64_t tacZygoteChild; /* a worker; 0: none */

/* Makes a worker, which gets these descriptors; file -1: none. Error LIMIT PROCESS. */
tacStatus tacZygoteFork(int socket, int page, int file, tacZygoteChild *child, tacError *err);
/* Ends a worker, if `end` says so, waits for its end, and returns its status as waitpid does; -1: nobody knows, since
 * the program has ended. */
int tacZygoteWait(tacZygoteChild child, bool end);
/* Says how the program ended. Errors LIMIT PROCESS, LIMIT KILLED. */
tacStatus tacZygoteFailed(tacError *err);
/* Namespaces that workers have of their own: bits of tacWallNamespace. */
unsigned tacZygoteNamespaces(void);

/* ---- both sides of the control socket: each message is one packet ------------------------------------------------ */

enum { TAC_ZYGOTE_CONTROL = 3 }; /* the program's descriptor */

typedef struct tacZygoteRequest {
    uint64_t child;
    uint64_t end; /* 1: end it; 0: make it, with socket, page and file (maybe) as descriptors */
} tacZygoteRequest;

typedef struct tacZygoteEnd {
    uint64_t child;
    int64_t status; /* as waitpid tells it */
} tacZygoteEnd;

#endif
