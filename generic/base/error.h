/*
 * error.h -- errors of the core: a status, and a message with a code.
 *
 * The message is one sentence that names what is wrong and the way out; the code is the list after TACTUS in Tcl's
 * errorCode ("MEMORY", "USAGE WORDS", "FILE READ" ...). The first error stays: a later one does not overwrite it.
 */
#ifndef TAC_BASE_ERROR_H
#define TAC_BASE_ERROR_H

#include "base/port.h"

#include <stdarg.h>

typedef enum tacStatus { TAC_OK = 0, TAC_ERROR = 1 } tacStatus;

typedef struct tacError {
    char code[64];     /* empty: no error */
    char message[448]; /* UTF-8; where it would not fit, its middle is an ellipsis */
} tacError;

/* Sets the error (unless one is set already) and returns TAC_ERROR: a good place for a breakpoint. err may be NULL. */
tacStatus tacFail(tacError *err, const char *code, const char *format, ...) TAC_PRINTF(3, 4);
tacStatus tacFailMemory(tacError *err); /* code MEMORY; LIMIT MEMORY where a bound has refused it (tacMemBound) */
void tacErrorClear(tacError *err);
/* The message without the "line N: " at its beginning, if it has one. *line: N, or 0. */
const char *tacErrorText(const tacError *err, unsigned *line);
/* Prints a message. It may repeat words of any length that came from outside: where it does not fit, its middle is an
 * ellipsis, as what is wrong stands at its begin, and why, or what to do, at its end. Cuts no character. */
void tacSentence(char *text, size_t size, const char *format, va_list args);
/* Removes parts of UTF-8 characters that were cut by the size of the text or by a precision (%.60s). */
void tacWholeCharacters(char *text);
/* Length of the longest beginning of a text of valid UTF-8 that has at most `most` bytes and cuts no character. */
size_t tacWholeLength(const char *text, size_t length, size_t most);

/* Severity of a diagnostic about a trace. */
typedef enum tacSeverity { TAC_SEVERITY_NOTE, TAC_SEVERITY_WARNING, TAC_SEVERITY_ERROR } tacSeverity;

#endif
