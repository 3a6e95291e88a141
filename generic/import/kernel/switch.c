/*
 * switch.c -- events of threads: switches, wake-ups, migrations, forks and ends (tasks.h has the picture).
 *
 * A wake-up has two halves, sched_waking where it is asked for and sched_wakeup where it is done: the first to come
 * ends the waiting, and with the second the thread stands in its processor's queue (jobReady).
 */
#include "base/port.h"

#include "import/kernel/state.h"

#include <string.h>

/* ---- wake-ups ---- */

bool tacKernelReleased(tacKernelTasks *k, tacKThread *thread, int64_t time, int32_t processor) {
    thread->state = TAC_K_READY;
    thread->queue = processor;
    thread->woken = TAC_UNKNOWN;
    thread->spent = false;
    if (TAC_UNLIKELY(thread->urgent != TAC_NONE)) tacKernelUrgentReleased(k, thread);
    if (thread->outside && thread->rule && thread->rule->boundary == TAC_BOUNDARY_SYSCALL) thread->outside = false;
    if (thread->outside) return true;
    return tacKernelBeginJob(k, thread)
        && tacKernelJobRow(k, thread, time, TAC_EV_JOB_ARRIVED, thread->task, processor);
}

/* The wake-up that the thread's state did not explain turns out to have ended a waiting: its job was over before. */
bool tacKernelSettleWoken(tacKernelTasks *k, tacKThread *thread) {
    int64_t woken = thread->woken;
    thread->woken = TAC_UNKNOWN;
    if (woken == TAC_UNKNOWN || thread->state != TAC_K_LOST || woken < thread->sure) return true;
    return tacKernelOver(k, thread, woken) && tacKernelReleased(k, thread, woken, thread->queue);
}

bool tacKernelIsReady(tacKernelTasks *k, tacKThread *thread, int64_t time) {
    thread->waking = thread->bare = thread->spent = false;
    thread->woken = TAC_UNKNOWN;
    if (thread->state == TAC_K_BLOCKED) thread->state = TAC_K_PREEMPTED;
    return tacKernelJobRow(k, thread, time, TAC_EV_JOB_READY, TAC_NONE, thread->queue);
}

/* A wake-up of a thread that was ready, or unknown: it has run and waited in between, so this is its next job. */
static bool wokenAgain(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r) {
    return tacKernelOver(k, thread, r->time) && tacKernelReleased(k, thread, r->time, r->target);
}

static bool wake(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r) {
    bool begins = r->event == TAC_KERNEL_WAKING, waking = thread->waking;
    if (thread->state != TAC_K_READY) thread->bare = !begins;
    thread->waking = begins;
    thread->queue = r->target;
    switch ((tacKState) thread->state) {
    case TAC_K_NEW:
    case TAC_K_SLEEPING:
    case TAC_K_GONE: return tacKernelReleased(k, thread, r->time, r->target);
    case TAC_K_LOST:
        if (!wokenAgain(k, thread, r)) return false;
        thread->waking = begins;
        return true;
    case TAC_K_READY:
        if (begins && !wokenAgain(k, thread, r)) return false;
        thread->waking = begins;
        return begins || !waking || tacKernelIsReady(k, thread, r->time);
    case TAC_K_BLOCKED: thread->woken = r->time; return begins || tacKernelIsReady(k, thread, r->time);
    default: /* it was about to sleep; or, if it is woken to another processor, may have slept unseen:
            tacKernelSettleWoken decides */
        if (r->target >= 0 && r->target != thread->processor) thread->woken = r->time;
        return thread->state != TAC_K_PREEMPTED || thread->job == TAC_NONE || tacKernelWokenAgain(k, thread->job);
    }
}

