/*
 * layout.h -- the drawing in progress, which the parts of layout share, and their common helpers.
 *
 * layout.c prepares a tacDrawing (style, rows, scale) and calls the parts, from top to bottom: each draws its concept
 * into the display and moves `y` below it. Parts of a row look only at the visible range, and the time they take
 * depends on its width, not on the number of events: dense stretches become merged marks (TAC_REF_MERGED) that count
 * things.
 *
 * Nothing here fails by itself: a lack of memory sets display->failed, and tacLayout reports it once.
 */
#ifndef TAC_VIEW_LAYOUT_H
#define TAC_VIEW_LAYOUT_H

#include "model/lod.h"
#include "view/layoutRows.h"
#include "view/layoutTiles.h"
#include "view/scale.h"
#include "view/style.h"

/* Things that occurred in the figure, for the legend: bits. */
typedef enum tacSeen {
    TAC_SEEN_ACTIVE = 1,
    TAC_SEEN_CRITICAL = 2,
    TAC_SEEN_PREEMPTED = 4,
    TAC_SEEN_BLOCKED = 8,
    TAC_SEEN_BETWEEN = 16,
    TAC_SEEN_ISR = 32,
    TAC_SEEN_ARRIVAL = 64,
    TAC_SEEN_DEADLINE = 128,
    TAC_SEEN_IGNORED = 256,
    TAC_SEEN_MIGRATION = 512,
    TAC_SEEN_COMPLETION = 1024,
    TAC_SEEN_UNKNOWN = 2048,
    TAC_SEEN_LATE = 4096,
    TAC_SEEN_STRIP = 8192,   /* of arrows too dense to be drawn */
    TAC_SEEN_SYNC = 16384,   /* synchronization messages */
    TAC_SEEN_SWITCH = 32768, /* lines from a job that stops to the next one */
    TAC_SEEN_MET = 65536,    /* coloured by outcome: jobs that met their deadline, and that have none */
    TAC_SEEN_FREE = 131072,
    TAC_SEEN_REST = 262144,     /* tasks that have no part of their own in a processor's band */
    TAC_SEEN_CURVE = 524288,    /* of a budget */
    TAC_SEEN_ENVELOPE = 1048576 /* of a budget's curve that is too dense */
} tacSeen;

/* Messages that look alike, for the legend. */
/* The look that all arrows of a kind have. */
typedef struct tacArrowLook {
    uint32_t ink; /* that of the style, where they have several */
    tacDash dash; /* solid, where they have several */
} tacArrowLook;

typedef struct tacMessageLook {
    uint8_t shape; /* tacShape */
    uint32_t fill;
    uint32_t letter;   /* LETTER: its text in the display */
    char label[120];   /* what their texts begin with alike */
    bool cut;          /* and some go on */
    const char *first; /* the text of the first */
    size_t tail;       /* number of its last bytes with which all texts end, if they do not all are the same */
} tacMessageLook;

enum {
    TAC_MESSAGE_LOOKS = 8,
    TAC_LEGEND_COLORS = 64 /* most colours of running jobs that are counted */
};

enum { TAC_IN_BARS = 1, TAC_IN_BANDS = 2 }; /* where a task is seen; in bands and very thin bars it has no pattern */

typedef struct tacMember { /* a row of a group, and the times between which it may have slices */
    int64_t from, to;
    uint32_t row; /* index into tacFigureRows.rows */
} tacMember;

