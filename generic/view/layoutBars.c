/*
 * layoutBars.c -- the bars of a row: the states of jobs over time.
 *
 *      few slices    drawEach       slice by slice
 *      many          drawSummary    from the model's sums (model/lod.h); in a quick figure kept in tiles
 *
 * Either way slices that are wide enough to be seen are bars, and those that are narrower become columns of a density
 * band (layoutBand.c): so nothing changes where one way takes over from the other. No row takes more than its share of
 * the figure's items. A processor's row is dotted where nothing is known of the processor.
 */
#include "base/port.h"

#include "base/mem.h"
#include "base/search.h"
#include "model/lod.h"
#include "model/query.h"
#include "view/layout.h"

#include <math.h>
#include <string.h>

enum { FAINT_PIXELS = 10, LONE_PIXELS = 6 }; /* outlines of narrower bars are fainter */
enum { BAR_ITEMS = 16000 };                  /* bars, or columns, of a figure, about */
static const double slicesPerPoint = 3;      /* a row with more is drawn from sums */
static const double quickPerPoint = 0.25;    /* the same for a quick figure: one for about five pixels */
static const double crowdedPerPoint = 0.5;   /* in a row with more, narrow bars have no outlines */
static const double densePerPoint = 1 / 6.0; /* in a row with more, bars that have hardly a width have none, */
static const double nearPoints = 24;         /* nor where so many points around one have */
static const double nearSlices = 8;          /* more than so many */
static const double columnsPerPoint = 4;     /* of a file */
static const double barLeast = 1 / 3.0;      /* points, in a file: narrower slices become columns */

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
    const char *pattern = tacOwnPattern(d, task);
    if (pattern) {
        look.pattern = tacPatternWord(pattern, TAC_PATTERN_NONE);
        look.ink = look.fill;
        look.fill = look.pattern ? d->style.paper : look.fill;
    } else if (state != TAC_STATE_BETWEEN) look.pattern = tacRunPattern(d, task, look.fill, &look.ink);
    return look;
}

/* What the legend has of a state. */
static uint32_t seenOf(const tacDrawing *d, uint32_t task, tacJobState state) {
    switch (state) {
    case TAC_STATE_PREEMPTED: return TAC_SEEN_PREEMPTED;
    case TAC_STATE_BLOCKED: return TAC_SEEN_BLOCKED;
    case TAC_STATE_BETWEEN: return TAC_SEEN_BETWEEN;
    case TAC_STATE_UNKNOWN: return TAC_SEEN_UNKNOWN;
    default: return d->store->objects[TAC_TASK].at[task].isr ? TAC_SEEN_ISR : TAC_SEEN_ACTIVE;
    }
}

/* Is a bar so narrow that its outlines would leave nothing of its colour, in a row where many would be a black fence?
 */
static bool isThin(const tacDrawing *d, float x0, float x1) { return d->dense && x1 - x0 < 2 * d->style.line; }

/* Fills a thin bar, which has no outlines: dark enough to be seen without them; other states have the colours of
 * bands, since no pattern is seen in it. */
static void fillThin(tacDrawing *d, tacItem *item, const tacStateLook *look, tacJobState state, uint32_t seen) {
    const double least = 3; /* contrast to the paper */
    uint32_t color = look->pattern ? tacColorMix(look->fill, look->ink, 0.5) : look->fill;
    bool runs = state == TAC_STATE_RUNNING;
    item->fill = runs ? tacColorSeen(tacColorMix(color, d->style.ink, 0.3), d->style.paper, d->style.ink, least)
                      : tacBandColor(d, state);
    d->seenInBands |= runs ? 0 : seen;
}

/* Narrowest bar that has an area, points: in a file outlines would leave nothing of narrower ones, which are bars only
 * where they stand alone; in full rows they would hide one another. */
static float leastArea(const tacDrawing *d) { return d->tiles || d->crowded || d->dense ? 0.01f : (float) barLeast; }

