/*
 * worker.c -- the program of worker processes: waits for requests (unix/zygote.h), and becomes a worker by each.
 *
 * It is no command: another program starts it, with the same version as its only word, and ends it by closing the
 * control socket.
 */
#define _GNU_SOURCE  /* signalfd */
#undef USE_TCL_STUBS /* this program has the library itself, and gives its table to the rest */
#include <tcl.h>

#include "base/port.h"

#include "../child.h"
#include "../confine.h"
#include "../zygote.h"
#include "base/mem.h"
#include "read/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Child {
    uint64_t number;
    pid_t pid;
} Child;

static TAC_ARRAY(Child) children;
static sigset_t childEnds;

/* Receives a request with its descriptors, -1 for those that are missing. false: the other side is gone. */
static bool receive(tacZygoteRequest *what, int files[3]) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(3 * sizeof(int))];
    } space;
    struct iovec part = {what, sizeof *what};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = space.bytes, .msg_controllen = sizeof space.bytes};
    ssize_t n;
    do n = recvmsg(TAC_ZYGOTE_CONTROL, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    files[0] = files[1] = files[2] = -1;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (n > 0 && head && head->cmsg_type == SCM_RIGHTS) memcpy(files, CMSG_DATA(head), head->cmsg_len - CMSG_LEN(0));
    return n == (ssize_t) sizeof *what;
}

/* Becomes a worker. */
static _Noreturn void become(int parts, const int files[3]) {
    close(TAC_ZYGOTE_CONTROL);
    close(parts);
    tacWorkerChild(files[0], files[1], files[2], tacWorkerBodies);
}

/* Tells how a worker ended; the other side waits for that, or for the end of this program. */
static void tell(uint64_t number, int status) {
    tacZygoteEnd end = {.child = number, .status = status};
    ssize_t n;
    do n = send(TAC_ZYGOTE_CONTROL, &end, sizeof end, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    if (n < 0) _exit(2);
}

/* Makes a worker, or ends one. */
static void serve(const tacZygoteRequest *what, const int files[3], int parts) {
    if (what->end) {
        for (size_t i = 0; i < children.count; i++)
            if (children.at[i].number == what->child) kill(children.at[i].pid, SIGKILL);
        return;
    }
    pid_t pid = fork();
    if (pid == 0) become(parts, files);
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0) close(files[i]);
    if (pid > 0 && tacArrayPush(&children, ((Child){what->child, pid}))) return;
    if (pid > 0) kill(pid, SIGKILL);
    tell(what->child, SIGKILL);
}

/* Tells the ends of all workers that have ended. Where the system does not tell them, this program ends, which the
 * other side notices: it would wait for ever. */
static void reap(int parts) {
    struct signalfd_siginfo info;
    int status;
    pid_t pid;
    (void) !read(parts, &info, sizeof info);
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (size_t i = 0; i < children.count; i++) {
            if (children.at[i].pid != pid) continue;
            tell(children.at[i].number, status);
            children.at[i] = children.at[--children.count];
            break;
        }
    if (pid < 0 && children.count) _exit(2);
}

/* Makes an interpreter, by which Tcl has done all that it does once in a process. */
static bool prepareTcl(void) {
    Tcl_FindExecutable(NULL);
    Tcl_Interp *interp = Tcl_CreateInterp();
    if (!(Tcl_InitStubs) (interp, TCL_VERSION, 0)) return false;
    tacSandboxPrepare(interp);
    return true;
}

int main(int argc, char **argv) {
    if (argc != 2 || strcmp(argv[1], TACTUS_VERSION) != 0 || fcntl(TAC_ZYGOTE_CONTROL, F_GETFD) < 0) return 2;
    (void) tacConfineEnds(); /* it ends with the control socket as well; a worker must not fail here */
    static const int ignored[] = {SIGINT, SIGQUIT, SIGHUP, SIGPIPE}; /* the terminal's are for the other side */
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
    sigemptyset(&childEnds);
    sigaddset(&childEnds, SIGCHLD);
    signal(SIGCHLD, SIG_DFL); /* where it is ignored, which is inherited, nothing tells how workers end */
    sigprocmask(SIG_SETMASK, &childEnds, NULL);
    int parts = signalfd(-1, &childEnds, SFD_CLOEXEC | SFD_NONBLOCK);
    if (parts < 0 || !prepareTcl()) return 2;
    struct pollfd waits[] = {{.fd = TAC_ZYGOTE_CONTROL, .events = POLLIN}, {.fd = parts, .events = POLLIN}};
    for (;;) {
        tacZygoteRequest what;
        int files[3];
        if (poll(waits, 2, -1) < 0) {
            if (errno != EINTR) return 2;
            continue;
        }
        if (waits[1].revents) reap(parts);
        if (!waits[0].revents) continue;
        if (!receive(&what, files)) return 0;
        serve(&what, files, parts);
    }
}
