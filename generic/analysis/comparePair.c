/*
 * comparePair.c -- pairs the tasks of the two sides of a comparison.
 */
#include "base/port.h"

#include "analysis/comparePart.h"
#include "base/search.h"

#include <string.h>

static const char *idText(const void *profile, uint32_t task) { return tacProfileId(profile, task); }

/* Pairs tasks without a partner that have one id. */
static bool pairById(tacTaskPairs *pairs, uint64_t *taken) {
    tacKeys ids = {.text = idText, .data = pairs->other};
    bool fine = true;
    for (uint32_t i = 0, same; fine && i < pairs->other->tasks.count; i++)
        if (!(taken[i / 64] >> i % 64 & 1)) fine = tacKeysAdd(&ids, i, &same);
    for (size_t i = 0; fine && i < pairs->all.count; i++) {
        tacTaskPair *pair = &pairs->all.at[i];
        if (pair->other != TAC_NONE) continue;
        uint32_t found = tacKeysFind(&ids, tacProfileId(pairs->base, pair->base));
        if (found == TAC_NONE || (taken[found / 64] >> found % 64 & 1)) continue;
        pair->other = found;
        taken[found / 64] |= UINT64_C(1) << found % 64;
    }
    tacKeysFree(&ids);
    return fine;
}

static bool pairAll(tacTaskPairs *pairs, tacProfile *other) {
    const tacProfile *base = pairs->base;
    uint64_t *taken = tacAllocZero(other->tasks.count / 64 + 1, sizeof *taken);
    bool fine = taken && tacArrayReserve(&pairs->all, base->tasks.count + 1);
    for (uint32_t i = 0; fine && i < base->tasks.count; i++) {
        uint32_t found;
        fine = tacProfileFind(other, base, i, &found);
        if (!fine) break;
        pairs->all.at[pairs->all.count++] = (tacTaskPair){i, found};
        if (found != TAC_NONE) taken[found / 64] |= UINT64_C(1) << found % 64;
    }
    fine = fine && pairById(pairs, taken);
    for (uint32_t i = 0; fine && i < other->tasks.count; i++)
        if (!(taken[i / 64] >> i % 64 & 1)) fine = tacArrayPush(&pairs->all, (tacTaskPair){TAC_NONE, i});
    for (size_t i = 0; fine && i < pairs->all.count; i++) pairs->partners += tacPairIsWhole(pairs->all.at[i]);
    tacFree(taken);
    return fine;
}

tacStatus tacPairTasks(tacTaskPairs *pairs, tacProfile *base, tacProfile *other, tacError *err) {
    *pairs = (tacTaskPairs){.base = base, .other = other};
    /* twice, since the unit of the first side with one counts for both */
    if (tacProfileScale(base, &pairs->scale, err) != TAC_OK || tacProfileScale(other, &pairs->scale, err) != TAC_OK
        || tacProfileScale(base, &pairs->scale, err) != TAC_OK)
        return TAC_ERROR;
    bool fine = pairAll(pairs, other);
    tacProfileForget(base);
    tacProfileForget(other);
    return fine ? TAC_OK : tacFailMemory(err);
}

void tacPairsFree(tacTaskPairs *pairs) {
    tacArrayFree(&pairs->all);
    if (pairs->release) pairs->release(pairs->data);
    pairs->release = NULL;
}

const char *tacPairTask(const tacTaskPairs *pairs, size_t i) {
    tacTaskPair pair = pairs->all.at[i];
    const tacProfile *profile = pair.base != TAC_NONE ? pairs->base : pairs->other;
    uint32_t task = pair.base != TAC_NONE ? pair.base : pair.other;
    bool byName = profile->tasks.at[task].byName
        && (!tacPairIsWhole(pair)
            || strcmp(tacProfileName(pairs->base, pair.base), tacProfileName(pairs->other, pair.other)) == 0);
    return (byName ? tacProfileName : tacProfileId)(profile, task);
}

size_t tacPairAt(const uint32_t *first, size_t count, size_t last, uint64_t row) {
    bool near = last < count && first[last] <= row;
    if (near && (last + 1 == count || row < first[last + 1])) return last;
    return tacPastNear(size_t, near ? last + 1 : 1, count, i, first[i] <= row) - 1;
}
