/*
 * timelineNotify.c -- news of a timeline for others: calls of the scroll commands, and virtual events.
 *
 *      <<TraceChanged>>        %d: the trace command, or {}    <<RowsChanged>>         %d: {}
 *      <<Zoomed>>              %d: {from to}                   <<SelectionChanged>>    %d: {from to}, or {}
 *      <<TimeChanged>>         %d: time of the cursor, or {}
 *
 * News are bits, set at each change and told at idle time, once for all changes. A binding sees the state of that
 * moment. This is the only file of the widget that runs scripts (timelineState.h): after each of them the window may be
 * gone, and changes that a script makes are told the next time.
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

static const struct {
    tacNews news;
    const char *event;
} events[] = {
    /* in the order of telling: the large changes first */
    {TAC_NEWS_TRACE, "TraceChanged"},
    {TAC_NEWS_ROWS, "RowsChanged"},
    {TAC_NEWS_ZOOMED, "Zoomed"},
    {TAC_NEWS_SELECTION, "SelectionChanged"},
    {TAC_NEWS_TIME, "TimeChanged"},
};

/* The data of an event, %d in bindings. */
static Tcl_Obj *eventData(const tacTimeline *t, tacNews news) {
    switch (news) {
    case TAC_NEWS_TRACE: return Tcl_NewStringObj(t->options.trace ? t->options.trace : "", -1);
    case TAC_NEWS_ZOOMED: return t->trace ? tacTimelineRangeObj(t, t->from, t->to) : Tcl_NewObj();
    case TAC_NEWS_SELECTION:
        return t->selected ? tacTimelineRangeObj(t, t->selectionFrom, t->selectionTo) : Tcl_NewObj();
    case TAC_NEWS_TIME: return t->cursorShown ? tacTimelineTimeObj(t, t->cursor) : Tcl_NewObj();
    default: return Tcl_NewObj();
    }
}

/* Sends a virtual event to the widget. */
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

/* ---- telling ---------------------------------------------------------------------------------------------------- */

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
        if (news & events[i].news) sendEvent(t, events[i].event, eventData(t, events[i].news));
}
