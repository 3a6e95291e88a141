/*
 * collectFolder.c -- the collector's folders, and the directories of programs in them.
 *
 *      folder -> files *.tacrec -> a source each -> its sensors -> elements
 *
 * A file becomes a source when its program has finished making it, and only once. The source ends when its process has
 * ended or its file was removed, and all that stands in its buffers was read.
 */
#define _GNU_SOURCE
#include "record/collectPart.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    FILES = 4096, /* of a folder, at most */
    ROUNDS = 2    /* so often a ring is read through in a round, at most */
};

static const uint64_t PATIENCE = 60000000000; /* nanoseconds that a file has to become a directory */

/* ---- a directory ------------------------------------------------------------------------------------------------- */

typedef struct Ring { /* of a sensor */
    tacrec_reader reader;
    bool begun, described, bad;
    uint32_t thread;         /* as it was described last */
    uint64_t before, passed; /* when it was begun */
    uint64_t heldAt, since;  /* number of the element that is held, and since when; 0: none */
} Ring;

typedef struct Directory {
    tacrec_monitor monitor;
    char *path;
    uint32_t pid;
    dev_t device; /* of the file */
    ino_t number;
    int process; /* descriptor; -1: there is none */
    bool fresh;  /* only what is written from now on counts; until the first round */
    bool full;   /* was told that it has too many sensors */
    Ring *rings;
    uint32_t count, room;
    bool lacked; /* memory, which was told */
} Directory;

static void freeDirectory(void *data) {
    Directory *directory = (Directory *) data;
    tacrec_monitorClose(&directory->monitor);
    if (directory->process >= 0) close(directory->process);
    free(directory->path);
    free(directory->rings);
    free(directory);
}

/*
 * Has the program ended? A descriptor of its process tells that of this very one, also while nobody has waited for it.
 */
static bool hasEnded(const Directory *directory) {
    if (directory->process >= 0) {
        struct pollfd file = {directory->process, POLLIN, 0};
        return poll(&file, 1, 0) > 0;
    }
    return directory->pid > 0 && kill((pid_t) directory->pid, 0) && errno == ESRCH;
}

/* Is the file not there any more, or another one? Then the program has closed its directory. Where that is not known it
 * is asked again with the next round. */
static bool isRemoved(const Directory *directory) {
    struct stat status;
    if (stat(directory->path, &status)) return errno == ENOENT || errno == ENOTDIR;
    return status.st_ino != directory->number || status.st_dev != directory->device;
}

/* Has the program closed it? The file is there all the same where a recorder runs the program. */
static bool isClosed(const Directory *directory) {
    return __atomic_load_n(&directory->monitor.head->closed, __ATOMIC_ACQUIRE) == 1;
}

static void sayOf(tacrec_sensorSaid *said, const tacrec_entry *entry) {
    memset(said, 0, sizeof *said);
    said->kind = entry->kind;
    said->size = entry->size;
    said->fieldCount = entry->fieldCount;
    said->priority = entry->priority;
    said->flags = entry->lasting ? TACREC_SENSOR_LASTING : 0;
    said->rate = entry->rate;
    snprintf(said->name, sizeof said->name, "%s", entry->name);
    snprintf(said->storage, sizeof said->storage, "%s", entry->storage);
    memcpy(said->fields, entry->fields, entry->fieldCount * sizeof *said->fields);
}

/* Goes on to the newest element, or the oldest that is kept. What was written before is no loss of the collector. */
static void skipBefore(tacrec_reader *reader, bool fresh) {
    uint64_t written = tacrec_published(reader->ring, reader->twoWords), kept = written - reader->at;
    uint64_t most = reader->capacity - (reader->kind == TACREC_CONCURRENT ? 0 : 1);
    if ((int64_t) kept <= 0) return;
    if (fresh) reader->at = written;
    else if (kept > most) reader->at = written - most;
}

/* Begins to read a sensor that has become ready; false: it has not, or cannot be read. */
static bool beginRing(Directory *directory, uint32_t k) {
    Ring *ring = &directory->rings[k];
    tacrec_entry entry;
    if (ring->bad || !tacrec_describe(directory->monitor.head, directory->monitor.size, k, &entry)) return false;
    if (!tacrec_readerBegin(&ring->reader, directory->monitor.head, directory->monitor.size, k)) return false;
    skipBefore(&ring->reader, directory->fresh && !entry.lasting);
    ring->before = ring->reader.at;
    ring->passed = tacrec_readerPassed(&ring->reader);
    ring->begun = true;
    return true;
}

