/*
 * similar.c -- words that differ by one slip.
 *
 * Equal letters at both ends are skipped; the rest in the middle of the two words tells which slip it was.
 */
#include "base/port.h"

#include "base/similar.h"

#include <string.h>

enum { SHORT = 4 }; /* bytes of the shortest word in which a letter may differ */

static inline char lower(char c) { return c >= 'A' && c <= 'Z' ? (char) (c + 'a' - 'A') : c; }

bool tacSimilar(const char *word, size_t length, const char *known) {
    size_t n = strlen(known), begin = 0;
    if (length > n + 1 || n > length + 1) return false;
    while (begin < length && begin < n && lower(word[begin]) == lower(known[begin])) begin++;
    if (begin == length && begin == n) return true;
    size_t a = length, b = n; /* ends of the parts that differ */
    while (a > begin && b > begin && lower(word[a - 1]) == lower(known[b - 1])) a--, b--;
    if (length < SHORT || n < SHORT) return false;
    if (a - begin <= 1 && b - begin <= 1) return true;
    return a - begin == 2 && b - begin == 2 && lower(word[begin]) == lower(known[begin + 1])
        && lower(word[begin + 1]) == lower(known[begin]);
}

const char *tacSimilarOf(const char *word, size_t length, const char *const *names) {
    for (; *names; names++)
        if (tacSimilar(word, length, *names)) return *names;
    return NULL;
}
