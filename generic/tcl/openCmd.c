/*
 * openCmd.c -- opening a trace from Tcl: options, progress and cancel.
 *
 * While the core reads, it calls back now and then. The callback runs the caller's -progress script, looks whether the
 * interpreter was cancelled or deleted meanwhile, and by its answer stops the reading. A script's error stops it too and
 * is the error of the open command. No trace command exists before the trace is complete, so that nothing the script
 * does can reach a half-read trace.
 */
#include <tcl.h>
#include "base/port.h"

#include <string.h>

#include "model/trace.h"
#include "tcl/dispatch.h"
#include "tcl/openCmd.h"
#include "tcl/traceCmd.h"

typedef struct Options {
    double timeLimit;
    int64_t commandLimit, eventLimit, memoryLimit, decimals;
    const char *reference;
    bool strict, scriptOnly, inProcess;
    const char *const *ignore;
    const char *name;
    Tcl_Obj *progress;
} Options;

enum { NOT_GIVEN = -1 };        /* of a limit: the core's default; 0 means no limit */

const tacOptionRow tacOpenRows[] = {
    {"-timelimit", TAC_VALUE_NUMBER, offsetof(Options, timeLimit), NULL, "seconds", "60", "time that script code in the trace may take; 0: no limit"},
    {"-commandlimit", TAC_VALUE_COUNT, offsetof(Options, commandLimit), NULL, "n", "1000000000", "Tcl commands that script code in the trace may run; 0: no limit"},
    {"-eventlimit", TAC_VALUE_COUNT, offsetof(Options, eventLimit), NULL, "n", "2147483648", "events that are read; more are left out, which is an error of the trace; 0: no limit"},
    {"-memorylimit", TAC_VALUE_BYTES, offsetof(Options, memoryLimit), NULL, "bytes", "1G", "memory that script code in the trace may use; 0: no limit"},
    {"-reference", TAC_VALUE_TEXT, offsetof(Options, reference), NULL, "processor", NULL, "processor whose clock all times are mapped to; default: the first of each cluster"},
    {"-strict", TAC_VALUE_FLAG, offsetof(Options, strict), NULL, NULL, "no", "warnings are errors"},
    {"-ignore", TAC_VALUE_LIST, offsetof(Options, ignore), NULL, "list", NULL, "strings: what has one of them in its id is hidden"},
    {"-scriptonly", TAC_VALUE_FLAG, offsetof(Options, scriptOnly), NULL, NULL, "no", "every command goes through the script sandbox, plain ones too (slow; for comparison)"},
    {"-inprocess", TAC_VALUE_FLAG, offsetof(Options, inProcess), NULL, NULL, "no", "script code runs in this process instead of a worker of its own (for debugging)"},
    {"-decimals", TAC_VALUE_COUNT, offsetof(Options, decimals), NULL, "n", "0", "times are kept with so many decimals at least: for windows and states at times that are finer than the trace's"},
    {"-name", TAC_VALUE_TEXT, offsetof(Options, name), NULL, "name", NULL, "what the trace is called in diagnostics; default: the file as given"},
    {"-progress", TAC_VALUE_OBJECT, offsetof(Options, progress), NULL, "prefix", NULL, "command prefix that is called now and then with bytes read and bytes in all (0: unknown); an error or break cancels"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL}
};

/* ---- progress --------------------------------------------------------------------------------------------------- */

typedef struct Progress {
    Tcl_Interp *interp;
    Tcl_Obj *prefix;            /* NULL: none */
    bool failed;                /* the script's error is kept in `state` */
    Tcl_InterpState state;
} Progress;

static bool keepError(Progress *progress, int code) {
    progress->failed = true;
    progress->state = Tcl_SaveInterpState(progress->interp, code);
    return false;
}

static int callScript(Progress *progress, uint64_t bytesRead, uint64_t total) {
    Tcl_Obj *command = Tcl_DuplicateObj(progress->prefix);
    Tcl_IncrRefCount(command);
    int code = Tcl_ListObjAppendElement(progress->interp, command, Tcl_NewWideIntObj((Tcl_WideInt) bytesRead));
    if (code == TCL_OK) code = Tcl_ListObjAppendElement(progress->interp, command, Tcl_NewWideIntObj((Tcl_WideInt) total));
    if (code == TCL_OK) code = Tcl_EvalObjEx(progress->interp, command, TCL_EVAL_GLOBAL);
    Tcl_DecrRefCount(command);
    return code;
}