/* Draws a bar without an area as a hairline in its colour, but dark enough to be seen on paper. */
static void addHair(
    tacDrawing *d, const tacStateLook *look, tacJobState state, float x, float top, float bottom, tacRef ref) {
    const double least = 4; /* contrast */
    uint32_t color = look->pattern ? tacColorMix(look->fill, look->ink, 0.5) : look->fill;
    bool runs = state == TAC_STATE_RUNNING;
    if (d->tiles) color = look->pattern ? d->style.ink : tacColorMix(look->fill, d->style.ink, 0.3);
    else color = tacColorSeen(runs ? color : tacBandColor(d, state), d->style.paper, d->style.ink, least);
    tacAddLine(d, TAC_LAYER_BARS, x, top, x, bottom, d->style.line, color, ref);
}

static void addBar(tacDrawing *d, const tacFigureRow *row, uint8_t lane, uint32_t task, uint32_t color,
    tacJobState state, float x0, float x1, tacRef ref) {
    tacStateLook look = lookOf(d, task, color, state);
    float top, bottom;
    tacLaneEdges(row, lane, &top, &bottom);
    if (state == TAC_STATE_BETWEEN && row->kind == TAC_FIGURE_ROW_TASK)
        top = row->bar, bottom = row->bottom; /* the task's own work, not a job's: no lane */
    top = bottom - (bottom - top) * look.height;
    uint32_t seen = seenOf(d, task, state);
    d->seen |= seen;
    bool hair = x1 - x0 < leastArea(d);
    d->tasksSeen[task] |= hair || isThin(d, x0, x1) ? TAC_IN_BANDS : TAC_IN_BARS;
    if (hair) {
        addHair(d, &look, state, (x0 + x1) / 2, top, bottom, ref);
        return;
    }
    tacItem *item = tacAddRect(d, TAC_LAYER_BARS, x0, top, x1, bottom, look.fill, ref);
    if (item && isThin(d, x0, x1)) fillThin(d, item, &look, state, seen);
    if (!item || isThin(d, x0, x1)) return;
    d->seenInBars |= seen;
    item->pattern = (uint8_t) look.pattern;
    item->ink = look.pattern ? look.ink : TAC_NO_COLOR;
    if (d->crowded && x1 - x0 < 3) {
        item->fill = state == TAC_STATE_RUNNING && !look.pattern ? tacColorMix(look.fill, d->style.ink, 0.3)
                                                                 : look.fill;
    } else if (look.outline) {
        item->outline = tacStyleOutline(&d->style, look.pattern ? TAC_NO_COLOR : look.fill);
        item->width = d->style.line; /* thinner for narrow bars, so that their colour can still be seen */
        if (x1 - x0 < 3 * d->style.line) item->width = fmaxf((x1 - x0) / 3, 0.1f);
        double pixels = (x1 - x0) / d->detail, share = pixels / FAINT_PIXELS; /* on a screen fainter, as it cannot be
                                                                                 thinner */
        if (d->tiles && pixels < TAC_BAR_PIXELS) {
            item->outline = TAC_NO_COLOR;
            item->fill = state == TAC_STATE_RUNNING ? look.fill : tacBandColor(d, state);
        } else if (d->tiles && share < 1) item->outline = tacColorMix(look.fill, item->outline, fmax(share, 0.25));
    }
}

/* ---- slice by slice ---------------------------------------------------------------------------------------------- */

/* Narrowest slice that is a bar, points. */
static double leastBar(const tacDrawing *d) { return d->tiles ? TAC_BAR_PIXELS * d->detail : barLeast; }

/* A slice of a row that is drawn; of a processor's, found by its run. */
typedef struct RowSlice {
    const tacSlice *slice;
    uint32_t task, index; /* index: of the slice, or run */
    uint8_t lane;
} RowSlice;

/* A row being drawn slice by slice, with those that become columns. */
typedef struct EachSlice {
    tacDrawing *d;
    const tacFigureRow *row;
    TAC_ARRAY(RowSlice) narrow;
    int lanes;        /* one more than the highest lane of these */
    tacShares shares; /* in a file, of a processor: its tasks that run longest in the figure; of none: as the band has
                       */
} EachSlice;

static uint32_t countSlices(const tacDrawing *d, const tacFigureRow *row, int64_t from, int64_t to) {
    if (row->kind == TAC_FIGURE_ROW_PROCESSOR) return tacLodProcessorCount(d->model, row->owner, from, to);
    if (row->partial) return tacLodPartCount(d->model, row->owner, row->processor, from, to);
    return tacLodTaskCount(d->model, row->owner, from, to);
}

