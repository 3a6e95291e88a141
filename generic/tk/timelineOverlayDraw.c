/*
 * timelineOverlayDraw.c -- draws the things that lie over the picture.
 *
 * They are drawn in this order, the later over the earlier: strips, selection, what is lit, highlights, findings,
 * markers with their flags and the length between A and B, cursor. The tint of the selection is laid on while the
 * picture is copied (timelineFrame.c), since it may cover all of it.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "base/search.h"
#include "tk/timelineState.h"
#include "view/color.h"

#include <math.h>
#include <string.h>

typedef struct Palette {
    uint32_t selection, highlight, cursor, marker, markerA, markerB;
    uint32_t findings[3]; /* by severity */
} Palette;

static const Palette palettes[] = {
    [TAC_THEME_LIGHT] = {0x2F6FD0, 0xE07000, 0xD02020, 0x5A4FCF, 0x0A7D3C, 0x9A2FA8, {0x2F6FD0, 0xD99000, 0xD02020}},
    [TAC_THEME_DARK] = {0x6FA8FF, 0xFFA040, 0xFF6B6B, 0xA79BFF, 0x57D48A, 0xE08AF0, {0x6FA8FF, 0xFFC24A, 0xFF6B6B}},
    [TAC_THEME_PRINT] = {0x707070, 0x000000, 0x000000, 0x303030, 0x303030, 0x303030, {0x909090, 0x606060, 0x000000}},
};

enum { SELECTION_SHARE = 41 }; /* of 256 */
static const double edgeAlpha = 0.7;

typedef struct Pen {
    const tacTimeline *t;
    cairo_t *cr;
    tacArea area; /* to be drawn again */
    Palette colors;
} Pen;

static void setColor(const Pen *pen, uint32_t color, double alpha) {
    cairo_set_source_rgba(
        pen->cr, (color >> 16 & 0xFF) / 255.0, (color >> 8 & 0xFF) / 255.0, (color & 0xFF) / 255.0, alpha);
}

static bool touches(const Pen *pen, tacArea area) { return !tacAreaEmpty(tacAreaCommon(pen->area, area)); }

static void fill(const Pen *pen, tacArea area, uint32_t color, double alpha) {
    if (!touches(pen, area)) return;
    setColor(pen, color, alpha);
    cairo_rectangle(pen->cr, area.x, area.y, area.width, area.height);
    cairo_fill(pen->cr);
}

/* ---- selection and highlights ----------------------------------------------------------------------------------- */

tacTint tacOverlayTint(const tacTimeline *t) {
    tacTint tint = {.color = palettes[t->options.theme].selection, .share = SELECTION_SHARE};
    if (t->selected) tint.area = tacSelectionArea(t, t->selectionFrom, t->selectionTo);
    return tint;
}

/* Strokes the edge of an area, a line at a time from outside to inside. */
static void edge(const Pen *pen, tacArea area, double inset, double width, uint32_t color) {
    double middle = inset + width / 2;
    if (area.width <= 2 * middle || area.height <= 2 * middle) return;
    setColor(pen, color, 1);
    cairo_set_line_width(pen->cr, width);
    cairo_rectangle(pen->cr, area.x + middle, area.y + middle, area.width - 2 * middle, area.height - 2 * middle);
    cairo_stroke(pen->cr);
}

/* Draws frames with the colour of the paper within, so that they are seen on bars of their own colour, too. */
static void drawHighlights(const Pen *pen) {
    double width = fmax(1, round(1.5 * pen->t->scaling)), inner = fmax(1, round(0.75 * pen->t->scaling));
    for (size_t i = 0; i < pen->t->framed.count; i++) {
        tacArea area = pen->t->framed.at[i];
        if (!touches(pen, area)) continue;
        edge(pen, area, 0, width, pen->colors.highlight);
        edge(pen, area, width, inner, pen->t->frame.paper);
    }
}

/* Lightens what is at the pointer; the other ends of its arrows get a thin frame. */
static void drawLit(const Pen *pen) {
    double width = fmax(1, round(0.75 * pen->t->scaling));
    for (size_t i = 0; i < pen->t->lit.count; i++) {
        const tacLit *lit = &pen->t->lit.at[i];
        if (!touches(pen, lit->area)) continue;
        if (lit->filled) fill(pen, lit->area, 0xFFFFFF, 0.3);
        edge(pen, lit->area, 0, width, pen->t->frame.ink);
        edge(pen, lit->area, width, width, pen->t->frame.paper);
    }
}

