/*
 * deadline.c -- jobs that end though their thread does not sleep: of deadline threads, which use up their budget or
 * yield, and of real-time threads, which yield.
 *
 *                            it leaves in R, to                          its job
 *      deadline thread       a less urgent thread, or none               is over: it has no budget until the next
 *                                                                        replenishment, else it would run
 *                            a deadline thread that waited here before   is over: its deadline was the earlier one, and
 *                            this one ran                                only a replenishment makes it later
 *                            another deadline thread                     is in doubt
 *      SCHED_FIFO, SCHED_RR  an equally urgent thread                    is over, and the next one is released at once,
 *                                                                        unless a round-robin slice may be over
 *
 * A job in doubt is over if less urgent work runs on the thread's processor before the thread does. Otherwise, it
 * is over if a replenishment was due before the thread came back, and it had run as long as the thread's other jobs.
 * The row of its end is the row of its leaving, which is turned then.
 *
 * The next job of a deadline thread is released by its replenishment. The thread migrates or runs at once then, unless
 * another deadline thread ran on its processor. In this case the replenishment was a multiple of the shortest period
 * after the one before.
 */
#include "base/port.h"

#include "import/kernel/state.h"

#include <string.h>

/* The kernel's quantum of round robin is 100 ms, which it counts in ticks of up to 10 ms. */
#define QUANTUM INT64_C(100000000)
#define TICK INT64_C(10000000)

#define SOON INT64_C(500000) /* ns from the expiry of a timer to what it causes */

enum {
    FEWEST = 2, /* times of about the same length that make a period; times that a thread has followed a timer */
    MOST_TIMERS = 4096
};

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* What is known of a real-time or deadline thread, made when it is new; NULL: no memory. */
static tacKUrgent *urgentOf(tacKernelTasks *k, tacKThread *thread) {
    if (TAC_UNLIKELY(thread->urgent == TAC_NONE)) {
        tacKUrgent urgent = {.entered = TAC_UNKNOWN,
            .replenished = TAC_UNKNOWN,
            .period = TAC_UNKNOWN,
            .least = TAC_UNKNOWN,
            .leftRow = TAC_NONE,
            .queued = TAC_UNKNOWN,
            .queue = -1};
        uint32_t place = (uint32_t) k->urgent.count;
        if (!tacArrayPush(&k->urgent, urgent)) return NULL;
        thread->urgent = place;
    }
    return &k->urgent.at[thread->urgent];
}

bool tacKernelUrgentEnters(tacKernelTasks *k, tacKThread *thread, int64_t time) {
    tacKUrgent *urgent = urgentOf(k, thread);
    if (!urgent) return false;
    urgent->entered = time;
    urgent->leftRow = TAC_NONE;
    return true;
}

void tacKernelUrgentReleased(tacKernelTasks *k, tacKThread *thread) {
    tacKUrgent *urgent = &k->urgent.at[thread->urgent];
    urgent->ran = 0;
    urgent->throttled = false;
    urgent->leftRow = TAC_NONE;
    urgent->replenished = TAC_UNKNOWN;
}

void tacKernelUrgentLost(tacKernelTasks *k, const tacKThread *thread) {
    k->urgent.at[thread->urgent].entered = TAC_UNKNOWN;
    k->urgent.at[thread->urgent].leftRow = TAC_NONE;
}

/* Does the kernel's thread of this name run above all deadline threads? It moves threads to other processors. */
static bool isStopper(const tacKernelThread *thread) {
    static const char prefix[] = "migration/";
    return thread->name.length >= sizeof prefix - 1 && memcmp(thread->name.at, prefix, sizeof prefix - 1) == 0;
}

bool tacKernelIsBelowDeadline(const tacKernelThread *thread) {
    return thread->pid == 0 || (thread->priority >= 0 && !isStopper(thread));
}

/* ---- the end of a job -------------------------------------------------------------------------------------------- */

