/*
 * lod.c -- sums of time in each state up to every 16th slice, and bins made of their differences.
 *
 * Sums are kept modulo 2^64: of jobs that overlap they may be larger than any time, but the difference at the borders
 * of a bin is right whenever it fits.
 *
 * Most of the time is spent waiting for memory. So the place of a border within its block is guessed first, and only
 * the slices around the guess are read, and the memory for the next borders is asked for ahead of its use.
 *
 * Rows with many jobs at once are summed up by begins and ends (Crowd): before x they spent
 *      x * (begun - ended) - sum of the begins before x + sum of the ends before x
 * ticks, whoever is under way at x.
 *
 * How long late jobs run, and those without a deadline, is summed up when somebody asks, row by row and in steps: of
 * slices that are there already, with the same borders, in sums of one slot.
 */
#include "base/port.h"

#include "base/search.h"
#include "model/lod.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = TAC_SPAN_BLOCK,
    STATE_SLOTS = 5,
    TASK_SLOT = 2, /* of a processor's first task; before it: other tasks, and work in between jobs */
    TRASH = TASK_SLOT + TAC_LOD_TASKS, /* of slices that a sum leaves out: added up, but never kept */
    SLOTS,
    ACTIVE = 64, /* slices under way at a border that are kept */
    CROWD = 16,  /* jobs at once; with more, begins and ends are summed up */
    GROUP = 32,
    RANGE = 16
};

/* States that slices have, by slot; a state without one takes part in no sum. */
static const tacJobState slotStates[STATE_SLOTS] = {
    TAC_STATE_RUNNING, TAC_STATE_BETWEEN, TAC_STATE_PREEMPTED, TAC_STATE_BLOCKED, TAC_STATE_UNKNOWN};
static const uint8_t stateSlots[TAC_STATES] = {[TAC_STATE_RUNNING] = 0,
    [TAC_STATE_BETWEEN] = 1,
    [TAC_STATE_PREEMPTED] = 2,
    [TAC_STATE_BLOCKED] = 3,
    [TAC_STATE_UNKNOWN] = 4};

typedef struct Crowd { /* a row in order of ends; by block and slot: numbers, and sums of times modulo 2^64 */
    uint32_t *byEnd;   /* slices in order of end */
    int64_t *ends;     /* by block of these: its first end */
    uint64_t *begun, *beginSums, *ended, *endSums;
} Crowd;

typedef struct LodRow {        /* sums of one row; block b begins with slice b * BLOCK */
    int64_t *begins;           /* by block: begin of its first slice; behind the last one the end of time */
    uint64_t *sums;            /* by block and slot: ticks of all slices before the block */
    Crowd *crowd;              /* NULL: few are under way at a time */
    struct Outcomes *outcomes; /* NULL: nobody has asked for them */
    uint32_t nTasks;           /* of a processor: tasks with a slot of their own */
    uint32_t tasks[TAC_LOD_TASKS];
    bool apart; /* each slice ends before the next one begins, so that at most one goes on at a time */
} LodRow;

/* How long jobs of each outcome run in a row: sums with one slot over all of its slices. */
typedef struct Outcomes {
    LodRow of[TAC_OUTCOMES_SUMMED]; /* `begins`, and the order of a crowd, are those of the row itself; sums NULL: no
                                       slice is of this outcome */
    uint64_t totals[TAC_OUTCOMES_SUMMED];
    uint32_t done; /* slices that are summed up */
    bool ready;
} Outcomes;

typedef struct LodRange {
    double least, largest;
} LodRange; /* of the budgets of a block of a curve's points */

typedef struct LodPart { /* the slices of a task on one of its processors */
    uint16_t processor;
    uint32_t count;
    uint32_t *slices; /* their places among those of the task, ascending */
    uint64_t running; /* ticks that the task runs there */
    tacSpan span;
    LodRow row;
} LodPart;

typedef TAC_ARRAY(LodPart) LodParts;

struct tacLod {
    uint32_t nTasks, nProcessors, nServers;
    LodRow *tasks, *processors;
    LodParts *parts;                 /* by task: none if it is on one processor only; where it runs longest first */
    uint32_t *missed, *missedStarts; /* jobs that missed their deadlines: those of task i are missed[missedStarts[i] ..
                                      * missedStarts[i + 1]), by deadline */
    LodRange **servers;              /* by server and block of RANGE points; NULL for few points */
    uint64_t bytes;
};

/* ---- a row: the slices of a task, or those that the runs of a processor stand for ---- */

typedef struct RowView {
    const tacModel *model;
    const tacSlice *slices; /* of a task, else NULL */
    const uint32_t *places; /* of these, those that the row has; NULL: all */
    const tacRun *runs;     /* of a processor, else NULL */
    uint32_t count;
    uint32_t nSlots;  /* a task's row has the last one only if it needs it, a processor's one for each of its
                         LodRow.tasks */
    uint32_t overlap; /* most slices under way at once, about */
    uint8_t only; /* 0: all slices; else 1 + tacJobOutcome: the one slot has those that run for jobs of this outcome */
    const tacSpan *span;
    const LodRow *lod;
} RowView;

static RowView taskRow(const tacModel *model, const tacLod *lod, uint32_t index) {
    const tacTaskModel *task = &model->tasks[index];
    return (RowView){.model = model,
        .slices = task->slices.at,
        .count = (uint32_t) task->slices.count,
        .nSlots = task->unknown ? STATE_SLOTS : STATE_SLOTS - 1,
        .overlap = task->overlap,
        .span = &task->sliceSpan,
        .lod = &lod->tasks[index]};
}

static RowView partRow(const tacModel *model, uint32_t task, const LodPart *part) {
    return (RowView){.model = model,
        .slices = model->tasks[task].slices.at,
        .places = part->slices,
        .count = part->count,
        .nSlots = model->tasks[task].unknown ? STATE_SLOTS : STATE_SLOTS - 1,
        .overlap = model->tasks[task].overlap,
        .span = &part->span,
        .lod = &part->row};
}

static RowView processorRow(const tacModel *model, const tacLod *lod, uint32_t index) {
    const tacProcessorModel *processor = &model->processors[index];
    return (RowView){.model = model,
        .runs = processor->runs.at,
        .count = (uint32_t) processor->runs.count,
        .nSlots = TASK_SLOT + lod->processors[index].nTasks,
        .overlap = processor->overlap,
        .span = &processor->runSpan,
        .lod = &lod->processors[index]};
}

static inline const tacSlice *sliceAt(const RowView *row, uint32_t i) {
    if (row->slices) return &row->slices[row->places ? row->places[i] : i];
    return tacRunSlice(row->model, row->runs[i]);
}

/* The slot that counts a slice. */
static inline uint32_t slotOf(const RowView *row, uint32_t i, const tacSlice *slice) {
    if (row->only) {
        bool runs = slice->state == TAC_STATE_RUNNING;
        return runs && row->only == 1 + (uint8_t) tacOutcomeOf(&row->model->jobs.at[slice->job]) ? 0 : TRASH;
    }
    if (row->slices) return stateSlots[slice->state];
    if (slice->state == TAC_STATE_BETWEEN) return 1;
    for (uint32_t k = 0; k < row->lod->nTasks; k++)
        if (row->lod->tasks[k] == row->runs[i].task) return TASK_SLOT + k;
    return 0;
}

static int64_t endAt(const void *row, uint32_t i) { return sliceAt(row, i)->end; }

static inline uint64_t lengthOf(const tacSlice *slice) { return (uint64_t) slice->end - (uint64_t) slice->begin; }

/* ---- building ---- */

static uint32_t countBlocks(const RowView *row) { return row->count / BLOCK + (row->count % BLOCK != 0); }

