/*
 * evaluate.c -- elements of many sensors in one order of time, for evaluations that come and go.
 *
 *      inputs (a sensor's reader, or one of the caller's) -> the next element of each -> heap by time -> evaluations
 *
 * An input is full (its next element is in the heap), empty, or has ended. Invariants, between two looks at inputs:
 *   1. The heap has the full inputs; nothing in it is older than `reached`, but for late elements.
 *   2. What an empty input still brings is of after `now - wait`, or late: it was empty when the step began.
 * So the oldest element of the heap is the oldest of all that are to come if no input is empty, or if it is not of
 * after `now - wait`.
 */
#define _GNU_SOURCE
#include "record/tactusrec_evaluate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    WORDS = TACREC_EVALUATIONS / 64,
    INPUTS = 1 << 16,    /* of all, and sensors of a directory that are looked at */
    SKIPS = 8,           /* held places that are passed over at a time */
    STEADY = 1000,       /* nanoseconds by which a writer's times may go back: it takes them without waiting */
    ANCHORED = 200000000 /* nanoseconds after which clocks are compared anew */
};
static const uint64_t FUTURE = 1000000000; /* nanoseconds that a time may be ahead */

typedef struct Directory {
    tacrec_monitor monitor;
    char *path;
    uint32_t pid;
    char program[TACREC_NAME];
    bool ended;     /* nothing is written any more */
    uint8_t *begun; /* of each sensor: it has an input */
    uint32_t sensors;
    /* The straight line from its clock to ours, through a point of `anchored`. */
    uint64_t counter, nanoseconds, anchored;
    uint64_t first; /* value of `anchored`; 0: none */
    double slope;
} Directory;

typedef struct tacrec_fed Input;
struct tacrec_fed {
    tacrec_entry entry;
    char program[TACREC_NAME];
    uint32_t pid, number;
    int (*next)(void *data, uint64_t now, tacrec_read *read); /* NULL: the caller feeds it */
    void (*close)(void *data);
    void *data;
    Directory *directory; /* a sensor of it; NULL: one of the caller's */
    tacrec_reader reader;
    uint64_t wait, heldAt, heldSince; /* CONCURRENT: the place that is held, and since when it was seen so */
    bool held, full, ended, late;
    tacrec_read head; /* full: the next element */
    uint64_t last;    /* time of the element before */
    uint64_t elements, missed, lateCount;
    uint64_t wanted[WORDS];               /* bits of evaluations */
    uint8_t patterns[TACREC_EVALUATIONS]; /* the first pattern of each that fits */
};

typedef struct Known { /* a file of a folder that was looked at */
    char *name;
    ino_t inode;
    bool there;
} Known;

typedef struct Folder {
    char *path;
    unsigned flags;
    Known *known;
    size_t knownCount;
} Folder;

struct tacrec_evaluator {
    uint64_t wait;
    uint64_t reached; /* evaluations were told that they have all before it */
    Input **inputs, **heap;
    uint32_t inputCount, heapCount, numbers;
    uint32_t open; /* inputs that have not ended, */
    uint32_t fed;  /* ... and those that are fed */
    Directory **directories;
    Folder *folders;
    size_t directoryCount, folderCount;
    tacrec_evaluation *slots[TACREC_EVALUATIONS];
    /* What other threads change: */
    tacrec_evaluation *arriving; /* the last one that was added first */
    uint32_t count;              /* evaluations, arriving ones among them */
    uint32_t changed;            /* some arrive or leave */
    tacrec_evaluated done;
};

