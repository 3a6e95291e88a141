/*
 * openCmd.c -- opening a trace from Tcl, and opening its file again.
 *
 * While the core works, it calls back now and then (progressScript.h). No trace command exists before the trace is
 * complete, so that nothing a -progress script does can reach a half-read trace; a file that is read again is read into
 * a trace of its own, which takes the place of the one before when it is complete.
 */
#include <tcl.h>

#include "base/port.h"

#include "open/open.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/extra.h"
#include "tcl/hook.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/text.h"
#include "tcl/traceRecord.h"
#include "tcl/traceSubcommands.h"

#include <string.h>

typedef struct Options {
    double timeLimit;
    int64_t commandLimit, eventLimit, memoryLimit, decimals;
    const char *reference;
    bool strict, scriptOnly, inProcess, handlers, follow, confined, untrusted;
    const char *const *ignore;
    const char *name, *format;
    Tcl_Obj *progress, *commands, *through, *expect;
    const char *const *events; /* names of events that plugins have defined */
} Options;

enum { NOT_GIVEN = -1 }; /* of a limit: the core's default; a given 0 means no limit */

/* Options of every format. */
static const tacOptionRow commonRows[] = {
    {"-timelimit", TAC_VALUE_NUMBER, offsetof(Options, timeLimit), NULL, "seconds", "60",
        "time that script code in the trace may take, with what it makes; 0: no limit"},
    {"-commandlimit", TAC_VALUE_COUNT, offsetof(Options, commandLimit), NULL, "n", "1000000000",
        "Tcl commands that script code in the trace may run; 0: no limit"},
    {"-eventlimit", TAC_VALUE_COUNT, offsetof(Options, eventLimit), NULL, "n", "2147483648",
        "events that are read; more are left out, which is an error of the trace; 0: no limit"},
    {"-memorylimit", TAC_VALUE_BYTES, offsetof(Options, memoryLimit), NULL, "bytes", NULL,
        "memory that a trace may need, its script code and what is made of it included; 0: no limit; default: half of "
        "what is free, of which script code has 1G"},
    {"-reference", TAC_VALUE_TEXT, offsetof(Options, reference), NULL, "processor", NULL,
        "processor whose clock all times are mapped to; default: the first of each cluster"},
    {"-strict", TAC_VALUE_FLAG, offsetof(Options, strict), NULL, NULL, "no", "warnings are errors"},
    {"-ignore", TAC_VALUE_NAMES, offsetof(Options, ignore), NULL, "list", NULL,
        "strings: objects (tasks, jobs ...) with one of them in their ids are hidden"},
    {"-scriptonly", TAC_VALUE_FLAG, offsetof(Options, scriptOnly), NULL, NULL, "no",
        "every command goes through the script sandbox, plain ones too (slow; for comparison)"},
    {"-inprocess", TAC_VALUE_FLAG, offsetof(Options, inProcess), NULL, NULL, "no",
        "script code runs in this process instead of a worker of its own (for debugging)"},
    TAC_CONFINED_ROW(Options),
    {"-untrusted", TAC_VALUE_FLAG, offsetof(Options, untrusted), NULL, NULL, "no",
        "the file is somebody else's: it is confined, limits that are not given are tight, no plugin's code has to do "
        "with it, no notes beside it are read (tactus_sandbox(5), FILES OF STRANGERS)"},
    {"-commands", TAC_VALUE_OBJECT, offsetof(Options, commands), NULL, "dict", NULL,
        "commands besides those of the language, each with the prefix that is called (tactus_plugin(n))"},
    {"-events", TAC_VALUE_NAMES, offsetof(Options, events), NULL, "list", NULL,
        "names of events besides those of the language"},
    {"-handlers", TAC_VALUE_FLAG, offsetof(Options, handlers), NULL, NULL, "no",
        "the event handlers of plugins are called (tactus_plugin(n))"},
    {"-follow", TAC_VALUE_FLAG, offsetof(Options, follow), NULL, NULL, "no",
        "the file is still being written: a last command that is not complete is not there yet, and no error"},
    {"-expect", TAC_VALUE_OBJECT, offsetof(Options, expect), NULL, "list", NULL,
        "lists of statements, as of $trace judge: models among them are judged while the trace is opened, which costs "
        "less than later"},
    {"-decimals", TAC_VALUE_COUNT, offsetof(Options, decimals), NULL, "n", "0",
        "times are kept with so many decimals at least, as far as 64 bits have room beside the trace's times: for "
        "windows and states at times that are finer than the trace's"},
    {"-through", TAC_VALUE_OBJECT, offsetof(Options, through), NULL, "prefix", NULL,
        "command prefix that is called with the file and returns the path of another, which is read in its place and "
        "then deleted (not where it is the file itself): a converter"},
    {"-format", TAC_VALUE_TEXT, offsetof(Options, format), NULL, "format", NULL,
        "format of the file (tactus::describe traceFormats); default: found out from its first bytes"},
    {"-name", TAC_VALUE_TEXT, offsetof(Options, name), NULL, "name", NULL,
        "what the trace is called in diagnostics; default: the file as given"},
    {"-progress", TAC_VALUE_OBJECT, offsetof(Options, progress), NULL, "prefix", NULL,
        "command prefix that is called with a dict of how far the opening is, at the begin of each phase and every 20 "
        "ms or so; an error or break cancels"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* ---- options ----------------------------------------------------------------------------------------------------- */

enum { MOST_ROWS = 64 };

/* Offset of the records of the formats' own options, behind the common ones. */
static size_t formatRecords(void) {
    const size_t step = sizeof(max_align_t);
    return (sizeof(Options) + step - 1) / step * step;
}

/* Adds rows, whose record lies `shift` bytes further on. */
static int addRows(tacOptionRow *to, int count, const tacOptionRow *rows, size_t shift) {
    for (; rows && rows->name; rows++) {
        if (count == MOST_ROWS - 1) Tcl_Panic("more than %d options of tactus::open", MOST_ROWS - 1);
        to[count] = *rows;
        to[count++].offset += shift;
    }
    return count;
}

TCL_DECLARE_MUTEX(rowsMutex)

/* The common options, then each format's own. */
const tacOptionRow *tacOpenRows(void) {
    static tacOptionRow rows[MOST_ROWS];
    Tcl_MutexLock(&rowsMutex);
    if (!rows[0].name) {
        int count = addRows(rows, 0, commonRows, 0);
        for (const tacFormat *format = tacFormats; format->name; format++)
            if (tacFormatIsFirst(format))
                count = addRows(rows, count, format->options, formatRecords() + tacFormatRecord(format));
    }
    Tcl_MutexUnlock(&rowsMutex);
    return rows;
}

static Options *newOptions(void) {
    Options *options = (Options *) Tcl_Alloc((unsigned) (formatRecords() + tacFormatRecordsSize()));
    memset(options, 0, formatRecords() + tacFormatRecordsSize());
    options->timeLimit = options->commandLimit = options->eventLimit = options->memoryLimit = NOT_GIVEN;
    return options;
}

static void freeOptions(Options *options) {
    tacOptionsFree(tacOpenRows(), options);
    Tcl_Free((char *) options);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* A limit as the core has it: 0 is the default, -1 none. */
static int64_t limit(int64_t given) { return given == NOT_GIVEN ? 0 : given == 0 ? -1 : given; }

/* Sets limits of files of strangers that are not given, and refuses what is not for them. */
static int tighten(Tcl_Interp *interp, Options *options) {
    static const struct {
        double timeLimit;
        int64_t commandLimit, eventLimit, memoryLimit;
    } tight = {10, 100000000, 50000000, (int64_t) 1 << 30};
    if (!options->untrusted) return TCL_OK;
    if (options->inProcess || options->commands || options->through || options->handlers)
        return tacTclFail(interp, "OPTION UNTRUSTED", "%s is not for files of strangers (-untrusted)",
            options->inProcess      ? "-inprocess"
                : options->commands ? "-commands"
                : options->through  ? "-through"
                                    : "-handlers");
    if (options->timeLimit == NOT_GIVEN) options->timeLimit = tight.timeLimit;
    if (options->commandLimit == NOT_GIVEN) options->commandLimit = tight.commandLimit;
    if (options->eventLimit == NOT_GIVEN) options->eventLimit = tight.eventLimit;
    if (options->memoryLimit == NOT_GIVEN) options->memoryLimit = tight.memoryLimit;
    return TCL_OK;
}

static tacOpenOptions coreOptions(const Options *options, tacProgressScript *progress, const tacExpected *expected) {
    tacOpenOptions core = {.read = {.timeLimit = options->timeLimit < 0 ? 0
                                   : options->timeLimit == 0            ? -1
                                                                        : options->timeLimit,
                               .commandLimit = limit(options->commandLimit),
                               .memoryLimit = limit(options->memoryLimit),
                               .scriptOnly = options->scriptOnly,
                               .inProcess = options->inProcess,
                               .confined = options->confined || options->untrusted,
                               .growing = options->follow},
        .format = options->format,
        .formatOptions = (const char *) options + formatRecords(),
        .eventLimit = options->eventLimit == NOT_GIVEN ? 0
            : options->eventLimit == 0                 ? UINT32_MAX - 1
                                                       : (uint64_t) options->eventLimit,
        .reference = options->reference,
        .strict = options->strict,
        .ignore = options->ignore,
        .decimals = options->decimals < TAC_MAX_DIGITS ? (int) options->decimals : TAC_MAX_DIGITS,
        .progress = tacProgressScriptOpening,
        .progressData = progress,
        .events = options->events};
    if (expected) core.consumers = tacExpectedConsumers(expected, &core.nConsumers);
    return core;
}

/* An opening of a file or a text. */
typedef struct Opening {
    Tcl_Interp *interp;
    bool isText;
    Tcl_Obj *what;
    const char *name;
    const Options *options;
    tacTraceBody *body; /* the result; NULL: an error */
} Opening;

/* Reads the text, or the file; NULL: the error is in `err`. */
static tacTrace *readTrace(const Opening *opening, Tcl_Obj *file, const tacOpenOptions *options, tacError *err) {
    Tcl_DString bytes;
    tacTrace *trace;
    if (opening->isText) {
        tacTextFromObj(opening->what, &bytes);
        trace = tacTraceOpenText(
            opening->name, Tcl_DStringValue(&bytes), (size_t) Tcl_DStringLength(&bytes), options, err);
    } else {
        if (!tacPathFromObj(opening->interp, file, &bytes))
            return tacFail(err, "FILE NAME", "%s", Tcl_GetStringResult(opening->interp)), NULL;
        trace = tacTraceOpen(Tcl_DStringValue(&bytes), options, err);
    }
    Tcl_DStringFree(&bytes);
    return trace;
}

/* ---- through a converter ---------------------------------------------------------------------------------------- */

/* The file of a converter, which is read in the place of the one that was named. */
typedef struct Converted {
    Tcl_Obj *path;    /* NULL: the file itself is read */
    tacFileMark mark; /* of the file before it was converted; what is written to it later is a change */
} Converted;

/* Calls the converter, if there is one. */
static int convert(const Opening *opening, Converted *converted) {
    Tcl_Interp *interp = opening->interp;
    if (opening->isText || !opening->options->through) return TCL_OK;
    const char *path = strcmp(Tcl_GetString(opening->what), "-") != 0 ? Tcl_FSGetNativePath(opening->what) : NULL;
    if (path) converted->mark = tacFileMarkOf(path); /* standard input has none */
    if (tacTclCall(interp, opening->options->through, opening->what) != TCL_OK || Tcl_InterpDeleted(interp))
        return TCL_ERROR;
    converted->path = tacKept(Tcl_GetObjResult(interp));
    Tcl_ResetResult(interp);
    return TCL_OK;
}

/* Deletes the converter's file; a converter that had nothing to do may have returned the file itself, which stays. */
static void endConverted(const Opening *opening, Converted *converted, tacTrace *trace) {
    if (!converted->path) return;
    if (trace) trace->mark = converted->mark;
    if (!Tcl_FSEqualPaths(converted->path, opening->what)) Tcl_FSDeleteFile(converted->path);
    Tcl_DecrRefCount(converted->path);
}

/* Opens what is read in the place of the file. The error is the progress script's, or the core's. */
static tacTrace *openRead(const Opening *opening, const tacExpected *expected, Tcl_Obj *file) {
    Tcl_Interp *interp = opening->interp;
    tacError err = {{0}, {0}};
    tacProgressScript progress;
    tacExtraScript extra;
    tacTrace *trace = NULL;
    tacOpenOptions core = coreOptions(opening->options, &progress, expected);
    int result = tacExtraScriptInit(&extra, interp, opening->options->commands);
    if (result == TCL_OK) {
        tacProgressScriptInit(&progress, interp, opening->options->progress, NULL, 0);
        core.commands = tacExtraScriptCommands(&extra);
        trace = readTrace(opening, file, &core, &err);
        result = tacProgressScriptEnd(&progress, trace ? TAC_OK : TAC_ERROR, &err);
    }
    tacExtraScriptFree(&extra);
    if (result == TCL_OK && Tcl_InterpDeleted(interp))
        result = tacTclFail(interp, "CANCELLED", "the interpreter was deleted");
    if (result == TCL_OK) return trace;
    tacTraceClose(trace);
    return NULL;
}

/* Opens the trace. The error is that of the converter, of what is expected, or of openRead. */
static int openTrace(Opening *opening) {
    Tcl_Interp *interp = opening->interp;
    tacExpected *expected = NULL;
    Converted converted = {NULL, {0}};
    if (opening->options->expect && !(expected = tacExpectedNew(interp, opening->options->expect))) return TCL_ERROR;
    if (convert(opening, &converted) != TCL_OK) {
        tacExpectedFree(expected);
        return TCL_ERROR;
    }
    tacTrace *trace = openRead(opening, expected, converted.path ? converted.path : opening->what);
    endConverted(opening, &converted, trace);
    if (!trace) {
        tacExpectedFree(expected);
        return TCL_ERROR;
    }
    opening->body = tacTraceBodyNew(trace, expected);
    return opening->body ? TCL_OK : tacTclMemory(interp);
}

/* Calls the handlers that run when a trace is opened. The result is the trace's command; a cancellation deletes it. */
static int runHandlers(Tcl_Interp *interp, tacTraceRecord *record, Tcl_Obj *progress) {
    tacTraceCall call = tacTraceHold(record);
    Tcl_Obj *name = tacKept(Tcl_NewObj());
    Tcl_GetCommandFullName(interp, record->token, name);
    int result = tacHookReplay(interp, &call, progress);
    if (result == TCL_OK) Tcl_SetObjResult(interp, name);
    else if (record->token && !Tcl_InterpDeleted(interp)) Tcl_DeleteCommandFromToken(interp, record->token);
    Tcl_DecrRefCount(name);
    tacTraceLetGo(&call);
    return result;
}

/* Opens a file or a text, and makes the trace's command, which keeps file and options, to be read again. */
static int openWith(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], const char *usage, bool isText) {
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, usage);
        return TCL_ERROR;
    }
    Options *options = newOptions();
    int result = tacOptionsParse(interp, tacOpenRows(), objc - 2, objv + 2, options);
    if (result == TCL_OK) result = tighten(interp, options);
    if (result == TCL_OK) {
        const char *name = options->name ? options->name : isText ? "text" : Tcl_GetString(objv[1]);
        Opening opening = {interp, isText, objv[1], name, options, NULL};
        Tcl_Preserve(interp);
        tacMemBound outer = tacMemBoundBegin(0);
        result = openTrace(&opening);
        tacMemBoundEnd(outer);
        tacTraceRecord *record = result == TCL_OK ? tacTraceCommand(interp, opening.body, name) : NULL;
        if (!record) result = TCL_ERROR;
        if (record && !isText) tacTraceRecordFrom(record, Tcl_FSGetNormalizedPath(NULL, objv[1]), objc - 2, objv + 2);
        if (record && options->handlers) result = runHandlers(interp, record, options->progress);
        Tcl_Release(interp);
    }
    freeOptions(options);
    return result;
}

int tacOpenCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    return openWith(interp, objc, objv, "file ?-option value ...?", false);
}

int tacOpenTextCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    return openWith(interp, objc, objv, "text ?-option value ...?", true);
}

/* ---- reading again ---------------------------------------------------------------------------------------------- */

static const char *const changeNames[] = {
    [TAC_FILE_SAME] = "none", [TAC_FILE_GROWN] = "grown", [TAC_FILE_REPLACED] = "replaced", [TAC_FILE_GONE] = "gone"};

/* The change of the file since it was read. */
static tacFileChange fileChange(const tacTraceCall *call) {
    const char *path = call->record->path ? Tcl_FSGetNativePath(call->record->path) : NULL;
    if (!path) return TAC_FILE_SAME;
    tacFileMark now = tacFileMarkOf(path);
    return tacFileCompare(&call->trace->mark, &now);
}

int tacChangedSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, Tcl_NewStringObj(changeNames[fileChange(data)], -1));
    return TCL_OK;
}

/* Opens the file with the options of the first time. */
static int openAgain(
    Tcl_Interp *interp, tacTraceRecord *record, Tcl_Obj *progress, tacTraceBody **body, bool *handlers) {
    Options *options = newOptions();
    *body = NULL;
    *handlers = false;
    Tcl_Size count;
    Tcl_Obj **words;
    Tcl_ListObjGetElements(NULL, record->options, &count, &words);
    int result = tacOptionsParse(interp, tacOpenRows(), count, words, options);
    if (result == TCL_OK) result = tighten(interp, options);
    if (result == TCL_OK) {
        options->progress = progress;
        *handlers = options->handlers;
        Opening opening = {interp, false, record->path, record->name, options, NULL};
        record->loading = true;
        Tcl_Preserve(interp);
        result = openTrace(&opening);
        Tcl_Release(interp);
        record->loading = false;
        *body = opening.body;
    }
    freeOptions(options);
    return result;
}

