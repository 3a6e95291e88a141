/*
 * glob.h -- matching a text against a pattern as for file names: * any text, ? one character, [a-z] one of a set
 * (ranges too), and a backslash makes the next character mean itself. As Tcl's `string match`, except that a backslash
 * works within a set, too, and that a text fits the pattern that is spelled as it is: `a[1]` and `\tau` fit themselves.
 * The time is at most proportional to length of the pattern times length of the text.
 */
#ifndef TAC_BASE_GLOB_H
#define TAC_BASE_GLOB_H

#include "base/port.h"

/* True when the whole text fits the pattern, which ends with NUL. Characters are those of UTF-8; a byte that is no
 * UTF-8 is a character by itself. */
bool tacGlob(const char *pattern, const char *text, size_t length);
/* The same for a text that ends with NUL (patterns.h). */
bool tacGlobFits(const char *pattern, const char *text);
/* The same with upper and lower case alike, as `string match -nocase`: letters of Latin, Greek,
 * Cyrillic and Armenian, and those of full width, in every locale. */
bool tacGlobCaseless(const char *pattern, const char *text, size_t length);
/* Is it a pattern for all, of stars alone? Those ask for no task that is hidden. */
static inline bool tacGlobAll(const char *pattern) {
    size_t stars = 0;
    while (pattern[stars] == '*') stars++;
    return stars > 0 && pattern[stars] == '\0';
}

#endif
