/*
 * text.c -- lines of text by Pango, shaped once and kept.
 *
 *      text, size, weight -> face -> key -> line, shaped if it is new -> its width, or glyphs on a cairo surface
 *
 * A figure shows few different texts many times: layout measures them, the painter shows them, a window shows them in
 * every frame. Shaping is what costs, so shaped lines are kept. A lack of memory for their table only makes it slower.
 */
#include "base/port.h"

#include "base/mem.h"
#include "base/save.h"
#include "view/drawCalls.h"
#include "view/maths.h"
#include "view/text.h"
#include "view/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 8192 }; /* lines that are kept; with more, the table begins anew */

typedef struct TextFace { /* a font in one size and weight */
    float size;           /* points */
    bool bold;
    PangoFontDescription *description;
    float ascent, descent; /* points */
} TextFace;

typedef struct TextLine {
    PangoLayout *layout; /* NULL: it has pieces */
    tacTextPiece *pieces;
    uint32_t nPieces;
    float width; /* points */
} TextLine;

struct tacShaper {
    PangoContext *context;
    char *families;
    TAC_ARRAY(TextFace) faces; /* few: searched one by one */
    TextFace spare;            /* for a face that found no memory in `faces` */
    tacInternTable keys;       /* number of the face in two bytes, then the text -> index of lines */
    TAC_ARRAY(TextLine) lines;
    TextLine loose; /* for a line that found no memory in `lines` */
    tacText scratch, key;
    bool failed; /* a text was shown as "?", for lack of memory */
};

/* ---- starting Pango --------------------------------------------------------------------------------------------- */

/* Bytes of address space for the first text: Pango begins threads with stacks of 8 MB each (with 46 MB left one of them
 * could not begin in 6 of 60 runs, with 67 MB none in 240). */
enum { ROOM = 64 << 20 };

/* Pango's libraries end the process where they get no memory. That is said, and no file is left half. */
static void onMessage(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
    if (!(level & G_LOG_LEVEL_ERROR)) {
        g_log_default_handler(domain, level, message, data);
        return;
    }
    tacSaveAbandon();
    fprintf(stderr, "tactus: there is no memory to draw with (%s)\n", message);
    _Exit(2);
}

/* Makes sure that Pango can begin. */
static tacStatus startPango(tacError *err) {
    static bool started;
    if (started) return TAC_OK;
    if (tacDrawNeed(err) != TAC_OK) return TAC_ERROR;
    uint64_t room = tacMachineRoom();
    if (room < ROOM)
        return tacFail(err, "MEMORY",
            "there is no memory to draw with: the limit of address space (ulimit -v) leaves %.0f MB, and texts need "
            "%.0f",
            (double) room / 1e6, (double) ROOM / 1e6);
    if (room < UINT64_MAX) tacMemOneHeap();
    g_log_set_default_handler(onMessage, NULL);
    started = true;
    return TAC_OK;
}

static PangoContext *newContext(void) {
    PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_cairo_context_set_resolution(context, 72);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("en"));
    pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
    return context;
}

/* The families to be tried, in the form of Pango; NULL: no memory. */
static char *familyList(const char *family) {
    tacText list = {0};
    size_t length = family ? strlen(family) : 0;
    tacText scratch = {0};
    const char *clean = length ? tacUtf8Clean(family, &length, &scratch) : "";
    if (clean && length) {
        tacTextAdd(&list, clean, length);
        tacTextAddString(&list, ", ");
    }
    tacTextAddString(&list, TAC_DEFAULT_FONT ", sans-serif");
    tacTextFree(&scratch);
    if (list.failed || !clean) tacTextFree(&list);
    return list.at;
}