/* Adds memory for a row to what the summaries have; NULL: none. */
static void *rowAlloc(tacLod *lod, size_t bytes) {
    void *at = tacAlloc(bytes);
    lod->bytes += at ? bytes : 0;
    return at;
}

/* The same, filled with zeros. */
static void *rowAllocZero(tacLod *lod, size_t bytes) {
    void *at = tacAllocZero(1, bytes);
    lod->bytes += at ? bytes : 0;
    return at;
}

typedef struct SliceEnd {
    int64_t end;
    uint32_t index;
} SliceEnd;

static int compareEnds(const void *left, const void *right) {
    const SliceEnd *a = left, *b = right;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Puts the slices of a row into the order of their ends; false: no memory. */
static bool sortEnds(const RowView *row, uint32_t *byEnd) {
    SliceEnd *ends = tacAlloc(row->count * sizeof *ends);
    if (!ends) return false;
    for (uint32_t i = 0; i < row->count; i++) ends[i] = (SliceEnd){sliceAt(row, i)->end, i};
    qsort(ends, row->count, sizeof *ends, compareEnds);
    for (uint32_t i = 0; i < row->count; i++) byEnd[i] = ends[i].index;
    tacFree(ends);
    return true;
}

/* Makes the sums by block of numbers and of begins, or of ends in their order. */
static void sumCrowd(const RowView *row, const uint32_t *order, uint64_t *counts, uint64_t *sums) {
    uint64_t count[SLOTS] = {0}, sum[SLOTS] = {0};
    for (uint32_t i = 0; i < row->count; i++) {
        uint32_t index = order ? order[i] : i;
        const tacSlice *slice = sliceAt(row, index);
        if (i % BLOCK == 0) {
            memcpy(counts + (size_t) (i / BLOCK) * row->nSlots, count, row->nSlots * sizeof *count);
            memcpy(sums + (size_t) (i / BLOCK) * row->nSlots, sum, row->nSlots * sizeof *sum);
        }
        uint32_t slot = slotOf(row, index, slice);
        count[slot]++;
        sum[slot] += (uint64_t) (order ? slice->end : slice->begin);
    }
}

/* Makes the sums of a row with many jobs at once, whose order of ends is there; false: no memory. */
static bool sumCrowds(tacLod *lod, Crowd *crowd, const RowView *row) {
    size_t bytes = (size_t) countBlocks(row) * row->nSlots * sizeof(uint64_t);
    if (!(crowd->begun = rowAlloc(lod, bytes)) || !(crowd->beginSums = rowAlloc(lod, bytes))
        || !(crowd->ended = rowAlloc(lod, bytes)) || !(crowd->endSums = rowAlloc(lod, bytes)))
        return false;
    sumCrowd(row, NULL, crowd->begun, crowd->beginSums);
    sumCrowd(row, crowd->byEnd, crowd->ended, crowd->endSums);
    return true;
}

/* Makes the order of ends of a row with many jobs at once, and its sums; false: no memory. */
static bool buildCrowd(tacLod *lod, LodRow *sums, const RowView *row) {
    uint32_t nBlocks = countBlocks(row);
    Crowd *crowd = sums->crowd = tacAllocZero(1, sizeof *crowd);
    if (!crowd || !(crowd->byEnd = rowAlloc(lod, row->count * sizeof *crowd->byEnd))
        || !(crowd->ends = rowAlloc(lod, nBlocks * sizeof *crowd->ends)) || !sortEnds(row, crowd->byEnd))
        return false;
    for (uint32_t i = 0; i < nBlocks; i++) crowd->ends[i] = sliceAt(row, crowd->byEnd[i * BLOCK])->end;
    return sumCrowds(lod, crowd, row);
}

/* Makes all sums of a row; false: no memory, or cancelled. */
static bool buildRow(tacLod *lod, LodRow *sums, const RowView *row) {
    uint32_t nBlocks = countBlocks(row);
    uint64_t total[SLOTS] = {0};
    int64_t end = INT64_MIN;
    size_t sumBytes = (size_t) row->nSlots * sizeof *sums->sums;
    if (nBlocks == 0) return true;
    sums->begins = rowAlloc(lod, (nBlocks + (size_t) 1) * sizeof *sums->begins);
    sums->sums = rowAlloc(lod, nBlocks * sumBytes);
    if (!sums->begins || !sums->sums) return false;
    sums->begins[nBlocks] = INT64_MAX;
    sums->apart = true;
    for (uint32_t i = 0; i < row->count; i++) {
        if (!tacProgressAt(row->model->store->progress, i)) return false;
        const tacSlice *slice = sliceAt(row, i);
        if (i % BLOCK == 0) {
            sums->begins[i / BLOCK] = slice->begin;
            memcpy(sums->sums + (size_t) (i / BLOCK) * row->nSlots, total, sumBytes);
        }
        total[slotOf(row, i, slice)] += lengthOf(slice);
        sums->apart &= slice->begin >= end;
        end = slice->end;
    }
    return sums->apart || row->overlap <= CROWD || buildCrowd(lod, sums, row);
}

/* ---- parts of tasks ---- */

/* The part of a task on a processor, or NULL. */
static LodPart *findPart(const tacLod *lod, uint32_t task, uint16_t processor) {
    for (size_t i = 0; i < lod->parts[task].count; i++)
        if (lod->parts[task].at[i].processor == processor) return &lod->parts[task].at[i];
    return NULL;
}

/* Adds a part for each processor of a task. counts: by processor, zero before and after. False: no memory. */
static bool addParts(tacLod *lod, const tacTaskModel *task, LodParts *parts, uint32_t *counts) {
    bool added = true;
    for (size_t i = 0; i < task->slices.count; i++) counts[task->slices.at[i].processor]++;
    for (size_t i = 0; i < task->slices.count; i++) {
        LodPart part = {.processor = task->slices.at[i].processor, .count = counts[task->slices.at[i].processor]};
        if (part.count == 0) continue;
        counts[part.processor] = 0;
        added = added && tacArrayPush(parts, part);
    }
    for (size_t i = 0; added && i < parts->count; i++) {
        LodPart *part = &parts->at[i];
        part->slices = rowAlloc(lod, part->count * sizeof *part->slices);
        added = part->slices && tacSpanInit(&part->span, part->count);
        lod->bytes += added ? sizeof *part + tacSpanBytes(&part->span) : 0;
        part->count = 0;
    }
    return added;
}

static int compareParts(const void *left, const void *right) {
    const LodPart *a = left, *b = right;
    if (a->running != b->running) return a->running > b->running ? -1 : 1;
    return a->processor < b->processor ? -1 : a->processor > b->processor;
}

/* Makes the parts of a task that is on several processors; false: no memory, or cancelled. *counts: 0 for each number
 * of a processor, made for the first such task. */
static bool buildParts(tacLod *lod, const tacModel *model, uint32_t index, uint32_t **counts) {
    const tacTaskModel *task = &model->tasks[index];
    size_t same = 0;
    while (same < task->slices.count && task->slices.at[same].processor == task->slices.at[0].processor) same++;
    if (same == task->slices.count) return true;
    if (!*counts) *counts = tacAllocZero(UINT16_MAX + 1, sizeof **counts);
    if (!*counts || !addParts(lod, task, &lod->parts[index], *counts)) return false;
    for (uint32_t i = 0; i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        LodPart *part = findPart(lod, index, slice->processor);
        tacSpanPut(&part->span, part->count, slice->end);
        part->running += slice->state == TAC_STATE_RUNNING ? lengthOf(slice) : 0;
        part->slices[part->count++] = i;
    }
    bool built = true;
    for (size_t i = 0; built && i < lod->parts[index].count; i++) {
        LodPart *part = &lod->parts[index].at[i];
        RowView row = partRow(model, index, part);
        tacSpanFinish(&part->span);
        built = buildRow(lod, &part->row, &row);
    }
    qsort(lod->parts[index].at, lod->parts[index].count, sizeof(LodPart), compareParts);
    return built;
}

/* Makes the sums of all tasks; false: no memory, or cancelled. */
static bool buildTasks(tacLod *lod, const tacModel *model) {
    uint32_t *counts = NULL;
    bool built = true;
    for (uint32_t i = 0; built && i < lod->nTasks; i++) {
        RowView row = taskRow(model, lod, i);
        built = buildRow(lod, &lod->tasks[i], &row) && buildParts(lod, model, i, &counts);
    }
    tacFree(counts);
    return built;
}

/* ---- missed deadlines ---- */

static int64_t deadlineOf(const tacModel *model, uint32_t job) { return model->jobs.at[job].deadline; }

/* Sorts jobs by deadline. They are in order of release, so most stand right. */
static void sortMissed(const tacModel *model, uint32_t *jobs, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        uint32_t job = jobs[i], at;
        if (deadlineOf(model, jobs[i - 1]) <= deadlineOf(model, job)) continue;
        at = tacPast(uint32_t, 0, i, k, deadlineOf(model, jobs[k]) <= deadlineOf(model, job));
        memmove(jobs + at + 1, jobs + at, (i - at) * sizeof *jobs);
        jobs[at] = job;
    }
}

