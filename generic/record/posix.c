/*
 * posix.c -- directories as files in shared memory: made by programs, mapped by monitors.
 *
 * A file belongs to one program. Its pages are there before a sensor is added, or a thread has a ring: the rest of the
 * file takes no memory. It is what the program wrote until its last instruction, however it ended.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "record/tactusrec.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

static uint64_t monotonic(void *data) {
    struct timespec t;
    (void) data;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static const tacrec_hooks hooks = {.now = monotonic};

static uint32_t processorHere(void *data) {
    (void) data;
    return (uint32_t) sched_getcpu();
}

/* Those that sensors are written with. */
static tacrec_hooks hooksOfSensors(void) {
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    tacrec_hooks all = hooks;
    all.processor = processorHere;
    all.processors = processors > 0 ? (uint32_t) processors : 1;
    return all;
}

/*
 * The processor's counter, if it goes at one speed and the kernel itself keeps time by it: then it has found the
 * counters of all processors to agree.
 */
tacrec_clock tacrec_bestClock(tacrec_hooks *used) {
    char name[8] = "";
    if (used) *used = hooks;
    int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (file < 0) return TACREC_CLOCK_HOOK;
    ssize_t got = read(file, name, sizeof name - 1);
    close(file);
    return got > 0 && !strcmp(name, "tsc\n") && tacrec_counterIsInvariant() ? TACREC_CLOCK_TSC : TACREC_CLOCK_HOOK;
}

void tacrec_boot(uint8_t boot[16]) {
    char text[64] = "";
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0) close(file);
    unsigned n = 0;
    memset(boot, 0, 16);
    for (ssize_t i = 0; i + 1 < got && n < 16; i += 2) {
        unsigned byte;
        if (text[i] == '-') i++;
        if (sscanf(text + i, "%2x", &byte) != 1) break;
        boot[n++] = (uint8_t) byte;
    }
}

bool tacrec_pairHere(const tacrec_head *head, tacrec_pair *pair) {
    static const uint8_t none[16];
    uint8_t boot[16];
    tacrec_boot(boot);
    if (head->clock != TACREC_CLOCK_TSC || !memcmp(boot, none, 16) || memcmp(boot, head->boot, 16)) return false;
    if (tacrec_bestClock(NULL) != TACREC_CLOCK_TSC) return false;
    tacrec_measure(&hooks, pair);
    return true;
}

/* ---- memory of directories --------------------------------------------------------------------------------------- */

/*
 * What is mapped of a directory. It stays while its directory is open, and while a thread may still give back a ring
 * that it was given: a thread may end later than the directory.
 */
struct tacrec_memory {
    struct tacrec_memory *next;
    uint8_t *at;
    size_t size;
    int file;      /* descriptor */
    uint32_t uses; /* the directory, and each ring that was given by tacrec_attachHere */
    bool copied;   /* of a parent process */
};
typedef struct tacrec_memory Memory;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* keeps all of them */
static Memory *memories;
static pthread_key_t key; /* of the first sensor that a thread has attached */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool hasKey;

static void beforeFork(void) { pthread_mutex_lock(&lock); }
static void inParent(void) { pthread_mutex_unlock(&lock); }

/* A child process goes on with a copy: the rings have one writer, which is the parent. */
static void inChild(void) {
    for (Memory *memory = memories; memory; memory = memory->next) {
        memory->copied = true;
        mmap(memory->at, memory->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, memory->file, 0);
    }
    pthread_mutex_unlock(&lock);
}

static void removeAll(void *first);

static void prepare(void) {
    hasKey = !pthread_key_create(&key, removeAll);
    pthread_atfork(beforeFork, inParent, inChild);
}

/* Notes what was mapped, for its directory. */
static bool noteMemory(void *at, size_t size, int file) {
    Memory *memory = (Memory *) calloc(1, sizeof *memory);
    if (!memory) return false;
    pthread_mutex_lock(&lock);
    *memory = (Memory){memories, (uint8_t *) at, size, file, 1, false};
    memories = memory;
    pthread_mutex_unlock(&lock);
    return true;
}

