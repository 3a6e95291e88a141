/*
 * names.h -- lists of names and patterns as people write them, the same in options, commands and files.
 *
 *      control, logger   control,logger   control logger   {rate control} "rate control" rate\ control
 *
 * Names are separated by blanks or commas. One that has such characters stands in braces or quotes, or has a backslash
 * before each. So lists as Tcl writes them are lists of names, too, unless a name has a comma: that one needs braces.
 */
#ifndef TAC_BASE_NAMES_H
#define TAC_BASE_NAMES_H

#include "base/port.h"

enum { TAC_NAMES_BAD = -1 }; /* a brace or quote has no end, or something follows it without a blank or comma */

/*
 * Splits a list. Returns the number of names, or TAC_NAMES_BAD. `names` gets that many and a NULL; they lie in `copy`,
 * which has room for the text and its NUL. Both NULL: only counts.
 */
ptrdiff_t tacNames(const char *text, const char **names, char *copy);
/* Does a text fit one of the names and patterns (base/glob.h) of a list that ends with NULL? No list: it does. */
bool tacNamesFit(const char *const *names, const char *text, size_t length);
/* A copy of such a list in one block, which tacFree frees; NULL: no memory. */
const char **tacNamesCopy(const char *const *names);

#endif
