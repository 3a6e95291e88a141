/*
 * span.c -- levels of largest ends over stretches sorted by begin.
 *
 * Invariant: ends[first[l] + b] is the largest end of the stretches [b << shift(l), (b + 1) << shift(l)) with
 * shift(l) = TAC_SPAN_SHIFT * (l + 1), as far as there are so many.
 */
#include "base/port.h"
#include "model/span.h"

bool tacSpanInit(tacSpan *span, uint32_t count) {
    *span = (tacSpan) {.count = count};
    if (count == 0) return true;
    uint64_t n = count;
    uint32_t total = 0;
    do {
	n = (n + TAC_SPAN_BLOCK - 1) >> TAC_SPAN_SHIFT;
	span->first[span->nLevels++] = total;
	total += (uint32_t) n;
    } while (n > 1);
    span->first[span->nLevels] = total;
    span->ends = tacAlloc(total * sizeof *span->ends);
    if (!span->ends) {
	*span = (tacSpan) {0};
	return false;
    }
    for (uint32_t i = 0; i < total; i++) span->ends[i] = INT64_MIN;
    return true;
}

void tacSpanFree(tacSpan *span) {
    tacFree(span->ends);
    *span = (tacSpan) {0};
}

size_t tacSpanBytes(const tacSpan *span) {
    return span->first[span->nLevels] * sizeof *span->ends;
}

void tacSpanFinish(tacSpan *span) {
    for (uint32_t level = 1; level < span->nLevels; level++) {
	const int64_t *below = span->ends + span->first[level - 1];
	int64_t *here = span->ends + span->first[level];
	uint32_t n = span->first[level] - span->first[level - 1];
	for (uint32_t i = 0; i < n; i++)
	    if (below[i] > here[i >> TAC_SPAN_SHIFT]) here[i >> TAC_SPAN_SHIFT] = below[i];
    }
}

/* How many stretches from i on (i at a block's begin) can be passed over because none of them ends after `from`; 0: none. */
static uint64_t passable(const tacSpan *span, uint32_t i, int64_t from) {
    uint64_t passed = 0;
    for (uint32_t level = 0; level < span->nLevels; level++) {
	int shift = TAC_SPAN_SHIFT * (int) (level + 1);
	uint64_t size = (uint64_t) 1 << shift;
	if ((i & (size - 1)) != 0 || span->ends[span->first[level] + (uint32_t) ((uint64_t) i >> shift)] > from) break;
	passed = size;
    }
    return passed;
}

uint32_t tacSpanNext(const tacSpan *span, uint32_t start, uint32_t limit, int64_t from, tacSpanEnd end, const void *data) {
    uint64_t i = start;
    while (i < limit) {
	uint64_t passed = (i & (TAC_SPAN_BLOCK - 1)) == 0 ? passable(span, (uint32_t) i, from) : 0;
	if (passed) {
	    i += passed;
	    continue;
	}
	uint64_t stop = (i | (TAC_SPAN_BLOCK - 1)) + 1;
	if (stop > limit) stop = limit;
	for (; i < stop; i++)
	    if (end(data, (uint32_t) i) > from) return (uint32_t) i;
    }
    return limit;
}