typedef struct tacDrawing {
    const tacModel *model;
    const tacStore *store;
    const tacClocks *clocks; /* for synchronization messages */
    const tacFigure *figure;
    const tacMeasure *measure;
    tacDisplay *display;
    tacDiag *diag; /* may be NULL */
    tacStyle style;
    tacFigureRows *rows;
    const tacMember *members; /* of the group whose band is drawn, nMembers of them */
    uint32_t nMembers;
    tacTiles *tiles;  /* of a quick figure: sums that are kept; else NULL */
    size_t shareRows; /* number of rows that share the figure's items */
    tacScale scale;
    float width;                 /* of the figure, points */
    float left, right;           /* x of the plot area: times from .. to */
    float labelRight;            /* x of the right end of row labels */
    float labelWidth;            /* widest a row label may be */
    float labelMost;             /* the same for a label and the numbers of a server's axis together */
    float bodyRight;             /* x of the right end of all but a legend at the right */
    float axisRoom;              /* points behind the axis' head, for its last label */
    float top, y;                /* y of the upper end of the rows; of the lower end of the drawing so far */
    float clipTop, clipBottom;   /* y between which lines across rows are drawn */
    float rowsBottom;            /* y of the lower ends of dividers, below rows and interval labels */
    size_t gridFirst, gridEnd;   /* the grid's lines in the display's items: they end at the axis, which comes later */
    size_t linksFirst, linksEnd; /* the lines from row to row in the display's items */
    float labelSize;             /* of row labels: the font size, less where rows are low */
    float ascent, descent;       /* of the label font, points */
    float stretch;               /* factor of all rows' heights */
    bool rtsched;
    double detail;   /* points: narrower things are merged */
    double until;    /* time (tacLayoutClock) after which no more tiles are filled; 0: never */
    bool unfinished; /* some were not */
    uint32_t filled; /* tiles that were not there */
    bool crowded;    /* the row being drawn has so many slices that outlines would hide their colours */
    bool dense;      /* it, or what is near its bar, has so many that outlines of those with hardly a width would be a
                        fence */

    struct tacArrowSpan *arrowSpans; /* by task: when it has arrows (layoutArrows.c); NULL: not made yet */
    uint32_t *taskColors;            /* by task, filled when first asked for (TAC_NO_COLOR: not yet) */
    bool jobColors;                  /* some job may have a colour of its own */
    uint8_t *taskPlaces;             /* by task: its place in the palette or on the ramp (view/palette.h) */
    tacColorBy placesFor;            /* what these places are for; TAC_COLOR_CONVENTION: they are not found yet */
    uint8_t patterns[TAC_PATTERNS];  /* tacPattern: those of tasks told apart by levels of gray, nPatterns of them */
    uint32_t nPatterns;
    uint32_t tasksAlike;  /* tasks for which there was no such look that is theirs alone */
    bool hatched;         /* some of these looks have patterns */
    bool levelsSeen;      /* these looks are numbered by what an earlier round has seen */
    uint32_t *jobIgnored; /* bit set by job id, or NULL: none is hidden */
    uint8_t *tasksHidden; /* by task, or NULL */
    uint32_t seen;        /* tacSeen */
    uint32_t seenInBands; /* those of these states that are in density bands, whose colours are not always those of bars
                           */
    uint32_t seenInBars;  /* those that are in bars with the colours and patterns of these */
    uint32_t beforeInBands, beforeInBars;    /* the same of pages before */
    uint32_t several;                        /* those of which a sign may stand for several */
    uint32_t leftOut;                        /* those of which some are not drawn, where they are dense */
    tacArrowLook arrival, ignored, deadline; /* of arrows that are seen */
    uint32_t groupColors[TAC_LEGEND_COLORS]; /* of what runs in the bands of groups */
    int nGroupColors;
    uint32_t groundBar, groundInk, ground; /* of the hold that was drawn last (layoutHolds.c), since most are alike */
    uint8_t *tasksSeen;                    /* by task: TAC_IN_BARS, TAC_IN_BANDS */
    uint8_t *mutexesSeen, *semaphoresSeen; /* by index: occurred */
    bool marksSeen[TAC_MARK_KINDS];
    bool markTicks;    /* they are ticks */
    bool ticksSeveral; /* of which some stand for several */
    bool marksLeftOut; /* of those that are no ticks some have no room */
    tacMessageLook messages[TAC_MESSAGE_LOOKS];
    int messageLooks;       /* how many there are; TAC_MESSAGE_LOOKS + 1: more */
    uint32_t labelsLeftOut; /* labels of intervals for which there was no room */
} tacDrawing;

/* ---- the drawing as a whole (layout.c): for figures and windows ---- */

