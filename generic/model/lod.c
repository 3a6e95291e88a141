/*
 * lod.c -- sums of time in each state up to every 16th slice, and bins made of their differences.
 *
 * Sums are kept modulo 2^64: of jobs that overlap they may be larger than any time, but the difference at the borders
 * of a bin is right whenever it fits.
 *
 * Most of the time is spent waiting for memory. So the place of a border within its block is guessed first, and only
 * the slices around the guess are read; the memory for the next borders is asked for ahead of its use; and estimates
 * need nothing but sums, and shares of them in two bytes.
 */
#include "base/port.h"

#include "base/search.h"
#include "model/lod.h"

#include <math.h>
#include <string.h>

enum { BLOCK = TAC_SPAN_BLOCK, QUARTER = BLOCK / 4, SLOTS = 5, ACTIVE = 64, GROUP = 32, RANGE = 16 };

/* States that slices have, by slot; a state without one takes part in no sum. */
static const tacJobState slotStates[SLOTS] = {
    TAC_STATE_RUNNING, TAC_STATE_BETWEEN, TAC_STATE_PREEMPTED, TAC_STATE_BLOCKED, TAC_STATE_UNKNOWN};
static const uint8_t stateSlots[TAC_STATES] = {[TAC_STATE_RUNNING] = 0,
    [TAC_STATE_BETWEEN] = 1,
    [TAC_STATE_PREEMPTED] = 2,
    [TAC_STATE_BLOCKED] = 3,
    [TAC_STATE_UNKNOWN] = 4};

typedef struct LodRow { /* sums of one row; block b begins with slice b * BLOCK */
    int64_t *begins;    /* by block: begin of its first slice */
    uint64_t *sums;     /* by block and slot: ticks of all slices before the block */
    uint16_t *quarters; /* by block but the last, and quarter of it but the first: how much of the block is before the
                         * quarter - of its time, and of its ticks by slot; WHOLE is all. NULL: no estimates are made of
                         * this row */
    bool apart;         /* each slice ends before the next one begins, so that at most one goes on at a time */
} LodRow;

typedef struct LodRange {
    double least, largest;
} LodRange; /* of the budgets of a block of a curve's points */

struct tacLod {
    uint32_t nTasks, nProcessors, nServers;
    LodRow *tasks, *processors;
    LodRange **servers; /* by server and block of RANGE points; NULL for few points */
    uint64_t bytes;
};

/* ---- a row: the slices of a task, or those that the runs of a processor stand for ---- */

typedef struct RowView {
    const tacModel *model;
    const tacSlice *slices; /* of a task, else NULL */
    const tacRun *runs;     /* of a processor, else NULL */
    uint32_t count;
    uint32_t nSlots; /* a processor's row has only the first two, a task's the last one only if it needs it */
    bool single;     /* no slice overlaps another, so that estimates can be made */
    bool about;      /* estimates are wanted */
    const tacSpan *span;
    const LodRow *lod; /* NULL while it is built */
} RowView;

static RowView taskRow(const tacModel *model, uint32_t index) {
    const tacTaskModel *task = &model->tasks[index];
    const LodRow *lod = model->lod ? &model->lod->tasks[index] : NULL;
    return (RowView){.model = model,
        .slices = task->slices.at,
        .count = (uint32_t) task->slices.count,
        .nSlots = task->unknown ? SLOTS : SLOTS - 1,
        .single = task->overlap <= 1,
        .span = &task->sliceSpan,
        .lod = lod};
}

static RowView processorRow(const tacModel *model, uint32_t index) {
    const tacProcessorModel *processor = &model->processors[index];
    const LodRow *lod = model->lod ? &model->lod->processors[index] : NULL;
    return (RowView){.model = model,
        .runs = processor->runs.at,
        .count = (uint32_t) processor->runs.count,
        .nSlots = 2,
        .single = processor->overlap <= 1 && !processor->interrupted,
        .span = &processor->runSpan,
        .lod = lod};
}

