/*
 * auditWait.c -- the changes of states that jobs wait for, in order, and the mutex that a job is blocked on.
 *
 * Slices and holds of a task, and points of a budget, stand in order of their begin, and so do jobs. A cursor goes over
 * each of these arrays; a heap says which one is next. Those of a task are put there with its first job, and taken away
 * with its last slice and hold. The end of a stretch waits in a second heap; the wait of a job that ends with its first
 * slice does not, since there may be very many.
 *
 * No event names that mutex. It is (1) the one that the job acquires when it is woken, if another job held it when it
 * was blocked, and did not give it back between the waking and that; else (2) the last acquired one of those that the
 * -target of jobBlocked holds then. Otherwise the job waits for something else than a mutex. That is the best guess
 * (tacBlockedOn). Who accuses has to be sure, unless a running system was recorded: a job that only sleeps may acquire
 * a mutex when it runs, too, and the -target may be the job that takes over the processor.
 */
#include "base/port.h"

#include "analysis/auditWait.h"
#include "base/search.h"
#include "base/sort.h"
#include "model/jobTimes.h"
#include "model/query.h"
#include "trace/scheduling.h"

enum {
    NO_WHAT = (1 << 28) - 1,
    LOOK = 256, /* most rows, slices or holds that are looked at for one answer */
    SHARE = 16  /* slices that are looked at for the servers of all tasks, for each one that there is */
};

/* ---- the mutex of a blocked job --------------------------------------------------------------------------------- */

/* The slice in which the job of slice i runs next; NULL: it is not within the next LOOK slices. */
static const tacSlice *nextRun(const tacTaskModel *task, size_t i) {
    uint32_t job = task->slices.at[i].job;
    size_t last = i + LOOK < task->slices.count ? i + LOOK : task->slices.count;
    for (size_t k = i + 1; k < last; k++)
        if (task->slices.at[k].job == job && task->slices.at[k].state == TAC_STATE_RUNNING) return &task->slices.at[k];
    return NULL;
}

/* Did another job give the mutex back after the end of the slice, and before it was acquired? Then the job of the
 * slice, which was woken earlier, has not waited for it. */
static bool givenBackLater(const tacModel *model, uint32_t mutex, const tacSlice *blocked, int64_t acquired) {
    const tacMutexModel *record = &model->mutexes[mutex];
    uint32_t i = tacQueryMutexHold(model, mutex, 0, blocked->end + 1);
    if (i >= record->holds.count) return false;
    const tacHold *hold = &model->tasks[record->holds.at[i].task].holds.at[record->holds.at[i].hold];
    return hold->begin < blocked->end && hold->end <= acquired && hold->job != blocked->job;
}

/* Does another job hold the mutex while this one is blocked? Of several holders the first one counts. */
static bool heldByAnother(const tacModel *model, uint32_t mutex, const tacSlice *blocked) {
    const tacMutexModel *record = &model->mutexes[mutex];
    uint32_t i = blocked->end > blocked->begin ? tacQueryMutexHold(model, mutex, 0, blocked->begin + 1) : TAC_NONE;
    if (i >= record->holds.count) return false;
    const tacHold *hold = &model->tasks[record->holds.at[i].task].holds.at[record->holds.at[i].hold];
    return hold->begin <= blocked->begin && hold->job != blocked->job;
}

/* Was the job, which ran for no time when it was woken, blocked again before it acquired something at that instant?
 * Then it has waited for that only from there on. */
static bool blockedAgain(const tacModel *model, const tacSlice *run) {
    const tacStore *store = model->store;
    if (!run || run->end > run->begin) return false;
    uint32_t id = model->jobs.at[run->job].id;
    return tacAuditRow(store, id, run->begin, TAC_EVENT_BIT(TAC_EV_JOB_BLOCKED))
        < tacAuditRow(store, id, run->begin, TAC_EVENT_BIT(TAC_EV_JOB_ACQUIRED_MUTEX));
}

