/*
 * timeline.c -- the widget tactus::timeline: its options, its command, its birth and death.
 *
 * Options are transactional: Tk sets them, they are checked together, and either all of them hold or none. What an
 * option is about (its bits in the option table) says what the next redraw has to begin with; see timelineState.h.
 */
#include <tcl.h>
#include <tk.h>
#include "base/port.h"

#include <math.h>
#include <string.h>

#include "tcl/optionTable.h"
#include "tk/timelineState.h"

/* ---- options ---------------------------------------------------------------------------------------------------- */

enum {				/* what an option is about */
    ON_PICTURE = 1, ON_PLACES = 2, ON_ROWS = 4, ON_SIZE = 8, ON_TRACE = 16, ON_FINDINGS = 32, ON_FILTER = 64, ON_FONT = 128, ON_SCROLL = 256
};

static const char *const themes[] = {"light", "dark", "print", NULL};
static const char *const conventions[] = {"grasp", "rtsched", NULL};
static const char *const processorModes[] = {"auto", "expanded", "collapsed", "none", NULL};
static const char *const deadlineModes[] = {"auto", "explicit", "all", NULL};
static const char *const orders[] = {"priority", "definition", "name", "first", NULL};
static const char *const states[] = {"normal", "disabled", NULL};

#define AT(field) (int) offsetof(tacTimelineOptions, field)
#define TEXT(name, class, field, about) {TK_OPTION_STRING, name, (name) + 1, class, "", -1, AT(field), TK_OPTION_NULL_OK, NULL, about}
#define WORD(name, class, initial, field, words, about) {TK_OPTION_STRING_TABLE, name, (name) + 1, class, initial, -1, AT(field), 0, words, about}
#define SCROLL(name, db, field) {TK_OPTION_STRING, name, db, "ScrollCommand", "", -1, AT(field), TK_OPTION_NULL_OK, NULL, ON_SCROLL}

static const Tk_OptionSpec optionSpecs[] = {
    {TK_OPTION_DOUBLE, "-axisscale", "axisScale", "AxisScale", "1", -1, AT(axisScale), 0, NULL, ON_PLACES},
    {TK_OPTION_STRING, "-axisunit", "axisUnit", "AxisUnit", "", -1, AT(axisUnit), TK_OPTION_NULL_OK, NULL, ON_PLACES},
    WORD("-convention", "Convention", "grasp", convention, conventions, ON_ROWS),
    {TK_OPTION_CURSOR, "-cursor", "cursor", "Cursor", "", -1, AT(cursor), TK_OPTION_NULL_OK, NULL, 0},
    WORD("-deadlines", "Deadlines", "auto", deadlines, deadlineModes, ON_PLACES),
    {TK_OPTION_STRING, "-emptytext", "emptyText", "EmptyText", "", -1, AT(emptyText), TK_OPTION_NULL_OK, NULL, ON_PICTURE},
    TEXT("-filter", "Filter", filter, ON_FILTER),
    {TK_OPTION_STRING, "-findings", "findings", "Findings", "", AT(findings), -1, 0, NULL, ON_FINDINGS},
    TEXT("-font", "Font", font, ON_FONT),
    {TK_OPTION_DOUBLE, "-fontsize", "fontSize", "FontSize", "9", -1, AT(fontSize), 0, NULL, ON_PLACES},
    {TK_OPTION_BOOLEAN, "-grayscale", "grayscale", "Grayscale", "0", -1, AT(grayscale), 0, NULL, ON_PLACES},
    {TK_OPTION_PIXELS, "-height", "height", "Height", "225p", -1, AT(height), 0, NULL, ON_SIZE},
    {TK_OPTION_COLOR, "-highlightbackground", "highlightBackground", "HighlightBackground", "#d9d9d9", -1, AT(highlightBackground), 0, "white", ON_PICTURE},
    {TK_OPTION_COLOR, "-highlightcolor", "highlightColor", "HighlightColor", "#000000", -1, AT(highlightColor), 0, "black", ON_PICTURE},
    {TK_OPTION_PIXELS, "-highlightthickness", "highlightThickness", "HighlightThickness", "1", -1, AT(highlightWidth), 0, NULL, ON_SIZE},
    WORD("-order", "Order", "priority", order, orders, ON_ROWS),
    WORD("-processors", "Processors", "auto", processors, processorModes, ON_ROWS),
    {TK_OPTION_BOOLEAN, "-servermarks", "serverMarks", "ServerMarks", "0", -1, AT(serverMarks), 0, NULL, ON_PLACES},
    {TK_OPTION_PIXELS, "-snap", "snap", "Snap", "6p", -1, AT(snap), 0, NULL, 0},
    WORD("-state", "State", "normal", state, states, 0),
    {TK_OPTION_STRING, "-takefocus", "takeFocus", "TakeFocus", "1", -1, AT(takeFocus), TK_OPTION_NULL_OK, NULL, 0},
    WORD("-theme", "Theme", "light", theme, themes, ON_PLACES),
    TEXT("-trace", "Trace", trace, ON_TRACE),
    {TK_OPTION_PIXELS, "-width", "width", "Width", "450p", -1, AT(width), 0, NULL, ON_SIZE},
    SCROLL("-xscrollcommand", "xScrollCommand", xScroll),
    SCROLL("-yscrollcommand", "yScrollCommand", yScroll),
    {TK_OPTION_END, NULL, NULL, NULL, NULL, 0, -1, 0, NULL, 0}
};
#undef AT
#undef TEXT
#undef WORD
#undef SCROLL

