/*
 * stranger.h -- recordings of strangers: a worker process (read/worker.h) recognizes them, reads them and guesses their
 * mappings, by the readers as they are, and hands over what they made.
 *
 *      worker: source -> tacFormat.read -> store --- tacStoreSend ... tacStoreTake, tacStoreTaken ---> the import's
 * store
 *
 * Scripts of the trace language and trace.dat have workers of their own, which send as they read (tacFormat.apart).
 *
 * A worker that ends too early has sent nothing yet. Its store lies in memory that this process sees, so its number of
 * rows is known: a second worker reads as many.
 */
#ifndef TAC_IMPORT_STRANGER_H
#define TAC_IMPORT_STRANGER_H

#include "import/import.h"
#include "read/worker.h"

/* Finds out the format of a text; NULL: none. likely: it looks like a script, then. */
tacStatus tacStrangerRecognize(
    const tacImport *import, const char *text, size_t length, const tacFormat **format, bool *likely, tacError *err);
/* tacFormat.read and tacFormat.guess of a format that has no worker of its own. */
tacStatus tacStrangerRead(tacImport *import, const tacFormat *format, tacError *err);
tacStatus tacStrangerGuess(tacImport *import, const tacFormat *format, tacText *mapping, tacError *err);

/* The end of a worker as a clause, "crashed"; NULL: the error is none of a worker's ends. */
const char *tacStrangerEnd(const tacError *why);

extern tacWorkerBody tacRecognizeBody, tacRecordingBody; /* "recognize", "recording" */

#endif
