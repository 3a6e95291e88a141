/*
 * picture.c -- the widget tactus::picture: a window onto a drawing.
 *
 *	drawing changed, window resized, scrolled -> one redraw at idle time: paint what is seen -> put -> show
 *
 * It paints by the painter of figures and the screen of the timeline, a point being as many pixels as `tk scaling` has it.
 * It has no colours of its own: the paper is the drawing's, so that a dark theme is a drawing drawn in dark colours. Who
 * draws only what is seen makes the drawing as large as the window (`size`); a larger drawing is scrolled.
 */
#include <tcl.h>
#include <tk.h>
#include "base/port.h"

#include <cairo.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "tcl/dispatch.h"
#include "tcl/drawing.h"
#include "tk/picture.h"
#include "tk/screen.h"
#include "view/paint.h"

typedef struct Options {
    Tk_Cursor cursor;
    char *drawing, *takeFocus, *xScroll, *yScroll;
    XColor *highlightBackground, *highlightColor;
    int width, height, highlightWidth;	/* pixels; the size without the highlight */
} Options;

typedef struct Picture {
    Tk_Window window;		/* NULL: destroyed */
    Tcl_Interp *interp;
    Tcl_Command command;
    Tk_OptionTable optionTable;
    Options options;
    tacDrawingUser user;
    tacScreen *screen;		/* NULL: not drawn yet */
    int x, y;			/* pixels of the drawing that lie left of and above the window */
    bool stale, waiting, focused;	/* something is to be painted; the idle handler is due */
    bool failed;		/* told that painting fails */
    double xTold[2], yTold[2];	/* fractions last told to the scroll commands */
    int64_t spent;		/* microseconds of the last painting and putting */
} Picture;

/* ---- options ---------------------------------------------------------------------------------------------------- */

enum { ON_SIZE = 1, ON_DRAWING = 2, ON_SCROLL = 4, ON_LOOK = 8 };

#define AT(field) (int) offsetof(Options, field)
static const Tk_OptionSpec optionSpecs[] = {
    {TK_OPTION_CURSOR, "-cursor", "cursor", "Cursor", "", -1, AT(cursor), TK_OPTION_NULL_OK, NULL, 0},
    {TK_OPTION_STRING, "-drawing", "drawing", "Drawing", "", -1, AT(drawing), TK_OPTION_NULL_OK, NULL, ON_DRAWING},
    {TK_OPTION_PIXELS, "-height", "height", "Height", "150p", -1, AT(height), 0, NULL, ON_SIZE},
    {TK_OPTION_COLOR, "-highlightbackground", "highlightBackground", "HighlightBackground", "#d9d9d9", -1, AT(highlightBackground), 0, "white", ON_LOOK},
    {TK_OPTION_COLOR, "-highlightcolor", "highlightColor", "HighlightColor", "#000000", -1, AT(highlightColor), 0, "black", ON_LOOK},
    {TK_OPTION_PIXELS, "-highlightthickness", "highlightThickness", "HighlightThickness", "0", -1, AT(highlightWidth), 0, NULL, ON_SIZE},
    {TK_OPTION_STRING, "-takefocus", "takeFocus", "TakeFocus", "1", -1, AT(takeFocus), TK_OPTION_NULL_OK, NULL, 0},
    {TK_OPTION_PIXELS, "-width", "width", "Width", "250p", -1, AT(width), 0, NULL, ON_SIZE},
    {TK_OPTION_STRING, "-xscrollcommand", "xScrollCommand", "ScrollCommand", "", -1, AT(xScroll), TK_OPTION_NULL_OK, NULL, ON_SCROLL},
    {TK_OPTION_STRING, "-yscrollcommand", "yScrollCommand", "ScrollCommand", "", -1, AT(yScroll), TK_OPTION_NULL_OK, NULL, ON_SCROLL},
    {TK_OPTION_END, NULL, NULL, NULL, NULL, 0, -1, 0, NULL, 0}
};
#undef AT

/* ---- places ----------------------------------------------------------------------------------------------------- */

static int64_t microseconds(void) {
    Tcl_Time now;
    Tcl_GetTime(&now);
    return (int64_t) now.sec * 1000000 + now.usec;
}

static int insetOf(const Picture *p) {
    int width = p->options.highlightWidth;
    return width < 0 ? 0 : width > 255 ? 255 : width;
}

