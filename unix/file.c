/*
 * file.c -- files and standard input by POSIX calls (read/file.h).
 */
#include "base/port.h"
#include "read/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

tacStatus tacFileOpen(const char *path, tacFile *file, tacError *err) {
    *file = (tacFile) {.handle = -1};
    if (strcmp(path, "-") == 0) {
	*file = (tacFile) {.handle = STDIN_FILENO, .shared = true};
    } else {
	file->handle = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (file->handle < 0) return tacFail(err, "FILE OPEN", "cannot open \"%s\": %s", path, strerror(errno));
    }
    struct stat status;
    if (fstat((int) file->handle, &status) == 0) {
	if (S_ISDIR(status.st_mode)) {
	    tacFileClose(file);
	    return tacFail(err, "FILE OPEN", "cannot open \"%s\": it is a directory", path);
	}
	if (S_ISREG(status.st_mode)) file->size = (uint64_t) status.st_size;
    }
    return TAC_OK;
}

tacStatus tacFileRead(tacFile *file, void *buffer, size_t size, size_t *got, tacError *err) {
    ssize_t n;
    do n = read((int) file->handle, buffer, size); while (n < 0 && errno == EINTR);
    *got = n < 0 ? 0 : (size_t) n;
    return n < 0 ? tacFail(err, "FILE READ", "cannot read: %s", strerror(errno)) : TAC_OK;
}

void tacFileClose(tacFile *file) {
    if (file->handle >= 0 && !file->shared) close((int) file->handle);
    file->handle = -1;
}