/* Makes the lists by task, job, mutex and semaphore; false: no memory. Freed by tacDrawingFree in either case. */
bool tacDrawingSets(tacDrawing *d);
void tacDrawingFree(tacDrawing *d);
/* Places the columns of labels, plot and legend; points. */
void tacPlaceColumns(tacDrawing *d, int64_t from, int64_t to, float legendWidth, float labelColumn);
void tacSetLabelMost(tacDrawing *d);                    /* sets the greatest width of row labels */
float tacNoteHeight(const tacDrawing *d);               /* of a line of annotations */
float tacLabelSize(const tacDrawing *d, float stretch); /* of names of rows that are stretched so */
void tacDrawRow(tacDrawing *d, const tacFigureRow *row);
void tacDrawLinks(tacDrawing *d); /* the lines from row to row that the figure shows */

/* ---- helpers (layoutItems.c) ---- */

typedef struct tacRef { /* the thing that an item shows */
    tacRefKind kind;
    uint32_t owner, index, count; /* as in tacItem; count: of merged things */
} tacRef;

float tacTextWidth(const tacDrawing *d, const char *text, float size, bool bold);
/* Black or white, as can be read on a colour; paper and ink of the theme would be too alike on some. */
static inline uint32_t tacInkOn(uint32_t fill) { return tacColorContrast(fill, 0x000000) >= 4.5 ? 0x000000 : 0xFFFFFF; }
/* Adds a text whose line's middle (or baseline) is at y. NULL without memory. */
tacItem *tacAddText(
    tacDrawing *d, const char *text, float x, float y, tacAnchor anchor, float size, uint32_t ink, tacRef ref);
/* Adds the text cut to the width with an ellipsis; nothing when not even two characters fit. */
tacItem *tacAddFitting(tacDrawing *d, const char *text, float x, float y, float width, tacAnchor anchor, float size,
    uint32_t ink, tacRef ref);
/* Writes the text, cut to the width with an ellipsis, into `out`; false: not even two characters fit. */
bool tacCutText(const tacDrawing *d, const char *text, float width, float size, bool bold, char *out, size_t outSize);
enum { TAC_LINES_MOST = 3 };
/* A name on one line, or on a few when it is long and there is room. */
typedef struct tacLines {
    char text[TAC_LINES_MOST][256];
    int n;
    float width; /* of the widest, points */
} tacLines;
/* Fills up to `most` lines of this width; the last takes the rest, cut if need be. True: nothing was cut. */
bool tacFillLines(const tacDrawing *d, const char *text, float width, int most, float size, tacLines *lines);
tacItem *tacAddLine(
    tacDrawing *d, tacLayer layer, float x0, float y0, float x1, float y1, float width, uint32_t ink, tacRef ref);
tacItem *tacAddRect(tacDrawing *d, tacLayer layer, float x0, float y0, float x1, float y1, uint32_t fill, tacRef ref);

/* First place in a list of rows of the store, ascending by time, whose time is at or after `time`; or after it. */
size_t tacListFind(const tacStore *store, const uint32_t *rows, size_t n, int64_t time);
size_t tacListFindAfter(const tacStore *store, const uint32_t *rows, size_t n, int64_t time);
/* End of the group that begins at `at`: the first place behind it whose time lies `distance` points or more to the
 * right. Found quickly for groups that are short compared with the list. */
size_t tacListGroup(const tacDrawing *d, const uint32_t *rows, size_t n, size_t at, double distance);

float tacX(const tacDrawing *d, int64_t time);
/* Strength of lines and arrows that stand `distance` points apart: 1 where one sees each, 0 where they would be a
 * fence.
 */
