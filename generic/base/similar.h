/*
 * similar.h -- is a word that nobody knows a slip of the pen? What messages propose.
 */
#ifndef TAC_BASE_SIMILAR_H
#define TAC_BASE_SIMILAR_H

#include "base/error.h"

/*
 * Do the words differ only in the case of letters, or by one more, one less, one other or two exchanged letters? Of
 * words with less than four bytes only the case may differ: too many are near each other. Takes linear time.
 */
bool tacSimilar(const char *word, size_t length, const char *known);

/* The first of the names (NULL-terminated) that is similar, or NULL. */
const char *tacSimilarOf(const char *word, size_t length, const char *const *names);

#endif
