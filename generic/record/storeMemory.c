/*
 * storeMemory.c -- packets in memory: a flight recorder, which is written out on an occasion, or a buffer that is
 * emptied into another storage.
 *
 * Memory is blocks of one size; a packet takes as many as it needs, wherever they are, so that any packet may go and
 * leave no hole. Packets stand in a list in the order in which they came. Those of one priority stand in a queue
 * besides; other strategies than PRIORITY have one queue.
 *
 * A dump is a place in the list: behind it packets are still to be written. Each call of the work writes some, so that
 * collecting goes on meanwhile; a packet that has to go is written first. It ends with the first packet that came later
 * than wanted.
 *
 * Invariant: `base` is what was known of all sources before the oldest packet of the list, so base and list together
 * are a whole stream. Descriptions go when no data is older.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, O_EXCL */
#include "record/storeDisk.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    BLOCK = 512,    /* bytes */
    QUEUES = 64,    /* of one priority each, but the last ones */
    STEP = 4 << 20, /* bytes that are written out at once */
    PATH_ROOM = PATH_MAX + 16
};
static const uint32_t NONE = UINT32_MAX;
static const char FINDINGS[] = "monitor:tactus.texts"; /* marks of `tactus monitor` */

typedef struct Held { /* a packet, at the beginning of its first block; its bytes follow there, and in the next ones */
    uint32_t block;   /* the next one of the packet */
    uint32_t before, behind;           /* in the list: first blocks of packets */
    uint32_t queueBefore, queueBehind; /* in its queue */
    uint32_t queue;
    uint64_t came; /* nanoseconds of the relay's clock */
    uint64_t turn; /* packets that came before */
    tacrec_packet head;
} Held;

typedef struct Queue {
    uint32_t priority;
    uint32_t first, last;
    uint64_t blocks;
} Queue;

typedef struct Memory {
    uint8_t *blocks;
    uint32_t count, used, fresh; /* all; taken; never taken so far */
    uint32_t free;               /* the first block that was given back */
    uint32_t first, last;        /* of the list */
    Queue queues[QUEUES + 1];    /* by priority; the last is that of what describes */
    uint32_t queueCount;
    uint64_t turn;
    tacCatalogue *base;
    uint8_t *packet; /* room for one */
    bool full;
    /* the dump */
    tacDisk disk;  /* -1: none */
    uint32_t next; /* packet that is to be written next; NONE: all are */
    uint64_t until;
    uint32_t dumps; /* that were begun */
    bool dumpsTold; /* that there are as many as are allowed */
    char path[PATH_ROOM];
} Memory;

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static Held *heldAt(const Memory *own, uint32_t block) { return (Held *) (own->blocks + (size_t) block * BLOCK); }

static uint32_t *linkOf(const Memory *own, uint32_t block) {
    return (uint32_t *) (void *) (own->blocks + (size_t) block * BLOCK);
}

static uint32_t blocksFor(uint32_t size) {
    uint32_t first = BLOCK - sizeof(Held), other = BLOCK - sizeof(uint32_t);
    return size <= first ? 1 : 1 + (size - first + other - 1) / other;
}

static uint32_t takeBlock(Memory *own) {
    uint32_t block = own->free;
    own->used++;
    if (block == NONE) return own->fresh++;
    own->free = *linkOf(own, block);
    return block;
}

