/*
 * thread.c -- threads and processors of a kernel trace as objects of the store, their jobs, and rows about these.
 */
#include "base/port.h"

#include "import/kernel/state.h"
#include "trace/scheduling.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64 }; /* bytes of a thread's name that are kept; the kernel's has 15 */

/* ---- threads ---- */

uint32_t tacKernelNewThread(tacKernelTasks *k, int32_t pid, const char *id) {
    uint32_t place = (uint32_t) k->threads.count, task = tacStoreObject(k->store, TAC_TASK, id, strlen(id));
    tacKThread thread = {.sure = k->first,
        .woken = TAC_UNKNOWN,
        .risen = TAC_UNKNOWN,
        .pid = pid,
        .processor = -1,
        .queue = -1,
        .lentTo = TAC_KERNEL_NOBODY,
        .task = task,
        .priority = TAC_KERNEL_NO_PRIORITY,
        .effective = TAC_KERNEL_NO_PRIORITY,
        .least = TAC_KERNEL_NO_PRIORITY,
        .job = TAC_NONE,
        .lastJob = TAC_NONE,
        .name = TAC_NONE,
        .line = k->line,
        .marks = TAC_NONE,
        .call = TAC_NONE,
        .callRow = TAC_NONE,
        .urgent = TAC_NONE,
        .mutex = TAC_NONE,
        .said = TAC_NONE,
        .awaited = TAC_NONE,
        .other = TAC_NONE};
    return task != TAC_NONE && tacArrayPush(&k->threads, thread) ? place : TAC_NONE;
}

/* The rule of a thread with this name: of the mapping, else as its program says; NULL: none. */
static const tacKernelRule *ruleOf(tacKernelTasks *k, const tacKThread *thread, tacKernelText name) {
    const tacKernelRule *rule = k->target->map ? tacKernelMapThread(k->target->map, thread->pid, name) : NULL;
    if (TAC_LIKELY(thread->said == TAC_NONE)) return rule;
    tacKernelSaidTask *said = k->said.at[thread->said].task;
    said->mapped = rule && rule->boundary != TAC_BOUNDARY_PROGRAM;
    return said->mapped ? rule : &said->rule;
}

/* Place of the nth thread of a pid, from 1; the id of its task is the pid, "123/2" for the second one. TAC_NONE: no
 * memory. */
static uint32_t newPid(tacKernelTasks *k, int32_t pid, uint32_t nth) {
    char id[40];
    if (nth == 1) snprintf(id, sizeof id, "%d", (int) pid);
    else snprintf(id, sizeof id, "%d/%u", (int) pid, (unsigned) nth);
    tacKernelSide side = nth == 1 ? tacKernelSideOf(k, pid) : TAC_SIDE_OTHER;
    uint32_t place = tacKernelNewThread(k, pid, id);
    if (place == TAC_NONE) return TAC_NONE;
    tacKThread *thread = &k->threads.at[place];
    thread->nth = nth;
    if (nth == 1 && k->sides.count) thread->process = tacKernelProcessTold(k, pid);
    if (k->said.count) thread->said = tacKernelSaidOf(k, pid, thread->task);
    thread->side = (uint8_t) (thread->said == TAC_NONE ? side : TAC_SIDE_PROGRAM);
    thread->rule = ruleOf(k, thread, (tacKernelText){"", 0}); /* no name yet */
    thread->outside = tacKernelProgramTells(thread);
    return place;
}

tacKThread *tacKernelThreadOf(tacKernelTasks *k, int32_t pid) {
    while (TAC_UNLIKELY(k->ofPid.count <= (size_t) pid))
        if (!tacArrayPush(&k->ofPid, TAC_NONE)) return NULL;
    if (TAC_UNLIKELY(k->ofPid.at[pid] == TAC_NONE) && (k->ofPid.at[pid] = newPid(k, pid, 1)) == TAC_NONE) return NULL;
    return &k->threads.at[k->ofPid.at[pid]];
}

bool tacKernelRenew(tacKernelTasks *k, int32_t pid) {
    tacKThread *thread = tacKernelThreadOf(k, pid);
    if (!thread) return false;
    if (thread->job != TAC_NONE && !tacKernelOver(k, thread, k->now)) return false;
    thread->state = TAC_K_GONE;
    k->ofPid.at[pid] = newPid(k, pid, thread->nth + 1);
    return k->ofPid.at[pid] != TAC_NONE;
}