static inline bool isMissed(const tacJob *job) { return (job->flags & TAC_JOB_MISSED) && job->deadline != TAC_UNKNOWN; }

/* Lists the jobs that missed their deadlines; false: no memory. */
static bool buildMissed(tacLod *lod, const tacModel *model) {
    uint32_t *starts = lod->missedStarts = tacAllocZero(lod->nTasks + (size_t) 2, sizeof *starts);
    if (!starts) return false;
    for (size_t i = 0; i < model->jobs.count; i++)
        if (isMissed(&model->jobs.at[i])) starts[model->jobs.at[i].task + 2]++;
    for (uint32_t i = 0; i < lod->nTasks; i++) starts[i + 2] += starts[i + 1];
    size_t count = starts[lod->nTasks + 1];
    lod->missed = rowAlloc(lod, (count + 1) * sizeof *lod->missed);
    for (uint32_t i = 0; count && lod->missed && i < model->jobs.count; i++)
        if (isMissed(&model->jobs.at[i])) lod->missed[starts[model->jobs.at[i].task + 1]++] = i;
    for (uint32_t i = 0; lod->missed && i < lod->nTasks; i++)
        sortMissed(model, lod->missed + starts[i], starts[i + 1] - starts[i]);
    return lod->missed != NULL;
}

/* ---- the tasks of a processor ---- */

/* Puts a task that ran so long among those with slots of their own: the longest first, of equal ones the first. */
static void chooseTask(LodRow *lod, uint64_t best[TAC_LOD_TASKS], uint32_t task, uint64_t time) {
    uint32_t at = lod->nTasks;
    while (at > 0 && (best[at - 1] < time || (best[at - 1] == time && lod->tasks[at - 1] > task))) at--;
    if (at == TAC_LOD_TASKS) return;
    lod->nTasks += lod->nTasks < TAC_LOD_TASKS;
    for (uint32_t k = lod->nTasks - 1; k > at; k--) {
        lod->tasks[k] = lod->tasks[k - 1];
        best[k] = best[k - 1];
    }
    lod->tasks[at] = task;
    best[at] = time;
}

/* Chooses the tasks of a processor that have slots of their own. times: by task, zero before and after. False:
 * cancelled. */
static bool chooseTasks(const tacModel *model, uint32_t processor, LodRow *lod, uint64_t *times) {
    const tacRun *runs = model->processors[processor].runs.at;
    size_t n = model->processors[processor].runs.count;
    uint64_t best[TAC_LOD_TASKS];
    for (size_t i = 0; i < n; i++) {
        if (!tacProgressAt(model->store->progress, i)) return false;
        times[runs[i].task] += 1 + lengthOf(tacRunSlice(model, runs[i]));
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t time = times[runs[i].task];
        times[runs[i].task] = 0;
        if (time) chooseTask(lod, best, runs[i].task, time);
    }
    return true;
}

/* Makes the sums of all processors; false: no memory, or cancelled. */
static bool buildProcessors(tacLod *lod, const tacModel *model) {
    uint64_t *times = tacAllocZero(lod->nTasks + (size_t) 1, sizeof *times);
    bool built = times;
    for (uint32_t i = 0; built && i < lod->nProcessors; i++) {
        built = chooseTasks(model, i, &lod->processors[i], times);
        RowView row = processorRow(model, lod, i);
        built = built && buildRow(lod, &lod->processors[i], &row);
    }
    tacFree(times);
    return built;
}

static void addRange(LodRange *range, double budget) {
    range->least = budget < range->least ? budget : range->least;
    range->largest = budget > range->largest ? budget : range->largest;
}

/* Adds the budgets of a point's stretch within [from, to]. */
static void addStretch(LodRange *range, const tacBudgetPoint *point, int64_t from, int64_t to) {
    addRange(range, tacLodBudgetAt(point, point->time > from ? point->time : from));
    addRange(range, tacLodBudgetAt(point, to));
}

static const LodRange noRange = {INFINITY, 0};

static bool buildServer(tacLod *lod, const tacModel *model, uint32_t server) {
    const tacBudgetPoint *points = model->servers[server].points.at;
    size_t n = model->servers[server].points.count, blocks = n / RANGE;
    if (blocks == 0) return true;
    LodRange *ranges = lod->servers[server] = tacAlloc(blocks * sizeof *ranges);
    if (!ranges) return false;
    lod->bytes += blocks * sizeof *ranges;
    for (size_t i = 0; i < blocks * RANGE; i++) {
        if (i % RANGE == 0) ranges[i / RANGE] = noRange;
        if (i + 1 < n) addStretch(&ranges[i / RANGE], &points[i], points[i].time, points[i + 1].time);
    }
    return true;
}

tacStatus tacLodBuild(tacModel *model, tacError *err) {
    tacLod *lod = tacAllocZero(1, sizeof *lod);
    if (!lod) return tacFailMemory(err);
    lod->nTasks = tacStoreObjects(model->store, TAC_TASK);
    lod->nProcessors = model->nProcessors;
    lod->nServers = tacStoreObjects(model->store, TAC_SERVER);
    lod->tasks = tacAllocZero(lod->nTasks, sizeof *lod->tasks);
    lod->processors = tacAllocZero(lod->nProcessors, sizeof *lod->processors);
    lod->servers = tacAllocZero(lod->nServers, sizeof *lod->servers);
    lod->bytes = sizeof *lod + lod->nTasks * sizeof *lod->tasks + lod->nProcessors * sizeof *lod->processors
        + lod->nServers * sizeof *lod->servers;
    lod->parts = tacAllocZero(lod->nTasks + (size_t) 1, sizeof *lod->parts);
    bool built = lod->tasks && lod->processors && lod->servers && lod->parts;
    built = built && buildMissed(lod, model) && buildTasks(lod, model) && buildProcessors(lod, model);
    for (uint32_t i = 0; built && i < lod->nServers; i++) built = buildServer(lod, model, i);
    if (!built) {
        tacLodFree(lod);
        return tacFailStopped(err, model->store->progress);
    }
    model->lod = lod;
    return TAC_OK;
}

static void freeCrowd(Crowd *crowd) {
    if (!crowd) return;
    tacFree(crowd->byEnd);
    tacFree(crowd->ends);
    tacFree(crowd->begun);
    tacFree(crowd->beginSums);
    tacFree(crowd->ended);
    tacFree(crowd->endSums);
    tacFree(crowd);
}

