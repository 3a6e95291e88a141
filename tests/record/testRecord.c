/*
 * testRecord.c -- sensors are written, and read by monitors meanwhile: nothing is torn, nothing is uncounted.
 *
 * An element holds its own number and words that follow from it, so a reader sees whether it is whole. Prints a line
 * for each test, "ok NAME", "skipped NAME: why" or "FAILED NAME: why"; the exit status is 1 if one failed.
 * Arguments: random kills of each kind, elements of each thread, a folder for files.
 */
#define _GNU_SOURCE
#include "check.h"
#include "record/tactusrec.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 1 << 20, WORDS = 4 };

typedef struct Element {
    uint64_t words[WORDS];
} Element;

static uint64_t now(void *data) {
    struct timespec t;
    (void) data;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* Keeps threads from each other, as interrupts that are off do on a small processor. */
static bool held;
static void enter(void *data) {
    (void) data;
    while (__atomic_test_and_set(&held, __ATOMIC_ACQUIRE)) sched_yield();
}
static void leave(void *data) {
    (void) data;
    __atomic_clear(&held, __ATOMIC_RELEASE);
}

static const tacrec_hooks hooks = {.now = now, .enter = enter, .leave = leave};
static const tacrec_field fields[] = {{"number", TACREC_UNSIGNED, 0, 8}, {"label", TACREC_TEXT, 8, 24}};

static tacrec_layout layoutOf(tacrec_kind kind, uint32_t capacity) {
    return (tacrec_layout){.name = "sensor",
        .kind = kind,
        .size = sizeof(Element),
        .capacity = capacity,
        .fields = fields,
        .fieldCount = 2};
}

/* Memory that child processes share, with a page behind it that nobody may touch. */
static void *shared(size_t bytes) {
    void *memory = mmap(NULL, bytes + 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect((uint8_t *) memory + bytes, 4096, PROT_NONE)) abort();
    return memory;
}

static tacrec_directory newDirectory(void *memory, tacrec_clock clock) {
    tacrec_directory directory;
    memset(memory, 0, BYTES);
    if (!tacrec_make(&directory, memory, BYTES, "test", 7, clock, &hooks)) abort();
    return directory;
}

static uint64_t mixed(uint64_t number, int word) { return (number + (uint64_t) word) * 0x9E3779B97F4A7C15ull; }

static void fill(Element *element, uint64_t number) {
    element->words[0] = number;
    for (int i = 1; i < WORDS; i++) element->words[i] = mixed(number, i);
}

static bool isWhole(const Element *element) {
    for (int i = 1; i < WORDS; i++)
        if (element->words[i] != mixed(element->words[0], i)) return false;
    return true;
}

static void write1(tacrec_sensor *sensor, uint64_t number) {
    Element *element = tacrec_write(sensor);
    fill(element, number);
    tacrec_commit(sensor, element);
}

/* ---- one writer -------------------------------------------------------------------------------------------------- */

static void testInOrder(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(TACREC_SIMPLE, 5);
    tacrec_sensor sensor;
    tacrec_reader reader;
    Element element;
    uint64_t time, last = 0;
    bool fine = tacrec_add(&directory, &sensor, &layout) && tacrec_readerBegin(&reader, directory.head, BYTES, 0);
    fine = fine && tacrec_readerNext(&reader, &time, &element) == 0;
    for (uint64_t i = 0; i < 3 && fine; i++) write1(&sensor, i);
    for (uint64_t i = 0; i < 3 && fine; i++) {
        fine = tacrec_readerNext(&reader, &time, &element) == 1 && element.words[0] == i && isWhole(&element)
            && time >= last;
        last = time;
    }
    fine = fine && tacrec_readerNext(&reader, &time, &element) == 0 && reader.missed == 0 && reader.read == 3;
    CHECK("in order", fine, "read %llu, missed %llu", (unsigned long long) reader.read,
        (unsigned long long) reader.missed);
    for (uint64_t i = 3; i < 20; i++) write1(&sensor, i); /* 17 more, of which the ring of 5 keeps 4 for certain */
    fine = tacrec_readerNext(&reader, &time, &element) == 1 && element.words[0] == 16 && reader.missed == 13;
    CHECK("the oldest that is kept", fine, "element %llu, missed %llu", (unsigned long long) element.words[0],
        (unsigned long long) reader.missed);
    tacrec_remove(&sensor);
    write1(&sensor, 99);
    while (tacrec_readerNext(&reader, &time, &element)) continue;
    CHECK("a removed sensor is read to its end", element.words[0] == 19 && reader.read + reader.missed == 20,
        "last %llu", (unsigned long long) element.words[0]);
}

static void testFallback(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK), none;
    tacrec_layout good = layoutOf(TACREC_SIMPLE, 4), large = good, wide = good, unnamed = good, outside = good;
    tacrec_field bad = {"x", TACREC_UNSIGNED, sizeof(Element) - 4, 8};
    tacrec_sensor sensors[6];
    int added = 0;
    memset(&none, 0, sizeof none);
    none.hooks = hooks;
    large.capacity = 1u << 29;
    wide.size = TACREC_ELEMENT + 1;
    unnamed.name = "";
    outside.fields = &bad;
    outside.fieldCount = 1;
    added += tacrec_add(&none, &sensors[0], &good) + tacrec_add(&directory, &sensors[1], &large)
        + tacrec_add(&directory, &sensors[2], &wide) + tacrec_add(&directory, &sensors[3], &unnamed)
        + tacrec_add(&directory, &sensors[4], &outside);
    for (int k = 0; k < 5; k++)
        for (uint64_t i = 0; i < 10; i++) write1(&sensors[k], i);
    CHECK("a sensor without a place is written", added == 0 && tacrec_sensors(directory.head) == 0, "%d added", added);
    uint32_t count = 0;
    tacrec_sensor *many = calloc(4096, sizeof *many);
    for (uint32_t i = 0; i < 4096; i++) count += tacrec_add(&directory, &many[i], &good);
    for (uint32_t i = 0; i < 4096; i++) write1(&many[i], i);
    CHECK("a full directory", count > 10 && count < 4096 && tacrec_sensors(directory.head) >= count, "%u added", count);
    free(many);
}

/* There is room for rings, but not for so many entries: what was taken for the rings is given back. */
static void testExhausted(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(TACREC_PER_THREAD, 4), large = layoutOf(TACREC_SIMPLE, 10000);
    tacrec_threads threads;
    tacrec_sensor sensor;
    uint32_t entries = directory.head->entries, used = directory.head->used;
    bool fine = entries < 1000;
    for (int i = 0; i < 10; i++) fine = fine && !tacrec_addThreads(&directory, &threads, &layout, entries + 1);
    fine = fine && directory.head->used == used && tacrec_add(&directory, &sensor, &large);
    directory.head->entryCount = entries;
    used = directory.head->used;
    layout.kind = TACREC_SIMPLE;
    fine = fine && !tacrec_add(&directory, &sensor, &layout) && directory.head->used == used;
    CHECK("entries are exhausted", fine, "used %u, then %u", used, directory.head->used);
}

/* A counter that begins shortly before it wraps in 31, 32 or 63 bits. */
static void testWrap(void *memory, uint64_t first, tacrec_kind kind) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(kind, 8);
    tacrec_sensor sensor;
    tacrec_reader reader;
    Element element;
    uint64_t time, seen = 0;
    char name[60];
    bool fine = tacrec_add(&directory, &sensor, &layout);
    sensor.count = sensor.entry->first = first;
    sensor.next = sensor.begin + (size_t) (first % 8) * sensor.stride;
    if (kind == TACREC_CONCURRENT) sensor.ring->counter.written = first;
    else tacrec_publish(sensor.ring, first);
    if (kind == TACREC_CONCURRENT) /* all places are of the round before */
        for (uint64_t n = first - 8; n < first; n++)
            ((tacrec_element *) (sensor.begin + (size_t) tacrec_placeOf(n, 8) * sensor.stride))->turn = 2 * n + 2;
    fine = fine && tacrec_readerBegin(&reader, directory.head, BYTES, 0);
    for (uint64_t i = 0; i < 40 && fine; i++) {
        write1(&sensor, i);
        if (i % 3 == 0 && i < 39) continue;
        while (tacrec_readerNext(&reader, &time, &element))
            fine = fine && element.words[0] == seen++ && isWhole(&element);
    }
    snprintf(name, sizeof name, "wrapping at %llx, kind %d", (unsigned long long) first, (int) kind);
    CHECK(name, fine && seen == 40 && reader.missed == 0, "%llu seen, %llu missed", (unsigned long long) seen,
        (unsigned long long) reader.missed);
}

