/*
 * layoutTiles.h -- tiles keep sums that were made for drawing, so that a view that moves sums up only what comes into
 * sight.
 *
 * Time is divided into bins of 2^level ticks, counted from time 0, and TAC_TILE_BINS of them make a tile. A view takes
 * the level whose bins come nearest to the width it wants. Since bins lie at fixed times, merged marks do not flicker
 * when the view is panned, and a tile that was filled for one view serves all others at its level.
 *
 * The parts of layout that fill bins (layoutBand.c, layoutArrows.c, layoutServer.c, layoutSwitches.c) decide what these
 * hold. It may depend on the trace and on the style, after a change of which tacTilesClear is called, but not on the
 * view, rows or places. Tiles that have not been asked for lately make room for new ones.
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
    TAC_TILE_SERVER,
    TAC_TILE_GROUP,
    TAC_TILE_COARSE = 16 /* added to a kind of bands: what is drawn until there is time for the tile itself */
} tacTileKind;

typedef struct tacTileKey {
    int64_t index;      /* tile index covers [index, index + 1) << (level + TAC_TILE_SHIFT) ticks */
    uint32_t owner;     /* task, processor, server ... */
    uint16_t processor; /* the part of the owner on this one; TAC_NO_PROCESSOR: all of it */
    uint8_t kind;       /* tacTileKind */
    uint8_t level;
} tacTileKey;

typedef struct tacTiles tacTiles;

tacTiles *tacTilesNew(void);         /* NULL: no memory */
void tacTilesFree(tacTiles *tiles);  /* NULL is fine */
void tacTilesClear(tacTiles *tiles); /* drops all tiles */
void tacTilesFrame(tacTiles *tiles); /* begins a frame: the tiles it asks for stay until the next one */
void *tacTilesFind(tacTiles *tiles, const tacTileKey *key); /* the bins of a tile; NULL: it is not there */
/* Asks the processor for what finding the two tiles that follow needs: for the second one's slot, and for the first
 * one, of which this call for the tile before has brought the slot. */
void tacTilesPrefetch(const tacTiles *tiles, const tacTileKey *key);
/* Bytes a bin of a tile that is one struct of `bytes` for all of its bins. */
static inline size_t tacTileSize(size_t bytes) { return (bytes + TAC_TILE_BINS - 1) / TAC_TILE_BINS; }
/* Adds a tile that is not there; the caller must fill its bins, `size` bytes each. NULL: no memory. */
void *tacTilesAdd(tacTiles *tiles, const tacTileKey *key, size_t size);

/* The largest level whose bins are at most `ticks` wide (0: even single ticks are wider). */
uint8_t tacTileLevel(double ticks);
/* The bin that a time is in; the time at which a bin begins, cut to 64 bits. */
static inline int64_t tacTileBin(int64_t time, uint8_t level) { return time >> level; }
static inline int64_t tacTileTime(int64_t bin, uint8_t level) {
    int64_t most = INT64_MAX >> level;
    return bin > most ? INT64_MAX : bin < -most - 1 ? INT64_MIN : (int64_t) ((uint64_t) bin << level);
}

#endif
