/*
 * tactusrec.h -- sensors of a program: it writes elements at the cost of some tens of cycles, and monitors read them
 * meanwhile, in other processes or after its end.
 *
 *      static tacrec_sensor speed;
 *      tacrec_add(&directory, &speed, &speed_layout);          once; the rest never fails, waits or calls the system
 *
 *      struct speed *s = tacrec_write(&speed);                 the place of the next element
 *      s->value = 3;
 *      tacrec_commit(&speed, s);                               takes the time and publishes it
 *
 * Source: Riegel, "A Generalized Approach to Runtime Monitoring for Real-Time Systems" (GRTMon, 2005), sections 3
 * and 4. libtactusrec(3) describes it.
 *
 * The core (record.c, monitor.c) needs no library: memory and clock are given to it. It compiles as C11 and as C++,
 * also with -ffreestanding. posix.c makes directories of files in shared memory.
 */
#ifndef TACTUSREC_H
#define TACTUSREC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Words of 64 bits, as this processor has them. TACREC_TWO_WORDS: they are not stored at once, so a counter is two
 * words. TACREC_NARROW: nor are they compared and exchanged at once (Cortex-M), so the hooks say how threads are kept
 * away. Tests define them; a library and its programs must have the same.
 */
#ifndef TACREC_TWO_WORDS
#define TACREC_TWO_WORDS (__SIZEOF_POINTER__ < 8)
#endif
#ifndef TACREC_NARROW
#define TACREC_NARROW (__GCC_ATOMIC_LLONG_LOCK_FREE < 2)
#endif

enum {
    TACREC_VERSION = 1,
    TACREC_NAME = 48,     /* bytes of a name, with the 0 at its end */
    TACREC_FIELDS = 16,   /* of an element */
    TACREC_ELEMENT = 256, /* bytes of an element, at most */
    TACREC_RINGS = 1024,  /* threads of a sensor, at most */
    TACREC_PARTS = 64,    /* rings of a concurrent sensor, at most */
    TACREC_LINE = 64,     /* bytes that a processor moves at once */
    TACREC_SHARE = 8,     /* one byte of a directory in so many is for entries */
    TACREC_FURTHER = 4    /* one in so many at most is for rings of concurrent sensors that nobody asked for */
};

#define TACREC_BYTES (1ull << 37) /* of a directory, at most: lines that 32 bits count, with room to spare */

/* ---- what a sensor writes ---------------------------------------------------------------------------------------- */

typedef enum tacrec_type {
    TACREC_UNSIGNED = 1, /* 1, 2, 4 or 8 bytes */
    TACREC_SIGNED,
    TACREC_REAL, /* 4 or 8 bytes */
    TACREC_TEXT  /* UTF-8, ended by a 0 unless it fills the field */
} tacrec_type;

typedef struct tacrec_field {
    const char *name;
    tacrec_type type;
    uint16_t offset, size; /* in the element */
} tacrec_field;

/*
 * A jitter-constrained stream (GRTMon, 4.1: T, D, tau, tau'), in nanoseconds: element i of a regular sequence is
 * written between i * period - early and i * period + late, and at least `distance` after the one before. All 0: not
 * known.
 */
typedef struct tacrec_rate {
    uint64_t period, distance, late, early;
} tacrec_rate;

typedef enum tacrec_kind {
    TACREC_SIMPLE = 1, /* one writer at a time */
    TACREC_CONCURRENT, /* any number of writers, a ring for each processor; the time is that of tacrec_write */
    TACREC_PER_THREAD  /* a ring for each thread: tacrec_addThreads */
} tacrec_kind;

typedef struct tacrec_layout {
    const char *name; /* of the sensor */
    tacrec_kind kind;
    uint32_t size;     /* bytes of an element: 0 .. TACREC_ELEMENT */
    uint32_t capacity; /* elements that are kept: at least 2 */
    const tacrec_field *fields;
    uint32_t fieldCount;
    tacrec_rate rate;
    uint32_t priority;   /* 0: the least */
    const char *storage; /* name of the storage that it would like best; NULL: any */
    bool lasting;        /* CONCURRENT: its elements are never overwritten; when it is full, new ones are not seen */
    uint32_t rings; /* CONCURRENT: how many, each of the capacity; 1: one order of all elements; 0: see tacrec_add */
} tacrec_layout;

