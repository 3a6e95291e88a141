/*
 * widget.c -- the common parts of the widgets: see widget.h.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "base/mem.h"
#include "tcl/dictValue.h"
#include "tk/screen.h"
#include "tk/widget.h"
#include "view/drawCalls.h"

#include <string.h>

/* ---- options ---------------------------------------------------------------------------------------------------- */

#define AT(field) (int) offsetof(tacWidget, field)
const Tk_OptionSpec tacWidgetOptions[] = {
    {TK_OPTION_CURSOR, "-cursor", "cursor", "Cursor", "", -1, AT(cursor), TK_OPTION_NULL_OK, NULL, 0},
    {TK_OPTION_COLOR, "-highlightbackground", "highlightBackground", "HighlightBackground", "#d9d9d9", -1,
        AT(highlightBackground), 0, "white", TAC_STYLE_CHANGED},
    {TK_OPTION_COLOR, "-highlightcolor", "highlightColor", "HighlightColor", "#000000", -1, AT(highlightColor), 0,
        "black", TAC_STYLE_CHANGED},
    {TK_OPTION_STRING, "-takefocus", "takeFocus", "TakeFocus", "1", -1, AT(takeFocus), TK_OPTION_NULL_OK, NULL, 0},
    {TK_OPTION_STRING, "-xscrollcommand", "xScrollCommand", "ScrollCommand", "", -1, AT(scroll[TAC_AXIS_X]),
        TK_OPTION_NULL_OK, NULL, TAC_SCROLL_CHANGED},
    {TK_OPTION_STRING, "-yscrollcommand", "yScrollCommand", "ScrollCommand", "", -1, AT(scroll[TAC_AXIS_Y]),
        TK_OPTION_NULL_OK, NULL, TAC_SCROLL_CHANGED},
    {TK_OPTION_END, NULL, NULL, NULL, NULL, 0, -1, 0, NULL, 0},
};
#undef AT

/* A size that X takes: it has 15 bits for the sizes of windows. */
static int windowSize(int pixels) { return pixels < 0 ? 0 : pixels > INT16_MAX ? INT16_MAX : pixels; }

/* Sets options; `mask` is added to the changes that they make. */
static int configure(tacWidget *w, int objc, Tcl_Obj *const objv[], int mask) {
    Tk_SavedOptions saved;
    int changed = 0;
    if (Tk_SetOptions(w->interp, (char *) w, w->optionTable, objc, objv, w->window, &saved, &changed) != TCL_OK)
        return TCL_ERROR;
    mask |= changed;
    if (w->spec->configure(w, mask) != TCL_OK) {
        Tcl_InterpState state = Tcl_SaveInterpState(w->interp, TCL_ERROR);
        Tk_RestoreSavedOptions(&saved);
        return Tcl_RestoreInterpState(w->interp, state);
    }
    Tk_FreeSavedOptions(&saved);
    if (mask & TAC_GEOMETRY_CHANGED) {
        int inset = tacWidgetInset(w);
        Tk_SetInternalBorder(w->window, inset);
        Tk_GeometryRequest(w->window, windowSize(w->width) + 2 * inset, windowSize(w->height) + 2 * inset);
    }
    if (mask & TAC_SCROLL_CHANGED) /* the new command has not been told anything */
        w->told[TAC_AXIS_X][0] = w->told[TAC_AXIS_Y][0] = -1;
    return TCL_OK;
}

int tacWidgetConfigure(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacWidget *w = data;
    if (objc > 3) return configure(w, objc - 2, objv + 2, 0);
    Tcl_Obj *info = Tk_GetOptionInfo(interp, (char *) w, w->optionTable, objc == 3 ? objv[2] : NULL, w->window);
    if (!info) return TCL_ERROR;
    Tcl_SetObjResult(interp, info);
    return TCL_OK;
}

