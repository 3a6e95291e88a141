/*
 * mmap.c -- threads that wait for each other in mmap and munmap.
 *
 * Two threads, each on a processor of its own, have nothing to do with each other: each takes 4 MB of memory for a
 * frame, fills it, and gives it back. But mmap and munmap change the address space of the process, which all its
 * threads share, and the kernel has one lock for it (mmap_lock). Repaired, each thread takes its memory once, and
 * uses it for all of its frames.
 *
 * Each thread writes a mark where a frame begins and where it ends.
 *
 *  cc -O2 -pthread -o mmap mmap.c
 *  ./mmap ?--repaired? ?MARKER?
 *
 * MARKER is the trace_marker of the buffer that records; default: that of the kernel's own.
 *
 * To record it, as root (record.sh does the same, and then leaves out other programs by others.awk):
 *
 *  trace-cmd record -B models -d -k -C mono -o trace.dat -e sched_switch -e sched_waking -e sched_wakeup \
 *      -e syscalls:sys_enter_mmap -e syscalls:sys_exit_mmap \
 *      -e syscalls:sys_enter_munmap -e syscalls:sys_exit_munmap \
 *      ./mmap /sys/kernel/tracing/instances/models/trace_marker
 *  rmdir /sys/kernel/tracing/instances/models
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FRAMES = 100, BYTES = 4 << 20 };

static int marker = -1, repaired;

static void mark(const char *text) {
    if (marker >= 0 && write(marker, text, strlen(text)) < 0) marker = -1;
}

static void beThread(const char *name, int processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
    pthread_setname_np(pthread_self(), name);
    if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &(struct sched_param){.sched_priority = 50}))
        fprintf(stderr, "%s: no real-time priority: try as root\n", name);
}

/* Memory that is there at once, in ordinary pages. */
static char *take(void) {
    char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void *frames(void *data) {
    static const char *names[] = {"left", "right"};
    int me = *(int *) data;
    char text[40], *own;
    beThread(names[me], me);
    usleep(20000); /* both are there, and a switch has told the recording their names */
    own = repaired ? take() : NULL;
    for (int i = 1; i <= FRAMES; i++) {
        snprintf(text, sizeof text, "frame:begin number=%d", i);
        mark(text);
        char *memory = repaired ? own : take();
        if (!memory) break;
        memset(memory, i, BYTES);
        if (!repaired) munmap(memory, BYTES);
        mark("frame:end");
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t ids[2];
    if (count > 1 && !strcmp(words[1], "--repaired")) repaired = 1, count--, words++;
    marker = open(count > 1 ? words[1] : "/sys/kernel/tracing/trace_marker", O_WRONLY);
    for (int i = 0; i < 2; i++) pthread_create(&ids[i], NULL, frames, &(int[]){0, 1}[i]);
    for (int i = 0; i < 2; i++) pthread_join(ids[i], NULL);
    return 0;
}
