/*
 * figure.h -- the options of a figure, what it shows and how: for `tactus export`, the window and the export dialog.
 */
#ifndef TAC_VIEW_FIGURE_H
#define TAC_VIEW_FIGURE_H

#include "analysis/trace.h"
#include "view/display.h"

typedef enum tacConvention { TAC_CONVENTION_GRASP, TAC_CONVENTION_RTSCHED } tacConvention;
typedef enum tacProcessorsMode {
    TAC_PROCESSORS_AUTO,      /* by the setting plot.tasks; else EXPANDED when several processors have something */
    TAC_PROCESSORS_EXPANDED,  /* a panel for each processor with the rows that have something there */
    TAC_PROCESSORS_COLLAPSED, /* one row a processor */
    TAC_PROCESSORS_NONE       /* one list of tasks, processors not told apart */
} tacProcessorsMode;
typedef enum tacDeadlines {
    TAC_DEADLINES_AUTO, /* ALL in the rtsched convention, as its readers expect, and where a mapping gives them; else
                           EXPLICIT */
    TAC_DEADLINES_EXPLICIT, /* those of the trace's events */
    TAC_DEADLINES_ALL       /* also release + the task's -D, for jobs without an event */
} tacDeadlines;
typedef enum tacColorBy { /* what the colour of a bar says */
    TAC_COLOR_CONVENTION, /* what the trace says; else one colour for all tasks, in rows of processors one for each */
    TAC_COLOR_TASK,       /* the task: its own colour, else one of the palette (view/palette.h) */
    TAC_COLOR_STATE,
    TAC_COLOR_PROCESSOR,
    TAC_COLOR_PRIORITY,
    TAC_COLOR_OUTCOME /* jobs that missed their deadline stand out */
} tacColorBy;
typedef enum tacShow { /* layers of a drawing that can be switched: bits */
    TAC_SHOW_ARROWS = 1,
    TAC_SHOW_DEADLINES = 2,
    TAC_SHOW_MISSES = 4, /* overrun parts of bars */
    TAC_SHOW_PREEMPTIONS = 8,
    TAC_SHOW_MUTEXES = 16,
    TAC_SHOW_ANNOTATIONS = 32,
    TAC_SHOW_CALLS = 64,
    TAC_SHOW_MESSAGES = 128,
    TAC_SHOW_MIGRATIONS = 256,
    TAC_SHOW_PANEL_MIGRATIONS = 512, /* from panel to panel of the expanded view */
    TAC_SHOW_FINDINGS = 1024,
    TAC_SHOW_SYNCS = 2048, /* messages from processor to processor */
    TAC_SHOW_ALL = 4095,
    TAC_SHOW_DEFAULT = TAC_SHOW_ALL & ~(TAC_SHOW_MISSES | TAC_SHOW_PANEL_MIGRATIONS | TAC_SHOW_SYNCS) /* of figures */
} tacShow;
typedef struct tacLayerWord {
    const char *name;
    unsigned bits; /* tacShow */
    const char *help;
} tacLayerWord;
extern const tacLayerWord tacLayerWords[]; /* ends with name NULL */
unsigned tacLayerBits(const char *name);   /* tacShow; 0: no such layer */
/* How rows are grouped by what the trace says (view/windowTree.c). AUTO: threads of a recording of a kernel by PROCESS,
 * else tasks by SERVER where the trace has any. */
typedef enum tacGroupBy {
    TAC_GROUP_NONE,
    TAC_GROUP_AUTO,
    TAC_GROUP_PROCESSOR,
    TAC_GROUP_SERVER,
    TAC_GROUP_PROCESS,
    TAC_GROUP_KIND
} tacGroupBy;
typedef enum tacBarText { TAC_BAR_TEXT_NONE, TAC_BAR_TEXT_JOB, TAC_BAR_TEXT_DURATION } tacBarText;
typedef enum tacLegendMode {
    TAC_LEGEND_NONE,
    TAC_LEGEND_BOTTOM,
    TAC_LEGEND_RIGHT,
    TAC_LEGEND_ALONE /* no word for it: the figure is the legend of what it would show, an item a line */
} tacLegendMode;

