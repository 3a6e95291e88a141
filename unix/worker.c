/*
 * worker.c -- the parent's half of a worker: starts it, hands what arrives to the sink, and explains how it ended.
 *
 * The parent waits at most TICK for something to arrive, so that progress and cancelling work while the child computes.
 * A child that neither sends nor uses any CPU for HANG counts as stuck and is killed.
 */
#define _GNU_SOURCE /* memfd_create */
#include "base/port.h"

#include "parent.h"
#include "read/clean.h"

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
    TICK = 20,     /* milliseconds that are waited before progress is called again */
    HANG = 60,     /* seconds */
    EVENTS = 4096, /* in a batch at most */
    AHEAD = 4      /* words of a command that are looked at before it comes */
};

bool tacWorkerAvailable(void) { return tacWorkerSeconds() < 0; }

static int64_t seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

/* Tells the progress; an error if it cancels. */
static tacStatus tick(const tacParentWorker *w) {
    uint64_t bytes = w->text ? w->text->bytesRead : w->bytesRead, total = w->text ? w->text->total : w->total;
    if (!w->sink->progress || w->sink->progress(w->sink->data, bytes, total)) return TAC_OK;
    return tacFail(w->err, "CANCELLED", "cancelled");
}

/* Waits a tick for the child's stream and tells the progress; 1: it is ready for these events, 0: not yet, -1: an error
 * of which the caller is told. */
static int await(const tacParentWorker *w, short events) {
    int ready = poll(&(struct pollfd){.fd = w->reader.fd, .events = events}, 1, TICK);
    if (ready < 0 && errno == EINTR) ready = 0;
    if (ready < 0)
        tacFail(w->err, "LIMIT STUCK", "cannot wait for the process that evaluates the script: %s", strerror(errno));
    return ready < 0 || tick(w) != TAC_OK ? -1 : ready;
}

