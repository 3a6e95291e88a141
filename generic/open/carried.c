/*
 * carried.c -- makes of rows the events that a trace's own handlers get, and answers the handlers' questions.
 *
 * Positions (read/handlers.h): 0 before the first row, row + 1, and one more than that after the last.
 */
#include "base/port.h"

#include "base/progress.h"
#include "open/carried.h"
#include "trace/quote.h"
#include "trace/rowWords.h"

#include <stdio.h>
#include <string.h>

/* The handlers of a trace, and the event that is made for them at the moment. */
struct tacCarried {
    tacHandlers *handlers; /* NULL: they have ended */
    const tacStore *store;
    tacDiag *diag;
    tacHandlerSource source;
    bool wanted[TAC_EVENTS]; /* by event; one with its name in the row: some of its names are wanted */
    bool opened, finished;   /* TraceOpened and TraceFinished are wanted */
    uint8_t *names;          /* by string id: events of this name are wanted; NULL: none are */
    const tacAskAt *at;      /* the moment that questions are about; NULL: before the replay */
    uint32_t row;            /* the row that the replay is at, or TAC_NONE */
    tacText text;            /* the words of an event, one after the other */
    TAC_ARRAY(size_t) ends;  /* of each word in the text */
    tacWord words[TAC_HANDLER_WORDS];
    int list; /* as in tacHandlerEvent */
};

/* ---- the words of an event ---- */

static bool endWord(tacCarried *c) {
    c->text.failed |= !tacArrayPush(&c->ends, c->text.length);
    return !c->text.failed;
}

static bool addString(tacCarried *c, const char *text) {
    tacTextAddString(&c->text, text);
    return endWord(c);
}

static bool addNumber(tacCarried *c, int64_t number, int digits) {
    char buffer[TAC_DECIMAL_SIZE];
    tacTextAdd(&c->text, buffer, tacDecimalFormat(number, digits, buffer));
    return endWord(c);
}

static bool onOption(void *data, tacOption option) { return addString(data, tacOptions[option].name); }

/* Adds an argument or an option's value of the row to the words. */
static bool onValue(void *data, tacType type, int64_t value) {
    tacCarried *c = data;
    if ((int) type < TAC_KINDS) return addString(c, tacObjectId(c->store, (tacKind) type, (uint32_t) value));
    if (type == TAC_TYPE_TIME) return addNumber(c, value, c->store->digits);
    if (type == TAC_TYPE_INTEGER || type == TAC_TYPE_FLAG) return addNumber(c, value, 0);
    if (type == TAC_TYPE_REST) c->list = (int) c->ends.count;
    return addString(c, tacString(c->store, (uint32_t) value));
}

/* Makes an event for its handlers: time and name, then for a row its words. */
static bool makeEvent(
    tacCarried *c, uint32_t position, int64_t time, const char *name, uint32_t row, tacHandlerEvent *event) {
    static const tacRowVisitor visitor = {onOption, onValue};
    c->text.length = 0;
    c->ends.count = 0;
    c->list = 0;
    if (!addNumber(c, time, c->store->digits) || !addString(c, name)) return false;
    if (row != TAC_NONE && !tacRowWords(c->store, row, &visitor, c)) return false;
    *event = (tacHandlerEvent){
        .row = position, .line = row == TAC_NONE ? 0 : tacRowLine(c->store, row), .words = c->words, .list = c->list};
    size_t begin = 0; /* the text has stopped moving: now its words have addresses */
    for (size_t i = 0; i < c->ends.count && i < TAC_HANDLER_WORDS; begin = c->ends.at[i++])
        c->words[event->count++] = (tacWord){c->text.at + begin, c->ends.at[i] - begin};
    return true;
}

/* ---- wanted events ---- */

/* Tells whether some handler wants the event of the row. */
static bool isWanted(const tacCarried *c, uint32_t row) {
    tacEvent event = tacRowEvent(c->store, row);
    if (!c->wanted[event]) return false;
    return !tacEventIs(event, TAC_TRAIT_NAMED) || (c->names && c->names[tacRowSubject(c->store, row)]);
}

/* Finds the next wanted event from a position on. Without memory it is left out, and tacCarriedEnd says so. */
static bool next(void *data, uint32_t from, tacHandlerEvent *event) {
    tacCarried *c = data;
    uint32_t n = tacStoreCount(c->store);
    if (from == 0 && c->opened) {
        int64_t begin = n ? tacRowTime(c->store, 0) : 0;
        return makeEvent(c, 0, begin, "<TraceOpened>", TAC_NONE, event);
    }
    uint32_t row = from ? from - 1 : 0;
    while (row < n && !isWanted(c, row)) row++;
    if (row < n) return makeEvent(c, row + 1, tacRowTime(c->store, row), tacRowName(c->store, row), row, event);
    return c->finished && from <= n + 1
        && makeEvent(c, n + 1, n ? tacRowTime(c->store, n - 1) : 0, "<TraceFinished>", TAC_NONE, event);
}

