/*
 * timelineState.h -- the record of the timeline widget, and the functions that its files call of one another.
 *
 *      timeline.c              options, the widget's command and hooks
 *      timelineView.c          the range of time and the scrolling of rows
 *      timelineFrame.c         from the trace to pixels: list, place, lay out, paint, put, show; the one idle redraw
 *      timelineOverlay.c       the things over the picture: cursor, selection, markers, highlights, findings
 *      timelineOverlayPlace.c  ... their places; timelineOverlayDraw.c draws them
 *      timelineStrip.c         strips: coloured stretches of time under rows
 *      timelineIdentify.c      places and things: identify, bbox
 *      timelineExport.c        the picture as a file
 *      timelineSnap.c          the nearest edge or event
 *      timelineRows.c          rows: facts, hiding, heights, order, groups
 *      timelineArrangement.c   ... and the arrangement as one value
 *      timelineNotify.c        scroll commands and virtual events
 *
 * The rule of re-entrancy: scripts run only in tacTimelineNotify, last in the idle handler, which keeps the record
 * (widget.c) and checks after each script whether the window is still there. So everywhere else the record, its trace
 * and its frame stay as they are from the first line of a function to its last.
 *
 * Invariants:
 *   1. `stale` is the step with which the next redraw begins; the steps before it (in the enum: below it) are up to
 * date.
 *   2. times are ticks of `digits`, those of the trace. Without a trace there is no range, cursor, selection or mark.
 *   3. low <= from < to <= high with a trace.
 */
#ifndef TAC_TK_TIMELINE_STATE_H
#define TAC_TK_TIMELINE_STATE_H

#include "tcl/dispatch.h"
#include "tcl/traceCmd.h"
#include "tk/timeline.h"
#include "tk/widget.h"
#include "view/drawCalls.h"
#include "view/paintScreen.h"
#include "view/text.h"
#include "view/window.h"

typedef enum tacStale { /* the steps of a redraw, the last one first; each includes those above it */
    TAC_FRESH,
    TAC_STALE_PICTURE, /* the picture: the painted frame, and the things that lie over it */
    TAC_STALE_PAINT,
    TAC_STALE_LAYOUT,
    TAC_STALE_PLACES,
    TAC_STALE_PASSES, /* the end of arranging, the order of the rows by what they do, and which are left out */
    TAC_STALE_ORDER,  /* the arrangement of the listed rows, and their groups */
    TAC_STALE_LIST,   /* the end of the list of rows, which is being made */
    TAC_STALE_ROWS    /* another list of rows: another trace, mode or order */
} tacStale;

