/*
 * paint.c -- the painter: goes through the display list in its order and gives cairo few large paths instead of many
 * small ones.
 *
 *      tacPaint -> painters[kind] -> a run of items that may be painted together without a visible difference
 *
 * Such runs are lines of one style, and rectangles that do not overlap: all fills by colour, then hatches, then
 * outlines, so that a neighbour's fill never covers half an outline. On a screen, the forms that paintScreen.h knows
 * are written into the pixels directly. cairo keeps the first error of a surface, so only the end asks for it.
 */
#include "base/port.h"

#include "view/paint.h"
#include "view/paintScreen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUN = 256 }; /* most items painted together */

#define FAR_OFF 1e5f /* points: further than anything visible, and within cairo's numbers, which end at 2^23 pixels */

typedef struct Painter {
    cairo_t *cr;
    const tacDisplay *display;
    tacPaintOptions options;
    tacBox visible;   /* points */
    tacRaster raster; /* pixels, when they can be written directly */
    tacHatch hatch;   /* of the hatch lines that are in cairo's path; width 0: none are */
} Painter;

/* ---- pixels ----------------------------------------------------------------------------------------------------- */

/* A coordinate within cairo's numbers; NaN becomes 0. */
static double within(float v) { return v > -FAR_OFF ? v < FAR_OFF ? v : FAR_OFF : v < 0 ? -FAR_OFF : 0; }

/* Width of a stroke as drawn, points. */
static double strokeWidth(const Painter *p, float width) {
    if (!(p->options.pixels > 0)) return tacStrokeWidth(width);
    return fmax(1, round(width * p->options.pixels)) / p->options.pixels;
}

/* Place of an area's edge. */
static double edgeAt(const Painter *p, float v) {
    return p->options.pixels > 0 ? round(within(v) * p->options.pixels) / p->options.pixels : within(v);
}

/* Place of an upright or level stroke: the middle of a pixel if it is an odd number of pixels wide. */
static double strokeAt(const Painter *p, float v, float width) {
    double pixels = p->options.pixels, at = within(v);
    if (!(pixels > 0)) return at;
    bool odd = fmod(round(strokeWidth(p, width) * pixels), 2) != 0;
    return (odd ? floor(at * pixels) + 0.5 : round(at * pixels)) / pixels;
}

/* ---- what is visible -------------------------------------------------------------------------------------------- */

#define REACH 12.0f /* points that an arrow's head, a mark or a line's width may stand out of an item */

/* The box around an item's two corners. */
static tacBox cornerBox(const tacItem *item) {
    return tacBoxAround(
        (tacBox){item->x0, item->y0, item->x0, item->y0}, (tacBox){item->x1, item->y1, item->x1, item->y1});
}

/* May the item be visible? Only the height of a text counts, since its width is not known before it is shaped. */
static bool isVisible(const Painter *p, const tacItem *item) {
    tacBox box = cornerBox(item);
    float reach = REACH;
    if (item->upright) return true;
    if (item->kind == TAC_ITEM_TEXT || item->kind == TAC_ITEM_SHAPE) {
        box.y0 = box.y1 = item->y0;
        reach += item->kind == TAC_ITEM_TEXT ? item->width : item->x1;
    }
    if (box.y1 + reach < p->visible.y0 || box.y0 - reach > p->visible.y1) return false;
    if (item->kind != TAC_ITEM_RECT && item->kind != TAC_ITEM_LINE) return true;
    return box.x1 + reach >= p->visible.x0 && box.x0 - reach <= p->visible.x1;
}

/* ---- state of cairo --------------------------------------------------------------------------------------------- */

void tacPaintColor(cairo_t *cr, uint32_t color) {
    cairo_set_source_rgb(cr, (color >> 16 & 0xFF) / 255.0, (color >> 8 & 0xFF) / 255.0, (color & 0xFF) / 255.0);
}

static void setStroke(Painter *p, uint32_t color, float width, tacDashes dashes) {
    double lengths[2] = {dashes.on, dashes.off};
    tacPaintColor(p->cr, color);
    cairo_set_line_width(p->cr, strokeWidth(p, width));
    cairo_set_dash(p->cr, lengths, dashes.on > 0 ? 2 : 0, dashes.phase);
}

