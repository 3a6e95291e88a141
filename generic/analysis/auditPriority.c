/*
 * auditPriority.c -- priority inversions: a job waits while a less urgent one runs on a processor where it could run.
 *
 *      inversion   `job` is ready from begin to end, `other` runs on `processor`, and no mutex explains it
 *      unbounded   `job` is blocked on `mutex`, and the holder at the end of its chain (the holder, or the holder of
 *                  the mutex that this one waits for, and so on) is ready but does not run, since `other` does, less
 *                  urgent than `job` and not in the chain
 *      blocking    the inversions of `task` that are explained by `mutex`, which the job that ran held: `count` of
 *                  them, the longest from begin to end (`job` waited for `other`), `amount` long, `limit` in all
 *
 * The lower value of -priority is the more urgent one (or the higher: tacFacts.highFirst). Interrupts (-kind isr,
 * softirq) are never in the wrong, nor is the job below one while it is handled, and they do not wait for a processor.
 * A job whose server (tacServersOfTasks) has no budget is not ready. A ready job may have to wait for any job that
 * holds a mutex: directly, by inheritance, by a ceiling, or because critical sections are not preempted. A job that is
 * blocked on a mutex has to wait only for those in its chain, and for mutexes that tasks as urgent as itself use (their
 * ceiling).
 *
 * Tasks that share processors fairly (the setting priority.fair) are all as urgent as the most urgent of them.
 *
 * A job could run on the processor to which its task is assigned, if the task ran on no other; else on the one where
 * its task ran, if no task ran on two; else on all. Of all jobs that wait for one processor, only the most urgent one
 * makes a fact.
 *
 * One pass over all changes (auditWait.h). After those of an instant, for each processor the least urgent job that
 * runs is compared with the most urgent one that is ready. Ready jobs stand in lists, one for each slot: a slot is one
 * level of priority of one group, a group is the tasks that can run in the same place; bits say which slots are not
 * empty.
 */
#include "base/port.h"

#include "analysis/auditWait.h"
#include "base/sort.h"

#include <stdlib.h>

enum {
    READY = 1,
    RUNNING = 2,
    BLOCKED = 4,    /* Job.state */
    EVERYWHERE = 0, /* group of the tasks that may run on any processor; that of processor p is p + 1 */
    MANY = 64       /* most links of a chain, running jobs of a processor, blocked jobs that are looked at */
};

typedef struct Job {       /* by index of tacModel.jobs */
    uint32_t next, before; /* in the list of its slot, of its processor, or of the blocked; TAC_NONE */
    uint32_t held;         /* the mutex it acquired last and holds; then Mutex.next; TAC_NONE */
    uint32_t wants;        /* mutex it is blocked on, TAC_NONE */
    uint32_t list;         /* list that it is in, TAC_NONE */
    uint16_t processor;
    uint8_t state;
} Job;

typedef struct Mutex {
    uint32_t holder, next; /* job, next mutex that it holds; TAC_NONE */
    int64_t ceiling;       /* urgency of the most urgent task that ever holds it */
} Mutex;

typedef struct Task {
    int64_t urgency; /* lower: more urgent */
    uint32_t group, slot;
    uint32_t server; /* on whose budget it runs, TAC_NONE */
    bool isr;
} Task;

typedef struct Stretch { /* an inversion under way; victim TAC_NONE: none */
    int64_t begin;
    uint32_t victim, culprit, mutex; /* jobs; mutex TAC_NONE: nothing explains it */
    uint32_t processor;
    bool seen; /* of blocked jobs: still so at this instant */
} Stretch;

typedef struct Blocking { /* an inversion that is explained */
    uint32_t task, mutex;
    Stretch stretch;
    int64_t end;
} Blocking;

typedef struct Sweep {
    const tacTrace *trace;
    const tacModel *model;
    tacFacts *facts;
    Job *jobs;
    Mutex *mutexes;
    Task *tasks;
    bool *empty;         /* by server: it has no budget now */
    uint32_t *order;     /* tasks by group and urgency; before that: their servers */
    uint32_t *lists;     /* heads: nSlots slots, then nProcessors, then the blocked */
    uint64_t *bits;      /* slots that are not empty */
    uint32_t *firstSlot; /* by group; those of group g end at firstSlot[g + 1] */
    uint32_t nTasks, nSlots, nProcessors;
    Stretch *active;           /* by processor */
    TAC_ARRAY(Stretch) chains; /* of blocked jobs */
    TAC_ARRAY(Blocking) blockings;
    int64_t now;
} Sweep;

