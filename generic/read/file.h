/*
 * file.h -- opening and reading files and standard input; implemented for each platform (unix/file.c).
 *
 * Files are read in big blocks instead of being mapped: the copy costs the kernel about 2 ns a line of a trace, and a
 * file that another program truncates meanwhile then ends early instead of killing the process.
 */
#ifndef TAC_FILE_H
#define TAC_FILE_H

#include "base/error.h"

typedef struct tacFile {
    intptr_t handle;		/* the platform's; -1: not open */
    uint64_t size;		/* bytes when it was opened; 0: unknown (pipes, terminals) */
    bool shared;		/* standard input: not ours to close */
} tacFile;

/* Opens a file for reading; "-" is standard input. Error: "FILE OPEN". */
tacStatus tacFileOpen(const char *path, tacFile *file, tacError *err);
/* Waits until there is something and reads up to `size` bytes; *got 0: the end. Error: "FILE READ". */
tacStatus tacFileRead(tacFile *file, void *buffer, size_t size, size_t *got, tacError *err);
void tacFileClose(tacFile *file);

#endif