/* The window without its highlight; before it has a size, the size it asks for. */
static tacArea innerOf(const Picture *p) {
    int inset = insetOf(p), width = Tk_Width(p->window), height = Tk_Height(p->window);
    if (width <= 1 && height <= 1 && !Tk_IsMapped(p->window)) width = Tk_ReqWidth(p->window), height = Tk_ReqHeight(p->window);
    tacArea inner = {inset, inset, width - 2 * inset, height - 2 * inset};
    if (inner.width < 1) inner.width = 1;
    if (inner.height < 1) inner.height = 1;
    return inner;
}

/* The drawing's size in pixels. */
static void drawingSize(const Picture *p, int *width, int *height) {
    double scaling = tacScreenScaling(p->window);
    *width = *height = 1;
    if (!p->user.drawing) return;
    const tacDisplay *display = &tacDrawingSheet(p->user.drawing)->display;
    *width = (int) fmin(ceil(display->width * scaling - 0.01), 1e8);
    *height = (int) fmin(ceil(display->height * scaling - 0.01), 1e8);
}

static int clampTo(int at, int size, int seen) {
    int most = size > seen ? size - seen : 0;
    return at < 0 ? 0 : at > most ? most : at;
}

static void clampOffsets(Picture *p) {
    int width, height;
    tacArea inner = innerOf(p);
    drawingSize(p, &width, &height);
    p->x = clampTo(p->x, width, inner.width);
    p->y = clampTo(p->y, height, inner.height);
}

static void fractionsOf(int at, int seen, int size, double fractions[2]) {
    fractions[0] = size > seen ? (double) at / size : 0;
    fractions[1] = size > seen ? fmin(1, (double) (at + seen) / size) : 1;
}

/* ---- painting --------------------------------------------------------------------------------------------------- */

static void later(Picture *p);

static void setColor(cairo_t *cr, uint32_t color) {
    cairo_set_source_rgb(cr, (color >> 16 & 0xFF) / 255.0, (color >> 8 & 0xFF) / 255.0, (color & 0xFF) / 255.0);
}

static tacStatus paintDrawing(Picture *p, cairo_t *cr, tacArea inner, tacError *err) {
    double scaling = tacScreenScaling(p->window);
    tacDrawingRecord *drawing = p->user.drawing;
    setColor(cr, drawing ? tacDrawingPaper(drawing) : 0xFFFFFF);
    cairo_paint(cr);
    const tacMeasure *measure = drawing ? tacDrawingMeasure(drawing, err) : NULL;
    if (!measure) return drawing ? TAC_ERROR : TAC_OK;
    tacPaintOptions options = {.shaper = measure->data, .pixels = scaling, .screen = true};
    options.clip = (tacBox) {(float) (p->x / scaling), (float) (p->y / scaling), (float) ((p->x + inner.width) / scaling), (float) ((p->y + inner.height) / scaling)};
    cairo_translate(cr, -p->x, -p->y);
    cairo_scale(cr, scaling, scaling);
    return tacPaint(tacSheetDisplay(tacDrawingSheet(drawing)), cr, &options, err);
}

static tacStatus paint(Picture *p, tacArea inner, tacError *err) {
    tacPixels pixels;
    if (!tacScreenCanvas(p->screen, TAC_CANVAS_FRAME, inner.width, inner.height, &pixels)) return tacFailMemory(err);
    cairo_surface_t *surface = cairo_image_surface_create_for_data(pixels.at, CAIRO_FORMAT_RGB24, pixels.width, pixels.height, pixels.stride);
    cairo_t *cr = cairo_create(surface);
    tacStatus status = paintDrawing(p, cr, inner, err);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    cairo_surface_destroy(surface);
    tacScreenPut(p->screen, &pixels, (tacArea) {0, 0, inner.width, inner.height}, inner.x, inner.y);
    return status;
}

/* Told once, until painting works again. */
static void tellFailure(Picture *p, const tacError *err) {
    if (p->failed) return;
    p->failed = true;
    Tcl_InterpState state = Tcl_SaveInterpState(p->interp, TCL_OK);
    tacErrorToTcl(p->interp, err);
    Tcl_BackgroundException(p->interp, TCL_ERROR);
    Tcl_RestoreInterpState(p->interp, state);
}

static bool needScreen(Picture *p) {
    if (!p->screen) {
	Tk_MakeWindowExist(p->window);
	p->screen = tacScreenNew(p->window);
	Tk_SetWindowBackgroundPixmap(p->window, None);
    }
    return p->screen && tacScreenResize(p->screen, Tk_Width(p->window), Tk_Height(p->window));
}

