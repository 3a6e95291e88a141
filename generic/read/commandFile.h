/*
 * commandFile.h -- reads a file of a few commands of its own, such as a mapping or a file of expectations.
 *
 * It is read the way a trace is (reader.h): plain commands without any evaluation, what needs Tcl in the sandbox, with
 * the same limits and in a process of its own. So a file from a stranger can do what a trace from a stranger can, which
 * is nothing.
 */
#ifndef TAC_READ_COMMAND_FILE_H
#define TAC_READ_COMMAND_FILE_H

#include "read/reader.h"

typedef struct tacCommandFile {
    const char *noun;                /* what it is called in messages: "mapping" */
    const char *code;                /* what codes of errors begin with: "MAP" */
    const char *const *commandNames; /* NULL-terminated */
    /* Takes a command. TAC_ERROR: that command is wrong; "line N: " before its message names another line. */
    tacStatus (*command)(void *data, const tacWord *words, int count, uint32_t line, tacError *err);
    void (*note)(void *data, tacSeverity severity, const char *text); /* what it prints, and warnings; NULL: not wanted
                                                                       */
    bool (*hasBody)(const tacWord *words, int count);                 /* as of tacSink; NULL: no command has one */
    void *data;                                                       /* first argument of both */
} tacCommandFile;

/*
 * Reads the file of this name, or the text (not NULL), which is then only called by the name. limits: only those are
 * used; NULL: defaults. A file with an error fails as a whole, with FILE:LINE, the first error, and how many more there
 * are. Codes: the file's code and what follows ("MAP USAGE"), "FILE ..." (it cannot be read), MEMORY.
 */
tacStatus tacCommandFileRead(const tacCommandFile *file, const char *name, const char *text, size_t length,
    const tacReadOptions *limits, tacError *err);

/* An option of a command. */
typedef struct tacCommandOption {
    const char *name;                                                   /* "-size"; NULL: the list's end */
    size_t offset;                                                      /* of its value, in a record of values; */
    tacStatus (*read)(const tacWord *word, void *value, tacError *err); /* writes it there */
} tacCommandOption;

/*
 * Reads options and their values, count words in turn, into a record of values. Codes of errors: OPTION (there is no
 * such one), USAGE (no option, no value), those of `read`, MEMORY.
 */
tacStatus tacCommandOptions(
    const char *command, const tacCommandOption *rows, const tacWord *words, int count, void *values, tacError *err);

#endif
