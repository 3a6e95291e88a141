/*
 * tasks.c -- takes the records of a kernel trace, one by one: first the thread that runs, then the event itself.
 */
#include "base/port.h"

#include "import/kernel/dat.h"
#include "import/kernel/state.h"

static tacKernelHandler *const handlers[TAC_KERNEL_EVENTS] = {[TAC_KERNEL_OTHER] = tacKernelKeep,
    [TAC_KERNEL_SWITCH] = tacKernelSwitch,
    [TAC_KERNEL_WAKING] = tacKernelWakeup,
    [TAC_KERNEL_WAKEUP] = tacKernelWakeup,
    [TAC_KERNEL_WAKEUP_NEW] = tacKernelWakeup,
    [TAC_KERNEL_MIGRATE] = tacKernelMigrate,
    [TAC_KERNEL_FORK] = tacKernelFork,
    [TAC_KERNEL_EXEC] = tacKernelExec,
    [TAC_KERNEL_EXIT] = tacKernelExit,
    [TAC_KERNEL_NEW] = tacKernelNew,
    [TAC_KERNEL_SETPRIO] = tacKernelSetPriority,
    [TAC_KERNEL_MARK] = tacKernelMark,
    [TAC_KERNEL_SYSCALL_ENTRY] = tacKernelCall,
    [TAC_KERNEL_SYSCALL_EXIT] = tacKernelCallEnd,
    [TAC_KERNEL_IRQ_ENTRY] = tacKernelInterrupt,
    [TAC_KERNEL_SOFTIRQ_ENTRY] = tacKernelInterrupt,
    [TAC_KERNEL_TIMER_ENTRY] = tacKernelInterrupt,
    [TAC_KERNEL_HRTIMER_ENTRY] = tacKernelInterrupt,
    [TAC_KERNEL_IRQ_EXIT] = tacKernelInterruptEnd,
    [TAC_KERNEL_SOFTIRQ_EXIT] = tacKernelInterruptEnd,
    [TAC_KERNEL_TIMER_EXIT] = tacKernelInterruptEnd,
    [TAC_KERNEL_HRTIMER_EXIT] = tacKernelInterruptEnd};

static bool take(tacKernelTasks *k, const tacKernelRecord *r) {
    bool skip;
    if (TAC_UNLIKELY(r->event >= TAC_KERNEL_TASK)) return tacKernelSaid(k, r);
    if (!tacKernelPresent(k, r, &skip)) return false;
    if (skip) return true;
    if (TAC_UNLIKELY(r->process > 0)) tacKernelProcess(k, r);
    if (TAC_UNLIKELY(k->target->keep != NULL) && r->words.at && !tacKernelKeepWords(k, r)) return false;
    if (TAC_UNLIKELY(k->target->map != NULL)) { /* before the handler: a job that ends here is not blocked here */
        if (!tacKernelBoundary(k, r) || !tacKernelMutex(k, r) || !tacKernelServer(k, r)) return false;
    } else if (r->event == TAC_KERNEL_SETPRIO && !tacKernelMutex(k, r)) {
        return false;
    }
    tacKernelHandler *handler = handlers[r->event];
    return !handler || handler(k, r);
}

/* Bytes of the larger tables that are of this reader alone. */
static uint64_t bytesOf(const tacKernelTasks *k) {
    return k->threads.capacity * sizeof *k->threads.at + k->ofPid.capacity * sizeof *k->ofPid.at
        + k->marks.capacity * sizeof *k->marks.at + k->mutexes.capacity * sizeof *k->mutexes.at
        + k->said.capacity * sizeof *k->said.at + k->urgent.capacity * sizeof *k->urgent.at
        + k->timers.capacity * sizeof *k->timers.at + k->sides.capacity * sizeof *k->sides.at
        + k->losses.capacity * sizeof *k->losses.at + k->wokenAgain.capacity * sizeof *k->wokenAgain.at
        + tacInternBytes(&k->interruptNames) + tacInternBytes(&k->names) + tacInternBytes(&k->timerAddresses)
        + tacInternBytes(&k->saidPids) + tacInternBytes(&k->sidePids);
}

tacStatus tacKernelTasksAdd(void *tasks, const tacKernelRecord *record, uint32_t line, tacError *err) {
    tacKernelTasks *k = tasks;
    k->err = err;
    k->line = line;
    k->understood |= record->event > TAC_KERNEL_OTHER && record->event < TAC_KERNEL_LOST;
    if (TAC_UNLIKELY(line % TAC_READER_LINES == 0) && tacStoreReader(k->store, bytesOf(k), line, err) != TAC_OK)
        return TAC_ERROR;
    return TAC_LIKELY(take(k, record)) ? TAC_OK : tacFailMemory(err); /* unless another error is there already */
}

