/*
 * storeFolder.c -- a folder of files of packets, NAME-000001.tacs and so on, of which the oldest goes when all are
 * full.
 *
 * Invariants (S bytes, N parts: 2 of a single flip):
 *   1. All files together never have more than S bytes.
 *   2. Once they had, they never have less than (N - 1)/N of S: a file ends at S/N less what may be needed at once (a
 *      packet, and what a new file begins with), at half of S/N at the least, and the oldest goes only if so much is
 * not left. So there are more than N files where S/N is not much more than that, at most 2 N + 1.
 *   3. Static: files and the file NAME.reserve have S bytes of the disk from the beginning to the end, but for moments
 *      in which bytes go from one to the other.
 *
 * Files of an earlier run with the same name are continued with a new number; they go first.
 */
#define _GNU_SOURCE
#include "record/storeDisk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    USUAL_PACKET = 20 << 10, /* bytes: no smaller ones are reckoned with */
    LOSS_SIZE = TACREC_PACKET_HEAD + 16,
    LEAST = 8 << 10, /* bytes of a file, of a disk that is full */
    FILES = 10000,   /* numbers of files that are looked at */
    PATH_ROOM = PATH_MAX + TACREC_STREAM_TEXT + 32
};
static const uint64_t CHUNK = 1 << 20; /* of what is reserved */

typedef struct Part { /* a file */
    uint32_t number;
    uint64_t bytes, reserved;
    tacLosses losses; /* what is lost with it */
} Part;

typedef struct Folder {
    Part *parts; /* the oldest first */
    uint32_t count, room;
    uint32_t number; /* of the newest file that was ever made */
    tacDisk disk;    /* the newest file, which is written; -1: none yet */
    uint64_t total;  /* bytes of all files */
    uint64_t size;   /* bytes that they may have: less than the storage's where the disk has no more */
    uint64_t packet; /* bytes of the largest packet so far */
    tacDisk reserve;
    bool full;
} Folder;

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char *pathOf(const tacStorage *s, uint32_t number, char path[PATH_ROOM]) {
    snprintf(path, PATH_ROOM, "%s/%s-%06u.tacs", s->is.path, s->is.name, (unsigned) number);
    return path;
}

static const char *reservePath(const tacStorage *s, char path[PATH_ROOM]) {
    snprintf(path, PATH_ROOM, "%s/%s.reserve", s->is.path, s->is.name);
    return path;
}

/* Number of a file of this storage; 0: it is none. */
static uint32_t numberOf(const tacStorage *s, const char *name) {
    size_t length = strlen(s->is.name);
    unsigned number = 0;
    int end = 0;
    if (strncmp(name, s->is.name, length) || name[length] != '-') return 0;
    if (sscanf(name + length, "-%9u.tacs%n", &number, &end) != 1 || !end || name[length + (size_t) end]) return 0;
    return number;
}

