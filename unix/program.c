/*
 * program.c -- runs a program and waits for its end or for a signal, whichever is first (tcl/program.h).
 *
 * Handlers write into a pipe, and waiting is a poll of that pipe and of the program's process, so nothing is missed
 * between looking and waiting. The program's process waits for a byte before it becomes the program, so whoever made it
 * can get ready for its number.
 */
#define _GNU_SOURCE
#include "base/port.h"

#include "base/mem.h"
#include "tcl/program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SLICE = 20, /* milliseconds between two looks at a process without a descriptor */
    GROUPS = 256
};

struct tacProgram {
    pid_t pid;
    int process; /* descriptor; -1: there is none, its end is asked for again and again */
    int go;      /* a byte here lets it begin; -1: it has begun */
    int said;    /* here it says errno where it cannot become the program */
    bool ended;
    char name[200];
};

extern char **environ;

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
enum { CAUGHT = sizeof caught / sizeof *caught };

static struct sigaction before[CAUGHT];
static int pipes[2] = {-1, -1}; /* from the handler to whoever waits */

typedef struct Note {
    int number;
    bool typed;
} Note;

static void onSignal(int number, siginfo_t *info, void *context) {
    (void) context;
    int problem = errno;
    Note note = {number, info->si_code > 0};               /* by the kernel, not by another process */
    if (write(pipes[1], &note, sizeof note) < 0) (void) 0; /* as many signals wait already */
    errno = problem;
}