/* ---- rectangles ------------------------------------------------------------------------------------------------- */

static void flushHatch(Painter *p) {
    if (p->hatch.width > 0) {
        cairo_set_line_width(p->cr, p->hatch.width);
        double lengths[2] = {p->hatch.dashes.on, p->hatch.dashes.off};
        cairo_set_dash(p->cr, lengths, p->hatch.dashes.on > 0 ? 2 : 0, p->hatch.dashes.phase);
        cairo_stroke(p->cr);
    }
    p->hatch.width = 0;
}

static void addHatchLine(void *data, const tacHatch *style, float x0, float y0, float x1, float y1) {
    Painter *p = data;
    if (memcmp(style, &p->hatch, sizeof *style) != 0) flushHatch(p);
    p->hatch = *style;
    cairo_move_to(p->cr, x0, y0);
    cairo_line_to(p->cr, x1, y1);
}

/* Properties that rectangles painted together have in common, and the item. */
typedef struct RectKey {
    uint32_t color;
    float width;
    uint32_t index; /* of the item */
} RectKey;

typedef enum RectPass { PASS_FILL, PASS_HATCH, PASS_OUTLINE, PASSES } RectPass;

/* Sets the key of a rectangle in a pass; false: it has no part in it. */
static bool setKey(RectPass pass, const tacItem *item, RectKey *key) {
    switch (pass) {
    case PASS_FILL: key->color = item->fill; return item->fill != TAC_NO_COLOR;
    case PASS_HATCH: key->color = item->ink; return tacHatched(item);
    default:
        key->color = item->outline;
        key->width = item->width;
        return item->outline != TAC_NO_COLOR;
    }
}

static int compareKeys(const void *left, const void *right) {
    const RectKey *a = left, *b = right;
    if (a->color != b->color) return a->color < b->color ? -1 : 1;
    if (a->width != b->width) return a->width < b->width ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Adds a rectangle to the path of a pass. */
static void addRect(Painter *p, RectPass pass, const tacItem *item) {
    if (pass == PASS_HATCH) {
        tacHatchItem(item, p->visible, addHatchLine, p);
    } else if (pass == PASS_FILL) {
        tacBox box = tacRectBox(item);
        double x = edgeAt(p, box.x0), y = edgeAt(p, box.y0), least = p->options.pixels > 0 ? 1 / p->options.pixels : 0;
        cairo_rectangle(p->cr, x, y, fmax(edgeAt(p, box.x1) - x, least), fmax(edgeAt(p, box.y1) - y, least));
    } else {
        double x = strokeAt(p, item->x0, item->width), y = strokeAt(p, item->y0, item->width);
        double x1 = strokeAt(p, item->x1, item->width), y1 = strokeAt(p, item->y1, item->width);
        cairo_rectangle(p->cr, x, y, x1 - x, y1 - y);
    }
}

/* Paints one pass over a run of rectangles, those of one key together. */
static void paintPass(Painter *p, RectPass pass, const uint32_t *run, size_t n) {
    RectKey keys[RUN];
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        keys[count] = (RectKey){.index = run[i]};
        count += setKey(pass, &p->display->items.at[run[i]], &keys[count]);
    }
    qsort(keys, count, sizeof *keys, compareKeys);
    for (size_t i = 0, next; i < count; i = next) {
        tacPaintColor(p->cr, keys[i].color); /* now, since a change of style strokes the hatch lines before it */
        for (next = i; next < count && keys[next].color == keys[i].color && keys[next].width == keys[i].width; next++)
            addRect(p, pass, &p->display->items.at[keys[next].index]);
        if (pass == PASS_FILL) {
            cairo_fill(p->cr);
        } else if (pass == PASS_HATCH) {
            flushHatch(p);
        } else {
            setStroke(p, keys[i].color, keys[i].width, (tacDashes){0, 0, 0});
            cairo_stroke(p->cr);
        }
    }
}

