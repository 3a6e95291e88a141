/*
 * process.c -- what happens to tasks and ISRs, and the runnables that they call.
 *
 * An instance of a process is a job, "NAME.INSTANCE". Its events are those of the specification (Table 7):
 *
 *      activate          released              poll            polls: an annotation over its running
 *      start, resume     runs on the core      run             runs on, having polled
 *      preempt           ready                 park            preempted while it polls: waits
 *      wait              waits                 poll_parking    runs and polls again
 *      release           ready                 release_parking ready
 *      terminate         completed
 *
 * An instance that starts again after its end without an activation (tracers that do not count instances) is another
 * job.
 */
#include "base/port.h"

#include "import/btf/state.h"

#include <stdio.h>
#include <string.h>

enum { MOST_RUNNABLES = 256 }; /* that have begun in one job */

/* ---- cores ------------------------------------------------------------------------------------------------------- */

/* Index of the core, new or known; TAC_NONE: no memory. */
static uint32_t addCore(tacBtf *b, const tacWord *name) {
    uint32_t index = tacStoreObject(b->store, TAC_PROCESSOR, name->at, name->length);
    if (index != TAC_NONE && index == b->cores.count && !tacArrayPush(&b->cores, (tacBtfCore){b->line, TAC_NONE}))
        index = TAC_NONE;
    if (index == TAC_NONE) tacFailMemory(b->err);
    return index;
}

bool tacBtfDeclareCore(tacBtf *b, const tacWord *name) {
    b->coresDeclared = true;
    return addCore(b, name) != TAC_NONE;
}

/*
 * Where rows of type C, or the header, have named the cores, these are all; else the source of a process's row that is
 * no process itself is one.
 */
/* The core of this name, TAC_NO_PROCESSOR where it is none. *core is set. */
static bool coreOf(tacBtf *b, const tacWord *name, uint16_t *core) {
    *core = TAC_NO_PROCESSOR;
    uint32_t index = tacInternFind(&b->store->ids[TAC_PROCESSOR], name->at, name->length);
    if (index == TAC_NONE && !b->coresDeclared && name->length > 0
        && tacInternFind(&b->store->ids[TAC_TASK], name->at, name->length) == TAC_NONE) {
        if (b->cores.count >= TAC_NO_PROCESSOR) return true;
        if ((index = addCore(b, name)) == TAC_NONE) return false;
    }
    if (index < TAC_NO_PROCESSOR) *core = (uint16_t) index;
    return true;
}

/* The core says that it is there; what else it says is not shown. */
bool tacBtfCoreRow(tacBtf *b, const tacBtfRow *row) {
    return tacBtfDeclareCore(b, &row->target) && tacBtfNotUsed(b, row, tacWordIs(&row->event, "set_frequency"));
}

/* ---- processes and their instances ------------------------------------------------------------------------------- */

/* Index of the task; TAC_NONE: no memory. */
static uint32_t addProcess(tacBtf *b, const tacBtfRow *row) {
    uint32_t task = tacStoreObject(b->store, TAC_TASK, row->target.at, row->target.length);
    tacBtfProcess process = {b->line, row->type.at[0] == 'I', TAC_NO_PROCESSOR};
    if (task != TAC_NONE && task == b->processes.count && !tacArrayPush(&b->processes, process)) task = TAC_NONE;
    if (task == TAC_NONE) tacFailMemory(b->err);
    return task;
}

/* "NAME.INSTANCE"; an instance that is not given is 0. */
static void addId(tacText *id, const tacWord *process, const tacWord *instance) {
    tacTextAdd(id, process->at, process->length);
    tacTextAdd(id, ".", 1);
    if (instance->length) tacTextAdd(id, instance->at, instance->length);
    else tacTextAdd(id, "0", 1);
}

static uint32_t latest(const tacBtf *b, uint32_t job) {
    while (job != TAC_NONE && b->jobs.at[job].successor != TAC_NONE) job = b->jobs.at[job].successor;
    return job;
}

uint32_t tacBtfInstance(const tacBtf *b, const tacWord *process, const tacWord *instance) {
    tacText id = {0};
    addId(&id, process, instance);
    uint32_t job = id.failed ? TAC_NONE : tacInternFind(&b->store->ids[TAC_JOB], id.at, id.length);
    tacTextFree(&id);
    return latest(b, job);
}