/* Would outlines be a fence around a bar that has hardly a width? */
static bool isFence(const tacDrawing *d, const tacFigureRow *row, float x0, float x1) {
    double middle = (x0 + x1) / 2;
    if (d->dense || d->tiles || x1 - x0 >= 2 * d->style.line) return d->dense;
    return countSlices(d, row, tacScaleTime(&d->scale, middle - nearPoints / 2),
               tacScaleTime(&d->scale, middle + nearPoints / 2))
        > nearSlices;
}

static void addSliceBar(tacDrawing *d, const tacFigureRow *row, const RowSlice *s) {
    tacRef ref = {row->kind == TAC_FIGURE_ROW_TASK ? TAC_REF_SLICE : TAC_REF_RUN, row->owner, s->index, 0};
    float x0 = tacX(d, s->slice->begin), x1 = tacX(d, s->slice->end);
    bool everywhere = d->dense;
    d->dense = isFence(d, row, x0, x1);
    if (d->dense && s->slice->end > s->slice->begin) x1 = fmaxf(x1, x0 + (float) barLeast);
    addBar(d, row, s->lane, s->task, tacSliceColor(d, s->task, s->slice), (tacJobState) s->slice->state, x0, x1, ref);
    d->dense = everywhere;
}

static void drawSlice(EachSlice *each, RowSlice s) {
    tacDrawing *d = each->d;
    const tacSlice *slice = s.slice;
    if (!tacVisible(d, slice->begin, slice->end) || tacJobIndexHidden(d, slice->job)) return;
    if (tacTicksBetween(slice->begin, slice->end) * d->scale.perTick >= leastBar(d)) {
        addSliceBar(d, each->row, &s);
        return;
    }
    each->lanes = s.lane >= each->lanes ? s.lane + 1 : each->lanes;
    if (!tacArrayPush(&each->narrow, s)) d->display->failed = true;
}

static void eachSlice(EachSlice *each) {
    const tacDrawing *d = each->d;
    const tacFigureRow *row = each->row;
    const tacTaskModel *task = &d->model->tasks[row->owner];
    for (uint32_t i = tacQueryFirstSlice(d->model, row->owner, d->scale.from); i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->begin > d->scale.to) break;
        if (row->partial && slice->processor != row->processor) continue; /* in another panel */
        uint8_t lane = d->rows->laneOfJob && row->lanes > 1 ? d->rows->laneOfJob[slice->job] : 0;
        drawSlice(each, (RowSlice){slice, row->owner, i, lane});
    }
}

static void eachRun(EachSlice *each) {
    const tacDrawing *d = each->d;
    const tacProcessorModel *processor = &d->model->processors[each->row->owner];
    const uint8_t *lanes = d->rows->laneOfRun ? d->rows->laneOfRun[each->row->owner] : NULL;
    for (uint32_t i = tacQueryFirstRun(d->model, each->row->owner, d->scale.from); i < processor->runs.count; i++) {
        const tacRun *run = &processor->runs.at[i];
        const tacSlice *slice = tacRunSlice(d->model, *run);
        if (slice->begin > d->scale.to) break;
        if (!d->tasksHidden || !d->tasksHidden[run->task])
            drawSlice(each, (RowSlice){slice, run->task, i, lanes ? lanes[i] : 0});
    }
}

/* Number of columns of a segment in a file, within the row's share of the figure's items. */
uint32_t tacBandColumns(const tacDrawing *d, const tacSegment *segment) {
    double width = segment->x1 - segment->x0, share = width / (d->scale.x1 - d->scale.x0);
    double most = fmax(100, BAR_ITEMS / (double) d->shareRows) * share;
    return (uint32_t) fmax(ceil(fmin(width * columnsPerPoint, most)), 1);
}

/* Points beside a narrow slice in which nothing else may be, if it is to be a bar all the same. */
static double loneGap(const tacDrawing *d) { return d->tiles ? LONE_PIXELS * d->detail : 1; }

typedef struct WideSlices {
    tacDrawing *d;
    tacFigureRow row;
    uint8_t lane;
} WideSlices;

static void drawWide(void *data, const tacSlice *slice, uint32_t index) {
    WideSlices *wide = data;
    bool processor = wide->row.kind == TAC_FIGURE_ROW_PROCESSOR;
    uint32_t task = processor ? wide->d->model->processors[wide->row.owner].runs.at[index].task : wide->row.owner;
    addSliceBar(wide->d, &wide->row, &(RowSlice){slice, task, index, wide->lane});
}

