/*
 * lod.c -- sums of time in each state up to every 16th slice, and bins made of their differences.
 *
 * Sums are kept modulo 2^64: of jobs that overlap they may be larger than any time, but the difference at the borders
 * of a bin is right whenever it fits.
 */
#include "base/port.h"
#include "model/lod.h"

#include <math.h>
#include <string.h>

enum { BLOCK = TAC_SPAN_BLOCK, SLOTS = 5, ACTIVE = 64, GROUP = 16, RANGE = 16 };

/* States that slices have, by slot; a state without one takes part in no sum. */
static const tacJobState slotStates[SLOTS] = {TAC_STATE_RUNNING, TAC_STATE_BETWEEN, TAC_STATE_PREEMPTED, TAC_STATE_BLOCKED, TAC_STATE_UNKNOWN};
static const uint8_t stateSlots[TAC_STATES] = {
    [TAC_STATE_RUNNING] = 0, [TAC_STATE_BETWEEN] = 1, [TAC_STATE_PREEMPTED] = 2, [TAC_STATE_BLOCKED] = 3, [TAC_STATE_UNKNOWN] = 4
};

typedef struct lodRow {		/* sums of one row; block b begins with slice b * BLOCK */
    int64_t *begins;		/* by block: begin of its first slice */
    uint64_t *sums;		/* by block and slot: ticks of all slices before the block */
} lodRow;

typedef struct lodRange { double least, largest; } lodRange;	/* of the budgets of a block of a curve's points */

struct tacLod {
    uint32_t nTasks, nProcessors, nServers;
    lodRow *tasks, *processors;
    lodRange **servers;		/* by server and block of RANGE points; NULL for few points */
    uint64_t bytes;
};

/* ---- a row: the slices of a task, or those that the runs of a processor stand for ---- */

typedef struct rowView {
    const tacModel *model;
    const tacSlice *slices;	/* of a task, else NULL */
    const tacRun *runs;		/* of a processor, else NULL */
    uint32_t count;
    uint32_t nSlots;		/* a processor's row has only the first two, a task's the last one only if it needs it */
    bool about;			/* no slice overlaps another, and estimates are wanted */
    const tacSpan *span;
    const lodRow *lod;		/* NULL while it is built */
} rowView;

static rowView taskRow(const tacModel *model, uint32_t index) {
    const tacTaskModel *task = &model->tasks[index];
    const lodRow *lod = model->lod ? &model->lod->tasks[index] : NULL;
    return (rowView) {model, task->slices.at, NULL, (uint32_t) task->slices.count, task->unknown ? SLOTS : SLOTS - 1, false, &task->sliceSpan, lod};
}

static rowView processorRow(const tacModel *model, uint32_t index) {
    const tacProcessorModel *processor = &model->processors[index];
    const lodRow *lod = model->lod ? &model->lod->processors[index] : NULL;
    return (rowView) {model, NULL, processor->runs.at, (uint32_t) processor->runs.count, 2, false, &processor->runSpan, lod};
}

static inline const tacSlice *sliceAt(const rowView *row, uint32_t i) {
    if (row->slices) return &row->slices[i];
    return &row->model->tasks[row->runs[i].task].slices.at[row->runs[i].slice];
}

static int64_t endAt(const void *row, uint32_t i) { return sliceAt(row, i)->end; }

static inline uint64_t lengthOf(const tacSlice *slice) { return (uint64_t) slice->end - (uint64_t) slice->begin; }

/* ---- building ---- */

