/*
 * testTrace.c -- the ready-made sensors of a trace: what functions write is read back, element by element.
 *
 * Prints a line for each test, as testRecord.c does. Compiled with TACREC_HOSTED=0 it tries what a bare machine has.
 */
#define _GNU_SOURCE
#include "record/tactusrec_trace.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 20 };

static int failures;

static void check(const char *name, bool fine, const char *why) {
    if (fine) printf("ok %s\n", name);
    else printf("FAILED %s: %s\n", name, why);
    failures += !fine;
}

static uint64_t ticks;
static uint64_t now(void *data) {
    (void) data;
    return __atomic_add_fetch(&ticks, 10, __ATOMIC_RELAXED);
}

static const tacrec_hooks hooks = {.now = now};
static uint64_t memory[BYTES / 8] __attribute__((aligned(TACREC_LINE)));

static tacrec_directory newDirectory(void) {
    tacrec_directory directory;
    memset(memory, 0, BYTES);
    if (!tacrec_make(&directory, memory, BYTES, "test", 7, TACREC_CLOCK_HOOK, &hooks)) abort();
    return directory;
}

/* Begins to read the nth sensor of this name that has elements. */
static bool begin(tacrec_reader *reader, const char *name, int nth) {
    const tacrec_head *head = (const tacrec_head *) memory;
    for (uint32_t k = 0; k < tacrec_sensors(head); k++) {
        tacrec_entry entry;
        tacrec_reader test;
        uint64_t time, data[TACREC_ELEMENT / 8];
        if (!tacrec_describe(head, BYTES, k, &entry) || strcmp(entry.name, name)) continue;
        if (!tacrec_readerBegin(&test, head, BYTES, k) || !tacrec_readerNext(&test, &time, data) || nth-- > 0) continue;
        return tacrec_readerBegin(reader, head, BYTES, k);
    }
    return false;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* What is expected of each call, in their order: code, object, subject, value. */
static const struct {
    uint32_t code, object;
    uint64_t subject;
    int64_t value;
} wanted[] = {
    {1, 0, 0x300000005, 0},
    {1, 0, 0x300000005, 77},
    {2, 0, 0x300000005, 0},
    {3, 0, 0x300000005, 0},
    {4, 0, 0x300000005, 0x400000001},
    {5, 0, 0x300000005, 0},
    {6, 0, 0x300000005, 0},
    {7, 0, 0x300000005, 0},
    {8, 0, 0x300000005, 0},
    {9, 0, 0x300000005, 0},
    {10, 0, 0x300000005, 99},
    {11, 3, 0, 0},
    {12, 3, 0, 0},
    {13, 3, 0, 98},
    {14, 6, 0x300000005, 0},
    {15, 6, 0x300000005, 0},
    {16, 7, 0x300000005, 2},
    {17, 7, 0x300000005, -1},
    {18, 7, 0x300000005, 3},
    {19, 8, 0, 5000},
    {20, 8, 0, 0},
    {21, 8, 0, 0},
    {22, 8, 0, 0},
    {23, 1, 0, 0},
    {24, 1, 0, 0},
    {25, 9, 0x300000000, 0},
    {26, 9, 0x300000000, 0},
    {27, 9, 0x300000000, 0},
    {28, 9, 0x300000000, -4},
    {29, 0, 12, 1},
    {30, 0, 12, 1},
    {31, 4, (uint64_t) -6, 0},
    {32, 4, 0, 0},
    {33, 4, 17, 2},
    {34, 4, 0, 1},
    {35, 4, 0, 9},
    {36, 0, 0, 0},
};

static void writeAll(void) {
    tacrec_job job = tacrec_jobOf(3, 5);
    tacrec_jobArrived(job);
    tacrec_jobArrivedAt(job, 77);
    tacrec_jobStarted(job);
    tacrec_jobResumed(job);
    tacrec_jobPreempted(job, tacrec_jobOf(4, 1));
    tacrec_jobBlocked(job, 0);
    tacrec_jobCompleted(job);
    tacrec_jobReady(job);
    tacrec_jobUnknown(job);
    tacrec_jobAbandoned(job);
    tacrec_jobDeadline(job, 99);
    tacrec_taskArrived(3);
    tacrec_taskArrivedAndIgnored(3);
    tacrec_taskDeadline(3, 98);
    tacrec_jobAcquiredMutex(job, 6);
    tacrec_jobReleasedMutex(job, 6);
    tacrec_jobAcquiredSemaphore(job, 7, 2);
    tacrec_jobSuspendedOnSemaphore(job, 7, -1);
    tacrec_jobReleasedSemaphore(job, 7, 3);
    tacrec_serverReplenished(8, 5000);
    tacrec_serverResumed(8);
    tacrec_serverPreempted(8);
    tacrec_serverDepleted(8);
    tacrec_processorUnknown(1);
    tacrec_processorIdle(1);
    tacrec_mark(9);
    tacrec_begin(9);
    tacrec_end(9);
    tacrec_count(9, -4);
    tacrec_syncSent(0, 1, 12);
    tacrec_syncReceived(0, 1, 12);
    tacrec_bufferPush(4, -6);
    tacrec_bufferPop(4);
    tacrec_bufferInsert(4, 17, 2);
    tacrec_bufferDrop(4, 1);
    tacrec_bufferResize(4, 9);
    tacrec_bufferReset();
}

static void testElements(void) {
    tacrec_reader reader;
    tacrec_event event;
    uint64_t time;
    size_t n = 0, most = sizeof wanted / sizeof *wanted;
    tacrec_thisTask(3);
    writeAll();
    bool fine = begin(&reader, "tactus.events", 0);
    while (fine && tacrec_readerNext(&reader, &time, &event)) {
        fine = n < most && event.code == wanted[n].code && event.object == wanted[n].object
            && event.subject == wanted[n].subject && event.value == wanted[n].value;
        n += fine;
    }
    char why[60];
    snprintf(why, sizeof why, "element %u, code %u", (unsigned) n, (unsigned) event.code);
    check("elements of functions", fine && n == most && reader.size == sizeof event, why);
}

/* ---- names and texts --------------------------------------------------------------------------------------------- */

/* 40 times a letter of two bytes: 31 of them fit into 63 bytes. */
static void testNames(void) {
    const tacrec_said said = {3, 1, TACREC_ISR | TACREC_BOUND, 10, 20, 30, 40, "g", "red"};
    tacrec_reader reader;
    tacrec_object object;
    uint64_t time;
    char letters[81] = "";
    for (int i = 0; i < 40; i++) strcat(letters, "\303\244");
    bool fine = tacrec_newTask("control", &said) == 1 && tacrec_newMutex(letters, NULL) == 2;
    tacrec_nameProcessor(5, "left");
    fine = fine && begin(&reader, "tactus.objects", 0) && tacrec_readerNext(&reader, &time, &object);
    fine = fine && object.id == 1 && object.kind == TACREC_TASK && object.priority == 3 && object.processor == 1
        && object.flags == 9 && object.period == 10 && object.deadline == 20 && object.budget == 30
        && object.capacity == 40 && !strcmp(object.name, "control") && !strcmp(object.group, "g")
        && !strcmp(object.color, "red");
    bool cut = tacrec_readerNext(&reader, &time, &object) && object.id == 2 && object.kind == TACREC_MUTEX
        && strlen(object.name) == 62 && !strncmp(object.name, letters, 62);
    fine = fine && tacrec_readerNext(&reader, &time, &object) && object.kind == TACREC_PROCESSOR
        && object.processor == 5 && !strcmp(object.name, "left");
    check("names", fine, object.name);
    check("names cut", cut, object.name);
}

/* There are 8 places; 3 are taken by testNames. */
static void testFull(void) {
    uint32_t last = 0;
    bool fine = true;
    for (uint32_t i = 4; i <= 8; i++) fine = fine && tacrec_newMark("m") == i;
    for (int i = 0; i < 3; i++) last |= tacrec_newMark("m");
    tacrec_reader reader;
    check("no more room for names",
        fine && last == 0 && begin(&reader, "tactus.objects", 0) && tacrec_readerRefused(&reader) == 3, "");
}

static void testTexts(void) {
    tacrec_reader reader;
    tacrec_text text;
    uint64_t time;
    char many[200];
    memset(many, 'x', sizeof many);
    many[sizeof many - 1] = 0;
    tacrec_thisTask(4);
    tacrec_message("hello");
    tacrec_interval(many);
    bool fine = begin(&reader, "tactus.texts", 0) && tacrec_readerNext(&reader, &time, &text)
        && text.code == TACREC_MESSAGE && text.task == 4 && !strcmp(text.text, "hello");
    fine = fine && tacrec_readerNext(&reader, &time, &text) && text.code == TACREC_INTERVAL
        && strlen(text.text) == TACREC_TEXT_MOST - 1;
    check("texts", fine, text.text);
}

/* ---- threads and contexts ---------------------------------------------------------------------------------------- */

#if TACREC_HOSTED
static void *another(void *data) {
    tacrec_thisTask(8);
    tacrec_mark(1);
    tacrec_mark(2);
    *(uint32_t *) data = tacrec_here->thread;
    return NULL;
}

/* A thread that runs tasks in turn says of each once that it does, of 8 at most. */
static void testSwitches(void) {
    tacrec_directory directory = newDirectory();
    const tacrec_traceLayout layout = {.objects = 16, .threads = 1, .events = 8, .texts = 8};
    bool fine = tacrec_traceOpen(&directory, &layout);
    for (uint32_t i = 0; i < 100; i++) tacrec_thisTask(i % 3 + 1);
    uint32_t fourth = tacrec_newMark("m");
    for (uint32_t i = 0; i < 100; i++) tacrec_thisTask(i % 20 + 1);
    uint32_t tenth = tacrec_newMark("m");
    char why[60];
    snprintf(why, sizeof why, "%u, %u", (unsigned) fourth, (unsigned) tenth);
    check("a thread of many tasks", fine && fourth == 4 && tenth == 10 && tacrec_here->task == 20, why);
    tacrec_traceClose();
}

/* The second ring is another thread's, whose end does not take away what it has written. */
static void testThreads(void) {
    pthread_t thread;
    uint32_t number = 0;
    tacrec_reader reader;
    tacrec_event event;
    uint64_t time;
    pthread_create(&thread, NULL, another, &number);
    pthread_join(thread, NULL);
    bool fine = begin(&reader, "tactus.events", 1) && tacrec_readerNext(&reader, &time, &event) && event.object == 1
        && event.subject == 8ull << 32 && tacrec_readerThread(&reader) == number
        && tacrec_readerNext(&reader, &time, &event) && event.object == 2 && !tacrec_readerNext(&reader, &time, &event);
    check("a ring for each thread", fine && number != tacrec_here->thread, "");
}

/* A C library that does not tell says ANYWHERE. */
static void testProcessor(void) {
    cpu_set_t old, set;
    bool fine = true;
    sched_getaffinity(0, sizeof old, &old);
    for (int p = 0; p < CPU_SETSIZE && fine; p++) {
        if (!CPU_ISSET(p, &old)) continue;
        CPU_ZERO(&set);
        CPU_SET(p, &set);
        sched_setaffinity(0, sizeof set, &set);
        fine = *tacrec_here->processor == (uint32_t) p || *tacrec_here->processor == TACREC_ANYWHERE;
    }
    if (*tacrec_here->processor == TACREC_ANYWHERE)
        printf("skipped number of the processor: this C library does not tell\n");
    sched_setaffinity(0, sizeof old, &old);
    check("number of the processor", fine, "another one");
}
#else
/* Rings for two processors, each with its number. */
static void testContexts(void) {
    static tacrec_context contexts[2];
    static const uint32_t numbers[2] = {0, 1};
    const tacrec_traceLayout layout = {8, 2, 16, 4};
    tacrec_directory directory = newDirectory();
    bool fine = tacrec_traceOpen(&directory, &layout);
    for (uint32_t i = 0; i < 2; i++) fine = tacrec_contextBegin(&contexts[i], i + 1, &numbers[i]) && fine;
    for (uint32_t i = 0; i < 2; i++) tacrec_putBy(&contexts[i], TACREC_MARK, 40 + i, 0, 0);
    for (uint32_t i = 0; i < 2; i++) {
        tacrec_reader reader;
        tacrec_event event;
        uint64_t time;
        fine = fine && begin(&reader, "tactus.events", (int) i) && tacrec_readerNext(&reader, &time, &event)
            && event.object == 40 + i && event.processor == i && tacrec_readerThread(&reader) == i + 1;
        tacrec_contextEnd(&contexts[i]);
    }
    tacrec_traceClose();
    check("contexts of two processors", fine, "");
}
#endif

int main(void) {
    const tacrec_traceLayout layout = {8, TACREC_HOSTED * 4, 64, 8};
    writeAll();
    tacrec_message("nobody sees it");
    check("without a trace", tacrec_newTask("none", NULL) == 0, "it has a number");
    tacrec_directory directory = newDirectory();
    bool open = tacrec_traceOpen(&directory, &layout), twice = tacrec_traceOpen(&directory, &layout);
    testElements();
    testTexts();
    tacrec_traceClose();
    directory = newDirectory();
    open = open && !twice && tacrec_traceOpen(&directory, &layout);
    testNames();
    testFull();
#if TACREC_HOSTED
    tacrec_mark(1);
    testThreads();
    testProcessor();
#endif
    tacrec_traceClose();
    tacrec_mark(77);
    tacrec_message("nobody sees it");
    directory = newDirectory();
    tacrec_reader reader;
    tacrec_event event;
    uint64_t time;
    open = open && tacrec_traceOpen(&directory, NULL) && !begin(&reader, "tactus.events", 0);
    tacrec_mark(78);
    open = open && begin(&reader, "tactus.events", 0) && tacrec_readerNext(&reader, &time, &event)
        && event.object == 78;
    tacrec_traceClose();
    check("closed, and opened again", open, "");
#if TACREC_HOSTED
    testSwitches();
#endif
#if !TACREC_HOSTED
    testContexts();
#endif
    memset(&directory, 0, sizeof directory);
    open = tacrec_traceOpen(&directory, NULL);
    writeAll();
    check("no directory", !open && tacrec_newTask("none", NULL) == 0, "");
    tacrec_traceClose();
    return failures != 0;
}
