/*
 * record.c -- the core of sensors: directories in memory that is given, sensors in them, elements of many writers.
 *
 * Needs nothing but the compiler.
 */
#include "record/tactusrec.h"

enum { LEAST = 1 << 16 }; /* bytes of a directory */

static const char magic[8] = "TACTREC";

static uint64_t rounded(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

/* Copies a name, which is cut at a whole character. */
static void copyName(char *to, size_t room, const char *from) {
    size_t n = 0;
    while (from && from[n] && n < room - 1) n++;
    if (from && from[n])
        while (n > 0 && ((unsigned char) from[n] & 0xc0) == 0x80) n--;
    for (size_t i = 0; i < room; i++) to[i] = i < n ? from[i] : 0;
}

/* ---- directories ------------------------------------------------------------------------------------------------- */

bool tacrec_make(tacrec_directory *directory, void *memory, uint64_t size, const char *program, uint32_t pid,
    tacrec_clock clock, const tacrec_hooks *hooks) {
    tacrec_head *head = (tacrec_head *) memory;
    directory->head = NULL;
    directory->hooks = *hooks;
    directory->file = -1;
    directory->path[0] = 0;
    if (!memory || size < LEAST || size > TACREC_BYTES || (uintptr_t) memory % TACREC_LINE) return false;
    head->version = TACREC_VERSION;
    head->headSize = (uint32_t) rounded(sizeof *head, TACREC_LINE);
    head->size = size;
    head->entries = (uint32_t) (size / TACREC_SHARE / sizeof(tacrec_entry)) + 1;
    head->used = (uint32_t) (rounded(head->headSize + (uint64_t) head->entries * sizeof(tacrec_entry), TACREC_LINE)
        / TACREC_LINE);
    head->clock = (uint32_t) clock;
    head->pid = pid;
    copyName(head->program, sizeof head->program, program);
    directory->head = head;
    tacrec_pairNow(directory);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* whoever sees the magic word sees all */
    for (size_t i = 0; i < sizeof magic; i++) ((volatile char *) head->magic)[i] = magic[i];
    return true;
}

/* The narrowest of a few looks at one clock between two looks at the other. */
void tacrec_measure(const tacrec_hooks *hooks, tacrec_pair *pair) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        uint64_t before = tacrec_counter(true), time = hooks->now(hooks->data), width = tacrec_counter(true) - before;
        if (width >= least) continue;
        least = width;
        pair->counter = before + width / 2;
        pair->nanoseconds = time;
    }
}

