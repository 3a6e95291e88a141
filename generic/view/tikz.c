/*
 * tikz.c -- the TikZ writer: a picture that a paper takes with \input and sets in its own fonts, or that compiles
 * alone.
 *
 *      intro -> names of the colours -> items, one statement each, or one for a row of equal bars -> end
 *
 * LaTeX makes \@nodocument \relax at \begin{document}, so the file can tell whether it is in a document; if not, it
 * begins one of the figure's size. It needs TikZ and none of its libraries: hatches are lines, arrow heads small areas,
 * as in the other formats. Coordinates are those of the display list (big points, y down), in groups with a comment, so
 * that they can be edited by hand. Names of a trace cannot act as commands (tex.h), and signs that a paper's language
 * has made active (babel's ; : ! " and others) are ordinary again within the picture.
 */
#include "base/port.h"

#include "view/export.h"
#include "view/geometry.h"
#include "view/tex.h"
#include "view/utf8.h"

#include <math.h>
#include <string.h>

enum { MOST_RECTS = 16, MOST_POINTS = 400 }; /* in one statement, since TeX holds a whole statement in memory */

typedef struct Tikz {
    tacWriter w;
    const tacDisplay *display;
    size_t index; /* of the item being written */
    uint32_t ink; /* of the hatch being written */
    tacHatch hatch;
    unsigned pieces;       /* of the statement being written: hatch lines */
    tacInternTable colors; /* those named so far, four bytes each */
    tacText scratch, tex;
    bool failed; /* no memory for some text or colour */
} Tikz;

static const char *const layerTitles[TAC_LAYERS] = {
    "background and grid", "states", "critical sections", "lines", "arrows", "text"};

/* ---- head and foot ---------------------------------------------------------------------------------------------- */

static const char intro[] = "%% TikZ picture, made by Tactus. \\input it in a paper that has \\usepackage{tikz}, or "
                            "compile it alone.\n"
                            "%% Text is set in the paper's font, #1 points large; to have it otherwise say before "
                            "\\input, for example,\n"
                            "%%   \\newcommand\\tactusfont[1]{\\sffamily\\footnotesize}\n"
                            "\\expandafter\\ifx\\csname @nodocument\\endcsname\\relax\n"
                            "  \\let\\tactusend\\relax\n"
                            "\\else\n"
                            "  \\RequirePackage{fix-cm}\n"
                            "  \\documentclass{article}\n"
                            "  \\usepackage{tikz}\n"
                            "  \\usepackage[papersize={%nbp,%nbp},margin=0bp]{geometry}\n"
                            "  \\pagestyle{empty}\\setlength\\parindent{0bp}\\setlength\\topskip{0bp}\n"
                            "  \\begin{document}\n"
                            "  \\def\\tactusend{\\end{document}}\n"
                            "\\fi\n"
                            "\\begingroup\\catcode33 12\\catcode34 12\\catcode39 12\\catcode58 12\\catcode59 "
                            "12\\catcode60 12\\catcode61 12\\catcode62 12\n"
                            "\\begin{tikzpicture}[x=1bp, y=-1bp, inner sep=0bp, outer sep=0bp,\n"
                            "  tactus left/.style={anchor=base west}, tactus center/.style={anchor=base}, tactus "
                            "right/.style={anchor=base east}]\n"
                            "\\providecommand\\tactusfont[1]{\\fontsize{#1}{#1}\\selectfont}\n"
                            "\\providecommand\\tactusbase[2]{{\\tactusfont{#1}#2}}\n"
                            "\\providecommand\\tactusmiddle[2]{\\tactusfont{#1}\\raisebox{-0.35em}[0bp][0bp]{#2}}\n"
                            "\\def\\tactushex#1#2#3\\relax{\\raisebox{-0.15em}{\\resizebox{!}{1em}{"
                            "\\fboxsep1bp\\fboxrule0.3bp\n"
                            "  \\fbox{\\fontsize{8}{8}\\ttfamily\\shortstack{#1#2\\\\#3}}}}}\n"
                            "\\providecommand\\tactusunicode[2]{\\ifdefined\\Umathchar#1\\else\\ifcsname "
                            "u8:\\detokenize{#1}\\endcsname\n"
                            "  "
                            "{\\def\\TextSymbolUnavailable##1{\\tactushex#2\\relax}#1}\\else\\tactushex#"
                            "2\\relax\\fi\\fi}\n"
                            "\\path[use as bounding box] (0,0) rectangle (%n,%n);\n";

