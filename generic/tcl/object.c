/*
 * object.c -- questions about objects at a moment, as Tcl commands; the answers are model/ask.c's.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/decimal.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/object.h"
#include "tcl/optionTable.h"
#include "tcl/text.h"
#include "tcl/timeValue.h"
#include "tcl/traceCmd.h"

#include <string.h>

typedef struct Moments { /* of an interpreter */
    tacMoment *now;      /* innermost; NULL: the focus */
    tacMoment focus;     /* trace NULL: none */
} Moments;

static void freeMoments(ClientData data, Tcl_Interp *interp) {
    Moments *moments = data;
    (void) interp;
    if (moments->focus.trace) Tcl_DecrRefCount(moments->focus.trace);
    if (moments->focus.time) Tcl_DecrRefCount(moments->focus.time);
    tacFree(moments);
}

/* The moments of an interpreter, made when first asked for; NULL: no memory. */
static Moments *momentsOf(Tcl_Interp *interp) {
    static const char *const key = "tactus.moments";
    Moments *moments = Tcl_GetAssocData(interp, key, NULL);
    if (moments) return moments;
    moments = tacAllocZero(1, sizeof *moments);
    if (moments) Tcl_SetAssocData(interp, key, freeMoments, moments);
    return moments;
}

bool tacMomentEnter(Tcl_Interp *interp, tacMoment *moment) {
    Moments *moments = momentsOf(interp);
    if (!moments) return false;
    moment->outer = moments->now;
    moments->now = moment;
    return true;
}

void tacMomentLeave(Tcl_Interp *interp, const tacMoment *moment) {
    if (!Tcl_InterpDeleted(interp)) momentsOf(interp)->now = moment->outer;
}

/* ---- the moment now ---------------------------------------------------------------------------------------------- */

/* The innermost moment, else the focus; NULL with an error: there is none. */
static const tacMoment *current(Tcl_Interp *interp) {
    const Moments *moments = momentsOf(interp);
    const tacMoment *moment = moments ? moments->now ? moments->now : &moments->focus : NULL;
    if (moment && (moment->event || moment->trace)) return moment;
    tacTclFail(interp, "PLUGIN MOMENT", "no event is being handled and no trace is looked at: say when, with \"at\"");
    return NULL;
}

/* The model and the time that are asked about now, and the event that is handled, or NULL. */
static int currentAt(Tcl_Interp *interp, tacAskAt *at, const tacEventMoment **event) {
    const tacMoment *moment = current(interp);
    if (!moment) return TCL_ERROR;
    *event = moment->event;
    if (moment->event) {
        *at = moment->event->at;
        return TCL_OK;
    }
    const tacTrace *trace = tacTraceFromName(interp, moment->trace);
    if (!trace) return TCL_ERROR;
    *at = (tacAskAt){.model = &trace->model, .time = trace->model.end};
    return moment->time ? tacTimeFromObj(interp, moment->time, trace->store.digits, &at->time) : TCL_OK;
}

/* ---- tactus::moment ---------------------------------------------------------------------------------------------- */

/* Gives the time that is asked about, as it was written, also where it is finer than the times of the trace. */
static int nowSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacAskAt at;
    const tacEventMoment *event;
    (void) data, (void) objc, (void) objv;
    if (currentAt(interp, &at, &event) != TCL_OK) return TCL_ERROR;
    const tacMoment *moment = current(interp);
    Tcl_SetObjResult(interp, event || !moment->time ? tacTimeValueObj(at.time, at.model->store->digits) : moment->time);
    return TCL_OK;
}

/* The event that is handled; NULL with an error: none is. */
static const tacEventMoment *needEvent(Tcl_Interp *interp) {
    const tacMoment *moment = current(interp);
    if (moment && moment->event) return moment->event;
    tacTclFail(interp, "PLUGIN MOMENT", "no event is being handled");
    return NULL;
}

static int lineSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacEventMoment *event = needEvent(interp);
    (void) data, (void) objc, (void) objv;
    if (!event) return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(tacRowLine(event->at.model->store, event->row)));
    return TCL_OK;
}

static int rowSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacEventMoment *event = needEvent(interp);
    (void) data, (void) objc, (void) objv;
    if (!event) return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(event->row));
    return TCL_OK;
}

