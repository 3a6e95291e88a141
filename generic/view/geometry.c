/*
 * geometry.c -- the forms of hatches, arrows and marks and the places of text, once for all formats.
 *
 * Sizes are those usual in scheduling papers: hatch lines 3 points apart, dots of 3/4 point, arrow heads 4.5 points
 * long on a half-point line.
 */
#include "base/port.h"

#include "view/geometry.h"

#include <math.h>
#include <stddef.h>

tacDashes tacDashesOf(tacDash dash, float width) {
    width = tacStrokeWidth(width);
    switch (dash) {
    case TAC_DASH_DASHED: return (tacDashes){2 + 2 * width, 1 + 2 * width, 0};
    case TAC_DASH_DOTTED: return (tacDashes){width, 0.5f + 2 * width, 0};
    default: return (tacDashes){0, 0, 0};
    }
}

/* ---- areas ------------------------------------------------------------------------------------------------------ */

tacBox tacBoxCommon(tacBox a, tacBox b) {
    return (tacBox){fmaxf(a.x0, b.x0), fmaxf(a.y0, b.y0), fminf(a.x1, b.x1), fminf(a.y1, b.y1)};
}

/* ---- hatches ---------------------------------------------------------------------------------------------------- */

static const float stripe = 1; /* points: a line that is wider */

/* Forms of the patterns; the dots are the stipples of the X window system that have the same names. */
static const tacHatchForm hatchForms[] = {
    [TAC_PATTERN_NONE] = {1, 0, 0, 0, 1, 0, 1},
    [TAC_PATTERN_GRAY12] = {0.75f, 0.75f, 0, 0, 2, 1, 4},
    [TAC_PATTERN_GRAY25] = {0.75f, 0.75f, 0, 0, 1, 1, 4},
    [TAC_PATTERN_GRAY50] = {0.75f, 0.75f, 0, 0, 1, 1, 2},
    [TAC_PATTERN_GRAY75] = {0.75f, 0.75f, 0, 0, 1, 3, 4},
    [TAC_PATTERN_LINES_UP] = {3, 0.5f, 1, 1, 0, 0, 0},
    [TAC_PATTERN_LINES_DOWN] = {3, 0.5f, 1, -1, 0, 0, 0},
    [TAC_PATTERN_LINES_VERTICAL] = {2.5f, 0.5f, 1, 0, 0, 0, 0},
    [TAC_PATTERN_LINES_HORIZONTAL] = {2.5f, 0.5f, 0, 1, 0, 0, 0},
    [TAC_PATTERN_STRIPES_UP] = {5, 1.25f, 1, 1, 0, 0, 0},
    [TAC_PATTERN_STRIPES_DOWN] = {5, 1.25f, 1, -1, 0, 0, 0},
    [TAC_PATTERN_STRIPES_VERTICAL] = {4, 1.25f, 1, 0, 0, 0, 0},
    [TAC_PATTERN_STRIPES_HORIZONTAL] = {4, 1.25f, 0, 1, 0, 0, 0},
    [TAC_PATTERN_SPOTS] = {1.25f, 1.25f, 0, 0, 2, 1, 4},
};

/* Moves a place into [low, high], or if that is empty into its middle. */
static float within(float place, float low, float high) {
    return low > high ? (low + high) / 2 : fminf(fmaxf(place, low), high);
}

/* Calls `line` for the line a * x + b * y == c within the box. A stripe is so wide that it would be seen outside: an
 * upright or level one keeps half its width from the edges, of a slanted one the corners of its ends lie on them. */
static void hatchAt(
    const tacHatchForm *form, tacBox box, float c, const tacHatch *style, tacHatchLine *line, void *data) {
    float half = form->width >= stripe ? form->width / 2 : 0;
    if (half && form->a && form->b) {
        float in = half * (float) M_SQRT1_2;
        box = (tacBox){box.x0 + in, box.y0 + in, box.x1 - in, box.y1 - in};
    }
    if (half && form->b == 0) c = within(c, box.x0 + half, box.x1 - half);
    if (half && form->a == 0) c = within(c, box.y0 + half, box.y1 - half);
    if (form->b == 0) line(data, style, c, box.y1, c, box.y0);
    else if (form->a == 0) line(data, style, box.x0, c, box.x1, c);
    else {
        float b = (float) form->b, atTop = c - b * box.y0, atBottom = c - b * box.y1;
        float x0 = fmaxf(box.x0, fminf(atTop, atBottom)), x1 = fminf(box.x1, fmaxf(atTop, atBottom));
        if (x0 < x1) line(data, style, x0, b * (c - x0), x1, b * (c - x1));
    }
}

