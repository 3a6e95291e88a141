/*
 * heap.c -- where blocks of memory lie, in large pages or mapped by themselves, and how freed memory goes back.
 */
#define _GNU_SOURCE /* mremap */

#include "base/port.h"

#include "base/mem.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef TAC_MAPPED_BLOCKS
#include <malloc.h>
#endif

void tacMemLargePages(void *block, size_t bytes) {
#ifdef TAC_LARGE_PAGES
    uintptr_t large = TAC_LARGE_PAGE, begin = (uintptr_t) block & ~(large - 1),
              end = ((uintptr_t) block + bytes + large - 1) & ~(large - 1);
    madvise((void *) begin, end - begin, MADV_HUGEPAGE); /* where there are none, or not all is ours: as before */
#else
    (void) block, (void) bytes;
#endif
}

/* ---- a heap in large pages --------------------------------------------------------------------------------------- */

_Atomic uintptr_t tacMemHeapEnd = UINTPTR_MAX;

/* Only a range that is advised at once has large pages throughout: where two of them meet there are small ones. So the
 * heap grows by very much, of which nothing is memory before it is touched. */
void tacMemLargeHeap(void) {
#if defined(TAC_MAPPED_BLOCKS) && defined(TAC_LARGE_PAGES)
    enum { ROOM = 256 << 20, KEPT = INT_MAX };
    struct rlimit data;
    if (tacMachineRoom() != UINT64_MAX || getrlimit(RLIMIT_DATA, &data) != 0 || data.rlim_cur != RLIM_INFINITY) return;
    mallopt(M_TOP_PAD, ROOM);
    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_MMAP_THRESHOLD, TAC_LARGE_BLOCK);
    tacMemHeapEnd = (uintptr_t) sbrk(0);
#endif
}

void tacMemHeapGrown(void) {
#ifdef TAC_LARGE_PAGES
    uintptr_t known = tacMemHeapEnd, end = (uintptr_t) sbrk(0);
    if (end > known) tacMemLargePages((void *) known, end - known);
    tacMemHeapEnd = end;
#endif
}

#if defined(TAC_MAPPED_BLOCKS) && defined(TAC_LARGE_PAGES)
/* Blocks that are mapped by themselves. They are few, a column of a trace has one; for more, malloc is asked. Blocks
 * begin at different places of a large page: columns that grow together would need a new one at the same time else, ten
 * of them at once. Some of what is freed is kept until memory is given back. */
enum { MAPPINGS = 256, OFFSETS = TAC_LARGE_PAGE / TAC_MAPPED_STEP, KEPT_MOST = 16 << 20 };
typedef struct Mapping {
    _Atomic(void *) at; /* the block; NULL: free. An entry is of the thread that has put something there */
    char *begin;        /* of the large page that the block begins in; NULL: nothing is mapped */
    size_t bytes;       /* that are mapped */
} Mapping;
static Mapping mappings[MAPPINGS];
static _Atomic size_t keptBytes;

/* The entry of a block; NULL: none. */
static Mapping *mappingOf(const void *block) {
    for (int i = 0; i < MAPPINGS; i++)
        if (mappings[i].at == block) return &mappings[i];
    return NULL;
}

/* Takes a free entry, so that no other thread has it. */
static bool take(Mapping *mapping) {
    void *none = NULL;
    return atomic_compare_exchange_strong(&mapping->at, &none, mappings);
}

static size_t offsetOf(const Mapping *mapping) { return (size_t) (mapping - mappings) % OFFSETS * TAC_MAPPED_STEP; }
static size_t wholePages(size_t bytes) { return (bytes + TAC_LARGE_PAGE - 1) & ~((size_t) TAC_LARGE_PAGE - 1); }

static void unmap(void *begin, size_t bytes) {
    if (bytes) munmap(begin, bytes);
}

