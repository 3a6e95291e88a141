/*
 * hook.c -- the consumer of the replay that calls Tcl handlers.
 *
 *   registry (hookRegistry.c)
 *     -> Pass: the wanted handlers, by event; the words of events as Tcl values, each made once
 *       -> callHandlers: one Tcl_EvalObjv a handler and event, prefix + time + words
 *
 * H1  A pass holds a reference on each handler it may call: removing or switching off while it runs only sets `on`.
 * H2  Handlers that are added while a pass runs are called from the next pass on.
 * H3  A handler that fails, or says break, is not called again in the pass; a plugin that fails is switched off.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/hook.h"
#include "tcl/hookRegistry.h"
#include "tcl/object.h"
#include "tcl/optionTable.h"
#include "tcl/traceSubcommands.h"
#include "trace/rowWords.h"

#include <limits.h>
#include <string.h>

enum {
    TICK = 50000,         /* microseconds between two calls of progress */
    QUIET_ROWS = 1 << 14, /* rows without a handler between two looks at the clock */
    CACHE = 1 << 12       /* most Tcl values of a kind that are kept */
};

typedef struct tacPass Pass;

/* ---- a pass ------------------------------------------------------------------------------------------------------ */

typedef struct Cache { /* Tcl values by index, each in the place that its index has modulo CACHE */
    Tcl_Obj *values[CACHE];
    uint32_t indices[CACHE]; /* of values that are not NULL */
} Cache;

typedef struct NamedList { /* handlers of a name that plugins or the trace gave to an event */
    uint32_t name;         /* string id */
    tacHandlerList handlers;
} NamedList;

struct tacPass {
    Tcl_Interp *interp;
    tacTrace *trace;
    Tcl_Obj *command;                   /* full name of the trace's command, with a reference */
    Tcl_Obj *progress;                  /* prefix, or NULL */
    tacHandlerList wanted;              /* all of them, each with a reference (H1) */
    TAC_ARRAY(const void *) before;     /* for each of `wanted`, its `stopped` before this pass */
    tacHandlerList byEvent[TAC_EVENTS]; /* for events with names of their own (see `named`) only handlers of "*" */
    TAC_ARRAY(NamedList) named;
    Cache *ids[TAC_KINDS];         /* ids as Tcl values; NULL: none yet */
    Cache *strings;                /* by string id */
    Tcl_Obj *options[TAC_OPTIONS]; /* their names */
    TAC_ARRAY(Tcl_Obj *) words;    /* of the present event: time, arguments, options; each with a reference */
    TAC_ARRAY(Tcl_Obj *) call;     /* of the present call; borrowed */
    TAC_ARRAY(tacKind) kinds;      /* for each word that is an id: its kind, */
    TAC_ARRAY(uint32_t) indices;   /* ... the index of the object, */
    TAC_ARRAY(Tcl_Obj *) idWords;  /* ... the word itself, */
    TAC_ARRAY(size_t) places;      /* ... and its place among the words */
    TAC_ARRAY(Tcl_Obj *) safe;     /* words that stand for ids in the present call; each with a reference */
    uint64_t calls;
    int64_t lastTick; /* microseconds */
    uint32_t quiet;   /* rows without a handler since the clock was looked at */
    int code;         /* of Tcl; not TCL_OK: the interpreter has the error */
    bool remarked;    /* the trace has new remarks */
    Pass *outer;      /* under way around it */
};

/* The list that a handler belongs to. NULL: no memory, or (*none) it needs none, as the trace has no such event. */
static tacHandlerList *listOf(Pass *p, const tacHandler *handler, bool *none) {
    *none = false;
    if (!tacEventIs((tacEvent) handler->event, TAC_TRAIT_NAMED)) return &p->byEvent[handler->event];
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(handler->name, &length);
    uint32_t name = tacInternFind(&p->trace->store.strings, text, (size_t) length);
    *none = name == TAC_NONE;
    if (*none) return NULL;
    for (size_t i = 0; i < p->named.count; i++)
        if (p->named.at[i].name == name) return &p->named.at[i].handlers;
    if (!tacArrayPush(&p->named, (NamedList){.name = name})) return NULL;
    return &p->named.at[p->named.count - 1].handlers;
}

/* Puts all wanted handlers into the lists, in order of registration. The lists of named events are made first, so that
 * a handler of "*" gets into each of them. False: no memory. */
