/*
 * state.h -- the state of the threads and processors of a kernel trace while it is read: shared by the files of this
 * folder that turn records into rows.
 *
 * Functions that are bool are false when there is no memory, or at a limit; k->err says which.
 *
 * Invariants:
 *   1. A thread that is READY, RUNNING, PREEMPTED, BLOCKED or LOST has a job, unless it is `outside`; one that is NEW,
 * SLEEPING or GONE has none.
 *   2. processors[p].current is the pid that runs on p, according to the events up to processors[p].sure: 0 idle,
 * NOBODY unknown. A thread that is RUNNING is `current` of its `processor`, where that is known.
 *   3. Rows may come late: with the time of something that turns out only now. Such a row is never before the last row
 * of its thread (tacKThread.sure), so the rows of a thread are in the order of time.
 *   4. A pointer to a thread is valid until the next thread is made (tacKernelThreadOf, tacKernelNewThread).
 */
#ifndef TAC_IMPORT_KERNEL_STATE_H
#define TAC_IMPORT_KERNEL_STATE_H

#include "import/kernel/tasks.h"

enum {
    TAC_KERNEL_FAIR = 100,       /* priorities from here on are those of the fair scheduler */
    TAC_KERNEL_NOBODY = -2,      /* no pid of a record, which may have none: -1 */
    TAC_KERNEL_PIDS = 1 << 22,   /* the kernel's own bound */
    TAC_KERNEL_PROCESSORS = 8192 /* likewise */
};

/* Is it a fixed real-time priority, as SCHED_FIFO and SCHED_RR have it? */
static inline bool tacKernelIsRealTime(int32_t priority) { return priority >= 0 && priority < TAC_KERNEL_FAIR; }

typedef enum tacKState {
    TAC_K_NEW,
    TAC_K_SLEEPING,
    TAC_K_READY,
    TAC_K_RUNNING,
    TAC_K_PREEMPTED,
    TAC_K_BLOCKED,
    TAC_K_LOST,
    TAC_K_GONE
} tacKState;

/* Why a thread that sleeps is blocked; the first one that fits decides. */
typedef enum tacKRule {
    TAC_RULE_NONE,        /* it is not: it waits for its next job */
    TAC_RULE_DISK,        /* an uninterruptible wait */
    TAC_RULE_FUTEX,       /* within a system call that takes a lock */
    TAC_RULE_INHERITANCE, /* it has just lent its priority */
    TAC_RULE_PRIORITY,    /* the thread that takes the processor has inherited its priority */
    TAC_RULE_COMPARED,    /* the thread that takes the processor is no less urgent; `blocked priority` */
    TAC_RULE_JOB,         /* the mapping says that the job ends elsewhere */
    TAC_RULES
} tacKRule;

typedef struct tacKThread { /* a task: a thread, or a source of interrupts */
    int64_t sure;           /* ns: of its last row, or of the first record */
    int64_t woken;          /* ns: of a wake-up that its state does not explain, or that is not done yet; TAC_UNKNOWN */
    uint64_t lock;          /* address of the futex that the system call takes; 0: none */
    uint32_t mutex;         /* that the system call asks for; object index, or TAC_NONE */
    const tacKernelRule *rule; /* of the mapping; NULL */
    int32_t pid;
    uint32_t nth;                /* its number among the threads that had this pid one after the other, from 1 */
    int32_t processor;           /* where it runs, or ran last; -1 unknown */
    int32_t queue;               /* processor where it was to be woken; -1 unknown */
    int32_t priority;            /* its own; TAC_KERNEL_NO_PRIORITY: not said */
    int32_t effective;           /* by inheritance, or its own */
    int32_t least;               /* the least urgent real-time one that was said; TAC_KERNEL_NO_PRIORITY: none */
    int64_t risen;               /* ns: when it was last seen to be more urgent than before; TAC_UNKNOWN */
    int32_t before;              /* its effective priority until then */
    int32_t lentTo;              /* pid of the thread that has inherited its priority since it runs; NOBODY */
    uint32_t task;               /* object index */
    uint32_t job;                /* object index, or TAC_NONE */
    uint32_t other;              /* of a hidden thread that runs: its job of the task "other threads"; TAC_NONE */
    uint32_t lastJob;            /* between two jobs: the one before; TAC_NONE */
    uint32_t jobs;               /* how many it has had */
    uint32_t name;               /* the last one said, in k->names; TAC_NONE: none */
    uint32_t line;               /* of its first mention */
    uint32_t marks;              /* innermost of the marks that are open: place in k->marks, or TAC_NONE */
    uint32_t call;               /* name of the system call that it is in, a string of the store; TAC_NONE */
    uint32_t callRow;            /* that shows it; TAC_NONE: it is not shown */
    uint32_t blocked[TAC_RULES]; /* times, by rule */
    uint8_t state;               /* tacKState */
    bool waking;                 /* woken, and the wake-up is not done yet */
    bool bare;                   /* a sched_wakeup released it, without a sched_waking: there is no jobReady */
    bool forked;                 /* its fork has been seen, and nothing of it since */
    bool ended;                  /* has exited: its pid may be given to another one */
    uint8_t interrupt;           /* 0, or 1 + kind of interrupt */
    bool outside;                /* by the mapping it is between two jobs: what it does is work between jobs */
} tacKThread;

