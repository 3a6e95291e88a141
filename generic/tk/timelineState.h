/*
 * timelineState.h -- what the files of the widget share: its record, and the functions between them.
 *
 *      timeline.c              options, the widget's command and hooks
 *      timelineView.c          the range of time and the scrolling of rows
 *      timelineFrame.c         from the trace to pixels: list, place, lay out, paint, put, show; the one idle redraw
 *      timelineOverlay.c       what lies over the picture: cursor, selection, markers, highlights, findings
 *      timelineOverlayPlace.c  ... where, and timelineOverlayDraw.c how it looks
 *      timelineIdentify.c      what is where: identify, bbox
 *      timelineSnap.c          the nearest edge or event
 *      timelineRows.c          rows: facts, hiding, heights, order, groups
 *      timelineArrangement.c   ... and all of that as one value
 *      timelineNotify.c        scroll commands and virtual events
 *
 * The rule of re-entrancy, here once for all: scripts run only in tacTimelineNotify, last in the idle handler, which
 * keeps the record (widget.c) and looks after each script whether the window is still there. So everywhere else the
 * record, its trace and its frame stay as they are from the first line of a function to its last.
 *
 * Invariants:
 *   1. `stale` says what the next redraw begins with; all that comes before it (in the enum: above it) is up to date.
 *   2. times are ticks of `digits`, those of the trace. Without a trace there is no range, cursor, selection or mark.
 *   3. low <= from < to <= high with a trace.
 */
#ifndef TAC_TK_TIMELINE_STATE_H
#define TAC_TK_TIMELINE_STATE_H

#include "tcl/dispatch.h"
#include "tcl/traceCmd.h"
#include "tk/timeline.h"
#include "tk/widget.h"
#include "view/text.h"
#include "view/window.h"

#include <cairo.h>

typedef enum tacStale { /* each includes those before it */
    TAC_FRESH,
    TAC_STALE_PICTURE, /* the picture is to be put together anew from the painted frame and what lies over it */
    TAC_STALE_PAINT,
    TAC_STALE_LAYOUT,
    TAC_STALE_PLACES,
    TAC_STALE_ROWS /* another list of rows: another trace, mode or order */
} tacStale;

typedef enum tacNews { /* bits of what is to be told at idle time */
    TAC_NEWS_XSCROLL = 1,
    TAC_NEWS_YSCROLL = 2,
    TAC_NEWS_TIME = 4,
    TAC_NEWS_SELECTION = 8,
    TAC_NEWS_ZOOMED = 16,
    TAC_NEWS_ROWS = 32,
    TAC_NEWS_TRACE = 64
} tacNews;

enum { TAC_THEME_LIGHT, TAC_THEME_DARK, TAC_THEME_PRINT };

typedef struct tacTimelineOptions { /* filled by Tk from the option table */
    char *trace, *font, *axisUnit, *filter, *emptyText;
    Tcl_Obj *findings;                                          /* list of dicts */
    int theme, convention, processors, deadlines, order, state; /* places in their words */
    int grayscale, serverMarks;
    double fontSize, axisScale; /* points; factor */
    int snap;                   /* pixels */
} tacTimelineOptions;

typedef struct tacMarker {
    char *name, *label; /* label: shown; may be NULL */
    uint32_t color;     /* TAC_NO_COLOR: by name */
    int64_t time;
} tacMarker;

typedef enum tacHighlightKind {
    TAC_HIGHLIGHT_JOB,
    TAC_HIGHLIGHT_SLICE,
    TAC_HIGHLIGHT_ROW,
    TAC_HIGHLIGHT_EVENT
} tacHighlightKind;

typedef struct tacHighlight {
    tacHighlightKind kind;
    uint32_t owner, index; /* SLICE: task and slice; JOB, EVENT: index; ROW: the key's id in tacTimeline.names */
} tacHighlight;

typedef struct tacFindingMark { /* as wanted by -findings, in order of begin */
    int64_t begin, end;         /* end TAC_UNKNOWN: an instant */
    tacSeverity severity;
    uint32_t index; /* in the list of -findings */
} tacFindingMark;

typedef TAC_ARRAY(tacFindingMark) tacFindingMarks;

typedef struct tacFrameTimes {
    int64_t layout, paint, put, total;
    size_t items;
} tacFrameTimes; /* microseconds */