/* Is this a ring that no thread has had yet, or that no processor has written, beyond the first of its sensor? */
static bool isUnused(const Directory *directory, uint32_t k) {
    const tacrec_reader *reader = &directory->rings[k].reader;
    if (reader->kind == TACREC_PER_THREAD) return !__atomic_load_n(&reader->entry->ownerCount, __ATOMIC_RELAXED);
    return __atomic_load_n(&reader->entry->part, __ATOMIC_RELAXED) && !tacrec_load(&reader->ring->counter.written);
}

/* Tells once that memory lacked. What was left out for that is tried again in the next round. */
static void tellLack(Directory *directory, const tacrec_collected *source) {
    if (!directory->lacked) tacrec_collectRemark(source->collector, "%s: %s", directory->path, strerror(ENOMEM));
    directory->lacked = true;
}

/* Describes a sensor that is read from now on; false: it cannot be, or not yet. */
static bool describeRing(Directory *directory, tacrec_collected *source, uint32_t k) {
    Ring *ring = &directory->rings[k];
    tacrec_entry entry;
    tacrec_sensorSaid said;
    ring->bad = !tacrec_describe(directory->monitor.head, directory->monitor.size, k, &entry);
    if (!ring->bad) {
        sayOf(&said, &entry);
        /* What the reader goes by was copied when it began; a hostile program may say something else now. */
        ring->bad = said.size != ring->reader.size;
        ring->described = !ring->bad && tacrec_collectSensor(source, k, &said);
        if (!ring->bad && !ring->described) tellLack(directory, source);
    }
    if (!ring->described) return false;
    tacrec_collectSensorOf(source, k)->next = ring->before;
    return true;
}

/* A place that nobody publishes holds up all elements behind it, so that it is passed over in the end. */
static bool isHeld(tacrec_collected *source, Ring *ring, bool over) {
    const tacrec_reader *reader = &ring->reader;
    if (reader->kind != TACREC_CONCURRENT
        || (int64_t) (tacrec_load(&reader->ring->counter.written) - reader->at) <= 0) {
        ring->since = 0;
        return false;
    }
    uint64_t now = tacrec_collectNow();
    if (!ring->since || ring->heldAt != reader->at) {
        ring->since = now;
        ring->heldAt = reader->at;
    }
    return over || now - ring->since >= tacrec_collectOptionsOf(source->collector)->held;
}

/* Hands an element over, with the thread that has written it. */
static void handOver(tacrec_collected *source, Ring *ring, uint32_t k, uint64_t time, const void *data) {
    uint32_t thread = tacrec_readerThread(&ring->reader);
    if (thread != ring->thread) {
        tacrec_sensorSaid said = tacrec_collectSensorOf(source, k)->said;
        said.thread = ring->thread = thread;
        tacrec_collectSensor(source, k, &said);
    }
    tacrec_collectElement(source, k, ring->reader.at - 1, time, data);
}

/* Reads a sensor to its end. over: nobody writes it any more. */
static void readRing(tacrec_collected *source, Ring *ring, uint32_t k, bool over) {
    tacrec_reader *reader = &ring->reader;
    uint64_t most = (uint64_t) ROUNDS * reader->capacity, data[TACREC_ELEMENT / 8], time;
    uint64_t from = reader->at;
    for (uint64_t n = 0; n < most; n++) {
        uint64_t missed = reader->missed;
        if (tacrec_readerNext(reader, &time, data)) {
            handOver(source, ring, k, time, data);
            continue;
        }
        if (reader->missed != missed) continue; /* the writer was faster */
        if (!isHeld(source, ring, over) || !tacrec_readerSkip(reader)) break;
    }
    if (reader->at - from > reader->capacity / 4) source->hurries = true;
    CollectSensor *sensor = tacrec_collectSensorOf(source, k);
    uint64_t passed = tacrec_readerPassed(reader) - ring->passed;
    /* What lacks before the first element that is read is lost, too, and not gone before. */
    sensor->before = ring->before;
    sensor->lost = reader->missed > passed ? reader->missed - passed : 0;
}

/* The sensors that there are; the room for them. */
static bool findSensors(Directory *directory, tacrec_collected *source) {
    uint32_t count = tacrec_sensors(directory->monitor.head), most = TACREC_COLLECT_SENSORS;
    if (count > most && !directory->full) {
        directory->full = true;
        tacrec_collectRemark(source->collector, "%s has %u sensors: only the first %u are read", directory->path,
            (unsigned) count, (unsigned) most);
    }
    if (count > most) count = most;
    if (count > directory->room) {
        Ring *rings = (Ring *) realloc(directory->rings, count * sizeof *rings);
        if (!rings) return false;
        memset(rings + directory->room, 0, (count - directory->room) * sizeof *rings);
        directory->rings = rings;
        directory->room = count;
    }
    if (count > directory->count) directory->count = count;
    return true;
}

