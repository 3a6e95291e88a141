/*
 * judgeJobs.c -- measures of jobs: of each, or the least, mean, largest or a percentile of a task's.
 *
 * A job that is not complete has no value yet, but what it has used up already can be beyond a limit.
 */
#include "base/port.h"

#include "judge/expectation.h"
#include "judge/learn.h"
#include "model/jobTimes.h"
#include "trace/called.h"

#include <stdlib.h>
#include <string.h>

/* Ticks, or a count; TAC_UNKNOWN: it has none. What only a completed job has in full is as much as there is. */
static int64_t valueOf(const tacModel *model, const tacJob *job, tacJobMeasure measure) {
    bool unknown = job->flags & TAC_JOB_UNKNOWN;
    switch (measure) {
    case TAC_MEASURE_RESPONSE:
        return job->completion == TAC_UNKNOWN || job->release == TAC_UNKNOWN ? TAC_UNKNOWN
                                                                             : job->completion - job->release;
    case TAC_MEASURE_EXECUTION: return unknown ? TAC_UNKNOWN : job->execution;
    case TAC_MEASURE_NET_EXECUTION: return tacJobNetExecution(model, (uint32_t) (job - model->jobs.at));
    case TAC_MEASURE_PREEMPTED: return unknown ? TAC_UNKNOWN : job->preempted;
    case TAC_MEASURE_BLOCKED: return unknown ? TAC_UNKNOWN : job->blocked;
    case TAC_MEASURE_LATENESS:
        return job->completion == TAC_UNKNOWN || job->deadline == TAC_UNKNOWN ? TAC_UNKNOWN
                                                                              : job->completion - job->deadline;
    case TAC_MEASURE_RELEASE: return job->release;
    case TAC_MEASURE_START: return job->start;
    case TAC_MEASURE_COMPLETION: return job->completion;
    case TAC_MEASURE_DEADLINE: return job->deadline;
    case TAC_MEASURE_PREEMPTIONS: return job->preemptions;
    default: return job->migrations;
    }
}

/* Is it a moment that does not change any more when the job goes on? */
static bool isMoment(tacJobMeasure measure) {
    return measure == TAC_MEASURE_RELEASE || measure == TAC_MEASURE_START || measure == TAC_MEASURE_DEADLINE;
}

/* Is it a point in time, and no length? */
static bool isPoint(tacJobMeasure measure) { return isMoment(measure) || measure == TAC_MEASURE_COMPLETION; }

static bool isKnown(const tacJob *job, tacJobMeasure measure, int64_t value) {
    return value != TAC_UNKNOWN && (job->completion != TAC_UNKNOWN || isMoment(measure));
}

/* Was it going on when the recording ended? Every recording ends somewhere: of a task with other jobs, such a job is
 * not judged, unless it is beyond the limit already. */
static bool isUnderWay(const tacJob *job) {
    return job->completion == TAC_UNKNOWN && !(job->flags & (TAC_JOB_ABANDONED | TAC_JOB_NO_COMPLETION));
}

/* ---- sentences ---- */

static void sayValue(tacJudging *judging, tacJobMeasure measure, int64_t value) {
    if (isPoint(measure)) tacSayMoment(judging, value);
    else if (measure < TAC_MEASURE_PREEMPTIONS) tacSayTime(judging, value);
    else tacSay(judging, "%lld", (long long) value);
}

static bool isTime(const tacExpectation *e) { return e->measure < TAC_MEASURE_PREEMPTIONS; }

/* Says the number that was expected. */
static void sayLimit(tacJudging *judging, const tacExpectation *e) {
    if (isPoint(e->measure)) tacSayMomentDecimal(judging, e->value.at, e->value.length);
    else if (isTime(e)) tacSayDecimal(judging, e->value.at, e->value.length);
    else tacSayWord(judging, &e->value);
}

static void sayExpected(tacJudging *judging, const tacExpectation *e) {
    tacSay(judging, ", expected %.*s ", TAC_SHOWN(&e->operatorWord));
    sayLimit(judging, e);
}

static const char *jobId(const tacModel *model, const tacJob *job) {
    return tacObjectId(model->store, TAC_JOB, job->id);
}

/* Says what people call the job of an id. */
static void sayCalled(tacJudging *judging, uint32_t id) {
    tacAddCalled(&judging->sentence, judging->model->store, TAC_JOB, id);
}

