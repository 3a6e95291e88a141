/*
 * timelineFrame.c -- from the trace to pixels, and no further back than needed.
 *
 *      trace -> rows listed -> arranged -> placed -> frame laid out -> painted -> put together with what lies over it
 *            ^ROWS          ^ORDER      ^PLACES   ^LAYOUT           ^PAINT     ^PICTURE                -> shown: FRESH
 *
 * `stale` names the arrow to begin with. Very many rows, and the rows of very many events, are listed (LIST, between
 * ROWS and ORDER), arranged and looked at (PASSES, between ORDER and PLACES), placed and drawn at idle times, as many
 * as they need, between which the window handles events; who asks for their places meanwhile gets them at once. The
 * painted frame is kept in memory (`picture`), so that a thing that moves over it (the cursor) costs its own area only:
 * that piece of the picture is copied, drawn over and put. Such areas are collected in `dirty`; there is one redraw at
 * idle time, however much has changed. What was covered by another window is one of them. Both pictures are canvases of
 * the screen, which have to be asked for again whenever they are drawn into.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tk/timelineState.h"
#include "view/paint.h"

#include <math.h>
#include <string.h>

enum { MOST_DIRTY = 16 };               /* areas; more become one around all */
static const double layoutBudget = 1.5; /* milliseconds of summing up in a frame */
const double tacPassBudget = 6;

/* ---- staleness -------------------------------------------------------------------------------------------------- */

void tacTimelineStale(tacTimeline *t, tacStale stale) {
    if (stale > t->stale) t->stale = stale;
    if (stale >= TAC_STALE_PLACES) t->columns = false;
    tacTimelineRedisplay(t);
}

void tacTimelineTouch(tacTimeline *t, tacArea area) {
    if (tacAreaEmpty(area)) return;
    tacTimelineRedisplay(t);
    if (t->stale >= TAC_STALE_PICTURE) return;
    if (t->dirty.count < MOST_DIRTY && tacArrayPush(&t->dirty, area)) return;
    for (size_t i = 0; i < t->dirty.count; i++) area = tacAreaAround(area, t->dirty.at[i]);
    if (t->dirty.count) t->dirty.at[0] = area, t->dirty.count = 1;
    else tacTimelineStale(t, TAC_STALE_PICTURE);
}

/* ---- laying out ------------------------------------------------------------------------------------------------- */

/*
 * Chooses the unit of the axis where the trace says what its times are in: the largest of which there are two, in the
 * numbers at the axis or, where these are long beside the range that is seen, in that range.
 */
static void chooseUnit(const tacTimeline *t, tacFigure *figure) {
    static const char *const names[] = {"s", "ms", "\xc2\xb5s", "ns", "ps"};
    const char *own = t->trace ? t->trace->store.unit : NULL;
    int exponent, unit = 0;
    figure->axisUnit = own;
    if (!own || !tacTimeUnit(own, strlen(own), &exponent)) return;
    double range = tacTicksBetween(t->from, t->to),
           numbers = fmax(fabs(tacTicksBetween(figure->origin, t->from)), fabs(tacTicksBetween(figure->origin, t->to)));
    double seconds = (numbers < 1e6 * range ? numbers : range) * pow(10, exponent - t->digits);
    while (unit < 4 && seconds < 2 * pow(10, -3 * unit)) unit++;
    figure->axisUnit = names[unit];
    exponent += 3 * unit;
    figure->axisScale = exponent < 0 ? 1 / pow(10, -exponent) : pow(10, exponent);
}