static void readAll(Directory *directory, tacrec_collected *source, bool over) {
    if (!findSensors(directory, source)) tellLack(directory, source);
    for (uint32_t k = 0; k < directory->count; k++) {
        Ring *ring = &directory->rings[k];
        if (ring->bad || (!ring->begun && !beginRing(directory, k)) || isUnused(directory, k)) continue;
        if (ring->described || describeRing(directory, source, k)) readRing(source, ring, k, over);
    }
    directory->fresh = false;
}

/* The end is looked for before the last elements are. */
static bool roundOfDirectory(void *data, tacrec_collected *source) {
    Directory *directory = (Directory *) data;
    tacrec_endKind how = TACREC_END_CLOSED;
    uint32_t status = 0;
    bool over = hasEnded(directory);
    if (over && !tacrec_collectHasEnded(source->collector, directory->pid, &how, &status)) over = false;
    bool removed = isRemoved(directory);
    readAll(directory, source, over);
    /* It may have closed the directory since the last round. */
    if (over && !((removed || isClosed(directory)) && how == TACREC_END_GONE))
        tacrec_collectHow(source, how, status, "");
    if (over && !removed && (tacrec_collectOptionsOf(source->collector)->flags & TACREC_COLLECT_REMOVE))
        unlink(directory->path);
    return !over && !removed;
}

static void endOfDirectory(void *data, tacrec_collected *source) {
    Directory *directory = (Directory *) data;
    readAll(directory, source, false);
    tacrec_collectHow(source, TACREC_END_CLOSED, 0, "the recording was over");
}

static const tacrec_sourceClass directoryCalls = {roundOfDirectory, endOfDirectory, freeDirectory};

/* What the packets say of a program. */
static void sourceOf(tacrec_source *source, const tacrec_head *head) {
    memset(source, 0, sizeof *source);
    source->kind = TACREC_SOURCE_PROGRAM;
    source->clock = head->clock == TACREC_CLOCK_TSC ? TACREC_CLOCK_TSC : TACREC_CLOCK_HOOK;
    source->pid = head->pid;
    for (size_t i = 0; i < sizeof head->program - 1; i++) source->name[i] = ((const volatile char *) head->program)[i];
    tacrec_collectHere(source);
}

/* The pairs of clocks that the program has kept. */
static void collectPairs(const Directory *directory, tacrec_collected *source) {
    tacrec_pair pair;
    const tacrec_head *head = directory->monitor.head;
    uint32_t count = __atomic_load_n(&head->pairCount, __ATOMIC_ACQUIRE);
    if (source->said.clock != TACREC_CLOCK_TSC) return;
    for (uint32_t n = count < TACREC_PAIRS ? 0 : count - TACREC_PAIRS + 1; n != count; n++)
        if (tacrec_readPair(head, n, &pair)) tacrec_collectPair(source, &pair);
}

/* Makes a source of a file. 0, or as errno has it; EINVAL: it is no directory yet. */
static uint64_t mix(uint64_t sum, const void *data, size_t size) {
    const uint8_t *bytes = (const uint8_t *) data;
    for (size_t i = 0; i < size; i++) sum = (sum ^ bytes[i]) * 0x100000001b3; /* FNV-1a */
    return sum;
}

/* The same for all who collect the directory, so that nothing counts twice where two have stored it, or one again. 0:
 * the system does not tell when a file was made, so that another one might have it, too. */
static uint64_t identityOf(const char *path, const tacrec_source *said) {
    struct statx status;
    if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &status) || !(status.stx_mask & STATX_BTIME)) return 0;
    uint64_t sum = mix(0xcbf29ce484222325, said->boot, sizeof said->boot);
    sum = mix(sum, &said->pid, sizeof said->pid);
    sum = mix(sum, said->name, strlen(said->name));
    sum = mix(sum, &status.stx_ino, sizeof status.stx_ino);
    sum = mix(sum, &status.stx_btime.tv_sec, sizeof status.stx_btime.tv_sec);
    return mix(sum, &status.stx_btime.tv_nsec, sizeof status.stx_btime.tv_nsec);
}

