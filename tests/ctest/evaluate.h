/*
 * evaluate.h -- the commands of a script one by one through a sandbox, for testSandbox.c and the worker of the tests.
 */
#ifndef TAC_TEST_EVALUATE_H
#define TAC_TEST_EVALUATE_H

#include "read/sandbox.h"

#include <string.h>

/* Length of the first complete command with its newline, or all there is. */
static size_t oneCommand(const char *at, size_t length) {
    for (size_t end = 0; end < length;) {
        const char *newline = memchr(at + end, '\n', length - end);
        end = newline ? (size_t) (newline - at) + 1 : length;
        if (length > 100000) return length; /* one giant command */
        Tcl_Obj *text = Tcl_NewStringObj(at, (int) end);
        int complete = Tcl_CommandComplete(Tcl_GetString(text));
        Tcl_DecrRefCount(text);
        if (complete) return end;
    }
    return length;
}

/* Evaluates a script; *out is the sandbox, to be freed. */
static tacStatus evaluateScript(const char *at, size_t length, const tacReadOptions *options, const tacSink *sink,
    tacSandbox **out, tacError *err) {
    uint32_t line = 1;
    tacStatus status = tacSandboxCreate(options, sink, out, err);
    const char *end = at + length;
    while (status == TAC_OK && at < end) {
        size_t n = oneCommand(at, (size_t) (end - at));
        status = tacSandboxEval(*out, at, n, line, err);
        for (; n; n--) line += *at++ == '\n';
    }
    return status;
}

#endif