/* Fills in a figure as options, range and window say. */
static void figureOf(const tacTimeline *t, tacFigure *figure) {
    const tacTimelineOptions *o = &t->options;
    tacArea inner = tacTimelineInner(t);
    tacFigureDefaults(figure);
    figure->from = t->from, figure->to = t->to;
    figure->width = inner.width / t->scaling;
    figure->height = inner.height / t->scaling;
    figure->labelWidth = o->labelWidth / t->scaling;
    figure->font = o->font;
    figure->fontSize = o->fontSize;
    figure->convention = (tacConvention) o->convention;
    figure->processors = (tacProcessorsMode) o->processors;
    figure->deadlines = (tacDeadlines) o->deadlines;
    figure->colorBy = (tacColorBy) o->colorBy;
    figure->barText = (tacBarText) o->barText;
    figure->layers = t->layers;
    figure->fit = o->fitRows != 0;
    figure->order = tacOrderWords[o->order + 1];
    figure->legend = TAC_LEGEND_NONE;
    figure->grayscale = o->grayscale || o->theme == TAC_THEME_PRINT;
    figure->dark = o->theme == TAC_THEME_DARK;
    figure->axisUnit = o->axisUnit;
    figure->axisScale = o->axisScale;
    figure->origin = tacTimelineAxisOrigin(t);
    if (o->axisUnit && strcmp(o->axisUnit, "auto") == 0) chooseUnit(t, figure);
    figure->markServers = o->serverMarks != 0;
    figure->detail = 1 / t->scaling;
    figure->quick = true;
    figure->budget = layoutBudget;
}

/* Makes the shaper of the figure's font, if there is none; it measures and paints text. */
static tacStatus needShaper(tacTimeline *t, const tacFigure *figure, tacError *err) {
    const char *family = t->trace ? tacFigureFont(figure, &t->trace->store) : figure->font ? figure->font : "";
    if (t->shaper && strcmp(family, t->family) == 0) return TAC_OK;
    char *copy = tacCopyText(family, strlen(family));
    tacMeasure measure = {0};
    if (!copy) return tacFailMemory(err);
    if (tacMeasurePango(family, &measure, err) != TAC_OK) {
        tacFree(copy);
        return TAC_ERROR;
    }
    tacShaperFree(t->shaper);
    tacFree(t->family);
    t->shaper = measure.data; /* view/text.h: a measure by Pango is a shaper */
    t->measure = measure;
    t->family = copy;
    return TAC_OK;
}

/* Keeps the error's message, which the window shows, and reports it as a background error, once. Returns false. */
static bool fail(tacTimeline *t, const tacError *err) {
    bool told = t->failed && strcmp(t->message, err->message) == 0;
    t->failed = true;
    t->drawn = t->columns = false;
    if (t->stale < TAC_STALE_PLACES) t->stale = TAC_STALE_PLACES;
    memcpy(t->message, err->message, sizeof t->message);
    if (!told) tacWidgetTellError(&t->widget, err);
    return false;
}

/* Notices that `tk scaling` has changed, of which there is no event. */
static void lookAtScaling(tacTimeline *t) {
    double scaling = tacScreenScaling(t->widget.window);
    if (scaling == t->scaling) return;
    t->scaling = scaling;
    t->columns = false;
    if (t->stale < TAC_STALE_PLACES) t->stale = TAC_STALE_PLACES;
}

static tacStatus list(tacTimeline *t, const tacFigure *figure, tacError *err) {
    tacStatus status = tacWindowList(&t->rows, t->trace, figure, err);
    if (status == TAC_OK) t->stale = TAC_STALE_LIST;
    return status;
}

static tacStatus listOn(tacTimeline *t, tacError *err) {
    bool done = false;
    tacStatus status = tacWindowListOn(&t->rows, tacPassBudget, &done, err);
    if (done) t->stale = TAC_STALE_ORDER;
    if (status != TAC_OK) t->stale = TAC_STALE_ROWS;
    return status;
}

/* Begins to arrange the rows, and to choose those that are shown. */
static void arrange(tacTimeline *t) {
    t->rows.groupBy = (tacGroupBy) t->options.groupBy;
    tacWindowArrange(&t->rows);
    t->stale = TAC_STALE_PASSES;
    tacTimelineFilter(t);
    tacWindowLeaveOut(&t->rows, t->options.hideEmpty, t->from, t->to);
}

/* Goes on with arranging and with the passes over all rows. Without memory for passes rows stay in the order that they
 * have. */