static void redraw(Picture *p) {
    tacError err = {{0}, {0}};
    if (!p->window || !p->stale || !Tk_IsMapped(p->window) || !needScreen(p)) return;
    int64_t begin = microseconds();
    p->stale = false;
    clampOffsets(p);
    if (paint(p, innerOf(p), &err) == TAC_OK) p->failed = false;
    else tellFailure(p, &err);
    tacScreenFrame(p->screen, p->focused ? p->options.highlightColor : p->options.highlightBackground, insetOf(p));
    tacScreenShow(p->screen, (tacArea) {0, 0, Tk_Width(p->window), Tk_Height(p->window)});
    p->spent = microseconds() - begin;
}

/* ---- telling scroll bars ---------------------------------------------------------------------------------------- */

static void tellScroll(Picture *p, const char *prefix, double told[2], int at, int seen, int size) {
    double now[2];
    fractionsOf(at, seen, size, now);
    if (!prefix || (now[0] == told[0] && now[1] == told[1])) return;
    told[0] = now[0], told[1] = now[1];
    Tcl_Obj *script = Tcl_ObjPrintf("%s %.17g %.17g", prefix, now[0], now[1]);
    Tcl_IncrRefCount(script);
    int result = Tcl_EvalObjEx(p->interp, script, TCL_EVAL_GLOBAL);
    if (result != TCL_OK) Tcl_BackgroundException(p->interp, result);
    Tcl_DecrRefCount(script);
}

static void tellScrolls(Picture *p) {
    int width, height;
    tacArea inner = innerOf(p);
    drawingSize(p, &width, &height);
    tellScroll(p, p->options.xScroll, p->xTold, p->x, inner.width, width);
    if (p->window) tellScroll(p, p->options.yScroll, p->yTold, p->y, inner.height, height);
}

static void idle(ClientData data) {
    Picture *p = data;
    p->waiting = false;
    Tcl_Preserve(p);
    redraw(p);
    if (p->window) tellScrolls(p);
    Tcl_Release(p);
}

static void later(Picture *p) {
    p->stale = true;
    if (p->waiting || !p->window) return;
    p->waiting = true;
    Tcl_DoWhenIdle(idle, p);
}

/* ---- configuring ------------------------------------------------------------------------------------------------ */

static void drawingChanged(void *data, const tacDrawingRecord *drawing) {
    Picture *p = data;
    if (!p->window) return;
    if (!drawing && p->options.drawing) {
	Tcl_Free(p->options.drawing);
	p->options.drawing = NULL;
    }
    later(p);
}

static int takeDrawing(Picture *p) {
    tacDrawingUser user = {.changed = drawingChanged, .data = p}, none = {.drawing = NULL};
    if (!p->options.drawing) {
	tacDrawingRelease(&p->user);
	p->user = none;
	return TCL_OK;
    }
    Tcl_Obj *name = Tcl_NewStringObj(p->options.drawing, -1);
    Tcl_IncrRefCount(name);
    int result = tacDrawingUse(p->interp, name, &user);
    if (result == TCL_OK) {
	tacDrawingRelease(&user);	/* it is linked by its own address, so it is taken again into its place */
	tacDrawingRelease(&p->user);
	p->user = (tacDrawingUser) {.changed = drawingChanged, .data = p};
	result = tacDrawingUse(p->interp, name, &p->user);
    }
    Tcl_DecrRefCount(name);
    return result;
}

static int sensible(int pixels) {
    return pixels < 0 ? 0 : pixels > INT16_MAX ? INT16_MAX : pixels;
}

static void hold(Picture *p, int about) {
    if (about & ON_SIZE) {
	int inset = insetOf(p);
	Tk_SetInternalBorder(p->window, inset);
	Tk_GeometryRequest(p->window, sensible(p->options.width) + 2 * inset, sensible(p->options.height) + 2 * inset);
    }
    if (about & ON_SCROLL) p->xTold[0] = p->yTold[0] = -1;
    if (about) later(p);
}

/* All of the options hold, or none. */
static int configure(Picture *p, int objc, Tcl_Obj *const objv[], int about) {
    Tk_SavedOptions saved;
    int changed = 0;
    if (Tk_SetOptions(p->interp, (char *) &p->options, p->optionTable, objc, objv, p->window, &saved, &changed) != TCL_OK) return TCL_ERROR;
    if (((about | changed) & ON_DRAWING) && takeDrawing(p) != TCL_OK) {
	Tcl_InterpState state = Tcl_SaveInterpState(p->interp, TCL_ERROR);
	Tk_RestoreSavedOptions(&saved);
	return Tcl_RestoreInterpState(p->interp, state);
    }
    Tk_FreeSavedOptions(&saved);
    hold(p, about | changed);
    return TCL_OK;
}