/* Address space of whole large pages; NULL: none. */
static char *mapLarge(size_t bytes) {
    char *room = mmap(NULL, bytes + TAC_LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return NULL;
    size_t before = -(uintptr_t) room & (TAC_LARGE_PAGE - 1);
    unmap(room, before);
    unmap(room + before + bytes, TAC_LARGE_PAGE - before);
    madvise(room + before, bytes, MADV_HUGEPAGE);
    return room + before;
}

/* Takes an entry for so many bytes: what is mapped there is large enough for them, and not twice as large, or it is
 * nothing. NULL: there is none. */
static Mapping *takeFor(size_t bytes, bool kept) {
    for (int i = 0; i < MAPPINGS; i++) {
        if (mappings[i].at || !take(&mappings[i])) continue;
        size_t size = wholePages(offsetOf(&mappings[i]) + bytes), has = mappings[i].bytes;
        if (kept ? mappings[i].begin && has >= size && has < 2 * size : !mappings[i].begin) return &mappings[i];
        mappings[i].at = NULL;
    }
    return NULL;
}

bool tacMemIsMapped(const void *block) { return mappingOf(block) != NULL; }

void *tacMemMap(void *old, size_t bytes, bool zero) {
    if (tacMemHeapEnd == UINTPTR_MAX || bytes > SIZE_MAX - 4 * TAC_LARGE_PAGE) return NULL;
    Mapping *mapping = keptBytes ? takeFor(bytes, true) : NULL;
    if (mapping) {
        atomic_fetch_sub(&keptBytes, mapping->bytes);
        if (zero) memset(mapping->begin + offsetOf(mapping), 0, bytes);
    } else if ((mapping = takeFor(bytes, false)) != NULL) {
        mapping->bytes = wholePages(offsetOf(mapping) + bytes);
        mapping->begin = mapLarge(mapping->bytes);
    } else return NULL;
    char *block = mapping->begin ? mapping->begin + offsetOf(mapping) : NULL;
    mapping->at = block;
    if (block && old) {
        size_t before = malloc_usable_size(old);
        memcpy(block, old, before < bytes ? before : bytes);
        free(old);
    }
    return block;
}

void *tacMemMapAgain(void *block, size_t bytes) {
    if (bytes < TAC_LARGE_BLOCK) {
        void *small = malloc(bytes ? bytes : 1);
        if (!small) return NULL;
        memcpy(small, block, bytes);
        tacMemUnmap(block);
        return small;
    }
    if (bytes > SIZE_MAX - 4 * TAC_LARGE_PAGE) return NULL;
    Mapping *mapping = mappingOf(block);
    size_t size = wholePages(offsetOf(mapping) + bytes);
    char *moved = mremap(mapping->begin, mapping->bytes, size, 0);
    if (moved == MAP_FAILED) {
        if (!(moved = mapLarge(size))) return NULL;
        if (mremap(mapping->begin, mapping->bytes, size, MREMAP_MAYMOVE | MREMAP_FIXED, moved) == MAP_FAILED) {
            munmap(moved, size);
            return NULL;
        }
    }
    mapping->begin = moved;
    mapping->bytes = size;
    mapping->at = moved + offsetOf(mapping);
    return mapping->at;
}

/* Unmaps what an entry has that is this thread's, and frees the entry. */
static void drop(Mapping *mapping) {
    munmap(mapping->begin, mapping->bytes);
    mapping->begin = NULL;
    mapping->at = NULL;
}

void tacMemUnmap(void *block) {
    Mapping *mapping = mappingOf(block);
    if (mapping->bytes <= KEPT_MOST) {
        if (atomic_fetch_add(&keptBytes, mapping->bytes) + mapping->bytes <= KEPT_MOST) {
            mapping->at = NULL;
            return;
        }
        atomic_fetch_sub(&keptBytes, mapping->bytes);
    }
    drop(mapping);
}

static void dropKept(void) {
    for (int i = 0; i < MAPPINGS; i++) {
        if (mappings[i].at || !take(&mappings[i])) continue;
        if (mappings[i].begin) {
            atomic_fetch_sub(&keptBytes, mappings[i].bytes);
            drop(&mappings[i]);
        } else mappings[i].at = NULL;
    }
}
#else
bool tacMemIsMapped(const void *block) { return (void) block, false; }
void *tacMemMap(void *old, size_t bytes, bool zero) { return (void) old, (void) bytes, (void) zero, NULL; }
void *tacMemMapAgain(void *block, size_t bytes) { return (void) block, (void) bytes, NULL; }
void tacMemUnmap(void *block) { (void) block; }
static void dropKept(void) {}
#endif

/* Once in a while only: what is given back has to be asked for again, page by page, at the next reading. */
void tacMemGiveBack(void) {
#ifdef TAC_MAPPED_BLOCKS
    enum { SECONDS = 2 };
    static time_t last;
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0 || now.tv_sec - last < SECONDS) return;
    last = now.tv_sec;
    dropKept();
    malloc_trim(0);
    if (tacMemHeapEnd != UINTPTR_MAX) tacMemHeapGrown();
#endif
}

void tacMemSettle(void) {
    void *volatile block = malloc(1 << 13); /* glibc joins its small free blocks for one of this size */
    free(block);
}

void tacMemOneHeap(void) {
#ifdef TAC_MAPPED_BLOCKS
    mallopt(M_ARENA_MAX, 1);
#endif
}