static int eventSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacEventMoment *event = needEvent(interp);
    (void) data, (void) objc, (void) objv;
    if (!event) return TCL_ERROR;
    const tacStore *store = event->at.model->store;
    tacEvent code = tacRowEvent(store, event->row);
    bool named = tacEventIs(code, TAC_TRAIT_NAMED);
    Tcl_SetObjResult(interp,
        Tcl_NewStringObj(named ? tacString(store, tacRowSubject(store, event->row)) : tacEvents[code].name, -1));
    return TCL_OK;
}

static int traceSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacMoment *moment = current(interp);
    (void) data, (void) objc, (void) objv;
    if (!moment) return TCL_ERROR;
    Tcl_SetObjResult(interp, moment->event ? moment->event->trace : moment->trace);
    return TCL_OK;
}

/* Checks that the name is that of a trace, and that the time (NULL: none is given) is a time of it. */
static int checkMoment(Tcl_Interp *interp, Tcl_Obj *name, Tcl_Obj *time) {
    int64_t ticks;
    const tacTrace *trace = tacTraceFromName(interp, name);
    if (!trace) return TCL_ERROR;
    return time ? tacTimeFromObj(interp, time, trace->store.digits, &ticks) : TCL_OK;
}

static int atSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacMoment moment = {NULL, objv[2], objv[3], NULL};
    (void) data, (void) objc;
    if (checkMoment(interp, objv[2], objv[3]) != TCL_OK) return TCL_ERROR;
    if (!tacMomentEnter(interp, &moment)) return tacTclMemory(interp);
    Tcl_Preserve(interp);
    int code = Tcl_EvalObjEx(interp, objv[4], 0);
    tacMomentLeave(interp, &moment);
    Tcl_Release(interp);
    return code;
}

static int focusSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Moments *moments = momentsOf(interp);
    (void) data;
    if (!moments) return tacTclMemory(interp);
    bool none = objc == 2 || Tcl_GetString(objv[2])[0] == '\0';
    Tcl_Obj *time = objc > 3 && Tcl_GetString(objv[3])[0] ? objv[3] : NULL;
    if (!none && checkMoment(interp, objv[2], time) != TCL_OK) return TCL_ERROR;
    tacReplace(&moments->focus.trace, none ? NULL : objv[2]);
    tacReplace(&moments->focus.time, none ? NULL : time);
    return TCL_OK;
}

