/*
 * testProof.c -- sensors under what may happen to programs and monitors: they are killed at any instant, delayed at any
 * instruction, or the directory is damaged. What was read and what was missed adds up, and nothing is torn.
 *
 * Prints as testRecord.c does. Arguments: kills, rounds of delays, damaged directories, a folder for files, a seed.
 * With 0 of something it is left out.
 */
#define _GNU_SOURCE
#include "record/tactusrec.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 1 << 16, WORDS = 4 };

typedef struct Element {
    uint64_t words[WORDS];
} Element;

static int failures;

static void tell(const char *name, uint64_t wrong, const char *format, ...) {
    va_list arguments;
    printf(wrong ? "FAILED %s: " : "ok %s", name);
    va_start(arguments, format);
    if (wrong) vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    failures += wrong != 0;
}

/* ---- numbers, times ---------------------------------------------------------------------------------------------- */

/* The next number of a sequence that looks random (xorshift64*). */
static uint64_t next(uint64_t *state) {
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545F4914F6CDD1Dull >> 16;
}

static uint64_t below(uint64_t *state, uint64_t limit) { return next(state) % limit; }

static uint64_t seedOf(uint64_t a, uint64_t b) {
    return (a + 1) * 0x9E3779B97F4A7C15ull ^ (b + 1) * 0xD1B54A32D192ED03ull;
}

static uint64_t now(void *data) {
    struct timespec t;
    (void) data;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static void spin(uint64_t nanoseconds) {
    for (uint64_t until = now(NULL) + nanoseconds; now(NULL) < until;) continue;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/*
 * Keeps threads from each other, as interrupts that are off do on a small processor. What interrupts a thread that
 * holds it must not ask for it.
 */
static bool held;
static _Thread_local volatile int holds;
static void enter(void *data) {
    (void) data;
    holds = holds + 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    while (__atomic_test_and_set(&held, __ATOMIC_ACQUIRE)) sched_yield();
}
static void leave(void *data) {
    (void) data;
    __atomic_clear(&held, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    holds = holds - 1;
}

/* A processor, as if each thread went to another one again and again. */
static uint32_t processor(void *data) {
    static _Thread_local volatile uint64_t state;
    (void) data;
    if (!state) state = now(NULL) | 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t) (state >> 33);
}

enum { PROCESSORS = 6 };

static const tacrec_hooks hooks = {
    .now = now, .enter = enter, .leave = leave, .processor = processor, .processors = PROCESSORS};
static const tacrec_field fields[] = {{"number", TACREC_UNSIGNED, 0, 8}, {"label", TACREC_TEXT, 8, 24}};

static tacrec_layout layoutOf(tacrec_kind kind, uint32_t capacity) {
    return (tacrec_layout){.name = "sensor",
        .kind = kind,
        .size = sizeof(Element),
        .capacity = capacity,
        .fields = fields,
        .fieldCount = 2};
}

static uint64_t mixed(uint64_t number, int word) { return (number + (uint64_t) word) * 0x9E3779B97F4A7C15ull; }

static bool isWhole(const Element *element) {
    for (int i = 1; i < WORDS; i++)
        if (element->words[i] != mixed(element->words[0], i)) return false;
    return true;
}

/* Is this the place of elements that nobody sees, which several threads may be given at once? They leave it as it is.
 */
static bool isUnseen(const tacrec_sensor *sensor, const void *place) {
    const uint8_t *at = (const uint8_t *) place, *own = (const uint8_t *) sensor;
    return at >= own && at < own + sizeof *sensor;
}

static void write1(tacrec_sensor *sensor, uint64_t number) {
    Element *element = (Element *) tacrec_write(sensor);
    if (!isUnseen(sensor, element)) {
        element->words[0] = number;
        for (int i = 1; i < WORDS; i++) element->words[i] = mixed(number, i);
    }
    tacrec_commit(sensor, element);
}

/* ---- killed ------------------------------------------------------------------------------------------------------ */

/*
 * A program with two threads writes sensors as fast as it can, a simple one, a concurrent one with two rings and one
 * with a ring for each of them; two monitors read them meanwhile, one of them
 * slowly. The program is killed at an instant between its start and some thousand elements, now and then a monitor
 * before it. Then the directory is read once more. Each thread says how many elements it has committed: one more may
 * be there.
 */
enum { THREADS = 2, MONITORS = 2, SIMPLE = 0, CONCURRENT = 1, RING = 2, KINDS = 3, PARTS = 2, THREAD_BITS = 56 };
enum { FIRST_RING = CONCURRENT + PARTS, SENSORS = FIRST_RING + THREADS }; /* as monitors see them */

typedef struct Seen { /* by a monitor */
    bool opened, ended;
    uint64_t given[SENSORS], read[SENSORS]; /* numbers that were read or missed; elements */
    uint64_t torn, wrong;
} Seen;

typedef struct Stage { /* in memory that all processes share */
    char path[TACREC_PATH];
    bool over; /* the program was killed */
    uint64_t done[THREADS][KINDS];
    Seen seen[MONITORS + 1];
} Stage;

static void *shared(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) abort();
    return memory;
}

/* A process that ends with this one. */
static pid_t child(void) {
    pid_t parent = getpid(), pid = fork();
    if (pid < 0) abort();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
    }
    return pid;
}

