/*
 * freeze.c -- the end of writing a store, in the only order that works: ids (rows may go), clocks (times change), order.
 */
#include "base/port.h"
#include "trace/column.h"
#include "trace/freeze.h"
#include "trace/order.h"
#include "trace/resolve.h"

static tacStatus sortRows(tacStore *store, tacError *err) {
    uint32_t *rows;
    if (tacOrderRows(store, &rows, err) != TAC_OK) return TAC_ERROR;
    if (!rows) return TAC_OK;
    tacStatus status = tacColumnsPick(store, rows, tacStoreCount(store), err);
    tacFree(rows);
    return status;
}

tacStatus tacStoreFreeze(tacStore *store, tacDiag *diag, const char *reference, tacClocks *clocks, tacError *err) {
    if (store->rounded)
	tacDiagAdd(diag, TAC_SEVERITY_NOTE, 0, "TIME", "some times have more digits than 64 bits hold; they are rounded to %d decimals", store->digits);
    tacColumnsTrim(store);
    if (tacResolve(store, diag, err) != TAC_OK) return TAC_ERROR;
    tacOptionsSort(&store->options);
    if (tacClocksSolve(store, diag, reference, clocks, err) != TAC_OK) return TAC_ERROR;
    if (sortRows(store, err) != TAC_OK) return TAC_ERROR;
    tacColumnsPack(store);
    store->frozen = true;
    return tacClocksCheck(store, diag, clocks, err);
}
