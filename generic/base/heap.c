/*
 * heap.c -- pairing heaps: a heap is a tree in which each thing comes before its children; a list of siblings is joined
 * to one tree in two passes.
 */
#include "base/port.h"

#include "base/heap.h"

/* The node of a thing. */
static inline tacHeapNode *at(const tacHeapKind *kind, uint32_t thing) {
    return (tacHeapNode *) ((char *) kind->nodes + thing * kind->stride);
}

/* Makes the tree b the first child of a, which comes before it. The result: a. */
static uint32_t link(const tacHeapKind *kind, uint32_t a, uint32_t b) {
    tacHeapNode *parent = at(kind, a), *child = at(kind, b);
    child->before = a;
    child->next = parent->child;
    if (child->next != TAC_NONE) at(kind, child->next)->before = b;
    parent->child = b;
    return a;
}

/* Joins two trees; one of them may be TAC_NONE. */
static uint32_t join(const tacHeapKind *kind, uint32_t a, uint32_t b) {
    if (a == TAC_NONE || b == TAC_NONE) return a == TAC_NONE ? b : a;
    return kind->before(kind->data, b, a) ? link(kind, b, a) : link(kind, a, b);
}

/* Joins siblings to one tree: pairs from the first to the last, then these from the last to the first. */
static uint32_t joinAll(const tacHeapKind *kind, uint32_t first) {
    uint32_t pairs = TAC_NONE, whole = TAC_NONE;
    while (first != TAC_NONE) {
        uint32_t second = at(kind, first)->next, rest = second == TAC_NONE ? TAC_NONE : at(kind, second)->next;
        uint32_t pair = join(kind, first, second);
        at(kind, pair)->next = pairs;
        pairs = pair;
        first = rest;
    }
    while (pairs != TAC_NONE) {
        uint32_t next = at(kind, pairs)->next;
        whole = join(kind, pairs, whole);
        pairs = next;
    }
    if (whole != TAC_NONE) at(kind, whole)->next = at(kind, whole)->before = TAC_NONE;
    return whole;
}

uint32_t tacHeapAdd(const tacHeapKind *kind, uint32_t heap, uint32_t thing) {
    *at(kind, thing) = (tacHeapNode){TAC_NONE, TAC_NONE, TAC_NONE};
    return join(kind, heap, thing);
}

bool tacHeapAddBehind(const tacHeapKind *kind, uint32_t earlier, uint32_t thing) {
    if (kind->before(kind->data, thing, earlier)) return false;
    *at(kind, thing) = (tacHeapNode){TAC_NONE, TAC_NONE, TAC_NONE};
    link(kind, earlier, thing);
    return true;
}

uint32_t tacHeapRemove(const tacHeapKind *kind, uint32_t heap, uint32_t thing) {
    tacHeapNode *node = at(kind, thing);
    uint32_t below = joinAll(kind, node->child);
    if (heap == thing) return below;
    tacHeapNode *before = at(kind, node->before);
    *(before->child == thing ? &before->child : &before->next) = node->next;
    if (node->next != TAC_NONE) at(kind, node->next)->before = node->before;
    return join(kind, heap, below);
}