typedef enum tacNews { /* bits of the changes that are to be told at idle time */
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
    Tcl_Obj *origin;                                            /* {}, or the time that the axis counts from */
    Tcl_Obj *reach;                                             /* {}, or a list of two times */
    Tcl_Obj *layers;                                            /* list of names */
    int theme, convention, processors, deadlines, order, state; /* places in their words */
    int colorBy, barText, groupBy;                              /* the same */
    int grayscale, serverMarks, fitRows, hideEmpty;
    double fontSize, axisScale; /* points; factor */
    int snap, labelWidth;       /* pixels */
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

/* The column of a folded group's band at the pointer, which is summed up in steps where there are very many rows. */
typedef struct tacBandLook {
    bool begun;
    uint32_t group;
    int64_t time;  /* at the pointer */
    size_t beside; /* columns that were looked at and had nothing */
    tacGroupColumn sum;
} tacBandLook;

typedef struct tacFindingMark { /* as wanted by -findings, in order of begin */
    int64_t begin, end;         /* end TAC_UNKNOWN: an instant */
    tacSeverity severity;
    uint32_t index; /* in the list of -findings; TAC_NONE: the trace's checks only counted it */
    uint32_t check; /* of one that was only counted: in tacFindings.names */
} tacFindingMark;

enum { TAC_FINDING_SEVERITIES = TAC_SEVERITY_ERROR + 1 };
extern const char *const tacFindingSeverities[TAC_FINDING_SEVERITIES + 1]; /* "note" ..., NULL */

typedef struct tacFindingMarks {
    TAC_ARRAY(tacFindingMark) listed;
    TAC_ARRAY(tacUnlisted) unlisted[TAC_FINDING_SEVERITIES]; /* those with a time, by severity, in order of begin */
} tacFindingMarks;

typedef struct tacLit { /* something at the pointer, or at the other end of it */
    tacArea area;       /* in the window */
    bool other, filled; /* filled: it becomes lighter */
} tacLit;

typedef struct tacStripPiece { /* a coloured stretch of a strip */
    int64_t begin, end;
    uint32_t color, label; /* label: id in tacTimeline.stripLabels, or TAC_NONE */
} tacStripPiece;

typedef struct tacStripRow {         /* the strip of a row */
    char *key;                       /* of the row */
    Tcl_Obj *list;                   /* as it was set */
    TAC_ARRAY(tacStripPiece) pieces; /* in the order of time; they do not overlap */
} tacStripRow;

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
    int64_t first, last;   /* begin and end of the trace */
    int64_t low, high;     /* bounds of the range */
    int64_t from, to;      /* the range, which is shown */
    int scroll;            /* of the rows, pixels */

    bool selected, cursorShown;
    int64_t selectionFrom, selectionTo, cursor;
    TAC_ARRAY(tacMarker) markers; /* in order of making */
    TAC_ARRAY(tacHighlight) highlights;
    tacInternTable names; /* of rows that are highlighted */
    TAC_ARRAY(tacStripRow) strips;
    tacInternTable stripLabels;
    tacFindingMarks findings;
    unsigned layers;           /* tacShow, of -layers */
    Tcl_Obj *highlightList;    /* as given; NULL: none */
    TAC_ARRAY(tacArea) framed; /* frames around the highlighted things; pixels of the window */
    TAC_ARRAY(tacLit) lit;     /* by the subcommand hover; until the next layout */
    tacBandLook look;          /* the same */
    float axis, axisBottom;    /* y of the axis' line, and of the lower end of its numbers; points */

    double scaling; /* pixels a point when rows were placed */
    tacStale stale;
    bool columns;  /* left and right of the frame's plot are valid: only time or rows moved since it was laid out */
    bool failed;   /* the last attempt to draw has failed */
    unsigned news; /* tacNews */

    tacShaper *shaper; /* of `family` */
    char *family;
    tacMeasure measure; /* by the shaper */
    tacWindow rows;
    tacFrame frame;
    bool drawn;                /* the frame has been laid out and is of this trace */
    cairo_surface_t *picture;  /* the painted frame, in a canvas of the screen; NULL: none yet */
    tacLooks looks;            /* of forms in it */
    cairo_surface_t *overlaid; /* of the same size, for areas that something lies over; NULL: none yet */
    TAC_ARRAY(tacArea) dirty;  /* areas of the window in which something over the frame changed */
    tacFrameTimes times;
    char message[448]; /* of the error that stopped drawing; empty: there was none */
} tacTimeline;

/* ---- timeline.c ---- */
/* TCL_OK, or TCL_ERROR with {TACTUS WIDGET EMPTY} when there is no trace. */
int tacTimelineNeedTrace(tacTimeline *t);
/* The same, or TCL_ERROR with {TACTUS WIDGET DRAW} when `made` (tacTimelinePlaces, Layout or Columns) fails. */
int tacTimelineNeed(tacTimeline *t, bool (*made)(tacTimeline *t));
int tacTimelineTime(tacTimeline *t, Tcl_Obj *word, int64_t *time); /* needs a trace */
/* The times of -reach as ticks of the trace; both TAC_UNKNOWN: none are given. reach NULL: only checks them. */
int tacTimelineReach(const tacTimeline *t, Tcl_Interp *interp, int64_t reach[2]);
/* The time of -origin in the same way; 0 where none is given. */
int tacTimelineOrigin(const tacTimeline *t, Tcl_Interp *interp, int64_t *origin);
int64_t tacTimelineAxisOrigin(const tacTimeline *t); /* the same; 0 where this trace cannot tell the time */
Tcl_Obj *tacTimelineTimeObj(const tacTimeline *t, int64_t time);
Tcl_Obj *tacTimelineRangeObj(const tacTimeline *t, int64_t from, int64_t to); /* a list of two times */
static inline int tacTimelineInset(const tacTimeline *t) { return tacWidgetInset(&t->widget); }
static inline tacArea tacTimelineInner(const tacTimeline *t) { return tacWidgetInner(&t->widget); }
static inline void tacTimelineRedisplay(tacTimeline *t) { tacWidgetRedisplay(&t->widget); }

