/*
 * loss.c -- gaps in a kernel trace: for each record, the thread that runs is compared with the one that the switches
 * say.
 *
 * The beginning of every record names the thread that runs on its processor. Where that is not the one the switches
 * said, a switch is missing: it happened after the last record by which the processor was known (`sure`) and before
 * this one. So is everything that happened in a reported loss. In between no thread is drawn as running, and the
 * processor not as idle:
 *
 *      cpu  |-- A, known --|-- unknown --|-- B, known --
 *                         sure          now
 *      A    |-- running ---|-- unknown until A's next record
 *      B    ----- ready ---|-- unknown --|-- running ---
 *
 * A processor whose time goes back is not known until its clock is where it was; its records until then are left out.
 */
#include "base/port.h"

#include "import/kernel/state.h"

#include <stdio.h>

/* ---- threads ---- */

/* Until when its state was certain. */
static int64_t sureUntil(const tacKernelTasks *k, const tacKThread *thread) {
    if (thread->state != TAC_K_RUNNING || thread->processor < 0 || thread->interrupt) return thread->sure;
    int64_t there = k->processors.at[thread->processor].sure;
    return there != TAC_UNKNOWN && there > thread->sure ? there : thread->sure;
}

bool tacKernelUnknown(tacKernelTasks *k, tacKThread *thread, int64_t since) {
    if (thread->state == TAC_K_LOST) return true;
    if (thread->job == TAC_NONE && !thread->outside && !tacKernelBeginJob(k, thread)) return false;
    thread->state = TAC_K_LOST;
    thread->waking = false;
    return tacKernelJobRow(k, thread, since, TAC_EV_JOB_UNKNOWN, TAC_NONE, -1);
}

bool tacKernelOver(tacKernelTasks *k, tacKThread *thread, int64_t time) {
    if (!tacKernelUnknown(k, thread, sureUntil(k, thread))
        || !tacKernelEndJob(k, thread, time, TAC_EV_JOB_ABANDONED, TAC_NONE))
        return false;
    thread->state = TAC_K_SLEEPING;
    return true;
}

/* ---- processors ---- */

static bool notKnown(tacKernelTasks *k, tacKProcessor *p, int64_t since) {
    p->current = TAC_KERNEL_NOBODY;
    if (p->unknownSince != TAC_UNKNOWN) return true;
    p->unknownSince = since;
    return tacKernelInterruptsLost(k, p, since)
        && tacKernelRow(k, since, TAC_EV_PROCESSOR_UNKNOWN, p->object, TAC_NONE, -1);
}

bool tacKernelKnown(tacKernelTasks *k, tacKProcessor *p, int32_t pid, int64_t time) {
    p->current = pid;
    p->sure = time;
    if (TAC_UNLIKELY(p->lossySince != TAC_UNKNOWN) && !tacKernelLossEnds(k, p, time)) return false;
    if (TAC_LIKELY(p->unknownSince == TAC_UNKNOWN)) return true;
    if (time > p->unknownSince) p->unknown += time - p->unknownSince;
    p->unknownSince = TAC_UNKNOWN;
    return tacKernelInterruptsOver(k, p, time)
        && (pid != 0 || tacKernelRow(k, time, TAC_EV_PROCESSOR_IDLE, p->object, TAC_NONE, -1));
}

/* The processor, and the thread that ran there, are unknown from its last sure moment on. */
static bool lose(tacKernelTasks *k, tacKProcessor *p) {
    int64_t since = p->sure != TAC_UNKNOWN ? p->sure : k->first;
    if (tacKernelIsThread(p->current)) {
        tacKThread *thread = tacKernelThreadOf(k, p->current);
        if (!thread) return false;
        bool here = thread->state == TAC_K_RUNNING
            && (thread->processor < 0 || &k->processors.at[thread->processor] == p);
        if (here && !tacKernelUnknown(k, thread, since)) return false;
    }
    return notKnown(k, p, since);
}

bool tacKernelUnseen(tacKernelTasks *k, tacKThread *thread) {
    int32_t number = thread->processor;
    if (number < 0 || k->processors.at[number].current != thread->pid) return tacKernelUnknown(k, thread, thread->sure);
    tacKProcessor *p = &k->processors.at[number];
    p->missed++;
    if (p->missedLine == 0) p->missedLine = k->line;
    return lose(k, p);
}

/* ---- the thread that runs ---- */

/* The thread runs here now, and no switch said so. It is unknown since the processor is; since its own last moment, if
 * it slept: then its wake-up is missing, at whatever time. */
