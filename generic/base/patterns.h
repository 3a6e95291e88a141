/*
 * patterns.h -- lists of names and glob patterns that many texts are compared with: plain names are found by a hash, so
 * a list of thousands costs a text no more than a short one; only patterns are tried one by one.
 */
#ifndef TAC_BASE_PATTERNS_H
#define TAC_BASE_PATTERNS_H

#include "base/intern.h"

typedef bool (*tacPatternFits)(const char *pattern, const char *text);

typedef struct tacPatterns {
    const char *const *list; /* ends with NULL; the caller's */
    tacPatternFits fits;
    tacInternTable spellings;     /* of all */
    TAC_ARRAY(uint32_t) places;   /* in the list, of each spelling the first one; TAC_NONE: it is a pattern */
    TAC_ARRAY(uint32_t) patterns; /* places of the patterns, ascending */
} tacPatterns;

/* Takes a list, in which each of the characters `special` makes a pattern of a name. False: no memory; it is to be
 * freed all the same. */
bool tacPatternsInit(tacPatterns *patterns, const char *const *list, const char *special, tacPatternFits fits);
void tacPatternsFree(tacPatterns *patterns);
/* Place in the list of the first one that one of two texts, or one (the other is NULL), fits; TAC_NONE: none. plain:
 * patterns of stars alone do not count. */
uint32_t tacPatternsFirst(const tacPatterns *patterns, const char *text, const char *other, bool plain);
/* True when one of the list is spelled just so. */
bool tacPatternsSpell(const tacPatterns *patterns, const char *text);

#endif
