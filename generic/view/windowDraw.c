/*
 * windowDraw.c -- a frame of a window.
 *
 *      columns -> axis, whose height leaves the rest for rows -> pinned rows -> scrolled rows
 *
 * Rows that are not in sight have places in the window, too, for the lines from row to row, which are cut to the
 * visible part. Only visible rows are drawn.
 */
#include "base/port.h"

#include "base/search.h"
#include "view/windowPart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float pinnedMost = 0.6f; /* the share of the height above the axis that pinned rows may take */

float tacWindowHeadingHeight(const tacDrawing *d) { return 1.6f * d->style.fontSize; }

void tacFrameInit(tacFrame *frame) {
    memset(frame, 0, sizeof *frame);
    for (int part = 0; part < TAC_PARTS; part++) tacDisplayInit(&frame->parts[part]);
}

void tacFrameFree(tacFrame *frame) {
    for (int part = 0; part < TAC_PARTS; part++) tacDisplayFree(&frame->parts[part]);
    memset(frame, 0, sizeof *frame);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Most names whose best breaking into lines is looked for; with more long names, the column is as wide as it may be. */
enum { BREAKING_MOST = 50 };
/* Most rows whose labels are measured: of more, those with the longest names. */
enum { MEASURED_MOST = 100, LENGTHS = 256 };

/* The least length of names that are measured. */
static size_t leastLength(const tacWindow *window) {
    size_t counts[LENGTHS] = {0}, least = LENGTHS, sum = 0;
    for (int part = 0; part < TAC_PART_AXIS; part++)
        for (size_t i = 0; i < window->cache->shown[part].count; i++)
            counts[window->rows.rows.at[window->cache->shown[part].at[i].row].nameLength]++;
    while (least > 0 && sum + counts[least - 1] <= MEASURED_MOST) sum += counts[--least];
    return sum ? least : least - 1;
}

/* The text of a heading: a triangle that points right or down, and the group's name. */
static void headingText(const tacWindow *window, const tacWindowGroup *group, char *out, size_t size) {
    snprintf(out, size, "%s %s", group->folded ? "\xE2\x96\xB8" : "\xE2\x96\xBE",
        tacInternName(&window->keys, group->label, NULL));
}

static float headingIndent(const tacDrawing *d, const tacWindowGroup *group) {
    return group->parent == TAC_NONE ? tacEdge : tacEdge + d->style.fontSize;
}

/* Room for the number of a folded group's rows beside its name. */
static float countWidth(const tacDrawing *d, const tacWindowGroup *group) {
    char count[16];
    snprintf(count, sizeof count, "  %u", group->end - group->first);
    return tacTextWidth(d, count, 0.9f * d->style.fontSize, false);
}

/* Width of the column of labels in points. It is the same for all rows that are shown, so that it stays when they
 * scroll. */
static float labelColumn(tacWindow *window) {
    tacWindowCache *cache = window->cache;
    tacDrawing *d = &cache->d;
    if (cache->labelsFor == d->figure->width) return cache->labelColumn;
    int breaking = 0;
    size_t least = leastLength(window), measured = 0;
    cache->labelColumn = 0;
    for (int part = 0; part < TAC_PART_AXIS; part++) {
        for (size_t i = 0; i < cache->shown[part].count; i++) {
            const tacPlacedRow *shown = &cache->shown[part].at[i];
            const tacFigureRow *named = &window->rows.rows.at[shown->row];
            if (named->nameLength < least || measured++ > MEASURED_MOST) continue;
            d->stretch = shown->stretch;
            d->labelSize = tacLabelSize(d, shown->stretch);
            if (tacLabelShort(d, named) || breaking++ < BREAKING_MOST)
                cache->labelColumn = fmaxf(cache->labelColumn, tacLabelWidth(d, named));
            else cache->labelColumn = fmaxf(cache->labelColumn, d->labelWidth);
        }
    }
    for (size_t i = 0; i < window->groups.count && measured++ < 2 * MEASURED_MOST; i++) {
        const tacWindowGroup *group = &window->groups.at[i];
        char text[600];
        if (!group->folded || group->bottom <= group->top) continue;
        headingText(window, group, text, sizeof text);
        float width = headingIndent(d, group) - tacEdge + countWidth(d, group)
            + tacTextWidth(d, text, d->style.fontSize, group->parent == TAC_NONE);
        cache->labelColumn = fmaxf(cache->labelColumn, fminf(width, d->labelWidth));
    }
    cache->labelsFor = d->figure->width;
    return cache->labelColumn;
}

float tacWindowLabels(const tacWindow *window) { return window->cache ? window->cache->labelColumn : 0; }

/* ---- the axis ---------------------------------------------------------------------------------------------------- */

/* Gives a strip the greatest height that it needed so far, so that what is above it does not move in panning. */
static void settle(tacWindowCache *cache, tacStage stage) {
    float *settled = &cache->settled[stage];
    *settled = fmaxf(*settled, cache->d.y);
    cache->d.y = *settled;
}

/* Prepares for drawing things that belong to no row. */
static void setRowless(tacDrawing *d, float top) {
    d->stretch = 1;
    d->labelSize = d->style.fontSize;
    d->top = d->y = top;
    d->gridFirst = d->gridEnd = d->display->items.count;
}

/* Draws the axis from y = 0 down and moves it to the window's bottom; returns where it begins. */
static float drawAxis(tacWindowCache *cache, float height) {
    tacDrawing *d = &cache->d;
    setRowless(d, 0);
    if (d->rtsched) tacDrawGrid(d);
    tacDrawIntervals(d);
    settle(cache, TAC_STAGE_INTERVALS);
    tacDrawAxis(d);
    settle(cache, TAC_STAGE_LABELS);
    if (tacShows(d, TAC_SHOW_MESSAGES | TAC_SHOW_SYNCS)) tacDrawMarks(d);
    settle(cache, TAC_STAGE_MARKS);
    float top = fmaxf(floorf(height - d->y - tacEdge), 0);
    for (size_t i = 0; i < d->display->items.count; i++) {
        tacItem *item = &d->display->items.at[i];
        item->y0 += top;
        if (item->kind == TAC_ITEM_RECT || item->kind == TAC_ITEM_LINE) item->y1 += top;
    }
    return top;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void setBoxes(const tacWindow *window, tacFrame *frame, float width, float height, float axis, float scroll) {
    float pinned = fminf(window->pinnedHeight, floorf(pinnedMost * axis)),
          most = window->contentHeight - (axis - pinned);
    frame->boxes[TAC_PART_PINNED] = (tacBox){0, 0, width, pinned};
    frame->boxes[TAC_PART_ROWS] = (tacBox){0, pinned, width, axis};
    frame->boxes[TAC_PART_AXIS] = (tacBox){0, axis, width, height};
    frame->scroll = fmaxf(fminf(scroll, most), 0);
}

/* Height in the window of a part's content at y = 0. */
static float originOf(const tacFrame *frame, tacPart part) {
    return frame->boxes[part].y0 - (part == TAC_PART_ROWS ? frame->scroll : 0);
}

/* Sets the places in the window of all rows that are shown. */
static void aimRows(tacWindow *window, const tacFrame *frame) {
    for (int part = 0; part < TAC_PART_AXIS; part++) {
        const tacPlacedList *shown = &window->cache->shown[part];
        float origin = originOf(frame, (tacPart) part);
        for (size_t i = 0; i < shown->count; i++) {
            tacFigureRow *row = &window->rows.rows.at[shown->at[i].row];
            row->top = origin + shown->at[i].top;
            row->bar = origin + shown->at[i].bar;
            row->bottom = origin + shown->at[i].bottom;
        }
    }
}

/* Draws the band of a folded group, and the number of its rows beside its name. */
static void drawFolded(tacWindow *window, uint32_t index, float origin) {
    tacDrawing *d = &window->cache->d;
    const tacWindowGroup *group = &window->groups.at[index];
    tacRef ref = {TAC_REF_GROUP, index, 0, 0};
    tacFigureRow row = {.kind = TAC_FIGURE_ROW_GROUP, .owner = index, .lanes = 1, .processor = TAC_NO_PROCESSOR};
    char count[16];
    row.top = origin + group->top, row.bar = origin + group->bar, row.bottom = origin + group->bottom;
    d->members = window->cache->members.at + group->first;
    d->nMembers = group->end - group->first;
    tacBandDrawGroup(d, &row);
    tacAddLine(d, TAC_LAYER_BACK, d->left, row.bottom, d->right, row.bottom, d->style.thin, d->style.grid, tacNoRef);
    snprintf(count, sizeof count, "%u", d->nMembers);
    tacAddText(d, count, d->labelRight, (row.bar + row.bottom) / 2, TAC_ANCHOR_RIGHT, 0.9f * d->style.fontSize,
        d->style.faint, ref);
}

/* Draws the headings of groups. */
static void drawHeadings(tacWindow *window, const tacBox *box, float origin) {
    tacDrawing *d = &window->cache->d;
    for (uint32_t i = 0; i < window->groups.count; i++) {
        const tacWindowGroup *group = &window->groups.at[i];
        float top = origin + group->top, bottom = origin + group->bottom, x = headingIndent(d, group);
        if (group->bottom <= group->top || bottom < box->y0 || top > box->y1) continue;
        tacRef ref = {TAC_REF_GROUP, i, 0, 0};
        char text[600], cut[512];
        headingText(window, group, text, sizeof text);
        float room = group->folded ? d->labelRight - x - countWidth(d, group) + 0.5f : 0.8f * (d->right - x),
              y = group->folded ? (origin + group->bar + bottom) / 2 : (top + bottom) / 2;
        bool bold = group->parent == TAC_NONE;
        tacCutText(d, text, room, d->style.fontSize, bold, cut, sizeof cut);
        d->stretch = 1, d->labelSize = d->style.fontSize;
        if (group->ruled) tacDrawGroupRule(d, &(tacFigureRow){.top = top, .depth = group->parent != TAC_NONE});
        if (group->folded) drawFolded(window, i, origin);
        else if (bold) tacAddLine(d, TAC_LAYER_BACK, x, bottom, d->right, bottom, d->style.thin, d->style.grid, ref);
        if (!group->folded) tacDrawGroupPaper(d, cut, bold, x, y, ref);
        tacItem *item = tacAddText(d, cut, x, y, TAC_ANCHOR_LEFT, d->style.fontSize, d->style.ink, ref);
        if (item) item->bold = bold;
    }
}

/* Draws the grid, which crosses all rows. */
static void drawGrid(tacDrawing *d, const tacBox *box) {
    setRowless(d, box->y0);
    if (!d->rtsched) return;
    tacDrawGrid(d);
    for (size_t i = d->gridFirst; i < d->gridEnd; i++) d->display->items.at[i].y1 = box->y1;
}

/* Draws the dividers, which cross all rows but for their arrows; and a line below pinned rows. */
static void drawAcross(tacDrawing *d, const tacBox *box, tacPart part) {
    setRowless(d, box->y0);
    tacDrawDividers(d, box->y1);
    if (part == TAC_PART_PINNED) {
        tacAddLine(d, TAC_LAYER_LINES, box->x0, box->y1 - d->style.line, box->x1, box->y1 - d->style.line,
            d->style.line, d->style.faint, tacNoRef);
    }
}

static void drawPart(tacWindow *window, tacFrame *frame, tacPart part) {
    tacWindowCache *cache = window->cache;
    tacDrawing *d = &cache->d;
    const tacPlacedList *shown = &cache->shown[part];
    const tacBox *box = &frame->boxes[part];
    float origin = originOf(frame, part);
    if (box->y1 <= box->y0) return;
    d->display = &frame->parts[part];
    d->clipTop = box->y0, d->clipBottom = box->y1;
    drawGrid(d, box);
    tacDrawLinks(d);
    d->top = origin + (shown->count ? shown->at[0].top : 0); /* no rule is drawn above the first row */
    size_t first = tacPast(size_t, 0, shown->count, i, shown->at[i].bottom <= box->y0 - origin);
    for (size_t i = first; i < shown->count && origin + shown->at[i].top < box->y1; i++) {
        const tacFigureRow *row = &window->rows.rows.at[shown->at[i].row];
        d->stretch = shown->at[i].stretch;
        d->labelSize = tacLabelSize(d, d->stretch);
        if (d->figure->fit && !d->rtsched) /* a faint line leads from the name to what is far to the right */
            tacAddLine(
                d, TAC_LAYER_BACK, d->left, row->bottom, d->right, row->bottom, d->style.thin, d->style.grid, tacNoRef);
        if (shown->at[i].ruled) tacDrawGroupRule(d, row);
        tacDrawRow(d, row);
        tacDrawLabel(d, row);
    }
    if (part == TAC_PART_ROWS) drawHeadings(window, box, origin);
    drawAcross(d, box, part);
}

/* ---- the frame --------------------------------------------------------------------------------------------------- */

static void clearFrame(tacFrame *frame, const tacFigure *figure, const tacMeasure *measure) {
    for (int part = 0; part < TAC_PARTS; part++) {
        tacDisplay *display = &frame->parts[part];
        display->items.count = display->points.count = 0;
        display->failed = false;
        tacInternFree(&display->texts);
        frame->boxes[part] = (tacBox){0, 0, (float) figure->width, 0};
    }
    tacScaleInit(&frame->scale, figure->from, figure->to, 0, figure->width > 1 ? figure->width : 1, NULL, 0, 0);
    frame->left = 0, frame->right = (float) frame->scale.x1;
    frame->scroll = 0;
    frame->unfinished = false;
    frame->paper = figure->dark ? 0x1E1E1E : 0xFFFFFF;
    frame->ink = figure->dark ? 0xE8E8E8 : 0x000000;
    frame->measure = *measure;
}

static bool finishPart(const tacWindow *window, tacDisplay *display, const tacFigure *figure) {
    const char *font = tacFigureFont(figure, &window->trace->store);
    display->width = (float) figure->width;
    display->height = (float) figure->height;
    display->fontSize = window->cache->d.style.fontSize;
    if (!display->font || strcmp(display->font, font) != 0) {
        tacFree((void *) display->font);
        display->font = tacCopyText(font, strlen(font));
    }
    tacDisplayFinish(display);
    return display->font && !display->failed;
}

tacStatus tacWindowDraw(tacWindow *window, const tacFigure *figure, const tacMeasure *measure, float scroll,
    tacFrame *frame, tacError *err) {
    tacWindowCache *cache = window->cache;
    tacDrawing *d = cache ? &cache->d : NULL;
    bool ok = true;
    if (figure->from >= figure->to) return tacFail(err, "FIGURE RANGE", "the view's end must be after its begin");
    clearFrame(frame, figure, measure);
    if (!window->trace || !cache->prepared) return TAC_OK;
    d->figure = figure, d->measure = measure;
    d->detail = figure->detail > 0 ? figure->detail : 0.75;
    d->shareRows = 64;
    tacSetLabelMost(d);
    tacPlaceColumns(d, figure->from, figure->to, 0, labelColumn(window));
    tacScaleInit(&d->scale, figure->from, figure->to, d->left, d->right, NULL, 0, 0);
    tacTilesFrame(d->tiles);
    d->until = figure->budget > 0 ? tacLayoutClock() + figure->budget : 0;
    d->unfinished = false;
    d->filled = 0;
    d->display = &frame->parts[TAC_PART_AXIS];
    float width = (float) figure->width, height = (float) figure->height, axis = drawAxis(cache, height);
    frame->scale = d->scale;
    frame->left = d->left, frame->right = d->right;
    frame->paper = d->style.paper, frame->ink = d->style.ink;
    if (figure->fit && cache->fitFor != axis) ok = tacWindowFit(window, axis);
    setBoxes(window, frame, width, height, axis, scroll);
    aimRows(window, frame);
    drawPart(window, frame, TAC_PART_PINNED);
    drawPart(window, frame, TAC_PART_ROWS);
    frame->unfinished = d->unfinished;
    for (int part = 0; part < TAC_PARTS; part++) ok &= finishPart(window, &frame->parts[part], figure);
    return ok ? TAC_OK : tacFailMemory(err);
}