/* (1) The mutex that the job acquires when it is woken, and another job held when it was blocked. *acquired: when. */
static uint32_t acquiredNext(const tacModel *model, const tacTaskModel *task, size_t slice, int64_t *acquired) {
    const tacSlice *blocked = &task->slices.at[slice];
    const tacSlice *run = nextRun(task, slice);
    size_t first = tacPast(size_t, 0, task->holds.count, i, task->holds.at[i].begin < blocked->end);
    for (size_t i = first; i < task->holds.count && i - first < LOOK; i++) {
        const tacHold *hold = &task->holds.at[i];
        if (hold->job != blocked->job) continue;
        if (hold->begin != blocked->end && (!run || hold->begin != run->begin)) return TAC_NONE;
        bool waited = heldByAnother(model, hold->mutex, blocked)
            && !givenBackLater(model, hold->mutex, blocked, hold->begin) && !blockedAgain(model, run);
        *acquired = hold->begin;
        return waited ? hold->mutex : TAC_NONE;
    }
    return TAC_NONE;
}

/* Does the wake-up of a job tell that it waited for the mutex, which it acquired then? Where switching takes no time,
 * another job held it for all that time, gave it back just then, and nobody came before. */
static bool wakes(const tacModel *model, uint32_t mutex, const tacSlice *blocked, int64_t acquired) {
    const tacMutexModel *record = &model->mutexes[mutex];
    uint32_t n = (uint32_t) record->holds.count, i = tacQueryMutexHold(model, mutex, 0, blocked->end);
    bool found = false;
    for (int looks = 0; i < n && looks < LOOK; looks++) {
        const tacHold *hold = &model->tasks[record->holds.at[i].task].holds.at[record->holds.at[i].hold];
        if (hold->begin > acquired || hold->job == blocked->job) break;
        if (hold->begin >= blocked->end) return false;
        found |= hold->begin <= blocked->begin && hold->end == blocked->end;
        i = tacQueryMutexHold(model, mutex, i + 1, blocked->end);
    }
    return found;
}

/* The job that the event that blocked a job names by -target, TAC_NONE: none; the last one of that instant. first: the
 * first row of it. */
static uint32_t targetOf(const tacModel *model, const tacSlice *blocked, uint32_t first) {
    const tacStore *store = model->store;
    uint32_t n = tacStoreCount(store), id = model->jobs.at[blocked->job].id, target = TAC_NONE;
    for (uint32_t row = first; row < n && row - first < LOOK && tacRowTime(store, row) == blocked->begin; row++)
        if (tacRowEvent(store, row) == TAC_EV_JOB_BLOCKED && tacRowSubject(store, row) == id)
            target = tacRowObject(store, row);
    uint32_t job = target == TAC_NONE ? TAC_NONE : tacQueryJob(model, target, blocked->begin);
    return job == blocked->job ? TAC_NONE : job;
}

/* Does the target just take over the processor of the blocked job? */
static bool takesOver(const tacModel *model, uint32_t target, const tacSlice *blocked) {
    uint32_t task = model->jobs.at[target].task;
    const tacTaskModel *one = &model->tasks[task];
    uint32_t i = tacQuerySlice(model, task, 0, blocked->begin);
    for (int looks = 0; i < one->slices.count && one->slices.at[i].begin <= blocked->begin && looks < LOOK; looks++) {
        const tacSlice *slice = &one->slices.at[i];
        if (slice->job == target && slice->state == TAC_STATE_RUNNING && slice->begin == blocked->begin
            && slice->processor == blocked->processor)
            return true;
        i = tacQuerySlice(model, task, i + 1, blocked->begin);
    }
    return false;
}

/* The mutex that a job acquired last and holds at t, or `wanted` if it holds that, too. *only: it holds no other one,
 * and did not just acquire it. */
static uint32_t heldBy(const tacModel *model, uint32_t job, int64_t t, uint32_t wanted, bool *only) {
    uint32_t task = model->jobs.at[job].task, i = TAC_NONE, mutex = TAC_NONE;
    const tacHold *holds = model->tasks[task].holds.at;
    *only = true;
    for (int looks = 0; looks < LOOK && (i = tacQueryLastHold(model, task, i, t)) != TAC_NONE; looks++) {
        if (holds[i].job != job) continue;
        *only &= mutex == TAC_NONE && holds[i].begin < t;
        if (mutex == TAC_NONE || holds[i].mutex == wanted) mutex = holds[i].mutex;
    }
    return mutex;
}

