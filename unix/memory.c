/*
 * memory.c -- finds how much memory this process may have: the least of what is free on the machine, of the limits of
 * its groups and of its own; lets a window's memory lie in large pages; and settles how freed memory goes back.
 */
#define _GNU_SOURCE /* mremap */

#include "base/port.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef TAC_MAPPED_BLOCKS
#include <malloc.h>
#endif

/* Places of the limit of a control group: version 2 and 1. The path of the group stands between. */
static const struct {
    const char *before, *after;
} groups[] = {{"/sys/fs/cgroup", "/memory.max"}, {"/sys/fs/cgroup/memory", "/memory.limit_in_bytes"}};

/* Reads the begin of a file, with a NUL behind it; false: it cannot be read. */
static bool beginOf(const char *path, char *text, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    size_t n = 0;
    ssize_t got;
    while ((got = read(fd, text + n, size - 1 - n)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0) n += (size_t) got;
    close(fd);
    text[n] = '\0';
    return got >= 0;
}

/* The number that a text begins with; UINT64_MAX: there is none ("max"). */
static uint64_t numberOf(const char *text) {
    char *end;
    uint64_t number = strtoull(text, &end, 10);
    return end == text ? UINT64_MAX : number;
}

uint64_t tacMemResident(void) {
    char text[128];
    const char *second = beginOf("/proc/self/statm", text, sizeof text) ? strchr(text, ' ') : NULL;
    uint64_t pages = second ? numberOf(second) : UINT64_MAX;
    long size = sysconf(_SC_PAGESIZE);
    return pages != UINT64_MAX && size > 0 ? pages * (uint64_t) size : 0;
}

/* The number that a file begins with; UINT64_MAX: there is no such file or number. */
static uint64_t numberIn(const char *path) {
    char text[32];
    return beginOf(path, text, sizeof text) ? numberOf(text) : UINT64_MAX;
}

/* The least limit of a group and of all that it is in. The path loses its end, level by level. */
static uint64_t groupLimit(int version, char *path) {
    char file[1100];
    uint64_t least = UINT64_MAX;
    for (bool more = true; more;) {
        snprintf(file, sizeof file, "%s%s%s", groups[version].before, path, groups[version].after);
        uint64_t limit = numberIn(file);
        if (limit < least) least = limit;
        char *last = strrchr(path, '/');
        more = last != NULL;
        if (more) *last = '\0';
    }
    return least;
}

/* The least limit of the groups of this process, as the lines "0::/path" and "N:memory:/path" name them. A container
 * does not see its own path: there the root has its limit. */
static uint64_t ownGroupsLimit(void) {
    char text[4096], root[1] = "";
    uint64_t least = groupLimit(0, root), old = groupLimit(1, root);
    if (old < least) least = old;
    if (!beginOf("/proc/self/cgroup", text, sizeof text)) return least;
    for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        char *path = strchr(line, '/');
        bool second = strncmp(line, "0::", 3) == 0;
        if (!path || strlen(path) > 1000 || (!second && !strstr(line, ":memory:"))) continue;
        uint64_t limit = groupLimit(!second, path);
        if (limit < least) least = limit;
    }
    return least;
}

/* What the kernel says could be had without taking it from others; where it does not say, all of the machine's. */
static uint64_t machineMemory(void) {
    char text[4096];
    const char *line = beginOf("/proc/meminfo", text, sizeof text) ? strstr(text, "\nMemAvailable:") : NULL;
    uint64_t kilobytes = line ? numberOf(line + strlen("\nMemAvailable:")) : UINT64_MAX;
    if (kilobytes < UINT64_MAX >> 10) return kilobytes << 10;
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t) pages * (uint64_t) size : UINT64_MAX;
}

/* What the machine and its groups leave to this process. It is asked for each trace, of which some read a thousand in a
 * second, and reading four files of the kernel takes as long as a small one: the answer holds for a second. */
static uint64_t sharedMemory(void) {
    static struct timespec asked;
    static uint64_t least;
    struct timespec now;
    bool known = clock_gettime(CLOCK_MONOTONIC, &now) == 0;
    if (known && asked.tv_sec && now.tv_sec - asked.tv_sec < 1) return least;
    uint64_t machine = machineMemory(), group = ownGroupsLimit();
    least = group < machine ? group : machine;
    if (known) asked = now;
    return least;
}

uint64_t tacFreeMemory(void) {
    uint64_t most = sharedMemory();
    struct rlimit own;
    if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY && own.rlim_cur < most) most = own.rlim_cur;
    return most == UINT64_MAX ? 0 : most;
}

uint64_t tacMachineRoom(void) {
    struct rlimit own;
    if (getrlimit(RLIMIT_AS, &own) != 0 || own.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    uint64_t pages = numberIn("/proc/self/statm"); /* the first number there: pages of address space */
    long size = sysconf(_SC_PAGESIZE);
    if (pages == UINT64_MAX || size <= 0) return UINT64_MAX;
    uint64_t used = pages * (uint64_t) size;
    return used < own.rlim_cur ? own.rlim_cur - used : 0;
}

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