double tacFade(const tacDrawing *d, double distance);
/* A place beside others, and how many things stand there. */
typedef struct tacCrowdPlace {
    float x, count;
} tacCrowdPlace;
/* The mean distance of things around place i of n ascending ones. */
double tacCrowdDistance(const tacDrawing *d, const tacCrowdPlace *places, size_t n, size_t i);
bool tacVisible(const tacDrawing *d, int64_t begin, int64_t end); /* is some of the stretch in the range? */
/* Has the task nothing to show in a processor's row, since it is hidden or runs on another processor only? */
bool tacNotInRow(const tacDrawing *d, const tacFigureRow *row, uint32_t task);
bool tacJobHidden(const tacDrawing *d, uint32_t jobId);
/* The same by index in the model's jobs, which are not looked at when none is hidden. */
bool tacJobIndexHidden(const tacDrawing *d, uint32_t job);
uint32_t tacTaskColor(tacDrawing *d, uint32_t task); /* layoutColor.c: of its running time, where slices merge */
uint32_t tacRowColor(tacDrawing *d, const tacFigureRow *row, uint32_t task); /* the same, in one of its rows */
/* Numbers the tasks that run, for levels of gray and patterns, before anything is drawn. */
void tacFindLevels(tacDrawing *d);
/* Would numbering by what the drawing shows tell more tasks apart? It is drawn once more then. */
bool tacLevelsWanted(const tacDrawing *d);
/* The pattern of a task's running time in this colour, and its ink: in gray it tells apart what colours do. */
tacPattern tacRunPattern(const tacDrawing *d, uint32_t task, uint32_t fill, uint32_t *ink);
/* The word for the pattern that the trace gives a task, or NULL: it gives none, or levels of gray take its place. */
const char *tacOwnPattern(const tacDrawing *d, uint32_t task);
uint32_t tacSliceColor(tacDrawing *d, uint32_t task, const tacSlice *slice); /* of one slice that runs */
uint32_t tacProcessorColor(const tacDrawing *d, uint32_t processor);
uint32_t tacRampColor(const tacDrawing *d, uint32_t rank); /* of a rank of priorities */
uint32_t tacOutcomeColor(const tacDrawing *d, tacJobOutcome outcome);
uint32_t tacSeenOutcome(tacJobOutcome outcome); /* its tacSeen */
uint32_t tacRestColor(const tacDrawing *d);     /* of tasks that have no part of their own in a processor's band */
static inline bool tacShows(const tacDrawing *d, tacShow layer) { return d->style.layers & layer; }
/* y of a lane within the bar of its row; lane 0 stands on the baseline. */
static inline void tacLaneEdges(const tacFigureRow *row, uint8_t lane, float *top, float *bottom) {
    float height = (row->bottom - row->bar) / (float) row->lanes, gap = row->lanes > 1 && height > 4 ? 0.75f : 0;
    *bottom = row->bottom - height * (float) lane;
    *top = *bottom - height + gap;
}

/* ---- a view in tiles (layoutItems.c) ---- */

typedef struct tacTiled { /* the bins that a quick figure shows */
    tacTileKey key;       /* of the tile at hand */
    int64_t first, end;   /* bins */
    double x;             /* points: left edge of the first bin, which may lie left of the plot */
    double width;         /* points: of a bin */
} tacTiled;

/* The bins of the figure, each at most `width` points wide. The key says what they show; index and level are set. */
tacTiled tacTiledOf(const tacDrawing *d, double width, tacTileKey key);
double tacLayoutClock(void); /* milliseconds */
/* Is there no time to sum up anything more, as much as a tile has? Notes that the drawing is not finished then. */
bool tacLayoutLate(tacDrawing *d);
/*
 * The tile with bin *at, and its bins [from, to) that belong to the figure; moves *at behind them. *fresh: the tile
 * must be filled, for view->key. NULL: no memory, or no time to fill it; or, if size is 0 and it is fresh, the caller
 * is to add it.
 */
void *tacTiledNext(tacDrawing *d, tacTiled *view, int64_t *at, size_t size, int *from, int *to, bool *fresh);
/* The place of a share (0 .. 1) of a bin, within the plot. */
static inline double tacTiledX(const tacScale *scale, const tacTiled *view, int64_t bin, double share) {
    double x = view->x + ((double) (bin - view->first) + share) * view->width;
    return x < scale->x0 ? scale->x0 : x > scale->x1 ? scale->x1 : x;
}

/* ---- density bands (layoutBand.c) ---- */

