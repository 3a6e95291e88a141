/*
 * layoutBars.c -- the bars of a row: the states of jobs over time.
 *
 *      few slices                 drawSlices, drawRuns   slice by slice; neighbours narrower than `detail` are joined
 *      many                       drawSummary            from the model's sums (model/lod.h)
 *      many, in a quick figure    drawTiles              the same, kept in tiles
 *
 * From sums, each run of bins with the same dominant state becomes one rectangle, the paler the less of the time that
 * state fills. A merged rectangle says how many slices it stands for, and no row takes more than its share of the
 * figure's items. A processor's row is dotted where nothing is known of the processor.
 */
#include "base/port.h"

#include "base/search.h"
#include "model/lod.h"
#include "model/query.h"
#include "view/layout.h"

#include <math.h>
#include <string.h>

enum { BAR_ITEMS = 16000 };                /* merged rectangles of a figure, about */
static const double slicesPerPoint = 3;    /* a row with more is drawn from sums */
static const double quickPerPoint = 0.25;  /* the same for a quick figure: one for about five pixels */
static const double crowdedPerPoint = 0.5; /* in a row with more, narrow bars have no outlines */

/* ---- one bar ----------------------------------------------------------------------------------------------------- */

tacStateLook tacLookOfState(const tacDrawing *d, tacJobState state) {
    const tacStyle *style = &d->style;
    switch (state) {
    case TAC_STATE_PREEMPTED:
        if (d->rtsched) return (tacStateLook){style->preempted, style->faint, TAC_PATTERN_LINES_UP, 0.35f, true};
        return (tacStateLook){style->preempted, 0, TAC_PATTERN_NONE, 1, true};
    case TAC_STATE_BLOCKED:
        return (tacStateLook){
            style->blocked, style->faint, d->rtsched ? TAC_PATTERN_GRAY25 : TAC_PATTERN_LINES_DOWN, 0.35f, true};
    case TAC_STATE_UNKNOWN: return (tacStateLook){style->unknown, style->faint, TAC_PATTERN_GRAY25, 1, false};
    case TAC_STATE_BETWEEN: return (tacStateLook){style->between, 0, TAC_PATTERN_NONE, 1, true};
    default: return (tacStateLook){style->active, 0, TAC_PATTERN_NONE, 1, true};
    }
}

/* The look of a bar: the job's colour and the task's pattern while the job runs, else that of its state. */
static tacStateLook lookOf(const tacDrawing *d, uint32_t task, uint32_t color, tacJobState state) {
    if (state == TAC_STATE_PREEMPTED || state == TAC_STATE_BLOCKED || state == TAC_STATE_UNKNOWN)
        return tacLookOfState(d, state);
    tacStateLook look = {.fill = state == TAC_STATE_BETWEEN ? d->style.between : color, .height = 1, .outline = true};
    const char *pattern = tacObjectText(d->store, TAC_TASK, task, TAC_OPT_PATTERN);
    if (pattern) {
        look.pattern = tacPatternWord(pattern, TAC_PATTERN_NONE);
        look.ink = look.fill;
        look.fill = look.pattern ? d->style.paper : look.fill;
    }
    return look;
}

static void noteSeen(tacDrawing *d, uint32_t task, tacJobState state) {
    bool isr = d->store->objects[TAC_TASK].at[task].isr;
    switch (state) {
    case TAC_STATE_PREEMPTED: d->seen |= TAC_SEEN_PREEMPTED; break;
    case TAC_STATE_BLOCKED: d->seen |= TAC_SEEN_BLOCKED; break;
    case TAC_STATE_BETWEEN: d->seen |= TAC_SEEN_BETWEEN; break;
    case TAC_STATE_UNKNOWN: d->seen |= TAC_SEEN_UNKNOWN; break;
    default: d->seen |= isr ? TAC_SEEN_ISR : TAC_SEEN_ACTIVE;
    }
    d->tasksSeen[task] = 1;
}

/* Ink of outlines, lighter around nearly black bars, so that one sees where a bar ends and the next begins. */
static uint32_t outlineInk(const tacDrawing *d, uint32_t fill) {
    bool nearlyBlack = fill != TAC_NO_COLOR && (fill >> 16) < 0x60 && (fill >> 8 & 0xFF) < 0x60 && (fill & 0xFF) < 0x60;
    return nearlyBlack && !d->style.dark ? tacColorMix(fill, 0xFFFFFF, 0.5) : d->style.ink;
}