static int configureSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    if (objc > 3) return configure(p, objc - 2, objv + 2, 0);
    Tcl_Obj *info = Tk_GetOptionInfo(interp, (char *) &p->options, p->optionTable, objc == 3 ? objv[2] : NULL, p->window);
    if (!info) return TCL_ERROR;
    Tcl_SetObjResult(interp, info);
    return TCL_OK;
}

static int cgetSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    (void) objc;
    Tcl_Obj *value = Tk_GetOptionValue(interp, (char *) &p->options, p->optionTable, objv[2], p->window);
    if (!value) return TCL_ERROR;
    Tcl_SetObjResult(interp, value);
    return TCL_OK;
}

/* ---- subcommands ------------------------------------------------------------------------------------------------ */

static int setPair(Tcl_Interp *interp, double a, double b) {
    Tcl_Obj *pair[2] = {Tcl_NewDoubleObj(a), Tcl_NewDoubleObj(b)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, pair));
    return TCL_OK;
}

/* Points of the drawing at a pixel of the window. */
static int pointsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    int x, y;
    (void) objc;
    if (Tcl_GetIntFromObj(interp, objv[2], &x) != TCL_OK || Tcl_GetIntFromObj(interp, objv[3], &y) != TCL_OK) return TCL_ERROR;
    double scaling = tacScreenScaling(p->window);
    return setPair(interp, ((double) x - insetOf(p) + p->x) / scaling, ((double) y - insetOf(p) + p->y) / scaling);
}

/* How large the window is, in points. */
static int sizeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    tacArea inner = innerOf(p);
    double scaling = tacScreenScaling(p->window);
    (void) objc, (void) objv;
    return setPair(interp, inner.width / scaling, inner.height / scaling);
}

/* The tag of what is seen at a pixel; narrow things are met three pixels aside. */
static int identifySub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    tacError err = {{0}, {0}};
    int x, y;
    (void) objc;
    if (Tcl_GetIntFromObj(interp, objv[2], &x) != TCL_OK || Tcl_GetIntFromObj(interp, objv[3], &y) != TCL_OK) return TCL_ERROR;
    if (!p->user.drawing) return TCL_OK;
    const tacMeasure *measure = tacDrawingMeasure(p->user.drawing, &err);
    if (!measure) return tacErrorToTcl(interp, &err);
    double scaling = tacScreenScaling(p->window), atX = ((double) x - insetOf(p) + p->x) / scaling, atY = ((double) y - insetOf(p) + p->y) / scaling;
    tacSheet *sheet = tacDrawingSheet(p->user.drawing);
    const tacItem *item = tacSheetFind(sheet, atX, atY, 0, measure);
    if (!item) item = tacSheetFind(sheet, atX, atY, 3 / scaling, measure);
    if (item) Tcl_SetObjResult(interp, Tcl_NewStringObj(tacSheetTagName(sheet, item->index), -1));
    return TCL_OK;
}

static int scroll(Picture *p, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], int *at, int seen, int size) {
    double fraction, fractions[2];
    int count;
    fractionsOf(*at, seen, size, fractions);
    if (objc == 2) return setPair(interp, fractions[0], fractions[1]);
    switch (Tk_GetScrollInfoObj(interp, objc, objv, &fraction, &count)) {
    case TK_SCROLL_MOVETO: *at = (int) fmax(-1, fmin(fraction * size, 2e8)); break;
    case TK_SCROLL_PAGES: *at = tacWithinInt(*at + (int64_t) count * (seen * 9 / 10)); break;
    case TK_SCROLL_UNITS: *at = tacWithinInt(*at + (int64_t) count * 40); break;
    default: return TCL_ERROR;
    }
    clampOffsets(p);
    later(p);
    return TCL_OK;
}

static int xviewSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    int width, height;
    drawingSize(p, &width, &height);
    return scroll(p, interp, objc, objv, &p->x, innerOf(p).width, width);
}

static int yviewSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    int width, height;
    drawingSize(p, &width, &height);
    return scroll(p, interp, objc, objv, &p->y, innerOf(p).height, height);
}

