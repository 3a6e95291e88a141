/*
 * record.c -- cycles of an event of each kind of sensor, by the processor's counter, as tables.
 *
 *      record ?EVENTS?
 *
 *      1. one writer: rings of 20 and 20000 elements of 0, 4, 8 and 64 bytes, warm and cold
 *      2. two threads: a concurrent sensor, at once and in turns, with a ring for each processor and with one for both;
 *         ping-pong, an element there and one back; a monitor that reads all the time
 *      3. the ready-made sensors, and LTTng-UST if this was built with it and a session runs (recordLttng.sh)
 *      4. a program with a million events a second, of which each cell says by how much it became slower: nobody reads,
 *         a collector reads
 *
 * A cell is the median and 99.9 %. Warm: batches of 16 events. Cold: the caches hold something else before each event.
 * What two looks at the counter take with nothing between them is taken off. Without such a counter it says so.
 */
#define _GNU_SOURCE
#include "record/collect.h"
#include "record/tactusrec_trace.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef BENCH_LTTNG
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "recordLttng.h"
#endif

enum { BATCH = 16, COLD = 1000, CACHE = 4 << 20, DIRECTORY = 32 << 20 };

static uint32_t *cycles;
static uint32_t batches;
static uint8_t other[CACHE];
static double looks; /* cycles of two looks at the counter with nothing in between */

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
    return (x > y) - (x < y);
}

/* Of so many measurements of so many events each, `less` cycles in each. */
static void cell(uint32_t count, double events, double less) {
    qsort(cycles, count, sizeof *cycles, compare);
    double median = (cycles[count / 2] - less) / events, most = (cycles[(uint64_t) count * 999 / 1000] - less) / events;
    printf(" %7.1f %7.0f", median > 0 ? median : 0, most > 0 ? most : 0);
    fflush(stdout);
}

static void row(const char *name) { printf("\n%-36s", name); }

