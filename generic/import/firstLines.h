/*
 * firstLines.h -- the beginning of a recording as text, for those who write a mapping for it (tactus_log(5)).
 */
#ifndef TAC_IMPORT_FIRST_LINES_H
#define TAC_IMPORT_FIRST_LINES_H

#include "read/worker.h"

typedef struct tacFirstLines {
    tacText text;   /* whole lines, clean; a half one where it is the file's last, or the only one */
    bool whole;     /* there is nothing behind them */
    tacText damage; /* of packed data, as a sentence; empty: none */
} tacFirstLines;    /* zeroed at first */

/*
 * Takes the first lines of a file, unpacked: 2000 of them or 256 KiB at most. confined: a worker process makes text of
 * its bytes. Errors: those of tacSourceOpen and tacSourceNext, FORMAT DAMAGED. Free them in any case.
 */
tacStatus tacFirstLinesTake(const char *path, bool confined, tacFirstLines *lines, tacError *err);
void tacFirstLinesFree(tacFirstLines *lines);

extern tacWorkerBody tacFirstLinesBody; /* "first lines" */

#endif