typedef struct tacTimeline {
    tacWidget widget;
    tacTimelineOptions options;

    tacTraceUser *user;    /* keeps the trace; NULL: none */
    const tacTrace *trace; /* NULL: none */
    int digits;            /* of all times below */
    int64_t first, last;   /* what there is to see */
    int64_t low, high;     /* how far the range may go */
    int64_t from, to;      /* the range */
    int scroll;            /* of the rows, pixels */

    bool selected, cursorShown;
    int64_t selectionFrom, selectionTo, cursor;
    TAC_ARRAY(tacMarker) markers; /* in order of making */
    TAC_ARRAY(tacHighlight) highlights;
    tacInternTable names; /* of rows that are highlighted */
    tacFindingMarks findings;
    Tcl_Obj *highlightList;    /* as given; NULL: none */
    TAC_ARRAY(tacArea) framed; /* where the highlighted things are in the frame; pixels of the window */
    float axis, axisBottom;    /* y of the axis' line, and below its numbers; points */

    double scaling; /* pixels a point, as rows were placed with */
    tacStale stale;
    bool columns;  /* the frame's plot has the place it will have: only time or rows moved since it was laid out */
    bool failed;   /* the last attempt to draw did */
    unsigned news; /* tacNews */

    tacShaper *shaper; /* of `family` */
    char *family;
    tacMeasure measure; /* by the shaper */
    tacWindow rows;
    tacFrame frame;
    bool drawn;                /* the frame has been laid out and is of this trace */
    cairo_surface_t *picture;  /* the painted frame, in a canvas of the screen; NULL: none yet */
    cairo_surface_t *overlaid; /* of the same size, for areas that something lies over; NULL: none yet */
    TAC_ARRAY(tacArea) dirty;  /* of the picture: where something over the frame changed */
    tacFrameTimes times;
    char message[448]; /* why nothing can be drawn; empty: it can */
} tacTimeline;

/* ---- timeline.c ---- */
/* TCL_OK, or TCL_ERROR with {TACTUS WIDGET EMPTY} when there is no trace. */
int tacTimelineNeedTrace(tacTimeline *t);
/* The same, and `made` (tacTimelinePlaces, Layout or Columns) succeeds, or TCL_ERROR with {TACTUS WIDGET DRAW}. */
int tacTimelineNeed(tacTimeline *t, bool (*made)(tacTimeline *t));
int tacTimelineTime(tacTimeline *t, Tcl_Obj *word, int64_t *time); /* needs a trace */
Tcl_Obj *tacTimelineTimeObj(const tacTimeline *t, int64_t time);
int tacTimelineMemory(tacTimeline *t); /* TCL_ERROR with {TACTUS MEMORY} */
static inline int tacTimelineInset(const tacTimeline *t) { return tacWidgetInset(&t->widget); }
static inline tacArea tacTimelineInner(const tacTimeline *t) { return tacWidgetInner(&t->widget); }
static inline void tacTimelineRedisplay(tacTimeline *t) { tacWidgetRedisplay(&t->widget); }

/* ---- timelineView.c ---- */
tacSubcommandProc tacViewSub, tacSpanSub, tacZoomSub, tacPanSub, tacSeeSub, tacTimeSub, tacXSub, tacXviewSub,
    tacYviewSub;
void tacTimelineBounds(tacTimeline *t);                          /* first, last, low, high of the trace */
void tacTimelineRange(tacTimeline *t, int64_t from, int64_t to); /* clamped */
void tacTimelineRestart(tacTimeline *t);                         /* all there is to see */
void tacTimelineXFractions(const tacTimeline *t, double fractions[2]);
void tacTimelineYFractions(const tacTimeline *t, double fractions[2]);
int64_t tacTimelineTimeAt(const tacTimeline *t, double x); /* x: pixels in the window; of a laid out frame */
double tacTimelineXOf(const tacTimeline *t, int64_t time); /* the other way; may be outside */

/* ---- timelineFrame.c ---- */
void tacTimelineStale(tacTimeline *t, tacStale stale); /* and a redraw at idle time */
void tacTimelineTouch(tacTimeline *t, tacArea area);   /* something over the frame is to be drawn again; area in the
                                                          window */
bool tacTimelinePlaces(tacTimeline *t);                /* rows are listed and placed; false: no trace, or it fails */
bool tacTimelineLayout(tacTimeline *t);                /* the frame is laid out */
bool tacTimelineColumns(tacTimeline *t);               /* frame.left and right are right */
void tacTimelineRedraw(tacTimeline *t);
void tacTimelineExpose(tacTimeline *t, tacArea area);
void tacTimelineFrameFree(tacTimeline *t);
tacSubcommandProc tacFrameSub, tacRedrawSub;