/* ---- threads that the mapping hides ---- */

bool tacKernelHidden(const tacKThread *thread) { return thread->rule && thread->rule->hidden; }

/*
 * A hidden thread begins to run. All hidden threads together are one task, "other threads", without a row in the
 * picture: each run of one of them is a job of it. So processors are not idle then, and a thread that is preempted by a
 * hidden one is preempted by some job.
 */
static bool otherBegins(tacKernelTasks *k, tacKThread *thread, int64_t time, int32_t processor) {
    char id[32];
    if (k->others == TAC_NONE) k->others = tacStoreObject(k->store, TAC_TASK, "others", 6);
    int n = snprintf(id, sizeof id, "others.%u", (unsigned) ++k->otherJobs);
    thread->other = tacStoreNewJob(k->store, id, (size_t) n);
    if (k->others == TAC_NONE || thread->other == TAC_NONE) return false;
    k->store->jobTask.at[thread->other] = k->others;
    return tacKernelRow(k, time, TAC_EV_JOB_ARRIVED, thread->other, k->others, processor)
        && tacKernelRow(k, time, TAC_EV_JOB_RESUMED, thread->other, TAC_NONE, processor);
}

static bool otherEnds(tacKernelTasks *k, tacKThread *thread, int64_t time) {
    uint32_t job = thread->other;
    thread->other = TAC_NONE;
    return job == TAC_NONE || tacKernelRow(k, time, TAC_EV_JOB_COMPLETED, job, TAC_NONE, -1);
}

static bool hiddenRow(tacKernelTasks *k, tacKThread *thread, int64_t time, tacEvent event, int32_t processor) {
    if (event == TAC_EV_JOB_ARRIVED || event == TAC_EV_JOB_READY) return true;
    return otherEnds(k, thread, time) && (event != TAC_EV_JOB_RESUMED || otherBegins(k, thread, time, processor));
}

/* Looks up the mapping's rule for a thread with a new name, which may hide or show the thread, also while it runs. */
static bool askMap(tacKernelTasks *k, tacKThread *thread, tacKernelText name) {
    if (!k->target->map) return true;
    int64_t now = k->now > thread->sure ? k->now : thread->sure;
    const tacKernelRule *rule = ruleOf(k, thread, name);
    bool was = tacKernelHidden(thread), is = rule && rule->hidden, runs = thread->state == TAC_K_RUNNING;
    if (is && !was && !tacKernelEndJob(k, thread, now, TAC_EV_JOB_ABANDONED, TAC_NONE)) return false;
    thread->rule = rule;
    if (is && !was && runs && !otherBegins(k, thread, now, thread->processor)) return false;
    bool marked = rule && (rule->boundary == TAC_BOUNDARY_MARK || rule->boundary == TAC_BOUNDARY_EVENT);
    marked |= tacKernelProgramTells(thread);
    if (thread->job == TAC_NONE) thread->outside = marked;
    if (is || !was) return true;
    if (!otherEnds(k, thread, now)) return false;
    return !runs || tacKernelJobRow(k, thread, now, TAC_EV_JOB_RESUMED, TAC_NONE, thread->processor);
}

bool tacKernelLearn(tacKernelTasks *k, tacKThread *thread, const tacKernelThread *said) {
    int32_t priority = said->priority;
    if (priority != TAC_KERNEL_NO_PRIORITY && priority != thread->effective) {
        tacKernelLeast(thread, priority);
        if (priority < thread->effective) {
            thread->risen = k->now;
            thread->before = thread->effective;
        }
        if (thread->effective == thread->priority)
            thread->priority = priority; /* its own: block.c handles those that are lent */
        thread->effective = priority;
    }
    if (!said->name.at) return true;
    tacKernelText name = {said->name.at, tacWholeLength(said->name.at, said->name.length, NAME_SIZE)};
    size_t n = 0;
    const char *known = thread->name == TAC_NONE ? NULL : tacInternName(&k->names, thread->name, &n);
    if (TAC_LIKELY(known && n == name.length && memcmp(known, name.at, n) == 0)) return true;
    thread->name = tacIntern(&k->names, name.at, name.length);
    return thread->name != TAC_NONE && askMap(k, thread, name);
}

/* ---- processors ---- */

/* Adds the next processor. All up to the highest number get their objects, in order; those that are never met are not
 * defined. */