static bool sortIn(Pass *p) {
    bool none, fine = true;
    for (size_t i = 0; i < p->wanted.count && fine; i++)
        if (p->wanted.at[i]->event != TAC_ALL_EVENTS) fine = listOf(p, p->wanted.at[i], &none) || none;
    for (size_t i = 0; i < p->wanted.count && fine; i++) {
        tacHandler *handler = p->wanted.at[i];
        if (handler->event == TAC_ALL_EVENTS) {
            for (int event = 0; event < TAC_EVENTS; event++) fine = fine && tacArrayPush(&p->byEvent[event], handler);
            for (size_t k = 0; k < p->named.count; k++) fine = fine && tacArrayPush(&p->named.at[k].handlers, handler);
            continue;
        }
        tacHandlerList *list = listOf(p, handler, &none);
        fine = none || (list && tacArrayPush(list, handler));
    }
    return fine;
}

/* ---- the words of an event --------------------------------------------------------------------------------------- */

/* Adds a word to those of the event. False: no memory; also for NULL. */
static bool addWord(Pass *p, Tcl_Obj *word) {
    if (!word) return false;
    Tcl_IncrRefCount(word);
    if (tacArrayPush(&p->words, word)) return true;
    Tcl_DecrRefCount(word);
    return false;
}

/* The value of a text with an index; cache and value are made when needed. NULL: no memory. */
static Tcl_Obj *cached(Cache **cache, uint32_t index, const char *text) {
    if (!*cache) *cache = tacAllocZero(1, sizeof **cache);
    if (!*cache) return NULL;
    uint32_t at = index % CACHE;
    if ((*cache)->values[at] && (*cache)->indices[at] == index) return (*cache)->values[at];
    tacReplace(&(*cache)->values[at], Tcl_NewStringObj(text, -1));
    (*cache)->indices[at] = index;
    return (*cache)->values[at];
}

/* The value of a string of the store. */
static Tcl_Obj *stringValue(Pass *p, uint32_t id) {
    const tacStore *store = &p->trace->store;
    return cached(&p->strings, id, tacString(store, id));
}

/* Adds a time as a decimal. */
static bool addTicks(Pass *p, int64_t ticks) {
    char text[TAC_DECIMAL_SIZE];
    size_t length = tacDecimalFormat(ticks, p->trace->store.digits, text);
    return addWord(p, Tcl_NewStringObj(text, (Tcl_Size) length));
}

/* Adds the words of a list, which the reader made of all the remaining words of a command. */
static bool addRest(Pass *p, uint32_t id) {
    Tcl_Size count;
    Tcl_Obj **elements, *list = stringValue(p, id);
    if (!list || Tcl_ListObjGetElements(NULL, list, &count, &elements) != TCL_OK) return addWord(p, list);
    bool fine = true;
    for (Tcl_Size i = 0; i < count && fine; i++) fine = addWord(p, elements[i]);
    return fine;
}

/* Adds the name of an option of the event, and (onValue) an argument or the value of an option: a tacRowVisitor. */
static bool onOption(void *data, tacOption option) {
    Pass *p = data;
    if (!p->options[option]) p->options[option] = tacKept(Tcl_NewStringObj(tacOptions[option].name, -1));
    return addWord(p, p->options[option]);
}

static bool onValue(void *data, tacType type, int64_t value) {
    Pass *p = data;
    const tacStore *store = &p->trace->store;
    if ((int) type < TAC_KINDS) { /* an id: its kind and index are kept beside the word */
        tacKind kind = (tacKind) type;
        uint32_t index = (uint32_t) value;
        Tcl_Obj *id = cached(&p->ids[kind], index, tacObjectId(store, kind, index));
        return id && tacArrayPush(&p->places, p->words.count) && tacArrayPush(&p->kinds, kind)
            && tacArrayPush(&p->indices, index) && tacArrayPush(&p->idWords, id) && addWord(p, id);
    }
    switch (type) {
    case TAC_TYPE_TIME: return addTicks(p, value);
    case TAC_TYPE_INTEGER: return addWord(p, Tcl_NewWideIntObj(value));
    case TAC_TYPE_FLAG: return addWord(p, Tcl_NewWideIntObj(1));
    case TAC_TYPE_REST: return addRest(p, (uint32_t) value);
    default: return addWord(p, stringValue(p, (uint32_t) value));
    }
}