static void killed(pid_t pid) {
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
}

typedef struct Program {
    Stage *stage;
    uint32_t number; /* of the thread */
    tacrec_sensor *simple, *concurrent;
    tacrec_threads *rings;
} Program;

static void *writeAll(void *data) {
    const Program *program = (const Program *) data;
    static _Thread_local tacrec_sensor ring;
    uint64_t *done = program->stage->done[program->number], base = (uint64_t) program->number << THREAD_BITS;
    tacrec_sensor *sensors[KINDS] = {program->number ? NULL : program->simple, program->concurrent, &ring};
    tacrec_attach(program->rings, &ring, program->number + 1);
    for (uint64_t n = 0;; n++) {
        for (int kind = 0; kind < KINDS; kind++) {
            if (!sensors[kind]) continue;
            write1(sensors[kind], base | n);
            __atomic_store_n(&done[kind], n + 1, __ATOMIC_RELEASE);
        }
    }
    return NULL;
}

/* Never returns. */
static void runProgram(Stage *stage, const char *folder) {
    static tacrec_directory directory;
    static tacrec_sensor simple, concurrent;
    static tacrec_threads rings;
    static Program programs[THREADS];
    tacrec_layout layouts[KINDS] = {
        layoutOf(TACREC_SIMPLE, 15), layoutOf(TACREC_CONCURRENT, 16), layoutOf(TACREC_PER_THREAD, 20)};
    layouts[CONCURRENT].rings = PARTS;
    if (tacrec_open(&directory, folder, "proof", BYTES, 0)) _exit(1);
    directory.hooks = hooks; /* those of a system have no enter and leave, and fewer processors */
    bool fine = tacrec_add(&directory, &simple, &layouts[SIMPLE])
        && tacrec_add(&directory, &concurrent, &layouts[CONCURRENT])
        && tacrec_addThreads(&directory, &rings, &layouts[RING], THREADS);
    if (!fine) _exit(1);
    for (uint32_t k = 0; k < THREADS; k++) {
        pthread_t thread;
        programs[k] = (Program){stage, k, &simple, &concurrent, &rings};
        if (k + 1 == THREADS) writeAll(&programs[k]);
        else if (pthread_create(&thread, NULL, writeAll, &programs[k])) _exit(1);
    }
}

/* Looks at an element: whole, the number that it must be, and later than those before of its thread. */
static void look(Seen *seen, const tacrec_reader *reader, const Element *element, uint64_t time, uint64_t last[3]) {
    uint64_t thread = element->words[0] >> THREAD_BITS, number = element->words[0] & ((1ull << THREAD_BITS) - 1);
    seen->torn += !isWhole(element);
    if (thread >= THREADS) seen->wrong++;
    else if (reader->kind != TACREC_CONCURRENT) seen->wrong += number != reader->at - 1;
    else {
        seen->wrong += number < last[thread] || time < last[THREADS];
        last[thread] = number + 1;
        last[THREADS] = time;
    }
}

