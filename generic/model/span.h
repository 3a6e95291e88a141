/*
 * span.h -- index over the ends of many stretches [begin, end), sorted by begin: finds those that reach beyond a time.
 * Every query of a window uses it.
 *
 * Stretches may overlap, so sorting by begin alone does not say where to start looking: one job that is blocked for
 * ever reaches into every window. Over the ends are levels of maxima: level 0 has the largest end of 16 stretches,
 * level 1 of sixteen of those, and so on. Walking all stretches that touch [from, to) costs O(found * log n):
 *
 *   for (i = tacSpanNext(span, 0, n, from, end, data); i < n && begin(i) < to; i = tacSpanNext(span, i + 1, n, from,
 * end, data))
 *
 * Half a byte of memory a stretch; the stretches themselves stay where they are.
 */
#ifndef TAC_MODEL_SPAN_H
#define TAC_MODEL_SPAN_H

#include "base/intern.h"
#include "base/mem.h"

enum { TAC_SPAN_SHIFT = 4, TAC_SPAN_BLOCK = 1 << TAC_SPAN_SHIFT };

typedef struct tacSpan {
    int64_t *ends;  /* all levels in one block of memory, level 0 first, the last one with one element; NULL: no
                       stretches */
    uint32_t count; /* stretches */
} tacSpan;

/* Elements of the level above n stretches or elements. */
static inline uint32_t tacSpanAbove(uint32_t n) { return (n >> TAC_SPAN_SHIFT) + ((n & (TAC_SPAN_BLOCK - 1)) != 0); }

/* The end of stretch i; data is the caller's. */
typedef int64_t (*tacSpanEnd)(const void *data, uint32_t i);

bool tacSpanInit(tacSpan *span, uint32_t count); /* for `count` stretches; false: no memory */
void tacSpanFree(tacSpan *span);
size_t tacSpanBytes(const tacSpan *span);

/* Filling: each stretch once, in any order; then tacSpanFinish. */
static inline void tacSpanPut(tacSpan *span, uint32_t i, int64_t end) {
    int64_t *most = &span->ends[i >> TAC_SPAN_SHIFT];
    if (end > *most) *most = end;
}
void tacSpanFinish(tacSpan *span);

/* First i in [start, limit) whose end is after `from`; limit when there is none. */
uint32_t tacSpanNext(
    const tacSpan *span, uint32_t start, uint32_t limit, int64_t from, tacSpanEnd end, const void *data);
/* Last i before `limit` whose end is after `from`; TAC_NONE when there is none. */
uint32_t tacSpanPrevious(const tacSpan *span, uint32_t limit, int64_t from, tacSpanEnd end, const void *data);

#endif
