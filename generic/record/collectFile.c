/*
 * collectFile.c -- packets into a file, as they come.
 *
 * Each packet is written at once, so a recorder that is killed loses nothing that it has handed on, and the file can be
 * read meanwhile. A packet that does not fit is taken back as a whole: what follows it, when there is room again, is
 * not damaged.
 */
#define _GNU_SOURCE
#include "record/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 5000 }; /* milliseconds that the reader of a pipe may take no byte */

struct tacrec_file {
    int file, problem; /* descriptor; as errno has it */
    bool cuts;         /* a file, not a pipe */
    off_t length;
};

static const char magic[8] = TACREC_STREAM_MAGIC;

/* Is this a file that may be cut: an empty one, or a recording? */
static bool mayCut(int file, const struct stat *status) {
    char begun[sizeof magic];
    if (!S_ISREG(status->st_mode) || !status->st_size) return true;
    return pread(file, begun, sizeof begun, 0) == sizeof begun && !memcmp(begun, magic, sizeof magic);
}

/* Empties a file; errno. */
static int empty(int file) {
    int failed;
    do failed = ftruncate(file, 0);
    while (failed && errno == EINTR);
    return failed ? errno : 0;
}

tacrec_file *tacrec_fileOpen(const char *path, int *problem) {
    struct stat status;
    bool isFile = stat(path, &status) || S_ISREG(status.st_mode); /* or will be */
    /* A pipe is not opened for reading: that its reader has ended must be seen. */
    int file = open(path, (isFile ? O_RDWR | O_CREAT : O_WRONLY) | O_CLOEXEC | O_NOCTTY, 0666);
    if (file >= 0 && !isFile) fcntl(file, F_SETFL, O_NONBLOCK);
    if (file < 0) {
        *problem = errno;
        return NULL;
    }
    tacrec_file *to = (tacrec_file *) calloc(1, sizeof *to);
    *problem = !to ? ENOMEM : fstat(file, &status) ? errno : mayCut(file, &status) ? 0 : EEXIST;
    if (!*problem && S_ISREG(status.st_mode)) *problem = empty(file);
    if (*problem) {
        close(file);
        free(to);
        return NULL;
    }
    to->file = file;
    to->cuts = S_ISREG(status.st_mode);
    return to;
}

/* Waits for room in a pipe; false: its reader takes nothing. */
static bool canWrite(int file) {
    struct pollfd pipe = {file, POLLOUT, 0};
    int ready = poll(&pipe, 1, PATIENCE);
    if (ready == 0) errno = ETIMEDOUT;
    return ready > 0 || (ready < 0 && errno == EINTR);
}

bool tacrec_fileTake(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacrec_file *to = (tacrec_file *) data;
    size_t done = 0;
    if (!to->cuts && to->problem) return false; /* half a packet may be on its way */
    while (done < head->size) {
        ssize_t got = write(to->file, bytes + done, head->size - done);
        if (got < 0 && (errno == EINTR || (errno == EAGAIN && canWrite(to->file)))) continue;
        if (got <= 0) {
            if (!to->problem) to->problem = got < 0 ? errno : EIO;
            if (done && to->cuts && !ftruncate(to->file, to->length)) lseek(to->file, to->length, SEEK_SET);
            return false;
        }
        done += (size_t) got;
    }
    to->length += (off_t) done;
    return true;
}

int tacrec_fileProblem(const tacrec_file *file) { return file->problem; }

void tacrec_fileClose(tacrec_file *file) {
    if (!file) return;
    close(file->file);
    free(file);
}
