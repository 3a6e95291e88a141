/*
 * windowPart.h -- the cache of a window between frames, which the files of a window share.
 *
 *      windowRows.c    the user's arrangement of rows: keys, order, groups, filter, and the memory of rows that are not
 *                      there
 *      window.c        listing a trace's rows and placing them
 *      windowTree.c    groups by themselves, what rows are left out, and their order by what they do
 *      windowDraw.c    a frame: the column of labels, then the three parts
 *      windowFind.c    the item or row at a place of a frame
 *      windowSheet.c   a frame for a file
 */
#ifndef TAC_VIEW_WINDOW_PART_H
#define TAC_VIEW_WINDOW_PART_H

#include "view/layout.h"
#include "view/window.h"

typedef struct tacPlacedRow { /* a row that is not hidden, in order of its part */
    uint32_t row;             /* index into tacWindow.rows.rows */
    float top, bar, bottom;   /* points within the content of its part */
    float stretch;            /* of its heights */
    bool ruled;               /* a rule above it says that a group of other rows ends there */
} tacPlacedRow;

typedef TAC_ARRAY(tacPlacedRow) tacPlacedList;

typedef struct tacRowPass { /* over all rows, some at a time */
    bool begun;
    int64_t from, to; /* the range in which they are looked at */
    uint32_t next;    /* place in tacWindow.order */
} tacRowPass;

typedef enum tacLeft { /* what is left of arranging the listed rows, the last step first */
    TAC_LEFT_NONE,
    TAC_LEFT_MEMBERS, /* the rows of groups for their bands */
    TAC_LEFT_GATHER,  /* the rows of each group together */
    TAC_LEFT_GROUPS,
    TAC_LEFT_KEPT, /* the arrangement in `kept` */
    TAC_LEFT_ORDER /* the array of all rows */
} tacLeft;

typedef enum tacStage { TAC_STAGE_INTERVALS, TAC_STAGE_LABELS, TAC_STAGE_MARKS, TAC_STAGES } tacStage;

typedef struct tacWindowCache {
    tacDrawing d;                       /* style, colours and sets: made by tacWindowPlace */
    bool prepared;                      /* `d` has been made */
    tacPlacedList shown[TAC_PART_AXIS]; /* of pinned and other rows, from top to bottom */
    TAC_ARRAY(uint32_t) placeOf;        /* by row of tacWindow.rows: its place in tacWindow.order */
    TAC_ARRAY(uint32_t) placeOfKey;     /* by id in tacWindow.keys: the place that its row had, or TAC_NONE */
    float labelColumn;                  /* width of the widest label, points */
    double labelsFor;                   /* width of the figure that labelColumn is for, points; NaN: it is not known */
    float fit;                          /* factor of all rows' heights, by which they use the window's */
    float fitFor;                       /* height above the axis that it is for, points; NaN: not known */
    float settled[TAC_STAGES]; /* lowest end of each stage of the axis so far, points: it stays there, so that nothing
                                  jumps */
    tacText pattern;           /* of the filter; empty: none */
    bool moved;                /* the order is the user's */
    bool keyed;                /* all rows have their keys */
    bool fresh;                /* `order` has the rows as they were listed: their arrangement is still in `kept` */
    tacLeft left;
    TAC_ARRAY(tacMember) members; /* by place in tacWindow.order */
    tacRowPass sorting, leaving;
    tacRowOrder sortBy;
    struct tacSorted *sorted; /* by place: what the rows before sorting.next are sorted by */
    bool leavesOut;           /* else all rows are to be shown, whatever they have */
    bool leftOther;           /* other rows are left out than before */
} tacWindowCache;

/* window.c */
/* Makes the cache if there is none; false: no memory. */
bool tacWindowReady(tacWindow *window);
/* Arranges rows that were listed by somebody else; false: no memory. */
bool tacWindowArrangeAll(tacWindow *window);

/* Makes the rows so high that they use a height, points; false: no memory. */
bool tacWindowFit(tacWindow *window, float height);

/* windowRows.c */
/* Fills `order` with all rows in natural order; false: no memory. */
bool tacWindowFill(tacWindow *window);
/* Gives them the arrangement and the places that `kept` has for them; false: no memory. */
bool tacWindowTakeKept(tacWindow *window);
/* Groups rows, which stand in their natural order where the user gave them none, and filters them; false: no memory. */
bool tacWindowGroupRows(tacWindow *window);
/* Moves the arrangement of all rows to `kept`; false: no memory, and nothing is changed. */
bool tacWindowKeepAll(tacWindow *window);
/* Is the row neither hidden, filtered nor folded? */
bool tacWindowShows(const tacWindow *window, const tacWindowRow *row);

/* windowTree.c */
/* Groups rows by what the trace says. False: no memory. */
bool tacWindowTree(tacWindow *window);
/* Brings the rows of each group together, at the place of the first of them, where other rows or groups came or rows
 * were put into another order. False: no memory. */
bool tacWindowGather(tacWindow *window);
/* Notes the rows of groups for their bands, until a time, or all: *done. False: no memory. */
bool tacWindowMembers(tacWindow *window, double until, bool *done);
/* All three, at once. */
bool tacWindowRegroup(tacWindow *window);
/* Goes on with sorting the rows or else with leaving some out, until a time; false: no memory. */
bool tacWindowPass(tacWindow *window, double until);
/* Begins the passes again, with rows that were listed or arranged anew. */
void tacWindowPassAgain(tacWindowCache *cache);

/* windowDraw.c */
float tacWindowHeadingHeight(const tacDrawing *d); /* of the line with a group's name */

#endif
