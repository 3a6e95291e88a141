/*
 * kernel.c -- events of the kernel by libtracefs: the instance, its events and clock, and the pages of its ring
 * buffers.
 *
 *      instance "tactus-PID-START-N" -> per_cpu/cpuN/trace_pipe_raw -> a page of each processor -> the earliest event
 *
 * Invariants:
 *   1. A processor's events are read in its own order, and `number` counts them with those that were lost.
 *   2. What is handed on by one reading is not later than its beginning; what was written later waits in its page. So
 *      no event comes behind a later one of another processor, unless its writing was interrupted for so long.
 *   3. Whatever ends this process, its buffers are given up: `release` is the file free_buffer, whose closing does it.
 */
#define _GNU_SOURCE
#include "record/kernel.h"
#include "record/kernelEvent.h"

#include <dirent.h>
#include <errno.h>
#include <event-parse.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <kbuffer.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

enum {
    USUAL_BYTES = 4 << 20, /* of buffer for a processor */
    EVENT_IDS = 1 << 16,
    MOST_PROCESSORS = 8192,
    PATTERN = 128, /* bytes of a pattern of events */
    LARGEST_PAGE = 1 << 20,
    SENSOR_LOST = 0,
    SENSOR_PRINT,
    SENSOR_THREAD,
    SENSOR_EVENTS, /* the first of those that are kinds of events */
    PIECE_AT = 14,
    PIECE = 50 /* bytes of a mark in an element */
};

/* The usual events: what threads do, and interrupts. */
static const char usual[] = "sched:sched_switch,sched:sched_waking,sched:sched_wakeup,sched:sched_wakeup_new,"
                            "sched:sched_migrate_task,sched:sched_pi_setprio,sched:sched_process_fork,"
                            "sched:sched_process_exec,sched:sched_process_exit,sched:sched_dl_*,"
                            "irq:irq_handler_*,irq:softirq_entry,irq:softirq_exit,irq_vectors:local_timer_*";

typedef struct Processor {
    int file; /* trace_pipe_raw */
    uint16_t which;
    uint32_t number; /* of its next event */
    struct kbuffer *buffer;
    uint8_t *page;
    const uint8_t *event; /* the next; NULL: none was there */
    uint64_t time;        /* of it */
    bool missing;         /* events are lost before it: */
    uint32_t lost;        /* so many; 0: unknown */
} Processor;

typedef struct Thread {
    int32_t pid, process;
    char name[16];
} Thread;

typedef struct Chosen { /* an event */
    char *system, *name;
} Chosen;

struct tacCapture {
    struct tracefs_instance *instance;
    struct tep_handle *tep;
    int release; /* free_buffer; -1 */
    int pageSize;
    tacrec_clock clock;
    tacrec_hooks hooks;
    uint64_t begun; /* by the clock */
    Processor *processors;
    size_t processorCount;
    tacCaptureEvent *sensors;
    uint32_t sensorCount;
    Thread *threads; /* not handed on yet */
    size_t threadCount;
    Chosen *chosen;
    size_t chosenCount;
    uint16_t byId[EVENT_IDS]; /* sensor of an event; 0: none */
    int printId;
    bool stopped;
    tacCaptureCounts counts;
};

/* ---- small things ------------------------------------------------------------------------------------------------ */

/* Says what is wrong. Returns false. */
static bool __attribute__((format(printf, 3, 4)))
fail(tacCaptureProblem *problem, const char *code, const char *format, ...) {
    va_list words;
    va_start(words, format);
    snprintf(problem->code, sizeof problem->code, "%s", code);
    vsnprintf(problem->message, sizeof problem->message, format, words);
    va_end(words);
    return false;
}

static bool failMemory(tacCaptureProblem *problem) { return fail(problem, "MEMORY", "not enough memory"); }

/* An array with room for one more than `count`: it is doubled where these are a power of two. NULL: no memory. */
static void *roomFor(void *array, size_t count, size_t size) {
    return count & (count - 1) ? array : realloc(array, (count ? 2 * count : 1) * size);
}