enum {
    /* Parts of a column, from the baseline up: what runs, by what it is told apart (tacShares), the rest of what runs,
     * other states. */
    TAC_BAND_REST = TAC_LOD_TASKS,
    TAC_BAND_BETWEEN,
    TAC_BAND_PREEMPTED,
    TAC_BAND_BLOCKED,
    TAC_BAND_UNKNOWN,
    TAC_BAND_PARTS,
    TAC_BAND_ROOM = 16,    /* the same, rounded up for adding four by four */
    TAC_COLUMN_PIXELS = 2, /* of a window: a column is at most so wide, and wider than half of it */
    TAC_BAR_PIXELS = 3     /* narrower slices become columns */
};
#define TAC_BAND_MANY (TAC_NONE - 1)
enum { /* index of a band's items: the processor of a row of slices there, or one of these */
    TAC_BAND_PROCESSOR = TAC_NO_PROCESSOR + 1,
    TAC_BAND_GROUP
};

typedef struct tacBandBin { /* a column */
    uint16_t parts[TAC_BAND_ROOM];
    uint32_t wide;   /* the slice (or run) under way at its begin, if that may be wide enough for a bar, or TAC_NONE */
    uint32_t single; /* the only slice in it; TAC_BAND_MANY; TAC_NONE */
} tacBandBin;

/* What the time that runs in a row is told apart by. */
typedef enum tacShareOf { TAC_SHARE_NONE, TAC_SHARE_TASK, TAC_SHARE_PROCESSOR, TAC_SHARE_OUTCOME } tacShareOf;

typedef struct tacShares {
    tacShareOf of;
    bool chosen;                    /* tasks are not those that run longest in the whole trace, which are summed up */
    uint32_t n;                     /* number of parts */
    uint32_t values[TAC_LOD_TASKS]; /* by part: the task, processor or tacJobOutcome */
} tacShares;

typedef struct tacBand { /* columns of a row over the range, or one segment of it */
    tacDrawing *d;
    const tacFigureRow *row;
    tacShares shares;
    uint32_t n;
    tacBandBin *bins;
    uint64_t *touched; /* after tacBandClear a bit for each column that something was added to: others are empty, and
                          their bins have nothing; else NULL */
    tacTiled view;     /* in a window: the columns are these bins */
    const tacSegment *segment; /* elsewhere: its n equal parts */
} tacBand;

/* Make columns, to be filled or cleared; freed by tacBandFree. False: no memory. */
bool tacBandTiled(tacDrawing *d, const tacFigureRow *row, tacBand *c);
bool tacBandOf(tacDrawing *d, const tacFigureRow *row, const tacSegment *segment, uint32_t n, tacBand *c);
uint32_t tacBandColumns(const tacDrawing *d, const tacSegment *segment); /* layoutBars.c: of a segment in a file */
void tacBandFree(tacBand *c);
void tacBandClear(tacBand *c);
void tacBandFill(tacBand *c);                                                      /* from the model's sums */
void tacBandAdd(tacBand *c, const tacSlice *slice, uint32_t task, uint32_t index); /* or slice by slice */
/* Takes slices that are at least so wide (points) out of columns that were filled from sums, and calls `draw` with
 * each. */
typedef void tacWideProc(void *data, const tacSlice *slice, uint32_t index);
void tacBandTakeWide(tacBand *c, double least, tacWideProc *draw, void *data);
/* The same for single slices among others that are so many points apart, on an average. */
void tacBandTakeLone(tacBand *c, double gap, tacWideProc *draw, void *data);
void tacBandDraw(const tacBand *c, float top, float bottom);
/* Bins of a row's slices or runs; of the members of a group together. Those of a server are empty. */
void tacFigureRowBins(
    const tacModel *model, const tacFigureRow *row, int64_t from, int64_t to, uint32_t n, tacBin *bins);
/* ---- the time that runs in bands (layoutShares.c) ---- */

tacShares tacSharesOf(const tacDrawing *d, const tacFigureRow *row);
/* The same in a file: of a processor those tasks that run longest in the figure. */
tacShares tacSharesWithin(tacDrawing *d, const tacFigureRow *row);
/* Makes what shares of a row, or of a group's members, need. False: there is no time for it in this frame. */
bool tacSharesReady(tacDrawing *d, const tacFigureRow *row, const tacShares *shares);
/* Sets tacBin.parts of bins, TAC_TILE_BINS at most, that tacFigureRowBins has filled for the row. */
void tacShareBins(const tacDrawing *d, const tacFigureRow *row, const tacShares *shares, int64_t from, int64_t to,
    uint32_t n, tacBin *bins);