/* The job of this id; TAC_NONE: no memory. */
static uint32_t addJob(tacBtf *b, const tacText *id, uint32_t task) {
    const tacBtfJob none = {TAC_BTF_UNSEEN, TAC_NO_PROCESSOR, TAC_NONE, TAC_NONE, 0, TAC_NONE};
    uint32_t job = id->failed ? TAC_NONE : tacStoreObject(b->store, TAC_JOB, id->at, id->length);
    if (job != TAC_NONE && job == b->jobs.count) {
        if (tacArrayPush(&b->jobs, none)) b->store->jobTask.at[job] = task;
        else job = TAC_NONE;
    }
    if (job == TAC_NONE) tacFailMemory(b->err);
    return job;
}

static uint32_t instanceOf(tacBtf *b, const tacBtfRow *row, uint32_t task) {
    tacText id = {0};
    addId(&id, &row->target, &row->targetInstance);
    uint32_t job = addJob(b, &id, task);
    tacTextFree(&id);
    return latest(b, job);
}

/* The next life of an instance that has ended: "NAME.INSTANCE/2". */
static uint32_t successor(tacBtf *b, uint32_t job) {
    size_t length;
    const char *name = tacInternName(&b->store->ids[TAC_JOB], job, &length), *slash = strrchr(name, '/');
    unsigned nth = 1;
    char number[16];
    tacText id = {0};
    if (slash && sscanf(slash, "/%u", &nth) == 1) length = (size_t) (slash - name);
    snprintf(number, sizeof number, "/%u", nth + 1);
    tacTextAdd(&id, name, length);
    tacTextAddString(&id, number);
    uint32_t next = addJob(b, &id, b->store->jobTask.at[job]);
    tacTextFree(&id);
    if (next == TAC_NONE || b->jobs.at[next].state != TAC_BTF_UNSEEN) return next == TAC_NONE ? TAC_NONE : job;
    return b->jobs.at[job].successor = next;
}

/* ---- stretches over a task ----------------------------------------------------------------------------------------
 */

/* An annotation from now on; *row: where it is, to be ended. */
static bool beginStretch(tacBtf *b, uint32_t task, uint32_t text, uint32_t *row) {
    uint32_t number = (uint32_t) b->store->numbers.count;
    *row = tacStoreCount(b->store);
    if (text == TAC_NONE || !tacArrayPush(&b->store->numbers, b->now)) return tacFailMemory(b->err), false;
    return tacBtfAppend(b, TAC_EV_TASK_ANNOTATION, task, number, TAC_NO_PROCESSOR)
        && tacBtfOption(b, TAC_OPT_MESSAGE, text);
}

static void endStretch(tacBtf *b, uint32_t row) { b->store->numbers.at[tacRowObject(b->store, row)] = b->now; }

static bool beginPolling(tacBtf *b, uint32_t job) {
    uint32_t text = tacIntern(&b->store->strings, "polls", 5);
    return beginStretch(b, b->store->jobTask.at[job], text, &b->jobs.at[job].polling);
}

static void endPolling(tacBtf *b, tacBtfJob *job) {
    if (job->polling != TAC_NONE) endStretch(b, job->polling);
    job->polling = TAC_NONE;
}

/* ---- events of processes ----------------------------------------------------------------------------------------- */

/* The job leaves its core, if it is on one. */
static void leave(tacBtf *b, uint32_t job) {
    tacBtfJob *j = &b->jobs.at[job];
    if (j->core != TAC_NO_PROCESSOR && b->cores.at[j->core].running == job) b->cores.at[j->core].running = TAC_NONE;
}

static bool activate(tacBtf *b, uint32_t job, uint16_t core) {
    tacBtfJob *j = &b->jobs.at[job];
    (void) core;
    leave(b, job);
    endPolling(b, j);
    j->state = TAC_BTF_ACTIVE;
    return tacBtfAppend(b, TAC_EV_JOB_ARRIVED, job, b->store->jobTask.at[job], TAC_NO_PROCESSOR);
}

