/*
 * whyCompare.c -- compares a job that was taken apart with the median and the best job of its task, orders the parts,
 * and puts them into words.
 *
 *      response times of the task's jobs -> the median job, the best job -> these taken apart too -> their parts merged
 *      into the job's own, by identity -> the order in a list -> the part that differs most -> a sentence
 */
#include "base/port.h"

#include "analysis/why.h"
#include "base/search.h"
#include "base/sort.h"
#include "trace/called.h"
#include "trace/times.h"

#include <string.h>

/* ---- jobs to compare with --------------------------------------------------------------------------------------- */

typedef struct Response {
    int64_t ticks;
    uint32_t job;
} Response;
typedef struct Responses {
    TAC_ARRAY(Response) all;
} Responses;

/* Adds the response of a job, unless it is incomplete or partly unknown. */
static bool addResponse(const tacModel *model, uint32_t index, Responses *found) {
    const tacJob *job = &model->jobs.at[index];
    if (job->release == TAC_UNKNOWN || job->completion == TAC_UNKNOWN || (job->flags & TAC_JOB_UNKNOWN)) return true;
    return tacArrayPush(&found->all, (Response){job->completion - job->release, index});
}

/*
 * Gathers the responses of a task. Its jobs are a linked list whose elements lie far from one another in memory, so
 * that each step waits for memory. So several stretches of the list are followed at once, each from a mark to the next.
 */
static bool gather(const tacModel *model, uint32_t index, Responses *found, tacProgress *progress) {
    enum { CHAINS = 16 };
    const tacTaskModel *task = &model->tasks[index];
    for (size_t first = 0; first < task->jobMarks.count; first += CHAINS) {
        uint32_t at[CHAINS];
        if (!tacProgressStep(progress, 0)) return false;
        size_t n = task->jobMarks.count - first < CHAINS ? task->jobMarks.count - first : CHAINS;
        for (size_t i = 0; i < n; i++) at[i] = task->jobMarks.at[first + i];
        for (int step = 0; step < TAC_SPAN_BLOCK; step++)
            for (size_t i = 0; i < n; i++) {
                if (at[i] == TAC_NONE) continue;
                if (!addResponse(model, at[i], found)) return false;
                at[i] = model->jobs.at[at[i]].next;
                if (at[i] != TAC_NONE) TAC_PREFETCH(&model->jobs.at[at[i]]);
            }
    }
    return true;
}

/* Is response a before b in ascending order? Of equal ones the job that was released first is the first. */
static bool isBefore(Response a, Response b) { return a.ticks != b.ticks ? a.ticks < b.ticks : a.job < b.job; }

static void swap(Response *a, Response *b) {
    Response value = *a;
    *a = *b;
    *b = value;
}

/* The value at place k in ascending order (Hoare 1961: Find). The pivot is chosen at random, so that no order is bad.
 */
static Response placed(Response *values, size_t n, size_t k) {
    uint64_t chance = 0x9e3779b97f4a7c15u;
    while (n > 1) {
        size_t below = 0;
        chance = chance * 6364136223846793005u + 1442695040888963407u;
        swap(&values[(chance >> 33) % n], &values[n - 1]);
        for (size_t i = 0; i < n - 1; i++)
            if (isBefore(values[i], values[n - 1])) swap(&values[i], &values[below++]);
        swap(&values[below], &values[n - 1]);
        if (k == below) return values[k];
        if (k < below) n = below;
        else {
            values += below + 1;
            n -= below + 1;
            k -= below + 1;
        }
    }
    return values[0];
}

/* Finds the median and the best job of a task. */
static bool find(const tacModel *model, uint32_t task, tacWhyChoice *choice, tacProgress *progress) {
    Responses found = {{0}};
    bool fine = gather(model, task, &found, progress);
    size_t n = found.all.count;
    *choice = (tacWhyChoice){task + 1, (uint32_t) n, TAC_NONE, TAC_NONE, TAC_UNKNOWN, TAC_UNKNOWN};
    if (fine && n) {
        Response best = found.all.at[0];
        for (size_t i = 1; i < n; i++)
            if (found.all.at[i].ticks < best.ticks) best = found.all.at[i];
        Response median = placed(found.all.at, n, (n + 1) / 2 - 1);
        for (size_t i = 0; i < n; i++)
            if (found.all.at[i].ticks == median.ticks && found.all.at[i].job < median.job) median = found.all.at[i];
        choice->median = median.job;
        choice->medianResponse = median.ticks;
        choice->best = best.job;
        choice->bestResponse = best.ticks;
    }
    tacArrayFree(&found.all);
    return fine;
}