/* Did the job give a mutex back at t? */
static bool givesBack(const tacModel *model, uint32_t job, int64_t t) {
    uint32_t task = model->jobs.at[job].task, i = tacQueryHold(model, task, 0, t);
    const tacTaskModel *one = &model->tasks[task];
    for (int looks = 0; i < one->holds.count && one->holds.at[i].begin <= t && looks < LOOK; looks++) {
        if (one->holds.at[i].job == job && one->holds.at[i].end == t) return true;
        i = tacQueryHold(model, task, i + 1, t);
    }
    return false;
}

/* The mutex that a job waits for in a slice; *row: a row not after the first one of its begin, becomes that. sure: not
 * one that it may just have acquired after it slept, or that the job holds which took over from it. */
static uint32_t blockedOn(const tacModel *model, uint32_t index, size_t slice, bool sure, uint32_t *row) {
    const tacTaskModel *task = &model->tasks[index];
    const tacSlice *blocked = &task->slices.at[slice];
    if (tacStoreObjects(model->store, TAC_MUTEX) == 0) return TAC_NONE;
    int64_t acquired;
    uint32_t mutex = acquiredNext(model, task, slice, &acquired);
    if (mutex != TAC_NONE && (!sure || wakes(model, mutex, blocked, acquired))) return mutex;
    *row = tacStoreFindFrom(model->store, blocked->begin, *row, 4);
    uint32_t target = targetOf(model, blocked, *row);
    if (target == TAC_NONE || (sure && takesOver(model, target, blocked))) return TAC_NONE;
    bool only;
    uint32_t held = heldBy(model, target, blocked->begin, mutex, &only);
    bool known = held == mutex || (only && !givesBack(model, target, blocked->begin));
    return !sure || known ? held : TAC_NONE;
}

uint32_t tacBlockedOn(const tacModel *model, uint32_t index, size_t slice) {
    uint32_t row = tacStoreFind(model->store, model->tasks[index].slices.at[slice].begin);
    return blockedOn(model, index, slice, false, &row);
}

uint32_t tacSurelyBlockedOn(const tacModel *model, uint32_t index, size_t slice) {
    uint32_t row = tacStoreFind(model->store, model->tasks[index].slices.at[slice].begin);
    return blockedOn(model, index, slice, true, &row);
}

/* ---- servers ---------------------------------------------------------------------------------------------------- */

typedef struct Consumptions {
    TAC_ARRAY(tacStretch) all; /* by begin, not touching one another */
} Consumptions;

/* Finds the stretches in which the server consumes; false: no memory. */
static bool consumptions(const tacModel *model, uint32_t server, Consumptions *found) {
    const tacServerModel *one = &model->servers[server];
    found->all.count = 0;
    for (size_t i = 0; i < one->points.count; i++) {
        int64_t begin = one->points.at[i].time,
                end = i + 1 < one->points.count ? one->points.at[i + 1].time : model->end;
        if (one->points.at[i].consumers == 0 || end <= begin) continue;
        size_t n = found->all.count;
        if (n && found->all.at[n - 1].end == begin) found->all.at[n - 1].end = end;
        else if (!tacArrayPush(&found->all, ((tacStretch){begin, end}))) return false;
    }
    return true;
}

static bool isRun(const tacSlice *slice) { return slice->state == TAC_STATE_RUNNING && slice->end > slice->begin; }

/* Does the task run, and only while the server consumes? *looks: less by the slices that were looked at. */
static bool isServed(const tacTaskModel *task, const Consumptions *found, int64_t *looks) {
    bool runs = false;
    for (size_t i = 0; i < task->slices.count; i++, --*looks) {
        const tacSlice *slice = &task->slices.at[i];
        if (!isRun(slice)) continue;
        size_t k = tacPast(size_t, 0, found->all.count, n, found->all.at[n].end <= slice->begin);
        if (k == found->all.count || slice->begin < found->all.at[k].begin || slice->end > found->all.at[k].end)
            return false;
        runs = true;
    }
    return runs;
}

