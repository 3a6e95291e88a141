/*
 * language.h -- the trace language as a format among others: scripts, read by read/reader.h into the store by
 * trace/apply.h.
 */
#ifndef TAC_IMPORT_LANGUAGE_H
#define TAC_IMPORT_LANGUAGE_H

#include "import/import.h"

tacStatus tacLanguageRead(tacImport *import, tacError *err);

#endif
