/*
 * kernelPages.c -- what a page of the kernel's ring buffer costs its reader: read, or mapped (since Linux 6.10).
 *
 *      kernelPages read|map INSTANCE
 *
 * Fills the buffers of a tracing instance that it makes, below /sys/kernel/tracing, with system calls of its own; then
 * takes all pages of all processors, adds up their words, and prints the time of a page. For root.
 *
 * Mapped pages: Documentation/trace/ring-buffer-map.rst of Linux.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, CALLS = 400000 };

typedef struct Meta { /* struct trace_buffer_meta */
    uint32_t metaSize, structSize, pageSize, pages;
    struct {
        uint64_t lost;
        uint32_t page, read;
    } reader;
    uint64_t rest[6];
} Meta;

static char folder[200];

static int openFile(const char *name, int how) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return open(path, how);
}

static void say(const char *name, const char *text) {
    int file = openFile(name, O_WRONLY);
    if (file < 0 || write(file, text, strlen(text)) < 0) perror(name);
    if (file >= 0) close(file);
}

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec * 1e6 + (double) now.tv_nsec / 1e3;
}

static uint64_t sumOf(const uint8_t *page) {
    uint64_t sum = 0, word;
    for (size_t i = 0; i < PAGE; i += sizeof word) {
        memcpy(&word, page + i, sizeof word);
        sum += word;
    }
    return sum;
}

static int readPages(int file, uint64_t *sum) {
    static uint8_t page[PAGE];
    int n = 0;
    for (; read(file, page, PAGE) > 0; n++) *sum += sumOf(page);
    return n;
}

static int mapPages(int file, uint64_t *sum) {
    Meta *meta = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
    if (meta == MAP_FAILED) return perror("mmap"), 0;
    size_t size = (size_t) meta->pages * PAGE;
    uint8_t *pages = mmap(NULL, size, PROT_READ, MAP_SHARED, file, meta->metaSize);
    if (pages == MAP_FAILED) return perror("mmap"), 0;
    int n = 0;
    for (uint32_t page = UINT32_MAX, at = 0; ioctl(file, _IO('R', 0x20)) == 0; n++) {
        if (meta->reader.page == page && meta->reader.read == at) break;
        page = meta->reader.page;
        at = meta->reader.read;
        *sum += sumOf(pages + (size_t) page * PAGE);
    }
    munmap(pages, size);
    munmap(meta, PAGE);
    return n;
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: kernelPages read|map INSTANCE\n"), 2;
    snprintf(folder, sizeof folder, "/sys/kernel/tracing/instances/%.100s", argv[2]);
    if (mkdir(folder, 0700)) return perror(folder), 1;
    say("buffer_size_kb", "16384");
    say("events/raw_syscalls/enable", "1");
    for (int i = 0; i < CALLS; i++) getppid();
    say("tracing_on", "0");
    uint64_t sum = 0;
    double time = 0;
    int pages = 0;
    for (int i = 0; i < sysconf(_SC_NPROCESSORS_CONF); i++) {
        char name[60];
        snprintf(name, sizeof name, "per_cpu/cpu%d/trace_pipe_raw", i);
        int file = openFile(name, O_RDONLY | O_NONBLOCK);
        double before = microseconds();
        if (file >= 0) pages += *argv[1] == 'm' ? mapPages(file, &sum) : readPages(file, &sum);
        time += microseconds() - before;
        if (file >= 0) close(file);
    }
    printf("%s: %d pages, %.2f us a page (sum %llx)\n", argv[1], pages, time / (pages ? pages : 1),
        (unsigned long long) sum);
    return rmdir(folder) != 0;
}
