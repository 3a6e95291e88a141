/*
 * datLibrary.h -- what a library for trace.dat does for dat.c: import/kernel/tracecmd.c by libtracecmd, or
 * import/kernel/noTracecmd.c where the program is built without.
 *
 * It runs in a process of its own, and nothing that it does is trusted.
 */
#ifndef TAC_IMPORT_KERNEL_DAT_LIBRARY_H
#define TAC_IMPORT_KERNEL_DAT_LIBRARY_H

#include "import/kernel/dat.h"

bool tacDatLibraryAvailable(void);

/* A file to read, what takes its records, and which texts are wanted. */
typedef struct tacDatRequest {
    const tacFile *file;
    const tacSink *sink; /* of which report and progress are used */
    tacKernelTake *take;
    void *takeData;
    tacKernelWants *wants; /* NULL: none */
    void *wantsData;
} tacDatRequest;

/*
 * Memory for what the library says of a file, which this process shares with those that it forks: so it is known even
 * when the library crashes. NULL: there is none.
 */
enum { TAC_DAT_SAID = 4096 }; /* bytes, the last is 0 */
char *tacDatLibraryListen(void);
void tacDatLibraryForget(char *said); /* NULL is fine */

/* For a process of its own: from now on its standard output and error output go there (NULL: nowhere). */
void tacDatLibraryPrepare(char *said);

/*
 * Reads the file and closes it. The texts and names of records point into the library's memory; names of events stay
 * where they are until the end. Errors: those of take, MEMORY, FORMAT DAMAGED.
 */
tacStatus tacDatLibraryRead(const tacDatRequest *request, tacError *err);

#endif
