/*
 * process.c -- events of tasks and ISRs, and the runnables that they call.
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

enum { MOST_RUNNABLES = 256 }; /* begun and not ended in one job */

/* ---- cores ------------------------------------------------------------------------------------------------------- */

/* Index of the core of this name, which is made when it is new; TAC_NONE: no memory. */
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

/* Takes a row of type C for the existence of its core only; its frequency is not shown. */
bool tacBtfCoreRow(tacBtf *b, const tacBtfRow *row) {
    return tacBtfDeclareCore(b, &row->target) && tacBtfNotUsed(b, row, tacWordIs(&row->event, "set_frequency"));
}

/* ---- processes and their instances ------------------------------------------------------------------------------- */

/* Index of the row's task, which is made when it is new; TAC_NONE: no memory. */
static uint32_t addProcess(tacBtf *b, const tacBtfRow *row) {
    uint32_t task = tacStoreObject(b->store, TAC_TASK, row->target.at, row->target.length);
    tacBtfProcess process = {b->line, row->type.at[0] == 'I', TAC_NO_PROCESSOR};
    if (task != TAC_NONE && task == b->processes.count && !tacArrayPush(&b->processes, process)) task = TAC_NONE;
    if (task == TAC_NONE) tacFailMemory(b->err);
    return task;
}

/* Adds the id of a job, "NAME.INSTANCE"; an instance that is not given is 0. */
static void addId(tacText *id, const tacWord *process, const tacWord *instance) {
    tacTextAdd(id, process->at, process->length);
    tacTextAdd(id, ".", 1);
    if (instance->length) tacTextAdd(id, instance->at, instance->length);
    else tacTextAdd(id, "0", 1);
}

/* The job that an instance has become by starting again, or the job itself. TAC_NONE of TAC_NONE. */
static uint32_t latest(const tacBtf *b, uint32_t job) {
    while (job != TAC_NONE && b->jobs.at[job].successor != TAC_NONE) job = b->jobs.at[job].successor;
    return job;
}

bool tacBtfInstance(tacBtf *b, const tacWord *process, const tacWord *instance, uint32_t *job) {
    tacText id = {0};
    addId(&id, process, instance);
    bool fine = !id.failed;
    if (fine) *job = latest(b, tacInternFind(&b->store->ids[TAC_JOB], id.at, id.length));
    else tacFailMemory(b->err);
    tacTextFree(&id);
    return fine;
}

/* Index of the job of this id, which is made when it is new; TAC_NONE: no memory. */
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

/* The job "NAME.INSTANCE/2" of an instance that starts again after its end; TAC_NONE: no memory. */
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

/* ---- annotations over a task ------------------------------------------------------------------------------------- */

/* Begins an annotation; *row: its row, for endStretch. */
static bool beginStretch(tacBtf *b, uint32_t task, uint32_t text, uint32_t *row) {
    uint32_t number = (uint32_t) b->store->numbers.count;
    *row = tacStoreCount(b->store);
    if (text == TAC_NONE || !tacArrayPush(&b->store->numbers, b->now)) return tacFailMemory(b->err), false;
    return tacBtfAppend(b, TAC_EV_TASK_ANNOTATION, task, number, TAC_NO_PROCESSOR)
        && tacBtfOption(b, TAC_OPT_MESSAGE, text);
}

static void endStretch(tacBtf *b, uint32_t row) { b->store->numbers.at[tacRowObject(b->store, row)] = b->now; }

static void endPolling(tacBtf *b, tacBtfJob *job) {
    if (job->polling != TAC_NONE) endStretch(b, job->polling);
    job->polling = TAC_NONE;
}

/* ---- events of processes ----------------------------------------------------------------------------------------- */

/* Takes the job off its core, if it is on one. */
static void leave(tacBtf *b, uint32_t job) {
    tacBtfJob *j = &b->jobs.at[job];
    if (j->core != TAC_NO_PROCESSOR && b->cores.at[j->core].running == job) b->cores.at[j->core].running = TAC_NONE;
}

/* The same, and ends its polling. Returns the job. */
static tacBtfJob *halt(tacBtf *b, uint32_t job) {
    leave(b, job);
    endPolling(b, &b->jobs.at[job]);
    return &b->jobs.at[job];
}

static bool activate(tacBtf *b, uint32_t job, uint16_t core) {
    (void) core;
    halt(b, job)->state = TAC_BTF_ACTIVE;
    return tacBtfAppend(b, TAC_EV_JOB_ARRIVED, job, b->store->jobTask.at[job], TAC_NO_PROCESSOR);
}

/* The job, or its successor if it has ended, runs on the core from now on. */
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

/* The job is ready. This may also be the first event of a task, which has just been created. A job that was ready
 * before stays as it is. */
static bool preempt(tacBtf *b, uint32_t job, uint16_t core) {
    tacBtfJob *j = &b->jobs.at[job];
    if (core != TAC_NO_PROCESSOR && j->core == TAC_NO_PROCESSOR)
        j->core = b->processes.at[b->store->jobTask.at[job]].core = core;
    halt(b, job);
    if (j->state != TAC_BTF_RUNNING && j->state != TAC_BTF_UNSEEN) return true;
    j->state = TAC_BTF_READY;
    return tacBtfAppend(b, TAC_EV_JOB_PREEMPTED, job, TAC_NONE, TAC_NO_PROCESSOR);
}

