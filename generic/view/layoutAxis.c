/*
 * layoutAxis.c -- the time axis below all rows: ticks of three lengths, labels that never touch, an arrow head, a unit.
 *
 * Labels stand at the finest step of 1, 2 or 5 times a power of ten at which they fit. Where times are large compared
 * with the window (nanosecond epochs), labels count from a round time that is written once, below them. A figure leaves
 * as much room at its right edge as the last label needs to stand at its tick.
 */
#include "base/port.h"

#include "view/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double leastTick = 1.8; /* points between short ticks */

static double axisScale(const tacDrawing *d) { return d->figure->axisScale > 0 ? d->figure->axisScale : 1; }

int64_t tacSinceOrigin(const tacDrawing *d, int64_t time) {
    int64_t since;
    if (!__builtin_sub_overflow(time, d->figure->origin, &since)) return since;
    return time < 0 ? -INT64_MAX : INT64_MAX;
}

float tacAxisRightRoom(const tacDrawing *d) {
    float head = (float) d->style.headWidth * d->style.unit;
    const char *unit = d->figure->axisUnit;
    float room = head + d->axisRoom;
    return room + (unit && *unit ? tacTextWidth(d, unit, d->style.smallSize, false) + 0.3f * d->style.fontSize : 0);
}

static const tacRef axisRef = {TAC_REF_AXIS, 0, 0, 0};

/* ---- choosing the step ------------------------------------------------------------------------------------------- */

/* Width of the widest label: that of an end of the window. */
static float widestLabel(const tacDrawing *d, const tacTicks *ticks) {
    float widest = 0;
    double ends[2] = {ticks->first, ticks->last};
    for (int i = 0; i < 2; i++) {
        char label[TAC_LABEL_SIZE];
        tacTicksLabel(ticks, (int64_t) ends[i], label);
        widest = fmaxf(widest, tacTextWidth(d, label, d->style.smallSize, false));
    }
    return widest;
}