static inline const tacSlice *sliceAt(const RowView *row, uint32_t i) {
    if (row->slices) return &row->slices[i];
    return tacRunSlice(row->model, row->runs[i]);
}

static int64_t endAt(const void *row, uint32_t i) { return sliceAt(row, i)->end; }

static inline uint64_t lengthOf(const tacSlice *slice) { return (uint64_t) slice->end - (uint64_t) slice->begin; }

/* ---- building ---- */

enum { WHOLE = UINT16_MAX };

/* The share of a part in units of 1 / WHOLE; scale: that of its whole (scaleOf). */
static uint16_t shareOf(uint64_t part, double scale) {
    double share = (double) part * scale + 0.5;
    return (uint16_t) (share < WHOLE ? share : WHOLE);
}

/* Factor that turns a number into its share of a whole. */
static double scaleOf(uint64_t whole) { return whole ? WHOLE / (double) whole : 0; }

/* Count of numbers that LodRow.quarters has for a block. */
static inline uint32_t quarterSize(const RowView *row) { return 3 * (1 + row->nSlots); }

static uint32_t countBlocks(const RowView *row) { return row->count / BLOCK + (row->count % BLOCK != 0); }

/* Makes the quarters of a block that is not the last one. */
static void buildQuarters(LodRow *sums, const RowView *row, uint32_t block) {
    uint16_t *to = sums->quarters + (size_t) block * quarterSize(row);
    const uint64_t *before = sums->sums + (size_t) block * row->nSlots;
    uint64_t part[SLOTS] = {0};
    double scales[SLOTS], scale = scaleOf((uint64_t) sums->begins[block + 1] - (uint64_t) sums->begins[block]);
    for (uint32_t slot = 0; slot < row->nSlots; slot++)
        scales[slot] = scaleOf(before[row->nSlots + slot] - before[slot]);
    for (uint32_t i = block * BLOCK, end = i + BLOCK - QUARTER; i < end; i++) {
        const tacSlice *slice = sliceAt(row, i);
        part[stateSlots[slice->state]] += lengthOf(slice);
        if (i % QUARTER != QUARTER - 1) continue;
        *to++ = shareOf((uint64_t) sliceAt(row, i + 1)->begin - (uint64_t) sums->begins[block], scale);
        for (uint32_t slot = 0; slot < row->nSlots; slot++) *to++ = shareOf(part[slot], scales[slot]);
    }
}

/* Makes all sums of a row; false: no memory, or cancelled. */
static bool buildRow(tacLod *lod, LodRow *sums, const RowView *row) {
    uint32_t nBlocks = countBlocks(row);
    uint64_t total[SLOTS] = {0};
    int64_t end = INT64_MIN;
    size_t sumBytes = (size_t) row->nSlots * sizeof *sums->sums;
    if (nBlocks == 0) return true;
    sums->begins = tacAlloc(nBlocks * sizeof *sums->begins);
    sums->sums = tacAlloc(nBlocks * sumBytes);
    if (!sums->begins || !sums->sums) return false;
    lod->bytes += nBlocks * (sizeof *sums->begins + sumBytes);
    sums->apart = true;
    if (row->single && nBlocks > 1) {
        size_t quarterBytes = (nBlocks - 1) * (size_t) quarterSize(row) * sizeof *sums->quarters;
        sums->quarters = tacAlloc(quarterBytes);
        if (!sums->quarters) return false;
        lod->bytes += quarterBytes;
    }
    for (uint32_t i = 0; i < row->count; i++) {
        if (!tacProgressAt(row->model->store->progress, i)) return false;
        const tacSlice *slice = sliceAt(row, i);
        if (i % BLOCK == 0) {
            sums->begins[i / BLOCK] = slice->begin;
            memcpy(sums->sums + (size_t) (i / BLOCK) * row->nSlots, total, sumBytes);
            if (i && sums->quarters) buildQuarters(sums, row, i / BLOCK - 1);
        }
        total[stateSlots[slice->state]] += lengthOf(slice);
        sums->apart &= slice->begin >= end;
        end = slice->end;
    }
    return true;
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
    bool built = lod->tasks && lod->processors && lod->servers;
    for (uint32_t i = 0; built && i < lod->nTasks; i++) {
        RowView row = taskRow(model, i);
        built = buildRow(lod, &lod->tasks[i], &row);
    }
    for (uint32_t i = 0; built && i < lod->nProcessors; i++) {
        RowView row = processorRow(model, i);
        built = buildRow(lod, &lod->processors[i], &row);
    }
    for (uint32_t i = 0; built && i < lod->nServers; i++) built = buildServer(lod, model, i);
    if (!built) {
        tacLodFree(lod);
        return tacFailStopped(err, model->store->progress);
    }
    model->lod = lod;
    return TAC_OK;
}

