/*
 * resolve.h -- ids become objects once everything is read.
 */
#ifndef TAC_TRACE_RESOLVE_H
#define TAC_TRACE_RESOLVE_H

#include "trace/diag.h"
#include "trace/store.h"

/* Rows that name what does not exist are dropped, with an error each (grouped); so are rows of hidden ids, silently.
 * TAC_ERROR: memory, cancelled. */
tacStatus tacResolve(tacStore *store, tacDiag *diag, tacError *err);

#endif
