/*
 * file.c -- reads and writes files and standard input by POSIX calls (read/file.h).
 */
#include "base/port.h"

#include "read/file.h"
#include "read/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static tacFileMark markOf(const struct stat *status) {
    if (!S_ISREG(status->st_mode)) return (tacFileMark){.known = false};
    return (tacFileMark){.known = true,
        .device = (uint64_t) status->st_dev,
        .inode = (uint64_t) status->st_ino,
        .size = (uint64_t) status->st_size,
        .modified = (int64_t) status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec};
}

tacStatus tacFileOpen(const char *path, tacFile *file, tacError *err) {
    *file = (tacFile){.handle = -1};
    if (strcmp(path, "-") == 0) {
        *file = (tacFile){.handle = STDIN_FILENO, .shared = true};
    } else {
        file->handle = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (file->handle < 0) return tacFail(err, "FILE OPEN", "cannot open \"%s\": %s", path, strerror(errno));
    }
    struct stat status;
    if (fstat((int) file->handle, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            tacFileClose(file);
            return tacFail(err, "FILE OPEN", "cannot open \"%s\": it is a directory", path);
        }
        file->pipe = S_ISFIFO(status.st_mode) && !file->shared;
        file->mark = markOf(&status);
        file->regular = file->mark.known;
        file->size = file->mark.size;
    }
    int flags = fcntl((int) file->handle, F_GETFL);
    if (!file->shared && !file->regular && flags >= 0) fcntl((int) file->handle, F_SETFL, flags & ~O_NONBLOCK);
    return TAC_OK;
}

/* True for a pipe that the program was given open (`... | tactus`, `<(...)`): the one at its other end is at work. */
static bool isGivenPipe(const char *path, const struct stat *status) {
    char own[32]; /* of /dev/fd, normalized */
    snprintf(own, sizeof own, "/proc/%ld/fd/", (long) getpid());
    const char *const places[] = {"/dev/stdin", "/dev/fd/", "/proc/self/fd/", own};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strncmp(path, places[i], strlen(places[i])) == 0) return S_ISFIFO(status->st_mode);
    return false;
}

static tacStatus checkPlain(
    const char *path, const char *noun, uint64_t most, const struct stat *status, tacError *err) {
    if (!S_ISREG(status->st_mode) && !isGivenPipe(path, status))
        return tacFail(err, "FILE KIND", "cannot read \"%s\": a %s must be a plain file, not %s", path, noun,
            S_ISDIR(status->st_mode)        ? "a directory"
                : S_ISFIFO(status->st_mode) ? "a pipe"
                                            : "a device");
    if ((uint64_t) status->st_size > most)
        return tacFail(err, "FILE LIMIT", "cannot read \"%s\": it has %.0f MB; a %s has at most %.0f MB", path,
            (double) status->st_size / 1e6, noun, (double) most / 1e6);
    return TAC_OK;
}

tacStatus tacFileCheckPlain(const char *path, const char *noun, uint64_t most, tacError *err) {
    struct stat status;
    if (strcmp(path, "-") == 0 || stat(path, &status) != 0) return TAC_OK;
    return checkPlain(path, noun, most, &status, err);
}

/* Reads what is left of the file; one that has grown meanwhile is too large. */
static tacStatus readRest(int fd, const char *path, uint64_t most, tacText *bytes, tacError *err) {
    char block[1 << 16];
    for (uint64_t rest = most + 1;;) {
        ssize_t n = read(fd, block, rest < sizeof block ? (size_t) rest : sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return tacFail(err, "FILE READ", "cannot read \"%s\": %s", path, strerror(errno));
        if (n == 0) return bytes->failed ? tacFailMemory(err) : TAC_OK;
        tacTextAdd(bytes, block, (size_t) n);
        rest -= (uint64_t) n;
        if (rest == 0)
            return tacFail(
                err, "FILE LIMIT", "cannot read \"%s\": it has more than %.0f MB", path, (double) most / 1e6);
    }
}

tacStatus tacFileContents(const char *path, const char *noun, uint64_t most, tacText *bytes, tacError *err) {
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); /* a pipe must not wait here for a writer */
    if (fd < 0) return tacFail(err, "FILE OPEN", "cannot open \"%s\": %s", path, strerror(errno));
    tacStatus result = fstat(fd, &status) == 0 ? checkPlain(path, noun, most, &status, err)
                                               : tacFail(err, "FILE OPEN", "cannot open \"%s\"", path);
    if (result == TAC_OK && S_ISFIFO(status.st_mode)) fcntl(fd, F_SETFL, 0); /* wait for what is written into it */
    if (result == TAC_OK) result = readRest(fd, path, most, bytes, err);
    close(fd);
    return result;
}

/* Attributes of https://www.freedesktop.org/wiki/CommonExtendedAttributes. */
bool tacFileIsMarked(const char *path) {
    return getxattr(path, "user.xdg.origin.url", NULL, 0) >= 0 || getxattr(path, "user.xdg.referrer.url", NULL, 0) >= 0;
}

/* The kernel keeps no list that says nothing but what the permissions say (acl(5)). */
bool tacFileHasAccessList(const char *path) { return getxattr(path, "system.posix_acl_access", NULL, 0) >= 0; }

