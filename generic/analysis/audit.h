/*
 * audit.h -- facts about a model that checks judge: where a schedule contradicts a rule, found over the whole trace at
 * once.
 *
 * A rule (tacAuditRules) goes once over rows, slices or curves and notes facts: what happened ("overrun"), when, to
 * whom, by how much. Whether a fact is a violation, and how it is said, is the matter of the check that asks
 * (plugins/check-*.tcl): the rules only look. They cost nothing unless they are asked, and are linear in the events but
 * for sorting.
 *
 * Rules decide nothing by the order of events of one instant where another order would be innocent; they say so by a
 * fact of its own ("contendedAtOnce"), since recorders truncate times.
 */
#ifndef TAC_ANALYSIS_AUDIT_H
#define TAC_ANALYSIS_AUDIT_H

#include "analysis/trace.h"
#include "base/progress.h"
#include "relation/table.h"

typedef struct tacFact {   /* what does not apply: TAC_UNKNOWN, TAC_NONE, 0 */
    const char *fact;      /* which: a word of the rule */
    int64_t begin, end;    /* ticks; end TAC_UNKNOWN: an instant */
    int64_t amount, limit; /* ticks: how much, of what was allowed; deadlines: the deadline is the limit */
    int64_t count;         /* how many of them this stands for */
    uint32_t job, other;   /* job ids (TAC_JOB indices) */
    uint32_t task, server, mutex, inner; /* inner: another mutex */
    uint32_t processor, elsewhere;       /* processors of the model */
    uint32_t row;                        /* event that shows it, for its line */
} tacFact;

/* A fact with these fields; what is not named does not apply. */
#pragma GCC diagnostic ignored "-Woverride-init"
#define TAC_FACT(name, ...)                                                                               \
    (tacFact) {                                                                                           \
        .fact = (name), .end = TAC_UNKNOWN, .amount = TAC_UNKNOWN, .limit = TAC_UNKNOWN, .job = TAC_NONE, \
        .other = TAC_NONE, .task = TAC_NONE, .server = TAC_NONE, .mutex = TAC_NONE, .inner = TAC_NONE,    \
        .processor = TAC_NONE, .elsewhere = TAC_NONE, .row = TAC_NONE, __VA_ARGS__                        \
    }

typedef struct tacFacts {
    TAC_ARRAY(tacFact) facts; /* sorted by begin when the rule is through */
    uint64_t limit;           /* facts kept at most */
    uint64_t more;            /* facts beyond that */
    bool highFirst;           /* rule priority: the greater value is the more urgent one */
    bool applicable;          /* is there anything that the rule speaks of? */
    tacProgress *progress;    /* may be NULL */
} tacFacts;

/* Adds a fact, or counts it when there are enough. False: no memory. */
bool tacFactAdd(tacFacts *facts, tacFact fact);

typedef struct tacAuditRule {
    const char *name, *help;                              /* help: a clause without period */
    bool (*look)(const tacTrace *trace, tacFacts *facts); /* false: no memory, or stopped */
} tacAuditRule;

extern const tacAuditRule tacAuditRules[]; /* ends with name NULL */

/* facts->limit, ->progress and ->highFirst are set, the rest is zero. TAC_ERROR: MEMORY, CANCELLED; tacFactsFree in
 * both cases. */
tacStatus tacAudit(const tacTrace *trace, const tacAuditRule *rule, tacFacts *facts, tacError *err);
void tacFactsFree(tacFacts *facts);

/* The facts as a table, which refers to them and to the trace: fact, time, end, amount ..., line. */
tacStatus tacFactTable(const tacTrace *trace, const tacFacts *facts, tacTable *table, tacError *err);

/* The rules; each in a file of its own, or with its likes. */
bool tacAuditBudget(const tacTrace *trace, tacFacts *facts);   /* auditBudget.c */
bool tacAuditMutex(const tacTrace *trace, tacFacts *facts);    /* auditMutex.c */
bool tacAuditDeadline(const tacTrace *trace, tacFacts *facts); /* auditJob.c */
bool tacAuditAffinity(const tacTrace *trace, tacFacts *facts);
bool tacAuditSanity(const tacTrace *trace, tacFacts *facts);   /* auditSanity.c */
bool tacAuditPriority(const tacTrace *trace, tacFacts *facts); /* auditPriority.c */
bool tacAuditUnknown(const tacTrace *trace, tacFacts *facts);  /* auditUnknown.c */

#endif