/* ---- the commands of a handler ---- */

/* Takes a command of the trace language from a handler: a message becomes a note, anything else comes too late. */
static tacStatus onCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    tacCarried *c = data;
    bool plot = tacWordIs(&words[0], "plot") || tacWordIs(&words[0], "Plot");
    if (!plot || count < 4 || !tacWordIs(&words[2], tacEvents[TAC_EV_MESSAGE].name))
        return tacFail(
            err, "HANDLER LATE", "\"%.*s\" in a handler has no effect: the trace has been read", TAC_SHOWN(&words[0]));
    tacDiagAdd(c->diag, TAC_SEVERITY_NOTE, line, "HANDLER", "the trace's handler says at %.*s: %.*s",
        TAC_SHOWN(&words[1]), words[3].length < 300 ? (int) words[3].length : 300, words[3].at);
    return TAC_OK;
}

/* Always false: handlers have no vocabulary of their own, and the sandbox knows its commands. */
static bool onIsCommand(void *data, const char *name, size_t length) {
    (void) data, (void) name, (void) length;
    return false;
}

/* The search for an id among the words of a row. An object that the event names goes before others of the same id. */
typedef struct Among {
    const tacStore *store;
    const tacWord *id;
    const char *method;
    tacKind kind;
    uint32_t index;
    bool found;
} Among;

static bool anyOption(void *data, tacOption option) {
    (void) data, (void) option;
    return true;
}

/* Looks whether a word of the row is the id that is searched, of an object with the method. */
static bool compareValue(void *data, tacType type, int64_t value) {
    Among *among = data;
    if (among->found || (int) type >= TAC_KINDS || !tacAskKnows((tacKind) type, among->method)) return true;
    if (!tacWordIs(among->id, tacObjectId(among->store, (tacKind) type, (uint32_t) value))) return true;
    among->kind = (tacKind) type;
    among->index = (uint32_t) value;
    return among->found = true;
}

/* Finds the object that a handler means by an id: one of the event's, else one of the trace that has the method. */
static bool find(tacCarried *c, const tacWord *id, const char *method, tacKind *kind, uint32_t *index, tacError *err) {
    static const tacRowVisitor visitor = {anyOption, compareValue};
    Among among = {.store = c->store, .id = id, .method = method};
    if (c->row != TAC_NONE) tacRowWords(c->store, c->row, &visitor, &among);
    *kind = among.kind;
    *index = among.index;
    if (among.found) return true;
    tacInternIndex((tacInternTable *) &c->store->ids[TAC_JOB]);
    return tacAskWhich(c->at->model, id->at, id->length, method, kind, index, err);
}

/* Finds the object of `object kind id method`, by which a handler says the kind, too. */
static tacStatus findExplicit(tacCarried *c, const tacWord *words, tacKind *kind, uint32_t *index, tacError *err) {
    int k = 0;
    while (k < TAC_KINDS && !tacWordIs(&words[1], tacKindNames[k])) k++;
    if (k == TAC_KINDS)
        return tacFail(err, "LOOKUP OBJECT", "there is no kind of objects \"%.*s\"", TAC_SHOWN(&words[1]));
    *kind = (tacKind) k;
    *index = tacAskFind(c->at->model, *kind, words[2].at, words[2].length);
    return *index != TAC_NONE
        ? TAC_OK
        : tacFail(err, "LOOKUP OBJECT", "no %s \"%.*s\" in the trace", tacKindNames[k], TAC_SHOWN(&words[2]));
}

/* Answers a question of a handler. */
static tacStatus onQuery(void *data, const tacWord *words, int count, uint32_t line, tacText *result, tacError *err) {
    tacCarried *c = data;
    tacKind kind = TAC_JOB;
    uint32_t index = TAC_NONE;
    char method[60];
    bool explicit = count == 4 && tacWordIs(&words[0], "object");
    (void) line;
    if ((count != 2 && !explicit) || !c->at)
        return tacFail(
            err, "LOOKUP OBJECT", "\"%.*s\" is neither a command nor an object of the trace", TAC_SHOWN(&words[0]));
    const tacWord *name = &words[count - 1];
    snprintf(method, sizeof method, "%.*s", name->length < sizeof method ? (int) name->length : 0, name->at);
    if (explicit ? findExplicit(c, words, &kind, &index, err) != TAC_OK
                 : !find(c, &words[0], method, &kind, &index, err))
        return TAC_ERROR;
    tacText unused = {0};
    tacStatus status = tacAsk(c->at, kind, index, method, result ? result : &unused, err);
    tacTextFree(&unused);
    return status;
}

