/*
 * neighbour.h -- the next and the previous one: slices of a job, arrows between slices, events of an object.
 *
 * Each looks at no more than what lies between: the slices of the task while the job goes on, the events of one
 * instant.
 */
#ifndef TAC_MODEL_NEIGHBOUR_H
#define TAC_MODEL_NEIGHBOUR_H

#include "model/query.h"

/* The slice of the same job after (before) slice i of a task; TAC_NONE: none. */
uint32_t tacNextSlice(const tacModel *model, uint32_t task, uint32_t i);
uint32_t tacPreviousSlice(const tacModel *model, uint32_t task, uint32_t i);

/* An arrow to another slice: of the job that takes over the processor, or of the same job. */
typedef enum tacArrowKind { TAC_ARROW_TARGET, TAC_ARROW_MIGRATION, TAC_ARROW_SAME, TAC_ARROW_KINDS } tacArrowKind;
extern const char *const tacArrowNames[TAC_ARROW_KINDS]; /* "target", "migration", "same job" */
typedef struct tacArrowTo {
    tacArrowKind kind;
    uint32_t task, slice; /* where it leads */
    int64_t time;         /* when the processor or the job goes over */
} tacArrowTo;
/*
 * Forward from a slice of RUNNING or BETWEEN: to the job that its end names by -target, else to where the job runs
 * next. From others: to where the job runs next. Back: where a forward arrow to this slice comes from. False: nowhere.
 */
bool tacArrowForward(const tacModel *model, uint32_t task, uint32_t slice, tacArrowTo *to);
bool tacArrowBack(const tacModel *model, uint32_t task, uint32_t slice, tacArrowTo *to);

/* Row of the next event after t (the last before t) of a server, on a processor (where a run begins or ends), of a job;
 * TAC_NONE. */
uint32_t tacServerNext(const tacModel *model, uint32_t server, int64_t t);
uint32_t tacServerPrevious(const tacModel *model, uint32_t server, int64_t t);
uint32_t tacProcessorNext(const tacModel *model, uint32_t processor, int64_t t);
uint32_t tacProcessorPrevious(const tacModel *model, uint32_t processor, int64_t t);
uint32_t tacJobNext(const tacModel *model, uint32_t job, int64_t t);
uint32_t tacJobPrevious(const tacModel *model, uint32_t job, int64_t t);
/* The row of an event at time t that is about the job id (its subject); TAC_NONE. */
uint32_t tacRowOfJobAt(const tacModel *model, uint32_t jobId, int64_t t);
/* The job (index of tacModel.jobs) that a row is about; TAC_NONE. */
uint32_t tacRowJob(const tacModel *model, uint32_t row);

#endif