/* Frees the crowd of an outcome, but for the order of ends, which is that of the row itself. */
static void freeOutcomeCrowd(LodRow *row) {
    if (row->crowd) row->crowd->byEnd = NULL, row->crowd->ends = NULL;
    freeCrowd(row->crowd);
    row->crowd = NULL;
}

static void freeOutcomes(Outcomes *outcomes) {
    for (int k = 0; outcomes && k < TAC_OUTCOMES_SUMMED; k++) {
        freeOutcomeCrowd(&outcomes->of[k]);
        tacFree(outcomes->of[k].sums);
    }
    tacFree(outcomes);
}

static void freeRow(LodRow *row) {
    tacFree(row->begins);
    tacFree(row->sums);
    freeCrowd(row->crowd);
    freeOutcomes(row->outcomes);
    *row = (LodRow){0};
}

static void freeRows(LodRow *rows, uint32_t n) {
    for (uint32_t i = 0; rows && i < n; i++) freeRow(&rows[i]);
    tacFree(rows);
}

static void freeParts(LodParts *parts) {
    for (size_t i = 0; i < parts->count; i++) {
        tacFree(parts->at[i].slices);
        tacSpanFree(&parts->at[i].span);
        freeRow(&parts->at[i].row);
    }
    tacArrayFree(parts);
}

void tacLodFreeTask(tacLod *lod, uint32_t task) {
    if (!lod || task >= lod->nTasks) return;
    if (lod->tasks) freeRow(&lod->tasks[task]);
    if (lod->parts) freeParts(&lod->parts[task]);
}

void tacLodFree(tacLod *lod) {
    if (!lod) return;
    freeRows(lod->tasks, lod->nTasks);
    freeRows(lod->processors, lod->nProcessors);
    for (uint32_t i = 0; lod->parts && i < lod->nTasks; i++) freeParts(&lod->parts[i]);
    tacFree(lod->parts);
    tacFree(lod->missed);
    tacFree(lod->missedStarts);
    for (uint32_t i = 0; lod->servers && i < lod->nServers; i++) tacFree(lod->servers[i]);
    tacFree(lod->servers);
    tacFree(lod);
}

uint64_t tacLodBytes(const tacLod *lod) { return lod ? lod->bytes : 0; }

/* ---- the block that x is in ---- */

typedef struct BlockTimes { /* ascending */
    const char *first;      /* int64_t */
    size_t stride;          /* bytes from one to the next */
    uint32_t n;
} BlockTimes;

static inline int64_t timeOf(const BlockTimes *times, uint32_t i) {
    return *(const int64_t *) (times->first + i * times->stride);
}

/* Index of the last block that begins before x, at least `block`: by steps of growing size from there, then by halving.
 */
static inline uint32_t findFrom(const BlockTimes *times, int64_t x, uint32_t block) {
    uint32_t n = times->n, step = 1;
    while (step < n - block && timeOf(times, block + step) < x) {
        block += step;
        step *= 2;
    }
    for (uint32_t end = step < n - block ? block + step : n; end - block > 1;) {
        uint32_t middle = block + (end - block) / 2;
        if (timeOf(times, middle) < x) block = middle;
        else end = middle;
    }
    return block;
}

/* The same without a block to start from: the first guess takes blocks as evenly spread. */
static uint32_t findAnew(const BlockTimes *times, int64_t x) {
    int64_t first = timeOf(times, 0), last = timeOf(times, times->n - 1);
    if (x <= first) return 0;
    if (x > last) return times->n - 1;
    uint32_t block = (uint32_t) ((double) tacElapsed(first, x) / ((double) tacElapsed(first, last) + 1)
        * (times->n - 1));
    for (uint32_t step = 1; block > 0 && timeOf(times, block) >= x; step *= 2) block = block > step ? block - step : 0;
    return findFrom(times, x, block);
}

/* Share of the time of a block, from `begin` to `next`, that is before x: below 1. */
static inline double shareBefore(int64_t begin, int64_t next, int64_t x) {
    return x <= begin ? 0 : (double) tacElapsed(begin, x) / ((double) tacElapsed(begin, next) + 1);
}

/* ---- a border: what was before x ---- */

typedef struct Border {
    int64_t x;
    uint32_t before;               /* slices that begin before x */
    uint32_t nActive, firstActive; /* of them: those that end after x */
    uint64_t sums[SLOTS];          /* ticks before x */
} Border;

typedef struct Sweep { /* state of a pass over the borders of a row, from left to right */
    RowView row;
    Border now;
    uint64_t whole[SLOTS]; /* ticks of the slices that begin before x, with those that they have after it */
    uint32_t nKept;
    bool crowded;          /* more are active than are kept */
    uint32_t kept[ACTIVE]; /* the active ones, ascending */
} Sweep;

static BlockTimes timesOf(const RowView *row) {
    return (BlockTimes){(const char *) row->lod->begins, sizeof *row->lod->begins, countBlocks(row)};
}

/* Number of slices that begin before x, which is in `block`; at least `low` do. */
static uint32_t countBefore(const RowView *row, int64_t x, uint32_t low, uint32_t block) {
    uint32_t i = block * BLOCK > low ? block * BLOCK : low;
    while (i < row->count && sliceAt(row, i)->begin < x) i++;
    return i;
}

/* Turns `sums`, the ticks of the first `from` slices, into those of the first `to`: by adding the slices between, or
 * from the sums of a block if that is nearer. */
static void sumBefore(const RowView *row, uint32_t from, uint32_t to, uint64_t sums[SLOTS]) {
    if (to - from > BLOCK) {
        uint32_t block = (to - 1) / BLOCK;
        memcpy(sums, row->lod->sums + (size_t) block * row->nSlots, row->nSlots * sizeof *sums);
        from = block * BLOCK;
    }
    for (uint32_t i = from; i < to; i++) {
        const tacSlice *slice = sliceAt(row, i);
        sums[slotOf(row, i, slice)] += lengthOf(slice);
    }
}

/* Counts an active slice, and takes its ticks after x from the sums. */
static void countActive(Sweep *s, uint32_t i) {
    const tacSlice *slice = sliceAt(&s->row, i);
    if (s->now.nActive++ == 0) s->now.firstActive = i;
    s->now.sums[slotOf(&s->row, i, slice)] -= (uint64_t) slice->end - (uint64_t) s->now.x;
}

/* Updates the active ones from those of the border before, which had `before` slices before it. */
static void findActive(Sweep *s, uint32_t before) {
    const RowView *row = &s->row;
    uint32_t n = 0, start = before;
    for (uint32_t i = 0; i < s->nKept; i++)
        if (sliceAt(row, s->kept[i])->end > s->now.x) s->kept[n++] = s->kept[i];
    s->nKept = n;
    if (s->crowded) { /* not all were kept: all slices are searched */
        s->nKept = start = 0;
        s->crowded = false;
    }
    for (uint32_t i = tacSpanNext(row->span, start, s->now.before, s->now.x, endAt, row); i < s->now.before;
         i = tacSpanNext(row->span, i + 1, s->now.before, s->now.x, endAt, row)) {
        if (s->nKept < ACTIVE) s->kept[s->nKept++] = i;
        else s->crowded = true;
        if (s->crowded) countActive(s, i);
    }
}

/* Moves the sweep to x, which is in `block`. */
static void moveTo(Sweep *s, int64_t x, uint32_t block) {
    uint32_t before = s->now.before;
    s->now.x = x;
    s->now.before = countBefore(&s->row, x, before, block);
    s->now.nActive = 0;
    s->now.firstActive = TAC_NONE;
    sumBefore(&s->row, before, s->now.before, s->whole);
    memcpy(s->now.sums, s->whole, sizeof s->whole);
    findActive(s, before);
    for (uint32_t i = 0; i < s->nKept; i++) countActive(s, s->kept[i]);
    if (s->nKept) s->now.firstActive = s->kept[0];
}

