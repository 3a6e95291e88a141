/*
 * returns.c -- a binary heap of returns.
 */
#include "base/port.h"

#include "judge/returns.h"

static bool isEarlier(const tacReturn *a, const tacReturn *b) {
    return a->time != b->time ? a->time < b->time : a->row < b->row;
}

static void swap(tacReturn *a, tacReturn *b) {
    tacReturn first = *a;
    *a = *b;
    *b = first;
}

bool tacReturnsAdd(tacReturns *returns, const tacStore *store, uint32_t row) {
    int64_t end = tacRowNumber(store, row), begin = tacRowTime(store, row);
    if (!tacArrayPush(returns, (tacReturn){end > begin ? end : begin, row})) return false;
    tacReturn *heap = returns->at;
    for (size_t i = returns->count - 1; i > 0 && isEarlier(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&heap[i], &heap[(i - 1) / 2]);
    return true;
}

tacReturn tacReturnsNext(tacReturns *returns) {
    tacReturn *heap = returns->at, next = heap[0];
    size_t n = --returns->count;
    heap[0] = heap[n];
    for (size_t i = 0, first; (first = 2 * i + 1) < n; i = first) {
        if (first + 1 < n && isEarlier(&heap[first + 1], &heap[first])) first++;
        if (!isEarlier(&heap[first], &heap[i])) break;
        swap(&heap[first], &heap[i]);
    }
    return next;
}