static void sayJob(tacJudging *judging, const tacExpectation *e, const tacJob *job) {
    tacSay(judging, "the %s of job ", tacJobMeasureNames[e->measure]);
    sayCalled(judging, job->id);
    if (e->who.kind != TAC_TASK || tacWordIs(&e->who.id, tacObjectId(judging->model->store, TAC_TASK, job->task)))
        return;
    const char *name = tacObjectName(judging->model->store, TAC_TASK, job->task);
    tacSay(judging, " of task ");
    tacSayId(judging, name, strlen(name));
}

static void sayWho(tacJudging *judging, const tacExpectation *e, const char *statistic) {
    tacSay(judging, "%s%s of ", statistic, tacJobMeasureNames[e->measure]);
    tacSayWho(judging, &e->who);
}

static const char *whoId(const tacJudging *judging, const tacWho *who) {
    return tacObjectId(judging->model->store, who->kind, who->index);
}

/* ---- one job ---- */

/* The least that a value can become which is not final, since the job goes on; TAC_UNKNOWN: any. */
static int64_t soFar(const tacModel *model, const tacJob *job, tacJobMeasure measure) {
    if (measure != TAC_MEASURE_RESPONSE && measure != TAC_MEASURE_LATENESS) return valueOf(model, job, measure);
    int64_t since = measure == TAC_MEASURE_RESPONSE ? job->release : job->deadline;
    return since == TAC_UNKNOWN || !isUnderWay(job) ? TAC_UNKNOWN : model->end - since;
}

/* Is a value that is not final beyond the limit, whatever becomes of the job? */
static bool isBeyond(const tacModel *model, const tacExpectation *e, const tacJob *job) {
    int64_t value = soFar(model, job, e->measure);
    return !e->sought && value != TAC_UNKNOWN && tacIsUpperBound(e->op) && !tacLimitHolds(value, e->op, &e->limit);
}

/* Judges a job whose value is not final. */
static tacStatus judgeUnfinished(tacJudging *judging, const tacExpectation *e, const tacJob *job) {
    tacJudgement found = {TAC_VERDICT_UNCERTAIN, judging->model->end, TAC_UNKNOWN, 0,
        {{TAC_JOB, jobId(judging->model, job)}}, 1, NULL, false, 0};
    sayJob(judging, e, job);
    if (isBeyond(judging->model, e, job)) {
        found.verdict = TAC_VERDICT_INVALID;
        tacSay(judging, " was ");
        sayValue(judging, e->measure, soFar(judging->model, job, e->measure));
        tacSay(judging, " at the end of the recording already");
    } else tacSay(judging, " is not known");
    sayExpected(judging, e);
    return tacJudgingTell(judging, e->statement, found);
}

static tacStatus judgeJob(tacJudging *judging, const tacExpectation *e, const tacJob *job) {
    int64_t value = valueOf(judging->model, job, e->measure);
    if (!isKnown(job, e->measure, value)) return judgeUnfinished(judging, e, job);
    if (tacLimitHolds(value, e->op, &e->limit)) return TAC_OK;
    sayJob(judging, e, job);
    tacSay(judging, " was ");
    sayValue(judging, e->measure, value);
    sayExpected(judging, e);
    return tacJudgingTell(judging, e->statement,
        (tacJudgement){TAC_VERDICT_INVALID, isMoment(e->measure) ? value : job->completion, TAC_UNKNOWN, 0,
            {{TAC_JOB, jobId(judging->model, job)}}, 1, NULL, false, 0});
}

/* ---- all jobs of an id or a task ---- */

typedef struct Jobs { /* a walk along them, in order of release */
    const tacModel *model;
    const uint32_t *ids; /* of a job id: its jobs; else NULL */
    uint32_t count, at, next;
    const tacWho *who;
    size_t task; /* of several tasks: the place of the one that comes next */
} Jobs;

static Jobs jobsOf(const tacModel *model, const tacWho *who) {
    Jobs jobs = {.model = model, .next = TAC_NONE, .who = who, .task = 1};
    if (who->kind == TAC_JOB) jobs.ids = tacIdJobs(model, who->index, &jobs.count);
    else jobs.next = model->tasks[who->index].firstJob;
    return jobs;
}

