/*
 * sandbox.h -- evaluates the script commands of a trace: a Tcl interpreter of its own that has the vocabulary, harmless
 * Tcl commands, and limits; nothing else (read/sandboxAllow.c is the list, doc/tactus_sandbox.5 the description).
 *
 * A vocabulary command goes to sink->command with the line of the command that called it, also from within loops and
 * procedures. One that fails is reported like a literal command that fails, and the script goes on: one bad command
 * never costs the rest. Only where a `catch` or `try` is open around it in the same procedure (or outside of all) it is
 * a Tcl error instead, which the script then has caught.
 */
#ifndef TAC_READ_SANDBOX_H
#define TAC_READ_SANDBOX_H

#include "read/reader.h"

typedef struct tacSandbox tacSandbox;

/* In a worker process limits are those of the worker (worker.h); elsewhere time is time elapsed in evaluation. */
tacStatus tacSandboxCreate(const tacReadOptions *options, const tacSink *sink, tacSandbox **out, tacError *err);
void tacSandboxFree(tacSandbox *sandbox); /* NULL is fine */

/*
 * Evaluates one complete command that begins in `line`. Script errors are reported to the sink and are TAC_OK.
 * TAC_ERROR ends the reading: "LIMIT ...", "MEMORY" and "CANCELLED", none of them reported to the sink.
 */
tacStatus tacSandboxEval(tacSandbox *sandbox, const char *command, size_t length, uint32_t line, tacError *err);

/* Did the script define, rename or delete a vocabulary command? Then it goes through the sandbox from there on. */
bool tacSandboxAnyRedefined(const tacSandbox *sandbox); /* for tests */
bool tacSandboxRedefined(const tacSandbox *sandbox, const char *name, size_t length);

/*
 * Handlers of events that the script has registered (sandboxHandle.c), once it has been read: are there any?
 * tacSandboxEvent calls those of an event, whose words are time, name, the event's words (list: handlers.h); errors are
 * reported, and end the handler they arose in. TAC_ERROR as from tacSandboxEval.
 */
bool tacSandboxHandles(const tacSandbox *sandbox);
tacStatus tacSandboxEvent(tacSandbox *sandbox, const tacWord *words, int count, int list, tacError *err);
/* The sandbox as the place where handlers are (handlers.h), which owns it from now on; NULL: no memory. */
tacHandlers *tacSandboxHandlers(tacSandbox *sandbox);

/* Is this a Tcl command that every sandbox has, or that it refuses with a sentence of its own? Needs no sandbox. */
bool tacSandboxKnows(const char *name, size_t length);

#endif
