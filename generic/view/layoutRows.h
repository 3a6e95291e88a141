/*
 * layoutRows.h -- the rows of a figure or window, their order and their places: worked out once, then drawn often.
 *
 * tacFigureRowsList looks at the whole recording (which task has something on which processor, which jobs overlap) and
 * does not depend on the range of time or the size; tacFigureRowsPlace gives the rows their heights and is cheap.
 * Drawing a row (layout.h) looks only at the visible range.
 */
#ifndef TAC_VIEW_LAYOUT_ROWS_H
#define TAC_VIEW_LAYOUT_ROWS_H

#include "view/figure.h"
#include "view/style.h"

typedef enum tacFigureRowKind {
    TAC_FIGURE_ROW_TASK,
    TAC_FIGURE_ROW_PROCESSOR,
    TAC_FIGURE_ROW_SERVER,
    TAC_FIGURE_ROW_GROUP /* a group: in a figure its heading, or folded; in a window folded, and in no list of rows */
} tacFigureRowKind;

typedef struct tacFigureRow {
    uint8_t kind;       /* tacFigureRowKind */
    bool heading;       /* the first row of a processor's panel, with the processor's name above, or of servers */
    bool away;          /* hidden by a window, or in a folded group of a figure: nothing of it is drawn */
    bool namesake;      /* TASK: another task has the same name, so the label shows the id, a number, too */
    bool noted;         /* TASK: it has annotations */
    bool numbered;      /* TASK: its id is a number, as that of a thread */
    bool partial;       /* TASK: the task runs on other processors too; only slices of `processor` belong here */
    uint8_t prefix;     /* bytes at the begin of the name that another row's name has, too */
    uint8_t lanes;      /* jobs that are shown one above the other: at least 1 */
    uint8_t noteLanes;  /* lines of annotations above the arrows */
    uint8_t depth;      /* in how many groups of a figure it lies */
    uint8_t nameLength; /* bytes of its name, at most 255 */
    uint16_t processor; /* TASK, SERVER in a panel: the panel's; else TAC_NO_PROCESSOR */
    uint32_t members;   /* GROUP of a figure: number of the rows behind it that its band sums up; 0: it is open */
    uint32_t owner;     /* index of task, processor or server; GROUP of a figure: id in tacFigureRows.groups */
    uint32_t next;      /* next row of the same task, or TAC_NONE */
    float top;          /* y of the upper end of its room, with the arrows */
    float bar, bottom;  /* y of the bar's (or server panel's) upper and lower edge */
} tacFigureRow;

typedef struct tacFigureRows {
    TAC_ARRAY(tacFigureRow) rows; /* from top to bottom; servers last, in a panel those of its processor */
    tacProcessorsMode mode;       /* never AUTO */
    uint32_t nTasks;
    uint32_t *rowOfTask;     /* by task: its first row or TAC_NONE */
    const tacFigureRow *all; /* of a page: the rows of all pages; else NULL */
    size_t nAll;
    uint32_t *allOfTask;      /* the same as rowOfTask for `all` */
    float labels, labelsFor;  /* width of the column of names of `all`, points, and the stretch for which it is that */
    uint8_t *laneOfJob;       /* by job of the model; NULL: all in lane 0 */
    uint8_t **laneOfRun;      /* by processor of the model, then by run; NULL or an element NULL: all in lane 0 */
    uint32_t nProcessors;     /* of the model */
    uint32_t *rowOfProcessor; /* COLLAPSED, by processor of the model: its row or TAC_NONE; else NULL */
    uint16_t *soleProcessor; /* COLLAPSED, by task: the only processor where it has something, or TAC_NO_PROCESSOR; else
                                NULL */
    bool grouped;            /* by the figure: processors have headings of their own */
    tacInternTable groups;   /* names of the groups of a figure */
    size_t most;             /* greatest number of rows */
    uint32_t leftOut;        /* rows beyond that */
    uint32_t empty;          /* tasks, processors and servers left out since they have nothing in the figure's range */
    float bottom;            /* y below the last row */
    struct tacFigureListing *listing; /* what is still to be done, or NULL: they are listed */
} tacFigureRows;

enum { TAC_FIGURE_ROWS_MAX = 1000, TAC_LISTED_MAX = 100000 };

/* Lists at most `most` rows (for a figure TAC_FIGURE_ROWS_MAX). Errors, after which none is listed: MEMORY, FIGURE
 * ROWS, FIGURE OPTION. */
tacStatus tacFigureRowsList(
    tacFigureRows *rows, const tacModel *model, const tacFigure *figure, size_t most, tacError *err);
/* The same in steps: begins it, and goes on until a time (tacLayoutClock), or *done. Until then the model and what the
 * figure points to are to stay, and nothing else may be done with the rows but to free them. */
tacStatus tacFigureRowsBegin(
    tacFigureRows *rows, const tacModel *model, const tacFigure *figure, size_t most, tacError *err);