/* Reads all sensors until the program is killed, and then to their end. pause: up to so many nanoseconds between. */
static void readAll(const Stage *stage, const tacrec_monitor *monitor, Seen *seen, uint64_t seed, uint64_t pause) {
    tacrec_reader readers[SENSORS];
    uint64_t last[SENSORS][3] = {{0}}, first[SENSORS], time;
    bool begun[SENSORS] = {false}, more = true;
    for (bool over = false; more || !over;) {
        over = __atomic_load_n(&stage->over, __ATOMIC_ACQUIRE);
        more = false;
        for (uint32_t k = 0; k < SENSORS; k++) {
            Element element;
            if (!begun[k]) {
                begun[k] = tacrec_readerBegin(&readers[k], monitor->head, monitor->size, k);
                if (begun[k]) first[k] = readers[k].at;
            }
            if (!begun[k]) continue;
            for (int n = 0; n < 10 && tacrec_readerNext(&readers[k], &time, &element); n++) {
                more = true;
                look(seen, &readers[k], &element, time, last[k]);
            }
            if (over && tacrec_readerSkip(&readers[k])) more = true;
        }
        if (pause && !over) spin(below(&seed, pause));
    }
    for (uint32_t k = 0; k < SENSORS; k++) {
        if (!begun[k]) continue;
        seen->given[k] = readers[k].read + readers[k].missed;
        seen->read[k] = readers[k].read;
        seen->wrong += readers[k].at - first[k] != seen->given[k];
    }
}

/* A monitor of a program that may not be there yet. */
static void watch(Stage *stage, int number, uint64_t seed) {
    Seen *seen = &stage->seen[number];
    tacrec_monitor monitor;
    bool over = false;
    while (!seen->opened && !over) {
        over = __atomic_load_n(&stage->over, __ATOMIC_ACQUIRE);
        seen->opened = tacrec_monitorOpen(&monitor, stage->path, 0) == 0;
    }
    if (seen->opened) readAll(stage, &monitor, seen, seed, number % 2 ? 100000 : 0);
    seen->ended = true;
}

/* Elements that the threads say to have committed. */
static uint64_t doneOf(const Stage *stage) {
    uint64_t all = 0;
    for (int k = 0; k < THREADS; k++)
        for (int kind = 0; kind < KINDS; kind++) all += __atomic_load_n(&stage->done[k][kind], __ATOMIC_ACQUIRE);
    return all;
}

/* The elements that the sensor has must be those that were committed, and at most the one of each thread that was under
 * way. */
static bool isRight(const Stage *stage, const tacrec_monitor *monitor, uint32_t k, const Seen *seen) {
    tacrec_entry entry;
    tacrec_reader reader;
    bool ready = tacrec_describe(monitor->head, monitor->size, k, &entry)
        && tacrec_readerBegin(&reader, monitor->head, monitor->size, k);
    uint64_t done = 0, threads = 1, has = seen->given[k];
    if (k == SIMPLE) done = stage->done[0][SIMPLE];
    else if (k == CONCURRENT) {
        done = stage->done[0][CONCURRENT] + stage->done[1][CONCURRENT];
        threads = THREADS;
        has -= ready ? tacrec_readerPassed(&reader) : 0;
        for (uint32_t part = 1; part < PARTS; part++) {
            if (!tacrec_readerBegin(&reader, monitor->head, monitor->size, k + part)) continue;
            has += seen->given[k + part] - tacrec_readerPassed(&reader);
        }
    } else if (k < FIRST_RING) return true; /* was counted with the first part */
    else if (ready && entry.ownerCount) done = stage->done[entry.owners[0].thread - 1][RING];
    else threads = 0;
    return ready ? done <= has && has - done <= threads : done == 0 && has == 0;
}

/* What is found afterwards, and what each monitor that was not killed has found: the same numbers. */
static uint64_t compare(Stage *stage, const bool *alive, uint64_t *read) {
    tacrec_monitor monitor;
    Seen *last = &stage->seen[MONITORS];
    uint64_t wrong = 0;
    bool opened = tacrec_monitorOpen(&monitor, stage->path, 0) == 0;
    if (opened) readAll(stage, &monitor, last, 0, 0);
    else wrong += doneOf(stage) != 0;
    for (uint32_t k = 0; opened && k < SENSORS; k++) {
        wrong += !isRight(stage, &monitor, k, last);
        *read += last->read[k];
    }
    for (int m = 0; m < MONITORS; m++) {
        if (!alive[m]) continue;
        const Seen *seen = &stage->seen[m];
        wrong += !seen->ended || seen->opened != opened;
        for (uint32_t k = 0; k < SENSORS; k++) {
            wrong += seen->given[k] != last->given[k];
            *read += seen->read[k];
        }
        wrong += seen->torn + seen->wrong;
    }
    if (opened) tacrec_monitorClose(&monitor);
    return wrong + last->torn + last->wrong;
}

/* Does the program go on, a monitor of which was killed? */
static bool goesOn(const Stage *stage) {
    uint64_t before = doneOf(stage);
    for (uint64_t until = now(NULL) + 20000000000u; now(NULL) < until; sched_yield())
        if (doneOf(stage) != before) return true;
    return false;
}

