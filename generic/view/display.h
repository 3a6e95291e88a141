/*
 * display.h -- the display list: a figure as data. Layout writes it; the painter (screen, PDF, PS, EPS, PNG), the SVG
 * and TikZ writers and the tests read it, so a file shows what the screen shows.
 *
 * Coordinates are points (1/72 in), x right, y down, origin at the figure's top left. Items are drawn in the order of
 * their layer, within a layer in the order of the list. Colours are 0xRRGGBB. Nothing here knows cairo or Tk.
 */
#ifndef TAC_VIEW_DISPLAY_H
#define TAC_VIEW_DISPLAY_H

#include "base/error.h"
#include "base/intern.h"
#include "base/mem.h"
#include "model/model.h"

typedef enum tacLayer {
    TAC_LAYER_BACK, /* panel backgrounds, grid */
    TAC_LAYER_BARS,
    TAC_LAYER_PATTERNS, /* states; critical sections over them */
    TAC_LAYER_LINES,    /* preemption lines, migration arrows, interval dividers, budget curves, axes */
    TAC_LAYER_ARROWS,   /* releases, deadlines, annotations */
    TAC_LAYER_TEXT,
    TAC_LAYERS
} tacLayer;
extern const char *const tacLayerNames[TAC_LAYERS]; /* "back", "bars" ... */

typedef enum tacItemKind {
    TAC_ITEM_RECT, /* from x0 y0 to x1 y1: fill, pattern, outline */
    TAC_ITEM_LINE, /* from x0 y0 to x1 y1: stroke, with arrow heads as `heads` says and view/geometry.h shapes them */
    TAC_ITEM_PATH, /* through points[first .. first + count), gaps by NaN pairs: closed and filled if fill is set,
                      stroked if ink is */
    TAC_ITEM_TEXT, /* one line of text; x0 y0 is its point that `anchor` and `middle` say */
    TAC_ITEM_SHAPE /* message mark: `shape` around x0 y0, x1 in diameter: fill, outline */
} tacItemKind;

typedef enum tacPattern { /* of a RECT, drawn with the item's `ink` over its fill */
    TAC_PATTERN_NONE,
    TAC_PATTERN_GRAY12,
    TAC_PATTERN_GRAY25,
    TAC_PATTERN_GRAY50,
    TAC_PATTERN_GRAY75,
    TAC_PATTERN_LINES_UP,
    TAC_PATTERN_LINES_DOWN,
    TAC_PATTERN_LINES_VERTICAL,
    TAC_PATTERN_LINES_HORIZONTAL,
    TAC_PATTERN_STRIPES_UP, /* from here on for looks that figures choose themselves: traces have no words for them */
    TAC_PATTERN_STRIPES_DOWN,
    TAC_PATTERN_STRIPES_VERTICAL,
    TAC_PATTERN_STRIPES_HORIZONTAL,
    TAC_PATTERN_SPOTS,
    TAC_PATTERNS
} tacPattern;
typedef enum tacDash { TAC_DASH_SOLID, TAC_DASH_DASHED, TAC_DASH_DOTTED } tacDash;
typedef enum tacHeads { TAC_HEADS_NONE = 0, TAC_HEADS_FIRST = 1, TAC_HEADS_LAST = 2, TAC_HEADS_BOTH = 3 } tacHeads;
typedef enum tacShape {
    TAC_SHAPE_DISK,
    TAC_SHAPE_CIRCLE,
    TAC_SHAPE_SQUARE,
    TAC_SHAPE_DIAMOND,
    TAC_SHAPE_CROSS,
    TAC_SHAPE_PLUS,
    TAC_SHAPE_TRIANGLE_UP,
    TAC_SHAPE_TRIANGLE_DOWN,
    TAC_SHAPE_LETTER
} tacShape;
/* Horizontal place of x0 in a text. */
typedef enum tacAnchor { TAC_ANCHOR_LEFT, TAC_ANCHOR_CENTER, TAC_ANCHOR_RIGHT } tacAnchor;

#define TAC_NO_COLOR UINT32_MAX /* not filled / not stroked */

typedef enum tacRefKind { /* kinds of things that items show: for identify, tooltips, links */
    TAC_REF_NONE,
    TAC_REF_SLICE,
    TAC_REF_RUN,
    TAC_REF_HOLD,
    TAC_REF_EVENT,
    TAC_REF_TASK,
    TAC_REF_PROCESSOR,
    TAC_REF_SERVER,
    TAC_REF_BUFFER,
    TAC_REF_AXIS,
    TAC_REF_LEGEND,
    TAC_REF_MERGED, /* a mark for `count` events that are too narrow to be seen apart; index: the first one's row */
    TAC_REF_HOLDS,  /* the same for holds of mutexes; index: the first one */
    TAC_REF_MISSES, /* the same for missed deadlines; index: the job of the first one */
    TAC_REF_GROUP,  /* a window's heading over a group of rows */
    TAC_REF_BAND,   /* columns of a task's row, or of a processor's (view/layoutBand.c) */
    TAC_REF_DRAWN   /* drawn by a script, which gave it a tag: index in tacSheet.tags (view/sheet.h) */
} tacRefKind;

