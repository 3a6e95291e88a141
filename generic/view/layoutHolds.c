/*
 * layoutHolds.c -- critical sections: over a bar that runs, the colour and pattern of each mutex its job holds.
 *
 * A hold is cut to the running slices of its job. Rectangles of holds have no fill, so that the patterns of nested
 * holds lie over one another; only an outermost one on a bar of about its own lightness lies on a paler ground. An
 * inner hold whose pattern is taken by an outer one gets the crossing pattern, or another.
 */
#include "base/port.h"

#include "base/search.h"
#include "model/query.h"
#include "view/layout.h"

#include <math.h>
#include <string.h>

enum { NESTED_MOST = 6 };                 /* holds in one another that are told apart by pattern */
static const double holdsPerPoint = 2;    /* with more, holds are merged */
static const double quickPerPoint = 0.25; /* the same for a quick figure */

tacPattern tacMutexPattern(const tacDrawing *d, uint32_t mutex) {
    return tacPatternWord(tacObjectText(d->store, TAC_MUTEX, mutex, TAC_OPT_PATTERN), d->style.criticalPattern);
}

/* The hold of the same job that this one is directly nested in; TAC_NONE: none. */
static uint32_t outerOf(const tacTaskModel *task, uint32_t index) {
    const tacHold *hold = &task->holds.at[index];
    for (uint32_t i = index, looked = 0; hold->depth && i-- > 0 && looked < 64; looked++) {
        const tacHold *other = &task->holds.at[i];
        if (other->job == hold->job && other->depth + 1 == hold->depth && other->end > hold->begin) return i;
    }
    return TAC_NONE;
}

/* A mutex's own pattern; if that is taken, the one that crosses it, else any lines. `taken`: a bit for each pattern. */
static tacPattern freePattern(tacPattern own, uint32_t taken) {
    static const uint8_t crossing[TAC_PATTERNS] = {
        [TAC_PATTERN_LINES_UP] = TAC_PATTERN_LINES_DOWN,
        [TAC_PATTERN_LINES_DOWN] = TAC_PATTERN_LINES_UP,
        [TAC_PATTERN_LINES_VERTICAL] = TAC_PATTERN_LINES_HORIZONTAL,
        [TAC_PATTERN_LINES_HORIZONTAL] = TAC_PATTERN_LINES_VERTICAL,
    };
    const tacPattern choice[] = {own, crossing[own] ? (tacPattern) crossing[own] : own, TAC_PATTERN_LINES_VERTICAL,
        TAC_PATTERN_LINES_HORIZONTAL, TAC_PATTERN_LINES_UP, TAC_PATTERN_LINES_DOWN};
    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++)
        if (!(taken >> choice[i] & 1)) return choice[i];
    return own;
}

/*
 * The pattern of a hold. From the outermost hold inwards, each takes a pattern that those around it do not have, since
 * equal ones would hide one another.
 */
static tacPattern patternOfHold(const tacDrawing *d, const tacTaskModel *task, uint32_t index) {
    uint32_t nest[NESTED_MOST], n = 0, taken = 0;
    tacPattern pattern = TAC_PATTERN_NONE;
    for (; index != TAC_NONE && n < NESTED_MOST; index = outerOf(task, index)) nest[n++] = index;
    while (n-- > 0) {
        pattern = freePattern(tacMutexPattern(d, task->holds.at[nest[n]].mutex), taken);
        taken |= 1u << pattern;
    }
    return pattern;
}

/* The colour of a bar mixed with paper where the lines of a pattern could hardly be seen on it: thin lines lighter than
 * the bar need more contrast. TAC_NO_COLOR: it stays as it is. */
