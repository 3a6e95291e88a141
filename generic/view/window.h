/*
 * window.h -- a window's view of a trace: a figure, cut into parts that stay and one that scrolls.
 *
 *      +--------------------------------+
 *      | rows that are pinned           |   PINNED   never scrolls
 *      | ...............................|
 *      | rows, in the user's order      |   ROWS     scrolled by `scroll` points; only what is visible is drawn
 *      | ...............................|
 *      | axis, strip of messages        |   AXIS     always at the bottom
 *      +--------------------------------+
 *
 * Each part is a display list of its own, in points of the window (not of the content), drawn clipped to its box. It is
 * made by the same layout functions as figures, so files show what the screen shows. A window keeps what does not
 * change from frame to frame (the listed rows, the widths of labels, colours); the time of a frame depends on its
 * pixels, not on the number of events, rows or jobs.
 *
 * The arrangement of rows is the user's: order, hidden, pinned, height, groups that can be folded. Rows have keys that
 * outlive the trace: "task ID", "task ID PROCESSOR" (in a processor's panel), "processor ID", "server ID", each a Tcl
 * list; the key of a group is its name. Unknown keys of an arrangement are kept and have no effect.
 *
 * Rows that the user has put into no group are grouped by what the trace says (groupBy, view/windowTree.c): in panels,
 * such groups lie within that of the processor. A folded group is one row, a density band of all its members.
 */
#ifndef TAC_VIEW_WINDOW_H
#define TAC_VIEW_WINDOW_H

#include "model/lod.h"
#include "view/geometry.h"
#include "view/layoutRows.h"
#include "view/scale.h"

struct tacSheet;

typedef struct tacWindowRow {      /* one row of the trace, in the user's order; hidden ones are in the list too */
    uint32_t row;                  /* index into tacWindow.rows.rows */
    uint32_t key;                  /* id in tacWindow.keys, or TAC_NONE: not made yet, see tacWindowKey */
    uint32_t group;                /* index into tacWindow.groups, or TAC_NONE */
    bool hidden, pinned, filtered; /* filtered: its name does not match the filter */
    bool empty;                    /* it has nothing in the range that tacWindowLeaveOut was called with */
    float factor;                  /* of its natural height: 1 */
    float top, bottom; /* points: within the content of its part, before scrolling; equal when it is not shown */
} tacWindowRow;

typedef struct tacWindowGroup {
    uint32_t name;          /* id in tacWindow.keys */
    uint32_t label;         /* the same of what is shown: in a panel, the name without the processor */
    uint32_t parent;        /* index of the group that it lies in, or TAC_NONE */
    bool byItself;          /* made of what the trace says */
    bool isProcessor;       /* the panel of a processor */
    bool folded;            /* only its heading is shown, with a band of its members */
    bool atEnd;             /* it stands behind all others */
    bool chosen;            /* the user folded it, or unfolded it */
    bool ruled;             /* a rule above its heading says that other rows end there */
    uint32_t first, end;    /* places of its rows in `order` */
    float top, bar, bottom; /* of its heading; bar: upper edge of its band; top and bottom are equal when it has none */
} tacWindowGroup;

/* Arrangement of a row that the trace does not have (any more); it holds again when the trace gets the row. */
typedef struct tacKeptRow {
    uint32_t key, group; /* ids in tacWindow.keys; group TAC_NONE: in none */
    bool hidden, pinned;
    float factor;
} tacKeptRow;

typedef enum tacPart { TAC_PART_PINNED, TAC_PART_ROWS, TAC_PART_AXIS, TAC_PARTS } tacPart;

typedef struct tacWindow {
    const tacTrace *trace;
    tacGroupBy groupBy; /* to be set before they are arranged */
    tacFigureRows rows; /* listed once for trace, mode, patterns */
    TAC_ARRAY(tacWindowRow) order;
    TAC_ARRAY(tacWindowGroup) groups;
    TAC_ARRAY(tacKeptRow) kept; /* in the order they were arranged in */
    tacInternTable keys;
    float pinnedHeight, contentHeight; /* points: of all pinned rows; of all others */
    struct tacWindowCache *cache;      /* kept between frames (view/windowPart.h) */
} tacWindow;

