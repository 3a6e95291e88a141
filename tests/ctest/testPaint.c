/*
 * testPaint.c -- the figure's way to files, for tests: `testPaint SUBCOMMAND ...`.
 *
 * A figure is given in the form that tacDisplayDump writes (view/display.c), one item a line, so that a test says in
 * plain words what is to be drawn:
 *   figure 200 100 font "DejaVu Sans" size 8
 *   rect bars 10 20 60 40 fill #CCCCCC pattern lines_up ink #000000 outline #000000 width 0.5
 *   line arrows 10 5 10 20 ink #000000 width 0.5 heads last
 *   path lines 10 60 20 50 | 30 60 40 50 ink #000000 width 1
 *   text text "Task 1" 5 30 right middle size 8 ink #000000
 *   shape lines disk at 50 80 size 4 fill #FF0000
 */
#include <tcl.h>

#include "base/port.h"

#include "base/save.h"
#include "tcl/dispatch.h"
#include "view/export.h"
#include "view/maths.h"
#include "view/paint.h"
#include "view/tex.h"
#include "view/utf8.h"
#include "view/writer.h"

#include <cairo.h>
#include <math.h>
#include <string.h>

/* ---- a display from its dump ------------------------------------------------------------------------------------- */

static const char *const kindNames[] = {"rect", "line", "path", "text", "shape", NULL};
static const char *const layerNames[] = {"back", "bars", "patterns", "lines", "arrows", "text", NULL};
static const char *const patternNames[] = {"none", "gray12", "gray25", "gray50", "gray75", "lines_up", "lines_down",
    "lines_vertical", "lines_horizontal", "stripes_up", "stripes_down", "stripes_vertical", "stripes_horizontal",
    "spots", NULL};
static const char *const dashNames[] = {"solid", "dashed", "dotted", NULL};
static const char *const headNames[] = {"none", "first", "last", "both", NULL};
static const char *const shapeNames[] = {
    "disk", "circle", "square", "diamond", "cross", "plus", "triangleUp", "triangleDown", "letter", NULL};
static const char *const anchorNames[] = {"left", "center", "right", NULL};

typedef struct Parser { /* the words of a line */
    Tcl_Interp *interp;
    tacDisplay *display;
    tacItem *item;
    Tcl_Obj **words;
    Tcl_Size count, next;
} Parser;

static int wordIndex(Parser *p, const char *const *names, const char *what, int *index) {
    if (p->next >= p->count) {
        Tcl_SetObjResult(p->interp, Tcl_ObjPrintf("%s missing", what));
        return TCL_ERROR;
    }
    return Tcl_GetIndexFromObj(p->interp, p->words[p->next++], names, what, TCL_EXACT, index);
}

static int wordFloat(Parser *p, float *value) {
    double number;
    if (p->next >= p->count) {
        Tcl_SetObjResult(p->interp, Tcl_NewStringObj("number missing", -1));
        return TCL_ERROR;
    }
    if (strcmp(Tcl_GetString(p->words[p->next]), "NaN") == 0) number = NAN; /* which Tcl does not take */
    else if (Tcl_GetDoubleFromObj(p->interp, p->words[p->next], &number) != TCL_OK) return TCL_ERROR;
    p->next++;
    *value = (float) number;
    return TCL_OK;
}

static int wordFloats(Parser *p, int n, float **values) {
    for (int i = 0; i < n; i++)
        if (wordFloat(p, values[i]) != TCL_OK) return TCL_ERROR;
    return TCL_OK;
}

static int wordColor(Parser *p, uint32_t *color) {
    unsigned value;
    if (p->next >= p->count || sscanf(Tcl_GetString(p->words[p->next++]), "#%6x", &value) != 1) {
        Tcl_SetObjResult(p->interp, Tcl_NewStringObj("colour missing", -1));
        return TCL_ERROR;
    }
    *color = value;
    return TCL_OK;
}

/* Texts may have any bytes: \xHH in the test's text is byte HH. */
static void wordText(Parser *p) {
    if (p->next >= p->count) return;
    Tcl_DString bytes;
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(p->words[p->next++], &length);
    Tcl_DStringInit(&bytes);
    for (const char *at = text; at < text + length; at++) {
        unsigned value;
        if (at[0] == '\\' && at[1] == 'x' && sscanf(at + 2, "%2x", &value) == 1) {
            char byte = (char) value;
            Tcl_DStringAppend(&bytes, &byte, 1);
            at += 3;
        } else Tcl_DStringAppend(&bytes, at, 1);
    }
    p->item->text = tacDisplayText(p->display, Tcl_DStringValue(&bytes), (size_t) Tcl_DStringLength(&bytes));
    Tcl_DStringFree(&bytes);
}