/* Copies a packet into its blocks, or out of them. */
static void copyPacket(const Memory *own, uint32_t block, uint8_t *bytes, uint32_t size, bool in) {
    uint32_t begin = sizeof(Held);
    for (uint32_t done = 0; done < size; block = *linkOf(own, block), begin = sizeof(uint32_t)) {
        uint32_t part = BLOCK - begin < size - done ? BLOCK - begin : size - done;
        uint8_t *at = own->blocks + (size_t) block * BLOCK + begin;
        if (in) memcpy(at, bytes + done, part);
        else memcpy(bytes + done, at, part);
        done += part;
    }
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static void append(Memory *own, uint32_t block, uint32_t queue) {
    Held *held = heldAt(own, block);
    Queue *q = &own->queues[queue];
    held->queue = queue;
    held->before = own->last;
    held->queueBefore = q->last;
    held->behind = held->queueBehind = NONE;
    if (own->last == NONE) own->first = block;
    else heldAt(own, own->last)->behind = block;
    if (q->last == NONE) q->first = block;
    else heldAt(own, q->last)->queueBehind = block;
    own->last = q->last = block;
    q->blocks += blocksFor(held->head.size);
}

static void takeOut(Memory *own, uint32_t block) {
    const Held *held = heldAt(own, block);
    Queue *q = &own->queues[held->queue];
    if (held->before == NONE) own->first = held->behind;
    else heldAt(own, held->before)->behind = held->behind;
    if (held->behind == NONE) own->last = held->before;
    else heldAt(own, held->behind)->before = held->before;
    if (held->queueBefore == NONE) q->first = held->queueBehind;
    else heldAt(own, held->queueBefore)->queueBehind = held->queueBehind;
    if (held->queueBehind == NONE) q->last = held->queueBefore;
    else heldAt(own, held->queueBehind)->queueBefore = held->queueBefore;
    uint32_t blocks = blocksFor(held->head.size);
    q->blocks -= blocks;
    own->used -= blocks;
    for (uint32_t at = block; blocks-- > 0;) {
        uint32_t next = *linkOf(own, at);
        *linkOf(own, at) = own->free;
        own->free = at;
        at = next;
    }
}

/* Index of the queue of a priority, made where there is none yet; of too many, the last but one have those above. */
static uint32_t queueOf(tacStorage *s, uint32_t priority, bool said) {
    Memory *own = s->own;
    uint32_t i = 0;
    if (said) return QUEUES;
    if (s->is.strategy != TAC_STRATEGY_PRIORITY) priority = 0;
    while (i < own->queueCount && own->queues[i].priority != priority) i++;
    if (i < own->queueCount) return i;
    if (own->queueCount == QUEUES) return QUEUES - 1;
    own->queues[i] = (Queue){.priority = priority, .first = NONE, .last = NONE};
    own->queueCount++;
    return i;
}

/* ---- dumps ------------------------------------------------------------------------------------------------------- */

static bool writePacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    Memory *own = ((tacStorage *) data)->own;
    return tacDiskWrite(&own->disk, bytes, head->size);
}

static void endDump(tacStorage *s) {
    Memory *own = s->own;
    if (own->disk.problem)
        tacStorageTold(s, "cannot write \"%s\" to its end: %s", own->path, tacDiskWhy(own->disk.problem));
    else tacStorageTold(s, "\"%s\" is written: %llu bytes", own->path, (unsigned long long) own->disk.bytes);
    tacDiskEnd(&own->disk);
}

/* Writes the next packet of the dump. False: it has ended. */
static bool dumpNext(tacStorage *s) {
    Memory *own = s->own;
    Held *held = heldAt(own, own->next);
    copyPacket(own, own->next, own->packet, held->head.size, false);
    own->next = held->behind;
    if (held->came <= own->until && writePacket(s, &held->head, own->packet)) return true;
    endDump(s);
    return false;
}

/* Writes what there is, at most so many bytes; the end, when its time is over. */
static void goOnDumping(tacStorage *s, uint64_t most) {
    Memory *own = s->own;
    uint64_t begin = own->disk.bytes;
    while (own->disk.file >= 0 && own->next != NONE && own->disk.bytes - begin < most)
        if (!dumpNext(s)) return;
    if (own->disk.file >= 0 && own->next == NONE && tacStoragesNow(s->all) >= own->until) endDump(s);
}

/* The name of the next dump: %n is its number; without it that of all but the first is put at the end. */
static void dumpPath(const tacStorage *s, uint32_t number, char path[PATH_ROOM]) {
    const char *mark = strstr(s->is.dump, "%n");
    if (mark) snprintf(path, PATH_ROOM, "%.*s%u%s", (int) (mark - s->is.dump), s->is.dump, (unsigned) number, mark + 2);
    else if (number == 1) snprintf(path, PATH_ROOM, "%s", s->is.dump);
    else snprintf(path, PATH_ROOM, "%s-%u", s->is.dump, (unsigned) number);
}

