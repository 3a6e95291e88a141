/*
 * window.c -- a window's rows: listing them, the steps of arranging them, and placing them.
 *
 * Listing depends on the trace, placing on the arrangement and the style. Their result is a list for each part: the
 * rows that are shown with their places, ascending, so that a frame (windowDraw.c) finds the visible ones by halving.
 * Listing and arranging very many rows go in steps, each of which makes one array or takes its time from a clock.
 */
#include "base/port.h"

#include "view/windowPart.h"

#include <math.h>
#include <string.h>

enum {
    ROWS_MOST = 100000, /* with more rows, places, which are floats, would be less exact than a pixel */
    NOTE_LINES = 2      /* always kept free above a row with annotations, so that rows do not move in panning */
};

static const float tight = 0.75f;      /* least factor, by which rows shrink where all are seen then */
static const float comfortable = 2.2f; /* greatest factor by which rows grow to use the window's height */

bool tacWindowReady(tacWindow *window) {
    if (!window->cache) window->cache = tacAllocZero(1, sizeof *window->cache);
    return window->cache != NULL;
}

static void freeDrawing(tacWindowCache *cache) {
    tacDrawingFree(&cache->d);
    memset(&cache->d, 0, sizeof cache->d);
    cache->prepared = false;
}

void tacWindowFree(tacWindow *window) {
    tacWindowCache *cache = window->cache;
    if (cache) {
        freeDrawing(cache);
        for (int part = 0; part < TAC_PART_AXIS; part++) tacArrayFree(&cache->shown[part]);
        tacArrayFree(&cache->placeOf);
        tacArrayFree(&cache->placeOfKey);
        tacArrayFree(&cache->members);
        tacFree(cache->sorted);
        tacTextFree(&cache->pattern);
        tacFree(cache);
    }
    tacFigureRowsFree(&window->rows);
    tacArrayFree(&window->order);
    tacArrayFree(&window->groups);
    tacArrayFree(&window->kept);
    tacInternFree(&window->keys);
    memset(window, 0, sizeof *window);
}

/* ---- listing ----------------------------------------------------------------------------------------------------- */

/* Forgets the trace and its rows. */
static void forgetTrace(tacWindow *window) {
    tacWindowCache *cache = window->cache;
    freeDrawing(cache);
    tacWindowPassAgain(cache);
    cache->sorting.begun = cache->leaving.begun = cache->fresh = false;
    cache->left = TAC_LEFT_NONE;
    for (int part = 0; part < TAC_PART_AXIS; part++) cache->shown[part].count = 0;
    window->pinnedHeight = window->contentHeight = 0;
    window->order.count = 0;
    window->trace = NULL;
    tacFigureRowsFree(&window->rows);
}

tacStatus tacWindowList(tacWindow *window, const tacTrace *trace, const tacFigure *figure, tacError *err) {
    if (!tacWindowReady(window)) return tacFailMemory(err);
    if (tacWindowArranged(window) && !tacWindowKeepAll(window)) return tacFailMemory(err);
    forgetTrace(window);
    if (!trace) return TAC_OK;
    tacFigure all = *figure; /* the range is not that of the listing */
    all.emptyRows = true;
    if (tacFigureRowsBegin(&window->rows, &trace->model, &all, ROWS_MOST, err) != TAC_OK) return TAC_ERROR;
    window->trace = trace;
    return TAC_OK;
}

tacStatus tacWindowListOn(tacWindow *window, double milliseconds, bool *done, tacError *err) {
    const tacTrace *trace = window->trace;
    *done = !trace || !window->rows.listing;
    if (*done) return TAC_OK;
    if (tacFigureRowsGoOn(&window->rows, tacLayoutClock() + milliseconds, done, err) != TAC_OK) {
        forgetTrace(window);
        return TAC_ERROR;
    }
    if (!*done) return TAC_OK;
    tacDrawing *d = &window->cache->d;
    d->model = &trace->model, d->store = &trace->store, d->clocks = &trace->clocks, d->rows = &window->rows;
    d->tiles = tacTilesNew();
    if (d->tiles && tacDrawingSets(d)) return TAC_OK;
    forgetTrace(window);
    return tacFailMemory(err);
}

/* ---- arranging --------------------------------------------------------------------------------------------------- */

void tacWindowArrange(tacWindow *window) {
    tacWindowCache *cache = window->cache;
    if (!window->trace) return;
    bool listed = !window->order.count || cache->fresh;
    tacWindowPassAgain(cache);
    cache->left = listed ? TAC_LEFT_ORDER : TAC_LEFT_GROUPS;
}

/* Makes the next step of arranging, or of the last one as much as there is time for. False: no memory. */
static bool arrangeOn(tacWindow *window, double until) {
    tacWindowCache *cache = window->cache;
    bool done = true, ok = true;
    switch (cache->left) {
    case TAC_LEFT_ORDER: ok = cache->fresh || tacWindowFill(window); break;
    case TAC_LEFT_KEPT: ok = tacWindowTakeKept(window); break;
    case TAC_LEFT_GROUPS: ok = tacWindowGroupRows(window); break;
    case TAC_LEFT_GATHER: ok = tacWindowGather(window); break;
    default: ok = tacWindowMembers(window, until, &done);
    }
    if (done) cache->left--;
    return ok;
}

