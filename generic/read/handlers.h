/*
 * handlers.h -- the handlers of events that a trace carries, alive from the end of its reading to the end of its
 * replay.
 *
 * A script that has registered handlers (read/sandboxHandle.c) stays where it was evaluated, in its sandbox and mostly
 * in its worker process, with the limits it had. The replay tells it each row that it has reached (tacHandlersRow);
 * questions of the handlers are answered as of that row. In a worker events are sent ahead in batches, so that a
 * handler that asks nothing costs no waiting; one that asks about a later row waits until the replay has come there:
 *
 *   replay at row r:  a batch is under way? let it run until it ends or asks about a row after r
 *                     else send the next batch, from row r on
 *
 * Handlers never change the trace, even if they fail.
 */
#ifndef TAC_READ_HANDLERS_H
#define TAC_READ_HANDLERS_H

#include "read/sink.h"

enum { TAC_HANDLER_WORDS = 256 }; /* of an event at most; further words are left out */

typedef struct tacHandlerEvent {
    uint32_t row;         /* position: 0 before the first row, row + 1, one more than that after the last */
    uint32_t line;        /* of the trace */
    const tacWord *words; /* time, name, the event's words */
    int count;
    int list; /* the word that is a list of all the rest; 0: none */
} tacHandlerEvent;

/* The events of the replay, and its answers to the handlers. */
typedef struct tacHandlerSource {
    /* Finds the first event at or after position `from` that some handler wants; false: none. Words are valid until the
     * next call. */
    bool (*next)(void *data, uint32_t from, tacHandlerEvent *event);
    void *data;
    /*
     * Functions for the commands of a handler: query answers about the row that the replay is at, command mostly
     * refuses; report, progress and commandNames are as in reading.
     */
    tacSink sink;
} tacHandlerSource;

/* The functions of a place where handlers are evaluated: unix/worker.c, read/sandbox.c. */
typedef struct tacHandlers tacHandlers;
struct tacHandlers {
    tacStatus (*row)(tacHandlers *handlers, uint32_t row, const tacHandlerSource *source, tacError *err);
    void (*release)(tacHandlers *handlers);
};

/*
 * Tells the handlers that the replay has come to a position; positions ascend. TAC_ERROR ends the handlers: codes are
 * those of tacWorkerRun (worker.h) and of tacSandboxEval; only MEMORY and CANCELLED concern more than the handlers.
 */
static inline tacStatus tacHandlersRow(
    tacHandlers *handlers, uint32_t row, const tacHandlerSource *source, tacError *err) {
    return handlers->row(handlers, row, source, err);
}
static inline void tacHandlersFree(tacHandlers *handlers) {
    if (handlers) handlers->release(handlers);
}

#endif
