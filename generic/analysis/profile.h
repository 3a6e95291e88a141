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
#include "base/keys.h"
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
    uint32_t firstPart; /* of tacProfile.parts */
    tacTable jobs;      /* of a trace with a filter, to which the filter refers */
    tacFilter *filter;
    tacFilterRun *run;
    tacWhyShared shared; /* of a trace */
    tacTimeScale scale;
} tacProfileSource;

/* Tasks are many where jobs are few, so there is no more of each than where it is: 12 bytes, and its place in an index
 * while tasks are added or looked for. */
typedef struct tacProfilePart { /* of the last source whose firstPart is not behind it */
    uint32_t task;              /* of the source */
    uint32_t before;            /* part of the same task that was added before; TAC_NONE */
} tacProfilePart;

typedef struct tacProfileTask {
    uint32_t part : 31;  /* the last one */
    uint32_t byName : 1; /* its name is its own among those of its first source */
} tacProfileTask;

typedef struct tacProfile {
    TAC_ARRAY(tacProfileSource *) sources;
    TAC_ARRAY(tacProfilePart) parts;
    TAC_ARRAY(tacProfileTask) tasks;
    tacKeys names, ids; /* of tasks that are known by their name, and of those known by their id */
    uint32_t indexed;   /* tasks that are in these; the others get there when one is looked for */
    bool stolen;        /* some job has a net execution of its own */
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
void tacProfileForget(tacProfile *profile); /* frees the indexes of tasks: there is nothing more to add or to look for
                                             */

/* Id and name of a task, those of its first part; its jobs. */
const char *tacProfileId(const tacProfile *profile, uint32_t task);
const char *tacProfileName(const tacProfile *profile, uint32_t task);
tacProfileCounts tacProfileCount(const tacProfile *profile, uint32_t task);

/* Makes `scale` one that can hold the times of all sources; `unit` of the first source that has one is kept.
 * TAC_ERROR: LIMIT TIME. */
tacStatus tacProfileScale(const tacProfile *profile, tacTimeScale *scale, tacError *err);
const char *tacScaleUnit(const tacTimeScale *scale); /* "ms" ..., NULL: not known */

/* Puts the values of a task, in ticks of the scale, in the place of those of the sample, which is all zero at first.
 * Free the sample in any case. TAC_ERROR: MEMORY, CANCELLED, LIMIT TIME. */
tacStatus tacProfileSample(const tacProfile *profile, uint32_t task, tacTaskMeasure measure, const tacTimeScale *scale,
    tacValues *sample, tacProgress *progress, tacError *err);
/* The samples of all measures that are wanted at once, of a task of which that takes little memory; TAC_PROFILE_FEW
 * jobs or less. */
enum { TAC_PROFILE_FEW = 64 };
bool tacProfileHasFew(const tacProfile *profile, uint32_t task);
tacStatus tacProfileSamples(const tacProfile *profile, uint32_t task, const bool wanted[TAC_TASK_MEASURES],
    const tacTimeScale *scale, tacValues samples[TAC_TASK_MEASURES], tacError *err);
/* Takes an even sample of at most `most` of the task's completed jobs apart (why.h), in the place of the causes that
 * are there, all zero at first. Free them in any case. */
tacStatus tacProfileCauses(const tacProfile *profile, uint32_t task, uint64_t most, const tacTimeScale *scale,
    tacCauses *causes, tacProgress *progress, tacError *err);
/* Have the jobs that would be taken apart of two tasks one mean response time? False also where that is not seen
 * without taking them apart. */
bool tacProfileSameMeans(
    const tacProfile *base, uint32_t task, const tacProfile *other, uint32_t otherTask, uint64_t most);

/* Finds the task of the profile that is known by the same word as one of another profile; TAC_NONE: there is none.
 * False: no memory. */
bool tacProfileFind(tacProfile *profile, const tacProfile *other, uint32_t task, uint32_t *found);

#endif