typedef struct tacFrame { /* one drawn frame */
    tacDisplay parts[TAC_PARTS];
    tacBox boxes[TAC_PARTS]; /* their visible places, points */
    tacScale scale;          /* time to x */
    float left, right;       /* of the plot: x of figure->from and figure->to */
    bool unfinished;         /* the budget was not enough: another frame of the same view shows more */
    float scroll;            /* points; as asked for, or less when there is less content */
    uint32_t paper, ink;     /* colours: the background that the parts are drawn on, and text on it */
    tacMeasure measure;      /* the one it was drawn with */
} tacFrame;

/*
 * Begins to list the rows of a trace for the figure's mode and order, whatever its time range and size, and goes on for
 * about so many milliseconds, until *done; trace NULL: forgets those there are. Errors, after which no trace is listed:
 * MEMORY, FIGURE ROWS, FIGURE OPTION. The window is zeroed before its first listing. Until it is done the trace and
 * what the figure points to are to stay.
 */
tacStatus tacWindowList(tacWindow *window, const tacTrace *trace, const tacFigure *figure, tacError *err);
tacStatus tacWindowListOn(tacWindow *window, double milliseconds, bool *done, tacError *err);

/*
 * Makes keys of rows, for about so many milliseconds, where the arrangement of all rows is kept by them: before another
 * listing, which would make them at once, and between a listing and its arranging. *done: none is missing. Error:
 * MEMORY.
 */
tacStatus tacWindowNeedKeys(tacWindow *window, double milliseconds, bool *done, tacError *err);

void tacWindowFree(tacWindow *window);

/* Places the rows; to be called after they were arranged (tacWindowArrange), and after a change of the arrangement, the
 * style or the measure. */
tacStatus tacWindowPlace(tacWindow *window, const tacFigure *figure, const tacMeasure *measure, tacError *err);

/*
 * Draws the figure's range [from, to] (both given) into figure->width x figure->height points, rows scrolled by
 * `scroll`. figure->detail is a pixel, figure->quick is set. The frame is initialized by tacFrameInit and may be used
 * again and again. A trace without rows or events gives an empty frame, not an error.
 */
tacStatus tacWindowDraw(tacWindow *window, const tacFigure *figure, const tacMeasure *measure, float scroll,
    tacFrame *frame, tacError *err);
void tacFrameInit(tacFrame *frame);
void tacFrameFree(tacFrame *frame);

/* Adds what a frame shows to an empty sheet (view/sheet.h), in points of the window. False: no memory. */
bool tacFrameSheet(const tacFrame *frame, struct tacSheet *sheet);

/* Adds what a display shows to a sheet. */
void tacDisplaySheet(struct tacSheet *sheet, const tacDisplay *display);

/* Width in points that the labels want for themselves, whatever figure->labelWidth; after a drawing. */
float tacWindowLabels(const tacWindow *window);

/* The item at a place, or the nearest within `slack` points of it (view/windowFind.c); NULL: none. */
const tacItem *tacFrameItem(const tacFrame *frame, float x, float y, float slack);
/* The row at a height; NULL: none. */
tacWindowRow *tacFrameRow(const tacWindow *window, const tacFrame *frame, float y);
/* The box of a row in the window, points, which may be out of sight; false: the row is not shown. */
bool tacFrameRowBox(const tacWindow *window, const tacFrame *frame, const tacWindowRow *row, tacBox *box);
/* The same, or the band of the folded group in which the row lies. */
bool tacFrameSeenBox(const tacWindow *window, const tacFrame *frame, const tacWindowRow *row, tacBox *box);

/*
 * Restoring an arrangement that was saved: from the next tacWindowArrange on rows are arranged as these say, by keys
 * and names of groups that are ids in tacWindow.keys; a key of which there is no row stays in `kept`. ordered: the rows
 * stand in this order, and others behind the one that they naturally follow. The array, made by tacAlloc, is the
 * window's from now on. False: no memory.
 */
bool tacWindowKeep(tacWindow *window, tacKeptRow *rows, size_t count, bool ordered);
void tacWindowReset(tacWindow *window);          /* natural order, nothing hidden, pinned, grouped or kept */
bool tacWindowArranged(const tacWindow *window); /* has the user arranged anything? */
bool tacWindowMoved(const tacWindow *window);    /* is the order of the rows the user's? */

/* ---- arranging; each is followed by tacWindowPlace; false: no such row or group, or no memory ---- */

