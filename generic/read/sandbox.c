/*
 * sandbox.c -- the interpreter for the script commands of a trace: its commands, its limits, its errors.
 *
 *   tacSandboxEval -> Tcl_EvalEx -> a vocabulary command -> sink->command
 *                               \-> unknown (an object's name) -> sink->query
 *                               \-> error -> sink->report, with the line of the inner command
 *
 * S1  Once `fatal` is set (a limit, no memory, cancelled) nothing is evaluated any more: every command made here
 *     returns an error then. `catch` and `try` are among them, so that they cannot swallow it.
 * S2  A vocabulary command that fails is a Tcl error only when a catch or try is open around it in the same procedure
 *     (`catchLevel`): there the script expects it, and there a worker waits for the result. Else it is reported and the
 *     script goes on, so that `catch {main}` neither loses the rest of a simulation nor slows it down.
 * S3  Time, cancelling and progress are checked in one place, onTick, which Tcl calls when its own time limit is
 *     reached: every TICK of evaluation.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/mem.h"
#include "base/similar.h"
#include "read/clean.h"
#include "read/sandbox.h"
#include "read/sandboxParts.h"
#include "read/worker.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    TICK = 50000,             /* microseconds */
    DEEPEST = 1000,           /* brackets within brackets; Tcl's parser calls itself for each */
    WORD_LIMIT = 1 << 20,     /* bytes of a word of a vocabulary command, as for literal ones */
    COMMAND_LIMIT = 16 << 20, /* bytes of all of them, each with WORD bytes more */
    WORD = 16,
    KIND = 40,     /* bytes of a kind of report that is made of an error code */
    PRINTS = 1000, /* lines printed by the trace that are reported */
    PRINTED = 200, /* bytes of them that are shown */
    NO_LEVEL = -1
};

/* A command of the vocabulary, as a Tcl command. */
typedef struct VocabularyCommand {
    struct tacSandbox *sandbox;
    const char *name;
    bool redefined; /* the script deleted, renamed or replaced it */
} VocabularyCommand;

/* A Tcl command that catches errors, and Tcl's own implementation of it. */
typedef struct CatchingCommand {
    struct tacSandbox *sandbox;
    Tcl_CmdInfo original;
} CatchingCommand;

typedef struct Body { /* of a command, that is being evaluated */
    uint32_t line;    /* of the trace, where it begins; 0: there is none */
    uint32_t span;    /* further lines that it has */
    int level;        /* depth of procedures where it stands */
} Body;

struct tacSandbox {
    const tacSink *sink;
    Tcl_Interp *interp;
    tacScriptLine where;
    VocabularyCommand *vocabulary; /* one for each of sink->commandNames */
    size_t nVocabulary;
    CatchingCommand catchers[2]; /* catch, try */
    Tcl_CmdInfo defineProc;      /* Tcl's proc */
    tacGuard guards[TAC_GUARDS];
    tacHandleTable handle;   /* handlers of events */
    tacError fatal;          /* why evaluation has ended for good (S1) */
    double timeLimit;        /* seconds of evaluation, 0: none */
    int64_t commandLimit;    /* 0: none */
    double spent;            /* seconds of earlier evaluations, outside of a worker */
    double began;            /* time in seconds at which the present one began */
    Tcl_CmdInfo infoLevel;   /* Tcl's `info level` */
    Tcl_CmdInfo infoGlobals; /* Tcl's `info globals` */
    Tcl_Obj *levelWord;      /* the word by which both are called */
    Body body;
    int catchLevel; /* depth of procedures at the innermost open catch or try, or NO_LEVEL (S2) */
    int printed;    /* lines reported by puts */
    bool inWorker, anyRedefined;
};

/* ---- errors and lines -------------------------------------------------------------------------------------------- */

static void report(tacSandbox *s, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    s->sink->report(s->sink->data, severity, line, kind, text);
}

/* Makes *err the interpreter's error, with errorCode {TACTUS ...}. */
static int tclError(Tcl_Interp *interp, const tacError *err) {
    Tcl_Obj *code = Tcl_ObjPrintf("TACTUS %s", err->code);
    Tcl_SetObjErrorCode(interp, code);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(err->message, -1));
    return TCL_ERROR;
}

/* The error of every command once `fatal` is set (S1). */
static int stop(tacSandbox *s) { return tclError(s->interp, &s->fatal); }

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* The words of a call, as the sink wants them. */
typedef struct WordList {
    tacWord few[32];
    tacWord *at;               /* few, or allocated */
    TAC_ARRAY(char *) cleaned; /* texts of words that were no clean UTF-8 in Tcl */
} WordList;