bool tacProgramCatch(void) {
    if (pipes[0] >= 0) return true;
    if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK)) return false;
    struct sigaction action = {.sa_sigaction = onSignal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < CAUGHT; i++) {
        sigaction(caught[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(caught[i], &action, NULL);
    }
    return true;
}

void tacProgramRelease(void) {
    if (pipes[0] < 0) return;
    for (int i = 0; i < CAUGHT; i++) sigaction(caught[i], &before[i], NULL);
    close(pipes[0]);
    close(pipes[1]);
    pipes[0] = pipes[1] = -1;
}

/* ---- users ------------------------------------------------------------------------------------------------------- */

typedef struct User {
    bool other; /* than this process's */
    uid_t user;
    gid_t group, groups[GROUPS];
    int groupCount;
    char home[PATH_MAX + 8], name[80], logname[80]; /* NAME=value */
} User;

static tacStatus findUser(const char *name, User *user, tacError *err) {
    memset(user, 0, sizeof *user);
    if (!name) return TAC_OK;
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    const struct passwd *entry = *name && !*end ? getpwuid((uid_t) number) : getpwnam(name);
    if (!entry) return tacFail(err, "FILE RUN", "there is no user \"%.100s\"", name);
    user->other = entry->pw_uid != geteuid();
    user->user = entry->pw_uid;
    user->group = entry->pw_gid;
    user->groupCount = GROUPS;
    if (user->other && geteuid())
        return tacFail(
            err, "FILE RUN", "only root can run a program as another user: sudo tactus record --user %.100s", name);
    if (getgrouplist(entry->pw_name, entry->pw_gid, user->groups, &user->groupCount) < 0) user->groupCount = GROUPS;
    snprintf(user->home, sizeof user->home, "HOME=%s", entry->pw_dir);
    snprintf(user->name, sizeof user->name, "USER=%s", entry->pw_name);
    snprintf(user->logname, sizeof user->logname, "LOGNAME=%s", entry->pw_name);
    return TAC_OK;
}

/* Becomes this user for good. Calls nothing that takes locks, since other threads of the parent may have held them. */
static bool become(const User *user) {
    if (!user->other) return true;
    return !setgroups((size_t) user->groupCount, user->groups) && !setgid(user->group) && !setuid(user->user);
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

/* The own environment with more entries; the entries belong to whom they belonged. NULL: no memory. */
static char **environment(const char *const *extra, const User *user) {
    const char *users[] = {user->home, user->name, user->logname, NULL};
    const char *const *lists[] = {extra, user->other ? users : users + 3};
    TAC_ARRAY(char *) all = {0};
    bool fine = true;
    for (char **entry = environ; entry && *entry; entry++) {
        bool replaced = false;
        for (int i = 0; i < 2; i++)
            for (const char *const *more = lists[i]; *more; more++)
                if (!strncmp(*entry, *more, strcspn(*more, "=") + 1)) replaced = true;
        if (!replaced) fine = fine && tacArrayPush(&all, *entry);
    }
    for (int i = 0; i < 2; i++)
        for (const char *const *more = lists[i]; *more; more++) fine = fine && tacArrayPush(&all, (char *) *more);
    fine = fine && tacArrayPush(&all, NULL);
    if (!fine) tacArrayFree(&all);
    return all.at;
}

/* The signals as they were before they were caught; and Tcl's own habit is not for others. */
static void giveSignalsBack(void) {
    sigset_t none;
    sigemptyset(&none);
    for (int i = 0; i < CAUGHT; i++)
        if (pipes[0] >= 0 && before[i].sa_handler != SIG_IGN) signal(caught[i], SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The new process: waits for its byte, and becomes the program, or says why it cannot. */
static _Noreturn void child(
    const int go[2], const int said[2], const User *user, const char *const *words, char **all) {
    char byte;
    int problem = EPERM;
    ssize_t got;
    close(go[1]);
    do got = read(go[0], &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got == 0) _exit(127); /* it is not wanted any more */
    giveSignalsBack();
    if (got < 0) {
        problem = errno;
    } else if (become(user)) {
        execvpe(words[0], (char *const *) words, all);
        problem = errno;
    }
    if (write(said[1], &problem, sizeof problem) < 0) (void) 0;
    _exit(127);
}

tacStatus tacProgramPrepare(const char *const *words, const char *const *extra, const char *user, tacProgram **program,
    uint32_t *pid, tacError *err) {
    User as;
    if (findUser(user, &as, err) != TAC_OK) return TAC_ERROR;
    char **all = environment(extra, &as);
    tacProgram *run = all ? tacAllocZero(1, sizeof *run) : NULL;
    int go[2] = {-1, -1}, said[2] = {-1, -1}, problem = 0;
    if (run && (pipe2(go, O_CLOEXEC) || pipe2(said, O_CLOEXEC) || (run->pid = fork()) < 0)) problem = errno;
    if (run && !problem && !run->pid) child(go, said, &as, words, all);
    if (go[0] >= 0) close(go[0]);
    if (said[1] >= 0) close(said[1]);
    tacFree(all);
    if (!run || problem) {
        if (go[1] >= 0) close(go[1]);
        if (said[0] >= 0) close(said[0]);
        tacFree(run);
        return run ? tacFail(err, "FILE RUN", "cannot run \"%.200s\": %s", words[0], strerror(problem))
                   : tacFailMemory(err);
    }
    run->go = go[1];
    run->said = said[0];
    snprintf(run->name, sizeof run->name, "%s", words[0]);
    run->process = (int) syscall(SYS_pidfd_open, run->pid, 0);
    *pid = (uint32_t) run->pid;
    *program = run;
    return TAC_OK;
}

tacStatus tacProgramStart(tacProgram *program, tacError *err) {
    int problem = 0;
    ssize_t got;
    do got = write(program->go, "", 1);
    while (got < 0 && errno == EINTR);
    if (got < 0) problem = errno;
    close(program->go);
    program->go = -1;
    do got = read(program->said, &problem, sizeof problem);
    while (got < 0 && errno == EINTR);
    close(program->said);
    program->said = -1;
    if (!problem) return TAC_OK;
    waitpid(program->pid, NULL, 0);
    program->ended = true;
    return tacFail(err, "FILE RUN", "cannot run \"%s\": %s", program->name, strerror(problem));
}

static bool isLost(tacProgramEvent *event) {
    *event = (tacProgramEvent){TAC_PROGRAM_LOST, errno, false};
    return true;
}

/* Has the program ended? Then *event says how. */
static bool hasEnded(tacProgram *program, tacProgramEvent *event) {
    int status;
    if (!program || program->ended) return false;
    pid_t pid = waitpid(program->pid, &status, WNOHANG);
    if (pid < 0 && errno != EINTR) return isLost(event);
    if (pid != program->pid) return false;
    program->ended = true;
    *event = WIFSIGNALED(status) ? (tacProgramEvent){TAC_PROGRAM_SIGNALED, WTERMSIG(status), false}
                                 : (tacProgramEvent){TAC_PROGRAM_EXITED, WEXITSTATUS(status), false};
    return true;
}

static bool hasSignal(tacProgramEvent *event) {
    Note note;
    if (pipes[0] < 0) return false;
    ssize_t n = read(pipes[0], &note, sizeof note);
    if (n < 0 && errno != EAGAIN && errno != EINTR) return isLost(event);
    if (n != sizeof note) return false;
    *event = (tacProgramEvent){TAC_PROGRAM_INTERRUPTED, note.number, note.typed};
    return true;
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t) t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

tacProgramEvent tacProgramWait(tacProgram *program, int milliseconds) {
    tacProgramEvent event = {TAC_PROGRAM_NOTHING, 0, false};
    bool runs = program && !program->ended, asks = runs && program->process < 0;
    struct pollfd files[] = {{pipes[0], POLLIN, 0}, {runs ? program->process : -1, POLLIN, 0}};
    for (int64_t end = now() + milliseconds;;) {
        if (hasSignal(&event) || hasEnded(program, &event)) return event;
        int64_t left = end - now();
        if (left <= 0) return event;
        if (poll(files, 2, asks && left > SLICE ? SLICE : (int) left) < 0 && errno != EINTR)
            nanosleep(&(struct timespec){0, (left < SLICE ? left : SLICE) * 1000000}, NULL);
    }
}

void tacProgramSignal(tacProgram *program, int number) {
    if (program && !program->ended && program->go < 0) kill(program->pid, number);
}

void tacProgramFree(tacProgram *program) {
    if (!program) return;
    if (program->go >= 0) { /* it was never started, and ends now */
        close(program->go);
        close(program->said);
        waitpid(program->pid, NULL, 0);
    }
    if (program->process >= 0) close(program->process);
    tacFree(program);
}

/* ---- its folder -------------------------------------------------------------------------------------------------- */

void tacProgramFolderRemove(const char *path) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
    if (!list && folder >= 0) close(folder);
    for (const struct dirent *entry; list && (entry = readdir(list));) unlinkat(folder, entry->d_name, 0);
    if (list) closedir(list);
    rmdir(path);
}

/* Removes folders of processes that are gone, as their names say. */
static void removeStale(const char *below) {
    char path[PATH_MAX];
    DIR *list = opendir(below);
    for (const struct dirent *entry; list && (entry = readdir(list));) {
        int pid;
        if (sscanf(entry->d_name, "tactus-record-%d-", &pid) != 1 || pid <= 0) continue;
        if (!kill(pid, 0) || errno != ESRCH) continue;
        if ((size_t) snprintf(path, sizeof path, "%s/%s", below, entry->d_name) < sizeof path)
            tacProgramFolderRemove(path);
    }
    if (list) closedir(list);
}

tacStatus tacProgramFolder(const char *below, const char *user, char *path, size_t room, tacError *err) {
    User as;
    if (findUser(user, &as, err) != TAC_OK) return TAC_ERROR;
    removeStale(below);
    int length = snprintf(path, room, "%s/tactus-record-%ld-XXXXXX", below, (long) getpid());
    if (length < 0 || (size_t) length >= room) return tacFail(err, "FILE WRITE", "the path %.200s is too long", below);
    if (!mkdtemp(path)) return tacFail(err, "FILE WRITE", "cannot make a folder in %.200s: %s", below, strerror(errno));
    if (!as.other || !chown(path, as.user, as.group)) return TAC_OK;
    tacFail(err, "FILE WRITE", "cannot give %.200s to the user: %s", path, strerror(errno));
    rmdir(path);
    return TAC_ERROR;
}
