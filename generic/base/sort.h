/*
 * sort.h -- a stable sort of any elements that can be watched and stopped, which qsort cannot.
 */
#ifndef TAC_BASE_SORT_H
#define TAC_BASE_SORT_H

#include "base/progress.h"

/* < 0, 0, > 0; data is the caller's */
typedef int tacCompare(const void *left, const void *right, const void *data);

/*
 * Sorts n elements; equal ones keep their order. Takes room for as many elements again. False: no memory, and nothing
 * has moved; or stopped (tacProgressStopped), and the elements are there in any order.
 */
bool tacSort(void *elements, size_t n, size_t size, tacCompare *compare, const void *data, tacProgress *progress);

#endif