/* Kept as elements of a SIMPLE ring are. */
void tacrec_pairNow(tacrec_directory *directory) {
    tacrec_head *head = directory->head;
    if (!head) return;
    tacrec_measure(&directory->hooks, &head->pairs[head->pairCount % TACREC_PAIRS]);
    __atomic_store_n(&head->pairCount, head->pairCount + 1, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

/* ---- sensors ----------------------------------------------------------------------------------------------------- */

static bool isFineField(const tacrec_field *field, uint32_t size) {
    if (!field->name || !field->size || (uint32_t) field->offset + field->size > size) return false;
    switch (field->type) {
    case TACREC_UNSIGNED:
    case TACREC_SIGNED: return field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
    case TACREC_REAL: return field->size == 4 || field->size == 8;
    case TACREC_TEXT: return true;
    }
    return false;
}

static bool isFine(const tacrec_layout *layout) {
    if (layout->size > TACREC_ELEMENT || layout->capacity < 2 || layout->capacity > 1u << 30) return false;
    if (layout->fieldCount > TACREC_FIELDS || !layout->name || !layout->name[0]) return false;
    if (layout->lasting && layout->kind != TACREC_CONCURRENT) return false;
    for (uint32_t i = 0; i < layout->fieldCount; i++)
        if (!isFineField(&layout->fields[i], layout->size)) return false;
    return true;
}

/* Gives so many away of what there is; false: there are not so many. *before: how many were given away before. */
static bool give(uint32_t *given, uint64_t count, uint64_t all, uint32_t *before) {
    *before = __atomic_load_n(given, __ATOMIC_RELAXED);
    do
        if (count > all || *before > all - count) return false;
    while (!__atomic_compare_exchange_n(
        given, before, *before + (uint32_t) count, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

/* Takes lines of the directory for so many bytes; 0: there are not so many. */
static uint64_t take(tacrec_head *head, uint64_t bytes) {
    uint32_t used;
    uint64_t lines = (bytes + TACREC_LINE - 1) / TACREC_LINE;
    return give(&head->used, lines, head->size / TACREC_LINE, &used) ? (uint64_t) used * TACREC_LINE : 0;
}

/* Gives lines back that were taken last: there is no entry for them. Others that took some since keep these away. */
static void giveBack(tacrec_head *head, uint64_t at, uint64_t bytes) {
    uint32_t from = (uint32_t) (at / TACREC_LINE), to = from + (uint32_t) ((bytes + TACREC_LINE - 1) / TACREC_LINE);
    __atomic_compare_exchange_n(&head->used, &to, from, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Takes entries side by side; NULL: there are not so many. */
static tacrec_entry *takeEntries(tacrec_head *head, uint32_t count) {
    uint32_t k;
    if (!give(&head->entryCount, count, head->entries, &k)) return NULL;
    return (tacrec_entry *) ((uint8_t *) head + head->headSize) + k;
}

static uint32_t strideOf(uint32_t size) { return (uint32_t) (sizeof(tacrec_element) + rounded(size, 8)); }

static bool need(const tacrec_hooks *hooks, void *at, uint64_t bytes) {
    return !hooks->need || hooks->need(hooks->data, at, bytes);
}

/*
 * Takes room for rings that lie `apart` bytes from each other, from *at on, and an entry for each, side by side. Of
 * each ring so many bytes are `needed` now. NULL: there is not so much.
 */
static tacrec_entry *takeRings(
    const tacrec_directory *to, uint32_t rings, uint64_t apart, uint64_t needed, uint64_t *at) {
    tacrec_head *head = to->head;
    *at = take(head, rings * apart);
    bool there = *at != 0;
    for (uint32_t k = 0; there && k < rings; k++) there = need(&to->hooks, (uint8_t *) head + *at + k * apart, needed);
    tacrec_entry *entries = there ? takeEntries(head, rings) : NULL;
    if (*at && !entries) giveBack(head, *at, rings * apart);
    return entries && need(&to->hooks, entries, rings * sizeof *entries) ? entries : NULL;
}

/* Describes a sensor's ring, and lets monitors see it: whoever sees READY sees all of it. */
static void describe(
    tacrec_entry *entry, const tacrec_layout *layout, uint32_t capacity, uint64_t ring, uint32_t part) {
    entry->kind = (uint32_t) layout->kind;
    entry->size = layout->size;
    entry->stride = strideOf(layout->size);
    entry->capacity = capacity;
    entry->fieldCount = layout->fieldCount;
    entry->priority = layout->priority;
    entry->twoWords = TACREC_TWO_WORDS && layout->kind != TACREC_CONCURRENT;
    entry->lasting = layout->lasting;
    entry->part = part;
    entry->ring = ring;
    entry->rate = layout->rate;
    copyName(entry->name, sizeof entry->name, layout->name);
    copyName(entry->storage, sizeof entry->storage, layout->storage);
    for (uint32_t i = 0; i < layout->fieldCount; i++) {
        const tacrec_field *field = &layout->fields[i];
        tacrec_fieldEntry *to = &entry->fields[i];
        copyName(to->name, sizeof to->name, field->name);
        to->type = (uint32_t) field->type;
        to->offset = field->offset;
        to->size = field->size;
    }
    __atomic_store_n(&entry->state, (uint32_t) TACREC_READY, __ATOMIC_RELEASE);
}

/* Lets the sensor write at this place. */
static void place(tacrec_sensor *sensor, tacrec_ring *ring, uint8_t *elements, uint32_t capacity) {
    sensor->ring = ring;
    sensor->capacity = capacity;
    sensor->begin = sensor->next = elements;
    sensor->end = elements + (size_t) capacity * sensor->stride;
}

/* Lets it write into itself, unseen. A concurrent one takes its numbers there, too. */
static void placeInItself(tacrec_sensor *sensor) {
    place(sensor, &sensor->spareRing, (uint8_t *) sensor->spare, 2);
    sensor->rings = 1;
    sensor->most = UINT64_MAX;
    sensor->entry = NULL;
}

/* Lets it write into the ring of its entry, from the number on to which the ring was written. */
static void placeAt(tacrec_sensor *sensor, tacrec_head *head, tacrec_entry *entry) {
    uint8_t *at = (uint8_t *) head + entry->ring;
    place(sensor, (tacrec_ring *) at, at + sizeof(tacrec_ring), entry->capacity);
    sensor->entry = entry;
    sensor->most = entry->lasting ? entry->capacity : UINT64_MAX;
    if (sensor->kind == TACREC_CONCURRENT) return;
    sensor->count = tacrec_published(sensor->ring, entry->twoWords);
    sensor->next += (size_t) (sensor->count % sensor->capacity) * sensor->stride;
}

static void clear(void *memory, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) ((uint8_t *) memory)[i] = 0;
}

/* A sensor that writes into itself. */
static void begin(tacrec_sensor *sensor, tacrec_kind kind, uint32_t stride, uint32_t clock, const tacrec_hooks *hooks) {
    clear(sensor, sizeof *sensor);
    sensor->kind = (uint32_t) kind;
    sensor->stride = stride;
    sensor->clock = clock;
    sensor->hooks = *hooks;
    placeInItself(sensor);
}

/* ---- rings of a sensor ------------------------------------------------------------------------------------------- */

/* How many a concurrent sensor would have if there is room. */
static uint32_t ringsOf(const tacrec_layout *layout, const tacrec_hooks *hooks) {
    uint32_t rings = hooks->processor && !layout->lasting ? hooks->processors : 1;
    if (rings > TACREC_PARTS) rings = TACREC_PARTS;
    return layout->rings && layout->rings < rings ? layout->rings : rings;
}

/*
 * Takes room for several rings. Those beyond the first must leave three quarters of the directory to what was asked
 * for, so each of them counts as no less than what there is of the directory for one entry.
 */
static tacrec_entry *takeParts(const tacrec_directory *to, uint32_t rings, uint64_t apart, bool asked, uint64_t *at) {
    tacrec_head *head = to->head;
    uint64_t lines = apart / TACREC_LINE, all = head->size / TACREC_LINE, least = all / head->entries;
    uint64_t further = asked ? 0 : (rings - 1) * (lines > least ? lines : least);
    uint32_t before;
    if (!give(&head->further, further, all / TACREC_FURTHER, &before)) return NULL;
    tacrec_entry *entries = takeRings(to, rings, apart, apart, at);
    if (!entries) __atomic_fetch_sub(&head->further, (uint32_t) further, __ATOMIC_RELAXED);
    return entries;
}

/*
 * Places a concurrent sensor in several rings, as many as there is room for; false: for no more than one. Before each a
 * line stays free. Processors fetch lines in pairs: so nobody who writes the end of a ring takes away the counter of
 * the next one.
 */
static bool placeInParts(
    tacrec_sensor *sensor, const tacrec_directory *to, const tacrec_layout *layout, uint32_t capacity) {
    uint64_t apart = TACREC_LINE + rounded(sizeof(tacrec_ring) + (uint64_t) capacity * sensor->stride, TACREC_LINE), at;
    uint32_t rings = ringsOf(layout, &sensor->hooks);
    tacrec_entry *entries = NULL;
    while (rings > 1 && !(entries = takeParts(to, rings, apart, layout->rings != 0, &at))) rings = (rings + 1) / 2;
    if (!entries) return false;
    for (uint32_t k = 0; k < rings; k++) describe(&entries[k], layout, capacity, at + k * apart + TACREC_LINE, k);
    placeAt(sensor, to->head, entries);
    sensor->rings = rings;
    sensor->apart = apart;
    for (sensor->mask = 1; 2 * sensor->mask + 1 < rings; sensor->mask = 2 * sensor->mask + 1) continue;
    return true;
}

bool tacrec_add(tacrec_directory *directory, tacrec_sensor *sensor, const tacrec_layout *layout) {
    tacrec_head *head = directory->head;
    bool many = layout->kind == TACREC_CONCURRENT;
    uint32_t most = TACREC_ELEMENT, size = layout->size < most ? layout->size : most, capacity = layout->capacity;
    begin(sensor, many ? TACREC_CONCURRENT : TACREC_SIMPLE, strideOf(size),
        head ? head->clock : (uint32_t) TACREC_CLOCK_HOOK, &directory->hooks);
    if (!head || !isFine(layout) || (!many && layout->kind != TACREC_SIMPLE)) return false;
    if (many && TACREC_NARROW && (!sensor->hooks.enter || !sensor->hooks.leave)) return false;
    if (many) /* so that a place is found without a division */
        for (capacity = 2; capacity < layout->capacity; capacity *= 2) continue;
    if (many && placeInParts(sensor, directory, layout, capacity)) return true;
    uint64_t bytes = sizeof(tacrec_ring) + (uint64_t) capacity * sensor->stride, ring;
    tacrec_entry *entry = takeRings(directory, 1, bytes, bytes, &ring);
    if (!entry) return false;
    describe(entry, layout, capacity, ring, 0);
    placeAt(sensor, head, entry);
    return true;
}

void tacrec_remove(tacrec_sensor *sensor) {
    tacrec_entry *entry = sensor->entry;
    uint32_t rings = sensor->rings;
    if (!entry) return;
    placeInItself(sensor);
    if (entry->kind == TACREC_PER_THREAD) {
        __atomic_store_n(&entry->taken, 0u, __ATOMIC_RELEASE);
        return;
    }
    for (uint32_t k = 0; k < rings; k++) __atomic_store_n(&entry[k].state, (uint32_t) TACREC_GONE, __ATOMIC_RELEASE);
}

/* ---- a ring for each thread -------------------------------------------------------------------------------------- */

bool tacrec_addThreads(
    tacrec_directory *directory, tacrec_threads *threads, const tacrec_layout *layout, uint32_t rings) {
    tacrec_head *head = directory->head;
    clear(threads, sizeof *threads);
    threads->head = head;
    threads->hooks = directory->hooks;
    if (!head || !isFine(layout) || layout->kind != TACREC_PER_THREAD || !rings || rings > TACREC_RINGS) return false;
    uint64_t bytes = rounded(sizeof(tacrec_ring) + (uint64_t) layout->capacity * strideOf(layout->size), TACREC_LINE);
    uint64_t ring;
    tacrec_entry *entries = takeRings(directory, rings, bytes, sizeof(tacrec_ring), &ring);
    if (!entries) return false;
    for (uint32_t k = 0; k < rings; k++) describe(&entries[k], layout, layout->capacity, ring + k * bytes, 0);
    threads->entries = entries;
    threads->rings = rings;
    return true;
}

/*
 * Notes the ring's owner: a ring of its own, written as SIMPLE ones are. An owner is noted before its first element is
 * published, so a reader of the element finds it.
 */
static void noteOwner(tacrec_entry *entry, uint32_t thread, uint64_t first) {
    tacrec_owner *owner = &entry->owners[entry->ownerCount % TACREC_OWNERS];
    owner->thread = thread;
    owner->first[0] = (uint32_t) first;
    owner->first[1] = (uint32_t) (first >> 32);
    __atomic_store_n(&entry->ownerCount, entry->ownerCount + 1, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

/*
 * `taken` is what a thread holds of a ring: who takes it (acquire) sees all that the owner before it wrote (release).
 * Searches begin one further each time, so a ring that was given back rests for as long as others are free, and can be
 * read meanwhile. The sensor may be removed meanwhile. A ring's memory is there from its first owner on.
 */
bool tacrec_attach(tacrec_threads *threads, tacrec_sensor *sensor, uint32_t thread) {
    tacrec_head *head = threads->head;
    uint32_t turn = __atomic_fetch_add(&threads->turn, 1u, __ATOMIC_RELAXED);
    uint32_t rings = __atomic_load_n(&threads->rings, __ATOMIC_RELAXED);
    begin(sensor, TACREC_SIMPLE, threads->entries ? threads->entries->stride : strideOf(TACREC_ELEMENT),
        head ? head->clock : (uint32_t) TACREC_CLOCK_HOOK, &threads->hooks);
    for (uint32_t k = 0; k < rings; k++) {
        tacrec_entry *entry = &threads->entries[(turn + k) % rings];
        if (__atomic_exchange_n(&entry->taken, 1u, __ATOMIC_ACQUIRE)) continue;
        uint64_t bytes = sizeof(tacrec_ring) + (uint64_t) entry->capacity * entry->stride;
        if (!entry->ownerCount && !need(&threads->hooks, (uint8_t *) head + entry->ring, bytes)) {
            __atomic_store_n(&entry->taken, 0u, __ATOMIC_RELEASE);
            return false;
        }
        placeAt(sensor, head, entry);
        noteOwner(entry, thread, sensor->count);
        return true;
    }
    return false;
}

void tacrec_removeThreads(tacrec_threads *threads) {
    for (uint32_t k = 0; k < threads->rings; k++)
        __atomic_store_n(&threads->entries[k].state, (uint32_t) TACREC_GONE, __ATOMIC_RELEASE);
    __atomic_store_n(&threads->rings, 0u, __ATOMIC_RELAXED);
}

/* ---- many writers ------------------------------------------------------------------------------------------------ */

#if TACREC_NARROW
/* Stores a word in two halves, the lower one first: see tacrec_load. */
static void store(uint64_t *at, uint64_t value) {
    typedef uint32_t __attribute__((may_alias)) Half;
    Half *half = (Half *) at;
    int high = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    __atomic_store_n(&half[!high], (uint32_t) value, __ATOMIC_RELEASE);
    __atomic_store_n(&half[high], (uint32_t) (value >> 32), __ATOMIC_RELEASE);
}
#endif

/* Puts `to` where `expected` stands; else tells what stands there. */
static bool exchange(const tacrec_sensor *sensor, uint64_t *at, uint64_t *expected, uint64_t to) {
#if !TACREC_NARROW
    (void) sensor;
    return __atomic_compare_exchange_n(at, expected, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
#else
    sensor->hooks.enter(sensor->hooks.data);
    uint64_t is = *at;
    bool same = is == *expected;
    if (same) store(at, to);
    else *expected = is;
    sensor->hooks.leave(sensor->hooks.data);
    return same;
#endif
}

/* Counts a number that became no element, or an element that found no room. */
static void raise(const tacrec_sensor *sensor, uint64_t *counter) {
    uint64_t count = tacrec_load(counter);
    while (!exchange(sensor, counter, &count, count + 1)) continue;
}

/* The place of an element that nobody sees. */
static void *unseen(tacrec_sensor *sensor) { return (uint8_t *) sensor->spare + sizeof(tacrec_element); }

/* Counts an element of a lasting sensor that is full. */
static void *refuse(tacrec_sensor *sensor) {
    raise(sensor, &sensor->ring->refused);
    return unseen(sensor);
}

/* Bytes from the first ring to that of the processor which runs this. A thread may go to another one at any moment. */
static size_t ringHere(const tacrec_sensor *sensor) {
    if (sensor->rings == 1) return 0;
    uint32_t k = sensor->hooks.processor(sensor->hooks.data);
    return (k < sensor->rings ? k : k & sensor->mask) * (size_t) sensor->apart;
}

/*
 * Claims the place of number n, whose `turn` says what stands there: 2 m + 1 while element m is written, 2 m + 2 when
 * it is published. It grows only: a writer that was stopped until a later round took the place finds a larger turn, and
 * one whose writer of a round ago has not finished an odd one. Both leave the place alone.
 */
static bool claim(const tacrec_sensor *sensor, tacrec_element *element, uint64_t n) {
    uint64_t turn = tacrec_load(&element->turn);
    return !(turn & 1) && (int64_t) (turn - 2 * n) <= 0 && exchange(sensor, &element->turn, &turn, 2 * n + 1);
}

/*
 * A number is given away together with its time: the time is taken between looking at the counter and raising it, so
 * the times of a ring's numbers are in their order. A writer that cannot have its place takes the next number. If it
 * gets none in a whole round (all are held by threads that were stopped within an element), the element goes to the
 * sensor itself, where nobody sees it: the last of its numbers stands for it among those that readers miss.
 *
 * The order of memory is that of a sequence lock: whoever sees something of the new element sees the odd turn (the
 * fence), whoever sees the even turn sees the element (the release in tacrec_commit). A reader copies between two looks
 * at the turn, with a fence before the second.
 */
void *tacrec_writeConcurrent(tacrec_sensor *sensor) {
    size_t here = ringHere(sensor);
    tacrec_ring *ring = (tacrec_ring *) ((uint8_t *) sensor->ring + here);
    uint64_t *written = &ring->counter.written, n = tacrec_load(written), time;
    for (uint32_t tries = 1;; tries++) {
        do {
            if (n >= sensor->most) return refuse(sensor);
            time = tacrec_now(sensor, true);
        } while (!exchange(sensor, written, &n, n + 1));
        uint8_t *at = sensor->begin + here + (size_t) tacrec_placeOf(n, sensor->capacity) * sensor->stride;
        tacrec_element *element = (tacrec_element *) at;
        if (claim(sensor, element, n)) {
            __atomic_thread_fence(__ATOMIC_RELEASE);
            element->time = time;
            return at + sizeof *element;
        }
        if (tries >= sensor->capacity) return unseen(sensor);
        raise(sensor, &ring->passed);
        n = tacrec_load(written);
    }
}

void tacrec_commitNarrow(tacrec_sensor *sensor, tacrec_element *element) {
    uint64_t turn = tacrec_load(&element->turn);
    exchange(sensor, &element->turn, &turn, turn + 1);
}
