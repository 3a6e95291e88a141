/*
 * layoutBarText.c -- texts inside of bars: the id of the job that runs (in the row of a processor its task), or for how
 * long.
 *
 * Only where it fits as a whole, in rows with so few slices that texts have room; over patterns on a plate of the bar's
 * colour, and beside what crosses the bar: arrows in the rtsched convention, migrations, very short slices, dividers.
 * Where holds divide a bar, a job's id stands in the widest part, and how long the bar is has arrows to its edges.
 */
#include "base/port.h"

#include "base/print.h"
#include "model/lod.h"
#include "model/query.h"
#include "view/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TEXT_SIZE = 64, /* bytes of a text */
    TEXTS_MOST = 48 /* slices in sight of a row with texts */
};
static const float textLeast = 4.5f;  /* points: least size */
static const float arrowLeast = 5.5f; /* points: an arrow from a text to the edge of its bar */

/* An upright line across bars, points. */
typedef struct Crossing {
    float x, top, bottom;
} Crossing;

/* A row that gets texts, when all else of it is drawn. */
typedef struct BarTexts {
    tacDrawing *d;
    const tacFigureRow *row;
    TAC_ARRAY(Crossing) crossings;
} BarTexts;

/* Adds what crosses the row's bars of the display's items [first, end). */
static void addCrossings(BarTexts *t, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        const tacItem *item = &t->d->display->items.at[i];
        bool line = item->kind == TAC_ITEM_LINE && item->x0 == item->x1 && item->layer != TAC_LAYER_BACK;
        bool thin = item->kind == TAC_ITEM_RECT && item->layer == TAC_LAYER_BARS && item->x1 - item->x0 < 1;
        if (!line && !thin) continue;
        Crossing crossing = {(item->x0 + item->x1) / 2, fminf(item->y0, item->y1), fmaxf(item->y0, item->y1)};
        if (crossing.top < t->row->bottom && crossing.bottom > t->row->bar && !tacArrayPush(&t->crossings, crossing))
            t->d->display->failed = true;
    }
}

/* A duration with three digits, in a unit of the right size where the trace tells its own. */
static void durationText(const tacDrawing *d, int64_t ticks, char text[TEXT_SIZE]) {
    static const char *const units[] = {"s", "ms", "\xC2\xB5s", "ns"};
    double value = (double) ticks / pow(10, d->store->digits);
    int unit = 0;
    if (!d->store->unit || strcmp(d->store->unit, "s") != 0) {
        tacPrint(text, TEXT_SIZE, value >= 1e4 && value < 1e9 ? "%.0f" : "%.4g", value); /* the axis has no 1e+04 */
        return;
    }
    while (value > 0 && value < 0.9995 && unit < 3) value *= 1000, unit++;
    tacPrint(text, TEXT_SIZE, "%.*f %s", value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value, units[unit]);
}

/* The id of a job; of one that ends in a number behind a dot or the like only that number, since the row has the rest.
 */
static const char *jobText(const tacDrawing *d, uint32_t id) {
    const char *text = tacObjectId(d->store, TAC_JOB, id), *end = text + strlen(text), *number = end;
    while (number > text && number[-1] >= '0' && number[-1] <= '9') number--;
    return number > text && number < end && strchr("._-/ :#", number[-1]) ? number : text;
}

/* Does a mutex' pattern lie over some of the slice? */
static bool isHeld(const tacDrawing *d, uint32_t task, const tacSlice *slice) {
    const tacTaskModel *model = &d->model->tasks[task];
    if (!model->holds.count || !tacShows(d, TAC_SHOW_MUTEXES)) return false;
    uint32_t i = tacQueryFirstHold(d->model, task, slice->begin);
    return i < model->holds.count && model->holds.at[i].begin < slice->end;
}

/* The text of a slice: how long it is; its job; in a row of all tasks of a processor its task, where jobs are wanted.
 */
static const char *textOf(
    const tacDrawing *d, const tacFigureRow *row, uint32_t task, const tacSlice *slice, char buffer[TEXT_SIZE]) {
    if (d->figure->barText == TAC_BAR_TEXT_DURATION) {
        durationText(d, slice->end - slice->begin, buffer);
        return buffer;
    }
    if (row->kind == TAC_FIGURE_ROW_PROCESSOR) return tacObjectName(d->store, TAC_TASK, task);
    return d->model->tasks[task].nJobs > 1 ? jobText(d, d->model->jobs.at[slice->job].id) : ""; /* 1 tells nothing */
}

/* A bar, or the part of it in which a text is to stand, points; and what crosses it. */
enum { CROSSINGS_MOST = 64 };
typedef struct Place {
    float x0, x1, top, bottom;
    size_t n;
    float crossings[CROSSINGS_MOST]; /* x */
} Place;

