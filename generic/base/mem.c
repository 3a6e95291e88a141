/*
 * mem.c -- checked malloc, growable arrays and texts, and the counter that makes the Nth allocation fail.
 *
 * Tactus does not use Tcl's allocator: a pooled one hides leaks and overruns from valgrind and ASan.
 */
#include "base/port.h"

#include "base/mem.h"
#include "base/print.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counters of each thread, since interpreters in several threads may load the library. They are few bytes: what threads
 * have of a library that is loaded later has to fit into 1664, most of which is the recorder's. */
static _Thread_local uint64_t calls;  /* allocations asked for */
static _Thread_local uint64_t failAt; /* this call and all later ones fail; 0: none */
static _Thread_local bool failOnce;   /* the later ones do not */
static _Thread_local tacMemBound bound;

/* Adds to what was asked for; true when the bound is passed, or has been. */
static bool isBeyond(uint64_t bytes) {
    enum { STEP = 4 << 20 };
    if (bound.refused) return true;
    if (bound.asked + bytes < STEP) return bound.asked += (uint32_t) bytes, false;
    uint64_t resident = tacMemResident();
    bound.asked = 0;
    if (!bound.from) bound.from = resident;
    bound.refused = resident && resident + bytes > bound.from + bound.allowed;
    return bound.refused;
}

/* Counts an allocation; true when it is to fail, as malloc does. */
static bool refused(uint64_t bytes) {
    calls++;
    bool beyond = TAC_UNLIKELY(bound.allowed != 0) && isBeyond(bytes);
    if (TAC_LIKELY(failAt == 0 || calls < failAt || (failOnce && calls != failAt)) && !beyond) return false;
    errno = ENOMEM;
    return true;
}

tacMemBound tacMemBoundBegin(uint64_t allowed) {
    tacMemBound before = bound;
    bound = (tacMemBound){.allowed = allowed, .from = before.from ? tacMemResident() : 0};
    return before;
}

void tacMemBoundEnd(tacMemBound before) {
    uint64_t now = before.from ? tacMemResident() : 0;
    if (now > bound.from) before.from += now - bound.from;
    bound = before;
}

tacMemBound tacMemBoundSwap(tacMemBound next) {
    tacMemBound before = bound;
    bound = next;
    return before;
}

uint64_t tacMemBoundRefused(void) { return bound.refused ? bound.allowed : 0; }

void tacMemFailAt(uint64_t n) {
    calls = 0;
    failAt = n;
    failOnce = false;
}

void tacMemFailOnce(uint64_t n) {
    tacMemFailAt(n);
    failOnce = true;
}

uint64_t tacMemCalls(void) { return calls; }

/* Blocks of TAC_LARGE_BLOCK bytes and more lie in large pages. Of the last one a part may be in vain, up to 2 MB: with
 * smaller blocks, too, a trace whose memory is limited to 20 MB took a quarter more. */
static void *prepared(void *block, size_t bytes) {
    if (bytes >= TAC_LARGE_BLOCK && block) tacMemLargePages(block, bytes);
    else if (TAC_UNLIKELY((uintptr_t) block + bytes > atomic_load_explicit(&tacMemHeapEnd, memory_order_relaxed)))
        tacMemHeapGrown();
    return block;
}

/* Is this a block that tacMemMap made? Of others hardly any begins at such a place. */
static bool isMapped(const void *block) {
    return TAC_UNLIKELY(((uintptr_t) block & (TAC_MAPPED_STEP - 1)) == 0) && block && tacMemIsMapped(block);
}

static void *mapped(void *old, size_t bytes, bool zero) {
    return TAC_UNLIKELY(bytes >= TAC_LARGE_BLOCK) ? tacMemMap(old, bytes, zero) : NULL;
}

void *tacAlloc(size_t bytes) {
    if (refused(bytes)) return NULL;
    void *block = mapped(NULL, bytes, false);
    return block ? block : prepared(malloc(bytes ? bytes : 1), bytes);
}

void *tacAllocZero(size_t count, size_t size) {
    bool fits = !size || count <= SIZE_MAX / size; /* else calloc refuses it */
    if (refused(fits ? count * size : 0)) return NULL;
    void *block = fits ? mapped(NULL, count * size, true) : NULL;
    return block ? block : prepared(calloc(count ? count : 1, size ? size : 1), fits ? count * size : 0);
}

/* Arrays grow by half: a third of the bytes is new. */
void *tacRealloc(void *old, size_t bytes) {
    if (refused(old ? bytes / 3 : bytes)) return NULL;
    if (isMapped(old)) return tacMemMapAgain(old, bytes);
    void *block = mapped(old, bytes, false);
    return block ? block : prepared(realloc(old, bytes ? bytes : 1), bytes);
}

void tacFree(void *p) {
    if (isMapped(p)) tacMemUnmap(p);
    else free(p);
}

char *tacCopyText(const char *text, size_t length) {
    char *copy = tacAlloc(length + 1);
    if (!copy) return NULL;
    if (length) memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static bool resize(void **at, size_t *capacity, size_t count, size_t size) {
    void *moved = tacRealloc(*at, count * size);
    if (!moved) return false;
    *at = moved;
    *capacity = count;
    return true;
}

/* So many elements, or the few more that let a large array end where a large page does, with what malloc keeps of the
 * block: only such a block begins where a page does, too, and keeps its pages when it moves. */
static size_t toPage(size_t count, size_t size) {
    enum { HEAD = 32 };
    if (count < TAC_LARGE_BLOCK / size || count > (SIZE_MAX - TAC_LARGE_PAGE - HEAD) / size) return count;
    size_t pages = (count * size + HEAD + TAC_LARGE_PAGE - 1) / TAC_LARGE_PAGE;
    return (pages * TAC_LARGE_PAGE - HEAD) / size;
}

bool tacArrayGrow(void **at, size_t *capacity, size_t count, size_t extra, size_t size) {
    if (extra > SIZE_MAX / size - count) return false;
    size_t least = count + extra, wanted = *capacity + *capacity / 2;
    if (wanted < 16) wanted = 16;
    if (wanted < least || wanted > SIZE_MAX / size) wanted = least;
    return resize(at, capacity, toPage(wanted, size), size);
}

bool tacArrayRoom(void **at, size_t *capacity, size_t count, size_t size) {
    return count <= *capacity || (count <= SIZE_MAX / size && resize(at, capacity, toPage(count, size), size));
}

void tacArrayFit(void **at, size_t *capacity, size_t count, size_t size) {
    if (*capacity == count || !*at) return;
    if (count == 0) {
        tacFree(*at);
        *at = NULL;
        *capacity = 0;
        return;
    }
    resize(at, capacity, count, size); /* without it the larger block serves as well */
}

bool tacTextGrow(tacText *text, size_t extra) {
    if (text->failed) return false;
    if (text->capacity - text->length > extra) return true;
    text->failed = extra == SIZE_MAX || !tacArrayGrow((void **) &text->at, &text->capacity, text->length, extra + 1, 1);
    return !text->failed;
}

void tacTextPrintf(tacText *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = tacPrintList(NULL, 0, format, args);
    va_end(args);
    text->failed |= length < 0;
    if (length < 0 || !tacTextGrow(text, (size_t) length)) return;
    va_start(args, format);
    tacPrintList(text->at + text->length, (size_t) length + 1, format, args);
    va_end(args);
    text->length += (size_t) length;
}

void tacTextFree(tacText *text) {
    tacFree(text->at);
    *text = (tacText){0};
}