static void chooseTicks(const tacDrawing *d, tacTicks *ticks) {
    const tacScale *scale = &d->scale;
    double least = d->style.labelDistance * d->style.unit / scale->perTick;
    int64_t from = tacSinceOrigin(d, scale->from), to = tacSinceOrigin(d, scale->to);
    tacTicksInit(ticks, from, to, d->store->digits, axisScale(d), least);
    tacTicksShift(ticks);
    while (widestLabel(d, ticks) + 0.6f * d->style.fontSize > ticks->step * scale->perTick
        && ticks->step < 2 * tacTicksBetween(from, to)) {
        tacTicksCoarser(ticks, from, to);
        tacTicksShift(ticks);
    }
    tacTicksSplit(ticks, leastTick / scale->perTick);
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static void drawTick(tacDrawing *d, float x, float y, float length, float width) {
    tacAddLine(d, TAC_LAYER_LINES, x, y, x, d->rtsched ? y + length : y - length, width, d->style.ink, axisRef);
}

/* x of the left end of the unit, behind the arrow head and the last label. */
static float unitLeft(const tacDrawing *d) {
    return d->right + (float) d->style.headWidth * d->style.unit + d->axisRoom + 0.3f * d->style.fontSize;
}

/* x up to which labels may stand: beside a unit, or in the figure. */
static float labelsEnd(const tacDrawing *d) {
    bool unit = d->figure->axisUnit && *d->figure->axisUnit;
    float end = d->bodyRight - tacEdge;
    return unit ? fminf(unitLeft(d) - 0.2f * d->style.fontSize, end) : end;
}

float tacAxisOverhang(const tacDrawing *d) {
    tacTicks ticks;
    char label[TAC_LABEL_SIZE];
    const tacSegment *segment = &d->scale.segments[d->scale.nSegments - 1];
    chooseTicks(d, &ticks);
    double from = tacTicksBetween(ticks.base, tacSinceOrigin(d, segment->from)),
           to = tacTicksBetween(ticks.base, tacSinceOrigin(d, segment->to)), last = floor(to / ticks.step + 1e-9);
    if (last * ticks.step < from) return 0;
    tacTicksLabel(&ticks, (int64_t) last, label);
    double since = tacTicksBetween(tacSinceOrigin(d, d->scale.from), ticks.base) + last * ticks.step;
    float half = tacTextWidth(d, label, d->style.smallSize, false) / 2;
    return fmaxf((float) tacScaleXAt(&d->scale, since) + half - labelsEnd(d), 0);
}

/* Draws a label centred under x, if it keeps clear of the one before it; the first one of the axis stands a bit right,
 * the last one a bit left, if they would not have room else, as in a window. False: it does not. */
static bool drawLabel(tacDrawing *d, const char *label, float x, float y, float *lastRight) {
    float half = tacTextWidth(d, label, d->style.smallSize, false) / 2,
          middle = fminf(fmaxf(x, tacEdge + half), labelsEnd(d) - half);
    float gap = (d->scale.nSegments > 1 ? 0.6f : 0.3f) * d->style.fontSize; /* labels beside a cut are no row */
    if (middle - half < *lastRight + gap || middle + half < x) return false;
    tacAddText(d, label, middle, y, TAC_ANCHOR_CENTER, d->style.smallSize, d->style.ink, axisRef);
    *lastRight = middle + half;
    return true;
}

/* Points between the axis and its labels: those of a cut axis stand below the strokes of the cuts. */
static float labelGap(const tacDrawing *d, float length) {
    return length * (d->rtsched ? 1.6f : 0.6f) + (d->scale.nSegments > 1 && !d->rtsched ? 0.2f * d->style.fontSize : 0);
}

/* The part of the axis that a segment is, in ticks since the base of the labels. */
typedef struct Stretch {
    double from, to, origin; /* origin: of the base since the begin of the scale */
    float y, labelY;         /* points */
} Stretch;

/* Labels a segment that has no label of a whole step: its roundest time whose label keeps clear of the one before it.
 */
static void labelSegment(tacDrawing *d, const tacTicks *ticks, const Stretch *on, float *lastRight) {
    enum { TRIES = 20 };
    tacTicks fine = *ticks;
    fine.step /= fine.mantissa;
    fine.mantissa = 1;
    for (int tries = 0; fine.step > 0.5 && tries < TRIES; fine.exponent--, fine.step /= 10) {
        for (double j = ceil(on->from / fine.step - 1e-9); j * fine.step <= on->to && tries++ < TRIES; j++) {
            char label[TAC_LABEL_SIZE];
            float x = (float) tacScaleXAt(&d->scale, on->origin + j * fine.step);
            tacTicksLabel(&fine, (int64_t) j, label);
            if (!drawLabel(d, label, x, on->labelY, lastRight)) continue;
            drawTick(d, x, on->y, (float) d->style.tickLength * d->style.unit * 2, d->style.line);
            return;
        }
    }
}

/* Draws the ticks of a segment: those of whole steps with labels, between them those of the parts. A whole step without
 * room for its label looks like one in the middle. */
static void drawSegment(tacDrawing *d, const tacTicks *ticks, const tacSegment *segment, float y, float *lastRight) {
    double from = tacTicksBetween(ticks->base, tacSinceOrigin(d, segment->from)),
           to = tacTicksBetween(ticks->base, tacSinceOrigin(d, segment->to)), part = ticks->step / ticks->minor;
    double origin = tacTicksBetween(tacSinceOrigin(d, d->scale.from), ticks->base), slack = part * 1e-9;
    float length = (float) d->style.tickLength * d->style.unit,
          labelY = y + labelGap(d, length) + 0.65f * d->style.smallSize;
    bool labelled = false;
    /* No ticks are so far from the base that a double cannot count them. */
    for (double i = ceil((from - slack) / part); i * part <= to + slack && i + 1 > i; i++) {
        float x = (float) tacScaleXAt(&d->scale, origin + i * part);
        bool whole = fmod(i, ticks->minor) == 0, middle = fmod(i * ticks->middle, ticks->minor) == 0;
        char label[TAC_LABEL_SIZE];
        if (whole) tacTicksLabel(ticks, (int64_t) (i / ticks->minor), label);
        bool named = whole && drawLabel(d, label, x, labelY, lastRight);
        drawTick(d, x, y, length * (named ? 2 : middle ? 1.4f : 0.8f), named ? d->style.line : d->style.thin);
        labelled |= named;
    }
    if (!labelled && d->scale.nSegments > 1) labelSegment(d, ticks, &(Stretch){from, to, origin, y, labelY}, lastRight);
}

/* Draws the line in one piece for each segment, the last with the arrow head. */
static void drawLine(tacDrawing *d, float y) {
    for (int i = 0; i < d->scale.nSegments; i++) {
        const tacSegment *segment = &d->scale.segments[i];
        bool last = i + 1 == d->scale.nSegments;
        float x1 = last ? fminf((float) segment->x1 + (float) d->style.headWidth * d->style.unit, d->bodyRight)
                        : (float) segment->x1;
        tacItem *item = tacAddLine(
            d, TAC_LAYER_LINES, (float) segment->x0, y, x1, y, d->style.line, d->style.ink, axisRef);
        if (item && last) item->heads = TAC_HEADS_LAST;
    }
}

/* Writes the multiplication sign, 10 and the exponent as UTF-8 superscripts. */
static void powerText(int exponent, char *out) {
    static const char *const digits[] = {"\xE2\x81\xB0", "\xC2\xB9", "\xC2\xB2", "\xC2\xB3", "\xE2\x81\xB4",
        "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};
    int size = exponent < 0 ? -exponent : exponent;
    sprintf(out,
        "\xC3\x97"
        "10%s%s%s",
        exponent < 0 ? "\xE2\x81\xBB" : "", size >= 10 ? digits[size / 10 % 10] : "", digits[size % 10]);
}

/* Draws the base, "+1700000000000000000 ns", and the factor, "x10^6", below the labels, if there are any. */
static void drawBase(tacDrawing *d, const tacTicks *ticks) {
    char label[TAC_LABEL_SIZE], text[2 * TAC_LABEL_SIZE], power[40];
    if (ticks->base == 0 && ticks->shift == 0) return;
    d->y += d->style.smallSize * 0.1f;
    float y = d->y + d->style.smallSize / 2, right = d->right;
    if (ticks->shift) {
        powerText(ticks->shift, power);
        tacAddText(d, power, right, y, TAC_ANCHOR_RIGHT, d->style.smallSize, d->style.ink, axisRef);
        right -= tacTextWidth(d, power, d->style.smallSize, false) + d->style.fontSize;
    }
    if (ticks->base) {
        tacAxisFormat(ticks->base, d->store->digits, axisScale(d), label);
        snprintf(text, sizeof text, "%s%s%s%.40s", ticks->base < 0 ? "" : "+", label, d->figure->axisUnit ? " " : "",
            d->figure->axisUnit ? d->figure->axisUnit : "");
        tacAddFitting(d, text, d->left, y, right - d->left, TAC_ANCHOR_LEFT, d->style.smallSize, d->style.ink, axisRef);
    }
    d->y += d->style.smallSize * 1.15f;
}

/* Is a time, in ticks since the begin of the scale, in none of the gaps that are cut out? */
static bool isKept(const tacScale *scale, double since) {
    for (int i = 0; i < scale->nSegments; i++) {
        const tacSegment *segment = &scale->segments[i];
        if (since >= tacTicksBetween(scale->from, segment->from) && since <= tacTicksBetween(scale->from, segment->to))
            return true;
    }
    return false;
}

/* Draws the grid of the rtsched convention, a light line at each label. It is drawn before the rows and gets its lower
 * end when the axis has its place. */
void tacDrawGrid(tacDrawing *d) {
    tacTicks ticks;
    chooseTicks(d, &ticks);
    double origin = tacTicksBetween(tacSinceOrigin(d, d->scale.from), ticks.base),
           to = tacTicksBetween(d->scale.from, d->scale.to);
    d->gridFirst = d->display->items.count;
    for (double j = ticks.first; j <= ticks.last; j++) {
        double since = origin + j * ticks.step;
        if (since > 0 && since < to && isKept(&d->scale, since)) {
            float x = (float) tacScaleXAt(&d->scale, since);
            tacAddLine(d, TAC_LAYER_BACK, x, d->top, x, d->top, d->style.thin, d->style.grid, axisRef);
        }
    }
    d->gridEnd = d->display->items.count;
}

/* Does nothing stand between the last row, which has a baseline, and the axis? */
static bool followsBaseline(const tacDrawing *d) {
    size_t n = d->rows->rows.count;
    while (n && d->rows->rows.at[n - 1].away) n--;
    const tacFigureRow *last = n && !d->tiles ? &d->rows->rows.at[n - 1] : NULL;
    return last && d->y <= last->bottom;
}

/* Puts the axis' lines from this item on behind the bars, arrows and completions of the last row, as its baseline is.
 */
static void sink(tacDrawing *d, size_t first) {
    for (size_t i = first; i < d->display->items.count; i++)
        if (d->display->items.at[i].kind == TAC_ITEM_LINE) d->display->items.at[i].layer = TAC_LAYER_BACK;
}

/* Points between what is above the axis and the axis, which in rtsched is the last baseline where it can. */
static float axisOffset(const tacDrawing *d, float length) {
    if (d->rtsched) return followsBaseline(d) ? 0 : 0.2f * d->style.fontSize;
    return fmaxf((float) d->style.timelineOffset * d->style.unit * 0.7f * fminf(d->stretch, 1), 3 * length);
}

void tacDrawAxis(tacDrawing *d) {
    tacTicks ticks;
    float lastRight = -1e6f, length = (float) d->style.tickLength * d->style.unit;
    bool baseline = d->rtsched && followsBaseline(d);
    chooseTicks(d, &ticks);
    d->y += axisOffset(d, length);
    for (size_t i = d->gridFirst; i < d->gridEnd; i++) d->display->items.at[i].y1 = d->y; /* the grid ends here */
    size_t first = d->display->items.count;
    drawLine(d, d->y);
    if (baseline) sink(d, first);
    tacDrawBreaks(d);
    first = d->display->items.count;
    for (int i = 0; i < d->scale.nSegments; i++) drawSegment(d, &ticks, &d->scale.segments[i], d->y, &lastRight);
    if (baseline) sink(d, first);
    if (d->figure->axisUnit && *d->figure->axisUnit) {
        tacAddText(
            d, d->figure->axisUnit, unitLeft(d), d->y, TAC_ANCHOR_LEFT, d->style.smallSize, d->style.ink, axisRef);
    }
    d->y += labelGap(d, length) + 1.25f * d->style.smallSize;
    drawBase(d, &ticks);
}