/* Makes the file of a dump: the first name that is free. */
static bool beginFile(tacStorage *s) {
    Memory *own = s->own;
    for (uint32_t number = 1; number < 100000; number++) {
        dumpPath(s, number, own->path);
        if (tacDiskBegin(&own->disk, own->path, TAC_DISK_NEW, s->is.group)) return true;
        if (own->disk.problem != EEXIST) break;
    }
    tacStorageTold(s, "cannot write \"%s\": %s", own->path, tacDiskWhy(own->disk.problem));
    return false;
}

static void dumpMemory(tacStorage *s, const char *occasion) {
    Memory *own = s->own;
    uint64_t now = tacStoragesNow(s->all), from = now > s->is.before ? now - s->is.before : 0;
    uint64_t until = now + s->is.after;
    if (own->disk.file >= 0) {
        own->until = until;
        return;
    }
    if (own->dumps == s->is.dumps) {
        if (!own->dumpsTold)
            tacStorageTold(s, "%s: %u dumps were written, which is all that -dumps allows", occasion, own->dumps);
        own->dumpsTold = true;
        return;
    }
    if (!beginFile(s)) return;
    own->dumps++;
    own->until = until;
    tacStorageTold(s, "%s: writing \"%s\"", occasion, own->path);
    bool fine = tacCatalogueTell(own->base, writePacket, s) && tacLossesTell(&s->losses, writePacket, s);
    /* What describes is written from the beginning on, data from its time on. */
    own->next = own->first;
    while (fine && own->next != NONE && heldAt(own, own->next)->came < from) {
        const Held *held = heldAt(own, own->next);
        if (held->queue == QUEUES) {
            copyPacket(own, own->next, own->packet, held->head.size, false);
            fine = writePacket(s, &held->head, own->packet);
        }
        own->next = held->behind;
    }
    if (fine) goOnDumping(s, STEP);
    else endDump(s);
}

/* ---- making room ------------------------------------------------------------------------------------------------- */

/* Reads a packet into own->packet, and takes it out. */
static void takeFirst(Memory *own, uint32_t block, tacrec_packet *head) {
    *head = heldAt(own, block)->head;
    copyPacket(own, block, own->packet, head->size, false);
    takeOut(own, block);
}

/* Makes a description, which is in own->packet and leaves the list, part of `base`. */
static void noteBase(Memory *own, const tacrec_packet *head) {
    tacCatalogueNote(own->base, head, own->packet);
    if (head->kind == TACREC_PACKET_END) tacCatalogueForget(own->base, head->source);
}

/* Throws a packet away: what describes becomes part of `base`, data is lost, unless the dump has it. */
static void evict(tacStorage *s, uint32_t block) {
    Memory *own = s->own;
    tacrec_packet head;
    bool written = own->disk.file >= 0;
    if (written && own->next != NONE)
        while (heldAt(own, own->next)->turn <= heldAt(own, block)->turn)
            if (!dumpNext(s) || own->next == NONE) break;
    bool said = heldAt(own, block)->queue == QUEUES;
    takeFirst(own, block, &head);
    if (said) noteBase(own, &head);
    else tacStorageLost(s, &head, own->packet);
}

/* The packet that goes next for one of this priority; NONE: none of them does. */
static uint32_t nextToGo(tacStorage *s, uint32_t priority) {
    Memory *own = s->own;
    uint32_t least = NONE, oldest = NONE, said = own->queues[QUEUES].first;
    for (uint32_t i = 0; i < own->queueCount; i++) {
        const Queue *q = &own->queues[i];
        if (q->first == NONE) continue;
        if (oldest == NONE || heldAt(own, q->first)->turn < heldAt(own, oldest)->turn) oldest = q->first;
        if (q->priority > priority && s->is.strategy == TAC_STRATEGY_PRIORITY) continue;
        if (least == NONE || q->priority < own->queues[heldAt(own, least)->queue].priority) least = q->first;
    }
    if (said != NONE && (oldest == NONE || heldAt(own, said)->turn < heldAt(own, oldest)->turn)) return said;
    return least;
}

