/*
 * auditPriority.c -- priority and deadline inversions: a job waits while a less urgent one runs on a processor where it
 * could run.
 *
 *      inversion   `job` is ready from begin to end, `other` runs on `processor`, and no mutex explains it
 *      deadline    the same, by the order of absolute deadlines
 *      preempted   the same; only by its preemption threshold is `job` more urgent than `other`
 *      order       the same; both are as urgent (fifo), and `job` is ready for a longer time
 *
 *      latency     where a running system was recorded: `count` inversions in which `other` ran already when `job`
 *                  became ready, none longer than tacFacts.latency, the longest one from begin to end. No decision was
 *                  wrong, but switching takes time
 *
 *      unbounded   `job` is blocked on `mutex`, and the job at the end of its chain (the holder, or the holder of the
 *                  mutex that this one waits for, and so on) is ready but does not run, since `other` does, which is
 *                  less urgent than `job` and not in the chain
 *
 *      blocking    the inversions of `task` that are explained by `mutex`, which the job that ran held: `count` of
 *                  them, the longest from begin to end (`job` waited for `other`), `amount` long, `limit` in all
 *
 *      stated      the policy of a cluster by which `count` decisions were judged, as the trace states it:
 *                  `scheduler`, or none where tasks have different ones; `inversions` were found, and `ties`: changes
 *                  after which a job waited for one that was as urgent, of another task
 *
 *      supposed    the same, as it was supposed (tacFacts.scheduler)
 *
 * Where tasks can run is found by auditPlace, how urgent they are by auditUrgency. Interrupts (-kind isr, softirq) are
 * never in the wrong, nor is the job below one while it is handled, and they do not wait for a processor. A job whose
 * server (tacServersOfTasks) has no budget is not ready. A ready job may have to wait for any job that holds a mutex:
 * directly, by inheritance, by a ceiling, or because critical sections are not preempted. A job that is blocked on a
 * mutex has to wait only for those in its chain, and for mutexes that tasks as urgent as itself use (their ceiling).
 *
 * Of all jobs that wait for the same set of processors, the most urgent one makes a fact, with the least urgent one
 * that runs there.
 *
 * The sweep goes over all changes (auditWait.h) and looks at what has changed, instant by instant. Heaps say which job
 * comes first, so an instant costs the logarithm of what is going on, for each set that the processor is in:
 *
 *      queue      jobs that wait for one set of processors on the budget of one server (or of none)
 *      set        its queues that have a budget; the processors of it on which jobs run
 *      processor  jobs that run there, apart for those that hold a mutex and those that do not
 *      mutex      jobs that are blocked on it, by what they are or what waits for them (their claim)
 *      job        mutexes that it holds, by the first claim on each
 *
 * Thresholds and the order of fifo are judged when a job begins to run, since they are about who was there before: what
 * comes later than a job that has started meets its threshold, which is compared as all urgencies are. Within an
 * instant the order of the file tells that (wasReady).
 */
#include "base/port.h"

#include "analysis/auditUrgency.h"
#include "analysis/auditWait.h"
#include "base/heap.h"
#include "base/sort.h"
#include "model/jobTimes.h"
#include "model/query.h"

enum {
    READY = 1,
    RUNNING = 2,
    BLOCKED = 4, /* Job.state */
    MANY = 64,   /* most links of a chain, mutexes of a job looked at */
    FEW = 4,     /* least links of an express */
    LASTS = 256, /* levels of jobs that wait */
    FREE = 0,
    HOLDING = 1,
    KINDS = 2, /* of running jobs: without and with a mutex */
    WAITING = 0,
    HEIRS = 1, /* of a queue: its jobs; those others are blocked by */
    NOWHERE = 0,
    IN_QUEUE,
    ON_PROCESSOR,
    ON_MUTEX, /* Job.place */
    RAN = 1,
    WAS_BLOCKED = 2 /* Job.glimpse */
};

typedef struct Job {     /* one that is ready, runs, is blocked, or holds a mutex; in a slot that is used again */
    int64_t urgency;     /* as it waits or runs, in its place */
    uint32_t since : 31; /* when it became ready, first or after it was blocked: number of the instant */
    uint32_t sudden : 1; /* it ran as soon as it was not blocked: it may have been ready before `since` */
    uint32_t job;        /* index of tacModel.jobs */
    int64_t claim;       /* ON_MUTEX: urgency of the most urgent job that waits for this one, or its own */
    union {
        uint32_t claimant; /* ON_MUTEX: that most urgent job, index of tacModel.jobs */
        uint32_t heir;     /* IN_QUEUE: index of Sweep.heirs, TAC_NONE: it is none */
        uint32_t began;    /* ON_PROCESSOR: when it began to run, number of the instant */
    };
    uint32_t held;   /* mutex it acquired last and holds; then Mutex.next; TAC_NONE */
    uint32_t claims; /* heap of the mutexes that it holds and others are blocked on */
    union {
        uint32_t wants; /* BLOCKED: mutex it is blocked on, TAC_NONE */
        uint32_t pairs; /* `paired`: processors where it waits for a job that began to run: first one of Pair.next */
    };
    uint32_t filed;     /* its queue, processor or mutex, by its place; of an unused slot: the next one, TAC_NONE */
    uint16_t processor; /* where it runs; READY: where it runs next, TAC_NO_PROCESSOR: not known */
    uint8_t state : 3, before : 3; /* bits, now and before this instant */
    uint8_t place : 2;
    bool started : 1;    /* has run since it became ready */
    bool touched : 1;    /* in Sweep.touched */
    bool holding : 1;    /* ON_PROCESSOR: in the heap of those that hold a mutex */
    bool alone : 1;      /* ON_MUTEX: no other job waits for the holder of its mutex */
    bool passed : 1;     /* on Sweep.express */
    bool paired : 1;     /* IN_QUEUE: the culprit of a pair runs */
    uint8_t glimpse : 2; /* for no time at this instant: it WAS_BLOCKED, it RAN after that; 0: neither */
} Job;
_Static_assert(sizeof(Job) == 48, "what heaps compare is within a line of a cache");

typedef struct Heir { /* a job in a queue that others are blocked by */
    tacHeapNode node; /* in its queue, by the first claim on it */
    uint32_t slot;    /* of an unused one: the next one, TAC_NONE */
} Heir;

typedef struct Express { /* links of a chain of which each is alone: changes of what waits for it are taken over it at
                            once */
    uint32_t from, to;   /* slots of its first and its last job; from TAC_NONE: there is none */
    uint32_t claimant;   /* the most urgent of its jobs, the last one of them */
    int n;               /* jobs */
    int64_t claim;       /* urgency of that */
    int64_t passed;      /* the claim that was taken over it last, and its claimant */
    uint32_t passer;
    bool stale; /* that is not in the claims of its jobs, but for the last */
} Express;

typedef struct Mutex {
    uint32_t holder;       /* job's slot, TAC_NONE */
    uint32_t next, before; /* mutexes that it acquired before this one, and after it; TAC_NONE */
    uint32_t waiters;      /* heap of slots: the claim of the first one is that on the mutex */
    uint32_t crown;        /* the most urgent task that ever holds it, TAC_NONE */
} Mutex;

typedef struct Queue {
    uint32_t set, server; /* server TAC_NONE: none */
    uint32_t next;        /* queue of the same server, TAC_NONE */
    uint32_t heaps[2];    /* WAITING: slots, HEIRS: indices of Sweep.heirs */
    uint32_t first[2];    /* the first of each, as the set knows them; TAC_NONE: it is not among the set's queues */
    int64_t urgency[2];   /* of those */
    uint32_t since[2];
    bool changed; /* in Sweep.changedQueues */
} Queue;

typedef struct Processor {
    uint32_t heaps[KINDS];  /* slots */
    uint32_t first[KINDS];  /* as the sets know them, TAC_NONE */
    int64_t urgency[KINDS]; /* of those */
    uint32_t interrupts;    /* that are handled now */
    bool changed;           /* in Sweep.changedProcessors */
} Processor;

typedef struct Stretch { /* an inversion under way; victim TAC_NONE: none */
    int64_t begin;
    uint32_t victim, culprit, mutex; /* indices of tacModel.jobs; mutex TAC_NONE: nothing explains it */
    uint32_t processor;
    bool latent;      /* the culprit ran already when the victim became ready */
    const char *fact; /* NULL: blocking */
} Stretch;

typedef struct Set {
    uint32_t queues[2];      /* heaps of queues */
    uint32_t members[KINDS]; /* heaps of members: its processors on which jobs run */
    Stretch inversion, excused, chain;
    bool changed; /* in Sweep.changedSets */
} Set;

