/*
 * file.h -- opening and reading files and standard input; implemented for each platform (unix/file.c).
 *
 * Files are read in big blocks instead of being mapped: the copy costs the kernel about 2 ns a line of a trace, and a
 * file that another program truncates meanwhile then ends early instead of killing the process.
 */
#ifndef TAC_READ_FILE_H
#define TAC_READ_FILE_H

#include "base/error.h"
#include "base/mem.h"

/* Marks by which a file is recognized as unchanged, without reading it. */
typedef struct tacFileMark {
    bool known; /* false: there is no such file, or it is not on a disk (pipes, terminals) */
    uint64_t device, inode;
    uint64_t size;    /* bytes */
    int64_t modified; /* nanoseconds since 1970 */
} tacFileMark;

typedef struct tacFile {
    intptr_t handle;  /* the platform's; -1: not open */
    uint64_t size;    /* bytes when it was opened; 0: unknown (pipes, terminals) */
    bool shared;      /* standard input: not ours to close */
    bool pipe;        /* with a name; it may not have a writer yet */
    bool regular;     /* on a disk: reading it never waits for another program */
    tacFileMark mark; /* when it was opened */
    tacText *memory;  /* of a temporary file in a worker process, which can make none: its bytes; NULL: it is a file */
    uint64_t at;      /* position in them */
} tacFile;

/* Opens a file for reading, without waiting for the writer of a pipe; "-" is standard input. Error: "FILE OPEN". */
tacStatus tacFileOpen(const char *path, tacFile *file, tacError *err);
/* Waits until there is something and reads up to `size` bytes; *got 0: the end. Error: "FILE READ". */
tacStatus tacFileRead(tacFile *file, void *buffer, size_t size, size_t *got, tacError *err);
/* Waits at most so many milliseconds for something to read; false: nothing came. Files on disks are always ready. */
bool tacFileWait(const tacFile *file, int milliseconds);
void tacFileClose(tacFile *file);

enum { TAC_PLAIN_MOST = 16000000 }; /* bytes of a file that people write: a mapping, settings ... */
/*
 * Fails if the file is no plain file, reading which could wait or go on for ever, or has more than so many bytes. A
 * pipe that this process was given open (/dev/stdin, /dev/fd/3) is taken for one. noun: what it is called. One that is
 * not there is left to who opens it. Errors: "FILE KIND", "FILE LIMIT".
 */
tacStatus tacFileCheckPlain(const char *path, const char *noun, uint64_t most, tacError *err);
/* Appends the bytes of a plain file to a text. Errors: these, "FILE OPEN", "FILE READ", MEMORY. */
tacStatus tacFileContents(const char *path, const char *noun, uint64_t most, tacText *bytes, tacError *err);
/* Does the file have the mark of a program that brought it here from elsewhere (a browser, curl --xattr)? */
bool tacFileIsMarked(const char *path);

/* Has the file or directory an access control list, which names users and groups besides the owner and its group? The
 * permissions of the group are the most that any of those has. */
bool tacFileHasAccessList(const char *path);

/* Makes a file for reading and writing that has no name and is gone when it is closed. Error: "FILE OPEN". */
tacStatus tacFileTemporary(tacFile *file, tacError *err);
/* Makes another handle of an open file: both share one position. Error: "FILE OPEN". */
tacStatus tacFileCopy(const tacFile *file, tacFile *copy, tacError *err);
/* Writes all bytes at the file's position. Error: "FILE WRITE". */
tacStatus tacFileWrite(tacFile *file, const void *bytes, size_t size, tacError *err);
/* Makes the file so many bytes long; bytes added are zero. Error: "FILE WRITE". */
tacStatus tacFileResize(tacFile *file, uint64_t size, tacError *err);
/* Moves the position to so many bytes from the beginning. Error: "FILE READ". */
tacStatus tacFileSeek(tacFile *file, uint64_t position, tacError *err);

typedef enum tacFileChange { TAC_FILE_SAME, TAC_FILE_GROWN, TAC_FILE_REPLACED, TAC_FILE_GONE } tacFileChange;

tacFileMark tacFileMarkOf(const char *path);     /* "-" is not known */
tacFileMark tacFileMarkNow(const tacFile *file); /* of an open file, wherever its name has gone */
/*
 * Compares the marks of a file. REPLACED: another file, or one that lost bytes, or has as many and was written since. A
 * file that was overwritten in place by a longer one counts as grown: to read it again is right in both cases.
 */
tacFileChange tacFileCompare(const tacFileMark *before, const tacFileMark *now);

#endif