static void addBar(tacDrawing *d, const tacFigureRow *row, uint8_t lane, uint32_t task, uint32_t color,
    tacJobState state, float x0, float x1, tacRef ref) {
    tacStateLook look = lookOf(d, task, color, state);
    float top, bottom;
    tacLaneEdges(row, lane, &top, &bottom);
    if (state == TAC_STATE_BETWEEN && row->kind == TAC_FIGURE_ROW_TASK)
        top = row->bar, bottom = row->bottom; /* the task's own work, not a job's: no lane */
    top = bottom - (bottom - top) * look.height;
    noteSeen(d, task, state);
    if (x1 - x0 < 0.01f && ref.kind != TAC_REF_MERGED) {
        tacAddLine(d, TAC_LAYER_BARS, x0, top, x0, bottom, d->style.line, d->style.ink, ref);
        return;
    }
    tacItem *item = tacAddRect(d, TAC_LAYER_BARS, x0, top, x1, bottom, look.fill, ref);
    if (!item) return;
    item->pattern = (uint8_t) look.pattern;
    item->ink = look.pattern ? look.ink : TAC_NO_COLOR;
    if (d->crowded && x1 - x0 < 3) {
        item->fill = state == TAC_STATE_RUNNING && !look.pattern ? tacColorMix(look.fill, d->style.ink, 0.3)
                                                                 : look.fill;
    } else if (look.outline && (ref.kind != TAC_REF_MERGED || x1 - x0 > 1)) {
        item->outline = outlineInk(d, look.pattern ? TAC_NO_COLOR : look.fill);
        item->width = d->style.line; /* thinner for narrow bars, so that their colour can still be seen */
        if (x1 - x0 < 3 * d->style.line) item->width = fmaxf((x1 - x0) / 3, 0.1f);
    }
}

/* ---- slice by slice ---------------------------------------------------------------------------------------------- */

/* Narrow slices that wait to become one merged rectangle; task, index, state and colour are those of the first. */
typedef struct PendingBars {
    double time[TAC_STATES]; /* ticks in each state */
    uint32_t count, task;
    uint32_t index; /* of slice or run */
    uint8_t lane;
    tacJobState state;
    uint32_t color;
    float x0, x1;
} PendingBars;

/* A slice to draw, in a task's row or as a run in a processor's row. */
typedef struct BarSource {
    const tacSlice *slice;
    uint32_t task;
    uint8_t lane;
    tacRef ref;
} BarSource;

/* Draws the slices that wait, in the state in which they are longest. */
static void flushBars(tacDrawing *d, const tacFigureRow *row, PendingBars *pending) {
    if (pending->count == 0) return;
    bool merged = pending->count > 1, ofTask = row->kind == TAC_FIGURE_ROW_TASK;
    tacRef ref = {merged ? TAC_REF_MERGED
            : ofTask     ? TAC_REF_SLICE
                         : TAC_REF_RUN,
        ofTask ? pending->task : row->owner, pending->index, pending->count};
    tacJobState longest = pending->state;
    for (int state = 0; state < TAC_STATES; state++)
        if (pending->time[state] > pending->time[longest]) longest = (tacJobState) state;
    float x1 = fmaxf(pending->x1, pending->x0 + (merged ? (float) d->detail : 0));
    addBar(d, row, pending->lane, pending->task, pending->color, longest, pending->x0, x1, ref);
    memset(pending, 0, sizeof *pending);
}

static void drawSource(tacDrawing *d, const tacFigureRow *row, PendingBars *pending, const BarSource *source) {
    const tacSlice *slice = source->slice;
    if (!tacVisible(d, slice->begin, slice->end) || tacJobIndexHidden(d, slice->job)) return;
    float x0 = tacX(d, slice->begin), x1 = tacX(d, slice->end);
    if (x1 - x0 >= (float) d->detail) {
        flushBars(d, row, pending);
        addBar(d, row, source->lane, source->task, tacSliceColor(d, source->task, slice), (tacJobState) slice->state,
            x0, x1, source->ref);
        return;
    }
    /* A narrow slice joins those that wait, or comes after them. */
    if (pending->count && (x1 - pending->x0 > 3 * (float) d->detail || source->lane != pending->lane))
        flushBars(d, row, pending);
    if (pending->count == 0) {
        pending->task = source->task;
        pending->index = source->ref.index;
        pending->lane = source->lane;
        pending->state = (tacJobState) slice->state;
        pending->color = tacSliceColor(d, source->task, slice);
        pending->x0 = x0;
    }
    pending->x1 = x1;
    pending->time[slice->state] += tacTicksBetween(slice->begin, slice->end);
    pending->count++;
}

