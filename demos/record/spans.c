/*
 * spans.c -- a client, a window server and its parser, watched while they run: four spans of each command, measured by
 * three sensors and the task switches.
 *
 *      cc spans.c $(pkg-config --cflags --libs tactusrec) -o spans
 *      ./spans [COMMANDS]
 *
 *      client                     server                      parser
 *        call  -- request ------>  received
 *          .                         .   ----- begin ------->   . parsing
 *          . command                 .   <---- end ----------   .
 *        return <------ reply ----  replied
 *
 * The example of GRTMon (Riegel 2005, 5.1), where the server is DOpE. Client and server are processes; each writes its
 * own sensors, in the folder of the recorder where one runs. The monitor is their parent: it puts their elements and
 * the task switches of both, which the kernel tells by perf_event_open(2), into one order of time, and runs as a
 * reserved server where that is granted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <tactusrec_evaluate.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 128, WORDS = 32 };

/* ---- what the programs write ------------------------------------------------------------------------------------- */

enum { BEGIN, END }; /* phases */

typedef struct Step { /* of client: call and return; of server: received and replied; of parser: begin and end */
    uint32_t command, phase;
} Step;

static const tacrec_field stepFields[] = {
    {"command", TACREC_UNSIGNED, offsetof(Step, command), 4}, {"phase", TACREC_UNSIGNED, offsetof(Step, phase), 4}};

static void addSensor(tacrec_directory *directory, tacrec_sensor *sensor, const char *name) {
    tacrec_layout layout = {.name = name,
        .kind = TACREC_SIMPLE,
        .size = sizeof(Step),
        .capacity = 4096,
        .fields = stepFields,
        .fieldCount = 2};
    tacrec_add(directory, sensor, &layout);
}

static void note(tacrec_sensor *sensor, uint32_t command, uint32_t phase) {
    Step *step = (Step *) tacrec_write(sensor);
    step->command = command;
    step->phase = phase;
    tacrec_commit(sensor, step);
}

/* ---- the client -------------------------------------------------------------------------------------------------- */

static const char *const lines[] = {"w = new Window()", "w.set(-title \"Speed\" -w 320 -h 200 -x 10 -y 40)",
    "b = new Button()", "b.set(-text \"Stop\")", "w.set(-content b)", "b.bind(\"press\", 17)", "w.open()",
    "l.set(-text \"12.5 km/h\")"};

static void runClient(tacrec_directory *directory, int server, uint32_t commands) {
    static tacrec_sensor sensor;
    char answer;
    addSensor(directory, &sensor, "client");
    for (uint32_t i = 0; i < commands; i++) {
        const char *line = lines[i % (sizeof lines / sizeof *lines)];
        note(&sensor, i, BEGIN);
        if (send(server, line, strlen(line) + 1, MSG_NOSIGNAL) < 0 || recv(server, &answer, 1, 0) != 1) return;
        note(&sensor, i, END);
    }
}

/* ---- the server and its parser ----------------------------------------------------------------------------------- */

/* Splits a line into words at blanks and signs; texts in quotes are one. How many there are. */
static int parse(const char *at, char words[WORDS][LINE]) {
    int count = 0;
    while (*at && count < WORDS) {
        size_t length = strcspn(at, " .=(),\"");
        if (*at == '"') length = strcspn(++at, "\"");
        if (length) snprintf(words[count++], LINE, "%.*s", (int) length, at);
        at += length;
        if (*at) at++;
    }
    return count;
}

static void runServer(tacrec_directory *directory, int client) {
    static tacrec_sensor sensor, parser;
    char line[LINE], words[WORDS][LINE];
    addSensor(directory, &sensor, "server");
    addSensor(directory, &parser, "parser");
    for (uint32_t i = 0; recv(client, line, sizeof line, 0) > 0; i++) {
        note(&sensor, i, BEGIN);
        note(&parser, i, BEGIN);
        char answer = (char) parse(line, words);
        note(&parser, i, END);
        note(&sensor, i, END);
        if (send(client, &answer, 1, MSG_NOSIGNAL) < 0) return;
    }
}

