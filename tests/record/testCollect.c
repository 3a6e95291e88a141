/*
 * testCollect.c -- the collector reads what programs write, counts what it misses, and tells how they end.
 *
 * Rounds are made by the tests, one after the other, so that what each reads is known beforehand. Prints a line for
 * each test, "ok NAME" or "FAILED NAME: why"; the exit status is 1 if one failed. Arguments: a folder for files, which
 * is empty; elements that are written while the collector's thread runs.
 */
#define _GNU_SOURCE
#include "check.h"
#include "record/collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 1 << 20, ROOM = 16 << 20 };

static const char *top;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* A new folder; its name is valid until the next one is made. */
static const char *newFolder(void) {
    static char path[200];
    static int count;
    snprintf(path, sizeof path, "%s/%d", top, ++count);
    if (mkdir(path, 0700)) abort();
    return path;
}

static const tacrec_field fields[] = {{"value", TACREC_UNSIGNED, 0, 8}};

/* Concurrent ones have one ring, whatever processors the test runs on. */
static tacrec_layout layoutOf(const char *name, tacrec_kind kind, uint32_t capacity) {
    return (tacrec_layout){
        .name = name, .kind = kind, .size = 8, .capacity = capacity, .fields = fields, .fieldCount = 1, .rings = 1};
}

static void writeMany(tacrec_sensor *sensor, uint64_t from, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint64_t *place = (uint64_t *) tacrec_write(sensor);
        *place = from + i;
        tacrec_commit(sensor, place);
    }
}

/* A program with one sensor, in this process. */
typedef struct Program {
    tacrec_directory directory;
    tacrec_sensor sensor;
} Program;

static void beginProgram(Program *program, const char *folder, tacrec_kind kind, uint32_t capacity) {
    tacrec_layout layout = layoutOf("numbers", kind, capacity);
    if (tacrec_open(&program->directory, folder, "program", BYTES, 0)) abort();
    if (!tacrec_add(&program->directory, &program->sensor, &layout)) abort();
}

/* ---- a taker that keeps packets ---------------------------------------------------------------------------------- */

typedef struct Tape {
    uint8_t *bytes;
    size_t length;
    uint32_t refuse;   /* so many packets of elements to come */
    uint64_t elements; /* by the other way, one by one */
    uint64_t sum;
    uint64_t earliest, latest; /* times in nanoseconds */
    uint64_t begun;
} Tape;

static bool takePacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    Tape *tape = (Tape *) data;
    if (head->kind == TACREC_PACKET_ELEMENTS && tape->refuse) {
        tape->refuse--;
        return false;
    }
    if (tape->length + head->size > ROOM) abort();
    memcpy(tape->bytes + tape->length, bytes, head->size);
    tape->length += head->size;
    return true;
}

static void takeElement(
    void *data, const tacrec_collected *source, uint32_t sensor, uint64_t number, uint64_t time, const void *bytes) {
    Tape *tape = (Tape *) data;
    uint64_t value, at = tacrec_collectedTime(source, time);
    if (tacrec_collectedSensor(source, sensor)->size != sizeof value) return;
    memcpy(&value, bytes, sizeof value);
    tape->sum += value == number ? value : 1u << 30;
    if (!tape->elements || at < tape->earliest) tape->earliest = at;
    if (at > tape->latest) tape->latest = at;
    tape->elements++;
}

static void takeRound(void *data, uint64_t begun) { ((Tape *) data)->begun = begun; }

static tacrec_taker takerOf(Tape *tape) {
    memset(tape, 0, sizeof *tape);
    tape->bytes = (uint8_t *) malloc(ROOM);
    if (!tape->bytes) abort();
    return (tacrec_taker){takePacket, takeElement, takeRound, tape};
}

/* What a tape holds. */
typedef struct Found {
    uint32_t packets[8];     /* by kind */
    uint64_t elements, told; /* in packets; in LOST */
    uint32_t firstKind, lastKind, threads[4], threadCount;
    uint32_t how, status; /* of the last END */
    bool damaged;
} Found;