static void testKills(int times, const char *folder, uint64_t seed) {
    Stage *stage = (Stage *) shared(sizeof *stage);
    uint64_t wrong = 0, read = 0, stopped = 0, early = 0;
    char name[60];
    for (int i = 0; i < times && !stopped; i++) {
        uint64_t random = seedOf(seed, (uint64_t) i);
        bool alive[MONITORS] = {true, true};
        pid_t monitors[MONITORS];
        memset(stage, 0, sizeof *stage);
        pid_t program = child();
        if (program == 0) runProgram(stage, folder);
        snprintf(stage->path, sizeof stage->path, "%s/proof-%ld.tacrec", folder, (long) program);
        for (int m = 0; m < MONITORS; m++) {
            monitors[m] = child();
            if (monitors[m]) continue;
            watch(stage, m, seedOf(random, (uint64_t) m));
            _exit(0);
        }
        if (below(&random, 3) == 0) {
            uint64_t m = below(&random, MONITORS);
            spin(below(&random, 500000));
            killed(monitors[m]);
            alive[m] = false;
            stopped += !goesOn(stage);
        }
        spin(below(&random, 1ull << (10 + below(&random, 12)))); /* 1 us to 2 ms: early instants as well */
        killed(program);
        __atomic_store_n(&stage->over, true, __ATOMIC_RELEASE);
        for (int m = 0; m < MONITORS; m++)
            if (alive[m]) waitpid(monitors[m], NULL, 0);
        early += doneOf(stage) == 0;
        wrong += compare(stage, alive, &read);
        unlink(stage->path);
    }
    snprintf(name, sizeof name, "%d programs and monitors killed", times);
    tell(name, wrong + stopped + (read == 0), "%llu wrong, %llu stopped with their monitor, %llu read, %llu before all",
        (unsigned long long) wrong, (unsigned long long) stopped, (unsigned long long) read,
        (unsigned long long) early);
    munmap(stage, sizeof *stage);
}

/* ---- delayed ----------------------------------------------------------------------------------------------------- */

/*
 * Threads are interrupted at any instruction, wherever the signal meets them: they wait, or write a concurrent sensor
 * in the middle of writing it.
 */
enum { READERS = 2, MOST = 4, DELAYED = 1200, INTERRUPTED = 1 << 20 };

typedef struct Delayed { /* a thread */
    pthread_t id;
    tacrec_sensor *sensor; /* NULL: it reads */
    const tacrec_head *head;
    const bool *ended; /* readers: nothing comes any more; writers: no more signals do */
    uint64_t number, count, random;
    uint64_t interrupted;                  /* elements that were written by interruptions */
    uint64_t read, missed, torn, disorder; /* of a reader */
    uint64_t given[PROCESSORS];            /* numbers that were read or missed in each ring */
    uint32_t rings;
    bool begun, written; /* takes signals; has written its elements */
} Delayed;

static _Thread_local Delayed *delayed;

static void interrupt(int signal) {
    int error = errno;
    (void) signal;
    Delayed *is = delayed;
    if (is) {
        uint64_t what = below(&is->random, 8);
        bool mayWrite = is->sensor && is->sensor->kind == TACREC_CONCURRENT && !holds;
        if (mayWrite && what < 3) write1(is->sensor, is->number << THREAD_BITS | (INTERRUPTED + is->interrupted++));
        if (what < 4) sched_yield();
        else if (what < 7) spin(below(&is->random, 10000));
        else nanosleep(&(struct timespec){0, 20000}, NULL);
    }
    errno = error;
}

/* Writes an element, with a pause in the middle of it now and then. */
static void writeSlowly(tacrec_sensor *sensor, uint64_t number, uint64_t *random) {
    Element *element = (Element *) tacrec_write(sensor);
    bool seen = !isUnseen(sensor, element);
    uint64_t what = below(random, 64);
    if (seen) element->words[0] = number;
    if (what == 0) spin(below(random, 100000));
    if (what == 1) sched_yield();
    for (int i = 1; i < WORDS && seen; i++) element->words[i] = mixed(number, i);
    tacrec_commit(sensor, element);
}