/* Puts a task, of those with these times, among the ones that run longest. */
void tacShareInsert(tacShares *shares, const double *times, uint32_t task);
int tacSharePart(const tacDrawing *d, const tacShares *shares, const tacSlice *slice, uint32_t task); /* that runs */
uint32_t tacShareColor(tacDrawing *d, const tacFigureRow *row, const tacShares *shares, int part);
uint32_t tacShareTone(const tacDrawing *d, const tacShares *shares, uint32_t color); /* of a band, for that of a bar */
/* A row as a member of a group. */
tacMember tacMemberOf(const tacModel *model, const tacFigureRows *rows, uint32_t row);
/* Draws the band of a group, d->members: row says where. */
void tacBandDrawGroup(tacDrawing *d, const tacFigureRow *row);
/* The colour of a state in a band: that of its bars, unless it is the paper's. */
uint32_t tacBandColor(const tacDrawing *d, tacJobState state);
/* The range of the column of a window that a time is in; detail: points of a pixel. */
void tacBandColumnAt(const tacScale *scale, double detail, int64_t time, int64_t *from, int64_t *to);

/* ---- parts of a row: d->y stays ---- */

float tacLabelWidth(const tacDrawing *d, const tacFigureRow *row); /* layoutLabels.c: room left of the plot, points */
bool tacLabelShort(const tacDrawing *d, const tacFigureRow *row);  /* does its name fit on one line? */
void tacDrawLabel(tacDrawing *d, const tacFigureRow *row);         /* name, heading, baseline */
void tacDrawBars(tacDrawing *d, const tacFigureRow *row);          /* layoutBars.c */
typedef struct tacStateLook {                                      /* the look of a job's state */
    uint32_t fill, ink;                                            /* ink: of the pattern */
    tacPattern pattern;
    float height; /* share of the bar, from its baseline up */
    bool outline;
} tacStateLook;
tacStateLook tacLookOfState(const tacDrawing *d, tacJobState state);
void tacDrawMisses(tacDrawing *d, const tacFigureRow *row); /* layoutMisses.c */
/* layoutBarText.c: when all else of the row is drawn, from this item of the display on. */
void tacDrawBarTexts(tacDrawing *d, const tacFigureRow *row, size_t first);
void tacDrawHolds(tacDrawing *d, const tacFigureRow *row);       /* layoutHolds.c */
tacPattern tacMutexPattern(const tacDrawing *d, uint32_t mutex); /* of its holds that are in no other */
/* The colour of a bar behind lines of a colour, which would hardly be seen on its own; TAC_NO_COLOR: that one. */
uint32_t tacHoldGround(const tacDrawing *d, uint32_t bar, uint32_t ink);
/* Half of a square that says whose an arrow is, points. */
float tacOwnerHalf(const tacDrawing *d, bool hatched);
void tacDrawArrows(tacDrawing *d, const tacFigureRow *row); /* layoutArrows.c */
/* The processor in whose panel or row an arrow belongs, or TAC_NO_PROCESSOR: that of its event, of its job, of its
 * task.
 */
uint16_t tacArrowProcessor(const tacModel *model, uint32_t task, uint32_t event);
/* The look of all arrows of a kind (TAC_SEEN_ARRIVAL, _IGNORED, _DEADLINE) that were drawn so far. */
tacArrowLook *tacArrowLookOf(tacDrawing *d, uint32_t seen);
/* Does any arrow stand between these places of the task's row? */
bool tacArrowsBetween(const tacDrawing *d, uint32_t task, float left, float right);
uint32_t tacStripColor(const tacDrawing *d, double share);          /* of a strip of arrows; 1: very many */
void tacDrawCompletions(tacDrawing *d, const tacFigureRow *row);    /* layoutCompletions.c */
void tacAddCompletion(tacDrawing *d, float x, float y, tacRef ref); /* one mark, for the legend */
int tacPlanNotes(const tacDrawing *d, const tacFigureRow *row);     /* layoutNotes.c: lines above the arrows */
void tacDrawNotes(tacDrawing *d, const tacFigureRow *row, float noteHeight);
void tacDrawServer(tacDrawing *d, const tacFigureRow *row);             /* layoutServer.c */
bool tacServerConsumes(const tacDrawing *d, uint32_t server);           /* else it is a graph of some other number */
uint32_t tacBudgetFill(const tacDrawing *d);                            /* of curves that are too dense */
float tacServerAxisWidth(const tacDrawing *d, const tacFigureRow *row); /* of its numbers left of the plot, points */

