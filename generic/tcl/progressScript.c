/*
 * progressScript.c -- calls -progress scripts, and keeps their errors until the work has ended.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/progressScript.h"

/* Keeps the interpreter's error until the work has ended. */
static bool keepError(tacProgressScript *script, int code) {
    script->failed = true;
    script->state = Tcl_SaveInterpState(script->interp, code);
    return false;
}

/* The dict for the script: the state of the work, and of an opening (trace not NULL) the counts so far. */
static Tcl_Obj *progressDict(const tacProgressScript *script, const tacProgress *progress, const tacTrace *trace) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutText(dict, "phase", script->phase ? script->phase : tacPhaseNames[progress->phase]);
    tacPutCount(dict, "done", progress->done);
    tacPutCount(dict, "total", progress->total);
    if (!trace) return dict;
    uint32_t events = tacStoreCount(&trace->store);
    tacPutCount(dict, "events", events);
    tacPutCount(dict, "tasks", trace->store.objects[TAC_TASK].count);
    tacPutCount(dict, "errors", trace->diag.totals[TAC_SEVERITY_ERROR]);
    tacPutCount(dict, "lines", events ? tacRowLine(&trace->store, events - 1) : 0);
    return dict;
}

bool tacProgressScriptOpening(void *data, const tacProgress *progress, const tacTrace *trace) {
    tacProgressScript *script = data;
    if (script->failed || Tcl_InterpDeleted(script->interp)) return false;
    if (Tcl_AsyncReady()) Tcl_AsyncInvoke(script->interp, TCL_OK);
    if (Tcl_Canceled(script->interp, TCL_LEAVE_ERR_MSG) != TCL_OK) return keepError(script, TCL_ERROR);
    if (!script->prefix) return true;
    int code = tacTclCall(script->interp, script->prefix, progressDict(script, progress, trace));
    if (Tcl_InterpDeleted(script->interp) || code == TCL_BREAK) return false;
    if (code == TCL_ERROR) {
        Tcl_AddErrorInfo(script->interp, "\n    (\"-progress\" command)");
        return keepError(script, code);
    }
    Tcl_ResetResult(script->interp);
    return true;
}

static bool onProgress(void *data, const tacProgress *progress) {
    return tacProgressScriptOpening(data, progress, NULL);
}

void tacProgressScriptInit(
    tacProgressScript *script, Tcl_Interp *interp, Tcl_Obj *prefix, const char *phase, uint64_t total) {
    *script = (tacProgressScript){.interp = interp, .prefix = prefix, .phase = phase};
    script->progress = (tacProgress){.report = onProgress, .data = script, .total = total};
    tacProgressDelay(&script->progress);
}

int tacProgressScriptEnd(tacProgressScript *script, tacStatus status, const tacError *err) {
    if (script->failed) return Tcl_RestoreInterpState(script->interp, script->state);
    return status == TAC_OK ? TCL_OK : tacErrorToTcl(script->interp, err);
}
