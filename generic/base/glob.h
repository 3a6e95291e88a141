/*
 * glob.h -- does a text fit a pattern in the manner of file names: * any text, ? one character, [a-z] one of a set
 * (ranges too), and a backslash that makes the next character mean itself. As Tcl's `string match` (but that a
 * backslash does so within a set, too), on bytes with a length, and never slower than pattern times text, whatever the
 * pattern.
 */
#ifndef TAC_BASE_GLOB_H
#define TAC_BASE_GLOB_H

#include "base/port.h"

/* pattern ends with NUL. Characters are those of UTF-8; a byte that is none is one by itself. */
bool tacGlob(const char *pattern, const char *text, size_t length);
/* The same with upper and lower case alike, as `string match -nocase`: letters of Latin, Greek,
 * Cyrillic and Armenian, and those of full width, in every locale. */
bool tacGlobCaseless(const char *pattern, const char *text, size_t length);

#endif