static int parsePoints(Parser *p) {
    p->item->first = (uint32_t) p->display->points.count;
    for (; p->next < p->count; p->item->count++) {
        const char *word = Tcl_GetString(p->words[p->next]);
        tacPoint point = {NAN, NAN};
        if (strcmp(word, "|") == 0) p->next++;
        else if (word[0] >= 'a' && word[0] <= 'z') break;
        else if (wordFloats(p, 2, (float *[]){&point.x, &point.y}) != TCL_OK) return TCL_ERROR;
        if (!tacArrayPush(&p->display->points, point)) p->display->failed = true;
    }
    return TCL_OK;
}

/* What comes before the options. */
static int parsePlace(Parser *p) {
    tacItem *item = p->item;
    int index;
    switch (item->kind) {
    case TAC_ITEM_PATH: return parsePoints(p);
    case TAC_ITEM_TEXT:
        wordText(p);
        if (wordFloats(p, 2, (float *[]){&item->x0, &item->y0}) != TCL_OK
            || wordIndex(p, anchorNames, "anchor", &index) != TCL_OK)
            return TCL_ERROR;
        item->anchor = (uint8_t) index;
        return TCL_OK;
    case TAC_ITEM_SHAPE:
        if (wordIndex(p, shapeNames, "shape", &index) != TCL_OK) return TCL_ERROR;
        item->shape = (uint8_t) index;
        p->next++; /* "at" */
        if (wordFloats(p, 2, (float *[]){&item->x0, &item->y0}) != TCL_OK) return TCL_ERROR;
        p->next++; /* "size" */
        if (wordFloat(p, &item->x1) != TCL_OK) return TCL_ERROR;
        if (index == TAC_SHAPE_LETTER) wordText(p);
        return TCL_OK;
    default: return wordFloats(p, 4, (float *[]){&item->x0, &item->y0, &item->x1, &item->y1});
    }
}

static int parseOption(Parser *p) {
    static const char *const names[] = {
        "fill", "ink", "outline", "width", "size", "pattern", "dash", "heads", "middle", "bold", NULL};
    enum { FILL, INK, OUTLINE, WIDTH, SIZE, PATTERN, DASH, HEADS, MIDDLE, BOLD };
    tacItem *item = p->item;
    int name, index = 0, result = wordIndex(p, names, "option", &name);
    if (result != TCL_OK) return result;
    switch (name) {
    case FILL: return wordColor(p, &item->fill);
    case INK: return wordColor(p, &item->ink);
    case OUTLINE: return wordColor(p, &item->outline);
    case WIDTH:
    case SIZE: return wordFloat(p, &item->width);
    case PATTERN:
        result = wordIndex(p, patternNames, "pattern", &index);
        item->pattern = (uint8_t) index;
        return result;
    case DASH:
        result = wordIndex(p, dashNames, "dash", &index);
        item->dash = (uint8_t) index;
        return result;
    case HEADS:
        result = wordIndex(p, headNames, "heads", &index);
        item->heads = (uint8_t) index;
        return result;
    case MIDDLE: item->middle = 1; return TCL_OK;
    default: item->bold = 1; return TCL_OK;
    }
}

/* What the item refers to ("slice 0 3", "merged 0 0 of 7") does not matter here. */
static bool isReference(Parser *p) {
    return p->count - p->next >= 3 && Tcl_GetIntFromObj(NULL, p->words[p->next + 1], &(int){0}) == TCL_OK
        && Tcl_GetIntFromObj(NULL, p->words[p->next + 2], &(int){0}) == TCL_OK;
}

/* Makes a path a band: the box around its points is its own. */
static void setBand(tacItem *item, const tacPoint *points) {
    item->band = 1;
    item->x0 = item->y0 = INFINITY, item->x1 = item->y1 = -INFINITY;
    for (uint32_t i = item->first; i < item->first + item->count; i++) {
        item->x0 = fminf(item->x0, points[i].x), item->x1 = fmaxf(item->x1, points[i].x);
        item->y0 = fminf(item->y0, points[i].y), item->y1 = fmaxf(item->y1, points[i].y);
    }
}