typedef struct Member { /* a processor of a set */
    uint32_t set, processor;
} Member;

typedef struct Pair { /* by processor: the job that began to run there, and one that should have; victim TAC_NONE: none
                       */
    Stretch stretch;
    uint32_t victim;       /* slot */
    uint32_t culprit;      /* slot */
    uint32_t next, before; /* other processors of the victim, TAC_NONE */
} Pair;

typedef struct Blocking { /* the inversions of a task that are explained by a mutex */
    uint32_t task, mutex;
    int64_t count, length, longest;
    Stretch stretch; /* the longest */
} Blocking;

typedef TAC_ARRAY(uint32_t) Indices;

typedef struct Sweep {
    const tacTrace *trace;
    const tacModel *model;
    tacFacts *facts;
    tacPlaces places;
    tacUrgencies urgencies;
    tacClusterPolicy *policies;        /* by processor that stands for a cluster */
    int64_t *decisions, *found, *ties; /* by the same: jobs that began to run, inversions, ties */
    uint32_t nClusters, nLost;         /* clusters that are judged; those with more than tacFacts.most inversions */
    uint32_t *slots;                   /* by index of tacModel.jobs: its slot, TAC_NONE */
    TAC_ARRAY(Job) jobs;               /* by slot */
    tacHeapNode *jobNodes; /* by slot: in its place, among those that wait in its queue, run on its processor, are
                            * blocked on its mutex */
    size_t nNodes;
    uint32_t unused; /* first slot that is free, TAC_NONE */
    TAC_ARRAY(Heir) heirs;
    uint32_t unusedHeir; /* first one, TAC_NONE */
    tacHeapNode *mutexNodes, *queueNodes[2], *memberNodes[KINDS];
    Mutex *mutexes;
    uint32_t *queueOf; /* by task, TAC_NONE */
    uint32_t *queueAt; /* by processor: of tasks that float; NULL: none does */
    TAC_ARRAY(Queue) queues;
    uint32_t *served; /* by server: its first queue */
    bool *empty;      /* by server: it has no budget now */
    Set *sets;
    Member *members;       /* by processor */
    uint32_t *firstMember; /* by processor; those of p end at firstMember[p + 1] */
    Processor *processors;
    Pair *pairs;                                           /* by processor */
    tacInternTable blocked;                                /* names are a task and a mutex */
    TAC_ARRAY(Blocking) blockings;                         /* by name */
    Indices touched;                                       /* slots of jobs that have changed at this instant */
    Indices changedQueues, changedProcessors, changedSets; /* those that are to be looked at */
    uint32_t nTasks, nMutexes, nServers, nSets, nProcessors;
    Blocking latency;      /* task and mutex are not used */
    uint32_t lasts[LASTS]; /* slots of jobs that were put into a queue last, by levelOf */
    Express express;
    uint32_t walked; /* slot where the last chain began that was walked to the end of its lone links, TAC_NONE */
    int64_t now;
    uint32_t instant; /* number of this one, of all at which something changes */
    int64_t lasting;  /* ceiling of the tasks of which jobs are blocked to the end, on mutexes or something else */
    bool recorded;    /* tacSchedulingRecorded */
    bool failed;      /* no memory */
} Sweep;

/* ---- heaps --------------------------------------------------------------------------------------------------------
 */

static bool waitsBefore(const void *data, uint32_t left, uint32_t right) {
    const Sweep *s = data;
    const Job *a = &s->jobs.at[left], *b = &s->jobs.at[right];
    if (a->urgency != b->urgency) return a->urgency < b->urgency;
    return a->since != b->since ? a->since < b->since : a->job < b->job;
}

static bool runsBefore(const void *data, uint32_t left, uint32_t right) {
    const Sweep *s = data;
    const Job *a = &s->jobs.at[left], *b = &s->jobs.at[right];
    return a->urgency != b->urgency ? a->urgency > b->urgency : a->job < b->job;
}

static bool claimsBefore(const void *data, uint32_t left, uint32_t right) {
    const Sweep *s = data;
    const Job *a = &s->jobs.at[left], *b = &s->jobs.at[right];
    return a->claim != b->claim ? a->claim < b->claim : a->job < b->job;
}

/* The first of the jobs that wait for one that holds mutexes: its claim is the most urgent one. NULL: none waits. */
static inline const Job *firstWaiter(const Sweep *s, const Job *holder) {
    return holder->claims == TAC_NONE ? NULL : &s->jobs.at[s->mutexes[holder->claims].waiters];
}

static bool heirBefore(const void *data, uint32_t left, uint32_t right) {
    const Sweep *s = data;
    const Job *a = &s->jobs.at[s->heirs.at[left].slot], *b = &s->jobs.at[s->heirs.at[right].slot];
    int64_t first = firstWaiter(s, a)->claim, second = firstWaiter(s, b)->claim;
    return first != second ? first < second : a->job < b->job;
}

static bool mutexBefore(const void *data, uint32_t left, uint32_t right) {
    const Sweep *s = data;
    const Job *a = &s->jobs.at[s->mutexes[left].waiters], *b = &s->jobs.at[s->mutexes[right].waiters];
    return a->claim != b->claim ? a->claim < b->claim : left < right;
}

static bool queueBefore(const Sweep *s, int which, uint32_t left, uint32_t right) {
    const Queue *a = &s->queues.at[left], *b = &s->queues.at[right];
    if (a->urgency[which] != b->urgency[which]) return a->urgency[which] < b->urgency[which];
    return a->since[which] != b->since[which] ? a->since[which] < b->since[which] : left < right;
}
static bool waitingBefore(const void *data, uint32_t a, uint32_t b) { return queueBefore(data, WAITING, a, b); }
static bool heirsBefore(const void *data, uint32_t a, uint32_t b) { return queueBefore(data, HEIRS, a, b); }

static bool memberBefore(const Sweep *s, int which, uint32_t left, uint32_t right) {
    int64_t a = s->processors[s->members[left].processor].urgency[which];
    int64_t b = s->processors[s->members[right].processor].urgency[which];
    return a != b ? a > b : s->members[left].processor < s->members[right].processor;
}
static bool freeBefore(const void *data, uint32_t a, uint32_t b) { return memberBefore(data, FREE, a, b); }
static bool holdingBefore(const void *data, uint32_t a, uint32_t b) { return memberBefore(data, HOLDING, a, b); }

/* Adds a thing to a heap, or removes it. */
static inline void put(tacHeapKind kind, uint32_t *heap, uint32_t thing, bool in) {
    if (in && *heap == TAC_NONE) *heap = thing;
    else *heap = in ? tacHeapAdd(&kind, *heap, thing) : tacHeapRemove(&kind, *heap, thing);
}

/* Kinds of heaps: of jobs by an order of these, and of others by their nodes. */
static inline tacHeapKind jobHeap(const Sweep *s, bool (*before)(const void *, uint32_t, uint32_t)) {
    return (tacHeapKind){s->jobNodes, sizeof *s->jobNodes, before, s};
}
static inline tacHeapKind heirHeap(const Sweep *s) {
    return (tacHeapKind){&s->heirs.at->node, sizeof(Heir), heirBefore, s};
}
static inline tacHeapKind heapOf(const Sweep *s, tacHeapNode *nodes, bool (*before)(const void *, uint32_t, uint32_t)) {
    return (tacHeapKind){nodes, sizeof *nodes, before, s};
}

/* ---- sets ---------------------------------------------------------------------------------------------------------
 */

/* Notes that something is to be looked at. */
static inline void mark(Sweep *s, Indices *indices, bool *changed, uint32_t index) {
    if (*changed) return;
    *changed = true;
    s->failed |= !tacArrayPush(indices, index);
}
static void markSet(Sweep *s, uint32_t set) { mark(s, &s->changedSets, &s->sets[set].changed, set); }
static void markQueue(Sweep *s, uint32_t queue) { mark(s, &s->changedQueues, &s->queues.at[queue].changed, queue); }
static void markProcessor(Sweep *s, uint32_t processor) {
    mark(s, &s->changedProcessors, &s->processors[processor].changed, processor);
}

