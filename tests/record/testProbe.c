/*
 * testProbe.c -- probes of a machine whose /proc is files that are written here; the values are worked by hand.
 *
 * Prints a line for each test, "ok NAME" or "FAILED NAME: why"; the exit status is 1 if one failed. Argument: a folder.
 */
#define _GNU_SOURCE
#include "check.h"
#include "record/tactusrec_probe.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *proc;
static tacrec_directory directory;

static void put(const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", proc, name);
    for (char *at = path + strlen(proc) + 1; (at = strchr(at, '/')); at++) {
        *at = 0;
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file)) abort();
}

static void drop(const char *name) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", proc, name);
    unlink(path);
}

/* The newest element of the newest sensor; how many there are. */
static int newest(const char *name, void *element, size_t size) {
    tacrec_reader reader;
    tacrec_entry entry;
    uint64_t data[TACREC_ELEMENT / 8], time;
    uint32_t k = tacrec_sensors(directory.head) - 1;
    int count = 0;
    if (!tacrec_describe(directory.head, directory.head->size, k, &entry) || strcmp(entry.name, name)
        || entry.size != size || !tacrec_readerBegin(&reader, directory.head, directory.head->size, k))
        return -1;
    for (; tacrec_readerNext(&reader, &time, data); count++) memcpy(element, data, size);
    return count;
}

/* Of 100 and 200 ticks of two processors, 25 and 160 are busy: 185 of 300 in all. */
static void testLoad(void) {
    tacrec_probe probe = {.of = TACREC_PROBE_LOAD, .threshold = 0.6, .proc = proc};
    tacrec_probeLoad e = {0};
    put("stat", "cpu  0 0 0 1000 0 0 0 0 0 0\ncpu0 0 0 0 500 0 0 0 0 0 0\ncpu1 0 0 0 500 0 0 0 0 0 0\nctxt 5\n");
    int problem = tacrec_probeBegin(&probe, &directory, 0);
    bool none = newest("probe.load", &e, sizeof e) == 0;
    put("stat",
        "cpu  100 5 40 1105 10 20 10 10 0 0\ncpu0 10 5 0 565 10 0 0 10 0 0\ncpu1 90 0 40 540 0 20 10 0 0 0\nctxt 5\n");
    problem += tacrec_probeLook(&probe, 1000);
    CHECK("load",
        !problem && none && newest("probe.load", &e, sizeof e) == 1 && fabs(e.busy - 185.0 / 300) < 1e-12
            && fabs(e.most - 0.8) < 1e-12 && e.processor == 1 && e.above == 1 && probe.above,
        "%d, %g, %g of %u", problem, e.busy, e.most, (unsigned) e.processor);
    problem = tacrec_probeLook(&probe, 2000); /* no tick has passed */
    CHECK("no tick", !problem && newest("probe.load", &e, sizeof e) == 1, "%d", problem);
    tacrec_remove(&probe.sensor);
}

static void testMemory(void) {
    tacrec_probe probe = {.of = TACREC_PROBE_MEMORY, .threshold = 2 << 20, .proc = proc, .pid = 77};
    tacrec_probeMemory e = {0};
    CHECK("no such process", tacrec_probeBegin(&probe, &directory, 0) == ESRCH, " ");
    put("77/status", "Name:\tx\nVmPeak:\t 9000 kB\nVmSize:\t    8000 kB\nVmHWM:\t    3000 kB\nVmRSS:\t    2048 kB\n");
    int problem = tacrec_probeLook(&probe, 1000);
    CHECK("memory",
        !problem && newest("probe.memory", &e, sizeof e) == 1 && e.resident == 2048u * 1024 && e.size == 8000u * 1024
            && e.peak == 3000u * 1024 && e.pid == 77 && !e.above,
        "%d, %llu", problem, (unsigned long long) e.resident);
    put("77/status", "Name:\tx\nVmSize:\t    8000 kB\nVmHWM:\t    3000 kB\nVmRSS:\t    2049 kB\n");
    problem = tacrec_probeLook(&probe, 2000);
    CHECK("above its threshold", !problem && newest("probe.memory", &e, sizeof e) == 2 && e.above == 1, "%d", problem);
    put("77/status", "Name:\tx\nState:\tZ (zombie)\n");
    CHECK("a process that has ended", tacrec_probeLook(&probe, 3000) == ESRCH, " ");
    tacrec_remove(&probe.sensor);
}

#define HEAD                                                                         \
    "Inter-|   Receive                                                |  Transmit\n" \
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo\n"