/* Keeps the least urgent real-time priority that is said of a thread. */
static inline void tacKernelLeast(tacKThread *thread, int32_t priority) {
    if (tacKernelIsRealTime(priority) && priority > thread->least) thread->least = priority;
}

typedef struct tacKHandling { /* an interrupt that is being handled */
    uint32_t thread;          /* place in k->threads */
    int32_t over;             /* pid that it interrupts */
    uint8_t kind;             /* row of interrupt.c */
    bool lost;                /* since a loss it is unknown whether it goes on */
    bool preempted;           /* the thread that it interrupts does not run */
} tacKHandling;

typedef struct tacKLoss {
    int64_t begin, end;
} tacKLoss; /* ns: events of a processor are missing from begin to end */

typedef struct tacKProcessor {
    int64_t sure;         /* ns: of the last event that tells which thread runs here; TAC_UNKNOWN: none */
    int64_t high;         /* ns: largest time met here; INT64_MIN */
    int64_t unknownSince; /* ns; TAC_UNKNOWN: known */
    int64_t unknown;      /* ns in all */
    int32_t current;      /* pid that runs here (invariant 2) */
    uint32_t object;      /* object index */
    uint32_t line;        /* of its first mention; 0: none */
    uint64_t missed, back, losses, lost; /* switches that are missing; records whose time goes back; losses; events in
                                            these, where known */
    uint32_t missedLine, backLine, lossLine; /* of the first */
    int64_t backBy;                          /* ns: how far time went back first */
    bool behind;                             /* time has gone back and not come up to `high` again */
    int64_t lossySince; /* ns: since when events are missing here, more than a switch; before all times: from its
                           beginning on; TAC_UNKNOWN */
    TAC_ARRAY(tacKHandling) handling; /* interrupts under way, innermost last */
} tacKProcessor;

typedef struct tacKMark { /* one that is open */
    uint32_t text;        /* what is shown: a string of the store */
    uint32_t whole;       /* as it stands in the trace, for when it has no end; a string of the store */
    uint32_t row;         /* that shows it; TAC_NONE: its thread is hidden */
    uint32_t next;        /* the one it is in; place in k->marks, TAC_NONE */
} tacKMark;

typedef struct tacKMutex {
    uint32_t holder; /* job that has acquired it; TAC_NONE */
    uint32_t line;   /* of its first mention */
} tacKMutex;

