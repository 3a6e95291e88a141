/*
 * save.c -- writes a file beside its place and renames it: readers see the old file or the new one, never a part.
 *
 *   tacSaveBegin: target -> leftovers in its folder removed -> a file without a name there, or one with a random name
 *   tacSaveEnd:   synchronized -> given a name, where it has none -> renamed over the target -> folder synchronized
 *
 * S1  No existing file is opened for writing: the new file is made exclusively. Where a pipe or a device was seen, a
 *     file that has taken its place since is refused.
 * S2  The new file has the permissions of the old one, and its owner, group, access list and attributes as far as that
 *     is allowed. A symbolic link stays, and the file that it leads to is replaced. Other hard links of the old file
 *     keep the old content.
 * S3  A process that ends by SIGINT, SIGTERM or SIGHUP leaves nothing behind: a file without a name ends with the
 *     process, one with a name is removed by onSignal.
 * S4  A file with a name that is not the target's begins with `prefix` and is locked as long as its process lives. So
 *     what SIGKILL or a loss of power left is recognized: the name, and no lock. The next save in that folder removes
 * it.
 *
 * Pipes, devices and open descriptors cannot be replaced and are written directly.
 */
#define _GNU_SOURCE /* O_TMPFILE, getentropy */
#include "base/port.h"

#include "base/mem.h"
#include "base/save.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef TAC_FILE_ATTRIBUTES
#include <sys/xattr.h>
#endif

#define DESCRIPTORS "/proc/self/fd"
static const char prefix[] = ".tactus-save-";
enum {
    DIGITS = 16,      /* behind the prefix, hexadecimal */
    SEARCHED = 20000, /* entries of a folder that are looked at for leftovers, at most */
    TRIES = 100
};

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

void tacSaveAbandon(void) {
    for (int i = 0; i < SLOTS && getpid() == owner; i++) {
        const char *name = atomic_load(&unfinished[i]);
        if (name) unlink(name);
    }
}

/* Removes unfinished files, and ends the process as the signal would have done. */
static void onSignal(int signal) {
    tacSaveAbandon();
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

/* Number of the open descriptor of this process that the path names; -1: it names none. */
static int descriptorOf(const char *path) {
    static const char *const folders[] = {"/dev/fd/", DESCRIPTORS "/"};
    if (strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(folders[i]);
        char *end;
        if (strncmp(path, folders[i], length) != 0 || path[length] < '0' || path[length] > '9') continue;
        long number = strtol(path + length, &end, 10);
        if (*end == 0 && number < INT_MAX) return (int) number;
    }
    return -1;
}

/* The file that the path leads to through all links, be it there or not, or the name of a descriptor (S2). NULL: no
 * memory. */
static char *targetOf(const char *path) {
    enum { LINKS = 40 }; /* as many as the kernel follows */
    char *target = tacCopyText(path, strlen(path));
    bool failed = false;
    for (int i = 0; target && i < LINKS && descriptorOf(target) < 0; i++) {
        char *next = readLink(target, &failed);
        if (!next && !failed) break;
        tacFree(target);
        target = failed ? NULL : next;
    }
    return target;
}

/* The path's folder, with a slash at its end. NULL: no memory. */
static char *folderOf(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? tacCopyText(path, (size_t) (slash - path) + 1) : tacCopyText("./", 2);
}

/* ---- leftovers (S4) ------------------------------------------------------------------------------------------ */

static bool isOurName(const char *name) {
    size_t length = sizeof prefix - 1;
    return strncmp(name, prefix, length) == 0 && strspn(name + length, "0123456789abcdef") == DIGITS
        && name[length + DIGITS] == 0;
}

/* Removes a file that no process writes any more. */
static void removeLeftover(int folder, const char *name) {
    struct stat info;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0) unlinkat(folder, name, 0);
    close(fd);
}

