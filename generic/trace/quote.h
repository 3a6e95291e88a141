/*
 * quote.h -- words of the trace language as text: the inverse of reading a literal command.
 */
#ifndef TAC_TRACE_QUOTE_H
#define TAC_TRACE_QUOTE_H

#include "base/mem.h"

/* Adds the word so that Tcl (and the literal reader) read exactly these bytes back: as it is, in braces, or with
 * backslashes. */
void tacQuoteWord(tacText *out, const char *word, size_t length);
/* Adds the word to a Tcl list. */
void tacQuoteElement(tacText *list, const char *word);

#endif