/* Chooses the median and the best job: those of a task that was asked for before are known. */
static bool choose(const tacModel *model, tacWhyShared *shared, tacWhy *why, tacProgress *progress) {
    uint32_t task = model->jobs.at[why->job].task;
    tacWhyChoice found, *choice = &shared->choices[task % TAC_WHY_CHOICES];
    if (choice->task != task + 1) {
        if (!find(model, task, &found, progress)) return false;
        *choice = found;
    }
    why->compared = choice->compared;
    why->median = choice->median;
    why->medianResponse = choice->medianResponse;
    why->best = choice->best;
    why->bestResponse = choice->bestResponse;
    return true;
}

/* ---- the parts of these jobs ------------------------------------------------------------------------------------ */

static int byPart(const void *left, const void *right, const void *data) {
    const tacWhyShare *a = left, *b = right;
    (void) data;
    return a->part < b->part ? -1 : a->part > b->part;
}

/* Merges the parts of another job into those of this one. Parents come first, so each part finds its parent's place. */
static bool merge(tacWhy *why, tacWhy *other, bool best) {
    tacWhyShares *shares = &why->shares[best];
    uint32_t n = other->nParts;
    tacWhyForget(other);
    bool fine = tacArrayReserve(shares, n + 1);
    for (uint32_t i = 0; fine && i < n; i++) {
        tacWhyPart part = tacWhyPartAt(other, i);
        if (part.parent != TAC_NONE) part.parent = shares->at[part.parent].part;
        shares->at[i] = (tacWhyShare){tacWhyFind(why, &part), part.own};
        fine = shares->at[i].part != TAC_NONE;
    }
    shares->count = fine ? n : 0;
    return fine && tacSort(shares->at, n, sizeof *shares->at, byPart, NULL, NULL);
}

tacWhyTally tacWhyOther(const tacWhy *why, uint32_t part, bool best) {
    const tacWhyShares *shares = &why->shares[best];
    const tacWhyCell *cell = tacWhyCellAt(why, part);
    if ((best ? why->best : why->median) == why->job)
        return cell->more ? (tacWhyTally){cell->ticks, why->more.at[cell->source].times}
                          : (tacWhyTally){cell->ticks, cell->at != TAC_UNKNOWN};
    size_t i = tacPast(size_t, 0, shares->count, k, shares->at[k].part < part);
    return i < shares->count && shares->at[i].part == part ? shares->at[i].tally : (tacWhyTally){0, 0};
}

/* Takes the median (best) job apart, and merges its parts into those of this one. */
static tacStatus compareWith(const tacModel *model, tacWhyShared *shared, tacWhy *why, uint32_t job, bool best,
    tacProgress *progress, tacError *err) {
    if (job == TAC_NONE || job == why->job) return TAC_OK;
    tacWhy other;
    tacStatus status = tacWhyJob(model, job, shared, &other, progress, err);
    if (status == TAC_OK && !merge(why, &other, best)) status = tacFailMemory(err);
    tacWhyFree(&other);
    return status;
}

/* ---- the order -------------------------------------------------------------------------------------------------- */

/* Compares two parts below the same one: running before all, then the longest first, and those of this job before those
 * that only the others have. */
static int siblings(const tacWhy *why, uint32_t i, uint32_t k) {
    const tacWhyCell *a = tacWhyCellAt(why, i), *b = tacWhyCellAt(why, k);
    if ((a->kind == TAC_WHY_RUNNING) != (b->kind == TAC_WHY_RUNNING)) return a->kind == TAC_WHY_RUNNING ? -1 : 1;
    if (a->ticks != b->ticks) return a->ticks > b->ticks ? -1 : 1;
    int64_t medianA = tacWhyOther(why, i, false).ticks, medianB = tacWhyOther(why, k, false).ticks;
    if (medianA != medianB) return medianA > medianB ? -1 : 1;
    int kindA = a->kind == TAC_WHY_NOTED ? TAC_WHY_BLOCKED : a->kind,
        kindB = b->kind == TAC_WHY_NOTED ? TAC_WHY_BLOCKED : b->kind;
    return kindA != kindB ? kindA - kindB : i < k ? -1 : 1;
}

/* Compares two different parts: each comes before those below it. Climbs until both stand below the same part, which is
 * no farther than a chain of holders is long. */