typedef struct FirstRun { /* of a task */
    int64_t begin;
    uint32_t task;
} FirstRun;

/* Tasks that run, by their first run, and a tree that finds those that do not run after a given time. */
typedef struct Runners {
    FirstRun *first;
    int64_t *ends; /* leaf width + i: when the last run of first[i].task ends, INT64_MAX once its server is known; other
                    * nodes: the least one of nodes 2n and 2n + 1 */
    size_t count, width;
} Runners;

static int earlierRun(const void *left, const void *right, const void *data) {
    const FirstRun *a = left, *b = right;
    (void) data;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* When the last run of a task ends that has one. */
static int64_t lastRunEnd(const tacTaskModel *task) {
    size_t i = task->slices.count - 1;
    while (!isRun(&task->slices.at[i])) i--;
    return task->slices.at[i].end;
}

/* Sets a node that is no leaf. */
static void setEnd(Runners *runners, size_t node) {
    int64_t left = runners->ends[2 * node], right = runners->ends[2 * node + 1];
    runners->ends[node] = left < right ? left : right;
}

/* Lists the first runs of all tasks, by time. False: no memory, or stopped. */
static bool findRunners(Runners *runners, const tacModel *model, uint32_t nTasks, tacProgress *progress) {
    runners->first = tacAlloc(((size_t) nTasks + 1) * sizeof *runners->first);
    for (uint32_t i = 0; runners->first && i < nTasks; i++) {
        const tacTaskModel *task = &model->tasks[i];
        size_t k = 0;
        while (k < task->slices.count && !isRun(&task->slices.at[k])) k++;
        if (k < task->slices.count) runners->first[runners->count++] = (FirstRun){task->slices.at[k].begin, i};
    }
    for (runners->width = 1; runners->width < runners->count;) runners->width *= 2;
    runners->ends = tacAlloc(2 * runners->width * sizeof *runners->ends);
    if (!runners->first || !runners->ends
        || !tacSort(runners->first, runners->count, sizeof *runners->first, earlierRun, NULL, progress))
        return false;
    for (size_t i = 0; i < runners->width; i++)
        runners->ends[runners->width + i] = i < runners->count ? lastRunEnd(&model->tasks[runners->first[i].task])
                                                               : INT64_MAX;
    for (size_t node = runners->width; --node > 0;) setEnd(runners, node);
    return true;
}

/* The next task from `i` on, of those without a server, that does not run after `end`; runners->count: none. */
static size_t nextRunner(const Runners *runners, size_t i, int64_t end) {
    if (i >= runners->count) return runners->count;
    size_t node = runners->width + i;
    while (runners->ends[node] > end) {
        while (node & 1) node /= 2;
        if (!node) return runners->count;
        node++;
    }
    while (node < runners->width) node = 2 * node + (runners->ends[2 * node] > end);
    return node - runners->width;
}

/* Takes a task out of those without a server. */
static void removeRunner(Runners *runners, size_t i) {
    size_t node = runners->width + i;
    runners->ends[node] = INT64_MAX;
    while (node /= 2) setEnd(runners, node);
}

/* Finds the tasks that run only while a server consumes, which is in these stretches. *looks: as of isServed; 0 ends
 * that. */
static void serve(uint32_t server, const tacModel *model, const Consumptions *found, Runners *runners,
    uint32_t *servers, int64_t *looks) {
    /* Only tasks that run first while it consumes, and not after it does. */
    for (size_t i = 0; i < found->all.count; i++) {
        int64_t last = found->all.at[found->all.count - 1].end;
        size_t k = tacPast(size_t, 0, runners->count, n, runners->first[n].begin < found->all.at[i].begin);
        while (--*looks > 0 && (k = nextRunner(runners, k, last)) < runners->count
            && runners->first[k].begin < found->all.at[i].end) {
            uint32_t task = runners->first[k].task;
            if (isServed(&model->tasks[task], found, looks)) {
                servers[task] = server;
                removeRunner(runners, k);
            }
            k++;
        }
    }
}

bool tacServersOfTasks(const tacTrace *trace, uint32_t *servers, tacProgress *progress) {
    const tacModel *model = &trace->model;
    Consumptions found = {{0}};
    Runners runners = {0};
    uint32_t nTasks = tacStoreObjects(&trace->store, TAC_TASK), nServers = tacStoreObjects(&trace->store, TAC_SERVER);
    bool fine = nServers == 0 || findRunners(&runners, model, nTasks, progress);
    int64_t looks = 0;
    for (uint32_t i = 0; i < nTasks; i++) {
        servers[i] = TAC_NONE;
        looks += SHARE * (int64_t) model->tasks[i].slices.count;
    }
    for (uint32_t i = 0; i < nServers; i++) looks += SHARE * (int64_t) model->servers[i].points.count;
    for (uint32_t i = 0; fine && i < nServers; i++) {
        fine = consumptions(model, i, &found) && tacProgressAt(progress, i);
        if (fine) serve(i, model, &found, &runners, servers, &looks);
    }
    for (size_t i = 0; fine && looks <= 0 && i < runners.count; i++)
        if (servers[runners.first[i].task] == TAC_NONE) servers[runners.first[i].task] = TAC_SERVER_UNKNOWN;
    tacArrayFree(&found.all);
    tacFree(runners.first);
    tacFree(runners.ends);
    return fine;
}

/* ---- heaps of what is due ---------------------------------------------------------------------------------------- */

static bool isBefore(const tacPending *a, const tacPending *b) {
    if (a->time != b->time) return a->time < b->time;
    return a->kind != b->kind ? a->kind < b->kind : a->subject < b->subject;
}

static bool addDue(tacPendings *dues, tacPending due) {
    if (!tacArrayPush(dues, due)) return false;
    size_t at = dues->count - 1;
    for (; at && isBefore(&due, &dues->at[(at - 1) / 2]); at = (at - 1) / 2) dues->at[at] = dues->at[(at - 1) / 2];
    dues->at[at] = due;
    return true;
}

/* Puts another one in the place of the first. */
static void replaceFirst(tacPendings *dues, tacPending due) {
    size_t at = 0, n = dues->count;
    for (size_t child = 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && isBefore(&dues->at[child + 1], &dues->at[child])) child++;
        if (!isBefore(&dues->at[child], &due)) break;
        dues->at[at] = dues->at[child];
        at = child;
    }
    if (n) dues->at[at] = due;
}

