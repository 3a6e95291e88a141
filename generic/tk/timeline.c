/*
 * timeline.c -- the widget tactus::timeline: its options, its trace, its subcommands, and its hooks.
 *
 * The mask of an option in the table says with which step the next redraw has to begin; see timelineState.h.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/figureCmd.h"
#include "tcl/timeValue.h"
#include "tk/timelineState.h"

#include <math.h>
#include <string.h>

/* ---- options ---------------------------------------------------------------------------------------------------- */

enum { /* masks of options */
    PLACES_CHANGED = TAC_OWN_CHANGED,
    ROWS_CHANGED = TAC_OWN_CHANGED << 1,
    TRACE_CHANGED = TAC_OWN_CHANGED << 2,
    FINDINGS_CHANGED = TAC_OWN_CHANGED << 3,
    FILTER_CHANGED = TAC_OWN_CHANGED << 4,
    FONT_CHANGED = TAC_OWN_CHANGED << 5,
    REACH_CHANGED = TAC_OWN_CHANGED << 6,
    ORIGIN_CHANGED = TAC_OWN_CHANGED << 7,
    LAYERS_CHANGED = TAC_OWN_CHANGED << 8,
    EMPTY_CHANGED = TAC_OWN_CHANGED << 9,
    GROUPS_CHANGED = TAC_OWN_CHANGED << 10
};

static const char *const themes[] = {"light", "dark", "print", NULL};
static const char *const states[] = {"normal", "disabled", NULL};

#define AT(field) (int) offsetof(tacTimeline, options.field)
#define TEXT(name, class, field, mask) \
    { TK_OPTION_STRING, name, (name) + 1, class, "", -1, AT(field), TK_OPTION_NULL_OK, NULL, mask }
#define WORD(name, class, initial, field, words, mask) \
    { TK_OPTION_STRING_TABLE, name, (name) + 1, class, initial, -1, AT(field), 0, words, mask }
#define PIXELS(name, db, class, initial, field)                                                             \
    {                                                                                                       \
        TK_OPTION_PIXELS, name, db, class, initial, -1, (int) offsetof(tacTimeline, widget.field), 0, NULL, \
            TAC_GEOMETRY_CHANGED                                                                            \
    }