/* Reads from a temporary file in memory. */
static tacStatus readMemory(tacFile *file, void *buffer, size_t size, size_t *got) {
    size_t left = file->at < file->memory->length ? file->memory->length - (size_t) file->at : 0;
    *got = size < left ? size : left;
    if (*got) memcpy(buffer, file->memory->at + file->at, *got);
    file->at += *got;
    return TAC_OK;
}

tacStatus tacFileRead(tacFile *file, void *buffer, size_t size, size_t *got, tacError *err) {
    ssize_t n;
    if (file->memory) return readMemory(file, buffer, size, got);
    if (file->pipe) /* without a writer it would seem to be at its end */
        while (!tacFileWait(file, 1000)) continue;
    do n = read((int) file->handle, buffer, size);
    while (n < 0 && errno == EINTR);
    *got = n < 0 ? 0 : (size_t) n;
    return n < 0 ? tacFail(err, "FILE READ", "cannot read: %s", strerror(errno)) : TAC_OK;
}

bool tacFileWait(const tacFile *file, int milliseconds) {
    struct pollfd one = {.fd = (int) file->handle, .events = POLLIN};
    return file->regular || poll(&one, 1, milliseconds) != 0;
}

void tacFileClose(tacFile *file) {
    if (file->handle >= 0 && !file->shared) close((int) file->handle);
    file->handle = -1;
    if (file->memory) tacTextFree(file->memory);
    tacFree(file->memory);
    file->memory = NULL;
}

/* A worker process can make no file. */
static tacStatus makeMemory(tacFile *file, tacError *err) {
    file->memory = tacAllocZero(1, sizeof *file->memory);
    file->regular = true;
    return file->memory ? TAC_OK : tacFailMemory(err);
}

tacStatus tacFileTemporary(tacFile *file, tacError *err) {
    char path[4096];
    const char *folder = getenv("TMPDIR");
    *file = (tacFile){.handle = -1};
    if (tacWorkerSeconds() >= 0) return makeMemory(file, err);
    if (!folder || strlen(folder) > sizeof path - 32) folder = "/tmp";
    snprintf(path, sizeof path, "%s/tactus-XXXXXX", folder);
    file->handle = mkstemp(path);
    if (file->handle < 0)
        return tacFail(err, "FILE OPEN", "cannot make a temporary file in %.200s: %s", folder, strerror(errno));
    unlink(path);
    fcntl((int) file->handle, F_SETFD, FD_CLOEXEC);
    file->regular = true;
    return TAC_OK;
}

tacStatus tacFileCopy(const tacFile *file, tacFile *copy, tacError *err) {
    *copy = *file;
    copy->shared = false;
    copy->handle = fcntl((int) file->handle, F_DUPFD_CLOEXEC, 3);
    if (copy->handle < 0 && errno == EPERM) copy->handle = dup((int) file->handle); /* in a worker process */
    return copy->handle < 0 ? tacFail(err, "FILE OPEN", "cannot open the file again: %s", strerror(errno)) : TAC_OK;
}

tacStatus tacFileWrite(tacFile *file, const void *bytes, size_t size, tacError *err) {
    if (file->memory) {
        tacTextAdd(file->memory, bytes, size);
        file->size = file->memory->length;
        return file->memory->failed ? tacFailMemory(err) : TAC_OK;
    }
    for (const char *at = bytes; size > 0;) {
        ssize_t n = write((int) file->handle, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return tacFail(err, "FILE WRITE", "cannot write a temporary file: %s", strerror(errno));
        at += n;
        size -= (size_t) n;
        file->size += (uint64_t) n;
    }
    return TAC_OK;
}

tacStatus tacFileResize(tacFile *file, uint64_t size, tacError *err) {
    if (ftruncate((int) file->handle, (off_t) size) != 0)
        return tacFail(err, "FILE WRITE", "cannot write a temporary file: %s", strerror(errno));
    file->size = size;
    return TAC_OK;
}

tacStatus tacFileSeek(tacFile *file, uint64_t position, tacError *err) {
    if (file->memory) return file->at = position, TAC_OK;
    if (lseek((int) file->handle, (off_t) position, SEEK_SET) >= 0) return TAC_OK;
    return tacFail(err, "FILE READ", "cannot read: %s", strerror(errno));
}

tacFileMark tacFileMarkOf(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 ? markOf(&status) : (tacFileMark){.known = false};
}

tacFileMark tacFileMarkNow(const tacFile *file) {
    struct stat status;
    return fstat((int) file->handle, &status) == 0 ? markOf(&status) : (tacFileMark){.known = false};
}

tacFileChange tacFileCompare(const tacFileMark *before, const tacFileMark *now) {
    if (!before->known) return TAC_FILE_SAME;
    if (!now->known) return TAC_FILE_GONE;
    if (now->device != before->device || now->inode != before->inode || now->size < before->size)
        return TAC_FILE_REPLACED;
    if (now->size > before->size) return TAC_FILE_GROWN;
    return now->modified == before->modified ? TAC_FILE_SAME : TAC_FILE_REPLACED;
}