/* Tells the set of a queue which job is the first of its waiting jobs or heirs. */
static void refreshQueue(Sweep *s, uint32_t index, int which) {
    Queue *queue = &s->queues.at[index];
    Set *set = &s->sets[queue->set];
    bool (*before)(const void *, uint32_t, uint32_t) = which == WAITING ? waitingBefore : heirsBefore;
    uint32_t first = queue->server != TAC_NONE && s->empty[queue->server] ? TAC_NONE : queue->heaps[which];
    const Job *job = first == TAC_NONE ? NULL : &s->jobs.at[which == WAITING ? first : s->heirs.at[first].slot];
    int64_t urgency = !job ? TAC_URGENCY_NONE : which == WAITING ? job->urgency : firstWaiter(s, job)->claim;
    uint32_t since = job ? job->since : 0;
    if (first == queue->first[which] && urgency == queue->urgency[which] && since == queue->since[which]) return;
    if (queue->first[which] != TAC_NONE)
        put(heapOf(s, s->queueNodes[which], before), &set->queues[which], index, false);
    queue->first[which] = first;
    queue->urgency[which] = urgency;
    queue->since[which] = since;
    if (first != TAC_NONE) put(heapOf(s, s->queueNodes[which], before), &set->queues[which], index, true);
    markSet(s, queue->set);
}

/* Tells the sets of a processor which job is the first to be accused of those that run there. */
static void refreshProcessor(Sweep *s, uint32_t index, int which) {
    Processor *processor = &s->processors[index];
    bool (*before)(const void *, uint32_t, uint32_t) = which == FREE ? freeBefore : holdingBefore;
    uint32_t first = processor->interrupts ? TAC_NONE : processor->heaps[which], old = processor->first[which];
    int64_t urgency = first == TAC_NONE ? 0 : s->jobs.at[first].urgency;
    if (first == old && urgency == processor->urgency[which]) return;
    for (uint32_t m = s->firstMember[index]; m < s->firstMember[index + 1] && old != TAC_NONE; m++)
        put(heapOf(s, s->memberNodes[which], before), &s->sets[s->members[m].set].members[which], m, false);
    processor->first[which] = first;
    processor->urgency[which] = urgency;
    for (uint32_t m = s->firstMember[index]; m < s->firstMember[index + 1]; m++) {
        if (first != TAC_NONE)
            put(heapOf(s, s->memberNodes[which], before), &s->sets[s->members[m].set].members[which], m, true);
        markSet(s, s->members[m].set);
    }
}

/* Tells the sets of all queues and processors that have changed. */
static void refresh(Sweep *s) {
    for (size_t i = 0; i < s->changedQueues.count; i++) {
        uint32_t queue = s->changedQueues.at[i];
        s->queues.at[queue].changed = false;
        refreshQueue(s, queue, WAITING);
        refreshQueue(s, queue, HEIRS);
    }
    for (size_t i = 0; i < s->changedProcessors.count; i++) {
        uint32_t processor = s->changedProcessors.at[i];
        s->processors[processor].changed = false;
        refreshProcessor(s, processor, FREE);
        refreshProcessor(s, processor, HOLDING);
    }
    s->changedQueues.count = s->changedProcessors.count = 0;
}

/* The first of the jobs that wait for a set, or of their heirs; NULL: there is none. */
static Job *firstWaiting(const Sweep *s, uint32_t set, int which) {
    uint32_t queue = s->sets[set].queues[which];
    if (queue == TAC_NONE) return NULL;
    uint32_t first = s->queues.at[queue].first[which];
    return &s->jobs.at[which == WAITING ? first : s->heirs.at[first].slot];
}

/* The first to be accused of the jobs that run on a set; NULL: there is none. */
static Job *firstRunning(const Sweep *s, uint32_t set, int which) {
    uint32_t member = s->sets[set].members[which];
    return member == TAC_NONE ? NULL : &s->jobs.at[s->processors[s->members[member].processor].first[which]];
}

/* ---- chains of blocked jobs ---------------------------------------------------------------------------------------
 */

static void setHeir(Sweep *s, uint32_t slot, bool heir);

/* Sets the claim of a job that is blocked on a mutex, or takes it into that of others: the most urgent of itself and
 * *claim of *claimant. The result: it has changed. */
static inline bool passClaim(Job *job, int64_t *claim, uint32_t *claimant) {
    if (*claim >= job->urgency) *claim = job->urgency, *claimant = job->job;
    if (*claim == job->claim && *claimant == job->claimant) return false;
    job->claim = *claim;
    job->claimant = *claimant;
    return true;
}

/* Sets the claim of a job that is blocked on a mutex by all that wait for it. */
static void setClaim(const Sweep *s, Job *job) {
    const Job *first = firstWaiter(s, job);
    int64_t claim = first ? first->claim : TAC_URGENCY_NONE;
    uint32_t claimant = first ? first->claimant : TAC_NONE;
    passClaim(job, &claim, &claimant);
}

/* Gives up the express, whose jobs get their claims. */
static void endExpress(Sweep *s) {
    Express *express = &s->express;
    uint32_t slot = express->from;
    for (int n = 0; n < express->n; n++) {
        Job *job = &s->jobs.at[slot];
        job->passed = false;
        if (express->stale) passClaim(job, &express->passed, &express->passer);
        slot = s->mutexes[job->filed].holder;
    }
    express->from = TAC_NONE;
}

/* Notes whether the first job that waits for this holder is the only one. */
static void setAlone(Sweep *s, const Job *holder, bool alone) {
    if (holder->claims == TAC_NONE) return;
    uint32_t waiters = s->mutexes[holder->claims].waiters;
    Job *job = &s->jobs.at[waiters];
    if (job->passed) endExpress(s);
    job->alone = alone && !s->mutexNodes[holder->claims].child && !s->jobNodes[waiters].child;
}

/* Adds a mutex that jobs are blocked on to those of its holder, or removes it. */
static void putMutex(Sweep *s, uint32_t index, bool in) {
    const Mutex *mutex = &s->mutexes[index];
    if (mutex->holder == TAC_NONE || mutex->waiters == TAC_NONE) return;
    Job *holder = &s->jobs.at[mutex->holder];
    setAlone(s, holder, false);
    put(heapOf(s, s->mutexNodes, mutexBefore), &holder->claims, index, in);
    setAlone(s, holder, true);
}

/* Adds a job to those that are blocked on a mutex, or removes it, or both: moves it by what waits for it. The result:
 * the holder, if that changes anything for it; else TAC_NONE. */
static TAC_NOINLINE uint32_t putWaiter(Sweep *s, uint32_t slot, bool out, bool in) {
    uint32_t index = s->jobs.at[slot].filed;
    Mutex *mutex = &s->mutexes[index];
    bool changes = mutex->waiters == slot;
    putMutex(s, index, false);
    if (out) put(jobHeap(s, claimsBefore), &mutex->waiters, slot, false);
    if (in) {
        setClaim(s, &s->jobs.at[slot]);
        put(jobHeap(s, claimsBefore), &mutex->waiters, slot, true);
    }
    putMutex(s, index, true);
    return changes || mutex->waiters == slot ? mutex->holder : TAC_NONE;
}

/* Remembers a walk over lone links as the express: the second one that began there. */
static void beginExpress(Sweep *s, uint32_t from, int n) {
    Express express = {.from = from, .n = n, .claim = TAC_URGENCY_NONE, .claimant = TAC_NONE};
    if (s->express.from != TAC_NONE) endExpress(s);
    for (uint32_t slot = from; n--; slot = s->mutexes[s->jobs.at[slot].filed].holder) {
        Job *job = &s->jobs.at[slot];
        job->passed = true;
        if (express.claim >= job->urgency) express.claim = job->urgency, express.claimant = job->job;
        express.to = slot;
    }
    s->express = express;
}

/* Takes a change over lone links from a job on, of which *n are counted. The result: the first job behind them;
 * TAC_NONE: nothing changes there. */
static uint32_t pass(Sweep *s, uint32_t from, int *n) {
    const Job *first = firstWaiter(s, &s->jobs.at[from]);
    int64_t claim = first ? first->claim : TAC_URGENCY_NONE;
    uint32_t claimant = first ? first->claimant : TAC_NONE, slot = from;
    const Mutex *mutexes = s->mutexes;
    Job *jobs = s->jobs.at, *job = &jobs[from];
    if (from == s->express.from && *n + s->express.n <= MANY) {
        *n += s->express.n;
        s->express.stale = true;
        s->express.passed = claim;
        s->express.passer = claimant;
        job = &jobs[s->express.to];
        if (claim >= s->express.claim) claim = s->express.claim, claimant = s->express.claimant;
        return passClaim(job, &claim, &claimant) ? mutexes[job->filed].holder : TAC_NONE;
    }
    if (job->passed) endExpress(s);
    for (; *n < MANY && job->alone && !job->passed; ++*n, job = &jobs[slot]) {
        if (!passClaim(job, &claim, &claimant)) return TAC_NONE;
        slot = mutexes[job->filed].holder;
    }
    return slot;
}

