/*
 * worker.c -- the parent's half of a worker: forks, hands what arrives to the sink, and explains how the child ended.
 *
 * The parent waits at most TICK for something to arrive, so that progress and cancelling work while the child computes.
 * A child that neither sends nor uses any CPU for HANG is taken for stuck (forking a process whose other threads held
 * locks can do that) and killed.
 */
#include "base/port.h"
#include "child.h"
#include "confine.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK = 50,			/* milliseconds between two calls of progress */
    HANG = 60000		/* milliseconds */
};

typedef struct parentWorker {
    const tacSink *sink;
    const tacReadOptions *options;
    tacWireReader reader;
    tacWorkerPage *page;
    pid_t pid;
    tacError *err;
    tacStatus result;		/* of the body, once done */
    bool done;
    uint64_t bytesRead, total;	/* as the child said last */
    int64_t lastTick;		/* when progress was called last, milliseconds */
    int64_t lastLife;		/* when the child showed life last */
    uint64_t lastNanos;		/* its CPU time then */
} parentWorker;

bool tacWorkerAvailable(void) {
    return true;
}

static int64_t milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t) t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- records --------------------------------------------------------------------------------------------------------- */

static bool endsReading(const tacError *err) {
    return strncmp(err->code, "LIMIT", 5) == 0 || strncmp(err->code, "MEMORY", 6) == 0;
}

/* A child that has gone meanwhile is noticed when the stream ends. */
static void sendAnswer(parentWorker *w, tacStatus status, const tacError *err, const tacText *text) {
    tacWireAnswer answer = { .status = (uint32_t) status, .length = text && text->at ? (uint32_t) text->length : 0 };
    if (status != TAC_OK) answer.err = *err;
    if (tacWireSend(w->reader.fd, &answer, sizeof answer) && answer.length)
	tacWireSend(w->reader.fd, text->at, answer.length);
}

static tacStatus takeCommand(parentWorker *w, const tacWireRecord *record) {
    tacError err = { "", "" };
    tacStatus status = w->sink->command(w->sink->data, record->words, record->count, record->line, &err);
    if (status != TAC_OK && endsReading(&err)) return tacFail(w->err, err.code, "%s", err.message);
    if (record->flag) sendAnswer(w, status, &err, NULL);
    else if (status != TAC_OK) w->sink->report(w->sink->data, TAC_SEVERITY_ERROR, record->line, err.code, err.message);
    return TAC_OK;
}

static tacStatus takeQuery(parentWorker *w, const tacWireRecord *record) {
    tacError err = { "", "" };
    tacText text = { 0 };
    tacStatus status = w->sink->query(w->sink->data, record->words, record->count, record->line,
	    record->flag ? &text : NULL, &err);
    if (status == TAC_OK && text.failed) status = tacFailMemory(&err);
    sendAnswer(w, status, &err, &text);
    tacTextFree(&text);
    return TAC_OK;
}

static tacStatus takeReport(parentWorker *w, const tacWireRecord *record) {
    tacText kind = { 0 }, text = { 0 };
    tacTextAdd(&kind, record->words[0].at, record->words[0].length);
    tacTextAdd(&text, record->words[1].at, record->words[1].length);
    bool failed = kind.failed || text.failed;
    if (!failed)
	w->sink->report(w->sink->data, (tacSeverity) record->flag, record->line, kind.at ? kind.at : "", text.at ? text.at : "");
    tacTextFree(&kind);
    tacTextFree(&text);
    return failed ? tacFailMemory(w->err) : TAC_OK;
}

/* (0, 0) comes from a long script command, which does not know: the last known numbers stay. */
static tacStatus takeProgress(parentWorker *w, const tacWireRecord *record) {
    uint64_t numbers[2];
    memcpy(numbers, record->words[0].at, sizeof numbers);
    if (numbers[0] || numbers[1]) w->bytesRead = numbers[0], w->total = numbers[1];
    return TAC_OK;
}

static tacStatus takeDone(parentWorker *w, const tacWireRecord *record) {
    tacError err;
    memcpy(&err, record->words[0].at, sizeof err);
    err.code[sizeof err.code - 1] = err.message[sizeof err.message - 1] = '\0';
    w->done = true;
    w->result = (tacStatus) record->flag;
    return w->result == TAC_OK ? TAC_OK : tacFail(w->err, err.code, "%s", err.message);
}

static const struct {
    tacStatus (*take)(parentWorker *w, const tacWireRecord *record);
    int words;			/* that it has at least */
    size_t bytes;		/* of its first word, where that is a structure; else 0 */
    int flags;			/* values of its flag */
} kinds[TAC_WIRE_KINDS] = {
    [TAC_WIRE_COMMAND] = { takeCommand, 1, 0, 2 },
    [TAC_WIRE_QUERY] = { takeQuery, 1, 0, 2 },
    [TAC_WIRE_REPORT] = { takeReport, 2, 0, TAC_SEVERITY_ERROR + 1 },
    [TAC_WIRE_PROGRESS] = { takeProgress, 1, 2 * sizeof(uint64_t), 1 },
    [TAC_WIRE_DONE] = { takeDone, 1, sizeof(tacError), TAC_ERROR + 1 },
};

static tacStatus damaged(parentWorker *w) {
    return tacFail(w->err, "LIMIT CRASH", "the process that evaluates the script sent something meaningless");
}

static tacStatus takeAll(parentWorker *w) {
    tacWireRecord record;
    tacWireNext next;
    while ((next = tacWireTake(&w->reader, &record)) == TAC_WIRE_RECORD) {
	bool sound = record.count >= kinds[record.kind].words && record.flag < kinds[record.kind].flags
		&& (!kinds[record.kind].bytes || record.words[0].length == kinds[record.kind].bytes);
	if (!sound) return damaged(w);
	if (kinds[record.kind].take(w, &record) != TAC_OK) return TAC_ERROR;
    }
    return next == TAC_WIRE_NONE ? TAC_OK : next == TAC_WIRE_NO_MEMORY ? tacFailMemory(w->err) : damaged(w);
}

