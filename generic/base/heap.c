/*
 * heap.c -- pairing heaps: a heap is a tree in which each thing comes before its children; a list of siblings is joined
 * to one tree in two passes.
 *
 * Within this file a tree or a thing is what nodes have: its number with 1 added, 0 where there is none.
 */
#include "base/port.h"

#include "base/heap.h"

#include <string.h>

_Static_assert((uint32_t) (TAC_NONE + 1) == 0, "a heap is a tree with 1 taken off");

/* The node of a thing. */
static inline tacHeapNode *at(const tacHeapKind *kind, uint32_t thing) {
    return (tacHeapNode *) ((char *) kind->nodes + (thing - 1) * kind->stride);
}

/* Makes the tree b the first child of a, which comes before it. The result: a. */
static uint32_t link(const tacHeapKind *kind, uint32_t a, uint32_t b) {
    tacHeapNode *parent = at(kind, a), *child = at(kind, b);
    child->before = a;
    child->next = parent->child;
    if (child->next) at(kind, child->next)->before = b;
    parent->child = b;
    return a;
}

/* Joins two trees; one of them may be none. */
static uint32_t join(const tacHeapKind *kind, uint32_t a, uint32_t b) {
    if (!a || !b) return a ? a : b;
    return kind->before(kind->data, b - 1, a - 1) ? link(kind, b, a) : link(kind, a, b);
}

/* Joins siblings to one tree: pairs from the first to the last, then these from the last to the first. */
static uint32_t joinAll(const tacHeapKind *kind, uint32_t first) {
    uint32_t pairs = 0, whole = 0;
    while (first) {
        uint32_t second = at(kind, first)->next, rest = second ? at(kind, second)->next : 0;
        uint32_t pair = join(kind, first, second);
        at(kind, pair)->next = pairs;
        pairs = pair;
        first = rest;
    }
    while (pairs) {
        uint32_t next = at(kind, pairs)->next;
        whole = join(kind, pairs, whole);
        pairs = next;
    }
    if (whole) at(kind, whole)->next = at(kind, whole)->before = 0;
    return whole;
}

bool tacHeapNodes(tacHeapNode **nodes, size_t *n, uint32_t thing, size_t most) {
    enum { FEW = 4096 };
    if (thing < *n) return true;
    size_t room = thing < FEW ? FEW : thing < most ? most : (size_t) thing + thing / 2;
    tacHeapNode *longer = tacAllocZero(room, sizeof *longer);
    if (!longer) return false;
    if (*n) memcpy(longer, *nodes, *n * sizeof *longer);
    tacFree(*nodes);
    *nodes = longer;
    *n = room;
    return true;
}

uint32_t tacHeapAdd(const tacHeapKind *kind, uint32_t heap, uint32_t thing) {
    return join(kind, heap + 1, thing + 1) - 1;
}

bool tacHeapAddBehind(const tacHeapKind *kind, uint32_t earlier, uint32_t thing) {
    if (kind->before(kind->data, thing, earlier)) return false;
    link(kind, earlier + 1, thing + 1);
    return true;
}

uint32_t tacHeapRemove(const tacHeapKind *kind, uint32_t heap, uint32_t thing) {
    tacHeapNode *node = at(kind, thing + 1), old = *node;
    if (!old.child && !old.before) return TAC_NONE;
    *node = (tacHeapNode){0, 0, 0};
    uint32_t below = joinAll(kind, old.child);
    if (heap == thing) return below - 1;
    tacHeapNode *before = at(kind, old.before);
    *(before->child == thing + 1 ? &before->child : &before->next) = old.next;
    if (old.next) at(kind, old.next)->before = old.before;
    return join(kind, heap + 1, below) - 1;
}
