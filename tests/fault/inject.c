/*
 * inject.c -- a library that is loaded before all others (LD_PRELOAD) and lets a call of the system fail.
 *
 * The file "plan" beside it, with a struct Plan, is shared by the program and all processes that it starts, workers
 * among them, whose environment says no more than which libraries are loaded: so calls are numbered throughout, and the
 * one that starts the program sees afterwards how many there were and whether one failed. Counting begins when the
 * program opens its script, build-aux/program.tcl: until then it is Tcl's own work.
 *
 * Counted are calls of libtactus, of the program of workers and of Tcl's library, not those of others (fonts), and of
 * allocations those of the first two: the others end the process when they get no memory. Tcl's event loop speaks to
 * its thread by a pipe, a byte at a time, which does not fail as a file does; where it is made to, Tcl ends the process
 * or waits for ever.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPEN = 1, READ = 2, WRITE = 4, FILES = 8, PROCESSES = 16, MEMORY = 32, STREAMS = 64 };
enum { ONCE, FROM_THERE, INTERRUPT, SHORT };

/* tests/fault.test writes and reads it, too. */
typedef struct Plan {
    uint32_t kinds;          /* of calls that are counted */
    uint32_t mode;           /* ONCE: one call fails; FROM_THERE: this one and all later ones; INTERRUPT: one is
                                interrupted; SHORT: each reads or writes a few bytes only */
    uint64_t at;             /* number of the call, from 1; 0: none */
    _Atomic uint64_t calls;  /* counted so far */
    _Atomic uint32_t failed; /* calls that failed */
    _Atomic uint32_t armed;  /* the script was opened */
    char call[32];           /* the call that failed first */
    _Atomic uint64_t of[7];  /* those counted of each kind, the first one OPEN */
} Plan;

static Plan *plan;

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
    int (*openFile)(const char *, int, ...) = (int (*)(const char *, int, ...)) next("open");
    char path[PATH_MAX];
    Dl_info own;
    if (!dladdr((const void *) (uintptr_t) begin, &own) || strlen(own.dli_fname) >= sizeof path) return;
    strcpy(path, own.dli_fname);
    char *name = strrchr(path, '/');
    if (!name || (size_t) (name + sizeof "/plan" - path) > sizeof path) return;
    strcpy(name, "/plan");
    int file = openFile(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *at = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (at != MAP_FAILED) plan = at;
}

/* ---- callers ---------------------------------------------------------------------------------------------------- */

enum { TACTUS, TCL, LIBRARIES };
static const char *const libraries[] = {"/libtactus.so", "/libtcl"};
static _Atomic uintptr_t begins[LIBRARIES], ends[LIBRARIES]; /* addresses of their code, once they are loaded */

/* The program of workers has the code of libtactus in itself. */
static bool isOne(const struct dl_phdr_info *library, int k) {
    if (strstr(library->dlpi_name, libraries[k])) return true;
    return k == TACTUS && !library->dlpi_name[0] && strcmp(program_invocation_name, "tactus-worker") == 0;
}

static int findLibraries(struct dl_phdr_info *library, size_t size, void *nothing) {
    (void) size, (void) nothing;
    for (int k = 0; k < LIBRARIES; k++) {
        if (!isOne(library, k)) continue;
        for (int i = 0; i < library->dlpi_phnum; i++) {
            const ElfW(Phdr) *part = &library->dlpi_phdr[i];
            if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
            atomic_store(&ends[k], library->dlpi_addr + part->p_vaddr + part->p_memsz);
            atomic_store(&begins[k], library->dlpi_addr + part->p_vaddr);
        }
    }
    return 0;
}

static bool isIn(int library, uintptr_t address) {
    return address >= atomic_load(&begins[library]) && address < atomic_load(&ends[library]);
}

/* True when calls from there are counted. */
static bool counts(uint32_t kind, void *caller) {
    if (!plan || !atomic_load(&plan->armed) || !(plan->kinds & kind)) return false;
    if (!atomic_load(&begins[TACTUS])) dl_iterate_phdr(findLibraries, NULL);
    return isIn(TACTUS, (uintptr_t) caller) || (kind != MEMORY && isIn(TCL, (uintptr_t) caller));
}

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