/* Is it a mark for many things? */
static inline bool tacRefIsMerged(tacRefKind kind) { return kind >= TAC_REF_MERGED && kind <= TAC_REF_MISSES; }

typedef struct tacItem {
    uint8_t kind, layer;                         /* tacItemKind, tacLayer */
    uint8_t pattern, dash, heads, shape, anchor; /* the enumerations above */
    uint8_t bold;                                /* TEXT */
    uint8_t refKind;                             /* tacRefKind */
    uint8_t middle;                              /* TEXT: y0 is the middle of the line, not its baseline */
    uint8_t band;                                /* PATH: pieces of level steps on the baseline y1, within x0 y0 x1 y1;
                                                    a step reaches from its point to the next one's x */
    uint8_t upright;                             /* TEXT: turned by a quarter around x0 y0, to be read from below */
    float x0, y0, x1, y1;                        /* points */
    float width;                                 /* of the stroke, points; TEXT: font size in points */
    uint32_t fill;                               /* colour of the area */
    uint32_t ink;                                /* colour of stroke, text, pattern; SHAPE: of its outline, too */
    uint32_t outline;                            /* RECT, SHAPE: colour of the edge, `width` wide, or TAC_NO_COLOR */
    uint32_t text;                               /* TEXT, SHAPE_LETTER: id in tacDisplay.texts */
    uint32_t first, count;                       /* PATH: its points; MERGED: count is the number of things */
    uint32_t owner, index; /* by refKind: task and slice, processor and run, row of the store ... */
} tacItem;

typedef struct tacPoint {
    float x, y;
} tacPoint;

typedef struct tacDisplay {
    TAC_ARRAY(tacItem) items; /* after tacDisplayFinish: in layer order */
    TAC_ARRAY(tacPoint) points;
    tacInternTable texts;
    float width, height;           /* of the figure, points */
    const char *font;              /* family of all text; owned by the display */
    float fontSize;                /* points, default of labels */
    bool failed;                   /* an item found no memory: the display is not complete */
    const struct tacDisplay *next; /* the next page of the same file, for formats that have pages; NULL: none */
} tacDisplay;

void tacDisplayInit(tacDisplay *display);
void tacDisplayFree(tacDisplay *display);
/* Adds an item with all fields zero but kind, layer, colours TAC_NO_COLOR; NULL without memory (failed is set). */
tacItem *tacDisplayAdd(tacDisplay *display, tacItemKind kind, tacLayer layer);
/* Id of a text, for item->text; TAC_NONE without memory (failed is set). */
uint32_t tacDisplayText(tacDisplay *display, const char *text, size_t length);
void tacDisplayFinish(tacDisplay *display); /* sorts the items by layer, else in the order they were added in */
/* Writes one line an item, for golden tests and people: "rect bars 10 20 30 40 fill #CCCCCC ... slice task1 3". */
void tacDisplayDump(const tacDisplay *display, tacText *out);

/* ---- measuring text, for layout ---- */

#define TAC_DEFAULT_FONT "DejaVu Sans"

typedef struct tacMeasure {
    void *data;
    /* Returns the width of one line in points; sets its ascent and descent where these are not NULL. */
    float (*width)(void *data, const char *text, size_t length, float size, bool bold, float *ascent, float *descent);
} tacMeasure;

#define TAC_ELLIPSIS "\xE2\x80\xA6" /* stands for the rest of a text that was cut */

/*
 * Length of the longest beginning of a NUL-terminated text without mathematics, in whole characters and at most `most`
 * bytes, that is no wider than `width` points.
 */
size_t tacFittingLength(const tacMeasure *measure, const char *text, size_t most, float width, float size, bool bold);
/*
 * Sets *out to the text, which has mathematics, shortened to a width and at most `most` bytes, the ellipsis included:
 * its beginning, and behind the ellipsis an end of up to this share of the width. Returns the number of characters
 * left.
 */
size_t tacFittingMaths(const tacMeasure *measure, const char *text, float width, float share, size_t most, float size,
    bool bold, tacText *out);

/* Measures by Pango, in this family, as the painter shows text (view/text.c). */
tacStatus tacMeasurePango(const char *family, tacMeasure *measure, tacError *err);
void tacMeasureFree(tacMeasure *measure);

/* Makes every character 0.6 of the size wide (bold 0.65), ascent 0.8, descent 0.2: the same wherever tests run. */
extern const tacMeasure tacMeasureFixed; /* for tests */

#endif
