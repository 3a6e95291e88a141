/*
 * state.h -- the state of the threads and processors of a kernel trace while it is read, shared by the files of this
 * folder that turn records into rows.
 *
 * Functions that are bool are false when there is no memory, or at a limit; k->err says which.
 *
 * Invariants:
 *   1. A thread that is READY, RUNNING, PREEMPTED, BLOCKED or LOST has a job, unless it is `outside`; one that is NEW,
 * SLEEPING or GONE has none.
 *   2. processors[p].current is the pid that runs on p, according to the events up to processors[p].sure: 0 idle,
 * NOBODY unknown. A thread that is RUNNING is `current` of its `processor`, where that is known.
 *   3. A row may come late, with the time of an event that becomes known only now. It is never before the last row of
 * its thread (tacKThread.sure), so the rows of a thread are in the order of time.
 *   4. A pointer to a thread is valid until the next thread is made (tacKernelThreadOf, tacKernelNewThread).
 */
#ifndef TAC_IMPORT_KERNEL_STATE_H
#define TAC_IMPORT_KERNEL_STATE_H

#include "import/kernel/tasks.h"

enum {
    TAC_KERNEL_FAIR = 100,       /* priorities from here on are those of the fair scheduler */
    TAC_KERNEL_NOBODY = -2,      /* instead of a pid; another number than -1, which records without a pid have */
    TAC_KERNEL_ITSELF = -1,      /* instead of a process: that of a thread of the kernel */
    TAC_KERNEL_KTHREADD = 2,     /* the thread that makes all others of the kernel */
    TAC_KERNEL_PIDS = 1 << 22,   /* the kernel's own limit */
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

/* Rule by which a sleeping thread is blocked; the first one that fits decides. */
typedef enum tacKRule {
    TAC_RULE_NONE,        /* it is not blocked: it waits for its next job */
    TAC_RULE_DISK,        /* an uninterruptible wait */
    TAC_RULE_FUTEX,       /* within a system call that takes a lock */
    TAC_RULE_INHERITANCE, /* it has just lent its priority */
    TAC_RULE_PRIORITY,    /* the thread that takes the processor has inherited its priority */
    TAC_RULE_COMPARED,    /* the thread that takes the processor is no less urgent; `blocked priority` */
    TAC_RULE_JOB,         /* the mapping says that the job ends elsewhere */
    TAC_RULE_PROGRAM,     /* its program says so */
    TAC_RULE_BUDGET,      /* a deadline thread within a job: it has used up its budget, or yields */
    TAC_RULES
} tacKRule;

typedef struct tacKThread { /* a task: a thread, or a source of interrupts */
    int64_t sure;           /* ns: of its last row, or of the first record */
    int64_t woken;          /* ns: of a wake-up that its state does not explain, or that is not done yet; TAC_UNKNOWN */
    uint64_t lock;          /* address of the futex that its system call takes; 0: none */
    uint32_t mutex;         /* mutex that its system call asks for; object index, or TAC_NONE */
    const tacKernelRule *rule; /* of the mapping; NULL */
    int32_t pid;
    int32_t process;             /* number of its process, or ITSELF; 0: not known */
    uint32_t nth;                /* its number among the threads that had this pid one after the other, from 1 */
    int32_t processor;           /* on which it runs, or ran last; -1 unknown */
    int32_t queue;               /* processor to which it was woken; -1 unknown */
    int32_t priority;            /* its own; TAC_KERNEL_NO_PRIORITY: not known */
    int32_t effective;           /* inherited priority, or its own */
    int32_t least;               /* the least urgent real-time priority so far; TAC_KERNEL_NO_PRIORITY: none */
    int64_t risen;               /* ns: time when it was last seen to be more urgent than before; TAC_UNKNOWN */
    int32_t before;              /* its effective priority until then */
    int32_t lentTo;              /* pid of the thread that has inherited its priority since it runs; NOBODY */
    uint32_t task;               /* object index */
    uint32_t job;                /* object index, or TAC_NONE */
    uint32_t other;              /* of a hidden thread that runs: its job of the task "other threads"; TAC_NONE */
    uint32_t lastJob;            /* between two jobs: the one before; TAC_NONE */
    uint32_t jobs;               /* number of its jobs so far */
    uint32_t name;               /* its last name, in k->names; TAC_NONE: none */
    uint32_t line;               /* of its first mention */
    uint32_t marks;              /* innermost of the marks that are open: place in k->marks, or TAC_NONE */
    uint32_t said;               /* what its program says, place in k->said; TAC_NONE */
    uint32_t number;             /* of its job, as its program says */
    uint32_t awaited;            /* the job for which its job waits, as its program says; TAC_NONE */
    uint32_t call;               /* name of the system call that it is in, a string of the store; TAC_NONE */
    uint32_t callRow;            /* row of the call; TAC_NONE: it is not shown */
    uint32_t urgent;             /* what is known of a real-time or deadline thread: place in k->urgent; TAC_NONE */
    uint32_t blocked[TAC_RULES]; /* number of times, by rule */
    uint8_t state;               /* tacKState */
    bool waking;                 /* it is woken, and the wake-up is not done yet */
    bool bare;                   /* a sched_wakeup released it, without a sched_waking: there is no jobReady */
    bool forked;                 /* its fork has been seen, and nothing of it since */
    bool ended;                  /* has exited: its pid may be given to another one */
    uint8_t side;                /* tacKernelSide */
    uint8_t interrupt;           /* 0, or 1 + kind of interrupt */
    bool outside;                /* it is between two jobs, as the mapping says: its running is work between jobs */
    bool spent;                  /* SLEEPING or BLOCKED until the budget of a deadline thread is replenished */
} tacKThread;

typedef struct tacKUrgent { /* real-time or deadline thread that has run (deadline.c) */
    int64_t entered;        /* ns: time when it took its processor; TAC_UNKNOWN */
    int64_t ran;            /* ns: execution of its job up to its leaving */
    int64_t slice;          /* ns: execution since it last went to the end of its queue */
    int64_t replenished;    /* ns: last replenishment since it slept; TAC_UNKNOWN: none */
    int64_t period;         /* ns: shortest time between two replenishments; TAC_UNKNOWN */
    uint32_t periods;       /* number of times that are about as short */
    int64_t queued;         /* ns: time of the event that told of its last replenishment; TAC_UNKNOWN */
    int64_t least;          /* ns: shortest execution of a job that ended without budget; TAC_UNKNOWN */
    uint32_t leftRow;       /* row of its leaving, when it is in doubt whether its job is over; TAC_NONE */
    int32_t queue;          /* processor in whose queue it is when preempted; -1 */
    bool certain;           /* the time of the last replenishment is not computed */
    bool roundRobin;        /* it has left at the end of a slice */
    bool throttled;         /* an event says that its budget is used up, and it still runs */
    bool yielding;          /* it is in a call of sched_yield, and has not left its processor yet */
} tacKUrgent;

/* Do the thread's jobs begin and end as its program says? */
static inline bool tacKernelProgramTells(const tacKThread *thread) {
    return thread->said != TAC_NONE && thread->rule && thread->rule->boundary == TAC_BOUNDARY_PROGRAM;
}

/* Keeps the least urgent real-time priority of a thread. */
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
    int64_t backBy;                          /* ns by which time went back the first time */
    bool runsProgram;                        /* a thread of a recorded program has run here */
    bool behind;                             /* time went back and has not come up to `high` again */
    int64_t lossySince; /* ns: beginning of an open loss of more than a switch; before all times: that of the trace;
                           TAC_UNKNOWN: none */
    TAC_ARRAY(tacKHandling) handling; /* interrupts under way, innermost last */
    TAC_ARRAY(uint32_t) doubted;      /* places of deadline threads that left here, some of them in doubt */
    uint32_t timer;  /* timer of a budget that expired here last, and replenished no thread yet; TAC_NONE */
    int64_t expired; /* ns: time when it did */
} tacKProcessor;