static void freeWords(WordList *words) {
    if (words->at != words->few) tacFree(words->at);
    for (size_t i = 0; i < words->cleaned.count; i++) tacFree(words->cleaned.at[i]);
    tacArrayFree(&words->cleaned);
}

/* Replaces a word by a clean one; false: no memory. */
static bool cleanWord(WordList *words, tacWord *word) {
    char *text = tacAlloc(TAC_CLEAN_GROWTH * word->length);
    if (!text || !tacArrayPush(&words->cleaned, text)) return tacFree(text), false;
    *word = (tacWord){text, tacCleanWord(word->at, word->length, text)};
    return true;
}

/* Makes the list of words; false: no memory. */
static bool wordsOf(WordList *words, int objc, Tcl_Obj *const objv[]) {
    memset(&words->cleaned, 0, sizeof words->cleaned);
    words->at = objc <= 32 ? words->few : tacAllocZero((size_t) objc, sizeof(tacWord));
    if (!words->at) return false;
    for (int i = 0; i < objc; i++) {
        int length;
        tacWord *word = &words->at[i];
        word->at = Tcl_GetStringFromObj(objv[i], &length);
        word->length = (size_t) length;
        if (!tacIsCleanName(word->at, word->length) && !cleanWord(words, word)) return freeWords(words), false;
    }
    return true;
}

/* ---- the vocabulary ---------------------------------------------------------------------------------------------- */

/* Depth of procedure calls, as `info level` says. */
static int currentLevel(tacSandbox *s) {
    int level = 0;
    if (s->infoLevel.objProc(s->infoLevel.objClientData, s->interp, 1, &s->levelWord) == TCL_OK)
        Tcl_GetIntFromObj(NULL, Tcl_GetObjResult(s->interp), &level);
    Tcl_ResetResult(s->interp);
    return level;
}

/* Deals with an error of the sink: it ends the evaluation, is a Tcl error if a script catches it, or is reported. */
static int failed(tacSandbox *s, uint32_t line, bool caught, const tacError *err) {
    if (tacEndsReading(err)) {
        s->fatal = *err;
        return stop(s);
    }
    if (caught) return tclError(s->interp, err);
    report(s, TAC_SEVERITY_ERROR, line, err->code, err->message);
    return TCL_OK;
}

/* The message about a command that is too long; NULL: it is not. */
static const char *tooLong(const WordList *words, int count) {
    size_t all = 0;
    for (int i = 0; i < count; i++) {
        if (words->at[i].length > WORD_LIMIT) return "a word is longer than 1 MB; the command is left out";
        all += words->at[i].length + WORD;
        if (all > COMMAND_LIMIT) return "the command is longer than 16 MB; it is left out";
    }
    return NULL;
}

/* Line of the trace of the running command. */
static uint32_t lineNow(tacSandbox *s) {
    return s->body.line && s->body.level == currentLevel(s) ? tacScriptLineWithin(&s->where, s->body.line, s->body.span)
                                                            : tacScriptLineNow(&s->where);
}

static uint32_t newlines(Tcl_Obj *word) {
    uint32_t n = 0;
    for (const char *at = Tcl_GetString(word); (at = strchr(at, '\n')) != NULL; at++) n++;
    return n;
}

/* Evaluates the body of a command, its last word, where the command stands, and tells the sink where it ends. */
static int evaluateBody(tacSandbox *s, int objc, Tcl_Obj *const objv[], uint32_t line) {
    tacWord end[] = {{TAC_BODY_END, strlen(TAC_BODY_END)}, {"error", 5}};
    tacError err = {"", ""};
    Body outer = s->body;
    s->body = (Body){line, newlines(objv[objc - 1]), currentLevel(s)};
    for (int i = 0; i < objc - 1; i++) s->body.line += newlines(objv[i]);
    int code = Tcl_EvalObjEx(s->interp, objv[objc - 1], 0);
    s->body = outer;
    if (s->fatal.code[0]) return stop(s);
    if (s->sink->command(s->sink->data, end, code == TCL_ERROR ? 2 : 1, line, &err) == TAC_OK) return code;
    int failure = failed(s, line, false, &err);
    return failure == TCL_OK ? code : failure;
}

