/*
 * layoutServer.c -- budget curves: a panel for each server with its own axis of 0, half and full capacity.
 *
 * Between two points of the curve the budget falls by one per time unit for each consumer until it is 0. A point whose
 * budget is not the one at which the line before it ended is a jump: the curve is not joined there. A curve with more
 * than about three points a point of width becomes a band from its least to its largest value; one whose strokes are
 * close together is thin, however many events at one instant there are. If there are budgets
 * above the capacity, the panel is high enough for them, and the capacity is a light line.
 */
#include "base/port.h"

#include "base/search.h"
#include "model/lod.h"
#include "view/layout.h"

#include <math.h>
#include <stdio.h>

static const double pointsPerPoint = 3;    /* points of the curve a point of width; with more, a band is drawn */
static const double quickPerPoint = 0.6;   /* the same for a quick figure */
static const double crowdedPerPoint = 1.5; /* the same of its drawn line, whose strokes are a few points apart: it is
                                              thin */

/* The budget at the upper edge of the panel. */
static double topOf(const tacDrawing *d, uint32_t server) {
    int64_t capacity = d->store->objects[TAC_SERVER].at[server].capacity, highest = d->model->servers[server].highest;
    double top = (double) (capacity > highest ? capacity : highest);
    return top > 0 ? top : 1;
}

static float yOf(const tacDrawing *d, const tacFigureRow *row, double budget) {
    return row->bottom - (float) (budget / topOf(d, row->owner)) * (row->bottom - row->bar);
}

bool tacServerConsumes(const tacDrawing *d, uint32_t server) {
    const tacServerModel *of = &d->model->servers[server];
    size_t i = 0;
    while (i < of->points.count && !of->points.at[i].consumers) i++;
    return i < of->points.count;
}

/* ---- axis -------------------------------------------------------------------------------------------------------- */

typedef struct ServerTick {
    double budget;
    char label[TAC_LABEL_SIZE];
} ServerTick;

/* Fills in the ticks: 0, half the capacity, the capacity, and the highest budget if that is above it. */
static int ticksOf(const tacDrawing *d, uint32_t server, ServerTick ticks[4]) {
    int64_t capacity = d->store->objects[TAC_SERVER].at[server].capacity, highest = d->model->servers[server].highest;
    int digits = d->store->digits, n = 0;
    ticks[n].budget = 0;
    tacAxisFormat(0, 0, 1, ticks[n++].label);
    if (capacity > 0) {
        bool even = capacity % 2 == 0 || capacity > INT64_MAX / 5;
        ticks[n].budget = (double) capacity / 2;
        tacAxisFormat(even ? capacity / 2 : capacity * 5, even ? digits : digits + 1, 1, ticks[n++].label);
        ticks[n].budget = (double) capacity;
        tacAxisFormat(capacity, digits, 1, ticks[n++].label);
    }
    if (highest > capacity) {
        ticks[n].budget = (double) highest;
        tacAxisFormat(highest, digits, 1, ticks[n++].label);
    }
    return n;
}

static float tickLength(const tacDrawing *d) { return (float) d->style.tickLength * d->style.unit; }

float tacServerAxisWidth(const tacDrawing *d, const tacFigureRow *row) {
    ServerTick ticks[4];
    float widest = 0;
    for (int i = ticksOf(d, row->owner, ticks) - 1; i >= 0; i--)
        widest = fmaxf(widest, tacTextWidth(d, ticks[i].label, d->style.smallSize, false));
    return widest + tickLength(d) + 0.4f * d->style.fontSize;
}

/* Draws labelled ticks from the bottom up; a label that would touch its neighbour is left out, except the topmost. */
static void drawTicks(tacDrawing *d, const tacFigureRow *row) {
    ServerTick ticks[4];
    int n = ticksOf(d, row->owner, ticks);
    float length = tickLength(d), height = d->style.smallSize * 1.1f, last = INFINITY,
          top = yOf(d, row, ticks[n - 1].budget);
    for (int i = 0; i < n; i++) {
        float y = yOf(d, row, ticks[i].budget);
        tacRef ref = {TAC_REF_SERVER, row->owner, 0, 0};
        tacAddLine(d, TAC_LAYER_LINES, d->left - length, y, d->left, y, d->style.line, d->style.ink, ref);
        if (last - y < height || (i < n - 1 && y - top < height)) continue;
        tacAddText(d, ticks[i].label, d->left - length - 0.2f * d->style.fontSize, y, TAC_ANCHOR_RIGHT,
            d->style.smallSize, d->style.ink, ref);
        last = y;
    }
}