typedef struct tacKMark { /* a mark that is open */
    uint32_t text;        /* shown text: a string of the store */
    uint32_t row;         /* of the annotation, behind that of its message; TAC_NONE: its thread is hidden */
    uint32_t next;        /* the mark around it; place in k->marks, TAC_NONE */
} tacKMark;

typedef struct tacKMutex {
    uint32_t holder; /* job that holds it; TAC_NONE */
    uint32_t line;   /* of its first mention */
} tacKMutex;

typedef struct tacKSaidJob {
    uint32_t job, number; /* object index; its number as the program has it */
} tacKSaidJob;

typedef struct tacKSaid { /* what a program says of a thread */
    tacKernelSaidTask *task;
    TAC_ARRAY(tacKSaidJob) waiting; /* jobs that have arrived, and wait for the thread's present one */
} tacKSaid;

typedef struct tacKSide {
    uint8_t side;    /* tacKernelSide */
    int32_t process; /* 0: not told */
} tacKSide;

typedef struct tacKTimer { /* that replenishes the budget of a deadline thread */
    uint32_t thread;       /* place in k->threads; TAC_NONE: not known */
    uint32_t votes;        /* number of times that it was followed by this thread */
} tacKTimer;

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
    TAC_ARRAY(tacKMutex) mutexes; /* by object index */
    TAC_ARRAY(tacKSaid) said;
    TAC_ARRAY(tacKUrgent) urgent;
    tacInternTable timerAddresses; /* 8 bytes each; id: place in timers */
    TAC_ARRAY(tacKTimer) timers;
    tacInternTable saidPids;                /* 4 bytes each; id: place in said */
    TAC_ARRAY(tacKSide) sides;              /* of threads of which it was told */
    tacInternTable sidePids;                /* 4 bytes each; id: place in sides */
    int32_t newThread, newProcess;          /* thread that was made last, where its flags were told, and its process */
    uint32_t others;                        /* the task of all hidden threads; TAC_NONE: there was none yet */
    uint32_t otherJobs;                     /* number of its jobs */
    uint32_t freeMark;                      /* first of the free places in marks; TAC_NONE */
    uint32_t fromMark, fromCall, fromEntry; /* the words of -from of an annotation: strings of the store */
    TAC_ARRAY(tacKLoss) losses;             /* times when events of some processor were lost */
    TAC_ARRAY(uint32_t) wokenAgain;         /* jobs that were woken while preempted, as far as was known */
    bool understood;                        /* there was a record of a kind that is used here */
    bool byPriority;            /* `blocked priority`: the two priorities of a switch tell which threads are blocked */
    bool overwritten;           /* older events were overwritten: they are missing before each processor's first */
    int64_t first;              /* ns: of the first record; TAC_UNKNOWN */
    int64_t last;               /* ns: largest time so far */
    int64_t now;                /* ns: of the record at hand */
    uint32_t line;              /* of the record at hand */
    uint64_t switches, wakeups; /* records; where a trace has no wake-ups at all, none is missing before a switch */
    bool wakeupsDone;           /* the trace has the ends of wake-ups, too */
    uint32_t yield;             /* "sched_yield": a string of the store */
    bool yieldsTold;            /* the trace has calls of sched_yield */
    uint64_t spent, turned;     /* jobs that ended in state R: of deadline threads, of real-time threads */
    uint64_t unordered;         /* records whose time lies before that of another processor's */
    uint32_t unorderedLine;
    uint64_t noProcessor; /* records whose processor is not known */
    uint64_t strange;     /* records with impossible pids or processors */
    uint32_t strangeLine;
};

