/*
 * state.h -- the state that reading a BTF file keeps between rows. For the files of import/btf only.
 *
 * An object of the store (task, job, processor, mutex ...) has its entry here under the same index.
 */
#ifndef TAC_IMPORT_BTF_STATE_H
#define TAC_IMPORT_BTF_STATE_H

#include "import/btf/row.h"
#include "trace/diag.h"
#include "trace/store.h"

typedef struct tacBtfProcess { /* a task or an ISR */
    uint32_t line;             /* of its first mention */
    bool isr;
    uint16_t core; /* of its instance that ran last; TAC_NO_PROCESSOR: none ran */
} tacBtfProcess;

typedef enum tacBtfJobState { /* as the specification's states of a process (Table 6), as far as they matter here */
    TAC_BTF_UNSEEN,
    TAC_BTF_ACTIVE, /* activated, not started */
    TAC_BTF_RUNNING,
    TAC_BTF_READY,
    TAC_BTF_WAITING, /* waits passively, PARKING included */
    TAC_BTF_TERMINATED
} tacBtfJobState;

typedef struct tacBtfJob { /* an instance of a process */
    tacBtfJobState state;
    uint16_t core;      /* on which it runs or ran; TAC_NO_PROCESSOR: not known */
    uint32_t polling;   /* row of the annotation that it polls now; TAC_NONE: it does not poll */
    uint32_t runnables; /* the newest of its runnables that have not ended: index into tacBtf.open; TAC_NONE */
    uint32_t depth;     /* number of these runnables */
    uint32_t successor; /* job of the same instance, which has started again without an activation; TAC_NONE */
} tacBtfJob;

typedef struct tacBtfCore {
    uint32_t line;    /* of its first mention */
    uint32_t running; /* job; TAC_NONE: none, or not known */
} tacBtfCore;

typedef struct tacBtfOpen { /* a runnable that has begun */
    uint32_t name;          /* string id of its name and instance */
    uint32_t row;           /* its annotation */
    uint32_t next;          /* runnable of the same job that began before: index into tacBtf.open; TAC_NONE */
} tacBtfOpen;

typedef struct tacBtfResource { /* a semaphore, mutex or queue */
    uint32_t line;              /* of its first mention */
    uint32_t holder;            /* of a mutex: job; TAC_NONE */
    uint32_t fill, most;        /* of a queue: elements in it, and the most so far */
    uint64_t sent;              /* elements so far */
} tacBtfResource;

typedef struct tacBtfUnused { /* rows of one type and event that are not shown */
    uint64_t count;
    uint32_t line; /* of the first */
    bool known;    /* the specification has them */
} tacBtfUnused;

typedef struct tacBtf {
    tacStore *store;
    tacDiag *diag;
    tacError *err; /* of the row at hand */
    tacBtfHeader header;
    bool coresDeclared; /* rows or the header have named the cores: there are no others */
    bool begun;         /* there was a row */
    uint32_t line;      /* of the row at hand */
    int64_t now;        /* ticks: time of the row at hand */
    TAC_ARRAY(tacBtfProcess) processes;
    TAC_ARRAY(tacBtfJob) jobs;
    TAC_ARRAY(tacBtfCore) cores;
    TAC_ARRAY(tacBtfResource) mutexes, semaphores, queues;
    TAC_ARRAY(tacBtfOpen) open;
    uint32_t freeOpen; /* first unused one of open, linked by next; TAC_NONE */
    tacInternTable unusedNames;
    TAC_ARRAY(tacBtfUnused) unused; /* by id in unusedNames */
    uint32_t deep;                  /* runnables that are not shown, since too many had begun in their job */
} tacBtf;

/* Handlers of rows. False: no memory, or a limit; b->err says which. */
typedef bool tacBtfHandler(tacBtf *b, const tacBtfRow *row);

/* ---- btf.c ---- */

/* Appends a row to the store, at the time of the row at hand. */
bool tacBtfAppend(tacBtf *b, tacEvent event, uint32_t subject, uint32_t object, uint16_t core);
/* Adds an option to the row that was appended last. */
bool tacBtfOption(tacBtf *b, tacOption option, uint32_t string);
/* String of the store: both words with a blank between them; the second may be empty. TAC_NONE: no memory. */
uint32_t tacBtfString(tacBtf *b, const tacWord *first, const tacWord *second);
/* Counts a row that is not shown. known: the specification has it. */
bool tacBtfNotUsed(tacBtf *b, const tacBtfRow *row, bool known);

/* ---- process.c ---- */

tacBtfHandler tacBtfProcessRow, tacBtfRunnableRow, tacBtfCoreRow;
bool tacBtfDeclareCore(tacBtf *b, const tacWord *name);
/* Finds the present job of a process's instance; TAC_NONE: there is none. False: no memory. */
bool tacBtfInstance(tacBtf *b, const tacWord *process, const tacWord *instance, uint32_t *job);
void tacBtfEndRunnables(tacBtf *b); /* ends those that are open at the end of the file */

/* ---- resource.c ---- */

tacBtfHandler tacBtfStimulusRow, tacBtfSemaphoreRow;

#endif