static void drawAxis(tacDrawing *d, const tacFigureRow *row) {
    tacRef ref = {TAC_REF_SERVER, row->owner, 0, 0};
    int64_t capacity = d->store->objects[TAC_SERVER].at[row->owner].capacity;
    double top = topOf(d, row->owner), leastStep = 2.2 * top / (row->bottom - row->bar);
    tacAddLine(d, TAC_LAYER_LINES, d->left, row->bar, d->left, row->bottom, d->style.line, d->style.ink, ref);
    tacAddLine(d, TAC_LAYER_BACK, d->left, row->bottom, d->right, row->bottom, d->style.line, d->style.ink, ref);
    if ((double) capacity < top && capacity > 0) {
        float y = yOf(d, row, (double) capacity);
        tacItem *item = tacAddLine(d, TAC_LAYER_BACK, d->left, y, d->right, y, d->style.thin, d->style.faint, ref);
        if (item) item->dash = TAC_DASH_DASHED;
    }
    drawTicks(d, row);
    tacTicks ticks; /* short ones, at round budgets between the labelled ones */
    tacTicksInit(&ticks, 0, (int64_t) fmin(top, 9e18), d->store->digits, 1, leastStep);
    for (double j = 1; j * ticks.step < top * 0.999; j++) {
        float y = yOf(d, row, j * ticks.step);
        tacAddLine(d, TAC_LAYER_LINES, d->left - tickLength(d) / 2, y, d->left, y, d->style.thin, d->style.ink, ref);
    }
}

/* ---- points in the list ------------------------------------------------------------------------------------------ */

/* Index of the first point after a time. */
static uint32_t findPoint(const tacServerModel *server, int64_t time) {
    return tacPast(uint32_t, 0, server->points.count, i, server->points.at[i].time <= time);
}

/* The same for a point that is at or after `low` and probably near low + step: searched from there in growing steps. */
static uint32_t findPointFrom(const tacServerModel *server, uint32_t low, uint32_t step, int64_t time) {
    const tacBudgetPoint *points = server->points.at;
    uint32_t high = (uint32_t) server->points.count, guess = step < high - low ? low + step : high, by = 1;
    if (guess < high && points[guess].time <= time)
        return tacPastNear(uint32_t, guess + 1, high, i, points[i].time <= time);
    for (high = guess; by <= high - low && points[high - by].time > time; by *= 2) high -= by;
    return tacPast(uint32_t, by <= high - low ? high - by + 1 : low, high, i, points[i].time <= time);
}

/* ---- curve ------------------------------------------------------------------------------------------------------- */

typedef struct Curve {
    tacDrawing *d;
    const tacFigureRow *row;
    uint32_t first;     /* in display->points */
    float lastX, lastY; /* of the last point; NaN: none */
} Curve;

static void addPoint(Curve *c, float x, float y) {
    if (!tacArrayPush(&c->d->display->points, (tacPoint){x, y})) c->d->display->failed = true;
    c->lastX = x, c->lastY = y;
}

/* Continues the curve at a place, after a gap if it ended elsewhere. */
static void moveTo(Curve *c, float x, float y) {
    if (fabsf(c->lastX - x) < 0.01f && fabsf(c->lastY - y) < 0.01f) return;
    if (!isnan(c->lastX)) addPoint(c, NAN, NAN);
    addPoint(c, x, y);
}

