/*
 * apply.h -- the sink that turns commands of the vocabulary into rows of a store: checks words against trace/vocab,
 * and appends. Used by the literal reader and by the sandbox's Tcl commands alike, so that both give the same store.
 */
#ifndef TAC_APPLY_H
#define TAC_APPLY_H

#include "read/sink.h"
#include "trace/diag.h"
#include "trace/store.h"

/* What is known of the newJob of a job. */
typedef struct tacApplyJob {
    uint32_t place;		/* in the store's jobDefinitions, counted from 1; 0: no newJob yet */
    size_t options;		/* where its options begin among the store's objectOptions */
} tacApplyJob;

typedef struct tacApply {
    tacStore *store;
    tacDiag *diag;
    bool (*progress)(void *data, uint64_t bytesRead, uint64_t total);	/* may be NULL */
    void *progressData;
    tacInternTable customEvents;	/* event names that plugins define */
    tacInternTable madeIds;	/* ids of the old object form, [Task id] */
    TAC_ARRAY(uint8_t) madeKinds;	/* by id in madeIds: tacKind */
    TAC_ARRAY(tacApplyJob) definitions;	/* by job index; ends with the last one that has a newJob */
    uint32_t others;		/* commands so far that are no events: now and then the limits are asked */
    int64_t lastTime;		/* of the last plot command, for commands without a time of their own; ticks ... */
    int lastDigits;		/* ... of this scale */
} tacApply;

void tacApplyInit(tacApply *apply, tacStore *store, tacDiag *diag);
void tacApplyFree(tacApply *apply);
void tacApplySink(tacApply *apply, tacSink *sink);	/* fills the sink's functions */

#endif
