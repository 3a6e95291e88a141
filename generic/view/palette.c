/*
 * palette.c -- colours for things without a colour of their own.
 *
 * The first six colours are those of M. Okabe and K. Ito (Color Universal Design, 2008) without black and without
 * vermillion, which is too near to the red of what is late. The others continue them by steps of lightness and hue:
 * they were chosen among colours of OKLab so that the least distance of any two, as normal, protan, deutan and tritan
 * eyes see them (G. Machado et al., A Physiologically-based Model for Simulation of Color Vision Deficiency, 2009), is
 * as great as can be. The other two dozen, for what is beyond the twelve, were found one by one in the same way, each
 * as far from all before it as can be. tests/palette.test has the distances.
 *
 * On white the least contrast to the paper is 1.3 (WCAG 2.1), since bars have an outline. On dark paper it is 3:1:
 * twelve colours that are darker have another one there, the nearest in hue that is apart from all others. The ramp is
 * part of viridis (S. van der Walt, N. Smith), from dark for the highest priority to light.
 *
 *      places of names    1. each place goes to one of the names whose hash is this place
 *                         2. other names look for a free place, in an order that depends on their hash
 *                         3. then the second, third ... task of a name looks for one
 *                         when all twelve are taken: one of the second dozen, then of the third; after that the place
 *                         of its hash
 */
#include "base/port.h"

#include "base/mem.h"
#include "trace/kernelThread.h"
#include "view/color.h"
#include "view/palette.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t palette[TAC_PALETTE_ALL] = {
    0x56B4E9,
    0xE69F00,
    0x009E73,
    0xF0E442,
    0x0072B2,
    0xCC79A7,
    0xBDCCFD,
    0x904E81,
    0x996DF0,
    0x79E8B0,
    0x8DB48C,
    0xE2C06D,
    0x5A0F69,
    0x0000C3,
    0x870000,
    0x781EF0,
    0xB46900,
    0xD200B4,
    0x00694B,
    0x782D87,
    0x3C3C4B,
    0xC3B4C3,
    0x695A0F,
    0xA587FF,
    0x697869,
    0xB478D2,
    0xA5F087,
    0x3C0F96,
    0xA54BD2,
    0xFF87FF,
    0x874BFF,
    0x69A55A,
    0xC396C3,
    0x003CD2,
    0xC3D20F,
    0x692DA5,
};
static const uint32_t onDark[TAC_PALETTE_ALL] = {/* 0: the same as on white */
    [7] = 0x995187,
    [12] = 0xBD515A,
    [13] = 0x2D99E1,
    [14] = 0xBD3F2D,
    [15] = 0xAB12E1,
    [18] = 0x6C903F,
    [19] = 0xFC3FCF,
    [20] = 0x877587,
    [22] = 0x6C6C3F,
    [27] = 0x5A6C99,
    [33] = 0x2DC6E1,
    [35] = 0xB46CB4};
static const uint32_t ramp[] = {0x414487, 0x2A788E, 0x22A884, 0x7AD151, 0xFDE725};

uint32_t tacPaletteColor(uint32_t place, bool dark) {
    place %= TAC_PALETTE_ALL;
    return dark && onDark[place] ? onDark[place] : palette[place];
}

uint32_t tacPaletteRamp(uint32_t rank) {
    enum { STEPS = sizeof ramp / sizeof *ramp - 1 };
    double at = (double) STEPS * (rank < TAC_PALETTE_RANKS ? rank : TAC_PALETTE_RANKS) / TAC_PALETTE_RANKS;
    int step = at < STEPS ? (int) at : STEPS - 1;
    return tacColorMix(ramp[step], ramp[step + 1], at - step);
}

/* ---- places of names --------------------------------------------------------------------------------------------- */

/* FNV-1a, with its bits mixed, since names often differ in their last letter only. */
static uint32_t hashName(const char *name) {
    uint32_t hash = 2166136261u;
    for (; *name; name++) hash = (hash ^ (uint8_t) *name) * 16777619u;
    hash ^= hash >> 16;
    hash *= 0x85EBCA6Bu;
    return hash ^ hash >> 13;
}

typedef struct Named {
    const char *name;
    uint32_t hash, task;
    uint32_t nth; /* among the tasks of this name */
} Named;

static int compareNamed(const void *left, const void *right) {
    const Named *a = left, *b = right;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    int byName = strcmp(a->name, b->name);
    return byName ? byName : a->task < b->task ? -1 : a->task > b->task;
}