/* Takes a change of what waits for a job to the end of its chain. TAC_NONE: nothing has changed. */
static void follow(Sweep *s, uint32_t slot) {
    for (int n = 0; n < MANY && slot != TAC_NONE;) {
        Job *job = &s->jobs.at[slot];
        if (job->place == IN_QUEUE) setHeir(s, slot, true);
        if (job->place != ON_MUTEX) return;
        uint32_t from = slot;
        int before = n;
        if (!job->alone) slot = putWaiter(s, slot, true, true), n++;
        else slot = pass(s, slot, &n);
        if (n - before < FEW || from == s->express.from || slot == TAC_NONE || slot == from) continue;
        if (from == s->walked) beginExpress(s, from, n - before);
        s->walked = from;
    }
    if (slot != TAC_NONE && s->jobs.at[slot].place == IN_QUEUE) setHeir(s, slot, true);
}

/* Puts a job that is in a queue among the heirs there if others are blocked by it, or takes it away. */
static void setHeir(Sweep *s, uint32_t slot, bool heir) {
    Job *job = &s->jobs.at[slot];
    uint32_t *heap = &s->queues.at[job->filed].heaps[HEIRS], index = job->heir;
    heir &= job->claims != TAC_NONE;
    if (index != TAC_NONE) put(heirHeap(s), heap, index, false);
    else if (heir && (index = s->unusedHeir) != TAC_NONE) s->unusedHeir = s->heirs.at[index].slot;
    else if (heir) {
        index = (uint32_t) s->heirs.count;
        if (!tacArrayPush(&s->heirs, (Heir){.slot = slot})) {
            s->failed = true;
            return;
        }
    }
    if (heir) {
        s->heirs.at[index].slot = slot;
        put(heirHeap(s), heap, index, true);
    } else if (index != TAC_NONE) {
        s->heirs.at[index].slot = s->unusedHeir;
        s->unusedHeir = index;
    }
    job->heir = heir ? index : TAC_NONE;
    markQueue(s, job->filed);
}

/* Gives a mutex to a job; of two holders the first one counts. */
static void hold(Sweep *s, uint32_t slot, uint32_t index) {
    Mutex *mutex = &s->mutexes[index];
    if (mutex->holder != TAC_NONE) return;
    mutex->holder = slot;
    mutex->next = s->jobs.at[slot].held;
    mutex->before = TAC_NONE;
    if (mutex->next != TAC_NONE) s->mutexes[mutex->next].before = index;
    s->jobs.at[slot].held = index;
    if (mutex->waiters == TAC_NONE) return;
    putMutex(s, index, true);
    follow(s, slot);
}

static void letGo(Sweep *s, uint32_t slot, uint32_t index) {
    Mutex *mutex = &s->mutexes[index];
    if (mutex->holder != slot) return;
    if (mutex->next != TAC_NONE) s->mutexes[mutex->next].before = mutex->before;
    *(mutex->before == TAC_NONE ? &s->jobs.at[slot].held : &s->mutexes[mutex->before].next) = mutex->next;
    bool claimed = mutex->waiters != TAC_NONE;
    putMutex(s, index, false);
    mutex->holder = TAC_NONE;
    if (claimed) follow(s, slot);
}

/* ---- facts --------------------------------------------------------------------------------------------------------
 */

static uint32_t idOf(const Sweep *s, uint32_t job) { return s->model->jobs.at[job].id; }

/* Adds an inversion to others of its kind. */
static void sumUp(Blocking *sum, const Stretch *stretch, int64_t length) {
    sum->count++;
    sum->length = tacAddTicks(sum->length, length);
    if (length <= sum->longest) return;
    sum->longest = length;
    sum->stretch = *stretch;
}

/* Adds an inversion that a mutex explains to those of its task and mutex. */
static void explain(Sweep *s, const Stretch *stretch) {
    uint32_t name[2] = {s->model->jobs.at[stretch->victim].task, stretch->mutex};
    uint32_t index = tacIntern(&s->blocked, (const char *) name, sizeof name);
    int64_t length = tacElapsed(stretch->begin, s->now);
    if (index == TAC_NONE
        || (index == s->blockings.count
            && !tacArrayPush(&s->blockings, (Blocking){.task = name[0], .mutex = name[1], .longest = -1}))) {
        s->failed = true;
        return;
    }
    sumUp(&s->blockings.at[index], stretch, length);
}

/* Ends an inversion now. */
static void finish(Sweep *s, Stretch *stretch) {
    Stretch one = *stretch;
    stretch->victim = TAC_NONE;
    if (one.victim == TAC_NONE || s->now <= one.begin) return;
    if (!one.fact) {
        explain(s, &one);
        return;
    }
    int64_t length = tacElapsed(one.begin, s->now);
    if (length <= s->facts->tolerance) return;
    if (s->recorded && one.latent && length <= s->facts->latency) {
        sumUp(&s->latency, &one, length);
        return;
    }
    uint32_t cluster = s->places.clusters[one.processor];
    if (s->found[cluster]++ == s->facts->most && s->policies[cluster].differs) s->nLost++;
    if (tacFactsFull(s->facts)) return;
    s->failed |= !tacFactAdd(s->facts,
        TAC_FACT(one.fact, .begin = one.begin, .end = s->now, .amount = length, .job = idOf(s, one.victim),
            .other = idOf(s, one.culprit), .task = s->model->jobs.at[one.victim].task, .mutex = one.mutex,
            .processor = one.processor, .row = tacStoreFind(&s->trace->store, one.begin), .cluster = cluster,
            .scheduler = s->urgencies.tasks[s->model->jobs.at[one.victim].task].scheduler));
}

/* Goes on with an inversion, or ends it and begins another one. culprit NULL: there is none. */
static void update(Sweep *s, Stretch *stretch, uint32_t victim, const Job *culprit, uint32_t mutex, const char *fact) {
    if (!culprit) victim = TAC_NONE;
    if (stretch->victim == victim
        && (victim == TAC_NONE
            || (stretch->culprit == culprit->job && stretch->mutex == mutex && stretch->fact == fact)))
        return;
    if (stretch->victim != TAC_NONE) finish(s, stretch);
    if (!culprit) return;
    bool latent = culprit->began <= s->jobs.at[s->slots[victim]].since;
    *stretch = (Stretch){s->now, victim, culprit->job, mutex, culprit->processor, latent, fact};
}

/* ---- looking at a set ---------------------------------------------------------------------------------------------
 */

/* The ceiling that a task gives to mutexes that it holds. Of tasks with deadlines no urgency is known. */
static int64_t ceilingBy(const Sweep *s, uint32_t task) {
    const tacTaskUrgency *urgency = &s->urgencies.tasks[task];
    bool timed = urgency->scheduler == TAC_SCHEDULER_EDF && urgency->timed;
    return timed ? TAC_URGENCY_ALL : tacUrgencyFixed(&s->urgencies, task);
}

/* The urgency of the most urgent task that ever holds a mutex. */
static int64_t ceilingOf(const Sweep *s, uint32_t mutex) {
    uint32_t crown = s->mutexes[mutex].crown;
    return crown == TAC_NONE ? TAC_URGENCY_NONE : ceilingBy(s, crown);
}

/* The mutex that excuses the culprit: the outermost of those that tasks of this urgency use, else the outermost;
 * TAC_NONE. */
static uint32_t excuseOf(const Sweep *s, const Job *culprit, int64_t urgency) {
    uint32_t asked = TAC_NONE, outermost = TAC_NONE, n = 0;
    for (uint32_t mutex = culprit->held; mutex != TAC_NONE && n++ < MANY; mutex = s->mutexes[mutex].next) {
        outermost = mutex;
        if (ceilingOf(s, mutex) <= urgency) asked = mutex;
    }
    return asked != TAC_NONE ? asked : outermost;
}

/* Does the culprit, which holds a mutex, hold one that tasks of this urgency use, or jobs of it may wait for? */
static bool hasCeiling(const Sweep *s, const Job *culprit, int64_t urgency) {
    int n = 0;
    const Job *waiter = firstWaiter(s, culprit);
    if (s->lasting <= urgency || (waiter && waiter->claim <= urgency)) return true;
    for (uint32_t mutex = culprit->held; mutex != TAC_NONE && n++ < MANY; mutex = s->mutexes[mutex].next)
        if (ceilingOf(s, mutex) <= urgency) return true;
    return false;
}

