/*
 * loss.c -- gaps in a kernel trace: for each record, the thread that runs is compared with the one that was switched
 * to.
 *
 * The beginning of every record names the thread that runs on its processor. Where another thread was switched to, a
 * switch is missing: it happened between the last record by which the processor was known (`sure`) and this one. A
 * reported loss is treated alike. In between no thread is drawn as running, and the processor not as idle:
 *
 *      cpu  |-- A, known --|-- unknown --|-- B, known --
 *                         sure          now
 *      A    |-- running ---|-- unknown until A's next record
 *      B    ----- ready ---|-- unknown --|-- running ---
 *
 * A processor whose time goes back is unknown until its clock has caught up; its records until then are left out.
 */
#include "base/port.h"

#include "import/kernel/state.h"

#include <stdio.h>

/* ---- threads ---- */

bool tacKernelUnknown(tacKernelTasks *k, tacKThread *thread, int64_t since) {
    if (thread->state == TAC_K_LOST) return true;
    if (thread->job == TAC_NONE && !thread->outside && !tacKernelBeginJob(k, thread)) return false;
    thread->state = TAC_K_LOST;
    thread->waking = thread->spent = false;
    if (TAC_UNLIKELY(thread->urgent != TAC_NONE)) tacKernelUrgentLost(k, thread);
    return tacKernelJobRow(k, thread, since, TAC_EV_JOB_UNKNOWN, TAC_NONE, -1);
}

bool tacKernelOver(tacKernelTasks *k, tacKThread *thread, int64_t time) {
    int64_t since = thread->sure; /* its state was certain until then */
    if (thread->state == TAC_K_RUNNING && thread->processor >= 0 && !thread->interrupt) {
        int64_t there = k->processors.at[thread->processor].sure;
        if (there != TAC_UNKNOWN && there > since) since = there;
    }
    if (!tacKernelUnknown(k, thread, since) || !tacKernelEndJob(k, thread, time, TAC_EV_JOB_ABANDONED, TAC_NONE))
        return false;
    thread->state = TAC_K_SLEEPING;
    return true;
}

/* ---- processors ---- */

/* The thread that runs on the processor is unknown since then. */
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

/* The processor, and the thread that ran there, are unknown since its last record. */
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

/* The same, and a switch is missing there. */
static bool loseSwitch(tacKernelTasks *k, tacKProcessor *p) {
    if (p->missed++ == 0) p->missedLine = k->line;
    return lose(k, p);
}

bool tacKernelUnseen(tacKernelTasks *k, tacKThread *thread) {
    tacKProcessor *p = thread->processor < 0 ? NULL : &k->processors.at[thread->processor];
    return p && p->current == thread->pid ? loseSwitch(k, p) : tacKernelUnknown(k, thread, thread->sure);
}

/* ---- the thread that runs ---- */

/* Names a thread that no event has named by the beginning of the record, where a name may be cut or stand for none. */
static bool learnName(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r) {
    tacKernelThread said = {r->current.pid, TAC_KERNEL_NO_PRIORITY, r->current.name};
    bool named = r->event != TAC_KERNEL_SWITCH && said.pid == thread->pid && said.name.length && said.name.at[0] != '<';
    return thread->name != TAC_NONE || !named || tacKernelLearn(k, thread, &said);
}

/* The thread runs here without a switch to it. Its state is unknown since the processor is; if it slept, already
 * since its own last row, for its wake-up is missing at some time after that. */
static bool appears(tacKernelTasks *k, tacKProcessor *p, int32_t number, int32_t pid, const tacKernelRecord *r) {
    int64_t since = p->sure != TAC_UNKNOWN ? p->sure : k->first;
    tacKThread *thread = tacKernelThreadOf(k, pid);
    if (!thread || !learnName(k, thread, r)) return false;
    if (thread->state == TAC_K_RUNNING && !tacKernelUnseen(k, thread)) return false;
    if (!tacKernelSettleWoken(k, thread)) return false;
    if (TAC_UNLIKELY(thread->spent) && !tacKernelReplenishedUnseen(k, thread, r->time, number)) return false;
    bool slept = thread->state == TAC_K_SLEEPING || (thread->state == TAC_K_BLOCKED && thread->woken == TAC_UNKNOWN);
    if (since < thread->sure || (slept && k->wakeups)) since = thread->sure;
    if (!tacKernelUnknown(k, thread, since)) return false;
    thread->state = TAC_K_RUNNING;
    thread->processor = number;
    return tacKernelJobRow(k, thread, r->time, TAC_EV_JOB_RESUMED, TAC_NONE, number);
}