/* Now, and waits for the window system: for tests and measurements. Microseconds of painting. */
static int redrawSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Picture *p = data;
    (void) objc, (void) objv;
    redraw(p);
    if (p->screen) tacScreenSync(p->screen);
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(p->spent));
    return TCL_OK;
}

static const tacSubcommand subcommands[] = {
    {"cget", cgetSub, 1, 1, "option"},
    {"configure", configureSub, 0, -1, "?option? ?value option value ...?"},
    {"identify", identifySub, 2, 2, "x y"},
    {"points", pointsSub, 2, 2, "x y"},
    {"redraw", redrawSub, 0, 0, NULL},
    {"size", sizeSub, 0, 0, NULL},
    {"xview", xviewSub, 0, 3, "?moveto|scroll ?arg ...??"},
    {"yview", yviewSub, 0, 3, "?moveto|scroll ?arg ...??"},
    {NULL, NULL, 0, 0, NULL}
};

static int widgetCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_Preserve(data);
    int result = tacDispatch(data, interp, objc, objv, subcommands);
    Tcl_Release(data);
    return result;
}

/* ---- birth and death -------------------------------------------------------------------------------------------- */

static void freePicture(char *memory) {
    tacFree(memory);
}

static void destroy(Picture *p) {
    if (p->waiting) Tcl_CancelIdleCall(idle, p);
    p->waiting = false;
    tacDrawingRelease(&p->user);
    tacScreenFree(p->screen);
    p->screen = NULL;
    Tk_FreeConfigOptions((char *) &p->options, p->optionTable, p->window);
    p->window = NULL;
    Tcl_DeleteCommandFromToken(p->interp, p->command);
    Tcl_EventuallyFree(p, freePicture);
}

static void commandDeleted(ClientData data) {
    Picture *p = data;
    if (p->window) Tk_DestroyWindow(p->window);
}

static void expose(Picture *p, const XExposeEvent *event) {
    if (p->screen && !p->stale) tacScreenShow(p->screen, (tacArea) {event->x, event->y, event->width, event->height});
    else later(p);
}

static void handleEvent(ClientData data, XEvent *event) {
    Picture *p = data;
    switch (event->type) {
    case Expose: expose(p, &event->xexpose); break;
    case ConfigureNotify:
    case MapNotify: later(p); break;
    case FocusIn:
    case FocusOut:
	p->focused = event->type == FocusIn;
	if (insetOf(p)) later(p);
	break;
    case DestroyNotify: destroy(p); break;
    }
}

static void worldChanged(ClientData data) {
    later(data);
}

static const Tk_ClassProcs classProcs = {sizeof(Tk_ClassProcs), worldChanged, NULL, NULL};

static Picture *newPicture(Tcl_Interp *interp, Tk_Window window) {
    Picture *p = tacAllocZero(1, sizeof *p);
    if (!p) return NULL;
    p->window = window;
    p->interp = interp;
    p->optionTable = Tk_CreateOptionTable(interp, optionSpecs);
    p->xTold[0] = p->yTold[0] = -1;
    Tk_SetClass(window, "TactusPicture");
    Tk_SetClassProcs(window, &classProcs, p);
    Tk_CreateEventHandler(window, ExposureMask | StructureNotifyMask | FocusChangeMask, handleEvent, p);
    p->command = Tcl_CreateObjCommand(interp, Tk_PathName(window), widgetCmd, p, commandDeleted);
    return p;
}

int tacPictureCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc < 2) {
	Tcl_WrongNumArgs(interp, 1, objv, "pathName ?-option value ...?");
	return TCL_ERROR;
    }
    Tk_Window parent = Tk_MainWindow(interp), window = parent ? Tk_CreateWindowFromPath(interp, parent, Tcl_GetString(objv[1]), NULL) : NULL;
    if (!window) return TCL_ERROR;
    Picture *p = newPicture(interp, window);
    if (!p) {
	Tk_DestroyWindow(window);
	return tacTclFail(interp, "MEMORY", "not enough memory");
    }
    if (Tk_InitOptions(interp, (char *) &p->options, p->optionTable, window) != TCL_OK
	|| configure(p, objc - 2, objv + 2, ON_SIZE | ON_DRAWING | ON_SCROLL) != TCL_OK) {
	Tcl_InterpState state = Tcl_SaveInterpState(interp, TCL_ERROR);
	Tk_DestroyWindow(window);
	return Tcl_RestoreInterpState(interp, state);
    }
    Tcl_SetObjResult(interp, Tcl_NewStringObj(Tk_PathName(window), -1));
    return TCL_OK;
}