/* Id of the key of a row in `order`, made now if it was not yet; TAC_NONE: no memory. */
uint32_t tacWindowKey(tacWindow *window, const tacWindowRow *row);
/* Writes the key of a row, which need not have been made. */
void tacWindowKeyText(const tacWindow *window, const tacWindowRow *row, tacText *text);
/* The row of a key; NULL: none. */
tacWindowRow *tacWindowRowOf(const tacWindow *window, const char *key, size_t length);
/* The group of the user that a row is in, or TAC_NONE. */
uint32_t tacWindowOwnGroup(const tacWindow *window, const tacWindowRow *row);
/* Index of the group of this name, or TAC_NONE. */
uint32_t tacWindowGroupOf(const tacWindow *window, const char *name, size_t length);
/*
 * Moves a row to before another one (places in `order`; order.count: to the end). Moved between two rows of a group it
 * joins the group; moved away from its group it leaves it.
 */
bool tacWindowMove(tacWindow *window, uint32_t place, uint32_t before);
/* Makes a group of the rows at these places and moves them together; with count 0 dissolves the group. */
bool tacWindowMakeGroup(tacWindow *window, const char *name, size_t length, const uint32_t *places, size_t count);
/* Shows rows whose id or name fits the pattern of * and ?; a pattern without either may fit anywhere. NULL, "": all. */
void tacWindowFilter(tacWindow *window, const char *pattern);
/* Folds a group of this name, or unfolds it, also one that the trace does not have yet. False: no memory. */
bool tacWindowFold(tacWindow *window, const char *name, size_t length, bool folded);

typedef struct tacGroupColumn { /* the column of the band of a group: exact sums over its rows, or over the first ones
                                 */
    tacBandColumn column;
    uint32_t busiest; /* the task that runs longest in it, or TAC_NONE */
    int64_t most;     /* ticks that it runs */
    bool outcomes;    /* late is wanted: to be set before */
    int64_t late;     /* ticks that late jobs run; TAC_UNKNOWN: not of all rows, or not wanted */
    uint32_t next;    /* place in `order` of the next row; 0 at first */
} tacGroupColumn;
/* Sums up rows, as many as take `effort`: 1 for one that has nothing there, TAC_COLUMN_EFFORT for any other. True: it
 * is complete. */
enum { TAC_COLUMN_EFFORT = 16 };
bool tacWindowGroupColumn(
    const tacWindow *window, uint32_t group, int64_t from, int64_t to, uint32_t effort, tacGroupColumn *sum);

/* Orders of rows. LOAD: those that run longest first; LATENESS: most misses first, then the longest response times
 * compared with their deadlines; LEAST: lowest priority first. */
typedef enum tacRowOrder {
    TAC_ORDER_LOAD,
    TAC_ORDER_LATENESS,
    TAC_ORDER_PRIORITY,
    TAC_ORDER_LEAST,
    TAC_ORDER_NAME,
    TAC_ORDER_DEFINITION
} tacRowOrder;
extern const char *const tacRowOrderWords[];

/* ---- passes over all rows, which take long where these are very many: begun here, made by tacWindowGoOn ---- */

/* Fills `order` and `groups` after a listing, or after a change of groupBy: rows that were arranged before keep their
 * arrangement, after a listing by their keys. Other passes begin again. */
void tacWindowArrange(tacWindow *window);

/* Puts the rows of each group, and those in none, into an order by what they do in [from, to]. */
void tacWindowSort(tacWindow *window, tacRowOrder sort, int64_t from, int64_t to);
/* Leaves out rows that have nothing in [from, to]; wanted false: no row, whatever it has. */
void tacWindowLeaveOut(tacWindow *window, bool wanted, int64_t from, int64_t to);
/* Goes on with what was begun, for about so many milliseconds; *done: nothing is left to do, and then *changed: other
 * rows are left out than before. Error: MEMORY; either the rows stay in the order that they have, or no trace is listed
 * any more. */
tacStatus tacWindowGoOn(tacWindow *window, double milliseconds, bool *done, bool *changed, tacError *err);

typedef struct tacWindowCounts { /* of rows; one that is not shown for several reasons is counted by the first */
    uint32_t rows, shown, hidden, filtered, empty, folded;
} tacWindowCounts;
tacWindowCounts tacWindowCount(const tacWindow *window);

#endif
