/*
 * geometry.h -- the forms of items in detail: hatch lines, arrow heads, marks, dashes, places of text.
 *
 * The painter and the SVG and TikZ writers all ask here, so that a figure is the same in every format. All in points.
 */
#ifndef TAC_VIEW_GEOMETRY_H
#define TAC_VIEW_GEOMETRY_H

#include "view/display.h"

#define TAC_HAIRLINE 0.2f /* points: thinnest line and area in a vector format; a 1200 dpi printer can show it */

/* The width in points at which a stroke is drawn. */
static inline float tacStrokeWidth(float width) { return width > TAC_HAIRLINE ? width : TAC_HAIRLINE; }

typedef struct tacDashes {
    float on, off; /* lengths of stroke and gap; on == 0: solid */
    float phase;   /* length of the pattern that is skipped at the begin of a line */
} tacDashes;

tacDashes tacDashesOf(tacDash dash, float width);

/* ---- areas ---- */

typedef struct tacBox {
    float x0, y0, x1, y1;
} tacBox; /* x0 <= x1, y0 <= y1 */

/* Puts two ends in order, at least a hairline apart. */
static inline void tacWiden(float *low, float *high) {
    float least = *low < *high ? *low : *high, most = *low < *high ? *high : *low,
          missing = TAC_HAIRLINE - (most - least);
    *low = missing > 0 ? least - missing / 2 : least;
    *high = missing > 0 ? most + missing / 2 : most;
}

/* The box of a RECT, at least a hairline wide and high; corners may come in any order. */
static inline tacBox tacRectBox(const tacItem *item) {
    tacBox box = {item->x0, item->y0, item->x1, item->y1};
    tacWiden(&box.x0, &box.x1);
    tacWiden(&box.y0, &box.y1);
    return box;
}

/* The box that two boxes have in common; if they have none, its x0 >= x1 or its y0 >= y1. */
tacBox tacBoxCommon(tacBox a, tacBox b);
/* The smallest box around both. */
static inline tacBox tacBoxAround(tacBox a, tacBox b) {
    return (tacBox){
        a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0, a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

/*
 * Calls `line` for each stroke that fills a box with a pattern. The lines end at the box's edges, so no clipping is
 * needed. Their places depend on the page alone, not on the box: neighbours join without a step and different patterns
 * over one another cross. Grays are rows of square dots: lines dashed by the dots' size. A box between two lines gets
 * one in its middle. Lines of one style come one after another.
 */
typedef struct tacHatch {
    float width;
    tacDashes dashes;
} tacHatch;
typedef void tacHatchLine(void *data, const tacHatch *style, float x0, float y0, float x1, float y1);
void tacHatchEach(tacPattern pattern, tacBox box, tacHatchLine *line, void *data); /* for tests */

/*
 * A pattern is either lines or rows of dots.
 *   lines: where a * x + b * y is a multiple of step; one of a, b, or both, is not 0.
 *   dots:  rows of height `step`, every `every`th; in a row `on` dots out of each `period` are set, and rows of odd
 *          number are shifted by half a period.
 */
typedef struct tacHatchForm {
    float step, width;     /* points */
    int a, b;              /* lines */
    int every, on, period; /* dots; period 0: lines */
} tacHatchForm;
const tacHatchForm *tacHatchFormOf(tacPattern pattern);

bool tacHatched(const tacItem *item); /* does the RECT have a pattern and ink for it? */
/* Calls `line` for each stroke of a RECT's hatch within a box: the page, or its visible part. */
void tacHatchItem(const tacItem *item, tacBox within, tacHatchLine *line, void *data);

/* ---- lines ---- */

/* Distance of the place x y from the straight line between two points. */
double tacLineDistance(double x, double y, double x0, double y0, double x1, double y1);

/* An arrow's line as it is drawn: shortened to the heads' necks, and the heads, four points each, closed and filled. */
typedef struct tacArrow {
    tacPoint from, to;
    int nHeads;           /* 0 .. 2 */
    tacPoint heads[2][4]; /* tip, one barb, neck, other barb */
} tacArrow;

void tacArrowOf(const tacItem *line, tacArrow *arrow);

/* ---- marks ---- */

typedef struct tacMark { /* the form of a TAC_ITEM_SHAPE */
    float radius;        /* > 0: a circle around x0 y0 */
    int nPoints;         /* else a polygon (closed), or pairs of points to join by strokes */
    bool strokes;        /* cross and plus */
    tacPoint points[4];
    uint32_t fill, stroke; /* colours, or TAC_NO_COLOR */
    float width;           /* of stroke */
} tacMark;

/* Works out the form of a mark; false: it is a letter, which is text. */
bool tacMarkOf(const tacItem *shape, tacMark *mark);

/* ---- text ---- */

/* A line of text: of a TEXT item, or the letter of a SHAPE. */
typedef struct tacTextPlace {
    float x, baseline, size;
    tacAnchor anchor;
    bool bold;
    uint32_t ink;
    bool upright; /* turned by a quarter: the line runs upwards, its baseline at x */
} tacTextPlace;

tacTextPlace tacTextPlaceOf(const tacItem *item);

#endif
