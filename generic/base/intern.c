/*
 * intern.c -- names to ids. The table is looked up once or twice for every event of a trace, so it is made for that: a
 * hash that takes eight bytes a step, and slots that decide by themselves. A name of up to eight bytes, as most have,
 * stands in its slot, so that looking it up reads memory in one place; of a longer one the slot has its place in the
 * text. In a trace whose lines are in random order each of these reads waits for memory.
 *
 * A name's slot is given by the upper bits of its hash. So a table of twice the size has every slot's names in the same
 * order, and growing walks both tables from front to end instead of jumping about.
 */
#include "base/port.h"

#include "base/intern.h"

#include <string.h>
#include <time.h>

static inline uint64_t load8(const char *p) {
    uint64_t word;
    memcpy(&word, p, 8);
    return word;
}

static inline uint64_t load4(const char *p) {
    uint32_t word;
    memcpy(&word, p, 4);
    return word;
}

/* The last 0 to 8 bytes of a name as one word; overlapping reads do without a loop. */
static inline uint64_t loadTail(const char *p, size_t n) {
    if (n >= 4) return load4(p) | load4(p + n - 4) << 32;
    if (n == 0) return 0;
    return (uint64_t) (unsigned char) p[0] | (uint64_t) (unsigned char) p[n / 2] << 8
        | (uint64_t) (unsigned char) p[n - 1] << 16;
}

/* Multiplies to 128 bits and folds them: every bit of both reaches every bit of the result. */
static inline uint64_t mix(uint64_t a, uint64_t b) {
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide) a * b;
    return (uint64_t) product ^ (uint64_t) (product >> 64);
}

/* What a name is looked up by: see tacInternSlot. */
typedef struct Key {
    uint32_t tag;
    uint64_t tail; /* the last one to eight bytes: all of a short name */
} Key;

enum { SHORT = 8, LENGTH_BITS = 4 }; /* bytes of a name that stands in its slot; bits of a tag that tell its length */
enum { LONG = 15 };                  /* what they tell of a longer one */

/*
 * The tag of a name: a hash, by multiplying and folding eight bytes at a time, and whether the name is short, of how
 * many bytes. The author of a trace chooses the names and may want them to collide; so every table has a seed that a
 * file cannot know, and both factors of each step depend on it. Ids do not: they are in order of first use.
 */
static inline Key keyOf(uint64_t seed, const char *name, size_t length) {
    uint64_t secret = seed * 0xD6E8FEB86659FD93ULL, h = seed ^ length;
    size_t n = length;
    for (; n > SHORT; n -= 8, name += 8) h = mix(h ^ 0x9E3779B97F4A7C15ULL, load8(name) ^ secret);
    uint64_t tail = loadTail(name, n);
    uint32_t hash = (uint32_t) (mix(h ^ 0x9E3779B97F4A7C15ULL, tail ^ secret) >> 32);
    return (Key){hash << LENGTH_BITS | (length <= SHORT ? (uint32_t) length : LONG), tail};
}

/* A seed that the author of a trace cannot know: from addresses in this process and the time. */
static uint64_t newSeed(const void *block) {
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    uint64_t seed = mix(
        (uint64_t) (uintptr_t) block ^ 0xff51afd7ed558ccdULL, (uint64_t) now.tv_nsec ^ 0xc4ceb9fe1a85ec53ULL);
    return mix(seed ^ (uint64_t) (uintptr_t) &now, (uint64_t) now.tv_sec ^ (uint64_t) (uintptr_t) &newSeed) | 1;
}

uint64_t tacInternSeed(const void *block) { return newSeed(block); }

uint64_t tacInternHash(uint64_t seed, const char *name, size_t length) {
    return keyOf(seed, name, length).tag >> LENGTH_BITS;
}

static inline bool sameBytes(const char *a, const char *b, size_t n) {
    for (; n > 8; n -= 8, a += 8, b += 8)
        if (load8(a) != load8(b)) return false;
    return loadTail(a, n) == loadTail(b, n);
}

/* Bytes of a name, without its NUL. */
static inline size_t lengthOf(const tacInternTable *t, uint32_t id) {
    size_t end = id + 1 < t->starts.count ? t->starts.at[id + 1] : t->text.count;
    return end - 1 - t->starts.at[id];
}

