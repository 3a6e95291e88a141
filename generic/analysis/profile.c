/*
 * profile.c -- gathers samples and causes of tasks from traces and baselines.
 */
#include "base/port.h"

#include "analysis/baseline.h"
#include "analysis/profile.h"
#include "analysis/stats.h"
#include "analysis/why.h"
#include "base/glob.h"
#include "base/patterns.h"
#include "model/jobTimes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- scales ----------------------------------------------------------------------------------------------------- */

static tacTimeScale scaleOf(const tacStore *store) {
    tacTimeScale scale = {.digits = store->digits};
    scale.known = store->unit && tacTimeUnit(store->unit, strlen(store->unit), &scale.exponent);
    return scale;
}

/* Decimals of the first scale that hold a tick of the second. */
static int digitsFor(const tacTimeScale *scale, const tacTimeScale *other) {
    return scale->known && other->known ? other->digits - other->exponent + scale->exponent : other->digits;
}

tacStatus tacProfileScale(const tacProfile *profile, tacTimeScale *scale, tacError *err) {
    for (size_t i = 0; i < profile->sources.count; i++) {
        const tacTimeScale *own = &profile->sources.at[i]->scale;
        if (!scale->known && own->known) {
            scale->exponent = own->exponent;
            scale->known = true;
        }
    }
    for (size_t i = 0; i < profile->sources.count; i++) {
        int digits = digitsFor(scale, &profile->sources.at[i]->scale);
        if (digits > scale->digits) scale->digits = digits;
    }
    if (scale->digits <= TAC_MAX_DIGITS) return TAC_OK;
    return tacFail(err, "LIMIT TIME", "the traces count times too differently: 64 bits have no room for both");
}

const char *tacScaleUnit(const tacTimeScale *scale) {
    static const char *const units[] = {"s", "ms", "us", "ns", "ps"};
    return scale->known && scale->exponent % 3 == 0 ? units[-scale->exponent / 3] : NULL;
}

static int shiftTo(const tacTimeScale *scale, const tacTimeScale *own) { return scale->digits - digitsFor(scale, own); }

static bool shiftSample(tacValues *sample, int shift) {
    bool rounded = false;
    for (size_t i = 0; i < sample->runs.count; i++)
        if (!tacDecimalShift(sample->runs.at[i].value, shift, &sample->runs.at[i].value, &rounded)) return false;
    return true;
}

/* ---- sources ---------------------------------------------------------------------------------------------------- */

static uint32_t tasksOf(const tacProfileSource *source) {
    return source->model ? tacStoreObjects(source->model->store, TAC_TASK) : (uint32_t) source->baseline.tasks.count;
}

static const char *idOf(const tacProfileSource *source, uint32_t task) {
    return source->model ? tacObjectId(source->model->store, TAC_TASK, task) : source->baseline.tasks.at[task].id;
}

static const char *nameOf(const tacProfileSource *source, uint32_t task) {
    return source->model ? tacObjectName(source->model->store, TAC_TASK, task) : source->baseline.tasks.at[task].name;
}

static bool isWanted(const tacProfileSource *source, uint32_t job) {
    return !source->run || tacFilterFits(source->run, job);
}

static tacProfileCounts countsOf(const tacProfileSource *source, uint32_t task) {
    if (!source->model) return source->baseline.tasks.at[task].counts;
    tacProfileCounts counts = {0, 0, 0};
    const tacJob *jobs = source->model->jobs.at;
    for (uint32_t i = source->model->tasks[task].firstJob; i != TAC_NONE; i = jobs[i].next) {
        if (!isWanted(source, i)) continue;
        counts.jobs++;
        counts.deadlines += jobs[i].deadline != TAC_UNKNOWN;
        counts.misses += (jobs[i].flags & TAC_JOB_MISSED) != 0;
    }
    return counts;
}

static void freeSource(tacProfileSource *source) {
    tacFilterEnd(source->run);
    tacFilterFree(source->filter);
    tacWhyServersFree(&source->servers);
    tacTableFree(&source->jobs);
    tacBaselineFree(&source->baseline);
    tacFree(source);
}