static bool onProgress(void *data, uint64_t bytesRead, uint64_t total) {
    Progress *progress = data;
    if (progress->failed || Tcl_InterpDeleted(progress->interp)) return false;
    if (Tcl_AsyncReady()) Tcl_AsyncInvoke(progress->interp, TCL_OK);
    if (Tcl_Canceled(progress->interp, TCL_LEAVE_ERR_MSG) != TCL_OK) return keepError(progress, TCL_ERROR);
    if (!progress->prefix) return true;
    int code = callScript(progress, bytesRead, total);
    if (Tcl_InterpDeleted(progress->interp) || code == TCL_BREAK) return false;
    if (code == TCL_ERROR) {
	Tcl_AddErrorInfo(progress->interp, "\n    (\"-progress\" command)");
	return keepError(progress, code);
    }
    Tcl_ResetResult(progress->interp);
    return true;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static int64_t limit(int64_t given) {
    return given == NOT_GIVEN ? 0 : given == 0 ? -1 : given;
}

static tacOpenOptions coreOptions(const Options *options, Progress *progress) {
    return (tacOpenOptions) {
	.read = {
	    .timeLimit = options->timeLimit < 0 ? 0 : options->timeLimit == 0 ? -1 : options->timeLimit,
	    .commandLimit = limit(options->commandLimit), .memoryLimit = limit(options->memoryLimit),
	    .scriptOnly = options->scriptOnly, .inProcess = options->inProcess
	},
	.eventLimit = options->eventLimit == NOT_GIVEN ? 0 : options->eventLimit == 0 ? UINT32_MAX - 1 : (uint64_t) options->eventLimit,
	.reference = options->reference, .strict = options->strict, .ignore = options->ignore,
	.decimals = options->decimals < TAC_MAX_DIGITS ? (int) options->decimals : TAC_MAX_DIGITS,
	.progress = onProgress, .progressData = progress
    };
}

/* What the core reads from: a file by its name, or a text. */
typedef tacTrace *Opener(Tcl_Interp *interp, Tcl_Obj *what, const char *name, const tacOpenOptions *options, tacError *err);

static tacTrace *openFile(Tcl_Interp *interp, Tcl_Obj *file, const char *name, const tacOpenOptions *options, tacError *err) {
    Tcl_DString translated, native;
    (void) name;
    const char *path = Tcl_TranslateFileName(interp, Tcl_GetString(file), &translated);
    if (!path) {
	tacFail(err, "FILE NAME", "%s", Tcl_GetStringResult(interp));
	return NULL;
    }
    tacTrace *trace = tacTraceOpen(Tcl_UtfToExternalDString(NULL, path, -1, &native), options, err);
    Tcl_DStringFree(&native);
    Tcl_DStringFree(&translated);
    return trace;
}

/* Tcl's own form of UTF-8 has NUL and characters beyond 16 bits in other bytes than the rest of the world. */
static tacTrace *openText(Tcl_Interp *interp, Tcl_Obj *text, const char *name, const tacOpenOptions *options, tacError *err) {
    Tcl_DString bytes;
    Tcl_Size length;
    const char *utf = Tcl_GetStringFromObj(text, &length);
    Tcl_Encoding encoding = Tcl_GetEncoding(interp, "utf-8");
    Tcl_UtfToExternalDString(encoding, utf, length, &bytes);
    tacTrace *trace = tacTraceOpenText(name ? name : "text", Tcl_DStringValue(&bytes), (size_t) Tcl_DStringLength(&bytes), options, err);
    Tcl_DStringFree(&bytes);
    Tcl_FreeEncoding(encoding);
    return trace;
}

/* The result of an open: the trace's command, the progress script's error, or the core's. */
static int opened(Tcl_Interp *interp, tacTrace *trace, const char *name, Progress *progress, const tacError *err) {
    if (progress->failed) {
	if (trace) tacTraceClose(trace);
	return Tcl_RestoreInterpState(interp, progress->state);
    }
    if (!trace) return tacErrorToTcl(interp, err);
    if (!Tcl_InterpDeleted(interp)) return tacTraceCommand(interp, trace, name);
    tacTraceClose(trace);
    return tacTclFail(interp, "CANCELLED", "the interpreter was deleted");
}

static int openWith(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], const char *usage, Opener *opener) {
    Options options = {.timeLimit = NOT_GIVEN, .commandLimit = NOT_GIVEN, .eventLimit = NOT_GIVEN, .memoryLimit = NOT_GIVEN};
    tacError err = {{0}, {0}};
    if (objc < 2) {
	Tcl_WrongNumArgs(interp, 1, objv, usage);
	return TCL_ERROR;
    }
    int result = tacOptionsParse(interp, tacOpenRows, objc - 2, objv + 2, &options);
    if (result == TCL_OK) {
	const char *name = options.name ? options.name : opener == openFile ? Tcl_GetString(objv[1]) : "text";
	Progress progress = {.interp = interp, .prefix = options.progress};
	tacOpenOptions core = coreOptions(&options, &progress);
	Tcl_Preserve(interp);
	tacTrace *trace = opener(interp, objv[1], name, &core, &err);
	result = opened(interp, trace, name, &progress, &err);
	Tcl_Release(interp);
    }
    tacOptionsFree(tacOpenRows, &options);
    return result;
}

int tacOpenCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    return openWith(interp, objc, objv, "file ?-option value ...?", openFile);
}

int tacOpenTextCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    return openWith(interp, objc, objv, "text ?-option value ...?", openText);
}

/* Safe interpreters have no files. */
int tacOpenRefusedCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data, (void) objc, (void) objv;
    return tacTclFail(interp, "SAFE", "a safe interpreter cannot open files; give the text to tactus::openText");
}
