/*
 * testVocabulary.c -- writes recordings of the ready-made sensors whose times and processors are known:
 *
 *      testVocabulary SCENARIO FILE
 *      testVocabulary busy FOLDER
 *
 * recordVocabulary.test says what each is read as. Files of whole directories are as a program leaves them behind;
 * others are packets.
 */
#include "record/stream.h"
#include "record/tactusrec_trace.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 18 };

static uint64_t memory[BYTES / 8] __attribute__((aligned(TACREC_LINE)));
static uint64_t clockNow;
static uint32_t processor;
static tacrec_context context;
static tacrec_directory directory;

static uint64_t now(void *data) {
    (void) data;
    return clockNow;
}

/* The clock shows so many microseconds from now on. */
static void at(uint64_t microseconds) { clockNow = microseconds * 1000; }

/* ---- directories ------------------------------------------------------------------------------------------------- */

/* Begins a trace of this thread, with rings for so many events. */
static void beginTrace(uint32_t events) {
    static const tacrec_hooks hooks = {.now = now};
    const tacrec_traceLayout layout = {.objects = 64, .threads = 1, .events = events, .texts = 64};
    if (!tacrec_make(&directory, memory, BYTES, "plant", 77, TACREC_CLOCK_HOOK, &hooks)) abort();
    if (!tacrec_traceOpen(&directory, &layout)) abort();
    if (!tacrec_contextBegin(&context, 500, &processor)) abort();
    tacrec_here = &context;
}

/* Every function, at a time of its own. */
static void all(void) {
    beginTrace(64);
    const tacrec_said said = {.priority = 2,
        .flags = TACREC_BOUND,
        .processor = 1,
        .period = 10000000,
        .deadline = 4000000,
        .budget = 1500000,
        .group = "loop",
        .color = "red"};
    uint32_t control = tacrec_newTask("control", &said);
    uint32_t timer = tacrec_newTask("timer", &(tacrec_said){.flags = TACREC_ISR | TACREC_HIDDEN});
    uint32_t deferred = tacrec_newTask("deferred work", &(tacrec_said){.flags = TACREC_SOFTIRQ});
    uint32_t server = tacrec_newServer("cbs", &(tacrec_said){.priority = 1, .capacity = 3000000, .budget = 1000000});
    uint32_t mutex = tacrec_newMutex("state", &(tacrec_said){.color = "blue"}), plain = tacrec_newMutex("other", NULL);
    uint32_t semaphore = tacrec_newSemaphore("items", NULL);
    uint32_t buffer = tacrec_newBuffer("queue", &(tacrec_said){.capacity = 4, .priority = -3});
    uint32_t tick = tacrec_newMark("tick"), work = tacrec_newMark("work"), level = tacrec_newMark("level");
    tacrec_nameProcessor(1, "second");
    tacrec_thisTask(control);
    tacrec_job first = tacrec_jobOf(control, 1), second = tacrec_jobOf(timer, 9);
    at(90), tacrec_processorUnknown(1);
    at(95), tacrec_interval("begin");
    at(100), tacrec_jobArrivedAt(first, 98000);
    at(101), tacrec_taskArrived(deferred);
    at(102), tacrec_taskArrivedAndIgnored(deferred);
    at(103), tacrec_taskDeadline(deferred, 5000000);
    at(104), tacrec_jobDeadline(first, 4100000);
    processor = 1;
    at(110), tacrec_jobStarted(first);
    at(120), tacrec_jobAcquiredMutex(first, mutex);
    at(121), tacrec_jobAcquiredMutex(first, plain);
    at(130), tacrec_mark(tick);
    at(131), tacrec_begin(work);
    at(132), tacrec_begin(level);
    at(133), tacrec_count(level, -4);
    at(134), tacrec_end(level);
    at(139), tacrec_end(work);
    at(140), tacrec_jobArrived(second);
    at(150), tacrec_jobPreempted(first, second);
    at(151), tacrec_jobStarted(second);
    at(160), tacrec_jobCompleted(second);
    at(161), tacrec_jobResumed(first);
    at(170), tacrec_jobReleasedMutex(first, plain);
    at(171), tacrec_jobReleasedMutex(first, mutex);
    at(180), tacrec_jobSuspendedOnSemaphore(first, semaphore, 0);
    at(181), tacrec_jobBlocked(first, 0);
    at(190), tacrec_jobReady(first);
    processor = 0;
    at(191), tacrec_jobResumed(first);
    at(192), tacrec_jobAcquiredSemaphore(first, semaphore, -1);
    at(193), tacrec_jobReleasedSemaphore(first, semaphore, 1);
    at(200), tacrec_serverReplenished(server, 3000000);
    at(201), tacrec_serverResumed(server);
    at(202), tacrec_serverPreempted(server);
    at(203), tacrec_serverDepleted(server);
    at(210), tacrec_bufferPush(buffer, -6);
    at(211), tacrec_bufferInsert(buffer, 17, 1);
    at(212), tacrec_bufferDrop(buffer, 0);
    at(213), tacrec_bufferPop(buffer);
    at(214), tacrec_bufferResize(buffer, 9);
    at(215), tacrec_bufferReset();
    at(216), tacrec_bufferStructure((uint32_t[]){control, buffer, deferred}, 3);
    at(220), tacrec_message("half done");
    at(221), tacrec_taskAnnotation(control, 300000, work, TACREC_ARROW_BOTH);
    at(222), tacrec_taskAnnotation(control, 0, 0, TACREC_NO_ARROW);
    at(223), tacrec_profile(work, 18446744073709551615u, 7);
    at(224), tacrec_relteqEvent("expired  2 n$w; ]");
    at(230), tacrec_jobUnknown(first);
    at(240), tacrec_jobAbandoned(first);
    at(250), tacrec_processorIdle(1);
}