/* A command of the vocabulary: hands it to the sink. */
static int vocabularyProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    VocabularyCommand *command = data;
    tacSandbox *s = command->sandbox;
    WordList words;
    tacError err = {"", ""};
    (void) interp;
    if (s->fatal.code[0]) return stop(s);
    uint32_t line = lineNow(s);
    bool caught = s->catchLevel != NO_LEVEL && s->catchLevel == currentLevel(s); /* S2 */
    if (!wordsOf(&words, objc, objv)) {
        tacFailMemory(&err);
        return failed(s, line, caught, &err);
    }
    words.at[0] = (tacWord){command->name, strlen(command->name)}; /* whatever the script calls it now */
    const char *problem = tooLong(&words, objc);
    bool hasBody = s->sink->hasBody && s->sink->hasBody(words.at, objc);
    tacStatus status = TAC_OK;
    if (problem) {
        report(s, TAC_SEVERITY_ERROR, line, "LIMIT WORD", problem);
    } else {
        if (caught) tacWorkerWait(true);
        if (hasBody) words.at[objc - 1] = (tacWord){"", 0};
        status = s->sink->command(s->sink->data, words.at, objc, line, &err);
        if (caught) tacWorkerWait(false);
    }
    freeWords(&words);
    if (status != TAC_OK) return failed(s, line, caught, &err);
    return hasBody && !problem ? evaluateBody(s, objc, objv, line) : TCL_OK;
}

/* Called when the script deletes, renames or replaces a vocabulary command. */
static void onRedefined(ClientData data, Tcl_Interp *interp, const char *oldName, const char *newName, int flags) {
    VocabularyCommand *command = data;
    (void) interp, (void) oldName, (void) newName;
    if (flags & TCL_INTERP_DESTROYED) return;
    command->redefined = command->sandbox->anyRedefined = true;
}

/* Number of bytes of the whole characters of a text that fit into `most` bytes. */
static int shown(const char *text, size_t length, size_t most) { return (int) tacWholeLength(text, length, most); }

/* Makes the error of a name that is no command; messages are those of the reader for literal commands. */
static void noSuchCommand(const tacSandbox *s, Tcl_Obj *name, tacError *err) {
    int length;
    const char *text = Tcl_GetStringFromObj(name, &length);
    tacErrorClear(err);
    if (tacForbidden(text, (size_t) length))
        tacFail(err, "SCRIPT FORBIDDEN", "a trace may not use the command \"%s\"", text);
    else {
        const char *similar = tacSimilarOf(text, (size_t) length, s->sink->commandNames);
        if (similar && strcmp(similar, text) == 0) similar = NULL; /* the script has deleted it */
        tacFail(err, "UNKNOWN COMMAND", "unknown command \"%.*s\"%s%s%s", shown(text, (size_t) length, 60), text,
            similar ? "; did you mean \"" : "", similar ? similar : "", similar ? "\"?" : "");
    }
}

/* `unknown`: answers for an object used as a command, or fails. */
static int unknownProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacSandbox *s = data;
    WordList words;
    tacText result = {0};
    tacError err = {"", ""};
    if (s->fatal.code[0]) return stop(s);
    if (objc < 2) return TCL_OK;
    uint32_t line = tacScriptLineNow(&s->where);
    if (!wordsOf(&words, objc - 1, objv + 1)) {
        tacFailMemory(&err);
        return failed(s, line, true, &err);
    }
    tacStatus status = s->sink->query(s->sink->data, words.at, objc - 1, line, &result, &err);
    freeWords(&words);
    if (status == TAC_OK && result.failed) status = tacFailMemory(&err);
    if (status == TAC_OK) Tcl_SetObjResult(interp, Tcl_NewStringObj(result.at ? result.at : "", (int) result.length));
    else if (strcmp(err.code, "LOOKUP OBJECT") == 0) noSuchCommand(s, objv[1], &err);
    tacTextFree(&result);
    return status == TAC_OK ? TCL_OK : failed(s, line, true, &err);
}

/* ---- Tcl commands that are replaced ------------------------------------------------------------------------------ */

/* `catch` and `try`: note that they are open, and let no fatal error be caught (S1, S2). */
static int catchingProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    CatchingCommand *command = data;
    tacSandbox *s = command->sandbox;
    if (s->fatal.code[0]) return stop(s);
    int outer = s->catchLevel;
    s->catchLevel = currentLevel(s);
    int code = command->original.objProc(command->original.objClientData, interp, objc, objv);
    s->catchLevel = outer;
    return s->fatal.code[0] ? stop(s) : code;
}

/* `proc`: also notes the line in which the body begins. */
static int procProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacSandbox *s = data;
    int code = s->defineProc.objProc(s->defineProc.objClientData, interp, objc, objv);
    if (code == TCL_OK) tacScriptLineProc(&s->where, objv[1], objv[2]);
    return code;
}

