/*
 * block.c -- a thread sleeps: is it blocked, or does it wait for its next job?
 *
 * A switch away says only that the thread sleeps. The rules, in this order; the first one that fits decides:
 *
 *      disk            the wait is uninterruptible (D)
 *      futex           it is within a system call that takes a lock: FUTEX_LOCK_PI, or FUTEX_WAIT as locks of C
 *                      libraries use it
 *      inheritance     since it runs it has lent its priority to another thread (sched_pi_setprio)
 *      priority        who takes the processor runs with its priority, and has got it while this one ran: Rajotte and
 *                      Dagenais (2014), 3.3
 *      job             the mapping says where the job ends, and that is not here
 *
 * Otherwise it waits for its next job.
 */
#include "base/port.h"

#include "import/kernel/state.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BLOCKED = 40 }; /* tasks of which it is said how often they were blocked */

/* In remarks. */
static const char *const ruleNames[TAC_RULES] = {[TAC_RULE_DISK] = "an uninterruptible wait",
    [TAC_RULE_FUTEX] = "a futex call",
    [TAC_RULE_INHERITANCE] = "lending its priority",
    [TAC_RULE_PRIORITY] = "its priority at another thread",
    [TAC_RULE_JOB] = "the mapping"};

bool tacKernelSetPriority(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->thread.pid)) return true;
    tacKThread *thread = tacKernelThreadOf(k, r->thread.pid);
    if (!thread) return false;
    if (thread->priority == TAC_KERNEL_NO_PRIORITY) thread->priority = r->thread.priority;
    thread->effective = r->other.priority;
    bool rises = r->other.priority < r->thread.priority;
    if (!rises || !tacKernelIsThread(r->current.pid) || r->current.pid == r->thread.pid) return true;
    tacKThread *lender = tacKernelThreadOf(k, r->current.pid);
    if (lender) lender->lentTo = r->thread.pid;
    return lender != NULL;
}

/*
 * Does `next` run with the priority of the one that leaves, by inheritance from it? A task lends its priority when it
 * begins to wait for what a less urgent one holds, right before it leaves its processor; nobody else can have done so
 * since it runs, but on other processors. What `next` had before that was given by somebody else. If so, that is noted,
 * and its own priority stays what it was.
 */
static bool inherits(const tacKThread *thread, tacKThread *next, const tacKernelRecord *r) {
    int32_t lent = r->other.priority;
    bool realTime = r->thread.priority != TAC_KERNEL_NO_PRIORITY && r->thread.priority < 100;
    if (!realTime || lent != r->thread.priority || next->priority == TAC_KERNEL_NO_PRIORITY) return false;
    if (next->state != TAC_K_PREEMPTED && next->state != TAC_K_READY)
        return false; /* it was on its way when its priority rose */
    bool told = lent == next->effective && next->risen != TAC_UNKNOWN && next->risen >= thread->sure; /* before, by its
                                                                                                         migration to
                                                                                                         here */
    if (told && next->priority == lent) next->priority = next->before; /* it was taken for its own */
    if (lent >= next->priority || (lent >= next->effective && !told)) return false;
    next->effective = lent;
    return true;
}

tacKRule tacKernelBlockRule(tacKernelTasks *k, const tacKThread *thread, const tacKernelRecord *r, tacKThread *next) {
    (void) k;
    if (r->state == TAC_KERNEL_DEAD) return TAC_RULE_NONE;
    bool lent = next && next != thread && inherits(thread, next, r);
    if (r->state == TAC_KERNEL_DISK) return TAC_RULE_DISK;
    if (thread->outside) return TAC_RULE_NONE;
    if (thread->lock) return TAC_RULE_FUTEX;
    if (thread->lentTo != TAC_KERNEL_NOBODY) return TAC_RULE_INHERITANCE;
    if (lent) return TAC_RULE_PRIORITY;
    return thread->rule && thread->rule->boundary != TAC_BOUNDARY_WAKEUP ? TAC_RULE_JOB : TAC_RULE_NONE;
}

bool tacKernelSayRule(tacKernelTasks *k, const tacKThread *thread, tacKRule rule, const tacKernelRecord *r) {
    char text[96];
    int n = 0;
    if (thread->outside || tacKernelHidden(thread)) return true;
    switch (rule) {
    case TAC_RULE_DISK: n = snprintf(text, sizeof text, "uninterruptible"); break;
    case TAC_RULE_FUTEX: n = snprintf(text, sizeof text, "futex 0x%llx", (unsigned long long) thread->lock); break;
    case TAC_RULE_INHERITANCE:
        n = snprintf(text, sizeof text, "inheritance: %d has its priority", (int) thread->lentTo);
        break;
    case TAC_RULE_PRIORITY: n = snprintf(text, sizeof text, "priority: %d runs with it", (int) r->other.pid); break;
    default: n = snprintf(text, sizeof text, "mapping: the job goes on"); break;
    }
    return tacKernelOption(k, TAC_OPT_MESSAGE, tacKernelString(k, text, (size_t) n));
}

/* ---- remarks ---- */

static void addRules(tacText *text, const uint32_t counts[TAC_RULES]) {
    const char *before = "";
    for (int i = 1; i < TAC_RULES; i++) {
        if (!counts[i]) continue;
        tacTextPrintf(text, "%s%u by %s", before, (unsigned) counts[i], ruleNames[i]);
        before = ", ";
    }
}

/* Is it said of the thread by itself? An uninterruptible wait is not worth it. */
static bool isWorth(const tacKThread *thread) {
    for (int i = TAC_RULE_DISK + 1; i < TAC_RULES; i++)
        if (thread->blocked[i]) return true;
    return false;
}

static void remarkThread(tacKernelTasks *k, const tacKThread *thread) {
    tacText text = {0};
    addRules(&text, thread->blocked);
    const char *name = thread->name == TAC_NONE ? "" : tacInternName(&k->names, thread->name, NULL);
    tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "BLOCKED", "task %s (%s) is blocked: %s",
        tacObjectId(k->store, TAC_TASK, thread->task), name, text.at ? text.at : "");
    tacTextFree(&text);
}

void tacKernelBlockRemarks(tacKernelTasks *k) {
    uint32_t total[TAC_RULES] = {0};
    int said = 0;
    tacText text = {0};
    for (size_t i = 0; i < k->threads.count; i++) {
        const tacKThread *thread = &k->threads.at[i];
        for (int rule = 1; rule < TAC_RULES; rule++) total[rule] += thread->blocked[rule];
        if (isWorth(thread) && said++ < MOST_BLOCKED) remarkThread(k, thread);
    }
    addRules(&text, total);
    if (text.length) tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "BLOCKED", "jobs are blocked: %s", text.at);
    tacTextFree(&text);
}
