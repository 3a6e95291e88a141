/*
 * testKernel.c -- events of the kernel are captured: none is missing or told twice, and nothing is left behind.
 *
 * Two threads take turns on one processor, so that the number of switches is known; what the kernel itself counts
 * (per_cpu/cpuN/stats) is compared with what was handed on. Prints a line for each test, "ok NAME", "FAILED NAME: why",
 * or "skipped: why" where the kernel must not be recorded; the exit status is 1 if one failed.
 *
 *      testKernel                          the tests
 *      testKernel FILE COMMAND ...         runs the command and records the kernel meanwhile into a file of packets
 *      testKernel FILE                     makes such a file of events in lines:
 *                                          TIME PROCESSOR PID EVENT {TAB NAME TYPE SIZE VALUE}
 *                                          with the type u (number), i (number with a sign) or t (text); and of what
 *                                          a program said of its tasks and jobs:
 *                                          TIME 0 0 object TAB ID KIND OF THREAD PERIOD DEADLINE NAME
 *                                          TIME 0 0 said TAB CODE OBJECT TASK NUMBER VALUE
 *                                          A first line "0 0 PID recorder" is the process that has recorded.
 */
#define _GNU_SOURCE
#include "check.h"
#include "record/collect.h"
#include "record/kernel.h"
#include "record/tactusrec_trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 2000, PROCESSORS = 1024, NAME_AT = 8 };

static const char folder[] = "/sys/kernel/tracing/instances";

/* ---- work that the kernel tells of ------------------------------------------------------------------------------- */

static int ping[2], pong[2];
static pid_t answers; /* the thread that does */

