/*
 * layoutBars.c -- the bars of a row: what each job did when.
 *
 * A row with few slices is drawn slice by slice, neighbours narrower than `detail` joined; one with more than about
 * three a point is drawn from the model's summaries (model/lod.h), one rectangle for each run of bins with the same
 * dominant state, the paler the less of the time it fills. Either way a merged rectangle says how many slices it stands for, and no row costs more than its
 * share of the figure's items.
 */
#include "base/port.h"
#include <math.h>
#include <string.h>
#include "model/lod.h"
#include "model/query.h"
#include "view/layout.h"

enum { BAR_ITEMS = 16000 };	/* merged rectangles of a figure, about */
static const double slicesPerPoint = 3;	/* more: summaries */
static const double crowdedPerPoint = 0.5;	/* more: narrow bars without outlines */

/* ---- one bar --------------------------------------------------------------------------------------------------------- */

/* How a state looks; the heights are shares of the bar, from its baseline up. */
typedef struct barLook {
    uint32_t fill, ink;		/* ink: of the pattern */
    tacPattern pattern;
    float height;
    bool outline;
} barLook;

static barLook lookOf(tacDrawing *d, uint32_t task, uint32_t color, tacJobState state) {
    const tacStyle *style = &d->style;
    barLook look = { .fill = color, .height = 1, .outline = true };
    switch (state) {
    case TAC_STATE_PREEMPTED:
	look.fill = style->preempted;
	if (d->rtsched) {
	    look.height = 0.35f;
	    look.pattern = TAC_PATTERN_LINES_UP;
	    look.ink = style->faint;
	}
	return look;
    case TAC_STATE_BLOCKED:
	look.fill = style->blocked;
	look.height = 0.35f;
	look.pattern = d->rtsched ? TAC_PATTERN_GRAY25 : TAC_PATTERN_LINES_DOWN;
	look.ink = style->faint;
	return look;
    case TAC_STATE_BETWEEN:
	look.fill = style->between;
	break;
    default:
	break;
    }
    const char *pattern = tacObjectText(d->store, TAC_TASK, task, TAC_OPT_PATTERN);
    if (pattern) {
	look.pattern = tacPatternWord(pattern, TAC_PATTERN_NONE);
	look.ink = look.fill;
	look.fill = look.pattern ? style->paper : look.fill;
    }
    return look;
}

static void noteSeen(tacDrawing *d, uint32_t task, tacJobState state) {
    bool isr = d->store->objects[TAC_TASK].at[task].isr;
    switch (state) {
    case TAC_STATE_PREEMPTED: d->seen |= TAC_SEEN_PREEMPTED; break;
    case TAC_STATE_BLOCKED: d->seen |= TAC_SEEN_BLOCKED; break;
    case TAC_STATE_BETWEEN: d->seen |= TAC_SEEN_BETWEEN; break;
    default: d->seen |= isr ? TAC_SEEN_ISR : TAC_SEEN_ACTIVE;
    }
    d->tasksSeen[task] = 1;
}

/* The lane's share of the bar; lane 0 stands on the baseline. */
static void laneEdges(const tacRow *row, uint8_t lane, float *top, float *bottom) {
    float height = (row->bottom - row->bar) / (float) row->lanes, gap = row->lanes > 1 && height > 4 ? 0.75f : 0;
    *bottom = row->bottom - height * (float) lane;
    *top = *bottom - height + gap;
}

/* Outlines of narrow bars get thinner, so that their colour can still be seen. */
static float outlineWidth(const tacDrawing *d, float width) {
    return width >= 3 * d->style.line ? d->style.line : fmaxf(width / 3, 0.1f);
}

/* Black on (nearly) black would hide where one bar ends and the next begins. */
static uint32_t outlineInk(const tacDrawing *d, uint32_t fill) {
    bool nearlyBlack = fill != TAC_NO_COLOR && (fill >> 16) < 0x60 && (fill >> 8 & 0xFF) < 0x60 && (fill & 0xFF) < 0x60;
    return nearlyBlack && !d->style.dark ? tacColorMix(fill, 0xFFFFFF, 0.5) : d->style.ink;
}