tacShaper *tacShaperNew(const char *family, tacError *err) {
    if (startPango(err) != TAC_OK) return NULL;
    tacShaper *shaper = tacAllocZero(1, sizeof *shaper);
    if (shaper) shaper->families = familyList(family);
    if (!shaper || !shaper->families) {
        tacFree(shaper);
        tacFailMemory(err);
        return NULL;
    }
    shaper->context = newContext();
    PangoFontDescription *any = pango_font_description_from_string(TAC_DEFAULT_FONT ", sans-serif 8");
    PangoFont *font = pango_context_load_font(shaper->context, any);
    bool found = font != NULL; /* without any font Pango would show every letter as a box with its code */
    pango_font_description_free(any);
    g_clear_object(&font);
    if (found) return shaper;
    tacShaperFree(shaper);
    tacFail(err, "FONT NONE", "no font is installed; a figure needs one (Debian package fonts-dejavu-core)");
    return NULL;
}

static void freeLine(TextLine *line) {
    g_clear_object(&line->layout);
    for (uint32_t i = 0; i < line->nPieces; i++) g_object_unref(line->pieces[i].layout);
    tacFree(line->pieces);
    *line = (TextLine){.layout = NULL};
}

static void dropLines(tacShaper *shaper) {
    for (size_t i = 0; i < shaper->lines.count; i++) freeLine(&shaper->lines.at[i]);
    tacArrayFree(&shaper->lines);
    tacInternFree(&shaper->keys);
    freeLine(&shaper->loose);
}

static void dropFaces(tacShaper *shaper) {
    for (size_t i = 0; i < shaper->faces.count; i++) pango_font_description_free(shaper->faces.at[i].description);
    tacArrayFree(&shaper->faces);
    if (shaper->spare.description) pango_font_description_free(shaper->spare.description);
    shaper->spare.description = NULL;
}

void tacShaperFree(tacShaper *shaper) {
    if (!shaper) return;
    dropLines(shaper);
    dropFaces(shaper);
    g_clear_object(&shaper->context);
    tacTextFree(&shaper->scratch);
    tacTextFree(&shaper->key);
    tacFree(shaper->families);
    tacFree(shaper);
}

/* ---- faces ------------------------------------------------------------------------------------------------------ */

static float points(int pangoUnits) { return (float) pangoUnits / PANGO_SCALE; }

