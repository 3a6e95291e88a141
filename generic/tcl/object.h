/*
 * object.h -- the moment that plugins ask about, and its objects: tactus::moment, tactus::object.
 *
 * A moment is an event of a replay that is under way (hook.c), or a time of an open trace. They are nested: a handler
 * may ask about another time (tactus::moment at). When nothing is under way, questions are about the focus, the trace
 * and time that the user looks at (the window sets it with the time cursor). Traces are kept by their command's name
 * and looked up for every question, so asking about a trace that was closed is an error.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_OBJECT_H
#define TAC_TCL_OBJECT_H

#include "model/ask.h"

/* An event that is handled. An id is looked for among its words first, since their kinds are known. */
typedef struct tacEventMoment {
    tacAskAt at;
    uint32_t row;
    Tcl_Obj *trace;          /* its command's name */
    Tcl_Obj *safeFor;        /* namespace of a plugin whose handler uses ids as commands, or NULL: see tacSafeId */
    Tcl_Obj *const *ids;     /* words of the event that are ids, */
    const tacKind *kinds;    /* ... their kinds, */
    const uint32_t *indices; /* ... and the indices of the objects */
    int nIds;
} tacEventMoment;

/* A moment that can be asked about: an event that is handled, or a trace and a time. */
typedef struct tacMoment {
    const tacEventMoment *event; /* NULL: trace and time */
    Tcl_Obj *trace, *time;       /* time NULL: the end of the recording */
    struct tacMoment *outer;     /* set by tacMomentEnter */
} tacMoment;

/* Begins and ends the time in which questions are about a moment, the caller's. False: no memory, it has not begun. */
bool tacMomentEnter(Tcl_Interp *interp, tacMoment *moment);
void tacMomentLeave(Tcl_Interp *interp, const tacMoment *moment);

/*
 * A word that a plugin in the namespace `space` can use as a command, which stands for an object. Ids come from the
 * trace, and a trace is not to be trusted: where a plugin uses an id as a command ($job state), an id that is the name
 * of a Tcl command (source, exec ...) would run that. For such an id the word is the name of a command made for the
 * object,
 * ::tactus::id::KIND/ID; for all others it is the id itself, `plain`. NULL: no memory.
 */
Tcl_Obj *tacSafeId(Tcl_Interp *interp, tacKind kind, Tcl_Obj *plain, Tcl_Obj *space);

/*
 * tactus::moment now|line|event|trace|at trace time script|focus ?trace ?time??
 * tactus::object ?kind? id method: the answer
 * tactus::asked id method ?word ...?: the same for an unknown command (`namespace unknown` of plugins); when there is
 * no such object, it does what Tcl does for unknown commands
 */
Tcl_ObjCmdProc tacMomentCmd, tacObjectCmd, tacAskedCmd;

#endif