/* Sends all bytes as quickly as the child takes them, which may be never. A stream that has ended is noticed later. */
static tacStatus sendPatiently(tacParentWorker *w, const char *at, size_t length) {
    w->lastLife = seconds();
    while (length) {
        int ready = await(w, POLLOUT);
        if (ready < 0) return TAC_ERROR;
        if (seconds() - w->lastLife > HANG)
            return tacFail(w->err, "LIMIT STUCK", "the process that evaluates the script does not listen");
        if (!ready) continue;
        ssize_t n = send(w->reader.fd, at, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
        if (n < 0 && errno != EPIPE && errno != ECONNRESET)
            return tacFail(
                w->err, "LIMIT STUCK", "cannot speak to the process that evaluates the script: %s", strerror(errno));
        if (n <= 0) return TAC_OK;
        at += n;
        length -= (size_t) n;
        w->lastLife = seconds();
    }
    return TAC_OK;
}

static tacStatus damaged(tacParentWorker *w) {
    return tacFail(w->err, "LIMIT CRASH", "the process that evaluates the script sent something meaningless");
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* Sends the answer to a command or query that the child waits for. */
static tacStatus sendAnswer(tacParentWorker *w, tacStatus status, const tacError *err, const tacText *text) {
    tacWireAnswer answer = {.status = (uint32_t) status, .length = text && text->at ? (uint32_t) text->length : 0};
    if (status != TAC_OK) answer.err = *err;
    if (sendPatiently(w, (const char *) &answer, sizeof answer) != TAC_OK) return TAC_ERROR;
    return answer.length ? sendPatiently(w, text->at, answer.length) : TAC_OK;
}

/* Commands and questions have a word at least: sinks look at the first one before the count. Not all of them expect
 * questions, or want remarks. */

static void report(const tacParentWorker *w, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    if (w->sink->report) w->sink->report(w->sink->data, severity, line, kind, text);
}

/* Ends the reading by an error of the sink, with the line of the command. */
static tacStatus endAt(const tacParentWorker *w, uint32_t line, const tacError *err) {
    if (line == 0 || strncmp(err->message, "line ", 5) == 0) return tacFail(w->err, err->code, "%s", err->message);
    return tacFail(w->err, err->code, "line %u: %s", line, err->message);
}

/* Are all bytes ASCII? Eight are looked at together, the last of them twice. */
static bool isAscii(const char *at, size_t length) {
    uint64_t all = 0, eight;
    if (length < sizeof eight) return false;
    for (size_t i = 0; i + sizeof eight < length; i += sizeof eight) memcpy(&eight, at + i, sizeof eight), all |= eight;
    memcpy(&eight, at + length - sizeof eight, sizeof eight);
    return !((all | eight) & 0x8080808080808080u);
}

/* Are the words of a command of the trace language text? They lie one behind the other, so one look is enough where
 * each begins with a character. */
static bool areTexts(const tacWord *words, int count) {
    size_t length = (size_t) (words[count - 1].at + words[count - 1].length - words->at);
    if (isAscii(words->at, length)) return true;
    for (int i = 0; i < count; i++)
        if (words[i].length && ((unsigned char) words[i].at[0] & 0xC0) == 0x80) return false;
    return tacIsCleanText(words->at, length);
}

/* Gives a command to the sink; reports its error, or sends it if the child waits for it. */
static tacStatus takeCommand(tacParentWorker *w, const tacWireRecord *record) {
    tacError err = {"", ""};
    if (!record->count || (w->sink->isCommand && !areTexts(record->words, record->count))) return damaged(w);
    tacStatus status = w->sink->command(w->sink->data, record->words, record->count, record->line, &err);
    if (status != TAC_OK && tacEndsReading(&err)) return endAt(w, record->line, &err);
    if (record->flag) return sendAnswer(w, status, &err, NULL);
    if (status != TAC_OK) report(w, TAC_SEVERITY_ERROR, record->line, err.code, err.message);
    return TAC_OK;
}

/* Answers a query. While events are handled it is about one of them: record->line is its position. */
static tacStatus takeQuery(tacParentWorker *w, const tacWireRecord *record) {
    tacError err = {"", ""};
    if (!record->count || !w->sink->query) return damaged(w);
    w->asking = w->serves && record->line > w->position;
    if (w->asking) return w->question = *record, TAC_OK;
    tacText text = {0};
    tacStatus status = w->sink->query(
        w->sink->data, record->words, record->count, record->line, record->flag ? &text : NULL, &err);
    if (status == TAC_OK && text.failed) status = tacFailMemory(&err);
    tacStatus sent = sendAnswer(w, status, &err, &text);
    tacTextFree(&text);
    return sent;
}

/* Tells the child whether a command ends with a body. */
static tacStatus takeBody(tacParentWorker *w, const tacWireRecord *record) {
    static const tacError no = {"NO", ""};
    if (!record->count) return damaged(w);
    bool has = w->sink->hasBody && w->sink->hasBody(record->words, record->count);
    return sendAnswer(w, has ? TAC_OK : TAC_ERROR, &no, NULL);
}

/* Sends the child more text: at most as much as it has room for. At the end, damage goes along; an error is a cut. */
static tacStatus takeText(tacParentWorker *w, const tacWireRecord *record) {
    static const tacError none = {"", ""};
    tacSource *text = w->text;
    if (!text) return damaged(w);
    if (text->at == text->end && !text->ended
        && tacSourceNext(text, w->sink->progress, w->sink->data, w->err) != TAC_OK)
        return TAC_ERROR;
    size_t length = (size_t) (text->end - text->at);
    if (length > record->line) length = record->line;
    const tacError *damage = length == 0 && text->damage.code[0] ? &text->damage : &none;
    tacWireAnswer answer = {length == 0 && text->cut ? TAC_ERROR : TAC_OK, (uint32_t) length, *damage};
    if (sendPatiently(w, (const char *) &answer, sizeof answer) != TAC_OK) return TAC_ERROR;
    tacStatus status = sendPatiently(w, text->at, length);
    text->at += length;
    return status;
}

/* Gives a remark to the sink. */
static tacStatus takeReport(tacParentWorker *w, const tacWireRecord *record) {
    tacText kind = {0}, text = {0};
    tacTextAdd(&kind, record->words[0].at, record->words[0].length);
    tacTextAdd(&text, record->words[1].at, record->words[1].length);
    bool failed = kind.failed || text.failed;
    if (!failed) report(w, (tacSeverity) record->flag, record->line, kind.at ? kind.at : "", text.at ? text.at : "");
    tacTextFree(&kind);
    tacTextFree(&text);
    return failed ? tacFailMemory(w->err) : TAC_OK;
}

/* Notes the progress. (0, 0) comes from a long script command, which does not know it: the last known numbers stay. */
static tacStatus takeProgress(tacParentWorker *w, const tacWireRecord *record) {
    uint64_t numbers[2];
    memcpy(numbers, record->words[0].at, sizeof numbers);
    if (numbers[0] || numbers[1]) w->bytesRead = numbers[0], w->total = numbers[1];
    return TAC_OK;
}

/* Notes that the body, or the handling of events, has ended. */
static tacStatus takeDone(tacParentWorker *w, const tacWireRecord *record) {
    tacError err;
    memcpy(&err, record->words[0].at, sizeof err);
    err.code[sizeof err.code - 1] = err.message[sizeof err.message - 1] = '\0';
    w->serves = !w->done && record->line == 1;
    w->done = true;
    w->handling = false;
    w->result = (tacStatus) record->flag;
    return w->result == TAC_OK ? TAC_OK : tacFail(w->err, err.code, "%s", err.message);
}

/* Notes that a batch of events has been handled. */
static tacStatus takeHandled(tacParentWorker *w, const tacWireRecord *record) {
    (void) record;
    w->handling = false;
    return TAC_OK;
}

/* The records that a child may send, by kind. */
static const struct {
    tacStatus (*take)(tacParentWorker *w, const tacWireRecord *record);
    int words;    /* least number of words */
    size_t bytes; /* of its first word, where that is a structure; else 0 */
    int flags;    /* values of its flag */
} kinds[TAC_WIRE_KINDS] = {
    [TAC_WIRE_COMMAND] = {takeCommand, 1, 0, 2},
    [TAC_WIRE_QUERY] = {takeQuery, 1, 0, 2},
    [TAC_WIRE_BODY] = {takeBody, 1, 0, 1},
    [TAC_WIRE_TEXT] = {takeText, 0, 0, 1},
    [TAC_WIRE_REPORT] = {takeReport, 2, 0, TAC_SEVERITY_ERROR + 1},
    [TAC_WIRE_PROGRESS] = {takeProgress, 1, 2 * sizeof(uint64_t), 1},
    [TAC_WIRE_DONE] = {takeDone, 1, sizeof(tacError), TAC_ERROR + 1},
    [TAC_WIRE_HANDLED] = {takeHandled, 0, 0, 1},
};

/* Lets the sink ask for the memory of the command that comes next, since a record is taken faster than it answers. */
static void lookAhead(const tacParentWorker *w) {
    tacWord words[AHEAD];
    int count = w->sink->prepare ? tacWirePeek(&w->reader, words, AHEAD) : 0;
    if (count > 0) w->sink->prepare(w->sink->data, words, count);
}

tacStatus tacParentTake(tacParentWorker *w) {
    tacWireRecord record;
    tacWireNext next = TAC_WIRE_NONE;
    while (!w->asking && !w->done && !w->paused && (next = tacWireTake(&w->reader, &record)) == TAC_WIRE_RECORD) {
        bool sound = record.count >= kinds[record.kind].words && record.flag < kinds[record.kind].flags
            && (!kinds[record.kind].bytes || record.words[0].length == kinds[record.kind].bytes);
        if (!kinds[record.kind].take || !sound) return damaged(w);
        lookAhead(w);
        if (kinds[record.kind].take(w, &record) != TAC_OK) return TAC_ERROR;
    }
    return next == TAC_WIRE_NO_MEMORY ? tacFailMemory(w->err) : next == TAC_WIRE_DAMAGED ? damaged(w) : TAC_OK;
}

/* ---- while the child runs ---------------------------------------------------------------------------------------- */

/* Tells whether the child has nothing to do or waits for the replay. */
static bool isIdle(const tacParentWorker *w) {
    return w->done || w->paused || (w->serves && (!w->handling || w->asking));
}

/* Checks the limit of memory: it is one for the script, in the child, and for the trace, in this process. */
static tacStatus checkMemory(tacParentWorker *w) {
    uint64_t limit = w->options.wholeLimit;
    if (limit == 0 || !w->sink->need || w->serves) return TAC_OK;
    if (w->sink->need(w->sink->data) + w->page->memory <= limit) return TAC_OK;
    return tacFail(w->err, "LIMIT MEMORY",
        "line %u: the script and the trace needed more than %g MB of memory; raise the limit with -memorylimit",
        w->page->line, (double) limit / (1 << 20));
}

/* CPU time of this thread in nanoseconds. */
static uint64_t threadNanos(void) {
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0) return 0;
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* Takes the records that are there. What those of a script cost counts for its time: taking them, and what follows when
 * all is read (sorting, states, sums), which takes about as long again. */
static tacStatus takeCharged(tacParentWorker *w) {
    double limit = w->evaluates ? tacTimeLimit(&w->options) : 0;
    bool evaluating = w->page->evaluating;
    if (limit == 0 || !evaluating) return tacParentTake(w);
    uint64_t began = threadNanos();
    tacStatus status = tacParentTake(w);
    if (w->page->evaluating) w->caused += (threadNanos() - began) * (w->serves ? 1 : 2);
    if (status != TAC_OK || (double) (w->page->nanos + w->caused) < limit * 1e9) return status;
    bool alone = w->caused < w->page->nanos / 8; /* what it made cost next to nothing */
    return tacFail(w->err, "LIMIT TIME", "line %u: the script %s longer than %g s; raise the limit with -timelimit",
        w->page->line, alone ? "ran" : "and what it made took", limit);
}

tacStatus tacParentServe(tacParentWorker *w) {
    w->lastLife = seconds();
    while (!isIdle(w)) {
        int ready = await(w, POLLIN);
        if (ready < 0) return TAC_ERROR;
        if (!ready) {
            int64_t now = seconds();
            if (w->page->nanos != w->lastNanos || !w->page->evaluating) w->lastLife = now;
            w->lastNanos = w->page->nanos;
            if (now - w->lastLife < HANG) continue;
            return tacFail(
                w->err, "LIMIT STUCK", "line %u: the process that evaluates the script does not answer", w->page->line);
        }
        long n = tacWireFill(&w->reader);
        if (n < 0 && errno == ENOMEM) return tacFailMemory(w->err);
        if (n < 0)
            return tacFail(
                w->err, "LIMIT STUCK", "cannot hear the process that evaluates the script: %s", strerror(errno));
        if (n == 0) return w->ended = true, TAC_OK;
        w->lastLife = seconds();
        if (takeCharged(w) != TAC_OK || checkMemory(w) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* ---- the end of the child ---------------------------------------------------------------------------------------- */

/* Makes the error of a child that ended before its body did, from its note in the page, or from its exit status. */
static tacStatus explain(tacParentWorker *w, int status) {
    uint32_t line = w->page->line;
    switch (w->page->death) {
    case TAC_DEATH_TIME:
        return tacFail(w->err, "LIMIT TIME",
            "line %u: the script ran longer than %g s; raise the limit with -timelimit", line,
            tacTimeLimit(&w->options));
    case TAC_DEATH_MEMORY:
        return tacFail(w->err, "LIMIT MEMORY",
            "line %u: the script needed more than %g MB of memory; raise the limit with -memorylimit", line,
            (double) tacMemoryLimit(&w->options) / (1 << 20));
    case TAC_DEATH_STACK: return tacFail(w->err, "LIMIT DEPTH", "line %u: the script nests too deep", line);
    case TAC_DEATH_CRASH:
        return tacFail(w->err, "LIMIT CRASH", "line %u: the process that evaluates the script crashed", line);
    }
    if (status == -1) return tacZygoteFailed(w->err);
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGSYS)
        return tacFail(w->err, "LIMIT FORBIDDEN",
            "line %u: the system ended the process that evaluates the script, since it asked for what no script may do "
            "(a file, a connection, a program)",
            line);
    if (signal == SIGXCPU)
        return tacFail(w->err, "LIMIT TIME", "line %u: the process that evaluates the script used too much time", line);
    if (signal == SIGKILL)
        return tacFail(w->err, "LIMIT KILLED",
            "line %u: the process that evaluates the script was killed; perhaps the machine is out of memory", line);
    return tacFail(w->err, "LIMIT CRASH", "line %u: the process that evaluates the script ended unexpectedly (%s %d)",
        line, WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

tacStatus tacParentFinish(tacParentWorker *w, tacStatus status) {
    int ended = tacZygoteWait(w->child, true);
    w->child = 0;
    if (status == TAC_OK && !w->done && !tacWireRest(&w->reader, &w->page->batch)) status = tacFailMemory(w->err);
    if (status == TAC_OK) status = tacParentTake(w);
    if (status != TAC_OK) return status;
    return w->done ? w->result : explain(w, ended);
}

void tacParentFree(tacParentWorker *w) {
    if (w->child) tacZygoteWait(w->child, true);
    if (w->reader.fd >= 0) close(w->reader.fd);
    tacWireReaderFree(&w->reader);
    munmap(w->page, sizeof *w->page);
    tacFree(w);
}

/* ---- events of the replay ---------------------------------------------------------------------------------------- */

/* Sends the next wanted events as one batch. */
static tacStatus sendBatch(tacParentWorker *w, const tacHandlerSource *source) {
    tacText batch = {0};
    tacWord words[TAC_HANDLER_WORDS + 1];
    tacHandlerEvent event;
    for (int i = 0; i < EVENTS && batch.length < TAC_WIRE_BATCH && w->next != UINT32_MAX; i++) {
        if (!source->next(source->data, w->next, &event)) {
            w->next = UINT32_MAX;
            break;
        }
        w->next = event.row + 1;
        uint32_t numbers[2] = {event.row, (uint32_t) event.list};
        words[0] = (tacWord){(const char *) numbers, sizeof numbers};
        memcpy(words + 1, event.words, (size_t) event.count * sizeof *words);
        tacWireAppend(&batch, TAC_WIRE_EVENT, event.line, words, (size_t) event.count + 1);
    }
    tacWireLength length = (tacWireLength) batch.length;
    tacStatus status = batch.failed ? tacFailMemory(w->err) : TAC_OK;
    w->handling = length > 0 && status == TAC_OK;
    if (w->handling) status = sendPatiently(w, (const char *) &length, sizeof length);
    if (w->handling && status == TAC_OK) status = sendPatiently(w, batch.at, length);
    tacTextFree(&batch);
    return status;
}

/*
 * Lets the child handle the events up to the present position, a batch at a time. It may be ahead: then it waits with a
 * question about a later position, or the next batch begins later.
 */
static tacStatus handleRow(tacParentWorker *w, const tacHandlerSource *source) {
    for (;;) {
        if (w->asking && w->question.line >= w->next) return damaged(w);
        if (w->asking && w->question.line <= w->position && takeQuery(w, &w->question) != TAC_OK) return TAC_ERROR;
        if (w->asking) return TAC_OK;
        if (!w->handling) {
            if (w->position < w->next) return TAC_OK;
            if (sendBatch(w, source) != TAC_OK) return TAC_ERROR;
            if (!w->handling) return TAC_OK;
        }
        if (tacParentTake(w) != TAC_OK || tacParentServe(w) != TAC_OK) return TAC_ERROR;
        if (w->ended || w->done) return tacParentFinish(w, TAC_OK);
    }
}

/* tacHandlers.row. Most rows are in a batch that is over, or come before the question that the child waits with. */
static tacStatus workerRow(tacHandlers *handlers, uint32_t row, const tacHandlerSource *source, tacError *err) {
    tacParentWorker *w = (tacParentWorker *) handlers;
    tacError own = {"", ""};
    w->position = row;
    if (w->asking ? w->question.line > row && w->question.line < w->next : !w->handling && row < w->next) return TAC_OK;
    if (!w->child) return TAC_OK; /* it has ended, which was said */
    w->err = err ? err : &own;
    w->sink = &source->sink;
    tacStatus status = handleRow(w, source);
    return status == TAC_OK || !w->child ? status : tacParentFinish(w, status);
}

static void workerRelease(tacHandlers *handlers) { tacParentFree((tacParentWorker *) handlers); }

/* ---- start ------------------------------------------------------------------------------------------------------- */

static tacStatus noWorker(tacError *err) {
    return tacFail(err, "LIMIT PROCESS", "cannot start a process to evaluate the script: %s", strerror(errno));
}

/* Puts what the child begins with into one record. */
static tacStatus sendStart(tacParentWorker *w, const tacWorkerJob *job) {
    static const char *const none[] = {NULL};
    const tacReadOptions *o = &w->options;
    const char *const *names = w->sink->commandNames ? w->sink->commandNames : none;
    tacWireStart start = {.timeLimit = o->timeLimit,
        .commandLimit = o->commandLimit,
        .memoryLimit = tacMemoryLimit(o) < INT64_MAX ? tacMemoryLimit(o) : -1,
        .textSize = job->text ? job->text->total : 0,
        .arguments = job->count,
        .variables = o->nVariables,
        .copies = job->copies,
        .scriptOnly = o->scriptOnly,
        .growing = o->growing,
        .tellCut = o->tellCut,
        .handlers = o->handlers != NULL,
        .progress = w->sink->progress != NULL,
        .bodies = w->sink->hasBody != NULL,
        .hasFile = job->file != NULL};
    if (job->file) start.fileSize = job->file->size, start.fileRegular = job->file->regular;
    TAC_ARRAY(tacWord) words = {0};
    tacText record = {0};
    bool fine = tacArrayPush(&words, ((tacWord){(const char *) &start, sizeof start}))
        && tacArrayPush(&words, ((tacWord){job->body, strlen(job->body)}));
    for (int i = 0; fine && i < job->count; i++) fine = tacArrayPush(&words, job->words[i]);
    for (int i = 0; fine && i < o->nVariables; i++) fine = tacArrayPush(&words, o->variables[i]);
    for (; fine && names[start.names]; start.names++)
        fine = tacArrayPush(&words, ((tacWord){names[start.names], strlen(names[start.names])}));
    if (fine) tacWireAppend(&record, TAC_WIRE_START, 0, words.at, words.count);
    tacStatus status = fine && !record.failed ? TAC_OK : tacFailMemory(w->err);
    if (status == TAC_OK && record.length == 0)
        status = tacFail(w->err, "LIMIT PROCESS", "too much for a process: the arguments have more than 64 MB");
    if (status == TAC_OK) status = sendPatiently(w, record.at, record.length);
    tacArrayFree(&words);
    tacTextFree(&record);
    return status;
}

tacStatus tacParentStart(tacParentWorker *w, const tacWorkerJob *job, int page) {
    int ends[2], file = job->file ? (int) job->file->handle : -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return noWorker(w->err);
    w->reader.fd = ends[0];
    tacStatus status = tacZygoteFork(ends[1], page, file, &w->child, w->err);
    close(ends[1]);
    return status == TAC_OK ? sendStart(w, job) : TAC_ERROR;
}

tacParentWorker *tacParentNew(const tacReadOptions *options, const tacSink *sink, int *page, tacError *err) {
    tacParentWorker *w = tacAllocZero(1, sizeof *w);
    if (!w) return tacFailMemory(err), NULL;
    *w = (tacParentWorker){.handlers = {workerRow, workerRelease}, .sink = sink, .err = err, .reader = {.fd = -1}};
    if (options) w->options = *options;
    *page = memfd_create("tactus", MFD_CLOEXEC);
    int sized;
    do sized = ftruncate(*page, sizeof *w->page);
    while (sized < 0 && errno == EINTR);
    w->page = *page < 0 || sized < 0 ? MAP_FAILED
                                     : mmap(NULL, sizeof *w->page, PROT_READ | PROT_WRITE, MAP_SHARED, *page, 0);
    if (w->page != MAP_FAILED) return w;
    noWorker(err);
    if (*page >= 0) close(*page);
    tacFree(w);
    return NULL;
}

/* Gives the caller what it wants to know about the child. */
static void takeFacts(const tacParentWorker *w, const tacWorkerJob *job) {
    if (job->said) {
        memcpy(job->said, w->page->said, TAC_WORKER_SAID);
        job->said[TAC_WORKER_SAID - 1] = '\0'; /* the worker could write there, too */
    }
    if (!job->walls) return;
    *job->walls = w->page->walls;
    job->walls->namespaces = (uint8_t) tacZygoteNamespaces();
}

tacStatus tacWorkerRun(const tacWorkerJob *job, const tacReadOptions *options, const tacSink *sink, tacError *err) {
    tacError own = {"", ""};
    int page;
    tacParentWorker *w = tacParentNew(options, sink, &page, err ? err : &own);
    if (!w) return TAC_ERROR;
    w->text = job->text;
    w->evaluates = strcmp(job->body, "script") == 0;
    tacStatus status = tacParentStart(w, job, page);
    close(page);
    if (w->child) {
        if (status == TAC_OK) status = tacParentServe(w);
        if (status == TAC_OK && w->serves && w->options.handlers) { /* the child waits for the events of the replay */
            w->done = false;
            w->text = NULL;
            *w->options.handlers = &w->handlers;
            return TAC_OK;
        }
        status = tacParentFinish(w, status);
    }
    takeFacts(w, job);
    tacParentFree(w);
    return status;
}
