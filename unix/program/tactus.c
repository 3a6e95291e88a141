/*
 * tactus.c -- the program tactus: starts Tcl with the script of the package, and the words of the command line.
 *
 * It is compiled, since a shell needs more descriptors than the program itself. The package lies where this program
 * says relative to itself (TACTUS_NEAR; a tree may be moved as a whole, and links to the program lead there), or else
 * where it was installed to (TACTUS_PACKAGE).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CANNOT = 2 }; /* exit status of a call that cannot be served */

/* Keeps the place of a standard descriptor that is closed: else the next file that is opened would be taken for it.
 * Reading from it fails, what is written to it is lost. */
static void keepPlace(int fd) {
    if (fcntl(fd, F_GETFD) < 0) (void) !open("/dev/null", O_WRONLY);
}

/* Finds the script; `path` has PATH_MAX bytes. */
static const char *findScript(char *path) {
    static const char tail[] = "/" TACTUS_NEAR "/program.tcl";
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof tail);
    if (length > 0) {
        path[length] = '\0';
        strcpy(strrchr(path, '/'), tail);
        if (access(path, R_OK) == 0) return path;
    }
    return TACTUS_PACKAGE "/program.tcl";
}

int main(int argc, char **argv) {
    char path[PATH_MAX];
    keepPlace(0);
    if (fcntl(1, F_GETFD) < 0) { /* results would be lost without a word */
        fputs("tactus: standard output is closed\n", stderr);
        return CANNOT;
    }
    keepPlace(2);
    signal(SIGCHLD, SIG_DFL); /* where it is ignored, which is inherited, nothing tells how other processes end */
    const char **words = calloc((size_t) argc + 3, sizeof *words);
    if (words) {
        words[0] = TACTUS_TCLSH;
        words[1] = findScript(path);
        for (int i = 1; i < argc; i++) words[i + 1] = argv[i];
#ifdef TACTUS_PRELOAD
        setenv("LD_PRELOAD", TACTUS_PRELOAD, 1);
#endif
        execv(words[0], (char **) words);
    }
    fprintf(stderr, "tactus: cannot start %s: %s\n", TACTUS_TCLSH, strerror(errno));
    return CANNOT;
}
