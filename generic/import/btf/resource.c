/*
 * resource.c -- stimuli and shared resources: semaphores by rows of type SEM; semaphores, mutexes and queues by stimuli
 * of these names, whose note is a verb and an address ("take 0x80016e30"), as tracers of FreeRTOS write them.
 */
#include "base/port.h"

#include "import/btf/state.h"

#include <stdio.h>
#include <string.h>

typedef TAC_ARRAY(tacBtfResource) Resources;

/* Object index of a resource, which is made when it is new; TAC_NONE: no memory. resources: an array of state.h. */
static uint32_t addResource(tacBtf *b, tacKind kind, void *resources, const tacWord *id) {
    Resources *all = resources;
    uint32_t index = tacStoreObject(b->store, kind, id->at, id->length);
    tacBtfResource none = {b->line, TAC_NONE, 0, 0, 0};
    if (index != TAC_NONE && index == all->count && !tacArrayPush(all, none)) index = TAC_NONE;
    if (index == TAC_NONE) tacFailMemory(b->err);
    return index;
}

/* ---- semaphores by rows ------------------------------------------------------------------------------------------ */

/* Events whose source is a process (Table 20). The others give the semaphore's own state, which follows from these. */
static const struct {
    const char *name;
    tacEvent event;
} semaphoreEvents[] = {
    {"assigned", TAC_EV_JOB_ACQUIRED_SEMAPHORE},
    {"waiting", TAC_EV_JOB_SUSPENDED_ON_SEMAPHORE},
    {"released", TAC_EV_JOB_RELEASED_SEMAPHORE},
};

bool tacBtfSemaphoreRow(tacBtf *b, const tacBtfRow *row) {
    uint32_t semaphore = addResource(b, TAC_SEMAPHORE, &b->semaphores, &row->target);
    if (semaphore == TAC_NONE) return false;
    for (size_t i = 0; i < sizeof semaphoreEvents / sizeof *semaphoreEvents; i++) {
        if (!tacWordIs(&row->event, semaphoreEvents[i].name)) continue;
        uint32_t job;
        if (!tacBtfInstance(b, &row->source, &row->sourceInstance, &job)) return false;
        if (job == TAC_NONE) break;
        return tacBtfAppend(b, semaphoreEvents[i].event, job, semaphore, TAC_NO_PROCESSOR);
    }
    return tacBtfNotUsed(b, row, true);
}

/* ---- resources by stimuli ---------------------------------------------------------------------------------------- */

/* Handler of a verb; job: the one that runs on the core, or TAC_NONE. False: no memory. *used: the row was
 * used. */
typedef bool Verb(tacBtf *b, uint32_t job, const tacWord *id, bool *used);

static bool takeMutex(tacBtf *b, uint32_t job, const tacWord *id, bool *used) {
    uint32_t mutex = addResource(b, TAC_MUTEX, &b->mutexes, id);
    if (mutex == TAC_NONE) return false;
    *used = job != TAC_NONE && b->mutexes.at[mutex].holder == TAC_NONE;
    if (!*used) return true;
    b->mutexes.at[mutex].holder = job;
    return tacBtfAppend(b, TAC_EV_JOB_ACQUIRED_MUTEX, job, mutex, TAC_NO_PROCESSOR);
}

/* Releases the mutex for its holder, whatever job runs: a tracer may call a task by another name on each core. A mutex
 * is also given once when it is made, without a holder. */
static bool giveMutex(tacBtf *b, uint32_t job, const tacWord *id, bool *used) {
    uint32_t mutex = addResource(b, TAC_MUTEX, &b->mutexes, id);
    (void) job;
    if (mutex == TAC_NONE) return false;
    uint32_t holder = b->mutexes.at[mutex].holder;
    b->mutexes.at[mutex].holder = TAC_NONE;
    *used = true;
    return holder == TAC_NONE || tacBtfAppend(b, TAC_EV_JOB_RELEASED_MUTEX, holder, mutex, TAC_NO_PROCESSOR);
}

static bool semaphoreEvent(tacBtf *b, uint32_t job, const tacWord *id, tacEvent event, bool *used) {
    uint32_t semaphore = addResource(b, TAC_SEMAPHORE, &b->semaphores, id);
    if (semaphore == TAC_NONE) return false;
    *used = job != TAC_NONE;
    return !*used || tacBtfAppend(b, event, job, semaphore, TAC_NO_PROCESSOR);
}