/* In half a second 3000 + 1000 bytes: 8000 a second. */
static void testNetwork(void) {
    tacrec_probe all = {.of = TACREC_PROBE_NETWORK, .threshold = 8000, .proc = proc}, one = all;
    tacrec_probeNetwork e = {0};
    put("net/dev",
        HEAD "    lo: 9 9 0 0 0 0 0 0 9 9 0 0 0 0 0 0\n  eth0: 100 10 1 0 0 0 0 0 200 20 0 0 0 0 0 0\n"
             " wlan0:7 1 0 0 0 0 0 0 5 1 0 0 0 0 0 0\n");
    int problem = tacrec_probeBegin(&all, &directory, 500);
    put("net/dev",
        HEAD "    lo: 99 99 0 0 0 0 0 0 99 99 0 0 0 0 0 0\n  eth0: 3000 40 2 3 0 0 0 0 1100 25 1 0 0 0 0 0\n"
             " wlan0:107 3 0 0 0 0 0 0 105 3 0 0 0 0 0 0\n");
    problem += tacrec_probeLook(&all, 500000500);
    CHECK("network",
        !problem && newest("probe.network", &e, sizeof e) == 1 && e.received == 3000 && e.sent == 1000
            && e.packetsReceived == 32 && e.packetsSent == 7 && e.lost == 5 && e.rate == 8000 && !e.above,
        "%d, %llu, %g", problem, (unsigned long long) e.received, e.rate);
    one.interface = "eth0";
    problem = tacrec_probeBegin(&one, &directory, 0);
    put("net/dev", HEAD "  eth0: 3001 41 2 3 0 0 0 0 1100 25 1 0 0 0 0 0\n wlan0:0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    problem += tacrec_probeLook(&one, 1000000000);
    CHECK("one interface", !problem && newest("probe.network", &e, sizeof e) == 1 && e.received == 1 && e.rate == 1,
        "%d", problem);
    problem = tacrec_probeLook(&all, 1000000500); /* wlan0 began anew, and all are less: nothing, not a huge number */
    CHECK("counts that begin anew", !problem && all.value == 0, "%g", all.value);
    one.interface = "eth";
    CHECK("no such interface", tacrec_probeLook(&one, 2000000000) == ENODEV, " ");
    tacrec_remove(&all.sensor);
    tacrec_remove(&one.sensor);
}

static void testSwitches(void) {
    tacrec_probe machine = {.of = TACREC_PROBE_SWITCHES, .threshold = INFINITY, .proc = proc}, process = machine;
    tacrec_probeSwitches e = {0};
    put("stat", "cpu  0 0 0 0\nintr 77 1 2\nctxt 1000\nbtime 1\n");
    int problem = tacrec_probeBegin(&machine, &directory, 0);
    put("stat", "cpu  0 0 0 0\nintr 77 1 2\nctxt 1600\nbtime 1\n");
    problem += tacrec_probeLook(&machine, 2000000000);
    CHECK("switches of the machine",
        !problem && newest("probe.switches", &e, sizeof e) == 1 && e.switches == 600 && e.rate == 300 && e.pid == 0,
        "%d, %g", problem, e.rate);
    process.pid = 78;
    put("78/task/78/status", "Name:\tx\nvoluntary_ctxt_switches:\t10\nnonvoluntary_ctxt_switches:\t4\n");
    put("78/task/79/status", "Name:\ty\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t0\n");
    problem = tacrec_probeBegin(&process, &directory, 0);
    put("78/task/79/status", "Name:\ty\nvoluntary_ctxt_switches:\t31\nnonvoluntary_ctxt_switches:\t6\n");
    problem += tacrec_probeLook(&process, 1000000000);
    CHECK("switches of a process",
        !problem && newest("probe.switches", &e, sizeof e) == 1 && e.switches == 36 && e.voluntary == 30
            && e.preempted == 6 && e.rate == 36 && e.pid == 78,
        "%d, %g", problem, e.rate);
    tacrec_remove(&machine.sensor);
    tacrec_remove(&process.sensor);
}

/* What is there of this machine: no value is known, but what must hold. */
static void testHere(void) {
    tacrec_probe memory = {.of = TACREC_PROBE_MEMORY, .threshold = INFINITY, .pid = (uint32_t) getpid()};
    tacrec_probe network = {.of = TACREC_PROBE_NETWORK, .threshold = INFINITY}, wrong = {.of = (tacrec_probeOf) 9};
    int problem = tacrec_probeBegin(&memory, &directory, 0) + tacrec_probeLook(&memory, 1000)
        + tacrec_probeBegin(&network, &directory, 0) + tacrec_probeLook(&network, 1000);
    CHECK("this machine", !problem && memory.value > 100000, "%d, %g", problem, memory.value);
    CHECK("no such probe", tacrec_probeBegin(&wrong, &directory, 0) == EINVAL, " ");
    static tacrec_directory nowhere;
    if (!tacrec_open(&nowhere, "/nowhere/at/all", "probes", 1 << 20, 0)) abort();
    CHECK("no place", tacrec_probeBegin(&memory, &nowhere, 0) == ENOSPC && !tacrec_probeLook(&memory, 1000), " ");
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    proc = argc > 1 ? argv[1] : "/tmp";
    if (tacrec_open(&directory, NULL, "probes", 1 << 20, 0)) return 1;
    testLoad();
    testMemory();
    testNetwork();
    testSwitches();
    testHere();
    drop("stat");
    tacrec_close(&directory, false);
    return failures > 0;
}