static tacStatus goOn(tacTimeline *t, tacError *err) {
    bool done = true, changed = false;
    tacStatus status = tacWindowGoOn(&t->rows, tacPassBudget, &done, &changed, err);
    if (done || status != TAC_OK) t->stale = t->rows.trace ? TAC_STALE_PLACES : TAC_STALE_ROWS;
    if (changed) tacTimelineNews(t, TAC_NEWS_ROWS | TAC_NEWS_YSCROLL);
    return status;
}

/* Does the next step on the way to rows that are placed. False: it failed. */
static bool advance(tacTimeline *t) {
    tacFigure figure;
    tacError err = {{0}, {0}};
    figureOf(t, &figure);
    tacStatus status = needShaper(t, &figure, &err);
    if (status != TAC_OK) return fail(t, &err);
    bool keyed = true;
    if ((t->stale == TAC_STALE_ORDER || t->stale == TAC_STALE_ROWS) && tacTimelinePending(t))
        status = tacWindowNeedKeys(&t->rows, tacPassBudget, &keyed, &err);
    if (status != TAC_OK || !keyed) return status == TAC_OK || fail(t, &err);
    switch (t->stale) {
    case TAC_STALE_ROWS: status = list(t, &figure, &err); break;
    case TAC_STALE_LIST: status = listOn(t, &err); break;
    case TAC_STALE_ORDER: arrange(t); break;
    case TAC_STALE_PASSES: status = goOn(t, &err); break;
    default:
        status = tacWindowPlace(&t->rows, &figure, &t->measure, &err);
        if (status == TAC_OK) t->stale = TAC_STALE_LAYOUT, t->failed = false;
    }
    return status == TAC_OK || fail(t, &err);
}

/* Does all steps down to one. False: no trace, or it fails. */
static bool advanceTo(tacTimeline *t, tacStale stale) {
    lookAtScaling(t);
    if (!t->trace) return false;
    while (t->stale > stale)
        if (!advance(t)) return false;
    return stale >= TAC_STALE_PLACES || !t->failed;
}

bool tacTimelineArrange(tacTimeline *t) { return advanceTo(t, TAC_STALE_PLACES); }
bool tacTimelinePlaces(tacTimeline *t) { return advanceTo(t, TAC_STALE_LAYOUT); }

bool tacTimelinePending(const tacTimeline *t) {
    enum { MANY_TASKS = 20000, MANY_EVENTS = 1000000 };
    if (!t->trace || t->stale < TAC_STALE_PASSES) return false;
    return tacStoreObjects(&t->trace->store, TAC_TASK) >= MANY_TASKS || tacStoreCount(&t->trace->store) >= MANY_EVENTS;
}

bool tacTimelineAhead(tacTimeline *t) {
    if (!tacTimelinePending(t)) return false;
    lookAtScaling(t);
    if (!advance(t)) return false;
    tacTimelineRedisplay(t);
    return true;
}

bool tacTimelineLayout(tacTimeline *t) {
    if (!tacTimelinePlaces(t)) return false;
    if (t->stale < TAC_STALE_LAYOUT) return true;
    tacFigure figure;
    tacError err = {{0}, {0}};
    int64_t begin = tacMicroseconds();
    figureOf(t, &figure);
    if (tacWindowDraw(&t->rows, &figure, &t->measure, (float) (t->scroll / t->scaling), &t->frame, &err) != TAC_OK)
        return fail(t, &err);
    int scrolled = (int) floor(t->frame.scroll * t->scaling + 0.5);
    if (scrolled < t->scroll) t->scroll = scrolled; /* there is less content than that */
    t->times = (tacFrameTimes){.layout = tacMicroseconds() - begin};
    for (int part = 0; part < TAC_PARTS; part++) t->times.items += t->frame.parts[part].items.count;
    t->stale = TAC_STALE_PAINT;
    t->drawn = t->columns = true;
    t->look.begun = false;
    tacOverlayPlace(t);
    tacTimelineNews(t, TAC_NEWS_YSCROLL); /* told when the fractions are others */
    return true;
}

bool tacTimelineColumns(tacTimeline *t) {
    lookAtScaling(t);
    return t->trace && (t->columns || tacTimelineLayout(t));
}

/* ---- painting --------------------------------------------------------------------------------------------------- */