/* The second word is stored, the first not yet: the writer was stopped, or killed, between the two. */
static void testBetween(void) {
    tacrec_ring ring;
    memset(&ring, 0, sizeof ring);
    ring.counter.words[0] = 0xffffffffu;
    ring.counter.words[1] = 5;
    bool fine = tacrec_published(&ring, true) == (6ull << 31) - 1;
    ring.counter.words[1] = 6;
    fine = fine && tacrec_published(&ring, true) == (6ull << 31) - 1;
    ring.counter.words[0] = 0;
    CHECK("between two words", fine && tacrec_published(&ring, true) == 6ull << 31, "%llx",
        (unsigned long long) tacrec_published(&ring, true));
}

/*
 * Of a full ring of 16 the oldest elements are being overwritten. After one the reader goes on with the next; after two
 * in a row it is too slow for those, and takes the newer half.
 */
static void testOverwritten(void *memory) {
    static const uint64_t wanted[] = {0, 1, 8};
    for (uint64_t lost = 0; lost <= 2; lost++) {
        tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
        tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 16);
        tacrec_sensor sensor;
        tacrec_reader reader;
        Element element;
        uint64_t time;
        bool fine = tacrec_add(&directory, &sensor, &layout) && tacrec_readerBegin(&reader, directory.head, BYTES, 0);
        for (uint64_t i = 0; i < 16; i++) write1(&sensor, i);
        for (uint64_t i = 0; i < lost; i++) /* number i + 16 is there */
            ((tacrec_element *) (sensor.begin + (size_t) tacrec_placeOf(i, 16) * sensor.stride))->turn = 2 * i + 34;
        fine = fine && tacrec_readerNext(&reader, &time, &element) == 1 && element.words[0] == wanted[lost];
        CHECK("overwritten while it is read", fine && reader.missed == wanted[lost], "lost %llu, element %llu",
            (unsigned long long) lost, (unsigned long long) element.words[0]);
    }
}

/*
 * A word is stored in two halves, the lower one first, and is read between the two: the reader finds nothing new, and
 * counts nothing.
 */
static void testHalves(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 8);
    tacrec_sensor sensor;
    tacrec_reader reader;
    Element element;
    uint64_t time, first = (1ull << 32) - 2;
    bool fine = tacrec_add(&directory, &sensor, &layout);
    sensor.ring->counter.written = sensor.entry->first = first;
    fine = fine && tacrec_readerBegin(&reader, directory.head, BYTES, 0);
    for (uint64_t i = 0; i < 3; i++) write1(&sensor, i);
    uint64_t written = sensor.ring->counter.written;
    sensor.ring->counter.written = written & 0xffffffffu;
    fine = fine && written == first + 3 && tacrec_readerNext(&reader, &time, &element) == 0 && reader.missed == 0;
    fine = fine && !tacrec_readerSkip(&reader);
    sensor.ring->counter.written = written;
    for (uint64_t i = 0; i < 3; i++)
        fine = fine && tacrec_readerNext(&reader, &time, &element) == 1 && element.words[0] == i;
    CHECK("between two halves", fine && reader.missed == 0, "read %llu, missed %llu", (unsigned long long) reader.read,
        (unsigned long long) reader.missed);
}

/*
 * A writer is stopped within element 0 while others go once around the ring of 8: number 8 finds its place held and
 * becomes none, so the 8 others have the numbers 1 to 7 and 9. Numbers 0 and 1 are a round behind; 8 is skipped.
 */
static void testHeld(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 8);
    tacrec_sensor sensor;
    tacrec_reader reader;
    Element element;
    uint64_t time;
    bool fine = tacrec_add(&directory, &sensor, &layout) && tacrec_readerBegin(&reader, directory.head, BYTES, 0);
    Element *stopped = (Element *) tacrec_write(&sensor);
    for (uint64_t i = 1; i <= 8; i++) write1(&sensor, i);
    for (uint64_t i = 2; i <= 7 && fine; i++)
        fine = tacrec_readerNext(&reader, &time, &element) == 1 && element.words[0] == i && isWhole(&element);
    fine = fine && tacrec_readerNext(&reader, &time, &element) == 0;
    fill(stopped, 0);
    tacrec_commit(&sensor, stopped); /* too late: it is of number 0 and not taken for number 8 */
    fine = fine && tacrec_readerNext(&reader, &time, &element) == 0 && tacrec_readerSkip(&reader);
    fine = fine && tacrec_readerNext(&reader, &time, &element) == 1 && element.words[0] == 8;
    CHECK("a place that is held", fine && reader.read == 7 && reader.missed == 3 && tacrec_readerPassed(&reader) == 1,
        "read %llu, missed %llu, none %llu", (unsigned long long) reader.read, (unsigned long long) reader.missed,
        (unsigned long long) tacrec_readerPassed(&reader));
}

/* Both places are held: the third element goes nowhere, and one of the two numbers that it took stands for it. */
static void testAllHeld(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 2);
    tacrec_sensor sensor;
    bool fine = tacrec_add(&directory, &sensor, &layout);
    void *first = tacrec_write(&sensor), *second = tacrec_write(&sensor), *third = tacrec_write(&sensor);
    fine = fine && (uint8_t *) third > (uint8_t *) &sensor && (uint8_t *) third < (uint8_t *) (&sensor + 1);
    tacrec_commit(&sensor, third);
    tacrec_commit(&sensor, second);
    tacrec_commit(&sensor, first);
    CHECK("all places are held", fine && sensor.ring->counter.written == 4 && sensor.ring->passed == 1,
        "written %llu, none %llu", (unsigned long long) sensor.ring->counter.written,
        (unsigned long long) sensor.ring->passed);
}

/* A writer that was given number 0, and stopped until the place had been used for number 4, leaves it alone. */
static void testLate(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 4);
    tacrec_sensor sensor;
    tacrec_reader reader;
    Element element;
    uint64_t time;
    bool fine = tacrec_add(&directory, &sensor, &layout);
    for (uint64_t i = 0; i < 5; i++) write1(&sensor, i);
    sensor.ring->counter.written = 0; /* as the late writer has seen it */
    Element *late = (Element *) tacrec_write(&sensor);
    sensor.ring->counter.written += 3; /* and what the others have made of it */
    fine = fine && late != (Element *) (sensor.begin + sizeof(tacrec_element)) && sensor.ring->passed > 0;
    fine = fine && tacrec_readerBegin(&reader, directory.head, BYTES, 0);
    uint64_t last = 0;
    while (tacrec_readerNext(&reader, &time, &element)) last = element.words[0];
    CHECK("a late writer", fine && last == 4, "last %llu", (unsigned long long) last);
}

/* A lasting sensor has room for 4 (3, rounded): the first 4 stay, the other 3 are counted. Others are of no such kind.
 */
