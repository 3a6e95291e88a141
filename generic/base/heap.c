/*
 * heap.c -- pairing heaps: a heap is a tree in which each thing comes before its children; a list of siblings is joined
 * to one tree in two passes.
 */
#include "base/port.h"

#include "base/heap.h"

/* Joins two trees; one of them may be TAC_NONE. */
static uint32_t join(const tacHeapKind *kind, uint32_t a, uint32_t b) {
    tacHeapNode *nodes = *kind->nodes;
    if (a == TAC_NONE || b == TAC_NONE) return a == TAC_NONE ? b : a;
    if (kind->before(kind->data, b, a)) {
        uint32_t first = b;
        b = a;
        a = first;
    }
    nodes[b].before = a;
    nodes[b].next = nodes[a].child;
    if (nodes[b].next != TAC_NONE) nodes[nodes[b].next].before = b;
    nodes[a].child = b;
    return a;
}

/* Joins siblings to one tree: pairs from the first to the last, then these from the last to the first. */
static uint32_t joinAll(const tacHeapKind *kind, uint32_t first) {
    tacHeapNode *nodes = *kind->nodes;
    uint32_t pairs = TAC_NONE, whole = TAC_NONE;
    while (first != TAC_NONE) {
        uint32_t second = nodes[first].next, rest = second == TAC_NONE ? TAC_NONE : nodes[second].next;
        uint32_t pair = join(kind, first, second);
        nodes[pair].next = pairs;
        pairs = pair;
        first = rest;
    }
    while (pairs != TAC_NONE) {
        uint32_t next = nodes[pairs].next;
        whole = join(kind, pairs, whole);
        pairs = next;
    }
    if (whole != TAC_NONE) nodes[whole].next = nodes[whole].before = TAC_NONE;
    return whole;
}

uint32_t tacHeapAdd(const tacHeapKind *kind, uint32_t heap, uint32_t thing) {
    (*kind->nodes)[thing] = (tacHeapNode){TAC_NONE, TAC_NONE, TAC_NONE};
    return join(kind, heap, thing);
}

uint32_t tacHeapRemove(const tacHeapKind *kind, uint32_t heap, uint32_t thing) {
    tacHeapNode *nodes = *kind->nodes, *node = &nodes[thing];
    uint32_t below = joinAll(kind, node->child);
    if (heap == thing) return below;
    if (nodes[node->before].child == thing) nodes[node->before].child = node->next;
    else nodes[node->before].next = node->next;
    if (node->next != TAC_NONE) nodes[node->next].before = node->before;
    return join(kind, heap, below);
}
