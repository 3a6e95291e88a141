/*
 * liveWriter.c -- a program with ready-made sensors, for tests of what watches programs while they run.
 *
 *      liveWriter FOLDER                   does what lines of standard input say, and answers each with "done":
 *                                          jobs TASK N         N jobs of the task, one after the other
 *                                          values NAME N       N elements of a sensor of its own
 *                                          end
 *      liveWriter FOLDER RATE SECONDS      writes so many events a second: jobs of four tasks, in turn
 */
#define _GNU_SOURCE
#include "record/tactusrec_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 16 << 20, NAMES = 16, RING = 1 << 15, BURST = 1000 };

static tacrec_directory directory;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static void writeJob(uint32_t task, uint32_t number) {
    tacrec_job job = tacrec_jobOf(task, number);
    tacrec_jobArrived(job);
    tacrec_jobStarted(job);
    tacrec_jobCompleted(job);
}

/* The number of a name; it is made at its first use. */
static uint32_t taskOf(const char *name) {
    static char names[NAMES][40];
    static uint32_t tasks[NAMES], count;
    uint32_t i = 0;
    while (i < count && strcmp(names[i], name)) i++;
    if (i == NAMES) abort();
    if (i == count) {
        snprintf(names[count], sizeof names[count], "%s", name);
        tasks[count++] = tacrec_newTask(name, NULL);
    }
    return tasks[i];
}

static void writeValues(const char *name, uint32_t count) {
    static const tacrec_field fields[] = {{"value", TACREC_UNSIGNED, 0, 8}};
    static tacrec_sensor sensor;
    static bool added;
    tacrec_layout layout = {
        .name = name, .kind = TACREC_SIMPLE, .size = 8, .capacity = 64, .fields = fields, .fieldCount = 1};
    if (!added && !tacrec_add(&directory, &sensor, &layout)) abort();
    added = true;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t *place = (uint64_t *) tacrec_write(&sensor);
        *place = i;
        tacrec_commit(&sensor, place);
    }
}

static void obey(void) {
    char line[200], name[40];
    uint32_t count, number = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "jobs %39s %u", name, &count) == 2)
            for (uint32_t i = 0; i < count; i++) writeJob(taskOf(name), ++number);
        else if (sscanf(line, "values %39s %u", name, &count) == 2) writeValues(name, count);
        else break;
        printf("done\n");
        fflush(stdout);
    }
}

/* Writes `rate` events a second, as many each millisecond as are due. */
static void run(double rate, double seconds) {
    uint64_t begin = now(), length = (uint64_t) (seconds * 1e9), done = 0;
    uint32_t tasks[] = {taskOf("control"), taskOf("sensing"), taskOf("logging"), taskOf("network")}, number = 0;
    for (uint64_t passed = 0; passed < length; passed = now() - begin) {
        for (uint64_t due = (uint64_t) ((double) passed * rate / 1e9); done < due; done += 3)
            writeJob(tasks[number % 4], number / 4 + 1), number++;
        struct timespec pause = {0, BURST * 1000};
        nanosleep(&pause, NULL);
    }
    printf("%llu events\n", (unsigned long long) done);
}

int main(int argc, char **argv) {
    if (argc < 2 || tacrec_open(&directory, argv[1], "writer", BYTES, 0)) return 2;
    tacrec_traceLayout layout = {.threads = 2, .events = RING};
    if (!tacrec_traceOpen(&directory, &layout)) return 2;
    if (argc == 4) run(atof(argv[2]), atof(argv[3]));
    else obey();
    tacrec_close(&directory, false);
    return 0;
}
