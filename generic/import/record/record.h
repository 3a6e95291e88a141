/*
 * record.h -- recordings of sensors (tactus_stream(5)) as a format (import/import.h).
 */
#ifndef TAC_IMPORT_RECORD_RECORD_H
#define TAC_IMPORT_RECORD_RECORD_H

#include "import/import.h"

/* Does a packet begin within the first bytes? */
bool tacRecordRecognize(const char *bytes, size_t length);
tacStatus tacRecordRead(tacImport *import, tacError *err);
/* Guesses a mapping for the kernel's part of a recording (tacFormat.guess). */
tacStatus tacRecordGuess(tacImport *import, tacText *mapping, tacError *err);

/* A directory of sensors itself (directory.c), as a program has it in memory or has left it behind. */
bool tacRecordIsDirectory(const char *bytes, size_t length);
tacStatus tacRecordReadDirectory(tacImport *import, tacError *err);

#endif