/* layoutGroups.c: a group of a figure, its band or its heading; its name, which may be made in `buffer` */
void tacDrawGroup(tacDrawing *d, const tacFigureRow *row);
void tacDrawGroupRule(tacDrawing *d, const tacFigureRow *row); /* over the first row behind a group */
/* Adds paper behind a group's name of d->labelSize at x, y that reaches into the plot, over the lines there; dividers
 * leave it out. */
void tacDrawGroupPaper(tacDrawing *d, const char *name, bool bold, float x, float y, tacRef ref);
const char *tacGroupName(const tacDrawing *d, const tacFigureRow *row, char *buffer, size_t size);

/* ---- parts of the figure: d->y moves below what they draw ---- */

void tacDrawSwitches(tacDrawing *d);        /* layoutSwitches.c: preemption lines, migrations */
void tacDrawPanelMigrations(tacDrawing *d); /* layoutMigrations.c: of the expanded view */
/* layoutSyncs.c: synchronization messages, as arrows from processor to processor; and the rows [*rows, *rows + n) of
 * those that are marks under the axis. *own is to be freed; NULL: no list of its own was made. */
void tacDrawSyncs(tacDrawing *d);
size_t tacSyncMarks(tacDrawing *d, const uint32_t **rows, uint32_t **own);
void tacDrawLabels(tacDrawing *d);    /* layoutLabels.c: of all rows */
void tacDrawIntervals(tacDrawing *d); /* layoutIntervals.c: dividers from d->top on, and their labels */
/* Draws dividers without labels down to `bottom`, across the rows that are drawn. */
void tacDrawDividers(tacDrawing *d, float bottom);
void tacDrawGrid(tacDrawing *d); /* layoutAxis.c */
void tacDrawAxis(tacDrawing *d); /* with the grid's lower end, and breaks */
/* A time as the axis tells it, before its scale: since the figure's origin. */
int64_t tacSinceOrigin(const tacDrawing *d, int64_t time);
float tacAxisRightRoom(const tacDrawing *d); /* of arrow head and unit right of the plot, points */
float tacAxisOverhang(const tacDrawing *d);  /* points that the axis' last label has not enough room at the right */
/* layoutBreaks.c: finds the idle gaps of a range that are worth cutting, at most `most`; returns their number. */
int tacFindGaps(const tacDrawing *d, int64_t from, int64_t to, tacGap *gaps, int most);
void tacDrawBreaks(tacDrawing *d); /* with d->y at the axis' line */
void tacDrawMarks(tacDrawing *d);  /* layoutMarks.c */
/* The colour of ticks that stand for marks of a colour; shades of gray cannot be told apart in what is so thin. */
uint32_t tacTickInk(const tacDrawing *d, uint32_t color);
void tacDrawBuffers(tacDrawing *d); /* layoutBuffers.c */
/* layoutLegend.c: draws the legend of what was drawn before, in the column [x0, x1] from y down; returns its height. */
float tacDrawLegend(tacDrawing *d, float x0, float x1, float y);
/* Draws it at the right of the figure, down to `bottom`, and what has no room there in lines below; returns the y of
 * the lower end of both. */
float tacDrawLegendRight(tacDrawing *d, float width, float bottom);
float tacLegendWidth(tacDrawing *d);        /* width of the widest item, points */
void tacLegendRemarks(const tacDrawing *d); /* adds remarks on wanted items that do not exist */

static const float tacEdge = 1.5f; /* points left free at the figure's edges */
static const tacRef tacNoRef = {TAC_REF_NONE, 0, 0, 0};

#endif