static void addBar(tacDrawing *d, const tacRow *row, uint8_t lane, uint32_t task, uint32_t color, tacJobState state, float x0, float x1, tacRef ref) {
    barLook look = lookOf(d, task, color, state);
    float top, bottom;
    laneEdges(row, lane, &top, &bottom);
    if (state == TAC_STATE_BETWEEN && row->kind == TAC_ROW_TASK) {
	top = row->bar, bottom = row->bottom;	/* the task's own work, not a job's: no lane */
    }
    top = bottom - (bottom - top) * look.height;
    noteSeen(d, task, state);
    if (x1 - x0 < 0.01f && ref.kind != TAC_REF_MERGED) {
	tacAddLine(d, TAC_LAYER_BARS, x0, top, x0, bottom, d->style.line, d->style.ink, ref);
	return;
    }
    tacItem *item = tacAddRect(d, TAC_LAYER_BARS, x0, top, x1, bottom, look.fill, ref);
    if (!item) {
	return;
    }
    item->pattern = (uint8_t) look.pattern;
    item->ink = look.pattern ? look.ink : TAC_NO_COLOR;
    if (d->crowded && x1 - x0 < 3) {
	item->fill = state == TAC_STATE_RUNNING && !look.pattern ? tacColorMix(look.fill, d->style.ink, 0.3) : look.fill;
    } else if (ref.kind != TAC_REF_MERGED || x1 - x0 > 1) {
	item->outline = outlineInk(d, look.pattern ? TAC_NO_COLOR : look.fill);
	item->width = outlineWidth(d, x1 - x0);
    }
}

/* ---- slice by slice -------------------------------------------------------------------------------------------------- */

/* Narrow slices that wait to become one merged rectangle. */
typedef struct pendingBars {
    double time[TAC_STATES];	/* ticks in each state */
    uint32_t count, task, index;	/* the first one's task and index (of slice or run) */
    uint8_t lane;
    tacJobState state;		/* the first one's */
    uint32_t color;
    float x0, x1;
} pendingBars;

/* A slice or run to draw, whichever the row is made of. */
typedef struct barSource {
    const tacSlice *slice;
    uint32_t task;
    uint8_t lane;
    tacRef ref;
} barSource;

static tacJobState dominant(const double time[TAC_STATES], tacJobState fallback) {
    tacJobState best = fallback;
    for (int state = 0; state < TAC_STATES; state++) {
	if (time[state] > time[best]) {
	    best = (tacJobState) state;
	}
    }
    return best;
}

static uint32_t jobColor(tacDrawing *d, uint32_t task, uint32_t job) {
    uint32_t color = tacTaskColor(d, task), row = d->model->jobs.at[job].row, id = d->model->jobs.at[job].id;
    const char *text = NULL;
    if (row < tacStoreCount(d->store) && tacRowEvent(d->store, row) == TAC_EV_JOB_ARRIVED && tacRowHasOptions(d->store, row)) {
	text = tacRowText(d->store, row, TAC_OPT_COLOR);
    }
    if (!text && d->store->objectOptions[TAC_JOB].count) {
	text = tacObjectText(d->store, TAC_JOB, id, TAC_OPT_COLOR);
    }
    return text ? tacStyleParse(&d->style, text, color, text ? tacRowLine(d->store, row) : 0, d->diag) : color;
}

static void flushBars(tacDrawing *d, const tacRow *row, pendingBars *pending) {
    if (pending->count == 0) {
	return;
    }
    tacRef ref = { pending->count > 1 ? TAC_REF_MERGED : row->kind == TAC_ROW_TASK ? TAC_REF_SLICE : TAC_REF_RUN,
	row->kind == TAC_ROW_TASK ? pending->task : row->owner, pending->index, pending->count };
    addBar(d, row, pending->lane, pending->task, pending->color, dominant(pending->time, pending->state), pending->x0,
	fmaxf(pending->x1, pending->x0 + (pending->count > 1 ? (float) d->detail : 0)), ref);
    memset(pending, 0, sizeof *pending);
}

static void holdBack(tacDrawing *d, const tacRow *row, pendingBars *pending, const barSource *source, float x0, float x1) {
    if (pending->count && (x1 - pending->x0 > 3 * (float) d->detail || source->lane != pending->lane)) {
	flushBars(d, row, pending);
    }
    if (pending->count == 0) {
	pending->task = source->task;
	pending->index = source->ref.index;
	pending->lane = source->lane;
	pending->state = (tacJobState) source->slice->state;
	pending->color = jobColor(d, source->task, source->slice->job);
	pending->x0 = x0;
    }
    pending->x1 = x1;
    pending->time[source->slice->state] += tacTicksBetween(source->slice->begin, source->slice->end);
    pending->count++;
}

static void drawSource(tacDrawing *d, const tacRow *row, pendingBars *pending, const barSource *source) {
    const tacSlice *slice = source->slice;
    if (!tacVisible(d, slice->begin, slice->end) || tacJobHidden(d, d->model->jobs.at[slice->job].id)) {
	return;
    }
    float x0 = tacX(d, slice->begin), x1 = tacX(d, slice->end);
    if (x1 - x0 < (float) d->detail) {
	holdBack(d, row, pending, source, x0, x1);
	return;
    }
    flushBars(d, row, pending);
    addBar(d, row, source->lane, source->task, jobColor(d, source->task, slice->job), (tacJobState) slice->state, x0, x1, source->ref);
}

