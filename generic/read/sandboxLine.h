/*
 * sandboxLine.h -- in which line of the trace does the running script command stand?
 *
 * A script command may span many lines (a loop, a procedure's body) of which Tcl knows the line within the command or
 * within the body. Here is kept where the command and the bodies of procedures begin.
 */
#ifndef TAC_READ_SANDBOX_LINE_H
#define TAC_READ_SANDBOX_LINE_H

#include <tcl.h>

#include "base/error.h"

typedef struct tacScriptLine {
    Tcl_Interp *interp;
    const char *command; /* evaluated at the moment */
    size_t length;       /* bytes of it */
    uint32_t line;       /* of the trace, where it begins */
    uint32_t span;       /* further lines it has */
    const char *cursor;  /* where line cursorLine begins */
    uint32_t cursorLine;
    uint32_t searches;      /* for commands that were not in the line Tcl said */
    Tcl_HashTable bodies;   /* full name of a procedure -> line of the trace where its body begins */
    Tcl_CmdInfo frame;      /* `info frame` */
    Tcl_Obj *frameWords[2]; /* its words */
    Tcl_Obj *keys[3];       /* "line", "proc" and "cmd" of its result */
} tacScriptLine;

tacStatus tacScriptLineInit(tacScriptLine *where, Tcl_Interp *interp, tacError *err);
void tacScriptLineFree(tacScriptLine *where); /* before the interpreter goes; also after Init failed */

void tacScriptLineBegin(tacScriptLine *where, const char *command, size_t length, uint32_t line);
/* The procedure `name` has just been defined by the command that runs. */
void tacScriptLineProc(tacScriptLine *where, Tcl_Obj *name, Tcl_Obj *arguments);
/* Line of the command that runs: for a command implemented in C, the line of the call. Keeps the interpreter's result.
 */
uint32_t tacScriptLineNow(tacScriptLine *where);
/* Line where the error that ended the evaluation arose, by errorInfo. */
uint32_t tacScriptLineOfError(tacScriptLine *where, const char *errorInfo);

#endif
