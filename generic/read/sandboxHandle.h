/*
 * sandboxHandle.h -- the commands by which a script registers code that runs later, and what it has registered:
 *
 *      addEventHandler event script    called for each such event, in order of time, with the time and the event's
 *                                      words
 *      addHandler event script         called when the trace is opened (TraceOpened) and has been replayed
 *                                      (TraceFinished)
 *      addCommandArg name syntax help  the variable `name` exists and is empty: a trace has no command line
 *      addTraceFormat, addPreprocessor, _exit   have no effect, which is said
 *
 * The sink is told of each event that is wanted, by a command of two words: addEventHandler NAME, or addHandler <NAME>.
 */
#ifndef TAC_READ_SANDBOX_HANDLE_H
#define TAC_READ_SANDBOX_HANDLE_H

#include <tcl.h>

#include "base/error.h"
#include "base/mem.h"
#include "read/sandboxLine.h"
#include "read/sink.h"

typedef struct tacScriptHandler {
    Tcl_Obj *event; /* its name; of a player event in angle brackets */
    Tcl_Obj *script;
    uint32_t line; /* of the trace, where it was registered */
    bool on;       /* it has not failed */
} tacScriptHandler;

typedef struct tacHandleTable {
    const tacSink **sink; /* the sandbox's: another one when reading has ended */
    tacScriptLine *where;
    TAC_ARRAY(tacScriptHandler) handlers;
    bool closed; /* reading has ended: nothing is registered any more */
} tacHandleTable;

/* Is this the name of one of these commands? */
bool tacHandleKnows(const char *name, size_t length);
/* Makes the commands in the interpreter; the table lives as long as it does. */
void tacHandleCommands(tacHandleTable *table, Tcl_Interp *interp);
void tacHandleFree(tacHandleTable *table);
/* The command that calls a handler with these words (time, name, the event's words, of which `list` is a list of words
 * unless it is 0), without a reference. */
Tcl_Obj *tacHandleCall(const tacScriptHandler *handler, const tacWord *words, int count, int list);

#endif
