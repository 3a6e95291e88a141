/*
 * picture.c -- the widget tactus::picture: a window onto a drawing.
 *
 *      drawing changed, window resized, scrolled -> one redraw at idle time: paint what is seen -> put -> show
 *
 * It paints by the painter of figures on the screen of the timeline; a point has as many pixels as `tk scaling` says.
 * It has no colours of its own: the paper is the drawing's, so a dark theme is a drawing in dark colours. A script that
 * draws only the visible part makes the drawing as large as the window (`size`); a larger drawing is scrolled.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tcl/drawing.h"
#include "tk/picture.h"
#include "tk/widget.h"
#include "view/drawCalls.h"
#include "view/paint.h"

#include <math.h>
#include <string.h>

typedef struct Picture {
    tacWidget widget;
    char *name; /* -drawing; NULL: none */
    tacDrawingUser user;
    int x, y;      /* pixels of the drawing that lie left of and above the window */
    bool stale;    /* something is to be painted */
    bool failed;   /* painting failed, and that was reported */
    int64_t spent; /* microseconds of the last painting and putting */
} Picture;

/* ---- options ---------------------------------------------------------------------------------------------------- */

enum { DRAWING_CHANGED = TAC_OWN_CHANGED };

#define AT(field) (int) offsetof(Picture, field)
static const Tk_OptionSpec optionSpecs[] = {
    {TK_OPTION_STRING, "-drawing", "drawing", "Drawing", "", -1, AT(name), TK_OPTION_NULL_OK, NULL, DRAWING_CHANGED},
    {TK_OPTION_PIXELS, "-height", "height", "Height", "150p", -1, AT(widget.height), 0, NULL, TAC_GEOMETRY_CHANGED},
    {TK_OPTION_PIXELS, "-highlightthickness", "highlightThickness", "HighlightThickness", "0", -1,
        AT(widget.highlightWidth), 0, NULL, TAC_GEOMETRY_CHANGED},
    {TK_OPTION_PIXELS, "-width", "width", "Width", "250p", -1, AT(widget.width), 0, NULL, TAC_GEOMETRY_CHANGED},
    {TK_OPTION_END, NULL, NULL, NULL, NULL, 0, -1, 0, tacWidgetOptions, 0},
};
#undef AT

/* ---- places ----------------------------------------------------------------------------------------------------- */

/* The drawing's size in pixels. */
static void drawingSize(const Picture *p, int *width, int *height) {
    double scaling = tacScreenScaling(p->widget.window);
    *width = *height = 1;
    if (!p->user.drawing) return;
    const tacDisplay *display = &tacDrawingSheet(p->user.drawing)->display;
    *width = (int) fmin(ceil(display->width * scaling - 0.01), 1e8);
    *height = (int) fmin(ceil(display->height * scaling - 0.01), 1e8);
}

/* A scroll offset within the drawing. */
static int clampTo(int at, int size, int seen) {
    int most = size > seen ? size - seen : 0;
    return at < 0 ? 0 : at > most ? most : at;
}

static void clampOffsets(Picture *p) {
    int width, height;
    tacArea inner = tacWidgetInner(&p->widget);
    drawingSize(p, &width, &height);
    p->x = clampTo(p->x, width, inner.width);
    p->y = clampTo(p->y, height, inner.height);
}

/* The two fractions that scroll bars show. */
static void fractionsOf(int at, int seen, int size, double fractions[2]) {
    fractions[0] = size > seen ? (double) at / size : 0;
    fractions[1] = size > seen ? fmin(1, (double) (at + seen) / size) : 1;
}

/* ---- painting --------------------------------------------------------------------------------------------------- */

static tacStatus paintDrawing(Picture *p, cairo_t *cr, tacArea inner, tacError *err) {
    double scaling = tacScreenScaling(p->widget.window);
    tacDrawingRecord *drawing = p->user.drawing;
    tacPaintColor(cr, drawing ? tacDrawingPaper(drawing) : 0xFFFFFF);
    cairo_paint(cr);
    const tacMeasure *measure = drawing ? tacDrawingMeasure(drawing, err) : NULL;
    if (!measure) return drawing ? TAC_ERROR : TAC_OK;
    tacPaintOptions options = {.shaper = measure->data, .pixels = scaling, .screen = true};
    options.clip = (tacBox){(float) (p->x / scaling), (float) (p->y / scaling),
        (float) ((p->x + inner.width) / scaling), (float) ((p->y + inner.height) / scaling)};
    cairo_translate(cr, -p->x, -p->y);
    cairo_scale(cr, scaling, scaling);
    return tacPaint(tacSheetDisplay(tacDrawingSheet(drawing)), cr, &options, err);
}

