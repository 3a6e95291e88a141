/*
 * dump.h -- writes a frozen store as the canonical trace: definitions, then one flat literal command a line in time
 * order on the reference clock; reading it gives the same store (but for line numbers and sync events, which are
 * written as messages' ends on one clock and fit to the identity).
 */
#ifndef TAC_TRACE_DUMP_H
#define TAC_TRACE_DUMP_H

#include "base/mem.h"
#include "trace/select.h"

/* for tests: all of it, from and to TAC_UNKNOWN, or the events of a window. */
tacStatus tacDump(const tacStore *store, int64_t from, int64_t to,
    bool (*write)(void *data, const char *bytes, size_t n), void *data, tacError *err);
/* Calls write(data, bytes, n) with pieces of the text of a part, whose selection has begun; write returns false to
 * stop. */
tacStatus tacDumpPart(const tacStore *store, const tacSelection *part,
    bool (*write)(void *data, const char *bytes, size_t n), void *data, tacError *err);

#endif
