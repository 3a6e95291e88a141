/*
 * split.h -- finds the commands of a script and their words, by the rules of Tcl(n), without evaluating anything.
 *
 * Two ways: tacSplitPlain() takes a line whose words need no work, which nearly every line of a trace is, 16 bytes at a
 * time; tacSplitCommand() takes any command: substitutions, nested braces, continued lines, comments, `;`. The text is
 * clean (clean.h).
 */
#ifndef TAC_READ_SPLIT_H
#define TAC_READ_SPLIT_H

#include "read/sink.h"

enum {
    TAC_PLAIN_WORDS = 32,   /* a plain line has at most so many words */
    TAC_MAX_DEPTH = 1000,   /* brackets in brackets; Tcl parses and runs them by recursion */
    TAC_MAX_WORDS = 1 << 18 /* of one command */
};

typedef enum tacWordKind { TAC_WORD_BARE, TAC_WORD_QUOTED, TAC_WORD_BRACED } tacWordKind;

enum {                      /* steps from a raw word to the word that Tcl would make: bits of tacRawWord.needs */
    TAC_NEEDS_ESCAPES = 1,  /* backslash sequences (in braces: only backslash-newline) */
    TAC_NEEDS_BRACKETS = 2, /* command substitution */
    TAC_NEEDS_VARIABLES = 4,
    TAC_NEEDS_EXPANSION = 8 /* {*} */
};

/* A word as it stands in the text. */
typedef struct tacRawWord {
    const char *at; /* without its quotes or braces */
    size_t length;  /* bytes */
    uint8_t kind;   /* tacWordKind */
    uint8_t needs;  /* TAC_NEEDS_ bits; 0: `at` and `length` are the word */
} tacRawWord;

typedef enum tacSplitStatus {
    TAC_SPLIT_DONE,   /* a command, or a comment or blanks without one (no words) */
    TAC_SPLIT_OPEN,   /* the text ends within the command; `problem` says what is missing */
    TAC_SPLIT_BROKEN, /* Tcl would refuse the command; `problem` says why */
    TAC_SPLIT_MEMORY
} tacSplitStatus;

/* A command in its text. An array of words is kept from call to call; zero it at first, release it by tacSplitFree. */
typedef struct tacSplit {
    TAC_ARRAY(tacRawWord) words; /* also of a command that is open or broken: the words before the problem */
    const char *begin, *end;     /* the command, without the newline or `;` that ends it */
    const char *next;            /* begin of the next command: behind that newline or `;` */
    const char *problem;         /* a few words as Tcl's ("missing close-brace"), or NULL */
    const char *resume;          /* BROKEN: the text up to the end of this line cannot be used */
    int depth;                   /* deepest nesting of brackets, those inside braces included */
    bool tooLarge;               /* BROKEN because of TAC_MAX_DEPTH or TAC_MAX_WORDS */
} tacSplit;

/*
 * Takes the line at `at` if it is complete, no comment, and all its words are plain: bare ones without special
 * characters, and quoted or braced ones in which nothing is substituted or nests. Returns its length with the newline,
 * and the words (none: a blank line); 0: the line is not plain, or too near to `end` to tell.
 */
size_t tacSplitPlain(const char *at, const char *end, tacWord words[TAC_PLAIN_WORDS], int *count);

/* Splits the first command or comment of [at, end). ended: the text ends there; else a command may go on and is open.
 */
tacSplitStatus tacSplitCommand(tacSplit *split, const char *at, const char *end, bool ended);
/* Finds the end (behind the `]`) of the bracket that begins at `at`, in a word that was split before. */
const char *tacSplitBracketEnd(const char *at, const char *end);
void tacSplitFree(tacSplit *split);

/* Blanks between words: not newline, which ends a command. */
static inline bool tacIsBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'; }

#endif
