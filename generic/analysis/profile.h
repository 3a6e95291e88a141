/*
 * profile.h -- one side of a comparison: what is known of the tasks of some traces and baselines.
 *
 *      trace, jobs that are wanted -.
 *                                    :- source -> tasks by name -> samples of measures, counts, mean parts of delays
 *      baseline (baseline.h) -------'
 *
 * A task is known by its name where no other task of its source has that, else by its id. Tasks of several sources that
 * are known by the same word are one. Values of a trace are gathered when they are asked for, measure by measure, so
 * that a million jobs take the memory of one measure.
 */
#ifndef TAC_ANALYSIS_PROFILE_H
#define TAC_ANALYSIS_PROFILE_H

#include "analysis/measure.h"
#include "analysis/values.h"
#include "analysis/why.h"
#include "base/intern.h"
#include "base/progress.h"
#include "relation/filter.h"

typedef struct tacProfileCounts {
    uint64_t jobs, deadlines, misses; /* jobs; those with a deadline; those that missed it */
} tacProfileCounts;

/* Parts of the response time of the mean job, by their words ("preemption by logger"). */
typedef struct tacCauses {
    tacInternTable words;
    TAC_ARRAY(double) means; /* by word: ticks of the mean job */
    double jobs;             /* completed jobs that the mean is over; 0: there is none */
} tacCauses;
void tacCausesFree(tacCauses *causes);

typedef struct tacTimeScale { /* of times: a tick is 10^(exponent - digits) seconds, or time units where none is known
                               */
    int digits, exponent;
    bool known; /* the unit is known; else exponent is 0 */
} tacTimeScale;

typedef struct tacBaselineTask {
    char *id, *name;
    tacProfileCounts counts;
    tacValues samples[TAC_TASK_MEASURES];
    tacCauses causes;
} tacBaselineTask;

typedef struct tacBaseline { /* a file that was read */
    TAC_ARRAY(tacBaselineTask) tasks;
    tacTimeScale scale;
    bool stolen; /* it has net execution times of their own */
} tacBaseline;

typedef struct tacProfileSource {
    const tacModel *model; /* of a trace; NULL: a baseline */
    tacBaseline baseline;
    tacTable jobs; /* of a trace with a filter, to which the filter refers */
    tacFilter *filter;
    tacFilterRun *run;
    tacWhyServers servers; /* of a trace */
    tacTimeScale scale;
} tacProfileSource;

typedef struct tacProfilePart {
    uint32_t source, task; /* task of the source */
    uint32_t next;         /* part of the same task, TAC_NONE */
} tacProfilePart;

typedef struct tacProfileTask {
    const char *id, *name; /* of its first part */
    uint32_t firstPart;
    bool byName; /* its name is its own among those of its source */
    tacProfileCounts counts;
} tacProfileTask;

typedef struct tacProfile {
    TAC_ARRAY(tacProfileSource *) sources;
    TAC_ARRAY(tacProfilePart) parts;
    TAC_ARRAY(tacProfileTask) tasks;
    tacInternTable keys; /* of tasks: key i is of task i */
    bool stolen;         /* some job has a net execution of its own */
} tacProfile;

/* What is wanted of each trace; NULL: all. The texts are used by tacProfileAddTrace only. */
typedef struct tacProfileWanted {
    const char *const *tasks; /* patterns of ids or names, NULL-terminated */
    const char *where;        /* filter of jobs; not for baselines */
} tacProfileWanted;

/* Adds a trace, which must stay. TAC_ERROR: MEMORY, USAGE FILTER, CANCELLED. */
tacStatus tacProfileAddTrace(
    tacProfile *profile, const tacModel *model, const tacProfileWanted *wanted, tacProgress *progress, tacError *err);
/* Adds a baseline, which is taken over, also when this fails. TAC_ERROR: MEMORY, USAGE BASELINE. */
tacStatus tacProfileAddBaseline(
    tacProfile *profile, tacBaseline *baseline, const tacProfileWanted *wanted, tacError *err);
void tacProfileFree(tacProfile *profile);

/* Makes `scale` one that can hold the times of all sources; `unit` of the first source that has one is kept.
 * TAC_ERROR: LIMIT TIME. */
tacStatus tacProfileScale(const tacProfile *profile, tacTimeScale *scale, tacError *err);
const char *tacScaleUnit(const tacTimeScale *scale); /* "ms" ..., NULL: not known */

/* The values of a task, in ticks of the scale. Free the sample in any case. TAC_ERROR: MEMORY, CANCELLED, LIMIT TIME.
 */
tacStatus tacProfileSample(const tacProfile *profile, uint32_t task, tacTaskMeasure measure, const tacTimeScale *scale,
    tacValues *sample, tacProgress *progress, tacError *err);
/* Takes an even sample of at most `most` of the task's completed jobs apart (why.h). Free the causes in any case. */
tacStatus tacProfileCauses(const tacProfile *profile, uint32_t task, uint64_t most, const tacTimeScale *scale,
    tacCauses *causes, tacProgress *progress, tacError *err);

/* Task of the profile that is known by the same word as one of another profile; TAC_NONE. */
uint32_t tacProfileFind(const tacProfile *profile, const tacProfileTask *task);

#endif
