/*
 * child.c -- the child's half of a worker: a sink that sends, a clock that counts evaluation, and an orderly end.
 *
 * Time is counted by SIGPROF (every 10 ms of this process' CPU time), which looks whether a script command is being
 * evaluated: no clock is read per command. The same signal ends a command that does not return. An early end for a
 * reason of the child's own goes through die(): it notes the reason in the shared page, and leaves by _exit, so that
 * neither exit handlers nor buffers of the parent run twice. Records that were not sent yet are in that page, too.
 */
#include "base/port.h"

#include "child.h"
#include "confine.h"
#include "read/sandbox.h"
#include "wire.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    SAMPLE = 10000,        /* microseconds of CPU time between two SIGPROF */
    SIGNAL_STACK = 1 << 16 /* bytes for handlers, since the ordinary stack may be what ran out */
};

/* The state of this process as a worker. */
typedef struct ChildWorker {
    tacWorkerPage *page; /* NULL: this process is not a worker */
    int fd;              /* to the parent */
    const char **names;  /* of all commands, to a NULL */
    tacReadOptions options;
    bool wait;             /* commands wait for their result */
    uint64_t hardLimit;    /* nanoseconds of evaluation after which the process ends itself; 0: none */
    uint64_t sampled;      /* CPU time of the process at the last SIGPROF, nanoseconds */
    char *stackTop;        /* an address near the beginning of the stack */
    tacWorkerEvent *event; /* called for each event when the body has ended; NULL: the worker ends then */
    void *eventData;
    uint32_t position; /* of the event that is handled; 0 as well while reading */
    bool serving;      /* the body has ended */
} ChildWorker;

/* Global, since signal handlers have no argument for it, and a process is a worker only once. */
static ChildWorker self;
static char signalStack[SIGNAL_STACK];

/* ---- the end ----------------------------------------------------------------------------------------------------- */

/* Ends the process for a reason that the parent can read. */
_Noreturn static void die(tacDeath death) {
    self.page->death = death;
    _exit(1);
}

/* Ends the process because the parent listens no more. */
_Noreturn static void leave(void) { _exit(1); }

void tacWorkerOutOfMemory(void) {
    if (self.page) die(TAC_DEATH_MEMORY);
}

/* CPU time of this process in nanoseconds. */
static uint64_t cpuNanos(void) {
    struct timespec t;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0) return 0;
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* Handles SIGPROF: notes time and memory, and ends a process that has used too much of them. */
static void onSample(int signal) {
    (void) signal;
    uint64_t now = cpuNanos();
    if (self.page->evaluating) self.page->nanos += now - self.sampled;
    self.sampled = now;
    self.page->memory = (uint64_t) tacConfineGrowth();
    if (self.hardLimit && self.page->evaluating && self.page->nanos > self.hardLimit) die(TAC_DEATH_TIME);
    if (tacConfineExceeded()) die(TAC_DEATH_MEMORY);
}

/* Handles a fatal signal. An address in the largest possible stack means that the stack ran out. */
static void onFault(int signal, siginfo_t *info, void *context) {
    (void) context;
    char *at = info->si_addr;
    bool stack = (signal == SIGSEGV || signal == SIGBUS) && at < self.stackTop
        && self.stackTop - at < (ptrdiff_t) 80 << 20;
    die(stack ? TAC_DEATH_STACK : TAC_DEATH_CRASH);
}

/* Replaces the parent's handlers. The terminal's interrupt is ignored: the parent decides about it. */
static void handleSignals(void) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int i = 1; i < 32; i++)
        if (i != SIGKILL && i != SIGSTOP) sigaction(i, &plain, NULL);
    plain.sa_handler = SIG_IGN;
    sigaction(SIGINT, &plain, NULL);
    sigaction(SIGPIPE, &plain, NULL);
    sigaltstack(&(stack_t){.ss_sp = signalStack, .ss_size = sizeof signalStack}, NULL);
    struct sigaction fault = {.sa_sigaction = onFault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigaction(faults[i], &fault, NULL);
}