static void removeFirst(tacPendings *dues) {
    tacPending last = dues->at[--dues->count];
    replaceFirst(dues, last);
}

/* ---- cursors ------------------------------------------------------------------------------------------------------
 */

static uint32_t cursorOfJobs(const tacChanges *c) { return 2 * c->nTasks + c->nServers; }

/* Does the stretch count: has it a length, and does it begin before the end of the recording? */
static bool counts(const tacChanges *c, int64_t begin, int64_t end) {
    return end > begin && begin < c->trace->model.end;
}

/* The stretch in which the server has no budget behind a point of its curve; false: there is none. */
static bool emptyAfter(const tacModel *model, uint32_t server, uint32_t i, tacStretch *stretch) {
    const tacServerModel *one = &model->servers[server];
    const tacBudgetPoint *point = &one->points.at[i];
    *stretch = (tacStretch){point->time, i + 1 < one->points.count ? one->points.at[i + 1].time : model->end};
    if (point->remainder > 0
        && (point->consumers == 0
            || __builtin_add_overflow(point->time, point->remainder / point->consumers, &stretch->begin)))
        return false;
    return stretch->begin < stretch->end;
}

/* When a job is over, as far as the next one of its task has to wait for that; the end of the recording: it is not. */
static int64_t doneAt(const tacModel *model, const tacJob *job) {
    if (job->completion != TAC_UNKNOWN) return job->completion;
    return job->flags & TAC_JOB_ABANDONED ? INT64_MIN : model->end;
}

/* Do jobs of a task wait for earlier ones of it: is one released before they are over, and does none begin before? */
static bool followOneAnother(const tacModel *model, uint32_t task) {
    int64_t done = INT64_MIN;
    bool waits = false;
    for (uint32_t i = model->tasks[task].firstJob; i != TAC_NONE; i = model->jobs.at[i].next) {
        const tacJob *job = &model->jobs.at[i];
        if (job->start != TAC_UNKNOWN && job->start < done) return false;
        waits |= job->release != TAC_UNKNOWN && job->release < done;
        int64_t over = doneAt(model, job);
        if (over > done) done = over;
    }
    return waits;
}