/* NULL: there is none any more. */
static const tacJob *nextJob(Jobs *jobs) {
    if (jobs->at < jobs->count) return &jobs->model->jobs.at[jobs->ids[jobs->at++]];
    while (jobs->next == TAC_NONE && jobs->task < jobs->who->tasks.count)
        jobs->next = jobs->model->tasks[jobs->who->tasks.at[jobs->task++]].firstJob;
    if (jobs->next == TAC_NONE) return NULL;
    const tacJob *job = &jobs->model->jobs.at[jobs->next];
    jobs->next = job->next;
    return job;
}

typedef struct Summary {
    uint64_t count;
    __int128 sum;
    const tacJob *most; /* the first that has the largest value */
} Summary;

static Summary summarize(const tacModel *model, const tacExpectation *e) {
    Summary s = {0};
    Jobs jobs = jobsOf(model, &e->who);
    for (const tacJob *job; (job = nextJob(&jobs)) != NULL;) {
        int64_t value = valueOf(model, job, e->measure);
        if (!isKnown(job, e->measure, value)) continue;
        s.count++;
        s.sum += value;
        if (!s.most || value > valueOf(model, s.most, e->measure)) s.most = job;
    }
    return s;
}

/* -1, 0, 1: the sum of n values against n times the limit, since a mean need not be a number of ticks. Both are
 * taken in parts of a tick; what a limit has beyond those is never needed to tell them apart but from equality. */
static int compareMean(__int128 sum, uint64_t n, const tacLimit *limit) {
    __int128 beyond = sum - (__int128) n * limit->ticks; /* what the sum has beyond n times the whole ticks */
    if (beyond < 0) return -1;
    if (beyond >= (__int128) n) return 1;
    __int128 left = beyond * (__int128) TAC_LIMIT_PARTS, right = (__int128) n * (__int128) limit->part;
    return left != right ? left < right ? -1 : 1 : limit->rest ? -1 : 0;
}

/* The mean with three digits more than a tick, rounded down. */
static void sayMean(tacJudging *judging, const tacExpectation *e, const Summary *s) {
    enum { DIGITS = 3, PARTS = 1000 };
    char text[TAC_DECIMAL_SIZE];
    int digits = isTime(e) ? judging->model->store->digits : 0;
    __int128 mean = s->sum * PARTS / (__int128) s->count;
    bool fits = mean < INT64_MAX && mean > INT64_MIN;
    size_t length = fits ? tacDecimalFormat((int64_t) mean, digits + DIGITS, text)
                         : tacDecimalFormat((int64_t) (mean / PARTS), digits, text);
    if (isPoint(e->measure)) tacSayMomentDecimal(judging, text, length);
    else if (isTime(e)) tacSayDecimal(judging, text, length);
    else tacTextAdd(&judging->sentence, text, length);
}

static tacStatus judgeLargest(tacJudging *judging, const tacExpectation *e, const tacJob *job) {
    int64_t value = valueOf(judging->model, job, e->measure);
    if (tacLimitHolds(value, e->op, &e->limit)) return TAC_OK;
    tacSay(judging, "the %s ", tacStatisticNames[e->statistic]);
    sayWho(judging, e, "");
    tacSay(judging, " was ");
    sayValue(judging, e->measure, value);
    tacSay(judging, ", of job ");
    sayCalled(judging, job->id);
    sayExpected(judging, e);
    return tacJudgingTell(judging, e->statement,
        (tacJudgement){TAC_VERDICT_INVALID, job->completion, TAC_UNKNOWN, 0,
            {{TAC_JOB, jobId(judging->model, job)}, {e->who.kind, whoId(judging, &e->who)}}, 2, NULL, false, 0});
}

/* No job has a value. */
static tacStatus tellNone(tacJudging *judging, const tacExpectation *e) {
    bool each = e->statistic == TAC_OF_EACH;
    tacSay(judging, "no ");
    sayWho(judging, e, "");
    tacSay(judging, " is known, expected %s%s%.*s ", each ? "" : tacStatisticNames[e->statistic], each ? "" : " ",
        TAC_SHOWN(&e->operatorWord));
    sayLimit(judging, e);
    return tacJudgingTell(judging, e->statement,
        (tacJudgement){TAC_VERDICT_UNCERTAIN, TAC_UNKNOWN, TAC_UNKNOWN, 0, {{e->who.kind, whoId(judging, &e->who)}}, 1,
            NULL, false, 0});
}

