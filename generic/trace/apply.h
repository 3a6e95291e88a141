/*
 * apply.h -- the sink that turns commands of the vocabulary into rows of a store: it checks words against trace/vocab,
 * and appends. The literal reader and the sandbox's Tcl commands both use it, so that they give the same store.
 */
#ifndef TAC_TRACE_APPLY_H
#define TAC_TRACE_APPLY_H

#include "read/sink.h"
#include "trace/diag.h"
#include "trace/store.h"

/*
 * Commands that plugins add to the vocabulary. run may put commands of the vocabulary in place of its own: it calls
 * deliver for each, with the same line.
 */
typedef tacStatus tacDeliver(void *data, const tacWord *words, int count, uint32_t line, tacError *err);
typedef struct tacExtraCommands {
    const char *const *names; /* NULL-terminated; none is a command of the vocabulary */
    tacStatus (*run)(
        void *data, const tacWord *words, int count, uint32_t line, tacDeliver *deliver, void *to, tacError *err);
    void *data;
} tacExtraCommands;

/* The newJob of a job. */
typedef struct tacApplyJob {
    uint32_t place; /* in the store's jobDefinitions, counted from 1; 0: no newJob yet */
    size_t options; /* index of its first option in the store's objectOptions */
} tacApplyJob;

typedef struct tacApply {
    tacStore *store;
    tacDiag *diag;
    tacInternTable customEvents;        /* event names that plugins define, or the trace's own handlers want */
    tacInternTable handled;             /* events that handlers in the trace want; player events in angle brackets */
    const tacExtraCommands *extra;      /* commands of plugins, or NULL */
    TAC_ARRAY(const char *) names;      /* all commands, when plugins have given some; NULL-terminated */
    tacInternTable madeIds;             /* ids of the old object form, [Task id] */
    TAC_ARRAY(uint8_t) madeKinds;       /* by id in madeIds: tacKind */
    TAC_ARRAY(tacApplyJob) definitions; /* by job index, up to the last job that has a newJob */
    int64_t lastTime;                   /* ticks of the last plot command, for commands without a time of their own */
    int lastDigits;                     /* scale of lastTime */
    uint32_t looked;                    /* rows when `scattered` was found out */
    bool scattered;                     /* the last rows are about jobs in random order */
    uint32_t sourceLine; /* line of the file that the trace was made of, for what comes now; 0: its own */
} tacApply;

void tacApplyInit(tacApply *apply, tacStore *store, tacDiag *diag);
void tacApplyFree(tacApply *apply);
/* Makes a name that of an event, unless the vocabulary has it already; false: no memory. */
bool tacApplyDefineEvent(tacApply *apply, const char *name, size_t length);
/* Fills the sink's functions. extra may be NULL; false: no memory for the names. */
bool tacApplySink(tacApply *apply, const tacExtraCommands *extra, tacSink *sink);

#endif