static void *writeDelayed(void *data) {
    Delayed *is = delayed = (Delayed *) data;
    uint64_t random = seedOf(is->random, 0); /* interruptions have their own */
    __atomic_store_n(&is->begun, true, __ATOMIC_RELEASE);
    for (uint64_t n = 0; n < is->count; n++) {
        writeSlowly(is->sensor, is->number << THREAD_BITS | n, &random);
        if (below(&random, 4) == 0) spin(below(&random, 6000));
    }
    __atomic_store_n(&is->written, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(is->ended, __ATOMIC_ACQUIRE)) sched_yield();
    return NULL;
}

/* One ring of the sensor, as a reader has seen it. */
typedef struct Part {
    tacrec_reader reader;
    uint64_t last, lastOf[MOST]; /* time; number of each thread's next element */
} Part;

/* Reads the next element, if there is one. */
static bool readPart(Delayed *is, Part *part) {
    Element element;
    uint64_t time;
    if (!tacrec_readerNext(&part->reader, &time, &element)) return false;
    uint64_t thread = element.words[0] >> THREAD_BITS, number = element.words[0] & (INTERRUPTED - 1);
    bool own = thread < MOST && !(element.words[0] & INTERRUPTED);
    is->torn += !isWhole(&element);
    is->disorder += thread >= MOST || (own && number < part->lastOf[thread])
        || (part->reader.kind == TACREC_CONCURRENT && time < part->last);
    if (own) part->lastOf[thread] = number + 1;
    part->last = time;
    return true;
}

static void *readDelayed(void *data) {
    Delayed *is = delayed = (Delayed *) data;
    Part parts[PROCESSORS];
    memset(parts, 0, sizeof parts);
    for (uint32_t k = 0; k < is->rings; k++)
        if (!tacrec_readerBegin(&parts[k].reader, is->head, BYTES, k)) return NULL;
    __atomic_store_n(&is->begun, true, __ATOMIC_RELEASE);
    for (bool ended = false, more = true; more || !ended;) {
        if (!more) sched_yield();
        ended = __atomic_load_n(is->ended, __ATOMIC_ACQUIRE);
        more = false;
        for (uint32_t k = 0; k < is->rings; k++)
            if (readPart(is, &parts[k]) || (ended && tacrec_readerSkip(&parts[k].reader))) more = true;
        if (is->number && below(&is->random, 20) == 0) spin(below(&is->random, 20000)); /* the slow one */
    }
    for (uint32_t k = 0; k < is->rings; k++) {
        is->read += parts[k].reader.read;
        is->missed += parts[k].reader.missed;
        is->given[k] = parts[k].reader.read + parts[k].reader.missed;
    }
    return NULL;
}

/* The counters of one of the sensor's rings. */
static tacrec_ring *ringOf(const tacrec_sensor *sensor, uint32_t k) {
    return (tacrec_ring *) (void *) ((uint8_t *) sensor->ring + k * sensor->apart);
}

/* Lets the counters of a new sensor begin elsewhere, as if so many elements had been written. */
static void beginAt(tacrec_sensor *sensor, uint64_t first) {
    uint64_t capacity = sensor->capacity;
    sensor->count = first;
    sensor->next = sensor->begin + (size_t) (first % capacity) * sensor->stride;
    for (uint32_t k = 0; k < sensor->rings; k++) sensor->entry[k].first = first;
    if (sensor->kind == TACREC_SIMPLE) tacrec_publish(sensor->ring, first);
    for (uint32_t k = 0; k < sensor->rings && sensor->kind == TACREC_CONCURRENT; k++) {
        ringOf(sensor, k)->counter.written = first;
        for (uint64_t n = first - capacity; n != first; n++) {
            uint8_t *at = (uint8_t *) (ringOf(sensor, k) + 1) + tacrec_placeOf(n, sensor->capacity) * sensor->stride;
            ((tacrec_element *) (void *) at)->turn = 2 * n + 2;
        }
    }
}

typedef struct Sum {
    uint64_t wrong, torn, disorder, read, missed, interrupted;
} Sum;

/* Interrupts random threads until all elements are written. */
static void disturb(Delayed *threads, uint64_t count, uint64_t random) {
    for (uint64_t writing = 1; writing;) {
        uint64_t k = below(&random, count);
        if (__atomic_load_n(&threads[k].begun, __ATOMIC_ACQUIRE)) pthread_kill(threads[k].id, SIGUSR1);
        spin(below(&random, 8000));
        writing = 0;
        for (k = READERS; k < count; k++) writing += !__atomic_load_n(&threads[k].written, __ATOMIC_ACQUIRE);
    }
}