/* Notes the job before each one, of the tasks whose jobs follow one another. False: no memory. */
static bool findPrevious(tacChanges *c) {
    const tacModel *model = &c->trace->model;
    size_t n = model->jobs.count;
    for (uint32_t task = 0; task < c->nTasks; task++) {
        if (!followOneAnother(model, task)) continue;
        if (!c->previous) {
            c->previous = tacAlloc((n + 1) * sizeof *c->previous);
            for (size_t i = 0; c->previous && i < n; i++) c->previous[i] = TAC_NONE;
        }
        if (!c->previous) return false;
        for (uint32_t i = model->tasks[task].firstJob, before = TAC_NONE; i != TAC_NONE; i = model->jobs.at[i].next) {
            c->previous[i] = before;
            before = i;
        }
    }
    return true;
}

/* The wait of a job from its wake-up or release, or from when the one before it is over, to its start, or to where it
 * may have started; false: it has none. One that never starts waits to the end, unless it is completed or abandoned. */
static bool waitOf(const tacChanges *c, uint32_t index, tacStretch *stretch) {
    const tacModel *model = &c->trace->model;
    const tacJob *job = &model->jobs.at[index];
    if (job->release == TAC_UNKNOWN
        || (!tacJobStarted(job) && (job->completion != TAC_UNKNOWN || (job->flags & TAC_JOB_ABANDONED))))
        return false;
    int64_t wakeup = tacJobWakeup(model, index);
    uint32_t previous = c->previous ? c->previous[index] : TAC_NONE;
    int64_t done = previous == TAC_NONE ? INT64_MIN : doneAt(model, &model->jobs.at[previous]);
    stretch->begin = wakeup == TAC_UNKNOWN ? job->release : tacAddTicks(job->release, wakeup);
    if (stretch->begin < done) stretch->begin = done;
    stretch->end = tacJobStarted(job) ? tacJobWaitEnd(model, job) : model->end;
    return true;
}

static bool isSlice(uint8_t state) {
    return state == TAC_STATE_RUNNING || state == TAC_STATE_PREEMPTED || state == TAC_STATE_BLOCKED;
}

/* Did the job run, or was it blocked, for no time? */
static bool isGlimpse(const tacSlice *slice) {
    return slice->end <= slice->begin && isSlice(slice->state) && slice->state != TAC_STATE_PREEMPTED;
}

/* Is there a wait of the job that counts? */
static bool countedWait(const tacChanges *c, uint32_t job, tacStretch *stretch) {
    return waitOf(c, job, stretch) && counts(c, stretch->begin, stretch->end);
}

/* Does a wait up to `end` end with the first slice of the job? */
static bool endsWithSlice(const tacChanges *c, const tacJob *job, int64_t end) {
    if (job->firstSlice == TAC_NONE) return false;
    const tacSlice *first = &c->trace->model.tasks[job->task].slices.at[job->firstSlice];
    return first->begin == end && isSlice(first->state) && counts(c, first->begin, first->end);
}

/* Is the job the first one of its task? */
static bool isFirst(const tacModel *model, uint32_t job) {
    return model->tasks[model->jobs.at[job].task].firstJob == job;
}

/* Moves the place *i of a cursor to the next stretch that counts; false: there is none. *begin: when it begins; of
 * jobs, when the job is released. The first job of each task counts in any case. */
