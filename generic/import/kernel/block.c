/*
 * block.c -- tells a thread that is blocked from one that waits for its next job.
 *
 * A switch away tells only that the thread sleeps. It is blocked by the first of these rules that fits:
 *
 *      disk            the wait is uninterruptible (D)
 *      futex           it is within a system call that takes a lock: FUTEX_LOCK_PI, or FUTEX_WAIT as locks of C
 *                      libraries use it
 *      inheritance     since it runs it has lent its priority to another thread (sched_pi_setprio)
 *      priority        the thread that takes the processor has its priority, and has inherited it while this one ran:
 *                      after Rajotte and Dagenais (2014), 3.3
 *      job             the mapping, or its program, says that the job ends elsewhere
 *
 * If none fits, it waits for its next job.
 *
 * With `blocked priority` (tactus_map(5)) the paper's own rule decides instead, and after it `job`:
 *
 *      compared        the thread that takes the processor has an equal or higher priority
 *
 * That is right where all threads are SCHED_FIFO with different base priorities. remarkPrecondition checks this when
 * the whole trace has been read.
 */
#include "base/port.h"

#include "import/kernel/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKED = 40 }; /* tasks with a remark on how often they were blocked */

/* Names of the rules in remarks. */
static const char *const ruleNames[TAC_RULES] = {[TAC_RULE_DISK] = "an uninterruptible wait",
    [TAC_RULE_FUTEX] = "a futex call",
    [TAC_RULE_INHERITANCE] = "lending its priority",
    [TAC_RULE_PRIORITY] = "inheritance of its priority",
    [TAC_RULE_COMPARED] = "comparing priorities",
    [TAC_RULE_JOB] = "the mapping",
    [TAC_RULE_PROGRAM] = "its program",
    [TAC_RULE_BUDGET] = "lack of budget"};

bool tacKernelSetPriority(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->thread.pid)) return true;
    tacKThread *thread = tacKernelThreadOf(k, r->thread.pid);
    if (!thread) return false;
    if (thread->priority == TAC_KERNEL_NO_PRIORITY) thread->priority = r->thread.priority;
    thread->effective = r->other.priority;
    tacKernelLeast(thread, r->thread.priority);
    tacKernelLeast(thread, r->other.priority);
    bool rises = r->other.priority < r->thread.priority;
    if (!rises || !tacKernelIsThread(r->current.pid) || r->current.pid == r->thread.pid) return true;
    tacKThread *lender = tacKernelThreadOf(k, r->current.pid);
    if (lender) lender->lentTo = r->thread.pid;
    return lender != NULL;
}

/*
 * Has `next` inherited its priority from the thread that leaves? A thread lends its priority when it begins to wait for
 * a lock that a less urgent thread holds, right before it leaves its processor. No other thread of this processor can
 * lend one while it runs, so a priority that `next` had before came from elsewhere. An inherited priority is noted as
 * `effective`, and the thread's own priority stays.
 */
static bool inherits(const tacKThread *thread, tacKThread *next, const tacKernelRecord *r) {
    int32_t lent = r->other.priority;
    bool realTime = r->thread.priority != TAC_KERNEL_NO_PRIORITY && r->thread.priority < TAC_KERNEL_FAIR;
    if (!realTime || lent != r->thread.priority || next->priority == TAC_KERNEL_NO_PRIORITY) return false;
    if (next->state != TAC_K_PREEMPTED && next->state != TAC_K_READY)
        return false; /* it was on its way when its priority rose */
    /* Its migration to this processor may have shown the priority before this switch. */
    bool told = lent == next->effective && next->risen != TAC_UNKNOWN && next->risen >= thread->sure;
    if (told && next->priority == lent) next->priority = next->before; /* it was taken for its own */
    if (lent >= next->priority || (lent >= next->effective && !told)) return false;
    next->effective = lent;
    return true;
}

/*
 * The rule of Rajotte and Dagenais (2014), section 3.3: is the priority of the thread that comes equal to that of the
 * one that leaves, or higher? The idle thread is below all others. An inherited priority is noted as `effective`, and
 * the thread's own priority stays.
 */
