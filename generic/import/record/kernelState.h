/*
 * kernelState.h -- the kernel's part of a recording while it is read. For kernel.c and kernelJob.c only.
 */
#ifndef TAC_IMPORT_RECORD_KERNEL_STATE_H
#define TAC_IMPORT_RECORD_KERNEL_STATE_H

#include "import/kernel/field.h"
#include "import/kernel/kernel.h"
#include "import/kernel/map.h"
#include "import/record/state.h"
#include "read/clean.h"
#include "record/tactusrec_trace.h"

enum { TAC_RECORD_MARK = 4096 }; /* bytes of a mark that are kept */

typedef enum tacRecordKernelManner { /* in which the elements of a sensor are read */
    TAC_MANNER_TEXT,                 /* their fields as a text, if their event is wanted */
    TAC_MANNER_FIELDS,               /* by the places of its fields */
    TAC_MANNER_CALL,                 /* a system call: all numbers as arguments */
    TAC_MANNER_PRINT,                /* a mark in pieces */
    TAC_MANNER_LOST,
    TAC_MANNER_THREAD
} tacRecordKernelManner;

typedef struct tacRecordKernelPlace { /* of a slot */
    const tacrec_fieldEntry *field;
    tacSlotType type;
    size_t at; /* in tacKernelRecord */
} tacRecordKernelPlace;

typedef struct tacRecordKernelKind { /* a sensor */
    tacRecordSensor *sensor;
    tacRecordKernelManner manner;
    tacKernelEvent event;
    tacKernelText name;         /* of the event; of a system call: its own */
    const tacKernelFields *row; /* FIELDS */
    tacRecordKernelPlace places[TAC_KERNEL_SLOTS];
    int nPlaces;
    bool copied; /* the text of its fields is wanted */
} tacRecordKernelKind;

typedef struct tacRecordKernelProcessor {
    uint32_t expected; /* number of its next event */
    bool begun;
} tacRecordKernelProcessor;

typedef struct tacRecordSaidTask { /* a program's task that has a thread */
    int32_t pid;
    tacKernelSaidTask kernel;
    char name[TACREC_OBJECT_NAME];
} tacRecordSaidTask;

typedef struct tacRecordSaidJob { /* something that a program said of a job of such a task */
    int64_t time;
    uint32_t order; /* among those of the same time */
    tacKernelEvent event;
    int32_t pid, other; /* threads; -1: none */
    uint32_t number, otherNumber;
    uint32_t mutex; /* object index, or TAC_NONE */
} tacRecordSaidJob;

struct tacRecordKernel {
    tacRecord *r;
    uint32_t source; /* whose events are read; TAC_NONE */
    TAC_ARRAY(tacRecordKernelKind) kinds;
    TAC_ARRAY(tacRecordKernelProcessor) processors;
    TAC_ARRAY(uint32_t) nameOf; /* by pid: index in names, of threads that were there at the beginning; TAC_NONE */
    tacInternTable names;
    /* Of programs, kernelJob.c: */
    TAC_ARRAY(tacRecordSaidTask *) tasks; /* by id in taskKeys: source, number; at different threads */
    tacInternTable taskKeys, threadKeys;
    TAC_ARRAY(tacRecordSaidJob) jobs; /* by time */
    size_t told;                      /* of jobs, that are delivered */
    int64_t due;                      /* time of the next one; INT64_MAX: there is none */
    uint64_t misfits;                 /* of r, before the kernel's part was read */
    uint64_t bad;                     /* elements that are left out */
    struct {                          /* a mark of which there are some pieces */
        uint32_t number, have;        /* bytes so far */
        int32_t processor;
        char text[TAC_RECORD_MARK];
    } mark;
    /* Texts of the record at hand: */
    char cleaned[TAC_KERNEL_SLOTS][TACREC_ELEMENT + 1];
    char text[TAC_RECORD_MARK];
    char clean[TAC_CLEAN_GROWTH * (TAC_RECORD_MARK + TAC_CLEAN_HELD)];
    /* Its receiver: */
    tacKernelTake *take;
    void *takeData;
    tacError *err;
};

/* ---- kernel.c ---- */

/* Lets the sensors that are wanted be merged again as if it were for the first time. */
void tacRecordKernelAgain(tacRecordKernel *k, bool (*wants)(void *data, const tacRecordSensor *sensor));

/* ---- kernelJob.c; false: an error ---- */

/* Gathers what programs say of tasks that have threads. */
bool tacRecordKernelJobs(tacRecordKernel *k);
void tacRecordKernelJobsFree(tacRecordKernel *k);
/* Hands on the tasks, before all other records; and what is said of their jobs before a time. */
bool tacRecordKernelTellTasks(tacRecordKernel *k);
bool tacRecordKernelTellJobs(tacRecordKernel *k, int64_t time);

#endif
