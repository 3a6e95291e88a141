/*
 * figure.c -- words, defaults and presets of figures.
 */
#include "base/port.h"

#include "view/figure.h"
#include "view/style.h"

#include <string.h>

/*
 * Widths are those of text blocks in the document classes: inches times 72, 128 mm less the margins of beamer, and the
 * \textwidth and \columnwidth that article sets on letter paper (a point of TeX is 1/72.27 inch). Heights are their
 * \textheight on letter paper: 58 lines of 12 points of TeX in IEEEtran; the page less 57 and 73 such points in acmart;
 * 550 in article; and what a title of two lines leaves of the 96 mm of a slide.
 */
const tacPreset tacPresets[] = {
    {"ieee-column", 252.0, 8, 693.4, NULL, "one column of IEEE transactions: 3.5 in"},
    {"ieee-page", 515.52, 8, 693.4, NULL, "both columns of IEEE transactions: 7.16 in"},
    {"acm", 240.0, 8, 662.5, NULL, "one column of ACM proceedings: 3.33 in"},
    {"article", 343.71, 8, 547.9, NULL, "LaTeX's article, one column at 10 pt: 345 points of TeX"},
    {"article-column", 228.64, 8, 547.9, NULL, "one of two columns of LaTeX's article at 10 pt: 229.5 points of TeX"},
    {"beamer", 307.28, 9, 215.4, NULL, "a 128 mm wide beamer slide within its margins: 108 mm"},
    {"screen", 960.0, 10, 0, NULL, "a screen: 960 points"},
    {NULL, 0, 0, 0, NULL, NULL},
};

const char *const tacConventionWords[] = {"grasp", "rtsched", NULL};
const char *const tacProcessorsWords[] = {"auto", "expanded", "collapsed", "none", NULL};
const char *const tacDeadlinesWords[] = {"auto", "explicit", "all", NULL};
const char *const tacColorByWords[] = {"convention", "task", "state", "processor", "priority", "outcome", NULL};
const char *const tacGroupByWords[] = {"none", "auto", "processor", "server", "process", "kind", NULL};
const char *const tacBarTextWords[] = {"none", "job", "duration", NULL};
const char *const tacLegendWords[] = {"none", "bottom", "right", NULL};
const char *const tacOrderWords[] = {"auto", "priority", "definition", "name", "first", NULL};

const tacLayerWord tacLayerWords[] = {
    {"arrows", TAC_SHOW_ARROWS, "arrows of arrivals"},
    {"deadlines", TAC_SHOW_DEADLINES, "arrows of deadlines"},
    {"misses", TAC_SHOW_MISSES, "what of a job comes after its deadline"},
    {"preemptions", TAC_SHOW_PREEMPTIONS, "dotted lines from a job that stops to the next one"},
    {"mutexes", TAC_SHOW_MUTEXES, "patterns of critical sections"},
    {"annotations", TAC_SHOW_ANNOTATIONS, "texts and stretches from the trace or its marks"},
    {"calls", TAC_SHOW_CALLS, "names of system calls"},
    {"messages", TAC_SHOW_MESSAGES | TAC_SHOW_SYNCS, "marks under the axis, and messages from processor to processor"},
    {"migrations", TAC_SHOW_MIGRATIONS | TAC_SHOW_PANEL_MIGRATIONS, "arrows from processor to processor"},
    {"findings", TAC_SHOW_FINDINGS, "flags of findings, in a window"},
    {NULL, 0, NULL},
};

unsigned tacLayerBits(const char *name) {
    const tacLayerWord *word = tacLayerWords;
    while (word->name && strcmp(word->name, name) != 0) word++;
    return word->bits;
}

void tacFigureDefaults(tacFigure *figure) {
    memset(figure, 0, sizeof *figure);
    figure->from = figure->to = figure->buffersAt = TAC_UNKNOWN;
    figure->legend = TAC_LEGEND_BOTTOM;
    figure->axisScale = 1;
    figure->layers = TAC_SHOW_DEFAULT;
}

bool tacFigurePreset(tacFigure *figure, const char *name) {
    for (const tacPreset *preset = tacPresets; preset->name; preset++) {
        if (strcmp(preset->name, name) == 0) {
            figure->width = preset->width;
            figure->fontSize = preset->fontSize;
            figure->pageHeight = preset->height;
            figure->font = preset->font;
            return true;
        }
    }
    return false;
}

const char *tacFigureFont(const tacFigure *figure, const tacStore *store) {
    const char *family = figure->font && *figure->font ? figure->font : tacStyleSetting("font.family", store, figure);
    return family && *family ? family : TAC_DEFAULT_FONT;
}