static Found look(const Tape *tape) {
    Found found;
    const uint8_t *at = tape->bytes, *end = tape->bytes + tape->length, *packetEnd;
    tacrec_packet packet;
    memset(&found, 0, sizeof found);
    for (const uint8_t *next; (next = tacrec_packetFind(at, end, &packet, &packetEnd)); at = packetEnd) {
        const uint8_t *body = next + TACREC_PACKET_HEAD;
        tacrec_sensorSaid said;
        uint64_t lost;
        if (next != at) found.damaged = true;
        if (packet.kind < 8) found.packets[packet.kind]++;
        if (!found.firstKind) found.firstKind = packet.kind;
        found.lastKind = packet.kind;
        if (packet.kind == TACREC_PACKET_ELEMENTS && packet.sequence != TACREC_REPEATED) found.elements += packet.count;
        memcpy(&lost, body, sizeof lost);
        if (packet.kind == TACREC_PACKET_LOST) found.told += lost;
        if (packet.kind == TACREC_PACKET_SENSOR && tacrec_packetSensor(next, &packet, &said) && said.thread
            && found.threadCount < 4)
            found.threads[found.threadCount++] = said.thread;
        if (packet.kind == TACREC_PACKET_END) {
            memcpy(&found.how, body, 4);
            memcpy(&found.status, body + 4, 4);
        }
    }
    if (at != end) found.damaged = true;
    return found;
}

/* ---- a collector of a folder, with a tape ------------------------------------------------------------------------ */

typedef struct Setting {
    tacrec_collector *collector;
    Tape tape;
} Setting;

static void begin(Setting *setting, const char *folder, const tacrec_collectOptions *options) {
    setting->collector = tacrec_collectorNew(options);
    tacrec_taker taker = takerOf(&setting->tape);
    if (!setting->collector || !tacrec_collectorTake(setting->collector, &taker)) abort();
    if (tacrec_collectorWatch(setting->collector, folder)) abort();
}

static void end(Setting *setting) {
    tacrec_collectorFree(setting->collector);
    free(setting->tape.bytes);
}

static tacrec_collectCount countOf(const Setting *setting) {
    tacrec_collectCount count;
    tacrec_collectorCount(setting->collector, &count);
    return count;
}

typedef struct Seen {
    uint32_t count;
    tacrec_sensorCount last;
} Seen;

static void see(void *data, const tacrec_sensorCount *count) {
    Seen *seen = (Seen *) data;
    seen->count++;
    seen->last = *count;
}

static Seen sensorsOf(const Setting *setting) {
    Seen seen;
    memset(&seen, 0, sizeof seen);
    tacrec_collectorSensors(setting->collector, see, &seen);
    return seen;
}

/* Runs a program that writes so many elements, and ends as `act` says. Returns its wait status. */
static int runProgram(const char *folder, uint64_t elements, void (*act)(Program *), pid_t *pid) {
    fflush(stdout);
    *pid = fork();
    if (!*pid) {
        static Program program;
        tacrec_layout layout = layoutOf("numbers", TACREC_CONCURRENT, 1024);
        if (setenv("TACTUS_RECORD", folder, 1)) _exit(99);
        if (tacrec_openDefault(&program.directory, NULL, BYTES)) _exit(98);
        if (!tacrec_add(&program.directory, &program.sensor, &layout)) _exit(97);
        writeMany(&program.sensor, 0, elements);
        act(&program);
        _exit(7);
    }
    int status = 0;
    if (*pid < 0 || waitpid(*pid, &status, 0) != *pid) abort();
    return status;
}

static void closeAll(Program *program) { tacrec_close(&program->directory, false); }
static void leaveAll(Program *program) { (void) program; }
static void killAll(Program *program) {
    (void) program;
    kill(getpid(), SIGKILL);
}
/* Is killed within an element, with another one behind it. */
static void killWithin(Program *program) {
    tacrec_write(&program->sensor);
    writeMany(&program->sensor, 1000, 1);
    kill(getpid(), SIGKILL);
}

/* ---- what programs write ----------------------------------------------------------------------------------------- */

