/*
 * recordLttng.h -- a tracepoint of LTTng-UST with a number of 8 bytes, and one without, for record.c to compare with.
 * Is included several times by LTTng's own headers.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER tactus_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "recordLttng.h"

#if !defined(RECORD_LTTNG_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define RECORD_LTTNG_H

#include <lttng/tracepoint.h>
#include <stdint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(tactus_bench, number, LTTNG_UST_TP_ARGS(uint64_t, value),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint64_t, value, value)))
LTTNG_UST_TRACEPOINT_EVENT(tactus_bench, nothing, LTTNG_UST_TP_ARGS(), LTTNG_UST_TP_FIELDS())
/* clang-format on */

#endif

#include <lttng/tracepoint-event.h>