/* Paints the passes over a run of rectangles straight into the pixels. */
static void rasterRects(Painter *p, const uint32_t *run, size_t n) {
    const tacItem *items = p->display->items.at;
    for (size_t i = 0; i < n; i++)
        if (items[run[i]].fill != TAC_NO_COLOR) tacRasterFill(&p->raster, &items[run[i]]);
    for (size_t i = 0; i < n; i++)
        if (tacHatched(&items[run[i]])) tacRasterHatch(&p->raster, &items[run[i]]);
    for (size_t i = 0; i < n; i++)
        if (items[run[i]].outline != TAC_NO_COLOR) tacRasterOutline(&p->raster, &items[run[i]]);
    tacRasterDone(&p->raster);
}

/*
 * Paints a run of rectangles, which ends at one that overlaps the box around those before it; within a row of bars none
 * does. Rectangles that only touch, or have no area, do not overlap.
 */
static size_t paintRects(Painter *p, size_t first) {
    uint32_t run[RUN];
    size_t n = 0, i = first;
    tacBox around = {0, 0, 0, 0};
    for (; i < p->display->items.count && n < RUN; i++) {
        const tacItem *item = &p->display->items.at[i];
        if (item->kind != TAC_ITEM_RECT) break;
        if (!isVisible(p, item)) continue;
        tacBox box = cornerBox(item);
        if (n && box.x0 < around.x1 && around.x0 < box.x1 && box.y0 < around.y1 && around.y0 < box.y1) break;
        around = n ? tacBoxAround(around, box) : box;
        run[n++] = (uint32_t) i;
    }
    if (p->raster.surface) {
        rasterRects(p, run, n);
        return i;
    }
    for (int pass = 0; pass < PASSES; pass++) paintPass(p, (RectPass) pass, run, n);
    return i;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* Adds a line to the path. An upright or level line is put on whole pixels. */
static void addLine(Painter *p, const tacItem *item, const tacArrow *arrow) {
    bool upright = item->x0 == item->x1, level = item->y0 == item->y1;
    double x0 = upright ? strokeAt(p, item->x0, item->width) : within(arrow->from.x);
    double y0 = level ? strokeAt(p, item->y0, item->width) : within(arrow->from.y);
    double x1 = upright ? x0 : within(arrow->to.x), y1 = level ? y0 : within(arrow->to.y);
    cairo_move_to(p->cr, x0, y0);
    cairo_line_to(p->cr, x1, y1);
}

static void addPolygon(Painter *p, const tacPoint *points, int n, double dx, double dy) {
    cairo_new_sub_path(p->cr);
    for (int i = 0; i < n; i++) cairo_line_to(p->cr, within(points[i].x) + dx, within(points[i].y) + dy);
    cairo_close_path(p->cr);
}

/* Paints lines straight into the pixels; returns the index of the first one for which that is not possible. */
static size_t rasterLines(Painter *p, size_t first) {
    size_t end = first;
    for (; end < p->display->items.count && p->display->items.at[end].kind == TAC_ITEM_LINE; end++) {
        const tacItem *item = &p->display->items.at[end];
        if (isVisible(p, item) && !tacRasterLine(&p->raster, item)) break;
    }
    tacRasterDone(&p->raster);
    return end;
}

/* Paints lines of one style: first the strokes, then the heads. */
static size_t paintLines(Painter *p, size_t first) {
    size_t quick = p->raster.surface ? rasterLines(p, first) : first;
    if (quick > first) return quick;
    const tacItem *items = p->display->items.at, *style = &items[first];
    size_t end = first;
    tacArrow arrow;
    int heads = 0;
    for (; end < p->display->items.count && end - first < RUN; end++) {
        const tacItem *item = &items[end];
        if (item->kind != style->kind || item->ink != style->ink || item->width != style->width
            || item->dash != style->dash)
            break;
        if (!isVisible(p, item)) continue;
        tacArrowOf(item, &arrow);
        heads += arrow.nHeads;
        addLine(p, item, &arrow);
    }
    setStroke(p, style->ink == TAC_NO_COLOR ? 0 : style->ink, style->width, tacDashesOf(style->dash, style->width));
    cairo_stroke(p->cr);
    for (size_t i = first; i < end && heads; i++) {
        if (!items[i].heads || !isVisible(p, &items[i])) continue;
        tacArrowOf(&items[i], &arrow);
        double dx = 0, dy = 0; /* by which the line was moved to lie on pixels */
        if (items[i].x0 == items[i].x1) dx = strokeAt(p, items[i].x0, items[i].width) - within(items[i].x0);
        if (items[i].y0 == items[i].y1) dy = strokeAt(p, items[i].y0, items[i].width) - within(items[i].y0);
        for (int k = 0; k < arrow.nHeads; k++) addPolygon(p, arrow.heads[k], 4, dx, dy);
    }
    cairo_fill(p->cr);
    return end;
}

/* Adds the pieces of a polyline to the path; an area's are closed, a band's are steps. cairo leaves out corners that
 * are there already. */
static void addPoints(Painter *p, const tacItem *item) {
    bool pen = false, area = item->fill != TAC_NO_COLOR;
    double level = 0;
    for (uint32_t i = 0; i < item->count; i++) {
        tacPoint point = p->display->points.at[item->first + i];
        bool gap = isnan(point.x) || isnan(point.y);
        if (gap && pen && area) cairo_close_path(p->cr);
        double x = strokeAt(p, point.x, item->width), y = strokeAt(p, point.y, item->width);
        double before = !item->band ? y : pen ? level : strokeAt(p, item->y1, item->width);
        if (!gap) (pen ? cairo_line_to : cairo_move_to)(p->cr, x, before);
        if (!gap && y != before) cairo_line_to(p->cr, x, y);
        level = y;
        pen = !gap;
    }
    if (pen && area) cairo_close_path(p->cr);
}

static size_t paintPath(Painter *p, size_t index) {
    const tacItem *item = &p->display->items.at[index];
    if (item->band && p->raster.surface) {
        if (isVisible(p, item)) tacRasterSteps(&p->raster, item, p->display->points.at + item->first);
        tacRasterDone(&p->raster);
        return index + 1;
    }
    if (p->raster.surface && tacRasterBand(&p->raster, item, p->display->points.at + item->first)) {
        tacRasterDone(&p->raster);
        return index + 1;
    }
    addPoints(p, item);
    if (item->fill != TAC_NO_COLOR) {
        tacPaintColor(p->cr, item->fill);
        cairo_fill_preserve(p->cr);
    }
    if (item->ink != TAC_NO_COLOR) {
        cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND); /* a mitre would reach above a budget's peak */
        setStroke(p, item->ink, item->width, tacDashesOf(item->dash, item->width));
        cairo_stroke(p->cr);
        cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_MITER);
    }
    cairo_new_path(p->cr);
    return index + 1;
}