typedef struct ReloadOptions {
    Tcl_Obj *progress;
    bool always;
} ReloadOptions;

static const tacOptionRow reloadRows[] = {
    {"-always", TAC_VALUE_FLAG, offsetof(ReloadOptions, always), NULL, NULL, "no",
        "read also when the file has not changed"},
    {"-progress", TAC_VALUE_OBJECT, offsetof(ReloadOptions, progress), NULL, "prefix", NULL, "as of tactus::open"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

int tacReloadSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall *call = data;
    tacTraceRecord *record = call->record;
    ReloadOptions options = {NULL, false};
    tacTraceBody *body;
    bool handlers;
    if (tacOptionsParse(interp, reloadRows, objc - 2, objv + 2, &options) != TCL_OK) return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewBooleanObj(0));
    if (!record->path || !call->trace->mark.known || (!options.always && fileChange(call) == TAC_FILE_SAME))
        return TCL_OK;
    if (record->loading) return tacTclFail(interp, "TRACE BUSY", "the trace is being read again already");
    if (tacTraceRefuseBusy(interp, call) != TCL_OK) return TCL_ERROR;
    tacMemGiveBack();
    if (openAgain(interp, record, options.progress, &body, &handlers) != TCL_OK) return TCL_ERROR;
    if (!record->token) {
        tacTraceBodyFree(body);
        return tacTclFail(interp, "TRACE CLOSED", "the trace was closed while it was read again");
    }
    tacTraceReplace(record, body);
    if (handlers && record->token && runHandlers(interp, record, options.progress) != TCL_OK) return TCL_ERROR;
    if (Tcl_InterpDeleted(interp)) return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewBooleanObj(1));
    return TCL_OK;
}