/* One round: so many threads write elements, from number `first` on. */
static void delay(
    void *memory, const tacrec_layout *layout, uint64_t first, uint64_t writers, uint64_t random, Sum *sum) {
    tacrec_directory directory;
    tacrec_sensor sensor;
    Delayed threads[READERS + MOST];
    const uint64_t all = READERS + writers;
    bool quiet = false, ended = false;
    memset(memory, 0, BYTES);
    memset(threads, 0, sizeof threads);
    if (!tacrec_make(&directory, memory, BYTES, "delays", 1, TACREC_CLOCK_HOOK, &hooks)) abort();
    if (!tacrec_add(&directory, &sensor, layout) || sensor.rings != (layout->rings ? layout->rings : 1)) abort();
    if (first) beginAt(&sensor, first);
    for (uint64_t k = 0; k < all; k++) {
        bool reads = k < READERS;
        threads[k].ended = reads ? &ended : &quiet;
        threads[k].head = directory.head;
        threads[k].rings = sensor.rings;
        threads[k].random = seedOf(random, k);
        threads[k].number = reads ? k : k - READERS;
        threads[k].count = DELAYED / writers;
        threads[k].sensor = reads ? NULL : &sensor;
        if (pthread_create(&threads[k].id, NULL, reads ? readDelayed : writeDelayed, &threads[k])) abort();
        while (reads && !__atomic_load_n(&threads[k].begun, __ATOMIC_ACQUIRE)) sched_yield();
    }
    disturb(threads, all, random);
    __atomic_store_n(&quiet, true, __ATOMIC_RELEASE);
    uint64_t made = 0;
    for (uint64_t k = READERS; k < all; k++) {
        pthread_join(threads[k].id, NULL);
        made += threads[k].count + threads[k].interrupted;
        sum->interrupted += threads[k].interrupted;
    }
    __atomic_store_n(&ended, true, __ATOMIC_RELEASE);
    uint64_t written[PROCESSORS], elements = 0;
    for (uint32_t k = 0; k < sensor.rings; k++) {
        const tacrec_ring *ring = ringOf(&sensor, k);
        written[k] = (layout->kind == TACREC_SIMPLE ? sensor.count : ring->counter.written) - first;
        elements += written[k] - ring->passed;
    }
    sum->wrong += elements != made;
    for (uint64_t k = 0; k < READERS; k++) {
        pthread_join(threads[k].id, NULL);
        for (uint32_t part = 0; part < sensor.rings; part++) sum->wrong += threads[k].given[part] != written[part];
        sum->torn += threads[k].torn;
        sum->disorder += threads[k].disorder;
        sum->read += threads[k].read;
        sum->missed += threads[k].missed;
    }
}

static void testDelays(int rounds, uint64_t seed) {
    static const struct {
        tacrec_kind kind;
        uint32_t rings, capacity, writers;
        uint64_t first; /* of the counter */
    } cases[] = {
        {TACREC_SIMPLE, 0, 2, 1, 0},
        {TACREC_SIMPLE, 0, 20, 1, (1ull << 31) - 600},
        {TACREC_SIMPLE, 0, 20, 1, (1ull << 32) - 600},
        {TACREC_SIMPLE, 0, 20, 1, TACREC_TWO_WORDS ? (1ull << 62) - 600 : (1ull << 63) - 600},
        {TACREC_CONCURRENT, 1, 2, 2, 0},
        {TACREC_CONCURRENT, 1, 16, 2, (1ull << 32) - 600},
        {TACREC_CONCURRENT, 1, 16, 2, (1ull << 63) - 600},
        {TACREC_CONCURRENT, 1, 64, 4, (1ull << 32) - 600},
        {TACREC_CONCURRENT, 2, 2, 2, 0},
        {TACREC_CONCURRENT, 3, 16, 4, (1ull << 32) - 300},
        {TACREC_CONCURRENT, PROCESSORS, 64, 4, (1ull << 63) - 150},
    };
    void *memory = shared(BYTES);
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = interrupt;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, &before);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        tacrec_layout layout = layoutOf(cases[c].kind, cases[c].capacity);
        layout.rings = cases[c].rings;
        Sum sum = {0, 0, 0, 0, 0, 0};
        char name[100];
        for (int i = 0; i < rounds; i++)
            delay(memory, &layout, cases[c].first, cases[c].writers, seedOf(seed + c, (uint64_t) i), &sum);
        snprintf(name, sizeof name, "delays, kind %d, %u writers, %u rings of %u from %llx", (int) cases[c].kind,
            (unsigned) cases[c].writers, (unsigned) (cases[c].rings ? cases[c].rings : 1), (unsigned) cases[c].capacity,
            (unsigned long long) cases[c].first);
        tell(name, sum.wrong + sum.torn + sum.disorder + (sum.read == 0),
            "%llu wrong, %llu torn, %llu in disorder, %llu read, %llu missed, %llu by interruptions",
            (unsigned long long) sum.wrong, (unsigned long long) sum.torn, (unsigned long long) sum.disorder,
            (unsigned long long) sum.read, (unsigned long long) sum.missed, (unsigned long long) sum.interrupted);
    }
    sigaction(SIGUSR1, &before, NULL);
    munmap(memory, BYTES);
}