static uint32_t partsOf(const tacStorage *s) {
    switch (s->is.strategy) {
    case TAC_STRATEGY_SINGLEFLIP: return 2;
    case TAC_STRATEGY_MULTIPLEFLIP: return s->is.files;
    default: return 1;
    }
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static Part *addPart(Folder *own, uint32_t number) {
    if (own->count == own->room) {
        uint32_t room = own->room ? 2 * own->room : 8;
        Part *parts = realloc(own->parts, room * sizeof *parts);
        if (!parts) return NULL;
        own->parts = parts;
        own->room = room;
    }
    own->parts[own->count] = (Part){.number = number};
    if (number > own->number) own->number = number;
    return &own->parts[own->count++];
}

static int byNumber(const void *a, const void *b) {
    uint32_t x = ((const Part *) a)->number, y = ((const Part *) b)->number;
    return x < y ? -1 : x > y;
}

/* Finds the files of an earlier run. */
static void findParts(tacStorage *s) {
    Folder *own = s->own;
    DIR *folder = opendir(s->is.path);
    if (!folder) return;
    for (struct dirent *entry; own->count < FILES && (entry = readdir(folder)) != NULL;) {
        char path[PATH_ROOM];
        struct stat status;
        uint32_t number = numberOf(s, entry->d_name);
        if (!number || lstat(pathOf(s, number, path), &status) || !S_ISREG(status.st_mode)) continue;
        Part *part = addPart(own, number);
        if (!part) break;
        part->bytes = (uint64_t) status.st_size;
        own->total += part->bytes;
    }
    closedir(folder);
    if (own->count) qsort(own->parts, own->count, sizeof *own->parts, byNumber);
}

/* Static: moves bytes from what is reserved to the newest file, before it grows by so many. */
static void claim(tacStorage *s, uint64_t more) {
    Folder *own = s->own;
    if (!s->is.reserved || own->disk.bytes + more <= own->disk.reserved) return;
    uint64_t bytes = own->disk.bytes + more + CHUNK;
    uint64_t step = bytes - own->disk.reserved;
    uint64_t left = own->reserve.bytes > step ? own->reserve.bytes - step : 0;
    if (ftruncate(own->reserve.file, (off_t) left)) return; /* then the disk has to have more */
    own->reserve.bytes = left;
    tacDiskReserve(&own->disk, bytes);
    own->parts[own->count - 1].reserved = own->disk.reserved;
}

/* Static: gives bytes back to what is reserved. */
static bool reserve(Folder *own, uint64_t bytes) {
    int problem = posix_fallocate(own->reserve.file, 0, (off_t) bytes);
    if (problem) own->reserve.problem = problem;
    else own->reserve.bytes = bytes;
    return !problem;
}

static void removeOldest(tacStorage *s) {
    Folder *own = s->own;
    char path[PATH_ROOM];
    Part *part = &own->parts[0];
    if (own->count == 1) tacDiskEnd(&own->disk);
    unlink(pathOf(s, part->number, path));
    own->total -= part->bytes;
    for (uint32_t i = 0; i < part->losses.count; i++) s->count.lost += part->losses.at[i].elements;
    tacLossesAdd(&s->losses, &part->losses);
    tacLossesClear(&part->losses);
    if (own->reserve.file >= 0)
        reserve(own, own->reserve.bytes + (part->reserved > part->bytes ? part->reserved : part->bytes));
    own->count--;
    memmove(own->parts, own->parts + 1, own->count * sizeof *own->parts);
}

static bool beginPart(tacStorage *s);

/* The disk is full: what the files have is all that they may have; the oldest goes. Where there is only one, several
 * smaller ones take its place. False: there is nothing to remove. */
static bool shrink(tacStorage *s) {
    Folder *own = s->own;
    bool full = own->disk.problem == ENOSPC || own->disk.problem == EDQUOT;
    if (!full || partsOf(s) == 1 || own->total < partsOf(s) * LEAST) return false;
    if (own->size == s->is.size) tacStorageTold(s, "the disk is full: older files are removed earlier");
    own->size = own->total;
    removeOldest(s);
    return own->count > 0 || beginPart(s);
}

static bool writePacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacStorage *s = data;
    Folder *own = s->own;
    claim(s, head->size);
    while (!tacDiskWrite(&own->disk, bytes, head->size))
        if (!shrink(s))
            return tacStorageGone(s, "cannot write into \"%s\": %s", s->is.path, tacDiskWhy(own->disk.problem));
    Part *part = &own->parts[own->count - 1];
    tacLossesNote(&part->losses, head, bytes);
    part->bytes += head->size;
    own->total += head->size;
    return true;
}

static bool writeSaid(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacStorage *s = data;
    return ((Folder *) s->own)->total + head->size <= tacStorageRoom(s, head, true) && writePacket(s, head, bytes);
}

static bool beginPart(tacStorage *s) {
    Folder *own = s->own;
    char path[PATH_ROOM];
    tacDiskEnd(&own->disk);
    /* A disk that was full may have room again. */
    uint64_t larger = own->size + own->size / partsOf(s);
    own->size = larger < s->is.size ? larger : s->is.size;
    if (!tacDiskBegin(&own->disk, pathOf(s, own->number + 1, path), TAC_DISK_NEW, s->is.group))
        return tacStorageGone(s, "cannot write \"%s\": %s", path, tacDiskWhy(own->disk.problem));
    if (!addPart(own, own->number + 1)) {
        tacDiskEnd(&own->disk);
        unlink(path);
        return false;
    }
    tacStorageDescribe(s, writeSaid, s);
    tacLossesTell(&s->losses, writeSaid, s);
    return true;
}