/* What stands over cells. */
static void head(const char *name, const char *const *columns) {
    row(name);
    for (; *columns; columns++) printf(" %15s", *columns);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Inlined with a size that the compiler knows, as a program's own events are. */
static inline __attribute__((always_inline)) void writeOne(tacrec_sensor *sensor, uint32_t size, uint64_t value) {
    void *place = tacrec_write(sensor);
    if (size == 4) *(uint32_t *) place = (uint32_t) value;
    for (uint32_t i = 0; i < size / 8; i++) ((uint64_t *) place)[i] = value;
    tacrec_commit(sensor, place);
}

/* Measures a statement in batches, twice: warm. */
#define WARM(statement)                                                   \
    for (uint32_t i = 0; i < 2 * batches; i++) {                          \
        uint64_t before = tacrec_counter(true);                           \
        for (uint32_t k = 0; k < BATCH; k++) statement;                   \
        cycles[i % batches] = (uint32_t) (tacrec_counter(true) - before); \
    }

#define EACH_COLD(statement)                                                               \
    for (uint32_t i = 0; i < COLD; i++) {                                                  \
        for (size_t k = 0; k < CACHE; k += TACREC_LINE) ((volatile uint8_t *) other)[k]++; \
        uint64_t before = tacrec_counter(true);                                            \
        statement;                                                                         \
        cycles[i] = (uint32_t) (tacrec_counter(true) - before);                            \
    }

static void measure(tacrec_sensor *sensor, uint32_t size, bool cold) {
    switch (cold ? size + 1000 : size) {
    case 0: WARM(writeOne(sensor, 0, k)) break;
    case 4: WARM(writeOne(sensor, 4, k)) break;
    case 8: WARM(writeOne(sensor, 8, k)) break;
    case 64: WARM(writeOne(sensor, 64, k)) break;
    case 1000: EACH_COLD(writeOne(sensor, 0, i)) break;
    case 1004: EACH_COLD(writeOne(sensor, 4, i)) break;
    case 1008: EACH_COLD(writeOne(sensor, 8, i)) break;
    default: EACH_COLD(writeOne(sensor, 64, i)) break;
    }
    if (cold) cell(COLD, 1, looks);
    else cell(batches, BATCH, looks);
}

/* Keeps the calling thread on a processor, so that two threads are not in turn on the same one. */
static void stayOn(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    sched_setaffinity(0, sizeof set, &set);
}

typedef struct Bench { /* a directory with one sensor */
    tacrec_directory directory;
    tacrec_threads threads;
    tacrec_sensor sensor;
} Bench;

static tacrec_layout layoutOf(tacrec_kind kind, uint32_t size, uint32_t capacity) {
    tacrec_layout layout = {.name = "bench", .kind = kind, .size = size, .capacity = capacity};
    return layout;
}

static void beginLayout(Bench *bench, const tacrec_layout *is) {
    tacrec_layout layout = *is;
    tacrec_kind kind = layout.kind;
    if (tacrec_open(&bench->directory, NULL, "bench", DIRECTORY, 0)) exit(1);
    bool fine = kind == TACREC_PER_THREAD ? tacrec_addThreads(&bench->directory, &bench->threads, &layout, 2)
            && tacrec_attach(&bench->threads, &bench->sensor, 1)
                                          : tacrec_add(&bench->directory, &bench->sensor, &layout);
    if (fine && bench->directory.head->clock == TACREC_CLOCK_TSC) return;
    printf("no invariant counter of cycles here: nothing is measured\n");
    exit(0);
}

static void begin(Bench *bench, tacrec_kind kind, uint32_t size, uint32_t capacity) {
    tacrec_layout layout = layoutOf(kind, size, capacity);
    beginLayout(bench, &layout);
}

static void end(Bench *bench) { tacrec_close(&bench->directory, false); }

/* ---- 1. one writer ----------------------------------------------------------------------------------------------- */

static const uint32_t sizes[] = {0, 4, 8, 64};
static const char *const kinds[] = {"", "simple", "concurrent", "a ring for each thread"};

static void measureKind(tacrec_kind kind, bool cold) {
    static Bench bench;
    char name[40];
    for (int r = 0; r < 2; r++) {
        uint32_t capacity = r ? 20000 : 20;
        snprintf(name, sizeof name, "%s%s, %u", kinds[kind], cold ? ", cold" : "", (unsigned) capacity);
        row(name);
        for (int s = 0; s < 4; s++) {
            begin(&bench, kind, sizes[s], capacity);
            measure(&bench.sensor, sizes[s], cold);
            end(&bench);
        }
    }
}

/* What no event can be without: the counter, and 16 bytes of which one word is the time. */
static void measureBare(void) {
    static uint64_t words[2 * 1024];
    for (uint32_t i = 0; i < batches; i++) {
        uint64_t before = tacrec_counter(true);
        cycles[i] = (uint32_t) (tacrec_counter(true) - before);
    }
    qsort(cycles, batches, sizeof *cycles, compare);
    looks = cycles[batches / 2];
    row("counter and 16 bytes alone");
    WARM({
        volatile uint64_t *at = &words[2 * (k + i % 64 * BATCH)];
        at[0] = k;
        at[1] = tacrec_counter(false);
    })
    cell(batches, BATCH, looks);
}

static void oneWriter(void) {
    static const char *const columns[] = {"0 bytes", "4 bytes", "8 bytes", "64 bytes", NULL};
    head("1. one writer, sensor and ring", columns);
    measureBare();
    for (int cold = 0; cold < 2; cold++)
        for (int kind = TACREC_SIMPLE; kind <= TACREC_PER_THREAD; kind++) measureKind((tacrec_kind) kind, cold);
    printf("\n");
}

/* ---- 2. two threads ---------------------------------------------------------------------------------------------- */

typedef struct Rival { /* another thread */
    tacrec_sensor *sensor;
    const tacrec_directory *directory;
    bool ended;
    uint64_t words[16]; /* of which the middle one lies on a line of its own */
    uint32_t turn;      /* 0: of the first thread, 1: of the other one */
} Rival;

static bool hasEnded(const Rival *rival) { return __atomic_load_n(&rival->ended, __ATOMIC_RELAXED); }

static void *writeAtOnce(void *data) {
    Rival *rival = (Rival *) data;
    stayOn(1);
    while (!hasEnded(rival)) writeOne(rival->sensor, 8, 1);
    return NULL;
}

static void *writeInTurns(void *data) {
    Rival *rival = (Rival *) data;
    stayOn(1);
    while (!hasEnded(rival)) {
        if (!__atomic_load_n(&rival->turn, __ATOMIC_ACQUIRE)) continue;
        writeOne(rival->sensor, 8, 1);
        __atomic_store_n(&rival->turn, 0u, __ATOMIC_RELEASE);
    }
    return NULL;
}

static void *addInTurns(void *data) {
    Rival *rival = (Rival *) data;
    stayOn(1);
    while (!hasEnded(rival)) {
        if (!__atomic_load_n(&rival->turn, __ATOMIC_ACQUIRE)) continue;
        __atomic_fetch_add(&rival->words[8], 1u, __ATOMIC_ACQ_REL);
        __atomic_store_n(&rival->turn, 0u, __ATOMIC_RELEASE);
    }
    return NULL;
}

static void *readAll(void *data) {
    Rival *rival = (Rival *) data;
    tacrec_reader reader;
    uint64_t time, value;
    stayOn(1);
    if (!tacrec_readerBegin(&reader, rival->directory->head, DIRECTORY, 0)) exit(1);
    while (!hasEnded(rival)) tacrec_readerNext(&reader, &time, &value);
    return NULL;
}

/* Answers each element of sensor 0 by one of its own. */
static void *answer(void *data) {
    Rival *rival = (Rival *) data;
    tacrec_reader reader;
    uint64_t time, value;
    stayOn(1);
    if (!tacrec_readerBegin(&reader, rival->directory->head, DIRECTORY, 0)) exit(1);
    while (!hasEnded(rival))
        if (tacrec_readerNext(&reader, &time, &value)) writeOne(rival->sensor, 8, value);
    return NULL;
}

/* Numbers of a concurrent sensor that were given away, in all of its rings. */
static uint64_t writtenOf(const tacrec_sensor *sensor) {
    uint64_t all = 0;
    for (uint32_t k = 0; k < sensor->rings; k++)
        all += tacrec_load((const uint64_t *) (const void *) ((const uint8_t *) sensor->ring + k * sensor->apart));
    return all;
}

/* Batches within which the other thread has written about as much: neither was stopped meanwhile. */
static void measureAtOnce(tacrec_sensor *sensor) {
    uint32_t count = 0, enough = batches / 10 > 1000 ? batches / 10 : 1000;
    if (enough > batches) enough = batches;
    for (uint64_t tries = 0; count < enough && tries < 100ull * batches; tries++) {
        uint64_t first = writtenOf(sensor), before = tacrec_counter(true);
        for (uint32_t k = 0; k < BATCH; k++) writeOne(sensor, 8, k);
        cycles[count] = (uint32_t) (tacrec_counter(true) - before);
        uint64_t others = writtenOf(sensor) - first - BATCH;
        if (others >= BATCH / 2 && others <= 3 * BATCH) count++;
    }
    if (count) cell(count, BATCH, looks);
    else printf(" %15s", "never at once");
}

/* One event or addition each time that it is this thread's turn. */
#define IN_TURN(statement)                                                \
    for (uint32_t i = 0; i < batches; i++) {                              \
        while (__atomic_load_n(&rival->turn, __ATOMIC_ACQUIRE)) continue; \
        uint64_t before = tacrec_counter(true);                           \
        statement;                                                        \
        cycles[i] = (uint32_t) (tacrec_counter(true) - before);           \
        __atomic_store_n(&rival->turn, 1u, __ATOMIC_RELEASE);             \
    }                                                                     \
    cell(batches, 1, looks);

static void measureInTurns(tacrec_sensor *sensor, Rival *rival) { IN_TURN(writeOne(sensor, 8, i)) }

/* Until the answer to an element was read. */
static void measureAnswers(tacrec_sensor *sensor, const tacrec_directory *directory) {
    tacrec_reader reader;
    uint64_t time, value;
    if (!tacrec_readerBegin(&reader, directory->head, DIRECTORY, 1)) exit(1);
    for (uint32_t i = 0; i < batches; i++) {
        uint64_t before = tacrec_counter(true);
        writeOne(sensor, 8, i);
        do
            while (!tacrec_readerNext(&reader, &time, &value)) continue;
        while (value != i);
        cycles[i] = (uint32_t) (tacrec_counter(true) - before);
    }
    cell(batches, 1, looks);
}

typedef enum Pairing { AT_ONCE, IN_TURNS, READ, ANSWERED } Pairing;

static void measurePair(Pairing pairing, tacrec_kind kind, uint32_t rings, uint32_t capacity) {
    static void *(*const calls[])(void *) = {writeAtOnce, writeInTurns, readAll, answer};
    static Bench bench;
    static tacrec_sensor answers;
    pthread_t thread;
    tacrec_layout layout = layoutOf(kind, 8, capacity);
    layout.rings = rings;
    beginLayout(&bench, &layout);
    if (!tacrec_add(&bench.directory, &answers, &layout)) exit(1);
    Rival rival = {pairing == ANSWERED ? &answers : &bench.sensor, &bench.directory, false, {0}, 1};
    if (pthread_create(&thread, NULL, calls[pairing], &rival)) exit(1);
    if (pairing == AT_ONCE) measureAtOnce(&bench.sensor);
    else if (pairing == IN_TURNS) measureInTurns(&bench.sensor, &rival);
    else if (pairing == ANSWERED) measureAnswers(&bench.sensor, &bench.directory);
    else measure(&bench.sensor, 8, false);
    __atomic_store_n(&rival.ended, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    end(&bench);
}

/* What no two writers in turns can be without: one line of memory that goes to and fro. */
static void measureWord(void) {
    Rival is = {NULL, NULL, false, {0}, 1}, *rival = &is;
    pthread_t thread;
    if (pthread_create(&thread, NULL, addInTurns, rival)) exit(1);
    IN_TURN(__atomic_fetch_add(&rival->words[8], 1u, __ATOMIC_ACQ_REL))
    __atomic_store_n(&rival->ended, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}

static void twoThreads(void) {
    static const struct {
        const char *name;
        Pairing pairing;
        tacrec_kind kind;
        uint32_t rings;
    } rows[] = {
        {"concurrent, both at once", AT_ONCE, TACREC_CONCURRENT, 0},
        {"concurrent, in turns", IN_TURNS, TACREC_CONCURRENT, 0},
        {"both at once, in one ring", AT_ONCE, TACREC_CONCURRENT, 1},
        {"in turns, in one ring", IN_TURNS, TACREC_CONCURRENT, 1},
        {"simple, with a monitor", READ, TACREC_SIMPLE, 0},
        {"concurrent, with a monitor", READ, TACREC_CONCURRENT, 1},
        {"ping-pong, simple", ANSWERED, TACREC_SIMPLE, 0},
        {"ping-pong, concurrent", ANSWERED, TACREC_CONCURRENT, 1},
    };
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        printf("\n2. two threads: there is one processor, so they are not measured\n");
        return;
    }
    static const char *const columns[] = {"ring of 20", "ring of 20000", NULL};
    head("2. two threads, 8 bytes", columns);
    row("a word in turns, added to");
    measureWord();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        row(rows[i].name);
        measurePair(rows[i].pairing, rows[i].kind, rows[i].rings, 20);
        measurePair(rows[i].pairing, rows[i].kind, rows[i].rings, 20000);
    }
    printf("\n");
}

/* ---- 3. ready-made sensors, LTTng-UST ---------------------------------------------------------------------------- */

static void readyMade(void) {
    static tacrec_directory directory;
    if (tacrec_open(&directory, NULL, "bench", TACREC_TRACE_BYTES, 0) || !tacrec_traceOpen(&directory, NULL)) exit(1);
    uint32_t task = tacrec_newTask("task", NULL), mutex = tacrec_newMutex("mutex", NULL);
    row("trace, a job");
    WARM(tacrec_jobStarted(tacrec_jobOf(task, k)))
    cell(batches, BATCH, looks);
    row("trace, a mutex");
    WARM(tacrec_jobAcquiredMutex(tacrec_jobOf(task, k), mutex))
    cell(batches, BATCH, looks);
    row("trace, a mark");
    WARM(tacrec_mark(mutex))
    cell(batches, BATCH, looks);
    row("trace, a text of 21 letters");
    WARM(tacrec_message("a text of 21 letters."))
    cell(batches, BATCH, looks);
    tacrec_traceClose();
    tacrec_close(&directory, false);
}

static bool hasLttng(void) {
#ifdef BENCH_LTTNG
    return lttng_ust_tracepoint_enabled(tactus_bench, number);
#else
    return false;
#endif
}

static void lttng(void) {
#ifdef BENCH_LTTNG
    if (hasLttng()) {
        row("LTTng-UST, 0 bytes");
        WARM(lttng_ust_tracepoint(tactus_bench, nothing))
        cell(batches, BATCH, looks);
        row("LTTng-UST, 8 bytes");
        WARM(lttng_ust_tracepoint(tactus_bench, number, k))
        cell(batches, BATCH, looks);
        row("LTTng-UST, 8 bytes, cold");
        EACH_COLD(lttng_ust_tracepoint(tactus_bench, number, i))
        cell(COLD, 1, looks);
        return;
    }
#endif
    printf("\nLTTng-UST is not installed, or no session runs: it is not measured");
}

/* ---- 4. a program with a million events a second ----------------------------------------------------------------- */

enum { STRETCH = 50, STRETCHES = 4001, TABLE = 1 << 13 };

typedef enum What { NOTHING, SIMPLE, CONCURRENT, MARK, LTTNG } What;

static uint32_t steps = 1; /* of a microsecond's work */
static uint64_t table[TABLE];

/* Computes and looks into memory. */
static __attribute__((noinline)) uint64_t work(uint64_t x) {
    for (uint32_t i = 0; i < steps; i++) {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        x += table[x % TABLE]++;
    }
    return x;
}

/* Cycles of a stretch of the program, with events or without. */
static inline uint32_t stretch(What what, Bench *bench, uint32_t mark) {
    static uint64_t x = 1;
    uint64_t before = tacrec_counter(true);
    for (uint32_t k = 0; k < STRETCH; k++) {
        x = work(x);
        if (what == SIMPLE || what == CONCURRENT) writeOne(&bench->sensor, 8, x);
        if (what == MARK) tacrec_mark(mark);
#ifdef BENCH_LTTNG
        if (what == LTTNG) lttng_ust_tracepoint(tactus_bench, number, x);
#endif
    }
    return (uint32_t) (tacrec_counter(true) - before);
}

/* So much work that a microsecond goes by. */
static void calibrate(const tacrec_directory *directory) {
    tacrec_pair a, b;
    Bench none;
    tacrec_measure(&directory->hooks, &a);
    do tacrec_measure(&directory->hooks, &b);
    while (b.nanoseconds - a.nanoseconds < 20000000);
    double microsecond = 1000.0 * (double) (b.counter - a.counter) / (double) (b.nanoseconds - a.nanoseconds);
    steps = 100;
    for (uint32_t i = 0; i < 1001; i++) cycles[i] = stretch(NOTHING, &none, 0);
    qsort(cycles, 1001, sizeof *cycles, compare);
    steps = (uint32_t) (100 * microsecond * STRETCH / cycles[500]);
    printf(" (%u steps, %.0f cycles)", (unsigned) steps, microsecond);
}

/* Stretches with and without events, in turns; how much longer those with events take, in percent of the median. */
static void measureEffect(What what, Bench *bench, uint32_t mark) {
    static uint32_t with[STRETCHES], without[STRETCHES];
    for (int i = 0; i < STRETCHES; i++) {
        without[i] = stretch(NOTHING, bench, mark);
        with[i] = what == SIMPLE ? stretch(SIMPLE, bench, mark)
            : what == CONCURRENT ? stretch(CONCURRENT, bench, mark)
            : what == MARK       ? stretch(MARK, bench, mark)
                                 : stretch(LTTNG, bench, mark);
    }
    qsort(with, STRETCHES, sizeof *with, compare);
    qsort(without, STRETCHES, sizeof *without, compare);
    double plain = without[STRETCHES / 2], events = with[STRETCHES / 2];
    printf(" %6.2f %% %6.1f cycles", 100 * (events - plain) / plain, (events - plain) / STRETCH);
    fflush(stdout);
}

typedef struct Collected { /* in memory that both processes share */
    bool begun, ended;
    uint64_t elements, lost;
} Collected;

static bool takePacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    return write(*(const int *) data, bytes, head->size) > 0;
}