static int parseItem(Parser *p) {
    int kind, layer;
    if (wordIndex(p, kindNames, "item", &kind) != TCL_OK || wordIndex(p, layerNames, "layer", &layer) != TCL_OK)
        return TCL_ERROR;
    p->item = tacDisplayAdd(p->display, (tacItemKind) kind, (tacLayer) layer);
    if (!p->item) return TCL_OK;
    if (parsePlace(p) != TCL_OK) return TCL_ERROR;
    while (p->next < p->count && !isReference(p))
        if (parseOption(p) != TCL_OK) return TCL_ERROR;
    if (p->next < p->count && strcmp(Tcl_GetString(p->words[p->next]), "band") == 0)
        setBand(p->item, p->display->points.at);
    return TCL_OK;
}

static int parseFigure(Parser *p) {
    if (wordFloats(p, 2, (float *[]){&p->display->width, &p->display->height}) != TCL_OK) return TCL_ERROR;
    if (p->count - p->next < 4) return TCL_OK;
    Tcl_Size length;
    const char *font = Tcl_GetStringFromObj(p->words[p->next + 1], &length);
    if (length) p->display->font = tacCopyText(font, (size_t) length);
    p->next += 3;
    return wordFloat(p, &p->display->fontSize);
}

static int parseLine(Tcl_Interp *interp, tacDisplay *display, const char *line, Tcl_Size length) {
    Tcl_Obj *list = Tcl_NewStringObj(line, length);
    Tcl_IncrRefCount(list);
    Parser p = {.interp = interp, .display = display, .next = 0};
    int result = Tcl_ListObjGetElements(interp, list, &p.count, &p.words);
    if (result == TCL_OK && p.count > 0) {
        bool figure = strcmp(Tcl_GetString(p.words[0]), "figure") == 0;
        p.next = figure;
        result = figure ? parseFigure(&p) : parseItem(&p);
    }
    if (result != TCL_OK) Tcl_AppendResult(interp, " in: ", Tcl_GetString(list), NULL);
    Tcl_DecrRefCount(list);
    return result;
}

static int parseDisplay(Tcl_Interp *interp, Tcl_Obj *text, tacDisplay *display) {
    tacDisplayInit(display);
    display->fontSize = 8;
    for (const char *line = Tcl_GetString(text); *line;) {
        size_t length = strcspn(line, "\n");
        if (parseLine(interp, display, line, (Tcl_Size) length) != TCL_OK) {
            tacDisplayFree(display);
            return TCL_ERROR;
        }
        line += length + (line[length] == '\n');
    }
    tacDisplayFinish(display);
    return TCL_OK;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static int failWith(Tcl_Interp *interp, const tacError *err) {
    Tcl_SetObjResult(interp, Tcl_NewStringObj(err->message, -1));
    Tcl_SetObjErrorCode(interp, Tcl_ObjPrintf("TACTUS %s", err->code));
    return TCL_ERROR;
}

static void appendNumbers(Tcl_Obj *list, const float *numbers, int n) {
    for (int i = 0; i < n; i++) {
        char text[TAC_NUMBER_SIZE];
        tacNumber(numbers[i], text);
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewStringObj(text, -1));
    }
}

static Tcl_Obj *pixelOf(cairo_surface_t *image, int x, int y) {
    if (x < 0 || y < 0 || x >= cairo_image_surface_get_width(image) || y >= cairo_image_surface_get_height(image))
        return Tcl_NewStringObj("outside", -1);
    uint32_t pixel;
    cairo_surface_flush(image);
    memcpy(&pixel,
        cairo_image_surface_get_data(image) + (size_t) y * (size_t) cairo_image_surface_get_stride(image)
            + 4 * (size_t) x,
        4);
    return Tcl_ObjPrintf("#%06X", (unsigned) (pixel & 0xFFFFFF));
}

/* Colours at the points of a list {x y x y ...}. */
static int pixelsOf(Tcl_Interp *interp, cairo_surface_t *image, Tcl_Obj *points) {
    Tcl_Obj **words, *result = Tcl_NewObj();
    Tcl_Size count;
    int x, y;
    if (Tcl_ListObjGetElements(interp, points, &count, &words) != TCL_OK) return TCL_ERROR;
    for (Tcl_Size i = 0; i + 1 < count; i += 2) {
        if (Tcl_GetIntFromObj(interp, words[i], &x) != TCL_OK || Tcl_GetIntFromObj(interp, words[i + 1], &y) != TCL_OK)
            return TCL_ERROR;
        Tcl_ListObjAppendElement(NULL, result, pixelOf(image, x, y));
    }
    Tcl_SetObjResult(interp, result);
    return TCL_OK;
}