static void removeLeftovers(const char *path) {
    DIR *list = opendir(path);
    if (!list) return;
    const struct dirent *entry;
    for (int i = 0; i < SEARCHED && (entry = readdir(list)); i++)
        if (isOurName(entry->d_name)) removeLeftover(dirfd(list), entry->d_name);
    closedir(list);
}

/* ---- the new file -------------------------------------------------------------------------------------------- */

static bool alwaysNamed; /* see tacSaveNamed */

void tacSaveNamed(bool named) { alwaysNamed = named; }

/* Opens a file without a name in the folder, locked. -1: there are no such files here. */
static int openNameless(const char *folder) {
#ifdef TAC_NAMELESS_FILES
    if (alwaysNamed || access(DESCRIPTORS, X_OK) != 0) return -1;
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0) (void) !flock(fd, LOCK_EX | LOCK_NB);
    return fd;
#else
    (void) folder;
    return -1;
#endif
}

/* Writes another unpredictable name behind the folder in `beside`. */
static void chooseName(char *beside) {
    uint64_t number = 0;
    if (getentropy(&number, sizeof number) != 0) number = (uint64_t) (uintptr_t) beside ^ (uint64_t) getpid() << 32;
    char *digits = strrchr(beside, '/') + sizeof prefix;
    snprintf(digits, DIGITS + 1, "%016llx", (unsigned long long) number);
}

/* Opens a file with a random name beside the target, locked. One that another process took for a leftover, before it
 * was locked, is gone already. */
static int openNamed(tacSave *save) {
    sigset_t before;
    int fd = -1;
    holdSignals(true, &before);
    for (int i = 0; fd < 0 && i < TRIES; i++) {
        struct stat info = {.st_nlink = 1};
        chooseName(save->beside);
        fd = open(save->beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST) break;
        if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0 || fstat(fd, &info) != 0 || info.st_nlink > 0) continue;
        close(fd);
        fd = -1;
    }
    if (fd >= 0) save->slot = takeSlot(save->beside);
    holdSignals(false, &before);
    return fd;
}

/* Copies the attributes and the access list of the old file; those of the system's own kind belong to each file. */
static void copyAttributes(const char *from, int to) {
#ifdef TAC_FILE_ATTRIBUTES
    char names[4096], value[4096];
    ssize_t size = listxattr(from, names, sizeof names);
    for (const char *name = names; size > 0 && name < names + size; name += strlen(name) + 1) {
        if (strncmp(name, "security.", 9) == 0) continue;
        ssize_t length = getxattr(from, name, value, sizeof value);
        if (length >= 0) (void) !fsetxattr(to, name, value, (size_t) length, 0);
    }
#else
    (void) from, (void) to;
#endif
}

/*
 * Gives permissions to the file, which was made for the user alone: those that open would give, or those of the file
 * that it replaces. Where the group cannot be kept, the new group gets no more than everybody.
 */
static void givePermissions(int fd, const char *target, const struct stat *old, tacSaveReaders readers) {
    if (!old) {
        mode_t mask = umask(0);
        umask(mask);
        if (readers == TAC_SAVE_AS_USUAL) (void) !fchmod(fd, 0666 & ~mask);
        return;
    }
    mode_t mode = old->st_mode & 0777;
    bool kept = fchown(fd, old->st_uid, old->st_gid) == 0 || fchown(fd, (uid_t) -1, old->st_gid) == 0;
    if (!kept) mode &= ~(mode_t) 070 | (mode & 07) << 3;
    (void) !fchmod(fd, mode);
    if (kept) copyAttributes(target, fd);
}

