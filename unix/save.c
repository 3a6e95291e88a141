/*
 * save.c -- writes a file beside its place and renames it: readers see the old file or the new one, never a part.
 *
 *   tacSaveBegin: target -> a file without a name in its folder, or else one with a random name
 *   tacSaveEnd:   synchronized -> given a name, where it has none -> renamed over the target
 *
 * S1  No existing file is opened for writing: the new file is made exclusively.
 * S2  The new file has the permissions of the old one, and its owner and group as far as that is allowed. A symbolic
 *     link stays, and the file that it leads to is replaced.
 * S3  A process that ends by SIGINT, SIGTERM or SIGHUP leaves nothing behind: a file without a name ends with the
 *     process, one with a name is removed by onSignal. SIGKILL leaves a file that has a name.
 *
 * Pipes, devices and standard output cannot be replaced and are written directly.
 */
#define _GNU_SOURCE /* mkostemp, O_TMPFILE */
#include "base/port.h"

#include "base/mem.h"
#include "base/save.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIPTORS "/proc/self/fd"
static const char suffix[] = ".XXXXXX";

static tacStatus cannot(const char *what, const char *path, tacError *err) {
    return tacFail(err, "FILE WRITE", "cannot %s \"%s\": %s", what, path, strerror(errno));
}

/* ---- signals (S3) -------------------------------------------------------------------------------------------- */

enum { SLOTS = 16 }; /* files with a name that are written at the same time; more are not removed at a signal */

static char *_Atomic unfinished[SLOTS]; /* names of files to be removed at a signal; NULL: the slot is free */
static pid_t owner;                     /* the process that writes them: a forked copy of it has this table, too */
static atomic_int guards;               /* files that are being written */

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};
enum { DEADLY = sizeof deadly / sizeof *deadly };

/* Removes unfinished files, and ends the process as the signal would have done. */
static void onSignal(int signal) {
    for (int i = 0; i < SLOTS && getpid() == owner; i++) {
        const char *name = atomic_load(&unfinished[i]);
        if (name) unlink(name);
    }
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    raise(signal);
}

/* Replaces the handler of a signal, unless the program handles it itself and so ends its work in order. */
static void replaceHandler(int signal, void (*from)(int), void (*to)(int)) {
    struct sigaction now;
    if (sigaction(signal, NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != from) return;
    sigaction(signal, &(struct sigaction){.sa_handler = to, .sa_flags = SA_RESTART}, NULL);
}

/* Begins or ends the guarding of files that are written, by handlers of signals. Meanwhile a file that grows beyond the
 * limit (ulimit -f) is an error of writing. */
static void guard(bool begin) {
    if (begin ? atomic_fetch_add(&guards, 1) != 0 : atomic_fetch_sub(&guards, 1) != 1) return;
    for (int i = 0; i < DEADLY; i++) replaceHandler(deadly[i], begin ? SIG_DFL : onSignal, begin ? onSignal : SIG_DFL);
    replaceHandler(SIGXFSZ, begin ? SIG_DFL : SIG_IGN, begin ? SIG_IGN : SIG_DFL);
}

/* Holds signals back between the making of a named file and its slot, and while it is renamed or removed. */
static void holdSignals(bool hold, sigset_t *before) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < DEADLY; i++) sigaddset(&set, deadly[i]);
    if (hold) pthread_sigmask(SIG_BLOCK, &set, before);
    else pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Notes the name of an unfinished file; returns its slot, or -1: all are taken. */
static int takeSlot(char *name) {
    owner = getpid();
    for (int i = 0; i < SLOTS; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&unfinished[i], &none, name)) return i;
    }
    return -1;
}

/* ---- the target ---------------------------------------------------------------------------------------------- */