static bool buildRow(tacLod *lod, lodRow *sums, const rowView *row) {
    uint32_t nBlocks = row->count / BLOCK + (row->count % BLOCK != 0);
    uint64_t total[SLOTS] = {0};
    size_t sumBytes = (size_t) row->nSlots * sizeof *sums->sums;
    if (nBlocks == 0) return true;
    sums->begins = tacAlloc(nBlocks * sizeof *sums->begins);
    sums->sums = tacAlloc(nBlocks * sumBytes);
    if (!sums->begins || !sums->sums) return false;
    lod->bytes += nBlocks * (sizeof *sums->begins + sumBytes);
    for (uint32_t i = 0; i < row->count; i++) {
	if (!tacProgressAt(row->model->store->progress, i)) return false;
	const tacSlice *slice = sliceAt(row, i);
	if (i % BLOCK == 0) {
	    sums->begins[i / BLOCK] = slice->begin;
	    memcpy(sums->sums + (size_t) (i / BLOCK) * row->nSlots, total, sumBytes);
	}
	total[stateSlots[slice->state]] += lengthOf(slice);
    }
    return true;
}

static void addRange(lodRange *range, double budget) {
    range->least = budget < range->least ? budget : range->least;
    range->largest = budget > range->largest ? budget : range->largest;
}

/* What a point's stretch is like up to the next one; the last point's depends on who asks. */
static void addStretch(lodRange *range, const tacBudgetPoint *point, int64_t from, int64_t to) {
    addRange(range, tacLodBudgetAt(point, point->time > from ? point->time : from));
    addRange(range, tacLodBudgetAt(point, to));
}

static const lodRange noRange = {INFINITY, 0};