static bool addCrossing(Place *place, float x) {
    if (x <= place->x0 || x >= place->x1) return true;
    if (place->n == CROSSINGS_MOST) return false;
    place->crossings[place->n++] = x;
    return true;
}

/* Lists the lines that cross the place, and the dividers of intervals, which are drawn later. False: too many. */
static bool findCrossings(const BarTexts *t, Place *place) {
    const float touch = 0.5f;
    const tacDrawing *d = t->d;
    const uint32_t *dividers = d->model->intervals.at;
    size_t n = d->model->intervals.count,
           at = n ? tacListFind(d->store, dividers, n, tacScaleTime(&d->scale, place->x0)) : 0;
    for (size_t i = 0; i < t->crossings.count; i++) {
        const Crossing *crossing = &t->crossings.at[i];
        if (crossing->top < place->bottom - touch && crossing->bottom > place->top + touch
            && !addCrossing(place, crossing->x))
            return false;
    }
    for (float x; at < n && (x = tacX(d, tacRowTime(d->store, dividers[at]))) < place->x1; at++)
        if (!addCrossing(place, x)) return false;
    return true;
}

/* Is there room around x for half a text, with air to lines that cross the place? */
static bool isFree(const Place *place, float x, float half, float air) {
    const float edge = 1, rounding = 0.01f;
    bool free = x - half >= place->x0 + edge - rounding && x + half <= place->x1 - edge + rounding;
    for (size_t i = 0; i < place->n && free; i++) free = fabsf(place->crossings[i] - x) >= half + air - rounding;
    return free;
}

/* The middle of a text of this width: that of the place, or the nearest to it that is beside a line. NAN: nowhere. */
static float placeText(const BarTexts *t, Place *place, float width) {
    /* Heads of arrows are 1.6 points to each side; those of several tasks have squares at their tails. */
    float air = t->row->kind == TAC_FIGURE_ROW_TASK ? 2 : tacOwnerHalf(t->d, t->d->hatched) + 1, half = width / 2;
    float middle = (place->x0 + place->x1) / 2, best = NAN;
    if (!findCrossings(t, place)) return NAN;
    if (place->n == 0 || isFree(place, middle, half, air)) return width <= place->x1 - place->x0 ? middle : NAN;
    for (size_t i = 0; i < 2 * place->n; i++) {
        float x = place->crossings[i / 2] + (i % 2 ? half + air : -half - air);
        if (isFree(place, x, half, air) && !(fabsf(x - middle) >= fabsf(best - middle))) best = x;
    }
    return best;
}

/* Lists the edges of a bar and of the holds in it, ascending; returns their number. */
enum { EDGES_MOST = 34 };
static size_t listEdges(
    const tacDrawing *d, uint32_t task, const tacSlice *slice, const Place *bar, float edges[EDGES_MOST]) {
    const tacTaskModel *model = &d->model->tasks[task];
    size_t n = 2;
    edges[0] = bar->x0, edges[1] = bar->x1;
    uint32_t i = tacQueryFirstHold(d->model, task, slice->begin);
    for (; i < model->holds.count && model->holds.at[i].begin < slice->end && n + 2 <= EDGES_MOST; i++) {
        float x[] = {tacX(d, model->holds.at[i].begin), tacX(d, model->holds.at[i].end)};
        for (int k = 0; k < 2; k++) {
            size_t at = n;
            if (x[k] <= edges[0] || x[k] >= edges[n - 1]) continue;
            for (; edges[at - 1] > x[k]; at--) edges[at] = edges[at - 1];
            edges[at] = x[k];
            n++;
        }
    }
    return n;
}

/* Narrows a bar to its widest part without an edge of a hold. */
static void findPart(const float *edges, size_t n, Place *bar) {
    float widest = 0;
    for (size_t k = 1; k < n; k++) {
        if (edges[k] - edges[k - 1] <= widest + 0.01f) continue; /* of equal ones the first */
        widest = edges[k] - edges[k - 1];
        bar->x0 = edges[k - 1], bar->x1 = edges[k];
    }
}

/* Adds arrows from a text around x to the edges of its bar: what it says is of the whole bar, not of a part of it. */
static void addSpan(tacDrawing *d, uint32_t ink, float x, float half, const Place *bar, tacRef ref) {
    float y = (bar->top + bar->bottom) / 2, from[] = {x - half, x + half}, to[] = {bar->x0, bar->x1};
    for (int i = 0; i < 2; i++) {
        tacItem *arrow = tacAddLine(d, TAC_LAYER_LINES, from[i], y, to[i], y, d->style.thin, ink, ref);
        if (arrow) arrow->heads = TAC_HEADS_LAST;
    }
}

/* Adds a plate of this colour under a text around x. */
static void addPlate(tacDrawing *d, uint32_t fill, float x, float width, float top, float bottom, float size) {
    float half = width / 2 + 0.3f * size, high = fminf(0.6f * size, (bottom - top) / 2 - d->style.line);
    float middle = (top + bottom) / 2;
    tacAddRect(d, TAC_LAYER_PATTERNS, x - half, middle - high, x + half, middle + high, fill, tacNoRef);
}

