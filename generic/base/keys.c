/*
 * keys.c -- finds numbered things by a text of each.
 */
#include "base/port.h"

#include "base/keys.h"

#include <string.h>

static uint32_t hashOf(const char *text, uint32_t seed) {
    uint64_t hash = seed;
    for (; *text; text++) hash = (hash ^ (unsigned char) *text) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 32;
    return (uint32_t) hash;
}

/* The slot of a text, or where it would be. */
static tacKeySlot *slotOf(const tacKeys *keys, const char *text, uint32_t hash) {
    uint32_t mask = keys->nSlots - 1, at = hash & mask;
    for (; keys->slots[at].thing; at = (at + 1) & mask)
        if (keys->slots[at].hash == hash && strcmp(keys->text(keys->data, keys->slots[at].thing - 1), text) == 0) break;
    return &keys->slots[at];
}

/* Makes room for one more. */
static bool grow(tacKeys *keys) {
    uint32_t n = keys->nSlots, mask = n ? 2 * n - 1 : 15;
    if (keys->count < n / 4 * 3) return true;
    tacKeySlot *slots = n <= UINT32_MAX / 4 ? tacAllocZero((size_t) mask + 1, sizeof *slots) : NULL;
    if (!slots) return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = keys->slots[i].hash & mask;
        if (!keys->slots[i].thing) continue;
        while (slots[at].thing) at = (at + 1) & mask;
        slots[at] = keys->slots[i];
    }
    if (!n) keys->seed = (uint32_t) ((uintptr_t) slots >> 4) * 0x85ebca6bu;
    tacFree(keys->slots);
    keys->slots = slots;
    keys->nSlots = mask + 1;
    return true;
}

uint32_t tacKeysFind(const tacKeys *keys, const char *text) {
    return keys->nSlots ? slotOf(keys, text, hashOf(text, keys->seed))->thing - 1 : TAC_NONE; /* 0 - 1 is TAC_NONE */
}

bool tacKeysAdd(tacKeys *keys, uint32_t thing, uint32_t *same) {
    if (!grow(keys)) return false;
    const char *text = keys->text(keys->data, thing);
    uint32_t hash = hashOf(text, keys->seed);
    tacKeySlot *slot = slotOf(keys, text, hash);
    *same = slot->thing - 1;
    if (slot->thing) return true;
    *slot = (tacKeySlot){thing + 1, hash};
    keys->count++;
    return true;
}

void tacKeysFree(tacKeys *keys) {
    tacFree(keys->slots);
    keys->slots = NULL;
    keys->nSlots = keys->count = 0;
}