/* Is a job over, or abandoned, and has no value that is known? One under way is not judged. */
static bool isOpen(const tacModel *model, const tacExpectation *e, const tacJob *job) {
    bool used = e->measure >= TAC_MEASURE_EXECUTION && e->measure <= TAC_MEASURE_BLOCKED;
    if (e->measure > TAC_MEASURE_LATENESS) return false;
    if (job->completion != TAC_UNKNOWN) return used && valueOf(model, job, e->measure) == TAC_UNKNOWN;
    return !isUnderWay(job);
}

/* May a job without a value be above the largest one? One under way may have passed it. */
static bool matters(const tacModel *model, const tacExpectation *e, const tacJob *job) {
    if (!tacIsUpperBound(e->op) || e->measure > TAC_MEASURE_LATENESS) return false;
    return isOpen(model, e, job) || (isUnderWay(job) && isBeyond(model, e, job));
}

/* ---- what lies between bounds ------------------------------------------------------------------------------------ */

/* Percentiles in thousandths; 0: the least value. */
static unsigned permilleOf(tacStatistic statistic) {
    static const unsigned of[] = {
        [TAC_OF_P50] = 500, [TAC_OF_P90] = 900, [TAC_OF_P95] = 950, [TAC_OF_P99] = 990, [TAC_OF_P999] = 999};
    return of[statistic];
}

typedef struct Valued {
    int64_t value;
    const tacJob *job;
    size_t place; /* in order of release */
} Valued;

