/*
 * monitor.c -- reading sensors while they are written, or after their program has ended.
 *
 * Nothing that stands in a directory is trusted: each of its numbers is read once, into the monitor's own memory, and
 * looked at there; an element counts only if the counters say afterwards that it was whole. Nothing is written.
 */
#include "record/tactusrec.h"

static const char magic[8] = "TACTREC";

typedef uintptr_t __attribute__((may_alias)) Word;

/* Copies what may be written meanwhile, word by word; the counters tell whether it was, so a race is no mistake. */
__attribute__((no_sanitize("thread"))) static void copy(void *to, const void *from, size_t bytes) {
    const Word *words = (const Word *) from;
    for (size_t i = 0; i < bytes / sizeof(Word); i++) ((Word *) to)[i] = __atomic_load_n(&words[i], __ATOMIC_RELAXED);
}

/* ---- directories ------------------------------------------------------------------------------------------------- */

/* What is needed of a head, read once. */
typedef struct Extent {
    uint64_t headSize, size;
    uint32_t entries, count;
} Extent;

static bool extentOf(Extent *extent, const tacrec_head *head, uint64_t size) {
    if (!head || size < sizeof *head) return false;
    for (size_t i = 0; i < sizeof magic; i++)
        if (((const volatile char *) head->magic)[i] != magic[i]) return false;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    copy(&extent->size, &head->size, sizeof extent->size);
    extent->headSize = __atomic_load_n(&head->headSize, __ATOMIC_RELAXED);
    extent->entries = __atomic_load_n(&head->entries, __ATOMIC_RELAXED);
    extent->count = __atomic_load_n(&head->entryCount, __ATOMIC_ACQUIRE);
    if (extent->count > extent->entries) extent->count = extent->entries;
    return __atomic_load_n(&head->version, __ATOMIC_RELAXED) == TACREC_VERSION && extent->size <= size
        && extent->headSize >= sizeof *head && extent->headSize % TACREC_LINE == 0 && extent->headSize <= extent->size
        && extent->entries <= (extent->size - extent->headSize) / sizeof(tacrec_entry);
}

bool tacrec_isDirectory(const void *memory, uint64_t size) {
    Extent extent;
    return extentOf(&extent, (const tacrec_head *) memory, size);
}

/* At most as many as the largest directory has, so that whoever asks for each of them comes to an end soon. */
uint32_t tacrec_sensors(const tacrec_head *head) {
    const uint32_t most = (uint32_t) (TACREC_BYTES / TACREC_SHARE / sizeof(tacrec_entry)) + 1;
    uint32_t count = __atomic_load_n(&head->entryCount, __ATOMIC_ACQUIRE);
    uint32_t room = __atomic_load_n(&head->entries, __ATOMIC_RELAXED);
    if (room > most) room = most;
    return count < room ? count : room;
}

/* Written and read as an element of a SIMPLE ring. */
bool tacrec_readPair(const tacrec_head *head, uint32_t n, tacrec_pair *pair) {
    uint32_t count = __atomic_load_n(&head->pairCount, __ATOMIC_ACQUIRE);
    if (n >= count || count - n >= TACREC_PAIRS) return false;
    copy(pair, &head->pairs[n % TACREC_PAIRS], sizeof *pair);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&head->pairCount, __ATOMIC_RELAXED) - n < TACREC_PAIRS;
}

/* ---- what is said of a sensor ------------------------------------------------------------------------------------ */

static bool isFineField(tacrec_fieldEntry *field, uint32_t size) {
    field->name[sizeof field->name - 1] = 0;
    bool number = field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
    if (!field->size || (uint32_t) field->offset + field->size > size) return false;
    if (field->type == TACREC_REAL) return field->size == 4 || field->size == 8;
    return field->type == TACREC_TEXT || (number && field->type >= TACREC_UNSIGNED && field->type <= TACREC_SIGNED);
}