uint32_t tacHoldGround(const tacDrawing *d, uint32_t bar, uint32_t ink) {
    const double dark = 1.6, light = 2.5; /* dark: less than red on dark gray, as the published player has it */
    const double wanted = 2, most = 0.75, step = 0.15;
    uint32_t ground = bar;
    if (tacColorContrast(bar, ink) >= (tacColorLightness(ink) > tacColorLightness(bar) ? light : dark))
        return TAC_NO_COLOR;
    for (double share = step; share <= most; share += step) {
        ground = tacColorMix(bar, d->style.paper, share);
        bool same = (tacColorLightness(ground) > tacColorLightness(ink))
            == (tacColorLightness(d->style.paper) > tacColorLightness(ink)); /* it has come past the ink */
        if (same && tacColorContrast(ground, ink) >= wanted) break;
    }
    return ground;
}

/* bar: colour of the bar under the hold; TAC_NO_COLOR: another hold lies between them. */
static void addHold(tacDrawing *d, const tacFigureRow *row, uint8_t lane, uint32_t mutex, tacPattern pattern, float x0,
    float x1, uint32_t bar, tacRef ref) {
    const char *color = tacObjectText(d->store, TAC_MUTEX, mutex, TAC_OPT_COLOR);
    float top, bottom;
    tacLaneEdges(row, lane, &top, &bottom);
    tacItem *item = tacAddRect(d, TAC_LAYER_PATTERNS, x0, top, x1, bottom, TAC_NO_COLOR, ref);
    d->mutexesSeen[mutex] = 1;
    d->seen |= TAC_SEEN_CRITICAL;
    if (!item) return;
    item->pattern = (uint8_t) pattern;
    item->ink = tacStyleParse(
        &d->style, color, d->style.critical, d->store->objects[TAC_MUTEX].at[mutex].line, d->diag);
    if (bar != TAC_NO_COLOR && (bar != d->groundBar || item->ink != d->groundInk)) {
        d->ground = tacHoldGround(d, bar, item->ink);
        d->groundBar = bar, d->groundInk = item->ink;
    }
    if (bar != TAC_NO_COLOR) item->fill = d->ground;
    if (x1 - x0 > 2 * d->style.line) {
        item->outline = d->style.ink;
        item->width = d->style.line;
    }
}

/* Adds a piece of the strip of dense holds, which is the darker the more begin in a step. */
static void addStrip(
    tacDrawing *d, const tacFigureRow *row, uint32_t mutex, float x0, float x1, double each, tacRef ref) {
    const char *text = tacObjectText(d->store, TAC_MUTEX, mutex, TAC_OPT_COLOR);
    uint32_t line = d->store->objects[TAC_MUTEX].at[mutex].line,
             color = tacStyleParse(&d->style, text, d->style.critical, line, d->diag);
    double strength = round(4 * (0.3 + 0.7 * (1 - exp(-each / 2)))) / 8;
    float pixel = d->tiles ? (float) d->detail : 1 / 3.0f; /* below the baseline, so that it hides nothing */
    tacAddRect(d, TAC_LAYER_PATTERNS, x0, row->bottom + pixel, x1, row->bottom + 3 * pixel,
        tacColorMix(d->style.paper, color, strength), ref);
    d->mutexesSeen[mutex] = 1;
    d->seen |= TAC_SEEN_CRITICAL;
}

/* Draws one hold: a rectangle for each slice in which its job runs. */
static void drawHold(tacDrawing *d, const tacFigureRow *row, uint32_t index) {
    const tacTaskModel *task = &d->model->tasks[row->owner];
    const tacHold *hold = &task->holds.at[index];
    int64_t from = hold->begin > d->scale.from ? hold->begin : d->scale.from,
            to = hold->end < d->scale.to ? hold->end : d->scale.to;
    tacPattern pattern = patternOfHold(d, task, index);
    bool hasPattern = tacOwnPattern(d, row->owner);
    uint8_t lane = d->rows->laneOfJob && row->lanes > 1 ? d->rows->laneOfJob[hold->job] : 0;
    for (uint32_t i = tacQueryFirstSlice(d->model, row->owner, from);
         i < task->slices.count && task->slices.at[i].begin < to; i++) {
        const tacSlice *slice = &task->slices.at[i];
        bool runs = slice->state == TAC_STATE_RUNNING || slice->state == TAC_STATE_BETWEEN;
        if (slice->job != hold->job || !runs || (row->partial && slice->processor != row->processor)) continue;
        int64_t begin = slice->begin > from ? slice->begin : from, end = slice->end < to ? slice->end : to;
        if (d->tiles && tacTicksBetween(slice->begin, slice->end) * d->scale.perTick < TAC_BAR_PIXELS * d->detail) {
            float x = tacX(d, begin), pixel = (float) d->detail;
            addStrip(d, row, hold->mutex, x, fmaxf(tacX(d, end), x + pixel), 2,
                (tacRef){TAC_REF_HOLD, row->owner, index, 0});
        } else if (begin < end) {
            bool lowest = hold->depth == 0 && slice->state == TAC_STATE_RUNNING && !hasPattern;
            addHold(d, row, lane, hold->mutex, pattern, tacX(d, begin), tacX(d, end),
                lowest ? tacSliceColor(d, row->owner, slice) : TAC_NO_COLOR,
                (tacRef){TAC_REF_HOLD, row->owner, index, 0});
        }
    }
}

