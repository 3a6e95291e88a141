/*
 * audit.h -- facts about a model that checks judge: contradictions between a schedule and a rule, found over the whole
 * trace at once.
 *
 * A rule (tacAuditRules) goes once over rows, slices or curves and notes facts: a name ("overrun"), a time, objects and
 * amounts. The check that asks (plugins/check-*.tcl) decides whether a fact is a violation, and how
 * it is worded. Rules cost nothing unless they are asked, and are linear in the events but for sorting.
 *
 * Recorders truncate times, so the order of events of one instant is not trusted: where another order would make a fact
 * harmless, the fact has a name of its own ("contendedAtOnce").
 */
#ifndef TAC_ANALYSIS_AUDIT_H
#define TAC_ANALYSIS_AUDIT_H

#include "analysis/trace.h"
#include "base/progress.h"
#include "relation/table.h"
#include "trace/scheduling.h"

typedef struct tacFact {   /* fields that do not apply are TAC_UNKNOWN, TAC_NONE or 0 */
    const char *fact;      /* its name, one of the rule's */
    int64_t begin, end;    /* ticks; end TAC_UNKNOWN: an instant */
    int64_t amount, limit; /* ticks: how much, of what was allowed; deadlines: the deadline is the limit */
    int64_t count;         /* how many of them this stands for */
    int64_t inversions;    /* that were found in a cluster */
    int64_t ties;          /* times that a job waited in a cluster, as urgent as one of another task that ran */
    uint32_t job, other;   /* job ids (TAC_JOB indices) */
    uint32_t task, server, mutex, inner; /* inner: another mutex */
    uint32_t processor, elsewhere;       /* processors of the model */
    uint32_t row;                        /* event that shows it, for its line */
    uint32_t cluster;                    /* processor that stands for the cluster that it is about */
    uint8_t scheduler;                   /* tacScheduler: the policy that it is about */
} tacFact;

/* A fact with these fields; the others do not apply. */
#pragma GCC diagnostic ignored "-Woverride-init"
#define TAC_FACT(name, ...)                                                                               \
    (tacFact) {                                                                                           \
        .fact = (name), .end = TAC_UNKNOWN, .amount = TAC_UNKNOWN, .limit = TAC_UNKNOWN, .job = TAC_NONE, \
        .other = TAC_NONE, .task = TAC_NONE, .server = TAC_NONE, .mutex = TAC_NONE, .inner = TAC_NONE,    \
        .processor = TAC_NONE, .elsewhere = TAC_NONE, .row = TAC_NONE, .cluster = TAC_NONE, __VA_ARGS__   \
    }

typedef struct tacFacts {
    TAC_ARRAY(tacFact) facts; /* sorted by begin when the rule is through */
    uint64_t limit;           /* largest number of facts that are kept */
    uint64_t more;            /* facts beyond that */
    bool highFirst;           /* rule priority: the greater value is the more urgent one */
    bool nonpreemptive;       /* ... jobs that have started are not preempted, where nothing is stated */
    bool thresholds;          /* ... tasks have preemption thresholds that explain their preemptions, where ... */
    tacScheduler scheduler;   /* ... the policy where nothing is stated; NONE: nothing is judged there */
    int64_t tolerance;        /* ... ticks: inversions up to this length are left out */
    int64_t most;             /* ... it ends when more inversions than that were found in each cluster */
    int64_t latency;          /* ... ticks that a switch may take in the recording of a running system */
    bool applicable;          /* the trace has something that the rule judges */
    tacProgress *progress;    /* may be NULL */
} tacFacts;

/* Adds a fact, or counts it when there are enough. False: no memory. */
bool tacFactAdd(tacFacts *facts, tacFact fact);
/* Counts a fact if there are enough, so that it need not be made; false: there are not. */
static inline bool tacFactsFull(tacFacts *facts) {
    if (facts->facts.count < facts->limit) return false;
    facts->more++;
    return true;
}

/* Row of the first event at t of the job id that is one of `events` (bit 1 << tacEvent); TAC_NONE: none among the first
 * 4096 rows of t, since all of a trace may be at one instant. */
uint32_t tacAuditRow(const tacStore *store, uint32_t id, int64_t t, uint64_t events);
/* The events whose subject is a job, for tacAuditRow. */
uint64_t tacAuditJobEvents(void);
/* Row in which one looks for what was the case at t: an event at t, if possible one of the job id (TAC_NONE: of any),
 * else the last one before. TAC_NONE: there is none. */
uint32_t tacAuditRowNear(const tacStore *store, uint32_t id, int64_t t);
#define TAC_EVENT_BIT(event) ((uint64_t) 1 << (event))

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

/* The rules. */
bool tacAuditBudget(const tacTrace *trace, tacFacts *facts);   /* auditBudget.c */
bool tacAuditMutex(const tacTrace *trace, tacFacts *facts);    /* auditMutex.c */
bool tacAuditDeadline(const tacTrace *trace, tacFacts *facts); /* auditJob.c */
bool tacAuditAffinity(const tacTrace *trace, tacFacts *facts);
bool tacAuditExecution(const tacTrace *trace, tacFacts *facts);
bool tacAuditSanity(const tacTrace *trace, tacFacts *facts);   /* auditSanity.c */
bool tacAuditPriority(const tacTrace *trace, tacFacts *facts); /* auditPriority.c */
bool tacAuditUnknown(const tacTrace *trace, tacFacts *facts);  /* auditUnknown.c */

/*
 * Gives the deadlines of jobs that have none of their own, but a taskDeadline: each is that of the first job released
 * since the taskDeadline before. False: `take` said so, or the progress.
 */
typedef bool tacDeadlineTaker(void *data, uint32_t job, int64_t deadline);
bool tacTaskDeadlines(const tacModel *model, uint32_t task, tacProgress *progress, tacDeadlineTaker *take, void *data);

#endif