/* Messages between two processors: what the second clock shows as x is 2 x - 100 us of the first. */
static void clocks(void) {
    beginTrace(64);
    tacrec_job job = tacrec_jobOf(tacrec_newTask("a", NULL), 1);
    at(200), tacrec_syncSent(0, 1, 0);
    at(150), tacrec_syncReceived(0, 1, 0);
    at(300), tacrec_syncSent(1, 0, 0);
    at(500), tacrec_syncReceived(1, 0, 0);
    at(1200), tacrec_syncSent(0, 1, 1);
    at(650), tacrec_syncReceived(0, 1, 1);
    at(800), tacrec_syncSent(1, 0, 1);
    at(1500), tacrec_syncReceived(1, 0, 1);
    at(1800), tacrec_jobArrived(job);
    processor = 1;
    at(1000), tacrec_jobStarted(job);
}

/* Marks that do not pair, of the task and of the thread; marks without a name. */
static void marks(void) {
    beginTrace(256);
    uint32_t control = tacrec_newTask("control", NULL), work = tacrec_newMark("work"), wait = tacrec_newMark("wait");
    at(10), tacrec_begin(work);
    at(20), tacrec_end(work);
    tacrec_thisTask(control);
    at(30), tacrec_end(work);
    at(40), tacrec_begin(work);
    at(50), tacrec_begin(wait);
    at(60), tacrec_end(work);
    at(70), tacrec_mark(0);
    at(71), tacrec_mark(1000);
    for (uint32_t i = 0; i < 65; i++) at(100 + i), tacrec_begin(work);
}

/* A ring of 8 keeps the last 7 of 12 events, and names that nobody has given. */
static void overwritten(void) {
    beginTrace(8);
    tacrec_job job = tacrec_jobOf(12, 3), none = tacrec_jobOf(0, 1);
    for (uint32_t i = 0; i < 5; i++) at(10 + i), tacrec_mark(0);
    at(20), tacrec_jobArrived(job);
    at(30), tacrec_jobStarted(job);
    at(40), tacrec_jobAcquiredMutex(job, 5);
    at(50), tacrec_jobReleasedMutex(job, 5);
    at(60), tacrec_jobCompleted(job);
    at(70), tacrec_jobArrived(none);
    at(80), tacrec_jobStarted(none);
}