/* ---- subcommands ------------------------------------------------------------------------------------------------- */

static const tacExportFormat *formatOf(Tcl_Interp *interp, Tcl_Obj *name) {
    const tacExportFormat *format = tacExportFind(Tcl_GetString(name), NULL);
    if (!format) Tcl_SetObjResult(interp, Tcl_ObjPrintf("no format %s", Tcl_GetString(name)));
    return format;
}

/* export FORMAT FILE FIGURE ?DPI? */
static int exportCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacExportFormat *format = formatOf(interp, objv[2]);
    tacDisplay display;
    tacError err = {0};
    double resolution = 0;
    if (!format || (objc > 5 && Tcl_GetDoubleFromObj(interp, objv[5], &resolution) != TCL_OK)) return TCL_ERROR;
    if (parseDisplay(interp, objv[4], &display) != TCL_OK) return TCL_ERROR;
    tacStatus status = tacExportFile(&display, format, resolution, Tcl_GetString(objv[3]), &err);
    tacDisplayFree(&display);
    return status == TAC_OK ? TCL_OK : failWith(interp, &err);
}

/* named BOOLEAN: whether files have names while they are written from now on */
static int namedCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int named;
    (void) objc;
    if (Tcl_GetBooleanFromObj(interp, objv[2], &named) != TCL_OK) return TCL_ERROR;
    tacSaveNamed(named);
    return TCL_OK;
}

/* Begins to save a file, runs the script, and keeps what was saved or throws it away; the result: {nameless
 * result-of-the-script}. */
static int saveCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacSave save;
    tacError err = {0};
    int keep;
    (void) objc;
    if (Tcl_GetBooleanFromObj(interp, objv[3], &keep) != TCL_OK) return TCL_ERROR;
    if (tacSaveBegin(&save, Tcl_GetString(objv[2]), TAC_SAVE_AS_USUAL, &err) != TAC_OK) return failWith(interp, &err);
    fputs("saved", save.file);
    int code = Tcl_EvalObjEx(interp, objv[4], 0);
    Tcl_Obj *words[] = {Tcl_NewBooleanObj(save.nameless), Tcl_GetObjResult(interp)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, words));
    return tacSaveEnd(&save, keep, Tcl_GetString(objv[2]), &err) == TAC_OK ? code : failWith(interp, &err);
}

typedef struct Collector {
    Tcl_DString bytes;
    Tcl_Size limit; /* fails beyond it; negative: none */
    tacError *err;
} Collector;

static tacStatus collect(void *data, const void *bytes, size_t n) {
    Collector *c = data;
    if (c->limit >= 0 && Tcl_DStringLength(&c->bytes) + (Tcl_Size) n > c->limit)
        return tacFail(c->err, "FILE WRITE", "the medium is full");
    Tcl_DStringAppend(&c->bytes, bytes, (Tcl_Size) n);
    return TAC_OK;
}

/* bytes FORMAT FIGURE ?LIMIT? ?DPI?: what is written; an error when it is more than LIMIT bytes (-1: none) */
static int bytesCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacExportFormat *format = formatOf(interp, objv[2]);
    tacDisplay display;
    tacError err = {0};
    int limit = -1;
    double resolution = 0;
    if (!format || (objc > 4 && Tcl_GetIntFromObj(interp, objv[4], &limit) != TCL_OK)) return TCL_ERROR;
    if (objc > 5 && Tcl_GetDoubleFromObj(interp, objv[5], &resolution) != TCL_OK) return TCL_ERROR;
    if (parseDisplay(interp, objv[3], &display) != TCL_OK) return TCL_ERROR;
    Collector c = {.limit = limit, .err = &err};
    Tcl_DStringInit(&c.bytes);
    tacStatus status = format->write(&display, resolution, collect, &c, &err);
    if (status == TAC_OK)
        Tcl_SetObjResult(
            interp, Tcl_NewByteArrayObj((unsigned char *) Tcl_DStringValue(&c.bytes), Tcl_DStringLength(&c.bytes)));
    Tcl_DStringFree(&c.bytes);
    tacDisplayFree(&display);
    return status == TAC_OK ? TCL_OK : failWith(interp, &err);
}

/*
 * memory FORMAT FILE FIGURE: exports with the Nth allocation failing, N = 1, 2, ..., until it succeeds. Each failure
 * must be MEMORY and leave FILE as it was (its size, or absent). Returns how often it failed.
 */
