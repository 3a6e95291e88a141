/*
 * datLibrary.h -- reading of trace.dat by a library, for dat.c: import/kernel/tracecmd.c uses libtracecmd,
 * import/kernel/noTracecmd.c stands in its place where the program is built without it.
 *
 * It runs in a process of its own, and its results are not trusted.
 */
#ifndef TAC_IMPORT_KERNEL_DAT_LIBRARY_H
#define TAC_IMPORT_KERNEL_DAT_LIBRARY_H

#include "import/kernel/dat.h"

bool tacDatLibraryAvailable(void);

/* A file to read, and the takers of its records and remarks. */
typedef struct tacDatRequest {
    const tacFile *file;
    const tacSink *sink; /* only report and progress are used */
    tacKernelTake *take;
    void *takeData;
    tacKernelWants *wants; /* NULL: none */
    void *wantsData;
} tacDatRequest;

/* Sends the process's standard output and error output to these TAC_WORKER_SAID bytes from now on (NULL: nowhere). */
void tacDatLibraryPrepare(char *said);

/*
 * Reads the file and closes it. The texts and names of records point into the library's memory; names of events stay
 * where they are until the end. Errors: those of take, MEMORY, FORMAT DAMAGED.
 */
tacStatus tacDatLibraryRead(const tacDatRequest *request, tacError *err);

#endif
