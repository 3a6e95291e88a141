/*
 * sandboxHandle.c -- handlers that a script registers: the commands that register, and the command that calls one.
 */
#include <tcl.h>

#include "base/port.h"

#include "read/sandboxParts.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 1000 }; /* handlers of one trace */

static void report(tacHandleTable *t, tacSeverity severity, const char *text) {
    const tacSink *sink = *t->sink;
    sink->report(sink->data, severity, tacScriptLineNow(t->where), "PLUGIN", text);
}

static int fail(Tcl_Interp *interp, const char *text) {
    Tcl_SetObjResult(interp, Tcl_NewStringObj(text, -1));
    Tcl_SetErrorCode(interp, "TACTUS", "HANDLER", NULL);
    return TCL_ERROR;
}

/* ---- registering ------------------------------------------------------------------------------------------------- */

/* Adds a handler to the table, and tells the sink the event that is wanted. */
static int add(tacHandleTable *t, Tcl_Interp *interp, const char *command, Tcl_Obj *event, Tcl_Obj *script) {
    if (t->closed) return fail(interp, "handlers can be registered only while the trace is read");
    if (t->handlers.count == MOST) return fail(interp, "a trace may have at most 1000 handlers");
    uint32_t line = tacScriptLineNow(t->where);
    tacScriptHandler handler = {event, script, line, true};
    if (!tacArrayPush(&t->handlers, handler)) return fail(interp, "not enough memory");
    Tcl_IncrRefCount(event);
    Tcl_IncrRefCount(script);
    tacError err = {"", ""};
    int length;
    const char *name = Tcl_GetStringFromObj(event, &length);
    tacWord words[2] = {{command, strlen(command)}, {name, (size_t) length}};
    const tacSink *sink = *t->sink;
    if (sink->command(sink->data, words, 2, line, &err) != TAC_OK)
        sink->report(sink->data, TAC_SEVERITY_ERROR, line, err.code, err.message);
    Tcl_ResetResult(interp);
    return TCL_OK;
}

static int eventHandlerProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    if (objc == 3) return add(data, interp, "addEventHandler", objv[1], objv[2]);
    Tcl_WrongNumArgs(interp, 1, objv, "event script");
    return TCL_ERROR;
}

/* The name of a player event as <TraceOpened>; TraceOpened and traceOpened mean the same. */
static Tcl_Obj *playerEvent(Tcl_Obj *word) {
    int length;
    const char *name = Tcl_GetStringFromObj(word, &length);
    if (length > 1 && name[0] == '<' && name[length - 1] == '>') name++, length -= 2;
    Tcl_Obj *event = Tcl_ObjPrintf("<%.*s>", length, name);
    char *first = Tcl_GetString(event) + 1;
    if (*first >= 'a' && *first <= 'z') *first = (char) (*first - 'a' + 'A');
    return event;
}

static int handlerProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    if (objc != 3) {
        Tcl_WrongNumArgs(interp, 1, objv, "event script");
        return TCL_ERROR;
    }
    Tcl_Obj *event = playerEvent(objv[1]);
    Tcl_IncrRefCount(event);
    int code = add(data, interp, "addHandler", event, objv[2]);
    const char *name = Tcl_GetString(event);
    if (code == TCL_OK && strcmp(name, "<TraceOpened>") != 0 && strcmp(name, "<TraceFinished>") != 0)
        report(data, TAC_SEVERITY_NOTE,
            "a trace's own code runs only until it is opened: of the player's events it is told TraceOpened and "
            "TraceFinished");
    Tcl_DecrRefCount(event);
    return code;
}

/* addCommandArg: makes the variable, empty, unless it exists. */
static int commandArgProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 4) {
        Tcl_WrongNumArgs(interp, 1, objv, "name syntax help");
        return TCL_ERROR;
    }
    if (Tcl_ObjGetVar2(interp, objv[1], NULL, TCL_GLOBAL_ONLY)) return TCL_OK;
    return Tcl_ObjSetVar2(interp, objv[1], NULL, Tcl_NewObj(), TCL_GLOBAL_ONLY | TCL_LEAVE_ERR_MSG) ? TCL_OK
                                                                                                    : TCL_ERROR;
}

/* addTraceFormat, addPreprocessor and _exit: only warn. */
static int noEffectProc(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    char text[160];
    (void) interp, (void) objc;
    snprintf(text, sizeof text, "\"%.40s\" has no effect in a trace: it is for plugins", Tcl_GetString(objv[0]));
    report(data, TAC_SEVERITY_WARNING, text);
    return TCL_OK;
}

static const struct {
    const char *name;
    Tcl_ObjCmdProc *proc;
} commands[] = {
    {"addEventHandler", eventHandlerProc},
    {"addHandler", handlerProc},
    {"addCommandArg", commandArgProc},
    {"addTraceFormat", noEffectProc},
    {"addPreprocessor", noEffectProc},
    {"_exit", noEffectProc},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

bool tacHandleKnows(const char *name, size_t length) {
    for (int i = 0; i < COMMANDS; i++)
        if (strlen(commands[i].name) == length && memcmp(commands[i].name, name, length) == 0) return true;
    return false;
}

void tacHandleCommands(tacHandleTable *table, Tcl_Interp *interp) {
    for (int i = 0; i < COMMANDS; i++) Tcl_CreateObjCommand(interp, commands[i].name, commands[i].proc, table, NULL);
}

void tacHandleFree(tacHandleTable *table) {
    for (size_t i = 0; i < table->handlers.count; i++) {
        Tcl_DecrRefCount(table->handlers.at[i].event);
        Tcl_DecrRefCount(table->handlers.at[i].script);
    }
    tacArrayFree(&table->handlers);
}

/* ---- calling ----------------------------------------------------------------------------------------------------- */

/* The list of words that a handler gets: of an event all but its name, of a player event none. */
static Tcl_Obj *arguments(const tacScriptHandler *handler, const tacWord *words, int count, int list) {
    Tcl_Obj *all = Tcl_NewListObj(0, NULL);
    if (*Tcl_GetString(handler->event) == '<') return all;
    for (int i = 0; i < count; i++) {
        Tcl_Obj *word = Tcl_NewStringObj(words[i].at, (int) words[i].length);
        Tcl_IncrRefCount(word);
        if (i != 1 && (i == 0 || i != list || Tcl_ListObjAppendList(NULL, all, word) != TCL_OK))
            Tcl_ListObjAppendElement(NULL, all, word);
        Tcl_DecrRefCount(word);
    }
    return all;
}

Tcl_Obj *tacHandleCall(const tacScriptHandler *handler, const tacWord *words, int count, int list) {
    Tcl_Obj *more = arguments(handler, words, count, list), *call;
    int length, elements;
    const char *text = Tcl_GetStringFromObj(handler->script, &length);
    Tcl_IncrRefCount(more);
    /* More than one command, or one that has to be substituted, is a script; else it is a list of words. */
    bool isList = !strpbrk(text, "\n;$[") && Tcl_ListObjLength(NULL, handler->script, &elements) == TCL_OK;
    if (isList && elements > 0) {
        call = Tcl_DuplicateObj(handler->script);
        Tcl_ListObjAppendList(NULL, call, more);
    } else { /* the words belong to the script's last command, also where a line end follows it */
        while (length && strchr(" \t\n\r", text[length - 1])) length--;
        call = Tcl_NewStringObj(text, length);
        Tcl_AppendToObj(call, " ", 1);
        Tcl_AppendObjToObj(call, more);
    }
    Tcl_DecrRefCount(more);
    return call;
}