bool tacWindowArrangeAll(tacWindow *window) {
    window->cache->left = TAC_LEFT_ORDER;
    while (window->cache->left)
        if (!arrangeOn(window, INFINITY)) return false;
    return true;
}

tacStatus tacWindowGoOn(tacWindow *window, double milliseconds, bool *done, bool *changed, tacError *err) {
    tacWindowCache *cache = window->cache;
    double until = tacLayoutClock() + milliseconds;
    *changed = false;
    *done = !cache || !window->trace;
    while (!*done) {
        bool arranges = cache->left != TAC_LEFT_NONE;
        if (!(arranges ? arrangeOn(window, until) : tacWindowPass(window, until))) {
            if (arranges) forgetTrace(window);
            return tacFailMemory(err);
        }
        *done = !cache->left && !cache->sorting.begun && !cache->leaving.begun;
        if (!*done && tacLayoutClock() >= until) return TAC_OK;
    }
    if (cache) *changed = cache->leftOther, cache->leftOther = false;
    return TAC_OK;
}

/* ---- placing ----------------------------------------------------------------------------------------------------- */

/* Makes the style, and forgets all that depends on it. */
static void prepareDrawing(tacWindow *window, const tacFigure *figure, const tacMeasure *measure) {
    tacWindowCache *cache = window->cache;
    tacDrawing *d = &cache->d;
    d->figure = figure, d->measure = measure;
    d->rtsched = figure->convention == TAC_CONVENTION_RTSCHED;
    tacStyle before = d->style;
    tacStyleInit(&d->style, d->store, figure, NULL);
    if (memcmp(&before, &d->style, sizeof before) != 0) tacTilesClear(d->tiles);
    measure->width(measure->data, "Xg", 2, d->style.fontSize, false, &d->ascent, &d->descent);
    memset(d->taskColors, 0xFF, (window->rows.nTasks + (size_t) 1) * sizeof *d->taskColors); /* TAC_NO_COLOR */
    d->placesFor = TAC_COLOR_CONVENTION;
    tacFindLevels(d);
    memset(cache->settled, 0, sizeof cache->settled);
    cache->labelsFor = NAN;
    cache->prepared = true;
}

/* Points above the first row, so that its arrows, or the number of a server there, do not begin at the part's edge. */
static float firstAir(const tacStyle *style, const tacFigureRow *row) {
    float number = row->kind == TAC_FIGURE_ROW_SERVER ? style->smallSize : 0;
    return 0.5f * fmaxf(style->unit * (float) style->taskMargin, number);
}

/* Places a row at y of its part's content; headed: rows or headings of groups stand above it. False: no memory. */
static bool placeRow(tacWindow *window, tacWindowRow *arranged, tacPart part, float y, bool headed) {
    tacWindowCache *cache = window->cache;
    tacFigureRow *row = &window->rows.rows.at[arranged->row];
    const tacPlacedList *shown = &cache->shown[part];
    const tacFigureRow *above = shown->count ? &window->rows.rows.at[shown->at[shown->count - 1].row] : NULL;
    float stretch = fmaxf(arranged->factor * cache->fit, 0.05f);
    bool notes = row->noted && window->rows.rowOfTask[row->owner] == arranged->row;
    row->away = false;
    uint32_t panel = arranged->group;
    if (panel != TAC_NONE && window->groups.at[panel].parent != TAC_NONE) panel = window->groups.at[panel].parent;
    row->heading = tacFigureRowInPart(&window->rows, row) && (!above || above->processor != row->processor)
        && (panel == TAC_NONE || !window->groups.at[panel].byItself || part == TAC_PART_PINNED);
    row->noteLanes = notes ? NOTE_LINES : 0;
    if (above || headed) y = tacFigureRowBelow(row, &cache->d.style, stretch, y);
    else y += firstAir(&cache->d.style, row);
    tacFigureRowPlace(
        row, &cache->d.style, cache->d.figure, y, stretch, tacNoteHeight(&cache->d), tacLabelSize(&cache->d, stretch));
    arranged->top = row->top;
    arranged->bottom = row->bottom;
    return tacArrayPush(
        &cache->shown[part], (tacPlacedRow){arranged->row, row->top, row->bar, row->bottom, stretch, false});
}

static void forgetPlaces(tacWindow *window) {
    for (int part = 0; part < TAC_PART_AXIS; part++) window->cache->shown[part].count = 0;
    for (size_t i = 0; i < window->groups.count; i++) window->groups.at[i].top = window->groups.at[i].bottom = 0;
}

/* Places the heading of a group that has none yet, and of those that it lies in, below `end`. *depth: number of groups
 * that what is above lies in, -1: nothing is. */
