/*
 * tactusrec_probe.h -- probes of a machine with Linux: processor load, memory of a process, network, task switches,
 * each a sensor that is written when its caller says so, with a threshold.
 *
 *      tacrec_probe probe = {.of = TACREC_PROBE_LOAD, .interval = 100000000, .threshold = 0.9};
 *      int problem = tacrec_probeBegin(&probe, &directory);
 *      problem = tacrec_probeLook(&probe, now);        each interval; then probe.value and probe.above
 *
 * What the kernel says in /proc -> differences since the look before -> an element of probe.load, probe.memory,
 * probe.network or probe.switches. libtactusrec(3) describes sensors, tactus-probe(1) these.
 */
#ifndef TACTUSREC_PROBE_H
#define TACTUSREC_PROBE_H

#include "tactusrec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tacrec_probeOf {
    TACREC_PROBE_LOAD = 1, /* value: share of all processors that is busy, 0 .. 1 */
    TACREC_PROBE_MEMORY,   /* bytes of a process that are in memory */
    TACREC_PROBE_NETWORK,  /* bytes a second, received and sent */
    TACREC_PROBE_SWITCHES  /* switches a second, of the machine or of a process */
} tacrec_probeOf;

enum { TACREC_PROBE_PROCESSORS = 256 };

/* Elements; `above` is 1 when the value was above the threshold. Counts are of the time since the look before. */
typedef struct tacrec_probeLoad {
    double busy;        /* share of all processors, 0 .. 1 */
    double most;        /* of the one that is busiest */
    uint32_t processor; /* which that is */
    uint32_t above;
} tacrec_probeLoad;

typedef struct tacrec_probeMemory {
    uint64_t resident, size, peak; /* bytes: in memory, in all, the most that were in memory */
    uint32_t pid, above;
} tacrec_probeMemory;

typedef struct tacrec_probeNetwork {
    double rate;                           /* bytes a second, both ways */
    uint64_t received, sent;               /* bytes */
    uint32_t packetsReceived, packetsSent; /* packets */
    uint32_t lost;                         /* packets that were dropped or damaged, both ways */
    uint32_t above;
} tacrec_probeNetwork;

typedef struct tacrec_probeSwitches {
    double rate;                   /* a second */
    uint64_t switches;             /* all */
    uint64_t voluntary, preempted; /* of a process: what they were; of a machine: 0 */
    uint32_t pid;                  /* 0: the machine */
    uint32_t above;
} tacrec_probeSwitches;

typedef struct tacrec_probe {
    tacrec_probeOf of;
    uint64_t interval;     /* nanoseconds between two looks, as the sensor declares it; 0: not known */
    double threshold;      /* NAN, INFINITY: none */
    uint32_t pid;          /* MEMORY, SWITCHES: of a process; SWITCHES 0: of the machine */
    const char *interface; /* NETWORK: name of one; NULL: all but lo */
    const char *proc;      /* NULL: /proc */
    /* What was found by the last look: */
    double value;
    bool above;
    /* Its own: */
    tacrec_sensor sensor;
    uint64_t time, before[6];
    uint64_t processors[TACREC_PROBE_PROCESSORS][2]; /* busy, all */
} tacrec_probe;

/*
 * Adds the sensor to a directory, and looks for the first time, at a time of CLOCK_MONOTONIC; for what is a difference
 * there is no element yet. 0, or as errno has it: ESRCH, no such process; ENODEV, no such interface; ENOSPC, no room in
 * the directory (the probe looks, unseen); EINVAL, no such probe.
 */
int tacrec_probeBegin(tacrec_probe *probe, tacrec_directory *directory, uint64_t now);
/* Looks, and writes an element. The same results; then nothing was written. */
int tacrec_probeLook(tacrec_probe *probe, uint64_t now);

#ifdef __cplusplus
}
#endif

#endif