static bool addProcessor(tacKernelTasks *k) {
    tacKProcessor none = {.sure = TAC_UNKNOWN,
        .high = INT64_MIN,
        .unknownSince = TAC_UNKNOWN,
        .lossySince = TAC_UNKNOWN,
        .timer = TAC_NONE,
        .current = TAC_KERNEL_NOBODY};
    char id[24];
    int n = snprintf(id, sizeof id, "cpu%u", (unsigned) k->processors.count);
    none.object = tacStoreObject(k->store, TAC_PROCESSOR, id, (size_t) n);
    return none.object != TAC_NONE && tacArrayPush(&k->processors, none);
}

tacKProcessor *tacKernelProcessorOf(tacKernelTasks *k, int32_t number) {
    while (TAC_UNLIKELY(k->processors.count <= (size_t) number))
        if (!addProcessor(k)) return NULL;
    tacKProcessor *processor = &k->processors.at[number];
    if (TAC_UNLIKELY(processor->line == 0)) processor->line = k->line ? k->line : 1;
    return processor;
}

/* ---- rows ---- */

uint16_t tacKernelProcessorObject(const tacKernelTasks *k, int32_t processor) {
    bool met = processor >= 0 && (size_t) processor < k->processors.count && k->processors.at[processor].line != 0;
    return met ? (uint16_t) k->processors.at[processor].object : TAC_NO_PROCESSOR;
}

bool tacKernelRow(
    tacKernelTasks *k, int64_t time, tacEvent event, uint32_t subject, uint32_t object, int32_t processor) {
    return tacStoreAppend(
               k->store, time, event, subject, object, tacKernelProcessorObject(k, processor), k->line, k->err)
        != TAC_NONE;
}

bool tacKernelOption(tacKernelTasks *k, tacOption option, uint32_t string) {
    return string != TAC_NONE && tacStoreAddOption(k->store, tacStoreCount(k->store) - 1, option, string);
}

/* Adds a row for a thread outside of its jobs, whose work belongs to its last job; before its first job the thread is
 * treated as hidden. */
static bool outsideRow(tacKernelTasks *k, tacKThread *thread, int64_t time, tacEvent event, int32_t processor) {
    if (thread->lastJob == TAC_NONE) return hiddenRow(k, thread, time, event, processor);
    if (event == TAC_EV_JOB_READY || event == TAC_EV_JOB_ABANDONED) return true;
    if (event != TAC_EV_JOB_RESUMED) return tacKernelRow(k, time, TAC_EV_JOB_PREEMPTED, thread->lastJob, TAC_NONE, -1);
    return tacKernelRow(k, time, event, thread->lastJob, TAC_NONE, processor)
        && tacStoreAddOption(k->store, tacStoreCount(k->store) - 1, TAC_OPT_FORCE, 1);
}

bool tacKernelJobRow(
    tacKernelTasks *k, tacKThread *thread, int64_t time, tacEvent event, uint32_t object, int32_t processor) {
    if (time < thread->sure) time = thread->sure;
    thread->sure = time;
    if (TAC_UNLIKELY(thread->side == TAC_SIDE_PROGRAM) && processor >= 0)
        k->processors.at[processor].runsProgram = true;
    if (TAC_UNLIKELY(thread->rule != NULL) && thread->rule->hidden) return hiddenRow(k, thread, time, event, processor);
    if (TAC_UNLIKELY(thread->outside)) return outsideRow(k, thread, time, event, processor);
    if (TAC_UNLIKELY(thread->job == TAC_NONE) && !tacKernelBeginJob(k, thread))
        return false; /* the thread was hidden, or outside of its jobs, until its name changed */
    return tacKernelRow(k, time, event, thread->job, object, processor);
}

/* ---- jobs ---- */

/* Its id is written backwards, and not with snprintf, since each job needs it. */
bool tacKernelBeginJob(tacKernelTasks *k, tacKThread *thread) {
    if (tacKernelHidden(thread)) return true;
    char id[96], *end = id + sizeof id, *at = end;
    uint32_t number = ++thread->jobs;
    size_t n;
    do *--at = (char) ('0' + number % 10);
    while ((number /= 10) > 0);
    const char *task = tacInternName(&k->store->ids[TAC_TASK], thread->task, &n);
    if (n > sizeof id - 16) n = sizeof id - 16;
    *--at = '.';
    at -= n;
    memcpy(at, task, n);
    thread->job = tacStoreNewJob(k->store, at, (size_t) (end - at));
    if (thread->job == TAC_NONE) return false;
    k->store->jobTask.at[thread->job] = thread->task;
    return true;
}