static const Tk_OptionSpec optionSpecs[] = {
    {TK_OPTION_DOUBLE, "-axis-scale", "axisScale", "AxisScale", "1", -1, AT(axisScale), 0, NULL, PLACES_CHANGED},
    {TK_OPTION_STRING, "-axis-unit", "axisUnit", "AxisUnit", "", -1, AT(axisUnit), TK_OPTION_NULL_OK, NULL,
        PLACES_CHANGED},
    {TK_OPTION_SYNONYM, "-axisscale", NULL, NULL, NULL, 0, -1, 0, "-axis-scale", 0},
    {TK_OPTION_SYNONYM, "-axisunit", NULL, NULL, NULL, 0, -1, 0, "-axis-unit", 0},
    WORD("-bar-text", "BarText", "none", barText, tacBarTextWords, PLACES_CHANGED),
    WORD("-color-by", "ColorBy", "convention", colorBy, tacColorByWords, PLACES_CHANGED),
    {TK_OPTION_SYNONYM, "-colorby", NULL, NULL, NULL, 0, -1, 0, "-color-by", 0},
    WORD("-convention", "Convention", "grasp", convention, tacConventionWords, ROWS_CHANGED),
    WORD("-deadlines", "Deadlines", "auto", deadlines, tacDeadlinesWords, PLACES_CHANGED),
    {TK_OPTION_STRING, "-emptytext", "emptyText", "EmptyText", "", -1, AT(emptyText), TK_OPTION_NULL_OK, NULL,
        TAC_STYLE_CHANGED},
    TEXT("-filter", "Filter", filter, FILTER_CHANGED),
    {TK_OPTION_STRING, "-findings", "findings", "Findings", "", AT(findings), -1, 0, NULL, FINDINGS_CHANGED},
    {TK_OPTION_BOOLEAN, "-fit-rows", "fitRows", "FitRows", "0", -1, AT(fitRows), 0, NULL, PLACES_CHANGED},
    TEXT("-font", "Font", font, FONT_CHANGED),
    {TK_OPTION_DOUBLE, "-fontsize", "fontSize", "FontSize", "9", -1, AT(fontSize), 0, NULL, PLACES_CHANGED},
    {TK_OPTION_BOOLEAN, "-grayscale", "grayscale", "Grayscale", "0", -1, AT(grayscale), 0, NULL, PLACES_CHANGED},
    WORD("-group-by", "GroupBy", "none", groupBy, tacGroupByWords, GROUPS_CHANGED),
    PIXELS("-height", "height", "Height", "225p", height),
    {TK_OPTION_BOOLEAN, "-hide-empty", "hideEmpty", "HideEmpty", "0", -1, AT(hideEmpty), 0, NULL, EMPTY_CHANGED},
    PIXELS("-highlightthickness", "highlightThickness", "HighlightThickness", "1", highlightWidth),
    {TK_OPTION_PIXELS, "-labelwidth", "labelWidth", "LabelWidth", "0", -1, AT(labelWidth), 0, NULL, PLACES_CHANGED},
    {TK_OPTION_STRING, "-layers", "layers", "Layers",
        "arrows deadlines misses preemptions mutexes annotations calls messages migrations findings", AT(layers), -1, 0,
        NULL, LAYERS_CHANGED},
    {TK_OPTION_BOOLEAN, "-mark-servers", "serverMarks", "ServerMarks", "0", -1, AT(serverMarks), 0, NULL,
        PLACES_CHANGED},
    WORD("-order", "Order", "priority", order, tacOrderWords + 1, ROWS_CHANGED),
    {TK_OPTION_STRING, "-origin", "origin", "Origin", "", AT(origin), -1, 0, NULL, ORIGIN_CHANGED},
    WORD("-processors", "Processors", "auto", processors, tacProcessorsWords, ROWS_CHANGED),
    {TK_OPTION_STRING, "-reach", "reach", "Reach", "", AT(reach), -1, 0, NULL, REACH_CHANGED},
    {TK_OPTION_SYNONYM, "-servermarks", NULL, NULL, NULL, 0, -1, 0, "-mark-servers", 0},
    {TK_OPTION_PIXELS, "-snap", "snap", "Snap", "6p", -1, AT(snap), 0, NULL, 0},
    WORD("-state", "State", "normal", state, states, 0),
    WORD("-theme", "Theme", "light", theme, themes, PLACES_CHANGED),
    TEXT("-trace", "Trace", trace, TRACE_CHANGED),
    PIXELS("-width", "width", "Width", "450p", width),
    {TK_OPTION_END, NULL, NULL, NULL, NULL, 0, -1, 0, tacWidgetOptions, 0},
};
#undef AT
#undef TEXT
#undef WORD
#undef PIXELS

/* The things that options ask for and that can fail. They are made before any option takes effect. */
typedef struct Wanted {
    bool newTrace;
    tacTraceUser *user;
    const tacTrace *trace;
    tacFindingMarks findings;
    unsigned layers; /* tacShow */
} Wanted;

static void traceChanged(void *data, const tacTrace *trace);

static int wantTrace(tacTimeline *t, int mask, Wanted *wanted) {
    wanted->trace = t->trace;
    if (!(mask & TRACE_CHANGED)) return TCL_OK;
    if (!t->options.trace) {
        wanted->trace = NULL;
        wanted->newTrace = t->user != NULL;
        return TCL_OK;
    }
    Tcl_Obj *name = tacKept(Tcl_NewStringObj(t->options.trace, -1));
    wanted->trace = tacTraceFromName(t->widget.interp, name);
    wanted->newTrace = wanted->trace && wanted->trace != t->trace;
    if (wanted->newTrace) wanted->trace = tacTraceUse(t->widget.interp, name, traceChanged, t, &wanted->user);
    Tcl_DecrRefCount(name);
    return wanted->trace ? TCL_OK : TCL_ERROR;
}

