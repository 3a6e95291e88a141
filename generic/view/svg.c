/*
 * svg.c -- the SVG writer: one element an item, in groups for layers and for the attributes of consecutive items.
 *
 * Text stays text (cairo would write its letters as drawings). The only ids are the layers' names and nothing is
 * random, so that files are good to edit, to compare and to keep as a reference. An SVG cannot simply bring its font
 * along, so text names the display's font and then families of about the same widths.
 */
#include "base/port.h"

#include "view/export.h"
#include "view/geometry.h"
#include "view/maths.h"
#include "view/text.h"
#include "view/utf8.h"

#include <math.h>
#include <string.h>

/* The attributes of an open <g>, which hold for all elements in it. */
typedef struct SvgGroup {
    uint32_t fill, stroke;
    float width;
    tacDashes dashes;
    bool round; /* joins */
} SvgGroup;

typedef struct Svg {
    tacWriter w;
    const tacDisplay *display;
    bool open; /* a group is open */
    SvgGroup group;
    SvgGroup hatch; /* of the hatch being written */
    bool path;      /* a hatch's <path> is open */
    tacText scratch;
    tacShaper *shaper; /* for texts with mathematics; NULL: there was none */
    tacError *err;     /* of the shaper */
    bool failed;       /* no memory for some text, or no font */
} Svg;

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

/* Writes a step of a path's data: "M" or "L" to the point. */
static void putStep(Svg *s, const char *command, tacPoint to) {
    tacWriterPut(&s->w, "%s%n %n", command, (double) to.x, (double) to.y);
}

static void putCorners(Svg *s, const tacPoint *points, int n) {
    for (int i = 0; i < n; i++) putStep(s, i ? "L" : "M", points[i]);
    tacWriterString(&s->w, "Z\"/>\n");
}