bool tacKernelWakeup(tacKernelTasks *k, const tacKernelRecord *r) {
    int32_t pid = r->thread.pid;
    if (!tacKernelIsThread(pid)) return true;
    if (r->target >= 0 && !tacKernelProcessorOf(k, r->target)) return false;
    tacKThread *thread = tacKernelThreadOf(k, pid);
    if (!thread) return false;
    k->wakeups++;
    if (r->event != TAC_KERNEL_WAKING) k->wakeupsDone = true;
    bool another = thread->ended || (thread->state != TAC_K_NEW && !thread->forked);
    if (TAC_UNLIKELY(r->event == TAC_KERNEL_WAKEUP_NEW && another)) { /* the pid has been given to another thread */
        if (!tacKernelRenew(k, pid)) return false;
        thread = tacKernelThreadOf(k, pid);
    }
    thread->forked = false;
    return tacKernelLearn(k, thread, &r->thread) && wake(k, thread, r);
}

bool tacKernelMigrate(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->thread.pid)) return true;
    if (r->target >= 0 && !tacKernelProcessorOf(k, r->target)) return false;
    tacKThread *thread = tacKernelThreadOf(k, r->thread.pid);
    if (!thread || !tacKernelLearn(k, thread, &r->thread)) return false;
    if (TAC_UNLIKELY(tacKernelIsSpent(thread))) return tacKernelReplenished(k, thread, r, r->target);
    if (TAC_UNLIKELY(thread->urgent != TAC_NONE) && thread->state == TAC_K_PREEMPTED) {
        if (!tacKernelBack(k, thread, r, r->target)) return false;
        if (thread->state == TAC_K_READY) return true; /* its next job has just been released there */
    }
    if (thread->bare && thread->state == TAC_K_READY && !tacKernelIsReady(k, thread, thread->sure))
        return false; /* else it would seem to be ready only now */
    thread->queue = r->target;
    bool queued = thread->state == TAC_K_PREEMPTED || (thread->state == TAC_K_READY && !thread->waking);
    return !queued || tacKernelJobRow(k, thread, r->time, TAC_EV_JOB_READY, TAC_NONE, r->target);
}

/* ---- switches ---- */

/* The thread leaves its processor: it is preempted, blocked by a rule, or its job is over. next: the thread that comes,
 * or NULL. */
static bool leave(
    tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, tacKRule rule, const tacKThread *next) {
    uint32_t target = next ? next->job : TAC_NONE;
    if (thread->state != TAC_K_RUNNING && !tacKernelUnknown(k, thread, thread->sure))
        return false; /* its processor was not known */
    thread->woken = TAC_UNKNOWN;
    thread->waking = false;
    if (TAC_UNLIKELY(tacKernelIsUrgent(r->thread.priority))) {
        bool done;
        if (!tacKernelUrgentLeaves(k, thread, next, r, target, &done) || done) return done;
    }
    if (r->state == TAC_KERNEL_RUNNABLE) {
        thread->state = TAC_K_PREEMPTED;
        return tacKernelJobRow(k, thread, r->time, TAC_EV_JOB_PREEMPTED, target, -1);
    }
    if (rule != TAC_RULE_NONE) {
        thread->state = TAC_K_BLOCKED;
        thread->blocked[rule]++;
        if (thread->awaited != TAC_NONE && rule == TAC_RULE_PROGRAM) target = thread->awaited;
        return tacKernelJobRow(k, thread, r->time, TAC_EV_JOB_BLOCKED, target, -1)
            && tacKernelSayRule(k, thread, rule, r);
    }
    if (!tacKernelEndJob(k, thread, r->time, TAC_EV_JOB_COMPLETED, target)) return false;
    thread->state = r->state == TAC_KERNEL_DEAD ? TAC_K_GONE : TAC_K_SLEEPING;
    if (r->state == TAC_KERNEL_DEAD) thread->ended = true;
    return true;
}

/* The thread takes a processor without a wake-up: it was woken unseen, unless the trace has no wake-ups at all. */
static bool takenAsleep(tacKernelTasks *k, tacKThread *thread) {
    if (k->wakeups) return tacKernelUnknown(k, thread, thread->sure);
    if (thread->rule && thread->rule->boundary == TAC_BOUNDARY_SYSCALL) thread->outside = false;
    return thread->job != TAC_NONE || thread->outside || tacKernelBeginJob(k, thread);
}

