/*
 * layoutPrefix.c -- what names of rows have in common at their begins: labels without room for a whole name leave that
 * out first, since it tells no row from another. What is left must not be that of another name: rows of two processors
 * may differ in their ends alone.
 */
#include "base/port.h"

#include "view/layoutRows.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 5000, ROUNDS_MOST = 8 };   /* rows that are compared; words that are given back */
enum { PREFIX_LEAST = 4, PREFIX_MOST = 200 }; /* bytes of a prefix */

typedef struct NamedRow {
    const char *name;
    uint32_t row;
    const char *rest; /* behind what is left out */
} NamedRow;

static int compareNames(const void *left, const void *right) {
    return strcmp(((const NamedRow *) left)->name, ((const NamedRow *) right)->name);
}

static int compareRests(const void *left, const void *right) {
    const NamedRow *a = left, *b = right;
    int order = strcmp(a->rest, b->rest);
    return order ? order : strcmp(a->name, b->name);
}

uint8_t tacPrefixJoint(const char *name, size_t n) {
    while (n && !strchr(" _-/:.", name[n - 1])) n--;
    return n >= PREFIX_LEAST ? (uint8_t) n : 0;
}

/* Length of the common begin of two different names. */
static uint8_t commonLength(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && a[n] == b[n] && n < PREFIX_MOST) n++;
    return a[n] || b[n] ? tacPrefixJoint(a, n) : 0;
}

/* Gives rows of one name the same prefix; `a` and `b` are neighbours in the order of names. */
static void share(tacFigureRows *rows, const NamedRow *a, const NamedRow *b) {
    uint8_t *one = &rows->rows.at[a->row].prefix, *other = &rows->rows.at[b->row].prefix;
    if (strcmp(a->name, b->name) == 0) *one = *other = *one > *other ? *one : *other;
}

/* Gives rows of different names whose rests are equal a word more. True: there were some. */
static bool tellApart(tacFigureRows *rows, NamedRow *list, size_t n, bool all) {
    bool some = false;
    for (size_t i = 0; i < n; i++) list[i].rest = list[i].name + rows->rows.at[list[i].row].prefix;
    qsort(list, n, sizeof *list, compareRests);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && strcmp(list[i].rest, list[end].rest) == 0;) end++;
        if (strcmp(list[i].name, list[end - 1].name) == 0) continue;
        some = true;
        for (size_t k = i; k < end; k++) {
            uint8_t *prefix = &rows->rows.at[list[k].row].prefix;
            *prefix = *prefix && !all ? tacPrefixJoint(list[k].name, *prefix - 1u) : 0;
        }
    }
    return some;
}

bool tacFigureRowsPrefixes(tacFigureRows *rows, const tacModel *model) {
    size_t n = rows->rows.count;
    NamedRow *list = n > 1 && n <= ROWS_MOST ? tacAlloc(n * sizeof *list) : NULL;
    if (!list) return n <= 1 || n > ROWS_MOST;
    for (size_t i = 0; i < n; i++)
        list[i] = (NamedRow){.name = tacFigureRowName(model, &rows->rows.at[i]), .row = (uint32_t) i};
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
    for (int round = 0; round < ROUNDS_MOST && tellApart(rows, list, n, round == ROUNDS_MOST - 1); round++) continue;
    tacFree(list);
    return true;
}