static void testLasting(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 3), simple = layoutOf(TACREC_SIMPLE, 3);
    tacrec_sensor sensor, other;
    tacrec_reader reader;
    tacrec_entry entry;
    Element element;
    uint64_t time, seen = 0;
    layout.lasting = simple.lasting = true;
    bool fine = tacrec_add(&directory, &sensor, &layout) && !tacrec_add(&directory, &other, &simple);
    fine = fine && tacrec_describe(directory.head, BYTES, 0, &entry) && entry.lasting == 1;
    fine = fine && tacrec_readerBegin(&reader, directory.head, BYTES, 0);
    for (uint64_t i = 0; i < 7; i++) write1(&sensor, i);
    while (fine && tacrec_readerNext(&reader, &time, &element)) fine = element.words[0] == seen++ && isWhole(&element);
    CHECK("a lasting sensor", fine && seen == 4 && reader.missed == 0 && tacrec_readerRefused(&reader) == 3,
        "%llu seen, %llu refused", (unsigned long long) seen, (unsigned long long) tacrec_readerRefused(&reader));
}

/* ---- several rings of a concurrent sensor ------------------------------------------------------------------------ */

static uint32_t here; /* the processor that everything runs on */
static uint32_t processorHere(void *data) {
    (void) data;
    return here;
}

static tacrec_directory newMachine(void *memory, uint32_t processors) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    directory.hooks.processor = processorHere;
    directory.hooks.processors = processors;
    return directory;
}

/* Is a ring whole: of these elements, in this order? */
static bool hasElements(const void *memory, uint32_t k, uint32_t count, const uint64_t *numbers) {
    tacrec_reader reader;
    Element element;
    uint64_t time;
    bool fine = tacrec_readerBegin(&reader, (const tacrec_head *) memory, BYTES, k);
    for (uint32_t i = 0; i < count && fine; i++)
        fine = tacrec_readerNext(&reader, &time, &element) == 1 && element.words[0] == numbers[i] && isWhole(&element);
    return fine && tacrec_readerNext(&reader, &time, &element) == 0 && reader.missed == 0;
}

/*
 * Three processors: what each of them writes stands in its own ring, also if the thread goes to another one within an
 * element. A processor 5, which should not be, has one of the first two. A line before each ring is nobody's.
 */
static void testParts(void *memory) {
    tacrec_directory directory = newMachine(memory, 3);
    tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 4), simple = layoutOf(TACREC_SIMPLE, 4);
    tacrec_sensor sensor, other;
    tacrec_entry entries[3];
    uint64_t used = (uint64_t) directory.head->used * TACREC_LINE;
    bool fine = tacrec_add(&directory, &sensor, &layout) && tacrec_add(&directory, &other, &simple);
    fine = fine && sensor.rings == 3 && tacrec_sensors(directory.head) == 4;
    for (uint64_t at = used; at < BYTES; at++) fine = fine && !((uint8_t *) memory)[at]; /* no page is touched */
    for (uint32_t k = 0; k < 3 && fine; k++) {
        fine = tacrec_describe(directory.head, BYTES, k, &entries[k]) && !strcmp(entries[k].name, "sensor")
            && entries[k].kind == TACREC_CONCURRENT && entries[k].part == k && entries[k].capacity == 4;
        uint64_t end = k ? entries[k - 1].ring + sizeof(tacrec_ring) + 4 * entries[k - 1].stride : used;
        fine = fine && entries[k].ring - end >= TACREC_LINE;
    }
    CHECK("rings of processors", fine, "%u rings", sensor.rings);
    for (here = 0; here < 3; here++) write1(&sensor, here);
    here = 5;
    write1(&sensor, 5);
    here = 0;
    Element *moved = (Element *) tacrec_write(&sensor);
    here = 2;
    fill(moved, 7);
    tacrec_commit(&sensor, moved);
    const uint64_t numbers[3][2] = {{0, 7}, {1, 5}, {2, 0}};
    fine = fine && hasElements(memory, 0, 2, numbers[0]) && hasElements(memory, 1, 2, numbers[1])
        && hasElements(memory, 2, 1, numbers[2]);
    CHECK("a ring is that of the processor", fine, "elsewhere");
    tacrec_remove(&sensor);
    for (uint32_t k = 0; k < 4 && fine; k++)
        fine = tacrec_describe(directory.head, BYTES, k, &entries[0])
            && entries[0].state == (k < 3 ? TACREC_GONE : TACREC_READY);
    write1(&sensor, 9);
    CHECK("all rings of a sensor are removed", fine && hasElements(memory, 2, 1, numbers[2]), "some are not");
}

/* A processor stops within an element, and goes around its own ring: that is no loss of the others. */
static void testPartsHeld(void *memory) {
    tacrec_directory directory = newMachine(memory, 2);
    tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 2);
    tacrec_sensor sensor;
    tacrec_reader reader;
    const uint64_t number = 9;
    bool fine = tacrec_add(&directory, &sensor, &layout);
    here = 0;
    Element *stopped[2] = {(Element *) tacrec_write(&sensor), (Element *) tacrec_write(&sensor)};
    write1(&sensor, 3); /* has no place: of numbers 2 and 3 one became none, the other is missed */
    here = 1;
    write1(&sensor, number);
    fine = fine && hasElements(memory, 1, 1, &number) && tacrec_readerBegin(&reader, directory.head, BYTES, 1)
        && tacrec_readerPassed(&reader) == 0;
    for (int i = 0; i < 2; i++) {
        fill(stopped[i], (uint64_t) i);
        tacrec_commit(&sensor, stopped[i]);
    }
    fine = fine && tacrec_readerBegin(&reader, directory.head, BYTES, 0) && tacrec_readerPassed(&reader) == 1
        && tacrec_load(&reader.ring->counter.written) == 4;
    CHECK("a place that is held in one ring", fine, "%u rings", sensor.rings);
}

/* Rings that a sensor of two elements gets in a directory of a megabyte. Each counts as 135 of its 16384 lines, since
 * so many there are for one of the 121 entries: 30 of them are a quarter. */
static void testPartsCounted(void *memory) {
    static const struct {
        uint32_t processors, asked, rings;
        bool lasting, known;
    } cases[] = {{0, 0, 1, false, true}, {1, 0, 1, false, true}, {6, 0, 6, false, true}, {6, 1, 1, false, true},
        {6, 4, 4, false, true}, {6, 9, 6, false, true}, {31, 0, 31, false, true}, {32, 0, 16, false, true},
        {200, 0, 16, false, true}, {200, 200, 64, false, true}, {6, 6, 1, true, true}, {6, 6, 1, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tacrec_directory directory = newMachine(memory, cases[i].processors);
        tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 2);
        tacrec_sensor sensor;
        layout.rings = cases[i].asked;
        layout.lasting = cases[i].lasting;
        if (!cases[i].known) directory.hooks.processor = NULL;
        bool fine = tacrec_add(&directory, &sensor, &layout) && sensor.rings == cases[i].rings;
        uint64_t ends = (uint64_t) 1 << (31 - __builtin_clz(sensor.rings)); /* processors beyond share so many */
        fine = fine && (sensor.rings == 1 || sensor.mask == ends - 1);
        if (fine) continue;
        CHECK("how many rings", false, "%u, not %u, of %u", sensor.rings, cases[i].rings, cases[i].processors);
        return;
    }
    CHECK("how many rings", true, " ");
}

static uint32_t addMany(tacrec_directory *directory, tacrec_sensor *sensors, uint32_t room, uint32_t asked) {
    tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 512);
    uint32_t count = 0;
    layout.rings = asked;
    while (count < room && tacrec_add(directory, &sensors[count], &layout)) count++;
    return count;
}

/*
 * Rings of 385 lines, or 386 with the one between, where 16384 - 18 - 2057 = 14309 lines are free: 37 of them. Of eight
 * processors the first sensor has 8 rings, the next one 4, which are 10 more than 2 (11 were more than a quarter);
 * 14309 - 12 * 386 leaves 25 others one each. Whoever asks for 8 gets 8 four times, then 4, then 1: 1 of 37 is left.
 */
