/*
 * named.h -- objects by their names: those with a name, or with one that begins with a text.
 *
 * Ids are found by a hash (base/intern.h). Names are not unique, and most traces are never asked for one; so objects
 * are sorted by them at the first question, 4 bytes each.
 */
#ifndef TAC_TRACE_NAMED_H
#define TAC_TRACE_NAMED_H

#include "trace/store.h"

typedef enum tacNamedBy { TAC_BY_ID, TAC_BY_NAME } tacNamedBy; /* tacObjectId, tacObjectName */

/* The objects of a kind whose id or name is the text (whole), or begins with it: *count of them, sorted by it; of the
 * same name in the order of the trace. Of a frozen store. NULL: no memory. */
const uint32_t *tacNamedFind(
    const tacStore *store, tacKind kind, tacNamedBy by, const char *text, size_t length, bool whole, uint32_t *count);

#endif