/* Another thread runs than the one that was switched to. */
static bool surprise(tacKernelTasks *k, tacKProcessor *p, int32_t number, int32_t pid, const tacKernelRecord *r) {
    int64_t time = r->time;
    if (p->current != TAC_KERNEL_NOBODY) {
        if (!loseSwitch(k, p)) return false;
    } else if (p->sure == TAC_UNKNOWN && time > k->first) {
        if (!notKnown(k, p, k->first)) return false;
        if (k->overwritten) tacKernelLossy(p);
    }
    if (pid > 0 && !appears(k, p, number, pid, r)) return false;
    return tacKernelKnown(k, &k->processors.at[number], pid, time);
}

/* ---- losses and clocks ---- */

/* Any number of events may be missing since the processor's last record. */
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
    if (p->losses++ == 0) p->lossLine = k->line;
    if (r->number > 0) p->lost += (uint64_t) r->number;
    return loseEvents(k, p);
}

/* The processor's clock went back; *skip: it has not caught up yet. */
static bool takeBack(tacKernelTasks *k, tacKProcessor *p, int64_t time, bool *skip) {
    *skip = time < p->high;
    if (!*skip) return p->behind = false, true;
    if (p->back++ == 0) {
        p->backLine = k->line;
        p->backBy = p->high - time;
    }
    if (p->behind) return true;
    p->behind = true;
    return loseEvents(k, p);
}

/* A record that does not name its processor belongs to the one in swapper's name, or to the one where its thread runs.
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

/* Counts a record with a pid or processor that no kernel has. */
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
    k->now = r->time;
    if (TAC_LIKELY(r->time >= k->last)) k->last = r->time;
    else if (k->unordered++ == 0)
        k->unorderedLine = k->line; /* usual across processors, and harmless: rows are sorted */
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
    return pid < 0 || surprise(k, p, number, pid, r);
}

/* A processor without records is met when others wake threads there; it is unknown from the beginning on. */
bool tacKernelNeverSeen(tacKernelTasks *k) {
    for (size_t i = 0; i < k->processors.count; i++) {
        tacKProcessor *p = &k->processors.at[i];
        if (p->line != 0 && p->sure == TAC_UNKNOWN && k->first != TAC_UNKNOWN && !notKnown(k, p, k->first))
            return false;
    }
    return true;
}

/* ---- remarks ---- */

/* Adds the remarks on processor number i: losses, missing switches, its clock, unknown time. */
static void remarkProcessor(tacKernelTasks *k, unsigned i, const tacKProcessor *p) {
    char unknown[TAC_DECIMAL_SIZE], all[TAC_DECIMAL_SIZE], back[TAC_DECIMAL_SIZE];
    char events[64] = "";
    unsigned long long places = p->losses, lost = p->lost;
    if (places == 1 && lost) snprintf(events, sizeof events, ": %llu", lost);
    else if (lost) snprintf(events, sizeof events, ", %llu of them counted", lost);
    if (places == 1)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, p->lossLine, "LOST", "cpu%u: events are lost here%s", i, events);
    else if (places)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, p->lossLine, "LOST",
            "cpu%u: events are lost at %llu places%s; the first here", i, places, events);
    if (p->missed == 1)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, p->missedLine, "SWITCH",
            "cpu%u: a switch is missing here: another thread runs than the one that was switched to", i);
    else if (p->missed)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, p->missedLine, "SWITCH",
            "cpu%u: %llu switches are missing: another thread runs than the one that was switched to; the first is "
            "missing here",
            i, (unsigned long long) p->missed);
    tacLengthText(p->backBy, 9, 0, 0, back);
    if (p->back)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, p->backLine, "CLOCK",
            "cpu%u: time goes back by %s here; %llu event%s %s left out, until it has caught up", i, back,
            (unsigned long long) p->back, p->back == 1 ? "" : "s", p->back == 1 ? "is" : "are");
    if (!p->unknown) return; /* without any event there are no times, either */
    tacLengthText(p->unknown, 9, 0, 0, unknown);
    tacLengthText(k->last - k->first, 9, 0, 0, all);
    tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "UNKNOWN", "cpu%u: it is unknown which thread runs for %s of %s", i,
        unknown, all);
}

/* Adds a remark on a number of events: "1 event is ...", "2 events are ...". */
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