static int inOrder(const void *left, const void *right, const void *data) {
    const tacWhy *why = data;
    uint32_t i = *(const uint32_t *) left, k = *(const uint32_t *) right;
    uint32_t above = tacWhyParent(why, i), aboveK = tacWhyParent(why, k);
    if (above == aboveK) return siblings(why, i, k);
    uint32_t depth = tacWhyDepth(why, i), depthK = tacWhyDepth(why, k), common = depth < depthK ? depth : depthK;
    for (uint32_t d = depth; d > common; d--) i = tacWhyParent(why, i);
    for (uint32_t d = depthK; d > common; d--) k = tacWhyParent(why, k);
    if (i == k) return depth < depthK ? -1 : 1;
    while (tacWhyParent(why, i) != tacWhyParent(why, k)) {
        i = tacWhyParent(why, i);
        k = tacWhyParent(why, k);
    }
    return siblings(why, i, k);
}

tacStatus tacWhyOrder(tacWhy *why, tacError *err) {
    uint32_t n = why->nParts;
    tacWhyForget(why);
    why->order.count = 0;
    if (!tacArrayReserve(&why->order, n + 1)) return tacFailMemory(err);
    for (uint32_t i = 0; i < n; i++) why->order.at[i] = i;
    if (!tacSort(why->order.at, n, sizeof *why->order.at, inOrder, why, NULL)) return tacFailMemory(err);
    why->order.count = n;
    return TAC_OK;
}

tacStatus tacWhyCompare(
    const tacModel *model, tacWhyShared *shared, tacWhy *why, tacProgress *progress, tacError *err) {
    if (!choose(model, shared, why, progress)) return tacFailStopped(err, progress);
    if (compareWith(model, shared, why, why->median, false, progress, err) != TAC_OK
        || compareWith(model, shared, why, why->best, true, progress, err) != TAC_OK)
        return TAC_ERROR;
    return tacWhyOrder(why, err);
}

tacStatus tacWhyCompareWith(
    const tacModel *model, tacWhyShared *shared, tacWhy *why, uint32_t other, tacProgress *progress, tacError *err) {
    tacWhy apart;
    tacStatus status = tacWhyJob(model, other, shared, &apart, progress, err);
    if (status == TAC_OK && !merge(why, &apart, false)) status = tacFailMemory(err);
    why->chosen = true;
    why->compared = 1;
    why->median = other;
    why->medianResponse = apart.response;
    why->best = TAC_NONE;
    why->bestResponse = TAC_UNKNOWN;
    tacWhyFree(&apart);
    return status == TAC_OK ? tacWhyOrder(why, err) : status;
}

/* ---- the worst -------------------------------------------------------------------------------------------------- */

/* Did job a take longer than b, up to the end of the recording? Jobs with a release are worse than those without. */
static bool isWorse(const tacModel *model, uint32_t a, uint32_t b) {
    const tacJob *one = &model->jobs.at[a], *other = &model->jobs.at[b];
    if ((one->release == TAC_UNKNOWN) != (other->release == TAC_UNKNOWN)) return one->release != TAC_UNKNOWN;
    int64_t end = one->completion != TAC_UNKNOWN ? one->completion : model->end,
            otherEnd = other->completion != TAC_UNKNOWN ? other->completion : model->end;
    int64_t begin = tacJobBegin(model, one), otherBegin = tacJobBegin(model, other);
    return (end > begin ? tacElapsed(begin, end) : 0) > (otherEnd > otherBegin ? tacElapsed(otherBegin, otherEnd) : 0);
}

/* Is the job abandoned? Such jobs are not the worst if there are others. */
static bool isAbandoned(const tacModel *model, uint32_t job) {
    return (model->jobs.at[job].flags & TAC_JOB_ABANDONED) != 0;
}

uint32_t tacWhyWorst(const tacModel *model, uint32_t task) {
    uint32_t worst = model->tasks[task].firstJob;
    for (uint32_t i = worst; i != TAC_NONE; i = model->jobs.at[i].next)
        if (!isAbandoned(model, i) && (isAbandoned(model, worst) || isWorse(model, i, worst))) worst = i;
    return worst;
}