/* ---- texts and marks -------------------------------------------------------------------------------------------- */

static void showText(Painter *p, const tacItem *item) {
    if (item->text >= tacInternCount(&p->display->texts)) return;
    size_t length;
    const char *text = tacInternName(&p->display->texts, item->text, &length);
    tacTextPlace place = tacTextPlaceOf(item);
    place.x = (float) (place.upright ? edgeAt(p, place.x) : within(place.x));
    place.baseline = (float) (place.upright ? within(place.baseline) : edgeAt(p, place.baseline));
    tacPaintColor(p->cr, place.ink);
    tacShaperShow(p->options.shaper, p->cr, text, length, &place, p->options.textOutlines);
}

static size_t paintText(Painter *p, size_t index) {
    if (isVisible(p, &p->display->items.at[index])) showText(p, &p->display->items.at[index]);
    return index + 1;
}

static void drawMark(Painter *p, const tacItem *item, const tacMark *mark) {
    if (mark->radius > 0) {
        cairo_new_sub_path(p->cr);
        cairo_arc(p->cr, within(item->x0), within(item->y0), mark->radius, 0, 2 * M_PI);
        cairo_close_path(p->cr);
    } else if (!mark->strokes) addPolygon(p, mark->points, mark->nPoints, 0, 0);
    for (int i = 0; mark->strokes && i < mark->nPoints; i++)
        (i % 2 ? cairo_line_to : cairo_move_to)(p->cr, within(mark->points[i].x), within(mark->points[i].y));
    if (mark->fill != TAC_NO_COLOR) {
        tacPaintColor(p->cr, mark->fill);
        cairo_fill_preserve(p->cr);
    }
    if (mark->stroke != TAC_NO_COLOR) {
        setStroke(p, mark->stroke, mark->width, (tacDashes){0, 0, 0});
        cairo_stroke_preserve(p->cr);
    }
    cairo_new_path(p->cr);
}

