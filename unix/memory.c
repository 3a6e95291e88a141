/*
 * memory.c -- finds how much memory this process may have: the least of what is free on the machine, of the limits of
 * its groups and of its own; and settles how freed memory goes back.
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
/* Blocks that are mapped by themselves. They are few, a column of a trace has one; for more, malloc is asked. Each
 * entry is of the thread that has the block, so that only its taking needs care. Blocks begin at different places of a
 * large page: columns that grow together would need a new one at the same time else, ten of them at once. */
enum { MAPPINGS = 256, OFFSETS = TAC_LARGE_PAGE / TAC_MAPPED_STEP };
static struct {
    _Atomic(void *) at; /* NULL: free */
    size_t bytes;       /* of the mapping, whose begin is that of the large page that the block begins in */
} mappings[MAPPINGS];

/* The entry of a block; -1: none. */
static int mappingOf(const void *block) {
    for (int i = 0; i < MAPPINGS; i++)
        if (mappings[i].at == block) return i;
    return -1;
}

static size_t offsetOf(const void *block) { return (uintptr_t) block & (TAC_LARGE_PAGE - 1); }
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

bool tacMemIsMapped(const void *block) { return mappingOf(block) >= 0; }

void *tacMemMap(void *old, size_t bytes) {
    if (tacMemHeapEnd == UINTPTR_MAX || bytes > SIZE_MAX - 4 * TAC_LARGE_PAGE) return NULL;
    int i = 0;
    for (void *none = NULL; i < MAPPINGS && !atomic_compare_exchange_strong(&mappings[i].at, &none, mappings); i++)
        none = NULL;
    if (i == MAPPINGS) return NULL;
    size_t offset = (size_t) i % OFFSETS * TAC_MAPPED_STEP, size = wholePages(offset + bytes);
    char *begin = mapLarge(size);
    mappings[i].bytes = size;
    mappings[i].at = begin ? begin + offset : NULL;
    if (begin && old) {
        size_t before = malloc_usable_size(old);
        memcpy(begin + offset, old, before < bytes ? before : bytes);
        free(old);
    }
    return begin ? begin + offset : NULL;
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
    int i = mappingOf(block);
    size_t offset = offsetOf(block), size = wholePages(offset + bytes);
    char *begin = (char *) block - offset, *moved = mremap(begin, mappings[i].bytes, size, 0);
    if (moved == MAP_FAILED) {
        if (!(moved = mapLarge(size))) return NULL;
        if (mremap(begin, mappings[i].bytes, size, MREMAP_MAYMOVE | MREMAP_FIXED, moved) == MAP_FAILED) {
            munmap(moved, size);
            return NULL;
        }
    }
    mappings[i].bytes = size;
    mappings[i].at = moved + offset;
    return moved + offset;
}

void tacMemUnmap(void *block) {
    int i = mappingOf(block);
    size_t bytes = mappings[i].bytes;
    mappings[i].at = NULL;
    munmap((char *) block - offsetOf(block), bytes);
}
#else
bool tacMemIsMapped(const void *block) { return (void) block, false; }
void *tacMemMap(void *old, size_t bytes) { return (void) old, (void) bytes, NULL; }
void *tacMemMapAgain(void *block, size_t bytes) { return (void) block, (void) bytes, NULL; }
void tacMemUnmap(void *block) { (void) block; }
#endif

/* Once in a while only: what is given back has to be asked for again, page by page, at the next reading. */
void tacMemGiveBack(void) {
#ifdef TAC_MAPPED_BLOCKS
    enum { SECONDS = 2 };
    static time_t last;
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0 || now.tv_sec - last < SECONDS) return;
    last = now.tv_sec;
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