/* A process that begins when a byte comes, and ends when all bytes are gone. */
typedef struct Program {
    pid_t pid;
    int go;
} Program;

static Program start(const char *folder, const char *name, int own, int other, uint32_t commands) {
    static tacrec_directory directory;
    int ready[2], go[2];
    char byte = 0;
    if (pipe2(ready, O_CLOEXEC) || pipe2(go, O_CLOEXEC)) exit(2);
    Program program = {fork(), go[1]};
    if (program.pid) {
        close(ready[1]), close(go[0]);
        if (read(ready[0], &byte, 1) != 1) exit(2);
        close(ready[0]);
        return program;
    }
    close(go[1]), close(other);
    if (tacrec_open(&directory, folder, name, 1 << 20, 0)) _exit(1);
    if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1) _exit(1);
    if (commands) runClient(&directory, own, commands);
    else runServer(&directory, own);
    close(own);
    while (read(go[0], &byte, 1) > 0) continue; /* the monitor has read all */
    tacrec_close(&directory, false);
    _exit(0);
}

/* ---- task switches: a source of one's own ------------------------------------------------------------------------ */

typedef struct Switch {
    uint32_t out, preempted; /* it stops running; though it could go on */
} Switch;

enum { PAGES = 256 };

typedef struct Switches { /* of a process, in a ring that the kernel writes */
    struct perf_event_mmap_page *page;
    const uint8_t *ring;
    uint64_t size, number, missed;
} Switches;

/* Copies bytes of the ring, which may go around its end. */
static void copyRing(const Switches *s, uint64_t at, void *to, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) ((uint8_t *) to)[i] = s->ring[(at + i) % s->size];
}