static void dropWords(Pass *p) {
    for (size_t i = 0; i < p->words.count; i++) Tcl_DecrRefCount(p->words.at[i]);
    p->words.count = p->kinds.count = p->indices.count = p->idWords.count = p->places.count = 0;
}

/* ---- calling ----------------------------------------------------------------------------------------------------- */

/* Makes a remark of the error that a handler ended with. library/plugin gives the sentence, and switches the plugin
 * off. */
static void noteFailure(Pass *p, tacHandler *handler, uint32_t row) {
    Tcl_Obj *message = tacKept(Tcl_GetObjResult(p->interp)),
            *options = tacKept(Tcl_GetReturnOptions(p->interp, TCL_ERROR)),
            *command = tacKept(Tcl_NewStringObj("::tactus::plugin::handlerFailed", -1));
    Tcl_Obj *words[] = {command, tacKept(handler->plugin), tacKept(handler->name), message, options};
    handler->on = false;
    int code = Tcl_EvalObjv(p->interp, 5, words, TCL_EVAL_GLOBAL);
    Tcl_Obj *text = tacKept(code == TCL_OK ? Tcl_GetObjResult(p->interp) : message);
    tacDiagAdd(
        &p->trace->diag, TAC_SEVERITY_WARNING, tacRowLine(&p->trace->store, row), "PLUGIN", "%s", Tcl_GetString(text));
    p->remarked = true;
    Tcl_ResetResult(p->interp);
    Tcl_DecrRefCount(text);
    for (int i = 0; i < 5; i++) Tcl_DecrRefCount(words[i]);
}

/* True when the interpreter was deleted or cancelled, or has reached a limit; the pass then ends with an error. */
static bool interrupted(Pass *p) {
    if (!Tcl_InterpDeleted(p->interp) && Tcl_Canceled(p->interp, TCL_LEAVE_ERR_MSG) == TCL_OK
        && !Tcl_LimitExceeded(p->interp))
        return false;
    p->code = TCL_ERROR;
    return true;
}

/* Puts the words of a call into p->call: the prefix, then the words of the event. For a handler that uses ids as
 * commands, ids that are names of other commands are replaced (tacSafeId). False: no memory. */
static bool buildCall(Pass *p, const tacHandler *handler) {
    Tcl_Size n;
    Tcl_Obj **words;
    if (Tcl_ListObjGetElements(NULL, handler->prefix, &n, &words) != TCL_OK) return false;
    p->call.count = 0;
    if (!tacArrayReserve(&p->call, (size_t) n + p->words.count)) return false;
    memcpy(p->call.at, words, (size_t) n * sizeof *words);
    memcpy(p->call.at + n, p->words.at, p->words.count * sizeof *words);
    p->call.count = (size_t) n + p->words.count;
    for (size_t i = 0; handler->safeFor && i < p->places.count; i++) {
        Tcl_Obj **word = &p->call.at[(size_t) n + p->places.at[i]],
                *safe = tacSafeId(p->interp, p->kinds.at[i], *word, handler->safeFor);
        if (safe == *word) continue;
        if (!safe || !tacArrayReserve(&p->safe, 1)) return false;
        p->safe.at[p->safe.count++] = tacKept(safe);
        *word = safe;
    }
    return true;
}

static tacStatus callHandler(Pass *p, tacHandler *handler, uint32_t row, tacError *err) {
    bool fine = buildCall(p, handler);
    int code = fine ? Tcl_EvalObjv(p->interp, (int) p->call.count, p->call.at, TCL_EVAL_GLOBAL) : TCL_OK;
    for (size_t i = 0; i < p->safe.count; i++) Tcl_DecrRefCount(p->safe.at[i]);
    p->safe.count = 0;
    if (!fine) return tacFailMemory(err);
    p->calls++;
    if (code == TCL_ERROR) {
        /* A cancellation or a limit that ended the handler may show in the error's code alone. */
        if (tacTclFailedWith(p->interp, "TCL CANCEL") || tacTclFailedWith(p->interp, "TCL LIMIT")) p->code = TCL_ERROR;
        if (p->code != TCL_OK || interrupted(p)) return tacFail(err, "CANCELLED", "the handlers were interrupted");
        noteFailure(p, handler, row);
    } else if (code == TCL_BREAK) handler->stopped = p;
    return TAC_OK;
}