/* ---- findings --------------------------------------------------------------------------------------------------- */

/* Adds the stretch of a finding to the path, over the axis' line. */
static void addStretch(const Pen *pen, const tacFindingMark *mark) {
    const tacTimeline *t = pen->t;
    if (mark->end == TAC_UNKNOWN || mark->end < t->from || mark->begin > t->to) return;
    double x0 = tacTimelineXOf(t, mark->begin > t->from ? mark->begin : t->from),
           x1 = tacTimelineXOf(t, mark->end < t->to ? mark->end : t->to);
    double y = tacTimelineInset(t) + t->axis * t->scaling, height = fmax(2, round(1.5 * t->scaling));
    cairo_rectangle(pen->cr, floor(x0), floor(y) - height, fmax(1, floor(x1) - floor(x0)), height);
}

/* Adds a triangle that stands on its tip at x, over the axis' line. */
static void addTriangle(const Pen *pen, double x) {
    double unit = pen->t->scaling, y = tacTimelineInset(pen->t) + pen->t->axis * unit;
    if (x + 5 * unit < pen->area.x || x - 5 * unit > pen->area.x + pen->area.width) return;
    cairo_move_to(pen->cr, x + 0.5, y - unit);
    cairo_rel_line_to(pen->cr, -3.5 * unit, -6.5 * unit);
    cairo_rel_line_to(pen->cr, 7 * unit, 0);
    cairo_close_path(pen->cr);
}

/* Adds the triangles of findings of a severity that are only counted: of those at one pixel the first is looked at. */
static void addUnlisted(const Pen *pen, tacSeverity severity) {
    const tacTimeline *t = pen->t;
    const tacUnlisted *all = t->findings.unlisted[severity].at;
    size_t n = t->findings.unlisted[severity].count, i = tacPast(size_t, 0, n, k, all[k].begin < t->from);
    while (i < n && all[i].begin <= t->to) {
        double x = floor(tacTimelineXOf(t, all[i].begin));
        int64_t next = tacTimelineTimeAt(t, x + 1);
        addTriangle(pen, x);
        i = tacPast(size_t, i + 1, n, k, all[k].begin < next);
    }
}

/* Draws the findings of a severity: stretches, and at their begins triangles, one at most for each column of pixels. */
static void drawSeverity(const Pen *pen, tacSeverity severity) {
    const tacTimeline *t = pen->t;
    double last = -INFINITY;
    for (size_t i = 0; i < t->findings.listed.count; i++) {
        const tacFindingMark *mark = &t->findings.listed.at[i];
        if (mark->severity != severity) continue;
        addStretch(pen, mark);
        double x = floor(tacTimelineXOf(t, mark->begin));
        if (mark->begin >= t->from && mark->begin <= t->to && x > last) addTriangle(pen, x);
        last = x;
    }
    addUnlisted(pen, severity);
    setColor(pen, pen->colors.findings[severity], 1);
    cairo_set_fill_rule(pen->cr, CAIRO_FILL_RULE_WINDING);
    cairo_fill(pen->cr);
}

/* ---- markers and cursor ----------------------------------------------------------------------------------------- */

uint32_t tacTimelineColor(const tacTimeline *t, uint32_t color) {
    return t->options.grayscale || t->options.theme == TAC_THEME_PRINT ? tacColorGray(color) : color;
}

uint32_t tacOverlayColor(const tacTimeline *t, const tacMarker *marker) {
    uint32_t color = strcmp(marker->name, "A") == 0 ? palettes[t->options.theme].markerA
        : strcmp(marker->name, "B") == 0            ? palettes[t->options.theme].markerB
                                                    : palettes[t->options.theme].marker;
    return tacTimelineColor(t, marker->color != TAC_NO_COLOR ? marker->color : color);
}

static void drawFlag(const Pen *pen, const tacFlag *flag) {
    const tacTimeline *t = pen->t;
    if (!touches(pen, flag->area)) return;
    uint32_t color = tacOverlayColor(pen->t, flag->marker);
    float size = 0.85f * (float) t->options.fontSize;
    fill(pen, flag->area, color, 1);
    tacTextPlace place = {.x = 0.35f * size, .baseline = 1.12f * size, .size = size, .anchor = TAC_ANCHOR_LEFT};
    cairo_save(pen->cr);
    cairo_translate(pen->cr, flag->area.x, flag->area.y);
    cairo_scale(pen->cr, t->scaling, t->scaling);
    setColor(pen, tacColorLightness(color) > 0.6 ? 0x000000 : 0xFFFFFF, 1);
    tacShaperShow(t->shaper, pen->cr, flag->text, strlen(flag->text), &place, false);
    cairo_restore(pen->cr);
}