/* ---- instances --------------------------------------------------------------------------------------------------- */

/*
 * When a process was started, in the kernel's ticks since the machine was: with this, its number is like no other. 0:
 * there is no such process.
 */
static unsigned long long startOf(long pid) {
    char path[40], text[1024];
    unsigned long long start = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    if (got <= 0) return 0;
    text[got] = 0;
    const char *at = strrchr(text, ')'); /* of the name, which may have blanks; the state is field 3, the start 22 */
    for (int field = 2; at && field < 22; field++) at = strchr(at + 1, ' ');
    if (at) sscanf(at, " %llu", &start);
    return start;
}

/* Removes instances of recorders that are gone. */
static void removeStale(void) {
    char **names = tracefs_instances(NULL);
    for (char **name = names; name && *name; name++) {
        long pid;
        unsigned long long start;
        unsigned n;
        char rest;
        if (sscanf(*name, "tactus-%ld-%llu-%u%c", &pid, &start, &n, &rest) != 3 || startOf(pid) == start) continue;
        struct tracefs_instance *instance = tracefs_instance_alloc(NULL, *name);
        if (!instance) continue;
        tracefs_instance_destroy(instance);
        tracefs_instance_free(instance);
    }
    tracefs_list_free(names);
}

static bool failSystem(tacCaptureProblem *problem, const char *what, const char *which) {
    return fail(problem, "RECORD KERNEL", "the kernel cannot be recorded: %s%s: %s", what, which, strerror(errno));
}

/* Tells why there is no instance. */
static bool failInstance(tacCaptureProblem *problem) {
    const char *folder = tracefs_tracing_dir();
    if (errno == EACCES || errno == EPERM)
        return fail(problem, "RECORD KERNEL PERMISSION",
            "reading the kernel's events needs the right to write below %.100s, which only root has",
            folder ? folder : "/sys/kernel/tracing");
    return failSystem(problem, "no instance can be made below ", folder ? folder : "/sys/kernel/tracing");
}

/* Makes an instance of its own, which does not write yet. */
static bool makeInstance(tacCapture *c, tacCaptureProblem *problem) {
    char name[80];
    if (!tracefs_tracing_dir())
        return fail(problem, "RECORD KERNEL",
            "the kernel cannot be recorded: its folder /sys/kernel/tracing is missing; as root: mount -t tracefs "
            "tracefs /sys/kernel/tracing");
    removeStale();
    for (unsigned n = 0; n < 100 && !c->instance; n++) {
        snprintf(name, sizeof name, "tactus-%ld-%llu-%u", (long) getpid(), startOf(getpid()), n);
        if (tracefs_instance_exists(name)) continue;
        errno = 0;
        c->instance = tracefs_instance_create(name);
        if (!c->instance) return failInstance(problem);
    }
    if (!c->instance) return failSystem(problem, "there are too many recordings", "");
    tracefs_trace_off(c->instance);
    return true;
}