/* ---- shared memory: the same bytes for every program of a machine ------------------------------------------------ */

typedef enum tacrec_clock {
    TACREC_CLOCK_HOOK = 0, /* what the hook counts, in nanoseconds */
    TACREC_CLOCK_TSC = 1   /* the processor's counter; pairs say what it is in nanoseconds */
} tacrec_clock;

typedef struct tacrec_pair { /* two clocks at one moment */
    uint64_t counter, nanoseconds;
} tacrec_pair;

enum { TACREC_PAIRS = 64 };

typedef struct tacrec_head {
    char magic[8]; /* "TACTREC", 0: written last */
    uint32_t version, headSize;
    uint64_t size; /* of all, in bytes */
    uint32_t used; /* lines that are given away */
    uint32_t clock, pid;
    uint32_t entries, entryCount; /* room for sensors; how many were claimed */
    uint32_t pairCount;           /* pairs that were written; the last TACREC_PAIRS - 1 are kept */
    char program[TACREC_NAME];
    tacrec_pair pairs[TACREC_PAIRS];
    uint8_t boot[16]; /* of the machine's start; all 0: not known */
    uint32_t further; /* lines that are given away to rings that nobody asked for */
    uint32_t closed;  /* 1: by its program (tacrec_close) */
} tacrec_head;

typedef struct tacrec_fieldEntry {
    char name[TACREC_NAME - 8];
    uint32_t type;
    uint16_t offset, size;
} tacrec_fieldEntry;

typedef struct tacrec_owner { /* of a ring of a PER_THREAD sensor */
    uint32_t thread;
    uint32_t first[2]; /* number of its first element there: lower and upper half */
    uint32_t padding;
} tacrec_owner;

enum { TACREC_OWNERS = 8 };

typedef struct tacrec_entry { /* of a sensor, or of one of its rings */
    uint32_t state;           /* tacrec_state */
    uint32_t kind, size, stride, capacity, fieldCount, priority;
    uint32_t twoWords; /* the counter is two words */
    uint32_t lasting;  /* 1: elements are never overwritten */
    uint32_t part;     /* CONCURRENT: 0, or number of this ring among those of the sensor */
    uint64_t ring;     /* offset of its tacrec_ring */
    uint64_t first;    /* number of its first element: not 0 only in tests */
    tacrec_rate rate;
    char name[TACREC_NAME];
    char storage[TACREC_NAME];
    tacrec_fieldEntry fields[TACREC_FIELDS];
    /* PER_THREAD: */
    uint32_t taken;      /* some thread has it */
    uint32_t ownerCount; /* threads that had it so far; the last TACREC_OWNERS - 1 are kept */
    tacrec_owner owners[TACREC_OWNERS];
} tacrec_entry;

typedef enum tacrec_state { TACREC_FREE, TACREC_READY, TACREC_GONE } tacrec_state;

/*
 * The counters of a ring, on a line of their own; elements follow at the next line. SIMPLE: elements that were
 * published. CONCURRENT: numbers that were given away, how many of them became no element, since their place was still
 * held, and how many elements found no room (lasting). Where words of 64 bits are not written at once the first is two
 * words (GRTMon, 3.2): the upper 32 bits and the lower 31, with the lowest bit of the upper part repeated in the lower
 * word. So a reader between the two stores knows that the upper one is ahead.
 */
typedef struct tacrec_ring {
    union {
        uint64_t written;
        uint32_t words[2]; /* lower, upper */
    } counter;
    uint64_t passed, refused;
    uint64_t padding[TACREC_LINE / 8 - 3];
} tacrec_ring;

/*
 * Loads a word of 64 bits that only grows. Where it is two halves, both are of one moment if the upper one is the same
 * before and after the lower one. Else it became this upper half with a lower half of 0 in between, which is a value
 * that the word has passed since the call: as good as any for a reader. Between the stores of both halves, the lower
 * one first, it is a value that lies far back, as if nothing had been written.
 */