static void testPartsShare(void *memory) {
    enum { ROOM = 60 };
    tacrec_sensor *sensors = (tacrec_sensor *) calloc(ROOM, sizeof *sensors);
    tacrec_directory directory = newMachine(memory, 1);
    uint32_t alone = addMany(&directory, sensors, ROOM, 0);
    directory = newMachine(memory, 8);
    uint32_t some = addMany(&directory, sensors, ROOM, 0);
    bool fine = alone == 37 && some == 27 && sensors[0].rings == 8 && sensors[1].rings == 4 && sensors[2].rings == 1;
    CHECK("rings leave room for other sensors", fine, "%u alone, %u: %u, %u, %u rings", alone, some, sensors[0].rings,
        sensors[1].rings, sensors[2].rings);
    directory = newMachine(memory, 8);
    uint32_t asked = addMany(&directory, sensors, ROOM, 8);
    fine = asked == 6 && sensors[3].rings == 8 && sensors[4].rings == 4 && sensors[5].rings == 1;
    CHECK("rings that are asked for", fine, "%u: %u, %u rings", asked, sensors[4].rings, sensors[5].rings);
    free(sensors);
}

/* Memory ends here. */
static const uint8_t *memoryEnd;
static bool isThere(void *data, void *at, uint64_t bytes) {
    (void) data;
    return (uint8_t *) at + bytes <= memoryEnd;
}

/* Four processors, and memory for three rings of 256 bytes: there are two, and what was taken for four is given back.
 */
static void testPartsMemory(void *memory) {
    tacrec_directory directory = newMachine(memory, 4);
    tacrec_layout layout = layoutOf(TACREC_CONCURRENT, 2);
    tacrec_sensor sensor;
    uint32_t used = directory.head->used;
    directory.hooks.need = isThere;
    memoryEnd = (uint8_t *) memory + (uint64_t) used * TACREC_LINE + 3 * 256;
    bool fine = tacrec_add(&directory, &sensor, &layout) && sensor.rings == 2 && directory.head->entryCount == 2
        && directory.head->used == used + 2 * 256 / TACREC_LINE;
    here = 1;
    write1(&sensor, 0);
    const uint64_t number = 0;
    fine = fine && hasElements(memory, 1, 1, &number);
    uint32_t further = directory.head->further;
    fine = fine && tacrec_add(&directory, &sensor, &layout) && sensor.rings == 1 && directory.head->further == further
        && !tacrec_add(&directory, &sensor, &layout) && sensor.rings == 1;
    CHECK("rings that have memory", fine, "%u rings, %u entries, further %u", sensor.rings, directory.head->entryCount,
        directory.head->further);
}

/* ---- many at once ------------------------------------------------------------------------------------------------ */

typedef struct Work {
    tacrec_sensor *sensor;
    uint64_t first, count;
    unsigned seed, pause;
} Work;

static void *writeMany(void *data) {
    Work *work = data;
    for (uint64_t i = 0; i < work->count; i++) {
        write1(work->sensor, work->first + i);
        if (work->pause && rand_r(&work->seed) % work->pause == 0) sched_yield();
    }
    return NULL;
}

typedef struct Reading {
    const void *memory;
    bool *ended;
    uint64_t read, missed, torn, disorder;
    unsigned seed, pause;
} Reading;

static void *readMany(void *data) {
    Reading *r = data;
    tacrec_reader reader;
    Element element;
    uint64_t time, last = 0;
    if (!tacrec_readerBegin(&reader, r->memory, BYTES, 0)) return NULL;
    for (bool ended = false;;) {
        int got = tacrec_readerNext(&reader, &time, &element);
        if (got) {
            r->torn += !isWhole(&element);
            r->disorder += time < last;
            last = time;
        } else if (ended) {
            if (!tacrec_readerSkip(&reader)) break;
        } else ended = __atomic_load_n(r->ended, __ATOMIC_ACQUIRE);
        if (r->pause && rand_r(&r->seed) % r->pause == 0) sched_yield();
    }
    r->read = reader.read;
    r->missed = reader.missed;
    return NULL;
}

static void testThreads(void *memory, tacrec_kind kind, int writers, uint32_t capacity, uint64_t count) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_TSC);
    tacrec_layout layout = layoutOf(kind, capacity);
    tacrec_sensor sensor;
    pthread_t threads[8];
    Work work[4];
    Reading reading[3];
    bool ended = false, fine;
    char name[80];
    if (!tacrec_add(&directory, &sensor, &layout)) abort();
    for (int i = 0; i < 3; i++) {
        reading[i] = (Reading){
            .memory = memory, .ended = &ended, .seed = (unsigned) i + 1, .pause = i ? 10u * (unsigned) i : 0};
        pthread_create(&threads[i], NULL, readMany, &reading[i]);
    }
    for (int i = 0; i < writers; i++) {
        work[i] = (Work){&sensor, (uint64_t) i << 40, count, (unsigned) i, i ? 100 : 1000};
        pthread_create(&threads[3 + i], NULL, writeMany, &work[i]);
    }
    for (int i = 0; i < writers; i++) pthread_join(threads[3 + i], NULL);
    __atomic_store_n(&ended, true, __ATOMIC_RELEASE);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    uint64_t written = kind == TACREC_SIMPLE ? sensor.count : sensor.ring->counter.written;
    fine = written - sensor.ring->passed == (uint64_t) writers * count;
    for (int i = 0; i < 3; i++)
        fine = fine && reading[i].read + reading[i].missed == written && !reading[i].torn && !reading[i].disorder;
    snprintf(name, sizeof name, "threads, kind %d, %d writers, ring of %u", (int) kind, writers, capacity);
    CHECK(name, fine, "written %llu, of which none %llu, read %llu + %llu, torn %llu, disorder %llu",
        (unsigned long long) written, (unsigned long long) sensor.ring->passed, (unsigned long long) reading[0].read,
        (unsigned long long) reading[0].missed, (unsigned long long) reading[0].torn,
        (unsigned long long) reading[0].disorder);
}

/* ---- a ring for each thread -------------------------------------------------------------------------------------- */

enum { RINGS = 3, ROUNDS = 20 };

typedef struct Worker {
    tacrec_threads *threads;
    uint32_t number;
    uint64_t count, seen; /* elements to write; those that went into a ring */
} Worker;

/* Attaches several times, under a number of its own each time, which its elements hold, too. */
static void *workMany(void *data) {
    Worker *worker = (Worker *) data;
    static _Thread_local tacrec_sensor sensor;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        uint32_t number = worker->number * 100 + round;
        bool got = tacrec_attach(worker->threads, &sensor, number);
        for (uint64_t i = 0; i < worker->count / ROUNDS; i++) write1(&sensor, (uint64_t) number << 32 | i);
        if (got) worker->seen += worker->count / ROUNDS;
        tacrec_remove(&sensor);
        sched_yield();
    }
    return NULL;
}

typedef struct Watching {
    const void *memory;
    bool *ended;
    uint64_t all, torn, wrong, known;
} Watching;

/* Reads all rings in turn. */
static void *watchMany(void *data) {
    Watching *w = (Watching *) data;
    tacrec_reader readers[RINGS];
    Element element;
    uint64_t time;
    for (uint32_t k = 0; k < RINGS; k++)
        if (!tacrec_readerBegin(&readers[k], (const tacrec_head *) w->memory, BYTES, k)) return NULL;
    for (bool ended = false, more = true; more || !ended;) {
        ended = !more && __atomic_load_n(w->ended, __ATOMIC_ACQUIRE);
        more = false;
        for (uint32_t k = 0; k < RINGS; k++) {
            if (!tacrec_readerNext(&readers[k], &time, &element)) continue;
            uint32_t thread = tacrec_readerThread(&readers[k]);
            more = true;
            w->torn += !isWhole(&element);
            w->known += thread != 0;
            w->wrong += thread != 0 && thread != element.words[0] >> 32;
        }
    }
    for (uint32_t k = 0; k < RINGS; k++) w->all += readers[k].read + readers[k].missed;
    return NULL;
}

