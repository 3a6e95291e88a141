/*
 * times.h -- from numbers as they are written to ticks of the one scale that a trace has, exactly.
 *
 * A scale of d decimals holds a number when it has at most d decimals and is less than TAC_TIME_LIMIT ticks of 10^-d
 * from 0. The rule, which knows nothing of the order in the file:
 *   1. A trace has the scale that holds most of its events and definitions with all their times; of equally many, the
 *      one with more decimals.
 *   2. What that scale does not hold is refused at its own line, with an error of the kind TIME RANGE: an event with
 *      such a time is left out, a definition loses the option. All other times are what was written.
 *   3. Where more than a few (10, or one of a hundred) would be refused, the trace itself needs more than 64 bits: then
 *      times are rounded to as many decimals as all but a few can have, and an error about the whole trace says so.
 *
 * While a trace is read its scale grows with the decimals met, as long as it holds everything stored. A number that
 * finds no room is kept apart as it is written (tacStore.misfits), and the store has a stand-in in its place, which is
 * more than any time. When many are apart, the rule is applied to what has been read so far; at the end it is applied
 * to everything, if anything is apart.
 */
#ifndef TAC_TRACE_TIMES_H
#define TAC_TRACE_TIMES_H

#include "trace/diag.h"
#include "trace/store.h"

/* Reads a time: ticks of store->digits, or a stand-in. Errors: VALUE TIME (no number), TIME RANGE (no scale will hold
 * it), MEMORY. */
tacStatus tacTimeRead(tacStore *store, const char *text, size_t length, int64_t *ticks, tacError *err);
/* What was read as *ticks when the store had so many digits, at its digits of now; false: no memory. */
bool tacTimeCarry(tacStore *store, int64_t *ticks, int digits);
/* As it was written, for one who asks while the trace is read. */
void tacTimeText(const tacStore *store, int64_t ticks, tacText *out);

/* Between two commands: applies the rule to what was read so far when many numbers are apart. */
tacStatus tacTimesSettleSome(tacStore *store, uint32_t line, tacError *err);
static inline tacStatus tacTimesSettle(tacStore *store, uint32_t line, tacError *err) {
    return TAC_LIKELY(store->misfits.count <= store->misfitsMost) ? TAC_OK : tacTimesSettleSome(store, line, err);
}
/* At the end: the rule; afterwards there are no stand-ins. What is refused or rounded is an error in diag. */
tacStatus tacTimesFinish(tacStore *store, tacDiag *diag, tacError *err);

#endif