static inline uint64_t tacrec_load(const uint64_t *at) {
#if !TACREC_NARROW
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#else
    typedef uint32_t __attribute__((may_alias)) Half;
    const Half *half = (const Half *) at;
    int high = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    uint32_t before = __atomic_load_n(&half[high], __ATOMIC_ACQUIRE);
    uint32_t low = __atomic_load_n(&half[!high], __ATOMIC_ACQUIRE);
    uint32_t after = __atomic_load_n(&half[high], __ATOMIC_ACQUIRE);
    return (uint64_t) after << 32 | (before == after ? low : 0);
#endif
}

/* Stores the counter of a SIMPLE ring. */
static inline void tacrec_publish(tacrec_ring *ring, uint64_t written) {
#if TACREC_TWO_WORDS
    uint32_t upper = (uint32_t) (written >> 31), lower = (uint32_t) (written & 0x7fffffffu) | (upper & 1) << 31;
    if (ring->counter.words[1] != upper) __atomic_store_n(&ring->counter.words[1], upper, __ATOMIC_RELEASE);
    __atomic_store_n(&ring->counter.words[0], lower, __ATOMIC_RELEASE);
#else
    __atomic_store_n(&ring->counter.written, written, __ATOMIC_RELEASE);
#endif
}

/*
 * The counter of a SIMPLE ring, as it was at some moment of the call. Two words: the upper one is read before and after
 * the lower one, and only grows. If it is the same, the lower word is of this upper one, or, as its highest bit says,
 * of the one before, whose last number it then is. If it has grown, the number just before the upper part was stored is
 * one that the counter has passed since the call; so a reader that was stopped for long in here does not go wrong.
 */
static inline uint64_t tacrec_published(const tacrec_ring *ring, bool twoWords) {
    if (!twoWords) return tacrec_load(&ring->counter.written);
    uint32_t before = __atomic_load_n(&ring->counter.words[1], __ATOMIC_ACQUIRE);
    uint32_t lower = __atomic_load_n(&ring->counter.words[0], __ATOMIC_ACQUIRE);
    uint32_t upper = __atomic_load_n(&ring->counter.words[1], __ATOMIC_ACQUIRE);
    if (before != upper || lower >> 31 != (upper & 1)) return ((uint64_t) upper << 31) - 1;
    return (uint64_t) upper << 31 | (lower & 0x7fffffffu);
}

/*
 * An element: its time, and what it is of a CONCURRENT one: 2 n + 1 while element n is written, 2 n + 2 when it is
 * published; then its data.
 */
typedef struct tacrec_element {
    uint64_t turn;
    uint64_t time;
} tacrec_element;

/*
 * Index of the place of element n in a CONCURRENT ring, whose capacity is a power of two. Successive elements do not
 * lie side by side: two threads that write them would wait for one line of memory.
 */
static inline uint32_t tacrec_placeOf(uint64_t n, uint32_t capacity) { return (uint32_t) (n * 13) & (capacity - 1); }

/* ---- writing ----------------------------------------------------------------------------------------------------- */

typedef struct tacrec_hooks {
    uint64_t (*now)(void *data); /* nanoseconds that never go back */
    void *data;
    /* TACREC_NARROW only, for CONCURRENT sensors: keep all others away for a few instructions (interrupts off and on).
     */
    void (*enter)(void *data), (*leave)(void *data);
    uint32_t (*processor)(void *data); /* number of the processor that runs this, from 0; NULL: not known */
    uint32_t processors;               /* that there are */
    /* Makes memory of the directory be there, before it is written for the first time. False: there is none. NULL: all
     * of it is. */
    bool (*need)(void *data, void *at, uint64_t bytes);
} tacrec_hooks;

enum { TACREC_PATH = 256 };

typedef struct tacrec_directory {
    tacrec_head *head; /* NULL: there is none; its sensors write into themselves */
    tacrec_hooks hooks;
    /* tacrec_open: */
    int file;               /* descriptor */
    bool stays;             /* the file is removed by whoever records it */
    char path[TACREC_PATH]; /* to be given to tacrec_monitorOpen */
} tacrec_directory;