void tacProfileFree(tacProfile *profile) {
    for (size_t i = 0; i < profile->sources.count; i++) freeSource(profile->sources.at[i]);
    tacArrayFree(&profile->sources);
    tacArrayFree(&profile->parts);
    tacArrayFree(&profile->tasks);
    tacInternFree(&profile->keys);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------ */

/* The word by which a task is known: n and its name, or i and its id. */
static void keyOf(const char *id, const char *name, bool byName, tacText *key) {
    key->length = 0;
    tacTextPrintf(key, byName ? "n%s" : "i%s", byName ? name : id);
}

/* Adds a part to the task that is known by its word, which may be new. */
static bool addPart(tacProfile *profile, uint32_t source, uint32_t index, bool byName, tacText *key) {
    const tacProfileSource *from = profile->sources.at[source];
    tacProfileCounts counts = countsOf(from, index);
    if (!counts.jobs) return true;
    keyOf(idOf(from, index), nameOf(from, index), byName, key);
    uint32_t task = key->failed ? TAC_NONE : tacIntern(&profile->keys, key->at, key->length);
    tacProfileTask fresh = {idOf(from, index), nameOf(from, index), TAC_NONE, byName, {0, 0, 0}};
    if (task == TAC_NONE || (task == profile->tasks.count && !tacArrayPush(&profile->tasks, fresh))) return false;
    tacProfileTask *known = &profile->tasks.at[task];
    if (!tacArrayPush(&profile->parts, (tacProfilePart){source, index, known->firstPart})) return false;
    known->firstPart = (uint32_t) profile->parts.count - 1;
    known->counts.jobs += counts.jobs;
    known->counts.deadlines += counts.deadlines;
    known->counts.misses += counts.misses;
    return true;
}

/* Counts how many tasks of a source have each name: by id of the name in `names`. */
static bool countNames(const tacProfileSource *source, tacInternTable *names, uint32_t *counts) {
    for (uint32_t i = 0; i < tasksOf(source); i++) {
        uint32_t name = tacIntern(names, nameOf(source, i), strlen(nameOf(source, i)));
        if (name == TAC_NONE) return false;
        counts[name]++;
    }
    return true;
}

static tacStatus addTasks(
    tacProfile *profile, uint32_t index, const tacProfileWanted *wanted, tacProgress *progress, tacError *err) {
    const tacProfileSource *source = profile->sources.at[index];
    tacInternTable names = {.slots = NULL};
    tacText key = {.at = NULL};
    uint32_t *counts = tacAllocZero(tasksOf(source) + 1, sizeof *counts);
    tacPatterns patterns;
    bool fine = tacPatternsInit(&patterns, wanted->tasks, "*?[\\", tacGlobFits) && counts
        && countNames(source, &names, counts);
    for (uint32_t i = 0; fine && i < tasksOf(source); i++) {
        const char *name = nameOf(source, i);
        if (wanted->tasks && tacPatternsFirst(&patterns, idOf(source, i), name, false) == TAC_NONE) continue;
        fine = addPart(profile, index, i, counts[tacInternFind(&names, name, strlen(name))] == 1, &key)
            && (!progress || tacProgressStep(progress, i));
    }
    tacPatternsFree(&patterns);
    tacFree(counts);
    tacInternFree(&names);
    tacTextFree(&key);
    return fine ? TAC_OK : tacFailStopped(err, progress);
}

uint32_t tacProfileFind(const tacProfile *profile, const tacProfileTask *task) {
    tacText key = {.at = NULL};
    keyOf(task->id, task->name, task->byName, &key);
    uint32_t found = key.failed ? TAC_NONE : tacInternFind(&profile->keys, key.at, key.length);
    tacTextFree(&key);
    return found;
}

/* ---- adding ----------------------------------------------------------------------------------------------------- */

static tacProfileSource *addSource(tacProfile *profile, tacError *err) {
    tacProfileSource *source = tacAllocZero(1, sizeof *source);
    if (source && tacArrayPush(&profile->sources, source)) return source;
    tacFree(source);
    tacFailMemory(err);
    return NULL;
}

/* Makes the filter of the jobs of a trace. */
static tacStatus filterJobs(tacProfileSource *source, const char *where, tacError *err) {
    if (tacStats(source->model, TAC_STATS_JOBS, TAC_UNKNOWN, TAC_UNKNOWN, NULL, &source->jobs, err) != TAC_OK)
        return TAC_ERROR;
    source->jobs.timeUnit = source->model->store->unit;
    source->filter = tacFilterNew(&source->jobs);
    if (!source->filter) return tacFailMemory(err);
    if (tacFilterExpression(source->filter, where, err) != TAC_OK) return TAC_ERROR;
    source->run = tacFilterBegin(source->filter);
    return source->run ? TAC_OK : tacFailMemory(err);
}

tacStatus tacProfileAddTrace(
    tacProfile *profile, const tacModel *model, const tacProfileWanted *wanted, tacProgress *progress, tacError *err) {
    tacProfileSource *source = addSource(profile, err);
    if (!source) return TAC_ERROR;
    source->model = model;
    source->scale = scaleOf(model->store);
    if (wanted->where && filterJobs(source, wanted->where, err) != TAC_OK) return TAC_ERROR;
    if (!tacNothingStolen(model)) profile->stolen = true;
    return addTasks(profile, (uint32_t) profile->sources.count - 1, wanted, progress, err);
}

tacStatus tacProfileAddBaseline(
    tacProfile *profile, tacBaseline *baseline, const tacProfileWanted *wanted, tacError *err) {
    tacProfileSource *source = addSource(profile, err);
    if (!source) return tacBaselineFree(baseline), TAC_ERROR;
    source->baseline = *baseline;
    *baseline = (tacBaseline){.stolen = false};
    source->scale = source->baseline.scale;
    if (wanted->where)
        return tacFail(err, "USAGE BASELINE", "a baseline has no jobs to choose from: make it with the same filter");
    if (source->baseline.stolen) profile->stolen = true;
    return addTasks(profile, (uint32_t) profile->sources.count - 1, wanted, NULL, err);
}

/* ---- samples ---------------------------------------------------------------------------------------------------- */

/* The values of a task of a trace. */
static tacStatus traceSample(const tacProfileSource *source, uint32_t task, tacTaskMeasure measure, tacValues *sample,
    tacProgress *progress, tacError *err) {
    const tacModel *model = source->model;
    size_t n = 0;
    tacMeasureWalk walk;
    int64_t *values = tacAlloc(((size_t) model->tasks[task].nJobs + 1) * sizeof *values);
    if (!values) return tacFailMemory(err);
    for (tacMeasureBegin(&walk, model, task, 0); walk.job != TAC_NONE; tacMeasureNext(&walk, model)) {
        if (!tacProgressAt(progress, n + 1)) break;
        int64_t value = isWanted(source, walk.job) ? tacMeasureOf(model, &walk, measure) : TAC_UNKNOWN;
        if (value != TAC_UNKNOWN) values[n++] = value;
    }
    bool fine = walk.job == TAC_NONE && tacValuesMake(sample, values, n);
    tacFree(values);
    return fine ? TAC_OK : tacFailStopped(err, progress);
}

static tacStatus partSample(const tacProfileSource *source, uint32_t task, tacTaskMeasure measure,
    const tacTimeScale *scale, tacValues *sample, tacProgress *progress, tacError *err) {
    *sample = (tacValues){.n = 0};
    if (source->model) {
        if (traceSample(source, task, measure, sample, progress, err) != TAC_OK) return TAC_ERROR;
    } else {
        if (measure == TAC_TASK_MEASURE_NET_EXECUTION && !source->baseline.stolen) measure = TAC_TASK_MEASURE_EXECUTION;
        if (!tacValuesJoin(sample, &source->baseline.tasks.at[task].samples[measure])) return tacFailMemory(err);
    }
    if (shiftSample(sample, shiftTo(scale, &source->scale))) return TAC_OK;
    return tacFail(err, "LIMIT TIME", "the times of the traces are too different for 64 bits");
}

tacStatus tacProfileSample(const tacProfile *profile, uint32_t task, tacTaskMeasure measure, const tacTimeScale *scale,
    tacValues *sample, tacProgress *progress, tacError *err) {
    *sample = (tacValues){.n = 0};
    for (uint32_t i = profile->tasks.at[task].firstPart; i != TAC_NONE; i = profile->parts.at[i].next) {
        const tacProfilePart *part = &profile->parts.at[i];
        tacValues own;
        tacStatus status = partSample(
            profile->sources.at[part->source], part->task, measure, scale, &own, progress, err);
        if (status == TAC_OK && !sample->n) {
            *sample = own;
            continue;
        }
        if (status == TAC_OK && !tacValuesJoin(sample, &own)) status = tacFailMemory(err);
        tacValuesFree(&own);
        if (status != TAC_OK) return status;
    }
    return TAC_OK;
}

/* ---- causes ----------------------------------------------------------------------------------------------------- */

void tacCausesFree(tacCauses *causes) {
    tacInternFree(&causes->words);
    tacArrayFree(&causes->means);
}

bool tacCausesAdd(tacCauses *causes, const char *word, size_t length, double ticks) {
    uint32_t index = tacIntern(&causes->words, word, length);
    if (index == TAC_NONE || (index == causes->means.count && !tacArrayPush(&causes->means, 0.0))) return false;
    causes->means.at[index] += ticks;
    return true;
}

/* Is the job one whose delays are known from its release to its completion? */
static bool isWhole(const tacProfileSource *source, uint32_t index) {
    const tacJob *job = &source->model->jobs.at[index];
    return job->completion != TAC_UNKNOWN && job->release != TAC_UNKNOWN && !(job->flags & TAC_JOB_UNKNOWN)
        && isWanted(source, index);
}

/* Adds the parts of the top level of one job, each `weight` times. */
static tacStatus addJob(tacProfileSource *source, uint32_t job, double weight, tacCauses *causes, tacText *phrase,
    tacProgress *progress, tacError *err) {
    const tacModel *model = source->model;
    tacWhy why;
    tacStatus status = tacWhyJob(model, job, &source->servers, &why, progress, err);
    for (uint32_t i = 0; status == TAC_OK && i < why.nParts; i++) {
        if (tacWhyParent(&why, i) != TAC_NONE) continue;
        tacWhyPart part = tacWhyPartAt(&why, i);
        phrase->length = 0;
        tacWhyPhraseNamed(model, &part, phrase);
        if (phrase->failed || !tacCausesAdd(causes, phrase->at, phrase->length, (double) part.own.ticks * weight))
            status = tacFailMemory(err);
    }
    tacWhyFree(&why);
    return status;
}

/* Adds the parts of the jobs of a trace: sums over all whole jobs, estimated from an even sample of them. */
static tacStatus addTrace(tacProfileSource *source, uint32_t task, uint64_t most, double unit, tacCauses *causes,
    tacProgress *progress, tacError *err) {
    const tacJob *jobs = source->model->jobs.at;
    tacText phrase = {.at = NULL};
    tacStatus status = TAC_OK;
    uint64_t n = 0, seen = 0, taken = 0;
    for (uint32_t i = source->model->tasks[task].firstJob; i != TAC_NONE; i = jobs[i].next) n += isWhole(source, i);
    uint64_t wanted = n < most ? n : most;
    for (uint32_t i = source->model->tasks[task].firstJob; i != TAC_NONE && taken < wanted; i = jobs[i].next) {
        if (!isWhole(source, i)) continue;
        /* the middle of the taken-th of `wanted` equal parts of the jobs */
        if (seen++ < (uint64_t) (((double) taken + 0.5) * (double) n / (double) wanted)) continue;
        taken++;
        status = addJob(source, i, unit * (double) n / (double) wanted, causes, &phrase, progress, err);
        if (status != TAC_OK) break;
    }
    causes->jobs += (double) n;
    tacTextFree(&phrase);
    return status;
}

static tacStatus addBaseline(const tacCauses *own, double unit, tacCauses *causes, tacError *err) {
    for (uint32_t i = 0; i < own->means.count; i++) {
        size_t length;
        const char *word = tacInternName(&own->words, i, &length);
        if (!tacCausesAdd(causes, word, length, own->means.at[i] * own->jobs * unit)) return tacFailMemory(err);
    }
    causes->jobs += own->jobs;
    return TAC_OK;
}

tacStatus tacProfileCauses(const tacProfile *profile, uint32_t task, uint64_t most, const tacTimeScale *scale,
    tacCauses *causes, tacProgress *progress, tacError *err) {
    tacStatus status = TAC_OK;
    *causes = (tacCauses){.jobs = 0};
    for (uint32_t i = profile->tasks.at[task].firstPart; status == TAC_OK && i != TAC_NONE;
         i = profile->parts.at[i].next) {
        const tacProfilePart *part = &profile->parts.at[i];
        tacProfileSource *source = profile->sources.at[part->source];
        double unit = pow(10, shiftTo(scale, &source->scale));
        status = source->model ? addTrace(source, part->task, most, unit, causes, progress, err)
                               : addBaseline(&source->baseline.tasks.at[part->task].causes, unit, causes, err);
    }
    for (size_t i = 0; i < causes->means.count; i++) causes->means.at[i] /= causes->jobs;
    return status;
}
