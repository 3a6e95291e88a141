/*
 * auditUrgency.h -- how urgent jobs are, by the policy of their tasks: for the rule about priorities.
 *
 * The policy of a task is its -scheduler, else that of the first processor of its set (auditPlace.h) that has one. In a
 * cluster where nothing is stated, it is the one that the caller supposes. A task without a policy in a cluster where
 * others have one is not judged, nor is one that stands for several.
 *
 * Urgencies are numbers: the lower one is more urgent. Earliest deadlines come before all fixed priorities, fair tasks
 * behind them. A job has two, since some are not known: as one that waits it is taken for less urgent, as one that runs
 * for more urgent than it may be, so what is told is certain.
 */
#ifndef TAC_ANALYSIS_AUDIT_URGENCY_H
#define TAC_ANALYSIS_AUDIT_URGENCY_H

#include "analysis/audit.h"
#include "analysis/auditPlace.h"
#include "trace/scheduling.h"

#define TAC_URGENCY_ALL INT64_MIN  /* more urgent than any: a job that runs is never in the wrong */
#define TAC_URGENCY_NONE INT64_MAX /* less urgent than any: a job that waits is not told */

typedef struct tacTaskUrgency { /* a byte, since there may be very many tasks */
    uint8_t scheduler : 5;      /* tacScheduler; NONE: it is not judged */
    bool timed : 1;             /* some job of the task has a deadline */
    bool nonpreemptive : 1;     /* a job that has started is not preempted */
    bool veiled : 1;            /* it may have any threshold: a job that has started is excused */
} tacTaskUrgency;

typedef struct tacUrgencies {
    const tacTrace *trace;
    tacTaskUrgency *tasks; /* by task */
    int64_t *thresholds;   /* by task: urgency of a job that has started; NULL: ALL where it is not preempted, else as
                              before */
    bool highFirst;        /* the greater priority is the more urgent one */
    int64_t *deadlines;    /* by job, those of taskDeadline; TAC_UNKNOWN: none. NULL: no job has one */
} tacUrgencies;

/* What is supposed of clusters where nothing is stated, and what holds for all. */
typedef struct tacSupposed {
    tacScheduler scheduler;
    bool nonpreemptive; /* where nothing is stated */
    bool thresholds; /* where nothing is stated: each task has the most urgent threshold that its preemptions allow */
    bool highFirst;  /* the greater -priority is the more urgent one */
} tacSupposed;

typedef struct tacClusterPolicy {
    uint8_t scheduler; /* tacScheduler of the tasks, NONE: none is judged */
    bool stated;       /* it is written in the trace */
    bool mixed;        /* tasks have different ones */
    bool differs;      /* some jobs may be more urgent than others */
    bool timed;        /* edf: some jobs have deadlines */
    int64_t first;     /* tacTaskUrgency.fixed of the first task */
    uint32_t nTasks;   /* that are judged and have jobs */
} tacClusterPolicy;

/* Value of -priority from which on tasks are fair, by the setting priority.fair. */
int64_t tacUrgencyFairFrom(const tacStore *store);
/* What the definition of a task states of its policy. */
tacScheduler tacUrgencyOwn(const tacStore *store, uint32_t task, int64_t fairFrom);
/* Finds the policy of each task that has a set or is fair. clusters: by processor, filled in for those that stand for a
 * cluster. False: no memory; tacUrgenciesFree in both cases. */
bool tacUrgenciesFind(tacUrgencies *urgencies, const tacTrace *trace, const tacPlaces *places,
    const tacSupposed *supposed, tacClusterPolicy *clusters);

void tacUrgenciesFree(tacUrgencies *urgencies);

/* Urgency of jobs of a task by fixed priority, or of those without a deadline. */
int64_t tacUrgencyFixed(const tacUrgencies *urgencies, uint32_t task);
/* Urgency of a job (index of tacModel.jobs) that waits, or that runs. started: it has run since it became ready. */
int64_t tacUrgencyWaiting(const tacUrgencies *urgencies, uint32_t job, bool started);
int64_t tacUrgencyRunning(const tacUrgencies *urgencies, uint32_t job, bool started);

#endif
