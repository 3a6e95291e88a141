/*
 * mutex.c -- holders of mutexes, from futex calls and from the rules of a mapping for marks and calls; servers, from
 * such rules.
 *
 *      entry of a call that takes a lock   asks for it; the call's exit with 0 acquires it
 *      entry of a call that gives it back  releases it; FUTEX_WAKE: only if some thread has waited for it
 *
 * Taking a lock without contention makes no system call, so a holder may become known only when another thread lends it
 * its priority (sched_pi_setprio): it is taken to hold the lock from then on. A mutex that a thread has acquired
 * without a job, or with one that is over, is not drawn.
 */
#include "base/port.h"

#include "import/kernel/futex.h"
#include "import/kernel/state.h"

#include <string.h>

/* ---- mutexes ---- */

/* Object index of a mutex, which is made when it is new; TAC_NONE: no memory. */
static uint32_t mutexOf(tacKernelTasks *k, const char *id, size_t n) {
    uint32_t index = tacStoreObject(k->store, TAC_MUTEX, id, n);
    while (index != TAC_NONE && k->mutexes.count <= index)
        if (!tacArrayPush(&k->mutexes, (tacKMutex){TAC_NONE, k->line})) return TAC_NONE;
    return index;
}

typedef struct FutexId {
    char text[40];
    size_t length;
} FutexId;

/* Id of an unnamed mutex, "futex 0x7f00"; not with snprintf, since each call needs it. */
static FutexId idOf(uint64_t address) {
    FutexId id = {"futex 0x", 8};
    int digits = 1;
    while (digits < 16 && address >> (4 * digits)) digits++;
    while (digits-- > 0) id.text[id.length++] = "0123456789abcdef"[address >> (4 * digits) & 15];
    return id;
}

static bool release(tacKernelTasks *k, uint32_t mutex, const tacKThread *thread, int64_t time) {
    tacKMutex *m = &k->mutexes.at[mutex];
    uint32_t holder = m->holder;
    m->holder = TAC_NONE;
    if (holder == TAC_NONE || holder != thread->job)
        return true; /* its acquisition was not seen, or its job is over: the model ends that */
    return tacKernelRow(k, time, TAC_EV_JOB_RELEASED_MUTEX, holder, mutex, -1);
}

static bool acquire(tacKernelTasks *k, uint32_t mutex, const tacKThread *thread, int64_t time) {
    tacKMutex *m = &k->mutexes.at[mutex];
    if (thread->job == TAC_NONE || m->holder == thread->job || tacKernelHidden(thread)) return true;
    m->holder = thread->job;
    return tacKernelRow(k, time, TAC_EV_JOB_ACQUIRED_MUTEX, thread->job, mutex, -1);
}

/* ---- futex calls ---- */

/* Does a call of a futex that is in no mapping take a lock (*takes), or give it back? False: neither. */
static bool isOfLock(const tacKernelTasks *k, const tacKernelFutex *futex, const FutexId *id, bool *takes) {
    int command = futex->command;
    bool waits = command == TAC_FUTEX_WAIT && futex->value == TAC_FUTEX_CONTENDED;
    *takes = command == TAC_FUTEX_LOCK_PI || command == TAC_FUTEX_LOCK_PI2 || waits;
    if (command == TAC_FUTEX_WAKE) return tacInternFind(&k->store->ids[TAC_MUTEX], id->text, id->length) != TAC_NONE;
    return *takes || command == TAC_FUTEX_UNLOCK_PI;
}

/* A futex that the mapping names is a mutex, whatever the call does. */
bool tacKernelMutexCall(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r) {
    tacKernelFutex futex;
    bool takes = false;
    thread->lock = 0;
    thread->mutex = TAC_NONE;
    if (!tacKernelFutexOf(r, &futex) || futex.address == 0) return true;
    FutexId id = idOf(futex.address);
    const char *mapped = k->target->map ? tacKernelMapFutex(k->target->map, r, &takes) : NULL;
    if (!mapped && !isOfLock(k, &futex, &id, &takes)) return true;
    uint32_t mutex = mapped ? mutexOf(k, mapped, strlen(mapped)) : mutexOf(k, id.text, id.length);
    if (mutex == TAC_NONE) return false;
    if (!takes) return release(k, mutex, thread, r->time);
    thread->lock = futex.address;
    thread->mutex = mutex;
    return true;
}

/* The call has acquired its mutex if it returns 0, which is written " -> 0x0", "0x0" or "0". */
bool tacKernelMutexReturn(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r) {
    uint32_t mutex = thread->mutex;
    tacKernelText text = r->text;
    thread->lock = 0;
    thread->mutex = TAC_NONE;
    if (mutex == TAC_NONE) return true;
    while (text.length && (*text.at == ' ' || *text.at == '-' || *text.at == '>')) text.at++, text.length--;
    if (text.length > 2 && memcmp(text.at, "0x", 2) == 0) text.at += 2, text.length -= 2;
    bool zero = text.length > 0 && *text.at == '0' && (text.length == 1 || text.at[1] == ' ' || text.at[1] == '\n');
    return !zero || acquire(k, mutex, thread, r->time);
}