static void placeHeadings(tacWindow *window, uint32_t index, float *end, int *depth) {
    if (index == TAC_NONE) return;
    tacWindowGroup *group = &window->groups.at[index];
    const tacStyle *style = &window->cache->d.style;
    float height = tacWindowHeadingHeight(&window->cache->d), unit = style->unit * window->cache->fit;
    int outer = group->parent != TAC_NONE;
    placeHeadings(window, group->parent, end, depth);
    if (group->bottom > group->top || (group->parent != TAC_NONE && window->groups.at[group->parent].folded)) return;
    group->top = *end + style->unit * (float) style->taskMargin;
    group->bar = group->top + (group->folded ? unit * (float) style->arrowHeight / 3 : 0);
    group->bottom = group->top + height;
    if (group->folded) group->bottom = fmaxf(group->bottom, group->bar + unit * (float) style->barHeight);
    group->ruled = outer && !group->folded ? *depth >= outer : group->folded && *depth > outer;
    *depth = outer;
    *end = group->bottom;
}

/* Number of groups that a row lies in. */
static int depthOf(const tacWindow *window, const tacWindowRow *row) {
    if (row->group == TAC_NONE) return 0;
    return window->groups.at[row->group].parent == TAC_NONE ? 1 : 2;
}

/* Places all rows that are shown, and the headings of groups. False: no memory. */
static bool placeRows(tacWindow *window) {
    float ends[TAC_PART_AXIS] = {tacEdge, tacEdge};
    int depth = -1;
    bool ok = true;
    for (size_t i = 0; ok && i < window->order.count; i++) {
        tacWindowRow *row = &window->order.at[i];
        tacPart part = row->pinned ? TAC_PART_PINNED : TAC_PART_ROWS;
        if (!row->hidden && !row->filtered && !row->pinned && !row->empty)
            placeHeadings(window, row->group, &ends[TAC_PART_ROWS], &depth);
        window->rows.rows.at[row->row].away = true;
        window->cache->placeOf.at[row->row] = (uint32_t) i;
        row->top = row->bottom = 0;
        if (tacWindowShows(window, row)) {
            ok = placeRow(window, row, part, ends[part], part == TAC_PART_ROWS && depth >= 0);
            ends[part] = row->bottom;
            if (part == TAC_PART_PINNED || !ok) continue;
            tacPlacedList *shown = &window->cache->shown[part];
            int own = depthOf(window, row);
            shown->at[shown->count - 1].ruled = own < depth;
            window->rows.rows.at[row->row].depth = (uint8_t) own;
            depth = own;
        }
    }
    window->pinnedHeight = ends[TAC_PART_PINNED] > tacEdge ? ends[TAC_PART_PINNED] + tacEdge : 0;
    window->contentHeight = ends[TAC_PART_ROWS] + tacEdge;
    return ok;
}

/* Places all rows anew. False: no memory. */
static bool placeAgain(tacWindow *window) {
    forgetPlaces(window);
    window->cache->labelsFor = NAN;
    return placeRows(window);
}

/* Makes rows a little lower than their own height if then all of them are seen, and no last one is cut; false: no
 * memory. */
static bool shrink(tacWindow *window, float height) {
    tacWindowCache *cache = window->cache;
    for (int round = 0; round < 6; round++) { /* several, since parts of a row do not shrink */
        float content = window->pinnedHeight + window->contentHeight;
        float fit = cache->fit * (height - 0.5f) / content; /* comes near from above */
        if (content <= height) return true;
        if (fit < tight) break;
        cache->fit = fit;
        if (!placeAgain(window)) return false;
    }
    if (cache->fit == 1 || window->pinnedHeight + window->contentHeight <= height) return true;
    cache->fit = 1;
    return placeAgain(window);
}

bool tacWindowFit(tacWindow *window, float height) {
    tacWindowCache *cache = window->cache;
    bool ok = true;
    cache->fitFor = height;
    if (cache->fit != 1) {
        cache->fit = 1;
        ok = placeAgain(window);
    }
    if (ok && window->pinnedHeight + window->contentHeight > height) return shrink(window, height);
    for (int round = 0; ok && round < 3; round++) { /* several, since parts of a row do not stretch */
        float content = window->pinnedHeight + window->contentHeight, fit = cache->fit * height / content;
        fit = fminf(fmaxf(fit, 1), comfortable);
        if (content <= 2 * tacEdge || fabsf(fit - cache->fit) < 0.01f) break;
        cache->fit = fit;
        ok = placeAgain(window);
    }
    return ok;
}

tacStatus tacWindowPlace(tacWindow *window, const tacFigure *figure, const tacMeasure *measure, tacError *err) {
    tacWindowCache *cache = window->cache;
    if (!window->trace) return TAC_OK;
    prepareDrawing(window, figure, measure);
    forgetPlaces(window);
    float height = cache->fitFor;
    cache->fit = 1;
    cache->fitFor = NAN;
    cache->placeOf.count = 0;
    if (!tacArrayReserve(&cache->placeOf, window->order.count) || !placeRows(window)) {
        forgetPlaces(window);
        return tacFailMemory(err);
    }
    cache->placeOf.count = window->order.count;
    if (figure->fit && height > 0 && !tacWindowFit(window, height)) return tacFailMemory(err);
    return TAC_OK;
}
