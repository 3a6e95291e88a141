/*
 * palette.h -- colours for things without a colour of their own: tasks by their names, processors, priorities.
 */
#ifndef TAC_VIEW_PALETTE_H
#define TAC_VIEW_PALETTE_H

#include "trace/store.h"

enum {
    TAC_PALETTE = 12,         /* number of colours that differ most */
    TAC_PALETTE_ALL = 36,     /* and with those for further names */
    TAC_PALETTE_QUIET = 0xFE, /* place of a kernel thread: no colour, but a quiet gray */
    TAC_PALETTE_RANKS = 254,  /* greatest place on the ramp of priorities */
    TAC_PALETTE_MANY = 20000  /* with more tasks, each has the place that its name wants */
};

uint32_t tacPaletteColor(uint32_t place, bool dark); /* of a place, modulo TAC_PALETTE_ALL; on dark paper, or white */
uint32_t tacPaletteRamp(uint32_t rank);              /* of priorities: 0 the highest .. TAC_PALETTE_RANKS the lowest */

/*
 * Gives each task a place in the palette, by names only: a task keeps its place when others are added or renamed,
 * unless several names want the same one. False: no memory; each task then has the place that its name wants.
 */
bool tacPaletteNames(const tacStore *store, uint8_t *places);
/* The place that a task's name wants, whatever others want. */
uint8_t tacPaletteName(const tacStore *store, uint32_t task);
/* Gives each task its rank among the priorities of the trace. False: no memory. */
bool tacPaletteRanks(const tacStore *store, uint8_t *ranks);

#endif
