/*
 * log.h -- logs in rows and columns as a format: CSV, TSV and other separators, columns of blanks, lines of JSON.
 *
 *      line -> logLines.h (fields.h) -> logRow.c, as a mapping says (logMap.h) -> commands of the trace language
 *                                   logGuess.c: a mapping, from the first lines
 *
 * A mapping says which column is the time, the task, the event ..., and which words mean a release, a start ...
 * (tactus_log(5)). Without one a guess is used, and told.
 */
#ifndef TAC_IMPORT_LOG_LOG_H
#define TAC_IMPORT_LOG_LOG_H

#include "import/import.h"

struct tacKernelOptions; /* kernel.h: the mapping is one of them */

bool tacLogRecognize(const char *text, size_t length);
/* Is a mapping given that has columns, or a mistake, which the reader tells? */
bool tacLogIsMapped(const struct tacKernelOptions *options, const tacReadOptions *limits);
tacStatus tacLogRead(tacImport *import, tacError *err);
tacStatus tacLogGuess(tacImport *import, tacText *mapping, tacError *err);

#endif