/* Reason why a thread leaves its processor in state R. */
typedef enum Leaving {
    PREEMPTED,
    DOUBTED, /* a deadline thread: preempted, or spent */
    SPENT,   /* a deadline thread: it has used up its budget, or yielded it */
    TURNED   /* a real-time thread: it has yielded, and is last in its queue */
} Leaving;

/* Has `next` waited on this processor since before the thread took it? */
static bool waitedBefore(const tacKernelTasks *k, const tacKThread *next, const tacKUrgent *urgent, int32_t number) {
    const tacKUrgent *other = next->urgent == TAC_NONE ? NULL : &k->urgent.at[next->urgent];
    int64_t since = other && other->queued > next->sure ? other->queued : next->sure;
    bool there = next->state == TAC_K_READY
        ? !next->waking && next->queue == number
        : next->state == TAC_K_PREEMPTED && other && other->leftRow == TAC_NONE && other->queue == number;
    return there && urgent->entered != TAC_UNKNOWN && since < urgent->entered;
}

static Leaving whyDeadline(const tacKernelTasks *k, const tacKThread *thread, const tacKUrgent *urgent,
    const tacKernelRecord *r, const tacKThread *next, int32_t number) {
    if (thread->priority >= 0) return PREEMPTED; /* it runs with an inherited deadline */
    if (thread->call == k->yield || urgent->throttled || tacKernelIsBelowDeadline(&r->other)) return SPENT;
    if (!next || isStopper(&r->other)) return PREEMPTED;
    return waitedBefore(k, next, urgent, number) ? SPENT : DOUBTED;
}

/* Where the trace has calls of sched_yield, it tells by these. */
static Leaving whyRealTime(
    const tacKernelTasks *k, const tacKThread *thread, tacKUrgent *urgent, const tacKernelRecord *r) {
    if (r->other.pid == 0 || r->other.priority != r->thread.priority) return PREEMPTED;
    int64_t rest = (urgent->slice + TICK) % QUANTUM;
    bool over = k->yieldsTold ? thread->call != k->yield : urgent->slice >= QUANTUM - TICK && rest <= 2 * TICK;
    urgent->roundRobin |= over;
    if (over || !urgent->roundRobin) urgent->slice = 0;
    return over ? PREEMPTED : TURNED;
}

/* Do the thread's jobs end where it yields, or has no budget? */
static bool endsInR(const tacKThread *thread) {
    if (!thread->rule) return true;
    return thread->outside ? thread->rule->boundary == TAC_BOUNDARY_SYSCALL
                           : thread->rule->boundary == TAC_BOUNDARY_AUTO
            || (thread->rule->boundary == TAC_BOUNDARY_PROGRAM && !tacKernelProgramTells(thread));
}

static bool spent(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, uint32_t target) {
    if (!thread->outside && !endsInR(thread) && !tacKernelHidden(thread)) {
        thread->state = TAC_K_BLOCKED;
        thread->blocked[TAC_RULE_BUDGET]++;
        if (!tacKernelJobRow(k, thread, r->time, TAC_EV_JOB_BLOCKED, target, -1)
            || !tacKernelSayRule(k, thread, TAC_RULE_BUDGET, r))
            return false;
    } else {
        if (!tacKernelEndJob(k, thread, r->time, TAC_EV_JOB_COMPLETED, target)) return false;
        thread->state = TAC_K_SLEEPING;
        k->spent++;
    }
    thread->spent = true;
    return true;
}