/* ---- timelineView.c ---- */
tacSubcommandProc tacViewSub, tacSpanSub, tacZoomSub, tacPanSub, tacSeeSub, tacTimeSub, tacXSub, tacXviewSub,
    tacYviewSub;
void tacTimelineBounds(tacTimeline *t);                          /* first, last, low, high of the trace */
void tacTimelineRange(tacTimeline *t, int64_t from, int64_t to); /* within the bounds, its width if possible kept */
void tacTimelineRestart(tacTimeline *t);                         /* shows all of the trace */
void tacTimelineXFractions(const tacTimeline *t, double fractions[2]);
void tacTimelineYFractions(const tacTimeline *t, double fractions[2]);
int64_t tacTimelineTimeAt(const tacTimeline *t, double x); /* x: pixels in the window; of a laid out frame */
double tacTimelineXOf(const tacTimeline *t, int64_t time); /* the reverse; may be outside of the window */

/* ---- timelineFrame.c ---- */
void tacTimelineStale(tacTimeline *t, tacStale stale); /* and a redraw at idle time */
void tacTimelineTouch(tacTimeline *t, tacArea area);   /* something over the frame is to be drawn again; area in the
                                                          window */
bool tacTimelineArrange(tacTimeline *t);               /* rows are listed and in their order, not placed */
bool tacTimelinePlaces(tacTimeline *t);                /* rows are listed and placed; false: no trace, or it fails */
extern const double tacPassBudget;                     /* milliseconds of looking at all rows in one step */
bool tacTimelinePending(const tacTimeline *t);         /* steps are left of listing and arranging very many rows */
/* Does one step of listing and arranging rows where these are very many. True: the rest comes at the next idle time. */
bool tacTimelineAhead(tacTimeline *t);
bool tacTimelineLayout(tacTimeline *t);  /* the frame is laid out */
bool tacTimelineColumns(tacTimeline *t); /* left and right of the frame's plot are valid */
void tacTimelineRedraw(tacTimeline *t);
void tacTimelineExpose(tacTimeline *t, tacArea area);
void tacTimelineFrameFree(tacTimeline *t);
tacSubcommandProc tacFrameSub, tacLabelsSub, tacRedrawSub;

/* ---- timelineOverlay.c ---- */
tacSubcommandProc tacCursorSub, tacSelectionSub, tacMarkerSub, tacHighlightSub;
void tacOverlayForget(tacTimeline *t);           /* drops all, for another trace */
void tacOverlayShift(tacTimeline *t, int shift); /* times have `shift` more digits */
void tacOverlayFree(tacTimeline *t);
const tacMarker *tacMarkerOf(const tacTimeline *t, const char *name); /* NULL: none of this name */
/* Reads a list of findings of a trace (NULL: none), and takes those that it only counted, unless the list is empty.
 * Error: {TACTUS WIDGET FINDINGS}. Freed by tacFindingMarksFree. */
int tacFindingsParse(tacTimeline *t, Tcl_Obj *list, const tacTrace *trace, tacFindingMarks *marks);
void tacFindingMarksFree(tacFindingMarks *marks);

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
bool tacOverlayAreas(const tacTimeline *t, tacAreas *areas); /* of all things over the frame; false: no memory */
tacArea tacLineArea(const tacTimeline *t, int64_t time);     /* of an upright line at a time; empty: out of sight */
tacArea tacSelectionArea(const tacTimeline *t, int64_t from, int64_t to);
tacArea tacFlagsArea(const tacTimeline *t);                  /* in which all flags lie; empty without markers */
bool tacOverlayFlags(const tacTimeline *t, tacFlags *flags); /* false: no memory */
typedef struct tacDimension { /* the line between the markers A and B, with its length; pixels of the window */
    double x0, x1, y;         /* of the line */
    bool hasFirst, hasLast;   /* its ends are in sight */
    bool within;              /* the text is in the line, else beside it */
    tacArea label;            /* behind the text */
    double textX;
    float size; /* of the text, points */
    char text[TAC_DECIMAL_SIZE];
} tacDimension;
/* The length, clear of the flags; false: there is none in sight. */
bool tacOverlayDimension(const tacTimeline *t, const tacFlags *flags, tacDimension *dimension);
/* The area of a frame around an item, within a part. */
tacArea tacItemFrame(const tacTimeline *t, const tacItem *item, tacBox within);
/* Does the item show the thing that is to be highlighted? */
bool tacHighlightMeans(const tacTimeline *t, const tacHighlight *highlight, const tacItem *item);
tacArea tacFindingsArea(const tacTimeline *t);
bool tacOverlayFindingAt(const tacTimeline *t, int x, int y, tacFindingMark *found);

