/*
 * times.h -- from numbers as written to ticks, exactly, and the one scale that all times of a trace have.
 *
 * A scale of d decimals holds a number when it has at most d decimals and is less than TAC_TIME_LIMIT ticks of 10^-d
 * from 0. The rule, which does not depend on the order in the file:
 *   1. A trace has the scale that holds most of its events and definitions with all their times; of scales that hold
 *      equally many, the one with more decimals.
 *   2. A time that this scale does not hold is refused at its own line, with an error of the kind TIME RANGE: an event
 *      with such a time is left out, a definition loses the option. All other times are exactly as written.
 *   3. Where more than a few (10, or one of a hundred) would be refused, the trace itself needs more than 64 bits: then
 *      times are rounded to as many decimals as all but a few can have, and an error about the whole trace says so.
 *
 * While a trace is read its scale grows with the decimals met, as long as it holds everything stored. A number that
 * does not fit is set apart as written (tacStore.misfits), and the store has a stand-in in its place, which is larger
 * than any time. When many are set apart, the rule is applied to the part read so far; at the end it is applied to the
 * whole trace, if anything is set apart.
 */
#ifndef TAC_TRACE_TIMES_H
#define TAC_TRACE_TIMES_H

#include "trace/diag.h"
#include "trace/store.h"

/* Reads a time: ticks of store->digits, or a stand-in. Errors: VALUE TIME (no number), TIME RANGE (no scale will hold
 * it), MEMORY. */
tacStatus tacTimeRead(tacStore *store, const char *text, size_t length, int64_t *ticks, tacError *err);
/* Brings *ticks, read when the store had so many digits, to its present digits; false: no memory. */
bool tacTimeCarry(tacStore *store, int64_t *ticks, int digits);
/* Adds a time as it was written, for questions while the trace is read. */
void tacTimeText(const tacStore *store, int64_t ticks, tacText *out);
/* Adds a time or length for a sentence: "20 ms", exactly; without a unit where the trace has none of time. */
void tacTimeSay(const tacStore *store, int64_t ticks, tacText *out);
/* Adds a decimal in the trace's unit in the same way; what is no number is added as it is. */
void tacTimeSayDecimal(const tacStore *store, const char *text, size_t length, tacText *out);

/* A point in time in a sentence is a decimal of the trace's unit between two marks, so that a window can count it from
 * where its user chose. */
#define TAC_MOMENT_BEGIN '\x02'
#define TAC_MOMENT_END '\x03'
/* Add a point in time; what is no number is added without marks. */
void tacMomentSay(const tacStore *store, int64_t ticks, tacText *out);
void tacMomentSayDecimal(const char *text, size_t length, tacText *out);
/* The first point in time of a sentence: its place and length with the marks; NULL: there is none. */
const char *tacMomentFind(const char *sentence, size_t *length);
/* Adds a sentence with its points in time as tacTimeSayDecimal adds them; true: there are any. */
bool tacMomentsSay(const tacStore *store, const char *sentence, tacText *out);

/* Applies the rule to the part read so far, when many numbers are set apart; called between two commands. */
tacStatus tacTimesSettleSome(tacStore *store, uint32_t line, tacError *err);
static inline tacStatus tacTimesSettle(tacStore *store, uint32_t line, tacError *err) {
    return TAC_LIKELY(store->misfits.count <= store->misfitsMost) ? TAC_OK : tacTimesSettleSome(store, line, err);
}
/* Applies the rule at the end, with an error in diag for what is refused or rounded; no stand-ins are left. */
tacStatus tacTimesFinish(tacStore *store, tacDiag *diag, tacError *err);

#endif