static inline bool tacKernelIsThread(int32_t pid) { return pid > 0 && pid < TAC_KERNEL_PIDS; }

/* ---- thread.c: threads, jobs and rows ---- */

tacKThread *tacKernelThreadOf(tacKernelTasks *k, int32_t pid); /* made when it is new; NULL: no memory */
/* Makes a thread, a task of its own. Returns its place in threads; TAC_NONE: no memory. */
uint32_t tacKernelNewThread(tacKernelTasks *k, int32_t pid, const char *id);
/* Gives the pid to another thread from now on. */
bool tacKernelRenew(tacKernelTasks *k, int32_t pid);
/* Takes the thread's name and priority from a record. */
bool tacKernelLearn(tacKernelTasks *k, tacKThread *thread, const tacKernelThread *said);
/* Does the mapping hide the thread? */
bool tacKernelHidden(const tacKThread *thread);
/* Index of a processor for rows; TAC_NO_PROCESSOR: it was not met. */
uint16_t tacKernelProcessorObject(const tacKernelTasks *k, int32_t processor);
/* The processor of this number, which counts as met from now on; NULL: no memory. */
tacKProcessor *tacKernelProcessorOf(tacKernelTasks *k, int32_t number);
bool tacKernelBeginJob(tacKernelTasks *k, tacKThread *thread); /* "pid.n" */
/* Adds a row about the thread's job, not before its last row. processor -1: none. */
bool tacKernelJobRow(
    tacKernelTasks *k, tacKThread *thread, int64_t time, tacEvent event, uint32_t object, int32_t processor);
bool tacKernelEndJob(tacKernelTasks *k, tacKThread *thread, int64_t time, tacEvent event, uint32_t target);
bool tacKernelRow(
    tacKernelTasks *k, int64_t time, tacEvent event, uint32_t subject, uint32_t object, int32_t processor);
/* Adds an option to the last row. The string may be TAC_NONE: no memory. */
bool tacKernelOption(tacKernelTasks *k, tacOption option, uint32_t string);

