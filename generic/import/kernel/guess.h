/*
 * guess.h -- a mapping guessed from the records of a kernel trace, as the text of a mapping file.
 *
 *      records (import/kernel/record.h) -> tacKernelGuessAdd -> per thread: names, priorities, times between
 *      releases, marks -> tacKernelGuessWrite
 *
 * The guesses, and their rules:
 *      tasks       real-time and deadline threads, and threads that mark the begin and end of their jobs; where there
 *                  are none, periodic threads; where there are none of these either, all threads. Kernel threads,
 *                  told by their names, never.
 *      jobs        as the thread's program says, where it does; by a pair of marks where a thread writes them in turns;
 * by clock_nanosleep where releases after it are regular and all releases together are not; else by wake-ups period the
 * median of the times between releases, if 7 of 10 are within a tenth of it; rounded where that changes it by less than
 * 0.5 % deadline    the period mutexes     futex addresses that two tasks lock and unlock: PI operations, or the
 * waiting of glibc's mutexes
 *
 * The text is the only result; it is read as a mapping like any other. Memory: at most some 2 KB a thread, while
 * records come.
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