/* Brings a thread that takes a processor into a state from which it can, by rows for the events that are missing. */
static bool prepare(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, int32_t processor) {
    if (TAC_UNLIKELY(tacKernelIsSpent(thread))) return tacKernelReplenished(k, thread, r, processor);
    switch ((tacKState) thread->state) {
    case TAC_K_READY: return true;
    case TAC_K_PREEMPTED: return thread->urgent == TAC_NONE || tacKernelBack(k, thread, r, processor);
    case TAC_K_LOST: return tacKernelSettleWoken(k, thread);
    case TAC_K_RUNNING: return tacKernelUnseen(k, thread) && tacKernelSettleWoken(k, thread);
    case TAC_K_BLOCKED:
        return thread->woken != TAC_UNKNOWN ? tacKernelIsReady(k, thread, thread->woken) : takenAsleep(k, thread);
    default: return takenAsleep(k, thread);
    }
}

static bool enter(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, int32_t processor) {
    thread->state = TAC_K_RUNNING;
    thread->processor = processor;
    thread->lentTo = TAC_KERNEL_NOBODY;
    thread->woken = TAC_UNKNOWN;
    thread->waking = thread->spent = false;
    if (TAC_UNLIKELY(tacKernelIsUrgent(thread->effective)) && !tacKernelUrgentEnters(k, thread, r->time)) return false;
    return tacKernelJobRow(k, thread, r->time, TAC_EV_JOB_RESUMED, TAC_NONE, processor);
}

/* Finds the thread that takes the processor; *next NULL: none. */
static bool comes(tacKernelTasks *k, const tacKernelRecord *r, tacKThread **next) {
    *next = NULL;
    if (!tacKernelIsThread(r->other.pid)) return true;
    tacKThread *thread = tacKernelThreadOf(k, r->other.pid);
    if (thread && thread->state == TAC_K_GONE && r->other.pid != r->thread.pid) {
        if (!tacKernelRenew(k, r->other.pid)) return false;
        thread = tacKernelThreadOf(k, r->other.pid);
    }
    *next = thread;
    return thread != NULL;
}

bool tacKernelSwitch(tacKernelTasks *k, const tacKernelRecord *r) {
    tacKThread *thread = NULL, *next;
    int32_t number = tacKernelPlace(k, r);
    k->switches++;
    if (tacKernelIsThread(r->thread.pid) && !tacKernelThreadOf(k, r->thread.pid)) return false;
    if (!comes(k, r, &next)) return false;
    if (tacKernelIsThread(r->thread.pid)) thread = tacKernelThreadOf(k, r->thread.pid);
    tacKernelThread said = r->thread; /* the old tracer has its name only in the beginning of the line */
    if (TAC_UNLIKELY(!said.name.at) && r->current.pid == said.pid) {
        bool special = r->current.name.length && r->current.name.at[0] == '<'; /* "<...>", "<idle>" */
        if (!special) said.name = r->current.name;
    }
    if (thread && !tacKernelLearn(k, thread, &said)) return false;
    tacKRule rule = thread && r->state != TAC_KERNEL_RUNNABLE ? tacKernelBlockRule(k, thread, r, next) : TAC_RULE_NONE;
    if (next && next != thread && (!tacKernelLearn(k, next, &r->other) || !prepare(k, next, r, number))) return false;
    if (thread && !leave(k, thread, r, rule, next != thread ? next : NULL)) return false;
    if (next && !enter(k, next, r, number)) return false;
    if (number < 0) return true;
    tacKProcessor *p = &k->processors.at[number];
    if (TAC_UNLIKELY(p->doubted.count)) tacKernelLessUrgentRuns(k, number, r);
    return tacKernelInterruptsSwitch(k, p, r) && tacKernelKnown(k, p, r->other.pid, r->time);
}

/* ---- beginnings and ends ---- */

/* ---- processes ---- */