/* Opens a new file in the folder of the target. */
static tacStatus openBeside(
    tacSave *save, const char *path, const struct stat *old, tacSaveReaders readers, tacError *err) {
    tacText name = {0};
    char *folder = folderOf(save->target);
    if (!folder) return tacFailMemory(err);
    removeLeftovers(folder);
    tacTextAddString(&name, folder);
    tacTextAddString(&name, prefix);
    for (int i = 0; i < DIGITS; i++) tacTextAdd(&name, "0", 1);
    save->beside = name.at;
    int fd = name.failed ? -1 : openNameless(folder);
    tacFree(folder);
    if (name.failed) return tacFailMemory(err);
    save->nameless = fd >= 0;
    if (!save->nameless) fd = openNamed(save);
    if (fd < 0) {
        tacFree(save->beside);
        save->beside = NULL; /* there is nothing to remove */
        return cannot("write", path, err);
    }
    givePermissions(fd, save->target, old, readers);
    save->file = fdopen(fd, "wb");
    if (save->file) return TAC_OK;
    close(fd);
    return cannot("write", path, err);
}

/* Opens a pipe or a device, or gets a descriptor of this process once more. */
static tacStatus openDirectly(tacSave *save, const char *path, tacError *err) {
    struct stat info;
    int number = descriptorOf(save->target);
    int fd = number < 0 ? open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC) : fcntl(number, F_DUPFD_CLOEXEC, 3);
    bool replaced = fd >= 0 && number < 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (replaced) errno = EEXIST;
    else if (fd >= 0) save->file = fdopen(fd, "wb");
    tacFree(save->target);
    save->target = NULL;
    if (save->file) return TAC_OK;
    cannot("write", path, err);
    if (fd >= 0) close(fd);
    return TAC_ERROR;
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
    save->target = targetOf(path);
    if (!save->target) return tacFailMemory(err);
    guard(true);
    save->guarded = true;
    tacStatus status = TAC_OK;
    if ((there && !S_ISREG(info.st_mode)) || descriptorOf(save->target) >= 0) {
        status = openDirectly(save, path, err);
    } else if (there && access(path, W_OK) != 0) {
        status = cannot("write", path, err);
    } else {
        status = openBeside(save, path, there ? &info : NULL, readers, err);
    }
    if (status != TAC_OK) tacSaveEnd(save, false, path, NULL);
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------------------- */

/* Gives the file a name: the target's if there is no old file, else one beside it, and tacSaveEnd renames it. false:
 * errno says why not. */
static bool giveName(tacSave *save) {
    char file[sizeof DESCRIPTORS + 16];
    snprintf(file, sizeof file, "%s/%d", DESCRIPTORS, fileno(save->file));
    bool named = linkat(AT_FDCWD, file, AT_FDCWD, save->target, AT_SYMLINK_FOLLOW) == 0;
    if (named) {
        tacFree(save->beside);
        save->beside = NULL;
    }
    for (int i = 0; !named && errno == EEXIST && i < TRIES; i++) {
        chooseName(save->beside);
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

/* Writes the folder's new entry to the disk; not all file systems can. */
static void synchronizeFolder(const char *target) {
    char *folder = folderOf(target);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void) !fsync(fd);
        close(fd);
    }
    tacFree(folder);
}

tacStatus tacSaveEnd(tacSave *save, bool keep, const char *path, tacError *err) {
    sigset_t before;
    tacStatus status = TAC_OK;
    bool good = !save->file || writeOut(save, keep);
    if (save->target) holdSignals(true, &before);
    int reason = errno, lock = save->beside && save->file ? fcntl(fileno(save->file), F_DUPFD_CLOEXEC, 3) : -1; /* S4 */
    errno = reason;
    if (save->file && !closeFile(save, keep, good)) status = cannot("write", path, err);
    if (save->beside && !save->nameless) {
        if (keep && status == TAC_OK && rename(save->beside, save->target) != 0) status = cannot("replace", path, err);
        if (!keep || status != TAC_OK) unlink(save->beside);
    }
    if (lock >= 0) close(lock);
    if (save->slot >= 0) atomic_store(&unfinished[save->slot], NULL);
    if (save->guarded) guard(false);
    if (save->target) holdSignals(false, &before);
    if (save->target && keep && status == TAC_OK) synchronizeFolder(save->target);
    tacFree(save->beside);
    tacFree(save->target);
    *save = (tacSave){.slot = -1};
    return status;
}