static bool isCompared(const tacKThread *thread, tacKThread *next, const tacKernelRecord *r) {
    int32_t left = r->thread.priority, taken = r->other.priority;
    if (!next || next == thread || left == TAC_KERNEL_NO_PRIORITY || taken == TAC_KERNEL_NO_PRIORITY || taken > left)
        return false;
    if (taken < next->priority) next->effective = taken;
    return true;
}

/* Does the mapping, or the program, say that the job ends elsewhere than at a wait? */
static tacKRule goesOn(const tacKThread *thread) {
    if (!thread->rule || thread->rule->boundary <= TAC_BOUNDARY_WAKEUP) return TAC_RULE_NONE;
    if (thread->rule->boundary != TAC_BOUNDARY_PROGRAM) return TAC_RULE_JOB;
    return tacKernelProgramTells(thread) ? TAC_RULE_PROGRAM : TAC_RULE_NONE;
}

tacKRule tacKernelBlockRule(tacKernelTasks *k, const tacKThread *thread, const tacKernelRecord *r, tacKThread *next) {
    if (r->state == TAC_KERNEL_DEAD) return TAC_RULE_NONE;
    if (k->byPriority) {
        if (thread->outside) return TAC_RULE_NONE;
        return isCompared(thread, next, r) ? TAC_RULE_COMPARED : goesOn(thread);
    }
    bool lent = next && next != thread && inherits(thread, next, r);
    if (r->state == TAC_KERNEL_DISK) return TAC_RULE_DISK;
    if (thread->outside) return TAC_RULE_NONE;
    if (thread->awaited != TAC_NONE) return TAC_RULE_PROGRAM;
    if (thread->lock) return TAC_RULE_FUTEX;
    if (thread->lentTo != TAC_KERNEL_NOBODY) return TAC_RULE_INHERITANCE;
    if (lent) return TAC_RULE_PRIORITY;
    return goesOn(thread);
}

static int saidRule(const tacKernelTasks *k, const tacKThread *thread, char *text, size_t size) {
    if (thread->awaited == TAC_NONE) return snprintf(text, size, "program: the job goes on");
    return snprintf(text, size, "program: %.64s goes on first", tacObjectId(k->store, TAC_JOB, thread->awaited));
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
    case TAC_RULE_COMPARED:
        n = snprintf(text, sizeof text, "priorities: %d follows with %d", (int) r->other.pid, (int) r->other.priority);
        break;
    case TAC_RULE_PROGRAM: n = saidRule(k, thread, text, sizeof text); break;
    case TAC_RULE_BUDGET: n = snprintf(text, sizeof text, "deadline: no budget until it is replenished"); break;
    default: n = snprintf(text, sizeof text, "mapping: the job goes on"); break;
    }
    return tacKernelOption(k, TAC_OPT_MESSAGE, tacStoreString(k->store, text, (size_t) n));
}

/* ---- remarks ---- */

/* "2 by a futex call, 1 by the mapping" */
static void addRules(tacText *text, const uint32_t counts[TAC_RULES]) {
    const char *before = "";
    for (int i = 1; i < TAC_RULES; i++) {
        if (!counts[i]) continue;
        tacTextPrintf(text, "%s%u by %s", before, (unsigned) counts[i], ruleNames[i]);
        before = ", ";
    }
}

/* ---- the precondition of `blocked priority` ---- */

enum { MOST_NAMED = 8 }; /* threads in one remark */

typedef struct Based { /* a thread and its base priority */
    const tacKThread *thread;
    int32_t base; /* the priority without inheritance, which only makes a thread more urgent for some time */
} Based;

