/*
 * save.c -- writes a file beside its place and renames it: readers see the old file or the new one, never a part.
 *
 * Where the file system can, the file has no name while it is written, so that of a process that is killed nothing is
 * left.
 *
 * An existing file keeps its permissions, a symbolic link stays and its target is replaced. Pipes, devices and standard
 * output cannot be replaced and are written directly. There is no fsync: a figure can be made again.
 */
#define _GNU_SOURCE /* realpath allocating, mkostemp, O_TMPFILE */
#include "base/port.h"

#include "base/mem.h"
#include "base/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIPTORS "/proc/self/fd"
static const char suffix[] = ".XXXXXX";

static tacStatus cannot(const char *what, const char *path, tacError *err) {
    return tacFail(err, "FILE WRITE", "cannot %s \"%s\": %s", what, path, strerror(errno));
}

static tacStatus openDirectly(tacSave *save, const char *path, tacError *err) {
    save->file = fopen(path, "wbe");
    return save->file ? TAC_OK : cannot("write", path, err);
}

/* Name of the file itself when it is there, through all links; else the name as given. The core's memory. */
static char *targetOf(const char *path) {
    char *real = realpath(path, NULL);
    char *target = tacCopyText(real ? real : path, strlen(real ? real : path));
    free(real);
    return target;
}

/* A file in the folder of the target. -1: there is no such thing here. */
static int openNameless(const char *target) {
#ifdef TAC_NAMELESS_FILES
    const char *slash = strrchr(target, '/');
    char *folder = slash ? tacCopyText(target, (size_t) (slash - target) + 1) : tacCopyText(".", 1);
    int fd = folder && access(DESCRIPTORS, X_OK) == 0 ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) : -1;
    tacFree(folder);
    return fd;
#else
    (void) target;
    return -1;
#endif
}

/*
 * Where there is no old file, the target's at once; else one beside it, and tacSaveEnd renames it: a process that is
 * killed in between, for some microseconds, leaves that. A name that is free at the moment is made by asking for a
 * file. false: errno says why not.
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

/* mkstemp's permissions are for secrets; a new file gets those that open would give, an old one keeps its own. */
static void givePermissions(int fd, const struct stat *old) {
    mode_t mask = umask(0);
    umask(mask);
    (void) !fchmod(fd, old ? old->st_mode & 07777 : 0666 & ~mask);
}

static tacStatus openBeside(tacSave *save, const char *path, const struct stat *old, tacError *err) {
    tacText name = {0};
    save->target = targetOf(path);
    if (save->target) tacTextAddString(&name, save->target);
    tacTextAddString(&name, suffix);
    save->beside = name.at;
    if (!save->target || name.failed) return tacFailMemory(err);
    int fd = openNameless(save->target);
    save->nameless = fd >= 0;
    if (!save->nameless) fd = mkostemp(save->beside, O_CLOEXEC);
    if (fd < 0) {
        tacFree(save->beside);
        save->beside = NULL; /* there is nothing to remove */
        return cannot("write", path, err);
    }
    givePermissions(fd, old);
    save->file = fdopen(fd, "wb");
    if (save->file) return TAC_OK;
    close(fd);
    return cannot("write", path, err);
}

tacStatus tacSaveBegin(tacSave *save, const char *path, tacError *err) {
    *save = (tacSave){0};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        save->file = stdout;
        save->borrowed = true;
        return TAC_OK;
    }
    struct stat info;
    bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return cannot("write", path, err);
    }
    tacStatus status = TAC_OK;
    if ((there && !S_ISREG(info.st_mode)) || strncmp(path, "/dev/", 5) == 0) status = openDirectly(save, path, err);
    else if (there && access(path, W_OK) != 0) status = cannot("write", path, err);
    else status = openBeside(save, path, there ? &info : NULL, err);
    if (status != TAC_OK) tacSaveEnd(save, false, path, NULL);
    return status;
}

static tacStatus closeFile(tacSave *save, bool keep, const char *path, tacError *err) {
    errno = 0;
    bool good = fflush(save->file) == 0 && !ferror(save->file);
    if (good && keep && save->nameless) {
        good = giveName(save);
        save->nameless = !good;
    }
    int reason = errno;
    if (!save->borrowed && fclose(save->file) != 0 && good) {
        good = false;
        reason = errno;
    }
    save->file = NULL;
    errno = reason ? reason : EIO;
    return good ? TAC_OK : cannot("write", path, err);
}

tacStatus tacSaveEnd(tacSave *save, bool keep, const char *path, tacError *err) {
    tacStatus status = save->file ? closeFile(save, keep, path, err) : TAC_OK;
    if (save->beside && !save->nameless) {
        if (keep && status == TAC_OK && rename(save->beside, save->target) != 0) status = cannot("replace", path, err);
        if (!keep || status != TAC_OK) unlink(save->beside);
    }
    tacFree(save->beside);
    tacFree(save->target);
    *save = (tacSave){0};
    return status;
}