static int memoryCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    const tacExportFormat *format = formatOf(interp, objv[2]);
    tacDisplay display;
    if (!format || parseDisplay(interp, objv[4], &display) != TCL_OK) return TCL_ERROR;
    int failures = 0, result = TCL_OK;
    for (uint64_t n = 1; result == TCL_OK; n++) {
        tacError err = {0};
        tacMemFailAt(n);
        tacStatus status = tacExportFile(&display, format, 0, Tcl_GetString(objv[3]), &err);
        bool reached = tacMemCalls() >= n;
        tacMemFailAt(0);
        if (status == TAC_OK && !reached) break;
        if (status != TAC_OK && strcmp(err.code, "MEMORY") != 0) result = failWith(interp, &err);
        failures += status != TAC_OK;
    }
    tacDisplayFree(&display);
    if (result == TCL_OK) Tcl_SetObjResult(interp, Tcl_NewIntObj(failures));
    return result;
}

/* find NAME FILE: the format's name; "" for NAME is none */
static int findCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    const char *name = Tcl_GetString(objv[2]);
    const tacExportFormat *format = tacExportFind(*name ? name : NULL, Tcl_GetString(objv[3]));
    Tcl_SetObjResult(interp, Tcl_NewStringObj(format ? format->name : "", -1));
    return TCL_OK;
}

/* pixels FILE.png {x y ...}: {width height} and the colours there */
static int pixelsCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    cairo_surface_t *image = cairo_image_surface_create_from_png(Tcl_GetString(objv[2]));
    int result = TCL_ERROR;
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS)
        Tcl_SetObjResult(interp, Tcl_NewStringObj(cairo_status_to_string(cairo_surface_status(image)), -1));
    else if ((result = pixelsOf(interp, image, objv[3])) == TCL_OK) {
        Tcl_Obj *list = Tcl_ObjPrintf(
            "{%d %d}", cairo_image_surface_get_width(image), cairo_image_surface_get_height(image));
        Tcl_ListObjAppendList(NULL, list, Tcl_GetObjResult(interp));
        Tcl_SetObjResult(interp, list);
    }
    cairo_surface_destroy(image);
    return result;
}

/* paint|screen FIGURE PIXELS {x0 y0 x1 y1} {x y ...} ?{xx yx xy yy x0 y0}? ?{x y}?: the colours of an image with that
 * many pixels a point, painted with that clip (as a window's), moved, turned or stretched by that matrix, and with the
 * beginning of cairo's coordinates at that place */
static int paintCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDisplay display;
    tacError err = {0};
    tacPaintOptions options = {0};
    float m[6] = {1, 0, 0, 1, 0, 0}, offset[2] = {0, 0};
    Parser matrix = {.interp = interp};
    if (objc > 6
        && (Tcl_ListObjGetElements(interp, objv[6], &matrix.count, &matrix.words) != TCL_OK
            || wordFloats(&matrix, 6, (float *[]){&m[0], &m[1], &m[2], &m[3], &m[4], &m[5]}) != TCL_OK))
        return TCL_ERROR;
    Parser place = {.interp = interp};
    if (objc > 7
        && (Tcl_ListObjGetElements(interp, objv[7], &place.count, &place.words) != TCL_OK
            || wordFloats(&place, 2, (float *[]){&offset[0], &offset[1]}) != TCL_OK))
        return TCL_ERROR;
    Parser clip = {.interp = interp};
    options.screen = strcmp(Tcl_GetString(objv[1]), "screen") == 0;
    if (Tcl_GetDoubleFromObj(interp, objv[3], &options.pixels) != TCL_OK
        || Tcl_ListObjGetElements(interp, objv[4], &clip.count, &clip.words) != TCL_OK)
        return TCL_ERROR;
    if (clip.count
        && wordFloats(&clip, 4, (float *[]){&options.clip.x0, &options.clip.y0, &options.clip.x1, &options.clip.y1})
            != TCL_OK)
        return TCL_ERROR;
    if (parseDisplay(interp, objv[2], &display) != TCL_OK) return TCL_ERROR;
    cairo_surface_t *image = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int) ceil(display.width * options.pixels), (int) ceil(display.height * options.pixels));
    cairo_surface_set_device_offset(image, offset[0], offset[1]);
    cairo_t *cr = cairo_create(image);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_transform(cr, &(cairo_matrix_t){m[0], m[1], m[2], m[3], m[4], m[5]});
    cairo_scale(cr, options.pixels, options.pixels);
    tacStatus status = tacPaint(&display, cr, &options, &err);
    cairo_destroy(cr);
    int result = status == TAC_OK ? pixelsOf(interp, image, objv[5]) : failWith(interp, &err);
    cairo_surface_destroy(image);
    tacDisplayFree(&display);
    return result;
}