static bool waits(tacBtf *b, uint32_t job, uint16_t core) {
    (void) core;
    halt(b, job)->state = TAC_BTF_WAITING;
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
    if (b->jobs.at[job].polling != TAC_NONE) return true;
    uint32_t text = tacIntern(&b->store->strings, "polls", 5);
    return beginStretch(b, b->store->jobTask.at[job], text, &b->jobs.at[job].polling);
}

static bool terminate(tacBtf *b, uint32_t job, uint16_t core) {
    (void) core;
    halt(b, job)->state = TAC_BTF_TERMINATED;
    return tacBtfAppend(b, TAC_EV_JOB_COMPLETED, job, TAC_NONE, TAC_NO_PROCESSOR);
}

/* An activation is lost, since as many instances are active as there may be. */
static bool ignore(tacBtf *b, uint32_t job, uint16_t core) {
    (void) core;
    return tacBtfAppend(b, TAC_EV_TASK_ARRIVED_AND_IGNORED, b->store->jobTask.at[job], TAC_NONE, TAC_NO_PROCESSOR);
}

/* Events of processes (Table 7), and information events (Table 8), which are not shown: handle NULL. */
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

enum { EVENTS = sizeof events / sizeof *events };

/*
 * Finds the core of an event: its source, if that is a core; the core of its source, if that is a process that has run
 * (some tracers name the process before); else the core where the process itself was last. Where rows of type C, or the
 * header, have named the cores, no others exist; else a source that is no process is a core.
 */
static bool findCore(tacBtf *b, const tacBtfRow *row, uint32_t task, uint16_t *core) {
    const tacWord *name = &row->source;
    uint32_t before = tacInternFind(&b->store->ids[TAC_TASK], name->at, name->length);
    uint32_t index = tacInternFind(&b->store->ids[TAC_PROCESSOR], name->at, name->length);
    bool isNew = index == TAC_NONE && before == TAC_NONE && !b->coresDeclared && name->length > 0;
    if (isNew && b->cores.count < TAC_NO_PROCESSOR && (index = addCore(b, name)) == TAC_NONE) return false;
    *core = TAC_NO_PROCESSOR;
    if (index < TAC_NO_PROCESSOR) *core = (uint16_t) index;
    else if (before != TAC_NONE) *core = b->processes.at[before].core;
    if (*core == TAC_NO_PROCESSOR) *core = b->processes.at[task].core;
    return true;
}

bool tacBtfProcessRow(tacBtf *b, const tacBtfRow *row) {
    int i = 0;
    while (i < EVENTS && !tacWordIs(&row->event, events[i].name)) i++;
    if (i == EVENTS) return tacBtfNotUsed(b, row, false);
    uint32_t task = addProcess(b, row);
    if (task == TAC_NONE) return false;
    if (!events[i].handle) return tacBtfNotUsed(b, row, true);
    tacText id = {0};
    addId(&id, &row->target, &row->targetInstance);
    uint32_t job = latest(b, addJob(b, &id, task));
    tacTextFree(&id);
    uint16_t core = TAC_NO_PROCESSOR;
    bool stimulus = events[i].handle == activate || events[i].handle == ignore; /* its source is no core */
    return job != TAC_NONE && (stimulus || findCore(b, row, task, &core)) && events[i].handle(b, job, core);
}

/* ---- runnables --------------------------------------------------------------------------------------------------- */

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

/* Ends the runnable at a link of the job's list; TAC_NONE there: its beginning was not recorded. */
static void endRunnable(tacBtf *b, uint32_t job, uint32_t *link) {
    uint32_t at = *link;
    if (at == TAC_NONE) return;
    endStretch(b, b->open.at[at].row);
    *link = b->open.at[at].next;
    b->open.at[at].next = b->freeOpen;
    b->freeOpen = at;
    b->jobs.at[job].depth--;
}

/* A runnable lasts from its start to its end, whatever its process does meanwhile. */
bool tacBtfRunnableRow(tacBtf *b, const tacBtfRow *row) {
    bool begins = tacWordIs(&row->event, "start"), ends = tacWordIs(&row->event, "terminate");
    if (!begins && !ends)
        return tacBtfNotUsed(b, row, tacWordIs(&row->event, "suspend") || tacWordIs(&row->event, "resume"));
    uint32_t job;
    if (!tacBtfInstance(b, &row->source, &row->sourceInstance, &job)) return false;
    if (job == TAC_NONE) return tacBtfNotUsed(b, row, true); /* called by something that is no process */
    uint32_t name = tacBtfString(b, &row->target, &row->targetInstance);
    if (name == TAC_NONE) return false;
    if (begins) return beginRunnable(b, row, job, name);
    uint32_t *link = &b->jobs.at[job].runnables;
    while (*link != TAC_NONE && b->open.at[*link].name != name) link = &b->open.at[*link].next;
    endRunnable(b, job, link);
    return true;
}

void tacBtfEndRunnables(tacBtf *b) {
    for (uint32_t job = 0; job < b->jobs.count; job++) {
        endPolling(b, &b->jobs.at[job]);
        while (b->jobs.at[job].runnables != TAC_NONE) endRunnable(b, job, &b->jobs.at[job].runnables);
    }
}