static void writeDirectory(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(memory, 1, BYTES, file) != BYTES || fclose(file)) abort();
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

static FILE *packets;

static bool take(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    (void) data;
    return fwrite(bytes, 1, head->size, packets) == head->size;
}

/* The description of a sensor of the vocabulary, as a directory has it. */
static tacrec_sensorSaid saidOf(const char *name) {
    tacrec_sensorSaid said = {0};
    for (uint32_t k = 0; k < tacrec_sensors(directory.head); k++) {
        tacrec_entry entry;
        if (!tacrec_describe(directory.head, BYTES, k, &entry) || strcmp(entry.name, name) != 0) continue;
        said = (tacrec_sensorSaid){.kind = entry.kind,
            .size = entry.size,
            .fieldCount = entry.fieldCount,
            .flags = entry.lasting ? TACREC_SENSOR_LASTING : 0};
        memcpy(said.name, entry.name, sizeof entry.name);
        memcpy(said.fields, entry.fields, sizeof said.fields);
    }
    return said;
}

/* Begins a program's packets: sensor 0 names, sensor 1 and 2 events of two threads. */
static tacrec_writer *program(const char *name, uint32_t pid) {
    tacrec_source source = {.kind = TACREC_SOURCE_PROGRAM, .clock = TACREC_CLOCK_HOOK, .pid = pid};
    snprintf(source.name, sizeof source.name, "%s", name);
    if (!directory.head) beginTrace(8);
    tacrec_sensorSaid objects = saidOf("tactus.objects"), events = saidOf("tactus.events");
    tacrec_writer *writer = tacrec_writerNew(&source, pid, take, NULL);
    if (!writer || !tacrec_writerSensor(writer, 0, &objects)) abort();
    for (uint32_t i = 1; i <= 2; i++) {
        events.thread = pid + i;
        if (!tacrec_writerSensor(writer, i, &events)) abort();
    }
    return writer;
}

static void name(tacrec_writer *writer, uint32_t id, tacrec_objectKind kind, const char *text) {
    tacrec_object object = {.id = id, .kind = (uint32_t) kind};
    snprintf(object.name, sizeof object.name, "%s", text);
    tacrec_writerElement(writer, 0, id - 1, 0, &object);
}

static void event(tacrec_writer *writer, uint32_t sensor, uint64_t number, uint64_t microseconds, uint32_t code,
    uint64_t subject, uint32_t object, int64_t value) {
    tacrec_event element = {(uint16_t) code, 0, object, subject, value};
    tacrec_writerElement(writer, sensor, number, 1000 * microseconds, &element);
}

/* What lines of the input say: "object KIND NAME", "event TIME PROCESSOR CODE OBJECT SUBJECT VALUE" (nanoseconds). */
static void script(void) {
    tacrec_writer *w = program("plant", 10);
    char line[256], text[TACREC_OBJECT_NAME];
    uint32_t kind, objects = 0;
    uint64_t number = 0;
    while (fgets(line, sizeof line, stdin)) {
        unsigned place, code, object;
        unsigned long long time, subject;
        long long value;
        if (sscanf(line, "object %u %63s", &kind, text) == 2) name(w, ++objects, (tacrec_objectKind) kind, text);
        if (sscanf(line, "event %llu %u %u %u %llu %lld", &time, &place, &code, &object, &subject, &value) != 6)
            continue;
        tacrec_event element = {(uint16_t) code, (uint16_t) place, object, subject, value};
        tacrec_writerElement(w, 1, number++, time, &element);
    }
    tacrec_writerEnd(w, TACREC_END_CLOSED, 0, "");
    tacrec_writerFree(w);
}

