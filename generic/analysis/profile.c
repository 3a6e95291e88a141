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
#include "base/search.h"
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
    if (!shift) return true;
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

/* Has the task a job that is wanted, or that a baseline counts? */
static bool hasJobs(const tacProfileSource *source, uint32_t task) {
    if (!source->model) return source->baseline.tasks.at[task].counts.jobs > 0;
    uint32_t job = source->model->tasks[task].firstJob;
    while (job != TAC_NONE && !isWanted(source, job)) job = source->model->jobs.at[job].next;
    return job != TAC_NONE;
}

static void freeSource(tacProfileSource *source) {
    tacFilterEnd(source->run);
    tacFilterFree(source->filter);
    tacWhySharedFree(&source->shared);
    tacTableFree(&source->jobs);
    tacBaselineFree(&source->baseline);
    tacFree(source);
}

void tacProfileFree(tacProfile *profile) {
    for (size_t i = 0; i < profile->sources.count; i++) freeSource(profile->sources.at[i]);
    tacArrayFree(&profile->sources);
    tacArrayFree(&profile->parts);
    tacArrayFree(&profile->tasks);
    tacProfileForget(profile);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------ */

static tacProfileSource *sourceOf(const tacProfile *profile, uint32_t part) {
    size_t n = profile->sources.count;
    return profile->sources.at[tacPast(size_t, 1, n, i, profile->sources.at[i]->firstPart <= part) - 1];
}

static uint32_t firstPartOf(const tacProfile *profile, uint32_t task) {
    uint32_t part = profile->tasks.at[task].part;
    while (profile->parts.at[part].before != TAC_NONE) part = profile->parts.at[part].before;
    return part;
}

const char *tacProfileId(const tacProfile *profile, uint32_t task) {
    uint32_t part = firstPartOf(profile, task);
    return idOf(sourceOf(profile, part), profile->parts.at[part].task);
}

const char *tacProfileName(const tacProfile *profile, uint32_t task) {
    uint32_t part = firstPartOf(profile, task);
    return nameOf(sourceOf(profile, part), profile->parts.at[part].task);
}

tacProfileCounts tacProfileCount(const tacProfile *profile, uint32_t task) {
    tacProfileCounts all = {0, 0, 0};
    for (uint32_t i = profile->tasks.at[task].part; i != TAC_NONE; i = profile->parts.at[i].before) {
        tacProfileCounts counts = countsOf(sourceOf(profile, i), profile->parts.at[i].task);
        all.jobs += counts.jobs;
        all.deadlines += counts.deadlines;
        all.misses += counts.misses;
    }
    return all;
}

static const char *idText(const void *profile, uint32_t task) { return tacProfileId(profile, task); }
static const char *nameText(const void *profile, uint32_t task) { return tacProfileName(profile, task); }
static const char *sourceText(const void *source, uint32_t task) { return nameOf(source, task); }

/* Adds the tasks that are not in the indexes yet. */
static bool indexTasks(tacProfile *profile) {
    profile->names.text = nameText;
    profile->ids.text = idText;
    profile->names.data = profile->ids.data = profile;
    for (uint32_t same; profile->indexed < profile->tasks.count; profile->indexed++) {
        bool byName = profile->tasks.at[profile->indexed].byName;
        if (!tacKeysAdd(byName ? &profile->names : &profile->ids, profile->indexed, &same)) return false;
    }
    return true;
}

/* Adds a part to the task that is known by its word, which may be new; that of the first trace is. */
static bool addPart(tacProfile *profile, const tacProfileSource *source, uint32_t index, bool byName) {
    uint32_t part = (uint32_t) profile->parts.count, task = TAC_NONE, before = TAC_NONE;
    if (!hasJobs(source, index)) return true;
    if (profile->sources.count > 1 || !source->model) {
        if (!indexTasks(profile)) return false;
        task = tacKeysFind(byName ? &profile->names : &profile->ids, (byName ? nameOf : idOf)(source, index));
    }
    if (task != TAC_NONE) before = profile->tasks.at[task].part;
    if (part > INT32_MAX || !tacArrayPush(&profile->parts, (tacProfilePart){index, before})) return false;
    if (task == TAC_NONE) return tacArrayPush(&profile->tasks, (tacProfileTask){part & INT32_MAX, byName});
    profile->tasks.at[task].part = part & INT32_MAX;
    return true;
}

/* Sets the bits of the tasks of a source whose name another one has, too. */
static bool markShared(const tacProfileSource *source, uint64_t *shared) {
    tacKeys names = {.text = sourceText, .data = source};
    bool fine = true;
    for (uint32_t i = 0, same; fine && i < tasksOf(source); i++) {
        fine = tacKeysAdd(&names, i, &same);
        if (!fine || same == TAC_NONE) continue;
        shared[same / 64] |= UINT64_C(1) << same % 64;
        shared[i / 64] |= UINT64_C(1) << i % 64;
    }
    tacKeysFree(&names);
    return fine;
}

/* Adds the tasks of the last source. */
static tacStatus addTasks(tacProfile *profile, const tacProfileWanted *wanted, tacProgress *progress, tacError *err) {
    tacProfileSource *source = profile->sources.at[profile->sources.count - 1];
    uint64_t *shared = tacAllocZero(tasksOf(source) / 64 + 1, sizeof *shared);
    tacPatterns patterns;
    bool fine = tacPatternsInit(&patterns, wanted->tasks, "*?[\\", tacGlobFits) && shared && markShared(source, shared);
    source->firstPart = (uint32_t) profile->parts.count;
    fine = fine && tacArrayReserve(&profile->parts, tasksOf(source))
        && tacArrayReserve(&profile->tasks, tasksOf(source));
    for (uint32_t i = 0; fine && i < tasksOf(source); i++) {
        if (wanted->tasks && tacPatternsFirst(&patterns, idOf(source, i), nameOf(source, i), false) == TAC_NONE)
            continue;
        fine = addPart(profile, source, i, !(shared[i / 64] >> i % 64 & 1)) && tacProgressAt(progress, i);
    }
    tacPatternsFree(&patterns);
    tacFree(shared);
    return fine ? TAC_OK : tacFailStopped(err, progress);
}

bool tacProfileFind(tacProfile *profile, const tacProfile *other, uint32_t task, uint32_t *found) {
    bool byName = other->tasks.at[task].byName;
    if (!indexTasks(profile)) return false;
    const char *text = (byName ? tacProfileName : tacProfileId)(other, task);
    *found = tacKeysFind(byName ? &profile->names : &profile->ids, text);
    return true;
}

void tacProfileForget(tacProfile *profile) {
    tacKeysFree(&profile->names);
    tacKeysFree(&profile->ids);
    profile->indexed = 0;
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
    return addTasks(profile, wanted, progress, err);
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
    return addTasks(profile, wanted, NULL, err);
}

/* ---- samples ---------------------------------------------------------------------------------------------------- */

/* Puts the values of a task of a trace into the sample. */
static tacStatus traceSample(const tacProfileSource *source, uint32_t task, tacTaskMeasure measure, tacValues *sample,
    tacProgress *progress, tacError *err) {
    enum { FEW = TAC_PROFILE_FEW };
    const tacModel *model = source->model;
    size_t n = 0;
    tacMeasureWalk walk;
    int64_t few[FEW], *values = few;
    if (model->tasks[task].nJobs > FEW) values = tacAlloc((size_t) model->tasks[task].nJobs * sizeof *values);
    if (!values) return tacFailMemory(err);
    for (tacMeasureBegin(&walk, model, task, 0); walk.job != TAC_NONE; tacMeasureNext(&walk, model)) {
        if (!tacProgressAt(progress, n + 1)) break;
        int64_t value = isWanted(source, walk.job) ? tacMeasureOf(model, &walk, measure) : TAC_UNKNOWN;
        if (value != TAC_UNKNOWN) values[n++] = value;
    }
    bool fine = walk.job == TAC_NONE && tacValuesMake(sample, values, n);
    if (values != few) tacFree(values);
    return fine ? TAC_OK : tacFailStopped(err, progress);
}

/* Moves times of a source to the scale. */
static tacStatus toScale(
    const tacProfileSource *source, const tacTimeScale *scale, tacValues *samples, int n, tacError *err) {
    int shift = shiftTo(scale, &source->scale);
    for (int i = 0; i < n; i++)
        if (!shiftSample(&samples[i], shift))
            return tacFail(err, "LIMIT TIME", "the times of the traces are too different for 64 bits");
    return TAC_OK;
}

bool tacProfileHasFew(const tacProfile *profile, uint32_t task) {
    const tacProfilePart *part = &profile->parts.at[profile->tasks.at[task].part];
    const tacProfileSource *source = sourceOf(profile, profile->tasks.at[task].part);
    return part->before == TAC_NONE && source->model && source->model->tasks[part->task].nJobs <= TAC_PROFILE_FEW;
}

tacStatus tacProfileSamples(const tacProfile *profile, uint32_t task, const bool wanted[TAC_TASK_MEASURES],
    const tacTimeScale *scale, tacValues samples[TAC_TASK_MEASURES], tacError *err) {
    uint32_t part = profile->tasks.at[task].part, own = profile->parts.at[part].task;
    const tacProfileSource *source = sourceOf(profile, part);
    int64_t values[TAC_TASK_MEASURES][TAC_PROFILE_FEW];
    size_t counts[TAC_TASK_MEASURES] = {0};
    tacMeasureWalk walk;
    for (tacMeasureBegin(&walk, source->model, own, 0); walk.job != TAC_NONE; tacMeasureNext(&walk, source->model)) {
        if (!isWanted(source, walk.job)) continue;
        for (int i = 0; i < TAC_TASK_MEASURES; i++) {
            int64_t value = wanted[i] ? tacMeasureOf(source->model, &walk, (tacTaskMeasure) i) : TAC_UNKNOWN;
            if (value != TAC_UNKNOWN) values[i][counts[i]++] = value;
        }
    }
    for (int i = 0; i < TAC_TASK_MEASURES; i++)
        if (!tacValuesMake(&samples[i], values[i], counts[i])) return tacFailMemory(err);
    return toScale(source, scale, samples, TAC_TASK_MEASURES, err);
}

static tacStatus partSample(const tacProfileSource *source, uint32_t task, tacTaskMeasure measure,
    const tacTimeScale *scale, tacValues *sample, tacProgress *progress, tacError *err) {
    tacValuesClear(sample);
    if (source->model) {
        if (traceSample(source, task, measure, sample, progress, err) != TAC_OK) return TAC_ERROR;
    } else {
        if (measure == TAC_TASK_MEASURE_NET_EXECUTION && !source->baseline.stolen) measure = TAC_TASK_MEASURE_EXECUTION;
        if (!tacValuesJoin(sample, &source->baseline.tasks.at[task].samples[measure])) return tacFailMemory(err);
    }
    return toScale(source, scale, sample, 1, err);
}

tacStatus tacProfileSample(const tacProfile *profile, uint32_t task, tacTaskMeasure measure, const tacTimeScale *scale,
    tacValues *sample, tacProgress *progress, tacError *err) {
    uint32_t i = profile->tasks.at[task].part;
    tacStatus status = partSample(
        sourceOf(profile, i), profile->parts.at[i].task, measure, scale, sample, progress, err);
    tacValues own = {.n = 0};
    while (status == TAC_OK && (i = profile->parts.at[i].before) != TAC_NONE) {
        status = partSample(sourceOf(profile, i), profile->parts.at[i].task, measure, scale, &own, progress, err);
        if (status == TAC_OK && !tacValuesJoin(sample, &own)) status = tacFailMemory(err);
    }
    tacValuesFree(&own);
    return status;
}

/* ---- causes ----------------------------------------------------------------------------------------------------- */

void tacCausesFree(tacCauses *causes) {
    tacInternFree(&causes->words);
    tacArrayFree(&causes->means);
}

bool tacCausesAdd(tacCauses *causes, const char *word, size_t length, double ticks) {
    uint32_t index = tacInternAmongFew(&causes->words, word, length);
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
    tacStatus status = tacWhyJob(model, job, &source->shared, &why, progress, err);
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

typedef struct Chosen { /* an even sample of the whole jobs of a task */
    uint64_t n, wanted; /* whole jobs; those that are chosen */
    uint64_t seen, taken;
    uint32_t next; /* job to look at */
} Chosen;

static Chosen choose(const tacProfileSource *source, uint32_t task, uint64_t most) {
    const tacJob *jobs = source->model->jobs.at;
    Chosen chosen = {.next = source->model->tasks[task].firstJob};
    for (uint32_t i = chosen.next; i != TAC_NONE; i = jobs[i].next) chosen.n += isWhole(source, i);
    chosen.wanted = chosen.n < most ? chosen.n : most;
    return chosen;
}

/* The next job that is chosen: that in the middle of the taken-th of `wanted` equal parts of the jobs; TAC_NONE. */
static uint32_t nextChosen(const tacProfileSource *source, Chosen *chosen) {
    const tacJob *jobs = source->model->jobs.at;
    while (chosen->next != TAC_NONE && chosen->taken < chosen->wanted) {
        uint32_t job = chosen->next;
        chosen->next = jobs[job].next;
        if (!isWhole(source, job)) continue;
        double middle = ((double) chosen->taken + 0.5) * (double) chosen->n / (double) chosen->wanted;
        if (chosen->seen++ < (uint64_t) middle) continue;
        chosen->taken++;
        return job;
    }
    return TAC_NONE;
}

/* Adds the parts of the jobs of a trace: sums over all whole jobs, estimated from an even sample of them. */
static tacStatus addTrace(tacProfileSource *source, uint32_t task, uint64_t most, double unit, tacCauses *causes,
    tacProgress *progress, tacError *err) {
    tacText phrase = {.at = NULL};
    tacStatus status = TAC_OK;
    Chosen chosen = choose(source, task, most);
    double weight = unit * (double) chosen.n / (double) chosen.wanted;
    for (uint32_t job; status == TAC_OK && (job = nextChosen(source, &chosen)) != TAC_NONE;)
        status = addJob(source, job, weight, causes, &phrase, progress, err);
    causes->jobs += (double) chosen.n;
    tacTextFree(&phrase);
    return status;
}

/* Sums up the responses of the jobs that are chosen. */
static unsigned __int128 sumOf(const tacProfileSource *source, uint32_t task, uint64_t most, uint64_t *n) {
    unsigned __int128 sum = 0;
    Chosen chosen = choose(source, task, most);
    for (uint32_t job; (job = nextChosen(source, &chosen)) != TAC_NONE;)
        sum += (uint64_t) (source->model->jobs.at[job].completion - source->model->jobs.at[job].release);
    *n = chosen.n;
    return sum;
}

bool tacProfileSameMeans(
    const tacProfile *base, uint32_t task, const tacProfile *other, uint32_t otherTask, uint64_t most) {
    uint32_t part = base->tasks.at[task].part, otherPart = other->tasks.at[otherTask].part;
    const tacProfilePart *a = &base->parts.at[part], *b = &other->parts.at[otherPart];
    const tacProfileSource *from = sourceOf(base, part), *to = sourceOf(other, otherPart);
    uint64_t n, m;
    if (a->before != TAC_NONE || b->before != TAC_NONE || !from->model || !to->model) return false;
    if (from->scale.known != to->scale.known || from->scale.exponent != to->scale.exponent
        || from->scale.digits != to->scale.digits)
        return false;
    return sumOf(from, a->task, most, &n) == sumOf(to, b->task, most, &m) && n == m;
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
    causes->jobs = 0;
    causes->means.count = 0;
    tacInternClear(&causes->words);
    for (uint32_t i = profile->tasks.at[task].part; status == TAC_OK && i != TAC_NONE;
         i = profile->parts.at[i].before) {
        tacProfileSource *source = sourceOf(profile, i);
        uint32_t own = profile->parts.at[i].task;
        double unit = pow(10, shiftTo(scale, &source->scale));
        status = source->model ? addTrace(source, own, most, unit, causes, progress, err)
                               : addBaseline(&source->baseline.tasks.at[own].causes, unit, causes, err);
    }
    for (size_t i = 0; i < causes->means.count; i++) causes->means.at[i] /= causes->jobs;
    return status;
}