/* Checks the options, and makes what they ask for. */
static int want(tacTimeline *t, int mask, Wanted *wanted) {
    double size = t->options.fontSize, scale = t->options.axisScale;
    if (!(size >= 2 && size <= 100))
        return tacTclFail(t->widget.interp, "WIDGET FONTSIZE", "bad font size: must be from 2 to 100 points");
    if (!(scale > 0 && isfinite(scale)))
        return tacTclFail(t->widget.interp, "WIDGET AXISSCALE", "bad scale of the axis: must be above 0");
    wanted->layers = t->layers;
    if (mask & LAYERS_CHANGED && tacLayersFromObj(t->widget.interp, t->options.layers, &wanted->layers) != TCL_OK)
        return TCL_ERROR;
    if (mask & REACH_CHANGED && tacTimelineReach(t, t->widget.interp, NULL) != TCL_OK) return TCL_ERROR;
    if (mask & ORIGIN_CHANGED && tacTimelineOrigin(t, t->widget.interp, NULL) != TCL_OK) return TCL_ERROR;
    if (wantTrace(t, mask, wanted) != TCL_OK) return TCL_ERROR;
    if (!(mask & (FINDINGS_CHANGED | TRACE_CHANGED))) return TCL_OK;
    if (tacFindingsParse(t, t->options.findings, wanted->trace, &wanted->findings) == TCL_OK) return TCL_OK;
    tacTraceRelease(wanted->user);
    return TCL_ERROR;
}

/* ---- the trace -------------------------------------------------------------------------------------------------- */

/* Drops the rows of the trace; only their arrangement is kept, if there is memory for that. */
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

/* Takes a trace that was read again, another one of the same command. The range of time stays. */
static void reloadTrace(tacTimeline *t, const tacTrace *trace) {
    int shift = trace->store.digits - t->digits;
    int64_t from = t->from, to = t->to;
    bool rounded = false,
         keep = tacDecimalShift(t->from, shift, &from, &rounded) && tacDecimalShift(t->to, shift, &to, &rounded);
    dropRows(t);
    t->trace = trace;
    t->digits = trace->store.digits;
    tacOverlayShift(t, shift);
    tacFindingMarksFree(&t->findings);
    tacTimelineBounds(t);
    if (keep) tacTimelineRange(t, from, to);
    else tacTimelineRestart(t);
    if (tacFindingsParse(t, t->options.findings, t->trace, &t->findings) != TCL_OK)
        Tcl_BackgroundException(t->widget.interp, TCL_ERROR);
    tacTimelineStale(t, TAC_STALE_ROWS);
    tacTimelineNews(t, TAC_NEWS_TRACE | TAC_NEWS_ROWS | TAC_NEWS_ZOOMED | TAC_NEWS_XSCROLL | TAC_NEWS_YSCROLL);
}

static void traceChanged(void *data, const tacTrace *trace) {
    tacTimeline *t = data;
    if (!t->widget.window) return;
    if (trace) {
        reloadTrace(t, trace);
        return;
    }
    setTrace(t, NULL, NULL);
    if (t->options.trace) Tcl_Free(t->options.trace);
    t->options.trace = NULL;
}

/* ---- configuring ------------------------------------------------------------------------------------------------ */

/* The step that becomes stale by options of each kind. */
static const struct {
    int mask;
    tacStale stale;
} staleBy[] = {
    {TAC_STYLE_CHANGED, TAC_STALE_PAINT},
    {PLACES_CHANGED | FILTER_CHANGED | LAYERS_CHANGED | FONT_CHANGED | ORIGIN_CHANGED | TAC_GEOMETRY_CHANGED,
        TAC_STALE_PLACES},
    {EMPTY_CHANGED, TAC_STALE_PASSES},
    {GROUPS_CHANGED, TAC_STALE_ORDER},
    {ROWS_CHANGED, TAC_STALE_ROWS},
};