/* Calls the handlers of a list, for which the words of the event are made once. */
static tacStatus callHandlers(Pass *p, const tacHandlerList *list, const tacAskAt *at, uint32_t row, tacError *err) {
    static const tacRowVisitor visitor = {onOption, onValue};
    const tacStore *store = &p->trace->store;
    if (!addTicks(p, tacRowTime(store, row)) || !tacRowWords(store, row, &visitor, p)) return tacFailMemory(err);
    tacEventMoment event = {
        *at, row, p->command, NULL, p->idWords.at, p->kinds.at, p->indices.at, (int) p->kinds.count};
    tacMoment moment = {.event = &event};
    if (!tacMomentEnter(p->interp, &moment)) return tacFailMemory(err);
    tacStatus status = TAC_OK;
    for (size_t i = 0; i < list->count && status == TAC_OK; i++) {
        tacHandler *handler = list->at[i];
        event.safeFor = handler->safeFor;
        if (handler->on && handler->stopped != p) status = callHandler(p, handler, row, err);
    }
    tacMomentLeave(p->interp, &moment);
    dropWords(p);
    return status;
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

/* Calls the -progress script. Returns Tcl's code. */
static int callProgress(Pass *p, uint32_t row) {
    const tacStore *store = &p->trace->store;
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutText(dict, "phase", "handlers");
    tacPutCount(dict, "done", row);
    tacPutCount(dict, "total", tacStoreCount(store));
    tacPutCount(dict, "events", tacStoreCount(store));
    tacPutCount(dict, "tasks", tacStoreObjects(store, TAC_TASK));
    tacPutCount(dict, "errors", tacDiagErrors(&p->trace->diag));
    tacPutCount(dict, "lines", 0);
    return tacTclCall(p->interp, p->progress, dict);
}

/* Calls the -progress script when it is time, and looks whether the interpreter lets the pass go on. */
static tacStatus tick(Pass *p, uint32_t row, tacError *err) {
    int64_t now = tacMicroseconds();
    p->quiet = 0;
    if (now - p->lastTick < TICK && now >= p->lastTick) return TAC_OK;
    p->lastTick = now;
    if (Tcl_AsyncReady()) Tcl_AsyncInvoke(p->interp, TCL_OK);
    if (interrupted(p)) return tacFail(err, "CANCELLED", "the handlers were interrupted");
    int code = p->progress ? callProgress(p, row) : TCL_OK;
    if (code == TCL_ERROR) p->code = TCL_ERROR;
    if (code == TCL_ERROR || code == TCL_BREAK || Tcl_InterpDeleted(p->interp))
        return tacFail(err, "CANCELLED", "cancelled");
    if (p->progress) Tcl_ResetResult(p->interp);
    return TAC_OK;
}

/* Calls the handlers of an event, if it has some: the tacConsumer. */
static tacStatus onRow(void *data, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    Pass *p = data;
    const tacStore *store = &p->trace->store;
    tacEvent event = tacRowEvent(store, row);
    const tacHandlerList *list = &p->byEvent[event];
    for (size_t i = 0; tacEventIs(event, TAC_TRAIT_NAMED) && i < p->named.count; i++)
        if (p->named.at[i].name == tacRowSubject(store, row)) list = &p->named.at[i].handlers;
    if (list->count == 0) return ++p->quiet < QUIET_ROWS ? TAC_OK : tick(p, row, err);
    tacAskAt at = {model, replay, tacNow(replay)};
    if (callHandlers(p, list, &at, row, err) != TAC_OK) return TAC_ERROR;
    return tick(p, row, err);
}

/* ---- a pass from begin to end ------------------------------------------------------------------------------------ */

typedef struct Options {
    Tcl_Obj *progress, *groups, *plugins;
} Options;

static const tacOptionRow replayRows[] = {
    {"-groups", TAC_VALUE_OBJECT, offsetof(Options, groups), NULL, "list", NULL,
        "groups of handlers; default: those that run when a trace is opened"},
    {"-plugins", TAC_VALUE_OBJECT, offsetof(Options, plugins), NULL, "list", NULL, "only handlers of these plugins"},
    {"-progress", TAC_VALUE_OBJECT, offsetof(Options, progress), NULL, "prefix", NULL,
        "command prefix that is called now and then; an error or break ends the replay"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

static void freeCache(Cache *cache) {
    for (size_t i = 0; cache && i < CACHE; i++)
        if (cache->values[i]) Tcl_DecrRefCount(cache->values[i]);
    tacFree(cache);
}

static void freePass(Pass *p) {
    dropWords(p);
    Tcl_DecrRefCount(p->command);
    for (size_t i = 0; i < p->wanted.count; i++) tacHandlerRelease(p->wanted.at[i]);
    for (int event = 0; event < TAC_EVENTS; event++) tacArrayFree(&p->byEvent[event]);
    for (size_t i = 0; i < p->named.count; i++) tacArrayFree(&p->named.at[i].handlers);
    for (int kind = 0; kind < TAC_KINDS; kind++) freeCache(p->ids[kind]);
    freeCache(p->strings);
    for (int i = 0; i < TAC_OPTIONS; i++)
        if (p->options[i]) Tcl_DecrRefCount(p->options[i]);
    tacArrayFree(&p->wanted);
    tacArrayFree(&p->before);
    tacArrayFree(&p->named);
    tacArrayFree(&p->words);
    tacArrayFree(&p->call);
    tacArrayFree(&p->kinds);
    tacArrayFree(&p->indices);
    tacArrayFree(&p->idWords);
    tacArrayFree(&p->places);
    tacArrayFree(&p->safe);
}

/* Replays the trace for the handlers. */
static tacStatus play(Pass *p, tacHooks *hooks, tacError *err) {
    tacConsumer consumer = {.data = p, .event = onRow};
    p->outer = hooks->passes;
    hooks->passes = p;
    tacStatus status = tacReplayFollow(&p->trace->model, &consumer, 1, err);
    if (!Tcl_InterpDeleted(p->interp)) hooks->passes = p->outer;
    if (p->remarked) tacDiagSort(&p->trace->diag);
    return status;
}

bool tacHookBusy(Tcl_Interp *interp, const tacTrace *trace) {
    const tacHooks *hooks = tacHooksOf(interp);
    for (const Pass *p = hooks ? hooks->passes : NULL; p; p = p->outer)
        if (p->trace == trace) return true;
    return false;
}

static int replay(Tcl_Interp *interp, tacTraceCall *call, const Options *options) {
    tacHooks *hooks = tacHooksOf(interp);
    tacError err = {{0}, {0}};
    if (tacHookBusy(interp, call->trace))
        return tacTclFail(interp, "TRACE BUSY", "the trace is being replayed already");
    Pass pass = {.interp = interp,
        .trace = call->trace,
        .command = tacKept(Tcl_NewObj()),
        .progress = options->progress,
        .lastTick = tacMicroseconds()};
    Tcl_GetCommandFullName(interp, call->record->token, pass.command);
    bool fine = hooks && tacHookCollect(hooks, options->groups, options->plugins, &pass.wanted) && sortIn(&pass);
    /* Handlers that an outer pass has stopped calling are called in this one; after it they are stopped as before. */
    for (size_t i = 0; i < pass.wanted.count && fine; i++) {
        fine = tacArrayPush(&pass.before, pass.wanted.at[i]->stopped);
        if (fine) pass.wanted.at[i]->stopped = NULL;
    }
    tacStatus status = fine ? TAC_OK : tacFailMemory(&err);
    if (fine && pass.wanted.count) {
        Tcl_Preserve(interp);
        status = play(&pass, hooks, &err);
        Tcl_Release(interp);
    }
    for (size_t i = 0; i < pass.before.count; i++) pass.wanted.at[i]->stopped = pass.before.at[i];
    freePass(&pass);
    if (status == TAC_OK) Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) pass.calls));
    else if (pass.code == TCL_OK) tacErrorToTcl(interp, &err);
    return status == TAC_OK ? TCL_OK : TCL_ERROR;
}

int tacHookReplay(Tcl_Interp *interp, tacTraceCall *call, Tcl_Obj *progress) {
    return replay(interp, call, &(Options){.progress = progress});
}

int tacReplaySub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Options options = {NULL, NULL, NULL};
    Tcl_Size length;
    if (tacOptionsParse(interp, replayRows, objc - 2, objv + 2, &options) != TCL_OK
        || (options.groups && Tcl_ListObjLength(interp, options.groups, &length) != TCL_OK)
        || (options.plugins && Tcl_ListObjLength(interp, options.plugins, &length) != TCL_OK))
        return TCL_ERROR;
    return replay(interp, data, &options);
}