uint64_t tacrec_evaluatorNow(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* Makes room for one more thing of an array. False: no memory, and all is as it was. */
static bool grow(void *array, size_t count, size_t size) {
    void *to = realloc(*(void **) array, (count + 1) * size);
    if (!to) return false;
    *(void **) array = to;
    return true;
}

/* ---- evaluations ------------------------------------------------------------------------------------------------- */

static bool isLeaving(const tacrec_evaluation *e) { return __atomic_load_n(&e->leaving, __ATOMIC_ACQUIRE) != 0; }

/* Notes whether the evaluation of a slot wants the input's elements. */
static void match(const tacrec_evaluator *all, Input *input, uint32_t slot) {
    const tacrec_evaluation *e = all->slots[slot];
    uint64_t bit = 1ull << slot % 64;
    input->wanted[slot / 64] &= ~bit;
    if (!e || (e->program && fnmatch(e->program, input->program, 0))) return;
    for (uint8_t k = 0; k < TACREC_PATTERNS && e->sensors[k]; k++) {
        if (fnmatch(e->sensors[k], input->entry.name, 0)) continue;
        input->wanted[slot / 64] |= bit;
        input->patterns[slot] = k;
        return;
    }
}

static void matchAll(tacrec_evaluator *all, uint32_t slot) {
    for (uint32_t i = 0; i < all->inputCount; i++) match(all, all->inputs[i], slot);
}

bool tacrec_evaluatorAdd(tacrec_evaluator *all, tacrec_evaluation *e) {
    if (__atomic_fetch_add(&all->count, 1u, __ATOMIC_RELAXED) >= TACREC_EVALUATIONS) {
        __atomic_fetch_sub(&all->count, 1u, __ATOMIC_RELAXED);
        return false;
    }
    e->leaving = 0;
    e->next = __atomic_load_n(&all->arriving, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&all->arriving, &e->next, e, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        continue;
    __atomic_store_n(&all->changed, 1u, __ATOMIC_RELEASE);
    return true;
}

void tacrec_evaluatorRemove(tacrec_evaluator *all, tacrec_evaluation *e) {
    __atomic_store_n(&e->leaving, 1u, __ATOMIC_RELEASE); /* from here on it may be gone */
    __atomic_store_n(&all->changed, 1u, __ATOMIC_RELEASE);
}

/* Gives those that arrive a slot each, in the order in which they were added. There are as many as `count` allowed. */
static void arrive(tacrec_evaluator *all) {
    tacrec_evaluation *e = __atomic_exchange_n(&all->arriving, NULL, __ATOMIC_ACQUIRE), *first = NULL, *next;
    for (; e; e = next) {
        next = e->next;
        e->next = first;
        first = e;
    }
    uint32_t slot = 0;
    for (e = first; e; e = next) {
        next = e->next;
        while (all->slots[slot]) slot++;
        all->slots[slot] = e;
        matchAll(all, slot);
    }
}

static void leave(tacrec_evaluator *all, uint32_t slot) {
    tacrec_evaluation *e = all->slots[slot];
    all->slots[slot] = NULL;
    matchAll(all, slot);
    __atomic_fetch_sub(&all->count, 1u, __ATOMIC_RELAXED);
    if (e->removed) e->removed(e->data);
}

static void acceptChanges(tacrec_evaluator *all) {
    if (!__atomic_exchange_n(&all->changed, 0u, __ATOMIC_ACQUIRE)) return;
    arrive(all);
    for (uint32_t slot = 0; slot < TACREC_EVALUATIONS; slot++)
        if (all->slots[slot] && isLeaving(all->slots[slot])) leave(all, slot);
}

/* ---- a sensor of a directory ------------------------------------------------------------------------------------- */

/* Lays the line through two points of tacrec_monitorTime, far from one another. */
static void anchor(Directory *directory, uint64_t now) {
    const uint64_t far = 1ull << 36;
    directory->anchored = now;
    if (!directory->first) directory->first = now;
    if (__atomic_load_n(&directory->monitor.head->clock, __ATOMIC_RELAXED) != TACREC_CLOCK_TSC) {
        directory->slope = 0;
        return;
    }
    directory->counter = tacrec_counter(false);
    directory->nanoseconds = tacrec_monitorTime(&directory->monitor, directory->counter);
    uint64_t before = tacrec_monitorTime(&directory->monitor, directory->counter - far);
    directory->slope = (double) (int64_t) (directory->nanoseconds - before) / (double) far;
}

/* A line through clocks that were compared for a short time leads away from them, so it is followed no further. */
static uint64_t timeOf(Directory *directory, uint64_t time, uint64_t now) {
    uint64_t compared = directory->anchored - directory->first;
    if (now - directory->anchored > (compared < ANCHORED ? compared : ANCHORED)) anchor(directory, now);
    if (directory->slope == 0) return time;
    double later = (double) (int64_t) (time - directory->counter) * directory->slope;
    if (!(later > -9e18 && later < 9e18)) return directory->nanoseconds; /* what no program has written */
    return directory->nanoseconds + (uint64_t) (int64_t) later;
}

/*
 * Is the sensor's next place begun and not finished, for longer than `wait`? A program that has ended finishes nothing.
 */
static bool isStuck(Input *input, uint64_t now) {
    const tacrec_reader *reader = &input->reader;
    bool held = reader->kind == TACREC_CONCURRENT && (int64_t) (tacrec_published(reader->ring, false) - reader->at) > 0;
    if (held && (!input->held || input->heldAt != reader->at)) {
        input->heldAt = reader->at;
        input->heldSince = now;
    }
    input->held = held;
    return held && (input->directory->ended || now - input->heldSince > input->wait);
}

static int readSensor(void *data, uint64_t now, tacrec_read *read) {
    Input *input = (Input *) data;
    tacrec_reader *reader = &input->reader;
    /* Looked at first: then nothing comes behind what is read. Threads write on into rings that were removed. */
    bool ended = input->directory->ended
        || (reader->kind != TACREC_PER_THREAD
            && __atomic_load_n(&reader->entry->state, __ATOMIC_ACQUIRE) == TACREC_GONE);
    uint64_t missed = reader->missed, time;
    int got = tacrec_readerNext(reader, &time, read->data);
    for (int i = 0; !got && i < SKIPS && isStuck(input, now) && tacrec_readerSkip(reader); i++)
        got = tacrec_readerNext(reader, &time, read->data);
    read->missed = reader->missed - missed;
    if (!got) return ended && !input->held ? -1 : 0;
    read->time = timeOf(input->directory, time, now);
    read->number = reader->at - 1;
    read->thread = tacrec_readerThread(reader);
    return 1;
}

/* ---- the heap of full inputs ------------------------------------------------------------------------------------- */

/* Elements of one time are in the order in which their inputs came. */
static bool isBefore(const Input *a, const Input *b) {
    return a->head.time != b->head.time ? a->head.time < b->head.time : a->number < b->number;
}

static void sink(tacrec_evaluator *all, uint32_t at) {
    Input **heap = all->heap, *input = heap[at];
    for (uint32_t child; (child = 2 * at + 1) < all->heapCount; at = child) {
        if (child + 1 < all->heapCount && isBefore(heap[child + 1], heap[child])) child++;
        if (!isBefore(heap[child], input)) break;
        heap[at] = heap[child];
    }
    heap[at] = input;
}

static void push(tacrec_evaluator *all, Input *input) {
    uint32_t at = all->heapCount++;
    for (uint32_t above; at && isBefore(input, all->heap[above = (at - 1) / 2]); at = above)
        all->heap[at] = all->heap[above];
    all->heap[at] = input;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static void countElement(tacrec_evaluator *all, Input *input) {
    input->elements++;
    input->lateCount += input->late;
    all->done.elements++;
    all->done.late += input->late;
}

/* Reads the input's next element, if there is one. What was missed before it is told with it. */
static void fill(tacrec_evaluator *all, Input *input, uint64_t now) {
    uint64_t missed = input->head.missed;
    input->head.missed = 0;
    int got = input->next(input->data, now, &input->head);
    input->missed += input->head.missed;
    all->done.missed += input->head.missed;
    input->head.missed += missed;
    input->full = got > 0;
    input->ended = got < 0;
    all->open -= input->ended;
    if (!input->full) return;
    if (input->head.time > now && input->head.time - now > FUTURE) {
        input->head.time = now;
        all->done.wild++;
    }
    if (input->head.time < input->last && input->last - input->head.time <= STEADY) input->head.time = input->last;
    input->last = input->head.time;
    input->late = input->head.time < all->reached;
    countElement(all, input);
}

/* First all are asked, then those that want it get it. Those that were removed meanwhile get nothing. */
static void give(tacrec_evaluator *all, Input *input) {
    tacrec_seen seen = {.read = &input->head,
        .entry = &input->entry,
        .program = input->program,
        .pid = input->pid,
        .input = input->number,
        .late = input->late};
    uint8_t chosen[TACREC_EVALUATIONS];
    uint32_t count = 0;
    for (uint32_t word = 0; word < WORDS; word++) {
        for (uint64_t bits = input->wanted[word]; bits; bits &= bits - 1) {
            uint32_t slot = word * 64 + (uint32_t) __builtin_ctzll(bits);
            const tacrec_evaluation *e = all->slots[slot];
            seen.pattern = input->patterns[slot];
            if (isLeaving(e) || (seen.late && !e->late)) continue;
            if (!e->prepare || e->prepare(e->data, &seen)) chosen[count++] = (uint8_t) slot;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const tacrec_evaluation *e = all->slots[chosen[i]];
        seen.pattern = input->patterns[chosen[i]];
        if (!isLeaving(e)) e->commit(e->data, &seen);
    }
}

/* Gives the oldest element, and reads the next one of its input. */
static void giveOldest(tacrec_evaluator *all, uint64_t now) {
    Input *input = all->heap[0];
    if (input->head.time > all->reached) all->reached = input->head.time;
    give(all, input);
    input->head.missed = 0;
    fill(all, input, now);
    if (!input->full) all->heap[0] = all->heap[--all->heapCount];
    if (all->heapCount) sink(all, 0);
}

/* Tells evaluations up to when they have seen all. */
static void tellPassed(tacrec_evaluator *all, uint64_t time) {
    if (time > all->reached) all->reached = time;
    for (uint32_t slot = 0; slot < TACREC_EVALUATIONS; slot++) {
        const tacrec_evaluation *e = all->slots[slot];
        if (e && e->passed && !isLeaving(e)) e->passed(e->data, all->reached);
    }
}

/* Invariant 2: a moment up to which nothing is to come any more but for late elements. */
static uint64_t settled(const tacrec_evaluator *all, uint64_t horizon) {
    if (!all->heapCount) return horizon;
    uint64_t oldest = all->heap[0]->head.time;
    return oldest < horizon || all->heapCount == all->open ? oldest : horizon;
}

uint64_t tacrec_evaluatorStep(tacrec_evaluator *all, uint64_t now, uint64_t most) {
    uint64_t horizon = now > all->wait ? now - all->wait : 0, given = 0;
    acceptChanges(all);
    for (uint32_t i = 0; i < all->inputCount; i++) {
        Input *input = all->inputs[i];
        if (input->full || input->ended || !input->next) continue;
        fill(all, input, now);
        if (input->full) push(all, input);
    }
    for (; given < most && all->heapCount; given++) {
        if (all->heap[0]->head.time > horizon && all->heapCount < all->open) break;
        giveOldest(all, now);
    }
    tellPassed(all, settled(all, horizon));
    return given;
}

/* ---- inputs come and go ------------------------------------------------------------------------------------------ */

static void copyName(char to[TACREC_NAME], const char *from) { snprintf(to, TACREC_NAME, "%s", from ? from : ""); }

/* An input that is not known yet; NULL: no memory, or too many. */
static Input *newInput(tacrec_evaluator *all, const tacrec_entry *entry, const char *program, uint32_t pid) {
    if (all->inputCount == INPUTS || !grow(&all->inputs, all->inputCount, sizeof *all->inputs)
        || !grow(&all->heap, all->inputCount, sizeof *all->heap))
        return NULL;
    Input *input = (Input *) calloc(1, sizeof *input);
    if (!input) return NULL;
    input->entry = *entry;
    copyName(input->program, program);
    input->pid = pid;
    input->wait = all->wait;
    return input;
}

static void addInput(tacrec_evaluator *all, Input *input) {
    input->number = all->numbers++;
    all->inputs[all->inputCount++] = input;
    if (input->next) all->open++;
    else all->fed++;
    for (uint32_t slot = 0; slot < TACREC_EVALUATIONS; slot++)
        if (all->slots[slot]) match(all, input, slot);
}

bool tacrec_evaluatorInput(tacrec_evaluator *all, const tacrec_input *from) {
    Input *input = newInput(all, from->entry, from->program, from->pid);
    if (!input) return false;
    input->next = from->next;
    input->close = from->close;
    input->data = from->data;
    addInput(all, input);
    return true;
}

static void freeInput(Input *input) {
    if (input->close) input->close(input->data);
    free(input);
}

/* Forgets inputs that have ended. */
static void forgetInputs(tacrec_evaluator *all) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->inputCount; i++) {
        if (all->inputs[i]->ended) freeInput(all->inputs[i]);
        else all->inputs[kept++] = all->inputs[i];
    }
    all->inputCount = kept;
}

/* ---- elements that are in order already -------------------------------------------------------------------------- */

tacrec_fed *tacrec_evaluatorFeed(tacrec_evaluator *all, const tacrec_entry *entry, const char *program, uint32_t pid) {
    Input *input = newInput(all, entry, program, pid);
    if (input) addInput(all, input);
    return input;
}

void tacrec_evaluatorGive(tacrec_evaluator *all, tacrec_fed *input, const tacrec_read *read, bool late) {
    input->head = *read;
    input->late = late;
    if (!late && read->time > all->reached) all->reached = read->time;
    countElement(all, input);
    input->missed += read->missed;
    all->done.missed += read->missed;
    give(all, input);
}

void tacrec_evaluatorPassed(tacrec_evaluator *all, uint64_t time) {
    acceptChanges(all);
    tellPassed(all, time);
}

void tacrec_evaluatorForget(tacrec_evaluator *all, tacrec_fed *input) {
    input->ended = true;
    all->fed--;
}

/* ---- directories ------------------------------------------------------------------------------------------------- */

static bool isDead(uint32_t pid) { return pid && pid <= INT32_MAX && kill((pid_t) pid, 0) && errno == ESRCH; }

static void freeDirectory(Directory *directory) {
    tacrec_monitorClose(&directory->monitor);
    free(directory->begun);
    free(directory->path);
    free(directory);
}

/* ESRCH: its program has ended, and such directories are not wanted. */
static int watchDirectory(tacrec_evaluator *all, const char *path, unsigned flags, bool dead) {
    Directory *directory = (Directory *) calloc(1, sizeof *directory);
    if (!directory || !grow(&all->directories, all->directoryCount, sizeof *all->directories)) {
        free(directory);
        return ENOMEM;
    }
    int problem = tacrec_monitorOpen(&directory->monitor, path, flags);
    if (!problem) {
        directory->pid = __atomic_load_n(&directory->monitor.head->pid, __ATOMIC_RELAXED);
        memcpy(directory->program, directory->monitor.head->program, TACREC_NAME - 1);
        directory->path = strdup(path);
        if (!directory->path) problem = ENOMEM;
        else if (!dead && isDead(directory->pid)) problem = ESRCH;
    }
    if (problem) freeDirectory(directory);
    else all->directories[all->directoryCount++] = directory;
    return problem;
}

/*
 * Adds the sensors that are ready and have no input yet; how many. Only the first of them are looked at: a file in
 * memory that is mostly hole would be filled by reading all of it.
 */
static int addSensors(tacrec_evaluator *all, Directory *directory) {
    const tacrec_monitor *monitor = &directory->monitor;
    uint32_t count = tacrec_sensors(monitor->head);
    int came = 0;
    if (count > INPUTS) count = INPUTS;
    if (count > directory->sensors) {
        uint8_t *begun = (uint8_t *) realloc(directory->begun, count);
        if (!begun) return 0;
        memset(begun + directory->sensors, 0, count - directory->sensors);
        directory->begun = begun;
        directory->sensors = count;
    }
    for (uint32_t k = 0; k < count; k++) {
        tacrec_entry entry;
        if (directory->begun[k] || !tacrec_describe(monitor->head, monitor->size, k, &entry)) continue;
        Input *input = newInput(all, &entry, directory->program, directory->pid);
        if (!input) return came;
        if (!tacrec_readerBegin(&input->reader, monitor->head, monitor->size, k)) {
            free(input);
            continue;
        }
        input->missed = input->head.missed = input->reader.missed;
        all->done.missed += input->missed;
        input->directory = directory;
        input->next = readSensor;
        input->data = input;
        directory->begun[k] = 1;
        addInput(all, input);
        came++;
    }
    return came;
}

/* Forgets a directory that has ended, and all of which was read before the last look. */
static bool forget(const tacrec_evaluator *all, Directory *directory) {
    if (!directory->ended) return false;
    for (uint32_t i = 0; i < all->inputCount; i++)
        if (all->inputs[i]->directory == directory) return false;
    freeDirectory(directory);
    return true;
}

/* ---- folders ----------------------------------------------------------------------------------------------------- */

static bool isDirectoryName(const char *name) {
    size_t length = strlen(name), ending = strlen(".tacrec");
    return name[0] != '.' && length > ending && !strcmp(name + length - ending, ".tacrec");
}

/* The file as it is known; a new one where another one has its name now. NULL: no memory. */
static Known *known(Folder *folder, const char *name, ino_t inode, bool *isNew) {
    for (size_t i = 0; i < folder->knownCount; i++)
        if (folder->known[i].inode == inode && !strcmp(folder->known[i].name, name)) return &folder->known[i];
    *isNew = true;
    char *copy = strdup(name);
    if (!copy || !grow(&folder->known, folder->knownCount, sizeof *folder->known)) {
        free(copy);
        return NULL;
    }
    folder->known[folder->knownCount] = (Known){copy, inode, true};
    return &folder->known[folder->knownCount++];
}

/* Looks at a file; one that is no directory yet is looked at again the next time. */
static void lookAtFile(tacrec_evaluator *all, Folder *folder, int descriptor, const char *name) {
    char path[4096];
    struct stat status;
    bool isNew = false;
    if (fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode)) return;
    if ((size_t) snprintf(path, sizeof path, "%s/%s", folder->path, name) >= sizeof path) return;
    Known *file = known(folder, name, status.st_ino, &isNew);
    if (!file) return;
    file->there = true;
    if (!isNew) return;
    int problem = watchDirectory(all, path, folder->flags, false);
    if (problem == EINVAL) file->there = false;
    all->done.refused += problem == EPERM;
}

static void lookAtFolder(tacrec_evaluator *all, Folder *folder) {
    DIR *stream = opendir(folder->path);
    if (!stream) return;
    for (size_t i = 0; i < folder->knownCount; i++) folder->known[i].there = false;
    for (struct dirent *entry; (entry = readdir(stream));)
        if (isDirectoryName(entry->d_name)) lookAtFile(all, folder, dirfd(stream), entry->d_name);
    closedir(stream);
    size_t kept = 0;
    for (size_t i = 0; i < folder->knownCount; i++) {
        if (folder->known[i].there) folder->known[kept++] = folder->known[i];
        else free(folder->known[i].name);
    }
    folder->knownCount = kept;
}

int tacrec_evaluatorWatch(tacrec_evaluator *all, const char *path, unsigned flags) {
    struct stat status;
    int problem = 0;
    if (stat(path, &status)) return errno;
    if (!S_ISDIR(status.st_mode)) problem = watchDirectory(all, path, flags, true);
    else {
        char *copy = strdup(path);
        if (!copy || !grow(&all->folders, all->folderCount, sizeof *all->folders)) {
            free(copy);
            return ENOMEM;
        }
        all->folders[all->folderCount++] = (Folder){.path = copy, .flags = flags};
    }
    if (!problem) tacrec_evaluatorLook(all);
    return problem;
}

int tacrec_evaluatorLook(tacrec_evaluator *all) {
    int came = 0;
    size_t kept = 0;
    forgetInputs(all);
    for (size_t i = 0; i < all->directoryCount; i++)
        if (!forget(all, all->directories[i])) all->directories[kept++] = all->directories[i];
    all->directoryCount = kept;
    for (size_t i = 0; i < all->folderCount; i++) lookAtFolder(all, &all->folders[i]);
    for (size_t i = 0; i < all->directoryCount; i++) {
        Directory *directory = all->directories[i];
        bool ended = isDead(directory->pid) || access(directory->path, F_OK); /* then all sensors are there */
        came += addSensors(all, directory);
        directory->ended = ended;
    }
    return came;
}

/* ---- the evaluator ----------------------------------------------------------------------------------------------- */

tacrec_evaluator *tacrec_evaluatorNew(uint64_t wait) {
    tacrec_evaluator *all = (tacrec_evaluator *) calloc(1, sizeof *all);
    if (all) all->wait = wait;
    return all;
}

void tacrec_evaluatorFree(tacrec_evaluator *all) {
    if (!all) return;
    arrive(all);
    for (uint32_t slot = 0; slot < TACREC_EVALUATIONS; slot++)
        if (all->slots[slot]) leave(all, slot);
    for (uint32_t i = 0; i < all->inputCount; i++) freeInput(all->inputs[i]);
    for (size_t i = 0; i < all->directoryCount; i++) freeDirectory(all->directories[i]);
    for (size_t i = 0; i < all->folderCount; i++) {
        for (size_t k = 0; k < all->folders[i].knownCount; k++) free(all->folders[i].known[k].name);
        free(all->folders[i].known);
        free(all->folders[i].path);
    }
    free(all->inputs);
    free(all->heap);
    free(all->directories);
    free(all->folders);
    free(all);
}

tacrec_evaluated tacrec_evaluatorCount(const tacrec_evaluator *all) {
    tacrec_evaluated done = all->done;
    done.inputs = all->open + all->fed;
    done.directories = (uint32_t) all->directoryCount;
    return done;
}

bool tacrec_evaluatorSaid(const tacrec_evaluator *all, uint32_t k, tacrec_inputSaid *said) {
    if (k >= all->inputCount) return false;
    const Input *input = all->inputs[k];
    *said = (tacrec_inputSaid){.entry = &input->entry,
        .program = input->program,
        .pid = input->pid,
        .input = input->number,
        .elements = input->elements,
        .missed = input->missed,
        .late = input->lateCount};
    return true;
}
