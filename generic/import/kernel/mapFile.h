/*
 * mapFile.h -- reads a mapping file: a script of a few commands of its own (tactus_map(5)) that become the rules of a
 * tacKernelMap.
 *
 * It is read the way a trace is (read/reader.h): plain commands without any evaluation, what needs Tcl in the sandbox,
 * with the same limits and in a process of its own; so a mapping from a stranger can do what a trace from a stranger
 * can, which is nothing.
 *
 * A mapping of which a part is not understood would give wrong rows and numbers without a word in them that says so. So
 * any error in it fails as a whole, with the place of the first one.
 */
#ifndef TAC_IMPORT_KERNEL_MAP_FILE_H
#define TAC_IMPORT_KERNEL_MAP_FILE_H

#include "import/kernel/map.h"
#include "read/reader.h"

/*
 * Its notes (what it prints) go to diag, which may be NULL. options: the limits that are used; NULL: defaults. Errors:
 * "MAP ..." (the mapping is wrong; the message begins with FILE:LINE), "FILE ..." (it cannot be read), MEMORY.
 */
tacStatus tacMapFileRead(
    const char *path, const tacReadOptions *options, tacDiag *diag, tacKernelMap **map, tacError *err);
/* The same for a text; name: what it is called in messages. */
tacStatus tacMapTextRead(const char *name, const char *text, size_t length, const tacReadOptions *options,
    tacDiag *diag, tacKernelMap **map, tacError *err);

#endif