/* measure FAMILY TEXT SIZE BOLD: {width ascent descent} in points, in hundredths; measured twice, which must agree */
static int measureCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    tacMeasure measure;
    tacError err = {0};
    double size;
    int bold;
    Tcl_Size length;
    const char *family = Tcl_GetString(objv[2]), *text = Tcl_GetStringFromObj(objv[3], &length);
    if (Tcl_GetDoubleFromObj(interp, objv[4], &size) != TCL_OK
        || Tcl_GetBooleanFromObj(interp, objv[5], &bold) != TCL_OK)
        return TCL_ERROR;
    if (tacMeasurePango(*family ? family : NULL, &measure, &err) != TAC_OK) return failWith(interp, &err);
    float first[3], again[3];
    first[0] = measure.width(measure.data, text, (size_t) length, (float) size, bold, &first[1], &first[2]);
    again[0] = measure.width(measure.data, text, (size_t) length, (float) size, bold, &again[1], &again[2]);
    tacMeasureFree(&measure);
    if (memcmp(first, again, sizeof first) != 0) {
        Tcl_SetObjResult(interp, Tcl_NewStringObj("the cache gives another width", -1));
        return TCL_ERROR;
    }
    Tcl_Obj *list = Tcl_NewObj();
    appendNumbers(list, first, 3);
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* measureFailing FAMILY TEXT SIZE: the width, each time with the Nth allocation failing; returns {failures
 * distinct-widths} */
static int measureFailingCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    double size;
    Tcl_Size length;
    const char *family = Tcl_GetString(objv[2]), *text = Tcl_GetStringFromObj(objv[3], &length);
    if (Tcl_GetDoubleFromObj(interp, objv[4], &size) != TCL_OK) return TCL_ERROR;
    int failures = 0;
    Tcl_Obj *widths = Tcl_NewDictObj();
    for (uint64_t n = 1, reached = 1; reached; n++) {
        tacMeasure measure;
        tacError err = {0};
        char number[TAC_NUMBER_SIZE];
        tacMemFailAt(n);
        if (tacMeasurePango(family, &measure, &err) != TAC_OK) failures++;
        else {
            tacNumber(measure.width(measure.data, text, (size_t) length, (float) size, false, NULL, NULL), number);
            Tcl_DictObjPut(NULL, widths, Tcl_NewStringObj(number, -1), Tcl_NewIntObj(1));
            tacMeasureFree(&measure);
        }
        reached = tacMemCalls() >= n;
        tacMemFailAt(0);
    }
    int distinct;
    Tcl_DictObjSize(NULL, widths, &distinct);
    Tcl_DecrRefCount(widths);
    Tcl_SetObjResult(interp, Tcl_ObjPrintf("%d %d", failures, distinct));
    return TCL_OK;
}

static void listHatch(void *data, const tacHatch *style, float x0, float y0, float x1, float y1) {
    Tcl_Obj *line = Tcl_NewObj();
    appendNumbers(line,
        (float[]){x0, y0, x1, y1, style->width, style->dashes.on, style->dashes.off, style->dashes.phase},
        style->dashes.on > 0 ? 8 : 5);
    Tcl_ListObjAppendElement(NULL, data, line);
}

