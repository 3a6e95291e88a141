/*
 * keys.h -- finds numbered things by a text of each, such as tasks by their names: a hash table of 8 bytes a place, for
 * texts that are kept elsewhere anyway (else: intern.h).
 */
#ifndef TAC_BASE_KEYS_H
#define TAC_BASE_KEYS_H

#include "base/intern.h"

typedef struct tacKeySlot {
    uint32_t thing; /* + 1; 0: free */
    uint32_t hash;
} tacKeySlot;

typedef struct tacKeys { /* all zero but for `text` and `data`: empty */
    const char *(*text)(const void *data, uint32_t thing);
    const void *data; /* of `text` */
    tacKeySlot *slots;
    uint32_t nSlots; /* a power of 2; at most 3/4 full */
    uint32_t count;
    uint32_t seed; /* of the hashes: a file must not know it */
} tacKeys;

uint32_t tacKeysFind(const tacKeys *keys, const char *text); /* TAC_NONE: not there */
/* Adds a thing; *same: the one of the same text that was there before and stays alone, TAC_NONE: none. False: no
 * memory.
 */
bool tacKeysAdd(tacKeys *keys, uint32_t thing, uint32_t *same);
void tacKeysFree(tacKeys *keys);

#endif