/* A ring of 8 keeps 7: of 20 elements 13 are gone before the collector comes, and of 20 more another 13 are lost. */
static void testCounts(void) {
    static Program program;
    Setting setting;
    const char *folder = newFolder();
    beginProgram(&program, folder, TACREC_SIMPLE, 8);
    writeMany(&program.sensor, 0, 20);
    begin(&setting, folder, NULL);
    uint64_t first = tacrec_collectorRound(setting.collector);
    tacrec_collectCount one = countOf(&setting);
    CHECK("the oldest that is kept", first == 7 && one.elements == 7 && one.lost == 0, "%d, %d, %d", (int) first,
        (int) one.elements, (int) one.lost);
    writeMany(&program.sensor, 20, 20);
    uint64_t second = tacrec_collectorRound(setting.collector);
    tacrec_collectCount two = countOf(&setting);
    Seen seen = sensorsOf(&setting);
    CHECK("what was overwritten", second == 7 && two.elements == 14 && two.lost == 13, "%d, %d, %d", (int) second,
        (int) two.elements, (int) two.lost);
    CHECK("what is known of a sensor",
        seen.count == 1 && seen.last.before == 13 && seen.last.lost == 13 && seen.last.elements == 14
            && !strcmp(seen.last.said.name, "numbers") && !strcmp(seen.last.program, "program")
            && seen.last.pid == (uint32_t) getpid() && !seen.last.ended,
        "%d of %s", (int) seen.last.before, seen.last.program);
    /* 13 + ... + 19 and 33 + ... + 39 */
    CHECK("each element with its number", setting.tape.elements == 14 && setting.tape.sum == 7 * 16 + 7 * 36, "%d",
        (int) setting.tape.sum);
    tacrec_collectorStop(setting.collector);
    Found found = look(&setting.tape);
    CHECK("packets",
        !found.damaged && found.elements == 14 && found.firstKind == TACREC_PACKET_SOURCE
            && found.lastKind == TACREC_PACKET_END && found.how == TACREC_END_CLOSED && found.packets[2] == 1,
        "%d elements, first %d, last %d, end %d", (int) found.elements, (int) found.firstKind, (int) found.lastKind,
        (int) found.how);
    end(&setting);
    tacrec_close(&program.directory, false);
}

/* A ring that was empty when it was found: what is overwritten before its first element is read is lost, once. */
static void testFirstLost(void) {
    static Program program;
    Setting setting;
    const char *folder = newFolder();
    beginProgram(&program, folder, TACREC_SIMPLE, 8);
    begin(&setting, folder, NULL);
    tacrec_collectorRound(setting.collector);
    writeMany(&program.sensor, 0, 20);
    tacrec_collectorRound(setting.collector);
    tacrec_collectCount count = countOf(&setting);
    CHECK("lost before the first one", count.elements == 7 && count.lost == 13 && count.before == 0, "%d, %d, %d",
        (int) count.elements, (int) count.lost, (int) count.before);
    end(&setting);
    tacrec_close(&program.directory, false);
}

static void testTimes(void) {
    static Program program;
    Setting setting;
    const char *folder = newFolder();
    begin(&setting, folder, NULL);
    beginProgram(&program, folder, TACREC_SIMPLE, 64);
    uint64_t before = now();
    writeMany(&program.sensor, 0, 50);
    uint64_t after = now();
    tacrec_collectorRound(setting.collector);
    const Tape *tape = &setting.tape;
    /* The processor's counter is looked at without waiting for the instructions before: some 100 ns. */
    CHECK("times",
        tape->elements == 50 && tape->earliest + 1000 > before && tape->latest < after + 1000 && tape->begun >= after,
        "from %+lld ns to %+lld ns", (long long) (tape->earliest - before), (long long) (tape->latest - after));
    end(&setting);
    tacrec_close(&program.directory, false);
}

static void testOnlyNew(void) {
    static Program program, later;
    Setting setting;
    const tacrec_collectOptions options = {.flags = TACREC_COLLECT_NEW};
    const char *folder = newFolder();
    beginProgram(&program, folder, TACREC_SIMPLE, 64);
    writeMany(&program.sensor, 0, 10);
    begin(&setting, folder, &options);
    tacrec_collectorRound(setting.collector);
    writeMany(&program.sensor, 10, 3);
    beginProgram(&later, folder, TACREC_CONCURRENT, 64);
    writeMany(&later.sensor, 0, 5);
    tacrec_collectorRound(setting.collector);
    CHECK("only what is new", setting.tape.elements == 8 && setting.tape.sum == 10 + 11 + 12 + 10, "%d, %d",
        (int) setting.tape.elements, (int) setting.tape.sum);
    end(&setting);
    tacrec_close(&program.directory, false);
    tacrec_close(&later.directory, false);
}