/* What options ask for that can fail: made before any of them holds. */
typedef struct Wanted {
    bool newTrace;
    tacTraceUser *user;
    const tacTrace *trace;
    tacFindingMarks findings;
} Wanted;

static void traceChanged(void *data, const tacTrace *trace);

static int wantTrace(tacTimeline *t, int about, Wanted *wanted) {
    wanted->trace = t->trace;
    if (!(about & ON_TRACE)) return TCL_OK;
    if (!t->options.trace) {
	wanted->trace = NULL;
	wanted->newTrace = t->user != NULL;
	return TCL_OK;
    }
    Tcl_Obj *name = Tcl_NewStringObj(t->options.trace, -1);
    Tcl_IncrRefCount(name);
    wanted->trace = tacTraceFromName(t->interp, name);
    wanted->newTrace = wanted->trace && wanted->trace != t->trace;
    if (wanted->newTrace) wanted->trace = tacTraceUse(t->interp, name, traceChanged, t, &wanted->user);
    Tcl_DecrRefCount(name);
    return wanted->trace ? TCL_OK : TCL_ERROR;
}

static int checkNumbers(tacTimeline *t) {
    double size = t->options.fontSize, scale = t->options.axisScale;
    if (!(size >= 2 && size <= 100)) return tacTclFail(t->interp, "WIDGET FONTSIZE", "bad font size: must be from 2 to 100 points");
    if (!(scale > 0 && isfinite(scale))) return tacTclFail(t->interp, "WIDGET AXISSCALE", "bad scale of the axis: must be above 0");
    return TCL_OK;
}

static int want(tacTimeline *t, int about, Wanted *wanted) {
    if (checkNumbers(t) != TCL_OK || wantTrace(t, about, wanted) != TCL_OK) return TCL_ERROR;
    if (!(about & (ON_FINDINGS | ON_TRACE))) return TCL_OK;
    int digits = wanted->trace ? wanted->trace->store.digits : 0;
    if (tacFindingsParse(t, t->options.findings, digits, &wanted->findings) == TCL_OK) return TCL_OK;
    tacTraceRelease(wanted->user);
    return TCL_ERROR;
}

/* ---- the trace -------------------------------------------------------------------------------------------------- */

/* The rows are of a trace that goes; only how they were arranged is kept, if there is memory for that. */
static void dropRows(tacTimeline *t) {
    t->drawn = false;
    if (tacWindowList(&t->rows, NULL, NULL, NULL) == TAC_OK) return;
    tacWindowFree(&t->rows);
    memset(&t->rows, 0, sizeof t->rows);
}

static void setTrace(tacTimeline *t, tacTraceUser *user, const tacTrace *trace) {
    dropRows(t);
    tacOverlayForget(t);
    tacTraceRelease(t->user);
    t->user = user;
    t->trace = trace;
    t->scroll = 0;
    t->digits = trace ? trace->store.digits : 0;
    tacTimelineBounds(t);
    tacTimelineRestart(t);
    tacTimelineStale(t, TAC_STALE_ROWS);
    tacTimelineNews(t, TAC_NEWS_TRACE | TAC_NEWS_ROWS | TAC_NEWS_XSCROLL | TAC_NEWS_YSCROLL);
}

