/*
 * carried.h -- the handlers that a trace carries, as a consumer of the replay: rows become events for read/handlers.h,
 * questions are answered as of the row, and what a handler may not do is refused.
 *
 *   reading:  apply (trace/) notes which events are wanted, by name -> tacCarried.names
 *   replay:   each row -> tacHandlersRow -> the next wanted rows as words -> the script -> questions, reports
 *
 * Whatever goes wrong with the handlers is a remark; only no memory and a cancelled opening are errors.
 */
#ifndef TAC_OPEN_CARRIED_H
#define TAC_OPEN_CARRIED_H

#include "model/ask.h"
#include "read/handlers.h"

typedef struct tacCarried tacCarried;

/*
 * The handlers of a trace whose store is frozen, over `handlers`, which this owns from now on. names: of the wanted
 * events; player events in angle brackets. NULL: no memory.
 */
tacCarried *tacCarriedNew(
    tacHandlers *handlers, const tacInternTable *names, const tacStore *store, tacDiag *diag, tacError *err);
/* TraceOpened; to be called before the replay. */
tacStatus tacCarriedBegin(tacCarried *carried, tacError *err);
tacConsumer tacCarriedConsumer(tacCarried *carried);
/* TraceFinished; after the replay, asking about the end of the model. */
tacStatus tacCarriedEnd(tacCarried *carried, const tacModel *model, tacError *err);
void tacCarriedFree(tacCarried *carried); /* NULL is fine */

#endif
