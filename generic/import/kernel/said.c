/*
 * said.c -- jobs of which the threads' own programs tell, in a recording that has both: the program knows when a job is
 * released and done, the kernel when its thread runs.
 *
 *      arrived, started, ended     by the program: the job that the thread has; its others wait, in their order
 *      ready, running, preempted   by the kernel, as for any thread
 *      blocked                     while it sleeps within a job; for which job, the program may say
 *
 * A job may be released while its thread still sleeps, or has another job. Between two jobs the thread is `outside`.
 */
#include "base/port.h"

#include "import/kernel/state.h"

#include <stdio.h>
#include <string.h>

enum { MOST_WAITING = 64 }; /* jobs of a thread that wait for another one of it */

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* Takes what a program says of a thread; it comes before all other records. */
static bool takeTask(tacKernelTasks *k, const tacKernelRecord *r) {
    int32_t pid = r->thread.pid;
    if (!r->said || !tacKernelIsThread(pid)) return true;
    uint32_t id = tacIntern(&k->saidPids, (const char *) &pid, sizeof pid);
    return id != TAC_NONE && (id < k->said.count || tacArrayPush(&k->said, (tacKSaid){.task = r->said}));
}

tacKernelSide tacKernelSideOf(const tacKernelTasks *k, int32_t pid) {
    if (!tacKernelIsThread(pid)) return TAC_SIDE_OTHER;
    if ((size_t) pid < k->ofPid.count && k->ofPid.at[pid] != TAC_NONE)
        return (tacKernelSide) k->threads.at[k->ofPid.at[pid]].side;
    uint32_t id = tacInternFind(&k->sidePids, (const char *) &pid, sizeof pid);
    return id == TAC_NONE ? TAC_SIDE_OTHER : (tacKernelSide) k->sides.at[id].side;
}

int32_t tacKernelProcessTold(const tacKernelTasks *k, int32_t pid) {
    uint32_t id = tacInternFind(&k->sidePids, (const char *) &pid, sizeof pid);
    return id == TAC_NONE ? 0 : k->sides.at[id].process;
}

/* Takes the side and the process of a thread, for when it is met; most are told before all other records. */
static bool takeSide(tacKernelTasks *k, const tacKernelRecord *r) {
    int32_t pid = r->thread.pid;
    int32_t process = r->number == TAC_SIDE_OTHER && tacKernelIsThread(r->other.pid) ? r->other.pid : 0;
    uint8_t side = (uint8_t) (r->number == TAC_SIDE_OTHER ? tacKernelSideOf(k, r->other.pid) : r->number);
    if (!tacKernelIsThread(pid) || (side == TAC_SIDE_OTHER && !process)) return true;
    if ((size_t) pid < k->ofPid.count && k->ofPid.at[pid] != TAC_NONE) {
        tacKThread *thread = &k->threads.at[k->ofPid.at[pid]];
        thread->side = side;
        if (!thread->process) thread->process = process;
    }
    uint32_t id = tacIntern(&k->sidePids, (const char *) &pid, sizeof pid);
    if (id == TAC_NONE) return false;
    if (id == k->sides.count) return tacArrayPush(&k->sides, (tacKSide){side, process});
    k->sides.at[id].side = side;
    if (process) k->sides.at[id].process = process;
    return true;
}

uint32_t tacKernelSaidOf(tacKernelTasks *k, int32_t pid, uint32_t task) {
    uint32_t id = tacInternFind(&k->saidPids, (const char *) &pid, sizeof pid);
    if (id == TAC_NONE) return TAC_NONE;
    k->said.at[id].task->index = task;
    k->said.at[id].waiting.count = 0;
    return id;
}