static void hatchLines(const tacHatchForm *form, tacBox box, tacHatchLine *line, void *data) {
    float a = (float) form->a, b = (float) form->b;
    float low = a * box.x0 + (b < 0 ? b * box.y1 : b * box.y0), high = a * box.x1 + (b < 0 ? b * box.y0 : b * box.y1);
    tacHatch style = {form->width, {0, 0, 0}};
    long first = (long) ceilf(low / form->step), last = (long) floorf(high / form->step);
    if (first > last) hatchAt(form, box, (low + high) / 2, &style, line, data);
    for (long i = first; i <= last; i++) hatchAt(form, box, (float) i * form->step, &style, line, data);
}

static void hatchDots(const tacHatchForm *form, tacBox box, tacHatchLine *line, void *data) {
    float dot = form->step, period = (float) form->period * dot, every = (float) form->every * dot;
    long first = (long) ceilf(box.y0 / every), last = (long) floorf((box.y1 - dot) / every);
    for (int odd = 0; odd < 2; odd++) {
        tacHatch style = {dot, {(float) form->on * dot, (float) (form->period - form->on) * dot, 0}};
        float phase = fmodf(box.x0 + (odd ? period / 2 : 0), period); /* of the dots, at the left edge */
        style.dashes.phase = phase < 0 ? phase + period : phase;
        for (long row = first; row <= last; row++) {
            if ((row & 1) != odd) continue;
            float y = (float) row * every + dot / 2;
            line(data, &style, box.x0, y, box.x1, y);
        }
    }
}

void tacHatchEach(tacPattern pattern, tacBox box, tacHatchLine *line, void *data) {
    if (pattern <= TAC_PATTERN_NONE || pattern >= sizeof hatchForms / sizeof *hatchForms) return;
    const tacHatchForm *form = &hatchForms[pattern];
    if (form->period) hatchDots(form, box, line, data);
    else hatchLines(form, box, line, data);
}

const tacHatchForm *tacHatchFormOf(tacPattern pattern) { return &hatchForms[pattern < TAC_PATTERNS ? pattern : 0]; }

bool tacHatched(const tacItem *item) { return item->pattern != TAC_PATTERN_NONE && item->ink != TAC_NO_COLOR; }

