/*
 * interrupt.c -- interrupts, softirqs and timers: each is a task on each processor that handles it; each handling is a
 * job.
 *
 *      entry -> jobArrived, jobResumed;  exit -> jobCompleted
 *
 * Handlings interrupt the thread that runs, and one another; the thread's own job goes on. Only softirqs that are
 * handled by a thread (ksoftirqd, or all of them with PREEMPT_RT) can be preempted with it.
 */
#include "base/port.h"

#include "import/kernel/state.h"

#include <stdio.h>
#include <string.h>

enum { MOST_HANDLINGS = 64, NAME_SHOWN = 48, ID_SIZE = 120 };

/* Kinds of interrupts. Their priorities are numbers like the kernel's, more urgent than those of all threads. */
static const struct InterruptKind {
    uint8_t begin, end;
    const char *id;
    int kind;
    int32_t priority;
} kinds[] = {
    {TAC_KERNEL_IRQ_ENTRY, TAC_KERNEL_IRQ_EXIT, "irq", 1, -5},
    {TAC_KERNEL_TIMER_ENTRY, TAC_KERNEL_TIMER_EXIT, "local_timer", 1, -4},
    {TAC_KERNEL_HRTIMER_ENTRY, TAC_KERNEL_HRTIMER_EXIT, "hrtimer", 1, -3},
    {TAC_KERNEL_SOFTIRQ_ENTRY, TAC_KERNEL_SOFTIRQ_EXIT, "softirq", 2, -2},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static uint8_t kindOf(tacKernelEvent event) {
    uint8_t i = 0;
    while (kinds[i].begin != event && kinds[i].end != event) i++;
    return i;
}

int tacKernelInterruptKind(const tacKThread *thread, int32_t *priority) {
    if (!thread->interrupt) return 0;
    *priority = kinds[thread->interrupt - 1].priority;
    return kinds[thread->interrupt - 1].kind;
}

/* ---- sources of interrupts ---- */

static char *addBytes(char *at, const char *bytes, size_t n) { return (char *) memcpy(at, bytes, n) + n; }

static char *addNumber(char *at, uint64_t number) {
    char digits[20], *end = digits + sizeof digits, *first = end;
    do *--first = (char) ('0' + number % 10);
    while ((number /= 10) > 0);
    return addBytes(at, first, (size_t) (end - first));
}

/* Writes an id, "irq 36/cpu0", "softirq RCU/cpu0", "local_timer/cpu0"; not with snprintf, since each interrupt needs
 * it. Returns its length. */
static size_t writeId(const tacKernelRecord *r, uint8_t kind, char id[ID_SIZE]) {
    char *at = addBytes(id, kinds[kind].id, strlen(kinds[kind].id));
    if (r->event == TAC_KERNEL_IRQ_ENTRY) {
        at = addNumber(addBytes(at, " ", 1), (uint64_t) r->number);
    } else if (r->text.length && r->event != TAC_KERNEL_TIMER_ENTRY) {
        const char *end = memchr(r->text.at, 0, r->text.length);
        size_t length = end ? (size_t) (end - r->text.at) : r->text.length;
        at = addBytes(addBytes(at, " ", 1), r->text.at, tacWholeLength(r->text.at, length, NAME_SHOWN));
    }
    at = addNumber(addBytes(at, "/cpu", 4), (uint64_t) r->processor);
    *at = 0;
    return (size_t) (at - id);
}

/* Names the task, as it is shown: "irq 36 eth0 cpu1". */
static bool label(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, const char *id) {
    char name[160];
    const char *slash = strrchr(id, '/');
    int n = (int) (r->event == TAC_KERNEL_IRQ_ENTRY && r->text.length < NAME_SHOWN ? r->text.length : 0);
    snprintf(
        name, sizeof name, "%.*s%s%.*s %s", (int) (slash - id), id, n ? " " : "", n, n ? r->text.at : "", slash + 1);
    thread->name = tacIntern(&k->names, name, strlen(name));
    return thread->name != TAC_NONE;
}

/* Place of the interrupt among the threads; TAC_NONE: no memory. */
static uint32_t interruptOf(tacKernelTasks *k, uint8_t kind, const tacKernelRecord *r) {
    char id[ID_SIZE];
    uint32_t name = tacIntern(&k->interruptNames, id, writeId(r, kind, id));
    if (name == TAC_NONE) return TAC_NONE;
    while (k->interrupts.count <= name)
        if (!tacArrayPush(&k->interrupts, TAC_NONE)) return TAC_NONE;
    if (TAC_LIKELY(k->interrupts.at[name] != TAC_NONE)) return k->interrupts.at[name];
    uint32_t place = k->interrupts.at[name] = tacKernelNewThread(k, TAC_KERNEL_NOBODY, id);
    if (place == TAC_NONE) return TAC_NONE;
    tacKThread *thread = &k->threads.at[place];
    thread->interrupt = (uint8_t) (kind + 1);
    thread->processor = r->processor;
    return label(k, thread, r, id) ? place : TAC_NONE;
}

/* ---- handlings ---- */

/* Ends the innermost handling: as completed, or at an unknown time. */
static bool endLast(tacKernelTasks *k, tacKProcessor *p, int64_t time, bool seen) {
    tacKHandling *handling = &p->handling.at[--p->handling.count];
    tacKThread *thread = &k->threads.at[handling->thread];
    return seen ? tacKernelEndJob(k, thread, time, TAC_EV_JOB_COMPLETED, TAC_NONE) : tacKernelOver(k, thread, time);
}

/* Ends the handlings from place `keep` on at an unknown time, since their ends were not seen. */
static bool endFrom(tacKernelTasks *k, tacKProcessor *p, size_t keep, int64_t time) {
    while (p->handling.count > keep)
        if (!endLast(k, p, time, false)) return false;
    return true;
}

bool tacKernelInterrupt(tacKernelTasks *k, const tacKernelRecord *r) {
    uint8_t kind = kindOf(r->event);
    if (r->processor < 0) return true;
    uint32_t place = interruptOf(k, kind, r);
    if (place == TAC_NONE) return false;
    tacKProcessor *p = &k->processors.at[r->processor];
    for (size_t i = 0; i < p->handling.count; i++) /* it was being handled: that end is missing */
        if (p->handling.at[i].thread == place && !endFrom(k, p, i, r->time)) return false;
    if (p->handling.count >= MOST_HANDLINGS && !endFrom(k, p, 0, r->time)) return false;
    if (!tacArrayPush(&p->handling, (tacKHandling){place, r->current.pid, kind, false, false})) return false;
    tacKThread *thread = &k->threads.at[place];
    thread->state = TAC_K_RUNNING;
    return tacKernelBeginJob(k, thread)
        && tacKernelJobRow(k, thread, r->time, TAC_EV_JOB_ARRIVED, thread->task, r->processor)
        && tacKernelJobRow(k, thread, r->time, TAC_EV_JOB_RESUMED, TAC_NONE, r->processor)
        && (TAC_LIKELY(!r->timer) || tacKernelTimer(k, r));
}

/* Ends the innermost handling of this kind, and all within it, whose ends are missing. An end without a beginning
 * belongs to a handling that began before the trace. */
bool tacKernelInterruptEnd(tacKernelTasks *k, const tacKernelRecord *r) {
    uint8_t kind = kindOf(r->event);
    if (r->processor < 0) return true;
    tacKProcessor *p = &k->processors.at[r->processor];
    size_t i = p->handling.count;
    while (i > 0 && p->handling.at[i - 1].kind != kind) i--;
    return i == 0 || (endFrom(k, p, i, r->time) && endLast(k, p, r->time, true));
}

/* ---- losses ---- */

bool tacKernelInterruptsLost(tacKernelTasks *k, tacKProcessor *p, int64_t since) {
    for (size_t i = 0; i < p->handling.count; i++) {
        p->handling.at[i].lost = true;
        if (!tacKernelUnknown(k, &k->threads.at[p->handling.at[i].thread], since)) return false;
    }
    return true;
}

bool tacKernelInterruptsOver(tacKernelTasks *k, tacKProcessor *p, int64_t time) {
    size_t i = 0;
    while (i < p->handling.count && !p->handling.at[i].lost) i++;
    return endFrom(k, p, i, time);
}

/* ---- switches ---- */

/* A softirq is preempted and resumes with its thread. An interrupt has no switches within, so a switch shows that its
 * end is missing. */
bool tacKernelInterruptsSwitch(tacKernelTasks *k, tacKProcessor *p, const tacKernelRecord *r) {
    for (size_t i = 0; i < p->handling.count; i++) {
        tacKHandling *handling = &p->handling.at[i];
        if (kinds[handling->kind].kind == 1) return endFrom(k, p, i, r->time);
        bool away = r->other.pid != handling->over;
        if (away == handling->preempted) continue;
        handling->preempted = away;
        if (!tacKernelJobRow(k, &k->threads.at[handling->thread], r->time,
                away ? TAC_EV_JOB_PREEMPTED : TAC_EV_JOB_RESUMED, TAC_NONE, away ? -1 : r->processor))
            return false;
    }
    return true;
}
