/*
 * zygote.c -- the side of zygote.h in this process: starts the program when the first worker is wanted.
 *
 * Each thread has a program of its own, since the system ends the program with the thread that started it. A process
 * that was forked from this one starts its own, too.
 */
#define _GNU_SOURCE /* clone, environ, close_range */
#include "base/port.h"

#include "base/late.h"
#include "confine.h"
#include "read/worker.h"
#include "zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STACK = 1 << 16, /* bytes for the steps from clone to exec */
    KEPT = 40        /* entries of the environment */
};

const char *tacWorkerProgram = "tactus-worker";

/* The program of this thread. */
typedef struct Zygote {
    pid_t pid;   /* 0: it does not run */
    pid_t owner; /* process that started it */
    int control;
    unsigned namespaces;
    int end;                       /* status with which one before it ended, as waitpid tells it; -1: not known */
    uint64_t last;                 /* worker made last */
    TAC_ARRAY(tacZygoteEnd) ended; /* told, and not yet waited for */
} Zygote;

/* Not thread-local: a library that is loaded late has little room for such variables. */
static Zygote *mine(void);
#define zygote (*mine())

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static Zygote nobody; /* where there is no memory for one: it never runs */

static void makeKey(void) { pthread_key_create(&key, free); }

static Zygote *mine(void) {
    pthread_once(&once, makeKey);
    Zygote *own = pthread_getspecific(key);
    if (own) return own;
    own = calloc(1, sizeof *own);
    if (!own || pthread_setspecific(key, own) != 0) return free(own), &nobody;
    return own;
}

/* ---- starting the program ---------------------------------------------------------------------------------------- */

/* Keeps of the environment what says where libraries are and how sanitizers work. */
static void keepEnvironment(char *kept[KEPT]) {
    static const char *const names[] = {"LD_LIBRARY_PATH=", "LD_PRELOAD=", "ASAN_OPTIONS=", "UBSAN_OPTIONS=",
        "LSAN_OPTIONS=", "TSAN_OPTIONS=", "GCOV_PREFIX="};
    int n = 0;
    for (char **entry = environ; entry && *entry; entry++)
        for (size_t i = 0; i < sizeof names / sizeof *names && n < KEPT - 1; i++)
            if (strncmp(*entry, names[i], strlen(names[i])) == 0) kept[n++] = *entry;
    kept[n] = NULL;
}

/* The steps of the new process before it is the program. It shares this one's memory: nothing here may change that. */
typedef struct Start {
    const char *path;
    char **environment;
    int control, null;
    int problem; /* errno of what went wrong */
} Start;

/* A descriptor that is none of the standard ones. */
static int above(int fd) { return fd < TAC_ZYGOTE_CONTROL ? fcntl(fd, F_DUPFD, TAC_ZYGOTE_CONTROL) : fd; }

static int become(void *data) {
    Start *start = data;
    char *const words[] = {(char *) (uintptr_t) tacWorkerProgram, (char *) (uintptr_t) TACTUS_VERSION, NULL};
    int null = above(start->null), control = above(start->control);
    bool done = null >= 0 && control >= 0;
    for (int i = 0; i < TAC_ZYGOTE_CONTROL; i++) done = done && dup2(null, i) >= 0;
    if (control == TAC_ZYGOTE_CONTROL)
        done = done && fcntl(control, F_SETFD, 0) == 0; /* it stays open in the program */
    else done = done && dup2(control, TAC_ZYGOTE_CONTROL) >= 0;
    close_range(TAC_ZYGOTE_CONTROL + 1, ~0u, 0);
    /* Not by execve: with counters of lines (--enable-coverage) that is a function of the compiler's, which clears
     * them, and this process shares its memory with the one that counts. */
    if (done) syscall(SYS_execve, start->path, words, start->environment);
    start->problem = errno;
    _exit(127);
}

