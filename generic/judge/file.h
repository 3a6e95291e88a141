/*
 * file.h -- reads a file of expectations (tactus_expect(n)): commands `expect` and `stream`, each of which is a
 * statement, and models; or an automaton or a rule of the kernel (judge/dot.h, judge/ltl.h).
 */
#ifndef TAC_JUDGE_FILE_H
#define TAC_JUDGE_FILE_H

#include "judge/judge.h"
#include "read/commandFile.h"

/* What the user has set for a file: variables that a script finds, limits and atoms of an automaton or a rule. */
typedef struct tacFileSettings {
    const tacWord *words; /* name, value, name, value ... */
    int count;
} tacFileSettings;
/* The value of a name; NULL: it is not set. settings may be NULL. */
const tacWord *tacFileSetting(const tacFileSettings *settings, const char *name, size_t length);

/* Receives the words of a statement, without `expect`; valid only during the call. TAC_ERROR: it is refused. */
typedef tacStatus tacStatementTaker(void *data, const tacWord *words, int count, uint32_t line, tacError *err);

/*
 * Gives each statement of the file, in order, to `take`. limits as of tacCommandFileRead, without variables. Errors:
 * "EXPECT ..." (a mistake; the message begins with FILE:LINE), "EXPECT EMPTY" (it has no statement), "FILE ..." (it
 * cannot be read), MEMORY.
 */
tacStatus tacStatementsRead(const char *path, const tacFileSettings *set, const tacReadOptions *limits,
    tacStatementTaker *take, void *data, tacError *err);

#endif
