/*
 * freeze.c -- the end of writing a store, in the only order that works: the scale of times, ids (rows may be dropped),
 * clocks (times change), order.
 */
#include "base/port.h"

#include "trace/column.h"
#include "trace/freeze.h"
#include "trace/times.h"

#include <string.h>

/* Adds the words that messages have as bits (tacMessageSaid), so that rowWords finds them. False: no memory. */
static bool addWords(tacStore *store) {
    const char *const *words = tacTypeWords(TAC_TYPE_FROM);
    bool room = tacStoreString(store, "none", 4) != TAC_NONE;
    for (; room && *words; words++) room = tacStoreString(store, *words, strlen(*words)) != TAC_NONE;
    return room;
}

tacStatus tacStoreFreeze(tacStore *store, tacDiag *diag, const char *reference, tacClocks *clocks, tacError *err) {
    if (!tacProgressPhase(store->progress, TAC_PHASE_CLOCKS, tacStoreCount(store)))
        return tacFailStopped(err, store->progress);
    if (tacTimesFinish(store, diag, err) != TAC_OK) return TAC_ERROR;
    if (!addWords(store)) return tacFailMemory(err);
    tacColumnsTrim(store);
    if (tacResolve(store, diag, err) != TAC_OK) return TAC_ERROR;
    tacOptionsSort(&store->options, store->progress);
    if (tacClocksSolve(store, diag, reference, clocks, err) != TAC_OK) return TAC_ERROR;
    if (!tacProgressPhase(store->progress, TAC_PHASE_SORTING, tacStoreCount(store)))
        return tacFailStopped(err, store->progress);
    uint32_t *rows;
    tacStatus status = tacOrderRows(store, &rows, err);
    if (rows && status == TAC_OK) status = tacColumnsPick(store, rows, tacStoreCount(store), err);
    tacFree(rows);
    if (status != TAC_OK) return TAC_ERROR;
    tacColumnsPack(store);
    store->frozen = true;
    if (tacClocksCheck(store, diag, clocks, err) != TAC_OK) return TAC_ERROR;
    return tacProgressStopped(store->progress) ? tacFailStopped(err, store->progress) : TAC_OK;
}