/* hatch PATTERN x0 y0 x1 y1: its lines {x0 y0 x1 y1 width ?on off phase?} */
static int hatchCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Parser p = {.interp = interp, .words = (Tcl_Obj **) objv, .count = objc, .next = 2};
    int pattern;
    tacBox box;
    if (wordIndex(&p, patternNames, "pattern", &pattern) != TCL_OK
        || wordFloats(&p, 4, (float *[]){&box.x0, &box.y0, &box.x1, &box.y1}) != TCL_OK)
        return TCL_ERROR;
    Tcl_Obj *list = Tcl_NewObj();
    tacHatchEach((tacPattern) pattern, box, listHatch, list);
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* arrow HEADS WIDTH x0 y0 x1 y1: {from to head ...}, each a list of coordinates */
static int arrowCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Parser p = {.interp = interp, .words = (Tcl_Obj **) objv, .count = objc, .next = 2};
    tacItem item = {0};
    tacArrow arrow;
    int heads;
    if (wordIndex(&p, headNames, "heads", &heads) != TCL_OK) return TCL_ERROR;
    if (wordFloats(&p, 5, (float *[]){&item.width, &item.x0, &item.y0, &item.x1, &item.y1}) != TCL_OK) return TCL_ERROR;
    item.heads = (uint8_t) heads;
    tacArrowOf(&item, &arrow);
    Tcl_Obj *list = Tcl_NewObj(), *part = Tcl_NewObj();
    appendNumbers(part, (float[]){arrow.from.x, arrow.from.y, arrow.to.x, arrow.to.y}, 4);
    Tcl_ListObjAppendElement(NULL, list, part);
    for (int i = 0; i < arrow.nHeads; i++) {
        part = Tcl_NewObj();
        for (int j = 0; j < 4; j++) appendNumbers(part, (float[]){arrow.heads[i][j].x, arrow.heads[i][j].y}, 2);
        Tcl_ListObjAppendElement(NULL, list, part);
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* tex BYTES: as LaTeX source */
static int texCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    Tcl_Size n;
    const char *text = (const char *) Tcl_GetByteArrayFromObj(objv[2], &n);
    tacText scratch = {0}, out = {0};
    size_t length = (size_t) n;
    text = tacUtf8Clean(text, &length, &scratch);
    tacTexText(text, length, &out);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(out.at ? out.at : "", (Tcl_Size) out.length));
    tacTextFree(&scratch);
    tacTextFree(&out);
    return TCL_OK;
}

/* maths TEXT: a list of the parts, kind and text each, and one of the runs: pen, style, size, rise, text */
static int mathsCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const kinds[] = {"text", "escape", "word", "dollars"};
    static const char *const pens[] = {"show", "keep", "back", "join"};
    (void) objc;
    Tcl_Size n;
    const char *text = Tcl_GetStringFromObj(objv[2], &n);
    Tcl_Obj *parts = Tcl_NewObj(), *runs = Tcl_NewObj(), *both[] = {parts, runs};
    tacMathsScan scan;
    tacMathsPart part;
    tacMathsLine line = {.failed = false};
    tacMathsStart(&scan, text, (size_t) n);
    while (tacMathsNext(&scan, &part)) {
        Tcl_ListObjAppendElement(NULL, parts, Tcl_NewStringObj(kinds[part.kind], -1));
        Tcl_ListObjAppendElement(NULL, parts, Tcl_NewStringObj(part.at, (Tcl_Size) (part.end - part.at)));
    }
    tacMathsRuns(text, (size_t) n, &line);
    for (size_t i = 0; i < line.runs.count; i++) {
        const tacMathsRun *run = &line.runs.at[i];
        Tcl_Obj *shown = Tcl_ObjPrintf("%s", pens[run->pen]);
        if (run->pen == TAC_MATHS_SHOW) {
            Tcl_AppendPrintfToObj(shown, " %d %.3g %.3g", run->style, (double) run->size, (double) run->rise);
            Tcl_ListObjAppendElement(NULL, shown, Tcl_NewStringObj(line.text.at + run->first, (Tcl_Size) run->length));
        }
        Tcl_ListObjAppendElement(NULL, runs, shown);
    }
    tacMathsLineFree(&line);
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, both));
    return TCL_OK;
}

/* cut TEXT WIDTH SHARE: shortened to a width, of characters 6 points wide, and where the text may be cut, before the
 * same text once more, which is none of it */
static int cutCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    Tcl_Size n;
    double width, share;
    tacText cut = {0};
    const char *text = Tcl_GetStringFromObj(objv[2], &n);
    if (Tcl_GetDoubleFromObj(interp, objv[3], &width) != TCL_OK) return TCL_ERROR;
    if (Tcl_GetDoubleFromObj(interp, objv[4], &share) != TCL_OK) return TCL_ERROR;
    tacFittingMaths(&tacMeasureFixed, text, (float) width, (float) share, SIZE_MAX, 10, false, &cut);
    Tcl_Obj *places = Tcl_NewObj(), *both[] = {Tcl_NewStringObj(cut.at ? cut.at : "", -1), places};
    tacTextFree(&cut);
    Tcl_Obj *twice = Tcl_ObjPrintf("%s%s", text, text);
    for (size_t at = 0; at <= (size_t) n; at++)
        if (tacMathsCutAt(Tcl_GetString(twice), (size_t) n, at))
            Tcl_ListObjAppendElement(NULL, places, Tcl_NewWideIntObj((Tcl_WideInt) at));
    Tcl_DecrRefCount(twice);
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, both));
    return TCL_OK;
}