/* The thread of whose jobs the record tells; NULL: none that has such jobs. */
static tacKThread *threadOf(tacKernelTasks *k, const tacKernelThread *thread) {
    if (!tacKernelIsThread(thread->pid) || (size_t) thread->pid >= k->ofPid.count
        || k->ofPid.at[thread->pid] == TAC_NONE)
        return NULL;
    tacKThread *found = &k->threads.at[k->ofPid.at[thread->pid]];
    return tacKernelProgramTells(found) && found->state != TAC_K_GONE ? found : NULL;
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

typedef struct Id {
    char text[96];
    size_t length;
} Id;

static Id idOf(const tacKernelTasks *k, const tacKThread *thread, uint32_t number) {
    Id id;
    const char *task = tacObjectId(k->store, TAC_TASK, thread->task);
    id.length = (size_t) snprintf(id.text, sizeof id.text, "%.64s.%u", task, (unsigned) number);
    return id;
}

/* Adds the rows of a thread that goes on with this job, which has arrived. */
static bool goOn(tacKernelTasks *k, tacKThread *thread, tacKSaidJob job, int64_t time) {
    thread->job = job.job;
    thread->number = job.number;
    if (thread->state == TAC_K_RUNNING)
        return tacKernelJobRow(k, thread, time, TAC_EV_JOB_RESUMED, TAC_NONE, thread->processor);
    return thread->state != TAC_K_LOST || tacKernelJobRow(k, thread, time, TAC_EV_JOB_UNKNOWN, TAC_NONE, -1);
}

/* Gives a thread that is between two jobs this one. A thread that sleeps will be woken for it. */
static bool begin(tacKernelTasks *k, tacKThread *thread, tacKSaidJob job, int64_t time) {
    bool runs = thread->state == TAC_K_RUNNING;
    if (runs && thread->outside && !tacKernelJobRow(k, thread, time, TAC_EV_JOB_PREEMPTED, TAC_NONE, -1)) return false;
    thread->outside = false;
    thread->job = job.job;
    if (thread->state == TAC_K_SLEEPING || thread->state == TAC_K_NEW) thread->state = TAC_K_BLOCKED;
    return tacKernelJobRow(k, thread, time, TAC_EV_JOB_ARRIVED, thread->task, runs ? thread->processor : -1)
        && goOn(k, thread, job, time);
}

/* Index of the waiting job of this number; as many as there are if it does not wait. */
static size_t findWaiting(const tacKSaid *said, uint32_t number) {
    size_t i = 0;
    while (i < said->waiting.count && said->waiting.at[i].number != number) i++;
    return i;
}

static tacKSaidJob takeWaiting(tacKSaid *said, size_t i) {
    tacKSaidJob job = said->waiting.at[i];
    said->waiting.count--;
    memmove(&said->waiting.at[i], &said->waiting.at[i + 1], (said->waiting.count - i) * sizeof job);
    return job;
}

/* Lets a job wait behind those that do. Where too many wait, the first of them is given up. */
static bool putWaiting(tacKernelTasks *k, tacKThread *thread, tacKSaidJob job, int64_t time) {
    tacKSaid *said = &k->said.at[thread->said];
    if (said->waiting.count == MOST_WAITING
        && !tacKernelRow(k, time, TAC_EV_JOB_ABANDONED, takeWaiting(said, 0).job, TAC_NONE, -1))
        return false;
    return tacArrayPush(&said->waiting, job);
}

/* A job is released; one of a number that was there before is none. */
static bool arrive(tacKernelTasks *k, tacKThread *thread, uint32_t number, int64_t time) {
    Id id = idOf(k, thread, number);
    if (tacInternFind(&k->store->ids[TAC_JOB], id.text, id.length) != TAC_NONE) return true;
    tacKSaidJob job = {tacStoreNewJob(k->store, id.text, id.length), number};
    if (job.job == TAC_NONE) return false;
    k->store->jobTask.at[job.job] = thread->task;
    if (number > thread->jobs) thread->jobs = number;
    if (thread->job == TAC_NONE) return begin(k, thread, job, time);
    return putWaiting(k, thread, job, time) && tacKernelRow(k, time, TAC_EV_JOB_ARRIVED, job.job, thread->task, -1);
}

/* A job begins to run: it is the thread's from here on, also where another one has not ended. */
static bool start(tacKernelTasks *k, tacKThread *thread, uint32_t number, int64_t time) {
    tacKSaid *said = &k->said.at[thread->said];
    if (!arrive(k, thread, number, time)) return false;
    size_t i = findWaiting(said, number);
    if (i == said->waiting.count) return true;
    tacKSaidJob job = takeWaiting(said, i), before = {thread->job, thread->number};
    if (thread->state == TAC_K_RUNNING && !tacKernelJobRow(k, thread, time, TAC_EV_JOB_PREEMPTED, job.job, -1))
        return false;
    return putWaiting(k, thread, before, time) && goOn(k, thread, job, time);
}

/* A job is done, or given up. The thread goes on with the one that waits for the longest time, or outside of jobs. */
static bool end(tacKernelTasks *k, tacKThread *thread, uint32_t number, tacEvent how, int64_t time) {
    tacKSaid *said = &k->said.at[thread->said];
    size_t i = findWaiting(said, number);
    if (i < said->waiting.count) return tacKernelRow(k, time, how, takeWaiting(said, i).job, TAC_NONE, -1);
    if (thread->job == TAC_NONE || thread->number != number) return true;
    thread->awaited = TAC_NONE;
    if (!tacKernelEndJob(k, thread, time, how, TAC_NONE)) return false;
    if (said->waiting.count) return goOn(k, thread, takeWaiting(said, 0), time);
    thread->outside = true;
    if (thread->state == TAC_K_BLOCKED) thread->state = TAC_K_SLEEPING;
    return thread->state != TAC_K_RUNNING
        || tacKernelJobRow(k, thread, time, TAC_EV_JOB_RESUMED, TAC_NONE, thread->processor);
}

/* The thread's job is going to wait for a job of another one. */
static void await(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r) {
    const tacKThread *other = thread->job == TAC_NONE ? NULL : threadOf(k, &r->other);
    thread->awaited = TAC_NONE;
    if (!other || thread->number != (uint32_t) r->number) return;
    Id id = idOf(k, other, (uint32_t) r->target);
    thread->awaited = tacInternFind(&k->store->ids[TAC_JOB], id.text, id.length);
}

bool tacKernelSaid(tacKernelTasks *k, const tacKernelRecord *r) {
    if (r->event == TAC_KERNEL_TASK) return takeTask(k, r);
    if (r->event == TAC_KERNEL_PROGRAM) return takeSide(k, r);
    tacKThread *thread = threadOf(k, &r->thread);
    uint32_t number = (uint32_t) r->number;
    int64_t time = r->time > k->first ? r->time : k->first;
    if (!thread) return true;
    switch (r->event) {
    case TAC_KERNEL_JOB_ARRIVED: return arrive(k, thread, number, time);
    case TAC_KERNEL_JOB_STARTED: return start(k, thread, number, time);
    case TAC_KERNEL_JOB_COMPLETED: return end(k, thread, number, TAC_EV_JOB_COMPLETED, time);
    case TAC_KERNEL_JOB_ABANDONED: return end(k, thread, number, TAC_EV_JOB_ABANDONED, time);
    case TAC_KERNEL_JOB_BLOCKED: return await(k, thread, r), true;
    case TAC_KERNEL_JOB_RESUMED: return thread->awaited = TAC_NONE, true;
    default: return tacKernelSaidMutex(k, thread, r);
    }
}
