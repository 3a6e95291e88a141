/*
 * apart.c -- runs work in a forked process, which is ended by SIGKILL: it has nothing to tidy up.
 *
 * The process ends with this one, and keeps none of its connections: a window stays on the screen as long as any
 * process has the connection to the X server open.
 */
#define _GNU_SOURCE /* pipe2 */
#include "base/port.h"

#include "base/apart.h"
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Closes the pipe, if there is one, and fails. */
static tacStatus failed(int fds[2], tacError *err) {
    int code = errno;
    if (fds[0] >= 0) close(fds[0]), close(fds[1]);
    return tacFail(err, "APART", "no process could be made: %s", strerror(code));
}

/* Writes all bytes; SIGPIPE ends the process when the pipe is closed. */
static void send(int fd, const char *bytes, size_t n) {
    while (n) {
        ssize_t written = write(fd, bytes, n);
        if (written < 0 && errno != EINTR) return;
        if (written > 0) bytes += written, n -= (size_t) written;
    }
}

tacStatus tacApartStart(tacApart *apart, tacApartWork *work, void *data, tacError *err) {
    int fds[2] = {-1, -1};
    *apart = (tacApart){-1, 0};
    if (pipe2(fds, O_CLOEXEC) != 0) return failed(fds, err);
    pid_t parent = getpid(), process = fork();
    if (process < 0) return failed(fds, err);
    if (process == 0) {
        size_t length = 0;
        tacConfineToParent(parent);
        tacConfineSockets(-1);
        close(fds[0]);
        const char *result = work(data, &length);
        send(fds[1], result, length);
        _exit(0);
    }
    close(fds[1]);
    *apart = (tacApart){fds[0], process};
    return TAC_OK;
}

void tacApartEnd(const tacApart *apart) {
    if (apart->process <= 0) return;
    kill((pid_t) apart->process, SIGKILL);
    while (waitpid((pid_t) apart->process, NULL, 0) < 0 && errno == EINTR) continue;
}