/* Draws an arrow head at x, which points to the left (-1) or the right (1). */
static void drawHead(const Pen *pen, double x, double y, int way) {
    double unit = pen->t->scaling;
    cairo_move_to(pen->cr, x, y);
    cairo_rel_line_to(pen->cr, -way * 5 * unit, -2.2 * unit);
    cairo_rel_line_to(pen->cr, 0, 4.4 * unit);
    cairo_close_path(pen->cr);
    cairo_fill(pen->cr);
}

/* Draws the length between the markers A and B. */
static void drawDimension(const Pen *pen, const tacFlags *flags) {
    const tacTimeline *t = pen->t;
    tacDimension d;
    if (!tacOverlayDimension(t, flags, &d)) return;
    double width = fmax(1, round(0.75 * t->scaling)), y = floor(d.y) + width / 2;
    setColor(pen, t->frame.paper, 1);
    cairo_set_line_width(pen->cr, 3 * width);
    cairo_move_to(pen->cr, d.x0, y);
    cairo_line_to(pen->cr, d.x1, y);
    cairo_stroke(pen->cr);
    fill(pen, d.label, t->frame.paper, 0.85);
    setColor(pen, t->frame.ink, 1);
    cairo_set_line_width(pen->cr, width);
    cairo_move_to(pen->cr, d.x0, y);
    if (d.within) {
        cairo_line_to(pen->cr, d.label.x, y);
        cairo_move_to(pen->cr, d.label.x + d.label.width, y);
    }
    cairo_line_to(pen->cr, d.x1, y);
    cairo_stroke(pen->cr);
    if (d.hasFirst && d.x1 - d.x0 > 12 * t->scaling) drawHead(pen, d.x0, y, -1);
    if (d.hasLast && d.x1 - d.x0 > 12 * t->scaling) drawHead(pen, d.x1, y, 1);
    tacTextPlace place = {.baseline = 0.35f * d.size, .size = d.size, .anchor = TAC_ANCHOR_LEFT};
    cairo_save(pen->cr);
    cairo_translate(pen->cr, d.textX, y);
    cairo_scale(pen->cr, t->scaling, t->scaling);
    tacShaperShow(t->shaper, pen->cr, d.text, strlen(d.text), &place, false);
    cairo_restore(pen->cr);
}

static void drawFlags(const Pen *pen) {
    tacFlags flags = {0};
    if (!touches(pen, tacFlagsArea(pen->t))) return;
    tacOverlayFlags(pen->t, &flags); /* without memory, those that were found */
    drawDimension(pen, &flags);
    for (size_t i = 0; i < flags.count; i++) drawFlag(pen, &flags.at[i]);
    tacArrayFree(&flags);
}

/* Draws lines, and over them flags, of which none is crossed by the cursor that is at it. */
static void drawMarkers(const Pen *pen) {
    const tacTimeline *t = pen->t;
    for (size_t i = 0; i < t->markers.count; i++) {
        const tacMarker *marker = &t->markers.at[i];
        fill(pen, tacLineArea(t, marker->time), tacOverlayColor(t, marker), edgeAlpha);
    }
    if (t->cursorShown) fill(pen, tacLineArea(t, t->cursor), pen->colors.cursor, 1);
    drawFlags(pen);
}

void tacOverlayDraw(const tacTimeline *t, cairo_t *cr, tacArea area) {
    Pen pen = {t, cr, area, palettes[t->options.theme]};
    tacStripsDraw(t, cr, area);
    if (t->selected) { /* its edges */
        fill(&pen, tacLineArea(t, t->selectionFrom), pen.colors.selection, edgeAlpha);
        fill(&pen, tacLineArea(t, t->selectionTo), pen.colors.selection, edgeAlpha);
    }
    drawLit(&pen);
    drawHighlights(&pen);
    if (touches(&pen, tacFindingsArea(t)))
        for (int severity = TAC_SEVERITY_NOTE; severity <= TAC_SEVERITY_ERROR; severity++)
            drawSeverity(&pen, (tacSeverity) severity);
    drawMarkers(&pen);
}
