/*
 * figure.h -- what a figure is to show and how: the options of `tactus export`, the window's view and the export dialog
 * alike.
 */
#ifndef TAC_VIEW_FIGURE_H
#define TAC_VIEW_FIGURE_H

#include "analysis/trace.h"
#include "view/display.h"

typedef enum tacConvention { TAC_CONVENTION_GRASP, TAC_CONVENTION_RTSCHED } tacConvention;
typedef enum tacProcessorsMode {
    TAC_PROCESSORS_AUTO, /* by the setting plot.tasks; else expanded when more than one processor has something, else
                            none */
    TAC_PROCESSORS_EXPANDED,  /* a panel for each processor with the rows that have something there */
    TAC_PROCESSORS_COLLAPSED, /* one row a processor */
    TAC_PROCESSORS_NONE       /* one list of tasks, processors not told apart */
} tacProcessorsMode;
typedef enum tacDeadlines {
    TAC_DEADLINES_AUTO,     /* all in the rtsched convention, whose readers expect one for each job; else explicit */
    TAC_DEADLINES_EXPLICIT, /* those of the trace's events */
    TAC_DEADLINES_ALL       /* also release + the task's -D, for jobs without an event */
} tacDeadlines;
typedef enum tacLegendMode { TAC_LEGEND_NONE, TAC_LEGEND_BOTTOM, TAC_LEGEND_RIGHT } tacLegendMode;

typedef struct tacFigure {
    int64_t from, to;     /* ticks; TAC_UNKNOWN: begin and end of what there is */
    double width, height; /* points; 0: width from preset or natural (plot.timeUnit points a time unit, within bounds),
                             height as the rows need */
    double fontSize;      /* points; 0: preset's */
    const char *font;     /* family; NULL: "DejaVu Sans" falls back to what fontconfig has */
    tacConvention convention;
    tacProcessorsMode processors;
    tacDeadlines deadlines;
    tacLegendMode legend;
    const char *const *legendItems; /* which: tasks, mutexes, active, preempted ...; NULL: all that occur */
    const char *const *rows; /* glob patterns of ids or names of tasks, servers (collapsed: processors) to show; NULL:
                                all that have something */
    const char *order; /* "priority", "definition", "name", "first" (first event); NULL: that of the patterns in `rows`,
                          else priority */
    bool grayscale;
    const char *axisUnit; /* shown at the axis ("ms"); NULL: none */
    double axisScale;     /* label = time * axisScale; 0: 1 */
    bool breaks;          /* cut idle gaps */
    bool dark;            /* screen theme */
    bool markServers;     /* plot.server.showMessages */
    int64_t buffersAt;    /* TAC_UNKNOWN: no buffer boxes in the figure, unless showBuffers */
    bool showBuffers;
    double detail; /* points: what is narrower is merged with its neighbours; 0: 0.1 (the screen gives a pixel) */
    bool quick;    /* merged marks may count by sampling: drawing costs points, not events (the screen) */
    const char *const *settings; /* alternating name, value in the published player's names (plot.timeUnit 4 ...),
                                    NULL-terminated; override the trace's own */
} tacFigure;

/* A preset: named sizes and fonts. */
typedef struct tacPreset {
    const char *name;
    double width, fontSize;
    const char *font;
    const char *help;
} tacPreset;
extern const tacPreset tacPresets[]; /* ends with name NULL */

/* The family of all text of the figure: its own, else the trace's setting font.family, else "DejaVu Sans". What to
 * measure with. */
const char *tacFigureFont(const tacFigure *figure, const tacStore *store);

void tacFigureDefaults(tacFigure *figure);
/* Sets width, font and font size as the preset of this name has them; false: no such preset. */
bool tacFigurePreset(tacFigure *figure, const char *name);

/*
 * Lays the trace out: view/layout.c. Display is initialized by the caller. Remarks (unknown colours ...) go to diag if
 * not NULL. Errors: MEMORY; FIGURE RANGE (to <= from); FIGURE ROWS (no row matches); FIGURE OPTION (unknown order).
 */
tacStatus tacLayout(const tacTrace *trace, const tacFigure *figure, const tacMeasure *measure, tacDisplay *display,
    tacDiag *diag, tacError *err);

#endif