/* Four threads share three rings: an element has the number of its thread, and those of a thread without a ring are
 * unseen. */
static void testPerThread(void *memory, uint64_t count) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_TSC);
    tacrec_layout layout = layoutOf(TACREC_PER_THREAD, 100);
    tacrec_threads threads;
    pthread_t ids[5];
    Worker workers[4];
    bool ended = false;
    Watching w = {memory, &ended, 0, 0, 0, 0};
    uint64_t seen = 0;
    if (!tacrec_addThreads(&directory, &threads, &layout, RINGS)) abort();
    pthread_create(&ids[4], NULL, watchMany, &w);
    for (uint32_t k = 0; k < 4; k++) {
        workers[k] = (Worker){&threads, k + 1, count, 0};
        pthread_create(&ids[k], NULL, workMany, &workers[k]);
    }
    for (int k = 0; k < 4; k++) {
        pthread_join(ids[k], NULL);
        seen += workers[k].seen;
    }
    __atomic_store_n(&ended, true, __ATOMIC_RELEASE);
    pthread_join(ids[4], NULL);
    CHECK("a ring for each thread", w.all == seen && !w.torn && !w.wrong && w.known,
        "written %llu, read or missed %llu, torn %llu, of another thread %llu, of a known one %llu",
        (unsigned long long) seen, (unsigned long long) w.all, (unsigned long long) w.torn,
        (unsigned long long) w.wrong, (unsigned long long) w.known);
}

/* More threads than rings, one after the other: each ring that was given back is found, and its numbers go on. */
static void testGivenBack(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(TACREC_PER_THREAD, 8);
    tacrec_threads threads;
    tacrec_sensor a, b, c;
    tacrec_reader reader;
    Element element;
    uint64_t time;
    bool fine = tacrec_addThreads(&directory, &threads, &layout, 2) && tacrec_attach(&threads, &a, 11)
        && tacrec_attach(&threads, &b, 12) && !tacrec_attach(&threads, &c, 13);
    write1(&a, 1);
    write1(&c, 2); /* seen by nobody */
    tacrec_remove(&a);
    fine = fine && tacrec_attach(&threads, &c, 13);
    write1(&c, 3);
    fine = fine && tacrec_readerBegin(&reader, directory.head, BYTES, 0);
    fine = fine && tacrec_readerThread(&reader) == 0;
    fine = fine && tacrec_readerNext(&reader, &time, &element) && element.words[0] == 1
        && tacrec_readerThread(&reader) == 11;
    fine = fine && tacrec_readerNext(&reader, &time, &element) && element.words[0] == 3
        && tacrec_readerThread(&reader) == 13;
    tacrec_removeThreads(&threads);
    fine = fine && !tacrec_attach(&threads, &a, 14);
    CHECK("a ring that was given back", fine && reader.read == 2 && !reader.missed, "read %llu, missed %llu",
        (unsigned long long) reader.read, (unsigned long long) reader.missed);
}

typedef struct Attacher {
    tacrec_threads *threads;
    bool *ended;
} Attacher;

static void *attachUntilRemoved(void *data) {
    const Attacher *attacher = (const Attacher *) data;
    static _Thread_local tacrec_sensor sensor;
    while (tacrec_attach(attacher->threads, &sensor, 1) || !__atomic_load_n(attacher->ended, __ATOMIC_ACQUIRE))
        tacrec_remove(&sensor);
    return NULL;
}

/* Threads ask for rings while the sensor is taken away: they get none. */
static void testRemovedMeanwhile(void *memory, int times) {
    tacrec_layout layout = layoutOf(TACREC_PER_THREAD, 4);
    bool fine = true;
    for (int i = 0; i < times; i++) {
        tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
        tacrec_threads threads;
        bool ended = false;
        Attacher attacher = {&threads, &ended};
        pthread_t thread;
        fine = fine && tacrec_addThreads(&directory, &threads, &layout, 2);
        pthread_create(&thread, NULL, attachUntilRemoved, &attacher);
        while (!__atomic_load_n(&threads.turn, __ATOMIC_RELAXED)) sched_yield();
        tacrec_removeThreads(&threads);
        __atomic_store_n(&ended, true, __ATOMIC_RELEASE);
        pthread_join(thread, NULL);
    }
    CHECK("rings of a sensor that is removed", fine, "not added");
}

/* ---- killed ------------------------------------------------------------------------------------------------------ */

/* Kills a writing process at a random moment: what it published is read, whole and counted. */
static void testKills(void *memory, tacrec_kind kind, int times) {
    uint64_t torn = 0, wrong = 0, all = 0;
    char name[60];
    unsigned seed = 1;
    for (int i = 0; i < times; i++) {
        tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_TSC);
        tacrec_layout layout = layoutOf(kind, 16);
        tacrec_sensor sensor;
        if (!tacrec_add(&directory, &sensor, &layout)) abort();
        pid_t child = fork();
        if (child == 0)
            for (uint64_t k = 0;; k++) write1(&sensor, k);
        while (!__atomic_load_n(&sensor.ring->counter.words[0], __ATOMIC_ACQUIRE)) sched_yield();
        for (uint64_t until = now(NULL) + 1000 + (uint64_t) rand_r(&seed) % 200000; now(NULL) < until;) continue;
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        tacrec_reader reader;
        Element element;
        uint64_t time, last = 0, first = 1;
        if (!tacrec_readerBegin(&reader, memory, BYTES, 0)) abort();
        for (;;) {
            if (tacrec_readerNext(&reader, &time, &element)) {
                torn += !isWhole(&element);
                wrong += !first && element.words[0] != last + 1;
                last = element.words[0];
                first = 0;
            } else if (!tacrec_readerSkip(&reader)) break;
        }
        wrong += reader.read + reader.missed != tacrec_published(reader.ring, reader.twoWords);
        all += reader.read;
    }
    snprintf(name, sizeof name, "%d kills, kind %d", times, (int) kind);
    CHECK(name, !torn && !wrong && all, "torn %llu, wrong %llu, read %llu", (unsigned long long) torn,
        (unsigned long long) wrong, (unsigned long long) all);
}

/* ---- hostile directories ----------------------------------------------------------------------------------------- */

/* Changes random bytes of a directory while it is read: the reader stays within it, and ends. */
static void testHostile(void *memory) {
    unsigned seed = 5;
    uint64_t read = 0;
    uint8_t *bytes = memory;
    for (int i = 0; i < 3000; i++) {
        tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
        tacrec_sensor sensors[3];
        uint32_t headSize = directory.head->headSize;
        for (int k = 0; k < 3; k++) {
            tacrec_layout layout = layoutOf(k == 2 ? TACREC_CONCURRENT : TACREC_SIMPLE, 8);
            tacrec_add(&directory, &sensors[k], &layout);
            for (uint64_t n = 0; n < 20; n++) write1(&sensors[k], n);
        }
        for (int k = 0; k < 20; k++)
            bytes[rand_r(&seed) % (k % 2 ? 4 * sizeof(tacrec_entry) : sizeof(tacrec_head))
                + (k % 2 ? headSize : 0)] = (uint8_t) rand_r(&seed);
        for (uint32_t k = 0; k < 4; k++) {
            tacrec_reader reader;
            uint8_t data[TACREC_ELEMENT];
            uint64_t time;
            if (!tacrec_readerBegin(&reader, memory, BYTES, k)) continue;
            for (int n = 0; n < 100 && tacrec_readerNext(&reader, &time, data); n++) read++;
        }
    }
    CHECK("damaged directories", read > 0, "nothing was read");
}