/* Starts the program in these namespaces. Processes that tools watch are forked, since the tools do not know clone. */
static pid_t spawn(Start *start, unsigned namespaces) {
    static const struct {
        unsigned bit;
        int flag;
    } kinds[] = {{TAC_WALL_USERS, CLONE_NEWUSER}, {TAC_WALL_PROCESSES, CLONE_NEWPID}, {TAC_WALL_IPC, CLONE_NEWIPC},
        {TAC_WALL_NETWORK, CLONE_NEWNET}};
    int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
    start->problem = 0;
    if (tacConfineWatched()) {
        pid_t pid = fork();
        if (pid == 0) become(start);
        return pid;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (namespaces & kinds[i].bit) flags |= kinds[i].flag;
    char *stack = tacAlloc(STACK);
    if (!stack) return errno = ENOMEM, -1;
    pid_t pid = clone(become, stack + STACK, flags, start);
    int problem = errno;
    tacFree(stack);
    if (pid >= 0 && start->problem) waitpid(pid, NULL, 0);
    errno = pid < 0 ? problem : start->problem;
    return start->problem ? -1 : pid;
}

/* Starts the program with as many namespaces as the system allows; -1: not at all. */
static pid_t spawnWithin(Start *start, unsigned *namespaces) {
    static const unsigned tries[] = {TAC_WALL_USERS | TAC_WALL_PROCESSES | TAC_WALL_IPC | TAC_WALL_NETWORK,
        TAC_WALL_USERS | TAC_WALL_PROCESSES | TAC_WALL_IPC, TAC_WALL_USERS, 0};
    sigset_t all, before;
    pid_t pid = -1;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* no handler of this process runs in the other one */
    for (size_t i = 0; pid < 0 && i < sizeof tries / sizeof *tries; i++) {
        *namespaces = tacConfineWatched() ? 0 : tries[i];
        pid = spawn(start, *namespaces);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return pid;
}

static tacStatus failStart(tacError *err, const char *program, int problem) {
    return tacFail(err, "LIMIT PROCESS", "cannot start the program that evaluates scripts, \"%.300s\": %s", program,
        strerror(problem));
}

tacStatus tacZygoteFailed(tacError *err) {
    enum { NO_LIBRARY = 127 };
    char path[PATH_MAX + 64];
    if (!tacBeside(tacWorkerProgram, path, sizeof path)) snprintf(path, sizeof path, "%s", tacWorkerProgram);
    if (zygote.end != -1 && WIFEXITED(zygote.end))
        return tacFail(err, "LIMIT PROCESS", "the program that evaluates scripts, \"%.300s\", ended with status %d%s",
            path, WEXITSTATUS(zygote.end),
            WEXITSTATUS(zygote.end) == NO_LIBRARY ? ": perhaps a library that it needs is missing (ldd tells which)"
                                                  : "");
    if (zygote.end != -1 && WTERMSIG(zygote.end) != SIGKILL)
        return tacFail(err, "LIMIT PROCESS",
            "the program that evaluates scripts, \"%.300s\", was ended by signal %d (%s)", path, WTERMSIG(zygote.end),
            strsignal(WTERMSIG(zygote.end)));
    return tacFail(
        err, "LIMIT KILLED", "the program that evaluates scripts was killed; perhaps the machine is out of memory");
}

/* Forgets a program that has ended. (The status of one that is at its end already is not changed by the signal.) */
static void forget(void) {
    zygote.end = -1;
    if (zygote.pid > 0 && zygote.owner == getpid()) {
        kill(zygote.pid, SIGKILL);
        while (waitpid(zygote.pid, &zygote.end, 0) < 0 && errno == EINTR) continue;
    }
    if (zygote.pid > 0) close(zygote.control);
    zygote.pid = 0;
}

static tacStatus startProgram(tacError *err) {
    char path[PATH_MAX + 64], *environment[KEPT];
    int ends[2];
    if (zygote.pid > 0 && zygote.owner == getpid()) return TAC_OK;
    forget();
    if (!tacBeside(tacWorkerProgram, path, sizeof path)) return failStart(err, tacWorkerProgram, errno);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return failStart(err, path, errno);
    keepEnvironment(environment);
    Start start = {
        .path = path, .environment = environment, .control = ends[1], .null = open("/dev/null", O_RDWR | O_CLOEXEC)};
    unsigned namespaces = 0;
    pid_t pid = start.null < 0 ? -1 : spawnWithin(&start, &namespaces);
    int problem = errno;
    if (start.null >= 0) close(start.null);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return failStart(err, path, problem);
    }
    zygote.pid = pid;
    zygote.owner = getpid();
    zygote.control = ends[0];
    zygote.namespaces = namespaces;
    return TAC_OK;
}

unsigned tacZygoteNamespaces(void) { return zygote.namespaces; }

/* ---- workers ----------------------------------------------------------------------------------------------------- */

/* Sends a request with its descriptors. */
static bool request(const tacZygoteRequest *what, const int *files, int count) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(3 * sizeof(int))];
    } space;
    struct iovec part = {(void *) (uintptr_t) what, sizeof *what};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count) {
        memset(&space, 0, sizeof space);
        message.msg_control = space.bytes;
        message.msg_controllen = CMSG_SPACE((size_t) count * sizeof(int));
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN((size_t) count * sizeof(int));
        memcpy(CMSG_DATA(head), files, (size_t) count * sizeof(int));
    }
    ssize_t n;
    do n = sendmsg(zygote.control, &message, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t) sizeof *what;
}

tacStatus tacZygoteFork(int socket, int page, int file, tacZygoteChild *child, tacError *err) {
    int files[] = {socket, page, file};
    for (int tries = 0; tries < 2; tries++) { /* a program that somebody has ended is started again */
        if (startProgram(err) != TAC_OK) return TAC_ERROR;
        tacZygoteRequest what = {.child = ++zygote.last};
        if (request(&what, files, file >= 0 ? 3 : 2)) return *child = what.child, TAC_OK;
        forget();
    }
    return tacZygoteFailed(err);
}

int tacZygoteWait(tacZygoteChild child, bool end) {
    if (zygote.pid <= 0 || zygote.owner != getpid()) return -1;
    tacZygoteRequest what = {.child = child, .end = 1};
    if (end) request(&what, NULL, 0);
    for (size_t i = 0; i < zygote.ended.count; i++) {
        if (zygote.ended.at[i].child != child) continue;
        int status = zygote.ended.at[i].status;
        zygote.ended.at[i] = zygote.ended.at[--zygote.ended.count];
        return status;
    }
    for (tacZygoteEnd ended;;) {
        ssize_t n = recv(zygote.control, &ended, sizeof ended, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n != (ssize_t) sizeof ended) return forget(), -1;
        if (ended.child == child) return ended.status;
        if (!tacArrayPush(&zygote.ended, ended)) return -1;
    }
}