/* Tells whether this is stdout or stderr; fails with a message if not. */
static bool isStandardChannel(Tcl_Interp *interp, Tcl_Obj *name) {
    if (strcmp(Tcl_GetString(name), "stdout") == 0 || strcmp(Tcl_GetString(name), "stderr") == 0) return true;
    Tcl_SetObjResult(interp, Tcl_ObjPrintf("a trace may not write to \"%s\"", Tcl_GetString(name)));
    Tcl_SetErrorCode(interp, "TACTUS", "SCRIPT", "CHANNEL", NULL);
    return false;
}

/* `puts`: simulators print messages about their work, which become notes. */
static int putsProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacSandbox *s = data;
    int first = objc > 2 && strcmp(Tcl_GetString(objv[1]), "-nonewline") == 0 ? 2 : 1;
    if (objc - first < 1 || objc - first > 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "?-nonewline? ?channelId? string");
        return TCL_ERROR;
    }
    if (objc - first == 2 && !isStandardChannel(interp, objv[first])) return TCL_ERROR;
    if (s->printed++ >= PRINTS) return TCL_OK;
    char text[PRINTED + 32];
    int length;
    const char *printed = Tcl_GetStringFromObj(objv[objc - 1], &length);
    snprintf(text, sizeof text, "the trace printed: %.*s%s", shown(printed, (size_t) length, PRINTED), printed,
        length > PRINTED ? "..." : "");
    report(s, TAC_SEVERITY_NOTE, tacScriptLineNow(&s->where), "PRINTED", text);
    return TCL_OK;
}

/* `flush`: has nothing to do. */
static int flushProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc == 2) return isStandardChannel(interp, objv[1]) ? TCL_OK : TCL_ERROR;
    Tcl_WrongNumArgs(interp, 1, objv, "channelId");
    return TCL_ERROR;
}

/* `package`: `require Tcl` and `provide` stand at the head of many scripts, and have nothing to do here. */
static int packageProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    const char *sub = objc > 1 ? Tcl_GetString(objv[1]) : "";
    int name = objc > 2 && strcmp(Tcl_GetString(objv[2]), "-exact") == 0 ? 3 : 2;
    if (strcmp(sub, "provide") == 0) return TCL_OK;
    if (strcmp(sub, "require") == 0 && name < objc && strcmp(Tcl_GetString(objv[name]), "Tcl") == 0) {
        Tcl_SetObjResult(interp, Tcl_NewStringObj(TCL_VERSION, -1));
        return TCL_OK;
    }
    Tcl_SetObjResult(
        interp, Tcl_ObjPrintf("a trace may not load the package \"%s\"", name < objc ? Tcl_GetString(objv[name]) : ""));
    Tcl_SetErrorCode(interp, "TACTUS", "SCRIPT", "PACKAGE", NULL);
    return TCL_ERROR;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static double seconds(void) {
    Tcl_Time now;
    Tcl_GetTime(&now);
    return (double) now.sec + (double) now.usec * 1e-6;
}

/* Lets Tcl call onTick once more, a little later. */
static void rearm(tacSandbox *s) {
    Tcl_Time next;
    Tcl_GetTime(&next);
    next.usec += TICK;
    if (next.usec >= 1000000) next.sec++, next.usec -= 1000000;
    Tcl_LimitSetTime(s->interp, &next);
}

/* Checks time and cancelling (S3). Unless a new time is set, Tcl ends the evaluation, which no catch can prevent. */
static void onTick(ClientData data, Tcl_Interp *interp) {
    tacSandbox *s = data;
    (void) interp;
    if (s->sink->progress && !s->sink->progress(s->sink->data, 0, 0)) {
        tacFail(&s->fatal, "CANCELLED", "cancelled");
        return;
    }
    double evaluated = s->inWorker ? tacWorkerSeconds() : s->spent + (seconds() - s->began);
    if (s->timeLimit == 0 || evaluated < s->timeLimit) rearm(s);
}

/* A trace of commands that does nothing (see setLimits). */
static int countCommand(ClientData data, Tcl_Interp *interp, int level, const char *command, Tcl_Command token,
    int objc, Tcl_Obj *const objv[]) {
    (void) data, (void) interp, (void) level, (void) command, (void) token, (void) objc, (void) objv;
    return TCL_OK;
}

