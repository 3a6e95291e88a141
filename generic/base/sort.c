/*
 * sort.c -- a merge sort from the bottom up, between the elements and a second block of the same size. Pairs of runs
 * that are in order already are copied as they are, so nearly sorted elements are sorted fast.
 */
#include "base/port.h"

#include "base/mem.h"
#include "base/sort.h"

#include <string.h>

/* A sort under way. */
typedef struct Sort {
    size_t size; /* bytes of an element */
    tacCompare *compare;
    const void *data; /* of compare */
    tacProgress *progress;
    uint64_t moved; /* elements, in all passes */
} Sort;

/* Copies one element; the usual sizes without a call. */
static inline void copy(char *to, const char *from, size_t size) {
    switch (size) {
    case 4: memcpy(to, from, 4); break;
    case 16: memcpy(to, from, 16); break;
    default: memcpy(to, from, size);
    }
}

/* Counts n elements that were moved at once. False: stop. */
static bool moved(Sort *s, uint64_t n) {
    uint64_t before = s->moved;
    s->moved += n;
    return before / TAC_PROGRESS_STEPS == s->moved / TAC_PROGRESS_STEPS || tacProgressStep(s->progress, s->moved);
}

/* Merges [left, middle) and [middle, right) of `from` into `to`. False: stop. */
static bool merge(Sort *s, const char *from, char *to, size_t left, size_t middle, size_t right) {
    const size_t size = s->size;
    const char *a = from + left * size, *aEnd = from + middle * size, *b = aEnd, *bEnd = from + right * size;
    to += left * size;
    if (b == bEnd || s->compare(b - size, b, s->data) <= 0) {
        memcpy(to, a, (size_t) (bEnd - a));
        return moved(s, right - left);
    }
    for (; a < aEnd && b < bEnd; to += size) {
        if (!tacProgressAt(s->progress, ++s->moved)) return false;
        const char **least = s->compare(a, b, s->data) <= 0 ? &a : &b;
        copy(to, *least, size);
        *least += size;
    }
    memcpy(to, a, (size_t) (aEnd - a));
    memcpy(to + (aEnd - a), b, (size_t) (bEnd - b));
    return moved(s, (size_t) ((aEnd - a) + (bEnd - b)) / size);
}

bool tacSort(void *elements, size_t n, size_t size, tacCompare *compare, const void *data, tacProgress *progress) {
    Sort s = {size, compare, data, progress, 0};
    char *from = elements;
    size_t ascending = 1; /* elements that are in order already */
    while (ascending < n && tacProgressAt(progress, ascending)
        && compare(from + (ascending - 1) * size, from + ascending * size, data) <= 0)
        ascending++;
    if (ascending >= n) return true;
    if (tacProgressStopped(progress)) return false;
    char *room = tacAllocZero(n, size), *to = room;
    bool done = room != NULL;
    for (size_t width = 1; done && width < n; width *= 2) {
        for (size_t left = 0; done && left < n; left += 2 * width) {
            size_t middle = n - left < width ? n : left + width, right = n - middle < width ? n : middle + width;
            done = merge(&s, from, to, left, middle, right);
        }
        char *swap = from;
        from = to;
        to = swap;
    }
    /* Stopped in the middle of a pass, only the block that was merged from is whole. */
    if (room && !done) from = to;
    if (room && from != elements) memcpy(elements, from, n * size);
    tacFree(room);
    return done;
}