typedef struct tacrec_sensor {
    uint8_t *next; /* SIMPLE: the next element */
    uint8_t *begin, *end;
    tacrec_ring *ring;
    uint64_t count;       /* SIMPLE: elements that were written */
    uint64_t most;        /* CONCURRENT: numbers that may be given away */
    uint64_t apart;       /* CONCURRENT: bytes from ring to ring */
    uint32_t rings, mask; /* CONCURRENT: how many; of numbers of processors that are no less */
    uint32_t stride, capacity, kind, clock;
    tacrec_hooks hooks;
    tacrec_entry *entry;           /* of the first ring; NULL: the registration failed */
    struct tacrec_sensor *sibling; /* tacrec_attachHere: the next one of this thread */
    struct tacrec_memory *memory;  /* tacrec_attachHere: what keeps the ring's memory there; NULL: nothing */
    tacrec_ring spareRing;
    uint64_t spare[2 * (sizeof(tacrec_element) + TACREC_ELEMENT) / 8];
} tacrec_sensor;

/* A sensor with a ring for each thread. */
typedef struct tacrec_threads {
    tacrec_entry *entries; /* of the rings, side by side; NULL: the registration failed */
    tacrec_head *head;
    tacrec_hooks hooks;
    uint32_t rings;
    uint32_t turn; /* where the next search for a free one begins */
} tacrec_threads;

/*
 * Makes a directory in memory of `size` bytes (at least 64 KiB, on a line), which is zero. Ownership of the memory
 * stays the caller's. clock: TSC only where the processor's counter is invariant. False: the memory is too small.
 */
bool tacrec_make(tacrec_directory *directory, void *memory, uint64_t size, const char *program, uint32_t pid,
    tacrec_clock clock, const tacrec_hooks *hooks);

/*
 * Adds a sensor, which stays where it is until tacrec_remove. True: monitors see it. False: the layout is wrong, or
 * there is no room; it may be written all the same, and nobody sees that. Threads may add sensors at the same time.
 *
 * A CONCURRENT one has as many rings as the layout says, but no more than there are processors: several entries of one
 * name, each with elements in order of time. Rings 0: one for each processor, as long as all that sensors have got so
 * beyond their first is no more than a quarter of the directory. Where there is no room for so many there are fewer,
 * down to one; a lasting sensor always has one.
 */
bool tacrec_add(tacrec_directory *directory, tacrec_sensor *sensor, const tacrec_layout *layout);
/* What it has written stays for monitors. A thread's ring may be given to another thread. */
void tacrec_remove(tacrec_sensor *sensor);

/*
 * Adds a sensor of the kind PER_THREAD with rings for so many threads at a time (at most TACREC_RINGS), each of the
 * layout's capacity: several entries of one name. False, as with tacrec_add: threads may attach to it all the same.
 */
bool tacrec_addThreads(
    tacrec_directory *directory, tacrec_threads *threads, const tacrec_layout *layout, uint32_t rings);
/*
 * Gives a thread, under its number, a ring: `sensor` is the thread's own until tacrec_remove, and is written as a
 * SIMPLE one. At most as many steps as there are rings, and a call of the hook `need` for one that no thread had
 * before. False: all are taken, or there is no memory; it may be written, unseen.
 */
bool tacrec_attach(tacrec_threads *threads, tacrec_sensor *sensor, uint32_t thread);
/* Ends the whole sensor; threads that are still attached write on into their rings. */
void tacrec_removeThreads(tacrec_threads *threads);

/* Looks at the processor's counter and the hook's clock, both now. */
void tacrec_measure(const tacrec_hooks *hooks, tacrec_pair *pair);
/* Notes such a pair in the directory, for monitors. One thread at a time. */
void tacrec_pairNow(tacrec_directory *directory);

/* The processor's counter, not before what was read in memory earlier. 0 where it has none. */
static inline uint64_t tacrec_counter(bool ordered) {
#if defined(__x86_64__) || defined(__i386__)
    if (ordered) __asm__ volatile("lfence" ::: "memory");
    return __builtin_ia32_rdtsc();
#else
    (void) ordered;
    return 0;
#endif
}

/* Does the processor say that its counter goes at one speed, whatever it does (CPUID 80000007, EDX bit 8)? */
static inline bool tacrec_counterIsInvariant(void) {
#if defined(__x86_64__) || defined(__i386__)
    uint32_t a = 0x80000000u, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (a < 0x80000007u) return false;
    a = 0x80000007u;
    c = 0;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return (d >> 8 & 1) != 0;
#else
    return false;
#endif
}