static const Task *taskOf(const Sweep *s, uint32_t job) { return &s->tasks[s->model->jobs.at[job].task]; }
static int64_t urgencyOf(const Sweep *s, uint32_t job) { return taskOf(s, job)->urgency; }

/* ---- where tasks can run ---------------------------------------------------------------------------------------- */

/* The one processor where the task ran; TAC_NO_PROCESSOR: none, TAC_NO_PROCESSOR - 1: several. */
static uint16_t seenOn(const Sweep *s, uint32_t task) {
    uint16_t seen = TAC_NO_PROCESSOR;
    const tacTaskModel *model = &s->model->tasks[task];
    for (size_t i = 0; i < model->slices.count; i++) {
        if (model->slices.at[i].state != TAC_STATE_RUNNING || model->slices.at[i].processor == seen) continue;
        if (seen != TAC_NO_PROCESSOR) return TAC_NO_PROCESSOR - 1;
        seen = model->slices.at[i].processor;
    }
    return seen;
}

/* Finds the group of each task: the processor on which it can run, or all. */
static void findGroups(Sweep *s) {
    bool global = false;
    for (uint32_t i = 0; i < s->nTasks; i++) {
        s->tasks[i].slot = seenOn(s, i); /* for now */
        global |= s->tasks[i].slot == TAC_NO_PROCESSOR - 1;
    }
    for (uint32_t i = 0; i < s->nTasks; i++) {
        uint32_t seen = s->tasks[i].slot, home = s->trace->store.objects[TAC_TASK].at[i].processor;
        bool pinned = home != TAC_NO_PROCESSOR && (seen == home || seen == TAC_NO_PROCESSOR);
        if (pinned) seen = home;
        s->tasks[i].group = (pinned || !global) && seen < s->nProcessors ? seen + 1 : EVERYWHERE;
    }
}

static int byGroup(const void *left, const void *right, const void *data) {
    const Sweep *s = data;
    const Task *a = &s->tasks[*(const uint32_t *) left], *b = &s->tasks[*(const uint32_t *) right];
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    return a->urgency < b->urgency ? -1 : a->urgency > b->urgency;
}

/* Numbers the slots: the levels of urgency of each group. */
static bool findSlots(Sweep *s) {
    for (uint32_t i = 0; i < s->nTasks; i++) s->order[i] = i;
    if (!tacSort(s->order, s->nTasks, sizeof *s->order, byGroup, s, NULL)) return false;
    uint32_t group = 0;
    for (uint32_t i = 0; i < s->nTasks; i++) {
        Task *task = &s->tasks[s->order[i]];
        const Task *before = i ? &s->tasks[s->order[i - 1]] : NULL;
        if (!before || before->group != task->group || before->urgency != task->urgency) s->nSlots++;
        while (group < task->group) s->firstSlot[++group] = s->nSlots - 1;
        task->slot = s->nSlots - 1;
    }
    while (group < s->nProcessors + 1) s->firstSlot[++group] = s->nSlots;
    return true;
}

/* Do tasks with jobs differ in urgency? */
static bool severalPriorities(const Sweep *s) {
    uint32_t first = TAC_NONE;
    for (uint32_t i = 0; i < s->nTasks; i++) {
        if (s->model->tasks[i].nJobs == 0 || s->tasks[i].isr) continue;
        if (first != TAC_NONE && s->tasks[i].urgency != s->tasks[first].urgency) return true;
        if (first == TAC_NONE) first = i;
    }
    return false;
}

