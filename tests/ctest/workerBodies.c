/*
 * workerBodies.c -- what a worker of the tests can do besides what all can: evaluate a script, and what testSandbox.c
 * describes (testworker).
 */
#define _GNU_SOURCE /* memmem */
#include <tcl.h>

#include "base/port.h"

#include "../../unix/wire.h"
#include "evaluate.h"
#include "import/kernel/apart.h"
#include "import/logLook.h"
#include "import/stranger.h"
#include "read/worker.h"
#include "trace/store.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static tacStatus bodySend(const tacSink *sink, long n, tacError *err) {
    for (long i = 0; i < n; i++) {
        char time[24];
        int length = snprintf(time, sizeof time, "%ld", i);
        tacWord words[] = {{"plot", 4}, {time, (size_t) length}, {"jobResumed", 10}, {"task1.1", 7}};
        if (sink->command(sink->data, words, 4, (uint32_t) (i + 1), err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

static tacStatus bodyLong(const tacSink *sink, long n, tacError *err) {
    char *text = tacAlloc((size_t) n + 1);
    if (!text) return tacFailMemory(err);
    memset(text, 'x', (size_t) n);
    tacWord words[] = {{"plot", 4}, {text, (size_t) n}, {"end", 3}};
    tacStatus status = sink->command(sink->data, words, 3, 1, err);
    tacFree(text);
    return status;
}

static tacStatus bodyCrash(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n, (void) err;
    *(volatile char *) (uintptr_t) n = 1;
    return TAC_OK;
}

static tacStatus bodyAbort(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n, (void) err;
    abort();
}

static tacStatus bodyExit(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) err;
    _exit((int) n);
}

static tacStatus bodyEmpty(const tacSink *sink, long n, tacError *err) {
    (void) n;
    return sink->command(sink->data, NULL, 0, 0, err);
}

/* Words that are no text; of the third kind both together would be. */
static tacStatus bodyUnclean(const tacSink *sink, long n, tacError *err) {
    static const tacWord words[][3] = {{{"plot", 4}, {"a\xC0\x80", 3}, {"b", 1}}, {{"plot", 4}, {"a", 1}, {"\xFF", 1}},
        {{"plot", 4}, {"a\xC3", 2}, {"\xA4", 1}}, {{"plot", 4}, {"a\xC3\xA4", 3}, {"\xF0\x9F\x98\x80", 4}}};
    return sink->command(sink->data, words[n % 4], 3, 7, err);
}

static tacStatus bodyLoop(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n, (void) err;
    for (volatile long i = 0; i < LONG_MAX; i++) {}
    return TAC_OK;
}

/* Keeps hold of all the blocks, each of which points to the one before. */
static tacStatus bodyAllocate(const tacSink *sink, long n, tacError *err) {
    static void **newest;
    (void) sink;
    for (long i = 0; i < n; i++) {
        void **block = tacAlloc(1 << 20);
        if (!block) return tacFailMemory(err);
        memset(block, 1, 1 << 20);
        *block = newest;
        newest = block;
    }
    return TAC_OK;
}

/* Memory that counts for no process's data. */
static tacStatus bodyShare(const tacSink *sink, long n, tacError *err) {
    (void) sink;
    for (long i = 0; i < n; i++)
        if (mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
            return tacFail(err, "TEST DENIED", "denied");
    return TAC_OK;
}

static volatile char sinkhole;

static int recurse(int depth) {
    volatile char frame[4096];
    frame[depth % 4096] = (char) depth;
    int below = depth < INT_MAX ? recurse(depth + 1) : 0;
    sinkhole = frame[below % 4096];
    return below;
}

static tacStatus bodyStack(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n, (void) err;
    recurse(0);
    return TAC_OK;
}

static tacStatus bodyFail(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n;
    return tacFail(err, "TEST FAIL", "the body failed");
}

static tacStatus denied(tacError *err, int result) {
    return result < 0 ? tacFail(err, "TEST DENIED", "denied") : tacFail(err, "TEST ALLOWED", "allowed");
}

static tacStatus bodyOpen(const tacSink *sink, long n, tacError *err) {
    if (bodySend(sink, n, err) != TAC_OK) return TAC_ERROR;
    return denied(err, open("/etc/passwd", O_RDONLY));
}

static tacStatus bodyKill(const tacSink *sink, long n, tacError *err) {
    if (bodySend(sink, n, err) != TAC_OK) return TAC_ERROR;
    return denied(err, raise(SIGKILL));
}

static tacStatus bodySocket(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n;
    return denied(err, socket(AF_INET, SOCK_STREAM, 0));
}

static tacStatus bodyFork(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n;
    return denied(err, fork());
}

/* The sockets of this process; *last is one of them. The C library's fstat takes a path, too, which is refused. */
static int countSockets(int *last) {
    struct stat stat;
    int n = 0;
    for (int fd = 0; fd < 1024; fd++)
        if (syscall(SYS_fstat, fd, &stat) == 0 && S_ISSOCK(stat.st_mode)) n++, *last = fd;
    return n;
}

static tacStatus bodySockets(const tacSink *sink, long n, tacError *err) {
    int last = -1;
    (void) sink, (void) n;
    return tacFail(err, "TEST SOCKETS", "%d", countSockets(&last) - 1);
}

static tacStatus bodyFiles(const tacSink *sink, long n, tacError *err) {
    struct stat stat;
    int open = 0;
    (void) sink, (void) n;
    for (int fd = 0; fd < 1024; fd++) open += syscall(SYS_fstat, fd, &stat) == 0;
    return tacFail(err, "TEST FILES", "%d", open);
}

static tacStatus bodyStat(const tacSink *sink, long n, tacError *err) {
    struct stat data;
    (void) sink, (void) n;
    return denied(err, stat("/etc/passwd", &data));
}

static tacStatus bodyCode(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n;
    void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return denied(err, at == MAP_FAILED ? -1 : 0);
}

static tacStatus bodyProtect(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n;
    void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return denied(err, mprotect(at, 4096, PROT_READ | PROT_EXEC));
}

static tacStatus bodySignal(const tacSink *sink, long n, tacError *err) {
    (void) sink, (void) n;
    return denied(err, (int) syscall(SYS_tgkill, 1, 1, 0));
}

/* A call of i386, by its own door: number 20 is getpid there, writev here. */
static tacStatus bodyI386(const tacSink *sink, long n, tacError *err) {
    long result = -1;
    (void) sink, (void) n;
#ifdef __x86_64__
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
#endif
    return denied(err, result > 0 ? 0 : -1);
}

/* Any system call, by its number, with arguments that none can use. */
static tacStatus bodyCall(const tacSink *sink, long n, tacError *err) {
    (void) sink;
    return denied(err, (int) syscall(n, -1L, -1L, -1L, -1L, -1L, -1L));
}

static void wait20(void) { nanosleep(&(struct timespec){20, 0}, NULL); }

static tacStatus bodySilent(const tacSink *sink, long n, tacError *err) {
    struct {
        tacWireHeader header;
        uint32_t length;
        tacError err;
    } record = {{sizeof record, TAC_WIRE_DONE, 0, 0, 1}, sizeof(tacError), {"", ""}};
    int fd = -1;
    (void) sink, (void) n, (void) err;
    countSockets(&fd);
    send(fd, &record, sizeof record, MSG_NOSIGNAL);
    wait20();
    return TAC_OK;
}

static tacStatus bodyGone(const tacSink *sink, long n, tacError *err) {
    int fd = -1;
    (void) sink, (void) n, (void) err;
    countSockets(&fd);
    close(fd);
    wait20();
    return TAC_OK;
}

static tacStatus bodyDeaf(const tacSink *sink, long n, tacError *err) {
    struct {
        tacWireHeader header;
        uint32_t length;
        char id[4];
    } record = {{sizeof record, TAC_WIRE_QUERY, 0, 0, 1}, 4, "none"};
    int fd = -1;
    (void) sink, (void) n, (void) err;
    countSockets(&fd);
    for (time_t end = time(NULL) + 20; time(NULL) < end;) send(fd, &record, sizeof record, MSG_NOSIGNAL | MSG_DONTWAIT);
    return TAC_OK;
}

/* Mostly headers that are nearly right, since others end the stream at once. */
static tacStatus bodyGarbage(const tacSink *sink, long n, tacError *err) {
    uint32_t noise = (uint32_t) n * 2654435761u + 1, bytes[64];
    int fd = -1;
    (void) sink, (void) err;
    countSockets(&fd);
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 64; k++)
            noise = noise * 1664525u + 1013904223u, bytes[k] = (noise >> 8) % 7 ? noise >> 28 : noise;
        tacWireHeader header = {bytes[0] % 5 ? 4 * (4 + bytes[1] % 60) : bytes[1], (uint16_t) (bytes[2] % 8),
            (uint16_t) (bytes[3] % 4), bytes[4], bytes[5] % 9};
        memcpy(bytes, &header, sizeof header);
        if (send(fd, bytes, bytes[6] % 50 ? header.size % 257 : 13, MSG_NOSIGNAL) < 0) break;
    }
    _exit(0);
}

static const struct {
    const char *what;
    tacStatus (*run)(const tacSink *sink, long n, tacError *err);
} bodies[] = {
    {"send", bodySend},
    {"long", bodyLong},
    {"crash", bodyCrash},
    {"abort", bodyAbort},
    {"empty", bodyEmpty},
    {"exit", bodyExit},
    {"unclean", bodyUnclean},
    {"loop", bodyLoop},
    {"allocate", bodyAllocate},
    {"share", bodyShare},
    {"stack", bodyStack},
    {"fail", bodyFail},
    {"open", bodyOpen},
    {"kill", bodyKill},
    {"socket", bodySocket},
    {"fork", bodyFork},
    {"files", bodyFiles},
    {"stat", bodyStat},
    {"code", bodyCode},
    {"protect", bodyProtect},
    {"signal", bodySignal},
    {"i386", bodyI386},
    {"call", bodyCall},
    {"sockets", bodySockets},
    {"silent", bodySilent},
    {"gone", bodyGone},
    {"deaf", bodyDeaf},
    {"garbage", bodyGarbage},
};

static tacStatus evaluate(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    tacSandbox *sandbox;
    return evaluateScript(call->words[0].at, call->words[0].length, call->options, sink, &sandbox, err);
}

/* Every body first sends three commands, then does what it is for while line 7 is evaluated. */
static tacStatus run(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    const tacWord *what = &call->words[0];
    long n;
    memcpy(&n, call->words[1].at, sizeof n);
    if (!tacWordIs(what, "send") && bodySend(sink, 3, err) != TAC_OK) return TAC_ERROR;
    tacWorkerLine(7);
    tacStatus status = tacFail(NULL, "TEST", "no such body");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (tacWordIs(what, bodies[i].what)) status = bodies[i].run(sink, n, err);
    tacWorkerLine(0);
    return status;
}

/* ---- recordings (testStranger.c) --------------------------------------------------------------------------------- */

static const tacStore *watched;

/* Asks for what is forbidden, in the middle of the reading. */
static void violate(int signal) {
    (void) signal;
    if (watched->line.count > 1000) open("/etc/passwd", O_RDONLY);
}

/* What changes on the way to the program. */
typedef struct Noise {
    const tacSink *sink;
    uint32_t state;
} Noise;

static uint32_t noise(Noise *n) { return (n->state = n->state * 1664525u + 1013904223u) >> 8; }

/* Sends a command, most of the time as it is; a few bytes of one of its words may be others, or there are fewer. */
static tacStatus sendNoise(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Noise *n = data;
    tacWord other[2048];
    int which = (int) (noise(n) % (uint32_t) count);
    char *bytes = tacAlloc(words[which].length + 1);
    if (!bytes || count > 2048) return tacFailMemory(err);
    memcpy(other, words, (size_t) count * sizeof *words);
    memcpy(bytes, words[which].at, words[which].length);
    other[which].at = bytes;
    if (noise(n) % 24 == 0 && words[which].length) {
        size_t at = noise(n) % words[which].length;
        if (noise(n) % 8 == 0) other[which].length = at;
        else if (noise(n) % 2) bytes[at] = (char) (bytes[at] ^ 1 << noise(n) % 8);
        else bytes[at] = noise(n) % 3 ? (char) noise(n) : (char) 0xff;
    }
    tacStatus status = noise(n) % 512 ? n->sink->command(n->sink->data, other, count, line, err) : TAC_OK;
    tacFree(bytes);
    return status;
}

/* Runs a body that changes what it sends if the word has "noise-SEED" in its first 255 bytes. */
static tacStatus runNoisy(
    tacWorkerBody *body, const tacWord *word, const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int) word->length, word->at);
    const char *seed = strstr(text, "noise-");
    if (!seed) return body(call, sink, err);
    Noise n = {sink, (uint32_t) strtoul(seed + 6, NULL, 10) * 2654435761u};
    tacSink noisy = *sink;
    noisy.data = &n;
    noisy.command = sendNoise;
    noisy.progress = NULL;
    return body(call, &noisy, err);
}

/* Begins with the number of events at most: a second reading has fewer, and is left alone. */
static tacStatus recording(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    uint64_t most;
    memcpy(&most, call->words[0].at, sizeof most);
    watched = (const tacStore *) (const void *) tacWorkerSaid();
    if (memmem(call->words[1].at, call->words[1].length, "violation", 9) && most > 1000000) signal(SIGPROF, violate);
    return runNoisy(tacRecordingBody, &call->words[1], call, sink, err);
}

static tacStatus logTable(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    return runNoisy(tacLogLookBody, &call->words[1], call, sink, err);
}

const tacWorkerRow tacWorkerBodies[] = {
    {"unpack", tacUnpackBody},
    {"script", tacReaderBody},
    {"trace.dat", tacDatBody},
    {"recognize", tacRecognizeBody},
    {"recording", recording},
    {"log table", logTable},
    {"evaluate", evaluate},
    {"run", run},
    {NULL, NULL},
};
