/*
 * confine.c -- rlimits, and a filter that lets only harmless system calls through (Linux; elsewhere rlimits only).
 *
 * The filter is a list of what is allowed; everything else fails with EPERM, which a library that tries it takes for an
 * ordinary error. Open files stay usable: the reader goes on reading, the worker goes on sending.
 */
#include "base/port.h"

#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_seccomp /* Linux */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

enum { KEPT_FILES = 64 }; /* numbers of files that may be open already */

/* For signal handlers, so global. */
static int statmFile = -1;        /* /proc/self/statm */
static int column;                /* of it: 0, or 1 where the address space cannot be limited */
static int64_t before, allowance; /* bytes of that column when confined, and how many more there may be */

/* Bytes of memory, by that column (0: all memory, 1: resident memory, both in pages). 0: not known. */
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

/* There when the process runs with the address sanitizer (linked or preloaded), or under valgrind. */
extern void __asan_init(void) __attribute__((weak));
extern void _vgnU_freeres(void) __attribute__((weak));

/* Their address space is not ours to limit, nor do they do with a few system calls. */
static bool watched(void) { return __asan_init || _vgnU_freeres; }

int64_t tacConfineGrowth(void) {
    int64_t now = memoryNow();
    return now > before ? now - before : 0;
}

bool tacConfineExceeded(void) { return column == 1 && tacConfineGrowth() > allowance; }

bool tacConfineTight(void) { return tacConfineGrowth() > allowance / 2; }

static void lower(int resource, rlim_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return;
    if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
}

/* More room for recursion than the usual 8 MB, so that Tcl's own depth limits come first. */
static void growStack(void) {
    const rlim_t wanted = (rlim_t) 64 << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_STACK, &limit);
}

static void limitMemory(int64_t bytes, bool byResident) {
    statmFile = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    column = byResident;
    before = memoryNow();
    allowance = bytes < INT64_MAX - before ? bytes : INT64_MAX - before;
    if (byResident || bytes == INT64_MAX) return;
    if (before > 0) lower(RLIMIT_AS, (rlim_t) (before + bytes));
    else lower(RLIMIT_DATA, (rlim_t) bytes);
}

/* Descriptors are small numbers: the limit may be a million, and is not what is open. */
void tacConfineSockets(int keep) {
    enum { MOST = 1 << 16 };
    struct stat stat;
    long limit = sysconf(_SC_OPEN_MAX);
    if (limit < 0 || limit > MOST) limit = MOST;
    for (int fd = STDERR_FILENO + 1; fd < limit; fd++)
        if (fd != keep && fstat(fd, &stat) == 0 && S_ISSOCK(stat.st_mode)) close(fd);
}

/* ---- system calls ------------------------------------------------------------------------------------------------ */

#ifdef SYS_seccomp

/* Reading what is open and copies of it (as many as RLIMIT_NOFILE has it), sending, memory, clocks, signals to this
 * process itself, and the end. */
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
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
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
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
#ifdef SYS_time
    SYS_time,
#endif
};

enum { ALLOWED = sizeof allowed / sizeof *allowed };

static const struct {
    const char *platform;
    uint32_t audit;
} architectures[] = {
    {"x86_64", AUDIT_ARCH_X86_64},
    {"aarch64", AUDIT_ARCH_AARCH64},
};

/* This process' architecture as the filter sees it, or 0. */
static uint32_t architecture(void) {
    const char *platform = (const char *) getauxval(AT_PLATFORM);
    for (size_t i = 0; platform && i < sizeof architectures / sizeof *architectures; i++)
        if (strcmp(platform, architectures[i].platform) == 0) return architectures[i].audit;
    return 0;
}

/*
 * Looked at one after the other: any other architecture's calls are refused (i386 calls have other numbers), as are the
 * x32 ones, whose numbers are above all of ours.
 */
static void filterCalls(void) {
    struct sock_filter code[ALLOWED + 6];
    unsigned n = 0;
    uint32_t own = architecture();
    if (!own) return;
    code[n++] = (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    code[n++] = (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own, 1, 0);
    code[n++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL);
    code[n++] = (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < ALLOWED; i++)
        code[n++] = (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], (uint8_t) (ALLOWED - i), 0);
    code[n++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    code[n++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short) n, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

void tacConfineToParent(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
}

#else

static void filterCalls(void) {}

void tacConfineToParent(pid_t parent) {
    if (getppid() != parent) _exit(1);
}

#endif

void tacConfine(int64_t memoryLimit, int copies) {
    bool byResident = watched();
    growStack();
    limitMemory(memoryLimit, byResident);
    lower(RLIMIT_CORE, 0);
    if (byResident) return;
    lower(RLIMIT_FSIZE, 0);
    lower(RLIMIT_NPROC, 0);
    lower(RLIMIT_NOFILE, copies > 0 ? (rlim_t) (copies + KEPT_FILES) : 0);
    filterCalls();
}