static void drawText(BarTexts *t, uint8_t lane, uint32_t task, uint32_t index, tacRef ref) {
    tacDrawing *d = t->d;
    const tacSlice *slice = &d->model->tasks[task].slices.at[index];
    Place bar = {.x0 = fmaxf(tacX(d, slice->begin), d->left), .x1 = fminf(tacX(d, slice->end), d->right)};
    char buffer[TEXT_SIZE];
    tacLaneEdges(t->row, lane, &bar.top, &bar.bottom);
    float size = fminf(0.85f * d->style.smallSize, 0.7f * (bar.bottom - bar.top)), room = bar.x1 - bar.x0;
    if (slice->state != TAC_STATE_RUNNING || size < textLeast || room < 1.2f * size || tacJobIndexHidden(d, slice->job))
        return;
    const char *text = textOf(d, t->row, task, slice, buffer);
    if (!*text || strnlen(text, TEXT_SIZE) >= TEXT_SIZE || 0.3f * size * (float) strlen(text) > room) return;
    bool own = tacOwnPattern(d, task), held = isHeld(d, task, slice), spans = false;
    Place place = bar;
    if (held) {
        float edges[EDGES_MOST];
        size_t n = listEdges(d, task, slice, &bar, edges);
        spans = n > 2 && d->figure->barText == TAC_BAR_TEXT_DURATION;
        if (!spans) findPart(edges, n, &place);
    }
    float width = tacTextWidth(d, text, size, false), half = width / 2 + 0.3f * size;
    if (spans) place.x0 += arrowLeast + 0.3f * size, place.x1 -= arrowLeast + 0.3f * size;
    float x = width > place.x1 - place.x0 - (spans ? 0 : 0.6f * size) ? NAN : placeText(t, &place, width);
    if (isnan(x)) return;
    uint32_t fill = own ? d->style.paper : tacSliceColor(d, task, slice), ink = 0;
    if (own || held || tacRunPattern(d, task, fill, &ink)) addPlate(d, fill, x, width, bar.top, bar.bottom, size);
    if (spans) addSpan(d, tacInkOn(fill), x, half, &bar, ref);
    tacAddText(d, text, x, (bar.top + bar.bottom) / 2, TAC_ANCHOR_CENTER, size, tacInkOn(fill), ref);
}

static void drawTask(BarTexts *t) {
    tacDrawing *d = t->d;
    const tacFigureRow *row = t->row;
    const tacTaskModel *task = &d->model->tasks[row->owner];
    for (uint32_t i = tacQueryFirstSlice(d->model, row->owner, d->scale.from); i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        uint8_t lane = d->rows->laneOfJob && row->lanes > 1 ? d->rows->laneOfJob[slice->job] : 0;
        if (slice->begin > d->scale.to) return;
        if (slice->end > d->scale.from && (!row->partial || slice->processor == row->processor))
            drawText(t, lane, row->owner, i, (tacRef){TAC_REF_SLICE, row->owner, i, 0});
    }
}

static void drawProcessor(BarTexts *t) {
    tacDrawing *d = t->d;
    const tacFigureRow *row = t->row;
    const tacProcessorModel *processor = &d->model->processors[row->owner];
    const uint8_t *lanes = d->rows->laneOfRun ? d->rows->laneOfRun[row->owner] : NULL;
    for (uint32_t i = tacQueryFirstRun(d->model, row->owner, d->scale.from); i < processor->runs.count; i++) {
        const tacRun *run = &processor->runs.at[i];
        const tacSlice *slice = &d->model->tasks[run->task].slices.at[run->slice];
        if (slice->begin > d->scale.to) return;
        if (slice->end > d->scale.from && (!d->tasksHidden || !d->tasksHidden[run->task]))
            drawText(t, lanes ? lanes[i] : 0, run->task, run->slice, (tacRef){TAC_REF_RUN, row->owner, i, 0});
    }
}

void tacDrawBarTexts(tacDrawing *d, const tacFigureRow *row, size_t first) {
    bool processor = row->kind == TAC_FIGURE_ROW_PROCESSOR;
    if (d->figure->barText == TAC_BAR_TEXT_NONE) return;
    uint32_t count = (processor ? tacLodProcessorCount : tacLodTaskCount)(
        d->model, row->owner, d->scale.from, d->scale.to);
    if (count > TEXTS_MOST) return;
    BarTexts texts = {.d = d, .row = row};
    addCrossings(&texts, d->linksFirst, d->linksEnd);
    addCrossings(&texts, first, d->display->items.count);
    (processor ? drawProcessor : drawTask)(&texts);
    tacArrayFree(&texts.crossings);
}
