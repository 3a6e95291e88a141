/*
 * logLook.h -- the first lines of a log as a mapping takes them apart (tactus_log(5)), for those who write the mapping.
 */
#ifndef TAC_IMPORT_LOG_LOOK_H
#define TAC_IMPORT_LOG_LOOK_H

#include "base/error.h"
#include "read/sink.h"

/* A line of the log. */
typedef struct tacLogLookLine {
    uint32_t number;       /* from 1 */
    const char *part;      /* "passed" (skipped, empty, a comment), "names" (of columns), "row", "wrong" */
    const tacWord *fields; /* of "names" and "row"; of JSON by the number of the member's name, at NULL: not there */
    size_t count;          /* of fields; at most as many as are read of a line */
    tacWord text;          /* the line itself */
    const char *why;       /* of "wrong": the error; else NULL */
} tacLogLookLine;

/* Takes what a look finds, in this order: lines, names of JSON, settings, columns, words. */
typedef struct tacLogLooker {
    void *data;
    void (*line)(void *data, const tacLogLookLine *line);
    /* The name of a member of JSON; they come in the order of the fields. */
    void (*name)(void *data, const tacWord *name);
    /* What the mapping says, and what was found out where it says nothing: separator, header, skip, jobs, unit,
     * relative. */
    void (*setting)(void *data, const char *name, const char *value);
    /* A column of the mapping; number from 0, TAC_NONE: the log has none of that name. */
    void (*column)(void *data, const char *meaning, const char *name, uint32_t number);
    /* A word of the column of events, how often it occurs, and its meanings, NULL-terminated. */
    void (*word)(void *data, const tacWord *word, uint64_t count, const char *const *meanings);
} tacLogLooker;

enum { TAC_LOG_LOOK_WORDS = 1000 }; /* different words that are counted */

/* Looks at the lines of a text. Errors: those of a mapping ("MAP ..."), MEMORY. */
tacStatus tacLogLook(const char *text, size_t length, const char *mapping, size_t mappingLength,
    const tacLogLooker *looker, tacError *err);

#endif
