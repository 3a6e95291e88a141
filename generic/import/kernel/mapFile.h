/*
 * mapFile.h -- reads a mapping file: a script of a few commands of its own (tactus_map(5)) that become the rules of a
 * tacKernelMap.
 *
 * It is read as a trace is (read/reader.h): plain commands without evaluation, other Tcl code in the sandbox, with the
 * same limits and in a process of its own. So a mapping from a stranger can do no harm, as a trace cannot.
 *
 * Any error in a mapping fails the whole, with the place of the first error: rows and numbers would be wrong otherwise,
 * and nothing in them would show it.
 */
#ifndef TAC_IMPORT_KERNEL_MAP_FILE_H
#define TAC_IMPORT_KERNEL_MAP_FILE_H

#include "import/kernel/map.h"
#include "read/reader.h"

/*
 * Reads a mapping file. Its output goes to diag as notes; diag may be NULL. options: the limits; NULL: defaults.
 * Errors: "MAP ..." (the mapping is wrong; the message begins with FILE:LINE), "FILE ..." (it cannot be read), MEMORY.
 */
tacStatus tacMapFileRead(
    const char *path, const tacReadOptions *options, tacDiag *diag, tacKernelMap **map, tacError *err);
/* The same for a text; name: its name in messages. */
tacStatus tacMapTextRead(const char *name, const char *text, size_t length, const tacReadOptions *options,
    tacDiag *diag, tacKernelMap **map, tacError *err);

/* The same for the tasks of a trace that defines them, from a file or, where it is not NULL, a text: priorities are any
 * integers. plain: times of tasks may be without a unit, since the trace does not tell its own. */
tacStatus tacMapTasksRead(const char *name, const char *text, bool plain, const tacReadOptions *options, tacDiag *diag,
    tacKernelMap **map, tacError *err);

#endif