static bool appears(tacKernelTasks *k, tacKProcessor *p, int32_t number, int32_t pid, int64_t time) {
    int64_t since = p->sure != TAC_UNKNOWN ? p->sure : k->first;
    tacKThread *thread = tacKernelThreadOf(k, pid);
    if (!thread) return false;
    if (thread->state == TAC_K_RUNNING && !tacKernelUnseen(k, thread)) return false;
    if (!tacKernelSettleWoken(k, thread)) return false;
    bool slept = thread->state == TAC_K_SLEEPING || (thread->state == TAC_K_BLOCKED && thread->woken == TAC_UNKNOWN);
    if (since < thread->sure || (slept && k->wakeups)) since = thread->sure;
    if (!tacKernelUnknown(k, thread, since)) return false;
    thread->state = TAC_K_RUNNING;
    thread->processor = number;
    return tacKernelJobRow(k, thread, time, TAC_EV_JOB_RESUMED, TAC_NONE, number);
}

/* Another thread runs than the switches say. */
static bool surprise(tacKernelTasks *k, tacKProcessor *p, int32_t number, int32_t pid, int64_t time) {
    if (p->current != TAC_KERNEL_NOBODY) {
        p->missed++;
        if (p->missedLine == 0) p->missedLine = k->line;
        if (!lose(k, p)) return false;
    } else if (p->sure == TAC_UNKNOWN && time > k->first) {
        if (!notKnown(k, p, k->first)) return false;
        if (k->overwritten) tacKernelLossy(p);
    }
    if (pid > 0 && !appears(k, p, number, pid, time)) return false;
    return tacKernelKnown(k, &k->processors.at[number], pid, time);
}

/* ---- losses and clocks ---- */

/* Any number of events may be missing since the processor's last one. */
static bool loseEvents(tacKernelTasks *k, tacKProcessor *p) {
    if (p->sure != TAC_UNKNOWN && !lose(k, p)) return false;
    return tacKernelLossy(p), true;
}

static bool takeLoss(tacKernelTasks *k, const tacKernelRecord *r) {
    if (r->processor < 0) {
        k->overwritten = true;
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, k->line, "LOST",
            "%lld older events had been overwritten: the trace begins in the middle", (long long) r->number);
        return true;
    }
    tacKProcessor *p = tacKernelProcessorOf(k, r->processor);
    if (!p) return false;
    p->losses++;
    if (r->number > 0) p->lost += (uint64_t) r->number;
    if (p->lossLine == 0) p->lossLine = k->line;
    return loseEvents(k, p);
}

/* The processor's clock has gone back; *skip: it has not caught up yet. */
static bool takeBack(tacKernelTasks *k, tacKProcessor *p, int64_t time, bool *skip) {
    *skip = time < p->high;
    if (!*skip) return p->behind = false, true;
    p->back++;
    if (p->backLine == 0) {
        p->backLine = k->line;
        p->backBy = p->high - time;
    }
    if (p->behind) return true;
    p->behind = true;
    return loseEvents(k, p);
}

/* Across processors a little disorder is usual in merged files, and harmless: rows are sorted. */
static void noteOrder(tacKernelTasks *k, int64_t time) {
    if (TAC_LIKELY(time >= k->last)) {
        k->last = time;
    } else if (k->unordered++ == 0) {
        k->unorderedLine = k->line;
    }
}

/* Where the record does not name its processor, it is the one where its thread runs, or the number in swapper's name.
 */
int32_t tacKernelPlace(tacKernelTasks *k, const tacKernelRecord *r) {
    if (TAC_LIKELY(r->processor >= 0)) return r->processor;
    const tacKernelThread *said[2] = {&r->thread, &r->other};
    for (int i = 0; i < 2 && r->event == TAC_KERNEL_SWITCH; i++) {
        int number;
        char name[24];
        if (said[i]->pid != 0 || !said[i]->name.at || said[i]->name.length >= sizeof name) continue;
        snprintf(name, sizeof name, "%.*s", (int) said[i]->name.length, said[i]->name.at);
        if (sscanf(name, "swapper/%d", &number) == 1 && number >= 0 && number < TAC_KERNEL_PROCESSORS) return number;
    }
    if (!tacKernelIsThread(r->current.pid) || (size_t) r->current.pid >= k->ofPid.count
        || k->ofPid.at[r->current.pid] == TAC_NONE)
        return -1;
    const tacKThread *thread = &k->threads.at[k->ofPid.at[r->current.pid]];
    return thread->state == TAC_K_RUNNING ? thread->processor : thread->queue;
}

static bool isStrange(tacKernelTasks *k, const tacKernelRecord *r) {
    if (TAC_LIKELY(r->current.pid < TAC_KERNEL_PIDS && r->thread.pid < TAC_KERNEL_PIDS && r->other.pid < TAC_KERNEL_PIDS
            && r->processor < TAC_KERNEL_PROCESSORS && r->target < TAC_KERNEL_PROCESSORS))
        return false;
    if (k->strange++ == 0) k->strangeLine = k->line;
    return true;
}