/* ---- damaged ----------------------------------------------------------------------------------------------------- */

/* A directory with sensors of all kinds, of which each place is in use. */
static void fillDirectory(void *memory) {
    tacrec_directory directory;
    tacrec_sensor sensors[3], ring;
    tacrec_threads threads;
    tacrec_layout layouts[] = {layoutOf(TACREC_SIMPLE, 8), layoutOf(TACREC_CONCURRENT, 8),
        layoutOf(TACREC_CONCURRENT, 4), layoutOf(TACREC_PER_THREAD, 5)};
    memset(memory, 0, BYTES);
    if (!tacrec_make(&directory, memory, BYTES, "damaged", 1, TACREC_CLOCK_HOOK, &hooks)) abort();
    layouts[1].rings = 2;
    layouts[2].lasting = true;
    for (int k = 0; k < 3; k++) {
        if (!tacrec_add(&directory, &sensors[k], &layouts[k])) abort();
        for (uint64_t n = 0; n < 20; n++) write1(&sensors[k], n);
    }
    if (!tacrec_addThreads(&directory, &threads, &layouts[3], 2)) abort();
    for (uint32_t thread = 1; thread < 20; thread++) {
        if (!tacrec_attach(&threads, &ring, thread)) abort();
        for (uint64_t n = 0; n < 3; n++) write1(&ring, n);
        tacrec_remove(&ring);
    }
    for (int i = 0; i < 70; i++) tacrec_pairNow(&directory);
}

/* A number at which something may go wrong. */
static uint64_t edge(uint64_t *random, uint64_t size) {
    static const uint64_t edges[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1023, 1024, 0x7fff,
        0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 1ull << 32, 1ull << 37, 1ull << 63, UINT64_MAX};
    uint64_t what = below(random, 8);
    if (what == 0) return next(random);
    if (what < 3) return size - 64 + 8 * below(random, 17);
    return edges[below(random, sizeof edges / sizeof *edges)];
}

/* Changes one place of a directory that has so many bytes, mostly one that means something. */
static void damage(uint8_t *at, uint64_t size, uint64_t *random) {
    const uint64_t entries = 6 * sizeof(tacrec_entry), head = sizeof(tacrec_head);
    if (size < 16) return;
    uint64_t what = below(random, 8), where = below(random, what < 2 ? 64 : what < 3 ? head : size);
    if (what > 3) where = head + below(random, entries);
    if (what > 5) where = head + below(random, 6) * sizeof(tacrec_entry) + below(random, 64);
    where %= size - 8;
    uint64_t value = edge(random, size), kind = below(random, 5);
    if (kind == 0) __atomic_store_n(at + where, (uint8_t) value, __ATOMIC_RELAXED);
    else if (kind == 1) __atomic_store_n(at + where, (uint8_t) (at[where] ^ 1u << below(random, 8)), __ATOMIC_RELAXED);
    else if (kind < 4) __atomic_store_n((uint32_t *) (void *) (at + where / 4 * 4), (uint32_t) value, __ATOMIC_RELAXED);
    else __atomic_store_n((uint64_t *) (void *) (at + where / 8 * 8), value, __ATOMIC_RELAXED);
}