bool tacKernelUrgentLeaves(tacKernelTasks *k, tacKThread *thread, const tacKThread *next, const tacKernelRecord *r,
    uint32_t target, bool *done) {
    tacKUrgent *urgent = urgentOf(k, thread);
    if (!urgent) return false;
    int32_t number = thread->processor;
    int64_t since = urgent->entered != TAC_UNKNOWN ? urgent->entered : thread->sure;
    int64_t ran = r->time > since ? r->time - since : 0;
    urgent->ran += ran;
    urgent->slice += ran;
    urgent->queue = number;
    *done = true;
    switch (r->state != TAC_KERNEL_RUNNABLE ? PREEMPTED
            : r->thread.priority < 0        ? whyDeadline(k, thread, urgent, r, next, number)
                                            : whyRealTime(k, thread, urgent, r)) {
    case SPENT:
        urgent->yielding = urgent->throttled = false;
        if (urgent->entered != TAC_UNKNOWN && (urgent->least == TAC_UNKNOWN || urgent->ran < urgent->least))
            urgent->least = urgent->ran;
        return spent(k, thread, r, target);
    case TURNED:
        urgent->yielding = false;
        if (!endsInR(thread) || tacKernelHidden(thread)) break;
        k->turned++;
        thread->bare = true;
        return tacKernelEndJob(k, thread, r->time, TAC_EV_JOB_COMPLETED, target)
            && tacKernelReleased(k, thread, r->time, number);
    case DOUBTED:
        if (thread->job == TAC_NONE || thread->outside || number < 0 || !endsInR(thread)) break;
        thread->state = TAC_K_PREEMPTED;
        urgent->leftRow = tacStoreCount(k->store);
        return tacKernelJobRow(k, thread, r->time, TAC_EV_JOB_PREEMPTED, target, -1)
            && tacArrayPush(&k->processors.at[number].doubted, (uint32_t) (thread - k->threads.at));
    default: break;
    }
    *done = false;
    return true;
}

void tacKernelYields(tacKernelTasks *k, const tacKThread *thread) {
    k->yieldsTold = true;
    if (thread->urgent != TAC_NONE) k->urgent.at[thread->urgent].yielding = true;
}

/* Where no other thread waits, sched_yield returns without a switch. */
bool tacKernelYielded(tacKernelTasks *k, tacKThread *thread, int64_t time) {
    if (thread->urgent == TAC_NONE || !k->urgent.at[thread->urgent].yielding) return true;
    k->urgent.at[thread->urgent].yielding = false;
    bool ends = thread->state == TAC_K_RUNNING && thread->job != TAC_NONE && !thread->outside && endsInR(thread)
        && tacKernelIsRealTime(thread->effective);
    if (!ends) return true;
    k->turned++;
    tacKernelUrgentReleased(k, thread);
    return tacKernelEndJob(k, thread, time, TAC_EV_JOB_COMPLETED, TAC_NONE) && tacKernelBeginHere(k, thread, time);
}

/* The job in doubt was over when its thread left. */
static void wasSpent(tacKernelTasks *k, tacKThread *thread) {
    tacKUrgent *urgent = &k->urgent.at[thread->urgent];
    uint8_t *event = &k->store->event.at[urgent->leftRow];
    *event = (uint8_t) (TAC_EV_JOB_COMPLETED | (*event & 0x80));
    urgent->leftRow = TAC_NONE;
    thread->lastJob = thread->job;
    thread->job = TAC_NONE;
    thread->state = TAC_K_SLEEPING;
    thread->spent = true;
    k->spent++;
}

void tacKernelLessUrgentRuns(tacKernelTasks *k, int32_t number, const tacKernelRecord *r) {
    tacKProcessor *p = &k->processors.at[number];
    if (!tacKernelIsBelowDeadline(&r->other)) return;
    for (size_t i = 0; i < p->doubted.count; i++) {
        tacKThread *thread = &k->threads.at[p->doubted.at[i]];
        const tacKUrgent *urgent = &k->urgent.at[thread->urgent];
        bool stays = thread->state == TAC_K_PREEMPTED && thread->pid != r->other.pid && urgent->queue == number;
        if (stays && urgent->leftRow != TAC_NONE) wasSpent(k, thread);
    }
    p->doubted.count = 0;
}

/* ---- the release of the next one --------------------------------------------------------------------------------- */

/* Takes a time between two replenishments; several periods may lie in it. */
static void learnPeriod(tacKUrgent *urgent, int64_t time) {
    if (time <= 0) return;
    bool shorter = urgent->period == TAC_UNKNOWN || time < urgent->period - urgent->period / 10;
    if (shorter) urgent->periods = 0;
    else if (time - urgent->period > urgent->period / 10) return;
    urgent->periods++;
    if (shorter || time < urgent->period) urgent->period = time;
}

