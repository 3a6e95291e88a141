/*
 * probe.c -- tactus-probe: writes processor load, memory, network or task switches as a sensor, at an interval, and
 * says when a threshold is passed.
 *
 *      tactus-probe load|memory|network|switches ?OPTION ...?
 *
 * Exit status: 0; 1 when the threshold was passed; 2 wrong usage, or nothing to look at.
 */
#define _GNU_SOURCE
#include "record/tactusrec_probe.h"

#include <errno.h>
#include <float.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const names[] = {"load", "memory", "network", "switches", NULL};
static const char *const units[] = {"of all processors", "bytes", "bytes a second", "switches a second"};

typedef struct Wishes {
    const char *folder;
    uint64_t count; /* looks; 0: no end */
    bool print;
} Wishes;

static volatile sig_atomic_t stopped;
static void stop(int number) { (void) number, stopped = 1; }

static const char usage[] = "usage: tactus-probe load|memory|network|switches [OPTION ...]\n"
                            "  --interval TIME     between two looks (ns, us, ms, s); 100ms\n"
                            "  --threshold NUMBER  says when the value is above it (k, M, G, % may follow), and exits "
                            "with 1 then\n"
                            "  --pid NUMBER        of the process (memory, switches; switches without: all)\n"
                            "  --interface NAME    of the network; without: all but lo\n"
                            "  --count NUMBER      ends after so many looks\n"
                            "  --folder PATH       of the sensor; where recorders look for programs\n"
                            "  --print             prints a line for each look: time in seconds, value\n"
                            "  --proc PATH         in place of /proc\n";

static void fail(const char *what, const char *word) {
    fprintf(stderr, "tactus-probe: %s%s%s\n%s", what, word ? " " : "", word ? word : "", usage);
    exit(2);
}

/* A number with one of the units that a table has; below 0, above `most` or with anything else it is wrong usage. */
static double numberOf(
    const char *text, const char *const words[], const double factors[], double most, const char *option) {
    char *end;
    double number = strtod(text, &end);
    for (int i = 0; end != text && words[i]; i++)
        if (!strcmp(end, words[i]) && number >= 0 && number * factors[i] <= most) return number * factors[i];
    fail("bad value of", option);
    return 0;
}

static double timeOf(const char *text) {
    static const char *const words[] = {"", "ns", "us", "ms", "s", NULL};
    static const double factors[] = {1, 1, 1e3, 1e6, 1e9};
    return numberOf(text, words, factors, 1e18, "--interval");
}

static double amountOf(const char *text, double most, const char *option) {
    static const char *const words[] = {"", "k", "M", "G", "%", NULL};
    static const double factors[] = {1, 1 << 10, 1 << 20, 1 << 30, 0.01};
    return numberOf(text, words, factors, most, option);
}

static void readOptions(int argc, char **argv, tacrec_probe *probe, Wishes *wishes) {
    enum { INTERVAL = 1, THRESHOLD, PID, INTERFACE, COUNT, FOLDER, PRINT, PROC, HELP };
    static const struct option options[] = {{"interval", 1, NULL, INTERVAL}, {"threshold", 1, NULL, THRESHOLD},
        {"pid", 1, NULL, PID}, {"interface", 1, NULL, INTERFACE}, {"count", 1, NULL, COUNT},
        {"folder", 1, NULL, FOLDER}, {"print", 0, NULL, PRINT}, {"proc", 1, NULL, PROC}, {"help", 0, NULL, HELP},
        {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case INTERVAL: probe->interval = (uint64_t) timeOf(optarg); break;
        case THRESHOLD: probe->threshold = amountOf(optarg, DBL_MAX, "--threshold"); break;
        case PID: probe->pid = (uint32_t) amountOf(optarg, UINT32_MAX, "--pid"); break;
        case INTERFACE: probe->interface = optarg; break;
        case COUNT: wishes->count = (uint64_t) amountOf(optarg, 1e18, "--count"); break;
        case FOLDER: wishes->folder = optarg; break;
        case PRINT: wishes->print = true; break;
        case PROC: probe->proc = optarg; break;
        case HELP: printf("%s", usage); exit(0);
        default: fail("wrong usage", NULL);
        }
    }
    if (optind != argc - 1) fail("one word is needed: load, memory, network or switches", NULL);
    for (int i = 0; names[i]; i++)
        if (!strcmp(argv[optind], names[i])) probe->of = (tacrec_probeOf) (i + 1);
    if (!probe->of) fail("there is no probe", argv[optind]);
    if (probe->interval < 100000) fail("--interval must be 100us at least", NULL);
    if (probe->of == TACREC_PROBE_MEMORY && !probe->pid) fail("memory needs --pid", NULL);
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static void sleepUntil(uint64_t time) {
    struct timespec t = {.tv_sec = (time_t) (time / 1000000000u), .tv_nsec = (long) (time % 1000000000u)};
    while (!stopped && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) continue;
}

/* Says that the threshold was passed, upward or downward. */
static void tell(const tacrec_probe *probe) {
    fprintf(stderr, "tactus-probe: %s: %g %s, %s %g\n", names[probe->of - 1], probe->value, units[probe->of - 1],
        probe->above ? "above" : "again at most", probe->threshold);
}

/* Looks at the interval until it is stopped; what it looked at may end before. Was the threshold passed? */
static bool lookOn(tacrec_probe *probe, const Wishes *wishes) {
    uint64_t next = now();
    bool passed = false, above = false;
    for (uint64_t n = 0; !stopped && (!wishes->count || n < wishes->count); n++) {
        do next += probe->interval;
        while (next < now()); /* looks that were missed are left out */
        sleepUntil(next);
        uint64_t time = now();
        if (stopped || tacrec_probeLook(probe, time)) break;
        if (wishes->print) printf("%.9f %.12g\n", (double) time / 1e9, probe->value), fflush(stdout);
        if (probe->above != above) tell(probe);
        above = probe->above;
        passed = passed || above;
    }
    return passed;
}

int main(int argc, char **argv) {
    static tacrec_probe probe = {.interval = 100000000, .threshold = INFINITY};
    static tacrec_directory directory;
    Wishes wishes = {NULL, 0, false};
    char program[32];
    readOptions(argc, argv, &probe, &wishes);
    snprintf(program, sizeof program, "probe-%s", names[probe.of - 1]);
    int problem = wishes.folder ? tacrec_open(&directory, wishes.folder, program, 1 << 20, 0)
                                : tacrec_openDefault(&directory, program, 1 << 20);
    if (problem) fprintf(stderr, "tactus-probe: not recorded: %s\n", strerror(problem));
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    problem = tacrec_probeBegin(&probe, &directory, now());
    if (problem && problem != ENOSPC) {
        fprintf(stderr, "tactus-probe: nothing to look at: %s\n",
            problem == ENODEV ? "there is no such interface" : strerror(problem));
        tacrec_close(&directory, false);
        return 2;
    }
    bool passed = lookOn(&probe, &wishes);
    tacrec_close(&directory, false);
    return passed;
}
