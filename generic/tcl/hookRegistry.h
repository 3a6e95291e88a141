/*
 * hookRegistry.h -- the handlers of trace events that an interpreter has, in order of registration.
 *
 * Each belongs to a plugin and to a group: those of the group "" run when a trace is opened with -handlers yes, others
 * when they are asked for. Passes over traces (hook.h) take from here the handlers that they call.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_HOOK_REGISTRY_H
#define TAC_TCL_HOOK_REGISTRY_H

#include "base/mem.h"
#include "trace/vocab.h"

enum { TAC_ALL_EVENTS = TAC_EVENTS }; /* tacHandler.event of "*" */

typedef struct tacHandler {
    int references; /* of the registry and of passes */
    bool on;
    const void *stopped; /* the pass in which it is not called any more; NULL: none */
    int number;          /* its name in Tcl commands, from 1 */
    int event;           /* tacEvent, or TAC_ALL_EVENTS; for TAC_EV_CUSTOM and TAC_EV_ANALYSIS the name decides */
    Tcl_Obj *name, *plugin, *group;
    Tcl_Obj *prefix;  /* a list of one word at least */
    Tcl_Obj *safeFor; /* namespace of a plugin that uses ids as commands (object.h), or NULL */
} tacHandler;

typedef TAC_ARRAY(tacHandler *) tacHandlerList;

typedef struct tacHooks { /* of an interpreter */
    tacHandlerList handlers;
    int last;               /* number given last */
    struct tacPass *passes; /* under way, the innermost first (hook.c) */
} tacHooks;

/* tactus::hook add|forget|list|remove|switch ... */
Tcl_ObjCmdProc tacHookCmd;

/* The handlers of an interpreter, made when first asked for, and freed with it; NULL: no memory. */
tacHooks *tacHooksOf(Tcl_Interp *interp);

/*
 * Appends the handlers that are on, of these groups (NULL: "" alone) and plugins (NULL: all), each with a reference
 * that tacHandlerRelease gives back. False: no memory; the handlers appended so far have theirs.
 */
bool tacHookCollect(const tacHooks *hooks, Tcl_Obj *groups, Tcl_Obj *plugins, tacHandlerList *wanted);
void tacHandlerRelease(tacHandler *handler);

#endif
