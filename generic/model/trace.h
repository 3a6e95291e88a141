/*
 * trace.h -- an opened trace: store, clocks, diagnostics and model together. The one way from a file to a model.
 */
#ifndef TAC_TRACE_H
#define TAC_TRACE_H

#include "model/model.h"
#include "read/reader.h"
#include "trace/apply.h"
#include "trace/clock.h"

typedef struct tacOpenOptions {
    tacReadOptions read;
    uint64_t eventLimit;	/* 0: default 2^31; events after it are not read, which is an error LIMIT EVENTS */
    uint64_t byteLimit;		/* of the store; 0: default 16 GiB */
    const char *reference;	/* processor id of the reference clock, or NULL */
    bool strict;		/* warnings are errors */
    int decimals;		/* times are kept with so many decimals at least: for questions about finer times; 0 .. TAC_MAX_DIGITS */
    const char *const *ignore;	/* strings: ids that contain one are hidden; NULL-terminated, or NULL */
    bool (*progress)(void *data, uint64_t bytesRead, uint64_t total);
    void *progressData;
    const tacConsumer *consumers;
    int nConsumers;
} tacOpenOptions;

typedef struct tacTrace {
    char *file;			/* as given; "-" for standard input */
    tacStore store;
    tacDiag diag;
    tacClocks clocks;
    tacModel model;
} tacTrace;

/*
 * Opens a trace. NULL with err only when nothing can be used (unreadable file, cancelled, no memory); everything wrong in
 * the trace, limits included, is in trace->diag and what could be read is usable. options may be NULL. Free with tacTraceClose.
 */
tacTrace *tacTraceOpen(const char *file, const tacOpenOptions *options, tacError *err);
tacTrace *tacTraceOpenText(const char *name, const char *text, size_t length, const tacOpenOptions *options, tacError *err);
void tacTraceClose(tacTrace *trace);

#endif