/* By base priority, then in the order of the trace. */
static int compareBased(const void *left, const void *right) {
    const Based *a = left, *b = right;
    if (a->base != b->base) return a->base < b->base ? -1 : 1;
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

/* Warns that the precondition is broken, with the threads: "11 (high), 12 (low) and 3 more". */
static void remarkBroken(tacKernelTasks *k, const Based *threads, size_t count, const char *how) {
    size_t shown = count <= MOST_NAMED ? count : MOST_NAMED - 1;
    tacText text = {0};
    for (size_t i = 0; i < shown; i++) {
        const tacKThread *thread = threads[i].thread;
        tacTextPrintf(&text, "%s%s", i ? ", " : "", tacObjectId(k->store, TAC_TASK, thread->task));
        if (thread->name != TAC_NONE) tacTextPrintf(&text, " (%s)", tacInternName(&k->names, thread->name, NULL));
    }
    if (shown < count) tacTextPrintf(&text, " and %zu more", count - shown);
    tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, 0, "BLOCKED", "\"blocked priority\" is not reliable here: %s: %s", how,
        text.at ? text.at : "");
    tacTextFree(&text);
}

/* Warns of threads with the same base priority if one of them is shown; hidden ones alone do no harm. */
static void remarkSame(tacKernelTasks *k, const Based *threads, size_t count) {
    char how[80];
    bool shown = false;
    for (size_t i = 0; i < count; i++) shown |= !tacKernelHidden(threads[i].thread);
    if (count < 2 || !shown) return;
    snprintf(how, sizeof how, "%zu threads have the base priority %d", count, (int) threads->base);
    remarkBroken(k, threads, count, how);
}

/* Checks that all threads are real-time ones, with different base priorities. Hidden ones may be fair, which is below
 * all others. */
static bool remarkPrecondition(tacKernelTasks *k) {
    size_t count = 0, fair = 0;
    Based *threads = tacAllocZero(k->threads.count + 1, sizeof *threads);
    Based *others = tacAllocZero(k->threads.count + 1, sizeof *others);
    for (size_t i = 0; threads && others && i < k->threads.count; i++) {
        const tacKThread *thread = &k->threads.at[i];
        Based based = {thread, tacKernelIsRealTime(thread->priority) ? thread->least : thread->priority};
        if (thread->interrupt || based.base == TAC_KERNEL_NO_PRIORITY) continue;
        if (tacKernelIsRealTime(based.base)) threads[count++] = based;
        else if (!tacKernelHidden(thread)) others[fair++] = based;
    }
    bool done = threads && others;
    if (fair) {
        char how[80];
        snprintf(how, sizeof how, fair == 1 ? "a thread is not real-time" : "%zu threads are not real-time", fair);
        remarkBroken(k, others, fair, how);
    }
    if (count) qsort(threads, count, sizeof *threads, compareBased);
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && threads[i + n].base == threads[i].base;) n++;
        remarkSame(k, threads + i, n);
    }
    tacFree(threads);
    tacFree(others);
    return done;
}

bool tacKernelBlockRemarks(tacKernelTasks *k) {
    uint32_t total[TAC_RULES] = {0};
    int said = 0;
    tacText text = {0};
    for (size_t i = 0; i < k->threads.count; i++) {
        const tacKThread *thread = &k->threads.at[i];
        if (k->byPriority && tacKernelHidden(thread)) continue; /* mostly fair threads, for which it has no meaning */
        bool worth = false; /* of a remark of its own: more than uninterruptible waits */
        for (int rule = 1; rule < TAC_RULES; rule++) {
            total[rule] += thread->blocked[rule];
            if (rule != TAC_RULE_DISK && thread->blocked[rule]) worth = true;
        }
        if (!worth || said++ >= MOST_BLOCKED) continue;
        tacText rules = {0};
        addRules(&rules, thread->blocked);
        text.failed |= rules.failed;
        const char *name = thread->name == TAC_NONE ? "" : tacInternName(&k->names, thread->name, NULL);
        tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "BLOCKED", "task %s (%s) is blocked: %s",
            tacObjectId(k->store, TAC_TASK, thread->task), name, rules.at ? rules.at : "");
        tacTextFree(&rules);
    }
    addRules(&text, total);
    if (text.length) tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "BLOCKED", "jobs are blocked: %s", text.at);
    bool fine = !text.failed;
    tacTextFree(&text);
    return fine && (!k->byPriority || remarkPrecondition(k));
}