const tacSubcommand tacMomentSubcommands[] = {
    {"at", atSub, 3, 3, "trace time script", "evaluates a script at another moment"},
    {"event", eventSub, 0, 0, NULL, "name of the event that is handled"},
    {"focus", focusSub, 0, 2, "?trace? ?time?", "sets the moment that is asked about when no event is handled"},
    {"line", lineSub, 0, 0, NULL, "line of the event that is handled"},
    {"now", nowSub, 0, 0, NULL, "the time that is asked about"},
    {"row", rowSub, 0, 0, NULL, "row of the event that is handled"},
    {"trace", traceSub, 0, 0, NULL, "command of the trace that is asked about"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

int tacMomentCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatch(data, interp, objc, objv, tacMomentSubcommands);
}

/* ---- tactus::object ---------------------------------------------------------------------------------------------- */

static int makeSafe(Tcl_Interp *interp, tacKind kind, const char *method, Tcl_Obj *space);

/* Finds the id among the words of the event that is handled, where its kind is known. */
static bool amongWords(const tacEventMoment *event, Tcl_Obj *id, const char *method, tacKind *kind, uint32_t *index) {
    for (int i = 0; event && i < event->nIds; i++) {
        if (!tacAskKnows(event->kinds[i], method) || !tacSameText(event->ids[i], id)) continue;
        *kind = event->kinds[i];
        *index = event->indices[i];
        return true;
    }
    return false;
}

/* Makes the index of the ids of jobs, if there is none. They are many, so it is made when it is first needed. */
static void indexJobs(const tacModel *model) { tacInternIndex((tacInternTable *) &model->store->ids[TAC_JOB]); }

/* Answers a question about an object. space: see tacEventMoment.safeFor. */
static int answer(
    Tcl_Interp *interp, const tacAskAt *at, tacKind kind, uint32_t index, const char *method, Tcl_Obj *space) {
    tacText text = {0};
    tacError err = {{0}, {0}};
    tacStatus status = tacAsk(at, kind, index, method, &text, &err);
    if (status == TAC_OK) Tcl_SetObjResult(interp, Tcl_NewStringObj(text.at ? text.at : "", (Tcl_Size) text.length));
    else tacErrorToTcl(interp, &err);
    tacTextFree(&text);
    if (status != TAC_OK) return TCL_ERROR;
    return space ? makeSafe(interp, kind, method, space) : TCL_OK;
}

/* Asks the object that an id means, whatever its kind. */
static int askAny(Tcl_Interp *interp, Tcl_Obj *id, Tcl_Obj *methodWord) {
    tacAskAt at;
    const tacEventMoment *event;
    tacError err = {{0}, {0}};
    tacKind kind;
    uint32_t index;
    const char *method = Tcl_GetString(methodWord);
    if (currentAt(interp, &at, &event) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *space = event ? event->safeFor : NULL;
    if (amongWords(event, id, method, &kind, &index)) return answer(interp, &at, kind, index, method, space);
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(id, &length);
    indexJobs(at.model);
    if (!tacAskWhich(at.model, text, (size_t) length, method, &kind, &index, &err)) return tacErrorToTcl(interp, &err);
    return answer(interp, &at, kind, index, method, space);
}

/* Asks the object of a kind with an id. */
static int askKind(Tcl_Interp *interp, Tcl_Obj *kindWord, Tcl_Obj *id, Tcl_Obj *methodWord) {
    tacAskAt at;
    const tacEventMoment *event;
    int kind;
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(id, &length);
    static const char *const kinds[TAC_KINDS + 1] = {
        "processor", "task", "job", "server", "mutex", "semaphore", "buffer", NULL};
    if (Tcl_GetIndexFromObj(interp, kindWord, kinds, "kind", 0, &kind) != TCL_OK
        || currentAt(interp, &at, &event) != TCL_OK)
        return TCL_ERROR;
    if (kind == TAC_JOB) indexJobs(at.model);
    uint32_t index = tacAskFind(at.model, (tacKind) kind, text, (size_t) length);
    if (index == TAC_NONE)
        return tacTclFail(interp, "LOOKUP OBJECT", "no %s \"%.200s\" in the trace", tacKindNames[kind], text);
    return answer(interp, &at, (tacKind) kind, index, Tcl_GetString(methodWord), event ? event->safeFor : NULL);
}

int tacObjectCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc == 3) return askAny(interp, objv[1], objv[2]);
    if (objc == 4) return askKind(interp, objv[1], objv[2], objv[3]);
    Tcl_WrongNumArgs(interp, 1, objv, "?kind? id method");
    return TCL_ERROR;
}

/* ---- ids that are names of commands ------------------------------------------------------------------------------ */

typedef struct IdCommand {
    tacKind kind;
    Tcl_Obj *id;
} IdCommand;

static void freeIdCommand(ClientData data) {
    IdCommand *command = data;
    Tcl_DecrRefCount(command->id);
    tacFree(command);
}

static int runIdCommand(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const IdCommand *command = data;
    if (objc == 2) return askKind(interp, Tcl_NewStringObj(tacKindNames[command->kind], -1), command->id, objv[1]);
    Tcl_WrongNumArgs(interp, 1, objv, "method");
    return TCL_ERROR;
}

/* True when a plugin in the namespace `space` would find a command by this name. */
static bool isSeen(Tcl_Interp *interp, const char *name, Tcl_Obj *space) {
    static const char *const spaces[] = {"::", "::tactus::plugin::api", "::tactus::plugin::published"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        Tcl_Namespace *in = Tcl_FindNamespace(interp, spaces[i], NULL, TCL_GLOBAL_ONLY);
        if (in && Tcl_FindCommand(interp, name, in, TCL_NAMESPACE_ONLY)) return true;
    }
    Tcl_Namespace *own = Tcl_FindNamespace(interp, Tcl_GetString(space), NULL, TCL_GLOBAL_ONLY);
    return own && Tcl_FindCommand(interp, name, own, TCL_NAMESPACE_ONLY);
}