/* Ends and begins the job of the record's current thread where the mapping says so. */
bool tacKernelBoundary(tacKernelTasks *k, const tacKernelRecord *record);
/* Begins a job of a thread that runs already. */
bool tacKernelBeginHere(tacKernelTasks *k, tacKThread *thread, int64_t time);
/* Begins the next job if the system call that ended the last one has returned without waiting. */
bool tacKernelCallReturned(tacKernelTasks *k, tacKThread *thread, int64_t time);
bool tacKernelDefine(tacKernelTasks *k); /* all tasks and processors, at the end */

/* ---- loss.c: gaps ---- */

/* Compares the thread that runs with the one that is known to run; *skip: the record is left out. */
bool tacKernelPresent(tacKernelTasks *k, const tacKernelRecord *record, bool *skip);
/* The thread's state is unknown since then. */
bool tacKernelUnknown(tacKernelTasks *k, tacKThread *thread, int64_t since);
/* The thread was RUNNING, and has left its processor without a switch. */
bool tacKernelUnseen(tacKernelTasks *k, tacKThread *thread);
/* The thread's job is over, since an unknown time before `time`. */
bool tacKernelOver(tacKernelTasks *k, tacKThread *thread, int64_t time);
/* The pid runs on the processor from now on. */
bool tacKernelKnown(tacKernelTasks *k, tacKProcessor *p, int32_t pid, int64_t time);
/* The processor of the record; -1: unknown. */
int32_t tacKernelPlace(tacKernelTasks *k, const tacKernelRecord *record);
/* After the last record: processors without any are unknown. */
bool tacKernelNeverSeen(tacKernelTasks *k);
void tacKernelLossRemarks(tacKernelTasks *k);

/* ---- doubt.c: jobs in doubt after losses ---- */

/* Begins a loss: events of the processor are missing since it is unknown, or from its beginning on. */
void tacKernelLossy(tacKProcessor *p);
bool tacKernelLossEnds(tacKernelTasks *k, tacKProcessor *p, int64_t time);
/* The job is woken, though it is preempted as far as is known. */
bool tacKernelWokenAgain(tacKernelTasks *k, uint32_t job);
/* After the last record: adds rows for the jobs that stood somewhere during a loss. */
bool tacKernelDoubt(tacKernelTasks *k);
/* After the last record, if none told of switches: makes unknown which threads ran. */
bool tacKernelUnswitched(tacKernelTasks *k);

/* ---- switch.c: events of threads ---- */

/* Settles a wake-up that the state of a LOST thread did not explain: it has released the next job. */
bool tacKernelSettleWoken(tacKernelTasks *k, tacKThread *thread);
typedef bool tacKernelHandler(tacKernelTasks *k, const tacKernelRecord *r);
tacKernelHandler tacKernelSwitch, tacKernelWakeup, tacKernelMigrate, tacKernelNew, tacKernelFork, tacKernelExec,
    tacKernelExit;

/* Takes the process of the current thread, which the record gives. */
void tacKernelProcess(tacKernelTasks *k, const tacKernelRecord *r);

/* The thread's wake-up is done, or its budget is replenished within a job: it stands in its processor's queue. */
bool tacKernelIsReady(tacKernelTasks *k, tacKThread *thread, int64_t time);
/* A waiting is over: the thread's next job arrives, unless the mapping begins jobs elsewhere. */
bool tacKernelReleased(tacKernelTasks *k, tacKThread *thread, int64_t time, int32_t processor);

/* ---- deadline.c: jobs that end in state R ---- */

/* Is it a priority of SCHED_FIFO, SCHED_RR or SCHED_DEADLINE? */
static inline bool tacKernelIsUrgent(int32_t priority) {
    return priority < TAC_KERNEL_FAIR && priority != TAC_KERNEL_NO_PRIORITY;
}
/* Does the thread wait for the replenishment of its budget? */
static inline bool tacKernelIsSpent(const tacKThread *thread) {
    return thread->spent && (thread->state == TAC_K_SLEEPING || thread->state == TAC_K_BLOCKED);
}
/* A real-time or deadline thread takes its processor. */
bool tacKernelUrgentEnters(tacKernelTasks *k, tacKThread *thread, int64_t time);
/* It calls sched_yield, or returns from that. */
void tacKernelYields(tacKernelTasks *k, const tacKThread *thread);
bool tacKernelYielded(tacKernelTasks *k, tacKThread *thread, int64_t time);
/* It is released by a wake-up, or has yielded. */
void tacKernelUrgentReleased(tacKernelTasks *k, tacKThread *thread);
/* It leaves its processor; next: the thread that takes it, or NULL; target: that one's job. *done: it is not preempted,
 * and does not sleep, and its rows are added. */