static bool buildServer(tacLod *lod, const tacModel *model, uint32_t server) {
    const tacBudgetPoint *points = model->servers[server].points.at;
    size_t n = model->servers[server].points.count, blocks = n / RANGE;
    if (blocks == 0) return true;
    lodRange *ranges = lod->servers[server] = tacAlloc(blocks * sizeof *ranges);
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
    lod->bytes = sizeof *lod + lod->nTasks * sizeof *lod->tasks + lod->nProcessors * sizeof *lod->processors + lod->nServers * sizeof *lod->servers;
    bool built = lod->tasks && lod->processors && lod->servers;
    for (uint32_t i = 0; built && i < lod->nTasks; i++) {
	rowView row = taskRow(model, i);
	built = buildRow(lod, &lod->tasks[i], &row);
    }
    for (uint32_t i = 0; built && i < lod->nProcessors; i++) {
	rowView row = processorRow(model, i);
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

static void freeRows(lodRow *rows, uint32_t n) {
    for (uint32_t i = 0; rows && i < n; i++) {
	tacFree(rows[i].begins);
	tacFree(rows[i].sums);
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

/* ---- a border: what was before x ---- */

typedef struct border {
    int64_t x;
    uint32_t before;		/* slices that begin before x */
    uint32_t nActive, firstActive;	/* of them: those that end after x */
    uint64_t sums[SLOTS];	/* ticks before x */
} border;

typedef struct sweep {		/* over the borders of a row, from left to right */
    rowView row;
    border now;
    uint64_t whole[SLOTS];	/* ticks of the slices that begin before x, what they have after it included */
    uint32_t nKept;
    bool crowded;		/* more are active than are kept */
    uint32_t kept[ACTIVE];	/* the active ones, ascending */
} sweep;

static uint32_t countBlocks(const rowView *row) { return row->count / BLOCK + (row->count % BLOCK != 0); }

/* The last block whose first slice begins before x, or the one to start from: `block`. Steps of growing size, then halving. */
static uint32_t findBlock(const rowView *row, int64_t x, uint32_t block) {
    const int64_t *begins = row->lod->begins;
    uint32_t n = countBlocks(row), step = 1;
    while (step < n - block && begins[block + step] < x) {
	block += step;
	step *= 2;
    }
    for (uint32_t end = step < n - block ? block + step : n; end - block > 1;) {
	uint32_t middle = block + (end - block) / 2;
	if (begins[middle] < x) block = middle;
	else end = middle;
    }
    return block;
}

/* How many slices begin before x; at least `low` do, and `block` is findBlock's. */
static uint32_t countBefore(const rowView *row, int64_t x, uint32_t low, uint32_t block) {
    uint32_t i = block * BLOCK > low ? block * BLOCK : low;
    while (i < row->count && sliceAt(row, i)->begin < x) i++;
    return i;
}

/* Makes `sums`, of the ticks of the first `from` slices in full, those of the first `to`: onwards, or from the sums of a block. */
static void sumBefore(const rowView *row, uint32_t from, uint32_t to, uint64_t sums[SLOTS]) {
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

/* Counts an active slice; what it has after x is not before x. */
static void countActive(sweep *s, uint32_t i) {
    const tacSlice *slice = sliceAt(&s->row, i);
    if (s->now.nActive++ == 0) s->now.firstActive = i;
    s->now.sums[stateSlots[slice->state]] -= (uint64_t) slice->end - (uint64_t) s->now.x;
}

static void keepActive(sweep *s, uint32_t i) {
    if (s->nKept < ACTIVE) s->kept[s->nKept++] = i;
    else s->crowded = true;
}

/* Updates the active ones from the border before, which had the slices up to `before`. */
static void findActive(sweep *s, uint32_t before) {
    const rowView *row = &s->row;
    uint32_t n = 0, start = before;
    for (uint32_t i = 0; i < s->nKept; i++)
	if (sliceAt(row, s->kept[i])->end > s->now.x) s->kept[n++] = s->kept[i];
    s->nKept = n;
    if (s->crowded) {		/* not all are kept: look for them from the begin */
	s->nKept = start = 0;
	s->crowded = false;
    }
    for (uint32_t i = tacSpanNext(row->span, start, s->now.before, s->now.x, endAt, row); i < s->now.before;
	    i = tacSpanNext(row->span, i + 1, s->now.before, s->now.x, endAt, row)) {
	keepActive(s, i);
	if (s->crowded) countActive(s, i);
    }
}

static void moveTo(sweep *s, int64_t x, uint32_t block) {
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

/* ---- bins ---- */

int64_t tacLodBorder(int64_t from, int64_t to, uint32_t n, uint32_t i) {
    uint64_t width = (uint64_t) to - (uint64_t) from;
    return (int64_t) ((uint64_t) from + width / n * i + width % n * i / n);
}

static void fillBin(tacBin *bin, const border *left, const border *right) {
    *bin = (tacBin) {.first = TAC_NONE};
    for (int slot = 0; slot < SLOTS; slot++) bin->time[slotStates[slot]] = (int64_t) (right->sums[slot] - left->sums[slot]);
    bin->begun = right->before - left->before;
    bin->count = left->nActive + bin->begun;
    if (left->nActive) bin->first = left->firstActive;
    else if (bin->count) bin->first = left->before;
}

/* The borders of bins from left to right: tacLodBorder without its divisions. */
typedef struct ruler {
    uint64_t x, step, rest, carried, n;	/* next border; width / n and width % n; sum of the rests so far, modulo n */
} ruler;

static ruler rulerOf(int64_t from, int64_t to, uint32_t n) {
    uint64_t width = (uint64_t) to - (uint64_t) from;
    return (ruler) {(uint64_t) from, width / n, width % n, 0, n};
}

static int64_t nextBorder(ruler *r) {
    r->x += r->step;
    r->carried += r->rest;
    if (r->carried >= r->n) {
	r->carried -= r->n;
	r->x++;
    }
    return (int64_t) r->x;
}

/*
 * Is the block of a border short against a bin of this width? Then it does not matter where in the block the border
 * lies, and what is before it is estimated.
 */
static bool isShort(const rowView *row, uint32_t block, uint64_t width) {
    const int64_t *begins = row->lod->begins;
    return row->about && block + 1 < countBlocks(row) && (uint64_t) tacElapsed(begins[block], begins[block + 1]) < width / 2;
}

static void estimate(const rowView *row, int64_t x, uint32_t block, border *b) {
    const int64_t *begins = row->lod->begins;
    const uint64_t *sums = row->lod->sums + (size_t) block * row->nSlots;
    double share = (double) tacElapsed(begins[block], x) / ((double) tacElapsed(begins[block], begins[block + 1]) + 1);
    if (x <= begins[block]) share = 0;
    b->x = x;
    b->before = block * BLOCK + (uint32_t) (share * BLOCK);
    b->nActive = 0;
    b->firstActive = TAC_NONE;
    for (uint32_t slot = 0; slot < row->nSlots; slot++) b->sums[slot] = sums[slot] + (uint64_t) (share * (double) (sums[row->nSlots + slot] - sums[slot]));
    for (uint32_t slot = row->nSlots; slot < SLOTS; slot++) b->sums[slot] = 0;
}

/* The state at a border: about, or exactly. */
static void borderAt(sweep *s, int64_t x, uint32_t block, uint64_t width, border *b) {
    if (isShort(&s->row, block, width)) {
	estimate(&s->row, x, block, b);
	return;
    }
    moveTo(s, x, block);
    *b = s->now;
}

/* An estimate beside an exact border may be a little ahead of it. */
static void mendBin(tacBin *bin, const border *left, border *right) {
    for (int slot = 0; slot < SLOTS; slot++)
	if (bin->time[slotStates[slot]] < 0) bin->time[slotStates[slot]] = 0;
    if (right->before < left->before) {
	right->before = left->before;
	bin->begun = 0;
	bin->count = left->nActive;
	bin->first = left->firstActive;
    }
}

/* Asks for the memory of a block ahead of its use. */
static void prefetchBlock(const rowView *row, uint32_t block, uint64_t width) {
    uint32_t first = block * BLOCK, end = row->count - first < BLOCK ? row->count : first + BLOCK;
    TAC_PREFETCH(row->lod->sums + (size_t) block * row->nSlots);
    if (isShort(row, block, width)) return;
    TAC_PREFETCH(row->span->ends + block);
    if (row->slices) for (uint32_t i = first; i < end; i += 64 / sizeof *row->slices) TAC_PREFETCH(&row->slices[i]);
    else for (uint32_t i = first; i < end; i++) TAC_PREFETCH(sliceAt(row, i));
}

/* Borders are taken in groups: all blocks of a group are asked for before the first is used, so that memory is not waited for one by one. */
static void fillBins(const rowView *row, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    sweep s = {.row = *row};
    int64_t borders[GROUP];
    uint32_t blocks[GROUP], block = 0;
    if (row->count == 0 || to < from || n == 0) {
	for (uint32_t i = 0; i < n; i++) bins[i] = (tacBin) {.first = TAC_NONE};
	return;
    }
    ruler ruled = rulerOf(from, to, n);
    uint64_t width = ruled.step;
    block = findBlock(row, from, 0);
    border both[2], *left = &both[0], *right = &both[1];
    borderAt(&s, from, block, width, left);
    for (uint32_t i = 0; i < n; i++) {
	for (uint32_t k = 0; i % GROUP == 0 && k < GROUP && k < n - i; k++) {
	    borders[k] = nextBorder(&ruled);
	    blocks[k] = findBlock(row, borders[k], block);
	    if (blocks[k] != block) prefetchBlock(row, blocks[k], width);
	    block = blocks[k];
	}
	borderAt(&s, borders[i % GROUP], blocks[i % GROUP], width, right);
	fillBin(&bins[i], left, right);
	if (row->about) mendBin(&bins[i], left, right);
	border *done = left;
	left = right;
	right = done;
    }
}

void tacLodTask(const tacModel *model, uint32_t task, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    rowView row = taskRow(model, task);
    fillBins(&row, from, to, n, bins);
}

void tacLodProcessor(const tacModel *model, uint32_t processor, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    rowView row = processorRow(model, processor);
    fillBins(&row, from, to, n, bins);
}

void tacLodTaskAbout(const tacModel *model, uint32_t task, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    rowView row = taskRow(model, task);
    row.about = model->tasks[task].overlap <= 1;
    fillBins(&row, from, to, n, bins);
}

void tacLodProcessorAbout(const tacModel *model, uint32_t processor, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    rowView row = processorRow(model, processor);
    row.about = model->processors[processor].overlap <= 1;
    fillBins(&row, from, to, n, bins);
}

static uint32_t countTouching(const rowView *row, int64_t from, int64_t to) {
    if (row->count == 0 || to < from) return 0;
    uint32_t block = findBlock(row, from, 0), first = countBefore(row, from, 0, block);
    uint32_t n = countBefore(row, to, first, findBlock(row, to, block)) - first;
    for (uint32_t i = tacSpanNext(row->span, 0, first, from, endAt, row); i < first; i = tacSpanNext(row->span, i + 1, first, from, endAt, row)) n++;
    return n;
}

uint32_t tacLodTaskCount(const tacModel *model, uint32_t task, int64_t from, int64_t to) {
    rowView row = taskRow(model, task);
    return countTouching(&row, from, to);
}

uint32_t tacLodProcessorCount(const tacModel *model, uint32_t processor, int64_t from, int64_t to) {
    rowView row = processorRow(model, processor);
    return countTouching(&row, from, to);
}

/* ---- budgets ---- */

double tacLodBudgetAt(const tacBudgetPoint *point, int64_t time) {
    double elapsed = time >= point->time ? (double) tacElapsed(point->time, time) : -(double) tacElapsed(time, point->time);
    double budget = (double) point->budget - point->consumers * elapsed;
    return budget > 0 ? budget : 0;
}

/* The points one by one; of the last one only up to `to`. */
static void rangeOf(const tacServerModel *server, uint32_t first, uint32_t end, int64_t from, int64_t to, lodRange *range) {
    const tacBudgetPoint *points = server->points.at;
    for (uint32_t i = first; i < end; i++) {
	bool next = i + 1 < server->points.count && points[i + 1].time < to;
	addStretch(range, &points[i], from, next ? points[i + 1].time : to);
    }
}

/* Blocks in the middle, without the first and the last point, which may be cut: points before and behind them one by one. */
void tacLodBudgets(const tacModel *model, uint32_t server, uint32_t first, uint32_t end, int64_t from, int64_t to, double *least, double *largest) {
    const tacServerModel *of = &model->servers[server];
    uint32_t block = first / RANGE + 1, endBlock = (end - 1) / RANGE;
    lodRange range = noRange;
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

/*
 * How many of the rows are before x; at least `low` are, and probably `step` more: marks are often evenly spread, so that
 * the number in the bin before is a good guess.
 */
static uint32_t marksBefore(const tacModel *model, const uint32_t *rows, uint32_t count, int64_t x, uint32_t low, uint32_t step) {
    uint32_t high;
    if (step < count - low && tacRowTime(model->store, rows[low + step]) < x) {
	low += step + 1;
	step = 0;
    }
    if (step == 0) step = 1;
    while (step <= count - low && tacRowTime(model->store, rows[low + step - 1]) < x) {
	low += step;
	step *= 2;
    }
    for (high = step <= count - low ? low + step - 1 : count; low < high;) {
	uint32_t middle = low + (high - low) / 2;
	if (tacRowTime(model->store, rows[middle]) < x) low = middle + 1;
	else high = middle;
    }
    return low;
}

void tacLodMarks(const tacModel *model, const uint32_t *rows, uint32_t count, int64_t from, int64_t to, uint32_t n, tacMarkBin *bins) {
    uint32_t before = to < from ? count : marksBefore(model, rows, count, from, 0, 0), first = before;
    for (uint32_t i = 0; i < n; i++) {
	uint32_t step = before - first;
	first = before;
	before = to < from ? count : marksBefore(model, rows, count, tacLodBorder(from, to, n, i + 1), first, step);
	bins[i] = (tacMarkBin) {before - first, before > first ? first : TAC_NONE};
    }
}

/* ---- arrows ---- */

enum { EXACT = 64 };		/* arrows a bin; with more the borders are estimated within a block */

/* The last block that begins before x, or `block`, from which on it is looked for. */
static uint32_t findArrowBlock(const tacTaskModel *task, int64_t x, uint32_t block) {
    const tacArrowBlock *blocks = task->arrowBlocks.at;
    uint32_t n = (uint32_t) task->arrowBlocks.count, step = 1;
    while (step < n - block && blocks[block + step].time < x) {
	block += step;
	step *= 2;
    }
    for (uint32_t end = step < n - block ? block + step : n; end - block > 1;) {
	uint32_t middle = block + (end - block) / 2;
	if (blocks[middle].time < x) block = middle;
	else end = middle;
    }
    return block;
}

/* How many arrows are before x, of which the blocks before `block` are. */
static uint32_t arrowsBefore(const tacModel *model, const tacTaskModel *task, int64_t x, uint32_t block, bool exact) {
    uint32_t first = block * TAC_SPAN_BLOCK, count = (uint32_t) task->arrows.count, end = count - first < TAC_SPAN_BLOCK ? count : first + TAC_SPAN_BLOCK;
    const tacArrowBlock *blocks = task->arrowBlocks.at;
    if (x <= blocks[block].time) return first;
    if (!exact && block + 1 < task->arrowBlocks.count) {
	double share = (double) tacElapsed(blocks[block].time, x) / ((double) tacElapsed(blocks[block].time, blocks[block + 1].time) + 1);
	return first + (uint32_t) (share * TAC_SPAN_BLOCK);
    }
    for (first++; first < end && tacRowTime(model->store, task->arrows.at[first]) < x;) first++;
    return first;
}

/* The bits of a block's arrows that are in [first, end). */
static uint32_t bitsWithin(uint32_t block, uint32_t first, uint32_t end) {
    uint32_t begin = block * TAC_SPAN_BLOCK, mask = (1u << TAC_SPAN_BLOCK) - 1;
    if (begin < first) mask &= mask << (first - begin);
    if (end < begin + TAC_SPAN_BLOCK) mask &= (1u << (end - begin)) - 1;
    return mask;
}

static void noteFirst(uint32_t *place, uint32_t block, uint32_t bits) {
    if (bits && *place == TAC_NONE) *place = block * TAC_SPAN_BLOCK + (uint32_t) __builtin_ctz(bits);
}

static void fillArrows(const tacTaskModel *task, tacArrowBin *bin) {
    for (uint32_t block = bin->first / TAC_SPAN_BLOCK; block * TAC_SPAN_BLOCK < bin->end; block++) {
	const tacArrowBlock *of = &task->arrowBlocks.at[block];
	uint32_t mask = bitsWithin(block, bin->first, bin->end), special = of->special & mask, deadlines = of->deadlines & mask & ~special;
	bin->deadlines += (uint32_t) __builtin_popcount(deadlines);
	bin->special += (uint32_t) __builtin_popcount(special);
	noteFirst(&bin->firstDeadline, block, deadlines);
	noteFirst(&bin->firstSpecial, block, special);
	noteFirst(&bin->firstArrival, block, mask & ~special & ~deadlines);
    }
}

void tacLodArrows(const tacModel *model, uint32_t task, int64_t from, int64_t to, uint32_t n, tacArrowBin *bins) {
    const tacTaskModel *of = &model->tasks[task];
    uint32_t block = 0, before = 0;
    bool exact = true, any = of->arrows.count && to > from;
    if (any) {
	block = findArrowBlock(of, from, 0);
	exact = (findArrowBlock(of, to, block) - block) * (uint64_t) TAC_SPAN_BLOCK < (uint64_t) EXACT * n;
	before = arrowsBefore(model, of, from, block, exact);
    }
    for (uint32_t i = 0; i < n; i++) {
	uint32_t first = before;
	if (any) {
	    int64_t border = tacLodBorder(from, to, n, i + 1);
	    block = findArrowBlock(of, border, block);
	    before = arrowsBefore(model, of, border, block, exact);
	}
	bins[i] = (tacArrowBin) {first, before, 0, 0, TAC_NONE, TAC_NONE, TAC_NONE};
	if (before > first) fillArrows(of, &bins[i]);
    }
}
