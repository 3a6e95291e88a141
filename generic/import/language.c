/*
 * language.c -- reads a trace script: the reader delivers commands, the sink of trace/apply.h makes rows of them.
 */
#include "base/port.h"

#include "import/language.h"
#include "read/split.h"

#include <string.h>

tacStatus tacLanguageRead(tacImport *import, tacError *err) {
    tacApply apply;
    tacSink sink;
    tacImportCode *code = import->code;
    tacReadOptions options = *import->limits;
    options.handlers = code->handlers;
    options.tellCut = true;
    options.wholeLimit = import->store->byteLimit;
    tacApplyInit(&apply, import->store, import->diag);
    bool done = true;
    for (const char *const *event = code->events; done && event && *event; event++)
        done = tacApplyDefineEvent(&apply, *event, strlen(*event));
    tacStatus status = done && tacApplySink(&apply, code->commands, &sink)
        ? tacReadSource(import->source, &options, &sink, err)
        : tacFailMemory(err);
    *code->handled = apply.handled;
    apply.handled = (tacInternTable){0};
    tacApplyFree(&apply);
    return status;
}

/* `ignore` is a command of mappings as well, which have no others of these. */
bool tacLanguageLikely(const char *text, size_t length) {
    const char *end = text + length, *newline;
    for (const char *at = text; at < end; at = newline + 1) {
        newline = memchr(at, '\n', (size_t) (end - at));
        if (!newline) newline = end;
        while (at < newline && tacIsBlank(*at)) at++;
        size_t n = 0;
        while (at + n < newline && !tacIsBlank(at[n])) n++;
        for (const char *const *name = tacCommandNames; n && *name; name++)
            if (strlen(*name) == n && memcmp(*name, at, n) == 0 && strcmp(*name, "ignore") != 0) return true;
        if (newline == end) break;
    }
    return false;
}
