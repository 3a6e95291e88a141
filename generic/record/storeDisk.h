/*
 * storeDisk.h -- files of packets: whole packets only, so that what was written can be read, however this program ends.
 */
#ifndef TAC_RECORD_STORE_DISK_H
#define TAC_RECORD_STORE_DISK_H

#include "record/store.h"

typedef struct tacDisk { /* a file; ends with tacDiskEnd */
    int file;            /* descriptor; -1: none */
    uint64_t bytes;      /* in it */
    uint64_t reserved;   /* bytes of the disk that it has, at least */
    int problem;         /* errno of the last failure */
} tacDisk;

typedef enum tacDiskMode {
    TAC_DISK_NEW,  /* a new file: there must be none */
    TAC_DISK_GO_ON /* a file of packets that is there is continued */
} tacDiskMode;

/* Opens it, with the mode 0600. False: `problem` says why; EEXIST: there is a file of another kind. */
bool tacDiskBegin(tacDisk *disk, const char *path, tacDiskMode mode);
/* Appends a whole packet, or nothing. */
bool tacDiskWrite(tacDisk *disk, const uint8_t *bytes, uint32_t size);
/* Reserves so many bytes of the disk for the file, whatever is in it. */
bool tacDiskReserve(tacDisk *disk, uint64_t bytes);
bool tacDiskEmpty(tacDisk *disk); /* throws away what is in it */
void tacDiskEnd(tacDisk *disk);
/* What a failure means, in words with a way out. */
const char *tacDiskWhy(int problem);

#endif