/* Does the sensor, as it was copied, lie in the directory? */
static bool isFine(tacrec_entry *entry, const Extent *extent) {
    bool many = entry->kind == TACREC_CONCURRENT;
    if (entry->state != TACREC_READY && entry->state != TACREC_GONE) return false;
    if (entry->kind != TACREC_SIMPLE && !many && entry->kind != TACREC_PER_THREAD) return false;
    if (entry->size > TACREC_ELEMENT || entry->stride != sizeof(tacrec_element) + (entry->size + 7) / 8 * 8)
        return false;
    if (entry->capacity < 2 || (many && (entry->capacity & (entry->capacity - 1)))) return false;
    uint64_t bytes = sizeof(tacrec_ring) + (uint64_t) entry->capacity * entry->stride;
    if (entry->ring % TACREC_LINE || entry->ring < extent->headSize || entry->ring > extent->size
        || bytes > extent->size - entry->ring)
        return false;
    entry->lasting = entry->lasting && many;
    entry->name[sizeof entry->name - 1] = entry->storage[sizeof entry->storage - 1] = 0;
    if (entry->fieldCount > TACREC_FIELDS) return false;
    for (uint32_t i = 0; i < entry->fieldCount; i++)
        if (!isFineField(&entry->fields[i], entry->size)) return false;
    return true;
}

/* Where the kth entry stands; NULL: nowhere. */
static const tacrec_entry *entryAt(const tacrec_head *head, const Extent *extent, uint32_t k) {
    if (k >= extent->count) return NULL;
    return (const tacrec_entry *) ((const uint8_t *) head + extent->headSize) + k;
}

bool tacrec_describe(const tacrec_head *head, uint64_t size, uint32_t k, tacrec_entry *to) {
    Extent extent;
    const tacrec_entry *entry = extentOf(&extent, head, size) ? entryAt(head, &extent, k) : NULL;
    if (!entry) return false;
    uint32_t state = __atomic_load_n(&entry->state, __ATOMIC_ACQUIRE);
    copy(to, entry, sizeof *entry);
    to->state = state; /* the copy's may be a later one, than which the rest is older */
    return isFine(to, &extent);
}

