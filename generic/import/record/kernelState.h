/*
 * kernelState.h -- the kernel's part of a recording while it is read. For kernel.c only.
 */
#ifndef TAC_IMPORT_RECORD_KERNEL_STATE_H
#define TAC_IMPORT_RECORD_KERNEL_STATE_H

#include "import/kernel/field.h"
#include "import/kernel/kernel.h"
#include "import/record/state.h"
#include "read/clean.h"

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

struct tacRecordKernel {
    tacRecord *r;
    uint32_t source; /* whose events are read; TAC_NONE */
    uint32_t others; /* sensors of other sources */
    TAC_ARRAY(tacRecordKernelKind) kinds;
    TAC_ARRAY(tacRecordKernelProcessor) processors;
    TAC_ARRAY(uint32_t) nameOf; /* by pid: index in names, of threads that were there at the beginning; TAC_NONE */
    tacInternTable names;
    uint64_t bad;              /* elements that are left out */
    struct {                   /* a mark of which there are some pieces */
        uint32_t number, have; /* bytes so far */
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

#endif