/* Tasks a (of the first thread) and b (of the second); of a's ring, elements 3 to 6 are lost. */
static void lost(void) {
    tacrec_writer *w = program("plant", 10);
    const tacrec_job first = tacrec_jobOf(1, 1), second = tacrec_jobOf(1, 2), b = tacrec_jobOf(2, 1);
    name(w, 1, TACREC_TASK, "a");
    name(w, 2, TACREC_TASK, "b");
    event(w, 1, 0, 100, TACREC_JOB_ARRIVED, first, 0, 0);
    event(w, 1, 1, 110, TACREC_JOB_STARTED, first, 0, 0);
    event(w, 1, 2, 120, TACREC_MARK, 0, 0, 0);
    event(w, 2, 0, 105, TACREC_JOB_ARRIVED, b, 0, 0);
    event(w, 2, 1, 130, TACREC_JOB_STARTED, b, 0, 0);
    event(w, 2, 2, 190, TACREC_JOB_COMPLETED, b, 0, 0);
    event(w, 1, 7, 200, TACREC_JOB_ARRIVED, second, 0, 0);
    event(w, 1, 8, 210, TACREC_JOB_STARTED, second, 0, 0);
    event(w, 1, 11, 230, TACREC_JOB_COMPLETED, second, 0, 0);
    tacrec_writerEnd(w, TACREC_END_CLOSED, 0, "");
    tacrec_writerFree(w);
}

/* Two threads on one processor: the job of b preempts that of a, which neither of them knows. */
static void preempted(void) {
    tacrec_writer *w = program("plant", 10);
    name(w, 1, TACREC_TASK, "a");
    name(w, 2, TACREC_TASK, "b");
    event(w, 1, 0, 100, TACREC_JOB_ARRIVED, tacrec_jobOf(1, 1), 0, 0);
    event(w, 1, 1, 110, TACREC_JOB_STARTED, tacrec_jobOf(1, 1), 0, 0);
    event(w, 2, 0, 120, TACREC_JOB_ARRIVED, tacrec_jobOf(2, 1), 0, 0);
    event(w, 2, 1, 130, TACREC_JOB_STARTED, tacrec_jobOf(2, 1), 0, 0);
    event(w, 2, 2, 150, TACREC_JOB_COMPLETED, tacrec_jobOf(2, 1), 0, 0);
    event(w, 1, 2, 190, TACREC_JOB_COMPLETED, tacrec_jobOf(1, 1), 0, 0);
    tacrec_writerEnd(w, TACREC_END_CLOSED, 0, "");
    tacrec_writerFree(w);
}

/* Programs that give the same names. */
static void names(void) {
    static const char *const programs[] = {"plant", "model", "model"};
    for (uint32_t i = 0; i < 3; i++) {
        tacrec_writer *w = program(programs[i], 10 * (i + 1));
        name(w, 1, TACREC_TASK, "control");
        name(w, 2, TACREC_TASK, i ? "control" : "");
        event(w, 1, 0, 100 + i, TACREC_JOB_ARRIVED, tacrec_jobOf(1, 5), 0, 0);
        event(w, 1, 1, 110 + i, TACREC_JOB_ARRIVED, tacrec_jobOf(2, 5), 0, 0);
        tacrec_writerEnd(w, TACREC_END_CLOSED, 0, "");
        tacrec_writerFree(w);
    }
}

/* As many tasks as an array has room for at first. */
static void sixteen(void) {
    tacrec_writer *w = program("plant", 10);
    for (uint32_t i = 1; i <= 16; i++) {
        char text[20];
        snprintf(text, sizeof text, "task%u", i);
        name(w, i, TACREC_TASK, text);
        event(w, 1, i - 1, 100 + i, TACREC_JOB_ARRIVED, tacrec_jobOf(i, 1), 0, 0);
    }
    tacrec_writerEnd(w, TACREC_END_CLOSED, 0, "");
    tacrec_writerFree(w);
}

