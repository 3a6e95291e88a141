/*
 * parent.h -- the parent's half of a worker, for worker.c (work that ends) and workerStream.c (bytes by and by).
 *
 *      new -> start -> take, serve ... -> finish -> free
 */
#ifndef TAC_UNIX_PARENT_H
#define TAC_UNIX_PARENT_H

#include "child.h"
#include "wire.h"
#include "zygote.h"

/* A worker as its parent sees it. */
typedef struct tacParentWorker {
    tacHandlers handlers; /* its functions after the reading, if it stays (handlers.h) */
    const tacSink *sink;
    tacReadOptions options;
    tacWireReader reader;
    tacWorkerPage *page;
    tacSource *text;      /* that the child asks for; NULL: none */
    tacZygoteChild child; /* 0: it has ended */
    tacError *err;
    tacStatus result; /* of the body, once done */
    bool done;        /* the body has ended */
    bool serves;      /* the body has ended, and the child waits for events */
    bool handling;    /* the child has a batch of events */
    bool ended;       /* the child's stream has ended */
    bool paused;      /* a record waits to be read by and by (tacWorkerNext) */
    bool asking;      /* the child waits for the answer to `question`, which is about a later position of the replay */
    tacWireRecord question;
    uint32_t position;         /* of the replay */
    uint32_t next;             /* first position that is in no batch yet */
    uint64_t bytesRead, total; /* as the child said last */
    int64_t lastLife;          /* time in seconds at which the child last sent, received or computed */
    uint64_t lastNanos;        /* its CPU time of evaluation then */
    bool evaluates;            /* its time is that of scripts */
    uint64_t caused;           /* nanoseconds of CPU time that scripts cost this process, and will */
} tacParentWorker;

/* A worker that is not started; *page gets the descriptor of its page, which is the caller's to close. NULL: error. */
tacParentWorker *tacParentNew(const tacReadOptions *options, const tacSink *sink, int *page, tacError *err);
/* Starts the child. */
tacStatus tacParentStart(tacParentWorker *w, const tacWorkerJob *job, int page);
/* Takes records until there are no more, one waits for the replay, or the body has ended: later ones do not count. */
tacStatus tacParentTake(tacParentWorker *w);
/*
 * Takes the records of the child until it is idle or its stream ends. The time that it may be silent counts while it
 * neither sends nor computes.
 */
tacStatus tacParentServe(tacParentWorker *w);
/*
 * Ends the child and returns its result, or the reason of its end. It is killed, also when its body has ended, since it
 * has nothing more to do, and when its stream has: one that is leaving by itself keeps its status, and one that has
 * only closed the stream would stay.
 */
tacStatus tacParentFinish(tacParentWorker *w, tacStatus status);
/* Ends the child, if it is alive, and frees everything. */
void tacParentFree(tacParentWorker *w);

#endif
