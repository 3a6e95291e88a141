/*
 * layout.c -- from a trace and a figure's options to a display list.
 *
 *      style -> range of time -> columns (labels, plot, legend) -> scale -> heights of the rows -> drawing
 *
 * The order of drawing is: grid, preemption lines and migrations, rows, labels, intervals, axis, marks, buffers,
 * legend. What the legend has to name is known only after drawing, so a figure with the legend at the right is drawn
 * twice. One whose height is given is drawn again until the heights of its rows are right.
 */
#include "base/port.h"

#include "base/print.h"
#include "view/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double naturalLeast = 150, naturalMost = 720; /* points: width of a figure whose width is not given */
static const float stretchLeast = 0.3f;                    /* least height of rows, as a share of their normal one */
static const float heightMost = 14000;                     /* points: highest page that PDF readers show */
static const double breakWidth = 7;                        /* points: gap of the axis where idle time is cut out */

/* ---- preparing --------------------------------------------------------------------------------------------------- */

/* Finds the range of time: as wanted, else from 0 or from the first thing to the last thing that can be seen. */
static tacStatus findRange(const tacDrawing *d, int64_t *from, int64_t *to, tacError *err) {
    const tacModel *model = d->model;
    *from = d->figure->from, *to = d->figure->to;
    if (*from != TAC_UNKNOWN && *to != TAC_UNKNOWN && *from >= *to)
        return tacFail(err, "FIGURE RANGE", "the figure's end must be after its begin");
    int64_t last = model->lastMark > model->end ? model->lastMark : model->end, first = model->begin;
    if (tacStoreCount(d->store) && tacRowTime(d->store, 0) < first)
        first = tacRowTime(d->store, 0); /* an annotation or a deadline */
    if (*from == TAC_UNKNOWN) {
        bool fromZero = first > 0 && (double) first <= 0.35 * (double) last;
        *from = fromZero ? 0 : first;
    }
    if (*to == TAC_UNKNOWN) *to = last;
    if (*to > *from) return TAC_OK;
    int64_t unit = 1; /* of time, in ticks: the least length of a figure */
    for (int i = 0; i < d->store->digits && i < 18; i++) unit *= 10;
    if (d->figure->to != TAC_UNKNOWN || __builtin_add_overflow(*from, unit, to)) *from = *to - 1;
    return TAC_OK;
}

/* May some job have a colour of its own? Else its colour need not be looked for, far away in memory. */
static bool haveJobColors(const tacStore *store) {
    for (size_t i = 0; i < store->options.count; i++)
        if (store->options.at[i].option == TAC_OPT_COLOR
            && tacRowEvent(store, store->options.at[i].owner) == TAC_EV_JOB_ARRIVED)
            return true;
    return store->objectOptions[TAC_JOB].count > 0;
}

bool tacDrawingSets(tacDrawing *d) {
    const tacStore *store = d->store;
    size_t tasks = tacStoreObjects(store, TAC_TASK), jobs = tacStoreObjects(store, TAC_JOB);
    d->taskColors = tacAlloc((tasks + 1) * sizeof *d->taskColors);
    d->taskPlaces = tacAlloc(tasks + 1);
    d->tasksSeen = tacAllocZero(tasks + 1, 1);
    d->jobColors = haveJobColors(store);
    d->mutexesSeen = tacAllocZero(tacStoreObjects(store, TAC_MUTEX) + (size_t) 1, 1);
    d->semaphoresSeen = tacAllocZero(tacStoreObjects(store, TAC_SEMAPHORE) + (size_t) 1, 1);
    if (!d->taskColors || !d->taskPlaces || !d->tasksSeen || !d->mutexesSeen || !d->semaphoresSeen) return false;
    memset(d->taskColors, 0xFF, (tasks + 1) * sizeof *d->taskColors); /* TAC_NO_COLOR */
    if (!store->ignored.count) return true;
    d->jobIgnored = tacAllocZero(jobs / 32 + 1, sizeof *d->jobIgnored);
    d->tasksHidden = tacAllocZero(tasks + 1, 1);
    if (!d->jobIgnored || !d->tasksHidden) return false;
    for (uint32_t i = 0; i < jobs; i++)
        d->jobIgnored[i / 32] |= (uint32_t) tacIgnored(store, tacObjectId(store, TAC_JOB, i)) << i % 32;
    for (uint32_t i = 0; i < tasks; i++) d->tasksHidden[i] = tacIgnored(store, tacObjectId(store, TAC_TASK, i));
    return true;
}