/* Remarks on rules that nothing fitted, with similar names among the trace's threads. */
static bool remarkMap(tacKernelTasks *k) {
    size_t n = tacInternCount(&k->names);
    const char **names = tacAllocZero(n + 1, sizeof *names);
    if (!names) return false;
    for (size_t i = 0; i < n; i++) names[i] = tacInternName(&k->names, (uint32_t) i, NULL);
    tacKernelMapRemarks(k->target->map, names, k->diag);
    tacFree(names);
    return true;
}

/* Says why the trace is empty, unless an error has said so. */
static void remarkEmpty(const tacKernelTasks *k) {
    if (k->understood || tacDiagErrors(k->diag)) return;
    if (k->first == TAC_UNKNOWN)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, 0, "EMPTY", "nothing was recorded: the trace has no events");
    else if (!k->target->keep)
        tacDiagAdd(k->diag, TAC_SEVERITY_WARNING, 0, "EMPTY",
            "none of the events has a meaning here: tasks and jobs come from sched_switch and sched_wakeup "
            "(tactus_kernel(5)); others can be kept as messages (--keep)");
}

bool tacKernelTasksWants(void *tasks, tacKernelText name, bool known) {
    const tacKernelTasks *k = tasks;
    return known ? tacKernelNames(k, name) : k->target->map || tacKernelKeeps(k, name) || tacKernelIsBudget(name);
}

tacStatus tacKernelTasksFinish(tacKernelTasks *k, tacError *err) {
    k->err = err;
    tacKernelMarksEnd(k);
    if (!tacKernelNeverSeen(k) || !tacKernelDoubt(k) || !tacKernelUnswitched(k) || !tacKernelDefine(k)
        || !tacKernelDefineMutexes(k))
        return tacFailMemory(err);
    remarkEmpty(k);
    tacKernelLossRemarks(k);
    tacKernelUrgentRemarks(k);
    bool done = tacKernelBlockRemarks(k) && (!k->target->map || remarkMap(k));
    return done ? TAC_OK : tacFailMemory(err);
}

tacKernelTasks *tacKernelTasksNew(tacKernelTarget *target) {
    tacKernelTasks *k = tacAllocZero(1, sizeof *k);
    if (!k) return NULL;
    k->target = target;
    tacKernelBlocked blocked = target->blocked;
    if (blocked == TAC_BLOCKED_MAPPING && target->map) blocked = tacKernelMapBlocked(target->map);
    k->byPriority = blocked == TAC_BLOCKED_PRIORITY;
    k->store = target->store;
    k->diag = target->diag;
    k->first = TAC_UNKNOWN;
    k->freeMark = TAC_NONE;
    k->others = TAC_NONE;
    k->store->digits = 9;
    k->fromMark = tacStoreString(k->store, "mark", 4);
    k->fromCall = tacStoreString(k->store, "call", 4);
    k->fromEntry = tacStoreString(k->store, "entry", 5);
    k->yield = tacStoreString(k->store, "sched_yield", 11);
    if (k->yield != TAC_NONE && k->fromMark != TAC_NONE && k->fromCall != TAC_NONE && k->fromEntry != TAC_NONE)
        return k;
    tacFree(k);
    return NULL;
}

void tacKernelTasksFree(tacKernelTasks *k) {
    if (!k) return;
    for (size_t i = 0; i < k->processors.count; i++) {
        tacArrayFree(&k->processors.at[i].handling);
        tacArrayFree(&k->processors.at[i].doubted);
    }
    tacArrayFree(&k->processors);
    tacArrayFree(&k->threads);
    tacArrayFree(&k->ofPid);
    tacArrayFree(&k->interrupts);
    tacArrayFree(&k->marks);
    tacArrayFree(&k->mutexes);
    for (size_t i = 0; i < k->said.count; i++) tacArrayFree(&k->said.at[i].waiting);
    tacArrayFree(&k->said);
    tacArrayFree(&k->urgent);
    tacArrayFree(&k->timers);
    tacInternFree(&k->timerAddresses);
    tacInternFree(&k->saidPids);
    tacArrayFree(&k->sides);
    tacInternFree(&k->sidePids);
    tacArrayFree(&k->losses);
    tacArrayFree(&k->wokenAgain);
    tacInternFree(&k->interruptNames);
    tacInternFree(&k->names);
    tacFree(k);
}