/* The mutex that a job is blocked on if its chain ends with the heir; TAC_NONE: it does not, or is too long. */
static uint32_t chainTo(const Sweep *s, uint32_t claimant, const Job *heir) {
    uint32_t slot = s->slots[claimant];
    for (int n = 0; n < MANY && slot != TAC_NONE; n++) {
        const Job *job = &s->jobs.at[slot];
        if (job == heir) return s->jobs.at[s->slots[claimant]].filed;
        if (job->place != ON_MUTEX) return TAC_NONE;
        if (slot == s->express.from) {
            n += s->express.n - 1;
            job = &s->jobs.at[s->express.to];
        }
        slot = s->mutexes[job->filed].holder;
    }
    return TAC_NONE;
}

/* Updates the inversion of a job that is blocked, while what it waits for is ready. */
static void lookAtHeirs(Sweep *s, uint32_t index) {
    const Job *heir = firstWaiting(s, index, HEIRS), *culprit = heir ? firstRunning(s, index, FREE) : NULL;
    const Job *first = heir ? firstWaiter(s, heir) : NULL;
    if (culprit && first->claim >= culprit->urgency) culprit = NULL;
    if (heir && !culprit) {
        culprit = firstRunning(s, index, HOLDING);
        if (culprit && (first->claim >= culprit->urgency || hasCeiling(s, culprit, first->claim))) culprit = NULL;
    }
    uint32_t mutex = culprit ? chainTo(s, first->claimant, heir) : TAC_NONE;
    update(s, &s->sets[index].chain, mutex == TAC_NONE ? TAC_NONE : first->claimant, mutex == TAC_NONE ? NULL : culprit,
        mutex, "unbounded");
}

/* Is the job scheduled by its deadline? */
static bool isTimed(const Sweep *s, const Job *job) {
    return s->urgencies.tasks[s->model->jobs.at[job->job].task].scheduler == TAC_SCHEDULER_EDF;
}

/* Updates the inversions of a set. */
static void look(Sweep *s, uint32_t index) {
    Set *set = &s->sets[index];
    const Job *victim = firstWaiting(s, index, WAITING);
    const Job *free = victim ? firstRunning(s, index, FREE) : NULL;
    const Job *holding = victim ? firstRunning(s, index, HOLDING) : NULL;
    if (free && victim->urgency == free->urgency
        && s->model->jobs.at[victim->job].task != s->model->jobs.at[free->job].task)
        s->ties[s->places.clusters[free->processor]]++;
    if (free && victim->urgency >= free->urgency) free = NULL;
    if (holding && victim->urgency >= holding->urgency) holding = NULL;
    const char *fact = free && isTimed(s, victim) && isTimed(s, free) ? "deadline" : "inversion";
    bool raised = free && victim->started && tacUrgencyWaiting(&s->urgencies, victim->job, false) >= free->urgency;
    uint32_t job = victim ? victim->job : TAC_NONE;
    update(s, &set->inversion, job, free, TAC_NONE, raised ? "preempted" : fact);
    update(s, &set->excused, job, holding, holding ? excuseOf(s, holding, victim->urgency) : TAC_NONE, NULL);
    if (s->nMutexes) lookAtHeirs(s, index);
}

/* ---- jobs that begin to run ---------------------------------------------------------------------------------------
 */

/* Ends the inversion of a processor's pair. */
static void endPair(Sweep *s, uint32_t processor) {
    Pair *pair = &s->pairs[processor];
    if (pair->victim == TAC_NONE) return;
    if (pair->next != TAC_NONE) s->pairs[pair->next].before = pair->before;
    *(pair->before == TAC_NONE ? &s->jobs.at[pair->victim].pairs : &s->pairs[pair->before].next) = pair->next;
    pair->victim = TAC_NONE;
    finish(s, &pair->stretch);
}

static void beginPair(Sweep *s, uint32_t victim, uint32_t culprit, const char *fact) {
    uint32_t processor = s->jobs.at[culprit].processor;
    Pair *pair = &s->pairs[processor];
    endPair(s, processor);
    *pair = (Pair){{s->now, s->jobs.at[victim].job, s->jobs.at[culprit].job, TAC_NONE, processor, false, fact}, victim,
        culprit, s->jobs.at[victim].paired ? s->jobs.at[victim].pairs : TAC_NONE, TAC_NONE};
    if (pair->next != TAC_NONE) s->pairs[pair->next].before = processor;
    s->jobs.at[victim].pairs = processor;
    s->jobs.at[victim].paired = true;
}

/* Ends the inversions of pairs in which a job that is in a queue waits. */
static void endPairs(Sweep *s, Job *victim) {
    while (victim->paired && victim->pairs != TAC_NONE) endPair(s, victim->pairs);
    victim->paired = false;
}

/* Was the job released earlier, though it gets ready now, and no wake-up is recorded? */
static bool isLate(const Sweep *s, uint32_t job) {
    return s->model->jobs.at[job].release < s->now && tacJobWakeup(s->model, job) == TAC_UNKNOWN;
}

/* Is a job of the victim's task done by the event, so that the victim, which was released before, gets ready? */
static bool endsTurn(const Sweep *s, const Job *victim, uint32_t row) {
    return tacRowEvent(&s->trace->store, row) == TAC_EV_JOB_COMPLETED && isLate(s, victim->job)
        && tacRowTask(s->model, row) == s->model->jobs.at[victim->job].task;
}

/* Was the victim, which is ready, so when the other job began to run? What changes at one instant is in the order of
 * the file, unless that goes back in time. If the victim ran for no time later at this instant, it was another matter.
 */
static bool wasReady(const Sweep *s, const Job *victim, const Job *begun) {
    enum { ROWS_AT_ONCE = 4096 };
    const tacStore *store = &s->trace->store;
    const uint64_t runs = TAC_EVENT_BIT(TAC_EV_JOB_STARTED) | TAC_EVENT_BIT(TAC_EV_JOB_RESUMED);
    const uint64_t readies = TAC_EVENT_BIT(TAC_EV_JOB_ARRIVED) | TAC_EVENT_BIT(TAC_EV_JOB_PREEMPTED)
        | TAC_EVENT_BIT(TAC_EV_JOB_READY);
    if (!victim->touched) return true;
    bool ready = (victim->before & READY) != 0;
    uint32_t id = idOf(s, victim->job), first = tacStoreFind(store, s->now), n = tacStoreCount(store);
    uint32_t begins = store->sorted ? tacAuditRow(store, idOf(s, begun->job), s->now, runs) : TAC_NONE;
    if (begins == TAC_NONE) return ready && tacAuditRow(store, id, s->now, runs) == TAC_NONE;
    for (uint32_t row = first; row < n && row - first < ROWS_AT_ONCE && tacRowTime(store, row) == s->now; row++) {
        uint64_t event = TAC_EVENT_BIT(tacRowEvent(store, row));
        bool own = (event & (runs | readies)) && tacRowSubject(store, row) == id;
        if (own && row < begins) ready = (event & readies) != 0;
        else if (own && (event & runs)) return false;
        else if (!victim->before && row < begins) ready |= endsTurn(s, victim, row);
    }
    return ready;
}

/* Did the job give a mutex back at this instant? When it began to run, it may have held that. */
static bool gaveBack(const Sweep *s, const Job *job) {
    uint32_t task = s->model->jobs.at[job->job].task;
    const tacTaskModel *model = &s->model->tasks[task];
    uint32_t n = (uint32_t) model->holds.count, i = n ? tacQueryHold(s->model, task, 0, s->now) : n;
    for (int looks = 0; i < n && model->holds.at[i].begin <= s->now && looks < MANY; looks++) {
        if (model->holds.at[i].job == job->job && model->holds.at[i].end == s->now) return true;
        i = tacQueryHold(s->model, task, i + 1, s->now);
    }
    return false;
}

/* Looks whether a job should have begun to run instead of this one, which has not run since it became ready. Each
 * processor of a kernel has a queue of its own, so there is no order between jobs that may change the processor. */
