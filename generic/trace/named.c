/*
 * named.c -- objects sorted by their ids and names.
 */
#include "base/port.h"

#include "base/search.h"
#include "base/sort.h"
#include "trace/named.h"

#include <string.h>

typedef struct Named {
    const char *text;
    uint32_t object;
} Named;

static const char *textOf(const tacStore *store, tacKind kind, tacNamedBy by, uint32_t object) {
    return by == TAC_BY_ID ? tacObjectId(store, kind, object) : tacObjectName(store, kind, object);
}

/* Compares texts: a tacCompare, which leaves those that are equal in the order of the trace. */
static int compareNamed(const void *left, const void *right, const void *data) {
    (void) data;
    return strcmp(((const Named *) left)->text, ((const Named *) right)->text);
}

/* The objects of a kind, sorted; NULL: no memory. */
static const uint32_t *sorted(const tacStore *store, tacKind kind, tacNamedBy by) {
    uint32_t **made = &((tacStore *) store)->named[kind][by], n = tacStoreObjects(store, kind);
    if (*made) return *made;
    Named *all = tacAlloc(n * sizeof *all);
    uint32_t *objects = tacAlloc(n * sizeof *objects);
    for (uint32_t i = 0; all && i < n; i++) all[i] = (Named){textOf(store, kind, by, i), i};
    if (all && objects && tacSort(all, n, sizeof *all, compareNamed, NULL, NULL)) *made = objects;
    for (uint32_t i = 0; *made && i < n; i++) objects[i] = all[i].object;
    if (!*made) tacFree(objects);
    tacFree(all);
    return *made;
}

const uint32_t *tacNamedFind(
    const tacStore *store, tacKind kind, tacNamedBy by, const char *text, size_t length, bool whole, uint32_t *count) {
    const uint32_t *objects = sorted(store, kind, by);
    uint32_t n = tacStoreObjects(store, kind);
    *count = 0;
    if (!objects) return NULL;
    uint32_t from = tacPast(uint32_t, 0, n, i, strncmp(textOf(store, kind, by, objects[i]), text, length) < 0);
    uint32_t to = tacPast(uint32_t, from, n, i, strncmp(textOf(store, kind, by, objects[i]), text, length) == 0);
    if (whole) to = tacPast(uint32_t, from, to, i, textOf(store, kind, by, objects[i])[length] == '\0');
    *count = to - from;
    return objects + from;
}