static bool runs(tacBtf *b, uint32_t job, uint16_t core, tacEvent event) {
    if (b->jobs.at[job].state == TAC_BTF_TERMINATED && (job = successor(b, job)) == TAC_NONE) return false;
    tacBtfJob *j = &b->jobs.at[job];
    leave(b, job);
    if (core != TAC_NO_PROCESSOR) {
        j->core = b->processes.at[b->store->jobTask.at[job]].core = core;
        b->cores.at[core].running = job;
    }
    j->state = TAC_BTF_RUNNING;
    return tacBtfAppend(b, event, job, TAC_NONE, j->core);
}

static bool start(tacBtf *b, uint32_t job, uint16_t core) { return runs(b, job, core, TAC_EV_JOB_STARTED); }

static bool resume(tacBtf *b, uint32_t job, uint16_t core) {
    endPolling(b, &b->jobs.at[job]);
    return b->jobs.at[job].state == TAC_BTF_RUNNING || runs(b, job, core, TAC_EV_JOB_RESUMED);
}

/* Also the first that is heard of a task: it has been created, and is ready. Where it was ready before, nothing has
 * happened. */
static bool preempt(tacBtf *b, uint32_t job, uint16_t core) {
    tacBtfJob *j = &b->jobs.at[job];
    if (core != TAC_NO_PROCESSOR && j->core == TAC_NO_PROCESSOR)
        j->core = b->processes.at[b->store->jobTask.at[job]].core = core;
    leave(b, job);
    endPolling(b, j);
    if (j->state != TAC_BTF_RUNNING && j->state != TAC_BTF_UNSEEN) return true;
    j->state = TAC_BTF_READY;
    return tacBtfAppend(b, TAC_EV_JOB_PREEMPTED, job, TAC_NONE, TAC_NO_PROCESSOR);
}

static bool waits(tacBtf *b, uint32_t job, uint16_t core) {
    tacBtfJob *j = &b->jobs.at[job];
    (void) core;
    leave(b, job);
    endPolling(b, j);
    j->state = TAC_BTF_WAITING;
    return tacBtfAppend(b, TAC_EV_JOB_BLOCKED, job, TAC_NONE, TAC_NO_PROCESSOR);
}

static bool ready(tacBtf *b, uint32_t job, uint16_t core) {
    (void) core;
    b->jobs.at[job].state = TAC_BTF_READY;
    return tacBtfAppend(b, TAC_EV_JOB_READY, job, TAC_NONE, TAC_NO_PROCESSOR);
}

static bool poll(tacBtf *b, uint32_t job, uint16_t core) {
    if (b->jobs.at[job].state != TAC_BTF_RUNNING && !runs(b, job, core, TAC_EV_JOB_RESUMED)) return false;
    job = latest(b, job);
    return b->jobs.at[job].polling != TAC_NONE || beginPolling(b, job);
}

static bool terminate(tacBtf *b, uint32_t job, uint16_t core) {
    tacBtfJob *j = &b->jobs.at[job];
    (void) core;
    leave(b, job);
    endPolling(b, j);
    j->state = TAC_BTF_TERMINATED;
    return tacBtfAppend(b, TAC_EV_JOB_COMPLETED, job, TAC_NONE, TAC_NO_PROCESSOR);
}

/* As many instances as there may be are active: this activation is lost. */
static bool ignore(tacBtf *b, uint32_t job, uint16_t core) {
    (void) core;
    return tacBtfAppend(b, TAC_EV_TASK_ARRIVED_AND_IGNORED, b->store->jobTask.at[job], TAC_NONE, TAC_NO_PROCESSOR);
}

/* Table 7, and the information events (Table 8), of which nothing is made: handle NULL. */
static const struct {
    const char *name;
    bool (*handle)(tacBtf *b, uint32_t job, uint16_t core);
} events[] = {
    {"activate", activate},
    {"start", start},
    {"resume", resume},
    {"preempt", preempt},
    {"terminate", terminate},
    {"wait", waits},
    {"release", ready},
    {"poll", poll},
    {"run", resume},
    {"park", waits},
    {"poll_parking", poll},
    {"release_parking", ready},
    {"mtalimitexceeded", ignore},
    {"interrupt_suspended", NULL},
    {"boundedmigration", NULL},
    {"phasemigration", NULL},
    {"fullmigration", NULL},
    {"enforcedmigration", NULL},
};