/* Is some of a slice in a segment? An instant may be at its very begin or end. */
static bool isWithin(const tacSlice *slice, const tacSegment *segment) {
    if (slice->begin == slice->end) return slice->begin >= segment->from && slice->begin <= segment->to;
    return slice->end > segment->from && slice->begin < segment->to;
}

/* Draws the narrow slices of a lane in the columns of a segment (NULL: of the window). */
static void drawNarrow(const EachSlice *each, const tacSegment *segment, int lane) {
    tacDrawing *d = each->d;
    tacBand columns;
    bool made = segment ? tacBandOf(d, each->row, segment, tacBandColumns(d, segment), &columns)
                        : tacBandTiled(d, each->row, &columns);
    float top, bottom;
    if (made && each->shares.of == TAC_SHARE_TASK) columns.shares = each->shares;
    if (made) tacBandClear(&columns);
    for (size_t i = 0; made && i < each->narrow.count; i++) {
        const RowSlice *s = &each->narrow.at[i];
        if (s->lane == lane && (!segment || isWithin(s->slice, segment)))
            tacBandAdd(&columns, s->slice, s->task, s->index);
    }
    tacLaneEdges(each->row, (uint8_t) lane, &top, &bottom);
    WideSlices lone = {d, *each->row, (uint8_t) lane};
    if (made) tacBandTakeLone(&columns, loneGap(d), drawWide, &lone);
    if (made) tacBandDraw(&columns, top, bottom);
    tacBandFree(&columns);
}

/* What later bars cover of a line of pixels. */
typedef struct Cover {
    float from, to;
} Cover;

/* Cuts a bar where later ones lie over all the rest of it, and adds it to what is covered. False: it is hidden. */
static bool cutBar(const tacDrawing *d, tacItem *item, Cover *cover) {
    float x0 = fmaxf(item->x0, d->left), x1 = fminf(item->x1, d->right), from = cover->from;
    bool touches = cover->to > cover->from && x1 >= from, hidden = touches && x1 <= cover->to && from <= x0;
    if (touches && x1 <= cover->to && !hidden) item->x1 = from;
    if (item->fill == TAC_NO_COLOR || hidden) return !hidden;
    *cover = (Cover){x0, touches ? fmaxf(cover->to, x1) : x1};
    return true;
}

/*
 * Draws the bars from item `first` on in lines of pixels, since lanes are lower than one: each line shows the last of
 * the bars there. Painting hundreds that none sees would take longer than a frame; and outlines would hide all colours.
 */
static void flattenLanes(tacDrawing *d, const tacFigureRow *row, size_t first) {
    enum { LINES = TAC_LANES_MAX + 1 };
    tacItem *items = d->display->items.at;
    size_t count = d->display->items.count, kept = count;
    float pixel = (float) d->detail;
    Cover covers[LINES] = {{0, 0}};
    for (size_t i = count; i-- > first;) {
        tacItem item = items[i];
        int line = (int) fmaxf(0, (row->bottom - item.y1) / pixel);
        if (item.kind == TAC_ITEM_RECT && item.y1 - item.y0 <= pixel && line < LINES) {
            item.y1 = row->bottom - (float) line * pixel;
            item.y0 = item.y1 - pixel;
            item.outline = TAC_NO_COLOR;
            if (!cutBar(d, &item, &covers[line])) continue;
        }
        items[--kept] = item;
    }
    memmove(items + first, items + kept, (count - kept) * sizeof *items);
    d->display->items.count = first + count - kept;
}

/* Chooses the tasks that a processor's band tells apart by what runs in the figure, since those of the whole trace may
 * have nothing there. A window keeps these, so that no colours change while it moves. */
static void chooseShares(EachSlice *each) {
    tacDrawing *d = each->d;
    each->shares = tacSharesOf(d, each->row);
    if (d->tiles || each->shares.of != TAC_SHARE_TASK || !each->narrow.count) return;
    double *times = tacAllocZero(d->rows->nTasks + (size_t) 1, sizeof *times);
    if (!times) {
        d->display->failed = true;
        return;
    }
    for (size_t i = 0; i < each->narrow.count; i++)
        times[each->narrow.at[i].task] += 1
            + tacTicksBetween(each->narrow.at[i].slice->begin, each->narrow.at[i].slice->end);
    each->shares.n = 0;
    for (uint32_t task = 0; task < d->rows->nTasks; task++)
        if (times[task] > 0) tacShareInsert(&each->shares, times, task);
    tacFree(times);
}