/*
 * Sets the limits of commands and time. Tcl does not count all commands that it compiles in place: `while 1 {incr i}`
 * runs one. That is good enough for the default limit, with the time limit beside it. A limit that is given means every
 * command, at the price of speed: a trace of the interpreter forbids compiling in place (one of the outermost level
 * only, since it need not be called).
 */
static void setLimits(tacSandbox *s, const tacReadOptions *options) {
    if (options->commandLimit > 0) Tcl_CreateObjTrace(s->interp, 1, 0, countCommand, NULL, NULL);
    s->timeLimit = tacTimeLimit(options);
    s->commandLimit = tacCommandLimit(options);
    if (s->commandLimit && s->commandLimit < INT_MAX && Tcl_Eval(s->interp, "info cmdcount") == TCL_OK) {
        int used = 0;
        Tcl_GetIntFromObj(NULL, Tcl_GetObjResult(s->interp), &used);
        int64_t limit = s->commandLimit + used;
        Tcl_LimitSetCommands(s->interp, limit < INT_MAX ? (int) limit : INT_MAX);
        Tcl_LimitTypeSet(s->interp, TCL_LIMIT_COMMANDS);
    }
    Tcl_LimitAddHandler(s->interp, TCL_LIMIT_TIME, onTick, s, NULL);
    rearm(s);
    Tcl_LimitTypeSet(s->interp, TCL_LIMIT_TIME);
}

/* Sets `fatal` if a limit has ended the evaluation. */
static void noteLimit(tacSandbox *s, uint32_t line) {
    if (s->fatal.code[0]) return;
    if (Tcl_LimitTypeExceeded(s->interp, TCL_LIMIT_COMMANDS))
        tacFail(&s->fatal, "LIMIT COMMANDS",
            "line %u: the script ran more than %lld commands; raise the limit with -commandlimit", line,
            (long long) s->commandLimit);
    else if (Tcl_LimitTypeExceeded(s->interp, TCL_LIMIT_TIME))
        tacFail(&s->fatal, "LIMIT TIME", "line %u: the script ran longer than %g s; raise the limit with -timelimit",
            line, s->timeLimit);
}

/* ---- making a sandbox -------------------------------------------------------------------------------------------- */

/* Called by Tcl, instead of ending the process, when memory runs out; in a worker that means the memory limit. */
static void onPanic(const char *format, ...) {
    (void) format;
    tacWorkerOutOfMemory();
}

/* Makes a Tcl command of each command of the vocabulary. */
static tacStatus addVocabulary(tacSandbox *s, tacError *err) {
    while (s->sink->commandNames[s->nVocabulary]) s->nVocabulary++;
    s->vocabulary = tacAllocZero(s->nVocabulary + 1, sizeof *s->vocabulary);
    if (!s->vocabulary) return tacFailMemory(err);
    for (size_t i = 0; i < s->nVocabulary; i++) {
        VocabularyCommand *command = &s->vocabulary[i];
        command->sandbox = s;
        command->name = s->sink->commandNames[i];
        if (tacHandleKnows(command->name, strlen(command->name))) continue; /* made elsewhere */
        Tcl_CreateObjCommand(s->interp, command->name, vocabularyProc, command, NULL);
        Tcl_TraceCommand(s->interp, command->name, TCL_TRACE_RENAME | TCL_TRACE_DELETE, onRedefined, command);
    }
    return TAC_OK;
}

/* Replaces the Tcl commands that have another meaning in a trace. */
static void addCommands(tacSandbox *s) {
    static const char *const catching[2] = {"catch", "try"};
    for (int i = 0; i < 2; i++) {
        s->catchers[i].sandbox = s;
        Tcl_GetCommandInfo(s->interp, catching[i], &s->catchers[i].original);
        Tcl_CreateObjCommand(s->interp, catching[i], catchingProc, &s->catchers[i], NULL);
    }
    s->catchLevel = NO_LEVEL;
    Tcl_GetCommandInfo(s->interp, "::tcl::info::level", &s->infoLevel);
    Tcl_GetCommandInfo(s->interp, "::tcl::info::globals", &s->infoGlobals);
    s->levelWord = Tcl_NewStringObj("level", -1);
    Tcl_IncrRefCount(s->levelWord);
    Tcl_GetCommandInfo(s->interp, "proc", &s->defineProc);
    Tcl_CreateObjCommand(s->interp, "proc", procProc, s, NULL);
    Tcl_CreateObjCommand(s->interp, "puts", putsProc, s, NULL);
    Tcl_CreateObjCommand(s->interp, "flush", flushProc, s, NULL);
    Tcl_CreateObjCommand(s->interp, "package", packageProc, s, NULL);
    Tcl_CreateObjCommand(s->interp, "unknown", unknownProc, s, NULL);
    s->handle = (tacHandleTable){.sink = &s->sink, .where = &s->where};
}

