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

/* Opens it, with the mode 0600, or 0640 for a group (a name; "": none), and locks it. False: `problem` says why;
 * EEXIST: there is a file of another kind; EBUSY: another program writes it. */
bool tacDiskBegin(tacDisk *disk, const char *path, tacDiskMode mode, const char *group);
/* Lets a group read a file or look into a folder. group: a name; "": none, which is fine. 0, or as errno has it;
 * ENOENT: there is no such group. */
int tacDiskShare(int file, const char *group, unsigned mode);
/* Does another program write the file? */
bool tacDiskIsBusy(const char *path);
/* Appends a whole packet, or nothing. */
bool tacDiskWrite(tacDisk *disk, const uint8_t *bytes, uint32_t size);
/* Reserves so many bytes of the disk for the file, whatever is in it. */
bool tacDiskReserve(tacDisk *disk, uint64_t bytes);
bool tacDiskEmpty(tacDisk *disk); /* throws away what is in it */
void tacDiskEnd(tacDisk *disk);
/* What a failure means, in words with a way out. */
const char *tacDiskWhy(int problem);

#endif
