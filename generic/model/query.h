/*
 * query.h -- questions about a moment or a window, answered by binary search (and a checkpoint for buffers): O(log n).
 *
 * State "at t" is right-continuous: after all events at t. After the recording's end things stay as they were at its
 * end (budgets go on falling).
 */
#ifndef TAC_MODEL_QUERY_H
#define TAC_MODEL_QUERY_H

#include "model/model.h"

/* The job (tacModel.jobs index) that this id stands for at t: the latest released (or first used) at or before t;
 * TAC_NONE. */
uint32_t tacQueryJob(const tacModel *model, uint32_t jobId, int64_t t);
/*
 * State of a job at t and, if not NULL, where it runs or ran last (TAC_NO_PROCESSOR: nowhere yet; of a completed job:
 * where it ran last in the whole recording). TAC_STATE_NONE before its begin, and of an abandoned job from the next
 * arrival of its id on.
 */
tacJobState tacQueryJobState(const tacModel *model, uint32_t job, int64_t t, uint16_t *processor);
/* Was the job seen to run, at or before t? */
bool tacQueryHasRun(const tacModel *model, uint32_t job, int64_t t);
/* Rank of a state among those of a task's jobs: the job whose state has the highest rank stands for the task. 0: the
 * job is not under way. */
extern const uint8_t tacStateRanks[TAC_STATES];
/* The job of a task that goes on at t: the running one, else between, preempted, blocked, unknown, waiting (earliest
 * released); TAC_NONE. */
uint32_t tacQueryTaskJob(const tacModel *model, uint32_t task, int64_t t);
/*
 * Walks over what touches the window [from, to]: the first index at or after `start` whose slice (hold, run) does not
 * end before `from`; the number of slices (holds, runs) when there is none. Those in between that ended earlier are
 * passed over in logarithmic time, however long ago the ones that reach into the window began:
 *
 *   for (i = tacQuerySlice(m, task, 0, from); i < n && slices[i].begin <= to; i = tacQuerySlice(m, task, i + 1, from))
 */
uint32_t tacQuerySlice(const tacModel *model, uint32_t task, uint32_t start, int64_t from);
uint32_t tacQueryHold(const tacModel *model, uint32_t task, uint32_t start, int64_t from);
uint32_t tacQueryRun(const tacModel *model, uint32_t processor, uint32_t start, int64_t from);
uint32_t tacQueryMutexHold(const tacModel *model, uint32_t mutex, uint32_t start, int64_t from); /* of its holds */
/* The last hold of the task before number `limit` that goes on at t: begun at or before t, and ending after it;
 * TAC_NONE. */
uint32_t tacQueryLastHold(const tacModel *model, uint32_t task, uint32_t limit, int64_t t);
/* The same for the jobs of a task, in order of release: the first in [start, limit) whose wait for its start ends after
 * `from`; limit when there is none. */
uint32_t tacQueryWait(const tacModel *model, uint32_t task, uint32_t start, uint32_t limit, int64_t from);
/* The first index of such a walk: a place to start drawing. From there on some may end before `from`. */
uint32_t tacQueryFirstSlice(const tacModel *model, uint32_t task, int64_t from);
uint32_t tacQueryFirstHold(const tacModel *model, uint32_t task, int64_t from);
uint32_t tacQueryFirstRun(const tacModel *model, uint32_t processor, int64_t from);
/* Jobs that run on the processor at t: stores up to max of them, and returns how many there are. */
uint32_t tacQueryRunning(const tacModel *model, uint32_t processor, int64_t t, uint32_t *jobs, uint32_t max);
/* Jobs that hold the mutex at t (normally at most one). */
uint32_t tacQueryHolders(const tacModel *model, uint32_t mutex, int64_t t, uint32_t *jobs, uint32_t max);
/* Remainder of the budget of a server at t, in ticks, and, if not NULL, the number of consumers; below 0: so much was
 * consumed beyond it. */
int64_t tacQueryBudget(const tacModel *model, uint32_t server, int64_t t, uint32_t *consumers);
/* Semaphore's count at t: the last -state, changed since by releases (+1) and acquisitions (-1); 0 at first. */
int64_t tacQuerySemaphore(const tacModel *model, uint32_t semaphore, int64_t t);
/* Contents of a buffer at t, head first: string ids of the data, count in *count, capacity in *capacity. The array is
 * the caller's (tacFree). */
tacStatus tacQueryBuffer(const tacModel *model, uint32_t buffer, int64_t t, uint32_t **data, uint32_t *count,
    int64_t *capacity, tacError *err);
/* Row of the event that brought the element at a place from the head at t; TAC_NONE: no such element. */
uint32_t tacQueryElement(const tacModel *model, uint32_t buffer, int64_t t, uint32_t place);
/* Row of the next event after t / the last before t that belongs to the task (its jobs' events too); TAC_NONE. */
uint32_t tacQueryNext(const tacModel *model, uint32_t task, int64_t t);
uint32_t tacQueryPrevious(const tacModel *model, uint32_t task, int64_t t);

#endif
