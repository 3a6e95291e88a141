/*
 * guess.h -- a mapping guessed from the records of a kernel trace, as the text of a mapping file.
 *
 *      records (import/kernel/record.h) -> tacKernelGuessAdd -> per thread: names, priorities, times between
 *      releases, marks -> tacKernelGuessWrite
 *
 * What is guessed, and by which rules, says tactus_map(5), GUESSED MAPPINGS. The text is the only result; it is read as
 * a mapping like any other. Memory: at most some 3 KB a thread, while records come.
 */
#ifndef TAC_IMPORT_KERNEL_GUESS_H
#define TAC_IMPORT_KERNEL_GUESS_H

#include "import/kernel/record.h"

typedef struct tacKernelGuess tacKernelGuess;

tacKernelGuess *tacKernelGuessNew(void);        /* NULL: no memory */
void tacKernelGuessFree(tacKernelGuess *guess); /* NULL is fine */
tacKernelTake tacKernelGuessAdd;                /* data: the guess. Error: MEMORY */
/* Writes the mapping; file: name of the trace in the first line. Control characters of names are replaced. */
tacStatus tacKernelGuessWrite(const tacKernelGuess *guess, const char *file, tacText *text, tacError *err);

#endif
