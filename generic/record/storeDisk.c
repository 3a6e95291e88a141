/*
 * storeDisk.c -- files of packets.
 */
#define _GNU_SOURCE /* fallocate */
#include "record/storeDisk.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = TACREC_STREAM_MAGIC;

/* Is the file, which is open, one of packets, or empty? */
static bool isOurs(tacDisk *disk) {
    struct stat status;
    char begin[sizeof magic];
    if (fstat(disk->file, &status)) return false;
    if (!S_ISREG(status.st_mode)) return S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode);
    disk->bytes = (uint64_t) status.st_size;
    if (disk->bytes == 0) return true;
    return pread(disk->file, begin, sizeof begin, 0) == sizeof begin && !memcmp(begin, magic, sizeof begin);
}

/* Only one program writes a file; not all file systems know locks. */
static bool isLocked(int file) { return flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK; }

bool tacDiskIsBusy(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool isBusy = file >= 0 && isLocked(file);
    if (file >= 0) close(file);
    return isBusy;
}

int tacDiskShare(int file, const char *group, unsigned mode) {
    if (!group[0]) return 0;
    errno = 0;
    const struct group *found = getgrnam(group);
    if (!found) return errno ? errno : ENOENT;
    return fchown(file, (uid_t) -1, found->gr_gid) || fchmod(file, mode) ? errno : 0;
}

bool tacDiskBegin(tacDisk *disk, const char *path, tacDiskMode mode, const char *group) {
    *disk = (tacDisk){.file = -1};
    int flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    disk->file = open(path, flags | (mode == TAC_DISK_NEW ? O_EXCL | O_NOFOLLOW : 0), 0600);
    if (disk->file < 0) {
        disk->problem = errno;
        return false;
    }
    struct stat status;
    bool isFile = !fstat(disk->file, &status) && S_ISREG(status.st_mode);
    disk->problem = !isOurs(disk)        ? EEXIST
        : isFile && isLocked(disk->file) ? EBUSY
        : isFile                         ? tacDiskShare(disk->file, group, 0640)
                                         : 0;
    if (disk->problem) tacDiskEnd(disk);
    return !disk->problem;
}

bool tacDiskWrite(tacDisk *disk, const uint8_t *bytes, uint32_t size) {
    uint32_t done = 0;
    while (done < size) {
        ssize_t n = write(disk->file, bytes + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            disk->problem = n < 0 ? errno : ENOSPC;
            /* A packet that ends in the middle would be told as damage. */
            if (done && ftruncate(disk->file, (off_t) disk->bytes)) disk->bytes += done;
            return false;
        }
        done += (uint32_t) n;
    }
    disk->bytes += size;
    return true;
}

bool tacDiskReserve(tacDisk *disk, uint64_t bytes) {
    if (bytes <= disk->reserved) return true;
    if (fallocate(disk->file, FALLOC_FL_KEEP_SIZE, 0, (off_t) bytes)) {
        disk->problem = errno;
        return false;
    }
    disk->reserved = bytes;
    return true;
}

bool tacDiskEmpty(tacDisk *disk) {
    if (ftruncate(disk->file, 0)) {
        disk->problem = errno;
        return false;
    }
    disk->bytes = disk->reserved = 0;
    return true;
}

void tacDiskEnd(tacDisk *disk) {
    if (disk->file >= 0) close(disk->file);
    disk->file = -1;
}

const char *tacDiskWhy(int problem) {
    switch (problem) {
    case ENOSPC: return "the disk is full";
    case EDQUOT: return "the quota of the disk is used up";
    case EFBIG: return "files may not become larger (ulimit -f)";
    case EBUSY: return "another program writes it";
    case EEXIST: return "there is a file of another kind, which is not overwritten: remove it, or give another name";
    default: return strerror(problem);
    }
}