void tacKernelProcess(tacKernelTasks *k, const tacKernelRecord *r) {
    size_t pid = (size_t) r->current.pid;
    if (!tacKernelIsThread(r->current.pid) || pid >= k->ofPid.count || k->ofPid.at[pid] == TAC_NONE) return;
    tacKThread *thread = &k->threads.at[k->ofPid.at[pid]];
    if (thread->process != TAC_KERNEL_ITSELF && tacKernelIsThread(r->process)) thread->process = r->process;
}

/* Process of a thread that `parent` makes: with CLONE_THREAD that of the parent, without it its own. 0: not known. */
static int32_t processOf(const tacKernelTasks *k, int32_t parent, int32_t pid, bool flagged, int64_t flags) {
    const int64_t cloneThread = 0x10000;
    const tacKThread *maker = tacKernelIsThread(parent) && (size_t) parent < k->ofPid.count
            && k->ofPid.at[parent] != TAC_NONE
        ? &k->threads.at[k->ofPid.at[parent]]
        : NULL;
    if (parent == TAC_KERNEL_KTHREADD) return TAC_KERNEL_ITSELF;
    if (!flagged) return 0;
    return !(flags & cloneThread) ? pid : maker ? maker->process : 0;
}

bool tacKernelNew(tacKernelTasks *k, const tacKernelRecord *r) {
    int32_t pid = r->thread.pid;
    if (!tacKernelIsThread(pid)) return true;
    k->newThread = pid;
    k->newProcess = processOf(k, r->current.pid, pid, true, r->number);
    tacKThread *thread = tacKernelThreadOf(k, pid);
    if (thread && thread->state == TAC_K_NEW) thread->process = k->newProcess;
    return thread != NULL;
}

bool tacKernelFork(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->other.pid)) return true;
    tacKernelSide side = tacKernelSideOf(k, r->thread.pid);
    tacKThread *child = tacKernelThreadOf(k, r->other.pid);
    if (!child || (child->state != TAC_K_NEW && !tacKernelRenew(k, r->other.pid))) return false;
    child = tacKernelThreadOf(k, r->other.pid);
    child->state = TAC_K_SLEEPING;
    child->forked = true;
    child->process = r->other.pid == k->newThread && k->newProcess
        ? k->newProcess
        : processOf(k, r->thread.pid, r->other.pid, false, 0);
    k->newThread = 0;
    if (side != TAC_SIDE_OTHER) child->side = (uint8_t) (side == TAC_SIDE_PROGRAM ? side : TAC_SIDE_STARTED);
    child->sure = r->time;
    return tacKernelLearn(k, child,
        r->other.name.at ? &r->other : &(tacKernelThread){r->other.pid, TAC_KERNEL_NO_PRIORITY, r->thread.name});
}

/* The new name is that of the file, cut to the length that the kernel keeps. */
bool tacKernelExec(tacKernelTasks *k, const tacKernelRecord *r) {
    enum { NAME = 15 };
    if (!tacKernelIsThread(r->thread.pid) || !r->text.length) return true;
    tacKThread *thread = tacKernelThreadOf(k, r->thread.pid);
    if (thread && thread->side == TAC_SIDE_STARTED) thread->side = TAC_SIDE_PROGRAM;
    if (thread) thread->process = thread->pid; /* whatever it was a thread of */
    const char *end = r->text.at + r->text.length, *at = end;
    while (at > r->text.at && at[-1] != '/') at--;
    size_t n = (size_t) (end - at);
    if (!thread || n == 0) return thread != NULL;
    return tacKernelLearn(
        k, thread, &(tacKernelThread){r->thread.pid, TAC_KERNEL_NO_PRIORITY, {at, tacWholeLength(at, n, NAME)}});
}

bool tacKernelExit(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->thread.pid)) return true;
    tacKThread *thread = tacKernelThreadOf(k, r->thread.pid);
    if (thread) thread->ended = true;
    return thread && tacKernelLearn(k, thread, &r->thread);
}