static tacStatus paint(Picture *p, tacArea inner, tacError *err) {
    tacPixels pixels;
    if (!tacScreenCanvas(p->widget.screen, TAC_CANVAS_FRAME, inner.width, inner.height, &pixels))
        return tacFailMemory(err);
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        pixels.at, CAIRO_FORMAT_RGB24, pixels.width, pixels.height, pixels.stride);
    cairo_t *cr = cairo_create(surface);
    tacStatus status = paintDrawing(p, cr, inner, err);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    cairo_surface_destroy(surface);
    tacScreenPut(p->widget.screen, &pixels, (tacArea){0, 0, inner.width, inner.height}, inner.x, inner.y);
    return status;
}

/* Paints and shows the drawing, if it is stale. An error is reported once, until painting works again. */
static void redraw(Picture *p) {
    tacError err = {{0}, {0}};
    if (!p->widget.window || !p->stale || !Tk_IsMapped(p->widget.window) || !tacWidgetScreen(&p->widget)) return;
    int64_t begin = tacMicroseconds();
    clampOffsets(p);
    p->stale = paint(p, tacWidgetInner(&p->widget), &err) != TAC_OK; /* stale still: the next event tries again */
    if (p->stale && !p->failed) tacWidgetTellError(&p->widget, &err);
    p->failed = p->stale;
    tacWidgetHighlight(&p->widget);
    p->spent = tacMicroseconds() - begin;
}

static void display(void *widget) {
    Picture *p = widget;
    int width, height;
    double fractions[2];
    redraw(p);
    if (!p->widget.window) return;
    tacArea inner = tacWidgetInner(&p->widget);
    drawingSize(p, &width, &height);
    fractionsOf(p->x, inner.width, width, fractions);
    tacWidgetTellScroll(&p->widget, TAC_AXIS_X, fractions);
    fractionsOf(p->y, inner.height, height, fractions);
    if (p->widget.window) tacWidgetTellScroll(&p->widget, TAC_AXIS_Y, fractions);
}

static void redisplay(void *widget) {
    Picture *p = widget;
    p->stale = true;
    tacWidgetRedisplay(&p->widget);
}

/* ---- the drawing ------------------------------------------------------------------------------------------------ */

static void drawingChanged(void *data, const tacDrawingRecord *drawing) {
    Picture *p = data;
    if (!p->widget.window) return;
    if (!drawing && p->name) {
        Tcl_Free(p->name);
        p->name = NULL;
    }
    redisplay(p);
}

/* Makes the picture a user of the drawing that -drawing names. */
static int takeDrawing(Picture *p) {
    tacDrawingUser user = {.changed = drawingChanged, .data = p}, none = {.drawing = NULL};
    if (!p->name) {
        tacDrawingRelease(&p->user);
        p->user = none;
        return TCL_OK;
    }
    Tcl_Obj *name = Tcl_NewStringObj(p->name, -1);
    Tcl_IncrRefCount(name);
    int result = tacDrawingUse(p->widget.interp, name, &user);
    if (result == TCL_OK) {
        tacDrawingRelease(&user); /* users are linked by their addresses, so it is taken again at its place */
        tacDrawingRelease(&p->user);
        p->user = (tacDrawingUser){.changed = drawingChanged, .data = p};
        result = tacDrawingUse(p->widget.interp, name, &p->user);
    }
    Tcl_DecrRefCount(name);
    return result;
}

static int configure(void *widget, int mask) {
    Picture *p = widget;
    if (mask & DRAWING_CHANGED && takeDrawing(p) != TCL_OK) return TCL_ERROR;
    if (mask) redisplay(p);
    return TCL_OK;
}

/* ---- subcommands ------------------------------------------------------------------------------------------------ */

/* Reads a pixel of the window as a point of the drawing. */
static int pointFromWords(const Picture *p, Tcl_Interp *interp, Tcl_Obj *const words[2], double *x, double *y) {
    int pixelX, pixelY;
    if (Tcl_GetIntFromObj(interp, words[0], &pixelX) != TCL_OK
        || Tcl_GetIntFromObj(interp, words[1], &pixelY) != TCL_OK)
        return TCL_ERROR;
    double scaling = tacScreenScaling(p->widget.window), inset = tacWidgetInset(&p->widget);
    *x = (pixelX - inset + p->x) / scaling;
    *y = (pixelY - inset + p->y) / scaling;
    return TCL_OK;
}

static int pointsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    double x, y;
    (void) objc;
    return pointFromWords(data, interp, objv + 2, &x, &y) == TCL_OK ? tacPairResult(interp, x, y) : TCL_ERROR;
}