/* Draws a mark into its stamp, by cairo. False: cairo failed. */
static bool drawStamp(const Painter *p, tacStamp *stamp) {
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (unsigned char *) stamp->pixels, CAIRO_FORMAT_ARGB32, TAC_SPRITE, TAC_SPRITE, (int) sizeof stamp->pixels[0]);
    Painter *to = &(Painter){.cr = cairo_create(surface), .options = p->options};
    tacItem item = stamp->look;
    tacMark mark;
    item.x0 = item.y0 = (float) ((TAC_STAMP_MIDDLE + 0.5) / p->raster.scale);
    cairo_scale(to->cr, p->raster.scale, p->raster.scale);
    if (tacMarkOf(&item, &mark)) drawMark(to, &item, &mark);
    bool drawn = cairo_status(to->cr) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(to->cr);
    cairo_surface_destroy(surface);
    if (!drawn) stamp->look.x1 = 0;
    return drawn;
}

/* Stamps marks; returns the index of the first one for which that is not possible. */
static size_t rasterMarks(Painter *p, size_t first) {
    size_t end = first;
    for (; end < p->display->items.count && p->display->items.at[end].kind == TAC_ITEM_SHAPE; end++) {
        const tacItem *item = &p->display->items.at[end];
        bool fresh;
        if (!isVisible(p, item)) continue;
        tacStamp *stamp = item->shape == TAC_SHAPE_LETTER ? NULL : tacRasterStampOf(&p->raster, item, &fresh);
        if (!stamp || (fresh && !drawStamp(p, stamp))) break;
        tacRasterStamp(&p->raster, stamp, item);
    }
    tacRasterDone(&p->raster);
    return end;
}

static size_t paintMark(Painter *p, size_t index) {
    const tacItem *item = &p->display->items.at[index];
    size_t stamped = p->raster.surface ? rasterMarks(p, index) : index;
    tacMark mark;
    if (stamped > index) return stamped;
    if (!isVisible(p, item)) return index + 1;
    if (tacMarkOf(item, &mark)) drawMark(p, item, &mark);
    else showText(p, item);
    return index + 1;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

/* Painters by kind of item. Each paints the item at an index, and perhaps some that follow, and returns the index of
 * the next one to be painted. */
static size_t (*const painters[])(Painter *p, size_t index) = {[TAC_ITEM_RECT] = paintRects,
    [TAC_ITEM_LINE] = paintLines,
    [TAC_ITEM_PATH] = paintPath,
    [TAC_ITEM_TEXT] = paintText,
    [TAC_ITEM_SHAPE] = paintMark};

tacStatus tacPaint(const tacDisplay *display, cairo_t *cr, const tacPaintOptions *options, tacError *err) {
    Painter p = {.cr = cr, .display = display};
    tacLooks own;
    if (options) p.options = *options;
    if (display->failed) return tacFailMemory(err);
    if (!p.options.shaper && !(p.options.shaper = tacShaperNew(display->font, err))) return TAC_ERROR;
    tacBox clip = p.options.clip;
    p.visible = (tacBox){0, 0, display->width, display->height};
    if (clip.x0 < clip.x1 && clip.y0 < clip.y1) p.visible = tacBoxCommon(p.visible, clip);
    if (p.options.screen && !p.options.looks) own.scale = 0, p.options.looks = &own;
    if (p.options.screen) tacRasterInit(&p.raster, cr, p.options.pixels, p.options.looks);
    cairo_save(cr);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_MITER);
    for (size_t i = 0; i < display->items.count;) i = painters[display->items.at[i].kind](&p, i);
    cairo_restore(cr);
    bool failed = tacShaperFailed(p.options.shaper);
    if (!options || !options->shaper) tacShaperFree(p.options.shaper);
    cairo_status_t status = cairo_status(cr);
    if (failed || status == CAIRO_STATUS_NO_MEMORY) return tacFailMemory(err);
    if (status == CAIRO_STATUS_SUCCESS) return TAC_OK;
    return tacFail(err, "EXPORT PAINT", "the figure cannot be painted: %s", cairo_status_to_string(status));
}
