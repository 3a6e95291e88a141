/*
 * clean.h -- makes text for the splitter from raw bytes: lines end in LF, all bytes are valid UTF-8, no byte order
 * mark.
 *
 * CRLF and single CR become LF, as when Tcl sources a script. A byte that is not UTF-8 is taken for the Windows-1252
 * (Latin-1) character it most likely was, as Tcl does. Nearly all traces are clean as they are; tacIsClean finds that
 * out at memory speed, and nothing is copied then. NUL bytes stay: they show a binary file.
 */
#ifndef TAC_READ_CLEAN_H
#define TAC_READ_CLEAN_H

#include "base/port.h"

enum {
    TAC_CLEAN_HELD = 4,  /* bytes of a character cut at a block's end */
    TAC_CLEAN_GROWTH = 3 /* cleaned text is at most so many times longer (the euro sign) */
};

/* State that is kept from block to block; zero at the start. */
typedef struct tacCleaner {
    unsigned char held[TAC_CLEAN_HELD]; /* beginning of a character whose end has not come */
    uint8_t nHeld;
    bool afterReturn; /* the last byte was a CR: an LF that follows belongs to it */
    bool begun;       /* not at the start of the file */
} tacCleaner;

/* Tells whether the block is clean already. (May say false for one that is, never the reverse.) */
bool tacIsClean(const tacCleaner *cleaner, const char *bytes, size_t length);
/*
 * Cleans a block; returns the length of what was written to out, at most TAC_CLEAN_GROWTH * (length + TAC_CLEAN_HELD).
 * last: nothing comes after it.
 */
size_t tacClean(tacCleaner *cleaner, const char *bytes, size_t length, bool last, char *out);
/* Takes the place of tacClean for a block that is clean already. */
static inline void tacCleanPassed(tacCleaner *cleaner) { cleaner->begun = true; }

/*
 * Returns the length of the UTF-8 character at `at` < end: 1 to 4; 0: not UTF-8; -1: cut by the end. Overlong forms and
 * surrogates are not UTF-8.
 */
int tacCharacterLength(const unsigned char *at, const unsigned char *end);
/* Is the text clean UTF-8 without NUL? Line ends and marks of byte order are not looked at. */
bool tacIsCleanName(const char *text, size_t length);
bool tacIsCleanText(const char *text, size_t length); /* NUL is fine */
/*
 * Makes clean UTF-8 without NUL of a word that a Tcl script has made, where NUL is two bytes, and a character beyond 16
 * bits may be two halves of three bytes each. What is no character becomes U+FFFD. Returns the length of what was
 * written to out, at most TAC_CLEAN_GROWTH * length.
 */
size_t tacCleanWord(const char *text, size_t length, char *out);
/* Writes a code point (a surrogate or NUL as U+FFFD) and returns its length, at most 4. */
size_t tacCharacterPut(uint32_t code, char *out);

#endif
