/*
 * returns.h -- system calls that are under way, by the time at which they return.
 */
#ifndef TAC_JUDGE_RETURNS_H
#define TAC_JUDGE_RETURNS_H

#include "trace/store.h"

typedef struct tacReturn { /* that is to come */
    int64_t time;
    uint32_t row; /* of its entry */
} tacReturn;

typedef TAC_ARRAY(tacReturn) tacReturns; /* a heap: the next one is the first */

/* Notes the return of the call that an annotation is; it is not before its entry. False: no memory. */
bool tacReturnsAdd(tacReturns *returns, const tacStore *store, uint32_t row);
/* Takes the next one out, of those of one time the one that was entered first; there must be one. */
tacReturn tacReturnsNext(tacReturns *returns);
/* Is there one up to a time? */
static inline bool tacReturnsUntil(const tacReturns *returns, int64_t time) {
    return TAC_UNLIKELY(returns->count > 0) && returns->at[0].time <= time;
}

#endif
