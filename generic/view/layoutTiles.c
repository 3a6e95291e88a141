/*
 * layoutTiles.c -- the store of tiles: a hash table with chains, and one memory block a tile.
 *
 * Tiles stand in a list; when they take more than TILES_BYTES, the oldest are dropped, or become the newest again if
 * they were asked for since they last did. So finding a tile, which is done thousands of times a frame, writes into
 * that tile only, and none is dropped that the frame in progress has asked for.
 */
#include "base/port.h"

#include "view/layoutTiles.h"

#include <math.h>
#include <string.h>

enum { TILES_BYTES = 12 << 20, SLOTS_BITS = 14 };

typedef struct Tile {
    tacTileKey key;
    struct Tile *next; /* in its slot */
    struct Tile *newer, *older;
    size_t bytes;
    uint64_t frame; /* the last one that asked for it */
    uint64_t since; /* the one in which it became the newest */
    double bins[];  /* aligned for anything */
} Tile;

struct tacTiles {
    Tile *slots[1 << SLOTS_BITS];
    Tile *newest, *oldest;
    size_t bytes; /* of all tiles */
    uint64_t frame;
};

tacTiles *tacTilesNew(void) { return tacAllocZero(1, sizeof(tacTiles)); }

static uint32_t slotOf(const tacTileKey *key) {
    uint64_t h = (uint64_t) key->index * 0x9E3779B97F4A7C15ULL;
    h ^= ((uint64_t) key->owner << 32 | (uint64_t) key->processor << 16 | (uint64_t) key->kind << 8 | key->level)
        * 0xD6E8FEB86659FD93ULL;
    h *= 0xff51afd7ed558ccdULL;
    return (uint32_t) (h >> (64 - SLOTS_BITS));
}

static void unhook(tacTiles *tiles, Tile *t) {
    *(t->newer ? &t->newer->older : &tiles->newest) = t->older;
    *(t->older ? &t->older->newer : &tiles->oldest) = t->newer;
}

static void hook(tacTiles *tiles, Tile *t) {
    t->newer = NULL;
    t->older = tiles->newest;
    *(tiles->newest ? &tiles->newest->newer : &tiles->oldest) = t;
    tiles->newest = t;
    t->since = tiles->frame;
}

static void drop(tacTiles *tiles, Tile *t) {
    Tile **link = &tiles->slots[slotOf(&t->key)];
    while (*link != t) link = &(*link)->next;
    *link = t->next;
    unhook(tiles, t);
    tiles->bytes -= t->bytes;
    tacFree(t);
}

void tacTilesClear(tacTiles *tiles) {
    while (tiles->oldest) drop(tiles, tiles->oldest);
}

void tacTilesFree(tacTiles *tiles) {
    if (tiles) {
        tacTilesClear(tiles);
        tacFree(tiles);
    }
}

void tacTilesFrame(tacTiles *tiles) { tiles->frame++; }

/* Drops tiles until there is room for so many bytes, or none is left but those of this frame. */
static void makeRoom(tacTiles *tiles, size_t bytes) {
    while (tiles->bytes + bytes > TILES_BYTES && tiles->oldest && tiles->oldest->since != tiles->frame) {
        Tile *t = tiles->oldest;
        if (t->frame > t->since) unhook(tiles, t), hook(tiles, t);
        else drop(tiles, t);
    }
}

static Tile *makeTile(tacTiles *tiles, const tacTileKey *key, size_t bytes) {
    makeRoom(tiles, bytes);
    Tile *t = tacAlloc(bytes);
    if (!t) return NULL;
    Tile **slot = &tiles->slots[slotOf(key)];
    t->key = *key;
    t->bytes = bytes;
    t->next = *slot;
    *slot = t;
    t->frame = tiles->frame;
    tiles->bytes += bytes;
    hook(tiles, t);
    return t;
}

static Tile *find(const tacTiles *tiles, const tacTileKey *key) {
    Tile *t = tiles->slots[slotOf(key)];
    while (t
        && (t->key.index != key->index || t->key.owner != key->owner || t->key.processor != key->processor
            || t->key.kind != key->kind || t->key.level != key->level))
        t = t->next;
    return t;
}

void *tacTilesFind(tacTiles *tiles, const tacTileKey *key) {
    Tile *t = find(tiles, key);
    if (!t) return NULL;
    t->frame = tiles->frame;
    return t->bins;
}

void tacTilesPrefetch(const tacTiles *tiles, const tacTileKey *key) {
    tacTileKey next = *key;
    next.index += 2;
    TAC_PREFETCH(&tiles->slots[slotOf(&next)]);
    next.index--;
    const Tile *t = tiles->slots[slotOf(&next)];
    if (t) TAC_PREFETCH(t);
}

void *tacTilesAdd(tacTiles *tiles, const tacTileKey *key, size_t size) {
    Tile *t = makeTile(tiles, key, sizeof *t + TAC_TILE_BINS * size);
    return t ? t->bins : NULL;
}

/* ---- bins -------------------------------------------------------------------------------------------------------- */

uint8_t tacTileLevel(double ticks) {
    int level = ticks >= 2 ? ilogb(ticks) : 0;
    return (uint8_t) (level < 62 - TAC_TILE_SHIFT ? level : 62 - TAC_TILE_SHIFT);
}