/* Makes a source of a directory. ESRCH: its program has ended, and such ones are not wanted. */
static int openDirectory(tacrec_collector *collector, const char *path, bool fresh, bool ended) {
    unsigned flags = tacrec_collectOptionsOf(collector)->flags;
    tacrec_monitor monitor;
    tacrec_source said;
    struct stat status;
    int problem = stat(path, &status) ? errno : 0;
    if (!problem) problem = tacrec_monitorOpen(&monitor, path, flags & TACREC_COLLECT_TRUSTED ? TACREC_TRUSTED : 0);
    if (problem) return problem;
    Directory *directory = (Directory *) calloc(1, sizeof *directory);
    if (directory) directory->path = strdup(path);
    if (!directory || !directory->path) {
        free(directory);
        tacrec_monitorClose(&monitor);
        return ENOMEM;
    }
    directory->monitor = monitor;
    directory->device = status.st_dev;
    directory->number = status.st_ino;
    directory->fresh = fresh;
    sourceOf(&said, monitor.head);
    directory->pid = said.pid;
    directory->process = said.pid && said.pid <= INT32_MAX ? (int) syscall(SYS_pidfd_open, (pid_t) said.pid, 0) : -1;
    if (!ended && hasEnded(directory)) {
        freeDirectory(directory);
        return ESRCH;
    }
    tacrec_collected *source = tacrec_collectAddLocked(
        collector, &said, identityOf(path, &said), &directoryCalls, directory);
    if (!source) return ENOMEM;
    collectPairs(directory, source);
    return 0;
}

/* ---- folders ----------------------------------------------------------------------------------------------------- */

typedef struct File { /* of a folder */
    char *name;
    ino_t number;
    uint64_t since; /* when it was seen first */
    bool seen;      /* when the folder was looked through last */
    bool done;      /* it is a source, was one, or cannot be one */
    int problem;    /* with which it was tried last, as errno has it */
} File;

typedef struct Folder {
    char *path;
    bool watched; /* changes are told */
    bool fresh;   /* of its directories only what is written from now on counts; until it was looked through once */
    bool begun;   /* it was looked through once */
    bool gone;    /* was told */
    File *files;
    uint32_t count;
} Folder;

struct CollectFolders {
    int file; /* of inotify; -1: there is none */
    Folder *at;
    uint32_t count;
};

CollectFolders *tacrec_foldersNew(void) {
    CollectFolders *folders = (CollectFolders *) calloc(1, sizeof *folders);
    if (folders) folders->file = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    return folders;
}

void tacrec_foldersFree(CollectFolders *folders) {
    if (!folders) return;
    for (uint32_t i = 0; i < folders->count; i++) {
        Folder *folder = &folders->at[i];
        for (uint32_t k = 0; k < folder->count; k++) free(folder->files[k].name);
        free(folder->files);
        free(folder->path);
    }
    free(folders->at);
    if (folders->file >= 0) close(folders->file);
    free(folders);
}

int tacrec_foldersFile(const CollectFolders *folders) { return folders->file; }

/* The file of this name, which is noted where it is new. NULL: no memory, or too many. */
static File *noteFile(Folder *folder, tacrec_collector *collector, const char *name, ino_t number) {
    for (uint32_t k = 0; k < folder->count; k++)
        if (folder->files[k].number == number && !strcmp(folder->files[k].name, name)) return &folder->files[k];
    if (folder->count == FILES) {
        tacrec_collectRemark(collector, "%s has more than %d files: %s is not read", folder->path, (int) FILES, name);
        return NULL;
    }
    File *files = (File *) realloc(folder->files, (folder->count + 1) * sizeof *files);
    char *copy = files ? strdup(name) : NULL;
    if (files) folder->files = files;
    if (!copy) {
        tacrec_collectRemark(collector, "%s: %s: %s", folder->path, name, strerror(ENOMEM));
        folder->watched = false; /* so that it is looked through again */
        return NULL;
    }
    File *file = &folder->files[folder->count++];
    *file = (File){.name = copy, .number = number, .since = tacrec_collectNow()};
    return file;
}

static bool isName(const char *name) {
    static const char ending[] = ".tacrec";
    size_t length = strlen(name);
    return length >= sizeof ending && !strcmp(name + length - (sizeof ending - 1), ending);
}