/* Time of the replenishment between the thread's leaving and `time`, by its period; TAC_UNKNOWN: none was due. */
static int64_t dueBefore(const tacKThread *thread, const tacKUrgent *urgent, int64_t time) {
    if (urgent->replenished == TAC_UNKNOWN || urgent->periods < FEWEST) return TAC_UNKNOWN;
    int64_t since = time - urgent->replenished, due = time - since % urgent->period;
    return since >= urgent->period && due > thread->sure ? due : TAC_UNKNOWN;
}

/* The thread's budget has been replenished: at this time if that is certain, else when it was due. */
static bool replenish(tacKernelTasks *k, tacKThread *thread, int64_t time, int32_t processor, bool certain) {
    tacKUrgent *urgent = urgentOf(k, thread);
    if (!urgent) return false;
    urgent->queued = time;
    int64_t due = certain ? TAC_UNKNOWN : dueBefore(thread, urgent, time);
    if (certain && urgent->certain && urgent->replenished != TAC_UNKNOWN)
        learnPeriod(urgent, time - urgent->replenished);
    if (due != TAC_UNKNOWN) time = due;
    thread->bare = true;
    thread->queue = processor;
    bool within = thread->state == TAC_K_BLOCKED;
    bool released = within ? tacKernelIsReady(k, thread, time) : tacKernelReleased(k, thread, time, processor);
    urgent->replenished = time;
    urgent->certain = certain;
    urgent->queue = processor;
    return released;
}

/* ---- timers and events of budgets -------------------------------------------------------------------------------- */

/* The timer of a budget has expired on this processor just before the thread came back: it is likely to be its own.
 * *time: the time when it did. */
static bool byTimer(tacKernelTasks *k, const tacKThread *thread, const tacKernelRecord *r, int64_t *time) {
    int32_t number = tacKernelPlace(k, r);
    tacKProcessor *p = number < 0 ? NULL : &k->processors.at[number];
    if (!p || p->timer == TAC_NONE || p->expired < thread->sure || r->time - p->expired > SOON) return false;
    tacKTimer *timer = &k->timers.at[p->timer];
    uint32_t place = (uint32_t) (thread - k->threads.at);
    timer->votes = timer->thread == place ? timer->votes + 1 : 1;
    timer->thread = place;
    p->timer = TAC_NONE;
    return *time = p->expired, true;
}

/* Servers of fair threads have such timers, too. */
bool tacKernelTimer(tacKernelTasks *k, const tacKernelRecord *r) {
    static const char function[] = "dl_task_timer";
    if (r->text.length != sizeof function - 1 || memcmp(r->text.at, function, r->text.length) != 0) return true;
    uint32_t id = tacInternFind(&k->timerAddresses, (const char *) &r->timer, sizeof r->timer);
    if (id == TAC_NONE) {
        if (k->timers.count >= MOST_TIMERS) return true;
        id = tacIntern(&k->timerAddresses, (const char *) &r->timer, sizeof r->timer);
        if (id == TAC_NONE || !tacArrayPush(&k->timers, ((tacKTimer){TAC_NONE, 0}))) return false;
    }
    const tacKTimer *timer = &k->timers.at[id];
    tacKThread *thread = timer->thread == TAC_NONE ? NULL : &k->threads.at[timer->thread];
    if (thread && timer->votes >= FEWEST && tacKernelIsSpent(thread))
        return replenish(k, thread, r->time, r->processor, true);
    k->processors.at[r->processor].timer = id;
    k->processors.at[r->processor].expired = r->time;
    return true;
}

static bool nameBegins(tacKernelText name, const char *prefix) {
    size_t n = strlen(prefix);
    return name.length >= n && memcmp(name.at, prefix, n) == 0;
}

bool tacKernelIsBudget(tacKernelText name) {
    return nameBegins(name, "sched_dl_throttle") || nameBegins(name, "sched_dl_replenish");
}