static void lookAtBegin(Sweep *s, uint32_t slot) {
    const Job *begun = &s->jobs.at[slot];
    const tacTaskUrgency *task = &s->urgencies.tasks[s->model->jobs.at[begun->job].task];
    int64_t urgency = tacUrgencyRunning(&s->urgencies, begun->job, false);
    bool raised = urgency != begun->urgency;
    if (begun->held != TAC_NONE || (!raised && task->scheduler != TAC_SCHEDULER_FIFO) || gaveBack(s, begun)) return;
    for (uint32_t m = s->firstMember[begun->processor]; m < s->firstMember[begun->processor + 1]; m++) {
        uint32_t queue = s->sets[s->members[m].set].queues[WAITING];
        const Job *victim = firstWaiting(s, s->members[m].set, WAITING);
        if (!victim || s->queues.at[queue].server != TAC_NONE) continue;
        const tacTaskUrgency *other = &s->urgencies.tasks[s->model->jobs.at[victim->job].task];
        bool same = task->scheduler == TAC_SCHEDULER_FIFO && other->scheduler == TAC_SCHEDULER_FIFO
            && (!s->recorded || tacPlaceSize(&s->places, s->members[m].set) == 1);
        bool inverted = raised && victim->urgency < urgency && victim->urgency >= begun->urgency;
        bool timed = isTimed(s, victim) && isTimed(s, begun);
        if (inverted && wasReady(s, victim, begun))
            beginPair(s, s->slots[victim->job], slot, timed ? "deadline" : "inversion");
        else if (same && victim->urgency == urgency && !begun->sudden && victim->since < begun->since
            && wasReady(s, victim, begun))
            beginPair(s, s->slots[victim->job], slot, "order");
        else continue;
        return;
    }
}

/* ---- changes ------------------------------------------------------------------------------------------------------
 */

/* The slot of a job, made if need be; TAC_NONE: no memory. */
static uint32_t slotOf(Sweep *s, uint32_t job) {
    uint32_t slot = s->slots[job];
    if (slot != TAC_NONE) return slot;
    Job fresh = {.job = job, .held = TAC_NONE, .claims = TAC_NONE, .wants = TAC_NONE};
    if (s->unused != TAC_NONE) {
        slot = s->unused;
        s->unused = s->jobs.at[slot].filed;
        s->jobs.at[slot] = fresh;
    } else {
        slot = (uint32_t) s->jobs.count;
        if (!tacArrayPush(&s->jobs, fresh) || !tacHeapNodes(&s->jobNodes, &s->nNodes, slot, s->model->jobs.count))
            return s->failed = true, TAC_NONE;
    }
    return s->slots[job] = slot;
}

/* Notes that a job changes at this instant. */
static void touch(Sweep *s, uint32_t slot) {
    Job *job = &s->jobs.at[slot];
    if (job->touched) return;
    job->touched = true;
    job->before = job->state;
    s->failed |= !tacArrayPush(&s->touched, slot);
}

static void apply(Sweep *s, const tacChange *change) {
    if (change->job == TAC_NONE) {
        s->empty[change->what] = change->kind == TAC_CHANGE_EMPTY;
        for (uint32_t queue = s->served[change->what]; queue != TAC_NONE; queue = s->queues.at[queue].next)
            markQueue(s, queue);
        return;
    }
    uint32_t slot = slotOf(s, change->job);
    if (slot == TAC_NONE) return;
    Job *job = &s->jobs.at[slot];
    touch(s, slot);
    switch (change->kind) {
    case TAC_CHANGE_HOLD_END: letGo(s, slot, change->what); break;
    case TAC_CHANGE_HOLD: hold(s, slot, change->what); break;
    case TAC_CHANGE_RUN_END: job->state &= (uint8_t) ~RUNNING; break;
    case TAC_CHANGE_READY_END: job->state &= (uint8_t) ~READY; break;
    case TAC_CHANGE_BLOCK_END: job->state &= (uint8_t) ~BLOCKED; break;
    case TAC_CHANGE_BLOCK:
        endPairs(s, job);
        job->state |= BLOCKED;
        job->wants = change->what;
        break;
    case TAC_CHANGE_RUN:
        job->state |= RUNNING;
        job->processor = (uint16_t) change->what;
        break;
    case TAC_CHANGE_READY:
        job->state |= READY;
        if (!(job->state & RUNNING))
            job->processor = change->what == TAC_NONE ? TAC_NO_PROCESSOR : (uint16_t) change->what;
        break;
    case TAC_CHANGE_GLIMPSE:
        if (change->what == TAC_STATE_BLOCKED) job->glimpse = WAS_BLOCKED;
        else job->glimpse |= RAN;
        break;
    default: break;
    }
}

/* Takes a job out of its place. */
static void leave(Sweep *s, uint32_t slot) {
    Job *job = &s->jobs.at[slot];
    uint8_t place = job->place;
    job->place = NOWHERE;
    if (place == IN_QUEUE) {
        endPairs(s, job);
        if (job->heir != TAC_NONE) setHeir(s, slot, false);
        if (job->urgency != TAC_URGENCY_NONE)
            put(jobHeap(s, waitsBefore), &s->queues.at[job->filed].heaps[WAITING], slot, false);
        markQueue(s, job->filed);
    } else if (place == ON_PROCESSOR) {
        Processor *processor = &s->processors[job->filed];
        if (s->pairs[job->filed].victim != TAC_NONE && s->pairs[job->filed].culprit == slot) endPair(s, job->filed);
        if (tacIsInterrupt(s->model, s->model->jobs.at[job->job].task)) processor->interrupts--;
        else put(jobHeap(s, runsBefore), &processor->heaps[job->holding], slot, false);
        markProcessor(s, job->filed);
    } else if (place == ON_MUTEX) {
        follow(s, putWaiter(s, slot, true, false));
    }
}

/* The queue in which a ready job waits; TAC_NONE: none that is known. */
static uint32_t queueOf(const Sweep *s, const Job *job) {
    uint32_t task = s->model->jobs.at[job->job].task;
    uint32_t own = s->queueOf[task];
    if (!s->queueAt || !s->places.floats[task] || own == TAC_NONE || s->queues.at[own].server != TAC_NONE) return own;
    return job->processor < s->nProcessors ? s->queueAt[job->processor] : TAC_NONE;
}

/* Puts a job among those that wait in its queue: behind the last one that is as urgent, or of the same task where
 * deadlines count. It may be that another job is remembered as that one, or none, which changes the cost alone. */
static void putWaiting(Sweep *s, uint32_t slot) {
    const Job *job = &s->jobs.at[slot];
    uint32_t level = isTimed(s, job) ? s->model->jobs.at[job->job].task : (uint32_t) job->urgency;
    uint32_t *last = &s->lasts[(level + 31 * job->filed) % LASTS], earlier = *last;
    const Job *other = earlier < s->jobs.count && earlier != slot ? &s->jobs.at[earlier] : NULL;
    bool waits = other && other->place == IN_QUEUE && other->filed == job->filed && other->urgency != TAC_URGENCY_NONE;
    tacHeapKind kind = jobHeap(s, waitsBefore);
    bool behind = waits && tacHeapAddBehind(&kind, earlier, slot);
    if (behind || !waits) *last = slot;
    if (!behind) put(kind, &s->queues.at[job->filed].heaps[WAITING], slot, true);
}

/* Puts a job where its state wants it. */
static void enter(Sweep *s, uint32_t slot) {
    Job *job = &s->jobs.at[slot];
    uint32_t task = s->model->jobs.at[job->job].task;
    if (job->state & RUNNING) {
        Processor *processor = &s->processors[job->processor];
        job->place = ON_PROCESSOR;
        job->filed = job->processor;
        job->holding = job->held != TAC_NONE;
        job->urgency = tacUrgencyRunning(&s->urgencies, job->job, true);
        if (tacIsInterrupt(s->model, task)) processor->interrupts++;
        else put(jobHeap(s, runsBefore), &processor->heaps[job->holding], slot, true);
        markProcessor(s, job->filed);
        return;
    }
    job->urgency = tacUrgencyWaiting(&s->urgencies, job->job, (job->state & READY) && job->started);
    /* A thread gets its policy only after it was made, and that is no event. */
    bool isNew = s->recorded && !job->started && s->model->tasks[task].firstJob == job->job;
    if (isNew) job->urgency = TAC_URGENCY_NONE;
    if (job->state & BLOCKED && job->wants != TAC_NONE) {
        job->place = ON_MUTEX;
        job->filed = job->wants;
        follow(s, putWaiter(s, slot, false, true));
    } else if (!(job->state & BLOCKED) && (job->state & READY) && queueOf(s, job) != TAC_NONE) {
        job->place = IN_QUEUE;
        job->filed = queueOf(s, job);
        job->heir = TAC_NONE;
        if (job->urgency != TAC_URGENCY_NONE) putWaiting(s, slot);
        markQueue(s, job->filed);
        if (job->claims != TAC_NONE) setHeir(s, slot, true);
    }
}