static bool seek(const tacChanges *c, uint32_t cursor, uint32_t *i, int64_t *begin) {
    const tacModel *model = &c->trace->model;
    tacStretch stretch;
    if (cursor < c->nTasks) {
        for (; *i < model->tasks[cursor].slices.count; ++*i) {
            const tacSlice *slice = &model->tasks[cursor].slices.at[*i];
            bool glimpse = isGlimpse(slice) && slice->begin < model->end;
            if (glimpse || (isSlice(slice->state) && counts(c, slice->begin, slice->end)))
                return *begin = slice->begin, true;
        }
    } else if (cursor < 2 * c->nTasks) {
        for (; *i < model->tasks[cursor - c->nTasks].holds.count; ++*i) {
            const tacHold *hold = &model->tasks[cursor - c->nTasks].holds.at[*i];
            if (counts(c, hold->begin, hold->end)) return *begin = hold->begin, true;
        }
    } else if (cursor < cursorOfJobs(c)) {
        uint32_t server = cursor - 2 * c->nTasks;
        for (; *i < model->servers[server].points.count; ++*i)
            if (emptyAfter(model, server, *i, &stretch) && counts(c, stretch.begin, stretch.end))
                return *begin = stretch.begin, true;
    } else {
        for (; *i < model->jobs.count; ++*i)
            if (isFirst(model, *i) || countedWait(c, *i, &stretch))
                return *begin = tacJobBegin(model, &model->jobs.at[*i]), true;
    }
    return false;
}

/* Notes that a stretch ends, unless that is the end of the recording. */
static bool endAt(tacChanges *c, int64_t time, uint32_t subject, uint32_t what, tacChangeKind kind) {
    return time >= c->trace->model.end
        || addDue(&c->ends, (tacPending){.time = time, .subject = subject, .what = what & NO_WHAT, .kind = kind});
}

/* The processor where a preempted job goes on, if that is the same; TAC_NONE. */
static uint32_t nextProcessor(const tacTaskModel *task, uint32_t i) {
    const tacSlice *run = nextRun(task, i);
    return run && run->processor == task->slices.at[i].processor ? run->processor : TAC_NONE;
}

/* Makes the changes with which a slice begins, and notes the one with which it ends. A wait that it ends comes first.
 */
static bool beginSlice(tacChanges *c, uint32_t task, uint32_t i, tacChange *change) {
    const tacModel *model = &c->trace->model;
    const tacSlice *slice = &model->tasks[task].slices.at[i];
    const tacJob *job = &model->jobs.at[slice->job];
    tacChangeKind end = TAC_CHANGE_RUN_END;
    tacStretch wait;
    if (isGlimpse(slice)) {
        *change = (tacChange){slice->begin, slice->job, slice->state, TAC_CHANGE_GLIMPSE};
        return true;
    }
    *change = (tacChange){slice->begin, slice->job, slice->processor, TAC_CHANGE_RUN};
    if (slice->state == TAC_STATE_PREEMPTED) {
        change->kind = TAC_CHANGE_READY;
        change->what = c->recorded ? nextProcessor(&model->tasks[task], i) : TAC_NONE;
        end = TAC_CHANGE_READY_END;
    } else if (slice->state == TAC_STATE_BLOCKED) {
        change->kind = TAC_CHANGE_BLOCK;
        change->what = blockedOn(model, task, i, !c->recorded, &c->row);
        end = TAC_CHANGE_BLOCK_END;
    }
    if (job->firstSlice == i && countedWait(c, slice->job, &wait) && endsWithSlice(c, job, wait.end)) {
        c->then = *change;
        c->more = true;
        *change = (tacChange){slice->begin, slice->job, 0, TAC_CHANGE_READY_END};
    }
    return endAt(c, slice->end, slice->job, 0, end);
}

/* Makes the change with which the stretch at a cursor begins, and notes the one with which it ends. */
static bool beginStretch(tacChanges *c, uint32_t cursor, uint32_t i, tacChange *change) {
    const tacModel *model = &c->trace->model;
    tacStretch stretch;
    if (cursor < c->nTasks) return beginSlice(c, cursor, i, change);
    if (cursor < 2 * c->nTasks) {
        const tacHold *hold = &model->tasks[cursor - c->nTasks].holds.at[i];
        *change = (tacChange){hold->begin, hold->job, hold->mutex, TAC_CHANGE_HOLD};
        return endAt(c, hold->end, hold->job, hold->mutex, TAC_CHANGE_HOLD_END);
    }
    if (cursor < cursorOfJobs(c)) {
        uint32_t server = cursor - 2 * c->nTasks;
        emptyAfter(model, server, i, &stretch);
        *change = (tacChange){stretch.begin, TAC_NONE, server, TAC_CHANGE_EMPTY};
        return endAt(c, stretch.end, server, 0, TAC_CHANGE_EMPTY_END);
    }
    if (!countedWait(c, i, &stretch)) return *change = (tacChange){.kind = TAC_CHANGE_NONE}, true;
    const tacJob *job = &model->jobs.at[i];
    const tacSlice *first = job->firstSlice == TAC_NONE ? NULL : &model->tasks[job->task].slices.at[job->firstSlice];
    bool runs = first && first->state == TAC_STATE_RUNNING;
    *change = (tacChange){stretch.begin, i, runs ? first->processor : TAC_NONE, TAC_CHANGE_READY};
    return endsWithSlice(c, job, stretch.end) || endAt(c, stretch.end, i, 0, TAC_CHANGE_READY_END);
}