/* True when this call is to fail; errno says how. */
static bool refuse(void *caller, uint32_t kind, const char *call, int error) {
    if (!counts(kind, caller) || plan->mode == SHORT) return false;
    uint64_t number = atomic_fetch_add(&plan->calls, 1) + 1;
    atomic_fetch_add(&plan->of[__builtin_ctz(kind)], 1);
    if (plan->mode == FROM_THERE ? number < plan->at || plan->at == 0 : number != plan->at) return false;
    if (atomic_fetch_add(&plan->failed, 1) == 0) strncpy(plan->call, call, sizeof plan->call - 1);
    errno = plan->mode == INTERRUPT ? EINTR : error;
    return true;
}

/* The bytes that a call may move. */
static size_t allowed(void *caller, size_t n) {
    bool cut = n > 7 && counts(READ | WRITE, caller) && plan->mode == SHORT;
    return cut ? 1 + atomic_fetch_add(&plan->calls, 1) % 7 : n;
}

static void arm(const char *path) {
    const char *name = strrchr(path, '/');
    if (plan && strcmp(name ? name + 1 : path, "program.tcl") == 0) atomic_store(&plan->armed, 1);
}

/* ---- opening --------------------------------------------------------------------------------------------------- */

#define OPENER(name)                                                               \
    int name(const char *path, int flags, ...) {                                   \
        va_list rest;                                                              \
        va_start(rest, flags);                                                     \
        mode_t mode = va_arg(rest, mode_t);                                        \
        va_end(rest);                                                              \
        arm(path);                                                                 \
        if (refuse(CALLER, OPEN, #name, EMFILE)) return -1;                        \
        return ((int (*)(const char *, int, ...)) next(#name))(path, flags, mode); \
    }
OPENER(open)
OPENER(open64)

#define OPENER_AT(name)                                                                         \
    int name(int folder, const char *path, int flags, ...) {                                    \
        va_list rest;                                                                           \
        va_start(rest, flags);                                                                  \
        mode_t mode = va_arg(rest, mode_t);                                                     \
        va_end(rest);                                                                           \
        if (refuse(CALLER, OPEN, #name, EMFILE)) return -1;                                     \
        return ((int (*)(int, const char *, int, ...)) next(#name))(folder, path, flags, mode); \
    }
OPENER_AT(openat)
OPENER_AT(openat64)

/* ---- calls with fixed arguments: type, name, kind, errno, what it returns then, parameters, arguments ----------- */

#define CALL(type, name, kind, error, failure, parameters, arguments) \
    type name parameters {                                            \
        if (refuse(CALLER, kind, #name, error)) return failure;       \
        return ((type(*) parameters) next(#name)) arguments;          \
    }

CALL(FILE *, fopen, OPEN, EMFILE, NULL, (const char *path, const char *mode), (path, mode))
CALL(FILE *, fopen64, OPEN, EMFILE, NULL, (const char *path, const char *mode), (path, mode))
CALL(DIR *, opendir, OPEN, EMFILE, NULL, (const char *path), (path))

/* READ or WRITE; none for the bytes of Tcl's event loop. */
static uint32_t unlessTrigger(uint32_t kind, void *caller, size_t n) {
    return n == 1 && isIn(TCL, (uintptr_t) caller) ? 0 : kind;
}

CALL(ssize_t, read, unlessTrigger(READ, CALLER, n), EIO, -1, (int file, void *at, size_t n),
    (file, at, allowed(CALLER, n)))
CALL(ssize_t, pread, READ, EIO, -1, (int file, void *at, size_t n, off_t from), (file, at, allowed(CALLER, n), from))
CALL(
    ssize_t, pread64, READ, EIO, -1, (int file, void *at, size_t n, off64_t from), (file, at, allowed(CALLER, n), from))
CALL(ssize_t, recv, READ, EIO, -1, (int file, void *at, size_t n, int flags), (file, at, n, flags))
CALL(ssize_t, recvmsg, READ, EIO, -1, (int file, struct msghdr *message, int flags), (file, message, flags))

CALL(ssize_t, write, unlessTrigger(WRITE, CALLER, n), ENOSPC, -1, (int file, const void *at, size_t n),
    (file, at, allowed(CALLER, n)))
CALL(ssize_t, pwrite, WRITE, ENOSPC, -1, (int file, const void *at, size_t n, off_t to),
    (file, at, allowed(CALLER, n), to))
CALL(size_t, fwrite, STREAMS, ENOSPC, 0, (const void *at, size_t size, size_t n, FILE *file), (at, size, n, file))
CALL(int, fflush, STREAMS, ENOSPC, EOF, (FILE * file), (file))
CALL(ssize_t, send, WRITE, EIO, -1, (int file, const void *at, size_t n, int flags), (file, at, n, flags))
CALL(ssize_t, sendmsg, WRITE, EIO, -1, (int file, const struct msghdr *message, int flags), (file, message, flags))
CALL(int, fsync, WRITE, EIO, -1, (int file), (file))
CALL(int, fdatasync, WRITE, EIO, -1, (int file), (file))
CALL(int, ftruncate, WRITE, ENOSPC, -1, (int file, off_t size), (file, size))
CALL(int, ftruncate64, WRITE, ENOSPC, -1, (int file, off64_t size), (file, size))

CALL(int, rename, FILES, EIO, -1, (const char *from, const char *to), (from, to))
CALL(int, linkat, FILES, EIO, -1, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
CALL(int, unlink, FILES, EIO, -1, (const char *path), (path))
CALL(int, mkdir, FILES, ENOSPC, -1, (const char *path, mode_t mode), (path, mode))
CALL(int, mkostemp, FILES, EMFILE, -1, (char *path, int flags), (path, flags))
CALL(int, mkostemp64, FILES, EMFILE, -1, (char *path, int flags), (path, flags))
CALL(int, fchmod, FILES, EPERM, -1, (int file, mode_t mode), (file, mode))
CALL(int, fchown, FILES, EPERM, -1, (int file, uid_t user, gid_t group), (file, user, group))
CALL(int, stat, FILES, EIO, -1, (const char *path, struct stat *as), (path, as))
CALL(int, stat64, FILES, EIO, -1, (const char *path, struct stat64 *as), (path, as))
CALL(int, lstat, FILES, EIO, -1, (const char *path, struct stat *as), (path, as))
CALL(int, lstat64, FILES, EIO, -1, (const char *path, struct stat64 *as), (path, as))
CALL(int, fstat, FILES, EIO, -1, (int file, struct stat *as), (file, as))
CALL(int, fstat64, FILES, EIO, -1, (int file, struct stat64 *as), (file, as))
CALL(off_t, lseek, FILES, EIO, -1, (int file, off_t to, int whence), (file, to, whence))
CALL(off64_t, lseek64, FILES, EIO, -1, (int file, off64_t to, int whence), (file, to, whence))

CALL(int, pipe, PROCESSES, EMFILE, -1, (int files[2]), (files))
CALL(int, pipe2, PROCESSES, EMFILE, -1, (int files[2], int flags), (files, flags))
CALL(int, socketpair, PROCESSES, EMFILE, -1, (int a, int b, int c, int files[2]), (a, b, c, files))
CALL(pid_t, fork, PROCESSES, EAGAIN, -1, (void), ())
CALL(int, dup, PROCESSES, EMFILE, -1, (int file), (file))
CALL(int, dup2, PROCESSES, EMFILE, -1, (int file, int as), (file, as))
CALL(int, memfd_create, PROCESSES, EMFILE, -1, (const char *name, unsigned flags), (name, flags))
CALL(int, prctl, PROCESSES, EPERM, -1, (int what, unsigned long a, unsigned long b, unsigned long c, unsigned long d),
    (what, a, b, c, d))
CALL(int, setrlimit, PROCESSES, EPERM, -1, (__rlimit_resource_t what, const struct rlimit *limit), (what, limit))
CALL(int, poll, PROCESSES, ENOMEM, -1, (struct pollfd * files, nfds_t n, int wait), (files, n, wait))
CALL(pid_t, waitpid, PROCESSES, ECHILD, -1, (pid_t process, int *status, int options), (process, status, options))
CALL(void *, mmap, PROCESSES, ENOMEM, MAP_FAILED, (void *at, size_t n, int prot, int flags, int file, off_t from),
    (at, n, prot, flags, file, from))

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/* Those of LeakSanitizer, where its library is loaded behind this one, or those of the C library. */
void *__interceptor_malloc(size_t) __attribute__((weak));
void *__interceptor_calloc(size_t, size_t) __attribute__((weak));
void *__interceptor_realloc(void *, size_t) __attribute__((weak));
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t n) {
    if (refuse(CALLER, MEMORY, "malloc", ENOMEM)) return NULL;
    return __interceptor_malloc ? __interceptor_malloc(n) : __libc_malloc(n);
}

void *calloc(size_t count, size_t size) {
    if (refuse(CALLER, MEMORY, "calloc", ENOMEM)) return NULL;
    return __interceptor_calloc ? __interceptor_calloc(count, size) : __libc_calloc(count, size);
}

void *realloc(void *old, size_t n) {
    if (refuse(CALLER, MEMORY, "realloc", ENOMEM)) return NULL;
    return __interceptor_realloc ? __interceptor_realloc(old, n) : __libc_realloc(old, n);
}