/* Rings that end with the directory, and one element behind it. */
static void testFits(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(TACREC_SIMPLE, 8);
    tacrec_sensor sensor;
    tacrec_reader reader;
    bool fine = tacrec_add(&directory, &sensor, &layout);
    uint64_t room = BYTES - sensor.entry->ring - sizeof(tacrec_ring);
    sensor.entry->capacity = (uint32_t) (room / sensor.stride);
    fine = fine && tacrec_readerBegin(&reader, directory.head, BYTES, 0);
    sensor.entry->capacity++;
    fine = fine && !tacrec_readerBegin(&reader, directory.head, BYTES, 0);
    sensor.entry->capacity = 8;
    fine = fine && tacrec_readerBegin(&reader, directory.head, BYTES, 0);
    for (uint32_t bad = 0; bad < 6; bad++) {
        tacrec_entry is = *sensor.entry;
        if (bad == 0) sensor.entry->ring += 8; /* not on a line */
        if (bad == 1) sensor.entry->ring = BYTES;
        if (bad == 2) sensor.entry->stride = 8;
        if (bad == 3) sensor.entry->size = TACREC_ELEMENT + 1;
        if (bad == 4) sensor.entry->fields[1].offset = 9; /* 9 + 24 > 32 */
        if (bad == 5) sensor.entry->fieldCount = TACREC_FIELDS + 1;
        fine = fine && !tacrec_readerBegin(&reader, directory.head, BYTES, 0);
        *sensor.entry = is;
    }
    CHECK("a ring that does not fit", fine, "stride %u", sensor.stride);
}

/* However many sensors it says to have, whoever asks for each of them comes to an end. */
static void testCountless(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    directory.head->entries = directory.head->entryCount = UINT32_MAX;
    uint32_t count = tacrec_sensors(directory.head);
    CHECK("countless sensors", count > 10000000 && count < 20000000, "%u", count);
}