static void testThreads(void) {
    static tacrec_directory directory;
    static tacrec_threads threads;
    static tacrec_sensor one, two, three;
    Setting setting;
    const char *folder = newFolder();
    tacrec_layout layout = layoutOf("rings", TACREC_PER_THREAD, 16);
    if (tacrec_open(&directory, folder, "threads", BYTES, 0)) abort();
    if (!tacrec_addThreads(&directory, &threads, &layout, 2)) abort();
    begin(&setting, folder, NULL);
    tacrec_attach(&threads, &one, 11);
    writeMany(&one, 0, 1);
    tacrec_attach(&threads, &two, 12);
    writeMany(&two, 0, 2);
    tacrec_collectorRound(setting.collector);
    tacrec_remove(&one);
    tacrec_attach(&threads, &three, 13);
    writeMany(&three, 1, 2);
    tacrec_collectorRound(setting.collector);
    tacrec_collectorStop(setting.collector);
    Found found = look(&setting.tape);
    CHECK("threads of rings",
        found.threadCount == 3 && found.threads[0] == 11 && found.threads[1] == 12 && found.threads[2] == 13
            && found.elements == 5,
        "%d threads: %d %d %d", (int) found.threadCount, (int) found.threads[0], (int) found.threads[1],
        (int) found.threads[2]);
    end(&setting);
    tacrec_close(&directory, false);
}

static uint32_t here; /* the processor that everything runs on */
static uint32_t processorHere(void *data) {
    (void) data;
    return here;
}

/*
 * Of three processors the second writes nothing until the end: its ring is no sensor before that. Of 20 elements that
 * the third one writes into a ring of 8, 12 are lost. Nothing was written into the idle sensor, which is one all the
 * same: its first ring.
 */
static void testParts(void) {
    static tacrec_directory directory;
    static tacrec_sensor sensor, idle;
    Setting setting;
    const char *folder = newFolder();
    tacrec_layout layout = layoutOf("parts", TACREC_CONCURRENT, 8), other = layoutOf("idle", TACREC_CONCURRENT, 8);
    layout.rings = other.rings = 3;
    if (tacrec_open(&directory, folder, "parts", BYTES, 0)) abort();
    directory.hooks.processor = processorHere;
    directory.hooks.processors = 3;
    if (!tacrec_add(&directory, &sensor, &layout) || !tacrec_add(&directory, &idle, &other)) abort();
    begin(&setting, folder, NULL);
    here = 0;
    writeMany(&sensor, 0, 3);
    tacrec_collectorRound(setting.collector);
    here = 2;
    writeMany(&sensor, 0, 20);
    tacrec_collectorRound(setting.collector);
    tacrec_collectCount before = countOf(&setting);
    here = 1;
    writeMany(&sensor, 0, 2);
    tacrec_collectorRound(setting.collector);
    tacrec_collectCount count = countOf(&setting);
    /* 0 + 1 + 2, 12 + .. + 19, 0 + 1; each value is its number in the ring */
    CHECK("rings of processors",
        before.sensors == 3 && count.sensors == 4 && count.elements == 13 && count.lost == 12
            && setting.tape.sum == 3 + 124 + 1,
        "%d sensors, then %d, %d elements, %d lost, sum %d", (int) before.sensors, (int) count.sensors,
        (int) count.elements, (int) count.lost, (int) setting.tape.sum);
    end(&setting);
    tacrec_close(&directory, false);
}

/* An element that is begun holds up those behind it until its time is over. */
static void testHeld(void) {
    static Program program;
    Setting patient, hasty;
    const tacrec_collectOptions hour = {.held = 3600000000000u}, none = {.held = 1};
    const char *folder = newFolder();
    beginProgram(&program, folder, TACREC_CONCURRENT, 64);
    begin(&patient, folder, &hour);
    begin(&hasty, folder, &none);
    void *held = tacrec_write(&program.sensor);
    *(uint64_t *) held = 0;
    writeMany(&program.sensor, 1, 3);
    tacrec_collectorRound(patient.collector);
    tacrec_collectorRound(hasty.collector);                   /* notices it */
    while (!tacrec_collectorRound(hasty.collector)) continue; /* some nanoseconds later */
    CHECK("an element that is held", patient.tape.elements == 0 && hasty.tape.elements == 3, "%d, %d",
        (int) patient.tape.elements, (int) hasty.tape.elements);
    CHECK("a held one is lost", countOf(&hasty).lost == 1, "%d", (int) countOf(&hasty).lost);
    tacrec_commit(&program.sensor, held);
    tacrec_collectorRound(patient.collector);
    CHECK("one that was held", patient.tape.elements == 4 && countOf(&patient).lost == 0, "%d",
        (int) patient.tape.elements);
    end(&patient);
    end(&hasty);
    tacrec_close(&program.directory, false);
}