/* ---- mappings and inheritance ---- */

/* Makes a thread that has inherited a priority the holder of the mutex that the lender asks for. */
static bool holderShows(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->current.pid) || !tacKernelIsThread(r->thread.pid)
        || r->other.priority >= r->thread.priority)
        return true;
    const tacKThread *lender = tacKernelThreadOf(k, r->current.pid);
    if (!lender || lender->mutex == TAC_NONE) return lender != NULL;
    uint32_t mutex = lender->mutex;
    const tacKThread *holder = tacKernelThreadOf(k, r->thread.pid);
    return holder && (k->mutexes.at[mutex].holder != TAC_NONE || acquire(k, mutex, holder, r->time));
}

bool tacKernelMutex(tacKernelTasks *k, const tacKernelRecord *r) {
    bool acquires;
    if (r->event == TAC_KERNEL_SETPRIO) return holderShows(k, r);
    if (!k->target->map || !tacKernelIsThread(r->current.pid)) return true;
    const char *id = tacKernelMapMutex(k->target->map, r, &acquires);
    if (!id) return true;
    uint32_t mutex = mutexOf(k, id, strlen(id));
    const tacKThread *thread = mutex == TAC_NONE ? NULL : tacKernelThreadOf(k, r->current.pid);
    if (!thread) return false;
    return acquires ? acquire(k, mutex, thread, r->time) : release(k, mutex, thread, r->time);
}

bool tacKernelSaidMutex(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r) {
    uint32_t mutex = mutexOf(k, r->name.at, r->name.length);
    if (mutex == TAC_NONE) return false;
    bool acquires = r->event == TAC_KERNEL_MUTEX_ACQUIRED;
    return acquires ? acquire(k, mutex, thread, r->time) : release(k, mutex, thread, r->time);
}

bool tacKernelServer(tacKernelTasks *k, const tacKernelRecord *r) {
    tacEvent event;
    int64_t budget;
    const char *id = tacKernelMapServer(k->target->map, r, &event, &budget);
    if (!id) return true;
    uint32_t server = tacStoreObject(k->store, TAC_SERVER, id, strlen(id)), number = TAC_NONE;
    if (server == TAC_NONE) return false;
    if (event == TAC_EV_SERVER_REPLENISHED) {
        if (budget == TAC_UNKNOWN) return true;
        number = (uint32_t) k->store->numbers.count;
        if (!tacArrayPush(&k->store->numbers, budget)) return false;
    }
    return tacKernelRow(k, r->time, event, server, number, r->processor);
}

/* ---- definitions ---- */

/* Defines a mutex or server of the mapping, with its name and capacity. */
static bool defineNamed(tacKernelTasks *k, tacKind kind, uint32_t index, const tacKernelNamed *named) {
    tacObject *object = &k->store->objects[kind].at[index];
    object->line = 1;
    object->order = k->store->nDefinitions++;
    if (kind == TAC_SERVER && named->capacity != TAC_UNKNOWN) {
        object->capacity = named->capacity;
        if (!tacArrayPush(
                &k->store->objectOptions[kind], (tacOptionValue){index, TAC_OPT_SERVER_CAPACITY, named->capacity}))
            return false;
    }
    if (!named->name) return true;
    uint32_t text = tacStoreString(k->store, named->name, strlen(named->name));
    object->name = text;
    return text != TAC_NONE
        && tacArrayPush(&k->store->objectOptions[kind], (tacOptionValue){index, TAC_OPT_NAME, text});
}

/* Defines the mutexes and servers of the mapping, then all other mutexes. */
bool tacKernelDefineMutexes(tacKernelTasks *k) {
    tacKernelNamed named;
    for (size_t i = 0; k->target->map && tacKernelMapMutexAt(k->target->map, i, &named); i++) {
        uint32_t index = mutexOf(k, named.id, strlen(named.id));
        if (index == TAC_NONE || !defineNamed(k, TAC_MUTEX, index, &named)) return false;
    }
    for (size_t i = 0; k->target->map && tacKernelMapServerAt(k->target->map, i, &named); i++) {
        uint32_t index = tacStoreObject(k->store, TAC_SERVER, named.id, strlen(named.id));
        if (index == TAC_NONE || !defineNamed(k, TAC_SERVER, index, &named)) return false;
    }
    for (uint32_t i = 0; i < k->mutexes.count; i++) {
        tacObject *object = &k->store->objects[TAC_MUTEX].at[i];
        if (object->line) continue;
        object->line = k->mutexes.at[i].line;
        object->order = k->store->nDefinitions++;
    }
    return true;
}
