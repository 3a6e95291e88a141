/*
 * apart.h -- kernel records that a worker process reads of a trace.dat (read/worker.h).
 *
 *      worker: a reader -> tacKernelPack -> tacKernelSendPiece --- the sink's commands ---> unpacked here -> take
 *
 * What comes is not trusted (pack.h).
 */
#ifndef TAC_IMPORT_KERNEL_APART_H
#define TAC_IMPORT_KERNEL_APART_H

#include "import/kernel/dat.h"
#include "import/kernel/pack.h"
#include "read/worker.h"

/* A reading in the program. sink: for remarks and progress. */
typedef struct tacKernelApart {
    const tacSink *sink;
    tacKernelTake *take;
    tacKernelWants *wants; /* NULL: no texts are wanted */
    void *data;
    tacKernelUnpacker unpacker;
    int32_t processors; /* one more than the highest that a record names */
    tacError stopped;   /* the error of take or of unpacking that ended the reading; code empty: none */
} tacKernelApart;

/* Lets a worker do the job, and takes its records. The error in *why is that of tacWorkerRun. */
tacStatus tacKernelApartRun(
    tacKernelApart *apart, const tacWorkerJob *job, const tacReadOptions *limits, tacError *why);
/* For bodies: sends a piece by a sink (tacKernelSend); asks whether the text of an event is wanted (tacKernelWants). */
tacStatus tacKernelSendPiece(void *sink, const char *bytes, size_t length, uint32_t line, tacError *err);
bool tacKernelAskWants(void *sink, tacKernelText name, bool known);

#endif
