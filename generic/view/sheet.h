/*
 * sheet.h -- a display list that a script draws: what plugins draw on, in a window and for a file alike.
 *
 *      figures in points or in units of a map -> cut to the clip -> items of the display list -> exporters, painter
 *
 * The display list stays as it is: a sheet cuts rectangles, lines and areas to its clip before they become items, so no
 * exporter has to know about clips. Marks are shown when their middle is inside, texts when their place is. What looks
 * alike and has no place of its own (the look) is given once for many things. Tags are what scripts call things; the
 * topmost tagged thing at a place is found again. Errors are memory only, and stay in display.failed.
 */
#ifndef TAC_VIEW_SHEET_H
#define TAC_VIEW_SHEET_H

#include "view/geometry.h"

typedef struct tacLook {         /* how things look; colours may be TAC_NO_COLOR */
    uint32_t fill, ink, outline; /* of areas and marks; of lines, patterns, text; around areas and marks */
    tacPattern pattern;
    tacDash dash;
    tacHeads heads;
    tacShape shape;
    tacAnchor anchor;
    int layer;                  /* tacLayer, or -1: that of the kind of thing */
    float width;                /* of strokes, points */
    float size;                 /* of text and marks, points */
    bool bold, middle, upright; /* of text */
    uint32_t tag;               /* TAC_NONE: none */
} tacLook;

typedef struct tacMap { /* from a unit of one's own to points, along one axis */
    double from, to;    /* what lies at `at` and at `end`; different numbers */
    double at, end;     /* points */
    bool log;           /* equal factors are equally long; from, to > 0 */
} tacMap;

typedef struct tacSheet {
    tacDisplay display;
    tacInternTable tags;
    tacBox clip;   /* points */
    bool clipped;  /* there is a clip */
    bool finished; /* the items are in layer order */
    tacMap x, y;
} tacSheet;

void tacSheetInit(tacSheet *sheet);
void tacSheetFree(tacSheet *sheet);
void tacSheetClear(tacSheet *sheet); /* nothing is drawn, no clip, no tags; size, font and maps stay */
tacLook tacLookDefault(void);
uint32_t tacSheetTag(tacSheet *sheet, const char *tag, size_t length); /* for tacLook.tag */
const char *tacSheetTagName(const tacSheet *sheet, uint32_t tag);

double tacMapPlace(const tacMap *map, double value); /* in a logarithmic map, far outside unless value > 0 */
double tacMapValue(const tacMap *map, double place); /* the other way */

void tacSheetRect(tacSheet *sheet, const tacLook *look, double x0, double y0, double x1, double y1);
void tacSheetLine(tacSheet *sheet, const tacLook *look, double x0, double y0, double x1, double y1);
/* Through n points: a line, which may leave the clip and come back; or, closed, an area without holes. */
void tacSheetPath(tacSheet *sheet, const tacLook *look, const tacPoint *points, size_t n, bool closed);
void tacSheetMark(tacSheet *sheet, const tacLook *look, double x, double y, const char *letter);
/* most > 0: the text is cut to this width with an ellipsis, or left out where not even that fits. */
void tacSheetText(tacSheet *sheet, const tacLook *look, double x, double y, const char *text, size_t length,
    double most, const tacMeasure *measure);

/* The display, in layer order. */
const tacDisplay *tacSheetDisplay(tacSheet *sheet);
/* The topmost thing with a tag within `slack` points of a place; NULL: there is none. */
const tacItem *tacSheetFind(tacSheet *sheet, double x, double y, double slack, const tacMeasure *measure);

#endif
