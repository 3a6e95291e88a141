/*
 * walls.h -- the walls around a worker process (worker.h), and whether they stand: doc/tactus_sandbox.5 describes them.
 */
#ifndef TAC_READ_WALLS_H
#define TAC_READ_WALLS_H

#include "base/port.h"

/* In the order in which they are raised. */
typedef enum tacWall {
    TAC_WALL_DESCRIPTORS,  /* all but its own are closed */
    TAC_WALL_CAPABILITIES, /* none, also for root */
    TAC_WALL_DUMPABLE,     /* other processes of the user cannot look into it, and it leaves no core */
    TAC_WALL_PRIVILEGES,   /* no program that it might start gives it more of them */
    TAC_WALL_LANDLOCK,     /* no file can be named */
    TAC_WALL_LIMITS,       /* of memory, processor time, files, processes */
    TAC_WALL_CALLS,        /* a filter of system calls; one that is not on its list ends the process */
    TAC_WALLS
} tacWall;

typedef enum tacWallState {
    TAC_WALL_MISSING,     /* not tried */
    TAC_WALL_STANDS,      /* in force */
    TAC_WALL_UNSUPPORTED, /* this system does not have it */
    TAC_WALL_LEFT_OUT,    /* the process is watched by a sanitizer or valgrind, which need what it forbids */
    TAC_WALL_FAILED,      /* the system refused it: nothing is evaluated */
    TAC_WALL_STATES
} tacWallState;

/* The state of each wall, and the system's error number where it is not in force; bytes, since processes share them. */
typedef struct tacWallStates {
    uint8_t state[TAC_WALLS], problem[TAC_WALLS];
    uint8_t namespaces; /* of its own that the process has: bits of tacWallNamespace */
} tacWallStates;

typedef enum tacWallNamespace {
    TAC_WALL_USERS = 1,
    TAC_WALL_PROCESSES = 2,
    TAC_WALL_IPC = 4,
    TAC_WALL_NETWORK = 8
} tacWallNamespace;

#endif