static int configure(void *widget, int mask) {
    tacTimeline *t = widget;
    Wanted wanted = {0};
    if (want(t, mask, &wanted) != TCL_OK) return TCL_ERROR;
    t->layers = wanted.layers;
    if (wanted.newTrace) setTrace(t, wanted.user, wanted.trace);
    if (mask & (FINDINGS_CHANGED | TRACE_CHANGED)) {
        tacFindingMarksFree(&t->findings);
        t->findings = wanted.findings;
        tacTimelineStale(t, TAC_STALE_PICTURE);
    }
    if (mask & FILTER_CHANGED) tacTimelineFilter(t);
    if (mask & EMPTY_CHANGED) tacWindowLeaveOut(&t->rows, t->options.hideEmpty, t->from, t->to);
    if (mask & REACH_CHANGED && !wanted.newTrace) {
        tacTimelineBounds(t);
        tacTimelineRange(t, t->from, t->to);
        tacTimelineNews(t, TAC_NEWS_XSCROLL);
    }
    if (mask & (FILTER_CHANGED | EMPTY_CHANGED | GROUPS_CHANGED | ROWS_CHANGED))
        tacTimelineNews(t, TAC_NEWS_ROWS | TAC_NEWS_YSCROLL);
    if (mask & TAC_SCROLL_CHANGED) tacTimelineNews(t, TAC_NEWS_XSCROLL | TAC_NEWS_YSCROLL);
    for (size_t i = 0; i < sizeof staleBy / sizeof *staleBy; i++)
        if (mask & staleBy[i].mask) tacTimelineStale(t, staleBy[i].stale);
    return TCL_OK;
}

/* ---- for subcommands -------------------------------------------------------------------------------------------- */

int tacTimelineNeedTrace(tacTimeline *t) {
    return t->trace ? TCL_OK : tacTclFail(t->widget.interp, "WIDGET EMPTY", "the timeline shows no trace");
}

int tacTimelineNeed(tacTimeline *t, bool (*made)(tacTimeline *t)) {
    if (tacTimelineNeedTrace(t) != TCL_OK) return TCL_ERROR;
    return made(t) ? TCL_OK : tacTclFail(t->widget.interp, "WIDGET DRAW", "%s", t->message);
}

int tacTimelineTime(tacTimeline *t, Tcl_Obj *word, int64_t *time) {
    if (tacTimelineNeedTrace(t) != TCL_OK) return TCL_ERROR;
    return tacTimeFromObj(t->widget.interp, word, t->digits, time);
}

Tcl_Obj *tacTimelineTimeObj(const tacTimeline *t, int64_t time) { return tacTimeValueObj(time, t->digits); }

Tcl_Obj *tacTimelineRangeObj(const tacTimeline *t, int64_t from, int64_t to) {
    Tcl_Obj *times[] = {tacTimelineTimeObj(t, from), tacTimelineTimeObj(t, to)};
    return Tcl_NewListObj(2, times);
}