tacStatus tacFigureRowsGoOn(tacFigureRows *rows, double until, bool *done, tacError *err);
/* Notes that pages will have parts of these rows, a copy of the listed ones: what stands in one row of a task, as its
 * arrows, stands on one page then. False: no memory. */
bool tacFigureRowsWhole(tacFigureRows *rows, tacFigureRow *all);
/* Takes rows of a list [first, end), with the headings of the groups in which the first one lies, for a page; returns
 * how many headings were added. There is room for them if the list was that of these rows. */
size_t tacFigureRowsPart(tacFigureRows *rows, const tacFigureRow *list, size_t first, size_t end);
/* Is it a heading of a group whose rows follow? */
static inline bool tacFigureRowIsHeading(const tacFigureRow *row) {
    return row->kind == TAC_FIGURE_ROW_GROUP && !row->members;
}
void tacFigureRowsFree(tacFigureRows *rows);

/* Places the rows from y = top downwards; `stretch` scales their heights. noteHeight: of a line of annotations, points;
 * labelSize: of the text of names, points. */
void tacFigureRowsPlace(tacFigureRows *rows, const tacStyle *style, const tacFigure *figure, float top, float stretch,
    float noteHeight, float labelSize);

/* Places one row from y = top downwards, with the lanes, annotations and heading it has. */
void tacFigureRowPlace(tacFigureRow *row, const tacStyle *style, const tacFigure *figure, float top, float stretch,
    float noteHeight, float labelSize);
/* The upper end of a row below another one that ends at y, behind a margin. */
float tacFigureRowBelow(const tacFigureRow *row, const tacStyle *style, float stretch, float y);
/* The thing that a row shows: its kind as a word ("task", "processor", "server") and as a reference, its id and name.
 */
extern const char *const tacFigureRowKinds[];
extern const tacRefKind tacFigureRowRefs[];
const char *tacFigureRowId(const tacModel *model, const tacFigureRow *row);
const char *tacFigureRowName(const tacModel *model, const tacFigureRow *row);

/* Has a row something to show in [from, to]? */
bool tacFigureRowWithin(const tacModel *model, const tacFigureRow *row, int64_t from, int64_t to);

/* Does the text fit a pattern in which * is any text and ? one byte? fold: letters of ASCII match in either case. */
bool tacWildcardMatch(const char *pattern, const char *text, bool fold);

/* The row that shows the task on this processor (any, when rows are not by processor); if it has none there, its first
 * one. NULL: none, away, or on another page. */
tacFigureRow *tacFigureRowsFind(const tacFigureRows *rows, uint32_t task, uint16_t processor);
/* Is the row in a part of the list that has a heading: a processor's panel, or servers below panels? */
bool tacFigureRowInPart(const tacFigureRows *rows, const tacFigureRow *row);
/* Is it the first row of its task, on whatever page? */
bool tacFigureRowIsFirst(const tacFigureRows *rows, const tacFigureRow *row);

/* Groups the listed rows of a figure as it wants (layoutGroups.c); at most `most` are not folded. False: no memory. */
bool tacFigureRowsGroup(tacFigureRows *rows, const tacTrace *trace, const tacFigure *figure, size_t most);

enum { TAC_LANES_MAX = 255 };

typedef struct tacLaneWork {     /* finding lanes, as far as it has come: zeroed at first */
    uint32_t owner;              /* the task that is looked at, or the row behind all tasks */
    bool taking;                 /* the ends of its jobs are known */
    size_t next;                 /* its next slice or run */
    int64_t *ends;               /* by job: when its last slice ends */
    int64_t free[TAC_LANES_MAX]; /* by lane: when it is free again */
    int n;                       /* lanes of the owner so far */
} tacLaneWork;
void tacLaneWorkFree(tacLaneWork *work);

/* Finds the lanes of listed rows until a time (layoutLanes.c); *done: of all. False: no memory. */
bool tacFigureRowsLanes(tacFigureRows *rows, const tacModel *model, tacLaneWork *work, double until, bool *done);

/* How many of n rows, of which the first `fits` fit onto a page with so many points for rows, stand on it
 * (layoutPages.c). */
size_t tacFigureRowsShare(const tacFigureRow *rows, size_t n, size_t fits, float height);

/* Finds what names of rows have in common (layoutPrefix.c); false: no memory. */
bool tacFigureRowsPrefixes(tacFigureRows *rows, const tacModel *model);

/* Length of the begin of a name up to the last blank or joining character of its first n bytes; 0: there is none, or it
 * is too short to be left out. */
uint8_t tacPrefixJoint(const char *name, size_t n);

/* Is it the id of a thread: its number, which ends in /2 when used again? */
bool tacIsNumbered(const char *id);

/* Is this id hidden by the trace's `ignore`? */
bool tacIgnored(const tacStore *store, const char *id);

#endif