/* The path that a link at `path` leads to, with the link's folder; NULL: it is no link. *failed: no memory. */
static char *readLink(const char *path, bool *failed) {
    char name[4096];
    ssize_t n = readlink(path, name, sizeof name);
    if (n <= 0 || n == (ssize_t) sizeof name) return NULL;
    const char *slash = name[0] == '/' ? NULL : strrchr(path, '/');
    tacText whole = {0};
    if (slash) tacTextAdd(&whole, path, (size_t) (slash + 1 - path));
    tacTextAdd(&whole, name, (size_t) n);
    *failed = whole.failed;
    return whole.at;
}

/* The file that the path leads to through all links, be it there or not (S2). NULL: no memory. */
static char *targetOf(const char *path) {
    enum { LINKS = 40 }; /* as many as the kernel follows */
    char *target = tacCopyText(path, strlen(path));
    bool failed = false;
    for (int i = 0; target && i < LINKS; i++) {
        char *next = readLink(target, &failed);
        if (!next && !failed) break;
        tacFree(target);
        target = failed ? NULL : next;
    }
    return target;
}

/* Tells whether the path is an open file of this process, which is written directly. */
static bool isDescriptor(const char *path) {
    return strncmp(path, "/dev/fd/", 8) == 0 || strcmp(path, "/dev/stderr") == 0 || strncmp(path, "/proc/", 6) == 0;
}

/* ---- the new file -------------------------------------------------------------------------------------------- */

static bool alwaysNamed; /* see tacSaveNamed */

void tacSaveNamed(bool named) { alwaysNamed = named; }

/* Opens a file without a name in the folder of the target. -1: there are no such files here. */
static int openNameless(const char *target) {
#ifdef TAC_NAMELESS_FILES
    const char *slash = strrchr(target, '/');
    char *folder = slash ? tacCopyText(target, (size_t) (slash - target) + 1) : tacCopyText(".", 1);
    int fd = -1;
    if (folder && !alwaysNamed && access(DESCRIPTORS, X_OK) == 0)
        fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    tacFree(folder);
    return fd;
#else
    (void) target;
    return -1;
#endif
}

/* Opens a file with a random name beside the target. */
static int openNamed(tacSave *save) {
    sigset_t before;
    holdSignals(true, &before);
    int fd = mkostemp(save->beside, O_CLOEXEC);
    if (fd >= 0) save->slot = takeSlot(save->beside);
    holdSignals(false, &before);
    return fd;
}

/*
 * Gives permissions to the file, which was made for the user alone: those that open would give, or those of the file
 * that it replaces. Where the group cannot be kept, the new group gets no more than everybody.
 */
static void givePermissions(int fd, const struct stat *old, tacSaveReaders readers) {
    if (!old) {
        mode_t mask = umask(0);
        umask(mask);
        if (readers == TAC_SAVE_AS_USUAL) (void) !fchmod(fd, 0666 & ~mask);
        return;
    }
    mode_t mode = old->st_mode & 07777;
    bool kept = fchown(fd, old->st_uid, old->st_gid) == 0 || fchown(fd, (uid_t) -1, old->st_gid) == 0;
    if (!kept) mode &= ~(mode_t) 070 | (mode & 07) << 3;
    (void) !fchmod(fd, mode);
}

/* Opens a new file in the folder of the target. */
static tacStatus openBeside(
    tacSave *save, const char *path, const struct stat *old, tacSaveReaders readers, tacError *err) {
    tacText name = {0};
    save->target = targetOf(path);
    if (save->target) tacTextAddString(&name, save->target);
    tacTextAddString(&name, suffix);
    save->beside = name.at;
    if (!save->target || name.failed) return tacFailMemory(err);
    int fd = openNameless(save->target);
    save->nameless = fd >= 0;
    if (!save->nameless) fd = openNamed(save);
    if (fd < 0) {
        tacFree(save->beside);
        save->beside = NULL; /* there is nothing to remove */
        return cannot("write", path, err);
    }
    givePermissions(fd, old, readers);
    save->file = fdopen(fd, "wb");
    if (save->file) return TAC_OK;
    close(fd);
    return cannot("write", path, err);
}

