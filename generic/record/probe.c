/*
 * probe.c -- processor load, memory, network and task switches, as Linux tells them in /proc, written by sensors.
 *
 *      a file of /proc -> its text -> numbers of the lines that matter -> differences -> an element
 */
#include "record/tactusrec_probe.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 17, PLACE = 4096 }; /* bytes of a file and of a path */

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Reads a file below /proc into a text, which is cut to TEXT. 0, or as errno has it. */
static int readFile(const tacrec_probe *probe, const char *name, char text[TEXT]) {
    char path[PLACE];
    snprintf(path, sizeof path, "%s/%s", probe->proc ? probe->proc : "/proc", name);
    FILE *file = fopen(path, "r");
    if (!file) return errno == ENOENT ? ESRCH : errno;
    size_t length = fread(text, 1, TEXT - 1, file);
    fclose(file);
    text[length] = 0;
    return 0;
}

/* What follows a word at the beginning of a line; NULL: no line begins so. */
static const char *lineOf(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; at; at = strchr(at, '\n')) {
        if (*at == '\n') at++;
        if (!strncmp(at, word, length)) return at + length;
    }
    return NULL;
}

/* Up to `most` numbers that stand in a line; how many. */
static int numbersOf(const char *at, uint64_t *numbers, int most) {
    int count = 0;
    for (; count < most; count++) {
        char *end;
        while (*at == ' ' || *at == '\t') at++;
        if (*at < '0' || *at > '9') break;
        numbers[count] = strtoull(at, &end, 10);
        at = end;
    }
    return count;
}

/* The number behind a word at the beginning of a line; 0: there is none. */
static uint64_t numberAt(const char *text, const char *word) {
    const char *line = lineOf(text, word);
    uint64_t number = 0;
    if (line) numbersOf(line, &number, 1);
    return number;
}

/* How much a count has grown since the look before. One that has become less began anew. */
static uint64_t grown(uint64_t *before, uint64_t now) {
    uint64_t by = now >= *before ? now - *before : 0;
    *before = now;
    return by;
}

static double perSecond(uint64_t count, uint64_t nanoseconds) {
    return nanoseconds ? (double) count * 1e9 / (double) nanoseconds : 0;
}

/* Notes the value; is it above the threshold? */
static uint32_t judge(tacrec_probe *probe, double value) {
    probe->value = value;
    probe->above = value > probe->threshold;
    return probe->above;
}

static void publish(tacrec_probe *probe, const void *element, size_t size) {
    void *place = tacrec_write(&probe->sensor);
    memcpy(place, element, size);
    tacrec_commit(&probe->sensor, place);
}

/* ---- processor load ---------------------------------------------------------------------------------------------- */

/*
 * The share of a line "cpu user nice system idle iowait irq softirq steal ..." since the look before: what is neither
 * idle nor waiting for input. Below 0: no time has passed.
 */
static double shareOf(const char *line, uint64_t before[2]) {
    uint64_t n[8] = {0}, all = 0;
    numbersOf(line, n, 8);
    for (int i = 0; i < 8; i++) all += n[i];
    uint64_t busy = grown(&before[0], all - n[3] - n[4]), total = grown(&before[1], all);
    return total ? (double) (busy < total ? busy : total) / (double) total : -1;
}

