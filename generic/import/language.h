/*
 * language.h -- the trace language as a format among others: scripts, read by read/reader.h into the store by
 * trace/apply.h.
 */
#ifndef TAC_IMPORT_LANGUAGE_H
#define TAC_IMPORT_LANGUAGE_H

#include "import/import.h"

tacStatus tacLanguageRead(tacImport *import, tacError *err);
/* Has this beginning of a text a line that begins with a command of the language? Not the recognizer of the format,
 * which is taken for every text that no other one recognizes. */
bool tacLanguageLikely(const char *text, size_t length);

#endif