void tacDrawingFree(tacDrawing *d) {
    tacTilesFree(d->tiles);
    tacFree(d->arrowSpans);
    tacFree(d->taskColors);
    tacFree(d->taskPlaces);
    tacFree(d->tasksSeen);
    tacFree(d->mutexesSeen);
    tacFree(d->semaphoresSeen);
    tacFree(d->jobIgnored);
    tacFree(d->tasksHidden);
}

/* ---- columns: labels, plot, room for the arrow head, legend ------------------------------------------------------ */

/* Points between the labels and the plot. */
static float labelGap(const tacDrawing *d) { return 0.7f * d->style.fontSize; }

void tacSetLabelMost(tacDrawing *d) {
    d->labelWidth = d->figure->width > 0 ? 0.28f * (float) d->figure->width : 16 * d->style.fontSize;
    if (d->figure->labelWidth > 0) d->labelWidth = (float) d->figure->labelWidth;
    d->labelMost = d->figure->width > 0 ? fmaxf(0.45f * (float) d->figure->width - labelGap(d) - tacEdge, 1) : INFINITY;
}

void tacPlaceColumns(tacDrawing *d, int64_t from, int64_t to, float legendWidth, float labels) {
    float gap = labelGap(d),
          right = tacAxisRightRoom(d) + tacEdge + (legendWidth > 0 ? legendWidth + 1.5f * d->style.fontSize : 0);
    if (d->figure->labelWidth > 0) labels = (float) d->figure->labelWidth;
    d->left = tacEdge + labels + gap;
    if (d->figure->width > 0) {
        d->width = (float) d->figure->width;
        if (d->left > 0.45f * d->width) { /* a narrow figure keeps room for the plot */
            d->left = 0.45f * d->width;
            d->labelWidth = fminf(d->labelWidth, d->labelMost);
        }
        d->right = fmaxf(d->width - right, d->left + 0.2f * d->width);
    } else {
        double units = tacTicksBetween(from, to) / pow(10, d->store->digits),
               natural = fmin(fmax(units * d->style.timeUnit, naturalLeast), naturalMost);
        d->right = fminf(d->left + (float) natural, fmaxf((float) naturalMost - right, d->left + (float) naturalLeast));
        d->width = d->right + right;
    }
    d->labelRight = d->left - gap;
    d->bodyRight = d->width - (legendWidth > 0 ? legendWidth + 0.5f * d->style.fontSize : 0);
}

/* ---- sizes of text ----------------------------------------------------------------------------------------------- */

float tacLabelSize(const tacDrawing *d, float stretch) {
    float pitch = (float) (d->style.barHeight + (d->rtsched ? 0.7 : 1) * d->style.arrowHeight + d->style.taskMargin)
        * d->style.unit * stretch;
    return fmaxf(fminf(d->style.fontSize, 0.9f * pitch), 1);
}

float tacNoteHeight(const tacDrawing *d) { return 1.25f * d->style.smallSize; }

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

void tacDrawRow(tacDrawing *d, const tacFigureRow *row) {
    if (row->away) return;
    if (row->kind == TAC_FIGURE_ROW_SERVER) {
        tacDrawServer(d, row);
        return;
    }
    if (row->kind == TAC_FIGURE_ROW_GROUP) {
        tacDrawGroup(d, row);
        return;
    }
    size_t first = d->display->items.count;
    tacDrawBars(d, row);
    if (tacShows(d, TAC_SHOW_MUTEXES)) tacDrawHolds(d, row);
    if (tacShows(d, TAC_SHOW_ARROWS | TAC_SHOW_DEADLINES)) tacDrawArrows(d, row);
    tacDrawBarTexts(d, row, first);
    if (row->kind == TAC_FIGURE_ROW_TASK) {
        tacDrawNotes(d, row, tacNoteHeight(d));
        if (d->rtsched) tacDrawCompletions(d, row);
    }
}

void tacDrawLinks(tacDrawing *d) {
    bool collapsed = d->rows->mode == TAC_PROCESSORS_COLLAPSED;
    d->linksFirst = d->display->items.count;
    if (tacShows(d, collapsed ? TAC_SHOW_MIGRATIONS : TAC_SHOW_PREEMPTIONS)) tacDrawSwitches(d);
    if (d->rows->mode == TAC_PROCESSORS_EXPANDED && tacShows(d, TAC_SHOW_PANEL_MIGRATIONS)) tacDrawPanelMigrations(d);
    if (tacShows(d, TAC_SHOW_SYNCS)) tacDrawSyncs(d);
    d->linksEnd = d->display->items.count;
}

