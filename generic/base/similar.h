/*
 * similar.h -- words that differ by one slip of the pen: what messages about unknown words propose.
 */
#ifndef TAC_BASE_SIMILAR_H
#define TAC_BASE_SIMILAR_H

#include "base/error.h"

/*
 * True when the words differ only in the case of letters, or by one more, one less, one other or two exchanged
 * letters. Words of less than four bytes may differ in case only: too many are near each other. Takes linear time.
 */
bool tacSimilar(const char *word, size_t length, const char *known);

/* The first of the names (NULL-terminated) that is similar, or NULL. */
const char *tacSimilarOf(const char *word, size_t length, const char *const *names);

#endif
