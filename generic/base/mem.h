/*
 * mem.h -- memory of the core: malloc with checked sizes, growable arrays and texts.
 *
 * Nothing in the core calls malloc itself. Every call may fail and says so by NULL or false; callers report it with
 * tacFailMemory() (error.h) and stay in a state that can be freed. Tests make the Nth call fail (tacMemFailAt) for
 * N = 1, 2, ... until the operation succeeds.
 */
#ifndef TAC_BASE_MEM_H
#define TAC_BASE_MEM_H

#include "base/port.h"

#include <string.h>

void *tacAlloc(size_t bytes);                       /* uninitialized; NULL: no memory */
void *tacAllocZero(size_t count, size_t size);      /* count * size zero bytes, overflow checked */
void *tacRealloc(void *old, size_t bytes);          /* NULL: no memory, old block still valid */
void tacFree(void *p);                              /* NULL is fine */
char *tacCopyText(const char *text, size_t length); /* NUL-terminated copy */

/* Bytes of memory that this process may still have: what is free on the machine, or less where its groups or itself
 * have a limit. 0: not known. */
uint64_t tacFreeMemory(void);
/* Bytes of address space that a limit of it (ulimit -v) leaves to this process; UINT64_MAX: there is none. */
uint64_t tacMachineRoom(void);
/* Asks the system for large pages below a block, of which it gives 2 MB at the first touch instead of 4 kB: opening a
 * trace takes a page for each 4 kB of its columns else, which is a tenth of the time, and a third where a page is dear.
 * Nothing where there are none. */
enum { TAC_LARGE_PAGE = 2 << 20, TAC_LARGE_BLOCK = 2 * TAC_LARGE_PAGE };
void tacMemLargePages(void *block, size_t bytes);
/* Lets smaller blocks lie in large pages, too, and keeps what is freed of them: for a process with a window, whose
 * frames and steps would need new pages each time. Nothing where its memory or address space has a limit. */
void tacMemLargeHeap(void);
/* End of what of the heap lies in large pages: an allocation beyond sees that it has grown. UINTPTR_MAX: none. */
extern _Atomic uintptr_t tacMemHeapEnd;
void tacMemHeapGrown(void);
/* Large blocks of such a process are mapped by themselves, since a heap copies what grows in it: each begins at a
 * multiple of TAC_MAPPED_STEP. tacMemMap moves `old`, which malloc made, there, or with `zero` makes all of it 0; NULL:
 * nothing is done, malloc is to be asked. The others are for such a block only. */
enum { TAC_MAPPED_STEP = 128 << 10 };
void *tacMemMap(void *old, size_t bytes, bool zero);
void *tacMemMapAgain(void *block, size_t bytes); /* as realloc */
void tacMemUnmap(void *block);
bool tacMemIsMapped(const void *block);
/* Lets freed large blocks go back to the system at once, for a process that reads traces again and again: else a heap
 * that is torn by small blocks between large ones grows for hours. */
void tacMemGiveBack(void);
/* Does what the heap has put off while many small blocks were freed, and else does all at once, with the next large
 * one: for memory that is freed in steps. */
void tacMemSettle(void);
/* Lets threads that begin from now on share one heap. Each takes 64 or 128 MB of address space for its own else, which
 * under a limit of it is what others then lack. */
void tacMemOneHeap(void);

/* Bytes of this process that are in the machine's memory now. 0: not known. */
uint64_t tacMemResident(void);

/*
 * A bound of what this process may grow by while something is made whose size nobody can tell before: models of which
 * instances begin and begin, tables, lists. Beyond it allocations fail as if there were no more memory, until the bound
 * ends, and tacFailMemory says why. Looked at each time that some more MB were asked for, so that it costs nothing.
 */
typedef struct tacMemBound {
    uint64_t allowed; /* bytes; 0: any */
    uint64_t from;    /* bytes that were resident when it was looked at first; 0: it was not yet */
    uint32_t asked;   /* bytes since the last look */
    bool refused;
} tacMemBound;

/* Begins a bound, and returns the one that held, for tacMemBoundEnd: what was made meanwhile does not count for that
 * one. */
tacMemBound tacMemBoundBegin(uint64_t allowed);
void tacMemBoundEnd(tacMemBound before);
/* Goes on with a bound that was left, and returns the one that held. */
tacMemBound tacMemBoundSwap(tacMemBound bound);
/* What the bound allows that holds, if it has refused something; else 0. */
uint64_t tacMemBoundRefused(void);

/* Fault injection: the Nth call from now (1 = the next) and all later ones fail; 0 switches it off. */
void tacMemFailAt(uint64_t n); /* for tests */
/* The same, but only the Nth call fails. */
void tacMemFailOnce(uint64_t n); /* for tests */
/* Number of allocations asked for since the start or the last of these two. */
uint64_t tacMemCalls(void); /* for tests */

/*
 * A growable array of any type:  TAC_ARRAY(int64_t) times = {0};  tacArrayPush(&times, 5);  times.at[0]; times.count
 * Growth is by half (at least 16 elements). The functions are true on success, false without memory.
 */
#define TAC_ARRAY(type)         \
    struct {                    \
        type *at;               \
        size_t count, capacity; \
    }
#define tacArrayReserve(a, extra)                   \
    ((a)->capacity - (a)->count >= (size_t) (extra) \
        || tacArrayGrow((void **) &(a)->at, &(a)->capacity, (a)->count, (extra), sizeof *(a)->at))
#define tacArrayPush(a, ...) (tacArrayReserve(a, 1) ? ((a)->at[(a)->count++] = (__VA_ARGS__), true) : false)
#define tacArrayFree(a) (tacFree((a)->at), (a)->at = NULL, (a)->count = (a)->capacity = 0)
/* Makes room for so many elements in all, and no more: for many small arrays whose sizes are known. */
#define tacArrayHold(a, count) tacArrayRoom((void **) &(a)->at, &(a)->capacity, (count), sizeof *(a)->at)
/* Gives back the unused memory of an array. */
#define tacArrayTrim(a) tacArrayFit((void **) &(a)->at, &(a)->capacity, (a)->count, sizeof *(a)->at)

bool tacArrayGrow(void **at, size_t *capacity, size_t count, size_t extra, size_t size);
bool tacArrayRoom(void **at, size_t *capacity, size_t count, size_t size);
void tacArrayFit(void **at, size_t *capacity, size_t count, size_t size);

/* A growable text, NUL-terminated as soon as something was added. An addition that fails sets `failed`, and later ones
 * do nothing. */
typedef struct tacText {
    char *at;                /* NULL until the first addition */
    size_t length, capacity; /* bytes, without and with the NUL */
    bool failed;             /* no memory at some point */
} tacText;

/* Makes room for so many bytes and a NUL; false: no memory, now or before. */
bool tacTextGrow(tacText *text, size_t extra);

static inline void tacTextAdd(tacText *text, const char *bytes, size_t length) {
    bool fits = !text->failed && text->capacity - text->length > length;
    if (!fits && !tacTextGrow(text, length)) return;
    if (length) memcpy(text->at + text->length, bytes, length);
    text->length += length;
    text->at[text->length] = '\0';
}

static inline void tacTextAddString(tacText *text, const char *string) { tacTextAdd(text, string, strlen(string)); }

void tacTextPrintf(tacText *text, const char *format, ...) TAC_PRINTF(2, 3);
void tacTextFree(tacText *text);

#endif