/* ---- the storage ------------------------------------------------------------------------------------------------- */

/* Bytes that may be needed at once (invariant 2). */
static uint64_t needOf(const tacStorage *s, const tacrec_packet *head) {
    Folder *own = s->own;
    if (head->size > own->packet) own->packet = head->size;
    uint64_t losses = own->count ? own->parts[0].losses.count : 0;
    return own->packet + tacStorageKnown(s) + (losses + s->losses.count) * LOSS_SIZE;
}

static bool takeFolder(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes, bool said) {
    Folder *own = s->own;
    uint32_t parts = partsOf(s);
    uint64_t share = own->size / parts, need = needOf(s, head);
    if (parts > 1) share = need < share / 2 ? share - need : share / 2;
    if (head->size > share || (own->full && !said)) return false;
    bool begins = own->disk.file < 0 || (parts > 1 && own->disk.bytes + head->size > share);
    uint64_t room = parts > 1 ? own->size : tacStorageRoom(s, head, said), more = begins ? need : head->size;
    if (own->total + more > room && s->is.strategy == TAC_STRATEGY_STOP) {
        if (!said && !own->full) tacStorageTold(s, "it is full: \"%s\"", s->is.path);
        own->full |= !said;
        return false;
    }
    if (own->total + more > room && s->is.strategy == TAC_STRATEGY_RESTART)
        while (own->count) removeOldest(s);
    while (own->count && own->total + more > room) removeOldest(s);
    begins |= own->disk.file < 0;
    if (begins && !beginPart(s)) return false;
    if (begins && said && head->kind != TACREC_PACKET_LOST) return true; /* it was among what is known */
    return own->total + head->size <= s->is.size && writePacket(s, head, bytes);
}

/* Makes the folder, where it is not there. 0, or as errno has it. */
static int makeFolder(const tacStorage *s) {
    bool isNew = !mkdir(s->is.path, 0700);
    if (!isNew && errno != EEXIST) return errno;
    if (access(s->is.path, W_OK | X_OK)) return errno;
    int file = isNew ? open(s->is.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int problem = file >= 0 ? tacDiskShare(file, s->is.group, 0750) : 0;
    if (file >= 0) close(file);
    return problem;
}

static bool openFolder(tacStorage *s, char why[TAC_STORAGE_TEXT]) {
    char path[PATH_ROOM];
    Folder *own = s->own = calloc(1, sizeof *own);
    if (!own) return snprintf(why, TAC_STORAGE_TEXT, "not enough memory"), false;
    own->disk.file = own->reserve.file = -1;
    own->packet = USUAL_PACKET;
    own->size = s->is.size;
    int problem = makeFolder(s);
    if (!problem) {
        findParts(s);
        if (own->count && tacDiskIsBusy(pathOf(s, own->number, path))) problem = EBUSY;
    }
    if (!problem) {
        while (s->is.strategy != TAC_STRATEGY_STOP && own->total > s->is.size) removeOldest(s);
        if (s->is.reserved) {
            own->reserve.file = open(reservePath(s, path), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
            if (own->reserve.file < 0) problem = errno;
            else if (own->total < s->is.size && !reserve(own, s->is.size - own->total)) problem = own->reserve.problem;
        }
    }
    if (!problem) return true;
    snprintf(why, TAC_STORAGE_TEXT, "cannot write into the folder \"%.300s\": %s", s->is.path, tacDiskWhy(problem));
    s->class->close(s);
    return false;
}

static void closeFolder(tacStorage *s) {
    Folder *own = s->own;
    char path[PATH_ROOM];
    tacDiskEnd(&own->disk);
    if (own->reserve.file >= 0) unlink(reservePath(s, path));
    tacDiskEnd(&own->reserve);
    for (uint32_t i = 0; i < own->count; i++) tacLossesClear(&own->parts[i].losses);
    free(own->parts);
    free(own);
}

const tacStorageClass tacStorageFolder = {.open = openFolder, .take = takeFolder, .close = closeFolder};