static Tcl_Interp *spare; /* made in advance; NULL: none */

void tacSandboxPrepare(Tcl_Interp *interp) { spare = interp; }

/* Fills a new interpreter. */
static tacStatus prepare(tacSandbox *s, const tacReadOptions *options, tacError *err) {
    bool alsoVariables = !s->inWorker;
    if (tacScriptLineInit(&s->where, s->interp, err) != TAC_OK) return TAC_ERROR;
    if (tacAllowOnly(s->interp, err) != TAC_OK) return TAC_ERROR;
    if (tacGuardCommands(s->interp, s->guards, tacMemoryLimit(options) / 8, alsoVariables, err) != TAC_OK)
        return TAC_ERROR;
    addCommands(s);
    if (addVocabulary(s, err) != TAC_OK) return TAC_ERROR;
    tacHandleCommands(&s->handle, s->interp);
    setLimits(s, options);
    return TAC_OK;
}

/* Sets the variables that the script finds. */
static void setVariables(tacSandbox *s, const tacReadOptions *options) {
    for (int i = 0; i + 1 < options->nVariables; i += 2) {
        const tacWord *name = &options->variables[i], *value = name + 1;
        Tcl_Obj *variable = Tcl_NewStringObj(name->at, (int) name->length);
        Tcl_IncrRefCount(variable);
        Tcl_ObjSetVar2(s->interp, variable, NULL, Tcl_NewStringObj(value->at, (int) value->length), TCL_GLOBAL_ONLY);
        Tcl_DecrRefCount(variable);
    }
}

tacStatus tacSandboxCreate(const tacReadOptions *options, const tacSink *sink, tacSandbox **out, tacError *err) {
    static const tacReadOptions defaults;
    if (!options) options = &defaults;
    tacSandbox *s = tacAllocZero(1, sizeof *s);
    *out = NULL;
    if (!s) return tacFailMemory(err);
    s->sink = sink;
    s->inWorker = tacWorkerSeconds() >= 0;
    if (s->inWorker) Tcl_SetPanicProc(onPanic);
    s->interp = spare ? spare : Tcl_CreateInterp();
    spare = NULL;
    if (prepare(s, options, err) != TAC_OK) {
        tacSandboxFree(s);
        return TAC_ERROR;
    }
    setVariables(s, options);
    *out = s;
    return TAC_OK;
}

/*
 * Deletes the global variables one by one. Tcl deletes an interpreter with n variables in O(n^2) steps, so a script
 * that made a million of them would hang the program at the end.
 */
static void unsetGlobals(tacSandbox *s) {
    int count = 0;
    Tcl_Obj **names = NULL;
    Tcl_CmdInfo *info = &s->infoGlobals;
    Tcl_LimitTypeReset(s->interp, TCL_LIMIT_TIME);
    Tcl_LimitTypeReset(s->interp, TCL_LIMIT_COMMANDS);
    if (!info->objProc || info->objProc(info->objClientData, s->interp, 1, &s->levelWord) != TCL_OK) return;
    Tcl_Obj *list = Tcl_GetObjResult(s->interp);
    Tcl_IncrRefCount(list);
    if (Tcl_ListObjGetElements(NULL, list, &count, &names) == TCL_OK)
        for (int i = 0; i < count; i++) Tcl_UnsetVar2(s->interp, Tcl_GetString(names[i]), NULL, TCL_GLOBAL_ONLY);
    Tcl_DecrRefCount(list);
}

