/*
 * replay.h -- asking a replay that is under way about now: all that a consumer (model.h: tacConsumer) may know at an
 * event.
 *
 * "Now" is after the effect of the row the consumer was called with. The past (slices, holds, curves, earlier jobs) is
 * in the model; the present (states of jobs, running jobs, holders) is asked here.
 */
#ifndef TAC_MODEL_REPLAY_H
#define TAC_MODEL_REPLAY_H

#include "model/model.h"

/* Bytes of the model for each row and object, at most, while it is made and after that: they count for the limit of a
 * trace's memory. */
extern const tacStoreWeights tacReplayWeights;

/* A job's state has changed; or, from RUNNING to RUNNING, its processor. */
typedef struct tacStateChange {
    uint32_t job;     /* index of tacModel.jobs */
    uint8_t from, to; /* tacJobState; from NONE: the job begins */
    bool migrated;    /* it begins to run on another processor than it ran on before */
} tacStateChange;
/* The changes that the row has made, in the order in which they happened. */
const tacStateChange *tacNowChanges(const struct tacReplay *replay, uint32_t *count);

int64_t tacNow(const struct tacReplay *replay); /* ticks */
/* The job (index of tacModel.jobs) that this id stands for now; TAC_NONE: not released or used yet. */
uint32_t tacNowJob(const struct tacReplay *replay, uint32_t jobId);
/* The job (index of tacModel.jobs) as it is now: in a complete model that is followed once more, tacModel.jobs says how
 * it ends; only id, task and row are the same all the time. */
const tacJob *tacNowRecord(const struct tacReplay *replay, uint32_t job);
/* Was the job seen to run until now? */
bool tacNowHasRun(const struct tacReplay *replay, uint32_t job);
/* Its state and, if not NULL, where it runs or ran last (TAC_NO_PROCESSOR: nowhere yet). */
tacJobState tacNowJobState(const struct tacReplay *replay, uint32_t jobId, uint16_t *processor);
/* The job of a task that goes on, chosen as by tacQueryTaskJob (query.h); TAC_NONE: none. */
uint32_t tacNowTaskJob(const struct tacReplay *replay, uint32_t task);
/* Jobs that run on a processor, in the order in which they began: stores up to max, and returns how many there are. */
uint32_t tacNowRunning(const struct tacReplay *replay, uint32_t processor, uint32_t *jobs, uint32_t max);
/* Jobs that hold a mutex, in the order in which they acquired it. */
uint32_t tacNowHolders(const struct tacReplay *replay, uint32_t mutex, uint32_t *jobs, uint32_t max);
/* Mutexes that a job id holds, the latest first: stores up to max, and returns how many there are. */
uint32_t tacNowHeld(const struct tacReplay *replay, uint32_t jobId, uint32_t *mutexes, uint32_t max);
/* Of a row by which a mutex is acquired or released: the job that held it until now, and the one that holds it from
 * now on; TAC_NONE: none. */
void tacNowHoldChange(const struct tacReplay *replay, uint32_t *ended, uint32_t *begun);
/* Is it unknown which job runs on the processor? */
bool tacNowProcessorUnknown(const struct tacReplay *replay, uint32_t processor);
/* As tacQueryBudget (query.h). */
int64_t tacNowBudget(const struct tacReplay *replay, uint32_t server, uint32_t *consumers);
int64_t tacNowSemaphore(const struct tacReplay *replay, uint32_t semaphore);
/* Contents of a buffer (model/buffer.h). */
const struct tacBufferContents *tacNowBuffer(const struct tacReplay *replay, uint32_t buffer);

#endif
