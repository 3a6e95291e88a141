/*
 * memory.c -- finds how much memory this process may have: the least of the machine's, its group's and its own limit;
 * and settles how freed memory goes back.
 */
#include "base/port.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef TAC_MAPPED_BLOCKS
#include <malloc.h>
#endif

/* Files with the limit of the control group that a process belongs to, as a container sees it: version 2 and 1. */
static const char *const groupFiles[] = {
    "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes", NULL};

/* The number that a file begins with; UINT64_MAX: there is no such file or number ("max"). */
static uint64_t numberIn(const char *path) {
    char text[32], *end;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return UINT64_MAX;
    ssize_t n = 0, got;
    while ((got = read(fd, text + n, sizeof text - 1 - (size_t) n)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0) n += got;
    close(fd);
    if (got < 0) return UINT64_MAX;
    text[n] = '\0';
    uint64_t number = strtoull(text, &end, 10);
    return end == text ? UINT64_MAX : number;
}

uint64_t tacMachineMemory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t most = pages > 0 && size > 0 ? (uint64_t) pages * (uint64_t) size : UINT64_MAX;
    struct rlimit own;
    for (const char *const *path = groupFiles; *path; path++) {
        uint64_t group = numberIn(*path);
        if (group < most) most = group;
    }
    if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY && own.rlim_cur < most) most = own.rlim_cur;
    return most == UINT64_MAX ? 0 : most;
}

/* Once in a while only: what is given back has to be asked for again, page by page, at the next reading. */
void tacMemGiveBack(void) {
#ifdef TAC_MAPPED_BLOCKS
    enum { SECONDS = 2 };
    static time_t last;
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0 || now.tv_sec - last < SECONDS) return;
    last = now.tv_sec;
    malloc_trim(0);
#endif
}