/* ---- how programs end -------------------------------------------------------------------------------------------- */

static void testEnds(void) {
    const struct {
        const char *name;
        void (*act)(Program *);
        uint64_t elements, lost;
        bool remove, stays;
        tacrec_endKind how;
    } cases[] = {{"a program that closes", closeAll, 100, 0, false, true, TACREC_END_CLOSED},
        {"a program that ends", leaveAll, 100, 0, false, true, TACREC_END_GONE},
        {"a program that is killed", killAll, 100, 0, false, true, TACREC_END_GONE},
        {"killed within an element", killWithin, 101, 1, false, true, TACREC_END_GONE},
        {"its file is removed", closeAll, 100, 0, true, false, TACREC_END_CLOSED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Setting setting;
        pid_t pid;
        const char *folder = newFolder();
        const tacrec_collectOptions options = {.flags = cases[i].remove ? TACREC_COLLECT_REMOVE : 0};
        begin(&setting, folder, &options);
        runProgram(folder, 100, cases[i].act, &pid);
        tacrec_collectorRound(setting.collector);
        tacrec_collectCount count = countOf(&setting);
        Found found = look(&setting.tape);
        DIR *list = opendir(folder);
        int files = 0;
        while (list && readdir(list)) files++;
        closedir(list);
        CHECK(cases[i].name,
            count.elements == cases[i].elements && count.lost == cases[i].lost && count.running == 0
                && count.sources == 1 && found.how == cases[i].how && found.elements == cases[i].elements
                && files == 2 + cases[i].stays,
            "%d elements, %d lost, %d running, end %d, %d files", (int) count.elements, (int) count.lost,
            (int) count.running, (int) found.how, files - 2);
        end(&setting);
    }
}

/* The status is told after the collector could have seen that the process is gone. */
static void testStatus(void) {
    Setting setting;
    const char *folder = newFolder();
    begin(&setting, folder, NULL);
    fflush(stdout);
    int gate[2];
    if (pipe(gate)) abort();
    pid_t pid = fork();
    if (!pid) {
        char byte;
        static Program program;
        close(gate[1]);
        if (read(gate[0], &byte, 1) != 0) _exit(1); /* until the parent expects it */
        beginProgram(&program, folder, TACREC_SIMPLE, 64);
        writeMany(&program.sensor, 0, 5);
        _exit(7);
    }
    int status;
    tacrec_collectorExpect(setting.collector, (uint32_t) pid);
    close(gate[0]);
    close(gate[1]);
    waitpid(pid, &status, 0);
    tacrec_collectorRound(setting.collector);
    tacrec_collectCount before = countOf(&setting);
    tacrec_collectorEnded(setting.collector, (uint32_t) pid, TACREC_END_EXITED, 7);
    tacrec_collectorRound(setting.collector);
    Found found = look(&setting.tape);
    CHECK("an exit status",
        before.running == 1 && before.elements == 5 && countOf(&setting).running == 0 && found.how == TACREC_END_EXITED
            && found.status == 7,
        "%d running, end %d, status %d", (int) before.running, (int) found.how, (int) found.status);
    end(&setting);
}

static void testRemoved(void) {
    static Program program;
    Setting setting;
    const char *folder = newFolder();
    beginProgram(&program, folder, TACREC_SIMPLE, 64);
    begin(&setting, folder, NULL);
    writeMany(&program.sensor, 0, 3);
    tacrec_collectorRound(setting.collector);
    writeMany(&program.sensor, 3, 2);
    tacrec_close(&program.directory, false);
    tacrec_collectorRound(setting.collector);
    Found found = look(&setting.tape);
    CHECK("a directory that is removed",
        countOf(&setting).running == 0 && found.elements == 5 && found.how == TACREC_END_CLOSED, "%d elements, end %d",
        (int) found.elements, (int) found.how);
    end(&setting);
}

/* 256 sources that have ended are kept; what the others were is still counted. */
static void testForget(void) {
    Setting setting;
    const char *folder = newFolder();
    begin(&setting, folder, NULL);
    for (int i = 0; i < 260; i++) {
        static Program program;
        tacrec_layout layout = layoutOf("numbers", TACREC_SIMPLE, 8);
        if (tacrec_open(&program.directory, folder, "short", 1 << 16, 0)) abort();
        tacrec_add(&program.directory, &program.sensor, &layout);
        writeMany(&program.sensor, 0, 2);
        tacrec_collectorRound(setting.collector);
        tacrec_close(&program.directory, false);
    }
    tacrec_collectorRound(setting.collector);
    tacrec_collectCount count = countOf(&setting);
    CHECK("sources that are forgotten",
        count.sources == 260 && count.elements == 520 && count.sensors == 260 && sensorsOf(&setting).count == 256,
        "%d sources, %d elements, %d sensors", (int) count.sources, (int) count.elements,
        (int) sensorsOf(&setting).count);
    end(&setting);
}

/* ---- takers ------------------------------------------------------------------------------------------------------ */

static void testRefused(void) {
    static Program program;
    Setting setting;
    const tacrec_collectOptions options = {.gather = 1};
    const char *folder = newFolder();
    beginProgram(&program, folder, TACREC_SIMPLE, 64);
    begin(&setting, folder, &options);
    setting.tape.refuse = 2;
    for (int i = 0; i < 3; i++) {
        writeMany(&program.sensor, (uint64_t) i * 10, 10);
        tacrec_collectorRound(setting.collector);
    }
    tacrec_collectorStop(setting.collector);
    tacrec_collectCount count = countOf(&setting);
    Found found = look(&setting.tape);
    CHECK("packets that are refused", count.refused == 20 && found.told == 20 && found.elements == 10,
        "%d refused, %d told, %d there", (int) count.refused, (int) found.told, (int) found.elements);
    end(&setting);
}

static void testLateTaker(void) {
    static Program program;
    Setting setting;
    Tape late;
    const char *folder = newFolder();
    beginProgram(&program, folder, TACREC_SIMPLE, 64);
    begin(&setting, folder, NULL);
    writeMany(&program.sensor, 0, 10);
    tacrec_collectorRound(setting.collector);
    tacrec_taker taker = takerOf(&late);
    tacrec_collectorTake(setting.collector, &taker);
    writeMany(&program.sensor, 10, 5);
    tacrec_collectorRound(setting.collector);
    tacrec_collectorLeave(setting.collector, &late);
    writeMany(&program.sensor, 15, 5);
    tacrec_collectorRound(setting.collector);
    tacrec_collectorStop(setting.collector);
    Found first = look(&setting.tape), second = look(&late);
    CHECK("a taker that comes later",
        first.elements == 20 && second.elements == 5 && second.firstKind == TACREC_PACKET_SOURCE
            && second.packets[TACREC_PACKET_SENSOR] == 1 && !second.packets[TACREC_PACKET_END],
        "%d, %d elements, first %d", (int) first.elements, (int) second.elements, (int) second.firstKind);
    free(late.bytes);
    end(&setting);
}

/* ---- other sources ----------------------------------------------------------------------------------------------- */

typedef struct Counter {
    uint32_t rounds;
    bool freed, ended;
} Counter;

/* Numbers 0, 1, 3, 4, 6 ...: one of three is missing. */
static bool countRound(void *data, tacrec_collected *source) {
    Counter *counter = (Counter *) data;
    uint64_t value = counter->rounds * 3;
    tacrec_collectElement(source, 5, value, now(), &value);
    value++;
    tacrec_collectElement(source, 5, value, now(), &value);
    return ++counter->rounds < 4;
}
static void countEnd(void *data, tacrec_collected *source) {
    (void) source;
    ((Counter *) data)->ended = true;
}
static void countFree(void *data) { ((Counter *) data)->freed = true; }

static void testOther(void) {
    Setting setting;
    Counter counter = {0, false, false};
    static const tacrec_sourceClass calls = {countRound, countEnd, countFree};
    tacrec_source said;
    tacrec_sensorSaid sensor;
    memset(&said, 0, sizeof said);
    memset(&sensor, 0, sizeof sensor);
    said.kind = TACREC_SOURCE_KERNEL;
    tacrec_collectHere(&said);
    sensor.kind = TACREC_CONCURRENT;
    sensor.size = 8;
    strcpy(sensor.name, "kernel:count");
    begin(&setting, newFolder(), NULL);
    tacrec_collected *source = tacrec_collectorAdd(setting.collector, &said, &calls, &counter);
    bool described = tacrec_collectSensor(source, 5, &sensor);
    for (int i = 0; i < 6; i++) tacrec_collectorRound(setting.collector);
    tacrec_collectCount count = countOf(&setting);
    CHECK("another source",
        described && counter.rounds == 4 && counter.freed && !counter.ended && count.elements == 8 && count.lost == 3
            && count.running == 0 && said.processors > 0 && said.machine[0],
        "%d rounds, %d elements, %d lost", (int) counter.rounds, (int) count.elements, (int) count.lost);
    counter = (Counter){0, false, false};
    tacrec_collectorAdd(setting.collector, &said, &calls, &counter);
    tacrec_collectorStop(setting.collector);
    CHECK("a source that is stopped", counter.ended && counter.freed && counter.rounds == 1, "%d rounds",
        (int) counter.rounds);
    end(&setting);
}

/* ---- what is no directory ---------------------------------------------------------------------------------------- */

static void putFile(const char *folder, const char *name, const void *bytes, size_t length, mode_t mode) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, bytes, length) != (ssize_t) length || fchmod(file, mode)) abort();
    close(file);
}