static int byValue(const void *left, const void *right) {
    const Valued *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* Jobs that are over, though their values are not known, may be anywhere above what they have reached: so a percentile,
 * or the least value, lies between two values, which decide unless the limit is between them. */
typedef struct Ranks {
    Valued *all;           /* values that are known, and those that the other jobs have reached; TAC_UNKNOWN: none */
    size_t known, open;    /* how many of each */
    const tacJob *first;   /* of the jobs whose values are not known */
    Valued least, largest; /* the percentile is not below and not above them; TAC_UNKNOWN: it may be any */
} Ranks;

/* Gathers the values; before there is room for them, only how many there are. */
static void gather(const tacModel *model, const tacExpectation *e, Ranks *ranks) {
    Jobs jobs = jobsOf(model, &e->who);
    size_t known = 0, open = 0;
    for (const tacJob *job; (job = nextJob(&jobs)) != NULL;) {
        int64_t value = valueOf(model, job, e->measure);
        if (isKnown(job, e->measure, value)) {
            if (ranks->all) ranks->all[known] = (Valued){value, job, known};
            known++;
        } else if (isOpen(model, e, job)) {
            size_t place = ranks->known + open;
            if (ranks->all) ranks->all[place] = (Valued){soFar(model, job, e->measure), job, place};
            if (!open) ranks->first = job;
            open++;
        }
    }
    ranks->known = known;
    ranks->open = open;
}

/* The value at a place in ascending order, with the first job that has it. */
static Valued valueAt(const Valued *all, size_t place) {
    while (place && all[place - 1].value == all[place].value) place--;
    return all[place];
}

/* Finds the bounds of the percentile by nearest rank: the value at place ceil(n p) of n in ascending order. */
static tacStatus findBounds(tacJudging *judging, const tacExpectation *e, Ranks *ranks) {
    gather(judging->model, e, ranks);
    size_t n = ranks->known + ranks->open, rank = (n * permilleOf(e->statistic) + 999) / 1000;
    size_t place = rank ? rank - 1 : 0;
    ranks->all = tacAlloc(n * sizeof *ranks->all);
    if (!ranks->all) return tacFailMemory(judging->err);
    gather(judging->model, e, ranks);
    qsort(ranks->all, ranks->known, sizeof *ranks->all, byValue);
    ranks->largest = place < ranks->known ? valueAt(ranks->all, place) : (Valued){TAC_UNKNOWN, NULL, 0};
    if (ranks->open) qsort(ranks->all, n, sizeof *ranks->all, byValue);
    ranks->least = valueAt(ranks->all, place);
    tacFree(ranks->all);
    return TAC_OK;
}

/* Says a bound of the percentile, and its job. */
static tacStatus tellBeyond(tacJudging *judging, const tacExpectation *e, const char *bound, const Valued *at) {
    tacSay(judging, " was %s", bound);
    sayValue(judging, e->measure, at->value);
    tacSay(judging, ", of job ");
    sayCalled(judging, at->job->id);
    sayExpected(judging, e);
    return tacJudgingTell(judging, e->statement,
        (tacJudgement){TAC_VERDICT_INVALID,
            at->job->completion == TAC_UNKNOWN ? judging->model->end : at->job->completion, TAC_UNKNOWN, 0,
            {{TAC_JOB, jobId(judging->model, at->job)}, {e->who.kind, whoId(judging, &e->who)}}, 2, NULL, false, 0});
}

static tacStatus tellBetween(tacJudging *judging, const tacExpectation *e, const Ranks *ranks) {
    const Valued *least = &ranks->least, *largest = &ranks->largest;
    bool below = largest->value != TAC_UNKNOWN, above = least->value != TAC_UNKNOWN;
    tacSay(judging,
        below && above ? " is between "
            : below    ? " is at most "
            : above    ? " is at least "
                       : " is not known");
    if (above) sayValue(judging, e->measure, least->value);
    if (above && below) tacSay(judging, " and ");
    if (below) sayValue(judging, e->measure, largest->value);
    tacSay(judging, ", since that of %zu of %zu jobs is not known", ranks->open, ranks->known + ranks->open);
    sayExpected(judging, e);
    return tacJudgingTell(judging, e->statement,
        (tacJudgement){TAC_VERDICT_UNCERTAIN, judging->model->end, TAC_UNKNOWN, 0,
            {{TAC_JOB, jobId(judging->model, ranks->first)}, {e->who.kind, whoId(judging, &e->who)}}, 2, NULL, false,
            0});
}

/* Do all values hold whose order to the limit is between these two, none, or some? */
typedef enum Holding { HOLDS, FAILS, OPEN } Holding;
static Holding holding(const tacExpectation *e, int from, int to) {
    bool may = false, must = true;
    for (int order = from; order <= to; order++) {
        bool holds = tacComparisonHolds(e->op, order);
        may |= holds;
        must &= holds;
    }
    return must ? HOLDS : may ? OPEN : FAILS;
}

static tacStatus judgeRank(tacJudging *judging, const tacExpectation *e) {
    Ranks ranks = {.all = NULL};
    if (findBounds(judging, e, &ranks) != TAC_OK) return TAC_ERROR;
    int from = ranks.least.value == TAC_UNKNOWN ? -1 : tacLimitCompare(ranks.least.value, &e->limit);
    int to = ranks.largest.value == TAC_UNKNOWN ? 1 : tacLimitCompare(ranks.largest.value, &e->limit);
    Holding found = holding(e, from, to);
    if (found == HOLDS) return TAC_OK;
    tacSay(judging, "the %s ", tacStatisticNames[e->statistic]);
    sayWho(judging, e, "");
    if (found == OPEN) return tellBetween(judging, e, &ranks);
    if (ranks.least.value == ranks.largest.value) return tellBeyond(judging, e, "", &ranks.least);
    return from >= 0 ? tellBeyond(judging, e, "at least ", &ranks.least)
                     : tellBeyond(judging, e, "at most ", &ranks.largest);
}

/* Adds to the sum of the known values the least that those of other jobs can be: what these have reached, or 0; a
 * lateness may be any. *bounded: there is such a least. */
static uint64_t addOpen(
    const tacModel *model, const tacExpectation *e, Summary *s, const tacJob **first, bool *bounded) {
    Jobs jobs = jobsOf(model, &e->who);
    uint64_t open = 0;
    for (const tacJob *job; (job = nextJob(&jobs)) != NULL;) {
        if (!isOpen(model, e, job)) continue;
        int64_t reached = soFar(model, job, e->measure);
        if (reached == TAC_UNKNOWN) *bounded &= e->measure != TAC_MEASURE_LATENESS;
        else s->sum += reached;
        if (!open++) *first = job;
    }
    s->count += open;
    return open;
}

static tacStatus judgeMean(tacJudging *judging, const tacExpectation *e, Summary *s) {
    const tacJob *first = NULL;
    bool bounded = true;
    uint64_t open = addOpen(judging->model, e, s, &first, &bounded);
    int from = bounded ? compareMean(s->sum, s->count, &e->limit) : -1, to = open ? 1 : from;
    Holding found = holding(e, from, to);
    if (found == HOLDS) return TAC_OK;
    sayWho(judging, e, "the mean ");
    tacSay(judging, found == FAILS ? " was " : " is ");
    if (open) tacSay(judging, bounded ? "at least " : "not known");
    if (bounded) sayMean(judging, e, s);
    if (found == OPEN)
        tacSay(judging, ", since that of %llu of %llu jobs is not known", (unsigned long long) open,
            (unsigned long long) s->count);
    sayExpected(judging, e);
    tacJudgement told = {
        TAC_VERDICT_INVALID, TAC_UNKNOWN, TAC_UNKNOWN, 0, {{e->who.kind, whoId(judging, &e->who)}}, 1, NULL, false, 0};
    if (found == FAILS) return tacJudgingTell(judging, e->statement, told);
    told.verdict = TAC_VERDICT_UNCERTAIN;
    told.begin = judging->model->end;
    told.objects[1] = told.objects[0];
    told.objects[0] = (tacFindingName){TAC_JOB, jobId(judging->model, first)};
    told.nObjects = 2;
    return tacJudgingTell(judging, e->statement, told);
}

/* ---- statistics -------------------------------------------------------------------------------------------------- */

static tacStatus judgeStatistic(tacJudging *judging, const tacExpectation *e) {
    Summary s = summarize(judging->model, e);
    if (!s.count) return tellNone(judging, e);
    if (e->statistic == TAC_OF_MEAN) return judgeMean(judging, e, &s);
    if (e->statistic != TAC_OF_MAX) return judgeRank(judging, e);
    tacStatus status = judgeLargest(judging, e, s.most);
    Jobs jobs = jobsOf(judging->model, &e->who);
    for (const tacJob *job; status == TAC_OK && (job = nextJob(&jobs)) != NULL;)
        if (matters(judging->model, e, job)) status = judgeUnfinished(judging, e, job);
    return status;
}

/* Judges each job. Those of a task that are under way at the end are passed over, unless there are no others. */
static tacStatus judgeEach(tacJudging *judging, const tacExpectation *e) {
    Jobs jobs = jobsOf(judging->model, &e->who);
    tacStatus status = TAC_OK;
    bool judged = false;
    for (const tacJob *job; status == TAC_OK && (job = nextJob(&jobs)) != NULL;) {
        bool known = isKnown(job, e->measure, valueOf(judging->model, job, e->measure));
        if (!known && e->who.kind == TAC_TASK && isUnderWay(job) && !isBeyond(judging->model, e, job)) continue;
        judged = true;
        status = judgeJob(judging, e, job);
    }
    return judged || status != TAC_OK ? status : tellNone(judging, e);
}

/* ---- limits that are to be found --------------------------------------------------------------------------------- */

/* Adds the value of a job; of one that is not complete it is at least what there is so far. */
static bool seekJob(const tacModel *model, const tacExpectation *e, const tacJob *job, tacSought *sought) {
    int64_t value = valueOf(model, job, e->measure);
    bool known = isKnown(job, e->measure, value);
    tacFraction fraction, boundless = {1, 0};
    __int128 unit = 1; /* in ticks */
    if (!known && e->measure == TAC_MEASURE_RESPONSE && job->release != TAC_UNKNOWN) value = model->end - job->release;
    for (int i = 0; i < model->store->digits && isTime(e); i++) unit *= 10;
    if (value == TAC_UNKNOWN || !tacFractionMake(value, unit, &fraction)) {
        sought->unknown++;
        return true;
    }
    if (!known) {
        tacSoughtDoubt(sought, e->op, &fraction, &boundless);
        return true;
    }
    tacSoughtValue noted = {
        .value = fraction, .time = isMoment(e->measure) ? value : job->completion, .row = TAC_NONE, .object = job->id};
    return tacSoughtAdd(sought, e->op, &noted);
}

tacStatus tacMeasureSought(
    const tacModel *model, const tacExpectation *e, size_t all, tacSought *sought, tacError *err) {
    Jobs jobs = jobsOf(model, &e->who);
    *sought = (tacSought){.count = 0};
    tacSoughtBegin(sought, 1, all);
    for (const tacJob *job; (job = nextJob(&jobs)) != NULL;)
        if (!seekJob(model, e, job, sought)) return tacFailMemory(err);
    return TAC_OK;
}

typedef struct Telling {
    tacJudging *judging;
    const tacExpectation *e;
} Telling;

static tacStatus takeSought(void *data, const tacSoughtValue *value, const char *sentence, tacError *err) {
    const Telling *telling = data;
    tacJudging *judging = telling->judging;
    const tacExpectation *e = telling->e;
    tacJudgement found = {.verdict = TAC_VERDICT_VALID, .begin = TAC_UNKNOWN, .end = TAC_UNKNOWN};
    (void) err;
    if (value) {
        const char *id = tacObjectId(judging->model->store, TAC_JOB, value->object);
        found.verdict = TAC_VERDICT_UNCERTAIN;
        found.begin = value->time;
        found.objects[0] = (tacFindingName){TAC_JOB, id};
        found.nObjects = 1;
        tacSay(judging, "job ");
        sayCalled(judging, value->object);
        tacSay(judging, ": ");
    }
    tacTextAddString(&judging->sentence, sentence);
    return tacJudgingTell(judging, e->statement, found);
}

/* Tells which jobs are far from the others. */
static tacStatus tellSought(tacJudging *judging, const tacExpectation *e) {
    tacSought sought;
    tacText left = {0};
    uint64_t more = 0;
    tacStatus status = tacMeasureSought(judging->model, e, 1, &sought, judging->err);
    tacTextPrintf(&left, "%s of %.*s", tacJobMeasureNames[e->measure], TAC_SHOWN(&e->who.id));
    if (status == TAC_OK && left.failed) status = tacFailMemory(judging->err);
    tacSoughtSaid said = {left.at, "?", e->op, false, isTime(e) ? judging->model->store->digits : 0,
        isTime(e) ? judging->model->store : NULL};
    Telling telling = {judging, e};
    if (status == TAC_OK) status = tacSoughtTell(&sought, &said, takeSought, &telling, &more, judging->err);
    tacJudgement rest = {.verdict = TAC_VERDICT_UNCERTAIN, .times = more};
    if (status == TAC_OK && more) status = judging->take(judging->data, &rest, judging->err);
    tacSoughtFree(&sought);
    tacTextFree(&left);
    return status;
}

/* Tells what is far from the others, where the limit is to be found: one for all tasks that are named. */
static tacStatus judgeSought(tacJudging *judging, const tacExpectation *e) {
    Jobs jobs = jobsOf(judging->model, &e->who);
    const tacJob *job = nextJob(&jobs);
    if (!job) return tellNone(judging, e);
    tacStatus status = TAC_OK;
    for (; job && status == TAC_OK; job = nextJob(&jobs))
        if (!isKnown(job, e->measure, valueOf(judging->model, job, e->measure)))
            status = judgeUnfinished(judging, e, job);
    return status == TAC_OK ? tellSought(judging, e) : status;
}

/* Are all jobs of these tasks under way at the end? Beside other tasks such a one is not judged, as a job is not. */
static bool allUnderWay(const tacModel *model, const tacWho *who) {
    Jobs jobs = jobsOf(model, who);
    const tacJob *job;
    while ((job = nextJob(&jobs)) != NULL && isUnderWay(job)) continue;
    return job == NULL;
}

tacStatus tacJudgeMeasure(tacJudging *judging, const tacExpectation *e) {
    tacStatus (*judge)(tacJudging *, const tacExpectation *) = e->statistic == TAC_OF_EACH ? judgeEach : judgeStatistic;
    tacStatus status = TAC_OK;
    if (e->sought) return judgeSought(judging, e);
    if (e->who.kind == TAC_JOB) return judge(judging, e);
    bool none = allUnderWay(judging->model, &e->who);
    for (size_t i = 0; i < e->who.tasks.count && status == TAC_OK; i++) {
        tacExpectation one = *e;
        one.who = tacWhoOne(&e->who, i);
        if (none || !allUnderWay(judging->model, &one.who)) status = judge(judging, &one);
    }
    return status;
}