bool tacKernelEndJob(tacKernelTasks *k, tacKThread *thread, int64_t time, tacEvent event, uint32_t target) {
    bool any = thread->job != TAC_NONE || thread->outside || thread->other != TAC_NONE;
    bool done = !any || tacKernelJobRow(k, thread, time, event, target, -1);
    if (thread->job != TAC_NONE) thread->lastJob = thread->job;
    thread->job = TAC_NONE;
    return done;
}

/* ---- jobs as the mapping has them ---- */

bool tacKernelBeginHere(tacKernelTasks *k, tacKThread *thread, int64_t time) {
    if (thread->outside && !tacKernelJobRow(k, thread, time, TAC_EV_JOB_PREEMPTED, TAC_NONE, -1)) return false;
    thread->outside = false;
    return tacKernelBeginJob(k, thread)
        && tacKernelJobRow(k, thread, time, TAC_EV_JOB_ARRIVED, thread->task, thread->processor)
        && tacKernelJobRow(k, thread, time, TAC_EV_JOB_RESUMED, TAC_NONE, thread->processor);
}

bool tacKernelBoundary(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->current.pid)) return true;
    tacKThread *thread = tacKernelThreadOf(k, r->current.pid);
    if (!thread) return false;
    const tacKernelRule *rule = thread->rule;
    if (!rule || rule->boundary <= TAC_BOUNDARY_WAKEUP || rule->boundary == TAC_BOUNDARY_PROGRAM
        || thread->state != TAC_K_RUNNING)
        return true;
    bool begins = tacKernelRuleBegins(rule, r), ends = begins || tacKernelRuleEnds(rule, r);
    if (ends && !begins && r->event == TAC_KERNEL_MARK && !tacKernelHideMark(k, thread, r)) return false;
    if (ends && !thread->outside) { /* the thread goes on running, outside of its jobs */
        if (!tacKernelEndJob(k, thread, r->time, TAC_EV_JOB_COMPLETED, TAC_NONE)) return false;
        thread->outside = true;
        if (!tacKernelJobRow(k, thread, r->time, TAC_EV_JOB_RESUMED, TAC_NONE, thread->processor)) return false;
    }
    return !begins || rule->boundary == TAC_BOUNDARY_SYSCALL || tacKernelBeginHere(k, thread, r->time);
}

bool tacKernelCallReturned(tacKernelTasks *k, tacKThread *thread, int64_t time) {
    bool again = thread->outside && thread->rule && thread->rule->boundary == TAC_BOUNDARY_SYSCALL
        && thread->state == TAC_K_RUNNING;
    return !again || tacKernelBeginHere(k, thread, time);
}

/* ---- definitions ---- */

static bool addOption(tacKernelTasks *k, uint32_t task, tacOption option, int64_t value) {
    return tacArrayPush(&k->store->objectOptions[TAC_TASK], (tacOptionValue){task, option, value});
}

static bool addText(tacKernelTasks *k, uint32_t task, tacOption option, const char *text, size_t length) {
    uint32_t string = tacStoreString(k->store, text, length);
    if (option == TAC_OPT_NAME) k->store->objects[TAC_TASK].at[task].name = string;
    return string != TAC_NONE && addOption(k, task, option, string);
}

static void define(tacKernelTasks *k, tacKind kind, uint32_t index, uint32_t line) {
    tacObject *object = &k->store->objects[kind].at[index];
    object->line = line ? line : 1;
    object->order = k->store->nDefinitions++;
}

/* Names a task as the mapping does, else by the thread's last name. */
static bool nameTask(tacKernelTasks *k, const tacKThread *thread) {
    size_t n = 0;
    const char *name = NULL;
    if (thread->rule && thread->rule->name) {
        name = thread->rule->name;
        n = strlen(name);
    } else if (thread->name != TAC_NONE) {
        name = tacInternName(&k->names, thread->name, &n);
    }
    return n == 0 || addText(k, thread->task, TAC_OPT_NAME, name, n);
}