static int lookLoad(tacrec_probe *probe, uint64_t elapsed, bool first) {
    char text[TEXT], word[16];
    int problem = readFile(probe, "stat", text);
    const char *line = problem ? NULL : lineOf(text, "cpu ");
    if (!line) return problem ? problem : ENODEV;
    tacrec_probeLoad element = {.busy = shareOf(line, probe->before), .most = -1};
    (void) elapsed;
    for (uint32_t k = 0; k < TACREC_PROBE_PROCESSORS; k++) {
        snprintf(word, sizeof word, "cpu%u ", (unsigned) k);
        line = lineOf(text, word);
        double share = line ? shareOf(line, probe->processors[k]) : -1;
        if (share > element.most) element.processor = k;
        if (share > element.most) element.most = share;
    }
    if (first || element.busy < 0) return 0; /* no tick since */
    if (element.most < 0) element.most = element.busy;
    element.above = judge(probe, element.busy);
    publish(probe, &element, sizeof element);
    return 0;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int lookMemory(tacrec_probe *probe, uint64_t elapsed, bool first) {
    char text[TEXT], name[32];
    (void) elapsed;
    snprintf(name, sizeof name, "%u/status", (unsigned) probe->pid);
    int problem = readFile(probe, name, text);
    if (problem) return problem;
    tacrec_probeMemory element = {.resident = numberAt(text, "VmRSS:") * 1024,
        .size = numberAt(text, "VmSize:") * 1024,
        .peak = numberAt(text, "VmHWM:") * 1024,
        .pid = probe->pid};
    if (!lineOf(text, "VmRSS:")) return ESRCH; /* it has ended, and is not waited for yet */
    if (first) return 0;
    element.above = judge(probe, (double) element.resident);
    publish(probe, &element, sizeof element);
    return 0;
}

/* ---- network ----------------------------------------------------------------------------------------------------- */

/* Adds the 16 numbers of the lines of an interface, or of all but lo, to `sum`. False: there is none. */
static bool sumInterfaces(const char *text, const char *interface, uint64_t sum[16]) {
    bool found = false;
    for (const char *at = text; at; at = strchr(at, '\n')) {
        uint64_t numbers[16] = {0};
        if (*at == '\n') at++;
        while (*at == ' ') at++;
        size_t length = strcspn(at, ":\n");
        if (at[length] != ':') continue; /* a head, or the end */
        bool wanted = interface ? strlen(interface) == length && !strncmp(at, interface, length)
                                : length != 2 || strncmp(at, "lo", 2) != 0;
        if (!wanted || numbersOf(at + length + 1, numbers, 16) < 16) continue;
        for (int i = 0; i < 16; i++) sum[i] += numbers[i];
        found = true;
    }
    return found || !interface;
}

/* Received: bytes packets errs drop fifo frame compressed multicast; sent: bytes packets errs drop ... */
static int lookNetwork(tacrec_probe *probe, uint64_t elapsed, bool first) {
    char text[TEXT];
    uint64_t n[16] = {0};
    int problem = readFile(probe, "net/dev", text);
    if (problem) return problem;
    if (!sumInterfaces(text, probe->interface, n)) return ENODEV;
    tacrec_probeNetwork element = {.received = grown(&probe->before[0], n[0]), .sent = grown(&probe->before[1], n[8])};
    element.packetsReceived = (uint32_t) grown(&probe->before[2], n[1]);
    element.packetsSent = (uint32_t) grown(&probe->before[3], n[9]);
    element.lost = (uint32_t) grown(&probe->before[4], n[2] + n[3] + n[10] + n[11]);
    if (first) return 0;
    element.rate = perSecond(element.received + element.sent, elapsed);
    element.above = judge(probe, element.rate);
    publish(probe, &element, sizeof element);
    return 0;
}

/* ---- task switches ----------------------------------------------------------------------------------------------- */

/* Sums of what all threads of a process say of themselves. */
static int sumThreads(const tacrec_probe *probe, uint64_t *voluntary, uint64_t *preempted) {
    char path[PLACE], text[TEXT];
    snprintf(path, sizeof path, "%s/%u/task", probe->proc ? probe->proc : "/proc", (unsigned) probe->pid);
    DIR *threads = opendir(path);
    if (!threads) return errno == ENOENT ? ESRCH : errno;
    for (struct dirent *entry; (entry = readdir(threads));) {
        char name[64];
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
        snprintf(name, sizeof name, "%u/task/%.32s/status", (unsigned) probe->pid, entry->d_name);
        if (readFile(probe, name, text)) continue; /* it has ended */
        *voluntary += numberAt(text, "voluntary_ctxt_switches:");
        *preempted += numberAt(text, "nonvoluntary_ctxt_switches:");
    }
    closedir(threads);
    return 0;
}

static int lookSwitches(tacrec_probe *probe, uint64_t elapsed, bool first) {
    char text[TEXT];
    uint64_t voluntary = 0, preempted = 0;
    int problem = probe->pid ? sumThreads(probe, &voluntary, &preempted) : readFile(probe, "stat", text);
    if (problem) return problem;
    if (!probe->pid && !lineOf(text, "ctxt ")) return ENODEV;
    tacrec_probeSwitches element = {.pid = probe->pid};
    element.voluntary = grown(&probe->before[0], voluntary);
    element.preempted = grown(&probe->before[1], preempted);
    element.switches = probe->pid ? element.voluntary + element.preempted
                                  : grown(&probe->before[2], numberAt(text, "ctxt "));
    if (first) return 0;
    element.rate = perSecond(element.switches, elapsed);
    element.above = judge(probe, element.rate);
    publish(probe, &element, sizeof element);
    return 0;
}

/* ---- probes ------------------------------------------------------------------------------------------------------ */

#define FIELD(type, member, what) \
    { #member, what, offsetof(type, member), sizeof(((type *) 0)->member) }
#define FIELDS(list) list, sizeof list / sizeof *list
static const tacrec_field load[] = {FIELD(tacrec_probeLoad, busy, TACREC_REAL),
    FIELD(tacrec_probeLoad, most, TACREC_REAL), FIELD(tacrec_probeLoad, processor, TACREC_UNSIGNED),
    FIELD(tacrec_probeLoad, above, TACREC_UNSIGNED)};
static const tacrec_field memory[] = {FIELD(tacrec_probeMemory, resident, TACREC_UNSIGNED),
    FIELD(tacrec_probeMemory, size, TACREC_UNSIGNED), FIELD(tacrec_probeMemory, peak, TACREC_UNSIGNED),
    FIELD(tacrec_probeMemory, pid, TACREC_UNSIGNED), FIELD(tacrec_probeMemory, above, TACREC_UNSIGNED)};
static const tacrec_field network[] = {FIELD(tacrec_probeNetwork, rate, TACREC_REAL),
    FIELD(tacrec_probeNetwork, received, TACREC_UNSIGNED), FIELD(tacrec_probeNetwork, sent, TACREC_UNSIGNED),
    FIELD(tacrec_probeNetwork, packetsReceived, TACREC_UNSIGNED),
    FIELD(tacrec_probeNetwork, packetsSent, TACREC_UNSIGNED), FIELD(tacrec_probeNetwork, lost, TACREC_UNSIGNED),
    FIELD(tacrec_probeNetwork, above, TACREC_UNSIGNED)};
static const tacrec_field switches[] = {FIELD(tacrec_probeSwitches, rate, TACREC_REAL),
    FIELD(tacrec_probeSwitches, switches, TACREC_UNSIGNED), FIELD(tacrec_probeSwitches, voluntary, TACREC_UNSIGNED),
    FIELD(tacrec_probeSwitches, preempted, TACREC_UNSIGNED), FIELD(tacrec_probeSwitches, pid, TACREC_UNSIGNED),
    FIELD(tacrec_probeSwitches, above, TACREC_UNSIGNED)};

typedef struct Kind {
    const char *name;
    uint32_t size;
    const tacrec_field *fields;
    size_t fieldCount;
    int (*look)(tacrec_probe *probe, uint64_t elapsed, bool first);
} Kind;

static const Kind kinds[] = {{"probe.load", sizeof(tacrec_probeLoad), FIELDS(load), lookLoad},
    {"probe.memory", sizeof(tacrec_probeMemory), FIELDS(memory), lookMemory},
    {"probe.network", sizeof(tacrec_probeNetwork), FIELDS(network), lookNetwork},
    {"probe.switches", sizeof(tacrec_probeSwitches), FIELDS(switches), lookSwitches}};

static int look(tacrec_probe *probe, uint64_t now, bool first) {
    uint64_t elapsed = now - probe->time;
    probe->time = now;
    return kinds[probe->of - 1].look(probe, elapsed, first);
}

int tacrec_probeBegin(tacrec_probe *probe, tacrec_directory *directory, uint64_t now) {
    if (probe->of < TACREC_PROBE_LOAD || probe->of > TACREC_PROBE_SWITCHES) return EINVAL;
    const Kind *kind = &kinds[probe->of - 1];
    tacrec_layout layout = {.name = kind->name,
        .kind = TACREC_SIMPLE,
        .size = kind->size,
        .capacity = 1000,
        .fields = kind->fields,
        .fieldCount = (uint32_t) kind->fieldCount,
        .rate = {.period = probe->interval, .late = probe->interval}};
    bool seen = tacrec_add(directory, &probe->sensor, &layout);
    probe->value = 0;
    probe->above = false;
    memset(probe->before, 0, sizeof probe->before);
    memset(probe->processors, 0, sizeof probe->processors);
    int problem = look(probe, now, true);
    return problem || seen ? problem : ENOSPC;
}

int tacrec_probeLook(tacrec_probe *probe, uint64_t now) { return look(probe, now, false); }