/* Does a slice belong to another panel, of another processor? */
static bool isElsewhere(const tacFigureRow *row, const tacSlice *slice) {
    return row->partial && slice->processor != row->processor;
}

static void drawSlices(tacDrawing *d, const tacFigureRow *row) {
    const tacTaskModel *task = &d->model->tasks[row->owner];
    PendingBars pending = {.count = 0};
    for (uint32_t i = tacQueryFirstSlice(d->model, row->owner, d->scale.from); i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->begin > d->scale.to) break;
        if (isElsewhere(row, slice)) continue;
        uint8_t lane = d->rows->laneOfJob && row->lanes > 1 ? d->rows->laneOfJob[slice->job] : 0;
        BarSource source = {slice, row->owner, lane, {TAC_REF_SLICE, row->owner, i, 0}};
        drawSource(d, row, &pending, &source);
    }
    flushBars(d, row, &pending);
}

static void drawRuns(tacDrawing *d, const tacFigureRow *row) {
    const tacProcessorModel *processor = &d->model->processors[row->owner];
    const uint8_t *lanes = d->rows->laneOfRun ? d->rows->laneOfRun[row->owner] : NULL;
    PendingBars pending = {.count = 0};
    for (uint32_t i = tacQueryFirstRun(d->model, row->owner, d->scale.from); i < processor->runs.count; i++) {
        const tacRun *run = &processor->runs.at[i];
        const tacSlice *slice = &d->model->tasks[run->task].slices.at[run->slice];
        if (slice->begin > d->scale.to) break;
        BarSource source = {slice, run->task, lanes ? lanes[i] : 0, {TAC_REF_RUN, row->owner, i, 0}};
        if (!d->tasksHidden || !d->tasksHidden[run->task]) drawSource(d, row, &pending, &source);
    }
    flushBars(d, row, &pending);
}

/* ---- bins -------------------------------------------------------------------------------------------------------- */

enum { PARTIAL_LOOKS = 8 }; /* slices that binSlices looks at for a bin of a quick figure: each stands for some */

/* The first slice that begins at or after a time. */
static uint32_t firstAfter(const tacTaskModel *task, int64_t time) {
    return tacPast(uint32_t, 0, task->slices.count, i, task->slices.at[i].begin < time);
}

typedef struct SliceBins { /* bins that slices are put into */
    tacBin *bins;
    uint32_t n;
    int64_t from, to;
    double width; /* ticks of a bin */
} SliceBins;

/* Adds a slice, which stands for `weight` slices. */
static void binSlice(const SliceBins *s, const tacSlice *slice, uint32_t index, uint32_t weight) {
    double begin = fmax(0, tacTicksBetween(s->from, slice->begin)),
           end = fmin(tacTicksBetween(s->from, slice->end), s->n * s->width);
    uint32_t first = (uint32_t) fmin(begin / s->width, s->n - 1), last = (uint32_t) fmin(end / s->width, s->n - 1);
    s->bins[first].begun += slice->begin >= s->from ? weight : 0;
    for (uint32_t b = first; b <= last; b++) {
        tacBin *bin = &s->bins[b];
        bin->first = bin->count ? bin->first : index;
        bin->count += weight;
        bin->time[slice->state] += (int64_t) (weight * (fmin(end, (b + 1) * s->width) - fmax(begin, b * s->width)));
    }
}

/*
 * Fills bins for a row whose task runs on several processors. The model has sums of whole tasks only, so this goes over
 * slices: first those that reach into the stretch of time, then those that begin in it.
 */
static void binSlices(
    const tacDrawing *d, const tacFigureRow *row, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    const tacTaskModel *task = &d->model->tasks[row->owner];
    SliceBins s = {bins, n, from, to, tacTicksBetween(from, to) / n};
    uint32_t inside = firstAfter(task, from), all = firstAfter(task, to) - inside;
    uint32_t step = d->tiles && all > PARTIAL_LOOKS * n ? all / (PARTIAL_LOOKS * n) : 1;
    for (uint32_t i = 0; i < n; i++) bins[i] = (tacBin){.count = 0, .first = TAC_NONE};
    for (uint32_t i = tacQuerySlice(d->model, row->owner, 0, from); i < inside;
         i = tacQuerySlice(d->model, row->owner, i + 1, from))
        if (!isElsewhere(row, &task->slices.at[i])) binSlice(&s, &task->slices.at[i], i, 1);
    for (uint32_t i = inside; i < inside + all; i += step)
        if (!isElsewhere(row, &task->slices.at[i])) binSlice(&s, &task->slices.at[i], i, step);
}