static void freeRows(LodRow *rows, uint32_t n) {
    for (uint32_t i = 0; rows && i < n; i++) {
        tacFree(rows[i].begins);
        tacFree(rows[i].sums);
        tacFree(rows[i].quarters);
    }
    tacFree(rows);
}

void tacLodFree(tacLod *lod) {
    if (!lod) return;
    freeRows(lod->tasks, lod->nTasks);
    freeRows(lod->processors, lod->nProcessors);
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
        sums[stateSlots[slice->state]] += lengthOf(slice);
    }
}

/* Counts an active slice, and takes its ticks after x from the sums. */
static void countActive(Sweep *s, uint32_t i) {
    const tacSlice *slice = sliceAt(&s->row, i);
    if (s->now.nActive++ == 0) s->now.firstActive = i;
    s->now.sums[stateSlots[slice->state]] -= (uint64_t) slice->end - (uint64_t) s->now.x;
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
            s->whole[stateSlots[sliceAt(row, i)->state]] += lengthOf(sliceAt(row, i));
        return;
    }
    for (uint32_t i = to; i < end; i++) s->whole[stateSlots[sliceAt(row, i)->state]] -= lengthOf(sliceAt(row, i));
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

/* ---- bins ---- */

int64_t tacLodBorder(int64_t from, int64_t to, uint32_t n, uint32_t i) {
    uint64_t width = (uint64_t) to - (uint64_t) from;
    return (int64_t) ((uint64_t) from + width / n * i + width % n * i / n);
}