/* ---- colours ---------------------------------------------------------------------------------------------------- */

/* Defines the name of a colour, once; black and white have names of their own. */
static void nameColor(Tikz *t, uint32_t color) {
    if (color == TAC_NO_COLOR || color == 0 || color == 0xFFFFFF) return;
    size_t known = tacInternCount(&t->colors);
    uint32_t id = tacIntern(&t->colors, (const char *) &color, sizeof color);
    if (id == TAC_NONE) t->failed = true;
    else if (id == known) tacWriterPut(&t->w, "\\definecolor{tactus%c}{HTML}{%c}\n", color, color);
}

static void putColor(Tikz *t, const char *option, uint32_t color) {
    if (color == 0 || color == 0xFFFFFF) tacWriterPut(&t->w, "%s=%s", option, color ? "white" : "black");
    else tacWriterPut(&t->w, "%s=tactus%c", option, color);
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

/* Begins a statement: "\path[fill=..., draw=..., line width=...", up to the closing bracket. */
static void beginPath(Tikz *t, uint32_t fill, uint32_t stroke, float width, tacDashes dashes) {
    tacWriterString(&t->w, "\\path[");
    if (fill != TAC_NO_COLOR) putColor(t, "fill", fill);
    if (stroke != TAC_NO_COLOR) {
        putColor(t, fill != TAC_NO_COLOR ? ", draw" : "draw", stroke);
        tacWriterPut(&t->w, ", line width=%nbp", (double) tacStrokeWidth(width));
        double on = dashes.on, off = dashes.off, phase = dashes.phase;
        if (on > 0) tacWriterPut(&t->w, ", dash pattern=on %nbp off %nbp", on, off);
        if (on > 0 && phase > 0) tacWriterPut(&t->w, ", dash phase=%nbp", phase);
    }
}

static void putPoint(Tikz *t, const char *before, double x, double y) {
    tacWriterPut(&t->w, "%s(%n,%n)", before, x, y);
}

/* ---- rectangles ------------------------------------------------------------------------------------------------- */

static void putBox(Tikz *t, const tacItem *item) {
    tacBox box = tacRectBox(item);
    putPoint(t, " ", box.x0, box.y0);
    putPoint(t, " rectangle ", box.x1, box.y1);
}

/* Does rectangle b look like a and stand to the right of it in the same row, so that one statement can have both? */
static bool continuesRow(const tacItem *a, const tacItem *b) {
    return b->kind == TAC_ITEM_RECT && b->layer == a->layer && !tacHatched(b) && b->fill == a->fill
        && b->outline == a->outline && b->width == a->width && b->y0 == a->y0 && b->y1 == a->y1 && b->x0 >= a->x1
        && b->x1 >= b->x0;
}

/* Writes rectangles without hatches: the item and those after it that continue its row. */
static void writePlainRects(Tikz *t, const tacItem *item) {
    if (item->fill == TAC_NO_COLOR && item->outline == TAC_NO_COLOR) return;
    beginPath(t, item->fill, item->outline, item->width, (tacDashes){0, 0, 0});
    tacWriterString(&t->w, "]");
    putBox(t, item);
    for (int n = 1; n < MOST_RECTS && t->index + 1 < t->display->items.count && continuesRow(item, item + 1); n++) {
        t->index++;
        item++;
        if (n % 4 == 0) tacWriterString(&t->w, "\n ");
        putBox(t, item);
    }
    tacWriterString(&t->w, ";\n");
}

static void endHatch(Tikz *t) {
    if (t->pieces) tacWriterString(&t->w, ";\n");
    t->pieces = 0;
}

static void putHatchLine(void *data, const tacHatch *style, float x0, float y0, float x1, float y1) {
    Tikz *t = data;
    if (t->pieces == MOST_POINTS || memcmp(style, &t->hatch, sizeof *style) != 0) endHatch(t);
    t->hatch = *style;
    if (!t->pieces) {
        beginPath(t, TAC_NO_COLOR, t->ink, style->width, style->dashes);
        tacWriterString(&t->w, "]");
    } else if (t->pieces % 5 == 0) tacWriterString(&t->w, "\n ");
    putPoint(t, " ", x0, y0);
    putPoint(t, " -- ", x1, y1);
    t->pieces++;
}

/* Writes a hatched rectangle: its fill, the hatch, its outline. */
static void writeHatched(Tikz *t, const tacItem *item) {
    tacItem part = *item;
    part.pattern = TAC_PATTERN_NONE;
    size_t index = t->index;
    t->index = t->display->items.count; /* keeps writePlainRects from joining a part with items that follow */
    part.outline = TAC_NO_COLOR;
    writePlainRects(t, &part);
    t->ink = item->ink;
    tacHatchItem(item, (tacBox){0, 0, t->display->width, t->display->height}, putHatchLine, t);
    endHatch(t);
    part.outline = item->outline;
    part.fill = TAC_NO_COLOR;
    writePlainRects(t, &part);
    t->index = index;
}

static void writeRect(Tikz *t, const tacItem *item) {
    if (tacHatched(item)) writeHatched(t, item);
    else writePlainRects(t, item);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static void writeLine(Tikz *t, const tacItem *item) {
    uint32_t ink = item->ink == TAC_NO_COLOR ? 0 : item->ink;
    tacArrow arrow;
    tacArrowOf(item, &arrow);
    beginPath(t, TAC_NO_COLOR, ink, item->width, tacDashesOf(item->dash, item->width));
    putPoint(t, "] ", arrow.from.x, arrow.from.y);
    putPoint(t, " -- ", arrow.to.x, arrow.to.y);
    tacWriterString(&t->w, ";\n");
    for (int i = 0; i < arrow.nHeads; i++) {
        beginPath(t, ink, TAC_NO_COLOR, 0, (tacDashes){0, 0, 0});
        for (int j = 0; j < 4; j++) putPoint(t, j ? " -- " : "] ", arrow.heads[i][j].x, arrow.heads[i][j].y);
        tacWriterString(&t->w, " -- cycle;\n");
    }
}

/* Writes the points from i on, at most MOST_POINTS if it is a line; returns the index of the next one. */
static uint32_t putCurve(Tikz *t, const tacItem *item, const tacPoint *points, uint32_t i) {
    bool pen = false, area = item->fill != TAC_NO_COLOR;
    unsigned pieces = 0;
    for (; i < item->count && (pieces < MOST_POINTS || area); i++, pieces++) {
        bool gap = isnan(points[i].x) || isnan(points[i].y);
        if (gap && pen && area) tacWriterString(&t->w, " -- cycle");
        if (pieces && pieces % 6 == 0) tacWriterString(&t->w, "\n ");
        if (!gap) putPoint(t, pen ? " -- " : " ", points[i].x, points[i].y);
        pen = !gap;
    }
    if (pen && area) tacWriterString(&t->w, " -- cycle");
    return i;
}

/* A long line is cut into statements that join end to end; an area is one statement. */
static void writePath(Tikz *t, const tacItem *item) {
    if (item->fill == TAC_NO_COLOR && item->ink == TAC_NO_COLOR) return;
    for (uint32_t i = 0; i < item->count; i -= i < item->count) { /* the last point begins the next statement */
        beginPath(t, item->fill, item->ink, item->width, tacDashesOf(item->dash, item->width));
        tacWriterString(&t->w, item->ink != TAC_NO_COLOR ? ", line join=round]" : "]");
        i = putCurve(t, item, t->display->points.at + item->first, i);
        tacWriterString(&t->w, ";\n");
    }
}

/* ---- texts and marks -------------------------------------------------------------------------------------------- */

static void putText(Tikz *t, uint32_t id) {
    size_t length;
    const char *text = tacInternName(&t->display->texts, id, &length);
    const char *clean = tacUtf8Clean(text, &length, &t->scratch);
    tacTextFree(&t->tex);
    if (clean) tacTexText(clean, length, &t->tex);
    if (!clean || t->tex.failed) t->failed = true;
    else if (t->tex.at) tacWriterBytes(&t->w, t->tex.at, t->tex.length);
}

static void writeText(Tikz *t, const tacItem *item) {
    static const char *const anchors[] = {
        [TAC_ANCHOR_LEFT] = "left", [TAC_ANCHOR_CENTER] = "center", [TAC_ANCHOR_RIGHT] = "right"};
    if (item->text >= tacInternCount(&t->display->texts)) return;
    tacTextPlace place = tacTextPlaceOf(item);
    bool middle = item->middle || item->kind == TAC_ITEM_SHAPE;
    tacWriterPut(&t->w, "\\node[tactus %s", anchors[place.anchor]);
    if (place.ink) putColor(t, ", text", place.ink);
    if (item->upright) tacWriterString(&t->w, ", rotate=90");
    putPoint(t, "] at ", item->x0, item->y0);
    tacWriterPut(&t->w, " {\\tactus%s{%n}{", middle ? "middle" : "base", (double) place.size);
    if (place.bold) tacWriterString(&t->w, "\\bfseries\\boldmath ");
    putText(t, item->text);
    tacWriterString(&t->w, "}};\n");
}

static void writeMark(Tikz *t, const tacItem *item) {
    tacMark mark;
    if (!tacMarkOf(item, &mark)) {
        writeText(t, item);
        return;
    }
    if (mark.fill == TAC_NO_COLOR && mark.stroke == TAC_NO_COLOR) return;
    beginPath(t, mark.fill, mark.stroke, mark.width, (tacDashes){0, 0, 0});
    tacWriterString(&t->w, "]");
    if (mark.radius > 0) {
        putPoint(t, " ", item->x0, item->y0);
        tacWriterPut(&t->w, " circle[radius=%nbp]", (double) mark.radius);
    }
    for (int i = 0; i < mark.nPoints; i++) {
        bool joined = mark.strokes ? i % 2 : i > 0;
        putPoint(t, joined ? " -- " : " ", mark.points[i].x, mark.points[i].y);
    }
    tacWriterString(&t->w, mark.radius > 0 || mark.strokes ? ";\n" : " -- cycle;\n");
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static void (*const writers[])(Tikz *t, const tacItem *item) = {[TAC_ITEM_RECT] = writeRect,
    [TAC_ITEM_LINE] = writeLine,
    [TAC_ITEM_PATH] = writePath,
    [TAC_ITEM_TEXT] = writeText,
    [TAC_ITEM_SHAPE] = writeMark};

static void writeItems(Tikz *t) {
    int layer = -1;
    for (; t->index < t->display->items.count; t->index++) {
        const tacItem *item = &t->display->items.at[t->index];
        if (item->layer != layer) {
            layer = item->layer;
            tacWriterPut(&t->w, "%% ---- %s\n", layerTitles[layer]);
        }
        writers[item->kind](t, item);
    }
}

tacStatus tacExportTikz(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err) {
    (void) resolution;
    if (display->failed) return tacFailMemory(err);
    Tikz t = {.display = display};
    tacWriterInit(&t.w, out, data);
    double width = display->width, height = display->height;
    tacWriterPut(&t.w, intro, width, height, width, height);
    for (size_t i = 0; i < display->items.count; i++) {
        const tacItem *item = &display->items.at[i];
        nameColor(&t, item->fill);
        nameColor(&t, item->ink);
        nameColor(&t, item->outline);
    }
    writeItems(&t);
    tacWriterString(&t.w, "\\end{tikzpicture}\\endgroup\\tactusend\n");
    tacInternFree(&t.colors);
    tacTextFree(&t.scratch);
    tacTextFree(&t.tex);
    tacStatus status = tacWriterEnd(&t.w);
    return t.failed ? tacFailMemory(err) : status;
}