int tacWidgetCget(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacWidget *w = data;
    (void) objc;
    Tcl_Obj *value = Tk_GetOptionValue(interp, (char *) w, w->optionTable, objv[2], w->window);
    if (!value) return TCL_ERROR;
    Tcl_SetObjResult(interp, value);
    return TCL_OK;
}

/* ---- places and screen ------------------------------------------------------------------------------------------ */

int tacWidgetInset(const tacWidget *w) {
    int width = w->highlightWidth;
    return width < 0 ? 0 : width > 255 ? 255 : width;
}

tacArea tacWidgetInner(const tacWidget *w) {
    int inset = tacWidgetInset(w), width = Tk_Width(w->window), height = Tk_Height(w->window);
    if (width <= 1 && height <= 1 && !Tk_IsMapped(w->window))
        width = Tk_ReqWidth(w->window), height = Tk_ReqHeight(w->window);
    tacArea inner = {inset, inset, width - 2 * inset, height - 2 * inset};
    if (inner.width < 1) inner.width = 1;
    if (inner.height < 1) inner.height = 1;
    return inner;
}

bool tacWidgetScreen(tacWidget *w) {
    if (!w->screen) {
        Tk_MakeWindowExist(w->window);
        w->screen = tacScreenNew(w->window);
        Tk_SetWindowBackgroundPixmap(w->window, None); /* the server need not clear what is drawn at once */
    }
    return w->screen && Tk_Width(w->window) <= INT16_MAX && Tk_Height(w->window) <= INT16_MAX;
}

void tacWidgetHighlight(tacWidget *w) {
    tacScreenHighlight(w->screen, w->focused ? w->highlightColor : w->highlightBackground, tacWidgetInset(w));
}

/* ---- telling ---------------------------------------------------------------------------------------------------- */

void tacWidgetTellScroll(tacWidget *w, tacAxis axis, const double fractions[2]) {
    if (!w->scroll[axis] || memcmp(w->told[axis], fractions, sizeof w->told[axis]) == 0) return;
    memcpy(w->told[axis], fractions, sizeof w->told[axis]);
    Tcl_Interp *interp = w->interp;
    Tcl_Obj *script = tacKept(Tcl_NewStringObj(w->scroll[axis], -1)); /* a script, not a list, as for all widgets */
    for (int i = 0; i < 2; i++) {
        Tcl_Obj *number = Tcl_NewDoubleObj(fractions[i]);
        Tcl_AppendPrintfToObj(script, " %s", Tcl_GetString(number));
        Tcl_DecrRefCount(number);
    }
    Tcl_Preserve(interp);
    int status = Tcl_EvalObjEx(interp, script, TCL_EVAL_GLOBAL);
    if (status != TCL_OK && !Tcl_InterpDeleted(interp)) {
        Tcl_AddErrorInfo(interp, "\n    (scrolling command executed by a widget)");
        Tcl_BackgroundException(interp, status);
    }
    Tcl_Release(interp);
    Tcl_DecrRefCount(script);
}

void tacWidgetTellError(tacWidget *w, const tacError *err) {
    Tcl_InterpState state = Tcl_SaveInterpState(w->interp, TCL_OK);
    tacErrorToTcl(w->interp, err);
    Tcl_BackgroundException(w->interp, TCL_ERROR);
    Tcl_RestoreInterpState(w->interp, state);
}

int tacPairResult(Tcl_Interp *interp, double first, double second) {
    Tcl_Obj *pair[] = {Tcl_NewDoubleObj(first), Tcl_NewDoubleObj(second)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, pair));
    return TCL_OK;
}

/* ---- hooks that Tcl and Tk call --------------------------------------------------------------------------------- */

static void displayIdle(ClientData data) {
    tacWidget *w = data;
    w->redisplayPending = false;
    Tcl_Preserve(w);
    w->spec->display(w);
    Tcl_Release(w);
}

void tacWidgetRedisplay(tacWidget *w) {
    if (w->redisplayPending || !w->window) return;
    w->redisplayPending = true;
    Tcl_DoWhenIdle(displayIdle, w);
}