/* ---- timelineOverlay.c ---- */
tacSubcommandProc tacCursorSub, tacSelectionSub, tacMarkerSub, tacHighlightSub;
void tacOverlayForget(tacTimeline *t);           /* another trace: nothing of the old one */
void tacOverlayShift(tacTimeline *t, int shift); /* times have `shift` more digits */
void tacOverlayFree(tacTimeline *t);
/* Reads a list of findings for times of so many digits; error: {TACTUS WIDGET FINDINGS}. */
int tacFindingsParse(tacTimeline *t, Tcl_Obj *list, int digits, tacFindingMarks *marks);

/* ---- timelineOverlayPlace.c: all areas in the window, of a laid out frame ---- */
typedef TAC_ARRAY(tacArea) tacAreas;
typedef struct tacFlag { /* a marker's label at the top of the plot */
    const tacMarker *marker;
    tacArea area;
    char text[80]; /* as shown: cut where it is long */
    bool cut;
} tacFlag;
typedef TAC_ARRAY(tacFlag) tacFlags;

void tacOverlayPlace(tacTimeline *t); /* after laying out, or new highlights: fills framed, axis, axisBottom */
bool tacOverlayAreas(const tacTimeline *t, tacAreas *areas); /* all that something lies over; false: no memory */
tacArea tacLineArea(const tacTimeline *t, int64_t time);     /* of an upright line at a time; empty: out of sight */
tacArea tacSelectionArea(const tacTimeline *t, int64_t from, int64_t to);
tacArea tacFlagsArea(const tacTimeline *t);                  /* where flags may be; empty without markers */
bool tacOverlayFlags(const tacTimeline *t, tacFlags *flags); /* false: no memory */
tacArea tacFindingsArea(const tacTimeline *t);
const tacFindingMark *tacOverlayFindingAt(const tacTimeline *t, int x, int y);

/* ---- timelineOverlayDraw.c ---- */
typedef struct tacTint { /* an even colour over an area: new = colour * share + old * (1 - share) */
    tacArea area;        /* in the window; empty: none */
    uint32_t color;
    uint32_t share; /* 256: all */
} tacTint;
tacTint tacOverlayTint(const tacTimeline *t); /* of the selection: lies below all else that is drawn */
void tacOverlayDraw(const tacTimeline *t, cairo_t *cr, tacArea area); /* what touches the area, but the tint; cr in
                                                                         pixels of the window */

/* ---- timelineIdentify.c, timelineSnap.c ---- */
tacSubcommandProc tacIdentifySub, tacBboxSub, tacSnapSub;
/* The name of an event: of its kind, or the one that a plugin gave it. */
const char *tacTimelineEventName(const tacStore *store, uint32_t row);
/* Boxes in points of the frame, and areas of the window that cover them. */
tacArea tacTimelineArea(const tacTimeline *t, tacBox box);
float tacTimelinePoints(const tacTimeline *t, double pixels); /* of the window to points of the frame, without the
                                                                 highlight */

/* ---- timelineRows.c ---- */
tacSubcommandProc tacRowsSub, tacRowSub;
/* The row of a key; NULL with the error {TACTUS WIDGET ROW}. Rows are placed. */
tacWindowRow *tacTimelineRow(tacTimeline *t, Tcl_Obj *key);
Tcl_Obj *tacTimelineRowKey(const tacTimeline *t, const tacWindowRow *row);
Tcl_Obj *tacTimelineKeyObj(const tacTimeline *t, uint32_t key); /* of a row or group: id in the window's keys */
void tacTimelineFilter(tacTimeline *t);                         /* as -filter has it */
int tacTimelineArranged(tacTimeline *t); /* TCL_OK, after rows were arranged anew: they are placed, and that is news */
/* A factor of a row's height, within sensible bounds; error: {TACTUS WIDGET HEIGHT}. */
int tacTimelineFactor(Tcl_Interp *interp, Tcl_Obj *word, double *factor);

/* ---- timelineArrangement.c ---- */
tacSubcommandProc tacArrangementSub;

/* ---- timelineNotify.c ---- */
void tacTimelineNews(tacTimeline *t, unsigned news);
void tacTimelineNotify(tacTimeline *t); /* runs scripts: see above */

#endif
