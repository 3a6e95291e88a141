/*
 * logLook.h -- the first lines of a log as a mapping takes them apart (tactus_log(5)), for those who write the mapping.
 */
#ifndef TAC_IMPORT_LOG_LOOK_H
#define TAC_IMPORT_LOG_LOOK_H

#include "read/worker.h"

enum { TAC_LOG_LOOK_WORDS = 1000 }; /* different words that are counted */

typedef struct tacLogLook {
    tacWord text, mapping;
    bool confined; /* a worker process takes the lines apart */
} tacLogLook;

/*
 * Looks at the lines of a text, and gives what it finds to the sink as commands, in this order:
 *
 *      PART WHY TEXT ?FIELD ...?   a line, its number as the command's line; PART: passed (skipped, empty, a comment),
 *                                  names (of columns), row, wrong. WHY: the error of a wrong one. FIELD: of names and
 *                                  rows, as many as are read of a line; of JSON in the order of `name`. TEXT: of a line
 *                                  without fields, else empty
 *      name NAME                   a member of JSON
 *      setting NAME VALUE          what the mapping says, and what was found out where it says nothing: separator,
 *                                  header, skip, jobs, unit, relative
 *      column MEANING NAME NUMBER  a column of the mapping; NUMBER: from 0, empty: the log has none of that name
 *      word WORD COUNT ?MEANING ...?   a word of the column of events, how often it occurs, its meanings
 *
 * Each has the words that are shown here, clean but for NUL. Errors: those of a mapping ("MAP ..."), MEMORY, those of
 * tacWorkerRun.
 */
tacStatus tacLogLookAt(const tacLogLook *look, const tacSink *sink, tacError *err);

extern tacWorkerBody tacLogLookBody; /* "log table" */

#endif