/* The memory in which this lies, for one more use if it shall be; NULL: it is of no directory of a file. */
static Memory *memoryOf(const void *place, bool use) {
    const uint8_t *at = (const uint8_t *) place;
    pthread_mutex_lock(&lock);
    Memory *memory = memories;
    while (memory && (at < memory->at || at >= memory->at + memory->size)) memory = memory->next;
    if (memory) memory->uses += use;
    pthread_mutex_unlock(&lock);
    return memory;
}

/* Ends a use, and the memory with the last one. */
static void leaveMemory(Memory *memory) {
    if (!memory) return;
    pthread_mutex_lock(&lock);
    bool last = --memory->uses == 0;
    Memory **link = &memories;
    while (last && *link != memory) link = &(*link)->next;
    if (last) *link = memory->next;
    pthread_mutex_unlock(&lock);
    if (!last) return;
    munmap(memory->at, memory->size);
    close(memory->file);
    free(memory);
}

/* ---- of a program ------------------------------------------------------------------------------------------------ */

/* Makes a file PROGRAM-PID.tacrec, or PROGRAM-PID-2.tacrec ..., which was not there. Its descriptor, or -1. */
static int makeFile(tacrec_directory *directory, const char *folder, const char *program) {
    char name[TACREC_NAME], number[16] = "";
    size_t n = 0;
    for (; program[n] && n < sizeof name - 1; n++) name[n] = program[n] == '/' || program[n] == '\n' ? '_' : program[n];
    while (program[n] && n > 0 && ((unsigned char) program[n] & 0xc0) == 0x80) n--; /* a whole character */
    name[n] = 0;
    for (int i = 2;; i++) {
        int length = snprintf(
            directory->path, TACREC_PATH, "%s/%s-%ld%s.tacrec", folder, name, (long) getpid(), number);
        if (length >= TACREC_PATH) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = open(directory->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file >= 0 || errno != EEXIST || i > 100) return file;
        snprintf(number, sizeof number, "-%d", i);
    }
}

/* Memory that no one can make smaller once it is sealed. */
static int makeMemory(tacrec_directory *directory, const char *program) {
    int file = memfd_create(program, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0) snprintf(directory->path, TACREC_PATH, "/proc/%ld/fd/%d", (long) getpid(), file);
    return file;
}

/*
 * Makes bytes of the file and of its mapping be there, so that neither a full disk nor a page that is touched for the
 * first time comes between. False: errno says why.
 */
static bool makeThere(int file, void *memory, uint64_t from, uint64_t bytes) {
    uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE), end = from + bytes;
    int problem = EINTR;
    from -= from % page;
    while (problem == EINTR) problem = posix_fallocate(file, (off_t) from, (off_t) (end - from));
    errno = problem;
    if (problem) return false;
    uint8_t *at = (uint8_t *) memory;
    if (!madvise(at + from, (size_t) (end - from), MADV_POPULATE_WRITE)) return true;
    for (uint64_t i = from; i < end; i += page) __atomic_fetch_or(&at[i], 0, __ATOMIC_RELAXED); /* before Linux 5.14 */
    return true;
}

/* The hook of directories that are files. A child process has a copy of its own. */
static bool needMemory(void *data, void *at, uint64_t bytes) {
    const Memory *memory = memoryOf(at, false);
    (void) data;
    return !memory || memory->copied
        || makeThere(memory->file, memory->at, (uint64_t) ((uint8_t *) at - memory->at), bytes);
}

/* Gives the file its size and mode, and maps it; NULL: errno says why. */
static void *fillFile(int file, uint64_t bytes, bool memory, bool group) {
    if (bytes > TACREC_BYTES || bytes > SIZE_MAX) {
        errno = EFBIG;
        return NULL;
    }
    if (fchmod(file, group ? 0640 : 0600)) return NULL;
    if (ftruncate(file, (off_t) bytes)) return NULL;
    if (memory && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) return NULL;
    void *at = mmap(NULL, (size_t) bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) return NULL;
    uint64_t head = bytes < sizeof(tacrec_head) ? bytes : sizeof(tacrec_head);
    if (makeThere(file, at, 0, head)) return at;
    int problem = errno;
    munmap(at, (size_t) bytes);
    errno = problem;
    return NULL;
}

/* A directory that is nowhere. */
static void clearDirectory(tacrec_directory *directory) {
    memset(directory, 0, sizeof *directory);
    directory->hooks = hooks;
    directory->file = -1;
}