/* Fills n bins of a segment of time for a row. */
static void fillBins(
    const tacDrawing *d, const tacFigureRow *row, const tacSegment *segment, uint32_t n, tacBin *bins) {
    bool about = d->tiles != NULL;
    if (row->kind == TAC_FIGURE_ROW_PROCESSOR)
        (about ? tacLodProcessor : tacLodProcessor)(d->model, row->owner, segment->from, segment->to, n, bins);
    else if (row->partial) binSlices(d, row, segment->from, segment->to, n, bins);
    else (about ? tacLodTask : tacLodTask)(d->model, row->owner, segment->from, segment->to, n, bins);
}

/* The look of a bin. */
typedef struct BinLook {
    tacJobState state; /* the dominant one; TAC_STATE_NONE: the bin is empty */
    uint32_t task, color;
    int level; /* share of the bin that the state fills, 1 .. LEVELS: less makes its colour lighter */
} BinLook;

enum { LEVELS = 4 };

/* The dominant state of a bin; when several are, or nothing in it has a length, that of its first slice. */
static tacJobState stateOfBin(const tacDrawing *d, uint32_t task, uint32_t slice, const tacBin *bin) {
    tacJobState best = TAC_STATE_NONE;
    int64_t most = 0;
    bool equal = true;
    for (int state = 0; state < TAC_STATES; state++) {
        int64_t time = bin->time[state];
        equal = time > most ? false : equal || time == most;
        best = time > most ? (tacJobState) state : best;
        most = time > most ? time : most;
    }
    if (!equal || (most > 0 && d->tiles && bin->count > 16))
        return best; /* with so many slices the first does not matter, and fetching it from memory would take time */
    tacJobState first = (tacJobState) d->model->tasks[task].slices.at[slice].state;
    return best == TAC_STATE_NONE || bin->time[first] == bin->time[best] ? first : best;
}

/* The look of a bin, without its colour. */
static BinLook lookOfBin(tacDrawing *d, const tacFigureRow *row, const tacBin *bin, double ticks) {
    BinLook look = {TAC_STATE_NONE, row->owner, 0, LEVELS};
    if (bin->count == 0 || bin->first == TAC_NONE) return look;
    uint32_t slice = bin->first;
    if (row->kind == TAC_FIGURE_ROW_PROCESSOR) {
        look.task = d->model->processors[row->owner].runs.at[bin->first].task;
        slice = d->model->processors[row->owner].runs.at[bin->first].slice;
    }
    look.state = stateOfBin(d, look.task, slice, bin);
    if (look.state == TAC_STATE_RUNNING) {
        double share = (double) bin->time[TAC_STATE_RUNNING] / ticks;
        for (look.level = 1; look.level < LEVELS && share * LEVELS - 0.1 > look.level;) look.level++;
    }
    return look;
}

static uint32_t colorOfLook(tacDrawing *d, uint32_t task, int state, int level) {
    uint32_t color = tacTaskColor(d, task);
    return state == TAC_STATE_RUNNING ? tacColorMix(d->style.paper, color, 0.2 + 0.8 * level / LEVELS) : color;
}

static BinLook coloredLook(tacDrawing *d, const tacFigureRow *row, const tacBin *bin, double ticks) {
    BinLook look = lookOfBin(d, row, bin, ticks);
    look.color = look.state == TAC_STATE_NONE ? 0 : colorOfLook(d, look.task, look.state, look.level);
    return look;
}

static uint32_t countSlices(const tacDrawing *d, const tacFigureRow *row, int64_t from, int64_t to) {
    return (row->kind == TAC_FIGURE_ROW_PROCESSOR ? tacLodProcessorCount : tacLodTaskCount)(
        d->model, row->owner, from, to);
}

/* ---- summaries --------------------------------------------------------------------------------------------------- */