tacStatus tacSaveBegin(tacSave *save, const char *path, tacSaveReaders readers, tacError *err) {
    *save = (tacSave){.slot = -1};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        save->file = stdout;
        save->borrowed = true;
        return TAC_OK;
    }
    struct stat info;
    bool there = stat(path, &info) == 0;
    if (!there && errno != ENOENT) return cannot("write", path, err);
    if (there && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return cannot("write", path, err);
    }
    guard(true);
    save->guarded = true;
    tacStatus status = TAC_OK;
    if ((there && !S_ISREG(info.st_mode)) || isDescriptor(path)) {
        save->file = fopen(path, "wbe");
        if (!save->file) status = cannot("write", path, err);
    } else if (there && access(path, W_OK) != 0) {
        status = cannot("write", path, err);
    } else {
        status = openBeside(save, path, there ? &info : NULL, readers, err);
    }
    if (status != TAC_OK) tacSaveEnd(save, false, path, NULL);
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------------------- */

/*
 * Gives the file a name: the target's if there is no old file, else one beside it, and tacSaveEnd renames it. A free
 * name is found by making a file and removing it again. false: errno says why not.
 */
static bool giveName(tacSave *save) {
    char file[sizeof DESCRIPTORS + 16];
    snprintf(file, sizeof file, "%s/%d", DESCRIPTORS, fileno(save->file));
    bool named = linkat(AT_FDCWD, file, AT_FDCWD, save->target, AT_SYMLINK_FOLLOW) == 0;
    if (named) {
        tacFree(save->beside);
        save->beside = NULL;
    }
    for (int i = 0; !named && errno == EEXIST && i < 100; i++) {
        memcpy(save->beside + strlen(save->target), suffix, sizeof suffix);
        int fd = mkostemp(save->beside, O_CLOEXEC);
        if (fd < 0) return false;
        close(fd);
        unlink(save->beside);
        named = linkat(AT_FDCWD, file, AT_FDCWD, save->beside, AT_SYMLINK_FOLLOW) == 0;
    }
    return named;
}

/* Writes everything to the disk. false: some of it has failed; errno says why. */
static bool writeOut(const tacSave *save, bool keep) {
    errno = 0;
    if (fflush(save->file) != 0 || ferror(save->file)) return false;
    if (!keep || !save->target || fsync(fileno(save->file)) == 0) return true;
    return errno != EIO && errno != ENOSPC && errno != EDQUOT; /* some file systems have nothing to synchronize */
}

/* Names the file, where it has no name, and closes it. `good`: nothing has failed so far; else errno says why. */
static bool closeFile(tacSave *save, bool keep, bool good) {
    int reason = errno;
    if (good && keep && save->nameless) {
        good = giveName(save);
        save->nameless = !good;
        reason = errno;
    }
    if (!save->borrowed && fclose(save->file) != 0 && good) {
        good = false;
        reason = errno;
    }
    errno = reason ? reason : EIO;
    return good;
}

tacStatus tacSaveEnd(tacSave *save, bool keep, const char *path, tacError *err) {
    sigset_t before;
    tacStatus status = TAC_OK;
    bool good = !save->file || writeOut(save, keep);
    if (save->target) holdSignals(true, &before);
    if (save->file && !closeFile(save, keep, good)) status = cannot("write", path, err);
    if (save->beside && !save->nameless) {
        if (keep && status == TAC_OK && rename(save->beside, save->target) != 0) status = cannot("replace", path, err);
        if (!keep || status != TAC_OK) unlink(save->beside);
    }
    if (save->slot >= 0) atomic_store(&unfinished[save->slot], NULL);
    if (save->guarded) guard(false);
    if (save->target) holdSignals(false, &before);
    tacFree(save->beside);
    tacFree(save->target);
    *save = (tacSave){.slot = -1};
    return status;
}