/* The trace was read again, and is another one of the same command: what was looked at stays in sight. */
static void reloadTrace(tacTimeline *t, const tacTrace *trace) {
    int shift = trace->store.digits - t->digits;
    int64_t from = t->from, to = t->to;
    bool rounded = false, keep = tacDecimalShift(t->from, shift, &from, &rounded) && tacDecimalShift(t->to, shift, &to, &rounded);
    dropRows(t);
    t->trace = trace;
    t->digits = trace->store.digits;
    tacOverlayShift(t, shift);
    tacArrayFree(&t->findings);
    tacTimelineBounds(t);
    if (keep) tacTimelineRange(t, from, to);
    else tacTimelineRestart(t);
    if (tacFindingsParse(t, t->options.findings, t->digits, &t->findings) != TCL_OK) Tcl_BackgroundException(t->interp, TCL_ERROR);
    tacTimelineStale(t, TAC_STALE_ROWS);
    tacTimelineNews(t, TAC_NEWS_TRACE | TAC_NEWS_ROWS | TAC_NEWS_ZOOMED | TAC_NEWS_XSCROLL | TAC_NEWS_YSCROLL);
}

static void traceChanged(void *data, const tacTrace *trace) {
    tacTimeline *t = data;
    if (!t->window) return;
    if (trace) {
	reloadTrace(t, trace);
	return;
    }
    setTrace(t, NULL, NULL);
    if (t->options.trace) Tcl_Free(t->options.trace);
    t->options.trace = NULL;
}

/* ---- configuring ------------------------------------------------------------------------------------------------ */

static int sensible(int pixels) {		/* windows of X have 15 bits */
    return pixels < 0 ? 0 : pixels > INT16_MAX ? INT16_MAX : pixels;
}

static void setSize(tacTimeline *t) {
    int inset = tacInset(t);
    Tk_SetInternalBorder(t->window, inset);
    Tk_GeometryRequest(t->window, sensible(t->options.width) + 2 * inset, sensible(t->options.height) + 2 * inset);
    tacTimelineStale(t, TAC_STALE_PLACES);
}

/* What options of each kind leave stale. */
static const struct { int about; tacStale stale; } staleBy[] = {
    {ON_PICTURE, TAC_STALE_PAINT}, {ON_PLACES | ON_FILTER | ON_FONT, TAC_STALE_PLACES}, {ON_ROWS, TAC_STALE_ROWS}
};

static void hold(tacTimeline *t, int about, Wanted *wanted) {
    if (wanted->newTrace) setTrace(t, wanted->user, wanted->trace);
    if (about & (ON_FINDINGS | ON_TRACE)) {
	tacArrayFree(&t->findings);
	t->findings = wanted->findings;
	tacTimelineStale(t, TAC_STALE_PICTURE);
    }
    if (about & ON_SIZE) setSize(t);
    if (about & ON_FILTER) tacTimelineFilter(t);
    if (about & (ON_FILTER | ON_ROWS)) tacTimelineNews(t, TAC_NEWS_ROWS | TAC_NEWS_YSCROLL);
    if (about & ON_SCROLL) {
	t->xFractions[0] = t->yFractions[0] = -1;	/* another command does not know them */
	tacTimelineNews(t, TAC_NEWS_XSCROLL | TAC_NEWS_YSCROLL);
    }
    for (size_t i = 0; i < sizeof staleBy / sizeof *staleBy; i++)
	if (about & staleBy[i].about) tacTimelineStale(t, staleBy[i].stale);
}

static int configure(tacTimeline *t, int objc, Tcl_Obj *const objv[], int about) {
    Tk_SavedOptions saved;
    Wanted wanted = {0};
    int changed = 0;
    if (Tk_SetOptions(t->interp, (char *) &t->options, t->optionTable, objc, objv, t->window, &saved, &changed) != TCL_OK) return TCL_ERROR;
    if (want(t, about | changed, &wanted) != TCL_OK) {
	Tcl_InterpState state = Tcl_SaveInterpState(t->interp, TCL_ERROR);
	Tk_RestoreSavedOptions(&saved);
	return Tcl_RestoreInterpState(t->interp, state);
    }
    Tk_FreeSavedOptions(&saved);
    hold(t, about | changed, &wanted);
    return TCL_OK;
}

static int configureSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    if (objc > 3) return configure(t, objc - 2, objv + 2, 0);
    Tcl_Obj *info = Tk_GetOptionInfo(interp, (char *) &t->options, t->optionTable, objc == 3 ? objv[2] : NULL, t->window);
    if (!info) return TCL_ERROR;
    Tcl_SetObjResult(interp, info);
    return TCL_OK;
}