static void drawEach(tacDrawing *d, const tacFigureRow *row) {
    EachSlice each = {.d = d, .row = row};
    size_t first = d->display->items.count;
    (row->kind == TAC_FIGURE_ROW_PROCESSOR ? eachRun : eachSlice)(&each);
    chooseShares(&each);
    if (d->tiles && row->bottom - row->bar < (float) (row->lanes * d->detail)) flattenLanes(d, row, first);
    for (int lane = 0; lane < each.lanes; lane++) {
        if (d->tiles && d->scale.nSegments == 1) drawNarrow(&each, NULL, lane);
        for (int i = 0; i < d->scale.nSegments && !(d->tiles && d->scale.nSegments == 1); i++)
            drawNarrow(&each, &d->scale.segments[i], lane);
    }
    tacArrayFree(&each.narrow);
}

/* ---- from sums --------------------------------------------------------------------------------------------------- */

static void drawColumns(tacDrawing *d, const tacFigureRow *row, tacBand *columns) {
    WideSlices wide = {d, *row, 0};
    wide.row.lanes = 1;
    tacBandFill(columns);
    tacBandTakeWide(columns, leastBar(d), drawWide, &wide);
    tacBandTakeLone(columns, loneGap(d), drawWide, &wide);
    tacBandDraw(columns, row->bar, row->bottom);
}

/* ---- missed deadlines of a row that is drawn from sums ------------------------------------------------------------
 */

/* Marks of misses side by side that wait to become one. */
typedef struct MissMark {
    tacDrawing *d;
    const tacFigureRow *row;
    uint16_t processor; /* only of jobs that were there last; TAC_NO_PROCESSOR: all */
    float pixel;        /* points */
    float x0, x1;       /* of the mark; x1 < x0: none */
    float right;        /* end of the mark before */
    uint32_t job, n;    /* the first one, and how many */
} MissMark;

/* Adds the mark: over the whole bar if it is narrow and nothing is near it, else over its upper edge, which leaves the
 * band in sight. `next`: place of the next one. */
static void flushMiss(MissMark *m, float next) {
    tacDrawing *d = m->d;
    float over = 2 * m->pixel;
    float gap = 2 * LONE_PIXELS * m->pixel;
    bool alone = m->x1 - m->x0 <= gap && m->x0 - m->right >= gap && next - m->x1 >= gap;
    if (m->x1 < m->x0) return;
    tacAddRect(d, TAC_LAYER_TEXT, m->x0, m->row->bar - over, fmaxf(m->x1, m->x0 + over),
        alone ? m->row->bottom + over : m->row->bar + over, d->style.late,
        (tacRef){TAC_REF_MISSES, m->row->owner, m->job, m->n});
    d->seen |= TAC_SEEN_LATE;
    m->right = m->x1;
    m->x1 = -INFINITY;
}

/* Joins n misses at a place to the mark, if that is near, or to another one. */
static void addMiss(MissMark *m, float x, uint32_t job, uint32_t n) {
    if (m->x1 >= m->x0 && x > m->x1 + m->pixel) flushMiss(m, x);
    if (m->x1 < m->x0) {
        m->x0 = x;
        m->job = job;
        m->n = 0;
    }
    m->x1 = x + m->pixel;
    m->n += n;
}

/* Draws the misses of a task, pixel by pixel. A few of each pixel are looked at for one on the processor. */
static void drawMisses(MissMark *m, uint32_t task) {
    enum { LOOKED = 16 };
    tacDrawing *d = m->d;
    const tacJob *jobs = d->model->jobs.at;
    uint32_t n;
    const uint32_t *missed = tacLodMissed(d->model, task, &n);
    uint32_t i = tacPast(uint32_t, 0, n, k, jobs[missed[k]].deadline < d->scale.from);
    for (uint32_t end, at; i < n && jobs[missed[i]].deadline <= d->scale.to; i = end) {
        float x = tacX(d, jobs[missed[i]].deadline);
        end = tacPastNear(uint32_t, i + 1, n, k, tacX(d, jobs[missed[k]].deadline) < x + m->pixel);
        for (at = i; at < end && at < i + LOOKED; at++)
            if ((m->processor == TAC_NO_PROCESSOR || jobs[missed[at]].processor == m->processor)
                && !tacJobIndexHidden(d, missed[at]))
                break;
        if (at < end && at < i + LOOKED) addMiss(m, x, missed[at], end - i);
        if (x >= d->scale.x1) break;
    }
    flushMiss(m, INFINITY);
    m->right = -INFINITY;
}