static bool isElsewhere(const tacRow *row, const tacSlice *slice) {
    return row->partial && slice->processor != row->processor;
}

static void drawSlices(tacDrawing *d, const tacRow *row) {
    const tacTaskModel *task = &d->model->tasks[row->owner];
    pendingBars pending = { .count = 0 };
    for (uint32_t i = tacQueryFirstSlice(d->model, row->owner, d->scale.from); i < task->slices.count; i++) {
	const tacSlice *slice = &task->slices.at[i];
	if (slice->begin > d->scale.to) {
	    break;
	}
	if (isElsewhere(row, slice)) {
	    continue;
	}
	uint8_t lane = d->rows->laneOfJob && row->lanes > 1 ? d->rows->laneOfJob[slice->job] : 0;
	barSource source = { slice, row->owner, lane, { TAC_REF_SLICE, row->owner, i, 0 } };
	drawSource(d, row, &pending, &source);
    }
    flushBars(d, row, &pending);
}

static void drawRuns(tacDrawing *d, const tacRow *row) {
    const tacProcessorModel *processor = &d->model->processors[row->owner];
    const uint8_t *lanes = d->rows->laneOfRun ? d->rows->laneOfRun[row->owner] : NULL;
    pendingBars pending = { .count = 0 };
    for (uint32_t i = tacQueryFirstRun(d->model, row->owner, d->scale.from); i < processor->runs.count; i++) {
	const tacRun *run = &processor->runs.at[i];
	const tacSlice *slice = &d->model->tasks[run->task].slices.at[run->slice];
	if (slice->begin > d->scale.to) {
	    break;
	}
	barSource source = { slice, run->task, lanes ? lanes[i] : 0, { TAC_REF_RUN, row->owner, i, 0 } };
	if (!d->tasksHidden || !d->tasksHidden[run->task]) {
	    drawSource(d, row, &pending, &source);
	}
    }
    flushBars(d, row, &pending);
}

/* ---- summaries ------------------------------------------------------------------------------------------------------- */

/* Bins of a row whose task runs on several processors: the model sums tasks as a whole, so its slices are looked at. */
static void binSlices(const tacDrawing *d, const tacRow *row, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    const tacTaskModel *task = &d->model->tasks[row->owner];
    double width = tacTicksBetween(from, to) / n;
    for (uint32_t i = 0; i < n; i++) {
	bins[i] = (tacBin) { .count = 0, .first = TAC_NONE };
    }
    for (uint32_t i = tacQueryFirstSlice(d->model, row->owner, from); i < task->slices.count; i++) {
	const tacSlice *slice = &task->slices.at[i];
	if (slice->begin >= to) {
	    break;
	}
	if (isElsewhere(row, slice) || slice->end < from) {
	    continue;
	}
	double begin = fmax(0, tacTicksBetween(from, slice->begin)), end = fmin(tacTicksBetween(from, slice->end), n * width);
	uint32_t last = (uint32_t) fmin(end / width, n - 1);
	for (uint32_t b = (uint32_t) fmin(begin / width, n - 1); b <= last; b++) {
	    bins[b].first = bins[b].count++ ? bins[b].first : i;
	    bins[b].time[slice->state] += (int64_t) (fmin(end, (b + 1) * width) - fmax(begin, b * width));
	}
    }
}

static void fillBins(const tacDrawing *d, const tacRow *row, const tacSegment *segment, uint32_t n, tacBin *bins) {
    if (row->kind == TAC_ROW_PROCESSOR) {
	tacLodProcessor(d->model, row->owner, segment->from, segment->to, n, bins);
    } else if (row->partial) {
	binSlices(d, row, segment->from, segment->to, n, bins);
    } else {
	tacLodTask(d->model, row->owner, segment->from, segment->to, n, bins);
    }
}

/*
 * What a bin shows: its dominant state and, in a processor's row, its task; and how much of the bin that state fills, in
 * a few levels, which become the lightness of its colour as a picture scaled down would have it.
 * TAC_STATE_NONE: nothing.
 */
typedef struct binLook { tacJobState state; uint32_t task, color; int level; } binLook;

enum { LEVELS = 4 };

static int levelOf(double share) {
    return (int) fmin(fmax(ceil(share * LEVELS - 0.1), 1), LEVELS);
}