/* Gives the size of the window in points. */
static int sizeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    tacArea inner = tacWidgetInner(&p->widget);
    double scaling = tacScreenScaling(p->widget.window);
    (void) objc, (void) objv;
    return tacPairResult(interp, inner.width / scaling, inner.height / scaling);
}

/* Gives the tag of the figure at a pixel, or up to three pixels beside it. */
static int identifySub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    tacError err = {{0}, {0}};
    double x, y;
    (void) objc;
    if (pointFromWords(p, interp, objv + 2, &x, &y) != TCL_OK) return TCL_ERROR;
    if (!p->user.drawing) return TCL_OK;
    const tacMeasure *measure = tacDrawingMeasure(p->user.drawing, &err);
    if (!measure) return tacErrorToTcl(interp, &err);
    tacSheet *sheet = tacDrawingSheet(p->user.drawing);
    const tacItem *item = tacSheetFind(sheet, x, y, 0, measure);
    if (!item) item = tacSheetFind(sheet, x, y, 3 / tacScreenScaling(p->widget.window), measure);
    if (item) Tcl_SetObjResult(interp, Tcl_NewStringObj(tacSheetTagName(sheet, item->index), -1));
    return TCL_OK;
}

/* Runs `xview` or `yview`. at: the offset; seen, size: pixels of the window and of the drawing. */
static int scroll(Picture *p, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], int *at, int seen, int size) {
    double fraction, fractions[2];
    int count;
    fractionsOf(*at, seen, size, fractions);
    if (objc == 2) return tacPairResult(interp, fractions[0], fractions[1]);
    switch (Tk_GetScrollInfoObj(interp, objc, objv, &fraction, &count)) {
    case TK_SCROLL_MOVETO: *at = (int) fmax(-1, fmin(fraction * size, 2e8)); break;
    case TK_SCROLL_PAGES: *at = tacWithinInt(*at + (int64_t) count * (seen * 9 / 10)); break;
    case TK_SCROLL_UNITS: *at = tacWithinInt(*at + (int64_t) count * 40); break;
    default: return TCL_ERROR;
    }
    clampOffsets(p);
    redisplay(p);
    return TCL_OK;
}

static int xviewSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    int width, height;
    drawingSize(p, &width, &height);
    return scroll(p, interp, objc, objv, &p->x, tacWidgetInner(&p->widget).width, width);
}

static int yviewSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    int width, height;
    drawingSize(p, &width, &height);
    return scroll(p, interp, objc, objv, &p->y, tacWidgetInner(&p->widget).height, height);
}

/* Draws now and waits for the window system, for tests and measurements; the result is microseconds of painting. */
static int redrawSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    (void) objc, (void) objv;
    redraw(p);
    if (p->widget.screen) tacScreenSync(p->widget.screen);
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(p->spent));
    return TCL_OK;
}

const tacSubcommand tacPictureSubcommands[] = {
    {"cget", tacWidgetCget, 1, 1, "option", "value of an option"},
    {"configure", tacWidgetConfigure, 0, -1, "?option? ?value option value ...?", "changes options, or tells of them"},
    {"identify", identifySub, 2, 2, "x y", "tag of what is at a place"},
    {"points", pointsSub, 2, 2, "x y", "place of the drawing, in points, at a place of the window"},
    {"redraw", redrawSub, 0, 0, NULL, "draws at once"},
    {"size", sizeSub, 0, 0, NULL, "width and height of the window, in points"},
    {"xview", xviewSub, 0, 3, "?moveto|scroll ?arg ...??", "scrolls sideways"},
    {"yview", yviewSub, 0, 3, "?moveto|scroll ?arg ...??", "scrolls up and down"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

/* ---- hooks ------------------------------------------------------------------------------------------------------ */

static void handleEvent(void *widget, const XEvent *event) {
    Picture *p = widget;
    switch (event->type) {
    case Expose:
    case ConfigureNotify:
    case MapNotify: redisplay(p); break;
    case FocusIn:
    case FocusOut:
        if (tacWidgetInset(&p->widget)) redisplay(p);
        break;
    }
}

static void cleanup(void *widget) {
    Picture *p = widget;
    tacDrawingRelease(&p->user);
}

int tacPictureCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const tacWidgetSpec spec = {.className = "TactusPicture",
        .recordSize = sizeof(Picture),
        .optionSpecs = optionSpecs,
        .subcommands = tacPictureSubcommands,
        .initialMask = DRAWING_CHANGED,
        .configure = configure,
        .display = display,
        .event = handleEvent,
        .worldChanged = redisplay,
        .cleanup = cleanup};
    (void) data;
    return tacWidgetConstructor(&spec, interp, objc, objv);
}