/* Begins to watch the time; later no timer can be set. */
static int watchTime(void) {
    const struct sigaction sample = {.sa_handler = onSample, .sa_flags = SA_RESTART | SA_ONSTACK};
    const struct itimerval each = {{0, SAMPLE}, {0, SAMPLE}};
    sigset_t none;
    sigemptyset(&none);
    self.sampled = cpuNanos();
    bool done = sigaction(SIGPROF, &sample, NULL) == 0 && sigprocmask(SIG_SETMASK, &none, NULL) == 0
        && setitimer(ITIMER_PROF, &each, NULL) == 0;
    return done ? 0 : errno;
}

/* ---- for the sandbox --------------------------------------------------------------------------------------------- */

void tacWorkerLine(uint32_t line) {
    if (!self.page) return;
    if (line) self.page->line = line;
    self.page->evaluating = line != 0;
}

double tacWorkerSeconds(void) { return self.page ? (double) self.page->nanos * 1e-9 : -1; }

void tacWorkerWait(bool wait) { self.wait = wait; }

/* ---- the sink that sends ----------------------------------------------------------------------------------------- */

/* Adds a record to the batch. */
static void put(tacWireKind kind, uint16_t flag, uint32_t line, const tacWord *words, size_t count) {
    if (!tacWirePut(&self.page->batch, self.fd, kind, flag, line, words, count)) leave();
}

/* Waits for the parent's answer, whose text is added to *result. */
static tacStatus answer(tacText *result, tacError *err) {
    tacWireAnswer answer;
    char text[4096];
    if (!tacWireFlush(&self.page->batch, self.fd) || !tacWireReceive(self.fd, &answer, sizeof answer)) leave();
    while (answer.length) {
        size_t n = answer.length < sizeof text ? answer.length : sizeof text;
        if (!tacWireReceive(self.fd, text, n)) leave();
        if (result) tacTextAdd(result, text, n);
        answer.length -= (uint32_t) n;
    }
    if (answer.status == TAC_OK) return TAC_OK;
    return tacFail(err, answer.err.code, "%s", answer.err.message);
}

static tacStatus tooLong(tacError *err) {
    return tacFail(err, "SCRIPT LENGTH", "the command is longer than %d MB", TAC_WIRE_LARGEST >> 20);
}

static tacStatus sendCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    (void) data;
    if (!tacWireSize(words, (size_t) count)) return tooLong(err);
    put(TAC_WIRE_COMMAND, self.wait, line, words, (size_t) count);
    return self.wait ? answer(NULL, err) : TAC_OK;
}

/* Those that register handlers belong to the sandbox. */
static bool isCommand(void *data, const char *name, size_t length) {
    (void) data;
    for (const char **known = self.names; *known; known++)
        if (strlen(*known) == length && memcmp(*known, name, length) == 0) return !tacSandboxRegisters(name, length);
    return false;
}

static bool askHasBody(const tacWord *words, int count) {
    tacError no;
    if (!tacWireSize(words, (size_t) count)) return false;
    put(TAC_WIRE_BODY, 0, 0, words, (size_t) count);
    return answer(NULL, &no) == TAC_OK;
}

static tacStatus sendQuery(void *data, const tacWord *words, int count, uint32_t line, tacText *result, tacError *err) {
    (void) data;
    if (!tacWireSize(words, (size_t) count)) return tooLong(err);
    put(TAC_WIRE_QUERY, result != NULL, self.serving ? self.position : line, words, (size_t) count);
    return answer(result, err);
}

static void sendReport(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    (void) data;
    tacWord words[2] = {{kind, strlen(kind)}, {text, strlen(text)}};
    if (tacWireSize(words, 2)) put(TAC_WIRE_REPORT, (uint16_t) severity, line, words, 2);
}

/* Also sends everything collected, since it is called from time to time. Only the parent can cancel. */
static bool sendProgress(void *data, uint64_t bytesRead, uint64_t total) {
    (void) data;
    uint64_t numbers[2] = {bytesRead, total};
    put(TAC_WIRE_PROGRESS, 0, 0, &(tacWord){(const char *) numbers, sizeof numbers}, 1);
    if (!tacWireFlush(&self.page->batch, self.fd)) leave();
    return true;
}