static int nextSwitch(void *data, uint64_t now, tacrec_read *read) {
    Switches *s = (Switches *) data;
    uint64_t head = __atomic_load_n(&s->page->data_head, __ATOMIC_ACQUIRE);
    (void) now;
    while (s->page->data_tail < head) {
        struct {
            struct perf_event_header header;
            uint64_t words[4]; /* SWITCH: pid and tid, time; LOST: id, how many, pid and tid, time */
        } record;
        copyRing(s, s->page->data_tail, &record, sizeof record.header);
        size_t size = record.header.size < sizeof record ? record.header.size : sizeof record;
        copyRing(s, s->page->data_tail, &record, size);
        __atomic_store_n(&s->page->data_tail, s->page->data_tail + record.header.size, __ATOMIC_RELEASE);
        if (record.header.type == PERF_RECORD_LOST) s->missed += record.words[1];
        if (record.header.type != PERF_RECORD_SWITCH) continue;
        Switch is = {(record.header.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0,
            (record.header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0};
        read->time = record.words[1];
        read->missed = s->missed;
        read->number = s->number += s->missed;
        read->thread = (uint32_t) (record.words[0] >> 32);
        memcpy(read->data, &is, sizeof is);
        s->number++;
        s->missed = 0;
        return 1;
    }
    return 0;
}

/* 0, or what errno says. */
static int watchSwitches(tacrec_evaluator *evaluator, Switches *s, const char *program, pid_t pid) {
    struct perf_event_attr wanted = {.type = PERF_TYPE_SOFTWARE, .size = sizeof wanted};
    wanted.config = PERF_COUNT_SW_DUMMY;
    wanted.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    wanted.context_switch = wanted.sample_id_all = wanted.use_clockid = wanted.exclude_kernel = 1;
    wanted.clockid = CLOCK_MONOTONIC;
    int file = (int) syscall(SYS_perf_event_open, &wanted, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (file < 0) return errno;
    size_t pageSize = (size_t) sysconf(_SC_PAGESIZE);
    void *memory = mmap(NULL, (1 + PAGES) * pageSize, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) return errno;
    *s = (Switches){.page = memory, .ring = (uint8_t *) memory + pageSize, .size = PAGES * pageSize};
    tacrec_entry entry = {.kind = TACREC_SIMPLE, .size = sizeof(Switch), .fieldCount = 2, .name = "switches"};
    entry.fields[0] = (tacrec_fieldEntry){"out", TACREC_UNSIGNED, offsetof(Switch, out), 4};
    entry.fields[1] = (tacrec_fieldEntry){"preempted", TACREC_UNSIGNED, offsetof(Switch, preempted), 4};
    tacrec_input input = {&entry, program, (uint32_t) pid, nextSwitch, NULL, s};
    return tacrec_evaluatorInput(evaluator, &input) ? 0 : ENOMEM;
}

/* ---- spans ------------------------------------------------------------------------------------------------------- */

typedef struct Span {
    tacrec_evaluation evaluation; /* patterns: of the sensor where it begins, where it ends, switches */
    const char *name, *from, *to;
    uint32_t fromPhase, toPhase;
    const char *runs; /* program that runs all the time but for preemption; NULL: none does */
    /* What was found, in nanoseconds: */
    uint64_t count, shortest, longest, sum;
    uint64_t switches, preemptions, stopped; /* away from the processor within spans; how often; how long, of `runs` */
    uint64_t broken;                         /* elements were missed */
    /* The one that is open: */
    bool open;
    uint32_t command;
    uint64_t begin, out; /* out: since when `runs` does not run; 0: it does */
} Span;

static bool is(const tacrec_seen *element, const char *sensor, uint32_t phase) {
    const Step *step = (const Step *) element->read->data;
    return !strcmp(element->entry->name, sensor) && step->phase == phase;
}

/* Wanted are the two elements between which it is, and switches while it is open. */
static bool prepareSpan(void *data, const tacrec_seen *element) {
    const Span *span = (const Span *) data;
    if (!strcmp(element->entry->name, "switches")) return span->open;
    return is(element, span->from, span->fromPhase) || (span->open && is(element, span->to, span->toPhase));
}

static void onSwitch(Span *span, const tacrec_seen *element) {
    const Switch *this = (const Switch *) element->read->data;
    span->switches += this->out;
    span->preemptions += this->preempted;
    if (!span->runs || strcmp(span->runs, element->program)) return;
    if (!this->out && span->out) span->stopped += element->read->time - span->out;
    span->out = this->out ? element->read->time : 0;
}

static void commitSpan(void *data, const tacrec_seen *element) {
    Span *span = (Span *) data;
    const Step *step = (const Step *) element->read->data;
    uint64_t time = element->read->time;
    span->broken += element->read->missed;
    if (!strcmp(element->entry->name, "switches")) onSwitch(span, element);
    else if (is(element, span->from, span->fromPhase)) {
        span->open = true;
        span->command = step->command;
        span->begin = time;
        span->out = 0;
    } else if (step->command == span->command) {
        uint64_t lasted = time - span->begin;
        if (!span->count || lasted < span->shortest) span->shortest = lasted;
        if (lasted > span->longest) span->longest = lasted;
        span->sum += lasted;
        span->count++;
        span->open = false;
    }
}

static Span spans[] = {{.name = "command", .from = "client", .fromPhase = BEGIN, .to = "client", .toPhase = END},
    {.name = "request", .from = "client", .fromPhase = BEGIN, .to = "server", .toPhase = BEGIN},
    {.name = "parsing", .from = "parser", .fromPhase = BEGIN, .to = "parser", .toPhase = END, .runs = "server"},
    {.name = "reply", .from = "server", .fromPhase = END, .to = "client", .toPhase = END}};
enum { SPANS = sizeof spans / sizeof *spans };

static void printSpans(bool switches) {
    printf("%-8s %9s %9s %9s %9s", "span", "times", "shortest", "average", "longest");
    printf(switches ? " %9s %9s %9s\n" : "%.0s%.0s%.0s\n", "switches", "preempted", "stopped");
    for (int i = 0; i < SPANS; i++) {
        const Span *s = &spans[i];
        printf("%-8s %9llu %9.1f %9.1f %9.1f", s->name, (unsigned long long) s->count, (double) s->shortest / 1e3,
            s->count ? (double) s->sum / 1e3 / (double) s->count : 0, (double) s->longest / 1e3);
        if (switches) printf(" %9llu %9llu", (unsigned long long) s->switches, (unsigned long long) s->preemptions);
        if (switches && s->runs) printf(" %9.1f", (double) s->stopped / 1e3);
        if (switches && !s->runs) printf(" %9s", "-");
        printf("\n");
    }
}

/* ---- the monitor ------------------------------------------------------------------------------------------------- */

static uint32_t done, commandCount; /* done: the last command has returned, or a program has ended */

static void onChild(int number) {
    (void) number;
    __atomic_store_n(&done, 1u, __ATOMIC_RELEASE);
}

static void commitLast(void *data, const tacrec_seen *element) {
    const Step *step = (const Step *) element->read->data;
    (void) data;
    if (step->phase == END && step->command == commandCount - 1) __atomic_store_n(&done, 1u, __ATOMIC_RELEASE);
}

static void addEvaluations(tacrec_evaluator *evaluator) {
    static tacrec_evaluation last = {.sensors = {"client"}, .program = "client", .late = true, .commit = commitLast};
    for (int i = 0; i < SPANS; i++) {
        spans[i].evaluation = (tacrec_evaluation){.sensors = {spans[i].from, spans[i].to, "switches"},
            .prepare = prepareSpan,
            .commit = commitSpan,
            .data = &spans[i]};
        tacrec_evaluatorAdd(evaluator, &spans[i].evaluation);
    }
    tacrec_evaluatorAdd(evaluator, &last);
}

/* Lets both programs go, and evaluates until the last command has returned. */
static tacrec_service serve(tacrec_evaluator *evaluator, const Program programs[2]) {
    tacrec_service service = {.period = 5000000, .budget = 1000000, .look = 5000000};
    struct sigaction action = {.sa_handler = onChild};
    sigaction(SIGCHLD, &action, NULL);
    for (int i = 0; i < 2; i++)
        if (write(programs[i].go, "", 1) != 1) exit(2);
    tacrec_reserve(&service);
    tacrec_evaluatorServe(evaluator, &service, &done);
    return service;
}

int main(int argc, char **argv) {
    static const char *const reserved[] = {"best effort", "SCHED_FIFO", "SCHED_DEADLINE"};
    static Switches switches[2];
    char own[] = "/dev/shm/spans-XXXXXX", *folder = getenv("TACTUS_RECORD");
    int channel[2], problem = 0;
    commandCount = argc > 1 ? (uint32_t) strtoul(argv[1], NULL, 10) : 1000;
    if (!folder) folder = mkdtemp(own);
    if (!commandCount || !folder || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel)) return 2;
    Program programs[2] = {start(folder, "server", channel[0], channel[1], 0)};
    programs[1] = start(folder, "client", channel[1], channel[0], commandCount);
    close(channel[0]), close(channel[1]);
    tacrec_evaluator *evaluator = tacrec_evaluatorNew(20000000);
    addEvaluations(evaluator);
    for (int i = 0; i < 2 && !problem; i++)
        problem = watchSwitches(evaluator, &switches[i], i ? "client" : "server", programs[i].pid);
    if (tacrec_evaluatorWatch(evaluator, folder, 0)) return 2;
    tacrec_service service = serve(evaluator, programs);
    tacrec_evaluated count = tacrec_evaluatorCount(evaluator);
    printf("the monitor has %s; %llu elements, %llu late, %llu missed; times in microseconds\n",
        reserved[service.reserved], (unsigned long long) count.elements, (unsigned long long) count.late,
        (unsigned long long) count.missed);
    if (problem) printf("task switches are not told: %s (see perf_event_open(2))\n", strerror(problem));
    printSpans(!problem);
    for (int i = 0; i < 2; i++) close(programs[i].go);
    while (wait(NULL) > 0) continue;
    tacrec_evaluatorFree(evaluator);
    if (folder == own) rmdir(folder);
    return count.missed || count.late || spans[0].count != commandCount;
}