/* Does everything that a monitor can. Returns what must not be. */
static uint64_t readDamaged(const uint8_t *at, uint64_t size, uint64_t *read) {
    const tacrec_head *head = (const tacrec_head *) (const void *) at;
    uint64_t wrong = 0;
    uint32_t count = tacrec_isDirectory(at, size) ? tacrec_sensors(head) : 8;
    for (uint32_t n = 0; n < 80 && size >= sizeof *head; n++) {
        tacrec_pair pair;
        tacrec_readPair(head, n, &pair);
    }
    for (uint32_t k = 0; k < count && k < 100; k++) {
        tacrec_entry entry;
        tacrec_reader reader;
        uint64_t time;
        if (tacrec_describe(head, size, k, &entry)) {
            wrong += !memchr(entry.name, 0, sizeof entry.name) || !memchr(entry.storage, 0, sizeof entry.storage)
                || entry.fieldCount > TACREC_FIELDS || entry.size > TACREC_ELEMENT;
            for (uint32_t f = 0; f < entry.fieldCount; f++)
                wrong += entry.fields[f].offset + entry.fields[f].size > entry.size
                    || !memchr(entry.fields[f].name, 0, sizeof entry.fields[f].name);
        }
        if (!tacrec_readerBegin(&reader, head, size, k)) continue;
        uint64_t first = reader.at;
        for (int n = 0; n < 40; n++) {
            uint8_t data[TACREC_ELEMENT + 8];
            memset(data, 0xa5, sizeof data);
            int got = tacrec_readerNext(&reader, &time, data);
            *read += (uint64_t) got;
            wrong += data[reader.size] != 0xa5;
            (void) tacrec_readerThread(&reader);
            if (!got && !tacrec_readerSkip(&reader)) break;
        }
        (void) tacrec_readerPassed(&reader);
        (void) tacrec_readerRefused(&reader);
        wrong += reader.at - first != reader.read + reader.missed;
    }
    return wrong;
}

typedef struct Scribble {
    uint8_t *at;
    uint64_t random;
    bool ended;
} Scribble;

static void *scribble(void *data) {
    Scribble *scribble = (Scribble *) data;
    while (!__atomic_load_n(&scribble->ended, __ATOMIC_ACQUIRE)) damage(scribble->at, BYTES, &scribble->random);
    return NULL;
}

/*
 * Directories of which some places were changed, cut ones as well, between pages that nobody may touch; meanwhile:
 * while another thread goes on changing them.
 */
static void testDamaged(int times, uint64_t seed, bool meanwhile) {
    enum { PAGE = 4096 };
    uint8_t *whole = (uint8_t *) shared(BYTES), *area = (uint8_t *) shared(BYTES + 2 * PAGE), *begin = area + PAGE;
    uint64_t wrong = 0, read = 0, fine = 0;
    Scribble thread = {begin, seedOf(seed, 0), false};
    pthread_t id;
    char name[60];
    if (mprotect(area, PAGE, PROT_NONE) || mprotect(begin + BYTES, PAGE, PROT_NONE)) abort();
    fillDirectory(whole);
    if (meanwhile && pthread_create(&id, NULL, scribble, &thread)) abort();
    for (int i = 0; i < times; i++) {
        uint64_t random = seedOf(seed, (uint64_t) i), size = BYTES, changes = 1 + below(&random, 10);
        if (!meanwhile && below(&random, 3) == 0) size = 8 * below(&random, BYTES / 8 + 1);
        uint8_t *at = below(&random, 2) ? begin : begin + BYTES - size; /* one of its ends lies at such a page */
        memcpy(at, whole, size);
        if (size >= sizeof(tacrec_head) && below(&random, 2)) ((tacrec_head *) (void *) at)->size = size;
        for (uint64_t k = 0; k < changes; k++) damage(at, size, &random);
        wrong += readDamaged(at, size, &read);
        fine += tacrec_isDirectory(at, size);
    }
    __atomic_store_n(&thread.ended, true, __ATOMIC_RELEASE);
    if (meanwhile) pthread_join(id, NULL);
    snprintf(name, sizeof name, "%d damaged directories%s", times, meanwhile ? ", changed while they are read" : "");
    tell(name, wrong + (read == 0) + (fine == 0), "%llu wrong, %llu elements, %llu still directories",
        (unsigned long long) wrong, (unsigned long long) read, (unsigned long long) fine);
    munmap(whole, BYTES);
    munmap(area, BYTES + 2 * PAGE);
}

int main(int argc, char **argv) {
    int kills = argc > 1 ? atoi(argv[1]) : 200, delays = argc > 2 ? atoi(argv[2]) : 20;
    int damaged = argc > 3 ? atoi(argv[3]) : 10000;
    const char *folder = argc > 4 ? argv[4] : "/tmp";
    uint64_t seed = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (kills) testKills(kills, folder, seed);
    if (delays) testDelays(delays, seed);
    if (damaged) testDamaged(damaged, seed, false);
    if (damaged) testDamaged(damaged, seed, true);
    return failures != 0;
}