/*
 * Where it happens: on the source, if that is a core; on that of the source, if it is a process that has run (some
 * tracers name the process before); else where the process itself was last.
 */
static bool findCore(tacBtf *b, const tacBtfRow *row, uint32_t task, uint16_t *core) {
    uint32_t before = tacInternFind(&b->store->ids[TAC_TASK], row->source.at, row->source.length);
    if (!coreOf(b, &row->source, core)) return false;
    if (*core == TAC_NO_PROCESSOR && before != TAC_NONE) *core = b->processes.at[before].core;
    if (*core == TAC_NO_PROCESSOR) *core = b->processes.at[task].core;
    return true;
}

bool tacBtfProcessRow(tacBtf *b, const tacBtfRow *row) {
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (!tacWordIs(&row->event, events[i].name)) continue;
        uint16_t core = TAC_NO_PROCESSOR;
        uint32_t task = addProcess(b, row);
        if (task == TAC_NONE) return false;
        if (!events[i].handle) return tacBtfNotUsed(b, row, true);
        uint32_t job = instanceOf(b, row, task);
        bool stimulus = events[i].handle == activate || events[i].handle == ignore; /* its source is no core */
        return job != TAC_NONE && (stimulus || findCore(b, row, task, &core)) && events[i].handle(b, job, core);
    }
    return tacBtfNotUsed(b, row, false);
}

/* ---- runnables --------------------------------------------------------------------------------------------------- */

/* The place of the link to the job's runnable of this name that has begun. */
static uint32_t *findOpen(tacBtf *b, uint32_t job, uint32_t name) {
    uint32_t *link = &b->jobs.at[job].runnables;
    while (*link != TAC_NONE && b->open.at[*link].name != name) link = &b->open.at[*link].next;
    return link;
}

static bool beginRunnable(tacBtf *b, const tacBtfRow *row, uint32_t job, uint32_t name) {
    tacBtfOpen open = {name, TAC_NONE, b->jobs.at[job].runnables};
    tacWord none = {"", 0};
    if (b->jobs.at[job].depth == MOST_RUNNABLES) return b->deep++, true;
    if (!beginStretch(b, b->store->jobTask.at[job], tacBtfString(b, &row->target, &none), &open.row)) return false;
    uint32_t at = b->freeOpen;
    if (at != TAC_NONE) {
        b->freeOpen = b->open.at[at].next;
        b->open.at[at] = open;
    } else {
        at = (uint32_t) b->open.count;
        if (!tacArrayPush(&b->open, open)) return tacFailMemory(b->err), false;
    }
    b->jobs.at[job].runnables = at;
    b->jobs.at[job].depth++;
    return true;
}

static void endRunnable(tacBtf *b, uint32_t job, uint32_t *link) {
    uint32_t at = *link;
    if (at == TAC_NONE) return; /* its beginning was not recorded */
    endStretch(b, b->open.at[at].row);
    *link = b->open.at[at].next;
    b->open.at[at].next = b->freeOpen;
    b->freeOpen = at;
    b->jobs.at[job].depth--;
}

/* From its start to its end, whatever its process does meanwhile. */
bool tacBtfRunnableRow(tacBtf *b, const tacBtfRow *row) {
    bool begins = tacWordIs(&row->event, "start"), ends = tacWordIs(&row->event, "terminate");
    if (!begins && !ends)
        return tacBtfNotUsed(b, row, tacWordIs(&row->event, "suspend") || tacWordIs(&row->event, "resume"));
    uint32_t job = tacBtfInstance(b, &row->source, &row->sourceInstance);
    if (job == TAC_NONE) return tacBtfNotUsed(b, row, true); /* called by something that is no process */
    uint32_t name = tacBtfString(b, &row->target, &row->targetInstance);
    if (name == TAC_NONE) return false;
    if (begins) return beginRunnable(b, row, job, name);
    endRunnable(b, job, findOpen(b, job, name));
    return true;
}

void tacBtfEndRunnables(tacBtf *b) {
    for (uint32_t job = 0; job < b->jobs.count; job++) {
        endPolling(b, &b->jobs.at[job]);
        while (b->jobs.at[job].runnables != TAC_NONE) endRunnable(b, job, &b->jobs.at[job].runnables);
    }
}