/* A process that collects a directory, until it is told to end. Its packets go nowhere. */
static pid_t collect(const char *path, Collected *shared) {
    pid_t child = fork();
    if (child) return child;
    int file = open("/dev/null", O_WRONLY);
    tacrec_collectCount count;
    tacrec_taker taker = {.packet = takePacket, .data = &file};
    tacrec_collector *collector = tacrec_collectorNew(NULL);
    stayOn(1);
    if (!collector || !tacrec_collectorTake(collector, &taker) || tacrec_collectorWatch(collector, path)
        || tacrec_collectorStart(collector))
        _exit(1);
    __atomic_store_n(&shared->begun, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&shared->ended, __ATOMIC_ACQUIRE)) usleep(1000);
    tacrec_collectorStop(collector);
    tacrec_collectorCount(collector, &count);
    shared->elements = count.elements;
    shared->lost = count.lost;
    tacrec_collectorFree(collector);
    _exit(0);
}

static void measureProgram(What what, bool collected) {
    static Bench bench;
    tacrec_kind kind = what == CONCURRENT ? TACREC_CONCURRENT : TACREC_SIMPLE;
    Collected *shared = (Collected *) mmap(
        NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = 0;
    uint32_t mark = 0;
    if (shared == MAP_FAILED) exit(1);
    if (what == MARK) {
        if (tacrec_open(&bench.directory, NULL, "bench", DIRECTORY, 0) || !tacrec_traceOpen(&bench.directory, NULL))
            exit(1);
        mark = tacrec_newMark("mark");
    } else begin(&bench, kind, 8, 65536);
    if (collected) child = collect(bench.directory.path, shared);
    while (child && !__atomic_load_n(&shared->begun, __ATOMIC_ACQUIRE))
        if (waitpid(child, NULL, WNOHANG)) exit(1);
    measureEffect(what, &bench, mark);
    __atomic_store_n(&shared->ended, true, __ATOMIC_RELEASE);
    if (child) waitpid(child, NULL, 0);
    if (child)
        printf(", %llu read, %llu lost", (unsigned long long) shared->elements, (unsigned long long) shared->lost);
    if (what == MARK) tacrec_traceClose();
    end(&bench);
    munmap(shared, sizeof *shared);
}

static void program(void) {
    static Bench bench;
    printf("\n4. a microsecond's work and an event");
    begin(&bench, TACREC_SIMPLE, 8, 20);
    calibrate(&bench.directory);
    end(&bench);
    static const char *const names[] = {"", "simple", "concurrent", "trace, a mark"};
    for (int collected = 0; collected < 2; collected++)
        for (int what = SIMPLE; what <= MARK; what++) {
            char name[40];
            snprintf(name, sizeof name, "%s%s", names[what], collected ? ", collected" : "");
            row(name);
            measureProgram((What) what, collected);
        }
    if (hasLttng()) {
        row("LTTng-UST, in a session");
        measureEffect(LTTNG, &bench, 0);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    batches = (argc > 1 ? (uint32_t) strtoul(argv[1], NULL, 10) : 1600000u) / BATCH;
    if (batches < COLD) batches = COLD;
    cycles = (uint32_t *) calloc(batches, sizeof *cycles);
    if (!cycles) return 1;
    stayOn(0);
    printf("cycles of an event, median and 99.9 %%\n");
    oneWriter();
    twoThreads();
    static const char *const columns[] = {"an event", NULL};
    head("3. ready-made sensors, and LTTng-UST", columns);
    readyMade();
    lttng();
    printf("\n");
    program();
    free(cycles);
    return 0;
}