/* Blocks that a packet of this priority could have at most. */
static uint64_t couldHave(tacStorage *s, uint32_t priority) {
    Memory *own = s->own;
    uint64_t blocks = own->count - own->used;
    for (uint32_t i = 0; i < own->queueCount; i++)
        if (own->queues[i].priority <= priority) blocks += own->queues[i].blocks;
    return blocks;
}

static bool makeRoom(tacStorage *s, const tacrec_packet *head, bool said) {
    Memory *own = s->own;
    uint32_t blocks = blocksFor(head->size), priority = head->priority;
    if (s->is.strategy == TAC_STRATEGY_STOP) {
        bool fits = own->used + blocks <= tacStorageRoom(s, head, said) / BLOCK;
        if (!fits && !said && !own->full) tacStorageTold(s, "it is full");
        own->full |= !fits && !said;
        return fits;
    }
    if (own->used + blocks <= own->count) return true;
    if (s->is.strategy == TAC_STRATEGY_PRIORITY && !said && couldHave(s, priority) < blocks) return false;
    if (s->is.strategy == TAC_STRATEGY_RESTART)
        while (own->first != NONE) evict(s, own->first);
    while (own->used + blocks > own->count) {
        uint32_t block = nextToGo(s, said ? UINT32_MAX : priority);
        if (block == NONE) return false;
        evict(s, block);
    }
    return true;
}

/* ---- the storage ------------------------------------------------------------------------------------------------- */

static bool takeMemory(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes, bool said) {
    Memory *own = s->own;
    uint32_t blocks = blocksFor(head->size);
    if (blocks > own->count || (own->full && !said) || !makeRoom(s, head, said)) return false;
    uint32_t first = takeBlock(own), last = first;
    for (uint32_t i = 1; i < blocks; i++) {
        uint32_t block = takeBlock(own);
        *linkOf(own, last) = block;
        last = block;
    }
    *linkOf(own, last) = NONE;
    Held *held = heldAt(own, first);
    held->came = tacStoragesNow(s->all);
    held->turn = own->turn++;
    held->head = *head;
    copyPacket(own, first, (uint8_t *) (uintptr_t) bytes, head->size, true);
    append(own, first, queueOf(s, head->priority, said));
    if (own->disk.file >= 0 && own->next == NONE) own->next = first;
    return true;
}

/* Occasion that elements of a sensor are; NULL: none. */
static const char *occasionOf(const tacStorage *s, const tacNotedSensor *sensor) {
    char both[2 * TACREC_STREAM_TEXT];
    snprintf(both, sizeof both, "%s:%s", sensor->program, sensor->name);
    if ((s->is.occasions & TAC_DUMP_FINDING) && !strcmp(both, FINDINGS)) return "a finding";
    bool fits = s->is.sensor[0] && (!fnmatch(s->is.sensor, sensor->name, 0) || !fnmatch(s->is.sensor, both, 0));
    return fits ? s->is.sensor : NULL;
}

static void noteMemory(tacStorage *s, const tacrec_packet *head) {
    bool looks = s->is.sensor[0] || (s->is.occasions & TAC_DUMP_FINDING);
    if (!looks || head->kind != TACREC_PACKET_ELEMENTS || head->sequence == TACREC_REPEATED) return;
    const tacNotedSensor *sensor = tacStorageSensor(s, head);
    const char *occasion = sensor ? occasionOf(s, sensor) : NULL;
    if (occasion) dumpMemory(s, occasion);
}

