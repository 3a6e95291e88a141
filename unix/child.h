/*
 * child.h -- the child's half of a worker: the page that it shares with its parent, and its main function.
 */
#ifndef TAC_UNIX_CHILD_H
#define TAC_UNIX_CHILD_H

#include "read/worker.h"
#include "wire.h"

/* The reason for which the child ended itself. */
typedef enum tacDeath {
    TAC_DEATH_NONE, /* it has not, or could not say so: SIGKILL */
    TAC_DEATH_TIME, /* a single command went on beyond the time limit */
    TAC_DEATH_MEMORY,
    TAC_DEATH_STACK,
    TAC_DEATH_CRASH, /* any other fatal signal */
    TAC_DEATHS
} tacDeath;

/* Memory that both processes see, so that the parent can read it however the child ended. */
typedef struct tacWorkerPage {
    volatile uint32_t line;                  /* of the script command evaluated last */
    volatile uint32_t evaluating;            /* 1: that command has not ended */
    volatile uint64_t nanos;                 /* CPU time spent in evaluation, sampled every 10 ms of CPU time */
    volatile uint64_t memory;                /* bytes that the child has beyond what it began with, sampled likewise */
    volatile uint32_t death;                 /* tacDeath */
    tacWallStates walls;                     /* as they stood when the body began */
    _Alignas(16) char said[TAC_WORKER_SAID]; /* messages of the body's libraries, or what else it leaves here */
    tacWireBatch batch;                      /* not sent yet */
} tacWorkerPage;

/*
 * Makes this process, which has just been forked, a worker, and ends it. fd: the socket to the parent; page: of the
 * memory that both share; file: -1, none. bodies: the list that the body is in.
 */
_Noreturn void tacWorkerChild(int fd, int page, int file, const tacWorkerRow *bodies);

#endif
