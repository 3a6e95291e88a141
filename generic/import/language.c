/*
 * language.c -- reads a trace script: the reader delivers commands, the sink of trace/apply.h makes rows of them.
 */
#include "base/port.h"

#include "import/language.h"

#include <string.h>

tacStatus tacLanguageRead(tacImport *import, tacError *err) {
    tacApply apply;
    tacSink sink;
    tacImportCode *code = import->code;
    tacReadOptions options = *import->limits;
    options.handlers = code->handlers;
    options.tellCut = true;
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