uint32_t tacWhyWorstOfId(const tacModel *model, uint32_t jobId) {
    uint32_t n, worst = TAC_NONE;
    const uint32_t *jobs = tacIdJobs(model, jobId, &n);
    for (uint32_t i = 0; jobs && i < n; i++)
        if (worst == TAC_NONE
            || (!isAbandoned(model, jobs[i]) && (isAbandoned(model, worst) || isWorse(model, jobs[i], worst))))
            worst = jobs[i];
    return worst;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static void addTicks(const tacModel *model, int64_t ticks, tacText *out) { tacTimeSay(model->store, ticks, out); }

/* Adds the name of an object, and with `ids` its id if that is not alike: of interrupts, "/" in the id is " " in the
 * name. */
static void addName(const char *id, const char *name, bool ids, tacText *out) {
    const char *a = id, *b = name;
    while (*a && (*a == *b || (*a == '/' && *b == ' '))) a++, b++;
    if (*a == *b || !ids) tacTextAddString(out, name);
    else tacTextPrintf(out, "%s (%s)", name, id);
}

static void addObject(const tacModel *model, tacKind kind, uint32_t i, bool ids, tacText *out) {
    addName(tacObjectId(model->store, kind, i), tacObjectName(model->store, kind, i), ids, out);
}

static void addJob(const tacModel *model, uint32_t job, tacText *out) {
    tacCalled(model->store, TAC_JOB, model->jobs.at[job].id, out);
}

/* Words for each kind of part. */
static const struct Phrase {
    const char *what, *by; /* by: before the task; NULL: without it */
} phrases[TAC_WHY_KINDS] = {
    [TAC_WHY_RUNNING] = {"its own execution", NULL},
    [TAC_WHY_INTERRUPT] = {"interrupts", " by "},
    [TAC_WHY_SOFTIRQ] = {"softirqs", " by "},
    [TAC_WHY_PREEMPTED] = {"preemption", " by "},
    [TAC_WHY_BLOCKED] = {"being blocked", " by "},
    [TAC_WHY_WAITING] = {"waiting", " behind "},
    [TAC_WHY_WAKEUP] = {"wake-up", NULL},
    [TAC_WHY_MIGRATION] = {"migration", NULL},
    [TAC_WHY_IDLE] = {"being ready while nothing ran", NULL},
    [TAC_WHY_DEPLETED] = {"the empty budget of", NULL},
    [TAC_WHY_UNKNOWN] = {"time in an unknown state", NULL},
    [TAC_WHY_OVER] = {"holding on after its end", NULL},
    [TAC_WHY_DEADLOCK] = {"deadlock", " with "},
};

/* True when there are several processors; those that are only mentioned are none. */
static bool hasSeveral(const tacModel *model) {
    uint32_t n = 0, stored = tacStoreObjects(model->store, TAC_PROCESSOR);
    for (uint32_t i = 0; i < model->nProcessors && n < 2; i++)
        n += i >= stored || model->store->objects[TAC_PROCESSOR].at[i].line != 0;
    return n > 1;
}

/* Adds the part in words; `ids`: what it names is told apart by ids where names do not. */
static void addPhrase(const tacModel *model, const tacWhyPart *part, bool ids, tacText *out) {
    tacTextAddString(out, phrases[part->kind].what);
    if (part->kind == TAC_WHY_BLOCKED && part->mutex != TAC_NONE) {
        tacTextAddString(out, " on ");
        addObject(model, TAC_MUTEX, part->mutex, ids, out);
    }
    if (part->server != TAC_NONE) {
        tacTextAddString(out, " ");
        addObject(model, TAC_SERVER, part->server, ids, out);
    }
    if (part->task != TAC_NONE && phrases[part->kind].by) {
        tacTextAddString(out, phrases[part->kind].by);
        addObject(model, TAC_TASK, part->task, ids, out);
    }
    if (part->processor != TAC_NONE && hasSeveral(model)) {
        tacTextAddString(out, " on ");
        addName(tacProcessorId(model, part->processor), tacProcessorName(model, part->processor), ids, out);
    }
}

void tacWhyPhrase(const tacModel *model, const tacWhyPart *part, tacText *out) { addPhrase(model, part, true, out); }
void tacWhyPhraseNamed(const tacModel *model, const tacWhyPart *part, tacText *out) {
    addPhrase(model, part, false, out);
}

/* Ticks that the job has more of a part than the median (best) job. */
static int64_t moreOf(const tacWhy *why, uint32_t part, bool best) {
    return tacWhyCellAt(why, part)->ticks - tacWhyOther(why, part, best).ticks;
}

/* The part of the top level that differs most, in the direction of the whole, from the median (best) job; TAC_NONE. */
static uint32_t largestDifference(const tacWhy *why, bool best) {
    uint32_t found = TAC_NONE;
    int64_t most = 0, other = best ? why->bestResponse : why->medianResponse;
    if (other == TAC_UNKNOWN || why->response == other) return TAC_NONE;
    for (size_t i = 0; i < why->order.count; i++) {
        uint32_t part = why->order.at[i];
        if (tacWhyParent(why, part) != TAC_NONE) continue;
        int64_t more = moreOf(why, part, best);
        if (why->response < other) more = -more;
        if (more <= most) continue;
        most = more;
        found = part;
    }
    return found;
}

/* Adds how often the part occurs, if the number differs. */
static void addTimes(tacWhyTally own, tacWhyTally other, tacText *out) {
    if (own.times == other.times || (own.times <= 1 && other.times == 0)) return;
    if (other.times == 0) tacTextPrintf(out, " (%u times, there never)", own.times);
    else tacTextPrintf(out, " (%u instead of %u times)", own.times, other.times);
}

/* Goes down the chain of holders: adds the part that makes most of the difference of its parent, unless the holder
 * simply ran. */
static void addReason(const tacModel *model, const tacWhy *why, bool best, uint32_t part, tacText *out) {
    for (uint32_t most = TAC_NONE; part != TAC_NONE; part = most, most = TAC_NONE) {
        for (uint32_t i = part + 1; i < why->nParts; i++)
            if (tacWhyParent(why, i) == part && (most == TAC_NONE || moreOf(why, i, best) > moreOf(why, most, best)))
                most = i;
        if (most == TAC_NONE || tacWhyCellAt(why, most)->kind == TAC_WHY_RUNNING) return;
        if (moreOf(why, most, best) < moreOf(why, part, best) / 2) return;
        tacWhyPart reason = tacWhyPartAt(why, most);
        tacTextAddString(out, ", of which ");
        addTicks(model, moreOf(why, most, best), out);
        tacTextAddString(out, " is its ");
        tacWhyPhrase(model, &reason, out);
    }
}

/* Adds the part that makes most of the difference. If it alone is more than the difference, other parts make up for it.
 */
static void addDifference(const tacModel *model, const tacWhy *why, bool best, int64_t difference, tacText *out) {
    uint32_t largest = largestDifference(why, best);
    if (largest == TAC_NONE) return;
    tacWhyPart part = tacWhyPartAt(why, largest);
    tacWhyTally other = tacWhyOther(why, largest, best);
    bool more = part.own.ticks > other.ticks;
    int64_t share = more ? part.own.ticks - other.ticks : other.ticks - part.own.ticks;
    tacTextAddString(out, "; ");
    if (share <= difference) {
        if (share < difference) addTicks(model, share, out);
        tacTextAddString(out, share < difference ? " of the " : "all of the ");
        addTicks(model, difference, out);
        tacTextAddString(out, more ? " more is " : " less is less ");
        tacWhyPhrase(model, &part, out);
        addTimes(part.own, other, out);
        if (more) addReason(model, why, best, largest, out);
        return;
    }
    tacWhyPhrase(model, &part, out);
    tacTextAddString(out, " is ");
    addTicks(model, share, out);
    tacTextAddString(out, more ? " more" : " less");
    addTimes(part.own, other, out);
    if (more) addReason(model, why, best, largest, out);
    tacTextAddString(out, ", other things are ");
    addTicks(model, share - difference, out);
    tacTextAddString(out, more ? " less" : " more");
}

static const char *const took[] = {[TAC_WHY_COMPLETED] = " took ",
    [TAC_WHY_ABANDONED] = " is not completed: it was abandoned after ",
    [TAC_WHY_RECORDING] = " is not completed: the recording ends after "};

void tacWhySentence(const tacModel *model, const tacWhy *why, tacText *out) {
    bool best = why->job == why->median && why->job != why->best; /* the median job itself is compared with the best */
    uint32_t other = best ? why->best : why->median;
    int64_t response = best ? why->bestResponse : why->medianResponse, difference;
    addJob(model, why->job, out);
    tacTextAddString(out, took[why->ended]);
    addTicks(model, why->response, out);
    if (model->jobs.at[why->job].release == TAC_UNKNOWN)
        tacTextAddString(out, " since its first mention (its release is not known)");
    if (other == TAC_NONE)
        tacTextAddString(out, "; no job of its task is completed and known in full, to compare with");
    else if (other == why->job)
        tacTextPrintf(out,
            why->compared == 1 ? "; there is no other to compare with"
                               : ", which is both the median and the best of its task");
    else {
        tacTextAddString(out, why->chosen ? ", " : best ? ", the median of its task, the best (" : ", the median (");
        addJob(model, other, out);
        tacTextAddString(out, why->chosen ? " " : ") ");
        addTicks(model, response, out);
        difference = why->response > response ? why->response - response : response - why->response;
        if (difference) addDifference(model, why, best, difference, out);
    }
    tacTextAddString(out, ".");
}
