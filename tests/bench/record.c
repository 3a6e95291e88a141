/*
 * record.c -- cycles of an event of each kind of sensor, by the processor's counter.
 *
 *      record ?EVENTS?
 *
 * A line for each: kind, bytes of an element, elements of the ring, median and 99.9 % of an event's cycles, in batches
 * of 16 events so that the looks at the counter do not count. "two writers" is what a writer sees while another one
 * writes the same sensor. Cold: the caches hold something else before each event. Trace: the ready-made sensors of
 * tactusrec_trace.h. Without such a counter it says so.
 */
#define _GNU_SOURCE
#include "record/tactusrec_trace.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 16, COLD = 2000, CACHE = 4 << 20 };

static uint32_t *cycles;
static uint8_t other[CACHE];

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
    return (x > y) - (x < y);
}

static void tell(const char *kind, uint32_t size, uint32_t capacity, uint32_t count, double events) {
    qsort(cycles, count, sizeof *cycles, compare);
    printf("%-22s %3u bytes, ring of %5u: median %6.1f, 99.9 %% %7.1f cycles\n", kind, size, capacity,
        cycles[count / 2] / events, cycles[(uint64_t) count * 999 / 1000] / events);
}

static inline void writeOne(tacrec_sensor *sensor, uint32_t words, uint64_t value) {
    uint64_t *place = (uint64_t *) tacrec_write(sensor);
    for (uint32_t i = 0; i < words; i++) place[i] = value;
    tacrec_commit(sensor, place);
}

/* Writes events whose size the compiler knows, as a program's own are. */
static inline void measure(tacrec_sensor *sensor, uint32_t words, uint32_t batches) {
    for (uint32_t i = 0; i < batches; i++) {
        uint64_t before = tacrec_counter(true);
        for (uint32_t k = 0; k < BATCH; k++) writeOne(sensor, words, k);
        cycles[i] = (uint32_t) (tacrec_counter(true) - before);
    }
}

static void measureSize(tacrec_sensor *sensor, uint32_t size, uint32_t batches) {
    if (size == 0) measure(sensor, 0, batches);
    else if (size == 8) measure(sensor, 1, batches);
    else if (size == 64) measure(sensor, 8, batches);
    else
        for (uint32_t i = 0; i < batches; i++) {
            uint64_t before = tacrec_counter(true);
            for (uint32_t k = 0; k < BATCH; k++) {
                uint32_t *place = (uint32_t *) tacrec_write(sensor);
                *place = k;
                tacrec_commit(sensor, place);
            }
            cycles[i] = (uint32_t) (tacrec_counter(true) - before);
        }
}

static void measureCold(tacrec_sensor *sensor) {
    for (uint32_t i = 0; i < COLD; i++) {
        for (size_t k = 0; k < CACHE; k += TACREC_LINE) ((volatile uint8_t *) other)[k]++;
        uint64_t before = tacrec_counter(true);
        writeOne(sensor, 1, i);
        cycles[i] = (uint32_t) (tacrec_counter(true) - before);
    }
}

/* Keeps the calling thread on a processor, so that two writers are not in turn on the same one. */
static void stayOn(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    sched_setaffinity(0, sizeof set, &set);
}

typedef struct Rival {
    tacrec_sensor *sensor;
    bool ended;
} Rival;

static void *write2(void *data) {
    Rival *rival = (Rival *) data;
    stayOn(1);
    while (!__atomic_load_n(&rival->ended, __ATOMIC_RELAXED)) writeOne(rival->sensor, 1, 1);
    return NULL;
}

