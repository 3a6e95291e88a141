/*
 * literal.h -- makes the words of a command that was split, without an interpreter.
 *
 * A word in braces, or without special characters, is used where it stands in the text. Backslash sequences are
 * replaced exactly as Tcl does. A bracket that holds an object call ([6679 name], [Task 6679]) is answered by the sink.
 * Everything else ($, {*}, other commands in brackets) makes the command one for the sandbox.
 */
#ifndef TAC_READ_LITERAL_H
#define TAC_READ_LITERAL_H

#include "read/split.h"

typedef enum tacLiteralStatus {
    TAC_LITERAL_DONE,    /* `words` are the words */
    TAC_LITERAL_SCRIPT,  /* needs an interpreter */
    TAC_LITERAL_UNKNOWN, /* the first word of a bracket, `unknown`, is no object */
    TAC_LITERAL_FAILED   /* the object refused, or no memory: err */
} tacLiteralStatus;

/* Place of a word that was built: words.at[word] begins at text.at + offset. */
typedef struct tacBuiltWord {
    size_t word, offset;
} tacBuiltWord;

/* The words of a command; zero it at first, release it by tacLiteralFree. Words hold until the next command. */
typedef struct tacLiteral {
    TAC_ARRAY(tacWord) words;
    tacWord unknown; /* the command word of that bracket, in the text */
    /* private */
    tacText text;                  /* holds the words that differ from the text */
    TAC_ARRAY(tacBuiltWord) built; /* their places */
    tacSplit bracket;              /* the command in a bracket */
} tacLiteral;

/*
 * Makes the words of the command. sink: answers questions about objects; NULL: no bracket is taken. line: of the
 * command.
 */
tacLiteralStatus tacLiteralTake(
    tacLiteral *literal, const tacSplit *split, const tacSink *sink, uint32_t line, tacError *err);
void tacLiteralFree(tacLiteral *literal);

/*
 * Replaces the backslash sequence at `at` < end: writes at most 4 bytes of UTF-8 to out, sets *length to their number
 * and returns how many bytes of the text it took.
 */
size_t tacEscape(const char *at, const char *end, char out[4], size_t *length);

#endif