bool tacKernelPresent(tacKernelTasks *k, const tacKernelRecord *r, bool *skip) {
    int32_t pid = r->event == TAC_KERNEL_SWITCH ? r->thread.pid : r->current.pid;
    *skip = isStrange(k, r);
    if (TAC_UNLIKELY(*skip)) return true;
    if (TAC_UNLIKELY(r->event == TAC_KERNEL_LOST)) return *skip = true, takeLoss(k, r);
    if (TAC_UNLIKELY(k->first == TAC_UNKNOWN)) k->first = k->last = r->time;
    noteOrder(k, r->time);
    int32_t number = tacKernelPlace(k, r);
    if (TAC_UNLIKELY(number < 0)) return k->noProcessor++, true;
    tacKProcessor *p = tacKernelProcessorOf(k, number);
    if (!p) return false;
    if (TAC_UNLIKELY(r->time < p->high || p->behind)) {
        if (!takeBack(k, p, r->time, skip)) return false;
        if (*skip) return true;
    }
    p->high = r->time;
    if (TAC_LIKELY(p->current == pid)) return p->sure = r->time, true;
    return pid < 0 || surprise(k, p, number, pid, r->time);
}

/* Processors without records of their own: others have woken threads there. */
bool tacKernelNeverSeen(tacKernelTasks *k) {
    for (size_t i = 0; i < k->processors.count; i++) {
        tacKProcessor *p = &k->processors.at[i];
        if (p->line != 0 && p->sure == TAC_UNKNOWN && k->first != TAC_UNKNOWN && !notKnown(k, p, k->first))
            return false;
    }
    return true;
}

/* ---- remarks ---- */

static double seconds(int64_t nanoseconds) { return (double) nanoseconds / 1e9; }

static void remarkLosses(tacKernelTasks *k, unsigned i, const tacKProcessor *p) {
    char events[64] = "";
    unsigned long long places = p->losses, lost = p->lost;
    if (places == 1 && lost) snprintf(events, sizeof events, ": %llu", lost);
    else if (lost) snprintf(events, sizeof events, ", %llu of them counted", lost);
    if (places == 1)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, p->lossLine, "LOST", "cpu%u: events are lost here%s", i, events);
    else if (places)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, p->lossLine, "LOST",
            "cpu%u: events are lost at %llu places%s; the first here", i, places, events);
}

static void remarkSwitches(tacKernelTasks *k, unsigned i, const tacKProcessor *p) {
    if (p->missed == 1)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, p->missedLine, "SWITCH",
            "cpu%u: a switch is missing here: another thread runs than the one that was switched to", i);
    else if (p->missed)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, p->missedLine, "SWITCH",
            "cpu%u: %llu switches are missing: another thread runs than the one that was switched to; the first is "
            "missing here",
            i, (unsigned long long) p->missed);
}

static void remarkProcessor(tacKernelTasks *k, unsigned i, const tacKProcessor *p) {
    remarkLosses(k, i, p);
    remarkSwitches(k, i, p);
    if (p->back)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, p->backLine, "CLOCK",
            "cpu%u: time goes back by %.9f s here; %llu event%s %s left out, until it has caught up", i,
            seconds(p->backBy), (unsigned long long) p->back, p->back == 1 ? "" : "s", p->back == 1 ? "is" : "are");
    if (p->unknown)
        tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "UNKNOWN",
            "cpu%u: it is unknown which thread runs for %.9f s of %.9f s", i, seconds(p->unknown),
            seconds(k->last - k->first));
}

/* "1 event stands", "2 events stand" */
static void remarkCount(tacKernelTasks *k, tacSeverity severity, uint32_t line, const char *kind, uint64_t n,
    const char *one, const char *many) {
    if (n) tacDiagAdd(k->diag, severity, line, kind, "%llu %s", (unsigned long long) n, n == 1 ? one : many);
}

void tacKernelLossRemarks(tacKernelTasks *k) {
    for (size_t i = 0; i < k->processors.count; i++) {
        tacKProcessor *p = &k->processors.at[i];
        if (p->unknownSince != TAC_UNKNOWN && k->last > p->unknownSince) p->unknown += k->last - p->unknownSince;
        if (p->line != 0) remarkProcessor(k, (unsigned) i, p);
    }
    remarkCount(k, TAC_SEVERITY_NOTE, k->unorderedLine, "ORDER", k->unordered,
        "event comes after later ones; rows are sorted by time",
        "events come after later ones; rows are sorted by time");
    remarkCount(k, TAC_SEVERITY_NOTE, 0, "PROCESSOR", k->noProcessor,
        "event does not say on which processor it happened", "events do not say on which processor they happened");
    remarkCount(k, TAC_SEVERITY_WARNING, k->strangeLine, "RANGE", k->strange,
        "event with a pid or processor that no kernel has is left out",
        "events with pids or processors that no kernel has are left out");
    if (k->switches && !k->wakeups)
        tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "WAKEUPS",
            "the trace has no wake-ups: the release times of jobs are unknown");
}