static void pinTo(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void *answer(void *arg) {
    char byte;
    (void) arg;
    pinTo(0);
    answers = gettid();
    while (read(ping[0], &byte, 1) == 1)
        if (write(pong[1], &byte, 1) != 1) break;
    return NULL;
}

/* Lets two threads wait for each other TURNS times, on one processor: each turn is a switch there and one back. Calls
 * half, if there is one, when half of the turns are over. */
static void takeTurns(void (*half)(void *data), void *data) {
    pthread_t thread;
    char byte = 0;
    pinTo(0);
    if (pipe(ping) || pipe(pong) || pthread_create(&thread, NULL, answer, NULL)) abort();
    for (int i = 0; i < TURNS; i++) {
        if (write(ping[1], &byte, 1) != 1 || read(pong[0], &byte, 1) != 1) abort();
        if (half && i == TURNS / 2) half(data);
    }
    close(ping[1]);
    pthread_join(thread, NULL);
    close(ping[0]), close(pong[0]), close(pong[1]);
}

/* Writes a mark, which the kernel copies into all instances since Linux 6.14. It returns an error where only the main
 * one does not record. */
static void writeMark(const char *text) {
    int file = open("/sys/kernel/tracing/trace_marker", O_WRONLY);
    if (file < 0) return;
    ssize_t written = write(file, text, strlen(text));
    (void) written;
    close(file);
}

/* ---- what is handed on ------------------------------------------------------------------------------------------- */

typedef struct Seen {
    tacCapture *capture;
    uint64_t elements, unordered, broken, gaps, misnumbered, lost;
    uint64_t last;                  /* time */
    uint64_t count[PROCESSORS];     /* elements of each sensor */
    uint32_t expected[PROCESSORS];  /* by processor: number of the next event */
    int32_t running[PROCESSORS];    /* by processor: thread that was switched to; -1: not known */
    uint64_t turns;                 /* switches to the thread that answers */
    char mark[4096], longest[4096]; /* the one at hand, the longest one */
    uint32_t markLength;            /* of the longest */
    bool self;                      /* this thread was told of */
} Seen;

static uint32_t word(const uint8_t *at) {
    uint32_t value;
    return memcpy(&value, at, 4), value;
}
static uint16_t half(const uint8_t *at) {
    uint16_t value;
    return memcpy(&value, at, 2), value;
}

/* A field of the element; NULL: it has none of this name. */
static const uint8_t *fieldOf(const tacrec_sensorSaid *said, const char *name, const uint8_t *element) {
    for (uint32_t i = 0; i < said->fieldCount; i++)
        if (!strcmp(said->fields[i].name, name)) return element + said->fields[i].offset;
    return NULL;
}

/* A machine may keep the kernel from telling of some threads, so only our two must be left by a switch from them. */
static void seeSwitch(Seen *s, const tacrec_sensorSaid *said, const uint8_t *e, uint16_t processor) {
    int32_t previous = (int32_t) word(fieldOf(said, "prev_pid", e));
    int32_t *running = &s->running[processor];
    bool ours = *running == getpid() || *running == answers;
    if (ours && *running != previous) s->broken++;
    if ((int32_t) word(e + 4) != previous) s->broken++;
    *running = (int32_t) word(fieldOf(said, "next_pid", e));
    s->turns += *running == answers;
}

static void seePiece(Seen *s, const uint8_t *e) {
    uint32_t at = half(e + 10), length = half(e + 12), size = length - at < 50 ? length - at : 50;
    if (length > sizeof s->mark || at > length) return;
    memcpy(s->mark + at, e + 14, size);
    if (at + size < length || length < s->markLength) return;
    memcpy(s->longest, s->mark, length);
    s->markLength = length;
}

static bool see(void *data, uint32_t sensor, uint64_t number, uint64_t time, const void *bytes) {
    Seen *s = data;
    const tacrec_sensorSaid *said = tacCaptureSensor(s->capture, sensor);
    const uint8_t *e = bytes;
    s->elements++;
    if (number != s->count[sensor]++) s->misnumbered++;
    if (!strcmp(said->name, "kernel:thread")) {
        s->self |= (pid_t) word(e) == gettid() && (pid_t) word(e + 4) == getpid()
            && !strncmp((const char *) e + NAME_AT, "testKernel", 16);
        return true;
    }
    if (time < s->last) s->unordered++;
    s->last = time;
    uint16_t processor = half(e + 8);
    if (processor >= PROCESSORS) return s->broken++, true;
    uint32_t event = word(e), *expected = &s->expected[processor];
    if (!strcmp(said->name, "kernel:lost")) {
        uint32_t count = word(e + 12);
        if (event != *expected) s->gaps++;
        *expected = event + (count ? count : 1);
        s->lost += count;
        s->running[processor] = -1;
        return true;
    }
    bool piece = !strcmp(said->name, "kernel:print");
    if (event != *expected && !(piece && half(e + 10) && event + 1 == *expected)) s->gaps++;
    *expected = event + 1;
    if (piece) seePiece(s, e);
    if (!strcmp(said->name, "kernel:sched_switch")) seeSwitch(s, said, e, processor);
    return true;
}

static Seen *newSeen(tacCapture *capture) {
    Seen *s = calloc(1, sizeof *s);
    if (!s) abort();
    s->capture = capture;
    for (int i = 0; i < PROCESSORS; i++) s->running[i] = -1;
    return s;
}

static void readNow(void *data) {
    Seen *s = data;
    tacCaptureRead(s->capture, see, s);
}

/* ---- instances --------------------------------------------------------------------------------------------------- */

/* Instances of a process, or of all recorders that are called as it calls them (pid 0); name of the last one. */
static int instancesOf(pid_t pid, char name[256]) {
    char begin[32];
    int count = 0;
    snprintf(begin, sizeof begin, pid ? "tactus-%d-" : "tactus-", (int) pid);
    DIR *all = opendir(folder);
    for (struct dirent *entry; all && (entry = readdir(all));) {
        if (strncmp(entry->d_name, begin, strlen(begin)) != 0) continue;
        snprintf(name, 256, "%s", entry->d_name);
        count++;
    }
    if (all) closedir(all);
    return count;
}

/* Sum over all processors of what the kernel counts in this process's instance; "overrun", "read events". */
static uint64_t kernelCounts(const char *what) {
    char name[256], path[600], line[200];
    uint64_t sum = 0;
    if (instancesOf(getpid(), name) != 1) return UINT64_MAX;
    for (int i = 0; i < sysconf(_SC_NPROCESSORS_CONF); i++) {
        snprintf(path, sizeof path, "%s/%s/per_cpu/cpu%d/stats", folder, name, i);
        FILE *file = fopen(path, "r");
        while (file && fgets(line, sizeof line, file)) {
            size_t length = strlen(what);
            if (!strncmp(line, what, length) && line[length] == ':') sum += strtoull(line + length + 1, NULL, 10);
        }
        if (file) fclose(file);
    }
    return sum;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void testEvents(void) {
    tacCapture *capture;
    tacCaptureProblem problem;
    char text[301];
    memset(text, 'x', 300);
    memcpy(text, "begin", 5);
    memcpy(text + 295, "ended", 6);
    if (!tacCaptureBegin(NULL, &capture, &problem)) {
        CHECK("it begins", false, "%s", problem.message);
        return;
    }
    Seen *s = newSeen(capture);
    takeTurns(readNow, s); /* what is read later must follow what was read then */
    writeMark(text);
    tacCaptureStop(capture);
    tacCaptureRead(capture, see, s);
    tacCaptureCounts counts = tacCaptureCount(capture);
    CHECK("each in its order", s->unordered == 0, "%llu of %llu", (unsigned long long) s->unordered,
        (unsigned long long) s->elements);
    CHECK("each processor's events without a gap", s->gaps == 0 && s->misnumbered == 0 && s->lost == 0,
        "%llu gaps, %llu lost", (unsigned long long) s->gaps, (unsigned long long) s->lost);
    CHECK("each switch from the thread of the one before", s->broken == 0, "%llu", (unsigned long long) s->broken);
    /* Each turn switches to the thread that answers; when it begins and ends there may be more. */
    CHECK("as many switches as turns", s->turns >= TURNS && s->turns < TURNS + TURNS / 2, "%llu",
        (unsigned long long) s->turns);
    CHECK("threads that were there", s->self, "this one is missing");
    if (!s->markLength) printf("skipped: marks do not come here before Linux 6.14\n");
    else
        CHECK("a long mark", s->markLength == 300 && !memcmp(s->longest, text, 300), "%u bytes: %.20s", s->markLength,
            s->longest);
    CHECK("as many as the kernel has counted", counts.events == kernelCounts("read events") && counts.lost == 0,
        "%llu, %llu", (unsigned long long) counts.events, (unsigned long long) kernelCounts("read events"));
    tacCaptureFree(capture);
    free(s);
}

static void testLost(void) {
    const tacCaptureOptions small = {"-irq:*,-irq_vectors:*", 16384};
    tacCapture *capture;
    tacCaptureProblem problem;
    if (!tacCaptureBegin(&small, &capture, &problem)) {
        CHECK("with small buffers", false, "%s", problem.message);
        return;
    }
    Seen *s = newSeen(capture);
    takeTurns(NULL, NULL);
    tacCaptureStop(capture);
    tacCaptureRead(capture, see, s);
    tacCaptureCounts counts = tacCaptureCount(capture);
    /* On a page that is full up to its end the kernel only says that events were lost before it; there may be no other
     * gap. */
    uint64_t all = kernelCounts("overrun");
    bool exact = counts.unknown ? counts.lost < all : counts.lost == all;
    CHECK("what was overwritten is counted", counts.lost + counts.unknown > 0 && exact && s->lost == counts.lost,
        "%llu (unknown at %llu places), %llu told, the kernel has %llu", (unsigned long long) counts.lost,
        (unsigned long long) counts.unknown, (unsigned long long) s->lost, (unsigned long long) all);
    CHECK("numbers go on behind it", s->gaps == 0, "%llu", (unsigned long long) s->gaps);
    tacCaptureFree(capture);
    free(s);
}

static void testPatterns(void) {
    static const struct {
        const char *events, *code;
    } wrong[] = {{"sched:no_such_event", "LOOKUP EVENT"}, {",", "LOOKUP EVENT"}};
    tacCapture *capture;
    tacCaptureProblem problem;
    char name[256];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const tacCaptureOptions options = {wrong[i].events, 0};
        bool begun = tacCaptureBegin(&options, &capture, &problem);
        CHECK("a wrong pattern", !begun && !capture && !strcmp(problem.code, wrong[i].code), "%s",
            begun ? "it begins" : problem.code);
        tacCaptureFree(capture);
    }
    const tacCaptureOptions one = {"-*:*,sched:sched_switch", 0};
    if (tacCaptureBegin(&one, &capture, &problem)) {
        CHECK("only what is chosen",
            tacCaptureSensors(capture) == 4 && !strcmp(tacCaptureSensor(capture, 3)->name, "kernel:sched_switch"),
            "%u sensors", tacCaptureSensors(capture));
        tacCaptureFree(capture);
    } else CHECK("only what is chosen", false, "%s", problem.message);
    CHECK("nothing is left behind", instancesOf(getpid(), name) == 0, "%s", name);
}

/* A recorder is killed: its buffers are given up at once, and its instance goes with the next recording. */
static void testKilled(void) {
    tacCapture *capture;
    tacCaptureProblem problem;
    char name[256], path[600], byte;
    long size = -1;
    int ready[2], status;
    if (pipe(ready)) abort();
    pid_t child = fork();
    if (child == 0) {
        byte = tacCaptureBegin(NULL, &capture, &problem);
        if (write(ready[1], &byte, 1) == 1) pause();
        _exit(1);
    }
    bool begun = read(ready[0], &byte, 1) == 1 && byte;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    int left = instancesOf(child, name);
    snprintf(path, sizeof path, "%s/%s/buffer_total_size_kb", folder, name);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%ld", &size) != 1) size = -1;
    if (file) fclose(file);
    CHECK("buffers of one that is killed", begun && left == 1 && size >= 0 && size < 1024, "%d left, of %ld KB", left,
        size);
    bool again = tacCaptureBegin(NULL, &capture, &problem);
    CHECK("its instance goes", again && instancesOf(child, name) == 0, "%s", again ? name : problem.message);
    tacCaptureFree(capture);
    close(ready[0]), close(ready[1]);
}

/* ---- a recording ------------------------------------------------------------------------------------------------- */

static bool takePacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    return fwrite(bytes, 1, head->size, data) == head->size;
}

