/*
 * digits.c -- sorting places by digits: a pass for each byte in which keys differ.
 *
 * The key of a name is the eight bytes behind what all names begin with. Names whose keys are alike and which go on are
 * sorted in the same way by what comes behind them, to a depth beyond which, and for few, they are compared.
 */
#include "base/port.h"

#include "base/digits.h"
#include "base/mem.h"
#include "base/sort.h"

#include <string.h>

enum {
    DIGITS = 256,
    FEW = 16,  /* names that are quicker compared */
    DEPTH = 32 /* of eight bytes and more: bounds the stack for names that strangers chose */
};

bool tacDigitsInit(tacDigits *d, size_t n) {
    *d = (tacDigits){
        .n = n, .keys = tacAlloc((n + 1) * sizeof *d->keys), .places = tacAlloc((n + 1) * sizeof *d->places)};
    d->spare = tacAlloc((n + 1) * sizeof *d->spare);
    if (!d->keys || !d->places || !d->spare) {
        tacDigitsFree(d);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) d->places[i] = i;
    return true;
}

void tacDigitsFree(tacDigits *d) {
    tacFree(d->keys);
    tacFree(d->places);
    tacFree(d->spare);
    *d = (tacDigits){.n = 0};
}

uint64_t tacDigitsNumber(double number) {
    uint64_t bits;
    if (number == 0) number = 0; /* not -0 */
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Sorts n places by their keys, in place. */
static void sortPlaces(const uint64_t *keys, uint32_t *places, uint32_t *spare, size_t n) {
    uint32_t *from = places, *to = spare;
    uint64_t differ = 0;
    for (size_t i = 1; i < n; i++) differ |= keys[places[i]] ^ keys[places[0]];
    for (int shift = 0; shift < 64; shift += 8) {
        size_t starts[DIGITS + 1] = {0};
        if (!(differ >> shift & (DIGITS - 1))) continue;
        for (size_t i = 0; i < n; i++) starts[(keys[from[i]] >> shift & (DIGITS - 1)) + 1]++;
        for (int digit = 1; digit < DIGITS; digit++) starts[digit] += starts[digit - 1];
        for (size_t i = 0; i < n; i++) to[starts[keys[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
        uint32_t *swap = from;
        from = to, to = swap;
    }
    if (from != places) memcpy(places, from, n * sizeof *places);
}

void tacDigitsSort(tacDigits *d) { sortPlaces(d->keys, d->places, d->spare, d->n); }

void tacDigitsApply(tacDigits *d, void *things, size_t size) {
    unsigned char *at = things, kept[TAC_DIGITS_SIZE_MOST];
    for (uint32_t first = 0; first < d->n; first++) { /* along each cycle of the places */
        uint32_t to = first;
        if (d->places[first] == first) continue;
        memcpy(kept, at + first * size, size);
        for (uint32_t next; (next = d->places[to]) != first; to = next) {
            memcpy(at + to * size, at + next * size, size);
            d->places[to] = to;
        }
        memcpy(at + to * size, kept, size);
        d->places[to] = to;
    }
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static int compareNames(const void *left, const void *right, const void *data) {
    const char *const *names = data;
    return strcmp(names[*(const uint32_t *) left], names[*(const uint32_t *) right]);
}

static void insertNames(const char *const *names, uint32_t *places, size_t n) {
    for (size_t i = 1; i < n; i++) {
        uint32_t place = places[i];
        size_t k = i;
        for (; k > 0 && strcmp(names[places[k - 1]], names[place]) > 0; k--) places[k] = places[k - 1];
        places[k] = place;
    }
}

/* Sets the keys of n names, which are alike up to `skip`. Returns the length up to which they are alike. */
static size_t setNameKeys(tacDigits *d, const char *const *names, const uint32_t *places, size_t n, size_t skip) {
    const char *first = names[places[0]];
    size_t shared = skip + strlen(first + skip);
    for (size_t i = 1; i < n; i++) {
        const char *name = names[places[i]];
        size_t k = skip;
        while (k < shared && name[k] == first[k]) k++;
        shared = k;
    }
    for (size_t i = 0; i < n; i++) {
        const unsigned char *at = (const unsigned char *) names[places[i]] + shared;
        uint64_t key = 0;
        for (int k = 0; k < 8; k++) {
            key = key << 8 | *at;
            at += *at != 0;
        }
        d->keys[places[i]] = key;
    }
    return shared;
}

/* Sorts n places by names that are alike up to `skip`; `spare` beside them. */
static void sortNames(tacDigits *d, const char *const *names, uint32_t *places, size_t n, size_t skip, int depth) {
    if (n <= FEW || (depth == DEPTH && !tacSort(places, n, sizeof *places, compareNames, names, NULL))) {
        insertNames(names, places, n);
        return;
    }
    if (depth == DEPTH) return;
    size_t shared = setNameKeys(d, names, places, n, skip);
    sortPlaces(d->keys, places, d->spare, n);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t key = d->keys[places[i]];
        for (end = i + 1; end < n && d->keys[places[end]] == key; end++) {}
        bool goesOn = key & (DIGITS - 1); /* the last of the eight bytes is not the end */
        if (end - i > 1 && goesOn) sortNames(d, names, places + i, end - i, shared + 8, depth + 1);
    }
}

void tacDigitsSortNames(tacDigits *d, const char *const *names) { sortNames(d, names, d->places, d->n, 0, 0); }
