/*
 * layoutPrefix.c -- what names of rows have in common at their begins: labels without room for a whole name leave that
 * out first, since it tells no row from another.
 */
#include "base/port.h"

#include "view/layoutRows.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 5000, PREFIX_LEAST = 4, PREFIX_MOST = 200 }; /* rows that are compared; bytes of a prefix */

typedef struct NamedRow {
    const char *name;
    uint32_t row;
} NamedRow;

static int compareNames(const void *left, const void *right) {
    return strcmp(((const NamedRow *) left)->name, ((const NamedRow *) right)->name);
}

/* Length of the common begin of two different names, up to a blank or a joining character. */
static uint8_t commonLength(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && a[n] == b[n] && n < PREFIX_MOST) n++;
    if (!a[n] && !b[n]) return 0;
    while (n && !strchr(" _-/:.", a[n - 1])) n--;
    return n >= PREFIX_LEAST ? (uint8_t) n : 0;
}

/* Gives rows of one name the same prefix; `a` and `b` are neighbours in the order of names. */
static void share(tacFigureRows *rows, const NamedRow *a, const NamedRow *b) {
    uint8_t *one = &rows->rows.at[a->row].prefix, *other = &rows->rows.at[b->row].prefix;
    if (strcmp(a->name, b->name) == 0) *one = *other = *one > *other ? *one : *other;
}

bool tacFigureRowsPrefixes(tacFigureRows *rows, const tacModel *model) {
    size_t n = rows->rows.count;
    NamedRow *list = n > 1 && n <= ROWS_MOST ? tacAlloc(n * sizeof *list) : NULL;
    if (!list) return n <= 1 || n > ROWS_MOST;
    for (size_t i = 0; i < n; i++) list[i] = (NamedRow){tacFigureRowName(model, &rows->rows.at[i]), (uint32_t) i};
    qsort(list, n, sizeof *list, compareNames);
    for (size_t i = 1; i < n; i++) { /* names with the longest common begin are neighbours */
        uint8_t length = commonLength(list[i - 1].name, list[i].name);
        for (size_t k = i - 1; k <= i; k++) {
            uint8_t *prefix = &rows->rows.at[list[k].row].prefix;
            *prefix = length > *prefix ? length : *prefix;
        }
    }
    for (size_t i = 1; i < n; i++) share(rows, &list[i - 1], &list[i]);
    for (size_t i = n - 1; i > 0; i--) share(rows, &list[i - 1], &list[i]);
    tacFree(list);
    return true;
}