void tacSandboxFree(tacSandbox *s) {
    if (!s || s->inWorker) return; /* a worker ends soon, and the sandbox with it */
    unsetGlobals(s);
    tacHandleFree(&s->handle);
    tacScriptLineFree(&s->where);
    if (s->levelWord) Tcl_DecrRefCount(s->levelWord);
    Tcl_DeleteInterp(s->interp);
    tacFree(s->vocabulary);
    tacFree(s);
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

/* Tells whether brackets nest deeper than Tcl's parser may go. */
static bool nestsTooDeep(const char *text, size_t length) {
    int depth = 0;
    const char *end = text + length;
    if (!memchr(text, '[', length)) return false;
    for (; text < end; text++) {
        if (*text == '\\') text++;
        else if (*text == '[' && ++depth > DEEPEST) return true;
        else if (*text == ']' && depth > 0) depth--;
    }
    return false;
}

/* The facts about an error beside its message. */
typedef struct ErrorFacts {
    Tcl_Obj *options;        /* holds the texts */
    const char *info, *code; /* errorInfo, errorCode */
} ErrorFacts;

static const char *optionText(Tcl_Obj *options, const char *name) {
    Tcl_Obj *key = Tcl_NewStringObj(name, -1), *value = NULL;
    Tcl_IncrRefCount(key);
    Tcl_DictObjGet(NULL, options, key, &value);
    Tcl_DecrRefCount(key);
    return value ? Tcl_GetString(value) : "";
}

/* Takes the facts from the interpreter; release options afterwards. */
static ErrorFacts factsOf(tacSandbox *s, int code) {
    Tcl_Obj *options = Tcl_GetReturnOptions(s->interp, code);
    Tcl_IncrRefCount(options);
    return (ErrorFacts){options, optionText(options, "-errorinfo"), optionText(options, "-errorcode")};
}

/*
 * Reports an uncaught error, with the kinds and texts of the reader for literal commands. An error that the script
 * itself raised with `error` is said to be the trace's. The kind of others is their error code where that is of this
 * program, {TACTUS KIND ...}, unless the script made one up.
 */
static void reportError(tacSandbox *s, const ErrorFacts *facts) {
    char text[448];
    const char *result = Tcl_GetStringResult(s->interp), *kind = "SCRIPT", *before = "";
    const char *executing = strstr(facts->info, "\n    while executing\n\"");
    if (executing && strncmp(executing + 22, "error ", 6) == 0) {
        kind = "TRACE";
        before = "the trace says: ";
    } else if (strncmp(facts->code, "TACTUS ", 7) == 0) {
        const char *given = facts->code + 7;
        size_t length = strspn(given, "ABCDEFGHIJKLMNOPQRSTUVWXYZ ");
        if (length > 0 && length <= KIND && given[length] == '\0') kind = given;
    }
    snprintf(text, sizeof text, "%s%.*s", before, shown(result, strlen(result), 400), result);
    report(s, TAC_SEVERITY_ERROR, tacScriptLineOfError(&s->where, facts->info), kind, text);
}

/* Deals with a command that did not end with TCL_OK. break and continue outside of a loop are errors, as in Tcl. */
static tacStatus notOk(tacSandbox *s, int code, tacError *err) {
    ErrorFacts facts = factsOf(s, code);
    noteLimit(s, tacScriptLineOfError(&s->where, facts.info));
    if (!s->fatal.code[0]) {
        if (code == TCL_BREAK || code == TCL_CONTINUE)
            report(s, TAC_SEVERITY_ERROR, s->where.line, "SCRIPT",
                code == TCL_BREAK ? "invoked \"break\" outside of a loop" : "invoked \"continue\" outside of a loop");
        else if (code == TCL_ERROR) reportError(s, &facts);
    }
    Tcl_DecrRefCount(facts.options);
    return s->fatal.code[0] ? tacFail(err, s->fatal.code, "%s", s->fatal.message) : TAC_OK;
}

/* Evaluates `call`, or `text` if that is NULL, under the limits; `text` stands in `line` of the trace. */
static int evaluate(tacSandbox *s, Tcl_Obj *call, const char *text, size_t length, uint32_t line) {
    tacScriptLineBegin(&s->where, text, length, line);
    tacWorkerLine(line);
    if (!s->inWorker) s->began = seconds();
    int code = call ? Tcl_EvalObjEx(s->interp, call, TCL_EVAL_GLOBAL | TCL_EVAL_DIRECT)
                    : Tcl_EvalEx(s->interp, text, (int) length, TCL_EVAL_GLOBAL);
    if (!s->inWorker) s->spent += seconds() - s->began;
    tacWorkerLine(0);
    return code;
}

tacStatus tacSandboxEval(tacSandbox *s, const char *command, size_t length, uint32_t line, tacError *err) {
    if (s->fatal.code[0]) return tacFail(err, s->fatal.code, "%s", s->fatal.message);
    if (length > INT_MAX / 2 || nestsTooDeep(command, length)) {
        report(s, TAC_SEVERITY_ERROR, line, "SCRIPT",
            length > INT_MAX / 2 ? "the command is too long to be evaluated"
                                 : "brackets are nested more than 1000 deep");
        return TAC_OK;
    }
    int code = evaluate(s, NULL, command, length, line);
    return code == TCL_OK && !s->fatal.code[0] ? TAC_OK : notOk(s, code, err);
}

bool tacSandboxAnyRedefined(const tacSandbox *s) { return s->anyRedefined; }

bool tacSandboxRedefined(const tacSandbox *s, const char *name, size_t length) {
    for (size_t i = 0; s->anyRedefined && i < s->nVocabulary; i++) {
        const VocabularyCommand *command = &s->vocabulary[i];
        if (command->redefined && strlen(command->name) == length && memcmp(command->name, name, length) == 0)
            return true;
    }
    return false;
}

bool tacSandboxKnows(const char *name, size_t length) {
    return tacAllowed(name, length) || tacForbidden(name, length) || tacHandleKnows(name, length);
}

bool tacSandboxRegisters(const char *name, size_t length) { return tacHandleKnows(name, length); }

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

bool tacSandboxHandles(const tacSandbox *s) { return s->handle.handlers.count > 0; }

/* Deals with a handler that failed: reports it, and calls it no more, as after `break`. A limit ends all handlers. */
static tacStatus handlerNotOk(tacSandbox *s, tacScriptHandler *handler, const tacWord *time, int code, tacError *err) {
    ErrorFacts facts = factsOf(s, code);
    noteLimit(s, handler->line);
    bool goesOn = !s->fatal.code[0];
    if (goesOn && (code == TCL_ERROR || code == TCL_BREAK)) handler->on = false;
    if (goesOn && code == TCL_ERROR) {
        char text[448];
        const char *result = Tcl_GetStringResult(s->interp);
        snprintf(text, sizeof text, "the trace's handler of %.60s failed at %.*s: %.*s; it is not called again",
            Tcl_GetString(handler->event), (int) (time->length < 48 ? time->length : 48), time->at,
            shown(result, strlen(result), 240), result);
        report(s, TAC_SEVERITY_ERROR, tacScriptLineOfError(&s->where, facts.info), "HANDLER", text);
    }
    Tcl_DecrRefCount(facts.options);
    return goesOn ? TAC_OK : tacFail(err, s->fatal.code, "%s", s->fatal.message);
}

/* Evaluates a handler, called with these words. */
static tacStatus callHandler(
    tacSandbox *s, tacScriptHandler *handler, const tacWord *words, int count, int list, tacError *err) {
    int length;
    Tcl_Obj *call = tacHandleCall(handler, words, count, list);
    const char *script = Tcl_GetStringFromObj(handler->script, &length);
    Tcl_IncrRefCount(call);
    int code = evaluate(s, call, script, (size_t) length, handler->line);
    Tcl_DecrRefCount(call);
    return code == TCL_OK && !s->fatal.code[0] ? TAC_OK : handlerNotOk(s, handler, &words[0], code, err);
}

tacStatus tacSandboxEvent(tacSandbox *s, const tacWord *words, int count, int list, tacError *err) {
    tacStatus status = TAC_OK;
    s->handle.closed = true;
    if (s->fatal.code[0]) return tacFail(err, s->fatal.code, "%s", s->fatal.message);
    for (size_t i = 0; i < s->handle.handlers.count && status == TAC_OK; i++) {
        tacScriptHandler *handler = &s->handle.handlers.at[i];
        if (handler->on && tacWordIs(&words[1], Tcl_GetString(handler->event)))
            status = callHandler(s, handler, words, count, list, err);
    }
    return status;
}

/* Handlers without a worker: those of each row run when the replay has come to it. */
typedef struct OwnHandlers {
    tacHandlers base;
    tacSandbox *sandbox;
    uint32_t next; /* position of the next event that is wanted */
} OwnHandlers;

/* tacHandlers.row. */
static tacStatus ownRow(tacHandlers *handlers, uint32_t row, const tacHandlerSource *source, tacError *err) {
    OwnHandlers *own = (OwnHandlers *) handlers;
    tacHandlerEvent event;
    own->sandbox->sink = &source->sink;
    if (row < own->next) return TAC_OK;
    own->next = source->next(source->data, row, &event) ? event.row : UINT32_MAX;
    if (own->next != row) return TAC_OK;
    own->next++;
    return tacSandboxEvent(own->sandbox, event.words, event.count, event.list, err);
}

static void ownRelease(tacHandlers *handlers) {
    OwnHandlers *own = (OwnHandlers *) handlers;
    tacSandboxFree(own->sandbox);
    tacFree(own);
}

tacHandlers *tacSandboxHandlers(tacSandbox *s) {
    OwnHandlers *own = tacAlloc(sizeof *own);
    if (own) *own = (OwnHandlers){{ownRow, ownRelease}, s, 0};
    return own ? &own->base : NULL;
}