static bool takeElement(void *data, uint32_t sensor, uint64_t number, uint64_t time, const void *bytes) {
    return tacrec_writerElement(data, sensor, number, time, bytes);
}

static int record(const char *path, char **command) {
    tacCapture *capture;
    tacCaptureProblem problem;
    int status = 0;
    FILE *file = fopen(path, "wb");
    if (!file || !tacCaptureBegin(NULL, &capture, &problem)) {
        fprintf(stderr, "%s\n", file ? problem.message : strerror(errno));
        return 1;
    }
    tacrec_source source = {.kind = TACREC_SOURCE_KERNEL, .clock = tacCaptureClock(capture), .name = "kernel"};
    tacrec_collectHere(&source);
    tacrec_writer *writer = tacrec_writerNew(&source, 0, takePacket, file);
    if (!writer) abort();
    for (uint32_t i = 0; i < tacCaptureSensors(capture); i++)
        tacrec_writerSensor(writer, i, tacCaptureSensor(capture, i));
    tacrec_pair pair = tacCapturePair(capture);
    tacrec_writerPair(writer, &pair);
    pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    while (waitpid(child, &status, WNOHANG) == 0) {
        tacCaptureRead(capture, takeElement, writer);
        usleep(10000);
    }
    tacCaptureStop(capture);
    tacCaptureRead(capture, takeElement, writer);
    pair = tacCapturePair(capture);
    tacrec_writerPair(writer, &pair);
    tacrec_writerFlush(writer, UINT32_MAX);
    tacrec_writerEnd(writer, TACREC_END_EXITED, (uint32_t) WEXITSTATUS(status), "");
    tacCaptureCounts counts = tacCaptureCount(capture);
    printf("%llu events, %llu lost\n", (unsigned long long) counts.events, (unsigned long long) counts.lost);
    tacrec_writerFree(writer);
    tacCaptureFree(capture);
    return fclose(file) != 0;
}