/* Adds the rectangle of a run of bins [first, end) that look the same. */
static void addRun(tacDrawing *d, const tacFigureRow *row, const tacSegment *segment, const tacBin *bins, uint32_t n,
    uint32_t first, uint32_t end, BinLook look) {
    double width = (segment->x1 - segment->x0) / n, ticks = tacTicksBetween(segment->from, segment->to) / n;
    uint32_t binned = 0;
    for (uint32_t i = first; i < end; i++) binned += bins[i].count;
    int64_t from = segment->from + (int64_t) (first * ticks), to = segment->from + (int64_t) (end * ticks);
    uint32_t count = row->partial ? binned : countSlices(d, row, from, to);
    tacRef ref = {TAC_REF_MERGED, row->owner, bins[first].first, count};
    if (count <= 1) ref.kind = row->kind == TAC_FIGURE_ROW_PROCESSOR ? TAC_REF_RUN : TAC_REF_SLICE;
    tacFigureRow whole = *row;
    whole.lanes = 1;
    addBar(d, &whole, 0, look.task, look.color, look.state, (float) (segment->x0 + first * width),
        (float) (segment->x0 + end * width), ref);
}

/* Counts the runs of bins that look the same; draws them if asked to. */
static uint32_t joinBins(
    tacDrawing *d, const tacFigureRow *row, const tacSegment *segment, const tacBin *bins, uint32_t n, bool draw) {
    uint32_t runs = 0, first = 0;
    double ticks = tacTicksBetween(segment->from, segment->to) / n;
    BinLook look = coloredLook(d, row, &bins[0], ticks);
    for (uint32_t i = 1; i <= n; i++) {
        BinLook next = i < n ? coloredLook(d, row, &bins[i], ticks) : (BinLook){TAC_STATES, 0, 0, 0};
        if (next.state == look.state && (look.state != TAC_STATE_RUNNING || next.color == look.color)) continue;
        if (look.state != TAC_STATE_NONE) {
            runs++;
            if (draw) addRun(d, row, segment, bins, n, first, i, look);
        }
        first = i;
        look = next;
    }
    return runs;
}