static void dropSurface(cairo_surface_t **surface) {
    if (*surface) cairo_surface_destroy(*surface);
    *surface = NULL;
}

/* Makes the surface of a canvas ready to be drawn into. Its memory moves only when the size changes. False: no memory.
 */
static bool needSurface(tacTimeline *t, tacCanvas canvas, cairo_surface_t **surface) {
    tacArea inner = tacTimelineInner(t);
    tacPixels pixels;
    if (*surface
        && (cairo_image_surface_get_width(*surface) != inner.width
            || cairo_image_surface_get_height(*surface) != inner.height))
        dropSurface(surface);
    if (!tacScreenCanvas(t->widget.screen, canvas, inner.width, inner.height, &pixels)) return false;
    if (*surface) return true;
    *surface = cairo_image_surface_create_for_data(
        pixels.at, CAIRO_FORMAT_RGB24, pixels.width, pixels.height, pixels.stride);
    if (cairo_surface_status(*surface) == CAIRO_STATUS_SUCCESS) return true;
    dropSurface(surface);
    return false;
}

/* Paints what of a part lies between two rows of pixels. */
static tacStatus paintPart(tacTimeline *t, cairo_t *cr, tacPart part, int top, int bottom, tacError *err) {
    tacBox box = t->frame.boxes[part];
    double x0 = round(box.x0 * t->scaling), y0 = fmax(round(box.y0 * t->scaling), top), x1 = round(box.x1 * t->scaling),
           y1 = fmin(round(box.y1 * t->scaling), bottom);
    if (x1 <= x0 || y1 <= y0) return TAC_OK;
    box.y0 = (float) (y0 / t->scaling), box.y1 = (float) (y1 / t->scaling);
    tacPaintOptions options = {
        .shaper = t->shaper, .pixels = t->scaling, .clip = box, .screen = true, .looks = &t->looks};
    cairo_save(cr);
    cairo_rectangle(cr, x0, y0, x1 - x0, y1 - y0);
    cairo_clip(cr);
    cairo_scale(cr, t->scaling, t->scaling);
    tacStatus status = tacPaint(&t->frame.parts[part], cr, &options, err);
    cairo_restore(cr);
    return status;
}

/* Paints the window without a trace or a frame: paper, and in its middle a sentence. */
static void paintEmpty(tacTimeline *t, cairo_t *cr, tacArea inner) {
    static const tacStore nothing;
    tacFigure figure;
    tacStyle style;
    figureOf(t, &figure);
    tacStyleInit(&style, &nothing, &figure, NULL);
    tacPaintColor(cr, style.paper);
    cairo_paint(cr);
    const char *text = t->trace ? t->message : t->options.emptyText;
    if (!text || !*text || needShaper(t, &figure, NULL) != TAC_OK) return;
    float size = (float) t->options.fontSize;
    tacTextPlace place = {(float) (inner.width / t->scaling / 2), (float) (inner.height / t->scaling / 2) + size / 3,
        size, TAC_ANCHOR_CENTER, false, style.faint, false};
    cairo_save(cr);
    cairo_scale(cr, t->scaling, t->scaling);
    tacPaintColor(cr, style.faint);
    tacShaperShow(t->shaper, cr, text, strlen(text), &place, false);
    cairo_restore(cr);
}

/* ---- putting ---------------------------------------------------------------------------------------------------- */

static tacPixels pixelsOf(cairo_surface_t *surface) {
    return (tacPixels){cairo_image_surface_get_data(surface), cairo_image_surface_get_width(surface),
        cairo_image_surface_get_height(surface), cairo_image_surface_get_stride(surface)};
}

typedef uint16_t Lanes __attribute__((vector_size(16))); /* channels of four pixels, every other one */

/* The two channels of a colour in 0xFF00FF, each times the share, for all lanes. */
static Lanes shareOf(uint32_t channels, uint32_t share) {
    uint32_t each = (channels & 0xFF00FF) * share;
    Lanes lanes;
    for (size_t i = 0; i < sizeof lanes; i += sizeof each) memcpy((char *) &lanes + i, &each, sizeof each);
    return lanes;
}

