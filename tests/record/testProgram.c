/*
 * testProgram.c -- a program with sensors, as tests/recordCmd.test runs it:
 *
 *      testProgram write N STATUS      N elements of the sensor "counter"; ends with this status
 *      testProgram kill N              N elements, then SIGKILL by itself
 *      testProgram many S N            S sensors "many-0" ..., N elements each
 *      testProgram fork N              N elements, and N of a child with a directory of its own
 *      testProgram wait                an element, "ready" on standard output; then until a signal ends it
 *      testProgram stubborn            the same, but signals that ask for an end do nothing; until its input ends
 *      testProgram large MB            elements of 256 bytes, so many MB of them, no faster than they can be read
 *      testProgram flood C N           N elements of 256 bytes at once, in a ring for C of them
 *      testProgram obey                as many elements as each line of standard input says, then their sum on standard
 *                                      output; at the end of its input it ends
 *      testProgram prefer STORAGE N    N elements of "counter", and of "preferred", which would like this storage best;
 *                                      it ends at the end of its input
 *      testProgram bad FOLDER          writes a file with a damaged directory there
 */
#define _GNU_SOURCE
#include "record/tactusrec.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 16 << 20 };

typedef struct Count {
    uint64_t n;
    int32_t back;
    float half;
    char name[8];
} Count;

static const tacrec_field fields[] = {{"n", TACREC_UNSIGNED, offsetof(Count, n), 8},
    {"back", TACREC_SIGNED, offsetof(Count, back), 4}, {"half", TACREC_REAL, offsetof(Count, half), 4},
    {"name", TACREC_TEXT, offsetof(Count, name), 8}};

static tacrec_directory directory;
static tacrec_sensor counter;

/* The directory and its sensor "counter", which has room for all. */
static void begin(void) {
    const tacrec_layout layout = {.name = "counter",
        .kind = TACREC_SIMPLE,
        .size = sizeof(Count),
        .capacity = 1 << 16,
        .fields = fields,
        .fieldCount = 4};
    int problem = tacrec_openDefault(&directory, NULL, BYTES);
    if (problem) fprintf(stderr, "testProgram: %s\n", strerror(problem));
    tacrec_add(&directory, &counter, &layout);
}

static void put(uint64_t n) {
    Count *count = tacrec_write(&counter);
    memset(count, 0, sizeof *count);
    count->n = n;
    count->back = -(int32_t) n;
    count->half = (float) n / 2;
    memcpy(count->name, n % 2 ? "odd" : "even", n % 2 ? 3 : 4);
    tacrec_commit(&counter, count);
}

static int writeAll(uint64_t n, int status) {
    for (uint64_t i = 0; i < n; i++) put(i);
    tacrec_close(&directory, false);
    return status;
}

static int many(int sensors, int n) {
    tacrec_sensor *all = calloc((size_t) sensors, sizeof *all);
    if (!all) return 1;
    for (int s = 0; s < sensors; s++) {
        char name[32];
        snprintf(name, sizeof name, "many-%d", s);
        const tacrec_layout layout = {.name = name, .kind = TACREC_SIMPLE, .size = 8, .capacity = 256};
        tacrec_add(&directory, &all[s], &layout);
        for (int i = 0; i < n; i++) tacrec_commit(&all[s], tacrec_write(&all[s]));
    }
    tacrec_close(&directory, false);
    free(all);
    return 0;
}

/* The child has a directory of its own, since it must not write into its parent's. */
static int forked(uint64_t n) {
    for (uint64_t i = 0; i < n; i++) put(i);
    pid_t child = fork();
    if (!child) {
        begin();
        _exit(writeAll(n, 0));
    }
    waitpid(child, NULL, 0);
    tacrec_close(&directory, false);
    return 0;
}

static int ready(void) {
    put(7);
    puts("ready");
    fflush(stdout);
    return 0;
}

static int stubborn(void) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    ready();
    while (getchar() != EOF) continue;
    tacrec_close(&directory, false);
    return 0;
}

static int large(int megabytes) {
    const tacrec_layout layout = {.name = "large", .kind = TACREC_SIMPLE, .size = 256, .capacity = 4096};
    tacrec_sensor sensor;
    tacrec_add(&directory, &sensor, &layout);
    for (int i = 0; i < megabytes * 4096; i++) {
        const struct timespec pause = {0, 20000000};
        if (i % 1024 == 1023) nanosleep(&pause, NULL);
        memset(tacrec_write(&sensor), i, 256);
        tacrec_commit(&sensor, tacrec_write(&sensor));
    }
    return 0;
}

static int flood(int capacity, int n) {
    const tacrec_layout layout = {.name = "flood", .kind = TACREC_SIMPLE, .size = 256, .capacity = (uint32_t) capacity};
    tacrec_sensor sensor;
    tacrec_add(&directory, &sensor, &layout);
    for (int i = 0; i < n; i++) tacrec_commit(&sensor, tacrec_write(&sensor));
    tacrec_close(&directory, false);
    return 0;
}

static int obey(void) {
    uint64_t sum = 0;
    for (unsigned long long more; scanf("%llu", &more) == 1;) {
        for (uint64_t end = sum + more; sum < end; sum++) put(sum);
        printf("%llu\n", (unsigned long long) sum);
        fflush(stdout);
    }
    tacrec_close(&directory, false);
    return 0;
}

static int prefer(const char *storage, int n) {
    const tacrec_layout layout = {
        .name = "preferred", .kind = TACREC_SIMPLE, .size = 8, .capacity = 1 << 16, .storage = storage};
    tacrec_sensor sensor;
    tacrec_add(&directory, &sensor, &layout);
    for (int i = 0; i < n; i++) {
        put((uint64_t) i);
        tacrec_commit(&sensor, tacrec_write(&sensor));
    }
    while (getchar() != EOF) continue;
    tacrec_close(&directory, false);
    return 0;
}

static int bad(const char *folder) {
    char path[512];
    tacrec_open(&directory, folder, "bad", 1 << 16, 0);
    memcpy(path, directory.path, sizeof directory.path);
    directory.head->entryCount = 0xfffffff0u;
    memset((char *) directory.head + sizeof(tacrec_head), 0xff, (1 << 16) - sizeof(tacrec_head));
    tacrec_close(&directory, true);
    snprintf(path, sizeof path, "%s/short.tacrec", folder);
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    fputs("TACTREC", file);
    fclose(file);
    return 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int first = argc > 2 ? atoi(argv[2]) : 0, second = argc > 3 ? atoi(argv[3]) : 0;
    if (!strcmp(what, "bad") && argc > 2) return bad(argv[2]);
    begin();
    if (!strcmp(what, "write")) return writeAll((uint64_t) first, second);
    if (!strcmp(what, "kill")) {
        for (int i = 0; i < first; i++) put((uint64_t) i);
        raise(SIGKILL);
    }
    if (!strcmp(what, "many")) return many(first, second);
    if (!strcmp(what, "fork")) return forked((uint64_t) first);
    if (!strcmp(what, "large")) return large(first);
    if (!strcmp(what, "flood")) return flood(first, second);
    if (!strcmp(what, "prefer") && argc > 2) return prefer(argv[2], second);
    if (!strcmp(what, "obey")) return obey();
    if (!strcmp(what, "stubborn")) return stubborn();
    if (!strcmp(what, "wait")) {
        ready();
        for (;;) pause();
    }
    return 2;
}
