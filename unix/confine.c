/*
 * confine.c -- raises the walls around a worker process one after the other (Linux; elsewhere limits only).
 *
 * The filter of system calls is a list of those that are allowed, and a shorter one of those that libraries try without
 * need, which fail as if they were not there; any other ends the process. Open files stay usable: the reader goes on
 * reading, the worker goes on sending.
 */
#define _GNU_SOURCE /* close_range */
#include "base/port.h"

#include "confine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_seccomp /* Linux */
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

enum { KEPT_FILES = 64 }; /* numbers of files that may be open already */

/* Global, since signal handlers need them. */
static int statmFile = -1;        /* /proc/self/statm */
static int column;                /* of it: 0, all memory; 1, resident memory, if the address space cannot be limited */
static int64_t before, allowance; /* bytes by that column when confined, and bytes that may be added */

/* Bytes of memory at present, by that column, which is in pages. 0: unknown. */
static int64_t memoryNow(void) {
    char text[128];
    ssize_t n = statmFile < 0 ? -1 : pread(statmFile, text, sizeof text - 1, 0);
    if (n <= 0) return 0;
    text[n] = '\0';
    const char *at = text;
    for (int i = 0; i < column; i++) at = strchr(at, ' ') ? strchr(at, ' ') + 1 : "";
    int64_t pages = 0;
    while (*at >= '0' && *at <= '9') pages = 10 * pages + (*at++ - '0');
    return pages * sysconf(_SC_PAGESIZE);
}

int64_t tacConfineGrowth(void) {
    int64_t now = memoryNow();
    return now > before ? now - before : 0;
}

bool tacConfineExceeded(void) { return column == 1 && tacConfineGrowth() > allowance; }

bool tacConfineTight(void) { return tacConfineGrowth() > allowance / 2; }

/* Lowers a limit for good. Like all functions here that raise something, it returns an error number, or 0. */
static int lower(int resource, rlim_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

/* Limits processor time; a soft limit below the hard one tells SIGXCPU from a kill. */
static int limitSeconds(int64_t seconds) {
    struct rlimit limit;
    if (seconds <= 0) return 0;
    if (getrlimit(RLIMIT_CPU, &limit) != 0) return errno;
    if (limit.rlim_max != RLIM_INFINITY && (int64_t) limit.rlim_max <= seconds) return 0;
    limit = (struct rlimit){(rlim_t) seconds, (rlim_t) seconds + 1};
    return setrlimit(RLIMIT_CPU, &limit) == 0 ? 0 : errno;
}

/* Gives recursion more room than the usual 8 MB, so that Tcl's own depth limits come first. */
static void growStack(void) {
    const rlim_t wanted = (rlim_t) 64 << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_STACK, &limit);
}

/* Limits memory to so many bytes more than now; where nothing tells how much it has now, than it has at most. */
static int limitMemory(int64_t bytes, bool byResident) {
    const int64_t most = (int64_t) 256 << 20;
    column = byResident;
    before = memoryNow();
    int64_t has = before > 0 ? before : most;
    allowance = bytes < INT64_MAX - has ? bytes : INT64_MAX - has;
    return byResident || bytes == INT64_MAX ? 0 : lower(RLIMIT_AS, (rlim_t) (has + allowance));
}