struct tacKernelTasks {
    const tacKernelTarget *target;
    tacStore *store;
    tacDiag *diag;
    tacError *err; /* of the record at hand */
    TAC_ARRAY(tacKThread) threads;
    TAC_ARRAY(uint32_t) ofPid;      /* by pid: place in threads, or TAC_NONE */
    TAC_ARRAY(uint32_t) interrupts; /* by id in interruptNames: place in threads */
    tacInternTable interruptNames, names;
    TAC_ARRAY(tacKProcessor) processors;
    TAC_ARRAY(tacKMark) marks;
    TAC_ARRAY(tacKMutex) mutexes;   /* by object index */
    uint32_t others;                /* the task of all hidden threads; TAC_NONE: there was none yet */
    uint32_t otherJobs;             /* how many it has had */
    uint32_t freeMark;              /* first of the places in marks that are free; TAC_NONE */
    TAC_ARRAY(tacKLoss) losses;     /* when processors were lossy */
    TAC_ARRAY(uint32_t) wokenAgain; /* jobs that were woken while they stood somewhere as far as was known */
    bool understood;                /* there was a record of a kind that means something here */
    bool byPriority;            /* `blocked priority`: the two priorities of a switch tell which threads are blocked */
    bool overwritten;           /* older events have been: where a processor begins, others are missing */
    int64_t first;              /* ns: of the first record; TAC_UNKNOWN */
    int64_t last;               /* ns: of the record before */
    uint32_t line;              /* of the record at hand */
    uint64_t switches, wakeups; /* records; without any wake-up in the trace nothing is missed when a thread runs
                                   without */
    bool wakeupsDone;           /* the trace has the ends of wake-ups, too */
    uint64_t unordered;         /* records whose time lies before that of another processor's */
    uint32_t unorderedLine;
    uint64_t noProcessor; /* records of which is not known where they happened */
    uint64_t strange;     /* with impossible pids */
    uint32_t strangeLine;
};

static inline bool tacKernelIsThread(int32_t pid) { return pid > 0 && pid < TAC_KERNEL_PIDS; }

/* ---- thread.c: threads, jobs and rows ---- */

tacKThread *tacKernelThreadOf(tacKernelTasks *k, int32_t pid); /* made when it is new; NULL: no memory */
/* A task of its own; its place in threads. TAC_NONE: no memory. */
uint32_t tacKernelNewThread(tacKernelTasks *k, int32_t pid, const char *id);
bool tacKernelRenew(tacKernelTasks *k, int32_t pid); /* another thread has this pid from now on */
bool tacKernelLearn(tacKernelTasks *k, tacKThread *thread, const tacKernelThread *said); /* its name and priority */
bool tacKernelHidden(const tacKThread *thread);                                          /* the mapping hides it */
uint16_t tacKernelProcessorObject(const tacKernelTasks *k, int32_t processor); /* as rows name it; TAC_NO_PROCESSOR:
                                                                                  none that was met */
tacKProcessor *tacKernelProcessorOf(tacKernelTasks *k, int32_t number);        /* met; NULL: no memory */
bool tacKernelBeginJob(tacKernelTasks *k, tacKThread *thread);                 /* "pid.n" */
/* A row about the thread's job, not before its last one. processor: -1: none. */
bool tacKernelJobRow(
    tacKernelTasks *k, tacKThread *thread, int64_t time, tacEvent event, uint32_t object, int32_t processor);
bool tacKernelEndJob(tacKernelTasks *k, tacKThread *thread, int64_t time, tacEvent event, uint32_t target);
bool tacKernelRow(
    tacKernelTasks *k, int64_t time, tacEvent event, uint32_t subject, uint32_t object, int32_t processor);
bool tacKernelOption(tacKernelTasks *k, tacOption option, uint32_t string);   /* of the last row; the string may be
                                                                                 TAC_NONE: no memory */
uint32_t tacKernelString(tacKernelTasks *k, const char *text, size_t length); /* TAC_NONE: no memory */
/* Jobs that begin and end where the mapping says: by what the thread in the record's header does. */
bool tacKernelBoundary(tacKernelTasks *k, const tacKernelRecord *record);
bool tacKernelCallReturned(tacKernelTasks *k, tacKThread *thread, int64_t time);
bool tacKernelDefine(tacKernelTasks *k); /* all tasks and processors, at the end */

/* ---- loss.c: gaps ---- */

