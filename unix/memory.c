/*
 * memory.c -- finds how much memory this process may have: the least of what is free on the machine, of the limits of
 * its groups and of its own.
 */
#include "base/port.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Places of the limit of a control group: version 2 and 1. The path of the group stands between. */
static const struct {
    const char *before, *after;
} groups[] = {{"/sys/fs/cgroup", "/memory.max"}, {"/sys/fs/cgroup/memory", "/memory.limit_in_bytes"}};

/* Reads the begin of a file, with a NUL behind it; false: it cannot be read. */
static bool beginOf(const char *path, char *text, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    size_t n = 0;
    ssize_t got;
    while ((got = read(fd, text + n, size - 1 - n)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0) n += (size_t) got;
    close(fd);
    text[n] = '\0';
    return got >= 0;
}

/* The number that a text begins with; UINT64_MAX: there is none ("max"). */
static uint64_t numberOf(const char *text) {
    char *end;
    uint64_t number = strtoull(text, &end, 10);
    return end == text ? UINT64_MAX : number;
}

uint64_t tacMemResident(void) {
    char text[128];
    const char *second = beginOf("/proc/self/statm", text, sizeof text) ? strchr(text, ' ') : NULL;
    uint64_t pages = second ? numberOf(second) : UINT64_MAX;
    long size = sysconf(_SC_PAGESIZE);
    return pages != UINT64_MAX && size > 0 ? pages * (uint64_t) size : 0;
}

/* The number that a file begins with; UINT64_MAX: there is no such file or number. */
static uint64_t numberIn(const char *path) {
    char text[32];
    return beginOf(path, text, sizeof text) ? numberOf(text) : UINT64_MAX;
}

/* The least limit of a group and of all that it is in. The path loses its end, level by level. */
static uint64_t groupLimit(int version, char *path) {
    char file[1100];
    uint64_t least = UINT64_MAX;
    for (bool more = true; more;) {
        snprintf(file, sizeof file, "%s%s%s", groups[version].before, path, groups[version].after);
        uint64_t limit = numberIn(file);
        if (limit < least) least = limit;
        char *last = strrchr(path, '/');
        more = last != NULL;
        if (more) *last = '\0';
    }
    return least;
}

/* The least limit of the groups of this process, as the lines "0::/path" and "N:memory:/path" name them. A container
 * does not see its own path: there the root has its limit. */
static uint64_t ownGroupsLimit(void) {
    char text[4096], root[1] = "";
    uint64_t least = groupLimit(0, root), old = groupLimit(1, root);
    if (old < least) least = old;
    if (!beginOf("/proc/self/cgroup", text, sizeof text)) return least;
    for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        char *path = strchr(line, '/');
        bool second = strncmp(line, "0::", 3) == 0;
        if (!path || strlen(path) > 1000 || (!second && !strstr(line, ":memory:"))) continue;
        uint64_t limit = groupLimit(!second, path);
        if (limit < least) least = limit;
    }
    return least;
}

/* What the kernel says could be had without taking it from others; where it does not say, all of the machine's. */
static uint64_t machineMemory(void) {
    char text[4096];
    const char *line = beginOf("/proc/meminfo", text, sizeof text) ? strstr(text, "\nMemAvailable:") : NULL;
    uint64_t kilobytes = line ? numberOf(line + strlen("\nMemAvailable:")) : UINT64_MAX;
    if (kilobytes < UINT64_MAX >> 10) return kilobytes << 10;
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t) pages * (uint64_t) size : UINT64_MAX;
}

/* What the machine and its groups leave to this process. It is asked for each trace, of which some read a thousand in a
 * second, and reading four files of the kernel takes as long as a small one: the answer holds for a second. */
static uint64_t sharedMemory(void) {
    static struct timespec asked;
    static uint64_t least;
    struct timespec now;
    bool known = clock_gettime(CLOCK_MONOTONIC, &now) == 0;
    if (known && asked.tv_sec && now.tv_sec - asked.tv_sec < 1) return least;
    uint64_t machine = machineMemory(), group = ownGroupsLimit();
    least = group < machine ? group : machine;
    if (known) asked = now;
    return least;
}

uint64_t tacFreeMemory(void) {
    uint64_t most = sharedMemory();
    struct rlimit own;
    if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY && own.rlim_cur < most) most = own.rlim_cur;
    return most == UINT64_MAX ? 0 : most;
}

uint64_t tacMachineRoom(void) {
    struct rlimit own;
    if (getrlimit(RLIMIT_AS, &own) != 0 || own.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    uint64_t pages = numberIn("/proc/self/statm"); /* the first number there: pages of address space */
    long size = sysconf(_SC_PAGESIZE);
    if (pages == UINT64_MAX || size <= 0) return UINT64_MAX;
    uint64_t used = pages * (uint64_t) size;
    return used < own.rlim_cur ? own.rlim_cur - used : 0;
}
