/*
 * heap.h -- pairing heaps of numbered things: adding one and looking at the first is quick, and any one can be removed.
 *
 * Things are numbers 0, 1 ...; a thing is in one heap at most of those that share an array of nodes. A heap is the
 * number of its first thing, TAC_NONE when it is empty. `before` says which of two things comes first; it must not
 * change its mind about things that are in a heap. Adding takes constant time, removing O(log n) in the long run
 * (Fredman, Sedgewick, Sleator and Tarjan, "The pairing heap", 1986).
 *
 * The node of a thing that is in no heap, or alone in one, is all zeros: so of a large array only that part takes
 * memory whose things have been together with others.
 */
#ifndef TAC_BASE_HEAP_H
#define TAC_BASE_HEAP_H

#include "base/intern.h"

typedef struct tacHeapNode { /* things, each with 1 added; 0: there is none */
    uint32_t child;          /* the first one */
    uint32_t next;           /* sibling */
    uint32_t before;         /* the sibling before it, or the parent */
} tacHeapNode;

typedef struct tacHeapKind {
    tacHeapNode *nodes; /* that of thing 0, */
    size_t stride;      /* ... and bytes from one thing's to the next one's: nodes may be parts of records */
    bool (*before)(const void *data, uint32_t a, uint32_t b);
    const void *data;
} tacHeapKind;

/* Makes an array of *n nodes, which has none at first, long enough for a thing: for a few thousand things at first,
 * then for `most`, or for half as many again as are needed. False: no memory. */
bool tacHeapNodes(tacHeapNode **nodes, size_t *n, uint32_t thing, size_t most);
/* The heap with a thing more. */
uint32_t tacHeapAdd(const tacHeapKind *kind, uint32_t heap, uint32_t thing);
/* Adds a thing to the heap of another one, unless it comes before that; false: it does. Things that are added in their
 * order, each behind the last one, make a list: removing the first of n lists costs O(log n), however long they are. */
bool tacHeapAddBehind(const tacHeapKind *kind, uint32_t earlier, uint32_t thing);
/* The heap without one of its things. */
uint32_t tacHeapRemove(const tacHeapKind *kind, uint32_t heap, uint32_t thing);

#endif