/* The thread's own memory, from which the C library counts. */
static inline const void *tacrec_threadPointer(void) {
#if defined(__x86_64__)
    const void *at;
    __asm__("movq %%fs:0, %0" : "=r"(at));
    return at;
#elif defined(__i386__)
    const void *at;
    __asm__("movl %%gs:0, %0" : "=r"(at));
    return at;
#else
    return __builtin_thread_pointer();
#endif
}

static inline uint64_t tacrec_now(const tacrec_sensor *sensor, bool ordered) {
    return sensor->clock == TACREC_CLOCK_TSC ? tacrec_counter(ordered) : sensor->hooks.now(sensor->hooks.data);
}

/* What tacrec_write and tacrec_commit call where they are more than a few instructions. */
void *tacrec_writeConcurrent(tacrec_sensor *sensor);
void tacrec_commitNarrow(tacrec_sensor *sensor, tacrec_element *element);

/*
 * The place of the next element, for the caller to fill: size bytes of the layout, at 8 bytes. It holds an old element,
 * or zeros. SIMPLE: the same place until it is committed.
 */
static inline void *tacrec_write(tacrec_sensor *sensor) {
    if (sensor->kind == TACREC_CONCURRENT) return tacrec_writeConcurrent(sensor);
    return sensor->next + sizeof(tacrec_element);
}

/*
 * Publishes the element that tacrec_write gave.
 *
 * The order of memory: whoever sees the new counter sees the element (release), and whoever sees something of the next
 * element in the place of an old one sees this counter (the fence, which stands before all that is written after the
 * call). A place is written only while the counter is a whole round ahead of the element that a reader may be copying,
 * so a reader that finds the counter less than a round ahead after its copy has copied a whole element.
 */