/* Copies n pixels with a tint on them, as quickly as without. */
static void copyTinted(uint32_t *to, const uint32_t *from, int n, const tacTint *tint) {
    const Lanes low = shareOf(0xFF00FF, 1), redBlue = shareOf(tint->color, tint->share),
                green = shareOf(tint->color >> 8, tint->share);
    const uint16_t rest = (uint16_t) (256 - tint->share);
    for (int i = 0; i < n; i += 4) {
        size_t bytes = n - i < 4 ? (size_t) (n - i) * sizeof *from : sizeof(Lanes);
        Lanes four = {0};
        if (bytes == sizeof four) memcpy(&four, from + i, sizeof four);
        else memcpy(&four, from + i, bytes);
        four = ((four & low) * rest + redBlue) >> 8 | (((four >> 8) * rest + green) & ~low);
        if (bytes == sizeof four) memcpy(to + i, &four, sizeof four);
        else memcpy(to + i, &four, bytes);
    }
}

/* Copies an area of the picture to the overlaid one, with the selection's tint. */
static void copyPicture(tacTimeline *t, tacArea area) {
    tacPixels source = pixelsOf(t->picture), target = pixelsOf(t->overlaid);
    tacArea inner = tacTimelineInner(t);
    tacTint tint = tacOverlayTint(t);
    tint.area.x -= inner.x, tint.area.y -= inner.y;
    tacArea tinted = tacAreaCommon(tint.area, area);
    size_t first = 4 * (size_t) area.x, left = tacAreaEmpty(tinted) ? 0 : 4 * (size_t) (tinted.x - area.x),
           width = 4 * (size_t) tinted.width;
    for (int y = area.y; y < area.y + area.height; y++) {
        size_t row = (size_t) y * (size_t) source.stride + first;
        bool plain = tacAreaEmpty(tinted) || y < tinted.y || y >= tinted.y + tinted.height;
        memcpy(target.at + row, source.at + row, plain ? 4 * (size_t) area.width : left);
        if (plain) continue;
        copyTinted((uint32_t *) (void *) (target.at + row + left),
            (const uint32_t *) (const void *) (source.at + row + left), tinted.width, &tint);
        memcpy(target.at + row + left + width, source.at + row + left + width, 4 * (size_t) area.width - left - width);
    }
    cairo_surface_mark_dirty_rectangle(t->overlaid, area.x, area.y, area.width, area.height);
}

/* Puts an area of the window on the screen: the painted frame, and the things that lie over it. */
static void putArea(tacTimeline *t, tacArea area) {
    tacArea inner = tacTimelineInner(t), from;
    area = tacAreaCommon(area, inner);
    from = (tacArea){area.x - inner.x, area.y - inner.y, area.width, area.height};
    if (tacAreaEmpty(area)) return;
    if (!t->drawn || !t->overlaid) {
        tacPixels pixels = pixelsOf(t->picture);
        tacScreenPut(t->widget.screen, &pixels, from, area.x, area.y);
        return;
    }
    copyPicture(t, from);
    cairo_t *cr = cairo_create(t->overlaid);
    cairo_translate(cr, -inner.x, -inner.y);
    cairo_rectangle(cr, area.x, area.y, area.width, area.height);
    cairo_clip(cr);
    tacOverlayDraw(t, cr, area);
    cairo_destroy(cr);
    cairo_surface_flush(t->overlaid);
    tacPixels pixels = pixelsOf(t->overlaid);
    tacScreenPut(t->widget.screen, &pixels, from, area.x, area.y);
}

/* What lies over the picture: areas of the window; large: so much that all is put together with it. */
typedef struct Cover {
    tacAreas areas;
    bool large;
} Cover;

static Cover coverOf(const tacTimeline *t) {
    tacArea inner = tacTimelineInner(t);
    Cover cover = {{0}, false};
    int64_t covered = 0, whole = (int64_t) inner.width * inner.height;
    bool known = !t->drawn || tacOverlayAreas(t, &cover.areas);
    for (size_t i = 0; i < cover.areas.count; i++) {
        tacArea area = tacAreaCommon(cover.areas.at[i], inner);
        if (!tacAreaEmpty(area)) covered += (int64_t) area.width * area.height;
    }
    cover.large = !known || covered >= whole / 4;
    return cover;
}

