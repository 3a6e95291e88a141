/*
 * kernel.h -- recordings of the Linux kernel as formats (import/import.h): their options, their reading, and the guess
 * of a mapping.
 *
 *      text.c (text), dat.c (trace.dat), import/record -> record.h -> tasks.h -> rows of the store
 *                                                                  -> guess.h -> text of a mapping
 */
#ifndef TAC_IMPORT_KERNEL_KERNEL_H
#define TAC_IMPORT_KERNEL_KERNEL_H

#include "import/import.h"
#include "import/kernel/dat.h"

typedef struct tacKernelOptions {
    const char *const *keep; /* glob patterns of names of events that are kept as messages; NULL-terminated, or NULL */
    const char *map;         /* file of a mapping (mapFile.h), or "auto": a guessed one; NULL: none */
    const char *mapText;     /* the text of a mapping, which takes precedence over the file; NULL: none */
    const char *mapName;     /* of that text, in messages; NULL: "mapping" */
    bool allThreads;         /* threads of other programs than those that were recorded have rows, too */
    int blocked;             /* tacKernelBlocked: the rule that tells blocked threads from waiting ones */
} tacKernelOptions;

extern const tacOptionRow tacKernelRows[];

tacStatus tacKernelImportText(tacImport *import, tacError *err);
tacStatus tacKernelImportDat(tacImport *import, tacError *err);
tacStatus tacKernelGuessText(tacImport *import, tacText *mapping, tacError *err);
tacStatus tacKernelGuessDat(tacImport *import, tacText *mapping, tacError *err);
const char *tacKernelUnused(const void *options);

/* ---- for recordings of another format that have the kernel's events among others ---- */

/* Delivers all records in the order of time; wants: as for tacKernelReadDat. It may be called twice. */
typedef tacStatus tacKernelDeliver(
    void *data, const tacSink *sink, tacKernelTake *take, tacKernelWants *wants, void *takeData, tacError *err);

/* Makes tasks, jobs and marks of these records, as the import's tacKernelOptions say. */
tacStatus tacKernelImportFrom(tacImport *import, tacKernelDeliver *deliver, void *data, tacError *err);
tacStatus tacKernelGuessFrom(tacImport *import, tacKernelDeliver *deliver, void *data, tacText *mapping, tacError *err);

#endif