/* ---- a border of a row whose slices lie apart ---- */

/* Number of slices that begin before x, which is in `block`; at least `low` do. `guess` is the number if slices were
 * evenly spread; the search goes up or down from there. */
static uint32_t countApart(const RowView *row, int64_t x, uint32_t block, uint32_t low, uint32_t guess) {
    uint32_t first = block * BLOCK, end = row->count - first < BLOCK ? row->count : first + BLOCK,
             i = low > first ? low : first;
    if (i >= end || sliceAt(row, i)->begin >= x) return i;
    low = i + 1;
    for (i = guess < low ? low : guess < end ? guess : end; i < end && sliceAt(row, i)->begin < x;) i++;
    while (i > low && sliceAt(row, i - 1)->begin >= x) i--;
    return i;
}

/* Makes the sums of the first `to` slices, from the nearest sums: those of the border before (of `from` slices), or of
 * the begin or end of the block. */
static void sumNearest(Sweep *s, uint32_t block, uint32_t from, uint32_t to) {
    const RowView *row = &s->row;
    uint32_t first = block * BLOCK, end = first + BLOCK;
    const uint64_t *sums = row->lod->sums + (size_t) block * row->nSlots;
    bool back = end < row->count && end - to < to - first && end - to < to - from;
    if (back || to - first < to - from) memcpy(s->whole, back ? sums + row->nSlots : sums, row->nSlots * sizeof *sums);
    if (!back) {
        for (uint32_t i = to - first < to - from ? first : from; i < to; i++)
            s->whole[slotOf(row, i, sliceAt(row, i))] += lengthOf(sliceAt(row, i));
        return;
    }
    for (uint32_t i = to; i < end; i++) s->whole[slotOf(row, i, sliceAt(row, i))] -= lengthOf(sliceAt(row, i));
}

/* Moves the sweep to x, as moveTo does, where slices lie apart: only the last slice before x can be active. */
static void moveApart(Sweep *s, int64_t x, uint32_t block, uint32_t guess) {
    uint32_t before = s->now.before;
    s->now.x = x;
    s->now.before = countApart(&s->row, x, block, before, guess);
    s->now.nActive = 0;
    s->now.firstActive = TAC_NONE;
    if (s->now.before > before) sumNearest(s, block, before, s->now.before);
    memcpy(s->now.sums, s->whole, sizeof s->whole);
    if (s->now.before > 0 && sliceAt(&s->row, s->now.before - 1)->end > x) countActive(s, s->now.before - 1);
}

/* ---- a border of a row with many jobs at once ---- */

/* Adds numbers and times of the slices [first block of `to`, to) in an order to sums by slot. */
static void addCrowd(const RowView *row, const uint32_t *order, uint32_t to, const uint64_t *counts,
    const uint64_t *sums, uint64_t count[SLOTS], uint64_t sum[SLOTS]) {
    uint32_t block = to ? (to - 1) / BLOCK : 0;
    memcpy(count, counts + (size_t) block * row->nSlots, row->nSlots * sizeof *count);
    memcpy(sum, sums + (size_t) block * row->nSlots, row->nSlots * sizeof *sum);
    for (uint32_t i = block * BLOCK; i < to; i++) {
        uint32_t index = order ? order[i] : i;
        const tacSlice *slice = sliceAt(row, index);
        uint32_t slot = slotOf(row, index, slice);
        count[slot]++;
        sum[slot] += (uint64_t) (order ? slice->end : slice->begin);
    }
}

/* Moves the sweep to x, as moveTo does, without a look at who is under way. */
static void moveCrowd(Sweep *s, int64_t x, uint32_t block) {
    const RowView *row = &s->row;
    const Crowd *crowd = row->lod->crowd;
    uint64_t begun[SLOTS], begins[SLOTS], ended[SLOTS], ends[SLOTS];
    uint32_t last = tacPast(uint32_t, 0, countBlocks(row), i, crowd->ends[i] <= x),
             over = last ? (last - 1) * BLOCK : 0;
    s->now.x = x;
    s->now.before = countBefore(row, x, s->now.before, block);
    while (last && over < row->count && sliceAt(row, crowd->byEnd[over])->end <= x) over++;
    addCrowd(row, NULL, s->now.before, crowd->begun, crowd->beginSums, begun, begins);
    addCrowd(row, crowd->byEnd, over, crowd->ended, crowd->endSums, ended, ends);
    for (uint32_t slot = 0; slot < row->nSlots; slot++)
        s->now.sums[slot] = (uint64_t) x * (begun[slot] - ended[slot]) - begins[slot] + ends[slot];
    s->now.nActive = s->now.before - over;
    s->now.firstActive = s->now.nActive ? tacSpanNext(row->span, 0, s->now.before, x, endAt, row) : TAC_NONE;
}

/* ---- bins ---- */

int64_t tacLodBorder(int64_t from, int64_t to, uint32_t n, uint32_t i) {
    uint64_t width = (uint64_t) to - (uint64_t) from;
    return (int64_t) ((uint64_t) from + width / n * i + width % n * i / n);
}

static void fillBin(const RowView *row, tacBin *bin, const Border *left, const Border *right) {
    *bin = (tacBin){.first = TAC_NONE};
    for (uint32_t slot = 0; slot < row->nSlots; slot++) {
        int64_t ticks = (int64_t) (right->sums[slot] - left->sums[slot]);
        if (slot < TASK_SLOT || row->slices) bin->time[slotStates[slot]] = ticks;
        else bin->parts[slot - TASK_SLOT] = ticks, bin->time[TAC_STATE_RUNNING] += ticks;
    }
    bin->begun = right->before - left->before;
    bin->count = left->nActive + bin->begun;
    if (left->nActive) bin->first = left->firstActive;
    else if (bin->count) bin->first = left->before;
}

/* The borders of bins from left to right: tacLodBorder without its divisions. */
typedef struct Ruler {
    uint64_t x, step, rest, carried, n; /* next border; width / n and width % n; sum of the rests so far, modulo n */
} Ruler;

static int64_t nextBorder(Ruler *r) {
    r->x += r->step;
    r->carried += r->rest;
    if (r->carried >= r->n) {
        r->carried -= r->n;
        r->x++;
    }
    return (int64_t) r->x;
}

/* A border whose memory is asked for ahead, so that the waits for several borders overlap. */
typedef struct Stop {
    int64_t x;
    uint32_t block; /* that x is in */
    uint32_t guess; /* number of slices before x, if those of the block were evenly spread */
} Stop;

static Stop stopAt(const RowView *row, int64_t x, uint32_t block) {
    const int64_t *begins = row->lod->begins;
    double share = shareBefore(begins[block], begins[block + 1], x);
    return (Stop){x, block, block * BLOCK + (uint32_t) (share * BLOCK)};
}

/* Moves the sweep to a border. */
static void borderAt(Sweep *s, const Stop *at, Border *b) {
    if (s->row.lod->apart) moveApart(s, at->x, at->block, at->guess);
    else if (s->row.lod->crowd) moveCrowd(s, at->x, at->block);
    else moveTo(s, at->x, at->block);
    *b = s->now;
}

static void prefetchSlices(const RowView *row, uint32_t first, uint32_t end) {
    if (row->slices)
        for (uint32_t i = first; i < end; i += 64 / sizeof *row->slices) TAC_PREFETCH(&row->slices[i]);
    else
        for (uint32_t i = first; i < end; i++) TAC_PREFETCH(sliceAt(row, i));
}