/* Gives a task the times and the group of the mapping. */
static bool mapTask(tacKernelTasks *k, const tacKThread *thread) {
    const tacKernelRule *rule = thread->rule;
    uint32_t task = thread->task;
    if (rule) {
        tacObject *object = &k->store->objects[TAC_TASK].at[task];
        object->T = rule->T;
        object->D = rule->D;
        k->store->ruled |= rule->D != TAC_UNKNOWN;
        object->C = rule->C;
        bool done = (rule->C == TAC_UNKNOWN || addOption(k, task, TAC_OPT_C, rule->C))
            && (rule->D == TAC_UNKNOWN || addOption(k, task, TAC_OPT_D, rule->D))
            && (rule->T == TAC_UNKNOWN || addOption(k, task, TAC_OPT_T, rule->T));
        if (!done) return false;
    }
    tacKernelText name = {"", 0};
    if (thread->name != TAC_NONE) name.at = tacInternName(&k->names, thread->name, &name.length);
    const char *group = k->target->map ? tacKernelMapGroup(k->target->map, rule, name) : NULL;
    return !group || addText(k, task, TAC_OPT_GROUP, group, strlen(group));
}

/*
 * Has a task no row? Where it is known which programs were recorded, other programs' threads have none, and interrupts
 * where none of them ran; a mapping says itself what has.
 */
static bool isAside(const tacKernelTasks *k, const tacKThread *thread) {
    if (thread->interrupt) return !k->processors.at[thread->processor].runsProgram;
    return thread->side != TAC_SIDE_PROGRAM;
}

/* The policy that has threads of this priority; SCHED_FIFO and SCHED_RR are not told apart. */
static tacScheduler schedulerOf(int32_t priority) {
    if (priority == TAC_KERNEL_NO_PRIORITY) return TAC_SCHEDULER_NONE;
    if (priority < 0) return TAC_SCHEDULER_EDF;
    return tacKernelIsRealTime(priority) ? TAC_SCHEDULER_FP : TAC_SCHEDULER_FAIR;
}

/* Number of the processor to which a thread of the kernel is bound, by its name, "ksoftirqd/1" or "kworker/1:0"; -1:
 * none. */
static int boundTo(const char *name) {
    static const char *const bound[] = {"migration/", "ksoftirqd/", "kworker/", "cpuhp/", "idle_inject/", "rcuc/",
        "irq_work/", "ktimers/", "backlog_napi/", NULL};
    for (const char *const *prefix = bound; *prefix; prefix++) {
        int number, used = 0;
        if (strncmp(name, *prefix, strlen(*prefix)) != 0) continue;
        const char *at = name + strlen(*prefix);
        if (*at < '0' || *at > '9' || sscanf(at, "%4d%n", &number, &used) != 1) return -1; /* "kworker/u8:1" */
        return !at[used] || at[used] == ':' ? number : -1;
    }
    return -1;
}

/* States on which processors a thread may run, where that is known. */
static bool stateCpus(tacKernelTasks *k, const tacKThread *thread) {
    if (thread->rule && thread->rule->cpus)
        return addText(k, thread->task, TAC_OPT_CPUS, thread->rule->cpus, strlen(thread->rule->cpus));
    int number = thread->name == TAC_NONE ? -1 : boundTo(tacInternName(&k->names, thread->name, NULL));
    uint16_t processor = tacKernelProcessorObject(k, number);
    if (processor == TAC_NO_PROCESSOR) return true;
    const char *id = tacObjectId(k->store, TAC_PROCESSOR, processor);
    return addText(k, thread->task, TAC_OPT_CPUS, id, strlen(id));
}

/* States of which process a thread is, where that is known. */
static bool stateProcess(tacKernelTasks *k, const tacKThread *thread) {
    char number[16];
    bool itself = thread->process == TAC_KERNEL_ITSELF || thread->pid == TAC_KERNEL_KTHREADD;
    if (itself) return addText(k, thread->task, TAC_OPT_PROCESS, "kernel", strlen("kernel"));
    if (thread->process <= 0) return true;
    int length = snprintf(number, sizeof number, "%d", (int) thread->process);
    return addText(k, thread->task, TAC_OPT_PROCESS, number, (size_t) length);
}