static int cgetSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) objc;
    Tcl_Obj *value = Tk_GetOptionValue(interp, (char *) &t->options, t->optionTable, objv[2], t->window);
    if (!value) return TCL_ERROR;
    Tcl_SetObjResult(interp, value);
    return TCL_OK;
}

/* ---- what subcommands need -------------------------------------------------------------------------------------- */

int tacTimelineNeedTrace(tacTimeline *t) {
    return t->trace ? TCL_OK : tacTclFail(t->interp, "WIDGET EMPTY", "the timeline shows no trace");
}

int tacTimelineMemory(tacTimeline *t) {
    return tacTclFail(t->interp, "MEMORY", "not enough memory");
}

int tacTimelineTime(tacTimeline *t, Tcl_Obj *word, int64_t *time) {
    if (tacTimelineNeedTrace(t) != TCL_OK) return TCL_ERROR;
    return tacTimeFromObj(t->interp, word, t->digits, time);
}

Tcl_Obj *tacTimelineTimeObj(const tacTimeline *t, int64_t time) {
    char text[TAC_DECIMAL_SIZE];
    return Tcl_NewStringObj(text, (Tcl_Size) tacDecimalFormat(time, t->digits, text));
}

tacArea tacTimelineInner(const tacTimeline *t) {
    int inset = tacInset(t), width = Tk_Width(t->window), height = Tk_Height(t->window);
    if (width <= 1 && height <= 1 && !Tk_IsMapped(t->window)) width = Tk_ReqWidth(t->window), height = Tk_ReqHeight(t->window);
    tacArea inner = {inset, inset, width - 2 * inset, height - 2 * inset};
    if (inner.width < 1) inner.width = 1;
    if (inner.height < 1) inner.height = 1;
    return inner;
}

int tacTimelineEnsemble(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], const tacSubcommand *table) {
    int index;
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], table, sizeof *table, "subcommand", 0, &index) != TCL_OK) return TCL_ERROR;
    const tacSubcommand *chosen = &table[index];
    if (objc - 3 >= chosen->least && (chosen->most < 0 || objc - 3 <= chosen->most)) return chosen->proc(data, interp, objc, objv);
    Tcl_WrongNumArgs(interp, 3, objv, chosen->usage);
    return TCL_ERROR;
}

static const tacSubcommand subcommands[] = {
    {"bbox", tacBboxSub, 2, 2, "row|job|time value"},
    {"cget", cgetSub, 1, 1, "option"},
    {"configure", configureSub, 0, -1, "?option? ?value option value ...?"},
    {"cursor", tacCursorSub, 0, 1, "?time?"},
    {"frame", tacFrameSub, 0, 0, NULL},
    {"highlight", tacHighlightSub, 0, 1, "?list?"},
    {"identify", tacIdentifySub, 2, 2, "x y"},
    {"marker", tacMarkerSub, 1, -1, "delete|get|names|set ?arg ...?"},
    {"pan", tacPanSub, 1, 1, "fraction"},
    {"redraw", tacRedrawSub, 0, 0, NULL},
    {"row", tacRowSub, 1, -1, "subcommand ?arg ...?"},
    {"rows", tacRowsSub, 0, 0, NULL},
    {"see", tacSeeSub, 1, 2, "time ?end?|-row key"},
    {"selection", tacSelectionSub, 1, -1, "clear|get|set ?from to?"},
    {"snap", tacSnapSub, 2, 2, "x y"},
    {"span", tacSpanSub, 0, 0, NULL},
    {"time", tacTimeSub, 1, 1, "x"},
    {"view", tacViewSub, 0, 2, "?from to?|begin|end"},
    {"x", tacXSub, 1, 1, "time"},
    {"xview", tacXviewSub, 0, 3, "?moveto|scroll ?arg ...??"},
    {"yview", tacYviewSub, 0, 3, "?moveto|scroll ?arg ...??"},
    {"zoom", tacZoomSub, 1, 2, "factor ?time?"},
    {NULL, NULL, 0, 0, NULL}
};

static int widgetCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatch(data, interp, objc, objv, subcommands);
}

/* ---- birth and death -------------------------------------------------------------------------------------------- */

static void idle(ClientData data) {
    tacTimeline *t = data;
    t->waiting = false;
    Tcl_Preserve(t);
    tacTimelineRedraw(t);
    tacTimelineNotify(t);
    Tcl_Release(t);
}

