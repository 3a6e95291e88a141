/*
 * worker.h -- a separate process for work of a reader that may go wrong: the scripts of strangers are evaluated there.
 *
 * tacWorkerRun starts one. It is a new process of a small program (unix/program/worker.c), so it has nothing of what
 * this one knows. It gives up what it does not need (files, sockets, processes, memory beyond the limit, most system
 * calls: walls.h) and runs a body of that program with a sink that sends everything in batches to the parent, which
 * hands it to the real sink in the same order, with the same lines, as if the body had run here. However the child ends
 * - out of memory, out of stack, in an endless loop within one command - everything that it had sent is kept, and the
 * rest becomes one clear error.
 *
 *   child:  body -> sink' -> batch --- socket ---> parent: records -> sink
 *                     ^---------------- socket ---- arguments; text; answers (queries; results of commands a script
 *                                                   may catch)
 *
 * The child holds no copy of what the sink makes: commands are sent without waiting for their result, and the parent
 * reports those that fail, as a reader does. So a command of sink' returns TAC_OK unless tacWorkerWait(true) is on.
 *
 * unix/worker.c does this. A platform without such processes says so: tacWorkerAvailable() is false there.
 */
#ifndef TAC_READ_WORKER_H
#define TAC_READ_WORKER_H

#include "read/reader.h"
#include "read/walls.h"

bool tacWorkerAvailable(void); /* false in a worker as well */

/* The arguments of a body, in the worker process. */
typedef struct tacWorkerCall {
    const tacWord *words;
    int count;
    tacFile *file; /* open for reading; NULL: none */
    const tacReadOptions *options;
} tacWorkerCall;

/* A function that runs in the worker process. */
typedef tacStatus tacWorkerBody(const tacWorkerCall *call, const tacSink *sink, tacError *err);

/* The bodies of the worker program, to the one without a name. */
typedef struct tacWorkerRow {
    const char *name;
    tacWorkerBody *run;
} tacWorkerRow;
extern const tacWorkerRow tacWorkerBodies[];
extern tacWorkerBody tacUnpackBody; /* "unpack": unpacks a file (source.c) */
extern tacWorkerBody tacReaderBody; /* "script": goes on reading a trace, with a sandbox (reader.c) */

enum { TAC_WORKER_SAID = 4096 }; /* bytes, the last is 0 */

/* What is to be done in a worker process. */
typedef struct tacWorkerJob {
    const char *body;     /* its name in tacWorkerBodies */
    const tacWord *words; /* arguments */
    int count;
    const tacFile *file;  /* open file for the body; NULL: none */
    int copies;           /* of it that the body may make, for a library that reads at several places */
    tacSource *text;      /* text that the body asks for by tacWorkerText; NULL: none */
    char *said;           /* gets the TAC_WORKER_SAID bytes of tacWorkerSaid; NULL: not wanted */
    tacWallStates *walls; /* gets the walls around the process; NULL: not wanted */
} tacWorkerJob;

/*
 * Does the job in a worker process; status and err are those that its body returned there. Besides, TAC_ERROR with
 *   LIMIT MEMORY, LIMIT TIME, LIMIT DEPTH   the child reached this limit
 *   LIMIT CRASH, LIMIT KILLED, LIMIT STUCK  it ended, or had to be ended, for no known reason
 *   LIMIT FORBIDDEN                         the system ended it at a system call that it may not make
 *   LIMIT CONFINE                           it could not be confined, and did nothing
 *   LIMIT PROCESS                           no process could be started
 *   LIMIT ..., MEMORY                       from the sink's own functions
 *   CANCELLED                               progress said false
 * None of them is reported to the sink; their messages name the line that was evaluated. Everything sent before is in
 * the sink, of which only `command` must be there; LIMIT CRASH is the end of a worker that asks one without `query`.
 *
 * The limits: memory is address space beyond what the process began with; time is the CPU time between
 * tacWorkerLine(n) and tacWorkerLine(0), sampled, so that reading literal commands - however many - costs none of it.
 * The sandbox stops a script at the limit; a single command that does not return is stopped a little later (an eighth
 * of the limit, half a second at least) by the child itself.
 *
 * When the body has asked for it (tacWorkerServe) and ended well, *options->handlers is the worker, which stays alive
 * for the events of the replay.
 */
tacStatus tacWorkerRun(const tacWorkerJob *job, const tacReadOptions *options, const tacSink *sink, tacError *err);

/*
 * A worker of which the bytes are read by and by: its body sends them as commands of one word each. tacWorkerNext waits
 * for some; *got 0: the end; TAC_ERROR, once: an error instead of more, as of tacWorkerRun. Closing ends the worker.
 */
typedef struct tacWorkerStream tacWorkerStream;
tacStatus tacWorkerOpen(const tacWorkerJob *job, tacWorkerStream **stream, tacError *err);
tacStatus tacWorkerNext(tacWorkerStream *stream, void *buffer, size_t size, size_t *got, tacError *err);
bool tacWorkerReady(const tacWorkerStream *stream, int milliseconds); /* is there something, at last? */
uint64_t tacWorkerBytes(const tacWorkerStream *stream);               /* that the body has read, as it said last */
void tacWorkerClose(tacWorkerStream *stream);                         /* NULL is fine */

/* The program of worker processes, its name beside this library (changed only for tests). */
extern const char *tacWorkerProgram;

/* The limits that options mean: 0 is the default, a negative number no limit. */
static inline double tacTimeLimit(const tacReadOptions *options) { /* seconds; 0: none */
    return options->timeLimit == 0 ? 60 : options->timeLimit < 0 ? 0 : options->timeLimit;
}
static inline int64_t tacCommandLimit(const tacReadOptions *options) { /* 0: none */
    return options->commandLimit == 0 ? 1000000000 : options->commandLimit < 0 ? 0 : options->commandLimit;
}
static inline int64_t tacMemoryLimit(const tacReadOptions *options) { /* bytes; INT64_MAX: none */
    int64_t usual = (int64_t) 1 << 30;
    if (options->wholeLimit && options->wholeLimit < (uint64_t) usual) usual = (int64_t) options->wholeLimit;
    return options->memoryLimit == 0 ? usual : options->memoryLimit < 0 ? INT64_MAX : options->memoryLimit;
}

/* ---- for code that may or may not run within a worker: outside of one these functions do nothing ---- */

/* Notes that evaluation of the script command of this line begins; 0: it has ended. */
void tacWorkerLine(uint32_t line);
/* Returns the CPU seconds spent in evaluation so far; negative: this process is not a worker. */
double tacWorkerSeconds(void);
/* Makes commands of sink' wait for their results from now on (a round trip each), or no longer. */
void tacWorkerWait(bool wait);
/* Keeps the worker alive when the body has ended: `event` is called for each event that comes (handlers.h). */
typedef tacStatus tacWorkerEvent(void *data, const tacWord *words, int count, int list, tacError *err);
void tacWorkerServe(tacWorkerEvent *event, void *data);
/* Opens a source of the job's file or text, which is taken as it is, packed or not. Only in a worker. */
void tacWorkerSource(tacSource *source, const tacWorkerCall *call);
/*
 * Receives some of the job's text; *got 0: the end, which is damage where *damage says so (tacSource.damage, .cut).
 * Only in a worker.
 */
void tacWorkerText(void *buffer, size_t size, size_t *got, tacError *damage, bool *cut);
/* Memory of TAC_WORKER_SAID bytes for messages, which the parent has however the worker ends; NULL outside of one. */
char *tacWorkerSaid(void);
/* Sends everything collected and ends the worker, for want of memory. */
void tacWorkerOutOfMemory(void);

#endif