/* Adds the curve from one point to `end`, within the range: a slope, then a level stretch at 0. */
static void addStretch(Curve *c, const tacBudgetPoint *point, int64_t end) {
    const tacDrawing *d = c->d;
    int64_t from = point->time > d->scale.from ? point->time : d->scale.from,
            to = end < d->scale.to ? end : d->scale.to;
    if (from > to) return;
    moveTo(c, tacX(d, from), yOf(d, c->row, tacLodBudgetAt(point, from)));
    if (point->consumers && point->remainder > 0) {
        double empty = tacTicksBetween(d->scale.from, point->time) + (double) point->remainder / point->consumers;
        if (empty > tacTicksBetween(d->scale.from, from) && empty < tacTicksBetween(d->scale.from, to))
            addPoint(c, (float) tacScaleXAt(&d->scale, empty), c->row->bottom);
    }
    if (to > from) addPoint(c, tacX(d, to), yOf(d, c->row, tacLodBudgetAt(point, to)));
}

static tacItem *addPath(Curve *c, uint32_t index) {
    tacItem *item = tacDisplayAdd(c->d->display, TAC_ITEM_PATH, TAC_LAYER_LINES);
    if (item) {
        item->first = c->first;
        item->count = (uint32_t) c->d->display->points.count - c->first;
        item->refKind = TAC_REF_SERVER;
        item->owner = c->row->owner;
        item->index = index;
        item->width = c->d->style.thick;
        item->ink = c->d->style.ink;
    }
    return item;
}

/* Draws the curve of points [first, end). Of several points at one instant only the last one has a stretch. */
static void drawCurve(Curve *c, uint32_t first, uint32_t end) {
    const tacDrawing *d = c->d;
    const tacServerModel *server = &d->model->servers[c->row->owner];
    const tacBudgetPoint *initial = &server->points.at[0]; /* its budget also holds before the recording begins */
    if (first == 0 && initial->time == d->model->begin && initial->time > d->scale.from
        && initial->time <= d->scale.to) {
        moveTo(c, tacX(d, d->scale.from), yOf(d, c->row, (double) initial->remainder));
        addPoint(c, tacX(d, initial->time), yOf(d, c->row, (double) initial->remainder));
    }
    for (uint32_t i = first; i < end; i++) {
        const tacBudgetPoint *point = &server->points.at[i];
        bool last = i + 1 == server->points.count;
        int64_t until = last ? d->model->end : point[1].time;
        if (last || until > point->time) addStretch(c, point, until > point->time ? until : point->time);
    }
    tacItem *item = addPath(c, first);
    if (!item) return;
    const char *color = tacObjectText(d->store, TAC_SERVER, c->row->owner, TAC_OPT_COLOR);
    uint32_t line = d->store->objects[TAC_SERVER].at[c->row->owner].line;
    item->ink = tacStyleInk(&d->style, tacStyleParse(&d->style, color, d->style.ink, line, d->diag));
    if (item->count > crowdedPerPoint * (d->scale.x1 - d->scale.x0)) item->width = d->style.line;
}

/* ---- band -------------------------------------------------------------------------------------------------------- */

typedef struct BandPlace {
    float x, low, high;
} BandPlace;
typedef TAC_ARRAY(BandPlace) BandPlaces;

uint32_t tacBudgetFill(const tacDrawing *d) { return tacColorMix(d->style.paper, d->style.ink, 0.12); }

/* Adds the band: its upper edge from left to right, the lower one back. */
static void addBand(Curve *c, const BandPlaces *places, uint32_t first) {
    for (size_t i = 0; i < places->count; i++) addPoint(c, places->at[i].x, places->at[i].high);
    for (size_t i = places->count; i-- > 0;) addPoint(c, places->at[i].x, places->at[i].low);
    tacItem *item = addPath(c, first);
    if (item) {
        item->fill = tacBudgetFill(c->d);
        item->ink = c->d->style.faint;
        item->width = c->d->style.line;
    }
}