/* ---- a recording of what is said ----------------------------------------------------------------------------------
 */

static tacrec_sensorSaid madeSensors[100];
static uint64_t madeCounts[100];
static uint32_t madeSensorCount, nextNumber[UINT16_MAX + 1];

static void addField(tacrec_sensorSaid *said, const char *name, uint32_t type, uint32_t size) {
    tacrec_fieldEntry *field = &said->fields[said->fieldCount++];
    if (said->fieldCount > TACREC_FIELDS) abort();
    snprintf(field->name, sizeof field->name, "%s", name);
    field->type = type;
    field->offset = (uint16_t) said->size;
    field->size = (uint16_t) size;
    said->size += size;
}

/* The sensor of an event; described, with the fields of this line, when it is new. */
static uint32_t madeSensor(tacrec_writer *writer, const char *event, const char *fields) {
    char name[40], type, copy[4096];
    unsigned size;
    tacrec_sensorSaid said = {.kind = TACREC_CONCURRENT};
    snprintf(said.name, sizeof said.name, "kernel:%s", event);
    for (uint32_t i = 0; i < madeSensorCount; i++)
        if (!strcmp(madeSensors[i].name, said.name)) return i;
    if (strcmp(event, "thread") != 0) {
        addField(&said, "number", TACREC_UNSIGNED, 4);
        addField(&said, "pid", TACREC_SIGNED, 4);
        addField(&said, "cpu", TACREC_UNSIGNED, 2);
    }
    snprintf(copy, sizeof copy, "%s", fields);
    for (char *at = strtok(copy, "\t\n"); at; at = strtok(NULL, "\t\n")) {
        if (sscanf(at, "%39s %c %u", name, &type, &size) != 3) abort();
        addField(&said, name, type == 't' ? TACREC_TEXT : type == 'i' ? TACREC_SIGNED : TACREC_UNSIGNED, size);
    }
    if (!tacrec_writerSensor(writer, madeSensorCount, &said)) abort();
    madeSensors[madeSensorCount] = said;
    return madeSensorCount++;
}

