/*
 * sort.h -- a stable sort of any elements that reports its progress and can be stopped, unlike qsort.
 */
#ifndef TAC_BASE_SORT_H
#define TAC_BASE_SORT_H

#include "base/progress.h"

/* Compares two elements: < 0, 0 or > 0; data is the caller's. */
typedef int tacCompare(const void *left, const void *right, const void *data);

/*
 * Sorts n elements; equal ones keep their order. Needs memory for as many elements again. False: no memory, and nothing
 * has moved; or stopped (tacProgressStopped), and the elements are in any order.
 */
bool tacSort(void *elements, size_t n, size_t size, tacCompare *compare, const void *data, tacProgress *progress);

#endif