/* True when the slot, whose tag fits, has the name. */
static inline bool hasName(
    const tacInternTable *t, const tacInternSlot *slot, Key key, const char *name, size_t length) {
    if (length <= SHORT) return slot->name == key.tail;
    return slot->place.length == length && sameBytes(t->text.at + slot->place.start, name, length);
}

/* Index of the slot that has the name, or of the free slot that it would take. */
static inline size_t probe(const tacInternTable *t, Key key, const char *name, size_t length) {
    size_t mask = t->nSlots - 1, at = key.tag >> t->shift;
    for (; t->slots[at].id != TAC_NONE; at = (at + 1) & mask)
        if (t->slots[at].tag == key.tag && hasName(t, &t->slots[at], key, name, length)) break;
    return at;
}

/* The slot of a name that is in the text. */
static inline tacInternSlot slotOf(const tacInternTable *t, uint32_t id, Key key, size_t length) {
    tacInternSlot slot = {.id = id, .tag = key.tag, .name = key.tail};
    if (length > SHORT) slot.place.start = t->starts.at[id], slot.place.length = (uint32_t) length;
    return slot;
}

enum { PIECE = 1 << 14 }; /* slots between two reports of progress; a power of two */

/* Reports progress behind each piece of slots while a table grows, since millions of them take longer than a window may
 * stand still. Nothing is done yet; an answer to stop is heard by the work that fills the table. */
static inline void reportAt(const tacInternTable *t, size_t i) {
    if (TAC_UNLIKELY((i & (PIECE - 1)) == PIECE - 1)) tacProgressStep(t->progress, 0);
}

/* Gives the table n free slots, n a power of two; its old ones are the caller's. False: no memory. */
static bool makeSlots(tacInternTable *t, size_t n) {
    tacInternSlot *slots = n > (size_t) 1 << 31 ? NULL : tacAlloc(n * sizeof *slots);
    if (!slots) return false;
    for (size_t first = 0; first < n; first += PIECE) {
        size_t piece = n - first < PIECE ? n - first : PIECE;
        memset(slots + first, 0xFF, piece * sizeof *slots);
        reportAt(t, first + piece - 1);
    }
    t->slots = slots;
    t->nSlots = n;
    for (t->shift = 32; n > 1; n /= 2) t->shift--;
    return true;
}

/* Puts a name that is not there yet into its slot. */
static inline void putSlot(tacInternTable *t, tacInternSlot slot) {
    size_t at = slot.tag >> t->shift;
    while (t->slots[at].id != TAC_NONE) at = (at + 1) & (t->nSlots - 1);
    t->slots[at] = slot;
}

static void dropPlaces(tacInternTable *t) {
    tacFree(t->places);
    t->places = NULL;
    t->nPlaces = 0;
}

/* Makes the slots for the first time, or again after tacInternTrim, and hashes all names. */
static bool buildSlots(tacInternTable *t, size_t n) {
    dropPlaces(t);
    if (!makeSlots(t, n)) return false;
    t->seed = newSeed(t->slots);
    for (uint32_t id = 0; id < t->starts.count; id++) {
        size_t length = lengthOf(t, id);
        putSlot(t, slotOf(t, id, keyOf(t->seed, t->text.at + t->starts.at[id], length), length));
    }
    return true;
}

/* Makes slots enough for so many names more. */
static bool growSlots(tacInternTable *t, size_t more) {
    tacInternSlot *old = t->slots;
    size_t nOld = t->nSlots, n = nOld ? nOld : 64;
    while (3 * (t->starts.count + more) > 2 * n) n *= 2;
    if (!old) return buildSlots(t, n);
    if (!makeSlots(t, n)) return false; /* the names keep their hashes */
    for (size_t i = 0; i < nOld; i++) {
        if (old[i].id != TAC_NONE) putSlot(t, old[i]);
        reportAt(t, i);
    }
    tacFree(old);
    return true;
}

/* Adds a name that is not there yet; returns its id, TAC_NONE: no memory. */
static uint32_t addName(tacInternTable *t, const char *name, size_t length) {
    if (t->text.count + length + 1 > UINT32_MAX || t->starts.count >= TAC_NONE - 1) return TAC_NONE;
    if (TAC_UNLIKELY(t->places != NULL)) dropPlaces(t);
    if (!tacArrayReserve(&t->text, length + 1) || !tacArrayReserve(&t->starts, 1)) return TAC_NONE;
    uint32_t id = (uint32_t) t->starts.count;
    t->starts.at[t->starts.count++] = (uint32_t) t->text.count;
    if (length) memcpy(t->text.at + t->text.count, name, length);
    t->text.at[t->text.count + length] = '\0';
    t->text.count += length + 1;
    return id;
}