static bool defineTask(tacKernelTasks *k, const tacKThread *thread, bool aside) {
    int32_t priority;
    int kind = tacKernelInterruptKind(thread, &priority);
    tacScheduler scheduler = TAC_SCHEDULER_NONE;
    if (kind == 0) {
        priority = thread->priority;
        if (thread->rule && thread->rule->priority != TAC_KERNEL_NO_PRIORITY) priority = thread->rule->priority;
        scheduler = thread->rule && thread->rule->scheduler ? thread->rule->scheduler : schedulerOf(priority);
        if (priority == TAC_KERNEL_NO_PRIORITY) priority = 140; /* behind all others */
    }
    define(k, TAC_TASK, thread->task, thread->line);
    if (!nameTask(k, thread) || !addOption(k, thread->task, TAC_OPT_PRIORITY, priority)) return false;
    tacObject *object = &k->store->objects[TAC_TASK].at[thread->task];
    object->priority = priority;
    object->isr = kind > 0;
    object->softirq = kind == 2;
    if (aside && !addOption(k, thread->task, TAC_OPT_HIDDEN, 1)) return false;
    if (kind > 0) {
        object->processor = (uint16_t) k->processors.at[thread->processor].object;
        return addText(k, thread->task, TAC_OPT_TASK_KIND, kind == 2 ? "softirq" : "isr", kind == 2 ? 7 : 3)
            && addOption(k, thread->task, TAC_OPT_PROCESSOR, object->processor);
    }
    return tacStoreSetScheduler(k->store, TAC_TASK, thread->task, scheduler) && stateCpus(k, thread)
        && stateProcess(k, thread) && mapTask(k, thread);
}

/* Defines the task of all hidden threads. */
static bool defineOthers(tacKernelTasks *k) {
    static const char name[] = "other threads";
    enum { LAST = 141 }; /* behind all other priorities */
    define(k, TAC_TASK, k->others, 1);
    k->store->objects[TAC_TASK].at[k->others].priority = LAST;
    k->store->objects[TAC_TASK].at[k->others].several = true;
    /* They are less urgent than others if all of them are fair. */
    bool fair = true;
    for (size_t i = 0; i < k->threads.count; i++) {
        const tacKThread *thread = &k->threads.at[i];
        if (!thread->interrupt && tacKernelHidden(thread)) fair &= schedulerOf(thread->priority) == TAC_SCHEDULER_FAIR;
    }
    if (fair && !tacStoreSetScheduler(k->store, TAC_TASK, k->others, TAC_SCHEDULER_FAIR)) return false;
    return addText(k, k->others, TAC_OPT_NAME, name, strlen(name))
        && addText(k, k->others, TAC_OPT_TASK_KIND, "several", 7) && addOption(k, k->others, TAC_OPT_PRIORITY, LAST)
        && addOption(k, k->others, TAC_OPT_HIDDEN, 1);
}

/* Defines the tasks of all threads and interrupts. */
static bool defineTasks(tacKernelTasks *k) {
    bool recorded = false;
    for (size_t i = 0; i < k->threads.count; i++) recorded |= k->threads.at[i].side == TAC_SIDE_PROGRAM;
    recorded &= !k->target->map && !k->target->all;
    uint32_t aside = 0;
    for (size_t i = 0; i < k->threads.count; i++) {
        const tacKThread *thread = &k->threads.at[i];
        if (tacKernelHidden(thread) && !thread->jobs) continue;
        bool is = recorded && isAside(k, thread);
        aside += is && !thread->interrupt;
        if (!defineTask(k, thread, is)) return false;
    }
    if (aside)
        tacDiagAdd(k->diag, TAC_SEVERITY_NOTE, 0, "THREADS",
            "%u thread%s of other programs ha%s no row: --allthreads shows them", (unsigned) aside,
            aside == 1 ? "" : "s", aside == 1 ? "s" : "ve");
    return true;
}

bool tacKernelDefine(tacKernelTasks *k) {
    static const char setting[] = "scheduler.recorded";
    for (size_t i = 0; i < k->processors.count; i++)
        if (k->processors.at[i].line != 0)
            define(k, TAC_PROCESSOR, k->processors.at[i].object, k->processors.at[i].line);
    if (!defineTasks(k)) return false;
    uint32_t name = tacStoreString(k->store, setting, strlen(setting)), value = tacStoreString(k->store, "1", 1);
    return name != TAC_NONE && value != TAC_NONE && tacArrayPush(&k->store->settings, name)
        && tacArrayPush(&k->store->settings, value) && (k->others == TAC_NONE || defineOthers(k));
}
