/*
 * sheet.h -- a display list that a script draws, in a window and for a file alike: plugins draw on it.
 *
 *      figures in points or in units of a map -> cut to the clip -> items of the display list -> exporters, painter
 *
 * A sheet cuts rectangles, lines and areas to its clip before they become items, so no exporter has to know about
 * clips. Marks are shown when their middle is inside, texts when their place is. A look is given once for many things.
 * Tags are names that scripts give to things; the topmost tagged thing at a place is found by tacSheetFind. The only
 * error is a lack of memory, which stays in display.failed.
 */
#ifndef TAC_VIEW_SHEET_H
#define TAC_VIEW_SHEET_H

#include "view/geometry.h"

typedef struct tacLook {         /* the look of a thing; colours may be TAC_NO_COLOR */
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

typedef struct tacMap { /* from a script's unit to points, along one axis */
    double from, to;    /* values at the places `at` and `end`; different numbers */
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
void tacSheetClear(tacSheet *sheet); /* removes things, clip and tags; size, font and maps stay */
tacLook tacLookDefault(void);
uint32_t tacSheetTag(tacSheet *sheet, const char *tag, size_t length); /* for tacLook.tag */
const char *tacSheetTagName(const tacSheet *sheet, uint32_t tag);

double tacMapPlace(const tacMap *map, double value); /* far outside if the map is logarithmic and value <= 0 */
double tacMapValue(const tacMap *map, double place); /* the inverse */

void tacSheetRect(tacSheet *sheet, const tacLook *look, double x0, double y0, double x1, double y1);
void tacSheetLine(tacSheet *sheet, const tacLook *look, double x0, double y0, double x1, double y1);
/* Adds a line through n points, which may leave the clip and come back; or, closed, an area without holes. */
void tacSheetPath(tacSheet *sheet, const tacLook *look, const tacPoint *points, size_t n, bool closed);
void tacSheetMark(tacSheet *sheet, const tacLook *look, double x, double y, const char *letter);
/* Adds a NUL-terminated text. most > 0: it is cut to this width with an ellipsis, or left out if no character fits. */
void tacSheetText(tacSheet *sheet, const tacLook *look, double x, double y, const char *text, size_t length,
    double most, const tacMeasure *measure);

/* The display, in layer order. */
const tacDisplay *tacSheetDisplay(tacSheet *sheet);
/* The topmost thing with a tag within `slack` points of a place; NULL: there is none. */
const tacItem *tacSheetFind(tacSheet *sheet, double x, double y, double slack, const tacMeasure *measure);

#endif