static void testNoDirectories(void) {
    Setting setting;
    char text[400], zeros[8192];
    const char *folder = newFolder();
    memset(zeros, 0, sizeof zeros);
    putFile(folder, "empty.tacrec", "", 0, 0600);
    putFile(folder, "zeros.tacrec", zeros, sizeof zeros, 0600);
    putFile(folder, "open.tacrec", zeros, sizeof zeros, 0666);
    putFile(folder, "other.txt", zeros, sizeof zeros, 0666);
    begin(&setting, folder, NULL);
    for (int i = 0; i < 3; i++) tacrec_collectorRound(setting.collector);
    bool one = tacrec_collectorRemark(setting.collector, text, sizeof text);
    bool two = tacrec_collectorRemark(setting.collector, zeros, sizeof zeros);
    CHECK("what is no directory", one && !two && strstr(text, "open.tacrec") && countOf(&setting).sources == 0,
        "%d %d %s", one, two, text);
    CHECK("no folder", tacrec_collectorWatch(setting.collector, "/nowhere/at/all") == ENOENT, "it is there");
    char path[300];
    snprintf(path, sizeof path, "%s/zeros.tacrec", folder);
    CHECK("a file that is no directory", tacrec_collectorWatch(setting.collector, path) == EINVAL, "it is one");
    end(&setting);
}