int tacrec_open(tacrec_directory *directory, const char *folder, const char *program, uint64_t bytes, unsigned flags) {
    clearDirectory(directory);
    pthread_once(&once, prepare);
    int file = folder ? makeFile(directory, folder, program) : makeMemory(directory, program);
    if (file < 0) return errno;
    void *memory = fillFile(file, bytes, !folder, (flags & TACREC_GROUP) != 0);
    tacrec_hooks used = hooksOfSensors();
    used.need = needMemory;
    int problem = memory ? EINVAL : errno;
    char path[TACREC_PATH];
    memcpy(path, directory->path, sizeof path);
    if (memory && bytes >= sizeof(tacrec_head)) tacrec_boot(((tacrec_head *) memory)->boot);
    if (memory && tacrec_make(directory, memory, bytes, program, (uint32_t) getpid(), tacrec_bestClock(NULL), &used)) {
        memcpy(directory->path, path, sizeof path);
        directory->file = file;
        if (noteMemory(memory, (size_t) bytes, file)) return 0;
        problem = ENOMEM;
    }
    clearDirectory(directory);
    if (memory) munmap(memory, (size_t) bytes);
    if (folder) unlink(path);
    close(file);
    return problem;
}

/* The folder of a recorder that runs this program; NULL: there is none. */
static const char *recordersFolder(void) {
    const char *folder = secure_getenv("TACTUS_RECORD");
    return folder && folder[0] ? folder : NULL;
}