/* Reads "pid=123" in the text of an event; -1: there is none. */
static int32_t pidIn(tacKernelText text) {
    static const char key[] = "pid=";
    enum { KEY = sizeof key - 1 };
    for (size_t i = 0; i + KEY < text.length; i++) {
        int64_t pid = 0;
        if ((i > 0 && text.at[i - 1] != ' ') || memcmp(text.at + i, key, KEY) != 0) continue;
        for (size_t at = i + KEY; at < text.length && text.at[at] >= '0' && text.at[at] <= '9'; at++) {
            pid = 10 * pid + text.at[at] - '0';
            if (pid >= TAC_KERNEL_PIDS) return -1;
        }
        return (int32_t) pid;
    }
    return -1;
}

bool tacKernelBudget(tacKernelTasks *k, const tacKernelRecord *r) {
    bool throttles = nameBegins(r->name, "sched_dl_throttle");
    int32_t pid = pidIn(r->text);
    if (pid < 0 && throttles) pid = r->current.pid;
    if (!tacKernelIsThread(pid)) return true;
    tacKThread *thread = tacKernelThreadOf(k, pid);
    tacKUrgent *urgent = thread ? urgentOf(k, thread) : NULL;
    if (!urgent) return false;
    if (throttles) return urgent->throttled = thread->state == TAC_K_RUNNING, true;
    if (thread->state == TAC_K_PREEMPTED && urgent->leftRow != TAC_NONE) wasSpent(k, thread);
    return !tacKernelIsSpent(thread) || replenish(k, thread, r->time, urgent->queue, true);
}

/* ---- coming back ------------------------------------------------------------------------------------------------- */

bool tacKernelReplenished(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, int32_t processor) {
    bool certain = r->event == TAC_KERNEL_SWITCH ? tacKernelIsBelowDeadline(&r->thread) : r->current.pid == 0;
    if (!certain && r->event != TAC_KERNEL_SWITCH && tacKernelIsThread(r->current.pid)) {
        const tacKThread *current = tacKernelThreadOf(k, r->current.pid);
        if (!current) return false;
        certain = current->effective >= 0;
        thread = tacKernelThreadOf(k, r->event == TAC_KERNEL_SWITCH ? r->other.pid : r->thread.pid);
    }
    int64_t time = r->time;
    certain |= byTimer(k, thread, r, &time);
    return replenish(k, thread, time, processor, certain);
}

bool tacKernelReplenishedUnseen(tacKernelTasks *k, tacKThread *thread, int64_t time, int32_t processor) {
    bool due = thread->urgent != TAC_NONE && dueBefore(thread, &k->urgent.at[thread->urgent], time) != TAC_UNKNOWN;
    return !due || replenish(k, thread, time, processor, false);
}

bool tacKernelBack(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, int32_t processor) {
    tacKUrgent *urgent = &k->urgent.at[thread->urgent];
    urgent->queue = processor;
    if (urgent->leftRow == TAC_NONE) return true;
    bool over = dueBefore(thread, urgent, r->time) != TAC_UNKNOWN && urgent->least != TAC_UNKNOWN
        && urgent->ran >= urgent->least - urgent->least / 10;
    if (!over) return urgent->leftRow = TAC_NONE, true;
    wasSpent(k, thread);
    return replenish(k, thread, r->time, processor, false);
}

void tacKernelUrgentRemarks(tacKernelTasks *k) {
    if (k->spent)
        tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "YIELDS",
            "%llu job%s of deadline threads end%s in state R, where their budget is used up, or given back by "
            "sched_yield; the next ones are released by replenishments",
            (unsigned long long) k->spent, k->spent == 1 ? "" : "s", k->spent == 1 ? "s" : "");
    if (k->turned)
        tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "YIELDS",
            "%llu job%s of real-time threads end%s in state R, where they yield to equally urgent ones",
            (unsigned long long) k->turned, k->turned == 1 ? "" : "s", k->turned == 1 ? "s" : "");
}