bool tacInternReserve(tacInternTable *t, size_t more) {
    return 3 * (t->starts.count + more) <= 2 * t->nSlots || growSlots(t, more);
}

uint32_t tacIntern(tacInternTable *t, const char *name, size_t length) {
    if (TAC_UNLIKELY(3 * (t->starts.count + 1) > 2 * t->nSlots) && !growSlots(t, 1)) return TAC_NONE;
    Key key = keyOf(t->seed, name, length);
    size_t at = probe(t, key, name, length);
    if (TAC_LIKELY(t->slots[at].id != TAC_NONE)) return t->slots[at].id;
    uint32_t id = addName(t, name, length);
    if (id != TAC_NONE) t->slots[at] = slotOf(t, id, key, length);
    return id;
}

void tacInternPrepare(const tacInternTable *t, const char *name, size_t length) {
    if (t->nSlots) TAC_PREFETCH(&t->slots[keyOf(t->seed, name, length).tag >> t->shift]);
}

uint32_t tacInternNew(tacInternTable *t, const char *name, size_t length) {
    return t->nSlots ? tacIntern(t, name, length) : addName(t, name, length);
}

uint32_t tacInternAmongFew(tacInternTable *t, const char *name, size_t length) {
    enum { FEW = 8 };
    if (t->nSlots || t->starts.count >= FEW) return tacIntern(t, name, length);
    uint32_t id = tacInternFind(t, name, length);
    return id != TAC_NONE ? id : addName(t, name, length);
}

/* Index of the place that has the id of the name, or of the free one that it would take. */
static size_t placeOf(const tacInternTable *t, const char *name, size_t length) {
    size_t mask = t->nPlaces - 1, at = keyOf(t->seed, name, length).tag >> LENGTH_BITS & mask;
    for (uint32_t id; (id = t->places[at]) != TAC_NONE; at = (at + 1) & mask)
        if (lengthOf(t, id) == length && sameBytes(t->text.at + t->starts.at[id], name, length)) break;
    return at;
}

uint32_t tacInternFind(const tacInternTable *t, const char *name, size_t length) {
    if (t->nSlots) return t->slots[probe(t, keyOf(t->seed, name, length), name, length)].id;
    if (t->places) return t->places[placeOf(t, name, length)];
    for (uint32_t id = 0; id < t->starts.count; id++) /* trimmed: slow, and seldom asked */
        if (lengthOf(t, id) == length && sameBytes(t->text.at + t->starts.at[id], name, length)) return id;
    return TAC_NONE;
}

const char *tacInternName(const tacInternTable *t, uint32_t id, size_t *length) {
    if (length) *length = lengthOf(t, id);
    return t->text.at + t->starts.at[id];
}

size_t tacInternBytes(const tacInternTable *t) {
    return t->nSlots * sizeof *t->slots + t->nPlaces * sizeof *t->places + t->starts.capacity * sizeof *t->starts.at
        + t->text.capacity;
}

void tacInternTrim(tacInternTable *t, bool lean) {
    tacArrayTrim(&t->starts);
    tacArrayTrim(&t->text);
    if (!lean) return;
    tacFree(t->slots);
    t->slots = NULL;
    t->nSlots = 0;
    dropPlaces(t);
}

bool tacInternIndex(tacInternTable *t) {
    size_t n = 64;
    if (t->nSlots || t->places) return true;
    while (3 * (t->starts.count + 1) > 2 * n) n *= 2;
    t->places = tacAlloc(n * sizeof *t->places);
    if (!t->places) return false;
    memset(t->places, 0xFF, n * sizeof *t->places); /* TAC_NONE */
    t->nPlaces = n;
    t->seed = newSeed(t->places);
    for (uint32_t id = 0; id < t->starts.count; id++)
        t->places[placeOf(t, t->text.at + t->starts.at[id], lengthOf(t, id))] = id;
    return true;
}

void tacInternClear(tacInternTable *t) {
    dropPlaces(t);
    tacFree(t->slots);
    t->slots = NULL;
    t->nSlots = 0;
    t->starts.count = t->text.count = 0;
}

void tacInternFree(tacInternTable *t) {
    tacFree(t->slots);
    tacFree(t->places);
    tacArrayFree(&t->starts);
    tacArrayFree(&t->text);
    *t = (tacInternTable){0};
}