/* Compares the thread that runs with the one that is known to; *skip: the record is not to be taken. */
bool tacKernelPresent(tacKernelTasks *k, const tacKernelRecord *record, bool *skip);
bool tacKernelUnknown(tacKernelTasks *k, tacKThread *thread, int64_t since); /* its state is unknown since then */
bool tacKernelUnseen(tacKernelTasks *k, tacKThread *thread); /* it was RUNNING, and has left without a switch */
bool tacKernelOver(tacKernelTasks *k, tacKThread *thread, int64_t time); /* its job is over, since an unknown time */
bool tacKernelKnown(tacKernelTasks *k, tacKProcessor *p, int32_t pid, int64_t time); /* pid runs there from now on */
int32_t tacKernelPlace(tacKernelTasks *k, const tacKernelRecord *record); /* the processor where it happened; -1:
                                                                             unknown */
bool tacKernelNeverSeen(tacKernelTasks *k); /* after the last record: processors without any are unknown */
void tacKernelLossRemarks(tacKernelTasks *k);

/* ---- doubt.c: what losses put in doubt ---- */

void tacKernelLossy(tacKProcessor *p); /* events are missing there, since it is not known or from its beginning on */
bool tacKernelLossEnds(tacKernelTasks *k, tacKProcessor *p, int64_t time);
bool tacKernelWokenAgain(tacKernelTasks *k, uint32_t job); /* though it is preempted, as far as is known */
bool tacKernelDoubt(tacKernelTasks *k); /* after the last record: jobs that stood somewhere meanwhile */

/* ---- switch.c: what happens to threads ---- */

bool tacKernelSettleWoken(tacKernelTasks *k, tacKThread *thread);
typedef bool tacKernelHandler(tacKernelTasks *k, const tacKernelRecord *r);
tacKernelHandler tacKernelSwitch, tacKernelWakeup, tacKernelMigrate, tacKernelFork, tacKernelExec, tacKernelExit;

/* ---- block.c: blocked or waiting ---- */

tacKernelHandler tacKernelSetPriority;
/* Of a thread that sleeps: the rule; `next` takes the processor, or NULL. */
tacKRule tacKernelBlockRule(tacKernelTasks *k, const tacKThread *thread, const tacKernelRecord *r, tacKThread *next);
/* The rule as an option of the last row. */
bool tacKernelSayRule(tacKernelTasks *k, const tacKThread *thread, tacKRule rule, const tacKernelRecord *r);
bool tacKernelBlockRemarks(tacKernelTasks *k); /* after the last record */

/* ---- interrupt.c ---- */

tacKernelHandler tacKernelInterrupt, tacKernelInterruptEnd;
bool tacKernelInterruptsLost(tacKernelTasks *k, tacKProcessor *p, int64_t since); /* unknown whether they go on */
bool tacKernelInterruptsOver(tacKernelTasks *k, tacKProcessor *p, int64_t time);  /* those that were lost */
bool tacKernelInterruptsSwitch(tacKernelTasks *k, tacKProcessor *p, const tacKernelRecord *r);
int tacKernelInterruptKind(const tacKThread *thread, int32_t *priority); /* 1 isr, 2 softirq */

/* ---- mark.c ---- */

tacKernelHandler tacKernelMark, tacKernelCall, tacKernelCallEnd, tacKernelKeep;
bool tacKernelKeeps(const tacKernelTasks *k, tacKernelText name); /* is an event of this name kept? */
void tacKernelMarksEnd(tacKernelTasks *k);                        /* those that are still open */

/* ---- mutex.c: mutexes, and the servers of a mapping ---- */

/* What the record says of a futex: the system call takes or gives back a lock; and what the mapping says of it. */
bool tacKernelMutex(tacKernelTasks *k, const tacKernelRecord *record);
bool tacKernelMutexCall(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *record); /* at the call's entry */
bool tacKernelMutexReturn(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *record); /* at its exit */
bool tacKernelServer(tacKernelTasks *k, const tacKernelRecord *record);
bool tacKernelDefineMutexes(tacKernelTasks *k);

#endif