void tacTimelineLater(tacTimeline *t) {
    if (t->waiting || !t->window) return;
    t->waiting = true;
    Tcl_DoWhenIdle(idle, t);
}

static void freeTimeline(char *memory) {
    tacFree(memory);
}

/* What belongs to the display or to others is given back at once, the record itself when nobody runs in it any more. */
static void destroy(tacTimeline *t) {
    if (t->waiting) Tcl_CancelIdleCall(idle, t);
    t->waiting = false;
    tacTraceRelease(t->user);
    t->user = NULL;
    t->trace = NULL;
    tacOverlayFree(t);
    tacTimelineFrameFree(t);
    Tk_FreeConfigOptions((char *) &t->options, t->optionTable, t->window);
    t->window = NULL;
    Tcl_DeleteCommandFromToken(t->interp, t->command);
    Tcl_EventuallyFree(t, freeTimeline);
}

static void commandDeleted(ClientData data) {
    tacTimeline *t = data;
    if (t->window) Tk_DestroyWindow(t->window);
}

static void focusChanged(tacTimeline *t, const XFocusChangeEvent *event) {
    if (event->detail == NotifyInferior) return;
    t->focused = event->type == FocusIn;
    if (tacInset(t)) tacTimelineStale(t, TAC_STALE_PICTURE);
}

static void sizeChanged(tacTimeline *t) {
    t->columns = false;
    tacTimelineStale(t, TAC_STALE_LAYOUT);
    tacTimelineNews(t, TAC_NEWS_YSCROLL);
}

static void handleEvent(ClientData data, XEvent *event) {
    tacTimeline *t = data;
    switch (event->type) {
    case Expose:
	tacTimelineExpose(t, (tacArea) {event->xexpose.x, event->xexpose.y, event->xexpose.width, event->xexpose.height});
	break;
    case ConfigureNotify: sizeChanged(t); break;
    case MapNotify: tacTimelineLater(t); break;
    case FocusIn:
    case FocusOut: focusChanged(t, &event->xfocus); break;
    case DestroyNotify: destroy(t); break;
    }
}

/* Fonts or the scaling may have changed. */
static void worldChanged(ClientData data) {
    tacTimelineStale(data, TAC_STALE_PLACES);
}

static const Tk_ClassProcs classProcs = {sizeof(Tk_ClassProcs), worldChanged, NULL, NULL};

static tacTimeline *newTimeline(Tcl_Interp *interp, Tk_Window window) {
    tacTimeline *t = tacAllocZero(1, sizeof *t);
    if (!t) return NULL;
    t->window = window;
    t->interp = interp;
    t->optionTable = Tk_CreateOptionTable(interp, optionSpecs);
    t->xFractions[0] = t->yFractions[0] = -1;
    tacFrameInit(&t->frame);
    Tk_SetClass(window, "TactusTimeline");
    Tk_SetClassProcs(window, &classProcs, t);
    Tk_CreateEventHandler(window, ExposureMask | StructureNotifyMask | FocusChangeMask, handleEvent, t);
    t->command = Tcl_CreateObjCommand(interp, Tk_PathName(window), widgetCmd, t, commandDeleted);
    return t;
}

int tacTimelineCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc < 2) {
	Tcl_WrongNumArgs(interp, 1, objv, "pathName ?-option value ...?");
	return TCL_ERROR;
    }
    Tk_Window parent = Tk_MainWindow(interp), window = parent ? Tk_CreateWindowFromPath(interp, parent, Tcl_GetString(objv[1]), NULL) : NULL;
    if (!window) return TCL_ERROR;
    tacTimeline *t = newTimeline(interp, window);
    if (!t) {
	Tk_DestroyWindow(window);
	return tacTclFail(interp, "MEMORY", "not enough memory");
    }
    if (Tk_InitOptions(interp, (char *) &t->options, t->optionTable, window) != TCL_OK
	|| configure(t, objc - 2, objv + 2, ON_SIZE | ON_TRACE | ON_FINDINGS | ON_FILTER) != TCL_OK) {
	Tcl_InterpState state = Tcl_SaveInterpState(interp, TCL_ERROR);
	Tk_DestroyWindow(window);
	return Tcl_RestoreInterpState(interp, state);
    }
    Tcl_SetObjResult(interp, Tcl_NewStringObj(Tk_PathName(window), -1));
    return TCL_OK;
}