static void fillBin(tacBin *bin, const Border *left, const Border *right) {
    *bin = (tacBin){.first = TAC_NONE};
    for (int slot = 0; slot < SLOTS; slot++)
        bin->time[slotStates[slot]] = (int64_t) (right->sums[slot] - left->sums[slot]);
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

/* Way in which the state at a border is found: exactly, or by an estimate within its block or a quarter of that. */
typedef enum StopKind { STOP_EXACT, STOP_BLOCK, STOP_QUARTER } StopKind;

/* A border whose memory is asked for ahead, so that the waits for several borders overlap. */
typedef struct Stop {
    int64_t x;
    uint32_t block; /* that x is in */
    StopKind kind;
    uint32_t quarter; /* of the block, that x is in; block: 0 */
    double share;     /* of the block, or of the quarter, that is before x: below 1 */
} Stop;

/*
 * Makes the stop for a border at x. The border is estimated if its block, or a quarter of it, is shorter than half a
 * bin: then its place in there does not matter, and between two such borders some slice begins. A quarter is only
 * supposed to be short here; findQuarter looks. (In blocks longer than 2^48 ticks a share would not be exact enough to
 * be below 1.)
 */
static Stop stopAt(const RowView *row, int64_t x, uint32_t block, uint64_t width) {
    const int64_t *begins = row->lod->begins;
    Stop at = {x, block, STOP_EXACT, 0, 0};
    if (block + 1 >= countBlocks(row)) return at;
    at.share = shareBefore(begins[block], begins[block + 1], x);
    if (!row->about) return at;
    uint64_t length = (uint64_t) begins[block + 1] - (uint64_t) begins[block];
    at.kind = length < width / 2 ? STOP_BLOCK : length < 2 * width && length >> 48 == 0 ? STOP_QUARTER : STOP_EXACT;
    return at;
}

static const uint16_t *quartersOf(const RowView *row, uint32_t block) {
    return row->lod->quarters + (size_t) block * quarterSize(row);
}

/* Finds the quarter of the block that a border is in, and whether it is short; if not, the border is exact. */
static void findQuarter(const RowView *row, Stop *at, uint64_t width) {
    const uint16_t *quarters = quartersOf(row, at->block);
    uint32_t step = 1 + row->nSlots, share = (uint32_t) (at->share * WHOLE);
    uint32_t quarter = (share >= quarters[0]) + (share >= quarters[step]) + (share >= quarters[2 * step]);
    uint32_t begin = quarter > 0 ? quarters[(quarter - 1) * step] : 0,
             end = quarter < 3 ? quarters[quarter * step] : WHOLE;
    uint64_t length = (uint64_t) row->lod->begins[at->block + 1] - (uint64_t) row->lod->begins[at->block];
    if ((double) (end - begin) * (double) length >= (double) (width / 2) * WHOLE) {
        at->kind = STOP_EXACT;
        return;
    }
    at->quarter = quarter;
    at->share = (at->share * WHOLE - begin) / (end - begin);
}

/* Ticks of a slot in a block before a border in one of its quarters; all: those of the whole block. */
static uint64_t ticksWithin(const RowView *row, const Stop *at, uint32_t slot, uint64_t all) {
    const uint16_t *quarters = quartersOf(row, at->block) + 1 + slot;
    uint32_t step = 1 + row->nSlots, begin = at->quarter > 0 ? quarters[(at->quarter - 1) * step] : 0,
             end = at->quarter < 3 ? quarters[at->quarter * step] : WHOLE;
    return (uint64_t) ((begin + at->share * (end - begin)) / WHOLE * (double) all);
}

/* Estimates the state at a border from the sums of its block and of the next one. */
static void estimate(const RowView *row, const Stop *at, Border *b) {
    const uint64_t *sums = row->lod->sums + (size_t) at->block * row->nSlots;
    b->x = at->x;
    b->before = at->block * BLOCK + at->quarter * QUARTER
        + (uint32_t) (at->share * (at->kind == STOP_QUARTER ? QUARTER : BLOCK));
    b->nActive = 0;
    b->firstActive = TAC_NONE;
    for (uint32_t slot = 0; slot < row->nSlots; slot++) {
        uint64_t all = sums[row->nSlots + slot] - sums[slot];
        uint64_t part = at->kind == STOP_QUARTER ? ticksWithin(row, at, slot, all)
                                                 : (uint64_t) (at->share * (double) all);
        b->sums[slot] = sums[slot] + part;
    }
    for (uint32_t slot = row->nSlots; slot < SLOTS; slot++) b->sums[slot] = 0;
}

/* The state at a border, estimated or exact. */
static void borderAt(Sweep *s, const Stop *at, Border *b) {
    if (at->kind != STOP_EXACT) {
        estimate(&s->row, at, b);
        return;
    }
    if (s->row.lod->apart) moveApart(s, at->x, at->block, at->block * BLOCK + (uint32_t) (at->share * BLOCK));
    else moveTo(s, at->x, at->block);
    *b = s->now;
}

/* Corrects a bin with an estimated border that is a little beyond the exact one at its other end. */
static void mendBin(tacBin *bin, const Border *left, Border *right) {
    for (int slot = 0; slot < SLOTS; slot++)
        if (bin->time[slotStates[slot]] < 0) bin->time[slotStates[slot]] = 0;
    if (right->before < left->before) {
        right->before = left->before;
        bin->begun = 0;
        bin->count = left->nActive;
        bin->first = left->firstActive;
    }
}

static void prefetchSlices(const RowView *row, uint32_t first, uint32_t end) {
    if (row->slices)
        for (uint32_t i = first; i < end; i += 64 / sizeof *row->slices) TAC_PREFETCH(&row->slices[i]);
    else
        for (uint32_t i = first; i < end; i++) TAC_PREFETCH(sliceAt(row, i));
}

/* Asks for the memory of the slices that a border needs. */
static void prefetchExact(const RowView *row, const Stop *at) {
    uint32_t first = at->block * BLOCK, end = row->count - first < BLOCK ? row->count : first + BLOCK,
             guess = first + (uint32_t) (at->share * BLOCK);
    if (!row->lod->apart) {
        TAC_PREFETCH(row->span->ends + at->block);
        prefetchSlices(row, first, end);
    } else if (guess - first < BLOCK / 2) prefetchSlices(row, first, guess + 2 < end ? guess + 2 : end);
    else prefetchSlices(row, guess - 2, end);
}

/* Asks for the memory that a border needs in a block that none before it was in. */
static void prefetchStop(const RowView *row, const Stop *at) {
    const uint64_t *sums = row->lod->sums + (size_t) at->block * row->nSlots;
    TAC_PREFETCH(sums);
    TAC_PREFETCH(sums + 2 * row->nSlots - 1);
    if (at->kind == STOP_QUARTER) {
        TAC_PREFETCH(quartersOf(row, at->block));
        TAC_PREFETCH(quartersOf(row, at->block + 1) - 1);
    } else if (at->kind == STOP_EXACT) prefetchExact(row, at);
}

/* Finds the next n borders and asks for their memory. *block: the block of the border before; on return, of the last.
 */
static void lookAhead(const RowView *row, Ruler *ruled, uint32_t n, uint32_t *block, Stop stops[GROUP]) {
    BlockTimes times = timesOf(row);
    bool quarters = false;
    for (uint32_t k = 0; k < n; k++) {
        int64_t x = nextBorder(ruled);
        uint32_t before = *block;
        *block = findFrom(&times, x, before);
        stops[k] = stopAt(row, x, *block, ruled->step);
        quarters |= stops[k].kind == STOP_QUARTER;
        if (*block != before) prefetchStop(row, &stops[k]);
    }
    for (uint32_t k = 0; quarters && k < n; k++) {
        if (stops[k].kind != STOP_QUARTER) continue;
        findQuarter(row, &stops[k], ruled->step);
        if (stops[k].kind == STOP_EXACT) prefetchExact(row, &stops[k]);
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
    Stop begin = stopAt(row, from, block, ruled.step);
    if (begin.kind == STOP_QUARTER) findQuarter(row, &begin, ruled.step);
    borderAt(&s, &begin, left);
    for (uint32_t i = 0; i < n; i++) {
        if (i % GROUP == 0) lookAhead(row, &ruled, n - i < GROUP ? n - i : GROUP, &block, stops);
        borderAt(&s, &stops[i % GROUP], right);
        fillBin(&bins[i], left, right);
        if (row->about) mendBin(&bins[i], left, right);
        Border *done = left;
        left = right;
        right = done;
    }
}

void tacLodTask(const tacModel *model, uint32_t task, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    RowView row = taskRow(model, task);
    fillBins(&row, from, to, n, bins);
}

void tacLodProcessor(const tacModel *model, uint32_t processor, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    RowView row = processorRow(model, processor);
    fillBins(&row, from, to, n, bins);
}

void tacLodTaskAbout(const tacModel *model, uint32_t task, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    RowView row = taskRow(model, task);
    row.about = row.single;
    fillBins(&row, from, to, n, bins);
}

void tacLodProcessorAbout(
    const tacModel *model, uint32_t processor, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    RowView row = processorRow(model, processor);
    row.about = row.single;
    fillBins(&row, from, to, n, bins);
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
    RowView row = taskRow(model, task);
    return countTouching(&row, from, to);
}

uint32_t tacLodProcessorCount(const tacModel *model, uint32_t processor, int64_t from, int64_t to) {
    RowView row = processorRow(model, processor);
    return countTouching(&row, from, to);
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