static int runSubcommand(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacWidget *w = data;
    Tcl_Preserve(w);
    int result = tacDispatch(w, interp, objc, objv, w->spec->subcommands);
    Tcl_Release(w);
    return result;
}

static void commandDeleted(ClientData data) {
    tacWidget *w = data;
    if (w->window) Tk_DestroyWindow(w->window);
}

static void freeRecord(char *memory) { tacFree(memory); }

/* Frees what belongs to the display or to others at once, the record itself when no function runs in it any more. */
static void destroy(tacWidget *w) {
    if (w->redisplayPending) Tcl_CancelIdleCall(displayIdle, w);
    w->redisplayPending = false;
    w->spec->cleanup(w);
    tacScreenFree(w->screen);
    w->screen = NULL;
    Tk_FreeConfigOptions((char *) w, w->optionTable, w->window);
    w->window = NULL;
    Tcl_DeleteCommandFromToken(w->interp, w->command);
    Tcl_EventuallyFree(w, freeRecord);
}

static void handleEvent(ClientData data, XEvent *event) {
    tacWidget *w = data;
    if (event->type == DestroyNotify) {
        destroy(w);
        return;
    }
    if (event->type == FocusIn || event->type == FocusOut) {
        if (event->xfocus.detail == NotifyInferior) return; /* the focus of a window within this one */
        w->focused = event->type == FocusIn;
    }
    w->spec->event(w, event);
}

static void worldChanged(ClientData data) {
    tacWidget *w = data;
    w->spec->worldChanged(w);
}

/* ---- the constructor -------------------------------------------------------------------------------------------- */

/* Makes the record of a window, without options yet; NULL: no memory. */
static tacWidget *newWidget(const tacWidgetSpec *spec, Tcl_Interp *interp, Tk_Window window) {
    static const Tk_ClassProcs classProcs = {sizeof(Tk_ClassProcs), worldChanged, NULL, NULL};
    tacWidget *w = tacAllocZero(1, spec->recordSize);
    if (!w) return NULL;
    w->spec = spec;
    w->window = window;
    w->interp = interp;
    w->optionTable = Tk_CreateOptionTable(interp, spec->optionSpecs);
    if (spec->initialize) spec->initialize(w);
    Tk_SetClass(window, spec->className);
    Tk_SetClassProcs(window, &classProcs, w);
    Tk_CreateEventHandler(window, ExposureMask | StructureNotifyMask | FocusChangeMask, handleEvent, w);
    w->command = Tcl_CreateObjCommand(interp, Tk_PathName(window), runSubcommand, w, commandDeleted);
    return w;
}

int tacWidgetConstructor(const tacWidgetSpec *spec, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "pathName ?-option value ...?");
        return TCL_ERROR;
    }
    tacError err = {0};
    if (tacDrawNeed(&err) != TAC_OK || tacScreenNeed(&err) != TAC_OK) return tacErrorToTcl(interp, &err);
    Tk_Window parent = Tk_MainWindow(interp),
              window = parent ? Tk_CreateWindowFromPath(interp, parent, Tcl_GetString(objv[1]), NULL) : NULL;
    if (!window) return TCL_ERROR;
    tacWidget *w = newWidget(spec, interp, window);
    if (!w) {
        Tk_DestroyWindow(window);
        return tacTclMemory(interp);
    }
    if (Tk_InitOptions(interp, (char *) w, w->optionTable, window) != TCL_OK
        || configure(w, objc - 2, objv + 2, spec->initialMask | TAC_GEOMETRY_CHANGED | TAC_SCROLL_CHANGED) != TCL_OK) {
        Tcl_InterpState state = Tcl_SaveInterpState(interp, TCL_ERROR);
        Tk_DestroyWindow(window);
        return Tcl_RestoreInterpState(interp, state);
    }
    Tcl_SetObjResult(interp, Tcl_NewStringObj(Tk_PathName(window), -1));
    return TCL_OK;
}