/* First hold at or after place `low` that begins at or after `time`. */
static uint32_t findHold(const tacTaskModel *task, uint32_t low, int64_t time) {
    return tacPastNear(uint32_t, low, task->holds.count, i, task->holds.at[i].begin < time);
}

/*
 * Draws dense holds as a thin strip below the baseline. Holds of one mutex that begin within half a point (in a quick
 * figure, three times its detail) become one, and neighbours of one mutex are joined.
 */
static void drawMerged(tacDrawing *d, const tacFigureRow *row, uint32_t first, uint32_t end) {
    const tacTaskModel *task = &d->model->tasks[row->owner];
    float step = d->tiles ? 3 * (float) d->detail : 0.5f, least = d->tiles ? step : 0.3f;
    for (uint32_t i = first; i < end;) {
        uint32_t begin = i, mutex = task->holds.at[i].mutex;
        float x0 = tacX(d, task->holds.at[i].begin), x1 = x0;
        while (i < end && task->holds.at[i].mutex == mutex && tacX(d, task->holds.at[i].begin) - x1 < least) {
            float from = tacX(d, task->holds.at[i].begin);
            uint32_t next = findHold(task, i + 1, tacScaleTime(&d->scale, from + step));
            i = next < end ? next : end;
            x1 = fmaxf(from + least, tacX(d, task->holds.at[i - 1].end));
        }
        x1 = d->tiles ? fminf(x1, (float) d->scale.x1) : x1;
        addStrip(d, row, mutex, x0, x1, (i - begin) * step / fmaxf(x1 - x0, step),
            (tacRef){TAC_REF_HOLDS, row->owner, begin, i - begin});
    }
}

static void drawTask(tacDrawing *d, const tacFigureRow *row) {
    const tacTaskModel *task = &d->model->tasks[row->owner];
    if (!task->holds.count) return;
    uint32_t first = tacQueryFirstHold(d->model, row->owner, d->scale.from), end = findHold(task, first, d->scale.to);
    if (end - first > (d->tiles ? quickPerPoint : holdsPerPoint) * (d->scale.x1 - d->scale.x0)) {
        drawMerged(d, row, first, end);
        return;
    }
    for (uint32_t i = first; i < end; i++)
        if (tacVisible(d, task->holds.at[i].begin, task->holds.at[i].end)
            && !tacJobIndexHidden(d, task->holds.at[i].job))
            drawHold(d, row, i);
}

/* Draws the holds of a task's row, or those of all tasks that run on the processor of a row. */
void tacDrawHolds(tacDrawing *d, const tacFigureRow *row) {
    d->groundBar = TAC_NO_COLOR;
    if (row->kind == TAC_FIGURE_ROW_TASK) {
        drawTask(d, row);
        return;
    }
    for (uint32_t task = 0; task < d->rows->nTasks; task++) {
        tacFigureRow here = *row;
        here.owner = task;
        here.partial = true;
        here.processor = (uint16_t) row->owner;
        here.lanes = 1;
        if (!tacNotInRow(d, row, task)) drawTask(d, &here);
    }
}