bool tacKernelUrgentLeaves(tacKernelTasks *k, tacKThread *thread, const tacKThread *next, const tacKernelRecord *r,
    uint32_t target, bool *done);
/* The thread that takes the processor by this switch may be less urgent than deadline threads that left here. */
void tacKernelLessUrgentRuns(tacKernelTasks *k, int32_t number, const tacKernelRecord *r);
/* Its state is unknown. */
void tacKernelUrgentLost(tacKernelTasks *k, const tacKThread *thread);
/* A thread without budget takes a processor, or migrates to it. */
bool tacKernelReplenished(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, int32_t processor);
/* The same without an event that tells it: the thread runs. */
bool tacKernelReplenishedUnseen(tacKernelTasks *k, tacKThread *thread, int64_t time, int32_t processor);
/* A preempted thread takes a processor, or migrates to it. */
bool tacKernelBack(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, int32_t processor);
/* A timer expires, perhaps one that replenishes a budget. */
tacKernelHandler tacKernelTimer;
/* Is it the name of an event of budgets, sched_dl_throttle... or sched_dl_replenish...? */
bool tacKernelIsBudget(tacKernelText name);
tacKernelHandler tacKernelBudget;
void tacKernelUrgentRemarks(tacKernelTasks *k); /* after the last record */

/* ---- block.c: blocked or waiting ---- */

tacKernelHandler tacKernelSetPriority;
/* The rule by which a thread that goes to sleep is blocked; next: the thread that takes the processor, or NULL. */
tacKRule tacKernelBlockRule(tacKernelTasks *k, const tacKThread *thread, const tacKernelRecord *r, tacKThread *next);
/* Adds the rule as an option of the last row. */
bool tacKernelSayRule(tacKernelTasks *k, const tacKThread *thread, tacKRule rule, const tacKernelRecord *r);
bool tacKernelBlockRemarks(tacKernelTasks *k); /* after the last record */

/* ---- interrupt.c ---- */

tacKernelHandler tacKernelInterrupt, tacKernelInterruptEnd;
/* The processor is unknown since then: its interrupts may be over or go on. */
bool tacKernelInterruptsLost(tacKernelTasks *k, tacKProcessor *p, int64_t since);
/* Ends the interrupts that were lost. */
bool tacKernelInterruptsOver(tacKernelTasks *k, tacKProcessor *p, int64_t time);
bool tacKernelInterruptsSwitch(tacKernelTasks *k, tacKProcessor *p, const tacKernelRecord *r);
int tacKernelInterruptKind(const tacKThread *thread, int32_t *priority); /* 1 isr, 2 softirq */

/* ---- mark.c ---- */

tacKernelHandler tacKernelMark, tacKernelCall, tacKernelCallEnd, tacKernelKeep;
/* Adds the message of a mark that is not drawn. */
bool tacKernelHideMark(tacKernelTasks *k, const tacKThread *thread, const tacKernelRecord *r);
/* Keeps an event that has a meaning of its own, if it is to be. */
bool tacKernelKeepWords(tacKernelTasks *k, const tacKernelRecord *r);
/* Is an event of this name kept, though it has a meaning of its own? */
bool tacKernelNames(const tacKernelTasks *k, tacKernelText name);
/* Is an event of this name kept? */
bool tacKernelKeeps(const tacKernelTasks *k, tacKernelText name);
/* After the last record: ends the marks and system calls that are still open. */
void tacKernelMarksEnd(tacKernelTasks *k);

/* ---- said.c: what programs say of their threads ---- */

tacKernelHandler tacKernelSaid;
/* Place in k->said of what is said of a new thread with this pid and task; TAC_NONE: nothing. */
uint32_t tacKernelSaidOf(tacKernelTasks *k, int32_t pid, uint32_t task);
/* Side of the thread that has this pid now, as far as is known. */
tacKernelSide tacKernelSideOf(const tacKernelTasks *k, int32_t pid);
/* Process of a thread that was there at the beginning, as far as it was told; 0: it was not. */
int32_t tacKernelProcessTold(const tacKernelTasks *k, int32_t pid);

/* ---- mutex.c: mutexes, and the servers of a mapping ---- */

/* Acquires or releases a mutex as the mapping says, or by an inherited priority. */
bool tacKernelMutex(tacKernelTasks *k, const tacKernelRecord *record);
bool tacKernelMutexCall(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *record); /* at the call's entry */
bool tacKernelMutexReturn(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *record); /* at its exit */
bool tacKernelSaidMutex(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *record); /* as its program says */
bool tacKernelServer(tacKernelTasks *k, const tacKernelRecord *record);
bool tacKernelDefineMutexes(tacKernelTasks *k);

#endif