/* Notes the files that a folder has, and forgets those that it has not any more. */
static void listFolder(Folder *folder, tacrec_collector *collector) {
    DIR *list = opendir(folder->path);
    if (!list && !folder->gone) tacrec_collectRemark(collector, "%s: %s", folder->path, strerror(errno));
    folder->gone = !list;
    for (uint32_t k = 0; k < folder->count; k++) folder->files[k].seen = false;
    for (const struct dirent *entry; list && (entry = readdir(list));) {
        File *file = isName(entry->d_name) ? noteFile(folder, collector, entry->d_name, entry->d_ino) : NULL;
        if (file) file->seen = true;
    }
    if (list) closedir(list);
    uint32_t to = 0;
    for (uint32_t k = 0; k < folder->count; k++) {
        if (folder->files[k].seen) folder->files[to++] = folder->files[k];
        else free(folder->files[k].name);
    }
    folder->count = to;
}

/* Tries to make a source of a file that is none yet. */
static void openFile(const Folder *folder, tacrec_collector *collector, File *file) {
    char path[4096];
    if ((size_t) snprintf(path, sizeof path, "%s/%s", folder->path, file->name) >= sizeof path) {
        file->done = true;
        return;
    }
    /* One that came while it was watched has ended since. */
    bool ended = !(tacrec_collectOptionsOf(collector)->flags & TACREC_COLLECT_RUNNING) || folder->begun;
    int problem = openDirectory(collector, path, folder->fresh, ended);
    file->problem = problem;
    file->done = !problem || problem == EPERM || problem == ESRCH || tacrec_collectNow() - file->since > PATIENCE;
    if (problem == EPERM)
        tacrec_collectRemark(
            collector, "%s belongs to another user, who could cut it while it is read: it is not read", path);
    else if (problem && problem != ESRCH && file->done)
        tacrec_collectRemark(
            collector, "%s: %s", path, problem == EINVAL ? "this is no directory of sensors" : strerror(problem));
}

/* Did any folder change since the last call? */
static bool haveChanged(const CollectFolders *folders) {
    char events[4096] __attribute__((aligned(8)));
    bool changed = false;
    ssize_t n = 1;
    while (folders->file >= 0 && n > 0) {
        n = read(folders->file, events, sizeof events);
        changed |= n > 0 || (n < 0 && errno != EAGAIN); /* what cannot be heard of is looked for */
    }
    return changed;
}

/* Lets the system tell of changes of the folder. It watches what has this path now: another one, or nothing, where the
 * folder was removed. */
static void watchFolder(const CollectFolders *folders, Folder *folder) {
    const uint32_t events = IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_MOVE_SELF | IN_DELETE_SELF
        | IN_ONLYDIR;
    folder->watched = folders->file >= 0 && inotify_add_watch(folders->file, folder->path, events) >= 0;
}

void tacrec_foldersLook(CollectFolders *folders, tacrec_collector *collector) {
    bool changed = haveChanged(folders);
    for (uint32_t i = 0; i < folders->count; i++) {
        Folder *folder = &folders->at[i];
        if (changed || folder->gone) watchFolder(folders, folder);
        if (changed || folder->gone || !folder->watched || folder->fresh) listFolder(folder, collector);
        for (uint32_t k = 0; k < folder->count; k++)
            if (!folder->files[k].done) openFile(folder, collector, &folder->files[k]);
        folder->fresh = false;
        folder->begun = true;
    }
}

void tacrec_foldersEnd(const CollectFolders *folders, tacrec_collector *collector) {
    for (uint32_t i = 0; i < folders->count; i++) {
        const Folder *folder = &folders->at[i];
        for (uint32_t k = 0; k < folder->count; k++) {
            const File *file = &folder->files[k];
            /* What is no directory yet has nothing that could be missed. */
            if (!file->done && file->problem && file->problem != EINVAL && file->problem != ENOENT)
                tacrec_collectRemark(collector, "%s/%s: %s", folder->path, file->name, strerror(file->problem));
        }
    }
}

int tacrec_foldersAdd(CollectFolders *folders, tacrec_collector *collector, const char *path) {
    struct stat status;
    bool fresh = (tacrec_collectOptionsOf(collector)->flags & TACREC_COLLECT_NEW) != 0;
    if (stat(path, &status)) return errno;
    if (!S_ISDIR(status.st_mode)) return openDirectory(collector, path, fresh, true);
    if (access(path, R_OK | X_OK)) return errno;
    Folder *at = (Folder *) realloc(folders->at, (folders->count + 1) * sizeof *at);
    char *copy = at ? strdup(path) : NULL;
    if (at) folders->at = at;
    if (!copy) return ENOMEM;
    Folder *folder = &at[folders->count++];
    *folder = (Folder){.path = copy, .fresh = fresh};
    watchFolder(folders, folder);
    listFolder(folder, collector);
    return 0;
}