/* A free place for a hash, of the first dozen that has one; if there is none, the one that the hash wants. */
static uint8_t freePlace(uint32_t hash, const bool *taken) {
    static const uint32_t steps[] = {1, 5, 7, 11}; /* each comes by all places */
    uint32_t step = steps[hash >> 28 & 3];
    for (uint32_t i = 0; i < TAC_PALETTE_ALL; i++) {
        uint32_t place = (hash % TAC_PALETTE + i * step) % TAC_PALETTE + i / TAC_PALETTE * TAC_PALETTE;
        if (!taken[place]) return (uint8_t) place;
    }
    return (uint8_t) (hash % TAC_PALETTE);
}

/* Has the task a colour without the palette: its own, or that of interrupts? */
static bool isColored(const tacStore *store, uint32_t task) {
    const char *color = tacObjectText(store, TAC_TASK, task, TAC_OPT_COLOR);
    return store->objects[TAC_TASK].at[task].isr || (color && *color);
}

enum { SORTED_MOST = 5000 }; /* tasks that are given places one by one */

uint8_t tacPaletteName(const tacStore *store, uint32_t task) {
    const char *name = tacObjectName(store, TAC_TASK, task);
    return tacIsKernelThread(store, task) ? TAC_PALETTE_QUIET : (uint8_t) (hashName(name) % TAC_PALETTE);
}

bool tacPaletteNames(const tacStore *store, uint8_t *places) {
    uint32_t n = tacStoreObjects(store, TAC_TASK), count = 0;
    Named *list = tacAlloc(((size_t) n + 1) * sizeof *list);
    bool taken[TAC_PALETTE_ALL] = {false};
    for (uint32_t i = 0; i < n; i++) {
        const char *name = tacObjectName(store, TAC_TASK, i);
        uint32_t hash = hashName(name);
        bool quiet = tacIsKernelThread(store, i);
        places[i] = quiet ? TAC_PALETTE_QUIET : (uint8_t) (hash % TAC_PALETTE);
        if (list && !quiet && !isColored(store, i)) list[count++] = (Named){name, hash, i, 0};
    }
    if (!list) return false;
    if (count > SORTED_MOST) count = 0; /* every place has hundreds of them, so none is looked for that is free */
    if (count) qsort(list, count, sizeof *list, compareNamed);
    for (uint32_t i = 1; i < count; i++)
        if (strcmp(list[i].name, list[i - 1].name) == 0) list[i].nth = list[i - 1].nth + 1;
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t place = list[i].hash % TAC_PALETTE;
            if (list[i].task == TAC_NONE || (list[i].nth ? 2 : round ? 1 : 0) != round || (!round && taken[place]))
                continue;
            place = freePlace(list[i].hash, taken);
            places[list[i].task] = (uint8_t) place;
            taken[place] = true;
            list[i].task = TAC_NONE;
        }
    }
    tacFree(list);
    return true;
}

/* ---- ranks of priorities ----------------------------------------------------------------------------------------- */

static int comparePriorities(const void *left, const void *right) {
    int32_t a = *(const int32_t *) left, b = *(const int32_t *) right;
    return a < b ? -1 : a > b;
}

bool tacPaletteRanks(const tacStore *store, uint8_t *ranks) {
    uint32_t n = tacStoreObjects(store, TAC_TASK), distinct = 0;
    int32_t *list = tacAlloc(((size_t) n + 1) * sizeof *list);
    memset(ranks, 0, n);
    if (!list) return false;
    for (uint32_t i = 0; i < n; i++) list[i] = store->objects[TAC_TASK].at[i].priority;
    if (n) qsort(list, n, sizeof *list, comparePriorities);
    for (uint32_t i = 0; i < n; i++)
        if (distinct == 0 || list[i] != list[distinct - 1]) list[distinct++] = list[i];
    for (uint32_t i = 0; i < n; i++) {
        const int32_t *at = bsearch(
            &store->objects[TAC_TASK].at[i].priority, list, distinct, sizeof *list, comparePriorities);
        uint32_t rank = at ? (uint32_t) (at - list) : 0;
        ranks[i] = (uint8_t) (distinct > 1 ? rank * (uint64_t) TAC_PALETTE_RANKS / (distinct - 1) : 0);
    }
    tacFree(list);
    return true;
}