/* Draws all but a legend at the right; leaves d->y below it. */
static void drawBody(tacDrawing *d) {
    /* Forget all that an earlier round has drawn and met. */
    d->seen = d->seenInBands = d->seenInBars = d->several = d->leftOut = 0;
    d->nGroupColors = 0;
    tacFindLevels(d);
    memset(d->tasksSeen, 0, d->rows->nTasks);
    memset(d->mutexesSeen, 0, tacStoreObjects(d->store, TAC_MUTEX));
    memset(d->semaphoresSeen, 0, tacStoreObjects(d->store, TAC_SEMAPHORE));
    memset(d->marksSeen, 0, sizeof d->marksSeen);
    d->ticksSeveral = d->marksLeftOut = false;
    d->labelsLeftOut = 0;
    d->messageLooks = 0;
    d->display->items.count = d->display->points.count = 0;

    if (d->style.dark) { /* paper, higher than any page: the height of the figure is not known yet */
        tacItem *paper = tacAddRect(d, TAC_LAYER_BACK, 0, 0, d->width, 0, d->style.paper, tacNoRef);
        if (paper) paper->y1 = 14400;
    }
    d->gridFirst = d->gridEnd = 0;
    if (d->rtsched) tacDrawGrid(d);
    tacDrawLinks(d);
    for (size_t i = 0; i < d->rows->rows.count; i++) tacDrawRow(d, &d->rows->rows.at[i]);
    if (d->figure->legend != TAC_LEGEND_ALONE) tacDrawLabels(d);
    tacDrawIntervals(d);
    tacDrawAxis(d);
    if (tacShows(d, TAC_SHOW_MESSAGES | TAC_SHOW_SYNCS)) tacDrawMarks(d);
    tacDrawBuffers(d);
    if (d->figure->legend == TAC_LEGEND_BOTTOM) {
        float y = d->y + 0.5f * d->style.fontSize, height = tacDrawLegend(d, tacEdge, d->width - tacEdge, y);
        d->y = height > 0 ? y + height : d->y;
    }
    d->y += tacEdge;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

/* Width of the column of names: one for all pages, so that their axes are at one place. */
static float labelColumn(const tacDrawing *d) {
    tacFigureRows *rows = d->rows;
    if (d->figure->labelWidth > 0) return (float) d->figure->labelWidth; /* whatever the names want */
    if (rows->labelsFor == d->stretch) return rows->labels;
    rows->labelsFor = d->stretch;
    rows->labels = 0;
    for (size_t i = 0; i < rows->nAll; i++)
        if (!rows->all[i].away && !tacFigureRowIsHeading(&rows->all[i]))
            rows->labels = fmaxf(rows->labels, tacLabelWidth(d, &rows->all[i]));
    return rows->labels;
}

/* Places the columns and the scale, with room for the axis' last label. */
static void placePlot(tacDrawing *d, int64_t from, int64_t to, float legendWidth) {
    enum { ROUNDS = 4 }; /* several, since with the scale the label moves */
    tacGap gaps[TAC_SCALE_SEGMENTS];
    float labels = labelColumn(d);
    d->axisRoom = 0;
    for (int round = 0; round < ROUNDS; round++) {
        tacPlaceColumns(d, from, to, legendWidth, labels);
        int nGaps = d->figure->breaks ? tacFindGaps(d, from, to, gaps, TAC_SCALE_SEGMENTS - 1) : 0;
        while (nGaps > 0 && (d->right - d->left) < 3 * breakWidth * nGaps) nGaps--;
        tacScaleInit(&d->scale, from, to, d->left, d->right, gaps, nGaps, breakWidth);
        float more = tacAxisOverhang(d);
        if (more < 0.05f) break;
        d->axisRoom += more;
    }
}

/* Makes one round: places everything for this width of the legend and this stretch of the rows, and draws it. */
static void layOut(tacDrawing *d, int64_t from, int64_t to, float legendWidth, float stretch) {
    tacFigureRows *rows = d->rows;
    d->stretch = stretch;
    d->labelSize = tacLabelSize(d, stretch);
    d->shareRows = 0;
    for (size_t i = 0; i < rows->rows.count; i++) d->shareRows += !rows->rows.at[i].away;
    d->clipTop = -INFINITY, d->clipBottom = INFINITY;
    tacSetLabelMost(d);
    placePlot(d, from, to, legendWidth);
    for (size_t i = 0; i < rows->rows.count; i++)
        rows->rows.at[i].noteLanes = (uint8_t) tacPlanNotes(d, &rows->rows.at[i]);
    d->top = tacEdge;
    tacFigureRowsPlace(rows, &d->style, d->figure, d->top, stretch, tacNoteHeight(d), d->labelSize);
    d->y = rows->rows.count ? rows->bottom : d->top;
    drawBody(d);
}

/* The factor by which rows must be stretched for the figure to be as high as wanted, or no higher than it can be. */
static float wantedStretch(const tacDrawing *d) {
    float rows = d->rows->bottom - d->top, others = d->y - rows;
    float wanted = d->figure->height > 0 ? (float) d->figure->height : fminf(d->y, heightMost);
    if (rows <= 0 || fabsf(wanted - d->y) < 0.5f || (wanted < d->y && d->stretch <= stretchLeast)) return 1;
    return fmaxf((wanted - others) / rows, stretchLeast);
}

/* Leaves of the figure its legend alone. */
static void keepLegend(tacDrawing *d) {
    float width = tacLegendWidth(d);
    d->display->items.count = d->display->points.count = 0;
    d->y = 2 * tacEdge + tacDrawLegend(d, tacEdge, tacEdge + width, tacEdge);
    d->width = width + 2 * tacEdge;
}

/* Draws the figure, in as many rounds as its legend and height need. */
static void drawRounds(tacDrawing *d, int64_t from, int64_t to) {
    float legendWidth = 0;
    tacDiag *diag = d->diag;
    layOut(d, from, to, 0, 1);
    if (d->figure->legend == TAC_LEGEND_ALONE) {
        keepLegend(d);
        return;
    }
    d->diag = NULL; /* each remark is made in the first round only */
    if (tacLevelsWanted(d)) {
        d->levelsSeen = true;
        layOut(d, from, to, 0, 1);
    }
    if (d->figure->legend == TAC_LEGEND_RIGHT && (legendWidth = tacLegendWidth(d)) > 0)
        layOut(d, from, to, legendWidth, 1);
    float stretch = 1, factor = wantedStretch(d);
    for (int round = 0; round < 4 && factor != 1; round++) { /* several, since parts of a row do not stretch */
        stretch = fmaxf(stretch * factor, stretchLeast);
        layOut(d, from, to, legendWidth, stretch);
        factor = wantedStretch(d);
    }
    if (legendWidth > 0) d->y = tacDrawLegendRight(d, legendWidth, d->y);
    d->diag = diag;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Adds remarks on what the figure does not show as asked. */
static void sayRemarks(const tacDrawing *d) {
    tacLegendRemarks(d);
    if (d->diag && d->rows->leftOut) {
        tacDiagAdd(d->diag, TAC_SEVERITY_WARNING, 0, "FIGURE",
            "the figure shows the first %d rows; %u more are left out (choose some with -rows)", TAC_FIGURE_ROWS_MAX,
            (unsigned) d->rows->leftOut);
    }
    if (d->diag && d->rows->empty) {
        tacDiagAdd(d->diag, TAC_SEVERITY_NOTE, 0, "FIGURE",
            "%u row%s without anything in this time %s left out (-empty-rows shows them)", (unsigned) d->rows->empty,
            d->rows->empty == 1 ? "" : "s", d->rows->empty == 1 ? "is" : "are");
    }
    if (d->diag && d->tasksAlike) {
        tacDiagAdd(d->diag, TAC_SEVERITY_WARNING, 0, "FIGURE",
            "%u tasks have no gray and hatch of their own: the legend has them with others (-bar-text job writes names "
            "into bars)",
            (unsigned) d->tasksAlike);
    }
    if (d->diag && d->labelsLeftOut) {
        tacDiagAdd(d->diag, TAC_SEVERITY_NOTE, 0, "FIGURE",
            "no room for the label%s of %u interval%s: a wider figure has more", d->labelsLeftOut == 1 ? "" : "s",
            (unsigned) d->labelsLeftOut, d->labelsLeftOut == 1 ? "" : "s");
    }
    if (d->diag && d->figure->height > 0 && d->y > d->figure->height * 1.01) {
        tacDiagAdd(d->diag, TAC_SEVERITY_WARNING, 0, "FIGURE",
            "the rows do not fit into a height of %g points: the figure is %g points high", d->figure->height,
            floor((double) d->y + 0.5));
    }
}

/* Gives the display its size and font. False: no memory, for these or for some item. */
static bool finishDisplay(tacDrawing *d) {
    const char *font = tacFigureFont(d->figure, d->store);
    tacDisplay *display = d->display;
    display->width = d->width;
    display->height = d->figure->height > d->y ? (float) d->figure->height : d->y;
    display->fontSize = d->style.fontSize;
    tacFree((void *) display->font);
    display->font = tacCopyText(font, strlen(font));
    tacDisplayFinish(display);
    return display->font && !display->failed;
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

struct tacPages {
    const tacTrace *trace;
    const tacFigure *figure;
    const tacMeasure *measure;
    tacFigureRows rows; /* those of the page at hand */
    TAC_ARRAY(tacFigureRow) all;
    size_t first;                     /* of the rows that are not on a page yet */
    uint32_t seenInBands, seenInBars; /* of those that are: as in tacDrawing */
};

tacStatus tacPagesNew(
    const tacTrace *trace, const tacFigure *figure, const tacMeasure *measure, tacPages **pages, tacError *err) {
    tacPages *p = *pages = tacAllocZero(1, sizeof *p);
    if (!p) return tacFailMemory(err);
    p->trace = trace;
    p->figure = figure;
    p->measure = measure;
    bool grouped = figure->groupBy != TAC_GROUP_NONE;
    if (tacFigureRowsList(&p->rows, &trace->model, figure, grouped ? TAC_LISTED_MAX : TAC_FIGURE_ROWS_MAX, err)
        != TAC_OK)
        return TAC_ERROR;
    if (grouped && !tacFigureRowsGroup(&p->rows, trace, figure, TAC_FIGURE_ROWS_MAX)) return tacFailMemory(err);
    size_t n = p->rows.rows.count;
    if (!tacArrayReserve(&p->all, n) || !tacFigureRowsWhole(&p->rows, p->all.at)) return tacFailMemory(err);
    p->all.count = n;
    return TAC_OK;
}

void tacPagesFree(tacPages *pages) {
    if (!pages) return;
    tacFigureRowsFree(&pages->rows);
    tacArrayFree(&pages->all);
    tacFree(pages);
}

/* Is the drawing higher than its page, and than was asked for? */
static bool isTooHigh(const tacDrawing *d) {
    const tacFigure *figure = d->figure;
    return figure->pageHeight > 0 && d->y > fmax(figure->pageHeight, 1.01 * figure->height) + 0.5;
}

/* The number of rows that fit into a height, no less than `least`, without headings at the end, and with all members of
 * folded groups. */
static size_t rowsThatFit(const tacFigureRows *rows, float top, float height, size_t least) {
    size_t n = least;
    while (n < rows->rows.count && (rows->rows.at[n].away || rows->rows.at[n].bottom - top <= height)) n++;
    while (n < rows->rows.count && n > least && tacFigureRowIsHeading(&rows->rows.at[n - 1])) n--;
    return n;
}

/* The least number of rows on a page: headings, and a row with what is in it. */
static size_t leastRows(const tacFigureRows *rows) {
    size_t n = 0;
    while (n < rows->rows.count && tacFigureRowIsHeading(&rows->rows.at[n])) n++;
    if (n < rows->rows.count) n++;
    while (n < rows->rows.count && rows->rows.at[n].away) n++;
    return n;
}

static tacStatus refusePage(const tacDrawing *d, tacError *err) {
    double page = d->figure->pageHeight, rows = d->rows->bottom - d->top;
    char lower[60] = "";
    size_t shown = 0;
    for (size_t i = 0; i < d->rows->rows.count; i++) shown += !d->rows->rows.at[i].away;
    if (d->y - rows * (1 - stretchLeast) < page) tacPrint(lower, sizeof lower, ", lower rows (-height %gpt)", page);
    return tacFail(err, "FIGURE PAGE",
        "the figure is %.0f points high, with %u rows, and its page %g: choose rows (-rows), a shorter time (-from, "
        "-to)%s, or several pages (-pages)",
        (double) d->y, (unsigned) shown, page, lower);
}

/* The contents of buffers stand on a page of their own, or on that of the last rows. */
static void leaveBuffers(tacFigure *figure, bool *left) {
    *left = figure->showBuffers;
    figure->showBuffers = false;
    figure->buffersAt = TAC_UNKNOWN;
}

/* Draws as many of the rows left as fit onto the page, and says how many; *buffers: their contents are left for another
 * one. */
static size_t fillPage(
    tacDrawing *d, tacPages *pages, tacFigure *figure, int64_t from, int64_t to, size_t headings, bool *buffers) {
    size_t left = pages->all.count - pages->first;
    tacFigureRows *rows = d->rows;
    /* Rows beyond the page whatever is drawn beside them need not be drawn to find it out. */
    size_t n = rowsThatFit(rows, 0, (float) figure->pageHeight, leastRows(rows)) - headings;
    if (n < left) {
        leaveBuffers(figure, buffers);
        tacFigureRowsPart(rows, pages->all.at, pages->first, pages->first + n);
    }
    drawRounds(d, from, to);
    if (!isTooHigh(d)) return n;
    if (figure->showBuffers && rows->rows.count) {
        leaveBuffers(figure, buffers);
        drawRounds(d, from, to);
    }
    float others = d->y - (rows->bottom - d->top);
    size_t fits = rowsThatFit(rows, d->top, (float) figure->pageHeight + 0.5f - others, leastRows(rows)) - headings;
    if (fits == n) return n;
    tacFigureRowsPart(rows, pages->all.at, pages->first, pages->first + fits);
    drawRounds(d, from, to);
    return fits;
}

/* The same for a page that leaves the later ones their share of the rows. */
static size_t drawPage(
    tacDrawing *d, tacPages *pages, tacFigure *figure, int64_t from, int64_t to, size_t headings, bool *buffers) {
    size_t n = pages->all.count - pages->first;
    tacFigureRowsPlace(d->rows, &d->style, figure, 0, 1, tacNoteHeight(d), tacLabelSize(d, 1));
    tacFigureRow *left = tacAlloc((n ? n : 1) * sizeof *left);
    if (!left) d->display->failed = true;
    else if (n) memcpy(left, d->rows->rows.at + headings, n * sizeof *left);
    size_t fits = fillPage(d, pages, figure, from, to, headings, buffers);
    float others = d->y - (d->rows->bottom - d->top);
    size_t share = left ? tacFigureRowsShare(left, n, fits, (float) figure->pageHeight + 0.5f - others) : fits;
    tacFree(left);
    if (share == fits) return fits;
    tacFigureRowsPart(d->rows, pages->all.at, pages->first, pages->first + share);
    drawRounds(d, from, to);
    return share;
}

tacStatus tacPagesNext(tacPages *pages, tacDisplay *display, bool *more, tacDiag *diag, tacError *err) {
    tacFigure own = *pages->figure;
    const tacTrace *trace = pages->trace;
    const tacMeasure *measure = pages->measure;
    tacDrawing d = {.model = &trace->model,
        .store = &trace->store,
        .clocks = &trace->clocks,
        .figure = &own,
        .rows = &pages->rows,
        .measure = measure,
        .display = display,
        .diag = diag,
        .rtsched = own.convention == TAC_CONVENTION_RTSCHED,
        .beforeInBands = pages->seenInBands,
        .beforeInBars = pages->seenInBars,
        .detail = own.detail > 0 ? own.detail : 0.1};
    int64_t from, to;
    bool buffers = false;
    *more = false;
    tacStyleInit(&d.style, d.store, &own, diag);
    measure->width(measure->data, "Xg", 2, d.style.fontSize, false, &d.ascent, &d.descent);
    tacStatus status = findRange(&d, &from, &to, err);
    if (status == TAC_OK && (!tacDrawingSets(&d) || (own.quick && !(d.tiles = tacTilesNew()))))
        status = tacFailMemory(err);
    if (status == TAC_OK) {
        size_t headings = tacFigureRowsPart(&pages->rows, pages->all.at, pages->first, pages->all.count);
        if (own.pages) pages->first += drawPage(&d, pages, &own, from, to, headings, &buffers);
        else drawRounds(&d, from, to);
        if (!own.pages && isTooHigh(&d)) status = refusePage(&d, err);
        pages->seenInBands |= d.seenInBands;
        pages->seenInBars |= d.seenInBars;
        *more = own.pages && (pages->first < pages->all.count || buffers);
    }
    if (status == TAC_OK) {
        if (!*more) sayRemarks(&d);
        status = finishDisplay(&d) ? TAC_OK : tacFailMemory(err);
    }
    tacDrawingFree(&d);
    return status;
}