/* What no program of ours writes: other layouts, codes, kinds, times, indices. */
static void hostile(void) {
    tacrec_writer *w = program("plant", 10);
    tacrec_sensorSaid other = saidOf("tactus.texts");
    other.fieldCount--;
    tacrec_writerSensor(w, 3, &other);
    tacrec_text text = {.code = TACREC_MESSAGE, .text = "unseen"};
    tacrec_writerElement(w, 3, 0, 50000, &text);
    name(w, 1, TACREC_TASK, "a\n\377b");
    name(w, 2, (tacrec_objectKind) 99, "?");
    name(w, 3, TACREC_BUFFER, "queue");
    event(w, 1, 0, 100, 99, 0, 0, 0);
    event(w, 1, 1, 101, 0, 0, 0, 0);
    event(w, 1, 2, 102, TACREC_JOB_ARRIVED, tacrec_jobOf(1, 1), 0, INT64_MIN);
    event(w, 1, 3, 103, TACREC_BUFFER_DROP, 0, 3, -1);
    event(w, 1, 4, 104, TACREC_SYNC_SENT, 1, 0, 1 << 20);
    event(w, 1, 5, 105, TACREC_SERVER_REPLENISHED, 0, 4, INT64_MAX);
    event(w, 1, 6, 106, TACREC_JOB_COMPLETED, tacrec_jobOf(3, 1), 0, -1);
    event(w, 1, 7, 107, TACREC_JOB_ACQUIRED_MUTEX, tacrec_jobOf(1, 1), 3, 0);
    tacrec_writerFlush(w, UINT32_MAX);
    tacrec_writerFree(w);
}

/* ---- a program that goes on -------------------------------------------------------------------------------------- */

typedef struct Numbers { /* all of them alike */
    uint64_t a, b, c, d;
} Numbers;

/* Writes two rings, an element each microsecond or so, until there is no more input. Prints the file's name. */
static int busy(const char *folder) {
    static const tacrec_field fields[] = {{"a", TACREC_UNSIGNED, 0, 8}, {"b", TACREC_UNSIGNED, 8, 8},
        {"c", TACREC_UNSIGNED, 16, 8}, {"d", TACREC_UNSIGNED, 24, 8}};
    static tacrec_sensor sensors[2];
    static const char *const sensorNames[] = {"simple", "concurrent"};
    struct pollfd input = {0, POLLIN, 0};
    if (tacrec_open(&directory, folder, "busy", BYTES, 0)) return 1;
    for (int i = 0; i < 2; i++) {
        tacrec_layout layout = {sensorNames[i], i ? TACREC_CONCURRENT : TACREC_SIMPLE, sizeof(Numbers), 1024, fields, 4,
            {0, 0, 0, 0}, 0, NULL, false, 1};
        if (!tacrec_add(&directory, &sensors[i], &layout)) return 1;
    }
    printf("%s\n", directory.path);
    fflush(stdout);
    for (uint64_t n = 1; n % 1024 != 0 || poll(&input, 1, 0) == 0; n++) {
        Numbers *numbers = tacrec_write(&sensors[n & 1]);
        *numbers = (Numbers){n, n, n, n};
        tacrec_commit(&sensors[n & 1], numbers);
        for (volatile int i = 0; i < 500; i++) continue;
    }
    tacrec_close(&directory, false);
    return 0;
}

int main(int count, char **words) {
    static const struct {
        const char *name;
        void (*write)(void);
        bool whole; /* directories; else packets */
    } scenarios[] = {
        {"all", all, true},
        {"clocks", clocks, true},
        {"marks", marks, true},
        {"overwritten", overwritten, true},
        {"script", script, false},
        {"lost", lost, false},
        {"preempted", preempted, false},
        {"names", names, false},
        {"sixteen", sixteen, false},
        {"hostile", hostile, false},
    };
    if (count == 3 && !strcmp(words[1], "busy")) return busy(words[2]);
    for (size_t i = 0; count == 3 && i < sizeof scenarios / sizeof *scenarios; i++) {
        if (strcmp(scenarios[i].name, words[1]) != 0) continue;
        if (!scenarios[i].whole) packets = fopen(words[2], "wb");
        scenarios[i].write();
        if (scenarios[i].whole) writeDirectory(words[2]);
        return packets && fclose(packets);
    }
    return 2;
}