/* A program that writes anything anywhere in its directory: nothing is read outside of it, and each round ends. */
static void testScribbled(void) {
    Setting setting;
    const char *folder = newFolder();
    uint64_t random = 88172645463325252u;
    begin(&setting, folder, NULL);
    setting.tape.refuse = UINT32_MAX;
    for (int i = 0; i < 200; i++) {
        static Program program;
        if (tacrec_open(&program.directory, folder, "wild", 1 << 16, 0)) abort();
        tacrec_layout layout = layoutOf("numbers", i & 1 ? TACREC_SIMPLE : TACREC_CONCURRENT, 16);
        tacrec_add(&program.directory, &program.sensor, &layout);
        writeMany(&program.sensor, 0, 3);
        uint8_t *bytes = (uint8_t *) program.directory.head;
        size_t begun = 24 + (size_t) (i % 3) * 1200; /* behind the magic word, version and sizes */
        for (int k = 0; k < 40; k++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            bytes[begun + random % 4000] = (uint8_t) (random >> 32);
            if (k % 8 == 0) tacrec_collectorRound(setting.collector);
        }
        unlink(program.directory.path);
        program.directory.head->size = 1 << 16;
        tacrec_close(&program.directory, true);
        tacrec_collectorRound(setting.collector);
        setting.tape.length = 0;
    }
    CHECK("directories that are scribbled over", countOf(&setting).sources == 200 && countOf(&setting).running == 0,
        "%d sources", (int) countOf(&setting).sources);
    end(&setting);
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static void testThread(uint64_t elements) {
    static Program program;
    Setting setting;
    const tacrec_collectOptions options = {.period = 100000};
    const char *folder = newFolder();
    begin(&setting, folder, &options);
    int problem = tacrec_collectorStart(setting.collector);
    beginProgram(&program, folder, TACREC_SIMPLE, 1024);
    /* Each quarter of the ring waits until the collector has begun to read; so it begins with the first. */
    writeMany(&program.sensor, 0, 1);
    while (countOf(&setting).elements == 0) sched_yield();
    writeMany(&program.sensor, 1, elements - 1);
    tacrec_collectorStop(setting.collector);
    tacrec_collectCount count = countOf(&setting);
    Found found = look(&setting.tape);
    CHECK("a thread",
        !problem && count.elements + count.lost == elements && found.elements == count.elements
            && setting.tape.elements == count.elements && !found.damaged,
        "%d read, %d lost of %d", (int) count.elements, (int) count.lost, (int) elements);
    end(&setting);
    tacrec_close(&program.directory, false);
}

/* ---- pace -------------------------------------------------------------------------------------------------------- */

typedef struct Burst { /* of elements in each round */
    Program *program;
    uint64_t written;
    uint32_t rounds;
} Burst;

static void writeBurst(void *data, uint64_t begun) {
    Burst *burst = (Burst *) data;
    (void) begun;
    writeMany(&burst->program->sensor, burst->written, 8);
    burst->written += 8;
    __atomic_fetch_add(&burst->rounds, 1u, __ATOMIC_RELEASE);
}

/* Half of a ring is written between any two rounds, of which there are at least two in a period: 12 rounds take less
 * than 6 periods, with 5 to spare they take less than 11. */
static void testPace(void) {
    static Program program;
    Setting setting;
    const tacrec_collectOptions options = {.period = 200000000};
    Burst burst = {&program, 0, 0};
    tacrec_taker taker = {.round = writeBurst, .data = &burst};
    tacrec_hooks hooks;
    const char *folder = newFolder();
    beginProgram(&program, folder, TACREC_SIMPLE, 16);
    begin(&setting, folder, &options);
    tacrec_bestClock(&hooks);
    uint64_t begun = hooks.now(hooks.data);
    bool fine = tacrec_collectorTake(setting.collector, &taker) && !tacrec_collectorStart(setting.collector);
    while (fine && __atomic_load_n(&burst.rounds, __ATOMIC_ACQUIRE) < 12) sched_yield();
    uint64_t took = hooks.now(hooks.data) - begun;
    tacrec_collectorStop(setting.collector);
    tacrec_collectCount count = countOf(&setting);
    CHECK("more rounds while rings fill fast",
        fine && took < 11 * options.period && count.elements == burst.written && count.lost == 0,
        "12 rounds in %d ms, %d read, %d lost of %d", (int) (took / 1000000), (int) count.elements, (int) count.lost,
        (int) burst.written);
    end(&setting);
    tacrec_close(&program.directory, false);
}

/* ---- lasting elements -------------------------------------------------------------------------------------------- */

/* Sums up what is written once more. */
static bool sumRepeated(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    (void) bytes;
    if (head->sequence == TACREC_REPEATED) *(uint64_t *) data += head->count;
    return true;
}

/* Twenty sensors of one source with 100 MB of elements that are to last: 64 MB in all are kept, with their numbers and
 * times. */
static void testManyLasting(void) {
    static const tacrec_source source = {.kind = TACREC_SOURCE_PROGRAM};
    const tacrec_sensorSaid said = {
        .kind = TACREC_CONCURRENT, .size = TACREC_ELEMENT, .flags = TACREC_SENSOR_LASTING, .name = "lasting"};
    const uint64_t most = (64 << 20) / (16 + TACREC_ELEMENT);
    uint64_t ignored = 0, repeated = 0;
    uint8_t element[TACREC_ELEMENT] = {0};
    tacrec_writer *writer = tacrec_writerNew(&source, 1, sumRepeated, &ignored);
    bool fine = writer != NULL;
    for (uint32_t k = 0; fine && k < 20; k++) {
        fine = tacrec_writerSensor(writer, k, &said);
        for (uint64_t n = 0; fine && n < 20000; n++) fine = tacrec_writerElement(writer, k, n, n, element);
    }
    if (fine) tacrec_writerDescribe(writer, sumRepeated, &repeated);
    tacrec_writerFree(writer);
    CHECK("lasting elements of many sensors", fine && repeated == most && ignored == 0, "%llu",
        (unsigned long long) repeated);
}

int main(int argc, char **argv) {
    top = argc > 1 ? argv[1] : "/tmp";
    testCounts();
    testFirstLost();
    testTimes();
    testOnlyNew();
    testThreads();
    testParts();
    testHeld();
    testEnds();
    testStatus();
    testRemoved();
    testForget();
    testRefused();
    testLateTaker();
    testOther();
    testNoDirectories();
    testScribbled();
    testPace();
    testManyLasting();
    testThread(argc > 2 ? strtoull(argv[2], NULL, 10) : 300000);
    return failures > 0;
}