/* Scribbles over the whole directory while it is read. */
static void *scribble(void *data) {
    Work *work = (Work *) data;
    uint64_t *words = (uint64_t *) (void *) work->sensor;
    for (uint64_t i = 0; i < work->count; i++) {
        uint32_t kind = (uint32_t) rand_r(&work->seed) % 4, at = (uint32_t) rand_r(&work->seed);
        uint64_t value = (uint64_t) rand_r(&work->seed) << 33 ^ (uint64_t) rand_r(&work->seed);
        at %= kind ? (uint32_t) (sizeof(tacrec_head) + 3 * sizeof(tacrec_entry)) / 8 : BYTES / 8;
        if (at < 3) continue; /* the magic word, version and size are looked at once */
        __atomic_store_n(&words[at], kind == 1 ? value % 1000 : value, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void testScribbled(void *memory, uint64_t count) {
    uint64_t begun = 0, read = 0;
    unsigned seed = 3;
    for (int i = 0; i < 20; i++) {
        tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
        tacrec_layout layouts[3] = {
            layoutOf(TACREC_SIMPLE, 8), layoutOf(TACREC_CONCURRENT, 8), layoutOf(TACREC_PER_THREAD, 8)};
        tacrec_sensor sensors[3];
        tacrec_threads threads;
        pthread_t thread;
        Work work = {(tacrec_sensor *) memory, 0, count / 20, (unsigned) i, 0};
        tacrec_add(&directory, &sensors[0], &layouts[0]);
        tacrec_add(&directory, &sensors[1], &layouts[1]);
        tacrec_addThreads(&directory, &threads, &layouts[2], 1);
        pthread_create(&thread, NULL, scribble, &work);
        for (int n = 0; n < 2000; n++) {
            tacrec_reader reader;
            tacrec_entry entry;
            tacrec_pair pair;
            uint8_t data[TACREC_ELEMENT];
            uint64_t time;
            uint32_t k = (uint32_t) n % 3;
            if (tacrec_describe((const tacrec_head *) memory, BYTES, k, &entry)) begun += strlen(entry.name) != 0;
            tacrec_readPair((const tacrec_head *) memory, (uint32_t) rand_r(&seed) % 80, &pair);
            if (!tacrec_readerBegin(&reader, (const tacrec_head *) memory, BYTES, k)) continue;
            for (int e = 0; e < 20 && tacrec_readerNext(&reader, &time, data); e++)
                read += tacrec_readerThread(&reader) != 1;
            tacrec_readerSkip(&reader);
        }
        pthread_join(thread, NULL);
    }
    CHECK("a directory that is scribbled over", begun > 0, "%llu begun, %llu read", (unsigned long long) begun,
        (unsigned long long) read);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Writes into a directory of its own until it is killed; its path goes into `path`. */
static void writeUntilKilled(const char *folder, char *path) {
    static tacrec_directory directory;
    static tacrec_sensor sensor;
    tacrec_layout layout = layoutOf(TACREC_SIMPLE, 1000);
    if (tacrec_open(&directory, folder, "killed", BYTES, 0) || !tacrec_add(&directory, &sensor, &layout)) _exit(1);
    memcpy(path + 1, directory.path + 1, TACREC_PATH - 1);
    for (uint64_t k = 0; k < 5000; k++) write1(&sensor, k);
    __atomic_store_n(path, directory.path[0], __ATOMIC_RELEASE);
    for (uint64_t k = 5000;; k++) write1(&sensor, k);
}

/* What a killed program has written is read afterwards: from its file, or memory that a monitor has mapped before. */
static void testOutlives(void *memory, const char *folder) {
    char *path = (char *) memory;
    memset(path, 0, TACREC_PATH);
    pid_t child = fork();
    if (child == 0) writeUntilKilled(folder, path);
    while (!__atomic_load_n(path, __ATOMIC_ACQUIRE) && !waitpid(child, NULL, WNOHANG)) sched_yield();
    tacrec_monitor monitor;
    int problem = folder ? 0 : tacrec_monitorOpen(&monitor, path, 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    if (folder) problem = tacrec_monitorOpen(&monitor, path, 0);
    tacrec_reader reader;
    tacrec_entry entry;
    Element element;
    uint64_t time, torn = 0, last = 0;
    bool fine = !problem && tacrec_describe(monitor.head, monitor.size, 0, &entry) && !strcmp(entry.name, "sensor")
        && entry.fieldCount == 2 && !strcmp(entry.fields[1].name, "label")
        && tacrec_readerBegin(&reader, monitor.head, monitor.size, 0);
    if (fine)
        while (tacrec_readerNext(&reader, &time, &element)) {
            torn += !isWhole(&element);
            last = element.words[0];
        }
    fine = fine && reader.read == 999 && reader.read + reader.missed == last + 1 && last >= 4999 && !torn;
    CHECK(folder ? "a file outlives its program" : "memory outlives its program", fine, "%s: %s", path,
        strerror(problem));
    tacrec_monitorClose(&monitor);
    if (folder) unlink(path);
}

/* The number of elements that a monitor reads of the first sensor. */
static uint64_t readAll(const tacrec_monitor *monitor) {
    tacrec_reader reader;
    Element element;
    uint64_t time;
    if (!tacrec_readerBegin(&reader, monitor->head, monitor->size, 0)) return 0;
    while (tacrec_readerNext(&reader, &time, &element)) continue;
    return reader.read;
}

/* A child process writes its parent's sensors, ends them and closes the directory: nothing of that is seen. */
static void testForked(const char *folder) {
    tacrec_directory directory, other;
    tacrec_layout layout = layoutOf(TACREC_PER_THREAD, 10);
    tacrec_threads threads;
    tacrec_monitor monitor;
    static tacrec_sensor sensor;
    int status = 0;
    bool fine = !tacrec_open(&directory, folder, "forks", BYTES, 0)
        && tacrec_addThreads(&directory, &threads, &layout, 1) && tacrec_attachHere(&threads, &sensor)
        && !tacrec_monitorOpen(&monitor, directory.path, 0);
    write1(&sensor, 0);
    pid_t child = fork();
    if (child == 0) {
        for (uint64_t i = 0; i < 5; i++) write1(&sensor, 100 + i);
        tacrec_remove(&sensor);
        bool again = tacrec_attachHere(&threads, &sensor);
        write1(&sensor, 200);
        tacrec_removeThreads(&threads);
        tacrec_close(&directory, false);
        _exit(!again || tacrec_open(&other, folder, "forked", BYTES, 0) || (tacrec_close(&other, false), false));
    }
    waitpid(child, &status, 0);
    tacrec_entry entry;
    fine = fine && status == 0 && readAll(&monitor) == 1 && tacrec_describe(monitor.head, monitor.size, 0, &entry)
        && entry.state == TACREC_READY && entry.taken == 1;
    write1(&sensor, 1);
    fine = fine && readAll(&monitor) == 2 && !access(directory.path, F_OK);
    CHECK("a child process", fine, "status %d, %llu read", status, (unsigned long long) readAll(&monitor));
    tacrec_monitorClose(&monitor);
    tacrec_close(&directory, false);
}

typedef struct Lasting {
    tacrec_threads *threads;
    int stage; /* 1: has a ring; 2: the directory was closed */
} Lasting;

static void *endLater(void *data) {
    Lasting *lasting = (Lasting *) data;
    static _Thread_local tacrec_sensor sensor;
    bool got = tacrec_attachHere(lasting->threads, &sensor);
    __atomic_store_n(&lasting->stage, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&lasting->stage, __ATOMIC_ACQUIRE) != 2) sched_yield();
    write1(&sensor, 1);
    return got ? data : NULL;
}

/* Does this process map a file, the name of which has this in it? */
static bool isMapped(const char *name) {
    char line[1000];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) found = found || strstr(line, name);
    if (maps) fclose(maps);
    return found;
}

/* A thread ends behind its directory: the memory stays until then, and goes then. So does what the closing thread had.
 */
static void testEndsLater(void) {
    tacrec_directory directory;
    tacrec_layout layout = layoutOf(TACREC_PER_THREAD, 10);
    tacrec_threads threads;
    static tacrec_sensor sensor;
    Lasting lasting = {&threads, 0};
    pthread_t thread;
    void *got = NULL;
    bool fine = !tacrec_open(&directory, NULL, "later", BYTES, 0) && tacrec_addThreads(&directory, &threads, &layout, 2)
        && tacrec_attachHere(&threads, &sensor);
    pthread_create(&thread, NULL, endLater, &lasting);
    while (__atomic_load_n(&lasting.stage, __ATOMIC_ACQUIRE) != 1) sched_yield();
    tacrec_close(&directory, false);
    fine = fine && isMapped("/memfd:later");
    __atomic_store_n(&lasting.stage, 2, __ATOMIC_RELEASE);
    pthread_join(thread, &got);
    write1(&sensor, 1);
    CHECK("a thread that ends later", fine && got && !isMapped("/memfd:later"), "still mapped: %d",
        isMapped("/memfd:later"));
}

static int modeOf(const char *path) {
    struct stat status;
    return stat(path, &status) ? -1 : (int) (status.st_mode & 07777);
}

/* A name is cut at a whole character: of 30 with two bytes each, 23 have room in 47 bytes. */
static void testNames(const char *folder) {
    tacrec_directory directory;
    char program[61] = "", wanted[61] = "";
    for (int i = 0; i < 30; i++) strcat(program, "\xc3\xa4");
    memcpy(wanted, program, 46);
    strcat(wanted, "-");
    bool fine = !tacrec_open(&directory, folder, program, BYTES, 0);
    const char *name = strrchr(directory.path, '/');
    fine = fine && name && !strncmp(name + 1, wanted, strlen(wanted)) && !strncmp(directory.head->program, wanted, 46)
        && !directory.head->program[46];
    CHECK("a name that is cut", fine, "%s", directory.path);
    tacrec_close(&directory, false);
}

static void testFiles(const char *folder) {
    tacrec_directory a, b, none;
    mode_t mask = umask(0);
    bool fine = !tacrec_open(&a, folder, "two/of them", BYTES, 0);
    umask(0777);
    fine = fine && !tacrec_open(&b, folder, "two/of them", BYTES, TACREC_GROUP);
    umask(mask);
    CHECK("modes of files", fine && modeOf(a.path) == 0600 && modeOf(b.path) == 0640 && strcmp(a.path, b.path), "%o %o",
        (unsigned) modeOf(a.path), (unsigned) modeOf(b.path));
    char kept[TACREC_PATH];
    memcpy(kept, a.path, sizeof kept);
    tacrec_close(&a, true);
    char gone[TACREC_PATH];
    memcpy(gone, b.path, sizeof gone);
    tacrec_close(&b, false);
    CHECK("files that are kept, and not", modeOf(kept) == 0600 && modeOf(gone) == -1, "%s %s", kept, gone);
    unlink(kept);
    tacrec_layout layout = layoutOf(TACREC_SIMPLE, 10);
    tacrec_sensor sensor;
    int missing = tacrec_open(&none, "/nowhere/at/all", "x", BYTES, 0), small = tacrec_open(&a, NULL, "x", 100, 0);
    fine = missing == ENOENT && small == EINVAL && !tacrec_add(&none, &sensor, &layout);
    write1(&sensor, 1);
    tacrec_close(&none, false);
    CHECK("a folder that is not there", fine, "%s, %s", strerror(missing), strerror(small));
}

/* What is no directory is not taken for one; nor what another user could cut while it is read. */
static void testNoDirectory(const char *folder) {
    char path[TACREC_PATH], bytes[sizeof(tacrec_head) + 100] = "TACTREC";
    tacrec_monitor monitor;
    snprintf(path, sizeof path, "%s/file", folder);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    int empty = tacrec_monitorOpen(&monitor, path, 0);
    bool fine = write(file, bytes, sizeof bytes) == (ssize_t) sizeof bytes;
    int zeros = tacrec_monitorOpen(&monitor, path, 0);
    unlink(path);
    fine = fine && !mkfifo(path, 0600);
    int fifo = tacrec_monitorOpen(&monitor, path, 0);
    unlink(path);
    int none = tacrec_monitorOpen(&monitor, path, 0), device = tacrec_monitorOpen(&monitor, "/dev/zero", 0);
    close(file);
    CHECK("no directory",
        fine && empty == EINVAL && zeros == EINVAL && fifo == EINVAL && device == EINVAL && none == ENOENT,
        "%d %d %d %d %d", empty, zeros, fifo, device, none);
    tacrec_directory directory;
    fine = !tacrec_open(&directory, folder, "other", BYTES, 0) && !chmod(directory.path, 0620);
    int writable = tacrec_monitorOpen(&monitor, directory.path, 0);
    int trusted = tacrec_monitorOpen(&monitor, directory.path, TACREC_TRUSTED);
    tacrec_monitorClose(&monitor);
    CHECK("a file that others can cut", fine && writable == EPERM && trusted == 0, "%d %d", writable, trusted);
    if (chown(directory.path, 12345, (gid_t) -1) || chmod(directory.path, 0600))
        printf("skipped a file of another user: %s\n", strerror(errno));
    else {
        int strange = tacrec_monitorOpen(&monitor, directory.path, 0);
        CHECK("a file of another user", strange == EPERM, "%s", strerror(strange));
    }
    tacrec_close(&directory, false);
    fine = !tacrec_open(&directory, NULL, "sealed", BYTES, 0);
    int cut = ftruncate(directory.file, 4096) ? errno : 0, sealed = tacrec_monitorOpen(&monitor, directory.path, 0);
    CHECK("memory cannot be cut", fine && cut == EPERM && !sealed, "%d %d", cut, sealed);
    pid_t child = fork(); /* and a monitor cannot write */
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        *(volatile uint32_t *) (uintptr_t) &monitor.head->pid = 1;
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    int allowed = mprotect((void *) (uintptr_t) monitor.head, 4096, PROT_READ | PROT_WRITE) ? errno : 0;
    CHECK("a monitor cannot write", WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV && allowed == EACCES, "%x, %d",
        (unsigned) status, allowed);
    tacrec_monitorClose(&monitor);
    tacrec_close(&directory, false);
}

/* Pairs are kept in a ring of their own; times of elements are mapped to the other clock. */
static void testClocks(void) {
    tacrec_directory directory;
    tacrec_monitor monitor;
    tacrec_sensor sensor;
    tacrec_reader reader;
    tacrec_pair pair, last = {0, 0};
    Element element;
    uint64_t time = 0;
    tacrec_layout layout = layoutOf(TACREC_SIMPLE, 10);
    bool fine = !tacrec_open(&directory, NULL, "clocks", BYTES, 0) && tacrec_add(&directory, &sensor, &layout)
        && !tacrec_monitorOpen(&monitor, directory.path, 0)
        && tacrec_readerBegin(&reader, monitor.head, monitor.size, 0);
    uint64_t before = now(NULL);
    write1(&sensor, 1);
    uint64_t after = now(NULL);
    fine = fine && tacrec_readerNext(&reader, &time, &element) == 1;
    while (now(NULL) < after + 1000000) continue;
    uint64_t mapped = tacrec_monitorTime(&monitor, time);
    CHECK("times in nanoseconds", fine && mapped + 50000 > before && mapped < after + 50000,
        "%llu, between %llu and %llu", (unsigned long long) mapped, (unsigned long long) before,
        (unsigned long long) after);
    for (int i = 1; i < 100; i++) tacrec_pairNow(&directory);
    fine = !tacrec_readPair(monitor.head, 36, &pair) && !tacrec_readPair(monitor.head, 100, &pair);
    for (uint32_t n = 37; n < 100; n++) {
        fine = fine && tacrec_readPair(monitor.head, n, &pair) && pair.nanoseconds > last.nanoseconds
            && pair.counter >= last.counter;
        last = pair;
    }
    CHECK("pairs of clocks", fine, "at %llu", (unsigned long long) pair.nanoseconds);
    tacrec_monitorClose(&monitor);
    tacrec_close(&directory, false);
}

static void *attachOnce(void *data) {
    static _Thread_local tacrec_sensor sensor;
    bool got = tacrec_attachHere((tacrec_threads *) data, &sensor);
    write1(&sensor, 1);
    got = got && tacrec_attachHere((tacrec_threads *) data, &sensor); /* which gives the first ring back */
    write1(&sensor, 2);
    return got ? data : NULL;
}

/* Ten threads, one after the other, with two rings: each gives its own back when it ends. */
static void testAttachHere(void *memory) {
    tacrec_directory directory = newDirectory(memory, TACREC_CLOCK_HOOK);
    tacrec_layout layout = layoutOf(TACREC_PER_THREAD, 100);
    tacrec_threads threads;
    tacrec_reader reader;
    Element element;
    uint64_t time, read = 0;
    bool fine = tacrec_addThreads(&directory, &threads, &layout, 2);
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        void *got = NULL;
        pthread_create(&thread, NULL, attachOnce, &threads);
        pthread_join(thread, &got);
        fine = fine && got;
    }
    for (uint32_t k = 0; k < 2; k++) {
        if (!tacrec_readerBegin(&reader, directory.head, BYTES, k)) abort();
        while (tacrec_readerNext(&reader, &time, &element)) continue;
        read += reader.read;
    }
    CHECK("threads that end", fine && read == 20, "read %llu", (unsigned long long) read);
}

/* Bytes of memory that a directory's file has. */
static uint64_t taken(const tacrec_directory *directory) {
    struct stat status;
    return fstat(directory->file, &status) ? UINT64_MAX : 512 * (uint64_t) status.st_blocks;
}

static bool never(void *data, void *at, uint64_t bytes) { return (void) data, (void) at, (void) bytes, false; }

/* A directory takes memory for what is written: a ring of a thread when there is one. Without memory a sensor writes
 * into itself. */
static void testNeed(void) {
    enum { SIZE = 32 << 20, RINGSIZE = 25000 * 40 };
    tacrec_layout layout = {.name = "n", .kind = TACREC_PER_THREAD, .size = 24, .capacity = 25000};
    tacrec_directory directory;
    tacrec_threads threads;
    static tacrec_sensor sensors[3]; /* the thread has them until it ends */
    if (tacrec_open(&directory, NULL, "need", SIZE, 0)) abort();
    bool added = tacrec_addThreads(&directory, &threads, &layout, 20);
    uint64_t none = taken(&directory);
    bool attached = tacrec_attachHere(&threads, &sensors[0]);
    uint64_t one = taken(&directory);
    attached &= tacrec_attachHere(&threads, &sensors[1]);
    uint64_t two = taken(&directory);
    CHECK("memory of a thread's ring",
        added && attached && none < 1 << 19 && one - none > RINGSIZE - 8192 && one - none < 2 * RINGSIZE
            && two - one > RINGSIZE - 8192 && two - one < 2 * RINGSIZE,
        "%d, %llu, %llu, %llu bytes", added && attached, (unsigned long long) none, (unsigned long long) one,
        (unsigned long long) two);
    directory.hooks.need = threads.hooks.need = never;
    layout.kind = TACREC_SIMPLE;
    bool wrong = tacrec_add(&directory, &sensors[2], &layout);
    tacrec_commit(&sensors[2], tacrec_write(&sensors[2]));
    tacrec_sensor unlucky;
    wrong = wrong || tacrec_attach(&threads, &unlucky, 77);
    tacrec_commit(&unlucky, tacrec_write(&unlucky));
    threads.hooks.need = NULL;
    bool later = true;
    for (int i = 2; i < 20; i++) later = later && tacrec_attach(&threads, &sensors[2], 78); /* none was used up */
    CHECK("without memory", !wrong && later, "%d, %d", wrong, later);
    tacrec_close(&directory, false);
}

int main(int argc, char **argv) {
    void *memory = shared(BYTES);
    int kills = argc > 1 ? atoi(argv[1]) : 100;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100000;
    const char *folder = argc > 3 ? argv[3] : "/tmp";
    setvbuf(stdout, NULL, _IONBF, 0); /* children write nothing again */
    testInOrder(memory);
    testFallback(memory);
    testExhausted(memory);
    testBetween();
    testOverwritten(memory);
    testHalves(memory);
    testHeld(memory);
    testAllHeld(memory);
    testLate(memory);
    testLasting(memory);
    testParts(memory);
    testPartsHeld(memory);
    testPartsCounted(memory);
    testPartsShare(memory);
    testPartsMemory(memory);
    testWrap(memory, (1ull << 31) - 10, TACREC_SIMPLE);
    testWrap(memory, (1ull << 32) - 10, TACREC_SIMPLE);
    if (!TACREC_TWO_WORDS) testWrap(memory, (1ull << 63) - 10, TACREC_SIMPLE);
    testWrap(memory, (1ull << 32) - 10, TACREC_CONCURRENT);
    testWrap(memory, (1ull << 63) - 10, TACREC_CONCURRENT);
    testThreads(memory, TACREC_SIMPLE, 1, 2, count);
    testThreads(memory, TACREC_SIMPLE, 1, 64, count);
    testThreads(memory, TACREC_CONCURRENT, 1, 64, count);
    testThreads(memory, TACREC_CONCURRENT, 2, 8, count);
    testThreads(memory, TACREC_CONCURRENT, 4, 1024, count);
    testPerThread(memory, count);
    testGivenBack(memory);
    testRemovedMeanwhile(memory, 100);
    testAttachHere(memory);
    testHostile(memory);
    testFits(memory);
    testCountless(memory);
    testScribbled(memory, 10 * count);
    testNames(folder);
    testFiles(folder);
    testNoDirectory(folder);
    testOutlives(memory, folder);
    testOutlives(memory, NULL);
    testNeed();
    testForked(folder);
    testEndsLater();
    testClocks();
    testKills(memory, TACREC_SIMPLE, kills);
    testKills(memory, TACREC_CONCURRENT, kills);
    return failures != 0;
}