/* Is this a folder that only this user can write? Another one could remove files, or put links there. */
static bool isOwnFolder(const char *path) {
    struct stat status;
    return !lstat(path, &status) && S_ISDIR(status.st_mode) && status.st_uid == geteuid()
        && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

int tacrec_defaultFolder(char *path, size_t room) {
    const char *given = recordersFolder(), *runtime = secure_getenv("XDG_RUNTIME_DIR");
    int length = given                 ? snprintf(path, room, "%s", given)
        : runtime && runtime[0] == '/' ? snprintf(path, room, "%s/tactus", runtime)
                                       : snprintf(path, room, "/dev/shm/tactus-%lu", (unsigned long) geteuid());
    if (length < 0 || (size_t) length >= room) return ENAMETOOLONG;
    if (given) return 0;
    if (mkdir(path, 0700) && errno != EEXIST) return errno;
    return isOwnFolder(path) ? 0 : EPERM;
}

/* The size of the directory: as the program says, or larger where its user wants more. */
static uint64_t sizeOf(uint64_t bytes) {
    const char *wanted = secure_getenv("TACTUS_RECORD_BYTES");
    unsigned long long more = wanted ? strtoull(wanted, NULL, 10) : 0;
    return more > bytes && more <= TACREC_BYTES ? more : bytes;
}

int tacrec_openDefault(tacrec_directory *directory, const char *program, uint64_t bytes) {
    char folder[TACREC_PATH];
    bytes = sizeOf(bytes);
    int problem = tacrec_defaultFolder(folder, sizeof folder);
    clearDirectory(directory);
    if (!problem) problem = tacrec_open(directory, folder, program ? program : program_invocation_short_name, bytes, 0);
    directory->stays = !problem && recordersFolder();
    return problem;
}

/* ---- of a thread ------------------------------------------------------------------------------------------------- */

/* Gives a ring back, unless that was done before. */
static void giveBack(tacrec_sensor *sensor) {
    Memory *memory = sensor->memory;
    sensor->memory = NULL;
    tacrec_remove(sensor);
    leaveMemory(memory);
}

static void removeAll(void *first) {
    for (tacrec_sensor *sensor = (tacrec_sensor *) first, *next; sensor; sensor = next) {
        next = sensor->sibling;
        sensor->sibling = NULL;
        giveBack(sensor);
    }
}

/* The calling thread gives back its rings in this memory. */
static void giveBackOf(const Memory *memory) {
    for (tacrec_sensor *sensor = hasKey ? (tacrec_sensor *) pthread_getspecific(key) : NULL; sensor;
         sensor = sensor->sibling)
        if (sensor->memory == memory) giveBack(sensor);
}

/* The thread's list is made anew without the sensor first, which may be one that was attached before. */
bool tacrec_attachHere(tacrec_threads *threads, tacrec_sensor *sensor) {
    pthread_once(&once, prepare);
    tacrec_sensor *first = hasKey ? (tacrec_sensor *) pthread_getspecific(key) : NULL, **link = &first;
    while (*link && *link != sensor) link = &(*link)->sibling;
    if (*link) {
        *link = sensor->sibling;
        giveBack(sensor);
    }
    bool got = tacrec_attach(threads, sensor, (uint32_t) syscall(SYS_gettid));
    sensor->memory = got ? memoryOf(sensor->entry, true) : NULL;
    sensor->sibling = first;
    if (hasKey) pthread_setspecific(key, sensor);
    return got;
}

/* ---- the end of a directory -------------------------------------------------------------------------------------- */

/* The calling thread gives its rings in the directory back; others may have some until they end. */
void tacrec_close(tacrec_directory *directory, bool keep) {
    Memory *memory = directory->head ? memoryOf(directory->head, false) : NULL;
    if (memory) {
        tacrec_pairNow(directory);
        __atomic_store_n(&directory->head->closed, 1u, __ATOMIC_RELEASE);
        /* Which does nothing to memory below /proc. */
        if (!keep && !directory->stays && !memory->copied) unlink(directory->path);
        giveBackOf(memory);
        leaveMemory(memory);
    }
    directory->head = NULL;
    directory->file = -1;
    directory->path[0] = 0;
}

/* ---- of a monitor ------------------------------------------------------------------------------------------------ */

/*
 * Can nobody make the file smaller who could not end this process anyway? Memory that is sealed cannot be cut; a file
 * can, by its owner.
 */
static bool isSafe(int file, const struct stat *status) {
    int seals = fcntl(file, F_GET_SEALS);
    if (seals >= 0 && (seals & F_SEAL_SHRINK)) return true;
    return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

int tacrec_monitorOpen(tacrec_monitor *monitor, const char *path, unsigned flags) {
    struct stat status;
    void *memory = MAP_FAILED;
    memset(monitor, 0, sizeof *monitor);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return errno;
    int problem = fstat(file, &status) ? errno : 0;
    uint64_t size = problem ? 0 : (uint64_t) status.st_size;
    if (!problem && (!S_ISREG(status.st_mode) || size < sizeof(tacrec_head))) problem = EINVAL;
    if (!problem && size > SIZE_MAX) problem = EFBIG;
    if (!problem && !(flags & TACREC_TRUSTED) && !isSafe(file, &status)) problem = EPERM;
    if (!problem) {
        memory = mmap(NULL, (size_t) size, PROT_READ, MAP_SHARED, file, 0);
        if (memory == MAP_FAILED) problem = errno;
        else if (!tacrec_isDirectory(memory, size)) problem = EINVAL;
    }
    close(file);
    if (problem && memory != MAP_FAILED) munmap(memory, size);
    if (problem) return problem;
    monitor->head = (const tacrec_head *) memory;
    monitor->size = size;
    return 0;
}

void tacrec_monitorClose(tacrec_monitor *monitor) {
    if (monitor->head) munmap((void *) (uintptr_t) monitor->head, monitor->size);
    memset(monitor, 0, sizeof *monitor);
}

/* The straight line through the oldest pair that is kept and one of now: its ends are known to some 20 ns. */
uint64_t tacrec_monitorTime(const tacrec_monitor *monitor, uint64_t time) {
    tacrec_pair old = {0, 0}, now;
    uint32_t count = __atomic_load_n(&monitor->head->pairCount, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&monitor->head->clock, __ATOMIC_RELAXED) != TACREC_CLOCK_TSC) return time;
    for (uint32_t n = count < TACREC_PAIRS ? 0 : count - TACREC_PAIRS + 1; n != count; n++)
        if (tacrec_readPair(monitor->head, n, &old)) break;
    tacrec_measure(&hooks, &now);
    if (now.counter <= old.counter || now.nanoseconds <= old.nanoseconds) return old.nanoseconds;
    double slope = (double) (now.nanoseconds - old.nanoseconds) / (double) (now.counter - old.counter);
    double later = (double) (int64_t) (time - old.counter) * slope;
    if (!(later > -9e18 && later < 9e18)) return old.nanoseconds; /* what no program has written */
    return old.nanoseconds + (uint64_t) (int64_t) later;
}