/* Writes text of an element or attribute, with markup characters as entities. */
static void putText(Svg *s, const char *text, size_t length) {
    static const struct {
        char c;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    const char *clean = tacUtf8Clean(text, &length, &s->scratch);
    if (!clean) s->failed = true;
    for (size_t i = 0; clean && i < length; i++) {
        size_t e = 0;
        while (e < sizeof entities / sizeof *entities && entities[e].c != clean[i]) e++;
        if (e < sizeof entities / sizeof *entities) tacWriterString(&s->w, entities[e].entity);
        else tacWriterBytes(&s->w, clean + i, 1);
    }
}

static void putColor(Svg *s, const char *name, uint32_t color) {
    if (color == TAC_NO_COLOR) tacWriterPut(&s->w, " %s=\"none\"", name);
    else tacWriterPut(&s->w, " %s=\"#%c\"", name, color);
}

/* ---- groups ----------------------------------------------------------------------------------------------------- */

static bool sameGroup(const SvgGroup *a, const SvgGroup *b) {
    return a->fill == b->fill && a->stroke == b->stroke && a->width == b->width && a->round == b->round
        && a->dashes.on == b->dashes.on && a->dashes.off == b->dashes.off && a->dashes.phase == b->dashes.phase;
}

static void endGroup(Svg *s) {
    if (s->open) tacWriterString(&s->w, "</g>\n");
    s->open = false;
}

/* Begins a group, unless the open one has the same attributes. */
static void useGroup(Svg *s, SvgGroup group) {
    bool stroked = group.stroke != TAC_NO_COLOR;
    double on = group.dashes.on, off = group.dashes.off, phase = group.dashes.phase;
    if (!stroked) group = (SvgGroup){.fill = group.fill, .stroke = TAC_NO_COLOR};
    if (s->open && sameGroup(&s->group, &group)) return;
    endGroup(s);
    tacWriterString(&s->w, "<g");
    putColor(s, "fill", group.fill);
    putColor(s, "stroke", group.stroke);
    if (stroked) tacWriterPut(&s->w, " stroke-width=\"%n\"", (double) tacStrokeWidth(group.width));
    if (stroked && group.round) tacWriterString(&s->w, " stroke-linejoin=\"round\"");
    if (stroked && on > 0) tacWriterPut(&s->w, " stroke-dasharray=\"%n %n\"", on, off);
    if (stroked && on > 0 && phase > 0) tacWriterPut(&s->w, " stroke-dashoffset=\"%n\"", phase);
    tacWriterString(&s->w, ">\n");
    s->group = group;
    s->open = true;
}

static SvgGroup areaGroup(uint32_t fill) { return (SvgGroup){.fill = fill, .stroke = TAC_NO_COLOR}; }

/* ---- rectangles ------------------------------------------------------------------------------------------------- */

static void putRect(Svg *s, tacBox box) {
    double x = box.x0, y = box.y0, width = box.x1 - box.x0, height = box.y1 - box.y0;
    tacWriterPut(&s->w, "<rect x=\"%n\" y=\"%n\" width=\"%n\" height=\"%n\"/>\n", x, y, width, height);
}

static void endHatch(Svg *s) {
    if (s->path) tacWriterString(&s->w, "\"/>\n");
    s->path = false;
}

static void putHatchLine(void *data, const tacHatch *style, float x0, float y0, float x1, float y1) {
    Svg *s = data;
    SvgGroup group = {.fill = TAC_NO_COLOR, .stroke = s->hatch.stroke, .width = style->width, .dashes = style->dashes};
    if (s->path && !sameGroup(&group, &s->hatch)) endHatch(s);
    if (!s->path) {
        useGroup(s, group);
        tacWriterString(&s->w, "<path d=\"");
    }
    s->hatch = group;
    s->path = true;
    putStep(s, "M", (tacPoint){x0, y0});
    putStep(s, "L", (tacPoint){x1, y1});
}

static void writeRect(Svg *s, const tacItem *item) {
    bool hatched = tacHatched(item), outlined = item->outline != TAC_NO_COLOR;
    tacBox box = tacRectBox(item);
    if (item->fill != TAC_NO_COLOR && (hatched || !outlined)) {
        useGroup(s, areaGroup(item->fill));
        putRect(s, box);
    }
    if (hatched) {
        s->hatch.stroke = item->ink;
        tacHatchItem(item, (tacBox){0, 0, s->display->width, s->display->height}, putHatchLine, s);
        endHatch(s);
    }
    if (!outlined) return;
    useGroup(s, (SvgGroup){.fill = hatched ? TAC_NO_COLOR : item->fill, .stroke = item->outline, .width = item->width});
    putRect(s, box);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* A group with the item's width and dashes. */
static SvgGroup strokeGroup(const tacItem *item, uint32_t fill, uint32_t stroke) {
    tacDashes dashes = tacDashesOf((tacDash) item->dash, item->width);
    return (SvgGroup){.fill = fill, .stroke = stroke, .width = item->width, .dashes = dashes};
}

static void writeLine(Svg *s, const tacItem *item) {
    tacArrow arrow;
    uint32_t ink = item->ink == TAC_NO_COLOR ? 0 : item->ink;
    tacArrowOf(item, &arrow);
    useGroup(s, strokeGroup(item, arrow.nHeads ? ink : TAC_NO_COLOR, ink));
    double x0 = arrow.from.x, y0 = arrow.from.y, x1 = arrow.to.x, y1 = arrow.to.y;
    tacWriterPut(&s->w, "<line x1=\"%n\" y1=\"%n\" x2=\"%n\" y2=\"%n\"/>\n", x0, y0, x1, y1);
    for (int i = 0; i < arrow.nHeads; i++) {
        tacWriterString(&s->w, "<path stroke=\"none\" d=\"");
        putCorners(s, arrow.heads[i], 4);
    }
}

static void writePath(Svg *s, const tacItem *item) {
    bool pen = false, area = item->fill != TAC_NO_COLOR;
    SvgGroup group = strokeGroup(item, item->fill, item->ink);
    group.round = true;
    useGroup(s, group);
    tacWriterString(&s->w, "<path d=\"");
    for (uint32_t i = 0; i < item->count; i++) {
        tacPoint point = s->display->points.at[item->first + i];
        bool gap = isnan(point.x) || isnan(point.y);
        if (gap && pen && area) tacWriterString(&s->w, "Z");
        if (!gap) putStep(s, pen ? "L" : "M", point);
        pen = !gap;
    }
    tacWriterString(&s->w, pen && area ? "Z\"/>\n" : "\"/>\n");
}

/* ---- texts and marks -------------------------------------------------------------------------------------------- */

/* Is there a narrow blank here: U+2005 or U+2009? */
static bool isNarrow(const char *at) {
    return memcmp(at, "\xE2\x80\x85", 3) == 0 || memcmp(at, "\xE2\x80\x89", 3) == 0;
}

/* Does the text need another attribute, so that its blanks do not get lost? Some programs take narrow ones away, too.
 */
static bool hasLooseBlanks(const char *text, size_t length) {
    if (length >= 3 && (isNarrow(text) || isNarrow(text + length - 3))) return true;
    return length && (text[0] == ' ' || text[length - 1] == ' ' || strstr(text, "  "));
}

/* Writes a text with mathematics as runs, each moved from where the one before has ended. */
static void putPieces(Svg *s, const char *text, size_t length, const tacTextPlace *place) {
    const tacTextPiece *pieces;
    if (!s->shaper) s->shaper = tacShaperNew(s->display->font, s->err);
    size_t n = s->shaper ? tacShaperPieces(s->shaper, text, length, place->size, place->bold, &pieces) : 0;
    float x = 0, rise = 0;
    if (!n) s->failed = true;
    for (size_t i = 0; i < n; i++) {
        const tacTextPiece *piece = &pieces[i];
        double dx = piece->x - x, dy = rise - piece->rise, size = piece->size;
        tacWriterString(&s->w, "<tspan");
        if (fabs(dx) > 0.005) tacWriterPut(&s->w, " dx=\"%n\"", dx);
        if (fabs(dy) > 0.005) tacWriterPut(&s->w, " dy=\"%n\"", dy);
        if (piece->size != place->size) tacWriterPut(&s->w, " font-size=\"%n\"", size);
        if (piece->style & TAC_MATHS_ITALIC) tacWriterString(&s->w, " font-style=\"italic\"");
        if (piece->style & TAC_MATHS_BOLD) tacWriterString(&s->w, " font-weight=\"bold\"");
        if (piece->style & TAC_MATHS_MONO) tacWriterString(&s->w, " font-family=\"monospace\"");
        tacWriterString(&s->w, hasLooseBlanks(piece->text, strlen(piece->text)) ? " xml:space=\"preserve\">" : ">");
        putText(s, piece->text, strlen(piece->text));
        tacWriterString(&s->w, "</tspan>");
        x = piece->x + piece->width;
        rise = piece->rise;
    }
}

static void writeText(Svg *s, const tacItem *item) {
    static const char *const anchors[] = {[TAC_ANCHOR_LEFT] = "",
        [TAC_ANCHOR_CENTER] = " text-anchor=\"middle\"",
        [TAC_ANCHOR_RIGHT] = " text-anchor=\"end\""};
    if (item->text >= tacInternCount(&s->display->texts)) return;
    size_t length;
    const char *text = tacInternName(&s->display->texts, item->text, &length);
    tacTextPlace place = tacTextPlaceOf(item);
    useGroup(s, areaGroup(place.ink));
    const char *where = place.upright ? "<text transform=\"translate(%n %n) rotate(-90)\"%s"
                                      : "<text x=\"%n\" y=\"%n\"%s";
    tacWriterPut(&s->w, where, (double) place.x, (double) place.baseline, anchors[place.anchor]);
    if (place.size != s->display->fontSize) tacWriterPut(&s->w, " font-size=\"%n\"", (double) place.size);
    if (place.bold) tacWriterString(&s->w, " font-weight=\"bold\"");
    if (hasLooseBlanks(text, length)) tacWriterString(&s->w, " xml:space=\"preserve\"");
    tacWriterString(&s->w, ">");
    if (tacMathsIn(text, length)) putPieces(s, text, length, &place);
    else putText(s, text, length);
    tacWriterString(&s->w, "</text>\n");
}

static void writeMark(Svg *s, const tacItem *item) {
    tacMark mark;
    if (!tacMarkOf(item, &mark)) {
        writeText(s, item);
        return;
    }
    useGroup(s, (SvgGroup){.fill = mark.fill, .stroke = mark.stroke, .width = mark.width});
    if (mark.radius > 0) {
        double x = item->x0, y = item->y0, radius = mark.radius;
        tacWriterPut(&s->w, "<circle cx=\"%n\" cy=\"%n\" r=\"%n\"/>\n", x, y, radius);
    } else {
        tacWriterString(&s->w, "<path d=\"");
        if (!mark.strokes) putCorners(s, mark.points, mark.nPoints);
        else
            for (int i = 0; i < mark.nPoints; i++) putStep(s, i % 2 ? "L" : "M", mark.points[i]);
        if (mark.strokes) tacWriterString(&s->w, "\"/>\n");
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static void (*const writers[])(Svg *s, const tacItem *item) = {[TAC_ITEM_RECT] = writeRect,
    [TAC_ITEM_LINE] = writeLine,
    [TAC_ITEM_PATH] = writePath,
    [TAC_ITEM_TEXT] = writeText,
    [TAC_ITEM_SHAPE] = writeMark};

/* Writes families separated by commas, each in quotes; quotes within a name cannot be written and are left out. */
static void putFamilies(Svg *s, const char *families) {
    while (*families) {
        families += strspn(families, ", '\"");
        size_t length = strcspn(families, ",'\"");
        if (!length) continue;
        tacWriterString(&s->w, "'");
        putText(s, families, length);
        tacWriterString(&s->w, "', ");
        families += length;
    }
}

static void writeItems(Svg *s) {
    int layer = -1;
    for (size_t i = 0; i < s->display->items.count; i++) {
        const tacItem *item = &s->display->items.at[i];
        if (item->layer != layer) {
            endGroup(s);
            tacWriterPut(&s->w, "%s<g id=\"%s\">\n", layer < 0 ? "" : "</g>\n", tacLayerNames[item->layer]);
            layer = item->layer;
        }
        writers[item->kind](s, item);
    }
    endGroup(s);
    tacWriterPut(&s->w, "%s</svg>\n", layer < 0 ? "" : "</g>\n");
}

tacStatus tacExportSvg(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err) {
    (void) resolution;
    if (display->failed) return tacFailMemory(err);
    tacError failure = {{0}, {0}};
    tacFailMemory(&failure);
    Svg s = {.display = display, .err = &failure};
    double width = display->width, height = display->height;
    tacWriterInit(&s.w, out, data);
    tacWriterString(&s.w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    tacWriterString(&s.w, "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
    tacWriterPut(&s.w, " width=\"%npt\" height=\"%npt\"", width, height);
    tacWriterPut(&s.w, " viewBox=\"0 0 %n %n\" font-family=\"", width, height);
    if (display->font && strcmp(display->font, TAC_DEFAULT_FONT) != 0) putFamilies(&s, display->font);
    tacWriterPut(&s.w, "'DejaVu Sans', Verdana, sans-serif\" font-size=\"%n\">\n", (double) display->fontSize);
    writeItems(&s);
    tacTextFree(&s.scratch);
    tacShaperFree(s.shaper);
    tacStatus status = tacWriterEnd(&s.w);
    if (s.failed && err) *err = failure;
    return s.failed ? TAC_ERROR : status;
}
