/*
 * timelineNotify.c -- what a timeline tells others: the scroll commands, and its virtual events.
 *
 *      <<TraceChanged>>        %d: the trace command, or {}    <<RowsChanged>>         %d: {}
 *      <<Zoomed>>              %d: {from to}                   <<SelectionChanged>>    %d: {from to}, or {}
 *      <<TimeChanged>>         %d: time of the cursor, or {}
 *
 * News are bits, set where something changes and told at idle time, once however often it changed. A binding sees the
 * state of that moment. This is the only file of the widget that runs scripts (timelineState.h): after each of them the
 * window may be gone, and what a script changes is told the next time.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tk/timelineState.h"

#include <string.h>

void tacTimelineNews(tacTimeline *t, unsigned news) {
    t->news |= news;
    tacTimelineRedisplay(t);
}

/* ---- virtual events --------------------------------------------------------------------------------------------- */

static Tcl_Obj *pair(const tacTimeline *t, int64_t from, int64_t to) {
    Tcl_Obj *times[] = {tacTimelineTimeObj(t, from), tacTimelineTimeObj(t, to)};
    return Tcl_NewListObj(2, times);
}

static Tcl_Obj *traceData(const tacTimeline *t) {
    return Tcl_NewStringObj(t->options.trace ? t->options.trace : "", -1);
}

static Tcl_Obj *rowsData(const tacTimeline *t) {
    (void) t;
    return Tcl_NewObj();
}

static Tcl_Obj *viewData(const tacTimeline *t) { return t->trace ? pair(t, t->from, t->to) : Tcl_NewObj(); }

static Tcl_Obj *selectionData(const tacTimeline *t) {
    return t->selected ? pair(t, t->selectionFrom, t->selectionTo) : Tcl_NewObj();
}

static Tcl_Obj *timeData(const tacTimeline *t) {
    return t->cursorShown ? tacTimelineTimeObj(t, t->cursor) : Tcl_NewObj();
}

static const struct {
    unsigned news;
    const char *event;
    Tcl_Obj *(*data)(const tacTimeline *t);
} events[] = {
    /* in the order of telling: the large changes first */
    {TAC_NEWS_TRACE, "TraceChanged", traceData},
    {TAC_NEWS_ROWS, "RowsChanged", rowsData},
    {TAC_NEWS_ZOOMED, "Zoomed", viewData},
    {TAC_NEWS_SELECTION, "SelectionChanged", selectionData},
    {TAC_NEWS_TIME, "TimeChanged", timeData},
};

static void sendEvent(tacTimeline *t, const char *name, Tcl_Obj *data) {
    union {
        XEvent general;
        XVirtualEvent virtual;
    } event;
    memset(&event, 0, sizeof event);
    Tk_MakeWindowExist(t->widget.window);
    event.general.xany.type = VirtualEvent;
    event.general.xany.serial = NextRequest(Tk_Display(t->widget.window));
    event.general.xany.window = Tk_WindowId(t->widget.window);
    event.general.xany.display = Tk_Display(t->widget.window);
    event.virtual.event = Tk_WindowId(t->widget.window);
    event.virtual.name = Tk_GetUid(name);
    event.virtual.user_data = data;
    Tcl_IncrRefCount(data); /* the event's, which Tk gives back with the event */
    Tk_HandleEvent(&event.general);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

void tacTimelineNotify(tacTimeline *t) {
    unsigned news = t->news;
    double fractions[2];
    t->news = 0;
    if (t->widget.window && news & TAC_NEWS_XSCROLL) {
        tacTimelineXFractions(t, fractions);
        tacWidgetTellScroll(&t->widget, TAC_AXIS_X, fractions);
    }
    if (t->widget.window && news & TAC_NEWS_YSCROLL) {
        tacTimelineLayout(t);
        tacTimelineYFractions(t, fractions);
        tacWidgetTellScroll(&t->widget, TAC_AXIS_Y, fractions);
    }
    for (size_t i = 0; i < sizeof events / sizeof *events && t->widget.window; i++)
        if (news & events[i].news) sendEvent(t, events[i].event, events[i].data(t));
}