void tacConfineSockets(int keep) {
    enum {
        MOST = 1 << 16, /* descriptors in use are small numbers; the limit may be a million */
        TOGETHER = 512  /* asked at once which are open, since a question for each costs a call */
    };
    struct pollfd fds[TOGETHER];
    struct stat stat;
    long limit = sysconf(_SC_OPEN_MAX);
    if (limit < 0 || limit > MOST) limit = MOST;
    for (int first = STDERR_FILENO + 1; first < limit; first += TOGETHER) {
        int n = limit - first < TOGETHER ? (int) limit - first : TOGETHER;
        for (int i = 0; i < n; i++) fds[i] = (struct pollfd){.fd = first + i};
        bool asked = poll(fds, (nfds_t) n, 0) >= 0;
        for (int i = 0; i < n; i++) {
            if (fds[i].fd == keep || (asked && (fds[i].revents & POLLNVAL))) continue;
            if (fstat(fds[i].fd, &stat) == 0 && S_ISSOCK(stat.st_mode)) close(fds[i].fd);
        }
    }
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

/* Closes all descriptors from one to another, each one by itself where the system does not do it: those that are open
 * by /proc, since they may be above the limit, if that was lowered after they were opened. Not known: an error. */
static int closeRange(unsigned first, unsigned last) {
    if (first > last || close_range(first, last, 0) == 0) return 0;
    int problem = errno;
    const struct dirent *entry;
    DIR *directory = opendir("/proc/self/fd");
    if (!directory) return problem;
    while (errno = 0, (entry = readdir(directory))) {
        unsigned long fd = strtoul(entry->d_name, NULL, 10);
        bool isOne = entry->d_name[0] != '.' && fd >= first && fd <= last && fd != (unsigned long) dirfd(directory);
        if (isOne) close((int) fd);
    }
    problem = errno;
    closedir(directory);
    return problem;
}

static int compareNumbers(const void *a, const void *b) { return *(const int *) a - *(const int *) b; }

/* Closes all descriptors but those that are needed, standard ones included. */
static int closeOthers(const tacConfineNeeds *needs) {
    int kept[] = {needs->files[0], needs->files[1], statmFile}, n = sizeof kept / sizeof *kept, next = 0;
    int problem = 0;
    qsort(kept, (size_t) n, sizeof *kept, compareNumbers);
    for (int i = 0; i < n && !problem; i++) {
        if (kept[i] < next) continue;
        if (kept[i] > next) problem = closeRange((unsigned) next, (unsigned) kept[i] - 1);
        next = kept[i] + 1;
    }
    return problem ? problem : closeRange((unsigned) next, ~0u);
}

/* ---- privileges -------------------------------------------------------------------------------------------------- */

#ifdef SYS_seccomp

enum { HAS_FILTER = 1 }; /* this platform has what the walls need */

/* Gives up all capabilities; those that a program could get back as well, where this process may do so. */
static int dropCapabilities(const tacConfineNeeds *needs) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2], none[2] = {{0, 0, 0}};
    (void) needs;
    if (syscall(SYS_capget, &header, sets) != 0) return errno;
    bool may = (sets[CAP_SETPCAP / 32].effective & 1u << CAP_SETPCAP % 32) != 0;
    for (int i = 0; may && prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++)
        if (prctl(PR_CAPBSET_DROP, i, 0, 0, 0) != 0) return errno;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL) return errno;
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

static int forbidLooks(const tacConfineNeeds *needs) {
    (void) needs;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno;
}