/* Sets clock and size. The kernel gives up the buffers when `release` is closed, however that comes about. */
static bool setUp(tacCapture *c, uint64_t bytes, tacCaptureProblem *problem) {
    const char *clock = c->clock == TACREC_CLOCK_TSC ? "x86-tsc" : "mono";
    c->release = tracefs_instance_file_open(c->instance, "free_buffer", O_WRONLY | O_CLOEXEC);
    tracefs_option_enable(c->instance, TRACEFS_OPTION_DISABLE_ON_FREE);
    tracefs_option_disable(c->instance, TRACEFS_OPTION_RECORD_CMD);
    if (tracefs_instance_file_write(c->instance, "trace_clock", clock) < 0) return failSystem(problem, "clock ", clock);
    if (tracefs_instance_set_buffer_size(c->instance, bytes / 1024 + 1, -1) < 0)
        return failSystem(problem, "its buffers cannot be made", "");
    return true;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Does an event fit "SYSTEM:EVENT", or a pattern of either? */
static bool fits(const char *pattern, const char *system, const char *name) {
    const char *colon = strchr(pattern, ':');
    char first[PATTERN];
    if (!colon) return !fnmatch(pattern, system, 0) || !fnmatch(pattern, name, 0);
    snprintf(first, sizeof first, "%.*s", (int) (colon - pattern), pattern);
    return !fnmatch(first, system, 0) && !fnmatch(colon + 1, name, 0);
}

static bool isChosen(const tacCapture *c, const char *system, const char *name, size_t *place) {
    for (*place = 0; *place < c->chosenCount; ++*place)
        if (!strcmp(c->chosen[*place].name, name) && !strcmp(c->chosen[*place].system, system)) return true;
    return false;
}

static void dropChosen(tacCapture *c, size_t place) {
    free(c->chosen[place].system);
    free(c->chosen[place].name);
    memmove(&c->chosen[place], &c->chosen[place + 1], (--c->chosenCount - place) * sizeof *c->chosen);
}

static bool addChosen(tacCapture *c, const char *system, const char *name) {
    Chosen *more = roomFor(c->chosen, c->chosenCount, sizeof *more);
    if (!more) return false;
    c->chosen = more;
    Chosen *chosen = &more[c->chosenCount];
    chosen->system = strdup(system);
    chosen->name = strdup(name);
    if (chosen->system && chosen->name) return c->chosenCount++, true;
    free(chosen->system);
    free(chosen->name);
    return false;
}

/* Adds the events that fit a pattern, or takes them away. *found: how many there are. */
static bool chooseBy(tacCapture *c, const char *pattern, bool add, size_t *found, tacCaptureProblem *problem) {
    bool ok = true;
    char **systems = tracefs_event_systems(NULL);
    *found = 0;
    for (char **system = systems; system && *system && ok; system++) {
        const char *colon = strchr(pattern, ':');
        char only[PATTERN];
        snprintf(only, sizeof only, "%.*s", colon ? (int) (colon - pattern) : 1, colon ? pattern : "*");
        if (fnmatch(only, *system, 0) || !strcmp(*system, "ftrace")) continue;
        char **names = tracefs_system_events(NULL, *system);
        for (char **name = names; name && *name && ok; name++) {
            size_t place;
            if (!fits(pattern, *system, *name)) continue;
            ++*found;
            bool had = isChosen(c, *system, *name, &place);
            if (had && !add) dropChosen(c, place);
            if (!had && add && !addChosen(c, *system, *name)) ok = failMemory(problem);
        }
        tracefs_list_free(names);
    }
    tracefs_list_free(systems);
    return ok;
}

/*
 * Chooses events by a list of patterns, in their order; with "-" before one it takes away. `must`: one without any
 * event is an error.
 */
static bool choose(tacCapture *c, const char *list, bool must, tacCaptureProblem *problem) {
    for (const char *at = list; *at;) {
        const char *end = at + strcspn(at, ", \t\n");
        char pattern[PATTERN];
        size_t found;
        bool add = *at != '-';
        at += !add;
        if (end - at >= PATTERN || end == at)
            return fail(problem, "LOOKUP EVENT", "\"%.40s\" is no list of events: SYSTEM:EVENT,...", list);
        snprintf(pattern, sizeof pattern, "%.*s", (int) (end - at), at);
        if (!chooseBy(c, pattern, add, &found, problem)) return false;
        if (must && !found)
            return fail(problem, "LOOKUP EVENT",
                "the kernel has no event \"%.60s\"; %.100s/available_events lists those that it has", pattern,
                tracefs_tracing_dir());
        at = end + strspn(end, ", \t\n");
    }
    return true;
}

/* Reads the format of an event; NULL: it has none that can be read. */
static struct tep_event *readFormat(tacCapture *c, const char *system, const char *name) {
    int size = 0;
    char *text = tracefs_event_file_read(NULL, system, name, "format", &size);
    if (!text) return NULL;
    tep_parse_event(c->tep, text, (unsigned long) size, system);
    free(text);
    return tep_find_event_by_name(c->tep, system, name);
}

/* Makes the sensors of the chosen events, and lets the kernel write these. */
static bool enable(tacCapture *c, tacCaptureProblem *problem) {
    for (size_t i = 0; i < c->chosenCount; i++) {
        const Chosen *chosen = &c->chosen[i];
        struct tep_event *event = readFormat(c, chosen->system, chosen->name);
        tacCaptureEvent *kind = &c->sensors[c->sensorCount];
        if (!event || event->id < 0 || event->id >= EVENT_IDS || c->sensorCount > UINT16_MAX) continue;
        tacCaptureEventMake(kind, event);
        if (tracefs_event_enable(c->instance, chosen->system, chosen->name) < 0)
            return failSystem(problem, "event ", chosen->name);
        c->byId[event->id] = (uint16_t) c->sensorCount++;
    }
    return true;
}

/* The kernel's names of functions, for the events of timers. */
static void readFunctions(tacCapture *c) {
    size_t size = 0;
    FILE *file = NULL;
    char *text = NULL;
    for (size_t i = 0; i < c->chosenCount && !file; i++)
        if (!strcmp(c->chosen[i].system, "timer")) file = fopen("/proc/kallsyms", "re");
    if (!file) return;
    if (getdelim(&text, &size, 0, file) > 0) tep_parse_kallsyms(c->tep, text);
    free(text);
    fclose(file);
}

/* Makes the sensors that are not of one kind of event. */
static void makeOwnSensors(tacCapture *c) {
    tacCaptureEvent *kind = c->sensors;
    tacCaptureEventBegin(&kind[SENSOR_LOST], "lost");
    tacCaptureEventField(&kind[SENSOR_LOST], "count", TACREC_UNSIGNED, 4);
    tacCaptureEventBegin(&kind[SENSOR_PRINT], "print");
    tacCaptureEventField(&kind[SENSOR_PRINT], "at", TACREC_UNSIGNED, 2);
    tacCaptureEventField(&kind[SENSOR_PRINT], "length", TACREC_UNSIGNED, 2);
    tacCaptureEventField(&kind[SENSOR_PRINT], "text", TACREC_TEXT, PIECE);
    tacCaptureEventBegin(&kind[SENSOR_THREAD], "thread");
    kind[SENSOR_THREAD].said.fieldCount = kind[SENSOR_THREAD].said.size = 0;
    tacCaptureEventField(&kind[SENSOR_THREAD], "pid", TACREC_SIGNED, 4);
    tacCaptureEventField(&kind[SENSOR_THREAD], "process", TACREC_SIGNED, 4);
    tacCaptureEventField(&kind[SENSOR_THREAD], "name", TACREC_TEXT, 16);
    kind[SENSOR_LOST].said.priority = kind[SENSOR_THREAD].said.priority = 4;
    kind[SENSOR_PRINT].said.priority = 2;
    c->sensorCount = SENSOR_EVENTS;
}

static bool makeSensors(tacCapture *c, const char *events, tacCaptureProblem *problem) {
    if (!choose(c, usual, false, problem) || (events && !choose(c, events, true, problem))) return false;
    c->tep = tep_alloc();
    if (!c->tep || !(c->sensors = calloc(SENSOR_EVENTS + c->chosenCount, sizeof *c->sensors)))
        return failMemory(problem);
    tep_set_loglevel(TEP_LOG_NONE);
    tep_set_long_size(c->tep, sizeof(long));
    makeOwnSensors(c);
    struct tep_event *print = readFormat(c, "ftrace", "print");
    c->printId = print ? print->id : -1;
    readFunctions(c);
    return enable(c, problem);
}

/* ---- threads that are there -------------------------------------------------------------------------------------- */

static void addThread(tacCapture *c, const char *process, const char *thread) {
    char path[80];
    Thread t = {atoi(thread), atoi(process), ""};
    snprintf(path, sizeof path, "/proc/%.20s/task/%.20s/comm", process, thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t got = read(file, t.name, sizeof t.name);
    close(file);
    if (got > 0 && t.name[got - 1] == '\n') t.name[got - 1] = 0;
    Thread *more = got > 0 ? roomFor(c->threads, c->threadCount, sizeof *more) : NULL;
    if (!more) return; /* names only: the first switch says them again */
    c->threads = more;
    more[c->threadCount++] = t;
}

/* Calls add for each folder of a number. */
static void eachNumber(tacCapture *c, const char *folder, const char *process,
    void (*add)(tacCapture *, const char *process, const char *number)) {
    DIR *all = opendir(folder);
    for (struct dirent *entry; all && (entry = readdir(all));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            add(c, process ? process : entry->d_name, entry->d_name);
    if (all) closedir(all);
}

static void addProcess(tacCapture *c, const char *process, const char *number) {
    char path[48];
    snprintf(path, sizeof path, "/proc/%.20s/task", number);
    eachNumber(c, path, process, addThread);
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

static uint64_t timeNow(const tacCapture *c) {
    return c->clock == TACREC_CLOCK_TSC ? tacrec_counter(true) : c->hooks.now(c->hooks.data);
}

/* Opens the ring buffers; processors without one are not there. */
static bool openBuffers(tacCapture *c, tacCaptureProblem *problem) {
    int size = 0;
    char *header = tracefs_instance_file_read(NULL, "events/header_page", &size);
    if (header) tep_parse_header_page(c->tep, header, (unsigned long) size, sizeof(long));
    free(header);
    long long kilobytes = 0;
    c->pageSize = (int) sysconf(_SC_PAGESIZE);
    if (!tracefs_instance_file_read_number(c->instance, "buffer_subbuf_size_kb", &kilobytes) && kilobytes > 0
        && kilobytes * 1024 <= LARGEST_PAGE)
        c->pageSize = (int) kilobytes * 1024;
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    c->processors = calloc((size_t) processors, sizeof *c->processors);
    if (!c->processors) return failMemory(problem);
    for (int i = 0; i < processors && i < MOST_PROCESSORS; i++) {
        char path[48];
        snprintf(path, sizeof path, "per_cpu/cpu%d/trace_pipe_raw", i);
        Processor p = {.file = tracefs_instance_file_open(c->instance, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC),
            .which = (uint16_t) i};
        if (p.file < 0) continue;
        p.buffer = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST, KBUFFER_ENDIAN_SAME_AS_HOST);
        p.page = calloc(1, (size_t) c->pageSize);
        if (p.buffer && p.page) {
            c->processors[c->processorCount++] = p;
            continue;
        }
        if (p.buffer) kbuffer_free(p.buffer);
        free(p.page);
        close(p.file);
        return failMemory(problem);
    }
    return c->processorCount ? true : failSystem(problem, "its buffers cannot be opened", "");
}

/*
 * Since 6.14: marks that are written into the main instance are copied here, "1", as long as this one is on; one that
 * is not would keep them from those that began earlier.
 */
static void copyMarks(tacCapture *c, const char *on) {
    tracefs_instance_file_write(c->instance, "options/copy_trace_marker", on);
}

static bool begin(tacCapture *c, const tacCaptureOptions *options, tacCaptureProblem *problem) {
    if (!makeInstance(c, problem) || !setUp(c, options->bytes ? options->bytes : USUAL_BYTES, problem)
        || !makeSensors(c, options->events, problem) || !openBuffers(c, problem))
        return false;
    eachNumber(c, "/proc", NULL, addProcess);
    c->begun = timeNow(c);
    if (tracefs_trace_on(c->instance) < 0) return failSystem(problem, "it does not begin", "");
    copyMarks(c, "1");
    return true;
}

bool tacCaptureBegin(const tacCaptureOptions *options, tacCapture **capture, tacCaptureProblem *problem) {
    static const tacCaptureOptions usually = {NULL, 0};
    tacCapture *c = calloc(1, sizeof *c);
    *capture = NULL;
    if (!c) return failMemory(problem);
    c->release = -1;
    c->clock = tacrec_bestClock(&c->hooks);
    if (!begin(c, options ? options : &usually, problem)) {
        tacCaptureFree(c);
        return false;
    }
    *capture = c;
    return true;
}

void tacCaptureFree(tacCapture *c) {
    if (!c) return;
    tacCaptureStop(c);
    for (size_t i = 0; i < c->processorCount; i++) {
        close(c->processors[i].file);
        kbuffer_free(c->processors[i].buffer);
        free(c->processors[i].page);
    }
    if (c->release >= 0) close(c->release);
    if (c->instance) tracefs_instance_destroy(c->instance);
    if (c->instance) tracefs_instance_free(c->instance);
    if (c->tep) tep_free(c->tep);
    while (c->chosenCount) dropChosen(c, c->chosenCount - 1);
    free(c->chosen);
    free(c->processors);
    free(c->sensors);
    free(c->threads);
    free(c);
}

void tacCaptureStop(tacCapture *c) {
    if (c->instance && !c->stopped) {
        copyMarks(c, "0");
        tracefs_trace_off(c->instance);
    }
    c->stopped = true;
}

uint32_t tacCaptureSensors(const tacCapture *c) { return (uint32_t) c->sensorCount; }

const tacrec_sensorSaid *tacCaptureSensor(const tacCapture *c, uint32_t sensor) { return &c->sensors[sensor].said; }

tacrec_clock tacCaptureClock(const tacCapture *c) { return c->clock; }

tacrec_pair tacCapturePair(const tacCapture *c) {
    tacrec_pair pair;
    tacrec_measure(&c->hooks, &pair);
    if (c->clock != TACREC_CLOCK_TSC) pair.counter = pair.nanoseconds;
    return pair;
}

tacCaptureCounts tacCaptureCount(const tacCapture *c) { return c->counts; }

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct Taker {
    tacCaptureTake *take;
    void *data;
} Taker;

/* Reads pages until there is one with an event, or none. */
static void readPage(tacCapture *c, Processor *p) {
    unsigned long long time;
    p->event = NULL;
    while (!p->event && read(p->file, p->page, (size_t) c->pageSize) > 0) {
        kbuffer_load_subbuffer(p->buffer, p->page);
        int missed = kbuffer_missed_events(p->buffer);
        if (missed) p->lost = missed > 0 && (!p->missing || p->lost) ? p->lost + (uint32_t) missed : 0;
        p->missing |= missed != 0;
        p->event = kbuffer_read_event(p->buffer, &time);
        p->time = time;
    }
}

static bool give(tacCapture *c, uint32_t sensor, uint64_t time, const uint8_t *element, const Taker *taker) {
    return taker->take(taker->data, sensor, c->sensors[sensor].count++, time, element);
}

static void putHead(uint8_t *element, uint32_t number, int32_t pid, uint16_t processor) {
    memcpy(element, &number, 4);
    memcpy(element + 4, &pid, 4);
    memcpy(element + 8, &processor, 2);
}

/* Tells that events are lost before the next one. */
static bool giveLost(tacCapture *c, Processor *p, const Taker *taker) {
    uint8_t element[TACREC_ELEMENT] = {0};
    putHead(element, p->number, -1, p->which);
    memcpy(element + 12, &p->lost, 4);
    p->number += p->lost ? p->lost : 1;
    c->counts.lost += p->lost;
    c->counts.unknown += !p->lost;
    p->missing = false;
    p->lost = 0;
    return give(c, SENSOR_LOST, p->time, element, taker);
}

/* Hands on a mark in pieces. Its text begins behind the header and a word, the place in the kernel. */
static bool givePrint(tacCapture *c, Processor *p, int32_t pid, int size, const Taker *taker) {
    const size_t before = 8 + sizeof(long);
    const uint8_t *text = p->event + before;
    size_t length = (size_t) size > before ? strnlen((const char *) text, (size_t) size - before) : 0;
    while (length && (text[length - 1] == '\n' || text[length - 1] == ' ')) length--;
    if (length > UINT16_MAX) length = UINT16_MAX;
    uint16_t all = (uint16_t) length;
    for (uint16_t at = 0;; at = (uint16_t) (at + PIECE)) {
        uint8_t element[TACREC_ELEMENT] = {0};
        putHead(element, p->number, pid, p->which);
        memcpy(element + 10, &at, 2);
        memcpy(element + 12, &all, 2);
        memcpy(element + PIECE_AT, text + at, all - at < PIECE ? (size_t) (all - at) : PIECE);
        if (!give(c, SENSOR_PRINT, p->time, element, taker)) return false;
        if (all - at <= PIECE) return true;
    }
}

/* Hands on the next event of a processor; those of no sensor have no number. */
static bool giveEvent(tacCapture *c, Processor *p, const Taker *taker) {
    uint16_t id;
    int32_t pid;
    int size = kbuffer_event_size(p->buffer);
    if (p->missing && !giveLost(c, p, taker)) return false;
    memcpy(&id, p->event, 2); /* each event begins with its head, of 8 bytes */
    memcpy(&pid, p->event + 4, 4);
    bool print = id == c->printId, given;
    if (!print && !c->byId[id]) return true;
    if (print) given = givePrint(c, p, pid, size, taker);
    else {
        uint8_t element[TACREC_ELEMENT] = {0};
        putHead(element, p->number, pid, p->which);
        tacCaptureEventMove(&c->sensors[c->byId[id]], c->tep, p->event, size, element);
        given = give(c, c->byId[id], p->time, element, taker);
    }
    p->number++;
    c->counts.events++;
    return given;
}

static void next(tacCapture *c, Processor *p) {
    unsigned long long time;
    p->event = kbuffer_next_event(p->buffer, &time);
    p->time = time;
    if (!p->event) readPage(c, p);
}

/* Processor with the earliest event; *until: time of the earliest of all others. NULL: there is none. */
static Processor *earliest(tacCapture *c, uint64_t *until) {
    Processor *first = NULL;
    *until = UINT64_MAX;
    for (Processor *p = c->processors; p < c->processors + c->processorCount; p++) {
        if (!p->event) continue;
        if (!first || p->time < first->time) {
            if (first) *until = first->time;
            first = p;
        } else if (p->time < *until) *until = p->time;
    }
    return first;
}

/* Hands on the threads that were there at the beginning. */
static bool giveThreads(tacCapture *c, const Taker *taker) {
    bool given = true;
    for (size_t i = 0; i < c->threadCount && given; i++) {
        uint8_t element[TACREC_ELEMENT] = {0};
        memcpy(element, &c->threads[i].pid, 4);
        memcpy(element + 4, &c->threads[i].process, 4);
        memcpy(element + 8, c->threads[i].name, 16);
        given = give(c, SENSOR_THREAD, c->begun, element, taker);
    }
    free(c->threads);
    c->threads = NULL;
    c->threadCount = 0;
    return given;
}

bool tacCaptureRead(tacCapture *c, tacCaptureTake *take, void *data) {
    Taker taker = {take, data};
    uint64_t horizon = c->stopped ? UINT64_MAX : timeNow(c), until;
    if (c->threadCount && !giveThreads(c, &taker)) return false;
    for (size_t i = 0; i < c->processorCount; i++)
        if (!c->processors[i].event) readPage(c, &c->processors[i]);
    for (Processor *p; (p = earliest(c, &until)) && p->time <= horizon;) {
        if (until > horizon) until = horizon;
        while (p->event && p->time <= until) {
            bool given = giveEvent(c, p, &taker);
            next(c, p);
            if (!given) return false;
        }
    }
    return true;
}
