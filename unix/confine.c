/*
 * confine.c -- sets rlimits, and a filter that lets only harmless system calls through (Linux; elsewhere rlimits only).
 *
 * The filter is a list of allowed calls; all others fail with EPERM, which libraries take for an ordinary error. Open
 * files stay usable: the reader goes on reading, the worker goes on sending.
 */
#include "base/port.h"

#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

/* Lowers a limit for good. */
static void lower(int resource, rlim_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return;
    if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
}

/* Gives recursion more room than the usual 8 MB, so that Tcl's own depth limits come first. */
static void growStack(void) {
    const rlim_t wanted = (rlim_t) 64 << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_STACK, &limit);
}

/* Limits memory to so many bytes more than now, and notes how to measure it. */
static void limitMemory(int64_t bytes, bool byResident) {
    statmFile = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    column = byResident;
    before = memoryNow();
    allowance = bytes < INT64_MAX - before ? bytes : INT64_MAX - before;
    if (byResident || bytes == INT64_MAX) return;
    if (before > 0) lower(RLIMIT_AS, (rlim_t) (before + bytes));
    else lower(RLIMIT_DATA, (rlim_t) bytes);
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

/* ---- system calls ------------------------------------------------------------------------------------------------ */

#ifdef SYS_seccomp

/* The allowed calls: reading open files and copying their descriptors (as many as RLIMIT_NOFILE allows), sending,
 * memory, clocks, signals to this process itself, and its end. */
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

/* This process' architecture as the filter sees it; 0: unknown. */
static uint32_t architecture(void) {
    const char *platform = (const char *) getauxval(AT_PLATFORM);
    for (size_t i = 0; platform && i < sizeof architectures / sizeof *architectures; i++)
        if (strcmp(platform, architectures[i].platform) == 0) return architectures[i].audit;
    return 0;
}

/*
 * Installs the filter, which compares a call with the allowed ones one after the other. Calls of any other architecture
 * are refused (i386 calls have other numbers), as are those of x32, since their numbers are above all allowed ones.
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

/* Defined when the process runs with the address sanitizer (linked or preloaded), or under valgrind. */
extern void __asan_init(void) __attribute__((weak));
extern void _vgnU_freeres(void) __attribute__((weak));

void tacConfine(int64_t memoryLimit, int copies) {
    bool watched = __asan_init || _vgnU_freeres; /* by a tool that needs its own address space and more system calls */
    growStack();
    limitMemory(memoryLimit, watched);
    lower(RLIMIT_CORE, 0);
    if (watched) return;
    lower(RLIMIT_FSIZE, 0);
    lower(RLIMIT_NPROC, 0);
    lower(RLIMIT_NOFILE, copies > 0 ? (rlim_t) (copies + KEPT_FILES) : 0);
    filterCalls();
}