static TextFace newFace(const tacShaper *shaper, float size, bool bold) {
    TextFace face = {.size = size, .bold = bold, .description = pango_font_description_new()};
    pango_font_description_set_family(face.description, shaper->families);
    pango_font_description_set_weight(face.description, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(face.description, (double) size * PANGO_SCALE);
    PangoFontMetrics *metrics = pango_context_get_metrics(shaper->context, face.description, NULL);
    face.ascent = points(pango_font_metrics_get_ascent(metrics));
    face.descent = points(pango_font_metrics_get_descent(metrics));
    pango_font_metrics_unref(metrics);
    return face;
}

/* The face of a size and weight; *number: its place in `faces`, or TAC_NONE for the spare one. */
static const TextFace *faceOf(tacShaper *shaper, float size, bool bold, uint32_t *number) {
    if (!(size > 0.1f)) size = 0.1f;
    if (size > 1000) size = 1000;
    for (size_t i = 0; i < shaper->faces.count; i++) {
        if (shaper->faces.at[i].size != size || shaper->faces.at[i].bold != bold) continue;
        *number = (uint32_t) i;
        return &shaper->faces.at[i];
    }
    if (shaper->faces.count >= UINT16_MAX) {
        dropLines(shaper);
        dropFaces(shaper);
    }
    TextFace face = newFace(shaper, size, bold);
    *number = (uint32_t) shaper->faces.count;
    if (tacArrayPush(&shaper->faces, face)) return &shaper->faces.at[*number];
    *number = TAC_NONE;
    if (shaper->spare.description) pango_font_description_free(shaper->spare.description);
    shaper->spare = face;
    return &shaper->spare;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* Shapes a text in one font; *width: points. */
static PangoLayout *shape(
    tacShaper *shaper, const PangoFontDescription *font, const char *text, size_t length, float *width) {
    PangoLayout *layout = pango_layout_new(shaper->context);
    PangoRectangle extents;
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_set_auto_dir(layout, FALSE);
    pango_layout_set_font_description(layout, font);
    pango_layout_set_text(layout, text, (int) length);
    pango_layout_line_get_extents(pango_layout_get_line_readonly(layout, 0), NULL, &extents);
    *width = points(extents.width);
    return layout;
}

/* Shapes a run of maths in the face, smaller and in the run's style. */
static tacTextPiece newPiece(
    tacShaper *shaper, const TextFace *face, const tacMathsLine *maths, const tacMathsRun *run) {
    tacTextPiece piece = {.rise = run->rise * face->size, .size = run->size * face->size, .style = run->style};
    PangoFontDescription *font = pango_font_description_copy(face->description);
    pango_font_description_set_absolute_size(font, (double) piece.size * PANGO_SCALE);
    if (run->style & TAC_MATHS_ITALIC) pango_font_description_set_style(font, PANGO_STYLE_ITALIC);
    if (run->style & TAC_MATHS_BOLD) pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    if (run->style & TAC_MATHS_MONO) pango_font_description_set_family(font, "monospace");
    piece.layout = shape(shaper, font, maths->text.at + run->first, run->length, &piece.width);
    piece.text = pango_layout_get_text(piece.layout);
    pango_font_description_free(font);
    return piece;
}

/* Places the runs of maths one behind the other, but scripts of one letter above each other. */
static void placePieces(tacShaper *shaper, const TextFace *face, const tacMathsLine *maths, TextLine *line) {
    enum { MOST = 64 }; /* places that are remembered: more than groups can be open */
    float begins[MOST], ends[MOST], x = 0;
    size_t open = 0;
    for (size_t i = 0; i < maths->runs.count; i++) {
        const tacMathsRun *run = &maths->runs.at[i];
        if (run->pen == TAC_MATHS_SHOW) {
            tacTextPiece *piece = &line->pieces[line->nPieces++];
            *piece = newPiece(shaper, face, maths, run);
            piece->x = x;
            x += piece->width;
        } else if (run->pen == TAC_MATHS_KEEP) {
            if (open < MOST) begins[open] = ends[open] = x;
            open++;
        } else if (open-- <= MOST) {
            ends[open] = x > ends[open] ? x : ends[open];
            x = run->pen == TAC_MATHS_BACK ? begins[open] : ends[open];
            open += run->pen == TAC_MATHS_BACK;
        }
    }
    line->width = x;
}

/* Shapes a line with maths. False: it has none, or there is no memory. */
static bool shapeMaths(tacShaper *shaper, const TextFace *face, const char *text, size_t length, TextLine *line) {
    tacMathsLine maths = {.failed = false};
    if (!tacMathsIn(text, length)) return false;
    tacMathsRuns(text, length, &maths);
    line->pieces = maths.failed ? NULL : tacAllocZero(maths.runs.count, sizeof *line->pieces);
    if (line->pieces) placePieces(shaper, face, &maths, line);
    else shaper->failed = true;
    tacMathsLineFree(&maths);
    return line->pieces != NULL;
}

static TextLine newLine(tacShaper *shaper, const TextFace *face, const char *text, size_t length) {
    TextLine line = {.layout = NULL};
    const char *clean = tacUtf8Clean(text, &length, &shaper->scratch);
    if (!clean) shaper->failed = true;
    if (clean && shapeMaths(shaper, face, clean, length, &line)) return line;
    line.layout = shape(shaper, face->description, clean ? clean : "?", clean ? length : 1, &line.width);
    return line;
}

/* Index of a line in `lines`, for a new line the number of lines so far; TAC_NONE: it cannot be kept. */
static uint32_t keyOf(tacShaper *shaper, uint32_t face, const char *text, size_t length) {
    if (face == TAC_NONE) return TAC_NONE;
    if (tacInternCount(&shaper->keys) >= MOST_LINES) dropLines(shaper);
    if (!tacArrayReserve(&shaper->lines, 1)) return TAC_NONE;
    char number[2] = {(char) (face & 0xFF), (char) (face >> 8)};
    shaper->key.length = 0;
    tacTextAdd(&shaper->key, number, sizeof number);
    tacTextAdd(&shaper->key, text, length);
    if (!shaper->key.failed) return tacIntern(&shaper->keys, shaper->key.at, shaper->key.length);
    tacTextFree(&shaper->key);
    return TAC_NONE;
}

/* The shaped line of a text, and its face. */
static const TextLine *lineOf(
    tacShaper *shaper, const char *text, size_t length, float size, bool bold, const TextFace **face) {
    uint32_t number, key;
    *face = faceOf(shaper, size, bold, &number);
    key = keyOf(shaper, number, text, length);
    if (key < shaper->lines.count) return &shaper->lines.at[key];
    TextLine line = newLine(shaper, *face, text, length);
    if (key != TAC_NONE) {
        shaper->lines.at[shaper->lines.count++] = line; /* reserved by keyOf */
        return &shaper->lines.at[key];
    }
    freeLine(&shaper->loose);
    shaper->loose = line;
    return &shaper->loose;
}

size_t tacShaperPieces(
    tacShaper *shaper, const char *text, size_t length, float size, bool bold, const tacTextPiece **pieces) {
    const TextFace *face;
    const TextLine *line = lineOf(shaper, text, length, size, bold, &face);
    *pieces = line->pieces;
    return line->nPieces;
}

/* ---- showing ---------------------------------------------------------------------------------------------------- */

/* Shows what was shaped, at a place of cairo's user space. */
static void showLayout(cairo_t *cr, PangoLayout *layout, double x, double y, bool outlines) {
    PangoLayoutLine *shaped = pango_layout_get_line_readonly(layout, 0);
    cairo_move_to(cr, x, y);
    if (outlines) {
        pango_cairo_layout_line_path(cr, shaped);
        cairo_fill(cr);
    } else pango_cairo_show_layout_line(cr, shaped);
}

void tacShaperShow(
    tacShaper *shaper, cairo_t *cr, const char *text, size_t length, const tacTextPlace *place, bool outlines) {
    static const float shares[] = {[TAC_ANCHOR_LEFT] = 0, [TAC_ANCHOR_CENTER] = 0.5f, [TAC_ANCHOR_RIGHT] = 1};
    const TextFace *face;
    const TextLine *line = lineOf(shaper, text, length, place->size, place->bold, &face);
    float x = place->x - shares[place->anchor] * line->width, y = place->baseline;
    if (place->upright) {
        cairo_save(cr);
        cairo_translate(cr, place->x, place->baseline);
        cairo_rotate(cr, -G_PI / 2);
        x = -shares[place->anchor] * line->width;
        y = 0;
    }
    if (line->layout) showLayout(cr, line->layout, x, y, outlines);
    for (uint32_t i = 0; i < line->nPieces; i++)
        showLayout(cr, line->pieces[i].layout, x + line->pieces[i].x, y - line->pieces[i].rise, outlines);
    if (place->upright) cairo_restore(cr);
}

bool tacShaperFailed(const tacShaper *shaper) { return shaper->failed; }

/* ---- for layout ------------------------------------------------------------------------------------------------- */

/* Width of one line in points; ascent and descent of the font, points above and below the baseline (may be NULL). */
static float measureWidth(
    void *data, const char *text, size_t length, float size, bool bold, float *ascent, float *descent) {
    const TextFace *face;
    const TextLine *line = lineOf(data, text, length, size, bold, &face);
    if (ascent) *ascent = face->ascent;
    if (descent) *descent = face->descent;
    return line->width;
}

tacStatus tacMeasurePango(const char *family, tacMeasure *measure, tacError *err) {
    *measure = (tacMeasure){tacShaperNew(family, err), measureWidth};
    return measure->data ? TAC_OK : TAC_ERROR;
}

void tacMeasureFree(tacMeasure *measure) {
    tacShaperFree(measure->data);
    measure->data = NULL;
}