/* Empties it into another storage, the oldest first, as long as that takes packets. */
static void empty(tacStorage *s) {
    Memory *own = s->own;
    for (uint64_t done = 0; done < STEP && own->first != NONE;) {
        if (own->disk.file >= 0 && own->next == own->first) return; /* it has to be written out first */
        const Held *held = heldAt(own, own->first);
        tacrec_packet head = held->head;
        copyPacket(own, own->first, own->packet, head.size, false);
        if (held->queue != QUEUES && !tacStorageGive(s, s->is.to, &head, own->packet)) return;
        if (held->queue == QUEUES) noteBase(own, &head);
        takeOut(own, own->first);
        done += head.size;
        own->full = false;
    }
}

static void workMemory(tacStorage *s) {
    Memory *own = s->own;
    goOnDumping(s, STEP);
    if (s->is.to[0] && own->first != NONE) empty(s);
}

static bool holdsMemory(const tacStorage *s) { return s->is.to[0] && ((const Memory *) s->own)->first != NONE; }

static void closeMemory(tacStorage *s) {
    Memory *own = s->own;
    if (own->disk.file < 0 && s->is.dump[0] && (s->is.occasions & TAC_DUMP_END)) dumpMemory(s, "the end");
    if (own->disk.file >= 0) {
        own->until = own->until < tacStoragesNow(s->all) ? own->until : tacStoragesNow(s->all);
        while (own->disk.file >= 0 && own->next != NONE)
            if (!dumpNext(s)) break;
        if (own->disk.file >= 0) endDump(s);
    }
    while (s->is.to[0] && own->first != NONE) {
        tacrec_packet head;
        bool said = heldAt(own, own->first)->queue == QUEUES;
        takeFirst(own, own->first, &head);
        if (!said && !tacStorageGive(s, s->is.to, &head, own->packet)) tacStoragePass(s, &head, own->packet);
    }
    munmap(own->blocks, (size_t) own->count * BLOCK);
    tacCatalogueFree(own->base);
    free(own->packet);
    free(own);
}

/* Can a dump be made in its folder? That it cannot is said now rather than when it is needed. */
static bool canDump(const tacStorage *s, char why[TAC_STORAGE_TEXT]) {
    char folder[PATH_ROOM];
    const char *slash = strrchr(s->is.dump, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int) (slash - s->is.dump) + 1 : 1, slash ? s->is.dump : ".");
    if (!s->is.dump[0] || !access(folder, W_OK | X_OK)) return true;
    snprintf(why, TAC_STORAGE_TEXT, "cannot write into the folder \"%.300s\": %s", folder, strerror(errno));
    return false;
}

static bool openMemory(tacStorage *s, char why[TAC_STORAGE_TEXT]) {
    if (!canDump(s, why)) return false;
    Memory *own = s->own = calloc(1, sizeof *own);
    uint64_t count = s->is.size / BLOCK < NONE ? s->is.size / BLOCK : NONE - 1;
    void *blocks = MAP_FAILED;
    if (own && (own->packet = malloc(TACREC_PACKET_MOST)) && (own->base = tacCatalogueNew()))
        blocks = mmap(NULL, count * BLOCK, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | (s->is.reserved ? MAP_POPULATE : MAP_NORESERVE), -1, 0);
    if (blocks == MAP_FAILED) {
        snprintf(why, TAC_STORAGE_TEXT, "there is no memory of %llu bytes", (unsigned long long) s->is.size);
        if (own) tacCatalogueFree(own->base);
        if (own) free(own->packet);
        free(own);
        return false;
    }
    own->blocks = blocks;
    own->count = (uint32_t) count;
    own->free = own->first = own->last = own->next = NONE;
    own->queues[QUEUES] = (Queue){.first = NONE, .last = NONE};
    own->disk.file = -1;
    if (s->is.reserved && mlock(blocks, count * BLOCK))
        tacStorageTold(s, "its memory may be moved to a disk (mlock: %s): raise `ulimit -l`", strerror(errno));
    return true;
}

const tacStorageClass tacStorageMemory = {.open = openMemory,
    .take = takeMemory,
    .work = workMemory,
    .note = noteMemory,
    .dump = dumpMemory,
    .holds = holdsMemory,
    .close = closeMemory};