static binLook lookOfBin(tacDrawing *d, const tacRow *row, const tacBin *bin, double ticks) {
    binLook look = { TAC_STATE_NONE, row->owner, 0, LEVELS };
    double time[TAC_STATES];
    if (bin->count == 0 || bin->first == TAC_NONE) {
	return look;
    }
    uint32_t slice = bin->first;
    if (row->kind == TAC_ROW_PROCESSOR) {
	look.task = d->model->processors[row->owner].runs.at[bin->first].task;
	slice = d->model->processors[row->owner].runs.at[bin->first].slice;
    }
    for (int state = 0; state < TAC_STATES; state++) {
	time[state] = (double) bin->time[state];
    }
    look.state = dominant(time, (tacJobState) d->model->tasks[look.task].slices.at[slice].state);
    look.color = tacTaskColor(d, look.task);
    if (look.state == TAC_STATE_RUNNING) {
	look.level = levelOf(time[TAC_STATE_RUNNING] / ticks);
	look.color = tacColorMix(d->style.paper, look.color, 0.2 + 0.8 * look.level / LEVELS);
    }
    return look;
}

static uint32_t countSlices(const tacDrawing *d, const tacRow *row, int64_t from, int64_t to) {
    return (row->kind == TAC_ROW_PROCESSOR ? tacLodProcessorCount : tacLodTaskCount)(d->model, row->owner, from, to);
}

/* A run of bins [first, end) that look the same becomes one rectangle. */
static void addRun(tacDrawing *d, const tacRow *row, const tacSegment *segment, const tacBin *bins, uint32_t n, uint32_t first, uint32_t end, binLook look) {
    double width = (segment->x1 - segment->x0) / n, ticks = tacTicksBetween(segment->from, segment->to) / n;
    uint32_t binned = 0;
    for (uint32_t i = first; i < end; i++) {
	binned += bins[i].count;
    }
    int64_t from = segment->from + (int64_t) (first * ticks), to = segment->from + (int64_t) (end * ticks);
    uint32_t count = row->partial ? binned : countSlices(d, row, from, to);
    tacRef ref = { TAC_REF_MERGED, row->owner, bins[first].first, count };
    if (count <= 1) {
	ref.kind = row->kind == TAC_ROW_PROCESSOR ? TAC_REF_RUN : TAC_REF_SLICE;
    }
    tacRow whole = *row;
    whole.lanes = 1;
    addBar(d, &whole, 0, look.task, look.color, look.state, (float) (segment->x0 + first * width), (float) (segment->x0 + end * width), ref);
}

/* Number of runs of equal look; draws them if asked to. */
static uint32_t joinBins(tacDrawing *d, const tacRow *row, const tacSegment *segment, const tacBin *bins, uint32_t n, bool draw) {
    uint32_t runs = 0, first = 0;
    double ticks = tacTicksBetween(segment->from, segment->to) / n;
    binLook look = lookOfBin(d, row, &bins[0], ticks);
    for (uint32_t i = 1; i <= n; i++) {
	binLook next = i < n ? lookOfBin(d, row, &bins[i], ticks) : (binLook) { TAC_STATES, 0, 0, 0 };
	if (next.state == look.state && (look.state != TAC_STATE_RUNNING || next.color == look.color)) {
	    continue;
	}
	if (look.state != TAC_STATE_NONE) {
	    runs++;
	    if (draw) {
		addRun(d, row, segment, bins, n, first, i, look);
	    }
	}
	first = i;
	look = next;
    }
    return runs;
}

/* Bins as fine as three a point; where that gives the row more than its share of items, coarser ones. */
static void drawSummary(tacDrawing *d, const tacRow *row, const tacSegment *segment) {
    double width = segment->x1 - segment->x0, share = width / (d->scale.x1 - d->scale.x0);
    uint32_t n = (uint32_t) ceil(width / fmax(3 * d->detail, 1 / slicesPerPoint));
    uint32_t most = (uint32_t) ceil(fmax(100, BAR_ITEMS / (double) d->rows->rows.count) * share);
    n = n ? n : 1;
    tacBin *bins = tacAlloc(n * sizeof *bins);
    if (!bins) {
	d->display->failed = true;
	return;
    }
    fillBins(d, row, segment, n, bins);
    if (n > most && joinBins(d, row, segment, bins, n, false) > most) {
	n = most;
	fillBins(d, row, segment, n, bins);
    }
    joinBins(d, row, segment, bins, n, true);
    tacFree(bins);
}

void tacDrawBars(tacDrawing *d, const tacRow *row) {
    uint32_t count = countSlices(d, row, d->scale.from, d->scale.to);
    double width = d->scale.x1 - d->scale.x0, most = fmin(slicesPerPoint * width, fmax(200, 2.0 * BAR_ITEMS / (double) d->rows->rows.count));
    d->crowded = count > crowdedPerPoint * width && count <= most;
    if (count <= most) {
	(row->kind == TAC_ROW_PROCESSOR ? drawRuns : drawSlices)(d, row);
	return;
    }
    for (int i = 0; i < d->scale.nSegments; i++) {
	drawSummary(d, row, &d->scale.segments[i]);
    }
}