bool tacrec_readerBegin(tacrec_reader *reader, const tacrec_head *head, uint64_t size, uint32_t k) {
    Extent extent;
    tacrec_entry is;
    if (!extentOf(&extent, head, size) || !tacrec_describe(head, size, k, &is)) return false;
    reader->entry = entryAt(head, &extent, k);
    if (!reader->entry) return false;
    reader->kind = is.kind;
    reader->size = is.size;
    reader->stride = is.stride;
    reader->capacity = is.capacity;
    reader->twoWords = is.twoWords != 0 && is.kind != TACREC_CONCURRENT;
    reader->ring = (const tacrec_ring *) ((const uint8_t *) head + is.ring);
    reader->elements = (const uint8_t *) (reader->ring + 1);
    reader->at = is.first;
    reader->missed = reader->read = 0;
    return true;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static uint64_t counterOf(const tacrec_reader *reader) { return tacrec_published(reader->ring, reader->twoWords); }

static const tacrec_element *elementOf(const tacrec_reader *reader, uint64_t n) {
    bool many = reader->kind == TACREC_CONCURRENT;
    uint32_t place = many ? tacrec_placeOf(n, reader->capacity) : (uint32_t) (n % reader->capacity);
    return (const tacrec_element *) (reader->elements + (size_t) place * reader->stride);
}

/* Goes on to a later element, and counts those before it as missed. */
static void passTo(tacrec_reader *reader, uint64_t n) {
    reader->missed += n - reader->at;
    reader->at = n;
}

/* Copies the element that is next, whole or not. */
static void copyNext(const tacrec_reader *reader, uint64_t *time, void *data) {
    uint64_t words[(sizeof(tacrec_element) + TACREC_ELEMENT) / 8];
    copy(words, elementOf(reader, reader->at), reader->stride);
    *time = words[1];
    for (uint32_t i = 0; i < reader->size; i++) ((uint8_t *) data)[i] = ((const uint8_t *) (words + 2))[i];
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* the counter is looked at after it */
}

/*
 * SIMPLE: an element is whole unless the writer has come, or may be, a round further. A reader that was overtaken while
 * it copied goes on in the middle of the ring, where it has half a round of time. A counter behind the reader is a
 * broken writer's: there is nothing to read.
 */
static int nextSimple(tacrec_reader *reader, uint64_t *time, void *data) {
    uint64_t written = counterOf(reader), room = reader->capacity;
    for (int tries = 0; tries < 2 && (int64_t) (written - reader->at) > 0; tries++) {
        if (written - reader->at >= room) passTo(reader, written - (tries ? room / 2 : room - 1));
        copyNext(reader, time, data);
        written = counterOf(reader);
        if (written - reader->at < room) {
            reader->at++;
            reader->read++;
            return 1;
        }
    }
    return 0;
}

/*
 * CONCURRENT: the element says itself whether it is whole, and of which round. One that was overwritten, or whose
 * number became none, is missed; after the second in a row the reader goes on in the middle of the ring if it is far
 * behind.
 */
static int nextConcurrent(tacrec_reader *reader, uint64_t *time, void *data) {
    uint64_t room = reader->capacity;
    for (int tries = 0; tries < 4; tries++) {
        uint64_t written = counterOf(reader);
        if ((int64_t) (written - reader->at) <= 0) return 0;
        if (written - reader->at > room || (tries > 1 && written - reader->at > room - room / 4))
            passTo(reader, written - (tries > 1 ? room / 2 : room));
        const tacrec_element *element = elementOf(reader, reader->at);
        uint64_t turn = tacrec_load(&element->turn), wanted = 2 * reader->at + 2;
        if ((int64_t) (turn - wanted) < 0) return 0;
        if (turn == wanted) {
            copyNext(reader, time, data);
            if (tacrec_load(&element->turn) == wanted) {
                reader->at++;
                reader->read++;
                return 1;
            }
        }
        passTo(reader, reader->at + 1);
    }
    return 0;
}

int tacrec_readerNext(tacrec_reader *reader, uint64_t *time, void *data) {
    return reader->kind == TACREC_CONCURRENT ? nextConcurrent(reader, time, data) : nextSimple(reader, time, data);
}

bool tacrec_readerSkip(tacrec_reader *reader) {
    if (reader->kind != TACREC_CONCURRENT || (int64_t) (counterOf(reader) - reader->at) <= 0) return false;
    passTo(reader, reader->at + 1);
    return true;
}

uint64_t tacrec_readerPassed(const tacrec_reader *reader) { return tacrec_load(&reader->ring->passed); }

uint64_t tacrec_readerRefused(const tacrec_reader *reader) { return tacrec_load(&reader->ring->refused); }

/* Owners are kept as elements of a SIMPLE ring; the element's is the last one that began before it. */
uint32_t tacrec_readerThread(const tacrec_reader *reader) {
    uint64_t n = reader->at - 1;
    if (reader->kind != TACREC_PER_THREAD || !reader->read) return 0;
    uint32_t count = __atomic_load_n(&reader->entry->ownerCount, __ATOMIC_ACQUIRE);
    for (uint32_t back = 1; back <= count && back < TACREC_OWNERS; back++) {
        tacrec_owner owner;
        copy(&owner, &reader->entry->owners[(count - back) % TACREC_OWNERS], sizeof owner);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        uint32_t now = __atomic_load_n(&reader->entry->ownerCount, __ATOMIC_RELAXED);
        if (now - (count - back) >= TACREC_OWNERS) return 0;
        if ((int64_t) (n - ((uint64_t) owner.first[1] << 32 | owner.first[0])) >= 0) return owner.thread;
    }
    return 0;
}
