/*
 * look.h -- $trace look kind ...: all facts about one thing, as a dict for a panel of details.
 *
 * Times are exact decimals, things are named by their ids. Neighbours (previous, next, preempter, target ...) are
 * indices of jobs or slices, or rows of events, so that they can be looked at in turn. Lists have TAC_LOOK_MOST
 * elements at most; where there are more, their number stands beside the list (<key>_count). Files that include this
 * include <tcl.h> first.
 */
#ifndef TAC_TCL_LOOK_H
#define TAC_TCL_LOOK_H

#include "open/open.h"
#include "relation/table.h"

enum { TAC_LOOK_MOST = 50 };

/* ---- between the files look*.c ---- */

typedef struct tacDetails { /* the facts about one thing */
    const tacTrace *trace;
    const tacModel *model;
    Tcl_Obj *dict;
    bool failed; /* no memory */
} tacDetails;

void tacLookJob(tacDetails *look, uint32_t job);
void tacLookSlice(tacDetails *look, uint32_t task, uint32_t slice);
void tacLookHold(tacDetails *look, uint32_t task, uint32_t hold);
void tacLookEvent(tacDetails *look, uint32_t row);
void tacLookTask(tacDetails *look, uint32_t task, int64_t time);
void tacLookProcessor(tacDetails *look, uint32_t processor, int64_t time);
void tacLookServer(tacDetails *look, uint32_t server, int64_t time);
void tacLookMutex(tacDetails *look, uint32_t mutex, int64_t time);
void tacLookBuffer(tacDetails *look, uint32_t buffer, int64_t time);
void tacLookElement(tacDetails *look, uint32_t buffer, int64_t time, uint32_t row); /* row: of the push */

/* Puts a job: its id under the key, its index under key_index. TAC_NONE: both empty. */
void tacLookPutJob(tacDetails *look, const char *key, uint32_t job);
/* Puts a list of job indices. Of the `count` jobs, TAC_LOOK_MOST at most are in `jobs`. */
void tacLookPutJobs(tacDetails *look, const char *key, const uint32_t *jobs, uint32_t count);
void tacLookPutProcessor(tacDetails *look, const char *key, uint32_t processor);
/* Puts the cells of a row, by the names of their columns. */
void tacLookPutRow(tacDetails *look, const tacTable *table, uint64_t row);
/* Puts the name and the line of the definition of an object. */
void tacLookPutDefinition(tacDetails *look, tacKind kind, uint32_t index);

#endif