typedef struct tacFigure {
    /* ---- what is shown ---- */
    int64_t from, to; /* ticks; TAC_UNKNOWN: begin and end of the recording */
    tacProcessorsMode processors;
    const char *const *rows; /* patterns (* and ?) of ids or names of tasks and servers, or of processors when
                                collapsed; NULL: all that have something */
    bool emptyRows;          /* rows, too, that have nothing in [from, to] and are not named in `rows` */
    const char *order;       /* "priority", "definition", "name", "first" (event); NULL: that of the patterns in `rows`,
                                else priority */
    tacGroupBy groupBy;
    const char *const *fold; /* patterns of names of groups that are one row, a density band of their members; NULL:
                                those that a window folds at first */
    tacDeadlines deadlines;
    unsigned layers;    /* tacShow */
    tacBarText barText; /* inside of bars, where it fits */
    bool breaks;        /* idle gaps are cut out of the axis */
    bool markServers;   /* servers' events are marks: the setting plot.server.showMessages */
    bool showBuffers;   /* the contents of buffers are shown, also if buffersAt is unknown: then at the figure's end */
    int64_t buffersAt;  /* ticks: the time whose contents of buffers are shown; TAC_UNKNOWN: see showBuffers */
    tacLegendMode legend;
    const char *const *legendItems; /* names: tasks, mutexes, active, preempted ...; NULL: all that occur */

    /* ---- how ---- */
    double width, height; /* points; width 0: plot.timeUnit points a time unit, within bounds; height 0: as the rows
                             need */
    double pageHeight;    /* points: of the page, which a figure does not leave; 0: any */
    bool pages;           /* rows that do not fit onto a page are left for further ones */
    double labelWidth;    /* points: of the column of names; 0: what they need */
    double fontSize;      /* points; 0: of the setting font.size, else 9 */
    const char *font;     /* family; NULL: of the setting font.family, else TAC_DEFAULT_FONT */
    tacConvention convention;
    tacColorBy colorBy;
    bool grayscale;
    bool dark;                   /* theme of the screen */
    const char *axisUnit;        /* shown at the axis ("ms"); NULL: none */
    double axisScale;            /* label = (time - origin) * axisScale; 0: 1 */
    int64_t origin;              /* ticks: the time that the axis calls 0 */
    const char *const *settings; /* alternating name and value in the published player's names (plot.timeUnit 4 ...),
                                    ending with NULL; they override the trace's own */

    /* ---- how finely ---- */
    double detail; /* points: narrower things are merged with their neighbours; 0: 0.1; on a screen it is a pixel */
    bool fit; /* for a screen: rows grow to use the height, up to a comfortable one, with a faint line under each */
    double budget; /* of a quick figure: milliseconds of laying out, after which coarser sums stand for new ones; 0:
                      none */
    bool quick;    /* for a screen: merged marks may count by sampling, so that time depends on points, not on events */
} tacFigure;

/* Words for options, in the order of the enumerations; each list ends with NULL. */
extern const char *const tacConventionWords[],
    *const tacProcessorsWords[], *const tacDeadlinesWords[], *const tacLegendWords[], *const tacColorByWords[],
                                                                                          *const tacBarTextWords[],
                                                                                              *const tacGroupByWords[];
extern const char *const tacOrderWords[]; /* "auto", which stands for NULL, and then the words for `order` */

/* A named choice of size and font. */
typedef struct tacPreset {
    const char *name;
    double width, fontSize; /* points */
    double height;          /* points: of the text of a page, where a figure can be no higher; 0: any */
    const char *font;       /* family; NULL: the default */
    const char *help;
} tacPreset;
extern const tacPreset tacPresets[]; /* ends with name NULL */

/* The family of all text of the figure, to measure with: its own, else the trace's setting font.family, else the
 * default. */
const char *tacFigureFont(const tacFigure *figure, const tacStore *store);

void tacFigureDefaults(tacFigure *figure);
/* Sets width, font, font size and height of the page to those of the preset of this name; false: no such preset. */
bool tacFigurePreset(tacFigure *figure, const char *name);

/*
 * The pages of a figure, whose rows are listed once. Trace, figure and measure are the caller's and stay as they are
 * meanwhile. Errors: MEMORY; FIGURE ROWS (no row matches); FIGURE OPTION (unknown order). Freed by tacPagesFree in
 * either case.
 */
typedef struct tacPages tacPages;
tacStatus tacPagesNew(
    const tacTrace *trace, const tacFigure *figure, const tacMeasure *measure, tacPages **pages, tacError *err);
void tacPagesFree(tacPages *pages);
/*
 * Lays the next page out into a display that the caller has initialized (view/layout.c). Remarks, as of unknown
 * colours, go to diag if it is not NULL. *more: there is another page. Errors: MEMORY; FIGURE RANGE (to <= from);
 * FIGURE PAGE (higher than the page, and not to be split).
 */
tacStatus tacPagesNext(tacPages *pages, tacDisplay *display, bool *more, tacDiag *diag, tacError *err);

#endif