/* Moves a job that has changed to its place. The result: it begins to run. */
static bool refile(Sweep *s, uint32_t slot) {
    Job *job = &s->jobs.at[slot];
    bool runs = (job->state & RUNNING) != 0, stays = runs && (job->before & RUNNING) && job->filed == job->processor;
    bool active = (job->state & (READY | RUNNING)) != 0;
    if (active && !(job->before & (READY | RUNNING))) {
        job->since = s->instant & INT32_MAX;
        job->sudden = (runs || (job->glimpse & RAN)) && (job->before & BLOCKED);
        job->sudden |= !job->before && isLate(s, job->job);
        job->started = false;
    }
    bool glimpse = job->glimpse != 0;
    if (job->glimpse & WAS_BLOCKED) job->since = s->instant & INT32_MAX;
    if (glimpse) job->started = (job->glimpse & RAN) != 0;
    job->glimpse = 0;
    if (stays && job->holding == (job->held != TAC_NONE)) return false;
    if (!runs && job->state == job->before && !glimpse && (job->place != ON_MUTEX || job->filed == job->wants))
        return false;
    leave(s, slot);
    if (runs && !stays) job->began = s->instant;
    enter(s, slot);
    return runs && !stays;
}

/* Moves all jobs that have changed, and looks at those that begin to run. */
static void settle(Sweep *s) {
    size_t begun = 0;
    for (size_t i = 0; i < s->touched.count; i++) {
        Job *job = &s->jobs.at[s->touched.at[i]];
        bool begins = refile(s, s->touched.at[i]);
        if (begins) s->decisions[s->places.clusters[job->processor]]++;
        if (begins && begun <= i) {
            uint32_t slot = s->touched.at[i];
            s->touched.at[i] = s->touched.at[begun];
            s->touched.at[begun++] = slot;
        }
    }
    refresh(s);
    for (size_t i = 0; i < begun; i++) {
        Job *job = &s->jobs.at[s->touched.at[i]];
        if (!job->started) lookAtBegin(s, s->touched.at[i]);
    }
    for (size_t i = 0; i < s->touched.count; i++) {
        Job *job = &s->jobs.at[s->touched.at[i]];
        job->started |= (job->state & RUNNING) != 0;
        job->touched = false;
    }
    for (size_t i = 0; i < s->changedSets.count; i++) {
        s->sets[s->changedSets.at[i]].changed = false;
        look(s, s->changedSets.at[i]);
    }
    for (size_t i = 0; i < s->touched.count; i++) {
        uint32_t slot = s->touched.at[i];
        if (s->jobs.at[slot].state || s->jobs.at[slot].held != TAC_NONE) continue;
        s->slots[s->jobs.at[slot].job] = TAC_NONE;
        s->jobs.at[slot].filed = s->unused;
        s->unused = slot;
    }
    s->touched.count = s->changedSets.count = 0;
}

/* ---- the sweep ----------------------------------------------------------------------------------------------------
 */

/* Finds the ceiling of the tasks of which jobs are blocked to the end: what they wait for is not told. */
static void findLasting(Sweep *s) {
    s->lasting = TAC_URGENCY_NONE;
    for (uint32_t i = 0; i < s->nTasks && s->nMutexes; i++) {
        const tacTaskModel *task = &s->model->tasks[i];
        bool lasts = false;
        for (size_t k = task->slices.count; !lasts && k-- > 0;)
            lasts = task->slices.at[k].open && task->slices.at[k].state == TAC_STATE_BLOCKED
                && tacSurelyBlockedOn(s->model, i, k) == TAC_NONE;
        int64_t urgency = lasts ? ceilingBy(s, i) : TAC_URGENCY_NONE;
        if (urgency < s->lasting) s->lasting = urgency;
    }
}

/* Makes the mutexes and finds the ceiling of each. */
static bool findCeilings(Sweep *s) {
    s->nMutexes = tacStoreObjects(&s->trace->store, TAC_MUTEX);
    s->mutexes = tacAlloc(((size_t) s->nMutexes + 1) * sizeof *s->mutexes);
    s->mutexNodes = tacAllocZero((size_t) s->nMutexes + 1, sizeof *s->mutexNodes);
    if (!s->mutexes || !s->mutexNodes) return false;
    findLasting(s);
    for (uint32_t i = 0; i < s->nMutexes; i++) {
        const tacMutexModel *mutex = &s->model->mutexes[i];
        int64_t ceiling = TAC_URGENCY_NONE;
        s->mutexes[i] = (Mutex){TAC_NONE, TAC_NONE, TAC_NONE, TAC_NONE, TAC_NONE};
        for (size_t k = 0; k < mutex->holds.count; k++) {
            int64_t urgency = ceilingBy(s, mutex->holds.at[k].task);
            if (urgency >= ceiling) continue;
            ceiling = urgency;
            s->mutexes[i].crown = mutex->holds.at[k].task;
        }
    }
    return true;
}

/* The queue of a set on the budget of a server, made if need be. TAC_NONE: no memory. */
static uint32_t makeQueue(Sweep *s, tacInternTable *names, uint32_t set, uint32_t server) {
    uint32_t name[2] = {set, server}, index = tacIntern(names, (const char *) name, sizeof name);
    if (index == TAC_NONE || index < s->queues.count) return index;
    Queue queue = {.set = set,
        .server = server,
        .next = TAC_NONE,
        .heaps = {TAC_NONE, TAC_NONE},
        .first = {TAC_NONE, TAC_NONE},
        .urgency = {TAC_URGENCY_NONE, TAC_URGENCY_NONE}};
    if (server != TAC_NONE) {
        queue.next = s->served[server];
        s->served[server] = index;
    }
    return tacArrayPush(&s->queues, queue) ? index : TAC_NONE;
}

/* Finds the queue of each task, and of each processor if tasks float. */
static bool findQueues(Sweep *s) {
    tacInternTable names = {0};
    s->nServers = tacStoreObjects(&s->trace->store, TAC_SERVER);
    uint32_t *servers = s->nServers ? tacAlloc(((size_t) s->nTasks + 1) * sizeof *servers) : NULL;
    s->queueOf = tacAlloc(((size_t) s->nTasks + 1) * sizeof *s->queueOf);
    if (s->places.ofProcessor) s->queueAt = tacAlloc(((size_t) s->nProcessors + 1) * sizeof *s->queueAt);
    s->served = tacAlloc(((size_t) s->nServers + 1) * sizeof *s->served);
    s->empty = tacAllocZero((size_t) s->nServers + 1, sizeof *s->empty);
    bool fine = s->queueOf && s->served && s->empty && (s->queueAt || !s->places.ofProcessor)
        && (!s->nServers || (servers && tacServersOfTasks(s->trace, servers, s->facts->progress)));
    for (uint32_t i = 0; fine && i < s->nServers; i++) s->served[i] = TAC_NONE;
    for (uint32_t i = 0; fine && i < s->nTasks; i++) {
        uint32_t server = servers ? servers[i] : TAC_NONE;
        uint32_t set = server == TAC_SERVER_UNKNOWN ? TAC_NONE : s->places.ofTask[i];
        s->queueOf[i] = set == TAC_NONE ? TAC_NONE : makeQueue(s, &names, set, server);
        fine = set == TAC_NONE || s->queueOf[i] != TAC_NONE;
    }
    for (uint32_t i = 0; fine && s->queueAt && i < s->nProcessors; i++)
        fine = (s->queueAt[i] = makeQueue(s, &names, s->places.ofProcessor[i], TAC_NONE)) != TAC_NONE;
    tacInternFree(&names);
    tacFree(servers);
    tacFree(s->places.ofTask); /* the queues are what is asked from now on */
    s->places.ofTask = NULL;
    for (int i = 0; fine && i < 2; i++)
        fine = (s->queueNodes[i] = tacAllocZero(s->queues.count + 1, sizeof(tacHeapNode))) != NULL;
    return fine;
}