/* Draws from bins as fine as three a point, or from coarser ones if these give more items than the row's share. */
static void drawSummary(tacDrawing *d, const tacFigureRow *row, const tacSegment *segment) {
    double width = segment->x1 - segment->x0, share = width / (d->scale.x1 - d->scale.x0);
    uint32_t n = (uint32_t) ceil(width / fmax(3 * d->detail, 1 / slicesPerPoint));
    uint32_t most = (uint32_t) ceil(fmax(100, BAR_ITEMS / (double) d->shareRows) * share);
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

/* ---- summaries in tiles, of a quick figure ----------------------------------------------------------------------- */

typedef struct BarBin {
    uint32_t begun, active; /* slices that begin in the bin; slices under way at its begin */
    uint32_t first;         /* index of the first of these; TAC_NONE: there are none */
    uint32_t task;
    uint8_t state; /* dominant; TAC_STATE_NONE: nothing */
    uint8_t level; /* as in BinLook */
} BarBin;

static void fillTile(tacDrawing *d, const tacFigureRow *row, const tacTileKey *key, BarBin *out) {
    tacBin bins[TAC_TILE_BINS];
    int64_t from = tacTileTime(key->index << TAC_TILE_SHIFT, key->level),
            to = tacTileTime((key->index + 1) << TAC_TILE_SHIFT, key->level);
    double ticks = tacTicksBetween(from, to) / TAC_TILE_BINS;
    tacSegment segment = {from, to, 0, TAC_TILE_BINS};
    fillBins(d, row, &segment, TAC_TILE_BINS, bins);
    for (int i = 0; i < TAC_TILE_BINS; i++) {
        BinLook look = lookOfBin(d, row, &bins[i], ticks);
        out[i] = (BarBin){bins[i].begun, bins[i].count - bins[i].begun, bins[i].first, look.task, (uint8_t) look.state,
            (uint8_t) look.level};
    }
}

/* Bins of equal look that wait to become one rectangle. */
typedef struct BinRun {
    const BarBin *look; /* of the first; NULL: none */
    float x0, x1;
    uint32_t first, count; /* of the slices in it */
} BinRun;

static void flushRun(tacDrawing *d, const tacFigureRow *row, BinRun *run) {
    if (run->look) {
        bool processor = row->kind == TAC_FIGURE_ROW_PROCESSOR;
        tacRef ref = {run->count > 1 ? TAC_REF_MERGED
                : processor          ? TAC_REF_RUN
                                     : TAC_REF_SLICE,
            row->owner, run->first, run->count};
        uint32_t color = colorOfLook(d, run->look->task, run->look->state, run->look->level);
        addBar(d, row, 0, run->look->task, color, (tacJobState) run->look->state, run->x0, run->x1, ref);
    }
    run->look = NULL;
}

/* Adds a bin to the run of bins of the same look, or draws that run and begins another. */
static void drawBin(tacDrawing *d, const tacFigureRow *row, const BarBin *bin, float x0, float x1, BinRun *run) {
    const BarBin *look = run->look;
    if (look && look->state == bin->state && look->task == bin->task && look->level == bin->level) {
        run->count += bin->begun;
        run->x1 = x1;
        return;
    }
    flushRun(d, row, run);
    if (bin->state != TAC_STATE_NONE) *run = (BinRun){bin, x0, x1, bin->first, bin->begun + bin->active};
}

static void drawTiles(tacDrawing *d, const tacFigureRow *row) {
    tacTileKey key = {.owner = row->owner, .processor = row->partial ? row->processor : TAC_NO_PROCESSOR};
    key.kind = row->kind == TAC_FIGURE_ROW_PROCESSOR ? TAC_TILE_RUNS : TAC_TILE_BARS;
    tacTiled view = tacTiledOf(d, 4 * d->detail, key);
    tacFigureRow whole = *row;
    BinRun run = {.look = NULL};
    whole.lanes = 1;
    for (int64_t at = view.first; at < view.end;) {
        int from, to;
        bool fresh;
        BarBin *bins = tacTiledNext(d, &view, &at, sizeof *bins, &from, &to, &fresh);
        if (bins && fresh) fillTile(d, row, &view.key, bins);
        for (int k = from; bins && k < to; k++) {
            drawBin(d, &whole, &bins[k], (float) tacTiledX(&d->scale, &view, at - to + k, 0),
                (float) tacTiledX(&d->scale, &view, at - to + k, 1), &run);
        }
    }
    flushRun(d, &whole, &run);
}

/* ---- what is not known of a processor ---------------------------------------------------------------------------- */

/* Draws unknown stretches, under the bars. Each rectangle is at least `detail` wide and the next stretch is looked for
 * behind it, so the time this takes depends on pixels, not on the number of stretches. */
static void drawUnknown(tacDrawing *d, const tacFigureRow *row) {
    const tacProcessorModel *processor = &d->model->processors[row->owner];
    size_t n = processor->unknown.count;
    for (int64_t t = d->scale.from; t < d->scale.to;) {
        size_t next = tacPast(size_t, 0, n, i, processor->unknown.at[i].end <= t);
        if (next == n || processor->unknown.at[next].begin >= d->scale.to) return;
        const tacStretch *stretch = &processor->unknown.at[next];
        double x0 = tacScaleX(&d->scale, stretch->begin > t ? stretch->begin : t),
               x1 = fmax(tacScaleX(&d->scale, stretch->end), x0 + d->detail);
        tacItem *item = tacAddRect(d, TAC_LAYER_BARS, (float) x0, row->bar, (float) x1, row->bottom, d->style.unknown,
            (tacRef){TAC_REF_PROCESSOR, row->owner, 0, 0});
        d->seen |= TAC_SEEN_UNKNOWN;
        if (item) {
            item->pattern = TAC_PATTERN_GRAY25;
            item->ink = d->style.faint;
        }
        int64_t drawn = tacScaleTime(&d->scale, x1);
        t = drawn > stretch->end ? drawn : stretch->end;
    }
}

/* ---- the row ----------------------------------------------------------------------------------------------------- */

void tacDrawBars(tacDrawing *d, const tacFigureRow *row) {
    if (row->kind == TAC_FIGURE_ROW_PROCESSOR) drawUnknown(d, row);
    uint32_t count = countSlices(d, row, d->scale.from, d->scale.to);
    double width = d->scale.x1 - d->scale.x0,
           most = fmin(slicesPerPoint * width, fmax(200, 2.0 * BAR_ITEMS / (double) d->shareRows));
    most = d->tiles ? fmin(most, quickPerPoint * width) : most;
    d->crowded = count > crowdedPerPoint * width && count <= most;
    if (count <= most) {
        (row->kind == TAC_FIGURE_ROW_PROCESSOR ? drawRuns : drawSlices)(d, row);
        return;
    }
    if (d->tiles && d->scale.nSegments == 1) {
        drawTiles(d, row);
        return;
    }
    for (int i = 0; i < d->scale.nSegments; i++) drawSummary(d, row, &d->scale.segments[i]);
}