/* ---- the stream ---------------------------------------------------------------------------------------------------
 */

/* Puts a cursor among the others, if there is a stretch for it. False: no memory. */
static bool startCursor(tacChanges *c, uint32_t cursor) {
    int64_t begin;
    uint32_t place = 0;
    return !seek(c, cursor, &place, &begin)
        || addDue(&c->cursors, (tacPending){.time = begin, .subject = cursor, .place = place});
}

bool tacChangesBegin(tacChanges *c, const tacTrace *trace) {
    *c = (tacChanges){.trace = trace,
        .recorded = tacSchedulingRecorded(&trace->store),
        .nTasks = tacStoreObjects(&trace->store, TAC_TASK),
        .nServers = tacStoreObjects(&trace->store, TAC_SERVER)};
    bool fine = findPrevious(c);
    for (uint32_t i = 2 * c->nTasks; fine && i <= cursorOfJobs(c); i++) fine = startCursor(c, i);
    return fine;
}

/* Takes the change that is due first. */
static void takeDue(tacChanges *c, tacChange *change) {
    tacPending due = c->ends.at[0];
    removeFirst(&c->ends);
    uint32_t what = due.what == NO_WHAT ? TAC_NONE : due.what;
    if (due.kind == TAC_CHANGE_EMPTY_END) *change = (tacChange){due.time, TAC_NONE, due.subject, TAC_CHANGE_EMPTY_END};
    else *change = (tacChange){due.time, due.subject, what, (tacChangeKind) due.kind};
}

/* Takes the stretch of the cursor that is first, and moves that; kind NONE: a job without a wait. False: no memory. */
static bool takeCursor(tacChanges *c, tacChange *change) {
    const tacModel *model = &c->trace->model;
    uint32_t cursor = c->cursors.at[0].subject, place = c->cursors.at[0].place, next = place + 1;
    int64_t begin;
    if (!beginStretch(c, cursor, place, change)) return false;
    if (seek(c, cursor, &next, &begin))
        replaceFirst(&c->cursors, (tacPending){.time = begin, .subject = cursor, .place = next});
    else removeFirst(&c->cursors);
    if (cursor != cursorOfJobs(c) || !isFirst(model, place)) return true;
    uint32_t task = model->jobs.at[place].task;
    return startCursor(c, task) && startCursor(c, c->nTasks + task);
}

bool tacChangesNext(tacChanges *c, tacChange *change) {
    if (c->more) return *change = c->then, c->more = false, true;
    for (;;) {
        bool ends = c->ends.count > 0, begins = c->cursors.count > 0;
        if (ends && (!begins || c->ends.at[0].time <= c->cursors.at[0].time)) return takeDue(c, change), true;
        if (!begins) return false;
        int64_t time = c->cursors.at[0].time;
        if (!takeCursor(c, change)) return c->failed = true, false;
        if (change->kind == TAC_CHANGE_NONE) continue;
        if (change->time == time) return true;
        /* A job that is in the queue only some time after its release. */
        if (!addDue(&c->ends,
                (tacPending){.time = change->time,
                    .subject = change->job,
                    .what = change->what & NO_WHAT,
                    .kind = change->kind}))
            return c->failed = true, false;
    }
}

void tacChangesFree(tacChanges *c) {
    tacArrayFree(&c->ends);
    tacArrayFree(&c->cursors);
    tacFree(c->previous);
}
