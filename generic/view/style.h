/*
 * style.h -- the looks of a figure: sizes in points, colours, patterns, and the settings that change them.
 *
 * Settings have the published player's names (tacSettings in trace/vocab.h); their heights are in its canvas pixels.
 * One such pixel is `unit` points, a fourteenth of the font size, so that all heights go with the text. Later wins:
 * built-in default, the trace's own setting, the figure's setting.
 */
#ifndef TAC_VIEW_STYLE_H
#define TAC_VIEW_STYLE_H

#include "view/color.h"
#include "view/figure.h"

typedef struct tacMarkStyle { /* of a message mark */
    uint32_t color;
    tacShape shape;
} tacMarkStyle;

/* Kinds of marks in the message strip: of messages, of events of servers and semaphores, of relteq events. */
typedef enum tacMarkKind {
    TAC_MARK_MESSAGE,
    TAC_MARK_REPLENISHED,
    TAC_MARK_DEPLETED,
    TAC_MARK_SERVER_RESUMED,
    TAC_MARK_SERVER_PREEMPTED,
    TAC_MARK_RELEASED,
    TAC_MARK_ACQUIRED,
    TAC_MARK_SUSPENDED,
    TAC_MARK_PERIOD,
    TAC_MARK_DEADLINE,
    TAC_MARK_DELAY,
    TAC_MARK_SYNC, /* of synchronization messages for which there is no arrow */
    TAC_MARK_KINDS,
    TAC_MARK_BY_NAME, /* in events.def: the kind of mark depends on the event's name */
    TAC_MARK_NONE     /* in events.def: the kind of event is no mark */
} tacMarkKind;

typedef struct tacStyle {
    /* as set, in the published player's pixels */
    double timeUnit; /* points a time unit: natural width */
    double barHeight, arrowHeight, taskMargin, timelineOffset, tickLength, labelDistance, markDistance, headWidth;
    double serverHeight, serverMargin, intervalHeight, legendItemHeight, legendItemWidth;
    double serverMessages, fontSetting;
    tacDash intervalDash;

    /* points */
    float unit;                /* of one such pixel */
    float fontSize, smallSize; /* labels; numbers at axes, annotations, legend */
    float thin, line, thick;   /* grid and ticks; outlines and arrows; budget curves */

    /* colours: as they are to be drawn, grayscale and dark theme applied */
    uint32_t ink, paper, faint, grid, ignored; /* text and lines; background; secondary lines; light grid; ignored
                                                  arrivals */
    uint32_t active, preempted, blocked, critical, between, unknown, isr;
    tacPattern criticalPattern;
    tacMarkStyle marks[TAC_MARK_KINDS];

    uint32_t late, onTime, quiet; /* jobs that missed their deadline; that met it; threads of the kernel */

    bool grayscale, dark;
    tacColorBy colorBy;
    unsigned layers; /* tacShow */
} tacStyle;

/* Fills the style for a trace and figure. Remarks about unknown names and values go to diag (may be NULL). */
void tacStyleInit(tacStyle *style, const tacStore *store, const tacFigure *figure, tacDiag *diag);

/* The text of a setting: the figure's, else the trace's; NULL: neither has it. */
const char *tacStyleSetting(const char *name, const tacStore *store, const tacFigure *figure);

/* The colour that a text of the trace names; if it names none, `fallback` and a remark with the text and `line`. */
uint32_t tacStyleParse(const tacStyle *style, const char *text, uint32_t fallback, uint32_t line, tacDiag *diag);

/* The same for a colour of bars; see tacStyleSeen. */
uint32_t tacStyleParseBar(const tacStyle *style, const char *text, uint32_t fallback, uint32_t line, tacDiag *diag);

/* A colour as this style draws it: gray in grayscale. */
uint32_t tacStyleColor(const tacStyle *style, uint32_t rgb);

/* A colour for thing i of several that must be told apart but have no colours of their own. */
uint32_t tacStylePalette(const tacStyle *style, uint32_t i);
uint32_t tacStylePaletteSize(const tacStyle *style); /* how many differ */

/* A colour of bars: on dark paper lightened until its contrast is TAC_STYLE_CONTRAST; on white bars have outlines. */
#define TAC_STYLE_CONTRAST 3.0
uint32_t tacStyleSeen(const tacStyle *style, uint32_t rgb);

/* A colour of lines and text: in the dark theme lightened if it could not be seen, in grayscale darkened. */
uint32_t tacStyleInk(const tacStyle *style, uint32_t rgb);

/* Ink of outlines around a fill, so that one sees where a bar ends and the next begins: lighter around nearly black
 * ones, on dark paper darker around ones that are as light as the ink. fill: TAC_NO_COLOR, a pattern. */
uint32_t tacStyleOutline(const tacStyle *style, uint32_t fill);

/* Read words of the trace language; `fallback` for NULL and for other words. */
tacPattern tacPatternWord(const char *word, tacPattern fallback);
tacDash tacDashWord(const char *word, tacDash fallback);
tacHeads tacHeadsWord(const char *word, tacHeads fallback);
tacShape tacShapeWord(const char *word, tacShape fallback); /* one letter (any one character): TAC_SHAPE_LETTER */

#endif