/* Finds the ceiling of each mutex. */
static void findCeilings(Sweep *s) {
    for (uint32_t i = 0; i < tacStoreObjects(&s->trace->store, TAC_MUTEX); i++) {
        const tacMutexModel *mutex = &s->model->mutexes[i];
        s->mutexes[i] = (Mutex){TAC_NONE, TAC_NONE, INT64_MAX};
        for (size_t k = 0; k < mutex->holds.count; k++) {
            int64_t urgency = s->tasks[mutex->holds.at[k].task].urgency;
            if (urgency < s->mutexes[i].ceiling) s->mutexes[i].ceiling = urgency;
        }
    }
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

static uint32_t processorList(const Sweep *s, uint32_t processor) { return s->nSlots + processor; }
static uint32_t blockedList(const Sweep *s) { return s->nSlots + s->nProcessors; }

static void setBit(Sweep *s, uint32_t list, bool on) {
    if (list >= s->nSlots) return;
    uint64_t bit = (uint64_t) 1 << (list & 63);
    if (on) s->bits[list >> 6] |= bit;
    else s->bits[list >> 6] &= ~bit;
}

/* Puts a job into a list, out of the one it was in; TAC_NONE: none. */
static void move(Sweep *s, uint32_t index, uint32_t list) {
    Job *job = &s->jobs[index];
    if (job->list == list) return;
    if (job->list != TAC_NONE) {
        if (job->next != TAC_NONE) s->jobs[job->next].before = job->before;
        *(job->before == TAC_NONE ? &s->lists[job->list] : &s->jobs[job->before].next) = job->next;
        if (s->lists[job->list] == TAC_NONE) setBit(s, job->list, false);
    }
    job->list = list;
    if (list == TAC_NONE) return;
    job->before = TAC_NONE;
    job->next = s->lists[list];
    if (job->next != TAC_NONE) s->jobs[job->next].before = index;
    s->lists[list] = index;
    setBit(s, list, true);
}

/* The first slot that is not empty, from `slot` on; `end`: none. */
static uint32_t nextSlot(const Sweep *s, uint32_t slot, uint32_t end) {
    while (slot < end) {
        uint64_t word = s->bits[slot >> 6] >> (slot & 63);
        if (word) return slot + (uint32_t) __builtin_ctzll(word) < end ? slot + (uint32_t) __builtin_ctzll(word) : end;
        slot = (slot | 63) + 1;
    }
    return end;
}

/* The most urgent ready job of a group that waits for a processor; TAC_NONE. Interrupts do not, nor do jobs whose
 * server has no budget. */
static uint32_t bestOf(const Sweep *s, uint32_t group) {
    uint32_t end = s->firstSlot[group + 1], n = 0;
    for (uint32_t slot = nextSlot(s, s->firstSlot[group], end); slot < end; slot = nextSlot(s, slot + 1, end))
        for (uint32_t job = s->lists[slot]; job != TAC_NONE && n++ < MANY; job = s->jobs[job].next) {
            const Task *task = taskOf(s, job);
            if (!task->isr && (task->server == TAC_NONE || !s->empty[task->server])) return job;
        }
    return TAC_NONE;
}

/* The most urgent ready job that could run on the processor; TAC_NONE. */
static uint32_t bestFor(const Sweep *s, uint32_t processor) {
    uint32_t here = bestOf(s, processor + 1), any = bestOf(s, EVERYWHERE);
    if (here == TAC_NONE || any == TAC_NONE) return here == TAC_NONE ? any : here;
    return urgencyOf(s, any) < urgencyOf(s, here) ? any : here;
}

/* The least urgent job that runs on the processor; TAC_NONE: none, or an interrupt is handled, so that the scheduler
 * cannot put another job there. */
static uint32_t worstOn(const Sweep *s, uint32_t processor) {
    uint32_t worst = TAC_NONE, n = 0;
    for (uint32_t job = s->lists[processorList(s, processor)]; job != TAC_NONE && n++ < MANY; job = s->jobs[job].next) {
        if (taskOf(s, job)->isr) return TAC_NONE;
        if (worst == TAC_NONE || urgencyOf(s, job) > urgencyOf(s, worst)) worst = job;
    }
    return worst;
}

/* ---- changes ---------------------------------------------------------------------------------------------------- */

/* Gives a mutex to a job; of two holders the first one counts. */
static void hold(Sweep *s, uint32_t job, uint32_t mutex) {
    if (s->mutexes[mutex].holder != TAC_NONE) return;
    s->mutexes[mutex].holder = job;
    s->mutexes[mutex].next = s->jobs[job].held;
    s->jobs[job].held = mutex;
}

static void letGo(Sweep *s, uint32_t job, uint32_t mutex) {
    uint32_t *link = &s->jobs[job].held;
    if (s->mutexes[mutex].holder != job) return;
    while (*link != mutex) link = &s->mutexes[*link].next;
    *link = s->mutexes[mutex].next;
    s->mutexes[mutex].holder = TAC_NONE;
}

static void apply(Sweep *s, const tacChange *change) {
    if (change->job == TAC_NONE) {
        s->empty[change->what] = change->kind == TAC_CHANGE_EMPTY;
        return;
    }
    Job *job = &s->jobs[change->job];
    switch (change->kind) {
    case TAC_CHANGE_HOLD_END: letGo(s, change->job, change->what); return;
    case TAC_CHANGE_HOLD: hold(s, change->job, change->what); return;
    case TAC_CHANGE_RUN_END: job->state &= (uint8_t) ~RUNNING; break;
    case TAC_CHANGE_READY_END: job->state &= (uint8_t) ~READY; break;
    case TAC_CHANGE_BLOCK_END: job->state &= (uint8_t) ~BLOCKED; break;
    case TAC_CHANGE_BLOCK: job->state |= BLOCKED, job->wants = change->what; break;
    case TAC_CHANGE_RUN: job->state |= RUNNING, job->processor = (uint16_t) change->what; break;
    case TAC_CHANGE_READY: job->state |= READY; break;
    default: return;
    }
    /* Into the list for its state. */
    uint32_t list = job->state & RUNNING ? processorList(s, job->processor)
        : job->state & BLOCKED           ? (job->wants != TAC_NONE ? blockedList(s) : TAC_NONE)
        : job->state & READY             ? taskOf(s, change->job)->slot
                                         : TAC_NONE;
    move(s, change->job, list);
}

/* ---- inversions ------------------------------------------------------------------------------------------------- */

static uint32_t idOf(const Sweep *s, uint32_t job) { return s->model->jobs.at[job].id; }

/* Ends an inversion now: it becomes a fact, or is kept among those that a mutex explains. */
static bool finish(Sweep *s, Stretch *stretch, const char *name) {
    uint32_t victim = stretch->victim;
    stretch->victim = TAC_NONE;
    if (victim == TAC_NONE || s->now <= stretch->begin) return true;
    if (stretch->mutex != TAC_NONE && name == NULL) {
        Stretch whole = *stretch;
        whole.victim = victim;
        return tacArrayPush(&s->blockings, (Blocking){s->model->jobs.at[victim].task, stretch->mutex, whole, s->now});
    }
    return tacFactAdd(s->facts,
        TAC_FACT(name ? name : "inversion", .begin = stretch->begin, .end = s->now,
            .amount = tacElapsed(stretch->begin, s->now), .job = idOf(s, victim), .other = idOf(s, stretch->culprit),
            .task = s->model->jobs.at[victim].task, .mutex = stretch->mutex, .processor = stretch->processor,
            .row = tacStoreFind(&s->trace->store, stretch->begin)));
}

/* The mutex that excuses the culprit: the outermost of those that tasks of this urgency use, else the outermost;
 * TAC_NONE. */
static uint32_t excuseOf(const Sweep *s, uint32_t culprit, int64_t urgency) {
    uint32_t asked = TAC_NONE, outermost = TAC_NONE, n = 0;
    for (uint32_t mutex = s->jobs[culprit].held; mutex != TAC_NONE && n++ < MANY; mutex = s->mutexes[mutex].next) {
        outermost = mutex;
        if (s->mutexes[mutex].ceiling <= urgency) asked = mutex;
    }
    return asked != TAC_NONE ? asked : outermost;
}

/* Updates the inversion of a processor at this instant. */
static bool lookAtProcessor(Sweep *s, uint32_t processor) {
    Stretch *active = &s->active[processor];
    uint32_t culprit = worstOn(s, processor), victim = culprit == TAC_NONE ? TAC_NONE : bestFor(s, processor);
    if (victim != TAC_NONE && urgencyOf(s, victim) >= urgencyOf(s, culprit)) victim = TAC_NONE;
    uint32_t mutex = victim == TAC_NONE ? TAC_NONE : excuseOf(s, culprit, urgencyOf(s, victim));
    if (active->victim == victim && (victim == TAC_NONE || (active->culprit == culprit && active->mutex == mutex)))
        return true;
    if (!finish(s, active, NULL)) return false;
    *active = (Stretch){s->now, victim, culprit, mutex, processor, true};
    return true;
}

/* Does the culprit hold a mutex that tasks of this urgency use? */
static bool hasCeiling(const Sweep *s, uint32_t culprit, int64_t urgency) {
    int n = 0;
    for (uint32_t mutex = s->jobs[culprit].held; mutex != TAC_NONE && n++ < MANY; mutex = s->mutexes[mutex].next)
        if (s->mutexes[mutex].ceiling <= urgency) return true;
    return false;
}

/* The running job, less urgent than the victim, that keeps `ready` from running; TAC_NONE: there is none, or it holds a
 * mutex that allows it. */
static uint32_t intruder(const Sweep *s, uint32_t ready, uint32_t victim, uint32_t *where) {
    uint32_t group = taskOf(s, ready)->group;
    uint32_t first = group == EVERYWHERE ? 0 : group - 1, end = group == EVERYWHERE ? s->nProcessors : group;
    for (uint32_t p = first; p < end; p++) {
        uint32_t job = worstOn(s, p);
        if (job == TAC_NONE || urgencyOf(s, job) <= urgencyOf(s, victim) || hasCeiling(s, job, urgencyOf(s, victim)))
            continue;
        *where = p;
        return job;
    }
    return TAC_NONE;
}

/* The job at the end of the victim's chain, for which all others wait, if it is ready; TAC_NONE. */
static uint32_t endOfChain(const Sweep *s, uint32_t victim) {
    uint32_t job = victim;
    for (int n = 0; n < MANY; n++) {
        const Job *one = &s->jobs[job];
        if (one->state & RUNNING) return TAC_NONE;
        if (!(one->state & BLOCKED)) return one->state & READY ? job : TAC_NONE;
        if (one->wants == TAC_NONE) return TAC_NONE;
        job = s->mutexes[one->wants].holder;
        if (job == TAC_NONE || job == victim) return TAC_NONE;
    }
    return TAC_NONE;
}

/* Updates the inversion of a job that is blocked on a mutex. */
static bool lookAtBlocked(Sweep *s, uint32_t victim) {
    uint32_t processor = TAC_NONE, ready = endOfChain(s, victim);
    uint32_t culprit = ready == TAC_NONE ? TAC_NONE : intruder(s, ready, victim, &processor);
    if (culprit == TAC_NONE) return true;
    for (size_t i = 0; i < s->chains.count; i++) {
        Stretch *stretch = &s->chains.at[i];
        if (stretch->victim == victim && stretch->culprit == culprit) return stretch->seen = true;
    }
    return tacArrayPush(&s->chains, (Stretch){s->now, victim, culprit, s->jobs[victim].wants, processor, true});
}

/* Updates the inversions of all blocked jobs. */
static bool lookAtChains(Sweep *s) {
    size_t kept = 0;
    int n = 0;
    for (size_t i = 0; i < s->chains.count; i++) s->chains.at[i].seen = false;
    for (uint32_t job = s->lists[blockedList(s)]; job != TAC_NONE && n++ < MANY; job = s->jobs[job].next)
        if (!lookAtBlocked(s, job)) return false;
    for (size_t i = 0; i < s->chains.count; i++) {
        if (s->chains.at[i].seen) s->chains.at[kept++] = s->chains.at[i];
        else if (!finish(s, &s->chains.at[i], "unbounded")) return false;
    }
    s->chains.count = kept;
    return true;
}

/* ---- inversions that mutexes explain ---------------------------------------------------------------------------- */

static int byTaskAndMutex(const void *left, const void *right, const void *data) {
    const Blocking *a = left, *b = right;
    (void) data;
    if (a->task != b->task) return a->task < b->task ? -1 : 1;
    return a->mutex < b->mutex ? -1 : a->mutex > b->mutex;
}

/* Adds an inversion to the fact about its task and mutex. */
static void sumUp(const Sweep *s, tacFact *fact, const Blocking *one) {
    int64_t length = tacElapsed(one->stretch.begin, one->end);
    fact->count++;
    fact->limit = tacAddTicks(fact->limit, length);
    if (length <= fact->amount) return;
    fact->amount = length;
    fact->begin = one->stretch.begin;
    fact->end = one->end;
    fact->job = idOf(s, one->stretch.victim);
    fact->other = idOf(s, one->stretch.culprit);
    fact->row = tacStoreFind(&s->trace->store, fact->begin);
}

/* Adds a fact for each task and mutex that has inversions. */
static bool addBlockings(Sweep *s) {
    size_t n = s->blockings.count;
    if (!tacSort(s->blockings.at, n, sizeof *s->blockings.at, byTaskAndMutex, NULL, s->facts->progress)) return false;
    for (size_t i = 0; i < n;) {
        const Blocking *first = &s->blockings.at[i];
        tacFact fact = TAC_FACT(
            "blocking", .begin = 0, .task = first->task, .mutex = first->mutex, .amount = 0, .limit = 0);
        for (; i < n && byTaskAndMutex(first, &s->blockings.at[i], NULL) == 0; i++)
            sumUp(s, &fact, &s->blockings.at[i]);
        if (!tacFactAdd(s->facts, fact)) return false;
    }
    return true;
}

/* ---- the sweep -------------------------------------------------------------------------------------------------- */

static bool allocate(Sweep *s) {
    size_t nJobs = s->model->jobs.count;
    s->jobs = tacAlloc(nJobs * sizeof *s->jobs);
    s->mutexes = tacAlloc(tacStoreObjects(&s->trace->store, TAC_MUTEX) * sizeof *s->mutexes);
    s->tasks = tacAllocZero(s->nTasks, sizeof *s->tasks);
    s->order = tacAlloc(s->nTasks * sizeof *s->order);
    s->empty = tacAllocZero(tacStoreObjects(&s->trace->store, TAC_SERVER), sizeof *s->empty);
    s->firstSlot = tacAllocZero((size_t) s->nProcessors + 2, sizeof *s->firstSlot);
    s->lists = tacAlloc(((size_t) s->nTasks + s->nProcessors + 1) * sizeof *s->lists);
    s->bits = tacAllocZero(s->nTasks / 64 + 1, sizeof *s->bits);
    s->active = tacAlloc(s->nProcessors * sizeof *s->active);
    if (!s->jobs || !s->mutexes || !s->tasks || !s->order || !s->empty || !s->firstSlot || !s->lists || !s->bits
        || !s->active)
        return false;
    for (size_t i = 0; i < nJobs; i++) s->jobs[i] = (Job){TAC_NONE, TAC_NONE, TAC_NONE, TAC_NONE, TAC_NONE, 0, 0};
    for (uint32_t i = 0; i < s->nTasks + s->nProcessors + 1; i++) s->lists[i] = TAC_NONE;
    for (uint32_t i = 0; i < s->nProcessors; i++) s->active[i] = (Stretch){.victim = TAC_NONE};
    return true;
}

/* Finds the urgency of each task, and its server. */
static bool findTasks(Sweep *s) {
    const char *text = tacStoreSetting(&s->trace->store, "priority.fair");
    char *end = NULL;
    long long value = text ? strtoll(text, &end, 10) : 0;
    /* From this value of -priority on, tasks share processors fairly. */
    int64_t fair = text && end != text && *end == '\0' ? value : INT64_MAX;
    if (!tacServersOfTasks(s->trace, s->order, s->facts->progress)) return false;
    for (uint32_t i = 0; i < s->nTasks; i++) {
        const tacObject *task = &s->trace->store.objects[TAC_TASK].at[i];
        int64_t priority = task->priority < fair ? task->priority : fair;
        s->tasks[i].urgency = s->facts->highFirst ? -priority : priority;
        s->tasks[i].isr = task->isr;
        s->tasks[i].server = s->order[i];
    }
    return true;
}

/* Goes over all changes, instant by instant. */
static bool sweep(Sweep *s) {
    tacChanges changes = {{0}};
    bool fine = tacChangesCollect(s->trace, &changes, s->facts->progress);
    for (size_t i = 0, instants = 0; fine && i < changes.all.count; instants++) {
        s->now = changes.all.at[i].time;
        for (; i < changes.all.count && changes.all.at[i].time == s->now; i++) apply(s, &changes.all.at[i]);
        for (uint32_t p = 0; fine && p < s->nProcessors; p++) fine = lookAtProcessor(s, p);
        fine = fine && lookAtChains(s) && tacProgressAt(s->facts->progress, instants);
    }
    tacArrayFree(&changes.all);
    for (uint32_t p = 0; fine && p < s->nProcessors; p++) fine = finish(s, &s->active[p], NULL);
    return fine && addBlockings(s);
}

bool tacAuditPriority(const tacTrace *trace, tacFacts *facts) {
    Sweep s = {.trace = trace,
        .model = &trace->model,
        .facts = facts,
        .nTasks = tacStoreObjects(&trace->store, TAC_TASK),
        .nProcessors = trace->model.nProcessors};
    bool fine = allocate(&s) && findTasks(&s);
    if (fine) {
        findGroups(&s);
        findCeilings(&s);
        facts->applicable = severalPriorities(&s);
    }
    if (facts->applicable) fine = fine && findSlots(&s) && sweep(&s);
    tacFree(s.jobs);
    tacFree(s.mutexes);
    tacFree(s.tasks);
    tacFree(s.order);
    tacFree(s.empty);
    tacFree(s.firstSlot);
    tacFree(s.lists);
    tacFree(s.bits);
    tacFree(s.active);
    tacArrayFree(&s.chains);
    tacArrayFree(&s.blockings);
    return fine;
}
