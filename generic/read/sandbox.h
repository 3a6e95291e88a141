/*
 * sandbox.h -- evaluates the script commands of a trace in a Tcl interpreter of its own, which has the vocabulary,
 * harmless Tcl commands, and limits; nothing else (read/sandboxAllow.c is the list, doc/tactus_sandbox.5 the
 * description).
 *
 * A vocabulary command goes to sink->command with the line of the command that called it, also from within loops and
 * procedures. One that fails is reported like a literal command that fails, and the script goes on: one bad command
 * never costs the rest. If a `catch` or `try` is open around it in the same procedure (or both stand outside of all
 * procedures), it is a Tcl error instead, which the script catches.
 */
#ifndef TAC_READ_SANDBOX_H
#define TAC_READ_SANDBOX_H

#include "read/reader.h"

typedef struct tacSandbox tacSandbox;

/* Gives the interpreter for the next sandbox, new and empty, made in advance. */
struct Tcl_Interp;
void tacSandboxPrepare(struct Tcl_Interp *interp);

/* Makes a sandbox. In a worker its limits are the worker's (worker.h); elsewhere time is that elapsed in evaluation. */
tacStatus tacSandboxCreate(const tacReadOptions *options, const tacSink *sink, tacSandbox **out, tacError *err);
void tacSandboxFree(tacSandbox *sandbox); /* NULL is fine */

/*
 * Evaluates one complete command that begins in `line`. Script errors are reported to the sink and are TAC_OK.
 * TAC_ERROR ends the reading: "LIMIT ...", "MEMORY" and "CANCELLED", none of them reported to the sink.
 */
tacStatus tacSandboxEval(tacSandbox *sandbox, const char *command, size_t length, uint32_t line, tacError *err);

/* Tell whether the script has defined, renamed or deleted a vocabulary command, which then goes through the sandbox. */
bool tacSandboxAnyRedefined(const tacSandbox *sandbox); /* for tests */
bool tacSandboxRedefined(const tacSandbox *sandbox, const char *name, size_t length);

/* Tells whether the script has registered handlers of events (sandboxHandle.c). */
bool tacSandboxHandles(const tacSandbox *sandbox);
/*
 * Calls the handlers of an event, once the script has been read. Its words are time, name, the event's words (list:
 * handlers.h). Errors are reported, and end the handler in which they arose. TAC_ERROR as from tacSandboxEval.
 */
tacStatus tacSandboxEvent(tacSandbox *sandbox, const tacWord *words, int count, int list, tacError *err);
/* Makes the sandbox a place of handlers (handlers.h), which owns it from now on; NULL: no memory. */
tacHandlers *tacSandboxHandlers(tacSandbox *sandbox);

/* Tells whether every sandbox has this Tcl command, or refuses it with a message of its own. Needs no sandbox. */
bool tacSandboxKnows(const char *name, size_t length);

/* Tells whether this is the name of a command that registers code of a trace, which only a sandbox has. */
bool tacSandboxRegisters(const char *name, size_t length);

#endif