Tcl_Obj *tacSafeId(Tcl_Interp *interp, tacKind kind, Tcl_Obj *plain, Tcl_Obj *space) {
    Tcl_CmdInfo info;
    const char *id = Tcl_GetString(plain);
    if (!isSeen(interp, id, space)) return plain;
    /* ::tactus::id::task/source; :: within an id would be taken for that of a namespace */
    Tcl_Obj *name = Tcl_ObjPrintf("::tactus::id::%s/", tacKindNames[kind]);
    for (; *id; id++) Tcl_AppendToObj(name, id[0] == ':' && id[1] == ':' ? "_" : id, 1);
    while (Tcl_GetCommandInfo(interp, Tcl_GetString(name), &info)) {
        if (info.objProc == runIdCommand && tacSameText(((IdCommand *) info.objClientData)->id, plain)) return name;
        Tcl_AppendToObj(name, "+", 1);
    }
    IdCommand *command = tacAlloc(sizeof *command);
    if (!command) return NULL;
    *command = (IdCommand){kind, plain};
    Tcl_IncrRefCount(plain);
    Tcl_CreateObjCommand(interp, Tcl_GetString(name), runIdCommand, command, freeIdCommand);
    return name;
}

/* Puts safe ids into the result of a method, since a plugin that uses an id as a command does so with the answer, too.
 */
static int makeSafe(Tcl_Interp *interp, tacKind kind, const char *method, Tcl_Obj *space) {
    const tacAskMethod *row = tacAskMethodOf(kind, method);
    if (!row || row->form == TAC_ANSWER_TEXT) return TCL_OK;
    Tcl_Size count = 1;
    Tcl_Obj *plain = Tcl_GetObjResult(interp), **ids = &plain, *safe = Tcl_NewListObj(0, NULL), *only = NULL;
    bool isList = row->form == TAC_ANSWER_IDS; /* else one id, which may have blanks and is no list */
    Tcl_IncrRefCount(plain);
    Tcl_IncrRefCount(safe);
    if (isList && Tcl_ListObjGetElements(NULL, plain, &count, &ids) != TCL_OK) count = 0;
    if (!isList && *Tcl_GetString(plain) == '\0') count = 0;
    bool done = true;
    for (Tcl_Size i = 0; i < count; i++) {
        only = tacSafeId(interp, row->of, ids[i], space);
        done = done && only;
        tacAppend(safe, only ? only : Tcl_NewObj());
    }
    if (isList) Tcl_SetObjResult(interp, safe);
    else if (only) Tcl_SetObjResult(interp, only);
    Tcl_DecrRefCount(safe);
    Tcl_DecrRefCount(plain);
    return done ? TCL_OK : tacTclMemory(interp);
}

/* ---- unknown commands -------------------------------------------------------------------------------------------- */

/* Does what Tcl does for a command that it does not know. */
static int ordinaryUnknown(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_CmdInfo info;
    if (!Tcl_GetCommandInfo(interp, "::unknown", &info)) {
        Tcl_SetObjResult(interp, Tcl_ObjPrintf("invalid command name \"%.200s\"", Tcl_GetString(objv[1])));
        Tcl_SetErrorCode(interp, "TCL", "LOOKUP", "COMMAND", Tcl_GetString(objv[1]), NULL);
        return TCL_ERROR;
    }
    Tcl_Obj **words = (Tcl_Obj **) Tcl_Alloc((unsigned) objc * sizeof *words);
    memcpy(words, objv, (size_t) objc * sizeof *words);
    words[0] = Tcl_NewStringObj("::unknown", -1);
    Tcl_IncrRefCount(words[0]);
    Tcl_ResetResult(interp);
    int code = Tcl_EvalObjv(interp, objc, words, 0);
    Tcl_DecrRefCount(words[0]);
    Tcl_Free((char *) words);
    return code;
}

int tacAskedCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "id method");
        return TCL_ERROR;
    }
    if (objc != 3) return ordinaryUnknown(interp, objc, objv);
    int code = askAny(interp, objv[1], objv[2]);
    bool unknown = code == TCL_ERROR
        && (tacTclFailedWith(interp, "TACTUS LOOKUP OBJECT") || tacTclFailedWith(interp, "TACTUS PLUGIN MOMENT"));
    return unknown ? ordinaryUnknown(interp, objc, objv) : code;
}