/* ---- while it runs --------------------------------------------------------------------------------------------------- */

static tacStatus tick(parentWorker *w) {
    int64_t now = milliseconds();
    if (now - w->lastTick >= TICK) {
	w->lastTick = now;
	if (w->sink->progress && !w->sink->progress(w->sink->data, w->bytesRead, w->total))
	    return tacFail(w->err, "CANCELLED", "cancelled");
    }
    return TAC_OK;
}

static tacStatus stuck(parentWorker *w) {
    int64_t now = milliseconds();
    if (w->page->nanos != w->lastNanos || !w->page->evaluating) w->lastLife = now;
    w->lastNanos = w->page->nanos;
    if (now - w->lastLife < HANG) return TAC_OK;
    return tacFail(w->err, "LIMIT STUCK", "line %u: the process that evaluates the script does not answer", w->page->line);
}

/* TAC_OK: the child has ended, with w->done or without. */
static tacStatus serve(parentWorker *w) {
    struct pollfd socket = { .fd = w->reader.fd, .events = POLLIN };
    w->lastTick = w->lastLife = milliseconds();
    while (!w->done) {
	int ready = poll(&socket, 1, TICK);
	if (tick(w) != TAC_OK) return TAC_ERROR;
	if (ready <= 0) {
	    if (stuck(w) != TAC_OK) return TAC_ERROR;
	    continue;
	}
	long n = tacWireFill(&w->reader);
	if (n < 0) return tacFailMemory(w->err);
	if (n == 0) return TAC_OK;
	w->lastLife = milliseconds();
	if (takeAll(w) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* ---- how it ended ---------------------------------------------------------------------------------------------------- */

static tacStatus diedOfTime(parentWorker *w) {
    return tacFail(w->err, "LIMIT TIME", "line %u: the script ran longer than %g s; raise the limit with -timelimit",
	    w->page->line, tacTimeLimit(w->options));
}

static tacStatus diedOfMemory(parentWorker *w) {
    return tacFail(w->err, "LIMIT MEMORY", "line %u: the script needed more than %g MB of memory; raise the limit with -memorylimit",
	    w->page->line, (double) tacMemoryLimit(w->options) / (1 << 20));
}

static tacStatus diedOfDepth(parentWorker *w) {
    return tacFail(w->err, "LIMIT DEPTH", "line %u: the script nests too deep", w->page->line);
}

static tacStatus diedOfCrash(parentWorker *w) {
    return tacFail(w->err, "LIMIT CRASH", "line %u: the process that evaluates the script crashed", w->page->line);
}

static tacStatus (*const died[TAC_DEATHS])(parentWorker *w) = {
    [TAC_DEATH_TIME] = diedOfTime, [TAC_DEATH_MEMORY] = diedOfMemory, [TAC_DEATH_STACK] = diedOfDepth,
    [TAC_DEATH_CRASH] = diedOfCrash
};

static tacStatus explain(parentWorker *w, int status) {
    uint32_t death = w->page->death;
    if (death < TAC_DEATHS && died[death]) return died[death](w);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
	return tacFail(w->err, "LIMIT KILLED",
	    "line %u: the process that evaluates the script was killed; perhaps the machine is out of memory", w->page->line);
    return tacFail(w->err, "LIMIT CRASH", "line %u: the process that evaluates the script ended unexpectedly (%s %d)",
	w->page->line, WIFSIGNALED(status) ? "signal" : "status",
	WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static int reap(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
	if (errno != EINTR) return 0;	/* someone else has taken it */
    return status;
}

static tacStatus finish(parentWorker *w) {
    tacStatus status = serve(w);
    if (!w->done && status != TAC_OK) kill(w->pid, SIGKILL);
    int ended = reap(w->pid);
    if (status != TAC_OK) return status;
    return w->done ? w->result : explain(w, ended);
}

/* ---- start ----------------------------------------------------------------------------------------------------------- */

static tacStatus noWorker(tacError *err) {
    return tacFail(err, "LIMIT PROCESS", "cannot start a process to evaluate the script: %s", strerror(errno));
}

/* Tells both ends of the socket and the page to nobody else: programs started by other threads do not inherit them. */
static tacStatus start(parentWorker *w, tacWorkerBody *body, void *bodyData) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return noWorker(w->err);
    pid_t parent = getpid();
    w->pid = fork();
    if (w->pid == 0) {
	close(ends[0]);
	tacConfineToParent(parent);
	tacWorkerChild(ends[1], w->page, body, bodyData, w->options, w->sink);
    }
    tacStatus status = w->pid < 0 ? noWorker(w->err) : TAC_OK;
    close(ends[1]);
    w->reader.fd = ends[0];
    if (status != TAC_OK) close(ends[0]);
    return status;
}

tacStatus tacWorkerRun(tacWorkerBody *body, void *bodyData, const tacReadOptions *options, const tacSink *sink, tacError *err) {
    static const tacReadOptions defaults;
    tacError own = { "", "" };
    parentWorker w = { .sink = sink, .options = options ? options : &defaults, .err = err ? err : &own };
    w.page = mmap(NULL, sizeof *w.page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (w.page == MAP_FAILED) return noWorker(w.err);
    tacStatus status = start(&w, body, bodyData);
    if (status == TAC_OK) {
	status = finish(&w);
	close(w.reader.fd);
	tacWireReaderFree(&w.reader);
    }
    munmap(w.page, sizeof *w.page);
    return status;
}