/* Finds the places of the band, two a point of width. */
static void gatherPlaces(const Curve *c, uint32_t first, uint32_t end, BandPlaces *places) {
    tacDrawing *d = c->d;
    const tacServerModel *server = &d->model->servers[c->row->owner];
    uint32_t n = (uint32_t) ceil(2 * (d->scale.x1 - d->scale.x0)), at = first;
    double width = (d->scale.x1 - d->scale.x0) / n;
    if (!tacArrayReserve(places, n)) {
        d->display->failed = true;
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        double x = d->scale.x0 + i * width, least, largest;
        int64_t from = tacScaleTime(&d->scale, x), until = tacScaleTime(&d->scale, x + width);
        uint32_t next = i + 1 < n ? findPoint(server, until - 1) : end;
        next = next < at ? at : next;
        uint32_t start = at > first ? at - 1 : at; /* the point in force at the begin of the bin */
        tacLodBudgets(d->model, c->row->owner, start, next > start ? next : start + 1, from, until, &least, &largest);
        places->at[places->count++] = (BandPlace){
            (float) (x + width / 2), yOf(d, c->row, fmin(least, largest)), yOf(d, c->row, largest)};
        at = next;
    }
}

/* ---- band in tiles, of a quick figure ---------------------------------------------------------------------------- */

typedef struct BudgetBin {
    double least, largest;
} BudgetBin; /* ticks of budget; largest < 0: outside of the recording */

static void fillTile(const tacDrawing *d, const tacTileKey *key, BudgetBin *bins) {
    const tacServerModel *server = &d->model->servers[key->owner];
    int64_t first = key->index * TAC_TILE_BINS;
    uint32_t at = findPoint(server, tacTileTime(first, key->level)), step = 1;
    for (int i = 0; i < TAC_TILE_BINS; i++) {
        int64_t from = tacTileTime(first + i, key->level), until = tacTileTime(first + i + 1, key->level);
        uint32_t next = findPointFrom(server, at, step, until - 1), start = at > 0 ? at - 1 : at;
        bins[i] = (BudgetBin){0, -1};
        if (next > start && from <= d->model->end)
            tacLodBudgets(d->model, key->owner, start, next, from, until, &bins[i].least, &bins[i].largest);
        step = next - at;
        at = next;
    }
}

/* Finds the places of the band from tiles. */
static void gatherTiles(const Curve *c, BandPlaces *places) {
    tacDrawing *d = c->d;
    tacTiled view = tacTiledOf(d, 3 * d->detail, (tacTileKey){.owner = c->row->owner, .kind = TAC_TILE_SERVER});
    if (!tacArrayReserve(places, (size_t) (view.end - view.first))) {
        d->display->failed = true;
        return;
    }
    for (int64_t at = view.first; at < view.end;) {
        int from, to;
        bool fresh;
        BudgetBin *bins = tacTiledNext(d, &view, &at, sizeof *bins, &from, &to, &fresh);
        if (bins && fresh) fillTile(d, &view.key, bins);
        for (int k = from; bins && k < to; k++) {
            if (bins[k].largest < 0) continue;
            float x = (float) tacTiledX(&d->scale, &view, at - to + k, 0.5);
            places->at[places->count++] = (BandPlace){
                x, yOf(d, c->row, fmin(bins[k].least, bins[k].largest)), yOf(d, c->row, bins[k].largest)};
        }
    }
}

/* ---- the panel --------------------------------------------------------------------------------------------------- */

void tacDrawServer(tacDrawing *d, const tacFigureRow *row) {
    const tacServerModel *server = &d->model->servers[row->owner];
    uint32_t first = findPoint(server, d->scale.from), end = findPoint(server, d->scale.to);
    Curve c = {d, row, (uint32_t) d->display->points.count, NAN, NAN};
    drawAxis(d, row);
    first -= first > 0; /* the point in force at the begin of the range */
    if (end - first > (d->tiles ? quickPerPoint : pointsPerPoint) * (d->scale.x1 - d->scale.x0)) {
        BandPlaces places = {0};
        if (d->tiles && d->scale.nSegments == 1) gatherTiles(&c, &places);
        else gatherPlaces(&c, first, end, &places);
        if (places.count) addBand(&c, &places, first);
        tacArrayFree(&places);
        d->seen |= TAC_SEEN_ENVELOPE;
    } else if (end > first) {
        drawCurve(&c, first, end);
        d->seen |= TAC_SEEN_CURVE;
    }
}