static void bench(tacrec_kind kind, const char *name, uint32_t size, uint32_t capacity, uint32_t batches) {
    static const char *const names[] = {"", "simple", "concurrent", "per thread"};
    tacrec_directory directory;
    tacrec_layout layout;
    tacrec_threads threads;
    tacrec_sensor sensor;
    Rival rival = {&sensor, false};
    pthread_t thread;
    memset(&layout, 0, sizeof layout);
    layout.name = "bench";
    layout.kind = kind;
    layout.size = size;
    layout.capacity = capacity;
    if (tacrec_open(&directory, NULL, "bench", 8 << 20, 0)) exit(1);
    bool fine = kind == TACREC_PER_THREAD
        ? tacrec_addThreads(&directory, &threads, &layout, 2) && tacrec_attach(&threads, &sensor, 1)
        : tacrec_add(&directory, &sensor, &layout);
    if (!fine || directory.head->clock != TACREC_CLOCK_TSC) {
        printf("no invariant counter of cycles here: nothing is measured\n");
        exit(0);
    }
    if (name && !strcmp(name, "two writers")) pthread_create(&thread, NULL, write2, &rival);
    if (name && !strcmp(name, "cold")) {
        measureCold(&sensor);
        batches = COLD;
    } else {
        measureSize(&sensor, size, batches); /* warm */
        measureSize(&sensor, size, batches);
    }
    if (name && !strcmp(name, "two writers")) {
        __atomic_store_n(&rival.ended, true, __ATOMIC_RELAXED);
        pthread_join(thread, NULL);
    }
    char label[40];
    snprintf(label, sizeof label, "%s%s%s", names[kind], name ? ", " : "", name ? name : "");
    tell(label, size, capacity, batches, name && !strcmp(name, "cold") ? 1 : BATCH);
    tacrec_close(&directory, false);
}

/* Measures a call in batches, twice: warm. */
#define MEASURE(call)                                                     \
    for (uint32_t i = 0; i < 2 * batches; i++) {                          \
        uint64_t before = tacrec_counter(true);                           \
        for (uint32_t k = 0; k < BATCH; k++) call;                        \
        cycles[i % batches] = (uint32_t) (tacrec_counter(true) - before); \
    }

static void benchTrace(uint32_t batches) {
    tacrec_directory directory;
    if (tacrec_open(&directory, NULL, "bench", TACREC_TRACE_BYTES, 0) || !tacrec_traceOpen(&directory, NULL)) exit(1);
    uint32_t task = tacrec_newTask("task", NULL), mutex = tacrec_newMutex("mutex", NULL);
    uint32_t capacity = TACREC_HERE->events.capacity, texts = TACREC_HERE->texts.capacity;
    MEASURE(tacrec_jobStarted(tacrec_jobOf(task, k)))
    tell("trace, a job", sizeof(tacrec_event), capacity, batches, BATCH);
    MEASURE(tacrec_jobAcquiredMutex(tacrec_jobOf(task, k), mutex))
    tell("trace, a mutex", sizeof(tacrec_event), capacity, batches, BATCH);
    MEASURE(tacrec_mark(mutex))
    tell("trace, a mark", sizeof(tacrec_event), capacity, batches, BATCH);
    MEASURE(tacrec_message("a text of 21 letters."))
    tell("trace, a text", sizeof(tacrec_text), texts, batches, BATCH);
    tacrec_traceClose();
    tacrec_close(&directory, false);
}

int main(int argc, char **argv) {
    stayOn(0);
    static const uint32_t sizes[] = {0, 4, 8, 64}, rings[] = {20, 20000};
    uint32_t batches = (argc > 1 ? (uint32_t) strtoul(argv[1], NULL, 10) : 1600000u) / BATCH;
    if (batches < COLD) batches = COLD;
    cycles = calloc(batches, sizeof *cycles);
    if (!cycles) return 1;
    for (int kind = TACREC_SIMPLE; kind <= TACREC_PER_THREAD; kind++)
        for (int r = 0; r < 2; r++)
            for (int s = 0; s < 4; s++) bench((tacrec_kind) kind, NULL, sizes[s], rings[r], batches);
    for (int r = 0; r < 2; r++) bench(TACREC_CONCURRENT, "two writers", 8, rings[r], batches);
    for (int kind = TACREC_SIMPLE; kind <= TACREC_PER_THREAD; kind++)
        bench((tacrec_kind) kind, "cold", 8, 20000, batches);
    benchTrace(batches);
    free(cycles);
    return 0;
}