#define FIELD(record, name, type) \
    { #name, type, offsetof(record, name), sizeof(((record *) 0)->name) }
static const tacrec_sensorSaid programSensors[2] = {
    {.kind = TACREC_CONCURRENT,
        .size = sizeof(tacrec_object),
        .fieldCount = 14,
        .flags = TACREC_SENSOR_LASTING,
        .name = "tactus.objects",
        .fields = {FIELD(tacrec_object, id, TACREC_UNSIGNED), FIELD(tacrec_object, kind, TACREC_UNSIGNED),
            FIELD(tacrec_object, of, TACREC_UNSIGNED), FIELD(tacrec_object, thread, TACREC_UNSIGNED),
            FIELD(tacrec_object, priority, TACREC_SIGNED), FIELD(tacrec_object, processor, TACREC_UNSIGNED),
            FIELD(tacrec_object, flags, TACREC_UNSIGNED), FIELD(tacrec_object, period, TACREC_UNSIGNED),
            FIELD(tacrec_object, deadline, TACREC_UNSIGNED), FIELD(tacrec_object, budget, TACREC_UNSIGNED),
            FIELD(tacrec_object, capacity, TACREC_UNSIGNED), FIELD(tacrec_object, name, TACREC_TEXT),
            FIELD(tacrec_object, group, TACREC_TEXT), FIELD(tacrec_object, color, TACREC_TEXT)}},
    {.kind = TACREC_CONCURRENT,
        .size = sizeof(tacrec_event),
        .fieldCount = 5,
        .name = "tactus.events",
        .fields = {FIELD(tacrec_event, code, TACREC_UNSIGNED), FIELD(tacrec_event, processor, TACREC_UNSIGNED),
            FIELD(tacrec_event, object, TACREC_UNSIGNED), FIELD(tacrec_event, subject, TACREC_UNSIGNED),
            FIELD(tacrec_event, value, TACREC_SIGNED)}}};

static void makeSaid(tacrec_writer *program, uint64_t time, bool isObject, const char *words) {
    static uint64_t counts[2];
    tacrec_object object = {0};
    tacrec_event event = {.processor = TACREC_ANYWHERE};
    unsigned code, task, number;
    unsigned long long period, deadline;
    long long value;
    if (isObject) {
        if (sscanf(words, "%u %u %u %u %llu %llu %63s", &object.id, &object.kind, &object.of, &object.thread, &period,
                &deadline, object.name)
            < 6)
            abort();
        object.period = period;
        object.deadline = deadline;
    } else {
        if (sscanf(words, "%u %u %u %u %lli", &code, &event.object, &task, &number, &value) != 5) abort();
        event.code = (uint16_t) code;
        event.subject = (uint64_t) task << 32 | number;
        event.value = value;
    }
    if (!tacrec_writerElement(program, !isObject, counts[!isObject]++, time, isObject ? (void *) &object : &event))
        abort();
}

static void makeElement(tacrec_writer *writer, tacrec_writer *program, char *line) {
    unsigned long long time;
    unsigned processor, size;
    int pid, at;
    char event[48], type, element[TACREC_ELEMENT] = {0};
    if (sscanf(line, "%llu %u %d %47[^\t\n]%n", &time, &processor, &pid, event, &at) != 4 || processor > UINT16_MAX)
        abort();
    if (!strcmp(event, "skip")) { /* so many of the processor are missing */
        nextNumber[processor] += (uint32_t) pid;
        return;
    }
    if (!strcmp(event, "object") || !strcmp(event, "said")) {
        makeSaid(program, time, event[0] == 'o', line + at);
        return;
    }
    uint32_t sensor = madeSensor(writer, event, line + at), place = 0;
    const uint16_t cpu = (uint16_t) processor;
    if (strcmp(event, "thread") != 0) {
        memcpy(element, &nextNumber[processor], 4), memcpy(element + 4, &pid, 4), memcpy(element + 8, &cpu, 2);
        nextNumber[processor]++;
        place = 10;
    }
    for (char *field = strtok(line + at, "\t\n"); field; field = strtok(NULL, "\t\n"), place += size) {
        int value;
        if (sscanf(field, "%*s %c %u %n", &type, &size, &value) != 2 || place + size > sizeof element) abort();
        long long number = type == 't' ? 0 : strtoll(field + value, NULL, 0);
        if (type == 't') strncpy(element + place, field + value, size);
        else memcpy(element + place, &number, size);
        if (!strcmp(event, "lost")) nextNumber[processor] += number ? (uint32_t) number - 1 : 0;
    }
    if (!tacrec_writerElement(writer, sensor, madeCounts[sensor]++, time, element)) abort();
}

static int make(const char *path) {
    char line[4096];
    int recorder = 0;
    FILE *file = fopen(path, "wb");
    bool more = fgets(line, sizeof line, stdin);
    bool said = more && sscanf(line, "0 0 %d recorder", &recorder) == 1 && strstr(line, "recorder");
    tacrec_source source = {.pid = said ? (uint32_t) recorder : 0,
        .kind = TACREC_SOURCE_KERNEL,
        .clock = TACREC_CLOCK_HOOK,
        .boot = {1},
        .name = "kernel",
        .machine = "one"};
    tacrec_writer *writer = file ? tacrec_writerNew(&source, 1, takePacket, file) : NULL;
    source.kind = TACREC_SOURCE_PROGRAM;
    source.pid = 10;
    memcpy(source.name, "plant", 6);
    tacrec_writer *program = file ? tacrec_writerNew(&source, 2, takePacket, file) : NULL;
    if (!writer || !program) abort();
    for (uint32_t i = 0; i < 2; i++)
        if (!tacrec_writerSensor(program, i, &programSensors[i])) abort();
    for (; more; more = fgets(line, sizeof line, stdin)) {
        if (!said) makeElement(writer, program, line);
        said = false;
    }
    tacrec_writerFlush(writer, UINT32_MAX);
    tacrec_writerFlush(program, UINT32_MAX);
    tacrec_writerFree(writer);
    tacrec_writerFree(program);
    return fclose(file) != 0;
}

int main(int argc, char **argv) {
    tacCapture *capture;
    tacCaptureProblem problem;
    if (argc > 2) return record(argv[1], argv + 2);
    if (argc > 1) return make(argv[1]);
    if (!tacCaptureBegin(NULL, &capture, &problem)) {
        printf("skipped: %s: %s\n", problem.code, problem.message);
        return 0;
    }
    tacCaptureFree(capture);
    testEvents();
    testLost();
    testPatterns();
    testKilled();
    return failures > 0;
}
