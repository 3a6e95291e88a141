/*
 * geometry.h -- what items look like in detail: hatch lines, arrow heads, marks, dashes, where text stands.
 *
 * The painter and the SVG and TikZ writers all ask here, so that a figure is the same in every format. All in points.
 */
#ifndef TAC_VIEW_GEOMETRY_H
#define TAC_VIEW_GEOMETRY_H

#include "view/display.h"

#define TAC_HAIRLINE 0.2f /* thinnest line and area in a vector format: what a 1200 dpi printer shows surely */

/* The width a stroke is drawn with. */
static inline float tacStrokeWidth(float width) { return width > TAC_HAIRLINE ? width : TAC_HAIRLINE; }

typedef struct tacDashes {
    float on, off; /* lengths of stroke and gap; on == 0: solid */
    float phase;   /* how far into the pattern a line begins */
} tacDashes;

tacDashes tacDashesOf(tacDash dash, float width);

/* ---- areas ---- */

typedef struct tacBox {
    float x0, y0, x1, y1;
} tacBox; /* x0 <= x1, y0 <= y1 */

/* The box of a RECT, at least a hairline wide and high; corners may come in any order. */
tacBox tacRectBox(const tacItem *item);

/* What two boxes have in common; its x0 is not below its x1, or its y0 not below its y1, when that is nothing. */
tacBox tacBoxCommon(tacBox a, tacBox b);
/* The smallest box around both. */
tacBox tacBoxAround(tacBox a, tacBox b);

/*
 * The strokes that fill a box with a pattern, as lines that end at the box's edges (no clipping is needed). Where they
 * stand depends on the page alone, not on the box: neighbours join without a step and different patterns over one
 * another cross. Grays are rows of square dots: lines dashed by the dots' size. A box in which no line would fall gets
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

/* The hatch of a RECT within a page or what is visible of it; none when the item has no pattern or no ink. */
bool tacHatched(const tacItem *item);
void tacHatchItem(const tacItem *item, tacBox within, tacHatchLine *line, void *data);

/* ---- lines ---- */

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

/* False for a letter, which is text. */
bool tacMarkOf(const tacItem *shape, tacMark *mark);

/* ---- text ---- */

/* A line of text: of a TEXT item, or the letter of a SHAPE. */
typedef struct tacTextPlace {
    float x, baseline, size;
    tacAnchor anchor;
    bool bold;
    uint32_t ink;
    bool upright; /* turned by a quarter: the line runs upwards, and x is its baseline's place */
} tacTextPlace;

tacTextPlace tacTextPlaceOf(const tacItem *item);

#endif