static void drawDenseMisses(tacDrawing *d, const tacFigureRow *row) {
    bool processor = row->kind == TAC_FIGURE_ROW_PROCESSOR;
    uint16_t only = processor ? (uint16_t) row->owner : row->partial ? row->processor : TAC_NO_PROCESSOR;
    MissMark mark = {d, row, only, d->tiles ? (float) d->detail : 1 / 3.0f, 0, -INFINITY, -INFINITY, 0, 0};
    for (uint32_t task = processor ? 0 : row->owner; task < (processor ? d->rows->nTasks : row->owner + 1); task++)
        if (!processor || !tacNotInRow(d, row, task)) drawMisses(&mark, task);
}

static void drawSummary(tacDrawing *d, const tacFigureRow *row) {
    tacBand columns;
    bool tiled = d->tiles && d->scale.nSegments == 1;
    tacShares shares;
    if (!d->tiles) shares = tacSharesWithin(d, row);
    for (int i = 0; i < (tiled ? 1 : d->scale.nSegments); i++) {
        const tacSegment *segment = &d->scale.segments[i];
        if (tiled ? tacBandTiled(d, row, &columns) : tacBandOf(d, row, segment, tacBandColumns(d, segment), &columns)) {
            if (!d->tiles) columns.shares = shares;
            drawColumns(d, row, &columns);
        }
        tacBandFree(&columns);
    }
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
        d->seenInBars |= TAC_SEEN_UNKNOWN;
        if (item) {
            item->pattern = TAC_PATTERN_GRAY25;
            item->ink = d->style.faint;
        }
        int64_t drawn = tacScaleTime(&d->scale, x1);
        t = drawn > stretch->end ? drawn : stretch->end;
    }
}

/* ---- the row ----------------------------------------------------------------------------------------------------- */

static bool isBand(const tacItem *item) { return item->kind == TAC_ITEM_PATH && item->layer == TAC_LAYER_BARS; }

/* Puts the bands among the items from `first` on before all others, since a column may reach over the edge of a bar. */
static void putBandsBehind(tacDrawing *d, size_t first) {
    tacItem *items = d->display->items.at;
    size_t count = d->display->items.count, bands = 0, last = count, to = count;
    while (first < count && isBand(&items[first])) first++;
    for (size_t i = first; i < count; i++) bands += isBand(&items[i]);
    tacItem *kept = bands ? tacAlloc(bands * sizeof *kept) : NULL;
    if (bands && !kept) d->display->failed = true;
    if (!kept) return;
    for (size_t n = bands; last-- > first;) {
        if (isBand(&items[last])) kept[--n] = items[last];
        else items[--to] = items[last];
    }
    memcpy(items + first, kept, bands * sizeof *kept);
    tacFree(kept);
}

void tacDrawBars(tacDrawing *d, const tacFigureRow *row) {
    if (row->kind == TAC_FIGURE_ROW_PROCESSOR) drawUnknown(d, row);
    uint32_t count = countSlices(d, row, d->scale.from, d->scale.to);
    double width = d->scale.x1 - d->scale.x0,
           most = fmin(slicesPerPoint * width, fmax(200, 2.0 * BAR_ITEMS / (double) d->shareRows));
    most = d->tiles ? fmin(most, quickPerPoint * width) : most;
    d->crowded = !d->tiles && count > crowdedPerPoint * width && count <= most;
    d->dense = !d->tiles && count > densePerPoint * width;
    size_t first = d->display->items.count;
    (count <= most ? drawEach : drawSummary)(d, row);
    putBandsBehind(d, first);
    if (tacShows(d, TAC_SHOW_MISSES)) (count <= most ? tacDrawMisses : drawDenseMisses)(d, row);
}