void tacHatchItem(const tacItem *item, tacBox within, tacHatchLine *line, void *data) {
    tacBox box = tacBoxCommon(tacRectBox(item), within);
    if (tacHatched(item) && box.x0 < box.x1 && box.y0 < box.y1)
        tacHatchEach((tacPattern) item->pattern, box, line, data);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

double tacLineDistance(double x, double y, double x0, double y0, double x1, double y1) {
    double dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
    double share = square > 0 ? ((x - x0) * dx + (y - y0) * dy) / square : 0;
    share = fmax(0, fmin(1, share));
    return hypot(x - x0 - share * dx, y - y0 - share * dy);
}

/* Makes a head with its tip at `tip`, pointing along (dx, dy); returns its neck, where the line ends. */
static tacPoint makeHead(tacPoint tip, float dx, float dy, float length, tacPoint head[4]) {
    float half = 0.36f * length, neck = 0.75f * length;
    head[0] = tip;
    head[1] = (tacPoint){tip.x - length * dx - half * dy, tip.y - length * dy + half * dx};
    head[2] = (tacPoint){tip.x - neck * dx, tip.y - neck * dy};
    head[3] = (tacPoint){tip.x - length * dx + half * dy, tip.y - length * dy - half * dx};
    return head[2];
}

void tacArrowOf(const tacItem *line, tacArrow *arrow) {
    *arrow = (tacArrow){.from = {line->x0, line->y0}, .to = {line->x1, line->y1}};
    float dx = line->x1 - line->x0, dy = line->y1 - line->y0, length = dx == 0 ? fabsf(dy) : hypotf(dx, dy);
    if (line->heads == TAC_HEADS_NONE || !(length > 0)) return;
    dx /= length;
    dy /= length;
    float head = 2.5f + 4 * tacStrokeWidth(line->width), most = line->heads == TAC_HEADS_BOTH ? length / 2 : length;
    if (head > most) head = most;
    if (line->heads & TAC_HEADS_LAST) arrow->to = makeHead(arrow->to, dx, dy, head, arrow->heads[arrow->nHeads++]);
    if (line->heads & TAC_HEADS_FIRST)
        arrow->from = makeHead(arrow->from, -dx, -dy, head, arrow->heads[arrow->nHeads++]);
}

/* ---- marks ------------------------------------------------------------------------------------------------------ */

/* Forms of marks: corners in units of the radius; a circle has none. All marks look equally large. */
static const struct MarkForm {
    int nPoints;
    bool strokes;
    tacPoint points[4];
} markForms[] = {
    [TAC_SHAPE_SQUARE] = {4, false, {{-0.85f, -0.85f}, {0.85f, -0.85f}, {0.85f, 0.85f}, {-0.85f, 0.85f}}},
    [TAC_SHAPE_DIAMOND] = {4, false, {{0, -1.1f}, {1.1f, 0}, {0, 1.1f}, {-1.1f, 0}}},
    [TAC_SHAPE_CROSS] = {4, true, {{-0.8f, -0.8f}, {0.8f, 0.8f}, {-0.8f, 0.8f}, {0.8f, -0.8f}}},
    [TAC_SHAPE_PLUS] = {4, true, {{-1, 0}, {1, 0}, {0, -1}, {0, 1}}},
    [TAC_SHAPE_TRIANGLE_UP] = {3, false, {{0, -1}, {1, 0.8f}, {-1, 0.8f}}},
    [TAC_SHAPE_TRIANGLE_DOWN] = {3, false, {{0, 1}, {-1, -0.8f}, {1, -0.8f}}},
    [TAC_SHAPE_LETTER] = {0, false, {{0, 0}}},
};

/* The first of the colours that is given. */
static uint32_t colorOr(uint32_t color, uint32_t other, uint32_t third) {
    return color != TAC_NO_COLOR ? color : other != TAC_NO_COLOR ? other : third;
}

bool tacMarkOf(const tacItem *shape, tacMark *mark) {
    if (shape->shape >= TAC_SHAPE_LETTER) return false;
    const struct MarkForm *form = &markForms[shape->shape];
    bool hollow = form->strokes || shape->shape == TAC_SHAPE_CIRCLE;
    float radius = shape->x1 / 2;
    *mark = (tacMark){.nPoints = form->nPoints,
        .strokes = form->strokes,
        .fill = hollow ? TAC_NO_COLOR : shape->fill,
        .stroke = shape->outline,
        .width = shape->width};
    if (hollow) {
        mark->stroke = colorOr(shape->ink, shape->outline, shape->fill);
        mark->width = fmaxf(shape->width, shape->x1 / 6);
        radius -= mark->strokes ? 0 : mark->width / 2;
    } else if (shape->fill == TAC_NO_COLOR && shape->outline == TAC_NO_COLOR) mark->fill = shape->ink;
    if (!form->nPoints) mark->radius = radius;
    for (int i = 0; i < form->nPoints; i++)
        mark->points[i] = (tacPoint){shape->x0 + radius * form->points[i].x, shape->y0 + radius * form->points[i].y};
    return true;
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

/* Height of a line's middle above the baseline, of the size: capitals and digits are about 0.7 of the size high. */
#define MIDDLE 0.35f

tacTextPlace tacTextPlaceOf(const tacItem *item) {
    tacTextPlace place = {item->x0, item->y0, item->width, (tacAnchor) item->anchor, item->bold, item->ink, false};
    bool letter = item->kind == TAC_ITEM_SHAPE;
    if (letter) {
        place.size = item->x1 / 0.7f;
        place.anchor = TAC_ANCHOR_CENTER;
        place.ink = colorOr(item->ink, item->fill, item->outline);
    }
    place.upright = item->upright && !letter;
    if (letter || item->middle) *(place.upright ? &place.x : &place.baseline) += MIDDLE * place.size;
    if (place.ink == TAC_NO_COLOR) place.ink = 0;
    return place;
}