/* Tells the parent that the body, or the handling of events, has ended. */
static void sendDone(tacStatus status, const tacError *err) {
    put(TAC_WIRE_DONE, (uint16_t) status, self.serving, &(tacWord){(const char *) err, sizeof *err}, 1);
    if (!tacWireFlush(&self.page->batch, self.fd)) leave();
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

void tacWorkerText(void *buffer, size_t size, size_t *got, tacError *damage, bool *cut) {
    tacWireAnswer head;
    *got = 0;
    put(TAC_WIRE_TEXT, 0, (uint32_t) (size < TAC_WIRE_BATCH ? size : TAC_WIRE_BATCH), NULL, 0);
    if (!tacWireFlush(&self.page->batch, self.fd) || !tacWireReceive(self.fd, &head, sizeof head) || head.length > size)
        leave();
    if (!tacWireReceive(self.fd, buffer, head.length)) leave();
    *got = head.length;
    if (*got > 0 || !head.err.code[0]) return;
    *damage = head.err;
    *cut = head.status != TAC_OK;
}

char *tacWorkerSaid(void) { return self.page ? self.page->said : NULL; }

/* ---- events ------------------------------------------------------------------------------------------------------ */

void tacWorkerServe(tacWorkerEvent *event, void *data) {
    self.event = event;
    self.eventData = data;
}

/* Receives a whole batch of events, so that answers can come while they are handled. false: there are no more. */
static bool receiveBatch(tacWireReader *batch) {
    tacWireLength length;
    if (!tacWireReceive(self.fd, &length, sizeof length)) leave();
    if (length == 0) return false;
    if (length > batch->capacity) {
        char *grown = tacRealloc(batch->at, length);
        if (!grown) die(TAC_DEATH_MEMORY);
        batch->at = grown;
        batch->capacity = length;
    }
    if (!tacWireReceive(self.fd, batch->at, length)) leave();
    batch->begin = 0;
    batch->end = length;
    return true;
}

/* Handles the events of a batch. */
static tacStatus handleBatch(tacWireReader *batch, tacError *err) {
    tacWireRecord record;
    tacWireNext next;
    while ((next = tacWireTake(batch, &record)) == TAC_WIRE_RECORD) {
        uint32_t numbers[2];
        memcpy(numbers, record.words[0].at, sizeof numbers);
        self.position = numbers[0];
        if (self.event(self.eventData, record.words + 1, record.count - 1, (int) numbers[1], err) != TAC_OK)
            return TAC_ERROR;
    }
    if (next == TAC_WIRE_NO_MEMORY) die(TAC_DEATH_MEMORY);
    put(TAC_WIRE_HANDLED, 0, 0, NULL, 0);
    if (!tacWireFlush(&self.page->batch, self.fd)) leave();
    return TAC_OK;
}

/* ---- the beginning ----------------------------------------------------------------------------------------------- */

/* What a worker begins with. */
typedef struct Beginning {
    tacWireReader reader; /* holds the words */
    tacWireStart start;
    const tacWord *body;
    tacWorkerCall call;
    tacFile file;
} Beginning;

/* Receives the first record, from the parent, which is trusted. */
static void receiveStart(Beginning *b) {
    tacWireHeader header;
    tacWireRecord record;
    if (!tacWireReceive(self.fd, &header, sizeof header)) leave();
    b->reader.at = tacAlloc(header.size);
    if (!b->reader.at) die(TAC_DEATH_MEMORY);
    memcpy(b->reader.at, &header, sizeof header);
    if (!tacWireReceive(self.fd, b->reader.at + sizeof header, header.size - sizeof header)) leave();
    b->reader.end = header.size;
    if (tacWireTake(&b->reader, &record) != TAC_WIRE_RECORD) leave();
    memcpy(&b->start, record.words[0].at, sizeof b->start);
    b->body = record.words + 1;
}

/* Makes texts of the names of commands. */
static const char **namesOf(const tacWord *words, int count) {
    const char **names = tacAllocZero((size_t) count + 1, sizeof *names);
    for (int i = 0; names && i < count; i++)
        if (!(names[i] = tacCopyText(words[i].at, words[i].length))) names = NULL;
    if (!names) die(TAC_DEATH_MEMORY);
    return names;
}

/* Makes options and arguments of the first record. */
static void readStart(Beginning *b, int file) {
    const tacWireStart *start = &b->start;
    const tacWord *arguments = b->body + 1, *variables = arguments + start->arguments;
    static tacHandlers *nowhere; /* handlers stay here; that they are wanted is what counts */
    self.options = (tacReadOptions){.timeLimit = start->timeLimit,
        .commandLimit = start->commandLimit,
        .memoryLimit = start->memoryLimit,
        .scriptOnly = start->scriptOnly,
        .growing = start->growing,
        .tellCut = start->tellCut,
        .variables = variables,
        .nVariables = start->variables,
        .handlers = start->handlers ? &nowhere : NULL};
    self.names = namesOf(variables + start->variables, start->names);
    b->file = (tacFile){.handle = file, .size = start->fileSize, .regular = start->fileRegular};
    b->call = (tacWorkerCall){arguments, start->arguments, start->hasFile ? &b->file : NULL, &self.options};
}

/*
 * Seconds of processor time for the process in all, a wall behind the limit of evaluation: reading has ten minutes, and
 * a second more for each megabyte. 0: none, as for a file that grows.
 */
static int64_t allSeconds(const tacWireStart *start) {
    enum { READING = 600 };
    if (!self.hardLimit || start->growing) return 0;
    return (int64_t) (self.hardLimit / 1000000000) + READING + (int64_t) ((start->textSize + start->fileSize) >> 20);
}

static tacWorkerBody *findBody(const tacWorkerRow *bodies, const tacWord *name) {
    while (bodies->name && !tacWordIs(name, bodies->name)) bodies++;
    return bodies->run;
}

/* Handles events as they come, if the body has asked for that; `status` is the body's. */
static tacStatus serve(tacStatus status, tacError *err) {
    tacWireReader batch = {0};
    self.serving = status == TAC_OK && self.event;
    if (!self.serving) return status;
    sendDone(status, err);
    while (status == TAC_OK && receiveBatch(&batch)) status = handleBatch(&batch, err);
    self.serving = false;
    return status;
}

/* Gets ready for the body: signals, the clock, walls. */
static tacStatus begin(const Beginning *b, int file, tacError *err) {
    double limit = tacTimeLimit(&self.options), grace = limit / 8 > 0.5 ? limit / 8 : 0.5;
    self.hardLimit = limit > 0 ? (uint64_t) ((limit + grace) * 1e9) : 0;
    handleSignals();
    tacConfineNeeds needs = {
        tacMemoryLimit(&self.options), allSeconds(&b->start), b->start.copies, {self.fd, file}, watchTime};
    return tacConfine(&needs, &self.page->walls, err);
}

_Noreturn void tacWorkerChild(int fd, int page, int file, const tacWorkerRow *bodies) {
    static Beginning b; /* zero */
    tacError err = {"", ""};
    self = (ChildWorker){.fd = fd, .stackTop = (char *) &err};
    self.page = mmap(NULL, sizeof *self.page, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    if (self.page == MAP_FAILED) _exit(1);
    receiveStart(&b);
    readStart(&b, file);
    tacSink sender = {NULL, sendCommand, isCommand, sendQuery, sendReport, b.start.progress ? sendProgress : NULL,
        self.names, NULL, b.start.bodies ? askHasBody : NULL, NULL, NULL};
    tacWorkerBody *body = findBody(bodies, b.body);
    tacStatus status = begin(&b, file, &err);
    if (status == TAC_OK) status = body ? body(&b.call, &sender, &err) : tacFail(&err, "LIMIT PROCESS", "no such work");
    status = serve(status, &err);
    if (status != TAC_OK && strcmp(err.code, "MEMORY") == 0 && tacConfineTight()) die(TAC_DEATH_MEMORY);
    sendDone(status, &err);
    _exit(0);
}