static int forbidPrivileges(const tacConfineNeeds *needs) {
    (void) needs;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

/* ---- Landlock ---------------------------------------------------------------------------------------------------- */

/* Calls and kinds of access by linux/landlock.h of Linux 6.12; the system's header may be older. */
enum {
    LANDLOCK_CREATE = 444,
    LANDLOCK_RESTRICT = 446,
    LANDLOCK_VERSION = 1,
    LANDLOCK_FILES = 13, /* kinds of access to files of version 1; 2, 3 and 5 have one more each */
    LANDLOCK_NETWORK = 3,
    LANDLOCK_SCOPES = 3
};

/* Forbids whatever Landlock of this kernel can forbid; ENOSYS or EOPNOTSUPP: it has none. Only the first call may say
 * so: one that has a version has the rest. */
static int forbidFiles(const tacConfineNeeds *needs) {
    struct {
        uint64_t files, network, scoped;
    } rules = {0, 0, 0};
    (void) needs;
    long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
    if (version < 0) return errno;
    int kinds = LANDLOCK_FILES + (version >= 2) + (version >= 3) + (version >= 5);
    rules.files = ((uint64_t) 1 << kinds) - 1;
    if (version >= 4) rules.network = LANDLOCK_NETWORK;
    if (version >= 6) rules.scoped = LANDLOCK_SCOPES;
    size_t size = version >= 6 ? sizeof rules : version >= 4 ? 2 * sizeof rules.files : sizeof rules.files;
    int set = (int) syscall(LANDLOCK_CREATE, &rules, size, 0);
    int problem = set >= 0 && syscall(LANDLOCK_RESTRICT, set, 0) == 0 ? 0 : errno;
    if (set >= 0) close(set);
    return problem == ENOSYS || problem == EOPNOTSUPP ? EPERM : problem;
}

/* ---- system calls ------------------------------------------------------------------------------------------------ */

/* The allowed calls: reading open files and copying their descriptors (as many as RLIMIT_NOFILE allows), sending,
 * memory, clocks, and the end of this process. */
static const unsigned allowed[] = {
    SYS_read,
    SYS_pread64,
    SYS_readv,
    SYS_lseek,
    SYS_fstat,
    SYS_close,
    SYS_fadvise64,
    SYS_recvfrom,
    SYS_sendto,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    SYS_sched_yield,
    SYS_clock_gettime,
    SYS_gettimeofday,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_getrandom,
    SYS_getrusage,
    SYS_sysinfo,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_getpid,
    SYS_gettid,
    SYS_exit,
    SYS_exit_group,
    SYS_dup,
#ifdef SYS_time
    SYS_time,
#endif
};

/* Calls that libraries try and can do without: they fail. Nothing of them is done. */
static const unsigned refused[] = {
    SYS_ioctl, SYS_fcntl, SYS_write, SYS_writev, SYS_uname, SYS_getuid, SYS_sched_getaffinity, SYS_prlimit64,
    SYS_readlinkat, SYS_unlinkat,
#ifdef SYS_unlink
    SYS_readlink, SYS_unlink,
#endif
#ifdef SYS_newfstatat
    SYS_newfstatat, /* the C library's fstat */
#endif
};

enum { ALLOWED = sizeof allowed / sizeof *allowed, REFUSED = sizeof refused / sizeof *refused };

static const struct {
    const char *platform;
    uint32_t audit;
} architectures[] = {
    {"x86_64", AUDIT_ARCH_X86_64},
    {"aarch64", AUDIT_ARCH_AARCH64},
};

/* This process' architecture as the filter sees it; 0: unknown. */
static uint32_t architecture(void) {
    const char *platform = (const char *) getauxval(AT_PLATFORM);
    for (size_t i = 0; platform && i < sizeof architectures / sizeof *architectures; i++)
        if (strcmp(platform, architectures[i].platform) == 0) return architectures[i].audit;
    return 0;
}

/* A filter as it is written. */
typedef struct Filter {
    struct sock_filter code[2 * (ALLOWED + REFUSED) + 24];
    unsigned short length;
} Filter;

static void add(Filter *f, uint16_t code, uint32_t value) {
    f->code[f->length++] = (struct sock_filter){code, 0, 0, value};
}

/* Adds what is done with a call: no test of it follows. */
static void answer(Filter *f, unsigned call, uint32_t action) {
    f->code[f->length++] = (struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call};
    add(f, BPF_RET | BPF_K, action);
}

/* Allows a call if the comparison of its argument's lower half with the value holds; else it ends the process. */
static void allowIf(Filter *f, unsigned call, int argument, uint16_t comparison, uint32_t value, bool holds) {
    size_t half = TAC_LITTLE_ENDIAN ? 0 : sizeof(uint32_t);
    f->code[f->length++] = (struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, 0, 4, call};
    add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t) (offsetof(struct seccomp_data, args[argument]) + half));
    f->code[f->length++] = (struct sock_filter){(uint16_t) (BPF_JMP | comparison | BPF_K), !holds, holds, value};
    add(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    add(f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
}

/*
 * Installs the filter. Calls of any other architecture end the process (i386 calls have other numbers), as do those of
 * x32, since their numbers are above all that it knows. Memory never becomes code, and signals go to this process only.
 */
static int filterCalls(const tacConfineNeeds *needs) {
    Filter f = {.length = 0};
    uint32_t own = architecture();
    (void) needs;
    if (!own) return ENOTSUP;
    add(&f, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    f.code[f.length++] = (struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, 1, 0, own};
    add(&f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    add(&f, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < ALLOWED; i++) answer(&f, allowed[i], SECCOMP_RET_ALLOW);
    for (unsigned i = 0; i < REFUSED; i++) answer(&f, refused[i], SECCOMP_RET_ERRNO | EPERM);
    allowIf(&f, SYS_mmap, 2, BPF_JSET, PROT_EXEC, false);
    allowIf(&f, SYS_mprotect, 2, BPF_JSET, PROT_EXEC, false);
    allowIf(&f, SYS_tgkill, 0, BPF_JEQ, (uint32_t) getpid(), true);
    add(&f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    struct sock_fprog program = {f.length, f.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}

int tacConfineEnds(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 ? 0 : errno; }

#else

enum { HAS_FILTER = 0 };

static int dropCapabilities(const tacConfineNeeds *needs) { return (void) needs, ENOSYS; }
static int forbidLooks(const tacConfineNeeds *needs) { return (void) needs, ENOSYS; }
static int forbidPrivileges(const tacConfineNeeds *needs) { return (void) needs, ENOSYS; }
static int forbidFiles(const tacConfineNeeds *needs) { return (void) needs, ENOSYS; }
static int filterCalls(const tacConfineNeeds *needs) { return (void) needs, ENOSYS; }

int tacConfineEnds(void) { return 0; }

#endif

void tacConfineToParent(pid_t parent) {
    if (tacConfineEnds() != 0 || getppid() != parent) _exit(1);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Defined when the process runs with the address sanitizer (linked or preloaded), or under valgrind. */
extern void __asan_init(void) __attribute__((weak));
extern void _vgnU_freeres(void) __attribute__((weak));

bool tacConfineWatched(void) { return __asan_init || _vgnU_freeres; }

/* Sets all limits; of those that are no matter of a tool. */
static int setLimits(const tacConfineNeeds *needs) {
    bool watched = tacConfineWatched();
    int problem = tacConfineEnds();
    if (!problem && needs->watch) problem = needs->watch();
    if (!problem) problem = limitMemory(needs->memory, watched);
    growStack();
    if (!problem) problem = lower(RLIMIT_CORE, 0);
    if (watched || problem) return problem;
    if (!problem) problem = limitSeconds(needs->seconds);
    if (!problem) problem = lower(RLIMIT_FSIZE, 0);
    if (!problem) problem = lower(RLIMIT_NPROC, 0);
    if (!problem) problem = lower(RLIMIT_NOFILE, needs->copies > 0 ? (rlim_t) (needs->copies + KEPT_FILES) : 0);
    return problem;
}

/* The walls in the order in which they are raised. */
static const struct {
    const char *what; /* for the message that it cannot be raised */
    int (*raise)(const tacConfineNeeds *needs);
    bool optional; /* a kernel may be built without it */
} walls[TAC_WALLS] = {
    [TAC_WALL_DESCRIPTORS] = {"close its files", closeOthers, false},
    [TAC_WALL_CAPABILITIES] = {"drop its capabilities", dropCapabilities, false},
    [TAC_WALL_DUMPABLE] = {"keep other processes from looking into it", forbidLooks, false},
    [TAC_WALL_PRIVILEGES] = {"keep it from new privileges", forbidPrivileges, false},
    [TAC_WALL_LANDLOCK] = {"restrict it by Landlock", forbidFiles, true},
    [TAC_WALL_LIMITS] = {"set its limits", setLimits, false},
    [TAC_WALL_CALLS] = {"filter its system calls", filterCalls, false},
};

tacStatus tacConfine(const tacConfineNeeds *needs, tacWallStates *states, tacError *err) {
    statmFile = open("/proc/self/statm", O_RDONLY | O_CLOEXEC); /* before no file can be named any more */
    for (int i = 0; i < TAC_WALLS; i++) {
        bool leftOut = i != TAC_WALL_LIMITS && tacConfineWatched();
        int problem = leftOut ? 0 : walls[i].raise(needs);
        bool lacking = problem == ENOSYS || (walls[i].optional && problem == EOPNOTSUPP);
        bool failed = problem && (!lacking || (HAS_FILTER && !walls[i].optional));
        states->problem[i] = (uint8_t) problem;
        states->state[i] = (uint8_t) (leftOut ? TAC_WALL_LEFT_OUT
                : failed                      ? TAC_WALL_FAILED
                : problem                     ? TAC_WALL_UNSUPPORTED
                                              : TAC_WALL_STANDS);
        if (failed)
            return tacFail(err, "LIMIT CONFINE",
                "the process that would evaluate the script cannot be confined (%s: %s), so nothing is evaluated",
                walls[i].what, i == TAC_WALL_CALLS && problem == ENOTSUP ? "unknown processor" : strerror(problem));
    }
    return TAC_OK;
}
