/*
 * span.c -- levels of largest ends over stretches sorted by begin.
 *
 * Invariant: element b of level l is the largest end of the stretches [b << shift, (b + 1) << shift), as far as there
 * are so many, with shift = TAC_SPAN_SHIFT * (l + 1). Each level has a 16th of the elements of the one below, rounded
 * up.
 */
#include "base/port.h"

#include "model/span.h"

/* Number of elements of all levels over `count` stretches. */
static uint32_t elements(uint32_t count) {
    uint32_t total = 0, n = count;
    if (n == 0) return 0;
    do total += n = tacSpanAbove(n);
    while (n > 1);
    return total;
}

bool tacSpanInit(tacSpan *span, uint32_t count) {
    uint32_t total = elements(count);
    *span = (tacSpan){NULL, count};
    if (count == 0) return true;
    span->ends = tacAlloc(total * sizeof *span->ends);
    if (!span->ends) {
        span->count = 0;
        return false;
    }
    for (uint32_t i = 0; i < total; i++) span->ends[i] = INT64_MIN;
    return true;
}

void tacSpanFree(tacSpan *span) {
    tacFree(span->ends);
    *span = (tacSpan){0};
}

size_t tacSpanBytes(const tacSpan *span) { return elements(span->count) * sizeof *span->ends; }

void tacSpanFinish(tacSpan *span) {
    int64_t *below = span->ends;
    for (uint32_t n = tacSpanAbove(span->count); n > 1; n = tacSpanAbove(n)) {
        int64_t *here = below + n;
        for (uint32_t i = 0; i < n; i++)
            if (below[i] > here[i >> TAC_SPAN_SHIFT]) here[i >> TAC_SPAN_SHIFT] = below[i];
        below = here;
    }
}

/* Index of the stretch to go on with from i, the first of a block in which no stretch ends after `from`: passes over as
 * large a block as starts at i and has no such stretch either. */
static uint64_t passBlocks(const tacSpan *span, uint32_t i, int64_t from) {
    uint32_t n = tacSpanAbove(span->count), at = i >> TAC_SPAN_SHIFT; /* elements below `level`, and that of i */
    const int64_t *level = span->ends + n;
    uint64_t size = TAC_SPAN_BLOCK;
    while (n > 1 && (at & (TAC_SPAN_BLOCK - 1)) == 0 && level[at >> TAC_SPAN_SHIFT] <= from) {
        at >>= TAC_SPAN_SHIFT;
        size <<= TAC_SPAN_SHIFT;
        n = tacSpanAbove(n);
        level += n;
    }
    return i + size;
}

uint32_t tacSpanNext(
    const tacSpan *span, uint32_t start, uint32_t limit, int64_t from, tacSpanEnd end, const void *data) {
    const uint32_t inBlock = TAC_SPAN_BLOCK - 1;
    uint64_t i = start;
    while (i < limit) {
        if (span->ends[i >> TAC_SPAN_SHIFT] <= from) {
            i = (i & inBlock) == 0 ? passBlocks(span, (uint32_t) i, from) : (i | inBlock) + 1;
            continue;
        }
        uint64_t stop = (i | inBlock) + 1;
        if (stop > limit) stop = limit;
        for (; i < stop; i++)
            if (end(data, (uint32_t) i) > from) return (uint32_t) i;
    }
    return limit;
}

/* Index of the first of the stretches up to i, none of which ends after `from`, so that they can be passed over; i + 1:
 * none can. */
static uint32_t passDown(const tacSpan *span, uint32_t i, int64_t from) {
    const int64_t *level = span->ends;
    uint32_t n = span->count, at = i, shift = 0, first = i + 1;
    do {
        if (level[at >> TAC_SPAN_SHIFT] > from) break;
        at >>= TAC_SPAN_SHIFT;
        shift += TAC_SPAN_SHIFT;
        first = at << shift;
        n = tacSpanAbove(n);
        level += n;
    } while (n > 1);
    return first;
}

uint32_t tacSpanPrevious(const tacSpan *span, uint32_t limit, int64_t from, tacSpanEnd end, const void *data) {
    uint32_t i = limit;
    while (i > 0) {
        uint32_t first = passDown(span, i - 1, from);
        if (first == i) {
            for (first = (i - 1) & ~(uint32_t) (TAC_SPAN_BLOCK - 1); i > first; i--)
                if (end(data, i - 1) > from) return i - 1;
        }
        i = first;
    }
    return TAC_NONE;
}
