/*
 * carried.h -- the handlers that a trace carries, as a consumer of the replay: rows become events for read/handlers.h,
 * questions are answered as of the row, and commands that a handler may not use are refused.
 *
 *   reading:  apply (trace/) notes the events that are wanted, by name -> tacCarried.names
 *   replay:   each row -> tacHandlersRow -> the next wanted rows as words -> the script -> questions, reports
 *
 * Problems with the handlers become remarks; only lack of memory and a cancelled opening are errors.
 */
#ifndef TAC_OPEN_CARRIED_H
#define TAC_OPEN_CARRIED_H

#include "model/ask.h"
#include "read/handlers.h"

typedef struct tacCarried tacCarried;

/*
 * Makes the consumer of a trace, whose store is frozen, from its `handlers`, which it owns from now on. names: of the
 * wanted events; player events in angle brackets. NULL: no memory.
 */
tacCarried *tacCarriedNew(
    tacHandlers *handlers, const tacInternTable *names, const tacStore *store, tacDiag *diag, tacError *err);
/* Calls the handlers of TraceOpened, before the replay. */
tacStatus tacCarriedBegin(tacCarried *carried, tacError *err);
tacConsumer tacCarriedConsumer(tacCarried *carried);
/* Calls the handlers of TraceFinished, after the replay; their questions are about the end of the model. */
tacStatus tacCarriedEnd(tacCarried *carried, const tacModel *model, tacError *err);
void tacCarriedFree(tacCarried *carried); /* NULL is fine */

#endif