/* Asks for the memory that a border needs in a block that none before it was in. */
static void prefetchStop(const RowView *row, const Stop *at) {
    const uint64_t *sums = row->lod->sums + (size_t) at->block * row->nSlots;
    uint32_t first = at->block * BLOCK, end = row->count - first < BLOCK ? row->count : first + BLOCK;
    TAC_PREFETCH(sums);
    TAC_PREFETCH(sums + 2 * row->nSlots - 1);
    if (!row->lod->apart) {
        TAC_PREFETCH(row->span->ends + at->block);
        prefetchSlices(row, first, end);
    } else if (at->guess - first < BLOCK / 2) prefetchSlices(row, first, at->guess + 2 < end ? at->guess + 2 : end);
    else prefetchSlices(row, at->guess - 2, end);
}

/* Finds the next n borders and asks for their memory. *block: the block of the border before; on return, of the last.
 */
static void lookAhead(const RowView *row, Ruler *ruled, uint32_t n, uint32_t *block, Stop stops[GROUP]) {
    BlockTimes times = timesOf(row);
    for (uint32_t k = 0; k < n; k++) {
        int64_t x = nextBorder(ruled);
        uint32_t before = *block;
        *block = findFrom(&times, x, before);
        stops[k] = stopAt(row, x, *block);
        if (*block != before) prefetchStop(row, &stops[k]);
    }
}

/* Fills the bins of a row. Borders are taken in groups: the memory of a group is asked for before its first one is
 * used. */
static void fillBins(const RowView *row, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    Sweep s = {.row = *row};
    Stop stops[GROUP];
    if (row->count == 0 || to < from || n == 0) {
        for (uint32_t i = 0; i < n; i++) bins[i] = (tacBin){.first = TAC_NONE};
        return;
    }
    BlockTimes times = timesOf(row);
    uint64_t width = (uint64_t) to - (uint64_t) from;
    Ruler ruled = {(uint64_t) from, width / n, width % n, 0, n};
    uint32_t block = findAnew(&times, from);
    Border both[2], *left = &both[0], *right = &both[1];
    Stop begin = stopAt(row, from, block);
    borderAt(&s, &begin, left);
    for (uint32_t i = 0; i < n; i++) {
        if (i % GROUP == 0) lookAhead(row, &ruled, n - i < GROUP ? n - i : GROUP, &block, stops);
        borderAt(&s, &stops[i % GROUP], right);
        fillBin(row, &bins[i], left, right);
        Border *done = left;
        left = right;
        right = done;
    }
}

void tacLodTask(const tacModel *model, uint32_t task, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    RowView row = taskRow(model, model->lod, task);
    fillBins(&row, from, to, n, bins);
}

void tacLodPart(
    const tacModel *model, uint32_t task, uint16_t processor, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    const LodPart *part = findPart(model->lod, task, processor);
    RowView row = part ? partRow(model, task, part) : (RowView){.count = 0};
    fillBins(&row, from, to, n, bins);
    for (uint32_t i = 0; i < n; i++)
        if (bins[i].first != TAC_NONE) bins[i].first = part->slices[bins[i].first];
}

void tacLodProcessor(const tacModel *model, uint32_t processor, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    RowView row = processorRow(model, model->lod, processor);
    fillBins(&row, from, to, n, bins);
}

uint32_t tacLodProcessors(const tacModel *model, uint32_t task, uint16_t *processors, uint32_t most) {
    const LodParts *parts = &model->lod->parts[task];
    for (uint32_t i = 0; i < parts->count && i < most; i++) processors[i] = parts->at[i].processor;
    return (uint32_t) parts->count;
}

/* ---- outcomes ---- */

/* A row by its task and processor, of which one may be none; *lod: its sums, NULL: it has no slices. */
static RowView anyRow(const tacModel *model, uint32_t task, uint16_t processor, LodRow **lod) {
    LodPart *part = task == TAC_NONE || processor == TAC_NO_PROCESSOR ? NULL : findPart(model->lod, task, processor);
    RowView row = {.count = 0};
    *lod = NULL;
    if (task == TAC_NONE) row = processorRow(model, model->lod, processor), *lod = &model->lod->processors[processor];
    else if (processor == TAC_NO_PROCESSOR) row = taskRow(model, model->lod, task), *lod = &model->lod->tasks[task];
    else if (part) row = partRow(model, task, part), *lod = &part->row;
    return row;
}

/* Turns a row into that of one outcome. */
static void limitRow(RowView *row, const Outcomes *outcomes, int outcome) {
    row->only = (uint8_t) (1 + outcome);
    row->nSlots = 1;
    row->lod = &outcomes->of[outcome];
}

/* Adds a slice to the sums of its outcome, which are made when the first one is met; false: no memory. */
static bool addOutcome(tacLod *lod, Outcomes *outcomes, const RowView *row, uint32_t i) {
    const tacSlice *slice = sliceAt(row, i);
    if (i % BLOCK == 0)
        for (int k = 0; k < TAC_OUTCOMES_SUMMED; k++)
            if (outcomes->of[k].sums) outcomes->of[k].sums[i / BLOCK] = outcomes->totals[k];
    if (slice->state != TAC_STATE_RUNNING || slice->begin == slice->end) return true;
    tacJobOutcome outcome = tacOutcomeOf(&row->model->jobs.at[slice->job]);
    if (outcome >= TAC_OUTCOMES_SUMMED) return true;
    LodRow *of = &outcomes->of[outcome];
    if (!of->sums) {
        *of = (LodRow){.begins = row->lod->begins, .apart = row->lod->apart};
        of->sums = rowAllocZero(lod, countBlocks(row) * sizeof *of->sums);
    }
    outcomes->totals[outcome] += lengthOf(slice);
    return of->sums;
}

/* Ends the sums of a row with many jobs at once; false: no memory. */
static bool crowdOutcomes(tacLod *lod, Outcomes *outcomes, RowView row) {
    const Crowd *crowd = row.lod->crowd;
    for (int k = 0; k < TAC_OUTCOMES_SUMMED; k++) {
        LodRow *of = &outcomes->of[k];
        if (!of->sums || of->crowd) continue;
        limitRow(&row, outcomes, k);
        Crowd *made = tacAllocZero(1, sizeof *made);
        if (!made) return false;
        made->byEnd = crowd->byEnd, made->ends = crowd->ends;
        bool summed = sumCrowds(lod, made, &row);
        of->crowd = made;
        if (!summed) {
            freeOutcomeCrowd(of);
            return false;
        }
    }
    return true;
}

bool tacLodSumOutcomes(const tacModel *model, uint32_t task, uint16_t processor, uint32_t most, bool *ready) {
    LodRow *sums;
    RowView row = anyRow(model, task, processor, &sums);
    *ready = row.count == 0 || (sums->outcomes && sums->outcomes->ready);
    if (*ready) return true;
    if (!sums->outcomes) sums->outcomes = rowAllocZero(model->lod, sizeof *sums->outcomes);
    Outcomes *outcomes = sums->outcomes;
    if (!outcomes) return false;
    uint32_t end = row.count - outcomes->done < most ? row.count : outcomes->done + most;
    while (outcomes->done < end) {
        if (!addOutcome(model->lod, outcomes, &row, outcomes->done)) return false;
        outcomes->done++;
    }
    if (end < row.count) return true;
    if (sums->crowd && !crowdOutcomes(model->lod, outcomes, row)) return false;
    *ready = outcomes->ready = true;
    return true;
}

bool tacLodOutcome(const tacModel *model, uint32_t task, uint16_t processor, tacJobOutcome outcome, int64_t from,
    int64_t to, uint32_t n, tacBin *bins) {
    LodRow *sums;
    RowView row = anyRow(model, task, processor, &sums);
    if (row.count == 0 || !sums->outcomes->of[outcome].sums) return false;
    limitRow(&row, sums->outcomes, (int) outcome);
    fillBins(&row, from, to, n, bins);
    return true;
}