static inline void tacrec_commit(tacrec_sensor *sensor, void *place) {
    tacrec_element *element = (tacrec_element *) ((uint8_t *) place - sizeof(tacrec_element));
    if (sensor->kind == TACREC_CONCURRENT) {
#if TACREC_NARROW
        tacrec_commitNarrow(sensor, element);
#else
        __atomic_store_n(&element->turn, __atomic_load_n(&element->turn, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
#endif
        return;
    }
    element->time = tacrec_now(sensor, false);
    sensor->next += sensor->stride;
    if (sensor->next == sensor->end) sensor->next = sensor->begin;
    tacrec_publish(sensor->ring, ++sensor->count);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* A monitor's place in a sensor. Reading changes nothing in the directory. */
typedef struct tacrec_reader {
    const tacrec_entry *entry; /* as it is; what matters of it was copied: */
    uint32_t kind, size, stride, capacity, twoWords;
    const tacrec_ring *ring;
    const uint8_t *elements;
    uint64_t at;     /* number of the next element to be read */
    uint64_t missed; /* numbers that were overwritten before they were read, or skipped */
    uint64_t read;   /* elements that were read */
} tacrec_reader;

/* Is this a directory, all of which lies in `size` bytes? */
bool tacrec_isDirectory(const void *memory, uint64_t size);
/* Entries that were claimed so far, removed sensors among them; never more than the largest directory has. */
uint32_t tacrec_sensors(const tacrec_head *head);
/*
 * Copies what is said of the kth sensor: names end, fields lie within the element. False: it is not ready, or what
 * stands there is damaged.
 */
bool tacrec_describe(const tacrec_head *head, uint64_t size, uint32_t k, tacrec_entry *copy);
/* Copies the nth pair of clocks. False: it is not written yet, or not kept. */
bool tacrec_readPair(const tacrec_head *head, uint32_t n, tacrec_pair *pair);
/*
 * Begins to read the kth sensor with the oldest element that is kept; those before it are missed. False: as with
 * tacrec_describe.
 */
bool tacrec_readerBegin(tacrec_reader *reader, const tacrec_head *head, uint64_t size, uint32_t k);
/*
 * Copies the next element: its time, and `size` bytes of it. 1: it is whole. 0: there is none yet (one that is being
 * written by another thread is waited for, those behind it as well), or the writer was faster: call again. Takes a
 * bounded number of steps.
 */
int tacrec_readerNext(tacrec_reader *reader, uint64_t *time, void *data);
/*
 * Passes over an element whose writer does not go on (it was killed, or waits for long), and counts it as missed.
 * False: there is none that is begun.
 */
bool tacrec_readerSkip(tacrec_reader *reader);
/*
 * CONCURRENT: how many of the numbers that were missed so far, by any reader, were never an element: a writer found the
 * place held by one of a round before, and took another number. Elements that were written: read + missed - passed.
 */
uint64_t tacrec_readerPassed(const tacrec_reader *reader);
/* Of a lasting sensor: elements that found no more room. They have no numbers and are not among those missed. */
uint64_t tacrec_readerRefused(const tacrec_reader *reader);
/* PER_THREAD: number of the thread that wrote the element that was read last; 0: it is not known any more. */
uint32_t tacrec_readerThread(const tacrec_reader *reader);

/* ---- directories in files (posix.c) ------------------------------------------------------------------------------ */

enum {
    TACREC_GROUP = 1,  /* tacrec_open: the file's group may read it */
    TACREC_TRUSTED = 1 /* tacrec_monitorOpen: map it, even if another user could cut it */
};

/*
 * Makes a directory of so many bytes in a new file of a folder, PROGRAM-PID.tacrec, or in memory that others find by
 * /proc (folder NULL). Only the own user may read it, unless flags say more. 0, or what errno says; then the directory
 * has no place, and its sensors are written all the same. A child process (fork) has a copy, which nobody sees.
 */
int tacrec_open(tacrec_directory *directory, const char *folder, const char *program, uint64_t bytes, unsigned flags);
/*
 * The folder in which recorders look for programs: that of the environment variable TACTUS_RECORD, which `tactus
 * record` sets for its command, else tactus in $XDG_RUNTIME_DIR, else /dev/shm/tactus-UID; the last two are made where
 * they are not there (mode 0700). 0, or what errno says: EPERM, it is not this user's alone; ENAMETOOLONG.
 */
int tacrec_defaultFolder(char *path, size_t room);
/*
 * tacrec_open in the default folder. program NULL: the name of the executable. Where `tactus record` records the
 * program, tacrec_close leaves the file, which the recorder may still have to read.
 */
int tacrec_openDefault(tacrec_directory *directory, const char *program, uint64_t bytes);
/* The clock that directories of this machine are made with; *hooks, unless NULL: those of CLOCK_MONOTONIC, beside which
 * it is measured. */
tacrec_clock tacrec_bestClock(tacrec_hooks *hooks);
/* What the machine's start is known by (boot_id); all 0: it is not known. */
void tacrec_boot(uint8_t boot[16]);
/* Ends a directory whose sensors are written no more. keep: its file stays, to be read; that of a parent process stays
 * in any case. */
void tacrec_close(tacrec_directory *directory, bool keep);
/* tacrec_attach with the kernel's number of the calling thread, at whose end the ring is given back by itself. The
 * sensor must live as long as the thread: _Thread_local. */
bool tacrec_attachHere(tacrec_threads *threads, tacrec_sensor *sensor);

/* A directory that is watched. */
typedef struct tacrec_monitor {
    const tacrec_head *head;
    uint64_t size;
} tacrec_monitor;

/*
 * Maps a directory, to be read. 0, or what errno says: EINVAL, it is no directory (yet); EPERM, it belongs to another
 * user, who could cut it while it is read, which ends the reader with SIGBUS; memory (folder NULL) cannot be cut.
 */
int tacrec_monitorOpen(tacrec_monitor *monitor, const char *path, unsigned flags);
void tacrec_monitorClose(tacrec_monitor *monitor);
/* tacrec_measure, for a directory of this machine since its start, whose clock is TACREC_CLOCK_TSC; false: it is none.
 */
bool tacrec_pairHere(const tacrec_head *head, tacrec_pair *pair);
/* A time of an element in nanoseconds of CLOCK_MONOTONIC; on the machine and since the start where it was written. */
uint64_t tacrec_monitorTime(const tacrec_monitor *monitor, uint64_t time);

#ifdef __cplusplus
}
#endif

#endif