/* Puts the picture between two of its rows as it is, but for what is covered. */
static void putRows(tacTimeline *t, const Cover *cover, int top, int bottom) {
    tacArea inner = tacTimelineInner(t);
    tacPixels pixels = pixelsOf(t->picture);
    tacScreenSpare(t->widget.screen, cover->areas.at, cover->areas.count);
    tacScreenPut(t->widget.screen, &pixels, (tacArea){0, top, inner.width, bottom - top}, inner.x, inner.y + top);
    tacScreenSpare(t->widget.screen, NULL, 0);
}

/* Puts the picture from a row on, and what lies over all of it. */
static void putRest(tacTimeline *t, const Cover *cover, int top) {
    tacArea inner = tacTimelineInner(t);
    if (!cover->large) {
        putRows(t, cover, top, inner.height);
        for (size_t i = 0; i < cover->areas.count; i++) putArea(t, cover->areas.at[i]);
    } else putArea(t, inner);
    tacWidgetHighlight(&t->widget);
}

/* ---- painting and putting --------------------------------------------------------------------------------------- */

/* Fills rows of the picture with paper. Where all bytes of that are alike (white; gray, if the fourth one does not
 * count), memset is faster than cairo. */
static void fillPaper(tacTimeline *t, cairo_t *cr, int top, int bottom) {
    uint32_t paper = t->frame.paper, byte = paper & 0xFF;
    tacPixels pixels = pixelsOf(t->picture);
    if (paper == byte * 0x010101 && (byte == 0xFF || Tk_Depth(t->widget.window) <= 24)) {
        cairo_surface_flush(t->picture);
        memset(pixels.at + (size_t) top * (size_t) pixels.stride, (int) byte,
            (size_t) (bottom - top) * (size_t) pixels.stride);
        cairo_surface_mark_dirty(t->picture);
    } else {
        tacPaintColor(cr, paper);
        cairo_paint(cr);
    }
}

/* Paints the frame between two rows of pixels. */
static tacStatus paintRows(tacTimeline *t, cairo_t *cr, int top, int bottom, tacError *err) {
    tacStatus status = TAC_OK;
    cairo_save(cr);
    cairo_rectangle(cr, 0, top, tacTimelineInner(t).width, bottom - top);
    cairo_clip(cr);
    fillPaper(t, cr, top, bottom);
    for (int part = 0; part < TAC_PARTS && status == TAC_OK; part++)
        status = paintPart(t, cr, (tacPart) part, top, bottom, err);
    cairo_restore(cr);
    cairo_surface_flush(t->picture);
    return status;
}

/*
 * Paints the frame, or a sentence where there is none, into the picture. Where the picture may be put as it is, the
 * upper part of it is put once it is painted: the window system copies it while the rest is painted. The rest is so low
 * that painting it takes about as long as that copying. *put: from which row on the picture is still to be put.
 */
static bool paint(tacTimeline *t, const Cover *cover, int *put) {
    tacArea inner = tacTimelineInner(t);
    tacError err = {{0}, {0}};
    tacStatus status = TAC_OK;
    int64_t begin = tacMicroseconds();
    int middle = t->drawn && !cover->large ? inner.height - inner.height / 4 : 0;
    cairo_t *cr = cairo_create(t->picture);
    *put = 0;
    if (middle > 0) status = paintRows(t, cr, 0, middle, &err);
    if (middle > 0 && status == TAC_OK) putRows(t, cover, 0, *put = middle);
    if (!t->drawn) paintEmpty(t, cr, inner);
    else if (status == TAC_OK) status = paintRows(t, cr, middle, inner.height, &err);
    cairo_destroy(cr);
    cairo_surface_flush(t->picture);
    t->times.paint = tacMicroseconds() - begin;
    return status == TAC_OK || fail(t, &err);
}

