/*
 * layoutTiles.h -- what was summed up for drawing is kept, so that a view that moves only sums up what comes into
 * sight.
 *
 * Time is divided into bins of 2^level ticks, counted from time 0, and TAC_TILE_BINS of them make a tile. A view takes
 * the level whose bins come nearest to the width it wants. Since bins lie at fixed times, merged marks do not flicker
 * when the view is panned, and a tile that was filled for one view serves all others at its level.
 *
 * Each part of layout that fills bins decides what they hold (layoutBars.c, layoutArrows.c, layoutServer.c,
 * layoutSwitches.c): it may depend on the trace and the style, for which there is tacTilesClear, but not on the view,
 * rows or places. Tiles that were not asked for lately make room for new ones.
 */
#ifndef TAC_VIEW_LAYOUT_TILES_H
#define TAC_VIEW_LAYOUT_TILES_H

#include "base/mem.h"

enum { TAC_TILE_SHIFT = 6, TAC_TILE_BINS = 1 << TAC_TILE_SHIFT };

typedef enum tacTileKind {
    TAC_TILE_BARS,
    TAC_TILE_RUNS,
    TAC_TILE_ARROWS,
    TAC_TILE_PROCESSOR_ARROWS,
    TAC_TILE_SWITCHES,
    TAC_TILE_SERVER
} tacTileKind;

typedef struct tacTileKey {
    int64_t index;      /* tile index covers [index, index + 1) << (level + TAC_TILE_SHIFT) ticks */
    uint32_t owner;     /* task, processor, server ... */
    uint16_t processor; /* of which part of the owner */
    uint8_t kind;       /* tacTileKind */
    uint8_t level;
} tacTileKey;

typedef struct tacTiles tacTiles;

tacTiles *tacTilesNew(void);         /* NULL: no memory */
void tacTilesFree(tacTiles *tiles);  /* NULL is fine */
void tacTilesClear(tacTiles *tiles); /* all of them must be filled anew */
void tacTilesFrame(tacTiles *tiles); /* a frame begins: what it asks for stays until the next one */
/* The bins of a tile, `size` bytes each; *fresh: they are to be filled now. NULL: no memory. */
void *tacTilesGet(tacTiles *tiles, const tacTileKey *key, size_t size, bool *fresh);

/* The largest level whose bins are at most `ticks` wide (0: even single ticks are wider). */
uint8_t tacTileLevel(double ticks);
/* The bin that a time is in; the time at which a bin begins, cut to what 64 bits hold. */
static inline int64_t tacTileBin(int64_t time, uint8_t level) { return time >> level; }
int64_t tacTileTime(int64_t bin, uint8_t level);

#endif