static void onReport(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    tacCarried *c = data;
    tacDiagAdd(c->diag, severity, line, kind, "%s", text);
}

static bool onProgress(void *data, uint64_t bytesRead, uint64_t total) {
    const tacCarried *c = data;
    (void) bytesRead, (void) total;
    return tacProgressStep(c->store->progress, c->row == TAC_NONE ? 0 : c->row);
}

/* ---- the pass ---- */

/* Ends the handlers, which have failed. At a limit the failure is a remark; else the opening fails. */
static tacStatus ended(tacCarried *c, const tacError *failure, tacError *err) {
    unsigned line;
    const char *text = tacErrorText(failure, &line);
    tacHandlersFree(c->handlers);
    c->handlers = NULL;
    if (strncmp(failure->code, "LIMIT", 5) != 0) return tacFail(err, failure->code, "%s", failure->message);
    tacDiagAdd(c->diag, TAC_SEVERITY_ERROR, line, "HANDLER",
        "in a handler of the trace: %s; its handlers are not called any more", text);
    return TAC_OK;
}

/* Lets the handlers of the events up to a position run; their questions are about `at` and `row`. */
static tacStatus reach(tacCarried *c, uint32_t position, const tacAskAt *at, uint32_t row, tacError *err) {
    tacError failure = {{0}, {0}};
    if (!c->handlers) return TAC_OK;
    c->at = at;
    c->row = row;
    tacStatus status = tacHandlersRow(c->handlers, position, &c->source, &failure);
    c->at = NULL;
    return status == TAC_OK ? TAC_OK : ended(c, &failure, err);
}

tacStatus tacCarriedBegin(tacCarried *c, tacError *err) { return reach(c, 0, NULL, TAC_NONE, err); }

/* Lets the handlers run up to the row that the replay has come to. */
static tacStatus onRow(void *data, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    tacCarried *c = data;
    tacAskAt at = {model, replay, tacNow(replay)};
    return c->handlers ? reach(c, row + 1, &at, row, err) : TAC_OK;
}

tacConsumer tacCarriedConsumer(tacCarried *c) { return (tacConsumer){.data = c, .event = onRow}; }

tacStatus tacCarriedEnd(tacCarried *c, const tacModel *model, tacError *err) {
    tacAskAt at = {model, NULL, model->end};
    tacStatus status = reach(c, tacStoreCount(c->store) + 1, &at, TAC_NONE, err);
    return status == TAC_OK && c->text.failed ? tacFailMemory(err) : status;
}

/* ---- making and freeing ---- */

/* Notes that handlers want events of this name. false: no memory. */
static bool want(tacCarried *c, const char *name, size_t length) {
    if (strcmp(name, "<TraceOpened>") == 0) return c->opened = true;
    if (strcmp(name, "<TraceFinished>") == 0) return c->finished = true;
    int event = tacEventFind(name, length, false);
    if (event < 0) event = tacEventFind(name, length, true);
    if (event < 0) event = TAC_EV_CUSTOM;
    c->wanted[event] = true;
    if (!tacEventIs((tacEvent) event, TAC_TRAIT_NAMED)) return true;
    uint32_t id = tacInternFind(&c->store->strings, name, length);
    if (id == TAC_NONE) return true;
    if (!c->names) c->names = tacAllocZero(tacInternCount(&c->store->strings), 1);
    if (c->names) c->names[id] = 1;
    return c->names != NULL;
}

tacCarried *tacCarriedNew(
    tacHandlers *handlers, const tacInternTable *names, const tacStore *store, tacDiag *diag, tacError *err) {
    tacCarried *c = tacAllocZero(1, sizeof *c);
    if (!c) {
        tacHandlersFree(handlers);
        return tacFailMemory(err), NULL;
    }
    *c = (tacCarried){.handlers = handlers, .store = store, .diag = diag, .row = TAC_NONE};
    c->source = (tacHandlerSource){.next = next,
        .data = c,
        .sink = {.data = c,
            .command = onCommand,
            .isCommand = onIsCommand,
            .query = onQuery,
            .report = onReport,
            .progress = onProgress,
            .commandNames = tacCommandNames}};
    bool fine = true;
    for (uint32_t i = 0; i < tacInternCount(names) && fine; i++) {
        size_t length;
        const char *name = tacInternName(names, i, &length);
        fine = want(c, name, length);
    }
    if (fine) return c;
    tacCarriedFree(c);
    return tacFailMemory(err), NULL;
}

void tacCarriedFree(tacCarried *c) {
    if (!c) return;
    tacHandlersFree(c->handlers);
    tacTextFree(&c->text);
    tacArrayFree(&c->ends);
    tacFree(c->names);
    tacFree(c);
}