/* Makes the pictures ready that are to be drawn into. False: there is no memory for the painted frame. */
static bool needPictures(tacTimeline *t) {
    tacError err = {{0}, {0}};
    if (t->stale >= TAC_STALE_PAINT && !needSurface(t, TAC_CANVAS_FRAME, &t->picture)) {
        tacFailMemory(&err);
        return fail(t, &err);
    }
    needSurface(t, TAC_CANVAS_OVERLAID, &t->overlaid); /* without memory for it, the frame is shown alone */
    return true;
}

/*
 * Paints and puts what is stale. Each stale area has its own place in the overlaid picture. Where two overlap, the
 * second is written while the server may still read the first; that does no harm, since the second is put over the
 * first at once. False: nothing could be painted.
 */
static bool show(tacTimeline *t) {
    bool all = t->stale >= TAC_STALE_PICTURE, painted = t->stale < TAC_STALE_PAINT;
    Cover cover = all ? coverOf(t) : (Cover){{0}, false};
    int put = 0;
    if (!painted) painted = paint(t, &cover, &put) || paint(t, &cover, &put); /* the second time the message */
    int64_t begin = tacMicroseconds();
    if (painted && all) putRest(t, &cover, put);
    for (size_t i = 0; painted && !all && i < t->dirty.count; i++) putArea(t, t->dirty.at[i]);
    t->dirty.count = 0;
    t->times.put = tacMicroseconds() - begin;
    tacArrayFree(&cover.areas);
    return painted;
}

/* ---- redrawing -------------------------------------------------------------------------------------------------- */

void tacTimelineRedraw(tacTimeline *t) {
    if (!t->widget.window || !Tk_IsMapped(t->widget.window)) return;
    lookAtScaling(t);
    if (t->stale == TAC_FRESH && !t->dirty.count) return;
    int64_t begin = tacMicroseconds();
    if (!tacWidgetScreen(&t->widget)) return;
    if (t->stale > TAC_STALE_PAINT) tacTimelineLayout(t);
    if (!needPictures(t) || !show(t)) return;
    t->stale = t->failed ? t->stale : TAC_FRESH;
    if (t->drawn && t->frame.unfinished) tacTimelineStale(t, TAC_STALE_LAYOUT); /* more when nothing else is to do */
    t->times.total = tacMicroseconds() - begin;
}

void tacTimelineExpose(tacTimeline *t, tacArea area) {
    tacArea inner = tacTimelineInner(t), shown = tacAreaCommon(area, inner);
    bool within = shown.width == area.width && shown.height == area.height; /* else the highlight was covered, too */
    if (within && t->picture) tacTimelineTouch(t, area);
    else tacTimelineStale(t, TAC_STALE_PICTURE);
}

void tacTimelineFrameFree(tacTimeline *t) {
    dropSurface(&t->picture);
    dropSurface(&t->overlaid);
    tacFrameFree(&t->frame);
    tacWindowFree(&t->rows);
    tacShaperFree(t->shaper);
    tacFree(t->family);
    t->shaper = NULL;
    t->family = NULL;
    tacArrayFree(&t->dirty);
}

/* ---- subcommands ------------------------------------------------------------------------------------------------ */

int tacFrameSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTimeline *t = data;
    (void) objc, (void) objv;
    const struct {
        const char *name;
        int64_t value;
    } fields[] = {{"layout", t->times.layout}, {"paint", t->times.paint}, {"put", t->times.put},
        {"total", t->times.total}, {"items", (int64_t) t->times.items}};
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(fields[i].name, -1), Tcl_NewWideIntObj(fields[i].value));
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}

/* Runs `labels`: the width that the names want, in pixels. */
int tacLabelsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) objc, (void) objv;
    if (tacTimelineNeed(t, tacTimelineLayout) != TCL_OK) return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewIntObj((int) ceil(tacWindowLabels(&t->rows) * t->scaling)));
    return TCL_OK;
}

/* Runs `redraw`: draws now and waits for the window system. The idle handler then has only the news to tell. */
int tacRedrawSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int64_t begin = tacMicroseconds();
    (void) interp, (void) objc, (void) objv;
    tacTimelineRedraw(t);
    if (t->widget.screen) tacScreenSync(t->widget.screen);
    t->times.total = tacMicroseconds() - begin;
    return TCL_OK;
}
