/*
 * sandboxParts.h -- the parts of the sandbox, which sandbox.c puts together: the commands that a script may use, the
 * size of its values, the line that it is in, and the handlers that it registers.
 */
#ifndef TAC_READ_SANDBOX_PARTS_H
#define TAC_READ_SANDBOX_PARTS_H

#include <tcl.h>

#include "base/error.h"
#include "base/mem.h"
#include "read/sink.h"

/*
 * ---- sandboxAllow.c: the Tcl commands that a trace may use. Commands that are not on the list are deleted from the
 * interpreter, not hidden.
 */

/* Tell whether this is the name of a Tcl command that a trace may use, or of one that it may not use. */
bool tacAllowed(const char *name, size_t length);
bool tacForbidden(const char *name, size_t length);

/* Deletes from a new interpreter all that is not on the list: commands, subcommands, namespaces and variables. */
tacStatus tacAllowOnly(Tcl_Interp *interp, tacError *err);

/*
 * ---- sandboxGuard.c: the size of a result is estimated before a Tcl command that could make gigabytes in one call.
 *
 * `string repeat`, `format`, `lrepeat` and `scan` then fail like any command, and the trace is read on; the memory
 * limit of a worker process (read/worker.h) would end the whole script. Sizes that no single argument tells - doubling
 * a variable, 10**100000000 - are left to that limit; where there is no worker, `append`, `lappend`, `join` and `string
 * map` are guarded as well. All arithmetic saturates: a size that 64 bits do not hold is the largest.
 */

typedef struct tacGuard {
    Tcl_CmdInfo original; /* the command that is guarded */
    const char *name;     /* of the command, in messages */
    int64_t limit;        /* bytes of the largest value */
    /* Bytes that the result would have, at least roughly; negative: unknown. */
    int64_t (*size)(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);
} tacGuard;

enum { TAC_GUARDS = 9 };

/* Puts the guards into an interpreter; guards[] must live as long as it does. */
tacStatus tacGuardCommands(
    Tcl_Interp *interp, tacGuard guards[TAC_GUARDS], int64_t limit, bool alsoVariables, tacError *err);

/*
 * ---- sandboxLine.c: the line of the trace in which the running script command stands.
 *
 * A script command may span many lines (a loop, a procedure's body); Tcl knows the line within the command or within
 * the body. The lines in which the command and the bodies of procedures begin are kept here.
 */

typedef struct tacScriptLine {
    Tcl_Interp *interp;
    const char *command; /* evaluated at the moment */
    size_t length;       /* bytes of it */
    uint32_t line;       /* of the trace, where it begins */
    uint32_t span;       /* further lines it has */
    const char *cursor;  /* begin of line cursorLine */
    uint32_t cursorLine;
    uint32_t searches;      /* for commands that were not in the line Tcl said */
    Tcl_HashTable bodies;   /* full name of a procedure -> line of the trace where its body begins */
    Tcl_CmdInfo frame;      /* `info frame` */
    Tcl_Obj *frameWords[2]; /* its words */
    Tcl_Obj *keys[3];       /* "line", "proc" and "cmd" of its result */
} tacScriptLine;

tacStatus tacScriptLineInit(tacScriptLine *where, Tcl_Interp *interp, tacError *err);
void tacScriptLineFree(tacScriptLine *where); /* before the interpreter is deleted; also after Init failed */

/* Notes the command that is evaluated next, which begins in this line. */
void tacScriptLineBegin(tacScriptLine *where, const char *command, size_t length, uint32_t line);
/* Notes that the running command has just defined the procedure `name`. */
void tacScriptLineProc(tacScriptLine *where, Tcl_Obj *name, Tcl_Obj *arguments);
/* Returns the line of the running command; for one implemented in C, of its call. Keeps the interpreter's result. */
uint32_t tacScriptLineNow(tacScriptLine *where);
/* Returns the line of the running command of a body that is evaluated by itself: it begins in line `first`, and has
 * `span` further lines. */
uint32_t tacScriptLineWithin(tacScriptLine *where, uint32_t first, uint32_t span);
/* Returns the line in which the error that ended the evaluation arose, by errorInfo. */
uint32_t tacScriptLineOfError(tacScriptLine *where, const char *errorInfo);

/*
 * ---- sandboxHandle.c: the commands by which a script registers code that runs later, and the registered handlers:
 *
 *      addEventHandler event script    called for each such event, in order of time, with the time and the event's
 *                                      words
 *      addHandler event script         called when the trace is opened (TraceOpened) and has been replayed
 *                                      (TraceFinished)
 *      addCommandArg name syntax help  the variable `name` exists and is empty: a trace has no command line
 *      addTraceFormat, addPreprocessor, _exit   have no effect, and a warning says so
 *
 * The sink is told each event that is wanted, by a command of two words: addEventHandler NAME, or addHandler <NAME>.
 */

typedef struct tacScriptHandler {
    Tcl_Obj *event; /* its name; of a player event in angle brackets */
    Tcl_Obj *script;
    uint32_t line; /* of the trace, where it was registered */
    bool on;       /* still called: it has not failed */
} tacScriptHandler;

typedef struct tacHandleTable {
    const tacSink **sink; /* the sandbox's: another one when reading has ended */
    tacScriptLine *where;
    TAC_ARRAY(tacScriptHandler) handlers;
    bool closed; /* reading has ended: nothing is registered any more */
} tacHandleTable;

/* Tells whether this is the name of one of these commands. */
bool tacHandleKnows(const char *name, size_t length);
/* Makes the commands in the interpreter; the table must live as long as it does. */
void tacHandleCommands(tacHandleTable *table, Tcl_Interp *interp);
void tacHandleFree(tacHandleTable *table);
/* Makes the command that calls a handler with these words (time, name, the event's words, of which `list` is a list of
 * words unless it is 0), without a reference. */
Tcl_Obj *tacHandleCall(const tacScriptHandler *handler, const tacWord *words, int count, int list);

#endif