/* shorten TEXT HEAD TAIL: without the characters between; {text characters} */
static int shortenCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    Tcl_Size n;
    Tcl_WideInt head, tail;
    tacText cut = {0};
    const char *text = Tcl_GetStringFromObj(objv[2], &n);
    if (Tcl_GetWideIntFromObj(interp, objv[3], &head) != TCL_OK) return TCL_ERROR;
    if (Tcl_GetWideIntFromObj(interp, objv[4], &tail) != TCL_OK) return TCL_ERROR;
    size_t count = tacMathsShorten(text, (size_t) n, (size_t) head, (size_t) tail, &cut);
    Tcl_Obj *both[] = {Tcl_NewStringObj(cut.at ? cut.at : "", -1), Tcl_NewWideIntObj((Tcl_WideInt) count)};
    tacTextFree(&cut);
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, both));
    return TCL_OK;
}

/* clean BYTES: as it may be shown, bytes again */
static int cleanCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    Tcl_Size n;
    const char *text = (const char *) Tcl_GetByteArrayFromObj(objv[2], &n);
    tacText scratch = {0};
    size_t length = (size_t) n;
    text = tacUtf8Clean(text, &length, &scratch);
    Tcl_SetObjResult(interp, Tcl_NewByteArrayObj((const unsigned char *) text, (Tcl_Size) length));
    tacTextFree(&scratch);
    return TCL_OK;
}

/* number VALUE */
static int numberCmd(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    const char *word = Tcl_GetString(objv[2]);
    double value = NAN;
    if (strcmp(word, "NaN") != 0 && Tcl_GetDoubleFromObj(interp, objv[2], &value) != TCL_OK) return TCL_ERROR;
    char text[TAC_NUMBER_SIZE];
    tacNumber(value, text);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(text, -1));
    return TCL_OK;
}

static const struct Subcommand {
    const char *name;
    int least, most; /* words, with testPaint and the subcommand */
    int (*run)(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);
    const char *usage;
} subcommands[] = {
    {"arrow", 8, 8, arrowCmd, "heads width x0 y0 x1 y1"},
    {"bytes", 4, 6, bytesCmd, "format figure ?limit? ?dpi?"},
    {"clean", 3, 3, cleanCmd, "bytes"},
    {"export", 5, 6, exportCmd, "format file figure ?dpi?"},
    {"cut", 5, 5, cutCmd, "text width share"},
    {"shorten", 5, 5, shortenCmd, "text head tail"},
    {"find", 4, 4, findCmd, "name file"},
    {"hatch", 7, 7, hatchCmd, "pattern x0 y0 x1 y1"},
    {"maths", 3, 3, mathsCmd, "text"},
    {"measure", 6, 6, measureCmd, "family text size bold"},
    {"measureFailing", 5, 5, measureFailingCmd, "family text size"},
    {"memory", 5, 5, memoryCmd, "format file figure"},
    {"number", 3, 3, numberCmd, "value"},
    {"paint", 6, 8, paintCmd, "figure pixels clip points ?matrix? ?place?"},
    {"screen", 6, 8, paintCmd, "figure pixels clip points ?matrix? ?place?"},
    {"pixels", 4, 4, pixelsCmd, "file points"},
    {"named", 3, 3, namedCmd, "boolean"},
    {"save", 5, 5, saveCmd, "file keep script"},
    {"tex", 3, 3, texCmd, "bytes"},
    {NULL, 0, 0, NULL, NULL},
};

static int testPaintCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    int index;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "subcommand ?arg ...?");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObjStruct(interp, objv[1], subcommands, sizeof *subcommands, "subcommand", TCL_EXACT, &index)
        != TCL_OK)
        return TCL_ERROR;
    if (objc < subcommands[index].least || objc > subcommands[index].most) {
        Tcl_WrongNumArgs(interp, 2, objv, subcommands[index].usage);
        return TCL_ERROR;
    }
    return subcommands[index].run(interp, objc, objv);
}

int TacTestPaint_Init(Tcl_Interp *interp) {
    tacError err = {0};
    if (tacDrawNeed(&err) != TAC_OK) return tacErrorToTcl(interp, &err);
    Tcl_CreateObjCommand(interp, "testPaint", testPaintCmd, NULL, NULL);
    return TCL_OK;
}