const uint32_t *tacLodMissed(const tacModel *model, uint32_t task, uint32_t *count) {
    const uint32_t *starts = model->lod->missedStarts + task;
    *count = starts[1] - starts[0];
    return model->lod->missed + starts[0];
}

const uint32_t *tacLodTasks(const tacModel *model, uint32_t processor, uint32_t *count) {
    *count = model->lod->processors[processor].nTasks;
    return model->lod->processors[processor].tasks;
}

/* Number of slices that touch [from, to). */
static uint32_t countTouching(const RowView *row, int64_t from, int64_t to) {
    if (row->count == 0 || to < from) return 0;
    BlockTimes times = timesOf(row);
    uint32_t block = findAnew(&times, from), first = countBefore(row, from, 0, block);
    uint32_t n = countBefore(row, to, first, findAnew(&times, to)) - first;
    for (uint32_t i = tacSpanNext(row->span, 0, first, from, endAt, row); i < first;
         i = tacSpanNext(row->span, i + 1, first, from, endAt, row))
        n++;
    return n;
}

uint32_t tacLodTaskCount(const tacModel *model, uint32_t task, int64_t from, int64_t to) {
    RowView row = taskRow(model, model->lod, task);
    return countTouching(&row, from, to);
}

uint32_t tacLodPartCount(const tacModel *model, uint32_t task, uint16_t processor, int64_t from, int64_t to) {
    const LodPart *part = findPart(model->lod, task, processor);
    RowView row = part ? partRow(model, task, part) : (RowView){.count = 0};
    return countTouching(&row, from, to);
}

uint32_t tacLodProcessorCount(const tacModel *model, uint32_t processor, int64_t from, int64_t to) {
    RowView row = processorRow(model, model->lod, processor);
    return countTouching(&row, from, to);
}

/* ---- a column of a band ---- */

/* Fills in what bins say, and returns the number of slices under way at its begin. */
static uint32_t fillColumn(const RowView *row, int64_t from, int64_t to, tacBandColumn *column) {
    tacBin bin;
    fillBins(row, from, to, 1, &bin);
    if (bin.first != TAC_NONE && row->places) bin.first = row->places[bin.first];
    *column = (tacBandColumn){.slices = bin.count, .first = bin.first, .response = TAC_UNKNOWN};
    memcpy(column->time, bin.time, sizeof column->time);
    return bin.count - bin.begun;
}

typedef struct TaskJobs { /* for walking over jobs that wait */
    const tacModel *model;
    uint32_t task;
} TaskJobs;

static int64_t waitEnd(const void *data, uint32_t k) {
    const TaskJobs *of = data;
    return tacJobWaitEnd(of->model, &of->model->jobs.at[tacTaskJob(of->model, of->task, k)]);
}

/* Number of a task's jobs in order of release that begin before a time, of which `least` are known to. */
static uint32_t jobsBefore(const tacModel *model, uint32_t task, uint32_t least, int64_t time) {
    return tacPast(uint32_t, least, model->tasks[task].nJobs, k,
        tacJobBegin(model, &model->jobs.at[tacTaskJob(model, task, k)]) < time);
}

enum { JOB_LANES = 8 };

/* Adds the jobs of some blocks that follow one another, `steps` of each, from the kth job on. Each is linked to the
 * next one, which lies elsewhere: memory is waited for less where several chains are followed together. */
static void addJobs(
    const tacModel *model, uint32_t task, uint32_t k, uint32_t lanes, uint32_t steps, tacBandColumn *column) {
    uint32_t at[JOB_LANES];
    for (uint32_t lane = 0; lane < lanes; lane++) at[lane] = tacTaskJob(model, task, k + lane * TAC_SPAN_BLOCK);
    for (uint32_t i = 0, lane = 0; i < lanes * steps; i++, lane = lane + 1 < lanes ? lane + 1 : 0) {
        const tacJob *job = &model->jobs.at[at[lane]];
        bool complete = job->completion != TAC_UNKNOWN && job->release != TAC_UNKNOWN;
        int64_t response = complete ? tacElapsed(job->release, job->completion) : TAC_UNKNOWN;
        column->missed += (job->flags & TAC_JOB_MISSED) != 0;
        if (complete && (column->response == TAC_UNKNOWN || response > column->response)) column->response = response;
        at[lane] = job->next;
    }
    column->released += lanes * steps;
}

void tacLodTaskColumn(
    const tacModel *model, uint32_t task, uint16_t processor, int64_t from, int64_t to, tacBandColumn *column) {
    const tacTaskModel *of = &model->tasks[task];
    const LodPart *part = processor == TAC_NO_PROCESSOR ? NULL : findPart(model->lod, task, processor);
    RowView row = part ? partRow(model, task, part) : taskRow(model, model->lod, task);
    TaskJobs jobs = {model, task};
    uint32_t first = jobsBefore(model, task, 0, from), end = jobsBefore(model, task, first, to);
    column->jobs = 0;
    uint32_t active = fillColumn(&row, from, to, column);
    for (uint32_t k = tacSpanNext(&of->waitSpan, 0, first, from, waitEnd, &jobs); k < first;
         k = tacSpanNext(&of->waitSpan, k + 1, first, from, waitEnd, &jobs))
        active++;
    for (uint32_t k = first; k < end;) {
        uint32_t whole = k % TAC_SPAN_BLOCK ? 0 : (end - k) / TAC_SPAN_BLOCK,
                 left = TAC_SPAN_BLOCK - k % TAC_SPAN_BLOCK;
        uint32_t lanes = whole > JOB_LANES ? JOB_LANES : whole > 1 ? whole : 1, steps = left < end - k ? left : end - k;
        addJobs(model, task, k, lanes, steps, column);
        k += lanes * steps;
    }
    column->jobs = column->released + active;
}

void tacLodProcessorColumn(const tacModel *model, uint32_t processor, int64_t from, int64_t to, tacBandColumn *column) {
    RowView row = processorRow(model, model->lod, processor);
    fillColumn(&row, from, to, column);
}

/* ---- budgets ---- */

double tacLodBudgetAt(const tacBudgetPoint *point, int64_t time) {
    double elapsed = time >= point->time ? (double) tacElapsed(point->time, time)
                                         : -(double) tacElapsed(time, point->time);
    double budget = (double) tacPointBudget(point) - point->consumers * elapsed;
    return budget > 0 ? budget : 0;
}

/* Adds the budgets of the points [first, end) one by one; the last point counts up to `to`. */
static void rangeOf(
    const tacServerModel *server, uint32_t first, uint32_t end, int64_t from, int64_t to, LodRange *range) {
    const tacBudgetPoint *points = server->points.at;
    for (uint32_t i = first; i < end; i++) {
        bool next = i + 1 < server->points.count && points[i + 1].time < to;
        addStretch(range, &points[i], from, next ? points[i + 1].time : to);
    }
}

/* Blocks in the middle are taken whole, the points before and after them one by one: the first and the last may be cut.
 */
void tacLodBudgets(const tacModel *model, uint32_t server, uint32_t first, uint32_t end, int64_t from, int64_t to,
    double *least, double *largest) {
    const tacServerModel *of = &model->servers[server];
    uint32_t block = first / RANGE + 1, endBlock = (end - 1) / RANGE;
    LodRange range = noRange;
    if (block < endBlock) {
        rangeOf(of, first, block * RANGE, from, to, &range);
        for (uint32_t i = block; i < endBlock; i++) {
            addRange(&range, model->lod->servers[server][i].least);
            addRange(&range, model->lod->servers[server][i].largest);
        }
        first = endBlock * RANGE;
    }
    rangeOf(of, first, end, from, to, &range);
    *least = range.least;
    *largest = range.largest;
}

