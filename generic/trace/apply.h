/*
 * apply.h -- the sink that turns commands of the vocabulary into rows of a store: checks words against trace/vocab,
 * and appends. Used by the literal reader and by the sandbox's Tcl commands alike, so that both give the same store.
 */
#ifndef TAC_TRACE_APPLY_H
#define TAC_TRACE_APPLY_H

#include "read/sink.h"
#include "trace/diag.h"
#include "trace/store.h"

/*
 * Commands besides the vocabulary. run may deliver commands of the vocabulary in its place: for each it calls deliver,
 * which is told the same line.
 */
typedef tacStatus tacDeliver(void *data, const tacWord *words, int count, uint32_t line, tacError *err);
typedef struct tacExtraCommands {
    const char *const *names; /* NULL-terminated; none is a command of the vocabulary */
    tacStatus (*run)(
        void *data, const tacWord *words, int count, uint32_t line, tacDeliver *deliver, void *to, tacError *err);
    void *data;
} tacExtraCommands;

/* What is known of the newJob of a job. */
typedef struct tacApplyJob {
    uint32_t place; /* in the store's jobDefinitions, counted from 1; 0: no newJob yet */
    size_t options; /* where its options begin among the store's objectOptions */
} tacApplyJob;

typedef struct tacApply {
    tacStore *store;
    tacDiag *diag;
    tacInternTable customEvents;        /* event names that plugins define, or the trace's own handlers want */
    tacInternTable handled;             /* events that handlers in the trace want; player events in angle brackets */
    const tacExtraCommands *extra;      /* commands that plugins have given to traces, or NULL */
    TAC_ARRAY(const char *) names;      /* all commands, when there are such; NULL-terminated */
    tacInternTable madeIds;             /* ids of the old object form, [Task id] */
    TAC_ARRAY(uint8_t) madeKinds;       /* by id in madeIds: tacKind */
    TAC_ARRAY(tacApplyJob) definitions; /* by job index; ends with the last one that has a newJob */
    int64_t lastTime; /* of the last plot command, for commands without a time of their own; ticks ... */
    int lastDigits;   /* ... of this scale */
} tacApply;

void tacApplyInit(tacApply *apply, tacStore *store, tacDiag *diag);
void tacApplyFree(tacApply *apply);
/* Defines an event; false: no memory. One of the vocabulary stays what it is. */
bool tacApplyDefineEvent(tacApply *apply, const char *name, size_t length);
/* Fills the sink's functions. extra may be NULL; false: no memory for the names. */
bool tacApplySink(tacApply *apply, const tacExtraCommands *extra, tacSink *sink);

#endif
