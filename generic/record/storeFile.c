/*
 * storeFile.c -- a file of packets: it takes so many bytes and stops, or begins anew when it is full.
 */
#include "record/storeDisk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct File {
    tacDisk disk;
    bool begun;       /* it tells of all sources */
    bool full;        /* it has stopped, but for what describes */
    tacLosses losses; /* what would be lost if it began anew */
} File;

static bool openFile(tacStorage *s, char why[TAC_STORAGE_TEXT]) {
    File *own = s->own = calloc(1, sizeof *own);
    const char *problem = "not enough memory";
    if (own && !tacDiskBegin(&own->disk, s->is.path, TAC_DISK_GO_ON, s->is.group))
        problem = tacDiskWhy(own->disk.problem);
    else if (own && s->is.reserved && !tacDiskReserve(&own->disk, s->is.size)) problem = tacDiskWhy(own->disk.problem);
    else if (own) return true;
    snprintf(why, TAC_STORAGE_TEXT, "cannot write \"%.300s\": %s", s->is.path, problem);
    if (own) tacDiskEnd(&own->disk);
    free(own);
    return false;
}

/* Writes a packet, which has room. */
static bool writePacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacStorage *s = data;
    File *own = s->own;
    if (!tacDiskWrite(&own->disk, bytes, head->size))
        return tacStorageGone(s, "cannot write \"%s\": %s", s->is.path, tacDiskWhy(own->disk.problem));
    if (s->is.strategy == TAC_STRATEGY_RESTART) tacLossesNote(&own->losses, head, bytes);
    return true;
}

/* Writes what describes, as long as there is room for it. */
static bool writeSaid(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacStorage *s = data;
    const File *own = s->own;
    return own->disk.bytes + head->size <= tacStorageRoom(s, head, true) && writePacket(s, head, bytes);
}

/* Throws away what is in the file, and reserves its size anew where it was. */
static bool restart(tacStorage *s) {
    File *own = s->own;
    if (!tacDiskEmpty(&own->disk)) return false;
    for (uint32_t i = 0; i < own->losses.count; i++) s->count.lost += own->losses.at[i].elements;
    tacLossesAdd(&s->losses, &own->losses);
    own->losses.count = 0;
    own->begun = false;
    return !s->is.reserved || tacDiskReserve(&own->disk, s->is.size);
}

static bool isFull(tacStorage *s, bool said) {
    File *own = s->own;
    if (!own->full && !said && s->is.strategy == TAC_STRATEGY_STOP) {
        tacStorageTold(s, "it is full: \"%s\" has %llu bytes", s->is.path, (unsigned long long) own->disk.bytes);
        own->full = true;
    }
    return false;
}

static bool takeFile(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes, bool said) {
    File *own = s->own;
    if (own->full && !said) return false;
    if (own->disk.bytes + head->size > tacStorageRoom(s, head, said)) {
        /* One that begins anew for a packet has to have room for it then. */
        if (s->is.strategy == TAC_STRATEGY_STOP || tacStorageKnown(s) + head->size > s->is.size) return isFull(s, said);
        if (!restart(s)) return tacStorageGone(s, "\"%s\": %s", s->is.path, tacDiskWhy(own->disk.problem));
    }
    if (!own->begun) {
        if (!tacStorageDescribe(s, writeSaid, s)) return isFull(s, said);
        own->begun = true;
        tacLossesTell(&s->losses, writeSaid, s);
        if (said && head->kind != TACREC_PACKET_LOST) return true; /* it was among what is known */
    }
    return own->disk.bytes + head->size <= s->is.size ? writePacket(s, head, bytes) : isFull(s, said);
}

static void closeFile(tacStorage *s) {
    File *own = s->own;
    tacDiskEnd(&own->disk);
    tacLossesClear(&own->losses);
    free(own);
}

const tacStorageClass tacStorageFile = {.open = openFile, .take = takeFile, .close = closeFile};