/* ---- marks ---- */

/* Number of rows before x: at least `low`, and probably `step` more, since marks are often evenly spread and the bin
 * before had so many. */
static uint32_t marksBefore(
    const tacModel *model, const uint32_t *rows, uint32_t count, int64_t x, uint32_t low, uint32_t step) {
    if (step < count - low && tacRowTime(model->store, rows[low + step]) < x) {
        low += step + 1;
        step = 0;
    }
    if (step == 0) step = 1;
    while (step <= count - low && tacRowTime(model->store, rows[low + step - 1]) < x) {
        low += step;
        step *= 2;
    }
    return tacPast(
        uint32_t, low, step <= count - low ? low + step - 1 : count, i, tacRowTime(model->store, rows[i]) < x);
}

void tacLodMarks(const tacModel *model, const uint32_t *rows, uint32_t count, int64_t from, int64_t to, uint32_t n,
    tacMarkBin *bins) {
    uint32_t before = to < from ? count : marksBefore(model, rows, count, from, 0, 0), first = before;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t step = before - first;
        first = before;
        before = to < from ? count : marksBefore(model, rows, count, tacLodBorder(from, to, n, i + 1), first, step);
        bins[i] = (tacMarkBin){before - first, before > first ? first : TAC_NONE};
    }
}

/* ---- arrows ---- */

enum { EXACT = 64 }; /* arrows a bin; with more the borders are estimated within a block */

/* Number of arrows before x, which is in `block`, if they were evenly spread; of the last block one at most. */
static uint32_t guessArrows(const tacTaskModel *task, int64_t x, uint32_t block) {
    const tacArrowBlock *blocks = task->arrowBlocks.at;
    uint32_t first = block * TAC_SPAN_BLOCK;
    if (block + 1 >= task->arrowBlocks.count) return first + (x > blocks[block].time);
    return first + (uint32_t) (shareBefore(blocks[block].time, blocks[block + 1].time, x) * TAC_SPAN_BLOCK);
}

/* Number of arrows before x, which is in `block`, searched from a guess. */
static uint32_t arrowsBefore(
    const tacModel *model, const tacTaskModel *task, int64_t x, uint32_t block, uint32_t guess) {
    uint32_t first = block * TAC_SPAN_BLOCK, count = (uint32_t) task->arrows.count,
             end = count - first < TAC_SPAN_BLOCK ? count : first + TAC_SPAN_BLOCK;
    if (x <= task->arrowBlocks.at[block].time) return first;
    if (guess <= first) guess = first + 1;
    while (guess < end && tacRowTime(model->store, task->arrows.at[guess]) < x) guess++;
    while (guess > first + 1 && tacRowTime(model->store, task->arrows.at[guess - 1]) >= x) guess--;
    return guess;
}

/* Bits of those arrows of a block that are in [first, end). */
static uint32_t bitsWithin(uint32_t block, uint32_t first, uint32_t end) {
    uint32_t begin = block * TAC_SPAN_BLOCK, mask = (1u << TAC_SPAN_BLOCK) - 1;
    if (begin < first) mask &= mask << (first - begin);
    if (end < begin + TAC_SPAN_BLOCK) mask &= (1u << (end - begin)) - 1;
    return mask;
}

/* Sets the place of the first of the arrows with these bits in a block, unless there was one before. */
static void noteFirst(uint32_t *place, uint32_t block, uint32_t bits) {
    if (bits && *place == TAC_NONE) *place = block * TAC_SPAN_BLOCK + (uint32_t) __builtin_ctz(bits);
}

/* Counts the bits of the lower and of the upper half of a number, in the halves of the result. */
static inline uint32_t countHalves(uint32_t bits) {
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
    return (bits + (bits >> 8)) & 0x001f001f;
}

static void fillArrows(const tacTaskModel *task, tacArrowBin *bin) {
    for (uint32_t block = bin->first / TAC_SPAN_BLOCK; block * TAC_SPAN_BLOCK < bin->end; block++) {
        const tacArrowBlock *of = &task->arrowBlocks.at[block];
        uint32_t mask = bitsWithin(block, bin->first, bin->end), special = of->special & mask,
                 deadlines = of->deadlines & mask & ~special;
        uint32_t counts = countHalves(deadlines | special << 16);
        bin->deadlines += counts & 0xffff;
        bin->special += counts >> 16;
        noteFirst(&bin->firstDeadline, block, deadlines);
        noteFirst(&bin->firstSpecial, block, special);
        noteFirst(&bin->firstArrival, block, mask & ~special & ~deadlines);
    }
}

/* A border of bins of arrows. */
typedef struct ArrowStop {
    int64_t x;
    uint32_t block;  /* that x is in */
    uint32_t before; /* arrows before it: a guess at first */
} ArrowStop;

/* Makes guesses exact. All memory is asked for before the first is used, so that the waits overlap. */
static void countExactly(const tacModel *model, const tacTaskModel *task, ArrowStop *stops, uint32_t n) {
    uint32_t most = (uint32_t) task->arrows.count - 1;
    for (uint32_t i = 0; i < n; i++) TAC_PREFETCH(&task->arrows.at[stops[i].before < most ? stops[i].before : most]);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = stops[i].before < most ? stops[i].before : most;
        tacRowPrefetch(model->store, task->arrows.at[at]);
        if (at > 0) tacRowPrefetch(model->store, task->arrows.at[at - 1]);
    }
    for (uint32_t i = 0; i < n; i++)
        stops[i].before = arrowsBefore(model, task, stops[i].x, stops[i].block, stops[i].before);
}

/* Fills the bins of a task that has arrows. */
static void fillArrowBins(
    const tacModel *model, const tacTaskModel *task, int64_t from, int64_t to, uint32_t n, tacArrowBin *bins) {
    ArrowStop stops[GROUP + 1];
    const tacArrowBlock *blocks = task->arrowBlocks.at;
    BlockTimes times = {(const char *) &blocks->time, sizeof *blocks, (uint32_t) task->arrowBlocks.count};
    uint32_t block = findAnew(&times, from);
    bool exact = (findAnew(&times, to) - block) * (uint64_t) TAC_SPAN_BLOCK < (uint64_t) EXACT * n;
    for (uint32_t i = 0; i < n; i += GROUP) {
        uint32_t size = n - i < GROUP ? n - i : GROUP;
        for (uint32_t k = 0; k <= size; k++) {
            stops[k].x = tacLodBorder(from, to, n, i + k);
            stops[k].block = block = findFrom(&times, stops[k].x, block);
            stops[k].before = guessArrows(task, stops[k].x, block);
        }
        uint32_t guessed = exact ? 0 : size + 1;
        while (guessed > 0 && stops[guessed - 1].block + 1 >= times.n)
            guessed--; /* in the last block nothing is to be guessed from */
        countExactly(model, task, stops + guessed, size + 1 - guessed);
        for (uint32_t k = 0; k < size; k++) {
            bins[i + k] = (tacArrowBin){stops[k].before, stops[k + 1].before, 0, 0, TAC_NONE, TAC_NONE, TAC_NONE};
            fillArrows(task, &bins[i + k]);
        }
    }
}

void tacLodArrows(const tacModel *model, uint32_t task, int64_t from, int64_t to, uint32_t n, tacArrowBin *bins) {
    const tacTaskModel *of = &model->tasks[task];
    if (of->arrows.count && to > from) {
        fillArrowBins(model, of, from, to, n, bins);
        return;
    }
    for (uint32_t i = 0; i < n; i++) bins[i] = (tacArrowBin){0, 0, 0, 0, TAC_NONE, TAC_NONE, TAC_NONE};
}