/* Makes the sets and the members of each processor. */
static bool makeSets(Sweep *s) {
    uint32_t n = s->nProcessors, nMembers = 0;
    s->nSets = tacPlaceSets(&s->places);
    s->sets = tacAlloc(((size_t) s->nSets + 1) * sizeof *s->sets);
    s->firstMember = tacAllocZero((size_t) n + 2, sizeof *s->firstMember);
    if (!s->sets || !s->firstMember) return false;
    const Stretch none = {.victim = TAC_NONE};
    for (uint32_t i = 0; i < s->nSets; i++) {
        s->sets[i] = (Set){{TAC_NONE, TAC_NONE}, {TAC_NONE, TAC_NONE}, none, none, none, false};
        for (uint32_t k = 0; k < tacPlaceSize(&s->places, i); k++, nMembers++)
            s->firstMember[tacPlaceProcessor(&s->places, i, k) + 2]++;
    }
    s->members = tacAlloc(((size_t) nMembers + 1) * sizeof *s->members);
    for (int i = 0; i < KINDS; i++) s->memberNodes[i] = tacAllocZero((size_t) nMembers + 1, sizeof(tacHeapNode));
    if (!s->members || !s->memberNodes[FREE] || !s->memberNodes[HOLDING]) return false;
    for (uint32_t i = 0; i < n; i++) s->firstMember[i + 2] += s->firstMember[i + 1];
    for (uint32_t i = 0; i < s->nSets; i++)
        for (uint32_t k = 0; k < tacPlaceSize(&s->places, i); k++) {
            uint32_t processor = tacPlaceProcessor(&s->places, i, k);
            s->members[s->firstMember[processor + 1]++] = (Member){i, processor};
        }
    return true;
}

/* Finds where tasks can run, their policies, and all that jobs are put into. */
static bool prepare(Sweep *s) {
    const tacStore *store = &s->trace->store;
    tacSupposed supposed = {s->facts->scheduler, s->facts->nonpreemptive, s->facts->thresholds, s->facts->highFirst};
    bool *wanted = tacAllocZero((size_t) s->nTasks + 1, sizeof *wanted);
    int64_t fairFrom = tacUrgencyFairFrom(store);
    for (uint32_t i = 0; wanted && i < s->nTasks; i++) {
        const tacObject *task = &store->objects[TAC_TASK].at[i];
        wanted[i] = !task->isr && !task->several && s->model->tasks[i].nJobs > 0
            && (s->model->tasks[i].holds.count > 0 || tacUrgencyOwn(store, i, fairFrom) != TAC_SCHEDULER_FAIR);
    }
    bool fine = wanted && tacPlacesFind(&s->places, s->trace, wanted, s->facts->progress);
    tacFree(wanted);
    size_t n = s->nProcessors + (size_t) 1;
    s->policies = tacAllocZero(n, sizeof *s->policies);
    s->decisions = tacAllocZero(n, sizeof *s->decisions);
    s->found = tacAllocZero(n, sizeof *s->found);
    s->ties = tacAllocZero(n, sizeof *s->ties);
    s->processors = tacAlloc(n * sizeof *s->processors);
    s->pairs = tacAlloc(n * sizeof *s->pairs);
    if (!fine || !s->policies || !s->decisions || !s->found || !s->ties || !s->processors || !s->pairs) return false;
    for (uint32_t i = 0; i < s->nProcessors; i++) {
        s->processors[i] = (Processor){{TAC_NONE, TAC_NONE}, {TAC_NONE, TAC_NONE}, {0, 0}, 0, false};
        s->pairs[i].victim = TAC_NONE;
    }
    return tacUrgenciesFind(&s->urgencies, s->trace, &s->places, &supposed, s->policies);
}

/* Goes over all changes, instant by instant. */
static bool sweep(Sweep *s) {
    tacChanges changes;
    tacChange change;
    s->slots = tacAlloc((s->model->jobs.count + 1) * sizeof *s->slots);
    for (size_t i = 0; s->slots && i < s->model->jobs.count; i++) s->slots[i] = TAC_NONE;
    /* Room for all of some, which takes memory only as it is used: an array that grows is copied, and has both. */
    size_t room = s->model->jobs.count < 1 << 20 ? s->model->jobs.count : 1 << 20;
    bool fine = tacChangesBegin(&changes, s->trace) && s->slots && tacArrayReserve(&s->jobs, room);
    bool more = fine && tacChangesNext(&changes, &change);
    while (more && fine && s->nLost < s->nClusters) {
        s->now = change.time;
        for (; more && change.time == s->now; more = tacChangesNext(&changes, &change)) apply(s, &change);
        settle(s);
        fine = !s->failed && tacProgressAt(s->facts->progress, s->instant++);
    }
    fine = fine && !changes.failed;
    tacChangesFree(&changes);
    s->now = s->model->end;
    for (uint32_t i = 0; fine && i < s->nSets; i++) {
        finish(s, &s->sets[i].inversion);
        finish(s, &s->sets[i].excused);
        finish(s, &s->sets[i].chain);
    }
    for (uint32_t i = 0; fine && i < s->nProcessors; i++) endPair(s, i);
    return fine && !s->failed;
}

/* A fact about several inversions. */
static tacFact factOf(const Sweep *s, const char *name, const Blocking *sum) {
    const Stretch *longest = &sum->stretch;
    return TAC_FACT(name, .begin = longest->begin, .end = tacAddTicks(longest->begin, sum->longest),
        .amount = sum->longest, .limit = sum->length, .count = sum->count, .job = idOf(s, longest->victim),
        .other = idOf(s, longest->culprit), .cluster = s->places.clusters[longest->processor],
        .processor = longest->processor, .row = tacStoreFind(&s->trace->store, longest->begin));
}

/* Adds the facts about mutexes, about latencies, and about the policies of clusters. */
static bool addSums(Sweep *s) {
    for (size_t i = 0; i < s->blockings.count; i++) {
        tacFact fact = factOf(s, "blocking", &s->blockings.at[i]);
        fact.task = s->blockings.at[i].task;
        fact.mutex = s->blockings.at[i].mutex;
        fact.processor = TAC_NONE;
        if (!tacFactAdd(s->facts, fact)) return false;
    }
    if (s->latency.count && !tacFactAdd(s->facts, factOf(s, "latency", &s->latency))) return false;
    for (uint32_t i = 0; i < s->nProcessors; i++) {
        const tacClusterPolicy *policy = &s->policies[i];
        if (!policy->differs && !s->ties[i] && !s->found[i]) continue;
        tacFact fact = TAC_FACT(policy->stated ? "stated" : "supposed", .begin = TAC_UNKNOWN, .inversions = s->found[i],
            .ties = s->ties[i], .count = policy->differs ? s->decisions[i] : 0, .cluster = i,
            .scheduler = policy->mixed ? 0 : policy->scheduler);
        if (!tacArrayPush(&s->facts->facts, fact)) return false; /* however many others there are */
    }
    return true;
}

static void release(Sweep *s) {
    tacPlacesFree(&s->places);
    tacUrgenciesFree(&s->urgencies);
    tacFree(s->policies);
    tacFree(s->decisions);
    tacFree(s->found);
    tacFree(s->ties);
    tacFree(s->slots);
    tacArrayFree(&s->jobs);
    tacFree(s->jobNodes);
    tacArrayFree(&s->heirs);
    tacFree(s->mutexNodes);
    for (int i = 0; i < 2; i++) tacFree(s->queueNodes[i]), tacFree(s->memberNodes[i]);
    tacFree(s->mutexes);
    tacFree(s->queueOf);
    tacFree(s->queueAt);
    tacArrayFree(&s->queues);
    tacFree(s->served);
    tacFree(s->empty);
    tacFree(s->sets);
    tacFree(s->members);
    tacFree(s->firstMember);
    tacFree(s->processors);
    tacFree(s->pairs);
    tacInternFree(&s->blocked);
    tacArrayFree(&s->blockings);
    tacArrayFree(&s->touched);
    tacArrayFree(&s->changedQueues);
    tacArrayFree(&s->changedProcessors);
    tacArrayFree(&s->changedSets);
}

bool tacAuditPriority(const tacTrace *trace, tacFacts *facts) {
    Sweep s = {.trace = trace,
        .model = &trace->model,
        .facts = facts,
        .nTasks = tacStoreObjects(&trace->store, TAC_TASK),
        .nProcessors = trace->model.nProcessors,
        .recorded = tacSchedulingRecorded(&trace->store),
        .unused = TAC_NONE,
        .unusedHeir = TAC_NONE,
        .express = {.from = TAC_NONE},
        .walked = TAC_NONE};
    bool fine = prepare(&s);
    for (uint32_t i = 0; fine && i < s.nProcessors; i++) s.nClusters += s.policies[i].differs;
    facts->applicable = s.nClusters > 0;
    if (facts->applicable)
        fine = fine && findCeilings(&s) && findQueues(&s) && makeSets(&s) && sweep(&s) && addSums(&s);
    release(&s);
    return fine;
}