static bool takeSemaphore(tacBtf *b, uint32_t job, const tacWord *id, bool *used) {
    return semaphoreEvent(b, job, id, TAC_EV_JOB_ACQUIRED_SEMAPHORE, used);
}

static bool giveSemaphore(tacBtf *b, uint32_t job, const tacWord *id, bool *used) {
    return semaphoreEvent(b, job, id, TAC_EV_JOB_RELEASED_SEMAPHORE, used);
}

/* Adds an element; elements are numbered as they are sent. */
static bool sendToQueue(tacBtf *b, uint32_t job, const tacWord *id, bool *used) {
    uint32_t queue = addResource(b, TAC_BUFFER, &b->queues, id);
    char number[24];
    (void) job;
    if (queue == TAC_NONE) return false;
    tacBtfResource *q = &b->queues.at[queue];
    int n = snprintf(number, sizeof number, "%llu", (unsigned long long) ++q->sent);
    uint32_t element = tacIntern(&b->store->strings, number, (size_t) n);
    if (++q->fill > q->most) q->most = q->fill;
    *used = true;
    if (element == TAC_NONE) return tacFailMemory(b->err), false;
    return tacBtfAppend(b, TAC_EV_BUFFER_PUSH, queue, element, TAC_NO_PROCESSOR);
}

static bool receiveFromQueue(tacBtf *b, uint32_t job, const tacWord *id, bool *used) {
    uint32_t queue = addResource(b, TAC_BUFFER, &b->queues, id);
    (void) job;
    if (queue == TAC_NONE) return false;
    *used = b->queues.at[queue].fill > 0; /* else the sending was not recorded */
    if (!*used) return true;
    b->queues.at[queue].fill--;
    return tacBtfAppend(b, TAC_EV_BUFFER_POP, queue, TAC_NONE, TAC_NO_PROCESSOR);
}

/* Takes note of a creation or deletion, which is not shown. */
static bool exists(tacBtf *b, uint32_t job, const tacWord *id, bool *used) {
    (void) b, (void) job, (void) id;
    return *used = true;
}

static const struct {
    const char *stimulus, *verb;
    Verb *handle;
} verbs[] = {
    {"mutex", "take", takeMutex},
    {"mutex", "give", giveMutex},
    {"mutex", "create", exists},
    {"mutex", "delete", exists},
    {"sem", "take", takeSemaphore},
    {"sem", "give", giveSemaphore},
    {"sem", "create", exists},
    {"sem", "delete", exists},
    {"queue", "send", sendToQueue},
    {"queue", "recv", receiveFromQueue},
    {"queue", "create", exists},
    {"queue", "delete", exists},
};

/* Handles the verb in the note of a stimulus; *used false: there is none that is known. */
static bool takeVerb(tacBtf *b, const tacBtfRow *row, uint16_t core, bool *used) {
    const tacWord *note = &row->note;
    const char *blank = memchr(note->at, ' ', note->length);
    *used = false;
    if (!blank) return true;
    tacWord verb = {note->at, (size_t) (blank - note->at)}, id = {blank + 1, note->length - verb.length - 1};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (tacWordIs(&row->target, verbs[i].stimulus) && tacWordIs(&verb, verbs[i].verb))
            return verbs[i].handle(b, core == TAC_NO_PROCESSOR ? TAC_NONE : b->cores.at[core].running, &id, used);
    return true;
}

/* ---- stimuli ----------------------------------------------------------------------------------------------------- */

/* A stimulus without a verb becomes a mark with its name and note. */
bool tacBtfStimulusRow(tacBtf *b, const tacBtfRow *row) {
    uint32_t index = tacInternFind(&b->store->ids[TAC_PROCESSOR], row->source.at, row->source.length);
    uint16_t core = index < TAC_NO_PROCESSOR ? (uint16_t) index : TAC_NO_PROCESSOR;
    bool used;
    if (!tacWordIs(&row->event, "trigger")) return tacBtfNotUsed(b, row, false);
    if (!takeVerb(b, row, core, &used)) return false;
    if (used) return true;
    uint32_t text = tacBtfString(b, &row->target, &row->note);
    return text != TAC_NONE && tacBtfAppend(b, TAC_EV_MESSAGE, text, TAC_NONE, core);
}