const tacSubcommand tacTimelineSubcommands[] = {
    {"bbox", tacBboxSub, 2, 2, "row|job|time value", "rectangle of a row, a job or a time"},
    {"cget", tacWidgetCget, 1, 1, "option", "value of an option"},
    {"configure", tacWidgetConfigure, 0, -1, "?option? ?value option value ...?", "changes options, or tells of them"},
    {"cursor", tacCursorSub, 0, 1, "?time?", "time of the cursor; sets it"},
    {"export", tacTimelineExportSub, 1, -1, "file ?-option value ...?", "writes what it shows to a file"},
    {"frame", tacFrameSub, 0, 0, NULL, "what the last frame was made of, and how long it took"},
    {"highlight", tacHighlightSub, 0, 1, "?list?", "things that are highlighted; sets them"},
    {"hover", tacHoverSub, 0, 2, "?x y?", "what is at a place, which is lit; without a place nothing is lit"},
    {"identify", tacIdentifySub, 2, 2, "x y", "what is at a place"},
    {"labels", tacLabelsSub, 0, 0, NULL, "width that the names of the rows want"},
    {"marker", tacMarkerSub, 1, -1, "delete|get|names|set ?arg ...?", "markers: sets, deletes and lists them"},
    {"pan", tacPanSub, 1, 1, "fraction", "moves the window of time by a fraction of its length"},
    {"redraw", tacRedrawSub, 0, 0, NULL, "draws at once"},
    {"row", tacRowSub, 1, -1, "subcommand ?arg ...?", "arrangement, folding, height and order of rows"},
    {"rows", tacRowsSub, 0, 0, NULL, "facts about all rows"},
    {"see", tacSeeSub, 1, 2, "time ?end?|-row key", "moves a time or a row into sight"},
    {"selection", tacSelectionSub, 1, -1, "clear|get|set ?from to?", "the selected stretch of time"},
    {"snap", tacSnapSub, 2, 2, "x y", "the event nearest to a place"},
    {"span", tacSpanSub, 0, 0, NULL, "first and last time there is"},
    {"strip", tacStripSub, 1, -1, "delete|get|names|set ?arg ...?", "strips of rows: sets, deletes and lists them"},
    {"time", tacTimeSub, 1, 1, "x", "time at a place"},
    {"view", tacViewSub, 0, 2, "?from to?|begin|end", "the window of time that is shown; sets it"},
    {"x", tacXSub, 1, 1, "time", "place of a time"},
    {"xview", tacXviewSub, 0, 3, "?moveto|scroll ?arg ...??", "scrolls along time"},
    {"yview", tacYviewSub, 0, 3, "?moveto|scroll ?arg ...??", "scrolls over rows"},
    {"zoom", tacZoomSub, 1, 2, "factor ?time?", "zooms by a factor around a time"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

/* ---- hooks ------------------------------------------------------------------------------------------------------ */

static void initialize(void *widget) {
    tacTimeline *t = widget;
    tacFrameInit(&t->frame);
}

static void display(void *widget) {
    if (tacTimelineAhead(widget)) return;
    tacTimelineRedraw(widget);
    tacTimelineNotify(widget);
}

static void handleEvent(void *widget, const XEvent *event) {
    tacTimeline *t = widget;
    switch (event->type) {
    case Expose:
        tacTimelineExpose(
            t, (tacArea){event->xexpose.x, event->xexpose.y, event->xexpose.width, event->xexpose.height});
        break;
    case ConfigureNotify:
        t->columns = false;
        tacTimelineStale(t, TAC_STALE_LAYOUT);
        tacTimelineNews(t, TAC_NEWS_YSCROLL);
        break;
    case MapNotify: tacTimelineRedisplay(t); break;
    case FocusIn:
    case FocusOut:
        if (tacTimelineInset(t)) tacTimelineStale(t, TAC_STALE_PICTURE);
        break;
    }
}

static void worldChanged(void *widget) { tacTimelineStale(widget, TAC_STALE_PLACES); }

static void cleanup(void *widget) {
    tacTimeline *t = widget;
    tacTraceRelease(t->user);
    t->user = NULL;
    t->trace = NULL;
    tacOverlayFree(t);
    tacTimelineFrameFree(t);
}

int tacTimelineCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const tacWidgetSpec spec = {.className = "TactusTimeline",
        .recordSize = sizeof(tacTimeline),
        .optionSpecs = optionSpecs,
        .subcommands = tacTimelineSubcommands,
        .initialMask = TRACE_CHANGED | FINDINGS_CHANGED | FILTER_CHANGED | LAYERS_CHANGED,
        .initialize = initialize,
        .configure = configure,
        .display = display,
        .event = handleEvent,
        .worldChanged = worldChanged,
        .cleanup = cleanup};
    (void) data;
    return tacWidgetConstructor(&spec, interp, objc, objv);
}