/* ---- timelineOverlayDraw.c ---- */
typedef struct tacTint { /* an even colour over an area: new = colour * share + old * (1 - share) */
    tacArea area;        /* in the window; empty: none */
    uint32_t color;
    uint32_t share; /* 256: all */
} tacTint;
uint32_t tacTimelineColor(const tacTimeline *t, uint32_t color);         /* gray where the timeline is */
uint32_t tacOverlayColor(const tacTimeline *t, const tacMarker *marker); /* its own, else by its name */
tacTint tacOverlayTint(const tacTimeline *t);                         /* of the selection; all else is drawn over it */
void tacOverlayDraw(const tacTimeline *t, cairo_t *cr, tacArea area); /* all but the tint; cr in pixels of the
                                                                         window */

/* ---- timelineStrip.c ---- */
tacSubcommandProc tacStripSub;
tacArea tacStripArea(const tacTimeline *t, const tacStripRow *strip);          /* in the window, of a laid out frame */
bool tacStripBox(const tacTimeline *t, const tacStripRow *strip, tacBox *box); /* in points; false: out of sight */
float tacStripLabelSize(const tacTimeline *t);                                 /* points */
void tacStripsDraw(const tacTimeline *t, cairo_t *cr, tacArea within);
/* The stretch at a place of the window, and the strip that it belongs to; NULL: there is none. */
const tacStripPiece *tacStripAt(const tacTimeline *t, int x, int y, const tacStripRow **found);
const char *tacStripLabel(const tacTimeline *t, const tacStripPiece *piece);
void tacStripsForget(tacTimeline *t);
void tacStripsShift(tacTimeline *t, int shift); /* times have `shift` more digits */

/* ---- timelineIdentify.c, timelineHover.c, timelineSnap.c ---- */
tacSubcommandProc tacIdentifySub, tacBboxSub, tacHoverSub, tacSnapSub;
/* The dict of what is at a place of the window. item: the item there; its refKind is TAC_REF_NONE where something else
 * or nothing was found. */
/* effort: of what a folded group has there, as in tacWindowGroupColumn; with less than that takes, the result has
 * `unfinished`, and the next call for the same place goes on. */
Tcl_Obj *tacIdentify(tacTimeline *t, int x, int y, uint32_t effort, tacItem *item);
/* The name of an event: of its kind, or the one that a plugin gave it. */
const char *tacTimelineEventName(const tacStore *store, uint32_t row);
/* The area of the window that covers a box in points of the frame. */
tacArea tacTimelineArea(const tacTimeline *t, tacBox box);
float tacTimelinePoints(const tacTimeline *t, double pixels); /* of the window to points of the frame, without the
                                                                 highlight */

/* ---- timelineExport.c ---- */
tacSubcommandProc tacTimelineExportSub;

/* ---- timelineRows.c ---- */
tacSubcommandProc tacRowsSub, tacRowSub;
/* The row of a key; NULL with the error {TACTUS WIDGET ROW}. Rows are placed. */
tacWindowRow *tacTimelineRow(tacTimeline *t, Tcl_Obj *key);
Tcl_Obj *tacTimelineKeyObj(const tacTimeline *t, uint32_t key); /* of a row or group: id in the window's keys */
Tcl_Obj *tacTimelineRowKey(tacTimeline *t, const tacWindowRow *row);
void tacTimelineFilter(tacTimeline *t);  /* as -filter has it */
int tacTimelineArranged(tacTimeline *t); /* places rows that were arranged anew, and tells the news; TCL_OK */
/* A factor of a row's height, within sensible bounds; error: {TACTUS WIDGET HEIGHT}. */
int tacTimelineFactor(Tcl_Interp *interp, Tcl_Obj *word, double *factor);

/* ---- timelineArrangement.c ---- */
tacSubcommandProc tacArrangementSub;

/* ---- timelineNotify.c ---- */
void tacTimelineNews(tacTimeline *t, unsigned news);
void tacTimelineNotify(tacTimeline *t); /* runs scripts: see above */

#endif
