/*
 * replay.h -- asking a replay that is under way about now: what a consumer (model.h: tacConsumer) may know at an event.
 *
 * "Now" is after the effect of the row the consumer was called with. What has happened already (slices, holds, curves,
 * earlier jobs) is in the model; what goes on (the state of a job, who runs, who holds) is asked here.
 */
#ifndef TAC_MODEL_REPLAY_H
#define TAC_MODEL_REPLAY_H

#include "model/model.h"

/* What the model takes, while it is made and then, of the memory that a trace may have. */
extern const tacStoreWeights tacReplayWeights;

int64_t tacNow(const struct tacReplay *replay); /* ticks */
/* The job (index of tacModel.jobs) that this id stands for now; TAC_NONE: not released or used yet. */
uint32_t tacNowJob(const struct tacReplay *replay, uint32_t jobId);
/* Its state and, if not NULL, where it runs or ran last (TAC_NO_PROCESSOR: nowhere yet). */
tacJobState tacNowJobState(const struct tacReplay *replay, uint32_t jobId, uint16_t *processor);
/* The job of a task that goes on, chosen as by tacQueryTaskJob (query.h); TAC_NONE: none. */
uint32_t tacNowTaskJob(const struct tacReplay *replay, uint32_t task);
/* Jobs that run on a processor, in the order in which they began: stores up to max, and returns how many there are. */
uint32_t tacNowRunning(const struct tacReplay *replay, uint32_t processor, uint32_t *jobs, uint32_t max);
/* Jobs that hold a mutex, in the order in which they acquired it. */
uint32_t tacNowHolders(const struct tacReplay *replay, uint32_t mutex, uint32_t *jobs, uint32_t max);
/* As tacQueryBudget (query.h). */
int64_t tacNowBudget(const struct tacReplay *replay, uint32_t server, uint32_t *consumers);
int64_t tacNowSemaphore(const struct tacReplay *replay, uint32_t semaphore);
/* Contents of a buffer, head first: string ids, count of them; valid until the next event. */
const uint32_t *tacNowBuffer(const struct tacReplay *replay, uint32_t buffer, uint32_t *count, int64_t *capacity);

#endif
